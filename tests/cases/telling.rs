//! OB: what the engine tells about itself, its tickets and how they ended.

use super::host::{Host, NOTHING, players, rated, ticket};
use super::queues::{With, always, duel, free_for_all, growing, ping_within, seconds, skill_within};
use evenmatch::engine::Engine;
use evenmatch::model::codes::{Code, EndReason};
use evenmatch::model::event::Event;
use evenmatch::model::ids::Millis;
use evenmatch::model::status::{TicketState, WaitingFor};
use std::collections::BTreeMap;

#[test]
fn ob_01_statistics_count_tickets_and_players() {
    let mut host = Host::new(free_for_all(8, 8).with(ping_within(growing(50.0, 10.0, 200.0))));
    host.add(0.0, players("P", 3).ping("eu", 20).ping("us", 45));
    host.add(2.0, players("S", 1).ping("eu", 30).ping("us", 150));
    assert_eq!(host.tick(5.0), NOTHING);
    let stats = host.engine.stats();
    let queue = &stats.queues[0];
    assert_eq!((stats.waiting, queue.tickets, queue.players), (2, 2, 4));
    assert_eq!(queue.oldest_age, seconds(5.0));
    let regions: BTreeMap<&str, (u64, u64)> =
        queue.regions.iter().map(|(name, tickets, players)| (name.as_ref(), (*tickets, *players))).collect();
    assert_eq!(regions["eu"], (2, 4));
    assert_eq!(regions["us"], (1, 3), "S accepts us from 10 s on");
    assert_eq!(host.tick(12.0), NOTHING);
    let stats = host.engine.stats();
    assert!(stats.queues[0].regions.iter().any(|region| region.0.as_ref() == "us" && region.1 == 2));
}

#[test]
fn nothing_is_due_once_every_ticket_has_left() {
    let mut host = Host::new(duel().with(skill_within(always(100.0))));
    host.add(0.0, rated("A", &[1500.0]));
    host.cancel(0.0, "A").unwrap();
    host.engine.tick(seconds(1.0), 1).unwrap();
    assert_eq!(host.engine.next_due(), None, "a pass with a budget and without an anchor has ended");
    host.engine.suspend_queue(seconds(2.0), host.queue("q")).unwrap();
    host.engine.resume_queue(seconds(2.0), host.queue("q")).unwrap();
    host.engine.tick(seconds(3.0), 1).unwrap();
    assert_eq!(host.engine.next_due(), None);
}

#[test]
fn ob_03_the_wait_counts_from_the_first_submit() {
    let mut host = Host::new(duel().with(skill_within(always(100.0))));
    host.add(0.0, rated("A", &[1500.0]));
    host.add(299.0, rated("B", &[1500.0]));
    assert_eq!(host.tick(300.0), ["{A | B}"]);
    assert_eq!(host.matches[0].attempts, 0);
    assert!(host.requeue(301.0, &["A"])[0].is_ok());
    assert_eq!(host.status("A").attempts, 1);
    assert_eq!(host.tick(305.0), NOTHING);
    host.add(310.0, rated("C", &[1500.0]));
    assert_eq!(host.tick(310.0), ["{A | C}"]);
    let record = &host.matches[1];
    assert_eq!(record.tickets[0].wait, seconds(310.0));
    assert_eq!(record.quality.oldest_wait, seconds(310.0));
    assert_eq!((record.attempts, record.tickets[0].attempts, record.tickets[1].attempts), (1, 1, 0));
}

#[test]
fn ob_05_a_timer_stops_at_zero_and_says_what_is_waited_for() {
    let mut queue = free_for_all(2, 4);
    queue.prefer_full_for = seconds(10.0);
    let mut host = Host::new(queue);
    host.add(0.0, ticket("A"));
    assert_eq!(host.status("A").waiting_for, Some(WaitingFor::Tick));
    for (at, left, reason) in [
        (9.0, 1.0, WaitingFor::FullMatch),
        (10.0, 0.0, WaitingFor::Partners),
        (11.0, 0.0, WaitingFor::Partners),
        (600.0, 0.0, WaitingFor::Partners),
    ] {
        assert_eq!(host.tick(at), NOTHING);
        let status = host.status("A");
        assert_eq!(status.prefer_full_left, seconds(left), "at {at}");
        assert_eq!(status.waiting_for, Some(reason), "at {at}");
        let explained = host.engine.explain(host.id("A")).unwrap();
        assert_eq!(explained.ticket, status, "an explanation says the same at {at}");
        let missing = explained.pool.unwrap().missing;
        let least = if left > 0.0 { 4 } else { 2 };
        assert_eq!((missing.players_least, missing.players_here), (least, 1), "at {at}");
    }
}

#[test]
fn ob_06_each_way_to_end_has_its_own_reason() {
    let mut timed = duel();
    timed.name = "timed".to_owned();
    timed.timeout = Some(seconds(5.0));
    let mut doomed = duel();
    doomed.name = "doomed".to_owned();
    let queues = vec![duel(), timed, doomed];
    let mut host = Host::with(Engine::builder().capacity(16), queues);
    host.add(0.0, ticket("cancelled"));
    host.cancel(0.0, "cancelled").unwrap();
    let mut seen: Vec<String> = host.tick(0.0);
    let mut lonely = super::queues::teams(2, 2);
    lonely.name = "pairs".to_owned();
    host.engine.add_queue(lonely).unwrap();
    host.add(0.0, players("party", 2).queue("pairs"));
    let member = host.player("party.0");
    host.engine.leave(seconds(1.0), member).unwrap();
    seen.extend(host.tick(1.0));
    host.add(1.0, ticket("late").queue("timed"));
    assert_eq!(host.ticks(2, 5), NOTHING);
    seen.extend(host.tick(6.0));
    host.add(6.0, ticket("doomed").queue("doomed"));
    host.engine.remove_queue(seconds(6.0), host.queue("doomed")).unwrap();
    seen.extend(host.tick(7.0));
    host.add(7.0, ticket("open"));
    host.engine.close(seconds(8.0)).unwrap();
    let mut events = Vec::new();
    host.engine.poll(&mut events, usize::MAX);
    for event in events {
        let Event::Ended(ended) = event else { panic!("{event:?}") };
        assert_eq!(ended.at, seconds(8.0));
        seen.push(format!("{} {}", host.name(ended.ticket), ended.reason));
    }
    assert_eq!(
        seen,
        [
            "cancelled CANCELLED",
            "party PARTY_MEMBER_LEFT",
            "late TIMED_OUT",
            "doomed QUEUE_REMOVED",
            "open ENGINE_CLOSED"
        ]
    );
    // MATCHED_ELSEWHERE needs an engine in which a player may stand in several queues.
    let listed: Vec<EndReason> =
        EndReason::ALL.iter().copied().filter(|r| *r != EndReason::MatchedElsewhere).collect();
    for reason in listed {
        let times = seen.iter().filter(|line| line.ends_with(reason.word())).count();
        assert_eq!(times, 1, "{reason}");
    }
    assert_eq!(host.engine.stats().ended, 5);
    assert_eq!(host.engine.stats().waiting, 0);
    host.refused(9.0, ticket("after"), Code::EngineClosed);
    assert_eq!(host.engine.tick(Millis(9000), 0).unwrap_err().code, Code::EngineClosed);
    assert_eq!(host.status("open").state, TicketState::Ended(EndReason::EngineClosed));
}

#[test]
fn ob_06_every_end_says_when_it_was() {
    let mut queue = duel();
    queue.timeout = Some(seconds(5.0));
    let host = &mut Host::new(queue);
    host.add(0.0, ticket("A").request(|request| request.user_data(77)));
    host.add(1.0, ticket("B"));
    host.cancel(1.25, "B").unwrap();
    host.engine.tick(seconds(5.5), 0).unwrap();
    let mut events = Vec::new();
    host.engine.poll(&mut events, usize::MAX);
    let ends: Vec<(Millis, EndReason, u64)> = events
        .iter()
        .map(|event| match event {
            Event::Ended(ended) => (ended.at, ended.reason, ended.user_data),
            Event::Match(record) => panic!("{record:?}"),
        })
        .collect();
    assert_eq!(
        ends,
        [(seconds(1.25), EndReason::Cancelled, 0), (seconds(5.5), EndReason::TimedOut, 77)],
        "a cancel at its call's time, an expiry at the tick's"
    );
}
