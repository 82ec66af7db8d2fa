//! What a second thread brings to the matching pass of a dense 1v1 flow over eight regions, and what rounds of other
//! sizes would bring.
//!
//! `cargo bench --bench rounds`; `-- --test` runs everything once and small; `-- --tickets 4000 --times 100` says how
//! much: on a busy machine only short passes are ever undisturbed. `--only apart --ways 2` runs one scenario, the passes of
//! one and two threads as pays off alone. Scenarios by what tickets share:
//!
//! - `apart`: each ticket reaches its home region alone, so the regions are independent;
//! - `few`: one in ten reaches the next region too;
//! - `many`: each reaches four regions in a row.
//!
//! One tick takes all tickets, which came within the last 20 seconds; the time is that of the pass alone, without
//! taking tickets in, and `tick` that of the whole tick through the public API. One and two threads take turns within
//! one run, since the machine's own speed drifts, and the ratio is that of their least times: of passes as they pay off,
//! and of passes that search the index for each anchor, which rounds are made of. Every run's matches are hashed: they must
//! be equal for any number of threads and any rounds.
#![allow(clippy::unwrap_used, reason = "a bench that cannot be set up stops")]

use evenmatch::base::board::Board;
use evenmatch::base::crew::Crew;
use evenmatch::claim::commit::Claims;
use evenmatch::config::read_queue;
use evenmatch::model::ids::{QueueId, Seniority};
use evenmatch::queue::matcher::{Input, Matcher};
use evenmatch::queue::regions::RegionOrder;
use evenmatch::queue::running::Arrival;
use evenmatch::rules::compile::CompiledQueue;
use evenmatch::store::tickets::TicketValues;
use evenmatch::{Engine, Millis, PlayerId, PlayerRequest, TicketRequest};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

#[cfg(feature = "cli")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const REGIONS: u8 = 8;
const NAMES: [&str; REGIONS as usize] = ["af", "ap", "au", "cn", "eu", "sa", "us-east", "us-west"];
const NOW: Millis = Millis(20_000);
const MICROS: i64 = 1_000_000;

const DUEL: &str = r#"{
    "name": "q", "teams": [ { "name": "side", "count": 2, "players": 1 } ],
    "attributes": { "skill": { "type": "number", "default": 1500, "min": 0, "max": 5000 } },
    "rules": [
        { "name": "skill", "type": "difference", "attribute": "skill", "max": 50,
          "expand": { "power": { "factor": 4.5, "exponent": 1.35, "cap": 600 } } },
        { "name": "ping", "type": "region", "max_ms": 60 }
    ],
    "timeout_s": 120
}"#;

/// One player: his rating, and his ping to each region that he reaches.
struct Single {
    skill: i64,
    pings: Vec<(u8, i64)>,
}

fn singles(scenario: &str, count: usize) -> Vec<Single> {
    let mut random = ChaCha8Rng::seed_from_u64(17);
    let single = |_| {
        let sum: f64 = (0..12).map(|_| random.random::<f64>()).sum();
        let skill = (1500.0 + 350.0 * (sum - 6.0)).clamp(0.0, 3000.0) as i64;
        let home: u8 = random.random_range(0..REGIONS);
        let reached = match scenario {
            "apart" => 1,
            "few" => 1 + u8::from(random.random_range(0..10) == 0),
            _ => 4,
        };
        let last_mile: i64 = random.random_range(5..30);
        let region = |step: u8| ((home + step) % REGIONS, last_mile + 8 * i64::from(step));
        let mut pings: Vec<(u8, i64)> = (0..reached).map(region).collect();
        pings.sort_unstable();
        Single { skill, pings }
    };
    (0..count).map(single).collect()
}

/// The matching of all tickets in one pass: how long, its hash, and the share of searches ahead that were of use.
fn pass(
    queue: &Arc<CompiledQueue>,
    singles: &[Single],
    threads: usize,
    rounds: Option<usize>,
) -> (Duration, u64, f64) {
    let claims = Claims::new(singles.len() as u32);
    let mut board = Board::new();
    let _crew = Crew::start(threads - 1, &mut board).unwrap();
    let mut matcher = Matcher::new(6_000);
    if let Some(anchors) = rounds {
        matcher.fix_rounds(anchors);
        matcher.search_each();
    }
    let id = QueueId(1);
    matcher.take_in(Input::AddQueue(id, Arc::clone(queue)), NOW, &claims);
    let rank = std::array::from_fn(|region| region as u8);
    let order = RegionOrder { rank, ..RegionOrder::default() };
    matcher.take_in(Input::Regions(id, Arc::new(order), u64::MAX), NOW, &claims);
    for (at, single) in singles.iter().enumerate() {
        let ticket = claims.allocate().unwrap();
        assert!(claims.publish(ticket));
        let enqueued = Millis(NOW.0 * at as u64 / singles.len() as u64);
        let values = TicketValues {
            size: 1,
            numbers: vec![single.skill * MICROS],
            pings: single.pings.iter().map(|&(region, ping)| (region, ping * MICROS)).collect(),
            ..TicketValues::default()
        };
        let seniority = Seniority { enqueued, submit_number: at as u64 };
        let arrival = Arrival { id: ticket, seniority, deadline: None, values: &values };
        matcher.take_in(Input::Arrive(id, arrival), NOW, &claims);
    }
    let start = Instant::now();
    matcher.tick(NOW, 0, &claims, &mut board.jobs());
    let took = start.elapsed();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut fold = |word: u64| hash = (hash ^ word).wrapping_mul(0x0100_0000_01b3);
    for placement in &matcher.outcome.placements {
        fold(u64::from(placement.id.slot()));
        fold(u64::from(placement.position));
    }
    assert!(matcher.outcome.matches.len() * 10 >= singles.len() * 4, "most of a dense flow is matched");
    let (searched, used) = matcher.ahead();
    (took, hash, used as f64 / searched.max(1) as f64)
}

/// A whole tick through the public API, which also takes all tickets in and hands all matches over.
fn tick(singles: &[Single], threads: usize) -> Duration {
    let engine = Engine::builder().capacity(singles.len() as u32).threads(threads).build().unwrap();
    engine.add_queue(read_queue(DUEL).unwrap()).unwrap();
    let requests = singles.iter().enumerate().map(|(at, single)| {
        let player = PlayerRequest::new(PlayerId(at as u128)).number("skill", single.skill as i32);
        let mut ticket = TicketRequest::new("q").player(player);
        for &(region, ping) in &single.pings {
            ticket = ticket.ping(NAMES[region as usize], ping as i32);
        }
        ticket.enqueued = Some(Millis(NOW.0 * at as u64 / singles.len() as u64));
        ticket
    });
    assert!(engine.submit_batch(NOW, requests.collect()).iter().all(Result::is_ok));
    let start = Instant::now();
    engine.tick(NOW, 0).unwrap();
    start.elapsed()
}

/// How long a word takes from one thread to another and back: the floor of a round's cost.
fn round_trip() -> Duration {
    const TRIPS: u64 = 20_000;
    let word = AtomicU64::new(0);
    let mut least = Duration::MAX;
    std::thread::scope(|scope| {
        let word = &word;
        scope.spawn(move || {
            for trip in 0..10 * TRIPS {
                while word.load(Ordering::Acquire) != 2 * trip + 1 {
                    std::hint::spin_loop();
                }
                word.store(2 * trip + 2, Ordering::Release);
            }
        });
        for batch in 0..10 {
            let start = Instant::now();
            for trip in batch * TRIPS..(batch + 1) * TRIPS {
                word.store(2 * trip + 1, Ordering::Release);
                while word.load(Ordering::Acquire) != 2 * trip + 2 {
                    std::hint::spin_loop();
                }
            }
            least = least.min(start.elapsed() / TRIPS as u32);
        }
    });
    least
}

/// The least and the middle of some times.
fn least_and_middle(mut times: Vec<Duration>) -> (Duration, Duration) {
    times.sort_unstable();
    (times[0], times[times.len() / 2])
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let is_test = arguments.iter().any(|argument| argument == "--test");
    let number = |name: &str, default: usize| {
        let at = arguments.iter().position(|argument| argument == name);
        at.map_or(default, |at| arguments[at + 1].parse().unwrap())
    };
    let (count, times) =
        if is_test { (2_000, 1) } else { (number("--tickets", 20_000), number("--times", 15)) };
    let only =
        arguments.iter().position(|argument| argument == "--only").map(|at| arguments[at + 1].as_str());
    let ways_max = number("--ways", usize::MAX);
    if !is_test && only.is_none() {
        println!("core to core and back: {:.0?}", round_trip());
    }
    let queue = Arc::new(CompiledQueue::new(read_queue(DUEL).unwrap()));
    for scenario in ["apart", "few", "many"].into_iter().filter(|&name| only.is_none_or(|only| only == name))
    {
        let singles = singles(scenario, count);
        // As pays off, alone and with a second thread; then with a search for each anchor, alone and in rounds of fixed
        // sizes.
        let ways: Vec<(usize, Option<usize>)> = [(1, None), (2, None), (1, Some(1))]
            .into_iter()
            .chain([8, 16, 32, 64, 128, 256].map(|n| (2, Some(n))))
            .take(ways_max)
            .collect();
        let mut runs = vec![Vec::new(); ways.len()];
        let mut used = vec![0.0; ways.len()];
        let mut hashes = Vec::new();
        let mut ticks = [Vec::new(), Vec::new()];
        for _ in 0..times {
            for (at, &(threads, rounds)) in ways.iter().enumerate() {
                let (took, hash, share) = pass(&queue, &singles, threads, rounds);
                runs[at].push(took);
                used[at] = share;
                hashes.push(hash);
            }
            if ways_max > 2 {
                ticks[0].push(tick(&singles, 1));
                ticks[1].push(tick(&singles, 2));
            }
        }
        assert!(hashes.iter().all(|&hash| hash == hashes[0]), "{scenario}: other matches with more threads");
        println!("{scenario}/{count}: hash {:016x}", hashes[0]);
        for (at, &(threads, rounds)) in ways.iter().enumerate() {
            let alone = least_and_middle(runs[if rounds.is_none() { 0 } else { 2 }].clone());
            let (least, middle) = least_and_middle(runs[at].clone());
            let rounds = rounds.map_or("as pays off".to_owned(), |anchors| format!("{anchors}"));
            println!(
                "  pass, {threads} threads, rounds {rounds:>11}: least {least:>8.2?} ({:.2}x)  \
                 middle {middle:>8.2?} ({:.2}x)  of use {:>3.0} %",
                alone.0.as_secs_f64() / least.as_secs_f64(),
                alone.1.as_secs_f64() / middle.as_secs_f64(),
                100.0 * used[at],
            );
        }
        if ticks[0].is_empty() {
            continue;
        }
        let [alone, two] = ticks.map(least_and_middle);
        println!(
            "  tick, 1 thread {:.2?}, 2 threads {:.2?} ({:.2}x)",
            alone.0,
            two.0,
            alone.0.as_secs_f64() / two.0.as_secs_f64()
        );
    }
}
