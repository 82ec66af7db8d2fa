//! Which sums over whole sets of players a total can meet at all. Called by `effect` and `contradiction`
//! only.
//!
//! Exact for one total by itself: a player's value is any multiple of the attribute's unit within its range, or 0 if
//! he may bring none, and the sets are those that team sizes, `players` and `multiple` allow. Per team the sizes
//! that each team can have are combined group by group, as in `size`.

use crate::base::fixed::{Fixed, unit};
use crate::model::ids::Millis;
use crate::model::limits::MATCH_PLAYERS_MAX;
use crate::rules::shape::Shape;
use crate::rules::spec::{Bounds, QueueSpec, RuleKind, RuleSpec, TotalScope};

const SIZES: usize = MATCH_PLAYERS_MAX + 1;

/// The sets of players that one total looks at.
pub(super) struct Sets<'a> {
    shape: &'a Shape,
    values: Values,
    per: TotalScope,
}

impl Sets<'_> {
    /// Those of the queue; without an attribute players are counted.
    pub(super) fn new<'a>(
        spec: &QueueSpec,
        shape: &'a Shape,
        attribute: Option<usize>,
        per: TotalScope,
    ) -> Sets<'a> {
        Sets { shape, values: Values::of(spec, attribute), per }
    }

    /// Whether some legal set of players has a sum within the bounds, in the match or in each of its teams.
    pub(super) fn can_hold(&self, bounds: Bounds) -> bool {
        let fits = |players: u32| self.values.can_sum(players, bounds);
        match self.per {
            TotalScope::Match => self.shape.legal_totals().any(fits),
            TotalScope::Team => {
                let sums = team_sums(self.shape, fits);
                self.shape.legal_totals().any(|total| sums[total as usize])
            }
        }
    }

    /// Whether every legal set of players has a sum within the bounds.
    pub(super) fn always_hold(&self, bounds: Bounds) -> bool {
        let holds = |players: u32| self.values.always_sums(players, bounds);
        match self.per {
            TotalScope::Match => self.shape.legal_totals().all(holds),
            TotalScope::Team => self.shape.positions.iter().all(|team| (team.min..=team.max).all(holds)),
        }
    }
}

/// The bounds of a total at all ages that a ticket lives to see; `None`: it does not bind at all of them, or is none.
pub(super) fn bands(spec: &QueueSpec, rule: &RuleSpec) -> Option<Vec<Bounds>> {
    let RuleKind::Total { bounds, steps, .. } = &rule.kind else { return None };
    let lives = |after: Millis| spec.timeout.is_none_or(|timeout| after < timeout);
    if rule.optional_after.is_some_and(lives) {
        return None;
    }
    let base = steps.first().is_none_or(|step| step.after > Millis(0)).then_some(Some(*bounds));
    let stepped = steps.iter().filter(|step| lives(step.after)).map(|step| step.value);
    base.into_iter().chain(stepped).collect()
}

/// The bounds as a finding shows them.
pub(super) fn shown(bounds: Bounds, per: TotalScope) -> String {
    let of = match per {
        TotalScope::Match => "the match",
        TotalScope::Team => "each team",
    };
    match (bounds.min, bounds.max) {
        (Some(min), Some(max)) => format!("a sum of {min} to {max} in {of}"),
        (Some(min), None) => format!("a sum of at least {min} in {of}"),
        (None, Some(max)) => format!("a sum of at most {max} in {of}"),
        (None, None) => format!("any sum in {of}"),
    }
}

/// The values that one player can add to a sum, in units of 0.000001.
struct Values {
    least: i128,
    greatest: i128,
    unit: i128,
    /// A player may bring none, which counts 0.
    may_miss: bool,
}

impl Values {
    fn of(spec: &QueueSpec, attribute: Option<usize>) -> Values {
        let Some(index) = attribute else {
            let one = i128::from(Fixed::ONE.micros());
            return Values { least: one, greatest: one, unit: one, may_miss: false };
        };
        let attribute = &spec.attributes[index];
        let unit = i128::from(unit(attribute.decimals));
        let least = i128::from(attribute.min.unwrap_or(Fixed::MIN).micros());
        let greatest = i128::from(attribute.max.unwrap_or(Fixed::MAX).micros());
        Values {
            least: -(-least).div_euclid(unit) * unit,
            greatest: greatest.div_euclid(unit) * unit,
            unit,
            may_miss: attribute.default.is_none(),
        }
    }

    fn can_sum(&self, players: u32, bounds: Bounds) -> bool {
        let (low, high) = ends(bounds);
        let with_value = if self.may_miss { 0..=players } else { players..=players };
        with_value.into_iter().any(|count| {
            let count = i128::from(count);
            let from = low.max(count * self.least);
            let first = -(-from).div_euclid(self.unit) * self.unit;
            (count == 0 || self.least <= self.greatest) && first <= high.min(count * self.greatest)
        })
    }

    fn always_sums(&self, players: u32, bounds: Bounds) -> bool {
        let (low, high) = ends(bounds);
        let none = if self.may_miss { 0 } else { self.least };
        let (least, greatest) =
            (self.least.min(none), self.greatest.max(if self.may_miss { 0 } else { none }));
        low <= i128::from(players) * least && i128::from(players) * greatest <= high
    }
}

/// Bounds in units of 0.000001; an absent one is beyond every sum.
fn ends(bounds: Bounds) -> (i128, i128) {
    let beyond = i128::from(i64::MAX) * 1000;
    let micros = |bound: Option<Fixed>, none| bound.map_or(none, |bound| i128::from(bound.micros()));
    (micros(bounds.min, -beyond), micros(bounds.max, beyond))
}

/// The totals of players that come about when every team that stands has a size that `fits`.
fn team_sums(shape: &Shape, fits: impl Fn(u32) -> bool) -> [bool; SIZES] {
    let mut reached = [false; SIZES];
    reached[0] = true;
    for group in &shape.groups {
        let team = &shape.positions[group.first];
        let sizes: Vec<u32> = (team.min..=team.max).filter(|&size| fits(size)).collect();
        let mut next = [false; SIZES];
        for count in 0..=group.count_max {
            if count >= group.count_min {
                next.iter_mut().zip(reached).for_each(|(sum, before)| *sum |= before);
            }
            reached = plus(&reached, &sizes);
        }
        reached = next;
    }
    reached
}

fn plus(sums: &[bool; SIZES], sizes: &[u32]) -> [bool; SIZES] {
    let mut next = [false; SIZES];
    for before in (0..SIZES).filter(|&sum| sums[sum]) {
        for after in sizes.iter().map(|&size| before + size as usize).filter(|&after| after < SIZES) {
            next[after] = true;
        }
    }
    next
}
