//! How two single players can be seated in a queue whose greatest match is two players.
//!
//! Used by `board`: there a pair is a whole match, so the rules about teams belong to the pair. What those rules ask
//! of a seating is very little: whether the two stand in one team, whether another team stands empty beside them, and
//! how far the sizes of teams are apart. Invariant: every legal seating of two single players is alike to one of the
//! kinds here, and each kind is that of a legal seating.

use super::board::Pair;
use crate::model::ids::Millis;
use crate::rules::compile::Kind;
use crate::rules::shape::Shape;
use crate::rules::spec::TotalScope;

/// A kind of seating.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Seating {
    /// Both are in one team.
    is_together: bool,
    /// A team without a player stands.
    has_empty: bool,
    /// The largest less the smallest team, in units of 0.000001.
    spread: i64,
}

/// The kinds of seating of a queue.
#[derive(Clone, Debug)]
pub(super) struct Duel {
    seatings: Vec<Seating>,
}

impl Duel {
    /// The seatings that the teams of a queue allow.
    pub(super) fn new(shape: &Shape) -> Duel {
        // Of teams that can change places two are enough: two players need no third.
        let is_first_or_second = |at: &usize| {
            let class = shape.positions[*at].class;
            shape.positions[..*at].iter().filter(|position| position.class == class).count() < 2
        };
        let useful: Vec<usize> = (0..shape.positions.len()).filter(is_first_or_second).collect();
        let mut seatings = Vec::new();
        for &own in &useful {
            for &other in &useful {
                let mut sizes = vec![0; shape.positions.len()];
                sizes[own] += 1;
                sizes[other] += 1;
                let Some(standing) = standing(shape, &sizes) else { continue };
                let smallest = standing.iter().copied().min().unwrap_or(0);
                let largest = standing.iter().copied().max().unwrap_or(0);
                seatings.push(Seating {
                    is_together: own == other,
                    has_empty: smallest == 0,
                    spread: i64::from(largest - smallest) * 1_000_000,
                });
            }
        }
        seatings.sort_unstable();
        seatings.dedup();
        Duel { seatings }
    }

    /// Whether some seating is accepted; where there is none at all the sizes say so and nothing else does.
    pub(super) fn some(&self, accepts: impl Fn(&Seating) -> bool) -> bool {
        self.seatings.is_empty() || self.seatings.iter().any(accepts)
    }

    /// The kinds of seating.
    pub(super) fn seatings(&self) -> impl Iterator<Item = &Seating> {
        self.seatings.iter()
    }

    /// How far the sizes of teams are apart in any of them.
    pub(super) fn spreads(&self) -> impl Iterator<Item = i64> + '_ {
        self.seatings.iter().map(|seating| seating.spread)
    }
}

/// The sizes of the teams that stand, if these sizes are legal: every team of a fixed count, and of a range of counts
/// those that have players, which come first.
fn standing(shape: &Shape, sizes: &[u32]) -> Option<Vec<u32>> {
    let mut standing = Vec::new();
    for group in &shape.groups {
        let sizes = &sizes[group.first..group.first + group.count_max];
        let count = match group.varies {
            true => sizes.iter().filter(|&&size| size > 0).count(),
            false => group.count_max,
        };
        let position = &shape.positions[group.first];
        let is_legal = |size: &u32| (position.min..=position.max).contains(size);
        if count < group.count_min || !sizes[..count].iter().all(is_legal) {
            return None;
        }
        standing.extend_from_slice(&sizes[..count]);
    }
    Some(standing)
}

impl Seating {
    /// Whether a rule about totals or teams accepts the pair in this seating at an instant.
    pub(super) fn holds(&self, pair: &Pair<'_, '_>, rule: usize, at: Millis) -> bool {
        let compiled = &pair.board.ground.queue.rules[rule];
        let clocks = pair.clocks(compiled.age);
        match &compiled.kind {
            Kind::TeamDifference(slot, window) => {
                let spread = if self.is_together { 0 } else { pair.distance(*slot).unwrap_or(0) };
                clocks.iter().all(|&(_, clock)| pair.allows(window, clock, spread, at))
            }
            Kind::TeamSize(window) => {
                clocks.iter().all(|&(_, clock)| pair.allows(window, clock, self.spread, at))
            }
            Kind::Total(slot, band, per) => {
                let [a, b] = pair.amounts(*slot);
                let is_one_sum = self.is_together || *per == TotalScope::Match;
                let sums = if is_one_sum { [a + b, a + b] } else { [a, b] };
                let has_empty = self.has_empty && *per == TotalScope::Team;
                let sums = sums.into_iter().chain(has_empty.then_some(0));
                let bounds = clocks.iter().filter_map(|&(_, clock)| band.at(pair.age(clock, at)).bound());
                let is_within = |sum: i64| {
                    bounds.clone().all(|bounds| {
                        bounds.min.is_none_or(|least| sum >= least.micros())
                            && bounds.max.is_none_or(|most| sum <= most.micros())
                    })
                };
                sums.into_iter().all(is_within)
            }
            _ => true,
        }
    }
}
