//! State: one ticket as it is now.
//!
//! Called by the host. Invariant: nothing is changed by asking.
#![allow(unsafe_code, reason = "exports read and write through the caller's pointers")]

use super::engine::evenmatch_engine;
use super::guard::{Fault, call};
use super::instance::Instance;
use super::queue::evenmatch_queue;
use super::status::{self, EVENMATCH_BUFFER_TOO_SMALL, evenmatch_status};
use super::symbol::evenmatch_symbol;
use super::table;
use super::ticket::{evenmatch_ping, evenmatch_ticket_id};
use super::version::EVENMATCH_NEVER;
use super::wire::{self, RowsOut, wire};
use crate::base::fixed::Fixed;
use crate::model::status::{TicketState, TicketStatus, WaitingFor, WindowNow, WindowStatus};

/// Members are still to join.
pub const EVENMATCH_STATE_FORMING: i32 = 1;
/// It waits.
pub const EVENMATCH_STATE_QUEUED: i32 = 2;
/// It is in a match.
pub const EVENMATCH_STATE_MATCHED: i32 = 3;
/// It ended without one.
pub const EVENMATCH_STATE_ENDED: i32 = 4;

/// It no longer waits.
pub const EVENMATCH_WAITING_FOR_NOTHING: i32 = 0;
/// The members who are still to join.
pub const EVENMATCH_WAITING_FOR_MEMBERS: i32 = 1;
/// The tick that takes it in.
pub const EVENMATCH_WAITING_FOR_TICK: i32 = 2;
/// Its queue is suspended.
pub const EVENMATCH_WAITING_FOR_QUEUE: i32 = 3;
/// Only a full match is legal until its preference ends.
pub const EVENMATCH_WAITING_FOR_FULL_MATCH: i32 = 4;
/// Every region within its windows is down.
pub const EVENMATCH_WAITING_FOR_REGION: i32 = 5;
/// No region is within its ping window yet.
pub const EVENMATCH_WAITING_FOR_PING_WINDOW: i32 = 6;
/// Other tickets that fit.
pub const EVENMATCH_WAITING_FOR_PARTNERS: i32 = 7;

/// Switched off at this age.
pub const EVENMATCH_WINDOW_OFF: i32 = 1;
/// A preference only; `greatest` is the window that it would have.
pub const EVENMATCH_WINDOW_OPTIONAL: i32 = 2;
/// At most `greatest` (difference, team difference, region in ms, team size), or at least that many (intersection).
pub const EVENMATCH_WINDOW_LIMIT: i32 = 3;
/// A sum from `least` to `greatest`.
pub const EVENMATCH_WINDOW_BETWEEN: i32 = 4;
/// A condition without a number (equality, premade balance).
pub const EVENMATCH_WINDOW_ENFORCED: i32 = 5;

/// One rule's window for a ticket, now.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct evenmatch_window {
    /// EVENMATCH_WINDOW_INIT sets it; of an array only that of the first element is read.
    pub struct_size: u32,
    /// The rule's name.
    pub rule: evenmatch_symbol,
    /// EVENMATCH_WINDOW_...
    pub kind: i32,
    /// EVENMATCH_LIMIT_HAS_..., or-ed: which of the two bounds count.
    pub flags: u32,
    /// The least that is allowed.
    pub least: f64,
    /// The greatest that is allowed.
    pub greatest: f64,
}

/// One ticket as it is now.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct evenmatch_ticket_state {
    /// EVENMATCH_TICKET_STATE_INIT sets it.
    pub struct_size: u32,
    /// Out: EVENMATCH_STATE_...
    pub state: i32,
    /// Out: EVENMATCH_ENDED_..., if it ended.
    pub reason: i32,
    /// Out: EVENMATCH_WAITING_FOR_...
    pub waiting_for: i32,
    /// Out: earlier matches that it was in.
    pub attempts: u32,
    /// To be 0.
    pub reserved: u32,
    /// Out: in which queue.
    pub queue: evenmatch_queue,
    /// Out: the host's word.
    pub user_data: u64,
    /// Out: the match that it is in; 0: none.
    pub in_match: evenmatch_ticket_id,
    /// Out: how long it has waited, or did wait, in ms.
    pub age_ms: u64,
    /// Out: how long only a full match is legal for it still, in ms.
    pub prefer_full_left_ms: u64,
    /// Out: how long until it times out, in ms; EVENMATCH_NEVER.
    pub timeout_left_ms: u64,
    /// In: room in `windows`; 0: not wanted.
    pub window_capacity: u64,
    /// Out: windows that there are: of each rule while it waits, else none.
    pub window_count: u64,
    /// In: room in `regions`; 0: not wanted.
    pub region_capacity: u64,
    /// Out: regions that it could be matched in now.
    pub region_count: u64,
    /// In: where the windows go, in the order of the rules.
    pub windows: *mut evenmatch_window,
    /// In: where the regions go, best first.
    pub regions: *mut evenmatch_ping,
}

wire! {
    evenmatch_window: 32,
    evenmatch_ticket_state: size_of::<evenmatch_ticket_state>(),
}

/// One ticket, live or retained, at the engine's current time.
///
/// Any thread, also once closed. Errors: NOT_FOUND, BUFFER_TOO_SMALL (a list that is wanted does not fit; the counts
/// are written), NULL_POINTER, STRUCT_SIZE, STRUCT_TAIL, INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn evenmatch_ticket_read(
    engine: evenmatch_engine,
    ticket: evenmatch_ticket_id,
    state_out: *mut evenmatch_ticket_state,
) -> evenmatch_status {
    call(|| {
        table::with(engine, |instance| {
            // SAFETY: by the contract of the header.
            let mut told = unsafe { wire::read(state_out.cast_const(), "state_out") }?;
            // SAFETY: NULL or a struct of the size that it says, by the contract of the header.
            let size = unsafe { wire::writable(state_out, "state_out") }?;
            super::reserved(&[told.reserved])?;
            // SAFETY: by the contract of the header what is pointed to is as long as is said, and stays for the call.
            let mut windows = unsafe { RowsOut::new(told.windows, told.window_capacity, "windows") }?;
            // SAFETY: by the contract of the header what is pointed to is as long as is said, and stays for the call.
            let mut regions = unsafe { RowsOut::new(told.regions, told.region_capacity, "regions") }?;
            let status = instance.engine.ticket(instance.ticket(ticket)?)?;
            fill(instance, &status, &mut told);
            let fits = |capacity: usize, count: usize| capacity == 0 || count <= capacity;
            let all_fit = fits(windows.capacity(), status.windows.len())
                && fits(regions.capacity(), status.regions.len());
            if all_fit {
                for (at, window) in status.windows.iter().enumerate().take(windows.capacity()) {
                    windows.set(at, &window_of(instance, window));
                }
                for (at, (name, ms)) in status.regions.iter().enumerate().take(regions.capacity()) {
                    let region = instance.names.symbol_or_none(name);
                    let round_trip_ms = ms.to_f64();
                    regions.set(at, &evenmatch_ping { struct_size: 0, region, round_trip_ms });
                }
            }
            // SAFETY: the size came from `writable`, and the place is the same.
            unsafe { wire::write(state_out, size, &told) };
            if all_fit {
                return Ok(());
            }
            let detail = format!("{} windows and {} regions", status.windows.len(), status.regions.len());
            Err(Fault::new(EVENMATCH_BUFFER_TOO_SMALL, detail))
        })
    })
}

fn fill(instance: &Instance, status: &TicketStatus, told: &mut evenmatch_ticket_state) {
    (told.state, told.reason, told.in_match) = match status.state {
        TicketState::Forming => (EVENMATCH_STATE_FORMING, 0, 0),
        TicketState::Queued => (EVENMATCH_STATE_QUEUED, 0, 0),
        TicketState::Matched(of) => (EVENMATCH_STATE_MATCHED, 0, instance.match_handle(of)),
        TicketState::Ended(reason) => (EVENMATCH_STATE_ENDED, status::of_end(reason), 0),
    };
    told.waiting_for = match status.waiting_for {
        None => EVENMATCH_WAITING_FOR_NOTHING,
        Some(WaitingFor::Members) => EVENMATCH_WAITING_FOR_MEMBERS,
        Some(WaitingFor::Tick) => EVENMATCH_WAITING_FOR_TICK,
        Some(WaitingFor::QueueResumed) => EVENMATCH_WAITING_FOR_QUEUE,
        Some(WaitingFor::FullMatch) => EVENMATCH_WAITING_FOR_FULL_MATCH,
        Some(WaitingFor::RegionUp) => EVENMATCH_WAITING_FOR_REGION,
        Some(WaitingFor::PingWindow) => EVENMATCH_WAITING_FOR_PING_WINDOW,
        Some(WaitingFor::Partners) => EVENMATCH_WAITING_FOR_PARTNERS,
    };
    told.attempts = status.attempts;
    told.queue = instance.queue_handle(status.queue);
    told.user_data = status.user_data;
    told.age_ms = status.age.0;
    told.prefer_full_left_ms = status.prefer_full_left.0;
    told.timeout_left_ms = status.timeout_left.map_or(EVENMATCH_NEVER, |left| left.0);
    told.window_count = status.windows.len() as u64;
    told.region_count = status.regions.len() as u64;
}

fn window_of(instance: &Instance, window: &WindowStatus) -> evenmatch_window {
    let (kind, least, greatest) = match window.window {
        WindowNow::Off => (EVENMATCH_WINDOW_OFF, None, None),
        WindowNow::Optional(limit) => (EVENMATCH_WINDOW_OPTIONAL, None, limit),
        WindowNow::Limit(limit) => (EVENMATCH_WINDOW_LIMIT, None, Some(limit)),
        WindowNow::Between(least, greatest) => (EVENMATCH_WINDOW_BETWEEN, least, greatest),
        WindowNow::Enforced => (EVENMATCH_WINDOW_ENFORCED, None, None),
    };
    let has = |bound: Option<Fixed>, flag| if bound.is_some() { flag } else { 0 };
    evenmatch_window {
        struct_size: 0,
        rule: instance.names.symbol_or_none(&window.rule),
        kind,
        flags: has(least, super::ticket::EVENMATCH_LIMIT_HAS_LEAST)
            | has(greatest, super::ticket::EVENMATCH_LIMIT_HAS_GREATEST),
        least: least.map_or(0.0, Fixed::to_f64),
        greatest: greatest.map_or(0.0, Fixed::to_f64),
    }
}
