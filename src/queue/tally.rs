//! What a running queue tells the accounts: who left it, and what its searches have counted.
//!
//! Called by `running` for each ticket that leaves and by the matcher once a tick. Invariant: what a search has
//! counted is told once.

use super::lives::mix;
use super::outcome::{Left, Tally};
use super::running::RunningQueue;
use super::view::{View, view_of};
use crate::assemble::scene::Exclusion;
use crate::model::codes::EndReason;
use crate::model::ids::Millis;
use crate::rules::spec::IndexChoice;

/// Pairs that one queue looks at in one tick for its counts of exclusions: chosen, a few microseconds.
const PAIRS_MAX: usize = 64;
/// Tickets that may have left since they were entered, before the draw of a pair is given up.
const TRIES_MAX: usize = 8;

impl RunningQueue {
    /// What the accounts are told of a ticket that leaves at `at`, and why it ends; `None`: it is matched.
    pub(super) fn departure(&self, row: u32, at: Millis, reason: Option<EndReason>) -> Left {
        let zeros = mix(self.tickets.submit_number(row)).trailing_zeros();
        Left {
            queue: self.id,
            id: self.tickets.id(row),
            zeros: zeros as u8,
            is_drawn: zeros >= self.drawn_from,
            at,
            wait: self.tickets.age(row, at),
            players: self.tickets.size(row),
            regions: self.tickets.regions(row),
            reason,
            starved: false,
        }
    }

    /// Looks at some pairs of a ticket on which something has happened and another that waits, and counts by which rule
    /// they are kept apart. The searches could not tell: an index leaves out what a rule would refuse.
    pub(super) fn sample_pairs(&mut self, now: Millis) {
        let fresh = self.fresh.len().min(PAIRS_MAX);
        for at in 0..fresh {
            let row = self.fresh[at];
            let Some(other) = self.other_than(row).filter(|_| self.standings[row as usize].is_live) else {
                continue;
            };
            let is_older = self.tickets.seniority(row) < self.tickets.seniority(other);
            let (older, younger) = if is_older { (row, other) } else { (other, row) };
            self.states.ensure(&self.compiled, &self.tickets, older);
            self.states.ensure(&self.compiled, &self.tickets, younger);
            let exclusion = view_of!(self, now).ground().scene(&self.states).exclusion(older, younger, older);
            self.tally.pairs += 1;
            match exclusion {
                None => {}
                Some(Exclusion::Rule(rule)) => self.tally.excluded[rule] += 1,
                Some(Exclusion::Limits) => self.tally.excluded_by_limits += 1,
            }
        }
    }

    /// Another waiting ticket, drawn by the mixed bits of this one's submit number.
    fn other_than(&self, row: u32) -> Option<u32> {
        let count = self.waiting.len();
        let drawn = mix(self.tickets.submit_number(row)) % (count as u64).max(1);
        let from = drawn as usize;
        let next = (from..count).chain(0..from).take(TRIES_MAX).map(|at| self.waiting[at]);
        let mut others = next.filter(|&(seniority, other)| other != row && self.holds(seniority, other));
        others.next().map(|(_, other)| other)
    }

    /// Takes what the searches have counted since the last call; `None`: nothing.
    pub(super) fn take_tally(&mut self) -> Option<Tally> {
        if self.tally.steps == 0 && self.tally.pairs == 0 {
            return None;
        }
        let mut tally = std::mem::replace(&mut self.tally, Tally::new(self.id));
        if self.compiled.index.0 == IndexChoice::KdTree {
            (tally.tree_rebuilds, tally.tree_overlay) = self.shards.tree();
        }
        Some(tally)
    }
}
