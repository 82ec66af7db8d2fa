//! Models of the players' table. All players are in one bucket, so they share a chain.

use super::{check, fails};
use evenmatch::claim::fault::Fault;
use evenmatch::claim::players::{Conflict, Players};
use evenmatch::model::ids::{PlayerId, TicketId};
use loom::sync::Arc;
use loom::thread;

const A: TicketId = TicketId(1 << 32);
const B: TicketId = TicketId(2 << 32);
const C: TicketId = TicketId(3 << 32);
const P: PlayerId = PlayerId(1 << 64 | 1);
const Q: PlayerId = PlayerId(2 << 64 | 2);
const R: PlayerId = PlayerId(3 << 64 | 3);

/// A table in which these are entered, the last in front.
fn entered(entries: &[(PlayerId, TicketId)], fault: Fault) -> Arc<Players> {
    let players = Players::with_fault(4, 1, fault);
    for &(player, ticket) in entries {
        assert_eq!(players.claim(&[player], ticket, |_| true), Ok(()));
    }
    Arc::new(players)
}

/// Two submits of one player: one wins, the other learns of it.
fn two_claims(fault: Fault) {
    let players = entered(&[], fault);
    let other = {
        let players = Arc::clone(&players);
        thread::spawn(move || players.claim(&[P], B, |_| true))
    };
    let mine = players.claim(&[P], A, |_| true);
    let winner = match (mine, other.join().unwrap()) {
        (Ok(()), Err(Conflict::Player(P, A))) => A,
        (Err(Conflict::Player(P, B)), Ok(())) => B,
        answers => panic!("{answers:?}"),
    };
    assert_eq!((players.get(P), players.len()), (Some(winner), 1));
    players.release(P, winner);
    assert_eq!((players.get(P), players.len()), (None, 0));
}

/// Two parties with two players in common, written in opposite orders: one wins, and the other leaves
/// nothing.
fn two_parties() {
    let players = entered(&[], Fault::None);
    let other = {
        let players = Arc::clone(&players);
        thread::spawn(move || players.claim(&[Q, P], B, |_| true))
    };
    let mine = players.claim(&[P, Q], A, |_| true);
    let theirs = other.join().unwrap();
    assert!(mine.is_ok() != theirs.is_ok(), "{mine:?} {theirs:?}");
    let winner = Some(if mine.is_ok() { A } else { B });
    assert_eq!((players.get(P), players.get(Q), players.len()), (winner, winner, 2));
}

/// Two claims of one player replace the entry of a ticket that is over, while a third party asks.
fn claims_replace_a_dead_entry() {
    let players = entered(&[(P, A), (R, C)], Fault::None);
    let other = {
        let players = Arc::clone(&players);
        thread::spawn(move || players.claim(&[P], B, |ticket| ticket != A))
    };
    let mine = players.claim(&[P], TicketId(9), |ticket| ticket != A);
    let theirs = other.join().unwrap();
    assert!(mine.is_ok() != theirs.is_ok(), "{mine:?} {theirs:?}");
    let winner = if mine.is_ok() { TicketId(9) } else { B };
    assert_eq!((players.get(P), players.get(R), players.len()), (Some(winner), Some(C), 2));
}

/// A player goes and another comes, in the same node, while a third asks: he finds the one who stays, and of
/// the others nothing that never was.
fn release_and_claim_against_get(fault: Fault) {
    let players = entered(&[(R, C), (P, A)], fault);
    let reader = {
        let players = Arc::clone(&players);
        thread::spawn(move || (players.get(P), players.get(R)))
    };
    players.release(P, A);
    assert_eq!(players.claim(&[Q], B, |_| true), Ok(()));
    let (p, r) = reader.join().unwrap();
    assert!(p.is_none() || p == Some(A), "{p:?}");
    assert_eq!(r, Some(C));
    assert_eq!((players.get(P), players.get(Q), players.len()), (None, Some(B), 2));
}

/// A claim, a release that copies a node, and somebody who asks, in three threads.
fn claim_against_release_against_get() {
    let players = entered(&[(P, A), (R, C)], Fault::None);
    let claimer = {
        let players = Arc::clone(&players);
        thread::spawn(move || assert_eq!(players.claim(&[Q], B, |_| true), Ok(())))
    };
    let reader = {
        let players = Arc::clone(&players);
        thread::spawn(move || players.get(R))
    };
    players.release(P, A);
    assert_eq!(reader.join().unwrap(), Some(C));
    claimer.join().unwrap();
    assert_eq!((players.get(P), players.get(Q), players.get(R)), (None, Some(B), Some(C)));
    assert_eq!(players.len(), 2);
}

/// A claim that is held up while the node at the front goes out and comes back with the same player.
fn claim_against_reuse(fault: Fault) {
    let players = entered(&[(P, A)], fault);
    let other = {
        let players = Arc::clone(&players);
        thread::spawn(move || players.claim(&[Q], B, |_| true))
    };
    players.release(P, A);
    let mine = players.claim(&[Q], C, |_| true);
    let theirs = other.join().unwrap();
    assert!(mine.is_ok() != theirs.is_ok(), "{mine:?} {theirs:?}");
    assert_eq!(players.get(Q), Some(if mine.is_ok() { C } else { B }));
    assert_eq!((players.get(P), players.len()), (None, 1));
}

#[test]
fn one_of_two_claims_wins() {
    check(3, || two_claims(Fault::None));
}

#[test]
fn one_of_two_parties_wins() {
    check(3, two_parties);
}

#[test]
fn one_of_two_claims_replaces_a_dead_entry() {
    check(3, claims_replace_a_dead_entry);
}

#[test]
fn who_asks_finds_what_stays() {
    check(2, || release_and_claim_against_get(Fault::None));
}

#[test]
fn a_claim_a_release_and_a_get_agree() {
    check(1, claim_against_release_against_get);
}

#[test]
fn a_node_of_a_bucket_is_used_again() {
    check(3, || claim_against_reuse(Fault::None));
}

#[test]
fn catches_a_claim_that_looks_once() {
    assert!(fails(3, || two_claims(Fault::ClaimLooksOnce)));
}

#[test]
fn catches_a_bucket_that_does_not_count() {
    assert!(fails(3, || claim_against_reuse(Fault::BucketCountStands)));
}

#[test]
fn catches_a_reader_who_looks_at_the_bucket_once() {
    assert!(fails(3, || release_and_claim_against_get(Fault::ReaderLooksOnce)));
}

#[test]
fn catches_nodes_that_are_written_relaxed() {
    assert!(fails(3, || release_and_claim_against_get(Fault::NodesRelaxed)));
}
