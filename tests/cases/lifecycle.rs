//! LB: the life of a ticket, and matches that come to nothing.

use super::host::{Host, NOTHING, rated, ticket};
use super::queues::{With, always, duel, seconds, skill_within};
use evenmatch::engine::Engine;
use evenmatch::model::codes::Code;
use evenmatch::model::ids::Millis;
use evenmatch::model::status::{TicketState, WaitingFor};

#[test]
fn lb_01_the_tickets_of_a_failed_match_are_searched_again_at_once() {
    let mut host = Host::new(duel().with(skill_within(always(100.0))));
    host.add(0.0, rated("A", &[1500.0]).request(|request| request.user_data(7)));
    host.add(1.0, rated("B", &[1500.0]));
    assert_eq!(host.tick(2.0), ["{A | B}"]);
    let old = host.id("A");
    let answers = host.requeue(5.0, &["A", "B"]);
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    assert_ne!(host.id("A"), old, "a new ticket");
    assert_eq!((host.status("A").user_data, host.status("A").attempts), (7, 1));
    host.add(5.0, rated("C", &[1500.0]));
    assert_eq!(host.tick(6.0), ["{A | B}"], "they wait since 0 and 1 again");
    let record = &host.matches[1];
    assert_eq!((record.tickets[0].wait, record.tickets[1].wait), (seconds(6.0), seconds(5.0)));
    assert_eq!(record.attempts, 1, "so the host sees that they failed before");
    assert_eq!(host.engine.cancel(seconds(6.0), old).unwrap_err().code, Code::AlreadyMatched);
}

#[test]
fn lb_09_the_whole_life_of_a_ticket() {
    let mut host = Host::with(Engine::builder().capacity(8).retained(2), vec![duel()]);
    host.add(0.0, ticket("A"));
    let status = host.status("A");
    assert_eq!((status.state, status.waiting_for), (TicketState::Queued, Some(WaitingFor::Tick)));
    assert_eq!(host.tick(0.0), NOTHING);
    let status = host.status("A");
    assert_eq!((status.state, status.waiting_for), (TicketState::Queued, Some(WaitingFor::Partners)));
    host.add(1.0, ticket("B"));
    host.engine.tick(seconds(1.0), 0).unwrap();
    let player = host.player("A");
    assert_eq!(host.engine.ticket_of(player), None, "free at the commit, polled or not");
    let TicketState::Matched(of) = host.status("A").state else { panic!("matched, not yet polled") };
    assert_eq!(of.0, host.id("A"));
    assert_eq!(host.engine.stats().unpolled, 2);
    assert_eq!(host.poll(), ["{A | B}"]);
    assert_eq!(host.engine.stats().unpolled, 0);
    assert_eq!(host.tick(3601.0), NOTHING);
    let status = host.status("A");
    assert_eq!(
        (status.state, status.age),
        (TicketState::Matched(of), seconds(1.0)),
        "an hour later: retained"
    );
    assert_eq!(status.waiting_for, None);
    assert!(status.windows.is_empty() && status.regions.is_empty());

    // Two newer ones push the first two out.
    for name in ["C", "D"] {
        host.add(3602.0, ticket(name));
    }
    assert_eq!(host.tick(3602.0), ["{C | D}"]);
    for name in ["A", "B"] {
        assert_eq!(host.engine.ticket(host.id(name)).unwrap_err().code, Code::NotFound, "{name}");
        assert_eq!(host.cancel(3602.0, name).unwrap_err().code, Code::NotFound, "{name}");
    }
    let refusal = host.engine.requeue(seconds(3602.0), of, &[host.id("A")]).unwrap_err();
    assert_eq!(refusal.code, Code::NotFound);
    assert_eq!(host.status("C").state, TicketState::Matched(host.matches[1].id));
}

#[test]
fn lb_09_a_host_that_does_not_poll_meets_queue_full_and_loses_nothing() {
    let mut host = Host::with(Engine::builder().capacity(4).retained(4), vec![duel()]);
    for name in ["A", "B", "C"] {
        host.add(0.0, ticket(name));
    }
    host.engine.tick(Millis(0), 0).unwrap();
    host.add(1.0, ticket("D"));
    host.refused(1.0, ticket("E"), Code::QueueFull);
    host.engine.tick(seconds(1.0), 0).unwrap();
    host.refused(2.0, ticket("E"), Code::QueueFull);
    assert_eq!(host.poll(), ["{A | B}", "{C | D}"]);
    for name in ["E", "F", "G", "H"] {
        host.add(3.0, ticket(name));
    }
    host.refused(3.0, ticket("I"), Code::QueueFull);
    assert_eq!(host.tick(3.0), ["{E | F}", "{G | H}"]);
}
