//! An index into a table together with a count of changes, in one word that an exchange can replace.
//!
//! Called by `pool`, `fifo`, `published` and by the players of `claim`. Invariant: who replaces a word by one
//! with a greater count makes every copy of the old word out of date, even if the same index comes back; so an
//! exchange that succeeds proves that nothing changed since the word was read.
//!
//! Bits 0..28 are the index, bits 28..64 the count. A thread would have to be held up between a load and its
//! exchange for 2^36 changes of the one word to be fooled: two hours at ten million changes a second, and then
//! only if it went on at exactly the right one.

/// Bits of the index.
const INDEX_BITS: u32 = 28;
/// Bits of the count.
const COUNT_BITS: u32 = u64::BITS - INDEX_BITS;

/// Most items of a table that is indexed so; the greatest index means none.
pub const INDEXED_MAX: u32 = NO_INDEX;
/// The index of no item.
pub const NO_INDEX: u32 = (1 << INDEX_BITS) - 1;

/// An index, or none, and a count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tagged(pub u64);

impl Tagged {
    /// No item, and the count 0.
    pub const NONE: Tagged = Tagged(NO_INDEX as u64);

    /// This index with the count 0.
    pub const fn new(index: u32) -> Tagged {
        Tagged(index as u64 & NO_INDEX as u64)
    }

    /// The index; [`NO_INDEX`] if there is none.
    pub const fn index(self) -> u32 {
        self.0 as u32 & NO_INDEX
    }

    /// Whether it names no item.
    pub const fn is_none(self) -> bool {
        self.index() == NO_INDEX
    }

    /// Another index, and `steps` more on the count.
    pub const fn after(self, index: u32, steps: u64) -> Tagged {
        let count = (self.0 >> INDEX_BITS).wrapping_add(steps);
        Tagged(count << INDEX_BITS | Tagged::new(index).0)
    }

    /// By how much this count is ahead of an earlier one.
    pub const fn steps_since(self, earlier: Tagged) -> u64 {
        (self.0 >> INDEX_BITS).wrapping_sub(earlier.0 >> INDEX_BITS) & ((1 << COUNT_BITS) - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_and_count_do_not_touch() {
        assert!(Tagged::NONE.is_none() && !Tagged::new(0).is_none());
        let five = Tagged::new(5).after(NO_INDEX - 1, 3);
        assert_eq!((five.index(), five.steps_since(Tagged::NONE)), (NO_INDEX - 1, 3));
        let last = Tagged::new(7).after(7, (1 << 36) - 1);
        assert_eq!(last.index(), 7);
        assert_eq!(last.after(8, 1), Tagged::new(8));
        assert_eq!(last.after(8, 1).steps_since(last), 1);
    }
}
