//! One measured quantity: its percentiles and a small picture of its spread.
//!
//! Used by `summary`, `compare` and pages, drawn by `report`. Numbers are kept in units of 0.000001 in an HDR histogram with
//! four significant digits, so a percentile is right to a hundredth of a percent and memory does not grow
//! with the count; the greatest number is kept exactly.

use hdrhistogram::Histogram;

/// Significant digits that the histogram keeps.
const DIGITS: u8 = 4;
/// Units in one.
const MICROS: f64 = 1e6;

/// A measured quantity; numbers below 0 count as 0.
#[derive(Default)]
pub(crate) struct Measure {
    /// Made with the first number.
    histogram: Option<Histogram<u64>>,
    max_micros: u64,
}

/// One bar of a picture.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Bar {
    /// From here, inclusive.
    pub(crate) from: f64,
    /// To here, exclusive.
    pub(crate) to: f64,
    /// So many numbers.
    pub(crate) count: u64,
}

impl Measure {
    /// Takes one number, in units of 0.000001, `times` times.
    pub(crate) fn record(&mut self, micros: i128, times: u64) {
        if times == 0 {
            return;
        }
        let micros = micros.clamp(0, i128::from(u64::MAX >> 2)) as u64;
        if self.histogram.is_none() {
            self.histogram = Histogram::new(DIGITS).ok();
        }
        if let Some(histogram) = &mut self.histogram {
            // The histogram grows as it must; it can only refuse numbers beyond 2^63, and there are none.
            let _ = histogram.record_n(micros, times);
        }
        self.max_micros = self.max_micros.max(micros);
    }

    /// How many numbers there are.
    pub(crate) fn count(&self) -> u64 {
        self.histogram.as_ref().map_or(0, Histogram::len)
    }

    /// The number that `percent` of all numbers do not exceed, to four significant digits; `None` without
    /// numbers.
    pub(crate) fn percentile(&self, percent: f64) -> Option<f64> {
        let histogram = self.histogram.as_ref().filter(|histogram| !histogram.is_empty())?;
        let bucket = histogram.value_at_quantile(percent / 100.0);
        Some(significant(histogram.median_equivalent(bucket).min(self.max_micros) as f64 / MICROS))
    }

    /// The greatest number, exactly.
    pub(crate) fn max(&self) -> Option<f64> {
        (self.count() > 0).then_some(self.max_micros as f64 / MICROS)
    }

    /// At most `bars` bars of one width, a round number, from 0 to just beyond the 99th percentile; the last
    /// one holds everything above too.
    pub(crate) fn bars(&self, bars: usize) -> Vec<Bar> {
        let Some(most) = self.percentile(99.0) else { return Vec::new() };
        let width = round_width(most / bars as f64);
        let used = ((most / width).floor() as usize + 1).min(bars);
        let bar = |(n, count)| Bar { from: n as f64 * width, to: (n + 1) as f64 * width, count };
        self.counts(width, used).into_iter().enumerate().map(bar).collect()
    }

    /// How many numbers lie in each of `bars` (1 and more) bars of that width, from 0 on; the last one holds
    /// everything above too.
    pub(crate) fn counts(&self, width: f64, bars: usize) -> Vec<u64> {
        let mut counts = vec![0; bars.max(1)];
        let last = counts.len() - 1;
        let Some(histogram) = &self.histogram else { return counts };
        for bucket in histogram.iter_recorded() {
            let value = histogram.median_equivalent(bucket.value_iterated_to()) as f64 / MICROS;
            counts[((value / width) as usize).min(last)] += bucket.count_at_value();
        }
        counts
    }
}

/// `value` with four significant digits.
fn significant(value: f64) -> f64 {
    if value == 0.0 {
        return 0.0;
    }
    let scale = 10_f64.powi(i32::from(DIGITS) - 1 - value.abs().log10().floor() as i32);
    let rounded = (value * scale).round() / scale;
    // Beyond the sixth digit nothing was measured.
    (rounded * MICROS).round() / MICROS
}

/// The least of 1, 2, 2.5, 5 times a power of ten that is not below `least`, and not below 0.001.
pub(crate) fn round_width(least: f64) -> f64 {
    let least = least.max(0.001);
    let decade = 10_f64.powi(least.log10().floor() as i32);
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0];
    steps.iter().map(|step| step * decade).find(|&width| width >= least * 0.999_999).unwrap_or(10.0 * decade)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measure(numbers: &[f64]) -> Measure {
        let mut measure = Measure::default();
        for number in numbers {
            measure.record((number * MICROS) as i128, 1);
        }
        measure
    }

    #[test]
    fn percentiles_are_numbers_that_people_wrote() {
        let spread = measure(&[38.0, 4.2, 0.0, 9999.0, 150.74]);
        assert_eq!(spread.percentile(50.0), Some(38.0));
        assert_eq!(spread.percentile(20.0), Some(0.0));
        assert_eq!(spread.percentile(40.0), Some(4.2));
        assert_eq!(spread.percentile(80.0), Some(150.7));
        assert_eq!(spread.percentile(100.0), Some(9999.0));
        assert_eq!(spread.max(), Some(9999.0));
        assert_eq!((Measure::default().percentile(50.0), Measure::default().max()), (None, None));
    }

    #[test]
    fn bars_hold_every_number() {
        let waits = measure(&(0..1000).map(|n| f64::from(n) / 100.0).collect::<Vec<f64>>());
        let bars = waits.bars(10);
        assert_eq!(bars.len(), 10);
        assert_eq!(bars.iter().map(|bar| bar.count).sum::<u64>(), 1000);
        assert_eq!((bars[3].from, bars[3].to), (3.0, 4.0));
        assert!((95..=105).contains(&bars[3].count));
        let zeros = measure(&[0.0, 0.0]).bars(10);
        assert_eq!(zeros.iter().map(|bar| bar.count).collect::<Vec<u64>>(), [2]);
    }
}
