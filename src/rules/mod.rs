//! L2: what makes a match legal, and what it costs.

pub mod spec;
pub mod validate;
