//! Symbol: a name of an engine (attribute, region, value, team, rule) as a small number, resolved once.
//!
//! Called by the host at its start, and for names in events. Invariant: a symbol means the same text as long as its
//! engine lives.
#![allow(unsafe_code, reason = "exports read and write through the caller's pointers")]

use super::engine::evenmatch_engine;
use super::guard::call;
use super::status::evenmatch_status;
use super::table;
use super::wire;
use std::ffi::c_char;

/// A name in one engine: 1 and up, in the order in which names were first seen; 0 is no name. Symbols are small
/// integers, not handles: that of another engine means another name, or none.
pub type evenmatch_symbol = u32;

/// The symbol of a name: an attribute, a region, or a value of a string attribute that stands again and again. It is
/// the same for the same text, and stays as long as the engine. Values that are different for every player (a build
/// id, a token) go into tickets as text instead (EVENMATCH_ATTRIBUTE_TEXT), since symbols are never forgotten.
///
/// Any thread. Errors: NOT_FOUND, TOO_MANY_BYTES (256), TOO_MANY_SYMBOLS, INVALID_UTF8, NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn evenmatch_symbol_resolve(
    engine: evenmatch_engine,
    text: *const c_char,
    text_bytes: u64,
    symbol_out: *mut evenmatch_symbol,
) -> evenmatch_status {
    call(|| {
        table::with(engine, |instance| {
            wire::not_null(symbol_out, "symbol_out")?;
            // SAFETY: by the contract of the header the text has `text_bytes` bytes.
            let text = unsafe { wire::text(text, text_bytes, "text") }?;
            let symbol = instance.names.symbol(text)?;
            // SAFETY: looked at above.
            unsafe { wire::put(symbol_out, symbol) };
            Ok(())
        })
    })
}

/// The text of a symbol, at most 256 bytes of UTF-8. `buffer` takes `capacity` bytes and a NUL if there is room for
/// it; `bytes_out` gets the length without the NUL.
///
/// Any thread. Errors: NOT_FOUND, UNKNOWN_SYMBOL, BUFFER_TOO_SMALL (with `bytes_out`), NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn evenmatch_symbol_read(
    engine: evenmatch_engine,
    symbol: evenmatch_symbol,
    buffer: *mut c_char,
    capacity: u64,
    bytes_out: *mut u64,
) -> evenmatch_status {
    call(|| {
        table::with(engine, |instance| {
            let text = instance.names.text(symbol, "symbol")?;
            // SAFETY: by the contract of the header the buffer has `capacity` bytes.
            unsafe { wire::put_text(buffer, capacity, bytes_out, text) }
        })
    })
}
