//! The record of an engine, replayed, brings about the same events, byte by byte.
//!
//! Two threads make random calls between the ticks, and in another run also while ticks are running; every line of
//! the record is then read back and given to a new engine. A failure prints the seed, which repeats the calls of
//! each thread, though not how the threads met.
#![allow(clippy::unwrap_used)] // All of this file is a test.

use evenmatch::Engine;
use evenmatch::config::trace::{QueueState, TraceAction};
use evenmatch::config::write::{self, write_event};
use evenmatch::config::{read_queue, read_trace_line};
use evenmatch::model::codes::{Code, Refusal};
use evenmatch::model::event::Event;
use evenmatch::model::ids::{MatchId, Millis, PlayerId, QueueId, TicketId};
use evenmatch::model::request::{PlayerRequest, TicketRequest, TicketUpdate};
use evenmatch::model::status::TicketState;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, Barrier, Mutex};

/// Two queues; with the third players may stand in all of them at once.
const QUEUES: [&str; 3] = [
    r#"{"name": "duel", "players": {"min": 2, "max": 2}, "timeout_s": 40,
   "attributes": {"skill": {"type": "number", "default": 1500}, "mode": {"type": "string"}},
   "rules": [
     {"name": "skill", "type": "difference", "attribute": "skill", "max": 20,
      "expand": {"linear": {"add": 10, "every_s": 1, "cap": 300}}},
     {"name": "mode", "type": "equality", "attribute": "mode", "missing": "any"},
     {"name": "ping", "type": "region", "max_ms": 60, "expand": {"linear": {"add": 20, "every_s": 2, "cap": 150}}}
   ]}"#,
    r#"{"name": "fives", "teams": [{"name": "a", "players": 3}, {"name": "b", "players": 3}], "timeout_s": 60,
   "attributes": {"skill": {"type": "number", "default": 1500}},
   "rules": [{"name": "fair", "type": "team_difference", "attribute": "skill", "max": 200}]}"#,
    r#"{"name": "pairs", "teams": [{"name": "a", "players": 2}, {"name": "b", "players": 2}], "timeout_s": 20,
   "attributes": {"skill": {"type": "number", "default": 1500}}}"#,
];

/// Names that say the ids: of a ticket the first of those that were put back as each other.
#[derive(Default)]
struct HostNames {
    first: HashMap<TicketId, TicketId>,
    matches: HashMap<MatchId, usize>,
    queues: HashMap<QueueId, String>,
}

impl HostNames {
    fn first(&self, id: TicketId) -> TicketId {
        self.first.get(&id).copied().unwrap_or(id)
    }
}

impl write::Names for HostNames {
    fn ticket(&self, ticket: TicketId) -> Cow<'_, str> {
        Cow::Owned(format!("t{:x}", self.first(ticket).0))
    }
    fn player(&self, player: PlayerId) -> Cow<'_, str> {
        Cow::Owned(format!("p{}", player.0))
    }
    fn match_name(&self, id: MatchId) -> Cow<'_, str> {
        Cow::Owned(format!("m{}", self.matches[&id]))
    }
    fn queue(&self, queue: QueueId) -> Cow<'_, str> {
        Cow::Borrowed(&self.queues[&queue])
    }
}

/// Numbers that a seed repeats (Knuth's MMIX constants).
struct Draws(u64);

impl Draws {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// What the threads of a host know together.
#[derive(Default)]
struct Known {
    tickets: Vec<TicketId>,
    forming: Vec<(TicketId, u64)>,
    matches: Vec<(MatchId, Vec<TicketId>)>,
}

struct Host {
    engine: Engine,
    names: Mutex<HostNames>,
    known: Mutex<Known>,
    /// Players may stand in several queues.
    many: bool,
}

impl Host {
    fn new(record: bool, many: bool) -> Host {
        let engine = Engine::builder()
            .capacity(20_000)
            .retained(4_000)
            .check_matches(true)
            .record(record)
            .allow_many_queues(many)
            .build()
            .unwrap();
        let mut names = HostNames::default();
        for text in &QUEUES[..if many { 3 } else { 2 }] {
            let spec = read_queue(text).unwrap();
            let name = spec.name.clone();
            names.queues.insert(engine.add_queue(spec).unwrap(), name);
        }
        Host { engine, names: Mutex::new(names), known: Mutex::default(), many }
    }

    fn request(&self, draws: &mut Draws, players: u64) -> TicketRequest {
        let duel = players == 1 && draws.below(2) == 0;
        let pairs = self.many && !duel && draws.below(2) == 0;
        let mut request = TicketRequest::new(match (duel, pairs) {
            (true, _) => "duel",
            (_, true) => "pairs",
            _ => "fives",
        });
        for _ in 0..players {
            let id = PlayerId(u128::from(draws.below(400)) + 1);
            let mut player = PlayerRequest::new(id).number("skill", 1400 + draws.below(200) as i32);
            if duel && draws.below(3) == 0 {
                player = player.string("mode", if draws.below(2) == 0 { "koth" } else { "ctf" });
            }
            request = request.player(player);
        }
        if duel {
            request =
                request.ping("eu", 20 + draws.below(100) as i32).ping("us", 30 + draws.below(120) as i32);
        }
        request
    }

    /// One random call. What is refused is so on purpose: it must not stand in the record.
    fn call(&self, draws: &mut Draws, now: Millis) -> Result<(), Refusal> {
        let any = |draws: &mut Draws| {
            let known = self.known.lock().unwrap();
            (!known.tickets.is_empty())
                .then(|| known.tickets[draws.below(known.tickets.len() as u64) as usize])
        };
        let nobody = TicketId(0);
        match draws.below(20) {
            0..=8 => {
                let players = 1 + draws.below(2);
                let request = self.request(draws, players);
                let id = self.engine.submit(now, request)?;
                self.known.lock().unwrap().tickets.push(id);
            }
            9 => {
                let awaited = draws.below(400) + 1;
                let request = self.request(draws, 2).awaits(PlayerId(u128::from(awaited)));
                let id = self.engine.submit(now, request)?;
                let mut known = self.known.lock().unwrap();
                known.tickets.push(id);
                known.forming.push((id, awaited));
            }
            10 | 11 => {
                let Some((id, awaited)) = self.known.lock().unwrap().forming.pop() else { return Ok(()) };
                let player = PlayerRequest::new(PlayerId(u128::from(awaited))).number("skill", 1500);
                self.engine.join(now, id, player)?;
            }
            12..=14 => self.engine.cancel(now, any(draws).unwrap_or(nobody))?,
            15 => {
                self.engine.leave(now, PlayerId(u128::from(draws.below(400)) + 1))?;
            }
            16 | 17 => {
                let update = TicketUpdate {
                    latency: Some(vec![("eu".to_owned(), (draws.below(90) as i32).into())]),
                    ..TicketUpdate::default()
                };
                self.engine.update(now, any(draws).unwrap_or(nobody), update)?;
            }
            18 => {
                let Some((of, tickets)) = self.known.lock().unwrap().matches.pop() else { return Ok(()) };
                let answers = self.engine.requeue(now, of, &tickets)?;
                for (&old, answer) in tickets.iter().zip(answers) {
                    if let Ok(new) = answer {
                        let mut names = self.names.lock().unwrap();
                        let first = names.first(old);
                        names.first.insert(new, first);
                        self.known.lock().unwrap().tickets.push(new);
                    }
                }
            }
            _ => {
                let up = draws.below(3) > 0;
                self.engine.set_region(now, if draws.below(2) == 0 { "eu" } else { "us" }, up)?;
            }
        }
        Ok(())
    }

    /// Takes the events as lines.
    fn poll(&self, into: &mut Vec<String>) {
        let mut events = Vec::new();
        self.engine.poll(&mut events, usize::MAX);
        let mut names = self.names.lock().unwrap();
        for event in &events {
            if let Event::Match(record) = event {
                let number = names.matches.len() + 1;
                names.matches.insert(record.id, number);
                let tickets = record.tickets.iter().map(|ticket| ticket.id).collect();
                self.known.lock().unwrap().matches.push((record.id, tickets));
            }
            into.push(write_event(event, &*names));
        }
    }
}

/// Lets two threads make calls, between the ticks or also while they run; gives the events and the record.
fn drive(seed: u64, ticks: u64, during: bool, many: bool) -> (Vec<String>, String) {
    let host = Arc::new(Host::new(true, many));
    let barrier = Arc::new(Barrier::new(3));
    let mut events = Vec::new();
    let mut record = String::new();
    std::thread::scope(|scope| {
        for thread in 1..=2 {
            let (host, barrier) = (Arc::clone(&host), Arc::clone(&barrier));
            scope.spawn(move || {
                let mut draws = Draws(seed.wrapping_mul(31).wrapping_add(thread));
                for tick in 0..ticks {
                    barrier.wait();
                    for call in 0..30 {
                        // A call that is refused has changed nothing.
                        let _ = host.call(&mut draws, Millis(tick * 500 + call * 10));
                    }
                    barrier.wait();
                }
            });
        }
        for tick in 0..ticks {
            let budget = if tick % 5 == 4 { 50 } else { 0 };
            barrier.wait();
            if during {
                for part in 0..4 {
                    host.engine.tick(Millis(tick * 500 + part * 100), budget).unwrap();
                }
            }
            barrier.wait();
            host.engine.tick(Millis(tick * 500 + 490), budget).unwrap();
            host.poll(&mut events);
            host.engine.record(&*host.names.lock().unwrap(), &mut record);
        }
    });
    host.engine.record(&*host.names.lock().unwrap(), &mut record);
    (events, record)
}

/// Gives a record to a new engine; nothing in it may be refused.
fn replay(record: &str, many: bool) -> Vec<String> {
    let host = Host::new(false, many);
    let mut events = Vec::new();
    let mut tickets: HashMap<String, TicketId> = HashMap::new();
    let player = |name: &str| PlayerId(name[1..].parse().unwrap());
    // What met the tick that comes next.
    let mut held: Vec<(u64, Millis, TraceAction)> = Vec::new();
    let depart = |tickets: &HashMap<String, TicketId>, at: Millis, action: &TraceAction| match action {
        TraceAction::Cancel { ticket, .. } => host.engine.cancel(at, tickets[ticket]),
        TraceAction::Leave { player: name, ticket: None, .. } => {
            host.engine.leave(at, player(name)).map(drop)
        }
        TraceAction::Leave { player: name, ticket: Some(ticket), .. } => {
            host.engine.leave_ticket(at, player(name), tickets[ticket])
        }
        other => panic!("{other:?} is no departure"),
    };
    for (number, text) in record.lines().enumerate() {
        let line = read_trace_line(number as u32 + 1, text.as_bytes()).unwrap();
        let at = line.at;
        let engine = &host.engine;
        let done: Result<(), Refusal> = match line.action {
            TraceAction::Submit(submit) => engine.submit(at, submit.request(player)).map(|id| {
                let first = TicketId(u64::from_str_radix(&submit.ticket[1..], 16).unwrap());
                host.names.lock().unwrap().first.insert(id, first);
                tickets.insert(submit.ticket.clone(), id);
            }),
            TraceAction::Join(join) => {
                let who = join.player.request(player(&join.player.id));
                engine.join(at, tickets[&join.ticket], who).map(drop)
            }
            TraceAction::Cancel { in_tick: Some(claims), .. }
            | TraceAction::Leave { in_tick: Some(claims), .. } => {
                held.push((claims, at, line.action));
                Ok(())
            }
            TraceAction::Cancel { .. } | TraceAction::Leave { .. } => depart(&tickets, at, &line.action),
            TraceAction::Update(update) => engine.update(at, tickets[&update.ticket], update.update(player)),
            TraceAction::Requeue { match_name, tickets: names } => {
                let of = host
                    .names
                    .lock()
                    .unwrap()
                    .matches
                    .iter()
                    .find_map(|(id, number)| (format!("m{number}") == match_name).then_some(*id));
                let ids: Vec<TicketId> = names.iter().map(|name| tickets[name]).collect();
                engine.requeue(at, of.unwrap(), &ids).map(|answers| {
                    for ((name, old), answer) in names.iter().zip(ids).zip(answers) {
                        let new = answer.unwrap_or_else(|refusal| panic!("line {}: {refusal}", number + 1));
                        let mut names = host.names.lock().unwrap();
                        let first = names.first(old);
                        names.first.insert(new, first);
                        tickets.insert(name.clone(), new);
                    }
                })
            }
            TraceAction::Region { name, up } => engine.set_region(at, &name, up),
            TraceAction::Queue { name, state } => {
                let queue = engine.queue(&name).unwrap();
                match state {
                    QueueState::Open => engine.resume_queue(at, queue),
                    QueueState::Suspended => engine.suspend_queue(at, queue),
                    QueueState::Removed => engine.remove_queue(at, queue),
                }
            }
            TraceAction::Tick { budget } => {
                let mut held = std::mem::take(&mut held).into_iter().peekable();
                let meet = &mut |claims| {
                    while let Some((_, at, action)) = held.next_if(|held| held.0 <= claims) {
                        depart(&tickets, at, &action).unwrap();
                    }
                };
                engine.tick_meeting(at, budget, meet).map(drop)
            }
            other => panic!("line {}: {other:?} does not come out of this host", number + 1),
        };
        if let Err(refusal) = done {
            panic!("line {} was refused: {refusal}\n{text}", number + 1);
        }
        host.poll(&mut events);
    }
    events
}

#[test]
fn calls_of_two_threads_between_ticks_are_brought_about_again() {
    for seed in 0..6 {
        let (events, record) = drive(seed, 60, false, false);
        let matches = events.iter().filter(|line| line.contains("\"match\"")).count();
        let ends = events.len() - matches;
        assert!(
            matches > 100 && ends > 50,
            "seed {seed}: {matches} matches, {ends} ends are too few to tell"
        );
        let again = replay(&record, false);
        let differs = events.iter().zip(&again).position(|(a, b)| a != b);
        assert_eq!(
            (differs, again.len()),
            (None, events.len()),
            "seed {seed}: {:?}",
            differs.map(|at| (&events[at], &again[at]))
        );
    }
}

#[test]
fn calls_that_meet_running_ticks_are_brought_about_again() {
    for seed in 10..14 {
        let (events, record) = drive(seed, 60, true, false);
        let again = replay(&record, false);
        // An update that met a tick is lost in the first run only, as its line stands behind the tick's.
        let plain = |line: &String| line.replace(",\"update_lost\":true", "");
        let differs = events.iter().zip(&again).position(|(a, b)| plain(a) != plain(b));
        assert_eq!(
            (differs, again.len()),
            (None, events.len()),
            "seed {seed}: {:?}",
            differs.map(|at| (&events[at], &again[at]))
        );
    }
}

#[test]
fn players_in_several_queues_are_brought_about_again() {
    for seed in 20..26 {
        for during in [false, true] {
            let (events, record) = drive(seed, 60, during, true);
            let elsewhere = events.iter().filter(|line| line.contains("MATCHED_ELSEWHERE")).count();
            assert!(elsewhere > 20, "seed {seed}: {elsewhere} ends are too few to tell");
            let again = replay(&record, true);
            let plain = |line: &String| line.replace(",\"update_lost\":true", "");
            let differs = events.iter().zip(&again).position(|(a, b)| plain(a) != plain(b));
            assert_eq!(
                (differs, again.len()),
                (None, events.len()),
                "seed {seed}, calls during ticks: {during}: {:?}",
                differs.map(|at| (&events[at], &again[at]))
            );
        }
    }
}

/// A forming ticket whose last member joins and whose host then cancels it, both while a tick runs that is about to match
/// one of its players elsewhere: the tick has it among those that form until its end.
#[test]
fn a_ticket_completed_and_cancelled_within_a_tick_is_brought_about_again() {
    let host = Host::new(true, true);
    let (engine, player) =
        (&host.engine, |id, skill| PlayerRequest::new(PlayerId(id)).number("skill", skill));
    let forming = TicketRequest::new("pairs").player(player(1, 1500)).awaits(PlayerId(9));
    let forming = engine.submit(Millis(0), forming).unwrap();
    engine.tick(Millis(0), 0).unwrap();
    for id in [1, 2] {
        let duel = TicketRequest::new("duel").player(player(id, 1500)).ping("eu", 30).ping("us", 60);
        engine.submit(Millis(10), duel).unwrap();
    }
    let mut is_done = false;
    let meet = &mut |_| {
        if !std::mem::replace(&mut is_done, true) {
            engine.join(Millis(20), forming, player(9, 1500)).unwrap();
            engine.cancel(Millis(20), forming).unwrap();
        }
    };
    engine.tick_meeting(Millis(20), 0, meet).unwrap();
    engine.tick(Millis(500), 0).unwrap();
    let (mut events, mut record) = (Vec::new(), String::new());
    host.poll(&mut events);
    host.engine.record(&*host.names.lock().unwrap(), &mut record);
    assert_eq!(events.len(), 2, "a match and a cancelled ticket: {events:?}");
    assert_eq!(replay(&record, true), events, "{record}");
}

#[test]
fn an_engine_that_is_not_asked_records_nothing() {
    let host = Host::new(false, false);
    host.engine.tick(Millis(0), 0).unwrap();
    host.engine.note(Millis(0), "{}").unwrap();
    let mut record = String::new();
    assert_eq!((host.engine.record(&*host.names.lock().unwrap(), &mut record), record.as_str()), (0, ""));
}

#[test]
fn notes_stand_where_they_were_made() {
    let host = Host::new(true, false);
    host.engine.note(Millis(1500), r#"{"wave":1}"#).unwrap();
    host.engine.tick(Millis(2000), 7).unwrap();
    let mut record = String::new();
    assert_eq!(host.engine.record(&*host.names.lock().unwrap(), &mut record), 2);
    assert_eq!(record, "{\"at\":1.5,\"note\":{\"wave\":1}}\n{\"at\":2,\"tick\":{\"budget\":7}}\n");
    assert_eq!(host.engine.record(&*host.names.lock().unwrap(), &mut record), 0, "a line is given once");
}

#[test]
fn a_cancel_meets_a_tick_behind_as_many_claims_as_it_says() {
    let engine = Engine::builder().build().unwrap();
    engine.add_queue(read_queue(r#"{"name": "q", "players": {"min": 2, "max": 2}}"#).unwrap()).unwrap();
    let submit = |player| {
        let request = TicketRequest::new("q").player(PlayerRequest::new(PlayerId(player)));
        engine.submit(Millis(0), request).unwrap()
    };
    let tickets: Vec<TicketId> = (1..=6).map(submit).collect();
    let (mut seen, mut answers) = (Vec::new(), Vec::new());
    let report = engine.tick_meeting(Millis(5), 0, &mut |claims| {
        seen.push(claims);
        if claims == 1 {
            // Of the first match, which has been made; and of the second one, which is about to be.
            answers.extend([1, 2].map(|at| engine.cancel(Millis(5), tickets[at]).map_err(|it| it.code)));
        }
    });
    assert_eq!(answers, [Err(Code::AlreadyMatched), Ok(())]);
    // The pair 2-3 is claimed in vain, then 3-4; 5 stays.
    assert_eq!((report.unwrap().matches, seen), (2, vec![0, 1, 2, u64::MAX]));
    let waiting = |&&id: &&TicketId| engine.ticket(id).unwrap().state == TicketState::Queued;
    assert_eq!(tickets.iter().filter(waiting).collect::<Vec<_>>(), [&tickets[5]]);
}

/// A ticket's event may be polled, and its slot given to another, before a tick takes its calls in: the record still says
/// who left, and by which id.
#[test]
fn a_record_says_who_left_whose_slot_has_been_given_away() {
    let engine = Engine::builder().capacity(2).retained(0).record(true).build().unwrap();
    let queue = r#"{"name": "q", "players": 4, "party": {"max": 2}, "timeout_s": 5}"#;
    let queue = engine.add_queue(read_queue(queue).unwrap()).unwrap();
    let request = |players: &[u128]| {
        players.iter().fold(TicketRequest::new("q"), |request, &player| {
            request.player(PlayerRequest::new(PlayerId(player)))
        })
    };
    let party = engine.submit(Millis(0), request(&[1, 2])).unwrap();
    engine.leave(Millis(0), PlayerId(1)).unwrap();
    let mut events = Vec::new();
    assert_eq!(engine.poll(&mut events, 1), 1);
    let mut slots = Vec::new();
    for player in 3..100 {
        let other = engine.submit(Millis(0), request(&[player])).unwrap();
        slots.push(other.slot());
        engine.cancel(Millis(0), other).unwrap();
        engine.poll(&mut events, 1);
    }
    assert!(slots.contains(&party.slot()), "another ticket has had the slot");
    engine.tick(Millis(0), 0).unwrap();
    let names = HostNames { queues: HashMap::from([(queue, "q".to_owned())]), ..HostNames::default() };
    let mut record = String::new();
    engine.record(&names, &mut record);
    let second = record.lines().nth(1).unwrap();
    assert_eq!(second, r#"{"at":0,"leave":{"player":"p1"}}"#);
    assert_eq!(record.matches("\"cancel\"").count(), 97);
}

/// A ticket that is put back, ended and forgotten before a tick keeps the name of the first one.
#[test]
fn a_record_says_who_was_put_back_whose_slot_has_been_given_away() {
    let engine = Engine::builder().capacity(8).retained(2).record(true).build().unwrap();
    let queue = engine.add_queue(read_queue(r#"{"name": "q", "players": 2}"#).unwrap()).unwrap();
    let submit = |player| {
        engine
            .submit(Millis(1), TicketRequest::new("q").player(PlayerRequest::new(PlayerId(player))))
            .unwrap()
    };
    let first = submit(1);
    submit(2);
    engine.tick(Millis(1), 0).unwrap();
    let mut events = Vec::new();
    engine.poll(&mut events, 1);
    let Some(Event::Match(found)) = events.pop() else { panic!("no match") };
    let again = engine.requeue(Millis(2), found.id, &[first]).unwrap().remove(0).unwrap();
    engine.cancel(Millis(2), again).unwrap();
    engine.poll(&mut events, 1);
    for player in 10..40 {
        let other = submit(player);
        engine.cancel(Millis(2), other).unwrap();
        engine.poll(&mut events, 1);
    }
    engine.tick(Millis(3), 0).unwrap();
    let names = HostNames {
        queues: HashMap::from([(queue, "q".to_owned())]),
        matches: HashMap::from([(found.id, 1)]),
        ..HostNames::default()
    };
    let mut record = String::new();
    engine.record(&names, &mut record);
    let name = format!("t{:x}", first.0);
    assert!(
        record.contains(&format!(r#"{{"at":0.002,"requeue":{{"match":"m1","tickets":["{name}"]}}}}"#)),
        "{record}"
    );
    assert!(record.contains(&format!(r#"{{"at":0.002,"cancel":{{"ticket":"{name}"}}}}"#)), "{record}");
}
