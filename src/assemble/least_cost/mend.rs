//! Pairs of plain tickets that change partners: the quick twin of `repair`, eight or sixteen neighbours at once.
//!
//! Called by the chooser where `lanes` serves. The moves are those of `repair`, in its order; of the next tickets of the
//! order those are tried for which an exchange could pay. It saves what both matches cost; the new ones cost at least
//! what the two pay with one another, and their partners' least pings and distance. One kernel tells that for all of the
//! next tickets. Invariant: what comes out is what `repair` comes to.
//!
//! Tried: telling it for all tickets at once, and again for those around each change. Four tickets in ten change partners
//! in a dense flow, so most were told twice: 380 instructions a ticket more.

use super::lanes::Lanes;
use super::line::Line;
use super::repair::NOBODY;
use super::spots::{APART, LEFT_OVER};
use crate::simd::{Held, Kernels};

/// What one that is left over counts as its cost: no less than any pair; and what its place in a match saves at most:
/// more than any match and any distance.
const ALONE: u32 = APART;
const SAVES_ALL: i32 = i32::MAX / 2;

/// The memory of the repair.
#[derive(Default)]
pub(super) struct Mend {
    /// What each ticket's match costs.
    costs: Vec<u32>,
    /// The same without the least ping of its mate, which that keeps whoever it is with.
    gains: Vec<i32>,
    /// The places of their mates.
    mates: Vec<u32>,
}

/// A lane's cost as what it counts in a sum.
fn counted(cost: u32) -> i64 {
    if cost >= ALONE { LEFT_OVER } else { i64::from(cost) }
}

impl Mend {
    /// Lets pairs change partners in so many rounds at most, each ticket with so many of the next ones, `N` at most.
    pub(super) fn repair<const N: usize>(
        &mut self,
        lanes: &mut Lanes,
        of: &mut [u32],
        (rounds, reach): (usize, usize),
        kernels: Kernels,
    ) {
        self.count::<N>(lanes, of);
        for _ in 0..rounds {
            if !self.improve::<N>(lanes, of, reach, kernels) {
                return;
            }
        }
    }

    /// Notes what every ticket counts now. Lanes go on for `N` beyond the last one.
    fn count<const N: usize>(&mut self, lanes: &Lanes, of: &[u32]) {
        self.costs.clear();
        self.costs.resize(of.len(), 0);
        self.gains.clear();
        self.gains.resize(of.len() + N, 0);
        self.mates.clear();
        self.mates.resize(of.len() + N, 0);
        for (at, &mate) in of.iter().enumerate() {
            let cost = if mate == NOBODY { ALONE } else { lanes.cost(at, mate as usize) };
            self.set(lanes, of, at, cost);
        }
    }

    /// Notes what a ticket's match costs.
    fn set(&mut self, lanes: &Lanes, of: &[u32], at: usize, cost: u32) {
        self.costs[at] = cost;
        (self.gains[at], self.mates[at]) = match of[at] {
            NOBODY => (SAVES_ALL, 0),
            mate => (cost as i32 - lanes.own(mate as usize) as i32, lanes.place(mate as usize)),
        };
    }

    /// Lets every ticket look at the next `reach` of the order once, `N` at most. Returns whether anything has changed.
    fn improve<const N: usize>(
        &mut self,
        lanes: &mut Lanes,
        of: &mut [u32],
        reach: usize,
        kernels: Kernels,
    ) -> bool {
        let within = ((1_u32 << reach.min(N)) - 1) as u16;
        let mut has_changed = false;
        for at in 0..of.len() {
            let mut left = self.look::<N>(lanes, at, kernels) & within;
            while left != 0 {
                let lane = left.trailing_zeros();
                left &= left - 1;
                let other = at + 1 + lane as usize;
                if of[at] == other as u32 {
                    continue;
                }
                lanes.steps += 1;
                if self.join(lanes, of, at, other) {
                    has_changed = true;
                    left = self.look::<N>(lanes, at, kernels) & within & !((2 << lane) - 1);
                }
            }
        }
        has_changed
    }

    /// A bit for each of the next `N` tickets that this one could be better with.
    #[inline]
    fn look<const N: usize>(&self, lanes: &Lanes, at: usize, kernels: Kernels) -> u16 {
        let held = Held { gains: &self.gains, mates: &self.mates };
        kernels.offers(&lanes.near::<N>()[at], held, at)
    }

    /// Makes two tickets a pair if that is better, with what becomes of their partners.
    fn join(&mut self, lanes: &Lanes, of: &mut [u32], at: usize, other: usize) -> bool {
        let (mate, others_mate) = (of[at], of[other]);
        let cost = lanes.cost(at, other);
        let old = counted(self.costs[at]) + counted(self.costs[other]);
        let has = |mate: u32| mate != NOBODY;
        let mut joined = APART;
        let rest = match (has(mate), has(others_mate)) {
            (false, false) => 0,
            (true, true) => {
                joined = lanes.cost(mate as usize, others_mate as usize);
                if joined < APART { i64::from(joined) } else { 2 * LEFT_OVER }
            }
            _ => LEFT_OVER,
        };
        if i64::from(cost) + rest >= old {
            return false;
        }
        (of[at], of[other]) = (other as u32, at as u32);
        for end in [at, other] {
            self.set(lanes, of, end, cost);
        }
        for (one, with) in [(mate, others_mate), (others_mate, mate)] {
            if has(one) {
                of[one as usize] = if joined < APART { with } else { NOBODY };
            }
        }
        for one in [mate, others_mate].into_iter().filter(|&one| has(one)) {
            self.set(lanes, of, one as usize, joined.min(ALONE));
        }
        true
    }
}
