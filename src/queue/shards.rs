//! The shards of one queue by the values that all tickets of a shard agree in.
//!
//! Used by `running`. Invariant: a number stays with its key while a waiting ticket names it; then it may be given
//! to another key, so keys that never come again (build numbers, lobby codes) fill nothing up over weeks.

use crate::shard::sketch::Sketches;
use crate::shard::{Geometry, Shard};
use crate::store::tickets::Tickets;
use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::hash::BuildHasher;

/// Shards beyond twice the waiting tickets that may stand empty before they are swept out.
const IDLE_MAX: usize = 64;

/// The shards of a queue.
pub(super) struct Shards {
    all: Vec<Shard>,
    /// The values of each shard's key, side by side.
    keys: Vec<i64>,
    /// The numbers of the shards that have a key, by its hash.
    numbers: HashTable<u32>,
    free: Vec<u32>,
    /// Of all tickets that stand in a shard, by row, if searches want them.
    sketches: Sketches,
    /// Trees that were built in shards swept out since.
    rebuilds_before: u64,
}

impl Default for Shards {
    fn default() -> Shards {
        Shards {
            all: Vec::new(),
            keys: Vec::new(),
            numbers: HashTable::new(),
            free: Vec::new(),
            sketches: Sketches::default(),
            rebuilds_before: 0,
        }
    }
}

impl Shards {
    /// The number of the shard with that key; a new key gets an empty one. All keys have as many values.
    pub(super) fn number_of(&mut self, key: &[i64], geometry: &Geometry) -> u32 {
        let of =
            |keys: &[i64], number: u32| -> u64 { hash(&keys[number as usize * key.len()..][..key.len()]) };
        let is_same = |&number: &u32| self.keys[number as usize * key.len()..][..key.len()] == *key;
        if let Some(&number) = self.numbers.find(hash(key), is_same) {
            return number;
        }
        let number = match self.free.pop() {
            Some(number) => {
                self.keys[number as usize * key.len()..][..key.len()].copy_from_slice(key);
                number
            }
            None => {
                self.all.push(Shard::new(geometry));
                self.keys.extend_from_slice(key);
                self.all.len() as u32 - 1
            }
        };
        let keys = &self.keys;
        self.numbers.insert_unique(hash(key), number, |&number| of(keys, number));
        number
    }

    /// The shard of that number.
    pub(super) fn get(&self, number: u32) -> &Shard {
        &self.all[number as usize]
    }

    /// The shard of that number, to take tickets in and out.
    pub(super) fn get_mut(&mut self, number: u32) -> &mut Shard {
        &mut self.all[number as usize]
    }

    /// Takes a ticket into a shard, for some regions.
    pub(super) fn insert(
        &mut self,
        number: u32,
        geometry: &Geometry,
        tickets: &Tickets,
        row: u32,
        regions: u64,
    ) {
        if geometry.has_sketches() {
            self.sketches.set(tickets, row);
        }
        self.all[number as usize].insert_within(geometry, tickets, row, regions);
    }

    /// The sketches of tickets, of a queue whose searches want them.
    pub(super) fn sketches(&self) -> &Sketches {
        &self.sketches
    }

    /// All shards, the empty ones included.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Shard> {
        self.all.iter()
    }

    /// Takes many tickets out of all shards at once, those whose rows are set in `gone`, bit by bit.
    pub(super) fn remove_all(&mut self, gone: &[u64]) {
        for shard in self.all.iter_mut().filter(|shard| !shard.is_empty()) {
            let was_able = shard.remove_all(gone);
            debug_assert!(was_able, "a shard from which tickets are taken one by one");
        }
    }

    /// How often a tree was built, and the points that trees do not hold yet. Cost: linear in the shards.
    pub(super) fn tree(&self) -> (u64, u64) {
        let trees = self.all.iter().map(Shard::tree);
        trees.fold((self.rebuilds_before, 0), |sum, tree| (sum.0 + tree.0, sum.1 + tree.1))
    }

    /// Sweeps out the shards that no waiting ticket names, if there are many. `named`: of every one of so many waiting
    /// tickets.
    pub(super) fn tidy(&mut self, geometry: &Geometry, waiting: usize, named: impl Iterator<Item = u32>) {
        if self.numbers.len() <= IDLE_MAX + 2 * waiting {
            return;
        }
        let mut is_named = vec![false; self.all.len()];
        named.for_each(|number| is_named[number as usize] = true);
        self.numbers.retain(|number| is_named[*number as usize]);
        self.free.clear();
        // The least number is given out first, whatever the order of the map.
        for number in (0..self.all.len()).rev().filter(|&number| !is_named[number]) {
            debug_assert!(self.all[number].is_empty(), "shard {number} holds tickets that do not wait");
            self.rebuilds_before += self.all[number].tree().0;
            self.all[number].reset(geometry);
            self.free.push(number as u32);
        }
    }
}

/// The hash of a key: the same in every run and on every machine.
fn hash(key: &[i64]) -> u64 {
    FixedState::with_seed(0).hash_one(key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::compile::CompiledQueue;
    use crate::rules::spec::QueueSpec;

    #[test]
    fn keys_that_never_come_again_fill_nothing_up() {
        let geometry = Geometry::new(&CompiledQueue::new(QueueSpec::new("q", 2, 2)));
        let mut shards = Shards::default();
        let kept = shards.number_of(&[-1], &geometry);
        for key in 0..10_000 {
            shards.number_of(&[key], &geometry);
            shards.tidy(&geometry, 1, [kept].into_iter());
        }
        assert_eq!(shards.number_of(&[-1], &geometry), kept);
        assert!(shards.all.len() <= IDLE_MAX + 3, "{} shards", shards.all.len());
    }
}
