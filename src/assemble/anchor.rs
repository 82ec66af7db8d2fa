//! The best match around an anchor: the match whose oldest ticket it is.
//!
//! Called for each waiting ticket in the order of age. Picks the search that the queue's shape allows, feeds it
//! candidates from the index, nearest first, and stops when no later candidate can be better. Writes nothing but
//! its own memory.

use super::bits::CANDIDATES_MAX;
use super::gather::Gather;
pub use super::gather::SEARCH_NODES;
use super::partner;
use super::proposal::Proposal;
use super::scene::Ground;
use super::span::Span;
use super::states::States;
use super::stretch::{self, Outcome, Stretch};
use super::teams::Splitter;
use crate::index::{Candidates, Found};

/// Tickets that the first round of a search looks at, at least: as many as a pool that is searched whole.
const FIRST_ROUND: usize = 16;

/// So many times the players of a match are looked for who bring one thing that every match needs: chosen.
const BROUGHT_TIMES: usize = 4;

/// How an index's distance bounds the cost of a match from below. Distances are weighted for two players: twice
/// the weight of each difference, once that of the region's ping.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CostBound {
    /// Differences only: every player of the match pays half the distance.
    Differences,
    /// Differences and a ping: the distance is the least cost, times the players, of any match of two or more.
    WithPing,
}

impl CostBound {
    /// The least cost, times the players, of a match of `players` (2 and up) with a candidate at `distance`.
    pub fn least(self, distance: u128, players: u32) -> i128 {
        match self {
            CostBound::Differences => distance as i128 / 2 * i128::from(players),
            CostBound::WithPing => distance as i128,
        }
    }
}

/// What a search came to.
#[derive(Default)]
pub struct Finding {
    /// The best match; none if its rows are empty.
    pub best: Proposal,
    /// Whether the search ended by itself.
    pub exhaustive: bool,
    /// Candidates looked at.
    pub steps: u64,
    /// The tickets that the anchor could have stood with, as far as it looked; in a search for partners those among them
    /// that were the best until then.
    pub met: Vec<u32>,
    /// The best match is a pair of plain tickets, which the judge need not see.
    pub is_told: bool,
}

/// The memory of searches, and what the last one found.
#[derive(Default)]
pub struct Search {
    /// What the last search came to.
    pub found: Finding,
    /// Splits sets into teams.
    pub splitter: Splitter,
    /// The least that the two pings of the next search's pair can come to, in any region: what is known of the tickets
    /// that wait. Every search takes it away.
    pub pings_least: i64,
    gather: Gather,
    stretch: Stretch,
    span: Span,
    /// Those who bring what every match needs, and the slots of which all bringers are known.
    brought: Vec<u32>,
    known_slots: Vec<usize>,
    /// Whether no later candidate at distance 0 can give the span search an earlier list.
    span_is_decided: bool,
    /// What the judge measures of a pair that was told without it: kept, so that the comparison allocates nothing.
    #[cfg(debug_assertions)]
    pub(super) judged: super::report::Measured,
}

impl Search {
    /// A search that visits at most so many nodes for one circle of candidates, if it is not exact by itself.
    pub fn new(nodes_max: u32) -> Search {
        let mut search = Search::default();
        search.gather.nodes_max = nodes_max;
        search
    }

    /// Finds the best match whose oldest ticket is `anchor` among it and the candidates, all of them younger.
    ///
    /// `in_order`: no waiting ticket has a submit number out of the order of seniority, so candidates at equal
    /// distance come by submit number. `fresh`: if given, the anchor has no match without one of these; so none but
    /// with one is looked for.
    #[allow(clippy::too_many_arguments, reason = "what a search depends on, and nothing else")]
    pub fn run(
        &mut self,
        ground: &Ground<'_>,
        states: &mut States,
        anchor: u32,
        candidates: &mut impl Candidates,
        bound: CostBound,
        in_order: bool,
        fresh: Option<&dyn Fn(u32) -> bool>,
    ) {
        self.found.best.clear();
        self.found.steps = 1;
        self.found.exhaustive = true;
        self.found.met.clear();
        self.found.is_told = false;
        states.ensure(ground.queue, ground.tickets, anchor);
        if ground.queue.shape.full <= 2 {
            partner::search(self, ground, states, anchor, candidates, bound, in_order);
            self.pings_least = 0;
        } else {
            self.grow(ground, states, anchor, candidates, bound, in_order, fresh);
        }
    }

    /// Finds no match, only whether the anchor could stand with one of the candidates.
    pub fn meet(
        &mut self,
        ground: &Ground<'_>,
        states: &mut States,
        anchor: u32,
        candidates: &mut impl Candidates,
    ) {
        self.found.best.clear();
        self.found.steps = 1;
        self.found.exhaustive = true;
        self.found.met.clear();
        self.found.is_told = false;
        states.ensure(ground.queue, ground.tickets, anchor);
        while let Some(found) = candidates.next() {
            self.found.steps += 1;
            states.ensure(ground.queue, ground.tickets, found.item);
            if ground.scene(states).may_stand_together(anchor, found.item, anchor) {
                self.found.met.push(found.item);
                return;
            }
        }
    }

    /// Searches ever larger circles of candidates around the anchor.
    #[allow(clippy::too_many_arguments, reason = "those of the run")]
    fn grow(
        &mut self,
        ground: &Ground<'_>,
        states: &mut States,
        anchor: u32,
        candidates: &mut impl Candidates,
        bound: CostBound,
        in_order: bool,
        fresh: Option<&dyn Fn(u32) -> bool>,
    ) {
        self.gather.begin();
        self.gather.needs_fresh = fresh.is_some();
        let full = ground.queue.shape.full;
        let simple = |row| ground.tickets.size(row) == 1 && !ground.tickets.has_limits(row);
        let mut spans = ground.queue.is_plain_free_for_all && simple(anchor);
        // A search for what is new mostly ends without a match: then one circle of all costs less than many.
        let first = FIRST_ROUND.max(2 * full as usize);
        let mut wanted = if fresh.is_some() && !spans { CANDIDATES_MAX } else { first };
        let mut next = candidates.next();
        let mut was_cut_off = false;
        // A pool that is no larger than this is searched whole, and so is any that a host wants searched harder.
        let mut is_quick =
            !spans && self.gather.nodes_max <= SEARCH_NODES && Stretch::serves(&ground.scene(states));
        loop {
            let most = |spans| if spans { wanted } else { wanted.min(CANDIDATES_MAX) };
            spans &= self.pull(ground, states, anchor, candidates, &mut next, most(spans), simple);
            if is_quick && (self.found.met.len() > first || next.is_some()) {
                is_quick = false;
                if self.search_quickly(ground, states, anchor, candidates, &mut next, fresh) {
                    return;
                }
            }
            // A party that came late ends the sweep; the other search takes so many candidates and no more.
            let is_cut = !spans && self.found.met.len() > CANDIDATES_MAX;
            if is_cut {
                self.found.met.truncate(CANDIDATES_MAX);
            }
            self.search_pulled(ground, states, anchor, spans, fresh);
            if is_cut {
                self.found.exhaustive = false;
                return;
            }
            // A larger circle would be cut off sooner: it is worth one try, and none once there is a match.
            if !self.found.exhaustive && (self.found.best.is_some() || was_cut_off) {
                return;
            }
            was_cut_off = !self.found.exhaustive;
            let Some(found) = next else { return };
            if self.is_beyond(found, bound, full, spans, in_order) {
                return;
            }
            if !spans && self.found.met.len() >= CANDIDATES_MAX {
                self.found.exhaustive = false;
                return;
            }
            wanted *= 2;
        }
    }

    /// Pulls candidates until there are so many that the anchor may stand with; whether all that came are simple.
    #[allow(clippy::too_many_arguments, reason = "those of the run")]
    fn pull(
        &mut self,
        ground: &Ground<'_>,
        states: &mut States,
        anchor: u32,
        candidates: &mut impl Candidates,
        next: &mut Option<Found>,
        most: usize,
        simple: impl Fn(u32) -> bool,
    ) -> bool {
        let mut all_simple = true;
        while let Some(found) = next.filter(|_| self.found.met.len() < most) {
            self.found.steps += 1;
            states.ensure(ground.queue, ground.tickets, found.item);
            if ground.scene(states).may_stand_together(anchor, found.item, anchor) {
                all_simple &= simple(found.item);
                self.found.met.push(found.item);
            }
            *next = candidates.next();
        }
        all_simple
    }

    /// Searches the stretches about the anchor in a pool too large to be searched whole; whether that settled it.
    fn search_quickly(
        &mut self,
        ground: &Ground<'_>,
        states: &mut States,
        anchor: u32,
        candidates: &mut impl Candidates,
        next: &mut Option<Found>,
        fresh: Option<&dyn Fn(u32) -> bool>,
    ) -> bool {
        let has_needs = self.bring(ground, states, anchor, candidates);
        let wanted = if has_needs { 0 } else { stretch::wanted(ground.queue.shape.full) };
        self.pull(ground, states, anchor, candidates, next, wanted, |_| true);
        let is_all = next.is_none();
        let is_fresh = |&row: &u32| fresh.is_none_or(|fresh| fresh(row));
        if !self.found.met.iter().chain(&self.brought).any(is_fresh) {
            return is_all;
        }
        if !is_all {
            let met = &self.found.met;
            self.brought.retain(|row| !met.contains(row));
            self.brought.extend_from_slice(met);
        } else {
            self.brought.clear();
            self.brought.extend_from_slice(&self.found.met);
        }
        let Finding { best, steps, .. } = &mut self.found;
        let known = (is_all, &self.known_slots[..]);
        let scene = ground.scene(states);
        let found = (best, steps);
        let outcome = self.stretch.search(&scene, anchor, &self.brought, known, &mut self.splitter, found);
        if outcome != Outcome::Open || !has_needs || is_all {
            return outcome != Outcome::Open;
        }
        // A pool of no more than one search takes is searched by distance, whole; else those who bring what is needed.
        self.pull(ground, states, anchor, candidates, next, CANDIDATES_MAX, |_| true);
        if next.is_none() || self.brought.len() > CANDIDATES_MAX {
            return false;
        }
        let full = ground.queue.shape.full;
        let scene = ground.scene(states);
        for &row in &self.brought {
            self.gather.add(&scene, row, anchor, fresh.is_some_and(|fresh| fresh(row)));
        }
        let Finding { best, steps, .. } = &mut self.found;
        let is_done = self.gather.search(&scene, anchor, &mut self.splitter, best, steps);
        // Others might make a fuller match.
        self.found.exhaustive = is_done && self.found.best.players >= full;
        true
    }

    /// Looks for those near the anchor who bring what every match needs, need by need; whether any need is known.
    fn bring(
        &mut self,
        ground: &Ground<'_>,
        states: &mut States,
        anchor: u32,
        candidates: &mut impl Candidates,
    ) -> bool {
        self.brought.clear();
        self.known_slots.clear();
        let most = BROUGHT_TIMES * ground.queue.shape.full as usize;
        let mut need = 0;
        while let Some(brought) = candidates.bringers(need, most, &|_| false, &mut self.brought) {
            need += 1;
            self.known_slots.extend(brought.slot.filter(|_| brought.is_all));
        }
        self.found.steps += self.brought.len() as u64;
        candidates.looked_at(&self.brought);
        self.brought.sort_unstable();
        self.brought.dedup();
        self.brought.retain(|&row| {
            states.ensure(ground.queue, ground.tickets, row);
            ground.scene(states).may_stand_together(anchor, row, anchor)
        });
        // By row no longer: rows are given out anew, and what is found must not depend on them.
        self.brought.sort_unstable_by_key(|&row| ground.tickets.seniority(row));
        need > 0
    }

    fn search_pulled(
        &mut self,
        ground: &Ground<'_>,
        states: &States,
        anchor: u32,
        spans: bool,
        fresh: Option<&dyn Fn(u32) -> bool>,
    ) {
        let scene = ground.scene(states);
        if spans {
            self.span_is_decided = self.span.search(&scene, anchor, &self.found.met, &mut self.found.best);
            return;
        }
        for &row in self.found.met.iter().take(CANDIDATES_MAX).skip(self.gather.len()) {
            self.gather.add(&scene, row, anchor, fresh.is_some_and(|fresh| fresh(row)));
        }
        self.found.exhaustive = self.gather.search(
            &scene,
            anchor,
            &mut self.splitter,
            &mut self.found.best,
            &mut self.found.steps,
        );
    }

    /// Whether neither this candidate nor a later one can stand in a better match than the best.
    ///
    /// A tie in cost could still be won by an earlier list of submit numbers. The plain free-for-all is exact, so
    /// it goes on through ties, except where all tickets of the best match are at distance 0 and the later ones
    /// only have greater numbers.
    fn is_beyond(&self, found: Found, bound: CostBound, full: u32, spans: bool, in_order: bool) -> bool {
        if self.found.best.players < full {
            return false;
        }
        let least = bound.least(found.distance, full);
        let tie_ends =
            !spans || (in_order && found.distance == 0 && self.found.best.cost == 0 && self.span_is_decided);
        least > self.found.best.cost || (least == self.found.best.cost && tie_ends)
    }
}
