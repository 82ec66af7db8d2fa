//! PF-08: a steady state allocates nothing in a tick, whatever the load was in the tick before.
//!
//! The allocator of this test binary counts the calls of each thread. The events are polled and the tickets
//! submitted outside of the count: the case is about ticks.

use super::allocator;
use super::queues::{
    QUEUE, With, always, duel, fair_within, free_for_all, growing, ping_within, skill_within, teams,
};
use evenmatch::engine::Engine;
use evenmatch::model::event::Event;
use evenmatch::model::ids::{Millis, PlayerId};
use evenmatch::model::request::{PlayerRequest, TicketRequest};
use evenmatch::rules::spec::{IndexChoice, QueueSpec};

/// A drawn number; the same draws at each run.
struct Draws(u64);

impl Draws {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    /// A ticket of that many players, whose ids go on from `player`.
    fn party(&mut self, players: u64, player: &mut u128) -> TicketRequest {
        (0..players).fold(TicketRequest::new(QUEUE), |ticket, _| {
            *player += 1;
            let rating = 1000 + self.below(1000) as i32;
            ticket.player(PlayerRequest::new(PlayerId(*player)).number("skill", rating))
        })
    }
}

/// Allocations of each tick while ticks of few and of many tickets take turns. Every tick matches at least a
/// quarter of its load in players.
fn allocations(
    queue: QueueSpec,
    loads: [u64; 2],
    ticks: u64,
    mut ticket: impl FnMut(&mut Draws, &mut u128) -> TicketRequest,
) -> Vec<u64> {
    let capacity = (loads[0] + loads[1]) as u32 * 4;
    let engine = Engine::builder().capacity(capacity).retained(1000).build().unwrap();
    engine.add_queue(queue).unwrap();
    let (mut draws, mut player) = (Draws(3), 0u128);
    let mut events = Vec::new();
    let mut counts = Vec::new();
    for tick in 0..ticks {
        let load = loads[(tick % 2) as usize];
        let requests = (0..load).map(|_| ticket(&mut draws, &mut player));
        let answers = engine.submit_batch(Millis(tick * 1000), requests.collect());
        assert!(answers.iter().all(Result::is_ok));
        let before = allocator::calls();
        engine.tick(Millis(tick * 1000), 0).unwrap();
        counts.push(allocator::calls() - before);
        events.clear();
        engine.poll(&mut events, usize::MAX);
        let matches = events.iter().filter_map(|event| match event {
            Event::Match(record) => Some(record.tickets.len() as u64),
            Event::Ended(_) => None,
        });
        let matched: u64 = matches.sum();
        assert!(matched >= load / 4, "the tick matched {matched} of {load} tickets");
    }
    counts
}

fn single(draws: &mut Draws, player: &mut u128) -> TicketRequest {
    draws.party(1, player)
}

#[test]
fn pf_08_the_counter_counts() {
    let before = allocator::calls();
    drop(std::hint::black_box(vec![1u8; 100]));
    assert_eq!(allocator::calls() - before, 1);
}

#[test]
fn pf_08_ticks_of_changing_load_allocate_nothing() {
    let mut queue = duel().with(skill_within(growing(50.0, 50.0, 1000.0)));
    queue.index = IndexChoice::Sorted;
    let counts = allocations(queue, [100, 100_000], 24, single);
    assert!(counts[10..].iter().all(|count| *count == 0), "allocations by tick: {counts:?}");
}

#[test]
fn pf_08_two_hundred_ticks_of_a_smaller_load_allocate_nothing() {
    let mut queue = duel().with(skill_within(always(1000.0)));
    queue.index = IndexChoice::Sorted;
    let counts = allocations(queue, [10, 2_000], 200, single);
    // The loads are drawn, so the greatest of each kind has been seen only after some dozens of ticks.
    assert!(counts[100..].iter().all(|count| *count == 0), "allocations by tick: {counts:?}");
}

#[test]
fn pf_08_regions_parties_and_free_for_alls_allocate_nothing() {
    let regional = |draws: &mut Draws, players, player: &mut u128| {
        let (near, far) = (20 + draws.below(30) as i32, 60 + draws.below(60) as i32);
        draws.party(players, player).ping("eu", near).ping("us", far)
    };
    let mut duels = duel().with(skill_within(growing(50.0, 50.0, 1000.0))).with(ping_within(always(150.0)));
    let mut fives = teams(2, 5)
        .with(skill_within(growing(500.0, 100.0, 1000.0)))
        .with(ping_within(always(150.0)))
        .with(fair_within(growing(200.0, 100.0, 1000.0)));
    let mut everyone = free_for_all(2, 8).with(skill_within(growing(100.0, 50.0, 1000.0)));
    for queue in [&mut duels, &mut fives, &mut everyone] {
        queue.index = IndexChoice::Sorted;
        queue.timeout = Some(Millis(30_000));
    }
    let counts = allocations(duels, [10, 500], 120, |draws, player| regional(draws, 1, player));
    assert!(counts[80..].iter().all(|count| *count == 0), "duels, allocations by tick: {counts:?}");
    let counts = allocations(fives, [20, 60], 120, |draws, player| {
        let players = 1 + draws.below(2) * draws.below(3);
        regional(draws, players, player)
    });
    assert!(counts[80..].iter().all(|count| *count == 0), "fives, allocations by tick: {counts:?}");
    let counts = allocations(everyone, [10, 200], 120, single);
    assert!(counts[80..].iter().all(|count| *count == 0), "free for all, allocations by tick: {counts:?}");
}
