//! Made-up crowds for the quality tests, and what can be said of them without an engine.
//!
//! Ratings around 1500 with a spread of 350; a home among four regions with a ping of 30 to 80 ms, the others at 80 to
//! 250 ms.

use evenmatch::config::read_queue;
use evenmatch::{Engine, Event, MatchRecord, Millis, PlayerId, PlayerRequest, QueueSpec, TicketRequest};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub(crate) const REGIONS: [&str; 4] = ["ap", "eu", "us-east", "us-west"];

/// A single player.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Player {
    pub(crate) skill: i32,
    pub(crate) pings: [i32; 4],
}

/// `count` players, in order of skill.
pub(crate) fn crowd(count: usize, seed: u64) -> Vec<Player> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut player = || {
        let sum: f64 = (0..12).map(|_| random.random::<f64>()).sum();
        let skill = (1500.0 + 350.0 * (sum - 6.0)).clamp(0.0, 3000.0) as i32;
        let home = random.random_range(0..4_usize);
        let mut pings = [0; 4];
        for (at, ping) in pings.iter_mut().enumerate() {
            *ping = if at == home { random.random_range(30..81) } else { random.random_range(80..251) };
        }
        Player { skill, pings }
    };
    let mut crowd: Vec<Player> = (0..count).map(|_| player()).collect();
    crowd.sort_by_key(|player| player.skill);
    crowd
}

/// A queue of the crowd's rules: `teams` as in a queue file, a window of skill, and a weight of the ping.
pub(crate) fn queue(selection: &str, teams: &str, window: i32, ping_weight: i32) -> QueueSpec {
    let text = format!(
        r#"{{ "name": "q", "teams": [{teams}], "selection": "{selection}",
            "attributes": {{ "skill": {{ "type": "number", "default": 1500, "decimals": 0 }} }},
            "rules": [
                {{ "name": "skill", "type": "difference", "attribute": "skill", "max": {window} }},
                {{ "name": "ping", "type": "region", "max_ms": 120, "weight": {ping_weight} }}
            ] }}"#
    );
    read_queue(&text).unwrap()
}

/// The matches of one tick over the crowd, who came in a random order; with each the places of its players.
pub(crate) fn matches(spec: QueueSpec, crowd: &[Player], seed: u64) -> Vec<(MatchRecord, Vec<usize>)> {
    let engine = Engine::builder().capacity(10_000).check_matches(true).build().unwrap();
    engine.add_queue(spec).unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut order: Vec<usize> = (0..crowd.len()).collect();
    for at in (1..order.len()).rev() {
        order.swap(at, random.random_range(0..=at));
    }
    for &at in &order {
        let player = PlayerRequest::new(PlayerId(at as u128)).number("skill", crowd[at].skill);
        let mut ticket = TicketRequest::new("q").player(player);
        for (region, ping) in REGIONS.iter().zip(crowd[at].pings) {
            ticket = ticket.ping(region, ping);
        }
        engine.submit(Millis(0), ticket).unwrap();
    }
    engine.tick(Millis(0), 0).unwrap();
    let mut events = Vec::new();
    while engine.poll(&mut events, 1000) > 0 {}
    let found = events.into_iter().map(|event| match event {
        Event::Match(record) => {
            let ids = record.teams.iter().flat_map(|team| &team.players);
            let players = ids.map(|player| player.0 as usize).collect();
            (*record, players)
        }
        Event::Ended(ended) => panic!("an end that nothing asked for: {ended:?}"),
    });
    found.collect()
}

/// What a set of players costs as a match, in thousandths; `None`: too far apart.
pub(crate) fn cost(crowd: &[Player], set: &[usize], window: i32, ping_weight: i32) -> Option<i64> {
    let skills = || set.iter().map(|&at| crowd[at].skill);
    let gap = skills().max()? - skills().min()?;
    let mean = |region: usize| {
        let pings = || set.iter().map(|&at| crowd[at].pings[region]);
        pings().all(|ping| ping <= 120).then(|| 1000 * i64::from(pings().sum::<i32>()) / set.len() as i64)
    };
    let ping = (0..4).filter_map(mean).min()?;
    (gap <= window).then(|| 1000 * i64::from(gap) + i64::from(ping_weight) * ping)
}
