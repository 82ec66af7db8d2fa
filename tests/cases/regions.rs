//! RG: regions and latency.

use super::host::{Host, NOTHING, players, ticket};
use super::queues::{With, always, duel, fixed, free_for_all, growing, ping_within, seconds, teams};
use evenmatch::config::read_queue;
use evenmatch::model::codes::{Code, UnmatchableReason};
use evenmatch::model::status::WaitingFor;
use evenmatch::{Engine, Millis, PlayerId, PlayerRequest, TicketRequest};

#[test]
fn rg_01_the_region_with_the_least_mean_ping_is_taken_whatever_the_order() {
    for declared in [None, Some(["sgp", "hkg"]), Some(["hkg", "sgp"])] {
        for flipped in [false, true] {
            let mut queue = duel().with(ping_within(always(150.0)));
            queue.regions = declared.map(|names| names.map(str::to_owned).into());
            let mut host = Host::new(queue);
            let ping = |name, sgp: i32, hkg: i32| match flipped {
                false => ticket(name).ping("sgp", sgp).ping("hkg", hkg),
                true => ticket(name).ping("hkg", hkg).ping("sgp", sgp),
            };
            host.add(0.0, ping("A", 82, 115));
            host.add(0.0, ping("B", 45, 100));
            assert_eq!(host.tick(0.0), ["{A | B} @sgp"]);
            let record = &host.matches[0];
            let regions: Vec<&str> = record.regions.iter().map(AsRef::as_ref).collect();
            assert_eq!(regions, ["sgp", "hkg"]);
            assert_eq!(record.quality.ping_mean_ms, Some(fixed(63.5)));
            assert_eq!(record.quality.ping_worst_ms, Some(fixed(82.0)));
        }
    }
}

#[test]
fn rg_03_a_ticket_without_latency_is_refused_at_once() {
    let mut host = Host::new(duel().with(ping_within(always(100.0))));
    host.refused(0.0, ticket("A"), Code::MissingLatency);
    assert_eq!(host.tick(0.0), NOTHING);
    assert_eq!(host.engine.stats().waiting, 0);
    assert_eq!(host.engine.stats().refused, 1);
}

#[test]
fn rg_05_tickets_with_different_best_regions_meet_once() {
    let mut host = Host::new(duel().with(ping_within(always(100.0))));
    host.add(0.0, ticket("A").ping("eu", 40).ping("us", 45));
    host.add(0.0, ticket("B").ping("us", 40).ping("eu", 45));
    assert_eq!(host.tick(0.0), ["{A | B} @eu"], "equal means and worsts: the first name");
    assert_eq!(host.tick(1.0), NOTHING);
    assert_eq!(host.engine.stats().matched, 2);
}

#[test]
fn rg_07_the_limit_is_per_ticket_not_the_mean() {
    let mut host = Host::new(free_for_all(4, 4).with(ping_within(always(150.0))));
    for name in ["A", "B", "C"] {
        host.add(0.0, ticket(name).ping("eu", 20));
    }
    let refusal = host.refused(0.0, ticket("D").ping("eu", 400), Code::Unmatchable);
    assert_eq!(refusal.reason, Some(UnmatchableReason::NoRegion));
    assert_eq!(host.tick(0.0), NOTHING);

    let mut host = Host::new(free_for_all(4, 4).with(ping_within(growing(150.0, 10.0, 500.0))));
    for name in ["A", "B", "C"] {
        host.add(0.0, ticket(name).ping("eu", 20));
    }
    host.add(0.0, ticket("D").ping("eu", 400));
    assert_eq!(host.ticks(0, 30), ["25: {A B C D} @eu"]);
}

#[test]
fn rg_07_a_partys_ping_is_that_of_its_worst_member() {
    let mut host = Host::new(teams(2, 2).with(ping_within(growing(100.0, 10.0, 500.0))));
    let pair = |name, own: i32, other: i32| {
        players(name, 2).player_ping(0, "eu", own).player_ping(1, "eu", other).player_ping(1, "us", 5)
    };
    host.add(0.0, pair("P", 20, 150));
    host.add(0.0, pair("Q", 30, 30));
    assert_eq!(host.ticks(0, 9), ["5: {P | Q} @eu"], "us is not in every member's list");
    assert_eq!(host.matches[0].tickets[0].ping_ms, Some(fixed(150.0)));
    assert_eq!(host.matches[0].quality.ping_mean_ms, Some(fixed(90.0)));
}

#[test]
fn rg_a_region_that_is_down_ends_nobody() {
    let mut host = Host::new(duel().with(ping_within(always(150.0))));
    host.engine.set_region(seconds(0.0), "eu", false).unwrap();
    host.add(0.0, ticket("A").ping("eu", 20));
    host.add(0.0, ticket("B").ping("eu", 20));
    assert_eq!(host.ticks(0, 5), NOTHING);
    assert_eq!(host.status("A").waiting_for, Some(WaitingFor::RegionUp));
    host.engine.set_region(seconds(5.5), "eu", true).unwrap();
    assert_eq!(host.tick(6.0), ["{A | B} @eu"]);
}

/// Sixty-four regions are every bit of a mask, which must not read as "no region is asked for".
#[test]
fn rg_an_anchor_that_reaches_all_regions_meets_those_who_reach_one() {
    let text = r#"{ "name": "duel", "players": { "min": 4, "max": 4 },
        "attributes": { "healer": { "type": "integer", "default": 0, "min": 0, "max": 1 } },
        "rules": [
            { "name": "ping", "type": "region", "max_ms": 100 },
            { "name": "healer", "type": "total", "attribute": "healer", "min": 1 }] }"#;
    let engine = Engine::builder().capacity(1_000).build().unwrap();
    engine.add_queue(read_queue(text).unwrap()).unwrap();
    // More than a search takes in by distance, and nobody among them heals.
    for id in 1..=300 {
        let request = TicketRequest::new("duel").player(PlayerRequest::new(PlayerId(id)));
        let wide =
            (0..64).fold(request, |request, region| request.ping(&format!("r{region:02}"), 20 + region));
        engine.submit(Millis(0), wide).unwrap();
    }
    engine.tick(Millis(0), 0).unwrap();
    assert_eq!(engine.stats().matched, 0);
    let healer = PlayerRequest::new(PlayerId(1_000)).number("healer", 1);
    engine.submit(Millis(1), TicketRequest::new("duel").player(healer).ping("r61", 30)).unwrap();
    engine.tick(Millis(1), 0).unwrap();
    assert_eq!(engine.stats().matched, 4, "three of those who wait and the healer, where all of them reach");
}
