//! Players in several queues at once, held against a slow model: random traffic in three queues without rules, whose
//! every match can be said beforehand.
//!
//! The model has plain lists and looks through all of them. A failure prints the seed, which repeats it.
#![allow(clippy::unwrap_used)] // All of this file is a test.

use evenmatch::engine::{Engine, EngineBuilder};
use evenmatch::model::codes::{Code, EndReason};
use evenmatch::model::event::Event;
use evenmatch::model::ids::{Millis, PlayerId, TicketId};
use evenmatch::model::request::{PlayerRequest, TicketRequest};
use evenmatch::rules::spec::{MatchSizeSpec, QueueSpec, TeamSpec};
use std::collections::HashMap;

/// The queues: players a team, of two teams. The last one is declared last and has the largest matches.
const QUEUES: [(&str, u32); 3] = [("ones", 1), ("twos", 2), ("threes", 3)];
/// Tickets time out after so long.
const TIMEOUT: Millis = Millis(9_000);
/// Tickets of one queue, at most: pools in which the engine equals its definition.
const POOL_MAX: usize = 10;

fn queue(name: &str, size: u32) -> QueueSpec {
    let team =
        |name: &str| TeamSpec { name: name.to_owned(), count: None, players_min: size, players_max: size };
    QueueSpec {
        players: MatchSizeSpec::default(),
        teams: vec![team("a"), team("b")],
        timeout: Some(TIMEOUT),
        ..QueueSpec::new(name, 1, 1)
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

/// A live ticket of the model. The list of them is in the order of submits; those put back stand where they stood.
#[derive(Clone, Debug)]
struct Waiting {
    id: TicketId,
    queue: usize,
    players: Vec<u64>,
    enqueued: Millis,
    /// Its place among the submits.
    number: u64,
}

/// What an event says, for comparison.
#[derive(Clone, PartialEq, Debug)]
enum Said {
    Match(usize, Vec<TicketId>),
    Ended(TicketId, EndReason),
}

#[derive(Default)]
struct Model {
    waiting: Vec<Waiting>,
    next: u64,
}

impl Model {
    fn held_in(&self, queue: usize, player: u64) -> Option<TicketId> {
        let mut held =
            self.waiting.iter().filter(|held| held.queue == queue && held.players.contains(&player));
        let found = held.next().map(|held| held.id);
        assert!(held.next().is_none(), "player {player} is in two tickets of one queue");
        found
    }

    fn tickets_of(&self, player: u64) -> Vec<TicketId> {
        let held = self.waiting.iter().filter(|held| held.players.contains(&player));
        held.map(|held| held.id).collect()
    }

    fn remove(&mut self, id: TicketId) -> Option<Waiting> {
        let at = self.waiting.iter().position(|held| held.id == id)?;
        Some(self.waiting.remove(at))
    }

    /// The first set of tickets from `at` on, in the order of submit numbers, that fills both teams. `fills`: how many
    /// players each team may have by now.
    fn complete(
        pool: &[Waiting],
        at: usize,
        size: usize,
        fills: &[[usize; 2]],
        picked: &mut Vec<usize>,
    ) -> bool {
        if fills.contains(&[size, size]) {
            return true;
        }
        for next in at..pool.len() {
            let with =
                |[a, b]: [usize; 2]| [[a + pool[next].players.len(), b], [a, b + pool[next].players.len()]];
            let filled: Vec<[usize; 2]> =
                fills.iter().flat_map(|&fill| with(fill)).filter(|&[a, b]| a <= size && b <= size).collect();
            picked.push(next);
            if !filled.is_empty() && Model::complete(pool, next + 1, size, &filled, picked) {
                return true;
            }
            picked.pop();
        }
        false
    }

    /// One tick: what has timed out, then the queue with the oldest ticket first.
    fn tick(&mut self, now: Millis) -> Vec<Said> {
        let mut said = Vec::new();
        let is_due = |held: &Waiting| held.enqueued.0 + TIMEOUT.0 <= now.0;
        let mut due: Vec<Waiting> = self.waiting.iter().filter(|held| is_due(held)).cloned().collect();
        due.sort_by_key(|held| (held.enqueued, held.number));
        self.waiting.retain(|held| !is_due(held));
        said.extend(due.iter().map(|held| Said::Ended(held.id, EndReason::TimedOut)));
        // A queue's turn ends with its last ticket, so each has one turn.
        let mut open = vec![0, 1, 2];
        let mut matches: Vec<(usize, Vec<Said>)> = Vec::new();
        while let Some(held) = self.waiting.iter().find(|held| open.contains(&held.queue)) {
            let queue = held.queue;
            open.retain(|&other| other != queue);
            self.turn(queue, &mut matches);
        }
        matches.sort_by_key(|&(queue, _)| queue);
        said.extend(matches.into_iter().flat_map(|(_, said)| said));
        said
    }

    fn turn(&mut self, queue: usize, matches: &mut Vec<(usize, Vec<Said>)>) {
        let mut anchor = 0;
        loop {
            let pool: Vec<Waiting> =
                self.waiting.iter().filter(|held| held.queue == queue).cloned().collect();
            if anchor >= pool.len() {
                return;
            }
            let mut picked = vec![anchor];
            let size = QUEUES[queue].1 as usize;
            let first = pool[anchor].players.len();
            if first > size || !Model::complete(&pool, anchor + 1, size, &[[first, 0]], &mut picked) {
                anchor += 1;
                continue;
            }
            let tickets: Vec<TicketId> = picked.iter().map(|&at| pool[at].id).collect();
            let players: Vec<u64> = picked.iter().flat_map(|&at| pool[at].players.clone()).collect();
            self.waiting.retain(|held| !tickets.contains(&held.id));
            let mut said = vec![Said::Match(queue, tickets)];
            let is_elsewhere = |held: &Waiting| held.players.iter().any(|player| players.contains(player));
            let elsewhere = self.waiting.iter().filter(|held| is_elsewhere(held));
            said.extend(elsewhere.map(|held| Said::Ended(held.id, EndReason::MatchedElsewhere)));
            self.waiting.retain(|held| !is_elsewhere(held));
            matches.push((queue, said));
        }
    }
}

struct Evening {
    engine: Engine,
    model: Model,
    draws: Draws,
    ends: HashMap<TicketId, usize>,
    submitted: u64,
    /// Matches with their tickets, for requeues.
    past: Vec<(TicketId, Vec<Waiting>)>,
    lines: Vec<String>,
}

impl Evening {
    fn new(seed: u64, builder: EngineBuilder) -> Evening {
        let engine = builder
            .capacity(2_000)
            .retained(500)
            .check_matches(true)
            .allow_many_queues(true)
            .build()
            .unwrap();
        for (name, size) in QUEUES {
            engine.add_queue(queue(name, size)).unwrap();
        }
        let (model, ends, past) = (Model::default(), HashMap::new(), Vec::new());
        Evening { engine, model, draws: Draws(seed), ends, submitted: 0, past, lines: Vec::new() }
    }

    fn submit(&mut self, now: Millis) {
        let queue = self.draws.below(3) as usize;
        if self.model.waiting.iter().filter(|held| held.queue == queue).count() >= POOL_MAX {
            return;
        }
        let size = 1 + self.draws.below(u64::from(QUEUES[queue].1)) as usize;
        let mut players: Vec<u64> = Vec::new();
        while players.len() < size {
            let player = 1 + self.draws.below(24);
            if !players.contains(&player) {
                players.push(player);
            }
        }
        let mut request = TicketRequest::new(QUEUES[queue].0);
        for &player in &players {
            request = request.player(PlayerRequest::new(PlayerId(player.into())));
        }
        let held = players.iter().find_map(|&player| self.model.held_in(queue, player));
        match (self.engine.submit(now, request), held) {
            (Ok(id), None) => {
                self.submitted += 1;
                let number = self.model.next;
                self.model.next += 1;
                self.model.waiting.push(Waiting { id, queue, players, enqueued: now, number });
            }
            (Err(refusal), Some(held)) => {
                assert_eq!((refusal.code, refusal.ticket), (Code::PlayerAlreadyQueued, Some(held)));
            }
            (answer, held) => panic!("{answer:?}, while {held:?} keeps a player out"),
        }
    }

    fn end(&mut self, id: TicketId, reason: EndReason, expected: &mut Vec<Said>) {
        self.model.remove(id).unwrap();
        expected.push(Said::Ended(id, reason));
    }

    fn leave(&mut self, now: Millis, expected: &mut Vec<Said>) {
        let player = 1 + self.draws.below(24);
        let tickets = self.model.tickets_of(player);
        let answer = self.engine.leave(now, PlayerId(player.into()));
        assert_eq!(answer.map_err(|refusal| refusal.code), tickets.first().copied().ok_or(Code::NotFound));
        for id in tickets {
            let size = self.model.waiting.iter().find(|held| held.id == id).unwrap().players.len();
            let reason = if size > 1 { EndReason::PartyMemberLeft } else { EndReason::Cancelled };
            self.end(id, reason, expected);
        }
    }

    fn requeue(&mut self, now: Millis) {
        let Some((of, tickets)) = self.past.pop() else { return };
        let ids: Vec<TicketId> = tickets.iter().map(|held| held.id).collect();
        let answers = self.engine.requeue(now, evenmatch::model::ids::MatchId(of), &ids).unwrap();
        for (old, answer) in tickets.into_iter().zip(answers) {
            let held = old.players.iter().find_map(|&player| self.model.held_in(old.queue, player));
            match (answer, held) {
                (Ok(id), None) => {
                    self.submitted += 1;
                    // Back at its old place.
                    let place = self.model.waiting.partition_point(|held| held.number < old.number);
                    self.model.waiting.insert(place, Waiting { id, ..old });
                }
                (Err(refusal), Some(held)) => {
                    assert_eq!((refusal.code, refusal.ticket), (Code::Superseded, Some(held)));
                }
                (answer, held) => panic!("{answer:?}, while {held:?} keeps a player out"),
            }
        }
    }

    fn poll(&mut self) -> Vec<Said> {
        let mut events = Vec::new();
        self.engine.poll(&mut events, usize::MAX);
        events
            .into_iter()
            .map(|event| {
                let said = match event {
                    Event::Match(record) => {
                        let ids = record.tickets.iter().map(|ticket| ticket.id).collect();
                        Said::Match(record.queue.0 as usize, ids)
                    }
                    Event::Ended(record) => Said::Ended(record.ticket, record.reason),
                };
                let ids = match &said {
                    Said::Match(_, ids) => ids.clone(),
                    Said::Ended(id, _) => vec![*id],
                };
                ids.into_iter().for_each(|id| *self.ends.entry(id).or_default() += 1);
                self.lines.push(format!("{said:?}"));
                said
            })
            .collect()
    }

    fn second(&mut self, second: u64) {
        let mut expected = Vec::new();
        for call in 0..self.draws.below(16) {
            let now = Millis(second * 1000 + call);
            match self.draws.below(12) {
                0..=8 => self.submit(now),
                9 => {
                    let waiting = self.model.waiting.len() as u64;
                    if waiting > 0 {
                        let id = self.model.waiting[self.draws.below(waiting) as usize].id;
                        assert_eq!(self.engine.cancel(now, id), Ok(()));
                        self.end(id, EndReason::Cancelled, &mut expected);
                    }
                }
                10 => self.leave(now, &mut expected),
                _ => self.requeue(now),
            }
            let player = 1 + self.draws.below(24);
            let own = self.model.tickets_of(player);
            assert_eq!(self.engine.tickets_of(PlayerId(player.into())), own, "player {player}");
            assert_eq!(self.engine.ticket_of(PlayerId(player.into())), own.first().copied());
        }
        let now = Millis(second * 1000 + 500);
        let before = self.model.waiting.clone();
        let report = self.engine.tick(now, 0).unwrap();
        let of_tick = self.model.tick(now);
        let ended = of_tick.iter().filter(|said| matches!(said, Said::Ended(..))).count() as u64;
        assert_eq!((report.ended, report.complete), (ended, true));
        expected.extend(of_tick);
        let said = self.poll();
        assert_eq!(said, expected, "second {second}");
        for said in &said {
            let Said::Match(_, ids) = said else { continue };
            let tickets: Vec<Waiting> =
                before.iter().filter(|held| ids.contains(&held.id)).cloned().collect();
            for player in tickets.iter().flat_map(|held| &held.players) {
                let own = self.engine.tickets_of(PlayerId((*player).into()));
                assert_eq!(own, [], "player {player} is matched and waits");
            }
            self.past.push((tickets[0].id, tickets));
        }
    }

    fn run(mut self, seconds: u64) -> Vec<String> {
        (0..seconds).for_each(|second| self.second(second));
        let stats = self.engine.stats();
        let waiting = self.model.waiting.len() as u64;
        assert_eq!((stats.submitted, stats.waiting, stats.unpolled), (self.submitted, waiting, 0));
        assert!(self.ends.values().all(|&times| times == 1), "a ticket ends once");
        assert_eq!(self.ends.len() as u64 + waiting, self.submitted, "every ticket ends");
        let elsewhere = self.lines.iter().filter(|line| line.contains("MatchedElsewhere")).count() as u64;
        assert_eq!(stats.ended_by_reason.of(EndReason::MatchedElsewhere), elsewhere);
        self.lines
    }
}

#[test]
fn three_queues_do_what_the_model_says() {
    for seed in 0..40 {
        let lines = std::panic::catch_unwind(|| Evening::new(seed, Engine::builder()).run(120));
        let lines = lines.unwrap_or_else(|_| panic!("seed {seed}"));
        let count = |what: &str| lines.iter().filter(|line| line.contains(what)).count();
        assert!(count("Match(") > 50 && count("MatchedElsewhere") > 50, "seed {seed} is too quiet to tell");
    }
}

#[test]
fn the_same_for_any_number_of_threads() {
    for seed in 100..106 {
        let alone = Evening::new(seed, Engine::builder()).run(60);
        for (threads, rounds) in [(2, None), (3, Some(1))] {
            let builder = Engine::builder().threads(threads).disturb(rounds, seed + 1);
            assert!(Evening::new(seed, builder).run(60) == alone, "seed {seed} with {threads} threads");
        }
    }
}
