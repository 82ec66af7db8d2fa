//! A table whose items are taken and given back by many threads, and never move or lose their memory.
//!
//! Called by `fifo` and by the slots and players of `claim`. Invariant: an item is in the list of free ones,
//! or was never taken, or belongs to the one thread that took it and to whatever that thread has hung it
//! into; it leaves the list to one thread only. As memory stays, a thread that still looks at an item given
//! back reads something of another time, never something freed; what it makes of that is its own protocol's
//! matter.
//!
//! The list is Treiber's stack (R. K. Treiber, "Systems Programming: Coping with Parallelism", IBM RJ 5118,
//! 1986) with a count in its head, which goes up with every change: a head that was read before others took
//! and gave back the same item is out of date and its exchange fails.

use super::fault::Fault;
use super::segments::Segments;
use super::sync::{AtomicU32, AtomicU64, Ordering, Padded};
use super::tagged::{INDEXED_MAX, NO_INDEX, Tagged};

/// An item that has room for the list of free ones: a word that it does not need while it is free.
pub trait Pooled {
    /// The index that `set_next_free` last wrote; anything while the item is in use. An acquire or relaxed
    /// load: ordered by the acquire of the head that named the item.
    fn next_free(&self) -> u32;

    /// Keeps an index. Release, if a thread that still looks at the item could read this word as something
    /// else and has to learn from it that the item was given back; relaxed otherwise.
    fn set_next_free(&self, index: u32);
}

/// A table of items that are taken and given back. Any thread.
pub struct Pool<T> {
    table: Segments<T>,
    /// A [`Tagged`]: the first free item.
    head: Padded<AtomicU64>,
    /// Items taken at least once.
    used: AtomicU32,
    fault: Fault,
}

impl<T: Pooled> Pool<T> {
    /// A table of `len` items, at most 2^28 - 1 of which are used. Memory comes as it is needed.
    pub fn new(len: u32) -> Pool<T> {
        Pool::build(len, Fault::None)
    }

    /// As `new`, with a known mistake in it. For loom models.
    #[cfg(loom)]
    pub fn with_fault(len: u32, fault: Fault) -> Pool<T> {
        Pool::build(len, fault)
    }

    pub(super) fn build(len: u32, fault: Fault) -> Pool<T> {
        Pool {
            table: Segments::new(len.min(INDEXED_MAX)),
            head: Padded(AtomicU64::new(Tagged::NONE.0)),
            used: AtomicU32::new(0),
            fault,
        }
    }

    /// How many items may be in use at once.
    pub fn len(&self) -> u32 {
        self.table.len()
    }

    /// Whether the table may have no item at all.
    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// The item of that index, in use or free; `None` if its memory was never needed.
    #[inline]
    pub fn get(&self, index: u32) -> Option<&T> {
        self.table.get(index)
    }

    /// An item that is the caller's alone until it is given back; `None` if all are in use.
    ///
    /// The item given back last comes first, as it was left; after those, one fresh from `make`.
    pub fn take(&self, make: impl Fn() -> T) -> Option<(u32, &T)> {
        loop {
            if let Some(taken) = self.pop() {
                return Some(taken);
            }
            // Relaxed, here and in the exchange: the number alone is handed over. The item's memory is
            // published by `Segments`.
            let unused = self.used.load(Ordering::Relaxed);
            // Used up for good; an item may have come back between the two looks, so the list has the last
            // word.
            let Some(item) = self.table.get_or_make(unused, &make) else { return self.pop() };
            let swap = self.used.compare_exchange(unused, unused + 1, Ordering::Relaxed, Ordering::Relaxed);
            if swap.is_ok() {
                return Some((unused, item));
            }
        }
    }

    /// Gives an item back, which the caller took before and which nothing leads to any more.
    pub fn give(&self, index: u32) {
        let Some(item) = self.table.get(index) else { return };
        // Relaxed, here and on failure: the old head is only written into the item, its item is not looked
        // at.
        let mut head = Tagged(self.head.0.load(Ordering::Relaxed));
        loop {
            item.set_next_free(head.index());
            // Release pairs with the acquire in `pop`.
            let to = self.changed(head, index);
            match self.head.0.compare_exchange(head.0, to.0, Ordering::Release, Ordering::Relaxed) {
                Ok(_) => return,
                Err(now) => head = Tagged(now),
            }
        }
    }

    /// Takes the first item off the list.
    fn pop(&self) -> Option<(u32, &T)> {
        // Acquire, here and on failure, pairs with the release in `give`: the item is seen as it was left.
        let mut head = Tagged(self.head.0.load(Ordering::Acquire));
        while head.index() != NO_INDEX {
            let item = self.table.get(head.index())?;
            // If the item has left the list since and the link is of another time, the count has changed and
            // the exchange fails. Acquire on success pairs with nothing more than the load above; as a
            // read-modify-write a pop continues the release of the gives below it.
            let to = self.changed(head, item.next_free());
            match self.head.0.compare_exchange(head.0, to.0, Ordering::Acquire, Ordering::Acquire) {
                Ok(_) => return Some((head.index(), item)),
                Err(now) => head = Tagged(now),
            }
        }
        None
    }

    /// The head with another first item and the next count.
    fn changed(&self, head: Tagged, first: u32) -> Tagged {
        head.after(first, u64::from(!self.fault.is(Fault::PoolCountStands)))
    }
}

#[cfg(test)]
#[cfg(not(loom))]
mod tests {
    use super::*;
    use std::thread;

    struct Item {
        owners: AtomicU32,
        next: AtomicU32,
    }

    impl Item {
        fn new() -> Item {
            Item { owners: AtomicU32::new(0), next: AtomicU32::new(0) }
        }
    }

    impl Pooled for Item {
        fn next_free(&self) -> u32 {
            self.next.load(Ordering::Relaxed)
        }

        fn set_next_free(&self, index: u32) {
            self.next.store(index, Ordering::Relaxed);
        }
    }

    #[test]
    fn items_come_back_and_run_out() {
        let pool = Pool::new(3);
        let taken: Vec<u32> = std::iter::from_fn(|| pool.take(Item::new)).map(|(index, _)| index).collect();
        assert_eq!(taken, [0, 1, 2]);
        pool.give(1);
        pool.give(0);
        assert_eq!(pool.take(Item::new).unwrap().0, 0);
        assert_eq!(pool.take(Item::new).unwrap().0, 1);
        assert!(pool.take(Item::new).is_none());
        assert!(Pool::<Item>::new(0).take(Item::new).is_none());
    }

    #[test]
    fn an_item_has_one_owner() {
        let pool = Pool::new(6);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for round in 0..50_000 {
                        // Four threads with two items each at most: sometimes there is none left.
                        let held: Vec<_> = (0..1 + round % 2).filter_map(|_| pool.take(Item::new)).collect();
                        for (_, item) in &held {
                            assert_eq!(item.owners.fetch_add(1, Ordering::Relaxed), 0);
                        }
                        for (index, item) in held {
                            item.owners.fetch_sub(1, Ordering::Relaxed);
                            pool.give(index);
                        }
                    }
                });
            }
        });
        let left = std::iter::from_fn(|| pool.take(Item::new)).count();
        assert_eq!(left, 6, "an item got lost");
    }
}
