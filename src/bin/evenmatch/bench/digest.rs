//! A hash of everything that a host would act on, so that a change that claims speed shows its output unchanged.
//!
//! Used by `pass` for every event of a pass, in the order of the polls. Ticket ids are left out: which slot a ticket
//! gets is the engine's affair. Invariant: equal events give equal hashes on every machine (FNV-1a of 64 bits over
//! little-endian words and UTF-8).

use evenmatch::Event;
use evenmatch::model::event::MatchRecord;

/// A running hash.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Digest(pub(super) u64);

impl Digest {
    /// The hash of nothing.
    pub(super) const fn new() -> Digest {
        Digest(0xcbf2_9ce4_8422_2325)
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn word(&mut self, word: u64) {
        self.bytes(&word.to_le_bytes());
    }

    /// Takes one event.
    pub(super) fn event(&mut self, event: &Event) {
        match event {
            Event::Match(record) => self.record(record),
            Event::Ended(ended) => {
                self.word(ended.at.0);
                self.word(ended.user_data);
                self.bytes(ended.reason.to_string().as_bytes());
            }
        }
    }

    fn record(&mut self, record: &MatchRecord) {
        self.word(record.at.0);
        self.bytes(record.region.as_deref().unwrap_or("none").as_bytes());
        self.bytes(&record.quality.cost.0.to_le_bytes());
        self.word(record.quality.oldest_wait.0);
        for team in &record.teams {
            self.bytes(team.name.as_bytes());
            for player in &team.players {
                self.bytes(&player.0.to_le_bytes());
            }
        }
    }
}
