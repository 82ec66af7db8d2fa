//! NM: many tickets at one spot, numbers that are none, and clocks that step.

use super::host::{Host, NOTHING, rated, ticket};
use super::queues::{With, always, duel, growing, ping_within, seconds, skill_within};
use evenmatch::engine::Engine;
use evenmatch::model::codes::{Code, EndReason};
use evenmatch::model::event::Event;
use evenmatch::model::ids::{Millis, TicketId};
use evenmatch::model::limits::TIME_MS_MAX;
use evenmatch::model::status::TicketState;
use evenmatch::rules::spec::{IndexChoice, QueueSpec};
use std::collections::BTreeSet;

/// Every index that this build has.
fn indexes() -> Vec<IndexChoice> {
    let mut all = vec![IndexChoice::Auto, IndexChoice::Sorted, IndexChoice::Linear];
    if cfg!(feature = "kdtree") {
        all.push(IndexChoice::KdTree);
    }
    all
}

fn skill_and_ping(index: IndexChoice) -> QueueSpec {
    let mut queue =
        duel().with(skill_within(growing(10.0, 10.0, 400.0))).with(ping_within(growing(40.0, 10.0, 250.0)));
    queue.index = index;
    queue
}

/// Adds tickets of (rating, ping), ticks, cancels what is left, and counts that nobody was lost.
fn all_are_stored_matched_and_cancelled(index: IndexChoice, tickets: &[(i32, i32)], ticks: u32) {
    let capacity = tickets.len() as u32 + 1;
    let mut host = Host::with(Engine::builder().capacity(capacity), vec![skill_and_ping(index)]);
    let mut live: BTreeSet<TicketId> = BTreeSet::new();
    for (number, &(rating, ping)) in tickets.iter().enumerate() {
        let ticket = ticket(&number.to_string()).number("skill", rating).ping("eu", ping);
        live.insert(host.add(0.0, ticket));
    }
    assert_eq!(live.len(), tickets.len());
    let mut events = Vec::new();
    for second in 0..ticks {
        let report = host.engine.tick(seconds(f64::from(second)), 0).unwrap();
        assert!(report.complete);
    }
    host.engine.poll(&mut events, usize::MAX);
    for event in &events {
        let Event::Match(record) = event else { panic!("{index:?}: {event:?}") };
        assert_eq!(record.tickets.len(), 2);
        assert!(record.tickets.iter().all(|ticket| live.remove(&ticket.id)), "{index:?}: matched twice");
    }
    let stats = host.engine.stats();
    assert_eq!(stats.waiting, live.len() as u64, "{index:?}");
    assert_eq!(stats.matched, (tickets.len() - live.len()) as u64);
    for id in &live {
        host.engine.cancel(seconds(f64::from(ticks)), *id).unwrap();
    }
    host.engine.tick(seconds(f64::from(ticks)), 0).unwrap();
    events.clear();
    host.engine.poll(&mut events, usize::MAX);
    assert_eq!(events.len(), live.len());
    assert_eq!(host.engine.stats().waiting, 0);
}

#[test]
fn nm_01_33_equal_ratings_with_different_pings() {
    for index in indexes() {
        let tickets: Vec<(i32, i32)> = (0..33).map(|ping| (1500, ping)).collect();
        all_are_stored_matched_and_cancelled(index, &tickets, 1);
    }
}

#[test]
fn nm_01_33_identical_tickets_make_16_matches() {
    for index in indexes() {
        let mut host = Host::new(skill_and_ping(index));
        for number in 0..33 {
            host.add(0.0, rated(&format!("t{number}"), &[1500.0]).ping("eu", 20));
        }
        let expected: Vec<String> =
            (0..16).map(|pair| format!("{{t{} | t{}}} @eu", 2 * pair, 2 * pair + 1)).collect();
        assert_eq!(host.tick(0.0), expected, "{index:?}: equal tickets pair in their order");
        assert_eq!(host.status("t32").state, TicketState::Queued);
    }
}

#[test]
fn nm_01_a_thousand_at_the_default_rating_with_five_pings() {
    for index in indexes() {
        let tickets: Vec<(i32, i32)> = (0..1000).map(|number| (1500, 20 + 10 * (number % 5))).collect();
        all_are_stored_matched_and_cancelled(index, &tickets, 3);
    }
}

#[test]
fn nm_01_a_hundred_thousand_with_a_spike() {
    let mut state = 1u64;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % below) as i32
    };
    let tickets: Vec<(i32, i32)> = (0..100_000)
        .map(|_| {
            let rating = if draw(10) < 3 { 1500 } else { 800 + draw(1400) };
            (rating, 10 + 10 * draw(12))
        })
        .collect();
    for index in indexes().into_iter().filter(|index| *index != IndexChoice::Linear) {
        // The index that would be chosen takes them all, the others a part.
        let taken = if index == IndexChoice::Auto { tickets.len() } else { tickets.len() / 10 };
        all_are_stored_matched_and_cancelled(index, &tickets[..taken], 1);
    }
}

#[test]
fn nm_02_what_is_no_finite_number_is_refused_at_the_door() {
    let mut host = Host::new(skill_and_ping(IndexChoice::Auto));
    for bad in [f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e10, -1e10] {
        host.refused(0.0, rated("T", &[bad]).ping("eu", 20), Code::OutOfRange);
        host.refused(0.0, rated("T", &[1500.0]).ping("eu", bad), Code::OutOfRange);
    }
    host.refused(0.0, rated("T", &[1500.0]).ping("eu", -1), Code::OutOfRange);
    for number in 0..33 {
        host.add(0.0, rated(&format!("t{number}"), &[1500.0]).ping("eu", 20));
    }
    assert_eq!(host.tick(0.0).len(), 16);
    assert_eq!(host.engine.stats().submitted, 33);
}

#[test]
fn nm_05_nobody_near_is_no_match() {
    for index in indexes() {
        let mut host = Host::new(skill_and_ping(index));
        assert_eq!(host.tick(0.0), NOTHING);
        host.add(1.0, rated("A", &[0.0]).ping("eu", 20));
        assert_eq!(host.tick(1.0), NOTHING);
        host.add(2.0, rated("B", &[0.0]).ping("eu", 20));
        host.cancel(2.0, "B").unwrap();
        assert_eq!(host.tick(2.0), ["B CANCELLED"]);
        assert_eq!(host.tick(600.0), NOTHING);
        assert_eq!(host.status("A").state, TicketState::Queued);
    }
}

#[test]
fn nm_09_removing_one_of_equal_tickets_removes_that_one() {
    for index in indexes() {
        for ticked_before in [false, true] {
            let mut queue = skill_and_ping(index);
            queue.prefer_full_for = Millis(0);
            let mut host = Host::new(queue);
            let region_up = !ticked_before;
            // With the region down the three are taken into the index and stay there.
            host.engine.set_region(Millis(0), "eu", region_up).unwrap();
            for name in ["A", "B", "C"] {
                host.add(0.0, rated(name, &[1500.0]).ping("eu", 20));
            }
            if ticked_before {
                assert_eq!(host.tick(0.0), NOTHING);
                host.engine.set_region(Millis(1), "eu", true).unwrap();
            }
            host.cancel(0.001, "B").unwrap();
            assert_eq!(host.tick(0.002), ["B CANCELLED", "{A | C} @eu"], "{index:?}");
        }
    }
}

#[test]
fn nm_13_a_clock_that_steps_back_changes_nothing() {
    let mut queue = duel().with(skill_within(growing(0.0, 1.0, 100.0)));
    queue.timeout = Some(seconds(10.0));
    let mut host = Host::new(queue);
    assert_eq!(host.tick(1.0), NOTHING);
    host.add(0.5, rated("A", &[1500.0]));
    assert_eq!(host.status("A").age, Millis(0), "submitted at 1.0, which is as early as it can be");
    for at in [500, 0, 1] {
        let report = host.engine.tick(Millis(at), 0).unwrap();
        assert_eq!(report.at, Millis(1000));
    }
    for beyond in [u64::MAX, TIME_MS_MAX + 1] {
        assert_eq!(host.engine.tick(Millis(beyond), 0).unwrap_err().code, Code::InvalidTime);
        assert_eq!(host.engine.cancel(Millis(beyond), host.id("A")).unwrap_err().code, Code::InvalidTime);
    }
    assert_eq!(host.tick(0.001), NOTHING);
    assert_eq!(host.status("A").timeout_left, Some(seconds(10.0)));

    // Enqueued in the future is read as now, in the past as it is.
    let enqueued = |at_s: f64| {
        move |request| evenmatch::model::request::TicketRequest { enqueued: Some(seconds(at_s)), ..request }
    };
    host.add(2.0, rated("B", &[0.0]).request(enqueued(500.0)));
    assert_eq!(host.status("B").age, Millis(0));
    host.add(2.0, rated("C", &[4000.0]).request(enqueued(0.5)));
    assert_eq!(host.status("C").age, Millis(1500));

    assert_eq!(host.tick(10.499), NOTHING);
    assert_eq!(host.tick(10.5), ["C TIMED_OUT"]);
    assert_eq!(host.tick(11.0), ["A TIMED_OUT"]);
    assert_eq!(host.tick(5.0), NOTHING, "a step back never ends a ticket twice");
    assert_eq!(host.status("A").state, TicketState::Ended(EndReason::TimedOut));

    let end = host.engine.tick(Millis(TIME_MS_MAX), 0).unwrap();
    assert_eq!((end.at, end.ended), (Millis(TIME_MS_MAX), 1));
    assert_eq!(host.poll(), ["B TIMED_OUT"]);
    assert_eq!(host.engine.next_due(), None);
}

#[test]
fn nm_13_the_greatest_time_wraps_no_window() {
    let mut queue = duel().with(skill_within(growing(0.0, 1.0, 100.0)));
    queue.timeout = None;
    let mut host = Host::new(queue);
    host.add(0.0, rated("A", &[1500.0]));
    host.add(0.0, rated("B", &[1601.0]));
    assert_eq!(host.engine.tick(Millis(TIME_MS_MAX), 0).unwrap().matches, 0, "the cap is 100");
    host.add(0.0, rated("C", &[1600.0]));
    assert_eq!(host.engine.tick(Millis(0), 0).unwrap().at, Millis(TIME_MS_MAX));
}

#[test]
fn nm_13_windows_without_growth_never_overflow() {
    let mut host = Host::new(duel().with(skill_within(always(100.0))));
    host.add(0.0, rated("A", &[-1_000_000_000.0]));
    host.add(0.0, rated("B", &[1_000_000_000.0]));
    assert_eq!(host.tick(0.0), NOTHING);
    host.add(1.0, rated("C", &[999_999_900.0]));
    assert_eq!(host.tick(1.0), ["{B | C}"]);
}
