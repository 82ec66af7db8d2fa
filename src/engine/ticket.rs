//! What the engine keeps of each ticket: who it is, what it asks for, and how it ended.
//!
//! One for each slot that is in use, on a shelf that any thread may look at. Put there at submit, kept while its
//! terminal event waits to be polled and then while it is among the newest retained ones. Invariant: the terminal
//! event is written once, by whoever ended the ticket's claim or committed it.

use super::queues::DoorQueue;
use crate::base::fixed::Fixed;
use crate::base::published::Published;
use crate::base::sync::{AtomicBool, AtomicU64, Ordering};
use crate::model::codes::EndReason;
use crate::model::event::Quality;
use crate::model::ids::{MatchId, Millis, TicketId};
use crate::model::limits::REGIONS_MAX;
use crate::model::request::TicketRequest;
use crate::queue::regions::RegionOrder;
use crate::store::tickets::TicketValues;
use std::sync::{Arc, OnceLock};

/// Cells of a ticket's versions: an update needs two, and most tickets have none.
const VERSION_CELLS: usize = 1;

/// A ticket as it is asked for, at one time; an update makes a new one.
#[derive(Debug)]
pub(super) struct Version {
    /// 0 for the first, one more with each change.
    pub number: u64,
    /// The whole request.
    pub request: TicketRequest,
    /// When its wait began; of a forming ticket, when it was made.
    pub enqueued: Millis,
    /// When it ends.
    pub deadline: Option<Millis>,
    /// What searches read of it, without what stands in `texts`. Empty while it is forming.
    pub values: TicketValues,
    /// The texts among its values.
    pub texts: Texts,
}

/// Values that are texts: a tick gives each a number.
#[derive(Debug, Default)]
pub(super) struct Texts {
    /// The key slots that hold a text.
    pub keys: Vec<(usize, Box<str>)>,
    /// The list slots that hold a list: without repetition.
    pub lists: Vec<(usize, Vec<Box<str>>)>,
}

/// One ticket.
pub(super) struct Ticket {
    /// Its id.
    pub id: TicketId,
    /// The id of the first of the tickets that were put back as each other: the record calls it by that.
    pub first_id: TicketId,
    /// Its queue, which may have been removed since.
    pub queue: Arc<DoorQueue>,
    /// When its timeout began: with its wait, or with its creation if it has been forming.
    pub created: Millis,
    /// Earlier matches that it was in.
    pub attempts: u32,
    /// What it asks for now.
    pub versions: Published<Arc<Version>, VERSION_CELLS>,
    /// Its place among the submits, once a tick has taken it in. Relaxed: the tick that writes it hands the
    /// ticket's match over, if any, by the exchange of the event.
    pub submit_number: AtomicU64,
    /// A tick has taken it in, as it is: waiting, or forming. Relaxed: a report, and for the record, where calls and
    /// ticks take turns.
    pub is_taken_in: AtomicBool,
    /// Members are still to join. Its exchange lets one thread count it out.
    pub is_forming: AtomicBool,
    /// It was put back as another ticket. Its exchange lets one requeue through.
    pub is_requeued: AtomicBool,
    /// How it ended.
    pub terminal: OnceLock<Terminal>,
    /// The match, if this is its oldest ticket; set before `terminal`.
    pub found: OnceLock<MatchHead>,
}

impl Ticket {
    /// What it asks for now.
    pub(super) fn version(&self) -> Arc<Version> {
        Arc::clone(&self.versions.load())
    }

    /// Whether an update came too late to have an effect: a tick that had not taken it in ended the ticket.
    pub(super) fn update_lost(&self) -> bool {
        let taken = self.terminal.get().and_then(|terminal| terminal.taken.as_ref());
        taken.is_some_and(|taken| self.version().number > taken.number)
    }

    /// What the tick that ended it had taken in; if none did so, what it asked for last.
    pub(super) fn last_version(&self) -> Arc<Version> {
        let taken = self.terminal.get().and_then(|terminal| terminal.taken.clone());
        taken.unwrap_or_else(|| self.version())
    }

    /// Its number among the submits; 0 until a tick has taken it in.
    pub(super) fn submit_number(&self) -> u64 {
        self.submit_number.load(Ordering::Relaxed)
    }
}

/// How a ticket ended.
#[derive(Clone, Debug)]
pub(super) struct Terminal {
    /// When.
    pub at: Millis,
    /// In a match, or without.
    pub end: End,
    /// If a tick ended it: the version that it had taken in.
    pub taken: Option<Arc<Version>>,
}

/// In a match, or without.
#[derive(Clone, Copy, Debug)]
pub(super) enum End {
    /// It is in a match.
    Matched(Seat),
    /// It ended without one.
    Ended(EndReason),
}

/// A ticket's place in its match.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seat {
    /// Which match.
    pub of: MatchId,
    /// Its team's position among the declared ones.
    pub position: u32,
    /// Its ping in the match's region.
    pub ping_ms: Option<Fixed>,
    /// The next ticket of the match in the order of submit numbers.
    pub next: Option<TicketId>,
}

/// What a match is, beside its tickets.
#[derive(Clone, Debug)]
pub(super) struct MatchHead {
    /// How good it is.
    pub quality: Quality,
    /// Its ticket with the least submit number, which leads to the others.
    pub first: TicketId,
    /// Its legal regions by number, best first.
    pub regions: [u8; REGIONS_MAX],
    /// How many these are.
    pub region_count: u8,
    /// The names of the regions.
    pub order: Arc<RegionOrder>,
}

impl MatchHead {
    /// The names of its legal regions, best first.
    pub(super) fn region_names(&self) -> Vec<Arc<str>> {
        let numbers = self.regions[..usize::from(self.region_count)].iter();
        numbers.filter_map(|&number| self.order.names[usize::from(number)].clone()).collect()
    }
}
