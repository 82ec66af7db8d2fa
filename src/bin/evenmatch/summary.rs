//! What a replay came to, counted while it runs.
//!
//! Fed by `replay` with every accepted ticket, refused line and event; shown by `report`. Invariant:
//! `tickets = matched_tickets + ended + waiting`, where a requeued ticket counts as one more.

use crate::measure::Measure;
use evenmatch::model::codes::{Code, EndReason};
use evenmatch::model::event::MatchRecord;
use std::collections::BTreeMap;
use std::time::Duration;

/// Counts and measures of a whole replay.
#[derive(Default)]
pub(crate) struct Summary {
    /// Tickets that were accepted, by submit or requeue.
    pub(crate) tickets: u64,
    /// Their players.
    pub(crate) players: u64,
    /// Tickets put back by a requeue, which stand in `tickets` too.
    pub(crate) requeued: u64,
    /// Tickets that ended without a match, by reason.
    pub(crate) ended: BTreeMap<EndReason, u64>,
    /// Refused lines, by code.
    pub(crate) refused: BTreeMap<Code, u64>,
    /// All matches together.
    pub(crate) all: Matches,
    /// The matches of each region; empty in queues without a region rule.
    pub(crate) by_region: BTreeMap<String, Matches>,
    /// Searches that ended at their node limit.
    pub(crate) searches_cut_off: u64,
    /// Tickets that timed out and never met one that they could have stood with.
    pub(crate) starved: u64,
    /// Time spent inside calls of the engine.
    pub(crate) engine: Duration,
    /// The engine's time at the end, in milliseconds.
    pub(crate) ended_at_ms: u64,
}

/// Counts and measures of some of the matches.
#[derive(Default)]
pub(crate) struct Matches {
    /// How many matches.
    pub(crate) matches: u64,
    /// Their tickets.
    pub(crate) tickets: u64,
    /// Their players.
    pub(crate) players: u64,
    /// Each ticket's wait in seconds.
    pub(crate) wait_s: Measure,
    /// Each match's spread of skill.
    pub(crate) skill_spread: Measure,
    /// Each match's difference of the teams' averages.
    pub(crate) team_difference: Measure,
    /// Each player's round trip, which is that of the ticket.
    pub(crate) ping_ms: Measure,
}

impl Summary {
    /// Takes an accepted ticket with so many players.
    pub(crate) fn accepted(&mut self, players: usize) {
        self.tickets += 1;
        self.players += players as u64;
    }

    /// Takes a refused line.
    pub(crate) fn refused(&mut self, code: Code) {
        *self.refused.entry(code).or_default() += 1;
    }

    /// Takes a ticket that ended without a match.
    pub(crate) fn ended(&mut self, reason: EndReason) {
        *self.ended.entry(reason).or_default() += 1;
    }

    /// Takes a match. `players_of` gives the count of players of each of its tickets, in the record's order.
    pub(crate) fn matched(&mut self, record: &MatchRecord, players_of: &[usize]) {
        self.all.take(record, players_of);
        if let Some(region) = &record.region {
            self.by_region.entry(region.to_string()).or_default().take(record, players_of);
        }
    }

    /// All tickets that ended without a match.
    pub(crate) fn ended_total(&self) -> u64 {
        self.ended.values().sum()
    }

    /// All refused lines.
    pub(crate) fn refused_total(&self) -> u64 {
        self.refused.values().sum()
    }

    /// Tickets that neither matched nor ended.
    pub(crate) fn waiting(&self) -> u64 {
        self.tickets.saturating_sub(self.all.tickets + self.ended_total())
    }

    /// Tickets for each second spent in the engine; `None` if that was no time at all.
    pub(crate) fn tickets_per_engine_second(&self) -> Option<f64> {
        let seconds = self.engine.as_secs_f64();
        (seconds > 0.0).then(|| self.tickets as f64 / seconds)
    }
}

impl Matches {
    fn take(&mut self, record: &MatchRecord, players_of: &[usize]) {
        self.matches += 1;
        self.tickets += record.tickets.len() as u64;
        for (ticket, &players) in record.tickets.iter().zip(players_of) {
            self.players += players as u64;
            self.wait_s.record(i128::from(ticket.wait.0) * 1000, 1);
            if let Some(ping) = ticket.ping_ms {
                self.ping_ms.record(i128::from(ping.micros()), players as u64);
            }
        }
        if let Some(spread) = record.quality.skill_spread {
            self.skill_spread.record(i128::from(spread.micros()), 1);
        }
        if let Some(difference) = record.quality.team_difference {
            self.team_difference.record(i128::from(difference.micros()), 1);
        }
    }
}
