//! Why a match is not legal: the clause, and the two values that disagree.
//!
//! Made by every clause of the judge, read by people in test output and in the engine's panic. It is cheap to
//! make, since the enumeration meets millions of them: text is put together only when it is printed.

use crate::base::fixed::write_micros;
use std::fmt;
use std::sync::Arc;

/// A broken clause, with what was found and what is legal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// Which clause.
    pub clause: Clause,
    /// What is wrong.
    pub fault: Fault,
}

/// The clauses of a legal match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Clause {
    /// A ticket can be read: its values have the types that the queue declares.
    Request,
    /// No player stands twice.
    NoPlayerTwice,
    /// At least `min_tickets` tickets.
    MinTickets,
    /// The match is within its size in players.
    MatchSize,
    /// The count of players is a multiple.
    Multiple,
    /// While the oldest ticket is young, only a full match.
    PreferFull,
    /// Every team is within its size and the right teams stand.
    TeamSizes,
    /// A ticket's own limits.
    OwnLimits,
    /// One region is legal, and the best of those was taken.
    Region,
    /// A rule of the queue, by name.
    Rule(Arc<str>),
    /// A field of a released match.
    Record(&'static str),
}

/// What is wrong with a clause.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A number is greater than the greatest legal one; both in units of 0.000001.
    Above {
        /// What the number is.
        what: &'static str,
        /// The number.
        found: i128,
        /// The greatest legal one.
        most: i128,
    },
    /// A number is less than the least legal one; both in units of 0.000001.
    Below {
        /// What the number is.
        what: &'static str,
        /// The number.
        found: i128,
        /// The least legal one.
        least: i128,
    },
    /// Two things that must be equal are not.
    Differ {
        /// What they are.
        what: &'static str,
        /// What was found.
        found: String,
        /// What is right.
        right: String,
    },
    /// A value that is needed is not there.
    Absent {
        /// What it is.
        what: &'static str,
    },
}

impl Violation {
    pub(super) fn above(clause: Clause, what: &'static str, found: i128, most: i128) -> Violation {
        Violation { clause, fault: Fault::Above { what, found, most } }
    }

    pub(super) fn below(clause: Clause, what: &'static str, found: i128, least: i128) -> Violation {
        Violation { clause, fault: Fault::Below { what, found, least } }
    }

    pub(super) fn absent(clause: Clause, what: &'static str) -> Violation {
        Violation { clause, fault: Fault::Absent { what } }
    }

    pub(super) fn differ(
        clause: Clause,
        what: &'static str,
        found: impl fmt::Display,
        right: impl fmt::Display,
    ) -> Violation {
        let fault = Fault::Differ { what, found: found.to_string(), right: right.to_string() };
        Violation { clause, fault }
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Clause::Request => f.write_str("ticket"),
            Clause::NoPlayerTwice => f.write_str("no player twice"),
            Clause::MinTickets => f.write_str("min_tickets"),
            Clause::MatchSize => f.write_str("match size"),
            Clause::Multiple => f.write_str("multiple"),
            Clause::PreferFull => f.write_str("prefer_full_for_s"),
            Clause::TeamSizes => f.write_str("team sizes"),
            Clause::OwnLimits => f.write_str("limits of a ticket"),
            Clause::Region => f.write_str("region"),
            Clause::Rule(name) => write!(f, "rule {name}"),
            Clause::Record(field) => write!(f, "match record, {field}"),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Above { what, found, most } => {
                write!(f, "{what} is ")?;
                write_micros(f, *found)?;
                f.write_str(", the most is ")?;
                write_micros(f, *most)
            }
            Fault::Below { what, found, least } => {
                write!(f, "{what} is ")?;
                write_micros(f, *found)?;
                f.write_str(", the least is ")?;
                write_micros(f, *least)
            }
            Fault::Differ { what, found, right } => write!(f, "{what} is {found}, right is {right}"),
            Fault::Absent { what } => write!(f, "there is no {what}"),
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.clause, self.fault)
    }
}

impl std::error::Error for Violation {}
