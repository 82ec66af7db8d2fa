//! What a tick brings about, in flat buffers that keep their memory: nothing is allocated for a match.
//!
//! Written by the queues, read by the door, which makes events of it. Invariant: a match's placements stand
//! together, in the order of submit numbers.

use super::ledger::Ledger;
use crate::base::fixed::Fixed;
use crate::base::room;
use crate::model::codes::EndReason;
use crate::model::event::Quality;
use crate::model::ids::{Millis, QueueId, Seniority, TicketId};
use crate::model::limits::RULES_MAX;

/// A match that has been committed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MatchFound {
    /// In which queue.
    pub queue: QueueId,
    /// The oldest ticket, whose id is the match's.
    pub oldest: TicketId,
    /// Where it stands among its queue's matches: in the order of the oldest tickets under `least_cost`, else in the
    /// order in which they are made.
    pub rank: Seniority,
    /// The region it is played in, by number.
    pub region: Option<u8>,
    /// How many legal regions it has.
    pub region_count: u32,
    /// How many tickets it has.
    pub ticket_count: u32,
    /// How many tickets of its players have ended with it in other queues.
    pub elsewhere_count: u32,
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

/// A ticket that a tick has taken in, for the accounts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Came {
    /// Into which queue.
    pub queue: QueueId,
    /// Which ticket.
    pub id: TicketId,
    /// Its place in the order of waiting.
    pub seniority: Seniority,
    /// The zeros at the end of the mixed bits of its submit number.
    pub zeros: u8,
    /// Its regions by number, as a bit mask.
    pub regions: u64,
    /// The value whose spread matches report; the least number if it has none.
    pub skill: i64,
}

/// A ticket that no longer waits, for the accounts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Left {
    /// Which queue it was in.
    pub queue: QueueId,
    /// Which ticket.
    pub id: TicketId,
    /// The zeros at the end of the mixed bits of its submit number.
    pub zeros: u8,
    /// They are as many as the accounts ask for: it may be in their sample.
    pub is_drawn: bool,
    /// When it left.
    pub at: Millis,
    /// How long it had waited then.
    pub wait: Millis,
    /// Its players.
    pub players: u32,
    /// Its regions by number, as a bit mask.
    pub regions: u64,
    /// Why it ended; `None`: it was matched.
    pub reason: Option<EndReason>,
    /// It timed out and never met a ticket that it could have stood with.
    pub starved: bool,
}

/// What the searches of one queue have counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tally {
    /// In which queue.
    pub queue: QueueId,
    /// Candidates looked at.
    pub steps: u64,
    /// Searches that ended at their limit.
    pub searches_cut_off: u64,
    /// Pairs of waiting tickets that were looked at to see what keeps them apart.
    pub pairs: u64,
    /// Those that are kept apart, by the first rule that does.
    pub excluded: [u64; RULES_MAX],
    /// Those that only a ticket's own limits, and maybe the region rule, keep apart.
    pub excluded_by_limits: u64,
    /// Trees built since the queue was added.
    pub tree_rebuilds: u64,
    /// Points that its trees do not hold yet.
    pub tree_overlay: u64,
}

impl Tally {
    /// Nothing counted.
    pub const fn new(queue: QueueId) -> Tally {
        Tally {
            queue,
            steps: 0,
            searches_cut_off: 0,
            pairs: 0,
            excluded: [0; RULES_MAX],
            excluded_by_limits: 0,
            tree_rebuilds: 0,
            tree_overlay: 0,
        }
    }

    /// Adds the counts of another; what a queue is now is that of the later one.
    pub fn add(&mut self, other: &Tally) {
        self.steps += other.steps;
        self.searches_cut_off += other.searches_cut_off;
        self.pairs += other.pairs;
        self.excluded.iter_mut().zip(other.excluded).for_each(|(sum, count)| *sum += count);
        self.excluded_by_limits += other.excluded_by_limits;
        (self.tree_rebuilds, self.tree_overlay) = (other.tree_rebuilds, other.tree_overlay);
    }
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
    /// Tickets that ended with the matches, in the order of these and then of submits.
    pub elsewhere: Vec<TicketId>,
    /// Searches that ended at their limit.
    pub searches_cut_off: u64,
    /// Candidates looked at.
    pub steps: u64,
    /// Tickets taken in, in the order of the inputs.
    pub came: Vec<Came>,
    /// Tickets that left, those of removed queues excepted, and matches, added up for the accounts.
    pub ledger: Ledger,
    /// The counts of the queues in which searches ran.
    pub tallies: Vec<Tally>,
    /// Queues that were removed.
    pub gone: Vec<QueueId>,
}

impl Outcome {
    /// Empties the buffers that a great load makes great, once everybody has heard of the outcome.
    pub fn rest(&mut self) {
        room::empty(&mut self.came);
        room::empty(&mut self.matches);
        room::empty(&mut self.placements);
        room::empty(&mut self.regions);
        room::empty(&mut self.expired);
    }

    /// Empties all buffers.
    pub fn clear(&mut self) {
        self.removed.clear();
        self.expired.clear();
        self.matches.clear();
        self.placements.clear();
        self.regions.clear();
        self.elsewhere.clear();
        self.came.clear();
        self.ledger.clear();
        self.tallies.clear();
        self.gone.clear();
        self.searches_cut_off = 0;
        self.steps = 0;
    }
}
