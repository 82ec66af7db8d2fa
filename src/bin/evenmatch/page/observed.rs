//! What a page draws of a replay: waits, spreads and pings, and the matches of each minute.
//!
//! Filled by `replay` through [`Watch`], drawn by `charts`. Invariant: a function of the events alone, in their
//! order. Memory: 16 bytes for each match and for each matched ticket.

use crate::measure::Measure;
use crate::watch::Watch;
use evenmatch::model::event::Event;
use std::collections::BTreeMap;

/// One replay as a page shows it.
pub(crate) struct Observed {
    /// What the replay is called in legends.
    pub(crate) label: String,
    /// Tickets that were accepted.
    pub(crate) accepted: u64,
    /// Each matched ticket's wait in seconds.
    pub(crate) wait_s: Measure,
    /// Of each match the longest wait and the spread of skill.
    pub(crate) spread_by_wait: Vec<Point>,
    /// Of each matched ticket the wait and the ping.
    pub(crate) ping_by_wait: Vec<Point>,
    /// How many matches were made in each minute.
    pub(crate) matches_by_minute: BTreeMap<u64, u64>,
}

/// Something that was seen after a wait.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Point {
    /// The wait in seconds.
    pub(crate) wait_s: f64,
    /// What was seen.
    pub(crate) value: f64,
}

impl Observed {
    /// Nothing seen yet.
    pub(crate) fn new(label: &str) -> Observed {
        Observed {
            label: label.to_owned(),
            accepted: 0,
            wait_s: Measure::default(),
            spread_by_wait: Vec::new(),
            ping_by_wait: Vec::new(),
            matches_by_minute: BTreeMap::new(),
        }
    }
}

impl Watch for Observed {
    fn accepted(&mut self, _ticket: u64) {
        self.accepted += 1;
    }

    fn event(&mut self, event: &Event, _players_of: &[usize]) {
        let Event::Match(record) = event else { return };
        let seconds = |ms: u64| ms as f64 / 1000.0;
        *self.matches_by_minute.entry(record.at.0 / 60_000).or_default() += 1;
        if let Some(spread) = record.quality.skill_spread {
            let wait_s = seconds(record.quality.oldest_wait.0);
            self.spread_by_wait.push(Point { wait_s, value: spread.to_f64() });
        }
        for ticket in &record.tickets {
            self.wait_s.record(i128::from(ticket.wait.0) * 1000, 1);
            if let Some(ping) = ticket.ping_ms {
                self.ping_by_wait.push(Point { wait_s: seconds(ticket.wait.0), value: ping.to_f64() });
            }
        }
    }
}
