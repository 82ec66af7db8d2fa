//! What every point of a line costs with the next ones, and which of these it could exchange its mate for.
//!
//! The search for pairs calls [`Kernels::neighbours`] once for a cut and looks costs up from then on; its repair asks
//! [`Kernels::offers`]. Invariant: every form gives the same bits; a sum never wraps, as no cost is above [`COST_MAX`].
//!
//! The loops are plain Rust under `#[target_feature]`: eight points are one vector under AVX2 and AVX-512.
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

/// What points have, and who their mates are. All slices go on for so many elements beyond the last point as there are
/// neighbours.
#[derive(Clone, Copy)]
pub struct Held<'a> {
    /// What an exchange can save at most for a point: at most `i32::MAX / 2`.
    pub gains: &'a [i32],
    /// The places of their mates, as in [`Line`].
    pub mates: &'a [u32],
}

/// Runs the form of a kernel that the token names.
macro_rules! run {
    ($kernels:expr, $name:ident($($argument:expr),*)) => {
        match $kernels.simd() {
            // SAFETY: the token says that the processor has AVX2, BMI1, BMI2 and LZCNT.
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 => unsafe { avx2::$name($($argument),*) },
            // SAFETY: the token says that the processor has AVX-512 F, BW, DQ and VL, and all of AVX2's.
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512 => unsafe { avx512::$name($($argument),*) },
            // SAFETY: the token says that the processor has NEON.
            #[cfg(target_arch = "aarch64")]
            Simd::Neon => unsafe { neon::$name($($argument),*) },
            _ => $name($($argument),*),
        }
    };
}

impl Kernels {
    /// Writes for each point what it costs with each of the next `N`: the distance of their places plus, over all rows,
    /// the least sum of both numbers; [`COST_MAX`] or more where they are too far apart, or one is no point.
    pub fn neighbours<const N: usize>(self, line: Line<'_>, costs: &mut [[u32; N]]) {
        run!(self, meet(line, costs));
        // Beyond the last point there is none.
        let from = line.count.saturating_sub(N);
        for (at, own) in costs.iter_mut().enumerate().take(line.count).skip(from) {
            own[line.count - at - 1..].fill(COST_MAX);
        }
    }

    /// A bit for each of the next `N` points, 16 at most, with which the one at `at` costs less than [`COST_MAX`] and, with
    /// the distance of their mates, less than both can save. `costs`: those with the next ones.
    #[inline]
    pub fn offers<const N: usize>(self, costs: &[u32; N], held: Held<'_>, at: usize) -> u16 {
        run!(self, offer(costs, held, at))
    }

    /// Writes what the point at `at` costs with each of `N` from `from` on, on either side of it, as [`Kernels::neighbours`]
    /// does; a bit for each that costs at most so much, 16 at most. `own`: where the rows begin that are of use for it, and
    /// its numbers in them.
    #[inline]
    pub fn around<const N: usize>(
        self,
        line: Line<'_>,
        own: &[(u32, u32)],
        (at, from): (usize, usize),
        most: u32,
        costs: &mut [u32; N],
    ) -> u16 {
        run!(self, reach(line, own, (at, from), most, costs))
    }

    /// Writes amounts times a weight, shifted to the right, as costs; for `none` the cost `absent`.
    pub fn costs(self, amounts: &[u32], none: u32, weight: u32, shift: u32, absent: u32, costs: &mut [u32]) {
        run!(self, weigh(amounts, none, weight, shift, absent, costs));
    }
}

/// The loops under one set of features.
macro_rules! forms {
    ($name:ident, $arch:literal, $features:literal) => {
        #[cfg(target_arch = $arch)]
        mod $name {
            use super::{Held, Line};

            #[target_feature(enable = $features)]
            pub(super) fn meet<const N: usize>(line: Line<'_>, costs: &mut [[u32; N]]) {
                super::meet(line, costs);
            }

            #[target_feature(enable = $features)]
            pub(super) fn offer<const N: usize>(costs: &[u32; N], held: Held<'_>, at: usize) -> u16 {
                super::offer(costs, held, at)
            }

            #[target_feature(enable = $features)]
            pub(super) fn reach<const N: usize>(
                line: Line<'_>,
                own: &[(u32, u32)],
                places: (usize, usize),
                most: u32,
                costs: &mut [u32; N],
            ) -> u16 {
                super::reach(line, own, places, most, costs)
            }

            #[target_feature(enable = $features)]
            pub(super) fn weigh(
                amounts: &[u32],
                none: u32,
                weight: u32,
                shift: u32,
                absent: u32,
                costs: &mut [u32],
            ) {
                super::weigh(amounts, none, weight, shift, absent, costs);
            }
        }
    };
}

forms!(avx2, "x86_64", "avx2,bmi1,bmi2,lzcnt");
forms!(avx512, "x86_64", "avx2,bmi1,bmi2,lzcnt,avx512f,avx512bw,avx512dq,avx512vl");
forms!(neon, "aarch64", "neon");

/// The element at `at`, and the next `N`.
#[inline(always)]
fn from<const N: usize, T: Copy>(all: &[T], at: usize) -> Option<(T, &[T; N])> {
    let (own, next) = all.get(at..)?.split_first()?;
    Some((*own, next.first_chunk()?))
}

#[inline(always)]
fn meet<const N: usize>(line: Line<'_>, costs: &mut [[u32; N]]) {
    for (at, costs) in costs.iter_mut().enumerate().take(line.count) {
        let (Some((value, values)), Some((reach, reaches)), Some((place, places))) =
            (from::<N, _>(line.values, at), from::<N, _>(line.reaches, at), from::<N, _>(line.places, at))
        else {
            return;
        };
        let mut least = [if line.stride == 0 { 0 } else { u32::MAX }; N];
        if line.stride > 0 {
            for row in line.rows.chunks_exact(line.stride) {
                let Some((own, next)) = from::<N, _>(row, at) else { return };
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

#[inline(always)]
fn offer<const N: usize>(costs: &[u32; N], held: Held<'_>, at: usize) -> u16 {
    let (Some((gain, gains)), Some((mate, mates))) =
        (from::<N, _>(held.gains, at), from::<N, _>(held.mates, at))
    else {
        return 0;
    };
    let mut found = 0;
    for lane in 0..N {
        let cost = costs[lane] as i32;
        let apart = (mates[lane] as i32 - mate as i32).abs();
        let is_less = (cost < COST_MAX as i32) & (cost + apart < gain + gains[lane]);
        found |= u16::from(is_less) << lane;
    }
    found
}

#[inline(always)]
fn reach<const N: usize>(
    line: Line<'_>,
    own: &[(u32, u32)],
    (at, from): (usize, usize),
    most: u32,
    costs: &mut [u32; N],
) -> u16 {
    let chunk = |all: &'_ [u32], from: usize| all.get(from..).and_then(|all| all.first_chunk::<N>()).copied();
    let (Some(values), Some(reaches), Some(places)) =
        (chunk(line.values, from), chunk(line.reaches, from), chunk(line.places, from))
    else {
        return 0;
    };
    let (value, reach, place) = (line.values[at], line.reaches[at], line.places[at]);
    let mut least = [if line.stride == 0 { 0 } else { u32::MAX / 2 }; N];
    for &(row, number) in own {
        let Some(numbers) = chunk(line.rows, row as usize + from) else { return 0 };
        for lane in 0..N {
            least[lane] = least[lane].min(number + numbers[lane]);
        }
    }
    let mut found = 0;
    for lane in 0..N {
        let is_far = values[lane].abs_diff(value) > reach.min(reaches[lane]);
        let cost = places[lane].abs_diff(place) + least[lane];
        costs[lane] = if is_far { COST_MAX } else { cost };
        found |= u16::from(costs[lane] <= most) << lane;
    }
    found
}

#[inline(always)]
fn weigh(amounts: &[u32], none: u32, weight: u32, shift: u32, absent: u32, costs: &mut [u32]) {
    for (cost, &amount) in costs.iter_mut().zip(amounts) {
        let product = (u64::from(amount) * u64::from(weight)) >> shift;
        *cost = if amount == none { absent } else { product as u32 };
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

    #[test]
    fn every_form_tells_costs_on_either_side() {
        let mut random = ChaCha8Rng::seed_from_u64(11);
        for simd in Simd::available() {
            let kernels = Kernels::new(simd).unwrap();
            for (count, rows) in [(1, 1), (17, 0), (40, 4), (100, 16)] {
                let stride = if rows == 0 { 0 } else { count + 16 };
                let mut ascending = |most: u32| {
                    let mut all: Vec<u32> = (0..count).map(|_| random.random_range(0..most)).collect();
                    all.sort_unstable();
                    all.resize(count + 16, 0);
                    all
                };
                let (values, places) = (ascending(5_000), ascending(COST_MAX / 2));
                let reaches: Vec<u32> = (0..count + 16).map(|_| random.random_range(0..900)).collect();
                let numbers: Vec<u32> = (0..rows * stride)
                    .map(|_| if random.random_bool(0.3) { COST_MAX } else { random.random_range(0..1000) })
                    .collect();
                let (values, reaches, places, rows) = (&values[..], &reaches[..], &places[..], &numbers[..]);
                let line = Line { count, values, reaches, places, rows, stride };
                for at in 0..count {
                    let begins = (0..numbers.len()).step_by(stride.max(1));
                    let own: Vec<(u32, u32)> = begins.map(|from| (from as u32, numbers[from + at])).collect();
                    for from in 0..count {
                        let mut costs = [7; 16];
                        let found = kernels.around(line, &own, (at, from), 1 << 20, &mut costs);
                        for (lane, &told) in costs.iter().enumerate().filter(|&(lane, _)| from + lane < count)
                        {
                            let right = cost(line, at.min(from + lane), at.max(from + lane));
                            assert_eq!(told, right, "{simd:?}: points {at} and {} of {count}", from + lane);
                            assert_eq!(found >> lane & 1 == 1, right <= 1 << 20);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn every_form_offers_and_weighs_as_one_lane_does() {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        for simd in Simd::available() {
            let kernels = Kernels::new(simd).unwrap();
            for count in [1, 5, 40] {
                let mut numbers = |most: u32, len: usize| -> Vec<u32> {
                    (0..len).map(|_| random.random_range(0..most)).collect()
                };
                let flat = numbers(COST_MAX + 1000, 16 * count);
                let mates = numbers(1 << 28, count + 16);
                let gains: Vec<i32> = numbers(1 << 30, count + 16).iter().map(|&gain| gain as i32).collect();
                let held = Held { gains: &gains, mates: &mates };
                for at in 0..count {
                    let found = kernels.offers(&flat.as_chunks::<16>().0[at], held, at);
                    for lane in 0..16 {
                        let (cost, other) = (flat[16 * at + lane], at + 1 + lane);
                        let apart = i64::from(mates[at]) - i64::from(mates[other]);
                        let most = i64::from(gains[at]) + i64::from(gains[other]);
                        let right = cost < COST_MAX && i64::from(cost) + apart.abs() < most;
                        assert_eq!(found >> lane & 1 == 1, right, "{simd:?}: {at} and {other}");
                    }
                }
                let weight = 1_000_000;
                let mut costs = vec![7; flat.len()];
                kernels.costs(&flat, flat[0], weight, 20, 5, &mut costs);
                for (&cost, &amount) in costs.iter().zip(&flat) {
                    let right = ((u64::from(amount) * u64::from(weight)) >> 20) as u32;
                    assert_eq!(cost, if amount == flat[0] { 5 } else { right }, "{simd:?}: {amount}");
                }
            }
        }
    }
}
