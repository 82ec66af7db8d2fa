//! L6: running queues, and what a tick does with them.
//!
//! | file | what |
//! | --- | --- |
//! | `matcher` | all queues, one tick: inputs, expiries, passes, step budget |
//! | `running` | one queue: tickets in and out of shards, the visit of an anchor |
//! | `wake` | which anchors are due, and when a ticket is next worth a look |
//! | `timers` | deadlines and activations |
//! | `regions` | a queue's regions: names, numbers, order |
//! | `outcome` | what a tick brings about, in flat buffers |

pub mod matcher;
pub mod outcome;
pub mod regions;
pub mod running;
mod timers;
mod wake;
