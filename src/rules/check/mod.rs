//! The independent judge: is this match legal under the raw queue, what does it cost, how good is it.
//!
//! Called by tests on every match, by the engine (as an option) before a match is released, and by the
//! enumeration that defines which match is made. Invariant: nothing here is shared with the compiled path; the
//! judge reads only the queue as it was written and the tickets as they were submitted, so a mistake would have
//! to be made twice to go unseen. Slow and obvious is right here: one function per clause, named after it.
//!
//! - `judge`: the door ([`Judge`]) and the order of the clauses
//! - `facts`: what one ticket brings to each rule at its age
//! - `expansion`: what one rule asks for at an age
//! - `shape`: teams and sizes
//! - `set_rules`: the clauses that a set of tickets decides, whatever its teams
//! - `team_rules`: the clauses that the teams decide
//! - `regions`: where a set of tickets can play
//! - `quality`: costs and figures
//! - `record`: a released match, field by field
//! - `violation`: why a match is not legal

mod expansion;
mod facts;
mod judge;
mod quality;
mod record;
mod regions;
mod set_rules;
mod shape;
mod team_rules;
#[cfg(test)]
mod tests;
mod violation;

pub use facts::{Facts, Key};
pub use judge::{Judge, JudgedTicket, Lineup, SetVerdict, SplitVerdict, Verdict};
pub use quality::Ratio;
pub use regions::RegionFigures;
pub use violation::{Clause, Fault, Violation};
