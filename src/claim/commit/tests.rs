//! Claims against an obvious model, and under real threads.

use super::*;
use proptest::prelude::*;
use std::collections::HashMap;
use std::sync::{Barrier, Mutex};

fn queued(claims: &Claims) -> TicketId {
    let id = claims.allocate().unwrap();
    assert!(claims.publish(id));
    id
}

#[test]
fn a_ticket_lives_once() {
    let claims = Claims::new(10);
    let id = claims.allocate().unwrap();
    assert_eq!((id.slot(), id.generation()), (0, 1));
    assert_eq!(claims.state(id), WordState::Unpublished);
    assert_eq!(claims.end(id), EndOutcome::NotFound);
    assert_eq!(claims.commit(MatchId(id), &[id]), Err(id));
    assert!(claims.publish(id) && !claims.publish(id));
    assert_eq!(claims.state(id), WordState::Queued);
    assert!(!claims.free(id), "a ticket that waits keeps its slot");
    assert_eq!(claims.end(id), EndOutcome::Ended);
    assert_eq!(claims.end(id), EndOutcome::NotFound);
    assert_eq!(claims.state(id), WordState::Ended);
    assert!(claims.free(id) && !claims.free(id));
    assert_eq!(claims.state(id), WordState::NotFound);
}

#[test]
fn a_match_is_all_or_nothing() {
    let claims = Claims::new(10);
    let t: Vec<TicketId> = (0..5).map(|_| queued(&claims)).collect();
    assert_eq!(claims.end(t[2]), EndOutcome::Ended);
    assert_eq!(claims.commit(MatchId(t[0]), &t), Err(t[2]));
    assert!([0, 1, 3, 4].iter().all(|&i| claims.state(t[i]) == WordState::Queued));
    assert_eq!(claims.commit(MatchId(t[0]), &[t[0], t[1], t[0]]), Err(t[0]), "no ticket twice");
    assert_eq!(claims.commit(MatchId(t[1]), &[t[0], t[1]]), Ok(()));
    assert_eq!(claims.end(t[0]), EndOutcome::AlreadyMatched(MatchId(t[1])));
    assert_eq!(claims.commit(MatchId(t[3]), &[t[3], t[1]]), Err(t[1]));
    assert_eq!(claims.commit(MatchId(t[3]), &[t[3], t[4]]), Ok(()));
    assert_eq!(claims.state(t[4]), WordState::Matched(MatchId(t[3])));
    assert!(claims.free(t[1]));
    assert_eq!(claims.end(t[0]), EndOutcome::AlreadyMatched(MatchId(t[1])), "its id outlives its slot");
}

#[test]
fn ids_that_were_never_given_out_name_nothing() {
    let claims = Claims::new(3);
    let id = queued(&claims);
    let foreign = TicketId(id.0 | 1 << 26);
    let later = TicketId::new(id.slot(), 2);
    let beyond = TicketId::new(3, 1);
    let unused = TicketId::new(1, 1);
    for forged in [TicketId(0), TicketId(u64::MAX), foreign, later, beyond, unused, TicketId::new(0, 0)] {
        assert_eq!(claims.end(forged), EndOutcome::NotFound);
        assert_eq!(claims.state(forged), WordState::NotFound);
        assert_eq!(claims.commit(MatchId(id), &[id, forged]), Err(forged));
        assert!(!claims.free(forged) && !claims.publish(forged));
    }
    assert_eq!(claims.state(id), WordState::Queued);
    assert_eq!(Claims::new(0).allocate(), None);
}

#[test]
fn cc_12_a_stale_id_never_names_the_next_ticket() {
    let claims = Claims::new(1);
    let first = queued(&claims);
    assert_eq!(claims.end(first), EndOutcome::Ended);
    assert!(claims.free(first));
    let second = queued(&claims);
    assert_eq!((second.slot(), second.generation()), (first.slot(), 2));
    assert_eq!(claims.end(first), EndOutcome::NotFound);
    assert_eq!(claims.state(second), WordState::Queued);
}

#[test]
fn cc_12_a_slot_is_retired_when_its_generations_are_used_up() {
    let claims = Claims::with_generation_bits(2, 4);
    let mut ids = Vec::new();
    while let Some(id) = claims.allocate() {
        assert!(claims.publish(id));
        assert_eq!(claims.end(id), EndOutcome::Ended);
        assert!(claims.free(id));
        ids.push(id);
    }
    // Two slots of 15 generations each; 0 is none.
    assert_eq!((ids.len(), claims.retired()), (30, 2));
    assert_eq!(ids.iter().collect::<std::collections::HashSet<_>>().len(), 30);
    assert!(ids.iter().all(|&id| claims.state(id) == WordState::NotFound && !claims.free(id)));
    assert_eq!(claims.allocate(), None);
}

#[test]
fn the_slot_freed_last_is_handed_out_first() {
    let claims = Claims::new(4);
    let t: Vec<TicketId> = (0..4).map(|_| claims.allocate().unwrap()).collect();
    assert_eq!(claims.allocate(), None);
    assert!(claims.free(t[1]) && claims.free(t[3]));
    let slots: Vec<u32> = (0..2).map(|_| claims.allocate().unwrap().slot()).collect();
    assert_eq!((slots, claims.allocate()), (vec![3, 1], None));
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Model {
    Unpublished,
    Queued,
    Matched(MatchId),
    Ended,
}

proptest! {
    /// One thread: claims are a map from id to state, and a pool of slots.
    #[test]
    fn equals_a_plain_map(steps in prop::collection::vec((0_u8..6, any::<u16>(), 1_usize..5), 0..300)) {
        let claims = Claims::with_generation_bits(8, 3);
        let mut model: HashMap<TicketId, Model> = HashMap::new();
        let mut known: Vec<TicketId> = vec![TicketId::new(2, 3)];
        for (step, word, count) in steps {
            let id = known[word as usize % known.len()];
            let held = model.get(&id).copied();
            match step {
                0 => {
                    let room = model.len() + (claims.retired() as usize) < 8;
                    let new = claims.allocate();
                    prop_assert_eq!(new.is_some(), room);
                    if let Some(new) = new {
                        prop_assert!(model.insert(new, Model::Unpublished).is_none());
                        prop_assert!((1..8).contains(&new.generation()));
                        known.push(new);
                    }
                }
                1 => {
                    let done = held == Some(Model::Unpublished);
                    prop_assert_eq!(claims.publish(id), done);
                    if done {
                        model.insert(id, Model::Queued);
                    }
                }
                2 => {
                    let expected = match held {
                        Some(Model::Queued) => EndOutcome::Ended,
                        Some(Model::Matched(of)) => EndOutcome::AlreadyMatched(of),
                        _ => EndOutcome::NotFound,
                    };
                    prop_assert_eq!(claims.end(id), expected);
                    if expected == EndOutcome::Ended {
                        model.insert(id, Model::Ended);
                    }
                }
                3 => {
                    let done = held.is_some_and(|state| state != Model::Queued);
                    prop_assert_eq!(claims.free(id), done);
                    if done {
                        model.remove(&id);
                    }
                }
                _ => {
                    let picked: Vec<TicketId> =
                        (0..count).map(|i| known[(word as usize + i * 7) % known.len()]).collect();
                    let first_not_free = picked.iter().enumerate().find(|&(i, id)| {
                        model.get(id) != Some(&Model::Queued) || picked[..i].contains(id)
                    });
                    let expected = first_not_free.map_or(Ok(()), |(_, &id)| Err(id));
                    prop_assert_eq!(claims.commit(MatchId(picked[0]), &picked), expected);
                    if expected.is_ok() {
                        for &id in &picked {
                            model.insert(id, Model::Matched(MatchId(picked[0])));
                        }
                    }
                }
            }
            for id in &known {
                let expected = match model.get(id) {
                    None => WordState::NotFound,
                    Some(Model::Unpublished) => WordState::Unpublished,
                    Some(Model::Queued) => WordState::Queued,
                    Some(Model::Matched(of)) => WordState::Matched(*of),
                    Some(Model::Ended) => WordState::Ended,
                };
                prop_assert_eq!(claims.state(*id), expected);
            }
        }
    }
}

/// CR-01: a cancel from a second thread during each of 100,000 commits.
#[test]
fn cr_01_a_cancel_and_a_commit_agree_under_threads() {
    const ROUNDS: usize = 100_000;
    const BATCH: usize = 500;
    let claims = Claims::new(3 * BATCH as u32);
    let (mut matched, mut ended) = (0, 0);
    for round in 0..ROUNDS / BATCH {
        let triples: Vec<[TicketId; 3]> =
            (0..BATCH).map(|_| [queued(&claims), queued(&claims), queued(&claims)]).collect();
        let barrier = Barrier::new(2);
        let (commits, ends) = std::thread::scope(|scope| {
            let committer = scope.spawn(|| {
                barrier.wait();
                triples.iter().map(|t| claims.commit(MatchId(t[0]), t)).collect::<Vec<_>>()
            });
            let ender = scope.spawn(|| {
                barrier.wait();
                triples.iter().map(|t| claims.end(t[round % 3])).collect::<Vec<_>>()
            });
            (committer.join().unwrap(), ender.join().unwrap())
        });
        for ((t, commit), end) in triples.iter().zip(commits).zip(ends) {
            let victim = t[round % 3];
            match end {
                EndOutcome::Ended => {
                    assert_eq!(commit, Err(victim));
                    assert_eq!(claims.state(victim), WordState::Ended);
                    let others = t.iter().filter(|&&id| id != victim);
                    others.for_each(|&id| assert_eq!(claims.end(id), EndOutcome::Ended));
                    ended += 1;
                }
                answer => {
                    assert_eq!((answer, commit), (EndOutcome::AlreadyMatched(MatchId(t[0])), Ok(())));
                    assert!(t.iter().all(|&id| claims.state(id) == WordState::Matched(MatchId(t[0]))));
                    matched += 1;
                }
            }
            assert!(t.iter().all(|&id| claims.free(id)));
        }
    }
    assert_eq!(matched + ended, ROUNDS);
}

/// Four threads submit, match, cancel and free over a few slots: each ticket has one fate, and no slot is
/// lost.
#[test]
fn everybody_at_once_loses_nothing() {
    const ROUNDS: u32 = 25_000;
    let claims = Claims::new(64);
    let board: Mutex<Vec<TicketId>> = Mutex::default();
    std::thread::scope(|scope| {
        for worker in 0..4_u32 {
            let (claims, board) = (&claims, &board);
            scope.spawn(move || {
                let mut random = worker.wrapping_mul(0x9e37_79b9) | 1;
                for _ in 0..ROUNDS {
                    random ^= random << 13;
                    random ^= random >> 17;
                    random ^= random << 5;
                    // Everybody sees every id, also when it is long over.
                    let seen: Vec<TicketId> = board.lock().unwrap().clone();
                    let pick = |n: u32| seen.get((random >> n) as usize % seen.len().max(1)).copied();
                    match (random % 4, pick(3), pick(9)) {
                        (0, ..) => {
                            if let Some(id) = claims.allocate() {
                                assert!(claims.publish(id));
                                board.lock().unwrap().push(id);
                            }
                        }
                        (1, Some(a), Some(b)) if a != b && claims.commit(MatchId(a), &[a, b]).is_ok() => {
                            for id in [a, b] {
                                assert_eq!(claims.end(id), EndOutcome::AlreadyMatched(MatchId(a)));
                            }
                            board.lock().unwrap().retain(|&id| id != a && id != b);
                            assert!(claims.free(a) && claims.free(b));
                        }
                        (2, Some(id), _) if claims.end(id) == EndOutcome::Ended => {
                            board.lock().unwrap().retain(|&other| other != id);
                            assert!(claims.free(id));
                        }
                        (_, Some(id), _) => {
                            let state = claims.state(id);
                            assert_ne!(state, WordState::Unpublished);
                        }
                        _ => {}
                    }
                }
            });
        }
    });
    for id in board.into_inner().unwrap() {
        assert_eq!(claims.end(id), EndOutcome::Ended);
        assert!(claims.free(id));
    }
    let all: Vec<TicketId> = std::iter::from_fn(|| claims.allocate()).collect();
    assert_eq!(all.len(), 64);
}
