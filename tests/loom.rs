//! loom models of the protocols between threads: every interleaving, within a bound of preemptions.
//!
//! Run: `RUSTFLAGS="--cfg loom" cargo test --release --no-default-features --test loom`. Each protocol also
//! runs with a known mistake in it, which its model must catch.
#![cfg(loom)]
#![allow(clippy::unwrap_used)] // All of this file is a test.
#![allow(unsafe_code)] // An item that loom watches is shared between threads only by promise.

use evenmatch::base::gate::{Gate, Mistake};
use evenmatch::base::segments::Segments;
use evenmatch::base::sync::Ordering;
use evenmatch::claim::commit::{Claims, EndOutcome, WordState};
use evenmatch::claim::fault::Fault;
use evenmatch::model::ids::{MatchId, TicketId};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

/// Runs a model over all interleavings with at most `preemptions` preemptions.
fn check(preemptions: usize, model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.check(model);
}

/// Whether the model fails.
fn fails(preemptions: usize, model: impl Fn() + Sync + Send + std::panic::UnwindSafe + 'static) -> bool {
    std::panic::catch_unwind(move || check(preemptions, model)).is_err()
}

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
fn free_list(fault: Fault) {
    let (claims, t) = queued(2, fault);
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

/// An item whose writes and reads loom watches.
struct Watched(UnsafeCell<u32>);

// SAFETY: it is written before it is shared and only read afterwards; that this holds is what the model
// checks.
unsafe impl Sync for Watched {}
// SAFETY: it owns a number.
unsafe impl Send for Watched {}

impl Watched {
    fn made() -> Watched {
        let item = Watched(UnsafeCell::new(0));
        // SAFETY: nobody else has the item yet.
        item.0.with_mut(|number| unsafe { *number = 7 });
        item
    }

    fn read(&self) -> u32 {
        // SAFETY: nobody writes any more.
        self.0.with(|number| unsafe { *number })
    }
}

/// Two threads make one segment while a third looks: all see items that are whole, and the same ones.
fn segments(publish: Ordering) {
    let table = Arc::new(Segments::with_publish_order(2, publish));
    let makers: Vec<_> = (0..2)
        .map(|_| {
            let table = Arc::clone(&table);
            thread::spawn(move || {
                let item: *const Watched = table.get_or_make(0, Watched::made).unwrap();
                assert_eq!(table.get_or_make(1, Watched::made).unwrap().read(), 7);
                item as usize
            })
        })
        .collect();
    if let Some(item) = table.get(0) {
        assert_eq!(item.read(), 7);
    }
    let items: Vec<usize> = makers.into_iter().map(|maker| maker.join().unwrap()).collect();
    assert_eq!(items[0], items[1]);
}

/// What stands behind a gate, and is taken away when nobody is inside any more.
struct Guarded {
    gate: Gate,
    item: UnsafeCell<u32>,
}

// SAFETY: the item is shared by the promise of the gate, which the models are there to check; loom watches it.
unsafe impl Sync for Guarded {}

/// Callers enter while the item is taken away: whoever is inside finds it as it was put there.
fn callers_against_a_shut(mistake: Option<Mistake>) {
    let guarded = Arc::new(Guarded { gate: Gate::with_mistake(mistake), item: UnsafeCell::new(0) });
    let generation = guarded.gate.reserve().unwrap();
    // SAFETY: nobody enters before the gate is open.
    guarded.item.with_mut(|item| unsafe { *item = 7 });
    guarded.gate.open(generation);
    let callers: Vec<_> = (0..2)
        .map(|_| {
            let guarded = Arc::clone(&guarded);
            thread::spawn(move || {
                if guarded.gate.enter(generation).is_ok() {
                    // SAFETY: the caller is inside.
                    assert_eq!(guarded.item.with(|item| unsafe { *item }), 7);
                    guarded.gate.leave();
                }
            })
        })
        .collect();
    guarded.gate.shut(generation).unwrap();
    while !guarded.gate.is_empty() {
        thread::yield_now();
    }
    // SAFETY: the gate was shut here and is empty.
    guarded.item.with_mut(|item| unsafe { *item = 0 });
    guarded.gate.free(generation);
    callers.into_iter().for_each(|caller| caller.join().unwrap());
    assert!(guarded.gate.enter(generation).is_err());
}

#[test]
fn a_segment_is_seen_whole() {
    check(3, || segments(Ordering::Release));
}

#[test]
fn catches_a_segment_that_is_published_relaxed() {
    assert!(fails(3, || segments(Ordering::Relaxed)));
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
    check(4, || free_list(Fault::None));
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

#[test]
fn catches_a_free_list_that_does_not_count() {
    assert!(fails(4, || free_list(Fault::CountStands)));
}

#[test]
fn callers_and_a_shut_agree() {
    check(3, || callers_against_a_shut(None));
}

#[test]
fn catches_a_caller_that_counts_late() {
    assert!(fails(3, || callers_against_a_shut(Some(Mistake::CountsLate))));
}

#[test]
fn catches_a_caller_that_leaves_without_a_word() {
    assert!(fails(3, || callers_against_a_shut(Some(Mistake::LeavesRelaxed))));
}
