//! Each rule's share in the greatest cost of a match, as `check` shows it. The bounds are the library's.

use evenmatch::rules::spec::{QueueSpec, RuleKind};
use evenmatch::rules::validate::Largest;

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

/// One sentence for each rule whose cost has no bound.
pub(crate) fn unbounded(spec: &QueueSpec, costs: &[Largest]) -> Vec<String> {
    let named = spec.rules.iter().zip(costs).filter(|(_, cost)| **cost == Largest::Unbounded);
    let sentence = |rule: &evenmatch::rules::spec::RuleSpec| {
        format!(
            "the cost of rule {:?} has no bound, so it can outweigh every other; {}",
            rule.name,
            match rule.kind {
                RuleKind::Region { .. } => "a ping rule that goes away costs whatever the ping is",
                _ => "declare min and max of its attribute",
            }
        )
    };
    named.map(|(rule, _)| sentence(rule)).collect()
}

/// At most two digits behind the point.
pub(crate) fn short(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use evenmatch::base::fixed::Fixed;
    use evenmatch::model::attribute::AttributeSpec;
    use evenmatch::model::attribute::AttributeType;
    use evenmatch::model::ids::Millis;
    use evenmatch::rules::shape::Shape;
    use evenmatch::rules::spec::{Expand, Merge, Missing, NumberWindow, RuleSpec};
    use evenmatch::rules::validate::{largest_costs, warnings};

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
        assert_eq!(warnings(&spec), []);

        // Once optional it can be broken by all of the range: 5000 + 10 * (5000 - 600).
        spec.rules[0].optional_after = Some(Millis(10));
        spec.rules[1].weight = Fixed::from_micros(10_000);
        let costs = largest_costs(&spec, &shape);
        assert_eq!(costs, [Largest::Bounded(49_000.0), Largest::Bounded(2.0)]);
        let found = warnings(&spec).remove(0);
        assert_eq!(found.place, "rules[1].weight");
        assert_eq!(found.found, "a cost of at most 2 where rule \"skill\" can cost 49000");

        spec.attributes[0].max = None;
        let costs = largest_costs(&spec, &shape);
        assert_eq!(costs[0], Largest::Unbounded);
        assert!(unbounded(&spec, &costs)[0].contains("declare min and max"));
        // Past the timeout nothing becomes optional any more.
        spec.timeout = Some(Millis(10));
        assert_eq!(largest_costs(&spec, &shape)[0], Largest::Bounded(600.0));
    }
}
