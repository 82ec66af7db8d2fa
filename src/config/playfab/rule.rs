//! What all rules of a PlayFab queue have in common, and which rules a queue has. Called by `queue` only.
//!
//! The documentation lists rules of all types in `Rules`, each with its `Type`; the API has an array or an object
//! for each type. A file may mix both. Invariant: rules stand in the order of the text.

use super::attributes::Attributes;
use super::expansion::{KEYS as EXPANSIONS, present};
use super::options::PlayfabOptions;
use crate::base::fixed::Fixed;
use crate::config::json::{Member, Node, Value};
use crate::config::report::{Fault, Fields, Report, nearest};
use crate::model::ids::Millis;
use crate::rules::spec::{RuleKind, RuleSpec};

/// Rules in one queue, at most.
pub(super) const RULES_MAX: usize = 20;
/// Characters in a rule's name, at most.
const NAME_MAX: usize = 255;

/// What is kept while one queue is read.
pub(super) struct Reading<'o> {
    pub(super) report: Report,
    pub(super) notes: Report,
    pub(super) options: &'o PlayfabOptions,
    pub(super) attributes: Attributes,
    /// Where the places of the native rules stand in the text.
    pub(super) places: Vec<(String, usize)>,
    /// Rules that have a fault of their own.
    pub(super) unreadable: Vec<usize>,
}

/// A type of rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RuleType {
    Difference,
    StringEquality,
    SetIntersection,
    MatchTotal,
    RegionSelection,
    TeamDifference,
    TeamSizeBalance,
    TeamTicketSizeSimilarity,
}

impl RuleType {
    /// The word of `Type`, and the key of the API with whether it is a list.
    pub(super) const ALL: &'static [(&'static str, RuleType, &'static str, bool)] = &[
        ("DifferenceRule", RuleType::Difference, "DifferenceRules", true),
        ("StringEqualityRule", RuleType::StringEquality, "StringEqualityRules", true),
        ("SetIntersectionRule", RuleType::SetIntersection, "SetIntersectionRules", true),
        ("MatchTotalRule", RuleType::MatchTotal, "MatchTotalRules", true),
        ("RegionSelectionRule", RuleType::RegionSelection, "RegionSelectionRule", false),
        ("TeamDifferenceRule", RuleType::TeamDifference, "TeamDifferenceRules", true),
        ("TeamSizeBalanceRule", RuleType::TeamSizeBalance, "TeamSizeBalanceRule", false),
        (
            "TeamTicketSizeSimilarityRule",
            RuleType::TeamTicketSizeSimilarity,
            "TeamTicketSizeSimilarityRule",
            false,
        ),
    ];

    /// The word of `Type`.
    pub(super) fn word(self) -> &'static str {
        RuleType::ALL.iter().find(|(_, kind, ..)| *kind == self).map_or("", |(word, ..)| word)
    }

    /// Whether it is about teams, so that a queue without teams cannot have it.
    pub(super) fn is_of_teams(self) -> bool {
        use RuleType::{TeamDifference, TeamSizeBalance, TeamTicketSizeSimilarity};
        matches!(self, TeamDifference | TeamSizeBalance | TeamTicketSizeSimilarity)
    }

    /// The keys beside those of all rules.
    fn keys(self) -> &'static [&'static str] {
        match self {
            RuleType::Difference => &[
                "Weight",
                "Attribute",
                "AttributeNotSpecifiedBehavior",
                "DefaultAttributeValue",
                "Difference",
                "MergeFunction",
            ],
            RuleType::StringEquality => {
                &["Weight", "Attribute", "AttributeNotSpecifiedBehavior", "DefaultAttributeValue"]
            }
            RuleType::SetIntersection => &[
                "Weight",
                "Attribute",
                "AttributeNotSpecifiedBehavior",
                "DefaultAttributeValue",
                "MinIntersectionSize",
            ],
            RuleType::MatchTotal => &["Weight", "Attribute", "Min", "Max"],
            RuleType::RegionSelection => &["Weight", "MaxLatency", "Path"],
            RuleType::TeamDifference => &["Attribute", "DefaultAttributeValue", "Difference"],
            RuleType::TeamSizeBalance => &["Difference"],
            RuleType::TeamTicketSizeSimilarity => &[],
        }
    }
}

/// One rule that is being read.
pub(super) struct Rule<'r, 'o, 'a, 't> {
    pub(super) reading: &'r mut Reading<'o>,
    pub(super) fields: &'r Fields<'a, 't>,
    /// Its place in the native file, `rules[3]`.
    pub(super) place: String,
    pub(super) spec: RuleSpec,
}

/// The rules of a queue's members, with their types where these can be read, in the order of the text.
pub(super) fn rules<'a, 't>(
    report: &mut Report,
    members: &'a [Member<'t>],
) -> Vec<(Option<RuleType>, &'a Node<'t>)> {
    let mut found = Vec::new();
    for member in members.iter().filter(|member| !matches!(member.node.value, Value::Null)) {
        let listed = RuleType::ALL.iter().find(|(_, _, key, _)| *key == member.key);
        match listed {
            Some(&(word, kind, _, is_list)) => {
                let nodes = match is_list {
                    true => report.array(&member.node, "rules").unwrap_or_default(),
                    false => std::slice::from_ref(&member.node),
                };
                for node in nodes {
                    check_type(report, node, word);
                    found.push((Some(kind), node));
                }
            }
            None if member.key == "Rules" => {
                for node in report.array(&member.node, "rules").unwrap_or_default() {
                    found.push((stated_type(report, node), node));
                }
            }
            None => {}
        }
    }
    found
}

/// In the form of the API a `Type` is not needed; one that stands there must be right.
fn check_type(report: &mut Report, node: &Node<'_>, word: &str) {
    let stated = node.members().iter().find(|member| member.key == "Type");
    if let Some(member) = stated
        && !matches!(&member.node.value, Value::String(text) if text == word)
    {
        report.wrong(&member.node, format!("needs {word:?} here, or nothing"));
    }
}

fn stated_type(report: &mut Report, node: &Node<'_>) -> Option<RuleType> {
    let members = report.object(node)?;
    let words: Vec<&str> = RuleType::ALL.iter().map(|(word, ..)| *word).collect();
    let Some(member) = members.iter().find(|member| member.key == "Type") else {
        report.missing(node, "Type", format!("needs one of {}", words.join(", ")));
        return None;
    };
    let Value::String(text) = &member.node.value else {
        report.wrong(&member.node, format!("needs one of {}", words.join(", ")));
        return None;
    };
    let kind = RuleType::ALL.iter().find(|(word, ..)| word == text).map(|&(_, kind, ..)| kind);
    if kind.is_none() {
        report.wrong(&member.node, nearest(text, &words, "types"));
    }
    kind
}

/// Reads the rule of that index; a rule that could not be read is marked in `unreadable`.
pub(super) fn read(
    reading: &mut Reading<'_>,
    kind: Option<RuleType>,
    node: &Node<'_>,
    index: usize,
    has_teams: bool,
) -> RuleSpec {
    let faults = reading.report.len();
    let place = format!("rules[{index}]");
    reading.places.push((place.clone(), node.start));
    let mut spec = RuleSpec {
        name: String::new(),
        weight: Fixed::ONE,
        optional_after: None,
        windows: None,
        may_tighten: false,
        kind: RuleKind::PremadeBalance,
    };
    // Without a type nothing else in the rule can be judged.
    if let Some(kind) = kind {
        let mut keys = vec!["Name", "Type", "SecondsUntilOptional"];
        keys.extend(kind.keys());
        if kind != RuleType::TeamTicketSizeSimilarity {
            keys.extend(EXPANSIONS);
        }
        if let Some(fields) = reading.report.fields(node, &keys) {
            if kind.is_of_teams() && !has_teams {
                let found = format!("a {} in a queue without teams", kind.word());
                reading.report.push(Fault::new(node.start, found, "give the queue Teams, or drop the rule"));
            }
            let mut rule = Rule { reading, fields: &fields, place, spec };
            rule.common();
            rule.kind(kind);
            spec = rule.spec;
        }
    }
    if kind.is_none() || reading.report.len() > faults {
        reading.unreadable.push(index);
    }
    spec
}

impl Rule<'_, '_, '_, '_> {
    fn common(&mut self) {
        let report = &mut self.reading.report;
        match self.fields.get("Name") {
            Some(node) => {
                self.reading.places.push((format!("{}.name", self.place), node.start));
                self.spec.name = name(report, node, "rule", NAME_MAX);
            }
            None => report.missing(self.fields.node, "Name", "give the rule a name"),
        }
        if let Some(node) = present(self.fields, "Weight") {
            self.reading.places.push((format!("{}.weight", self.place), node.start));
            self.spec.weight = report.number(node).unwrap_or(Fixed::ONE);
        }
        if let Some(node) = present(self.fields, "SecondsUntilOptional") {
            self.spec.optional_after = report.count(node).map(|seconds| Millis(u64::from(seconds) * 1000));
        }
    }
}

/// A name of a queue, a team or a rule.
pub(super) fn name(report: &mut Report, node: &Node<'_>, what: &str, characters_max: usize) -> String {
    let Some(text) = report.string(node) else { return String::new() };
    let is_legal = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
        && text.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric());
    if text.chars().count() > characters_max {
        let found = format!("a name of {} characters", text.chars().count());
        let remedy = format!("a {what} name has 1 to {characters_max} characters");
        report.push(Fault::new(node.start, found, remedy));
    } else if !is_legal {
        report.wrong(
            node,
            format!(
                "a {what} name has 1 to {characters_max} letters, digits, \"_\" and \"-\", \
                 and begins with a letter or a digit"
            ),
        );
    }
    text
}
