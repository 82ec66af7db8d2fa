//! Any set of tickets as a match, judged by all rules: the fallback of whatever is quicker, and its measure.
//!
//! Invariant: a set that is let through is legal, and its cost is that of its cheapest split.

use crate::assemble::quality::judge_set;
use crate::assemble::scene::Scene;
use crate::assemble::teams::{Goal, Splitter};

/// A set that makes a legal match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Judged {
    /// Its players.
    pub(super) players: u32,
    /// Its cost times its players, in units of 10^-12.
    pub(super) cost: i128,
}

impl Judged {
    /// The cost of the match in units of 10^-12, rounded down: what totals are made of.
    pub(super) fn match_cost(&self) -> i128 {
        self.cost / i128::from(self.players.max(1))
    }
}

/// Whether sizes alone let `tickets` tickets with `players` players be a match whose oldest ticket is `oldest`.
pub(super) fn sizes_fit(scene: &Scene<'_>, oldest: u32, tickets: usize, players: u32) -> bool {
    let shape = &scene.queue.shape;
    shape.is_legal_total(players)
        && shape.enough_tickets(tickets, players)
        && (players == shape.full || !scene.needs_full_match(oldest))
}

/// Judges a set, sorted by seniority; `None`: not legal. All states must be known.
pub(super) fn judge(scene: &Scene<'_>, splitter: &mut Splitter, set: &[u32]) -> Option<Judged> {
    let players = set.iter().map(|&row| scene.tickets.size(row)).sum();
    if !sizes_fit(scene, *set.first()?, set.len(), players) {
        return None;
    }
    let terms = judge_set(scene, set)?;
    let split = splitter.split(scene, set, &terms, Goal::Cheapest).0?;
    Some(Judged { players, cost: terms.cost + split.cost })
}
