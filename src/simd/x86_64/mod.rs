//! The kernels for 64-bit x86.
//!
//! Only `dispatch` calls them, where the processor has what they need.

pub(super) mod avx2;
pub(super) mod avx512;
