//! CR: cancels, and what races with them.

use super::host::{Host, NOTHING, party, players, rated, ticket};
use super::queues::{QUEUE, With, always, duel, seconds, skill_within, teams};
use evenmatch::engine::Engine;
use evenmatch::model::codes::{Code, EndReason};
use evenmatch::model::event::Event;
use evenmatch::model::ids::{Millis, PlayerId, TicketId};
use evenmatch::model::request::{PlayerRequest, TicketRequest};
use evenmatch::model::status::TicketState;
use std::collections::BTreeMap;
use std::sync::Barrier;

#[test]
fn cr_01_a_cancel_after_the_match_was_formed_says_so() {
    let mut host = Host::new(duel());
    host.add(0.0, ticket("A"));
    host.add(0.0, ticket("B"));
    host.engine.tick(seconds(0.0), 0).unwrap();
    let refusal = host.cancel(0.0, "A").unwrap_err();
    assert_eq!(refusal.code, Code::AlreadyMatched);
    assert_eq!(host.poll(), ["{A | B}"]);
    assert_eq!(refusal.in_match, Some(host.matches[0].id));
    assert_eq!(host.cancel(1.0, "A").unwrap_err().code, Code::AlreadyMatched);
}

#[test]
fn cr_01_a_cancel_before_the_tick_keeps_the_ticket_out_of_every_match() {
    let mut host = Host::new(duel());
    host.add(0.0, ticket("A"));
    host.add(0.0, ticket("B"));
    host.cancel(0.0, "A").unwrap();
    assert_eq!(host.tick(0.0), ["A CANCELLED"]);
    host.add(1.0, ticket("C"));
    assert_eq!(host.tick(1.0), ["{B | C}"]);
}

#[test]
fn cr_01_cancels_from_another_thread_never_mix_the_two_worlds() {
    const PAIRS: u64 = 500;
    for round in 0..20u64 {
        let engine = Engine::builder().capacity(4096).check_matches(true).build().unwrap();
        engine.add_queue(duel().with(skill_within(always(0.0)))).unwrap();
        let add = |side: u64, pair: u64| {
            let player = PlayerRequest::new(PlayerId(u128::from(side * PAIRS + pair)));
            let request =
                TicketRequest::new(QUEUE).player(player.number("skill", pair as f64)).user_data(pair);
            engine.submit(Millis(0), request).unwrap()
        };
        let lefts: Vec<TicketId> = (0..PAIRS).map(|pair| add(0, pair)).collect();
        let rights: Vec<TicketId> = (0..PAIRS).map(|pair| add(1, pair)).collect();
        let barrier = Barrier::new(2);
        let answers = std::thread::scope(|scope| {
            let canceller = scope.spawn(|| {
                barrier.wait();
                // From the far end on odd rounds, so that the two threads meet somewhere on the way.
                let order: Vec<usize> = match round % 2 {
                    0 => (0..lefts.len()).collect(),
                    _ => (0..lefts.len()).rev().collect(),
                };
                order.into_iter().map(|i| (i, engine.cancel(Millis(1), lefts[i]))).collect::<Vec<_>>()
            });
            barrier.wait();
            engine.tick(Millis(1), 0).unwrap();
            canceller.join().unwrap()
        });
        engine.tick(Millis(2), 0).unwrap();
        let mut events = Vec::new();
        engine.poll(&mut events, usize::MAX);
        let mut matched: BTreeMap<TicketId, u64> = BTreeMap::new();
        let mut cancelled: Vec<TicketId> = Vec::new();
        for event in &events {
            match event {
                Event::Match(record) => {
                    let pairs: Vec<u64> = record.tickets.iter().map(|ticket| ticket.user_data).collect();
                    assert_eq!(pairs[0], pairs[1]);
                    for ticket in &record.tickets {
                        assert_eq!(matched.insert(ticket.id, record.id.0.0), None, "matched twice");
                    }
                }
                Event::Ended(ended) => {
                    assert_eq!(ended.reason, EndReason::Cancelled);
                    cancelled.push(ended.ticket);
                }
            }
        }
        for (index, answer) in answers {
            let (left, right) = (lefts[index], rights[index]);
            match answer {
                Ok(()) => {
                    assert!(cancelled.contains(&left) && !matched.contains_key(&left));
                    assert!(!matched.contains_key(&right), "the partner of a cancelled ticket waits");
                    assert_eq!(engine.ticket(right).unwrap().state, TicketState::Queued);
                }
                Err(refusal) => {
                    assert_eq!(refusal.code, Code::AlreadyMatched);
                    let of = refusal.in_match.unwrap();
                    assert_eq!(matched.get(&left), Some(&of.0.0));
                    assert_eq!(matched.get(&right), Some(&of.0.0));
                    assert!(!cancelled.contains(&left));
                }
            }
        }
        let stats = engine.stats();
        assert_eq!(stats.submitted, stats.waiting + stats.matched + stats.ended);
    }
}

#[test]
fn cr_03_cancelling_what_is_not_there_is_safe() {
    let engine = Engine::builder().capacity(8).build().unwrap();
    for id in
        [0, 1, 1 << 26, 1 << 32, (1 << 32) | 7, (1 << 32) | 0xffff_ffff, u64::MAX, 0x9e37_79b9_7f4a_7c15]
    {
        assert_eq!(engine.cancel(Millis(0), TicketId(id)).unwrap_err().code, Code::NotFound, "{id:x}");
        assert_eq!(engine.ticket(TicketId(id)).unwrap_err().code, Code::NotFound, "{id:x}");
    }
    assert_eq!(engine.leave(Millis(0), PlayerId(7)).unwrap_err().code, Code::NotFound);

    let mut host = Host::new(duel());
    let id = host.add(0.0, ticket("A"));
    for forged in [id.0 ^ (1 << 32), id.0 ^ (1 << 26), id.0 ^ (1 << 31), id.0 ^ (1 << 63), id.0 + 1] {
        let refusal = host.engine.cancel(Millis(0), TicketId(forged)).unwrap_err();
        assert_eq!(refusal.code, Code::NotFound, "{forged:x}");
    }
    assert_eq!(host.status("A").state, TicketState::Queued);
    host.cancel(0.0, "A").unwrap();
    assert_eq!(host.cancel(0.0, "A").unwrap_err().code, Code::NotFound);
    assert_eq!(host.tick(0.0), ["A CANCELLED"]);
    assert_eq!(host.cancel(0.0, "A").unwrap_err().code, Code::NotFound);
    host.add(1.0, ticket("B"));
    host.add(1.0, ticket("C"));
    assert_eq!(host.tick(1.0), ["{B | C}"]);
    assert_eq!(host.cancel(2.0, "B").unwrap_err().code, Code::AlreadyMatched);
    assert_eq!(host.tick(2.0), NOTHING);
    let stats = host.engine.stats();
    assert_eq!((stats.submitted, stats.ended, stats.matched, stats.waiting), (3, 1, 2, 0));
}

#[test]
fn cr_05_a_requeue_never_touches_a_newer_ticket() {
    let mut host = Host::new(duel().with(skill_within(always(100.0))));
    let old = host.add(0.0, rated("A", &[1500.0]));
    host.add(0.0, rated("B", &[1500.0]));
    assert_eq!(host.tick(0.0), ["{A | B}"]);
    let newer = host.add(3.0, rated("A", &[1510.0]));
    assert_ne!(newer, old);
    host.call("old A", old);
    let answers = host.requeue(5.0, &["old A", "B"]);
    let refusal = answers[0].as_ref().unwrap_err();
    assert_eq!((refusal.code, refusal.ticket), (Code::Superseded, Some(newer)));
    let again = *answers[1].as_ref().unwrap();
    let status = host.engine.ticket(newer).unwrap();
    assert_eq!((status.state, status.attempts), (TicketState::Queued, 0));
    let player = host.player("A.0");
    assert_eq!(host.engine.ticket_of(player), Some(newer));
    assert_eq!(host.tick(6.0), ["{B | A}"], "B waits since 0 again, so it is the older one");
    let record = host.matches.last().unwrap();
    assert_eq!(record.id.0, again);
    assert_eq!((record.tickets[0].wait, record.tickets[1].wait), (seconds(6.0), seconds(3.0)));
}

#[test]
fn cr_11_a_member_who_leaves_takes_the_whole_ticket_out() {
    let mut host = Host::new(teams(2, 3));
    let id = host.add(0.0, party("P", &["a", "b", "c"]));
    let leaver = host.player("b");
    assert_eq!(host.engine.leave(seconds(1.0), leaver).unwrap(), id);
    host.add(1.0, players("three", 3));
    host.add(1.0, ticket("one"));
    assert_eq!(host.tick(1.0), ["P PARTY_MEMBER_LEFT"]);
    assert_eq!(host.tick(60.0), NOTHING);
    for name in ["a", "b", "c"] {
        let player = host.player(name);
        assert_eq!(host.engine.ticket_of(player), None);
    }
    assert_eq!(host.status("P").state, TicketState::Ended(EndReason::PartyMemberLeft));

    host.add(61.0, party("P2", &["a", "c"]));
    assert_eq!(host.tick(61.0), ["{three | one P2}"]);
    let matched = host.player("a");
    let code = host.engine.leave(seconds(62.0), matched).unwrap_err().code;
    assert!(matches!(code, Code::NotFound | Code::AlreadyMatched), "{code}");
}

#[test]
fn cr_11_a_single_player_who_leaves_is_a_cancel() {
    let mut host = Host::new(duel());
    host.add(0.0, ticket("A"));
    let player = host.player("A");
    host.engine.leave(seconds(0.0), player).unwrap();
    assert_eq!(host.tick(0.0), ["A CANCELLED"]);
}
