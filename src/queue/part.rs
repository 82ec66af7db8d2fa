//! Some components of one queue, visited by one thread at a time: searches, claims, and what came of them.
//!
//! Made and settled by `parts`. Invariant: a part only reads its queue until it is settled; what it brings about stands in
//! the order of its anchors, and `settle_acts` takes it over anchor by anchor.

use super::lane::{Lane, RowSet, Table};
use super::outcome::Outcome;
use super::running::RunningQueue;
use super::strips::{Stand, Strips};
use super::view::{View, Watch};
use crate::assemble::strip::Strip;
use crate::base::room;
use crate::claim::commit::Claims;
use crate::model::ids::{MatchId, Millis, TicketId};

/// A time of a pass.
#[derive(Clone, Copy)]
pub(super) struct Time {
    pub(super) tick: u64,
    pub(super) now: Millis,
    pub(super) stretch: u64,
}

/// What came of one anchor.
#[derive(Clone, Copy)]
pub(super) struct Act {
    /// The anchor's place among the due ones.
    pub(super) at: u32,
    /// The tickets of its match; 0: a ticket was found to have ended.
    tickets: u32,
}

/// How far the acts of a part have been taken over.
#[derive(Default)]
struct Taken {
    acts: usize,
    matches: usize,
    placements: usize,
    regions: usize,
    rows: usize,
}

/// Some components of one queue.
#[derive(Default)]
pub(super) struct Part {
    /// The queue's place among all.
    pub(super) queue: usize,
    /// Anchors by age: the place among the due ones, and the row.
    pub(super) anchors: Vec<(u32, u32)>,
    next: usize,
    /// What came of a stretch: matches and counts.
    outcome: Outcome,
    pub(super) acts: Vec<Act>,
    /// The tickets of all acts.
    pub(super) rows: Vec<u32>,
    /// Where pairs are looked for along the line of values.
    pub(super) strips: Option<Strips>,
    goes_by_strips: bool,
    pub(super) are_filled: bool,
    /// Tickets that could have stood with another one.
    met: Vec<u32>,
    /// Anchors without a match, and whether their searches ended by themselves.
    settled: Vec<(u32, bool)>,
    ids: Vec<TicketId>,
    taken: Taken,
}

/// Notes who has met somebody.
fn note_met(row: u32, met: &[u32], queue: &RunningQueue, table: &mut Table, all: &mut Vec<u32>) {
    let is_met = (!met.is_empty()).then_some(row);
    for &row in is_met.iter().chain(met) {
        if !queue.standings[row as usize].had_partner && table.met.add(row) {
            all.push(row);
        }
    }
}

/// Holds what was found in a strip against the index.
fn check(view: &View<'_>, row: u32, other: Option<u32>, lane: &mut Lane, queue: usize, is_again: bool) {
    let Lane { searcher, tables, .. } = lane;
    let table = &mut tables[queue];
    std::mem::swap(&mut table.told, &mut searcher.search.found.met);
    let watch = Watch { gone: Some(&table.gone), is_again, looked: None };
    view.find(searcher, &mut table.states, row, Some(watch));
    let found = &mut searcher.search.found;
    let is_same = match other {
        Some(other) => found.best.rows == [row, other],
        None => !found.best.is_some(),
    };
    assert!(is_same && found.met == table.told, "another partner than that by the index");
    std::mem::swap(&mut table.told, &mut found.met);
}

impl Part {
    /// Begins anew, without anchors, for the queue at a place.
    pub(super) fn open(&mut self, queue: usize, goes_by_strips: bool) {
        (self.queue, self.next) = (queue, 0);
        (self.goes_by_strips, self.are_filled) = (goes_by_strips, true);
        self.anchors.clear();
        if goes_by_strips {
            self.strips.get_or_insert_default().clear();
        }
    }

    /// Makes the strips, if there are to be some.
    pub(super) fn fill(&mut self, queue: &RunningQueue, now: Millis) {
        if let (true, Some(strips), Some(rules)) = (self.goes_by_strips, &mut self.strips, &queue.strip_rules)
        {
            self.are_filled = strips.fill(&queue.view(now).ground(), rules);
        }
    }

    /// Visits the anchors whose place among the due ones is below `end`.
    pub(super) fn visit_until(
        &mut self,
        end: usize,
        lane: &mut Lane,
        queue: &RunningQueue,
        time: Time,
        claims: &Claims,
    ) {
        let is_next = |anchor: &&(u32, u32)| (anchor.0 as usize) < end;
        if self.anchors.get(self.next).filter(is_next).is_none() {
            return;
        }
        lane.prepare(self.queue, queue, time.tick, time.now);
        lane.tables[self.queue].begin_stretch(time.stretch, queue.tickets.row_end());
        let view = queue.view(time.now);
        let mut strips = if self.goes_by_strips { self.strips.take() } else { None };
        if let Some(strips) = &mut strips {
            strips.note(&mut lane.tables[self.queue], queue.tickets.row_end());
        }
        while let Some(&(at, row)) = self.anchors.get(self.next).filter(is_next) {
            self.next += 1;
            let table = &mut lane.tables[self.queue];
            let is_left = queue.standings[row as usize].is_active && !table.gone.has(row);
            if is_left && view.is_due(&mut table.states, row, |other| table.gone.has(other)) {
                let shard = queue.standings[row as usize].shard;
                let stand = strips.as_mut().map(|strips| strips.stand(shard, table, row));
                match stand {
                    Some(Stand::In(strip)) => {
                        self.visit_strip((at, row), strip, lane, queue, time.now, claims);
                    }
                    Some(Stand::Alone) => {
                        if cfg!(debug_assertions) && queue.unindexed.is_empty() {
                            check(&view, row, None, lane, self.queue, false);
                        }
                        self.outcome.steps += 1;
                        self.settled.push((row, true));
                    }
                    Some(Stand::Elsewhere) | None => self.visit(at, row, lane, queue, time.now, claims),
                }
            }
        }
        if self.goes_by_strips {
            self.strips = strips;
        }
    }

    /// Finds and commits the match of one anchor, if it has one: what `RunningQueue::visit` does, but for the upkeep.
    fn visit(
        &mut self,
        at: u32,
        row: u32,
        lane: &mut Lane,
        queue: &RunningQueue,
        now: Millis,
        claims: &Claims,
    ) {
        let searcher = &mut lane.searcher;
        let table = &mut lane.tables[self.queue];
        let mut is_again = false;
        while !table.gone.has(row) {
            let watch = Watch { gone: Some(&table.gone), is_again, looked: None };
            queue.view(now).find(searcher, &mut table.states, row, Some(watch));
            let found = &searcher.search.found;
            // As in a strip, whether there is one or not.
            let steps = if self.goes_by_strips { 1 + found.met.len() as u64 } else { found.steps };
            self.outcome.steps += steps;
            self.outcome.searches_cut_off += u64::from(!found.exhaustive);
            note_met(row, &found.met, queue, table, &mut self.met);
            if !found.best.is_some() {
                self.settled.push((row, found.exhaustive));
                return;
            }
            self.ids.clear();
            self.ids.extend(found.best.rows.iter().map(|&row| queue.tickets.id(row)));
            match claims.commit(MatchId(queue.tickets.id(row)), &self.ids) {
                Ok(()) => {
                    queue.report(row, 0, &searcher.measured, &mut self.outcome);
                    for &row in &found.best.rows {
                        table.gone.add(row);
                        self.outcome.ledger.leave(&queue.departure(row, now, None));
                    }
                    self.rows.extend_from_slice(&found.best.rows);
                    self.acts.push(Act { at, tickets: found.best.rows.len() as u32 });
                }
                Err(gone) => {
                    // Cancelled since the tick began: the anchor searches again without it.
                    let gone = found.best.rows.iter().find(|&&row| queue.tickets.id(row) == gone);
                    if let Some(&gone) = gone {
                        table.gone.add(gone);
                        self.rows.push(gone);
                        self.acts.push(Act { at, tickets: 0 });
                    }
                }
            }
            is_again = true;
        }
    }

    /// The same, of an anchor that stands in a strip.
    fn visit_strip(
        &mut self,
        (at, row): (u32, u32),
        strip: &mut Strip,
        lane: &mut Lane,
        queue: &RunningQueue,
        now: Millis,
        claims: &Claims,
    ) {
        let (view, ground) = (queue.view(now), queue.view(now).ground());
        let Some(rules) = &queue.strip_rules else { return };
        let mut is_again = false;
        loop {
            let table = &lane.tables[self.queue];
            if table.gone.has(row) {
                return;
            }
            let met = &mut lane.searcher.search.found.met;
            met.clear();
            let place = table.places[row as usize] as usize;
            let found = strip.search(&ground, rules, place, view.in_order, met);
            let other = found.map(|found| strip.rows()[found]);
            if let (Some(found), Some(true)) = (found, other.map(|other| table.gone.has(other))) {
                // An anchor that stands in no strip has taken it.
                strip.remove(found);
                continue;
            }
            self.outcome.steps += 1 + met.len() as u64;
            if cfg!(debug_assertions) && queue.unindexed.is_empty() {
                check(&view, row, other, lane, self.queue, is_again);
            }
            let table = &mut lane.tables[self.queue];
            note_met(row, &lane.searcher.search.found.met, queue, table, &mut self.met);
            let (Some(found), Some(other)) = (found, other) else {
                self.settled.push((row, true));
                return;
            };
            let rows = [row, other];
            match claims.commit(MatchId(queue.tickets.id(row)), &rows.map(|row| queue.tickets.id(row))) {
                Ok(()) => {
                    if let Some((pair, regions)) = strip.measure(&ground, rules, [place, found]) {
                        queue.report_pair(rows, 0, pair, regions, &mut self.outcome);
                    }
                    for (row, place) in rows.into_iter().zip([place, found]) {
                        table.gone.add(row);
                        strip.remove(place);
                        self.outcome.ledger.leave(&queue.departure(row, now, None));
                    }
                    self.rows.extend_from_slice(&rows);
                    self.acts.push(Act { at, tickets: 2 });
                }
                Err(gone) => {
                    // As in `visit`.
                    let of_gone = [(row, place), (other, found)].into_iter();
                    for (row, place) in of_gone.filter(|&(row, _)| queue.tickets.id(row) == gone) {
                        table.gone.add(row);
                        strip.remove(place);
                        self.rows.push(row);
                        self.acts.push(Act { at, tickets: 0 });
                    }
                }
            }
            if strip.close_up() {
                table.note(strip.rows());
            }
            is_again = true;
        }
    }

    /// Takes over what has no order.
    pub(super) fn settle_counts(&mut self, queue: &mut RunningQueue, outcome: &mut Outcome) {
        for (sum, cut_off) in [
            (&mut outcome.steps, &mut outcome.searches_cut_off),
            (&mut queue.tally.steps, &mut queue.tally.searches_cut_off),
        ] {
            *sum += self.outcome.steps;
            *cut_off += self.outcome.searches_cut_off;
        }
        outcome.ledger.append(&self.outcome.ledger);
        for row in self.met.drain(..) {
            queue.standings[row as usize].had_partner = true;
        }
        for (row, is_settled) in self.settled.drain(..) {
            queue.standings[row as usize].is_settled = is_settled;
        }
    }

    /// Takes over what came of one anchor. `leaving`: notes tickets to be taken out of the index later.
    pub(super) fn settle_acts(
        &mut self,
        at: u32,
        queue: &mut RunningQueue,
        outcome: &mut Outcome,
        mut leaving: Option<&mut RowSet>,
        left: &mut impl FnMut(TicketId),
    ) {
        let taken = &mut self.taken;
        while let Some(act) = self.acts.get(taken.acts).filter(|act| act.at == at) {
            taken.acts += 1;
            let rows = &self.rows[taken.rows..][..act.tickets.max(1) as usize];
            taken.rows += rows.len();
            if let Some(leaving) = &mut leaving {
                for &row in rows {
                    if std::mem::take(&mut queue.standings[row as usize].is_indexed) {
                        leaving.add(row);
                    }
                }
            }
            if act.tickets == 0 {
                queue.withdraw(rows[0]);
                continue;
            }
            let of_part = &self.outcome;
            let found = of_part.matches[taken.matches];
            taken.matches += 1;
            outcome.matches.push(found);
            let placements = &of_part.placements[taken.placements..][..rows.len()];
            taken.placements += rows.len();
            outcome.placements.extend_from_slice(placements);
            let regions = &of_part.regions[taken.regions..][..found.region_count as usize];
            taken.regions += regions.len();
            outcome.regions.extend_from_slice(regions);
            for &row in rows {
                left(queue.tickets.id(row));
                queue.remove(row);
            }
        }
    }

    /// Gives back the memory that a great pass took, once it has been settled.
    pub(super) fn rest(&mut self) {
        room::empty(&mut self.anchors);
        room::empty(&mut self.acts);
        room::empty(&mut self.rows);
        room::empty(&mut self.met);
        room::empty(&mut self.settled);
        self.outcome.rest();
        self.strips.iter_mut().for_each(Strips::rest);
    }

    /// Makes ready for the next stretch.
    pub(super) fn forget(&mut self) {
        self.outcome.clear();
        self.acts.clear();
        self.rows.clear();
        self.taken = Taken::default();
    }
}
