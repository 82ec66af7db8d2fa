//! The tickets that running queues hold, by slot: whether a tick has taken a ticket in, and what it took beside the plain
//! request.
//!
//! Part of `intake`; one thread. Invariant: a place belongs to one ticket at a time, and one that is given back is the
//! next to be taken.

use super::ticket::Version;
use crate::model::ids::{QueueId, TicketId};
use crate::queue::regions::RegionHold;
use crate::store::columns::Column;
use crate::store::strings::StringId;
use std::sync::Arc;

/// What a running queue holds of a ticket that is not plain, or has been changed.
#[derive(Default)]
pub(super) struct Taken {
    /// What searches read of it.
    pub version: Option<Arc<Version>>,
    /// The regions that it counts on.
    pub hold: Option<RegionHold>,
    /// The texts of its values; the buffer serves the next ticket.
    pub strings: Vec<StringId>,
}

/// The place of every plain ticket.
pub(super) const PLAIN: u32 = u32::MAX;

/// The tickets that running queues hold: 8 bytes a slot, and 16 more where regions are learned from tickets.
pub(super) struct TakenIn {
    /// By slot: the generation of the ticket that a running queue holds (0: none), and its place.
    entries: Column<(u32, u32)>,
    items: Vec<Taken>,
    /// Places that are free.
    free: Vec<u32>,
    /// By slot: the regions that a plain ticket counts on, as bits, and its queue. Without rows where no number is ever
    /// given away.
    holds: Column<(u64, u32)>,
}

impl Default for TakenIn {
    fn default() -> TakenIn {
        TakenIn {
            entries: Column::new((0, PLAIN)),
            items: Vec::new(),
            free: Vec::new(),
            holds: Column::new((0, 0)),
        }
    }
}

impl TakenIn {
    /// A free place for what is not plain.
    pub(super) fn take_place(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.items.push(Taken::default());
            self.free.reserve(self.items.len());
            self.items.len() as u32 - 1
        })
    }

    /// Says that a running queue holds a ticket.
    pub(super) fn enter(&mut self, id: TicketId, place: u32) {
        self.entries.grow_to(id.slot() as usize + 1);
        self.entries.set(id.slot(), (id.generation(), place));
    }

    /// The place of a ticket that a running queue holds.
    pub(super) fn place(&self, id: TicketId) -> Option<u32> {
        if id.slot() as usize >= self.entries.rows() || id.engine() != 0 {
            return None;
        }
        let (generation, place) = self.entries.get(id.slot());
        (generation == id.generation()).then_some(place)
    }

    /// Says that no running queue holds the ticket any more.
    pub(super) fn leave(&mut self, id: TicketId) {
        self.entries.set(id.slot(), (0, PLAIN));
    }

    /// What stands in a place. Panics on a place that was never taken.
    pub(super) fn at(&mut self, place: u32) -> &mut Taken {
        &mut self.items[place as usize]
    }

    /// Gives a place back.
    pub(super) fn give_place(&mut self, place: u32) {
        self.free.push(place);
    }

    /// The version in a place, if it has one.
    pub(super) fn version(&self, place: u32) -> Option<&Arc<Version>> {
        self.items.get(place as usize)?.version.as_ref()
    }

    /// Notes the regions that a plain ticket counts on, as bits.
    pub(super) fn hold(&mut self, id: TicketId, held: u64, of: QueueId) {
        if held != 0 {
            self.holds.grow_to(id.slot() as usize + 1);
            self.holds.set(id.slot(), (held, of.0));
        }
    }

    /// Takes the regions that a plain ticket counts on, and its queue.
    pub(super) fn take_hold(&mut self, id: TicketId) -> (u64, QueueId) {
        if id.slot() as usize >= self.holds.rows() {
            return (0, QueueId(0));
        }
        let (held, of) = self.holds.get(id.slot());
        self.holds.set(id.slot(), (0, 0));
        (held, QueueId(of))
    }
}
