//! The comparison for programs: one JSON object.
//!
//! Used by `compare --json`. Invariant: everything that the tables show is in it, with up to six digits behind
//! the point, and no clock: equal input gives equal bytes.

use super::Comparison;
use super::difference::{Compared, Spread, difference};
use super::outcome::{METRIC_LIST, Values};
use crate::report::number;
use evenmatch::config::write::JsonWriter;

/// The comparison on one line, without a line feed.
pub(super) fn json(comparison: &Comparison<'_>) -> String {
    let mut out = JsonWriter::compact();
    out.begin_object();
    for (key, side) in ["a", "b"].iter().zip(&comparison.sides) {
        out.key(key);
        out.begin_object();
        out.string_at("file", side.path);
        out.string_at("queue", &side.queue);
        out.number_at("searches_cut_off", side.searches_cut_off);
        out.end_object();
    }
    out.string_at("trace", comparison.trace);
    out.string_at("queue", &comparison.evening.queue);
    out.number_at("tickets", comparison.evening.tickets);
    out.number_at("seeds", comparison.seeds);
    out.key("shift_s");
    number(&mut out, Some(comparison.shift_ms as f64 / 1000.0));
    out.key("skill");
    match &comparison.cohorts.skill {
        Some(skill) => out.string(skill),
        None => out.null(),
    }
    out.strings_at("notes", comparison.cohorts.notes.iter().chain(&comparison.evening.notes));
    out.key("groups");
    out.begin_array();
    for (cohort, compared) in comparison.cohorts.list.iter().zip(&comparison.compared) {
        out.begin_object();
        out.string_at("kind", cohort.kind.word());
        out.string_at("name", &cohort.name);
        if let Some((least, greatest)) = cohort.skill {
            out.number_at("skill_least", least);
            out.number_at("skill_greatest", greatest);
        }
        out.number_at("tickets", cohort.tickets.len());
        group(&mut out, comparison, compared);
        out.end_object();
    }
    out.end_array();
    out.end_object();
    out.finish()
}

fn group(out: &mut JsonWriter, comparison: &Comparison<'_>, compared: &Compared) {
    let plain = |out: &mut JsonWriter, key: &str, values: &Values| {
        out.key(key);
        metrics(out, |out, metric| number(out, values[metric]));
    };
    plain(out, "a", &compared.sides[0]);
    plain(out, "b", &compared.sides[1]);
    plain(out, "difference", &difference(&compared.sides));
    if comparison.seeds == 0 {
        return;
    }
    out.key("variants");
    metrics(out, |out, metric| match &compared.spread[metric] {
        Some(spread) => moments(out, spread),
        None => out.null(),
    });
}

fn moments(out: &mut JsonWriter, spread: &Spread) {
    out.begin_object();
    out.number_at("count", spread.count);
    for (key, value) in [
        ("mean", Some(spread.mean)),
        ("deviation", spread.deviation),
        ("least", Some(spread.least)),
        ("greatest", Some(spread.greatest)),
    ] {
        out.key(key);
        number(out, value);
    }
    out.key("one_sign");
    out.bool(spread.has_one_sign());
    out.end_object();
}

/// An object with every metric in its place.
fn metrics(out: &mut JsonWriter, mut write: impl FnMut(&mut JsonWriter, usize)) {
    out.begin_object();
    let mut open = "";
    for (place, metric) in METRIC_LIST.iter().enumerate() {
        if metric.object != open {
            if !open.is_empty() {
                out.end_object();
            }
            out.key(metric.object);
            out.begin_object();
            open = metric.object;
        }
        out.key(metric.key);
        write(out, place);
    }
    if !open.is_empty() {
        out.end_object();
    }
    out.end_object();
}
