//! A value that many threads read and any may replace, without locks: the queues and regions as they stand.
//!
//! Called by `engine`: every call reads, few replace. Invariant: a reader holds one whole value, which stays
//! as it is until he lets go; of two threads that want to replace the same value one does.
//!
//! Values live in cells. A word names the current cell, with a count of replacements; each cell counts the
//! readers that are in it and says whether it is free:
//!
//! ```text
//!         claim (0 -> CLAIMED)            exchange of `current`
//!  free ----------------------> written ------------------------> current
//!   ^                              |                                 |
//!   |   value dropped              | lost the exchange               | replaced: CLAIMED goes
//!   '------------------------------'---------------------------------+
//!   '-------------------------- last reader out, value dropped ------'
//! ```
//!
//! A reader enters the cell that he found current and then looks again whether it still is; only then does he
//! look inside. A cell is claimed by an exchange from "no reader, not claimed", and a current cell is claimed
//! all along. So if the reader's step into the cell comes before the claim for another value, the claim
//! fails; and if it comes after, the reader has learned through the cell's own word that `current` had moved,
//! and his second look sees it. This is reference counting with a second look (M. M. Michael and M. L. Scott,
//! "Correction of a Memory Management Method for Lock-Free Data Structures", TR 599, Rochester 1995).
//!
//! A thread that stops with a guard, or half way in a replacement, keeps one cell and delays nobody. Cells
//! come in blocks that are chained when all are in use, and stay: there are never more than, rounded up to
//! blocks, one and the greatest number of guards on replaced values and of replacements under way at one
//! time.
#![allow(unsafe_code)] // Cells are written in place and blocks are linked by raw pointers.

use super::fault::Fault;
use super::sync::{AtomicPtr, AtomicU64, Ordering, Padded};
use super::tagged::{NO_INDEX, Tagged};
use std::cell::UnsafeCell;
use std::ops::Deref;
use std::ptr;

/// Cells of a block where nothing else is said: more than threads that read and replace at once, on most hosts.
pub const CELLS: usize = if cfg!(loom) { 2 } else { 16 };

/// In a cell's state: it holds the current value, or one thread works at it. Below are its readers.
const CLAIMED: u64 = 1 << 63;

/// The place of one value.
struct Cell<T> {
    /// CLAIMED and the number of readers.
    state: AtomicU64,
    /// Written only by the thread that claimed the cell, before it is current or after it was.
    value: UnsafeCell<Option<T>>,
}

/// Some cells, and where there are more.
struct Block<T, const N: usize> {
    cells: [Cell<T>; N],
    more: AtomicPtr<Block<T, N>>,
}

impl<T, const N: usize> Block<T, N> {
    fn new() -> Block<T, N> {
        let cell = |_| Cell { state: AtomicU64::new(0), value: UnsafeCell::new(None) };
        Block { cells: std::array::from_fn(cell), more: AtomicPtr::new(ptr::null_mut()) }
    }

    /// The next block, if there is one.
    fn more(&self) -> Option<&Block<T, N>> {
        // Acquire pairs with the release in `more_or_make`: the block is seen as made.
        let more = self.more.load(Ordering::Acquire);
        // SAFETY: what is not null is a leaked box, set once and freed when the first block is dropped, and
        // the result borrows this block.
        unsafe { more.as_ref() }
    }

    /// The next block, made if need be.
    fn more_or_make(&self) -> Option<&Block<T, N>> {
        if self.more().is_none() {
            let made = Box::into_raw(Box::new(Block::new()));
            // Release pairs with the acquire in `more`, which is called again if another was first.
            let swap =
                self.more.compare_exchange(ptr::null_mut(), made, Ordering::Release, Ordering::Relaxed);
            if swap.is_err() {
                // SAFETY: `made` came from `Box::into_raw` just above and was given to nobody.
                drop(unsafe { Box::from_raw(made) });
            }
        }
        self.more()
    }
}

/// A value that is read and replaced by any thread. No thread waits for another. `N`: cells of a block, at least 1.
pub struct Published<T, const N: usize = CELLS> {
    /// A [`Tagged`]: the cell of the value, and how often it was replaced. By itself on its cache line, as readers
    /// write to the cells.
    current: Padded<AtomicU64>,
    first: Block<T, N>,
    fault: Fault,
}

// SAFETY: readers of several threads share `&T` (`Sync`), and a value may be dropped by another thread than
// made it (`Send`). The cells are written only by who claimed them, as told above.
unsafe impl<T: Send + Sync, const N: usize> Sync for Published<T, N> {}
// SAFETY: moving it moves the values.
unsafe impl<T: Send, const N: usize> Send for Published<T, N> {}

/// A value that is being read. It stays as it is, current or not, until the guard is dropped.
pub struct Guard<'a, T, const N: usize = CELLS> {
    from: &'a Published<T, N>,
    cell: &'a Cell<T>,
    value: &'a T,
    seen: Tagged,
}

impl<T> Published<T> {
    /// Publishes a first value.
    pub fn new(value: T) -> Published<T> {
        Published::build(value, Fault::None)
    }

    /// As `new`, with a known mistake in it. For loom models.
    #[cfg(loom)]
    pub fn with_fault(value: T, fault: Fault) -> Published<T> {
        Published::build(value, fault)
    }
}

impl<T, const N: usize> Published<T, N> {
    /// Publishes a first value, with blocks of `N` cells.
    pub fn with_cells(value: T) -> Published<T, N> {
        Published::build(value, Fault::None)
    }

    fn build(value: T, fault: Fault) -> Published<T, N> {
        let mut first = Block::new();
        first.cells[0] = Cell { state: AtomicU64::new(CLAIMED), value: UnsafeCell::new(Some(value)) };
        Published { current: Padded(AtomicU64::new(Tagged::new(0).0)), first, fault }
    }

    /// The current value. Any thread; two writes to the cell's word, one now and one at the guard's end.
    ///
    /// It is tried again only if the value was replaced just then.
    pub fn load(&self) -> Guard<'_, T, N> {
        loop {
            // Acquire pairs with the release in `compare_replace`: the value is seen as written.
            let seen = Tagged(self.current.0.load(Ordering::Acquire));
            let Some(cell) = self.cell(seen.index()) else { continue };
            // Acquire pairs with the release of the claim in `claim`, through whatever readers came between:
            // if the cell was claimed for another value, the second look sees that `current` has moved.
            cell.state.fetch_add(1, Ordering::Acquire);
            // Relaxed: kept behind the acquire above, which says what it must see. If it is the old word, the
            // value was acquired by the first load.
            let is_current = self.current.0.load(Ordering::Relaxed) == seen.0;
            if is_current || self.fault.is(Fault::PublishedLooksOnce) {
                // SAFETY: the cell was current after we were counted, so its value is written, and it will
                // not be claimed, which is what all writers of the value do first, before our count is gone.
                if let Some(value) = unsafe { &*cell.value.get() } {
                    return Guard { from: self, cell, value, seen };
                }
            }
            self.leave(cell);
        }
    }

    /// Replaces the value that the guard has, if it is still the current one. Any thread. Error: the new
    /// value, if another thread was first.
    ///
    /// Costs a look at each cell that is in use, and an allocation when all are.
    pub fn compare_replace(&self, seen: Guard<'_, T, N>, new: T) -> Result<(), T> {
        if !ptr::eq(seen.from, self) {
            return Err(new);
        }
        let Some((index, cell)) = self.claim() else { return Err(new) };
        // SAFETY: the cell is claimed by us and nobody reads it, as told above; it has no value.
        unsafe { *cell.value.get() = Some(new) };
        // Release pairs with the acquire in `load`. On failure nothing of the other value is read.
        let to = seen.seen.after(index, 1);
        let swap = self.current.0.compare_exchange(seen.seen.0, to.0, Ordering::Release, Ordering::Relaxed);
        if swap.is_ok() {
            // The old cell is no longer current. Release pairs with the acquire of the next claim, which so
            // comes after the exchange. Our guard is still in it, so it is not empty yet.
            seen.cell.state.fetch_sub(CLAIMED, Ordering::Release);
            return Ok(());
        }
        // SAFETY: the cell is still ours, and was never current with this value.
        let new = unsafe { (*cell.value.get()).take() };
        // Release pairs with the acquire of the next claim: it comes after the value has gone.
        cell.state.fetch_sub(CLAIMED, Ordering::Release);
        // There was one, written above.
        new.map_or(Ok(()), Err)
    }

    /// Replaces the value by what `change` makes of it, as often as it takes; answers false if `change` makes
    /// nothing of it. Any thread.
    pub fn update(&self, mut change: impl FnMut(&T) -> Option<T>) -> bool {
        loop {
            let seen = self.load();
            let Some(new) = change(&seen) else { return false };
            if self.compare_replace(seen, new).is_ok() {
                return true;
            }
        }
    }

    /// A free cell, claimed.
    fn claim(&self) -> Option<(u32, &Cell<T>)> {
        let mut block = &self.first;
        let mut index = 0;
        while index + (N as u32) < NO_INDEX {
            for cell in &block.cells {
                // Relaxed: a guess that the exchange checks.
                if cell.state.load(Ordering::Relaxed) == 0 && claim(cell) {
                    return Some((index, cell));
                }
                index += 1;
            }
            block = block.more_or_make()?;
        }
        None
    }

    /// The cell of that index; `None` if there is no such cell.
    fn cell(&self, index: u32) -> Option<&Cell<T>> {
        let mut block = &self.first;
        for _ in 0..index as usize / N {
            block = block.more()?;
        }
        Some(&block.cells[index as usize % N])
    }

    /// A reader leaves a cell; the last one out drops the value if it is no longer current.
    fn leave(&self, cell: &Cell<T>) {
        let release =
            if self.fault.is(Fault::PublishedLeavesRelaxed) { Ordering::Relaxed } else { Ordering::Release };
        // Release pairs with the acquire of the next claim: our reads are over before the cell is written.
        if cell.state.fetch_sub(1, release) == 1 && claim(cell) {
            // SAFETY: the cell is claimed by us, nobody reads it, and it is not current, as that would have
            // been claimed before.
            let old = unsafe { (*cell.value.get()).take() };
            // As in `compare_replace`. The value's own drop comes after it, so that it may take its time.
            cell.state.fetch_sub(CLAIMED, Ordering::Release);
            drop(old);
        }
    }
}

/// Claims a cell without readers; answers whether it was free.
fn claim<T>(cell: &Cell<T>) -> bool {
    // Acquire pairs with the releases of `state` above: readers have left and former values are gone. Release
    // pairs with the acquire in `load`: a reader who comes in late learns that the value was replaced.
    cell.state.compare_exchange(0, CLAIMED, Ordering::AcqRel, Ordering::Relaxed).is_ok()
}

impl<T, const N: usize> Deref for Guard<'_, T, N> {
    type Target = T;

    fn deref(&self) -> &T {
        self.value
    }
}

impl<T, const N: usize> Drop for Guard<'_, T, N> {
    fn drop(&mut self) {
        self.from.leave(self.cell);
    }
}

impl<T, const N: usize> Drop for Block<T, N> {
    fn drop(&mut self) {
        // Relaxed, here and below: `&mut self` means that every other thread's use happened before.
        let mut more = self.more.load(Ordering::Relaxed);
        while !more.is_null() {
            // SAFETY: the block came from `Box::into_raw` in `more_or_make` and is freed once, here: its own
            // link is taken out of it before it goes.
            let block = unsafe { Box::from_raw(more) };
            more = block.more.load(Ordering::Relaxed);
            block.more.store(ptr::null_mut(), Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
#[cfg(not(loom))]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::thread;

    #[test]
    fn a_guard_keeps_its_value_and_only_the_current_one_is_replaced() {
        let value = Published::new(1);
        let (first, second) = (value.load(), value.load());
        assert_eq!(value.compare_replace(value.load(), 2), Ok(()));
        assert_eq!((*first, *value.load()), (1, 2));
        assert_eq!(value.compare_replace(first, 3), Err(3));
        assert_eq!((*second, *value.load()), (1, 2));
        assert!(value.update(|old| Some(old + 5)) && !value.update(|_| None));
        assert_eq!(*value.load(), 7);
        assert_eq!(value.compare_replace(Published::new(7).load(), 8), Err(8), "a guard of another value");
    }

    #[test]
    fn values_are_dropped_by_the_last_who_lets_go() {
        let alive = Arc::new(());
        let value = Published::new(Arc::clone(&alive));
        let old = value.load();
        assert!(value.update(|_| Some(Arc::clone(&alive))));
        assert_eq!(Arc::strong_count(&alive), 3, "the guard still has the old one");
        drop(old);
        assert_eq!(Arc::strong_count(&alive), 2);
        for _ in 0..100 {
            assert!(value.update(|_| Some(Arc::clone(&alive))));
        }
        assert_eq!(Arc::strong_count(&alive), 2);
        drop(value);
        assert_eq!(Arc::strong_count(&alive), 1);
    }

    #[test]
    fn guards_that_are_kept_delay_nobody() {
        let value = Published::new(0);
        let mut kept = Vec::new();
        for number in 1..100 {
            kept.push(value.load());
            assert!(value.update(|old| (old + 1 == number).then_some(number)));
        }
        assert!(kept.iter().map(|guard| **guard).eq(0..99));
        kept.clear();
        assert!(value.update(|_| Some(0)));
        let blocks = std::iter::successors(Some(&value.first), |block| block.more()).count();
        assert_eq!(blocks, 100_usize.div_ceil(CELLS), "cells are used again");
    }

    #[test]
    fn no_replacement_is_lost_between_threads() {
        const ROUNDS: u64 = 20_000;
        let value = Published::new(Arc::new([0_u64; 4]));
        thread::scope(|scope| {
            for part in 0..2 {
                let value = &value;
                scope.spawn(move || {
                    for _ in 0..ROUNDS {
                        value.update(|old| {
                            let mut new = **old;
                            new[part] += 1;
                            new[3] = new[0] + new[1];
                            Some(Arc::new(new))
                        });
                    }
                });
            }
            for _ in 0..2 {
                scope.spawn(|| {
                    let mut last = 0;
                    while last < 2 * ROUNDS {
                        let seen = value.load();
                        assert_eq!(seen[3], seen[0] + seen[1], "a value was torn");
                        assert!(seen[3] >= last, "time ran back");
                        last = seen[3];
                    }
                });
            }
        });
        assert_eq!(**value.load(), [ROUNDS, ROUNDS, 0, 2 * ROUNDS]);
    }
}
