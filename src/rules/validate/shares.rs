//! How much each rule can add to the cost of a match at most, and which rules drown others.
//!
//! Called by `warnings`, and by whoever prints a queue's cost shares. Bounds, not forecasts: each rule's term and
//! excess are taken at their greatest over all ages below the timeout, from windows and declared ranges alone, in
//! floating point, since no decision of the engine is made on them.

use super::Faults;
use crate::base::fixed::Fixed;
use crate::model::attribute::AttributeSpec;
use crate::model::ids::Millis;
use crate::rules::shape::Shape;
use crate::rules::spec::{Bounds, NumberWindow, QueueSpec, RuleKind, RuleSpec, TotalScope};
use crate::rules::window::Window;

/// The greatest cost that a rule can add.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Largest {
    /// At most this much.
    Bounded(f64),
    /// Nothing in the queue file bounds it.
    Unbounded,
}

/// What breaking an optional rule by one costs, in weights (design part 4).
const EXCESS_FACTOR: f64 = 10.0;
/// A rule that can cost so many times what another can decides alone.
const OUTWEIGHS_FACTOR: f64 = 100.0;

/// The greatest cost of every rule of a queue that has been validated, in the order of the file.
pub fn largest_costs(spec: &QueueSpec, shape: &Shape) -> Vec<Largest> {
    spec.rules.iter().map(|rule| largest_cost(rule, spec, shape)).collect()
}

/// Warns of each rule that another outweighs a hundredfold.
pub(super) fn warn(faults: &mut Faults, spec: &QueueSpec, shape: &Shape) {
    let bounded = |cost| match cost {
        Largest::Bounded(cost) => Some(cost),
        Largest::Unbounded => None,
    };
    let costs: Vec<Option<f64>> = largest_costs(spec, shape).into_iter().map(bounded).collect();
    let known = costs.iter().enumerate().filter_map(|(index, cost)| cost.map(|cost| (index, cost)));
    let Some((heavy, most)) = known.clone().max_by(|a, b| a.1.total_cmp(&b.1)) else { return };
    for (light, cost) in known.filter(|&(_, cost)| cost > 0.0 && cost * OUTWEIGHS_FACTOR <= most) {
        faults.add(
            format!("rules[{light}].weight"),
            format!(
                "a cost of at most {} where rule {:?} can cost {}",
                short(cost),
                spec.rules[heavy].name,
                short(most)
            ),
            "a hundredfold cost decides alone: raise this weight or lower the other",
        );
    }
}

/// At most two digits behind the point.
fn short(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn largest_cost(rule: &RuleSpec, spec: &QueueSpec, shape: &Shape) -> Largest {
    let weight = rule.weight.to_f64();
    if weight == 0.0 {
        return Largest::Bounded(0.0);
    }
    let optional_from =
        rule.optional_after.filter(|&after| spec.timeout.is_none_or(|timeout| after < timeout));
    let term = largest_term(rule, spec);
    let excess = optional_from.map_or(Some(0.0), |age| largest_excess(rule, age, spec, shape));
    match term.zip(excess) {
        Some((term, excess)) => Largest::Bounded(weight * (term + EXCESS_FACTOR * excess.max(0.0))),
        None => Largest::Unbounded,
    }
}

/// The term that counts at every age; `None`: no bound.
fn largest_term(rule: &RuleSpec, spec: &QueueSpec) -> Option<f64> {
    let widest = |window: &NumberWindow| {
        let greatest = Window::new(window, rule.optional_after).greatest(spec.timeout);
        (!greatest.vanishes).then(|| Fixed::from_micros(greatest.limit).to_f64())
    };
    match &rule.kind {
        RuleKind::Difference { attribute, window, .. } => {
            match (widest(window), range(&spec.attributes[*attribute])) {
                (Some(limit), Some(range)) => Some(limit.min(range)),
                (limit, range) => limit.or(range),
            }
        }
        RuleKind::Region { window, .. } => widest(window),
        _ => Some(0.0),
    }
}

/// The number that a window has at `age`, optional or not; `None`: switched off.
fn number_at(window: &NumberWindow, age: Millis) -> Option<Fixed> {
    Window::new(window, None).at(age).limit.map(Fixed::from_micros)
}

/// By how much the rule can be broken once it is optional from `age` on; `None`: no bound.
fn largest_excess(rule: &RuleSpec, age: Millis, spec: &QueueSpec, shape: &Shape) -> Option<f64> {
    let beyond = |window: &NumberWindow, greatest: Option<f64>| {
        number_at(window, age).map_or(Some(0.0), |limit| greatest.map(|greatest| greatest - limit.to_f64()))
    };
    match &rule.kind {
        RuleKind::Difference { attribute, window, .. }
        | RuleKind::TeamDifference { attribute, window, .. } => {
            beyond(window, range(&spec.attributes[*attribute]))
        }
        RuleKind::Region { window, .. } => beyond(window, None),
        RuleKind::TeamSize { window } => {
            let least = shape.positions.iter().map(|team| team.min).min().unwrap_or(0);
            beyond(window, Some(f64::from(shape.team_max - least.min(shape.team_max))))
        }
        RuleKind::Intersection { window, .. } => Some(number_at(window, age).map_or(0.0, Fixed::to_f64)),
        RuleKind::Equality { .. } => Some(f64::from(shape.full.saturating_sub(1))),
        RuleKind::PremadeBalance => {
            let large = shape.team_max.div_ceil(2).max(2);
            let most = |team_max: u32| (team_max / large).saturating_sub(1).max(1);
            Some(shape.positions.iter().map(|team| f64::from(most(team.max))).sum())
        }
        RuleKind::Total { attribute, bounds, per, .. } => {
            let values = match attribute {
                Some(index) => {
                    let declared = &spec.attributes[*index];
                    (declared.min?.to_f64().min(0.0), declared.max?.to_f64().max(0.0))
                }
                None => (0.0, 1.0),
            };
            Some(match per {
                TotalScope::Match => beyond_bounds(bounds, values, shape.full),
                TotalScope::Team => {
                    shape.positions.iter().map(|team| beyond_bounds(bounds, values, team.max)).sum()
                }
            })
        }
    }
}

/// How far the sum of `players` values can lie outside `bounds`.
fn beyond_bounds(bounds: &Bounds, values: (f64, f64), players: u32) -> f64 {
    let (least, greatest) = (values.0 * f64::from(players), values.1 * f64::from(players));
    let below = bounds.min.map_or(0.0, |min| min.to_f64() - least);
    let above = bounds.max.map_or(0.0, |max| greatest - max.to_f64());
    below.max(above).max(0.0)
}

/// How far two values of the attribute can lie apart.
fn range(attribute: &AttributeSpec) -> Option<f64> {
    Some(attribute.max?.to_f64() - attribute.min?.to_f64())
}
