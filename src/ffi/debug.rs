//! Debug: entries for tests only, which no shipped library has.
//!
//! Called by the tests of the C ABI, under the feature `capi-test`. Invariant: the shipped header does not name them.
#![allow(unsafe_code, reason = "exports have unmangled names")]

use super::engine::evenmatch_engine;
use super::guard::call;
use super::status::evenmatch_status;
use super::table;
use std::time::Duration;

/// Panics inside the engine. Any thread. Errors: PANIC, NOT_FOUND, POISONED.
#[unsafe(no_mangle)]
pub extern "C" fn evenmatch_debug_panic(engine: evenmatch_engine) -> evenmatch_status {
    call(|| table::with(engine, |_| panic!("asked to panic")))
}

/// Stays inside the engine for so many milliseconds. Any thread. Errors: NOT_FOUND, ENGINE_CLOSED.
#[unsafe(no_mangle)]
pub extern "C" fn evenmatch_debug_stay(engine: evenmatch_engine, span_ms: u32) -> evenmatch_status {
    call(|| {
        table::with(engine, |_| {
            std::thread::sleep(Duration::from_millis(span_ms.into()));
            Ok(())
        })
    })
}
