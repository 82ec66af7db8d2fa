//! A table of fixed length whose memory appears in segments when it is first needed, readable from any
//! thread.
//!
//! Called by `claim`, for the words of ticket slots. Invariant: an item, once made, stays where it is until
//! the table is dropped, so a `&T` lives as long as the table; nobody waits: two threads that need one
//! segment at the same time both make it, and the one whose exchange comes second drops its own.
#![allow(unsafe_code)] // Segments are published as raw pointers: no safe type of std does so without a lock.

use super::sync::{AtomicPtr, Ordering};
use crate::simd::prefetch;
use std::marker::PhantomData;
use std::ptr;

/// Items in one segment. 4,096 words of 24 bytes are 96 KiB: few enough for a small engine, and 16,384
/// pointers for the greatest one. Under loom every atomic of a segment is a tracked object, so segments are
/// tiny there.
pub const SEGMENT_LEN: usize = if cfg!(loom) { 2 } else { 4096 };

/// A table of `len` items whose segments are made on first use. Any thread.
pub struct Segments<T> {
    /// The first item of each segment, or null.
    heads: Box<[AtomicPtr<T>]>,
    len: u32,
    /// The table owns its items and shares them.
    owns: PhantomData<Box<[T]>>,
    /// With what a segment is published: release, or less in the model that must fail.
    #[cfg(loom)]
    publish: Ordering,
}

// SAFETY: the table hands out `&T` only and drops the items in whichever thread drops it, so sharing it needs
// `T: Sync` (readers) and `T: Send` (made in one thread, dropped in another); both are asked for.
unsafe impl<T: Send + Sync> Sync for Segments<T> {}
// SAFETY: as above; moving the table moves its items.
unsafe impl<T: Send> Send for Segments<T> {}

impl<T> Segments<T> {
    /// A table of `len` items, none of which has memory yet.
    pub fn new(len: u32) -> Segments<T> {
        Segments {
            heads: Segments::heads(len),
            len,
            owns: PhantomData,
            #[cfg(loom)]
            publish: Ordering::Release,
        }
    }

    /// As `new`, with the order in which segments are published. For loom models.
    #[cfg(loom)]
    pub fn with_publish_order(len: u32, publish: Ordering) -> Segments<T> {
        Segments { heads: Segments::heads(len), len, owns: PhantomData, publish }
    }

    fn heads(len: u32) -> Box<[AtomicPtr<T>]> {
        let count = (len as usize).div_ceil(SEGMENT_LEN);
        (0..count).map(|_| AtomicPtr::new(ptr::null_mut())).collect()
    }

    /// How many items the table may have.
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Whether the table may have no item at all.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The item, or `None` beyond the table or where no memory has been needed yet.
    #[inline]
    pub fn get(&self, index: u32) -> Option<&T> {
        if index >= self.len {
            return None;
        }
        let (segment, offset) = split(index);
        // Acquire pairs with the release of the exchange in `get_or_make`: the items are seen as made.
        let head = self.heads[segment].load(Ordering::Acquire);
        if head.is_null() {
            return None;
        }
        // SAFETY: a head that is not null is the start of a leaked `Box<[T]>` of SEGMENT_LEN items, set once
        // and freed only by `drop`; `split` keeps `offset` below SEGMENT_LEN. The result borrows `self`.
        Some(unsafe { &*head.add(offset) })
    }

    /// Has an item's memory fetched that is read or written soon, if it is there.
    #[inline]
    pub fn prefetch(&self, index: u32) {
        if let Some(item) = self.get(index) {
            prefetch(item);
        }
    }

    /// The item, making its segment if need be; `None` beyond the table.
    #[inline]
    pub fn get_or_make(&self, index: u32, make: impl Fn() -> T) -> Option<&T> {
        match self.get(index) {
            None if index < self.len => self.make(index, make),
            found => found,
        }
    }

    /// The item of a segment that had no memory a moment ago.
    #[cold]
    fn make(&self, index: u32, make: impl Fn() -> T) -> Option<&T> {
        let made: Box<[T]> = (0..SEGMENT_LEN).map(|_| make()).collect();
        let raw = Box::into_raw(made);
        let head = &self.heads[split(index).0];
        #[cfg(not(loom))]
        let publish = Ordering::Release;
        #[cfg(loom)]
        let publish = self.publish;
        // Release pairs with the acquire in `get`. On failure nothing of the winner is read here: `get`
        // is called again and acquires, so relaxed suffices.
        let swap = head.compare_exchange(ptr::null_mut(), raw.cast::<T>(), publish, Ordering::Relaxed);
        if swap.is_err() {
            // SAFETY: `raw` came from `Box::into_raw` just above and was given to nobody.
            drop(unsafe { Box::from_raw(raw) });
        }
        self.get(index)
    }
}

impl<T> Drop for Segments<T> {
    fn drop(&mut self) {
        for head in &self.heads {
            // Relaxed: `&mut self` means that every other thread's use happened before.
            let head = head.load(Ordering::Relaxed);
            if !head.is_null() {
                // SAFETY: the head came from `Box::into_raw` of a slice of SEGMENT_LEN items and is freed
                // once, here; no borrow of an item outlives the table.
                drop(unsafe { Box::from_raw(ptr::slice_from_raw_parts_mut(head, SEGMENT_LEN)) });
            }
        }
    }
}

/// Segment and offset of an item.
#[inline]
const fn split(index: u32) -> (usize, usize) {
    (index as usize / SEGMENT_LEN, index as usize % SEGMENT_LEN)
}

#[cfg(test)]
#[cfg(not(loom))]
mod tests {
    use super::*;
    use crate::base::sync::AtomicU32;
    use std::sync::Arc;

    #[test]
    fn memory_appears_when_needed_and_stays() {
        let table: Segments<u32> = Segments::new(10_000);
        assert_eq!(table.get(5), None);
        let first: *const u32 = table.get_or_make(5, || 7).unwrap();
        assert_eq!(table.get(5), Some(&7));
        assert_eq!(table.get(4_096), None);
        assert_eq!(table.get_or_make(9_999, || 8), Some(&8));
        assert_eq!(table.get_or_make(10_000, || 8), None);
        assert_eq!(table.get(u32::MAX), None);
        assert!(ptr::eq(first, table.get(5).unwrap()));
        assert!(Segments::<u32>::new(0).get_or_make(0, || 1).is_none());
    }

    #[test]
    fn every_item_is_dropped_once() {
        let alive = Arc::new(());
        let table = Segments::new(3 * SEGMENT_LEN as u32);
        table.get_or_make(0, || Arc::clone(&alive));
        table.get_or_make(2 * SEGMENT_LEN as u32, || Arc::clone(&alive));
        assert_eq!(Arc::strong_count(&alive), 1 + 2 * SEGMENT_LEN);
        drop(table);
        assert_eq!(Arc::strong_count(&alive), 1);
    }

    #[test]
    fn racing_makers_share_one_segment() {
        let table: Segments<AtomicU32> = Segments::new(SEGMENT_LEN as u32);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let item = table.get_or_make(1, || AtomicU32::new(0)).unwrap();
                    item.fetch_add(1, Ordering::Relaxed);
                });
            }
        });
        assert_eq!(table.get(1).unwrap().load(Ordering::Relaxed), 4);
    }
}
