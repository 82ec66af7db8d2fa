//! L0: what the other layers stand on, knowing nothing of games.
//!
//! | file | what |
//! | --- | --- |
//! | `sync` | the door to atomics and threads |
//! | `fixed`, `symbols` | fixed-point numbers; texts as small numbers |
//! | `arena`, `cells`, `segments`, `pool` | memory in bulk, in short runs, in segments; items that are used again |
//! | `shelf`, `published`, `late`, `mirror` | what many threads read while one takes away, replaces, fills or changes it |
//! | `ingress`, `fifo` | what many threads push, taken whole or one by one |
//! | `gate` | callers inside, and who waits until they have left |
//! | `room` | how much room buffers keep |
//! | `board`, `crew` | tasks for several threads, and the engine's own threads |
//! | `tagged` | an index with a count of changes, in one word |
//! | `fault` | known mistakes, for the loom models |

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
pub mod room;
pub mod segments;
pub mod shelf;
pub mod symbols;
pub mod sync;
pub mod tagged;
