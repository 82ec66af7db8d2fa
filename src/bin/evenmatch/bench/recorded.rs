//! A run that was recorded with `--json`, and how this one compares to it.
//!
//! Used by `mod` and `view`. Invariant: only rows of one name and the same sizes are compared, and a ratio says how much
//! better this run is: above 1 is better, whichever way the figure goes.

use super::row::{Better, FIGURES, Row};
use crate::failure::Failure;
use evenmatch::config::{Leaf, read_leaves};
use std::collections::BTreeMap;
use std::fs;

/// Values by their key.
type Values = BTreeMap<String, Leaf>;

/// A recorded run.
pub(super) struct Recorded {
    /// Where it was measured: processor, commit and build.
    pub(super) machine: String,
    rows: BTreeMap<String, Values>,
}

/// A row against its record.
pub(super) struct Ratios {
    /// One for each figure that both have: its key, then, now, and how much better it is.
    pub(super) list: Vec<(&'static str, f64, f64, f64)>,
    /// Whether the output is the same; `None`: not known.
    pub(super) is_same: Option<bool>,
}

impl Recorded {
    /// Reads a file.
    pub(super) fn read(path: &str) -> Result<Recorded, Failure> {
        let bytes = fs::read(path).map_err(|error| Failure::unreadable(path, &error))?;
        Recorded::of(path, &bytes)
    }

    fn of(path: &str, bytes: &[u8]) -> Result<Recorded, Failure> {
        let leaves = read_leaves(bytes).map_err(|errors| {
            let lines: Vec<String> =
                errors.into_iter().map(|error| error.in_file(path).to_string()).collect();
            Failure::input(lines.join("\n"))
        })?;
        let mut rows: BTreeMap<u32, Values> = BTreeMap::new();
        let mut values = Values::new();
        for (place, leaf) in leaves {
            match place.strip_prefix("rows[").and_then(|rest| rest.split_once("].")) {
                Some((index, key)) => {
                    rows.entry(index.parse().unwrap_or(u32::MAX)).or_default().insert(key.to_owned(), leaf);
                }
                None => {
                    values.insert(place, leaf);
                }
            }
        }
        let named = rows.into_values().filter_map(|row| Some((text(&row, "name")?.to_owned(), row)));
        let rows: BTreeMap<String, Values> = named.collect();
        if rows.is_empty() {
            return Err(Failure::input(format!(
                "{path} holds no rows; give a file that `evenmatch bench --json` has written"
            )));
        }
        let part = |key: &str| text(&values, key).unwrap_or("unknown").to_owned();
        let machine = format!(
            "{}, commit {}, {} build",
            part("machine.cpu"),
            part("machine.commit"),
            part("machine.build")
        );
        Ok(Recorded { machine, rows })
    }

    /// The rate at which a row's tickets were sent, if it is recorded in the same size.
    pub(super) fn rate(&self, name: &str) -> Option<f64> {
        self.rows.get(name).and_then(|row| value(row, "offered_per_s")).filter(|&rate| rate > 0.0)
    }

    /// A row against its record; the error says why they cannot be compared.
    pub(super) fn compare(&self, row: &Row) -> Result<Ratios, String> {
        let then = self.rows.get(&row.plan.name).ok_or("not recorded")?;
        for (key, now) in
            [("waiting", row.plan.standing.1), ("per_tick", row.plan.per_tick), ("ticks", row.pass.rounds)]
        {
            let recorded = value(then, key);
            if recorded != Some(now as f64) {
                let recorded = recorded.map_or("nothing".to_owned(), |recorded| recorded.to_string());
                return Err(format!("other sizes: {key} was {recorded}, is {now}"));
            }
        }
        let list = FIGURES.iter().filter_map(|(key, better, figure)| {
            let (then, now) = (value(then, key)?, figure(row)?);
            let ratio = match better {
                Better::More => now / then,
                Better::Less => then / now,
            };
            Some((*key, then, now, if then == now { 1.0 } else { ratio }))
        });
        let hash = row.pass.digest.map(|digest| format!("{digest:016x}"));
        let is_same = text(then, "hash").zip(hash).map(|(then, now)| then == now);
        Ok(Ratios { list: list.collect(), is_same })
    }
}

fn text<'v>(values: &'v Values, key: &str) -> Option<&'v str> {
    match values.get(key) {
        Some(Leaf::String(text)) => Some(text),
        _ => None,
    }
}

fn value(values: &Values, key: &str) -> Option<f64> {
    match values.get(key) {
        Some(Leaf::Number(text)) => text.parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_or_explained() {
        let text = r#"{"machine":{"cpu":"C","commit":null,"build":"release"},
            "rows":[{"name":"duel/4","offered_per_s":1000.5,"hash":"00"},{"name":"idle","offered_per_s":null}]}"#;
        let read = Recorded::of("run.json", text.as_bytes()).ok().unwrap();
        assert_eq!(read.machine, "C, commit unknown, release build");
        assert_eq!((read.rate("duel/4"), read.rate("idle"), read.rate("no")), (Some(1000.5), None, None));
        let error = |text: &str| Recorded::of("run.json", text.as_bytes()).err().unwrap().to_string();
        assert!(error("{}").contains("run.json holds no rows"));
        assert!(error("{\"rows\":[").starts_with("run.json:1:"));
    }
}
