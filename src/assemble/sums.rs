//! What the totals of a queue still ask of a growing set: how much it may not exceed, and what it still lacks.
//!
//! The bookkeeping of `gather` for totals whose amounts are never negative: a set that is above a cap stays above
//! it, and one that lacks an amount needs a ticket that brings some. Branching on the tickets that bring what is
//! scarcest (the fail-first principle of Haralick and Elliott, 1980) finds a lone healer at once, where going by
//! distance alone would try every three damage dealers first: twenty minutes of `coop_roles` at two tickets a second
//! did not end within ten minutes without it and take the engine 8.5 s with it. Invariant: caps only fall and needs
//! only rise as a set grows.

use super::bits::{Bits, and, count, is_empty, set, without};
use super::scene::Scene;
use crate::rules::compile::Kind;
use crate::rules::spec::{TotalScope, WindowAge};

/// A total that is followed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Followed {
    /// The rule.
    rule: usize,
    /// The number slot that is added up; `None`: players.
    slot: Option<usize>,
    /// Teams over which the cap is multiplied: as many as can stand.
    teams_most: i128,
    /// Teams over which the need is multiplied: as many as must stand.
    teams_least: i128,
}

/// A sum with its bounds for a set.
#[derive(Clone, Copy, Debug)]
struct Sum {
    sum: i128,
    cap: i128,
    need: i128,
}

/// The sums of a set, a row for each depth.
#[derive(Default)]
pub(super) struct Sums {
    followed: Vec<Followed>,
    rows: Vec<Sum>,
    /// The amounts of the candidates: `candidate * followed + total`.
    amounts: Vec<i64>,
    /// Who brings some of each total.
    bringers: Vec<Bringers>,
}

/// The candidates that bring some of a total.
#[derive(Clone, Copy)]
struct Bringers {
    bits: Bits,
    /// The least and the greatest amount that one of them brings.
    least: i64,
    most: i64,
    /// The players of the largest of them.
    largest: u32,
}

impl Sums {
    /// Begins anew with the anchor alone.
    pub(super) fn begin(
        &mut self,
        scene: &Scene<'_>,
        anchor: u32,
        tickets: impl Iterator<Item = (u32, u32)> + Clone,
    ) {
        let candidates = tickets.clone().map(|(row, _)| row);
        self.followed.clear();
        self.rows.clear();
        self.amounts.clear();
        self.followed.extend(followed(scene, || candidates.clone().chain([anchor])));
        for row in candidates {
            self.amounts.extend(self.followed.iter().map(|total| amount(scene, total, row)));
        }
        self.bringers.clear();
        for total in 0..self.followed.len() {
            let mut bringers = Bringers { bits: Bits::default(), least: i64::MAX, most: 0, largest: 0 };
            for (at, (_, size)) in tickets.clone().enumerate() {
                let amount = self.amounts[at * self.followed.len() + total];
                if amount > 0 {
                    set(&mut bringers.bits, at);
                    bringers.least = bringers.least.min(amount);
                    bringers.most = bringers.most.max(amount);
                    bringers.largest = bringers.largest.max(size);
                }
            }
            self.bringers.push(bringers);
        }
        for at in 0..self.followed.len() {
            let empty = Sum { sum: 0, cap: i128::MAX, need: i128::MIN };
            let own = amount(scene, &self.followed[at], anchor);
            self.rows.push(self.grown(scene, at, empty, own, anchor, anchor));
        }
    }

    /// Writes the row for the set of `depth` with a candidate.
    pub(super) fn extend(
        &mut self,
        scene: &Scene<'_>,
        depth: usize,
        candidate: usize,
        row: u32,
        anchor: u32,
    ) {
        let width = self.followed.len();
        self.rows.truncate((depth + 1) * width);
        for at in 0..width {
            let own = self.amounts[candidate * width + at];
            let grown = self.grown(scene, at, self.rows[depth * width + at], own, row, anchor);
            self.rows.push(grown);
        }
    }

    /// A sum when `row` joins: a ticket that the rule binds can only lower the cap and raise the need.
    fn grown(&self, scene: &Scene<'_>, at: usize, old: Sum, own: i64, row: u32, anchor: u32) -> Sum {
        let total = self.followed[at];
        let (cap, need) = total.bounds(scene, row, anchor);
        Sum { sum: old.sum + i128::from(own), cap: old.cap.min(cap), need: old.need.max(need) }
    }

    /// Whether the set of `depth` is within its caps.
    pub(super) fn within_caps(&self, depth: usize) -> bool {
        self.row(depth).iter().all(|sum| sum.sum <= sum.cap)
    }

    fn row(&self, depth: usize) -> &[Sum] {
        let width = self.followed.len();
        &self.rows[depth * width..(depth + 1) * width]
    }

    /// The total that the set of `depth` lacks most dearly among what `left` can bring: the one that the fewest
    /// of them bring. `Ok(None)`: it lacks nothing; `Err`: some total cannot be met any more.
    pub(super) fn scarcest(
        &self,
        depth: usize,
        left: impl Iterator<Item = usize> + Clone,
    ) -> Result<Option<Lack>, Unreachable> {
        let width = self.followed.len();
        let mut scarcest: Option<(usize, usize)> = None;
        for (total, sum) in self.row(depth).iter().enumerate() {
            if sum.sum >= sum.need {
                continue;
            }
            let amounts =
                left.clone().map(|at| self.amounts[at * width + total]).filter(|&amount| amount > 0);
            let (bringers, supply) =
                amounts.fold((0, 0_i128), |(count, sum), amount| (count + 1, sum + i128::from(amount)));
            if sum.sum + supply < sum.need {
                return Err(Unreachable);
            }
            if scarcest.is_none_or(|(_, fewest)| bringers < fewest) {
                scarcest = Some((total, bringers));
            }
        }
        Ok(scarcest.map(|(total, _)| Lack { total }))
    }

    /// A bound from above of the players that `left` can add to the set of `depth`: of the tickets that bring some of a
    /// total only so many fit under its cap. `None`: some total cannot be met. `players`: those of a set of candidates.
    pub(super) fn most_players(
        &self,
        depth: usize,
        left: &Bits,
        players: impl Fn(&Bits) -> u32,
    ) -> Option<u32> {
        let mut most = players(left);
        for (sum, bringers) in self.row(depth).iter().zip(&self.bringers) {
            let with = and(left, &bringers.bits);
            let supply = i128::from(bringers.most) * i128::from(count(&with));
            if sum.sum < sum.need && sum.sum + supply < sum.need {
                return None;
            }
            if sum.cap < i128::MAX && !is_empty(&with) {
                let room = (sum.cap - sum.sum).max(0) / i128::from(bringers.least);
                let fits = room.saturating_mul(i128::from(bringers.largest));
                let of_them = players(&with).min(u32::try_from(fits).unwrap_or(u32::MAX));
                most = most.min(players(&without(left, &with)) + of_them);
            }
        }
        Some(most)
    }

    /// Whether a candidate brings some of what is lacking.
    pub(super) fn brings(&self, lack: Lack, candidate: usize) -> bool {
        self.amounts[candidate * self.followed.len() + lack.total] > 0
    }
}

/// A total of which a set lacks some.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lack {
    total: usize,
}

/// A total cannot be met by any of the candidates that are left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unreachable;

impl Followed {
    /// The number slot that is added up; `None`: players.
    pub(super) fn slot(&self) -> Option<usize> {
        self.slot
    }

    /// The greatest and the least sum that a match with `row` may come to, as far as it is bound; else the extremes of
    /// the type.
    pub(super) fn bounds(&self, scene: &Scene<'_>, row: u32, anchor: u32) -> (i128, i128) {
        let compiled = &scene.queue.rules[self.rule];
        let state = scene.deciding(compiled.age, row, anchor, row);
        if !state.binds(self.rule) {
            return (i128::MAX, i128::MIN);
        }
        let (least, greatest) = (state.numbers[compiled.state], state.numbers[compiled.state + 1]);
        let cap = if greatest < i64::MAX { i128::from(greatest) * self.teams_most } else { i128::MAX };
        let need = if least > i64::MIN { i128::from(least) * self.teams_least } else { i128::MIN };
        (cap, need)
    }
}

/// The totals of a queue that can be followed, with those tickets in hand.
pub(super) fn followed<'a, I: Iterator<Item = u32>>(
    scene: &'a Scene<'_>,
    rows: impl Fn() -> I + 'a,
) -> impl Iterator<Item = Followed> + 'a {
    let groups = &scene.queue.shape.groups;
    scene.queue.rules.iter().enumerate().filter_map(move |(rule, compiled)| {
        let Kind::Total(slot, _, per) = compiled.kind else { return None };
        let goes_negative = slot.is_some_and(|slot| rows().any(|row| scene.tickets.number(slot, row) < 0));
        if compiled.age == WindowAge::Newest || goes_negative {
            return None;
        }
        let (teams_most, teams_least) = match per {
            TotalScope::Match => (1, 1),
            TotalScope::Team => {
                (groups.iter().map(|g| g.count_max).sum(), groups.iter().map(|g| g.count_min).sum())
            }
        };
        Some(Followed { rule, slot, teams_most: teams_most as i128, teams_least: teams_least as i128 })
    })
}

/// What a ticket brings of a total.
pub(super) fn amount(scene: &Scene<'_>, total: &Followed, row: u32) -> i64 {
    match total.slot {
        Some(slot) => scene.tickets.number(slot, row),
        None => i64::from(scene.tickets.size(row)) * 1_000_000,
    }
}
