//! A sorted sweep: tickets in order of skill, each one takes the next above it that may meet it. Small differences of
//! skill, no regard to who waits longest.

use super::{Answer, Peer, Watch};
use crate::trace::{Pair, Trace};

/// The matcher.
pub struct Sweep;

impl Peer for Sweep {
    fn name(&self) -> &'static str {
        "sorted sweep"
    }

    fn how(&self) -> &'static str {
        "sorted by skill; each takes the next one above that may meet it"
    }

    fn run(&mut self, trace: &Trace) -> Result<Answer, String> {
        let watch = Watch::new();
        let begun = watch.start();
        let tickets = &trace.tickets;
        let mut order: Vec<u32> = (0..tickets.len() as u32).collect();
        order.sort_unstable_by_key(|&place| (tickets[place as usize].skill, place));
        let taking_in = watch.took(begun);
        let begun = watch.start();
        let mut is_matched = vec![false; tickets.len()];
        let mut pairs = Vec::with_capacity(tickets.len() / 2);
        for (rank, &low) in order.iter().enumerate() {
            let i = low as usize;
            if is_matched[i] {
                continue;
            }
            for &high in &order[rank + 1..] {
                let j = high as usize;
                if tickets[j].skill - tickets[i].skill > tickets[i].window {
                    break;
                }
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
        Ok(Answer { taking_in, ..Answer::of(watch.took(begun), pairs) })
    }
}
