//! PF-01, LB-12: what a tick costs follows what has happened, not who waits. Steps and times to come, never times
//! taken.

use super::host::{Host, rated, ticket};
use super::queues::{
    With, always, attribute, duel, fixed, growing, number, per_team, ping_within, skill_within, teams,
};
use evenmatch::engine::Engine;
use evenmatch::model::attribute::{AttributeDefault, AttributeSpec, AttributeType};
use evenmatch::model::ids::Millis;

/// A host with so many tickets that no window will ever bring together.
fn apart(count: u32) -> Host {
    let queue = duel().with(skill_within(growing(50.0, 10.0, 600.0)));
    let mut host = Host::with(Engine::builder().capacity(2 * count), vec![queue]);
    for number in 0..count {
        host.add(0.0, rated(&format!("t{number}"), &[f64::from(700 * number)]));
    }
    host
}

#[test]
fn pf_01_a_tick_over_many_waiting_tickets_looks_at_what_is_new() {
    const COUNT: u32 = 5_000;
    let mut host = apart(COUNT);
    let first = host.engine.tick(Millis(0), 0).unwrap();
    assert!(first.steps <= 2 * u64::from(COUNT), "{} steps", first.steps);
    for (at, near) in [(1, 17), (60, 4_000), (61, 2_500)] {
        host.add(f64::from(at), rated(&format!("n{near}"), &[f64::from(700 * near + 10)]));
        let report = host.engine.tick(Millis(1000 * at as u64), 0).unwrap();
        assert_eq!(report.matches, 1, "beside t{near}");
        assert!(report.steps <= 5, "{} steps", report.steps);
    }
}

#[test]
fn pf_01_an_update_and_a_wait_brought_over_are_heard_of_without_a_look_at_all() {
    let mut host = apart(3_000);
    host.engine.tick(Millis(0), 0).unwrap();
    // 100 beside t17, in the middle of the order of waiting: the windows meet 5 s after the younger came.
    let brought = rated("b", &[f64::from(700 * 17 + 100)]).request(|mut request| {
        request.enqueued = Some(Millis(500));
        request
    });
    host.add(2.0, rated("n", &[f64::from(700 * 30 + 640)]));
    host.add(2.0, brought);
    let report = host.engine.tick(Millis(2000), 0).unwrap();
    assert!(report.matches == 0 && report.steps <= 8, "{} steps", report.steps);
    assert_eq!(host.engine.next_due(), Some(Millis(2000 + 1000)), "n is 60 beside t31");
    assert_eq!(host.tick(3.0).len(), 1);
    assert_eq!(host.engine.next_due(), Some(Millis(5500)));
    assert!(host.tick(5.499).is_empty());
    assert_eq!(host.tick(5.5), ["{t17 | b}"]);
}

#[test]
fn lb_12_an_idle_engine_does_nothing() {
    let host = apart(2_000);
    host.engine.tick(Millis(0), 0).unwrap();
    assert_eq!(host.engine.next_due(), None, "no window will ever reach the next ticket");
    let before = host.engine.stats().steps;
    for at in 1..50_000 {
        host.engine.tick(Millis(at), 0).unwrap();
    }
    assert_eq!(host.engine.stats().steps, before);
    assert_eq!(host.engine.next_due(), None);
}

#[test]
fn a_ticket_whose_next_partner_left_still_meets_the_one_behind() {
    // Windows of 10 a second: a meets b after 10 s and c after 12; b and c are 220 apart.
    let mut host = Host::new(duel().with(skill_within(growing(0.0, 10.0, 600.0))));
    for (name, skill) in [("c", 1380.0), ("b", 1600.0), ("a", 1500.0)] {
        host.add(0.0, rated(name, &[skill]));
    }
    assert!(host.tick(0.0).is_empty());
    assert_eq!(host.engine.next_due(), Some(Millis(10_000)));
    host.cancel(5.0, "b").unwrap();
    // Whoever sleeps until something is due finds the other pair, and not later than it is legal.
    assert_eq!(host.tick(5.0), ["b CANCELLED"]);
    let (now, made) = loop {
        let due = host.engine.next_due().expect("a and c can meet");
        let made = host.tick(due.0 as f64 / 1000.0);
        if !made.is_empty() {
            break (due, made);
        }
    };
    assert_eq!((now, made), (Millis(12_000), vec!["{c | a}".to_owned()]));
}

#[test]
fn the_next_due_time_of_a_pair_is_when_it_is_made() {
    let queue =
        duel().with(skill_within(growing(50.0, 10.0, 600.0))).with(ping_within(growing(35.0, 5.0, 180.0)));
    let mut host = Host::new(queue);
    // The skills meet 15 s after b came, the pings in eu 17 s after a did, and those in us later.
    host.add(0.0, ticket("a").number("skill", 1500).ping("eu", 120).ping("us", 30));
    host.add(1.0, ticket("b").number("skill", 1700).ping("eu", 90).ping("us", 180));
    host.tick(1.0);
    assert_eq!(host.engine.next_due(), Some(Millis(17_000)));
    // A third one that is to meet b sooner: 100 apart, at 7 s.
    host.add(2.0, ticket("c").number("skill", 1800).ping("us", 30).ping("eu", 60));
    host.tick(2.0);
    assert_eq!(host.engine.next_due(), Some(Millis(12_000)), "b's ping in eu is let in 11 s after it came");
    let steps = host.engine.stats().steps;
    assert!(host.tick(11.999).is_empty());
    assert_eq!(host.engine.stats().steps, steps, "nothing was looked at in between");
    assert_eq!(host.tick(12.0), ["{b | c} @eu"]);
    assert_eq!(host.engine.next_due(), None);
}

/// Five against five with one healer in each team.
fn with_healers() -> Host {
    let healer = AttributeSpec {
        default: Some(AttributeDefault::Number(fixed(0.0))),
        min: Some(fixed(0.0)),
        max: Some(fixed(1.0)),
        ..attribute("healer", AttributeType::Integer)
    };
    let mut queue = teams(2, 5).with(skill_within(always(100.0))).with(per_team("healer", 1, 1.0, 1.0));
    queue.attributes.push(healer);
    Host::new(queue)
}

#[test]
fn nobody_looks_for_ten_among_healers_only() {
    let mut host = with_healers();
    for number in 0..1_000 {
        host.add(0.0, rated(&format!("h{number}"), &[1500.0]).number("healer", 1));
    }
    let first = host.engine.tick(Millis(0), 0).unwrap();
    assert!(first.steps <= 2 * 1_000, "{} steps", first.steps);
    // Seven who do not heal are still too few.
    for number in 0..7 {
        host.add(1.0, rated(&format!("d{number}"), &[1500.0]));
    }
    let second = host.engine.tick(Millis(1000), 0).unwrap();
    assert!(second.matches == 0 && second.steps <= 2 * 1_007, "{} steps", second.steps);
    host.add(2.0, rated("d7", &[1500.0]));
    assert_eq!(host.tick(2.0).len(), 1);
}

#[test]
fn an_anchor_without_a_match_is_searched_only_for_what_is_new() {
    // Pairs of parties of three and four never fill two teams of five.
    let mut queue = teams(2, 5).with(skill_within(always(1000.0)));
    queue.attributes.push(number("other", Some(0.0)));
    let mut host = Host::new(queue);
    for number in 0..12 {
        let size = 3 + number % 2;
        host.add(0.0, rated(&format!("p{number}"), &vec![1500.0; size]));
    }
    host.tick(0.0);
    assert!(host.matches.is_empty());
    let all = host.engine.stats().steps;
    host.add(1.0, rated("q", &[1500.0; 4]));
    let report = host.engine.tick(Millis(1000), 0).unwrap();
    assert!(report.matches == 0 && report.steps < all, "{} steps, {all} for all", report.steps);
    for (at, size) in [(2.0, 2), (3.0, 1)] {
        host.add(at, rated(&format!("s{size}"), &vec![1500.0; size]));
        host.tick(at);
    }
    assert_eq!(host.matches.len(), 1, "three, two, four and one are ten");
}
