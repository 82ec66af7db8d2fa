//! Rules over what tickets bring: differences, equalities, intersections, totals.

use super::*;

#[test]
fn windows_follow_the_vectors_of_the_design() {
    let power = Expand::Power { factor: fixed("4.5"), exponent: fixed("1.35"), cap: Some(fixed("600")) };
    let skill = NumberWindow { base: fixed("50"), expand: power };
    let linear =
        Expand::Linear { add: fixed("15"), every: Millis(4000), cap: Some(fixed("180")), floor: None };
    let ping = NumberWindow { base: fixed("35"), expand: linear };
    let at = |window: &NumberWindow, ms: u64| number_at(window, Millis(ms)).unwrap();
    for (age, wanted, ms) in [
        (0, "50.00", "35"),
        (4, "79.24", "50"),
        (10, "150.74", "65"),
        (15, "224.15", "80"),
        (20, "306.80", "110"),
        (30, "493.94", "140"),
    ] {
        assert_eq!(format!("{:.2}", at(&skill, age * 1000).to_f64()), wanted, "skill at {age} s");
        assert_eq!(at(&ping, age * 1000), fixed(ms), "ping at {age} s");
    }
    assert!(at(&skill, 35_150) < fixed("600") && at(&skill, 35_160) == fixed("600"));
    assert!(at(&ping, 39_999) < fixed("180") && at(&ping, 40_000) == fixed("180"));
}

#[test]
fn steps_hold_from_their_age_on_and_may_switch_off() {
    let window = steps("100", &[(20, Some("200")), (40, None)]);
    assert_eq!(number_at(&window, Millis(19_999)), Some(fixed("100")));
    assert_eq!(number_at(&window, Millis(20_000)), Some(fixed("200")));
    assert_eq!(number_at(&window, Millis(40_000)), None);
    let falling =
        Expand::Linear { add: fixed("-1"), every: Millis(1000), cap: None, floor: Some(fixed("1")) };
    let falling = NumberWindow { base: fixed("3"), expand: falling };
    assert_eq!(number_at(&falling, Millis(1_999)), Some(fixed("2")));
    assert_eq!(number_at(&falling, Millis(9_000)), Some(fixed("1")));
    let huge = Expand::Power { factor: fixed("1000"), exponent: fixed("500"), cap: None };
    let huge = NumberWindow { base: fixed("3"), expand: huge };
    assert_eq!(number_at(&huge, Millis(1 << 52)), Some(Fixed::MAX));
}

#[test]
fn difference_is_inclusive_and_mutual() {
    let spec = queue(2, 2, vec![rule("skill", difference(window("0.2")))]);
    let (a, b, c) = (solo(1, "0.8"), solo(2, "0.6"), solo(3, "0.599999"));
    assert_eq!(cost(judge(&spec, 0, &[(0, &a), (0, &b)], &[0, 0])), "0.2");
    let why = refused(judge(&spec, 0, &[(0, &a), (0, &c)], &[0, 0]));
    assert_eq!(why, "rule skill: a difference is 0.200001, the most is 0.2");
}

/// EX-07: a window of 100 + 5 a second; A (1700) came at 0, B (2000) at 60.
#[test]
fn ex_07_the_difference_must_fit_both_windows_unless_the_queue_says_otherwise() {
    let expand =
        Expand::Linear { add: fixed("5"), every: Millis(1000), cap: Some(fixed("600")), floor: None };
    let window = NumberWindow { base: fixed("100"), expand };
    let mut spec = queue(2, 2, vec![rule("skill", difference(window))]);
    let (a, b) = (solo(1, "1700"), solo(2, "2000"));
    let at = |spec: &QueueSpec, now| judge(spec, now, &[(0, &a), (60, &b)], &[0, 0]);
    assert!(at(&spec, 60).is_err() && at(&spec, 99).is_err() && at(&spec, 100).is_ok());
    spec.windows = WindowAge::Oldest;
    assert!(at(&spec, 60).is_ok());
    spec.windows = WindowAge::Newest;
    assert!(at(&spec, 99).is_err() && at(&spec, 100).is_ok());
    spec.rules[0].windows = Some(WindowAge::Oldest);
    assert!(at(&spec, 60).is_ok(), "the rule's own setting goes before the queue's");
}

#[test]
fn parties_merge_over_the_members_that_have_a_value() {
    let mut spec = queue(2, 4, vec![rule("skill", difference(window("0")))]);
    spec.attributes[0].decimals = 0;
    let mut pair = party(1, &["10", "13"]);
    pair.players.push(PlayerRequest::new(PlayerId(3)));
    let twelve = solo(4, "12");
    assert_eq!(cost(judge(&spec, 0, &[(0, &pair), (0, &twelve)], &[0, 0])), "0", "11.5 rounds up to 12");
    for (merge, other) in [(Merge::Min, "10"), (Merge::Max, "13")] {
        if let RuleKind::Difference { merge: of_rule, .. } = &mut spec.rules[0].kind {
            *of_rule = merge;
        }
        let other = solo(4, other);
        assert!(judge(&spec, 0, &[(0, &pair), (0, &other)], &[0, 0]).is_ok());
        assert!(judge(&spec, 0, &[(0, &pair), (0, &twelve)], &[0, 0]).is_err());
    }
}

#[test]
fn difference_leaves_out_tickets_without_a_value() {
    let kind = RuleKind::Difference {
        attribute: 0,
        window: window("5"),
        merge: Merge::Average,
        missing: Missing::Any,
        default: None,
    };
    let mut spec = queue(2, 3, vec![rule("skill", kind)]);
    let none = TicketRequest::new("q").player(PlayerRequest::new(PlayerId(9)));
    let (a, b) = (solo(1, "1"), solo(2, "6"));
    assert_eq!(cost(judge(&spec, 0, &[(0, &a), (0, &b), (0, &none)], &[0, 0, 0])), "5");
    assert_eq!(cost(judge(&spec, 0, &[(0, &a), (0, &none)], &[0, 0])), "0");
    if let RuleKind::Difference { missing, .. } = &mut spec.rules[0].kind {
        *missing = Missing::Default;
    }
    let why = refused(judge(&spec, 0, &[(0, &a), (0, &none)], &[0, 0]));
    assert_eq!(why, "rule skill: there is no value of a ticket");
}

#[test]
fn an_optional_difference_costs_ten_times_its_excess() {
    let mut spec = queue(2, 3, vec![rule("skill", difference(window("5")))]);
    spec.rules[0].optional_after = Some(Millis(10_000));
    spec.rules[0].weight = fixed("0.5");
    let (a, b) = (solo(1, "0"), solo(2, "12"));
    // Both prefer: 0.5 x (12 + 10 x (12 - 5)).
    assert_eq!(cost(judge(&spec, 10, &[(0, &a), (0, &b)], &[0, 0])), "41");
    // The younger one still binds.
    assert!(judge(&spec, 10, &[(0, &a), (1, &b)], &[0, 0]).is_err());
    // Within the window there is no excess, and the term counts all the same.
    let c = solo(3, "4");
    assert_eq!(cost(judge(&spec, 10, &[(0, &a), (1, &c)], &[0, 0])), "2");
}

#[test]
fn a_rule_that_is_off_neither_binds_nor_prefers() {
    let mut spec = queue(2, 2, vec![rule("skill", difference(steps("5", &[(20, None)])))]);
    spec.rules[0].optional_after = Some(Millis(10_000));
    let (a, b) = (solo(1, "0"), solo(2, "12"));
    assert_eq!(cost(judge(&spec, 10, &[(0, &a), (0, &b)], &[0, 0])), "82");
    assert_eq!(cost(judge(&spec, 20, &[(0, &a), (0, &b)], &[0, 0])), "12");
}

fn in_mode(id: u128, mode: &str) -> TicketRequest {
    TicketRequest::new("q").player(PlayerRequest::new(PlayerId(id)).string("mode", mode))
}

#[test]
fn equality_binds_all_that_have_a_value() {
    let kind = |steps| RuleKind::Equality { attribute: 1, missing: Missing::Any, default: None, steps };
    let mut spec = queue(2, 3, vec![rule("mode", kind(Vec::new()))]);
    let (a, b, c) = (in_mode(1, "koth"), in_mode(2, "ctf"), in_mode(3, "koth"));
    let none = TicketRequest::new("q").player(PlayerRequest::new(PlayerId(9)));
    assert!(judge(&spec, 0, &[(0, &a), (0, &c), (0, &none)], &[0, 0, 0]).is_ok());
    let why = refused(judge(&spec, 0, &[(0, &a), (0, &none), (0, &b)], &[0, 0, 0]));
    assert_eq!(why, "rule mode: distinct values is 2, the most is 1");
    spec.rules[0].optional_after = Some(Millis(10_000));
    assert_eq!(cost(judge(&spec, 10, &[(0, &a), (0, &b)], &[0, 0])), "10");
    // One young ticket is enough to bind all of them; one that is left out is not.
    assert!(judge(&spec, 10, &[(0, &a), (0, &b), (5, &c)], &[0, 0, 0]).is_err());
    assert!(judge(&spec, 10, &[(0, &a), (0, &b), (5, &none)], &[0, 0, 0]).is_ok());
    spec.rules[0].kind = kind(vec![Step { after: Millis(5_000), value: false }]);
    assert_eq!(cost(judge(&spec, 10, &[(0, &a), (0, &b)], &[0, 0])), "0", "off: no excess");
    assert!(judge(&spec, 4, &[(0, &a), (0, &b)], &[0, 0]).is_err());
}

#[test]
fn intersection_counts_what_all_lists_share() {
    let kind = |window| RuleKind::Intersection { attribute: 2, window, missing: Missing::Any, default: None };
    let mut spec = queue(2, 3, vec![rule("maps", kind(window("2")))]);
    let with = |id, maps: &[&str]| {
        TicketRequest::new("q").player(PlayerRequest::new(PlayerId(id)).strings("maps", maps))
    };
    let (a, b, c) = (with(1, &["x", "y", "z"]), with(2, &["z", "y"]), with(3, &["x", "y"]));
    assert!(judge(&spec, 0, &[(0, &a), (0, &b)], &[0, 0]).is_ok());
    let why = refused(judge(&spec, 0, &[(0, &a), (0, &b), (0, &c)], &[0, 0, 0]));
    assert_eq!(why, "rule maps: values shared is 1, the least is 2");
    spec.rules[0].optional_after = Some(Millis(10_000));
    assert_eq!(cost(judge(&spec, 10, &[(0, &a), (0, &b), (0, &c)], &[0, 0, 0])), "10");
    // The greatest window counts: the young ticket's is 2, the older one's is 1.
    spec.rules[0].optional_after = None;
    spec.rules[0].kind = kind(steps("2", &[(5, Some("1"))]));
    assert!(judge(&spec, 6, &[(0, &b), (0, &c)], &[0, 0]).is_ok());
    assert!(judge(&spec, 6, &[(0, &b), (2, &c)], &[0, 0]).is_err());
    // A party's list is what its members share.
    let mut pair = with(5, &["x", "y"]);
    pair.players.push(PlayerRequest::new(PlayerId(6)).strings("maps", &["y"]));
    pair.players.push(PlayerRequest::new(PlayerId(7)));
    spec.players.max = Some(4);
    assert!(judge(&spec, 6, &[(0, &a), (0, &pair)], &[0, 0]).is_ok());
    let x = with(8, &["x"]);
    assert!(judge(&spec, 6, &[(0, &x), (0, &pair)], &[0, 0]).is_err());
}

fn total(attribute: Option<usize>, min: Option<&str>, max: Option<&str>, per: TotalScope) -> RuleKind {
    let bounds = Bounds { min: min.map(fixed), max: max.map(fixed) };
    RuleKind::Total { attribute, bounds, per, steps: Vec::new() }
}

fn tank(id: u128, tanks: i32) -> TicketRequest {
    TicketRequest::new("q").player(PlayerRequest::new(PlayerId(id)).number("tank", tanks))
}

#[test]
fn totals_bound_each_team_or_the_match() {
    let kind = total(Some(3), Some("1"), Some("1"), TotalScope::Team);
    let mut spec = two_teams(1, 2, vec![rule("tank", kind)]);
    let (t1, t2, d) = (tank(1, 1), tank(2, 1), solo(3, "0"));
    assert!(judge(&spec, 0, &[(0, &t1), (0, &t2), (0, &d)], &[0, 1, 1]).is_ok());
    let why = refused(judge(&spec, 0, &[(0, &t1), (0, &t2), (0, &d)], &[0, 0, 1]));
    assert_eq!(why, "rule tank: a sum is 2, the most is 1");
    spec.rules[0].optional_after = Some(Millis(10_000));
    // One too many in red, one too few in blue.
    assert_eq!(cost(judge(&spec, 10, &[(0, &t1), (0, &t2), (0, &d)], &[0, 0, 1])), "20");
    spec.rules[0].kind = total(Some(3), None, Some("1.5"), TotalScope::Match);
    assert_eq!(cost(judge(&spec, 10, &[(0, &t1), (0, &t2)], &[0, 1])), "5");
    assert!(judge(&spec, 9, &[(0, &t1), (0, &t2)], &[0, 1]).is_err());
    assert!(judge(&spec, 0, &[(0, &t1), (0, &d)], &[0, 1]).is_ok());
}

/// EX-01: one team of four; 4 players, from 30 s 3, from 40 s 2, from 45 s 1.
#[test]
fn ex_01_a_total_of_players_goes_by_the_oldest_ticket() {
    let step = |after: u64, min: &str| Step {
        after: Millis(after * 1000),
        value: Some(Bounds { min: Some(fixed(min)), max: None }),
    };
    let kind = RuleKind::Total {
        attribute: None,
        bounds: Bounds { min: Some(fixed("4")), max: None },
        per: TotalScope::Match,
        steps: vec![step(30, "3"), step(40, "2"), step(45, "1")],
    };
    let mut spec = two_teams(1, 4, vec![rule("players", kind)]);
    spec.teams.truncate(1);
    let (a, b) = (solo(1, "0"), solo(2, "0"));
    for windows in [WindowAge::Mutual, WindowAge::Oldest, WindowAge::Newest] {
        spec.windows = windows;
        assert!(judge(&spec, 39, &[(0, &a), (10, &b)], &[0, 0]).is_err());
        assert!(judge(&spec, 40, &[(0, &a), (10, &b)], &[0, 0]).is_ok());
        assert!(judge(&spec, 44, &[(0, &a)], &[0]).is_err());
        assert!(judge(&spec, 45, &[(0, &a)], &[0]).is_ok());
    }
}
