//! Forming tickets: members are still to join, so no search knows them.
//!
//! Part of the door. A forming ticket holds a slot and the players who have joined; players it awaits are free
//! until they join. When the last one has joined it is taken in like a ticket that is submitted at that moment.
//!
//! ```text
//! submit with awaits -> forming -- last join --> queued
//!                          '-- cancel, leave, timeout, queue removed, close --> ended
//! ```
//!
//! Invariant: `forming` has the key of every slot whose life is `Forming`, and of no other.

use super::door::{Door, already_matched};
use super::prepare::{Prepared, check_forming, prepare};
use super::slot::{Held, Life, Slot};
use super::submit::deadline;
use crate::claim::commit::{Claims, EndOutcome, WordState};
use crate::model::codes::{Code, Refusal};
use crate::model::ids::{Millis, Seniority, TicketId};
use crate::model::request::{PlayerRequest, TicketRequest};
use crate::queue::matcher::Input;
use crate::queue::outcome::Expired;
use crate::queue::running::Arrival;
use std::sync::Arc;

impl Door {
    /// Takes in a ticket that awaits members; its number orders it among the forming ones.
    pub(super) fn form(
        &mut self,
        claims: &Claims,
        request: TicketRequest,
        seniority: Seniority,
    ) -> Result<TicketId, Refusal> {
        let at = self.open_queue(&request.queue)?;
        let compiled = Arc::clone(&self.queues[at].compiled);
        check_forming(&compiled, &request, &self.queues[at].regions)?;
        let id = self.take_slot(claims, &request)?;
        let created = seniority.enqueued;
        let slot = Slot {
            id,
            queue: self.queues[at].id,
            seniority,
            created,
            deadline: deadline(&compiled, created, request.timeout),
            request,
            pings: Vec::new(),
            held: Held::default(),
            pending: None,
            is_taken_in: false,
            attempts: 0,
            life: Life::Forming,
            is_polled: false,
            is_requeued: false,
        };
        self.forming.insert(slot.forming_key());
        self.seat(at, slot);
        // Nothing can match it, as no search knows it; from now on it can be ended.
        claims.publish(id);
        Ok(id)
    }

    /// Lets a player join; says how many are still awaited.
    pub(super) fn join(
        &mut self,
        claims: &Claims,
        id: TicketId,
        player: PlayerRequest,
    ) -> Result<usize, Refusal> {
        let not_found = || Refusal::new(Code::NotFound, "no such ticket is forming");
        match claims.state(id) {
            WordState::Matched(of) => return Err(already_matched(of)),
            WordState::Queued => {}
            _ => return Err(not_found()),
        }
        let slot = self.slot(id).filter(|slot| slot.life == Life::Forming).ok_or_else(not_found)?;
        let queue_id = slot.queue;
        let at = self.queues.iter().position(|queue| queue.id == queue_id).ok_or_else(not_found)?;
        let mut request = slot.request.clone();
        let Some(place) = request.awaits.iter().position(|&awaited| awaited == player.id) else {
            let detail = format!("the ticket does not await player {:032x}", player.id.0);
            return Err(Refusal::new(Code::NotFound, detail));
        };
        let joined = [player.id];
        request.awaits.remove(place);
        request.players.push(player);
        let awaited = request.awaits.len();
        let compiled = Arc::clone(&self.queues[at].compiled);
        if awaited > 0 {
            check_forming(&compiled, &request, &self.queues[at].regions)?;
            self.claim_players(claims, &joined, id)?;
            self.slot_mut(id).ok_or_else(not_found)?.request = request;
            return Ok(awaited);
        }
        let prepared =
            prepare(&compiled, &request, &mut self.queues[at].regions, &mut self.strings, || Ok(()))?;
        if let Err(refusal) = self.claim_players(claims, &joined, id) {
            self.give_back(at, prepared);
            return Err(refusal);
        }
        self.start(id, request, prepared);
        Ok(0)
    }

    /// The last member has joined: the ticket's wait begins.
    fn start(&mut self, id: TicketId, request: TicketRequest, prepared: Prepared) {
        let seniority = Seniority { enqueued: self.now, submit_number: self.next_submit };
        let Some(slot) = self.slots.get_mut(id.slot() as usize).and_then(Option::as_deref_mut) else {
            return;
        };
        self.forming.remove(&slot.forming_key());
        self.next_submit += 1;
        let Prepared { values, strings, region_mask } = prepared;
        slot.seniority = seniority;
        slot.request = request;
        slot.pings = values.pings.clone();
        slot.held = Held { strings, region_mask };
        slot.life = Life::Queued;
        let arrival = Arrival { id, seniority, deadline: slot.deadline, values };
        self.inbox.push(Input::Arrive(slot.queue, Box::new(arrival)));
    }

    /// Replaces the request of a forming ticket at once: no search has seen it.
    pub(super) fn update_forming(&mut self, id: TicketId, request: TicketRequest) -> Result<(), Refusal> {
        let not_found = || Refusal::new(Code::NotFound, "no such ticket is forming");
        let queue_id = self.slot(id).ok_or_else(not_found)?.queue;
        let queue = self.queues.iter().find(|queue| queue.id == queue_id).ok_or_else(not_found)?;
        let compiled = Arc::clone(&queue.compiled);
        check_forming(&compiled, &request, &queue.regions)?;
        let Some(slot) = self.slots.get_mut(id.slot() as usize).and_then(Option::as_deref_mut) else {
            return Err(not_found());
        };
        self.forming.remove(&slot.forming_key());
        slot.deadline = deadline(&compiled, slot.created, request.timeout);
        slot.request = request;
        self.forming.insert(slot.forming_key());
        Ok(())
    }

    /// Ends the claims of the forming tickets whose time is up, in the order of deadlines.
    pub(super) fn end_forming_due(&self, claims: &Claims, now: Millis) -> Vec<Expired> {
        let due = self.forming.iter().take_while(|&&(deadline, ..)| deadline <= now);
        let ended = due.filter(|&&(_, _, id)| claims.end(id) == EndOutcome::Ended);
        ended
            .map(|&(deadline, submit_number, id)| Expired { deadline, submit_number, id, starved: false })
            .collect()
    }

    /// Ends the claims of the forming tickets of removed queues, in the order of submits.
    pub(super) fn end_forming_of_removed(&self, claims: &Claims) -> Vec<(u64, TicketId)> {
        if self.removed_queues.is_empty() {
            return Vec::new();
        }
        let is_removed = |id: TicketId| {
            self.slot(id).is_some_and(|slot| self.removed_queues.iter().any(|queue| queue.id == slot.queue))
        };
        let removed = self.forming.iter().filter(|&&(_, _, id)| is_removed(id));
        let mut removed: Vec<_> = removed.map(|&(_, number, id)| (number, id)).collect();
        removed.sort_unstable();
        removed.retain(|&(_, id)| claims.end(id) == EndOutcome::Ended);
        removed
    }
}
