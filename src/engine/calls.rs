//! What calls have brought, for the next tick: in the order in which they came.
//!
//! Pushed by every call that a tick must hear of, taken whole by the tick. Invariant: whatever a call promises its
//! caller has happened before it is pushed, or happens when the tick takes it.

use super::queues::DoorQueue;
use super::ticket::Version;
use crate::model::codes::EndReason;
use crate::model::ids::{MatchId, Millis, PlayerId, QueueId, TicketId};
use crate::queue::regions::RegionHold;
use std::sync::Arc;

/// A call and the engine time at which it came.
pub(super) type Timed = (Millis, Call);

/// One call.
pub(super) enum Call {
    /// A queue was added.
    AddQueue(Arc<DoorQueue>),
    /// A queue was removed; its tickets end.
    RemoveQueue(Arc<DoorQueue>),
    /// A queue was suspended or opened.
    SuspendQueue(Arc<DoorQueue>, bool),
    /// A region is up, or down.
    SetRegion(Box<str>, bool),
    /// A ticket begins to wait that is not plain.
    Arrive(Box<Arrived>),
    /// A plain ticket begins to wait.
    Come(TicketId),
    /// A ticket begins to form, or it has changed while it forms.
    Form(TicketId, Arc<Version>),
    /// A player has joined a forming ticket, which awaits others still.
    Join(TicketId, Arc<Version>),
    /// A ticket was ended by its host; while a record is kept, what it is to say.
    Leave(TicketId, EndReason, Option<Box<Departed>>),
    /// A ticket was changed.
    Update(TicketId, Box<(Arc<Version>, RegionHold)>),
    /// Something to stand in the record: the text of a JSON object.
    Note(Box<str>),
}

/// A ticket that begins to wait.
pub(super) struct Arrived {
    /// Which ticket.
    pub id: TicketId,
    /// Its queue.
    pub queue: QueueId,
    /// What it asks for.
    pub version: Arc<Version>,
    /// The regions that it counts on.
    pub hold: RegionHold,
    /// Where it comes from.
    pub from: Origin,
}

/// What a record says of a ticket that its host has ended. Kept with the call: by the time that a tick takes that, the
/// ticket may have been polled and its slot given away.
#[derive(Clone, Copy)]
pub(super) struct Departed {
    /// The id that the ticket had first.
    pub first_id: TicketId,
    /// Its first player.
    pub player: Option<PlayerId>,
    /// If a tick was running that had taken the ticket in, behind how many of its claims.
    pub in_tick: Option<u32>,
}

/// Where a ticket comes from that begins to wait.
#[derive(Clone, Copy)]
pub(super) enum Origin {
    /// A submit.
    Submit,
    /// The last join of a forming ticket.
    Join,
    /// A match that came to nothing; it keeps its submit number. An update that the match came before counts now.
    Match { of: MatchId, submit_number: u64, with_update: bool, first_id: TicketId },
}

impl Origin {
    /// Whether it is a submit.
    pub(super) fn is_submit(self) -> bool {
        matches!(self, Origin::Submit)
    }
}

const _: () = assert!(size_of::<Timed>() <= 32);
