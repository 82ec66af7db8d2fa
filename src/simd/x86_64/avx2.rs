//! AVX2: the loops in vectors of 32 bytes.
//!
//! Only `dispatch` calls them. There is no instruction that compresses, so that stays as it is.

use crate::simd::dispatch::{Age, BLOCK};
use crate::simd::{loops, scalar};

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
pub(in crate::simd) fn younger(enqueued: &[u64; BLOCK], submits: &[u64; BLOCK], oldest: Age) -> u64 {
    loops::younger(enqueued, submits, oldest)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
pub(in crate::simd) fn sharing(masks: &[u64; BLOCK], wanted: u64) -> u64 {
    loops::sharing(masks, wanted)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
pub(in crate::simd) fn within(values: &[i64; BLOCK], low: i64, high: i64) -> u64 {
    loops::within(values, low, high)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
pub(in crate::simd) fn reaching(values: &[i64; BLOCK], windows: &[i64; BLOCK], centre: i64) -> u64 {
    loops::reaching(values, windows, centre)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
pub(in crate::simd) fn nearest_subset(values: &[i64], target: i64) -> (u64, u32) {
    loops::nearest_subset(values, target)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
pub(in crate::simd) fn compress(mask: u64, from: u32, out: &mut [u32; BLOCK]) -> usize {
    scalar::compress(mask, from, out)
}
