//! Best fit on plain records: the oldest ticket takes the one of least cost among all younger ones that may meet it.
//! Cost as evenmatch's queue has it: the difference of skill and the mean ping.

use super::{Answer, Peer, Watch};
use crate::trace::{Pair, Trace};

/// The matcher.
pub struct BestFit;

impl Peer for BestFit {
    fn name(&self) -> &'static str {
        "best fit"
    }

    fn how(&self) -> &'static str {
        "plain records; the oldest ticket takes the younger one of least difference of skill and mean ping together"
    }

    fn is_square(&self) -> bool {
        true
    }

    fn run(&mut self, trace: &Trace) -> Result<Answer, String> {
        let watch = Watch::new();
        let begun = watch.start();
        let tickets = &trace.tickets;
        let mut is_matched = vec![false; tickets.len()];
        let mut pairs = Vec::with_capacity(tickets.len() / 2);
        for i in 0..tickets.len() {
            if is_matched[i] {
                continue;
            }
            let mut best: Option<(u16, usize, usize)> = None;
            for j in i + 1..tickets.len() {
                if is_matched[j] || !tickets[i].is_near(&tickets[j]) {
                    continue;
                }
                if let Some((region, sum)) = tickets[i].meets_in(&tickets[j]) {
                    let cost = 2 * tickets[i].skill.abs_diff(tickets[j].skill) + sum;
                    if best.is_none_or(|(least, ..)| cost < least) {
                        best = Some((cost, j, region));
                    }
                }
            }
            if let Some((_, j, region)) = best {
                (is_matched[i], is_matched[j]) = (true, true);
                pairs.push(Pair { a: i, b: j, region });
            }
        }
        Ok(Answer::of(watch.took(begun), pairs))
    }
}
