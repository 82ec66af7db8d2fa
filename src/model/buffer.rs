//! Events in flat arrays that are used again: what a host polls that allocates nothing for an event.
//!
//! Filled by the engine's `poll_into`. Invariant: the ranges of an event lie within the arrays beside it; those of
//! events follow one another.

use super::event::{EndedRecord, Quality};
use super::ids::{MatchId, Millis, PlayerId, QueueId, TicketId};
use crate::base::fixed::Fixed;
use std::ops::Range;
use std::sync::Arc;

/// Events and what they carry. Start with the default, and hand the same one to each poll.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct EventBuffer {
    /// The events, in order.
    pub events: Vec<FlatEvent>,
    /// The teams of matches.
    pub teams: Vec<FlatTeam>,
    /// The tickets of matches.
    pub tickets: Vec<FlatTicket>,
    /// The players of matches.
    pub players: Vec<PlayerId>,
    /// The regions of matches.
    pub regions: Vec<Arc<str>>,
    /// Undeclared attributes that queues keep.
    pub kept: Vec<FlatKept>,
}

impl EventBuffer {
    /// Empties it; its memory stays.
    pub fn clear(&mut self) {
        self.events.clear();
        self.teams.clear();
        self.tickets.clear();
        self.players.clear();
        self.regions.clear();
        self.kept.clear();
    }
}

/// The one terminal event of every ticket.
#[derive(Clone, PartialEq, Debug)]
pub enum FlatEvent {
    /// Tickets were matched.
    Match(FlatMatch),
    /// A ticket ended without a match.
    Ended(EndedRecord),
}

/// A committed match.
#[derive(Clone, PartialEq, Debug)]
pub struct FlatMatch {
    /// The tick's time.
    pub at: Millis,
    /// The id of the oldest ticket.
    pub id: MatchId,
    /// In which queue.
    pub queue: QueueId,
    /// How good it is.
    pub quality: Quality,
    /// The greatest count of earlier matches that a ticket of it was in.
    pub attempts: u32,
    /// The queue file's `echo`, as JSON text.
    pub echo: Option<Arc<str>>,
    /// The teams that stand, as declared: in `teams`.
    pub teams: Range<usize>,
    /// Its tickets in the order of submit numbers: in `tickets`.
    pub tickets: Range<usize>,
    /// Its players, ticket by ticket: in `players`.
    pub players: Range<usize>,
    /// All legal regions, best first; it is played in the first: in `regions`.
    pub regions: Range<usize>,
    /// What its players brought that the queue keeps: in `kept`.
    pub kept: Range<usize>,
}

/// One team of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FlatTeam {
    /// Its name; `all` in a queue without teams.
    pub name: Arc<str>,
    /// How many tickets it has.
    pub tickets: u32,
    /// How many players it has.
    pub players: u32,
}

/// One ticket of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FlatTicket {
    /// Which ticket.
    pub id: TicketId,
    /// The host's word.
    pub user_data: u64,
    /// Its team, counted from the first of the match's `teams`.
    pub team: u32,
    /// Its players, as they were submitted: in `players`.
    pub players: Range<usize>,
    /// Its round-trip time in the match's region, in milliseconds.
    pub ping_ms: Option<Fixed>,
    /// How long it waited.
    pub wait: Millis,
    /// Earlier matches that it was in.
    pub attempts: u32,
    /// An update of the ticket came too late to have an effect.
    pub update_lost: bool,
}

/// An attribute that the queue does not declare but keeps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FlatKept {
    /// Whose it is.
    pub player: PlayerId,
    /// Its name.
    pub name: String,
    /// Its value as JSON text.
    pub json: String,
}
