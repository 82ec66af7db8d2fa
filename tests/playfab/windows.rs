//! Window tables: what each rule allows at age 0, just before and at every step, in each kind and dialect.

use crate::host::{replay, solo, text};
use evenmatch::config::{IntersectionDelta, PlayfabOptions, QueueFormat, read_queues_file};
use evenmatch::model::status::WindowNow;
use evenmatch::rules::spec::WindowAge;
use evenmatch::{Engine, Millis, PlayerId, PlayerRequest, TicketRequest};

/// What the only rule of a queue allows at each age, in words.
fn table(rules: &str, options: &PlayfabOptions, ages_ms: &[u64]) -> Vec<String> {
    let teams = r#"[{"Name": "x", "MinTeamSize": 2, "MaxTeamSize": 8}, {"Name": "y", "MinTeamSize": 2, "MaxTeamSize": 8}]"#;
    let text =
        format!(r#"{{"Name": "q", "MinMatchSize": 4, "MaxMatchSize": 16, "Teams": {teams}, {rules}}}"#);
    let read = read_queues_file("", text.as_bytes(), QueueFormat::Auto, options);
    let spec = read.unwrap_or_else(|errors| panic!("{errors:?}")).specs.remove(0);
    let engine = Engine::builder().capacity(10).build().unwrap();
    engine.add_queue(spec).unwrap();
    let player = PlayerRequest::new(PlayerId(1)).ping("eu", 10);
    let ticket = engine.submit(Millis(0), TicketRequest::new("q").player(player)).unwrap();
    let at = |&age: &u64| {
        engine.tick(Millis(age), 0).unwrap();
        match engine.ticket(ticket).unwrap().windows[0].window {
            WindowNow::Off => "off".to_owned(),
            WindowNow::Optional(_) => "optional".to_owned(),
            WindowNow::Enforced => "on".to_owned(),
            WindowNow::Limit(limit) => limit.to_string(),
            WindowNow::Between(min, max) => format!("{}..{}", min.unwrap(), max.unwrap()),
        }
    };
    ages_ms.iter().map(at).collect()
}

/// As `table`, for a rule in the form of the documentation and of the API, which must agree.
fn both(kind: &str, list: &str, body: &str, documented: &str, api: &str, ages_ms: &[u64]) -> Vec<String> {
    let options = PlayfabOptions::default();
    let of_documentation = format!(r#""Rules": [{{"Type": "{kind}", "Name": "r", {body}, {documented}}}]"#);
    let rule = format!(r#"{{"Name": "r", {body}, {api}}}"#);
    let value = if list.ends_with('s') { format!("[{rule}]") } else { rule };
    let found = table(&of_documentation, &options, ages_ms);
    assert_eq!(table(&format!(r#""{list}": {value}"#), &options, ages_ms), found);
    found
}

const NUMBER: &str = r#""Attribute": {"Path": "A"}, "DefaultAttributeValue": 0, "Difference": 0.2"#;
const AGES: [u64; 7] = [0, 4999, 5000, 9999, 10000, 14999, 15000];

#[test]
fn linear_numbers() {
    let linear = r#"{"Type": "Linear", "Delta": 0.1, "Limit": 0.35, "SecondsBetweenExpansions": 5}"#;
    let api = r#""LinearExpansion": {"Delta": 0.1, "Limit": 0.35, "SecondsBetweenExpansions": 5}"#;
    let documented = format!(r#""Expansion": {linear}"#);
    let expected = ["0.2", "0.2", "0.3", "0.3", "0.35", "0.35", "0.35"];
    assert_eq!(both("DifferenceRule", "DifferenceRules", NUMBER, &documented, api, &AGES), expected);
    assert_eq!(both("TeamDifferenceRule", "TeamDifferenceRules", NUMBER, &documented, api, &AGES), expected);
    let latency = r#""Path": "L", "MaxLatency": 35"#;
    let ints = r#""Expansion": {"Delta": 15, "Limit": 60, "SecondsBetweenExpansions": 5}"#;
    let api = r#""LinearExpansion": {"Delta": 15, "Limit": 60, "SecondsBetweenExpansions": 5}"#;
    let found = both("RegionSelectionRule", "RegionSelectionRule", latency, ints, api, &AGES);
    assert_eq!(found, ["35", "35", "50", "50", "60", "60", "60"]);
    let ints = r#""Expansion": {"Delta": 1, "SecondsBetweenExpansions": 5}"#;
    let api = r#""LinearExpansion": {"Delta": 1, "SecondsBetweenExpansions": 5}"#;
    let found = both("TeamSizeBalanceRule", "TeamSizeBalanceRule", r#""Difference": 0"#, ints, api, &AGES);
    assert_eq!(found, ["0", "0", "1", "1", "2", "2", "3"]);
}

#[test]
fn custom_numbers() {
    let documented = r#""Expansion": {"Type": "Custom", "DifferenceOverrides": [0.1, null, 0.4], "SecondsBetweenExpansions": 5}"#;
    let api = r#""CustomExpansion": {"DifferenceOverrides": [{"Value": 0.1}, null, {"Value": 0.4}], "SecondsBetweenExpansions": 5}, "SecondsUntilOptional": 15"#;
    let documented = format!(r#"{documented}, "SecondsUntilOptional": 15"#);
    let expected = ["0.1", "0.1", "off", "off", "0.4", "0.4", "optional"];
    assert_eq!(both("DifferenceRule", "DifferenceRules", NUMBER, &documented, api, &AGES), expected);
    // The last entry holds; null first is off from age 0.
    let latency = r#""Path": "L", "MaxLatency": 35"#;
    let documented = r#""Expansion": {"MaxLatencyOverrides": [null, 50], "SecondsBetweenExpansions": 5}"#;
    let api =
        r#""CustomExpansion": {"MaxLatencyOverrides": [null, {"Value": 50}], "SecondsBetweenExpansions": 5}"#;
    let found = both("RegionSelectionRule", "RegionSelectionRule", latency, documented, api, &AGES);
    assert_eq!(found, ["off", "off", "50", "50", "50", "50", "50"]);
}

#[test]
fn intersections_fall_to_zero() {
    let body = r#""Attribute": {"Path": "A"}, "AttributeNotSpecifiedBehavior": "MatchAny", "MinIntersectionSize": 2"#;
    let documented = r#""Expansion": {"Type": "Linear", "Delta": 1, "SecondsBetweenExpansions": 5}"#;
    let api = r#""LinearExpansion": {"Delta": 1, "SecondsBetweenExpansions": 5}"#;
    let ages = [0, 4999, 5000, 10000, 15000];
    let found = both("SetIntersectionRule", "SetIntersectionRules", body, documented, api, &ages);
    assert_eq!(found, ["2", "2", "1", "0", "0"]);
    let literal =
        PlayfabOptions { intersection_delta: IntersectionDelta::Added, ..PlayfabOptions::default() };
    let rule = format!(r#""SetIntersectionRules": [{{"Name": "r", {body}, {api}}}]"#);
    assert_eq!(table(&rule, &literal, &ages), ["2", "2", "3", "4", "5"]);
    let documented =
        r#""Expansion": {"MinIntersectionSizeOverrides": [3, 1], "SecondsBetweenExpansions": 5}"#;
    let api = r#""CustomExpansion": {"MinIntersectionSizeOverrides": [{"Value": 3}, {"Value": 1}], "SecondsBetweenExpansions": 5}"#;
    let found = both("SetIntersectionRule", "SetIntersectionRules", body, documented, api, &ages);
    assert_eq!(found, ["3", "3", "1", "1", "1"]);
}

#[test]
fn switches_and_bounds() {
    let body = r#""Attribute": {"Path": "A"}, "AttributeNotSpecifiedBehavior": "MatchAny""#;
    let documented = r#""Expansion": {"Type": "Custom", "EnabledOverrides": [true, false, true], "SecondsBetweenExpansions": 5}"#;
    let api = r#""Expansion": {"EnabledOverrides": [true, false, true], "SecondsBetweenExpansions": 5}"#;
    let found = both("StringEqualityRule", "StringEqualityRules", body, documented, api, &AGES);
    assert_eq!(found, ["on", "on", "off", "off", "on", "on", "on"]);
    let body = r#""Attribute": {"Path": "A"}, "Min": 4, "Max": 9, "Weight": 1"#;
    let documented =
        r#""Expansion": {"Type": "Custom", "MinOverrides": [8, 6, null], "SecondsBetweenExpansions": 5}"#;
    let api =
        r#""Expansion": {"MinOverrides": [{"Value": 8}, {"Value": 6}, null], "SecondsBetweenExpansions": 5}"#;
    let found = both("MatchTotalRule", "MatchTotalRules", body, documented, api, &AGES);
    // The absent MaxOverrides keep the plain value.
    assert_eq!(found, ["8..9", "8..9", "6..9", "6..9", "off", "off", "off"]);
    let documented = r#""Expansion": {"MinOverrides": [8, 6], "MaxOverrides": [9, 10, 12], "SecondsBetweenExpansions": 5}"#;
    let found = both("MatchTotalRule", "MatchTotalRules", body, documented, documented, &AGES);
    assert_eq!(found, ["8..9", "8..9", "6..10", "6..10", "6..12", "6..12", "6..12"]);
}

#[test]
fn whose_age_can_be_chosen() {
    let rule = r#""Rules": [{"Type": "MatchTotalRule", "Name": "r", "Attribute": {"Path": "A"}, "Min": 4, "Max": 9,
        "Expansion": {"MinOverrides": [8, 4], "SecondsBetweenExpansions": 5}}]"#;
    let file = format!(r#"{{"Name": "q", "MinMatchSize": 2, "MaxMatchSize": 9, {rule}}}"#);
    let read = |options: &PlayfabOptions| {
        let read = read_queues_file("", file.as_bytes(), QueueFormat::Playfab, options).unwrap();
        (read.specs[0].windows, read.specs[0].rules[0].windows)
    };
    let default = PlayfabOptions::default();
    assert_eq!(read(&default), (WindowAge::Mutual, Some(WindowAge::Oldest)));
    assert_eq!(
        read(&PlayfabOptions { total_windows: WindowAge::Mutual, ..default }),
        (WindowAge::Mutual, None)
    );
    assert_eq!(read(&PlayfabOptions { windows: WindowAge::Oldest, ..default }), (WindowAge::Oldest, None));
}

#[test]
fn decimals_are_exact() {
    let meets = |difference: &str, expansion: &str, a: &str, b: &str| {
        let file = format!(
            r#"{{"Name": "q", "MinMatchSize": 2, "MaxMatchSize": 2, "Rules": [{{"Type": "DifferenceRule", "Name": "r",
            "Attribute": {{"Path": "S"}}, "AttributeNotSpecifiedBehavior": "MatchAny", "Difference": {difference}{expansion}}}]}}"#
        );
        let trace =
            solo(0.0, "a", "q", &format!(r#""S":{a}"#)) + &solo(0.0, "b", "q", &format!(r#""S":{b}"#));
        replay(&text(&file), &trace, Millis(100_000)).short
    };
    assert_eq!(meets("0.2", "", "0.8", "0.6"), ["0 all=a,b"]);
    assert_eq!(meets("0.3", "", "0.4", "0.1"), ["0 all=a,b"]);
    assert!(meets("0.2", "", "0.8", "0.599999").is_empty());
    let expansion = r#", "Expansion": {"Delta": 0.1, "SecondsBetweenExpansions": 1}"#;
    assert_eq!(meets("0", expansion, "0.3", "0"), ["3 all=a,b"]);
}
