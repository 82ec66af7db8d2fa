//! A host in the shorthand of the cases: tickets by name, times in seconds, events as short lines.
//!
//! Used by every module of cases. A match reads `{A B | C}`: teams in the order of the record, tickets by
//! name, `-` for a team that stands empty, ` @eu` behind it where there is a region. An end reads
//! `A TIMED_OUT`. Invariant: whatever the engine says is asserted or returned; nothing is dropped.

use super::queues::{QUEUE, seconds};
use evenmatch::base::fixed::Decimal;
use evenmatch::engine::{Engine, EngineBuilder};
use evenmatch::model::codes::{Code, Refusal};
use evenmatch::model::event::{Event, MatchRecord};
use evenmatch::model::ids::{PlayerId, QueueId, TicketId};
use evenmatch::model::request::{PlayerRequest, TicketRequest};
use evenmatch::model::status::TicketStatus;
use evenmatch::rules::spec::QueueSpec;
use std::collections::BTreeMap;

/// One ticket to add.
#[derive(Clone)]
pub struct Ticket {
    name: String,
    players: Vec<(String, PlayerRequest)>,
    request: TicketRequest,
}

/// A ticket of one player of that name, without attributes.
pub fn ticket(name: &str) -> Ticket {
    party(name, &[name])
}

/// A ticket of several players, each by name.
pub fn party(name: &str, players: &[&str]) -> Ticket {
    let players = players.iter().map(|&player| (player.to_owned(), PlayerRequest::default())).collect();
    Ticket { name: name.to_owned(), players, request: TicketRequest::new(QUEUE) }
}

/// A ticket of players with these ratings, named after the ticket.
pub fn rated(name: &str, ratings: &[f64]) -> Ticket {
    let mut ticket = ticket(name);
    ticket.players = ratings
        .iter()
        .enumerate()
        .map(|(i, &rating)| (format!("{name}.{i}"), PlayerRequest::default().number("skill", rating)))
        .collect();
    ticket
}

/// A ticket of that many players without attributes.
pub fn players(name: &str, count: usize) -> Ticket {
    let mut ticket = rated(name, &vec![0.0; count]);
    ticket.players.iter_mut().for_each(|(_, player)| player.attributes.clear());
    ticket
}

impl Ticket {
    /// Gives every player a number.
    pub fn number(self, attribute: &str, value: impl Into<Decimal>) -> Ticket {
        let value = value.into();
        self.each(|player| player.number(attribute, value))
    }

    /// Gives every player a string.
    pub fn string(self, attribute: &str, value: &str) -> Ticket {
        self.each(|player| player.string(attribute, value))
    }

    fn each(mut self, change: impl Fn(PlayerRequest) -> PlayerRequest) -> Ticket {
        self.players = self.players.into_iter().map(|(name, player)| (name, change(player))).collect();
        self
    }

    /// Gives the ticket a round-trip time.
    pub fn ping(self, region: &str, ms: impl Into<Decimal>) -> Ticket {
        self.request(|request| request.ping(region, ms))
    }

    /// Gives one of its players a round-trip time of his own.
    pub fn player_ping(mut self, index: usize, region: &str, ms: impl Into<Decimal>) -> Ticket {
        self.players[index].1.latency.push((region.to_owned(), ms.into()));
        self
    }

    /// Sets its own limits of skill.
    pub fn skill_between(mut self, least: f64, greatest: f64) -> Ticket {
        let limit = ("skill".to_owned(), Some(least.into()), Some(greatest.into()));
        self.request.limits.attributes.push(limit);
        self
    }

    /// Sends it to another queue.
    pub fn queue(self, name: &str) -> Ticket {
        self.request(|request| TicketRequest { queue: name.to_owned(), ..request })
    }

    /// Changes the request itself.
    pub fn request(mut self, change: impl FnOnce(TicketRequest) -> TicketRequest) -> Ticket {
        self.request = change(self.request);
        self
    }
}

/// An engine, and the names that the case uses.
pub struct Host {
    pub engine: Engine,
    names: BTreeMap<TicketId, String>,
    ids: BTreeMap<String, TicketId>,
    players: BTreeMap<String, PlayerId>,
    queues: BTreeMap<String, QueueId>,
    /// Every match that was polled.
    pub matches: Vec<MatchRecord>,
}

impl Host {
    /// A host with one queue; the judge looks at every match.
    pub fn new(queue: QueueSpec) -> Host {
        Host::with(Engine::builder().capacity(10_000), vec![queue])
    }

    /// A host with these queues.
    pub fn with(builder: EngineBuilder, queues: Vec<QueueSpec>) -> Host {
        let engine = builder.check_matches(true).build().unwrap();
        let mut host = Host {
            engine,
            names: BTreeMap::new(),
            ids: BTreeMap::new(),
            players: BTreeMap::new(),
            queues: BTreeMap::new(),
            matches: Vec::new(),
        };
        for queue in queues {
            let name = queue.name.clone();
            let id = host.engine.add_queue(queue).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
            host.queues.insert(name, id);
        }
        host
    }

    pub fn queue(&self, name: &str) -> QueueId {
        self.queues[name]
    }

    /// The id of a player by name; a new one for a new name.
    pub fn player(&mut self, name: &str) -> PlayerId {
        let next = PlayerId(1000 + self.players.len() as u128);
        *self.players.entry(name.to_owned()).or_insert(next)
    }

    /// The id of the newest ticket of that name.
    pub fn id(&self, name: &str) -> TicketId {
        self.ids[name]
    }

    /// The name of a ticket.
    pub fn name(&self, id: TicketId) -> &str {
        &self.names[&id]
    }

    /// Submits; a refusal fails the case.
    #[track_caller]
    pub fn add(&mut self, at_s: f64, ticket: Ticket) -> TicketId {
        let name = ticket.name.clone();
        self.try_add(at_s, ticket).unwrap_or_else(|refusal| panic!("{name}: {refusal}"))
    }

    /// Submits.
    pub fn try_add(&mut self, at_s: f64, ticket: Ticket) -> Result<TicketId, Refusal> {
        let Ticket { name, players, mut request } = ticket;
        for (player, mut asked) in players {
            asked.id = self.player(&player);
            request.players.push(asked);
        }
        let id = self.engine.submit(seconds(at_s), request)?;
        assert_ne!(id.0, 0, "0 is never a ticket");
        self.call(&name, id);
        Ok(id)
    }

    /// Submits and expects that code.
    #[track_caller]
    pub fn refused(&mut self, at_s: f64, ticket: Ticket, code: Code) -> Refusal {
        let name = ticket.name.clone();
        let refusal = self.try_add(at_s, ticket).map(|_| name).unwrap_err();
        assert_eq!(refusal.code, code, "{refusal}");
        refusal
    }

    /// Gives a ticket its name: a new one, or the one that a requeue made.
    pub fn call(&mut self, name: &str, id: TicketId) {
        self.names.insert(id, name.to_owned());
        self.ids.insert(name.to_owned(), id);
    }

    pub fn cancel(&self, at_s: f64, name: &str) -> Result<(), Refusal> {
        self.engine.cancel(seconds(at_s), self.id(name))
    }

    /// Ticks without a budget, polls dry, and says what came out.
    pub fn tick(&mut self, at_s: f64) -> Vec<String> {
        let report = self.engine.tick(seconds(at_s), 0).unwrap();
        assert!(report.complete, "a tick without a budget visits every due ticket");
        self.poll()
    }

    /// Ticks every second from `from_s` to `to_s` inclusive; each line starts with its second.
    pub fn ticks(&mut self, from_s: u32, to_s: u32) -> Vec<String> {
        let mut lines = Vec::new();
        for second in from_s..=to_s {
            lines.extend(self.tick(f64::from(second)).into_iter().map(|line| format!("{second}: {line}")));
        }
        lines
    }

    /// Polls dry.
    pub fn poll(&mut self) -> Vec<String> {
        let mut events = Vec::new();
        while self.engine.poll(&mut events, 16) > 0 {}
        events.into_iter().map(|event| self.line(event)).collect()
    }

    fn line(&mut self, event: Event) -> String {
        match event {
            Event::Ended(ended) => format!("{} {}", self.name(ended.ticket), ended.reason),
            Event::Match(record) => {
                let teams = record.teams.iter().map(|team| {
                    let names: Vec<&str> = team.tickets.iter().map(|&id| self.name(id)).collect();
                    if names.is_empty() { "-".to_owned() } else { names.join(" ") }
                });
                let teams: Vec<String> = teams.collect();
                let region = record.region.as_ref().map(|region| format!(" @{region}")).unwrap_or_default();
                let line = format!("{{{}}}{region}", teams.join(" | "));
                self.matches.push(*record);
                line
            }
        }
    }

    pub fn status(&self, name: &str) -> TicketStatus {
        self.engine.ticket(self.id(name)).unwrap_or_else(|refusal| panic!("{name}: {refusal}"))
    }

    /// Requeues tickets of the newest match that was polled, under their old names.
    pub fn requeue(&mut self, at_s: f64, names: &[&str]) -> Vec<Result<TicketId, Refusal>> {
        let of = self.matches.last().expect("a match was polled").id;
        let tickets: Vec<TicketId> = names.iter().map(|name| self.id(name)).collect();
        let answers = self.engine.requeue(seconds(at_s), of, &tickets).unwrap();
        for (name, answer) in names.iter().zip(&answers) {
            if let Ok(id) = answer {
                self.call(name, *id);
            }
        }
        answers
    }
}

/// No line at all: what a tick says that changes nothing.
pub const NOTHING: [&str; 0] = [];
