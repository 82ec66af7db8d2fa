//! The stated maxima of the engine. Each has an error of its own where it is met; none is silently clipped.

/// Rules in one queue.
pub const RULES_MAX: usize = 20;
/// Steps in one rule's expansion.
pub const STEPS_MAX: usize = 64;
/// Declared attributes in one queue.
pub const ATTRIBUTES_MAX: usize = 64;
/// Bytes in one string: names and attribute values alike.
pub const STRING_BYTES_MAX: usize = 256;
/// Values in one string list.
pub const LIST_VALUES_MAX: usize = 64;
/// Regions in one queue.
pub const REGIONS_MAX: usize = 64;
/// Players in one ticket.
pub const TICKET_PLAYERS_MAX: usize = 64;
/// Players in one match, and so teams in one queue.
pub const MATCH_PLAYERS_MAX: usize = 256;
/// Queues in one engine.
pub const QUEUES_MAX: usize = 256;
/// Tickets (live, unpolled and retained) in one engine: the slot part of a ticket id has 26 bits.
pub const SLOTS_MAX: usize = 1 << 26;
/// Undeclared attributes that one player may carry along in a queue with `undeclared: keep`.
pub const KEPT_ATTRIBUTES_MAX: usize = 64;
/// Bytes of JSON text in one undeclared attribute that is carried along.
pub const KEPT_BYTES_MAX: usize = 4096;
/// Milliseconds in the greatest time, 2^52: over 140,000 years.
pub const TIME_MS_MAX: u64 = 1 << 52;
