//! What a tick brings about, in flat buffers that keep their memory: nothing is allocated for a match.
//!
//! Written by the queues, read by the door, which makes events of it. Invariant: a match's placements stand
//! together, in the order of submit numbers.

use crate::base::fixed::Fixed;
use crate::model::event::Quality;
use crate::model::ids::{Millis, QueueId, TicketId};

/// A match that has been committed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MatchFound {
    /// In which queue.
    pub queue: QueueId,
    /// The oldest ticket, whose id is the match's.
    pub oldest: TicketId,
    /// The region it is played in, by number.
    pub region: Option<u8>,
    /// How many legal regions it has.
    pub region_count: u32,
    /// How many tickets it has.
    pub ticket_count: u32,
    /// How good it is.
    pub quality: Quality,
}

/// One ticket of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placement {
    /// Which ticket.
    pub id: TicketId,
    /// Its team's position in the list of all declared teams.
    pub position: u32,
    /// Its ping in the match's region.
    pub ping_ms: Option<Fixed>,
}

/// A ticket that reached its deadline.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Expired {
    /// When it was due.
    pub deadline: Millis,
    /// Its submit number.
    pub submit_number: u64,
    /// Which ticket.
    pub id: TicketId,
    /// It never met a ticket that it could have stood with.
    pub starved: bool,
}

/// Everything that one tick brings about.
#[derive(Default)]
pub struct Outcome {
    /// Tickets of queues that were removed, by submit number.
    pub removed: Vec<(u64, TicketId)>,
    /// Tickets that expired, by deadline and submit number.
    pub expired: Vec<Expired>,
    /// Matches, queue by queue, each in its order.
    pub matches: Vec<MatchFound>,
    /// Their tickets.
    pub placements: Vec<Placement>,
    /// Their legal regions by number, best first.
    pub regions: Vec<u8>,
    /// Searches that ended at their limit.
    pub searches_cut_off: u64,
    /// Candidates looked at.
    pub steps: u64,
}

impl Outcome {
    /// Empties all buffers.
    pub fn clear(&mut self) {
        self.removed.clear();
        self.expired.clear();
        self.matches.clear();
        self.placements.clear();
        self.regions.clear();
        self.searches_cut_off = 0;
        self.steps = 0;
    }
}
