//! What a pair of single players costs where the rules are plain: differences, equalities, a region.
//!
//! Asked by `partner` for every candidate that could be better than the best so far; whoever it has no answer for is
//! judged by all rules. Invariant: what it tells is what `quality` comes to for the two, which debug builds check.
//!
//! Tried: the judgement of all rules for every candidate, as `partner` makes it where the rules are not plain; and a bound
//! of the partner's ping of 0. With the least ping of whoever waits a dense 1v1 flow of 10,000 tickets a tick looks at
//! 27 candidates a ticket instead of 40, and equal tickets at one instead of all others, with the same matches.

use super::least_cost::measure::measure_pair;
use super::least_cost::plain::two_singles_split;
use super::report::Measured;
use super::scene::{Ground, Scene};
use super::states::States;
use crate::rules::compile::{Kind, NO_VALUE, Rule};

/// The anchor of plain pairs.
pub(super) struct Duel<'a> {
    rules: &'a [Rule],
    anchor: u32,
    needs_region: bool,
}

impl<'a> Duel<'a> {
    /// The duel of an anchor whose state is known; `None`: its pairs are not plain.
    pub(super) fn of(ground: &Ground<'a>, states: &States, anchor: u32) -> Option<Duel<'a>> {
        let is_single = ground.tickets.size(anchor) == 1 && !ground.tickets.has_limits(anchor);
        let is_plain = ground.queue.is_plain_duel && is_single && states.get(anchor).soft == 0;
        let is_plain = is_plain && two_singles_split(ground.queue);
        is_plain.then_some(Duel {
            rules: &ground.queue.rules,
            anchor,
            needs_region: ground.queue.region_rule.is_some(),
        })
    }

    /// The cost of the match with another ticket whose state is known, times the players, or that it is not legal;
    /// `None`: all rules have to be asked.
    #[inline]
    pub(super) fn told(&self, scene: &Scene<'_>, other: u32) -> Option<Option<i128>> {
        let tickets = scene.tickets;
        let (own, theirs) = (scene.states.get(self.anchor), scene.states.get(other));
        let common = scene.states.regions(self.anchor) & scene.states.regions(other) & scene.up;
        if theirs.soft != 0 || tickets.size(other) != 1 || tickets.has_limits(other) {
            return None;
        }
        if self.needs_region && common == 0 {
            return Some(None);
        }
        let mut cost = 0;
        for (index, rule) in self.rules.iter().enumerate() {
            match rule.kind {
                Kind::Difference(slot, _) => {
                    let (x, y) = (tickets.number(slot, self.anchor), tickets.number(slot, other));
                    if x == NO_VALUE || y == NO_VALUE {
                        continue;
                    }
                    let distance = (x - y).abs();
                    let refuses = |state: &super::states::State<'_>| {
                        state.binds(index) && distance > state.numbers[rule.state]
                    };
                    if refuses(&own) || refuses(&theirs) {
                        return Some(None);
                    }
                    cost += 2 * i128::from(rule.weight) * i128::from(distance);
                }
                Kind::Equality(slot, _) => {
                    let (x, y) = (tickets.key(slot, self.anchor), tickets.key(slot, other));
                    if x != NO_VALUE && y != NO_VALUE && x != y {
                        return Some(None);
                    }
                }
                Kind::Region(_) if rule.weight > 0 => {
                    cost += i128::from(rule.weight) * i128::from(self.least_sum(scene, other, common));
                }
                _ => {}
            }
        }
        Some(Some(cost))
    }

    /// The least sum of the two pings in any common region.
    fn least_sum(&self, scene: &Scene<'_>, other: u32, mut common: u64) -> i64 {
        let tickets = scene.tickets;
        let (own, theirs) = (tickets.pings(self.anchor), tickets.pings(other));
        let (own_regions, their_regions) = (tickets.regions(self.anchor), tickets.regions(other));
        let mut least = i64::MAX;
        while common != 0 {
            let below = (common & common.wrapping_neg()) - 1;
            common &= common - 1;
            let at = |regions: u64| (regions & below).count_ones() as usize;
            least = least.min(own[at(own_regions)] + theirs[at(their_regions)]);
        }
        least
    }
}

/// Measures the match of two plain tickets, sorted by seniority, whose states are known. Returns its cost times its
/// players.
pub(super) fn measure(ground: &Ground<'_>, states: &States, rows: [u32; 2], measured: &mut Measured) -> i128 {
    let [oldest, other] = rows;
    let queue = ground.queue;
    let apart = |rule: &Rule| match rule.kind {
        Kind::Difference(slot, _) => {
            match (ground.tickets.number(slot, oldest), ground.tickets.number(slot, other)) {
                (NO_VALUE, _) | (_, NO_VALUE) => 0,
                (a, b) => 2 * i128::from(rule.weight) * i128::from((a - b).abs()),
            }
        }
        _ => 0,
    };
    let distances = queue.rules.iter().map(apart).sum();
    let regions = states.regions(oldest) & states.regions(other) & ground.up;
    let weight = queue.region_rule.map(|rule| queue.rules[rule].weight);
    measure_pair(ground, distances, weight, rows, regions, measured)
}
