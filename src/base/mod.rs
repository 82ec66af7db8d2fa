//! L0: what the other layers stand on, knowing nothing of games.

pub mod arena;
pub mod board;
pub mod cells;
pub mod crew;
pub mod fault;
pub mod fifo;
pub mod fixed;
pub mod gate;
pub mod ingress;
pub mod late;
pub mod mirror;
pub mod pool;
pub mod published;
pub mod segments;
pub mod shelf;
pub mod symbols;
pub mod sync;
pub mod tagged;
