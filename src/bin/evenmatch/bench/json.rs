//! A run for programs: one JSON object, which `--compare` reads again.
//!
//! Used by `mod`. Invariant: every figure that the tables show is in it.

use super::machine::Machine;
use super::pass::{CALLS, Settings};
use super::row::{FIGURES, Row};
use crate::report::number;
use evenmatch::config::write::JsonWriter;

/// The run on one line, without a line feed.
pub(super) fn json(machine: &Machine, rows: &[Row], settings: &Settings) -> String {
    let mut out = JsonWriter::compact();
    out.begin_object();
    out.key("machine");
    out.begin_object();
    out.string_at("cpu", &machine.cpu);
    out.number_at("cpus", machine.cpus);
    out.string_at("system", &machine.system);
    out.string_at("version", machine.version);
    match machine.commit {
        Some(commit) => out.string_at("commit", commit),
        None => {
            out.key("commit");
            out.null();
        }
    }
    out.string_at("build", machine.build);
    out.end_object();
    out.number_at("seed", settings.seed);
    out.number_at("threads", settings.threads);
    out.number_at("hosts", settings.hosts);
    out.string_at("door", settings.door.word());
    out.string_at("index", settings.index);
    out.number_at("retained", settings.retained);
    out.key("rows");
    out.begin_array();
    for row in rows {
        write_row(&mut out, row);
    }
    out.end_array();
    out.end_object();
    out.finish()
}

fn write_row(out: &mut JsonWriter, row: &Row) {
    let (plan, pass) = (&row.plan, &row.pass);
    out.begin_object();
    out.string_at("name", &plan.name);
    out.string_at("about", &plan.about);
    out.key("is_full");
    out.bool(plan.is_full);
    out.number_at("waiting", plan.standing.1);
    out.number_at("per_tick", plan.per_tick);
    out.number_at("ticks", pass.rounds);
    out.key("complete");
    out.bool(pass.is_complete);
    out.key("hash");
    match pass.digest {
        Some(digest) => out.string(&format!("{digest:016x}")),
        None => out.null(),
    }
    out.number_at("tickets", pass.tickets);
    out.number_at("cancelled", pass.cancelled);
    out.number_at("matched", pass.matched);
    out.number_at("matched_of_sent", pass.matched_of_sent());
    out.number_at("matches", pass.matches);
    out.number_at("steps", pass.steps);
    out.number_at("waiting_end", pass.waiting_end);
    out.key("offered_per_s");
    number(out, row.offered.as_ref().map(|offered| offered.0));
    out.key("behind_periods");
    number(out, row.offered.as_ref().map(|offered| offered.1.behind));
    out.key("elsewhere_share");
    number(out, Some(row.elsewhere_share()));
    for (key, _, figure) in FIGURES {
        out.key(key);
        number(out, figure(row));
    }
    out.key("allocations_by_call");
    match row.allocations_by_call() {
        Some(calls) => {
            out.begin_object();
            for (key, value) in CALLS.iter().zip(calls) {
                out.key(key);
                number(out, Some(value));
            }
            out.end_object();
        }
        None => out.null(),
    }
    out.end_object();
}
