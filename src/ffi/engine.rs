//! Engine: made with its limits, ticked, and freed.
//!
//! Called by the host. Invariant: a handle is given out once and names one engine.
#![allow(unsafe_code, reason = "exports read and write through the caller's pointers")]

use super::guard::{Fault, call};
use super::instance::Instance;
use super::names::Names;
use super::status::{EVENMATCH_INVALID_ARGUMENT, EVENMATCH_OUT_OF_RANGE, evenmatch_status};
use super::table;
use super::version::EVENMATCH_NEVER;
use super::wire::{self, wire};
use crate::engine::Engine;
use crate::model::ids::Millis;
use crate::model::status::TickReport;
use crate::simd::Simd;

/// An engine: a handle, never 0, never given out twice.
pub type evenmatch_engine = u64;

/// Every match is judged a second time by an independent reading of the rules before it is handed out; one that is
/// refused is a fault of the library and answers PANIC. Costs time; for tests.
pub const EVENMATCH_ENGINE_CHECK_MATCHES: u32 = 1;
/// Every ticket is matched by itself as soon as it is submitted, in the region with its least ping: for testing a
/// binding or a game without other players. Everything else is as ever: names, types, ranges, ids, events.
pub const EVENMATCH_ENGINE_ECHO: u32 = 2;
/// `retained` counts, also if it is 0.
pub const EVENMATCH_ENGINE_HAS_RETAINED: u32 = 4;
/// All calls and ticks are recorded, for evenmatch_record_poll. While a record is kept, calls that change anything wait
/// for one another; lines are kept until they are polled.
pub const EVENMATCH_ENGINE_RECORD: u32 = 8;
/// A player may stand in several queues at once, with one live ticket in each. When one of them is matched the others end
/// with EVENMATCH_ENDED_MATCHED_ELSEWHERE in the same step, those of his parties whole.
pub const EVENMATCH_ENGINE_MANY_QUEUES: u32 = 16;

/// The widest that the processor has.
pub const EVENMATCH_SIMD_AUTO: u32 = 0;
/// None beyond what the library was compiled for.
pub const EVENMATCH_SIMD_SCALAR: u32 = 1;
/// AVX2, with BMI1, BMI2 and LZCNT.
pub const EVENMATCH_SIMD_AVX2: u32 = 2;
/// AVX-512 F, BW, DQ and VL.
pub const EVENMATCH_SIMD_AVX512: u32 = 3;
/// NEON.
pub const EVENMATCH_SIMD_NEON: u32 = 4;

/// How large an engine may grow, and how it behaves.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct evenmatch_engine_config {
    /// EVENMATCH_ENGINE_CONFIG_INIT sets it.
    pub struct_size: u32,
    /// EVENMATCH_ENGINE_..., or-ed.
    pub flags: u32,
    /// Tickets that may live, or wait to be polled, at once; with `retained` at most 2^26. 0: 1,000,000. Memory is
    /// taken as tickets come.
    pub capacity: u32,
    /// Ended tickets that are kept after they have been polled, for evenmatch_ticket_read and evenmatch_match_requeue.
    /// Without EVENMATCH_ENGINE_HAS_RETAINED: a quarter of the capacity.
    pub retained: u32,
    /// Nodes that one search visits at most, 2,048 and up: a count, so that the stop is the same on every machine.
    /// 0: the default.
    pub search_nodes: u32,
    /// Symbols at most, up to 2^24. 0: 16,384.
    pub symbols: u32,
    /// Threads that search at a tick, the one that ticks included: 1 to 57; 0: 1. With more than 1 the engine starts the
    /// others; they sleep between ticks and are joined by evenmatch_engine_close and evenmatch_engine_free. Matches and
    /// events are the same for any number. A host with threads of its own lends them by evenmatch_engine_help instead.
    /// A library that is loaded at run time and has started threads may stay in memory until the thread that made the
    /// engine has ended.
    pub threads: u32,
    /// Slices in which the sliding window moves on, 1 to 60; 0: 10.
    pub stats_slices: u32,
    /// The sliding window of statistics and estimates, in ms of engine time; 0: 600,000. Memory: 1.6 kB for each queue
    /// and region, and slice.
    pub stats_window_ms: u32,
    /// The instruction set of its searches' inner loops, EVENMATCH_SIMD_...; one that the processor lacks is refused
    /// with OUT_OF_RANGE. Matches and events are the same for any.
    pub simd: u32,
}

/// What one tick did.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct evenmatch_tick_report {
    /// EVENMATCH_TICK_REPORT_INIT sets it.
    pub struct_size: u32,
    /// 1: every due ticket was visited; 0: the budget ended the pass, and the next tick goes on.
    pub is_complete: u32,
    /// The time it was for, in ms: never earlier than the last one's.
    pub at_ms: u64,
    /// Candidates looked at.
    pub steps: u64,
    /// Matches made.
    pub matches: u64,
    /// Tickets that ended without one.
    pub ended: u64,
}

wire! {
    evenmatch_engine_config: 24,
    evenmatch_tick_report: 40,
}

/// Symbols unless the host says otherwise.
const SYMBOLS: u32 = 16_384;
/// The sliding window and its slices unless the host says otherwise: those of the Rust API.
const STATS_WINDOW_MS: u32 = 600_000;
const STATS_SLICES: u32 = 10;
/// Symbols at most.
const SYMBOLS_MAX: u32 = 1 << 24;

/// Makes an engine. `config` may be NULL: all defaults.
///
/// Any thread. Errors: OUT_OF_RANGE (capacity, search nodes, symbols, threads, window, slices, an instruction set that the
/// processor lacks), TOO_MANY_ENGINES (64 in a process), INVALID_ARGUMENT (an unknown flag or instruction set),
/// NULL_POINTER, STRUCT_SIZE, STRUCT_TAIL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn evenmatch_engine_new(
    config: *const evenmatch_engine_config,
    engine_out: *mut evenmatch_engine,
) -> evenmatch_status {
    call(|| {
        wire::not_null(engine_out, "engine_out")?;
        let config = if config.is_null() {
            evenmatch_engine_config {
                struct_size: size_of::<evenmatch_engine_config>() as u32,
                flags: 0,
                capacity: 0,
                retained: 0,
                search_nodes: 0,
                symbols: 0,
                threads: 0,
                stats_slices: 0,
                stats_window_ms: 0,
                simd: EVENMATCH_SIMD_AUTO,
            }
        } else {
            // SAFETY: not NULL; by the contract of the header it points to a struct of the size that it says.
            unsafe { wire::read(config, "config") }?
        };
        let engine = table::add(|index, generation, first_generation| {
            build(&config, (index, generation, first_generation))
        })?;
        // SAFETY: looked at above.
        unsafe { wire::put(engine_out, engine) };
        Ok(())
    })
}

fn build(config: &evenmatch_engine_config, place: (u32, u32, u32)) -> Result<Instance, Fault> {
    let known = EVENMATCH_ENGINE_CHECK_MATCHES
        | EVENMATCH_ENGINE_ECHO
        | EVENMATCH_ENGINE_HAS_RETAINED
        | EVENMATCH_ENGINE_RECORD
        | EVENMATCH_ENGINE_MANY_QUEUES;
    if config.flags & !known != 0 {
        let detail = format!("unknown flags {:#x}: this library knows {known:#x}", config.flags & !known);
        return Err(Fault::new(EVENMATCH_INVALID_ARGUMENT, detail));
    }
    if config.symbols > SYMBOLS_MAX {
        let detail = format!("{} symbols, at most {SYMBOLS_MAX}", config.symbols);
        return Err(Fault::new(EVENMATCH_OUT_OF_RANGE, detail));
    }
    let Some(simd) = read_simd(config.simd) else {
        let detail = format!("simd is {}, take an EVENMATCH_SIMD_ value", config.simd);
        return Err(Fault::new(EVENMATCH_INVALID_ARGUMENT, detail));
    };
    let mut builder = Engine::builder()
        .simd(simd)
        .check_matches(config.flags & EVENMATCH_ENGINE_CHECK_MATCHES != 0)
        .allow_many_queues(config.flags & EVENMATCH_ENGINE_MANY_QUEUES != 0)
        .record(config.flags & EVENMATCH_ENGINE_RECORD != 0)
        .threads(config.threads.max(1) as usize)
        .stats_window(
            Millis(if config.stats_window_ms == 0 { STATS_WINDOW_MS } else { config.stats_window_ms }.into()),
            if config.stats_slices == 0 { STATS_SLICES } else { config.stats_slices },
        )
        .first_generation(place.2);
    if config.capacity != 0 {
        builder = builder.capacity(config.capacity);
    }
    if config.flags & EVENMATCH_ENGINE_HAS_RETAINED != 0 {
        builder = builder.retained(config.retained);
    }
    if config.search_nodes != 0 {
        builder = builder.search_nodes(config.search_nodes);
    }
    let names = Names::new(if config.symbols == 0 { SYMBOLS } else { config.symbols });
    Ok(Instance::new(builder.build()?, names, config.flags & EVENMATCH_ENGINE_ECHO != 0, place))
}

const fn read_simd(simd: u32) -> Option<Simd> {
    Some(match simd {
        EVENMATCH_SIMD_AUTO => Simd::Auto,
        EVENMATCH_SIMD_SCALAR => Simd::Scalar,
        EVENMATCH_SIMD_AVX2 => Simd::Avx2,
        EVENMATCH_SIMD_AVX512 => Simd::Avx512,
        EVENMATCH_SIMD_NEON => Simd::Neon,
        _ => return None,
    })
}

const fn write_simd(simd: Simd) -> u32 {
    match simd {
        Simd::Auto => EVENMATCH_SIMD_AUTO,
        Simd::Scalar => EVENMATCH_SIMD_SCALAR,
        Simd::Avx2 => EVENMATCH_SIMD_AVX2,
        Simd::Avx512 => EVENMATCH_SIMD_AVX512,
        Simd::Neon => EVENMATCH_SIMD_NEON,
    }
}

/// The instruction set that an engine's searches use, never EVENMATCH_SIMD_AUTO.
///
/// Any thread. Errors: NOT_FOUND, NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn evenmatch_engine_simd(
    engine: evenmatch_engine,
    simd_out: *mut u32,
) -> evenmatch_status {
    call(|| {
        table::with(engine, |instance| {
            wire::not_null(simd_out, "simd_out")?;
            // SAFETY: looked at above.
            unsafe { wire::put(simd_out, write_simd(instance.engine.simd())) };
            Ok(())
        })
    })
}

/// Frees an engine: calls that begin later are refused, this one waits for those inside (a tick may take long) and
/// then gives everything back. Tickets that wait are gone without events; evenmatch_engine_close before it lets the
/// host poll them. Never call it from a signal handler.
///
/// Any thread. Errors: NOT_FOUND (also: freed before), ENGINE_CLOSED (another thread is freeing it).
#[unsafe(no_mangle)]
pub extern "C" fn evenmatch_engine_free(engine: evenmatch_engine) -> evenmatch_status {
    call(|| table::remove(engine))
}

/// Ends every ticket with EVENMATCH_ENDED_ENGINE_CLOSED. From then on events can be polled, tickets and stats read,
/// and all else is refused with ENGINE_CLOSED. Waits for the end of a running tick, whose matches stand.
///
/// Any thread. Errors: NOT_FOUND, INVALID_TIME, ENGINE_CLOSED (closed before).
#[unsafe(no_mangle)]
pub extern "C" fn evenmatch_engine_close(engine: evenmatch_engine, now_ms: u64) -> evenmatch_status {
    call(|| table::with(engine, |instance| Ok(instance.engine.close(Millis(now_ms))?)))
}

/// Takes all inputs in, ends what has timed out, and runs one matching pass for `now_ms`. `budget`: steps (candidates
/// looked at) after which the pass stops, to go on at the next tick; 0: no limit. `report_out` may be NULL.
///
/// One thread at a time per engine: a second one is refused with BUSY and does not wait. All other calls but close and
/// free go on meanwhile. Errors: NOT_FOUND, BUSY, INVALID_TIME, ENGINE_CLOSED, STRUCT_SIZE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn evenmatch_engine_tick(
    engine: evenmatch_engine,
    now_ms: u64,
    budget: u64,
    report_out: *mut evenmatch_tick_report,
) -> evenmatch_status {
    call(|| {
        table::with(engine, |instance| {
            // SAFETY: by the contract of the header.
            let report = unsafe { ReportOut::new(report_out) }?;
            report.set(&instance.engine.tick(Millis(now_ms), budget)?);
            Ok(())
        })
    })
}

/// Where the report of a tick goes, if it is wanted.
pub(super) struct ReportOut {
    report: *mut evenmatch_tick_report,
    size: usize,
}

impl ReportOut {
    /// # Safety
    ///
    /// `report` is NULL, or points to a struct of the size that it says, which nobody else uses as long as the result is
    /// used.
    pub(super) unsafe fn new(report: *mut evenmatch_tick_report) -> Result<ReportOut, Fault> {
        let size = match report.is_null() {
            true => 0,
            // SAFETY: as the caller says.
            false => unsafe { wire::writable(report, "report_out") }?,
        };
        Ok(ReportOut { report, size })
    }

    /// Writes it.
    pub(super) fn set(&self, done: &TickReport) {
        if self.report.is_null() {
            return;
        }
        let report = evenmatch_tick_report {
            struct_size: 0,
            is_complete: u32::from(done.complete),
            at_ms: done.at.0,
            steps: done.steps,
            matches: done.matches,
            ended: done.ended,
        };
        // SAFETY: not NULL, the size came from `writable`, and the place is the caller's to write (see `new`).
        unsafe { wire::write(self.report, self.size, &report) };
    }
}

/// Lends the calling thread to the tick that runs in another: it searches until that tick has no more to search.
/// `did_out`, which may be NULL, gets 1 if there was something to do; at once and 0 where no tick is searching.
///
/// Any thread, any number of them; up to 56 take part. The tick waits for none that has not begun a search. What comes out
/// is the same with and without help. Errors: NOT_FOUND.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn evenmatch_engine_help(
    engine: evenmatch_engine,
    did_out: *mut u32,
) -> evenmatch_status {
    call(|| {
        table::with(engine, |instance| {
            let did = u32::from(instance.engine.help());
            // SAFETY: NULL or valid for a write, by the contract of the header.
            unsafe { wire::put_if(did_out, did) };
            Ok(())
        })
    })
}

/// Moves engine time on to `now_ms`, if that is later, and does nothing else: for a host that wants to ask
/// (evenmatch_ticket_read, evenmatch_ticket_explain) about a moment at which it does not tick.
///
/// Any thread. Errors: NOT_FOUND, INVALID_TIME, ENGINE_CLOSED.
#[unsafe(no_mangle)]
pub extern "C" fn evenmatch_engine_advance(engine: evenmatch_engine, now_ms: u64) -> evenmatch_status {
    call(|| table::with(engine, |instance| Ok(instance.engine.advance(Millis(now_ms))?)))
}

/// The earliest time in ms at which a tick could change anything without new input, always after the engine's current
/// time; EVENMATCH_NEVER: none. A host may sleep until then. Input that no tick has taken in is due 1 ms after the
/// current time.
///
/// Any thread; while a tick runs the answer is that of the tick before. Errors: NOT_FOUND, NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn evenmatch_engine_next_due(
    engine: evenmatch_engine,
    due_ms_out: *mut u64,
) -> evenmatch_status {
    call(|| {
        table::with(engine, |instance| {
            wire::not_null(due_ms_out, "due_ms_out")?;
            let due = instance.engine.next_due().map_or(EVENMATCH_NEVER, |due| due.0);
            // SAFETY: looked at above.
            unsafe { wire::put(due_ms_out, due) };
            Ok(())
        })
    })
}
