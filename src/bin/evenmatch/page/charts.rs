//! The numbers that the page's charts show, as JSON for the script that draws them.
//!
//! Used by `page`. Everything is counted and thinned here, so a page stays small however long the trace was,
//! and the script only draws. Invariant: the same observations give the same bytes; a chart that has nothing to
//! show is left out.

use super::observed::{Observed, Point};
use crate::measure::round_width;
use crate::report::number;
use crate::shares::short;
use evenmatch::config::write::JsonWriter;

/// One chart: what stands around it, and its numbers.
pub(super) struct Chart {
    /// What it shows.
    pub(super) title: &'static str,
    /// How it is to be read.
    pub(super) note: String,
    /// A JSON object.
    pub(super) json: String,
}

/// Bars of the waiting times; enough for a shape, few enough for a narrow screen.
const BARS: usize = 24;
/// Points of one replay in a cloud. More hide each other, and make the page heavy.
const POINTS_MAX: usize = 1000;
/// Medians along a cloud, and how many points each needs to mean anything.
const TREND_STEPS: usize = 20;
const TREND_POINTS_MIN: usize = 5;
/// Steps of the matches by time; a longer trace is counted by more minutes than one.
const STEPS_MAX: u64 = 600;
/// What those counts may be taken over, in minutes; after the last one, by whole days.
const STEP_MINUTES: [u64; 8] = [1, 2, 5, 10, 15, 30, 60, 240];

/// The charts that have something to show.
pub(super) fn charts(series: &[Observed]) -> Vec<Chart> {
    let spread = cloud(
        series,
        "Skill spread against wait",
        "skill spread",
        "A dot is a match: the wait of its oldest ticket, and the greatest minus the least value in it",
        |observed| &observed.spread_by_wait,
    );
    let ping = cloud(
        series,
        "Ping against wait",
        "ping (ms)",
        "A dot is a ticket: its wait, and its round trip to the region of its match",
        |observed| &observed.ping_by_wait,
    );
    [waits(series), spread, ping, by_minute(series)].into_iter().flatten().collect()
}

/// How long matched tickets waited, as shares of all tickets.
fn waits(series: &[Observed]) -> Option<Chart> {
    let most = series.iter().filter_map(|observed| observed.wait_s.percentile(99.0)).reduce(f64::max)?;
    let width = round_width(most / BARS as f64);
    let bars = ((most / width).floor() as usize + 1).min(BARS);
    let mut out = begin("bars", "seconds waited", "% of tickets");
    numbers(&mut out, "x", (0..bars).map(|bar| (bar as f64 + 0.5) * width));
    out.key("width");
    number(&mut out, Some(width));
    out.key("series");
    out.begin_array();
    for observed in series {
        let all = observed.accepted.max(1) as f64;
        let shares = observed.wait_s.counts(width, bars).into_iter().map(|count| 100.0 * count as f64 / all);
        list(&mut out, shares);
    }
    out.end_array();
    let note = format!(
        "Tickets that were matched, by their wait, in steps of {} s; all tickets are 100 %. The last bar holds \
         all longer waits too.",
        short(width)
    );
    Some(Chart { title: "Waiting time", note, json: end(out) })
}

/// One value against the wait: some of the points, and the medians of all of them.
fn cloud(
    series: &[Observed],
    title: &'static str,
    axis: &str,
    note: &str,
    points: impl Fn(&Observed) -> &Vec<Point>,
) -> Option<Chart> {
    let longest = series.iter().flat_map(|observed| points(observed).iter().map(|point| point.wait_s));
    let longest = longest.reduce(f64::max)?;
    let width = round_width(longest / TREND_STEPS as f64);
    let mut out = begin("cloud", "seconds waited", axis);
    let mut is_thinned = false;
    for (key, is_trend) in [("points", false), ("trend", true)] {
        out.key(key);
        out.begin_array();
        for observed in series {
            let all = points(observed);
            is_thinned |= all.len() > POINTS_MAX;
            let shown = if is_trend { trend(all, width) } else { thinned(all) };
            out.begin_array();
            list(&mut out, shown.iter().map(|point| point.wait_s));
            list(&mut out, shown.iter().map(|point| point.value));
            out.end_array();
        }
        out.end_array();
    }
    let thinning = if is_thinned {
        format!(" At most {POINTS_MAX} dots are drawn, evenly chosen.")
    } else {
        String::new()
    };
    let note = format!("{note}. The line is the median in steps of {} s.{thinning}", short(width));
    Some(Chart { title, note, json: end(out) })
}

/// At most [`POINTS_MAX`] points, evenly chosen in the order of the events, by wait.
fn thinned(points: &[Point]) -> Vec<Point> {
    let kept = points.len().min(POINTS_MAX);
    let mut shown: Vec<Point> = (0..kept).map(|n| points[n * points.len() / kept]).collect();
    sort(&mut shown);
    shown
}

/// The median of each step of the wait that has enough points.
fn trend(points: &[Point], width: f64) -> Vec<Point> {
    let mut sorted = points.to_vec();
    sort(&mut sorted);
    let step = |point: &Point| (point.wait_s / width).floor();
    let steps = sorted.chunk_by(|a, b| step(a) == step(b)).filter(|chunk| chunk.len() >= TREND_POINTS_MIN);
    let median = |chunk: &[Point]| {
        let mut values: Vec<f64> = chunk.iter().map(|point| point.value).collect();
        values.sort_by(f64::total_cmp);
        Point { wait_s: (step(&chunk[0]) + 0.5) * width, value: values[values.len() / 2] }
    };
    steps.map(median).collect()
}

fn sort(points: &mut [Point]) {
    points.sort_by(|a, b| a.wait_s.total_cmp(&b.wait_s).then(a.value.total_cmp(&b.value)));
}

/// How many matches were made, minute by minute.
fn by_minute(series: &[Observed]) -> Option<Chart> {
    let last = series.iter().filter_map(|observed| observed.matches_by_minute.keys().next_back()).max()?;
    let minutes = last + 1;
    let fits = |step: &u64| minutes.div_ceil(*step) <= STEPS_MAX;
    let days = || minutes.div_ceil(STEPS_MAX).div_ceil(1440).max(1) * 1440;
    let step = STEP_MINUTES.into_iter().find(fits).unwrap_or_else(days);
    let steps = minutes.div_ceil(step) as usize;
    let axis = if step == 1 { "matches".to_owned() } else { format!("matches in {step} minutes") };
    let mut out = begin("steps", "minutes of the trace", &axis);
    // One more, where the last step ends.
    numbers(&mut out, "x", (0..=steps).map(|n| n as f64 * step as f64));
    out.key("series");
    out.begin_array();
    for observed in series {
        let mut counts = vec![0.0; steps + 1];
        for (minute, &count) in &observed.matches_by_minute {
            counts[(minute / step) as usize] += count as f64;
        }
        list(&mut out, counts.into_iter());
    }
    out.end_array();
    let (title, per) = match step {
        1 => ("Matches by minute", "each minute".to_owned()),
        _ => ("Matches by time", format!("each {step} minutes")),
    };
    Some(Chart { title, note: format!("Matches made in {per} of the trace."), json: end(out) })
}

fn begin(kind: &str, x_axis: &str, y_axis: &str) -> JsonWriter {
    let mut out = JsonWriter::compact();
    out.begin_object();
    out.string_at("kind", kind);
    out.string_at("x_axis", x_axis);
    out.string_at("y_axis", y_axis);
    out
}

fn end(mut out: JsonWriter) -> String {
    out.end_object();
    out.finish()
}

fn numbers(out: &mut JsonWriter, key: &str, values: impl Iterator<Item = f64>) {
    out.key(key);
    list(out, values);
}

/// A list of numbers with three digits behind the point: more than a screen can show.
fn list(out: &mut JsonWriter, values: impl Iterator<Item = f64>) {
    out.begin_array();
    values.for_each(|value| number(out, Some((value * 1000.0).round() / 1000.0)));
    out.end_array();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn observed(waits: &[(u64, f64)]) -> Observed {
        let mut observed = Observed::new("a");
        for &(wait_s, value) in waits {
            observed.accepted += 1;
            observed.wait_s.record(i128::from(wait_s) * 1_000_000, 1);
            observed.ping_by_wait.push(Point { wait_s: wait_s as f64, value });
        }
        observed
    }

    #[test]
    fn nothing_seen_draws_nothing() {
        assert!(charts(&[Observed::new("a"), Observed::new("b")]).is_empty());
    }

    #[test]
    fn bars_are_shares_of_all_tickets() {
        let mut one = observed(&[(0, 1.0), (1, 1.0), (24, 1.0)]);
        one.accepted = 4;
        let chart = waits(&[one]).unwrap();
        assert!(chart.json.contains(r#""width":1,"series":[[25,25,0,"#), "{}", chart.json);
        assert!(chart.json.ends_with(",0,25]]}"), "{}", chart.json);
    }

    #[test]
    fn a_trend_is_the_median_of_all_points_and_a_cloud_is_thinned() {
        let many: Vec<(u64, f64)> = (0..5000).map(|n| (n % 40, (n % 40) as f64 * 2.0)).collect();
        let observed = observed(&many);
        let shown = thinned(&observed.ping_by_wait);
        assert_eq!(shown.len(), POINTS_MAX);
        assert!(shown.iter().all(|point| point.value == point.wait_s * 2.0));
        let trend = trend(&observed.ping_by_wait, 2.0);
        assert_eq!(trend.len(), 20);
        assert_eq!(trend[3], Point { wait_s: 7.0, value: 14.0 });
        assert!(super::trend(&observed.ping_by_wait[..4], 100.0).is_empty(), "four points are no trend");
    }

    #[test]
    fn long_traces_are_counted_by_more_than_a_minute() {
        let mut short_one = Observed::new("a");
        short_one.matches_by_minute = [(0, 3), (2, 1)].into();
        let chart = by_minute(&[short_one]).unwrap();
        assert!(chart.json.contains(r#""x":[0,1,2,3],"series":[[3,0,1,0]]"#), "{}", chart.json);
        let mut long = Observed::new("a");
        long.matches_by_minute = [(0, 3), (1, 2), (1439, 1)].into();
        let chart = by_minute(&[long]).unwrap();
        assert!(chart.json.contains(r#""x":[0,5,10,"#), "{}", chart.json);
        assert!(chart.json.contains(r#""series":[[5,0,"#), "{}", chart.json);
        let mut years = Observed::new("a");
        years.matches_by_minute = [(0, 1), (5_000_000, 1)].into();
        assert_eq!(by_minute(&[years]).unwrap().title, "Matches by time");
    }
}
