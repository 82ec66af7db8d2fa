//! What a tick of the whole engine costs, through the public API alone: searches, assembly, commits, events.
//!
//! `cargo bench --bench tick`; a filter such as `fives/backlog` runs one scenario, and `-- --test` runs each once
//! (those of 1,000 tickets). A scenario is named by its queue, its traffic and the number of its tickets, and is run with each kind of index:
//!
//! - `duel`: one against one, skill and ping loosen with the wait, four regions;
//! - `fives`: five against five, parties of one to five, skill, ping and even teams, four regions;
//! - `free-for-all`: four to eight single players within a window of skill;
//! - `backlog`: all tickets have come within the last 20 seconds, and one tick takes them all;
//! - `steady`: the tickets come evenly over 40 ticks, two a second, and events are polled after each.
//!
//! Only the ticks are timed, not submits or polls. Before anything is measured every match is looked at (whole
//! teams, nobody twice, enough players matched), a hash of all matches is printed, and kinds of index must agree on
//! it where the search is exact; the fives' is cut off in crowded pools, where the tree, which orders by ping too,
//! may come to another legal match.

use criterion::{BenchmarkId, Criterion, SamplingMode, criterion_group, criterion_main};
use evenmatch::config::read_queue;
use evenmatch::model::event::MatchRecord;
use evenmatch::rules::spec::IndexChoice;
use evenmatch::{Engine, Event, Millis, PlayerId, PlayerRequest, QueueSpec, TicketRequest};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;
use std::sync::Once;
use std::time::{Duration, Instant};

#[cfg(feature = "cli")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const STEADY_TICKS: u64 = 40;
const TICK_MS: u64 = 500;
const BACKLOG_MS: u64 = 20_000;

const KINDS: &[(&str, IndexChoice)] = &[
    ("sorted", IndexChoice::Sorted),
    #[cfg(feature = "kdtree")]
    ("kdtree", IndexChoice::KdTree),
    ("linear", IndexChoice::Linear),
];

/// Round-trip times in milliseconds between the homes of players and the data centres, before the last mile.
const REGIONS: [&str; 4] = ["ap", "eu", "us-east", "us-west"];
const BETWEEN_MS: [[u32; 4]; 4] =
    [[5, 170, 180, 110], [170, 5, 80, 140], [180, 80, 5, 65], [110, 140, 65, 5]];

/// A queue and its traffic.
struct Scenario {
    name: &'static str,
    queue: &'static str,
    /// The sizes of parties out of twenty, and whether they bring latencies.
    parties: [u32; 20],
    has_regions: bool,
    /// Whether every kind of index must come to the same matches.
    is_exact: bool,
    /// Of a hundred players this many are matched at least, in a backlog and in steady traffic.
    matched_least: [usize; 2],
}

const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "duel",
        queue: r#"{
            "name": "q", "teams": [ { "name": "side", "count": 2, "players": 1 } ],
            "attributes": { "skill": { "type": "number", "default": 1500, "min": 0, "max": 5000 } },
            "rules": [
                { "name": "skill", "type": "difference", "attribute": "skill", "max": 50,
                  "expand": { "power": { "factor": 4.5, "exponent": 1.35, "cap": 600 } } },
                { "name": "ping", "type": "region", "max_ms": 35,
                  "expand": { "linear": { "add": 15, "every_s": 4, "cap": 180 } } }
            ],
            "timeout_s": 120
        }"#,
        parties: [1; 20],
        has_regions: true,
        is_exact: true,
        matched_least: [80, 80],
    },
    Scenario {
        name: "fives",
        queue: r#"{
            "name": "q", "teams": [ { "name": "red", "players": 5 }, { "name": "blue", "players": 5 } ],
            "party": { "max": 5 },
            "attributes": { "skill": { "type": "number", "default": 1500, "min": 0, "max": 5000 } },
            "rules": [
                { "name": "skill", "type": "difference", "attribute": "skill", "max": 150,
                  "expand": { "linear": { "add": 50, "every_s": 5, "cap": 600 } } },
                { "name": "ping", "type": "region", "max_ms": 60,
                  "expand": { "linear": { "add": 15, "every_s": 4, "cap": 180 } } },
                { "name": "fair", "type": "team_difference", "attribute": "skill", "max": 100,
                  "expand": { "linear": { "add": 20, "every_s": 5, "cap": 400 } } }
            ],
            "timeout_s": 120
        }"#,
        parties: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4, 5],
        has_regions: true,
        is_exact: false,
        matched_least: [50, 50],
    },
    Scenario {
        name: "free-for-all",
        queue: r#"{
            "name": "q", "players": { "min": 4, "max": 8 },
            "attributes": { "skill": { "type": "number", "default": 1500, "min": 0, "max": 5000 } },
            "rules": [
                { "name": "skill", "type": "difference", "attribute": "skill", "max": 50,
                  "expand": { "linear": { "add": 10, "every_s": 1, "cap": 400 } } }
            ],
            "timeout_s": 120
        }"#,
        parties: [1; 20],
        has_regions: false,
        is_exact: true,
        matched_least: [80, 80],
    },
];

/// How tickets come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Traffic {
    Backlog,
    Steady,
}

const TRAFFICS: [(&str, Traffic); 2] = [("backlog", Traffic::Backlog), ("steady", Traffic::Steady)];

/// A rating drawn from Normal(1500, 350), clamped to 0..3000, whole.
fn rating(rng: &mut impl Rng) -> i32 {
    let sum: f64 = (0..12).map(|_| rng.random::<f64>()).sum();
    (1500.0 + 350.0 * (sum - 6.0)).clamp(0.0, 3000.0) as i32
}

/// The tickets of a scenario in the order in which they come.
fn tickets(scenario: &Scenario, count: usize) -> Vec<TicketRequest> {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let mut player = 0;
    let draw = |_| {
        let size = scenario.parties[rng.random_range(0..20)];
        let mut ticket = TicketRequest::new("q");
        for _ in 0..size {
            player += 1;
            ticket = ticket.player(PlayerRequest::new(PlayerId(player)).number("skill", rating(&mut rng)));
        }
        if scenario.has_regions {
            let home = rng.random_range(0..REGIONS.len());
            let last_mile_ms = rng.random_range(5..35);
            for (region, between_ms) in REGIONS.iter().zip(BETWEEN_MS[home]) {
                ticket = ticket.ping(region, (between_ms + last_mile_ms) as i32);
            }
        }
        ticket
    };
    (0..count).map(draw).collect()
}

/// What a run of a scenario gave.
struct Run {
    ticks: Vec<Duration>,
    matches: Vec<MatchRecord>,
}

impl Run {
    fn total(&self) -> Duration {
        self.ticks.iter().sum()
    }

    fn players(&self) -> usize {
        self.matches.iter().flat_map(|record| &record.teams).map(|team| team.players.len()).sum()
    }

    /// The time of the tick that so many of a hundred do not exceed.
    fn percentile(&self, of_hundred: usize) -> Duration {
        let mut ticks = self.ticks.clone();
        ticks.sort_unstable();
        ticks[(ticks.len() * of_hundred).div_ceil(100) - 1]
    }
}

fn run(spec: &QueueSpec, kind: IndexChoice, traffic: Traffic, tickets: &[TicketRequest]) -> Run {
    let engine = Engine::builder().capacity(2 * tickets.len() as u32).retained(0).build().unwrap();
    engine.add_queue(QueueSpec { index: kind, ..spec.clone() }).unwrap();
    let mut result = Run { ticks: Vec::new(), matches: Vec::new() };
    match traffic {
        Traffic::Backlog => {
            let mut requests = tickets.to_vec();
            for (at, request) in requests.iter_mut().enumerate() {
                request.enqueued = Some(Millis(BACKLOG_MS * at as u64 / tickets.len() as u64));
            }
            step(&engine, Millis(BACKLOG_MS), requests, &mut result);
        }
        Traffic::Steady => {
            for (tick, arrivals) in tickets.chunks(tickets.len().div_ceil(STEADY_TICKS as usize)).enumerate()
            {
                step(&engine, Millis(tick as u64 * TICK_MS), arrivals.to_vec(), &mut result);
            }
        }
    }
    result
}

/// Submits, ticks and polls; only the tick is timed.
fn step(engine: &Engine, now: Millis, requests: Vec<TicketRequest>, result: &mut Run) {
    let answers = engine.submit_batch(now, requests);
    assert!(answers.iter().all(Result::is_ok), "a ticket was refused");
    let start = Instant::now();
    let report = engine.tick(now, 0).unwrap();
    result.ticks.push(start.elapsed());
    let mut events = Vec::new();
    engine.poll(&mut events, usize::MAX);
    assert_eq!(events.len() as u64, report.matches, "nothing but matches is due");
    result.matches.extend(events.into_iter().filter_map(|event| match event {
        Event::Match(record) => Some(*record),
        Event::Ended(_) => None,
    }));
}

/// Folds everything that a host would act on into a hash (FNV-1a).
fn hash(matches: &[MatchRecord]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut fold = |bytes: &[u8]| {
        for &byte in bytes {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for record in matches {
        fold(&record.at.0.to_le_bytes());
        fold(record.region.as_deref().unwrap_or("none").as_bytes());
        fold(&record.quality.cost.0.to_le_bytes());
        for team in &record.teams {
            fold(team.name.as_bytes());
            team.players.iter().for_each(|player| fold(&player.0.to_le_bytes()));
        }
    }
    hash
}

/// Asserts that a run is what its scenario must come to, and prints it.
fn verify(name: &str, scenario: &Scenario, spec: &QueueSpec, traffic: Traffic, tickets: &[TicketRequest]) {
    let players: usize = tickets.iter().map(|ticket| ticket.players.len()).sum();
    let mut first = None;
    for &(label, kind) in KINDS {
        let run = run(spec, kind, traffic, tickets);
        let mut seen = BTreeSet::new();
        for record in &run.matches {
            let sizes: Vec<usize> = record.teams.iter().map(|team| team.players.len()).collect();
            match scenario.name {
                "duel" => assert_eq!(sizes, [1, 1]),
                "fives" => assert_eq!(sizes, [5, 5]),
                _ => assert!((4..=8).contains(&sizes[0]) && sizes.len() == 1),
            }
            let mut everyone = record.teams.iter().flat_map(|team| &team.players);
            assert!(everyone.all(|player| seen.insert(*player)), "{name}: somebody was matched twice");
        }
        let least = scenario.matched_least[traffic as usize] * players / 100;
        assert!(run.players() >= least, "{name}: {} of {players} players are matched", run.players());
        let hash = hash(&run.matches);
        println!(
            "{name}/{label}: {} matches, {} of {players} players, tick p50 {:.2?} p99 {:.2?}, hash {hash:016x}",
            run.matches.len(),
            run.players(),
            run.percentile(50),
            run.percentile(99),
        );
        if scenario.is_exact || kind != IndexChoice::KdTree {
            assert_eq!(*first.get_or_insert(hash), hash, "{name}: {label} comes to other matches");
        }
    }
}

fn ticks(c: &mut Criterion) {
    for scenario in SCENARIOS {
        let spec = read_queue(scenario.queue).unwrap();
        let is_test = std::env::args().any(|argument| argument == "--test");
        for size in [1_000, 10_000].into_iter().filter(|&size| size == 1_000 || !is_test) {
            let tickets = tickets(scenario, size);
            for (traffic_name, traffic) in TRAFFICS {
                let name = format!("{}/{traffic_name}/{size}", scenario.name);
                let verified = Once::new();
                let mut group = c.benchmark_group(&name);
                group.sampling_mode(SamplingMode::Flat);
                for &(label, kind) in KINDS {
                    group.bench_function(BenchmarkId::from_parameter(label), |b| {
                        // Here and not before, so that a filter spares the other scenarios.
                        verified.call_once(|| verify(&name, scenario, &spec, traffic, &tickets));
                        b.iter_custom(|times| {
                            (0..times).map(|_| run(&spec, kind, traffic, &tickets).total()).sum()
                        });
                    });
                }
                group.finish();
            }
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(3));
    targets = ticks
}
criterion_main!(benches);
