//! Every documented limit and every error, provoked by a file; the places that errors name; what is warned of.

use evenmatch::config::{ConfigError, PlayfabOptions, QueueFormat, QueuesFile, read_queues_file};

fn read(text: &str) -> Result<QueuesFile, Vec<ConfigError>> {
    read_queues_file("", text.as_bytes(), QueueFormat::Playfab, &PlayfabOptions::default())
}

/// The errors of a text, without their places.
fn errors(text: &str) -> Vec<String> {
    read(text).map_or_else(|errors| errors, |_| Vec::new()).iter().map(ToString::to_string).collect()
}

/// A queue of two players with these further members.
fn queue(members: &str) -> String {
    format!(r#"{{"Name": "q", "MinMatchSize": 2, "MaxMatchSize": 2, {members}}}"#)
}

/// Asserts that the text has one error, which says this.
fn says(text: &str, expected: &str) {
    let found = errors(text);
    assert!(found.len() == 1 && found[0].contains(expected), "{text}\n{found:?}\n{expected}");
}

#[test]
fn limits_of_the_queue() {
    let sized = |min: &str, max: &str, more: &str| {
        format!(r#"{{"Name": "q", "MinMatchSize": {min}, "MaxMatchSize": {max}{more}}}"#)
    };
    let team = |name: &str, size: u32| {
        format!(r#"{{"Name": "{name}", "MinTeamSize": {size}, "MaxTeamSize": {size}}}"#)
    };
    assert_eq!(errors(&sized("2", "100", "")), [""; 0]);
    says(&sized("1", "4", ""), "MinMatchSize: found 1, needs 2 to 100");
    says(&sized("2", "101", ""), "MaxMatchSize: found 101, needs 2 to 100");
    says(&sized("5", "4", ""), "MinMatchSize: found 5, needs at most the MaxMatchSize of 4");
    says(&sized("2", "4", r#", "MaxTicketSize": 0"#), "MaxTicketSize: found 0, needs 1 to 64");
    says(&sized("2", "4", r#", "MaxTicketSize": 65"#), "MaxTicketSize: found 65, needs 1 to 64");
    let two = format!(r#", "Teams": [{}, {}]"#, team("a", 16), team("b", 16));
    assert_eq!(errors(&sized("32", "32", &two)), [""; 0]);
    says(&sized("32", "33", &two), "MaxMatchSize: found 33, needs 2 to 32 in a queue with teams");
    let one = format!(r#", "Teams": [{}]"#, team("a", 4));
    says(&sized("4", "4", &one), "Teams: found one team, a queue has no team, or two and more");
    assert_eq!(errors(&sized("4", "4", r#", "Teams": []"#)), [""; 0]);
    let same = format!(r#", "Teams": [{}, {}]"#, team("a", 2), team("a", 2));
    says(&sized("4", "4", &same), "Teams[1].Name: found team \"a\" a second time");
    let small = format!(r#", "Teams": [{}, {}]"#, team("a", 2), team("b", 2));
    says(&sized("5", "6", &small), "sizes that no match can have");
    let named = |name: &str| format!(r#"{{"Name": "{name}", "MinMatchSize": 2, "MaxMatchSize": 2}}"#);
    assert_eq!(errors(&named(&"n".repeat(64))), [""; 0]);
    says(&named(&"n".repeat(65)), "a queue name has 1 to 64 characters");
    says(&named(""), "a queue name has 1 to 64");
    says(&named("-a"), "begins with a letter or a digit");
    says(&named("a b"), "letters, digits");
    let long_team = format!(r#", "Teams": [{}, {}]"#, team(&"n".repeat(65), 2), team("b", 2));
    says(
        &sized("4", "4", &long_team),
        "Teams[0].Name: found a name of 65 characters, a team name has 1 to 64",
    );
}

#[test]
fn limits_of_rules() {
    let total = |name: &str| {
        format!(
            r#"{{"Type": "MatchTotalRule", "Name": "{name}", "Attribute": {{"Path": "A"}}, "Min": 0, "Max": 9}}"#
        )
    };
    let rules = |count: usize| {
        let rules: Vec<String> = (0..count).map(|n| total(&format!("r{n}"))).collect();
        queue(&format!(r#""Rules": [{}]"#, rules.join(",")))
    };
    assert_eq!(errors(&rules(20)), [""; 0]);
    says(&rules(21), "Rules[20]: found rule 21 of 21, a queue has at most 20 rules");
    let named = |name: &str| queue(&format!(r#""Rules": [{}]"#, total(name)));
    assert_eq!(errors(&named(&"n".repeat(255))), [""; 0]);
    says(&named(&"n".repeat(256)), "a rule name has 1 to 255 characters");
    let twice = queue(&format!(r#""Rules": [{}, {}]"#, total("a"), total("a")));
    says(&twice, "Rules[1].Name: found rule \"a\" a second time");
    let rule = |body: &str| queue(&format!(r#""Rules": [{{"Name": "r", {body}}}]"#));
    let difference = |more: &str| {
        rule(&format!(
            r#""Type": "DifferenceRule", "Attribute": {{"Path": "A"}}, "DefaultAttributeValue": 0, {more}"#
        ))
    };
    for (text, expected) in [
        (rule(r#""Difference": 1"#), "Rules[0].Type: found no \"Type\", needs one of DifferenceRule"),
        (rule(r#""Type": "DiffRule""#), "did you mean"),
        (
            rule(r#""Type": "TeamSizeBalanceRule", "Difference": 1"#),
            "in a queue without teams, give the queue Teams",
        ),
        (
            difference(r#""Diference": 1, "Difference": 1"#),
            "unknown key \"Diference\", did you mean \"Difference\"?",
        ),
        (
            difference(r#""MergeFunction": "Average""#),
            "Difference: found no \"Difference\", the rule needs it",
        ),
        (difference(r#""Difference": -1"#), "Difference: found -1, needs 0 or more"),
        (difference(r#""Difference": 0.1234567"#), "needs at most 6 digits behind the point"),
        (
            difference(r#""Difference": 1, "MergeFunction": "Sum""#),
            "words here are \"Average\", \"Min\", \"Max\"",
        ),
        (difference(r#""Difference": 1, "Weight": -1"#), "Weight: found -1, needs 0 or more"),
        (difference(r#""Difference": 1, "AttributeNotSpecifiedBehavior": "Any""#), "\"MatchAny\""),
        (
            rule(r#""Type": "DifferenceRule", "Attribute": {"Path": "A"}, "Difference": 1"#),
            "give a default, or \"AttributeNotSpecifiedBehavior\": \"MatchAny\"",
        ),
        (
            rule(r#""Type": "DifferenceRule", "DefaultAttributeValue": 0, "Difference": 1"#),
            "found no \"Attribute\"",
        ),
        (
            rule(r#""Type": "MatchTotalRule", "Attribute": {"Path": "$..A"}, "Min": 0, "Max": 1"#),
            "Attribute.Path: found \"$..A\", needs a name, a dotted path",
        ),
        (
            rule(
                r#""Type": "MatchTotalRule", "Attribute": {"Path": "A", "Source": "Title"}, "Min": 0, "Max": 1"#,
            ),
            "words here are \"User\", \"PlayerEntity\"",
        ),
        (
            rule(r#""Type": "MatchTotalRule", "Attribute": {"Path": "A"}, "Min": 2, "Max": 1"#),
            "needs at most the Max of 1",
        ),
        (rule(r#""Type": "MatchTotalRule", "Attribute": {"Path": "A"}, "Min": 2"#), "found no \"Max\""),
        (rule(r#""Type": "RegionSelectionRule", "MaxLatency": 200"#), "found no \"Path\""),
        (rule(r#""Type": "RegionSelectionRule", "MaxLatency": 1.5, "Path": "L""#), "needs a whole number"),
        (
            rule(
                r#""Type": "SetIntersectionRule", "Attribute": {"Path": "A"}, "AttributeNotSpecifiedBehavior": "MatchAny", "MinIntersectionSize": 65"#,
            ),
            "MinIntersectionSize: found 65, needs at most 64",
        ),
    ] {
        says(&text, expected);
    }
}

#[test]
fn limits_of_expansions() {
    let expanding = |expansion: &str| {
        queue(&format!(
            r#""Rules": [{{"Type": "DifferenceRule", "Name": "r", "Attribute": {{"Path": "A"}}, "DefaultAttributeValue": 0, "Difference": 1, {expansion}}}]"#
        ))
    };
    for (expansion, expected) in [
        (r#""Expansion": {"Type": "Linear", "Delta": 1}"#, "found no \"SecondsBetweenExpansions\""),
        (
            r#""Expansion": {"Type": "Linear", "Delta": 1, "SecondsBetweenExpansions": 0}"#,
            "needs at least 1 second",
        ),
        (r#""Expansion": {"Type": "Linear", "SecondsBetweenExpansions": 1}"#, "found no \"Delta\""),
        (r#""Expansion": {"Type": "Linear", "Delta": -1, "SecondsBetweenExpansions": 1}"#, "needs 0 or more"),
        (
            r#""LinearExpansion": {"Delta": 1, "Limit": 0.5, "SecondsBetweenExpansions": 1}"#,
            "Limit: found 0.5, needs at least the Difference of 1",
        ),
        (
            r#""Expansion": {"Type": "Linear", "Delta": 1, "DifferenceOverrides": [1], "SecondsBetweenExpansions": 1}"#,
            "a linear expansion has no DifferenceOverrides",
        ),
        (
            r#""Expansion": {"Type": "Power", "SecondsBetweenExpansions": 1}"#,
            "words here are \"Linear\", \"Custom\"",
        ),
        (r#""CustomExpansion": {"SecondsBetweenExpansions": 1}"#, "found no \"DifferenceOverrides\""),
        (
            r#""CustomExpansion": {"DifferenceOverrides": [], "SecondsBetweenExpansions": 1}"#,
            "needs at least one override",
        ),
        (
            r#""CustomExpansion": {"DifferenceOverrides": [{"Val": 1}], "SecondsBetweenExpansions": 1}"#,
            "unknown key \"Val\"",
        ),
        (
            r#""CustomExpansion": {"DifferenceOverrides": [-1], "SecondsBetweenExpansions": 1}"#,
            "-1, needs 0 or more",
        ),
        (
            r#""LinearExpansion": {"Delta": 1, "SecondsBetweenExpansions": 1}, "CustomExpansion": {"DifferenceOverrides": [1], "SecondsBetweenExpansions": 1}"#,
            "found CustomExpansion beside LinearExpansion, a rule has one expansion",
        ),
    ] {
        let found = errors(&expanding(expansion));
        assert!(found.iter().any(|error| error.contains(expected)), "{expansion}\n{found:?}");
    }
    let many: Vec<String> = (0..66).map(|n| n.to_string()).collect();
    let many = format!(
        r#""CustomExpansion": {{"DifferenceOverrides": [{}], "SecondsBetweenExpansions": 1}}"#,
        many.join(",")
    );
    says(&expanding(&many), "a rule has at most 64 steps");
    says(
        &queue(
            r#""Rules": [{"Type": "MatchTotalRule", "Name": "r", "Attribute": {"Path": "A"}, "Min": 1, "Max": 2,
            "Expansion": {"Type": "Linear", "SecondsBetweenExpansions": 1}}]"#,
        ),
        "this rule expands by overrides only",
    );
}

#[test]
fn servers_need_a_region_and_a_build() {
    let region = r#""RegionSelectionRule": {"Name": "r", "MaxLatency": 9, "Path": "L", "Weight": 1}"#;
    let text = |members: &str| queue(&format!(r#""ServerAllocationEnabled": true, {members}"#));
    says(&text(region), "needs a BuildId or BuildAliasParams");
    says(&text(r#""BuildId": "b""#), "needs a RegionSelectionRule");
    assert_eq!(errors(&text(&format!(r#""BuildId": "b", {region}"#))), [""; 0]);
    says(&queue(r#""BuildId": 5"#), "BuildId: found 5, needs a string");
    says(
        &queue(r#""StatisticsVisibilityToPlayers": {"ShowTime": true}"#),
        "did you mean \"ShowTimeToMatch\"?",
    );
}

#[test]
fn one_file_with_ten_errors_reports_ten() {
    let text = r#"{
  "MatchmakingQueue": {
    "Name": "a queue",
    "MinMatchSize": 1,
    "MaxMatchSize": 500,
    "MaxTicketSize": "four",
    "Owner": "me",
    "Teams": [ { "Name": "only", "MinTeamSize": 2, "MaxTeamSize": 2 } ],
    "DifferenceRules": [
      { "Name": "skill", "Attribute": { "Path": "" }, "DefaultAttributeValue": 0, "Difference": 1, "Weight": 1 },
      { "Name": "rank", "Attribute": { "Path": "Rank" }, "DefaultAttributeValue": 0, "Difference": "1", "Weight": 1 }
    ],
    "RegionSelectionRule": { "Name": "near", "MaxLatency": 200, "Weight": 1 },
    "StatisticsVisibilityToPlayers": 5
  }
}"#;
    let found = errors(text);
    let places: Vec<&str> = found.iter().map(|error| error.split(": ").next().unwrap()).collect();
    assert_eq!(
        places,
        ["3:13", "4:21", "5:21", "6:22", "7:5", "8:14", "10:49", "11:100", "13:28", "14:38"],
        "{found:#?}"
    );
    assert!(found[6].contains("MatchmakingQueue.DifferenceRules[0].Attribute.Path"), "{}", found[6]);
}

#[test]
fn warnings_say_what_is_only_kept() {
    let text = queue(
        r#""BuildId": "b", "Rules": [{"Type": "DifferenceRule", "Name": "r", "Attribute": {"Path": "A"},
        "AttributeNotSpecifiedBehavior": "MatchAny", "DefaultAttributeValue": 5, "Difference": 1,
        "Expansion": {"DifferenceOverrides": [3, 2], "SecondsBetweenExpansions": 5}}]"#,
    );
    let file = read(&text).unwrap();
    let found: Vec<String> = file.warnings.iter().map(ToString::to_string).collect();
    for expected in [
        "BuildId: found BuildId",
        "never used beside \"MatchAny\"",
        "it never holds",
        "become stricter with age",
    ] {
        assert_eq!(
            found.iter().filter(|warning| warning.contains(expected)).count(),
            1,
            "{expected} {found:#?}"
        );
    }
    assert!(file.specs[0].rules[0].may_tighten);
}

#[test]
fn many_queues_in_one_file() {
    let one = |name: &str| {
        format!(r#"{{"MatchmakingQueue": {{"Name": "{name}", "MinMatchSize": 2, "MaxMatchSize": 2}}}}"#)
    };
    let names = |text: &str| -> Vec<String> {
        let read = read_queues_file("", text.as_bytes(), QueueFormat::Auto, &PlayfabOptions::default());
        read.unwrap().specs.into_iter().map(|spec| spec.name).collect()
    };
    assert_eq!(names(&format!("[{}, {}]", one("a"), one("b"))), ["a", "b"]);
    assert_eq!(names(&format!("{}\n{}\n", one("a"), one("b"))), ["a", "b"]);
    let bare = |name: &str| one(name)[1..].strip_suffix('}').unwrap().to_owned();
    assert_eq!(names(&format!("{},\n{}", bare("a"), bare("b"))), ["a", "b"]);
    let list = format!(r#"{{"code": 200, "data": {{"MatchMakingQueues": [{}]}}}}"#, one("a"));
    assert_eq!(names(&list), ["a"]);
    says(&format!("{}\n {}", one("a"), one("a")), "2:23: MatchmakingQueue: found queue \"a\" a second time");
    // Places count from the start of the file, also in a piece without braces.
    let wrong =
        "// a note\n  \"MatchmakingQueue\": { \"Name\": 5, \"MinMatchSize\": 2, \"MaxMatchSize\": 2 }";
    says(wrong, "2:33: MatchmakingQueue.Name: found 5, needs a string");
    says("{\"Name\": \"a\",", "found an object without an end");
    says("", "found no value");
}
