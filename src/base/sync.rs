//! The only door to atomics and threads: those of the standard library, or of loom when the crate is built with
//! `cfg(loom)`.
//!
//! Called by every protocol between threads. Invariant: no other file names `std::sync::atomic` or `loom`, so
//! a loom model checks the very code that ships. loom 0.7.3 does not model sequentially consistent accesses:
//! use acquire and release on the same word, or fences.

#[cfg(loom)]
pub use loom::cell::UnsafeCell;
#[cfg(loom)]
pub use loom::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence};
#[cfg(loom)]
pub use loom::thread;
#[cfg(not(loom))]
pub use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence};

/// A word that many threads write, kept off the cache lines of its neighbours: two lines of 64 bytes, since
/// processors of today fetch them in pairs. Tried: crossbeam's `CachePadded` does the same, and would be a dependency of
/// every game for one attribute.
#[repr(align(128))]
pub struct Padded<T>(pub T);

/// A lock that is only ever tried, but for one case that its caller tells; no loom model has it.
pub use std::sync::{PoisonError, RwLock, TryLockError};

#[cfg(not(loom))]
pub use std::thread;

/// A cell with loom's face, whose accesses a model can watch.
#[cfg(not(loom))]
#[derive(Debug)]
pub struct UnsafeCell<T>(std::cell::UnsafeCell<T>);

#[cfg(not(loom))]
impl<T> UnsafeCell<T> {
    /// A cell that holds `value`.
    pub const fn new(value: T) -> UnsafeCell<T> {
        UnsafeCell(std::cell::UnsafeCell::new(value))
    }

    /// Gives `read` the cell's address, to read only.
    pub fn with<R>(&self, read: impl FnOnce(*const T) -> R) -> R {
        read(self.0.get())
    }

    /// Gives `write` the cell's address.
    pub fn with_mut<R>(&self, write: impl FnOnce(*mut T) -> R) -> R {
        write(self.0.get())
    }
}

/// Lets `turns` go by in a wait for another thread: first on the processor, then by giving it away. Counts, never
/// reads a clock.
pub fn pause(turns: u32) {
    #[cfg(loom)]
    {
        let _ = turns;
        thread::yield_now();
    }
    #[cfg(not(loom))]
    if turns < SPINS {
        std::hint::spin_loop();
    } else {
        thread::yield_now();
    }
}

/// Turns of a wait that are spent on the processor: 256 pauses take about as long as waking a thread up does.
#[cfg(not(loom))]
const SPINS: u32 = 256;
