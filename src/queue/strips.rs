//! The tickets of a part that wait in a shard together, where pairs are looked for along the line of their values.
//!
//! Used by `parts` for queues in which single players are matched in pairs by a value and a region (`assemble::strip`). A
//! part then visits all its anchors at once: what has left is marked in the strip, and the index is brought up to date at
//! the end. Invariant: partners, and who has met somebody, are those of a search in the index, which debug builds compare.
//! What counts as a step differs: a ticket that was the best for a while. So whether a queue's pass goes by strips
//! depends on the tick's budget, the anchors and who waits, never on threads.
//!
//! Tickets that have come since the last tick need not stand in the index for that: where everybody is due they are put in
//! order here, and only who is left over is indexed.
//!
//! Measured (callgrind of `evenmatch bench duel --full --selection oldest_first`, four regions, 10 ticks of 10,000, AVX2, same
//! output), instructions a ticket: the searches of the index 6,860 in a tick of 13,440; strips 2,430 with their filling in
//! one of 9,160; without the index 8,150. Two threads in `benches/rounds.rs`, regions apart: 15.3 ms alone instead of 21.2,
//! 8.4 ms instead of 12.3.

use super::lane::Table;
use super::running::RunningQueue;
use crate::assemble::least_cost::order::Order;
use crate::assemble::scene::Ground;
use crate::assemble::strip::{Strip, StripRules};
use crate::base::room::GIVEN_FROM;
use crate::rules::compile::CompiledQueue;
use crate::rules::spec::Selection;
use crate::shard::Geometry;

/// Anchors of a pass from which on strips are made: chosen, about what a look at all who wait costs.
const ANCHORS_MIN: usize = 4;
/// Tickets that are taken into strips for each anchor at most: a search in the index costs some thirty times what one
/// ticket costs in a strip.
const MEMBERS_PER_ANCHOR: usize = 16;

/// Strips of one pass, at most: chosen, as each takes half a kilobyte however few it holds.
const STRIPS_MAX: usize = 1024;

/// Tickets of one shard.
#[derive(Default)]
struct OwnStrip {
    shard: u32,
    rows: Vec<u32>,
    strip: Strip,
    /// They are in the strip; else the index is searched.
    is_filled: bool,
}

/// The strips of a part, by shard.
#[derive(Default)]
pub(super) struct Strips {
    all: Vec<OwnStrip>,
    /// How many of them are of the pass at hand.
    count: usize,
}

impl Strips {
    /// Forgets the tickets.
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    /// Gives back the memory that many tickets took.
    pub(super) fn rest(&mut self) {
        self.count = 0;
        self.all.retain(|own| own.rows.capacity() <= GIVEN_FROM);
    }

    /// Takes in a ticket of a shard in which others are too: shard by shard, each in the order of values.
    pub(super) fn push(&mut self, shard: u32, row: u32) {
        if self.count == 0 || self.all[self.count - 1].shard != shard {
            if self.count == self.all.len() {
                self.all.push(OwnStrip::default());
            }
            let own = &mut self.all[self.count];
            (own.shard, own.is_filled) = (shard, false);
            own.rows.clear();
            self.count += 1;
        }
        self.all[self.count - 1].rows.push(row);
    }

    /// Makes the strips; whether all tickets are in them.
    pub(super) fn fill(&mut self, ground: &Ground<'_>, rules: &StripRules) -> bool {
        for own in &mut self.all[..self.count] {
            own.is_filled = own.strip.fill(ground, rules, &own.rows);
        }
        self.all[..self.count].iter().all(|own| own.is_filled)
    }

    /// Notes the places of all tickets.
    pub(super) fn note(&self, table: &mut Table, row_end: u32) {
        if table.places.len() < row_end as usize {
            table.places.resize((row_end as usize).next_power_of_two(), 0);
        }
        for own in self.all[..self.count].iter().filter(|own| own.is_filled) {
            table.note(own.strip.rows());
        }
    }

    /// Where a ticket of a shard stands.
    pub(super) fn stand(&mut self, shard: u32, table: &Table, row: u32) -> Stand<'_> {
        let all = &mut self.all[..self.count];
        let Ok(at) = all.binary_search_by_key(&shard, |own| own.shard) else { return Stand::Alone };
        let OwnStrip { strip, is_filled, .. } = &mut all[at];
        match *is_filled && strip.rows().get(table.places[row as usize] as usize) == Some(&row) {
            true => Stand::In(strip),
            false => Stand::Elsewhere,
        }
    }
}

/// Where a ticket stands.
pub(super) enum Stand<'a> {
    /// In a strip.
    In(&'a mut Strip),
    /// In a shard whose tickets are in no strip.
    Elsewhere,
    /// Nobody who could stand with it is in its shard.
    Alone,
}

impl Table {
    /// Notes the places of rows.
    pub(super) fn note(&mut self, rows: &[u32]) {
        for (place, &row) in (0..).zip(rows) {
            self.places[row as usize] = place;
        }
    }
}

impl RunningQueue {
    /// The rules of a queue whose passes over many anchors may go by strips.
    pub(super) fn strip_rules(compiled: &CompiledQueue, geometry: &Geometry) -> Option<StripRules> {
        let by_age = compiled.spec.selection == Selection::OldestFirst;
        let has_line = by_age && geometry.is_of_values() && geometry.lead().is_some();
        StripRules::of(compiled).filter(|_| has_line)
    }

    /// Lists the tickets that a pass over so many due anchors looks at, shard by shard in the order of values; `false`: the
    /// index is to be searched for each anchor.
    pub(super) fn list_for_strips(
        &self,
        anchors: usize,
        (order, rows): &mut (Order, Vec<u32>),
        members: &mut Vec<(u32, u32)>,
    ) -> bool {
        let may = self.strip_rules.is_some() && anchors >= ANCHORS_MIN;
        let most = anchors.saturating_mul(MEMBERS_PER_ANCHOR);
        members.clear();
        // Where spans are known, nobody else can be in a match that is new.
        if !may || (self.spans.is_empty() && self.tickets.len() > most) {
            return false;
        }
        if self.spans.is_empty() && !self.unindexed.is_empty() {
            // Everybody is due, by age.
            let active = self.due.iter().filter(|&&(seniority, row)| {
                self.holds(seniority, row) && self.standings[row as usize].is_active
            });
            rows.clear();
            rows.extend(active.map(|&(_, row)| row));
            self.put_in_line(order, rows);
            members.extend(rows.iter().map(|&row| (self.standings[row as usize].shard, row)));
            return self.are_few_strips(members);
        }
        if self.spans.is_empty() {
            let shards = (0..).zip(self.shards.iter()).filter(|(_, shard)| !shard.is_empty());
            for (number, shard) in shards {
                shard.visit_within(i64::MIN, i64::MAX, |row, _| members.push((number, row)));
            }
            return self.are_few_strips(members);
        }
        // They are merged, ascending.
        for span in &self.spans {
            let shard = self.shards.get(span.shard);
            let goes_on = shard.visit_within_while(span.low, span.high, |row, _| {
                members.push((span.shard, row));
                members.len() <= most
            });
            if !goes_on {
                return false;
            }
        }
        if !self.unindexed.is_empty() {
            rows.clear();
            rows.extend(self.not_indexed().map(|(row, _)| row));
            rows.sort_unstable_by_key(|&row| (self.tickets.seniority(row), row));
            rows.dedup();
            self.put_in_line(order, rows);
            self.merge_in(rows, members);
        }
        members.len() <= most && self.are_few_strips(members)
    }

    /// Whether there are not too many shards with tickets that could meet.
    fn are_few_strips(&self, members: &[(u32, u32)]) -> bool {
        let shards = members.chunk_by(|a, b| a.0 == b.0);
        shards.filter(|members| members.len() > 1).take(STRIPS_MAX + 1).count() <= STRIPS_MAX
    }

    /// Puts rows, given by age, in the order of shards and values.
    fn put_in_line(&self, order: &mut Order, rows: &mut [u32]) {
        let shard = |row: u32| self.standings[row as usize].shard;
        if self.partition.is_empty() {
            return order.sort(&self.compiled, &self.tickets, rows);
        }
        order.sort_by_group(rows, shard);
        for of_shard in rows.chunk_by_mut(|&a, &b| shard(a) == shard(b)) {
            order.sort(&self.compiled, &self.tickets, of_shard);
        }
    }

    /// Takes rows in among others, both in the order (shard, value, seniority).
    fn merge_in(&self, rows: &[u32], members: &mut Vec<(u32, u32)>) {
        let lead = self.geometry.lead();
        let key = |(shard, row): (u32, u32)| {
            let value = lead.map_or(0, |slot| self.tickets.number(slot, row));
            (shard, value, self.tickets.seniority(row), row)
        };
        let mut old = members.len();
        members.resize(old + rows.len(), (0, 0));
        let mut to = members.len();
        // From behind, so that nobody is in the way.
        for &row in rows.iter().rev() {
            let new = (self.standings[row as usize].shard, row);
            while old > 0 && key(members[old - 1]) > key(new) {
                (old, to) = (old - 1, to - 1);
                members[to] = members[old];
            }
            to -= 1;
            members[to] = new;
        }
    }
}
