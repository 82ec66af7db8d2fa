//! The best match of a plain free-for-all: single players, one difference, equalities, a region without weight.
//!
//! A set is legal exactly if every value lies within every other ticket's window, so all that matters of a set is
//! its lowest and its highest value: for each such pair the eligible tickets are those between that reach both
//! ends. The search sweeps the highest value upwards for each lowest one, with a heap of the tickets that fall out
//! (a sweep line); within a pair the earliest tickets make the smallest list. Exact at any size; it takes
//! m^2 log m steps for m candidates, times the regions and the keys of an anchor that has none itself.

use super::proposal::Proposal;
use super::quality::regions_of;
use super::scene::Scene;
use crate::rules::compile::{CompiledQueue, Kind, NO_VALUE};
use crate::rules::spec::WindowAge;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// One ticket under the region, the keys and the newest ticket in hand.
#[derive(Clone, Copy, Debug)]
struct Member {
    row: u32,
    submit_number: u64,
    /// Its value; `NO_VALUE`: left out of the difference.
    value: i64,
    /// The least lowest and the greatest highest value that it reaches.
    reach_down: i64,
    reach_up: i64,
}

/// The search; keeps its memory between calls.
#[derive(Default)]
pub(super) struct Span {
    pools: Vec<Vec<u32>>,
    members: Vec<Member>,
    falling: BinaryHeap<Reverse<(i64, u32)>>,
    eligible: Vec<Member>,
    numbers: Vec<u64>,
    rows: Vec<u32>,
    /// A region and keys for which too few tickets of the anchor's value are there, and those earlier than the
    /// best match's: more of them could make a better one.
    undecided: bool,
}

/// What a sweep is for.
#[derive(Clone, Copy)]
struct Frame {
    anchor: u32,
    /// The newest ticket of the match, where some window goes by its age; else the anchor.
    newest: u32,
    slot: usize,
    rule: usize,
    weight: i64,
}

impl Span {
    /// Improves `best` to the best match of the anchor and any of the candidates, all of which may stand with it.
    ///
    /// Returns whether more candidates with the anchor's value, or with none, and with greater submit numbers
    /// than all of these could not improve it further.
    pub(super) fn search(
        &mut self,
        scene: &Scene<'_>,
        anchor: u32,
        candidates: &[u32],
        best: &mut Proposal,
    ) -> bool {
        let Some(&(rule, slot)) = scene.queue.dimensions.first() else { return false };
        self.undecided = false;
        let weight = scene.queue.rules[rule].weight;
        let by_newest = scene.queue.rules.iter().any(|rule| rule.age == WindowAge::Newest);
        let newest_choices: &[u32] = if by_newest { candidates } else { &[] };
        for &newest in newest_choices.iter().chain([&anchor]) {
            let frame = Frame { anchor, newest, slot, rule, weight };
            let youngest = scene.tickets.seniority(newest);
            let mut pool = self.pools.pop().unwrap_or_default();
            pool.clear();
            pool.push(anchor);
            let fits = |&row: &u32| !by_newest || scene.tickets.seniority(row) <= youngest;
            pool.extend(candidates.iter().copied().filter(fits));
            self.by_region(scene, frame, &pool, best);
            self.pools.push(pool);
        }
        let has_value = scene.tickets.number(slot, anchor) != NO_VALUE;
        weight > 0 && has_value && !self.undecided && !by_newest
    }

    fn by_region(&mut self, scene: &Scene<'_>, frame: Frame, pool: &[u32], best: &mut Proposal) {
        let Some(rule) = scene.queue.region_rule else {
            return self.by_keys(scene, frame, 0, pool, best);
        };
        let age = scene.queue.rules[rule].age;
        let within = |row| scene.regions_within(row, scene.deciding(age, row, frame.anchor, frame.newest));
        for region in regions_of(within(frame.anchor)) {
            let mut inner = self.pools.pop().unwrap_or_default();
            inner.clear();
            inner.extend(pool.iter().copied().filter(|&row| within(row) >> region & 1 == 1));
            self.by_keys(scene, frame, 0, &inner, best);
            self.pools.push(inner);
        }
    }

    /// Settles the key that all tickets with one agree in, equality by equality from `from` on.
    fn by_keys(&mut self, scene: &Scene<'_>, frame: Frame, from: usize, pool: &[u32], best: &mut Proposal) {
        if pool.len() < best.players as usize || !pool.contains(&frame.newest) {
            self.note_open(scene, frame, pool, best);
            return;
        }
        let Some((rule, slot)) = equality_from(scene.queue, from) else {
            return self.sweep(scene, frame, pool, best);
        };
        let age = scene.queue.rules[rule].age;
        let binds = |row| scene.deciding(age, row, frame.anchor, frame.newest).binds(rule);
        let key = |row| scene.tickets.key(slot, row);
        let anchor_key = key(frame.anchor);
        let mut keys: Vec<i64> = if anchor_key == NO_VALUE {
            pool.iter().map(|&row| key(row)).filter(|&key| key != NO_VALUE).collect()
        } else {
            vec![anchor_key]
        };
        keys.sort_unstable();
        keys.dedup();
        let anchor_is_free = anchor_key == NO_VALUE || !binds(frame.anchor);
        // Either all with a key share this one, or nobody with a key is bound.
        let choices = keys.into_iter().map(Some).chain(anchor_is_free.then_some(None));
        for choice in choices {
            let mut inner = self.pools.pop().unwrap_or_default();
            inner.clear();
            inner.extend(pool.iter().copied().filter(|&row| match choice {
                Some(shared) => key(row) == shared || key(row) == NO_VALUE,
                None => key(row) == NO_VALUE || !binds(row),
            }));
            self.by_keys(scene, frame, rule + 1, &inner, best);
            self.pools.push(inner);
        }
    }

    /// Notes whether more tickets of the anchor's value could make this pool's match the best: its numbers come
    /// first in that match's list, and all later ones are greater than those of the best.
    fn note_open(&mut self, scene: &Scene<'_>, frame: Frame, pool: &[u32], best: &Proposal) {
        let value = |row| scene.tickets.number(frame.slot, row);
        let near = |&row: &u32| value(row) == value(frame.anchor) || value(row) == NO_VALUE;
        self.numbers.clear();
        self.numbers.extend(pool.iter().copied().filter(near).map(|row| scene.tickets.submit_number(row)));
        if self.numbers.len() >= scene.queue.shape.full as usize {
            return;
        }
        self.numbers.sort_unstable();
        let differs = self.numbers.iter().zip(&best.submit_numbers).find(|(own, other)| own != other);
        self.undecided |= differs.is_some_and(|(own, other)| own < other);
    }

    /// Tries every pair of a lowest and a highest value.
    fn sweep(&mut self, scene: &Scene<'_>, frame: Frame, pool: &[u32], best: &mut Proposal) {
        self.note_open(scene, frame, pool, best);
        self.members.clear();
        self.members.extend(pool.iter().map(|&row| member(scene, frame, row)));
        self.members.sort_unstable_by_key(|member| (member.value, member.submit_number));
        // Tickets without a value have the least number, so they come first.
        let without = self.members.partition_point(|member| member.value == NO_VALUE);
        if without == self.members.len() {
            self.consider(scene, frame, (0, 0), best);
            return;
        }
        let anchor_value = scene.tickets.number(frame.slot, frame.anchor);
        let mut last_low = None;
        for at in (without..self.members.len()).rev() {
            let low = self.members[at].value;
            if Some(low) == last_low || (anchor_value != NO_VALUE && low > anchor_value) {
                continue;
            }
            last_low = Some(low);
            self.raise(scene, frame, low, anchor_value, without, best);
        }
        if anchor_value == NO_VALUE {
            // No ticket with a value at all: the pair that none of them reaches.
            self.consider(scene, frame, (i64::MAX, i64::MAX), best);
        }
    }

    /// Sweeps the highest value upwards over the tickets that reach down to `low`.
    fn raise(
        &mut self,
        scene: &Scene<'_>,
        frame: Frame,
        low: i64,
        anchor_value: i64,
        without: usize,
        best: &mut Proposal,
    ) {
        self.falling.clear();
        let mut standing = without;
        let mut at = self.members.partition_point(|member| member.value < low);
        while at < self.members.len() {
            let high = self.members[at].value;
            while at < self.members.len() && self.members[at].value == high {
                let member = self.members[at];
                if member.reach_down <= low && member.reach_up >= high {
                    standing += 1;
                    self.falling.push(Reverse((member.reach_up, member.row)));
                }
                at += 1;
            }
            while self.falling.peek().is_some_and(|Reverse((reach, _))| *reach < high) {
                self.falling.pop();
                standing -= 1;
            }
            let cost = cost_of(frame.weight, low, high, best.players);
            let is_full = best.players == scene.queue.shape.full;
            if is_full && frame.weight > 0 && cost > best.cost {
                return;
            }
            if anchor_value != NO_VALUE && high < anchor_value {
                continue;
            }
            if standing >= best.players as usize {
                self.consider(scene, frame, (low, high), best);
            }
        }
    }

    /// Judges the earliest eligible tickets of a pair of values as a match.
    fn consider(&mut self, scene: &Scene<'_>, frame: Frame, (low, high): (i64, i64), best: &mut Proposal) {
        let shape = &scene.queue.shape;
        let reaches = |member: &Member| {
            member.value == NO_VALUE
                || (low <= member.value
                    && member.value <= high
                    && member.reach_down <= low
                    && member.reach_up >= high)
        };
        self.eligible.clear();
        self.eligible.extend(self.members.iter().filter(|member| reaches(member)));
        let forced = [frame.anchor, frame.newest];
        if forced.iter().any(|&row| !self.eligible.iter().any(|member| member.row == row)) {
            return;
        }
        let Some(players) = shape.greatest_total_up_to(self.eligible.len() as u32) else { return };
        let forced_count = if frame.anchor == frame.newest { 1 } else { 2 };
        if players < best.players
            || players < forced_count
            || !shape.enough_tickets(players as usize, players)
            || (scene.needs_full_match(frame.anchor) && players < shape.full)
        {
            return;
        }
        let cost = cost_of(frame.weight, low, high, players);
        if players == best.players && cost > best.cost {
            return;
        }
        self.eligible.sort_unstable_by_key(|member| (!forced.contains(&member.row), member.submit_number));
        self.eligible.truncate(players as usize);
        self.numbers.clear();
        self.numbers.extend(self.eligible.iter().map(|member| member.submit_number));
        self.numbers.sort_unstable();
        if best.is_beaten_by(players, cost, &self.numbers) {
            self.rows.clear();
            self.rows.extend(self.eligible.iter().map(|member| member.row));
            self.rows.sort_unstable_by_key(|&row| scene.tickets.seniority(row));
            best.replace(&self.rows, &self.numbers, players, cost);
        }
    }
}

fn cost_of(weight: i64, low: i64, high: i64, players: u32) -> i128 {
    i128::from(weight) * (i128::from(high) - i128::from(low)) * i128::from(players)
}

fn member(scene: &Scene<'_>, frame: Frame, row: u32) -> Member {
    let value = scene.tickets.number(frame.slot, row);
    let rule = &scene.queue.rules[frame.rule];
    let state = scene.deciding(rule.age, row, frame.anchor, frame.newest);
    let window = if state.binds(frame.rule) { state.numbers[rule.state] } else { i64::MAX };
    Member {
        row,
        submit_number: scene.tickets.submit_number(row),
        value,
        reach_down: value.saturating_sub(window),
        reach_up: value.saturating_add(window),
    }
}

fn equality_from(queue: &CompiledQueue, from: usize) -> Option<(usize, usize)> {
    queue.rules.iter().enumerate().skip(from).find_map(|(index, rule)| match rule.kind {
        Kind::Equality(slot, _) => Some((index, slot)),
        _ => None,
    })
}
