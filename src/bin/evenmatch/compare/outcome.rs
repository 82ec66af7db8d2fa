//! What became of each group of tickets in one replay.
//!
//! Filled by `replay` through [`Watch`]. Invariant: in every group
//! `tickets = refused + matched + timed out + ended otherwise + waiting`.

use super::cohorts::Cohort;
use crate::measure::Measure;
use crate::page::observed::Observed;
use crate::watch::Watch;
use evenmatch::model::codes::EndReason;
use evenmatch::model::event::Event;

/// Counts and measures of one group.
#[derive(Default)]
pub(super) struct Tally {
    tickets: u64,
    accepted: u64,
    matched: u64,
    timed_out: u64,
    ended_otherwise: u64,
    /// Each matched ticket's wait in seconds.
    wait_s: Measure,
    /// For each matched ticket the spread of its match.
    skill_spread: Measure,
    /// For each matched ticket the difference between the teams of its match.
    team_difference: Measure,
    /// Each matched player's round trip.
    ping_ms: Measure,
}

/// One replay, group by group.
pub(super) struct Outcome<'a> {
    tallies: Vec<Tally>,
    /// The groups of each ticket, by its number in the trace.
    groups: &'a [Vec<usize>],
    /// The ticket's number in the trace by its number in this replay.
    order: &'a [usize],
    /// What the page draws, if there is to be one.
    observed: Option<Observed>,
}

/// The groups of each ticket.
pub(super) fn groups(cohorts: &[Cohort], tickets: usize) -> Vec<Vec<usize>> {
    let mut groups = vec![Vec::new(); tickets];
    for (place, cohort) in cohorts.iter().enumerate() {
        cohort.tickets.iter().for_each(|&ticket| groups[ticket].push(place));
    }
    groups
}

impl<'a> Outcome<'a> {
    /// Nothing has happened yet.
    pub(super) fn new(
        cohorts: &[Cohort],
        groups: &'a [Vec<usize>],
        order: &'a [usize],
        observed: Option<Observed>,
    ) -> Outcome<'a> {
        let tally = |cohort: &Cohort| Tally { tickets: cohort.tickets.len() as u64, ..Tally::default() };
        Outcome { tallies: cohorts.iter().map(tally).collect(), groups, order, observed }
    }

    /// The numbers of every group, and what the page draws.
    pub(super) fn finish(self) -> (Vec<Values>, Option<Observed>) {
        (self.tallies.iter().map(Tally::values).collect(), self.observed)
    }

    fn each(&mut self, ticket: u64, mut change: impl FnMut(&mut Tally)) {
        let groups = self.order.get(ticket as usize).and_then(|&own| self.groups.get(own));
        for &group in groups.into_iter().flatten() {
            change(&mut self.tallies[group]);
        }
    }
}

impl Watch for Outcome<'_> {
    fn accepted(&mut self, ticket: u64) {
        self.each(ticket, |tally| tally.accepted += 1);
        if let Some(observed) = &mut self.observed {
            observed.accepted(ticket);
        }
    }

    fn event(&mut self, event: &Event, players_of: &[usize]) {
        match event {
            Event::Ended(ended) => self.each(ended.user_data, |tally| match ended.reason {
                EndReason::TimedOut => tally.timed_out += 1,
                _ => tally.ended_otherwise += 1,
            }),
            Event::Match(found) => {
                for (ticket, &players) in found.tickets.iter().zip(players_of) {
                    self.each(ticket.user_data, |tally| {
                        tally.matched += 1;
                        tally.wait_s.record(i128::from(ticket.wait.0) * 1000, 1);
                        if let Some(spread) = found.quality.skill_spread {
                            tally.skill_spread.record(i128::from(spread.micros()), 1);
                        }
                        if let Some(difference) = found.quality.team_difference {
                            tally.team_difference.record(i128::from(difference.micros()), 1);
                        }
                        if let Some(ping) = ticket.ping_ms {
                            tally.ping_ms.record(i128::from(ping.micros()), players as u64);
                        }
                    });
                }
            }
        }
        if let Some(observed) = &mut self.observed {
            observed.event(event, players_of);
        }
    }
}

/// What is compared: the object and the key in JSON, and the column's title.
pub(super) struct Metric {
    /// The object that it stands in; empty: directly in the group.
    pub(super) object: &'static str,
    /// Its key there.
    pub(super) key: &'static str,
    /// The column's title.
    pub(super) title: &'static str,
}

const fn metric(object: &'static str, key: &'static str, title: &'static str) -> Metric {
    Metric { object, key, title }
}

/// How many metrics there are, and how many of them say who gets a match and when; the others say which match.
pub(super) const METRICS: usize = 14;
pub(super) const METRICS_OF_TIME: usize = 8;

/// The metrics, in the order of [`Values`].
pub(super) const METRIC_LIST: [Metric; METRICS] = [
    metric("", "matched_percent", "matched\n%"),
    metric("", "timed_out", "timed\nout"),
    metric("", "ended_otherwise", "ended\notherwise"),
    metric("", "waiting", "still\nwaiting"),
    metric("", "refused", "\nrefused"),
    metric("wait_s", "p50", "wait s\np50"),
    metric("wait_s", "p90", "wait s\np90"),
    metric("wait_s", "p99", "wait s\np99"),
    metric("skill_spread", "p50", "skill spread\np50"),
    metric("skill_spread", "p90", "skill spread\np90"),
    metric("team_difference", "p50", "team diff.\np50"),
    metric("team_difference", "p90", "team diff.\np90"),
    metric("ping_ms", "p50", "ping ms\np50"),
    metric("ping_ms", "p90", "ping ms\np90"),
];

/// One group's metrics; `None`: a percentile of nothing.
pub(super) type Values = [Option<f64>; METRICS];

impl Tally {
    fn values(&self) -> Values {
        let count = |count: u64| Some(count as f64);
        let waiting = self.accepted.saturating_sub(self.matched + self.timed_out + self.ended_otherwise);
        let share = 100.0 * self.matched as f64 / self.tickets as f64;
        [
            (self.tickets > 0).then_some(share),
            count(self.timed_out),
            count(self.ended_otherwise),
            count(waiting),
            count(self.tickets.saturating_sub(self.accepted)),
            self.wait_s.percentile(50.0),
            self.wait_s.percentile(90.0),
            self.wait_s.percentile(99.0),
            self.skill_spread.percentile(50.0),
            self.skill_spread.percentile(90.0),
            self.team_difference.percentile(50.0),
            self.team_difference.percentile(90.0),
            self.ping_ms.percentile(50.0),
            self.ping_ms.percentile(90.0),
        ]
    }
}
