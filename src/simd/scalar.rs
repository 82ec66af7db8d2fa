//! What each kernel means, in the plainest words.
//!
//! Runs where nothing wider is there or wanted, and is what every other form is held against. Invariant: none of
//! these functions panics for blocks and slices within the stated sizes.

use super::dispatch::{Age, BLOCK};
use super::loops;

/// A bit for each row of a block that passes.
fn mask(passes: impl Fn(usize) -> bool) -> u64 {
    (0..BLOCK).filter(|&row| passes(row)).fold(0, |bits, row| bits | 1 << row)
}

pub(super) fn younger(enqueued: &[u64; BLOCK], submits: &[u64; BLOCK], oldest: Age) -> u64 {
    mask(|row| Age { enqueued: enqueued[row], submit_number: submits[row] } > oldest)
}

pub(super) fn sharing(masks: &[u64; BLOCK], wanted: u64) -> u64 {
    mask(|row| masks[row] & wanted != 0)
}

pub(super) fn within(values: &[i64; BLOCK], low: i64, high: i64) -> u64 {
    mask(|row| low <= values[row] && values[row] <= high)
}

pub(super) fn reaching(values: &[i64; BLOCK], windows: &[i64; BLOCK], centre: i64) -> u64 {
    mask(|row| i128::from(values[row].abs_diff(centre)) <= i128::from(windows[row]))
}

pub(super) fn compress(mask: u64, from: u32, out: &mut [u32; BLOCK]) -> usize {
    let mut count = 0;
    let mut left = mask;
    while left != 0 {
        out[count] = from + left.trailing_zeros();
        left &= left - 1;
        count += 1;
    }
    count
}

/// The one kernel that runs as the loop here too: said plainly it goes through every value of every subset, sixty
/// times as long for ten values. The tests say it plainly.
pub(super) fn nearest_subset(values: &[i64], target: i64) -> (u64, u32) {
    loops::nearest_subset(values, target)
}
