//! The command line: replays traffic, explains queue files, writes presets, makes traces and loads the engine.
//!
//! Players of the game never see it; it is the bench and the tuning tool of those who write queue files. It
//! uses the library's public API only, and it alone reads clocks, files and the terminal. Exit codes: 0 done,
//! 1 the machine refused something, 2 the input is not right.

mod bench;
mod check;
mod cities;
mod compare;
mod dice;
mod explain;
mod failure;
mod fillings;
mod format;
mod generate;
mod init;
mod meaning;
mod measure;
mod names;
mod pace;
mod page;
mod queues;
mod replay;
mod report;
mod run;
mod shares;
mod sink;
mod sizes;
mod spans;
mod summary;
mod tables;
mod targets;
mod terminal;
mod traffic;
mod watch;
mod why;
mod windows;

use clap::{Parser, Subcommand};
use failure::Failure;
use std::process::ExitCode;

/// The allocator of the binary only, mimalloc: the library never brings one into its host.
#[global_allocator]
static ALLOCATOR: bench::allocator::Counting = bench::allocator::Counting;

/// What was asked for on the command line.
#[derive(Parser)]
#[command(name = "evenmatch", version, about, long_about = LONG_ABOUT, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// The long form of `--help`.
const LONG_ABOUT: &str = "\
An embeddable matchmaking engine for games, as a command.

A queue file says who may meet whom: the teams, the rules, and how the rules loosen while players wait. A trace \
says who came when. `run` replays a trace through a queue and shows the matches that come out.

  evenmatch init hybrid_duel --out duel.json       a queue file to start from
  evenmatch check duel.json                        what it means, in words and tables
  evenmatch generate --queue duel.json --out evening.jsonl
  evenmatch run --queue duel.json evening.jsonl    the matches, and how good they are
  evenmatch explain --queue duel.json evening.jsonl --ticket t17    why a ticket waits
  evenmatch compare duel.json wider.json evening.jsonl --html page.html
  evenmatch bench duel                             what the engine costs on this machine";

/// The commands, one file each.
#[derive(Subcommand)]
enum Command {
    Run(run::RunArguments),
    Compare(compare::CompareArguments),
    Explain(explain::ExplainArguments),
    Check(check::CheckArguments),
    Init(init::InitArguments),
    Generate(generate::GenerateArguments),
    Bench(bench::BenchArguments),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Compare(arguments) => compare::compare(&arguments),
        Command::Explain(arguments) => explain::explain(&arguments),
        Command::Check(arguments) => check::check(&arguments),
        Command::Init(arguments) => init::init(&arguments),
        Command::Generate(arguments) => generate::generate(&arguments),
        Command::Bench(arguments) => bench::bench(&arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            report_failure(&failure);
            ExitCode::from(failure.exit_code())
        }
    }
}

/// Says on stderr what went wrong; a closed stderr is no reason to fail harder.
fn report_failure(failure: &Failure) {
    use std::io::Write;
    let text = failure.to_string();
    if !text.is_empty() {
        let _ = writeln!(std::io::stderr(), "evenmatch: {}", terminal::harmless(&text));
    }
}
