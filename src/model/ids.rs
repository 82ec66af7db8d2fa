//! The names that things have: players, tickets, matches, queues; and the instants of engine time.
//!
//! Two numbers of different meaning never share a type, so that a slot cannot be passed for a player.

use std::fmt;

/// One person: 128 bits of the host's choosing (a UUID, a platform id), compared only.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct PlayerId(pub u128);

/// One ticket of an engine, never 0, never used again.
///
/// Bits 0..26 are the slot, bits 26..32 the engine (0 in Rust), bits 32..64 the slot's generation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TicketId(pub u64);

impl TicketId {
    /// Width of the slot part.
    pub const SLOT_BITS: u32 = 26;

    /// The id of the ticket that lives in `slot` in its `generation` (1 and up).
    pub const fn new(slot: u32, generation: u32) -> TicketId {
        TicketId((generation as u64) << 32 | (slot as u64 & ((1 << TicketId::SLOT_BITS) - 1)))
    }

    /// The slot that the id names.
    pub const fn slot(self) -> u32 {
        (self.0 & ((1 << TicketId::SLOT_BITS) - 1)) as u32
    }

    /// The engine part, 0 for every id that an engine made from Rust gives out.
    pub const fn engine(self) -> u32 {
        (self.0 as u32) >> TicketId::SLOT_BITS
    }

    /// The generation that the id names.
    pub const fn generation(self) -> u32 {
        (self.0 >> 32) as u32
    }
}

/// One match: the id of its oldest ticket, so it is unique, never 0, and known before the commit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MatchId(pub TicketId);

/// One queue of an engine, in the order in which queues were added; never used again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct QueueId(pub u32);

/// An instant of engine time, or a span of it, in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Millis(pub u64);

impl Millis {
    /// The span from `earlier` to this instant, 0 if `earlier` is later.
    pub const fn since(self, earlier: Millis) -> Millis {
        Millis(self.0.saturating_sub(earlier.0))
    }

    /// The instant `span` later; saturates.
    pub const fn after(self, span: Millis) -> Millis {
        Millis(self.0.saturating_add(span.0))
    }
}

impl fmt::Display for Millis {
    /// Seconds with the fewest digits that say them exactly: `3.5`, `90`, `0.001`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::base::fixed::write_micros(f, i128::from(self.0) * 1000)
    }
}

/// The order of waiting: enqueue time, then submit number. The lesser is the older ticket.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Seniority {
    /// When the ticket began to wait.
    pub enqueued: Millis,
    /// Its number in the order of submits; unique among the live tickets of an engine.
    pub submit_number: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticket_ids_take_themselves_apart() {
        let id = TicketId::new(0x3ff_ffff, 0xffff_ffff);
        assert_eq!((id.slot(), id.engine(), id.generation()), (0x3ff_ffff, 0, 0xffff_ffff));
        assert_ne!(TicketId::new(0, 1).0, 0);
    }

    #[test]
    fn seconds_print_short() {
        assert_eq!(Millis(3500).to_string(), "3.5");
        assert_eq!(Millis(90_000).to_string(), "90");
        assert_eq!(Millis(1).to_string(), "0.001");
    }
}
