//! `evenmatch compare`: two queues on the same traffic, and who pays for the difference.
//!
//! | file | what |
//! | --- | --- |
//! | `evening` | the tickets of one queue out of a trace |
//! | `variants` | the same tickets at other instants |
//! | `cohorts` | groups of tickets: all, skill bands, home regions |
//! | `outcome` | what became of each group in a replay |
//! | `difference` | B less A, and its spread over variants |
//! | `view`, `json` | the comparison for people and for programs |
//!
//! Both queues are given the same tickets, by the name that these have in the trace, whatever the files call
//! their queues. Invariant: the output is a function of the files and the options; the two replays of a variant
//! run on two threads, each with an engine of its own, and no clock is read.

mod cohorts;
mod difference;
mod evening;
mod json;
mod outcome;
mod variants;
mod view;

use crate::failure::Failure;
use crate::format::FormatArguments;
use crate::pace::PaceArguments;
use crate::page::observed::Observed;
use crate::page::{self, Page};
use crate::queues;
use crate::replay::{Replay, ReplayOptions};
use crate::run::engine;
use crate::sink::Sink;
use crate::targets::{self, Output};
use crate::terminal::harmless;
use clap::Args;
use cohorts::Cohorts;
use difference::Compared;
use evening::{Evening, Wanted};
use evenmatch::config::trace::TraceLine;
use evenmatch::rules::spec::QueueSpec;
use indicatif::{ProgressBar, ProgressDrawTarget};
use outcome::{Outcome, Values};
use std::io::IsTerminal;

/// Run two queues on one trace and show who pays for the difference.
///
/// Both queues get the same tickets: those that the trace submits to a queue of A's name, or if there are none, of
/// B's name, or of the one that --tickets-of names. What is compared is told for all tickets, for the lowest, the
/// middle and the highest tenth by skill, and for each home region, which is the one with a ticket's least round
/// trip. A group has the same tickets on both sides, matched or not. Lines that put a match's tickets back are
/// left out.
///
/// One evening is one draw. --seeds N replays N variants too, in which every ticket comes up to five minutes
/// earlier or later (and at most a quarter of the trace), and shows the mean and the standard deviation of the
/// difference. They say what the arrival of these players leaves to chance; evenings with other players differ
/// by more, so compare on several traces too.
#[derive(Args)]
#[command(
    after_help = "Example: evenmatch compare duel.json wider.json evening.jsonl --seeds 5 --html page.html"
)]
pub(crate) struct CompareArguments {
    /// The first queue file, of one queue.
    #[arg(value_name = "A.json")]
    a: String,
    /// The second queue file, of one queue.
    #[arg(value_name = "B.json")]
    b: String,
    /// The trace, one JSON object a line; `-` is the standard input.
    #[arg(value_name = "TRACE")]
    trace: String,
    /// The queue of the trace whose tickets are taken. Default: that of A's name, else that of B's.
    #[arg(long, value_name = "NAME")]
    tickets_of: Option<String>,
    /// Also replay so many variants of the trace.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1000))]
    seeds: u32,
    /// Also write a page with charts, which needs no network to be looked at.
    #[arg(long, value_name = "FILE")]
    html: Option<String>,
    /// Print one JSON object on one line instead of the tables.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    pace: PaceArguments,
    /// Stop with exit code 2 at the first line of the trace that is not right, instead of leaving it out.
    #[arg(long)]
    strict: bool,
    /// Do not judge every match by the raw rules before it is released. Faster; the matches are the same.
    #[arg(long)]
    no_check: bool,
    #[command(flatten)]
    format: FormatArguments,
}

/// All that there is to show.
struct Comparison<'a> {
    trace: &'a str,
    evening: &'a Evening,
    cohorts: &'a Cohorts,
    sides: [Side<'a>; 2],
    /// One for each group.
    compared: Vec<Compared>,
    seeds: u32,
    /// How far tickets move in the variants.
    shift_ms: u64,
}

/// One of the two queues.
struct Side<'a> {
    /// Its file.
    path: &'a str,
    /// What the file calls it.
    queue: String,
    /// Searches of the replay of the trace itself that ended at their node limit.
    searches_cut_off: u64,
}

/// Compares, and shows.
pub(crate) fn compare(arguments: &CompareArguments) -> Result<(), Failure> {
    let paths = [&arguments.a, &arguments.b];
    if let Some(path) = arguments.html.as_deref() {
        if targets::is_standard_output(path) {
            return Err(Failure::input(format!(
                "--html {path}: the standard output has the comparison; name a file"
            )));
        }
        let inputs = paths.into_iter().chain(targets::file(&arguments.trace));
        targets::keep_apart(inputs, &[Output { option: "--html", path }])?;
    }
    let [a, b] = paths.map(|path| one_queue(path, &arguments.format));
    let specs = [a?, b?];
    let names = match &arguments.tickets_of {
        Some(name) => vec![name.clone()],
        None => specs.iter().map(|spec| spec.name.clone()).collect(),
    };
    let wanted =
        Wanted { path: &arguments.trace, names, until: arguments.pace.until(), strict: arguments.strict };
    let evening = evening::read(&wanted)?;
    // In the engines both queues have the name that stands in the trace, and room for its tickets and no more:
    // many variants make many engines.
    let room = u32::try_from(evening.tickets).unwrap_or(u32::MAX);
    let called = specs.clone().map(|spec| QueueSpec {
        name: evening.queue.clone(),
        capacity: Some(spec.capacity.map_or(room, |own| own.min(room))),
        ..spec
    });
    let replays = Replays { specs: &called, paths: [&arguments.a, &arguments.b], arguments };
    let cohorts = cohorts::cohorts(&evening, [&called[0], &called[1]], &replays.engine(0)?);
    let groups = outcome::groups(&cohorts.list, evening.tickets);

    let bar = progress(arguments.seeds);
    let order: Vec<usize> = (0..evening.tickets).collect();
    let labels = arguments.html.as_ref().map(|_| labels(paths));
    let new = |side: usize| {
        let observed = labels.as_ref().map(|labels| Observed::new(&labels[side]));
        Outcome::new(&cohorts.list, &groups, &order, observed)
    };
    let [a, b] = replays.pair(&evening.lines, new)?;
    bar.inc(1);
    let mut variants = Vec::new();
    for seed in 1..=u64::from(arguments.seeds) {
        let variant = variants::variant(&evening, seed);
        let new = |_| Outcome::new(&cohorts.list, &groups, &variant.order, None);
        variants.push(replays.pair(&variant.lines, new)?.map(|replayed| replayed.values));
        bar.inc(1);
    }
    bar.finish_and_clear();

    let of_group = |group: usize| {
        let of_variants = variants.iter().map(|[a, b]| [a[group], b[group]]);
        let of_variants: Vec<[Values; 2]> = of_variants.collect();
        Compared::new([a.values[group], b.values[group]], &of_variants)
    };
    let side = |place: usize, cut_off: u64| Side {
        path: paths[place],
        queue: specs[place].name.clone(),
        searches_cut_off: cut_off,
    };
    let comparison = Comparison {
        trace: &arguments.trace,
        evening: &evening,
        cohorts: &cohorts,
        compared: (0..cohorts.list.len()).map(of_group).collect(),
        sides: [side(0, a.searches_cut_off), side(1, b.searches_cut_off)],
        seeds: arguments.seeds,
        shift_ms: variants::shift_ms(&evening),
    };
    let series = [a.observed, b.observed].into_iter().flatten().collect();
    show(&comparison, series, arguments)
}

/// The queue of a file that must hold one.
fn one_queue(path: &String, format: &FormatArguments) -> Result<QueueSpec, Failure> {
    let mut specs = queues::read_all(std::slice::from_ref(path), format)?;
    match (specs.pop(), specs.is_empty()) {
        (Some((spec, _)), true) => Ok(spec),
        (None, _) => Err(Failure::input(format!("{path} holds no queue; `evenmatch init` writes one"))),
        (Some((last, _)), false) => {
            let names = specs.iter().map(|(spec, _)| &spec.name).chain([&last.name]);
            let names: Vec<String> = names.map(|name| format!("{name:?}")).collect();
            Err(Failure::input(format!(
                "{path} holds {} queues ({}); compare takes files of one queue: give each a file of its own",
                names.len(),
                names.join(", ")
            )))
        }
    }
}

/// What the two are called in legends: their files, since the queues often have one name.
fn labels(paths: [&String; 2]) -> [String; 2] {
    let [a, b] = paths.map(|path| page::file_name(path));
    [format!("A {a}"), format!("B {b}")]
}

/// A bar on stderr that counts replays of both queues; nothing at all if stderr is no terminal.
fn progress(seeds: u32) -> ProgressBar {
    if seeds == 0 || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(u64::from(seeds) + 1);
    bar.set_draw_target(ProgressDrawTarget::stderr());
    bar
}

/// How traffic goes through both queues.
struct Replays<'a> {
    specs: &'a [QueueSpec; 2],
    paths: [&'a str; 2],
    arguments: &'a CompareArguments,
}

/// What one replay gave.
struct Replayed {
    values: Vec<Values>,
    observed: Option<Observed>,
    searches_cut_off: u64,
}

impl Replays<'_> {
    /// An engine with one of the queues.
    fn engine(&self, side: usize) -> Result<evenmatch::Engine, Failure> {
        engine(&[(self.specs[side].clone(), self.paths[side])], !self.arguments.no_check)
    }

    /// The lines through A and through B, side by side.
    fn pair<'o>(
        &self,
        lines: &[TraceLine],
        new: impl Fn(usize) -> Outcome<'o>,
    ) -> Result<[Replayed; 2], Failure> {
        let (a, b) = (new(0), new(1));
        let (a, b) = std::thread::scope(|scope| {
            let other = scope.spawn(|| self.one(1, lines, b));
            (self.one(0, lines, a), other.join())
        });
        let b = b.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        Ok([a?, b?])
    }

    fn one(&self, side: usize, lines: &[TraceLine], mut outcome: Outcome<'_>) -> Result<Replayed, Failure> {
        let engine = self.engine(side)?;
        let pace = &self.arguments.pace;
        let options = ReplayOptions {
            file: self.arguments.trace.clone(),
            ticking: pace.ticking(),
            until: pace.until(),
            strict: false,
        };
        let mut unwritten = |_: &str| Ok(());
        let mut replay = Replay::new(&engine, options, &mut unwritten).watched(&mut outcome);
        for line in lines {
            if !replay.take(line.clone())? {
                break;
            }
        }
        let summary = replay.finish()?;
        let (values, observed) = outcome.finish();
        Ok(Replayed { values, observed, searches_cut_off: summary.searches_cut_off })
    }
}

/// Writes the page, if there is to be one, then the tables or the object.
fn show(
    comparison: &Comparison<'_>,
    series: Vec<Observed>,
    arguments: &CompareArguments,
) -> Result<(), Failure> {
    if let Some(path) = &arguments.html {
        let [a, b] = comparison.sides.each_ref().map(|side| page::file_name(side.path));
        let page = Page {
            title: format!("{a} and {b} on {}", page::file_name(comparison.trace)),
            lines: view::facts(comparison),
            series,
            grids: view::grids(comparison).into(),
        };
        page.write(path)?;
    }
    let mut sink = Sink::open("-")?;
    if arguments.json {
        sink.line(&json::json(comparison))?;
    } else {
        sink.text(&harmless(&view::text(comparison)))?;
        if let Some(path) = &arguments.html {
            sink.text(&harmless(&format!("\nthe page is written to {path}\n")))?;
        }
    }
    sink.finish()
}
