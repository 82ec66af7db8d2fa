//! The open loop: when each ticket was decided, had the tickets been sent on schedule.
//!
//! Used by `row` on the rounds of a pass. Tickets of round k are sent at k times the period, whether or not the round
//! before has ended; a round begins when its tickets have been sent and the round before has ended. So a slow tick shows
//! as waiting of all that were sent meanwhile, which a loop that sends on reply would hide. The rounds themselves were
//! run one after the other as fast as they went; what each took is all that the schedule needs, since what a round
//! does is a function of the tickets alone (Lindley's recursion for a queue with one server).

use super::pass::Decided;
use crate::measure::Measure;

/// What a schedule came to.
pub(super) struct Scheduled {
    /// From the sending of each ticket that was matched until its event was fetched, in microseconds.
    pub(super) decision_us: Measure,
    /// How far the last round ended behind its own sending, in periods: above 1 it did not keep up.
    pub(super) behind: f64,
}

/// Sends the tickets of a round every `period_ns`.
pub(super) fn schedule(service_ns: &[u64], decided: &[Decided], period_ns: f64) -> Scheduled {
    let mut decision_us = Measure::default();
    let mut begins_ns = Vec::with_capacity(service_ns.len());
    let mut free_ns = 0.0_f64;
    for (round, &service) in service_ns.iter().enumerate() {
        let begin = free_ns.max(round as f64 * period_ns);
        begins_ns.push(begin);
        free_ns = begin + service as f64;
    }
    for part in decided {
        let Some(begin) = begins_ns.get(part.round) else { continue };
        let ns = begin + part.offset_ns as f64 - part.sent as f64 * period_ns;
        decision_us.record((ns * 1000.0) as i128, part.count);
    }
    let last = service_ns.len().saturating_sub(1) as f64 * period_ns;
    Scheduled { decision_us, behind: if period_ns > 0.0 { (free_ns - last) / period_ns } else { 0.0 } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_round_delays_those_who_were_sent_meanwhile() {
        let decided: Vec<Decided> = (0..4)
            .map(|round| Decided { sent: round, round, offset_ns: [1, 9, 1, 1][round] * 1000, count: 10 })
            .collect();
        let service = [1000, 9000, 1000, 1000];
        // Sent every 4 us: the second takes 9, so the third begins 5 late and the fourth 2 late.
        let scheduled = schedule(&service, &decided, 4000.0);
        let percentile = |percent| scheduled.decision_us.percentile(percent);
        assert_eq!((percentile(25.0), percentile(50.0)), (Some(1.0), Some(3.0)));
        assert_eq!((percentile(75.0), percentile(100.0)), (Some(6.0), Some(9.0)));
        assert!((scheduled.behind - 0.75).abs() < 1e-9, "{}", scheduled.behind);
        // Sent every 2 us it falls behind.
        assert!(schedule(&service, &decided, 2000.0).behind > 1.0);
    }
}
