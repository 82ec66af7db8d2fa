//! L0: what the other layers stand on, knowing nothing of games.

pub mod arena;
pub mod fixed;
pub mod gate;
pub mod segments;
pub mod sync;
