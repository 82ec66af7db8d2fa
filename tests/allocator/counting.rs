//! The allocator of the test binaries that count: the system's, which keeps for each thread the calls of it and the
//! bytes that it has handed out.
//!
//! Included by path: two of the binaries are about nothing else. Invariant: every call is handed on unchanged.
#![allow(unsafe_code, reason = "a global allocator that counts cannot be written without")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static CALLS: Cell<u64> = const { Cell::new(0) };
    static BYTES: Cell<i64> = const { Cell::new(0) };
}

/// Calls of the calling thread so far that asked for memory.
pub(crate) fn calls() -> u64 {
    CALLS.get()
}

/// Bytes that the calling thread has asked for and not given back; what others free of it stays in the count.
pub(crate) fn held_bytes() -> i64 {
    BYTES.get()
}

fn count(calls: u64, bytes: i64) {
    // A thread that ends may still allocate and free: what it does then is nobody's.
    let _ = CALLS.try_with(|count| count.set(count.get() + calls));
    let _ = BYTES.try_with(|count| count.set(count.get() + bytes));
}

// SAFETY: every call is handed to the system's allocator unchanged, with the layout that the caller gave; the counts
// allocate nothing, since they are constant thread-local cells without a destructor.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(1, layout.size() as i64);
        // SAFETY: the caller's obligations are those of `System`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(0, -(layout.size() as i64));
        // SAFETY: `pointer` came from `System` with this layout, since all of ours do.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(1, size as i64 - layout.size() as i64);
        // SAFETY: as for `dealloc`.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;
