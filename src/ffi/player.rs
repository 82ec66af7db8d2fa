//! Player: his live tickets, and what he leaves.
//!
//! Called by the host, which knows players rather than tickets. Invariant: what a player is in, and with whom, is looked up
//! in the engine at each call.
#![allow(unsafe_code, reason = "exports read and write through the caller's pointers")]

use super::engine::evenmatch_engine;
use super::guard::{Fault, call};
use super::status::{EVENMATCH_BUFFER_TOO_SMALL, EVENMATCH_NOT_FOUND, evenmatch_status};
use super::table;
use super::ticket::{evenmatch_player_id, evenmatch_ticket_id};
use super::wire;
use crate::model::ids::Millis;

/// Takes the player's ticket out whole: it ends with EVENMATCH_ENDED_PARTY_MEMBER_LEFT, or with
/// EVENMATCH_ENDED_CANCELLED if he is alone. `ticket_out` may be NULL.
///
/// Any thread. Errors: NOT_FOUND (the player is in no live ticket), ALREADY_MATCHED (by a tick that still runs),
/// INVALID_TIME, ENGINE_CLOSED, NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn evenmatch_player_leave(
    engine: evenmatch_engine,
    now_ms: u64,
    player: *const evenmatch_player_id,
    ticket_out: *mut evenmatch_ticket_id,
) -> evenmatch_status {
    call(|| {
        table::with(engine, |instance| {
            // SAFETY: by the contract of the header.
            let player = unsafe { wire::slice(player, 1, "player") }?[0];
            let ticket = instance.engine.leave(Millis(now_ms), player.id())?;
            // SAFETY: NULL or valid for a write, by the contract of the header.
            unsafe { wire::put_if(ticket_out, instance.ticket_handle(ticket)) };
            Ok(())
        })
    })
}

/// Takes one ticket of the player out whole, as evenmatch_player_leave does with all of them where a player may stand in
/// several queues.
///
/// Any thread. Errors: NOT_FOUND (also: the player is not in that ticket), ALREADY_MATCHED, INVALID_TIME, ENGINE_CLOSED,
/// NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn evenmatch_ticket_leave(
    engine: evenmatch_engine,
    now_ms: u64,
    ticket: evenmatch_ticket_id,
    player: *const evenmatch_player_id,
) -> evenmatch_status {
    call(|| {
        table::with(engine, |instance| {
            // SAFETY: by the contract of the header.
            let player = unsafe { wire::slice(player, 1, "player") }?[0];
            let ticket = instance.ticket(ticket)?;
            Ok(instance.engine.leave_ticket(Millis(now_ms), player.id(), ticket)?)
        })
    })
}

/// The live tickets of a player, the oldest first: at most one, or with EVENMATCH_ENGINE_MANY_QUEUES one in each queue.
/// `count_out` gets how many there are; none is OK and 0.
///
/// Any thread. Errors: NOT_FOUND (the engine), BUFFER_TOO_SMALL (with `count_out`), NULL_POINTER, TOO_LARGE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn evenmatch_player_list(
    engine: evenmatch_engine,
    player: *const evenmatch_player_id,
    tickets: *mut evenmatch_ticket_id,
    capacity: u64,
    count_out: *mut u64,
) -> evenmatch_status {
    call(|| {
        table::with(engine, |instance| {
            wire::not_null(count_out, "count_out")?;
            // SAFETY: by the contract of the header what is pointed to is as long as is said, and stays for the call.
            let (player, into) = unsafe {
                (wire::slice(player, 1, "player")?[0], wire::slice_out(tickets, capacity, "tickets")?)
            };
            let found = instance.engine.tickets_of(player.id());
            // SAFETY: looked at above.
            unsafe { wire::put(count_out, found.len() as u64) };
            if found.len() > into.len() {
                let detail = format!("{} tickets do not fit into {}", found.len(), into.len());
                return Err(Fault::new(EVENMATCH_BUFFER_TOO_SMALL, detail));
            }
            for (place, &ticket) in into.iter_mut().zip(&found) {
                *place = instance.ticket_handle(ticket);
            }
            Ok(())
        })
    })
}

/// The live ticket of a player; of several, in several queues, the oldest.
///
/// Any thread. Errors: NOT_FOUND (he is in none), NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn evenmatch_player_find(
    engine: evenmatch_engine,
    player: *const evenmatch_player_id,
    ticket_out: *mut evenmatch_ticket_id,
) -> evenmatch_status {
    call(|| {
        table::with(engine, |instance| {
            wire::not_null(ticket_out, "ticket_out")?;
            // SAFETY: by the contract of the header.
            let player = unsafe { wire::slice(player, 1, "player") }?[0];
            let ticket = instance
                .engine
                .ticket_of(player.id())
                .ok_or_else(|| Fault::new(EVENMATCH_NOT_FOUND, "the player is in no live ticket"))?;
            // SAFETY: looked at by `not_null` above.
            unsafe { wire::put(ticket_out, instance.ticket_handle(ticket)) };
            Ok(())
        })
    })
}
