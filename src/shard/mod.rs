//! L5: the tickets of a queue that could meet, and the upkeep of their index.
//!
//! A shard holds the tickets of one queue that agree in every equality that can never be waived, while they are
//! acceptable in some region. One index serves all regions of a shard: a ticket carries a bit mask of them, since
//! most tickets can play in most of the regions near them, and an index for each region would hold each ticket
//! several times and find it as often. A shard makes its indexes once it holds more than a few tickets. Invariant: a
//! member is in exactly one of the two indexes, under the coordinates that it was inserted with, or among the few.
//!
//! | file | what |
//! | --- | --- |
//! | `candidates` | the tickets of a shard as one sequence |
//! | `few` | the tickets of a shard that has no index, as it has too few |
//! | `sketch` | what the pings of a pair come to, from below, without a look at its tickets |
//! | `supply` | who brings what every match needs |

mod candidates;
mod few;
pub mod sketch;
mod supply;

use crate::assemble::anchor::CostBound;
use crate::index::{Candidates, IndexKind, PointIndex, Query, SearchScratch, Traits};
use crate::model::ids::Seniority;
use crate::model::limits::REGIONS_MAX;
use crate::rules::compile::{CompiledQueue, DIMENSIONS_MAX, NO_VALUE};
use crate::rules::spec::{IndexChoice, Selection};
use crate::store::tickets::Tickets;
pub use candidates::ShardCandidates;
use candidates::Walk;
use few::{Few, FewQuery, Member};
use supply::{Demand, Supply};

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
    has_sketches: bool,
    traits: Traits,
    /// What every match needs.
    demands: Vec<Demand>,
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
        let traits = Traits { has_masks: queue.region_rule.is_some(), kernels: queue.kernels };
        // Partners by distance alone, whose pings weigh too.
        let goes_by_age = queue.spec.selection == Selection::OldestFirst;
        let has_sketches = !has_ping && ping_weight > 0 && queue.shape.full <= 2 && goes_by_age;
        Geometry { kind, slots, weights, has_ping, has_sketches, traits, demands: supply::demands(queue) }
    }

    /// How distances bound costs.
    pub fn bound(&self) -> CostBound {
        if self.has_ping { CostBound::WithPing } else { CostBound::Differences }
    }

    /// The number slot by which a sorted index orders the tickets; `None`: it orders them by no value.
    pub fn lead(&self) -> Option<usize> {
        let lead = self.weights.iter().position(|&weight| weight > 0)?;
        (self.kind == IndexKind::Sorted).then(|| self.slots.get(lead).copied()).flatten()
    }

    /// The greatest distance of two points that are at most so far apart in each dimension; `None`: any.
    pub fn farthest(&self, reach: &Reach) -> Option<u128> {
        let far = |(&weight, &reach): (&i64, &i64)| match (weight, reach) {
            (0, _) => Some(0),
            (_, i64::MAX) => None,
            (_, reach) => Some(u128::from(weight.unsigned_abs()) * u128::try_from(reach).unwrap_or(0)),
        };
        self.weights.iter().zip(&reach.allowed).map(far).sum()
    }

    /// The first dimension of values that have a weight, and its slot, whatever the kind of index.
    fn nearest_by(&self) -> Option<(usize, usize)> {
        let dimension = self.weights.iter().position(|&weight| weight > 0)?;
        self.slots.get(dimension).map(|&slot| (dimension, slot))
    }

    /// Whether searches want sketches of the tickets' pings.
    pub fn has_sketches(&self) -> bool {
        self.has_sketches
    }

    /// Whether distances tell how far apart values are, and nothing else.
    pub fn is_of_values(&self) -> bool {
        !self.has_ping
    }

    /// Whether it is known of some tickets that every match needs one of them.
    pub fn has_demands(&self) -> bool {
        !self.demands.is_empty()
    }

    /// Whether shards take many tickets out at once.
    pub fn takes_out_many(&self) -> bool {
        self.kind == IndexKind::Sorted && self.demands.is_empty()
    }

    fn dimensions(&self) -> usize {
        self.weights.len()
    }

    /// Where a point stands in the leading dimension; `NO_VALUE` for a ticket that has none.
    fn lead_of(&self, point: Option<&Coordinates>) -> i64 {
        let lead = self.weights.iter().position(|&weight| weight > 0);
        point.map_or(NO_VALUE, |point| lead.map_or(0, |lead| point[lead]))
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
pub struct Shard(Body);

/// What holds the tickets. A shard that has had many keeps its indexes, and their memory, however few are left.
enum Body {
    Few(Few),
    Many(Box<Many>),
}

/// Tickets in indexes.
struct Many {
    /// Tickets with a value in every dimension.
    near: PointIndex,
    /// Tickets that lack one, in the order of seniority.
    loose: PointIndex,
    /// In each region no ticket had a lesser ping since the shard was last empty.
    least_pings: [i64; REGIONS_MAX],
    /// Who brings what every match needs.
    supplies: Box<[Supply]>,
}

impl Many {
    fn new(geometry: &Geometry) -> Many {
        Many {
            near: PointIndex::with(geometry.kind, &geometry.weights, geometry.traits),
            loose: PointIndex::with(IndexKind::Sorted, &[], geometry.traits),
            least_pings: [i64::MAX; REGIONS_MAX],
            supplies: geometry.demands.iter().map(|&demand| Supply::new(demand, geometry.traits)).collect(),
        }
    }

    fn len(&self) -> usize {
        self.near.len() + self.loose.len()
    }

    fn insert(&mut self, geometry: &Geometry, tickets: &Tickets, row: u32, regions: u64) {
        let seniority = tickets.seniority(row);
        let is_first = self.len() == 0;
        if is_first {
            self.least_pings.fill(i64::MAX);
        }
        for supply in &mut self.supplies {
            supply.insert(tickets, row, geometry.lead(), regions, is_first);
        }
        let mut reached = tickets.regions(row);
        for &ping in tickets.pings(row) {
            let least = &mut self.least_pings[reached.trailing_zeros() as usize];
            *least = ping.min(*least);
            reached &= reached - 1;
        }
        match geometry.point(tickets, row) {
            Some(point) => {
                self.near.insert_masked(row, seniority, &point[..geometry.dimensions()], regions);
            }
            None => self.loose.insert_masked(row, seniority, &[], regions),
        }
    }

    fn remove(&mut self, geometry: &Geometry, tickets: &Tickets, row: u32) -> bool {
        let seniority = tickets.seniority(row);
        let was_member = match geometry.point(tickets, row) {
            Some(point) => self.near.remove(row, seniority, &point[..geometry.dimensions()]),
            None => self.loose.remove(row, seniority, &[]),
        };
        for supply in &mut self.supplies {
            supply.remove(tickets, row, geometry.lead());
        }
        was_member
    }
}

impl Shard {
    /// An empty shard. Takes no memory of its own.
    pub fn new(geometry: &Geometry) -> Shard {
        Shard(match geometry.kind {
            // The plain scan is the oracle of all else.
            IndexKind::Linear => Body::Many(Box::new(Many::new(geometry))),
            _ => Body::Few(Few::default()),
        })
    }

    /// How many tickets it holds.
    pub fn len(&self) -> usize {
        match &self.0 {
            Body::Few(few) => few.members().len(),
            Body::Many(many) => many.len(),
        }
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How often its tree was built, and the points that it does not hold yet.
    pub fn tree(&self) -> (u64, u64) {
        match &self.0 {
            Body::Few(_) => (0, 0),
            Body::Many(many) => (many.near.rebuilds(), many.near.overlay_len() as u64),
        }
    }

    /// Takes a ticket in, for all regions that it reaches.
    pub fn insert(&mut self, geometry: &Geometry, tickets: &Tickets, row: u32) {
        self.insert_within(geometry, tickets, row, tickets.regions(row));
    }

    /// Takes a ticket in, for some regions only: anchors that want none of them pass it over without a step. Who changes
    /// them takes the ticket out and in again.
    pub fn insert_within(&mut self, geometry: &Geometry, tickets: &Tickets, row: u32, regions: u64) {
        let few = match &mut self.0 {
            Body::Many(many) => return many.insert(geometry, tickets, row, regions),
            Body::Few(few) => few,
        };
        if few.is_full() {
            let mut many = Box::new(Many::new(geometry));
            few.members().iter().for_each(|of| many.insert(geometry, tickets, of.row, of.regions));
            many.insert(geometry, tickets, row, regions);
            self.0 = Body::Many(many);
            return;
        }
        let lead = geometry.lead_of(geometry.point(tickets, row).as_ref());
        // As an index without masks says.
        let regions = if geometry.traits.has_masks { regions } else { u64::MAX };
        few.insert(Member { lead, seniority: tickets.seniority(row), regions, row });
    }

    /// What the pings of a ticket and any other member come to in any region, at least. Changes only as tickets are taken
    /// in.
    pub fn least_pings(&self, tickets: &Tickets, row: u32) -> i64 {
        let Body::Many(many) = &self.0 else {
            return tickets.pings(row).iter().copied().min().unwrap_or(0);
        };
        let mut regions = tickets.regions(row);
        let sums = tickets.pings(row).iter().map(|ping| {
            let region = regions.trailing_zeros() as usize;
            regions &= regions - 1;
            ping.saturating_add(many.least_pings[region])
        });
        sums.min().unwrap_or(0)
    }

    /// Takes a ticket out, whose values are those that it was taken in with.
    pub fn remove(&mut self, geometry: &Geometry, tickets: &Tickets, row: u32) {
        let was_member = match &mut self.0 {
            Body::Few(few) => few.remove(row),
            Body::Many(many) => many.remove(geometry, tickets, row),
        };
        debug_assert!(was_member, "row {row} was not in its shard");
    }

    /// Becomes as it was made, while it is empty; what memory a few tickets took stays.
    pub fn reset(&mut self, geometry: &Geometry) {
        debug_assert!(self.is_empty(), "a shard that holds tickets");
        if let Body::Many(_) = self.0 {
            *self = Shard::new(geometry);
        }
    }

    /// Calls `visit(row, regions)` for every ticket with the regions that it stands here for, in no order that matters; all
    /// bits in a queue without a region rule.
    pub fn visit_regions(&self, mut visit: impl FnMut(u32, u64)) {
        match &self.0 {
            Body::Few(few) => few.members().iter().for_each(|of| visit(of.row, of.regions)),
            Body::Many(many) => {
                many.near.visit_masks(&mut visit);
                many.loose.visit_masks(visit);
            }
        }
    }

    /// Takes out many tickets at once, those whose rows are set in `gone`, bit by bit; `false`: tickets must be taken out
    /// one by one, and nothing was done.
    pub fn remove_all(&mut self, gone: &[u64]) -> bool {
        match &mut self.0 {
            Body::Few(few) => {
                few.remove_all(gone);
                true
            }
            Body::Many(many) => {
                many.supplies.is_empty() && many.near.remove_all(gone) && many.loose.remove_all(gone)
            }
        }
    }

    /// Whether the younger tickets that an anchor reaches could bring what a match of its needs; `false` is certain.
    pub fn serves(&self, geometry: &Geometry, tickets: &Tickets, anchor: u32, reach: &Reach) -> bool {
        if geometry.demands.is_empty() {
            return true;
        }
        let lead = geometry.lead();
        let value = lead.map_or(NO_VALUE, |slot| tickets.number(slot, anchor));
        let distance = match geometry.slots.iter().position(|&slot| Some(slot) == lead) {
            Some(dimension) if value != NO_VALUE => reach.allowed[dimension],
            _ => i64::MAX,
        };
        let span = match distance {
            i64::MAX => (i64::MIN, i64::MAX),
            distance => (value.saturating_sub(distance), value.saturating_add(distance)),
        };
        let Body::Many(many) = &self.0 else {
            // To search for so few takes no longer than to ask what they bring.
            return true;
        };
        // A match is played in one region, so all that it needs must be there. Without a region rule any bit will do.
        let mut regions = if geometry.traits.has_masks { reach.regions } else { 1 };
        for supply in &many.supplies {
            if regions == 0 {
                break;
            }
            regions = supply.serves(tickets, anchor, span, regions);
        }
        regions != 0
    }

    /// Calls `visit(row, seniority)` for every ticket whose value in [`Geometry::lead`] lies within `low..=high`, and
    /// for every one that lacks a value. Needs such a lead.
    pub fn visit_within(&self, low: i64, high: i64, mut visit: impl FnMut(u32, Seniority)) {
        self.visit_within_while(low, high, |row, seniority| {
            visit(row, seniority);
            true
        });
    }

    /// The same while `visit` answers that it goes on; whether it went through all.
    pub fn visit_within_while(
        &self,
        low: i64,
        high: i64,
        mut visit: impl FnMut(u32, Seniority) -> bool,
    ) -> bool {
        let mut goes_on = true;
        let mut visit = |row, seniority| {
            goes_on = goes_on && visit(row, seniority);
            goes_on
        };
        match &self.0 {
            Body::Few(few) => few.visit_within(low, high, |row, seniority| {
                visit(row, seniority);
            }),
            Body::Many(many) => {
                let is_ordered = many.near.visit_within_while(low, high, &mut visit);
                debug_assert!(is_ordered, "an index without a lead");
                many.loose.visit_within_while(i64::MIN, i64::MAX, visit);
            }
        }
        goes_on
    }

    /// The nearest values in [`Geometry::lead`] below `low` and above `high`. Needs such a lead.
    pub fn beyond(&self, low: i64, high: i64) -> [Option<i64>; 2] {
        match &self.0 {
            Body::Few(few) => few.beyond(low, high),
            Body::Many(many) => many.near.beyond(low, high).unwrap_or_default(),
        }
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
        let younger_than = Some(tickets.seniority(anchor));
        self.around(geometry, tickets, anchor, younger_than, reach, scratch)
    }

    /// The same with tickets of any age, the one itself included, unless `younger_than` says more.
    pub fn around<'a>(
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
        let sharing = geometry.traits.has_masks.then_some(reach.regions);
        let (walk, supplies): (_, &[Supply]) = match &self.0 {
            Body::Few(few) => {
                let query = FewQuery { reach, younger_than, sharing };
                (Walk::Few(few.ranked(geometry, tickets, &query)), &[])
            }
            Body::Many(many) => {
                let (centre, allowed) = (&reach.centre[..dimensions], &reach.allowed[..dimensions]);
                let query = Query { centre, reach: allowed, younger_than, sharing };
                let mut near = many.near.search(query, &mut scratch.near);
                let query = Query { centre: &[], reach: &[], younger_than, sharing };
                let mut loose = many.loose.search(query, &mut scratch.loose);
                let (next_near, next_loose) = (near.next(), loose.next());
                (Walk::Many { near, loose, next_near, next_loose }, &many.supplies)
            }
        };
        ShardCandidates {
            walk,
            tickets,
            has_distances: reach.has_centre,
            supplies,
            lead: geometry.nearest_by(),
            younger_than,
            reach,
            sharing,
        }
    }
}

/// How far an anchor's candidates may be, and where it is.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    /// For each dimension of the geometry the greatest distance that the anchor allows; `i64::MAX`: any.
    pub allowed: Coordinates,
    /// The regions that the anchor can be matched in, as a bit mask; in a queue without a region rule it is not asked.
    pub regions: u64,
    centre: Coordinates,
    has_centre: bool,
}

impl Default for Reach {
    /// Everything is allowed.
    fn default() -> Reach {
        Reach {
            allowed: [i64::MAX; DIMENSIONS_MAX + 1],
            regions: u64::MAX,
            centre: Coordinates::default(),
            has_centre: false,
        }
    }
}

#[cfg(test)]
mod tests;
