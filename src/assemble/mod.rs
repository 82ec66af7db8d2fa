//! L4: tickets become matches.
//!
//! - [`chosen`]: a match that was chosen, and how two of them compare
//! - [`exhaustive`]: the definition of `oldest_first`, by enumeration
//! - [`pairs`]: the same for queues of two players, at any size
//! - [`free_for_all`]: the same for single players under one difference rule, at any size

pub mod chosen;
pub mod exhaustive;
pub mod free_for_all;
pub mod pairs;
