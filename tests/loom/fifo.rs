//! Models of the queue of numbers.

use super::{check, fails};
use evenmatch::base::fault::Fault;
use evenmatch::base::fifo::Fifo;
use loom::sync::Arc;
use loom::thread;

/// All that is left.
fn drain(queue: &Fifo) -> Vec<u64> {
    std::iter::from_fn(|| queue.pop()).take(9).collect()
}

/// Two threads push and pop each, and use one another's nodes again: nothing is lost or doubled.
fn pushes_and_pops(fault: Fault) {
    let queue = Arc::new(Fifo::with_fault(3, fault));
    let other = {
        let queue = Arc::clone(&queue);
        thread::spawn(move || {
            assert!(queue.push(1));
            queue.pop()
        })
    };
    assert!(queue.push(2));
    let mine = queue.pop();
    let theirs = other.join().unwrap();
    assert!(mine.is_some() && theirs.is_some(), "two were pushed before either pop: {mine:?} {theirs:?}");
    assert_eq!((mine.max(theirs), mine.min(theirs)), (Some(2), Some(1)));
    assert!(queue.push_chain([3, 4, 5]), "a node was lost");
    assert_eq!((queue.len(), drain(&queue)), (3, vec![3, 4, 5]));
}

/// A chain against a push, and a pop: the chain is whole, and all come out in an order that was pushed.
fn chain_against_push(fault: Fault) {
    let queue = Arc::new(Fifo::with_fault(4, fault));
    let single = {
        let queue = Arc::clone(&queue);
        thread::spawn(move || assert!(queue.push(7)))
    };
    let popper = {
        let queue = Arc::clone(&queue);
        thread::spawn(move || queue.pop())
    };
    assert!(queue.push_chain([1, 2]));
    single.join().unwrap();
    let mut seen: Vec<u64> = popper.join().unwrap().into_iter().collect();
    assert_eq!(queue.len(), 3 - seen.len());
    seen.extend(drain(&queue));
    assert!(seen == [1, 2, 7] || seen == [7, 1, 2], "{seen:?}");
}

/// Two pops against a push of two: each value is seen whole, by one of them, in order.
fn push_against_pops(fault: Fault) {
    let queue = Arc::new(Fifo::with_fault(2, fault));
    let poppers: Vec<_> = (0..2)
        .map(|_| {
            let queue = Arc::clone(&queue);
            thread::spawn(move || queue.pop())
        })
        .collect();
    assert!(queue.push(5));
    assert!(queue.push(6));
    let mut seen: Vec<u64> = poppers.into_iter().filter_map(|popper| popper.join().unwrap()).collect();
    seen.sort_unstable();
    seen.extend(drain(&queue));
    assert_eq!(seen, [5, 6]);
}

/// A push that is held up while the node that it found last is popped and used again for a chain.
fn push_against_reuse(fault: Fault) {
    let queue = Arc::new(Fifo::with_fault(4, fault));
    let other = {
        let queue = Arc::clone(&queue);
        thread::spawn(move || assert!(queue.push(9)))
    };
    assert!(queue.push(1));
    let first = queue.pop();
    assert!(queue.push_chain([2, 3]));
    let mut seen = vec![first.unwrap()];
    other.join().unwrap();
    seen.extend(drain(&queue));
    seen.sort_unstable();
    assert_eq!(seen, [1, 2, 3, 9]);
}

/// A pop and a push by one thread while another has linked its number and not yet moved the tail.
fn tail_behind(fault: Fault, pop: fn(&Fifo) -> Option<u64>) {
    let queue = Arc::new(Fifo::with_fault(3, fault));
    let other = {
        let queue = Arc::clone(&queue);
        thread::spawn(move || {
            let popped = pop(&queue);
            assert!(queue.push(2));
            popped
        })
    };
    assert!(queue.push(1));
    let mut seen: Vec<u64> = other.join().unwrap().into_iter().collect();
    seen.extend(drain(&queue));
    seen.sort_unstable();
    assert_eq!(seen, [1, 2]);
    assert!(queue.push_chain([3, 4, 5]), "a node was lost");
    assert_eq!((queue.len(), drain(&queue)), (3, vec![3, 4, 5]));
}

/// As a pop, of as many as there are room for.
fn pop_at_once(queue: &Fifo) -> Option<u64> {
    let mut out = [0; 2];
    let len = queue.pop_many(&mut out);
    assert!(len < 2, "one was pushed");
    (len > 0).then_some(out[0])
}

/// One thread pops two at once, another pops one, and a third pushes two: each is popped once, and in order.
fn pops_of_many() {
    let queue = Arc::new(Fifo::new(3));
    assert!(queue.push(1));
    let popper = {
        let queue = Arc::clone(&queue);
        thread::spawn(move || queue.pop())
    };
    let pusher = {
        let queue = Arc::clone(&queue);
        thread::spawn(move || assert!(queue.push_chain([2, 3])))
    };
    let mut out = [0; 2];
    let len = queue.pop_many(&mut out);
    let theirs = popper.join().unwrap();
    pusher.join().unwrap();
    assert!(out[..len].is_sorted(), "{out:?}");
    let mut all: Vec<u64> = out[..len].to_vec();
    all.extend(theirs);
    all.extend(drain(&queue));
    all.sort_unstable();
    assert_eq!(all, [1, 2, 3]);
    assert!(queue.push_chain([4, 5, 6]), "a node was lost");
}

#[test]
fn pushes_and_pops_lose_nothing() {
    check(2, || pushes_and_pops(Fault::None));
}

#[test]
fn a_chain_is_whole() {
    check(2, || chain_against_push(Fault::None));
}

#[test]
fn each_number_is_popped_once() {
    check(2, || push_against_pops(Fault::None));
}

#[test]
fn a_node_is_used_again() {
    check(2, || push_against_reuse(Fault::None));
}

#[test]
fn a_pop_never_passes_the_tail() {
    check(4, || tail_behind(Fault::None, Fifo::pop));
}

#[test]
fn catches_a_chain_in_pieces() {
    assert!(fails(2, || chain_against_push(Fault::FifoChainInPieces)));
}

#[test]
fn catches_a_link_without_release() {
    assert!(fails(2, || push_against_pops(Fault::FifoLinksRelaxed)));
}

#[test]
fn catches_a_push_that_looks_once() {
    assert!(fails(3, || push_against_reuse(Fault::FifoLooksOnce)));
}

#[test]
fn catches_a_head_that_passes_the_tail() {
    assert!(fails(4, || tail_behind(Fault::FifoPassesTail, Fifo::pop)));
}

#[test]
fn many_are_popped_once() {
    check(3, pops_of_many);
    check(4, || tail_behind(Fault::None, pop_at_once));
}

#[test]
fn catches_a_head_of_many_that_passes_the_tail() {
    assert!(fails(4, || tail_behind(Fault::FifoPassesTail, pop_at_once)));
}
