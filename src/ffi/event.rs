//! Event: what every ticket ends in, once: a match, or an end without one.
//!
//! Polled by the host into its own memory; written by `flatten`. Invariant: an event is handed out once, whole, and in
//! order.
#![allow(unsafe_code, reason = "exports read and write through the caller's pointers")]

use super::engine::evenmatch_engine;
use super::flatten::Buffers;
use super::guard::{Fault, call};
use super::queue::evenmatch_queue;
use super::status::{EVENMATCH_BUFFER_TOO_SMALL, evenmatch_status};
use super::submit::echo;
use super::symbol::evenmatch_symbol;
use super::table;
use super::ticket::{evenmatch_player_id, evenmatch_ticket_id};
use super::wire::{self, wire};
use crate::model::ids::Millis;
use std::ffi::c_char;

/// Tickets were matched.
pub const EVENMATCH_EVENT_MATCH: i32 = 1;
/// A ticket ended without a match.
pub const EVENMATCH_EVENT_ENDED: i32 = 2;

/// An update of the ticket came too late to have an effect.
pub const EVENMATCH_EVENT_UPDATE_LOST: u32 = 1;
/// No search that led to the match was cut off.
pub const EVENMATCH_EVENT_EXHAUSTIVE: u32 = 2;
/// `skill_spread` counts.
pub const EVENMATCH_EVENT_HAS_SKILL_SPREAD: u32 = 4;
/// `team_difference` counts.
pub const EVENMATCH_EVENT_HAS_TEAM_DIFFERENCE: u32 = 8;
/// `ping_worst_ms` and `ping_mean_ms` count.
pub const EVENMATCH_EVENT_HAS_PING: u32 = 16;

/// A match, or the end of a ticket. The teams, tickets, .. of a match are ranges of the arrays of the buffers.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct evenmatch_event {
    /// EVENMATCH_EVENT_INIT sets it; of an array only that of the first element is read.
    pub struct_size: u32,
    /// EVENMATCH_EVENT_MATCH or EVENMATCH_EVENT_ENDED.
    pub kind: i32,
    /// When, in ms: the call's time for a cancel, else the tick's.
    pub at_ms: u64,
    /// In which queue; its handle, also if it has been removed since.
    pub queue: evenmatch_queue,
    /// The match, whose id is that of its oldest ticket; or the ticket that ended.
    pub id: evenmatch_ticket_id,
    /// The host's word of the ticket that ended; 0 for a match.
    pub user_data: u64,
    /// EVENMATCH_ENDED_..., of a ticket that ended; 0 for a match.
    pub reason: i32,
    /// EVENMATCH_EVENT_UPDATE_LOST, .., or-ed.
    pub flags: u32,
    /// The greatest count of earlier matches that a ticket of the match was in.
    pub attempts: u32,
    /// Where the match is played; 0: a queue without a region rule, or one whose name found no room among the symbols.
    pub region: evenmatch_symbol,
    /// The sum of the rules' weighted terms.
    pub cost: f64,
    /// Greatest minus least merged value of the attribute of the first `difference` rule.
    pub skill_spread: f64,
    /// Greatest minus least team average of the attribute of the first `team_difference` rule.
    pub team_difference: f64,
    /// The worst ticket's round-trip time in the match's region.
    pub ping_worst_ms: f64,
    /// The players' mean of their tickets' round-trip times there.
    pub ping_mean_ms: f64,
    /// The wait of the oldest ticket, in ms.
    pub oldest_wait_ms: u64,
    /// The teams that stand, as declared, in `teams`.
    pub team_first: u32,
    /// How many.
    pub team_count: u32,
    /// Its tickets, team by team, in `tickets`.
    pub ticket_first: u32,
    /// How many.
    pub ticket_count: u32,
    /// Its players, team by team, in `players`.
    pub player_first: u32,
    /// How many.
    pub player_count: u32,
    /// All legal regions, best first, in `regions`.
    pub region_first: u32,
    /// How many.
    pub region_count: u32,
    /// Undeclared attributes that the queue keeps, in `kept`.
    pub kept_first: u32,
    /// How many.
    pub kept_count: u32,
    /// The queue's `echo`, JSON text, in `text`.
    pub echo_first: u32,
    /// Its bytes; 0: none.
    pub echo_bytes: u32,
}

/// One team of a match.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct evenmatch_team {
    /// EVENMATCH_TEAM_INIT sets it; of an array only that of the first element is read.
    pub struct_size: u32,
    /// Its name; "all" in a queue without teams.
    pub name: evenmatch_symbol,
    /// Its tickets in the order of submit numbers, in `tickets`.
    pub ticket_first: u32,
    /// How many.
    pub ticket_count: u32,
    /// Its players, those of each ticket as they were submitted, in `players`.
    pub player_first: u32,
    /// How many.
    pub player_count: u32,
}

/// An update of the ticket came too late to have an effect.
pub const EVENMATCH_MATCHED_UPDATE_LOST: u32 = 1;
/// `ping_ms` counts.
pub const EVENMATCH_MATCHED_HAS_PING: u32 = 2;

/// One ticket of a match.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct evenmatch_matched {
    /// EVENMATCH_MATCHED_INIT sets it; of an array only that of the first element is read.
    pub struct_size: u32,
    /// Its team, counted from the match's first.
    pub team: u32,
    /// EVENMATCH_MATCHED_..., or-ed.
    pub flags: u32,
    /// Earlier matches that it was in.
    pub attempts: u32,
    /// Which ticket.
    pub id: evenmatch_ticket_id,
    /// The host's word.
    pub user_data: u64,
    /// Its round-trip time in the match's region, in ms. With EVENMATCH_MATCHED_HAS_PING.
    pub ping_ms: f64,
    /// How long it waited, in ms.
    pub wait_ms: u64,
}

/// An attribute that the queue does not declare but keeps.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct evenmatch_kept {
    /// EVENMATCH_KEPT_INIT sets it; of an array only that of the first element is read.
    pub struct_size: u32,
    /// 0.
    pub reserved: u32,
    /// Whose it is.
    pub player: evenmatch_player_id,
    /// Its name, in `text`.
    pub name_first: u32,
    /// Bytes of it.
    pub name_bytes: u32,
    /// Its value, JSON text, in `text`.
    pub json_first: u32,
    /// Bytes of it.
    pub json_bytes: u32,
}

/// The caller's memory for events. The counts are written by evenmatch_event_poll: what was filled, or with
/// BUFFER_TOO_SMALL what the first event needs. An array that is not wanted is no choice: a match needs room for its
/// teams, tickets, players and regions, and those that are never used may be NULL with 0.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct evenmatch_event_buffers {
    /// EVENMATCH_EVENT_BUFFERS_INIT sets it.
    pub struct_size: u32,
    /// To be 0.
    pub reserved: u32,
    /// In: room in `events`.
    pub event_capacity: u64,
    /// In: room in `teams`.
    pub team_capacity: u64,
    /// In: room in `tickets`.
    pub ticket_capacity: u64,
    /// In: room in `players`.
    pub player_capacity: u64,
    /// In: room in `regions`.
    pub region_capacity: u64,
    /// In: room in `kept`.
    pub kept_capacity: u64,
    /// In: bytes of `text`.
    pub text_capacity: u64,
    /// Out: events.
    pub event_count: u64,
    /// Out: teams of them.
    pub team_count: u64,
    /// Out: tickets of them.
    pub ticket_count: u64,
    /// Out: players of them.
    pub player_count: u64,
    /// Out: regions of them.
    pub region_count: u64,
    /// Out: kept attributes of them.
    pub kept_count: u64,
    /// Out: bytes of text of them.
    pub text_bytes: u64,
    /// The events, in order.
    pub events: *mut evenmatch_event,
    /// Their teams.
    pub teams: *mut evenmatch_team,
    /// Their tickets.
    pub tickets: *mut evenmatch_matched,
    /// Their players.
    pub players: *mut evenmatch_player_id,
    /// Their regions.
    pub regions: *mut evenmatch_symbol,
    /// Their kept attributes.
    pub kept: *mut evenmatch_kept,
    /// Names and values of these, and echoes; UTF-8.
    pub text: *mut c_char,
}

wire! {
    evenmatch_event: 152,
    evenmatch_team: 24,
    evenmatch_matched: 48,
    evenmatch_kept: 40,
    evenmatch_event_buffers: size_of::<evenmatch_event_buffers>(),
}

/// Moves as many events as fit into the caller's memory, in order. An event that does not fit ends the batch; if it is
/// the first one, nothing is consumed and the counts say what it needs. No event: OK with an `event_count` of 0. A
/// ticket whose event has been polled is retained for evenmatch_ticket_read and evenmatch_match_requeue; the slot of
/// the oldest retained one is free again when they are too many.
///
/// One thread at a time per engine: a second one is refused with BUSY and does not wait. Also once closed. Cost: linear
/// in the events and in what they carry. Errors: BUFFER_TOO_SMALL (with the counts), BUSY, NOT_FOUND, NULL_POINTER,
/// STRUCT_SIZE, STRUCT_TAIL, INVALID_ARGUMENT, TOO_LARGE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn evenmatch_event_poll(
    engine: evenmatch_engine,
    buffers: *mut evenmatch_event_buffers,
) -> evenmatch_status {
    call(|| {
        table::with(engine, |instance| {
            // SAFETY: by the contract of the header.
            let mut told = unsafe { wire::read(buffers.cast_const(), "buffers") }?;
            // SAFETY: NULL or a struct of the size that it says, by the contract of the header.
            let size = unsafe { wire::writable(buffers, "buffers") }?;
            super::reserved(&[told.reserved])?;
            // SAFETY: by the contract of the header what is pointed to is as long as is said, and stays for the call.
            let mut into = unsafe { Buffers::new(instance, &told) }?;
            let mut lease = instance.taken.lease()?;
            if instance.is_echo {
                // What came in while another thread's tick ran has waited for this one; a closed engine ticks no more.
                let _ = echo(instance, Millis(0));
            }
            let events = lease.events();
            let mut result = Ok(());
            while into.has_room() {
                if events.events.is_empty() && instance.engine.poll_into(events, 1) == 0 {
                    break;
                }
                if let Err(needed) = into.push(events) {
                    if into.is_empty() {
                        into.fill(&mut told, &needed);
                        let detail = "the first event does not fit; the counts say what it needs";
                        result = Err(Fault::new(EVENMATCH_BUFFER_TOO_SMALL, detail));
                    }
                    break;
                }
                events.clear();
            }
            if result.is_ok() {
                into.fill(&mut told, into.used());
            }
            // SAFETY: the size came from `writable`, and the place is the same.
            unsafe { wire::write(buffers, size, &told) };
            result
        })
    })
}
