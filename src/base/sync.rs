//! The only door to atomics: those of the standard library, or of loom when the crate is built with
//! `cfg(loom)`.
//!
//! Called by every protocol between threads. Invariant: no other file names `std::sync::atomic` or `loom`, so
//! a loom model checks the very code that ships. loom 0.7.3 does not model sequentially consistent accesses:
//! use acquire and release on the same word, or fences.

#[cfg(loom)]
pub use loom::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence};
#[cfg(not(loom))]
pub use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence};

/// A word that many threads write, kept off the cache lines of its neighbours: two lines of 64 bytes, since
/// processors of today fetch them in pairs.
#[repr(align(128))]
pub struct Padded<T>(pub T);
