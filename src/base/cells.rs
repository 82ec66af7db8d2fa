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
        lot.prefetch();
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

    /// A look at a run, for who reads several words of it.
    #[inline]
    pub fn view(&self, run: Run) -> View<'_> {
        View { cells: self, first: self.pool.get(run.0) }
    }

    /// Has the first cells of runs fetched that are read soon.
    pub fn prefetch(&self, runs: impl Iterator<Item = Run>) {
        runs.for_each(|run| self.pool.prefetch(run.0));
    }

    /// Copies the words of a run to the beginning of `words`, as far as these reach: in whole cells.
    #[inline]
    pub fn read(&self, run: Run, words: &mut [u64]) {
        let (mut index, mut rest) = (run.0, words.chunks_mut(CELL_WORDS));
        while let Some(cell) = self.pool.get(index)
            && let Some(part) = rest.next()
        {
            match <&mut [u64; CELL_WORDS]>::try_from(&mut *part) {
                Ok(part) => (0..CELL_WORDS).for_each(|at| part[at] = cell.words[at].load(Ordering::Relaxed)),
                Err(_) => {
                    part.iter_mut()
                        .zip(&cell.words)
                        .for_each(|(to, word)| *to = word.load(Ordering::Relaxed));
                }
            }
            index = cell.next.load(Ordering::Relaxed);
        }
    }

    /// Gives a run back, which nobody looks at any more; once for each run.
    pub fn give(&self, run: Run) {
        self.pile().give(run);
    }
}

/// A look at a run whose words stay as they are meanwhile.
#[derive(Clone, Copy)]
pub struct View<'a> {
    cells: &'a Cells,
    first: Option<&'a Cell>,
}

impl View<'_> {
    /// The word at a place of a run that is as long as that; 0 where there is none.
    #[inline]
    pub fn word(&self, at: usize) -> u64 {
        let Some(first) = self.first else { return 0 };
        match first.words.get(at) {
            Some(word) => word.load(Ordering::Relaxed),
            None => self.cells.word(Run(first.next.load(Ordering::Relaxed)), at - CELL_WORDS),
        }
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
            match <&[u64; CELL_WORDS]>::try_from(part) {
                Ok(part) => (0..CELL_WORDS).for_each(|at| cell.words[at].store(part[at], Ordering::Relaxed)),
                Err(_) => {
                    cell.words.iter().zip(part).for_each(|(to, &word)| to.store(word, Ordering::Relaxed));
                }
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
                let mut read = vec![0; words.len()];
                cells.read(*run, &mut read);
                prop_assert_eq!(&read, words);
                for (at, &word) in words.iter().enumerate() {
                    prop_assert_eq!((cells.word(*run, at), cells.view(*run).word(at)), (word, word));
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
