//! PF: many tickets, and searches that could explode. Counts and results, never times.

use super::host::{Host, rated};
use super::queues::{QUEUE, With, always, duel, fixed, free_for_all, growing, skill_within, teams};
use evenmatch::engine::Engine;
use evenmatch::model::codes::Code;
use evenmatch::model::ids::{Millis, PlayerId, TicketId};
use evenmatch::model::request::{PlayerRequest, TicketRequest};

#[test]
fn pf_02_whether_a_player_is_queued_is_one_look() {
    const TICKETS: u32 = 100_000;
    let engine = Engine::builder().capacity(2 * TICKETS).retained(0).build().unwrap();
    engine.add_queue(duel().with(skill_within(always(0.0)))).unwrap();
    let request = |player: u32| {
        TicketRequest::new(QUEUE).player(PlayerRequest::new(PlayerId(u128::from(player) << 64 | 5)))
    };
    let batch = |range: std::ops::Range<u32>| engine.submit_batch(Millis(0), range.map(request).collect());
    let first: Vec<TicketId> = batch(0..TICKETS).into_iter().map(Result::unwrap).collect();
    let again = batch(0..TICKETS);
    for (answer, ticket) in again.iter().zip(&first) {
        let refusal = answer.as_ref().unwrap_err();
        assert_eq!((refusal.code, refusal.ticket), (Code::PlayerAlreadyQueued, Some(*ticket)));
    }
    let new = batch(TICKETS..2 * TICKETS);
    assert!(new.iter().all(Result::is_ok));
    let full = batch(2 * TICKETS..2 * TICKETS + 1);
    assert_eq!(full[0].as_ref().unwrap_err().code, Code::QueueFull);
    let stats = engine.stats();
    assert_eq!((stats.submitted, stats.refused), (2 * u64::from(TICKETS), u64::from(TICKETS) + 1));
    for (player, ticket) in (0..TICKETS).zip(&first).step_by(997) {
        assert_eq!(engine.ticket_of(PlayerId(u128::from(player) << 64 | 5)), Some(*ticket));
    }
}

#[test]
fn a_large_match_in_a_crowd_is_made_by_the_bounded_search() {
    let crowd = |queue, with_party: bool| {
        let mut host = Host::new(queue);
        for number in 0..300 {
            host.add(0.0, rated(&format!("t{number}"), &[1500.0]));
        }
        if with_party {
            host.add(0.0, rated("party", &[1500.0, 1500.0]));
        }
        host.tick(0.0);
        host.matches.iter().map(|record| record.tickets.len()).collect::<Vec<usize>>()
    };
    // More candidates than the search has bits, at once, and after a sweep that a party ends.
    assert_eq!(crowd(free_for_all(2, 200), false), [200, 100]);
    assert_eq!(crowd(free_for_all(2, 200).with(skill_within(always(50.0))), true), [200, 101]);
}

#[test]
fn pf_06_two_dozen_mixed_parties_end_at_a_count_and_say_so() {
    let run = || {
        let mut queue = teams(2, 5).with(skill_within(growing(150.0, 10.0, 600.0)));
        queue = queue.with(super::queues::fair_within(always(60.0)));
        let mut host = Host::new(queue);
        let mut state = 42u64;
        for number in 0..64 {
            let ratings: Vec<f64> = (0..number % 4 + 1)
                .map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    1200.0 + ((state >> 33) % 600) as f64
                })
                .collect();
            host.add(0.0, rated(&format!("t{number}"), &ratings));
        }
        let mut lines = host.tick(0.0);
        lines.extend(host.tick(20.0));
        (lines, host)
    };
    let (lines, host) = run();
    assert!(!lines.is_empty());
    assert_eq!(run().0, lines, "the same calls, the same answer");
    for record in &host.matches {
        assert!(record.teams.iter().all(|team| team.players.len() == 5));
        assert!(record.quality.team_difference.unwrap() <= fixed(60.0));
    }
    let cut = host.matches.iter().filter(|record| !record.quality.exhaustive).count() as u64;
    assert!(host.engine.stats().searches_cut_off >= cut, "a search that was cut off is counted");
}
