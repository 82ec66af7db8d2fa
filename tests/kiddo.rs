//! The pinned kiddo against brute force: faults that it, or its kind, has had, as named cases.
//!
//! The index relies on these answers and on nothing else of kiddo: `nearest_n` in the Manhattan metric over `f64`,
//! with and without `within`, of the immutable tree, and its size.

#![cfg(feature = "kdtree")]

use std::num::NonZeroUsize;

use evenmatch::index::{Candidates, Found, IndexKind, PointIndex, Query, SearchScratch};
use evenmatch::model::ids::{Millis, Seniority};
use kiddo::{ImmutableKdTree, Manhattan};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn distance<const K: usize>(a: &[f64; K], b: &[f64; K]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum()
}

/// The distances from `centre` to all points, ascending.
fn brute<const K: usize>(points: &[[f64; K]], centre: &[f64; K]) -> Vec<f64> {
    let mut all: Vec<f64> = points.iter().map(|point| distance(point, centre)).collect();
    all.sort_by(f64::total_cmp);
    all
}

/// Compares `nearest_n` of the tree, with and without a radius, with brute force.
///
/// Coordinates of the callers are such that all sums are exact, so distances must be equal and not just close.
fn compare<const K: usize>(points: &[[f64; K]], centre: &[f64; K], count: usize, radius: f64, what: &str) {
    let tree =
        ImmutableKdTree::<f64, K>::new_from_slice(points).unwrap_or_else(|fault| panic!("{what}: {fault}"));
    assert_eq!(tree.size(), points.len(), "{what}");
    if points.is_empty() {
        return;
    }
    let right = brute(points, centre);
    let wanted = NonZeroUsize::MIN.saturating_add(count.min(points.len()) - 1);
    let within_count = right.iter().filter(|&&distance| distance <= radius).count();
    let all = tree.query(centre).nearest_n::<Manhattan<f64>>(wanted).execute();
    let within = tree.query(centre).nearest_n::<Manhattan<f64>>(wanted).within(radius).execute();
    for (found, length) in [(all, wanted.get()), (within, wanted.get().min(within_count))] {
        let mut items: Vec<u32> = found.iter().map(|found| found.item).collect();
        items.sort_unstable();
        items.dedup();
        assert_eq!(items.len(), length, "{what}: an item twice, or too few");
        let got: Vec<f64> = found.iter().map(|found| found.distance).collect();
        assert_eq!(got, right[..length], "{what}");
        for found in &found {
            assert_eq!(distance(&points[found.item as usize], centre), found.distance, "{what}: wrong item");
        }
    }
}

/// `within` of the immutable tree once answered wrong indices: windows around each point, as sets.
#[test]
fn nm_07_window_queries_equal_brute_force() {
    let mut rng = ChaCha8Rng::seed_from_u64(258);
    for size in (1..=200).chain([109; 20]) {
        let grid = if size % 2 == 0 { 12 } else { 100_000 };
        let points: Vec<[f64; 2]> =
            (0..size).map(|_| std::array::from_fn(|_| f64::from(rng.random_range(0..grid)))).collect();
        let tree = ImmutableKdTree::<f64, 2>::new_from_slice(&points).unwrap();
        let wanted = NonZeroUsize::new(size).unwrap();
        for centre in points.iter().step_by(1 + size / 16) {
            let radius = f64::from(rng.random_range(0..grid));
            let right: Vec<u32> =
                (0..size as u32).filter(|&item| distance(&points[item as usize], centre) <= radius).collect();
            let mut hits: Vec<u32> = tree
                .query(centre)
                .within::<Manhattan<f64>>(radius)
                .execute()
                .iter()
                .map(|f| f.item)
                .collect();
            let nearest = tree.query(centre).nearest_n::<Manhattan<f64>>(wanted).within(radius).execute();
            let mut nearest: Vec<u32> = nearest.iter().map(|found| found.item).collect();
            hits.sort_unstable();
            nearest.sort_unstable();
            assert_eq!(hits, right, "within, {size} points, {centre:?}, {radius}");
            assert_eq!(nearest, right, "nearest_n within, {size} points, {centre:?}, {radius}");
        }
    }
}

/// Draws a coordinate of one of the kinds that have broken trees: all are exact in sums of four.
fn coordinate(rng: &mut impl Rng, kind: u32) -> f64 {
    match kind {
        0 => f64::from(rng.random_range(0..4_u8)),
        1 => 1500.0,
        2 => f64::from(rng.random_range(-1000..1000_i32)) * 2.0_f64.powi(80),
        3 => f64::from(rng.random_range(-1000..1000_i32)) * 2.0_f64.powi(-80),
        4 => [0.0, -0.0, 1.0, -1.0][rng.random_range(0..4)],
        _ => f64::from(rng.random_range(-1_000_000..1_000_000_i32)),
    }
}

fn fuzz<const K: usize>(cases: u32) {
    for seed in 0..cases {
        let mut rng = ChaCha8Rng::seed_from_u64(u64::from(seed));
        let size = if seed % 16 == 0 { rng.random_range(0..2_000) } else { rng.random_range(0..150) };
        // Half of the cases have one kind in all dimensions of all points; the others one kind a dimension.
        let kinds: [u32; K] = match rng.random_range(0..12) {
            kind @ 0..6 => [kind; K],
            _ => std::array::from_fn(|_| [0, 1, 4, 5][rng.random_range(0..4)]),
        };
        let mut point = || kinds.map(|kind| coordinate(&mut rng, kind));
        let points: Vec<[f64; K]> = (0..size).map(|_| point()).collect();
        let centre = point();
        let radius = distance(&point(), &point());
        let count = rng.random_range(1..40);
        compare(&points, &centre, count, radius, &format!("seed {seed}, {K} dimensions"));
    }
}

/// A fresh major version pruned too much and panicked while building: random sizes and hostile coordinates.
///
/// `EVENMATCH_KIDDO_CASES` sets the number of trees; the million that the case asks for takes minutes:
/// `EVENMATCH_KIDDO_CASES=1000000 cargo test --release --test kiddo nm_11`.
#[test]
fn nm_11_fuzzed_trees_equal_brute_force() {
    let cases =
        std::env::var("EVENMATCH_KIDDO_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(8_000);
    fuzz::<2>(cases / 2);
    fuzz::<3>(cases / 4);
    fuzz::<4>(cases / 4);
}

/// Building failed at certain sizes: every one builds, counts right, and every point is its own nearest.
#[test]
fn nm_15_trees_build_at_the_sizes_that_broke() {
    for size in [0_u32, 1, 2, 31, 32, 33, 63, 64, 65, 75, 117, 1023, 1025, 34_132] {
        for data in ["equal", "half equal", "random"] {
            let mut rng = ChaCha8Rng::seed_from_u64(u64::from(size));
            let points: Vec<[f64; 2]> = (0..size)
                .map(|n| match data {
                    "equal" => [1500.0, 50.0],
                    "half equal" if n % 2 == 0 => [1500.0, 50.0],
                    _ => [0; 2].map(|_: i32| f64::from(rng.random_range(0..1_000_000))),
                })
                .collect();
            let tree = ImmutableKdTree::<f64, 2>::new_from_slice(&points).unwrap();
            assert_eq!(tree.size(), size as usize, "{size} {data}");
            // Equal points share one leaf: asking all 34,132 of them costs their square.
            let step = if data == "random" { 1 } else { 1 + points.len() / 500 };
            for point in points.iter().step_by(step) {
                let nearest = tree.query(point).nearest_one::<Manhattan<f64>>().execute();
                assert_eq!(nearest.distance, 0.0, "{size} {data} {point:?}");
                assert_eq!(points[nearest.item as usize], *point, "{size} {data}");
            }
        }
    }
}

fn all(index: &PointIndex, query: Query<'_>, scratch: &mut SearchScratch) -> Vec<Found> {
    let mut cursor = index.search(query, scratch);
    std::iter::from_fn(|| cursor.next()).collect()
}

/// The index over kiddo holds every one of a flood of equal points, and gives them oldest first.
#[test]
fn a_flood_of_equal_points_is_kept_whole_and_in_order() {
    let weights = [1_000_000, 500_000];
    let mut index = PointIndex::new(IndexKind::KdTree, &weights);
    let age = |n: u32| Seniority { enqueued: Millis(5), submit_number: u64::from(n) };
    for n in 0..20_000 {
        index.insert(n, age(n), &[1_500_000_000, 50_000_000 + i64::from(n % 5) * 1_000_000]);
    }
    assert_eq!(index.len(), 20_000);
    assert!(index.rebuilds() > 0);
    let mut scratch = SearchScratch::default();
    let query =
        Query { centre: &[1_500_000_000, 0], reach: &[0, i64::MAX], younger_than: None, sharing: None };
    let found = all(&index, query, &mut scratch);
    assert_eq!(found.len(), 20_000);
    let items: Vec<u32> = found.iter().map(|found| found.item).collect();
    let right: Vec<u32> = (0..5).flat_map(|ping| (0..20_000).filter(move |n| n % 5 == ping)).collect();
    assert_eq!(items, right);
}
