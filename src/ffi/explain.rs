//! Explain: why a ticket waits, and what is between two tickets, as JSON text.
//!
//! Asked by the host for people who support players, and for people who write queues. Invariant: nothing is changed by
//! asking.
#![allow(unsafe_code, reason = "exports read and write through the caller's pointers")]

use super::engine::evenmatch_engine;
use super::guard::call;
use super::naming::{Naming, evenmatch_naming};
use super::status::evenmatch_status;
use super::table;
use super::ticket::evenmatch_ticket_id;
use super::wire;
use crate::config::write::{write_explanation, write_pair_answer};
use std::ffi::c_char;

/// Why a ticket is not matched, as one line of JSON, `{"at":..,"explanation":{..}}`: what keeps the others of its queue
/// out, who is nearest and when they become legal, what a whole match lacks. `nearest`: how many of the nearest candidates
/// are told of; 0: none. `naming` may be NULL. `buffer` takes `capacity` bytes and a NUL if there is room for it;
/// `bytes_out` gets the length without the NUL. The text is made anew by every call, so one that asks for the length costs
/// as much as another: 64 kB are enough for most.
///
/// At the engine's current time (evenmatch_engine_advance moves it), over the tickets as the last tick left them. Cost:
/// linear in the tickets of the queue, and one search; meanwhile no tick can run. One thread at a time per engine, with
/// tick: a second one is refused with BUSY and does not wait. Errors: BUSY, NOT_FOUND, BUFFER_TOO_SMALL (with
/// `bytes_out`), ENGINE_CLOSED, UNKNOWN_ENUM, INVALID_UTF8, NULL_POINTER, STRUCT_SIZE, STRUCT_TAIL, INVALID_ARGUMENT,
/// TOO_LARGE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn evenmatch_ticket_explain(
    engine: evenmatch_engine,
    ticket: evenmatch_ticket_id,
    nearest: u32,
    naming: *const evenmatch_naming,
    buffer: *mut c_char,
    capacity: u64,
    bytes_out: *mut u64,
) -> evenmatch_status {
    call(|| {
        table::with(engine, |instance| {
            wire::not_null(bytes_out, "bytes_out")?;
            let ticket = instance.ticket(ticket)?;
            // SAFETY: by the contract of the header what is pointed to is as long as is said, and stays for the call.
            let naming = unsafe { Naming::new(instance, naming) }?;
            let explanation = instance.engine.explain_nearest(ticket, nearest as usize)?;
            let text = write_explanation(&explanation, &naming);
            // SAFETY: by the contract of the header the buffer has `capacity` bytes.
            unsafe { wire::put_text(buffer, capacity, bytes_out, &text) }
        })
    })
}

/// What is between two tickets, as one line of JSON, `{"at":..,"pair":{..}}`: every barrier with both values and limits,
/// and when they become a legal pair. All else as evenmatch_ticket_explain.
///
/// One thread at a time per engine, with tick: a second one is refused with BUSY and does not wait. Errors: as
/// evenmatch_ticket_explain, for either ticket.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn evenmatch_pair_explain(
    engine: evenmatch_engine,
    ticket: evenmatch_ticket_id,
    other: evenmatch_ticket_id,
    naming: *const evenmatch_naming,
    buffer: *mut c_char,
    capacity: u64,
    bytes_out: *mut u64,
) -> evenmatch_status {
    call(|| {
        table::with(engine, |instance| {
            wire::not_null(bytes_out, "bytes_out")?;
            let (ticket, other) = (instance.ticket(ticket)?, instance.ticket(other)?);
            // SAFETY: by the contract of the header what is pointed to is as long as is said, and stays for the call.
            let naming = unsafe { Naming::new(instance, naming) }?;
            let text = write_pair_answer(&instance.engine.explain_pair(ticket, other)?, &naming);
            // SAFETY: by the contract of the header the buffer has `capacity` bytes.
            unsafe { wire::put_text(buffer, capacity, bytes_out, &text) }
        })
    })
}
