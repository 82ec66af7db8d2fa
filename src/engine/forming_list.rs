//! The forming tickets that a tick knows, in the order in which they end.
//!
//! Part of the tick; one thread. Invariant: each ticket stands once, under the deadline that it was last given.

use crate::model::ids::{Millis, QueueId, TicketId};
use std::collections::{BTreeMap, BTreeSet};

/// A ticket in the order in which such tickets end; one that never does stands at the end of time.
type Key = (Millis, u64, TicketId);

const NEVER: Millis = Millis(u64::MAX);

/// The forming tickets.
#[derive(Default)]
pub(super) struct FormingList {
    by_deadline: BTreeSet<Key>,
    tickets: BTreeMap<TicketId, (Millis, u64, QueueId)>,
    /// Of queues that were removed: submit number and ticket.
    removed: Vec<(u64, TicketId)>,
}

impl FormingList {
    /// Whether it holds a ticket.
    pub(super) fn holds(&self, id: TicketId) -> bool {
        self.tickets.contains_key(&id)
    }

    /// Enters a ticket, or gives it another deadline.
    pub(super) fn set(&mut self, deadline: Option<Millis>, submit_number: u64, id: TicketId, queue: QueueId) {
        self.remove(id);
        let deadline = deadline.unwrap_or(NEVER);
        self.by_deadline.insert((deadline, submit_number, id));
        self.tickets.insert(id, (deadline, submit_number, queue));
    }

    /// Forgets a ticket.
    pub(super) fn remove(&mut self, id: TicketId) {
        if let Some((deadline, submit_number, _)) = self.tickets.remove(&id) {
            self.by_deadline.remove(&(deadline, submit_number, id));
        }
    }

    /// Sets the tickets of a queue aside that was removed.
    pub(super) fn remove_queue(&mut self, queue: QueueId) {
        let of_queue = self.tickets.iter().filter(|&(_, &(_, _, own))| own == queue);
        let of_queue: Vec<(u64, TicketId)> = of_queue.map(|(&id, &(_, number, _))| (number, id)).collect();
        for &(_, id) in &of_queue {
            self.remove(id);
        }
        self.removed.extend(of_queue);
    }

    /// Takes the tickets of removed queues, in the order of submits.
    pub(super) fn take_removed(&mut self) -> Vec<(u64, TicketId)> {
        self.removed.sort_unstable();
        std::mem::take(&mut self.removed)
    }

    /// Takes the tickets whose time is up, in the order of deadlines.
    pub(super) fn take_due(&mut self, now: Millis) -> Vec<Key> {
        let mut due = Vec::new();
        while let Some(&key) = self.by_deadline.first().filter(|&&(deadline, ..)| deadline <= now) {
            self.remove(key.2);
            due.push(key);
        }
        due
    }

    /// When the first of them ends.
    pub(super) fn next_deadline(&self) -> Option<Millis> {
        self.by_deadline.first().map(|&(deadline, ..)| deadline).filter(|&deadline| deadline != NEVER)
    }
}
