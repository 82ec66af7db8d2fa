//! A hash of everything that a host would act on, so that a change that claims speed shows its output unchanged.
//!
//! Used by `pass` for every event of a pass, in the order of the polls. Ticket ids are left out: which slot a ticket
//! gets is the engine's affair. Invariant: equal events give equal hashes on every machine, through either door (FNV-1a of
//! 64 bits over little-endian words and UTF-8).

use super::door::Fetched;
use evenmatch::base::fixed::Fixed;
use evenmatch::model::event::{EndedRecord, MatchRecord};
use evenmatch::{Event, EventBuffer, FlatEvent, FlatMatch, Quality};

/// A running hash.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Digest(pub(super) u64);

impl Digest {
    /// The hash of nothing.
    pub(super) const fn new() -> Digest {
        Digest(0xcbf2_9ce4_8422_2325)
    }

    /// Takes events, and shows each match: its spread of skill, and the words of its tickets.
    pub(super) fn take(
        &mut self,
        fetched: &Fetched,
        mut show: impl FnMut(Option<Fixed>, &mut dyn Iterator<Item = u64>),
    ) {
        match fetched {
            Fetched::Plain(buffer) => {
                for event in &buffer.events {
                    match event {
                        FlatEvent::Match(found) => {
                            self.flat(found, buffer);
                            let tickets = &buffer.tickets[found.tickets.clone()];
                            let mut words = tickets.iter().map(|ticket| ticket.user_data);
                            show(found.quality.skill_spread, &mut words);
                        }
                        FlatEvent::Ended(ended) => self.ended(ended),
                    }
                }
            }
            Fetched::Records(events) => {
                for event in events {
                    match event {
                        Event::Match(record) => {
                            self.record(record);
                            let mut words = record.tickets.iter().map(|ticket| ticket.user_data);
                            show(record.quality.skill_spread, &mut words);
                        }
                        Event::Ended(ended) => self.ended(ended),
                    }
                }
            }
        }
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn word(&mut self, word: u64) {
        self.bytes(&word.to_le_bytes());
    }

    fn ended(&mut self, ended: &EndedRecord) {
        self.word(ended.at.0);
        self.word(ended.user_data);
        self.bytes(ended.reason.to_string().as_bytes());
    }

    fn head(&mut self, at_ms: u64, region: Option<&str>, quality: &Quality) {
        self.word(at_ms);
        self.bytes(region.unwrap_or("none").as_bytes());
        self.bytes(&quality.cost.0.to_le_bytes());
        self.word(quality.oldest_wait.0);
    }

    fn record(&mut self, record: &MatchRecord) {
        self.head(record.at.0, record.region.as_deref(), &record.quality);
        for team in &record.teams {
            self.bytes(team.name.as_bytes());
            for player in &team.players {
                self.bytes(&player.0.to_le_bytes());
            }
        }
    }

    fn flat(&mut self, found: &FlatMatch, buffer: &EventBuffer) {
        let region = buffer.regions[found.regions.clone()].first();
        self.head(found.at.0, region.map(|region| &**region), &found.quality);
        for (place, team) in buffer.teams[found.teams.clone()].iter().enumerate() {
            self.bytes(team.name.as_bytes());
            let tickets = buffer.tickets[found.tickets.clone()].iter();
            for ticket in tickets.filter(|ticket| ticket.team as usize == place) {
                for player in &buffer.players[ticket.players.clone()] {
                    self.bytes(&player.0.to_le_bytes());
                }
            }
        }
    }
}
