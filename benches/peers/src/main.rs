//! Other ways to match players, on the same trace in the same run as evenmatch.
//!
//! `cargo run --release --manifest-path benches/peers/Cargo.toml -- 1000 10000`. Everybody waits when the clock starts;
//! each peer matches all of them once, oldest first where it has an order, by the rules of one queue: one against one,
//! both players' windows of skill, and a region within 120 ms of both. Peers take turns, so that the machine's moods
//! meet all of them, and each one's least time is told, without what other processes took where the system says so.
//! Every pair is judged by evenmatch's independent judge, which shares no code with its engine.

mod judge;
mod peers;
#[allow(dead_code, reason = "the harness also tells what it leaves out")]
#[path = "../../../src/bin/evenmatch/bench/stopwatch.rs"]
mod stopwatch;
mod table;
mod trace;

use clap::Parser;
use peers::{Answer, Peer};
use std::process::ExitCode;
use table::Line;
use trace::Trace;

/// The allocator of evenmatch's own binary, for all.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Runs peers and evenmatch on one trace, judges all, and writes a table.
#[derive(Parser)]
#[command(about)]
struct Arguments {
    /// Tickets that wait, one run for each count.
    #[arg(value_name = "TICKETS", default_values_t = [1_000, 10_000])]
    sizes: Vec<usize>,
    /// Peers whose time grows with the square of the tickets are left out above so many.
    #[arg(long, value_name = "TICKETS", default_value_t = 10_000)]
    square_max: usize,
    /// Turns of each peer; one whose turn takes ten seconds has no second one.
    #[arg(long, value_name = "COUNT", default_value_t = 3)]
    repeat: u32,
    /// Another number brings other players.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// Leave out the peer that needs node.
    #[arg(long)]
    no_node: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut is_legal = true;
    for &size in &arguments.sizes {
        let trace = Trace::new(size, arguments.seed);
        let lines = run(&trace, &arguments);
        is_legal &= lines
            .iter()
            .all(|line| line.verdict.as_ref().is_none_or(|verdict| !line.is_ours || verdict.illegal == 0));
        println!("{}", table::markdown(&trace, &lines));
    }
    if is_legal { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// All peers on one trace, by turns.
fn run(trace: &Trace, arguments: &Arguments) -> Vec<Line> {
    let mut peers = peers::all(trace);
    peers.retain(|peer| !(arguments.no_node && peer.name() == peers::COLYSEUS));
    let mut lines: Vec<Line> = peers.iter().map(|peer| Line::of(peer.as_ref())).collect();
    let mut is_over = vec![false; peers.len()];
    for turn in 0..arguments.repeat.max(1) {
        for (place, peer) in peers.iter_mut().enumerate() {
            if is_over[place] {
                continue;
            }
            if peer.is_square() && trace.tickets.len() > arguments.square_max {
                lines[place].note =
                    format!("left out above {} tickets; see --square-max", arguments.square_max);
                is_over[place] = true;
                continue;
            }
            match take_turn(peer.as_mut(), trace) {
                Ok(answer) => {
                    is_over[place] = answer.total().as_secs() >= 10;
                    if turn == 0 {
                        lines[place].verdict = Some(judge::judge(trace, &answer.pairs));
                    }
                    lines[place].take(answer);
                }
                Err(why) => {
                    lines[place].note = why;
                    is_over[place] = true;
                }
            }
        }
    }
    lines
}

fn take_turn(peer: &mut dyn Peer, trace: &Trace) -> Result<Answer, String> {
    peer.prepare(trace)?;
    peer.run(trace)
}
