//! EX: windows that grow, and time.

use super::host::{Host, NOTHING, players, rated, ticket};
use super::queues::{
    With, always, at_least, duel, fixed, free_for_all, growing, seconds, skill_within, stepped, teams_of,
};
use evenmatch::engine::Engine;
use evenmatch::model::codes::Code;
use evenmatch::model::explanation::When;
use evenmatch::model::request::{TicketLimits, TicketUpdate};
use evenmatch::model::status::{TicketState, WindowNow};
use evenmatch::rules::spec::WindowAge;

#[test]
fn ex_01_fewer_players_are_allowed_by_the_oldest_age_under_every_setting() {
    for windows in [WindowAge::Mutual, WindowAge::Oldest, WindowAge::Newest] {
        let mut queue = teams_of(1, 1, 4).with(at_least(4.0, &[(30.0, 3.0), (40.0, 2.0), (45.0, 1.0)]));
        queue.windows = windows;
        let mut host = Host::new(queue);
        host.add(0.0, ticket("P1"));
        let mut lines = host.ticks(0, 9);
        host.add(10.0, ticket("P2"));
        lines.extend(host.ticks(10, 120));
        assert_eq!(lines, ["40: {P1 P2}"], "{windows:?}");
    }
}

#[test]
fn ex_02_a_window_never_narrows_with_age() {
    let mut queue = duel().with(skill_within(growing(100.0, 10.0, 5000.0)));
    queue.timeout = Some(seconds(1000.0));
    let mut host = Host::new(queue);
    host.add(0.0, rated("T", &[1500.0]));
    for second in (0..=300).step_by(10) {
        assert_eq!(host.tick(f64::from(second)), NOTHING);
        let window = host.status("T").windows[0].window;
        assert_eq!(window, WindowNow::Limit(fixed(100.0 + 10.0 * f64::from(second))), "at {second} s");
    }
}

#[test]
fn ex_02_windows_that_shrink_are_refused() {
    let shrinking = [
        stepped(100.0, &[(10.0, 200.0), (20.0, 150.0)]),
        stepped(100.0, &[(10.0, 50.0)]),
        growing(100.0, -1.0, 100.0),
    ];
    for window in shrinking {
        let mut queue = duel().with(skill_within(window));
        queue.timeout = Some(seconds(60.0));
        let engine = Engine::builder().capacity(8).build().unwrap();
        let refusal = engine.add_queue(queue.clone()).unwrap_err();
        assert_eq!(refusal.code, Code::InvalidQueue);
        let names_rule = refusal.detail.contains("rules[0]") || refusal.detail.contains("skill");
        assert!(names_rule && refusal.detail.contains("tighten"), "{}", refusal.detail);
        queue.rules[0].may_tighten = true;
        engine.add_queue(queue).unwrap();
    }
}

#[test]
fn ex_04_running_out_of_preference_makes_a_ticket_easier_to_match() {
    let mut queue = free_for_all(2, 4);
    queue.prefer_full_for = seconds(1.0);
    let mut host = Host::new(queue);
    host.add(0.0, ticket("A"));
    assert_eq!(host.ticks(1, 2), NOTHING);
    host.add(3.0, ticket("B"));
    assert_eq!(host.ticks(4, 5), ["4: {A B}"]);
}

#[test]
fn ex_07_both_windows_must_reach() {
    let host = |windows| {
        let mut queue = duel().with(skill_within(growing(100.0, 5.0, 5000.0)));
        queue.windows = windows;
        let mut host = Host::new(queue);
        host.add(0.0, rated("A", &[1700.0]));
        host.add(60.0, rated("B", &[2000.0]));
        host
    };
    let mut mutual = host(WindowAge::Mutual);
    assert_eq!(mutual.tick(60.0), NOTHING);
    let explained = mutual.engine.explain(mutual.id("A")).unwrap().pool.unwrap();
    assert_eq!(explained.nearest[0].when, When::At(seconds(100.0)), "when B's own window reaches A");
    assert_eq!(mutual.tick(99.0), NOTHING);
    assert_eq!(mutual.tick(100.0), ["{A | B}"]);

    assert_eq!(host(WindowAge::Oldest).tick(60.0), ["{A | B}"]);

    let mut newest = host(WindowAge::Newest);
    assert_eq!(newest.tick(99.0), NOTHING);
    assert_eq!(newest.tick(100.0), ["{A | B}"]);
}

#[test]
fn ex_09_a_live_ticket_is_widened_in_place() {
    let mut host = Host::new(duel().with(skill_within(always(1000.0))));
    let id = host.add(0.0, rated("T", &[1500.0]).skill_between(1450.0, 1550.0));
    host.add(5.0, rated("B", &[1650.0]));
    assert_eq!(host.tick(59.0), NOTHING);

    let limits = TicketLimits {
        attributes: vec![("skill".to_owned(), Some(1300.into()), Some(1700.into()))],
        max_ping_ms: None,
    };
    let update = TicketUpdate { limits: Some(limits), ..TicketUpdate::default() };
    host.engine.update(seconds(60.0), id, update.clone()).unwrap();
    assert_eq!(host.status("T").age, seconds(60.0));

    assert_eq!(host.tick(61.0), ["{T | B}"]);
    let matched = &host.matches[0].tickets[0];
    assert_eq!((matched.id, matched.wait, matched.update_lost), (id, seconds(61.0), false));
    let refusal = host.engine.update(seconds(62.0), id, update).unwrap_err();
    assert_eq!(refusal.code, Code::AlreadyMatched);
    assert_eq!(refusal.in_match, Some(host.matches[0].id));
}

#[test]
fn ex_09_a_refused_update_changes_nothing() {
    let mut host = Host::new(duel().with(skill_within(always(100.0))));
    let id = host.add(0.0, rated("T", &[1500.0]));
    let player = host.player("T.0");
    let bad = TicketUpdate {
        attributes: Some(vec![(
            player,
            vec![("skill".to_owned(), evenmatch::model::attribute::AttributeValue::Number(f64::NAN.into()))],
        )]),
        timeout: Some(Some(seconds(1.0))),
        ..TicketUpdate::default()
    };
    assert_eq!(host.engine.update(seconds(1.0), id, bad).unwrap_err().code, Code::OutOfRange);
    assert_eq!(host.tick(10.0), NOTHING, "the timeout of the refused update does not act");
    assert_eq!(host.status("T").state, TicketState::Queued);
    assert_eq!(host.status("T").timeout_left, None);
}

#[test]
fn ex_11_who_may_start_at_once_does() {
    let mut queue = teams_of(4, 0, 1);
    queue.players.min = Some(1);
    let mut host = Host::new(queue.clone());
    host.add(0.0, ticket("A"));
    assert_eq!(host.tick(0.0), ["{A | - | - | -}"]);

    queue.prefer_full_for = seconds(2.0);
    let mut host = Host::new(queue);
    host.add(0.0, players("A", 1));
    assert_eq!(host.ticks(0, 3), ["2: {A | - | - | -}"]);
}
