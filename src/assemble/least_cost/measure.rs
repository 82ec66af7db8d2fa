//! The figures of a match of two plain tickets, without the windows and the judge.
//!
//! Called for pairs that a cut has chosen. Invariant: what is measured is what the judge and the split come to, field
//! by field; debug builds compare the two.

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
    let apart = |slot: usize| match (tickets.number(slot, oldest), tickets.number(slot, other)) {
        (NO_VALUE, _) | (_, NO_VALUE) => 0,
        (a, b) => (a - b).abs(),
    };
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
    let balance = ground.queue.balance_slots.filter(|_| has_teams);
    measured.quality = Quality {
        cost: Micros(half_up(cost, 2_000_000)),
        skill_spread: ground.queue.spread_slot.map(|slot| Fixed::from_micros(apart(slot))),
        team_difference: balance.map(|(sum, count)| {
            let have_values = [oldest, other].iter().all(|&row| tickets.number(count, row) > 0);
            Fixed::from_micros(if have_values { apart(sum) } else { 0 })
        }),
        ping_worst_ms: best.map(|best| Fixed::from_micros(best.1)),
        ping_mean_ms: best.map(|best| Fixed::from_micros(half_up(i128::from(best.0), 2) as i64)),
        oldest_wait: tickets.age(oldest, ground.now),
        exhaustive: true,
    };
    cost
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
