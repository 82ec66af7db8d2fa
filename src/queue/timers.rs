//! What is to happen at a time: deadlines, and regions that come into or go out of a ticket's window.
//!
//! Two heaps of (time, ticket). Entries of tickets that have left are dropped when they come up, and swept out
//! when they are the greater part. Invariant: every live ticket's next event is in the heap.

use crate::model::ids::Millis;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Timers that there is room for beyond those that there are, at most: chosen, as twice the memory of a million is much.
const ROOM_MAX: usize = 1 << 16;

/// Something that is to happen to a ticket.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Timer {
    /// When.
    pub at: Millis,
    /// The ticket's place in the order of submits.
    pub submit_number: u64,
    /// Its row, which may hold another ticket by then.
    pub row: u32,
}

/// Timers, earliest first, then by submit number.
#[derive(Debug, Default)]
pub(super) struct Timers {
    heap: BinaryHeap<Reverse<Timer>>,
}

impl Timers {
    /// Sets a timer.
    pub(super) fn set(&mut self, at: Millis, submit_number: u64, row: u32) {
        self.heap.push(Reverse(Timer { at, submit_number, row }));
    }

    /// Takes the first timer that is due at `now`.
    pub(super) fn take_due(&mut self, now: Millis) -> Option<Timer> {
        if self.heap.peek()?.0.at > now {
            return None;
        }
        self.heap.pop().map(|Reverse(timer)| timer)
    }

    /// The first timer for which `is_live` holds; dead ones before it are dropped.
    pub(super) fn first(&mut self, is_live: impl Fn(&Timer) -> bool) -> Option<Timer> {
        while let Some(Reverse(timer)) = self.heap.peek() {
            if is_live(timer) {
                return Some(*timer);
            }
            self.heap.pop();
        }
        None
    }

    /// Sweeps out dead timers when there are more than twice as many timers as live tickets.
    pub(super) fn tidy(&mut self, live: usize, is_live: impl Fn(&Timer) -> bool) {
        if self.heap.len() > 64 + 2 * live {
            self.heap.retain(|Reverse(timer)| is_live(timer));
        }
        // So a load that varies a little allocates once.
        self.heap.reserve(self.heap.len().min(ROOM_MAX));
    }
}
