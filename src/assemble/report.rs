//! The figures of a match that has been found: its teams, its regions, how good it is.

use super::anchor::Search;
use super::duel;
use super::quality::{RegionPlace, judge_set, region_place, regions_of};
use super::scene::{Ground, Scene};
use super::states::States;
use super::teams::Goal;
use crate::base::fixed::Fixed;
use crate::model::event::{Micros, Quality};
use crate::rules::compile::NO_VALUE;

/// A match, split and measured.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Measured {
    /// Its rows, in submit order.
    pub rows: Vec<u32>,
    /// The position of each row's team.
    pub positions: Vec<u32>,
    /// Its legal regions by number, best first.
    pub regions: Vec<u8>,
    /// How good it is.
    pub quality: Quality,
}

impl Search {
    /// Splits the best match for good and measures it. The match was found legal, so a split is found again.
    pub fn measure(&mut self, ground: &Ground<'_>, states: &States, measured: &mut Measured) {
        let rows = std::mem::take(&mut self.found.best.rows);
        let exhaustive = self.found.exhaustive;
        let cost = match rows[..] {
            [oldest, other] if self.found.is_told => duel::measure(ground, states, [oldest, other], measured),
            _ => self.measure_set(ground, states, &rows, exhaustive, measured),
        };
        #[cfg(debug_assertions)]
        if self.found.is_told {
            let mut judged = std::mem::take(&mut self.judged);
            self.measure_set(ground, states, &rows, exhaustive, &mut judged);
            assert_eq!(*measured, judged, "a plain pair is something else than it was told");
            self.judged = judged;
        }
        debug_assert_eq!(cost, self.found.best.cost, "the cost of a match has changed");
        self.found.best.rows = rows;
    }

    /// Splits any set that was found legal, sorted by seniority, and measures it. Returns its cost times its players.
    /// `was_exhaustive`: no search that led to it was cut off.
    pub fn measure_set(
        &mut self,
        ground: &Ground<'_>,
        states: &States,
        set: &[u32],
        was_exhaustive: bool,
        measured: &mut Measured,
    ) -> i128 {
        let scene = ground.scene(states);
        let Some(terms) = judge_set(&scene, set) else { unreachable!("a match that was found legal is not") };
        let (split, exhaustive) = self.splitter.split(&scene, set, &terms, Goal::Best);
        let Some(split) = split else { unreachable!("a match that had a split has none") };
        measured.rows.clear();
        measured.rows.extend(self.splitter.rows());
        measured.positions.clear();
        measured.positions.extend_from_slice(self.splitter.teams());
        measured.regions.clear();
        let mut places: [Option<RegionPlace>; 64] = [None; 64];
        for (place, region) in places.iter_mut().zip(regions_of(terms.regions)) {
            *place = Some(region_place(&scene, set, region));
        }
        places.sort_unstable_by_key(|place| (place.is_none(), *place));
        measured.regions.extend(places.iter().flatten().map(|place| place.region as u8));
        let players = i128::from(terms.players);
        let best = places[0];
        measured.quality = Quality {
            cost: Micros(half_up(terms.cost + split.cost, players * 1_000_000)),
            skill_spread: spread(&scene, set),
            team_difference: (scene.queue.shape.has_teams && scene.queue.balance_slots.is_some())
                .then(|| Fixed::from_micros(split.balance.half_up() as i64)),
            ping_worst_ms: best.map(|best| Fixed::from_micros(best.worst)),
            ping_mean_ms: best.map(|best| Fixed::from_micros(half_up(best.sum, players) as i64)),
            oldest_wait: scene.tickets.age(set[0], scene.now),
            exhaustive: was_exhaustive && exhaustive,
        };
        terms.cost + split.cost
    }
}

/// Greatest minus least reported value of the set.
fn spread(scene: &Scene<'_>, set: &[u32]) -> Option<Fixed> {
    let slot = scene.queue.spread_slot?;
    let values = || set.iter().map(|&row| scene.tickets.number(slot, row)).filter(|&value| value != NO_VALUE);
    let spread = values().max().zip(values().min()).map_or(0, |(high, low)| high - low);
    Some(Fixed::from_micros(spread))
}

/// A quotient rounded half up.
pub(super) fn half_up(numerator: i128, denominator: i128) -> i128 {
    let (numerator, denominator) = (2 * numerator + denominator, 2 * denominator);
    // A division of 128 bits takes ten times one of 64.
    match (i64::try_from(numerator), i64::try_from(denominator)) {
        (Ok(numerator), Ok(denominator)) => i128::from(numerator.div_euclid(denominator)),
        _ => numerator.div_euclid(denominator),
    }
}
