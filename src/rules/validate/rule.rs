//! Rules: their names, attributes, defaults and what each kind asks of its numbers. Called by `validate` and
//! `warnings` only.

use super::attribute::default_value;
use super::window::{WindowCheck, bound_steps, bounds, switch_steps};
use super::{Faults, queue};
use crate::base::fixed::Fixed;
use crate::model::attribute::{AttributeDefault, AttributeSpec, AttributeType};
use crate::model::ids::Millis;
use crate::model::limits::{LIST_VALUES_MAX, MATCH_PLAYERS_MAX, RULES_MAX};
use crate::rules::spec::{Expand, Missing, NumberWindow, QueueSpec, RuleKind, RuleSpec, TotalScope};
use std::collections::BTreeSet;

/// Adds the faults of all rules.
pub(super) fn check(faults: &mut Faults, spec: &QueueSpec) {
    let mut names = BTreeSet::new();
    let mut region_rules = 0;
    for (i, rule) in spec.rules.iter().enumerate() {
        let place = format!("rules[{i}]");
        if i == RULES_MAX {
            faults.add(
                place,
                format!("{} rules", spec.rules.len()),
                format!("a queue has at most {RULES_MAX} rules"),
            );
            return;
        }
        let name_at = format!("{place}.name");
        faults.name(&name_at, &rule.name, "rule");
        if !names.insert(&rule.name) {
            faults.add(name_at, format!("rule {:?} a second time", rule.name), "each rule has its own name");
        }
        if rule.weight < Fixed::ZERO {
            faults.add(format!("{place}.weight"), rule.weight.to_string(), "needs 0 or more");
        }
        queue::time(faults, &format!("{place}.optional_after_s"), rule.optional_after);
        region_rules += u32::from(matches!(rule.kind, RuleKind::Region { .. }));
        if region_rules > 1 && matches!(rule.kind, RuleKind::Region { .. }) {
            faults.add(format!("{place}.type"), "another region rule", "a queue has at most one region rule");
        }
        kind(faults, spec, rule, &place);
    }
}

fn kind(faults: &mut Faults, spec: &QueueSpec, rule: &RuleSpec, place: &str) {
    let on = |attribute| Named { spec, place, attribute };
    match &rule.kind {
        RuleKind::Equality { attribute, missing, default, steps } => {
            let attribute = on(*attribute).fits(
                faults,
                |kind| kind != AttributeType::StringList,
                "a string or a numeric",
            );
            check_default(faults, place, attribute, default.clone(), Some(*missing));
            switch_steps(faults, place, rule, steps);
        }
        RuleKind::Difference { attribute, window, missing, default, .. } => {
            let attribute = on(*attribute).fits(faults, AttributeType::is_numeric, "a numeric");
            check_default(faults, place, attribute, default.map(AttributeDefault::Number), Some(*missing));
            number(spec, rule, place, "max").check(faults, window);
        }
        RuleKind::TeamDifference { attribute, window, default } => {
            let attribute = on(*attribute).fits(faults, AttributeType::is_numeric, "a numeric");
            check_default(faults, place, attribute, default.map(AttributeDefault::Number), None);
            if default.is_none() && attribute.is_some_and(|attribute| attribute.default.is_none()) {
                faults.add(
                    format!("{place}.default"),
                    "a team_difference without a default",
                    "give the rule or its attribute a default",
                );
            }
            number(spec, rule, place, "max").check(faults, window);
        }
        RuleKind::Intersection { attribute, window, missing, default } => {
            let attribute =
                on(*attribute).fits(faults, |kind| kind == AttributeType::StringList, "a string_list");
            check_default(
                faults,
                place,
                attribute,
                default.clone().map(AttributeDefault::StringList),
                Some(*missing),
            );
            let greatest = Fixed::from_int(LIST_VALUES_MAX as i64);
            WindowCheck { loosens_down: true, whole: true, greatest, ..number(spec, rule, place, "min") }
                .check(faults, window);
        }
        RuleKind::Total { attribute, bounds: base, steps, .. } => {
            if let Some(attribute) = attribute {
                on(*attribute).fits(faults, AttributeType::is_numeric, "a numeric");
            }
            bounds(faults, place, *base, "give min, max or both");
            bound_steps(faults, place, rule, *base, steps);
        }
        RuleKind::Region { window, .. } => number(spec, rule, place, "max_ms").check(faults, window),
        RuleKind::TeamSize { window } => {
            let greatest = Fixed::from_int(MATCH_PLAYERS_MAX as i64);
            WindowCheck { whole: true, greatest, ..number(spec, rule, place, "max") }.check(faults, window);
        }
        RuleKind::PremadeBalance => {}
    }
}

/// The check of a window of any number, 0 and up, that loosens upwards.
fn number<'a>(spec: &QueueSpec, rule: &RuleSpec, place: &'a str, key: &'static str) -> WindowCheck<'a> {
    WindowCheck {
        place,
        key,
        loosens_down: false,
        whole: false,
        greatest: Fixed::MAX,
        may_tighten: rule.may_tighten,
        timeout: spec.timeout,
    }
}

/// The attribute that a rule names.
struct Named<'a> {
    spec: &'a QueueSpec,
    place: &'a str,
    attribute: usize,
}

impl<'a> Named<'a> {
    /// The attribute, if it exists and is of a fitting type; adds the fault if not. `needs`: what stands before
    /// "attribute" in the remedy.
    fn fits(
        &self,
        faults: &mut Faults,
        fits: fn(AttributeType) -> bool,
        needs: &str,
    ) -> Option<&'a AttributeSpec> {
        let place = format!("{}.attribute", self.place);
        let Some(attribute) = self.spec.attributes.get(self.attribute) else {
            let found = format!("attribute {} of {}", self.attribute, self.spec.attributes.len());
            faults.add(place, found, "needs an attribute that the queue declares");
            return None;
        };
        if !fits(attribute.kind) {
            let found = format!("{:?} of type {:?}", attribute.name, attribute.kind.word());
            faults.add(place, found, format!("the rule needs {needs} attribute"));
            return None;
        }
        Some(attribute)
    }
}

fn check_default(
    faults: &mut Faults,
    place: &str,
    attribute: Option<&AttributeSpec>,
    default: Option<AttributeDefault>,
    missing: Option<Missing>,
) {
    let Some(attribute) = attribute else { return };
    let beside = match (&default, &attribute.default) {
        (Some(_), _) => Some("a default of the rule"),
        (None, Some(_)) => Some("a default of the attribute"),
        (None, None) => None,
    };
    if let (Some(Missing::Any), Some(beside)) = (missing, beside) {
        let found = format!("\"any\" beside {beside}");
        faults.add(
            format!("{place}.missing"),
            found,
            "a default leaves nothing missing: drop one of the two",
        );
    }
    if let Some(default) = default {
        default_value(faults, &format!("{place}.default"), attribute, &default);
    }
}

/// Adds what is legal in rules and without effect.
pub(super) fn warn(faults: &mut Faults, spec: &QueueSpec) {
    for (i, rule) in spec.rules.iter().enumerate().take(RULES_MAX) {
        let place = format!("rules[{i}]");
        warn_ages(faults, spec, rule, &place);
        let of_teams = match rule.kind {
            RuleKind::TeamDifference { .. } | RuleKind::TeamSize { .. } | RuleKind::PremadeBalance => true,
            RuleKind::Total { per, .. } => per == TotalScope::Team,
            _ => false,
        };
        if of_teams && spec.teams.is_empty() {
            faults.add(place, "a rule about teams in a queue without teams", "the match is one team there");
        }
    }
}

/// Warns of steps and of an `optional_after_s` that no ticket lives to see.
fn warn_ages(faults: &mut Faults, spec: &QueueSpec, rule: &RuleSpec, place: &str) {
    let Some(timeout) = spec.timeout else { return };
    let mut late = |place: String, age| {
        if age >= timeout {
            faults.add(place, format!("{age} s with a timeout of {timeout} s"), "no ticket reaches that age");
        }
    };
    if let Some(age) = rule.optional_after {
        late(format!("{place}.optional_after_s"), age);
    }
    let ages: Vec<_> = match &rule.kind {
        RuleKind::Equality { steps, .. } => steps.iter().map(|step| step.after).collect(),
        RuleKind::Total { steps, .. } => steps.iter().map(|step| step.after).collect(),
        RuleKind::Difference { window, .. }
        | RuleKind::TeamDifference { window, .. }
        | RuleKind::Intersection { window, .. }
        | RuleKind::Region { window, .. }
        | RuleKind::TeamSize { window } => window_ages(window),
        RuleKind::PremadeBalance => Vec::new(),
    };
    for (k, age) in ages.into_iter().enumerate() {
        late(format!("{place}.expand.steps[{k}].after_s"), age);
    }
}

fn window_ages(window: &NumberWindow) -> Vec<Millis> {
    match &window.expand {
        Expand::Steps(steps) => steps.iter().map(|step| step.after).collect(),
        _ => Vec::new(),
    }
}
