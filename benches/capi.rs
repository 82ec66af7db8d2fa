//! What the C ABI costs: a batch of 64 submits and the poll of their matches through it, against the Rust API in the
//! same run; and what one call costs that does next to nothing.
//!
//! `cargo bench --features capi --bench capi`; `-- --test` runs each once. A round is: 64 tickets of one player with a
//! number, a string and pings to four regions are made from plain data and submitted (timed as `submit64`), a tick
//! pairs them (not timed), and their 32 matches are polled (timed as `poll32`). `call` is `next_due` on an idle engine.
//! Before anything is measured both ways must have made the same matches, whose hash is printed.
#![allow(clippy::unwrap_used, reason = "a bench that cannot be set up stops")]
#![allow(unsafe_code, reason = "the C ABI is called")]

use criterion::{Criterion, criterion_group, criterion_main};
use evenmatch::config::read_queue;
use evenmatch::ffi::{engine::*, event::*, queue::*, status::*, submit::*, symbol::*, ticket::*};
use evenmatch::{Engine, Event, Millis, PlayerId, PlayerRequest, TicketRequest};
use std::hint::black_box;
use std::mem::zeroed;
use std::ptr;
use std::time::{Duration, Instant};

#[cfg(feature = "cli")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const BATCH: usize = 64;
const REGIONS: [&str; 4] = ["ap", "eu", "us-east", "us-west"];
const QUEUE: &str = r#"{ "name": "duel", "players": 2, "timeout_s": 60,
    "regions": ["ap", "eu", "us-east", "us-west"],
    "attributes": { "skill": { "type": "number" }, "mode": { "type": "string" } },
    "rules": [{ "name": "skill", "type": "difference", "attribute": "skill", "max": 1 },
              { "name": "mode", "type": "equality", "attribute": "mode" },
              { "name": "ping", "type": "region", "max_ms": 80 }] }"#;

/// What one round brings: players two by two close to one another.
struct Plain {
    player: u64,
    skill: f64,
    mode: usize,
    pings: [f64; 4],
}

const MODES: [&str; 2] = ["koth", "ctf"];

fn plain(round: u64, at: usize) -> Plain {
    let pair = at as u64 / 2;
    let ping = |region: usize| 20.0 + ((pair as usize + region) % 4) as f64 * 10.0;
    Plain {
        player: round * BATCH as u64 + at as u64 + 1,
        skill: 1000.0 + pair as f64 * 10.0 + (at % 2) as f64 * 0.5,
        mode: pair as usize % 2,
        pings: [ping(0), ping(1), ping(2), ping(3)],
    }
}

/// What a way to the engine does in a round. The hash is over tickets, players and regions of the matches.
trait Way {
    fn submit(&mut self, now: u64, batch: &[Plain]);
    fn tick(&mut self, now: u64);
    fn poll(&mut self) -> u64;
}

fn mix(hash: u64, value: u64) -> u64 {
    (hash ^ value).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23)
}

struct Rust {
    engine: Engine,
    events: Vec<Event>,
}

impl Rust {
    fn new() -> Rust {
        let engine = Engine::builder().capacity(10_000).build().unwrap();
        engine.add_queue(read_queue(QUEUE).unwrap()).unwrap();
        Rust { engine, events: Vec::new() }
    }
}

impl Way for Rust {
    fn submit(&mut self, now: u64, batch: &[Plain]) {
        let requests = batch.iter().map(|plain| {
            let player = PlayerRequest::new(PlayerId(plain.player.into()));
            let player = player.number("skill", plain.skill).string("mode", MODES[plain.mode]);
            let ticket = TicketRequest::new("duel").player(player);
            REGIONS.iter().zip(plain.pings).fold(ticket, |ticket, (region, ms)| ticket.ping(region, ms))
        });
        let answers = self.engine.submit_batch(Millis(now), requests.collect());
        assert!(answers.iter().all(Result::is_ok));
    }

    fn tick(&mut self, now: u64) {
        self.engine.tick(Millis(now), 0).unwrap();
    }

    fn poll(&mut self) -> u64 {
        self.events.clear();
        assert_eq!(self.engine.poll(&mut self.events, BATCH), BATCH / 2);
        self.events.iter().fold(0, |hash, event| {
            let Event::Match(found) = event else { unreachable!("only matches") };
            let hash = found.tickets.iter().fold(hash, |hash, ticket| mix(hash, ticket.id.0));
            let players = found.teams.iter().flat_map(|team| &team.players);
            players.fold(mix(hash, found.at.0), |hash, player| mix(hash, player.0 as u64))
        })
    }
}

struct C {
    engine: evenmatch_engine,
    queue: evenmatch_queue,
    skill: evenmatch_symbol,
    mode: evenmatch_symbol,
    modes: [evenmatch_symbol; 2],
    regions: [evenmatch_symbol; 4],
    tickets: Vec<evenmatch_ticket>,
    players: Vec<evenmatch_player>,
    attributes: Vec<evenmatch_attribute>,
    pings: Vec<evenmatch_ping>,
    results: Vec<evenmatch_submitted>,
    events: Vec<evenmatch_event>,
    teams: Vec<evenmatch_team>,
    matched: Vec<evenmatch_matched>,
    ids: Vec<evenmatch_player_id>,
    names: Vec<evenmatch_symbol>,
}

/// A struct of the header as its `_INIT` makes it.
macro_rules! init {
    ($name:ident) => {{
        // SAFETY: the structs of the header are numbers and pointers, for which zeroes are values.
        let mut it: $name = unsafe { zeroed() };
        it.struct_size = size_of::<$name>() as u32;
        it
    }};
}

fn symbol(engine: evenmatch_engine, text: &str) -> evenmatch_symbol {
    let mut found = 0;
    // SAFETY: text and place are ours.
    let status =
        unsafe { evenmatch_symbol_resolve(engine, text.as_ptr().cast(), text.len() as u64, &mut found) };
    assert_eq!(status, EVENMATCH_OK);
    found
}

impl C {
    fn new() -> C {
        let mut config = init!(evenmatch_engine_config);
        config.capacity = 10_000;
        let (mut engine, mut queue, mut count) = (0, 0, 0);
        let mut source = init!(evenmatch_queue_source);
        source.json = QUEUE.as_ptr().cast();
        source.json_bytes = QUEUE.len() as u64;
        // SAFETY: all places are ours.
        unsafe {
            assert_eq!(evenmatch_engine_new(&config, &mut engine), EVENMATCH_OK);
            assert_eq!(evenmatch_queue_add(engine, &mut source, &mut queue, 1, &mut count), EVENMATCH_OK);
        }
        C {
            engine,
            queue,
            skill: symbol(engine, "skill"),
            mode: symbol(engine, "mode"),
            modes: MODES.map(|mode| symbol(engine, mode)),
            regions: REGIONS.map(|region| symbol(engine, region)),
            tickets: vec![init!(evenmatch_ticket); BATCH],
            players: vec![init!(evenmatch_player); BATCH],
            attributes: vec![init!(evenmatch_attribute); 2 * BATCH],
            pings: vec![init!(evenmatch_ping); 4 * BATCH],
            results: vec![init!(evenmatch_submitted); BATCH],
            events: vec![init!(evenmatch_event); BATCH],
            teams: vec![init!(evenmatch_team); BATCH],
            matched: vec![init!(evenmatch_matched); BATCH],
            ids: vec![evenmatch_player_id { hi: 0, lo: 0 }; BATCH],
            names: vec![0; 4 * BATCH],
        }
    }
}

impl Drop for C {
    fn drop(&mut self) {
        assert_eq!(evenmatch_engine_free(self.engine), EVENMATCH_OK);
    }
}

impl Way for C {
    fn submit(&mut self, now: u64, batch: &[Plain]) {
        for (at, plain) in batch.iter().enumerate() {
            let first = at as u32;
            let ticket = &mut self.tickets[at];
            (ticket.queue, ticket.player_first, ticket.player_count) = (self.queue, first, 1);
            (ticket.ping_first, ticket.ping_count) = (4 * first, 4);
            let player = &mut self.players[at];
            player.id.lo = plain.player;
            (player.attribute_first, player.attribute_count) = (2 * first, 2);
            let skill = &mut self.attributes[2 * at];
            (skill.name, skill.kind, skill.number) = (self.skill, EVENMATCH_ATTRIBUTE_NUMBER, plain.skill);
            let mode = &mut self.attributes[2 * at + 1];
            (mode.name, mode.kind, mode.symbol) =
                (self.mode, EVENMATCH_ATTRIBUTE_SYMBOL, self.modes[plain.mode]);
            for region in 0..4 {
                let ping = &mut self.pings[4 * at + region];
                (ping.region, ping.round_trip_ms) = (self.regions[region], plain.pings[region]);
            }
        }
        let mut arrays = init!(evenmatch_batch);
        (arrays.tickets, arrays.ticket_count) = (self.tickets.as_ptr(), BATCH as u64);
        (arrays.players, arrays.player_count) = (self.players.as_ptr(), BATCH as u64);
        (arrays.attributes, arrays.attribute_count) = (self.attributes.as_ptr(), 2 * BATCH as u64);
        (arrays.pings, arrays.ping_count) = (self.pings.as_ptr(), 4 * BATCH as u64);
        let mut accepted = 0;
        let results = self.results.as_mut_ptr();
        // SAFETY: all arrays are ours and as long as is said.
        let status = unsafe {
            let (details, room) = (ptr::null_mut(), BATCH as u64);
            evenmatch_ticket_submit(self.engine, now, &arrays, results, room, details, 0, &mut accepted)
        };
        assert_eq!((status, accepted), (EVENMATCH_OK, BATCH as u64));
    }

    fn tick(&mut self, now: u64) {
        // SAFETY: no report is asked for.
        assert_eq!(unsafe { evenmatch_engine_tick(self.engine, now, 0, ptr::null_mut()) }, EVENMATCH_OK);
    }

    fn poll(&mut self) -> u64 {
        let mut buffers = init!(evenmatch_event_buffers);
        (buffers.events, buffers.event_capacity) = (self.events.as_mut_ptr(), BATCH as u64);
        (buffers.teams, buffers.team_capacity) = (self.teams.as_mut_ptr(), BATCH as u64);
        (buffers.tickets, buffers.ticket_capacity) = (self.matched.as_mut_ptr(), BATCH as u64);
        (buffers.players, buffers.player_capacity) = (self.ids.as_mut_ptr(), BATCH as u64);
        (buffers.regions, buffers.region_capacity) = (self.names.as_mut_ptr(), 4 * BATCH as u64);
        // SAFETY: all arrays are ours and as long as is said.
        assert_eq!(unsafe { evenmatch_event_poll(self.engine, &mut buffers) }, EVENMATCH_OK);
        assert_eq!(buffers.event_count, BATCH as u64 / 2);
        // The engine's index is no part of what Rust calls the same ticket.
        let own = |id: u64| id & !(0x3f << 26);
        self.events[..BATCH / 2].iter().fold(0, |hash, event| {
            let tickets = event.ticket_first as usize..(event.ticket_first + event.ticket_count) as usize;
            let hash = self.matched[tickets].iter().fold(hash, |hash, ticket| mix(hash, own(ticket.id)));
            let players = event.player_first as usize..(event.player_first + event.player_count) as usize;
            self.ids[players].iter().fold(mix(hash, event.at_ms), |hash, player| mix(hash, player.lo))
        })
    }
}

/// So many rounds: the time of all submits, of all polls, and the hash of all matches.
fn rounds(way: &mut impl Way, first: u64, count: u64) -> (Duration, Duration, u64) {
    let (mut submits, mut polls, mut hash) = (Duration::ZERO, Duration::ZERO, 0);
    for round in first..first + count {
        let batch: Vec<Plain> = (0..BATCH).map(|at| plain(round, at)).collect();
        let start = Instant::now();
        way.submit(round, &batch);
        submits += start.elapsed();
        way.tick(round);
        let start = Instant::now();
        let found = way.poll();
        polls += start.elapsed();
        hash = mix(hash, found);
    }
    (submits, polls, hash)
}

fn batches(criterion: &mut Criterion) {
    let [rust, c] = [rounds(&mut Rust::new(), 1, 50).2, rounds(&mut C::new(), 1, 50).2];
    assert_eq!(rust, c, "both ways make the same matches");
    println!("50 rounds of 64 tickets, hash {rust:016x}");
    let (mut rust, mut c) = (Rust::new(), C::new());
    let (mut rust_round, mut c_round) = (1, 1);
    let mut group = criterion.benchmark_group("capi");
    for (name, which) in [("submit64", 0), ("poll32", 1)] {
        let pick = |times: (Duration, Duration, u64)| if which == 0 { times.0 } else { times.1 };
        group.bench_function(format!("{name}/rust"), |bencher| {
            bencher.iter_custom(|count| {
                rust_round += count;
                pick(rounds(&mut rust, rust_round - count, count))
            });
        });
        group.bench_function(format!("{name}/c"), |bencher| {
            bencher.iter_custom(|count| {
                c_round += count;
                pick(rounds(&mut c, c_round - count, count))
            });
        });
    }
    group.bench_function("call/rust", |bencher| bencher.iter(|| black_box(rust.engine.next_due())));
    group.bench_function("call/c", |bencher| {
        bencher.iter(|| {
            let mut due = 0;
            // SAFETY: the place is ours.
            let status = unsafe { evenmatch_engine_next_due(c.engine, &mut due) };
            black_box((status, due))
        });
    });
    group.finish();
}

criterion_group! {
    name = all;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2));
    targets = batches
}
criterion_main!(all);
