//! The forming tickets that a tick knows, in the order in which they end.
//!
//! Part of the tick; one thread. Invariant: each ticket stands once, under the deadline that it was last given.

use super::ticket::Version;
use crate::model::ids::{Millis, PlayerId, QueueId, TicketId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A ticket in the order in which such tickets end; one that never does stands at the end of time.
type Key = (Millis, u64, TicketId);

const NEVER: Millis = Millis(u64::MAX);

/// One ticket.
struct Forming {
    deadline: Millis,
    submit_number: u64,
    queue: QueueId,
    /// As the tick knows it.
    version: Arc<Version>,
}

/// The forming tickets.
#[derive(Default)]
pub(super) struct FormingList {
    by_deadline: BTreeSet<Key>,
    tickets: BTreeMap<TicketId, Forming>,
    /// Of queues that were removed: submit number and ticket.
    removed: Vec<(u64, TicketId)>,
}

impl FormingList {
    /// Whether it holds a ticket.
    pub(super) fn holds(&self, id: TicketId) -> bool {
        self.tickets.contains_key(&id)
    }

    /// The number of the version that a ticket is known in.
    pub(super) fn number_of(&self, id: TicketId) -> Option<u64> {
        self.tickets.get(&id).map(|forming| forming.version.number)
    }

    /// Whether a ticket forms, which that player has joined and whose time is not up at `now`.
    pub(super) fn awaits_with(&self, id: TicketId, player: PlayerId, now: Millis) -> bool {
        self.tickets.get(&id).is_some_and(|forming| {
            let players = &forming.version.request.players;
            forming.deadline > now && players.iter().any(|other| other.id == player)
        })
    }

    /// Enters a ticket, or replaces its version.
    pub(super) fn set(&mut self, submit_number: u64, id: TicketId, queue: QueueId, version: Arc<Version>) {
        self.remove(id);
        let deadline = version.deadline.unwrap_or(NEVER);
        self.by_deadline.insert((deadline, submit_number, id));
        self.tickets.insert(id, Forming { deadline, submit_number, queue, version });
    }

    /// Forgets a ticket.
    pub(super) fn remove(&mut self, id: TicketId) {
        if let Some(Forming { deadline, submit_number, .. }) = self.tickets.remove(&id) {
            self.by_deadline.remove(&(deadline, submit_number, id));
        }
    }

    /// Sets the tickets of a queue aside that was removed.
    pub(super) fn remove_queue(&mut self, queue: QueueId) {
        let of_queue = self.tickets.iter().filter(|(_, forming)| forming.queue == queue);
        let of_queue: Vec<(u64, TicketId)> =
            of_queue.map(|(&id, forming)| (forming.submit_number, id)).collect();
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
