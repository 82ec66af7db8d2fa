//! PF-08: a steady state allocates nothing in a tick, whatever the load was in the tick before.
//!
//! The allocator of this test binary counts the calls of each thread. The events are polled and the tickets
//! submitted outside of the count: the case is about ticks.
#![allow(unsafe_code, reason = "a counting allocator implements an unsafe trait; it hands every call on")]

use super::queues::{QUEUE, With, always, duel, growing, skill_within};
use evenmatch::engine::Engine;
use evenmatch::model::ids::{Millis, PlayerId};
use evenmatch::model::request::{PlayerRequest, TicketRequest};
use evenmatch::rules::spec::{IndexChoice, QueueSpec};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static CALLS: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    // A thread that ends may still free and allocate; what it does then is nobody's tick.
    let _ = CALLS.try_with(|calls| calls.set(calls.get() + 1));
}

// SAFETY: every call is handed to the system's allocator unchanged, with the layout that the caller gave; the
// count allocates nothing, since it is a constant thread-local cell without a destructor.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller's obligations are those of `System`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: `pointer` came from `System` with this layout, since all of ours do.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: `pointer` came from `System` with this layout, since all of ours do.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations of each tick while ticks of few and of many tickets take turns.
fn allocations(queue: QueueSpec, loads: [u64; 2], ticks: u64) -> Vec<u64> {
    let capacity = (loads[0] + loads[1]) as u32 * 2;
    let engine = Engine::builder().capacity(capacity).retained(1000).build().unwrap();
    engine.add_queue(queue).unwrap();
    let (mut state, mut player) = (3u64, 0u128);
    let mut events = Vec::new();
    let mut counts = Vec::new();
    for tick in 0..ticks {
        let load = loads[(tick % 2) as usize];
        let requests = (0..load).map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            player += 1;
            let rating = 1000 + ((state >> 33) % 1000) as i32;
            TicketRequest::new(QUEUE).player(PlayerRequest::new(PlayerId(player)).number("skill", rating))
        });
        let answers = engine.submit_batch(Millis(tick * 1000), requests.collect());
        assert!(answers.iter().all(Result::is_ok));
        let before = CALLS.get();
        let report = engine.tick(Millis(tick * 1000), 0).unwrap();
        counts.push(CALLS.get() - before);
        assert!(report.matches >= load / 4, "the tick matched {} of {load} tickets", report.matches);
        events.clear();
        engine.poll(&mut events, usize::MAX);
    }
    counts
}

#[test]
fn pf_08_the_counter_counts() {
    let before = CALLS.get();
    drop(std::hint::black_box(vec![1u8; 100]));
    assert_eq!(CALLS.get() - before, 1);
}

#[test]
fn pf_08_ticks_of_changing_load_allocate_nothing() {
    let mut queue = duel().with(skill_within(growing(50.0, 50.0, 1000.0)));
    queue.index = IndexChoice::Sorted;
    let counts = allocations(queue, [100, 100_000], 24);
    assert!(counts[10..].iter().all(|count| *count == 0), "allocations by tick: {counts:?}");
}

#[test]
fn pf_08_two_hundred_ticks_of_a_smaller_load_allocate_nothing() {
    let mut queue = duel().with(skill_within(always(1000.0)));
    queue.index = IndexChoice::Sorted;
    let counts = allocations(queue, [10, 2_000], 200);
    // The loads are drawn, so the greatest of each kind has been seen only after some dozens of ticks.
    assert!(counts[100..].iter().all(|count| *count == 0), "allocations by tick: {counts:?}");
}
