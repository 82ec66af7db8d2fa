//! The matches of one cut of the order: picks the search that the queue's shape allows.
//!
//! Called by the queue for each cut of a pass, on several threads, each with its own chooser. Invariant: what is chosen
//! depends on the cut, on the size of the whole order and on the time alone; every match is legal.
//!
//! Measured (callgrind of `evenmatch bench duel --full --selection least_cost`, 8 ticks of 10,000, 4 and 16 regions together,
//! AVX2, same output), instructions a ticket: the general way for plain pairs 2,920 and 320 more to measure the matches at
//! the commit; with `lanes`, the costs of the next ones in one kernel and matches measured where they are chosen 2,430;
//! with `mend`'s bound of what partners keep 1,870. The whole of plan, choice and commit: 4,710 before, 3,080 after.

use super::blocks::{Blocks, Lines};
use super::chain::Chain;
use super::chosen::Chosen;
use super::exchange::{Effort, Exchange};
use super::few::{FEW, Few};
use super::groups::{FAR, Groups, Table};
use super::lanes::{Lanes, NEXT, NEXT_SMALL};
use super::measure::{distances_of, measure_pair, push_measured};
use super::mend::Mend;
use super::plain::PlainRules;
use super::repair::{ALONE, Mates, NOBODY};
use super::shake::Shake;
use super::spots::{Costs, Spots};
use super::sweep::Sweep;
use crate::assemble::report::Measured;
use crate::assemble::scene::Ground;
use crate::assemble::states::States;
use crate::assemble::teams::Splitter;
use crate::rules::compile::CompiledQueue;

/// Tickets of the order that one cut takes, so that what is chosen does not depend on threads.
pub const CUT: usize = 4096;

/// Up to so many tickets of the whole order a sweep follows so many ways: small pools have the most to gain, and cost
/// the least. Beyond the last one it goes one way. Chosen by what ways cost, see `sweep`: a tick of 1,000 tickets
/// stays below a millisecond.
const WAYS: [(usize, usize); 3] = [(512, 16), (1_024, 8), (4_096, 4)];
/// Up to so many tickets of pairs every set of pairs is looked at: chosen, some ten microseconds.
const FEW_IN_PAIRS: usize = 8;
/// Rounds of repair, and how far each ticket looks, where the order is small and where it is large.
const REPAIRS_SMALL: (usize, usize) = (4, 12);
const REPAIRS_LARGE: (usize, usize) = (1, 8);
// A bit for each neighbour, and one beyond, in 16.
const _: () = assert!(REPAIRS_SMALL.1 < 15 && REPAIRS_LARGE.1 < 15);

/// Up to so many tickets of the whole order groups are made in two ways, exchange tickets as long as it is of use, and
/// then also where it is not at first.
const SMALL: usize = 512;
/// How hard small orders are shaken, one time after the other: a group's mean estimate is divided by this. Measured
/// against annealing (`tests/least_cost/quality.rs`): 1.08 once at 6, 1.09 at 12, 30 and 75 with as many tries in all.
const SHAKES: [i64; 1] = [6];
const EXCHANGES_SMALL: Effort = Effort { rounds: 12, beyond: 64, judged: 4096 };
const EXCHANGES_LARGE: Effort = Effort { rounds: 1, beyond: 4, judged: 16 };

/// Chooses the matches of cuts; keeps its memory between calls.
#[derive(Default)]
pub struct Chooser {
    plain: Option<PlainRules>,
    spots: Spots,
    chain: Chain,
    sweep: Sweep,
    mates: Mates,
    few: Few,
    blocks: Blocks,
    exchange: Exchange,
    shake: Shake,
    groups: Groups,
    other_groups: Groups,
    rows: Vec<u32>,
    splitter: Splitter,
    lanes: Lanes,
    mend: Mend,
    places: Vec<u128>,
    measured: Measured,
}

/// How many ways a sweep follows through an order of so many tickets; `None`: it goes one way.
fn ways(total: usize) -> Option<usize> {
    WAYS.iter().find(|&&(most, _)| total <= most).map(|&(_, ways)| ways)
}

impl Chooser {
    /// A chooser for the tickets of one queue.
    pub fn new(queue: &CompiledQueue) -> Chooser {
        Chooser { plain: Some(PlainRules::new(queue)), ..Chooser::default() }
    }

    /// Chooses matches among `rows`, a cut in the order of values of an order of `total` tickets, into `chosen`.
    pub fn choose(
        &mut self,
        ground: &Ground<'_>,
        states: &mut States,
        rows: &[u32],
        total: usize,
        chosen: &mut Chosen,
    ) {
        chosen.clear();
        let is_of_pairs = ground.queue.shape.full <= 2;
        let tries_all = rows.len() <= if is_of_pairs { FEW_IN_PAIRS } else { FEW };
        if tries_all && self.few.search(ground, states, &mut self.splitter, rows, |rows| chosen.push(rows)) {
            chosen.steps = rows.len() as u64 + self.few.steps;
        } else if is_of_pairs {
            self.choose_pairs(ground, states, rows, total, chosen);
        } else {
            self.choose_groups(ground, states, rows, total, chosen);
        }
    }

    /// Windows of the order, in one way or, where the order is small, in the better of two, and exchanges.
    fn choose_groups(
        &mut self,
        ground: &Ground<'_>,
        states: &mut States,
        rows: &[u32],
        total: usize,
        chosen: &mut Chosen,
    ) {
        let Some(plain) = &self.plain else { return };
        self.spots.fill(ground, plain, rows);
        self.spots.scale_pings(ground, plain);
        self.spots.weigh(FAR);
        let mut table = Table::new(&self.spots, ground, states, &mut self.splitter);
        let is_small = total <= SMALL;
        let effort = if is_small { EXCHANGES_SMALL } else { EXCHANGES_LARGE };
        self.groups.reset(rows.len());
        self.blocks.make(&mut table, &mut self.groups, Lines::Home);
        self.exchange.improve(&mut table, &mut self.groups, effort);
        if is_small && plain.region.is_some() {
            self.other_groups.reset(rows.len());
            self.blocks.make(&mut table, &mut self.other_groups, Lines::Reached);
            self.exchange.improve(&mut table, &mut self.other_groups, effort);
            if self.other_groups.beat(&self.groups) {
                std::mem::swap(&mut self.groups, &mut self.other_groups);
            }
        }
        for hot in SHAKES.iter().copied().filter(|_| is_small) {
            for is_lax in [false, true] {
                if is_lax && self.spots.width() < 2 {
                    continue;
                }
                self.other_groups.copy(&table, &self.groups);
                self.shake.shake(&mut table, &mut self.other_groups, hot, is_lax);
                if self.other_groups.judge_all(&mut table) {
                    self.exchange.improve(&mut table, &mut self.other_groups, effort);
                    if self.other_groups.beat(&self.groups) {
                        std::mem::swap(&mut self.groups, &mut self.other_groups);
                    }
                }
            }
            // Others are left over now, who may make one more group.
            let before = self.groups.all().len();
            self.blocks.make(&mut table, &mut self.groups, Lines::Reached);
            if self.groups.all().len() > before {
                self.exchange.improve(&mut table, &mut self.groups, effort);
            }
        }
        chosen.steps = rows.len() as u64 + table.steps;
        for group in self.groups.all() {
            self.rows.clear();
            self.rows.extend(group.members.iter().map(|&at| self.spots.all[usize::from(at)].row));
            self.rows.sort_unstable_by_key(|&row| ground.tickets.seniority(row));
            chosen.push(&self.rows);
        }
    }

    fn choose_pairs(
        &mut self,
        ground: &Ground<'_>,
        states: &mut States,
        rows: &[u32],
        total: usize,
        chosen: &mut Chosen,
    ) {
        let Some(plain) = &self.plain else { return };
        if Lanes::serve(plain) && self.lanes.fill(ground, plain, rows) {
            self.choose_plain(ground, total, chosen);
        } else {
            self.choose_any(ground, states, rows, total, chosen);
        }
    }

    /// Pairs of plain tickets, which stand in the lanes.
    fn choose_plain(&mut self, ground: &Ground<'_>, total: usize, chosen: &mut Chosen) {
        let Chooser { plain: Some(plain), lanes, mates, .. } = self else { return };
        let ping_has_weight = plain.region.is_some_and(|region| region.weight > 0);
        let has_one_difference = plain.differences.len() == 1;
        let kernels = ground.queue.kernels;
        match lanes.common_reach {
            Some(reach)
                if Chain::serves(
                    lanes.common_reach,
                    lanes.common_mask,
                    has_one_difference,
                    ping_has_weight,
                ) =>
            {
                self.chain.pair(lanes, reach, mates);
                lanes.steps += lanes.rows.len() as u64;
            }
            _ => match ways(total) {
                Some(ways) => {
                    lanes.meet::<NEXT_SMALL>(kernels);
                    self.sweep.many_ways(lanes, mates, ways);
                    self.mend.repair::<NEXT_SMALL>(lanes, &mut mates.of, REPAIRS_SMALL, kernels);
                }
                None => {
                    lanes.meet::<NEXT>(kernels);
                    self.sweep.one_way(lanes, mates);
                    self.mend.repair::<NEXT>(lanes, &mut mates.of, REPAIRS_LARGE, kernels);
                }
            },
        }
        chosen.steps = lanes.steps;
        let seniority = |at: usize| ground.tickets.seniority(lanes.rows[at]);
        for (at, &mate) in mates.of.iter().enumerate() {
            let mate = mate as usize;
            if mate != NOBODY as usize && mate > at {
                // Without a branch: which of the two is older is as good as random.
                let is_older = usize::from(seniority(at) < seniority(mate));
                let pair = [[mate, at], [at, mate]][is_older];
                push_measured(ground, plain, lanes, pair, &mut self.places, chosen);
            }
        }
    }

    /// Pairs of any tickets, and tickets alone.
    fn choose_any(
        &mut self,
        ground: &Ground<'_>,
        states: &mut States,
        rows: &[u32],
        total: usize,
        chosen: &mut Chosen,
    ) {
        let Some(plain) = &self.plain else { return };
        self.spots.fill(ground, plain, rows);
        self.spots.scale_pings(ground, plain);
        let alone = plain.may_be_alone;
        let tickets = ground.tickets;
        let may_be_alone = |row: u32| alone != [false; 3] && alone[tickets.size(row).min(2) as usize];
        let ping_has_weight = plain.region.is_some_and(|region| region.weight > 0);
        let has_one_difference = plain.differences.len() == 1;
        let mates = &mut self.mates;
        let spots = &self.spots;
        let mut costs = Costs { spots, ground, states, splitter: &mut self.splitter, steps: 0 };
        let (common_reach, common_mask) = (spots.common_reach, spots.common_mask);
        let is_chain = spots.are_plain
            && !alone[1]
            && Chain::serves(common_reach, common_mask, has_one_difference, ping_has_weight);
        if let Some(reach) = common_reach.filter(|_| is_chain) {
            self.chain.pair(&costs, reach, mates);
            costs.steps += rows.len() as u64;
        } else {
            let ways = ways(total);
            match ways {
                Some(ways) => self.sweep.many_ways(&mut costs, mates, ways),
                None => self.sweep.one_way(&mut costs, mates),
            }
            let (rounds, reach) = if ways.is_some() { REPAIRS_SMALL } else { REPAIRS_LARGE };
            mates.count(&mut costs, may_be_alone);
            for _ in 0..rounds {
                if !mates.improve(&mut costs, reach) {
                    break;
                }
            }
            mates.set_alone();
        }
        for (at, &mate) in self.mates.of.iter().enumerate() {
            let row = self.spots.all[at].row;
            if mate == ALONE {
                chosen.push(&[row]);
            } else if mate != NOBODY && (mate as usize) > at {
                let other = self.spots.all[mate as usize].row;
                let is_older = tickets.seniority(row) < tickets.seniority(other);
                let pair = if is_older { [row, other] } else { [other, row] };
                let (own, theirs) = (&self.spots.all[at], &self.spots.all[mate as usize]);
                if own.is_plain && theirs.is_plain {
                    let (mask, weight) = (own.mask & theirs.mask, plain.region.map(|region| region.weight));
                    let distances = distances_of(ground, plain, pair);
                    let measured = &mut self.measured;
                    measure_pair(ground, distances, weight, pair, mask, measured);
                    let first = measured.regions.first();
                    let ping = |row| first.map_or(0, |&region| tickets.ping(row, u32::from(region)));
                    let regions = measured.regions.iter().copied();
                    chosen.push_pair(pair, measured.quality, pair.map(ping), regions);
                } else {
                    chosen.push(&pair);
                }
            }
        }
        chosen.steps = costs.steps;
    }
}

#[cfg(test)]
mod tests;
