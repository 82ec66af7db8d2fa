//! What one anchor's search costs in a crowded pool: candidates out of the index, sets, splits into teams.
//!
//! `cargo bench --bench assemble`; a filter such as `roles/1000` runs one scenario, and `-- --test` runs each
//! once. A scenario is named by its queue and the number of tickets that wait, with each kind of index
//! beneath:
//!
//! - `fives`: five against five single players, skill, ping in four regions, even teams;
//! - `parties`: the same with parties of one to five;
//! - `roles`: three against three, one tank and one healer in each team.
//!
//! Tickets have waited for up to 20 seconds; the eight oldest, of middling skill, are the anchors, one after
//! the other, and nothing is committed. Before anything is measured every match is looked at (whole, the
//! anchor its oldest, nobody twice) and a hash of all is printed (an anchor without one must have met the
//! node limit); the list and the sorted column must come to the same.
#![allow(clippy::unwrap_used, reason = "a bench that cannot be set up stops")]

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use evenmatch::assemble::anchor::Search;
use evenmatch::assemble::report::Measured;
use evenmatch::assemble::scene::Ground;
use evenmatch::assemble::states::States;
use evenmatch::config::read_queue;
use evenmatch::model::ids::{Millis, Seniority, TicketId};
use evenmatch::rules::compile::{CompiledQueue, NumberHow};
use evenmatch::rules::spec::{IndexChoice, QueueSpec};
use evenmatch::shard::{Geometry, Reach, Shard, ShardScratch};
use evenmatch::store::tickets::{TicketValues, Tickets};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;
use std::hint::black_box;
use std::sync::Once;
use std::time::Duration;

const MICROS: i64 = 1_000_000;
const ANCHORS: u32 = 8;
const NOW: Millis = Millis(20_000);

const KINDS: &[(&str, IndexChoice)] = &[
    ("sorted", IndexChoice::Sorted),
    #[cfg(feature = "kdtree")]
    ("kdtree", IndexChoice::KdTree),
    ("linear", IndexChoice::Linear),
];

/// A queue, and the sizes of parties out of ten.
struct Scenario {
    name: &'static str,
    queue: &'static str,
    parties: [u32; 10],
}

const FIVES: &str = r#"{
    "name": "q", "teams": [ { "name": "red", "players": 5 }, { "name": "blue", "players": 5 } ],
    "attributes": { "skill": { "type": "number", "default": 1500, "min": 0, "max": 5000 } },
    "rules": [
        { "name": "skill", "type": "difference", "attribute": "skill", "max": 300 },
        { "name": "ping", "type": "region", "max_ms": 90 },
        { "name": "fair", "type": "team_difference", "attribute": "skill", "max": 100 }
    ],
    "timeout_s": 120
}"#;

const ROLES: &str = r#"{
    "name": "q", "teams": [ { "name": "side", "count": 2, "players": 3 } ],
    "attributes": {
        "skill": { "type": "number", "default": 1500, "min": 0, "max": 5000 },
        "tank": { "type": "integer", "min": 0, "max": 1 },
        "healer": { "type": "integer", "min": 0, "max": 1 }
    },
    "rules": [
        { "name": "skill", "type": "difference", "attribute": "skill", "max": 300 },
        { "name": "tank", "type": "total", "attribute": "tank", "per": "team", "min": 1, "max": 1 },
        { "name": "healer", "type": "total", "attribute": "healer", "per": "team", "min": 1, "max": 1 }
    ],
    "timeout_s": 120
}"#;

const SCENARIOS: &[Scenario] = &[
    Scenario { name: "fives", queue: FIVES, parties: [1; 10] },
    Scenario { name: "parties", queue: FIVES, parties: [1, 1, 1, 1, 1, 1, 2, 2, 3, 5] },
    Scenario { name: "roles", queue: ROLES, parties: [1; 10] },
];

/// One player's values by attribute: a rating drawn from Normal(1500, 350), near its middle for an
/// anchor, and at most one role.
fn player(rng: &mut impl Rng, is_anchor: bool) -> [i64; 3] {
    let sum: f64 = (0..12).map(|_| rng.random::<f64>()).sum();
    let spread = if is_anchor { 50.0 } else { 350.0 };
    let rating = (1500.0 + spread * (sum - 6.0)).clamp(0.0, 3000.0) as i64;
    let role = rng.random_range(0..5);
    [rating * MICROS, i64::from(role == 0) * MICROS, i64::from(role == 1) * MICROS]
}

/// What the engine's door makes of a party of `size` players.
fn values(rng: &mut impl Rng, queue: &CompiledQueue, size: u32, is_anchor: bool) -> TicketValues {
    let players: Vec<[i64; 3]> = (0..size).map(|_| player(rng, is_anchor)).collect();
    let number = |attribute: usize, how| {
        let sum: i64 = players.iter().map(|player| player[attribute]).sum();
        match how {
            NumberHow::Sum => sum,
            NumberHow::Count => i64::from(size),
            // The mean, rounded half up to whole points.
            NumberHow::Merged(_) => {
                (2 * sum + i64::from(size) * MICROS).div_euclid(2 * i64::from(size) * MICROS) * MICROS
            }
        }
    };
    let numbers = queue.numbers.iter().map(|slot| number(slot.attribute, slot.how)).collect();
    let pings = (0..4).map(|region| (region, rng.random_range(20..120) * MICROS));
    let pings = if queue.region_rule.is_some() { pings.collect() } else { Vec::new() };
    TicketValues { size, numbers, pings, ..TicketValues::default() }
}

/// The waiting tickets of a queue, in one shard.
struct Pool {
    queue: CompiledQueue,
    geometry: Geometry,
    tickets: Tickets,
    shard: Shard,
    states: States,
    search: Search,
    scratch: ShardScratch,
    measured: Measured,
}

impl Pool {
    fn new(scenario: &Scenario, spec: &QueueSpec, kind: IndexChoice, size: u32) -> Pool {
        let queue = CompiledQueue::new(QueueSpec { index: kind, ..spec.clone() });
        let geometry = Geometry::new(&queue);
        let mut tickets = Tickets::new(queue.numbers.len(), queue.keys.len(), queue.lists.len());
        let mut shard = Shard::new(&geometry);
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        for at in 0..size {
            let party = scenario.parties[rng.random_range(0..10)];
            let enqueued = Millis(NOW.0 * u64::from(at) / u64::from(size));
            let seniority = Seniority { enqueued, submit_number: u64::from(at) };
            let values = values(&mut rng, &queue, party, at < ANCHORS);
            let row = tickets.insert(TicketId::new(at, 1), seniority, &values);
            assert_eq!(row, at, "rows are given out in order");
            shard.insert(&geometry, &tickets, row);
        }
        let mut states = States::default();
        states.begin(&queue, tickets.row_end(), NOW);
        let (search, scratch, measured) = Default::default();
        Pool { queue, geometry, tickets, shard, states, search, scratch, measured }
    }

    /// Searches the anchor's best match, splits and measures it.
    fn find(&mut self, anchor: u32) -> u64 {
        let ground = Ground {
            queue: &self.queue,
            tickets: &self.tickets,
            up: u64::MAX,
            region_rank: &std::array::from_fn(|region| region as u8),
            now: NOW,
        };
        self.states.ensure(&self.queue, &self.tickets, anchor);
        let mut reach = Reach::default();
        for (dimension, &(rule, _)) in self.queue.dimensions.iter().enumerate() {
            reach.allowed[dimension] = self.states.get(anchor).numbers[self.queue.rules[rule].state];
        }
        let mut candidates =
            self.shard.candidates(&self.geometry, &self.tickets, anchor, &mut reach, &mut self.scratch);
        let bound = self.geometry.bound();
        self.search.run(&ground, &mut self.states, anchor, &mut candidates, bound, true, None);
        if self.search.found.best.is_some() {
            self.search.measure(&ground, &self.states, &mut self.measured);
        }
        self.search.found.steps
    }

    /// Looks at the matches of all anchors; returns the hash of them and, in words, what the searches came to.
    fn verify(&mut self) -> (u64, String) {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let (mut found, mut steps, mut cut_off) = (0, 0, 0);
        for anchor in 0..ANCHORS {
            steps += self.find(anchor);
            cut_off += u32::from(!self.search.found.exhaustive);
            if !self.search.found.best.is_some() {
                assert!(!self.search.found.exhaustive, "a crowded pool has a match for anchor {anchor}");
                continue;
            }
            found += 1;
            let Measured { rows, positions, .. } = &self.measured;
            assert!(rows.iter().all(|&row| row >= anchor) && rows.contains(&anchor));
            assert_eq!(rows.iter().collect::<BTreeSet<_>>().len(), rows.len(), "somebody stands twice");
            let players: u32 = rows.iter().map(|&row| self.tickets.size(row)).sum();
            assert_eq!(players, self.queue.shape.full, "a crowded pool makes full matches");
            for (&row, &position) in rows.iter().zip(positions) {
                for word in [row, position] {
                    hash = (hash ^ u64::from(word)).wrapping_mul(0x0100_0000_01b3);
                }
            }
        }
        (hash, format!("{found} of {ANCHORS} anchors matched, {cut_off} searches cut off, {steps} steps"))
    }
}

fn searches(c: &mut Criterion) {
    for scenario in SCENARIOS {
        let spec = read_queue(scenario.queue).unwrap();
        for size in [100, 1_000] {
            let name = format!("{}/{size}", scenario.name);
            let mut pools: Vec<_> =
                KINDS.iter().map(|&(label, kind)| (label, Pool::new(scenario, &spec, kind, size))).collect();
            let verified = Once::new();
            let mut group = c.benchmark_group(&name);
            for at in 0..pools.len() {
                group.bench_function(BenchmarkId::from_parameter(pools[at].0), |b| {
                    // Here and not before, so that a filter spares the other scenarios.
                    verified.call_once(|| verify(&name, &mut pools));
                    let mut turn = 0;
                    b.iter(|| {
                        turn = (turn + 1) % ANCHORS;
                        black_box(pools[at].1.find(turn))
                    });
                });
            }
            group.finish();
        }
    }
}

fn verify(name: &str, pools: &mut [(&str, Pool)]) {
    let mut first = None;
    for (label, pool) in pools {
        let (hash, words) = pool.verify();
        println!("{name}/{label}: {words}, hash {hash:016x}");
        if *label != "kdtree" {
            assert_eq!(*first.get_or_insert(hash), hash, "{name}: {label} comes to other matches");
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2));
    targets = searches
}
criterion_main!(benches);
