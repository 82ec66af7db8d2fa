//! `evenmatch check`: says what queue files mean, or everything that is wrong with them.
//!
//! Invariant: every file is looked at, whatever is wrong with the others; the exit code is 2 if any has an
//! error.

use crate::failure::Failure;
use crate::meaning;
use crate::queues;
use crate::shares::{self, Largest, short};
use crate::sink::Sink;
use crate::sizes;
use crate::tables;
use crate::windows::{ages, cell, window_at};
use clap::Args;
use evenmatch::config::ConfigError;
use evenmatch::model::ids::Millis;
use evenmatch::rules::compile::CompiledQueue;
use evenmatch::rules::spec::{IndexChoice, QueueSpec};

/// Say what queue files mean, or what is wrong with them.
///
/// Prints the teams, the legal sizes of a match, each rule in words, what each rule allows by waiting time,
/// the index that searches use, and how much each rule counts. Errors come all at once, each with its place
/// in the file and a remedy. Exit code 0, or 2 if a file has an error.
#[derive(Args)]
#[command(after_help = "Example: evenmatch check duel.json ranked.json")]
pub(crate) struct CheckArguments {
    /// The queue files.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
}

/// Looks at every file.
pub(crate) fn check(arguments: &CheckArguments) -> Result<(), Failure> {
    let mut sink = Sink::open("-")?;
    let mut errors = Vec::new();
    let mut unreadable = Vec::new();
    for path in &arguments.files {
        match queues::read(path) {
            Ok(Ok(file)) => sink.text(&explain(path, &file.spec, &file.warnings))?,
            Ok(Err(found)) => errors.extend(found),
            Err(failure) => unreadable.push(failure),
        }
    }
    sink.finish()?;
    let mut texts: Vec<String> = unreadable.iter().map(Failure::to_string).collect();
    if !errors.is_empty() {
        texts.push(queues::listed(&errors));
    }
    if texts.is_empty() { Ok(()) } else { Err(Failure::input(texts.join("\n"))) }
}

/// Everything there is to say about a queue, with line feeds.
fn explain(path: &str, spec: &QueueSpec, found: &[ConfigError]) -> String {
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
    let costs = shares::largest_costs(spec, shape);
    if !spec.rules.is_empty() {
        out.push_str("\nRules\n");
        for rule in &spec.rules {
            out.push_str(&format!("  {:<11} {}\n", rule.name, meaning::rule(spec, shape, rule)));
        }
        out.push_str(&window_table(spec));
        out.push_str(&cost_table(spec, &costs));
    }
    let warnings = found.iter().map(ConfigError::to_string).chain(shares::warnings(spec, &costs));
    for warning in warnings {
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
