//! The binary's allocator, which counts what is asked of it while a count is on.
//!
//! It passes every call on to mimalloc. Used by `main` for the whole binary, and by `pass`, which switches the count on
//! for a pass of its own: counts cost time, so nothing is counted while anything is timed. Off, a call costs one more
//! load of a word that nobody writes.
//!
//! Invariant: every loan that is counted is counted when it is given back, if the count is on by then; memory that was
//! taken before and is given back during a count makes `bytes` fall below 0, so what matters is the difference of
//! two [`counted`].
#![allow(unsafe_code, reason = "a global allocator cannot be written without")]

use evenmatch::base::sync::{AtomicBool, AtomicU64, Ordering};
use mimalloc::MiMalloc;
use std::alloc::{GlobalAlloc, Layout};

/// mimalloc with a count.
pub(crate) struct Counting;

/// Whether calls are counted. Written by one thread between passes, and threads that are started later see it; those
/// of an engine are, so relaxed accesses suffice.
static IS_ON: AtomicBool = AtomicBool::new(false);
/// Calls that ask for memory: new and moved blocks.
static CALLS: AtomicU64 = AtomicU64::new(0);
/// Bytes asked for less bytes given back, modulo 2^64. Sums only: relaxed accesses suffice.
static BYTES: AtomicU64 = AtomicU64::new(0);

/// What has been counted up to a moment.
#[derive(Clone, Copy, Default)]
pub(super) struct Counted {
    /// Calls that asked for memory.
    pub(super) calls: u64,
    /// Bytes in use: as asked for, without what the allocator itself keeps between blocks.
    pub(super) bytes: i64,
}

/// Switches the count on or off.
pub(super) fn count(is_on: bool) {
    IS_ON.store(is_on, Ordering::Relaxed);
}

/// What has been counted so far.
pub(super) fn counted() -> Counted {
    Counted { calls: CALLS.load(Ordering::Relaxed), bytes: BYTES.load(Ordering::Relaxed) as i64 }
}

/// Takes a change of the bytes in use; `calls` is 1 where memory was asked for.
fn take(calls: u64, more: usize, less: usize) {
    if IS_ON.load(Ordering::Relaxed) {
        CALLS.fetch_add(calls, Ordering::Relaxed);
        BYTES.fetch_add((more as u64).wrapping_sub(less as u64), Ordering::Relaxed);
    }
}

// SAFETY: every call is passed on unchanged to mimalloc, which keeps the contract; counting does not touch memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        take(1, layout.size(), 0);
        // SAFETY: the caller's obligations are those of mimalloc.
        unsafe { MiMalloc.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        take(1, layout.size(), 0);
        // SAFETY: as above.
        unsafe { MiMalloc.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        take(1, size, layout.size());
        // SAFETY: as above.
        unsafe { MiMalloc.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        take(0, 0, layout.size());
        // SAFETY: as above.
        unsafe { MiMalloc.dealloc(pointer, layout) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_count_while_the_count_is_on() {
        count(true);
        let before = counted();
        let block = std::hint::black_box(vec![1_u8; 1 << 20]);
        let between = counted();
        drop(block);
        let after = counted();
        count(false);
        // Other tests of this process may ask for memory meanwhile, but not for so much.
        assert!(between.calls > before.calls);
        assert!((1 << 20..1 << 21).contains(&(between.bytes - before.bytes)));
        assert!(between.bytes - after.bytes > 1 << 19);
    }
}
