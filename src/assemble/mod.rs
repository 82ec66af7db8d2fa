//! L4: tickets become matches. Pulls candidates from an index, judges sets of them, and writes nothing.
//!
//! | file | what |
//! | --- | --- |
//! | `anchor` | the best match around a ticket: picks one of the three searches |
//! | `partner`, `duel` | matches of two tickets at most, exact at any size |
//! | `strip` | the same for many anchors at once, where all tickets are plain |
//! | `span` | plain free-for-all, exact at any size |
//! | `stretch`, `stretch_line`, `amounts` | crowded pools: the best stretch of values about the anchor |
//! | `gather`, `bits`, `within`, `costs` | everything else: branch and bound |
//! | `reach`, `sums` | what a set could still come to by region, and what its totals still ask for |
//! | `seats`, `teams`, `split`, `halves` | parties into teams: can they sit, which split is best |
//! | `scene`, `states` | what a search reads: tickets, rules, their windows now |
//! | `quality` | is a set legal, and what does it cost |
//! | `proposal`, `report` | the best match so far; its teams and figures |
//! | `least_cost` | many matches at once, the other selection |
//! | `exhaustive`, `pairs`, `free_for_all`, `together`, `chosen` | the definitions, by enumeration with the judge: the oracles |

mod amounts;
pub mod anchor;
mod bits;
pub mod chosen;
mod costs;
mod duel;
pub mod exhaustive;
pub mod free_for_all;
mod gather;
mod halves;
pub mod least_cost;
pub mod pairs;
mod partner;
mod proposal;
pub mod quality;
mod reach;
pub mod report;
pub mod scene;
mod seats;
mod span;
pub mod split;
pub mod states;
mod stretch;
mod stretch_line;
pub mod strip;
mod sums;
pub mod teams;
pub mod together;
mod within;
