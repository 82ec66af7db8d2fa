//! The players' table against a plain map, and under threads.

use super::*;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::thread;

const A: TicketId = TicketId(1 << 32);
const B: TicketId = TicketId(2 << 32);

#[test]
fn a_party_is_entered_whole_or_not_at_all() {
    let players = Players::new(100);
    let [p, q, r] = [1, 2, 1 << 100].map(PlayerId);
    assert_eq!(players.claim(&[p, q], A, |_| true), Ok(()));
    assert_eq!(players.claim(&[r, q], B, |_| true), Err(Conflict::Player(q, A)));
    assert_eq!(players.get(r), None);
    assert_eq!(players.claim(&[r, p, r], B, |ticket| ticket != A), Err(Conflict::Player(r, B)));
    assert_eq!((players.get(r), players.get(p)), (None, None));
    assert_eq!(players.claim(&[r, q], B, |ticket| ticket != A), Ok(()), "A is over");
    players.release(q, A);
    assert_eq!(players.get(q), Some(B));
    players.release(q, B);
    assert_eq!((players.get(q), players.get(r), players.len()), (None, Some(B), 1));
}

#[test]
fn the_first_conflict_is_named_in_the_tickets_own_order() {
    let players = Players::new(100);
    let [p, q, r] = [3, 2, 1].map(PlayerId);
    assert_eq!(players.claim(&[p], A, |_| true), Ok(()));
    assert_eq!(players.claim(&[q], B, |_| true), Ok(()));
    let third = TicketId(3 << 32);
    assert_eq!(players.claim(&[r, p, q, r], third, |_| true), Err(Conflict::Player(p, A)));
    assert_eq!(players.claim(&[r, q, p], third, |_| true), Err(Conflict::Player(q, B)));
    assert_eq!((players.get(r), players.len()), (None, 2));
}

#[test]
fn scopes_do_not_touch() {
    let players = Players::new(100);
    let p = PlayerId(9);
    assert_eq!(players.claim_in(1, &[p], A, |_| true), Ok(()));
    assert_eq!(players.claim_in(2, &[p], B, |_| true), Ok(()));
    assert_eq!(players.claim_in(2, &[p], A, |_| true), Err(Conflict::Player(p, B)));
    assert_eq!((players.get_in(1, p), players.get_in(2, p), players.get(p)), (Some(A), Some(B), None));
    players.release_in(2, p, B);
    assert_eq!((players.get_in(1, p), players.get_in(2, p)), (Some(A), None));
}

#[test]
fn a_full_table_refuses_and_goes_on() {
    let players = Players::with_buckets(3, 1);
    let [p, q, r, s] = [1, 2, 3, 4].map(PlayerId);
    assert_eq!(players.claim(&[p, q], A, |_| true), Ok(()));
    assert_eq!(players.claim(&[r, s], B, |_| true), Err(Conflict::Full));
    assert_eq!((players.get(r), players.len()), (None, 2));
    assert_eq!(players.claim(&[r], B, |_| true), Ok(()));
    assert_eq!(
        players.claim(&[q], TicketId(7), |ticket| ticket != A),
        Ok(()),
        "an entry in place of another"
    );
    players.release(p, A);
    assert_eq!(players.claim(&[s], A, |_| true), Ok(()));
    assert_eq!(Players::new(0).claim(&[p], A, |_| true), Err(Conflict::Full));
}

proptest! {
    /// The table is a plain map, with long chains and short ones.
    #[test]
    fn every_entry_is_found(
        buckets in 1_u32..64,
        steps in prop::collection::vec((any::<bool>(), 0_u128..90), 0..800),
    ) {
        let players = Players::with_buckets(1000, buckets);
        let mut model: HashMap<u128, TicketId> = HashMap::new();
        for (number, (enter, player)) in (1_u64..).zip(steps) {
            if enter {
                players.claim(&[PlayerId(player)], TicketId(number), |_| false).unwrap();
                model.insert(player, TicketId(number));
            } else if let Some(ticket) = model.remove(&player) {
                players.release(PlayerId(player), TicketId(0));
                prop_assert_eq!(players.get(PlayerId(player)), Some(ticket));
                players.release(PlayerId(player), ticket);
            }
            prop_assert_eq!(players.len(), model.len());
        }
        for player in 0..90 {
            prop_assert_eq!(players.get(PlayerId(player)), model.get(&player).copied());
        }
    }

    /// The map is a plain map that skips what is over.
    #[test]
    fn equals_a_plain_map(
        buckets in 1_u32..9,
        steps in prop::collection::vec((0_u8..3, prop::collection::vec(0_u128..12, 1..4)), 0..200),
    ) {
        let players = Players::with_buckets(100, buckets);
        let mut model: BTreeMap<u128, u64> = BTreeMap::new();
        let mut over: BTreeSet<u64> = BTreeSet::new();
        for (number, (step, party)) in (1_u64..).zip(steps) {
            let ticket = model.get(&party[0]).copied().unwrap_or(0);
            if step == 0 {
                over.insert(ticket);
            } else if step == 1 {
                players.release(PlayerId(party[0]), TicketId(ticket));
                model.remove(&party[0]);
            } else {
                let ids: Vec<PlayerId> = party.iter().map(|&p| PlayerId(p)).collect();
                let claimed = players.claim(&ids, TicketId(number), |t| !over.contains(&t.0));
                let held = party.iter().find_map(|p| {
                    model.get(p).filter(|t| !over.contains(t)).map(|&t| (PlayerId(*p), TicketId(t)))
                });
                let twice = party.iter().enumerate().find(|&(i, p)| party[..i].contains(p));
                let expected = held.or(twice.map(|(_, &p)| (PlayerId(p), TicketId(number))));
                let expected = expected.map_or(Ok(()), |(player, ticket)| Err(Conflict::Player(player, ticket)));
                prop_assert_eq!(claimed, expected);
                if claimed.is_ok() {
                    party.iter().for_each(|&p| { model.insert(p, number); });
                }
            }
            for p in 0..12 {
                let live = |t: &u64| *t != 0 && !over.contains(t);
                let found = players.get(PlayerId(p)).map(|t| t.0).filter(live);
                prop_assert_eq!(found, model.get(&p).copied().filter(live));
            }
        }
    }
}

/// Four threads claim and release parties of a few players in few buckets: a player is never in two tickets,
/// and in the end the table is empty and as large as before.
#[test]
fn a_player_is_in_one_ticket_whoever_claims() {
    const ROUNDS: u64 = 30_000;
    const PLAYERS: u64 = 12;
    let players = Players::with_buckets(64, 4);
    // Who has each player, as the threads themselves know: the ticket, written by its owner alone.
    let owners: Vec<AtomicU64> = (0..PLAYERS).map(|_| AtomicU64::new(0)).collect();
    let won: Vec<u64> = thread::scope(|scope| {
        let claimers: Vec<_> = (0..4_u64)
            .map(|claimer| {
                let (players, owners) = (&players, &owners);
                scope.spawn(move || {
                    let (mut won, mut random) = (0, claimer + 1);
                    for round in 1..=ROUNDS {
                        // A linear congruential generator, seeded by the claimer's number (Knuth's MMIX).
                        random = random
                            .wrapping_mul(6_364_136_223_846_793_005)
                            .wrapping_add(1_442_695_040_888_963_407);
                        let first = (random >> 33) % PLAYERS;
                        let party: Vec<u64> =
                            (0..1 + (random >> 40) % 3).map(|k| (first + k * 5) % PLAYERS).collect();
                        let ids: Vec<PlayerId> =
                            party.iter().map(|&p| PlayerId(u128::from(p) << 70)).collect();
                        let ticket = TicketId(round << 8 | (claimer + 1));
                        match players.claim(&ids, ticket, |_| true) {
                            Ok(()) => won += 1,
                            Err(Conflict::Player(player, held)) => {
                                assert!(ids.contains(&player) && held != ticket, "{player:?} {held:?}");
                                continue;
                            }
                            Err(Conflict::Full) => panic!("12 players fill no table of 64"),
                        }
                        for (&p, &id) in party.iter().zip(&ids) {
                            let before = owners[p as usize].swap(ticket.0, Ordering::Relaxed);
                            assert_eq!(
                                (before, players.get(id)),
                                (0, Some(ticket)),
                                "claimer {claimer}, {round}"
                            );
                        }
                        for (&p, &id) in party.iter().zip(&ids) {
                            assert_eq!(owners[p as usize].swap(0, Ordering::Relaxed), ticket.0);
                            players.release(id, ticket);
                        }
                    }
                    won
                })
            })
            .collect();
        claimers.into_iter().map(|claimer| claimer.join().unwrap()).collect()
    });
    assert!(won.iter().all(|&won| won > 0), "{won:?}");
    assert_eq!(players.len(), 0);
    for number in 0..64 {
        assert_eq!(players.claim(&[PlayerId(number)], A, |_| true), Ok(()));
    }
}

/// Of two submits of the same party, in whatever order it is written, one wins each time.
#[test]
fn one_of_two_equal_parties_wins() {
    let players = Players::with_buckets(64, 2);
    let [p, q, r] = [1, 2, 3].map(PlayerId);
    let parties = [[p, q, r], [r, q, p]];
    for round in 1..=5_000_u64 {
        let tickets = [TicketId(round << 8 | 1), TicketId(round << 8 | 2)];
        let answers: Vec<Result<(), Conflict>> = thread::scope(|scope| {
            let claim = |at: usize| players.claim(&parties[at], tickets[at], |_| true);
            let other = scope.spawn(move || claim(1));
            vec![claim(0), other.join().unwrap()]
        });
        assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1, "round {round}: {answers:?}");
        let winner = tickets[usize::from(answers[1].is_ok())];
        for player in [p, q, r] {
            assert_eq!(players.get(player), Some(winner));
            players.release(player, winner);
        }
    }
}

/// Whoever releases many players of long chains needs a copy of what stands before each: nodes go back meanwhile.
#[test]
fn one_hand_releases_more_than_there_are_spare_nodes_for() {
    let players = Players::with_buckets(1_000, 1);
    let (player, ticket) = (|at: u128| PlayerId(at + 1), |at: u64| TicketId(at + 1));
    for at in 0..1_000 {
        players.claim(&[player(at)], ticket(at as u64), |_| true).unwrap();
    }
    let mut hands = players.hands(0);
    // The oldest first: it stands last in the chain, so this takes half a million copies.
    (0..1_000).for_each(|at| hands.release_in(ENGINE_WIDE, player(at), ticket(at as u64)));
    drop(hands);
    assert!(players.is_empty() && (0..1_000).all(|at| players.get(player(at)).is_none()));
    players.claim(&[player(0)], ticket(7), |_| true).unwrap();
}
