//! Sparse columns: one value of every row, of which few rows have another than the usual one.
//!
//! Called by `queue`, for timers and the like that only some tickets have. Invariant: a chunk of rows has memory once
//! a row of it has had another value, and keeps it; every row without memory holds the usual one.

/// Rows in one chunk: chosen, so that scattered rows take little and a whole queue few chunks.
const CHUNK_ROWS: usize = 1024;

/// One `T` for every row.
#[derive(Debug)]
pub struct Sparse<T: Copy + PartialEq> {
    chunks: Vec<Option<Box<[T; CHUNK_ROWS]>>>,
    usual: T,
}

impl<T: Copy + PartialEq> Sparse<T> {
    /// All rows hold `usual`.
    pub fn new(usual: T) -> Sparse<T> {
        Sparse { chunks: Vec::new(), usual }
    }

    /// The value of a row.
    #[inline]
    pub fn get(&self, row: u32) -> T {
        match self.chunks.get(row as usize / CHUNK_ROWS) {
            Some(Some(chunk)) => chunk[row as usize % CHUNK_ROWS],
            _ => self.usual,
        }
    }

    /// Sets the value of a row.
    #[inline]
    pub fn set(&mut self, row: u32, value: T) {
        let (at, place) = (row as usize / CHUNK_ROWS, row as usize % CHUNK_ROWS);
        if let Some(Some(chunk)) = self.chunks.get_mut(at) {
            chunk[place] = value;
        } else if value != self.usual {
            if self.chunks.len() <= at {
                self.chunks.resize_with(at + 1, || None);
            }
            let mut chunk = Box::new([self.usual; CHUNK_ROWS]);
            chunk[place] = value;
            self.chunks[at] = Some(chunk);
        }
    }

    /// Rows that have memory.
    pub fn rows(&self) -> usize {
        self.chunks.iter().flatten().count() * CHUNK_ROWS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// A column is a vector of usual values that some rows were set in.
        #[test]
        fn equals_a_plain_vector(writes in prop::collection::vec((0_u32..9_000, -1_i64..3), 0..200)) {
            let (mut column, mut model) = (Sparse::new(-1), vec![-1; 9_000]);
            for (row, value) in writes {
                column.set(row, value);
                model[row as usize] = value;
            }
            prop_assert!((0..9_000).all(|row| column.get(row) == model[row as usize]));
        }
    }

    #[test]
    fn rows_that_hold_the_usual_take_nothing() {
        let mut column = Sparse::new((u64::MAX, 0));
        (0..100_000).for_each(|row| column.set(row, (u64::MAX, 0)));
        assert_eq!(column.rows(), 0);
        column.set(70_000, (5, 5));
        assert_eq!((column.rows(), column.get(70_000), column.get(70_001)), (1024, (5, 5), (u64::MAX, 0)));
    }
}
