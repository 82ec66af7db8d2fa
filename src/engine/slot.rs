//! What the engine keeps of each ticket: its whole request, and where it is in its life.
//!
//! One for each slot that is in use, behind the door's lock. A slot is taken at submit, holds the ticket's one
//! terminal event until that is polled, is kept while it is among the newest retained ones, and is then freed.

use crate::model::codes::EndReason;
use crate::model::ids::{MatchId, Millis, QueueId, Seniority, TicketId};
use crate::model::request::TicketRequest;
use crate::store::strings::StringId;

/// Where a ticket is in its life, as the door knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Life {
    /// Members are still to join; no search knows it.
    Forming,
    /// It waits.
    Queued,
    /// It went into a match at a time.
    Matched(MatchId, Millis),
    /// It ended at a time.
    Ended(EndReason, Millis),
}

/// A forming ticket in the order in which such tickets end; one that never does stands at the end of time.
pub(super) type FormingKey = (Millis, u64, TicketId);

/// What a ticket holds of the engine's names, to be given back once no search can read them.
#[derive(Debug, Default)]
pub(super) struct Held {
    /// Strings of its values.
    pub strings: Vec<StringId>,
    /// Regions of its queue.
    pub region_mask: u64,
}

/// An update that the next tick will take in.
#[derive(Debug)]
pub(super) struct PendingUpdate {
    /// The whole request as it will be.
    pub request: TicketRequest,
    /// What it holds.
    pub held: Held,
    /// Its round-trip times.
    pub pings: Vec<(u8, i64)>,
    /// When it will end.
    pub deadline: Option<Millis>,
}

/// One ticket.
#[derive(Debug)]
pub(super) struct Slot {
    /// Its id.
    pub id: TicketId,
    /// Its queue.
    pub queue: QueueId,
    /// Its place in the order of waiting.
    pub seniority: Seniority,
    /// When its timeout began: with its wait, or with its creation if it has been forming.
    pub created: Millis,
    /// When it ends.
    pub deadline: Option<Millis>,
    /// What was asked, with the updates that ticks have taken in.
    pub request: TicketRequest,
    /// Its round-trip times by region number, in units of 0.000001 ms.
    pub pings: Vec<(u8, i64)>,
    /// What it holds.
    pub held: Held,
    /// An update that no tick has taken in yet.
    pub pending: Option<Box<PendingUpdate>>,
    /// A tick has taken it in.
    pub is_taken_in: bool,
    /// Earlier matches that it was in.
    pub attempts: u32,
    /// Where it is in its life.
    pub life: Life,
    /// Its terminal event was polled.
    pub is_polled: bool,
    /// It was put back as another ticket.
    pub is_requeued: bool,
}

impl Slot {
    /// Its place among the forming tickets: when it ends, and in which order.
    pub(super) fn forming_key(&self) -> FormingKey {
        (self.deadline.unwrap_or(Millis(u64::MAX)), self.seniority.submit_number, self.id)
    }

    /// The request as the host last asked for it.
    pub(super) fn latest_request(&self) -> &TicketRequest {
        self.pending.as_ref().map_or(&self.request, |pending| &pending.request)
    }
}
