//! What every point of a line costs with the next ones: how far apart they are, and the least sum of what both have
//! in one of several rows.
//!
//! The search for pairs calls [`Kernels::neighbours`] once for a cut and looks costs up from then on. Invariant: every
//! form gives the same bits; a sum never wraps, as no number is above [`COST_MAX`].
//!
//! The loop is plain Rust under `#[target_feature]`: eight points are one vector under AVX2 and AVX-512.
#![allow(
    unsafe_code,
    reason = "a function with features of its own may be called where the processor has them"
)]

use super::choice::Simd;
use super::dispatch::Kernels;

/// The greatest place of a point, and the greatest number in a row.
pub const COST_MAX: u32 = 1 << 29;

/// Points along a line. All slices go on for so many elements beyond the last point as there are neighbours.
#[derive(Clone, Copy)]
pub struct Line<'a> {
    /// Points.
    pub count: usize,
    /// What tells how far apart two points are, ascending.
    pub values: &'a [u32],
    /// How far apart a point and its neighbour may be: the lesser of both reaches counts.
    pub reaches: &'a [u32],
    /// What distances cost, ascending.
    pub places: &'a [u32],
    /// Rows of numbers, one after the other, each of `stride`.
    pub rows: &'a [u32],
    /// From one row to the next; 0: there are no rows.
    pub stride: usize,
}

impl Kernels {
    /// Writes for each point what it costs with each of the next `N`: the distance of their places plus, over all rows,
    /// the least sum of both numbers; [`COST_MAX`] or more where they are too far apart, or one is no point.
    pub fn neighbours<const N: usize>(self, line: Line<'_>, costs: &mut [[u32; N]]) {
        match self.simd() {
            // SAFETY: the token says that the processor has AVX2, BMI1, BMI2 and LZCNT.
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 => unsafe { avx2(line, costs) },
            // SAFETY: the token says that the processor has AVX-512 F, BW, DQ and VL, and all of AVX2's.
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512 => unsafe { avx512(line, costs) },
            // SAFETY: the token says that the processor has NEON.
            #[cfg(target_arch = "aarch64")]
            Simd::Neon => unsafe { neon(line, costs) },
            _ => each(line, costs),
        }
        // Beyond the last point there is none.
        let from = line.count.saturating_sub(N);
        for (at, own) in costs.iter_mut().enumerate().take(line.count).skip(from) {
            own[line.count - at - 1..].fill(COST_MAX);
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
fn avx2<const N: usize>(line: Line<'_>, costs: &mut [[u32; N]]) {
    each(line, costs);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt")]
fn avx512<const N: usize>(line: Line<'_>, costs: &mut [[u32; N]]) {
    each(line, costs);
}

#[cfg(target_arch = "aarch64")]
#[target_feature(enable = "neon")]
fn neon<const N: usize>(line: Line<'_>, costs: &mut [[u32; N]]) {
    each(line, costs);
}

/// The element at `at`, and the next `N`.
#[inline(always)]
fn from<const N: usize>(all: &[u32], at: usize) -> Option<(u32, &[u32; N])> {
    let (own, next) = all.get(at..)?.split_first()?;
    Some((*own, next.first_chunk()?))
}

#[inline(always)]
fn each<const N: usize>(line: Line<'_>, costs: &mut [[u32; N]]) {
    for (at, costs) in costs.iter_mut().enumerate().take(line.count) {
        let (Some((value, values)), Some((reach, reaches)), Some((place, places))) =
            (from::<N>(line.values, at), from::<N>(line.reaches, at), from::<N>(line.places, at))
        else {
            return;
        };
        let mut least = [if line.stride == 0 { 0 } else { u32::MAX }; N];
        if line.stride > 0 {
            for row in line.rows.chunks_exact(line.stride) {
                let Some((own, next)) = from::<N>(row, at) else { return };
                for lane in 0..N {
                    least[lane] = least[lane].min(own.wrapping_add(next[lane]));
                }
            }
        }
        for lane in 0..N {
            let cost = places[lane].wrapping_sub(place).wrapping_add(least[lane]);
            let is_far = values[lane].wrapping_sub(value) > reach.min(reaches[lane]);
            costs[lane] = if is_far { COST_MAX } else { cost };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// What `neighbours` means, two points at a time.
    fn cost(line: Line<'_>, i: usize, j: usize) -> u32 {
        if line.values[j] - line.values[i] > line.reaches[i].min(line.reaches[j]) {
            return COST_MAX;
        }
        let sums = line.rows.chunks(line.stride.max(1)).map(|row| row[i] + row[j]);
        line.places[j] - line.places[i] + sums.min().unwrap_or(0)
    }

    #[test]
    fn every_form_costs_what_two_points_do() {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        for simd in Simd::available() {
            let kernels = Kernels::new(simd).unwrap();
            assert_eq!(kernels.simd(), simd);
            for (count, rows) in [(0, 2), (1, 1), (2, 0), (7, 3), (8, 4), (9, 0), (100, 16), (333, 5)] {
                let stride = if rows == 0 { 0 } else { count + 8 };
                let mut ascending = |most: u32| {
                    let mut all: Vec<u32> = (0..count + 8).map(|_| random.random_range(0..most)).collect();
                    all.sort_unstable();
                    all
                };
                let (values, places) = (ascending(5_000), ascending(COST_MAX / 2));
                let reaches: Vec<u32> = (0..count + 8).map(|_| random.random_range(0..300)).collect();
                let numbers: Vec<u32> = (0..rows * stride)
                    .map(|_| if random.random_bool(0.3) { COST_MAX } else { random.random_range(0..1000) })
                    .collect();
                let line = Line {
                    count,
                    values: &values,
                    reaches: &reaches,
                    places: &places,
                    rows: &numbers,
                    stride,
                };
                let mut costs = vec![[7; 8]; count];
                kernels.neighbours(line, &mut costs);
                for (i, costs) in costs.iter().enumerate() {
                    for (lane, &found) in costs.iter().enumerate() {
                        let j = i + 1 + lane;
                        let right = if j < count { cost(line, i, j) } else { COST_MAX };
                        assert_eq!(found, right, "{simd:?}: points {i} and {j} of {count}, {rows} rows");
                    }
                }
            }
        }
    }
}
