//! The `least_cost` selection: legal matches only, none left behind, urgent tickets first, and what the matches are
//! worth against the definition by enumeration and against the exact optimum.
//!
//! Cases come from fixed seeds and shrink. `LEAST_COST_CASES=5000 cargo test --test least_cost` plays more of them, and
//! `LEAST_COST_SEED=7` others; a failure prints both.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test whose own calls are refused has failed")]

mod crowd;
mod play;
mod quality;
#[path = "../oracle"]
#[allow(dead_code, reason = "shared with the oracle's own tests")]
mod oracle {
    pub(crate) mod evening;
    pub(crate) mod queues;
    pub(crate) mod rules;
    pub(crate) mod shapes;
    pub(crate) mod tickets;
}

use evenmatch::model::ids::Millis;
use evenmatch::rules::spec::{IndexChoice, QueueSpec, Selection};
use oracle::queues::{any_queue, free_for_all_queue, pair_queue};
use oracle::tickets::{Case, large_case, small_case};
use play::{Worth, play};
use proptest::option::weighted;
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngSeed, TestError, TestRunner};
use std::cell::RefCell;

/// A number from the environment, or the one that is usual.
fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Runs `test` on `cases` random cases, shrinks the first that fails and says how to repeat it. Returns what all of them
/// were worth.
fn for_all(
    name: &str,
    cases: u64,
    strategy: impl Strategy<Value = Case>,
    test: impl Fn(&Case) -> Result<Worth, String>,
) -> Worth {
    let cases = setting("LEAST_COST_CASES", cases);
    let seed = setting("LEAST_COST_SEED", 1);
    let config = Config {
        cases: cases as u32,
        rng_seed: RngSeed::Fixed(seed),
        failure_persistence: None,
        max_shrink_iters: 2000,
        ..Config::default()
    };
    let total = RefCell::new(Worth::default());
    let outcome = TestRunner::new(config).run(&strategy, |case| {
        let worth = test(&case).map_err(proptest::test_runner::TestCaseError::fail)?;
        total.borrow_mut().add(worth);
        Ok(())
    });
    match outcome {
        Ok(()) => {}
        Err(TestError::Fail(reason, case)) => panic!(
            "{reason}\n{case:#?}\nrepeat: LEAST_COST_CASES={cases} LEAST_COST_SEED={seed} \
             cargo test --test least_cost {name}"
        ),
        Err(TestError::Abort(reason)) => panic!("no cases: {reason}"),
    }
    let total = total.into_inner();
    println!("{name}: {total:?}");
    total
}

/// A queue with the selection, and now and then with an age of its own from which tickets are urgent.
fn least_cost(queue: impl Strategy<Value = QueueSpec>) -> impl Strategy<Value = QueueSpec> {
    (queue, weighted(0.4, 0..=15_u64)).prop_map(|(mut spec, urgent_s)| {
        spec.selection = Selection::LeastCost;
        spec.urgent_after = urgent_s.map(|seconds| Millis(1000 * seconds));
        spec
    })
}

const INDEXES: [IndexChoice; 3] = [IndexChoice::Sorted, IndexChoice::KdTree, IndexChoice::Linear];

/// Plays a case with each kind of index that a queue file may ask for, which changes nothing; what it is worth.
fn play_all(case: &Case, small: bool) -> Result<Worth, String> {
    let mut first = None;
    for index in INDEXES {
        let worth = play(case, index, small).map_err(|error| format!("with {index:?}: {error}"))?;
        match first {
            Some(first) if first != worth => {
                return Err(format!("{worth:?} with {index:?}, {first:?} before"));
            }
            _ => first = Some(worth),
        }
    }
    Ok(first.unwrap_or_default())
}

#[test]
fn small_pools_in_pairs_are_worth_what_the_definition_is() {
    let worth = for_all(
        "small_pools_in_pairs_are_worth_what_the_definition_is",
        600,
        small_case(least_cost(pair_queue()), false),
        |case| play_all(case, true),
    );
    assert!(worth.players * 1000 >= worth.players_best * 995, "{worth:?}");
}

#[test]
fn small_pools_of_every_kind_leave_no_match_behind() {
    let worth = for_all(
        "small_pools_of_every_kind_leave_no_match_behind",
        600,
        small_case(least_cost(any_queue()), false),
        |case| play_all(case, true),
    );
    assert!(worth.players * 1000 >= worth.players_best * 995, "{worth:?}");
}

#[test]
fn small_free_for_alls_leave_no_match_behind() {
    for_all(
        "small_free_for_alls_leave_no_match_behind",
        300,
        small_case(least_cost(free_for_all_queue()), true),
        |case| play_all(case, true),
    );
}

#[test]
fn two_thousand_tickets_in_pairs_are_matched_legally() {
    for_all(
        "two_thousand_tickets_in_pairs_are_matched_legally",
        6,
        large_case(least_cost(pair_queue()), 2000, 2000, false),
        |case| play_all(case, false),
    );
}
