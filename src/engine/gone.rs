//! Tickets whose event was polled: they are retained while they are among the newest, and then their slots are free.
//!
//! Used by `poll`, one thread each. What many tickets give back, and what they are counted in, is done once for all that
//! fit in here. Invariant: a place is given back behind the slot, so that a submit that finds room finds a slot, unless so
//! many tickets or queues were told of at once that they do not fit and a few are still looked at; and of the tickets that
//! were polled at least the newest `retained_max` are retained, however many threads poll.

use super::door::Door;
use super::queues::DoorQueue;
use super::ticket::Ticket;
use crate::base::shelf::Ref;
use crate::base::sync::Ordering;
use crate::model::ids::TicketId;
use std::sync::Arc;

/// Tickets that are gathered. Chosen: the exchanges are shared by enough of them, and a poll of one event does not clear
/// much memory for them.
const GONE_MAX: usize = 192;
/// So many are worth the exchanges. Chosen likewise.
const GONE_MANY: usize = 128;

/// Queues whose tickets are gathered together. Chosen: most hosts have fewer that are busy at once.
const QUEUES_MAX: usize = 8;

/// Tickets whose event was polled, and told.
pub(super) struct Gone<'a> {
    door: &'a Door,
    ids: [u64; GONE_MAX],
    len: usize,
    /// Their queues, with how many tickets of each follow one another.
    queues: [Option<(Arc<DoorQueue>, u64)>; QUEUES_MAX],
    runs: usize,
}

impl<'a> Gone<'a> {
    /// No tickets.
    pub(super) fn new(door: &'a Door) -> Gone<'a> {
        Gone { door, ids: [0; GONE_MAX], len: 0, queues: [const { None }; QUEUES_MAX], runs: 0 }
    }

    /// Adds a ticket.
    pub(super) fn add(&mut self, ticket: &Ref<'_, Ticket>) {
        if self.len == GONE_MAX {
            self.let_go();
        }
        let last = self.runs.checked_sub(1).and_then(|last| self.queues[last].as_mut());
        match last.filter(|(queue, _)| Arc::ptr_eq(queue, &ticket.queue)) {
            Some((_, count)) => *count += 1,
            None => {
                if self.runs == QUEUES_MAX {
                    self.let_go();
                }
                self.queues[self.runs] = Some((Arc::clone(&ticket.queue), 1));
                self.runs += 1;
            }
        }
        self.ids[self.len] = TicketId::new(ticket.place(), ticket.generation()).0;
        self.len += 1;
    }

    /// Lets them go if they are many, or of many queues. Called when nobody looks at them any more, so that they go
    /// together.
    pub(super) fn let_many_go(&mut self) {
        if self.len >= GONE_MANY || self.runs > QUEUES_MAX / 2 {
            self.let_go();
        }
    }

    fn let_go(&mut self) {
        let (door, len) = (self.door, std::mem::take(&mut self.len));
        if len == 0 {
            return;
        }
        if door.retained_max == 0 {
            door.free_all(&self.ids[..len]);
        } else {
            self.retain(len);
        }
        for (queue, count) in
            self.queues[..std::mem::take(&mut self.runs)].iter_mut().filter_map(Option::take)
        {
            queue.give_places(count);
        }
        door.held.fetch_sub(len as u64, Ordering::Relaxed);
        door.counts.polled.fetch_add(len as u64, Ordering::Relaxed);
    }

    /// Retains the tickets, and frees as many of the oldest ones as there are too many then.
    fn retain(&mut self, len: usize) {
        let (door, max) = (self.door, u64::from(self.door.retained_max));
        door.retained.push_chain(self.ids[..len].iter().copied());
        // Of threads that come here at once each frees those that itself has brought above the most. Relaxed: it
        // orders nothing but itself; whoever counts has pushed before, so there is something to pop for each.
        let before = door.retained_count.fetch_add(len as u64, Ordering::Relaxed);
        let mut over = (before + len as u64).saturating_sub(max).min(len as u64) as usize;
        while over > 0 {
            let found = door.retained.pop_many(&mut self.ids[..over]);
            if found == 0 {
                return;
            }
            door.retained_count.fetch_sub(found as u64, Ordering::Relaxed);
            door.free_all(&self.ids[..found]);
            over -= found;
        }
    }
}

impl Drop for Gone<'_> {
    fn drop(&mut self) {
        self.let_go();
    }
}

impl Door {
    /// Takes tickets off their shelf. Those that somebody still looks at are freed by whoever does so last.
    fn free_all(&self, ids: &[u64]) {
        let ids = || ids.iter().map(|&id| TicketId(id));
        self.claims.prefetch(ids());
        let (mut slots, mut bodies, mut heads) = (self.claims.freed(), self.bodies.pile(), self.heads.pile());
        for id in ids() {
            self.tickets.remove_to(id.slot(), id.generation(), |slot, generation, ticket| {
                bodies.give(ticket.plain.run);
                heads.give(ticket.head());
                drop(ticket);
                slots.free(TicketId::new(slot, generation));
            });
        }
    }
}
