//! The definition of `oldest_first`: every set of tickets, every split, the judge.
//!
//! Called by tests as the oracle of the engine. Best is the match whose oldest ticket is oldest; then the one
//! with more players; then the cheaper; then the one with the lexicographically smallest list of submit
//! numbers; and of its splits at that cost the one with the least spread of team averages, then the
//! lexicographically smallest list of team positions. Cost: (teams + 1)^tickets splits at the most.

use super::chosen::{ChosenMatch, Contest, OracleError, Pool};
use crate::model::ids::Millis;
use crate::rules::check::{Judge, JudgedTicket};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The most tickets of a pool that is enumerated.
pub const TICKETS_MAX: usize = 12;
/// The most ways to give every ticket of a pool a team or none.
pub const SPLITS_MAX: u64 = 1 << 20;

/// The best match that `pool` allows at `now` with the regions in `down` down; `None` if none is legal.
///
/// Errors: a pool of more than [`TICKETS_MAX`] tickets or more than [`SPLITS_MAX`] splits; a ticket that cannot
/// be read.
pub fn best_match(
    judge: &Judge,
    pool: &[JudgedTicket<'_>],
    now: Millis,
    down: &[&str],
) -> Result<Option<ChosenMatch>, OracleError> {
    let pool = enumerable(judge, pool, now, down)?;
    let nobody = BTreeSet::new();
    Ok(pool.by_age.iter().find_map(|&anchor| best_of(&pool, anchor, &nobody)))
}

/// The matches of a tick: the best one, then the best among the rest, until none is left.
///
/// Errors: as [`best_match`].
pub fn all_matches(
    judge: &Judge,
    pool: &[JudgedTicket<'_>],
    now: Millis,
    down: &[&str],
) -> Result<Vec<ChosenMatch>, OracleError> {
    let pool = enumerable(judge, pool, now, down)?;
    Ok(pool.all_by_anchor(|anchor, taken| best_of(&pool, anchor, taken)))
}

/// Whether a pool of so many tickets is small enough for a queue with so many declared teams.
pub fn is_enumerable(teams: usize, tickets: usize) -> bool {
    let ways = (teams as u64 + 1).checked_pow(tickets as u32);
    tickets <= TICKETS_MAX && ways.is_some_and(|ways| ways <= SPLITS_MAX)
}

pub(super) fn enumerable<'a>(
    judge: &'a Judge,
    pool: &[JudgedTicket<'_>],
    now: Millis,
    down: &'a [&'a str],
) -> Result<Pool<'a>, OracleError> {
    if !is_enumerable(judge.team_count(), pool.len()) {
        return Err(OracleError::PoolTooLarge);
    }
    Pool::new(judge, pool, now, down)
}

/// The best match whose oldest ticket is `anchor`.
pub(super) fn best_of(pool: &Pool<'_>, anchor: usize, taken: &BTreeSet<usize>) -> Option<ChosenMatch> {
    let younger = pool.younger(anchor, taken);
    let players = |tickets: &[usize]| tickets.iter().map(|&index| pool.facts[index].size()).sum::<u32>();
    let mut sets: Vec<Vec<usize>> = (0..1_u32 << younger.len())
        .map(|chosen| {
            let with = younger.iter().enumerate().filter(|(bit, _)| chosen >> bit & 1 == 1);
            pool.in_submit_order(with.map(|(_, &index)| index).chain([anchor]).collect())
        })
        .filter(|set| pool.judge.check_sizes(set.len(), players(set)).is_ok())
        .collect();
    // The largest first, so that the smaller ones need no look once a larger one is legal.
    sets.sort_by_key(|set| Reverse(players(set)));
    let mut contest = Contest::new(pool);
    for set in &sets {
        contest.consider(set);
    }
    contest.into_best()
}

#[cfg(test)]
mod tests;
