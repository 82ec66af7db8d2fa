//! A ring of slices of engine time: counts and a histogram for each, and counts since the start.
//!
//! Used by `stats`, one for each queue, each region of one and the ticks. Invariant: a slice is one place of the ring,
//! emptied when its turn comes again.

use super::histogram::{BUCKETS, Sum};
use super::ledger::LeftAlike;
use crate::model::codes::EndReason;
use crate::model::ids::Millis;
use crate::model::status::{Counts, WaitStats, WindowStats};

/// A ring of slices.
#[derive(Clone)]
pub(super) struct Ring {
    pub(super) total: Counts,
    slices: Vec<Slice>,
    /// `BUCKETS` for each slice.
    buckets: Vec<u32>,
}

#[derive(Clone, Copy, Default)]
struct Slice {
    /// The slice of engine time that it holds, from 1; 0: none.
    number: u64,
    counts: Counts,
    sum: u64,
}

/// What a ring of slices comes to within a window.
#[derive(Default)]
pub(super) struct Within {
    pub(super) counts: Counts,
    pub(super) samples: u64,
}

impl Ring {
    pub(super) fn new(slices: usize) -> Ring {
        Ring {
            total: Counts::default(),
            slices: vec![Slice::default(); slices],
            buckets: vec![0; slices * BUCKETS],
        }
    }

    pub(super) fn clear(&mut self) {
        self.total = Counts::default();
        self.slices.fill(Slice::default());
    }

    /// The place of a slice, emptied if it holds an older one.
    fn place(&mut self, number: u64) -> usize {
        let place = (number % self.slices.len() as u64) as usize;
        if self.slices[place].number != number {
            self.slices[place] = Slice { number, ..Slice::default() };
            self.buckets[place * BUCKETS..(place + 1) * BUCKETS].fill(0);
        }
        place
    }

    pub(super) fn count(&mut self, number: u64, count: impl Fn(&mut Counts)) {
        let place = self.place(number);
        count(&mut self.slices[place].counts);
        count(&mut self.total);
    }

    /// Adds so many values of one bucket, of that sum.
    pub(super) fn sample(&mut self, number: u64, bucket: usize, count: u32, sum: u64) {
        let place = self.place(number);
        self.slices[place].sum = self.slices[place].sum.saturating_add(sum);
        let bucket = &mut self.buckets[place * BUCKETS + bucket];
        *bucket = bucket.saturating_add(count);
    }

    pub(super) fn leave(&mut self, left: &LeftAlike, number: u64) {
        let tickets = u64::from(left.tickets);
        match left.reason {
            None => {
                self.count(number, |counts| {
                    counts.matched_tickets += tickets;
                    counts.matched_players += left.players;
                });
                self.sample(number, left.bucket as usize, left.tickets, left.waited);
            }
            Some(reason) => self.count(number, |counts| {
                counts.ended.count_many(reason, tickets);
                counts.starved += if left.starved && reason == EndReason::TimedOut { tickets } else { 0 };
            }),
        }
    }

    /// Counts, the sum of all samples and their histogram, from slice `first` on.
    pub(super) fn within(&self, first: u64) -> (Within, u64, Sum) {
        let (mut within, mut sum, mut histogram) = (Within::default(), 0_u64, Sum::new());
        for (slice, buckets) in self.slices.iter().zip(self.buckets.chunks_exact(BUCKETS)) {
            if slice.number >= first {
                within.counts.add(&slice.counts);
                sum = sum.saturating_add(slice.sum);
                histogram.add(buckets);
            }
        }
        within.samples = histogram.total();
        (within, sum, histogram)
    }

    pub(super) fn window(&self, first: u64) -> WindowStats {
        let (Within { counts, samples }, sum, histogram) = self.within(first);
        let of = |percent| histogram.percentile(percent).map(Millis);
        let mean = sum.checked_div(samples).map(Millis);
        let wait = WaitStats { samples, mean, p50: of(50), p90: of(90), p99: of(99) };
        WindowStats { counts, wait }
    }
}
