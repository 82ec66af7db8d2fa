//! Tickets that one thread hands over one after the other: their terminal events, and what they let go.
//!
//! Used by `tick` for all that it has brought about, and by `Door::end` for one ticket. What many tickets count in is
//! counted once, when this is dropped, and the nodes of their players go back at once. Invariant: whoever makes one has
//! ended or committed the claims of all tickets that it finishes.
//! What it came to is told in `entry`.

use super::door::Door;
use super::queues::DoorQueue;
use super::ticket::{End, Terminal, Ticket, Took};
use crate::base::cells::CellLot;
use crate::base::shelf::Ref;
use crate::base::sync::{Ordering, fence};
use crate::claim::players::Hands;
use crate::model::ids::{Millis, TicketId};
use std::sync::Arc;

/// Tickets that are looked at ahead. Chosen: so many that looks overlap, and few enough that what they found is still near.
const LOOKS_MAX: usize = 32;

/// Tickets that are handed over.
pub(super) struct Finishing<'a> {
    door: &'a Door,
    hands: Hands<'a>,
    /// The queue of the last ticket, and what is to be counted in it.
    queue: Option<Arc<DoorQueue>>,
    waited: u64,
    made: u64,
    matched: u64,
}

impl Door {
    /// Begins to hand over tickets whose claims the caller has ended or committed.
    pub(super) fn finishing(&self) -> Finishing<'_> {
        // Claims were ended by exchanges that acquired; a join or an update that comes later finds that out by itself
        // once it has replaced the version.
        fence(Ordering::SeqCst);
        Finishing { door: self, hands: self.players.hands(0), queue: None, waited: 0, made: 0, matched: 0 }
    }
}

impl Finishing<'_> {
    /// Writes the terminal event of a ticket; the caller queues it. `took`: what the tick that does it has taken in; a
    /// later version is lost.
    pub(super) fn finish(&mut self, id: TicketId, end: End, at: Millis, took: Took) {
        match self.door.ticket(id) {
            Some(ticket) => {
                self.let_players_go(&ticket, id);
                self.finish_ticket(&ticket, end, at, took);
            }
            None => debug_assert!(false, "a ticket stays until its event has been polled"),
        }
    }

    /// Lets the players of a ticket go: they may come again.
    fn let_players_go(&mut self, ticket: &Ticket, id: TicketId) {
        let scope = self.door.scope(ticket.queue.id);
        for player in self.door.told(ticket).players() {
            self.hands.release_in(scope, player, id);
        }
    }

    /// As `finish`, of a ticket that the caller looks at and whose players have been let go.
    pub(super) fn finish_ticket(&mut self, ticket: &Ref<'_, Ticket>, end: End, at: Millis, took: Took) {
        let door = self.door;
        self.turn_to(&ticket.queue);
        match end {
            End::Ended(reason) => {
                door.counts.ended.fetch_add(1, Ordering::Relaxed);
                door.counts.ended_by_reason[reason as usize].fetch_add(1, Ordering::Relaxed);
            }
            End::Matched(_) => self.matched += 1,
        }
        door.forms_no_longer(ticket);
        self.waited += 1;
        ticket.finish(Terminal { at, end }, took);
    }

    /// Counts a match of the queue of the ticket that was finished last.
    pub(super) fn count_match(&mut self) {
        self.made += 1;
    }

    /// What is counted from here on is of this queue.
    fn turn_to(&mut self, queue: &Arc<DoorQueue>) {
        if !self.queue.as_ref().is_some_and(|own| Arc::ptr_eq(own, queue)) {
            self.count();
            self.queue = Some(Arc::clone(queue));
        }
    }

    /// Counts what is to be counted. Relaxed: each count is exact by itself.
    fn count(&mut self) {
        if let Some(queue) = &self.queue {
            queue.waiting.fetch_sub(std::mem::take(&mut self.waited), Ordering::Relaxed);
            queue.matches.fetch_add(std::mem::take(&mut self.made), Ordering::Relaxed);
        }
        if self.matched > 0 {
            self.door.counts.matched.fetch_add(std::mem::take(&mut self.matched), Ordering::Relaxed);
        }
    }
}

impl Drop for Finishing<'_> {
    fn drop(&mut self) {
        self.count();
    }
}

/// Looks at tickets of matches that are handed over one after the other. What is needed of those behind the next one is
/// fetched ahead, so that they do not wait for memory in turn; and exchanges are made for many tickets in a row, as each
/// waits until all that was written before is in its place.
pub(super) struct Looks<'a> {
    door: &'a Door,
    looks: [Option<Ref<'a, Ticket>>; LOOKS_MAX],
    /// How many there are, and how many of them have had their turn.
    len: usize,
    used: usize,
    /// Cells for the heads of matches.
    heads: CellLot<'a>,
}

impl<'a> Looks<'a> {
    /// No looks yet.
    pub(super) fn new(door: &'a Door) -> Looks<'a> {
        Looks { door, looks: [const { None }; LOOKS_MAX], len: 0, used: 0, heads: door.heads.lot(0) }
    }

    /// The next ticket, whose players have been let go, and cells for the head of its match. `rest` are all that are still
    /// to come, this one first. Asked for one after the other, with nothing left out.
    pub(super) fn next(
        &mut self,
        finishing: &mut Finishing<'_>,
        rest: impl ExactSizeIterator<Item = TicketId> + Clone,
    ) -> Option<(&Ref<'a, Ticket>, &mut CellLot<'a>)> {
        if self.used == self.len {
            self.look_ahead(finishing, rest);
        }
        self.used += 1;
        let look = self.looks[..self.len].get(self.used - 1)?;
        Some((look.as_ref()?, &mut self.heads))
    }

    fn look_ahead(
        &mut self,
        finishing: &mut Finishing<'_>,
        rest: impl ExactSizeIterator<Item = TicketId> + Clone,
    ) {
        let (door, len) = (self.door, rest.len().min(LOOKS_MAX));
        let ids = rest.take(len);
        self.looks.fill_with(|| None);
        door.tickets.prefetch(ids.clone().map(TicketId::slot));
        self.looks.iter_mut().zip(ids.clone()).for_each(|(look, id)| *look = door.ticket(id));
        (self.len, self.used) = (len, 0);
        // So many as these have if they are two to a match, which most often has two cells.
        self.heads = door.heads.lot(len as u32);
        let looks = || self.looks[..len].iter().flatten();
        door.bodies.prefetch(looks().map(|ticket| ticket.plain.run));
        door.players.prefetch(looks().flat_map(|ticket| {
            let scope = door.scope(ticket.queue.id);
            let plain = ticket.plain.look(&door.bodies);
            (0..plain.players()).map(move |at| (scope, plain.player(at)))
        }));
        for (look, id) in self.looks.iter().zip(ids) {
            look.iter().for_each(|ticket| finishing.let_players_go(ticket, id));
        }
    }
}
