//! L2: what makes a match legal, and what it costs.

pub mod check;
pub mod compile;
pub mod shape;
pub mod spec;
pub mod validate;
pub mod window;
