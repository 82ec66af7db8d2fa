//! When a ticket stands in its shard: which shard is its own, and while some region is within its ping window.
//!
//! Part of `running`. Invariant: an active ticket is in the index of its shard under the values that it has, or noted
//! by `choose` to be put there before the next search; and the timer of a ticket whose regions may still come or go is set.

use super::running::{RunningQueue, is_set};
use crate::model::ids::Millis;
use crate::rules::compile::Kind;
use crate::rules::spec::WindowAge;

impl RunningQueue {
    pub(super) fn shard_of(&mut self, row: u32) -> u32 {
        self.key.clear();
        self.key.extend(self.partition.iter().map(|&slot| self.tickets.key(slot, row)));
        self.shards.number_of(&self.key, &self.geometry)
    }

    /// Puts a ticket into its shard if some region is within its window, and sets the timer for the next region
    /// that comes or goes.
    pub(super) fn activate(&mut self, row: u32, now: Millis) {
        let age = self.tickets.age(row, now);
        let (regions, next) = self.activity(row, age);
        if regions != 0 {
            self.standings[row as usize].is_active = true;
            if !self.put_off_index(row, regions) {
                let shard = self.standings[row as usize].shard;
                self.shards.insert(shard, &self.geometry, &self.tickets, row, regions);
                self.standings[row as usize].is_indexed = true;
            }
        }
        let seniority = self.tickets.seniority(row);
        let next = next.map(|next| seniority.enqueued.after(next));
        if let Some(at) = next.filter(|_| self.standings[row as usize].activation != next) {
            self.activations.set(at, seniority, row, self.tickets.id(row));
        }
        self.standings[row as usize].activation = next;
    }

    pub(super) fn deactivate(&mut self, row: u32) {
        self.standings[row as usize].is_active = false;
        if std::mem::take(&mut self.standings[row as usize].is_indexed) {
            let shard = self.standings[row as usize].shard;
            self.shards.get_mut(shard).remove(&self.geometry, &self.tickets, row);
        }
    }

    /// The regions that a ticket can be matched in at `age`, as a bit mask, and the age at which that may change. Where
    /// the window goes by another ticket's age, or tickets wake for pairs, those within the greatest window; all bits
    /// without a region rule.
    fn activity(&self, row: u32, age: Millis) -> (u64, Option<Millis>) {
        let Some(index) = self.compiled.region_rule else { return (u64::MAX, None) };
        let rule = &self.compiled.rules[index];
        let Kind::Region(window) = &rule.kind else { return (u64::MAX, None) };
        let pings = self.tickets.pings(row);
        if rule.age != WindowAge::Mutual || self.wakes_for_pairs {
            let greatest = window.greatest(self.compiled.age_end());
            let within = |ping| greatest.vanishes || ping <= greatest.limit;
            return (self.tickets.regions_where(row, within), None);
        }
        let limit = window.at(age).bound().unwrap_or(i64::MAX);
        let next = pings.iter().filter_map(|&ping| window.next_crossing(age, ping)).min();
        (self.tickets.regions_where(row, |ping| ping <= limit), next)
    }

    /// When some ticket's regions next come or go.
    pub(super) fn next_activation(&mut self) -> Option<Millis> {
        let (tickets, standings) = (&self.tickets, &self.standings);
        self.activations
            .first(|timer| is_set(tickets, standings, timer, |s| s.activation))
            .map(|timer| timer.at)
    }
}
