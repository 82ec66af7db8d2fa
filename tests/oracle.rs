//! The engine against the definitions of part 4: random small queues of every kind against the enumeration, and
//! the two kinds of queue in which the engine must be exact at any size against their plain definitions.
//!
//! Cases come from fixed seeds and shrink. `ORACLE_CASES=5000 cargo test --test oracle` plays more of them, and
//! `ORACLE_SEED=7` others; a failure prints both.

mod oracle {
    pub(crate) mod driver;
    pub(crate) mod evening;
    pub(crate) mod queues;
    pub(crate) mod rules;
    pub(crate) mod shapes;
    pub(crate) mod tickets;
}

use evenmatch::assemble::exhaustive::{all_matches, best_match};
use evenmatch::assemble::free_for_all::free_for_all;
use evenmatch::assemble::pairs::pairs;
use evenmatch::model::ids::Millis;
use evenmatch::rules::check::Lineup;
use evenmatch::rules::spec::IndexChoice;
use oracle::driver::play;
use oracle::evening::Evening;
use oracle::queues::{any_queue, free_for_all_queue, pair_queue};
use oracle::tickets::{Case, large_case, small_case};
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngSeed, TestError, TestRunner};
use std::cmp::Reverse;

/// A number from the environment, or the one that is usual.
fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Runs `test` on `cases` random cases, shrinks the first that fails and says how to repeat it.
fn for_all<T: Strategy<Value = Case>>(
    name: &str,
    cases: u64,
    strategy: T,
    test: impl Fn(&Case) -> Result<(), String>,
) {
    let cases = setting("ORACLE_CASES", cases);
    let seed = setting("ORACLE_SEED", 1);
    let config = Config {
        cases: cases as u32,
        rng_seed: RngSeed::Fixed(seed),
        failure_persistence: None,
        max_shrink_iters: 2000,
        ..Config::default()
    };
    let outcome = TestRunner::new(config)
        .run(&strategy, |case| test(&case).map_err(proptest::test_runner::TestCaseError::fail));
    match outcome {
        Ok(()) => {}
        Err(TestError::Fail(reason, case)) => panic!(
            "{reason}\n{case:#?}\nrepeat: ORACLE_CASES={cases} ORACLE_SEED={seed} cargo test --test oracle {name}"
        ),
        Err(TestError::Abort(reason)) => panic!("no cases: {reason}"),
    }
}

const INDEXES: [IndexChoice; 4] =
    [IndexChoice::Auto, IndexChoice::Sorted, IndexChoice::KdTree, IndexChoice::Linear];

#[test]
fn every_match_of_the_enumeration_is_legal_and_costs_what_it_says() {
    for_all(
        "every_match_of_the_enumeration_is_legal_and_costs_what_it_says",
        300,
        small_case(any_queue(), false),
        |case| {
            let mut evening = Evening::new(case);
            for (tick, &now) in case.ticks.iter().enumerate() {
                evening.arrivals(tick);
                evening.expire(now);
                let chosen = evening.matches(now, all_matches)?;
                let pool = evening.pool();
                let down: Vec<&str> = evening.down.iter().copied().collect();
                let first =
                    best_match(&evening.judge, &pool, now, &down).map_err(|error| error.to_string())?;
                if first.as_ref() != chosen.first() {
                    return Err(format!("{first:?} is not the first of {chosen:?}"));
                }
                for chosen in &chosen {
                    let tickets: Vec<_> = chosen.tickets.iter().map(|&index| pool[index]).collect();
                    let region = chosen.region.as_deref();
                    let lineup = Lineup { tickets: &tickets, teams: &chosen.teams, region };
                    let verdict = evening.judge.check(&lineup, now, &down).map_err(|v| v.to_string())?;
                    if verdict.cost != chosen.cost {
                        return Err(format!("cost {} is not {}", verdict.cost, chosen.cost));
                    }
                }
                evening.take(&chosen);
            }
            Ok(())
        },
    );
}

/// The six criteria once more and as plainly as can be: every set, every split, the judge, the least key.
#[test]
fn the_enumeration_is_the_least_by_the_six_criteria() {
    for_all(
        "the_enumeration_is_the_least_by_the_six_criteria",
        300,
        small_case(any_queue(), false).prop_map(|mut case| {
            case.arrivals.truncate(4);
            case
        }),
        |case| {
            let mut evening = Evening::new(case);
            for (tick, &now) in case.ticks.iter().enumerate() {
                evening.arrivals(tick);
                evening.expire(now);
                let down: Vec<&str> = evening.down.iter().copied().collect();
                let pool = evening.pool();
                let best =
                    best_match(&evening.judge, &pool, now, &down).map_err(|error| error.to_string())?;
                let found = best.map(|best| (best.tickets, best.teams));
                let right = least_by_the_six_criteria(&evening, now, &down);
                if found != right {
                    return Err(format!("at {now}: found {found:?}, right is {right:?}"));
                }
            }
            Ok(())
        },
    );
}

fn least_by_the_six_criteria(
    evening: &Evening<'_>,
    now: Millis,
    down: &[&str],
) -> Option<(Vec<usize>, Vec<usize>)> {
    let (pool, judge) = (evening.pool(), &evening.judge);
    let mut seatings: Vec<Vec<Option<usize>>> = vec![Vec::new()];
    for _ in &pool {
        let seats = || (0..judge.team_count()).map(Some).chain([None]);
        let with = |seating: &Vec<_>| {
            seats().map(|seat| seating.iter().copied().chain([seat]).collect()).collect::<Vec<_>>()
        };
        seatings = seatings.iter().flat_map(with).collect();
    }
    let judged = seatings.iter().filter_map(|seating| {
        let seated: Vec<usize> = (0..pool.len()).filter(|&index| seating[index].is_some()).collect();
        let teams: Vec<usize> = seating.iter().copied().flatten().collect();
        let tickets: Vec<_> = seated.iter().map(|&index| pool[index]).collect();
        let regions = judge.legal_regions(&tickets, now, down).ok()?;
        let region = regions.first().map(|region| &*region.name);
        let verdict = judge.check(&Lineup { tickets: &tickets, teams: &teams, region }, now, down).ok()?;
        let facts: Result<Vec<_>, _> = tickets.iter().map(|ticket| judge.read(ticket, now)).collect();
        let facts = facts.ok()?;
        let facts: Vec<_> = facts.iter().collect();
        let spread = judge.check_split(&facts, &teams).ok()?.team_spread;
        let oldest = tickets.iter().map(|ticket| ticket.seniority).min()?;
        let players: usize = tickets.iter().map(|ticket| ticket.request.players.len()).sum();
        let numbers: Vec<u64> = tickets.iter().map(|ticket| ticket.seniority.submit_number).collect();
        Some(((oldest, Reverse(players), verdict.cost, numbers, spread, teams.clone()), (seated, teams)))
    });
    judged.min_by(|(a, _), (b, _)| a.cmp(b)).map(|(_, found)| found)
}

#[test]
fn the_definition_of_pairs_is_the_enumeration() {
    for_all("the_definition_of_pairs_is_the_enumeration", 300, small_case(pair_queue(), false), |case| {
        definitions_agree(case, pairs)
    });
}

#[test]
fn the_definition_of_free_for_all_is_the_enumeration() {
    for_all(
        "the_definition_of_free_for_all_is_the_enumeration",
        600,
        small_case(free_for_all_queue(), true),
        |case| definitions_agree(case, free_for_all),
    );
}

fn definitions_agree(case: &Case, definition: oracle::evening::Definition) -> Result<(), String> {
    let mut evening = Evening::new(case);
    for (tick, &now) in case.ticks.iter().enumerate() {
        evening.arrivals(tick);
        evening.expire(now);
        let right = evening.matches(now, all_matches)?;
        let found = evening.matches(now, definition)?;
        if found != right {
            return Err(format!("at {now}:\n  found {found:?}\n  right {right:?}"));
        }
        evening.take(&right);
    }
    Ok(())
}

#[test]
fn the_engine_equals_the_enumeration() {
    for_all("the_engine_equals_the_enumeration", 1500, small_case(any_queue(), false), |case| {
        play(case, all_matches, &INDEXES)
    });
}

#[test]
fn the_engine_equals_the_enumeration_in_queues_of_two_players() {
    for_all(
        "the_engine_equals_the_enumeration_in_queues_of_two_players",
        500,
        small_case(pair_queue(), false),
        |case| play(case, all_matches, &INDEXES),
    );
}

#[test]
fn the_engine_equals_the_enumeration_in_free_for_alls() {
    for_all(
        "the_engine_equals_the_enumeration_in_free_for_alls",
        500,
        small_case(free_for_all_queue(), true),
        |case| play(case, all_matches, &INDEXES),
    );
}

#[test]
fn the_engine_is_exact_for_two_thousand_tickets_in_pairs() {
    for_all(
        "the_engine_is_exact_for_two_thousand_tickets_in_pairs",
        3,
        large_case(pair_queue(), 2000, 2000, false),
        |case| play(case, pairs, &INDEXES),
    );
}

#[test]
fn the_engine_is_exact_for_two_thousand_tickets_in_free_for_alls() {
    for_all(
        "the_engine_is_exact_for_two_thousand_tickets_in_free_for_alls",
        3,
        large_case(free_for_all_queue(), 2000, 2000, true),
        |case| play(case, free_for_all, &INDEXES),
    );
}
