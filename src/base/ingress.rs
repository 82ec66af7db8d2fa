//! A list that many threads push onto and one call takes whole: what hosts hand in between two ticks.
//!
//! Called by `engine`: every submit, cancel and update pushes, and the tick takes. Invariant: each value
//! pushed comes out of exactly one `take`, or is dropped with the list; values come out in the order of the
//! exchanges that published them, so those of one thread in its own order, and those of one `push_all` with
//! nothing in between. Nobody waits: a thread that stops before its exchange has not pushed, and one that
//! stops after a `take` holds what it took and nothing else.
//!
//! It is Treiber's stack (R. K. Treiber, "Systems Programming: Coping with Parallelism", IBM RJ 5118, 1986)
//! without its pop: as nodes leave only all together, a push may find the head of another
//! time at the same address and is still right, so neither counts nor hazard pointers are needed. The taker
//! turns the list round.
//!
//! Nodes are those of a pool, which the taker gives back; when that is used up they are boxes. A node is its pusher's
//! alone until the exchange that publishes it, and the taker's alone from the exchange that takes it.
#![allow(unsafe_code)] // The list is linked by raw pointers: no safe type of std is shared without a lock.

use super::fault::Fault;
use super::pool::{Pile, Pool};
use super::sync::{AtomicPtr, Ordering, Padded};
use super::tagged::NO_INDEX;
use std::cell::UnsafeCell;
use std::ptr;

/// One value, and the one that was pushed before it.
struct Node<T> {
    /// Of the one thread that has the node.
    inside: UnsafeCell<Inside<T>>,
}

/// What a node holds.
struct Inside<T> {
    value: Option<T>,
    next: *const Node<T>,
    /// Its number in the pool; [`NO_INDEX`]: it is a box.
    index: u32,
}

// SAFETY: what is inside belongs to one thread at a time, as told above, and moves from one to the next.
unsafe impl<T: Send> Sync for Node<T> {}
// SAFETY: as above.
unsafe impl<T: Send> Send for Node<T> {}

impl<T> Node<T> {
    fn new() -> Node<T> {
        Node { inside: UnsafeCell::new(Inside { value: None, next: ptr::null(), index: NO_INDEX }) }
    }
}

/// A list that any thread pushes onto and that is taken whole.
pub struct Ingress<T> {
    /// The node pushed last, or null.
    head: Padded<AtomicPtr<Node<T>>>,
    pool: Pool<Node<T>>,
    fault: Fault,
}

impl<T: Send> Ingress<T> {
    /// An empty list, all of whose values are in boxes.
    pub fn new() -> Ingress<T> {
        Ingress::with_nodes(0)
    }

    /// An empty list with room for so many values, which is made as it is first needed and then kept: as long as no
    /// more are in the list at once, pushing allocates nothing.
    pub fn with_nodes(nodes: u32) -> Ingress<T> {
        Ingress::build(nodes, Fault::None)
    }

    /// As `new`, with a known mistake in it. For loom models.
    #[cfg(loom)]
    pub fn with_fault(fault: Fault) -> Ingress<T> {
        // One node, so that the models have both kinds.
        Ingress::build(1, fault)
    }

    fn build(nodes: u32, fault: Fault) -> Ingress<T> {
        Ingress { head: Padded(AtomicPtr::new(ptr::null_mut())), pool: Pool::new(nodes), fault }
    }

    /// Pushes one value. Any thread; one exchange for the node and one for the list.
    pub fn push(&self, value: T) {
        let mut chain = Chain::empty(&self.pool);
        chain.push(value);
        self.publish(chain);
    }

    /// Pushes values that come out in this order, with nothing of another thread between them. Any thread;
    /// two exchanges for all.
    pub fn push_all(&self, values: impl IntoIterator<Item = T, IntoIter: ExactSizeIterator>) {
        let values = values.into_iter();
        let len = values.len();
        self.push_some(values, len);
    }

    /// As `push_all`, of about so many values: one exchange more for each one beyond.
    pub fn push_some(&self, values: impl Iterator<Item = T>, len: usize) {
        let mut chain = Chain::empty(&self.pool);
        let nodes = len.min(self.pool.len() as usize) as u32;
        let mut lot = self.pool.lot(nodes, Node::new);
        values.for_each(|value| chain.push_to(lot.take(), value));
        drop(lot);
        self.publish(chain);
    }

    /// Appends all that was pushed, in the order of the pushes. Any thread; of two calls at the same time
    /// each gets what the other does not.
    pub fn take(&self, into: &mut Vec<T>) {
        // Acquire pairs with the release in `publish`, of the last push and of all before it: each is a
        // read-modify-write, so they continue one another's release.
        let head = if self.fault.is(Fault::IngressTakesInTwoSteps) {
            let head = self.head.0.load(Ordering::Acquire);
            self.head.0.store(ptr::null_mut(), Ordering::Relaxed);
            head
        } else {
            self.head.0.swap(ptr::null_mut(), Ordering::Acquire)
        };
        let mut taken = Chain::of(&self.pool, head);
        taken.reverse();
        while let Some(value) = taken.pop() {
            into.push(value);
        }
    }

    /// Whether there is nothing to take at this moment. Any thread.
    pub fn is_empty(&self) -> bool {
        // Relaxed: a hint; whoever acts on it takes, and acquires there.
        self.head.0.load(Ordering::Relaxed).is_null()
    }

    /// Links the chain before the head.
    fn publish(&self, chain: Chain<'_, T>) {
        let Some((newest, oldest)) = chain.into_ends() else { return };
        let release =
            if self.fault.is(Fault::IngressPublishesRelaxed) { Ordering::Relaxed } else { Ordering::Release };
        // Relaxed, here and on failure: the old head is only written into `next`, its node is not looked at.
        let mut head = self.head.0.load(Ordering::Relaxed);
        loop {
            // SAFETY: `oldest` is a node that `Chain::push_to` made or took, ours alone until the exchange has
            // succeeded.
            unsafe { (*(*oldest).inside.get()).next = head };
            // Release pairs with the acquire in `take`: values and links are seen as they were written.
            match self.head.0.compare_exchange(head, newest.cast_mut(), release, Ordering::Relaxed) {
                Ok(_) => return,
                Err(now) => head = now,
            }
        }
    }
}

impl<T: Send> Default for Ingress<T> {
    fn default() -> Ingress<T> {
        Ingress::new()
    }
}

impl<T> Drop for Ingress<T> {
    fn drop(&mut self) {
        // Relaxed: `&mut self` means that every other thread's use happened before.
        let newest = self.head.0.load(Ordering::Relaxed);
        drop(Chain::of(&self.pool, newest));
    }
}

/// Nodes that belong to one thread, linked from the newest to the oldest.
struct Chain<'a, T> {
    pool: &'a Pool<Node<T>>,
    newest: *const Node<T>,
    /// Of meaning only for a chain that was made by pushes.
    oldest: *const Node<T>,
    /// The nodes whose values were taken.
    done: Pile<'a, Node<T>>,
}

impl<'a, T> Chain<'a, T> {
    fn empty(pool: &'a Pool<Node<T>>) -> Chain<'a, T> {
        Chain::of(pool, ptr::null())
    }

    fn of(pool: &'a Pool<Node<T>>, newest: *const Node<T>) -> Chain<'a, T> {
        Chain { pool, newest, oldest: ptr::null(), done: pool.pile() }
    }

    fn push(&mut self, value: T) {
        self.push_to(None, value);
    }

    /// Pushes a value, in a node that was taken for it if there is one.
    fn push_to(&mut self, taken: Option<(u32, &'a Node<T>)>, value: T) {
        let inside = |index| Inside { value: Some(value), next: self.newest, index };
        let node: *const Node<T> = match taken.or_else(|| self.pool.take(Node::new)) {
            Some((index, node)) => {
                // SAFETY: the pool gave the node to us alone.
                unsafe { *node.inside.get() = inside(index) };
                node
            }
            None => Box::into_raw(Box::new(Node { inside: UnsafeCell::new(inside(NO_INDEX)) })),
        };
        if self.newest.is_null() {
            self.oldest = node;
        }
        self.newest = node;
    }

    /// The newest and the oldest node, which the caller then owns; `None` of an empty chain.
    fn into_ends(mut self) -> Option<(*const Node<T>, *const Node<T>)> {
        let newest = std::mem::replace(&mut self.newest, ptr::null());
        (!newest.is_null()).then_some((newest, self.oldest))
    }

    /// Takes the newest value off.
    fn pop(&mut self) -> Option<T> {
        while !self.newest.is_null() {
            let node = self.newest;
            // SAFETY: only this chain has the node: the exchange that took the list handed it over, or it was never
            // published. It is of the pool, which the chain borrows, or a box that is freed below; the reference ends
            // before that.
            let (value, next, index) = unsafe {
                let inside = &mut *(*node).inside.get();
                (inside.value.take(), inside.next, inside.index)
            };
            self.newest = next;
            if index == NO_INDEX {
                // SAFETY: without an index the node came from `Box::into_raw` in `push_to`, and it has left the chain.
                drop(unsafe { Box::from_raw(node.cast_mut()) });
            } else {
                self.done.add(index);
            }
            if value.is_some() {
                return value;
            }
        }
        None
    }

    /// Turns the chain round, so that the oldest comes first.
    fn reverse(&mut self) {
        let mut from = self.newest;
        self.newest = ptr::null();
        while !from.is_null() {
            // SAFETY: the node is this chain's alone, as in `pop`, and no other reference to it is held.
            let rest = unsafe { std::mem::replace(&mut (*(*from).inside.get()).next, self.newest) };
            self.newest = from;
            from = rest;
        }
    }
}

impl<T> Drop for Chain<'_, T> {
    fn drop(&mut self) {
        while self.pop().is_some() {}
    }
}

#[cfg(test)]
#[cfg(not(loom))]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::thread;

    #[test]
    fn values_come_out_in_the_order_of_pushes() {
        let list = Ingress::new();
        assert!(list.is_empty());
        list.push(1);
        list.push_all([2, 3, 4]);
        list.push_all([]);
        list.push(5);
        assert!(!list.is_empty());
        let mut taken = vec![0];
        list.take(&mut taken);
        assert_eq!(taken, [0, 1, 2, 3, 4, 5]);
        list.take(&mut taken);
        assert_eq!((taken.len(), list.is_empty()), (6, true));
    }

    #[test]
    fn what_is_left_is_dropped_once() {
        let alive = Arc::new(());
        let list = Ingress::new();
        list.push_all((0..100_000).map(|_| Arc::clone(&alive)));
        let mut taken = Vec::new();
        list.take(&mut taken);
        assert_eq!((taken.len(), Arc::strong_count(&alive)), (100_000, 100_001));
        drop(taken);
        list.push_all((0..100_000).map(|_| Arc::clone(&alive)));
        drop(list);
        assert_eq!(Arc::strong_count(&alive), 1);
    }

    #[test]
    fn a_batch_whose_source_panics_is_not_pushed() {
        let alive = Arc::new(());
        let list = Ingress::new();
        let values = (0..10).map(|number| {
            assert!(number < 5, "the source gives up");
            Arc::clone(&alive)
        });
        let pushed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| list.push_all(values)));
        assert!(pushed.is_err() && list.is_empty());
        assert_eq!(Arc::strong_count(&alive), 1);
    }

    #[test]
    fn nothing_is_lost_or_doubled_between_threads() {
        const ROUNDS: u64 = 20_000;
        let list = Ingress::new();
        let done = Ingress::new();
        let mut seen = Vec::new();
        thread::scope(|scope| {
            for pusher in 0..3_u64 {
                let (list, done) = (&list, &done);
                scope.spawn(move || {
                    for round in 0..ROUNDS {
                        if round % 3 == 0 {
                            list.push((pusher, round * 2));
                            list.push((pusher, round * 2 + 1));
                        } else {
                            list.push_all([(pusher, round * 2), (pusher, round * 2 + 1)]);
                        }
                    }
                    done.push(pusher);
                });
            }
            let mut finished = Vec::new();
            while finished.len() < 3 {
                done.take(&mut finished);
                list.take(&mut seen);
                thread::yield_now();
            }
            list.take(&mut seen);
        });
        for pusher in 0..3 {
            let own: Vec<u64> = seen.iter().filter(|value| value.0 == pusher).map(|value| value.1).collect();
            assert_eq!(own, (0..2 * ROUNDS).collect::<Vec<u64>>(), "pusher {pusher}");
        }
        let batches = seen.windows(2).filter(|two| two[0].1 % 2 == 0 && two[0].1 / 2 % 3 != 0);
        assert!(batches.clone().count() > 0);
        for two in batches {
            assert_eq!(two[1], (two[0].0, two[0].1 + 1), "a batch was torn");
        }
    }
}
