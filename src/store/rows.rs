//! Which rows of a set of columns are in use.
//!
//! Called by whoever owns columns and gives each of its tickets a row. Invariant: a row belongs to one holder
//! at a time; the least free row is the first to be handed out, so rows stay dense, depend on the calls alone, and
//! tickets that come one after the other mostly stand one after the other.
//!
//! Tried: the row released last first, for its warm lines. A dense flow gives rows back in the order of matches, so after
//! some ticks those of one tick lie in no order, and every walk over tickets by age misses at each.

/// Words stand for 64 words of the level below, up to one word at the top.
const LEVELS: usize = 5;
const WORD_BITS: u32 = 6;

/// Hands out rows 0, 1, 2, .. and takes them back. Constant cost.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// At the lowest level a bit for each row that was released; above it one for each word below that is not 0.
    free: [Vec<u64>; LEVELS],
    /// The first word of the lowest level that is not 0, as long as there is one.
    first: usize,
    /// Rows in use.
    live: u32,
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
        self.live
    }

    /// Whether the row is in use.
    pub fn is_live(&self, row: u32) -> bool {
        row < self.high && self.free[0][(row >> WORD_BITS) as usize] >> (row % 64) & 1 == 0
    }

    /// A row that is not in use, which now is. At most 2^30 rows.
    pub fn take(&mut self) -> u32 {
        if self.live == self.high {
            return self.open_row();
        }
        self.live += 1;
        let word = &mut self.free[0][self.first];
        let row = (self.first << WORD_BITS) as u32 + word.trailing_zeros();
        *word &= *word - 1;
        if *word == 0 {
            self.find_first();
        }
        row
    }

    /// The first word has become 0: says so above, and finds the next one.
    #[cold]
    fn find_first(&mut self) {
        let mut at = self.first;
        for words in &mut self.free[1..] {
            let word = &mut words[at >> WORD_BITS];
            *word &= !(1 << (at % 64));
            if *word != 0 {
                break;
            }
            at >>= WORD_BITS;
        }
        if self.live < self.high {
            let above = self.free[1..].iter().rev();
            self.first = above.fold(0, |at, words| at << WORD_BITS | words[at].trailing_zeros() as usize);
        }
    }

    /// A row that was never handed out.
    fn open_row(&mut self) -> u32 {
        let row = self.high;
        debug_assert!(row >> (LEVELS as u32 * WORD_BITS) == 0, "too many rows");
        let mut at = row as usize;
        for words in &mut self.free {
            at >>= WORD_BITS;
            if words.len() <= at {
                words.push(0);
            }
        }
        (self.live, self.high) = (self.live + 1, self.high + 1);
        row
    }

    /// Takes a row back. Answers whether it was in use; if not, nothing changes.
    pub fn release(&mut self, row: u32) -> bool {
        if !self.is_live(row) {
            return false;
        }
        let at = (row >> WORD_BITS) as usize;
        self.first = if self.live == self.high { at } else { self.first.min(at) };
        self.live -= 1;
        let word = &mut self.free[0][at];
        let had_others = *word != 0;
        *word |= 1 << (row % 64);
        if !had_others {
            self.note(at);
        }
        true
    }

    /// A word of the lowest level is no longer 0: says so above.
    #[cold]
    fn note(&mut self, mut at: usize) {
        for words in &mut self.free[1..] {
            let word = &mut words[at >> WORD_BITS];
            let had_others = *word != 0;
            *word |= 1 << (at % 64);
            if had_others {
                break;
            }
            at >>= WORD_BITS;
        }
    }

    /// The rows in use, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.high).filter(|&row| self.is_live(row))
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
    fn the_least_free_row_is_the_first_out() {
        let mut rows = Rows::new();
        let taken: Vec<u32> = (0..5).map(|_| rows.take()).collect();
        assert_eq!(taken, [0, 1, 2, 3, 4]);
        assert!(rows.release(3) && rows.release(1) && !rows.release(3) && !rows.release(9));
        assert_eq!((rows.take(), rows.take(), rows.take()), (1, 3, 5));
    }

    #[test]
    fn rows_are_found_over_all_levels() {
        let mut rows = Rows::new();
        let count = 64 * 64 * 64 + 100;
        (0..count).for_each(|row| assert_eq!(rows.take(), row));
        for row in [count - 1, 64 * 64 * 63 + 7, 64 * 64, 4_095, 63] {
            assert!(rows.release(row));
        }
        let taken: Vec<u32> = (0..6).map(|_| rows.take()).collect();
        assert_eq!(taken, [63, 4_095, 64 * 64, 64 * 64 * 63 + 7, count - 1, count]);
    }
}
