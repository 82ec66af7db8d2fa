//! What the engine means to reach, and whether a run shows it.
//!
//! Used by `view` where rows have the sizes that the bars were set for (`--full`), and for the rows of
//! `benches/README.md` (`--table`). The bars were set for a kind of machine, two cores with AVX-512; on another one they
//! say little. Invariant: a bar that no row of the run can show is left out, never passed.

use super::pass::Settings;
use super::row::Row;

/// One bar.
struct Bar {
    /// What is measured.
    what: &'static str,
    /// The most threads for which it holds, in a tick or of the host.
    threads: usize,
    unit: Unit,
    /// Whether more is better.
    is_more_better: bool,
    bar: f64,
    stretch: f64,
    /// Its figure.
    figure: fn(&[Row]) -> Option<f64>,
}

/// How a figure is written.
#[derive(Clone, Copy)]
enum Unit {
    TicketsPerS,
    Micros,
    Bytes,
    Times,
    Count,
}

impl Unit {
    fn text(self, value: f64) -> String {
        match self {
            Unit::TicketsPerS => format!("{} tickets/s", thousands(value)),
            Unit::Micros => micros(value),
            Unit::Bytes => format!("{value:.0} bytes"),
            Unit::Times => format!("{value:.2}x"),
            Unit::Count => format!("{:.6}", value).trim_end_matches('0').trim_end_matches('.').to_owned(),
        }
    }
}

const BARS: &[Bar] = &[
    rate("duel, least_cost, one thread", 1, 5e6, 10e6, |rows| {
        full(rows, "duel/4/least_cost")?.tickets_per_s()
    }),
    rate("duel, least_cost, two threads", 2, 9e6, 18e6, |rows| {
        full(rows, "duel/4/least_cost")?.tickets_per_s()
    }),
    rate("duel, oldest_first, one thread", 1, 2.5e6, 5e6, |rows| {
        full(rows, "duel/4/oldest_first")?.tickets_per_s()
    }),
    least("arrival, 100k wait, p50", Unit::Micros, 1.0, 0.4, |rows| arrival(rows, 50.0)),
    least("arrival, 100k wait, p99", Unit::Micros, 10.0, 2.0, |rows| arrival(rows, 99.0)),
    rate("squads, oldest_first", 1, 1e6, 4e6, |rows| full(rows, "squads/oldest_first")?.tickets_per_s()),
    rate("squads, least_cost", 1, 1e6, 4e6, |rows| full(rows, "squads/least_cost")?.tickets_per_s()),
    least("standing 1M odd modes + 10k, tick p99", Unit::Micros, 12e3, 5e3, |rows| {
        tick(rows, "standing/odd-modes")
    }),
    least("standing 1M healers + 10k, tick p99", Unit::Micros, 12e3, 5e3, |rows| {
        tick(rows, "standing/healers")
    }),
    least("standing 1M apart + 10k, tick p99", Unit::Micros, 12e3, 5e3, |rows| tick(rows, "standing/apart")),
    least("idle tick over 1M, p99", Unit::Micros, 10.0, 1.0, |rows| tick(rows, "idle/1v1")),
    least("flood of 100k equal, against random", Unit::Times, 3.0, 1.0, |rows| {
        Some(per_ticket(rows, "flood/equal")? / per_ticket(rows, "flood/random")?)
    }),
    least("bytes for each of 1M waiting tickets", Unit::Bytes, 160.0, 96.0, |rows| {
        full(rows, "memory/exact")?.bytes_per_waiting()
    }),
    // A table that grows now and then is no cost of a ticket: one in a thousand tickets may see it.
    least("allocations for each ticket, duel", Unit::Count, 0.001, 0.0, |rows| {
        full(rows, "duel/4/oldest_first")?.allocations_per_ticket()
    }),
    least("time for each ticket, 1M a tick against 10k", Unit::Times, 2.5, 1.8, |rows| {
        Some(per_ticket(rows, "growth/1000000")? / per_ticket(rows, "growth/10000")?)
    }),
];

const fn rate(
    what: &'static str,
    threads: usize,
    bar: f64,
    stretch: f64,
    figure: fn(&[Row]) -> Option<f64>,
) -> Bar {
    Bar { what, threads, unit: Unit::TicketsPerS, is_more_better: true, bar, stretch, figure }
}

const fn least(
    what: &'static str,
    unit: Unit,
    bar: f64,
    stretch: f64,
    figure: fn(&[Row]) -> Option<f64>,
) -> Bar {
    Bar { what, threads: 1, unit, is_more_better: false, bar, stretch, figure }
}

/// The row of that name, if it was run in its full size.
fn full<'r>(rows: &'r [Row], name: &str) -> Option<&'r Row> {
    rows.iter().find(|row| row.plan.name == name && row.plan.is_full)
}

fn tick(rows: &[Row], name: &str) -> Option<f64> {
    full(rows, name)?.pass.tick_us.percentile(99.0)
}

fn arrival(rows: &[Row], percent: f64) -> Option<f64> {
    full(rows, "arrival/1v1")?.pass.round_us.percentile(percent)
}

fn per_ticket(rows: &[Row], name: &str) -> Option<f64> {
    let row = full(rows, name)?;
    row.per_ticket(row.pass.total_ns())
}

/// A bar against what was measured: what, measured, bar, stretch, and in words how far it is.
pub(super) fn held(rows: &[Row], settings: &Settings) -> Vec<[String; 5]> {
    let against = |bar: &Bar| {
        let measured = (bar.figure)(rows)?;
        let is_met = |goal: f64| if bar.is_more_better { measured >= goal } else { measured <= goal };
        let far = match (is_met(bar.stretch), is_met(bar.bar)) {
            (true, _) => "stretch met".to_owned(),
            (_, true) => "met".to_owned(),
            _ if bar.is_more_better => format!("missed {:.1} times", bar.bar / measured),
            _ => format!("missed {:.1} times", measured / bar.bar),
        };
        let text = |value| bar.unit.text(value);
        Some([bar.what.to_owned(), text(measured), text(bar.bar), text(bar.stretch), far])
    };
    let threads = settings.threads.max(settings.hosts);
    BARS.iter().filter(|bar| bar.threads == threads).filter_map(against).collect()
}

/// A number of microseconds in the unit that fits it.
pub(super) fn micros(us: f64) -> String {
    match us {
        _ if us < 1.0 => format!("{:.0} ns", us * 1e3),
        _ if us < 10.0 => format!("{us:.2} us"),
        _ if us < 1e3 => format!("{us:.1} us"),
        _ if us < 1e6 => format!("{:.2} ms", us / 1e3),
        _ => format!("{:.2} s", us / 1e6),
    }
}

/// A count with its thousands set apart.
pub(super) fn thousands(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_written_for_people() {
        assert_eq!(
            (micros(0.4), micros(2.5), micros(12_000.0)),
            ("400 ns".into(), "2.50 us".into(), "12.00 ms".into())
        );
        assert_eq!(
            [0.0, 999.0, 1_000.0, 2_500_000.0].map(thousands),
            ["0", "999", "1,000", "2,500,000"].map(str::to_owned)
        );
    }
}
