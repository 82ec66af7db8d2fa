//! The chunked sorted column: points in the order of one coordinate, in chunks of 64, updated in place.
//!
//! [`super::PointIndex`] calls it. Its chunks stand in the order of (coordinate, seniority, item); a directory keeps
//! each chunk's first coordinate, for binary search, and its youngest seniority, so that a search for younger
//! points passes a chunk without reading it. A full chunk is split, a thin one is merged with a neighbour, and
//! emptied chunks are kept for the next split, so a column that has reached its size allocates nothing more.
//! The column leads with the first dimension of a weight above 0; further dimensions ride along in the chunks,
//! and the search (`outward.rs`) holds candidates back until nothing nearer can come. Without such a dimension all
//! points are equally near and the column is one list by seniority.
//!
//! Invariant: chunks are not empty, ascend within and across chunks, and the directory agrees with them.
//! Source: the leaves of a B+ tree under a flat root.

use super::candidates::{Metric, Query};
use super::chunk::{CHUNK, Chunk, Key, count_below};
use super::outward::{Held, SortedCursor};
use crate::model::ids::Seniority;
use crate::simd::Kernels;

/// A chunk with fewer points than this looks for a neighbour to merge with.
const THIN: usize = CHUNK / 4;
/// Two chunks merge if they have at most this many points together, which leaves room before the next split.
const MERGED_MAX: usize = CHUNK * 3 / 4;

/// A place in the column: a chunk of the directory and a row in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Position {
    pub(super) chunk: usize,
    pub(super) row: usize,
}

/// Points in the order of one coordinate.
#[derive(Debug)]
pub(super) struct SortedColumn {
    pub(super) metric: Metric,
    /// The dimension that the column is sorted by, if any has a weight.
    pub(super) lead: Option<usize>,
    /// The dimensions that the column is not sorted by, in ascending order.
    pub(super) others: Box<[usize]>,
    /// Whether a dimension other than the leading one has a weight.
    pub(super) others_weigh: bool,
    /// The directory: the first coordinate, the youngest seniority and the points of each chunk.
    pub(super) firsts: Vec<i64>,
    pub(super) youngest: Vec<Seniority>,
    #[allow(clippy::vec_box, reason = "a split moves the directory's tail: 8 bytes a chunk, not 1.9 KiB")]
    pub(super) chunks: Vec<Box<Chunk>>,
    /// Chunks that became empty.
    #[allow(clippy::vec_box, reason = "they come from and go back to the directory")]
    spare: Vec<Box<Chunk>>,
    len: usize,
    /// No member is younger than this; exact only while nothing is removed.
    pub(super) youngest_ever: Seniority,
    has_masks: bool,
    pub(super) kernels: Kernels,
}

impl SortedColumn {
    pub(super) fn new(weights: &[i64], has_masks: bool, kernels: Kernels) -> SortedColumn {
        let lead = weights.iter().position(|&weight| weight > 0);
        SortedColumn {
            metric: Metric::new(weights),
            lead,
            others: (0..weights.len()).filter(|&dimension| Some(dimension) != lead).collect(),
            others_weigh: weights.iter().filter(|&&weight| weight > 0).count() > 1,
            firsts: Vec::new(),
            youngest: Vec::new(),
            chunks: Vec::new(),
            spare: Vec::new(),
            len: 0,
            youngest_ever: Seniority::default(),
            has_masks,
            kernels,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Adds a point. Costs a search of the directory and the move of half a chunk.
    pub(super) fn insert(&mut self, item: u32, seniority: Seniority, coords: &[i64], mask: u64) {
        let key = self.key(item, seniority, coords);
        if self.len == 0 {
            self.youngest_ever = seniority;
            self.open_chunk(0);
        }
        self.len += 1;
        self.youngest_ever = self.youngest_ever.max(seniority);
        let place = self.room_at(self.lower_bound(&key));
        let others = self.others.iter().map(|&dimension| coords[dimension]);
        let chunk = &mut self.chunks[place.chunk];
        chunk.insert(place.row, &key, others, mask);
        if place.row == 0 {
            self.firsts[place.chunk] = key.coordinate;
        }
        let was_empty = chunk.len() == 1;
        let youngest = &mut self.youngest[place.chunk];
        *youngest = if was_empty { seniority } else { seniority.max(*youngest) };
    }

    /// Takes a point out; `false` if it is no member.
    pub(super) fn remove(&mut self, item: u32, seniority: Seniority, coords: &[i64]) -> bool {
        if self.len == 0 {
            return false;
        }
        let key = self.key(item, seniority, coords);
        let Position { chunk: at, row } = self.lower_bound(&key);
        let chunk = &mut self.chunks[at];
        if row == chunk.len() || chunk.key(row) != key {
            return false;
        }
        let mut others = self.others.iter().map(|&dimension| coords[dimension]).enumerate();
        if others.any(|(column, coord)| chunk.other(column, row) != coord) {
            return false;
        }
        chunk.remove(row);
        self.len -= 1;
        if chunk.len() < THIN {
            self.thin(at);
            return true;
        }
        if row == 0 {
            self.firsts[at] = chunk.coordinates()[0];
        }
        if self.youngest[at] == seniority {
            self.youngest[at] = chunk.youngest();
        }
        true
    }

    /// Takes out the points whose item is set in `gone`, bit by bit, chunk after chunk; thin chunks that stand side by
    /// side become one.
    pub(super) fn remove_all(&mut self, gone: &[u64]) {
        let mut kept = 0;
        for at in 0..self.chunks.len() {
            let before = self.chunks[at].len();
            self.chunks[at].remove_all(gone);
            let len = self.chunks[at].len();
            self.len -= before - len;
            let fits = kept > 0 && self.chunks[kept - 1].len() + len <= MERGED_MAX;
            if len == 0 {
                continue;
            }
            if fits && before > len {
                let (left, right) = self.chunks.split_at_mut(at);
                right[0].move_tail(0, &mut left[kept - 1]);
                self.youngest[kept - 1] = left[kept - 1].youngest();
                continue;
            }
            self.chunks.swap(kept, at);
            self.firsts[kept] = self.chunks[kept].coordinates()[0];
            self.youngest[kept] = if before > len { self.chunks[kept].youngest() } else { self.youngest[at] };
            kept += 1;
        }
        self.firsts.truncate(kept);
        self.youngest.truncate(kept);
        for mut chunk in self.chunks.drain(kept..) {
            chunk.clear();
            self.spare.push(chunk);
        }
    }

    /// Calls `visit` for every member with its mask; all bits without masks.
    pub(super) fn visit_masks(&self, mut visit: impl FnMut(u32, u64)) {
        for chunk in &self.chunks {
            (0..chunk.len()).for_each(|at| visit(chunk.item(at), chunk.mask(at)));
        }
    }

    /// A cursor over the points that `query` admits; `held` is room for those that must wait for nearer ones.
    pub(super) fn search<'a>(&'a self, query: Query<'a>, held: &'a mut Held) -> SortedCursor<'a> {
        SortedCursor::new(self, query, held)
    }

    /// The coordinate of `point` in the leading dimension; without one all points stand at 0.
    pub(super) fn leading(&self, point: &[i64]) -> i64 {
        self.lead.map_or(0, |lead| point[lead])
    }

    /// The first position at or behind which all keys are not less than `key`, in the chunk that covers it.
    pub(super) fn lower_bound(&self, key: &Key) -> Position {
        let equal = self.firsts.partition_point(|&first| first < key.coordinate);
        let mut above = equal;
        if self.firsts.get(equal) == Some(&key.coordinate) {
            // A flood of equal points fills whole chunks, which ascend by seniority: but for the last one the
            // directory knows where each ends, without a look at the chunk.
            let behind = equal + self.firsts[equal..].partition_point(|&first| first == key.coordinate);
            above += self.youngest[equal..behind - 1].partition_point(|&youngest| youngest < key.seniority);
            while above < behind && self.chunks[above].key(0) <= *key {
                above += 1;
                // Points may agree in seniority, too, and then the item decides.
                if self.youngest[above - 1] > key.seniority {
                    break;
                }
            }
        }
        let chunk = above.saturating_sub(1);
        Position { chunk, row: self.chunks.get(chunk).map_or(0, |chunk| chunk.lower_bound(key)) }
    }

    /// The first position whose coordinate is not less than `coordinate`; the end if there is none.
    pub(super) fn first_at(&self, coordinate: i64) -> Position {
        let chunk = self.firsts.partition_point(|&first| first < coordinate).saturating_sub(1);
        let row = self.chunks.get(chunk).map_or(0, |chunk| count_below(chunk.coordinates(), coordinate));
        self.normal(Position { chunk, row })
    }

    /// The same place, in the next chunk if it lies behind the last row of its own.
    pub(super) fn normal(&self, place: Position) -> Position {
        match self.chunks.get(place.chunk) {
            Some(chunk) if place.row >= chunk.len() => Position { chunk: place.chunk + 1, row: 0 },
            _ => place,
        }
    }

    /// Calls `visit`, while it answers that it goes on, for the members whose leading coordinate lies within
    /// `low..=high`; without a leading dimension all stand at 0.
    pub(super) fn visit_within(&self, low: i64, high: i64, mut visit: impl FnMut(u32, Seniority) -> bool) {
        self.visit_masks_within(low, high, |item, seniority, _| visit(item, seniority));
    }

    /// The same with the masks of the points.
    pub(super) fn visit_masks_within(
        &self,
        low: i64,
        high: i64,
        mut visit: impl FnMut(u32, Seniority, u64) -> bool,
    ) {
        let Position { chunk, mut row } = self.first_at(low);
        for chunk in self.chunks.get(chunk..).unwrap_or_default() {
            let end = row + chunk.coordinates()[row..].partition_point(|&coordinate| coordinate <= high);
            let goes_on = (row..end).all(|at| visit(chunk.item(at), chunk.seniority(at), chunk.mask(at)));
            if !goes_on || end < chunk.len() {
                return;
            }
            row = 0;
        }
    }

    /// The greatest leading coordinate below `low`, and the least above `high`.
    pub(super) fn beyond(&self, low: i64, high: i64) -> [Option<i64>; 2] {
        let at = |place: Position| Some(self.chunks.get(place.chunk)?.coordinates()[place.row]);
        let above = high.checked_add(1).and_then(|above| at(self.first_at(above)));
        let from = self.first_at(low);
        let before = match from.row {
            0 => from.chunk.checked_sub(1).map(|chunk| (chunk, self.chunks[chunk].len() - 1)),
            row => Some((from.chunk, row - 1)),
        };
        [before.and_then(|(chunk, row)| at(Position { chunk, row })), above]
    }

    fn key(&self, item: u32, seniority: Seniority, coords: &[i64]) -> Key {
        debug_assert_eq!(coords.len(), self.metric.dimensions());
        Key { coordinate: self.leading(coords), seniority, item }
    }

    /// Makes room at `place` if its chunk is full, and answers where the place is then.
    fn room_at(&mut self, place: Position) -> Position {
        let Position { chunk, row } = place;
        if self.chunks[chunk].len() < CHUNK {
            return place;
        }
        if row == 0 {
            // In front of everything: descending arrivals fill chunk after chunk.
            self.open_chunk(chunk);
            return place;
        }
        if row == CHUNK {
            // Behind a full chunk: ascending arrivals and floods leave full chunks, not halves.
            if self.chunks.get(chunk + 1).is_none_or(|next| next.len() == CHUNK) {
                self.open_chunk(chunk + 1);
            }
            return Position { chunk: chunk + 1, row: 0 };
        }
        self.open_chunk(chunk + 1);
        let (left, right) = self.chunks.split_at_mut(chunk + 1);
        left[chunk].move_tail(CHUNK / 2, &mut right[0]);
        self.refresh(chunk);
        self.refresh(chunk + 1);
        if row <= CHUNK / 2 { place } else { Position { chunk: chunk + 1, row: row - CHUNK / 2 } }
    }

    /// Puts an empty chunk into the directory, which the caller fills.
    fn open_chunk(&mut self, at: usize) {
        let chunk =
            self.spare.pop().unwrap_or_else(|| Box::new(Chunk::new(self.others.len(), self.has_masks)));
        self.chunks.insert(at, chunk);
        self.firsts.insert(at, 0);
        self.youngest.insert(at, Seniority::default());
    }

    /// Closes or merges a chunk that has become thin, or leaves it if both neighbours are too full.
    fn thin(&mut self, at: usize) {
        let len = self.chunks[at].len();
        let fits = |other: usize| self.chunks.get(other).is_some_and(|chunk| chunk.len() + len <= MERGED_MAX);
        let into = if len == 0 {
            None
        } else if at > 0 && fits(at - 1) {
            Some(at - 1)
        } else if fits(at + 1) {
            Some(at)
        } else {
            self.refresh(at);
            return;
        };
        let closed = into.map_or(at, |into| into + 1);
        let mut chunk = self.chunks.remove(closed);
        self.firsts.remove(closed);
        self.youngest.remove(closed);
        if let Some(into) = into {
            chunk.move_tail(0, &mut self.chunks[into]);
            self.refresh(into);
        }
        chunk.clear();
        self.spare.push(chunk);
    }

    /// Brings the directory in line with a chunk that is not empty.
    fn refresh(&mut self, at: usize) {
        self.firsts[at] = self.chunks[at].coordinates()[0];
        self.youngest[at] = self.chunks[at].youngest();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ids::Millis;

    fn age(submit_number: u64) -> Seniority {
        Seniority { enqueued: Millis(0), submit_number }
    }

    /// Checks the invariant, and answers how full the chunks are on average.
    fn fill(column: &SortedColumn) -> usize {
        let mut keys = Vec::new();
        for (at, chunk) in column.chunks.iter().enumerate() {
            assert!((1..=CHUNK).contains(&chunk.len()));
            assert_eq!(column.firsts[at], chunk.coordinates()[0]);
            assert_eq!(column.youngest[at], chunk.youngest());
            assert!(column.youngest_ever >= chunk.youngest());
            keys.extend((0..chunk.len()).map(|row| chunk.key(row)));
        }
        assert!(keys.is_sorted());
        assert_eq!(keys.len(), column.len());
        keys.len() / column.chunks.len().max(1)
    }

    #[test]
    fn ascending_descending_and_equal_arrivals_leave_full_chunks() {
        for coordinate in [|n: i64| n, |n: i64| -n, |_: i64| 1500] {
            let mut column = SortedColumn::new(&[1], false, Kernels::default());
            for n in 0..5_000_u32 {
                column.insert(n, age(u64::from(n)), &[coordinate(i64::from(n))], 0);
            }
            assert!(fill(&column) >= 60, "{}", fill(&column));
        }
    }

    #[test]
    fn chunks_stay_half_full_on_average_under_churn() {
        let mut column = SortedColumn::new(&[1], false, Kernels::default());
        let mut live = Vec::new();
        let mut state = 1_u64;
        for n in 0..40_000_u32 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let coord = (state >> 40) as i64 % 3000;
            column.insert(n, age(u64::from(n)), &[coord], 0);
            live.push((n, coord));
            if live.len() > 2_000 {
                let (item, coord) = live.swap_remove((state >> 33) as usize % 2_000);
                assert!(column.remove(item, age(u64::from(item)), &[coord]));
            }
        }
        assert!(fill(&column) >= 32, "{}", fill(&column));
        // Many at once: who is left is there as before.
        live.sort_unstable();
        for some in [1, 7, 30, 45] {
            let (away, left): (Vec<_>, Vec<_>) = live.drain(..).partition(|&(item, _)| item % 60 < some);
            let mut gone = vec![0_u64; 40_000 / 64];
            away.iter().for_each(|&(item, _)| gone[item as usize / 64] |= 1 << (item % 64));
            column.remove_all(&gone);
            fill(&column);
            let mut found = Vec::new();
            column.visit_within(i64::MIN, i64::MAX, |item, _| {
                found.push(item);
                true
            });
            found.sort_unstable();
            assert!(found.iter().eq(left.iter().map(|(item, _)| item)));
            live = left;
        }
        for (item, coord) in live {
            assert!(column.remove(item, age(u64::from(item)), &[coord]));
            assert!(!column.remove(item, age(u64::from(item)), &[coord]));
        }
        assert_eq!((column.len(), column.chunks.len()), (0, 0));
    }
}
