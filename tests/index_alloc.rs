//! The sorted column allocates nothing once it has reached its size.

#![allow(unsafe_code, reason = "an allocator that counts has to be one")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use evenmatch::index::{Candidates, IndexKind, PointIndex, Query, SearchScratch};
use evenmatch::model::ids::{Millis, Seniority};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

/// The system's allocator, counting what each thread asks of it.
struct Counting;

// SAFETY: every call is handed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's obligations are those of the system's allocator.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: `block` came from `alloc` or `realloc` above, hence from the system's allocator.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: as for `dealloc`.
        unsafe { System.realloc(block, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn age(n: u64) -> Seniority {
    Seniority { enqueued: Millis(n / 10), submit_number: n }
}

/// Replaces random members `rounds` times, searching after each, and answers the allocations of the time.
fn churn(
    index: &mut PointIndex,
    live: &mut [(u32, Vec<i64>)],
    rng: &mut ChaCha8Rng,
    from: u32,
    rounds: u32,
) -> u64 {
    let reach = vec![200; live[0].1.len()];
    let mut scratch = SearchScratch::default();
    let mut found = 0;
    let mut before = 0;
    for n in from..from + rounds {
        if n == from + rounds / 2 {
            // The first half brings directory, spare chunks and scratch to their size.
            before = ALLOCATIONS.with(Cell::get);
        }
        let place = rng.random_range(0..live.len());
        let (item, coords) = &mut live[place];
        assert!(index.remove(*item, age(u64::from(*item)), coords));
        coords[0] = rng.random_range(0..3000) / 7 * 7;
        *item = n;
        index.insert(n, age(u64::from(n)), coords);
        let younger_than = n.is_multiple_of(2).then(|| age(u64::from(n - 500)));
        let mut cursor =
            index.search(Query { centre: coords, reach: &reach, younger_than, sharing: None }, &mut scratch);
        found += (0..20).map_while(|_| cursor.next()).count();
    }
    assert!(found > rounds as usize);
    ALLOCATIONS.with(Cell::get) - before
}

#[test]
fn the_sorted_column_allocates_nothing_in_a_steady_state() {
    for weights in [&[1_000_000][..], &[1_000_000, 500_000]] {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut index = PointIndex::new(IndexKind::Sorted, weights);
        let mut live: Vec<(u32, Vec<i64>)> =
            (0..20_000).map(|n| (n, weights.iter().map(|_| rng.random_range(0..3000)).collect())).collect();
        for (item, coords) in &live {
            index.insert(*item, age(u64::from(*item)), coords);
        }
        let count = churn(&mut index, &mut live, &mut rng, 20_000, 200_000);
        assert_eq!(count, 0, "allocations with {} dimensions", weights.len());
    }
}
