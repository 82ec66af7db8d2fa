//! loom models of the protocols between threads: every interleaving, within a bound of preemptions.
//!
//! Run: `RUSTFLAGS="--cfg loom" cargo test --release --no-default-features --test loom`. Each protocol also
//! runs with a known mistake in it, which its model must catch. One file for each group of protocols; the
//! bound of preemptions stands beside each model's name.
//!
//! loom 0.7.3 keeps one last access to each atomic, so a thread's own load hides an earlier load by another
//! from its exchange, and the order in which that exchange comes first is not tried. The models let the
//! thread that writes run first, in the main thread, and spawn the one that looks: then all orders are.
#![cfg(loom)]
#![allow(clippy::unwrap_used)] // All of this is a test.
#![allow(unsafe_code)] // An item that loom watches is shared between threads only by promise.

mod board;
mod claims;
mod door;
mod fifo;
mod gate;
mod ingress;
mod players;
mod pool;
mod published;
mod segments;
mod shelf;

use loom::cell::UnsafeCell;

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

/// An item whose making, reading and dropping loom watches.
struct Watched(UnsafeCell<u64>);

// SAFETY: it is written before it is shared and when it is dropped, and only read in between; that this holds
// is what the models check.
unsafe impl Sync for Watched {}
// SAFETY: it owns a number.
unsafe impl Send for Watched {}

impl Watched {
    fn new(number: u64) -> Watched {
        let item = Watched(UnsafeCell::new(0));
        // SAFETY: nobody else has the item yet.
        item.0.with_mut(|place| unsafe { *place = number });
        item
    }

    fn read(&self) -> u64 {
        // SAFETY: nobody writes before all who share the item are done with it.
        self.0.with(|place| unsafe { *place })
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        // A model that has failed needs no second fault.
        if std::thread::panicking() {
            return;
        }
        // SAFETY: whoever drops the item is the last who has it.
        self.0.with_mut(|place| unsafe { *place = u64::MAX });
    }
}
