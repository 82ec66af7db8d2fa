//! PF-08 at the door: what a ticket takes, from its submit to the poll of its event, counted by the allocator. No bytes
//! are measured by a clock, so the figures are the same on every machine of one word size.
#![allow(clippy::unwrap_used)] // All of this is a test.

#[path = "allocator/counting.rs"]
mod allocator;

use evenmatch::base::fixed::Fixed;
use evenmatch::config::read_queue;
use evenmatch::{
    Engine, EventBuffer, FlatEvent, Millis, PlainTicket, PlainValue, PlayerId, PlayerRequest, TicketId,
    TicketLayout, TicketRequest,
};

/// A duel of four regions, as ping windows of play have it.
fn duel(max: &str, timeout_s: u32, mode: &str, mode_rule: &str) -> String {
    let expand = r#""expand": { "linear": { "add": 15, "every_s": 4, "cap": 180 } }"#;
    format!(
        r#"{{ "name": "duel", "players": 2, "timeout_s": {timeout_s}, "index": "sorted",
        "attributes": {{ "skill": {{ "type": "number" }}{mode} }},
        "rules": [{{ "name": "skill", "type": "difference", "attribute": "skill", "max": {max} }},{mode_rule}
                  {{ "name": "ping", "type": "region", "max_ms": 35, {expand} }}] }}"#
    )
}

/// Everybody waits: no two skills are as close as that.
fn lonely() -> String {
    duel("0.5", 600, "", "")
}

/// Two by two they are close to one another, in one mode or the other.
fn lively() -> String {
    let mode = r#", "mode": { "type": "string", "default": "koth" }"#;
    duel("1", 5, mode, r#"{ "name": "mode", "type": "equality", "attribute": "mode" },"#)
}

const REGIONS: [&str; 4] = ["eu", "us-east", "us-west", "ap"];

/// What a host has of its tickets: arrays that it uses again.
struct Host {
    engine: Engine,
    layout: TicketLayout,
    players: Vec<PlayerId>,
    values: Vec<PlainValue>,
    pings: Vec<[Option<Fixed>; 4]>,
    answers: Vec<Result<TicketId, evenmatch::Refusal>>,
    events: EventBuffer,
    submitted: u64,
}

impl Host {
    fn new(capacity: u32, queue: &str, attributes: &[&str]) -> Host {
        let engine = Engine::builder().capacity(capacity).retained(1_000).build().unwrap();
        let queue = engine.add_queue(read_queue(queue).unwrap()).unwrap();
        Host {
            layout: engine.layout(queue, attributes, &REGIONS).unwrap(),
            players: Vec::new(),
            values: Vec::new(),
            pings: Vec::new(),
            answers: Vec::new(),
            events: EventBuffer::default(),
            submitted: 0,
            engine,
        }
    }

    /// Submits so many tickets, each of a skill of its own.
    fn submit(&mut self, now: Millis, count: usize) {
        let modes = [PlainValue::Nothing, PlainValue::Text(self.engine.text("ctf").unwrap())];
        self.players.clear();
        self.values.clear();
        self.pings.clear();
        self.answers.clear();
        for _ in 0..count {
            self.submitted += 1;
            let number = self.submitted;
            self.players.push(PlayerId(u128::from(number) << 64 | 7));
            let mode = modes[(number / 2 % 2) as usize];
            self.values.push(PlainValue::Number(Fixed::from_int(number as i64 % 1_000_000)));
            self.values.extend((self.layout.attribute_count() > 1).then_some(mode));
            let ping =
                |region: i64| Some(Fixed::from_micros(30_000_000 * region + number as i64 % 17 * 250_000));
            self.pings.push([ping(1), ping(2), ping(3), ping(4)]);
        }
        let values = self.values.chunks(self.layout.attribute_count());
        let tickets = self.players.iter().zip(values).zip(&self.pings);
        let tickets = tickets.enumerate().map(|(at, ((player, values), pings_ms))| PlainTicket {
            players: std::slice::from_ref(player),
            values,
            pings_ms,
            user_data: at as u64,
            ..PlainTicket::default()
        });
        self.engine.submit_plain(now, &self.layout, tickets, &mut self.answers);
        assert!(self.answers.iter().all(Result::is_ok));
    }
}

#[test]
fn pf_08_a_ticket_allocates_nothing_from_submit_to_poll() {
    let mut host = Host::new(20_000, &lively(), &["skill", "mode"]);
    let mut calls = Vec::with_capacity(200);
    let (mut matched, mut ended) = (0, 0);
    for tick in 0..200_u64 {
        let (now, load) = (Millis(tick * 500), if tick % 2 == 0 { 100 } else { 5_000 });
        let before = allocator::calls();
        host.submit(now, load);
        for &id in host.answers.iter().flatten().skip(3).step_by(20) {
            host.engine.cancel(now, id).unwrap();
        }
        host.engine.tick(now, 0).unwrap();
        host.events.clear();
        host.engine.poll_into(&mut host.events, usize::MAX);
        for event in &host.events.events {
            match event {
                FlatEvent::Match(found) => matched += found.tickets.len(),
                FlatEvent::Ended(_) => ended += 1,
            }
        }
        calls.push(allocator::calls() - before);
    }
    assert!(matched > 300_000 && ended > 20_000, "{matched} matched, {ended} ended");
    // The greatest count of tickets that are left over from one tick to the next is seen only after some dozens.
    assert_eq!(calls[100..], [0; 100], "allocations by tick");
}

/// Bytes for each of so many waiting tickets: all that the engine holds, and what the door holds of that.
fn bytes(count: usize, mut submit: impl FnMut(&mut Host, Millis, usize)) -> [i64; 2] {
    let mut host = Host::new(count as u32, &lonely(), &["skill"]);
    host.engine.tick(Millis(0), 0).unwrap();
    let (start, mut door) = (allocator::held_bytes(), 0);
    for batch in 0..count / 10_000 {
        let before = allocator::held_bytes();
        submit(&mut host, Millis(batch as u64), 10_000);
        door += allocator::held_bytes() - before;
        host.engine.tick(Millis(batch as u64), 0).unwrap();
    }
    let waiting = host.engine.stats().waiting;
    assert_eq!(waiting, count as u64, "everybody waits");
    // The host's own arrays are not the engine's.
    let own = host.players.capacity() * size_of::<PlayerId>()
        + host.values.capacity() * size_of::<PlainValue>()
        + host.pings.capacity() * size_of::<[Option<Fixed>; 4]>()
        + host.answers.capacity() * size_of::<Result<TicketId, evenmatch::Refusal>>();
    [allocator::held_bytes() - start - own as i64, door - own as i64].map(|bytes| bytes / count as i64)
}

/// The door's own bar: of the bytes that a waiting ticket of one player, one number and four regions takes all in.
const DOOR_BYTES_MAX: i64 = 240;
/// With the queue's columns, timers and index.
const ALL_BYTES_MAX: i64 = 620;

#[test]
fn a_waiting_ticket_takes_few_bytes() {
    let [all, door] = bytes(100_000, Host::submit);
    println!("bytes a waiting ticket: {all}, of these at the door: {door}");
    assert!(door <= DOOR_BYTES_MAX && all <= ALL_BYTES_MAX, "{all} bytes, at the door {door}");
}

#[test]
fn a_request_takes_no_more_once_it_waits() {
    let [all, door] = bytes(100_000, |host, now, count| {
        for _ in 0..count {
            host.submitted += 1;
            let number = host.submitted;
            let player = PlayerRequest::new(PlayerId(u128::from(number) << 64 | 7));
            let player = player.number("skill", Fixed::from_int(number as i64));
            let ticket = REGIONS.iter().zip(1..).fold(TicketRequest::new("duel"), |ticket, (region, at)| {
                ticket.ping(region, Fixed::from_micros(30_000_000 * at + number as i64 % 17 * 250_000))
            });
            host.engine.submit(now, ticket.player(player)).unwrap();
        }
    });
    println!("bytes a waiting ticket that came as a request: {all}, of these at the door: {door}");
    // Beside the rest, which regions it counts on: they are held for each ticket by itself.
    assert!(door <= DOOR_BYTES_MAX && all <= ALL_BYTES_MAX, "{all} bytes, at the door {door}");
}
