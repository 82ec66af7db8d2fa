//! Declared attributes, and the defaults that queues and rules give for them. Called by `validate` only.

use super::{Faults, join_place};
use crate::base::fixed::{Fixed, unit};
use crate::model::attribute::{AttributeDefault, AttributeSpec, AttributeType};
use crate::model::limits::{ATTRIBUTES_MAX, LIST_VALUES_MAX, STRING_BYTES_MAX};
use crate::rules::spec::QueueSpec;
use std::collections::BTreeSet;

/// A name that a ticket's `limits` give another meaning.
const RESERVED: &str = "max_ping_ms";

/// Adds the faults of the queue's attributes.
pub(super) fn check(faults: &mut Faults, spec: &QueueSpec) {
    let mut names = BTreeSet::new();
    for (i, attribute) in spec.attributes.iter().enumerate() {
        let place = join_place("attributes", &attribute.name);
        if i == ATTRIBUTES_MAX {
            let found = format!("{} attributes", spec.attributes.len());
            faults.add(place, found, format!("a queue has at most {ATTRIBUTES_MAX} attributes"));
            return;
        }
        faults.name(&place, &attribute.name, "attribute");
        if attribute.name == RESERVED {
            faults.add(
                &*place,
                format!("an attribute named {RESERVED:?}"),
                "choose another name: in a ticket's `limits` this one is its greatest ping",
            );
        }
        if !names.insert(&attribute.name) {
            faults.add(
                &*place,
                format!("attribute {:?} a second time", attribute.name),
                "each attribute stands once",
            );
        }
        numbers(faults, &place, attribute);
        if let Some(default) = &attribute.default {
            default_value(faults, &join_place(&place, "default"), attribute, default);
        }
    }
}

fn numbers(faults: &mut Faults, place: &str, attribute: &AttributeSpec) {
    if !attribute.kind.is_numeric() {
        for (key, value) in [("min", attribute.min), ("max", attribute.max)] {
            if let Some(value) = value {
                let found = format!("{value} for type {:?}", attribute.kind.word());
                faults.add(join_place(place, key), found, "only numbers and integers have min and max");
            }
        }
        return;
    }
    if attribute.decimals > 6 {
        faults.add(join_place(place, "decimals"), attribute.decimals.to_string(), "needs 0 to 6");
    } else if attribute.kind == AttributeType::Integer && attribute.decimals != 0 {
        faults.add(
            join_place(place, "decimals"),
            attribute.decimals.to_string(),
            "an integer has 0 decimals",
        );
    }
    if let (Some(min), Some(max)) = (attribute.min, attribute.max)
        && min > max
    {
        faults.add(join_place(place, "min"), format!("min {min} above max {max}"), "min is at most max");
    }
}

/// Adds the faults of a default of `attribute`, be it the attribute's own or a rule's.
pub(super) fn default_value(
    faults: &mut Faults,
    place: &str,
    attribute: &AttributeSpec,
    default: &AttributeDefault,
) {
    match (attribute.kind, default) {
        (AttributeType::Number | AttributeType::Integer, AttributeDefault::Number(value)) => {
            number(faults, place, attribute, *value);
        }
        (AttributeType::String, AttributeDefault::String(text)) => string(faults, place, text),
        (AttributeType::StringList, AttributeDefault::StringList(values)) => list(faults, place, values),
        (kind, other) => {
            let needs = match kind {
                AttributeType::Number => "a number",
                AttributeType::Integer => "a whole number",
                AttributeType::String => "a string",
                AttributeType::StringList => "a list of strings",
            };
            let found = match other {
                AttributeDefault::Number(value) => value.to_string(),
                AttributeDefault::String(_) => "a string".to_owned(),
                AttributeDefault::StringList(_) => "a list of strings".to_owned(),
            };
            faults.add(place, found, format!("attribute {:?} needs {needs}", attribute.name));
        }
    }
}

fn number(faults: &mut Faults, place: &str, attribute: &AttributeSpec, value: Fixed) {
    let range = match (attribute.min, attribute.max) {
        (Some(min), Some(max)) => format!("needs {min} to {max}"),
        (Some(min), None) => format!("needs at least {min}"),
        (None, Some(max)) => format!("needs at most {max}"),
        (None, None) => String::new(),
    };
    let is_below = attribute.min.is_some_and(|min| value < min);
    if is_below || attribute.max.is_some_and(|max| value > max) {
        faults.add(place, value.to_string(), range);
    } else if value.micros() % unit(attribute.decimals) != 0 {
        let remedy = match attribute.decimals {
            0 => "needs a whole number".to_owned(),
            decimals => format!("needs at most {decimals} digits behind the point"),
        };
        faults.add(place, value.to_string(), remedy);
    }
}

fn string(faults: &mut Faults, place: &str, text: &str) {
    if text.len() > STRING_BYTES_MAX {
        faults.add(
            place,
            format!("a string of {} bytes", text.len()),
            format!("a string has at most {STRING_BYTES_MAX} bytes"),
        );
    }
}

pub(super) fn list(faults: &mut Faults, place: &str, values: &[String]) {
    if values.len() > LIST_VALUES_MAX {
        faults.add(
            place,
            format!("a list of {} values", values.len()),
            format!("a list has at most {LIST_VALUES_MAX} values"),
        );
    }
    for (i, value) in values.iter().enumerate().take(LIST_VALUES_MAX) {
        string(faults, &format!("{place}[{i}]"), value);
    }
}
