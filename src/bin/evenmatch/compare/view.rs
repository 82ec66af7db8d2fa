//! The comparison for people: two tables, in the terminal and on the page.
//!
//! Used by `compare`. For each group of tickets a row for A, one for B and one for the difference; with variants
//! also their mean and deviation. Invariant: a function of the comparison alone.

use super::Comparison;
use super::difference::{Compared, difference};
use super::evening::counted;
use super::outcome::{METRIC_LIST, METRICS, METRICS_OF_TIME, Values};
use super::variants::SHIFT_MS_MAX;
use crate::shares::short;
use crate::tables::{Grid, GridRow};
use std::ops::Range;

/// The comparison as text, with a line feed at its end.
pub(super) fn text(comparison: &Comparison<'_>) -> String {
    let mut out: String = facts(comparison).iter().map(|line| format!("{line}\n")).collect();
    for grid in grids(comparison) {
        out.push_str(&format!("\n{}\n{}", grid.caption, grid.text()));
    }
    out
}

/// What was compared, and how it is to be read.
pub(super) fn facts(comparison: &Comparison<'_>) -> Vec<String> {
    let evening = comparison.evening;
    let mut facts: Vec<String> = ["A", "B"]
        .iter()
        .zip(&comparison.sides)
        .map(|(letter, side)| format!("{letter}: queue {:?} of {}", side.queue, side.path))
        .collect();
    let renamed = comparison.sides.iter().zip(["A", "B"]).filter(|(side, _)| side.queue != evening.queue);
    let renamed: Vec<&str> = renamed.map(|(_, letter)| letter).collect();
    let other_name = match renamed.as_slice() {
        [] => String::new(),
        [one] => format!(" ({one} has another name and gets them all the same)"),
        _ => " (A and B have other names and get them all the same)".to_owned(),
    };
    facts.push(format!(
        "{}: {} of queue {:?} to A and to B{other_name}",
        comparison.trace,
        counted(evening.tickets, "ticket"),
        evening.queue
    ));
    if let Some(skill) = &comparison.cohorts.skill {
        facts.push(format!(
            "skill bands are tenths of the tickets by {skill:?}; who stands on a band's border is in it"
        ));
    }
    if comparison.seeds > 0 {
        facts.push(format!(
            "{}: every ticket comes up to {} s earlier or later, by seeds 1 to {}",
            counted(comparison.seeds as usize, "variant"),
            comparison.shift_ms.div_ceil(1000),
            comparison.seeds
        ));
        if comparison.shift_ms < SHIFT_MS_MAX / 5 {
            facts.push("the trace is so short that its variants are nearly the trace itself".to_owned());
        }
    }
    if comparison.seeds > 1 {
        facts.push(format!(
            "a mean with * has the same sign in all variants; a difference of pure chance does once in {}, so \
             among many some will",
            1_u128 << (comparison.seeds - 1).min(100)
        ));
    }
    facts.extend(comparison.cohorts.notes.iter().chain(&evening.notes).cloned());
    facts
}

/// Who gets a match and when, and which match it is.
pub(super) fn grids(comparison: &Comparison<'_>) -> [Grid; 2] {
    [
        grid(comparison, "Who gets a match, and when", 0..METRICS_OF_TIME),
        grid(comparison, "Which match it is, for each ticket that gets one", METRICS_OF_TIME..METRICS),
    ]
}

fn grid(comparison: &Comparison<'_>, caption: &str, metrics: Range<usize>) -> Grid {
    let mut header = vec!["tickets".to_owned(), String::new()];
    header.extend(METRIC_LIST[metrics.clone()].iter().map(|metric| metric.title.to_owned()));
    let right = 2..=header.len() - 1;
    let mut rows = Vec::new();
    for (cohort, compared) in comparison.cohorts.list.iter().zip(&comparison.compared) {
        // The group stands in front of its first rows, one line of it in each.
        let mut titles = cohort.title.split('\n').map(str::to_owned).collect::<Vec<String>>();
        titles.push(counted(cohort.tickets.len(), "ticket"));
        let mut titles = titles.into_iter();
        let group = group_rows(comparison, compared, &metrics);
        for (place, (name, cells, is_strong)) in group.into_iter().enumerate() {
            let mut all = vec![titles.next().unwrap_or_default(), name];
            all.extend(cells);
            rows.push(GridRow { cells: all, is_strong, is_first: place == 0 });
        }
    }
    Grid { caption: caption.to_owned(), header, rows, right }
}

/// The rows of one group: name, cells, whether it is the difference.
fn group_rows(
    comparison: &Comparison<'_>,
    compared: &Compared,
    metrics: &Range<usize>,
) -> Vec<(String, Vec<String>, bool)> {
    let plain = |values: &Values| -> Vec<String> {
        values[metrics.clone()].iter().map(|value| value.map_or("-".to_owned(), short)).collect()
    };
    let signed_all = difference(&compared.sides)[metrics.clone()]
        .iter()
        .map(|value| value.map_or("-".to_owned(), signed))
        .collect();
    let mut rows = vec![
        ("A".to_owned(), plain(&compared.sides[0]), false),
        ("B".to_owned(), plain(&compared.sides[1]), false),
        ("B - A".to_owned(), signed_all, true),
    ];
    if comparison.seeds > 0 {
        let spread = &compared.spread[metrics.clone()];
        let mean = spread.iter().map(|spread| match spread {
            Some(spread) if spread.has_one_sign() && spread.count > 1 => format!("{}*", signed(spread.mean)),
            Some(spread) => signed(spread.mean),
            None => "-".to_owned(),
        });
        rows.push((format!("mean of {}", comparison.seeds), mean.collect(), true));
        let deviation = spread.iter().map(|spread| {
            spread.and_then(|spread| spread.deviation).map_or("-".to_owned(), |it| format!("± {}", short(it)))
        });
        rows.push(("deviation".to_owned(), deviation.collect(), false));
    }
    rows
}

/// With its sign, two digits behind the point at most; what rounds to 0 has none.
fn signed(value: f64) -> String {
    match short(value).as_str() {
        "0" | "-0" => "0".to_owned(),
        text if value > 0.0 => format!("+{text}"),
        text => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::signed;

    #[test]
    fn differences_have_a_sign() {
        for (value, text) in [(0.0, "0"), (-0.001, "0"), (0.001, "0"), (2.5, "+2.5"), (-2.0, "-2")] {
            assert_eq!(signed(value), text);
        }
    }
}
