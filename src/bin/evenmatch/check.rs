//! `evenmatch check`: says what queue files mean, or everything that is wrong with them.
//!
//! Invariant: every file is looked at, whatever is wrong with the others; the exit code is 2 if any has an
//! error.

use crate::failure::Failure;
use crate::format::FormatArguments;
use crate::meaning;
use crate::queues;
use crate::shares::{self, short};
use crate::sink::Sink;
use crate::sizes;
use crate::tables;
use crate::terminal::harmless;
use crate::windows::{ages, cell, window_at};
use clap::{Args, ValueEnum};
use evenmatch::config::write::write_queue;
use evenmatch::config::{QUEUE_SCHEMA, QueuesFile};
use evenmatch::model::ids::Millis;
use evenmatch::rules::compile::CompiledQueue;
use evenmatch::rules::spec::{IndexChoice, QueueSpec};
use evenmatch::rules::validate::{Largest, largest_costs};

/// Say what queue files mean, or what is wrong with them.
///
/// Prints the teams, the legal sizes of a match, each rule in words, what each rule allows by waiting time,
/// the index that searches use, and how much each rule counts. Errors come all at once, each with its place
/// in the file and a remedy. Exit code 0, or 2 if a file has an error.
#[derive(Args)]
#[command(after_help = "Example: evenmatch check duel.json ranked.json")]
pub(crate) struct CheckArguments {
    /// The queue files.
    #[arg(value_name = "FILE", required_unless_present = "schema")]
    files: Vec<String>,
    /// Print the JSON Schema of queue files instead, for editors.
    #[arg(long, conflicts_with = "files")]
    schema: bool,
    #[command(flatten)]
    format: FormatArguments,
    /// Write the equivalent queue file in this format to the standard output, instead of the meaning.
    #[arg(long, value_enum)]
    to: Option<Target>,
    /// With --to: the queue to write, if the files have more than one.
    #[arg(long, value_name = "NAME", requires = "to")]
    name: Option<String>,
}

/// The formats that can be written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Target {
    /// The native format.
    Native,
}

/// Looks at every file, or prints the schema.
pub(crate) fn check(arguments: &CheckArguments) -> Result<(), Failure> {
    let mut sink = Sink::open("-")?;
    if arguments.schema {
        sink.text(QUEUE_SCHEMA)?;
        return sink.finish();
    }
    let mut errors = Vec::new();
    let mut unreadable = Vec::new();
    let mut files = Vec::new();
    for path in &arguments.files {
        match queues::read(path, &arguments.format) {
            Ok(Ok(file)) if arguments.to.is_some() => files.push(file),
            Ok(Ok(file)) => sink.text(&harmless(&explain_file(path, &file)))?,
            Ok(Err(found)) => errors.extend(found),
            Err(failure) => unreadable.push(failure),
        }
    }
    if arguments.to.is_some() && errors.is_empty() && unreadable.is_empty() {
        sink.text(&native(&files, arguments.name.as_deref())?)?;
    }
    sink.finish()?;
    let mut texts: Vec<String> = unreadable.iter().map(Failure::to_string).collect();
    if !errors.is_empty() {
        texts.push(queues::listed(&errors));
    }
    if texts.is_empty() { Ok(()) } else { Err(Failure::input(texts.join("\n"))) }
}

/// The one queue that is asked for as a native file; warnings go to stderr.
fn native(files: &[QueuesFile], name: Option<&str>) -> Result<String, Failure> {
    use std::io::Write;
    let all: Vec<&QueueSpec> = files.iter().flat_map(|file| &file.specs).collect();
    let found: Vec<&QueueSpec> =
        all.iter().copied().filter(|spec| name.is_none_or(|name| spec.name == name)).collect();
    let names: Vec<&str> = all.iter().map(|spec| spec.name.as_str()).collect();
    let [spec] = found.as_slice() else {
        let what = if found.is_empty() { "no queue has that name" } else { "there is more than one queue" };
        return Err(Failure::input(format!("{what}: give --name one of {}", names.join(", "))));
    };
    for warning in files.iter().flat_map(|file| &file.warnings) {
        let _ = writeln!(std::io::stderr(), "warning: {warning}");
    }
    Ok(format!("{}\n", write_queue(spec)))
}

/// Everything there is to say about the queues of a file.
fn explain_file(path: &str, file: &QueuesFile) -> String {
    let mut text: String = file.specs.iter().map(|spec| explain(path, spec)).collect();
    // A queue ends with an empty line; what is said of the whole file stands before it.
    text.truncate(text.trim_end_matches('\n').len());
    text.push('\n');
    for warning in &file.warnings {
        text.push_str(&format!("warning: {warning}\n"));
    }
    text.push('\n');
    text
}

/// Everything there is to say about a queue, with line feeds.
fn explain(path: &str, spec: &QueueSpec) -> String {
    let compiled = CompiledQueue::new(spec.clone());
    let shape = &compiled.shape;
    let mut lines = vec![("teams", meaning::teams(spec))];
    lines.push(("sizes", format!("{} players in a match", sizes::legal_sizes(shape))));
    lines.extend(meaning::limits(spec, shape));
    let (index, why) = compiled.index;
    lines.push(("index", format!("{}: {why}", index_word(index))));
    let mut out = format!("{path}: queue {:?}\n", spec.name);
    for (label, text) in &lines {
        out.push_str(&format!("  {label:<11} {text}\n"));
    }
    if !spec.attributes.is_empty() {
        out.push_str("\nAttributes\n");
        for attribute in &spec.attributes {
            out.push_str(&format!("  {:<11} {}\n", attribute.name, meaning::attribute(attribute)));
        }
    }
    let costs = largest_costs(spec, shape);
    if !spec.rules.is_empty() {
        out.push_str("\nRules\n");
        for rule in &spec.rules {
            out.push_str(&format!("  {:<11} {}\n", rule.name, meaning::rule(spec, shape, rule)));
        }
        out.push_str(&window_table(spec));
        out.push_str(&cost_table(spec, &costs));
    }
    for warning in shares::unbounded(spec, &costs) {
        out.push_str(&format!("warning: {warning}\n"));
    }
    out.push('\n');
    out
}

/// The word that queue files use for an index.
const fn index_word(index: IndexChoice) -> &'static str {
    match index {
        IndexChoice::Auto => "auto",
        IndexChoice::Sorted => "sorted",
        IndexChoice::KdTree => "kdtree",
        IndexChoice::Linear => "linear",
    }
}

/// What each rule allows by age: a row for age 0 and for every change below the timeout.
fn window_table(spec: &QueueSpec) -> String {
    // At the timeout itself nobody is left to be matched.
    let last = spec.timeout.map(|timeout| Millis(timeout.0.saturating_sub(1)));
    let mut rows = Vec::new();
    let mut thinned = Vec::new();
    for rule in &spec.rules {
        let (changes, left_out) = ages(rule, last);
        rows.extend(changes);
        if left_out {
            thinned.push(rule.name.as_str());
        }
    }
    rows.sort_unstable();
    rows.dedup();
    let mut table = tables::table();
    let header = std::iter::once("age s").chain(spec.rules.iter().map(|rule| rule.name.as_str()));
    table.set_header(header);
    for age in rows {
        let cells = spec.rules.iter().map(|rule| cell(rule, window_at(rule, age)));
        table.add_row(std::iter::once(age.to_string()).chain(cells));
    }
    tables::align_right(&mut table, 0..=0);
    let mut text = format!("\nWindows by waiting time\n{}", tables::text(&table));
    if !thinned.is_empty() {
        text.push_str(&format!("  (not every step of {} is shown)\n", thinned.join(", ")));
    }
    text
}

/// How much each rule can add to the cost at most.
fn cost_table(spec: &QueueSpec, costs: &[Largest]) -> String {
    let mut table = tables::table();
    table.set_header(["rule", "weight", "largest cost", "largest share"]);
    for ((rule, cost), share) in spec.rules.iter().zip(costs).zip(shares::shares(costs)) {
        let cost = match cost {
            Largest::Bounded(cost) => short(*cost),
            Largest::Unbounded => "no bound".to_owned(),
        };
        let share = share.map_or("-".to_owned(), |share| format!("{share:.1} %"));
        table.add_row([rule.name.clone(), rule.weight.to_string(), cost, share]);
    }
    tables::align_right(&mut table, 1..=3);
    format!("\nCost of a match\n{}", tables::text(&table))
}
