//! The kernels as loops that a compiler turns into vectors of any width.
//!
//! The files of the instruction sets compile each of them once more under their own features; nothing else calls
//! them. Invariant: fixed counts, no early end, integers only, one width a loop, which is what vectorises (a search
//! that ends early, a minimum of floats and loops that mix widths did not).

use super::dispatch::{Age, BLOCK, SUBSET_BITS};

/// A bit for each row of a block that passes.
#[inline(always)]
fn mask(passes: impl Fn(usize) -> bool) -> u64 {
    let mut bits = 0;
    for row in 0..BLOCK {
        bits |= u64::from(passes(row)) << row;
    }
    bits
}

#[inline(always)]
pub(super) fn younger(enqueued: &[u64; BLOCK], submits: &[u64; BLOCK], oldest: Age) -> u64 {
    let Age { enqueued: time, submit_number } = oldest;
    mask(|row| (enqueued[row] > time) | ((enqueued[row] == time) & (submits[row] > submit_number)))
}

#[inline(always)]
pub(super) fn sharing(masks: &[u64; BLOCK], wanted: u64) -> u64 {
    mask(|row| masks[row] & wanted != 0)
}

#[inline(always)]
pub(super) fn within(values: &[i64; BLOCK], low: i64, high: i64) -> u64 {
    mask(|row| (low <= values[row]) & (values[row] <= high))
}

#[inline(always)]
pub(super) fn reaching(values: &[i64; BLOCK], windows: &[i64; BLOCK], centre: i64) -> u64 {
    // A negative window reaches nothing; as an unsigned number it would reach everything.
    mask(|row| (windows[row] >= 0) & (values[row].abs_diff(centre) <= windows[row] as u64))
}

/// The sums of the last six values' subsets stand side by side; those of the others are gone through one by one.
#[inline(always)]
pub(super) fn nearest_subset(values: &[i64], target: i64) -> (u64, u32) {
    let (high, low) = values.split_at(values.len().saturating_sub(SUBSET_BITS));
    // Fewer than six are filled up by zeros in front, whose subsets come behind their like and are never the first.
    let mut six = [0; SUBSET_BITS];
    six[SUBSET_BITS - low.len()..].copy_from_slice(low);
    let mut lows = [0; 1 << SUBSET_BITS];
    for (bit, value) in six.iter().rev().enumerate() {
        double(&mut lows, 1 << bit, *value);
    }
    let mut highs = [0; 1 << SUBSET_BITS];
    for (bit, value) in high.iter().rev().enumerate() {
        double(&mut highs, 1 << bit, *value);
    }
    let (mut best, mut best_block) = (u64::MAX, 0);
    for (block, high) in highs[..1 << high.len()].iter().enumerate() {
        let rest = target - high;
        let mut least = u64::MAX;
        for low in &lows {
            least = least.min(rest.abs_diff(*low));
        }
        if least < best {
            (best, best_block) = (least, block);
        }
    }
    let rest = target - highs[best_block];
    let first = mask(|at| rest.abs_diff(lows[at]) == best).trailing_zeros();
    (best, (best_block << low.len()) as u32 | first)
}

/// Writes the first `count` sums plus `value` behind them.
#[inline(always)]
fn double(sums: &mut [i64; 1 << SUBSET_BITS], count: usize, value: i64) {
    for at in 0..count {
        sums[count + at] = sums[at] + value;
    }
}
