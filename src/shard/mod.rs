//! L5: the tickets of a queue that could meet, and the upkeep of their index.
//!
//! A shard holds the tickets of one queue that agree in every equality that can never be waived, while they are
//! acceptable in some region. One index serves all regions of a shard: a ticket carries a bit mask of them, since
//! most tickets can play in most of the regions near them, and an index for each region would hold each ticket
//! several times and find it as often. Invariant: a member is in exactly one of the two indexes, under the
//! coordinates that it was inserted with.

use crate::assemble::anchor::CostBound;
use crate::index::{Candidates, Cursor, Found, IndexKind, PointIndex, Query, SearchScratch};
use crate::model::ids::Seniority;
use crate::rules::compile::{CompiledQueue, DIMENSIONS_MAX, NO_VALUE};
use crate::rules::spec::IndexChoice;
use crate::store::tickets::Tickets;

/// Coordinates of a point: the differences, and the ping.
pub type Coordinates = [i64; DIMENSIONS_MAX + 1];

/// How the tickets of a queue become points.
#[derive(Clone, Debug)]
pub struct Geometry {
    kind: IndexKind,
    /// The number slot of each difference that is a dimension.
    slots: Vec<usize>,
    weights: Vec<i64>,
    has_ping: bool,
}

impl Geometry {
    /// The geometry that a queue asks for.
    pub fn new(queue: &CompiledQueue) -> Geometry {
        let kind = match queue.index.0 {
            IndexChoice::Linear => IndexKind::Linear,
            #[cfg(feature = "kdtree")]
            IndexChoice::KdTree => IndexKind::KdTree,
            _ => IndexKind::Sorted,
        };
        let slots = queue.dimensions.iter().map(|&(_, slot)| slot).collect();
        let twice = |&(rule, _): &(usize, usize)| queue.rules[rule].weight.saturating_mul(2);
        let mut weights: Vec<i64> = queue.dimensions.iter().map(twice).collect();
        let ping_weight = queue.region_rule.map_or(0, |rule| queue.rules[rule].weight);
        let has_ping = queue.index.0 == IndexChoice::KdTree && ping_weight > 0;
        if has_ping {
            weights.push(ping_weight);
        }
        Geometry { kind, slots, weights, has_ping }
    }

    /// How distances bound costs.
    pub fn bound(&self) -> CostBound {
        if self.has_ping { CostBound::WithPing } else { CostBound::Differences }
    }

    fn dimensions(&self) -> usize {
        self.weights.len()
    }

    /// The point of a ticket; `None`: it lacks a value.
    fn point(&self, tickets: &Tickets, row: u32) -> Option<Coordinates> {
        let mut point = Coordinates::default();
        for (coordinate, &slot) in point.iter_mut().zip(&self.slots) {
            *coordinate = tickets.number(slot, row);
            if *coordinate == NO_VALUE {
                return None;
            }
        }
        if self.has_ping {
            point[self.slots.len()] = tickets.pings(row).iter().min().copied().unwrap_or(0);
        }
        Some(point)
    }
}

/// The memory of a shard search.
#[derive(Default)]
pub struct ShardScratch {
    near: SearchScratch,
    loose: SearchScratch,
}

/// Tickets that could meet.
pub struct Shard {
    /// Tickets with a value in every dimension.
    near: PointIndex,
    /// Tickets that lack one, in the order of seniority.
    loose: PointIndex,
}

impl Shard {
    /// An empty shard.
    pub fn new(geometry: &Geometry) -> Shard {
        Shard {
            near: PointIndex::new(geometry.kind, &geometry.weights),
            loose: PointIndex::new(IndexKind::Sorted, &[]),
        }
    }

    /// How many tickets it holds.
    pub fn len(&self) -> usize {
        self.near.len() + self.loose.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How often its tree was built, and the points that it does not hold yet.
    pub fn tree(&self) -> (u64, u64) {
        (self.near.rebuilds(), self.near.overlay_len() as u64)
    }

    /// Takes a ticket in.
    pub fn insert(&mut self, geometry: &Geometry, tickets: &Tickets, row: u32) {
        let seniority = tickets.seniority(row);
        match geometry.point(tickets, row) {
            Some(point) => self.near.insert(row, seniority, &point[..geometry.dimensions()]),
            None => self.loose.insert(row, seniority, &[]),
        }
    }

    /// Takes a ticket out, whose values are those that it was taken in with.
    pub fn remove(&mut self, geometry: &Geometry, tickets: &Tickets, row: u32) {
        let seniority = tickets.seniority(row);
        let was_member = match geometry.point(tickets, row) {
            Some(point) => self.near.remove(row, seniority, &point[..geometry.dimensions()]),
            None => self.loose.remove(row, seniority, &[]),
        };
        debug_assert!(was_member, "row {row} was not in its shard");
    }

    /// The tickets younger than `anchor`, nearest first: by (distance, seniority, row).
    ///
    /// `reach`: for each difference of the geometry the greatest distance that the anchor allows. An anchor that
    /// lacks a value is equally near to all: then candidates come in any order, at distance 0.
    pub fn candidates<'a>(
        &'a self,
        geometry: &Geometry,
        tickets: &'a Tickets,
        anchor: u32,
        reach: &'a mut Reach,
        scratch: &'a mut ShardScratch,
    ) -> ShardCandidates<'a> {
        self.search(geometry, tickets, anchor, Some(tickets.seniority(anchor)), reach, scratch)
    }

    /// The same of all tickets, older and younger, `anchor` itself among them.
    pub fn candidates_of_any_age<'a>(
        &'a self,
        geometry: &Geometry,
        tickets: &'a Tickets,
        anchor: u32,
        reach: &'a mut Reach,
        scratch: &'a mut ShardScratch,
    ) -> ShardCandidates<'a> {
        self.search(geometry, tickets, anchor, None, reach, scratch)
    }

    fn search<'a>(
        &'a self,
        geometry: &Geometry,
        tickets: &'a Tickets,
        anchor: u32,
        younger_than: Option<Seniority>,
        reach: &'a mut Reach,
        scratch: &'a mut ShardScratch,
    ) -> ShardCandidates<'a> {
        let dimensions = geometry.dimensions();
        let point = geometry.point(tickets, anchor);
        reach.has_centre = point.is_some();
        reach.centre = point.unwrap_or_default();
        if geometry.has_ping {
            reach.centre[geometry.slots.len()] = 0;
        }
        if !reach.has_centre {
            reach.allowed = [i64::MAX; DIMENSIONS_MAX + 1];
        }
        let reach: &Reach = reach;
        let query =
            Query { centre: &reach.centre[..dimensions], reach: &reach.allowed[..dimensions], younger_than };
        let mut near = self.near.search(query, &mut scratch.near);
        let query = Query { centre: &[], reach: &[], younger_than };
        let mut loose = self.loose.search(query, &mut scratch.loose);
        let (next_near, next_loose) = (near.next(), loose.next());
        ShardCandidates { near, loose, next_near, next_loose, tickets, has_distances: reach.has_centre }
    }
}

/// How far an anchor's candidates may be, and where it is.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    /// For each dimension of the geometry the greatest distance that the anchor allows; `i64::MAX`: any.
    pub allowed: Coordinates,
    centre: Coordinates,
    has_centre: bool,
}

impl Default for Reach {
    /// Everything is allowed.
    fn default() -> Reach {
        Reach { allowed: [i64::MAX; DIMENSIONS_MAX + 1], centre: Coordinates::default(), has_centre: false }
    }
}

/// The two indexes of a shard as one sequence.
pub struct ShardCandidates<'a> {
    near: Cursor<'a>,
    loose: Cursor<'a>,
    next_near: Option<Found>,
    next_loose: Option<Found>,
    tickets: &'a Tickets,
    has_distances: bool,
}

impl ShardCandidates<'_> {
    /// Whether equal distances come by seniority; not so for an anchor that lacks a value.
    pub fn are_in_order(&self) -> bool {
        self.has_distances
    }
}

impl Candidates for ShardCandidates<'_> {
    fn next(&mut self) -> Option<Found> {
        let loose_first = match (self.next_near, self.next_loose) {
            (Some(near), Some(loose)) => {
                let order = |found: Found| (found.distance, self.tickets.seniority(found.item));
                order(loose) < order(near)
            }
            (None, _) => true,
            (Some(_), None) => false,
        };
        if loose_first {
            let next = self.loose.next();
            return std::mem::replace(&mut self.next_loose, next);
        }
        let next = self.near.next();
        let found = std::mem::replace(&mut self.next_near, next);
        found.map(|found| if self.has_distances { found } else { Found { distance: 0, ..found } })
    }
}
