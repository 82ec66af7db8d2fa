//! The `attributes` of a queue file. Called by `native` only.

use crate::config::json::{Node, Value};
use crate::config::report::Report;
use crate::model::attribute::{AttributeDefault, AttributeSpec, AttributeType};
use crate::model::limits::ATTRIBUTES_MAX;
use std::collections::BTreeSet;

const TYPES: &[(&str, AttributeType)] = &[
    ("number", AttributeType::Number),
    ("integer", AttributeType::Integer),
    ("string", AttributeType::String),
    ("string_list", AttributeType::StringList),
];

/// Digits behind the point of a number whose attribute does not say how many: all that there are.
pub(crate) const DECIMALS_DEFAULT: u8 = 6;

/// Reads all attributes in the order of the file, and says which of them have no readable type.
pub(super) fn read(report: &mut Report, node: &Node<'_>) -> (Vec<AttributeSpec>, Vec<usize>) {
    let mut attributes = Vec::new();
    let mut untyped = Vec::new();
    let mut names = BTreeSet::new();
    for member in report.object(node).unwrap_or_default() {
        if attributes.len() > ATTRIBUTES_MAX {
            break;
        }
        if !names.insert(&member.key) {
            continue;
        }
        let (attribute, is_typed) = attribute(report, &member.key, &member.node);
        if !is_typed {
            untyped.push(attributes.len());
        }
        attributes.push(attribute);
    }
    (attributes, untyped)
}

fn attribute(report: &mut Report, name: &str, node: &Node<'_>) -> (AttributeSpec, bool) {
    let mut attribute = AttributeSpec {
        name: name.to_owned(),
        kind: AttributeType::Number,
        default: None,
        min: None,
        max: None,
        decimals: DECIMALS_DEFAULT,
        path: None,
        source: None,
    };
    let keys = ["type", "default", "min", "max", "decimals", "path", "source"];
    let Some(fields) = report.fields(node, &keys) else { return (attribute, false) };
    let kind = match fields.get("type") {
        Some(node) => report.word(node, TYPES),
        None => {
            report.missing(node, "type", "needs \"number\", \"integer\", \"string\" or \"string_list\"");
            None
        }
    };
    attribute.kind = kind.unwrap_or(AttributeType::Number);
    attribute.decimals = if attribute.kind == AttributeType::Number { DECIMALS_DEFAULT } else { 0 };
    attribute.default = fields.get("default").and_then(|node| default(report, node));
    attribute.min = fields.get("min").and_then(|node| report.number(node));
    attribute.max = fields.get("max").and_then(|node| report.number(node));
    if let Some(node) = fields.get("decimals") {
        if !attribute.kind.is_numeric() {
            report.wrong(node, "only numbers have decimals: leave the key out");
        } else if let Some(decimals) = report.count(node) {
            attribute.decimals = u8::try_from(decimals).unwrap_or(u8::MAX);
        }
    }
    attribute.path = fields.get("path").and_then(|node| report.string(node));
    attribute.source = fields.get("source").and_then(|node| report.string(node));
    (attribute, kind.is_some())
}

/// A default of any type; whether it fits the attribute is not looked at here.
pub(super) fn default(report: &mut Report, node: &Node<'_>) -> Option<AttributeDefault> {
    match node.value {
        Value::Number(_) => report.number(node).map(AttributeDefault::Number),
        Value::String(_) => report.string(node).map(AttributeDefault::String),
        Value::Array(_) => report.strings(node).map(AttributeDefault::StringList),
        _ => {
            report.wrong(node, "needs a number, a string or a list of strings, as the attribute's type is");
            None
        }
    }
}
