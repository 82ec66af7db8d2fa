//! Which rows of a set of columns are in use.
//!
//! Called by whoever owns columns and gives each of its tickets a row. Invariant: a row belongs to one holder
//! at a time; the row released last is the first to be handed out again (its cache lines are warm), so rows
//! stay dense and depend on the calls alone.

/// Hands out rows 0, 1, 2, .. and takes them back.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// Rows released, the last one on top.
    free: Vec<u32>,
    /// One bit a row: whether it is in use.
    used: Vec<u64>,
    /// Rows handed out at least once.
    high: u32,
}

impl Rows {
    /// No row in use.
    pub fn new() -> Rows {
        Rows::default()
    }

    /// Rows that were ever in use: columns grown to this many have them all.
    pub fn high(&self) -> u32 {
        self.high
    }

    /// Rows in use.
    pub fn live(&self) -> u32 {
        self.high - self.free.len() as u32
    }

    /// Whether the row is in use.
    pub fn is_live(&self, row: u32) -> bool {
        self.used.get(row as usize / 64).is_some_and(|bits| bits >> (row % 64) & 1 == 1)
    }

    /// A row that is not in use, which now is.
    pub fn take(&mut self) -> u32 {
        let row = self.free.pop().unwrap_or(self.high);
        if row == self.high {
            self.high += 1;
            if row as usize / 64 == self.used.len() {
                self.used.push(0);
                // Every row may come back at once: then nothing is allocated either.
                let room = self.used.capacity() * 64;
                self.free.reserve(room.saturating_sub(self.free.len()));
            }
        }
        self.used[row as usize / 64] |= 1 << (row % 64);
        row
    }

    /// Takes a row back. Answers whether it was in use; if not, nothing changes.
    pub fn release(&mut self, row: u32) -> bool {
        if !self.is_live(row) {
            return false;
        }
        self.used[row as usize / 64] &= !(1 << (row % 64));
        self.free.push(row);
        true
    }

    /// The rows in use, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.used.iter().enumerate().flat_map(|(index, &bits)| {
            let mut left = bits;
            std::iter::from_fn(move || {
                if left == 0 {
                    return None;
                }
                let bit = left.trailing_zeros();
                left &= left - 1;
                Some(index as u32 * 64 + bit)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        /// Rows are a set of numbers, dense from 0.
        #[test]
        fn equals_a_plain_set(steps in prop::collection::vec((any::<bool>(), 0_u32..150), 0..500)) {
            let mut rows = Rows::new();
            let mut model = BTreeSet::new();
            for (take, row) in steps {
                if take {
                    let row = rows.take();
                    prop_assert!(model.insert(row));
                    prop_assert!(row < rows.high());
                } else {
                    prop_assert_eq!(rows.release(row), model.remove(&row));
                }
                prop_assert_eq!(rows.live() as usize, model.len());
                prop_assert_eq!(rows.is_live(row), model.contains(&row));
            }
            prop_assert!(rows.iter().eq(model.iter().copied()));
            let high = rows.high();
            for _ in rows.live()..high {
                rows.take();
            }
            prop_assert_eq!(rows.high(), high);
        }
    }

    #[test]
    fn the_last_row_back_is_the_first_out() {
        let mut rows = Rows::new();
        let taken: Vec<u32> = (0..5).map(|_| rows.take()).collect();
        assert_eq!(taken, [0, 1, 2, 3, 4]);
        assert!(rows.release(1) && rows.release(3) && !rows.release(3) && !rows.release(9));
        assert_eq!((rows.take(), rows.take(), rows.take()), (3, 1, 5));
    }
}
