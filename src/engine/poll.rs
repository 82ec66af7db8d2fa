//! Events become records as they are polled, and their tickets become retained.
//!
//! An event is the id of a ticket whose terminal event is written; that of a match is its oldest ticket, which leads
//! to the others. Whoever takes the id out of the queue has the event to itself.

use super::door::{Door, count, id_of};
use super::head::MatchHead;
use super::ticket::{End, Seat, Terminal, Ticket};
use crate::base::fixed::Fixed;
use crate::base::shelf::Ref;
use crate::base::sync::{Ordering, fence};
use crate::config::write::attribute_json;
use crate::model::buffer::{EventBuffer, FlatEvent, FlatKept, FlatMatch, FlatTeam, FlatTicket};
use crate::model::event::{EndedRecord, Event, MatchRecord, MatchedTicket, TeamRecord};
use crate::model::ids::{MatchId, Millis, TicketId};
use crate::model::request::TicketRequest;
use crate::rules::compile::CompiledQueue;
use crate::rules::shape::Shape;
use std::sync::Arc;

impl Door {
    /// Takes the first event.
    pub(super) fn poll_one(&self) -> Option<Event> {
        self.poll_with(
            |ended| Some(Event::Ended(ended)),
            |oldest, at| {
                let record = self.match_record(oldest, at)?;
                Some(Event::Match(Box::new(record)))
            },
        )
    }

    /// Moves the first event to the end of a buffer; whether there was one.
    pub(super) fn poll_one_into(&self, out: &mut EventBuffer) -> bool {
        let event = self.poll_with(
            |ended| Some(FlatEvent::Ended(ended)),
            |oldest, at| Some(FlatEvent::Match(self.flat_match(oldest, at, out)?)),
        );
        let found = event.is_some();
        out.events.extend(event);
        found
    }

    /// Takes the first event, and lets its tickets be retained when it has been told.
    fn poll_with<T>(
        &self,
        tell_ended: impl FnOnce(EndedRecord) -> Option<T>,
        tell_match: impl FnOnce(&Ref<'_, Ticket>, Millis) -> Option<T>,
    ) -> Option<T> {
        let id = TicketId(self.events.pop()?);
        let ticket = self.ticket(id)?;
        let Terminal { at, end } = ticket.terminal()?;
        // Pairs with the fence in `update`: one that has not seen the terminal event is seen here, and said to be
        // lost.
        fence(Ordering::SeqCst);
        self.pass("poll: taken");
        let told = match end {
            End::Ended(reason) => tell_ended(EndedRecord {
                at,
                ticket: id,
                queue: ticket.queue.id,
                user_data: self.told(&ticket).user_data(),
                reason,
                update_lost: ticket.update_lost(),
            }),
            End::Matched(_) => tell_match(&ticket, at),
        };
        if matches!(end, End::Ended(_)) {
            self.retain(&ticket);
            return told;
        }
        self.pass("poll: recorded");
        let head = MatchHead::read(&self.heads, ticket.head())?;
        // The look at the oldest one keeps the words of the match until all others have been found.
        for (member, _) in self.members(&head) {
            self.retain(&member);
        }
        told
    }

    /// Tickets whose event waits to be polled.
    pub(super) fn unpolled(&self) -> u64 {
        let polled = self.counts.polled.load(Ordering::Relaxed);
        let over = self.counts.matched.load(Ordering::Relaxed) + self.counts.ended.load(Ordering::Relaxed);
        over.saturating_sub(polled)
    }

    /// The tickets of a match with their seats, in the order of submit numbers.
    fn members(&self, head: &MatchHead) -> impl Iterator<Item = (Ref<'_, Ticket>, Seat)> {
        let mut next = Some(head.first);
        std::iter::from_fn(move || {
            let ticket = self.ticket(next?)?;
            let Some(Terminal { end: End::Matched(seat), .. }) = ticket.terminal() else { return None };
            next = seat.next;
            Some((ticket, seat))
        })
    }

    /// The names of the legal regions of a match, best first.
    fn region_names<'a>(
        &self,
        oldest: &Ticket,
        head: &'a MatchHead,
    ) -> impl Iterator<Item = Arc<str>> + use<'a> {
        let own = oldest.rare.get().and_then(|rare| rare.order.get()).or(oldest.order.as_ref());
        // Regions that keep their numbers for ever have the same names now.
        let order = own.map_or_else(|| oldest.queue.regions.order(), Arc::clone);
        head.regions().iter().filter_map(move |&number| order.names[usize::from(number)].clone())
    }

    /// The record of the match whose oldest ticket this is.
    pub(super) fn match_record(&self, oldest: &Ref<'_, Ticket>, at: Millis) -> Option<MatchRecord> {
        let mut buffer = EventBuffer::default();
        let found = self.flat_match(oldest, at, &mut buffer)?;
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

    /// The match whose oldest ticket this is, with what it carries at the end of the arrays of `out`.
    fn flat_match(&self, oldest: &Ref<'_, Ticket>, at: Millis, out: &mut EventBuffer) -> Option<FlatMatch> {
        let head = MatchHead::read(&self.heads, oldest.head())?;
        let shape = &oldest.queue.compiled.shape;
        let from = (out.teams.len(), out.tickets.len(), out.players.len(), out.regions.len(), out.kept.len());
        out.regions.extend(self.region_names(oldest, &head));
        // All positions first; those that do not stand go below.
        let team = |name: &Arc<str>| FlatTeam { name: Arc::clone(name), tickets: 0, players: 0 };
        out.teams.extend(shape.positions.iter().map(|position| team(&position.name)));
        let mut attempts = 0;
        for (ticket, seat) in self.members(&head) {
            let told = self.told_last(&ticket);
            let first = out.players.len();
            out.players.extend(told.players());
            let team = &mut out.teams[from.0 + seat.position as usize];
            team.tickets += 1;
            team.players += (out.players.len() - first) as u32;
            attempts = attempts.max(ticket.attempts());
            let region = head.regions().first();
            let ping = region.and_then(|&region| told.pings().find(|&(other, _)| other == region));
            out.tickets.push(FlatTicket {
                id: id_of(&ticket),
                user_data: told.user_data(),
                team: seat.position,
                players: first..out.players.len(),
                ping_ms: ping.map(|(_, ping)| Fixed::from_micros(ping)),
                wait: at.since(told.enqueued()),
                attempts: ticket.attempts(),
                update_lost: ticket.update_lost(),
            });
            if let Some(version) = told.version() {
                keep(&ticket.queue.compiled, &version.request, &mut out.kept);
            }
        }
        if shape.groups.iter().any(|group| group.varies) {
            drop_idle_teams(shape, from.0, from.1, out);
        }
        Some(FlatMatch {
            at,
            id: MatchId(id_of(oldest)),
            queue: oldest.queue.id,
            quality: head.quality,
            attempts,
            echo: oldest.queue.echo.clone(),
            teams: from.0..out.teams.len(),
            tickets: from.1..out.tickets.len(),
            players: from.2..out.players.len(),
            regions: from.3..out.regions.len(),
            kept: from.4..out.kept.len(),
        })
    }

    /// The ticket's event has been polled: it is kept while it is among the newest.
    fn retain(&self, ticket: &Ref<'_, Ticket>) {
        self.retained.push(id_of(ticket).0);
        while self.retained.len() > self.retained_max as usize {
            let Some(oldest) = self.retained.pop().map(TicketId) else { break };
            self.tickets.remove(oldest.slot(), oldest.generation());
        }
        // Its room is free only now, so that a submit that finds room finds a slot.
        ticket.queue.give_place();
        self.held.fetch_sub(1, Ordering::Relaxed);
        count(&self.counts.polled);
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
