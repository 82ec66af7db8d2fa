//! L6: running queues, and what a tick does with them.
//!
//! | file | what |
//! | --- | --- |
//! | `matcher` | all queues, one tick: inputs, expiries, passes, step budget |
//! | `running` | one queue: tickets in and out of shards, the visit of an anchor |
//! | `view` | what searches read of a queue, and the memory that they need |
//! | `turn` | one queue's turn in a pass |
//! | `rounds` | searches ahead of their turn, on several threads |
//! | `wake` | which anchors are due, and when a ticket is next worth a look |
//! | `shards` | the shards of a queue, by the values that their tickets agree in |
//! | `timers` | deadlines and activations |
//! | `regions` | a queue's regions: names, numbers, order |
//! | `outcome` | what a tick brings about, in flat buffers |

pub mod matcher;
pub mod outcome;
pub mod regions;
mod rounds;
pub mod running;
mod shards;
mod timers;
mod turn;
mod view;
mod wake;
