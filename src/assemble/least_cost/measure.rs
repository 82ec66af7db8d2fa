//! The figures of a match of two plain tickets, without the windows and the judge.
//!
//! Called for pairs that a cut has chosen. Invariant: what is measured is what the judge and the split come to, field
//! by field; debug builds compare the two.

use super::chosen::Chosen;
use super::lanes::{Lanes, NO_PING};
use super::line::Line;
use super::plain::PlainRules;
use crate::assemble::report::{Measured, half_up};
use crate::assemble::scene::Ground;
use crate::base::fixed::Fixed;
use crate::model::event::{Micros, Quality};
use crate::model::limits::REGIONS_MAX;
use crate::rules::compile::NO_VALUE;

/// Regions of a match, by what orders them: the sum of pings, the worst, the name; and the region.
type Place = (i64, i64, u8, u8);

/// What the differences of two tickets cost, times the players.
pub(super) fn distances_of(ground: &Ground<'_>, plain: &PlainRules, [a, b]: [u32; 2]) -> i128 {
    let apart = |slot: usize| match (ground.tickets.number(slot, a), ground.tickets.number(slot, b)) {
        (NO_VALUE, _) | (_, NO_VALUE) => 0,
        (a, b) => (a - b).abs(),
    };
    plain.differences.iter().map(|of| 2 * i128::from(of.weight) * i128::from(apart(of.slot))).sum()
}

/// Measures the match of two plain tickets, sorted by seniority, whose differences cost `distances` times the players, in
/// the regions of `mask`. `ping_weight`: that of the region rule, if there is one. Returns its cost times its players.
pub(in crate::assemble) fn measure_pair(
    ground: &Ground<'_>,
    distances: i128,
    ping_weight: Option<i64>,
    [oldest, other]: [u32; 2],
    mask: u64,
    measured: &mut Measured,
) -> i128 {
    let tickets = ground.tickets;
    let is_first = tickets.submit_number(oldest) < tickets.submit_number(other);
    let rows = if is_first { [oldest, other] } else { [other, oldest] };
    measured.rows.clear();
    measured.rows.extend(rows);
    let has_teams = ground.queue.shape.has_teams;
    measured.positions.clear();
    measured.positions.extend([0, u32::from(has_teams)]);
    measured.regions.clear();
    let mut cost = distances;
    let mut best = None;
    if let Some(weight) = ping_weight {
        let least = match mask.count_ones() {
            0..=4 => put_in_order::<4>(ground, [oldest, other], mask, &mut measured.regions),
            5..=16 => put_in_order::<16>(ground, [oldest, other], mask, &mut measured.regions),
            _ => put_in_order::<REGIONS_MAX>(ground, [oldest, other], mask, &mut measured.regions),
        };
        best = Some(least);
        cost += i128::from(weight) * i128::from(least.0);
    }
    let best = best.map(|best| (best.0, best.1));
    measured.quality = quality_of(ground, [oldest, other], Micros(half_up(cost, 2_000_000)), best);
    cost
}

/// The figures of a match of two plain tickets, sorted by seniority. `best`: the sum and the worst of the pings in its
/// region.
fn quality_of(
    ground: &Ground<'_>,
    [oldest, other]: [u32; 2],
    cost: Micros,
    best: Option<(i64, i64)>,
) -> Quality {
    let tickets = ground.tickets;
    let apart = |slot: usize| match (tickets.number(slot, oldest), tickets.number(slot, other)) {
        (NO_VALUE, _) | (_, NO_VALUE) => 0,
        (a, b) => (a - b).abs(),
    };
    let balance = ground.queue.balance_slots.filter(|_| ground.queue.shape.has_teams);
    Quality {
        cost,
        skill_spread: ground.queue.spread_slot.map(|slot| Fixed::from_micros(apart(slot))),
        team_difference: balance.map(|(sum, count)| {
            let have_values = [oldest, other].iter().all(|&row| tickets.number(count, row) > 0);
            Fixed::from_micros(if have_values { apart(sum) } else { 0 })
        }),
        ping_worst_ms: best.map(|best| Fixed::from_micros(best.1)),
        // Half up.
        ping_mean_ms: best.map(|best| Fixed::from_micros((best.0 + 1).div_euclid(2))),
        oldest_wait: tickets.age(oldest, ground.now),
        exhaustive: true,
    }
}

/// Measures the match of two plain tickets, given by their places in the lanes, the older one first, and adds it to what
/// was chosen. `places` is memory.
pub(in crate::assemble) fn push_measured(
    ground: &Ground<'_>,
    plain: &PlainRules,
    lanes: &Lanes,
    [oldest, other]: [usize; 2],
    places: &mut Vec<u128>,
    chosen: &mut Chosen,
) {
    let rows = [lanes.rows[oldest], lanes.rows[other]];
    let weight = plain.differences.first().map_or(0, |first| first.weight);
    // Lanes serve only where no cost times its players takes more than 62 bits.
    let mut cost = 2 * weight * (lanes.value(oldest) - lanes.value(other)).abs();
    let Some(region) = plain.region else {
        let quality = quality_of(ground, rows, micros(cost), None);
        return chosen.push_pair(rows, quality, [0; 2], std::iter::empty());
    };
    places.resize(REGIONS_MAX, 0);
    let mut count = 0;
    for (number, (a, b)) in lanes.pings_of(oldest, other).enumerate() {
        // What orders regions: the sum, the worst, the name; and the region. Then whose ping is the worst.
        let sum = u128::from(a) + u128::from(b);
        let name = u128::from(ground.region_rank[number]) << 8 | number as u128;
        places[count] = sum << 64 | u128::from(a.max(b)) << 32 | name << 1 | u128::from(a > b);
        count += usize::from((a != NO_PING) & (b != NO_PING));
    }
    let places = &mut places[..count];
    places.sort_unstable();
    let Some(&best) = places.first() else { return };
    let (sum, worst) = ((best >> 64) as i64, i64::from((best >> 32) as u32));
    cost += region.weight * sum;
    let pings = if best & 1 == 1 { [worst, sum - worst] } else { [sum - worst, worst] };
    let quality = quality_of(ground, rows, micros(cost), Some((sum, worst)));
    chosen.push_pair(rows, quality, pings, places.iter().map(|&place| (place >> 1) as u8));
}

/// The cost of a match of two, out of that times its players.
fn micros(cost: i64) -> Micros {
    match cost {
        0..0x1000_0000_0000_0000 => Micros(i128::from((2 * cost + 2_000_000) / 4_000_000)),
        _ => Micros(half_up(i128::from(cost), 2_000_000)),
    }
}

/// Appends the regions of `mask`, at most `N`, best first; returns the best one. Memory for all the regions that there may
/// be is not worth its clearing where there are few.
fn put_in_order<const N: usize>(
    ground: &Ground<'_>,
    [oldest, other]: [u32; 2],
    mask: u64,
    regions: &mut Vec<u8>,
) -> Place {
    let tickets = ground.tickets;
    let mut places: [Place; N] = [(0, 0, 0, 0); N];
    let (mut count, mut left) = (0, mask);
    let (of_oldest, of_other) = (tickets.regions(oldest), tickets.regions(other));
    let (pings, other_pings) = (tickets.pings(oldest), tickets.pings(other));
    while left != 0 {
        let region = left.trailing_zeros();
        left &= left - 1;
        let below = (1_u64 << region) - 1;
        let a = pings[(of_oldest & below).count_ones() as usize];
        let b = other_pings[(of_other & below).count_ones() as usize];
        places[count] = (a + b, a.max(b), ground.region_rank[region as usize], region as u8);
        count += 1;
    }
    places[..count].sort_unstable();
    regions.extend(places[..count].iter().map(|place| place.3));
    places[0]
}
