//! A chunk of the sorted column: up to 64 points in order, as a structure of arrays.
//!
//! Only the sorted column calls it. Invariant: the first `len` rows of all columns belong together and ascend by
//! (key, seniority, item); rows behind them hold what was there before.

use super::candidates::{Query, age};
use crate::model::ids::{Millis, Seniority};
use crate::simd::{BLOCK, Kernels};

/// Points in a chunk: a block of the kernels, one bit each in a `u64`, and eight cache lines of keys.
pub(super) const CHUNK: usize = BLOCK;

/// The place of a point in the order of the column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Key {
    pub(super) coordinate: i64,
    pub(super) seniority: Seniority,
    pub(super) item: u32,
}

/// Up to [`CHUNK`] points.
#[derive(Debug)]
#[repr(align(64))]
pub(super) struct Chunk {
    coordinates: [i64; CHUNK],
    enqueued: [u64; CHUNK],
    submits: [u64; CHUNK],
    items: [u32; CHUNK],
    /// The other dimensions, a column each; empty for one dimension.
    others: Box<[[i64; CHUNK]]>,
    /// The masks, if points have them.
    masks: Option<Box<[u64; CHUNK]>>,
    len: usize,
}

impl Chunk {
    /// An empty chunk with room for `others` more dimensions, and for masks.
    pub(super) fn new(others: usize, has_masks: bool) -> Chunk {
        Chunk {
            coordinates: [0; CHUNK],
            enqueued: [0; CHUNK],
            submits: [0; CHUNK],
            items: [0; CHUNK],
            others: vec![[0; CHUNK]; others].into(),
            masks: has_masks.then(|| Box::new([0; CHUNK])),
            len: 0,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// The coordinates in order.
    pub(super) fn coordinates(&self) -> &[i64] {
        &self.coordinates[..self.len]
    }

    pub(super) fn item(&self, at: usize) -> u32 {
        self.items[at]
    }

    pub(super) fn seniority(&self, at: usize) -> Seniority {
        Seniority { enqueued: Millis(self.enqueued[at]), submit_number: self.submits[at] }
    }

    pub(super) fn key(&self, at: usize) -> Key {
        Key { coordinate: self.coordinates[at], seniority: self.seniority(at), item: self.items[at] }
    }

    /// The coordinate of point `at` in the other dimension `column`.
    pub(super) fn other(&self, column: usize, at: usize) -> i64 {
        self.others[column][at]
    }

    /// The first row whose key is not less than `key`.
    pub(super) fn lower_bound(&self, key: &Key) -> usize {
        let equal = count_below(self.coordinates(), key.coordinate);
        if equal == self.len || self.coordinates[equal] != key.coordinate {
            return equal;
        }
        let (mut low, mut high) = (equal, self.len);
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.key(middle) < *key { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// Whether `query` admits row `at` by age, mask and reach in the other `dimensions`.
    pub(super) fn admits(&self, query: &Query<'_>, dimensions: &[usize], at: usize) -> bool {
        query.admits(self.seniority(at))
            && self.masks.as_ref().is_none_or(|masks| query.shares(masks[at]))
            && dimensions.iter().zip(&self.others).all(|(&dimension, column)| {
                query.bounds(dimension).is_none_or(|(low, high)| low <= column[at] && column[at] <= high)
            })
    }

    /// A bit for each row that `query` admits by age, mask and reach in the other `dimensions`.
    pub(super) fn admitted(&self, kernels: Kernels, query: &Query<'_>, dimensions: &[usize]) -> u64 {
        let mut rows = below(self.len);
        if let Some(oldest) = query.younger_than {
            rows &= kernels.younger(&self.enqueued, &self.submits, age(oldest));
        }
        if let (Some(masks), Some(wanted)) = (&self.masks, query.sharing) {
            rows &= kernels.sharing(masks, wanted);
        }
        for (&dimension, column) in dimensions.iter().zip(&self.others) {
            if let Some((low, high)) = query.bounds(dimension) {
                rows &= kernels.within(column, low, high);
            }
        }
        rows
    }

    /// The greatest seniority in a chunk that is not empty.
    pub(super) fn youngest(&self) -> Seniority {
        (0..self.len).map(|at| self.seniority(at)).max().unwrap_or_default()
    }

    /// Puts a point at row `at` of a chunk that is not full.
    pub(super) fn insert(&mut self, at: usize, key: &Key, others: impl Iterator<Item = i64>, mask: u64) {
        let end = self.len;
        self.coordinates.copy_within(at..end, at + 1);
        self.enqueued.copy_within(at..end, at + 1);
        self.submits.copy_within(at..end, at + 1);
        self.items.copy_within(at..end, at + 1);
        self.coordinates[at] = key.coordinate;
        self.enqueued[at] = key.seniority.enqueued.0;
        self.submits[at] = key.seniority.submit_number;
        self.items[at] = key.item;
        for (column, value) in self.others.iter_mut().zip(others) {
            column.copy_within(at..end, at + 1);
            column[at] = value;
        }
        if let Some(masks) = &mut self.masks {
            masks.copy_within(at..end, at + 1);
            masks[at] = mask;
        }
        self.len += 1;
    }

    /// Takes the point at row `at` out.
    pub(super) fn remove(&mut self, at: usize) {
        let end = self.len;
        self.coordinates.copy_within(at + 1..end, at);
        self.enqueued.copy_within(at + 1..end, at);
        self.submits.copy_within(at + 1..end, at);
        self.items.copy_within(at + 1..end, at);
        for column in &mut self.others {
            column.copy_within(at + 1..end, at);
        }
        if let Some(masks) = &mut self.masks {
            masks.copy_within(at + 1..end, at);
        }
        self.len -= 1;
    }

    /// Takes out the points whose item is set in `gone`, bit by bit.
    pub(super) fn remove_all(&mut self, gone: &[u64]) {
        let mut left = 0;
        for at in 0..self.len {
            let item = self.items[at];
            if gone[item as usize / 64] >> (item % 64) & 1 == 0 {
                left |= 1 << at;
            }
        }
        let len = u64::count_ones(left) as usize;
        if len == self.len {
            return;
        }
        // What stands before the first one that goes stays where it is.
        let from = (!left).trailing_zeros() as usize;
        let left = left & !below(from);
        pack(&mut self.coordinates, left, from);
        pack(&mut self.enqueued, left, from);
        pack(&mut self.submits, left, from);
        pack(&mut self.items, left, from);
        self.others.iter_mut().for_each(|column| pack(column, left, from));
        if let Some(masks) = &mut self.masks {
            pack(masks, left, from);
        }
        self.len = len;
    }

    /// The mask of a point; every bit if points have none.
    pub(super) fn mask(&self, at: usize) -> u64 {
        self.masks.as_ref().map_or(u64::MAX, |masks| masks[at])
    }

    /// Moves the rows from `from` on behind those of `target`, which must have room.
    pub(super) fn move_tail(&mut self, from: usize, target: &mut Chunk) {
        let (count, at) = (self.len - from, target.len);
        target.coordinates[at..at + count].copy_from_slice(&self.coordinates[from..self.len]);
        target.enqueued[at..at + count].copy_from_slice(&self.enqueued[from..self.len]);
        target.submits[at..at + count].copy_from_slice(&self.submits[from..self.len]);
        target.items[at..at + count].copy_from_slice(&self.items[from..self.len]);
        for (source, target) in self.others.iter().zip(&mut target.others) {
            target[at..at + count].copy_from_slice(&source[from..self.len]);
        }
        if let (Some(source), Some(target)) = (&self.masks, &mut target.masks) {
            target[at..at + count].copy_from_slice(&source[from..self.len]);
        }
        target.len += count;
        self.len = from;
    }
}

/// Moves the rows whose bits are set to `from` and on, in their order.
fn pack<T: Copy>(column: &mut [T; CHUNK], mut rows: u64, mut from: usize) {
    while rows != 0 {
        column[from] = column[rows.trailing_zeros() as usize];
        from += 1;
        rows &= rows - 1;
    }
}

/// A bit for each row below `row`, which is at most 64.
pub(super) fn below(row: usize) -> u64 {
    1_u64.checked_shl(row as u32).map_or(u64::MAX, |bit| bit - 1)
}

/// How many of the ascending `coordinates` are less than `limit`.
///
/// A search by halves whose steps have no branch to guess.
pub(super) fn count_below(coordinates: &[i64], limit: i64) -> usize {
    let (mut base, mut size) = (0, coordinates.len());
    while size > 0 {
        let half = size.div_ceil(2);
        base += if coordinates[base + half - 1] < limit { half } else { 0 };
        size -= half;
    }
    base
}

/// How many rows at the end of the ascending `coordinates`, which are not empty, are equal.
pub(super) fn run_at_end(coordinates: &[i64]) -> usize {
    let last = coordinates[coordinates.len() - 1];
    coordinates.iter().rev().take_while(|&&coordinate| coordinate == last).count()
}
