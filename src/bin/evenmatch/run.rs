//! `evenmatch run`: replays a trace through queues and shows what came of it.
//!
//! This file has the options, the files and the terminal; the replay itself is in `replay`. Invariant: the
//! output file appears whole or not at all.

use crate::failure::Failure;
use crate::format::FormatArguments;
use crate::pace::PaceArguments;
use crate::page::observed::Observed;
use crate::page::{self, Page};
use crate::queues;
use crate::replay::{Replay, ReplayOptions};
use crate::report;
use crate::sink::{self, Sink};
use crate::summary::Summary;
use crate::targets::{self, Output, is_standard_output};
use crate::terminal::harmless;
use clap::{Args, ValueEnum};
use evenmatch::config::TEXT_BYTES_MAX;
use evenmatch::engine::{Engine, EngineBuilder, THREADS_MAX};
use evenmatch::model::limits::SLOTS_MAX;
use evenmatch::rules::spec::{IndexChoice, QueueSpec};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{BufRead, IsTerminal, Read, Write};

/// Replay a trace through queues and show the matches that come out.
///
/// The engine's time is the trace's time; the replay runs as fast as it goes, and gives the same matches
/// every time. Matches, ends and refused lines go to the output file, one JSON object a line; a summary ends
/// the run.
#[derive(Args)]
#[command(after_help = "Example: evenmatch run --queue duel.json evening.jsonl --out matches.jsonl")]
pub(crate) struct RunArguments {
    /// A queue file; give the option again for more queues.
    #[arg(long, value_name = "FILE", required = true)]
    queue: Vec<String>,
    /// The trace, one JSON object a line; `-` is the standard input.
    #[arg(value_name = "TRACE")]
    trace: String,
    #[command(flatten)]
    pace: PaceArguments,
    /// Where matches, ends and refused lines go; `-` is the standard output (the summary then goes to
    /// stderr).
    #[arg(long, value_name = "FILE|-", default_value = "matches.jsonl")]
    out: String,
    /// How the summary is written.
    #[arg(long, value_enum, default_value = "text")]
    summary: SummaryForm,
    /// Also write a page with charts, which needs no network to be looked at. What is `-` goes to the standard
    /// output, one of matches, record and page at most.
    #[arg(long, value_name = "FILE|-")]
    html: Option<String>,
    /// Also record what the engine was asked and when it ticked, as a trace: run with `--tick recorded` it brings
    /// about the same output again, byte by byte.
    #[arg(long, value_name = "FILE|-")]
    record: Option<String>,
    /// Stop with exit code 2 at the first line of the trace that is not right, instead of refusing that line.
    #[arg(long)]
    strict: bool,
    /// Do not judge every match by the raw rules before it is released. Faster; the matches are the same.
    #[arg(long)]
    no_check: bool,
    /// Let a player stand in several queues at once, with one ticket in each; the others end with MATCHED_ELSEWHERE
    /// when one is matched.
    #[arg(long)]
    many_queues: bool,
    /// Use this index in all queues instead of the one that suits them; the matches are the same.
    #[arg(long, value_enum)]
    index: Option<IndexName>,
    /// Search with so many threads; the matches are the same.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_threads)]
    threads: usize,
    #[command(flatten)]
    format: FormatArguments,
}

/// How the summary is written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SummaryForm {
    /// Tables and small pictures.
    Text,
    /// One JSON object on one line.
    Json,
}

/// The indexes that can be asked for.
#[derive(Clone, Copy, ValueEnum)]
enum IndexName {
    /// The chunked sorted column.
    Sorted,
    /// The KD-tree.
    Kdtree,
    /// The plain scan: slow, and the measure of the other two.
    Linear,
}

impl IndexName {
    const fn choice(self) -> IndexChoice {
        match self {
            IndexName::Sorted => IndexChoice::Sorted,
            IndexName::Kdtree => IndexChoice::KdTree,
            IndexName::Linear => IndexChoice::Linear,
        }
    }
}

impl RunArguments {
    /// The outputs besides the summary.
    fn outputs(&self) -> Vec<Output<'_>> {
        let named =
            [("--out", Some(&self.out)), ("--record", self.record.as_ref()), ("--html", self.html.as_ref())];
        named.into_iter().filter_map(|(option, path)| Some(Output { option, path: path? })).collect()
    }
}

/// Reads a count of threads.
fn parse_threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads @ 1..=THREADS_MAX) => Ok(threads),
        _ => Err(format!("a whole number from 1 to {THREADS_MAX}")),
    }
}

/// Replays the trace.
pub(crate) fn run(arguments: &RunArguments) -> Result<(), Failure> {
    let inputs = arguments.queue.iter().chain(targets::file(&arguments.trace));
    targets::keep_apart(inputs, &arguments.outputs())?;
    let (mut specs, warnings) = queues::read_with_warnings(&arguments.queue, &arguments.format)?;
    for warning in warnings {
        eprintln!("warning: {}", harmless(&warning.to_string()));
    }
    if let Some(index) = arguments.index {
        specs.iter_mut().for_each(|(spec, _)| spec.index = index.choice());
    }
    let builder = Engine::builder()
        .check_matches(!arguments.no_check)
        .allow_many_queues(arguments.many_queues)
        .record(arguments.record.is_some())
        .threads(arguments.threads);
    let engine = build(&specs, builder)?;
    let (mut trace, bytes) = sink::open_input(&arguments.trace)?;
    let mut sink = Sink::open(&arguments.out)?;
    let mut record = arguments.record.as_deref().map(Sink::open).transpose()?;
    let bar = progress(bytes);
    let mut observed = arguments.html.as_ref().map(|_| Observed::new(&label(&specs)));
    let summary = {
        let mut write = |line: &str| sink.line(line);
        let mut write_record = |line: &str| record.as_mut().map_or(Ok(()), |record| record.line(line));
        let options = ReplayOptions {
            file: arguments.trace.clone(),
            ticking: arguments.pace.ticking(),
            until: arguments.pace.until(),
            strict: arguments.strict,
        };
        let mut replay = Replay::new(&engine, options, &mut write);
        if let Some(observed) = &mut observed {
            replay = replay.watched(observed);
        }
        if arguments.record.is_some() {
            replay = replay.recorded(&mut write_record);
        }
        let mut line = Vec::new();
        while read_line(&mut trace, &mut line, &arguments.trace)? {
            bar.inc(line.len() as u64);
            if !replay.line(&line)? {
                break;
            }
        }
        replay.finish()?
    };
    bar.finish_and_clear();
    sink.finish()?;
    record.map_or(Ok(()), Sink::finish)?;
    if let (Some(path), Some(observed)) = (&arguments.html, observed) {
        page(&specs, &summary, observed, arguments).write(path)?;
    }
    show(&summary, arguments)
}

/// What the queues are called together.
fn label(specs: &[(QueueSpec, &str)]) -> String {
    match specs {
        [(spec, _)] => spec.name.clone(),
        _ => format!("all {} queues", specs.len()),
    }
}

/// The page of a run: its summary and its charts.
fn page(
    specs: &[(QueueSpec, &str)],
    summary: &Summary,
    observed: Observed,
    arguments: &RunArguments,
) -> Page {
    let queues = specs.iter().map(|(spec, path)| format!("queue {:?} of {path}", spec.name));
    let mut lines: Vec<String> = queues.collect();
    lines.push(format!("trace {}", arguments.trace));
    lines.extend(report::counts(summary));
    Page {
        title: format!("{} on {}", label(specs), page::file_name(&arguments.trace)),
        lines,
        series: vec![observed],
        grids: vec![report::region_grid(summary)],
    }
}

/// An engine with the queues of all files.
pub(crate) fn engine(specs: &[(QueueSpec, &str)], check_matches: bool) -> Result<Engine, Failure> {
    build(specs, Engine::builder().check_matches(check_matches))
}

fn build(specs: &[(QueueSpec, &str)], builder: EngineBuilder) -> Result<Engine, Failure> {
    // Room for what every queue may hold; a quarter more is retained, and all of it must fit the slots.
    let room: u64 = specs.iter().map(|(spec, _)| spec.capacity.map_or(1_000_000, u64::from)).sum();
    let capacity = room.clamp(1, SLOTS_MAX as u64 / 2) as u32;
    let refused = |what: String| Failure::input(format!("{what}; `evenmatch check` says more"));
    let engine = builder.capacity(capacity).build().map_err(|refusal| refused(refusal.to_string()))?;
    for (spec, path) in specs {
        let added = engine.add_queue(spec.clone());
        added.map_err(|refusal| refused(format!("{path}: queue {:?}: {refusal}", spec.name)))?;
    }
    Ok(engine)
}

/// Reads the next line with its line feed into `line`; false at the end.
///
/// Of a line that is longer than any text may be only the first part is kept, which is enough to refuse it.
pub(crate) fn read_line(
    trace: &mut Box<dyn BufRead>,
    line: &mut Vec<u8>,
    path: &str,
) -> Result<bool, Failure> {
    line.clear();
    let failed = |error| Failure::unreadable(path, &error);
    let most = TEXT_BYTES_MAX as u64 + 2;
    let taken = trace.by_ref().take(most).read_until(b'\n', line).map_err(failed)?;
    if taken as u64 == most && line.last() != Some(&b'\n') {
        trace.skip_until(b'\n').map_err(failed)?;
    }
    Ok(taken > 0)
}

/// A bar on stderr that counts the trace's bytes; nothing at all if stderr is no terminal.
fn progress(bytes: Option<u64>) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let (bar, template) = match bytes {
        Some(bytes) => (ProgressBar::new(bytes), "{bar:40} {percent:>3} %  {eta} left"),
        None => (ProgressBar::no_length(), "{spinner} {bytes} read"),
    };
    bar.set_draw_target(ProgressDrawTarget::stderr());
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Writes the summary to the standard output, or to stderr if something else went there.
fn show(summary: &Summary, arguments: &RunArguments) -> Result<(), Failure> {
    let text = match arguments.summary {
        SummaryForm::Text => harmless(&report::text(summary)).into_owned(),
        SummaryForm::Json => format!("{}\n", report::json(summary)),
    };
    if arguments.outputs().iter().any(|output| is_standard_output(output.path)) {
        let written = std::io::stderr().write_all(text.as_bytes());
        return written.map_err(|error| Failure::system("writing the summary", &error));
    }
    let mut sink = Sink::open("-")?;
    sink.text(&text)?;
    if arguments.summary == SummaryForm::Text {
        let page = arguments.html.as_ref().map_or(String::new(), |path| format!(", the page to {path}"));
        sink.text(&harmless(&format!("written to {}{page}\n", arguments.out)))?;
    }
    sink.finish()
}
