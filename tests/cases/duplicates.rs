//! CC: nobody is in two places at once, and no id means two things.

use super::host::{Host, NOTHING, party, rated, ticket};
use super::queues::{With, always, duel, free_for_all, skill_within};
use evenmatch::engine::Engine;
use evenmatch::model::codes::Code;
use evenmatch::model::status::TicketState;
use std::collections::BTreeSet;

#[test]
fn cc_01_a_double_tap_gives_one_ticket() {
    let mut host = Host::new(duel());
    let first = host.add(0.0, party("T1", &["p1"]));
    let refusal = host.refused(0.0, party("T2", &["p1"]), Code::PlayerAlreadyQueued);
    assert_eq!(refusal.ticket, Some(first), "names the ticket that the player is in");
    assert_eq!(host.tick(0.0), NOTHING);
    let player = host.player("p1");
    assert_eq!(host.engine.ticket_of(player), Some(first));
    host.refused(0.0, party("T3", &["p2", "p2"]), Code::DuplicatePlayer);
    let other = host.player("p2");
    assert_eq!(host.engine.ticket_of(other), None, "a refused ticket claims nobody");
}

#[test]
fn cc_01_a_party_that_is_refused_leaves_its_other_members_free() {
    let mut host = Host::new(free_for_all(3, 3));
    host.add(0.0, party("T1", &["p2"]));
    host.refused(0.0, party("T2", &["p1", "p2"]), Code::PlayerAlreadyQueued);
    host.add(0.0, party("T3", &["p1"]));
    host.add(0.0, party("T4", &["p3"]));
    assert_eq!(host.tick(0.0), ["{T1 T3 T4}"]);
}

#[test]
fn cc_03_the_matches_of_a_pass_are_disjoint() {
    let mut host = Host::new(duel().with(skill_within(always(300.0))));
    host.add(0.0, rated("A", &[1000.0]));
    host.add(0.0, rated("C", &[1500.0]));
    host.add(0.0, rated("B", &[1250.0]));
    assert_eq!(host.tick(0.0), ["{A | B}"]);
    assert_eq!(host.status("C").state, TicketState::Queued);
    assert_eq!(host.tick(60.0), NOTHING);
}

#[test]
fn cc_12_an_old_id_never_names_another_ticket() {
    let builder = Engine::builder().capacity(1).retained(0);
    let mut host = Host::with(builder, vec![duel()]);
    let mut seen = BTreeSet::new();
    for round in 0..100 {
        let name = format!("T{round}");
        let at = f64::from(round);
        let id = host.add(at, ticket(&name));
        assert!(seen.insert(id), "id {id:?} was given out twice");
        for old in seen.iter().filter(|old| **old != id) {
            assert_eq!(
                host.engine.cancel(evenmatch::model::ids::Millis(0), *old).unwrap_err().code,
                Code::NotFound
            );
        }
        assert_eq!(host.status(&name).state, TicketState::Queued);
        host.cancel(at, &name).unwrap();
        assert_eq!(host.tick(at), [format!("{name} CANCELLED")]);
    }
    let slots: BTreeSet<u32> = seen.iter().map(|id| id.slot()).collect();
    assert!(slots.len() < seen.len(), "the slots were used again");
}

#[test]
fn cc_12_an_engine_that_follows_another_gives_out_none_of_its_ids() {
    // Ten lives of two tickets at a time, in an engine whose slots have no other.
    let lives = |first_generation| {
        let builder = Engine::builder().capacity(2).retained(0).first_generation(first_generation);
        let mut host = Host::with(builder, vec![duel()]);
        let mut ids = Vec::new();
        for at in (0..10).map(f64::from) {
            ids.extend(["A", "B"].map(|name| host.add(at, ticket(name))));
            assert_eq!(host.tick(at), ["{A | B}"]);
        }
        (host, ids)
    };
    let (_, first) = lives(1);
    assert_eq!(lives(0).1, first, "0 is read as 1");
    let greatest = first.iter().map(|id| id.generation()).max().unwrap();
    let (host, second) = lives(greatest + 1);
    assert!(second.iter().all(|id| id.generation() > greatest && !first.contains(id)));
    for old in first {
        let answer = host.engine.cancel(evenmatch::model::ids::Millis(9000), old);
        assert_eq!(answer.unwrap_err().code, Code::NotFound);
    }
}
