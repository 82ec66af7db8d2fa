//! Many threads at once: submits, joins, updates, cancels, leaves, polls and ticks of the same few players, and
//! threads that stop in the middle of a call.
//!
//! Invariants: a ticket that was accepted has one terminal event, and a cancel's answer agrees with it; no player is
//! in two tickets of a match, and no ticket in two matches; `submitted = waiting + matched + ended`; the capacity is
//! never exceeded; nothing is lost at the end; slots are used again.
//!
//! The usual run is short. `EVENMATCH_STRESS_ROUNDS=1000000 cargo test --release --test stress` makes so many rounds
//! in each thread. Which round does what follows from the thread's number and the round's; how they meet does not
//! repeat. Nothing here is measured in time. `bash tests/all.sh races` runs this file under ThreadSanitizer, so it
//! needs nothing but the standard library.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test whose own calls are refused has failed")]

use evenmatch::config::read_queue;
use evenmatch::{
    Code, EndReason, Engine, Event, Millis, PlayerId, PlayerRequest, Refusal, TicketId, TicketRequest,
    TicketUpdate,
};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

/// Duels in any of the regions that both reach.
const DUEL: &str = r#"{ "name": "duel", "players": 2, "timeout_s": 1000000,
    "attributes": { "skill": { "type": "number", "default": 0 } },
    "rules": [ { "name": "skill", "type": "difference", "attribute": "skill", "max": 30 },
               { "name": "ping", "type": "region", "max_ms": 100 } ] }"#;
/// Two against two, for the same players.
const TWOS: &str = r#"{ "name": "twos", "timeout_s": 1000000, "capacity": 60,
    "teams": [ { "name": "home", "players": 2 }, { "name": "away", "players": 2 } ],
    "attributes": { "skill": { "type": "number", "default": 0 } },
    "rules": [ { "name": "skill", "type": "difference", "attribute": "skill", "max": 60 } ] }"#;

const CAPACITY: u32 = 100;
const RETAINED: u32 = 10;
const WORKERS: u64 = 3;
/// Players that all workers want.
const PLAYERS: u64 = 40;
const REGIONS: [&str; 8] = ["af", "ap", "au", "cn", "eu", "sa", "us-east", "us-west"];

fn rounds(usual: u64) -> u64 {
    let asked = std::env::var("EVENMATCH_STRESS_ROUNDS").ok();
    asked.map_or(usual, |rounds| rounds.parse().expect("EVENMATCH_STRESS_ROUNDS is a number"))
}

/// A number for each round of each thread (the finalizer of splitmix64, by Sebastiano Vigna).
fn dice(thread: u64, round: u64) -> u64 {
    let mut z = (thread << 48 ^ round).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

fn player(id: u64) -> PlayerRequest {
    PlayerRequest::new(PlayerId(u128::from(id) + 1)).number("skill", (id % 4 * 20) as i32)
}

fn duel(id: u64) -> TicketRequest {
    TicketRequest::new("duel").player(player(id)).ping("eu", 20)
}

/// What the host's own notes say of the tickets; no two submits share their `user_data`.
#[derive(Default)]
struct Notes {
    /// Accepted, with the `user_data` of the submit.
    accepted: Vec<(u64, TicketId)>,
    /// Ended by a call of the host that said so.
    cancelled: Vec<TicketId>,
    /// In a match, as the answer to a cancel said.
    matched: Vec<TicketId>,
}

/// One thread of the host.
struct Worker<'a> {
    engine: &'a Engine,
    number: u64,
    notes: Notes,
    last: Vec<TicketId>,
}

impl Worker<'_> {
    fn round(&mut self, round: u64) {
        let dice = dice(self.number, round);
        let now = Millis(round / 16);
        let id = dice >> 8 & 0xffff;
        match dice % 8 {
            0..=3 => self.submit(now, round, id, dice >> 32),
            4 => self.cancel(now),
            5 => self.leave_and_come_back(now, round, id % PLAYERS),
            6 => self.update(now, dice >> 32),
            _ => self.ask(id % PLAYERS),
        }
        if self.last.len() > 8 {
            self.last.remove(0);
        }
    }

    fn send(&mut self, now: Millis, user_data: u64, request: TicketRequest) -> Option<TicketId> {
        match self.engine.submit(now, request.user_data(user_data)) {
            Ok(id) => {
                assert!(id.0 != 0);
                self.notes.accepted.push((user_data, id));
                self.last.push(id);
                Some(id)
            }
            Err(refusal) => {
                let known = [Code::QueueFull, Code::PlayerAlreadyQueued];
                assert!(known.contains(&refusal.code), "{refusal}");
                thread::yield_now();
                None
            }
        }
    }

    fn submit(&mut self, now: Millis, round: u64, id: u64, more: u64) {
        let user_data = (self.number << 48) + round * 2;
        let (first, second) = (id % PLAYERS, (id + 1 + more % (PLAYERS - 1)) % PLAYERS);
        match more % 5 {
            0 => {
                let party = TicketRequest::new("twos").player(player(first));
                self.send(now, user_data, party.player(player(second)));
            }
            1 => {
                let awaited = player(second);
                let forming = TicketRequest::new("twos").player(player(first)).awaits(awaited.id);
                let Some(ticket) = self.send(now, user_data, forming) else { return };
                match self.engine.join(now, ticket, awaited) {
                    Ok(left) => assert_eq!(left, 0),
                    Err(refusal) => {
                        let known = [Code::NotFound, Code::PlayerAlreadyQueued, Code::AlreadyMatched];
                        assert!(known.contains(&refusal.code), "{refusal}");
                        self.end(now, ticket);
                    }
                }
            }
            2 => {
                self.send(now, user_data, TicketRequest::new("twos").player(player(first)));
            }
            _ => {
                let request = TicketRequest::new("duel").player(player(first));
                let region = |at: u64| REGIONS[at as usize % REGIONS.len()];
                self.send(now, user_data, request.ping(region(more), 30).ping(region(more + 1), 50));
            }
        }
    }

    /// Ends a ticket and notes what the answer says of it.
    fn end(&mut self, now: Millis, ticket: TicketId) {
        let answer = self.engine.cancel(now, ticket);
        self.note(ticket, answer);
    }

    fn note(&mut self, ticket: TicketId, answer: Result<(), Refusal>) {
        match answer {
            Ok(()) => self.notes.cancelled.push(ticket),
            Err(refusal) if refusal.code == Code::AlreadyMatched => self.notes.matched.push(ticket),
            Err(refusal) => assert_eq!(refusal.code, Code::NotFound, "{refusal}"),
        }
    }

    fn cancel(&mut self, now: Millis) {
        if let Some(&ticket) = self.last.first() {
            self.end(now, ticket);
        }
    }

    fn leave_and_come_back(&mut self, now: Millis, round: u64, id: u64) {
        match self.engine.leave(now, player(id).id) {
            Ok(ticket) => self.notes.cancelled.push(ticket),
            Err(refusal) => {
                let known = [Code::NotFound, Code::AlreadyMatched];
                assert!(known.contains(&refusal.code), "{refusal}");
            }
        }
        self.send(now, (self.number << 48) + round * 2 + 1, duel(id));
    }

    fn update(&self, now: Millis, more: u64) {
        let Some(&ticket) = self.last.last() else { return };
        let latency = Some(vec![("eu".to_owned(), ((more % 90) as i32).into())]);
        let update = TicketUpdate { latency, ..TicketUpdate::default() };
        if let Err(refusal) = self.engine.update(now, ticket, update) {
            let known = [Code::NotFound, Code::AlreadyMatched];
            assert!(known.contains(&refusal.code), "{refusal}");
        }
    }

    fn ask(&self, id: u64) {
        if let Some(ticket) = self.engine.ticket_of(player(id).id) {
            // It may be gone by now.
            let _ = self.engine.ticket(ticket);
        }
        let stats = self.engine.stats();
        assert!(stats.waiting <= u64::from(CAPACITY), "{} wait", stats.waiting);
        assert!(stats.retired_slots == 0);
    }
}

/// What the events say: how each ticket ended, `None` for a match, by `user_data`.
#[derive(Default)]
struct Ends {
    by_user_data: BTreeMap<u64, (TicketId, Option<EndReason>)>,
    matches: u64,
}

impl Ends {
    fn take(&mut self, event: &Event) {
        let mut end = |user_data, id, reason| {
            let before = self.by_user_data.insert(user_data, (id, reason));
            assert_eq!(before, None, "a second end of ticket {id:?}, submit {user_data:x}");
        };
        match event {
            Event::Ended(ended) => end(ended.user_data, ended.ticket, Some(ended.reason)),
            Event::Match(found) => {
                self.matches += 1;
                let players = found.teams.iter().flat_map(|team| &team.players);
                let distinct: BTreeSet<PlayerId> = players.clone().copied().collect();
                assert_eq!(players.count(), distinct.len(), "a player stands twice: {found:?}");
                assert!(distinct.len() == 2 || distinct.len() == 4, "a match in pieces: {found:?}");
                for ticket in &found.tickets {
                    end(ticket.user_data, ticket.id, None);
                }
            }
        }
    }

    fn compare(&self, all: &[Notes]) {
        let mut by_id = BTreeMap::new();
        let mut accepted = 0;
        for &(user_data, id) in all.iter().flat_map(|notes| &notes.accepted) {
            let &(ended, reason) = self.by_user_data.get(&user_data).expect("every ticket has an end");
            assert_eq!(ended, id, "the event of another ticket");
            assert_eq!(by_id.insert(id, reason), None, "an id was given out twice");
            accepted += 1;
        }
        assert_eq!(accepted, self.by_user_data.len(), "ends of tickets that nobody submitted");
        for id in all.iter().flat_map(|notes| &notes.cancelled) {
            let reason = by_id[id];
            let known = [Some(EndReason::Cancelled), Some(EndReason::PartyMemberLeft)];
            assert!(known.contains(&reason), "cancelled, but {reason:?}");
        }
        for id in all.iter().flat_map(|notes| &notes.matched) {
            assert_eq!(by_id[id], None, "told that it is in a match");
        }
        let slots: BTreeSet<u32> = by_id.keys().map(|id| id.slot()).collect();
        // The memory stays: those of live and retained tickets, and 64 spare ones.
        assert!(slots.len() <= (CAPACITY + RETAINED + 64) as usize, "{} slots", slots.len());
    }
}

#[test]
fn every_ticket_has_one_end_whatever_threads_do() {
    let rounds = rounds(1_500);
    let engine = Engine::builder().capacity(CAPACITY).retained(RETAINED).threads(2).check_matches(true);
    let engine = engine.build().unwrap();
    for queue in [DUEL, TWOS] {
        engine.add_queue(read_queue(queue).unwrap()).unwrap();
    }
    let (left, over) = (AtomicU64::new(WORKERS), AtomicBool::new(false));
    let (mut ends, mut notes) = (Ends::default(), Vec::new());
    thread::scope(|scope| {
        let workers: Vec<_> = (1..=WORKERS)
            .map(|number| {
                let (engine, left) = (&engine, &left);
                scope.spawn(move || {
                    let mut worker = Worker { engine, number, notes: Notes::default(), last: Vec::new() };
                    (0..rounds).for_each(|round| worker.round(round));
                    left.fetch_sub(1, Ordering::SeqCst);
                    worker.notes
                })
            })
            .collect();
        scope.spawn(|| {
            while !over.load(Ordering::SeqCst) {
                engine.tick(Millis(0), 20).unwrap();
                thread::yield_now();
            }
        });
        let poller = scope.spawn(|| {
            let mut events = Vec::new();
            while !over.load(Ordering::SeqCst) {
                engine.poll(&mut events, 2);
                thread::yield_now();
            }
            events
        });
        let mut events = Vec::new();
        while left.load(Ordering::SeqCst) > 0 {
            engine.poll(&mut events, 5);
            events.drain(..).for_each(|event| ends.take(&event));
            let stats = engine.stats();
            assert_eq!(stats.submitted, stats.waiting + stats.matched + stats.ended);
            thread::yield_now();
        }
        over.store(true, Ordering::SeqCst);
        notes.extend(workers.into_iter().map(|worker| worker.join().unwrap()));
        poller.join().unwrap().iter().for_each(|event| ends.take(event));
    });
    let stats = engine.stats();
    assert_eq!(stats.submitted, stats.waiting + stats.matched + stats.ended);
    let held: u64 = stats.queues.iter().map(|queue| queue.tickets).sum();
    assert_eq!(held, stats.waiting, "the queues hold who waits");
    engine.close(Millis(0)).unwrap();
    let mut events = Vec::new();
    engine.poll(&mut events, usize::MAX);
    events.iter().for_each(|event| ends.take(event));
    ends.compare(&notes);
    let stats = engine.stats();
    assert_eq!((stats.waiting, stats.unpolled), (0, 0));
    assert_eq!(stats.submitted, stats.matched + stats.ended);
    assert_eq!(stats.matches, ends.matches);
    for id in 0..PLAYERS {
        assert_eq!(engine.ticket_of(player(id).id), None, "player {id} is in a ticket that is over");
    }
    println!(
        "{rounds} rounds in each of {WORKERS} threads: {} tickets, {} in {} matches, {} ended, {} ticks",
        stats.submitted, stats.matched, stats.matches, stats.ended, stats.ticks
    );
    assert!(stats.matches > 0 && stats.ended > 0, "{stats:?}");
}

#[test]
fn cr_06_an_event_names_its_submit_before_the_submit_has_answered() {
    let (engine, mut guest) =
        stopping("submit: published", |engine| engine.submit(Millis(0), duel(0).user_data(7)).map(|_| ()));
    engine.submit(Millis(0), duel(1).user_data(8)).unwrap();
    engine.tick(Millis(0), 0).unwrap();
    let mut events = Vec::new();
    engine.poll(&mut events, 9);
    let [Event::Match(found)] = &events[..] else { panic!("{events:?}") };
    let mut told: Vec<u64> = found.tickets.iter().map(|ticket| ticket.user_data).collect();
    told.sort_unstable();
    assert_eq!(told, [7, 8]);
    guest.goes_on().unwrap();
}

#[test]
fn cr_09_a_match_is_made_whole_or_not_at_all_and_the_others_are_searched_again() {
    let engine = engine(|_| ());
    let twos = |id| TicketRequest::new("twos").player(PlayerRequest::new(PlayerId(id)));
    for round in 0..rounds(300) {
        let ids: Vec<TicketId> = (1..=4).map(|id| engine.submit(Millis(round), twos(id)).unwrap()).collect();
        let barrier = Barrier::new(2);
        let answer = thread::scope(|scope| {
            let host = scope.spawn(|| {
                barrier.wait();
                engine.cancel(Millis(round), ids[1])
            });
            barrier.wait();
            engine.tick(Millis(round), 0).unwrap();
            host.join().unwrap()
        });
        // With another in the place of the one who left the other three still find each other.
        let other = answer.is_ok().then(|| engine.submit(Millis(round), twos(2)).unwrap());
        engine.tick(Millis(round), 0).unwrap();
        let mut events = Vec::new();
        engine.poll(&mut events, 9);
        let found: Vec<_> = events
            .iter()
            .filter_map(|event| match event {
                Event::Match(found) => Some(found),
                Event::Ended(ended) => {
                    assert_eq!((ended.ticket, ended.reason), (ids[1], EndReason::Cancelled));
                    None
                }
            })
            .collect();
        assert_eq!((found.len(), events.len()), (1, 1 + usize::from(answer.is_ok())), "round {round}");
        let expected: BTreeSet<TicketId> = [ids[0], other.unwrap_or(ids[1]), ids[2], ids[3]].into();
        let tickets: BTreeSet<TicketId> = found[0].tickets.iter().map(|ticket| ticket.id).collect();
        assert_eq!(tickets, expected, "round {round}");
        if let Err(refusal) = answer {
            assert_eq!((refusal.code, refusal.in_match), (Code::AlreadyMatched, Some(found[0].id)));
        }
    }
}

/// Regions that share no ticket are matched side by side, while calls end tickets of all of them.
#[test]
fn regions_side_by_side_while_calls_end_tickets() {
    const TICKETS: u64 = 1_024;
    let engine = Engine::builder().capacity(2 * TICKETS as u32).retained(0).threads(2).build().unwrap();
    engine.add_queue(read_queue(DUEL).unwrap()).unwrap();
    for round in 0..rounds(20).min(2_000).div_ceil(10) {
        let now = Millis(round * 10);
        let ticket = |id: u64| {
            let region = REGIONS[(dice(id, round) % 8) as usize];
            let player = PlayerRequest::new(PlayerId(u128::from(id))).number("skill", (id % 100 * 5) as i32);
            TicketRequest::new("duel").player(player).ping(region, 20)
        };
        let answers = engine.submit_batch(now, (0..TICKETS).map(ticket).collect());
        let ids: Vec<TicketId> = answers.into_iter().map(Result::unwrap).collect();
        let barrier = Barrier::new(2);
        let refusals = thread::scope(|scope| {
            let host = scope.spawn(|| {
                barrier.wait();
                let some = ids.iter().step_by(3).copied();
                some.map(|id| (id, engine.cancel(now, id).err())).collect::<BTreeMap<_, _>>()
            });
            barrier.wait();
            engine.tick(now, 0).unwrap();
            host.join().unwrap()
        });
        // Whoever is left finds a match or leaves.
        engine.tick(Millis(now.0 + 1), 0).unwrap();
        let mut ends = BTreeMap::new();
        let mut events = Vec::new();
        engine.poll(&mut events, usize::MAX);
        for event in &events {
            match event {
                Event::Match(found) => {
                    assert_eq!(found.tickets.len(), 2, "round {round}");
                    for ticket in &found.tickets {
                        assert!(ends.insert(ticket.id, Some(found.id)).is_none(), "round {round}");
                    }
                }
                Event::Ended(ended) => assert!(ends.insert(ended.ticket, None).is_none(), "round {round}"),
            }
        }
        for (id, refusal) in &refusals {
            match refusal {
                None => assert_eq!(ends.get(id), Some(&None), "round {round}"),
                Some(refusal) => {
                    assert_eq!(refusal.code, Code::AlreadyMatched, "round {round}");
                    assert_eq!(ends.get(id).copied().flatten(), refusal.in_match, "round {round}");
                }
            }
        }
        let waiting: Vec<TicketId> = ids.iter().filter(|id| !ends.contains_key(id)).copied().collect();
        assert!(waiting.len() < TICKETS as usize / 4, "{} wait in round {round}", waiting.len());
        for id in waiting {
            engine.cancel(now, id).unwrap();
        }
        engine.tick(Millis(now.0 + 2), 0).unwrap();
        engine.poll(&mut Vec::new(), usize::MAX);
    }
}

#[test]
fn cc_06_two_who_come_at_once_are_one_match() {
    let text = r#"{ "name": "room", "players": { "min": 1, "max": 2 }, "prefer_full_for_s": 1 }"#;
    for _ in 0..rounds(100).min(10_000) {
        let engine = Engine::builder().capacity(4).build().unwrap();
        engine.add_queue(read_queue(text).unwrap()).unwrap();
        let (barrier, accepted) = (Barrier::new(2), AtomicU64::new(0));
        thread::scope(|scope| {
            for id in 1..=2 {
                let (engine, barrier, accepted) = (&engine, &barrier, &accepted);
                scope.spawn(move || {
                    barrier.wait();
                    let player = PlayerRequest::new(PlayerId(id));
                    engine.submit(Millis(0), TicketRequest::new("room").player(player)).unwrap();
                    accepted.fetch_add(1, Ordering::SeqCst);
                });
            }
        });
        assert_eq!(accepted.load(Ordering::SeqCst), 2);
        engine.tick(Millis(500), 0).unwrap();
        engine.tick(Millis(1_500), 0).unwrap();
        let mut events = Vec::new();
        engine.poll(&mut events, 9);
        assert!(matches!(&events[..], [Event::Match(found)] if found.tickets.len() == 2), "{events:?}");
    }
}

#[test]
fn cc_12_a_late_cancel_never_ends_the_next_ticket_of_the_slot() {
    let engine = Engine::builder().capacity(1).retained(0).build().unwrap();
    engine.add_queue(read_queue(DUEL).unwrap()).unwrap();
    let last = AtomicU64::new(0);
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::SeqCst) {
                let old = TicketId(last.load(Ordering::SeqCst));
                let answer = engine.cancel(Millis(0), old);
                assert_eq!(answer.unwrap_err().code, Code::NotFound, "a ticket that had ended was ended");
            }
        });
        let mut events = Vec::new();
        for round in 0..rounds(3_000) {
            let id = engine.submit(Millis(0), duel(round % PLAYERS)).unwrap();
            engine.cancel(Millis(0), id).expect("nobody else knows the ticket");
            last.store(id.0, Ordering::SeqCst);
            events.clear();
            assert_eq!(engine.poll(&mut events, 9), 1);
            if round % 64 == 0 {
                engine.tick(Millis(0), 0).unwrap();
            }
        }
        over.store(true, Ordering::SeqCst);
    });
}

// Threads that stop in the middle of a call.

/// A stop: the point's name, whom it tells, and what it waits for.
type Stop = (&'static str, Sender<()>, Receiver<()>);

thread_local! {
    /// Where this thread stops, once.
    static STOP: RefCell<Option<Stop>> = const { RefCell::new(None) };
}

fn halt(point: &'static str) {
    let stop = STOP.with_borrow_mut(|stop| stop.take_if(|stop| stop.0 == point));
    if let Some((_, reached, go_on)) = stop {
        reached.send(()).unwrap();
        go_on.recv().unwrap();
    }
}

fn engine(prepare: impl FnOnce(&Engine)) -> std::sync::Arc<Engine> {
    let engine = Engine::builder().capacity(CAPACITY).retained(RETAINED).check_matches(true).halt(halt);
    let engine = engine.build().unwrap();
    for queue in [DUEL, TWOS] {
        engine.add_queue(read_queue(queue).unwrap()).unwrap();
    }
    prepare(&engine);
    std::sync::Arc::new(engine)
}

/// A thread that stands still in the middle of a call.
struct Guest {
    go_on: Sender<()>,
    thread: Option<thread::JoinHandle<Result<(), Refusal>>>,
}

impl Guest {
    /// A thread that makes a call and stops at a point of it.
    fn stops(
        engine: &std::sync::Arc<Engine>,
        point: &'static str,
        call: impl FnOnce(&Engine) -> Result<(), Refusal> + Send + 'static,
    ) -> Guest {
        let engine = std::sync::Arc::clone(engine);
        let ((reached, has_reached), (go_on, gone_on)) = (channel(), channel());
        let thread = thread::spawn(move || {
            STOP.set(Some((point, reached, gone_on)));
            let answer = call(&engine);
            assert!(STOP.take().is_none(), "the call does not come to {point:?}");
            answer
        });
        has_reached.recv().expect("the call comes to its point");
        Guest { go_on, thread: Some(thread) }
    }

    /// Lets it go on; what its call answers.
    fn goes_on(&mut self) -> Result<(), Refusal> {
        self.go_on.send(()).unwrap();
        self.thread.take().unwrap().join().unwrap()
    }
}

fn stopping(
    point: &'static str,
    call: impl FnOnce(&Engine) -> Result<(), Refusal> + Send + 'static,
) -> (std::sync::Arc<Engine>, Guest) {
    let engine = engine(|_| ());
    let guest = Guest::stops(&engine, point, call);
    (engine, guest)
}

/// All that others do goes on: submit, join, update, cancel, leave, tick, poll, ask. With players of their own.
fn others_go_on(engine: &Engine, now: Millis) {
    let mut polled = BTreeMap::new();
    let mut poll = || {
        let mut events = Vec::new();
        engine.poll(&mut events, usize::MAX);
        let mut ends = Ends::default();
        events.iter().for_each(|event| ends.take(event));
        polled.extend(ends.by_user_data.into_values());
    };
    // More than the slots, so that these are used again.
    for round in 0..100 {
        let far = |id: u64| {
            let player = PlayerRequest::new(PlayerId(1_000 + u128::from(id))).number("skill", 5_000);
            TicketRequest::new("duel").player(player).ping("eu", 20).user_data(1_000_000 + round * 10 + id)
        };
        let [a, _, c] = [1, 2, 3].map(|id| engine.submit(now, far(id)).unwrap());
        let latency = Some(vec![("eu".to_owned(), 30.into())]);
        engine.update(now, a, TicketUpdate { latency, ..TicketUpdate::default() }).unwrap();
        engine.cancel(now, c).unwrap();
        let forming = TicketRequest::new("twos").player(player(900)).awaits(player(901).id);
        let forming = engine.submit(now, forming.user_data(1_000_000 + round * 10)).unwrap();
        assert_eq!(engine.join(now, forming, player(901)).unwrap(), 0);
        assert_eq!(engine.leave(now, player(901).id).unwrap(), forming);
        engine.tick(now, 0).unwrap();
        poll();
        assert_eq!(engine.ticket_of(PlayerId(1_001)), None);
        let stats = engine.stats();
        assert_eq!(stats.submitted, stats.waiting + stats.matched + stats.ended);
    }
    let matched = polled.values().filter(|reason| reason.is_none()).count();
    let cancelled = polled.values().filter(|&&reason| reason == Some(EndReason::Cancelled)).count();
    assert!(matched >= 200 && cancelled >= 100, "{matched} matched, {cancelled} cancelled");
}

#[test]
fn a_thread_that_stops_in_a_submit_delays_nobody() {
    for point in ["submit: claimed", "submit: seated", "submit: pushed", "submit: published"] {
        let (engine, mut guest) = stopping(point, |engine| engine.submit(Millis(0), duel(0)).map(|_| ()));
        others_go_on(&engine, Millis(0));
        if point != "submit: published" {
            let answer = engine.submit(Millis(0), duel(0)).unwrap_err();
            assert_eq!(answer.code, Code::PlayerAlreadyQueued, "at {point:?} the player is taken");
            assert_eq!(engine.leave(Millis(0), player(0).id).unwrap_err().code, Code::NotFound);
        }
        guest.goes_on().unwrap();
        engine.submit(Millis(0), duel(1)).unwrap();
        assert_eq!(engine.tick(Millis(0), 0).unwrap().matches, 1, "{point:?}");
    }
}

#[test]
fn a_submit_that_is_under_way_at_the_close_ends_its_ticket() {
    for point in ["submit: claimed", "submit: seated", "submit: pushed", "submit: published"] {
        let (engine, mut guest) = stopping(point, |engine| engine.submit(Millis(0), duel(0)).map(|_| ()));
        engine.close(Millis(0)).unwrap();
        guest.goes_on().unwrap();
        let mut events = Vec::new();
        assert_eq!(engine.poll(&mut events, 9), 1, "{point:?}");
        assert!(matches!(&events[0], Event::Ended(ended) if ended.reason == EndReason::EngineClosed));
        assert_eq!(engine.stats().waiting, 0);
    }
}

#[test]
fn a_thread_that_stops_in_a_cancel_delays_nobody() {
    for point in ["end: claimed", "end: written"] {
        let engine = engine(|_| ());
        let id = engine.submit(Millis(0), duel(0).user_data(1)).unwrap();
        engine.tick(Millis(0), 0).unwrap();
        let mut guest = Guest::stops(&engine, point, move |engine| engine.cancel(Millis(0), id));
        others_go_on(&engine, Millis(0));
        assert_eq!(engine.cancel(Millis(0), id).unwrap_err().code, Code::NotFound, "it has been ended");
        let again = engine.submit(Millis(0), duel(0).user_data(2)).expect("the player is free at once");
        let other = engine.submit(Millis(0), duel(1).user_data(3)).unwrap();
        assert_eq!(engine.tick(Millis(0), 0).unwrap().matches, 1, "{point:?}");
        let mut events = Vec::new();
        engine.poll(&mut events, 9);
        let [Event::Match(found)] = &events[..] else { panic!("{events:?}") };
        assert!(found.tickets.iter().all(|ticket| [again, other].contains(&ticket.id)), "{found:?}");
        guest.goes_on().unwrap();
        events.clear();
        engine.poll(&mut events, 9);
        let [Event::Ended(ended)] = &events[..] else { panic!("{events:?}") };
        assert_eq!((ended.ticket, ended.reason), (id, EndReason::Cancelled));
    }
}

#[test]
fn a_thread_that_stops_in_a_poll_delays_nobody() {
    for point in ["poll: taken", "poll: recorded"] {
        let engine = engine(|engine| {
            for id in 0..2 {
                engine.submit(Millis(0), duel(id).user_data(id)).unwrap();
            }
            engine.tick(Millis(0), 0).unwrap();
        });
        let mut guest = Guest::stops(&engine, point, |engine| {
            let mut events = Vec::new();
            assert_eq!(engine.poll(&mut events, 1), 1);
            let told = matches!(&events[..], [Event::Match(found)] if found.tickets.len() == 2);
            assert!(told, "{events:?}");
            Ok(())
        });
        others_go_on(&engine, Millis(0));
        for id in 0..2 {
            engine.submit(Millis(0), duel(id).user_data(10 + id)).expect("the players may come back");
        }
        guest.goes_on().unwrap();
        assert_eq!(engine.stats().unpolled, 0);
        assert_eq!(engine.tick(Millis(0), 0).unwrap().matches, 1);
    }
}

#[test]
fn a_thread_that_stops_in_an_update_delays_nobody() {
    // At first they reach no region in common.
    let apart = |id| TicketRequest::new("duel").player(player(id)).ping(REGIONS[id as usize], 20);
    let latency = Some(vec![(REGIONS[1].to_owned(), 20.into())]);
    let update = TicketUpdate { latency, ..TicketUpdate::default() };
    let engine = engine(|_| ());
    let [a, _] = [0, 1].map(|id| engine.submit(Millis(0), apart(id)).unwrap());
    assert_eq!(engine.tick(Millis(0), 0).unwrap().matches, 0);
    let change = update.clone();
    let mut guest =
        Guest::stops(&engine, "update: replaced", move |engine| engine.update(Millis(0), a, change));
    others_go_on(&engine, Millis(0));
    guest.goes_on().unwrap();
    assert_eq!(engine.tick(Millis(0), 0).unwrap().matches, 1, "the update has an effect");

    // A match that is made meanwhile stands, and the event says that the update was lost.
    let mut events = Vec::new();
    engine.poll(&mut events, usize::MAX);
    let a = engine.submit(Millis(0), apart(0)).unwrap();
    let mut guest =
        Guest::stops(&engine, "update: replaced", move |engine| engine.update(Millis(0), a, update));
    let mut same = apart(4);
    same.latency = apart(0).latency;
    engine.submit(Millis(0), same).unwrap();
    assert_eq!(engine.tick(Millis(0), 0).unwrap().matches, 1);
    assert_eq!(guest.goes_on().unwrap_err().code, Code::AlreadyMatched);
    events.clear();
    engine.poll(&mut events, 9);
    let lost = |found: &evenmatch::MatchRecord| found.tickets.iter().any(|t| t.id == a && t.update_lost);
    assert!(matches!(&events[..], [Event::Match(found)] if lost(found)), "{events:?}");
}

fn forming() -> TicketRequest {
    TicketRequest::new("twos").player(player(0)).awaits(player(1).id)
}

#[test]
fn a_thread_that_stops_in_a_join_delays_nobody() {
    for point in ["join: claimed", "join: replaced"] {
        let engine = engine(|_| ());
        let id = engine.submit(Millis(0), forming()).unwrap();
        let join = move |engine: &Engine| engine.join(Millis(0), id, player(1)).map(|_| ());
        let mut guest = Guest::stops(&engine, point, join);
        others_go_on(&engine, Millis(0));
        guest.goes_on().unwrap();
        engine.submit(Millis(0), TicketRequest::new("twos").player(player(2)).player(player(3))).unwrap();
        assert_eq!(engine.tick(Millis(0), 0).unwrap().matches, 1, "{point:?}");

        // One that the ticket's end comes before lets the player go.
        let mut events = Vec::new();
        engine.poll(&mut events, 9);
        let id = engine.submit(Millis(0), forming()).unwrap();
        let join = move |engine: &Engine| engine.join(Millis(0), id, player(1)).map(|_| ());
        let mut guest = Guest::stops(&engine, point, join);
        engine.cancel(Millis(0), id).unwrap();
        assert_eq!(guest.goes_on().unwrap_err().code, Code::NotFound, "{point:?}");
        assert_eq!(engine.ticket_of(player(1).id), None);
        engine.submit(Millis(0), duel(1)).unwrap();
    }
}

#[test]
fn an_update_between_the_halves_of_a_last_join_has_an_effect() {
    let engine = engine(|_| ());
    let id = engine.submit(Millis(0), forming()).unwrap();
    let join = move |engine: &Engine| engine.join(Millis(0), id, player(1)).map(|_| ());
    let mut guest = Guest::stops(&engine, "join: replaced", join);
    let skill = player(9).number("skill", 9_000).attributes.pop().unwrap();
    let attributes = Some((0..2).map(|id| (player(id).id, vec![skill.clone()])).collect());
    engine.update(Millis(0), id, TicketUpdate { attributes, ..TicketUpdate::default() }).unwrap();
    engine.tick(Millis(0), 0).unwrap();
    guest.goes_on().unwrap();
    engine.submit(Millis(0), TicketRequest::new("twos").player(player(2)).player(player(3))).unwrap();
    assert_eq!(engine.tick(Millis(0), 0).unwrap().matches, 0, "its skill is another by now");
    engine.cancel(Millis(0), id).unwrap();
    let mut events = Vec::new();
    engine.poll(&mut events, 9);
    assert!(matches!(&events[..], [Event::Ended(ended)] if !ended.update_lost), "{events:?}");
}

#[test]
fn a_forming_ticket_whose_submit_is_under_way_ends_in_time() {
    for point in ["submit: seated", "submit: pushed"] {
        // Its queue is removed meanwhile.
        let (engine, mut guest) = stopping(point, |engine| engine.submit(Millis(0), forming()).map(|_| ()));
        engine.tick(Millis(0), 0).unwrap();
        engine.remove_queue(Millis(0), engine.queue("twos").unwrap()).unwrap();
        engine.tick(Millis(0), 0).unwrap();
        guest.goes_on().unwrap();
        assert!(engine.next_due().is_some());
        engine.tick(Millis(1), 0).unwrap();
        let mut events = Vec::new();
        engine.poll(&mut events, 9);
        let removed =
            |event: &Event| matches!(event, Event::Ended(end) if end.reason == EndReason::QueueRemoved);
        assert!(events.len() == 1 && removed(&events[0]), "{point:?}: {events:?}");

        // Its time is up meanwhile.
        let timed = forming();
        let timed = TicketRequest { timeout: Some(Millis(10)), ..timed };
        let (engine, mut guest) = stopping(point, |engine| engine.submit(Millis(0), timed).map(|_| ()));
        engine.tick(Millis(20), 0).unwrap();
        guest.goes_on().unwrap();
        assert!(engine.next_due().is_some_and(|due| due <= Millis(21)), "{point:?}");
        assert_eq!(engine.tick(Millis(21), 0).unwrap().ended, 1, "{point:?}");
    }
}
