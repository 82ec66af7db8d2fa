//! Counts of numbers in logarithmic buckets: sixteen to each power of two, as in Gil Tene's HdrHistogram.
//!
//! Used by `stats` for waits in milliseconds and for steps. Numbers below 32 have a bucket each; above, a bucket
//! is at most a sixteenth of its least number wide and is told by its middle, so a percentile is within 1/32
//! (3.2 %) of the exact one. Invariant: buckets ascend, and every number has one.

/// Buckets to each power of two, as a power of two.
const SUB_BITS: u32 = 4;
/// The first power of two that has no buckets of its own: 2^28 ms are three days.
const TOP_BITS: u32 = 28;
/// Buckets of one histogram; the last one takes every greater number.
pub(super) const BUCKETS: usize = ((TOP_BITS - SUB_BITS + 1) << SUB_BITS) as usize;

/// The bucket of a number.
pub(super) fn bucket_of(number: u64) -> usize {
    if number < 1 << SUB_BITS {
        return number as usize;
    }
    let power = u64::BITS - 1 - number.leading_zeros();
    if power >= TOP_BITS {
        return BUCKETS - 1;
    }
    let within = (number >> (power - SUB_BITS)) as usize & ((1 << SUB_BITS) - 1);
    (((power - SUB_BITS + 1) << SUB_BITS) as usize) + within
}

/// The number that stands for a bucket: its middle.
fn middle_of(bucket: usize) -> u64 {
    if bucket < 1 << SUB_BITS {
        return bucket as u64;
    }
    let power = (bucket >> SUB_BITS) as u32 + SUB_BITS - 1;
    let within = (bucket & ((1 << SUB_BITS) - 1)) as u64;
    let width = 1_u64 << (power - SUB_BITS);
    (1 << power) + within * width + width / 2
}

/// The sum of several histograms, to be asked for percentiles.
pub(super) struct Sum {
    counts: [u64; BUCKETS],
    total: u64,
}

impl Sum {
    /// Nothing.
    pub(super) fn new() -> Sum {
        Sum { counts: [0; BUCKETS], total: 0 }
    }

    /// Adds the counts of one histogram.
    pub(super) fn add(&mut self, counts: &[u32]) {
        for (sum, &count) in self.counts.iter_mut().zip(counts) {
            *sum += u64::from(count);
            self.total += u64::from(count);
        }
    }

    /// How many numbers there are.
    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// The least bucket's middle that at least `percent` of all numbers do not exceed; `None` without numbers.
    pub(super) fn percentile(&self, percent: u64) -> Option<u64> {
        let rank = (self.total * percent).div_ceil(100).max(1);
        let mut passed = 0;
        let bucket = self.counts.iter().position(|&count| {
            passed += count;
            passed >= rank
        });
        bucket.map(middle_of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_is_within_its_stated_error() {
        let mut last = 0;
        for number in (0..5000).chain((1..1000).map(|n| n * 268_435)) {
            let bucket = bucket_of(number);
            assert!(bucket >= last || number < 5000, "{number}");
            last = bucket;
            let told = middle_of(bucket);
            if number < 1 << TOP_BITS {
                assert!(told.abs_diff(number) * 32 <= number, "{number} is told as {told}");
            }
        }
        assert_eq!(middle_of(bucket_of(31)), 31);
        assert_eq!(bucket_of((1 << TOP_BITS) - 1), BUCKETS - 1);
        assert_eq!(bucket_of(u64::MAX), BUCKETS - 1);
    }

    #[test]
    fn percentiles_are_nearest_ranks() {
        let mut counts = [0_u32; BUCKETS];
        assert_eq!(Sum::new().percentile(50), None);
        for number in 1..=10 {
            counts[bucket_of(number)] += 1;
        }
        let mut sum = Sum::new();
        sum.add(&counts);
        let of = |percent| sum.percentile(percent);
        assert_eq!([of(10), of(50), of(51), of(90), of(99), of(100)], [1, 5, 6, 9, 10, 10].map(Some));
    }
}
