//! Every form of every kernel against its meaning, said once more by the plainest loop.
//!
//! Blocks and slices begin at any element of a longer list, so at any alignment of vectors. A failing case prints its
//! input; proptest repeats it from there.

use proptest::prelude::*;

use super::*;

/// The kernels of every set that this processor has, each seen to be the one that was asked for.
fn all() -> Vec<Kernels> {
    Simd::available()
        .map(|simd| {
            let kernels = Kernels::new(simd).expect("an available set can be forced");
            assert_eq!(kernels.simd(), simd, "another set was taken than the forced one");
            kernels
        })
        .collect()
}

fn block<T>(values: &[T], from: usize) -> &[T; BLOCK] {
    values[from..from + BLOCK].try_into().expect("a block")
}

fn bits(passes: impl Fn(usize) -> bool) -> u64 {
    let mut bits = 0;
    for row in 0..BLOCK {
        if passes(row) {
            bits |= 1 << row;
        }
    }
    bits
}

/// Whole numbers that often meet: small ones, extremes, anything.
fn number() -> BoxedStrategy<i64> {
    let extreme = prop_oneof![Just(i64::MIN), Just(i64::MAX), Just(i64::MIN + 1), Just(0), Just(-1)];
    prop_oneof![4 => -4..4_i64, 1 => extreme, 1 => any::<i64>()].boxed()
}

fn unsigned() -> BoxedStrategy<u64> {
    prop_oneof![4 => 0..4_u64, 1 => Just(u64::MAX), 1 => Just(1 << 63), 1 => any::<u64>()].boxed()
}

/// Values of a block, seven more, and where the block begins.
fn rows<T: std::fmt::Debug + Clone>(
    value: impl Fn() -> BoxedStrategy<T>,
) -> impl Strategy<Value = (Vec<T>, Vec<T>, usize)> {
    let list = || prop::collection::vec(value(), BLOCK + 7);
    (list(), list(), 0..8_usize)
}

#[test]
fn every_forced_set_is_taken_and_the_others_are_refused() {
    for simd in Simd::ALL {
        match Kernels::new(simd) {
            Ok(kernels) => {
                assert!(simd.is_available());
                assert_eq!(kernels.simd(), simd);
            }
            Err(refused) => {
                assert!(!simd.is_available());
                let text = refused.to_string();
                assert!(text.contains(simd.word()) && text.contains("it has scalar"), "{text}");
            }
        }
        assert_eq!(Simd::from_word(simd.word()), Some(simd));
    }
    let widest = Simd::available().last();
    assert_eq!(Some(Kernels::new(Simd::Auto).map(Kernels::simd).unwrap_or_default()), widest);
    assert_eq!(Some(Kernels::default().simd()), widest);
    assert!(Simd::available().any(|simd| simd == Simd::Scalar), "the plain form is always there");
    assert_eq!(Simd::from_word("sse9"), None);
    #[cfg(target_arch = "x86_64")]
    assert!(!Simd::Neon.is_available());
    #[cfg(target_arch = "aarch64")]
    assert!(Simd::Neon.is_available() && !Simd::Avx2.is_available());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn younger((enqueued, submits, from) in rows(unsigned), time in unsigned(), submit_number in unsigned()) {
        let (enqueued, submits) = (block(&enqueued, from), block(&submits, 7 - from));
        let right = bits(|row| (enqueued[row], submits[row]) > (time, submit_number));
        for kernels in all() {
            let oldest = Age { enqueued: time, submit_number };
            prop_assert_eq!(kernels.younger(enqueued, submits, oldest), right, "{:?}", kernels);
        }
    }

    #[test]
    fn sharing((masks, _, from) in rows(unsigned), wanted in unsigned()) {
        let masks = block(&masks, from);
        let right = bits(|row| masks[row] & wanted != 0);
        for kernels in all() {
            prop_assert_eq!(kernels.sharing(masks, wanted), right, "{:?}", kernels);
        }
    }

    #[test]
    fn within((values, _, from) in rows(number), low in number(), high in number()) {
        let values = block(&values, from);
        let right = bits(|row| low <= values[row] && values[row] <= high);
        for kernels in all() {
            prop_assert_eq!(kernels.within(values, low, high), right, "{:?}", kernels);
        }
    }

    #[test]
    fn reaching((values, windows, from) in rows(number), centre in number()) {
        let (values, windows) = (block(&values, from), block(&windows, 7 - from));
        let gap = |row: usize| (i128::from(values[row]) - i128::from(centre)).abs();
        let right = bits(|row| gap(row) <= i128::from(windows[row]));
        for kernels in all() {
            prop_assert_eq!(kernels.reaching(values, windows, centre), right, "{:?}", kernels);
        }
    }

    #[test]
    fn compress(mask in prop_oneof![any::<u64>(), unsigned(), unsigned().prop_map(|mask| !mask)], from in 0..u32::MAX - 64) {
        let right: Vec<u32> = (0..64).filter(|row| mask >> row & 1 == 1).map(|row| from + row).collect();
        for kernels in all() {
            let mut out = [u32::MAX; BLOCK];
            let count = kernels.compress(mask, from, &mut out);
            prop_assert_eq!(&out[..count], &right[..], "{:?}", kernels);
        }
    }

    #[test]
    fn best_split(
        parts in prop::collection::vec((prop_oneof![3 => -9..9_i64, 1 => -(1_i64 << 48)..1 << 48], 1..4_u32), 0..=SPLIT_MAX),
        size in 0..8_u32,
        target in prop_oneof![3 => -30..30_i64, 1 => -(1_i64 << 50)..1 << 50],
        is_first_fixed in any::<bool>(),
    ) {
        let right = split_plainly(&parts, size, target, is_first_fixed);
        for kernels in all() {
            let split = kernels.best_split(&parts, size, target, is_first_fixed);
            prop_assert_eq!(split, right, "{:?}", kernels);
        }
    }
}

/// Tries every choice in the order of its number.
fn split_plainly(
    parts: &[(i64, u32)],
    size: u32,
    target: i64,
    is_first_fixed: bool,
) -> Result<(u64, u32), NoSplit> {
    let mut best = Err(NoSplit::OtherSizes);
    for mask in 0..1_u32 << parts.len() {
        let is_chosen = |at: usize| mask >> (parts.len() - 1 - at) & 1 == 1;
        if is_first_fixed && !parts.is_empty() && is_chosen(0) {
            continue;
        }
        let (mut sum, mut players) = (0, 0);
        for (at, part) in parts.iter().enumerate() {
            if is_chosen(at) {
                sum += part.0;
                players += part.1;
            }
        }
        let gap = sum.abs_diff(target);
        if players == size && best.is_ok_and(|(least, _)| gap < least) | best.is_err() {
            best = Ok((gap, mask));
        }
    }
    best
}

#[test]
fn a_split_that_does_not_fit_says_so() {
    for kernels in all() {
        let large = [(1_i64 << 59, 1), (1, 1)];
        assert_eq!(kernels.best_split(&large, 1, 0, false), Err(NoSplit::OutOfRange));
        assert_eq!(kernels.best_split(&[(i64::MIN, 1), (1, 1)], 1, 0, false), Err(NoSplit::OutOfRange));
        assert_eq!(kernels.best_split(&[(1, 1); SPLIT_MAX + 1], 1, 0, false), Err(NoSplit::OutOfRange));
        assert_eq!(kernels.best_split(&[(1, 2), (1, 2)], 3, 0, false), Err(NoSplit::OtherSizes));
        assert_eq!(kernels.best_split(&[], 0, 3, true), Ok((3, 0)));
        // Five against five of equal skill: red has the first five.
        assert_eq!(kernels.best_split(&[(1500, 1); 10], 5, 7500, true), Ok((0, 0b00000_11111)));
    }
}
