//! Hand-worked cases of which legal match is made.

use super::*;
use crate::assemble::chosen::ChosenMatch;
use crate::base::fixed::Fixed;
use crate::model::attribute::{AttributeDefault, AttributeSpec, AttributeType};
use crate::model::ids::{PlayerId, Seniority};
use crate::model::request::{PlayerRequest, TicketRequest};
use crate::rules::spec::*;

fn number(name: &str, default: Option<i64>) -> AttributeSpec {
    AttributeSpec {
        name: name.to_owned(),
        kind: AttributeType::Number,
        default: default.map(|value| AttributeDefault::Number(Fixed::from_int(value))),
        min: None,
        max: None,
        decimals: 6,
        path: None,
        source: None,
    }
}

fn rule(kind: RuleKind) -> RuleSpec {
    let name = format!("{kind:?}").chars().take_while(|c| c.is_alphabetic()).collect();
    RuleSpec { name, weight: Fixed::ONE, optional_after: None, windows: None, may_tighten: false, kind }
}

fn difference(max: i64) -> RuleSpec {
    rule(RuleKind::Difference {
        attribute: 0,
        window: NumberWindow { base: Fixed::from_int(max), expand: Expand::Never },
        merge: Merge::Average,
        missing: Missing::Default,
        default: None,
    })
}

/// A queue of teams with these names and sizes, with an attribute `skill` of default 1500.
fn teams(teams: &[(&str, u32, u32)], rules: Vec<RuleSpec>) -> QueueSpec {
    let team = |&(name, players_min, players_max): &(&str, u32, u32)| TeamSpec {
        name: name.to_owned(),
        count: None,
        players_min,
        players_max,
    };
    let mut spec = all(1, 1, rules);
    spec.players = MatchSizeSpec::default();
    spec.teams = teams.iter().map(team).collect();
    spec
}

/// A queue without teams.
fn all(min: u32, max: u32, rules: Vec<RuleSpec>) -> QueueSpec {
    let mut spec = QueueSpec::new("q", min, max);
    spec.attributes = vec![number("skill", Some(1500)), number("tank", Some(0)), number("healer", Some(0))];
    spec.rules = rules;
    spec
}

/// A ticket that came at that second with players of these skills.
fn ticket(at: u64, skills: &[i32]) -> (u64, TicketRequest) {
    let player = |&skill: &i32| PlayerRequest::default().number("skill", skill);
    (at, TicketRequest { players: skills.iter().map(player).collect(), ..TicketRequest::new("q") })
}

/// The matches at `now`, by indices of tickets and team positions; submit numbers count up from 1.
fn matches(spec: &QueueSpec, now: u64, tickets: &[(u64, TicketRequest)]) -> Vec<(Vec<usize>, Vec<usize>)> {
    let found = chosen(spec, now, tickets).expect("a small pool");
    found.into_iter().map(|chosen| (chosen.tickets, chosen.teams)).collect()
}

fn chosen(
    spec: &QueueSpec,
    now: u64,
    tickets: &[(u64, TicketRequest)],
) -> Result<Vec<ChosenMatch>, OracleError> {
    let mut requests = tickets.to_vec();
    let players = requests.iter_mut().flat_map(|(_, ticket)| &mut ticket.players);
    for (player, id) in players.zip(1..) {
        player.id = PlayerId(id);
    }
    let pool: Vec<JudgedTicket<'_>> = requests
        .iter()
        .zip(1..)
        .map(|((at, request), submit_number)| JudgedTicket {
            seniority: Seniority { enqueued: Millis(at * 1000), submit_number },
            request,
        })
        .collect();
    all_matches(&Judge::new(spec), &pool, Millis(now * 1000), &[])
}

#[test]
fn pt_02_a_party_is_never_split() {
    let fair = rule(RuleKind::TeamDifference {
        attribute: 0,
        window: NumberWindow { base: Fixed::from_int(1000), expand: Expand::Never },
        default: None,
    });
    let mut spec = teams(&[("red", 2, 2), ("blue", 2, 2)], vec![fair]);
    let tickets = [ticket(0, &[2000, 1900]), ticket(0, &[1000]), ticket(0, &[1100])];
    assert_eq!(matches(&spec, 0, &tickets), [(vec![0, 1, 2], vec![0, 1, 1])]);
    if let RuleKind::TeamDifference { window, .. } = &mut spec.rules[0].kind {
        window.base = Fixed::from_int(100);
    }
    assert!(matches(&spec, 0, &tickets).is_empty());
}

#[test]
fn pt_03_a_ticket_is_dropped_whole_and_the_older_stays() {
    let mut spec = all(4, 6, Vec::new());
    spec.players.multiple = Some(2);
    let tickets = [ticket(0, &[1, 1, 1]), ticket(0, &[1]), ticket(0, &[1])];
    assert_eq!(matches(&spec, 0, &tickets), [(vec![0, 1], vec![0, 0])]);
}

#[test]
fn pt_04_no_match_of_six_where_four_are_the_most() {
    let spec = all(2, 4, Vec::new());
    assert!(matches(&spec, 0, &[ticket(0, &[1, 1, 1]), ticket(0, &[1, 1, 1])]).is_empty());
}

#[test]
fn pt_06_a_full_party_matches_alone() {
    assert_eq!(
        matches(&teams(&[("crew", 4, 4)], Vec::new()), 0, &[ticket(0, &[1; 4])]),
        [(vec![0], vec![0])]
    );
    assert_eq!(matches(&teams(&[("one", 1, 1)], Vec::new()), 0, &[ticket(0, &[1])]), [(vec![0], vec![0])]);
}

#[test]
fn pt_09_roles_are_totals_and_the_older_healer_plays() {
    let exactly = |attribute| {
        let bounds = Bounds { min: Some(Fixed::ONE), max: Some(Fixed::ONE) };
        rule(RuleKind::Total { attribute: Some(attribute), bounds, per: TotalScope::Team, steps: Vec::new() })
    };
    let spec = teams(&[("crew", 5, 5)], vec![exactly(1), exactly(2)]);
    let role = |name: Option<&str>| {
        let player = PlayerRequest::default();
        let player = name.iter().fold(player, |player, name| player.number(name, 1));
        (0, TicketRequest::new("q").player(player))
    };
    let mut tickets =
        vec![role(Some("healer")), role(Some("healer")), role(Some("tank")), role(None), role(None)];
    assert!(matches(&spec, 0, &tickets).is_empty());
    tickets.push(role(None));
    assert_eq!(matches(&spec, 0, &tickets), [(vec![0, 2, 3, 4, 5], vec![0; 5])]);
}

#[test]
fn ex_11_every_ticket_may_start_at_once_where_teams_may_be_empty() {
    let spec = teams(&[("a", 0, 1), ("b", 0, 1), ("c", 0, 1), ("d", 1, 1)], Vec::new());
    assert_eq!(matches(&spec, 0, &[ticket(0, &[1])]), [(vec![0], vec![3])]);
}

#[test]
fn the_oldest_comes_first_then_more_players_then_the_lower_cost() {
    let spec = all(2, 3, vec![difference(100)]);
    // The oldest ticket's own best match comes first, though 2 and 3 are equal.
    let tickets = [ticket(0, &[1000]), ticket(5, &[1100]), ticket(6, &[1150]), ticket(7, &[1150])];
    assert_eq!(matches(&spec, 9, &tickets), [(vec![0, 1], vec![0; 2]), (vec![2, 3], vec![0; 2])]);
    // Three players go before a cheaper pair; the submit number decides among equals.
    let tickets = [ticket(0, &[1000]), ticket(5, &[1100]), ticket(6, &[1000]), ticket(7, &[1100])];
    assert_eq!(matches(&spec, 9, &tickets), [(vec![0, 1, 2], vec![0; 3])]);
    // Cost decides before submit numbers.
    let tickets = [ticket(0, &[1000]), ticket(5, &[1100]), ticket(6, &[1050]), ticket(7, &[1049])];
    assert_eq!(matches(&spec, 9, &tickets)[0].0, [0, 2, 3]);
}

#[test]
fn age_goes_by_enqueue_time_and_lists_by_submit_number() {
    let spec = all(2, 2, Vec::new());
    // The last one brought its wait along: it is the anchor, and its partner is the first by submit number.
    let tickets = [ticket(5, &[1]), ticket(4, &[1]), ticket(0, &[1])];
    assert_eq!(matches(&spec, 9, &tickets), [(vec![0, 2], vec![0; 2])]);
}

#[test]
fn splits_are_even_by_players_own_values_then_first_by_position() {
    let spec = teams(&[("red", 2, 2), ("blue", 2, 2)], vec![difference(1000)]);
    let tickets = [ticket(0, &[10]), ticket(0, &[20]), ticket(0, &[30]), ticket(0, &[40])];
    assert_eq!(matches(&spec, 0, &tickets), [(vec![0, 1, 2, 3], vec![0, 1, 1, 0])]);
    let tickets = [ticket(0, &[10]), ticket(0, &[10]), ticket(0, &[10]), ticket(0, &[10])];
    assert_eq!(matches(&spec, 0, &tickets), [(vec![0, 1, 2, 3], vec![0, 0, 1, 1])]);
}

#[test]
fn the_cheapest_split_counts_for_the_set() {
    let mut even =
        rule(RuleKind::TeamSize { window: NumberWindow { base: Fixed::ZERO, expand: Expand::Never } });
    even.optional_after = Some(Millis(0));
    let spec = teams(&[("red", 1, 3), ("blue", 1, 3)], vec![even]);
    // Two against two cost nothing; three against one would cost 20.
    assert_eq!(matches(&spec, 0, &vec![ticket(0, &[1]); 4])[0].1, [0, 0, 1, 1]);
    // With a party of three the uneven split is the only one, and more players go first all the same.
    assert_eq!(matches(&spec, 0, &[ticket(0, &[1; 3]), ticket(0, &[1])]), [(vec![0, 1], vec![0, 1])]);
}

#[test]
fn pools_that_are_too_large_are_refused() {
    let spec = all(2, 2, Vec::new());
    assert_eq!(chosen(&spec, 0, &vec![ticket(0, &[1]); 12]).map(|found| found.len()), Ok(6));
    assert_eq!(chosen(&spec, 0, &vec![ticket(0, &[1]); 13]), Err(OracleError::PoolTooLarge));
    assert!(is_enumerable(2, 12) && is_enumerable(3, 10) && is_enumerable(4, 8) && is_enumerable(8, 6));
    assert!(!is_enumerable(3, 11) && !is_enumerable(4, 9) && !is_enumerable(8, 7));
}
