//! How tickets go into an engine, and how events come out: as plain tickets and flat arrays, or as requests and records.
//!
//! Used by `pass` and `hosts`. A plain ticket has no name in it; names were resolved once, into a layout of the engine.
//! Requests are what a host writes at first, and take every kind of ticket. Invariant: both doors bring the same tickets,
//! and the same matches come of them.

use super::crowd::{Mode, Party, QUEUE};
use evenmatch::base::fixed::Fixed;
use evenmatch::model::codes::Refusal;
use evenmatch::{
    Engine, Event, EventBuffer, Millis, PlainTicket, PlainValue, PlayerId, PlayerRequest, TextId, TicketId,
    TicketLayout, TicketRequest,
};
use std::sync::Arc;

/// Which door.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DoorKind {
    Plain,
    Request,
}

impl DoorKind {
    /// Its word.
    pub(super) const fn word(self) -> &'static str {
        match self {
            DoorKind::Plain => "plain",
            DoorKind::Request => "request",
        }
    }
}

/// The attributes of roles, as a party's players have them.
pub(super) const ROLES: [&str; 3] = ["tank", "healer", "damage"];

/// A door of one engine.
pub(super) struct Door {
    engine: Arc<Engine>,
    /// What plain tickets bring, and the text of the mode that is shared; `None`: requests go in.
    plain: Option<(TicketLayout, Option<TextId>)>,
    has_roles: bool,
    regions: Vec<String>,
}

/// Tickets that are ready to go in.
pub(super) enum Made {
    Plain(PlainBatch),
    Requests(Vec<TicketRequest>),
}

/// Plain tickets in flat arrays.
pub(super) struct PlainBatch {
    /// Players of each ticket.
    sizes: Vec<u8>,
    players: Vec<PlayerId>,
    values: Vec<PlainValue>,
    pings_ms: Vec<Option<Fixed>>,
    user_data: u64,
}

/// Events that have come out, in memory that is used again.
pub(super) enum Fetched {
    Plain(EventBuffer),
    Records(Vec<Event>),
}

impl Door {
    /// A door of an engine that has the queue, which has modes or roles or neither.
    pub(super) fn new(
        engine: Arc<Engine>,
        kind: DoorKind,
        has_modes: bool,
        has_roles: bool,
        regions: usize,
    ) -> Result<Door, Refusal> {
        let regions: Vec<String> = (1..=regions).map(|region| format!("region-{region:02}")).collect();
        let queue = engine.queue(QUEUE).filter(|_| kind == DoorKind::Plain);
        let plain = queue.map(|queue| {
            let mut attributes = vec!["skill"];
            attributes.extend(has_modes.then_some("mode"));
            attributes.extend(ROLES.iter().filter(|_| has_roles));
            let names: Vec<&str> = regions.iter().map(String::as_str).collect();
            let mode = has_modes.then(|| engine.text("ranked")).transpose()?;
            Ok((engine.layout(queue, &attributes, &names)?, mode))
        });
        Ok(Door { plain: plain.transpose()?, has_roles, regions, engine })
    }

    /// Makes tickets ready, all with the same word of the host's.
    pub(super) fn make(&self, parties: impl Iterator<Item = Party>, user_data: u64) -> Made {
        match &self.plain {
            Some((_, mode)) => Made::Plain(self.plain_batch(parties, *mode, user_data)),
            None => self.requests(parties, user_data),
        }
    }

    /// Makes requests ready, whatever the door.
    pub(super) fn requests(&self, parties: impl Iterator<Item = Party>, user_data: u64) -> Made {
        Made::Requests(parties.map(|party| self.request(&party).user_data(user_data)).collect())
    }

    fn request(&self, party: &Party) -> TicketRequest {
        let mut ticket = TicketRequest::new(QUEUE);
        for person in &party.players {
            let mut player = PlayerRequest::new(person.id).number("skill", person.skill);
            player = match person.mode {
                Some(Mode::Ranked) => player.string("mode", "ranked"),
                Some(Mode::Odd(number)) => player.string("mode", &format!("mode-{number}")),
                None => player,
            };
            ticket = ticket.player(match person.role {
                Some(role) => player.number(ROLES[role], 1),
                None => player,
            });
        }
        for (region, &ping) in self.regions.iter().zip(&party.pings_ms) {
            ticket.latency.push((region.clone(), ping.into()));
        }
        ticket
    }

    fn plain_batch(
        &self,
        parties: impl Iterator<Item = Party>,
        ranked: Option<TextId>,
        user_data: u64,
    ) -> PlainBatch {
        let (sizes, players, values, pings_ms) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut batch = PlainBatch { sizes, players, values, pings_ms, user_data };
        for party in parties {
            batch.sizes.push(party.players.len() as u8);
            for person in &party.players {
                batch.players.push(person.id);
                batch.values.push(PlainValue::Number(Fixed::from_int(person.skill.into())));
                batch.values.extend(ranked.map(|ranked| match person.mode {
                    Some(Mode::Ranked) => PlainValue::Text(ranked),
                    _ => PlainValue::Nothing,
                }));
                let role = |at: usize| {
                    if person.role == Some(at) { PlainValue::Number(Fixed::ONE) } else { PlainValue::Nothing }
                };
                batch.values.extend((0..ROLES.len()).filter(|_| self.has_roles).map(role));
            }
            batch.pings_ms.extend(party.pings_ms.iter().map(|&ping| Some(Fixed::from_int(ping.into()))));
        }
        batch
    }

    /// Submits tickets as one batch; an answer for each is appended.
    pub(super) fn submit(&self, now: Millis, made: Made, answers: &mut Vec<Result<TicketId, Refusal>>) {
        match (made, &self.plain) {
            (Made::Plain(batch), Some((layout, _))) => {
                self.engine.submit_plain(now, layout, batch.tickets(layout), answers);
            }
            (Made::Requests(mut requests), _) if requests.len() == 1 => {
                answers.extend(requests.pop().map(|request| self.engine.submit(now, request)));
            }
            (Made::Requests(requests), _) => answers.extend(self.engine.submit_batch(now, requests)),
            // Plain tickets are made where there is a layout only.
            (Made::Plain(_), None) => {}
        }
    }

    /// Memory for events.
    pub(super) fn memory(&self, events: usize) -> Fetched {
        match self.plain {
            Some(_) => {
                let mut buffer = EventBuffer::default();
                buffer.events.reserve(events);
                Fetched::Plain(buffer)
            }
            None => Fetched::Records(Vec::with_capacity(events)),
        }
    }

    /// Fetches at most so many events; says how many.
    pub(super) fn poll(&self, fetched: &mut Fetched, most: usize) -> usize {
        match fetched {
            Fetched::Plain(buffer) => self.engine.poll_into(buffer, most),
            Fetched::Records(events) => self.engine.poll(events, most),
        }
    }

    /// The engine.
    pub(super) fn engine(&self) -> &Engine {
        &self.engine
    }
}

impl PlainBatch {
    fn tickets<'b>(&'b self, layout: &TicketLayout) -> impl Iterator<Item = PlainTicket<'b>> {
        let (mut players, mut values, mut pings_ms) =
            (&self.players[..], &self.values[..], &self.pings_ms[..]);
        let (attributes, regions) = (layout.attribute_count(), layout.region_count());
        self.sizes.iter().map(move |&size| {
            let (own, rest) = players.split_at(size.into());
            players = rest;
            let (brought, rest) = values.split_at(attributes * usize::from(size));
            values = rest;
            let (pings, rest) = pings_ms.split_at(regions);
            pings_ms = rest;
            PlainTicket {
                players: own,
                values: brought,
                pings_ms: pings,
                enqueued: None,
                user_data: self.user_data,
            }
        })
    }
}

impl Made {
    /// How many tickets.
    pub(super) fn len(&self) -> usize {
        match self {
            Made::Plain(batch) => batch.sizes.len(),
            Made::Requests(requests) => requests.len(),
        }
    }
}

impl Fetched {
    /// How many events.
    pub(super) fn len(&self) -> usize {
        match self {
            Fetched::Plain(buffer) => buffer.events.len(),
            Fetched::Records(events) => events.len(),
        }
    }

    /// Drops the events; the memory stays.
    pub(super) fn clear(&mut self) {
        match self {
            Fetched::Plain(buffer) => buffer.clear(),
            Fetched::Records(events) => events.clear(),
        }
    }
}
