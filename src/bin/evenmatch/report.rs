//! A summary for people (tables and small pictures) and for programs (one JSON object).
//!
//! Used by `run`, and in parts by `compare` and pages. Invariant: everything that the text shows is in the JSON
//! object too, except the pictures.

use crate::measure::{Bar, Measure};
use crate::shares::short;
use crate::summary::{Matches, Summary};
use crate::tables::{Grid, GridRow};
use evenmatch::config::write::JsonWriter;
use std::fmt::Write;

/// Bars in a picture, and columns of the longest one.
const BARS: usize = 10;
const BAR_COLUMNS: usize = 40;

/// The summary as text, with a line feed at its end.
pub(crate) fn text(summary: &Summary) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_text(&mut out, summary);
    out
}

fn write_text(out: &mut String, summary: &Summary) -> std::fmt::Result {
    let all = &summary.all;
    for line in counts(summary) {
        writeln!(out, "{line}")?;
    }
    let seconds = summary.engine.as_secs_f64();
    let speed =
        summary.tickets_per_engine_second().map_or(String::new(), |rate| format!(", {rate:.0} tickets/s"));
    writeln!(out, "engine    {seconds:.3} s for {} s of traffic{speed}", seconds_of(summary.ended_at_ms))?;
    if all.matches > 0 {
        writeln!(out, "\n{}", region_grid(summary).text())?;
        picture(out, "waiting time (s), in tickets", &all.wait_s)?;
        picture(out, "skill spread, in matches", &all.skill_spread)?;
    }
    Ok(())
}

/// What became of the tickets, one line each; the same for the same output, whatever the machine.
pub(crate) fn counts(summary: &Summary) -> Vec<String> {
    let all = &summary.all;
    let share = percent(all.tickets, summary.tickets);
    let mut lines = vec![
        format!("tickets   {} with {} players{}", summary.tickets, summary.players, requeued(summary)),
        format!("matched   {} ({share}) in {} matches", all.tickets, all.matches),
        format!("waiting   {}", summary.waiting()),
        format!("ended     {}{}", summary.ended_total(), reasons(&summary.ended)),
        format!("refused   {}{}", summary.refused_total(), reasons(&summary.refused)),
    ];
    if summary.searches_cut_off > 0 {
        lines.push(format!("cut off   {} searches ended at their node limit", summary.searches_cut_off));
    }
    lines
}

fn requeued(summary: &Summary) -> String {
    if summary.requeued == 0 { String::new() } else { format!(", {} of them requeued", summary.requeued) }
}

/// `: 3 CANCELLED, 1 TIMED_OUT`, or nothing.
fn reasons<K: std::fmt::Display>(counts: &std::collections::BTreeMap<K, u64>) -> String {
    let list: Vec<String> = counts.iter().map(|(word, count)| format!("{count} {word}")).collect();
    if list.is_empty() { String::new() } else { format!(": {}", list.join(", ")) }
}

fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { "-".to_owned() } else { format!("{:.1} %", 100.0 * part as f64 / whole as f64) }
}

/// One row a region, and one for all together.
pub(crate) fn region_grid(summary: &Summary) -> Grid {
    let regions = summary.by_region.iter().map(|(region, matches)| row(region, matches));
    let titles = [
        "region",
        "matches",
        "tickets",
        "players",
        "wait s\np50 / p95 / p99",
        "skill spread\np50 / p95",
        "team difference\np50 / p95",
        "ping ms\np50 / p95",
    ];
    Grid {
        caption: "By region".to_owned(),
        header: titles.map(str::to_owned).to_vec(),
        rows: regions.chain([row("all", &summary.all)]).map(GridRow::plain).collect(),
        right: 1..=3,
    }
}

fn row(name: &str, matches: &Matches) -> Vec<String> {
    vec![
        name.to_owned(),
        matches.matches.to_string(),
        matches.tickets.to_string(),
        matches.players.to_string(),
        percentiles(&matches.wait_s, &[50.0, 95.0, 99.0]),
        percentiles(&matches.skill_spread, &[50.0, 95.0]),
        percentiles(&matches.team_difference, &[50.0, 95.0]),
        percentiles(&matches.ping_ms, &[50.0, 95.0]),
    ]
}

fn percentiles(measure: &Measure, percents: &[f64]) -> String {
    let numbers = percents.iter().map(|&percent| measure.percentile(percent).map_or("-".to_owned(), short));
    if measure.count() == 0 { "-".to_owned() } else { numbers.collect::<Vec<String>>().join(" / ") }
}

/// A histogram of horizontal bars.
fn picture(out: &mut String, title: &str, measure: &Measure) -> std::fmt::Result {
    let bars = measure.bars(BARS);
    let most = bars.iter().map(|bar| bar.count).max().unwrap_or(0);
    if most == 0 {
        return Ok(());
    }
    writeln!(out, "{title}")?;
    let label = |bar: &Bar, last: bool| {
        if last {
            format!("{} and up", short(bar.from))
        } else {
            format!("{} - {}", short(bar.from), short(bar.to))
        }
    };
    let labels: Vec<String> =
        bars.iter().enumerate().map(|(n, bar)| label(bar, n + 1 == bars.len())).collect();
    let width = labels.iter().map(String::len).max().unwrap_or(0);
    for (label, bar) in labels.iter().zip(&bars) {
        writeln!(out, "  {label:>width$} {} {}", drawn(bar.count, most), bar.count)?;
    }
    writeln!(out)
}

/// A bar, in eighths of a column.
fn drawn(count: u64, most: u64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (count as u128 * (BAR_COLUMNS as u128 * 8)).div_ceil(most.max(1) as u128) as usize;
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

fn seconds_of(ms: u64) -> String {
    evenmatch::model::ids::Millis(ms).to_string()
}

/// The summary as one JSON object on one line, without a line feed.
pub(crate) fn json(summary: &Summary) -> String {
    let mut out = JsonWriter::compact();
    out.begin_object();
    let all = &summary.all;
    for (key, count) in [
        ("tickets", summary.tickets),
        ("players", summary.players),
        ("requeued", summary.requeued),
        ("matched_tickets", all.tickets),
        ("matched_players", all.players),
        ("matches", all.matches),
        ("waiting", summary.waiting()),
        ("ended", summary.ended_total()),
        ("refused", summary.refused_total()),
        ("searches_cut_off", summary.searches_cut_off),
        ("starved", summary.starved),
    ] {
        count_field(&mut out, key, count);
    }
    out.key("ended_by_reason");
    out.begin_object();
    summary.ended.iter().for_each(|(reason, &count)| count_field(&mut out, reason.word(), count));
    out.end_object();
    out.key("refused_by_code");
    out.begin_object();
    summary.refused.iter().for_each(|(code, &count)| count_field(&mut out, code.word(), count));
    out.end_object();
    measures(&mut out, all);
    out.key("engine_seconds");
    number(&mut out, Some(summary.engine.as_secs_f64()));
    out.key("tickets_per_engine_second");
    number(&mut out, summary.tickets_per_engine_second().map(f64::round));
    out.key("trace_seconds");
    out.raw(&seconds_of(summary.ended_at_ms));
    out.key("regions");
    out.begin_object();
    for (region, matches) in &summary.by_region {
        out.key(region);
        out.begin_object();
        count_field(&mut out, "matches", matches.matches);
        count_field(&mut out, "tickets", matches.tickets);
        count_field(&mut out, "players", matches.players);
        measures(&mut out, matches);
        out.end_object();
    }
    out.end_object();
    out.end_object();
    out.finish()
}

/// The four measures; a percentile of nothing is null.
fn measures(out: &mut JsonWriter, matches: &Matches) {
    let percentile_fields =
        |out: &mut JsonWriter, key: &str, measure: &Measure, percents: &[u32], max: bool| {
            out.key(key);
            out.begin_object();
            for &percent in percents {
                out.key(&format!("p{percent}"));
                number(out, measure.percentile(f64::from(percent)));
            }
            if max {
                out.key("max");
                number(out, measure.max());
            }
            out.end_object();
        };
    percentile_fields(out, "wait_s", &matches.wait_s, &[50, 95, 99], true);
    percentile_fields(out, "skill_spread", &matches.skill_spread, &[50, 95], false);
    percentile_fields(out, "team_difference", &matches.team_difference, &[50, 95], false);
    percentile_fields(out, "ping_ms", &matches.ping_ms, &[50, 95], false);
}

fn count_field(out: &mut JsonWriter, key: &str, count: u64) {
    out.key(key);
    out.raw(&count.to_string());
}

/// At most six digits behind the point.
pub(crate) fn number(out: &mut JsonWriter, value: Option<f64>) {
    match value {
        Some(value) => {
            let text = format!("{value:.6}");
            let shortest = text.trim_end_matches('0').trim_end_matches('.');
            out.raw(if shortest == "-0" { "0" } else { shortest });
        }
        None => out.null(),
    }
}
