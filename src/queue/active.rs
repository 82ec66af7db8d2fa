//! When a ticket stands in its shard: which shard is its own, and while some region is within its ping window.
//!
//! Part of `running`. Invariant: an active ticket is in the index of its shard under the values that it has, or noted
//! to be put there before the next search of the index; and the timer of a ticket whose regions may still come or go is
//! set. So a ticket that is matched in the tick in which it comes never stands in the index, where passes choose many
//! matches at once (`choose`) or go by strips.

use super::running::{RunningQueue, is_set};
use crate::base::room;
use crate::model::ids::Millis;
use crate::rules::compile::{CompiledQueue, Kind};
use crate::rules::spec::WindowAge;

impl RunningQueue {
    pub(super) fn shard_of(&mut self, row: u32) -> u32 {
        if self.partition.is_empty() && self.has_shard {
            return 0;
        }
        self.has_shard = true;
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
        let Some(next) = next else {
            self.standings[row as usize].has_activation = false;
            return;
        };
        let seniority = self.tickets.seniority(row);
        let at = seniority.enqueued.after(next);
        if self.activation(row) != Some(at) {
            self.activations.set(at, seniority.submit_number, row);
            self.standings[row as usize].has_activation = true;
            self.activation_at.set(row, at);
        }
    }

    /// A ticket has been put into its shard or changed there: it is indexed before the next search of the index, unless it
    /// is matched until then, and no plan made before is of use for it.
    fn put_off_index(&mut self, row: u32, regions: u64) -> bool {
        if self.is_suspended || (self.choice.is_none() && self.strip_rules.is_none()) {
            return false;
        }
        room::grow(&mut self.unindexed);
        self.unindexed.push((row, regions));
        if let Some(mark) = self.choice.as_mut().and_then(|choice| choice.marks.get_mut(row as usize)) {
            *mark = 0;
        }
        true
    }

    /// Puts into the index of its shard what is not in it yet.
    pub(super) fn index_all(&mut self) {
        let mut unindexed = std::mem::take(&mut self.unindexed);
        // The last word on a ticket counts.
        for &(row, regions) in unindexed.iter().rev() {
            let standing = &mut self.standings[row as usize];
            if standing.is_active && !std::mem::replace(&mut standing.is_indexed, true) {
                let shard = standing.shard;
                self.shards.insert(shard, &self.geometry, &self.tickets, row, regions);
            }
        }
        room::empty(&mut unindexed);
        self.unindexed = unindexed;
    }

    /// Those who stand in their shard and not in its index, with their regions; of several words on one the last counts.
    pub(super) fn not_indexed(&self) -> impl Iterator<Item = (u32, u64)> + Clone {
        self.unindexed.iter().copied().filter(|&(row, _)| {
            let standing = &self.standings[row as usize];
            standing.is_active && !standing.is_indexed
        })
    }

    /// When a ticket's regions next come or go, as far as a timer is set for that.
    pub(super) fn activation(&self, row: u32) -> Option<Millis> {
        self.standings[row as usize].has_activation.then(|| self.activation_at.get(row))
    }

    pub(super) fn deactivate(&mut self, row: u32) {
        self.standings[row as usize].is_active = false;
        if std::mem::take(&mut self.standings[row as usize].is_indexed) {
            let shard = self.standings[row as usize].shard;
            self.shards.get_mut(shard).remove(&self.geometry, &self.tickets, row);
        }
    }

    /// The greatest ping that a region may ever have, where a ticket stands in its shard for all of these regions from the
    /// first; the greatest number: any.
    pub(super) fn ping_ever(compiled: &CompiledQueue, wakes_for_pairs: bool) -> Option<i64> {
        let rule = &compiled.rules[compiled.region_rule?];
        let Kind::Region(window) = &rule.kind else { return None };
        let greatest = window.greatest(compiled.age_end());
        let is_from_first = rule.age != WindowAge::Mutual || wakes_for_pairs;
        is_from_first.then_some(if greatest.vanishes { i64::MAX } else { greatest.limit })
    }

    /// The regions that a ticket can be matched in at `age`, as a bit mask, and the age at which that may change. Where
    /// the window goes by another ticket's age, or tickets wake for pairs, those within the greatest window; all bits
    /// without a region rule.
    fn activity(&self, row: u32, age: Millis) -> (u64, Option<Millis>) {
        let Some(index) = self.compiled.region_rule else { return (u64::MAX, None) };
        let rule = &self.compiled.rules[index];
        let Kind::Region(window) = &rule.kind else { return (u64::MAX, None) };
        if let Some(limit) = self.ping_ever {
            return (self.tickets.regions_where(row, |ping| ping <= limit), None);
        }
        let pings = self.tickets.pings(row);
        let limit = window.at(age).bound().unwrap_or(i64::MAX);
        let next = pings.iter().filter_map(|&ping| window.next_crossing(age, ping)).min();
        (self.tickets.regions_where(row, |ping| ping <= limit), next)
    }

    /// When some ticket's regions next come or go.
    pub(super) fn next_activation(&mut self) -> Option<Millis> {
        let (tickets, standings, at) = (&self.tickets, &self.standings, &self.activation_at);
        let last = |row: u32| standings[row as usize].has_activation.then(|| at.get(row));
        self.activations.first(|timer| is_set(tickets, standings, timer, last)).map(|timer| timer.at)
    }
}
