//! The open loop: when each ticket was decided, had the tickets been sent on schedule.
//!
//! Used by `row` on the rounds of a pass. Tickets of round k are sent at k times the period, whether or not the round
//! before has ended; a round begins when its tickets have been sent and the round before has ended. So a slow tick shows
//! as waiting of all that were sent meanwhile, which a loop that sends on reply would hide. The rounds themselves were
//! run one after the other as fast as they went; what each took is all that the schedule needs, since what a round
//! does is a function of the tickets alone (Lindley's recursion for a queue with one server).

use super::pass::Decided;
use crate::measure::Measure;

/// The least and the greatest rate that a schedule sends at, in tickets a second. Chosen: a ticket in a quarter of an
/// hour, and a thousand for each nanosecond, which is all at once.
pub(super) const RATES: std::ops::RangeInclusive<f64> = 0.001..=1e12;
/// Picoseconds in a second; instants are whole picoseconds, so that none is lost beside a great one.
const PICOS: f64 = 1e12;

/// What a schedule came to.
pub(super) struct Scheduled {
    /// From the sending of each ticket that was matched until its event was fetched, in microseconds.
    pub(super) decision_us: Measure,
    /// How far the last round ended behind its own sending, in periods: above 1 it did not keep up.
    pub(super) behind: f64,
}

/// Sends the `per_tick` tickets of a round at `rate` tickets a second, one of [`RATES`].
pub(super) fn schedule(service_ns: &[u64], decided: &[Decided], per_tick: usize, rate: f64) -> Scheduled {
    let period_ps = per_tick as f64 * PICOS / rate;
    let sent_ps = |round: usize| (round as f64 * period_ps).round() as i128;
    let ps = |ns: u64| i128::from(ns) * 1000;
    let mut decision_us = Measure::default();
    let mut begins_ps = Vec::with_capacity(service_ns.len());
    let mut free_ps = 0;
    for (round, &service) in service_ns.iter().enumerate() {
        let begin = sent_ps(round).max(free_ps);
        begins_ps.push(begin);
        free_ps = begin + ps(service);
    }
    for part in decided {
        let Some(begin) = begins_ps.get(part.round) else { continue };
        // A measure keeps a millionth of its unit, here a microsecond.
        decision_us.record(begin + ps(part.offset_ns) - sent_ps(part.sent), part.count);
    }
    let behind_ps = free_ps - sent_ps(service_ns.len().saturating_sub(1));
    Scheduled { decision_us, behind: behind_ps as f64 / period_ps }
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
        let scheduled = schedule(&service, &decided, 10, 10.0 / 4e-6);
        let percentile = |percent| scheduled.decision_us.percentile(percent);
        assert_eq!((percentile(25.0), percentile(50.0)), (Some(1.0), Some(3.0)));
        assert_eq!((percentile(75.0), percentile(100.0)), (Some(6.0), Some(9.0)));
        assert!((scheduled.behind - 0.75).abs() < 1e-9, "{}", scheduled.behind);
        // Sent every 2 us it falls behind.
        assert!(schedule(&service, &decided, 10, 10.0 / 2e-6).behind > 1.0);
    }

    #[test]
    fn no_time_is_lost_at_the_ends_of_the_rates() {
        let decided: Vec<Decided> =
            (0..1000).map(|round| Decided { sent: round, round, offset_ns: 700, count: 10 }).collect();
        let service = [700; 1000];
        let ends = |rate: f64| {
            let scheduled = schedule(&service, &decided, 10_000_000, rate);
            [0.1, 100.0].map(|percent| scheduled.decision_us.percentile(percent).unwrap())
        };
        // A round in three hundred years finds the engine free; with all sent at once each waits for those before.
        assert_eq!(ends(*RATES.start()), [0.7, 0.7]);
        let [first, last] = ends(*RATES.end());
        assert_eq!(first, 0.7);
        assert!((last - 0.7).abs() < 1e-3, "ten microseconds for each round are enough: {last}");
        let all_at_once = schedule(&service, &decided, 2, *RATES.end());
        let last = all_at_once.decision_us.percentile(100.0).unwrap();
        assert!((last - 700.0).abs() < 0.1, "{last}");
    }
}
