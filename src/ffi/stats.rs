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
    /// Tickets that timed out and had no legal partner at any visit.
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
            };
            // SAFETY: the size came from `writable`, and the place is the same.
            unsafe { wire::write(stats_out, size, &told) };
            Ok(())
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
            Err(Fault::new(EVENMATCH_BUFFER_TOO_SMALL, format!("{} regions", stats.regions.len())))
        })
    })
}
