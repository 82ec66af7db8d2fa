//! Models of protocols of the engine's door, of several parts together: a ticket that comes in, is changed, or is let
//! go, while a tick or another call goes for it.
//!
//! The door itself is too large for loom; each model makes the steps of the calls (`engine::submit`, `update`, `tick`,
//! `poll`) in their order, on the parts that ship. The known mistakes are other orders of these steps, or steps left out.

use super::{check, fails};
use evenmatch::base::cells::{Cells, Run};
use evenmatch::base::fifo::Fifo;
use evenmatch::base::ingress::Ingress;
use evenmatch::base::late::Late;
use evenmatch::base::published::Published;
use evenmatch::base::shelf::{Freed, Shelf};
use evenmatch::base::sync::{AtomicBool, AtomicU64, Ordering, fence};
use evenmatch::claim::commit::{Claims, EndOutcome, WordState};
use evenmatch::claim::fault::Fault;
use evenmatch::claim::players::Players;
use evenmatch::model::ids::{MatchId, PlayerId, TicketId};
use loom::sync::Arc;
use loom::thread;

/// A mistake in the order of the steps.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mistake {
    /// The ticket may be matched before its call is in the list.
    PublishedFirst,
    /// The ticket is put onto its shelf when it may be matched already.
    SeatedLast,
    /// An update and a poll, or a batch and a close, do not fence what they write from what they read.
    NoFence,
    /// The slot is free when the ticket has been taken off its shelf, whoever still looks at it.
    FreedEarly,
    /// A player counts as free whose ticket is not published.
    UnpublishedIsDead,
    /// The words of a ticket are used again when it has been taken off its shelf, whoever still looks at it.
    WordsGivenEarly,
}

/// What a ticket's place on the shelf holds here: what it is, and whether its terminal event is written.
struct Record {
    user_data: u64,
    is_over: AtomicBool,
}

/// The parts of a door that a submit and a poll go through.
struct Parts {
    claims: Claims,
    shelf: Shelf<Record>,
    calls: Ingress<TicketId>,
    events: Fifo,
}

/// A submit while a tick takes the calls, matches the ticket if it waits, and polls: what can be matched has its call
/// in the list and its record on the shelf, and no event names a ticket that cannot be read.
fn submit_against_tick(mistake: Option<Mistake>) {
    let freed: Freed<Record> = Box::new(|_, _, _| ());
    let parts = Parts {
        claims: Claims::new(1),
        shelf: Shelf::new(1, freed),
        calls: Ingress::new(),
        events: Fifo::new(2),
    };
    let parts = Arc::new(parts);
    let tick = {
        let parts = Arc::clone(&parts);
        thread::spawn(move || {
            let mut calls = Vec::new();
            // A ticket that is seen to wait has pushed its call.
            let waits = parts.claims.state(TicketId::new(0, 1)) == WordState::Queued;
            parts.calls.take(&mut calls);
            assert!(!waits || calls.len() == 1, "a ticket waits that no tick hears of");
            for id in calls {
                if parts.claims.state(id) != WordState::Queued {
                    continue;
                }
                assert_eq!(parts.claims.commit(MatchId(id), &[id]), Ok(()));
                let record = parts.shelf.get(id.slot(), id.generation()).expect("it can be read");
                record.is_over.store(true, Ordering::Release);
                assert!(parts.events.push(id.0));
            }
            parts.events.pop().map(|id| {
                let id = TicketId(id);
                let record = parts.shelf.get(id.slot(), id.generation()).expect("its event can be read");
                assert!(record.is_over.load(Ordering::Acquire));
                record.user_data
            })
        })
    };
    let id = parts.claims.allocate().unwrap();
    let record = || Record { user_data: 7, is_over: AtomicBool::new(false) };
    if mistake != Some(Mistake::SeatedLast) {
        assert!(parts.shelf.put(id.slot(), id.generation(), record()).is_ok());
    }
    if mistake == Some(Mistake::PublishedFirst) {
        assert!(parts.claims.publish(id));
    }
    parts.calls.push(id);
    parts.claims.publish(id);
    if mistake == Some(Mistake::SeatedLast) {
        assert!(parts.shelf.put(id.slot(), id.generation(), record()).is_ok());
    }
    let told = tick.join().unwrap();
    assert!(told.is_none_or(|user_data| user_data == 7));
}

/// Two tickets of a batch are published, with one fence for both, while another thread closes the engine: each of them
/// ends, by one thread or the other.
fn batch_against_close(mistake: Option<Mistake>) {
    let barrier = move || {
        if mistake != Some(Mistake::NoFence) {
            fence(Ordering::SeqCst);
        }
    };
    let claims = Arc::new(Claims::new(2));
    let is_closed = Arc::new(AtomicBool::new(false));
    let ids: Vec<TicketId> = {
        let mut open = claims.open(2);
        std::iter::from_fn(|| open.allocate()).collect()
    };
    let closer = {
        let (claims, is_closed, ids) = (Arc::clone(&claims), Arc::clone(&is_closed), ids.clone());
        thread::spawn(move || {
            is_closed.store(true, Ordering::Release);
            barrier();
            ids.iter().filter(|&&id| claims.end(id) == EndOutcome::Ended).count()
        })
    };
    for &id in &ids {
        assert!(claims.publish(id));
    }
    barrier();
    let mut ended = 0;
    if is_closed.load(Ordering::Acquire) {
        ended = ids.iter().filter(|&&id| claims.end(id) == EndOutcome::Ended).count();
    }
    ended += closer.join().unwrap();
    let wait = ids.iter().filter(|&&id| claims.state(id) == WordState::Queued).count();
    assert_eq!((ended, wait), (2, 0), "a ticket waits in a closed engine");
}

/// An update while a tick commits the ticket and a poll tells of it: an update that is answered with success has been
/// heard of by the tick, or the event says that it was lost.
fn update_against_commit(mistake: Option<Mistake>) {
    let barrier = move || {
        if mistake != Some(Mistake::NoFence) {
            fence(Ordering::SeqCst);
        }
    };
    let version: Arc<Published<u64, 2>> = Arc::new(Published::with_cells(0));
    let terminal = Arc::new(AtomicU64::new(0));
    let update = {
        let (version, terminal) = (Arc::clone(&version), Arc::clone(&terminal));
        thread::spawn(move || {
            assert_eq!(version.compare_replace(version.load(), 1), Ok(()));
            barrier();
            terminal.load(Ordering::Acquire) == 0
        })
    };
    // The tick had taken version 0 in.
    terminal.store(1, Ordering::Release);
    barrier();
    let update_lost = *version.load() > 0;
    let is_accepted = update.join().unwrap();
    assert!(
        !is_accepted || update_lost,
        "an update was accepted, had no effect, and was not said to be lost"
    );
}

/// As above, for the first update of a plain ticket: what is rare of it comes late, and stays.
fn first_update_against_commit(mistake: Option<Mistake>) {
    let barrier = move || {
        if mistake != Some(Mistake::NoFence) {
            fence(Ordering::SeqCst);
        }
    };
    let rare: Arc<Late<u64>> = Arc::new(Late::new());
    let terminal = Arc::new(AtomicU64::new(0));
    let update = {
        let (rare, terminal) = (Arc::clone(&rare), Arc::clone(&terminal));
        thread::spawn(move || {
            assert!(rare.set(Box::new(1)).is_ok());
            barrier();
            terminal.load(Ordering::Acquire) == 0
        })
    };
    // The tick had taken the plain request in.
    terminal.store(1, Ordering::Release);
    barrier();
    let update_lost = rare.get().is_some();
    let is_accepted = update.join().unwrap();
    assert!(
        !is_accepted || update_lost,
        "an update was accepted, had no effect, and was not said to be lost"
    );
}

/// Two updates of a plain ticket at once: what one of them makes is rare of it, and the other finds that.
fn two_first_updates() {
    let rare: Arc<Late<u64>> = Arc::new(Late::new());
    let other = {
        let rare = Arc::clone(&rare);
        thread::spawn(move || (rare.set(Box::new(1)).is_ok(), *rare.get().unwrap()))
    };
    let own = (rare.set(Box::new(2)).is_ok(), *rare.get().unwrap());
    let other = other.join().unwrap();
    assert!(own.0 != other.0 && own.1 == other.1);
    assert_eq!(own.1, if own.0 { 2 } else { 1 });
}

/// A thread reads the words of a ticket that another takes away, and a third puts a new ticket there: whoever finds the
/// old one reads its words, all of them.
fn words_of_a_ticket_that_goes(mistake: Option<Mistake>) {
    let cells = Arc::new(Cells::new(1));
    let freed: Freed<Run> = {
        let cells = Arc::clone(&cells);
        let is_late = mistake != Some(Mistake::WordsGivenEarly);
        Box::new(move |_, _, run| {
            if is_late {
                cells.give(run);
            }
        })
    };
    let shelf = Arc::new(Shelf::new(1, freed));
    let run = cells.put(&[7, 8]).unwrap();
    assert!(shelf.put(0, 1, run).is_ok());
    let reader = {
        let (cells, shelf) = (Arc::clone(&cells), Arc::clone(&shelf));
        thread::spawn(move || {
            if let Some(run) = shelf.get(0, 1) {
                assert_eq!([cells.word(*run, 0), cells.word(*run, 1)], [7, 8], "words of another ticket");
            }
        })
    };
    assert!(shelf.remove(0, 1));
    if mistake == Some(Mistake::WordsGivenEarly) {
        cells.give(run);
    }
    if let Some(next) = cells.put(&[9, 10]) {
        assert_eq!([cells.word(next, 0), cells.word(next, 1)], [9, 10]);
    }
    reader.join().unwrap();
}

/// A late cancel looks at a ticket that has ended while its event is polled and its slot is used again: the slot and
/// its place on the shelf go to the next ticket together, and the cancel ends nothing.
fn slot_reuse_against_a_late_cancel(mistake: Option<Mistake>) {
    let claims = Arc::new(Claims::new(1));
    let freed: Freed<Record> = {
        let claims = Arc::clone(&claims);
        Box::new(move |slot, generation, _| {
            claims.free(TicketId::new(slot, generation));
        })
    };
    let shelf = Arc::new(Shelf::new(1, freed));
    let record = |user_data| Record { user_data, is_over: AtomicBool::new(false) };
    let old = claims.allocate().unwrap();
    assert!(shelf.put(old.slot(), old.generation(), record(1)).is_ok() && claims.publish(old));
    assert_eq!(claims.end(old), EndOutcome::Ended);
    let cancel = {
        let (claims, shelf) = (Arc::clone(&claims), Arc::clone(&shelf));
        thread::spawn(move || {
            let seen = shelf.get(old.slot(), old.generation()).map(|record| record.user_data);
            (seen, claims.end(old))
        })
    };
    assert!(shelf.remove(old.slot(), old.generation()));
    if mistake == Some(Mistake::FreedEarly) {
        claims.free(old);
    }
    if let Some(next) = claims.allocate() {
        let put = shelf.put(next.slot(), next.generation(), record(2));
        assert!(put.is_ok(), "a free slot has an empty place on the shelf");
        assert!(claims.publish(next));
        assert_eq!(claims.state(next), WordState::Queued, "a late cancel ended the next ticket");
    }
    let (seen, answer) = cancel.join().unwrap();
    assert!(seen.is_none_or(|user_data| user_data == 1));
    assert_eq!(answer, EndOutcome::NotFound);
}

/// Two submits of one player: one is accepted, and the other is refused because of it.
fn two_submits_of_one_player(mistake: Option<Mistake>) {
    let claims = Arc::new(Claims::new(2));
    let players = Arc::new(Players::with_fault(4, 1, Fault::None));
    let submit = move |claims: &Claims, players: &Players| {
        let id = claims.allocate().unwrap();
        let is_live = |ticket| match claims.state(ticket) {
            WordState::Queued => true,
            WordState::Unpublished => mistake != Some(Mistake::UnpublishedIsDead),
            _ => false,
        };
        match players.claim(&[PlayerId(1)], id, is_live) {
            Ok(()) => claims.publish(id),
            Err(_) => {
                claims.free(id);
                false
            }
        }
    };
    let other = {
        let (claims, players) = (Arc::clone(&claims), Arc::clone(&players));
        thread::spawn(move || submit(&claims, &players))
    };
    let own = submit(&claims, &players);
    assert!(own != other.join().unwrap(), "one of two submits of a player is accepted");
    let ticket = players.get(PlayerId(1)).expect("the player is entered");
    assert_eq!(claims.state(ticket), WordState::Queued);
}

#[test]
fn what_is_submitted_is_seen_whole() {
    check(2, || submit_against_tick(None));
}

#[test]
fn catches_a_ticket_that_waits_before_its_call_is_pushed() {
    assert!(fails(2, || submit_against_tick(Some(Mistake::PublishedFirst))));
}

#[test]
fn catches_a_ticket_that_waits_before_it_can_be_read() {
    assert!(fails(2, || submit_against_tick(Some(Mistake::SeatedLast))));
}

#[test]
fn a_batch_and_a_close_agree() {
    check(3, || batch_against_close(None));
}

#[test]
fn catches_a_batch_that_is_published_without_a_fence() {
    assert!(fails(3, || batch_against_close(Some(Mistake::NoFence))));
}

#[test]
fn an_update_and_a_commit_agree() {
    check(3, || update_against_commit(None));
}

#[test]
fn catches_an_update_without_a_fence() {
    assert!(fails(3, || update_against_commit(Some(Mistake::NoFence))));
}

#[test]
fn a_first_update_and_a_commit_agree() {
    check(3, || first_update_against_commit(None));
}

#[test]
fn catches_a_first_update_without_a_fence() {
    assert!(fails(3, || first_update_against_commit(Some(Mistake::NoFence))));
}

#[test]
fn one_of_two_first_updates_is_first() {
    check(3, two_first_updates);
}

#[test]
fn words_stay_until_the_last_look() {
    check(3, || words_of_a_ticket_that_goes(None));
}

#[test]
fn catches_words_that_are_used_again_too_early() {
    assert!(fails(3, || words_of_a_ticket_that_goes(Some(Mistake::WordsGivenEarly))));
}

#[test]
fn a_slot_and_its_place_are_used_again_together() {
    check(2, || slot_reuse_against_a_late_cancel(None));
}

#[test]
fn catches_a_slot_that_is_free_before_its_place() {
    assert!(fails(2, || slot_reuse_against_a_late_cancel(Some(Mistake::FreedEarly))));
}

#[test]
fn one_of_two_submits_is_accepted() {
    check(2, || two_submits_of_one_player(None));
}

#[test]
fn catches_a_player_who_is_free_too_early() {
    assert!(fails(2, || two_submits_of_one_player(Some(Mistake::UnpublishedIsDead))));
}
