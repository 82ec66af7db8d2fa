//! Team rules, the sizes of matches, and limits of tickets' own.

use super::*;

fn fair(max: &str) -> RuleKind {
    RuleKind::TeamDifference { attribute: 0, window: window(max), default: Some(Fixed::ZERO) }
}

#[test]
fn pt_10_team_averages_may_differ_by_exactly_the_window() {
    let spec = two_teams(3, 3, vec![rule("fair", fair("15"))]);
    let p = party(1, &["0", "0", "0"]);
    let against = |skills: &[&str]| judge(&spec, 0, &[(0, &p), (0, &party(4, skills))], &[0, 1]);
    assert_eq!(against(&["13"; 3]).unwrap().quality.team_difference, Some(fixed("13")));
    assert!(against(&["15"; 3]).is_ok());
    assert!(against(&["15", "15", "15.000001"]).is_err(), "a third of a unit is too much");
    assert!(against(&["15.01"; 3]).is_err());
}

#[test]
fn team_difference_excess_is_rounded_up_and_empty_teams_are_left_out() {
    let mut spec = two_teams(0, 3, vec![rule("fair", fair("1"))]);
    spec.rules[0].optional_after = Some(Millis(0));
    let (p, q) = (party(1, &["0", "0", "1"]), party(4, &["2"]));
    // 2 - 1/3 - 1 = 0.666667 after rounding up; ten times that.
    assert_eq!(cost(judge(&spec, 0, &[(0, &p), (0, &q)], &[0, 1])), "6.66667");
    let verdict = judge(&spec, 0, &[(0, &p)], &[0]).unwrap();
    assert_eq!((verdict.cost, verdict.quality.team_difference), (0, Some(Fixed::ZERO)));
    assert_eq!(verdict.quality.skill_spread, Some(Fixed::ZERO));
}

#[test]
fn team_size_counts_an_empty_team_as_zero() {
    let mut spec = two_teams(0, 3, vec![rule("even", RuleKind::TeamSize { window: window("1") })]);
    let (p, q) = (party(1, &["0", "0"]), solo(4, "2"));
    assert!(judge(&spec, 0, &[(0, &p), (0, &q)], &[0, 1]).is_ok());
    let why = refused(judge(&spec, 0, &[(0, &p)], &[1]));
    assert_eq!(why, "rule even: the difference of team sizes is 2, the most is 1");
    spec.rules[0].optional_after = Some(Millis(0));
    assert_eq!(cost(judge(&spec, 0, &[(0, &p)], &[1])), "10");
}

#[test]
fn premade_balance_wants_one_large_party_a_team_or_none() {
    let mut spec = two_teams(1, 4, vec![rule("premade", RuleKind::PremadeBalance)]);
    let (p, q, s) = (party(1, &["0", "0"]), party(3, &["0", "0", "0"]), solo(6, "0"));
    let r = party(7, &["0", "0"]);
    assert!(judge(&spec, 0, &[(0, &p), (0, &q)], &[0, 1]).is_ok());
    assert!(judge(&spec, 0, &[(0, &s), (0, &solo(9, "0"))], &[0, 1]).is_ok());
    assert!(judge(&spec, 0, &[(0, &p), (0, &s)], &[0, 1]).is_err());
    assert!(judge(&spec, 0, &[(0, &p), (0, &r), (0, &s)], &[0, 0, 1]).is_err());
    spec.rules[0].optional_after = Some(Millis(0));
    assert_eq!(cost(judge(&spec, 0, &[(0, &p), (0, &s)], &[0, 1])), "10");
    assert_eq!(cost(judge(&spec, 0, &[(0, &p), (0, &r), (0, &s)], &[0, 0, 1])), "20");
    assert_eq!(cost(judge(&spec, 0, &[(0, &s), (0, &solo(9, "0"))], &[0, 1])), "0", "not broken: no excess");
    // Half of five, rounded up: three are a large party, two are not.
    spec.teams[1].players_max = 5;
    spec.rules[0].optional_after = None;
    assert!(judge(&spec, 0, &[(0, &p), (0, &s)], &[0, 1]).is_ok());
    assert!(judge(&spec, 0, &[(0, &q), (0, &s)], &[0, 1]).is_err());
}

#[test]
fn pt_03_and_pt_04_sizes_count_players() {
    let mut spec = queue(4, 6, Vec::new());
    spec.players.multiple = Some(2);
    let (p, s, u) = (party(1, &["0", "0", "0"]), solo(4, "0"), solo(5, "0"));
    let why = refused(judge(&spec, 0, &[(0, &p), (0, &s), (0, &u)], &[0, 0, 0]));
    assert_eq!(why, "multiple: players is 5, right is a multiple of 2");
    assert!(judge(&spec, 0, &[(0, &p), (0, &s)], &[0, 0]).is_ok());
    let spec = queue(2, 4, Vec::new());
    let q = party(11, &["0", "0", "0"]);
    let why = refused(judge(&spec, 0, &[(0, &p), (0, &q)], &[0, 0]));
    assert_eq!(why, "match size: players is 6, the most is 4");
}

#[test]
fn pt_06_a_full_match_may_stand_alone_unless_min_tickets_is_written() {
    let four = party(1, &["0", "0", "0", "0"]);
    let mut teams = two_teams(1, 4, Vec::new());
    teams.teams.truncate(1);
    assert!(judge(&teams, 0, &[(0, &four)], &[0]).is_ok());
    assert!(judge(&teams, 0, &[(0, &solo(9, "0"))], &[0]).is_ok());
    let mut spec = queue(2, 4, Vec::new());
    assert!(judge(&spec, 0, &[(0, &four)], &[0]).is_ok());
    let three = party(1, &["0", "0", "0"]);
    let why = refused(judge(&spec, 0, &[(0, &three)], &[0]));
    assert_eq!(why, "min_tickets: tickets is 1, the least is 2");
    spec.min_tickets = Some(2);
    assert!(judge(&spec, 0, &[(0, &four)], &[0]).is_err());
    spec.players.multiple = Some(3);
    spec.min_tickets = None;
    assert!(judge(&spec, 0, &[(0, &three)], &[0]).is_ok(), "three is the greatest legal size");
}

/// EX-04: two to four players, a full match preferred for a second.
#[test]
fn ex_04_preference_ends_with_the_age_of_the_oldest() {
    let mut spec = queue(2, 4, Vec::new());
    spec.prefer_full_for = Millis(1000);
    let (a, b) = (solo(1, "0"), solo(2, "0"));
    let why = refused(judge(&spec, 3, &[(3, &a), (3, &b)], &[0, 0]));
    assert_eq!(why, "prefer_full_for_s: players while a full match is preferred is 2, the least is 4");
    assert!(judge(&spec, 4, &[(3, &a), (4, &b)], &[0, 0]).is_ok());
}

#[test]
fn own_limits_bind_for_ever_and_judge_the_others() {
    let mut spec = queue(2, 3, vec![rule("skill", difference(window("1000")))]);
    let mut picky = solo(1, "1000");
    picky.limits.attributes =
        vec![("skill".to_owned(), Some(Decimal::from_int(1400)), Some(Decimal::from_int(1600)))];
    let (low, high) = (solo(2, "1400"), solo(3, "1601"));
    assert!(judge(&spec, 0, &[(0, &picky), (0, &low)], &[0, 0]).is_ok());
    let why = refused(judge(&spec, 0, &[(0, &high), (0, &picky)], &[0, 0]));
    assert_eq!(why, "limits of a ticket: a value is 1601, the most is 1600");
    // A party's mean may be within, a member is not.
    let pair = party(5, &["1399", "1600"]);
    assert!(judge(&spec, 0, &[(0, &picky), (0, &pair)], &[0, 0]).is_err());
    // The rule's default is not a value of the player; the attribute's is.
    let none = TicketRequest::new("q").player(PlayerRequest::new(PlayerId(9)));
    if let RuleKind::Difference { default, .. } = &mut spec.rules[0].kind {
        *default = Some(fixed("1500"));
    }
    assert!(judge(&spec, 0, &[(0, &picky), (0, &none)], &[0, 0]).is_err());
    spec.attributes[0].default = Some(AttributeDefault::Number(fixed("1500")));
    assert!(judge(&spec, 0, &[(0, &picky), (0, &none)], &[0, 0]).is_ok());
}

#[test]
fn no_player_stands_twice() {
    let spec = queue(2, 2, Vec::new());
    let why = refused(judge(&spec, 0, &[(0, &solo(16, "0")), (0, &solo(16, "0"))], &[0, 0]));
    assert_eq!(why, "no player twice: the match is player 0x10 twice, right is every player once");
}

#[test]
fn a_range_of_counts_stands_from_the_first_on() {
    let mut spec = queue(1, 1, Vec::new());
    spec.players = MatchSizeSpec::default();
    let count = Some(TeamCount { min: 2, max: 3, is_range: true });
    spec.teams = vec![TeamSpec { name: "squad".to_owned(), count, players_min: 0, players_max: 2 }];
    let (a, b, c) = (solo(1, "0"), solo(2, "0"), solo(3, "0"));
    let three = [(0, &a), (0, &b), (0, &c)];
    assert!(judge(&spec, 0, &three, &[0, 1, 1]).is_ok());
    assert!(judge(&spec, 0, &three, &[0, 1, 2]).is_ok());
    assert!(judge(&spec, 0, &three, &[0, 2, 2]).is_err(), "the second stands before the third");
    assert!(judge(&spec, 0, &three[..2], &[0, 0]).is_err(), "two teams at least");
    assert_eq!(Judge::new(&spec).team_names(), ["squad_1", "squad_2", "squad_3"]);
    assert_eq!(Judge::new(&spec).full_size(), Some(6));
    // Teams that do not stand count nowhere.
    spec.rules = vec![rule("even", RuleKind::TeamSize { window: window("0") })];
    assert!(judge(&spec, 0, &three[..2], &[0, 1]).is_ok());
}

#[test]
fn the_full_size_respects_gaps_between_team_counts() {
    let mut spec = queue(1, 1, Vec::new());
    spec.players = MatchSizeSpec { min: None, max: Some(11), multiple: None };
    let count = Some(TeamCount { min: 1, max: 2, is_range: true });
    spec.teams = vec![TeamSpec { name: "t".to_owned(), count, players_min: 6, players_max: 7 }];
    assert_eq!(Judge::new(&spec).full_size(), Some(7), "twelve are too many and eight cannot be seated");
}
