//! Record: all calls and ticks as lines of a trace, which a replay turns into the same events again.
//!
//! Polled by the host into its own memory, for its log. Invariant: every line is handed out once, whole, and in order.
#![allow(
    unsafe_code,
    reason = "exports use the caller's pointers; one poller at a time uses what threads share"
)]

use super::engine::evenmatch_engine;
use super::guard::{Fault, call};
use super::json::invalid;
use super::naming::{Naming, evenmatch_naming};
use super::status::{EVENMATCH_BUFFER_TOO_SMALL, EVENMATCH_BUSY, EVENMATCH_INVALID_FORMAT, evenmatch_status};
use super::table;
use super::wire;
use crate::base::sync::{AtomicBool, Ordering};
use crate::config::trace::{TraceAction, read_trace_line};
use crate::model::ids::Millis;
use std::cell::UnsafeCell;
use std::ffi::c_char;

/// Lines that the engine has handed over and the host has not had room for yet. One poller at a time.
#[derive(Default)]
pub(super) struct Lines {
    is_busy: AtomicBool,
    waiting: UnsafeCell<Waiting>,
}

// SAFETY: `waiting` is reached through `lease` only, which lets one thread in at a time; text may be sent between
// threads.
unsafe impl Sync for Lines {}

#[derive(Default)]
struct Waiting {
    text: String,
    /// Bytes of it that have been handed out.
    done: usize,
}

/// The one poller.
struct Lease<'a> {
    lines: &'a Lines,
}

impl Lines {
    /// Becomes the poller. Errors: BUSY.
    fn lease(&self) -> Result<Lease<'_>, Fault> {
        // Acquire pairs with the release in `drop`: the lines are seen as the last poller left them.
        if self.is_busy.swap(true, Ordering::Acquire) {
            return Err(Fault::new(EVENMATCH_BUSY, "another thread polls the record; one at a time"));
        }
        Ok(Lease { lines: self })
    }
}

impl Lease<'_> {
    fn waiting(&mut self) -> &mut Waiting {
        // SAFETY: there is one lease at a time, and it is borrowed.
        unsafe { &mut *self.lines.waiting.get() }
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        // Release pairs with the acquire in `lease`.
        self.lines.is_busy.store(false, Ordering::Release);
    }
}

impl Waiting {
    fn rest(&self) -> &str {
        &self.text[self.done..]
    }

    /// The whole lines that fit into so many bytes.
    fn fitting(&self, bytes_max: u64) -> &str {
        let rest = self.rest();
        let within = &rest.as_bytes()[..rest.len().min(usize::try_from(bytes_max).unwrap_or(usize::MAX))];
        let end = within.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        &rest[..end]
    }

    /// Forgets what was handed out, at once where that is cheap.
    fn hand_out(&mut self, bytes: usize) {
        self.done += bytes;
        if self.done >= self.text.len() / 2 {
            self.text.drain(..self.done);
            self.done = 0;
        }
    }
}

/// Moves as many whole lines of the record as fit into the caller's memory, in order, each with its line feed. A line that
/// does not fit ends the batch; if it is the first one, nothing is consumed and `bytes_out` says what it needs. No line:
/// OK with 0 bytes. Nothing is recorded without EVENMATCH_ENGINE_RECORD.
///
/// `buffer` takes `capacity` bytes and a NUL if there is room for it; `lines_out` may be NULL. `naming` may be NULL; it
/// counts for the lines that this call is the first to look at, also if they do not fit yet. A ticket that was put back
/// keeps the name of the first one. The command line's replay calls matches m1, m2, .. in the order of events: a host that
/// puts tickets back names its matches so.
///
/// A replay brings about the same events (but an update that the tick was too late for is told as lost in the first run
/// only). A call stands in the record once a tick has taken it in. Calls that were refused are left out; queues are not
/// recorded and are given to the replay at its start. One thread at a time per engine: a second one is refused with BUSY
/// and does not wait. Also once closed. Errors: BUFFER_TOO_SMALL (with `bytes_out`), BUSY, NOT_FOUND, UNKNOWN_ENUM,
/// INVALID_UTF8, NULL_POINTER, STRUCT_SIZE, STRUCT_TAIL, INVALID_ARGUMENT, TOO_LARGE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn evenmatch_record_poll(
    engine: evenmatch_engine,
    naming: *const evenmatch_naming,
    buffer: *mut c_char,
    capacity: u64,
    bytes_out: *mut u64,
    lines_out: *mut u64,
) -> evenmatch_status {
    call(|| {
        table::with(engine, |instance| {
            wire::not_null(bytes_out, "bytes_out")?;
            // SAFETY: by the contract of the header what is pointed to is as long as is said, and stays for the call.
            let naming = unsafe { Naming::new(instance, naming) }?;
            let mut lease = instance.lines.lease()?;
            let waiting = lease.waiting();
            instance.engine.record(&naming, &mut waiting.text);
            let fitting = waiting.fitting(capacity);
            if let ("", Some(line)) = (fitting, waiting.rest().split_inclusive('\n').next()) {
                // SAFETY: looked at above.
                unsafe { wire::put(bytes_out, line.len() as u64) };
                let detail =
                    format!("the first line has {} bytes, which do not fit into {capacity}", line.len());
                return Err(Fault::new(EVENMATCH_BUFFER_TOO_SMALL, detail));
            }
            let (bytes, lines) = (fitting.len(), fitting.matches('\n').count() as u64);
            // SAFETY: by the contract of the header the buffer has `capacity` bytes.
            unsafe { wire::put_text(buffer, capacity, bytes_out, fitting) }?;
            waiting.hand_out(bytes);
            // SAFETY: NULL or valid for a write, by the contract of the header.
            unsafe { wire::put_if(lines_out, lines) };
            Ok(())
        })
    })
}

/// Puts a note of the host's into the record, as a line of its own behind the calls before: a JSON object, which a replay
/// passes over. Without EVENMATCH_ENGINE_RECORD it goes nowhere.
///
/// Any thread. Errors: NOT_FOUND, INVALID_FORMAT (no JSON object), INVALID_TIME, ENGINE_CLOSED, INVALID_UTF8,
/// NULL_POINTER, TOO_LARGE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn evenmatch_record_note(
    engine: evenmatch_engine,
    now_ms: u64,
    json: *const c_char,
    json_bytes: u64,
) -> evenmatch_status {
    call(|| {
        table::with(engine, |instance| {
            // SAFETY: by the contract of the header the text has `json_bytes` bytes.
            let text = unsafe { wire::text(json, json_bytes, "json") }?;
            // Read as the line that it becomes: what is written is one line of strict JSON. The first line feed makes
            // places of errors count from the text's begin, the last one ends a comment.
            let line = format!("{{\"at\":0,\"note\":\n{text}\n}}");
            let action = read_trace_line(0, line.as_bytes()).map_err(|errors| invalid(&errors))?.action;
            let TraceAction::Note { json } = action else {
                return Err(Fault::new(EVENMATCH_INVALID_FORMAT, "a note is one JSON object"));
            };
            Ok(instance.engine.note(Millis(now_ms), &json)?)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the room, the lines come whole and in order, and none is lost.
    #[test]
    fn lines_come_whole_in_any_room() {
        let whole: String = (0..40).map(|line| format!("{}\n", "é".repeat(line % 7))).collect();
        for room in 13..60 {
            let mut waiting = Waiting::default();
            let mut seen = String::new();
            let (first, second) = whole.split_at(whole.match_indices('\n').nth(20).unwrap().0 + 1);
            for part in [first, second] {
                waiting.text.push_str(part);
                for _ in 0..15 {
                    let fitting = waiting.fitting(room).to_owned();
                    assert!(fitting.len() as u64 <= room && (fitting.is_empty() || fitting.ends_with('\n')));
                    waiting.hand_out(fitting.len());
                    seen += &fitting;
                }
            }
            while !waiting.rest().is_empty() {
                let fitting = waiting.fitting(room).to_owned();
                assert!(!fitting.is_empty(), "room {room}");
                waiting.hand_out(fitting.len());
                seen += &fitting;
            }
            assert_eq!(seen, whole, "room {room}");
        }
    }
}
