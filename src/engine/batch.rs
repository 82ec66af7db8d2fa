//! Tickets of one call that come in together, one after the other, in whichever form each has.
//!
//! Used by the C ABI, which finds out ticket by ticket what its caller has brought. Invariant: the tickets that were
//! accepted are published together and in order, by `publish`.

use super::Engine;
use super::calls::Timed;
use super::entry::Entry;
use super::layout::TicketLayout;
use super::log::Turn;
use super::submit::Admitted;
use crate::model::codes::Refusal;
use crate::model::ids::{Millis, TicketId};
use crate::model::plain::PlainTicket;
use crate::model::request::TicketRequest;

/// A batch that is coming in.
pub(crate) struct OpenBatch<'a> {
    engine: &'a Engine,
    entry: Entry<'a>,
    _turn: Turn<'a>,
    now: Millis,
    calls: Vec<Timed>,
    accepted: Vec<TicketId>,
}

impl Engine {
    /// Begins a batch of about so many tickets. Any thread. Errors: INVALID_TIME, ENGINE_CLOSED.
    pub(crate) fn open_batch(&self, now: Millis, count: usize) -> Result<OpenBatch<'_>, Refusal> {
        let (turn, now) = self.enter(now)?;
        let (calls, accepted) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let entry = Entry::new(&self.door, now, count);
        Ok(OpenBatch { engine: self, entry, _turn: turn, now, calls, accepted })
    }
}

impl OpenBatch<'_> {
    /// Adds a ticket; errors as `submit`.
    pub(crate) fn add(&mut self, request: TicketRequest) -> Result<TicketId, Refusal> {
        self.entry.leave_off();
        let admitted = self.engine.door.admit_new(self.now, request)?;
        Ok(self.keep(admitted))
    }

    /// Adds a ticket that a layout describes; errors as `submit_plain`.
    pub(crate) fn add_plain(
        &mut self,
        layout: &TicketLayout,
        ticket: &PlainTicket<'_>,
    ) -> Result<TicketId, Refusal> {
        let admitted = self.entry.admit(layout, ticket)?;
        Ok(self.keep(admitted))
    }

    fn keep(&mut self, Admitted { id, call }: Admitted) -> TicketId {
        self.calls.push((self.now, call));
        self.accepted.push(id);
        id
    }

    /// Lets the tickets wait.
    pub(crate) fn publish(self) {
        let OpenBatch { engine, entry, _turn, now, calls, accepted } = self;
        drop(entry);
        engine.door.ingress.push_all(calls);
        engine.door.publish_all(accepted.into_iter(), now);
    }
}
