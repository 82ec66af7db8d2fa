//! FA: who waits, and who is passed over.

use super::host::{Host, NOTHING, rated};
use super::queues::{With, always, duel, growing, seconds, skill_within, teams};
use evenmatch::engine::Engine;
use evenmatch::model::explanation::{Barrier, When};
use evenmatch::model::status::TicketState;
use evenmatch::rules::spec::WindowAge;
use std::collections::BTreeMap;

#[test]
fn fa_01_the_longest_waiter_is_in_the_match() {
    let mut host = Host::new(teams(2, 2).with(skill_within(always(1000.0))));
    host.add(0.0, rated("A", &[2000.0]));
    host.add(60.0, rated("B", &[1900.0]));
    host.add(120.0, rated("C", &[1850.0]));
    host.add(240.0, rated("D", &[1800.0, 1800.0]));
    assert_eq!(host.tick(240.0), ["{A B | D}"]);
    assert_eq!(host.status("C").state, TicketState::Queued);
}

/// What the next test keeps of a ticket.
#[derive(Clone)]
struct Waiting {
    since_s: u32,
    rating: f64,
}

#[test]
fn fa_03_nobody_is_passed_over_more_often_than_there_are_older_tickets() {
    let window = |age_s: u32| 100.0 + 20.0 * f64::from(age_s);
    let mut host = Host::new(teams(2, 2).with(skill_within(growing(100.0, 20.0, 50_000.0))));
    let mut waiting: BTreeMap<String, Waiting> = BTreeMap::new();
    let mut older_at_submit: BTreeMap<String, usize> = BTreeMap::new();
    let mut passed_over: BTreeMap<String, usize> = BTreeMap::new();
    let mut made = 0;
    for now_s in 0..1200u32 {
        let mut fresh: Vec<(String, f64)> = match now_s {
            0 => vec![("A".to_owned(), 1500.0)],
            30 => vec![("B".to_owned(), 1900.0)],
            31 => vec![("C".to_owned(), 1900.0)],
            32 => vec![("D".to_owned(), 1520.0)],
            _ => Vec::new(),
        };
        if now_s % 20 == 0 {
            let is_gone =
                |(name, one): &(&String, &Waiting)| name.starts_with('x') && one.since_s + 40 <= now_s;
            let gone: Vec<String> = waiting.iter().filter(is_gone).map(|(name, _)| name.clone()).collect();
            for name in gone {
                host.cancel(f64::from(now_s), &name).unwrap();
                waiting.remove(&name);
            }
            fresh.extend(["a", "b"].map(|half| (format!("x{now_s}{half}"), 1510.0)));
        }
        for (name, rating) in fresh {
            host.add(f64::from(now_s), rated(&name, &[rating]));
            older_at_submit.insert(name.clone(), waiting.len());
            waiting.insert(name, Waiting { since_s: now_s, rating });
        }
        let seen = host.matches.len();
        host.tick(f64::from(now_s));
        for record in host.matches[seen..].iter().cloned() {
            made += 1;
            let names: Vec<String> = record.tickets.iter().map(|t| host.name(t.id).to_owned()).collect();
            let members: Vec<Waiting> = names.iter().map(|name| waiting[name].clone()).collect();
            for (name, out) in waiting.iter().filter(|(name, _)| !names.contains(name)) {
                // Younger tickets of the match in whose place this one would have been legal.
                let replaces = members.iter().enumerate().any(|(place, member)| {
                    let others = members.iter().enumerate().filter(|(other, _)| *other != place);
                    member.since_s > out.since_s
                        && others.clone().all(|(_, other)| {
                            let apart = (other.rating - out.rating).abs();
                            apart <= window(now_s - other.since_s) && apart <= window(now_s - out.since_s)
                        })
                });
                if replaces {
                    *passed_over.entry(name.clone()).or_default() += 1;
                }
            }
            for name in &names {
                waiting.remove(name);
            }
        }
    }
    assert!(made > 3, "the pool made {made} matches");
    for (name, times) in passed_over {
        assert!(times <= older_at_submit[&name], "{name} was passed over {times} times");
    }
}

/// Ratings from 900 to 1100, two a second.
fn pool_of_300_seconds(host: &mut Host) -> Vec<String> {
    let mut state = 7u64;
    let mut lines = Vec::new();
    host.add(0.0, rated("leader", &[3000.0]));
    for second in 0..=300u32 {
        for half in ["a", "b"] {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let rating = 900.0 + ((state >> 33) % 201) as f64;
            host.add(f64::from(second), rated(&format!("{second}{half}"), &[rating]));
        }
        lines.extend(host.tick(f64::from(second)).into_iter().map(|line| format!("{second}: {line}")));
    }
    lines.retain(|line| line.contains("leader"));
    lines
}

#[test]
fn fa_06_the_leader_is_matched_when_its_own_window_reaches_the_pool() {
    let mut queue = duel().with(skill_within(growing(100.0, 20.0, 10_000.0)));
    queue.windows = WindowAge::Oldest;
    queue.timeout = Some(seconds(300.0));
    let mut host = Host::new(queue);
    let lines = pool_of_300_seconds(&mut host);
    assert_eq!(lines.len(), 1, "{lines:?}");
    let second: u32 = lines[0].split(':').next().unwrap().parse().unwrap();
    assert!((90..=100).contains(&second), "{lines:?}");
}

#[test]
fn fa_06_a_ticket_that_never_finds_a_partner_is_told_so_and_counted() {
    let mut queue = duel().with(skill_within(growing(100.0, 20.0, 10_000.0)));
    queue.timeout = Some(seconds(300.0));
    let mut host = Host::new(queue);
    let lines = pool_of_300_seconds(&mut host);
    assert_eq!(lines, ["300: leader TIMED_OUT"]);
    assert_eq!(host.engine.stats().starved, 1);
}

#[test]
fn fa_09_a_tickets_own_limit_is_never_widened() {
    let mut queue = duel().with(skill_within(growing(100.0, 50.0, 5000.0)));
    queue.timeout = Some(seconds(601.0));
    let mut host = Host::with(Engine::builder().capacity(8), vec![queue]);
    host.add(0.0, rated("A", &[2250.0]).skill_between(2050.0, 2450.0));
    host.add(0.0, rated("B", &[1600.0]));
    assert_eq!(host.ticks(0, 600), NOTHING);
    let near = &host.engine.explain(host.id("B")).unwrap().pool.unwrap().nearest[0];
    assert_eq!((near.when, near.decided_by.clone()), (When::Never, Some(Barrier::TheirLimits)));
}
