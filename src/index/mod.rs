//! L3: who is near. Points in, candidates out, nearest first.
//!
//! A shard keeps its members here as points and the assembler pulls candidates from a cursor; an index knows
//! coordinates, seniorities and row numbers, and nothing of tickets. All kinds give the same sequence for the same
//! members: ascending by (distance, seniority, item), distances being exact integers. Any kind takes any number
//! of dimensions, none included; the choice of a kind changes the time a search takes and nothing else.
//!
//! Which kind wins where (ten nearest within +-100 in skill, any ping; 10,000 / 100,000 members; CPU time of one busy
//! machine with AVX-512; the tree's time over the column's, so above 1 the column wins):
//!
//! | members and queries | skill | skill + ping |
//! | --- | --- | --- |
//! | dense | 8 / 13 | 0.35 / 0.09 |
//! | sparse tail | 4 / 4 | 7 / 9 |
//! | flood, 7 in 10 equal | 11 / 19 | 0.04 / 0.007 |
//! | only the youngest tenth | 11 / 7 | |
//! | one replaced | 2.8 / 0.35 | 8 / 0.9 |
//!
//! So one weighted dimension takes the column, always. Two or more take the tree where the pool is dense, because
//! the column must pass all that is near in its leading dimension; thin tails favour the column again. Two skills and
//! a ping favour the tree more than skill and ping do (`benches/index`). The choice is `rules::compile`'s.
//!
//! Tried, CPU ns of a search for ten (or of one point replaced) before and after, same answers:
//!
//! | what | where | before | after |
//! | --- | --- | --- | --- |
//! | the kernels look at a whole chunk once its next point is not admitted | column, youngest tenth of 10,000 | 977 | 572 |
//! | regions as masks of points instead of steps of the caller | column, 16 regions, 100,000 | 4981 | 741 |
//! | the same | tree, 16 regions, 100,000 | 14244 | 2626 |
//! | fresh points in blocks, looked at by kernels | tree, dense, 100,000 | 9894 | 4959 |
//! | chunks of a flood are told by where they end, without a look at them | column, replace one of 1,000,000 | 1500 | 700 |
//! | the same | column, replace one of 100,000 equal | 416 | 329 |
//!
//! Order makes no difference beyond a small factor (`tests`, by counts): equal points, ascending, descending and tails
//! ten times as far out, for both kinds. Where age and skill ascend together a search passes chunks of old points one
//! end after the other, up to its reach. At 1,000,000 members a third of the time to add a point goes to
//! moving, the directory's tail included; a directory of two levels was not built.
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

pub use candidates::{Brought, Candidates, Ceiling, Found, Query};

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

    /// Takes out every member whose item is set in `gone`, bit by bit; `false`: a kind that takes points out one by one
    /// only, nothing was done. Costs a look at all members, so it is for many at once.
    pub fn remove_all(&mut self, gone: &[u64]) -> bool {
        let Shape::Sorted(index) = &mut self.0 else { return false };
        index.remove_all(gone);
        true
    }

    /// Calls `visit(item, mask)` for every member, in no order that matters. In an index without masks they have every
    /// bit.
    pub fn visit_masks(&self, visit: impl FnMut(u32, u64)) {
        match &self.0 {
            Shape::Sorted(index) => index.visit_masks(visit),
            #[cfg(feature = "kdtree")]
            Shape::KdTree(index) => index.visit_masks(visit),
            Shape::Linear(index) => index.visit_masks(visit),
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

    /// The same with the masks of the points.
    pub fn visit_masks_within_while(
        &self,
        low: i64,
        high: i64,
        visit: impl FnMut(u32, Seniority, u64) -> bool,
    ) -> bool {
        let Shape::Sorted(index) = &self.0 else { return false };
        index.visit_masks_within(low, high, visit);
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
#[cfg_attr(
    not(feature = "kdtree"),
    expect(
        clippy::large_enum_variant,
        reason = "a cursor stands on the stack, and the small one is the oracle's"
    )
)]
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

    fn next_under(&mut self, ceiling: &Ceiling, besides: impl Fn(u32) -> i64) -> Option<Found> {
        match &mut self.0 {
            Walk::Sorted(cursor) => cursor.next_under(ceiling, besides),
            #[cfg(feature = "kdtree")]
            Walk::KdTree(cursor) => cursor.next_under(ceiling, besides),
            Walk::Linear(cursor) => cursor.next_under(ceiling, besides),
        }
    }
}

#[cfg(test)]
mod tests;
