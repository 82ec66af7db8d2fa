//! OB, FA: what the sliding window says of a queue and its regions, held against what a host has seen itself.

use super::host::{Host, NOTHING, players, rated, ticket};
use super::queues::{
    QUEUE, With, always, duel, free_for_all, growing, ping_within, same, seconds, skill_within,
};
use evenmatch::engine::Engine;
use evenmatch::model::codes::{Code, EndReason};
use evenmatch::model::event::Event;
use evenmatch::model::ids::{Millis, PlayerId, TicketId};
use evenmatch::model::request::{PlayerRequest, TicketRequest};
use evenmatch::model::status::{QueueStats, RegionStats, WindowStats};
use evenmatch::rules::spec::IndexChoice;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

fn stats(host: &Host) -> QueueStats {
    host.engine.stats().queues[0].clone()
}

fn region(queue: &QueueStats, name: &str) -> RegionStats {
    let found = queue.by_region.iter().find(|region| *region.name == *name);
    found.unwrap_or_else(|| panic!("no region {name}")).clone()
}

#[test]
fn ob_01_each_region_has_its_tickets_its_players_and_its_oldest_age() {
    let mut host = Host::new(free_for_all(8, 8).with(ping_within(growing(50.0, 10.0, 200.0))));
    host.add(0.0, players("P", 3).ping("eu", 20));
    host.add(2.0, players("S", 1).ping("eu", 30).ping("us", 40));
    assert_eq!(host.tick(5.0), NOTHING);
    let queue = stats(&host);
    assert_eq!((queue.tickets, queue.players, queue.oldest_age), (2, 4, seconds(5.0)));
    let eu = region(&queue, "eu");
    assert_eq!((eu.tickets, eu.players, eu.oldest_age), (2, 4, seconds(5.0)));
    let us = region(&queue, "us");
    assert_eq!((us.tickets, us.players, us.oldest_age), (1, 1, seconds(3.0)), "S counts in both");
    let short: Vec<(&str, u64)> = queue.regions.iter().map(|region| (&*region.0, region.1)).collect();
    assert_eq!(short, [("eu", 2), ("us", 1)]);
}

#[test]
fn a_ticket_counts_in_each_of_its_regions_and_once_in_its_queue() {
    let mut host = Host::new(duel().with(ping_within(always(100.0))));
    host.add(0.0, ticket("A").ping("eu", 20).ping("us", 90));
    host.add(4.0, ticket("B").ping("eu", 20).ping("asia", 30));
    assert_eq!(host.tick(4.0), ["{A | B} @eu"]);
    let queue = stats(&host);
    let of =
        |window: &WindowStats| (window.counts.matches, window.counts.matched_tickets, window.wait.samples);
    assert_eq!(of(&queue.activity.window), (1, 2, 2));
    assert_eq!(of(&region(&queue, "eu").window), (1, 2, 2), "the match counts where it is played");
    assert_eq!(of(&region(&queue, "us").window), (0, 1, 1));
    assert_eq!(of(&region(&queue, "asia").window), (0, 1, 1));
    assert_eq!(region(&queue, "us").window.wait.mean, Some(seconds(4.0)));
    assert_eq!(region(&queue, "asia").window.wait.mean, Some(seconds(0.0)));
    assert_eq!(queue.activity.window.wait.mean, Some(seconds(2.0)));
}

#[test]
fn ob_03_the_time_to_match_counts_from_the_first_submit() {
    let mut host = Host::new(duel().with(skill_within(always(100.0))));
    host.add(0.0, rated("A", &[1500.0]));
    host.add(299.0, rated("B", &[1500.0]));
    assert_eq!(host.tick(300.0), ["{A | B}"]);
    assert!(host.requeue(301.0, &["A"])[0].is_ok());
    host.add(310.0, rated("C", &[1500.0]));
    assert_eq!(host.tick(310.0), ["{A | C}"]);
    let window = stats(&host).activity.window;
    assert_eq!(window.wait.samples, 4, "A twice, B and C");
    assert_eq!(window.wait.mean, Some(Millis((300_000 + 1_000 + 310_000) / 4)));
    let p99 = window.wait.p99.unwrap();
    assert!(p99.0.abs_diff(310_000) * 32 <= 310_000, "{p99:?}");
}

#[test]
fn ob_06_ends_are_counted_by_their_reasons() {
    let mut queue = duel();
    queue.timeout = Some(seconds(30.0));
    let mut doomed = duel();
    doomed.name = "doomed".to_owned();
    let mut pairs = super::queues::teams(2, 2);
    pairs.name = "pairs".to_owned();
    let mut host = Host::with(Engine::builder().capacity(16), vec![queue, doomed, pairs]);
    host.add(0.0, ticket("late"));
    assert_eq!(host.tick(30.0), ["late TIMED_OUT"]);
    host.add(31.0, ticket("cancelled"));
    host.cancel(31.0, "cancelled").unwrap();
    host.add(31.0, players("party", 2).queue("pairs"));
    let member = host.player("party.0");
    host.engine.leave(seconds(31.0), member).unwrap();
    host.add(31.0, ticket("gone").queue("doomed"));
    host.engine.remove_queue(seconds(31.0), host.queue("doomed")).unwrap();
    host.tick(32.0);
    let told = host.engine.stats();
    let of_queue = |at: usize, reason| {
        let activity = &told.queues[at].activity;
        assert_eq!(activity.window.counts.ended, activity.total.ended);
        activity.window.counts.ended.of(reason)
    };
    assert_eq!(of_queue(0, EndReason::TimedOut), 1);
    assert_eq!(of_queue(0, EndReason::Cancelled), 1);
    assert_eq!(of_queue(1, EndReason::PartyMemberLeft), 1);
    assert_eq!(told.queues[0].activity.window.counts.ended.total(), 2);
    host.add(33.0, ticket("open"));
    host.engine.close(seconds(34.0)).unwrap();
    let told = host.engine.stats();
    let expected = [
        (EndReason::Cancelled, 1),
        (EndReason::PartyMemberLeft, 1),
        (EndReason::TimedOut, 1),
        (EndReason::QueueRemoved, 1),
        (EndReason::EngineClosed, 1),
        (EndReason::MatchedElsewhere, 0),
    ];
    assert_eq!(told.ended_by_reason.iter().collect::<Vec<_>>(), expected, "every reason, in order");
    assert_eq!(told.ended_by_reason.total(), told.ended);
}

#[test]
fn fa_06_a_ticket_that_starved_is_counted_in_its_queue_and_the_rule_that_kept_it_out_is_named() {
    let mut queue = duel().with(ping_within(always(50.0))).with(skill_within(growing(100.0, 20.0, 10_000.0)));
    queue.timeout = Some(seconds(60.0));
    let mut host = Host::new(queue);
    host.add(0.0, rated("leader", &[3000.0]).ping("eu", 20));
    let mut lines = Vec::new();
    for second in 0..=60u32 {
        let name = format!("t{second}");
        host.add(f64::from(second), rated(&name, &[2000.0]).ping("eu", 20));
        lines.extend(host.tick(f64::from(second)));
    }
    assert!(lines.contains(&"leader TIMED_OUT".to_owned()), "{lines:?}");
    let told = host.engine.stats();
    let activity = &told.queues[0].activity;
    assert_eq!((told.starved, activity.window.counts.starved), (1, 1));
    assert_eq!(region(&told.queues[0], "eu").window.counts.starved, 1);
    let excluded: Vec<(&str, bool)> = activity.excluded.iter().map(|(rule, n)| (&**rule, *n > 0)).collect();
    assert_eq!(excluded, [("ping", false), ("skill", true)], "{} pairs", activity.pairs);
}

#[test]
fn exclusions_name_the_first_rule_that_refuses() {
    let mut queue = free_for_all(3, 3);
    queue
        .attributes
        .push(super::queues::attribute("mode", evenmatch::model::attribute::AttributeType::String));
    let queue = queue.with(same("mode", 1)).with(ping_within(always(50.0))).with(skill_within(always(100.0)));
    let mut host = Host::new(queue);
    let waiting = rated("A", &[1500.0]).string("mode", "x").ping("eu", 20).skill_between(1400.0, 1550.0);
    host.add(0.0, waiting);
    assert_eq!(host.tick(0.0), NOTHING);
    let counts = |host: &Host| {
        let activity = stats(host).activity;
        let rules: Vec<u64> = activity.excluded.iter().map(|(_, count)| *count).collect();
        (activity.pairs, rules, activity.excluded_by_limits)
    };
    assert_eq!(counts(&host), (0, vec![0, 0, 0], 0), "a ticket alone is no pair");
    // Each comes alone and leaves again, so the pair is that with A.
    let others = [
        (rated("B", &[9000.0]).string("mode", "y").ping("us", 20), (1, vec![1, 0, 0], 0)),
        (rated("C", &[1700.0]).string("mode", "x").ping("us", 20), (2, vec![1, 0, 1], 0)),
        (rated("D", &[1590.0]).string("mode", "x").ping("us", 20), (3, vec![1, 0, 1], 1)),
        (rated("E", &[1500.0]).string("mode", "x").ping("us", 20), (4, vec![1, 1, 1], 1)),
        (rated("F", &[1500.0]).string("mode", "x").ping("eu", 20), (5, vec![1, 1, 1], 1)),
    ];
    for (second, (ticket, expected)) in others.into_iter().enumerate() {
        let at = 1.0 + second as f64;
        let id = host.add(at, ticket);
        assert_eq!(host.tick(at), NOTHING);
        assert_eq!(counts(&host), expected, "after {}", host.name(id));
        host.engine.cancel(seconds(at), id).unwrap();
        host.tick(at);
    }
    let names: Vec<String> =
        stats(&host).activity.excluded.iter().map(|(rule, _)| rule.to_string()).collect();
    assert_eq!(names, ["mode", "ping", "skill"]);
    assert_eq!(stats(&host).activity.steps, host.engine.stats().steps);
}

#[test]
fn the_window_slides_with_engine_time_and_totals_stay() {
    let builder = Engine::builder().capacity(16).stats_window(seconds(60.0), 6);
    let mut host = Host::with(builder, vec![duel()]);
    host.add(5.0, ticket("A"));
    host.add(15.0, ticket("B"));
    assert_eq!(host.tick(15.0), ["{A | B}"]);
    let told = host.engine.stats();
    assert_eq!((told.window, told.window_slices, told.search_nodes), (seconds(60.0), 6, 6000));
    let matches = |host: &Host| stats(host).activity.window.counts.matches;
    for at in [16.0, 59.0, 69.9] {
        host.tick(at);
        assert_eq!(matches(&host), 1, "at {at} s");
    }
    // The slice of 10 to 20 s falls out when that of 70 to 80 s begins: any call moves time on, no tick is needed.
    assert!(host.engine.cancel(seconds(70.0), TicketId(1)).is_err());
    assert_eq!(matches(&host), 0);
    let activity = stats(&host).activity;
    assert_eq!((activity.total.matches, activity.total.matched_tickets), (1, 2));
    assert_eq!((activity.window.wait.samples, activity.window.wait.p50), (0, None));
    host.add(1_000_000.0, ticket("C"));
    host.add(1_000_000.0, ticket("D"));
    host.tick(1_000_000.0);
    assert_eq!(matches(&host), 1);
}

#[test]
fn a_window_that_cannot_be_is_refused() {
    for (length, slices) in [(0, 10), (1000, 0), (1000, 61), (9, 10), (u64::MAX, 10)] {
        let refused = Engine::builder().stats_window(Millis(length), slices).build().err().unwrap();
        assert_eq!(refused.code, Code::OutOfRange, "{length} {slices}");
    }
    assert!(Engine::builder().stats_window(Millis(10), 10).build().is_ok());
}

#[test]
fn steps_are_told_by_tick() {
    let mut host = Host::new(duel().with(skill_within(always(100.0))));
    let mut seen = Vec::new();
    for second in 0..100u32 {
        if second % 10 == 0 {
            host.add(f64::from(second), rated(&format!("t{second}"), &[f64::from(second) * 1000.0]));
        }
        seen.push(host.engine.tick(seconds(f64::from(second)), 0).unwrap().steps);
    }
    let steps = host.engine.stats().steps_per_tick;
    assert_eq!((steps.ticks, steps.last), (100, *seen.last().unwrap()));
    assert_eq!(steps.mean, seen.iter().sum::<u64>() / 100);
    seen.sort_unstable();
    assert_eq!(steps.p99, seen[98], "below 32 the histogram is exact");
}

#[test]
fn a_tree_says_how_often_it_was_built() {
    let mut queue = duel().with(skill_within(always(1.0)));
    queue.index = IndexChoice::KdTree;
    let mut host = Host::new(queue);
    for index in 0..2000u32 {
        host.add(0.0, rated(&format!("t{index}"), &[f64::from(index) * 10.0]));
    }
    assert_eq!(host.tick(0.0), NOTHING);
    let activity = stats(&host).activity;
    assert!(activity.tree_rebuilds > 0 && activity.tree_overlay < 2000, "{activity:?}");
    assert_eq!(stats(&host).index, "kdtree");
}

/// What a host writes down of each ticket.
struct Seen {
    enqueued: Millis,
    left: Option<(Millis, Option<EndReason>)>,
    regions: Vec<&'static str>,
}

/// Random traffic: what the window says is what a host finds in its own notes.
#[test]
fn the_window_agrees_with_the_hosts_own_notes() {
    for seed in 0..6 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (length, slices) = (seconds(60.0), 6);
        let mut queue =
            duel().with(skill_within(growing(20.0, 10.0, 300.0))).with(ping_within(always(100.0)));
        queue.timeout = Some(seconds(25.0));
        let engine = Engine::builder().capacity(5000).stats_window(length, slices).build().unwrap();
        engine.add_queue(queue).unwrap();
        let mut notes: BTreeMap<TicketId, Seen> = BTreeMap::new();
        let mut player = 0;
        for tick in 0..600u64 {
            let now = Millis(tick * 500);
            // Now and then nobody comes for a while.
            for _ in 0..if tick % 200 < 150 { rng.random_range(0..4) } else { 0 } {
                player += 1;
                let one = PlayerRequest::new(PlayerId(player)).number("skill", rng.random_range(1000..2000));
                let mut request = TicketRequest::new(QUEUE).player(one);
                let mut regions = Vec::new();
                for name in ["eu", "us", "asia"] {
                    if rng.random_range(0..3) > 0 || (name == "asia" && regions.is_empty()) {
                        request = request.ping(name, rng.random_range(10..90));
                        regions.push(name);
                    }
                }
                let id = engine.submit(now, request).unwrap();
                notes.insert(id, Seen { enqueued: now, left: None, regions });
            }
            let waiting: Vec<TicketId> =
                notes.iter().filter(|(_, seen)| seen.left.is_none()).map(|(&id, _)| id).collect();
            if !waiting.is_empty() && rng.random_range(0..4) == 0 {
                engine.cancel(now, waiting[rng.random_range(0..waiting.len())]).unwrap();
            }
            engine.tick(now, 0).unwrap();
            let mut events = Vec::new();
            engine.poll(&mut events, usize::MAX);
            for event in events {
                match event {
                    Event::Ended(ended) => {
                        notes.get_mut(&ended.ticket).unwrap().left = Some((ended.at, Some(ended.reason)));
                    }
                    Event::Match(record) => record.tickets.iter().for_each(|ticket| {
                        notes.get_mut(&ticket.id).unwrap().left = Some((record.at, None));
                    }),
                }
            }
            if tick % 37 == 0 {
                let told = engine.stats().queues[0].clone();
                let slice = length.0 / u64::from(slices);
                let since = Millis((now.0 / slice + 1).saturating_sub(u64::from(slices)) * slice);
                compare(&told.activity.window, &notes, since, None, seed);
                for region in &told.by_region {
                    compare(&region.window, &notes, since, Some(&region.name), seed);
                }
            }
        }
    }
}

fn compare(
    told: &WindowStats,
    notes: &BTreeMap<TicketId, Seen>,
    since: Millis,
    region: Option<&str>,
    seed: u64,
) {
    let within = notes.values().filter(|seen| region.is_none_or(|region| seen.regions.contains(&region)));
    let left = within.filter_map(|seen| seen.left.map(|(at, reason)| (seen, at, reason)));
    let left: Vec<_> = left.filter(|(_, at, _)| *at >= since).collect();
    let waits = left.iter().filter(|(_, _, reason)| reason.is_none());
    let mut waits: Vec<u64> = waits.map(|(seen, at, _)| at.since(seen.enqueued).0).collect();
    waits.sort_unstable();
    assert_eq!(told.counts.matched_tickets, waits.len() as u64, "seed {seed} {region:?} since {since}");
    for &reason in EndReason::ALL {
        let count = left.iter().filter(|(_, _, other)| *other == Some(reason)).count() as u64;
        assert_eq!(told.counts.ended.of(reason), count, "seed {seed} {region:?} {reason}");
    }
    assert_eq!(told.wait.samples, waits.len() as u64);
    assert_eq!(told.wait.mean, waits.iter().sum::<u64>().checked_div(waits.len() as u64).map(Millis));
    for (percent, value) in [(50, told.wait.p50), (90, told.wait.p90), (99, told.wait.p99)] {
        let rank = (waits.len() * percent).div_ceil(100).max(1);
        match waits.get(rank - 1) {
            None => assert_eq!(value, None),
            Some(&exact) => {
                let value = value.unwrap().0;
                assert!(value.abs_diff(exact) * 32 <= exact, "seed {seed} p{percent}: {value} for {exact}");
            }
        }
    }
}

/// One sample line, read again by the grammar of the exposition format.
#[derive(Debug)]
struct Sample {
    name: String,
    labels: BTreeMap<String, String>,
    value: f64,
}

fn read_sample(line: &str) -> Sample {
    let end = line.find(['{', ' ']).expect("a name ends");
    let name = line[..end].to_owned();
    assert!(name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_'), "{name}");
    let mut labels = BTreeMap::new();
    let mut rest = &line[end..];
    if let Some(inner) = rest.strip_prefix('{') {
        rest = inner;
        loop {
            let (label, after) = rest.split_once("=\"").expect("a label has a text");
            let (mut text, mut chars) = (String::new(), after.char_indices());
            let end = loop {
                match chars.next().expect("a text ends") {
                    (at, '"') => break at,
                    (_, '\\') => text.push(match chars.next().expect("an escape goes on").1 {
                        'n' => '\n',
                        c @ ('"' | '\\') => c,
                        c => panic!("\\{c} is no escape"),
                    }),
                    (_, c) => text.push(c),
                }
            };
            assert!(labels.insert(label.to_owned(), text).is_none(), "{label} twice");
            rest = &after[end + 1..];
            match rest.strip_prefix(',') {
                Some(more) => rest = more,
                None => break,
            }
        }
        rest = rest.strip_prefix('}').expect("labels end");
    }
    Sample { name, labels, value: rest.strip_prefix(' ').expect("a value").parse().expect("a number") }
}

#[test]
fn prometheus_reads_what_the_stats_say() {
    let odd = "a \"b\" \\ c\nd";
    let mut queue = duel().with(ping_within(always(100.0))).with(skill_within(always(100.0)));
    queue.name = odd.to_owned();
    queue.timeout = Some(seconds(30.0));
    let mut host = Host::with(Engine::builder().capacity(100), vec![queue, duel()]);
    for (at, name) in [(0.0, "A"), (7.5, "B"), (8.0, "C")] {
        host.add(at, ticket(name).queue(odd).ping("eu west", 20).ping("ü\\", 40));
    }
    host.add(8.0, ticket("D"));
    host.tick(8.0);
    host.tick(40.0);
    host.add(41.0, ticket("E").queue(odd).ping("eu west", 20));
    host.tick(42.0);
    let text = host.engine.stats_prometheus();
    assert_eq!(text, host.engine.stats_prometheus(), "the same bytes");
    let mut types: BTreeMap<String, String> = BTreeMap::new();
    let mut samples = Vec::new();
    let mut family = String::new();
    for line in text.lines() {
        if let Some(help) = line.strip_prefix("# HELP ") {
            family = help.split_once(' ').expect("a help has words").0.to_owned();
            assert!(!types.contains_key(&family), "{family} stands together");
        } else if let Some(kind) = line.strip_prefix("# TYPE ") {
            let (name, kind) = kind.split_once(' ').unwrap();
            assert_eq!(name, family, "the type follows the help");
            assert!(["counter", "gauge", "histogram"].contains(&kind));
            assert_eq!(kind == "counter", name.ends_with("_total"), "{name}");
            types.insert(name.to_owned(), kind.to_owned());
        } else {
            let sample = read_sample(line);
            let is_part = types[&family] == "histogram"
                && ["_bucket", "_sum", "_count"].iter().any(|part| sample.name == format!("{family}{part}"));
            assert!(sample.name == family || is_part, "{line} belongs to {family}");
            samples.push(sample);
        }
    }
    let of = |name: &str, labels: &[(&str, &str)]| {
        let is_it = |sample: &&Sample| {
            sample.name == format!("evenmatch_{name}")
                && sample.labels.len() == labels.len()
                && labels.iter().all(|(label, text)| sample.labels.get(*label).is_some_and(|own| own == text))
        };
        let found: Vec<&Sample> = samples.iter().filter(is_it).collect();
        assert_eq!(found.len(), 1, "{name} {labels:?}");
        found[0].value
    };
    let stats = host.engine.stats();
    let queue = &stats.queues[0];
    assert_eq!(of("submitted_total", &[]), stats.submitted as f64);
    assert_eq!(of("ended_total", &[("reason", "TIMED_OUT")]), 1.0);
    assert_eq!(of("capacity_tickets", &[]), 100.0);
    assert_eq!(of("window_seconds", &[]), 600.0);
    let q = ("queue", odd);
    assert_eq!(of("queue_waiting_tickets", &[q]), 1.0);
    assert_eq!(of("queue_oldest_age_seconds", &[q]), 1.0);
    assert_eq!(of("queue_waiting_tickets", &[("queue", QUEUE)]), 1.0);
    assert_eq!(of("queue_matches_total", &[q]), 1.0);
    assert_eq!(of("queue_ended_total", &[q, ("reason", "TIMED_OUT")]), 1.0);
    let p90 = queue.activity.window.wait.p90.unwrap();
    assert_eq!(of("queue_window_wait_seconds", &[q, ("quantile", "0.9")]), p90.0 as f64 / 1000.0);
    assert_eq!(of("region_waiting_tickets", &[q, ("region", "eu west")]), 1.0);
    assert_eq!(of("region_window_matched_tickets", &[q, ("region", "ü\\")]), 2.0);
    assert_eq!(
        of("queue_window_excluded_pairs", &[q, ("rule", "skill")]),
        queue.activity.excluded[1].1 as f64
    );
    // A waited 8 s, B 0.5 s.
    assert_eq!(of("queue_wait_seconds_bucket", &[q, ("le", "5")]), 1.0);
    assert_eq!(of("queue_wait_seconds_bucket", &[q, ("le", "10")]), 2.0);
    assert_eq!(of("queue_wait_seconds_bucket", &[q, ("le", "+Inf")]), 2.0);
    assert_eq!((of("queue_wait_seconds_sum", &[q]), of("queue_wait_seconds_count", &[q])), (8.5, 2.0));
    // A percentile without a sample is no sample line.
    assert!(!text.contains(&format!("evenmatch_queue_window_wait_seconds{{queue=\"{QUEUE}\"")));
}
