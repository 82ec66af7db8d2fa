//! What the two selections cost: the same flow of single players, one against one over four regions, a thousand or ten
//! thousand a tick, through the matcher alone.
//!
//! `cargo bench --bench select`; `-- --test` runs everything once and small; `-- --tickets 10000 --times 40` says how
//! much. Taking tickets in and the tick itself are timed apart; the door, submits and polls, is not part of it. The
//! selections and the kinds of queue take turns within one run, since the machine's own speed drifts. Scenarios:
//!
//! - `hybrid`: skill and ping loosen with the wait, both have weight: a sweep with repair;
//! - `free`: the same, ping without weight;
//! - `chain`: one region for all, one window, ping without weight: the exact chain.
//!
//! The mean difference of skill and the mean cost stand beside the times, and a hash of all matches.
#![allow(clippy::unwrap_used, reason = "a bench that cannot be set up stops")]

use evenmatch::Millis;
use evenmatch::base::board::Board;
use evenmatch::base::crew::Crew;
use evenmatch::claim::commit::Claims;
use evenmatch::config::read_queue;
use evenmatch::model::ids::{QueueId, Seniority};
use evenmatch::queue::matcher::{Input, Matcher};
use evenmatch::queue::regions::RegionOrder;
use evenmatch::queue::running::Arrival;
use evenmatch::rules::compile::CompiledQueue;
use evenmatch::rules::spec::Selection;
use evenmatch::store::tickets::TicketValues;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;
use std::time::{Duration, Instant};

#[cfg(feature = "cli")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const MICROS: i64 = 1_000_000;

fn queue(scenario: &str, selection: Selection) -> Arc<CompiledQueue> {
    let (window, ping) = match scenario {
        "hybrid" => {
            (r#""max": 50, "expand": { "power": { "factor": 4.5, "exponent": 1.35, "cap": 600 } }"#, 1)
        }
        "free" => (r#""max": 50, "expand": { "power": { "factor": 4.5, "exponent": 1.35, "cap": 600 } }"#, 0),
        _ => (r#""max": 100"#, 0),
    };
    let text = format!(
        r#"{{ "name": "q", "teams": [ {{ "name": "side", "count": 2, "players": 1 }} ],
            "attributes": {{ "skill": {{ "type": "number", "default": 1500, "decimals": 0 }} }},
            "rules": [ {{ "name": "skill", "type": "difference", "attribute": "skill", {window} }},
                       {{ "name": "ping", "type": "region", "max_ms": 120, "weight": {ping} }} ],
            "timeout_s": 120 }}"#
    );
    let mut spec = read_queue(&text).unwrap();
    spec.selection = selection;
    Arc::new(CompiledQueue::new(spec))
}

fn players(scenario: &str, count: usize, seed: u64) -> Vec<TicketValues> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let player = |_| {
        let sum: f64 = (0..12).map(|_| random.random::<f64>()).sum();
        let skill = (1500.0 + 350.0 * (sum - 6.0)).clamp(0.0, 3000.0) as i64;
        let home: u8 = random.random_range(0..4);
        let ping = |region: u8| match (region == home, scenario) {
            (true, _) | (_, "chain") => (region, random.random_range(30..81) * MICROS),
            _ => (region, random.random_range(80..251) * MICROS),
        };
        let pings = (0..4).map(ping).collect();
        TicketValues { size: 1, numbers: vec![skill * MICROS], pings, ..TicketValues::default() }
    };
    (0..count).map(player).collect()
}

/// What a run came to.
#[derive(Default)]
struct Run {
    took_in: Vec<Duration>,
    ticks: Vec<Duration>,
    hash: u64,
    matched: usize,
    gap: f64,
    cost: f64,
}

/// Plays `times` ticks of `tickets` each.
fn run(scenario: &str, selection: Selection, tickets: usize, times: usize, threads: usize) -> Run {
    let queue = queue(scenario, selection);
    let claims = Claims::new((tickets * (times + 1)) as u32);
    let mut board = Board::new();
    let _crew = Crew::start(threads - 1, &mut board).unwrap();
    let mut matcher = Matcher::new(6_000);
    let id = QueueId(1);
    matcher.take_in(Input::AddQueue(id, Arc::clone(&queue)), Millis(0), &claims);
    let rank = std::array::from_fn(|region| region as u8);
    let order = RegionOrder { rank, ..RegionOrder::default() };
    matcher.take_in(Input::Regions(id, Arc::new(order), u64::MAX), Millis(0), &claims);
    let mut run = Run { hash: 0xcbf2_9ce4_8422_2325, ..Run::default() };
    let mut submit_number = 0;
    for tick in 0..times {
        let values = players(scenario, tickets, tick as u64);
        let now = Millis(100 * tick as u64 + 100);
        let ids: Vec<_> = values
            .iter()
            .map(|_| {
                let ticket = claims.allocate().unwrap();
                assert!(claims.publish(ticket));
                ticket
            })
            .collect();
        matcher.outcome.clear();
        let start = Instant::now();
        for (at, (values, &ticket)) in values.iter().zip(&ids).enumerate() {
            submit_number += 1;
            let enqueued = Millis(now.0 - 100 + 100 * at as u64 / tickets as u64);
            let deadline = Some(enqueued.after(Millis(120_000)));
            let arrival =
                Arrival { id: ticket, seniority: Seniority { enqueued, submit_number }, deadline, values };
            matcher.take_in(Input::Arrive(id, arrival), now, &claims);
        }
        run.took_in.push(start.elapsed());
        let start = Instant::now();
        matcher.tick(now, 0, &claims, &mut board.jobs());
        run.ticks.push(start.elapsed());
        let outcome = &matcher.outcome;
        let mut fold = |word: u64| run.hash = (run.hash ^ word).wrapping_mul(0x0100_0000_01b3);
        outcome
            .placements
            .iter()
            .for_each(|placed| fold(u64::from(placed.id.slot()) << 8 | u64::from(placed.position)));
        fold(outcome.steps);
        run.matched += outcome.placements.len();
        for found in &outcome.matches {
            run.gap += found.quality.skill_spread.map_or(0.0, |spread| spread.to_f64());
            run.cost += found.quality.cost.to_f64();
        }
    }
    run
}

fn middle(times: &[Duration], tickets: usize) -> f64 {
    let mut times: Vec<f64> = times.iter().map(|time| time.as_nanos() as f64 / tickets as f64).collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let is_test = arguments.iter().any(|argument| argument == "--test");
    let number = |name: &str, default: usize| {
        let at = arguments.iter().position(|argument| argument == name);
        at.map_or(default, |at| arguments[at + 1].parse().unwrap())
    };
    let sizes = match (is_test, number("--tickets", 0)) {
        (true, _) => vec![300],
        (false, 0) => vec![1_000, 10_000],
        (false, tickets) => vec![tickets],
    };
    let times = if is_test { 3 } else { number("--times", 40) };
    for tickets in sizes {
        for scenario in ["hybrid", "free", "chain"] {
            for selection in [Selection::OldestFirst, Selection::LeastCost] {
                let alone = run(scenario, selection, tickets, times, 1);
                let two = run(scenario, selection, tickets, times, 2);
                assert_eq!(alone.hash, two.hash, "{scenario}: other matches with two threads");
                assert!(alone.matched * 100 >= tickets * times * 90, "most of a dense flow is matched");
                let matches = alone.matched as f64 / 2.0;
                println!(
                    "{scenario}/{tickets} {selection:?}: take in {:.0} ns a ticket, tick {:.0} ns, with two threads \
                     {:.0} ns; matched {:.2} %, mean gap {:.2}, mean cost {:.2}; hash {:016x}",
                    middle(&alone.took_in, tickets),
                    middle(&alone.ticks, tickets),
                    middle(&two.ticks, tickets),
                    100.0 * alone.matched as f64 / (tickets * times) as f64,
                    alone.gap / matches,
                    alone.cost / matches,
                    alone.hash
                );
            }
        }
    }
}
