//! Versions: which library this is, and whether a header belongs to it.
//!
//! Called before anything else. Invariant: the number goes up with every change that an old header cannot bear.
#![allow(unsafe_code, reason = "exports have unmangled names")]

use super::guard::{Fault, call};
use super::status::{EVENMATCH_ABI_MISMATCH, evenmatch_status};
use std::ffi::{CStr, c_char};

/// The version of the binary interface. It goes up when a function or a field changes its meaning or goes away; what
/// is only added leaves it as it is.
pub const EVENMATCH_ABI_VERSION: u32 = 1;

/// Stands for "never" and for "none" in fields of times.
pub const EVENMATCH_NEVER: u64 = 0xFFFF_FFFF_FFFF_FFFF;

/// The version of the binary interface that this library has. Call evenmatch_abi_check, which compares it with that
/// of the header.
///
/// Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn evenmatch_abi_version() -> u32 {
    EVENMATCH_ABI_VERSION
}

/// Whether this library bears a caller that was compiled with `abi_version`.
///
/// Any thread. Errors: ABI_MISMATCH.
#[unsafe(no_mangle)]
pub extern "C" fn evenmatch_abi_accepts(abi_version: u32) -> evenmatch_status {
    call(|| {
        if abi_version == EVENMATCH_ABI_VERSION {
            return Ok(());
        }
        let detail = format!("the caller has version {abi_version}, this library {EVENMATCH_ABI_VERSION}");
        Err(Fault::new(EVENMATCH_ABI_MISMATCH, detail))
    })
}

/// The version of the library ("0.1.0"), terminated by a NUL. Static, not to be freed, gone with the library.
///
/// Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn evenmatch_version_text() -> *const c_char {
    terminated(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes())
}

/// How the library was built, for bug reports: "evenmatch 0.1.0, abi 1, kdtree, 64 bit, release", terminated by a
/// NUL. Static, not to be freed, gone with the library.
///
/// Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn evenmatch_build_text() -> *const c_char {
    macro_rules! build {
        ($kdtree:literal, $width:literal, $profile:literal) => {
            concat!("evenmatch ", env!("CARGO_PKG_VERSION"), ", abi 1, ", $kdtree, $width, $profile, "\0")
        };
    }
    const { assert!(EVENMATCH_ABI_VERSION == 1) };
    let has_kdtree = cfg!(feature = "kdtree");
    let is_wide = cfg!(target_pointer_width = "64");
    let text = match (has_kdtree, is_wide, cfg!(debug_assertions)) {
        (true, true, false) => build!("kdtree, ", "64 bit, ", "release"),
        (true, true, true) => build!("kdtree, ", "64 bit, ", "debug"),
        (true, false, false) => build!("kdtree, ", "32 bit, ", "release"),
        (true, false, true) => build!("kdtree, ", "32 bit, ", "debug"),
        (false, true, false) => build!("no kdtree, ", "64 bit, ", "release"),
        (false, true, true) => build!("no kdtree, ", "64 bit, ", "debug"),
        (false, false, false) => build!("no kdtree, ", "32 bit, ", "release"),
        (false, false, true) => build!("no kdtree, ", "32 bit, ", "debug"),
    };
    terminated(text.as_bytes())
}

/// A static text with a NUL at its end.
fn terminated(bytes: &'static [u8]) -> *const c_char {
    CStr::from_bytes_with_nul(bytes).unwrap_or(c"").as_ptr()
}
