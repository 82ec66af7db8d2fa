//! Stats: counts since the engine was made, and now.
//!
//! Called by the host, not every frame. Invariant: `submitted = waiting + matched + ended`.
#![allow(unsafe_code, reason = "exports read and write through the caller's pointers")]

use super::engine::evenmatch_engine;
use super::guard::{Fault, call};
use super::queue::evenmatch_queue;
use super::status::{EVENMATCH_BUFFER_TOO_SMALL, EVENMATCH_NOT_FOUND, evenmatch_status};
use super::symbol::evenmatch_symbol;
use super::table;
use super::wire::{self, RowsOut, wire};
use crate::engine::prometheus_text;
use crate::model::codes::EndReason;
use std::ffi::c_char;

/// Counts of an engine.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct evenmatch_stats {
    /// EVENMATCH_STATS_INIT sets it.
    pub struct_size: u32,
    /// 0.
    pub reserved: u32,
    /// The config's capacity.
    pub capacity: u64,
    /// The config's count of retained tickets.
    pub retained_max: u64,
    /// Tickets accepted by submit and requeue.
    pub submitted: u64,
    /// Tickets that the engine refused.
    pub refused: u64,
    /// Tickets that went into a match.
    pub matched: u64,
    /// Tickets that ended without one.
    pub ended: u64,
    /// Tickets that wait now, forming ones included.
    pub waiting: u64,
    /// Tickets that wait for members to join.
    pub forming: u64,
    /// Tickets whose event has not been polled.
    pub unpolled: u64,
    /// Matches made.
    pub matches: u64,
    /// Tickets that timed out and had no legal partner at any visit. In queues of two players one that was only passed over
    /// for a better partner of another counts too.
    pub starved: u64,
    /// Searches that ended at their node limit.
    pub searches_cut_off: u64,
    /// Candidates looked at.
    pub steps: u64,
    /// Ticks.
    pub ticks: u64,
    /// Queues.
    pub queue_count: u64,
    /// Symbols given out.
    pub symbol_count: u64,
    /// Of those that ended the ones that their host cancelled.
    pub ended_cancelled: u64,
    /// Those that a member left.
    pub ended_member_left: u64,
    /// Those that timed out.
    pub ended_timed_out: u64,
    /// Those that ended with their queue.
    pub ended_queue_removed: u64,
    /// Those that ended with the engine.
    pub ended_engine_closed: u64,
    /// Those of whom a player was matched through another queue.
    pub ended_matched_elsewhere: u64,
    /// Engine time, in ms.
    pub now_ms: u64,
    /// Nodes that one search visits at most.
    pub search_nodes: u64,
    /// Slots that are used up for good, since each number of a ticket is given out once.
    pub retired_slots: u64,
    /// The length of the sliding window, in ms.
    pub window_ms: u64,
    /// Its slices.
    pub window_slices: u64,
    /// Ticks within the window.
    pub window_ticks: u64,
    /// Candidates that the last tick looked at.
    pub last_tick_steps: u64,
    /// The mean of the ticks within the window, rounded down.
    pub tick_steps_mean: u64,
    /// Ninety-nine in a hundred of them looked at no more, within 1/32.
    pub tick_steps_p99: u64,
}

/// One region of a queue.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct evenmatch_region_stats {
    /// EVENMATCH_REGION_STATS_INIT sets it; of an array only that of the first element is read.
    pub struct_size: u32,
    /// Its name.
    pub region: evenmatch_symbol,
    /// Tickets that are acceptable there now.
    pub tickets: u64,
    /// Their players.
    pub players: u64,
}

/// Counts of a queue.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct evenmatch_queue_stats {
    /// EVENMATCH_QUEUE_STATS_INIT sets it.
    pub struct_size: u32,
    /// Out: 1: it is suspended.
    pub is_suspended: u32,
    /// Out: its name.
    pub name: evenmatch_symbol,
    /// Out: the index that serves it: "sorted", "kdtree" or "linear".
    pub index_name: evenmatch_symbol,
    /// Out: why that index.
    pub index_why: evenmatch_symbol,
    /// To be 0.
    pub reserved: u32,
    /// Out: tickets that wait, forming ones included.
    pub tickets: u64,
    /// Out: players that wait, in tickets that are not forming.
    pub players: u64,
    /// Out: the age in ms of the oldest one that waits; 0 if none does.
    pub oldest_age_ms: u64,
    /// Out: matches made.
    pub matches: u64,
    /// In: room in `regions`; 0: not wanted.
    pub region_capacity: u64,
    /// Out: regions that there are.
    pub region_count: u64,
    /// In: where the regions go.
    pub regions: *mut evenmatch_region_stats,
}

wire! {
    evenmatch_stats: 136,
    evenmatch_region_stats: 24,
    evenmatch_queue_stats: size_of::<evenmatch_queue_stats>(),
}

/// The counts of an engine.
///
/// Any thread, also once closed. Cost: every slot is looked at. Errors: NOT_FOUND, NULL_POINTER, STRUCT_SIZE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn evenmatch_stats_read(
    engine: evenmatch_engine,
    stats_out: *mut evenmatch_stats,
) -> evenmatch_status {
    call(|| {
        table::with(engine, |instance| {
            // SAFETY: by the contract of the header.
            let size = unsafe { wire::writable(stats_out, "stats_out") }?;
            let stats = instance.engine.stats();
            let (ended, steps) = (&stats.ended_by_reason, &stats.steps_per_tick);
            let told = evenmatch_stats {
                struct_size: 0,
                reserved: 0,
                capacity: stats.capacity.into(),
                retained_max: stats.retained_max.into(),
                submitted: stats.submitted,
                refused: stats.refused,
                matched: stats.matched,
                ended: stats.ended,
                waiting: stats.waiting,
                forming: stats.forming,
                // Those that the engine has handed over but that did not fit are not polled yet.
                unpolled: stats.unpolled + instance.taken.tickets(),
                matches: stats.matches,
                starved: stats.starved,
                searches_cut_off: stats.searches_cut_off,
                steps: stats.steps,
                ticks: stats.ticks,
                queue_count: stats.queues.len() as u64,
                symbol_count: instance.names.len().into(),
                ended_cancelled: ended.of(EndReason::Cancelled),
                ended_member_left: ended.of(EndReason::PartyMemberLeft),
                ended_timed_out: ended.of(EndReason::TimedOut),
                ended_queue_removed: ended.of(EndReason::QueueRemoved),
                ended_engine_closed: ended.of(EndReason::EngineClosed),
                ended_matched_elsewhere: ended.of(EndReason::MatchedElsewhere),
                now_ms: stats.now.0,
                search_nodes: stats.search_nodes.into(),
                retired_slots: stats.retired_slots.into(),
                window_ms: stats.window.0,
                window_slices: stats.window_slices.into(),
                window_ticks: steps.ticks,
                last_tick_steps: steps.last,
                tick_steps_mean: steps.mean,
                tick_steps_p99: steps.p99,
            };
            // SAFETY: the size came from `writable`, and the place is the same.
            unsafe { wire::write(stats_out, size, &told) };
            Ok(())
        })
    })
}

/// All counts, of queues and regions too, as text of Prometheus's exposition format, to be served as
/// `text/plain; version=0.0.4; charset=utf-8`. Names begin with `evenmatch_`. `buffer` takes `capacity` bytes and a NUL if
/// there is room for it; `bytes_out` gets the length without the NUL. The text is made anew by every call and may have
/// grown since one that asked for the length; 3 kB, and 6 kB for each queue, are enough for most.
///
/// Any thread, also once closed. Cost: every slot is looked at, and that of the text. Errors: NOT_FOUND,
/// BUFFER_TOO_SMALL (with `bytes_out`), NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn evenmatch_stats_prometheus(
    engine: evenmatch_engine,
    buffer: *mut c_char,
    capacity: u64,
    bytes_out: *mut u64,
) -> evenmatch_status {
    call(|| {
        table::with(engine, |instance| {
            wire::not_null(bytes_out, "bytes_out")?;
            let mut stats = instance.engine.stats();
            stats.unpolled += instance.taken.tickets();
            // SAFETY: by the contract of the header the buffer has `capacity` bytes.
            unsafe { wire::put_text(buffer, capacity, bytes_out, &prometheus_text(&stats)) }
        })
    })
}

/// The counts of a queue.
///
/// Any thread, also once closed. Cost: every slot is looked at. Errors: NOT_FOUND, BUFFER_TOO_SMALL (the regions are
/// wanted and do not fit; `region_count` is written), NULL_POINTER, STRUCT_SIZE, STRUCT_TAIL, INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn evenmatch_queue_stats_read(
    engine: evenmatch_engine,
    queue: evenmatch_queue,
    stats_out: *mut evenmatch_queue_stats,
) -> evenmatch_status {
    call(|| {
        table::with(engine, |instance| {
            // SAFETY: by the contract of the header.
            let mut told = unsafe { wire::read(stats_out.cast_const(), "stats_out") }?;
            // SAFETY: NULL or a struct of the size that it says, by the contract of the header.
            let size = unsafe { wire::writable(stats_out, "stats_out") }?;
            super::reserved(&[told.reserved])?;
            // SAFETY: by the contract of the header what is pointed to is as long as is said, and stays for the call.
            let mut regions = unsafe { RowsOut::new(told.regions, told.region_capacity, "regions") }?;
            let (id, _) = instance.queue(queue)?;
            let all = instance.engine.stats();
            let stats = all.queues.iter().find(|stats| stats.queue == id);
            let stats = stats.ok_or_else(|| Fault::new(EVENMATCH_NOT_FOUND, "the queue has been removed"))?;
            let names = &instance.names;
            told.is_suspended = u32::from(stats.suspended);
            told.name = names.symbol_or_none(&stats.name);
            told.index_name = names.symbol_or_none(stats.index);
            told.index_why = names.symbol_or_none(stats.index_why);
            told.tickets = stats.tickets;
            told.players = stats.players;
            told.oldest_age_ms = stats.oldest_age.0;
            told.matches = stats.matches;
            told.region_count = stats.regions.len() as u64;
            let fits = regions.capacity() == 0 || stats.regions.len() <= regions.capacity();
            if fits {
                for (at, (name, tickets, players)) in
                    stats.regions.iter().enumerate().take(regions.capacity())
                {
                    let region = names.symbol_or_none(name);
                    let (tickets, players) = (*tickets, *players);
                    regions.set(at, &evenmatch_region_stats { struct_size: 0, region, tickets, players });
                }
            }
            // SAFETY: the size came from `writable`, and the place is the same.
            unsafe { wire::write(stats_out, size, &told) };
            if fits {
                return Ok(());
            }
            let detail = format!("{} regions, room for {}", stats.regions.len(), regions.capacity());
            Err(Fault::new(EVENMATCH_BUFFER_TOO_SMALL, detail))
        })
    })
}
