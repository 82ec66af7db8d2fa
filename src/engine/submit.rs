//! A ticket comes in: by a submit, or put back from a match that came to nothing.
//!
//! Invariant: a refused ticket has taken nothing, and an accepted one is published last, when all the rest of it
//! can be read.

use super::door::{Door, is_live};
use super::prepare::{Prepared, prepare};
use super::slot::{Held, Life, Slot};
use crate::claim::commit::Claims;
use crate::claim::players::{Conflict, Players};
use crate::model::codes::{Code, Refusal};
use crate::model::ids::{MatchId, Millis, PlayerId, Seniority, TicketId};
use crate::model::request::TicketRequest;
use crate::queue::matcher::Input;
use crate::queue::running::Arrival;
use crate::rules::compile::CompiledQueue;
use std::sync::Arc;

impl Door {
    /// Submits one ticket.
    pub(super) fn submit(&mut self, claims: &Claims, request: TicketRequest) -> Result<TicketId, Refusal> {
        let seniority = Seniority {
            enqueued: request.enqueued.map_or(self.now, |enqueued| enqueued.min(self.now)),
            submit_number: self.next_submit,
        };
        let answer = if request.awaits.is_empty() {
            self.admit(claims, request, seniority, seniority.enqueued, 0)
        } else {
            self.form(claims, request, seniority)
        };
        match answer {
            Ok(_) => self.next_submit += 1,
            Err(_) => self.counters.refused += 1,
        }
        answer
    }

    /// Checks a ticket and takes it in, with the place in the order of waiting that it is given; its timeout counts
    /// from `created`.
    fn admit(
        &mut self,
        claims: &Claims,
        request: TicketRequest,
        seniority: Seniority,
        created: Millis,
        attempts: u32,
    ) -> Result<TicketId, Refusal> {
        let at = self.open_queue(&request.queue)?;
        let queue = &mut self.queues[at];
        let compiled = Arc::clone(&queue.compiled);
        let players = &self.players;
        let admit = || are_free(players, claims, &request);
        let prepared = prepare(&compiled, &request, &mut queue.regions, &mut self.strings, admit)?;
        let id = match self.take_slot(claims, &request) {
            Ok(id) => id,
            Err(refusal) => {
                self.give_back(at, prepared);
                return Err(refusal);
            }
        };
        let queue_id = self.queues[at].id;
        let deadline = deadline(&compiled, created, request.timeout);
        let Prepared { values, strings, region_mask } = prepared;
        let slot = Slot {
            id,
            queue: queue_id,
            seniority,
            created,
            deadline,
            request,
            pings: values.pings.clone(),
            held: Held { strings, region_mask },
            pending: None,
            is_taken_in: false,
            attempts,
            life: Life::Queued,
            is_polled: false,
            is_requeued: false,
        };
        self.seat(at, slot);
        let arrival = Arrival { id, seniority, deadline, values };
        self.inbox.push(Input::Arrive(queue_id, Box::new(arrival)));
        claims.publish(id);
        Ok(id)
    }

    /// The place of the queue of that name, if it takes a ticket now.
    pub(super) fn open_queue(&self, name: &str) -> Result<usize, Refusal> {
        let Some(at) = self.queues.iter().position(|queue| *queue.name == *name) else {
            return Err(Refusal::new(Code::UnknownQueue, format!("no queue is named {name:?}")));
        };
        if self.queues[at].is_suspended {
            let detail = format!("queue {name:?} is suspended, try again later");
            return Err(Refusal::new(Code::QueueSuspended, detail));
        }
        self.check_room(at)?;
        Ok(at)
    }

    /// A slot for a ticket, with its players entered.
    pub(super) fn take_slot(
        &mut self,
        claims: &Claims,
        request: &TicketRequest,
    ) -> Result<TicketId, Refusal> {
        let Some(id) = claims.allocate() else {
            return Err(Refusal::new(Code::QueueFull, "every slot of the engine is in use"));
        };
        let players: Vec<PlayerId> = request.players.iter().map(|player| player.id).collect();
        self.claim_players(claims, &players, id).inspect_err(|_| {
            claims.free(id);
        })?;
        Ok(id)
    }

    /// Puts a ticket that was accepted into its slot, and counts it.
    pub(super) fn seat(&mut self, at: usize, slot: Slot) {
        self.queues[at].waiting += 1;
        self.counters.submitted += 1;
        self.counters.waiting += 1;
        let index = slot.id.slot() as usize;
        if self.slots.len() <= index {
            self.slots.resize_with(index + 1, || None);
        }
        self.slots[index] = Some(Box::new(slot));
    }

    fn check_room(&self, at: usize) -> Result<(), Refusal> {
        let unpolled = self.events.tickets();
        if self.counters.waiting + unpolled >= u64::from(self.capacity) {
            let detail = format!("{} tickets live and {unpolled} wait to be polled", self.counters.waiting);
            return Err(Refusal::new(Code::QueueFull, detail));
        }
        let queue = &self.queues[at];
        if queue.compiled.spec.capacity.is_some_and(|max| queue.waiting + queue.unpolled >= u64::from(max)) {
            let detail = format!(
                "queue {:?} holds {} tickets, and {} wait to be polled",
                queue.name, queue.waiting, queue.unpolled
            );
            return Err(Refusal::new(Code::QueueFull, detail));
        }
        Ok(())
    }

    pub(super) fn claim_players(
        &mut self,
        claims: &Claims,
        players: &[PlayerId],
        id: TicketId,
    ) -> Result<(), Refusal> {
        let is_live = |ticket| is_live(claims, ticket);
        self.players.claim(players, id, is_live).map_err(|conflict| match conflict {
            Conflict::Player(player, ticket) => already_queued(player, ticket),
            Conflict::Full => Refusal::new(Code::QueueFull, "the engine holds as many players as it may"),
        })
    }

    /// Gives back what a ticket held that was refused after all; no search has seen it.
    pub(super) fn give_back(&mut self, at: usize, prepared: Prepared) {
        for string in prepared.strings {
            self.strings.release(string);
        }
        self.queues[at].regions.release(prepared.region_mask);
    }

    /// Puts one ticket of a match back.
    pub(super) fn requeue(
        &mut self,
        claims: &Claims,
        of: MatchId,
        id: TicketId,
    ) -> Result<TicketId, Refusal> {
        let not_found = |detail: &str| Err(Refusal::new(Code::NotFound, detail));
        let Some(slot) = self.slot(id) else { return not_found("the ticket is no longer retained") };
        if !matches!(slot.life, Life::Matched(own, _) if own == of) {
            return not_found("the ticket is not in that match");
        }
        let players = slot.request.players.iter().map(|player| player.id);
        let elsewhere = players
            .filter_map(|player| self.players.get(player).map(|ticket| (player, ticket)))
            .find(|&(_, ticket)| is_live(claims, ticket));
        if let Some((player, ticket)) = elsewhere {
            let detail = format!("player {:032x} is in ticket {:016x} by now", player.0, ticket.0);
            self.counters.refused += 1;
            return Err(Refusal { ticket: Some(ticket), ..Refusal::new(Code::Superseded, detail) });
        }
        if slot.is_requeued {
            return not_found("the ticket was put back before");
        }
        let (request, attempts) = (slot.latest_request().clone(), slot.attempts.saturating_add(1));
        let (seniority, created) = (slot.seniority, slot.created);
        let answer = self.admit(claims, request, seniority, created, attempts);
        match (&answer, self.slot_mut(id)) {
            (Ok(_), Some(slot)) => slot.is_requeued = true,
            _ => self.counters.refused += 1,
        }
        answer
    }
}

/// Refuses a ticket with a player who is in a live ticket.
fn are_free(players: &Players, claims: &Claims, request: &TicketRequest) -> Result<(), Refusal> {
    for player in &request.players {
        if let Some(ticket) = players.get(player.id).filter(|&ticket| is_live(claims, ticket)) {
            return Err(already_queued(player.id, ticket));
        }
    }
    Ok(())
}

fn already_queued(player: PlayerId, ticket: TicketId) -> Refusal {
    let detail = format!("player {:032x} is in ticket {:016x}", player.0, ticket.0);
    Refusal { ticket: Some(ticket), ..Refusal::new(Code::PlayerAlreadyQueued, detail) }
}

/// When a ticket ends: its own timeout only shortens the queue's.
pub(super) fn deadline(queue: &CompiledQueue, from: Millis, own: Option<Millis>) -> Option<Millis> {
    let timeout = match (queue.spec.timeout, own) {
        (Some(queue), Some(own)) => Some(queue.min(own)),
        (some, None) | (None, some) => some,
    };
    timeout.map(|timeout| from.after(timeout))
}
