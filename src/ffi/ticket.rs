//! Ticket: one player, or a party that is never split, as flat arrays of structs.
//!
//! Called by the host through `submit` and its neighbours, read by `batch`. Invariant: the fields are append-only.

use super::queue::evenmatch_queue;
use super::status::evenmatch_status;
use super::symbol::evenmatch_symbol;
use super::wire::wire;
use std::ffi::c_char;

/// A ticket of one engine: a handle, never 0, never given out twice. The id of a match is that of its oldest ticket.
pub type evenmatch_ticket_id = u64;

/// One person: 128 bits of the host's choosing (a UUID, a platform id), compared only.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct evenmatch_player_id {
    /// The upper 64 bits.
    pub hi: u64,
    /// The lower 64 bits.
    pub lo: u64,
}

/// `enqueued_ms` counts.
pub const EVENMATCH_TICKET_HAS_ENQUEUED: u32 = 1;
/// `max_ping_ms` counts.
pub const EVENMATCH_TICKET_HAS_MAX_PING: u32 = 2;
/// The ticket accepts the regions of its range only, none if that is empty. Without it: all that it has pings for.
pub const EVENMATCH_TICKET_HAS_REGIONS: u32 = 4;

/// A ticket to submit. Its players, pings, .. are ranges of the arrays of the batch: `first` and how many. Ranges may
/// overlap, so two tickets may share the same pings.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct evenmatch_ticket {
    /// EVENMATCH_TICKET_INIT sets it.
    pub struct_size: u32,
    /// EVENMATCH_TICKET_HAS_..., or-ed.
    pub flags: u32,
    /// Where it searches.
    pub queue: evenmatch_queue,
    /// A word of the host's, echoed in every event of the ticket.
    pub user_data: u64,
    /// Ends the ticket at this age in ms if the queue does not do so sooner; 0: the queue's timeout.
    pub timeout_ms: u64,
    /// When the wait began, if that was before the submit. With EVENMATCH_TICKET_HAS_ENQUEUED.
    pub enqueued_ms: u64,
    /// The greatest round-trip time in ms of the ticket itself in the match's region, for ever. With
    /// EVENMATCH_TICKET_HAS_MAX_PING.
    pub max_ping_ms: f64,
    /// Who searches together, 1 to 64, in `players`.
    pub player_first: u32,
    /// How many.
    pub player_count: u32,
    /// Players who are still to join, in `awaited`. While there are any the ticket is forming: it is in no match, and
    /// its wait begins when the last of them has joined.
    pub awaited_first: u32,
    /// How many.
    pub awaited_count: u32,
    /// Round-trip times for the players that bring none of their own, in `pings`.
    pub ping_first: u32,
    /// How many.
    pub ping_count: u32,
    /// The ticket's own limits, in `limits`.
    pub limit_first: u32,
    /// How many.
    pub limit_count: u32,
    /// The regions that it accepts, in `symbols`. With EVENMATCH_TICKET_HAS_REGIONS.
    pub region_first: u32,
    /// How many.
    pub region_count: u32,
}

/// One player of a ticket.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct evenmatch_player {
    /// EVENMATCH_PLAYER_INIT sets it.
    pub struct_size: u32,
    /// To be 0.
    pub reserved: u32,
    /// Who it is.
    pub id: evenmatch_player_id,
    /// What he brings, in `attributes`.
    pub attribute_first: u32,
    /// How many.
    pub attribute_count: u32,
    /// His own round-trip times, in `pings`; none: those of the ticket.
    pub ping_first: u32,
    /// How many.
    pub ping_count: u32,
}

/// The value is `number`.
pub const EVENMATCH_ATTRIBUTE_NUMBER: i32 = 1;
/// The value is the text of `symbol`.
pub const EVENMATCH_ATTRIBUTE_SYMBOL: i32 = 2;
/// The value is a text: the range of `text`, in bytes.
pub const EVENMATCH_ATTRIBUTE_TEXT: i32 = 3;
/// The value is a list of strings: the range of `symbols`.
pub const EVENMATCH_ATTRIBUTE_LIST: i32 = 4;
/// The value is JSON text: the range of `text`, in bytes. Only for attributes that the queue keeps and does not
/// declare.
pub const EVENMATCH_ATTRIBUTE_JSON: i32 = 5;

/// One value of a player.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct evenmatch_attribute {
    /// EVENMATCH_ATTRIBUTE_INIT sets it.
    pub struct_size: u32,
    /// The attribute.
    pub name: evenmatch_symbol,
    /// EVENMATCH_ATTRIBUTE_...: what the value is.
    pub kind: i32,
    /// With EVENMATCH_ATTRIBUTE_SYMBOL.
    pub symbol: evenmatch_symbol,
    /// With EVENMATCH_ATTRIBUTE_NUMBER; read as its shortest decimal form, so that 0.3 is three tenths.
    pub number: f64,
    /// With EVENMATCH_ATTRIBUTE_LIST a range of `symbols`, with _TEXT and _JSON one of `text`.
    pub first: u32,
    /// How many symbols, or bytes.
    pub count: u32,
}

/// A round-trip time to a region.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct evenmatch_ping {
    /// EVENMATCH_PING_INIT sets it.
    pub struct_size: u32,
    /// The region.
    pub region: evenmatch_symbol,
    /// In milliseconds.
    pub round_trip_ms: f64,
}

/// `least` counts.
pub const EVENMATCH_LIMIT_HAS_LEAST: u32 = 1;
/// `greatest` counts.
pub const EVENMATCH_LIMIT_HAS_GREATEST: u32 = 2;

/// A ticket's own limit for the value that every player of the other tickets has; no expansion ever widens it.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct evenmatch_limit {
    /// EVENMATCH_LIMIT_INIT sets it.
    pub struct_size: u32,
    /// The attribute, a number.
    pub attribute: evenmatch_symbol,
    /// EVENMATCH_LIMIT_HAS_..., or-ed.
    pub flags: u32,
    /// To be 0.
    pub reserved: u32,
    /// At least.
    pub least: f64,
    /// At most.
    pub greatest: f64,
}

/// Tickets with all that they bring. The arrays are the caller's, borrowed for the call; an array of which nothing is
/// used may be NULL with a count of 0. In an array of structs all have the same `struct_size`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct evenmatch_batch {
    /// EVENMATCH_BATCH_INIT sets it.
    pub struct_size: u32,
    /// To be 0.
    pub reserved: u32,
    /// How many `tickets`.
    pub ticket_count: u64,
    /// How many `players`.
    pub player_count: u64,
    /// How many `attributes`.
    pub attribute_count: u64,
    /// How many `pings`.
    pub ping_count: u64,
    /// How many `limits`.
    pub limit_count: u64,
    /// How many `symbols`.
    pub symbol_count: u64,
    /// How many `awaited`.
    pub awaited_count: u64,
    /// How many bytes of `text`.
    pub text_bytes: u64,
    /// The tickets.
    pub tickets: *const evenmatch_ticket,
    /// Their players.
    pub players: *const evenmatch_player,
    /// Their values.
    pub attributes: *const evenmatch_attribute,
    /// Their round-trip times.
    pub pings: *const evenmatch_ping,
    /// The tickets' own limits.
    pub limits: *const evenmatch_limit,
    /// Lists of values, and the regions that tickets accept.
    pub symbols: *const evenmatch_symbol,
    /// Players who are still to join.
    pub awaited: *const evenmatch_player_id,
    /// Values that are no symbols, UTF-8.
    pub text: *const c_char,
}

/// What came of one ticket of a batch.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct evenmatch_submitted {
    /// EVENMATCH_SUBMITTED_INIT sets it; of an array only that of the first element is read.
    pub struct_size: u32,
    /// OK, or why this ticket was refused.
    pub status: evenmatch_status,
    /// The new ticket; 0: refused.
    pub ticket: evenmatch_ticket_id,
    /// With PLAYER_ALREADY_QUEUED and SUPERSEDED: the ticket that the player is in.
    pub other: evenmatch_ticket_id,
    /// With UNMATCHABLE: EVENMATCH_UNMATCHABLE_...
    pub reason: i32,
    /// Bytes of the sentence that says more; 0: none, or no room for it.
    pub detail_bytes: u32,
    /// Where it begins in `details_out`.
    pub detail_first: u64,
}

wire! {
    evenmatch_ticket: 88,
    evenmatch_player: 40,
    evenmatch_attribute: 32,
    evenmatch_ping: 16,
    evenmatch_limit: 32,
    evenmatch_batch: size_of::<evenmatch_batch>(),
    evenmatch_submitted: 40,
}
