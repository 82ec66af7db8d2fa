//! A ticket comes in: by a submit, or put back from a match that came to nothing.
//!
//! Invariant: a refused ticket has taken nothing, and an accepted one is published last, when all the rest of it
//! can be read. What is taken on the way is given back by its own type if a later step refuses.

use super::calls::{Arrived, Call, Origin};
use super::door::{Door, count};
use super::plain::Draft;
use super::prepare::{Prepared, prepare};
use super::queues::{DoorQueue, take_below};
use super::ticket::{Rare, Ticket, Version};
use crate::base::sync::Ordering;
use crate::claim::commit::WordState;
use crate::claim::players::Conflict;
use crate::model::codes::{Code, Refusal};
use crate::model::ids::{MatchId, Millis, PlayerId, QueueId, TicketId};
use crate::model::request::TicketRequest;
use crate::queue::regions::RegionHold;
use crate::rules::compile::CompiledQueue;
use std::sync::Arc;

/// A ticket that is accepted; its call is to be pushed, and then it is to be published.
pub(super) struct Admitted {
    /// Its id.
    pub id: TicketId,
    /// What the next tick is to hear.
    pub call: Call,
}

/// Where a ticket stands in the order of waiting, and what it has been before.
#[derive(Clone, Copy)]
struct Past {
    /// When its wait began.
    enqueued: Millis,
    /// When its timeout began.
    created: Millis,
    /// Earlier matches that it was in.
    attempts: u32,
    from: Origin,
    /// The id of the first ticket that it was, if it has been another.
    first_id: Option<TicketId>,
}

impl Door {
    /// Submits tickets in order, and publishes those that are accepted at once.
    pub(super) fn submit_all(
        &self,
        now: Millis,
        requests: impl Iterator<Item = TicketRequest>,
        mut answer: impl FnMut(Result<TicketId, Refusal>),
    ) {
        let mut calls = Vec::new();
        let mut accepted = Vec::new();
        for request in requests {
            let admitted = self.admit_new(now, request);
            answer(admitted.map(|admitted| {
                accepted.push(admitted.id);
                calls.push((now, admitted.call));
                admitted.id
            }));
        }
        self.ingress.push_all(calls);
        self.publish_all(accepted.into_iter(), now);
    }

    /// Submits one ticket.
    pub(super) fn submit(&self, now: Millis, request: TicketRequest) -> Result<TicketId, Refusal> {
        let Admitted { id, call } = self.admit_new(now, request)?;
        self.pass("submit: seated");
        self.ingress.push((now, call));
        self.pass("submit: pushed");
        self.publish(id, now);
        self.pass("submit: published");
        Ok(id)
    }

    /// Checks a ticket and takes it in, as one that begins to wait or to form now.
    pub(super) fn admit_new(&self, now: Millis, request: TicketRequest) -> Result<Admitted, Refusal> {
        let enqueued = request.enqueued.map_or(now, |enqueued| enqueued.min(now));
        let answer = if request.awaits.is_empty() {
            let from = Origin::Submit;
            self.admit(request, Past { enqueued, created: enqueued, attempts: 0, from, first_id: None })
        } else {
            self.admit_forming(request, enqueued)
        };
        answer.inspect_err(|_| count(&self.counts.refused))
    }

    /// Checks a ticket and takes it in.
    fn admit(&self, request: TicketRequest, past: Past) -> Result<Admitted, Refusal> {
        let queue = self.queues.open(&request.queue)?;
        self.check_room(&queue)?;
        let prepared = prepare(&queue.compiled, &request, &queue.regions, || {
            self.are_free(queue.id, request.players.iter().map(|player| player.id))
        })?;
        let players: Vec<PlayerId> = request.players.iter().map(|player| player.id).collect();
        let id = self.take_slot(&queue, &players)?;
        let Prepared { values, texts, hold } = prepared;
        // A record is made of whole requests, and one that was put back is rare.
        let may_be_plain = self.record.is_none() && past.from.is_submit();
        let draft = may_be_plain
            .then(|| Draft::of(&queue.compiled, &self.lexicon, &request, &values.pings, past.enqueued))
            .flatten();
        if let Some(plain) = draft.and_then(|draft| draft.put(&mut self.bodies.lot(0))) {
            let held = hold.into_mask();
            debug_assert!(held == 0 || held == plain.regions, "a plain ticket reaches what it holds");
            let order = (held != 0).then(|| queue.regions.order());
            self.seat(id, Ticket::plain(queue, plain, order));
            return Ok(Admitted { id, call: Call::Come(id) });
        }
        let version = Arc::new(Version {
            number: 0,
            enqueued: past.enqueued,
            deadline: deadline(&queue.compiled, past.created, request.timeout),
            request,
            values,
            texts,
        });
        let arrived = arrived(id, &queue, &version, hold, past.from);
        let rare = Rare::new(version, past.created, past.attempts, past.first_id.unwrap_or(id));
        self.seat(id, Ticket::rare(queue, rare));
        Ok(Admitted { id, call: Call::Arrive(Box::new(arrived)) })
    }

    /// Refuses a ticket for which there is no room now. The room itself is taken last.
    pub(super) fn check_room(&self, queue: &DoorQueue) -> Result<(), Refusal> {
        if self.held.load(Ordering::Relaxed) >= u64::from(self.capacity) {
            return Err(self.full());
        }
        let max = queue.compiled.spec.capacity.map_or(u64::MAX, u64::from);
        if queue.held() >= max {
            // Says why; the place it might find after all is given back.
            queue.take_place().map(|()| queue.give_place())?;
        }
        Ok(())
    }

    /// Whether there is room for so many tickets now.
    pub(super) fn is_roomy(&self, queue: &DoorQueue, tickets: u64) -> bool {
        let fits = |held: u64, max: u64| held.saturating_add(tickets) <= max;
        fits(self.held.load(Ordering::Relaxed), u64::from(self.capacity))
            && fits(queue.held(), queue.compiled.spec.capacity.map_or(u64::MAX, u64::from))
    }

    fn full(&self) -> Refusal {
        let held = self.held.load(Ordering::Relaxed);
        let unpolled = self.unpolled().min(held);
        let detail = format!("{} tickets live and {unpolled} wait to be polled", held - unpolled);
        Refusal::new(Code::QueueFull, detail)
    }

    /// Takes room, a slot and the players for a ticket.
    pub(super) fn take_slot(&self, queue: &DoorQueue, players: &[PlayerId]) -> Result<TicketId, Refusal> {
        if !take_below(&self.held, u64::from(self.capacity), 1) {
            return Err(self.full());
        }
        let give_room = |refusal: Refusal| {
            self.held.fetch_sub(1, Ordering::Relaxed);
            refusal
        };
        queue.take_place().map_err(give_room)?;
        let give_places = |refusal: Refusal| {
            queue.give_place();
            give_room(refusal)
        };
        let no_slot = || {
            Refusal::new(
                Code::QueueFull,
                "every slot of the engine is in use: poll, or build it with more capacity",
            )
        };
        let id = self.claims.allocate().ok_or_else(no_slot).map_err(give_places)?;
        self.claim_players(queue.id, players, id).map_err(|refusal| {
            self.claims.free(id);
            give_places(refusal)
        })?;
        self.pass("submit: claimed");
        Ok(id)
    }

    /// Gives back what `take_slot` has taken.
    pub(super) fn untake_slot(&self, queue: &DoorQueue, players: &[PlayerId], id: TicketId) {
        let scope = self.scope(queue.id);
        players.iter().for_each(|&player| self.players.release_in(scope, player, id));
        self.claims.free(id);
        queue.give_place();
        self.held.fetch_sub(1, Ordering::Relaxed);
    }

    /// Enters players for a ticket, all or none.
    pub(super) fn claim_players(
        &self,
        queue: QueueId,
        players: &[PlayerId],
        id: TicketId,
    ) -> Result<(), Refusal> {
        let is_live = |ticket| self.is_live(ticket);
        self.players.claim_in(self.scope(queue), players, id, is_live).map_err(not_entered)
    }

    /// Refuses a ticket with a player who is in a live ticket that keeps him out of the queue.
    pub(super) fn are_free(
        &self,
        queue: QueueId,
        mut players: impl Iterator<Item = PlayerId>,
    ) -> Result<(), Refusal> {
        let taken = players.find_map(|player| Some((player, self.live_ticket_of(queue, player)?)));
        match taken {
            Some((player, ticket)) => Err(already_queued(player, ticket)),
            None => Ok(()),
        }
    }

    /// Puts a ticket that was accepted onto its shelf, and counts it.
    pub(super) fn seat(&self, id: TicketId, ticket: Ticket) {
        count(&ticket.queue.waiting);
        count(&self.counts.submitted);
        self.shelve(id, ticket);
    }

    /// Puts a ticket that was accepted onto its shelf.
    pub(super) fn shelve(&self, id: TicketId, ticket: Ticket) {
        let put = self.tickets.put(id.slot(), id.generation(), ticket);
        debug_assert!(put.is_ok(), "a free slot has an empty place on the shelf");
    }

    /// Puts one ticket of a match back.
    pub(super) fn requeue(&self, now: Millis, of: MatchId, id: TicketId) -> Result<TicketId, Refusal> {
        let not_found = |detail: &str| Err(Refusal::new(Code::NotFound, detail));
        let Some(ticket) = self.ticket(id) else { return not_found("the ticket is no longer retained") };
        if !(ticket.is_over() && self.claims.state(id) == WordState::Matched(of)) {
            return not_found("the ticket is not in that match");
        }
        let told = self.told(&ticket);
        // It goes to the queue that has the name by now.
        let queue = self.queues.named(&ticket.queue.name).map_or(ticket.queue.id, |queue| queue.id);
        let elsewhere = told
            .players()
            .filter_map(|player| self.live_ticket_of(queue, player).map(|ticket| (player, ticket)));
        if let Some((player, ticket)) = elsewhere.into_iter().next() {
            let detail = format!("player {:032x} is in ticket {:016x} by now", player.0, ticket.0);
            count(&self.counts.refused);
            return Err(Refusal { ticket: Some(ticket), ..Refusal::new(Code::Superseded, detail) });
        }
        if !ticket.begin_requeue() {
            return not_found("the ticket was put back before");
        }
        let first_id = ticket.rare.get().map_or(id, |rare| rare.first_id);
        let past = Past {
            enqueued: told.enqueued(),
            created: ticket.rare.get().map_or_else(|| told.enqueued(), |rare| rare.created),
            attempts: ticket.attempts().saturating_add(1),
            from: Origin::Match {
                of,
                submit_number: ticket.submit_number(),
                with_update: ticket.update_lost(),
                first_id,
            },
            first_id: Some(first_id),
        };
        let Admitted { id, call } = self.admit(told.request().into_owned(), past).map_err(|refusal| {
            ticket.undo_requeue();
            count(&self.counts.refused);
            superseded(refusal)
        })?;
        self.ingress.push((now, call));
        self.publish(id, now);
        Ok(id)
    }
}

/// What a tick hears of a ticket that begins to wait.
pub(super) fn arrived(
    id: TicketId,
    queue: &DoorQueue,
    version: &Arc<Version>,
    hold: RegionHold,
    from: Origin,
) -> Arrived {
    Arrived { id, queue: queue.id, version: Arc::clone(version), hold, from }
}

/// The answer to a ticket whose players could not be entered.
pub(super) fn not_entered(conflict: Conflict) -> Refusal {
    match conflict {
        Conflict::Player(player, ticket) => already_queued(player, ticket),
        Conflict::Full => Refusal::new(
            Code::QueueFull,
            "as many players wait as the engine can know: build it with more capacity",
        ),
    }
}

fn already_queued(player: PlayerId, ticket: TicketId) -> Refusal {
    let detail = format!("player {:032x} is in ticket {:016x}", player.0, ticket.0);
    Refusal { ticket: Some(ticket), ..Refusal::new(Code::PlayerAlreadyQueued, detail) }
}

/// A requeue that another thread's submit of the same player came before.
fn superseded(refusal: Refusal) -> Refusal {
    if refusal.code == Code::PlayerAlreadyQueued {
        Refusal { code: Code::Superseded, ..refusal }
    } else {
        refusal
    }
}

/// When a ticket ends: its own timeout only shortens the queue's.
pub(super) fn deadline(queue: &CompiledQueue, from: Millis, own: Option<Millis>) -> Option<Millis> {
    let timeout = match (queue.spec.timeout, own) {
        (Some(queue), Some(own)) => Some(queue.min(own)),
        (some, None) | (None, some) => some,
    };
    timeout.map(|timeout| from.after(timeout))
}
