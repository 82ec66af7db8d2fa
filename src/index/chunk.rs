//! A chunk of the sorted column: up to 64 points in order, as a structure of arrays.
//!
//! Only the sorted column calls it. Invariant: the first `len` rows of all columns belong together and ascend by
//! (key, seniority, item). The searches inside a chunk are free functions over plain slices, one loop each, whose
//! meaning a vector kernel can take over.

use crate::model::ids::{Millis, Seniority};

/// Points in a chunk: one bit each in a `u64`, and eight cache lines of keys.
pub(super) const CHUNK: usize = 64;

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
    /// The other dimensions, one column of [`CHUNK`] after the other; empty for one dimension.
    others: Box<[i64]>,
    len: usize,
}

impl Chunk {
    /// An empty chunk with room for `others` more dimensions.
    pub(super) fn new(others: usize) -> Chunk {
        Chunk {
            coordinates: [0; CHUNK],
            enqueued: [0; CHUNK],
            submits: [0; CHUNK],
            items: [0; CHUNK],
            others: vec![0; others * CHUNK].into(),
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
        self.others[column * CHUNK + at]
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

    /// The first row from `from` on that is younger than `oldest`, or `len`.
    pub(super) fn first_younger(&self, from: usize, oldest: Seniority) -> usize {
        (from..self.len).find(|&at| self.seniority(at) > oldest).unwrap_or(self.len)
    }

    /// The greatest seniority in a chunk that is not empty.
    pub(super) fn youngest(&self) -> Seniority {
        (0..self.len).map(|at| self.seniority(at)).max().unwrap_or_default()
    }

    /// Puts a point at row `at` of a chunk that is not full.
    pub(super) fn insert(&mut self, at: usize, key: &Key, others: impl Iterator<Item = i64>) {
        let end = self.len;
        self.coordinates.copy_within(at..end, at + 1);
        self.enqueued.copy_within(at..end, at + 1);
        self.submits.copy_within(at..end, at + 1);
        self.items.copy_within(at..end, at + 1);
        self.coordinates[at] = key.coordinate;
        self.enqueued[at] = key.seniority.enqueued.0;
        self.submits[at] = key.seniority.submit_number;
        self.items[at] = key.item;
        for (column, value) in self.others.chunks_exact_mut(CHUNK).zip(others) {
            column.copy_within(at..end, at + 1);
            column[at] = value;
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
        for column in self.others.chunks_exact_mut(CHUNK) {
            column.copy_within(at + 1..end, at);
        }
        self.len -= 1;
    }

    /// Moves the rows from `from` on behind those of `target`, which must have room.
    pub(super) fn move_tail(&mut self, from: usize, target: &mut Chunk) {
        let (count, at) = (self.len - from, target.len);
        target.coordinates[at..at + count].copy_from_slice(&self.coordinates[from..self.len]);
        target.enqueued[at..at + count].copy_from_slice(&self.enqueued[from..self.len]);
        target.submits[at..at + count].copy_from_slice(&self.submits[from..self.len]);
        target.items[at..at + count].copy_from_slice(&self.items[from..self.len]);
        let columns = self.others.chunks_exact(CHUNK).zip(target.others.chunks_exact_mut(CHUNK));
        for (source, target) in columns {
            target[at..at + count].copy_from_slice(&source[from..self.len]);
        }
        target.len += count;
        self.len = from;
    }
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
