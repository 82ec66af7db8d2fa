//! Exact averages of teams, and the figures that a match record shows.
//!
//! Called by the judge once a match is known to be legal.

use super::facts::{Facts, balance_attribute, skill_attribute};
use super::judge::Judge;
use super::regions::RegionFigures;
use super::team_rules::Seating;
use crate::base::fixed::{Fixed, MICROS, mean_rounded};
use crate::model::event::{Micros, Quality};
use crate::model::ids::Millis;
use std::cmp::Ordering;

/// An exact fraction with a positive denominator.
#[derive(Clone, Copy, Debug)]
pub struct Ratio {
    above: i128,
    below: i128,
}

impl Ratio {
    /// Zero.
    pub const ZERO: Ratio = Ratio { above: 0, below: 1 };

    /// `above / below`; a denominator below 1 is read as 1.
    pub const fn new(above: i128, below: i128) -> Ratio {
        Ratio { above, below: if below < 1 { 1 } else { below } }
    }

    /// The greatest less the least; zero for fewer than two.
    pub fn spread(ratios: impl IntoIterator<Item = Ratio>) -> Ratio {
        let mut ends: Option<(Ratio, Ratio)> = None;
        for ratio in ratios {
            ends = Some(match ends {
                None => (ratio, ratio),
                Some((least, greatest)) => (least.min(ratio), greatest.max(ratio)),
            });
        }
        match ends {
            None => Ratio::ZERO,
            Some((least, greatest)) => Ratio::new(
                greatest.above * least.below - least.above * greatest.below,
                greatest.below * least.below,
            ),
        }
    }

    /// The least whole number that is not less.
    pub const fn rounded_up(self) -> i128 {
        -(-self.above).div_euclid(self.below)
    }

    /// The nearest whole number, halves up.
    pub const fn rounded_half_up(self) -> i128 {
        (2 * self.above + self.below).div_euclid(2 * self.below)
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Ratio) -> Ordering {
        (self.above * other.below).cmp(&(other.above * self.below))
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Ratio) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ratio {
    fn eq(&self, other: &Ratio) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ratio {}

/// Greatest less least team average of the players' own values of the attribute that balance is judged by, in
/// units of 0.000001; players and teams without a value are left out. Zero without such an attribute.
pub(super) fn team_spread(seating: &Seating<'_>) -> Ratio {
    let averages = seating.standing.iter().filter_map(|&team| {
        let sum = seating.members(team).map(|ticket| ticket.tie_sum).sum();
        let count: u32 = seating.members(team).map(|ticket| ticket.tie_count).sum();
        (count > 0).then(|| Ratio::new(sum, i128::from(count)))
    });
    Ratio::spread(averages)
}

/// The figures of a legal match; `cost` is its cost times players in units of 10^-12.
pub(super) fn figures(
    judge: &Judge,
    tickets: &[&Facts],
    cost: i128,
    region: Option<&RegionFigures>,
    team_spread: Ratio,
) -> Quality {
    let players: u32 = tickets.iter().map(|ticket| ticket.size()).sum();
    let balanced = judge.shape.has_teams() && balance_attribute(&judge.spec).is_some();
    Quality {
        cost: Micros(Ratio::new(cost, i128::from(players) * i128::from(MICROS)).rounded_half_up()),
        skill_spread: skill_attribute(&judge.spec).map(|_| skill_spread(tickets)),
        team_difference: balanced.then(|| Fixed::from_micros(team_spread.rounded_half_up() as i64)),
        ping_worst_ms: region.map(|region| region.ping_worst),
        ping_mean_ms: region.map(|region| mean_rounded(region.ping_sum, players, 1)),
        oldest_wait: tickets.iter().map(|ticket| ticket.age).max().unwrap_or(Millis(0)),
        exhaustive: true,
    }
}

/// Greatest less least merged value; zero for fewer than two.
fn skill_spread(tickets: &[&Facts]) -> Fixed {
    let values = || tickets.iter().filter_map(|ticket| ticket.skill);
    match (values().min(), values().max()) {
        (Some(least), Some(greatest)) => Fixed::from_micros(greatest.micros() - least.micros()),
        _ => Fixed::ZERO,
    }
}
