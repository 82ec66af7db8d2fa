//! `evenmatch bench`: puts the engine under load and says what it costs.
//!
//! | file | what |
//! | --- | --- |
//! | `plan` | the rows of each scenario, and their sizes |
//! | `queue_text`, `crowd` | their queues, and the players who come |
//! | `pass` | an engine is filled, fed, ticked and polled |
//! | `door`, `hosts` | how tickets go in and events come out, by several threads |
//! | `stopwatch`, `allocator` | time in calls, and memory |
//! | `digest` | a hash of the output |
//! | `schedule` | when tickets were decided, sent on schedule |
//! | `row` | the figures of several passes |
//! | `bars` | what the engine means to reach |
//! | `recorded` | a run of before |
//! | `view`, `json`, `machine` | a run for people and for programs |
//!
//! On the public API only. Invariant: what the engine is asked is a function of the options, so that two builds are asked
//! the same, and a change that claims speed shows the same output.

pub(crate) mod allocator;
mod bars;
mod crowd;
mod digest;
mod door;
mod hosts;
mod json;
mod machine;
mod pass;
mod plan;
mod queue_text;
mod recorded;
mod row;
mod schedule;
mod stopwatch;
mod view;

use crate::failure::Failure;
use crate::sink::Sink;
use clap::{Args, ValueEnum};
use door::DoorKind;
use evenmatch::engine::THREADS_MAX;
use machine::Machine;
use pass::Settings;
use recorded::Recorded;
use schedule::RATES;
use std::io::IsTerminal;
use std::time::Duration;

/// Put the engine under load and show what it costs.
///
/// Each scenario is one or more rows: an engine, tickets that wait from the start, and a flow of tickets. A round
/// submits a tick's tickets as one batch, cancels one in twenty of them, ticks, and polls and drops all events; only
/// these calls are timed. Every row is run once with allocations counted, then several times with the clock, and the
/// quickest is told; all must come to the same output, whose hash is shown.
///
/// "decision" is the time from the sending of a ticket until its match was fetched, had tickets been sent on a
/// schedule that waits for nobody (open loop): a slow tick delays all that were sent meanwhile. Where the system
/// tells how long other processes had the processor (Linux, the main thread), that time is left out.
///
/// Sizes are small unless --full asks for those of the bars, which take 8 GB, and for standing and growth up to an
/// hour.
#[derive(Args)]
#[command(after_help = "Examples:
  evenmatch bench duel squads
  evenmatch bench --full --json > before.json
  evenmatch bench --full --compare before.json
  evenmatch bench arrival --waiting 100000 --ticks 200000")]
pub(crate) struct BenchArguments {
    /// What to run. Default: all.
    #[arg(value_enum, value_name = "SCENARIO")]
    scenarios: Vec<ScenarioName>,
    /// Only the rows whose names have this in them, as in `standing/apart`.
    #[arg(long, value_name = "TEXT")]
    rows: Option<String>,
    /// The sizes of the bars rather than small ones.
    #[arg(long)]
    full: bool,
    /// Which of the legal matches are made, where a scenario has several. Default: all that the engine has.
    #[arg(long, value_enum, value_name = "SELECTION")]
    selection: Option<SelectionName>,
    /// The index of every queue. Default: the queue's own choice.
    #[arg(long, value_enum, value_name = "INDEX")]
    index: Option<IndexName>,
    /// Tickets that wait from the start, in scenarios that have such.
    #[arg(long, visible_alias = "tickets", value_name = "COUNT", value_parser = count(1, 60_000_000))]
    waiting: Option<usize>,
    /// Tickets that come before each tick, in scenarios with batches.
    #[arg(long, value_name = "COUNT", value_parser = count(2, 10_000_000))]
    per_tick: Option<usize>,
    /// Ticks that are measured; a tenth more, at least one, go before them.
    #[arg(long, value_name = "COUNT", value_parser = count(1, 10_000_000))]
    ticks: Option<usize>,
    /// A pass that takes longer than this ends with its tick, and has no hash.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    seconds: f64,
    /// Threads that search at a tick.
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = count(1, THREADS_MAX))]
    threads: usize,
    /// Threads of the host, which submit, cancel and poll beside one another; with more than one the order of calls is
    /// a matter of chance, so there is no hash.
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = count(1, 64))]
    hosts: usize,
    /// How tickets go in and events come out.
    #[arg(long, value_enum, value_name = "DOOR", default_value = "plain")]
    door: DoorName,
    /// Ended tickets that the engine keeps.
    #[arg(long, value_name = "COUNT", default_value_t = 0, value_parser = count(0, 60_000_000))]
    retained: usize,
    /// Another number brings other players of the same kind.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// Passes with the clock; the quickest is told.
    #[arg(long, value_name = "COUNT", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: u32,
    /// Tickets a second that the schedule sends. Default: that of the recorded run, else half of what the engine
    /// could take.
    #[arg(long, value_name = "TICKETS/S")]
    rate: Option<f64>,
    /// Leave out the pass that counts allocations.
    #[arg(long)]
    no_counts: bool,
    /// Print one JSON object on one line instead of the tables.
    #[arg(long, conflicts_with_all = ["table", "compare"])]
    json: bool,
    /// Print Markdown rows instead of the tables.
    #[arg(long, conflicts_with = "compare")]
    table: bool,
    /// Show ratios against a run that --json has written.
    #[arg(long, value_name = "FILE")]
    compare: Option<String>,
}

/// What to run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum ScenarioName {
    /// 1v1 by skill and ping, over 4 and 16 regions.
    Duel,
    /// 5v5 with parties and even teams.
    Squads,
    /// 60 to 100 players.
    Royale,
    /// 5v5 with roles.
    Roles,
    /// A flow beside many that cannot match.
    Standing,
    /// Ticks without input.
    Idle,
    /// One tick for many equal tickets.
    Flood,
    /// One ticket at a time over many waiting.
    Arrival,
    /// Ever more tickets a tick.
    Growth,
    /// Bytes for each waiting ticket.
    Memory,
}

/// Which of the legal matches are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
#[value(rename_all = "snake_case")]
enum SelectionName {
    /// The oldest ticket first.
    OldestFirst,
    /// The least total cost.
    LeastCost,
    /// One row for each.
    Both,
}

/// How tickets go in and events come out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum DoorName {
    /// As plain tickets by a layout, into flat arrays.
    Plain,
    /// As requests with names in them, as records.
    Request,
}

/// Which index serves a queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum IndexName {
    /// The chunked sorted column.
    Sorted,
    /// The KD-tree.
    Kdtree,
    /// The plain scan.
    Linear,
}

impl ScenarioName {
    /// Its word.
    const fn word(self) -> &'static str {
        match self {
            ScenarioName::Duel => "duel",
            ScenarioName::Squads => "squads",
            ScenarioName::Royale => "royale",
            ScenarioName::Roles => "roles",
            ScenarioName::Standing => "standing",
            ScenarioName::Idle => "idle",
            ScenarioName::Flood => "flood",
            ScenarioName::Arrival => "arrival",
            ScenarioName::Growth => "growth",
            ScenarioName::Memory => "memory",
        }
    }
}

impl IndexName {
    /// Its word in queue files.
    const fn word(self) -> &'static str {
        match self {
            IndexName::Sorted => "sorted",
            IndexName::Kdtree => "kdtree",
            IndexName::Linear => "linear",
        }
    }
}

/// A count within bounds.
fn count(
    least: usize,
    greatest: usize,
) -> impl Fn(&str) -> Result<usize, String> + Clone + Send + Sync + 'static {
    move |text| {
        let count =
            text.replace('_', "").parse::<usize>().ok().filter(|count| (least..=greatest).contains(count));
        count.ok_or_else(|| format!("needs a count of {least} to {greatest}"))
    }
}

/// Runs, and shows.
pub(crate) fn bench(arguments: &BenchArguments) -> Result<(), Failure> {
    if !(arguments.seconds > 0.0 && arguments.seconds <= 1e6) {
        return Err(Failure::input(format!(
            "--seconds {} must lie above 0, at most 1000000",
            arguments.seconds
        )));
    }
    if let Some(rate) = arguments.rate.filter(|rate| !RATES.contains(rate)) {
        return Err(Failure::input(format!(
            "--rate {rate:?} must lie between {} and {:e}",
            RATES.start(),
            RATES.end()
        )));
    }
    for note in plan::ignored(arguments)? {
        eprintln!("{note}");
    }
    let recorded = arguments.compare.as_deref().map(Recorded::read).transpose()?;
    let mut scenarios = arguments.scenarios.clone();
    if scenarios.is_empty() {
        scenarios = ScenarioName::value_variants().to_vec();
    }
    let mut plans = Vec::new();
    for (place, &scenario) in scenarios.iter().enumerate() {
        if !scenarios[..place].contains(&scenario) {
            plans.extend(plan::rows(scenario, arguments)?);
        }
    }
    if let Some(text) = &arguments.rows {
        plans.retain(|plan| plan.name.contains(text));
        if plans.is_empty() {
            return Err(Failure::input(format!("--rows {text:?}: no row asked for has that in its name")));
        }
    }
    let settings = Settings {
        seed: arguments.seed,
        threads: arguments.threads,
        hosts: arguments.hosts,
        door: match arguments.door {
            DoorName::Plain => DoorKind::Plain,
            DoorName::Request => DoorKind::Request,
        },
        index: arguments.index.map_or("auto", IndexName::word),
        retained: arguments.retained,
        longest: Duration::from_secs_f64(arguments.seconds),
        counts: false,
    };
    let shows_progress = std::io::stderr().is_terminal();
    let mut rows = Vec::new();
    for plan in plans {
        if shows_progress {
            eprintln!("{} ..", plan.name);
        }
        let recorded_rate = recorded.as_ref().and_then(|recorded| recorded.rate(&plan));
        let rate = arguments.rate.or(recorded_rate);
        rows.push(row::measure(plan, settings, arguments.repeat, rate, !arguments.no_counts)?);
    }
    let machine = Machine::here();
    let text = match (arguments.json, arguments.table) {
        (true, _) => format!("{}\n", json::json(&machine, &rows, &settings)),
        (_, true) => view::markdown(&machine, &rows, &settings),
        _ => view::text(&machine, &rows, &settings, recorded.as_ref()),
    };
    let mut sink = Sink::open("-")?;
    sink.line(text.trim_end())?;
    sink.finish()
}
