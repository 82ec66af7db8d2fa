//! L0: what the other layers stand on, knowing nothing of games.

pub mod arena;
pub mod fault;
pub mod fixed;
pub mod ingress;
pub mod segments;
pub mod sync;
