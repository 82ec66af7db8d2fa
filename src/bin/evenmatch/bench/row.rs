//! A row of the report: several passes of one plan, and the figures that are told of them.
//!
//! Made here, shown by `view` and `json`, held against a recorded run by `recorded` and against the bars by `bars`.
//! Invariant: all passes of a row come to the same output, or the row is refused: a harness that measures an engine
//! whose answer changes measures nothing. Times are those of the pass that took least.

use super::pass::{self, CALLS, Pass, Settings};
use super::plan::Plan;
use super::schedule::{RATES, Scheduled, schedule};
use crate::failure::Failure;

/// The share of what the engine could take that is sent, unless another rate is asked for.
const LOAD: f64 = 0.5;

/// One measured plan.
pub(super) struct Row {
    pub(super) plan: Plan,
    /// The quickest pass.
    pub(super) pass: Pass,
    /// The pass that was counted, if one was.
    pub(super) counted: Option<Pass>,
    /// Tickets a second that the schedule sends, and what it came to; none without a flow.
    pub(super) offered: Option<(f64, Scheduled)>,
}

/// Runs a plan: one pass that is counted, and `repeat` that are timed. `rate`: tickets a second to send.
pub(super) fn measure(
    plan: Plan,
    settings: Settings,
    repeat: u32,
    rate: Option<f64>,
    with_counts: bool,
) -> Result<Row, Failure> {
    let counted =
        if with_counts { Some(pass::run(&plan, Settings { counts: true, ..settings })?) } else { None };
    let mut best = pass::run(&plan, settings)?;
    let mut digests: Vec<u64> = counted.iter().chain([&best]).filter_map(|pass| pass.digest).collect();
    for _ in 1..repeat {
        let next = pass::run(&plan, settings)?;
        digests.extend(next.digest);
        let is_better = (next.rounds, best.total_ns()) > (best.rounds, next.total_ns());
        if is_better {
            best = next;
        }
    }
    digests.dedup();
    if digests.len() > 1 {
        let fault = "equal passes came to different matches; that is a fault of the engine, please report it";
        return Err(Failure::system(&plan.name, &std::io::Error::other(fault)));
    }
    let offered = (plan.per_tick > 0 && best.total_ns() > 0).then(|| {
        let own = LOAD * best.tickets as f64 * 1e9 / best.total_ns() as f64;
        let rate = rate.unwrap_or(own).clamp(*RATES.start(), *RATES.end());
        (rate, schedule(&best.service_ns, &best.decided, plan.per_tick, rate))
    });
    Ok(Row { plan, pass: best, counted, offered })
}

/// Which way a figure is better.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Better {
    More,
    Less,
}

/// A figure of a row: its key in JSON, which way it is better, and how it is had.
pub(super) type Figure = (&'static str, Better, fn(&Row) -> Option<f64>);

/// All figures, in the order in which they are written.
pub(super) const FIGURES: &[Figure] = &[
    ("tickets_per_s", Better::More, Row::tickets_per_s),
    ("tickets_per_s_of_ticks", Better::More, |row| row.rate(row.pass.ns[2])),
    ("ns_per_ticket", Better::Less, |row| row.per_ticket(row.pass.total_ns())),
    ("submit_ns_per_ticket", Better::Less, |row| row.per_ticket(row.pass.ns[0])),
    ("cancel_ns_per_ticket", Better::Less, |row| row.per_ticket(row.pass.ns[1])),
    ("tick_ns_per_ticket", Better::Less, |row| row.per_ticket(row.pass.ns[2])),
    ("poll_ns_per_ticket", Better::Less, |row| row.per_ticket(row.pass.ns[3])),
    ("tick_us_p50", Better::Less, |row| row.pass.tick_us.percentile(50.0)),
    ("tick_us_p99", Better::Less, |row| row.pass.tick_us.percentile(99.0)),
    ("tick_us_p999", Better::Less, |row| row.pass.tick_us.percentile(99.9)),
    ("tick_us_max", Better::Less, |row| row.pass.tick_us.max()),
    ("round_us_p50", Better::Less, |row| row.pass.round_us.percentile(50.0)),
    ("round_us_p99", Better::Less, |row| row.pass.round_us.percentile(99.0)),
    ("round_us_p999", Better::Less, |row| row.pass.round_us.percentile(99.9)),
    ("decision_us_p50", Better::Less, |row| row.decision_us(50.0)),
    ("decision_us_p99", Better::Less, |row| row.decision_us(99.0)),
    ("decision_us_p999", Better::Less, |row| row.decision_us(99.9)),
    ("bytes_per_waiting_ticket", Better::Less, Row::bytes_per_waiting),
    ("allocations_per_ticket", Better::Less, Row::allocations_per_ticket),
    ("allocations_per_ticket_from_empty", Better::Less, Row::allocations_from_empty),
    ("matched_share", Better::More, Row::matched_share),
    ("skill_gap_mean", Better::Less, |row| row.pass.gap),
];

impl Row {
    /// Tickets that came, for each second in calls of the engine.
    pub(super) fn tickets_per_s(&self) -> Option<f64> {
        self.rate(self.pass.total_ns())
    }

    fn rate(&self, ns: u64) -> Option<f64> {
        (self.pass.tickets > 0 && ns > 0).then(|| self.pass.tickets as f64 * 1e9 / ns as f64)
    }

    /// Of so many nanoseconds, those for each ticket that came.
    pub(super) fn per_ticket(&self, ns: u64) -> Option<f64> {
        (self.pass.tickets > 0).then(|| ns as f64 / self.pass.tickets as f64)
    }

    fn decision_us(&self, percent: f64) -> Option<f64> {
        self.offered.as_ref().and_then(|(_, scheduled)| scheduled.decision_us.percentile(percent))
    }

    /// Bytes of the whole engine for each ticket that waits, with all standing tickets taken in.
    pub(super) fn bytes_per_waiting(&self) -> Option<f64> {
        let bytes = self.counted.as_ref()?.standing_bytes?;
        (self.plan.standing.1 > 0).then(|| bytes as f64 / self.plan.standing.1 as f64)
    }

    /// Allocations for each ticket of the measured rounds, with what earlier rounds have reserved.
    pub(super) fn allocations_per_ticket(&self) -> Option<f64> {
        let counted = self.counted.as_ref()?;
        let calls: u64 = counted.allocations.iter().sum();
        (counted.tickets > 0).then(|| calls as f64 / counted.tickets as f64)
    }

    /// The same over all rounds, the growth of an engine that is empty at first included.
    fn allocations_from_empty(&self) -> Option<f64> {
        let counted = self.counted.as_ref()?;
        let tickets = counted.tickets + counted.warm_tickets;
        let calls = counted.warm_allocations + counted.allocations.iter().sum::<u64>();
        (tickets > 0).then(|| calls as f64 / tickets as f64)
    }

    /// Allocations for each ticket in each group of calls.
    pub(super) fn allocations_by_call(&self) -> Option<[f64; CALLS.len()]> {
        let counted = self.counted.as_ref().filter(|counted| counted.tickets > 0)?;
        Some(counted.allocations.map(|calls| calls as f64 / counted.tickets as f64))
    }

    /// Of the tickets that came in the measured rounds and were not cancelled, the share that these rounds matched.
    pub(super) fn matched_share(&self) -> Option<f64> {
        let stayed = self.pass.tickets - self.pass.cancelled;
        (stayed > 0).then(|| self.pass.matched_of_sent() as f64 / stayed as f64)
    }

    /// Of the time that laps took by the clock, the share in which the system ran something else.
    pub(super) fn elsewhere_share(&self) -> f64 {
        let elsewhere = self.pass.elsewhere_ns as f64;
        elsewhere / (elsewhere + self.pass.total_ns() as f64).max(1.0)
    }
}
