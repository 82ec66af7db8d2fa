//! Models of the gate of the C ABI: callers inside, and who shuts it.

use super::{check, fails};
use evenmatch::base::gate::{Gate, Mistake};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

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
