//! Events become records as they are polled, and their tickets become retained.
//!
//! An event is the id of a ticket whose terminal event is written; that of a match is its oldest ticket, which leads
//! to the others. Whoever takes the id out of the queue has the event to itself.

use super::door::{Door, count};
use super::ticket::{End, MatchHead, Seat, Terminal, Ticket};
use crate::base::shelf::Ref;
use crate::base::sync::{Ordering, fence};
use crate::config::write::attribute_json;
use crate::model::event::{EndedRecord, Event, MatchRecord, MatchedTicket, TeamRecord};
use crate::model::ids::{MatchId, Millis, PlayerId, TicketId};
use crate::model::request::TicketRequest;
use crate::rules::compile::CompiledQueue;
use std::sync::Arc;

impl Door {
    /// Takes the first event.
    pub(super) fn poll_one(&self) -> Option<Event> {
        let id = TicketId(self.events.pop()?);
        let ticket = self.ticket(id)?;
        let &Terminal { at, end, .. } = ticket.terminal.get()?;
        // Pairs with the fence in `update`: one that has not seen the terminal event is seen here, and said to be
        // lost.
        fence(Ordering::SeqCst);
        self.pass("poll: taken");
        match end {
            End::Ended(reason) => {
                let record = EndedRecord {
                    at,
                    ticket: id,
                    queue: ticket.queue.id,
                    user_data: ticket.version().request.user_data,
                    reason,
                    update_lost: ticket.update_lost(),
                };
                self.retain(&ticket);
                Some(Event::Ended(record))
            }
            End::Matched(seat) => {
                let record = self.match_record(&ticket, at, seat)?;
                self.pass("poll: recorded");
                for placed in &record.tickets {
                    if let Some(placed) = self.ticket(placed.id) {
                        self.retain(&placed);
                    }
                }
                Some(Event::Match(Box::new(record)))
            }
        }
    }

    /// Tickets whose event waits to be polled.
    pub(super) fn unpolled(&self) -> u64 {
        let polled = self.counts.polled.load(Ordering::Relaxed);
        let over = self.counts.matched.load(Ordering::Relaxed) + self.counts.ended.load(Ordering::Relaxed);
        over.saturating_sub(polled)
    }

    /// The record of the match whose oldest ticket this is.
    pub(super) fn match_record(&self, oldest: &Ticket, at: Millis, seat: Seat) -> Option<MatchRecord> {
        let head = oldest.found.get()?;
        let mut record = blank_record(oldest, head, at, seat.of);
        let compiled = &oldest.queue.compiled;
        let mut next = Some(head.first);
        let mut members: Vec<(Ref<'_, Ticket>, Seat)> = Vec::new();
        while let Some(ticket) = next.and_then(|id| self.ticket(id)) {
            let Some(&Terminal { end: End::Matched(seat), .. }) = ticket.terminal.get() else { break };
            next = seat.next;
            members.push((ticket, seat));
        }
        // Positions of a varying group that nobody plays in do not stand.
        let mut team_of_position: Vec<Option<u32>> = Vec::new();
        for (position_index, position) in compiled.shape.positions.iter().enumerate() {
            let is_played = members.iter().any(|(_, seat)| seat.position as usize == position_index);
            let stands = is_played || !compiled.shape.groups[position.group].varies;
            team_of_position.push(stands.then_some(record.teams.len() as u32));
            if stands {
                let name = Arc::clone(&position.name);
                record.teams.push(TeamRecord { name, tickets: Vec::new(), players: Vec::new() });
            }
        }
        for (ticket, seat) in &members {
            let team = team_of_position[seat.position as usize].unwrap_or(0);
            let version = ticket.last_version();
            let into = &mut record.teams[team as usize];
            into.tickets.push(ticket.id);
            into.players.extend(version.request.players.iter().map(|player| player.id));
            record.attempts = record.attempts.max(ticket.attempts);
            record.tickets.push(MatchedTicket {
                id: ticket.id,
                user_data: version.request.user_data,
                team,
                ping_ms: seat.ping_ms,
                wait: at.since(version.enqueued),
                attempts: ticket.attempts,
                update_lost: ticket.update_lost(),
            });
            record.kept.extend(kept(compiled, &version.request));
        }
        Some(record)
    }

    /// The ticket's event has been polled: it is kept while it is among the newest.
    fn retain(&self, ticket: &Ticket) {
        self.retained.push(ticket.id.0);
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

/// The record of a match before its tickets stand in it.
fn blank_record(oldest: &Ticket, head: &MatchHead, at: Millis, of: MatchId) -> MatchRecord {
    let regions = head.region_names();
    MatchRecord {
        at,
        id: of,
        queue: oldest.queue.id,
        region: regions.first().cloned(),
        regions,
        teams: Vec::new(),
        tickets: Vec::new(),
        quality: head.quality,
        attempts: 0,
        echo: oldest.queue.compiled.spec.echo.as_deref().map(Arc::from),
        kept: Vec::new(),
    }
}

/// The undeclared attributes of a ticket's players, as JSON text.
fn kept(queue: &CompiledQueue, request: &TicketRequest) -> Vec<(PlayerId, Vec<(String, String)>)> {
    let mut kept = Vec::new();
    for player in &request.players {
        let undeclared = player
            .attributes
            .iter()
            .filter(|(name, _)| !queue.spec.attributes.iter().any(|attribute| attribute.name == *name));
        let texts: Vec<(String, String)> =
            undeclared.map(|(name, value)| (name.clone(), attribute_json(value))).collect();
        if !texts.is_empty() {
            kept.push((player.id, texts));
        }
    }
    kept
}
