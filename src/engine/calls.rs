//! What calls have brought, for the next tick: in the order in which they came.
//!
//! Pushed by every call that a tick must hear of, taken whole by the tick. Invariant: whatever a call promises its
//! caller has happened before it is pushed, or happens when the tick takes it.

use super::queues::DoorQueue;
use super::ticket::Version;
use crate::model::ids::{Millis, QueueId, TicketId};
use crate::queue::regions::RegionHold;
use std::sync::Arc;

/// A call and the engine time at which it came.
pub(super) type Timed = (Millis, Call);

/// One call.
pub(super) enum Call {
    /// A queue was added.
    AddQueue(Arc<DoorQueue>),
    /// A queue was removed; its tickets end.
    RemoveQueue(QueueId),
    /// A queue was suspended or opened.
    SuspendQueue(QueueId, bool),
    /// A region is up, or down.
    SetRegion(Box<str>, bool),
    /// A ticket begins to wait.
    Arrive(Arrived),
    /// A ticket begins to form, or its deadline has changed while it forms.
    Form(TicketId),
    /// A ticket was ended by its host.
    Leave(TicketId),
    /// A ticket was changed.
    Update(TicketId, Arc<Version>, RegionHold),
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
    /// Its old submit number, if it comes back from a match; else the tick gives it one.
    pub submit_number: Option<u64>,
}
