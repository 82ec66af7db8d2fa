//! Judges a queue before it is compiled: [`validate`] says everything that is wrong with it, [`warnings`]
//! what is legal but hardly meant.
//!
//! Called by the readers of queue files, which map each place back to a line and column, and by the engine
//! for queues that a host built by hand. Invariant: a queue without faults has at least one legal match size,
//! every attribute that a rule names exists and fits, every window is bounded, and all products of the
//! queue's sizes stay within the stated maxima, so that `compile` cannot fail on it.
//!
//! | file | what |
//! | --- | --- |
//! | `questions` | the two that are asked: `validate` and `warnings` |
//! | `queue`, `size`, `attribute`, `rule` | the checks, each of its part of the queue |
//! | `window` | windows and how they expand |
//! | `effect`, `totals` | rules that say nothing, or leave nobody |
//! | `contradiction` | totals that leave nobody together |
//! | `shares` | rules whose cost drowns that of others |
//! | `fault` | a finding and its place |

mod attribute;
mod contradiction;
mod effect;
mod fault;
mod questions;
mod queue;
mod rule;
mod shares;
mod size;
#[cfg(test)]
mod tests;
mod totals;
mod window;

use fault::Faults;
pub use fault::{SpecFault, join_place, place_key};
pub use questions::{validate, warnings};
pub use shares::{Largest, largest_costs};
pub use size::{full_size, legal_sizes};
