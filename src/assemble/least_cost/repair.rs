//! Pairs that change partners: the local repair after a sweep.
//!
//! Looks at each ticket and the next ones of the order. Two that are no pair become one where that is better than what
//! they have, with their partners paired with each other or left over; so it also takes in tickets that were left over.
//! One move never makes the whole worse (2-opt: G. A. Croes, "A method for solving traveling-salesman problems", 1958,
//! carried over to pairs). Invariant: what mates say is mutual, and every pair is legal.

use super::line::Line;
use super::spots::{APART, Costs, LEFT_OVER};

/// Stands for "no partner".
pub(super) const NOBODY: u32 = u32::MAX;
/// Stands for "a match alone".
pub(super) const ALONE: u32 = u32::MAX - 1;

/// Who is paired with whom.
#[derive(Default)]
pub(super) struct Mates {
    /// By place in the order.
    pub(super) of: Vec<u32>,
    /// What each ticket's match costs; for one left over what that counts.
    costs: Vec<i64>,
    /// What each ticket counts without a partner: alone, or left over.
    single: Vec<i64>,
    /// What each ticket's match costs above the least pings of its tickets: no exchange saves more of it.
    excess: Vec<i64>,
}

impl Mates {
    /// Notes what every ticket counts now. `alone`: whether tickets may be matches alone.
    pub(super) fn count(&mut self, costs: &mut Costs<'_, '_>, alone: impl Fn(u32) -> bool) {
        self.costs.clear();
        self.single.clear();
        self.excess.clear();
        for at in 0..self.of.len() {
            let cost = if alone(costs.spots.all[at].row) { costs.alone(at) } else { APART };
            let single = if cost < APART { i64::from(cost) } else { LEFT_OVER };
            self.single.push(single);
            self.costs.push(match self.of[at] {
                NOBODY => single,
                mate => i64::from(costs.of(at, mate as usize)),
            });
            self.excess.push(0);
        }
        for at in 0..self.of.len() {
            self.weigh(costs, at);
        }
    }

    /// Lets every ticket look at the next `reach` of the order once. Returns whether anything has changed.
    pub(super) fn improve(&mut self, costs: &mut Costs<'_, '_>, reach: usize) -> bool {
        let count = self.of.len();
        let mut has_changed = false;
        for at in 0..count {
            let place = costs.spots.all[at].place;
            for other in at + 1..count.min(at + 1 + reach) {
                // The pings that their matches have at least stay, whoever they are with; what is above them and the
                // distances must make up for the new distance.
                let distance = i64::from(costs.spots.all[other].place.saturating_sub(place));
                if distance >= self.excess[at] + self.excess[other] || self.of[at] == other as u32 {
                    continue;
                }
                let (own, has) = (self.costs[at], self.costs[other]);
                let cost = costs.of(at, other);
                if cost < APART && i64::from(cost) < own + has {
                    has_changed |= self.join(costs, at, other, i64::from(cost));
                }
            }
        }
        has_changed
    }

    /// Makes two tickets a pair if that is better, with what becomes of their partners.
    fn join(&mut self, costs: &mut Costs<'_, '_>, at: usize, other: usize, cost: i64) -> bool {
        let (mate, others_mate) = (self.of[at], self.of[other]);
        let old = self.costs[at] + self.costs[other];
        let has = |mate: u32| mate != NOBODY;
        let rest = match (has(mate), has(others_mate)) {
            (false, false) => 0,
            (true, false) => self.single[mate as usize],
            (false, true) => self.single[others_mate as usize],
            (true, true) => {
                let apart = self.single[mate as usize] + self.single[others_mate as usize];
                match costs.of(mate as usize, others_mate as usize) {
                    APART.. => apart,
                    joined => apart.min(i64::from(joined)),
                }
            }
        };
        if cost + rest >= old {
            return false;
        }
        self.pair(costs, at, other, cost);
        match (has(mate), has(others_mate)) {
            (true, true) if rest < self.single[mate as usize] + self.single[others_mate as usize] => {
                self.pair(costs, mate as usize, others_mate as usize, rest);
            }
            _ => [mate, others_mate].into_iter().filter(|&mate| has(mate)).for_each(|mate| {
                self.part(mate);
                self.weigh(costs, mate as usize);
            }),
        }
        true
    }

    fn pair(&mut self, costs: &Costs<'_, '_>, at: usize, other: usize, cost: i64) {
        (self.of[at], self.of[other]) = (other as u32, at as u32);
        (self.costs[at], self.costs[other]) = (cost, cost);
        self.weigh(costs, at);
        self.weigh(costs, other);
    }

    /// Notes what a ticket's match costs above the least pings.
    fn weigh(&mut self, costs: &Costs<'_, '_>, at: usize) {
        let spots = &costs.spots.all;
        self.excess[at] = match self.of[at] {
            // One that is left over or alone takes anybody.
            NOBODY => LEFT_OVER,
            mate if spots[at].is_plain && spots[mate as usize].is_plain => {
                self.costs[at] - i64::from(spots[at].own) - i64::from(spots[mate as usize].own)
            }
            _ => self.costs[at],
        };
    }

    fn part(&mut self, at: u32) {
        self.of[at as usize] = NOBODY;
        self.costs[at as usize] = self.single[at as usize];
    }

    /// Lets tickets that are better off alone, or left over and may be alone, be matches alone.
    pub(super) fn set_alone(&mut self) {
        for at in 0..self.of.len() {
            let mate = self.of[at];
            if mate == NOBODY && self.single[at] < LEFT_OVER {
                self.of[at] = ALONE;
            } else if mate < ALONE && (mate as usize) > at {
                let apart = self.single[at] + self.single[mate as usize];
                if apart < LEFT_OVER && apart < self.costs[at] {
                    (self.of[at], self.of[mate as usize]) = (ALONE, ALONE);
                }
            }
        }
    }
}
