//! L6: running queues, and what a tick does with them.
//!
//! | file | what |
//! | --- | --- |
//! | `matcher` | all queues, one tick: inputs, expiries, passes, step budget |
//! | `running` | one queue: tickets in and out of shards, the visit of an anchor |
//! | `view` | what searches read of a queue, and the memory that they need |
//! | `turn` | one queue's turn in a pass |
//! | `rounds` | searches ahead of their turn, on several threads |
//! | `parts`, `part`, `components` | regions that share no ticket, searched and committed side by side |
//! | `strips` | tickets of a part in the order of values, where pairs are plain |
//! | `lane` | the memory of a thread that searches |
//! | `standing`, `active` | how a ticket stands in its queue; when it stands in its shard |
//! | `due` | which anchors a pass visits |
//! | `choose`, `cuts`, `mates` | the `least_cost` selection: urgent tickets, cuts of the order, what is left over |
//! | `wake`, `meeting` | when a ticket is next worth a look |
//! | `shards` | the shards of a queue, by the values that their tickets agree in |
//! | `timers`, `deadlines` | what is to happen at a time; when tickets end by themselves |
//! | `regions` | a queue's regions: names, numbers, order |
//! | `explain` | why a ticket waits |
//! | `elsewhere` | commits, which end the players' tickets in other queues |
//! | `outcome` | what a tick brings about, in flat buffers |
//! | `stats` | what became of the tickets, by queue and region, within a window and since the start |
//! | `ring` | counts by slices of time |
//! | `ledger`, `tally` | what the queues tell them |
//! | `lives`, `estimate`, `histogram` | a sample of tickets' times, the waits to expect, counts of waits |

mod active;
mod choose;
mod components;
mod cuts;
mod deadlines;
mod due;
pub mod elsewhere;
mod estimate;
pub mod explain;
mod histogram;
mod lane;
mod ledger;
mod lives;
pub mod matcher;
mod mates;
mod meeting;
pub mod outcome;
mod part;
mod parts;
pub mod regions;
mod ring;
mod rounds;
pub mod running;
mod shards;
mod standing;
pub mod stats;
mod strips;
mod tally;
mod timers;
mod turn;
mod view;
mod wake;
