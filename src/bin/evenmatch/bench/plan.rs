//! What is run: each scenario's rows, and how large they are.
//!
//! Used by `mod`. A scenario has one row for each of its variants; a row is one engine, a crowd that waits from the
//! start, and one that flows. Invariant: sizes that the command line gives hold for all rows asked for that have such, and
//! it is said which have not; else a row has its small size, or with `--full` that of its bar.

use super::crowd::{APART_MAX, Kind};
use super::queue_text::QueueKind;
use super::{BenchArguments, ScenarioName, SelectionName};
use crate::failure::Failure;
use clap::ValueEnum;
use evenmatch::model::limits::SLOTS_MAX;

/// One row to run.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// `duel/4/oldest_first`: the scenario and its variant.
    pub(super) name: String,
    /// What it is, for people.
    pub(super) about: String,
    /// The queue file.
    pub(super) queue: String,
    pub(super) regions: usize,
    /// Who waits from the start, and how many.
    pub(super) standing: (Kind, usize),
    /// Who flows.
    pub(super) flow: Kind,
    /// Tickets that come before each tick.
    pub(super) per_tick: usize,
    /// Ticks that are measured.
    pub(super) ticks: usize,
    /// Ticks before them.
    pub(super) warm_ticks: usize,
    /// Every so many tickets one is cancelled before the tick that would take it in; 0: none.
    pub(super) cancel_every: usize,
    /// Slots of the engine beyond those that the load needs at most.
    pub(super) spare: usize,
    /// Ended tickets that the engine keeps.
    pub(super) retained: usize,
    /// Whether sizes are those of the bars.
    pub(super) is_full: bool,
}

/// Engine time from tick to tick.
pub(super) const TICK_MS: u64 = 100;

impl Plan {
    /// The greatest number of tickets that may wait at once.
    pub(super) fn capacity(&self) -> usize {
        self.standing.1 + self.per_tick * (self.ticks + self.warm_ticks) + self.spare
    }

    /// Whether a round is so short that asking the system who else ran would be most of it.
    pub(super) fn is_fine(&self) -> bool {
        self.per_tick == 1
    }
}

/// The sizes of a row: small ones, and those of the bars.
#[derive(Clone, Copy)]
struct Sizes {
    waiting: usize,
    per_tick: usize,
    ticks: usize,
}

const fn sizes(waiting: usize, per_tick: usize, ticks: usize) -> Sizes {
    Sizes { waiting, per_tick, ticks }
}

/// The rows of a scenario.
pub(super) fn rows(scenario: ScenarioName, arguments: &BenchArguments) -> Result<Vec<Plan>, Failure> {
    let row = |variant: &str, kind: QueueKind, flow: Kind, small: Sizes, full: Sizes| {
        plan(scenario, variant, kind, flow, if arguments.full { full } else { small }, arguments)
    };
    let selections = selections(arguments.selection);
    let mut rows = Vec::new();
    match scenario {
        ScenarioName::Duel => {
            for regions in [4, 16] {
                for selection in &selections {
                    let variant = format!("{regions}/{selection}");
                    let (small, full) = (sizes(0, 1_000, 40), sizes(0, 10_000, 100));
                    let mut row = row(&variant, QueueKind::Duel, Kind::Singles, small, full);
                    row.regions = regions;
                    row.about = format!("1v1, hybrid, {regions} regions");
                    rows.push(row);
                }
            }
        }
        ScenarioName::Squads => {
            for selection in &selections {
                let (small, full) = (sizes(0, 500, 20), sizes(0, 10_000, 40));
                let mut row = row(selection, QueueKind::Squads, Kind::Parties, small, full);
                row.about = "5v5, parties of 1 to 5, even teams, 4 regions".into();
                rows.push(row);
            }
        }
        ScenarioName::Royale => {
            let mut row =
                row("60-100", QueueKind::Royale, Kind::Singles, sizes(0, 2_000, 10), sizes(0, 10_000, 30));
            row.about = "60 to 100 players, 4 regions".into();
            rows.push(row);
        }
        ScenarioName::Roles => {
            for selection in &selections {
                let (small, full) = (sizes(0, 500, 20), sizes(0, 10_000, 40));
                let mut row = row(selection, QueueKind::Roles, Kind::Roles, small, full);
                row.about = "5v5, a tank, a healer and three for damage in each team, 4 regions".into();
                rows.push(row);
            }
        }
        ScenarioName::Standing => {
            let (small, full) = (sizes(5_000, 500, 20), sizes(1_000_000, 10_000, 100));
            for (variant, kind, standing, flow, about) in [
                (
                    "odd-modes",
                    QueueKind::ModeDuel,
                    Kind::OddModes,
                    Kind::Modes,
                    "1v1; each waits for a mode of its own",
                ),
                (
                    "healers",
                    QueueKind::Roles,
                    Kind::Healers,
                    Kind::Roles,
                    "5v5 with roles; all that wait are healers",
                ),
                ("apart", QueueKind::Duel, Kind::Apart, Kind::Singles, "1v1; skills beyond every window"),
            ] {
                let mut row = row(variant, kind, flow, small, full);
                row.standing.0 = standing;
                row.about = format!("{about}; a flow beside them, 4 regions");
                rows.push(row);
            }
        }
        ScenarioName::Idle => {
            let (small, full) = (sizes(10_000, 0, 200), sizes(1_000_000, 0, 1_000));
            let mut row = row("1v1", QueueKind::Duel, Kind::Singles, small, full);
            row.per_tick = 0;
            row.about = "ticks without input over 1v1 tickets beyond every window".into();
            rows.push(row);
        }
        ScenarioName::Flood => {
            for (variant, flow, about) in [
                ("random", Kind::Singles, "1v1, one tick takes all: as in duel"),
                ("equal", Kind::Equals, "1v1, one tick takes all: the same skill and pings for all"),
            ] {
                let mut row = row(variant, QueueKind::Duel, flow, sizes(0, 5_000, 1), sizes(0, 100_000, 1));
                (row.warm_ticks, row.cancel_every) = (0, 0);
                row.ticks = row.ticks.min(1);
                row.about = about.into();
                rows.push(row);
            }
        }
        ScenarioName::Arrival => {
            let (small, full) = (sizes(10_000, 1, 4_000), sizes(100_000, 1, 200_000));
            let mut row = row("1v1", QueueKind::Duel, Kind::Singles, small, full);
            (row.per_tick, row.cancel_every, row.flow) = (1, 0, Kind::Visitors(row.standing.1));
            row.about =
                "submit one, tick, poll: by turns one that meets a waiting ticket, and one that stays".into();
            rows.push(row);
        }
        ScenarioName::Growth => {
            let counts = match arguments.per_tick {
                Some(least) => [least, 3 * least, 10 * least],
                None if arguments.full => [10_000, 100_000, 1_000_000],
                None => [1_000, 3_000, 10_000],
            };
            for (count, ticks) in counts.into_iter().zip([30, 6, 2]) {
                let size = sizes(0, count, ticks);
                let mut row = row(&count.to_string(), QueueKind::Duel, Kind::Singles, size, size);
                (row.per_tick, row.ticks, row.warm_ticks) = (count, arguments.ticks.unwrap_or(ticks), 1);
                row.about = "1v1, 4 regions, so many a tick".into();
                rows.push(row);
            }
        }
        ScenarioName::Memory => {
            for variant in ["exact", "reserve"] {
                let (small, full) = (sizes(20_000, 0, 0), sizes(1_000_000, 0, 0));
                let mut row = row(variant, QueueKind::Duel, Kind::Singles, small, full);
                (row.per_tick, row.ticks, row.warm_ticks) = (0, 0, 0);
                row.about =
                    "1v1 tickets that wait, one attribute, 4 regions; the engine built for just so many"
                        .into();
                if variant == "reserve" {
                    row.spare = row.standing.1;
                    row.retained = row.standing.1 / 2;
                    row.about =
                        "the same; the engine built for twice as many, and half as many retained".into();
                }
                rows.push(row);
            }
        }
    }
    for row in &rows {
        check(row)?;
    }
    Ok(rows)
}

/// Options that some scenarios have no use for, if the command line gives them: each with the scenarios that have.
fn particular(arguments: &BenchArguments) -> Vec<(&'static str, &'static [ScenarioName])> {
    use ScenarioName::{Arrival, Duel, Flood, Growth, Idle, Memory, Roles, Royale, Squads, Standing};
    // A flood is one tick, and what has no selection takes the oldest first.
    let has_ticks = arguments.ticks.is_some();
    let (is_one_tick, is_oldest_first) =
        (arguments.ticks == Some(1), arguments.selection == Some(SelectionName::OldestFirst));
    let options: [(_, _, &[ScenarioName]); 5] = [
        ("--waiting", arguments.waiting.is_some(), &[Standing, Idle, Arrival, Memory]),
        ("--per-tick", arguments.per_tick.is_some(), &[Duel, Squads, Royale, Roles, Standing, Flood, Growth]),
        (
            "--ticks",
            has_ticks,
            if is_one_tick {
                &[Duel, Squads, Royale, Roles, Standing, Idle, Flood, Arrival, Growth]
            } else {
                &[Duel, Squads, Royale, Roles, Standing, Idle, Arrival, Growth]
            },
        ),
        ("--selection", arguments.selection.is_some() && !is_oldest_first, &[Duel, Squads, Roles]),
        (
            "--rate",
            arguments.rate.is_some(),
            &[Duel, Squads, Royale, Roles, Standing, Flood, Arrival, Growth],
        ),
    ];
    options.into_iter().filter(|option| option.1).map(|(option, _, users)| (option, users)).collect()
}

/// What to say of options that some of the scenarios asked for have no use for; nothing if all scenarios run.
///
/// Errors: an option that none of them has a use for.
pub(super) fn ignored(arguments: &BenchArguments) -> Result<Vec<String>, Failure> {
    let mut notes = Vec::new();
    if arguments.scenarios.is_empty() {
        return Ok(notes);
    }
    let words = |scenarios: Vec<ScenarioName>| {
        scenarios.into_iter().map(ScenarioName::word).collect::<Vec<&str>>().join(", ")
    };
    for (option, users) in particular(arguments) {
        let asked = ScenarioName::value_variants().iter().copied();
        let asked = asked.filter(|scenario| arguments.scenarios.contains(scenario));
        let (have, have_not): (Vec<_>, Vec<_>) = asked.partition(|scenario| users.contains(scenario));
        if have.is_empty() {
            return Err(Failure::input(format!(
                "{option} has no effect on {}; leave it out, or name a scenario that has it: {}",
                words(have_not),
                words(users.to_vec())
            )));
        }
        if !have_not.is_empty() {
            notes.push(format!("{option} has no effect on {}", words(have_not)));
        }
    }
    Ok(notes)
}

/// A row with the sizes that hold for it.
fn plan(
    scenario: ScenarioName,
    variant: &str,
    kind: QueueKind,
    flow: Kind,
    sizes: Sizes,
    arguments: &BenchArguments,
) -> Plan {
    let selection = if variant.ends_with("least_cost") { "least_cost" } else { "oldest_first" };
    let index = arguments.index.map_or(String::new(), |index| format!(r#", "index": "{}""#, index.word()));
    let ticks = arguments.ticks.unwrap_or(sizes.ticks);
    let waiting = if sizes.waiting > 0 { arguments.waiting.unwrap_or(sizes.waiting) } else { 0 };
    Plan {
        name: format!("{}/{variant}", scenario.word()),
        about: String::new(),
        queue: kind.text(selection, &index),
        regions: 4,
        standing: (Kind::Apart, waiting),
        flow,
        per_tick: arguments.per_tick.unwrap_or(sizes.per_tick),
        ticks,
        warm_ticks: (ticks / 10).max(1),
        cancel_every: 20,
        spare: 0,
        retained: arguments.retained,
        is_full: arguments.full
            && arguments.waiting.is_none()
            && arguments.per_tick.is_none()
            && arguments.ticks.is_none(),
    }
}

/// Refuses what no engine takes.
fn check(row: &Plan) -> Result<(), Failure> {
    if row.standing.0 == Kind::Apart && row.standing.1 > APART_MAX {
        return Err(Failure::input(format!(
            "--waiting {}: at most {APART_MAX} tickets stand apart in {}",
            row.standing.1, row.name
        )));
    }
    let slots = row.capacity() + row.retained;
    if slots > SLOTS_MAX {
        return Err(Failure::input(format!(
            "{}: {slots} tickets at most, an engine holds {SLOTS_MAX}; {}",
            row.name,
            remedy(row)
        )));
    }
    Ok(())
}

/// Which sizes to lower so that an engine holds the row: one that is enough by itself, else all that count.
fn remedy(row: &Plan) -> String {
    let is_memory = row.ticks == 0;
    // A reserve grows with those who wait.
    let fewer_wait = Plan {
        standing: (row.standing.0, row.standing.1.min(1)),
        spare: row.spare.min(1),
        retained: if is_memory && row.spare > 0 { 1 } else { row.retained },
        ..row.clone()
    };
    let sizes = [
        ("fewer --waiting", row.standing.1 > 0, fewer_wait),
        ("fewer --per-tick", row.per_tick > 1, Plan { per_tick: row.per_tick.min(2), ..row.clone() }),
        (
            "fewer --ticks",
            row.ticks > 1,
            Plan { ticks: row.ticks.min(1), warm_ticks: row.warm_ticks.min(1), ..row.clone() },
        ),
        ("fewer --retained", row.retained > 0 && row.spare == 0, Plan { retained: 0, ..row.clone() }),
    ];
    let counting = || sizes.iter().filter(|size| size.1);
    let enough = counting().filter(|(_, _, lowered)| lowered.capacity() + lowered.retained <= SLOTS_MAX);
    let enough: Vec<&str> = enough.map(|size| size.0).collect();
    match enough.is_empty() {
        false => enough.join(", or "),
        true => counting().map(|size| size.0).collect::<Vec<&str>>().join(" and "),
    }
}

fn selections(asked: Option<SelectionName>) -> Vec<&'static str> {
    match asked {
        Some(SelectionName::OldestFirst) => vec!["oldest_first"],
        Some(SelectionName::LeastCost) => vec!["least_cost"],
        Some(SelectionName::Both) => vec!["oldest_first", "least_cost"],
        // What this engine takes.
        None => {
            let text = QueueKind::Duel.text("least_cost", "");
            let engine = evenmatch::Engine::builder().capacity(1).build();
            let takes = evenmatch::config::read_queue(&text)
                .ok()
                .zip(engine.ok())
                .is_some_and(|(spec, engine)| engine.add_queue(spec).is_ok());
            if takes { vec!["oldest_first", "least_cost"] } else { vec!["oldest_first"] }
        }
    }
}
