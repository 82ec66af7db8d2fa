//! Pairs by a sweep through the order of skill: in one way, or in the best of several ways at once.
//!
//! One way: at most one ticket per region is open; the next ticket joins the open one with which a match costs the
//! least, or becomes the open one of its regions itself. Several ways: a beam search (B. T. Lowerre, "The HARPY speech
//! recognition system", 1976) over the open tickets. From each way the next ticket goes on in several: with any of the
//! open tickets, or open itself; the best so many are kept, one for each set of open tickets. Ways compare by what
//! they have cost so far: a ticket that is open is charged the distance that the sweep has come since, and a match how
//! much its pings are above the least that its two tickets could have, so that one that waits is not taken for cheap.
//! A ticket is left over once the sweep is beyond its reach. Invariant: what comes out depends on the order alone.
//!
//! Tried, mean distance of pairs over four regions against the exact optimum, 3 pools each of 500 and 1,000 tickets,
//! ping without weight: one way 1.37 and 1.29, and after any number of repairs 1.36 and 1.28, since the parity of what
//! was paired before decides what can be paired after; with exchanges of three pairs 1.13 and 1.08, at ten times the
//! time of the sweep; 4 ways 1.09 and 1.07, 8 ways 1.04 and 1.03, 16 ways 1.02 and 1.02, 64 ways 1.02 and 1.01.

use super::line::Line;
use super::repair::{Mates, NOBODY};
use super::spots::{APART, LEFT_OVER};

/// Tickets that may be open in one way, at most: more than there are without regions, where one is the rule.
const OPEN_MAX: usize = 6;
/// Ways that are followed, at most.
pub(super) const WAYS_MAX: usize = 16;
/// Regions, and one slot for queues without.
const SLOTS: usize = 64;

/// One way through the order so far.
#[derive(Clone, Copy)]
struct Way {
    /// What it has cost, against the least that its tickets could cost.
    score: i64,
    /// Of the open tickets; equal sets have equal ones.
    hash: u64,
    /// The value beyond which some open ticket has no partner any more.
    dies: i64,
    /// The last pair, in the list of all.
    last: u32,
    count: u8,
    /// By place in the order, ascending.
    open: [u16; OPEN_MAX],
}

const START: Way = Way { score: 0, hash: 0, dies: i64::MAX, last: NOBODY, count: 0, open: [0; OPEN_MAX] };

/// How a way could go on.
#[derive(Clone, Copy)]
struct Step {
    score: i64,
    hash: u64,
    from: u8,
    /// Which open ticket is joined; `OPEN_MAX`: none, the ticket becomes open.
    with: u8,
}

/// A pair, and the one before it on its way.
#[derive(Clone, Copy)]
struct Joined {
    before: u32,
    first: u16,
    second: u16,
}

/// The memory of a sweep.
#[derive(Default)]
pub(super) struct Sweep {
    ways: Vec<Way>,
    next: Vec<Way>,
    steps: Vec<Step>,
    joined: Vec<Joined>,
    /// What an open ticket costs with the ticket in hand, and which that was.
    known: Vec<(u32, u32)>,
}

impl Sweep {
    /// Pairs the tickets in one way.
    pub(super) fn one_way(&mut self, costs: &mut impl Line, mates: &mut Mates) {
        let count = costs.count();
        mates.of.clear();
        mates.of.resize(count, NOBODY);
        let mut open = [NOBODY; SLOTS];
        for at in 0..count {
            let slots = slots_of(costs.mask(at));
            let (mut best, mut partner) = (APART, NOBODY);
            let mut left = slots;
            while left != 0 {
                let other = open[left.trailing_zeros() as usize];
                left &= left - 1;
                if other != NOBODY && other != partner {
                    let cost = costs.of(other as usize, at);
                    if cost < best {
                        (best, partner) = (cost, other);
                    }
                }
            }
            let (mut left, holder) = if partner == NOBODY {
                (slots, at as u32)
            } else {
                (mates.of[at], mates.of[partner as usize]) = (partner, at as u32);
                (slots_of(costs.mask(partner as usize)), NOBODY)
            };
            while left != 0 {
                let slot = &mut open[left.trailing_zeros() as usize];
                left &= left - 1;
                // A partner gives up the slots that it still holds.
                if holder != NOBODY || *slot == partner {
                    *slot = holder;
                }
            }
        }
    }

    /// Pairs the tickets in the best of so many ways, at most [`WAYS_MAX`].
    pub(super) fn many_ways(&mut self, costs: &mut impl Line, mates: &mut Mates, ways: usize) {
        let count = costs.count();
        self.ways.clear();
        self.ways.push(START);
        self.joined.clear();
        self.known.clear();
        self.known.resize(count, (NOBODY, 0));
        let mut place = 0;
        for at in 0..count {
            let come = i64::from(costs.place(at).saturating_sub(place));
            place = costs.place(at);
            self.steps.clear();
            for from in 0..self.ways.len() {
                self.ways[from].score += come * i64::from(self.ways[from].count);
                if costs.value(at) > self.ways[from].dies {
                    self.leave_over(costs, from, at);
                }
                self.go_on(costs, from, at, ways.min(WAYS_MAX));
            }
            self.take_steps(costs, at);
        }
        for from in 0..self.ways.len() {
            let way = &mut self.ways[from];
            way.score += LEFT_OVER * i64::from(way.count);
        }
        let best = self.ways.iter().min_by_key(|way| way.score).map_or(NOBODY, |way| way.last);
        mates.of.clear();
        mates.of.resize(count, NOBODY);
        let mut last = best;
        while last != NOBODY {
            let Joined { before, first, second } = self.joined[last as usize];
            mates.of[first as usize] = u32::from(second);
            mates.of[second as usize] = u32::from(first);
            last = before;
        }
    }

    /// Leaves over the open tickets of a way that the ticket in hand is beyond the reach of.
    fn leave_over(&mut self, costs: &impl Line, from: usize, at: usize) {
        let way = &mut self.ways[from];
        let mut kept = 0;
        way.dies = i64::MAX;
        for index in 0..way.count as usize {
            let open = way.open[index];
            let dies = end_of(costs, open);
            if costs.value(at) > dies {
                let charged = i64::from(costs.place(at) - costs.place(open as usize));
                way.score += LEFT_OVER - charged;
                way.hash ^= mixed(open);
            } else {
                way.open[kept] = open;
                way.dies = way.dies.min(dies);
                kept += 1;
            }
        }
        way.count = kept as u8;
    }

    /// Notes how a way could go on with the ticket in hand.
    fn go_on(&mut self, costs: &mut impl Line, from: usize, at: usize, ways: usize) {
        let way = self.ways[from];
        let (place, own) = (costs.place(at), costs.own(at));
        for index in 0..way.count as usize {
            let open = way.open[index];
            let known = &mut self.known[open as usize];
            if known.0 != at as u32 {
                *known = (at as u32, costs.of(open as usize, at));
            }
            let cost = known.1;
            if cost < APART {
                let charged = place - costs.place(open as usize);
                let least = i64::from(own) + i64::from(costs.own(open as usize)) + i64::from(charged);
                let score = way.score + i64::from(cost) - least;
                let step = Step { score, hash: way.hash ^ mixed(open), from: from as u8, with: index as u8 };
                self.note(step, ways);
            }
        }
        let mut score = way.score;
        let mut hash = way.hash ^ mixed(at as u16);
        if way.count as usize == OPEN_MAX {
            let oldest = way.open[0];
            score += LEFT_OVER - i64::from(place - costs.place(oldest as usize));
            hash ^= mixed(oldest);
        }
        self.note(Step { score, hash, from: from as u8, with: OPEN_MAX as u8 }, ways);
    }

    /// Keeps a step if it is among the best: of equal ones the earlier, and one for each set of open tickets.
    fn note(&mut self, step: Step, ways: usize) {
        let steps = &mut self.steps;
        if steps.len() == ways && steps.last().is_some_and(|last| step.score >= last.score) {
            return;
        }
        // The place of the one that goes: one for the same set, or the last one of as many as may be, or none.
        let mut at = match steps.iter().position(|other| other.hash == step.hash) {
            Some(same) if steps[same].score <= step.score => return,
            Some(same) => same,
            None => {
                if steps.len() < ways {
                    steps.push(step);
                }
                steps.len() - 1
            }
        };
        while at > 0 && steps[at - 1].score > step.score {
            steps[at] = steps[at - 1];
            at -= 1;
        }
        steps[at] = step;
    }

    /// Makes ways of the steps.
    fn take_steps(&mut self, costs: &impl Line, at: usize) {
        self.next.clear();
        for step in &self.steps {
            let mut way = self.ways[step.from as usize];
            (way.score, way.hash) = (step.score, step.hash);
            let count = way.count as usize;
            if step.with as usize == OPEN_MAX {
                if count == OPEN_MAX {
                    way.open.copy_within(1.., 0);
                    way.open[OPEN_MAX - 1] = at as u16;
                } else {
                    way.open[count] = at as u16;
                    way.count += 1;
                }
                way.dies = way.dies.min(end_of(costs, at as u16));
            } else {
                let with = step.with as usize;
                self.joined.push(Joined { before: way.last, first: way.open[with], second: at as u16 });
                way.last = self.joined.len() as u32 - 1;
                way.open.copy_within(with + 1..count, with);
                way.count -= 1;
                if way.count == 0 {
                    way.dies = i64::MAX;
                }
            }
            self.next.push(way);
        }
        std::mem::swap(&mut self.ways, &mut self.next);
    }
}

/// The value beyond which a ticket has no partner.
fn end_of(costs: &impl Line, open: u16) -> i64 {
    costs.value(open as usize).saturating_add(costs.farthest(open as usize))
}

/// The slots of a ticket: its regions, or the one of a queue without regions.
fn slots_of(mask: u64) -> u64 {
    if mask == u64::MAX { 1 } else { mask }
}

/// Bits by which sets of open tickets are told apart: those of SplitMix64's finaliser.
fn mixed(place: u16) -> u64 {
    let mut bits = (u64::from(place) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits ^ (bits >> 27)
}
