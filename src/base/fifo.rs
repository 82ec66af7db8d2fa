//! A queue of numbers that many threads push into and many pop from, first in, first out.
//!
//! Called by `engine`: ids of tickets whose event is to be polled, or that are retained. Invariant: a number
//! pushed is popped once; numbers come out in the order of the exchanges that linked them, so those of one
//! `push_chain` with nothing in between. Nobody waits: whoever meets a push that is half done finishes it.
//!
//! It is the queue of M. M. Michael and M. L. Scott ("Simple, Fast, and Practical Non-Blocking and Blocking
//! Concurrent Queue Algorithms", PODC 1996), with nodes in a `Pool`:
//!
//! ```text
//!  head            tail
//!   |               |
//!   v               v
//!  node -> node -> node        the first node is a dummy: the value of the next one is popped next, and that
//!          value   value       node is then the dummy
//! ```
//!
//! A push links a chain of nodes to the last one (the one exchange by which it happens) and then moves the
//! tail; a thread that finds the tail behind moves it by one node. All three kinds of words have counts:
//! those of head and tail are positions, so their difference is the length; the count of a node's link goes
//! up whenever the node is used again, so a push that was held up since cannot link to a node of another
//! time. Nodes are never freed before the queue, so nobody reads freed memory and no hazard pointers are
//! needed.

use super::fault::Fault;
use super::pool::{Lot, Pool};
use super::sync::{AtomicU64, Ordering, Padded};
use super::tagged::{INDEXED_MAX, NO_INDEX, Tagged};

/// One number in the queue, 16 bytes.
struct Node {
    /// The number.
    value: AtomicU64,
    /// A [`Tagged`]: the node behind.
    next: AtomicU64,
}

impl Node {
    fn new() -> Node {
        Node { value: AtomicU64::new(0), next: AtomicU64::new(Tagged::NONE.0) }
    }

    /// The link. Acquire pairs with the release in `push_chain`: the node that it names is seen as written;
    /// and with the release in `Chain::push`: who reads the link of a later use also finds that head and tail
    /// have left the node.
    fn next(&self) -> Tagged {
        Tagged(self.next.load(Ordering::Acquire))
    }
}

/// A queue of numbers. Any thread; no allocation but for segments of nodes that were never needed before.
pub struct Fifo {
    nodes: Pool<Node>,
    /// A [`Tagged`]: the dummy, and its position.
    head: Padded<AtomicU64>,
    /// A [`Tagged`]: the last node or one before it, and its position.
    tail: Padded<AtomicU64>,
    fault: Fault,
}

impl Fifo {
    /// An empty queue that holds at least `len_max` numbers, at most 2^28 - 2; 16 bytes each, when they are
    /// first needed.
    pub fn new(len_max: u32) -> Fifo {
        Fifo::build(len_max, Fault::None)
    }

    /// As `new`, with a known mistake in it. For loom models.
    #[cfg(loom)]
    pub fn with_fault(len_max: u32, fault: Fault) -> Fifo {
        Fifo::build(len_max, fault)
    }

    fn build(len_max: u32, fault: Fault) -> Fifo {
        let nodes = Pool::build(len_max.min(INDEXED_MAX - 1) + 1, fault);
        // The first node of a table of one and more.
        let dummy = nodes.take(Node::new).map_or(NO_INDEX, |(index, _)| index);
        let word = || Padded(AtomicU64::new(Tagged::new(dummy).0));
        Fifo { nodes, head: word(), tail: word(), fault }
    }

    /// Adds a number. Answers false, and adds nothing, if the queue is full.
    ///
    /// Each `pop` that is under way at the moment may count as one number more.
    pub fn push(&self, value: u64) -> bool {
        self.push_chain([value])
    }

    /// Adds numbers in this order, with nothing of another thread between them. Answers false, and adds
    /// nothing, if they do not all fit.
    pub fn push_chain(&self, values: impl IntoIterator<Item = u64>) -> bool {
        let values = values.into_iter();
        let mut lot = self.nodes.lot(values.size_hint().0.min(self.nodes.len() as usize) as u32, Node::new);
        let mut chain = Chain::empty(&self.nodes);
        for value in values {
            if self.fault.is(Fault::FifoChainInPieces) {
                self.link(std::mem::replace(&mut chain, Chain::empty(&self.nodes)));
            }
            if !chain.push(&mut lot, value) {
                return false;
            }
        }
        self.link(chain);
        true
    }

    /// Links the nodes to the last one.
    fn link(&self, mut chain: Chain) {
        if chain.len == 0 {
            return;
        }
        loop {
            // Acquire, here and in `pop`, pairs with the release of each exchange of the tail.
            let tail = Tagged(self.tail.0.load(Ordering::Acquire));
            let Some(last) = self.nodes.get(tail.index()) else { continue };
            let next = last.next();
            // Relaxed: kept behind the acquires above. If the link is of a later use of the node, its release
            // makes the tail's change seen here. Only now is `next` known to be a link of this queue's.
            if self.tail.0.load(Ordering::Relaxed) != tail.0 && !self.fault.is(Fault::FifoLooksOnce) {
                continue;
            }
            if !next.is_none() {
                self.move_tail(tail, next.index(), 1);
                continue;
            }
            let release =
                if self.fault.is(Fault::FifoLinksRelaxed) { Ordering::Relaxed } else { Ordering::Release };
            // Release pairs with the acquire in `Node::next`. On failure nothing is read: we begin again.
            let linked = next.after(chain.first, 1);
            if last.next.compare_exchange(next.0, linked.0, release, Ordering::Relaxed).is_ok() {
                self.move_tail(tail, chain.last, chain.len);
                // The nodes are the queue's now.
                chain.len = 0;
                return;
            }
        }
    }

    /// Takes the oldest number; `None` if there is none.
    pub fn pop(&self) -> Option<u64> {
        loop {
            // Acquire pairs with the release in the exchange below: who sees the head at a node sees the tail
            // where the thread that moved the head saw it, or further on, so never before the head.
            let head = Tagged(self.head.0.load(Ordering::Acquire));
            let tail = Tagged(self.tail.0.load(Ordering::Acquire));
            let next = self.nodes.get(head.index())?.next();
            // Relaxed: kept behind the acquires above, as in `link`.
            if self.head.0.load(Ordering::Relaxed) != head.0 {
                continue;
            }
            if next.is_none() {
                return None;
            }
            if head.index() == tail.index() && !self.fault.is(Fault::FifoPassesTail) {
                self.move_tail(tail, next.index(), 1);
                continue;
            }
            // Relaxed: written before the link that named the node, which was acquired. Read before the
            // exchange, as from then on another pop may give the node back. If it is a number of another
            // time, the head has moved and the exchange fails.
            let value = self.nodes.get(next.index())?.value.load(Ordering::Relaxed);
            // Acquire and release: who takes this node from the pool comes after all that we read, and the
            // next pop sees the tail at least where we saw it.
            let to = head.after(next.index(), 1);
            let swap = self.head.0.compare_exchange(head.0, to.0, Ordering::AcqRel, Ordering::Relaxed);
            if swap.is_ok() {
                self.nodes.give(head.index());
                return Some(value);
            }
        }
    }

    /// Takes the oldest numbers, as many as there is room for in `out`, with nothing of another thread's pops between
    /// them; says how many. They are one exchange, as those of `pop` are one each.
    pub fn pop_many(&self, out: &mut [u64]) -> usize {
        loop {
            // Acquire, here and below, as in `pop`.
            let head = Tagged(self.head.0.load(Ordering::Acquire));
            let tail = Tagged(self.tail.0.load(Ordering::Acquire));
            let (mut last, mut len, mut is_same) = (head.index(), 0, true);
            for place in out.iter_mut() {
                let Some(node) = self.nodes.get(last) else { break };
                let next = node.next();
                // Relaxed: kept behind the acquires, as in `pop`.
                is_same = self.head.0.load(Ordering::Relaxed) == head.0;
                if !is_same || next.is_none() {
                    break;
                }
                if last == tail.index() && !self.fault.is(Fault::FifoPassesTail) {
                    if len == 0 {
                        self.move_tail(tail, next.index(), 1);
                        is_same = false;
                    }
                    break;
                }
                let Some(node) = self.nodes.get(next.index()) else { break };
                // Relaxed: as in `pop`.
                *place = node.value.load(Ordering::Relaxed);
                (last, len) = (next.index(), len + 1);
            }
            if !is_same {
                continue;
            }
            if len == 0 {
                return 0;
            }
            // As in `pop`.
            let to = head.after(last, len);
            if self.head.0.compare_exchange(head.0, to.0, Ordering::AcqRel, Ordering::Relaxed).is_err() {
                continue;
            }
            let (mut done, mut from) = (self.nodes.pile(), head.index());
            for _ in 0..len {
                // Relaxed: the nodes are ours, and have been read before.
                let Some(node) = self.nodes.get(from) else { break };
                let next = Tagged(node.next.load(Ordering::Relaxed)).index();
                done.add(from);
                from = next;
            }
            return len as usize;
        }
    }

    /// About how many numbers there are: exactly, while nobody pushes or pops.
    pub fn len(&self) -> usize {
        // Acquire: the tail is then seen at least at the head's place.
        let head = Tagged(self.head.0.load(Ordering::Acquire));
        let tail = Tagged(self.tail.0.load(Ordering::Acquire));
        tail.steps_since(head).min(u64::from(INDEXED_MAX)) as usize
    }

    /// Whether there is about nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Moves the tail on, if nobody did.
    fn move_tail(&self, tail: Tagged, index: u32, steps: u64) {
        // Release pairs with the acquires of the tail: the link that led here is seen. On failure another
        // thread has moved it, which is as good.
        let to = tail.after(index, steps);
        let _ = self.tail.0.compare_exchange(tail.0, to.0, Ordering::Release, Ordering::Relaxed);
    }
}

/// Nodes of one thread, linked in the order of its numbers; given back if they are not linked to the queue.
struct Chain<'a> {
    nodes: &'a Pool<Node>,
    first: u32,
    last: u32,
    len: u64,
}

impl Chain<'_> {
    fn empty(nodes: &Pool<Node>) -> Chain<'_> {
        Chain { nodes, first: NO_INDEX, last: NO_INDEX, len: 0 }
    }

    /// Adds a number at the end. Answers false if there is no node for it.
    fn push(&mut self, lot: &mut Lot<'_, Node>, value: u64) -> bool {
        let Some((index, node)) = lot.take().or_else(|| self.nodes.take(Node::new)) else { return false };
        // Relaxed: published by the release that links the chain.
        node.value.store(value, Ordering::Relaxed);
        // A link of none, with a count that no link of this node had before: a push that was held up since an
        // earlier use fails at its exchange, so nobody changes the link between the two accesses. Release
        // pairs with `Node::next`.
        let link = Tagged(node.next.load(Ordering::Relaxed)).after(NO_INDEX, 1);
        node.next.store(link.0, Ordering::Release);
        match self.nodes.get(self.last) {
            Some(last) => {
                // The node is ours alone, so a store does; its count goes up here as in an exchange.
                let link = Tagged(last.next.load(Ordering::Relaxed)).after(index, 1);
                last.next.store(link.0, Ordering::Release);
            }
            None => self.first = index,
        }
        self.last = index;
        self.len += 1;
        true
    }
}

impl Drop for Chain<'_> {
    fn drop(&mut self) {
        let mut index = self.first;
        for _ in 0..self.len {
            let Some(node) = self.nodes.get(index) else { return };
            // Relaxed: our own stores.
            let next = Tagged(node.next.load(Ordering::Relaxed)).index();
            self.nodes.give(index);
            index = next;
        }
    }
}

#[cfg(test)]
#[cfg(not(loom))]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::VecDeque;
    use std::thread;

    #[test]
    fn a_full_queue_refuses_and_keeps_what_it_has() {
        let queue = Fifo::new(3);
        assert!(queue.push(1) && queue.push_chain([]));
        assert!(!queue.push_chain([2, 3, 4]), "four do not fit");
        assert!(queue.push_chain([u64::MAX, 3]) && !queue.push(4));
        assert_eq!(queue.len(), 3);
        assert_eq!(
            [queue.pop(), queue.pop(), queue.pop(), queue.pop()],
            [Some(1), Some(u64::MAX), Some(3), None]
        );
        assert!(queue.is_empty() && queue.push_chain([5, 6, 7]));
        let none = Fifo::new(0);
        assert!(!none.push(1) && none.pop().is_none());
    }

    #[test]
    fn a_source_that_panics_loses_no_node() {
        let queue = Fifo::new(4);
        let values = (0..4).inspect(|&number| assert!(number < 2, "the source gives up"));
        let pushed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| queue.push_chain(values)));
        assert!(pushed.is_err() && queue.pop().is_none());
        assert!(queue.push_chain(0..4));
    }

    proptest! {
        /// In one thread it is a plain queue with a maximum.
        #[test]
        fn equals_a_plain_queue(steps in prop::collection::vec(0_usize..6, 0..300)) {
            let queue = Fifo::new(7);
            let mut model = VecDeque::new();
            for (number, step) in (1_u64..).zip(steps) {
                if step == 2 {
                    let mut out = [0; 3];
                    let len = queue.pop_many(&mut out[..number as usize % 4]);
                    let popped: Vec<u64> = model.drain(..model.len().min(number as usize % 4)).collect();
                    prop_assert_eq!(&out[..len], &popped[..]);
                } else if step < 2 {
                    prop_assert_eq!(queue.pop(), model.pop_front());
                } else {
                    let values: Vec<u64> = (0..step as u64 - 2).map(|part| number << 8 | part).collect();
                    let fits = model.len() + values.len() <= 7;
                    prop_assert_eq!(queue.push_chain(values.iter().copied()), fits);
                    model.extend(values.into_iter().filter(|_| fits));
                }
                prop_assert_eq!(queue.len(), model.len());
            }
        }
    }

    #[test]
    fn nothing_is_lost_or_doubled_between_threads() {
        const ROUNDS: u64 = 20_000;
        let queue = Fifo::new(64);
        let pushed_all = AtomicU64::new(0);
        let popped: Vec<Vec<u64>> = thread::scope(|scope| {
            for pusher in 0..2_u64 {
                let (queue, pushed_all) = (&queue, &pushed_all);
                scope.spawn(move || {
                    for round in 0..ROUNDS {
                        let values = [0, 1, 2].map(|part| pusher << 32 | (round * 3 + part));
                        while !queue.push_chain(values) {
                            thread::yield_now();
                        }
                    }
                    pushed_all.fetch_add(1, Ordering::Release);
                });
            }
            let poppers: Vec<_> = (0..2)
                .map(|_| {
                    scope.spawn(|| {
                        let mut popped = Vec::new();
                        loop {
                            let is_last = pushed_all.load(Ordering::Acquire) == 2;
                            let mut out = [0; 5];
                            let len = if popped.len() % 3 == 0 {
                                queue.pop().map_or(0, |value| {
                                    out[0] = value;
                                    1
                                })
                            } else {
                                queue.pop_many(&mut out)
                            };
                            match len {
                                0 if is_last => return popped,
                                0 => thread::yield_now(),
                                len => popped.extend(&out[..len]),
                            }
                        }
                    })
                })
                .collect();
            poppers.into_iter().map(|popper| popper.join().unwrap()).collect()
        });
        for own in &popped {
            for pusher in 0..2 {
                let values = own.iter().filter(|&&value| value >> 32 == pusher);
                assert!(values.is_sorted(), "a popper saw the numbers of one thread out of order");
            }
        }
        let mut all: Vec<u64> = popped.concat();
        all.sort_unstable();
        let expected = (0..2).flat_map(|pusher| (0..3 * ROUNDS).map(move |number| pusher << 32 | number));
        assert!(all.into_iter().eq(expected), "numbers were lost or doubled");
        assert_eq!(queue.len(), 0);
        assert!(queue.push_chain(0..64), "nodes were lost");
    }
}
