//! Days of traffic, simulated: every answer and every event checked against what a host must believe.
//!
//! - `dice`: the seeded source of chance
//! - `field`: the queues and tickets that are drawn
//! - `world`: the belief, and the events to come
//! - `run`: what the hosts do, step by step
//!
//! A run that fails prints its seed and the command that repeats it. `EVENMATCH_SEED` runs one seed only,
//! `EVENMATCH_STEPS` makes runs longer or shorter.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a run whose own calls are refused has failed")]
#![allow(unreachable_pub, reason = "modules of a test")]

mod dice;
mod field;
mod run;
mod world;

use field::{KINDS, Kind};
use run::{Plan, run};
use std::collections::BTreeSet;

/// Says how to repeat a run when it fails.
struct Repeat {
    test: &'static str,
    seed: u64,
}

impl Drop for Repeat {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!(
                "seed {}; to repeat it: EVENMATCH_SEED={} cargo test --test sim {} -- --exact --nocapture",
                self.seed, self.seed, self.test
            );
        }
    }
}

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable}={text} is no number")))
}

/// Runs `each` for the seeds of a test, or for the one that the environment names.
fn seeds(test: &'static str, seeds: std::ops::Range<u64>, each: impl Fn(u64)) {
    let one = number("EVENMATCH_SEED");
    let chosen = one.map_or(seeds, |seed| seed..seed + 1);
    for seed in chosen {
        let _repeat = Repeat { test, seed };
        each(seed);
    }
}

fn steps(default: u32) -> u32 {
    number("EVENMATCH_STEPS").map_or(default, |steps| steps as u32)
}

#[test]
fn days_of_traffic() {
    seeds("days_of_traffic", 0..16, |seed| drop(run(&Plan::new(seed, steps(250)))));
}

#[test]
fn each_kind_of_queue_alone() {
    seeds("each_kind_of_queue_alone", 100..121, |seed| {
        let kinds = vec![KINDS[seed as usize % KINDS.len()]];
        run(&Plan { kinds, players: 250, ..Plan::new(seed, steps(120)) });
    });
}

#[test]
fn duels_of_many_players() {
    seeds("duels_of_many_players", 200..204, |seed| {
        let kinds = vec![Kind::HybridDuel, Kind::OddDuel, Kind::HybridDuel];
        run(&Plan { kinds, players: 2000, ..Plan::new(seed, steps(200)) });
    });
}

#[test]
fn small_capacities_fill_up() {
    seeds("small_capacities_fill_up", 300..312, |seed| {
        let capacity = 1 + (seed as u32 * 7) % 24;
        let retained = (seed as u32 * 5) % 10;
        run(&Plan { capacity, retained, ..Plan::new(seed, steps(200)) });
    });
}

#[test]
fn step_budgets_only_delay() {
    seeds("step_budgets_only_delay", 400..408, |seed| {
        run(&Plan { budgets: true, ..Plan::new(seed, steps(250)) });
    });
}

#[test]
fn ticks_before_next_due_change_nothing() {
    seeds("ticks_before_next_due_change_nothing", 500..508, |seed| {
        run(&Plan { shadow: true, ..Plan::new(seed, steps(200)) });
    });
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    seeds("the_same_seed_gives_the_same_bytes", 600..604, |seed| {
        let plan = Plan::new(seed, steps(150));
        let (first, second) = (run(&plan), run(&plan));
        for (line, (one, other)) in first.iter().zip(&second).enumerate() {
            assert_eq!(one, other, "line {line}");
        }
        assert_eq!(first.len(), second.len());
        assert!(first.iter().any(|line| line.starts_with("Match")), "the run made no match at all");
    });
}

#[test]
fn the_seeds_draw_every_kind() {
    let drawn: BTreeSet<String> =
        (0..16).flat_map(|seed| Plan::new(seed, 0).kinds).map(|kind| format!("{kind:?}")).collect();
    assert_eq!(drawn.len(), KINDS.len());
}
