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
    spare: Spare,
}

impl EventBuffer {
    /// Empties it; its memory stays.
    pub fn clear(&mut self) {
        self.events.clear();
        self.teams.drain(..).for_each(|team| self.spare.give(team.name));
        self.tickets.clear();
        self.players.clear();
        self.regions.drain(..).for_each(|name| self.spare.give(name));
        self.kept.clear();
    }

    /// Adds the name of a region.
    pub(crate) fn push_region(&mut self, name: &Arc<str>) {
        self.regions.push(self.spare.take(name));
    }

    /// Adds a team that nobody is in yet.
    pub(crate) fn push_team(&mut self, name: &Arc<str>) {
        self.teams.push(FlatTeam { name: self.spare.take(name), tickets: 0, players: 0 });
    }
}

/// Names that were told before: they are told again without counting who shares them, which threads would do in turn.
#[derive(Clone, Default)]
struct Spare {
    piles: Vec<(Arc<str>, Vec<Arc<str>>)>,
    /// The pile behind the one that was asked for last: names most often come in the same order.
    next: usize,
}

/// Names of which some are spare. Chosen: the 64 regions of a queue, and teams.
const SPARE_NAMES: usize = 128;

impl Spare {
    /// The pile of that very name.
    fn pile(&mut self, name: &Arc<str>) -> Option<&mut Vec<Arc<str>>> {
        let is_its = |(own, _): &(Arc<str>, Vec<Arc<str>>)| Arc::ptr_eq(own, name);
        let at = match self.piles.get(self.next).is_some_and(is_its) {
            true => self.next,
            false => self.piles.iter().position(is_its)?,
        };
        self.next = if at + 1 == self.piles.len() { 0 } else { at + 1 };
        Some(&mut self.piles[at].1)
    }

    /// One of that very name.
    fn take(&mut self, name: &Arc<str>) -> Arc<str> {
        self.pile(name).and_then(Vec::pop).unwrap_or_else(|| Arc::clone(name))
    }

    fn give(&mut self, name: Arc<str>) {
        match self.pile(&name) {
            Some(spare) => spare.push(name),
            None => {
                if self.piles.len() == SPARE_NAMES {
                    self.piles.clear();
                }
                self.piles.push((name, Vec::new()));
            }
        }
    }
}

impl PartialEq for Spare {
    /// What is spare is nobody's concern.
    fn eq(&self, _: &Spare) -> bool {
        true
    }
}

impl std::fmt::Debug for Spare {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("..")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_again_without_being_counted() {
        let (eu, us, twin): (Arc<str>, Arc<str>, Arc<str>) = ("eu".into(), "us".into(), "eu".into());
        let mut buffer = EventBuffer::default();
        for round in 0..4 {
            [&eu, &us, &eu, &twin, &eu].into_iter().for_each(|name| buffer.push_region(name));
            buffer.push_team(&us);
            let told: Vec<&str> = buffer.regions.iter().map(|name| &**name).collect();
            assert_eq!(told, ["eu", "us", "eu", "eu", "eu"]);
            assert!(Arc::ptr_eq(&buffer.regions[3], &twin) && *buffer.teams[0].name == *"us");
            // The name itself stays, so in the second round one more is counted.
            assert_eq!(Arc::strong_count(&eu), if round == 0 { 4 } else { 5 });
            buffer.clear();
            assert_eq!(buffer, EventBuffer::default());
        }
        for number in 0..1_000 {
            buffer.push_region(&number.to_string().into());
            buffer.clear();
        }
        assert!(buffer.spare.piles.len() <= SPARE_NAMES);
    }
}
