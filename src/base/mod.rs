//! L0: what the other layers stand on, knowing nothing of games.

pub mod arena;
pub mod board;
pub mod crew;
pub mod fixed;
pub mod segments;
pub mod sync;
