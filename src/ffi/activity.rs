//! Activity: what became of the tickets of a queue, by region and by reason, and which rules keep tickets apart.
//!
//! Called by the host, not every frame. Invariant: everything is as of the last tick but what waits now.
#![allow(unsafe_code, reason = "exports read and write through the caller's pointers")]

use super::engine::evenmatch_engine;
use super::guard::{Fault, call};
use super::instance::Instance;
use super::queue::evenmatch_queue;
use super::status::{EVENMATCH_BUFFER_TOO_SMALL, EVENMATCH_NOT_FOUND, evenmatch_status};
use super::symbol::evenmatch_symbol;
use super::table;
use super::version::EVENMATCH_NEVER;
use super::wire::{self, RowsOut, Wire, wire};
use crate::model::codes::EndReason;
use crate::model::ids::Millis;
use crate::model::status::{Counts, QueueStats, WindowStats};

/// What became of the tickets of a queue, or of one region of it. A ticket counts once for its queue and once for each
/// region that it could be matched in, so that regions add up to more than the queue; a match counts in the region where
/// it is played.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct evenmatch_activity {
    /// EVENMATCH_ACTIVITY_INIT sets it; of an array only that of the first element is read.
    pub struct_size: u32,
    /// Which region; 0: the queue as a whole.
    pub region: evenmatch_symbol,
    /// Tickets that wait now.
    pub tickets: u64,
    /// Their players.
    pub players: u64,
    /// The age in ms of the oldest of them; 0 if there is none.
    pub oldest_age_ms: u64,
    /// Matches made since the queue was added, as all up to `starved`; of a region since it came up again after a time
    /// without any ticket.
    pub matches: u64,
    /// Tickets that went into a match.
    pub matched: u64,
    /// Their players.
    pub matched_players: u64,
    /// Tickets that their host cancelled.
    pub cancelled: u64,
    /// Tickets that a member left.
    pub member_left: u64,
    /// Tickets that timed out.
    pub timed_out: u64,
    /// Tickets that ended with their queue.
    pub queue_removed: u64,
    /// Tickets that ended with the engine.
    pub engine_closed: u64,
    /// Tickets of whom a player was matched through another queue.
    pub matched_elsewhere: u64,
    /// Of those that timed out the ones that had no legal partner at any visit; see `starved` of evenmatch_stats.
    pub starved: u64,
    /// The same within the sliding window, as all that follow: matches made.
    pub window_matches: u64,
    /// Tickets that went into a match.
    pub window_matched: u64,
    /// Their players.
    pub window_matched_players: u64,
    /// Tickets that their host cancelled.
    pub window_cancelled: u64,
    /// Tickets that a member left.
    pub window_member_left: u64,
    /// Tickets that timed out.
    pub window_timed_out: u64,
    /// Tickets that ended with their queue.
    pub window_queue_removed: u64,
    /// Tickets that ended with the engine.
    pub window_engine_closed: u64,
    /// Tickets of whom a player was matched through another queue.
    pub window_matched_elsewhere: u64,
    /// Of those that timed out the ones that had no legal partner at any visit; see `starved` of evenmatch_stats.
    pub window_starved: u64,
    /// Tickets that the waits rest on: the matched ones.
    pub wait_samples: u64,
    /// Their mean wait in ms, exact; EVENMATCH_NEVER without a sample, as the percentiles.
    pub wait_mean_ms: u64,
    /// Half of them waited no longer, within 1/32.
    pub wait_p50_ms: u64,
    /// Nine in ten waited no longer, within 1/32.
    pub wait_p90_ms: u64,
    /// Ninety-nine in a hundred waited no longer, within 1/32.
    pub wait_p99_ms: u64,
}

/// How often a rule, as the first, kept two tickets from standing in one match.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct evenmatch_rule_activity {
    /// EVENMATCH_RULE_ACTIVITY_INIT sets it; of an array only that of the first element is read.
    pub struct_size: u32,
    /// Its name; 0: the limits that tickets set themselves.
    pub rule: evenmatch_symbol,
    /// Pairs within the sliding window that it kept apart. Rules that judge whole matches only have 0.
    pub excluded: u64,
    /// Pairs that were looked at: a sample of at most 64 a tick.
    pub pairs: u64,
}

wire! {
    evenmatch_activity: 232,
    evenmatch_rule_activity: 24,
}

/// What became of the tickets of a queue: the first element is the queue as a whole, then each region in the order of
/// names. `count_out` gets how many there are.
///
/// Any thread, also once closed. Cost: every slot is looked at. Errors: NOT_FOUND, BUFFER_TOO_SMALL (with `count_out`),
/// NULL_POINTER, STRUCT_SIZE, TOO_LARGE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn evenmatch_activity_read(
    engine: evenmatch_engine,
    queue: evenmatch_queue,
    activity: *mut evenmatch_activity,
    capacity: u64,
    count_out: *mut u64,
) -> evenmatch_status {
    call(|| {
        table::with(engine, |instance| {
            wire::not_null(count_out, "count_out")?;
            // SAFETY: by the contract of the header the array has `capacity` elements.
            let out = unsafe { RowsOut::new(activity, capacity, "activity") }?;
            let stats = stats_of(instance, queue)?;
            let activity = &stats.activity;
            let now = (stats.tickets, stats.players, stats.oldest_age);
            let whole = row(0, now, &activity.total, &activity.window);
            let regions = stats.by_region.iter().map(|region| {
                let now = (region.tickets, region.players, region.oldest_age);
                row(instance.names.symbol_or_none(&region.name), now, &region.total, &region.window)
            });
            // SAFETY: looked at above.
            unsafe { fill(out, count_out, std::iter::once(whole).chain(regions).collect()) }
        })
    })
}

/// Which rules of a queue keep tickets apart: each rule in the order of the file, then the limits that tickets set
/// themselves. `count_out` gets how many there are.
///
/// Any thread, also once closed. Cost: every slot is looked at. Errors: NOT_FOUND, BUFFER_TOO_SMALL (with `count_out`),
/// NULL_POINTER, STRUCT_SIZE, TOO_LARGE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn evenmatch_rule_activity_read(
    engine: evenmatch_engine,
    queue: evenmatch_queue,
    activity: *mut evenmatch_rule_activity,
    capacity: u64,
    count_out: *mut u64,
) -> evenmatch_status {
    call(|| {
        table::with(engine, |instance| {
            wire::not_null(count_out, "count_out")?;
            // SAFETY: by the contract of the header the array has `capacity` elements.
            let out = unsafe { RowsOut::new(activity, capacity, "activity") }?;
            let activity = stats_of(instance, queue)?.activity;
            let row = |rule, excluded| evenmatch_rule_activity {
                struct_size: 0,
                rule,
                excluded,
                pairs: activity.pairs,
            };
            let rules = activity.excluded.iter();
            let rules = rules.map(|(name, excluded)| row(instance.names.symbol_or_none(name), *excluded));
            let limits = row(0, activity.excluded_by_limits);
            // SAFETY: looked at above.
            unsafe { fill(out, count_out, rules.chain(std::iter::once(limits)).collect()) }
        })
    })
}

fn stats_of(instance: &Instance, queue: evenmatch_queue) -> Result<QueueStats, Fault> {
    let (id, _) = instance.queue(queue)?;
    let found = instance.engine.stats().queues.into_iter().find(|stats| stats.queue == id);
    found.ok_or_else(|| Fault::new(EVENMATCH_NOT_FOUND, "the queue has been removed"))
}

/// Writes all rows and their count, or the count alone.
///
/// # Safety
///
/// `count_out` is not NULL, aligned, and the caller's to write.
unsafe fn fill<T: Wire>(mut out: RowsOut<T>, count_out: *mut u64, rows: Vec<T>) -> Result<(), Fault> {
    // SAFETY: as the caller says.
    unsafe { wire::put(count_out, rows.len() as u64) };
    if rows.len() > out.capacity() {
        let detail = format!("{} elements do not fit into {}", rows.len(), out.capacity());
        return Err(Fault::new(EVENMATCH_BUFFER_TOO_SMALL, detail));
    }
    rows.iter().enumerate().for_each(|(at, row)| out.set(at, row));
    Ok(())
}

fn row(
    region: evenmatch_symbol,
    now: (u64, u64, Millis),
    total: &Counts,
    window: &WindowStats,
) -> evenmatch_activity {
    let (tickets, players, oldest_age) = now;
    let (ended, counts, wait) = (&total.ended, &window.counts, &window.wait);
    let ms = |wait: Option<Millis>| wait.map_or(EVENMATCH_NEVER, |wait| wait.0);
    evenmatch_activity {
        struct_size: 0,
        region,
        tickets,
        players,
        oldest_age_ms: oldest_age.0,
        matches: total.matches,
        matched: total.matched_tickets,
        matched_players: total.matched_players,
        cancelled: ended.of(EndReason::Cancelled),
        member_left: ended.of(EndReason::PartyMemberLeft),
        timed_out: ended.of(EndReason::TimedOut),
        queue_removed: ended.of(EndReason::QueueRemoved),
        engine_closed: ended.of(EndReason::EngineClosed),
        matched_elsewhere: ended.of(EndReason::MatchedElsewhere),
        starved: total.starved,
        window_matches: counts.matches,
        window_matched: counts.matched_tickets,
        window_matched_players: counts.matched_players,
        window_cancelled: counts.ended.of(EndReason::Cancelled),
        window_member_left: counts.ended.of(EndReason::PartyMemberLeft),
        window_timed_out: counts.ended.of(EndReason::TimedOut),
        window_queue_removed: counts.ended.of(EndReason::QueueRemoved),
        window_engine_closed: counts.ended.of(EndReason::EngineClosed),
        window_matched_elsewhere: counts.ended.of(EndReason::MatchedElsewhere),
        window_starved: counts.starved,
        wait_samples: wait.samples,
        wait_mean_ms: ms(wait.mean),
        wait_p50_ms: ms(wait.p50),
        wait_p90_ms: ms(wait.p90),
        wait_p99_ms: ms(wait.p99),
    }
}
