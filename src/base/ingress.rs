//! A list that many threads push onto and one call takes whole: what hosts hand in between two ticks.
//!
//! Called by `engine`: every submit, cancel and update pushes, and the tick takes. Invariant: each value
//! pushed comes out of exactly one `take`, or is dropped with the list; values come out in the order of the
//! exchanges that published them, so those of one thread in its own order, and those of one `push_all` with
//! nothing in between. Nobody waits: a thread that stops before its exchange has not pushed, and one that
//! stops after a `take` holds what it took and nothing else.
//!
//! It is Treiber's stack (R. K. Treiber, "Systems Programming: Coping with Parallelism", IBM RJ 5118, 1986)
//! of boxed nodes, without its pop: as nodes leave only all together, a push may find the head of another
//! time at the same address and is still right, so neither counts nor hazard pointers are needed. The taker
//! turns the list round.
#![allow(unsafe_code)] // The list is linked by raw pointers: no safe type of std is shared without a lock.

use super::fault::Fault;
use super::sync::{AtomicPtr, Ordering, Padded};
use std::marker::PhantomData;
use std::ptr;

/// One value, and the one that was pushed before it.
struct Node<T> {
    value: T,
    next: *mut Node<T>,
}

/// A list that any thread pushes onto and that is taken whole.
pub struct Ingress<T> {
    /// The node pushed last, or null.
    head: Padded<AtomicPtr<Node<T>>>,
    /// The list owns its nodes.
    owns: PhantomData<Box<Node<T>>>,
    fault: Fault,
}

// SAFETY: values only move through the list, from the pushing thread to the taking one; no `&T` is ever
// shared. So `T: Send` is all it takes, for sharing the list and for moving it.
unsafe impl<T: Send> Sync for Ingress<T> {}
// SAFETY: as above.
unsafe impl<T: Send> Send for Ingress<T> {}

impl<T: Send> Ingress<T> {
    /// An empty list.
    pub fn new() -> Ingress<T> {
        Ingress::build(Fault::None)
    }

    /// As `new`, with a known mistake in it. For loom models.
    #[cfg(loom)]
    pub fn with_fault(fault: Fault) -> Ingress<T> {
        Ingress::build(fault)
    }

    fn build(fault: Fault) -> Ingress<T> {
        Ingress { head: Padded(AtomicPtr::new(ptr::null_mut())), owns: PhantomData, fault }
    }

    /// Pushes one value. Any thread; one allocation and one exchange.
    pub fn push(&self, value: T) {
        let mut chain = Chain::empty();
        chain.push(value);
        self.publish(chain);
    }

    /// Pushes values that come out in this order, with nothing of another thread between them. Any thread;
    /// one allocation a value, and one exchange for all.
    pub fn push_all(&self, values: impl IntoIterator<Item = T>) {
        let mut chain = Chain::empty();
        values.into_iter().for_each(|value| chain.push(value));
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
        let mut taken = Chain { newest: head, oldest: ptr::null_mut() };
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
    fn publish(&self, chain: Chain<T>) {
        let Some((newest, oldest)) = chain.into_ends() else { return };
        let release =
            if self.fault.is(Fault::IngressPublishesRelaxed) { Ordering::Relaxed } else { Ordering::Release };
        // Relaxed, here and on failure: the old head is only written into `next`, its node is not looked at.
        let mut head = self.head.0.load(Ordering::Relaxed);
        loop {
            // SAFETY: `oldest` is a node from `Box::into_raw` in `Chain::push`, ours alone until the exchange
            // has succeeded.
            unsafe { (*oldest).next = head };
            // Release pairs with the acquire in `take`: values and links are seen as they were written.
            match self.head.0.compare_exchange(head, newest, release, Ordering::Relaxed) {
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
        drop(Chain { newest, oldest: ptr::null_mut() });
    }
}

/// Nodes that belong to one thread, linked from the newest to the oldest.
struct Chain<T> {
    newest: *mut Node<T>,
    /// Of meaning only for a chain that was made by pushes.
    oldest: *mut Node<T>,
}

impl<T> Chain<T> {
    fn empty() -> Chain<T> {
        Chain { newest: ptr::null_mut(), oldest: ptr::null_mut() }
    }

    fn push(&mut self, value: T) {
        let node = Box::into_raw(Box::new(Node { value, next: self.newest }));
        if self.newest.is_null() {
            self.oldest = node;
        }
        self.newest = node;
    }

    /// The newest and the oldest node, which the caller then owns; `None` of an empty chain.
    fn into_ends(mut self) -> Option<(*mut Node<T>, *mut Node<T>)> {
        let newest = std::mem::replace(&mut self.newest, ptr::null_mut());
        (!newest.is_null()).then_some((newest, self.oldest))
    }

    /// Takes the newest value off.
    fn pop(&mut self) -> Option<T> {
        if self.newest.is_null() {
            return None;
        }
        // SAFETY: the node came from `Box::into_raw` in `push`, and only this chain has it: the exchange that
        // took the list handed it over, or it was never published. It leaves the chain on the next line.
        let node = unsafe { Box::from_raw(self.newest) };
        self.newest = node.next;
        Some(node.value)
    }

    /// Turns the chain round, so that the oldest comes first.
    fn reverse(&mut self) {
        let mut from = self.newest;
        self.newest = ptr::null_mut();
        while !from.is_null() {
            // SAFETY: the node is this chain's alone, as in `pop`, and no other reference to it is held.
            let node = unsafe { &mut *from };
            let rest = node.next;
            node.next = self.newest;
            self.newest = from;
            from = rest;
        }
    }
}

impl<T> Drop for Chain<T> {
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
