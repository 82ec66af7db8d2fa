//! Short runs of words of differing lengths, in cells of one cache line that are used again.
//!
//! Called by `engine`, for what it keeps of tickets and matches. Invariant: a run belongs to whoever put it there
//! until he gives it back, and its words do not change meanwhile. Words are atomics that are read and written relaxed:
//! who is handed the number of a run is handed it by a release that he acquires, and who gives it back does so after
//! the last look at it, which comes before the next use by the pool's own release.
//!
//! Cells of one size, chained: a run of seven words, which a ticket of one player with one attribute and four pings
//! is, takes one line of 64 bytes, and longer ones waste at most six words.

use super::pool::{Lot, Pile, Pool};
use super::sync::{AtomicU32, AtomicU64, Ordering};
use super::tagged::{INDEXED_MAX, NO_INDEX};

/// Words in one cell: what a line of 64 bytes holds beside the link.
pub const CELL_WORDS: usize = 7;

/// One cell.
#[repr(align(64))]
struct Cell {
    words: [AtomicU64; CELL_WORDS],
    /// The next cell of the run.
    next: AtomicU32,
}

impl Cell {
    fn new() -> Cell {
        Cell { words: std::array::from_fn(|_| AtomicU64::new(0)), next: AtomicU32::new(NO_INDEX) }
    }
}

/// Runs of words. Any thread; no allocation but for segments of cells that were never needed before.
pub struct Cells {
    pool: Pool<Cell>,
}

/// Names a run: the number of its first cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run(pub u32);

impl Run {
    /// No run.
    pub const NONE: Run = Run(NO_INDEX);
}

impl Cells {
    /// Room for so many cells, at most 2^28 - 1; 64 bytes each, when they are first needed.
    pub fn new(len: u32) -> Cells {
        Cells { pool: Pool::new(len.min(INDEXED_MAX)) }
    }

    /// Keeps a copy of the words; `None` if there is no room for it. Nothing at all is [`Run::NONE`].
    pub fn put(&self, words: &[u64]) -> Option<Run> {
        self.lot(0).put(words)
    }

    /// So many cells taken at once, for runs to come.
    pub fn lot(&self, cells: u32) -> CellLot<'_> {
        let lot = self.pool.lot(cells, Cell::new);
        lot.warm(|cell| cell.words[0].load(Ordering::Relaxed));
        CellLot { cells: self, lot }
    }

    /// Where runs are gathered that are to be given back at once.
    pub fn pile(&self) -> CellPile<'_> {
        CellPile { cells: self, pile: self.pool.pile() }
    }

    /// The word at a place of a run that is as long as that; 0 where there is none.
    #[inline]
    pub fn word(&self, run: Run, at: usize) -> u64 {
        let mut index = run.0;
        for _ in 0..at / CELL_WORDS {
            index = self.pool.get(index).map_or(NO_INDEX, |cell| cell.next.load(Ordering::Relaxed));
        }
        self.pool.get(index).map_or(0, |cell| cell.words[at % CELL_WORDS].load(Ordering::Relaxed))
    }

    /// Looks at the beginnings of runs, and makes nothing of them: so that their memory is near when their turn comes.
    pub fn warm(&self, runs: impl Iterator<Item = Run>) {
        std::hint::black_box(runs.map(|run| self.word(run, 0)).fold(0, u64::wrapping_add));
    }

    /// The words of a run, from its beginning to the end of its last cell: what is behind those that were put there
    /// is of no meaning.
    pub fn words(&self, run: Run) -> impl Iterator<Item = u64> + '_ {
        let next = |cell: &&Cell| self.pool.get(cell.next.load(Ordering::Relaxed));
        let cells = std::iter::successors(self.pool.get(run.0), next);
        cells.flat_map(|cell| cell.words.iter().map(|word| word.load(Ordering::Relaxed)))
    }

    /// Gives a run back, which nobody looks at any more; once for each run.
    pub fn give(&self, run: Run) {
        self.pile().give(run);
    }
}

/// Cells that one thread has taken at once; those that are left go back when it is dropped.
pub struct CellLot<'a> {
    cells: &'a Cells,
    lot: Lot<'a, Cell>,
}

impl CellLot<'_> {
    /// As [`Cells::put`], of these cells first.
    pub fn put(&mut self, words: &[u64]) -> Option<Run> {
        let mut first = NO_INDEX;
        for part in words.chunks(CELL_WORDS).rev() {
            let taken = self.lot.take().or_else(|| self.cells.pool.take(Cell::new));
            let Some((index, cell)) = taken else {
                self.cells.give(Run(first));
                return None;
            };
            for (place, &word) in cell.words.iter().zip(part) {
                place.store(word, Ordering::Relaxed);
            }
            cell.next.store(first, Ordering::Relaxed);
            first = index;
        }
        Some(Run(first))
    }
}

/// Runs that go back at once, when it is dropped.
pub struct CellPile<'a> {
    cells: &'a Cells,
    pile: Pile<'a, Cell>,
}

impl CellPile<'_> {
    /// As [`Cells::give`], later.
    pub fn give(&mut self, run: Run) {
        let mut index = run.0;
        while let Some(cell) = self.cells.pool.get(index) {
            let next = cell.next.load(Ordering::Relaxed);
            self.pile.add(index);
            index = next;
        }
    }
}

const _: () = assert!(cfg!(loom) || size_of::<Cell>() == 64);

#[cfg(test)]
#[cfg(not(loom))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Any mix of puts and gives keeps every other run as it is, and no cell is lost.
        #[test]
        fn equals_a_vector_of_vectors(steps in prop::collection::vec((0_usize..40, any::<u16>()), 1..200)) {
            let cells = Cells::new(40);
            let mut model: Vec<(Run, Vec<u64>)> = Vec::new();
            let used = |model: &[(Run, Vec<u64>)]| -> usize {
                model.iter().map(|(_, words)| words.len().div_ceil(CELL_WORDS)).sum()
            };
            for (number, (len, word)) in steps.into_iter().enumerate() {
                if word % 3 == 0 && !model.is_empty() {
                    cells.give(model.swap_remove(word as usize % model.len()).0);
                    continue;
                }
                let words: Vec<u64> = (0..len as u64).map(|at| at * 1000 + number as u64).collect();
                let fits = used(&model) + len.div_ceil(CELL_WORDS) <= 40;
                let run = cells.put(&words);
                prop_assert_eq!(run.is_some(), fits);
                model.extend(run.map(|run| (run, words)));
            }
            for (run, words) in &model {
                let read: Vec<u64> = cells.words(*run).take(words.len()).collect();
                prop_assert_eq!(&read, words);
                for (at, &word) in words.iter().enumerate() {
                    prop_assert_eq!(cells.word(*run, at), word);
                }
            }
        }
    }

    #[test]
    fn a_run_that_finds_no_room_takes_none() {
        let cells = Cells::new(2);
        assert_eq!(cells.put(&[]), Some(Run::NONE));
        assert!(cells.put(&[1; 15]).is_none());
        let run = cells.put(&[1; 14]).unwrap();
        assert!(cells.put(&[1]).is_none());
        cells.give(run);
        assert!(cells.put(&[1; 14]).is_some());
    }
}
