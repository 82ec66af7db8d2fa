//! Groups of neighbours in the order of skill: the best windows, chosen together.
//!
//! Called for team games and free-for-alls. A *line* is the tickets that could play in one region, in the order of
//! skill; a *block* is neighbours of a line that are a match by sizes, windows and region. The best blocks of a line
//! are those of the first n - 1 tickets with the last one left over, or those of the first n - k with the last k as a
//! block: dynamic programming, so most players first and then the least cost, among sets of blocks. First every ticket
//! stands in the line of the region where its ping is least; then what is left over in the line of every region that
//! it reaches. Every block is judged by all rules before it becomes a group. Invariant: what comes out depends on the
//! order alone.

use super::groups::{FREE, Groups, Table};
use super::plain::Binding;
use crate::assemble::seats::Seats;

/// The best blocks of the first so many tickets of a line.
#[derive(Clone, Copy, Default)]
struct Best {
    players: u32,
    cost: i64,
    /// Tickets of the last block; 0: the last ticket is left over.
    last: u16,
}

/// In which lines tickets stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lines {
    /// Those of the regions of least ping first.
    Home,
    /// Those of all regions that they reach, the region that most reach first.
    Reached,
}

/// The memory of the search.
#[derive(Default)]
pub(super) struct Blocks {
    line: Vec<u16>,
    /// Sums of pings times players along the line.
    pings: Vec<i64>,
    best: Vec<Best>,
    /// The blocks that were found, the last one first.
    ends: Vec<(usize, usize)>,
    seats: Seats,
    regions: Vec<(usize, u32)>,
}

impl Blocks {
    /// Makes groups of the free tickets.
    pub(super) fn make(&mut self, table: &mut Table<'_, '_>, groups: &mut Groups, lines: Lines) {
        if table.ground.queue.region_rule.is_none() {
            self.make_in(table, groups, None, false);
            return;
        }
        if lines == Lines::Home {
            self.order_regions(table, groups, true);
            for at in 0..self.regions.len() {
                self.make_in(table, groups, Some(self.regions[at].1), true);
            }
        }
        for _ in 0..2 {
            self.order_regions(table, groups, false);
            let before = groups.all().len();
            for at in 0..self.regions.len() {
                self.make_in(table, groups, Some(self.regions[at].1), false);
            }
            if groups.all().len() == before {
                break;
            }
        }
    }

    /// The regions of free tickets, the one with the most first.
    fn order_regions(&mut self, table: &Table<'_, '_>, groups: &Groups, at_home: bool) {
        let mut counts = [0_usize; 64];
        for (at, spot) in table.spots.all.iter().enumerate().filter(|&(at, _)| groups.of[at] == FREE) {
            let mut left = if at_home { home(table, at) } else { spot.mask };
            while left != 0 {
                counts[left.trailing_zeros() as usize] += 1;
                left &= left - 1;
            }
        }
        self.regions.clear();
        let named = counts.iter().enumerate().filter(|&(_, &count)| count > 0);
        self.regions.extend(named.map(|(region, &count)| (count, region as u32)));
        self.regions.sort_unstable_by_key(|&(count, region)| (std::cmp::Reverse(count), region));
    }

    /// Makes groups of the free tickets of one line.
    fn make_in(
        &mut self,
        table: &mut Table<'_, '_>,
        groups: &mut Groups,
        region: Option<u32>,
        at_home: bool,
    ) {
        self.line.clear();
        self.pings.clear();
        self.pings.push(0);
        let mut sum = 0;
        for (at, spot) in table.spots.all.iter().enumerate() {
            let mask = if at_home { home(table, at) } else { spot.mask };
            if groups.of[at] != FREE || region.is_some_and(|region| mask >> region & 1 == 0) {
                continue;
            }
            self.line.push(at as u16);
            if let Some(region) = region.filter(|_| table.spots.width() > 0) {
                let ping = table.spots.pings_of(at)[region as usize];
                sum += i64::from(ping) * i64::from(table.size(at as u16));
            }
            self.pings.push(sum);
        }
        self.find_best(table);
        let mut end = self.line.len();
        let mut ends = std::mem::take(&mut self.ends);
        ends.clear();
        while end > 0 {
            let count = usize::from(self.best[end].last);
            if count > 0 {
                ends.push((end - count, end));
            }
            end -= count.max(1);
        }
        for &(from, to) in ends.iter().rev() {
            groups.let_in(table, &self.line[from..to]);
        }
        self.ends = ends;
    }

    /// Fills in the best blocks of the first so many tickets, for all of them.
    fn find_best(&mut self, table: &Table<'_, '_>) {
        let shape = &table.ground.queue.shape;
        let scene = table.ground.scene(table.states);
        let spots = table.spots;
        let narrows = spots.binding() == Some(Binding::Narrower);
        let has_parties = self.line.iter().any(|&at| table.size(at) > 1) && shape.positions.len() > 1;
        self.best.clear();
        self.best.push(Best::default());
        for end in 1..=self.line.len() {
            let high = &spots.all[usize::from(self.line[end - 1])];
            let mut best = Best { last: 0, ..self.best[end - 1] };
            let (mut players, mut down, mut up) = (0, i64::MIN, i64::MAX);
            let mut is_young = true;
            if has_parties {
                self.seats.reset(shape);
            }
            for from in (0..end).rev() {
                let at = self.line[from];
                let spot = &spots.all[usize::from(at)];
                let size = table.size(at);
                players += size;
                if players > shape.full {
                    break;
                }
                if narrows {
                    down = down.max(spot.value.saturating_sub(spot.reach));
                    up = up.min(spot.value.saturating_add(spot.reach));
                    if down > spot.value || up < high.value {
                        break;
                    }
                }
                if has_parties {
                    self.seats.add(size);
                }
                is_young &= players < shape.full && scene.needs_full_match(spot.row);
                let count = end - from;
                let before = self.best[from];
                let all = before.players + players;
                if all < best.players
                    || !shape.is_legal_total(players)
                    || !shape.enough_tickets(count, players)
                    || (is_young && players < shape.full)
                {
                    continue;
                }
                let ping = 2 * (self.pings[end] - self.pings[from]) / i64::from(players);
                let cost = before.cost + i64::from(high.place.saturating_sub(spot.place)) + ping;
                let is_better = all > best.players || cost < best.cost;
                if is_better && (!has_parties || self.seats.fit(shape)) {
                    best = Best { players: all, cost, last: count as u16 };
                }
            }
            self.best.push(best);
        }
    }
}

/// The region of a ticket's least ping, as a mask; without pings that count the first one.
fn home(table: &Table<'_, '_>, at: usize) -> u64 {
    let mask = table.spots.all[at].mask;
    if table.spots.width() == 0 {
        return mask & mask.wrapping_neg();
    }
    let pings = table.spots.pings_of(at).iter().enumerate();
    let least = pings.filter(|&(region, _)| mask >> region & 1 == 1).min_by_key(|&(_, &ping)| ping);
    least.map_or(0, |(region, _)| 1 << region)
}
