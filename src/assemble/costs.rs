//! What a match costs at least that holds a growing set: the bound of `gather`.
//!
//! Keeps the spans of values and the sums of pings of the set on the way down, a row for each depth, and what it reads of
//! each candidate side by side. Invariant: a bound is at most the cost of any match of so many players that holds the set.
//!
//! Most bounds are asked for a set with one candidate more, for each candidate that is left: what the set alone tells of
//! them is made once (`stand`), and a candidate adds to it how far its pings are above the least ones.

use super::quality::regions_of;
use super::scene::Scene;
use crate::rules::compile::{Kind, NO_VALUE};

/// More than the pings of any match come to, and twice that is still a number.
const FAR: i64 = i64::MAX / 4;

/// One ticket that could join the anchor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) row: u32,
    pub(super) submit_number: u64,
    pub(super) size: u32,
    /// The regions that it could be matched in as far as it alone can tell.
    pub(super) regions: u64,
}

/// What a set has come to, on the way down.
#[derive(Clone, Copy)]
pub(super) struct Partial {
    pub(super) players: u32,
    pub(super) regions: u64,
    pub(super) depth: usize,
}

/// The bounds; keep their memory between searches.
#[derive(Default)]
pub(super) struct Costs {
    /// Lowest and highest value under each weighted difference, a row for each depth.
    spans: Vec<(i64, i64)>,
    /// Sum of pings over players in each of the anchor's regions, a row for each depth.
    ping_sums: Vec<i64>,
    /// The anchor's regions, and the least ping of any candidate there.
    regions: Vec<(u32, i64)>,
    /// Values under the weighted differences, a row for each candidate.
    values: Vec<i64>,
    /// Ping times players in the anchor's regions, a row for each candidate; 0 where it does not reach.
    pings: Vec<i64>,
    /// How much more that is than the least ping of any candidate there times players; `FAR` where it cannot be matched.
    excesses: Vec<i64>,
    /// What the pings of a match come to at least in the anchor's regions as far as its chosen set tells; `FAR` where
    /// that cannot be matched.
    bases: Vec<i64>,
    differences: Vec<(usize, i64)>,
    region_weight: i128,
}

impl Costs {
    /// Begins anew, for an anchor and its candidates.
    pub(super) fn begin(&mut self, scene: &Scene<'_>, anchor: u32, candidates: &[Candidate]) {
        self.differences.clear();
        self.spans.clear();
        for rule in &scene.queue.rules {
            if let (Kind::Difference(slot, _), true) = (&rule.kind, rule.weight > 0) {
                self.differences.push((*slot, rule.weight));
                let value = scene.tickets.number(*slot, anchor);
                let none = value == NO_VALUE;
                self.spans.push(if none { (i64::MAX, i64::MIN) } else { (value, value) });
            }
        }
        self.regions.clear();
        self.ping_sums.clear();
        self.region_weight =
            scene.queue.region_rule.map_or(0, |rule| i128::from(scene.queue.rules[rule].weight));
        if self.region_weight > 0 {
            for region in regions_of(scene.regions_alone(anchor, anchor)) {
                let pings = candidates.iter().filter(|c| c.regions >> region & 1 == 1);
                let least = pings.map(|c| scene.tickets.ping(c.row, region)).min().unwrap_or(0);
                self.regions.push((region, least));
                let ping = scene.tickets.ping(anchor, region);
                self.ping_sums.push(ping * i64::from(scene.tickets.size(anchor)));
            }
        }
        self.begin_candidates(scene, candidates);
    }

    /// What the bounds read of each candidate at every node, side by side.
    fn begin_candidates(&mut self, scene: &Scene<'_>, candidates: &[Candidate]) {
        self.values.clear();
        self.pings.clear();
        self.excesses.clear();
        for candidate in candidates {
            let row = candidate.row;
            self.values.extend(self.differences.iter().map(|&(slot, _)| scene.tickets.number(slot, row)));
            let reached = scene.tickets.regions(row);
            self.pings.extend(self.regions.iter().map(|&(region, _)| match reached >> region & 1 {
                1 => scene.tickets.ping(row, region) * i64::from(candidate.size),
                _ => 0,
            }));
            let pings = &self.pings[self.pings.len() - self.regions.len()..];
            self.excesses.extend(self.regions.iter().zip(pings).map(|(&(region, least), &ping)| {
                match candidate.regions >> region & 1 {
                    1 => ping - least * i64::from(candidate.size),
                    _ => FAR,
                }
            }));
        }
    }

    /// Makes the bases of a set whose matches are to have so many players; returns how many it still misses.
    pub(super) fn stand(&mut self, partial: Partial, players: u32) -> i64 {
        let missing = i64::from(players) - i64::from(partial.players);
        let sums = &self.ping_sums[partial.depth * self.regions.len()..];
        self.bases.clear();
        self.bases.extend(self.regions.iter().zip(sums).map(|(&(region, least), &sum)| {
            if partial.regions >> region & 1 == 1 { sum + missing * least } else { FAR }
        }));
        missing
    }

    /// The same bound as `least` with one candidate more, for a set that still misses so many players, by the bases
    /// that were made for it.
    #[inline]
    pub(super) fn least_with(
        &self,
        partial: Partial,
        (at, candidate): (usize, &Candidate),
        missing: i64,
        players: u32,
    ) -> i128 {
        if i64::from(candidate.size) > missing {
            return self.least(partial, Some((at, candidate)), players);
        }
        let mut cost = 0;
        let width = self.differences.len();
        let spans = &self.spans[partial.depth * width..][..width];
        let values = &self.values[at * width..][..width];
        for ((&(_, weight), &(low, high)), &value) in self.differences.iter().zip(spans).zip(values) {
            let (low, high) = match value {
                NO_VALUE => (low, high),
                _ => (low.min(value), high.max(value)),
            };
            if low < high {
                cost += i128::from(weight) * i128::from((high - low) * i64::from(players));
            }
        }
        let width = self.regions.len();
        let excesses = &self.excesses[at * width..][..width];
        let least = self.bases.iter().zip(excesses).map(|(base, excess)| base + excess).min();
        // Whoever shares no region is told apart later.
        let least = least.filter(|&least| least < FAR).unwrap_or(0);
        let cost = cost + self.region_weight * i128::from(least);
        debug_assert_eq!(cost, self.least(partial, Some((at, candidate)), players));
        cost
    }

    /// A bound from below of the cost of any match of `players` players that holds the chosen set and, if
    /// given, one candidate more.
    pub(super) fn least(&self, partial: Partial, with: Option<(usize, &Candidate)>, players: u32) -> i128 {
        let mut cost = 0;
        let width = self.differences.len();
        let spans = &self.spans[partial.depth * width..];
        for (at_rule, (&(_, weight), &(mut low, mut high))) in self.differences.iter().zip(spans).enumerate()
        {
            if let Some((at, _)) = with {
                let value = self.values[at * width + at_rule];
                if value != NO_VALUE {
                    (low, high) = (low.min(value), high.max(value));
                }
            }
            if low < high {
                cost += i128::from(weight) * i128::from(high - low) * i128::from(players);
            }
        }
        if self.region_weight == 0 {
            return cost;
        }
        let mask = partial.regions & with.map_or(u64::MAX, |(_, candidate)| candidate.regions);
        let joined = partial.players + with.map_or(0, |(_, candidate)| candidate.size);
        let missing = i64::from(players.saturating_sub(joined));
        let width = self.regions.len();
        let sums = self.regions.iter().zip(&self.ping_sums[partial.depth * width..]).enumerate();
        let in_mask = sums.filter(|(_, ((region, _), _))| mask >> region & 1 == 1);
        let least = in_mask.map(|(place, (&(_, least), &sum))| {
            sum + with.map_or(0, |(at, _)| self.pings[at * width + place]) + missing * least
        });
        cost + self.region_weight * i128::from(least.min().unwrap_or(0))
    }

    /// Writes the rows of spans and pings for the set of that depth with candidate `with`.
    pub(super) fn extend(&mut self, depth: usize, with: usize) {
        let width = self.differences.len();
        self.spans.truncate((depth + 1) * width);
        for at in 0..width {
            let (low, high) = self.spans[depth * width + at];
            let value = self.values[with * width + at];
            self.spans.push(if value == NO_VALUE { (low, high) } else { (low.min(value), high.max(value)) });
        }
        let width = self.regions.len();
        self.ping_sums.truncate((depth + 1) * width);
        for at in 0..width {
            self.ping_sums.push(self.ping_sums[depth * width + at] + self.pings[with * width + at]);
        }
    }
}
