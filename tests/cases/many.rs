//! PF-10 and its like: players who stand in several queues at once.

use super::host::{Host, NOTHING, party, players, ticket};
use super::queues::{duel, seconds, teams};
use evenmatch::engine::{Engine, EngineBuilder};
use evenmatch::model::codes::{Code, EndReason};
use evenmatch::model::request::PlayerRequest;
use evenmatch::model::status::TicketState;
use evenmatch::rules::spec::QueueSpec;

fn named(name: &str, queue: QueueSpec) -> QueueSpec {
    QueueSpec { name: name.to_owned(), ..queue }
}

fn many() -> EngineBuilder {
    Engine::builder().capacity(1_000).allow_many_queues(true)
}

/// 1v1, 2v2 and 4v4, in this order.
fn three(builder: EngineBuilder) -> Host {
    let queues = vec![named("1v1", duel()), named("2v2", teams(2, 2)), named("4v4", teams(2, 4))];
    Host::with(builder, queues)
}

/// A ticket of the one player, named after him and the queue.
fn alone(player: &str, queue: &str) -> super::host::Ticket {
    party(&format!("{player}@{queue}"), &[player]).queue(queue)
}

/// Thirty players in all three queues, in turn or queue by queue from the last, and what one tick says.
fn thirty(host: &mut Host, in_turn: bool) -> Vec<String> {
    let names: Vec<String> = (0..30).map(|number| format!("p{number:02}")).collect();
    if in_turn {
        for name in &names {
            for queue in ["1v1", "2v2", "4v4"] {
                host.add(0.0, alone(name, queue));
            }
        }
    } else {
        for queue in ["4v4", "2v2", "1v1"] {
            for name in &names {
                host.add(0.0, alone(name, queue));
            }
        }
    }
    host.tick(0.0)
}

/// The ends that follow a match of these players in the order of their submits.
fn ends(players: impl Iterator<Item = u32> + Clone, queues: &[&str], in_turn: bool) -> Vec<String> {
    let line = |player: u32, queue: &str| format!("p{player:02}@{queue} MATCHED_ELSEWHERE");
    if in_turn {
        players.flat_map(|player| queues.iter().map(move |queue| line(player, queue))).collect()
    } else {
        queues.iter().flat_map(|queue| players.clone().map(move |player| line(player, queue))).collect()
    }
}

#[test]
fn pf_10_the_queue_with_the_oldest_ticket_goes_first() {
    let host = &mut three(many());
    let lines = thirty(host, true);
    let mut expected = Vec::new();
    for first in (0..30).step_by(2) {
        expected.push(format!("{{p{first:02}@1v1 | p{:02}@1v1}}", first + 1));
        expected.extend(ends(first..first + 2, &["2v2", "4v4"], true));
    }
    assert_eq!(lines, expected);
    let stats = host.engine.stats();
    assert_eq!((stats.matched, stats.ended, stats.waiting, stats.matches), (30, 60, 0, 15));
    assert_eq!(host.tick(1.0), NOTHING);
}

#[test]
fn pf_10_what_one_queue_leaves_over_the_others_take() {
    let host = &mut three(many());
    let lines = thirty(host, false);
    // The last queue went first, as its tickets are the oldest; events come queue by queue as declared.
    let mut expected = vec!["{p28@1v1 | p29@1v1}".to_owned()];
    expected.extend(ends(28..30, &["4v4", "2v2"], false));
    expected.push("{p24@2v2 p25@2v2 | p26@2v2 p27@2v2}".to_owned());
    expected.extend(ends(24..28, &["4v4", "1v1"], false));
    for first in [0, 8, 16] {
        let team = |from: u32| (from..from + 4).map(|p| format!("p{p:02}@4v4")).collect::<Vec<_>>().join(" ");
        expected.push(format!("{{{} | {}}}", team(first), team(first + 4)));
        expected.extend(ends(first..first + 8, &["2v2", "1v1"], false));
    }
    assert_eq!(lines, expected);
}

#[test]
fn pf_10_the_result_does_not_depend_on_threads_or_rounds() {
    for in_turn in [true, false] {
        let expected = thirty(&mut three(many()), in_turn);
        for (threads, rounds) in [(2, None), (3, Some(1)), (2, Some(7))] {
            let host = &mut three(many().threads(threads).disturb(rounds, threads as u64));
            assert_eq!(thirty(host, in_turn), expected, "{threads} threads, rounds of {rounds:?}");
        }
    }
}

#[test]
fn pf_10_one_ticket_a_player_in_each_queue() {
    let host = &mut three(many());
    let first = host.add(0.0, ticket("A").queue("1v1"));
    let second = host.add(1.0, party("A2", &["A", "B"]).queue("2v2"));
    let refusal = host.refused(1.0, party("A3", &["C", "A"]).queue("2v2"), Code::PlayerAlreadyQueued);
    assert_eq!(refusal.ticket, Some(second), "the one in this queue is named");
    let (a, b, c) = (host.player("A"), host.player("B"), host.player("C"));
    assert_eq!(host.engine.tickets_of(a), [first, second]);
    assert_eq!((host.engine.ticket_of(a), host.engine.ticket_of(b)), (Some(first), Some(second)));
    assert_eq!((host.engine.ticket_of(c), host.engine.tickets_of(c)), (None, vec![]));
    host.cancel(2.0, "A").unwrap();
    assert_eq!(host.engine.tickets_of(a), [second], "a cancel takes one ticket out");

    let host = &mut three(Engine::builder().capacity(10));
    let first = host.add(0.0, ticket("A").queue("1v1"));
    let refusal = host.refused(0.0, party("A2", &["A"]).queue("2v2"), Code::PlayerAlreadyQueued);
    assert_eq!(refusal.ticket, Some(first), "unless it is allowed a player stands in one queue");
    let a = host.player("A");
    assert_eq!(host.engine.tickets_of(a), [first]);
}

#[test]
fn pf_10_a_party_ends_whole_when_a_member_is_matched() {
    let host = &mut three(many());
    host.add(0.0, ticket("A").queue("1v1"));
    host.add(0.0, party("AB", &["A", "B"]).queue("2v2"));
    host.add(0.0, party("AD", &["A", "D"]).queue("4v4"));
    host.add(0.0, ticket("D").queue("1v1"));
    assert_eq!(host.tick(0.0), ["{A | D}", "AB MATCHED_ELSEWHERE", "AD MATCHED_ELSEWHERE"], "each once");
}

#[test]
fn pf_10_a_match_of_a_party_ends_the_members_tickets() {
    let host = &mut three(many());
    host.add(0.0, ticket("A").queue("1v1"));
    host.add(0.0, party("B4", &["B", "X"]).queue("4v4"));
    host.add(0.0, party("AB", &["A", "B"]).queue("2v2"));
    host.add(0.0, players("foes", 2).queue("2v2"));
    assert_eq!(
        host.tick(0.0),
        ["{AB | foes}", "A MATCHED_ELSEWHERE", "B4 MATCHED_ELSEWHERE"],
        "a ticket ends whole, though X was not matched"
    );
    let x = host.player("X");
    assert_eq!(host.engine.tickets_of(x), []);
    assert_eq!(host.status("B4").state, TicketState::Ended(EndReason::MatchedElsewhere));
    assert_eq!(host.cancel(1.0, "B4").unwrap_err().code, Code::NotFound);
    host.add(1.0, ticket("X").queue("4v4"));
    assert_eq!(host.tick(1.0), NOTHING);
}

#[test]
fn pf_10_expiries_come_before_matches() {
    let timed = QueueSpec { timeout: Some(seconds(5.0)), ..named("timed", teams(2, 2)) };
    let host = &mut Host::with(many(), vec![named("1v1", duel()), timed]);
    let forming = |host: &mut Host, name: &str, at: f64| {
        let awaited = host.player("late");
        host.add(at, party(name, &["A"]).queue("timed").request(|request| request.awaits(awaited)))
    };
    forming(host, "old", 0.0);
    assert_eq!(host.tick(1.0), NOTHING);
    host.add(4.0, ticket("A").queue("1v1"));
    host.add(5.0, ticket("B").queue("1v1"));
    host.add(5.0, party("B2", &["B"]).queue("timed"));
    assert_eq!(host.tick(5.0), ["old TIMED_OUT", "{A | B}", "B2 MATCHED_ELSEWHERE"]);

    let forming = forming(host, "new", 6.0);
    host.add(6.0, ticket("A").queue("1v1"));
    host.add(6.0, ticket("C").queue("1v1"));
    assert_eq!(host.tick(6.0), ["{A | C}", "new MATCHED_ELSEWHERE"], "one that forms ends, too");
    let late = host.player("late");
    let join = host.engine.join(seconds(7.0), forming, PlayerRequest::new(late));
    assert_eq!(join.unwrap_err().code, Code::NotFound);
    assert_eq!(host.engine.stats().forming, 0);
}

#[test]
fn pf_10_a_suspended_queue_does_not_keep_a_matched_player() {
    let host = &mut three(many());
    host.add(0.0, party("A2", &["A"]).queue("2v2"));
    host.add(0.0, party("B2", &["B"]).queue("2v2"));
    host.engine.suspend_queue(seconds(0.0), host.queue("2v2")).unwrap();
    host.add(0.0, ticket("A").queue("1v1"));
    host.add(0.0, ticket("B").queue("1v1"));
    assert_eq!(host.tick(0.0), ["{A | B}", "A2 MATCHED_ELSEWHERE", "B2 MATCHED_ELSEWHERE"]);
}

#[test]
fn pf_10_leave_takes_a_player_out_of_every_queue() {
    let host = &mut three(many());
    host.add(0.0, party("AB", &["A", "B"]).queue("2v2"));
    let newest = host.add(1.0, party("A4", &["A"]).queue("4v4"));
    host.add(1.0, ticket("B").queue("1v1"));
    let a = host.player("A");
    assert_eq!(host.engine.leave_ticket(seconds(1.0), a, newest), Ok(()));
    assert_eq!(host.engine.leave_ticket(seconds(1.0), a, newest).unwrap_err().code, Code::NotFound);
    let other = host.id("B");
    assert_eq!(host.engine.leave_ticket(seconds(1.0), a, other).unwrap_err().code, Code::NotFound);
    assert_eq!(host.poll(), ["A4 CANCELLED"]);
    host.add(1.0, party("A4", &["A"]).queue("4v4"));
    let oldest = host.id("AB");
    assert_eq!(host.engine.leave(seconds(2.0), a), Ok(oldest), "the oldest is named");
    assert_eq!(host.poll(), ["AB PARTY_MEMBER_LEFT", "A4 CANCELLED"]);
    assert_eq!(host.engine.leave(seconds(2.0), a).unwrap_err().code, Code::NotFound);
    let b = host.player("B");
    assert_eq!(host.engine.tickets_of(b), [other]);
}

#[test]
fn pf_10_only_a_ticket_in_the_same_queue_supersedes() {
    let host = &mut three(many());
    host.add(0.0, ticket("A").queue("1v1"));
    host.add(0.0, ticket("B").queue("1v1"));
    assert_eq!(host.tick(0.0), ["{A | B}"]);
    host.add(1.0, party("A2", &["A"]).queue("2v2"));
    let newer = host.add(1.0, party("B again", &["B"]).queue("1v1"));
    let answers = host.requeue(2.0, &["A", "B"]);
    assert!(answers[0].is_ok(), "{answers:?}");
    let refusal = answers[1].as_ref().unwrap_err();
    assert_eq!((refusal.code, refusal.ticket), (Code::Superseded, Some(newer)));
    assert_eq!(host.tick(2.0), ["{A | B again}", "A2 MATCHED_ELSEWHERE"]);
}

#[test]
fn pf_10_ends_are_counted_in_the_queue_of_the_ticket() {
    let host = &mut three(many());
    thirty(host, true);
    let told = host.engine.stats();
    let elsewhere = |at: usize| told.queues[at].activity.total.ended.of(EndReason::MatchedElsewhere);
    assert_eq!([elsewhere(0), elsewhere(1), elsewhere(2)], [0, 30, 30]);
    assert_eq!(told.queues[1].activity.window.counts.ended.of(EndReason::MatchedElsewhere), 30);
    assert_eq!(told.ended_by_reason.of(EndReason::MatchedElsewhere), 60);
    assert_eq!([told.queues[0].tickets, told.queues[1].tickets, told.queues[2].tickets], [0, 0, 0]);
    let page = host.engine.stats_prometheus();
    let line = page.lines().find(|line| line.contains("MATCHED_ELSEWHERE") && line.ends_with(" 60"));
    assert!(line.is_some(), "{page}");
}

#[test]
fn pf_10_a_removed_queue_ends_its_tickets_itself() {
    let host = &mut three(many());
    host.add(0.0, party("A2", &["A"]).queue("2v2"));
    host.add(0.0, ticket("A").queue("1v1"));
    host.add(0.0, ticket("B").queue("1v1"));
    host.engine.remove_queue(seconds(0.0), host.queue("2v2")).unwrap();
    let a = host.player("A");
    let left = host.id("A");
    assert_eq!(host.engine.tickets_of(a), [left]);
    assert_eq!(host.tick(0.0), ["A2 QUEUE_REMOVED", "{A | B}"]);
}
