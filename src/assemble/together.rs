//! The definition of `least_cost` for small pools: every set of disjoint legal matches, by enumeration with the judge.
//!
//! Called by tests as the oracle of the engine. Urgent tickets go first, oldest first, each with its best match as under
//! `oldest_first`. Of what is left those matches are made that take in the most players; of such sets of matches the
//! one with the least total cost, each match counted at its cost in units of 10^-12, rounded down; of these the one
//! whose matches, by their oldest tickets, have the lexicographically smallest lists of submit numbers. Cost: every set
//! of tickets is judged once, and 3^tickets pairs of disjoint ones are looked at.

use super::chosen::{ChosenMatch, Contest, OracleError, Pool};
use super::exhaustive::{best_of, enumerable};
use crate::model::ids::Millis;
use crate::rules::check::{Judge, JudgedTicket};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// What a set of disjoint matches is worth, best least: players, total cost, the matches' submit numbers.
type Worth = (Reverse<u32>, i128, Vec<Vec<u64>>);

/// The matches of a tick at `now`, with the regions in `down` down, by their oldest tickets. `is_urgent`: of each
/// ticket of the pool whether it goes first.
///
/// Errors: a pool that is too large, as under [`exhaustive`](super::exhaustive); a ticket that cannot be read.
pub fn together(
    judge: &Judge,
    pool: &[JudgedTicket<'_>],
    now: Millis,
    down: &[&str],
    is_urgent: impl Fn(usize) -> bool,
) -> Result<Vec<ChosenMatch>, OracleError> {
    let pool = enumerable(judge, pool, now, down)?;
    let mut taken = BTreeSet::new();
    let mut matches = Vec::new();
    for &anchor in pool.by_age.iter().filter(|&&index| is_urgent(index)) {
        if !taken.contains(&anchor)
            && let Some(found) = best_of(&pool, anchor, &taken)
        {
            taken.extend(found.tickets.iter().copied());
            matches.push(found);
        }
    }
    matches.extend(least_cost(&pool, &taken));
    matches.sort_by_key(|found| found.tickets.iter().map(|&index| pool.seniority(index)).min());
    Ok(matches)
}

/// What a set of matches is worth in total: the players, and the cost in units of 10^-12.
pub fn worth(pool: &[JudgedTicket<'_>], matches: &[ChosenMatch]) -> (u32, i128) {
    let players = |found: &ChosenMatch| -> u32 {
        found.tickets.iter().map(|&index| pool[index].request.players.len() as u32).sum()
    };
    let cost = |found: &ChosenMatch| found.cost / i128::from(players(found).max(1));
    (matches.iter().map(players).sum(), matches.iter().map(cost).sum())
}

/// The best set of disjoint matches among the tickets that are not taken.
fn least_cost(pool: &Pool<'_>, taken: &BTreeSet<usize>) -> Vec<ChosenMatch> {
    let free: Vec<usize> = pool.by_submit.iter().copied().filter(|index| !taken.contains(index)).collect();
    let members = |set: usize| (0..free.len()).filter(move |bit| set >> bit & 1 == 1);
    let legal: Vec<Option<ChosenMatch>> = (0..1_usize << free.len())
        .map(|set| {
            let tickets: Vec<usize> = members(set).map(|bit| free[bit]).collect();
            if tickets.is_empty() {
                return None;
            }
            let mut contest = Contest::new(pool);
            contest.consider(&tickets);
            contest.into_best()
        })
        .collect();
    let players = |set: usize| -> u32 { members(set).map(|bit| pool.facts[free[bit]].size()).sum() };
    let numbers = |set: usize| members(set).map(|bit| pool.submit_number(free[bit])).collect::<Vec<u64>>();
    // The best for each set of tickets: without its first ticket, or with a match of it.
    let mut best: Vec<(Worth, Vec<usize>)> = vec![((Reverse(0), 0, Vec::new()), Vec::new())];
    for all in 1..1_usize << free.len() {
        let first = all & all.wrapping_neg();
        let rest = all ^ first;
        let mut chosen = best[rest].clone();
        let mut with = rest;
        loop {
            let set = with | first;
            if let Some(found) = &legal[set] {
                let ((Reverse(others), cost, _), sets) = &best[all ^ set];
                let mut sets = sets.clone();
                sets.push(set);
                let oldest = |&set: &usize| members(set).map(|bit| pool.seniority(free[bit])).min();
                sets.sort_by_key(oldest);
                let own = found.cost / i128::from(players(set));
                let lists = sets.iter().map(|&set| numbers(set)).collect();
                let worth = (Reverse(others + players(set)), cost + own, lists);
                if worth < chosen.0 {
                    chosen = (worth, sets);
                }
            }
            if with == 0 {
                break;
            }
            with = (with - 1) & rest;
        }
        best.push(chosen);
    }
    let (_, sets) = best.pop().unwrap_or_default();
    sets.into_iter().filter_map(|set| legal[set].clone()).collect()
}
