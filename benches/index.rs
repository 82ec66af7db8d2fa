//! Which index answers fastest: the sorted column, the KD-tree or a plain list.
//!
//! `cargo bench --bench index`; a filter such as `skill/flood` runs one scenario. Each scenario names its dimensions
//! (`skill`: one; `skill+ping`: two; `two-skills+ping`: three), where its points and queries lie, and its size. A
//! search takes the ten nearest within +-100 in each dimension but ping. Every kind's answers are asserted equal to
//! the list's before anything is measured, and a hash of them is printed.
//!
//! - `dense`: ratings Normal(1500, 350), queries drawn alike;
//! - `sparse`: the same points, queries in 2700..3000;
//! - `flood`: seven points in ten stand at 1500 and 40 ms, as do the queries;
//! - `younger`: dense, but only the youngest tenth are candidates;
//! - `churn`: one oldest point removed, one added, one dense search.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use evenmatch::index::{Candidates, Found, IndexKind, PointIndex, Query, SearchScratch};
use evenmatch::model::ids::{Millis, Seniority};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const MICROS: i64 = 1_000_000;
const QUERIES: usize = 256;
const WANTED: usize = 10;

const KINDS: &[(&str, IndexKind)] = &[
    ("sorted", IndexKind::Sorted),
    #[cfg(feature = "kdtree")]
    ("kdtree", IndexKind::KdTree),
    ("linear", IndexKind::Linear),
];

/// The dimensions of a scenario with their weights and reaches.
struct Shape {
    name: &'static str,
    weights: &'static [i64],
    reach: &'static [i64],
}

const SHAPES: &[Shape] = &[
    Shape { name: "skill", weights: &[MICROS], reach: &[100 * MICROS] },
    Shape { name: "skill+ping", weights: &[MICROS, MICROS / 2], reach: &[100 * MICROS, i64::MAX] },
    Shape {
        name: "two-skills+ping",
        weights: &[MICROS, MICROS, MICROS / 2],
        reach: &[100 * MICROS, 100 * MICROS, i64::MAX],
    },
];

/// A rating drawn from Normal(1500, 350), clamped to 0..3000, whole.
fn rating(rng: &mut impl Rng) -> i64 {
    let sum: f64 = (0..12).map(|_| rng.random::<f64>()).sum();
    (1500.0 + 350.0 * (sum - 6.0)).clamp(0.0, 3000.0) as i64 * MICROS
}

fn point(rng: &mut impl Rng, shape: &Shape, flood: bool) -> Vec<i64> {
    let flood = flood && rng.random_bool(0.7);
    let mut point: Vec<i64> =
        shape.weights.iter().map(|_| if flood { 1500 * MICROS } else { rating(rng) }).collect();
    if let [_, .., ping] = &mut point[..] {
        *ping = if flood { 40 } else { rng.random_range(20..180) } * MICROS;
    }
    point
}

fn age(n: usize) -> Seniority {
    Seniority { enqueued: Millis(n as u64 / 100), submit_number: n as u64 }
}

/// The members of a scenario and what is asked of them.
struct Scenario {
    points: Vec<Vec<i64>>,
    queries: Vec<Vec<i64>>,
    younger_than: Option<Seniority>,
}

fn scenario(name: &str, shape: &Shape, size: usize) -> Scenario {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let flood = name == "flood";
    let points = (0..size).map(|_| point(&mut rng, shape, flood)).collect();
    let mut queries: Vec<_> = (0..QUERIES).map(|_| point(&mut rng, shape, flood)).collect();
    for query in &mut queries {
        if name == "sparse" {
            query[0] = rng.random_range(2700..3000) * MICROS;
        }
        if let [_, .., ping] = &mut query[..] {
            // What a ticket looks for is the least ping.
            *ping = 0;
        }
    }
    Scenario { points, queries, younger_than: (name == "younger").then(|| age(size - size / 10)) }
}

fn filled(kind: IndexKind, shape: &Shape, points: &[Vec<i64>]) -> PointIndex {
    let mut index = PointIndex::new(kind, shape.weights);
    for (n, point) in points.iter().enumerate() {
        index.insert(n as u32, age(n), point);
    }
    index
}

/// The ten nearest, folded into a hash.
fn ask(index: &PointIndex, query: Query<'_>, scratch: &mut SearchScratch) -> u64 {
    let mut cursor = index.search(query, scratch);
    (0..WANTED).map_while(|_| cursor.next()).fold(0xcbf2_9ce4_8422_2325, |hash, Found { item, distance }| {
        [u64::from(item), distance as u64, (distance >> 64) as u64]
            .iter()
            .fold(hash, |hash, word| (hash ^ word).wrapping_mul(0x0100_0000_01b3))
    })
}

/// Holds every kind against the list for some of the queries and prints the hash of the answers.
fn verify(
    name: &str,
    indexes: &[(&str, PointIndex)],
    oracle: &PointIndex,
    shape: &Shape,
    scenario: &Scenario,
) {
    let mut scratch = SearchScratch::default();
    let mut hash = 0_u64;
    for centre in scenario.queries.iter().step_by(8) {
        let query = Query { centre, reach: shape.reach, younger_than: scenario.younger_than, sharing: None };
        let right = ask(oracle, query, &mut scratch);
        for (kind, index) in indexes {
            assert_eq!(ask(index, query, &mut scratch), right, "{name}: {kind} differs at {centre:?}");
        }
        hash = hash.rotate_left(5) ^ right;
    }
    println!("{name}: {} queries agree, hash {hash:016x}", scenario.queries.len() / 8);
}

fn searches(c: &mut Criterion) {
    for shape in SHAPES {
        for what in ["dense", "sparse", "flood", "younger"] {
            for size in [10_000, 100_000] {
                let name = format!("{}/{what}/{size}", shape.name);
                let scenario = scenario(what, shape, size);
                let oracle = filled(IndexKind::Linear, shape, &scenario.points);
                let indexes: Vec<_> = KINDS
                    .iter()
                    // The list is there to be right; at size its time is known to be linear.
                    .filter(|&&(_, kind)| kind != IndexKind::Linear || (size == 10_000 && what == "dense"))
                    .map(|&(label, kind)| (label, filled(kind, shape, &scenario.points)))
                    .collect();
                verify(&name, &indexes, &oracle, shape, &scenario);
                let mut group = c.benchmark_group(&name);
                for (label, index) in &indexes {
                    let mut scratch = SearchScratch::default();
                    let mut turn = 0;
                    group.bench_function(BenchmarkId::from_parameter(label), |b| {
                        b.iter(|| {
                            turn = (turn + 1) % QUERIES;
                            let centre = &scenario.queries[turn];
                            let query = Query {
                                centre,
                                reach: shape.reach,
                                younger_than: scenario.younger_than,
                                sharing: None,
                            };
                            black_box(ask(index, query, &mut scratch))
                        });
                    });
                }
                group.finish();
            }
        }
    }
}

fn churn(c: &mut Criterion) {
    for shape in SHAPES {
        for size in [10_000, 100_000] {
            let name = format!("{}/churn/{size}", shape.name);
            let scenario = scenario("dense", shape, size);
            let mut group = c.benchmark_group(&name);
            for &(label, kind) in KINDS {
                if kind == IndexKind::Linear {
                    continue;
                }
                let mut index = filled(kind, shape, &scenario.points);
                let mut scratch = SearchScratch::default();
                // Member n stands where point n modulo the size stands, so nothing is drawn while time runs.
                let mut next = size;
                group.bench_function(BenchmarkId::from_parameter(label), |b| {
                    b.iter(|| {
                        let place = &scenario.points[next % size];
                        assert!(index.remove((next - size) as u32, age(next - size), place));
                        index.insert(next as u32, age(next), place);
                        next += 1;
                        let centre = &scenario.queries[next % QUERIES];
                        let query = Query { centre, reach: shape.reach, younger_than: None, sharing: None };
                        black_box(ask(&index, query, &mut scratch))
                    });
                });
                let mut oracle = PointIndex::new(IndexKind::Linear, shape.weights);
                for n in next - size..next {
                    oracle.insert(n as u32, age(n), &scenario.points[n % size]);
                }
                verify(&format!("{name} after churn"), &[(label, index)], &oracle, shape, &scenario);
            }
            group.finish();
        }
    }
}

fn builds(c: &mut Criterion) {
    for shape in SHAPES {
        let size = 10_000;
        let scenario = scenario("dense", shape, size);
        let mut group = c.benchmark_group(format!("{}/build/{size}", shape.name));
        for &(label, kind) in KINDS {
            group.bench_function(BenchmarkId::from_parameter(label), |b| {
                b.iter(|| assert_eq!(filled(kind, shape, &scenario.points).len(), size));
            });
        }
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = searches, churn, builds
}
criterion_main!(benches);
