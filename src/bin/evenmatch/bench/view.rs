//! A run for people: tables.
//!
//! Used by `mod`. Invariant: numbers carry their unit, in the cell or in the column's title.

use super::bars::{held, micros, thousands};
use super::machine::Machine;
use super::pass::Settings;
use super::recorded::Recorded;
use super::row::Row;
use crate::shares::short;
use crate::tables::{Grid, GridRow};

/// The whole run.
pub(super) fn text(
    machine: &Machine,
    rows: &[Row],
    settings: &Settings,
    recorded: Option<&Recorded>,
) -> String {
    let mut out = format!("{}\n", machine.line());
    out.push_str(&format!(
        "{}; times are of the quickest pass, in calls of the engine alone\n",
        threads(settings)
    ));
    if machine.build != "release" {
        out.push_str(
            "This is no release build: its figures say nothing. Use `cargo run --release -- bench`.\n",
        );
    }
    out.push_str(&format!("\nwhat each ticket costs\n{}", costs(rows).text()));
    out.push_str(&format!("\nhow long things take\n{}", latencies(rows).text()));
    let disturbed = rows.iter().map(Row::elsewhere_share).fold(0.0, f64::max);
    if disturbed > 0.05 {
        out.push_str(&format!(
            "\nOther processes had the processor for up to {:.0} % of the time; that time is left out, \
             but caches were cold after it.\n",
            100.0 * disturbed
        ));
    }
    for row in rows.iter().filter(|row| !row.pass.is_complete) {
        out.push_str(&format!(
            "\n{} was ended by --seconds after {} of {} ticks.\n",
            row.plan.name, row.pass.rounds, row.plan.ticks
        ));
    }
    let bars = held(rows, settings);
    if !bars.is_empty() {
        out.push_str(&format!("\nthe bars\n{}", bar_grid(bars).text()));
    }
    if let Some(recorded) = recorded {
        out.push_str(&format!("\nagainst {}\n{}", recorded.machine, ratios(rows, settings, recorded)));
    }
    out
}

fn cell(value: Option<f64>, text: impl Fn(f64) -> String) -> String {
    value.map_or_else(|| "-".to_owned(), text)
}

fn costs(rows: &[Row]) -> Grid {
    let titles = [
        "",
        "waiting",
        "a tick",
        "ticks",
        "tickets/s",
        "ns/ticket",
        "submit",
        "cancel",
        "tick",
        "poll",
        "matched",
        "gap",
        "bytes/\nwaiting",
        "allocations/\nticket",
        "output",
    ];
    let line = |row: &Row| {
        let (plan, pass) = (&row.plan, &row.pass);
        let ns = |call: usize| cell(row.per_ticket(pass.ns[call]), |ns| format!("{ns:.0}"));
        GridRow::plain(vec![
            plan.name.clone(),
            thousands(plan.standing.1 as f64),
            thousands(plan.per_tick as f64),
            pass.rounds.to_string(),
            cell(row.tickets_per_s(), thousands),
            cell(row.per_ticket(pass.total_ns()), |ns| format!("{ns:.0}")),
            ns(0),
            ns(1),
            ns(2),
            ns(3),
            cell(row.matched_share(), |share| format!("{:.1} %", 100.0 * share)),
            cell(pass.gap, short),
            cell(row.bytes_per_waiting(), |bytes| format!("{bytes:.0}")),
            cell(row.allocations_per_ticket(), short),
            pass.digest.map_or_else(|| "-".to_owned(), |digest| format!("{digest:016x}")),
        ])
    };
    let rows = rows.iter().map(line).collect();
    Grid { caption: String::new(), header: titles.map(str::to_owned).to_vec(), rows, right: 1..=13 }
}

fn latencies(rows: &[Row]) -> Grid {
    let titles = [
        "",
        "tick p50",
        "p99",
        "p99.9",
        "max",
        "round p50",
        "p99",
        "p99.9",
        "sent/s",
        "decision p50",
        "p99",
        "p99.9",
    ];
    let line = |row: &Row| {
        let of = |measure: &crate::measure::Measure, percent| cell(measure.percentile(percent), micros);
        let mut cells = vec![row.plan.name.clone()];
        cells.extend([50.0, 99.0, 99.9].map(|percent| of(&row.pass.tick_us, percent)));
        cells.push(cell(row.pass.tick_us.max(), micros));
        cells.extend([50.0, 99.0, 99.9].map(|percent| of(&row.pass.round_us, percent)));
        match &row.offered {
            Some((rate, scheduled)) => {
                // Few tickets are told with what is behind the point.
                cells.push(if *rate < 10.0 { format!("{rate:.3}") } else { thousands(*rate) });
                cells.extend([50.0, 99.0, 99.9].map(|percent| of(&scheduled.decision_us, percent)));
            }
            None => cells.extend(["-", "-", "-", "-"].map(str::to_owned)),
        }
        GridRow::plain(cells)
    };
    let timed = rows.iter().filter(|row| row.pass.rounds > 0);
    let rows = timed.map(line).collect();
    Grid { caption: String::new(), header: titles.map(str::to_owned).to_vec(), rows, right: 1..=11 }
}

fn bar_grid(bars: Vec<[String; 5]>) -> Grid {
    let titles = ["", "measured", "bar", "stretch", ""];
    let rows = bars.into_iter().map(|cells| GridRow::plain(cells.to_vec())).collect();
    Grid { caption: String::new(), header: titles.map(str::to_owned).to_vec(), rows, right: 1..=3 }
}

/// The rows of `benches/README.md`: Markdown.
pub(super) fn markdown(machine: &Machine, rows: &[Row], settings: &Settings) -> String {
    let mut out = format!("{}; {}.\n\n", machine.line(), threads(settings));
    let bars = held(rows, settings);
    if !bars.is_empty() {
        out.push_str("| bar | measured | bar | stretch | |\n| --- | ---: | ---: | ---: | --- |\n");
        for cells in bars {
            out.push_str(&format!("| {} |\n", cells.join(" | ")));
        }
        out.push('\n');
    }
    out.push_str("| row | what | tickets/s | submit + cancel + tick + poll, ns | tick p50 / p99 / p99.9 | bytes | allocs |\n");
    out.push_str("| --- | --- | ---: | ---: | ---: | ---: | ---: |\n");
    for row in rows {
        let ns = |call: usize| cell(row.per_ticket(row.pass.ns[call]), |ns| format!("{ns:.0}"));
        let parts = (0..4).map(ns).collect::<Vec<String>>().join(" + ");
        let tick = [50.0, 99.0, 99.9].map(|percent| cell(row.pass.tick_us.percentile(percent), micros));
        out.push_str(&format!(
            "| `{}` | {} | {} | {} | {} | {} | {} |\n",
            row.plan.name,
            sizes(row),
            cell(row.tickets_per_s(), thousands),
            if row.pass.tickets > 0 { parts } else { "-".to_owned() },
            if row.pass.rounds > 0 { tick.join(" / ") } else { "-".to_owned() },
            cell(row.bytes_per_waiting(), |bytes| format!("{bytes:.0}")),
            cell(row.allocations_per_ticket(), short),
        ));
    }
    out
}

fn threads(settings: &Settings) -> String {
    let (threads, hosts, door) = (settings.threads, settings.hosts, settings.door.word());
    format!("threads {threads} in a tick, {hosts} of the host; the {door} door")
}

/// What a row is, with its sizes.
fn sizes(row: &Row) -> String {
    let plan = &row.plan;
    let mut parts = vec![plan.about.clone()];
    if plan.standing.1 > 0 {
        parts.push(format!("{} wait", thousands(plan.standing.1 as f64)));
    }
    if plan.per_tick > 0 {
        parts.push(format!("{} a tick", thousands(plan.per_tick as f64)));
    }
    parts.join("; ")
}

/// How much better each row is than its record.
fn ratios(rows: &[Row], settings: &Settings, recorded: &Recorded) -> String {
    let changed = recorded.changed(settings);
    let mut out = String::new();
    if !changed.is_empty() {
        let then = changed.iter().map(|changed| format!("{} {}", changed.key, changed.then));
        let now = changed.iter().map(|changed| format!("{} {}", changed.key, changed.now));
        let (then, now): (Vec<String>, Vec<String>) = (then.collect(), now.collect());
        out.push_str(&format!("recorded with {}; this run has {}\n", then.join(", "), now.join(", ")));
    }
    let of_output = changed.iter().filter(|changed| changed.is_of_output);
    let of_output: Vec<String> =
        of_output.map(|changed| format!("{} {}", changed.key, changed.then)).collect();
    for row in rows {
        let ratios = match recorded.compare(row, settings) {
            Ok(ratios) => ratios,
            Err(why) => {
                out.push_str(&format!("{}: {why}\n", row.plan.name));
                continue;
            }
        };
        let output = match ratios.is_same {
            Some(true) => "output unchanged".to_owned(),
            Some(false) => "OUTPUT CHANGED".to_owned(),
            None if of_output.is_empty() => "output not compared".to_owned(),
            None => format!("output not compared, as it was recorded with {}", of_output.join(", ")),
        };
        out.push_str(&format!("{}: {output}\n", row.plan.name));
        for (key, then, now, ratio) in ratios.list {
            out.push_str(&format!("  {ratio:>8.3}x  {key}: {} -> {}\n", short(then), short(now)));
        }
        if let Some((then, now)) = ratios.rates {
            out.push_str(&format!(
                "  delays not compared: {} tickets/s were sent, now {}\n",
                short(then),
                short(now)
            ));
        }
    }
    out
}
