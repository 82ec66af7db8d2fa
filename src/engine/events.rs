//! Terminal events that wait to be polled, in flat queues: a match is made into a record only when it is polled.
//!
//! Invariant: the placements and regions at the front belong to the first match in the queue.

use crate::base::fixed::Fixed;
use crate::model::codes::EndReason;
use crate::model::event::Quality;
use crate::model::ids::{MatchId, Millis, QueueId, TicketId};
use std::collections::VecDeque;
use std::sync::Arc;

/// A match that waits to be polled.
#[derive(Clone, Debug)]
pub(super) struct MatchHead {
    /// When it was made.
    pub at: Millis,
    /// Its id.
    pub id: MatchId,
    /// Its queue.
    pub queue: QueueId,
    /// How many tickets it has.
    pub ticket_count: u32,
    /// How many legal regions it has.
    pub region_count: u32,
    /// How good it is.
    pub quality: Quality,
}

/// A ticket of a match that waits to be polled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    /// Which ticket.
    pub id: TicketId,
    /// Its team's position among the declared ones.
    pub position: u32,
    /// Its ping in the match's region.
    pub ping_ms: Option<Fixed>,
    /// An update came too late.
    pub update_lost: bool,
}

/// A ticket that ended, to be polled.
#[derive(Clone, Copy, Debug)]
pub(super) struct EndedHead {
    /// Which ticket.
    pub id: TicketId,
    /// When.
    pub at: Millis,
    /// Why.
    pub reason: EndReason,
    /// An update came too late.
    pub update_lost: bool,
}

/// One event.
#[derive(Clone, Debug)]
pub(super) enum Head {
    /// A match; its tickets and regions stand in the other queues.
    Match(MatchHead),
    /// An end.
    Ended(EndedHead),
}

/// All events that wait.
#[derive(Debug, Default)]
pub(super) struct Events {
    heads: VecDeque<Head>,
    placed: VecDeque<Placed>,
    regions: VecDeque<Arc<str>>,
    tickets: u64,
}

impl Events {
    /// Tickets whose event waits to be polled.
    pub(super) fn tickets(&self) -> u64 {
        self.tickets
    }

    /// Adds an end.
    pub(super) fn push_ended(&mut self, id: TicketId, at: Millis, reason: EndReason, update_lost: bool) {
        self.heads.push_back(Head::Ended(EndedHead { id, at, reason, update_lost }));
        self.tickets += 1;
    }

    /// Adds a match, whose tickets and regions are added before.
    pub(super) fn push_match(&mut self, head: MatchHead) {
        self.tickets += u64::from(head.ticket_count);
        self.heads.push_back(Head::Match(head));
    }

    /// Adds a ticket of the match that will be added next.
    pub(super) fn push_placed(&mut self, placed: Placed) {
        self.placed.push_back(placed);
    }

    /// Adds a region of the match that will be added next.
    pub(super) fn push_region(&mut self, region: Arc<str>) {
        self.regions.push_back(region);
    }

    /// Takes the first event, with the tickets and regions of a match.
    pub(super) fn pop(&mut self) -> Option<(Head, Vec<Placed>, Vec<Arc<str>>)> {
        let head = self.heads.pop_front()?;
        let (tickets, regions) = match &head {
            Head::Ended(_) => (0, 0),
            Head::Match(found) => (found.ticket_count as usize, found.region_count as usize),
        };
        self.tickets -= tickets.max(1) as u64;
        let placed = self.placed.drain(..tickets).collect();
        let regions = self.regions.drain(..regions).collect();
        Some((head, placed, regions))
    }
}
