//! The tickets of one cut of the order, side by side, and what a match of two of them costs.
//!
//! Filled and read by the searches for pairs. Costs are those of the rules, scaled down by one power of two so that
//! that of any plain pair takes 29 bits: with ratings over a range of 3,000 points the unit is a hundred-thousandth of
//! a point. Invariant: whether a pair is legal is never rounded; only which of two legal ways is the cheaper is, and
//! only by less than two units a pair.

use super::ages::Ages;
use super::judged::{judge, sizes_fit};
use super::lanes::scale;
use super::line::Line;
use super::plain::{Binding, DIFFERENCES_MAX, PlainRules};
use crate::assemble::scene::Ground;
use crate::assemble::states::States;
use crate::assemble::teams::Splitter;
use crate::rules::compile::NO_VALUE;

/// The least cost that no pair has: two tickets that are no legal match.
pub(super) const APART: u32 = 1 << 29;
/// What a player who is left over counts: more than any number of pairs in one cut.
pub(super) const LEFT_OVER: i64 = 1 << 48;
/// Pings that are looked at side by side.
const LANES: usize = 4;

/// One ticket.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub(super) row: u32,
    /// Whether pairs of it with another plain ticket need no judge.
    pub(super) is_plain: bool,
    /// Its players.
    pub(super) size: u16,
    /// Its value in the difference of the order, scaled to cost.
    pub(super) place: u32,
    /// Its least ping, scaled to cost: no match of it costs less.
    pub(super) own: u32,
    /// Its value in the difference of the order.
    pub(super) value: i64,
    /// How far its partner's value may be.
    pub(super) reach: i64,
    /// The regions that it can be matched in now; all without a region rule.
    pub(super) mask: u64,
}

/// A ticket under one of the other differences.
#[derive(Clone, Copy, Debug)]
struct Other {
    value: i64,
    reach: i64,
}

/// The tickets of a cut, in the order of their values.
#[derive(Default)]
pub(super) struct Spots {
    pub(super) all: Vec<Spot>,
    others: Vec<Other>,
    /// Scaled pings, a row for each ticket; `APART` where it cannot be matched.
    pings: Vec<u32>,
    /// Scaled pings times players, `width` for each ticket, for searches for groups.
    weighed: Vec<i64>,
    width: usize,
    /// Places of a row of pings: as many as its regions, in whole lanes.
    stride: usize,
    /// The differences besides that of the order: their weights and bindings.
    rest: Vec<(i64, Binding)>,
    binding: Option<Binding>,
    shift: u32,
    /// Whether no cost takes more than 62 bits before it is scaled.
    is_narrow: bool,
    /// Whether every ticket is plain.
    pub(super) are_plain: bool,
    /// The reach that all tickets share, if they do.
    pub(super) common_reach: Option<i64>,
    /// The greatest reach of any.
    reach_max: i64,
    /// The regions that all of them share.
    pub(super) common_mask: u64,
    ages: Ages,
}

/// What searches for pairs read.
pub(super) struct Costs<'a, 'g> {
    pub(super) spots: &'a Spots,
    pub(super) ground: &'a Ground<'g>,
    pub(super) states: &'a mut States,
    pub(super) splitter: &'a mut Splitter,
    /// Pairs looked at.
    pub(super) steps: u64,
}

impl Spots {
    /// Reads the tickets of a cut.
    pub(super) fn fill(&mut self, ground: &Ground<'_>, plain: &PlainRules, rows: &[u32]) {
        let (queue, tickets) = (ground.queue, ground.tickets);
        self.all.clear();
        self.others.clear();
        self.pings.clear();
        self.rest.clear();
        self.rest.extend(plain.differences.iter().skip(1).map(|other| (other.weight, other.binding)));
        let first = plain.differences.first();
        self.binding = first.map(|difference| difference.binding);
        let ping_weight = plain.region.map_or(0, |region| region.weight);
        self.width = match ping_weight {
            0 => 0,
            _ => 64 - rows.iter().fold(0, |mask, &row| mask | tickets.regions(row)).leading_zeros() as usize,
        };
        self.stride = self.width.next_multiple_of(LANES);
        self.are_plain = true;
        self.common_mask = u64::MAX;
        (self.common_reach, self.reach_max) = (None, 0);
        let mut ping_max = 0;
        let mut spans = [(i64::MAX, i64::MIN); DIFFERENCES_MAX];
        self.ages.begin(queue);
        for &row in rows {
            let (bound, soft, numbers) = self.ages.at(queue, tickets.age(row, ground.now));
            let mut is_plain = plain.is_plain(soft) && tickets.size(row) == 1 && !tickets.has_limits(row);
            let mut look = |rule: usize, slot: usize, state: usize| {
                let value = tickets.number(slot, row);
                is_plain &= value != NO_VALUE;
                let binds = bound >> rule & 1 == 1 && value != NO_VALUE;
                (value, if binds { numbers[state] } else { i64::MAX })
            };
            let (value, reach) = first.map_or((0, i64::MAX), |d| look(d.rule, d.slot, d.state));
            for difference in plain.differences.iter().skip(1) {
                let (value, reach) = look(difference.rule, difference.slot, difference.state);
                self.others.push(Other { value, reach });
            }
            let mut mask = u64::MAX;
            if let Some(region) = plain.region {
                let limit = if bound >> region.rule & 1 == 1 { numbers[region.state] } else { i64::MAX };
                (mask, ping_max) = self.read_pings(ground, row, limit, ping_max);
            }
            let size = tickets.size(row) as u16;
            self.all.push(Spot { row, is_plain, size, place: 0, own: 0, value, reach, mask });
            self.are_plain &= is_plain;
            self.common_mask &= mask;
            self.common_reach =
                if self.all.len() == 1 { Some(reach) } else { self.common_reach.filter(|&of| of == reach) };
            self.reach_max = self.reach_max.max(reach);
            let others = &self.others[self.others.len() - self.rest.len()..];
            let values = [value].into_iter().chain(others.iter().map(|other| other.value));
            for (span, value) in spans.iter_mut().zip(values).filter(|&(_, value)| value != NO_VALUE) {
                *span = (span.0.min(value), span.1.max(value));
            }
        }
        self.scale(plain, ping_weight, ping_max, &spans);
    }

    /// Appends the pings of a ticket, unscaled as far as they fit; returns the regions within `limit` that are up, and
    /// the greatest ping so far.
    fn read_pings(&mut self, ground: &Ground<'_>, row: u32, limit: i64, ping_max: i64) -> (u64, i64) {
        let (mut mask, mut greatest, mut left) = (0, ping_max, ground.tickets.regions(row));
        let from = self.pings.len();
        self.pings.resize(from + self.stride, APART);
        for &ping in ground.tickets.pings(row) {
            let region = left.trailing_zeros();
            left &= left - 1;
            if ping <= limit && ground.up >> region & 1 == 1 {
                mask |= 1 << region;
                greatest = greatest.max(ping);
            }
        }
        (mask, greatest)
    }

    /// Scales values and pings to costs: once the greatest are known.
    fn scale(&mut self, plain: &PlainRules, ping_weight: i64, ping_max: i64, spans: &[(i64, i64)]) {
        let weights = plain.differences.iter().map(|difference| difference.weight);
        let gaps = weights.zip(spans).map(|(weight, &(least, greatest))| {
            2 * u128::from(weight.unsigned_abs()) * u128::from(greatest.saturating_sub(least).max(0) as u64)
        });
        let pings = 2 * u128::from(ping_weight.unsigned_abs()) * u128::from(ping_max.unsigned_abs());
        let most = gaps.sum::<u128>() + pings;
        self.shift = (128 - most.leading_zeros()).saturating_sub(APART.trailing_zeros() - 1);
        let weight = plain.differences.first().map_or(0, |difference| 2 * i128::from(difference.weight));
        let least = if spans[0].0 > spans[0].1 { 0 } else { spans[0].0 };
        self.is_narrow = most < 1 << 62;
        for spot in &mut self.all {
            // A ticket without a value is near to all; those come first in the order.
            spot.value = if spot.value == NO_VALUE { least } else { spot.value };
            spot.place = scale(spot.value - least, weight, self.shift, self.is_narrow);
        }
    }

    /// Fills in the scaled pings; apart from `scale`, as it reads the tickets once more.
    pub(super) fn scale_pings(&mut self, ground: &Ground<'_>, plain: &PlainRules) {
        if self.width == 0 {
            return;
        }
        let weight = plain.region.map_or(0, |region| i128::from(region.weight));
        for (spot, scaled) in self.all.iter_mut().zip(self.pings.chunks_exact_mut(self.stride)) {
            let mut left = ground.tickets.regions(spot.row);
            let mut own = APART;
            for &ping in ground.tickets.pings(spot.row) {
                let region = left.trailing_zeros();
                left &= left - 1;
                if spot.mask >> region & 1 == 1 {
                    let cost = scale(ping, weight, self.shift, self.is_narrow);
                    scaled[region as usize] = cost;
                    own = own.min(cost);
                }
            }
            spot.own = if own == APART { 0 } else { own };
        }
    }

    /// Fills in the pings times players, `far` for each player where a ticket cannot be matched.
    pub(super) fn weigh(&mut self, far: i64) {
        self.weighed.clear();
        for (at, spot) in self.all.iter().enumerate() {
            let size = i64::from(spot.size);
            let pings = &self.pings[at * self.stride..][..self.width];
            let weigh = |&ping: &u32| if ping == APART { far * size } else { i64::from(ping) * size };
            self.weighed.extend(pings.iter().map(weigh));
        }
    }

    /// The scaled pings of a ticket times its players, as `weigh` has filled them in.
    pub(super) fn weighed_pings_of(&self, at: usize) -> &[i64] {
        &self.weighed[at * self.width..][..self.width]
    }

    /// Whose window of the order's difference binds.
    pub(super) fn binding(&self) -> Option<Binding> {
        self.binding
    }

    /// Regions that pings are kept for; 0: they cost nothing.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// The scaled pings of a ticket.
    pub(super) fn pings_of(&self, at: usize) -> &[u32] {
        &self.pings[at * self.stride..][..self.width]
    }

    /// The least sum of the scaled pings of two tickets.
    #[inline]
    fn least_pings(&self, i: usize, j: usize) -> u32 {
        let of = |at: usize| self.pings[at * self.stride..][..self.stride].as_chunks::<LANES>().0;
        let mut least = [u32::MAX; LANES];
        for (a, b) in of(i).iter().zip(of(j)) {
            for lane in 0..LANES {
                least[lane] = least[lane].min(a[lane] + b[lane]);
            }
        }
        least.into_iter().min().unwrap_or(0)
    }

    /// The cost of a match in the unit of the spots.
    pub(super) fn scaled(&self, match_cost: i128) -> i64 {
        i64::try_from((2 * match_cost) >> self.shift).unwrap_or(i64::MAX / 4)
    }

    /// How far from its value a ticket's partner may be at most, whoever it is.
    pub(super) fn farthest(&self, at: usize) -> i64 {
        match (self.all[at].is_plain, self.binding) {
            (true, Some(Binding::Narrower)) => self.all[at].reach,
            (true, Some(Binding::Wider)) => self.reach_max,
            _ => i64::MAX,
        }
    }

    /// What a match of two plain tickets costs; `APART` and more: it is not legal.
    #[inline]
    fn plain_cost(&self, i: usize, j: usize) -> u32 {
        let (a, b) = (&self.all[i], &self.all[j]);
        let reach = match self.binding {
            Some(Binding::Wider) => a.reach.max(b.reach),
            _ => a.reach.min(b.reach),
        };
        if (a.value - b.value).abs() > reach || a.mask & b.mask == 0 {
            return APART;
        }
        let mut cost = a.place.abs_diff(b.place);
        if self.width > 0 {
            cost += self.least_pings(i, j);
        }
        if self.rest.is_empty() { cost } else { cost.saturating_add(self.rest_cost(i, j)) }
    }

    /// What the differences besides that of the order add.
    fn rest_cost(&self, i: usize, j: usize) -> u32 {
        let width = self.rest.len();
        let (of_a, of_b) = (&self.others[i * width..][..width], &self.others[j * width..][..width]);
        let mut cost = 0_i128;
        for ((a, b), &(weight, binding)) in of_a.iter().zip(of_b).zip(&self.rest) {
            let distance = (a.value - b.value).abs();
            let reach = match binding {
                Binding::Narrower => a.reach.min(b.reach),
                Binding::Wider => a.reach.max(b.reach),
            };
            if distance > reach {
                return APART;
            }
            cost += 2 * i128::from(weight) * i128::from(distance);
        }
        (cost >> self.shift) as u32
    }
}

impl Line for Costs<'_, '_> {
    fn count(&self) -> usize {
        self.spots.all.len()
    }

    fn mask(&self, at: usize) -> u64 {
        self.spots.all[at].mask
    }

    fn value(&self, at: usize) -> i64 {
        self.spots.all[at].value
    }

    fn place(&self, at: usize) -> u32 {
        self.spots.all[at].place
    }

    fn own(&self, at: usize) -> u32 {
        self.spots.all[at].own
    }

    fn farthest(&self, at: usize) -> i64 {
        self.spots.farthest(at)
    }

    #[inline]
    fn of(&mut self, i: usize, j: usize) -> u32 {
        self.steps += 1;
        if self.spots.are_plain || (self.spots.all[i].is_plain && self.spots.all[j].is_plain) {
            return self.spots.plain_cost(i, j);
        }
        self.judged(&[i, j])
    }
}

impl Costs<'_, '_> {
    /// What a ticket costs as a match alone, in the unit of a match of two.
    pub(super) fn alone(&mut self, i: usize) -> u32 {
        self.judged(&[i])
    }

    /// The cost of a match of two tickets or of one, judged by all rules.
    fn judged(&mut self, at: &[usize]) -> u32 {
        let Ground { queue, tickets, .. } = *self.ground;
        let mut rows = [0; 2];
        let rows = &mut rows[..at.len()];
        for (row, &at) in rows.iter_mut().zip(at) {
            *row = self.spots.all[at].row;
            self.states.ensure(queue, tickets, *row);
        }
        rows.sort_unstable_by_key(|&row| tickets.seniority(row));
        let scene = self.ground.scene(self.states);
        let players = rows.iter().map(|&row| tickets.size(row)).sum();
        if !sizes_fit(&scene, rows[0], rows.len(), players)
            || (rows.len() == 2 && !scene.may_stand_together(rows[0], rows[1], rows[0]))
        {
            return APART;
        }
        match judge(&scene, self.splitter, rows) {
            Some(judged) => self.spots.scaled(judged.match_cost()).min(i64::from(APART - 1)) as u32,
            None => APART,
        }
    }
}
