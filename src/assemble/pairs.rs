//! The definition of `oldest_first` for queues whose greatest match is two players, at any size.
//!
//! Called by tests as the oracle of the engine at thousands of tickets. Every anchor in age order is tried alone
//! and with every younger ticket, under all rules, through the judge.

use super::chosen::{ChosenMatch, Contest, OracleError, Pool};
use crate::model::ids::Millis;
use crate::rules::check::{Judge, JudgedTicket};

/// The matches of a tick at `now`, with the regions in `down` down. Cost: tickets squared.
///
/// Errors: a queue that allows more than two players; a ticket that cannot be read.
pub fn pairs(
    judge: &Judge,
    pool: &[JudgedTicket<'_>],
    now: Millis,
    down: &[&str],
) -> Result<Vec<ChosenMatch>, OracleError> {
    if judge.full_size().is_some_and(|players| players > 2) {
        return Err(OracleError::OtherKind("matches of more than two players"));
    }
    let pool = Pool::new(judge, pool, now, down)?;
    Ok(pool.all_by_anchor(|anchor, taken| {
        let mut contest = Contest::new(&pool);
        contest.consider(&[anchor]);
        for partner in pool.younger(anchor, taken) {
            contest.consider(&pool.in_submit_order(vec![anchor, partner]));
        }
        contest.into_best()
    }))
}
