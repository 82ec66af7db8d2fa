//! How much it costs to search a crowded pool quickly: pools too large to enumerate, by default (the best stretch of
//! values, and branch and bound where that is not enough) and by branch and bound alone with a node limit thirty times
//! as high. In one queue even teams are a preference, which neither search can bound from below; in the other they are
//! a limit. And that the best split of 16 tickets is found within its nodes.

#![allow(clippy::expect_used)]

use evenmatch::config::read_queue;
use evenmatch::rules::spec::TeamCount;
use evenmatch::{Engine, Event, Millis, PlayerId, PlayerRequest, QueueSpec, TicketRequest};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const SQUADS: &str = r#"{
  "name": "squads",
  "teams": [{ "name": "red", "players": 5 }, { "name": "blue", "players": 5 }],
  "attributes": { "skill": { "type": "number", "default": 1500, "decimals": 0 } },
  "rules": [
    { "name": "skill", "type": "difference", "attribute": "skill", "max": 300, "weight": 0.1 },
    { "name": "ping", "type": "region", "max_ms": 150 },
    { "name": "fair", "type": "team_difference", "attribute": "skill", "max": 0, "optional_after_s": 0 }
  ]
}"#;

/// The queue whose even teams are a preference, or one in which they are a limit, and skill weighs as much as ping.
fn squads(prefers: bool) -> QueueSpec {
    let limit = SQUADS
        .replace(r#""max": 0, "optional_after_s": 0"#, r#""max": 60"#)
        .replace(r#", "weight": 0.1"#, "");
    read_queue(if prefers { SQUADS } else { &limit }).expect("the queue is legal")
}

/// A pool of parties around 1500, reaching four regions.
fn pool(seed: u64, tickets: usize) -> Vec<TicketRequest> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut next_player = 0;
    let mut ticket = || {
        let size = *[1, 1, 1, 1, 2, 2, 3].get(random.random_range(0..7_usize)).unwrap_or(&1);
        let mut request = TicketRequest::new("squads");
        let centre = random.random_range(1200..1800);
        for _ in 0..size {
            next_player += 1;
            let skill: i32 = centre + random.random_range(-60..60);
            request = request.player(PlayerRequest::new(PlayerId(next_player)).number("skill", skill));
        }
        let home = random.random_range(0..4);
        for (at, region) in ["eu", "us", "asia", "sa"].into_iter().enumerate() {
            let far = if at == home { 0 } else { 50 };
            request = request.ping(region, random.random_range(20..60) + far);
        }
        request
    };
    (0..tickets).map(|_| ticket()).collect()
}

/// Costs of the first match in each pool, and how many of their searches were cut off; the oldest ticket is the
/// same, so the matches compare.
fn first_costs(prefers: bool, tickets: usize, search_nodes: u32, pools: u64) -> Vec<(f64, bool)> {
    (0..pools)
        .map(|seed| {
            let engine = Engine::builder()
                .capacity(1000)
                .search_nodes(search_nodes)
                .check_matches(true)
                .build()
                .expect("the sizes are legal");
            engine.add_queue(squads(prefers)).expect("the queue is legal");
            for request in pool(seed, tickets) {
                engine.submit(Millis(0), request).expect("the ticket is legal");
            }
            engine.tick(Millis(0), 0).expect("no other tick runs");
            let mut events = Vec::new();
            engine.poll(&mut events, 1);
            match events.first() {
                Some(Event::Match(found)) => (found.quality.cost.to_f64(), !found.quality.exhaustive),
                _ => panic!("pool {seed} makes no match"),
            }
        })
        .collect()
}

#[test]
fn a_crowded_pool_searched_quickly_costs_a_few_percent() {
    for (prefers, tickets, pools, most) in
        [(true, 60, 60, 1.05), (false, 60, 60, 1.03), (false, 200, 20, 1.03)]
    {
        let by_default = first_costs(prefers, tickets, 6_000, pools);
        let thorough = first_costs(prefers, tickets, 200_000, pools);
        let cut_off = |costs: &[(f64, bool)]| costs.iter().filter(|(_, cut_off)| *cut_off).count();
        let mean =
            |costs: &[(f64, bool)]| costs.iter().map(|(cost, _)| cost).sum::<f64>() / costs.len() as f64;
        let ratio = mean(&by_default) / mean(&thorough);
        println!(
            "mean cost of the first match of {pools} pools of {tickets}, even teams {}: {:.3} by default ({} cut off), {:.3} by 200,000 nodes ({} cut off), ratio {ratio:.4}",
            if prefers { "preferred" } else { "required" },
            mean(&by_default),
            cut_off(&by_default),
            mean(&thorough),
            cut_off(&thorough),
        );
        let differs = by_default.iter().zip(&thorough).any(|(a, b)| a.0.total_cmp(&b.0).is_ne());
        assert!(differs, "both searched in the same way");
        assert!(ratio < most, "the quick search costs {:.1} % of quality", (ratio - 1.0) * 100.0);
    }
}

/// Sixteen single players with ratings that nobody shares, in teams of the given number and size.
fn sixteen(teams: u32, players: u32, seed: u64) -> Option<bool> {
    let mut spec = squads(true);
    spec.name = "sixteen".to_owned();
    spec.rules.truncate(1);
    spec.teams.truncate(1);
    spec.teams[0].players_min = players;
    spec.teams[0].players_max = players;
    spec.teams[0].count = Some(TeamCount { min: teams, max: teams, is_range: false });
    let engine = Engine::builder().capacity(100).check_matches(true).build().expect("the sizes are legal");
    engine.add_queue(spec).expect("the queue is legal");
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for id in 0..16_u128 {
        let skill: i32 = random.random_range(1400..1600);
        let player = PlayerRequest::new(PlayerId(id)).number("skill", skill);
        engine.submit(Millis(0), TicketRequest::new("sixteen").player(player)).expect("the ticket is legal");
    }
    engine.tick(Millis(0), 0).expect("no other tick runs");
    let mut events = Vec::new();
    engine.poll(&mut events, 1);
    match events.first() {
        Some(Event::Match(found)) => Some(found.quality.exhaustive),
        _ => None,
    }
}

#[test]
fn the_best_split_of_sixteen_tickets_is_found_within_the_nodes() {
    for (teams, players) in [(2, 8), (4, 4), (8, 2)] {
        for seed in 0..3 {
            let exhaustive = sixteen(teams, players, seed);
            assert_eq!(exhaustive, Some(true), "{teams} teams of {players}, seed {seed}");
        }
    }
}
