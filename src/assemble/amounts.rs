//! What candidates bring of the totals, and what a growing set still lacks of them: for `stretch`.
//!
//! The same sums as those of `sums`, candidate by candidate instead of depth by depth. Candidates with as many players who
//! bring as much of everything are of one *class*. Invariant: caps only fall and needs only rise as a set grows.

use super::scene::Scene;
use super::sums::{Followed, amount, followed};

/// Classes that are told apart, at most; what comes later is of none. Chosen: roles and sizes make a few.
pub(super) const CLASSES_MAX: u16 = 32;

/// What one candidate brings of one total, and what it asks of the sum, if the rule binds it.
#[derive(Clone, Copy)]
struct Share {
    amount: i64,
    cap: i128,
    need: i128,
}

/// A kind of candidate.
#[derive(Clone, Copy)]
struct Class {
    size: u32,
    /// The first of its kind.
    first: usize,
    /// So many of its kind a match can have by the totals, as far as the anchor tells.
    most: i128,
}

/// The amounts of an anchor, which comes first, and its candidates.
#[derive(Default)]
pub(super) struct Amounts {
    followed: Vec<Followed>,
    /// `candidate * totals + total`.
    shares: Vec<Share>,
    classes: Vec<Class>,
}

impl Amounts {
    /// Begins anew.
    pub(super) fn begin(&mut self, scene: &Scene<'_>, anchor: u32, candidates: &[u32]) {
        self.followed.clear();
        self.shares.clear();
        self.classes.clear();
        let rows = || [anchor].into_iter().chain(candidates.iter().copied());
        self.followed.extend(followed(scene, rows));
        if self.followed.is_empty() {
            return;
        }
        for row in rows() {
            for total in &self.followed {
                let (cap, need) = total.bounds(scene, row, anchor);
                self.shares.push(Share { amount: amount(scene, total, row), cap, need });
            }
        }
    }

    /// Whether in none of the anchor's `regions` (`None`: no rule asks for any) the candidates bring what its match needs of
    /// each total of which all bringers are known, those of the `known` slots. `regions_of`: where a candidate is, of the
    /// anchor's regions.
    pub(super) fn lacks_everywhere(
        &self,
        regions: Option<u64>,
        known: &[usize],
        regions_of: impl Fn(usize) -> u64,
    ) -> bool {
        // Without a region rule one bit stands for all.
        let mut alive = regions.unwrap_or(1);
        for total in 0..self.totals() {
            let Share { amount, need, .. } = self.shares[total];
            let lacking = need.saturating_sub(i128::from(amount));
            if lacking <= 0 || !self.followed[total].slot().is_some_and(|slot| known.contains(&slot)) {
                continue;
            }
            let (mut brought, mut met) = ([0_i128; 64], 0);
            for candidate in 1..self.shares.len() / self.totals() {
                let amount = i128::from(self.of(candidate, total));
                let mut left = if amount > 0 { regions_of(candidate) & alive & !met } else { 0 };
                while left != 0 {
                    let region = left.trailing_zeros() as usize;
                    left &= left - 1;
                    brought[region] += amount;
                    met |= u64::from(brought[region] >= lacking) << region;
                }
            }
            alive &= met;
            if alive == 0 {
                return true;
            }
        }
        false
    }

    /// How many totals are followed.
    pub(super) fn totals(&self) -> usize {
        self.followed.len()
    }

    /// What a candidate brings of a total.
    pub(super) fn of(&self, candidate: usize, total: usize) -> i64 {
        self.shares[candidate * self.totals() + total].amount
    }

    fn shares(&self, candidate: usize) -> &[Share] {
        &self.shares[candidate * self.totals()..][..self.totals()]
    }

    /// How many classes there are.
    pub(super) fn classes(&self) -> usize {
        self.classes.len()
    }

    /// The class of a candidate of so many players; [`CLASSES_MAX`]: none.
    pub(super) fn class(&mut self, candidate: usize, size: u32) -> u16 {
        let is_like = |class: &Class| {
            class.size == size
                && (0..self.totals()).all(|at| self.of(class.first, at) == self.of(candidate, at))
        };
        if let Some(class) = self.classes.iter().position(is_like) {
            return class as u16;
        }
        if self.classes.len() == usize::from(CLASSES_MAX) {
            return CLASSES_MAX;
        }
        let mut most = i128::MAX;
        for (own, share) in self.shares(0).iter().zip(self.shares(candidate)) {
            if share.amount > 0 && own.cap < i128::MAX {
                most = most.min((own.cap - i128::from(own.amount)).max(0) / i128::from(share.amount));
            }
        }
        self.classes.push(Class { size, first: candidate, most });
        self.classes.len() as u16 - 1
    }

    /// How many of a class a match of so many players can have with the anchor, at most.
    pub(super) fn most_of(&self, class: u16, players: u32) -> u32 {
        let Class { size, most, .. } = self.classes[usize::from(class)];
        let seats = players.saturating_sub(self.classes[0].size) / size.max(1);
        u32::try_from(most).unwrap_or(u32::MAX).min(seats)
    }
}

/// The sums of a set that is being put together.
#[derive(Default)]
pub(super) struct Tally {
    /// Sum, cap and need of each total.
    sums: Vec<(i128, i128, i128)>,
}

impl Tally {
    /// Begins with the anchor alone.
    pub(super) fn begin(&mut self, amounts: &Amounts) {
        self.sums.clear();
        if amounts.totals() > 0 {
            let own = amounts.shares(0).iter();
            self.sums.extend(own.map(|share| (i128::from(share.amount), share.cap, share.need)));
        }
    }

    /// Whether a candidate leaves every sum within its cap.
    pub(super) fn fits(&self, amounts: &Amounts, candidate: usize) -> bool {
        self.sums.is_empty()
            || self
                .sums
                .iter()
                .zip(amounts.shares(candidate))
                .all(|(&(sum, cap, _), share)| sum + i128::from(share.amount) <= cap.min(share.cap))
    }

    /// Takes a candidate in.
    pub(super) fn add(&mut self, amounts: &Amounts, candidate: usize) {
        if self.sums.is_empty() {
            return;
        }
        for ((sum, cap, need), share) in self.sums.iter_mut().zip(amounts.shares(candidate)) {
            *sum += i128::from(share.amount);
            *cap = share.cap.min(*cap);
            *need = share.need.max(*need);
        }
    }

    /// Whether a total lacks some.
    pub(super) fn lacks(&self, total: usize) -> bool {
        self.sums[total].0 < self.sums[total].2
    }

    /// The first total from one on that lacks some.
    pub(super) fn next_lack(&self, from: usize) -> Option<usize> {
        (from..self.sums.len()).find(|&total| self.lacks(total))
    }
}
