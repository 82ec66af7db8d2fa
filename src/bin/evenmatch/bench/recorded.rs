//! A run that was recorded with `--json`, and how this one compares to it.
//!
//! Used by `mod` and `view`. Invariant: only rows of one name and the same sizes are compared, outputs only of the same
//! players, and delays only at one rate; a ratio says how much better this run is: above 1 is better, whichever way the
//! figure goes.

use super::pass::Settings;
use super::plan::Plan;
use super::row::{Better, FIGURES, Row};
use super::schedule::RATES;
use crate::failure::Failure;
use crate::sink;
use evenmatch::config::{Leaf, read_leaves};
use std::collections::BTreeMap;

/// Values by their key.
type Values = BTreeMap<String, Leaf>;

/// A recorded run.
pub(super) struct Recorded {
    /// Where it was measured: processor, commit and build.
    pub(super) machine: String,
    /// Under which settings.
    settings: Values,
    rows: BTreeMap<String, Values>,
}

/// A row against its record.
pub(super) struct Ratios {
    /// One for each figure that both have: its key, then, now, and how much better it is.
    pub(super) list: Vec<(&'static str, f64, f64, f64)>,
    /// Whether the output is the same; `None`: not known.
    pub(super) is_same: Option<bool>,
    /// The rates of then and of now, if they differ: then delays are not in the list.
    pub(super) rates: Option<(f64, f64)>,
}

/// A setting that this run has and the recorded one had not.
pub(super) struct Changed {
    /// What it is called in the record.
    pub(super) key: &'static str,
    pub(super) then: String,
    pub(super) now: String,
    /// Whether another output comes of it: of other players, of calls whose order is a matter of chance, of searches
    /// that come to their limit elsewhere.
    pub(super) is_of_output: bool,
}

impl Recorded {
    /// Reads a file.
    pub(super) fn read(path: &str) -> Result<Recorded, Failure> {
        Recorded::of(path, &sink::read_text(path)?)
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
        let rates = rows.iter().filter_map(|(name, row)| Some((name, value(row, "offered_per_s")?)));
        if let Some((name, rate)) = rates.into_iter().find(|(_, rate)| !RATES.contains(rate)) {
            return Err(Failure::input(format!(
                "{path}: offered_per_s of {name} is {rate:?}, a rate lies between {} and {:e}; record the run again",
                RATES.start(),
                RATES.end()
            )));
        }
        let part = |key: &str| text(&values, key).unwrap_or("unknown").to_owned();
        let machine = format!(
            "{}, commit {}, {} build",
            part("machine.cpu"),
            part("machine.commit"),
            part("machine.build")
        );
        Ok(Recorded { machine, settings: values, rows })
    }

    /// The rate at which a row's tickets were sent, if it is recorded in the same size.
    pub(super) fn rate(&self, plan: &Plan) -> Option<f64> {
        let then = self.rows.get(&plan.name)?;
        same_sizes(then, plan, plan.ticks).ok()?;
        value(then, "offered_per_s")
    }

    /// The settings that are not those of the record. What it does not hold at all is not among them, but for the seed.
    pub(super) fn changed(&self, settings: &Settings) -> Vec<Changed> {
        let now = [
            ("seed", settings.seed.to_string(), true),
            ("threads", settings.threads.to_string(), false),
            ("hosts", settings.hosts.to_string(), true),
            ("door", settings.door.word().to_owned(), false),
            ("index", settings.index.to_owned(), true),
            ("retained", settings.retained.to_string(), false),
        ];
        let changed = now.into_iter().filter_map(|(key, now, is_of_output)| {
            let then = match self.settings.get(key) {
                Some(Leaf::Number(text) | Leaf::String(text)) => text.clone(),
                Some(_) => "nothing".to_owned(),
                None if key == "seed" => "nothing".to_owned(),
                None => return None,
            };
            (then != now).then_some(Changed { key, then, now, is_of_output })
        });
        changed.collect()
    }

    /// A row against its record; the error says why they cannot be compared.
    pub(super) fn compare(&self, row: &Row, settings: &Settings) -> Result<Ratios, String> {
        let then = self.rows.get(&row.plan.name).ok_or("not recorded")?;
        same_sizes(then, &row.plan, row.pass.rounds)?;
        let rates = value(then, "offered_per_s").zip(row.offered.as_ref().map(|offered| offered.0));
        let rates = rates.filter(|(then, now)| then != now);
        let figures = FIGURES.iter().filter(|(key, ..)| rates.is_none() || !key.starts_with("decision_"));
        let list = figures.filter_map(|(key, better, figure)| {
            let (then, now) = (value(then, key)?, figure(row)?);
            let ratio = match better {
                Better::More => now / then,
                Better::Less => then / now,
            };
            Some((*key, then, now, if then == now { 1.0 } else { ratio }))
        });
        let is_of_output = self.changed(settings).iter().any(|changed| changed.is_of_output);
        let hash = row.pass.digest.filter(|_| !is_of_output).map(|digest| format!("{digest:016x}"));
        let is_same = text(then, "hash").zip(hash).map(|(then, now)| then == now);
        Ok(Ratios { list: list.collect(), is_same, rates })
    }
}

/// Refuses a recorded row whose sizes are not those of the plan, of which so many ticks are meant.
fn same_sizes(then: &Values, plan: &Plan, ticks: usize) -> Result<(), String> {
    for (key, now) in [("waiting", plan.standing.1), ("per_tick", plan.per_tick), ("ticks", ticks)] {
        let recorded = value(then, key);
        if recorded != Some(now as f64) {
            let recorded = recorded.map_or("nothing".to_owned(), |recorded| recorded.to_string());
            return Err(format!("other sizes: {key} was {recorded}, is {now}"));
        }
    }
    Ok(())
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
        let rate = |name: &str| value(&read.rows[name], "offered_per_s");
        assert_eq!((rate("duel/4"), rate("idle")), (Some(1000.5), None));
        let error = |text: &str| Recorded::of("run.json", text.as_bytes()).err().unwrap().to_string();
        assert!(error("{}").contains("run.json holds no rows"));
        assert!(error("{\"rows\":[").starts_with("run.json:1:"));
        for rate in ["1e308", "1e-308", "1e-300", "0", "-5", "1e999"] {
            let text = error(&format!(r#"{{"rows":[{{"name":"duel/4","offered_per_s":{rate}}}]}}"#));
            assert!(
                text.contains("offered_per_s of duel/4") && text.contains("between 0.001 and 1e12"),
                "{text}"
            );
        }
    }
}
