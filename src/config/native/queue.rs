//! The outermost object of a queue file: names, teams, sizes, limits and times. Called by `native` only.

use super::file::Read;
use super::{attribute, rule};
use crate::config::json::{Node, Value};
use crate::config::report::{Fault, Report};
use crate::model::ids::Millis;
use crate::model::limits::{MATCH_PLAYERS_MAX, REGIONS_MAX, TIME_MS_MAX};
use crate::rules::spec::{
    IndexChoice, MatchSizeSpec, QueueSpec, RegionNames, Selection, TeamCount, TeamSpec, Undeclared, WindowAge,
};

pub(crate) const KEYS: &[&str] = &[
    "name",
    "teams",
    "players",
    "party",
    "attributes",
    "rules",
    "windows",
    "selection",
    "prefer_full_for_s",
    "timeout_s",
    "capacity",
    "min_tickets",
    "regions",
    "region_names",
    "undeclared",
    "echo",
    "urgent_after_s",
    "index",
];

/// The words of `windows`, in a queue and in a rule.
pub(super) const WINDOWS: &[(&str, WindowAge)] =
    &[("mutual", WindowAge::Mutual), ("oldest", WindowAge::Oldest), ("newest", WindowAge::Newest)];

const SELECTIONS: &[(&str, Selection)] =
    &[("oldest_first", Selection::OldestFirst), ("least_cost", Selection::LeastCost)];

const REGION_NAMES: &[(&str, RegionNames)] =
    &[("exact", RegionNames::Exact), ("fold_case", RegionNames::FoldCase)];

const UNDECLARED: &[(&str, Undeclared)] = &[("refuse", Undeclared::Refuse), ("keep", Undeclared::Keep)];

const INDEXES: &[(&str, IndexChoice)] = &[
    ("auto", IndexChoice::Auto),
    ("sorted", IndexChoice::Sorted),
    ("kdtree", IndexChoice::KdTree),
    ("linear", IndexChoice::Linear),
];

/// Reads the object of a queue file; `None` if it is not even an object.
pub(super) fn read(report: &mut Report, root: &Node<'_>) -> Option<Read> {
    let fields = report.fields(root, KEYS)?;
    let mut spec = QueueSpec::new("", 1, 1);
    spec.players = MatchSizeSpec::default();
    match fields.get("name") {
        Some(node) => spec.name = report.string(node).unwrap_or_default(),
        None => report.missing(root, "name", "give the queue a name"),
    }
    if let Some(node) = fields.get("teams") {
        spec.teams = teams(report, node);
    }
    if let Some(node) = fields.get("players") {
        spec.players = players(report, node);
    }
    if let Some(node) = fields.get("party") {
        spec.party_max = party(report, node);
    }
    let mut untyped = Vec::new();
    if let Some(node) = fields.get("attributes") {
        (spec.attributes, untyped) = attribute::read(report, node);
    }
    if let Some(node) = fields.get("rules") {
        spec.rules = rule::read(report, node, &spec.attributes);
    }
    if let Some(node) = fields.get("windows") {
        spec.windows = report.word(node, WINDOWS).unwrap_or(WindowAge::Mutual);
    }
    if let Some(node) = fields.get("selection") {
        spec.selection = report.word(node, SELECTIONS).unwrap_or(Selection::OldestFirst);
    }
    if let Some(node) = fields.get("prefer_full_for_s") {
        spec.prefer_full_for = report.seconds(node).unwrap_or_default();
    }
    if let Some(node) = fields.get("timeout_s") {
        // A timeout that could not be read still ends every expansion.
        spec.timeout = Some(report.seconds(node).unwrap_or(Millis(TIME_MS_MAX)));
    }
    spec.capacity = fields.get("capacity").and_then(|node| report.count(node));
    spec.min_tickets = fields.get("min_tickets").and_then(|node| report.count(node));
    if let Some(node) = fields.get("regions") {
        spec.regions = regions(report, node);
    }
    if let Some(node) = fields.get("region_names") {
        spec.region_names = report.word(node, REGION_NAMES).unwrap_or(RegionNames::Exact);
    }
    if let Some(node) = fields.get("undeclared") {
        spec.undeclared = report.word(node, UNDECLARED).unwrap_or(Undeclared::Refuse);
    }
    if let Some(node) = fields.get("echo") {
        spec.echo = report.object(node).map(|_| node.compact());
    }
    spec.urgent_after = fields.get("urgent_after_s").and_then(|node| report.seconds(node));
    if let Some(node) = fields.get("index") {
        spec.index = report.word(node, INDEXES).unwrap_or(IndexChoice::Auto);
    }
    Some(Read { spec, untyped })
}

fn teams(report: &mut Report, node: &Node<'_>) -> Vec<TeamSpec> {
    let elements = report.array(node, "teams").unwrap_or_default();
    if elements.is_empty() && matches!(node.value, Value::Array(_)) {
        let remedy = "needs at least one team; leave the key out for a match without teams";
        report.push(Fault::new(node.start, "an empty list", remedy));
    }
    elements.iter().take(MATCH_PLAYERS_MAX + 1).map(|element| team(report, element)).collect()
}

/// Reads a team; a placeholder of one player stands for what could not be read.
fn team(report: &mut Report, node: &Node<'_>) -> TeamSpec {
    let mut team = TeamSpec { name: String::new(), count: None, players_min: 1, players_max: 1 };
    let Some(fields) = report.fields(node, &["name", "count", "players"]) else { return team };
    match fields.get("name") {
        Some(node) => team.name = report.string(node).unwrap_or_default(),
        None => report.missing(node, "name", "give the team a name"),
    }
    if let Some(node) = fields.get("count") {
        let is_range = matches!(node.value, Value::Object(_));
        team.count = range(report, node).map(|(min, max)| TeamCount { min, max, is_range });
    }
    match fields.get("players") {
        Some(node) => (team.players_min, team.players_max) = range(report, node).unwrap_or((1, 1)),
        None => report.missing(
            node,
            "players",
            "say how many players the team has, 5 or {\"min\": 2, \"max\": 4}",
        ),
    }
    team
}

/// A whole number, or an object with `min` and `max`.
fn range(report: &mut Report, node: &Node<'_>) -> Option<(u32, u32)> {
    match node.value {
        Value::Number(_) => report.count(node).map(|count| (count, count)),
        Value::Object(_) => {
            let fields = report.fields(node, &["min", "max"])?;
            let mut end = |key| match fields.get(key) {
                Some(node) => report.count(node),
                None => {
                    report.missing(node, key, "a range has min and max");
                    None
                }
            };
            let (min, max) = (end("min"), end("max"));
            Some((min?, max?))
        }
        _ => {
            report.wrong(node, "needs a whole number, or {\"min\": .., \"max\": ..}");
            None
        }
    }
}

fn players(report: &mut Report, node: &Node<'_>) -> MatchSizeSpec {
    match node.value {
        Value::Number(_) => {
            let count = report.count(node);
            MatchSizeSpec { min: count, max: count, multiple: None }
        }
        Value::Object(_) => {
            let Some(fields) = report.fields(node, &["min", "max", "multiple"]) else {
                return MatchSizeSpec::default();
            };
            let mut count = |key| fields.get(key).and_then(|node| report.count(node));
            MatchSizeSpec { min: count("min"), max: count("max"), multiple: count("multiple") }
        }
        _ => {
            report.wrong(node, "needs an object with min, max and multiple, or a whole number");
            MatchSizeSpec::default()
        }
    }
}

fn party(report: &mut Report, node: &Node<'_>) -> Option<u32> {
    let fields = report.fields(node, &["max"])?;
    match fields.get("max") {
        Some(node) => report.count(node),
        None => {
            report.missing(node, "max", "say how many players the largest party has");
            None
        }
    }
}

fn regions(report: &mut Report, node: &Node<'_>) -> Option<Vec<String>> {
    let elements = report.array(node, "region names")?;
    let names = elements.iter().take(REGIONS_MAX + 1);
    Some(names.map(|element| report.string(element).unwrap_or_default()).collect())
}
