//! L0: what the other layers stand on, knowing nothing of games.

pub mod fixed;
