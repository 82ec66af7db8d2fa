//! The scenarios that PlayFab's documentation shows, each with a concrete pool and the exact matches, by hand.

use crate::host::{file, latencies, party, replay, solo, text};
use evenmatch::Millis;

fn short(name: &str, trace: &str, until_s: u64) -> Vec<String> {
    replay(&file(name).specs, trace, Millis(until_s * 1000)).short
}

#[test]
fn quick_match_by_build() {
    let trace = solo(0.0, "a", "quick-match", r#""Build":"1.0""#)
        + &solo(0.0, "b", "quick-match", r#""Build":"1.1""#)
        + &solo(0.0, "c", "quick-match", "")
        + &solo(0.0, "d", "quick-match", r#""Build":"1.0""#)
        + &solo(1.0, "e", "quick-match", "");
    // a is oldest; c, who says nothing, and d cost the same, and c came first. b and d have different builds.
    // Then b, the oldest, meets e, who says nothing.
    assert_eq!(short("quick_match", &trace, 100), ["0 all=a,c", "1 all=b,e"]);
}

#[test]
fn any_does_not_make_two_values_agree() {
    let file = r#"{"Name": "q", "MinMatchSize": 3, "MaxMatchSize": 3, "Rules": [{"Type": "StringEqualityRule",
        "Name": "build", "Attribute": {"Path": "Build"}, "AttributeNotSpecifiedBehavior": "MatchAny", "Weight": 1}]}"#;
    let trace = solo(0.0, "a", "q", r#""Build":"1""#)
        + &solo(0.0, "b", "q", "")
        + &solo(0.0, "c", "q", r#""Build":"2""#)
        + &solo(5.0, "d", "q", r#""Build":"2""#);
    // a, b, c would have builds 1 and 2; b, c, d have one.
    assert_eq!(replay(&text(file), &trace, Millis(9_000)).short, ["5 all=b,c,d"]);
}

#[test]
fn several_modes_in_one_queue() {
    let trace = solo(0.0, "a", "modes", r#""Modes":["ctf","koth"]"#)
        + &solo(0.0, "b", "modes", r#""Modes":["koth"]"#)
        + &solo(0.0, "c", "modes", r#""Modes":["ctf"]"#)
        + &solo(0.0, "d", "modes", r#""Modes":["koth","ctf"]"#)
        + &solo(0.0, "e", "modes", "");
    // koth: a, b, d and e, who takes any; ctf: a, c, d, e. Both are free of cost, b came before c.
    assert_eq!(short("modes", &trace, 100), ["0 all=a,b,d,e"]);
}

#[test]
fn skill_with_linear_expansion() {
    let skills = |list: [&str; 4]| -> String {
        let names = ["a", "b", "c", "d"];
        names.iter().zip(list).map(|(name, skill)| solo(0.0, name, "skill-linear", skill)).collect()
    };
    // 0.6 - 0.1 is 0.5: reached with 0.2 + 3 x 0.1 at 15 s, exactly.
    let near = skills([r#""Skill":0.1"#, r#""Skill":0.2"#, r#""Skill":0.3"#, r#""Skill":0.6"#]);
    assert_eq!(short("skill_linear", &near, 100), ["15 all=a,b,c,d"]);
    // 0.9 is beyond the limit of 0.5: only when the rule has become optional.
    let far = skills([r#""Skill":0"#, r#""Skill":0.9"#, r#""Skill":0.1"#, r#""Skill":0.2"#]);
    assert_eq!(short("skill_linear", &far, 100), ["30 all=a,b,c,d"]);
    // The default of 0.5 fills in: 0.7 - 0.5 and 0.5 - 0.3 are 0.2, 0.7 - 0.3 is 0.4, at 10 s.
    let missing = skills([r#""Skill":0.7"#, "", "", r#""Skill":0.3"#]);
    assert_eq!(short("skill_linear", &missing, 100), ["10 all=a,b,c,d"]);
}

#[test]
fn skill_with_custom_expansion() {
    let list = [("a", "0.1"), ("b", "0.2"), ("c", "0.3"), ("d", "0.6")];
    let trace: String = list
        .iter()
        .map(|(name, skill)| solo(0.0, name, "skill-custom", &format!(r#""Stats":{{"Skill":{skill}}}"#)))
        .collect();
    // The sixth entry, 0.5, holds from 25 s.
    assert_eq!(short("skill_custom", &trace, 100), ["25 all=a,b,c,d"]);
}

#[test]
fn eight_to_fifty_players_by_a_falling_total() {
    let one = r#""PlayerCount":1"#;
    let mut trace: String = (0..20).map(|n| solo(0.0, &format!("p{n:02}"), "falling-total", one)).collect();
    trace += &solo(49.5, "fresh", "falling-total", one);
    let all: Vec<String> = (0..20).map(|n| format!("p{n:02}")).collect();
    // 20 players wait; from 50 s on the oldest ones ask for 16. Whoever is there joins, fresh or not.
    assert_eq!(short("falling_total", &trace, 100), [format!("50 all={},fresh", all.join(","))]);
    // 50 players are a match at once.
    let full: String = (0..51).map(|n| solo(0.0, &format!("p{n:02}"), "falling-total", one)).collect();
    let all: Vec<String> = (0..50).map(|n| format!("p{n:02}")).collect();
    assert_eq!(short("falling_total", &full, 1), [format!("0 all={}", all.join(","))]);
}

#[test]
fn four_against_four_with_team_difference() {
    let strong: Vec<_> = ["w", "x", "y", "z"].iter().map(|&id| (id, r#""Skill":0.9"#)).collect();
    let mut trace = party(0.0, "P", "teams-4v4", &strong);
    for name in ["a", "b", "c", "d"] {
        trace += &solo(0.0, name, "teams-4v4", r#""Skill":0.6"#);
    }
    // The party is never split, so the averages are 0.9 and 0.6: 0.3 is allowed at 5 s.
    assert_eq!(short("teams_4v4", &trace, 100), ["5 Red=P Blue=a,b,c,d"]);
}

#[test]
fn twenty_four_players_in_one_region() {
    let here = latencies(&[("EastUs", 50), ("WestEurope", 150)]);
    let shouted = latencies(&[("EASTUS", 190), ("westeurope", 40)]);
    let mut trace = String::new();
    for n in 0..12 {
        let attributes = if n == 11 { &shouted } else { &here };
        let (one, two) = (format!("a{n:02}"), format!("b{n:02}"));
        trace += &party(0.0, &format!("t{n:02}"), "region-24", &[(&one, attributes), (&two, attributes)]);
    }
    let far = latencies(&[("EastUs", 201)]);
    trace += &solo(0.0, "far", "region-24", &far);
    trace += &solo(0.0, "nowhere", "region-24", "");
    let outcome = replay(&file("region_24").specs, &trace, Millis(1000));
    let all: Vec<String> = (0..12).map(|n| format!("t{n:02}")).collect();
    // Means: EastUs (22 x 50 + 2 x 190) / 24 = 61.67, WestEurope (22 x 150 + 2 x 40) / 24 = 140.83.
    assert_eq!(
        outcome.short,
        [
            "0 far UNMATCHABLE NO_REGION".to_owned(),
            "0 nowhere MISSING_LATENCY".to_owned(),
            format!("0 all={} @EastUs", all.join(",")),
        ]
    );
    let line = &outcome.lines[2];
    assert!(line.contains(r#""regions":["EastUs","WestEurope"]"#), "{line}");
    assert!(
        line.contains(r#""echo":{"ServerAllocationEnabled":true,"BuildId":"5d0a1c6e-made-up"}"#),
        "{line}"
    );
}

/// A trace line: a party of the queue `teams-12v12`.
fn squad(at: f64, name: &str, size: usize) -> String {
    let here = latencies(&[("EastUs", 50)]);
    let ids: Vec<String> = (0..size).map(|n| format!("{name}{n}")).collect();
    let players: Vec<_> = ids.iter().map(|id| (id.as_str(), here.as_str())).collect();
    party(at, name, "teams-12v12", &players)
}

#[test]
fn twelve_against_twelve_with_premade_similarity() {
    let trios = |names: &[&str]| names.iter().map(|name| squad(0.0, name, 3)).collect::<String>();
    // A party of 6 is large (half of 12). One alone has no counterpart: only when the rule is optional.
    let one = squad(0.0, "P", 6) + &trios(&["A", "B", "C", "D", "E", "F"]);
    assert_eq!(short("teams_12v12", &one, 100), ["20 Red=P,A,B Blue=C,D,E,F @EastUs"]);
    // Two of them stand on either side, at once.
    let two = squad(0.0, "P", 6) + &trios(&["A", "B", "C", "D"]) + &squad(0.0, "Q", 6);
    assert_eq!(short("teams_12v12", &two, 100), ["0 Red=P,A,B Blue=C,D,Q @EastUs"]);
}

#[test]
fn eight_teams_of_four() {
    let here = latencies(&[("EastUs", 50)]);
    let mut trace = String::new();
    for name in ["a", "b", "c", "d", "e", "f", "g", "h"] {
        let ids: Vec<String> = (0..4).map(|n| format!("{name}{n}")).collect();
        let players: Vec<_> = ids.iter().map(|id| (id.as_str(), here.as_str())).collect();
        trace += &party(0.0, name, "teams-8x4", &players);
    }
    let expected = "0 team1=a team2=b team3=c team4=d team5=e team6=f team7=g team8=h @EastUs";
    assert_eq!(short("teams_8x4", &trace, 10), [expected]);
}

#[test]
fn cross_play_by_a_missing_attribute() {
    let mut trace = solo(0.0, "console", "cross-play", r#""DeviceType":"console""#);
    for n in 0..20 {
        trace += &solo(0.0, &format!("pc{n:02}"), "cross-play", r#""DeviceType":"pc""#);
    }
    for n in 0..12 {
        trace += &solo(0.0, &format!("any{n:02}"), "cross-play", "");
    }
    // The console has 12 partners, too few; 20 PCs and the 12 who play with anybody are 32.
    let pcs = (0..20).map(|n| format!("pc{n:02}"));
    let all: Vec<String> = pcs.chain((0..12).map(|n| format!("any{n:02}"))).collect();
    assert_eq!(short("cross_play", &trace, 10), [format!("0 all={}", all.join(","))]);
}

#[test]
fn one_host_among_eight() {
    let mut trace =
        solo(0.0, "h1", "one-host", r#""IsHost":1"#) + &solo(0.0, "h2", "one-host", r#""IsHost":1"#);
    for n in 1..=7 {
        trace += &solo(0.0, &format!("p{n}"), "one-host", "");
    }
    // A missing value counts 0; two hosts would be a sum of 2.
    assert_eq!(short("one_host", &trace, 10), ["0 all=h1,p1,p2,p3,p4,p5,p6,p7"]);
}

#[test]
fn roles_one_two_one() {
    let role = |name: &str, role: &str| solo(0.0, name, "roles", &format!(r#""Roles":{{"{role}":1}}"#));
    let trace = role("t1", "Tank")
        + &role("t2", "Tank")
        + &role("d1", "Damage")
        + &role("d2", "Damage")
        + &role("s1", "Support");
    assert_eq!(short("roles", &trace, 10), ["0 all=t1,d1,d2,s1"]);
}

#[test]
fn two_differences_with_weights() {
    let at = |name: &str, skill: u32, level: u32| {
        solo(0.0, name, "two-weights", &format!(r#""Skill":{skill},"Level":{level}"#))
    };
    // To a: b costs 3 x 10, c costs 1 x 20.
    let trace = at("a", 0, 0) + &at("b", 10, 0) + &at("c", 0, 20);
    let outcome = replay(&file("two_weights").specs, &trace, Millis(1000));
    assert_eq!(outcome.short, ["0 all=a,c"]);
    assert!(outcome.lines[0].contains(r#""cost":20,"#), "{}", outcome.lines[0]);
}

#[test]
fn shared_content_until_optional() {
    let trace = solo(0.0, "a", "shared-dlc", r#""Dlc":["x"]"#)
        + &solo(10.0, "b", "shared-dlc", r#""Dlc":["y"]"#)
        + &solo(50.0, "c", "shared-dlc", "")
        + &solo(50.0, "d", "shared-dlc", r#""Dlc":["base","z"]"#);
    // The rule binds b until 30 s. c has the default, which d has too.
    assert_eq!(short("shared_dlc", &trace, 100), ["30 all=a,b", "50 all=c,d"]);
}

#[test]
fn statistics_are_kept_and_echoed() {
    let read = file("statistics");
    assert_eq!(read.warnings.len(), 1);
    let trace = solo(0.0, "a", "statistics", "") + &solo(0.0, "b", "statistics", r#""Hat":{"Color":"red"}"#);
    let outcome = replay(&read.specs, &trace, Millis(1000));
    let line = &outcome.lines[0];
    let echo = r#""echo":{"StatisticsVisibilityToPlayers":{"ShowNumberOfPlayersMatching":true,"ShowTimeToMatch":false}}"#;
    assert!(line.contains(echo), "{line}");
    // What no rule reads is returned with the match.
    assert!(line.contains(r#""attributes":{"b":{"Hat":{"Color":"red"}}}"#), "{line}");
}

#[test]
fn pt_10_team_averages_to_the_last_digit() {
    let file = r#"{"Name": "q", "MinMatchSize": 6, "MaxMatchSize": 6,
        "Teams": [{"Name": "x", "MinTeamSize": 3, "MaxTeamSize": 3}, {"Name": "y", "MinTeamSize": 3, "MaxTeamSize": 3}],
        "TeamDifferenceRules": [{"Name": "d", "Attribute": {"Path": "S"}, "Difference": 15, "DefaultAttributeValue": 0}]}"#;
    for (skill, matched) in [("13", true), ("15", true), ("15.01", false)] {
        let own = format!(r#""S":{skill}"#);
        let low = [("p1", r#""S":0"#), ("p2", r#""S":0"#), ("p3", r#""S":0"#)];
        let high = [("q1", own.as_str()), ("q2", own.as_str()), ("q3", own.as_str())];
        let trace = party(0.0, "P", "q", &low) + &party(0.0, "Q", "q", &high);
        let outcome = replay(&text(file), &trace, Millis(1000));
        assert_eq!(outcome.short.len(), usize::from(matched), "{skill}");
        if matched {
            let compared = format!(r#""team_difference":{skill},"#);
            assert!(outcome.lines[0].contains(&compared), "{}", outcome.lines[0]);
        }
    }
}
