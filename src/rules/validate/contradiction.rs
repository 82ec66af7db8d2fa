//! Totals that no match meets together, though each by itself can be met. Called by `warnings` only, for queues without
//! a fault.
//!
//! Every finding is certain: it looks at the bounds that two totals of one attribute have at any age, and only at
//! totals that bind at all ages. Sums of a match are held against those of its teams by the number of teams alone.

use super::Faults;
use super::totals::{Sets, bands, shown};
use crate::base::fixed::Fixed;
use crate::rules::shape::Shape;
use crate::rules::spec::{Bounds, QueueSpec, RuleKind, TotalScope};

/// A total that binds at all ages.
struct Binding {
    rule: usize,
    attribute: Option<usize>,
    per: TotalScope,
    /// What it asks for at one age or another.
    bands: Vec<Bounds>,
}

/// Warns of each total that contradicts one before it.
pub(super) fn warn(faults: &mut Faults, spec: &QueueSpec, shape: &Shape) {
    let mut before: Vec<Binding> = Vec::new();
    for (index, rule) in spec.rules.iter().enumerate() {
        let RuleKind::Total { attribute, per, .. } = &rule.kind else { continue };
        let Some(bands) = bands(spec, rule) else { continue };
        let sets = Sets::new(spec, shape, *attribute, *per);
        // What no match meets by itself has a warning already.
        if !bands.iter().any(|band| sets.can_hold(*band)) {
            continue;
        }
        let binding = Binding { rule: index, attribute: *attribute, per: *per, bands };
        let other = before.iter().find(|other| {
            let alike = other.attribute == binding.attribute;
            alike && !can_hold_both(other, &binding, &sets, shape)
        });
        if let (Some(other), [own, ..]) = (other, binding.bands.as_slice()) {
            let named = &spec.rules[other.rule].name;
            let theirs = other.bands.first().map_or(String::new(), |band| shown(*band, other.per));
            faults.add(
                format!("rules[{index}]"),
                format!("{} where rule {named:?} asks for {theirs}", shown(*own, binding.per)),
                "no match can meet both: change the bounds of one of them",
            );
        }
        before.push(binding);
    }
}

/// Whether some sum lies within bounds of both; `sets` are those of the second.
fn can_hold_both(first: &Binding, second: &Binding, sets: &Sets<'_>, shape: &Shape) -> bool {
    let pairs = first.bands.iter().flat_map(|a| second.bands.iter().map(move |b| (*a, *b)));
    let mut pairs = pairs.map(|(a, b)| match (first.per, second.per) {
        (TotalScope::Match, TotalScope::Match) | (TotalScope::Team, TotalScope::Team) => (a, b, true),
        (TotalScope::Match, TotalScope::Team) => (a, of_match(b, shape), false),
        (TotalScope::Team, TotalScope::Match) => (of_match(a, shape), b, false),
    });
    pairs.any(|(a, b, is_exact)| {
        let both = Bounds { min: a.min.max(b.min), max: least(a.max, b.max) };
        let is_empty = both.min.zip(both.max).is_some_and(|(min, max)| min > max);
        !is_empty && (!is_exact || sets.can_hold(both))
    })
}

/// The lower of two upper bounds.
fn least(a: Option<Fixed>, b: Option<Fixed>) -> Option<Fixed> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// Within which bounds the sum of a match lies, if that of each team lies within `bounds`.
fn of_match(bounds: Bounds, shape: &Shape) -> Bounds {
    let teams = |count: fn(&crate::rules::shape::Group) -> usize| {
        i64::try_from(shape.groups.iter().map(count).sum::<usize>()).unwrap_or(i64::MAX)
    };
    let (fewest, most) = (teams(|group| group.count_min), teams(|group| group.count_max));
    // Above all numbers of teams a bound below 0 is furthest out with the most of them, one above 0 with the fewest.
    let times = |bound: Fixed, count: i64| bound.micros().checked_mul(count).map(Fixed::from_micros);
    let min = bounds.min.and_then(|min| times(min, if min > Fixed::ZERO { fewest } else { most }));
    let max = bounds.max.and_then(|max| times(max, if max > Fixed::ZERO { most } else { fewest }));
    Bounds { min, max }
}
