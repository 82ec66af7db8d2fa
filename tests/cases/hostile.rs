//! Calls that no sane host makes, in every order: churn of names, ends of time, queues that come and go.

use super::host::{Host, NOTHING, ticket};
use super::queues::{With, always, duel, free_for_all, ping_within, seconds};
use evenmatch::engine::Engine;
use evenmatch::model::codes::Code;
use evenmatch::model::ids::Millis;
use evenmatch::model::request::TicketRequest;
use evenmatch::rules::spec::RegionNames;

/// A ticket that reaches these regions at 20 ms.
fn reaching(name: &str, regions: &[&str]) -> super::host::Ticket {
    regions.iter().fold(ticket(name), |ticket, region| ticket.ping(region, 20))
}

/// A host whose queue has learned 64 regions, `r00` .. `r63`, of which live tickets hold all but `free`.
fn full_of_regions(free: &[u32]) -> Host {
    let mut host = Host::new(free_for_all(50, 50).with(ping_within(always(150.0))));
    let names: Vec<String> = (0..64).map(|number| format!("r{number:02}")).collect();
    let all: Vec<&str> = names.iter().map(String::as_str).collect();
    host.add(0.0, reaching("all", &all));
    let held = |number: &u32| !free.contains(number);
    let held: Vec<&str> = (0..64).filter(held).map(|number| all[number as usize]).collect();
    host.add(0.0, reaching("held", &held));
    host.cancel(0.0, "all").unwrap();
    assert_eq!(host.tick(0.0), ["all CANCELLED"]);
    host
}

#[test]
fn two_new_regions_of_one_ticket_never_share_a_number() {
    let mut host = full_of_regions(&[7]);
    host.refused(1.0, reaching("A", &["new1", "new2"]), Code::TooManyRegions);
    let mut host = full_of_regions(&[7, 9]);
    host.add(1.0, reaching("A", &["new1", "new2"]));
    host.tick(1.0);
    let names: Vec<String> = host.status("A").regions.iter().map(|(name, _)| name.to_string()).collect();
    assert_eq!(names, ["new1", "new2"]);
}

#[test]
fn a_new_region_never_takes_the_number_of_another_of_its_ticket() {
    for order in [["r07", "new"], ["new", "r07"]] {
        let mut host = full_of_regions(&[7]);
        host.refused(1.0, reaching("A", &order), Code::TooManyRegions);
        let mut host = full_of_regions(&[7, 9]);
        host.add(1.0, reaching("A", &order));
        host.tick(1.0);
        let names: Vec<String> = host.status("A").regions.iter().map(|(name, _)| name.to_string()).collect();
        assert_eq!(names, ["new", "r07"]);
    }
}

#[test]
fn a_refused_ticket_teaches_no_region() {
    let mut queue = duel().with(ping_within(always(150.0)));
    queue.region_names = RegionNames::FoldCase;
    let mut host = Host::new(queue);
    host.add(0.0, ticket("A").ping("us", 20));
    let twice = ticket("A").ping("EU", 20);
    host.refused(0.0, twice, Code::PlayerAlreadyQueued);
    host.add(0.0, ticket("B").ping("eu", 20));
    host.tick(0.0);
    assert_eq!(host.status("B").regions[0].0.as_ref(), "eu", "as first seen in a ticket that was taken");
}

#[test]
fn nothing_is_due_after_the_end_of_time() {
    const END: Millis = Millis(1 << 52);
    let mut queue = duel();
    queue.timeout = Some(seconds(60.0));
    let engine = Engine::builder().capacity(10).build().unwrap();
    engine.add_queue(queue).unwrap();
    let request = TicketRequest::new("q").player(evenmatch::PlayerRequest::new(evenmatch::PlayerId(1)));
    engine.submit(END, request).unwrap();
    assert!(engine.next_due().is_none_or(|due| due <= END), "a tick would refuse that time");
    engine.tick(END, 0).unwrap();
    assert_eq!(engine.next_due(), None, "a deadline beyond 2^52 never comes");
}

#[test]
fn a_queue_comes_and_goes_in_one_tick() {
    let mut host = Host::new(duel());
    host.add(0.0, ticket("A"));
    for _ in 0..3 {
        let id = host.engine.queue("q").unwrap();
        host.engine.suspend_queue(seconds(0.0), id).unwrap();
        host.engine.remove_queue(seconds(0.0), id).unwrap();
        host.engine.add_queue(duel()).unwrap();
        host.engine.remove_queue(seconds(0.0), id).map_err(|refusal| refusal.code).unwrap_err();
    }
    host.refused(0.0, ticket("A"), Code::PlayerAlreadyQueued);
    host.add(0.0, ticket("B"));
    host.add(0.0, ticket("C"));
    let mut lines = host.tick(0.0);
    lines.sort();
    assert_eq!(lines, ["A QUEUE_REMOVED", "{B | C}"]);
    host.add(0.0, ticket("A"));
    assert_eq!(host.tick(0.0), NOTHING);
}

#[test]
fn a_busy_queue_does_not_starve_another_under_a_budget() {
    let crowd = free_for_all(5, 5);
    let mut pair = duel();
    pair.name = "pair".to_owned();
    let mut host = Host::with(Engine::builder().capacity(1_000), vec![crowd, pair]);
    host.add(0.0, ticket("old"));
    host.add(1.0, ticket("A").queue("pair"));
    host.add(1.0, ticket("B").queue("pair"));
    let mut lines = Vec::new();
    for second in 2..12 {
        // The oldest ticket of all is due in every tick, and its search uses the budget up.
        let name = format!("n{second}");
        host.add(f64::from(second), ticket(&name));
        host.engine.tick(seconds(f64::from(second)), 1).unwrap();
        host.cancel(f64::from(second), &name).unwrap();
        lines.extend(host.poll().into_iter().filter(|line| !line.ends_with("CANCELLED")));
    }
    assert_eq!(lines, ["{A | B}"]);
}

#[test]
fn every_match_of_an_unlimited_tick_comes_under_a_budget_of_one_step() {
    let play = |budget: u64| {
        let mut host = Host::with(Engine::builder().capacity(1_000), vec![duel()]);
        for number in 0..301 {
            host.add(0.0, ticket(&format!("t{number}")));
        }
        let mut lines = Vec::new();
        for second in 0..200 {
            let report = host.engine.tick(seconds(f64::from(second)), budget).unwrap();
            lines.extend(host.poll());
            if report.complete {
                assert_eq!(host.engine.next_due(), None, "nothing is left to do");
                break;
            }
            assert!(host.engine.next_due().is_some(), "a pass that was stopped goes on");
        }
        lines
    };
    assert_eq!(play(1), play(0));
}

#[test]
fn calls_from_many_threads_lose_nobody() {
    use evenmatch::{Event, PlayerId, PlayerRequest, TicketUpdate};
    use std::collections::BTreeMap;
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
    const EACH: u64 = 400;
    let engine = Engine::builder().capacity(200).retained(0).check_matches(true).build().unwrap();
    engine.add_queue(duel().with(ping_within(always(150.0)))).unwrap();
    let (done, threads_left) = (AtomicBool::new(false), AtomicU64::new(4));
    let mut accepted = BTreeMap::new();
    let mut ends: BTreeMap<evenmatch::TicketId, u32> = BTreeMap::new();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..4_u64)
            .map(|worker| {
                let (engine, threads_left) = (&engine, &threads_left);
                scope.spawn(move || {
                    let mut mine = Vec::new();
                    let mut full = 0;
                    while (mine.len() as u64) < EACH && full < 1_000_000 {
                        let number = mine.len() as u64;
                        let player = PlayerId(u128::from(worker * 8 + number % 8 + 1));
                        let request = TicketRequest::new("q").player(PlayerRequest::new(player));
                        match engine.submit(Millis(number), request.ping("eu", 20).ping("us", 30)) {
                            Ok(id) => mine.push(id),
                            Err(refusal) => {
                                let known = [Code::QueueFull, Code::PlayerAlreadyQueued];
                                assert!(known.contains(&refusal.code), "{refusal}");
                                std::thread::yield_now();
                            }
                        }
                        full += 1;
                        if let Some(&last) = mine.last() {
                            match full % 5 {
                                0 => drop(engine.cancel(Millis(number), last)),
                                1 => {
                                    let latency = Some(vec![("eu".to_owned(), 30.into())]);
                                    let update = TicketUpdate { latency, ..TicketUpdate::default() };
                                    drop(engine.update(Millis(number), last, update));
                                }
                                2 => drop(engine.leave(Millis(number), player)),
                                3 => drop(engine.ticket(last)),
                                _ => drop(engine.set_region(Millis(number), "us", number.is_multiple_of(2))),
                            }
                        }
                    }
                    threads_left.fetch_sub(1, Ordering::SeqCst);
                    mine
                })
            })
            .collect();
        scope.spawn(|| {
            while !done.load(Ordering::SeqCst) {
                engine.tick(Millis(0), 3).unwrap();
                std::thread::yield_now();
            }
        });
        let mut events = Vec::new();
        let mut drained = false;
        while !drained {
            drained = threads_left.load(Ordering::SeqCst) == 0;
            while engine.poll(&mut events, 3) > 0 {}
            let stats = engine.stats();
            assert_eq!(stats.submitted, stats.waiting + stats.matched + stats.ended);
        }
        done.store(true, Ordering::SeqCst);
        for worker in workers {
            for id in worker.join().unwrap() {
                assert_eq!(accepted.insert(id, ()), None, "an id is given once");
            }
        }
        for event in events {
            count(&mut ends, &event);
        }
    });
    engine.close(Millis(0)).unwrap();
    let mut events: Vec<Event> = Vec::new();
    while engine.poll(&mut events, 1) > 0 {}
    events.iter().for_each(|event| count(&mut ends, event));
    assert!(ends.values().all(|&count| count == 1), "exactly one terminal event each");
    assert!(ends.keys().eq(accepted.keys()), "and for every ticket");
}

/// Counts the terminal events of tickets.
fn count(ends: &mut std::collections::BTreeMap<evenmatch::TicketId, u32>, event: &evenmatch::Event) {
    match event {
        evenmatch::Event::Ended(ended) => *ends.entry(ended.ticket).or_default() += 1,
        evenmatch::Event::Match(record) => {
            record.tickets.iter().for_each(|ticket| *ends.entry(ticket.id).or_default() += 1);
        }
    }
}
