//! Random draws with the same bits on every machine.
//!
//! Used by `traffic`. A ChaCha8 stream seeded by a number, and the few distributions that traffic needs, on
//! `libm` rather than the platform's mathematics: Box and Muller's transform for the normal distribution,
//! inversion for the exponential one.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A seeded stream of draws.
pub(crate) struct Dice {
    stream: ChaCha8Rng,
}

impl Dice {
    /// The stream of that seed.
    pub(crate) fn new(seed: u64) -> Dice {
        Dice { stream: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// Uniform in [0, 1), in steps of 2^-53.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.stream.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Whether something of that probability happens.
    pub(crate) fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// Uniform among `0..count`; 0 if there is nothing to choose from.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        ((self.unit() * count as f64) as usize).min(count.saturating_sub(1))
    }

    /// Normal, with mean 0 and deviation 1.
    pub(crate) fn normal(&mut self) -> f64 {
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.unit()));
        radius * libm::cos(std::f64::consts::TAU * self.unit())
    }

    /// Exponential, with that mean.
    pub(crate) fn exponential(&mut self, mean: f64) -> f64 {
        -mean * libm::log(1.0 - self.unit())
    }

    /// An index, each with a probability in proportion to its weight; 0 if no weight is above 0.
    pub(crate) fn weighted(&mut self, weights: impl Iterator<Item = f64> + Clone) -> usize {
        let mut left = self.unit() * weights.clone().sum::<f64>();
        let mut last = 0;
        for (index, weight) in weights.enumerate() {
            if weight > 0.0 {
                last = index;
                left -= weight;
                if left < 0.0 {
                    break;
                }
            }
        }
        last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distributions_have_their_moments() {
        let mut dice = Dice::new(1);
        let count = 20_000;
        let normal: Vec<f64> = (0..count).map(|_| dice.normal()).collect();
        let mean = normal.iter().sum::<f64>() / f64::from(count);
        let variance = normal.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / f64::from(count);
        assert!(mean.abs() < 0.03 && (variance - 1.0).abs() < 0.05, "{mean} {variance}");
        let waits = (0..count).map(|_| dice.exponential(4.0)).sum::<f64>() / f64::from(count);
        assert!((waits - 4.0).abs() < 0.15, "{waits}");
        let ones = (0..count).filter(|_| dice.weighted([3.0, 1.0, 0.0].into_iter()) == 1).count();
        assert!((4_600..5_400).contains(&ones), "{ones}");
        assert_eq!(dice.weighted([0.0, 2.0, 0.0].into_iter()), 1);
        assert_eq!(dice.below(0), 0);
    }
}
