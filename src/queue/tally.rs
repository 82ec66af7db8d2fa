//! What a running queue tells the accounts: who left it, and what its searches have counted.
//!
//! Called by `running` for each ticket that leaves and by the matcher once a tick. Invariant: what a search has
//! counted is told once.

use super::outcome::{Left, Tally};
use super::running::RunningQueue;
use crate::model::codes::EndReason;
use crate::model::ids::Millis;
use crate::rules::spec::IndexChoice;

impl RunningQueue {
    /// What the accounts are told of a ticket that leaves at `at`, and why it ends; `None`: it is matched.
    pub(super) fn departure(&self, row: u32, at: Millis, reason: Option<EndReason>) -> Left {
        Left {
            queue: self.id,
            id: self.tickets.id(row),
            at,
            wait: self.tickets.age(row, at),
            players: self.tickets.size(row),
            regions: self.tickets.regions(row),
            reason,
            starved: false,
        }
    }

    /// Takes what the searches have counted since the last call; `None`: nothing.
    pub(super) fn take_tally(&mut self) -> Option<Tally> {
        if self.tally.steps == 0 {
            return None;
        }
        let mut tally = std::mem::replace(&mut self.tally, Tally::new(self.id));
        let excluded = std::mem::take(&mut self.search.excluded);
        (tally.excluded, tally.excluded_by_limits) = (excluded.rules, excluded.limits);
        if self.compiled.index.0 == IndexChoice::KdTree {
            (tally.tree_rebuilds, tally.tree_overlay) = self.shards.tree();
        }
        Some(tally)
    }
}
