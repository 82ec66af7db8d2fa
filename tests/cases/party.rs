//! PT: parties and teams.

use super::host::{Host, NOTHING, players, rated, ticket};
use super::queues::{
    With, always, attribute, duel, fair_within, fixed, free_for_all, per_team, seconds, teams,
};
use evenmatch::model::attribute::{AttributeDefault, AttributeType};
use evenmatch::model::codes::{Code, UnmatchableReason};
use evenmatch::model::status::TicketState;

#[test]
fn pt_02_a_party_is_never_split_to_even_out_teams() {
    let pool = || [rated("P", &[2000.0, 1900.0]), rated("S", &[1000.0]), rated("T", &[1100.0])];

    let mut host = Host::new(teams(2, 2));
    for ticket in pool() {
        host.add(0.0, ticket);
    }
    assert_eq!(host.tick(0.0), ["{P | S T}"]);

    let mut host = Host::new(teams(2, 2).with(fair_within(always(100.0))));
    for ticket in pool() {
        host.add(0.0, ticket);
    }
    assert_eq!(host.tick(0.0), NOTHING);
    assert_eq!(host.tick(1000.0), NOTHING);
}

#[test]
fn pt_03_sizes_count_players_and_tickets_are_kept_whole() {
    let mut queue = free_for_all(4, 6);
    queue.players.multiple = Some(2);
    queue.prefer_full_for = seconds(5.0);
    let mut host = Host::new(queue);
    for ticket in [players("P", 3), players("S", 1), players("U", 1)] {
        host.add(0.0, ticket);
    }
    assert_eq!(host.ticks(0, 4), NOTHING);
    assert_eq!(host.tick(5.0), ["{P S}"]);
    assert_eq!(host.matches[0].teams[0].players.len(), 4);
    assert_eq!(host.status("U").state, TicketState::Queued);
    assert_eq!(host.tick(600.0), NOTHING);
}

#[test]
fn pt_04_two_parties_never_exceed_the_maximum() {
    let mut host = Host::new(free_for_all(2, 4));
    host.add(0.0, players("P", 3));
    host.add(0.0, players("Q", 3));
    assert_eq!(host.ticks(0, 10), NOTHING);
    assert_eq!(host.status("P").state, TicketState::Queued);
    assert_eq!(host.status("Q").state, TicketState::Queued);
    host.add(11.0, players("S", 1));
    assert_eq!(host.tick(11.0), ["{P S}"]);
}

#[test]
fn pt_06_a_party_that_is_a_full_match_matches_alone() {
    let mut host = Host::new(teams(1, 4));
    host.add(0.0, players("P", 4));
    assert_eq!(host.tick(0.0), ["{P}"]);

    let mut host = Host::new(teams(1, 1));
    host.add(0.0, ticket("S"));
    assert_eq!(host.tick(0.0), ["{S}"]);

    let mut host = Host::new(free_for_all(2, 4));
    host.add(0.0, players("P", 4));
    host.add(0.0, players("Q", 3));
    assert_eq!(host.tick(0.0), ["{P}"], "a full match may stand alone, a smaller one may not");

    let mut queue = free_for_all(2, 4);
    queue.min_tickets = Some(2);
    let mut host = Host::new(queue);
    let refusal = host.refused(0.0, players("P", 4), Code::Unmatchable);
    assert_eq!(refusal.reason, Some(UnmatchableReason::FullAlone));
}

#[test]
fn pt_09_role_quotas_are_totals_per_team() {
    let mut queue = teams(1, 5);
    for (role, count) in [("tank", 1.0), ("healer", 1.0), ("dps", 3.0)] {
        let mut of_role = attribute(role, AttributeType::Integer);
        of_role.default = Some(AttributeDefault::Number(fixed(0.0)));
        of_role.min = Some(fixed(0.0));
        of_role.max = Some(fixed(1.0));
        queue.attributes.push(of_role);
        queue = queue.clone().with(per_team(role, queue.attributes.len() - 1, count, count));
    }
    let mut host = Host::new(queue);
    for (name, role) in [("H1", "healer"), ("H2", "healer"), ("T1", "tank"), ("D1", "dps"), ("D2", "dps")] {
        host.add(0.0, ticket(name).number(role, 1));
    }
    assert_eq!(host.tick(0.0), NOTHING);
    host.add(1.0, ticket("D3").number("dps", 1));
    assert_eq!(host.tick(1.0), ["{H1 T1 D1 D2 D3}"]);
    assert_eq!(host.status("H2").state, TicketState::Queued);
}

#[test]
fn pt_10_the_difference_of_team_averages_is_what_it_says() {
    for (rating, matches) in [(12.0, true), (13.0, true), (15.0, true), (15.01, false)] {
        let mut host = Host::new(teams(2, 3).with(fair_within(always(15.0))));
        host.add(0.0, rated("P", &[0.0; 3]));
        host.add(0.0, rated("Q", &[rating; 3]));
        if matches {
            assert_eq!(host.tick(0.0), ["{P | Q}"], "{rating}");
            assert_eq!(host.matches[0].quality.team_difference, Some(fixed(rating)));
        } else {
            assert_eq!(host.tick(0.0), NOTHING, "{rating}");
        }
    }
}

#[test]
fn pt_10_averages_of_thirds_are_compared_exactly() {
    // 45 / 3 is 15 to the last digit; 45.01 / 3 is above it by a third of a hundredth.
    for (third, matches) in [(15.0, true), (15.01, false)] {
        let mut host = Host::new(teams(2, 3).with(fair_within(always(15.0))));
        host.add(0.0, rated("P", &[0.0; 3]));
        host.add(0.0, rated("Q", &[10.0, 20.0, third]));
        assert_eq!(host.tick(0.0).len(), usize::from(matches), "{third}");
    }
}

#[test]
fn a_duel_is_two_teams_of_one() {
    let mut host = Host::new(duel());
    host.add(0.0, ticket("A"));
    host.add(0.0, ticket("B"));
    assert_eq!(host.tick(0.0), ["{A | B}"]);
}
