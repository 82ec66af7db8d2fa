//! Buckets of equal points: what the KD-tree index builds its tree over.
//!
//! Only the KD-tree calls it. A tree of n equal points is one leaf that every search reads whole, so n searches
//! cost n^2; a new season's default rating makes just that. Here equal points share one bucket in the order of
//! seniority, and the tree holds one entry a bucket. A removed point leaves a tombstone until the next rebuild.
//!
//! Invariant: buckets ascend by coordinates, members of a bucket by (seniority, item); `starts` has one more
//! entry than there are buckets; no live member of a bucket stands before its `first_live`.

use std::cmp::Ordering;

use super::candidates::Query;
use super::overlay::Overlay;
use crate::model::ids::Seniority;

/// Points grouped by place.
#[derive(Debug)]
pub(super) struct Buckets {
    dimensions: usize,
    /// One row of `dimensions` coordinates for each bucket.
    coords: Vec<i64>,
    /// Where the members of each bucket start, and their end.
    starts: Vec<usize>,
    first_live: Vec<usize>,
    seniorities: Vec<Seniority>,
    items: Vec<u32>,
    masks: Vec<u64>,
    dead: Vec<bool>,
    dead_count: usize,
}

impl Buckets {
    pub(super) fn new(dimensions: usize) -> Buckets {
        Buckets {
            dimensions,
            coords: Vec::new(),
            starts: vec![0],
            first_live: Vec::new(),
            seniorities: Vec::new(),
            items: Vec::new(),
            masks: Vec::new(),
            dead: Vec::new(),
            dead_count: 0,
        }
    }

    /// The number of buckets, those without live members included.
    pub(super) fn len(&self) -> usize {
        self.first_live.len()
    }

    /// The number of members that are not removed.
    pub(super) fn live(&self) -> usize {
        self.items.len() - self.dead_count
    }

    /// The number of tombstones.
    pub(super) fn dead(&self) -> usize {
        self.dead_count
    }

    /// Where the points of `bucket` are.
    pub(super) fn coords(&self, bucket: usize) -> &[i64] {
        &self.coords[bucket * self.dimensions..(bucket + 1) * self.dimensions]
    }

    pub(super) fn seniority(&self, member: usize) -> Seniority {
        self.seniorities[member]
    }

    pub(super) fn item(&self, member: usize) -> u32 {
        self.items[member]
    }

    /// The end of the members of `bucket`.
    pub(super) fn end(&self, bucket: usize) -> usize {
        self.starts[bucket + 1]
    }

    /// Calls `visit` for every member that is not removed with its mask.
    pub(super) fn visit_masks(&self, visit: &mut impl FnMut(u32, u64)) {
        let live = (0..self.items.len()).filter(|&member| !self.dead[member]);
        live.for_each(|member| visit(self.items[member], self.masks[member]));
    }

    /// The first member of `bucket` that is not removed and that `query` admits by age and mask.
    pub(super) fn first(&self, bucket: usize, query: &Query<'_>) -> Option<usize> {
        let (start, end) = (self.first_live[bucket], self.end(bucket));
        let start = query.younger_than.map_or(start, |oldest| {
            start + self.seniorities[start..end].partition_point(|&seniority| seniority <= oldest)
        });
        self.next_sharing(start, end, query)
    }

    /// The first member from `member` on, before `end`, that is not removed and whose mask is wanted.
    pub(super) fn next_sharing(&self, member: usize, end: usize, query: &Query<'_>) -> Option<usize> {
        (member..end).find(|&member| !self.dead[member] && query.shares(self.masks[member]))
    }

    /// The first member from `member` on, before `end`, that is not removed.
    fn next_live(&self, member: usize, end: usize) -> Option<usize> {
        (member..end).find(|&member| !self.dead[member])
    }

    /// Puts a tombstone on a member; `false` if there is no such one.
    pub(super) fn remove(&mut self, item: u32, seniority: Seniority, coords: &[i64]) -> bool {
        let Some(bucket) = self.find(coords) else {
            return false;
        };
        let (start, end) = (self.first_live[bucket], self.end(bucket));
        let key = (seniority, item);
        let (mut low, mut high) = (start, end);
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.key(middle) < key { low = middle + 1 } else { high = middle }
        }
        if low == end || self.key(low) != key || self.dead[low] {
            return false;
        }
        self.dead[low] = true;
        self.dead_count += 1;
        if low == start {
            self.first_live[bucket] = self.next_live(start, end).unwrap_or(end);
        }
        true
    }

    /// These live members and the points of `overlay` in new buckets, without tombstones.
    pub(super) fn merged(&self, overlay: &Overlay) -> Buckets {
        let points: Vec<i64> = (0..overlay.len()).flat_map(|row| overlay.coords(row)).collect();
        let coords_of = |row: usize| &points[row * self.dimensions..(row + 1) * self.dimensions];
        let mut fresh: Vec<usize> = (0..overlay.len()).collect();
        let key = |row: usize| (coords_of(row), overlay.seniority(row), overlay.item(row));
        fresh.sort_unstable_by(|&a, &b| key(a).cmp(&key(b)));
        let mut merged = Buckets::new(self.dimensions);
        merged.reserve(self.live() + overlay.len(), self.len() + overlay.len());
        let mut fresh = fresh.into_iter().peekable();
        for bucket in 0..self.len() {
            let coords = self.coords(bucket);
            let mut next = self.next_live(self.first_live[bucket], self.end(bucket));
            while let Some(member) = next {
                let old = (coords, self.seniority(member), self.item(member));
                while let Some(row) = fresh.next_if(|&row| key(row).cmp(&old) == Ordering::Less) {
                    merged.push(coords_of(row), overlay.seniority(row), overlay.item(row), overlay.mask(row));
                }
                merged.push(coords, old.1, old.2, self.masks[member]);
                next = self.next_live(member + 1, self.end(bucket));
            }
        }
        for row in fresh {
            merged.push(coords_of(row), overlay.seniority(row), overlay.item(row), overlay.mask(row));
        }
        merged
    }

    fn key(&self, member: usize) -> (Seniority, u32) {
        (self.seniorities[member], self.items[member])
    }

    fn find(&self, coords: &[i64]) -> Option<usize> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.coords(middle) < coords { low = middle + 1 } else { high = middle }
        }
        (low < self.len() && self.coords(low) == coords).then_some(low)
    }

    fn reserve(&mut self, members: usize, buckets: usize) {
        self.seniorities.reserve(members);
        self.items.reserve(members);
        self.masks.reserve(members);
        self.dead.reserve(members);
        let buckets = buckets.min(members);
        self.coords.reserve(buckets * self.dimensions);
        self.starts.reserve(buckets);
        self.first_live.reserve(buckets);
    }

    /// Adds a member behind all others.
    fn push(&mut self, coords: &[i64], seniority: Seniority, item: u32, mask: u64) {
        let member = self.items.len();
        if self.len() == 0 || self.coords(self.len() - 1) != coords {
            self.coords.extend_from_slice(coords);
            self.first_live.push(member);
            self.starts.push(member);
        }
        self.seniorities.push(seniority);
        self.items.push(item);
        self.masks.push(mask);
        self.dead.push(false);
        let last = self.starts.len() - 1;
        self.starts[last] = member + 1;
    }
}
