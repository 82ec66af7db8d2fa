//! The KD-tree index: kiddo's immutable tree over buckets of equal points, for two or more weighted dimensions.
//!
//! [`super::PointIndex`] calls it. Fresh points wait in an overlay and removed ones leave tombstones; when either
//! passes its share, tree and buckets are rebuilt in bulk. The tree computes in doubles and gives equals in any
//! order, so it only *fetches*: the k nearest buckets, k growing, of which those are final that are nearer than
//! the farthest fetched less a margin for all rounding. Their distances are computed again in integers, their
//! members merged with one another and the overlay in a heap, and only what lies below the final bound comes out.
//!
//! A tree has two to four dimensions. Fewer weighted ones are padded with 0; of more than four the first four are
//! fetched by, whose distance is a lower bound of the whole one. Rebuilds and kiddo's result lists allocate.
//!
//! Invariant: a member is in the overlay or alive in the buckets, never both; the tree's item n is bucket n.
//! Source: kiddo 6.3.0, whose answers `tests/kiddo.rs` compares with brute force.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::num::NonZeroUsize;

use kiddo::{ImmutableKdTree, Manhattan};

use super::buckets::Buckets;
use super::candidates::{Candidates, Found, Metric, Query, Ranked};
use super::overlay::Overlay;
use crate::model::ids::Seniority;
use crate::simd::{BLOCK, Kernels};

/// Buckets fetched at first, and by what the number grows if they do not suffice.
const FETCH_FIRST: usize = 8;
const FETCH_GROWTH: usize = 4;

/// Dimensions that the tree itself looks at.
const AXES_MAX: usize = 4;

/// Room for the rounding of doubles, as a share of the greatest coordinates that met.
///
/// A coordinate is rounded once (2^-53 of itself), a difference and a sum once more, and kiddo keeps the distance
/// to a cell by adding and subtracting along a path of at most 64 splits: some 200 roundings, below 2^-45 in all.
const MARGIN: f64 = 1.0 / (1_u64 << 42) as f64;

/// Points in a KD-tree.
#[derive(Debug)]
pub(super) struct KdIndex {
    metric: Metric,
    /// The dimensions that the tree looks at.
    axes: Vec<usize>,
    tree: Tree,
    buckets: Buckets,
    overlay: Overlay,
    /// The least and the greatest weighted coordinate in the tree on each axis.
    extent: [(f64, f64); AXES_MAX],
    rebuilds: u64,
    /// No member is younger than this.
    youngest_ever: Seniority,
    kernels: Kernels,
}

impl KdIndex {
    pub(super) fn new(weights: &[i64], kernels: Kernels) -> KdIndex {
        KdIndex {
            metric: Metric::new(weights),
            axes: (0..weights.len()).filter(|&dimension| weights[dimension] > 0).take(AXES_MAX).collect(),
            tree: Tree::None,
            buckets: Buckets::new(weights.len()),
            overlay: Overlay::new(weights.len()),
            extent: [(0.0, 0.0); AXES_MAX],
            rebuilds: 0,
            youngest_ever: Seniority::default(),
            kernels,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.buckets.live() + self.overlay.len()
    }

    /// How often the tree was built.
    pub(super) fn rebuilds(&self) -> u64 {
        self.rebuilds
    }

    /// The points that the tree does not hold yet.
    pub(super) fn overlay_len(&self) -> usize {
        self.overlay.len()
    }

    pub(super) fn insert(&mut self, item: u32, seniority: Seniority, coords: &[i64], mask: u64) {
        debug_assert_eq!(coords.len(), self.metric.dimensions());
        self.youngest_ever = if self.len() == 0 { seniority } else { seniority.max(self.youngest_ever) };
        self.overlay.insert(item, seniority, coords, mask);
        if self.overlay.len() > overlay_max(self.buckets.live()) {
            self.rebuild();
        }
    }

    pub(super) fn remove(&mut self, item: u32, seniority: Seniority, coords: &[i64]) -> bool {
        debug_assert_eq!(coords.len(), self.metric.dimensions());
        if self.buckets.remove(item, seniority, coords) {
            if self.buckets.dead() > tombstones_max(self.buckets.live()) {
                self.rebuild();
            }
            return true;
        }
        self.overlay.remove(item, seniority, coords)
    }

    /// Calls `visit` for every member with its mask.
    pub(super) fn visit_masks(&self, mut visit: impl FnMut(u32, u64)) {
        self.buckets.visit_masks(&mut visit);
        self.overlay.visit_masks(visit);
    }

    /// A cursor over the points that `query` admits.
    pub(super) fn search<'a>(&'a self, query: Query<'a>, heap: &'a mut Merge) -> KdCursor<'a> {
        heap.clear();
        let nobody = query.is_empty(self.youngest_ever);
        let mut cursor = KdCursor {
            index: self,
            query,
            heap,
            centre: self.weighted(query.centre),
            margin: 0.0,
            within: 0.0,
            fetch: FETCH_FIRST,
            final_below: 0,
            exhausted: nobody || self.buckets.live() == 0,
            looked: 0,
        };
        if nobody {
            return cursor;
        }
        let greatest = |(&(low, high), at): (&(f64, f64), &f64)| low.abs().max(high.abs()) + at.abs();
        cursor.margin = MARGIN * self.extent.iter().zip(&cursor.centre).map(greatest).sum::<f64>();
        cursor.within = self.radius(&cursor.centre, query.reach) + cursor.margin;
        cursor.add_overlay();
        cursor
    }

    /// The greatest distance that a point of the tree within `reach` of `centre` can have.
    fn radius(&self, centre: &[f64; AXES_MAX], reach: &[i64]) -> f64 {
        let mut sum = 0.0;
        for (at, &axis) in self.axes.iter().enumerate() {
            let (low, high) = self.extent[at];
            let reached = self.metric.weights[axis] as f64 * reach[axis] as f64;
            // An unlimited dimension reaches as far as there are points; without this a search that finds
            // fewer than are wanted would fetch the whole tree.
            sum += reached.min((centre[at] - low).max(high - centre[at]));
        }
        sum
    }

    /// A point as the tree sees it.
    fn weighted(&self, point: &[i64]) -> [f64; AXES_MAX] {
        let mut weighted = [0.0; AXES_MAX];
        for (value, &axis) in weighted.iter_mut().zip(&self.axes) {
            // The product is exact in i128, so this rounds once.
            *value = (i128::from(self.metric.weights[axis]) * i128::from(point[axis])) as f64;
        }
        weighted
    }

    /// Takes the overlay in and the tombstones out.
    fn rebuild(&mut self) {
        self.rebuilds += 1;
        self.buckets = self.buckets.merged(&self.overlay);
        self.overlay.clear();
        let points: Vec<_> = (0..self.buckets.len()).map(|b| self.weighted(self.buckets.coords(b))).collect();
        self.extent = [(0.0, 0.0); AXES_MAX];
        for (axis, extent) in self.extent.iter_mut().enumerate().take(self.axes.len()) {
            let start = (f64::INFINITY, f64::NEG_INFINITY);
            *extent = points.iter().fold(start, |(low, high), at| (low.min(at[axis]), high.max(at[axis])));
        }
        self.tree = Tree::build(&points, self.axes.len());
    }
}

/// How many fresh points may wait beside a tree of `live` points.
///
/// A search costs what the overlay holds and an update the points over the overlay, so the best size goes with
/// the root of the points. Measured in skill and ping at 1,000 / 10,000 / 100,000 points, microseconds for one
/// replaced point and one search for ten: 1 root 9 / 26 / 49, 2 roots 5 / 13 / 33, 4 roots 7 / 10 / 28, 8 roots
/// 6 / 10 / 31, 16 roots 11 / 22 / 44, 32 roots 8 / 24 / 70.
fn overlay_max(live: usize) -> usize {
    (4 * live.isqrt()).max(64)
}

/// How many tombstones may stay in a tree of `live` points.
///
/// Measured as above, with 8 roots: a tenth 7 / 11 / 31, a quarter 6 / 10 / 31, half 8 / 14 / 29, all 8 / 21 / 29.
fn tombstones_max(live: usize) -> usize {
    (live / 4).max(64)
}

/// kiddo's tree in as many dimensions as it is needed.
#[derive(Debug)]
enum Tree {
    /// No points, or more than kiddo can number: all buckets are fetched at once.
    None,
    Two(ImmutableKdTree<f64, 2>),
    Three(ImmutableKdTree<f64, 3>),
    Four(ImmutableKdTree<f64, 4>),
}

impl Tree {
    /// A tree over the first `axes` coordinates of `points`.
    fn build(points: &[[f64; AXES_MAX]], axes: usize) -> Tree {
        if points.is_empty() {
            return Tree::None;
        }
        match axes {
            0..=2 => build(points).map_or(Tree::None, Tree::Two),
            3 => build(points).map_or(Tree::None, Tree::Three),
            _ => build(points).map_or(Tree::None, Tree::Four),
        }
    }

    /// Gives the buckets among the `count` nearest within `within` and their distances to `visit`; whether the
    /// tree has no more.
    fn fetch(
        &self,
        centre: &[f64; AXES_MAX],
        count: usize,
        within: f64,
        visit: impl FnMut(u32, f64),
    ) -> bool {
        match self {
            Tree::None => true,
            Tree::Two(tree) => fetch(tree, centre, count, within, visit),
            Tree::Three(tree) => fetch(tree, centre, count, within, visit),
            Tree::Four(tree) => fetch(tree, centre, count, within, visit),
        }
    }
}

fn cut<const K: usize>(point: &[f64; AXES_MAX]) -> [f64; K] {
    std::array::from_fn(|axis| point[axis])
}

fn build<const K: usize>(points: &[[f64; AXES_MAX]]) -> Option<ImmutableKdTree<f64, K>> {
    let points: Vec<[f64; K]> = points.iter().map(cut).collect();
    ImmutableKdTree::new_from_slice(&points).ok()
}

fn fetch<const K: usize>(
    tree: &ImmutableKdTree<f64, K>,
    centre: &[f64; AXES_MAX],
    count: usize,
    within: f64,
    mut visit: impl FnMut(u32, f64),
) -> bool {
    // kiddo reserves room for all it is asked for: never ask for more than there is.
    let count = count.min(tree.size());
    let Some(wanted) = NonZeroUsize::new(count) else {
        return true;
    };
    let centre = cut(centre);
    let nearest = tree.query(&centre).nearest_n::<Manhattan<f64>>(wanted).within(within).execute();
    for found in &nearest {
        visit(found.item, found.distance);
    }
    nearest.len() < count || count == tree.size()
}

/// Runs of candidates, the nearest on top: a run is the members of a bucket that are still to come.
pub(super) type Merge = BinaryHeap<Reverse<Run>>;

/// A candidate and the members of its bucket behind it (none for a point of the overlay).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Run {
    head: Ranked,
    next: usize,
    end: usize,
}

/// A search of the KD-tree.
#[derive(Debug)]
pub(super) struct KdCursor<'a> {
    index: &'a KdIndex,
    query: Query<'a>,
    heap: &'a mut Merge,
    centre: [f64; AXES_MAX],
    margin: f64,
    within: f64,
    /// How many buckets to fetch next.
    fetch: usize,
    /// All candidates nearer than this are given or in the heap.
    final_below: u128,
    /// All candidates are given or in the heap.
    exhausted: bool,
    /// Points, blocks of fresh points and buckets looked at.
    looked: u64,
}

impl KdCursor<'_> {
    /// What the search has looked at so far.
    pub(super) fn looked(&self) -> u64 {
        self.looked
    }

    fn add_overlay(&mut self) {
        let KdIndex { overlay, metric, kernels, .. } = self.index;
        let (query, heap) = (&self.query, &mut *self.heap);
        let mut looked = overlay.len().div_ceil(BLOCK) as u64;
        overlay.visit_admitted(*kernels, query, |row| {
            looked += 1;
            let distance = metric.distance_within(query, overlay.coords(row));
            let head = Ranked { distance, seniority: overlay.seniority(row), item: overlay.item(row) };
            heap.push(Reverse(Run { head, next: 0, end: 0 }));
        });
        self.looked += looked;
    }

    /// Fetches more buckets and moves the final bound outwards.
    fn fetch_more(&mut self) {
        let index = self.index;
        let known_below = self.final_below;
        if matches!(index.tree, Tree::None) {
            for bucket in 0..index.buckets.len() {
                self.add_bucket(bucket, known_below, u128::MAX);
            }
            self.exhausted = true;
            return;
        }
        let mut farthest = 0.0_f64;
        let mut fetched = Vec::with_capacity(self.fetch.min(index.buckets.len()));
        let all = index.tree.fetch(&self.centre, self.fetch, self.within, |bucket, distance| {
            farthest = farthest.max(distance);
            fetched.push(bucket as usize);
        });
        if all {
            self.exhausted = true;
            self.final_below = u128::MAX;
        } else {
            // Nothing that is not fetched is nearer than this; the cast rounds down and stops at 0.
            self.final_below = known_below.max((farthest - self.margin) as u128);
        }
        for bucket in fetched {
            self.add_bucket(bucket, known_below, self.final_below);
        }
        self.fetch = self.fetch.saturating_mul(FETCH_GROWTH);
    }

    /// Adds a bucket whose distance lies in `from..below`: nearer ones came before, farther ones come later.
    fn add_bucket(&mut self, bucket: usize, from: u128, below: u128) {
        self.looked += 1;
        let buckets = &self.index.buckets;
        let Some(distance) = self.index.metric.distance(&self.query, buckets.coords(bucket)) else {
            return;
        };
        if distance < from || distance >= below {
            return;
        }
        if let Some(member) = buckets.first(bucket, &self.query) {
            let head = Ranked { distance, seniority: buckets.seniority(member), item: buckets.item(member) };
            self.heap.push(Reverse(Run { head, next: member + 1, end: buckets.end(bucket) }));
        }
    }
}

impl Candidates for KdCursor<'_> {
    fn next(&mut self) -> Option<Found> {
        while !self.exhausted
            && self.heap.peek().is_none_or(|Reverse(run)| run.head.distance >= self.final_below)
        {
            self.fetch_more();
        }
        let mut top = self.heap.peek_mut()?;
        let Reverse(run) = &mut *top;
        let found = run.head.found();
        let buckets = &self.index.buckets;
        self.looked += 1;
        match buckets.next_sharing(run.next, run.end, &self.query) {
            Some(member) => {
                run.head.seniority = buckets.seniority(member);
                run.head.item = buckets.item(member);
                run.next = member + 1;
            }
            None => {
                PeekMut::pop(top);
            }
        }
        Some(found)
    }
}
