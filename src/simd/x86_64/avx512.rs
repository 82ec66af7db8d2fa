//! AVX-512: the loops in vectors of 64 bytes, and what has an instruction of its own.
//!
//! Only `dispatch` calls them. A compression has no form that compilers find by themselves.
#![allow(unsafe_code, reason = "stores a vector through a pointer")]

use crate::simd::dispatch::{Age, BLOCK};
use crate::simd::loops;
use std::arch::x86_64::{
    __mmask16, _mm512_add_epi32, _mm512_maskz_compress_epi32, _mm512_set1_epi32, _mm512_setr_epi32,
    _mm512_storeu_epi32,
};

/// Lanes of 4 bytes in a vector.
const LANES: usize = 16;

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,avx512f,avx512bw,avx512dq,avx512vl")]
pub(in crate::simd) fn younger(enqueued: &[u64; BLOCK], submits: &[u64; BLOCK], oldest: Age) -> u64 {
    loops::younger(enqueued, submits, oldest)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,avx512f,avx512bw,avx512dq,avx512vl")]
pub(in crate::simd) fn sharing(masks: &[u64; BLOCK], wanted: u64) -> u64 {
    loops::sharing(masks, wanted)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,avx512f,avx512bw,avx512dq,avx512vl")]
pub(in crate::simd) fn within(values: &[i64; BLOCK], low: i64, high: i64) -> u64 {
    loops::within(values, low, high)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,avx512f,avx512bw,avx512dq,avx512vl")]
pub(in crate::simd) fn reaching(values: &[i64; BLOCK], windows: &[i64; BLOCK], centre: i64) -> u64 {
    loops::reaching(values, windows, centre)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,avx512f,avx512bw,avx512dq,avx512vl")]
pub(in crate::simd) fn nearest_subset(values: &[i64], target: i64) -> (u64, u32) {
    loops::nearest_subset(values, target)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,avx512f,avx512bw,avx512dq,avx512vl")]
pub(in crate::simd) fn compress(mask: u64, from: u32, out: &mut [u32; BLOCK]) -> usize {
    let lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    let mut count = 0;
    for first in (0..BLOCK).step_by(LANES) {
        let rows = _mm512_add_epi32(lanes, _mm512_set1_epi32((from + first as u32) as i32));
        let kept = (mask >> first) as __mmask16;
        let packed = _mm512_maskz_compress_epi32(kept, rows);
        let room = &mut out[count..count + LANES];
        // SAFETY: `room` is valid for a write of sixteen lanes of 4 bytes, of any alignment.
        unsafe { _mm512_storeu_epi32(room.as_mut_ptr().cast(), packed) };
        count += kept.count_ones() as usize;
    }
    count
}
