//! A table whose items are taken and given back by many threads, and never move or lose their memory.
//!
//! Called by `fifo` and by the slots and players of `claim`. Invariant: an item is in the list of free ones,
//! or was never taken, or belongs to the one thread that took it and to whatever that thread has hung it
//! into; it leaves the list to one thread only. As memory stays, a thread that still looks at an item given
//! back reads something of another time, never something freed; what it makes of that is its own protocol's
//! matter.
//!
//! Who needs many takes a [`Lot`], by one exchange, and gives a [`Pile`] back by one.
//!
//! The list is Treiber's stack (R. K. Treiber, "Systems Programming: Coping with Parallelism", IBM RJ 5118,
//! 1986) with a count in its head, which goes up with every change: a head that was read before others took
//! and gave back the same item is out of date and its exchange fails. Links stand beside one another and apart from
//! the items, 4 bytes each: while they stood in the items, each of which was far away by then, the walk along them was a
//! third of a submit, as every step waited for memory before the next one was known.

use super::fault::Fault;
use super::segments::{SEGMENT_LEN, Segments};
use super::sync::{AtomicU32, AtomicU64, Ordering, Padded};
use super::tagged::{INDEXED_MAX, NO_INDEX, Tagged};
use std::ops::Range;

/// A table of items that are taken and given back. Any thread.
pub struct Pool<T> {
    table: Segments<T>,
    /// By item, while it is free: the next free one. Relaxed: ordered by the head of the list.
    links: Segments<AtomicU32>,
    /// A [`Tagged`]: the first free item.
    head: Padded<AtomicU64>,
    /// Items taken at least once.
    used: AtomicU32,
    fault: Fault,
}

impl<T> Pool<T> {
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
            links: Segments::new(len.min(INDEXED_MAX)),
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

    /// Has an item's memory fetched that is read or written soon, if it is there.
    #[inline]
    pub fn prefetch(&self, index: u32) {
        self.table.prefetch(index);
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

    /// So many items, or as many as are free: what `take` would give one after the other, in that order.
    pub fn lot(&self, len: u32, make: impl Fn() -> T) -> Lot<'_, T> {
        let (first, listed) = self.pop_many(len);
        let fresh = if listed < len { self.first_used(len - listed, make) } else { 0..0 };
        Lot { pool: self, first, listed, fresh }
    }

    /// At most so many items that were never taken before.
    fn first_used(&self, len: u32, make: impl Fn() -> T) -> Range<u32> {
        loop {
            // Relaxed, as in `take`.
            let unused = self.used.load(Ordering::Relaxed);
            let end = unused.saturating_add(len).min(self.table.len());
            if unused >= end {
                return 0..0;
            }
            for index in (unused..end).step_by(SEGMENT_LEN).chain([end - 1]) {
                self.table.get_or_make(index, &make);
            }
            let swap = self.used.compare_exchange(unused, end, Ordering::Relaxed, Ordering::Relaxed);
            if swap.is_ok() {
                return unused..end;
            }
        }
    }

    /// An empty pile, for items that are to go back at once.
    pub fn pile(&self) -> Pile<'_, T> {
        Pile { pool: self, first: NO_INDEX, last: NO_INDEX }
    }

    /// Gives an item back, which the caller took before and which nothing leads to any more.
    pub fn give(&self, index: u32) {
        self.give_chain(index, index);
    }

    /// Gives items back that lead from `first` to `last` by their links.
    fn give_chain(&self, first: u32, last: u32) {
        // Relaxed, here and on failure: the old head is only written into the link, its item is not looked at.
        let mut head = Tagged(self.head.0.load(Ordering::Relaxed));
        loop {
            if !self.set_link(last, head.index()) {
                return;
            }
            // Release pairs with the acquire in `pop` and `pop_many`.
            let to = self.changed(head, first);
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
            let to = self.changed(head, self.link(head.index()));
            match self.head.0.compare_exchange(head.0, to.0, Ordering::Acquire, Ordering::Acquire) {
                Ok(_) => return Some((head.index(), item)),
                Err(now) => head = Tagged(now),
            }
        }
        None
    }

    /// Takes at most so many items off the list: the first one, and how many.
    fn pop_many(&self, most: u32) -> (u32, u32) {
        // Acquire, here and on failure, as in `pop`: the items of the list are seen as they were left, as every
        // change of the head goes on with the releases of the gives before it.
        let mut head = Tagged(self.head.0.load(Ordering::Acquire));
        loop {
            let (mut rest, mut len) = (head.index(), 0);
            while len < most && rest != NO_INDEX {
                // A link of another time may lead anywhere, also to nothing: then the exchange fails, as in `pop`.
                rest = self.link(rest);
                len += 1;
            }
            if len == 0 {
                return (NO_INDEX, 0);
            }
            let to = self.changed(head, rest);
            match self.head.0.compare_exchange(head.0, to.0, Ordering::Acquire, Ordering::Acquire) {
                Ok(_) => return (head.index(), len),
                Err(now) => head = Tagged(now),
            }
        }
    }

    /// What a free item leads to.
    #[inline]
    fn link(&self, index: u32) -> u32 {
        self.links.get(index).map_or(NO_INDEX, |link| link.load(Ordering::Relaxed))
    }

    /// Lets an item lead to another; `false`: there is no such item.
    #[inline]
    fn set_link(&self, index: u32, to: u32) -> bool {
        let link = self.links.get_or_make(index, || AtomicU32::new(NO_INDEX));
        link.inspect(|link| link.store(to, Ordering::Relaxed)).is_some()
    }

    /// The head with another first item and the next count.
    fn changed(&self, head: Tagged, first: u32) -> Tagged {
        head.after(first, u64::from(!self.fault.is(Fault::PoolCountStands)))
    }
}

/// Whether a loom model has failed in this thread, which must not go on with what loom watches.
fn is_model_over() -> bool {
    cfg!(loom) && std::thread::panicking()
}

/// Items that one thread has taken at once and uses one by one; those that are left go back when it is dropped.
pub struct Lot<'a, T> {
    pool: &'a Pool<T>,
    /// The first of the items that come from the list, each of which leads to the next.
    first: u32,
    /// How many these are.
    listed: u32,
    /// Items that were never taken before.
    fresh: Range<u32>,
}

impl<'a, T> Lot<'a, T> {
    /// How many items are left.
    pub fn len(&self) -> u32 {
        self.listed + (self.fresh.end - self.fresh.start)
    }

    /// Whether none is left.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The next item, which is the caller's alone until it is given back; `None` if none is left.
    #[inline]
    pub fn take(&mut self) -> Option<(u32, &'a T)> {
        if self.listed == 0 {
            let index = self.fresh.next()?;
            return Some((index, self.pool.table.get(index)?));
        }
        let (index, item) = (self.first, self.pool.table.get(self.first)?);
        (self.first, self.listed) = (self.pool.link(index), self.listed - 1);
        Some((index, item))
    }

    /// Has the memory of all items fetched that are left.
    pub fn prefetch(&self) {
        self.indices().for_each(|index| self.pool.prefetch(index));
    }

    /// The numbers of the items that are left, in the order in which they come.
    pub fn indices(&self) -> impl Iterator<Item = u32> + '_ {
        let next = |&index: &u32| Some(self.pool.link(index));
        let listed = std::iter::successors(Some(self.first), next).take(self.listed as usize);
        listed.chain(self.fresh.clone())
    }

    /// Takes the item back that came last: it comes next.
    pub fn undo(&mut self, index: u32) {
        if self.pool.set_link(index, self.first) {
            (self.first, self.listed) = (index, self.listed + 1);
        }
    }
}

impl<T> Drop for Lot<'_, T> {
    fn drop(&mut self) {
        if is_model_over() {
            return;
        }
        // Those that would have come first lie on top.
        let mut fresh = self.pool.pile();
        self.fresh.clone().rev().for_each(|index| fresh.add(index));
        drop(fresh);
        let (mut last, mut rest) = (self.first, self.listed);
        while rest > 1 {
            (last, rest) = (self.pool.link(last), rest - 1);
        }
        if rest == 1 {
            self.pool.give_chain(self.first, last);
        }
    }
}

/// Items of one thread that go back by one exchange, when it is dropped: as if each had been given by itself.
pub struct Pile<'a, T> {
    pool: &'a Pool<T>,
    first: u32,
    last: u32,
}

impl<T> Pile<'_, T> {
    /// Adds an item, which the caller took before and which nothing leads to any more.
    #[inline]
    pub fn add(&mut self, index: u32) {
        if self.last == NO_INDEX {
            self.last = index;
        } else if !self.pool.set_link(index, self.first) {
            return;
        }
        self.first = index;
    }
}

impl<T> Drop for Pile<'_, T> {
    fn drop(&mut self) {
        if self.last != NO_INDEX && !is_model_over() {
            self.pool.give_chain(self.first, self.last);
        }
    }
}

#[cfg(test)]
#[cfg(not(loom))]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::thread;

    struct Item {
        owners: AtomicU32,
    }

    impl Item {
        fn new() -> Item {
            Item { owners: AtomicU32::new(0) }
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

    proptest! {
        /// In one thread lots and piles are takes and gives one by one.
        #[test]
        fn lots_and_piles_are_items_one_by_one(steps in prop::collection::vec((0_u32..5, 0_u32..5), 0..60)) {
            let (pool, twin) = (Pool::new(9), Pool::new(9));
            let mut held: Vec<u32> = Vec::new();
            for (len, take) in steps {
                let mut lot = pool.lot(len, Item::new);
                prop_assert_eq!(lot.len(), len.min(9 - held.len() as u32));
                for _ in 0..take.min(len) {
                    let taken = lot.take().map(|(index, _)| index);
                    prop_assert_eq!(taken, twin.take(Item::new).map(|(index, _)| index));
                    held.extend(taken);
                }
                if take == 4 && take <= len && let Some(last) = held.pop() {
                    lot.undo(last);
                    twin.give(last);
                }
                drop(lot);
                if take == 0 {
                    let mut pile = pool.pile();
                    for index in held.drain(held.len().saturating_sub(len as usize)..) {
                        pile.add(index);
                        twin.give(index);
                    }
                }
            }
            let rest = |pool: &Pool<Item>| -> Vec<u32> {
                std::iter::from_fn(|| pool.take(Item::new)).map(|(index, _)| index).collect()
            };
            prop_assert_eq!(rest(&pool), rest(&twin));
        }
    }

    #[test]
    fn an_item_has_one_owner() {
        let pool = Pool::new(6);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for round in 0..50_000 {
                        // Four threads with two items each at most: sometimes there is none left.
                        let mut lot = pool.lot(1 + round % 3, Item::new);
                        let held: Vec<_> = match round % 4 {
                            0 => (0..1 + round % 2).filter_map(|_| pool.take(Item::new)).collect(),
                            _ => (0..1 + round % 2).filter_map(|_| lot.take()).collect(),
                        };
                        for (_, item) in &held {
                            assert_eq!(item.owners.fetch_add(1, Ordering::Relaxed), 0);
                        }
                        let mut pile = pool.pile();
                        for (index, item) in held {
                            item.owners.fetch_sub(1, Ordering::Relaxed);
                            if round % 5 == 0 { pool.give(index) } else { pile.add(index) }
                        }
                    }
                });
            }
        });
        let left = std::iter::from_fn(|| pool.take(Item::new)).count();
        assert_eq!(left, 6, "an item got lost");
    }
}
