//! Models of the claims on tickets: commits, cancels, and slots that are used again.

use super::{check, fails};
use evenmatch::claim::commit::{Claims, EndOutcome, WordState};
use evenmatch::claim::fault::Fault;
use evenmatch::model::ids::{MatchId, TicketId};
use loom::sync::Arc;
use loom::thread;

/// Claims with `count` published tickets.
fn queued(count: u32, fault: Fault) -> (Arc<Claims>, Vec<TicketId>) {
    let claims = Claims::with_fault(count, fault);
    let tickets: Vec<TicketId> = (0..count).map(|_| claims.allocate().unwrap()).collect();
    assert!(tickets.iter().all(|&id| claims.publish(id)));
    (Arc::new(claims), tickets)
}

/// A cancel against the commit of its ticket: the answers agree, and the partner's fate with them.
fn end_against_commit(fault: Fault) {
    let (claims, t) = queued(2, fault);
    let (a, b) = (t[0], t[1]);
    let committer = {
        let claims = Arc::clone(&claims);
        thread::spawn(move || claims.commit(MatchId(a), &[a, b]))
    };
    let ended = claims.end(b);
    let committed = committer.join().unwrap();
    match ended {
        EndOutcome::Ended => {
            assert_eq!(committed, Err(b));
            assert_eq!((claims.state(a), claims.state(b)), (WordState::Queued, WordState::Ended));
        }
        EndOutcome::AlreadyMatched(of) => {
            assert_eq!((of, committed), (MatchId(a), Ok(())));
            let matched = WordState::Matched(of);
            assert_eq!((claims.state(a), claims.state(b)), (matched, matched));
        }
        EndOutcome::NotFound => panic!("a live ticket was not found"),
    }
    assert_eq!(claims.end(b) == EndOutcome::NotFound, ended == EndOutcome::Ended);
}

/// Two cancels and a commit: at most one of the three gets the ticket.
fn two_ends_against_commit(fault: Fault) {
    let (claims, t) = queued(2, fault);
    let (a, b) = (t[0], t[1]);
    let committer = {
        let claims = Arc::clone(&claims);
        thread::spawn(move || claims.commit(MatchId(a), &[a, b]))
    };
    let other = {
        let claims = Arc::clone(&claims);
        thread::spawn(move || claims.end(a))
    };
    let mut answers = vec![claims.end(a)];
    answers.push(other.join().unwrap());
    let committed = committer.join().unwrap();
    let ended = answers.iter().filter(|&&answer| answer == EndOutcome::Ended).count();
    if committed.is_ok() {
        assert!(answers.iter().all(|&answer| answer == EndOutcome::AlreadyMatched(MatchId(a))));
    } else {
        assert_eq!((ended, claims.state(b)), (1, WordState::Queued));
    }
}

/// Two commits with a ticket in common: never both, and who fails leaves nothing behind.
fn commit_against_commit(fault: Fault) {
    let (claims, t) = queued(3, fault);
    let (a, b, c) = (t[0], t[1], t[2]);
    let other = {
        let claims = Arc::clone(&claims);
        thread::spawn(move || claims.commit(MatchId(b), &[b, c]))
    };
    let first = claims.commit(MatchId(a), &[a, b]);
    let second = other.join().unwrap();
    assert!(first.is_err() || second.is_err(), "one ticket in two matches");
    let expected = match (first, second) {
        (Ok(()), _) => [WordState::Matched(MatchId(a)), WordState::Matched(MatchId(a)), WordState::Queued],
        (_, Ok(())) => [WordState::Queued, WordState::Matched(MatchId(b)), WordState::Matched(MatchId(b))],
        _ => [WordState::Queued; 3],
    };
    assert_eq!([claims.state(a), claims.state(b), claims.state(c)], expected);
}

/// Two commits with a ticket in common and a cancel of it.
fn commits_against_end(fault: Fault) {
    let (claims, t) = queued(3, fault);
    let (a, b, c) = (t[0], t[1], t[2]);
    let other = {
        let claims = Arc::clone(&claims);
        thread::spawn(move || claims.commit(MatchId(b), &[b, c]))
    };
    let ender = {
        let claims = Arc::clone(&claims);
        thread::spawn(move || claims.end(b))
    };
    let first = claims.commit(MatchId(a), &[a, b]);
    let second = other.join().unwrap();
    let ended = ender.join().unwrap();
    let taken = [first.is_ok(), second.is_ok(), ended == EndOutcome::Ended];
    assert!(taken.iter().filter(|&&taken| taken).count() <= 1, "{taken:?}");
    assert_eq!(ended != EndOutcome::Ended, first.is_ok() || second.is_ok(), "the cancel got no right answer");
    assert_eq!(claims.state(a) == WordState::Queued, first.is_err());
    assert_eq!(claims.state(c) == WordState::Queued, second.is_err());
}

/// A commit that fails and one that follows with the same proposal entry, against a cancel that saw the
/// first.
fn end_against_reused_proposal(fault: Fault) {
    let (claims, t) = queued(3, fault);
    let (a, b, gone) = (t[0], t[1], t[2]);
    assert_eq!(claims.end(gone), EndOutcome::Ended);
    let ender = {
        let claims = Arc::clone(&claims);
        thread::spawn(move || claims.end(a))
    };
    let failed = claims.commit(MatchId(a), &[a, gone]);
    assert!(failed == Err(gone) || failed == Err(a));
    let committed = claims.commit(MatchId(a), &[a, b]);
    let ended = ender.join().unwrap();
    match ended {
        EndOutcome::Ended => assert_eq!(committed, Err(a)),
        answer => assert_eq!((answer, committed), (EndOutcome::AlreadyMatched(MatchId(a)), Ok(()))),
    }
    assert_eq!(claims.state(b) == WordState::Queued, committed.is_err());
}

/// Somebody asks for, or cancels, a ticket whose match is made, polled and freed, and whose slot is used
/// again meanwhile.
fn slot_reuse(cancel: bool, fault: Fault) {
    let (claims, t) = queued(1, fault);
    let a = t[0];
    let other = {
        let claims = Arc::clone(&claims);
        thread::spawn(move || if cancel { Err(claims.end(a)) } else { Ok(claims.state(a)) })
    };
    let committed = claims.commit(MatchId(a), &[a]);
    if committed.is_ok() {
        assert!(claims.free(a));
        let next = claims.allocate().unwrap();
        assert_eq!((next.slot(), next.generation()), (a.slot(), 2));
        assert!(claims.publish(next));
        assert_eq!(claims.commit(MatchId(next), &[next]), Ok(()), "a stale id touched another ticket");
        assert_eq!(claims.state(next), WordState::Matched(MatchId(next)));
    }
    match other.join().unwrap() {
        Ok(WordState::Queued) => {}
        Ok(WordState::Matched(of)) => assert_eq!(of, MatchId(a)),
        Ok(state) => assert_eq!(state, WordState::NotFound),
        Err(EndOutcome::Ended) => assert_eq!(committed, Err(a)),
        Err(EndOutcome::AlreadyMatched(of)) => assert_eq!((of, committed), (MatchId(a), Ok(()))),
        Err(EndOutcome::NotFound) => assert_eq!(committed, Ok(())),
    }
}

/// One thread takes a slot while another takes one and gives two back: none is in two hands, none gets lost.
fn free_list() {
    let (claims, t) = queued(2, Fault::None);
    for &id in &t {
        assert_eq!(claims.end(id), EndOutcome::Ended);
    }
    assert!(claims.free(t[1]));
    let other = {
        let (claims, held) = (Arc::clone(&claims), t[0]);
        thread::spawn(move || {
            let taken = claims.allocate();
            assert!(claims.free(held));
            if let Some(taken) = taken {
                assert!(claims.free(taken));
            }
        })
    };
    let mut held: Vec<TicketId> = claims.allocate().into_iter().collect();
    other.join().unwrap();
    held.extend(std::iter::from_fn(|| claims.allocate()).take(3));
    let mut slots: Vec<u32> = held.iter().map(|id| id.slot()).collect();
    slots.sort_unstable();
    assert_eq!(slots, [0, 1]);
}

/// Two threads take slots that were never used, the memory of which has to be made first.
fn first_use(fault: Fault) {
    let claims = Arc::new(Claims::with_fault(2, fault));
    let take = |claims: &Claims| {
        let id = claims.allocate().unwrap();
        assert_eq!(claims.state(id), WordState::Unpublished);
        assert_eq!(claims.end(id), EndOutcome::NotFound);
        assert!(claims.publish(id));
        id
    };
    let other = {
        let claims = Arc::clone(&claims);
        thread::spawn(move || take(&claims))
    };
    let mine = take(&claims);
    let theirs = other.join().unwrap();
    assert_ne!(mine, theirs);
    assert_eq!(claims.commit(MatchId(mine), &[mine, theirs]), Ok(()));
    assert_eq!(claims.allocate(), None);
}

/// A commit of two tickets that ends a third, and again without it if that is gone, against a cancel of the third:
/// one of the two ends it, the match is made all the same, and the cancel never takes it for matched.
fn commit_with_others_against_end(fault: Fault) {
    let (claims, t) = queued(3, fault);
    let (a, b, other) = (t[0], t[1], t[2]);
    let ender = {
        let claims = Arc::clone(&claims);
        thread::spawn(move || claims.end(other))
    };
    let first = claims.commit_with(MatchId(a), &[a, b], &[other]);
    if first.is_err() {
        assert_eq!(first, Err(other));
        assert_eq!(claims.commit(MatchId(a), &[a, b]), Ok(()));
    }
    let ended = ender.join().unwrap();
    let expected = if first.is_ok() { EndOutcome::NotFound } else { EndOutcome::Ended };
    assert_eq!(ended, expected, "both ended it, or none did");
    let matched = WordState::Matched(MatchId(a));
    assert_eq!([a, b, other].map(|id| claims.state(id)), [matched, matched, WordState::Ended]);
}

/// A commit that ends another ticket, against a cancel of a ticket of the match: if that wins, the other waits on.
fn commit_with_others_against_end_of_its_own(fault: Fault) {
    let (claims, t) = queued(3, fault);
    let (a, b, other) = (t[0], t[1], t[2]);
    let ender = {
        let claims = Arc::clone(&claims);
        thread::spawn(move || claims.end(b))
    };
    let committed = claims.commit_with(MatchId(a), &[a, b], &[other]);
    match ender.join().unwrap() {
        EndOutcome::Ended => {
            assert_eq!(committed, Err(b));
            assert_eq!((claims.state(a), claims.state(other)), (WordState::Queued, WordState::Queued));
        }
        answer => {
            assert_eq!((answer, committed), (EndOutcome::AlreadyMatched(MatchId(a)), Ok(())));
            assert_eq!(claims.state(other), WordState::Ended);
        }
    }
}

/// Whoever finds a ticket of the match matched finds the other one ended.
fn commit_with_others_is_one_step(fault: Fault) {
    let (claims, t) = queued(2, fault);
    let (a, other) = (t[0], t[1]);
    let observer = {
        let claims = Arc::clone(&claims);
        thread::spawn(move || (claims.state(a), claims.state(other)))
    };
    assert_eq!(claims.commit_with(MatchId(a), &[a], &[other]), Ok(()));
    match observer.join().unwrap() {
        (WordState::Matched(of), other) => assert_eq!((of, other), (MatchId(a), WordState::Ended)),
        (state, other) => {
            assert_eq!(state, WordState::Queued);
            assert!(matches!(other, WordState::Queued | WordState::Ended));
        }
    }
}

#[test]
fn a_commit_with_others_and_a_cancel_agree() {
    check(4, || commit_with_others_against_end(Fault::None));
    check(4, || commit_with_others_against_end_of_its_own(Fault::None));
}

#[test]
fn a_commit_and_the_ends_of_others_are_one_step() {
    check(4, || commit_with_others_is_one_step(Fault::None));
}

#[test]
fn catches_others_that_a_cancel_takes_all_the_same() {
    assert!(fails(4, || commit_with_others_against_end(Fault::EndIgnoresProposal)));
}

#[test]
fn catches_others_that_pass_for_matched() {
    assert!(fails(4, || commit_with_others_against_end(Fault::OthersMarkedAlike)));
}

#[test]
fn catches_others_that_end_afterwards() {
    assert!(fails(4, || commit_with_others_is_one_step(Fault::OthersAfterwards)));
}

#[test]
fn a_cancel_and_a_commit_agree() {
    check(4, || end_against_commit(Fault::None));
}

#[test]
fn two_cancels_and_a_commit_agree() {
    check(3, || two_ends_against_commit(Fault::None));
}

#[test]
fn two_commits_share_no_ticket() {
    check(4, || commit_against_commit(Fault::None));
}

#[test]
fn two_commits_and_a_cancel_agree() {
    check(2, || commits_against_end(Fault::None));
}

#[test]
fn a_proposal_entry_is_used_again() {
    check(4, || end_against_reused_proposal(Fault::None));
}

#[test]
fn a_slot_is_used_again() {
    check(3, || slot_reuse(false, Fault::None));
    check(2, || slot_reuse(true, Fault::None));
}

#[test]
fn a_free_slot_goes_to_one() {
    check(4, free_list);
}

#[test]
fn a_new_slot_goes_to_one() {
    check(3, || first_use(Fault::None));
}

#[test]
fn catches_a_cancel_that_ignores_the_proposal() {
    assert!(fails(4, || end_against_commit(Fault::EndIgnoresProposal)));
}

#[test]
fn catches_a_commit_that_steals() {
    assert!(fails(4, || commit_against_commit(Fault::CommitStealsMark)));
}

#[test]
fn catches_a_sequence_that_stands() {
    assert!(fails(4, || end_against_reused_proposal(Fault::SequenceStands)));
}

#[test]
fn catches_a_match_id_that_comes_late() {
    assert!(fails(3, || slot_reuse(false, Fault::MatchIdLate)));
}
