//! B less A, once for the trace and over its variants.
//!
//! Used by `compare`, shown by `view` and `json`. Both queues replay the same variant, so each difference is
//! between pairs and what the variant itself brings about cancels out. Invariant: a metric that either side
//! lacks has no difference.

use super::outcome::{METRICS, Values};

/// One group, compared.
pub(super) struct Compared {
    /// The trace through A and through B.
    pub(super) sides: [Values; 2],
    /// For each metric the differences over the variants.
    pub(super) spread: Vec<Option<Spread>>,
}

/// The differences of one metric over the variants.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Spread {
    /// Variants in which both sides have the metric.
    pub(super) count: usize,
    /// Their mean.
    pub(super) mean: f64,
    /// The standard deviation, with `count - 1`; `None` for one variant.
    pub(super) deviation: Option<f64>,
    /// The least and the greatest.
    pub(super) least: f64,
    pub(super) greatest: f64,
}

/// `b - a`, metric by metric.
pub(super) fn difference([a, b]: &[Values; 2]) -> Values {
    let mut differences = [None; METRICS];
    for (place, difference) in differences.iter_mut().enumerate() {
        *difference = a[place].zip(b[place]).map(|(a, b)| b - a);
    }
    differences
}

impl Compared {
    /// The trace itself and its variants.
    pub(super) fn new(sides: [Values; 2], variants: &[[Values; 2]]) -> Compared {
        let differences: Vec<Values> = variants.iter().map(difference).collect();
        let of_metric = |metric: usize| {
            let found: Vec<f64> = differences.iter().filter_map(|values| values[metric]).collect();
            Spread::of(&found)
        };
        Compared { sides, spread: (0..METRICS).map(of_metric).collect() }
    }
}

impl Spread {
    fn of(differences: &[f64]) -> Option<Spread> {
        let count = differences.len();
        let least = differences.iter().copied().reduce(f64::min)?;
        let greatest = differences.iter().copied().reduce(f64::max)?;
        let mean = differences.iter().sum::<f64>() / count as f64;
        let squares: f64 = differences.iter().map(|it| (it - mean) * (it - mean)).sum();
        let deviation = (count > 1).then(|| (squares / (count - 1) as f64).sqrt());
        Some(Spread { count, mean, deviation, least, greatest })
    }

    /// Whether every variant has the sign of the mean. If the queues did not differ in the metric, signs would be
    /// heads and tails, and all of n the same once in 2^(n-1).
    pub(super) fn has_one_sign(&self) -> bool {
        self.least > 0.0 || self.greatest < 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_has_its_moments() {
        let spread = Spread::of(&[1.0, 2.0, 3.0, 6.0]).unwrap();
        assert_eq!((spread.count, spread.mean, spread.least, spread.greatest), (4, 3.0, 1.0, 6.0));
        // Squares 4 + 1 + 0 + 9 over 3.
        assert!((spread.deviation.unwrap() - (14.0_f64 / 3.0).sqrt()).abs() < 1e-12);
        assert!(spread.has_one_sign());
        assert!(!Spread::of(&[-1.0, 2.0]).unwrap().has_one_sign());
        assert!(!Spread::of(&[0.0, 2.0]).unwrap().has_one_sign());
        assert_eq!(Spread::of(&[5.0]).unwrap().deviation, None);
        assert_eq!(Spread::of(&[]), None);
    }

    #[test]
    fn what_one_side_lacks_has_no_difference() {
        let mut a = [Some(1.0); METRICS];
        let b = [Some(3.5); METRICS];
        a[3] = None;
        let differences = difference(&[a, b]);
        assert_eq!((differences[0], differences[3]), (Some(2.5), None));
        let compared = Compared::new([a, b], &[[a, b], [b, b]]);
        assert_eq!(compared.spread[3].map(|spread| spread.count), Some(1));
        assert_eq!(compared.spread[0].map(|spread| spread.mean), Some(1.25));
    }
}
