//! Which tickets of a queue could ever meet: components of a shard's tickets that share a region, directly or through
//! others.
//!
//! Asked by `parts` when a pass begins. A search looks at tickets that its anchor shares a region with, as far as the
//! index has them, and at no others; so what happens in one component is never seen in another. Invariant: regions
//! that some ticket stands in the index for stand in one group; groups are disjoint.
//!
//! Cost: a look at each member of the index, and another one if there is more than one component.

use super::shards::Shards;
use crate::model::limits::REGIONS_MAX;

/// Groups of one shard.
struct Groups {
    /// Masks of regions that are joined, disjoint; the first `count` of them.
    masks: [u64; REGIONS_MAX],
    count: usize,
}

impl Groups {
    /// Joins all groups that share a region with `regions`.
    fn join(&mut self, regions: u64) {
        if self.masks[..self.count].iter().any(|&mask| mask & regions == regions) {
            return;
        }
        let (mut joined, mut kept) = (regions, 0);
        for at in 0..self.count {
            let mask = self.masks[at];
            if mask & regions != 0 {
                joined |= mask;
            } else {
                self.masks[kept] = mask;
                kept += 1;
            }
        }
        self.masks[kept] = joined;
        self.count = kept + 1;
    }
}

/// The components of a queue.
#[derive(Default)]
pub(super) struct Components {
    /// By row; of rows that stand in no index, anything.
    of: Vec<u32>,
    count: usize,
    members: usize,
}

impl Components {
    /// Finds the components of all that stands in the shards, whose rows are below `row_end`. `besides`: those of the only
    /// shard who do not stand in its index. Returns whether there is more than one.
    pub(super) fn find(
        &mut self,
        shards: &Shards,
        besides: impl Iterator<Item = (u32, u64)> + Clone,
        row_end: u32,
    ) -> bool {
        (self.count, self.members) = (0, 0);
        if self.of.len() < row_end as usize {
            self.of.resize((row_end as usize).next_power_of_two(), 0);
        }
        let extra = besides.clone().count();
        let filled = || shards.iter().filter(|shard| extra > 0 || !shard.is_empty());
        let is_alone = filled().count() < 2;
        for shard in filled() {
            let mut groups = Groups { masks: [0; REGIONS_MAX], count: 0 };
            // One ticket is mostly like the last one.
            let mut last = 0;
            let mut join = |_, regions| {
                if regions != last {
                    last = regions;
                    groups.join(regions);
                }
            };
            shard.visit_regions(&mut join);
            besides.clone().for_each(|(row, regions)| join(row, regions));
            self.members += shard.len() + extra;
            if is_alone && groups.count < 2 {
                return false;
            }
            let mut group_of = [0; REGIONS_MAX];
            for (number, &mask) in (self.count as u32..).zip(&groups.masks[..groups.count]) {
                for (region, group) in group_of.iter_mut().enumerate() {
                    *group = if mask >> region & 1 == 1 { number } else { *group };
                }
            }
            let of = &mut self.of;
            let mut note = |row: u32, regions: u64| {
                of[row as usize] = group_of[regions.trailing_zeros() as usize % REGIONS_MAX];
            };
            shard.visit_regions(&mut note);
            besides.clone().for_each(|(row, regions)| note(row, regions));
            self.count += groups.count;
        }
        self.count > 1
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// How many tickets they have.
    pub(super) fn members(&self) -> usize {
        self.members
    }

    /// The number of the component of a row that stands in the index.
    pub(super) fn of(&self, row: u32) -> usize {
        self.of[row as usize] as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_are_joined_by_whoever_stands_in_two_of_them() {
        let mut groups = Groups { masks: [0; REGIONS_MAX], count: 0 };
        for (regions, expected) in [
            (0b0001, vec![0b0001]),
            (0b0110, vec![0b0001, 0b0110]),
            (0b1000, vec![0b0001, 0b0110, 0b1000]),
            (0b0010, vec![0b0001, 0b0110, 0b1000]),
            (0b1001, vec![0b0110, 0b1001]),
            (1 << 63, vec![0b0110, 0b1001, 1 << 63]),
            (u64::MAX, vec![u64::MAX]),
        ] {
            groups.join(regions);
            assert_eq!(groups.masks[..groups.count], expected, "after {regions:b}");
        }
    }
}
