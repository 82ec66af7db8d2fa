//! L3: who is near. Points in, candidates out, nearest first.
//!
//! A shard keeps its members here as points and the assembler pulls candidates from a cursor; an index knows
//! coordinates, seniorities and row numbers, and nothing of tickets. All kinds give the same sequence for the same
//! members: ascending by (distance, seniority, item), distances being exact integers. Any kind takes any number
//! of dimensions, none included; the choice of a kind changes the time a search takes and nothing else.
//!
//! Which kind wins where (`benches/index`, ten nearest within +-100, 10,000 / 100,000 members; the tree's time over
//! the column's, so above 1 the column wins):
//!
//! | members and queries | skill | skill + ping | two skills + ping |
//! | --- | --- | --- | --- |
//! | dense | 12 / 21 | 0.5 / 0.13 | 0.36 / 0.06 |
//! | sparse tail | 14 / 16 | 23 / 11 | 18 / 27 |
//! | flood, 7 in 10 equal | 17 / 33 | 0.06 / 0.008 | 0.03 / 0.012 |
//! | only the youngest tenth | 9 / 14 | 3.4 / 1.3 | 2.5 / 0.8 |
//! | one replaced, one search | 6 / 8 | 0.7 / 0.2 | 0.24 / 0.11 |
//!
//! So one weighted dimension takes the column, always. Two or more take the tree where the pool is dense, because
//! the column must pass all that is near in its leading dimension; searches that drop most candidates by age, and
//! thin tails, favour the column again. The list takes 400 times the column's time at 10,000 members. The
//! machine was busy with other work: ratios below 2 say little.
//!
//! | file | what |
//! | --- | --- |
//! | `candidates` | the query, the cursor trait, the exact metric |
//! | `sorted`, `chunk`, `outward` | the chunked sorted column and its search |
//! | `kdtree`, `buckets`, `overlay` | kiddo's tree over buckets of equal points (feature `kdtree`) |
//! | `linear` | the oracle |

#[cfg(feature = "kdtree")]
mod buckets;
mod candidates;
mod chunk;
#[cfg(feature = "kdtree")]
mod kdtree;
mod linear;
mod outward;
#[cfg(feature = "kdtree")]
mod overlay;
mod sorted;

pub use candidates::{Candidates, Found, Query};

use candidates::Ranked;
#[cfg(feature = "kdtree")]
use kdtree::{KdCursor, KdIndex, Merge};
use linear::{Linear, LinearCursor};
use outward::{Held, SortedCursor};
use sorted::SortedColumn;

use crate::model::ids::Seniority;
use crate::simd::Kernels;

/// Which structure holds the points.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IndexKind {
    /// The chunked column, sorted by the first dimension that has a weight.
    Sorted,
    /// kiddo's tree over the weighted dimensions; there only with the feature `kdtree`.
    #[cfg(feature = "kdtree")]
    KdTree,
    /// A plain list, ranked anew by every search: the oracle.
    Linear,
}

/// What an index is made with besides its dimensions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Traits {
    /// Whether points have masks that a search can ask for; each costs 8 bytes.
    pub has_masks: bool,
    /// The kernels of its searches.
    pub kernels: Kernels,
}

/// Points with a seniority each, of which the nearest can be asked.
#[derive(Debug)]
pub struct PointIndex(Shape);

#[derive(Debug)]
enum Shape {
    Sorted(SortedColumn),
    #[cfg(feature = "kdtree")]
    KdTree(Box<KdIndex>),
    Linear(Linear),
}

impl PointIndex {
    /// An empty index of one dimension for each of `weights` (0..=10^15, in units of 10^-6), without masks.
    ///
    /// A dimension of weight 0 orders nothing, but its reach still binds.
    pub fn new(kind: IndexKind, weights: &[i64]) -> PointIndex {
        PointIndex::with(kind, weights, Traits::default())
    }

    /// The same with traits of its own.
    pub fn with(kind: IndexKind, weights: &[i64], traits: Traits) -> PointIndex {
        PointIndex(match kind {
            IndexKind::Sorted => Shape::Sorted(SortedColumn::new(weights, traits.has_masks, traits.kernels)),
            #[cfg(feature = "kdtree")]
            IndexKind::KdTree => Shape::KdTree(Box::new(KdIndex::new(weights, traits.kernels))),
            IndexKind::Linear => Shape::Linear(Linear::new(weights)),
        })
    }

    /// The kind that was asked for.
    pub fn kind(&self) -> IndexKind {
        match &self.0 {
            Shape::Sorted(_) => IndexKind::Sorted,
            #[cfg(feature = "kdtree")]
            Shape::KdTree(_) => IndexKind::KdTree,
            Shape::Linear(_) => IndexKind::Linear,
        }
    }

    /// The number of members.
    pub fn len(&self) -> usize {
        match &self.0 {
            Shape::Sorted(index) => index.len(),
            #[cfg(feature = "kdtree")]
            Shape::KdTree(index) => index.len(),
            Shape::Linear(index) => index.len(),
        }
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a point: `coords` in units of 10^-6 within +-10^15, `item` not the item of another member. Its mask has
    /// every bit.
    pub fn insert(&mut self, item: u32, seniority: Seniority, coords: &[i64]) {
        self.insert_masked(item, seniority, coords, u64::MAX);
    }

    /// The same with a mask, by which searches can pass it over; an index without masks passes it over never.
    pub fn insert_masked(&mut self, item: u32, seniority: Seniority, coords: &[i64], mask: u64) {
        match &mut self.0 {
            Shape::Sorted(index) => index.insert(item, seniority, coords, mask),
            #[cfg(feature = "kdtree")]
            Shape::KdTree(index) => index.insert(item, seniority, coords, mask),
            Shape::Linear(index) => index.insert(item, seniority, coords, mask),
        }
    }

    /// Takes a point out that was inserted with the same three values; `false` if there is no such member.
    pub fn remove(&mut self, item: u32, seniority: Seniority, coords: &[i64]) -> bool {
        match &mut self.0 {
            Shape::Sorted(index) => index.remove(item, seniority, coords),
            #[cfg(feature = "kdtree")]
            Shape::KdTree(index) => index.remove(item, seniority, coords),
            Shape::Linear(index) => index.remove(item, seniority, coords),
        }
    }

    /// Calls `visit(item, seniority)` for every member whose coordinate in the leading dimension, the first with a
    /// weight, lies within `low..=high`. `false`: a kind that has no such order, nothing was visited.
    pub fn visit_within(&self, low: i64, high: i64, mut visit: impl FnMut(u32, Seniority)) -> bool {
        self.visit_within_while(low, high, |item, seniority| {
            visit(item, seniority);
            true
        })
    }

    /// The same while `visit` answers that it goes on.
    pub fn visit_within_while(&self, low: i64, high: i64, visit: impl FnMut(u32, Seniority) -> bool) -> bool {
        let Shape::Sorted(index) = &self.0 else { return false };
        index.visit_within(low, high, visit);
        true
    }

    /// The nearest coordinates of members in the leading dimension below `low` and above `high`; `None` for a kind
    /// that has no such order.
    pub fn beyond(&self, low: i64, high: i64) -> Option<[Option<i64>; 2]> {
        let Shape::Sorted(index) = &self.0 else { return None };
        Some(index.beyond(low, high))
    }

    /// How often a tree was built, each time allocating anew; 0 for kinds that are updated in place.
    pub fn rebuilds(&self) -> u64 {
        match &self.0 {
            #[cfg(feature = "kdtree")]
            Shape::KdTree(index) => index.rebuilds(),
            _ => 0,
        }
    }

    /// Points that no tree holds yet; 0 for kinds that are updated in place.
    pub fn overlay_len(&self) -> usize {
        match &self.0 {
            #[cfg(feature = "kdtree")]
            Shape::KdTree(index) => index.overlay_len(),
            _ => 0,
        }
    }

    /// Starts a search. It only reads the index: several threads may search at once, each with its own scratch.
    pub fn search<'a>(&'a self, query: Query<'a>, scratch: &'a mut SearchScratch) -> Cursor<'a> {
        Cursor(match &self.0 {
            Shape::Sorted(index) => Walk::Sorted(index.search(query, &mut scratch.held)),
            #[cfg(feature = "kdtree")]
            Shape::KdTree(index) => Walk::KdTree(index.search(query, &mut scratch.merge)),
            Shape::Linear(index) => Walk::Linear(index.search(&query, &mut scratch.ranked)),
        })
    }
}

/// Room that searches use again and again, so that they allocate nothing once it has grown; one a thread.
#[derive(Debug, Default)]
pub struct SearchScratch {
    held: Held,
    #[cfg(feature = "kdtree")]
    merge: Merge,
    ranked: Vec<Ranked>,
}

/// A search under way in a [`PointIndex`].
#[derive(Debug)]
pub struct Cursor<'a>(Walk<'a>);

#[derive(Debug)]
enum Walk<'a> {
    Sorted(SortedCursor<'a>),
    #[cfg(feature = "kdtree")]
    KdTree(KdCursor<'a>),
    Linear(LinearCursor<'a>),
}

impl Cursor<'_> {
    /// The points, blocks of points and groups of equal points that the search has looked at so far: what it costs, as
    /// a count. The list looks at nothing here, having ranked everything at the start.
    pub fn looked(&self) -> u64 {
        match &self.0 {
            Walk::Sorted(cursor) => cursor.looked(),
            #[cfg(feature = "kdtree")]
            Walk::KdTree(cursor) => cursor.looked(),
            Walk::Linear(_) => 0,
        }
    }
}

impl Candidates for Cursor<'_> {
    fn next(&mut self) -> Option<Found> {
        match &mut self.0 {
            Walk::Sorted(cursor) => cursor.next(),
            #[cfg(feature = "kdtree")]
            Walk::KdTree(cursor) => cursor.next(),
            Walk::Linear(cursor) => cursor.next(),
        }
    }
}

#[cfg(test)]
mod tests;
