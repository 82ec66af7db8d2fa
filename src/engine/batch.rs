//! Tickets of one call that come in together, one after the other, in whichever form each has.
//!
//! Used by the C ABI, which finds out ticket by ticket what its caller has brought. Invariant: the tickets that were
//! accepted are published together and in order, by `publish`.

use super::Engine;
use super::entry::Entry;
use super::layout::TicketLayout;
use super::log::Turn;
use crate::model::codes::Refusal;
use crate::model::ids::{Millis, TicketId};
use crate::model::plain::PlainTicket;
use crate::model::request::TicketRequest;

/// A batch that is coming in.
pub(crate) struct OpenBatch<'a> {
    entry: Entry<'a>,
    _turn: Turn<'a>,
    accepted: Vec<TicketId>,
}

impl Engine {
    /// Begins a batch of about so many tickets. Any thread. Errors: INVALID_TIME, ENGINE_CLOSED.
    pub(crate) fn open_batch(&self, now: Millis, count: usize) -> Result<OpenBatch<'_>, Refusal> {
        let (turn, now) = self.enter(now)?;
        let entry = Entry::new(&self.door, now, count);
        Ok(OpenBatch { entry, _turn: turn, accepted: Vec::with_capacity(count) })
    }
}

impl OpenBatch<'_> {
    /// Adds a ticket; errors as `submit`.
    pub(crate) fn add(&mut self, request: TicketRequest) -> Result<TicketId, Refusal> {
        let id = self.entry.admit_whole(request)?;
        self.accepted.push(id);
        Ok(id)
    }

    /// Adds a ticket that a layout describes; errors as `submit_plain`.
    pub(crate) fn add_plain(
        &mut self,
        layout: &TicketLayout,
        ticket: &PlainTicket<'_>,
    ) -> Result<TicketId, Refusal> {
        let id = self.entry.admit(layout, ticket)?;
        self.accepted.push(id);
        Ok(id)
    }

    /// Lets the tickets wait.
    pub(crate) fn publish(self) {
        self.entry.publish(self.accepted.iter().copied());
    }
}
