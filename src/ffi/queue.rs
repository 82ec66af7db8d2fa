//! Queue: added from JSON text, suspended, resumed, removed; and the regions, which are up or down for all queues.
//!
//! Called by the host. Invariants: a text of several queues is added whole or not at all; the handle of a removed
//! queue names nothing, even if another queue gets its name.
#![allow(unsafe_code, reason = "exports read and write through the caller's pointers")]

use super::echo;
use super::engine::evenmatch_engine;
use super::guard::{Fault, call, cut};
use super::instance::Instance;
use super::status::{
    EVENMATCH_BUFFER_TOO_SMALL, EVENMATCH_INVALID_QUEUE, EVENMATCH_UNKNOWN_ENUM, EVENMATCH_UNKNOWN_QUEUE,
    evenmatch_status,
};
use super::symbol::evenmatch_symbol;
use super::table;
use super::wire::{self, wire};
use crate::config::{ConfigError, IntersectionDelta, PlayfabOptions, QueueFormat, read_queues_file};
use crate::model::ids::{Millis, QueueId};
use crate::rules::spec::{QueueSpec, WindowAge};
use std::ffi::c_char;

/// A queue of one engine: a handle, never 0.
pub type evenmatch_queue = u64;

/// Told by the content.
pub const EVENMATCH_FORMAT_AUTO: i32 = 0;
/// The native format.
pub const EVENMATCH_FORMAT_NATIVE: i32 = 1;
/// PlayFab's, in its documentation's form, its API's, or a mix of both.
pub const EVENMATCH_FORMAT_PLAYFAB: i32 = 2;

/// As the format says: in PlayFab files every ticket's own age, and for totals that of the oldest.
pub const EVENMATCH_AGE_DEFAULT: i32 = 0;
/// Every ticket's own age.
pub const EVENMATCH_AGE_MUTUAL: i32 = 1;
/// The age of the oldest ticket of the match, for all.
pub const EVENMATCH_AGE_OLDEST: i32 = 2;
/// The age of the newest ticket of the match, for all.
pub const EVENMATCH_AGE_NEWEST: i32 = 3;

/// The `Delta` of a linear expansion is subtracted from a `MinIntersectionSize`: the rule loosens.
pub const EVENMATCH_DELTA_SUBTRACTED: i32 = 0;
/// It is added, as the API specification says literally: the rule tightens.
pub const EVENMATCH_DELTA_ADDED: i32 = 1;

/// A text of queues, and what came of reading it.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct evenmatch_queue_source {
    /// EVENMATCH_QUEUE_SOURCE_INIT sets it.
    pub struct_size: u32,
    /// In: EVENMATCH_FORMAT_...
    pub format: i32,
    /// In: EVENMATCH_AGE_...: whose age drives the expansions of a PlayFab file.
    pub windows: i32,
    /// In: EVENMATCH_AGE_...: whose age drives its `MatchTotalRule`s that have an expansion.
    pub total_windows: i32,
    /// In: EVENMATCH_DELTA_...
    pub intersection_delta: i32,
    /// Out: the line of the first error, else of the first warning, from 1; 0: no place.
    pub line: u32,
    /// Out: its column in characters, from 1.
    pub column: u32,
    /// Out: errors. Written also if the call fails.
    pub error_count: u32,
    /// Out: what is legal but hardly meant.
    pub warning_count: u32,
    /// To be 0.
    pub reserved: u32,
    /// In: bytes of `json`.
    pub json_bytes: u64,
    /// In: bytes of `text`; 0: no text is wanted.
    pub text_capacity: u64,
    /// Out: bytes that all errors (else all warnings) have, one on each line as LINE:COLUMN: PATH: found .., ..; more
    /// than `text_capacity` if the text was cut off.
    pub text_bytes: u64,
    /// In: the queues, UTF-8.
    pub json: *const c_char,
    /// In: where the text goes; without a NUL.
    pub text: *mut c_char,
}

wire! { evenmatch_queue_source: size_of::<evenmatch_queue_source>(), }

/// Adds the queues of a JSON text, which take tickets at once; all of them or, with an error, none. A native text has
/// one queue, a PlayFab text may have several.
///
/// `queues_out` takes `capacity` handles, in the order of the text. The out fields of `source` are written also if the
/// text is refused. Any thread. Errors: INVALID_QUEUE (with text and place), QUEUE_EXISTS, TOO_MANY_QUEUES (256 at a
/// time), BUFFER_TOO_SMALL (with `count_out`), UNKNOWN_ENUM, NOT_FOUND, ENGINE_CLOSED, TOO_LARGE, NULL_POINTER,
/// STRUCT_SIZE, STRUCT_TAIL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn evenmatch_queue_add(
    engine: evenmatch_engine,
    source: *mut evenmatch_queue_source,
    queues_out: *mut evenmatch_queue,
    capacity: u64,
    count_out: *mut u64,
) -> evenmatch_status {
    call(|| {
        table::with(engine, |instance| {
            // SAFETY: by the contract of the header a struct of the size that it says.
            let mut told = unsafe { wire::read(source.cast_const(), "source") }?;
            // SAFETY: NULL or a struct of the size that it says, by the contract of the header.
            let size = unsafe { wire::writable(source, "source") }?;
            // SAFETY: by the contract of the header the arrays are as long as is said.
            let queues = unsafe { wire::slice_out(queues_out, capacity, "queues_out") }?;
            // SAFETY: by the contract of the header what is pointed to is as long as is said, and stays for the call.
            let json = unsafe { wire::bytes(told.json, told.json_bytes, "json") }?;
            // SAFETY: by the contract of the header what is pointed to is as long as is said, and stays for the call.
            let text = unsafe { wire::slice_out(told.text.cast::<u8>(), told.text_capacity, "text") }?;
            super::reserved(&[told.reserved])?;
            wire::not_null(count_out, "count_out")?;
            let (format, options) = options(&told)?;
            let read = read_queues_file("", json, format, &options);
            let (specs, result) = match read {
                Ok(file) => {
                    tell(&mut told, text, &file.warnings);
                    told.warning_count = file.warnings.len() as u32;
                    told.error_count = 0;
                    (file.specs, Ok(()))
                }
                Err(errors) => {
                    tell(&mut told, text, &errors);
                    told.warning_count = 0;
                    told.error_count = errors.len() as u32;
                    let first = errors.first().map(ConfigError::to_string).unwrap_or_default();
                    (Vec::new(), Err(Fault::new(EVENMATCH_INVALID_QUEUE, first)))
                }
            };
            // SAFETY: the size came from `writable`.
            unsafe { wire::write(source, size, &told) };
            result?;
            if specs.len() > queues.len() {
                // SAFETY: looked at above.
                unsafe { wire::put(count_out, specs.len() as u64) };
                let detail = format!("{} queues, room for {}", specs.len(), queues.len());
                return Err(Fault::new(EVENMATCH_BUFFER_TOO_SMALL, detail));
            }
            let added = add_all(instance, specs)?;
            queues[..added.len()].copy_from_slice(&added);
            // SAFETY: looked at above.
            unsafe { wire::put(count_out, added.len() as u64) };
            Ok(())
        })
    })
}

fn options(source: &evenmatch_queue_source) -> Result<(QueueFormat, PlayfabOptions), Fault> {
    let unknown = |what: &str, value: i32, kind: &str| {
        Fault::new(EVENMATCH_UNKNOWN_ENUM, format!("{what} is {value}, take an EVENMATCH_{kind}_ value"))
    };
    let format = match source.format {
        EVENMATCH_FORMAT_AUTO => QueueFormat::Auto,
        EVENMATCH_FORMAT_NATIVE => QueueFormat::Native,
        EVENMATCH_FORMAT_PLAYFAB => QueueFormat::Playfab,
        other => return Err(unknown("format", other, "FORMAT")),
    };
    let age = |what, value, default| match value {
        EVENMATCH_AGE_DEFAULT => Ok(default),
        EVENMATCH_AGE_MUTUAL => Ok(WindowAge::Mutual),
        EVENMATCH_AGE_OLDEST => Ok(WindowAge::Oldest),
        EVENMATCH_AGE_NEWEST => Ok(WindowAge::Newest),
        other => Err(unknown(what, other, "AGE")),
    };
    let default = PlayfabOptions::default();
    let intersection_delta = match source.intersection_delta {
        EVENMATCH_DELTA_SUBTRACTED => IntersectionDelta::Subtracted,
        EVENMATCH_DELTA_ADDED => IntersectionDelta::Added,
        other => return Err(unknown("intersection_delta", other, "DELTA")),
    };
    let options = PlayfabOptions {
        windows: age("windows", source.windows, default.windows)?,
        total_windows: age("total_windows", source.total_windows, default.total_windows)?,
        intersection_delta,
    };
    Ok((format, options))
}

/// Writes the place of the first error and the text of all.
fn tell(source: &mut evenmatch_queue_source, text: &mut [u8], errors: &[ConfigError]) {
    (source.line, source.column) = errors.first().map_or((0, 0), |error| (error.line, error.column));
    let lines: Vec<String> = errors.iter().map(ConfigError::to_string).collect();
    let lines = lines.join("\n");
    source.text_bytes = lines.len() as u64;
    let fitting = cut(&lines, text.len());
    text[..fitting.len()].copy_from_slice(fitting.as_bytes());
}

/// Adds all, or none.
fn add_all(instance: &Instance, specs: Vec<QueueSpec>) -> Result<Vec<evenmatch_queue>, Fault> {
    let mut added: Vec<(QueueId, evenmatch_queue)> = Vec::new();
    for spec in specs {
        let spec = if instance.is_echo { echo::of(spec) } else { spec };
        let name = spec.name.clone();
        let result = instance.engine.add_queue(spec).map_err(Fault::from).and_then(|id| {
            let handle = instance.add_queue(id, &name);
            if handle.is_err() {
                // Engine time does not move: a smaller time is read as the last one.
                instance.engine.remove_queue(Millis(0), id)?;
            }
            handle.map(|handle| (id, handle))
        });
        match result {
            Ok(queue) => added.push(queue),
            Err(fault) => {
                for (id, handle) in added {
                    if let Ok((_, entry)) = instance.queue(handle) {
                        instance.remove_queue(entry);
                    }
                    instance.engine.remove_queue(Millis(0), id)?;
                }
                return Err(fault);
            }
        }
    }
    Ok(added.into_iter().map(|(_, handle)| handle).collect())
}

/// The queue of a name.
///
/// Any thread. Errors: UNKNOWN_QUEUE, NOT_FOUND (the engine), INVALID_UTF8, NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn evenmatch_queue_find(
    engine: evenmatch_engine,
    name: *const c_char,
    name_bytes: u64,
    queue_out: *mut evenmatch_queue,
) -> evenmatch_status {
    call(|| {
        table::with(engine, |instance| {
            wire::not_null(queue_out, "queue_out")?;
            // SAFETY: by the contract of the header the name has `name_bytes` bytes.
            let name = unsafe { wire::text(name, name_bytes, "name") }?;
            let found = instance.engine.queue(name).map(|id| instance.queue_handle(id));
            let queue = found
                .filter(|&handle| instance.queue(handle).is_ok())
                .ok_or_else(|| Fault::new(EVENMATCH_UNKNOWN_QUEUE, format!("no queue is named {name:?}")))?;
            // SAFETY: looked at above.
            unsafe { wire::put(queue_out, queue) };
            Ok(())
        })
    })
}

/// All queues of the engine, in the order in which they were added.
///
/// Any thread. Errors: BUFFER_TOO_SMALL (with `count_out`; 256 are always enough), NOT_FOUND, NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn evenmatch_queue_list(
    engine: evenmatch_engine,
    queues_out: *mut evenmatch_queue,
    capacity: u64,
    count_out: *mut u64,
) -> evenmatch_status {
    call(|| {
        table::with(engine, |instance| {
            wire::not_null(count_out, "count_out")?;
            // SAFETY: by the contract of the header the array has room for `capacity`.
            let queues = unsafe { wire::slice_out(queues_out, capacity, "queues_out") }?;
            let all: Vec<evenmatch_queue> = instance.queue_handles().collect();
            // SAFETY: looked at above.
            unsafe { wire::put(count_out, all.len() as u64) };
            if all.len() > queues.len() {
                let detail = format!("{} queues, room for {}", all.len(), queues.len());
                return Err(Fault::new(EVENMATCH_BUFFER_TOO_SMALL, detail));
            }
            queues[..all.len()].copy_from_slice(&all);
            Ok(())
        })
    })
}

/// Stops a queue: submits are refused at once; from the next tick on its tickets stay, age and expire, but are not
/// matched.
///
/// Any thread. Errors: NOT_FOUND, INVALID_TIME, ENGINE_CLOSED.
#[unsafe(no_mangle)]
pub extern "C" fn evenmatch_queue_suspend(
    engine: evenmatch_engine,
    now_ms: u64,
    queue: evenmatch_queue,
) -> evenmatch_status {
    call(|| {
        table::with(engine, |instance| {
            let (id, _) = instance.queue(queue)?;
            Ok(instance.engine.suspend_queue(Millis(now_ms), id)?)
        })
    })
}

/// Opens a suspended queue again: submits are accepted at once, matches are made from the next tick on.
///
/// Any thread. Errors: NOT_FOUND, INVALID_TIME, ENGINE_CLOSED.
#[unsafe(no_mangle)]
pub extern "C" fn evenmatch_queue_resume(
    engine: evenmatch_engine,
    now_ms: u64,
    queue: evenmatch_queue,
) -> evenmatch_status {
    call(|| {
        table::with(engine, |instance| {
            let (id, _) = instance.queue(queue)?;
            Ok(instance.engine.resume_queue(Millis(now_ms), id)?)
        })
    })
}

/// Removes a queue: its tickets end with EVENMATCH_ENDED_QUEUE_REMOVED at the next tick. Its name is free at once, and
/// its handle names nothing any more; events still carry it.
///
/// Any thread. Errors: NOT_FOUND, INVALID_TIME, ENGINE_CLOSED.
#[unsafe(no_mangle)]
pub extern "C" fn evenmatch_queue_remove(
    engine: evenmatch_engine,
    now_ms: u64,
    queue: evenmatch_queue,
) -> evenmatch_status {
    call(|| {
        table::with(engine, |instance| {
            let (id, entry) = instance.queue(queue)?;
            instance.engine.remove_queue(Millis(now_ms), id)?;
            instance.remove_queue(entry);
            Ok(())
        })
    })
}

/// Says that a region is up (1) or down (0), for all queues, from the next tick on. Down ends nobody: its tickets
/// wait. Regions that were never named are up.
///
/// Any thread. Errors: NOT_FOUND, UNKNOWN_SYMBOL, UNKNOWN_ENUM (neither 0 nor 1), TOO_MANY_REGIONS (down at once),
/// INVALID_TIME, ENGINE_CLOSED.
#[unsafe(no_mangle)]
pub extern "C" fn evenmatch_region_set(
    engine: evenmatch_engine,
    now_ms: u64,
    region: evenmatch_symbol,
    is_up: i32,
) -> evenmatch_status {
    call(|| {
        table::with(engine, |instance| {
            let is_up = super::flag(is_up, "is_up")?;
            let region = instance.names.text(region, "region")?;
            Ok(instance.engine.set_region(Millis(now_ms), region, is_up)?)
        })
    })
}
