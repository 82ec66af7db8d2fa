//! The same output, byte for byte, for any number of threads and any instruction set: matches, ends, steps, counts.
//!
//! Each evening of made-up traffic is played with one thread, which searches on the spot and looks nothing ahead, and
//! then with more, whose searches are dealt out of order, with yields between them, in rounds of several sizes; the
//! lines that a host could see must be equal. A failing evening prints its seed.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test whose own calls are refused has failed")]

use evenmatch::base::board::Board;
use evenmatch::base::crew::Crew;
use evenmatch::config::read_queue;
use evenmatch::engine::EngineBuilder;
use evenmatch::rules::spec::{IndexChoice, Selection};
use evenmatch::{
    Code, Engine, Event, Millis, PlayerId, PlayerRequest, QueueSpec, Simd, TicketId, TicketRequest,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};

const REGIONS: [&str; 8] = ["af", "ap", "au", "cn", "eu", "sa", "us-east", "us-west"];

const FIVES: &str = include_str!("data/queues/hybrid_5v5.json");
const DUEL: &str = include_str!("data/queues/hybrid_duel.json");
const ROYALE: &str = include_str!("data/queues/battle_royale.json");
const ROLES: &str = include_str!("data/queues/coop_roles.json");
/// A plain free-for-all, which is exact at any size.
const SCRAMBLE: &str = r#"{
    "name": "scramble", "players": { "min": 3, "max": 6 }, "timeout_s": 60, "prefer_full_for_s": 3,
    "attributes": { "skill": { "type": "number", "default": 1500, "decimals": 0 } },
    "rules": [ { "name": "skill", "type": "difference", "attribute": "skill", "max": 40,
                 "expand": { "linear": { "add": 10, "every_s": 1, "cap": 300 } } } ] }"#;

/// An evening: its queues, how many tickets come, and how.
#[derive(Clone)]
struct Evening {
    seed: u64,
    queues: Vec<&'static str>,
    index: IndexChoice,
    selection: Selection,
    tickets: usize,
    /// Tickets of each tick, one a second.
    burst: usize,
    budget: u64,
    search_nodes: u32,
    /// Of a hundred tickets this many are cancelled, or given a later enqueue time than others, now and then.
    unrest: u32,
    /// Tickets reach so many regions, those next to their home: with one the regions are independent.
    reached: usize,
}

/// How it is played.
#[derive(Clone, Copy, Debug)]
struct Play {
    threads: usize,
    /// Threads of the host that lend themselves.
    guests: usize,
    /// Anchors of a round; `None`: as pays off.
    rounds: Option<usize>,
    disorder: u64,
    /// The instruction set that is forced.
    simd: Simd,
}

const ALONE: Play = Play { threads: 1, guests: 0, rounds: None, disorder: 0, simd: Simd::Auto };

/// 1, 2, 3 and 8 threads, in order and out of it, in rounds of every kind.
const PLAYS: [Play; 5] = [
    Play { threads: 2, guests: 0, rounds: None, disorder: 0, simd: Simd::Auto },
    Play { threads: 3, guests: 0, rounds: Some(64), disorder: 0x5eed, simd: Simd::Auto },
    Play { threads: 8, guests: 0, rounds: Some(16), disorder: 0xf00d, simd: Simd::Auto },
    Play { threads: 2, guests: 0, rounds: Some(1), disorder: 7, simd: Simd::Auto },
    Play { threads: 1, guests: 2, rounds: Some(33), disorder: 0xbead, simd: Simd::Auto },
];

impl Evening {
    fn requests(&self) -> Vec<TicketRequest> {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        let specs: Vec<QueueSpec> = self.queues.iter().map(|text| read_queue(text).unwrap()).collect();
        let mut next_player = 0;
        let mut request = || {
            let spec = &specs[random.random_range(0..specs.len())];
            // More than three in a group would be more of one role than it takes.
            let most = spec.party_max.unwrap_or(1).min(if spec.name == "coop-roles" { 3 } else { 5 });
            let size = [1, 1, 1, 1, 2, 2, 3, most][random.random_range(0..8_usize)].min(most);
            let mut ticket = TicketRequest::new(spec.name.as_str());
            let centre = 1500 + random.random_range(-400..400) + random.random_range(-400..400);
            let mut role = random.random_range(0..3);
            let build = ["1.0", "1.1"][random.random_range(0..2_usize)];
            let input = [None, Some("pad"), Some("mouse")][random.random_range(0..3_usize)];
            for _ in 0..size {
                next_player += 1;
                let mut player = PlayerRequest::new(PlayerId(next_player));
                match spec.name.as_str() {
                    "battle-royale" => {
                        let level: i32 = random.random_range(1..300);
                        player = player.number("level", level).string("build", build);
                        if let Some(input) = input {
                            player = player.string("input", input);
                        }
                    }
                    "coop-roles" => {
                        let name = ["tank", "healer", "damage"][role];
                        role = if role == 2 { 2 } else { role + 1 };
                        let level: i32 = random.random_range(1..60);
                        player = player.number("level", level).number(name, 1);
                    }
                    _ => {
                        let skill: i32 = centre + random.random_range(-50..50);
                        player = player.number("skill", skill);
                    }
                }
                ticket = ticket.player(player);
            }
            if spec.name != "scramble" {
                let home = random.random_range(0..REGIONS.len());
                let last_mile_ms = random.random_range(3..30);
                let next = |at: usize| (at + REGIONS.len() - home) % REGIONS.len() < self.reached;
                for (at, region) in REGIONS.iter().enumerate().filter(|&(at, _)| next(at)) {
                    let far =
                        (at as i32 - home as i32).rem_euclid(8).min((home as i32 - at as i32).rem_euclid(8));
                    ticket = ticket.ping(region, last_mile_ms + 35 * far);
                }
            }
            ticket
        };
        (0..self.tickets).map(|_| request()).collect()
    }

    fn engine(&self, play: Play) -> Engine {
        let builder: EngineBuilder = Engine::builder()
            .capacity(50_000)
            .search_nodes(self.search_nodes)
            .threads(play.threads)
            .disturb(play.rounds, play.disorder)
            .simd(play.simd);
        let engine = builder.build().unwrap();
        assert_eq!(
            engine.simd(),
            play.simd.resolve().unwrap(),
            "another instruction set than the forced one"
        );
        for text in &self.queues {
            let (index, selection) = (self.index, self.selection);
            engine.add_queue(QueueSpec { index, selection, ..read_queue(text).unwrap() }).unwrap();
        }
        engine
    }

    /// Everything that a host can see of the evening, as lines.
    fn lines(&self, play: Play) -> String {
        let engine = self.engine(play);
        let over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..play.guests {
                scope.spawn(|| {
                    while !over.load(Ordering::Relaxed) {
                        if !engine.help() {
                            std::thread::yield_now();
                        }
                    }
                });
            }
            let lines = self.host(&engine);
            over.store(true, Ordering::Relaxed);
            lines
        })
    }

    fn host(&self, engine: &Engine) -> String {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed + 1);
        let mut lines = String::new();
        let mut live: Vec<TicketId> = Vec::new();
        let mut events: Vec<Event> = Vec::new();
        let mut now = Millis(0);
        for burst in self.requests().chunks(self.burst) {
            let mut burst = burst.to_vec();
            for ticket in &mut burst {
                if random.random_range(0..100) < self.unrest {
                    ticket.enqueued = Some(Millis(now.0.saturating_sub(random.random_range(0..4000))));
                }
            }
            let ids: Vec<TicketId> =
                engine.submit_batch(now, burst).into_iter().map(Result::unwrap).collect();
            live.extend(ids);
            for _ in 0..live.len().min(self.burst * self.unrest as usize / 100) {
                let at = random.random_range(0..live.len());
                let answer = engine.cancel(now, live.swap_remove(at));
                writeln!(lines, "{answer:?}").unwrap();
            }
            self.tick(engine, now, &mut events, &mut lines);
            now.0 += 1000;
        }
        // Whoever is left finds a match, or times out.
        while let Some(due) = engine.next_due() {
            now = Millis(due.0.max(now.0 + 1000));
            self.tick(engine, now, &mut events, &mut lines);
        }
        writeln!(lines, "{:?}", engine.stats()).unwrap();
        lines
    }

    fn tick(&self, engine: &Engine, now: Millis, events: &mut Vec<Event>, lines: &mut String) {
        let report = engine.tick(now, self.budget).unwrap();
        writeln!(lines, "{report:?}, due {:?}", engine.next_due()).unwrap();
        events.clear();
        engine.poll(events, usize::MAX);
        for event in events {
            writeln!(lines, "{event:?}").unwrap();
        }
    }

    /// Plays the evening in every way and compares. Returns the lines.
    fn compare(&self, plays: &[Play]) -> String {
        let expected = self.lines(ALONE);
        for &play in plays {
            let lines = self.lines(play);
            let differ = expected.lines().zip(lines.lines()).find(|(a, b)| a != b);
            assert!(
                differ.is_none(),
                "seed {}, {play:?}:\n{}\n{}",
                self.seed,
                differ.unwrap().0,
                differ.unwrap().1
            );
            assert_eq!(expected.len(), lines.len(), "seed {}, {play:?}", self.seed);
        }
        expected
    }
}

fn evening(seed: u64, queues: &[&'static str]) -> Evening {
    Evening {
        seed,
        queues: queues.to_vec(),
        index: IndexChoice::Auto,
        selection: Selection::OldestFirst,
        tickets: 2_000,
        burst: 100,
        budget: 0,
        search_nodes: 6_000,
        unrest: 5,
        reached: REGIONS.len(),
    }
}

fn matches_in(lines: &str) -> usize {
    lines.lines().filter(|line| line.starts_with("Match(")).count()
}

#[test]
fn twenty_thousand_tickets_of_five_against_five() {
    let evening =
        Evening { tickets: 20_000, burst: 1_000, unrest: 0, search_nodes: 2_048, ..evening(1, &[FIVES]) };
    let lines = evening.compare(&PLAYS[..3]);
    assert!(matches_in(&lines) > 2_000, "{} matches", matches_in(&lines));
}

#[test]
fn five_against_five_within_budgets() {
    for (seed, budget) in [(2, 2_000), (3, 20_000), (4, 0)] {
        let lines = Evening { budget, tickets: 1_000, ..evening(seed, &[FIVES]) }.compare(&PLAYS);
        assert!(matches_in(&lines) > 100, "{} matches", matches_in(&lines));
    }
}

#[test]
fn every_instruction_set() {
    let forced: Vec<Play> = Simd::available().map(|simd| Play { simd, ..ALONE }).collect();
    assert_eq!(forced[0].simd, Simd::Scalar);
    let queues: [&[&'static str]; 4] = [&[DUEL], &[FIVES], &[ROLES], &[ROYALE, SCRAMBLE]];
    for (seed, queues) in (40..).zip(queues) {
        for (index, budget) in
            [(IndexChoice::Sorted, 0), (IndexChoice::KdTree, 0), (IndexChoice::Auto, 3_000)]
        {
            let evening = Evening { index, budget, tickets: 800, ..evening(seed, queues) };
            let lines = evening.compare(&forced);
            assert!(matches_in(&lines) > 20, "{} matches of {queues:?}", matches_in(&lines));
        }
    }
    // A flood: all of one skill and one ping, which the column holds as one run.
    let flood = Evening { tickets: 3_000, burst: 1_500, ..evening(50, &[SCRAMBLE]) };
    flood.compare(&forced);
}

#[test]
fn an_instruction_set_that_the_processor_lacks_is_refused() {
    for simd in Simd::ALL.into_iter().filter(|simd| !simd.is_available()) {
        let refused = Engine::builder().simd(simd).build().err().unwrap();
        assert_eq!(refused.code, Code::OutOfRange);
        assert!(refused.to_string().contains(&format!("does not have {simd}; it has scalar")), "{refused}");
    }
}

#[test]
fn duels() {
    for (seed, budget, burst) in [(5, 0, 20), (6, 0, 2_000), (7, 500, 100), (8, 5_000, 500)] {
        let lines = Evening { budget, burst, tickets: 4_000, ..evening(seed, &[DUEL]) }.compare(&PLAYS);
        assert!(matches_in(&lines) > 1_500, "{} matches", matches_in(&lines));
    }
}

#[test]
fn duels_under_every_index() {
    let kinds = [
        IndexChoice::Linear,
        #[cfg(feature = "kdtree")]
        IndexChoice::KdTree,
    ];
    for (seed, index) in (20..).zip(kinds) {
        Evening { index, burst: 300, ..evening(seed, &[DUEL]) }.compare(&PLAYS);
    }
}

#[test]
fn many_queues_side_by_side() {
    let queues = [DUEL, ROYALE, ROLES, SCRAMBLE];
    for (seed, budget) in [(9, 0), (10, 3_000)] {
        let lines = Evening { budget, ..evening(seed, &queues) }.compare(&PLAYS);
        assert!(matches_in(&lines) > 300, "{} matches", matches_in(&lines));
    }
}

#[test]
fn royale_roles_and_scramble_alone() {
    for (seed, queue) in (11..).zip([ROYALE, ROLES, SCRAMBLE]) {
        let lines = Evening { tickets: 1_500, ..evening(seed, &[queue]) }.compare(&PLAYS);
        assert!(matches_in(&lines) > 10, "{} matches", matches_in(&lines));
    }
}

/// Threads that visit independent regions side by side, dealt out in order and out of it.
const SIDE_BY_SIDE: [Play; 4] = [
    Play { threads: 2, guests: 0, rounds: None, disorder: 0, simd: Simd::Auto },
    Play { threads: 3, guests: 0, rounds: None, disorder: 0x5eed, simd: Simd::Auto },
    Play { threads: 8, guests: 0, rounds: None, disorder: 0xf00d, simd: Simd::Auto },
    Play { threads: 1, guests: 2, rounds: None, disorder: 7, simd: Simd::Auto },
];

#[test]
fn regions_that_share_no_ticket() {
    let all: &[&'static str] = &[DUEL, FIVES, ROYALE, SCRAMBLE];
    for (seed, queues, unrest) in
        [(60, &[DUEL][..], 0), (61, &[DUEL], 20), (62, &[FIVES], 5), (63, all, 5), (64, &[SCRAMBLE, DUEL], 5)]
    {
        let apart = Evening { tickets: 6_000, burst: 2_000, unrest, reached: 1, ..evening(seed, queues) };
        let lines = apart.compare(&SIDE_BY_SIDE);
        assert!(matches_in(&lines) > 300, "{} matches", matches_in(&lines));
    }
    let kinds = [
        IndexChoice::Linear,
        #[cfg(feature = "kdtree")]
        IndexChoice::KdTree,
    ];
    for (seed, index) in (65..).zip(kinds) {
        let apart = Evening { index, burst: 1_000, reached: 1, ..evening(seed, &[DUEL]) };
        apart.compare(&SIDE_BY_SIDE);
    }
    // The searches for who is left over when the others have been chosen together.
    let selection = Selection::LeastCost;
    let apart =
        Evening { tickets: 3_000, burst: 1_500, selection, reached: 1, ..evening(67, &[FIVES, DUEL]) };
    apart.compare(&SIDE_BY_SIDE[..2]);
}

#[test]
fn least_cost_whatever_the_queue() {
    let selection = Selection::LeastCost;
    let duels = [(30, 0, 100), (31, 0, 10_000), (32, 500, 100), (33, 5_000, 5_000)];
    for (seed, budget, burst) in duels {
        let duels = Evening { budget, burst, selection, tickets: burst.max(1_000), ..evening(seed, &[DUEL]) };
        let lines = duels.compare(&PLAYS[..3]);
        assert!(matches_in(&lines) > 350, "{} matches", matches_in(&lines));
    }
    for (seed, budget) in [(34, 0), (35, 3_000)] {
        let all = [DUEL, ROYALE, ROLES, SCRAMBLE, FIVES];
        let lines = Evening { budget, selection, tickets: 500, ..evening(seed, &all) }.compare(&PLAYS[1..]);
        assert!(matches_in(&lines) > 50, "{} matches", matches_in(&lines));
    }
    let fives = Evening { tickets: 5_000, burst: 5_000, selection, ..evening(36, &[FIVES]) };
    let found = matches_in(&fives.compare(&PLAYS[1..2]));
    assert!(found > 500, "{found} matches");
}

/// A thousand duels of eight modes, many of them equal, in a queue whose modes part it into shards or do not.
fn modes(is_parted: bool, threads: usize) -> Vec<String> {
    // A rule that ends at some age cannot part a queue; before that it says the same.
    let ends =
        if is_parted { "" } else { r#", "expand": { "steps": [{ "after_s": 500, "value": false }] }"# };
    let text = format!(
        r#"{{ "name": "modes", "players": 2, "timeout_s": 1000,
            "attributes": {{ "skill": {{ "type": "number" }}, "mode": {{ "type": "string" }} }},
            "rules": [
                {{ "name": "skill", "type": "difference", "attribute": "skill", "max": 30 }},
                {{ "name": "mode", "type": "equality", "attribute": "mode"{ends} }} ] }}"#
    );
    let engine = Engine::builder().threads(threads).disturb(None, threads as u64).build().unwrap();
    engine.add_queue(read_queue(&text).unwrap()).unwrap();
    for id in 0..1_000_u32 {
        let player = PlayerRequest::new(PlayerId(id.into()))
            .number("skill", (id * 7 % 10 * 20) as i32)
            .string("mode", &format!("m{}", id * 13 % 17 % 8));
        let mut ticket = TicketRequest::new("modes").player(player);
        ticket.enqueued = Some(Millis(u64::from(id / 50)));
        engine.submit(Millis(100), ticket).unwrap();
    }
    engine.tick(Millis(100), 0).unwrap();
    let mut events = Vec::new();
    engine.poll(&mut events, usize::MAX);
    events.iter().map(|event| format!("{event:?}")).collect()
}

#[test]
fn ob_09_the_same_input_gives_the_same_matches_in_the_same_order() {
    let expected = modes(true, 1);
    assert!(expected.len() > 400, "{} matches", expected.len());
    for (is_parted, threads) in [(true, 4), (false, 1), (false, 4)] {
        assert_eq!(modes(is_parted, threads), expected, "parted {is_parted}, {threads} threads");
    }
}

#[test]
fn cc_05_match_ids_are_distinct_and_never_0() {
    let text = r#"{ "name": "q", "players": 2, "timeout_s": 60, "attributes": { "shard": { "type": "integer" } },
        "rules": [{ "name": "shard", "type": "equality", "attribute": "shard" }] }"#;
    let ids = || {
        let engine = Engine::builder().capacity(160_000).threads(8).build().unwrap();
        engine.add_queue(read_queue(text).unwrap()).unwrap();
        let ticket = |id: i32| {
            let player = PlayerRequest::new(PlayerId(id as u128)).number("shard", id % 8);
            TicketRequest::new("q").player(player)
        };
        let answers = engine.submit_batch(Millis(0), (0..160_000).map(ticket).collect());
        let tickets: BTreeSet<TicketId> = answers.into_iter().map(Result::unwrap).collect();
        engine.tick(Millis(0), 0).unwrap();
        let mut events = Vec::new();
        engine.poll(&mut events, usize::MAX);
        let mut ids = BTreeSet::new();
        for event in &events {
            let Event::Match(found) = event else { panic!("nothing but matches is due: {event:?}") };
            assert!(tickets.contains(&found.id.0) && found.id.0 != TicketId(0));
            assert!(ids.insert(found.id), "two matches have the id {:?}", found.id);
        }
        assert_eq!(ids.len(), 80_000);
        ids
    };
    // An id is that of a ticket of its own engine: another engine gives the same ones again.
    assert_eq!(ids(), ids());
}

#[test]
fn cc_08_every_task_is_dealt_once() {
    let mut board = Board::new();
    let crew = Crew::start(7, &mut board).unwrap();
    let mut lanes = vec![0_u64; 8];
    let mut counts = vec![0_u8; 10_000_000];
    let mut jobs = board.jobs();
    for tasks in counts.chunks_mut(99_991) {
        jobs.run(&mut lanes, tasks, |done, count| {
            *done += 1;
            *count += 1;
        });
    }
    drop(jobs);
    drop(crew);
    assert!(counts.iter().all(|&count| count == 1));
    assert_eq!(lanes.iter().sum::<u64>(), 10_000_000);
    // No deque that could lose or repeat a task: none at all, or one that is sound.
    let lock = include_str!("../Cargo.lock");
    for entry in lock.split("[[package]]").filter(|entry| entry.contains("name = \"crossbeam-deque\"")) {
        let version = entry.split('"').nth(3).unwrap();
        let parts: Vec<u32> = version.split('.').map(|part| part.parse().unwrap()).collect();
        assert!(parts >= vec![0, 8, 1], "crossbeam-deque {version} (RUSTSEC-2021-0093)");
    }
}

#[test]
fn helpers_find_nothing_without_a_tick_and_after_the_end() {
    let engine = Engine::builder().threads(3).build().unwrap();
    assert!(!engine.help());
    engine.tick(Millis(0), 0).unwrap();
    assert!(!engine.help());
    engine.close(Millis(1)).unwrap();
    assert!(!engine.help());
    for threads in [0, 58] {
        let refusal = Engine::builder().threads(threads).build().err().unwrap();
        assert_eq!(refusal.code, Code::OutOfRange);
    }
}
