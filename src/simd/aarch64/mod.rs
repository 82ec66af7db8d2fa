//! The kernels for 64-bit ARM.
//!
//! Only `dispatch` calls them, where the processor has what they need.

pub(super) mod neon;
