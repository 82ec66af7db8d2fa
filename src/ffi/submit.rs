//! Tickets come in, are changed, and leave before they are matched.
//!
//! Called by the host. Invariant: every ticket of a batch is accepted or refused by itself, in the order of the batch.
#![allow(unsafe_code, reason = "exports read and write through the caller's pointers")]

use super::batch::Batch;
use super::engine::evenmatch_engine;
use super::guard::{Fault, Sentence, call, remember};
use super::instance::Instance;
use super::plain::Room;
use super::status::{
    self, EVENMATCH_BUFFER_TOO_SMALL, EVENMATCH_INVALID_ARGUMENT, EVENMATCH_OK, EVENMATCH_REASON_NONE,
    evenmatch_status,
};
use super::table;
use super::ticket::{evenmatch_batch, evenmatch_submitted, evenmatch_ticket, evenmatch_ticket_id};
use super::wire::{self, RowsOut};
use crate::model::codes::{Code, Refusal};
use crate::model::ids::{Millis, TicketId};
use crate::model::request::TicketUpdate;
use std::ffi::c_char;

/// The results of a batch, written as they come.
pub(super) struct Results<'a> {
    rows: RowsOut<evenmatch_submitted>,
    details: &'a mut [u8],
    details_used: usize,
    accepted: u64,
    /// The sentence of the first refusal.
    first: Option<Sentence>,
}

impl<'a> Results<'a> {
    /// # Safety
    ///
    /// As for the exports: the arrays are as long as is said, and nobody else uses them for `'a`.
    pub(super) unsafe fn new(
        rows: *mut evenmatch_submitted,
        count: usize,
        details: *mut c_char,
        details_capacity: u64,
    ) -> Result<Results<'a>, Fault> {
        // SAFETY: as the caller says.
        unsafe {
            Ok(Results {
                rows: RowsOut::new(rows, count as u64, "results_out")?,
                details: wire::slice_out(details.cast::<u8>(), details_capacity, "details_out")?,
                details_used: 0,
                accepted: 0,
                first: None,
            })
        }
    }

    fn accept(&mut self, index: usize, ticket: u64) {
        self.accepted += 1;
        self.rows.set(index, &evenmatch_submitted { ticket, ..EMPTY });
    }

    fn refuse(&mut self, index: usize, refused: &Refused<'_>) {
        let detail = refused.detail;
        let fits = self.details.len() - self.details_used >= detail.len();
        let bytes = if fits { detail.len() } else { 0 };
        let first = self.details_used;
        self.details[first..first + bytes].copy_from_slice(&detail.as_bytes()[..bytes]);
        self.details_used += bytes;
        self.first.get_or_insert_with(|| Sentence::of(detail));
        let row = evenmatch_submitted {
            status: refused.status,
            other: refused.other,
            reason: refused.reason,
            detail_bytes: bytes as u32,
            detail_first: first as u64,
            ..EMPTY
        };
        self.rows.set(index, &row);
    }

    /// Writes one answer of the engine.
    pub(super) fn set(&mut self, instance: &Instance, index: usize, answer: Result<TicketId, Refusal>) {
        match answer {
            Ok(ticket) => self.accept(index, instance.new_ticket_handle(ticket)),
            Err(refusal) => {
                let refused = Refused {
                    status: status::of_code(refusal.code).0,
                    other: refusal.ticket.map_or(0, |ticket| instance.ticket_handle(ticket)),
                    reason: refusal.reason.map_or(EVENMATCH_REASON_NONE, status::of_unmatchable),
                    detail: &refusal.detail,
                };
                self.refuse(index, &refused);
            }
        }
    }

    /// Writes one ticket that never came before the engine.
    fn set_fault(&mut self, index: usize, fault: &Fault) {
        let (status, detail) = (fault.status, &*fault.detail);
        self.refuse(index, &Refused { status, other: 0, reason: EVENMATCH_REASON_NONE, detail });
    }

    /// The sentence of the first refusal becomes the thread's last one.
    pub(super) fn end(self) -> u64 {
        if let Some(sentence) = &self.first {
            remember(sentence);
        }
        self.accepted
    }
}

/// Why one ticket was refused.
struct Refused<'a> {
    status: evenmatch_status,
    other: u64,
    reason: i32,
    detail: &'a str,
}

const EMPTY: evenmatch_submitted = evenmatch_submitted {
    struct_size: size_of::<evenmatch_submitted>() as u32,
    status: EVENMATCH_OK,
    ticket: 0,
    other: 0,
    reason: EVENMATCH_REASON_NONE,
    detail_bytes: 0,
    detail_first: 0,
};

/// Has an engine that echoes match what has come in. Another thread's tick does as well.
pub(super) fn echo(instance: &Instance, now: Millis) -> Result<(), Fault> {
    match instance.engine.tick(now, 0) {
        Err(refusal) if refusal.code != Code::Busy => Err(refusal.into()),
        _ => Ok(()),
    }
}

/// Submits the tickets of a batch in order; each is accepted or refused by itself, and the next tick takes in those
/// that were accepted. `results_out` has room for `ticket_count` of them and its first element is initialised.
/// `details_out` (may be NULL with 0) takes the sentences of refused tickets, one after the other; the first of them is
/// also what evenmatch_last_error answers. `accepted_out` may be NULL.
///
/// Answers OK if every ticket got a result. Any thread; tickets of one batch come in together. Cost: linear in what the
/// tickets bring. Errors of the call: NOT_FOUND (the engine), NULL_POINTER, STRUCT_SIZE, TOO_LARGE, BUFFER_TOO_SMALL
/// (fewer results than tickets). Of a ticket: NOT_FOUND (the queue), INVALID_RANGE, INVALID_ARGUMENT, STRUCT_SIZE,
/// STRUCT_TAIL, UNKNOWN_SYMBOL, UNKNOWN_ENUM, INVALID_UTF8; QUEUE_SUSPENDED, QUEUE_FULL, NO_PLAYERS, TOO_MANY_PLAYERS,
/// DUPLICATE_PLAYER, PARTY_TOO_LARGE, TOO_MANY_ATTRIBUTES, DUPLICATE_NAME, UNKNOWN_ATTRIBUTE, WRONG_TYPE, OUT_OF_RANGE,
/// TOO_MANY_VALUES, TOO_MANY_BYTES, INVALID_TIME, UNKNOWN_REGION, TOO_MANY_REGIONS, MISSING_LATENCY, MISSING_ATTRIBUTE,
/// UNMATCHABLE (with `reason`), PLAYER_ALREADY_QUEUED (with `other`), ENGINE_CLOSED.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn evenmatch_ticket_submit(
    engine: evenmatch_engine,
    now_ms: u64,
    batch: *const evenmatch_batch,
    results_out: *mut evenmatch_submitted,
    result_capacity: u64,
    details_out: *mut c_char,
    details_capacity: u64,
    accepted_out: *mut u64,
) -> evenmatch_status {
    call(|| {
        table::with(engine, |instance| {
            // SAFETY: by the contract of the header.
            let batch = unsafe { Batch::new(instance, batch) }?;
            let count = batch.tickets.len();
            if (count as u64) > result_capacity {
                let detail = format!("{count} tickets, room for {result_capacity} results");
                return Err(Fault::new(EVENMATCH_BUFFER_TOO_SMALL, detail));
            }
            // SAFETY: by the contract of the header what is pointed to is as long as is said, and stays for the call.
            let mut results = unsafe { Results::new(results_out, count, details_out, details_capacity) }?;
            submit(instance, Millis(now_ms), &batch, &mut results)?;
            // SAFETY: NULL or valid for a write, by the contract of the header.
            unsafe { wire::put_if(accepted_out, results.end()) };
            Ok(())
        })
    })
}

fn submit(
    instance: &Instance,
    now: Millis,
    batch: &Batch<'_>,
    results: &mut Results<'_>,
) -> Result<(), Fault> {
    let count = batch.tickets.len();
    if instance.is_echo {
        for index in 0..count {
            match batch.request(index) {
                Ok(request) => results.set(instance, index, instance.engine.submit(now, request)),
                Err(fault) => results.set_fault(index, &fault),
            }
            echo(instance, now)?;
        }
        return Ok(());
    }
    let mut open = match instance.engine.open_batch(now, count) {
        Ok(open) => open,
        Err(refusal) => {
            for index in 0..count {
                match batch.request(index) {
                    Ok(_) => results.set(instance, index, Err(refusal.clone())),
                    Err(fault) => results.set_fault(index, &fault),
                }
            }
            return Ok(());
        }
    };
    let mut room = Room::default();
    for index in 0..count {
        let plain = batch.plain(index, &mut room);
        let answer = match plain {
            Some((layout, ticket)) => open.add_plain(layout, &ticket),
            None => match batch.request(index) {
                Ok(request) => open.add(request),
                Err(fault) => {
                    results.set_fault(index, &fault);
                    continue;
                }
            },
        };
        results.set(instance, index, answer);
    }
    open.publish();
    Ok(())
}

/// Lets a player join a forming ticket that awaits him: the one player of `batch`, which has no ticket. `missing_out`
/// (may be NULL) gets how many are still to join. With the last one the ticket's wait begins.
///
/// Any thread. Errors: NOT_FOUND (no such ticket is forming, or it does not await the player), ALREADY_MATCHED,
/// INVALID_ARGUMENT (not exactly one player), and as evenmatch_ticket_submit for what the player brings; a refused call
/// changes nothing, and the player may join again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn evenmatch_ticket_join(
    engine: evenmatch_engine,
    now_ms: u64,
    ticket: evenmatch_ticket_id,
    batch: *const evenmatch_batch,
    missing_out: *mut u64,
) -> evenmatch_status {
    call(|| {
        table::with(engine, |instance| {
            let ticket = instance.ticket(ticket)?;
            // SAFETY: by the contract of the header.
            let batch = unsafe { Batch::new(instance, batch) }?;
            if batch.players.len() != 1 || batch.tickets.len() != 0 {
                let detail = "a batch to join with has one player and no ticket";
                return Err(Fault::new(EVENMATCH_INVALID_ARGUMENT, detail));
            }
            let missing = instance.engine.join(Millis(now_ms), ticket, batch.player(0)?)?;
            if instance.is_echo {
                echo(instance, Millis(now_ms))?;
            }
            // SAFETY: NULL or valid for a write, by the contract of the header.
            unsafe { wire::put_if(missing_out, missing as u64) };
            Ok(())
        })
    })
}

/// Takes a ticket out: it ends with EVENMATCH_ENDED_CANCELLED at this call's time. `match_out` (may be NULL) is written
/// with ALREADY_MATCHED, and only then.
///
/// Any thread, also while a tick looks at the ticket: then one of the two is first. Errors: ALREADY_MATCHED, NOT_FOUND
/// (also: ended before), INVALID_TIME, ENGINE_CLOSED.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn evenmatch_ticket_cancel(
    engine: evenmatch_engine,
    now_ms: u64,
    ticket: evenmatch_ticket_id,
    match_out: *mut evenmatch_ticket_id,
) -> evenmatch_status {
    call(|| {
        table::with(engine, |instance| {
            let ticket = instance.ticket(ticket)?;
            // SAFETY: by the contract of the header.
            instance
                .engine
                .cancel(Millis(now_ms), ticket)
                .map_err(|refusal| unsafe { too_late(instance, refusal, match_out) })
        })
    })
}

/// Names the match to a call that came too late.
///
/// # Safety
///
/// `match_out` is NULL, or valid for a write.
unsafe fn too_late(instance: &Instance, refusal: Refusal, match_out: *mut evenmatch_ticket_id) -> Fault {
    if let Some(of) = refusal.in_match {
        // SAFETY: as the caller says.
        unsafe { wire::put_if(match_out, instance.match_handle(of)) };
    }
    refusal.into()
}

/// For each player of the ticket's range, his attributes replace all that he had.
pub const EVENMATCH_UPDATE_ATTRIBUTES: u32 = 1;
/// The ticket's pings replace those of the ticket and of all its players.
pub const EVENMATCH_UPDATE_PINGS: u32 = 2;
/// For each player of the ticket's range, his pings replace his own.
pub const EVENMATCH_UPDATE_PLAYER_PINGS: u32 = 4;
/// The ticket's limits and `max_ping_ms` replace the old ones.
pub const EVENMATCH_UPDATE_LIMITS: u32 = 8;
/// The ticket's regions replace the old ones; without EVENMATCH_TICKET_HAS_REGIONS: all.
pub const EVENMATCH_UPDATE_REGIONS: u32 = 16;
/// `timeout_ms` replaces the old one; 0: the queue's.
pub const EVENMATCH_UPDATE_TIMEOUT: u32 = 32;

/// Changes a waiting ticket from the next tick on: what `fields` (EVENMATCH_UPDATE_..., or-ed) names is replaced whole
/// by what the one ticket of `batch` has; its queue, players, enqueue time and user data never change. If a running tick
/// takes the ticket first, the match stands and its event says EVENMATCH_EVENT_UPDATE_LOST. `match_out` (may be NULL) is
/// written with ALREADY_MATCHED, and only then.
///
/// Any thread. Errors: NOT_FOUND (no such ticket waits, or a player is not in it), ALREADY_MATCHED, INVALID_ARGUMENT
/// (not exactly one ticket, an unknown field), and as evenmatch_ticket_submit from the attributes on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn evenmatch_ticket_update(
    engine: evenmatch_engine,
    now_ms: u64,
    ticket: evenmatch_ticket_id,
    fields: u32,
    batch: *const evenmatch_batch,
    match_out: *mut evenmatch_ticket_id,
) -> evenmatch_status {
    call(|| {
        table::with(engine, |instance| {
            let ticket = instance.ticket(ticket)?;
            // SAFETY: by the contract of the header.
            let batch = unsafe { Batch::new(instance, batch) }?;
            if batch.tickets.len() != 1 || fields & !0x3f != 0 {
                let detail = format!("{} tickets and fields {fields:#x}", batch.tickets.len());
                return Err(Fault::new(EVENMATCH_INVALID_ARGUMENT, detail));
            }
            let update = update(&batch, &batch.tickets.get(0)?, fields)?;
            instance
                .engine
                .update(Millis(now_ms), ticket, update)
                // SAFETY: `match_out` is NULL or valid for a write, by the contract of the header.
                .map_err(|refusal| unsafe { too_late(instance, refusal, match_out) })
        })
    })
}

fn update(batch: &Batch<'_>, ticket: &evenmatch_ticket, fields: u32) -> Result<TicketUpdate, Fault> {
    let mut update = TicketUpdate::default();
    let has = |field| fields & field != 0;
    if has(EVENMATCH_UPDATE_ATTRIBUTES | EVENMATCH_UPDATE_PLAYER_PINGS) {
        let range = batch.players.range(ticket.player_first, ticket.player_count)?;
        let players = range.map(|at| batch.player(at)).collect::<Result<Vec<_>, Fault>>()?;
        let (mut attributes, mut pings) = (Vec::new(), Vec::new());
        for player in players {
            attributes.push((player.id, player.attributes));
            pings.push((player.id, player.latency));
        }
        update.attributes = has(EVENMATCH_UPDATE_ATTRIBUTES).then_some(attributes);
        update.player_latency = has(EVENMATCH_UPDATE_PLAYER_PINGS).then_some(pings);
    }
    let parts = batch.parts(ticket)?;
    update.latency = has(EVENMATCH_UPDATE_PINGS).then_some(parts.latency);
    update.limits = has(EVENMATCH_UPDATE_LIMITS).then_some(parts.limits);
    update.regions = has(EVENMATCH_UPDATE_REGIONS).then_some(parts.regions);
    let timeout = (ticket.timeout_ms != 0).then_some(Millis(ticket.timeout_ms));
    update.timeout = has(EVENMATCH_UPDATE_TIMEOUT).then_some(timeout);
    Ok(update)
}

/// Puts tickets of a match that came to nothing back, as new tickets with their old enqueue times, submit numbers and
/// user data, and one attempt more. `results_out`, `details_out` and `accepted_out` as in evenmatch_ticket_submit.
///
/// Any thread. The match is retained as long as its oldest ticket is. Errors of the call: NOT_FOUND (the match is not
/// retained), BUFFER_TOO_SMALL (fewer results than tickets), INVALID_TIME, ENGINE_CLOSED, NULL_POINTER, STRUCT_SIZE. Of
/// a ticket: SUPERSEDED (with `other`), NOT_FOUND (not of the match, or no longer retained), or as
/// evenmatch_ticket_submit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn evenmatch_match_requeue(
    engine: evenmatch_engine,
    now_ms: u64,
    of_match: evenmatch_ticket_id,
    tickets: *const evenmatch_ticket_id,
    ticket_count: u64,
    results_out: *mut evenmatch_submitted,
    result_capacity: u64,
    details_out: *mut c_char,
    details_capacity: u64,
    accepted_out: *mut u64,
) -> evenmatch_status {
    call(|| {
        table::with(engine, |instance| {
            let of = crate::model::ids::MatchId(instance.ticket(of_match)?);
            // SAFETY: by the contract of the header.
            let handles = unsafe { wire::slice(tickets, ticket_count, "tickets") }?;
            if ticket_count > result_capacity {
                let detail = format!("{ticket_count} tickets, room for {result_capacity} results");
                return Err(Fault::new(EVENMATCH_BUFFER_TOO_SMALL, detail));
            }
            let mut results =
                // SAFETY: by the contract of the header what is pointed to is as long as is said, and stays for the call.
                unsafe { Results::new(results_out, handles.len(), details_out, details_capacity) }?;
            let named: Vec<Result<TicketId, Fault>> =
                handles.iter().map(|&handle| instance.ticket(handle)).collect();
            let known: Vec<TicketId> =
                named.iter().filter_map(|named| named.as_ref().ok().copied()).collect();
            let mut answers = instance.engine.requeue(Millis(now_ms), of, &known)?.into_iter();
            for (index, named) in named.iter().enumerate() {
                match (named, named.is_ok().then(|| answers.next()).flatten()) {
                    (_, Some(answer)) => results.set(instance, index, answer),
                    (Err(fault), None) => results.set_fault(index, fault),
                    (Ok(_), None) => {}
                }
            }
            if instance.is_echo {
                echo(instance, Millis(now_ms))?;
            }
            // SAFETY: NULL or valid for a write, by the contract of the header.
            unsafe { wire::put_if(accepted_out, results.end()) };
            Ok(())
        })
    })
}
