//! The `expand` of a rule: how its window changes with age. Called by the reader of rules only.

use crate::base::fixed::Fixed;
use crate::config::json::{Node, Value};
use crate::config::report::{Fault, Report};
use crate::model::ids::Millis;
use crate::model::limits::STEPS_MAX;
use crate::rules::spec::{Bounds, Expand, Step};

const KINDS: &[&str] = &["linear", "power", "steps"];

/// Reads the expansion of a window that is a number; [`Expand::Never`] stands for what could not be read.
pub(super) fn number(report: &mut Report, node: &Node<'_>) -> Expand {
    let expand = match kind(report, node) {
        Some(("linear", node)) => linear(report, node),
        Some(("power", node)) => power(report, node),
        Some((_, node)) => steps(report, node, "a number or null", nullable_number).map(Expand::Steps),
        None => None,
    };
    expand.unwrap_or(Expand::Never)
}

/// Reads the steps of a rule of type `rule` that has nothing else to expand by.
pub(super) fn only_steps<T>(
    report: &mut Report,
    node: &Node<'_>,
    rule: &str,
    needs: &str,
    value: fn(&mut Report, &Node<'_>) -> Option<T>,
) -> Vec<Step<T>> {
    match kind(report, node) {
        Some(("steps", node)) => steps(report, node, needs, value).unwrap_or_default(),
        Some((kind, node)) => {
            let found = format!("{kind} in a rule of type {rule:?}");
            report.push(Fault::new(node.start, found, "it expands by steps only"));
            Vec::new()
        }
        None => Vec::new(),
    }
}

/// The one kind of expansion that the object names.
fn kind<'a, 't>(report: &mut Report, node: &'a Node<'t>) -> Option<(&'static str, &'a Node<'t>)> {
    let fields = report.fields(node, KINDS)?;
    let mut named = KINDS.iter().filter_map(|&kind| fields.get(kind).map(|node| (kind, node)));
    let first = named.next();
    if let Some((second, second_node)) = named.next() {
        let found = format!("{second} beside another expansion");
        report.push(Fault::new(second_node.start, found, "a rule has one of linear, power and steps"));
        return None;
    }
    if first.is_none() && fields.node.members().is_empty() {
        report.push(Fault::new(node.start, "an empty object", "needs linear, power or steps"));
    }
    first
}

fn linear(report: &mut Report, node: &Node<'_>) -> Option<Expand> {
    let fields = report.fields(node, &["add", "every_s", "cap", "floor"])?;
    let add = match fields.get("add") {
        Some(node) => report.number(node),
        None => {
            report.missing(node, "add", "say what is added each time");
            None
        }
    };
    let every = match fields.get("every_s") {
        Some(node) => report.seconds(node),
        None => {
            report.missing(node, "every_s", "say after how many seconds it is added each time");
            None
        }
    };
    let cap = fields.get("cap").and_then(|node| report.number(node));
    let floor = fields.get("floor").and_then(|node| report.number(node));
    Some(Expand::Linear { add: add.unwrap_or_default(), every: every.unwrap_or(Millis(1)), cap, floor })
}

fn power(report: &mut Report, node: &Node<'_>) -> Option<Expand> {
    let fields = report.fields(node, &["factor", "exponent", "cap"])?;
    let mut number = |key, remedy| match fields.get(key) {
        Some(node) => report.number(node),
        None => {
            report.missing(node, key, remedy);
            None
        }
    };
    let factor = number("factor", "give the factor of factor * age_s^exponent");
    let exponent = number("exponent", "give the exponent of factor * age_s^exponent");
    let cap = fields.get("cap").and_then(|node| report.number(node));
    Some(Expand::Power { factor: factor.unwrap_or_default(), exponent: exponent.unwrap_or(Fixed::ONE), cap })
}

/// Reads steps; all of them, or none if one could not be read.
fn steps<T>(
    report: &mut Report,
    node: &Node<'_>,
    needs: &str,
    value: fn(&mut Report, &Node<'_>) -> Option<T>,
) -> Option<Vec<Step<T>>> {
    let elements = report.array(node, "steps")?;
    let elements = &elements[..elements.len().min(STEPS_MAX + 1)];
    let steps: Vec<_> = elements.iter().map(|element| step(report, element, needs, value)).collect();
    steps.into_iter().collect()
}

fn step<T>(
    report: &mut Report,
    node: &Node<'_>,
    needs: &str,
    value: fn(&mut Report, &Node<'_>) -> Option<T>,
) -> Option<Step<T>> {
    let fields = report.fields(node, &["after_s", "value"])?;
    let after = match fields.get("after_s") {
        Some(node) => report.seconds(node),
        None => {
            report.missing(node, "after_s", "say from which age on the step holds");
            None
        }
    };
    let value = match fields.get("value") {
        Some(node) => value(report, node),
        None => {
            report.missing(node, "value", format!("give what holds from then on, {needs}"));
            None
        }
    };
    Some(Step { after: after?, value: value? })
}

fn nullable_number(report: &mut Report, node: &Node<'_>) -> Option<Option<Fixed>> {
    match node.value {
        Value::Null => Some(None),
        Value::Number(_) => report.number(node).map(Some),
        _ => {
            report.wrong(node, "needs a number, or null to switch the rule off");
            None
        }
    }
}

/// The bounds of a total's step.
pub(super) fn nullable_bounds(report: &mut Report, node: &Node<'_>) -> Option<Option<Bounds>> {
    match node.value {
        Value::Null => Some(None),
        Value::Object(_) => {
            let fields = report.fields(node, &["min", "max"])?;
            let min = fields.get("min").map(|node| report.number(node));
            let max = fields.get("max").map(|node| report.number(node));
            let is_readable = min != Some(None) && max != Some(None);
            is_readable.then(|| Some(Bounds { min: min.flatten(), max: max.flatten() }))
        }
        _ => {
            report.wrong(node, "needs {\"min\": .., \"max\": ..}, or null to switch the rule off");
            None
        }
    }
}
