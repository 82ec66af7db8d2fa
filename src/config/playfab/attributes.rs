//! The attributes that the rules of a PlayFab queue read, each once. Called by the readers of rules.
//!
//! PlayFab declares no attributes; a rule names a path and a source, and what it does with the value gives the
//! type. Invariant: two entries differ in source or path, and names are unique.

use super::path;
use crate::config::json::{Node, Value};
use crate::config::report::{Fault, Report};
use crate::model::attribute::{AttributeSpec, AttributeType};

/// Stands in a rule for an attribute that could not be read; a fault was added for it.
pub(super) const UNREADABLE: usize = usize::MAX;

/// The words of `Source`, and whether each means the player's entity.
const SOURCES: &[(&str, bool)] = &[("User", false), ("PlayerEntity", true)];

/// What an attribute of a player's entity is named after in native files.
const ENTITY: &str = "PlayerEntity";

/// The attributes so far.
#[derive(Default)]
pub(super) struct Attributes {
    pub(super) specs: Vec<AttributeSpec>,
    /// Source and steps of each, and the rule that named it first.
    keys: Vec<(bool, Vec<String>, String)>,
}

impl Attributes {
    /// Reads the `Attribute` of a rule, which reads it as `kind`.
    pub(super) fn read(
        &mut self,
        report: &mut Report,
        node: &Node<'_>,
        kind: AttributeType,
        rule: &str,
    ) -> usize {
        let Some(fields) = report.fields(node, &["Path", "Source"]) else { return UNREADABLE };
        let is_entity = match fields.get("Source").filter(|node| !matches!(node.value, Value::Null)) {
            Some(node) => report.word(node, SOURCES).unwrap_or(false),
            None => false,
        };
        let Some(path_node) = fields.get("Path") else {
            report.missing(node, "Path", path::LEGAL);
            return UNREADABLE;
        };
        let Some(text) = report.string(path_node) else { return UNREADABLE };
        let Some(steps) = path::steps(&text) else {
            report.wrong(path_node, path::LEGAL);
            return UNREADABLE;
        };
        let known = self.keys.iter().position(|(entity, other, _)| *entity == is_entity && *other == steps);
        if let Some(index) = known {
            let spec = &self.specs[index];
            if spec.kind != kind {
                let found = format!("{} read as a {}", path_node.shown(), kind.word());
                let remedy = format!("rule {:?} reads it as a {}", self.keys[index].2, spec.kind.word());
                report.push(Fault::new(path_node.start, found, remedy));
                return UNREADABLE;
            }
            return index;
        }
        self.add(&text, steps, is_entity, kind, rule)
    }

    fn add(
        &mut self,
        text: &str,
        steps: Vec<String>,
        is_entity: bool,
        kind: AttributeType,
        rule: &str,
    ) -> usize {
        let plain = steps.join(".");
        let stem = if is_entity { format!("{ENTITY}/{plain}") } else { plain };
        let mut name = stem.clone();
        let mut number = 1;
        while self.specs.iter().any(|spec| spec.name == name) {
            number += 1;
            name = format!("{stem}_{number}");
        }
        self.specs.push(AttributeSpec {
            path: (name != text || steps.len() > 1).then(|| text.to_owned()),
            name,
            kind,
            default: None,
            min: None,
            max: None,
            decimals: if kind == AttributeType::Number { 6 } else { 0 },
            source: is_entity.then(|| ENTITY.to_owned()),
        });
        self.keys.push((is_entity, steps, rule.to_owned()));
        self.specs.len() - 1
    }
}

/// Whether an attribute stands among a player's entity objects.
pub(super) fn is_of_entity(spec: &AttributeSpec) -> bool {
    spec.source.as_deref() == Some(ENTITY)
}
