//! Hand-worked cases of the judge.

use super::expansion::number_at;
use super::*;
use crate::base::fixed::{Decimal, Fixed};
use crate::model::attribute::{AttributeDefault, AttributeSpec, AttributeType};
use crate::model::event::{MatchRecord, MatchedTicket, Micros, Quality, TeamRecord};
use crate::model::ids::{MatchId, Millis, PlayerId, QueueId, Seniority, TicketId};
use crate::model::request::{PlayerRequest, TicketRequest};
use crate::rules::spec::*;
use std::sync::Arc;

fn fixed(text: &str) -> Fixed {
    Decimal::parse(text).unwrap().exact().unwrap()
}

fn attribute(name: &str, kind: AttributeType) -> AttributeSpec {
    AttributeSpec {
        name: name.to_owned(),
        kind,
        default: None,
        min: None,
        max: None,
        decimals: 6,
        path: None,
        source: None,
    }
}

fn rule(name: &str, kind: RuleKind) -> RuleSpec {
    RuleSpec {
        name: name.to_owned(),
        weight: Fixed::ONE,
        optional_after: None,
        windows: None,
        may_tighten: false,
        kind,
    }
}

fn window(base: &str) -> NumberWindow {
    NumberWindow { base: fixed(base), expand: Expand::Never }
}

fn steps(base: &str, steps: &[(u64, Option<&str>)]) -> NumberWindow {
    let step =
        |&(after, value): &(u64, Option<&str>)| Step { after: Millis(after * 1000), value: value.map(fixed) };
    NumberWindow { base: fixed(base), expand: Expand::Steps(steps.iter().map(step).collect()) }
}

fn difference(window: NumberWindow) -> RuleKind {
    let (merge, missing) = (Merge::Average, Missing::Default);
    RuleKind::Difference { attribute: 0, window, merge, missing, default: None }
}

fn region(window: NumberWindow) -> RuleKind {
    RuleKind::Region { window, path: None }
}

/// A queue with the attributes skill (number), mode (string), maps (list) and tank (integer, default 0).
fn queue(min: u32, max: u32, rules: Vec<RuleSpec>) -> QueueSpec {
    let mut spec = QueueSpec::new("q", min, max);
    let mut tank = attribute("tank", AttributeType::Integer);
    tank.decimals = 0;
    tank.default = Some(AttributeDefault::Number(Fixed::ZERO));
    spec.attributes = vec![
        attribute("skill", AttributeType::Number),
        attribute("mode", AttributeType::String),
        attribute("maps", AttributeType::StringList),
        tank,
    ];
    spec.rules = rules;
    spec
}

fn team(name: &str, min: u32, max: u32) -> TeamSpec {
    TeamSpec { name: name.to_owned(), count: None, players_min: min, players_max: max }
}

fn two_teams(min: u32, max: u32, rules: Vec<RuleSpec>) -> QueueSpec {
    let mut spec = queue(1, 1, rules);
    spec.players = MatchSizeSpec::default();
    spec.teams = vec![team("red", min, max), team("blue", min, max)];
    spec
}

/// A ticket of players with these skills; player ids are taken from `first` on.
fn party(first: u128, skills: &[&str]) -> TicketRequest {
    let player = |(index, skill): (usize, &&str)| {
        PlayerRequest::new(PlayerId(first + index as u128)).number("skill", Decimal::parse(skill).unwrap())
    };
    TicketRequest { players: skills.iter().enumerate().map(player).collect(), ..TicketRequest::new("q") }
}

fn solo(id: u128, skill: &str) -> TicketRequest {
    party(id, &[skill])
}

/// Judges tickets that came at these seconds, in order, with these team positions, at `now` seconds. The region
/// is that which the judge itself says is best.
fn judge(
    spec: &QueueSpec,
    now: u64,
    tickets: &[(u64, &TicketRequest)],
    teams: &[usize],
) -> Result<Verdict, Violation> {
    judge_down(spec, now, tickets, teams, &[])
}

fn judge_down(
    spec: &QueueSpec,
    now: u64,
    tickets: &[(u64, &TicketRequest)],
    teams: &[usize],
    down: &[&str],
) -> Result<Verdict, Violation> {
    let judge = Judge::new(spec);
    let tickets: Vec<JudgedTicket<'_>> = tickets
        .iter()
        .enumerate()
        .map(|(index, &(at, request))| JudgedTicket {
            seniority: Seniority { enqueued: Millis(at * 1000), submit_number: index as u64 + 1 },
            request,
        })
        .collect();
    let now = Millis(now * 1000);
    let regions = judge.legal_regions(&tickets, now, down)?;
    let region = regions.first().map(|region| &*region.name);
    judge.check(&Lineup { tickets: &tickets, teams, region }, now, down)
}

fn refused(result: Result<Verdict, Violation>) -> String {
    result.expect_err("the match is not legal").to_string()
}

fn cost(result: Result<Verdict, Violation>) -> String {
    result.expect("the match is legal").quality.cost.to_string()
}

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

fn pings(id: u128, pings: &[(&str, i32)]) -> TicketRequest {
    let ticket = TicketRequest::new("q").player(PlayerRequest::new(PlayerId(id)));
    pings.iter().fold(ticket, |ticket, &(name, ms)| ticket.ping(name, ms))
}

fn region_of(result: Result<Verdict, Violation>) -> String {
    result.expect("legal").regions[0].name.to_string()
}

#[test]
fn rg_01_the_match_takes_the_least_mean_then_the_least_worst_then_the_first_name() {
    let spec = queue(2, 2, vec![rule("ping", region(window("150")))]);
    let two = |a: &[(&str, i32)], b: &[(&str, i32)]| {
        region_of(judge(&spec, 0, &[(0, &pings(1, a)), (0, &pings(2, b))], &[0, 0]))
    };
    assert_eq!(two(&[("sgp", 82), ("hkg", 115)], &[("hkg", 100), ("sgp", 45)]), "sgp");
    assert_eq!(two(&[("a", 10), ("b", 20)], &[("a", 40), ("b", 30)]), "b", "the worst of a is 40");
    assert_eq!(two(&[("b", 10), ("a", 20)], &[("b", 20), ("a", 10)]), "a");
}

#[test]
fn rg_05_tickets_with_different_best_regions_meet_in_either() {
    let spec = queue(2, 2, vec![rule("ping", region(window("150")))]);
    let (a, b) = (pings(1, &[("eu", 40), ("us", 45)]), pings(2, &[("us", 40), ("eu", 45)]));
    let verdict = judge(&spec, 0, &[(0, &a), (0, &b)], &[0, 0]).unwrap();
    assert_eq!(verdict.regions.len(), 2);
    assert_eq!(
        (verdict.quality.ping_worst_ms, verdict.quality.ping_mean_ms),
        (Some(fixed("45")), Some(fixed("42.5")))
    );
    assert_eq!(verdict.quality.cost.to_string(), "42.5");
    assert_eq!(region_of(judge_down(&spec, 0, &[(0, &a), (0, &b)], &[0, 0], &["eu"])), "us");
    assert!(judge_down(&spec, 0, &[(0, &a), (0, &b)], &[0, 0], &["eu", "us"]).is_err());
}

#[test]
fn rg_07_the_limit_is_for_every_ticket_not_for_the_mean() {
    let spec = queue(4, 4, vec![rule("ping", region(window("150")))]);
    let tickets: Vec<_> =
        [20, 20, 20, 400].iter().zip(1..).map(|(&ms, id)| pings(id, &[("eu", ms)])).collect();
    let tickets: Vec<_> = tickets.iter().map(|ticket| (0, ticket)).collect();
    let why = refused(judge(&spec, 0, &tickets, &[0; 4]));
    assert_eq!(why, "region: there is no region that is legal for every ticket");
}

#[test]
fn regions_need_every_member_and_the_allow_list() {
    let mut spec = queue(1, 3, vec![rule("ping", region(window("50")))]);
    spec.min_tickets = Some(1);
    let mut pair = pings(1, &[("eu", 20), ("us", 30), ("asia", 40)]);
    pair.players.push(PlayerRequest::new(PlayerId(2)).ping("us", 45).ping("asia", 41));
    let verdict = judge(&spec, 0, &[(0, &pair)], &[0]).unwrap();
    let found: Vec<_> = verdict.regions.iter().map(|region| (&*region.name, region.ping_worst)).collect();
    assert_eq!(found, [("asia", fixed("41")), ("us", fixed("45"))]);
    pair.regions = Some(vec!["us".to_owned(), "mars".to_owned()]);
    assert_eq!(region_of(judge(&spec, 0, &[(0, &pair)], &[0])), "us");
    pair.limits.max_ping_ms = Some(Decimal::from_int(44));
    assert!(judge(&spec, 0, &[(0, &pair)], &[0]).is_err());
    pair.regions = None;
    assert_eq!(region_of(judge(&spec, 0, &[(0, &pair)], &[0])), "asia");
}

#[test]
fn an_optional_region_drops_the_limit_but_never_the_reachability() {
    let mut spec = queue(2, 2, vec![rule("ping", region(window("50")))]);
    spec.rules[0].optional_after = Some(Millis(10_000));
    let (a, b) = (pings(1, &[("eu", 70), ("us", 10)]), pings(2, &[("eu", 20)]));
    assert!(judge(&spec, 9, &[(0, &a), (0, &b)], &[0, 0]).is_err());
    // Mean 45 and 10 x (70 - 50).
    assert_eq!(cost(judge(&spec, 10, &[(0, &a), (0, &b)], &[0, 0])), "245");
    let c = pings(3, &[("us", 20)]);
    assert!(judge(&spec, 10, &[(0, &b), (0, &c)], &[0, 0]).is_err());
}

#[test]
fn region_names_fold_if_the_queue_says_so() {
    let mut spec = queue(2, 2, vec![rule("ping", region(window("50")))]);
    let (a, b) = (pings(1, &[("EU", 10)]), pings(2, &[("eu", 20)]));
    assert!(judge(&spec, 0, &[(0, &a), (0, &b)], &[0, 0]).is_err());
    spec.region_names = RegionNames::FoldCase;
    assert_eq!(region_of(judge(&spec, 0, &[(0, &a), (0, &b)], &[0, 0])), "eu");
    assert!(judge_down(&spec, 0, &[(0, &a), (0, &b)], &[0, 0], &["Eu"]).is_err());
}

#[test]
fn the_region_must_be_the_best_one() {
    let spec = queue(1, 2, vec![rule("ping", region(window("50")))]);
    let judge = Judge::new(&QueueSpec { min_tickets: Some(1), ..spec });
    let a = pings(1, &[("eu", 10), ("us", 20)]);
    let tickets = [JudgedTicket { seniority: Seniority::default(), request: &a }];
    let at = |region| judge.check(&Lineup { tickets: &tickets, teams: &[0], region }, Millis(0), &[]);
    assert!(at(Some("eu")).is_ok());
    assert_eq!(at(Some("us")).unwrap_err().to_string(), "region: the region is us, right is eu");
    assert!(at(None).is_err());
}

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

/// A released match of a party and a single player, as an engine would tell it.
fn released() -> (QueueSpec, Vec<(TicketId, Seniority, TicketRequest)>, MatchRecord) {
    let mut spec =
        two_teams(1, 2, vec![rule("skill", difference(window("50"))), rule("ping", region(window("90")))]);
    spec.region_names = RegionNames::FoldCase;
    spec.echo = Some("{\"map\":1}".to_owned());
    let pair = party(1, &["1500", "1510"]).ping("EU", 20).ping("US", 80).user_data(7);
    let single = solo(3, "1525").ping("eu", 50).ping("us", 90).user_data(8);
    let seniority = |second: u64, submit_number| Seniority { enqueued: Millis(second * 1000), submit_number };
    let (first, second) = (TicketId::new(0, 1), TicketId::new(1, 1));
    let tickets = vec![(first, seniority(4, 1), pair), (second, seniority(2, 2), single)];
    let team = |name: &str, ticket, players: &[u128]| TeamRecord {
        name: Arc::from(name),
        tickets: vec![ticket],
        players: players.iter().map(|&id| PlayerId(id)).collect(),
    };
    let matched = |id, user_data, team, ping: i64, wait: u64, attempts| MatchedTicket {
        id,
        user_data,
        team,
        ping_ms: Some(Fixed::from_int(ping)),
        wait: Millis(wait * 1000),
        attempts,
        update_lost: false,
    };
    let record = MatchRecord {
        at: Millis(6000),
        id: MatchId(second),
        queue: QueueId(0),
        region: Some(Arc::from("EU")),
        regions: vec![Arc::from("EU"), Arc::from("us")],
        teams: vec![team("red", first, &[1, 2]), team("blue", second, &[3])],
        tickets: vec![matched(first, 7, 0, 20, 2, 0), matched(second, 8, 1, 50, 4, 1)],
        quality: Quality {
            // 1525 - 1505, and the mean ping of three players.
            cost: Micros(50_000_000),
            skill_spread: Some(fixed("20")),
            team_difference: Some(fixed("20")),
            ping_worst_ms: Some(fixed("50")),
            ping_mean_ms: Some(fixed("30")),
            oldest_wait: Millis(4000),
            exhaustive: true,
        },
        attempts: 1,
        echo: Some(Arc::from("{\"map\":1}")),
        kept: Vec::new(),
    };
    (spec, tickets, record)
}

/// Judges the released match after a change; what is wrong, in words.
fn tampered(change: impl Fn(&mut MatchRecord)) -> Result<(), String> {
    let (spec, tickets, mut record) = released();
    change(&mut record);
    let lookup = |id| tickets.iter().find(|ticket| ticket.0 == id).map(|ticket| (ticket.1, &ticket.2));
    match Judge::new(&spec).match_record(&record, lookup, &[]) {
        Ok(_) => Ok(()),
        Err(violation) => Err(violation.clause.to_string()),
    }
}

#[test]
fn a_released_match_is_judged_field_by_field() {
    assert_eq!(tampered(|_| {}), Ok(()));
    type Change = fn(&mut MatchRecord);
    let changes: [(&str, Change); 17] = [
        ("match record, the match's id", |record| record.id = MatchId(TicketId::new(0, 1))),
        ("match record, the order of submit numbers", |record| record.tickets.reverse()),
        ("match record, tickets", |record| record.tickets[0].id = TicketId::new(9, 9)),
        ("match record, user_data", |record| record.tickets[0].user_data = 0),
        ("match record, teams", |record| record.teams[0].name = Arc::from("green")),
        ("match record, the teams that stand", |record| record.teams.swap(0, 1)),
        ("match record, a team's tickets", |record| record.teams[0].tickets.clear()),
        ("match record, a team's players", |record| record.teams[0].players.reverse()),
        ("region", |record| record.region = Some(Arc::from("us"))),
        ("match record, regions", |record| record.regions.truncate(1)),
        ("match record, a ping", |record| record.tickets[1].ping_ms = None),
        ("match record, cost", |record| record.quality.cost = Micros(50_000_001)),
        ("match record, team_difference", |record| record.quality.team_difference = None),
        ("match record, oldest_wait", |record| record.quality.oldest_wait = Millis(2000)),
        ("match record, wait", |record| record.tickets[0].wait = Millis(0)),
        ("match record, attempts", |record| record.attempts = 0),
        ("match record, echo", |record| record.echo = None),
    ];
    for (clause, change) in changes {
        assert_eq!(tampered(change), Err(clause.to_owned()));
    }
    assert_eq!(tampered(|record| record.tickets[1].team = 0), Err("team sizes".to_owned()));
}
