//! A word to the processor of what will be read soon.
//!
//! Called by `base` and `claim` for items whose turn comes shortly. Invariant: nothing but time depends on it.
//!
//! A load would do as much, but waits in the queue of instructions until its line is there, so that only few of such loads
//! are under way at once; a prefetch leaves that queue at once.
#![allow(unsafe_code)] // The instruction takes a pointer.

/// Has the memory of an item fetched, its first and its last line, for a read or a write soon.
#[inline(always)]
pub(crate) fn prefetch<T>(item: &T) {
    let first: *const T = item;
    line(first.cast());
    if size_of::<T>() > 64 {
        line(first.cast::<u8>().wrapping_add(size_of::<T>() - 1));
    }
}

/// Has the line of an address fetched.
#[inline(always)]
fn line(at: *const u8) {
    // SAFETY: a prefetch reads nothing that the program sees and is legal for any address.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::_MM_HINT_T0 }>(at.cast());
    }
    // SAFETY: as above.
    #[cfg(target_arch = "aarch64")]
    unsafe {
        core::arch::asm!("prfm pldl1keep, [{0}]", in(reg) at, options(nostack, preserves_flags, readonly));
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = at;
}
