//! The sorted column allocates nothing once it has reached its size.

#[path = "allocator/counting.rs"]
#[allow(dead_code, reason = "shared with tests that count bytes too")]
mod allocator;

use evenmatch::index::{Candidates, IndexKind, PointIndex, Query, SearchScratch};
use evenmatch::model::ids::{Millis, Seniority};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

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
            before = allocator::calls();
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
    allocator::calls() - before
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
