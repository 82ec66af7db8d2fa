//! Pairs of plain tickets that change partners: the quick twin of `repair`, eight or sixteen neighbours at once.
//!
//! Called by the chooser where `lanes` serves. The moves are those of `repair`, in its order: of the next tickets of the
//! order those are tried that could make up for what they cost. Which these are is told for all of them at once, out of
//! lanes of 32 bits. Invariant: what comes out is what `repair` comes to.

use super::lanes::Lanes;
use super::line::Line;
use super::repair::NOBODY;
use super::spots::{APART, LEFT_OVER};

/// What one that is left over counts in a lane: no less than any pair.
const ALL: i32 = APART as i32;

/// The memory of the repair.
#[derive(Default)]
pub(super) struct Mend {
    /// What each ticket's match costs, and how much of it is above the least pings of its tickets; `ALL`: left over.
    costs: Vec<i32>,
    excess: Vec<i32>,
}

/// The element at `at`, and the next `N`.
#[inline(always)]
fn from<const N: usize, T: Copy>(all: &[T], at: usize) -> Option<(T, &[T; N])> {
    let (own, next) = all.get(at..)?.split_first()?;
    Some((*own, next.first_chunk()?))
}

/// A lane's cost as what it counts in a sum.
fn counted(cost: i32) -> i64 {
    if cost >= ALL { LEFT_OVER } else { i64::from(cost) }
}

impl Mend {
    /// Lets pairs change partners in so many rounds at most, each ticket with so many of the next ones, `N` at most.
    pub(super) fn repair<const N: usize>(
        &mut self,
        lanes: &mut Lanes,
        of: &mut [u32],
        (rounds, reach): (usize, usize),
    ) {
        self.count::<N>(lanes, of);
        for _ in 0..rounds {
            if !self.improve::<N>(lanes, of, reach) {
                return;
            }
        }
    }

    /// Notes what every ticket counts now. Lanes go on for `N` beyond the last one.
    fn count<const N: usize>(&mut self, lanes: &Lanes, of: &[u32]) {
        for lane in [&mut self.costs, &mut self.excess] {
            lane.clear();
            lane.resize(of.len() + N, 0);
        }
        for (at, &mate) in of.iter().enumerate() {
            let cost = if mate == NOBODY { ALL } else { lanes.cost(at, mate as usize) as i32 };
            self.set(lanes, of, at, cost);
        }
    }

    /// Notes what a ticket's match costs.
    fn set(&mut self, lanes: &Lanes, of: &[u32], at: usize, cost: i32) {
        self.costs[at] = cost;
        self.excess[at] = match of[at] {
            NOBODY => ALL,
            mate => cost - lanes.own(at) as i32 - lanes.own(mate as usize) as i32,
        };
    }

    /// Lets every ticket look at the next `reach` of the order once, `N` at most. Returns whether anything has changed.
    fn improve<const N: usize>(&mut self, lanes: &mut Lanes, of: &mut [u32], reach: usize) -> bool {
        let within = (1_u32 << reach.min(N)) - 1;
        let mut has_changed = false;
        for at in 0..of.len() {
            let mut left = self.better::<N>(lanes, of, at) & within;
            while left != 0 {
                let lane = left.trailing_zeros();
                left &= left - 1;
                lanes.steps += 1;
                if self.join(lanes, of, at, at + 1 + lane as usize) {
                    has_changed = true;
                    left = self.better::<N>(lanes, of, at) & within & !((2 << lane) - 1);
                }
            }
        }
        has_changed
    }

    /// A bit for each of the next `N` tickets that could be better for this one and itself than their partners: the match
    /// costs less than both of theirs, and its distance less than what these cost above the least pings, which stay
    /// whoever is with whom.
    #[inline]
    fn better<const N: usize>(&self, lanes: &Lanes, of: &[u32], at: usize) -> u32 {
        let (Some((cost, costs)), Some((excess, excesses)), Some((place, places))) =
            (from::<N, _>(&self.costs, at), from::<N, _>(&self.excess, at), from::<N, _>(lanes.places(), at))
        else {
            return 0;
        };
        let near = lanes.next_of::<N>(at);
        let mut bits = 0;
        for lane in 0..N {
            let new = near[lane] as i32;
            let distance = places[lane].wrapping_sub(place) as i32;
            let is_better = (new < ALL) & (new < cost + costs[lane]) & (distance < excess + excesses[lane]);
            bits |= u32::from(is_better) << lane;
        }
        match (of[at] as usize).wrapping_sub(at + 1) {
            own if own < N => bits & !(1 << own),
            _ => bits,
        }
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
            self.set(lanes, of, end, cost as i32);
        }
        for (one, with) in [(mate, others_mate), (others_mate, mate)] {
            if has(one) {
                of[one as usize] = if joined < APART { with } else { NOBODY };
            }
        }
        for one in [mate, others_mate].into_iter().filter(|&one| has(one)) {
            self.set(lanes, of, one as usize, joined.min(APART) as i32);
        }
        true
    }
}
