//! The token that says which form of the kernels runs, and the safe functions that run it.
//!
//! Called by indexes and splits. Invariant: a token names an instruction set that this processor has, which is what
//! makes the calls sound; only `Kernels::new` makes one.
#![allow(
    unsafe_code,
    reason = "a function with features of its own may be called where the processor has them"
)]

#[cfg(target_arch = "aarch64")]
use super::aarch64::neon;
use super::choice::{Simd, Unavailable};
use super::scalar;
#[cfg(target_arch = "x86_64")]
use super::x86_64::{avx2, avx512};

/// Rows of a block: one bit each in a `u64`.
pub const BLOCK: usize = 64;

/// Values whose subsets' sums stand side by side.
pub(super) const SUBSET_BITS: usize = 6;

/// Parts of one [`Kernels::best_split`], at most: two tables of sums.
pub const SPLIT_MAX: usize = 2 * SUBSET_BITS;

/// The greatest sum that a split may come to: differences of two still fit.
const SUM_MAX: u64 = 1 << 61;

/// Why there is no best split.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoSplit {
    /// No choice of parts has the size.
    OtherSizes,
    /// Too many parts, or sums that do not fit: nothing was looked at. For n parts and their sizes it is the sum of
    /// all |values| and |target|, doubled, times all sizes, that must stay below 2^61.
    OutOfRange,
}

/// A place in the order of waiting: smaller is older.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Age {
    /// The time of the submit, in ms.
    pub enqueued: u64,
    /// The number that tells equal times apart.
    pub submit_number: u64,
}

/// The kernels of one instruction set that this processor has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kernels(Simd);

impl Default for Kernels {
    /// Those of the widest set.
    fn default() -> Kernels {
        Kernels::new(Simd::Auto).unwrap_or(Kernels(Simd::Scalar))
    }
}

/// Runs the form of a kernel that the token names.
macro_rules! run {
    ($kernels:expr, $name:ident($($argument:expr),*)) => {
        match $kernels.0 {
            // SAFETY: `Kernels::new` has seen that the processor has AVX2, BMI1, BMI2 and LZCNT.
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 => unsafe { avx2::$name($($argument),*) },
            // SAFETY: `Kernels::new` has seen that the processor has AVX-512 F, BW, DQ and VL, and all of AVX2's.
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512 => unsafe { avx512::$name($($argument),*) },
            // SAFETY: `Kernels::new` has seen that the processor has NEON.
            #[cfg(target_arch = "aarch64")]
            Simd::Neon => unsafe { neon::$name($($argument),*) },
            _ => scalar::$name($($argument),*),
        }
    };
}

impl Kernels {
    /// The kernels of a set. Errors: the processor does not have it.
    pub fn new(simd: Simd) -> Result<Kernels, Unavailable> {
        simd.resolve().map(Kernels)
    }

    /// The set that was taken; never `Auto`.
    pub fn simd(self) -> Simd {
        self.0
    }

    /// A bit for each row that is younger than `oldest`: a later time, or at the same time a greater number.
    pub fn younger(self, enqueued: &[u64; BLOCK], submits: &[u64; BLOCK], oldest: Age) -> u64 {
        run!(self, younger(enqueued, submits, oldest))
    }

    /// A bit for each row whose mask shares a bit with `wanted`.
    pub fn sharing(self, masks: &[u64; BLOCK], wanted: u64) -> u64 {
        run!(self, sharing(masks, wanted))
    }

    /// A bit for each row whose value lies in `low..=high`.
    pub fn within(self, values: &[i64; BLOCK], low: i64, high: i64) -> u64 {
        run!(self, within(values, low, high))
    }

    /// A bit for each row whose own window reaches `centre`: |value - centre| is at most its window, inclusive.
    pub fn reaching(self, values: &[i64; BLOCK], windows: &[i64; BLOCK], centre: i64) -> u64 {
        run!(self, reaching(values, windows, centre))
    }

    /// Writes the rows of `mask`, ascending, each plus `from`, to the front of `out`, and answers how many there
    /// are. What lies behind them in `out` means nothing.
    pub fn compress(self, mask: u64, from: u32, out: &mut [u32; BLOCK]) -> usize {
        run!(self, compress(mask, from, out))
    }

    /// Of all choices of parts that have `size` in all the one whose values come nearest to `target`: how near, and a
    /// bit for each chosen part, the first part being the highest of them. Of equally near choices the least such
    /// number, which is the lexicographically smallest list of sides. With `is_first_fixed` the first part is not
    /// chosen.
    ///
    /// At most [`SPLIT_MAX`] parts, each of a value and a size. Cost: two to the power of the parts. Errors: [`NoSplit`].
    pub fn best_split(
        self,
        parts: &[(i64, u32)],
        size: u32,
        target: i64,
        is_first_fixed: bool,
    ) -> Result<(u64, u32), NoSplit> {
        if parts.len() > SPLIT_MAX {
            return Err(NoSplit::OutOfRange);
        }
        // Sizes become digits above all sums: a choice of another size is farther off than any of the right one.
        let most =
            parts.iter().fold(target.unsigned_abs(), |sum, part| sum.saturating_add(part.0.unsigned_abs()));
        let players: u64 = parts.iter().map(|part| u64::from(part.1)).sum::<u64>() + u64::from(size);
        let digit = most.saturating_mul(2).saturating_add(1);
        if digit.saturating_mul(players + 1) > SUM_MAX {
            return Err(NoSplit::OutOfRange);
        }
        let free = &parts[usize::from(is_first_fixed && !parts.is_empty())..];
        let mut values = [0; SPLIT_MAX];
        for (value, part) in values.iter_mut().zip(free) {
            *value = part.0 + digit as i64 * i64::from(part.1);
        }
        let (values, target) = (&values[..free.len()], target + digit as i64 * i64::from(size));
        let (gap, mask) = run!(self, nearest_subset(values, target));
        if gap < digit.div_ceil(2) { Ok((gap, mask)) } else { Err(NoSplit::OtherSizes) }
    }
}
