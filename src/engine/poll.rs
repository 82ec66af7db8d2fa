//! Events become records as they are polled, and their tickets become retained.
//!
//! An event is the id of a ticket whose terminal event is written; that of a match is its oldest ticket, which leads
//! to the others. Whoever takes the id out of the queue has the event to itself.

use super::door::{Door, id_of};
use super::gone::Gone;
use super::head::MatchHead;
use super::ticket::{End, Terminal, Ticket};
use crate::base::fixed::Fixed;
use crate::base::shelf::Ref;
use crate::base::sync::{Ordering, fence};
use crate::config::write::attribute_json;
use crate::model::buffer::{EventBuffer, FlatEvent, FlatKept, FlatMatch, FlatTicket};
use crate::model::event::{EndedRecord, Event, MatchRecord, MatchedTicket, TeamRecord};
use crate::model::ids::{MatchId, Millis, QueueId, TicketId};
use crate::model::request::TicketRequest;
use crate::queue::regions::RegionOrder;
use crate::rules::compile::CompiledQueue;
use crate::rules::shape::Shape;
use std::sync::Arc;

/// Events that a call takes out of the queue at once, at most: so many share an exchange and a fence. Chosen: a thread
/// that is stopped in the middle of a poll keeps no more than these to itself.
const TAKEN_MAX: usize = 32;

/// What a poll has at hand while it tells of events.
pub(super) struct Telling<'a> {
    /// Where the tickets go whose event was told; `None`: they stay as they are.
    gone: Option<Gone<'a>>,
    /// The names of the regions of the queue that was told of last, as they were when its event had been taken.
    order: Option<(QueueId, Arc<RegionOrder>)>,
}

/// Looks at tickets of a match that somebody has looked at before.
#[derive(Clone, Copy)]
struct Lead<'a> {
    oldest: &'a Ref<'a, Ticket>,
    /// The one that most likely comes second.
    second: Option<&'a Ref<'a, Ticket>>,
}

/// Tells an event: of a ticket that ended without a match, or of the match whose oldest ticket it is, whose tickets it
/// lets go.
trait Tell {
    fn ended(&mut self, ended: EndedRecord);
    /// Whether there is such a match.
    fn found(&mut self, door: &Door, lead: Lead<'_>, at: Millis, by: &mut Telling<'_>) -> bool;
}

impl Tell for &mut Vec<Event> {
    fn ended(&mut self, ended: EndedRecord) {
        self.push(Event::Ended(ended));
    }

    fn found(&mut self, door: &Door, lead: Lead<'_>, at: Millis, by: &mut Telling<'_>) -> bool {
        let record = door.record_of(lead, at, by);
        let is_found = record.is_some();
        self.extend(record.map(|record| Event::Match(Box::new(record))));
        is_found
    }
}

impl Tell for &mut EventBuffer {
    fn ended(&mut self, ended: EndedRecord) {
        self.events.push(FlatEvent::Ended(ended));
    }

    fn found(&mut self, door: &Door, lead: Lead<'_>, at: Millis, by: &mut Telling<'_>) -> bool {
        door.flat_match(lead, at, self, by)
    }
}

impl Door {
    /// Moves at most so many events to the end of a list; how many.
    pub(super) fn poll(&self, out: &mut Vec<Event>, max: usize) -> usize {
        self.poll_with(out, max)
    }

    /// Moves at most so many events to the end of a buffer; how many.
    pub(super) fn poll_into(&self, out: &mut EventBuffer, max: usize) -> usize {
        self.poll_with(out, max)
    }

    /// Takes events, and lets their tickets be retained when they have been told.
    fn poll_with(&self, mut out: impl Tell, max: usize) -> usize {
        let mut taken = [0; TAKEN_MAX];
        let mut found = self.events.pop_many(&mut taken[..max.min(TAKEN_MAX)]);
        if found == 0 {
            return 0;
        }
        let (mut looks, mut seconds) = ([const { None }; TAKEN_MAX], [const { None }; TAKEN_MAX]);
        let mut telling = Telling { gone: Some(Gone::new(self)), order: None };
        let mut told = 0;
        while found > 0 {
            // Pairs with the fence in `update`: one that has not seen the terminal event is seen here, and said to be
            // lost.
            fence(Ordering::SeqCst);
            self.pass("poll: taken");
            telling.order = None;
            let ids = || taken[..found].iter().map(|&id| TicketId(id));
            self.tickets.prefetch(ids().map(TicketId::slot));
            looks.iter_mut().zip(ids()).for_each(|(look, id)| *look = self.ticket(id));
            self.look_behind(&looks[..found], &mut seconds);
            for ((id, look), second) in ids().zip(&looks).zip(&seconds) {
                let Some(ticket) = look else { continue };
                let Some(Terminal { at, end }) = ticket.terminal() else { continue };
                match end {
                    End::Ended(reason) => {
                        out.ended(EndedRecord {
                            at,
                            ticket: id,
                            queue: ticket.queue.id,
                            user_data: self.told(ticket).user_data(),
                            reason,
                            update_lost: ticket.update_lost(),
                        });
                        telling.let_go(ticket);
                        told += 1;
                    }
                    End::Matched(_) => {
                        let lead = Lead { oldest: ticket, second: second.as_ref() };
                        told += usize::from(out.found(self, lead, at, &mut telling));
                    }
                }
            }
            // Together: the end of a look waits until all that was written before is in its place.
            looks.fill_with(|| None);
            seconds.fill_with(|| None);
            telling.gone.iter_mut().for_each(Gone::let_many_go);
            self.pass("poll: recorded");
            found = self.events.pop_many(&mut taken[..(max - told).min(TAKEN_MAX)]);
        }
        told
    }

    /// Looks ahead at what events will be told of, and at the tickets that follow the oldest ones of matches, so that they
    /// do not wait for memory in turn.
    fn look_behind<'a>(&'a self, looks: &[Option<Ref<'a, Ticket>>], seconds: &mut [Option<Ref<'a, Ticket>>]) {
        let next = |look: &Option<Ref<'_, Ticket>>| match look.as_ref()?.terminal()?.end {
            End::Matched(seat) => seat.next,
            End::Ended(_) => None,
        };
        self.tickets.prefetch(looks.iter().filter_map(next).map(TicketId::slot));
        self.heads.prefetch(looks.iter().flatten().map(|ticket| ticket.head()));
        let seconds = &mut seconds[..looks.len()];
        let found = looks.iter().map(|look| next(look).and_then(|id| self.ticket(id)));
        seconds.iter_mut().zip(found).for_each(|(second, found)| *second = found);
        self.bodies.prefetch(looks.iter().chain(&*seconds).flatten().map(|ticket| ticket.plain.run));
    }

    /// Tickets whose event waits to be polled.
    pub(super) fn unpolled(&self) -> u64 {
        let polled = self.counts.polled.load(Ordering::Relaxed);
        let over = self.counts.matched.load(Ordering::Relaxed) + self.counts.ended.load(Ordering::Relaxed);
        over.saturating_sub(polled)
    }

    /// The record of the match whose oldest ticket this is.
    pub(super) fn match_record(&self, oldest: &Ref<'_, Ticket>, at: Millis) -> Option<MatchRecord> {
        self.record_of(Lead { oldest, second: None }, at, &mut Telling { gone: None, order: None })
    }

    /// As `match_record`; its tickets are let go.
    fn record_of(&self, lead: Lead<'_>, at: Millis, by: &mut Telling<'_>) -> Option<MatchRecord> {
        let mut buffer = EventBuffer::default();
        self.flat_match(lead, at, &mut buffer, by);
        let Some(FlatEvent::Match(found)) = buffer.events.pop() else { return None };
        let EventBuffer { teams, tickets, players, regions, kept, .. } = buffer;
        let mut record = MatchRecord {
            at: found.at,
            id: found.id,
            queue: found.queue,
            region: regions.first().cloned(),
            regions,
            teams: teams
                .into_iter()
                .map(|team| TeamRecord {
                    name: team.name,
                    tickets: Vec::with_capacity(team.tickets as usize),
                    players: Vec::with_capacity(team.players as usize),
                })
                .collect(),
            tickets: Vec::with_capacity(tickets.len()),
            quality: found.quality,
            attempts: found.attempts,
            echo: found.echo,
            kept: Vec::new(),
        };
        for ticket in tickets {
            let team = &mut record.teams[ticket.team as usize];
            team.tickets.push(ticket.id);
            team.players.extend_from_slice(&players[ticket.players]);
            record.tickets.push(MatchedTicket {
                id: ticket.id,
                user_data: ticket.user_data,
                team: ticket.team,
                ping_ms: ticket.ping_ms,
                wait: ticket.wait,
                attempts: ticket.attempts,
                update_lost: ticket.update_lost,
            });
        }
        for FlatKept { player, name, json } in kept {
            match record.kept.last_mut() {
                Some((last, texts)) if *last == player => texts.push((name, json)),
                _ => record.kept.push((player, vec![(name, json)])),
            }
        }
        Some(record)
    }

    /// Adds the match whose oldest ticket this is to `out`; whether there is one. Its tickets are let go as they are told;
    /// the look at the oldest one keeps the words of the match until the end.
    fn flat_match(
        &self,
        Lead { oldest, second }: Lead<'_>,
        at: Millis,
        out: &mut EventBuffer,
        by: &mut Telling<'_>,
    ) -> bool {
        let Some(head) = MatchHead::read(&self.heads, oldest.head()) else { return false };
        let (id, shape) = (id_of(oldest), &oldest.queue.compiled.shape);
        let from = (out.teams.len(), out.tickets.len(), out.players.len(), out.regions.len(), out.kept.len());
        by.add_regions(oldest, &head, out);
        // All positions first; those that do not stand go below.
        shape.positions.iter().for_each(|position| out.push_team(&position.name));
        let region = head.regions().first().copied();
        let (mut attempts, mut next) = (0, Some(head.first));
        while let Some(member) = next {
            let known = [Some(oldest), second].into_iter().flatten().find(|look| id_of(look) == member);
            let own = if known.is_none() { self.ticket(member) } else { None };
            let Some(ticket) = known.or(own.as_ref()) else { break };
            let Some(Terminal { end: End::Matched(seat), .. }) = ticket.terminal() else { break };
            next = seat.next;
            let told = self.told_last(ticket);
            let first = out.players.len();
            out.players.extend(told.players());
            let team = &mut out.teams[from.0 + seat.position as usize];
            team.tickets += 1;
            team.players += (out.players.len() - first) as u32;
            let own_attempts = ticket.attempts();
            attempts = attempts.max(own_attempts);
            out.tickets.push(FlatTicket {
                id: member,
                user_data: told.user_data(),
                team: seat.position,
                players: first..out.players.len(),
                ping_ms: region.and_then(|region| told.ping(region)).map(Fixed::from_micros),
                wait: at.since(told.enqueued()),
                attempts: own_attempts,
                update_lost: ticket.update_lost(),
            });
            if let Some(version) = told.version() {
                keep(&ticket.queue.compiled, &version.request, &mut out.kept);
            }
            by.let_go(ticket);
        }
        if shape.groups.iter().any(|group| group.varies) {
            drop_idle_teams(shape, from.0, from.1, out);
        }
        out.events.push(FlatEvent::Match(FlatMatch {
            at,
            id: MatchId(id),
            queue: oldest.queue.id,
            quality: head.quality,
            attempts,
            echo: oldest.queue.echo.clone(),
            teams: from.0..out.teams.len(),
            tickets: from.1..out.tickets.len(),
            players: from.2..out.players.len(),
            regions: from.3..out.regions.len(),
            kept: from.4..out.kept.len(),
        }));
        true
    }
}

impl Telling<'_> {
    /// A ticket has been told.
    fn let_go(&mut self, ticket: &Ref<'_, Ticket>) {
        if let Some(gone) = &mut self.gone {
            gone.add(ticket);
        }
    }

    /// Adds the names of the legal regions of a match, best first.
    fn add_regions(&mut self, oldest: &Ticket, head: &MatchHead, out: &mut EventBuffer) {
        let own = oldest.rare.get().and_then(|rare| rare.order.get()).or(oldest.order.as_ref());
        let order = match (own, &mut self.order) {
            (Some(own), _) => own,
            (None, Some((of, order))) if *of == oldest.queue.id => order,
            // Regions that keep their numbers for ever have the same names now.
            (None, kept) => &kept.insert((oldest.queue.id, oldest.queue.regions.order())).1,
        };
        for &number in head.regions() {
            order.names[usize::from(number)].iter().for_each(|name| out.push_region(name));
        }
    }
}

/// Positions of a varying group that nobody plays in do not stand: they go, and the tickets of the others are told.
fn drop_idle_teams(shape: &Shape, first_team: usize, first_ticket: usize, out: &mut EventBuffer) {
    let mut team = 0;
    for (index, position) in shape.positions.iter().enumerate() {
        let is_played = out.teams[first_team + index].tickets > 0;
        if !is_played && shape.groups[position.group].varies {
            continue;
        }
        out.teams.swap(first_team + team, first_team + index);
        // A team's own number is never greater than its position, so none is told twice.
        for ticket in out.tickets[first_ticket..].iter_mut().filter(|ticket| ticket.team == index as u32) {
            ticket.team = team as u32;
        }
        team += 1;
    }
    out.teams.truncate(first_team + team);
}

/// Adds the undeclared attributes of a ticket's players, as JSON text.
fn keep(queue: &CompiledQueue, request: &TicketRequest, kept: &mut Vec<FlatKept>) {
    for player in &request.players {
        let is_declared = |name: &str| queue.spec.attributes.iter().any(|attribute| attribute.name == name);
        let undeclared = player.attributes.iter().filter(|(name, _)| !is_declared(name));
        kept.extend(undeclared.map(|(name, value)| FlatKept {
            player: player.id,
            name: name.clone(),
            json: attribute_json(value),
        }));
    }
}
