//! How much each rule can add to the cost of a match at most, and which rules drown others.
//!
//! Used by `check`. Bounds, not forecasts: each rule's term and excess are taken at their greatest over all
//! ages below the timeout, from windows and declared ranges alone.

use crate::windows::number_at;
use evenmatch::base::fixed::Fixed;
use evenmatch::model::attribute::AttributeSpec;
use evenmatch::model::ids::Millis;
use evenmatch::rules::shape::Shape;
use evenmatch::rules::spec::{Bounds, NumberWindow, QueueSpec, RuleKind, RuleSpec, TotalScope};
use evenmatch::rules::window::Window;

/// The greatest cost that a rule can add.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Largest {
    /// At most this much.
    Bounded(f64),
    /// Nothing in the queue file bounds it.
    Unbounded,
}

/// What breaking an optional rule by one costs, in weights (design part 4).
const EXCESS_FACTOR: f64 = 10.0;
/// A rule that can cost so many times what another can decides alone.
const OUTWEIGHS_FACTOR: f64 = 100.0;

/// The greatest cost of every rule, in the order of the file.
pub(crate) fn largest_costs(spec: &QueueSpec, shape: &Shape) -> Vec<Largest> {
    spec.rules.iter().map(|rule| largest_cost(rule, spec, shape)).collect()
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

/// The share of each rule in the sum of all greatest costs, in percent; `None` where that sum has no bound or
/// is 0.
pub(crate) fn shares(costs: &[Largest]) -> Vec<Option<f64>> {
    let sum = costs.iter().try_fold(0.0, |sum, cost| match cost {
        Largest::Bounded(cost) => Some(sum + cost),
        Largest::Unbounded => None,
    });
    let percent = |cost: &Largest| match (cost, sum) {
        (Largest::Bounded(cost), Some(sum)) if sum > 0.0 => Some(100.0 * cost / sum),
        _ => None,
    };
    costs.iter().map(percent).collect()
}

/// One sentence for each rule that another outweighs a hundredfold, and for each whose cost has no bound.
pub(crate) fn warnings(spec: &QueueSpec, costs: &[Largest]) -> Vec<String> {
    let bounded = |cost: &Largest| match cost {
        Largest::Bounded(cost) => Some(*cost),
        Largest::Unbounded => None,
    };
    let named = || spec.rules.iter().zip(costs);
    let mut warnings = Vec::new();
    for (rule, _) in named().filter(|(_, cost)| **cost == Largest::Unbounded) {
        warnings.push(format!(
            "the cost of rule {:?} has no bound, so it can outweigh every other; {}",
            rule.name,
            match rule.kind {
                RuleKind::Region { .. } => "a ping rule that goes away costs whatever the ping is",
                _ => "declare min and max of its attribute",
            }
        ));
    }
    let heaviest = named().filter_map(|(rule, cost)| Some((rule, bounded(cost)?)));
    let Some((heavy, most)) = heaviest.max_by(|a, b| a.1.total_cmp(&b.1)) else { return warnings };
    for (light, cost) in named().filter_map(|(rule, cost)| Some((rule, bounded(cost)?))) {
        if cost > 0.0 && cost * OUTWEIGHS_FACTOR <= most {
            warnings.push(format!(
                "rule {:?} can cost {} and outweighs rule {:?} (at most {}) a hundredfold; the latter hardly \
                 decides anything: change their weights",
                heavy.name,
                short(most),
                light.name,
                short(cost)
            ));
        }
    }
    warnings
}

/// At most two digits behind the point.
pub(crate) fn short(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use evenmatch::model::attribute::AttributeType;
    use evenmatch::rules::spec::{Expand, Merge, Missing};

    fn rule(name: &str, kind: RuleKind) -> RuleSpec {
        RuleSpec {
            name: name.into(),
            weight: Fixed::ONE,
            optional_after: None,
            windows: None,
            may_tighten: false,
            kind,
        }
    }

    fn constant(limit: i64) -> NumberWindow {
        NumberWindow { base: Fixed::from_int(limit), expand: Expand::Never }
    }

    fn duel() -> QueueSpec {
        let mut spec = QueueSpec::new("q", 2, 2);
        spec.attributes.push(AttributeSpec {
            name: "skill".into(),
            kind: AttributeType::Number,
            default: None,
            min: Some(Fixed::ZERO),
            max: Some(Fixed::from_int(5000)),
            decimals: 0,
            path: None,
            source: None,
        });
        let (window, merge, missing) = (constant(600), Merge::Average, Missing::Any);
        spec.rules.push(rule(
            "skill",
            RuleKind::Difference { attribute: 0, window, merge, missing, default: None },
        ));
        spec.rules.push(rule("ping", RuleKind::Region { window: constant(200), path: None }));
        spec
    }

    #[test]
    fn windows_and_ranges_bound_the_cost() {
        let mut spec = duel();
        let shape = Shape::new(&spec);
        assert_eq!(largest_costs(&spec, &shape), [Largest::Bounded(600.0), Largest::Bounded(200.0)]);
        assert_eq!(shares(&largest_costs(&spec, &shape)), [Some(75.0), Some(25.0)]);
        assert!(warnings(&spec, &largest_costs(&spec, &shape)).is_empty());

        // Once optional it can be broken by all of the range: 5000 + 10 * (5000 - 600).
        spec.rules[0].optional_after = Some(Millis(10));
        spec.rules[1].weight = Fixed::from_micros(10_000);
        let costs = largest_costs(&spec, &shape);
        assert_eq!(costs, [Largest::Bounded(49_000.0), Largest::Bounded(2.0)]);
        assert!(warnings(&spec, &costs)[0].contains("outweighs rule \"ping\" (at most 2) a hundredfold"));

        spec.attributes[0].max = None;
        let costs = largest_costs(&spec, &shape);
        assert_eq!(costs[0], Largest::Unbounded);
        assert!(warnings(&spec, &costs)[0].contains("declare min and max"));
        // Past the timeout nothing becomes optional any more.
        spec.timeout = Some(Millis(10));
        assert_eq!(largest_costs(&spec, &shape)[0], Largest::Bounded(600.0));
    }
}
