//! First fit on plain records: the oldest ticket takes the first younger one that may meet it. Fast while partners
//! abound, and then far from the best; with the square of the tickets where few fit.

use super::{Answer, Peer, Watch};
use crate::trace::{Pair, Trace};

/// The matcher.
pub struct FirstFit;

impl Peer for FirstFit {
    fn name(&self) -> &'static str {
        "first fit"
    }

    fn how(&self) -> &'static str {
        "plain records; the first younger ticket that may meet the oldest one"
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
            for j in i + 1..tickets.len() {
                if is_matched[j] || !tickets[i].is_near(&tickets[j]) {
                    continue;
                }
                if let Some((region, _)) = tickets[i].meets_in(&tickets[j]) {
                    (is_matched[i], is_matched[j]) = (true, true);
                    pairs.push(Pair { a: i, b: j, region });
                    break;
                }
            }
        }
        Ok(Answer::of(watch.took(begun), pairs))
    }
}
