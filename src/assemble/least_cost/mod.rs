//! Many matches at once: as many players as possible, then the least total cost. The `least_cost` selection.
//!
//! Called by the queue with the waiting tickets of one shard, cut by cut. Reads, and writes nothing but its own memory.
//!
//! | file | what |
//! | --- | --- |
//! | `order` | tickets in the order of skill, by records of 8 bytes |
//! | `chooser` | one cut of that order: picks the search that the queue's shape allows |
//! | `plain` | which rules two single players' match comes down to |
//! | `spots` | the tickets of a cut, side by side, and what two of them cost |
//! | `ages` | windows by age |
//! | `lanes` | the tickets of a cut in lanes of 32 bits, where all are plain |
//! | `line` | what a sweep asks of either |
//! | `judged` | any set of tickets, judged by all rules |
//! | `chain` | pairs where one difference decides: exact |
//! | `sweep` | pairs, in one way or in the best of several ways through the order |
//! | `repair`, `mend` | pairs that change partners; where all are plain |
//! | `few` | a few tickets: exact |
//! | `groups`, `blocks` | matches of more than two: windows of the order |
//! | `exchange`, `shake` | groups that exchange tickets, where it pays at once and where it may later |
//! | `chosen` | the matches that were chosen |
//! | `measure` | the figures of two single players' match |
//! | `mate` | the cheapest partner of one ticket, older or younger |

mod ages;
mod blocks;
mod chain;
pub mod chooser;
pub mod chosen;
mod exchange;
mod few;
mod groups;
mod judged;
pub(super) mod lanes;
mod line;
pub mod mate;
pub(super) mod measure;
mod mend;
pub mod order;
pub(super) mod plain;
mod repair;
mod shake;
mod spots;
mod sweep;
