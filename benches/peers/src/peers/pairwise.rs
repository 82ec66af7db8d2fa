//! The plain pairwise matcher, the way people start: an object for each ticket with a dictionary of pings, and for each
//! ticket, the oldest first, every younger one is looked at; the least sum of pings wins, then the least difference of
//! skill.

use super::{Answer, Peer, Watch};
use crate::trace::{NOW_MS, PING_MS, Pair, REGIONS, Trace};
use std::collections::HashMap;

/// A ticket as an object.
struct Object {
    skill: f64,
    waited_s: f64,
    pings: HashMap<String, u32>,
}

/// The matcher with its objects.
#[derive(Default)]
pub struct Pairwise {
    #[allow(
        clippy::vec_box,
        reason = "objects stand where the allocator puts them, as in the languages people start in"
    )]
    objects: Vec<Box<Object>>,
}

impl Object {
    /// How far apart in skill a partner may be.
    fn window(&self) -> f64 {
        (100.0 + 20.0 * (self.waited_s / 2.0).floor()).min(300.0)
    }

    /// The region with the least sum of pings, and that sum.
    fn meets_in(&self, other: &Object) -> Option<(String, u32)> {
        let mut best: Option<(u32, u32, &String)> = None;
        for (region, &own) in &self.pings {
            let Some(&his) = other.pings.get(region) else { continue };
            let found = (own + his, own.max(his), region);
            if found.1 <= u32::from(PING_MS) && best.is_none_or(|best| found < best) {
                best = Some(found);
            }
        }
        best.map(|(sum, _, region)| (region.clone(), sum))
    }
}

impl Peer for Pairwise {
    fn name(&self) -> &'static str {
        "pairwise, dictionaries"
    }

    fn how(&self) -> &'static str {
        "an object with a dictionary of pings for each ticket; every pair is looked at, both windows, least sum of pings"
    }

    fn is_square(&self) -> bool {
        true
    }

    fn prepare(&mut self, trace: &Trace) -> Result<(), String> {
        let object = |ticket: &crate::trace::Ticket| {
            let pings = REGIONS.iter().zip(&ticket.pings);
            Box::new(Object {
                skill: f64::from(ticket.skill),
                waited_s: (NOW_MS - ticket.enqueued_ms) as f64 / 1000.0,
                pings: pings.map(|(region, &ping)| ((*region).to_owned(), u32::from(ping))).collect(),
            })
        };
        self.objects = trace.tickets.iter().map(object).collect();
        Ok(())
    }

    fn run(&mut self, _: &Trace) -> Result<Answer, String> {
        let watch = Watch::new();
        let begun = watch.start();
        let objects = &self.objects;
        let mut is_matched = vec![false; objects.len()];
        let mut found = Vec::new();
        for i in 0..objects.len() {
            if is_matched[i] {
                continue;
            }
            let mut best: Option<(usize, String, u32, f64)> = None;
            for j in i + 1..objects.len() {
                if is_matched[j] {
                    continue;
                }
                let gap = (objects[i].skill - objects[j].skill).abs();
                if gap > objects[i].window() || gap > objects[j].window() {
                    continue;
                }
                let Some((region, sum)) = objects[i].meets_in(&objects[j]) else { continue };
                let is_better =
                    best.as_ref().is_none_or(|(_, _, least, least_gap)| (sum, gap) < (*least, *least_gap));
                if is_better {
                    best = Some((j, region, sum, gap));
                }
            }
            if let Some((j, region, ..)) = best {
                (is_matched[i], is_matched[j]) = (true, true);
                found.push((i, j, region));
            }
        }
        let matching = watch.took(begun);
        let place = |name: &str| REGIONS.iter().position(|region| *region == name).unwrap_or_default();
        let pairs = found.iter().map(|(a, b, region)| Pair { a: *a, b: *b, region: place(region) }).collect();
        Ok(Answer::of(matching, pairs))
    }
}
