//! The best partners of many anchors of one pass, where all tickets are plain: the quick twin of `partner`.
//!
//! Filled once for a pass with the tickets of a shard, in the order of their values, as lanes of 32 bits. An anchor's
//! partners are looked for outwards from its place, sixteen at a time: a kernel tells from below what each would cost,
//! and only those that could be the best are looked at one by one. Invariant: the partner, and who was the best on the way
//! to it in the order (distance, seniority), are those that `partner` comes to; debug builds compare the two.
//!
//! Who leaves is only marked; when more than half have left, those who are there move together.
//!
//! Why the order matters: a ticket that was the best for a while has *met* somebody, which its events tell. So whoever is
//! found waits in `open` until no nearer one can come, and is then compared in order; on each side those who are dearer
//! than somebody nearer on that side, or than the best so far, are passed over.

use super::least_cost::chosen::{Chosen, Pair};
use super::least_cost::lanes::{Lanes, NO_PING};
use super::least_cost::measure::push_measured;
use super::least_cost::plain::PlainRules;
use super::scene::Ground;
use crate::model::ids::Seniority;
use crate::rules::compile::CompiledQueue;
use crate::simd::{self, COST_MAX};

/// Tickets that the kernel looks at at once.
const BLOCK: usize = 16;
const WORD: usize = 64;

/// What the rules of a queue come down to whose pairs may be looked for so.
#[derive(Debug)]
pub struct StripRules(PlainRules);

impl StripRules {
    /// Those of a queue; `None`: it is to be searched otherwise.
    pub fn of(queue: &CompiledQueue) -> Option<StripRules> {
        let plain = PlainRules::new(queue);
        (queue.is_plain_duel && Lanes::serve(&plain)).then_some(StripRules(plain))
    }
}

/// The tickets of a shard along the line of their values.
#[derive(Default)]
pub struct Strip {
    lanes: Lanes,
    alive: Alive,
    /// The least ping of all, scaled to cost, and as it is.
    least_own: u32,
    least_raw: u32,
    /// Of the anchor: where the pings of its regions begin, and its own, scaled.
    own: Vec<(u32, u32)>,
    open: Vec<Open>,
    chosen: Chosen,
    places: Vec<u128>,
}

/// A partner that may be the best, to be compared once no nearer one can come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Open {
    distance: u32,
    seniority: Seniority,
    at: usize,
    /// The cost of the match, times its players.
    cost: u64,
}

/// The best partner so far.
#[derive(Clone, Copy)]
struct Best {
    open: Open,
    /// The submit numbers of the match, ascending.
    numbers: [u64; 2],
}

/// One side of the anchor.
struct Side {
    /// The nearest place on it that has not been looked at.
    next: Option<usize>,
    /// The least cost, scaled, of those who are nearer than the last one; and as near.
    passed: u32,
    level: u32,
    distance: u32,
}

impl Side {
    fn new(next: Option<usize>) -> Side {
        Side { next, passed: COST_MAX, level: COST_MAX, distance: 0 }
    }

    /// Somebody stands at this distance, no nearer than the last one.
    fn come_to(&mut self, distance: u32) {
        if distance > self.distance {
            self.distance = distance;
            self.passed = self.passed.min(self.level);
            self.level = COST_MAX;
        }
    }
}

impl Strip {
    /// Takes the tickets of a shard in, in the order (value, seniority, row). `false`: they are not all plain, or a number is
    /// too great.
    pub fn fill(&mut self, ground: &Ground<'_>, rules: &StripRules, rows: &[u32]) -> bool {
        let lanes = &mut self.lanes;
        lanes.make_room(rows.len());
        if !lanes.fill(ground, &rules.0, rows) {
            return false;
        }
        self.alive.fill(rows.len());
        self.least_own = lanes.owns.iter().copied().min().unwrap_or(0);
        self.least_raw = lanes.raw.iter().copied().min().unwrap_or(0);
        true
    }

    /// The rows of all, by their places; some may have left.
    pub fn rows(&self) -> &[u32] {
        &self.lanes.rows
    }

    /// The ticket at a place leaves.
    pub fn remove(&mut self, at: usize) {
        self.alive.remove(at);
    }

    /// Moves those who are there together, if more than half have left; whether it did, so that places are others now.
    pub fn close_up(&mut self) -> bool {
        let count = self.lanes.rows.len();
        if count < 2 * WORD || 2 * self.alive.count > count {
            return false;
        }
        let alive = &self.alive;
        self.lanes.retain(|at| alive.has(at));
        self.alive.fill(self.lanes.rows.len());
        true
    }

    /// Finds the best partner, younger than the anchor at a place, and where it stands. `in_order`: nobody's submit number
    /// is out of the order of seniority. `met`: hears of the rows that were the best, one after the other.
    pub fn search(
        &mut self,
        ground: &Ground<'_>,
        StripRules(plain): &StripRules,
        anchor: usize,
        in_order: bool,
        met: &mut Vec<u32>,
    ) -> Option<usize> {
        let Strip { lanes, alive, own, open, .. } = self;
        let has_pings = !lanes.pings.is_empty();
        let mut regions = if plain.region.is_some() { lanes.masks[anchor] } else { 1 };
        if regions == 0 {
            return None;
        }
        own.clear();
        while has_pings && regions != 0 {
            let begin = regions.trailing_zeros() as usize * lanes.stride;
            regions &= regions - 1;
            own.push((begin as u32, lanes.pings[begin + anchor]));
        }
        let weight = plain.differences.first().map_or(0, |first| 2 * first.weight as u64);
        let ping_weight = if has_pings { plain.region.map_or(0, |region| region.weight as u64) } else { 0 };
        let least_own = own.iter().map(|&(begin, _)| lanes.raw[begin as usize + anchor]).min().unwrap_or(0);
        let floor = ping_weight * (u64::from(least_own) + u64::from(self.least_raw));
        let floor_scaled = if has_pings { lanes.owns[anchor] + self.least_own } else { 0 };
        let line = simd::Line {
            count: lanes.rows.len(),
            values: &lanes.values,
            reaches: &lanes.reaches,
            places: &lanes.places,
            rows: &lanes.pings,
            stride: if has_pings { lanes.stride } else { 0 },
        };
        let (value, place, reach) = (lanes.values[anchor], lanes.places[anchor], lanes.reaches[anchor]);
        let tickets = ground.tickets;
        let since = tickets.seniority(lanes.rows[anchor]);
        // Places are rounded down, so that a difference of two may be one more than it is.
        let scaled = |cost: u64| (cost >> lanes.shift) as u32 + 1;
        let far = |at: &usize| lanes.values[*at].abs_diff(value);
        open.clear();
        let mut best: Option<Best> = None;
        let mut left = Side::new(alive.before(anchor));
        let mut right = Side::new(alive.from(anchor + 1));
        loop {
            left.next = left.next.filter(|at| far(at) <= reach);
            right.next = right.next.filter(|at| far(at) <= reach);
            let (from_left, from_right) = (left.next.as_ref().map(far), right.next.as_ref().map(far));
            if !open.is_empty() {
                let next_right = right.next.map(|at| (far(&at), tickets.seniority(lanes.rows[at])));
                let is_closed = |open: &Open| {
                    from_left.is_none_or(|next| open.distance < next)
                        && next_right.is_none_or(|next| (open.distance, open.seniority) < next)
                };
                open.sort_unstable();
                let closed = open.iter().take_while(|open| is_closed(open)).count();
                for open in open.drain(..closed) {
                    let (a, b) = (since.submit_number, open.seniority.submit_number);
                    let numbers = [a.min(b), a.max(b)];
                    if best.is_none_or(|best| (open.cost, numbers) < (best.open.cost, best.numbers)) {
                        best = Some(Best { open, numbers });
                        met.push(lanes.rows[open.at]);
                    }
                }
            }
            let is_left = match (from_left, from_right) {
                (None, None) => break,
                (Some(left), Some(right)) => left < right,
                (left, _) => left.is_some(),
            };
            let side = if is_left { &mut left } else { &mut right };
            let Some(next) = side.next else { break };
            let mut most = side.passed.min(COST_MAX - 1);
            if let Some(Best { open: best, .. }) = best {
                let scaled = scaled(best.cost);
                // Whoever comes now is no nearer than the best, and its pings come to no less than the floor.
                let is_least = in_order && best.cost == weight * u64::from(best.distance) + floor;
                if is_least || lanes.places[next].abs_diff(place) + floor_scaled > scaled {
                    break;
                }
                most = most.min(scaled);
            }
            let begin = if is_left { (next + 1).saturating_sub(BLOCK) } else { next };
            let mut costs = [0; BLOCK];
            let kernels = ground.queue.kernels;
            let mut found = kernels.around(line, own, (anchor, begin), most, &mut costs) & alive.bits(begin);
            if is_left {
                found &= (u32::MAX >> (31 - (next - begin) as u32)) as u16;
            }
            while found != 0 {
                let lane = if is_left { 15 - found.leading_zeros() } else { found.trailing_zeros() };
                found &= !(1 << lane);
                let at = begin + lane as usize;
                let distance = lanes.values[at].abs_diff(value);
                side.come_to(distance);
                // To the right those who are as near come by seniority.
                let passed = if is_left { side.passed } else { side.passed.min(side.level) };
                let seniority = tickets.seniority(lanes.rows[at]);
                if costs[lane as usize] > passed || seniority < since {
                    continue;
                }
                let mut ping = if has_pings { u64::MAX } else { 0 };
                for &(begin, _) in own.iter() {
                    let pings = &lanes.raw[begin as usize..];
                    let (own, theirs) = (pings[anchor], pings[at]);
                    ping =
                        if theirs == NO_PING { ping } else { ping.min(u64::from(own) + u64::from(theirs)) };
                }
                let cost = weight * u64::from(distance) + ping_weight * ping;
                side.level = side.level.min(scaled(cost));
                open.push(Open { distance, seniority, at, cost });
            }
            side.next = if is_left { alive.before(begin) } else { alive.from(begin + BLOCK) };
        }
        best.map(|best| best.open.at)
    }

    /// Measures the match of two, given by their places, the older one first.
    pub fn measure(
        &mut self,
        ground: &Ground<'_>,
        StripRules(plain): &StripRules,
        pair: [usize; 2],
    ) -> Option<(&Pair, &[u8])> {
        let Strip { lanes, places, chosen, .. } = self;
        chosen.clear();
        push_measured(ground, plain, lanes, pair, places, chosen);
        chosen.pair(0)
    }
}

/// Who is there: a bit for each place, and one for each word of these that is not 0.
#[derive(Default)]
struct Alive {
    words: Vec<u64>,
    filled: Vec<u64>,
    count: usize,
}

impl Alive {
    /// All are there.
    fn fill(&mut self, count: usize) {
        for (bits, count) in [(&mut self.words, count), (&mut self.filled, count.div_ceil(WORD))] {
            bits.clear();
            bits.resize(count / WORD, u64::MAX);
            // One word more, so that there is always one behind the last place.
            bits.push((1 << (count % WORD)) - 1);
        }
        self.count = count;
    }

    fn has(&self, at: usize) -> bool {
        self.words[at / WORD] >> (at % WORD) & 1 == 1
    }

    fn remove(&mut self, at: usize) {
        self.count -= usize::from(self.has(at));
        let word = &mut self.words[at / WORD];
        *word &= !(1 << (at % WORD));
        if *word == 0 {
            self.filled[at / WORD / WORD] &= !(1 << (at / WORD % WORD));
        }
    }

    /// Those at a place and the next ones.
    fn bits(&self, at: usize) -> u16 {
        let (word, shift) = (at / WORD, at % WORD);
        let Some(&low) = self.words.get(word) else { return 0 };
        let high = self.words.get(word + 1).copied().unwrap_or(0);
        ((u128::from(high) << WORD | u128::from(low)) >> shift) as u16
    }

    /// The first one at a place or behind it.
    fn from(&self, at: usize) -> Option<usize> {
        let first = |bits: u64, word: usize| WORD * word + bits.trailing_zeros() as usize;
        let (word, shift) = (at / WORD, at % WORD);
        let bits = self.words.get(word)? & u64::MAX << shift;
        if bits != 0 {
            return Some(first(bits, word));
        }
        let behind = word + 1;
        let mut of = behind / WORD;
        let mut bits = self.filled.get(of)? & u64::MAX << (behind % WORD);
        while bits == 0 {
            of += 1;
            bits = *self.filled.get(of)?;
        }
        let word = first(bits, of);
        Some(first(self.words[word], word))
    }

    /// The last one before a place.
    fn before(&self, at: usize) -> Option<usize> {
        let last = |bits: u64, word: usize| WORD * word + bits.ilog2() as usize;
        let below = |bits: u64, shift: usize| bits & ((1 << shift) - 1);
        let (word, shift) = (at / WORD, at % WORD);
        let bits = self.words.get(word).map_or(0, |&bits| below(bits, shift));
        if bits != 0 {
            return Some(last(bits, word));
        }
        let mut of = word / WORD;
        let mut bits = self.filled.get(of).map_or(0, |&bits| below(bits, word % WORD));
        while bits == 0 {
            of = of.checked_sub(1)?;
            bits = self.filled[of];
        }
        let word = last(bits, of);
        Some(last(self.words[word], word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use std::collections::BTreeSet;

    /// Who is there is a set of numbers.
    #[test]
    fn who_is_there_is_a_plain_set() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for count in [0, 1, 63, 64, 65, 128, 4_096, 4_097, 9_000] {
            let mut alive = Alive::default();
            alive.fill(count);
            let mut model: BTreeSet<usize> = (0..count).collect();
            for step in 0..2 * count + 3 {
                let at = random.random_range(0..count + 2);
                let near = 64 * (at / 64);
                for at in [at, near, near + 63] {
                    assert_eq!(alive.from(at), model.range(at..).next().copied(), "{at} of {count}");
                    assert_eq!(alive.before(at), model.range(..at).next_back().copied(), "{at} of {count}");
                    let bits = (0..16).filter(|lane| model.contains(&(at + lane)));
                    assert_eq!(
                        alive.bits(at),
                        bits.fold(0, |bits, lane| bits | 1 << lane),
                        "{at} of {count}"
                    );
                }
                // In stretches, so that whole words become empty.
                for at in (step % 2 * at..at).rev().take(100).filter(|&at| at < count) {
                    alive.remove(at);
                    model.remove(&at);
                }
                assert_eq!(alive.count, model.len());
            }
        }
    }
}
