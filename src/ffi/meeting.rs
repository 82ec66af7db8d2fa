//! Meeting: a tick of a replay, with the departures that met the recorded one.
//!
//! Called by hosts that replay a record themselves. Invariant: a departure is given to the engine in the middle of the
//! tick, behind as many of its claims as its line says.
#![allow(unsafe_code, reason = "exports read and write through the caller's pointers")]

use super::engine::{ReportOut, evenmatch_engine, evenmatch_tick_report};
use super::guard::{Fault, call};
use super::instance::Instance;
use super::status::{EVENMATCH_INVALID_ARGUMENT, EVENMATCH_OK, evenmatch_status};
use super::table;
use super::ticket::{evenmatch_player_id, evenmatch_ticket_id};
use super::wire::{Rows, RowsOut, wire};
use crate::model::ids::Millis;

/// It is `player` who leaves, with `ticket`, or with all of his tickets if that is 0.
pub const EVENMATCH_DEPARTURE_OF_PLAYER: u32 = 1;

/// A cancel or a leave that meets a tick.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct evenmatch_departure {
    /// EVENMATCH_DEPARTURE_INIT sets it; of an array only that of the first element is read.
    pub struct_size: u32,
    /// EVENMATCH_DEPARTURE_...
    pub flags: u32,
    /// When the call was made, in ms: "at" of its line.
    pub at_ms: u64,
    /// Behind so many claims of the tick: "in_tick" of its line.
    pub claims: u64,
    /// The ticket that is taken out.
    pub ticket: evenmatch_ticket_id,
    /// The player who leaves.
    pub player: evenmatch_player_id,
    /// Out: what the call was answered.
    pub status: evenmatch_status,
    /// To be 0.
    pub reserved: u32,
}

wire! {
    evenmatch_departure: size_of::<evenmatch_departure>(),
}

/// As evenmatch_engine_tick, for the replay of a record: `departures`, in the order of their lines, are the cancels and
/// leaves whose lines say "in_tick" and stand before that of the tick. Each is made in the middle of the tick, once that
/// has made as many claims (matches that are to be made, tickets whose time is up) as `claims` says, and behind the last
/// claim if it makes fewer: so it meets the tick where it met the recorded one. `status` of each is written; a departure
/// that is refused refuses nothing else.
///
/// One thread at a time per engine, as evenmatch_engine_tick. Errors: those of evenmatch_engine_tick, and NULL_POINTER,
/// STRUCT_TAIL, INVALID_ARGUMENT, TOO_LARGE; then nothing has been done.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn evenmatch_engine_tick_meeting(
    engine: evenmatch_engine,
    now_ms: u64,
    budget: u64,
    departures: *mut evenmatch_departure,
    departure_count: u64,
    report_out: *mut evenmatch_tick_report,
) -> evenmatch_status {
    call(|| {
        table::with(engine, |instance| {
            // SAFETY: by the contract of the header what is pointed to is as long as is said, and stays for the call.
            let rows = unsafe { Rows::new(departures.cast_const(), departure_count, "departures") }?;
            // SAFETY: as above.
            let mut answers = unsafe { RowsOut::new(departures, departure_count, "departures") }?;
            // SAFETY: as above.
            let report = unsafe { ReportOut::new(report_out) }?;
            let mut all = (0..rows.len()).map(|at| rows.get(at)).collect::<Result<Vec<_>, Fault>>()?;
            all.iter().try_for_each(check)?;
            let mut next = 0;
            let done = instance.engine.tick_meeting(Millis(now_ms), budget, &mut |claims| {
                while let Some(departure) = all.get_mut(next).filter(|departure| departure.claims <= claims) {
                    departure.status = depart(instance, departure);
                    next += 1;
                }
            })?;
            report.set(&done);
            all.iter().enumerate().for_each(|(at, departure)| answers.set(at, departure));
            Ok(())
        })
    })
}

fn check(departure: &evenmatch_departure) -> Result<(), Fault> {
    super::reserved(&[departure.reserved])?;
    if departure.flags & !EVENMATCH_DEPARTURE_OF_PLAYER != 0 {
        let detail = format!("departure flags {:#x}", departure.flags);
        return Err(Fault::new(EVENMATCH_INVALID_ARGUMENT, detail));
    }
    Ok(())
}

fn depart(instance: &Instance, departure: &evenmatch_departure) -> evenmatch_status {
    let (at, player) = (Millis(departure.at_ms), departure.player.id());
    let of_player = departure.flags & EVENMATCH_DEPARTURE_OF_PLAYER != 0;
    let ticket = || instance.ticket(departure.ticket);
    let done = match (of_player, departure.ticket) {
        (false, _) => ticket().and_then(|ticket| Ok(instance.engine.cancel(at, ticket)?)),
        (true, 0) => instance.engine.leave(at, player).map(drop).map_err(Fault::from),
        (true, _) => ticket().and_then(|ticket| Ok(instance.engine.leave_ticket(at, player, ticket)?)),
    };
    done.map_or_else(|fault| fault.status, |()| EVENMATCH_OK)
}
