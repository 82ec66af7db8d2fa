//! The statistics as text for Prometheus: its exposition format, version 0.0.4.
//!
//! For hosts that serve `/metrics`. Invariants: the same statistics give the same bytes; a name that ends in `_total`
//! and a histogram never fall while the queue lives; times are in seconds; every family has its HELP and TYPE line
//! once, before its samples.

use super::Engine;
use crate::model::codes::EndReason;
use crate::model::ids::Millis;
use crate::model::status::{Counts, QueueStats, RegionStats, Stats, WAIT_CLASSES_S, WindowStats};
use std::fmt::Write;

impl Engine {
    /// What `stats` says, as text of Prometheus's exposition format, to be served as
    /// `text/plain; version=0.0.4; charset=utf-8`.
    ///
    /// Names begin with `evenmatch_`. Counts since the start end in `_total`; `evenmatch_queue_wait_seconds` is a
    /// histogram of the waits of all matched tickets; what has `window` in its name is of the sliding window. Samples
    /// of regions have names of their own, since a ticket counts in each of its regions. A value that is not known
    /// (a percentile without a sample) is left out.
    ///
    /// Any thread, also once closed. Cost: that of `stats`, and of the text.
    pub fn stats_prometheus(&self) -> String {
        prometheus_text(&self.stats())
    }
}

/// The text of statistics that a caller has at hand.
pub(crate) fn prometheus_text(stats: &Stats) -> String {
    let mut page = Page::default();
    engine(&mut page, stats);
    queues(&mut page, stats);
    searches(&mut page, stats);
    regions(&mut page, stats);
    page.0
}

fn engine(page: &mut Page, stats: &Stats) {
    for (name, help, value) in [
        ("submitted", "Tickets accepted by submit and requeue.", stats.submitted),
        ("refused", "Tickets refused.", stats.refused),
        ("matched_tickets", "Tickets that went into a match.", stats.matched),
        ("matches", "Matches made.", stats.matches),
        (
            "starved",
            "Tickets that timed out and never met a ticket they could have stood with.",
            stats.starved,
        ),
        ("searches_cut_off", "Searches that ended at their node limit.", stats.searches_cut_off),
        ("steps", "Candidates looked at.", stats.steps),
        ("ticks", "Ticks.", stats.ticks),
    ] {
        page.family(&format!("{name}_total"), help, "counter").sample(&[], value);
    }
    let mut ended = page.family("ended_total", "Tickets that ended without a match, by reason.", "counter");
    for (reason, count) in stats.ended_by_reason.iter() {
        ended.sample(&[("reason", reason.word())], count);
    }
    for (name, help, value) in [
        ("waiting_tickets", "Tickets that wait, forming ones included.", stats.waiting),
        ("forming_tickets", "Tickets that wait for members to join.", stats.forming),
        ("unpolled_tickets", "Tickets whose event has not been polled.", stats.unpolled),
        ("capacity_tickets", "Tickets that may live or wait to be polled.", u64::from(stats.capacity)),
        ("retained_tickets_max", "Polled tickets that are kept.", u64::from(stats.retained_max)),
        ("search_nodes_max", "Nodes of one circle of a search.", u64::from(stats.search_nodes)),
        ("retired_slots", "Slots that are used up for good.", u64::from(stats.retired_slots)),
        ("last_tick_steps", "Candidates that the last tick looked at.", stats.steps_per_tick.last),
        ("window_tick_steps_mean", "Mean steps of a tick in the window.", stats.steps_per_tick.mean),
        ("window_tick_steps_p99", "99th percentile of the steps of a tick.", stats.steps_per_tick.p99),
        ("window_ticks", "Ticks in the window.", stats.steps_per_tick.ticks),
    ] {
        page.family(name, help, "gauge").sample(&[], value);
    }
    let help = "Length of the sliding window, in engine time.";
    page.family("window_seconds", help, "gauge").sample(&[], stats.window);
    page.family("time_seconds", "Engine time.", "gauge").sample(&[], stats.now);
}

/// A number of each queue, of each region, of what became of tickets.
type OfQueue = fn(&QueueStats) -> u64;
type OfRegion = fn(&RegionStats) -> u64;
type OfCounts = fn(&Counts) -> u64;

fn queues(page: &mut Page, stats: &Stats) {
    let gauges: [(&str, &str, OfQueue); 3] = [
        ("queue_suspended", "1 while the queue is suspended.", |queue| u64::from(queue.suspended)),
        ("queue_waiting_tickets", "Tickets that wait, forming ones included.", |queue| queue.tickets),
        ("queue_waiting_players", "Players that wait, in tickets that are not forming.", |queue| {
            queue.players
        }),
    ];
    for (name, help, value) in gauges {
        let mut family = page.family(name, help, "gauge");
        stats.queues.iter().for_each(|queue| family.sample(&[("queue", &queue.name)], value(queue)));
    }
    let mut family = page.family("queue_oldest_age_seconds", "Age of the oldest ticket that waits.", "gauge");
    stats.queues.iter().for_each(|queue| family.sample(&[("queue", &queue.name)], queue.oldest_age));
    let rows = stats.queues.iter().map(|queue| Labelled {
        labels: vec![("queue", &*queue.name)],
        total: &queue.activity.total,
        window: &queue.activity.window,
    });
    activity(page, "queue", &rows.collect::<Vec<_>>());
    let mut family = page.family(
        "queue_wait_seconds",
        "Waits of all matched tickets, from the first submit to the match.",
        "histogram",
    );
    for queue in &stats.queues {
        let mut passed = 0;
        for (class, count) in queue.activity.wait_classes.iter().enumerate() {
            passed += count;
            let bound = WAIT_CLASSES_S.get(class).map_or("+Inf".to_owned(), u64::to_string);
            family.part("_bucket", &[("queue", &*queue.name), ("le", &bound)], passed);
        }
        family.part("_sum", &[("queue", &*queue.name)], queue.activity.waited);
        family.part("_count", &[("queue", &*queue.name)], passed);
    }
}

fn searches(page: &mut Page, stats: &Stats) {
    let help = "Sampled pairs in the window that a rule was the first to keep apart.";
    let mut family = page.family("queue_window_excluded_pairs", help, "gauge");
    for queue in &stats.queues {
        for (rule, count) in &queue.activity.excluded {
            family.sample(&[("queue", &*queue.name), ("rule", rule)], *count);
        }
    }
    let numbers: [(&str, &str, &str, OfQueue); 6] = [
        ("queue_window_pairs", "Pairs of tickets sampled in the window.", "gauge", |queue| {
            queue.activity.pairs
        }),
        (
            "queue_window_excluded_pairs_by_limits",
            "Sampled pairs in the window that a ticket's own limits kept apart.",
            "gauge",
            |queue| queue.activity.excluded_by_limits,
        ),
        (
            "queue_window_searches_cut_off",
            "Searches in the window that ended at their node limit.",
            "gauge",
            |queue| queue.activity.searches_cut_off,
        ),
        ("queue_window_steps", "Candidates looked at in the window.", "gauge", |queue| queue.activity.steps),
        (
            "queue_tree_rebuilds_total",
            "Trees built for the index; always 0 for the sorted column.",
            "counter",
            |queue| queue.activity.tree_rebuilds,
        ),
        ("queue_tree_overlay", "Points that the trees do not hold yet.", "gauge", |queue| {
            queue.activity.tree_overlay
        }),
    ];
    for (name, help, kind, value) in numbers {
        let mut family = page.family(name, help, kind);
        stats.queues.iter().for_each(|queue| family.sample(&[("queue", &queue.name)], value(queue)));
    }
}

fn regions(page: &mut Page, stats: &Stats) {
    let all =
        || stats.queues.iter().flat_map(|queue| queue.by_region.iter().map(move |region| (queue, region)));
    let gauges: [(&str, &str, OfRegion); 2] = [
        ("region_waiting_tickets", "Tickets that are acceptable in the region now.", |region| region.tickets),
        ("region_waiting_players", "Their players.", |region| region.players),
    ];
    for (name, help, value) in gauges {
        let mut family = page.family(name, help, "gauge");
        all().for_each(|(queue, region)| {
            family.sample(&[("queue", &*queue.name), ("region", &region.name)], value(region));
        });
    }
    let help = "Age of the oldest ticket that is acceptable in the region now.";
    let mut family = page.family("region_oldest_age_seconds", help, "gauge");
    all().for_each(|(queue, region)| {
        family.sample(&[("queue", &*queue.name), ("region", &region.name)], region.oldest_age);
    });
    let rows = all().map(|(queue, region)| Labelled {
        labels: vec![("queue", &*queue.name), ("region", &*region.name)],
        total: &region.total,
        window: &region.window,
    });
    activity(page, "region", &rows.collect::<Vec<_>>());
}

/// What became of the tickets of one queue or region.
struct Labelled<'a> {
    labels: Vec<(&'static str, &'a str)>,
    total: &'a Counts,
    window: &'a WindowStats,
}

/// The families that queues and regions both have; `of` is part of their names.
fn activity(page: &mut Page, of: &str, rows: &[Labelled<'_>]) {
    let counts: [(&str, &str, OfCounts); 4] = [
        ("matches", "Matches made.", |counts| counts.matches),
        ("matched_tickets", "Tickets that went into a match.", |counts| counts.matched_tickets),
        ("matched_players", "Players that went into a match.", |counts| counts.matched_players),
        ("starved", "Tickets that timed out and never met one they could have stood with.", |counts| {
            counts.starved
        }),
    ];
    for (name, help, value) in counts {
        let mut family = page.family(&format!("{of}_{name}_total"), help, "counter");
        rows.iter().for_each(|row| family.sample(&row.labels, value(row.total)));
    }
    for (name, help, value) in counts {
        let mut family =
            page.family(&format!("{of}_window_{name}"), &format!("{help} In the window."), "gauge");
        rows.iter().for_each(|row| family.sample(&row.labels, value(&row.window.counts)));
    }
    let help = "Tickets that ended without a match, by reason.";
    let by_reason = |family: &mut Family<'_>, row: &Labelled<'_>, counts: &Counts| {
        for reason in EndReason::ALL {
            let labels = row.labels.iter().copied().chain([("reason", reason.word())]);
            family.sample(&labels.collect::<Vec<_>>(), counts.ended.of(*reason));
        }
    };
    let mut family = page.family(&format!("{of}_ended_total"), help, "counter");
    rows.iter().for_each(|row| by_reason(&mut family, row, row.total));
    let mut family = page.family(&format!("{of}_window_ended"), &format!("{help} In the window."), "gauge");
    rows.iter().for_each(|row| by_reason(&mut family, row, &row.window.counts));
    let help = "Percentiles of the waits of the tickets matched in the window.";
    let mut family = page.family(&format!("{of}_window_wait_seconds"), help, "gauge");
    for row in rows {
        let wait = &row.window.wait;
        for (quantile, value) in [("0.5", wait.p50), ("0.9", wait.p90), ("0.99", wait.p99)] {
            let labels = row.labels.iter().copied().chain([("quantile", quantile)]);
            value.into_iter().for_each(|value| family.sample(&labels.clone().collect::<Vec<_>>(), value));
        }
    }
    let help = "Mean wait of the tickets matched in the window.";
    let mut family = page.family(&format!("{of}_window_wait_mean_seconds"), help, "gauge");
    for row in rows {
        row.window.wait.mean.into_iter().for_each(|mean| family.sample(&row.labels, mean));
    }
    let help = "Tickets that the percentiles and the mean of waits rest on.";
    let mut family = page.family(&format!("{of}_window_wait_samples"), help, "gauge");
    rows.iter().for_each(|row| family.sample(&row.labels, row.window.wait.samples));
}

/// The text so far. Writing to a string cannot fail.
#[derive(Default)]
struct Page(String);

impl Page {
    /// Begins a family of samples.
    fn family(&mut self, name: &str, help: &str, kind: &str) -> Family<'_> {
        let name = format!("evenmatch_{name}");
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
        Family { out: &mut self.0, name }
    }
}

/// The samples of one name.
struct Family<'a> {
    out: &'a mut String,
    name: String,
}

impl Family<'_> {
    fn sample(&mut self, labels: &[(&str, &str)], value: impl Value) {
        self.part("", labels, value);
    }

    /// A sample of a histogram, whose name goes on.
    fn part(&mut self, suffix: &str, labels: &[(&str, &str)], value: impl Value) {
        let _ = write!(self.out, "{}{suffix}", self.name);
        for (at, (name, text)) in labels.iter().enumerate() {
            let _ = write!(self.out, "{}{name}=\"{}\"", if at == 0 { "{" } else { "," }, escaped(text));
        }
        self.out.push_str(if labels.is_empty() { " " } else { "} " });
        self.out.push_str(&value.text());
        self.out.push('\n');
    }
}

/// A label's text: a backslash, a quote and a line feed are escaped, all else stands as it is.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

/// A number as it is written: counts as they are, times in seconds.
trait Value {
    fn text(&self) -> String;
}

impl Value for u64 {
    fn text(&self) -> String {
        self.to_string()
    }
}

impl Value for Millis {
    fn text(&self) -> String {
        self.to_string()
    }
}
