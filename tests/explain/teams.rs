//! What a whole match lacks: players, seats of the right size, a role, a preference that must end, fair teams.

use super::blocks::{explain, pool, rule};
use super::played::{Played, for_all};
use crate::cases::host::{Host, NOTHING, players, rated, ticket};
use crate::cases::queues::{
    With, always, at_least, fair_within, fixed, free_for_all, number, per_team, seconds, stepped, teams,
};
use crate::oracle::queues::any_queue;
use crate::oracle::tickets::{Case, small_case};
use evenmatch::engine::Engine;
use evenmatch::model::event::Event;
use evenmatch::model::explanation::{Barrier, Blocker, SizesFit, TotalShort, When};
use evenmatch::model::ids::Millis;
use evenmatch::model::status::WaitingFor;

#[test]
fn players_are_counted() {
    let mut host = Host::new(teams(2, 3));
    host.add(0.0, players("A", 2));
    host.add(0.0, ticket("B"));
    assert_eq!(host.tick(0.0), NOTHING);
    let missing = pool(&host, "A").missing;
    assert_eq!((missing.players_least, missing.players_here, missing.players_short), (6, 3, 3));
    assert_eq!(missing.sizes, SizesFit::OneMore(vec![3]), "one party of three completes it");
    assert_eq!(missing.blockers, []);
}

#[test]
fn a_party_too_large_for_the_seats_left() {
    let mut host = Host::new(teams(2, 5));
    for (name, size) in [("A", 4), ("B", 3), ("C", 2), ("D", 2)] {
        host.add(0.0, players(name, size));
    }
    assert_eq!(host.tick(0.0), NOTHING);
    let missing = pool(&host, "A").missing;
    assert_eq!((missing.players_short, missing.players_here), (0, 11), "there are players enough");
    assert_eq!(missing.sizes, SizesFit::OneMore(vec![1]), "but only one seat beside A");
    host.add(1.0, ticket("E"));
    assert_eq!(host.tick(1.0).len(), 1);
}

#[test]
fn a_pair_of_parties_that_no_match_has_room_for() {
    let mut host = Host::new(teams(1, 5));
    host.add(0.0, players("A", 3));
    host.add(0.0, players("B", 3));
    assert_eq!(host.tick(0.0), NOTHING);
    let pool = pool(&host, "A");
    assert_eq!(pool.nearest[0].decided_by, Some(Barrier::Sizes));
    assert_eq!((pool.nearest[0].when, pool.legal), (When::Never, 0));
    assert_eq!(pool.exclusions[0].alone, 1);
}

#[test]
fn no_healer() {
    let mut queue = teams(2, 2).with(per_team("healer", 1, 1.0, 1.0));
    let mut healer = number("healer", Some(0.0));
    healer.min = Some(fixed(0.0));
    healer.max = Some(fixed(1.0));
    queue.attributes.push(healer);
    let mut host = Host::new(queue);
    host.add(0.0, ticket("A").number("healer", 1.0));
    for name in ["B", "C", "D", "E"] {
        host.add(0.0, ticket(name));
    }
    assert_eq!(host.tick(0.0), NOTHING);
    let missing = pool(&host, "B").missing;
    let short = TotalShort { rule: "healer".into(), per_team: true, least: fixed(2.0), here: fixed(1.0) };
    assert_eq!((missing.players_short, missing.totals), (0, vec![short]));
    // Only younger tickets are looked at: without the role four of B, C, D, E would be a match.
    let blocker = Blocker { barrier: rule("healer"), players: 4, team_difference: None };
    assert_eq!(missing.blockers, [blocker]);
    let of_a = pool(&host, "A");
    assert!(!of_a.exclusions.iter().any(|exclusion| exclusion.alone > 0));
    host.add(1.0, ticket("F").number("healer", 1.0));
    assert_eq!(host.tick(1.0).len(), 1);
}

#[test]
fn two_of_a_role_that_a_match_has_once() {
    let mut queue = free_for_all(3, 3);
    let mut boss = number("boss", Some(0.0));
    boss.min = Some(fixed(0.0));
    queue.attributes.push(boss);
    let mut one = per_team("boss", 1, 1.0, 1.0);
    one.optional_after = Some(seconds(20.0));
    let mut host = Host::new(queue.with(one));
    for name in ["A", "B", "C"] {
        host.add(0.0, ticket(name).number("boss", 1.0));
    }
    assert_eq!(host.tick(0.0), NOTHING);
    let pool = pool(&host, "A");
    assert_eq!((pool.exclusions[3].alone, pool.legal), (2, 0), "two bosses are one too many");
    assert_eq!(pool.nearest[0].when, When::At(seconds(20.0)));
    assert_eq!(host.tick(20.0), ["{A B C}"]);
}

#[test]
fn a_full_match_is_preferred() {
    let mut queue = free_for_all(2, 4);
    queue.prefer_full_for = seconds(10.0);
    let mut host = Host::new(queue);
    host.add(0.0, ticket("A"));
    host.add(0.0, ticket("B"));
    assert_eq!(host.tick(4.0), NOTHING);
    let explained = explain(&host, "A");
    assert_eq!(explained.ticket.waiting_for, Some(WaitingFor::FullMatch));
    assert_eq!(explained.ticket.prefer_full_left, seconds(6.0));
    let missing = explained.pool.unwrap().missing;
    assert_eq!((missing.players_least, missing.players_short), (4, 2));
    let blocker = Blocker { barrier: Barrier::FullMatch, players: 2, team_difference: None };
    assert_eq!(missing.blockers, [blocker], "without the preference the two would be a match");
    assert_eq!(host.tick(9.999), NOTHING);
    assert_eq!(host.tick(10.0), ["{A B}"]);
}

#[test]
fn teams_that_are_not_even() {
    let mut host = Host::new(teams(2, 2).with(fair_within(stepped(10.0, &[(20.0, 600.0)]))));
    for (name, skill) in [("A", 2000.0), ("B", 1000.0), ("C", 1000.0), ("D", 1000.0)] {
        host.add(0.0, rated(name, &[skill]));
    }
    assert_eq!(host.tick(0.0), NOTHING);
    let pool = pool(&host, "A");
    assert!(!pool.exclusions[3].of_pairs, "the teams of a larger match are no matter of two");
    assert_eq!((pool.legal, pool.missing.players_short, pool.missing.sizes), (3, 0, SizesFit::Fit));
    let blocker = Blocker { barrier: rule("fair"), players: 4, team_difference: Some(fixed(500.0)) };
    assert_eq!(pool.missing.blockers, [blocker]);
    assert_eq!(host.tick(20.0).len(), 1);
}

#[test]
fn too_few_tickets() {
    let mut queue = free_for_all(2, 6).with(at_least(3.0, &[(10.0, 2.0)]));
    queue.min_tickets = Some(2);
    let mut host = Host::new(queue);
    host.add(0.0, players("A", 2));
    assert_eq!(host.tick(0.0), NOTHING);
    let missing = pool(&host, "A").missing;
    assert_eq!((missing.players_short, missing.tickets_short), (0, 1));
    let short = TotalShort { rule: "players".into(), per_team: false, least: fixed(3.0), here: fixed(2.0) };
    assert_eq!(missing.totals, [short]);
}

#[test]
fn a_search_that_is_cut_off_says_so() {
    let queue = teams(2, 5).with(fair_within(always(0.0)));
    let mut host = Host::with(Engine::builder().capacity(100).search_nodes(2048), vec![queue]);
    for at in 0..24 {
        host.add(0.0, rated(&format!("t{at}"), &[f64::from(1 << at)]));
    }
    host.tick(0.0);
    let search = pool(&host, "t0").search;
    assert!(!search.exhaustive, "{search:?}");
    assert!(!search.due, "a tick that ended has visited everybody");
}

/// The events of a case, asked about every ticket after every tick, or not.
fn events(case: &Case, asks: bool) -> Result<Vec<Event>, String> {
    let engine = Engine::builder().capacity(1000).build().map_err(|refusal| refusal.to_string())?;
    engine.add_queue(case.spec.clone()).map_err(|refusal| refusal.to_string())?;
    let (mut ids, mut events) = (Vec::new(), Vec::new());
    let mut arrivals = case.arrivals.iter().peekable();
    let ticks = case.ticks.iter().copied();
    let last = case.ticks.last().map_or(Millis(0), |last| last.after(Millis(30_000)));
    for now in ticks.chain([last]) {
        while let Some(arrival) = arrivals.next_if(|arrival| arrival.at <= now) {
            ids.extend(engine.submit(arrival.at, arrival.request.clone()).ok());
        }
        engine.tick(now, 0).map_err(|refusal| refusal.to_string())?;
        for &id in ids.iter().filter(|_| asks) {
            engine.explain(id).map_err(|refusal| refusal.to_string())?;
        }
        while engine.poll(&mut events, 100) > 0 {}
    }
    Ok(events)
}

#[test]
fn asking_changes_nothing() {
    for_all("asking_changes_nothing", 200, small_case(any_queue(), false), |case| {
        match (events(case, false)?, events(case, true)?) {
            (plain, asked) if plain == asked => Ok(()),
            (plain, asked) => Err(format!("not asked {plain:?}\n  asked {asked:?}")),
        }
    });
}

/// What is said to be lacking is lacking: with a ticket that has a match there is nothing of it.
#[test]
fn what_is_missing_is_never_there() {
    for_all("what_is_missing_is_never_there", 300, small_case(any_queue(), false), |case| {
        let mut early = case.clone();
        let last = early.ticks.pop().unwrap_or(Millis(0));
        let mut played = Played::new(&early)?;
        let waiting: Vec<_> = played.waiting().into_iter().cloned().collect();
        // At the time of the next tick, over those who wait now.
        played.engine.advance(last).map_err(|refusal| refusal.to_string())?;
        let mut lacking = Vec::new();
        for ticket in &waiting {
            let pool = played.engine.explain(ticket.id).map_err(|refusal| refusal.to_string())?.pool;
            let pool = pool.ok_or("it waits")?;
            let lacks = pool.missing.players_short > 0
                || pool.missing.tickets_short > 0
                || !pool.missing.totals.is_empty()
                || matches!(pool.missing.sizes, SizesFit::OneMore(_));
            if lacks {
                lacking.push((ticket.id, pool.missing));
            }
        }
        for tickets in played.tick(last) {
            // An older ticket's preference for a full match is its own; a match is of its oldest.
            let oldest = tickets.iter().filter_map(|id| waiting.iter().find(|w| w.id == *id));
            let oldest = oldest.min_by_key(|ticket| ticket.seniority).map(|ticket| ticket.id);
            if let Some((id, missing)) = lacking.iter().find(|(id, _)| Some(*id) == oldest) {
                return Err(format!("{id:?} lacks {missing:?} and is in a match of {tickets:?}"));
            }
        }
        Ok(())
    });
}
