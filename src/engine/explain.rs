//! Why a ticket waits, for hosts: the door says who the ticket is, the queue says what is in its way.
//!
//! Holds what a tick holds, so that nothing moves meanwhile. Changes nothing.

use super::Engine;
use super::intake::Intake;
use super::tick::TickState;
use crate::model::codes::{Code, Refusal};
use crate::model::explanation::{Between, Explanation, NEAREST, PairAnswer};
use crate::model::ids::{Millis, QueueId, TicketId};
use crate::model::request::TicketRequest;
use crate::model::status::{TicketState, TicketStatus};
use crate::queue::explain::Asked;
use std::sync::Arc;

/// What the door knows of a ticket that is asked about.
struct Known {
    now: Millis,
    status: TicketStatus,
    queue: QueueId,
    queue_name: Arc<str>,
    queue_suspended: bool,
    players: u32,
    deadline: Option<Millis>,
    is_taken_in: bool,
}

impl Known {
    fn waits(&self) -> bool {
        self.status.state == TicketState::Queued
    }
}

impl Engine {
    /// Why a ticket is not matched: what keeps the others of its queue out, who is nearest and when they become
    /// legal, what a whole match lacks. Of a ticket that does not wait, or that no tick has taken in yet, it says
    /// that. As [`Engine::explain_nearest`] with [`NEAREST`] candidates.
    pub fn explain(&self, ticket: TicketId) -> Result<Explanation, Refusal> {
        self.explain_nearest(ticket, NEAREST)
    }

    /// Why a ticket is not matched, with the `nearest` nearest candidates.
    ///
    /// At the engine's current time, over the tickets as the last tick left them: calls since then have had no effect
    /// yet, only tickets that have ended since are left out. Changes nothing.
    ///
    /// Any thread, but one at a time with `tick`. Cost: linear in the tickets of the queue, and one search; meanwhile
    /// no tick can run. Errors: BUSY (a tick or another such call runs), NOT_FOUND (no such ticket is live or
    /// retained), ENGINE_CLOSED (an earlier tick panicked).
    pub fn explain_nearest(&self, ticket: TicketId, nearest: usize) -> Result<Explanation, Refusal> {
        let mut state = self.take_tick()?;
        let TickState { matcher, intake, .. } = &mut *state;
        let known = self.know(ticket)?;
        let pool = match known.waits() && known.is_taken_in {
            true => self.ask(intake, known.now, nearest, |asked| matcher.explain(ticket, asked)),
            false => None,
        };
        Ok(Explanation {
            at: known.now,
            ticket: known.status,
            queue: known.queue_name,
            queue_suspended: known.queue_suspended,
            players: known.players,
            deadline: known.deadline,
            pool,
        })
    }

    /// What is between two tickets: every barrier with both values and limits, and when they become a legal pair.
    ///
    /// Any thread, but one at a time with `tick`. Errors: as [`Engine::explain_nearest`], for either ticket.
    pub fn explain_pair(&self, ticket: TicketId, other: TicketId) -> Result<PairAnswer, Refusal> {
        let state = self.take_tick()?;
        let (own, theirs) = (self.know(ticket)?, self.know(other)?);
        let between = if ticket == other {
            Between::SameTicket
        } else if own.queue != theirs.queue {
            Between::OtherQueue
        } else if !own.waits() || !theirs.waits() {
            Between::NotWaiting
        } else {
            let pair =
                self.ask(&state.intake, own.now, 0, |asked| state.matcher.explain_pair(ticket, other, asked));
            match pair.filter(|_| own.is_taken_in && theirs.is_taken_in) {
                Some(pair) => Between::Pair(Box::new(pair)),
                None => Between::NotTakenIn,
            }
        };
        Ok(PairAnswer {
            at: own.now,
            ticket: own.status,
            other: theirs.status,
            queue_suspended: own.queue_suspended,
            between,
        })
    }

    /// Moves engine time on to `now`, if that is later, and does nothing else: for a host that wants to ask about a
    /// moment at which it does not tick.
    ///
    /// Any thread. Errors: INVALID_TIME, ENGINE_CLOSED.
    pub fn advance(&self, now: Millis) -> Result<(), Refusal> {
        self.enter(now).map(drop)
    }

    fn know(&self, ticket: TicketId) -> Result<Known, Refusal> {
        let not_found = || Refusal::new(Code::NotFound, "no such ticket is live or retained");
        let status = self.door.ticket_status(ticket)?;
        let found = self.door.ticket(ticket).ok_or_else(not_found)?;
        let (queue, told) = (&found.queue, self.door.told(&found));
        let is_over = matches!(status.state, TicketState::Matched(_) | TicketState::Ended(_));
        Ok(Known {
            now: self.door.now(),
            queue: queue.id,
            queue_name: Arc::clone(&queue.name),
            queue_suspended: queue.is_suspended(),
            players: told.player_count() as u32,
            deadline: told.deadline().filter(|_| !is_over),
            is_taken_in: found.is_taken_in(),
            status,
        })
    }

    /// Puts a question, with what the engine knows of other tickets.
    fn ask<T>(
        &self,
        intake: &Intake,
        now: Millis,
        nearest: usize,
        question: impl FnOnce(&Asked<'_>) -> T,
    ) -> T {
        let is_live = |id: TicketId| self.door.is_live(id);
        let requests = |id: TicketId, read: &mut dyn FnMut(&TicketRequest)| {
            intake.read_request(&self.door, id, read);
        };
        question(&Asked { now, nearest, is_live: &is_live, requests: &requests })
    }
}
