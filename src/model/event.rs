//! What comes out: matches, and the ends of tickets that found none.

use super::codes::EndReason;
use super::ids::{MatchId, Millis, PlayerId, QueueId, TicketId};
use crate::base::fixed::{Fixed, write_micros};
use std::fmt;
use std::sync::Arc;

/// The one terminal event of every ticket.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// Tickets were matched.
    Match(Box<MatchRecord>),
    /// A ticket ended without a match.
    Ended(EndedRecord),
}

/// A ticket that ended without a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EndedRecord {
    /// When: the call's time for a cancel, else the tick's.
    pub at: Millis,
    /// Which ticket.
    pub ticket: TicketId,
    /// In which queue.
    pub queue: QueueId,
    /// The host's word.
    pub user_data: u64,
    /// Why.
    pub reason: EndReason,
    /// An update of the ticket came too late to have an effect.
    pub update_lost: bool,
}

/// A committed match.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchRecord {
    /// The tick's time.
    pub at: Millis,
    /// The id of the oldest ticket.
    pub id: MatchId,
    /// In which queue.
    pub queue: QueueId,
    /// Where it is played; `None` in a queue without a region rule.
    pub region: Option<Arc<str>>,
    /// All legal regions, best first; the first is `region`.
    pub regions: Vec<Arc<str>>,
    /// The teams that stand, as declared.
    pub teams: Vec<TeamRecord>,
    /// Its tickets in the order of submit numbers.
    pub tickets: Vec<MatchedTicket>,
    /// How good it is.
    pub quality: Quality,
    /// The greatest count of earlier matches that a ticket of it was in.
    pub attempts: u32,
    /// The queue file's `echo`, as JSON text.
    pub echo: Option<Arc<str>>,
    /// Undeclared attributes that the queue keeps: name and JSON text, by player.
    pub kept: Vec<(PlayerId, Vec<(String, String)>)>,
}

/// One team of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TeamRecord {
    /// Its name; `all` in a queue without teams.
    pub name: Arc<str>,
    /// Its tickets in the order of submit numbers.
    pub tickets: Vec<TicketId>,
    /// Its players: those of each ticket as they were submitted.
    pub players: Vec<PlayerId>,
}

/// One ticket of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchedTicket {
    /// Which ticket.
    pub id: TicketId,
    /// The host's word.
    pub user_data: u64,
    /// Index into the match's `teams`.
    pub team: u32,
    /// Its round-trip time in the match's region, in milliseconds.
    pub ping_ms: Option<Fixed>,
    /// How long it waited.
    pub wait: Millis,
    /// Earlier matches that it was in.
    pub attempts: u32,
    /// An update of the ticket came too late to have an effect.
    pub update_lost: bool,
}

/// A number of units of 0.000001 that may exceed the range of [`Fixed`]: a cost, rounded half up for reports.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Micros(pub i128);

impl Micros {
    /// The nearest double.
    pub fn to_f64(self) -> f64 {
        self.0 as f64 / 1e6
    }
}

impl fmt::Display for Micros {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_micros(f, self.0)
    }
}

/// How good a match is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Quality {
    /// The sum of the rules' weighted terms, rounded half up to 0.000001.
    pub cost: Micros,
    /// Greatest minus least merged value of the attribute of the first `difference` rule, else of the first
    /// `team_difference` rule; `None` without such a rule.
    pub skill_spread: Option<Fixed>,
    /// Greatest minus least team average of the attribute of the first `team_difference` rule, else of the
    /// first `difference` rule, rounded half up to 0.000001; `None` without teams or such a rule.
    pub team_difference: Option<Fixed>,
    /// The worst ticket's round-trip time in the match's region.
    pub ping_worst_ms: Option<Fixed>,
    /// The players' mean of their tickets' round-trip times there, rounded half up to 0.000001.
    pub ping_mean_ms: Option<Fixed>,
    /// The wait of the oldest ticket.
    pub oldest_wait: Millis,
    /// Whether no search that led to it was cut off.
    pub exhaustive: bool,
}
