//! The `rules` of a queue file. Called by `native` only.
//!
//! Invariant: every rule of the file has its place in the list, read or not, so that paths keep their
//! indices.

use super::attribute;
use super::expand::{nullable_bounds, number as number_expand, only_steps};
use super::queue::WINDOWS;
use crate::base::fixed::Fixed;
use crate::config::json::Node;
use crate::config::report::{Fault, Fields, Report, nearest};
use crate::model::attribute::AttributeSpec;
use crate::model::limits::RULES_MAX;
use crate::rules::spec::{Bounds, Expand, Merge, Missing, NumberWindow, RuleKind, RuleSpec, TotalScope};

/// The types of rules, with the keys that each has beside those of all rules.
pub(crate) const TYPES: &[(&str, &[&str])] = &[
    ("equality", &["attribute", "missing", "default"]),
    ("difference", &["attribute", "max", "merge", "missing", "default"]),
    ("team_difference", &["attribute", "max", "default"]),
    ("intersection", &["attribute", "min", "missing", "default"]),
    ("total", &["attribute", "min", "max", "per"]),
    ("region", &["max_ms", "path"]),
    ("team_size", &["max"]),
    ("premade_balance", &[]),
];

/// The keys of all rules.
pub(crate) const KEYS: &[&str] =
    &["name", "type", "weight", "optional_after_s", "windows", "may_tighten", "expand"];

const MERGES: &[(&str, Merge)] = &[("average", Merge::Average), ("min", Merge::Min), ("max", Merge::Max)];
const MISSING: &[(&str, Missing)] = &[("any", Missing::Any), ("default", Missing::Default)];
const SCOPES: &[(&str, TotalScope)] = &[("match", TotalScope::Match), ("team", TotalScope::Team)];

/// Reads all rules in the order of the file.
pub(super) fn read(report: &mut Report, node: &Node<'_>, attributes: &[AttributeSpec]) -> Vec<RuleSpec> {
    let elements = report.array(node, "rules").unwrap_or_default();
    elements.iter().take(RULES_MAX + 1).map(|element| rule(report, element, attributes)).collect()
}

/// The attribute that a rule names, as an index.
pub(super) fn attribute_of(rule: &RuleSpec) -> Option<usize> {
    match rule.kind {
        RuleKind::Equality { attribute, .. }
        | RuleKind::Difference { attribute, .. }
        | RuleKind::TeamDifference { attribute, .. }
        | RuleKind::Intersection { attribute, .. } => Some(attribute),
        RuleKind::Total { attribute, .. } => attribute,
        RuleKind::Region { .. } | RuleKind::TeamSize { .. } | RuleKind::PremadeBalance => None,
    }
}

fn rule(report: &mut Report, node: &Node<'_>, attributes: &[AttributeSpec]) -> RuleSpec {
    let mut rule = RuleSpec {
        name: String::new(),
        weight: Fixed::ONE,
        optional_after: None,
        windows: None,
        may_tighten: false,
        kind: RuleKind::PremadeBalance,
    };
    let Some(members) = report.object(node) else { return rule };
    let kind = match members.iter().find(|member| member.key == "type") {
        Some(member) => report
            .word(&member.node, TYPES.iter().map(|&(word, _)| (word, word)).collect::<Vec<_>>().as_slice()),
        None => {
            let words: Vec<&str> = TYPES.iter().map(|(word, _)| *word).collect();
            report.missing(node, "type", format!("needs one of {}", words.join(", ")));
            None
        }
    };
    // Of a rule of unknown type every key that some rule has may stand.
    let own =
        TYPES.iter().filter(|(word, _)| kind.is_none_or(|kind| kind == *word)).flat_map(|(_, keys)| *keys);
    let keys: Vec<&str> = KEYS.iter().chain(own).copied().collect();
    let Some(fields) = report.fields(node, &keys) else { return rule };
    match fields.get("name") {
        Some(node) => rule.name = report.string(node).unwrap_or_default(),
        None => report.missing(node, "name", "give the rule a name"),
    }
    if let Some(node) = fields.get("weight") {
        rule.weight = report.number(node).unwrap_or(Fixed::ONE);
    }
    rule.optional_after = fields.get("optional_after_s").and_then(|node| report.seconds(node));
    rule.windows = fields.get("windows").and_then(|node| report.word(node, WINDOWS));
    if let Some(node) = fields.get("may_tighten") {
        // What could not be read is taken for leave, so that nothing is reported that was not meant.
        rule.may_tighten = report.bool(node).unwrap_or(true);
    }
    if let Some(kind) = kind {
        rule.kind = Body { report, fields: &fields, attributes }.kind(kind);
    }
    rule
}

/// The keys of one rule that its type alone has.
struct Body<'a, 'n, 't> {
    report: &'a mut Report,
    fields: &'a Fields<'n, 't>,
    attributes: &'a [AttributeSpec],
}

impl Body<'_, '_, '_> {
    fn kind(&mut self, kind: &str) -> RuleKind {
        match kind {
            "equality" => RuleKind::Equality {
                attribute: self.attribute(),
                missing: self.missing(),
                default: self.fields.get("default").and_then(|node| attribute::default(self.report, node)),
                steps: self.steps(kind, "true or false", Report::bool),
            },
            "difference" => RuleKind::Difference {
                attribute: self.attribute(),
                window: self.window("max"),
                merge: self.word("merge", MERGES, Merge::Average),
                missing: self.missing(),
                default: self.number("default"),
            },
            "team_difference" => RuleKind::TeamDifference {
                attribute: self.attribute(),
                window: self.window("max"),
                default: self.team_default(),
            },
            "intersection" => RuleKind::Intersection {
                attribute: self.attribute(),
                window: self.window("min"),
                missing: self.missing(),
                default: self.fields.get("default").and_then(|node| self.report.strings(node)),
            },
            "total" => self.total(),
            "region" => RuleKind::Region {
                window: self.window("max_ms"),
                path: self.fields.get("path").and_then(|node| self.report.string(node)),
            },
            "team_size" => RuleKind::TeamSize { window: self.window("max") },
            _ => {
                if let Some(node) = self.fields.get("expand") {
                    let found = "expand in a rule of type \"premade_balance\"";
                    self.report.push(Fault::new(node.start, found, "it has no window that could expand"));
                }
                RuleKind::PremadeBalance
            }
        }
    }

    fn total(&mut self) -> RuleKind {
        let attribute = self.fields.get("attribute").is_some().then(|| self.attribute());
        let bounds = Bounds { min: self.number("min"), max: self.number("max") };
        let per = self.word("per", SCOPES, TotalScope::Match);
        let steps = self.steps("total", "{\"min\": .., \"max\": ..} or null", nullable_bounds);
        RuleKind::Total { attribute, bounds, per, steps }
    }

    /// The index of the attribute that the rule names; one that does not exist if it names none.
    fn attribute(&mut self) -> usize {
        let Some(node) = self.fields.get("attribute") else {
            self.report.missing(self.fields.node, "attribute", "name a declared attribute");
            return usize::MAX;
        };
        let Some(name) = self.report.string(node) else { return usize::MAX };
        let declared = self.attributes.iter().position(|attribute| attribute.name == name);
        declared.unwrap_or_else(|| {
            let names: Vec<&str> = self.attributes.iter().map(|attribute| &*attribute.name).collect();
            let remedy = match names.len() {
                0 => "declare it in `attributes`".to_owned(),
                _ => nearest(&name, &names, "attributes"),
            };
            self.report.push(Fault::new(
                node.start,
                format!("the undeclared attribute {}", node.shown()),
                remedy,
            ));
            usize::MAX
        })
    }

    fn window(&mut self, key: &str) -> NumberWindow {
        let base = match self.fields.get(key) {
            Some(node) => self.report.number(node),
            None => {
                self.report.missing(self.fields.node, key, "say what the rule allows at age 0");
                None
            }
        };
        let expand = self.fields.get("expand").map_or(Expand::Never, |node| number_expand(self.report, node));
        // Without a base nothing can be said about what follows it.
        match base {
            Some(base) => NumberWindow { base, expand },
            None => NumberWindow { base: Fixed::ZERO, expand: Expand::Never },
        }
    }

    fn steps<T>(
        &mut self,
        kind: &str,
        needs: &str,
        value: fn(&mut Report, &Node<'_>) -> Option<T>,
    ) -> Vec<crate::rules::spec::Step<T>> {
        let node = self.fields.get("expand");
        node.map_or_else(Vec::new, |node| only_steps(self.report, node, kind, needs, value))
    }

    fn number(&mut self, key: &str) -> Option<Fixed> {
        self.fields.get(key).and_then(|node| self.report.number(node))
    }

    /// The default of a team_difference; if it could not be read, any number, for the rule has one.
    fn team_default(&mut self) -> Option<Fixed> {
        self.fields.get("default").map(|node| self.report.number(node).unwrap_or_default())
    }

    fn word<T: Copy>(&mut self, key: &str, words: &[(&str, T)], default: T) -> T {
        self.fields.get(key).and_then(|node| self.report.word(node, words)).unwrap_or(default)
    }

    /// What a ticket without a value does; `default` if the rule does not say or could not be read.
    fn missing(&mut self) -> Missing {
        self.word("missing", MISSING, Missing::Default)
    }
}
