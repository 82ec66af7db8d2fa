//! Columns: one value of every row, in aligned chunks that never move.
//!
//! Called by [`tickets`](super::tickets) for every value of a ticket, and by [`lists`](super::lists). Invariant: every chunk
//! has exactly [`CHUNK_ROWS`] values, all of them set (to the default, until something else is), starts on a
//! 64-byte border and stays where it is as the column grows, so kernels run over whole slices and growth
//! copies nothing. Reading is free of locks from any number of threads while nobody holds `&mut`.
#![allow(unsafe_code)] // Chunks come from an arena as raw memory; this file is their safe door.

use crate::base::arena::Chunks;
use std::fmt;
use std::ptr::NonNull;
use std::slice;

/// Rows in one chunk, a power of two: 32 KiB of a column of 8-byte values.
pub const CHUNK_ROWS: usize = 4096;

/// A column grows by one chunk for so many that it has: chosen, so that an eighth of it at most is empty.
const GROWTH: usize = 8;

/// One `T` for every row.
pub struct Column<T: Copy> {
    /// The first value of each chunk of CHUNK_ROWS.
    chunks: Vec<NonNull<T>>,
    /// Own what `chunks` points to; touched only through `&mut self`.
    arenas: Vec<Chunks>,
    default: T,
}

// SAFETY: the column owns its chunks alone, as a Vec<T> would, and moving it does not move them.
unsafe impl<T: Copy + Send> Send for Column<T> {}
// SAFETY: through `&self` values are only read, and the arenas (which are not Sync) are not touched at all.
unsafe impl<T: Copy + Sync> Sync for Column<T> {}

impl<T: Copy> Column<T> {
    /// A column without rows; rows that appear hold `default`.
    pub fn new(default: T) -> Column<T> {
        Column { chunks: Vec::new(), arenas: Vec::new(), default }
    }

    /// How many rows have memory: a multiple of [`CHUNK_ROWS`].
    pub fn rows(&self) -> usize {
        self.chunks.len() * CHUNK_ROWS
    }

    /// How many chunks there are.
    pub fn chunk_count(&self) -> usize {
        self.chunks.len()
    }

    /// Makes sure that rows `0..rows` exist. Allocates whole chunks; never shrinks.
    pub fn grow_to(&mut self, rows: usize) {
        while self.rows() < rows {
            // An arena for each step: one that grows by itself takes twice as much each time.
            let count = (self.chunks.len() / GROWTH).max(1);
            let mut arena = Chunks::new();
            let first = arena.allocate(count * CHUNK_ROWS, self.default);
            self.arenas.push(arena);
            // SAFETY: the arena has set `count` chunks side by side from `first` on.
            self.chunks.extend((0..count).map(|at| unsafe { first.add(at * CHUNK_ROWS) }));
        }
    }

    /// The value of a row. Panics on a row that does not exist.
    #[inline]
    pub fn get(&self, row: u32) -> T {
        let chunk = self.chunks[row as usize / CHUNK_ROWS];
        // SAFETY: a chunk holds CHUNK_ROWS set values and the offset is below that; `&self` keeps writers
        // out.
        unsafe { chunk.add(row as usize % CHUNK_ROWS).read() }
    }

    /// The value of a row, where it lies. Panics on a row that does not exist.
    #[inline]
    pub fn at(&self, row: u32) -> &T {
        let chunk = self.chunks[row as usize / CHUNK_ROWS];
        // SAFETY: a chunk holds CHUNK_ROWS set values, which live as long as the column, and the offset is below that;
        // the result borrows the column, so nobody writes meanwhile.
        unsafe { chunk.add(row as usize % CHUNK_ROWS).as_ref() }
    }

    /// The value of a row, to change in place. Panics on a row that does not exist.
    #[inline]
    pub fn at_mut(&mut self, row: u32) -> &mut T {
        let chunk = self.chunks[row as usize / CHUNK_ROWS];
        // SAFETY: as in `at`; the result borrows the column alone.
        unsafe { chunk.add(row as usize % CHUNK_ROWS).as_mut() }
    }

    /// Sets the value of a row. Panics on a row that does not exist.
    #[inline]
    pub fn set(&mut self, row: u32, value: T) {
        let chunk = self.chunks[row as usize / CHUNK_ROWS];
        // SAFETY: the offset is below CHUNK_ROWS; `&mut self` keeps everybody else out.
        unsafe { chunk.add(row as usize % CHUNK_ROWS).write(value) }
    }

    /// The values of rows `index * CHUNK_ROWS` and up. Panics on a chunk that does not exist.
    #[inline]
    pub fn chunk(&self, index: usize) -> &[T] {
        // SAFETY: the chunk holds CHUNK_ROWS set values, which live as long as the column; the result borrows
        // it, so nobody writes meanwhile.
        unsafe { slice::from_raw_parts(self.chunks[index].as_ptr(), CHUNK_ROWS) }
    }

    /// The values of rows `index * CHUNK_ROWS` and up, to change. Panics on a chunk that does not exist.
    #[inline]
    pub fn chunk_mut(&mut self, index: usize) -> &mut [T] {
        // SAFETY: as in `chunk`; the result borrows the column alone.
        unsafe { slice::from_raw_parts_mut(self.chunks[index].as_ptr(), CHUNK_ROWS) }
    }
}

impl<T: Copy> fmt::Debug for Column<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Column").field("rows", &self.rows()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// A column is a vector of defaults that some rows were set in.
        #[test]
        fn equals_a_plain_vector(writes in prop::collection::vec((0_u32..20_000, any::<i64>()), 0..200)) {
            let mut column = Column::new(-1_i64);
            let mut model: Vec<i64> = Vec::new();
            for (row, value) in writes {
                column.grow_to(row as usize + 1);
                model.resize(column.rows(), -1);
                column.set(row, value);
                model[row as usize] = value;
                prop_assert_eq!((column.get(row), *column.at(row)), (value, value));
                *column.at_mut(row) += i64::from(value < 0);
                model[row as usize] += i64::from(value < 0);
            }
            let all: Vec<i64> = (0..column.chunk_count()).flat_map(|i| column.chunk(i).to_vec()).collect();
            prop_assert_eq!(all, model);
        }
    }

    #[test]
    fn chunks_are_aligned_and_never_move() {
        let mut column = Column::new(0_u16);
        column.grow_to(1);
        let first = column.chunk(0).as_ptr();
        column.grow_to(100 * CHUNK_ROWS);
        assert_eq!(column.chunk(0).as_ptr(), first);
        assert!((0..100).all(|i| (column.chunk(i).as_ptr() as usize).is_multiple_of(64)));
        column.chunk_mut(99)[1] = 9;
        assert_eq!(column.get(99 * CHUNK_ROWS as u32 + 1), 9);
    }

    #[test]
    #[should_panic(expected = "index out of bounds")]
    fn a_row_that_does_not_exist_is_a_fault() {
        Column::new(0_u8).get(0);
    }

    #[test]
    fn can_be_read_by_many_threads() {
        let mut column = Column::new(3_u32);
        column.grow_to(10);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| assert_eq!(column.get(9), 3));
            }
        });
    }
}
