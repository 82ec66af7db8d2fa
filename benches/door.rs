//! What a ticket costs at the door: submit, cancel and poll, of tickets that come as requests and of plain ones that a
//! layout describes; a call for each, and 64 at a time.
//!
//! `cargo bench --bench door`; `-- --test` runs each once. Scenario: a duel with one number and four regions, 10,000
//! tickets a tick that all find a partner but for the cancelled twentieth; every figure is of 10,000 tickets (of 500
//! cancels). The tick between is not timed, nor is the making of a host's own data, requests included. Before anything is
//! measured both ways must have made the same matches, whose hash is printed.
#![allow(clippy::unwrap_used, reason = "a bench that cannot be set up stops")]

use criterion::{Criterion, criterion_group, criterion_main};
use evenmatch::base::fixed::Fixed;
use evenmatch::config::read_queue;
use evenmatch::{
    Engine, Event, EventBuffer, FlatEvent, Millis, PlainTicket, PlainValue, PlayerId, PlayerRequest,
    TicketId, TicketLayout, TicketRequest,
};
use std::time::{Duration, Instant};

#[cfg(feature = "cli")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const LOAD: u64 = 10_000;
const REGIONS: [&str; 4] = ["ap", "eu", "us-east", "us-west"];
const QUEUE: &str = r#"{ "name": "duel", "players": 2, "timeout_s": 60, "index": "sorted",
    "regions": ["ap", "eu", "us-east", "us-west"], "attributes": { "skill": { "type": "number" } },
    "rules": [{ "name": "skill", "type": "difference", "attribute": "skill", "max": 1 },
              { "name": "ping", "type": "region", "max_ms": 80 }] }"#;

/// Players two by two close to one another.
fn skill(number: u64) -> Fixed {
    Fixed::from_micros((number / 2 % 100_000) as i64 * 10_000_000 + (number % 2) as i64 * 500_000)
}

fn pings(number: u64) -> [Fixed; 4] {
    [0, 1, 2, 3].map(|region| Fixed::from_int(20 + ((number / 2 + region) % 4) as i64 * 10))
}

fn request(number: u64) -> TicketRequest {
    let player = PlayerRequest::new(PlayerId(u128::from(number) + 1)).number("skill", skill(number));
    let ticket = TicketRequest::new("duel").player(player).user_data(number);
    REGIONS.iter().zip(pings(number)).fold(ticket, |ticket, (region, ms)| ticket.ping(region, ms))
}

/// The times of one tick's tickets.
#[derive(Clone, Copy, Default)]
struct Times {
    submit: Duration,
    cancel: Duration,
    poll: Duration,
}

/// One of them.
type Pick = fn(Times) -> Duration;

/// A way to the engine.
struct Way {
    engine: Engine,
    layout: Option<TicketLayout>,
    batch: u64,
    next: u64,
    now: Millis,
    answers: Vec<Result<TicketId, evenmatch::Refusal>>,
    ids: Vec<TicketId>,
    events: Vec<Event>,
    buffer: EventBuffer,
}

fn mix(hash: u64, value: u64) -> u64 {
    (hash ^ value).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23)
}

impl Way {
    fn new(is_plain: bool, batch: u64) -> Way {
        let engine = Engine::builder().capacity(40_000).retained(1_000).build().unwrap();
        let queue = engine.add_queue(read_queue(QUEUE).unwrap()).unwrap();
        let layout = is_plain.then(|| engine.layout(queue, &["skill"], &REGIONS).unwrap());
        Way {
            engine,
            layout,
            batch,
            next: 0,
            now: Millis(0),
            answers: Vec::new(),
            ids: Vec::new(),
            events: Vec::new(),
            buffer: EventBuffer::default(),
        }
    }

    fn submit(&mut self) -> Duration {
        let (first, now) = (self.next, self.now);
        self.next += self.batch;
        self.answers.clear();
        let numbers = first..first + self.batch;
        let Some(layout) = &self.layout else {
            let mut requests: Vec<TicketRequest> = numbers.map(request).collect();
            let start = Instant::now();
            if self.batch == 1 {
                self.answers.extend(requests.pop().map(|request| self.engine.submit(now, request)));
            } else {
                self.answers = self.engine.submit_batch(now, requests);
            }
            return start.elapsed();
        };
        let own = numbers.map(|number| {
            let pings = pings(number).map(Some);
            ([PlayerId(u128::from(number) + 1)], [PlainValue::Number(skill(number))], pings, number)
        });
        let own: Vec<_> = own.collect();
        let start = Instant::now();
        let tickets = own.iter().map(|(players, values, pings_ms, user_data)| PlainTicket {
            players,
            values,
            pings_ms,
            enqueued: None,
            user_data: *user_data,
        });
        self.engine.submit_plain(now, layout, tickets, &mut self.answers);
        start.elapsed()
    }

    /// The tickets of one tick.
    fn round(&mut self) -> Times {
        let mut times = Times::default();
        self.now = self.now.after(Millis(1));
        self.ids.clear();
        for _ in 0..LOAD.div_ceil(self.batch) {
            times.submit += self.submit();
            self.ids.extend(self.answers.drain(..).map(Result::unwrap));
        }
        let start = Instant::now();
        for &id in self.ids.iter().skip(3).step_by(20) {
            self.engine.cancel(self.now, id).unwrap();
        }
        times.cancel = start.elapsed();
        self.engine.tick(self.now, 0).unwrap();
        self.events.clear();
        self.buffer.clear();
        let start = Instant::now();
        if self.layout.is_some() {
            self.engine.poll_into(&mut self.buffer, usize::MAX);
        } else {
            self.engine.poll(&mut self.events, usize::MAX);
        }
        times.poll = start.elapsed();
        times
    }

    /// The hash of the events of the last round.
    fn hash(&self) -> u64 {
        let whole = self.events.iter().fold(0, |hash, event| match event {
            Event::Ended(ended) => mix(hash, ended.ticket.0),
            Event::Match(found) => found.tickets.iter().fold(hash, |hash, ticket| mix(hash, ticket.id.0)),
        });
        self.buffer.events.iter().fold(whole, |hash, event| match event {
            FlatEvent::Ended(ended) => mix(hash, ended.ticket.0),
            FlatEvent::Match(found) => {
                let tickets = &self.buffer.tickets[found.tickets.clone()];
                tickets.iter().fold(hash, |hash, ticket| mix(hash, ticket.id.0))
            }
        })
    }
}

fn door(criterion: &mut Criterion) {
    let hash = |is_plain: bool, batch| {
        let mut way = Way::new(is_plain, batch);
        (0..3).fold(0, |hash, _| {
            way.round();
            mix(hash, way.hash())
        })
    };
    let hashes = [hash(false, 1), hash(false, 64), hash(true, 1), hash(true, 64)];
    assert!(hashes.iter().all(|hash| *hash != 0), "nothing was matched");
    assert_eq!((hashes[0], hashes[1]), (hashes[2], hashes[3]), "both ways make the same matches");
    println!("3 ticks of {LOAD} tickets, hashes {:016x} {:016x}", hashes[0], hashes[1]);
    let mut group = criterion.benchmark_group("door");
    group.sample_size(10).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
    for (name, is_plain) in [("request", false), ("plain", true)] {
        for batch in [1, 64] {
            let mut way = Way::new(is_plain, batch);
            let picks: [(&str, Pick); 3] = [
                ("submit", |times| times.submit),
                ("cancel", |times| times.cancel),
                ("poll", |times| times.poll),
            ];
            for (part, pick) in picks {
                group.bench_function(format!("{part}/{name}/{batch}"), |bencher| {
                    bencher.iter_custom(|count| (0..count).map(|_| pick(way.round())).sum());
                });
            }
        }
    }
    group.finish();
}

criterion_group!(all, door);
criterion_main!(all);
