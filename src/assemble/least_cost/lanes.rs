//! The tickets of a cut in lanes of 32 bits, where all of them are plain: the quick twin of `spots`.
//!
//! Filled by the chooser for queues where one difference at most, and a region, decide about two single players. One walk
//! over the tickets reads all there is to read; then one kernel computes what every ticket costs with the next ones, and
//! sweep and repair look that up. Serves as long as no number needs more than 32 bits, else the general way does.
//! Invariant: costs are those of `spots`, bit for bit; what comes out is the same whichever of the two is asked.
//!
//! Measured: see `chooser`.

use super::ages::Ages;
use super::line::Line;
use super::plain::{Binding, PlainRules};
use super::spots::APART;
use crate::assemble::scene::Ground;
use crate::rules::compile::NO_VALUE;
use crate::simd::{self, COST_MAX, Kernels};

/// The next tickets that every ticket's costs are computed with, where the order is large and where it is small.
pub(super) const NEXT: usize = 8;
pub(super) const NEXT_SMALL: usize = 16;
/// A ping in a region in which a ticket cannot be matched.
pub(in crate::assemble) const NO_PING: u32 = u32::MAX;

const _: () = assert!(APART == COST_MAX);

/// The tickets of a cut.
#[derive(Default)]
pub(in crate::assemble) struct Lanes {
    pub(in crate::assemble) rows: Vec<u32>,
    /// Values above the least one, and how far a partner's may be.
    pub(in crate::assemble) values: Vec<u32>,
    pub(in crate::assemble) reaches: Vec<u32>,
    /// Values and least pings, scaled to cost.
    pub(in crate::assemble) places: Vec<u32>,
    pub(in crate::assemble) owns: Vec<u32>,
    pub(in crate::assemble) masks: Vec<u64>,
    /// Regions that pings are kept for: grows with the numbers of regions that were ever met.
    width: usize,
    /// Pings in units of 0.000001 ms, `stride` for each region.
    pub(in crate::assemble) raw: Vec<u32>,
    /// The same, scaled to cost; `APART` where a ticket cannot be matched. Empty where pings tell nothing.
    pub(in crate::assemble) pings: Vec<u32>,
    pub(in crate::assemble) stride: usize,
    /// Bits that scaling takes from costs.
    pub(in crate::assemble) shift: u32,
    /// What every ticket costs with the next `next` ones.
    near: Vec<u32>,
    next: usize,
    /// The reach that all tickets share, if they do.
    pub(super) common_reach: Option<i64>,
    /// The regions that all of them share.
    pub(super) common_mask: u64,
    /// Pairs looked at.
    pub(super) steps: u64,
    ages: Ages,
}

impl Lanes {
    /// Whether the tickets of a queue may be kept so.
    pub(in crate::assemble) fn serve(plain: &PlainRules) -> bool {
        let is_narrow = plain.differences.first().is_none_or(|first| first.binding == Binding::Narrower);
        plain.decide && plain.differences.len() <= 1 && is_narrow && !plain.may_be_alone[1]
    }

    /// Reads the tickets of a cut; `false`: they need the general way.
    pub(in crate::assemble) fn fill(
        &mut self,
        ground: &Ground<'_>,
        plain: &PlainRules,
        rows: &[u32],
    ) -> bool {
        self.steps = 0;
        let ping_max = loop {
            let Some((regions, ping_max)) = self.read(ground, plain, rows) else { return false };
            let width = 64 - regions.leading_zeros() as usize;
            if width <= self.width {
                break ping_max;
            }
            self.width = width;
        };
        self.scale(plain, ping_max, ground.queue.kernels)
    }

    /// Reads the tickets as they are. Returns the regions that they name and the greatest ping; `None`: not all are
    /// plain, or a number is too great.
    fn read(&mut self, ground: &Ground<'_>, plain: &PlainRules, rows: &[u32]) -> Option<(u64, u32)> {
        let (queue, tickets) = (ground.queue, ground.tickets);
        let count = rows.len();
        self.rows.clear();
        self.rows.extend_from_slice(rows);
        for lane in [&mut self.values, &mut self.reaches] {
            lane.clear();
            lane.resize(count + NEXT_SMALL, 0);
        }
        self.masks.clear();
        self.masks.resize(count, u64::MAX);
        let width = if plain.region.is_some() { self.width } else { 0 };
        self.stride = count + NEXT_SMALL;
        self.raw.clear();
        self.raw.resize(width * self.stride, NO_PING);
        self.ages.begin(queue);
        let first = plain.differences.first();
        let slot = first.map(|first| first.slot);
        let least = rows.first().and_then(|&row| slot.map(|slot| tickets.number(slot, row))).unwrap_or(0);
        let (mut named, mut last) = (0_u64, 0);
        let (mut ping_max, mut signs) = (0, 0);
        (self.common_mask, self.common_reach) = (u64::MAX, None);
        for (at, &row) in rows.iter().enumerate() {
            let ticket = tickets.glance(row);
            let (bound, soft, numbers) = self.ages.at(queue, ground.now.since(ticket.enqueued));
            if !plain.is_plain(soft) || !ticket.is_single {
                return None;
            }
            let mut reach = i64::MAX;
            if let Some(first) = first {
                let value = if first.slot == 0 { ticket.number } else { tickets.number(first.slot, row) };
                let above = u32::try_from(value.saturating_sub(least)).ok()?;
                if value == NO_VALUE || above < last {
                    return None;
                }
                if bound >> first.rule & 1 == 1 {
                    reach = numbers[first.state];
                }
                (self.values[at], last) = (above, above);
            }
            self.reaches[at] = u32::try_from(reach.max(-1)).unwrap_or(u32::MAX);
            if reach < 0 {
                return None;
            }
            self.common_reach =
                if at == 0 { Some(reach) } else { self.common_reach.filter(|&of| of == reach) };
            let Some(region) = plain.region else { continue };
            let limit = if bound >> region.rule & 1 == 1 { numbers[region.state] } else { i64::MAX };
            let mut left = ticket.regions;
            named |= left;
            if width < 64 && named >> width != 0 {
                // The regions of the others may be wider still; the walk begins anew in any case.
                continue;
            }
            let mut mask = 0;
            for &ping in ticket.pings {
                let number = left.trailing_zeros();
                left &= left - 1;
                // Without a branch: which regions are within reach is as good as random.
                let is_near = (ping <= limit) & (ground.up >> number & 1 == 1);
                mask |= u64::from(is_near) << number;
                ping_max = ping_max.max(if is_near { ping } else { 0 });
                signs |= ping;
                self.raw[number as usize * self.stride + at] = if is_near { ping as u32 } else { NO_PING };
            }
            self.masks[at] = mask;
            self.common_mask &= mask;
        }
        let ping_max = u32::try_from(ping_max).ok().filter(|&ping| ping < NO_PING && signs >= 0)?;
        Some((named, ping_max))
    }

    /// Scales values and pings to costs, as `spots` does. `false`: a product needs more than 62 bits.
    fn scale(&mut self, plain: &PlainRules, ping_max: u32, kernels: Kernels) -> bool {
        let count = self.rows.len();
        let weight = plain.differences.first().map_or(0, |difference| difference.weight);
        let ping_weight = plain.region.map_or(0, |region| region.weight);
        let span = count.checked_sub(1).map_or(0, |last| self.values[last]);
        let gaps = 2 * u128::from(weight.unsigned_abs()) * u128::from(span);
        let most = gaps + 2 * u128::from(ping_weight.unsigned_abs()) * u128::from(ping_max);
        let Ok(scale_of_pings) = u32::try_from(ping_weight) else { return false };
        if most >= 1 << 62 {
            return false;
        }
        let shift = (128 - most.leading_zeros()).saturating_sub(APART.trailing_zeros() - 1);
        self.shift = shift;
        let scaled = |value: &u32| scale(i64::from(*value), 2 * i128::from(weight), shift, true);
        self.places.clear();
        self.places.extend(self.values[..count].iter().map(scaled));
        self.places.resize(count + NEXT_SMALL, 0);
        self.owns.clear();
        self.owns.resize(count, 0);
        self.pings.clear();
        // Where all can be matched in one region, and pings cost nothing, regions tell nothing.
        if plain.region.is_some() && (ping_weight != 0 || self.common_mask == 0) {
            self.pings.resize(self.raw.len(), APART);
            kernels.costs(&self.raw, NO_PING, scale_of_pings, shift, APART, &mut self.pings);
            self.owns.fill(APART);
            for pings in self.pings.chunks_exact(self.stride) {
                self.owns.iter_mut().zip(pings).for_each(|(own, &ping)| *own = (*own).min(ping));
            }
            self.owns.iter_mut().for_each(|own| *own = if *own == APART { 0 } else { *own });
        }
        true
    }

    /// Makes room for so many tickets and as many again, if there is not room for so many: so that a flow whose ticks differ
    /// takes no memory for long.
    pub(in crate::assemble) fn make_room(&mut self, count: usize) {
        let Lanes { rows, values, reaches, places, owns, masks, raw, pings, width, .. } = self;
        let len = count + NEXT_SMALL;
        for lane in [rows, values, reaches, places, owns] {
            make_room(lane, len);
        }
        make_room(masks, len);
        for lanes in [raw, pings] {
            make_room(lanes, *width * len);
        }
    }

    /// Leaves only those tickets that `keeps` answers for, by their places; costs are to be computed anew.
    pub(in crate::assemble) fn retain(&mut self, keeps: impl Fn(usize) -> bool) {
        let (count, stride) = (self.rows.len(), self.stride);
        let mut kept = 0;
        for at in (0..count).filter(|&at| keeps(at)) {
            self.rows[kept] = self.rows[at];
            self.masks[kept] = self.masks[at];
            for lane in [&mut self.values, &mut self.reaches, &mut self.places, &mut self.owns] {
                lane[kept] = lane[at];
            }
            for lanes in [&mut self.raw, &mut self.pings] {
                lanes.chunks_exact_mut(stride).for_each(|lane| lane[kept] = lane[at]);
            }
            kept += 1;
        }
        self.rows.truncate(kept);
        self.masks.truncate(kept);
        self.owns.truncate(kept);
    }

    /// Computes what every ticket costs with the next `N`.
    pub(super) fn meet<const N: usize>(&mut self, kernels: Kernels) {
        let line = simd::Line {
            count: self.rows.len(),
            values: &self.values,
            reaches: &self.reaches,
            places: &self.places,
            rows: &self.pings,
            stride: if self.pings.is_empty() { 0 } else { self.stride },
        };
        self.next = N;
        self.near.clear();
        self.near.resize(self.rows.len() * N, APART);
        kernels.neighbours(line, self.near.as_chunks_mut::<N>().0);
    }

    /// What every ticket costs with the next `N`, which have been computed.
    pub(super) fn near<const N: usize>(&self) -> &[[u32; N]] {
        debug_assert_eq!(self.next, N);
        self.near.as_chunks().0
    }

    /// By region the pings of two tickets in units of 0.000001 ms; [`NO_PING`] where one cannot be matched.
    pub(super) fn pings_of(&self, i: usize, j: usize) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.raw.chunks_exact(self.stride).map(move |pings| (pings[i], pings[j]))
    }

    /// What two tickets cost.
    #[inline]
    pub(super) fn cost(&self, i: usize, j: usize) -> u32 {
        let (first, second) = if i < j { (i, j) } else { (j, i) };
        match second - first - 1 {
            apart if apart < self.next => self.near[first * self.next + apart],
            _ => self.far(first, second),
        }
    }

    /// What two tickets cost that do not stand near one another.
    #[cold]
    fn far(&self, first: usize, second: usize) -> u32 {
        let reach = self.reaches[first].min(self.reaches[second]);
        if self.values[second] - self.values[first] > reach {
            return APART;
        }
        let distance = self.places[second] - self.places[first];
        let sums = self.pings.chunks_exact(self.stride).map(|pings| pings[first] + pings[second]);
        distance + sums.min().unwrap_or(0)
    }
}

impl Line for Lanes {
    fn count(&self) -> usize {
        self.rows.len()
    }

    #[inline]
    fn mask(&self, at: usize) -> u64 {
        self.masks[at]
    }

    #[inline]
    fn value(&self, at: usize) -> i64 {
        i64::from(self.values[at])
    }

    #[inline]
    fn place(&self, at: usize) -> u32 {
        self.places[at]
    }

    #[inline]
    fn own(&self, at: usize) -> u32 {
        self.owns[at]
    }

    fn farthest(&self, at: usize) -> i64 {
        // The greatest number of a lane is any reach beyond it: no value is farther.
        i64::from(self.reaches[at])
    }

    #[inline]
    fn of(&mut self, i: usize, j: usize) -> u32 {
        self.steps += 1;
        self.cost(i, j)
    }
}

fn make_room<T>(list: &mut Vec<T>, len: usize) {
    if list.capacity() < len {
        list.clear();
        list.reserve(2 * len);
    }
}

/// A cost scaled down. `is_narrow`: it fits into 62 bits, and a multiplication of 64 bits does.
#[inline]
pub(super) fn scale(amount: i64, weight: i128, shift: u32, is_narrow: bool) -> u32 {
    if is_narrow {
        return ((amount * weight as i64) >> shift) as u32;
    }
    ((i128::from(amount) * weight) >> shift) as u32
}
