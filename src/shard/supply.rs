//! What the matches of a shard cannot do without: who brings it, and whether enough of it is within reach.
//!
//! Asked before an anchor is searched for. A total that every match must come to needs tickets that bring some of it;
//! one that no match may exceed needs tickets that bring none. Whoever brings it stands here in the order of the
//! leading value, so a look takes a binary search and as many of them as are needed. Invariant: a refusal is certain;
//! an assent says nothing, as region, value and age are asked of each ticket by itself.
//!
//! Why: of a million healers that wait for somebody to heal each would be searched for whenever a ticket comes that
//! could stand with it. The principle is the fail-first of Haralick and Elliott (1980), before any branch.

use crate::base::fixed::unit;
use crate::index::{IndexKind, PointIndex, Traits};
use crate::model::ids::Seniority;
use crate::model::limits::REGIONS_MAX;
use crate::rules::compile::{CompiledQueue, Kind, NO_VALUE, NumberHow};
use crate::rules::spec::TotalScope;
use crate::store::tickets::Tickets;

/// Something that every match needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Demand {
    slot: usize,
    kind: DemandKind,
}

#[derive(Clone, Copy, Debug)]
enum DemandKind {
    /// A sum of at least so much.
    Sum(i128),
    /// Players: so many, less those of the tickets that fit under the cap, at most so many tickets.
    Free { players: i128, tickets: i128 },
}

/// The demands of a queue that hold at every age.
pub(super) fn demands(queue: &CompiledQueue) -> Vec<Demand> {
    let least_players = i128::from(queue.shape.legal_totals().next().unwrap_or(0));
    let groups = &queue.shape.groups;
    let mut demands = Vec::new();
    for rule in &queue.rules {
        let Kind::Total(Some(slot), band, per) = &rule.kind else { continue };
        let (teams_most, teams_least) = match per {
            TotalScope::Match => (1, 1),
            TotalScope::Team => {
                (groups.iter().map(|g| g.count_max).sum(), groups.iter().map(|g| g.count_min).sum::<usize>())
            }
        };
        let attribute = &queue.spec.attributes[queue.numbers[*slot].attribute];
        let is_sum = queue.numbers[*slot].how == NumberHow::Sum;
        let never_negative = attribute.min.is_some_and(|min| min.micros() >= 0);
        if !is_sum || !never_negative {
            continue;
        }
        if let Some(least) = band.least_min(queue.age_end()) {
            let sum = i128::from(least.micros()) * teams_least as i128;
            demands.extend((sum > 0).then_some(Demand { slot: *slot, kind: DemandKind::Sum(sum) }));
        }
        if let Some(most) = band.greatest_max(queue.age_end()) {
            // Every ticket that brings some brings one step of the number at least.
            let step = i128::from(unit(attribute.decimals));
            let tickets = i128::from(most.micros()) * teams_most as i128 / step;
            let kind = DemandKind::Free { players: least_players, tickets };
            demands.push(Demand { slot: *slot, kind });
        }
    }
    demands
}

/// Who brings what is in demand.
#[derive(Debug)]
pub(super) struct Supply {
    demand: Demand,
    /// The bringers, by the leading value; those that have none.
    near: PointIndex,
    loose: PointIndex,
    /// What all of them bring.
    all: i128,
    /// The players of the largest ticket that brings some of a capped total, since the shard was last empty.
    largest: i128,
}

impl Supply {
    /// Nobody yet; `traits`: those of the shard's index.
    pub(super) fn new(demand: Demand, traits: Traits) -> Supply {
        let index = |weights: &[i64]| PointIndex::with(IndexKind::Sorted, weights, traits);
        Supply { demand, near: index(&[1]), loose: index(&[]), all: 0, largest: 0 }
    }

    /// What a ticket brings.
    fn brings(&self, tickets: &Tickets, row: u32) -> i128 {
        let amount = tickets.number(self.demand.slot, row);
        match self.demand.kind {
            DemandKind::Sum(_) => i128::from(amount.max(0)),
            DemandKind::Free { .. } if amount == 0 => i128::from(tickets.size(row)),
            DemandKind::Free { .. } => 0,
        }
    }

    /// Takes a ticket in, for some regions.
    pub(super) fn insert(
        &mut self,
        tickets: &Tickets,
        row: u32,
        lead: Option<usize>,
        regions: u64,
        is_first: bool,
    ) {
        if is_first {
            self.largest = 0;
        }
        let brings = self.brings(tickets, row);
        if brings == 0 {
            self.largest = self.largest.max(i128::from(tickets.size(row)));
            return;
        }
        self.all += brings;
        match value_of(tickets, row, lead) {
            NO_VALUE => self.loose.insert_masked(row, tickets.seniority(row), &[], regions),
            value => self.near.insert_masked(row, tickets.seniority(row), &[value], regions),
        }
    }

    pub(super) fn remove(&mut self, tickets: &Tickets, row: u32, lead: Option<usize>) {
        let brings = self.brings(tickets, row);
        if brings == 0 {
            return;
        }
        self.all -= brings;
        match value_of(tickets, row, lead) {
            NO_VALUE => self.loose.remove(row, tickets.seniority(row), &[]),
            value => self.near.remove(row, tickets.seniority(row), &[value]),
        };
    }

    /// The regions of a mask in which an anchor could be served by younger tickets between `low` and `high`.
    pub(super) fn serves(
        &self,
        tickets: &Tickets,
        anchor: u32,
        (low, high): (i64, i64),
        regions: u64,
    ) -> u64 {
        let needed = match self.demand.kind {
            DemandKind::Sum(sum) => sum,
            DemandKind::Free { players, tickets } => players - tickets.saturating_mul(self.largest),
        };
        let lacking = needed - self.brings(tickets, anchor);
        if lacking <= 0 {
            return regions;
        }
        if self.all < lacking {
            return 0;
        }
        let seniority = tickets.seniority(anchor);
        let (mut brought, mut left) = ([0_i128; REGIONS_MAX], regions);
        let mut take = |row: u32, other: Seniority, mask: u64| {
            let mut common = left & mask;
            if other > seniority && common != 0 {
                let brings = self.brings(tickets, row);
                while common != 0 {
                    let region = common.trailing_zeros() as usize;
                    common &= common - 1;
                    brought[region] += brings;
                    if brought[region] >= lacking {
                        left &= !(1 << region);
                    }
                }
            }
            left != 0
        };
        self.near.visit_masks_within_while(low, high, &mut take);
        self.loose.visit_masks_within_while(i64::MIN, i64::MAX, &mut take);
        regions & !left
    }
}

impl Supply {
    /// The number slot of which a match needs a sum; `None`: it needs those who bring nothing of it.
    pub(super) fn slot(&self) -> Option<usize> {
        matches!(self.demand.kind, DemandKind::Sum(_)).then_some(self.demand.slot)
    }

    /// Calls `visit`, while it answers that it goes on, for the bringers without a value to go by and for those between
    /// `low` and `high`.
    pub(super) fn visit(&self, low: i64, high: i64, mut visit: impl FnMut(u32, Seniority, u64) -> bool) {
        self.loose.visit_masks_within_while(i64::MIN, i64::MAX, &mut visit);
        self.near.visit_masks_within_while(low, high, &mut visit);
    }
}

fn value_of(tickets: &Tickets, row: u32, lead: Option<usize>) -> i64 {
    lead.map_or(NO_VALUE, |slot| tickets.number(slot, row))
}
