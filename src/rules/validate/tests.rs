//! Queues that hosts build by hand, where no reader has looked first. What files can say wrong is in
//! `tests/config`.

use super::*;
use crate::base::fixed::Fixed;
use crate::model::attribute::{AttributeDefault, AttributeSpec, AttributeType};
use crate::model::ids::Millis;
use crate::model::limits::TIME_MS_MAX;
use crate::rules::spec::{
    Expand, MatchSizeSpec, Merge, Missing, NumberWindow, QueueSpec, RuleKind, RuleSpec, Step, TeamCount,
    TeamSpec,
};

fn attribute(name: &str, kind: AttributeType) -> AttributeSpec {
    let (path, source) = (None, None);
    AttributeSpec {
        name: name.to_owned(),
        kind,
        default: None,
        min: None,
        max: None,
        decimals: 0,
        path,
        source,
    }
}

fn difference(attribute: usize, expand: Expand) -> RuleSpec {
    RuleSpec {
        name: "r".to_owned(),
        weight: Fixed::ONE,
        optional_after: None,
        windows: None,
        may_tighten: false,
        kind: RuleKind::Difference {
            attribute,
            window: NumberWindow { base: Fixed::ONE, expand },
            merge: Merge::Average,
            missing: Missing::Default,
            default: None,
        },
    }
}

fn queue(rule: RuleSpec) -> QueueSpec {
    let attributes = vec![attribute("skill", AttributeType::Number)];
    QueueSpec { attributes, rules: vec![rule], ..QueueSpec::new("q", 2, 10) }
}

fn places(spec: &QueueSpec) -> Vec<String> {
    validate(spec).into_iter().map(|fault| fault.place).collect()
}

fn group(count: Option<(u32, u32, bool)>, players: (u32, u32)) -> TeamSpec {
    TeamSpec {
        name: "t".to_owned(),
        count: count.map(|(min, max, is_range)| TeamCount { min, max, is_range }),
        players_min: players.0,
        players_max: players.1,
    }
}

fn sizes(teams: Vec<TeamSpec>, min: Option<u32>, max: Option<u32>, multiple: Option<u32>) -> Vec<u32> {
    let players = MatchSizeSpec { min, max, multiple };
    legal_sizes(&QueueSpec { teams, players, ..QueueSpec::new("q", 1, 1) })
}

#[test]
fn a_legal_queue_has_no_faults() {
    assert_eq!(validate(&queue(difference(0, Expand::Never))), []);
    assert_eq!(warnings(&queue(difference(0, Expand::Never))), []);
}

#[test]
fn attributes_that_no_one_declares() {
    assert_eq!(places(&queue(difference(1, Expand::Never))), ["rules[0].attribute"]);
    assert_eq!(places(&queue(difference(usize::MAX, Expand::Never))), ["rules[0].attribute"]);
}

#[test]
fn times_beyond_the_range() {
    let late = Millis(TIME_MS_MAX + 1);
    let steps = Expand::Steps(vec![Step { after: late, value: None }]);
    let mut spec = queue(RuleSpec { optional_after: Some(late), ..difference(0, steps) });
    (spec.timeout, spec.prefer_full_for) = (Some(late), late);
    let expected =
        ["timeout_s", "prefer_full_for_s", "rules[0].optional_after_s", "rules[0].expand.steps[0].after_s"];
    assert_eq!(places(&spec), expected);
}

#[test]
fn hostile_counts_are_only_compared() {
    let spec = QueueSpec {
        teams: vec![group(Some((1, u32::MAX, true)), (0, u32::MAX)); 1000],
        attributes: vec![attribute("a", AttributeType::Number); 1000],
        rules: vec![difference(0, Expand::Steps(vec![Step { after: Millis(0), value: None }; 1000])); 1000],
        regions: Some(vec![String::new(); 1000]),
        ..QueueSpec::new("q", u32::MAX, 0)
    };
    assert!(validate(&spec).len() > 100);
    assert!(!warnings(&QueueSpec { timeout: Some(Millis(0)), ..spec }).is_empty());
}

#[test]
fn sizes_are_sums_of_teams() {
    assert_eq!(sizes(vec![group(Some((2, 2, false)), (5, 5))], None, None, None), [10]);
    assert_eq!(sizes(vec![group(Some((2, 2, false)), (0, 2))], None, None, None), [1, 2, 3, 4]);
    assert_eq!(sizes(vec![group(Some((2, 4, true)), (3, 3))], None, None, None), [6, 9, 12]);
    assert_eq!(sizes(vec![group(Some((2, 3, true)), (0, 2))], None, None, None), [2, 3, 4, 5, 6]);
    assert_eq!(sizes(vec![group(None, (1, 1)), group(None, (4, 4))], None, None, None), [5]);
    assert_eq!(sizes(vec![group(Some((2, 2, false)), (1, 5))], Some(4), Some(9), Some(3)), [6, 9]);
    assert_eq!(sizes(Vec::new(), Some(2), Some(9), Some(4)), [4, 8]);
    assert_eq!(sizes(Vec::new(), Some(5), Some(7), Some(4)), [0; 0]);
}

#[test]
fn defaults_are_of_the_type_and_range() {
    let mut spec = queue(difference(0, Expand::Never));
    spec.attributes[0].default = Some(AttributeDefault::String("1500".to_owned()));
    assert_eq!(places(&spec), ["attributes.skill.default"]);
    spec.attributes[0].default = Some(AttributeDefault::Number(Fixed::from_micros(500_000)));
    assert_eq!(places(&spec), ["attributes.skill.default"]);
    spec.attributes[0].decimals = 1;
    assert_eq!(validate(&spec), []);
}

#[test]
fn keys_that_are_no_words_are_quoted() {
    assert_eq!(join_place("attributes", "skill"), "attributes.skill");
    assert_eq!(join_place("attributes", "my skill"), "attributes[\"my skill\"]");
    assert_eq!(join_place("", "a\"b"), "[\"a\\\"b\"]");
    assert!(join_place("", &"ä".repeat(1000)).len() < 300);
}
