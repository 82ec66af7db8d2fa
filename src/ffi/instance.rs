//! One engine as the C ABI knows it: the engine, its names, its queues, and what turns its ids into handles.
//!
//! Made by `engine`, found by `table`. Invariants: bits 26..32 of every ticket, match and queue handle that leaves it
//! are the index of its place, so a handle of another engine is known at sight; a queue handle also has the engine's
//! generation.
#![allow(unsafe_code, reason = "what one poller at a time uses is shared between threads")]

use super::guard::Fault;
use super::names::Names;
use super::plain::Columns;
use super::record::Lines;
use super::status::{EVENMATCH_BUSY, EVENMATCH_NOT_FOUND, EVENMATCH_TOO_MANY_QUEUES};
use crate::base::late::Late;
use crate::base::segments::Segments;
use crate::base::sync::{AtomicBool, AtomicU32, Ordering};
use crate::engine::Engine;
use crate::model::buffer::{EventBuffer, FlatEvent};
use crate::model::ids::{MatchId, QueueId, TicketId};
use crate::model::plain::TextId;
use std::cell::UnsafeCell;
use std::sync::OnceLock;

/// Symbols whose text's number is kept at hand; those beyond are looked up.
const TEXTS_CACHED: u32 = 1 << 16;

/// Queues that one engine may ever have had.
const QUEUES_EVER_MAX: u32 = 1 << 20;

/// An engine and what the C ABI needs beside it.
pub(super) struct Instance {
    pub engine: Engine,
    /// Every ticket is matched by itself.
    pub is_echo: bool,
    pub names: Names,
    /// The message of the panic that has made the engine unusable.
    pub poison: OnceLock<String>,
    pub taken: Taken,
    pub lines: Lines,
    index: u32,
    generation: u32,
    /// The greatest generation of a ticket that was handed out.
    generation_max: AtomicU32,
    /// By queue id.
    queues: Segments<OnceLock<QueueEntry>>,
    /// The engine's numbers of symbols that were values, by symbol; 0: not resolved yet.
    texts: Segments<AtomicU32>,
}

/// A queue that was added.
pub(super) struct QueueEntry {
    pub name: Box<str>,
    is_removed: AtomicBool,
    /// What its plain tickets look like, if it may have any.
    columns: Late<Columns>,
}

impl QueueEntry {
    /// What its plain tickets look like.
    pub(super) fn columns(&self) -> Option<&Columns> {
        self.columns.get()
    }
}

impl Instance {
    pub(super) fn new(engine: Engine, names: Names, is_echo: bool, place: (u32, u32, u32)) -> Instance {
        let (index, generation, first_generation) = place;
        Instance {
            engine,
            is_echo,
            names,
            poison: OnceLock::new(),
            taken: Taken::default(),
            lines: Lines::default(),
            index,
            generation,
            generation_max: AtomicU32::new(first_generation - 1),
            queues: Segments::new(QUEUES_EVER_MAX),
            texts: Segments::new(TEXTS_CACHED),
        }
    }

    /// The generation with which the slots of the next engine of this place begin.
    pub(super) fn next_generation(&self) -> u32 {
        self.generation_max.load(Ordering::Relaxed).saturating_add(1)
    }

    /// The handle of a ticket that is handed out.
    pub(super) fn ticket_handle(&self, ticket: TicketId) -> u64 {
        ticket.0 | u64::from(self.index) << TicketId::SLOT_BITS
    }

    /// As `ticket_handle`, for a ticket that is new.
    pub(super) fn new_ticket_handle(&self, ticket: TicketId) -> u64 {
        // Relaxed: read once nobody is inside any more, which the gate orders.
        if self.generation_max.load(Ordering::Relaxed) < ticket.generation() {
            self.generation_max.fetch_max(ticket.generation(), Ordering::Relaxed);
        }
        self.ticket_handle(ticket)
    }

    pub(super) fn match_handle(&self, of: MatchId) -> u64 {
        self.ticket_handle(of.0)
    }

    /// The ticket of a handle, which may be gone.
    pub(super) fn ticket(&self, handle: u64) -> Result<TicketId, Fault> {
        let id = TicketId(handle);
        if id.engine() != self.index || id.generation() == 0 {
            return Err(Fault::new(
                EVENMATCH_NOT_FOUND,
                format!("{handle:#x} is no ticket or match of this engine"),
            ));
        }
        Ok(TicketId::new(id.slot(), id.generation()))
    }

    pub(super) fn queue_handle(&self, queue: QueueId) -> u64 {
        u64::from(self.generation) << 32
            | u64::from(self.index) << TicketId::SLOT_BITS
            | u64::from(queue.0 + 1)
    }

    /// Notes a queue that was added.
    pub(super) fn add_queue(&self, id: QueueId, name: &str) -> Result<u64, Fault> {
        let place = self.queues.get_or_make(id.0, OnceLock::new);
        let place = place.ok_or_else(|| {
            let detail = format!("{QUEUES_EVER_MAX} queues have been added to this engine");
            Fault::new(EVENMATCH_TOO_MANY_QUEUES, detail)
        })?;
        // An id is given out once, so the place is empty.
        let columns = Columns::of(self, id).map_or_else(Late::new, |columns| Late::with(Box::new(columns)));
        let _ = place.set(QueueEntry { name: name.into(), is_removed: AtomicBool::new(false), columns });
        Ok(self.queue_handle(id))
    }

    /// The engine's number of a symbol's text; `None`: the symbol, or the text, has none.
    pub(super) fn text(&self, symbol: u32) -> Option<TextId> {
        let place = self.texts.get_or_make(symbol, || AtomicU32::new(0));
        // Relaxed, here and below: the number stands for itself, and so does the text behind it.
        let known = place.map_or(0, |place| place.load(Ordering::Relaxed));
        if known != 0 {
            return Some(TextId(known));
        }
        let id = self.engine.text(self.names.text(symbol, "value").ok()?).ok()?;
        if let Some(place) = place {
            place.store(id.0, Ordering::Relaxed);
        }
        Some(id)
    }

    /// The queue of a handle. Acquire pairs with the release in `remove_queue`.
    pub(super) fn queue(&self, handle: u64) -> Result<(QueueId, &QueueEntry), Fault> {
        let slot = TicketId(handle).slot();
        let found = (TicketId(handle).engine() == self.index && (handle >> 32) as u32 == self.generation)
            .then(|| self.queues.get(slot.checked_sub(1)?)?.get())
            .flatten();
        match found {
            Some(entry) if !entry.is_removed.load(Ordering::Acquire) => Ok((QueueId(slot - 1), entry)),
            _ => Err(Fault::new(EVENMATCH_NOT_FOUND, format!("{handle:#x} is no queue of this engine"))),
        }
    }

    /// The handles of the queues that there are, in the order in which they were added.
    pub(super) fn queue_handles(&self) -> impl Iterator<Item = u64> + '_ {
        let places = (0..QUEUES_EVER_MAX).map_while(|id| self.queues.get(id)?.get().map(|entry| (id, entry)));
        places
            .filter(|(_, entry)| !entry.is_removed.load(Ordering::Acquire))
            .map(|(id, _)| self.queue_handle(QueueId(id)))
    }

    /// From now on the queue's handle names nothing.
    pub(super) fn remove_queue(&self, entry: &QueueEntry) {
        entry.is_removed.store(true, Ordering::Release);
    }
}

/// An event that the engine has handed over and the host has not had room for yet. One poller at a time.
#[derive(Default)]
pub(super) struct Taken {
    is_busy: AtomicBool,
    /// One event, or none.
    events: UnsafeCell<EventBuffer>,
    /// Its tickets, for stats.
    tickets: AtomicU32,
}

// SAFETY: `events` is reached through `lease` only, which lets one thread in at a time; a buffer may be sent between
// threads.
unsafe impl Sync for Taken {}

/// The one poller.
pub(super) struct Lease<'a> {
    taken: &'a Taken,
}

impl Taken {
    /// Becomes the poller. Errors: BUSY.
    pub(super) fn lease(&self) -> Result<Lease<'_>, Fault> {
        // Acquire pairs with the release in `drop`: the events are seen as the last poller left them.
        if self.is_busy.swap(true, Ordering::Acquire) {
            return Err(Fault::new(EVENMATCH_BUSY, "another thread polls; one at a time"));
        }
        Ok(Lease { taken: self })
    }

    /// Tickets of the event that waits here.
    pub(super) fn tickets(&self) -> u64 {
        // Relaxed: a count for reports.
        u64::from(self.tickets.load(Ordering::Relaxed))
    }
}

impl Lease<'_> {
    pub(super) fn events(&mut self) -> &mut EventBuffer {
        // SAFETY: there is one lease at a time, and it is borrowed.
        unsafe { &mut *self.taken.events.get() }
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        let tickets = match self.events().events.first() {
            Some(FlatEvent::Match(found)) => found.tickets.len() as u32,
            Some(FlatEvent::Ended(_)) => 1,
            None => 0,
        };
        self.taken.tickets.store(tickets, Ordering::Relaxed);
        // Release pairs with the acquire in `lease`.
        self.taken.is_busy.store(false, Ordering::Release);
    }
}
