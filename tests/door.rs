//! One door, three ways in: tickets that are kept as whole requests (an engine that records does so), the same ones kept
//! plain, and the same ones submitted without names. All answers, events and states must be the same.
#![allow(clippy::unwrap_used)] // All of this is a test.

use evenmatch::base::fixed::{Decimal, Fixed};
use evenmatch::config::read_queue;
use evenmatch::engine::TicketLayout;
use evenmatch::model::buffer::{EventBuffer, FlatEvent};
use evenmatch::model::codes::Code;
use evenmatch::model::plain::{PlainTicket, PlainValue, TextId};
use evenmatch::model::request::TicketUpdate;
use evenmatch::{Engine, Event, MatchId, Millis, PlayerId, PlayerRequest, Refusal, TicketId, TicketRequest};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const QUEUE: &str = r#"{ "name": "q", "timeout_s": 20,
    "teams": [ { "name": "side", "count": { "min": 2, "max": 3 }, "players": { "min": 1, "max": 2 } } ],
    "attributes": { "skill": { "type": "number", "default": 1500, "min": 0, "max": 5000, "decimals": 1 },
                    "mode": { "type": "string", "default": "any" },
                    "map": { "type": "string" },
                    "tank": { "type": "integer", "min": 0 } },
    "rules": [{ "name": "skill", "type": "difference", "attribute": "skill", "max": 100,
                "expand": { "linear": { "add": 50, "every_s": 1 } } },
              { "name": "mode", "type": "equality", "attribute": "mode" },
              { "name": "map", "type": "equality", "attribute": "map", "missing": "any" },
              { "name": "tank", "type": "total", "attribute": "tank", "max": 3 },
              { "name": "ping", "type": "region", "max_ms": 60,
                "expand": { "linear": { "add": 20, "every_s": 2, "cap": 200 } } }] }"#;
const ATTRIBUTES: [&str; 4] = ["tank", "skill", "map", "mode"];
const REGIONS: [&str; 5] = ["us", "eu", "ap", "sa", "af"];
const TEXTS: [&str; 3] = ["koth", "ctf", "any"];

/// A ticket that is drawn, in no form yet.
struct Drawn {
    players: Vec<PlayerId>,
    values: Vec<PlainValue>,
    pings: Vec<Option<Fixed>>,
    enqueued: Option<Millis>,
    user_data: u64,
}

fn micros(micros: i64) -> Fixed {
    Fixed::from_micros(micros)
}

/// One of many kinds of tickets; some are refused.
fn draw(rng: &mut ChaCha8Rng, number: u64, now: u64) -> Drawn {
    let size = if rng.random_ratio(1, 3) { rng.random_range(0..4) } else { 1 };
    let players: Vec<PlayerId> =
        (0..size).map(|_| PlayerId(rng.random_range(0..400_u128) << 60 | 5)).collect();
    let mut values = Vec::new();
    for _ in &players {
        let skill = rng.random_range(1_000_000_000..2_000_000_000);
        let mut own = [
            PlainValue::Number(Fixed::from_int(rng.random_range(0..3))),
            PlainValue::Nothing,
            PlainValue::Text(TextId(1)),
            PlainValue::Text(TextId(rng.random_range(1..4))),
        ];
        own[1] = PlainValue::Number(micros(skill - skill % [1, 100_000, 1_000_000][rng.random_range(0..3)]));
        for value in &mut own {
            if rng.random_ratio(1, 4) {
                *value = PlainValue::Nothing;
            }
        }
        if rng.random_ratio(1, 40) {
            let place = rng.random_range(0..4);
            own[place] = [
                PlainValue::Number(micros(-1)),
                PlainValue::Number(micros(1_500_000)),
                PlainValue::Text(TextId(1)),
                PlainValue::Number(Fixed::from_int(9_000)),
            ][rng.random_range(0..4)];
        }
        values.extend(own);
    }
    let ping = |rng: &mut ChaCha8Rng| {
        let ping = rng.random_range(10_000_000..150_000_000);
        let ping = if rng.random_ratio(1, 30) {
            [-1, 5_000_000_000, 900_000_000][rng.random_range(0..3)]
        } else {
            ping
        };
        (!rng.random_ratio(1, 4)).then(|| micros(ping))
    };
    let pings = REGIONS.iter().map(|_| ping(rng)).collect();
    let enqueued = rng.random_ratio(1, 10).then(|| Millis(rng.random_range(0..=now + 10)));
    Drawn { players, values, pings, enqueued, user_data: number }
}

/// The same as a request.
fn request(drawn: &Drawn) -> TicketRequest {
    let mut request = TicketRequest::new("q").user_data(drawn.user_data);
    request.enqueued = drawn.enqueued;
    for (&id, values) in drawn.players.iter().zip(drawn.values.chunks(ATTRIBUTES.len())) {
        let mut player = PlayerRequest::new(id);
        for (name, value) in ATTRIBUTES.iter().zip(values) {
            player = match value {
                PlainValue::Nothing => player,
                PlainValue::Number(number) => player.number(name, *number),
                PlainValue::Text(text) => player.string(name, TEXTS[text.0 as usize - 1]),
            };
        }
        request = request.player(player);
    }
    for (name, ping) in REGIONS.iter().zip(&drawn.pings) {
        if let Some(ping) = ping {
            request = request.ping(name, *ping);
        }
    }
    request
}

/// The events of a buffer as those that `poll` gives; the teams' lists are put together again.
fn whole(buffer: &EventBuffer) -> Vec<Event> {
    use evenmatch::model::event::{MatchRecord, MatchedTicket, TeamRecord};
    let event = |event: &FlatEvent| match event {
        FlatEvent::Ended(ended) => Event::Ended(ended.clone()),
        FlatEvent::Match(found) => {
            let regions = buffer.regions[found.regions.clone()].to_vec();
            let tickets = &buffer.tickets[found.tickets.clone()];
            let teams = buffer.teams[found.teams.clone()].iter().enumerate().map(|(at, team)| {
                let own = || tickets.iter().filter(|ticket| ticket.team as usize == at);
                let players = own().flat_map(|ticket| buffer.players[ticket.players.clone()].to_vec());
                let players: Vec<PlayerId> = players.collect();
                assert_eq!((team.tickets as usize, team.players as usize), (own().count(), players.len()));
                TeamRecord {
                    name: team.name.clone(),
                    tickets: own().map(|ticket| ticket.id).collect(),
                    players,
                }
            });
            let matched = tickets.iter().map(|ticket| MatchedTicket {
                id: ticket.id,
                user_data: ticket.user_data,
                team: ticket.team,
                ping_ms: ticket.ping_ms,
                wait: ticket.wait,
                attempts: ticket.attempts,
                update_lost: ticket.update_lost,
            });
            Event::Match(Box::new(MatchRecord {
                at: found.at,
                id: found.id,
                queue: found.queue,
                region: regions.first().cloned(),
                regions,
                teams: teams.collect(),
                tickets: matched.collect(),
                quality: found.quality,
                attempts: found.attempts,
                echo: found.echo.clone(),
                kept: Vec::new(),
            }))
        }
    };
    buffer.events.iter().map(event).collect()
}

/// The three engines.
struct Doors {
    whole: Engine,
    plain: Engine,
    bare: Engine,
    layout: TicketLayout,
}

impl Doors {
    fn new(regions: &str) -> Doors {
        let build = |record| {
            let builder = Engine::builder().capacity(60).retained(30).check_matches(true);
            let engine = builder.record(record).build().unwrap();
            let text = QUEUE.replacen("{", &format!("{{ {regions}"), 1);
            (engine.add_queue(read_queue(&text).unwrap()).unwrap(), engine)
        };
        let ((_, whole), (_, plain), (queue, bare)) = (build(true), build(false), build(false));
        for (text, number) in TEXTS.iter().zip(1..) {
            assert_eq!(bare.text(text).unwrap(), TextId(number));
        }
        let layout = bare.layout(queue, &ATTRIBUTES, &REGIONS).unwrap();
        Doors { whole, plain, bare, layout }
    }

    fn submit(&self, now: u64, drawn: &[Drawn]) -> Vec<Result<TicketId, Refusal>> {
        let requests = || drawn.iter().map(request).collect();
        let whole = self.whole.submit_batch(Millis(now), requests());
        let plain = self.plain.submit_batch(Millis(now), requests());
        let mut bare = Vec::new();
        let tickets = drawn.iter().map(|drawn| PlainTicket {
            players: &drawn.players,
            values: &drawn.values,
            pings_ms: &drawn.pings,
            enqueued: drawn.enqueued,
            user_data: drawn.user_data,
        });
        self.bare.submit_plain(Millis(now), &self.layout, tickets, &mut bare);
        assert_eq!(whole, plain);
        assert_eq!(whole, bare);
        whole
    }

    /// The answer that all give to a call.
    fn all<T: PartialEq + std::fmt::Debug>(&self, call: impl Fn(&Engine) -> T) -> T {
        let answer = call(&self.whole);
        assert_eq!(answer, call(&self.plain));
        assert_eq!(answer, call(&self.bare));
        answer
    }

    fn poll(&self, max: usize) -> Vec<Event> {
        let poll = |engine: &Engine| {
            let mut events = Vec::new();
            engine.poll(&mut events, max);
            events
        };
        let events = poll(&self.whole);
        assert_eq!(events, poll(&self.plain));
        let mut buffer = EventBuffer::default();
        assert_eq!(self.bare.poll_into(&mut buffer, max), events.len());
        assert_eq!(events, whole(&buffer));
        events
    }
}

/// An evening of drawn calls, with fewer than so many tickets a call; returns how many tickets were accepted, refused, and
/// matched.
fn evening(seed: u64, regions: &str, batch_end: usize) -> [usize; 3] {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let doors = Doors::new(regions);
    let (mut now, mut number, mut counts) = (0, 0, [0; 3]);
    let mut known: Vec<TicketId> = Vec::new();
    let mut matches: Vec<(MatchId, Vec<TicketId>)> = Vec::new();
    for _ in 0..120 {
        now += rng.random_range(0..1_500);
        let batch = (0..rng.random_range(0..batch_end)).map(|_| {
            number += 1;
            draw(&mut rng, number, now)
        });
        let batch: Vec<Drawn> = batch.collect();
        for answer in doors.submit(now, &batch) {
            counts[usize::from(answer.is_err())] += 1;
            known.extend(answer);
        }
        let pick = |known: &[TicketId], rng: &mut ChaCha8Rng| {
            (!known.is_empty()).then(|| known[rng.random_range(0..known.len())])
        };
        if let Some(id) = pick(&known, &mut rng).filter(|_| rng.random_ratio(1, 4)) {
            let _ = doors.all(|engine| engine.cancel(Millis(now), id));
        }
        if let Some(id) = pick(&known, &mut rng).filter(|_| rng.random_ratio(1, 3)) {
            let update = match rng.random_range(0..3) {
                0 => TicketUpdate {
                    latency: Some(vec![("eu".into(), Decimal::from_int(rng.random_range(10..90)))]),
                    ..TicketUpdate::default()
                },
                1 => TicketUpdate { timeout: Some(Some(Millis(5_000))), ..TicketUpdate::default() },
                _ => {
                    TicketUpdate { regions: Some(Some(vec!["us".into(), "ap".into()])), ..Default::default() }
                }
            };
            let _ = doors.all(|engine| engine.update(Millis(now), id, update.clone()));
        }
        if let Some(id) = pick(&known, &mut rng).filter(|_| rng.random_ratio(1, 3)) {
            let _ = doors.all(|engine| engine.ticket(id));
        }
        if rng.random_ratio(1, 5) {
            let player = PlayerId(rng.random_range(0..400_u128) << 60 | 5);
            doors.all(|engine| engine.ticket_of(player));
            let _ = doors.all(|engine| engine.leave(Millis(now), player));
        }
        if rng.random_ratio(1, 2) {
            doors.all(|engine| engine.tick(Millis(now), 0)).unwrap();
            doors.all(Engine::next_due);
        }
        if let Some((of, tickets)) = matches.pop() {
            let answers = doors.all(|engine| engine.requeue(Millis(now), of, &tickets));
            known.extend(answers.into_iter().flatten().flatten());
        }
        if let Some(id) = pick(&known, &mut rng).filter(|_| rng.random_ratio(1, 8)) {
            let _ = doors.all(|engine| engine.explain(id));
        }
        for event in doors.poll(rng.random_range(0..6)) {
            let Event::Match(record) = event else { continue };
            counts[2] += record.tickets.len();
            if rng.random_ratio(1, 4) {
                matches.push((record.id, record.tickets.iter().map(|ticket| ticket.id).collect()));
            }
        }
        let mut stats = [&doors.whole, &doors.plain, &doors.bare].map(Engine::stats);
        // Regions of a layout are known from the beginning on.
        for queue in stats.iter_mut().flat_map(|stats| &mut stats.queues) {
            queue.regions.retain(|&(_, tickets, _)| tickets > 0);
            queue.by_region.retain(|region| region.tickets > 0);
        }
        assert_eq!(stats[0], stats[1]);
        assert_eq!(stats[0], stats[2]);
    }
    doors.all(|engine| engine.close(Millis(now))).unwrap();
    doors.poll(1000);
    counts
}

#[test]
fn three_ways_in_are_one() {
    let mut sums = [0; 3];
    for seed in 0..40 {
        println!("seed {seed}: repeat with `evening({seed}, ..)`");
        let regions = if seed % 2 == 0 { "" } else { r#""regions": ["eu", "us", "af", "ap", "sa"],"# };
        let counts = evening(seed, regions, 5);
        sums = [0, 1, 2].map(|at| sums[at] + counts[at]);
    }
    assert!(sums.iter().all(|&sum| sum > 500), "accepted, refused, matched: {sums:?}");
}

/// Batches for which what they need is taken ahead, in an engine that is full before they are in: those who fit come in,
/// in order, with the ids that they would have had one by one.
#[test]
fn three_ways_in_are_one_where_batches_do_not_fit() {
    let mut sums = [0; 3];
    for seed in 100..108 {
        println!("seed {seed}: repeat with `evening({seed}, \"\", 150)`");
        let counts = evening(seed, "", 150);
        sums = [0, 1, 2].map(|at| sums[at] + counts[at]);
    }
    assert!(sums.iter().all(|&sum| sum > 500), "accepted, refused, matched: {sums:?}");
}

#[test]
fn a_layout_says_what_it_cannot_be() {
    let engine = Engine::builder().capacity(10).build().unwrap();
    let queue = engine.add_queue(read_queue(QUEUE).unwrap()).unwrap();
    let code = |attributes: &[&str], regions: &[&str]| {
        engine.layout(queue, attributes, regions).err().map(|refusal| refusal.code)
    };
    assert_eq!(code(&["skill", "mmr"], &[]), Some(Code::UnknownAttribute));
    assert_eq!(code(&["skill", "skill"], &[]), Some(Code::DuplicateName));
    assert_eq!(code(&[], &["eu", "eu"]), Some(Code::DuplicateName));
    assert_eq!(code(&[], &["x"; 65]), Some(Code::TooManyRegions));
    assert_eq!(code(&[], &[&"x".repeat(300)]), Some(Code::TooManyBytes));
    assert_eq!(code(&ATTRIBUTES, &REGIONS), None);
    let other = Engine::builder().capacity(10).build().unwrap();
    other.add_queue(read_queue(QUEUE).unwrap()).unwrap();
    let layout = engine.layout(queue, &["skill"], &["eu"]).unwrap();
    assert_eq!((layout.queue(), layout.attribute_count(), layout.region_count()), (queue, 1, 1));
    let submit = |engine: &Engine, values: &[PlainValue], pings_ms: &[Option<Fixed>]| {
        let mut answers = Vec::new();
        let ticket = PlainTicket { players: &[PlayerId(1)], values, pings_ms, ..PlainTicket::default() };
        engine.submit_plain(Millis(0), &layout, [ticket], &mut answers);
        answers.pop().unwrap().map_err(|refusal| refusal.code)
    };
    let (skill, ping) = ([PlainValue::Number(Fixed::ONE)], [Some(Fixed::ONE)]);
    assert_eq!(submit(&other, &skill, &ping), Err(Code::UnknownQueue));
    assert_eq!(submit(&engine, &[], &ping), Err(Code::WrongType));
    assert_eq!(submit(&engine, &skill, &[]), Err(Code::WrongType));
    assert_eq!(submit(&engine, &[PlainValue::Text(TextId(3))], &ping), Err(Code::OutOfRange));
    assert_eq!(submit(&engine, &skill, &[None]), Err(Code::MissingLatency));
    assert!(submit(&engine, &skill, &ping).is_ok());
    assert_eq!(submit(&engine, &skill, &ping), Err(Code::PlayerAlreadyQueued));
    engine.suspend_queue(Millis(0), queue).unwrap();
    assert_eq!(submit(&engine, &skill, &ping), Err(Code::QueueSuspended));
    engine.remove_queue(Millis(0), queue).unwrap();
    assert_eq!(submit(&engine, &skill, &ping), Err(Code::UnknownQueue));
    assert!(engine.layout(queue, &[], &[]).is_err());
}

#[test]
fn a_ticket_that_is_too_long_to_be_plain_comes_in_all_the_same() {
    let queue = r#"{ "name": "q", "players": { "min": 2, "max": 100 },
        "attributes": { "skill": { "type": "number" } }, "rules": [] }"#;
    let engine = Engine::builder().capacity(10).check_matches(true).build().unwrap();
    let queue = engine.add_queue(read_queue(queue).unwrap()).unwrap();
    let layout = engine.layout(queue, &["skill"], &[]).unwrap();
    let players: Vec<PlayerId> = (1..=64).map(PlayerId).collect();
    let values = vec![PlainValue::Number(Fixed::ONE); 64];
    let mut answers = Vec::new();
    let ticket = |from: usize, to: usize| PlainTicket {
        players: &players[from..to],
        values: &values[from..to],
        ..PlainTicket::default()
    };
    engine.submit_plain(Millis(0), &layout, [ticket(0, 2), ticket(2, 63), ticket(63, 64)], &mut answers);
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    engine.tick(Millis(0), 0).unwrap();
    let mut events = EventBuffer::default();
    assert_eq!(engine.poll_into(&mut events, 10), 1);
    assert_eq!(events.players, players);
    let ids: Vec<TicketId> = events.tickets.iter().map(|ticket| ticket.id).collect();
    assert_eq!(ids, answers.into_iter().map(Result::unwrap).collect::<Vec<_>>());
    events.clear();
    assert_eq!((engine.poll_into(&mut events, 10), &events), (0, &EventBuffer::default()));
}

/// The tickets that were taken in before the host's own iterator panics wait, and can be ended.
#[test]
fn a_batch_whose_iterator_panics_leaves_nobody_in_between() {
    let engine = Engine::builder().capacity(10_000).check_matches(true).build().unwrap();
    let queue = engine.add_queue(read_queue(r#"{ "name": "q", "players": 2 }"#).unwrap()).unwrap();
    let layout = engine.layout(queue, &[], &[]).unwrap();
    let players: Vec<PlayerId> = (1..=200).map(PlayerId).collect();
    let mut answers = Vec::new();
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let tickets = players.chunks(1).enumerate().map(|(at, players)| {
            assert!(at < 150, "on purpose");
            PlainTicket { players, ..PlainTicket::default() }
        });
        engine.submit_plain(Millis(0), &layout, tickets, &mut answers);
    }));
    assert!(outcome.is_err());
    let came: Vec<TicketId> = answers.into_iter().map(Result::unwrap).collect();
    assert!(!came.is_empty() && came.len() <= 150);
    engine.cancel(Millis(0), came[0]).unwrap();
    engine.tick(Millis(0), 0).unwrap();
    let stats = engine.stats();
    let left = came.len() as u64 - 1;
    assert_eq!((stats.matched, stats.ended), (left - left % 2, 1));
    assert!(
        engine.submit(Millis(1), TicketRequest::new("q").player(PlayerRequest::new(PlayerId(150)))).is_ok()
    );
}
