//! Gathers tickets around an anchor: branch and bound over sets of candidates that may stand together.
//!
//! The search of every queue that is neither for two tickets nor a plain free-for-all. Candidates come nearest
//! first; a set grows by tickets that may stand with all of it (one bit each in a row of a matrix, as in the
//! clique search of Tomita and Seki, 2003), that leave it a region, and that can be seated. A branch is left
//! when it cannot have more players than the best match, or as many at a lower cost, or at the same cost with an
//! earlier list of submit numbers. Every set is visited at most once, so a pool of 11 candidates takes at most
//! 2,048 nodes; the limit is above that, and a search that meets it says so.
//!
//! What the limit costs (`tests/quality.rs`: 60 pools of 60 parties, 5v5, a team difference that is a preference
//! and so has no bound from below): 5 searches cut off at 6,000 nodes, none at 200,000, mean cost 1.0003 times
//! as high.
//!
//! Measured in turns on a busy machine, same matches and steps: 5v5 with parties 30.5 and 47.0 us a ticket before and 23.2 and
//! 21.5 after pair tests by columns (`within`) and bounds of many candidates at once (`costs`).

use super::bits::{Bits, and, bits_of, clear, first_bit, is_empty, set};
use super::costs::{Candidate, Costs, Partial};
use super::proposal::Proposal;
use super::quality::judge_set;
use super::reach::Regional;
use super::scene::Scene;
use super::seats::Seats;
use super::sums::Sums;
use super::teams::{Goal, Splitter};
use super::within::Within;
use crate::model::limits::MATCH_PLAYERS_MAX;
use crate::rules::shape::Shape;

/// Nodes of one search unless the host says otherwise. A pool of 12 tickets needs 2,048; for larger ones see the
/// measurement above.
pub const SEARCH_NODES: u32 = 6_000;

/// The search; keeps its memory between calls.
#[derive(Default)]
pub(super) struct Gather {
    candidates: Vec<Candidate>,
    /// Those on which something has happened since the anchor was found to have no match.
    fresh: Bits,
    /// Only matches with one of them are new.
    pub(super) needs_fresh: bool,
    regional: Regional,
    /// Candidates in the order of submit numbers.
    by_submit: Vec<u16>,
    within: Within,
    /// For each candidate those among the first so many that it may stand with.
    compatible: Vec<(usize, Bits)>,
    chosen: Vec<u32>,
    seats: Seats,
    costs: Costs,
    sums: Sums,
    /// Nodes of one search.
    pub(super) nodes_max: u32,
    nodes_left: u32,
    steps: u64,
    sorted_rows: Vec<u32>,
    numbers: Vec<u64>,
    cut_splits: bool,
    /// Only a full match is legal for the anchor.
    needs_full: bool,
}

impl Gather {
    /// Forgets the candidates of the last anchor.
    pub(super) fn begin(&mut self) {
        self.candidates.clear();
        self.compatible.clear();
        self.fresh = Bits::default();
    }

    /// How many candidates it has.
    pub(super) fn len(&self) -> usize {
        self.candidates.len()
    }

    /// Adds a candidate that may stand with the anchor.
    pub(super) fn add(&mut self, scene: &Scene<'_>, row: u32, anchor: u32, is_fresh: bool) {
        if is_fresh {
            set(&mut self.fresh, self.candidates.len());
        }
        if self.candidates.is_empty() {
            self.within.begin(scene);
        }
        self.within.add(scene, row, anchor);
        self.compatible.push((0, Bits::default()));
        let (submit_number, size) = (scene.tickets.submit_number(row), scene.tickets.size(row));
        self.candidates.push(Candidate {
            row,
            submit_number,
            size,
            regions: scene.regions_alone(row, anchor),
        });
    }

    /// Improves `best` to the best match of the anchor and any of the candidates. Returns whether the search
    /// ended by itself, and counts the candidates it looked at.
    pub(super) fn search(
        &mut self,
        scene: &Scene<'_>,
        anchor: u32,
        splitter: &mut Splitter,
        best: &mut Proposal,
        steps: &mut u64,
    ) -> bool {
        if self.needs_fresh && is_empty(&self.fresh) {
            return true;
        }
        self.prepare(scene, anchor);
        self.steps = 0;
        let size = scene.tickets.size(anchor);
        self.seats.reset(&scene.queue.shape);
        self.seats.add(size);
        let regions = scene.regions_alone(anchor, anchor);
        if self.seats.fit(&scene.queue.shape) && regions != 0 && self.sums.within_caps(0) {
            let mut all = Bits::default();
            (0..self.candidates.len()).for_each(|at| set(&mut all, at));
            let start = Partial { players: size, regions, depth: 0 };
            self.descend(scene, splitter, best, start, all);
        }
        *steps += self.steps;
        self.nodes_left > 0 && !self.cut_splits
    }

    fn prepare(&mut self, scene: &Scene<'_>, anchor: u32) {
        self.nodes_left = self.nodes_max;
        self.cut_splits = false;
        self.needs_full = scene.needs_full_match(anchor);
        self.chosen.clear();
        self.chosen.push(anchor);
        let candidates = self.candidates.iter().map(|candidate| (candidate.size, candidate.regions));
        self.regional.begin(scene.regions_alone(anchor, anchor), candidates);
        self.by_submit.clear();
        self.by_submit.extend(0..self.candidates.len() as u16);
        let candidates = &self.candidates;
        self.by_submit.sort_unstable_by_key(|&at| candidates[at as usize].submit_number);
        self.costs.begin(scene, anchor, &self.candidates);
        self.sums.begin(
            scene,
            anchor,
            self.candidates.iter().map(|candidate| (candidate.row, candidate.size)),
        );
    }

    /// Visits every set that extends the chosen one by candidates of `left` and could still win.
    fn descend(
        &mut self,
        scene: &Scene<'_>,
        splitter: &mut Splitter,
        best: &mut Proposal,
        mut partial: Partial,
        mut left: Bits,
    ) {
        if self.nodes_left == 0 {
            return;
        }
        self.nodes_left -= 1;
        let shape = &scene.queue.shape;
        let alone = partial;
        let most = self.narrow(shape, best, &mut partial, &mut left);
        let mut available = self.prune(scene, best, partial, &mut left);
        let Ok(lack) = self.sums.scarcest(partial.depth, bits_of(&left)) else { return };
        // What the set lacks one of the tickets that bring it must bring: only those are branched on.
        let mut branch = left;
        if partial.depth == 0 && self.needs_fresh {
            branch = and(&left, &self.fresh);
        } else if let Some(lack) = lack {
            bits_of(&left).filter(|&at| !self.sums.brings(lack, at)).for_each(|at| clear(&mut branch, at));
        }
        let mut bound = None;
        while let Some(at) = first_bit(&branch) {
            if !self.could_win(scene, best, partial, available.min(most), &left, &mut bound) {
                break;
            }
            self.steps += 1;
            let candidate = self.candidates[at];
            clear(&mut branch, at);
            clear(&mut left, at);
            available -= candidate.size;
            let grown = Partial {
                players: partial.players + candidate.size,
                regions: partial.regions & candidate.regions,
                depth: partial.depth + 1,
            };
            if grown.players > shape.full || grown.regions == 0 {
                continue;
            }
            self.seats.add(candidate.size);
            if self.seats.fit(shape) {
                self.costs.extend(partial.depth, at);
                self.sums.extend(scene, partial.depth, at, candidate.row, self.chosen[0]);
                if self.sums.within_caps(grown.depth) {
                    let with = self.compatible_with(scene, at);
                    let next = and(&left, &with);
                    self.chosen.push(candidate.row);
                    self.descend(scene, splitter, best, grown, next);
                    self.chosen.pop();
                }
            }
            self.seats.remove(candidate.size);
            if self.nodes_left == 0 {
                return;
            }
        }
        if lack.is_none() {
            self.consider(scene, splitter, best, alone);
        }
    }

    /// Takes out of the regions and of `left` what cannot stand in a match as large as the best.
    fn narrow(&self, shape: &Shape, best: &Proposal, partial: &mut Partial, left: &mut Bits) -> u32 {
        let target = if self.needs_full { shape.full } else { best.players };
        let players = (partial.players, target);
        self.regional.narrow(shape, &self.sums, partial.depth, players, &mut partial.regions, left)
    }

    /// Takes out of `left` what cannot stand in a better match than the best; returns the players left.
    fn prune(&mut self, scene: &Scene<'_>, best: &Proposal, partial: Partial, left: &mut Bits) -> u32 {
        let mut available = self.regional.players(left);
        let reachable = scene.queue.shape.greatest_total_up_to(partial.players + available);
        if !best.is_some() || reachable != Some(best.players) {
            return available;
        }
        let missing = self.costs.stand(partial, best.players);
        let all = *left;
        for at in bits_of(&all) {
            if self.costs.least_with(partial, (at, &self.candidates[at]), missing, best.players) > best.cost {
                clear(left, at);
                available -= self.candidates[at].size;
            }
        }
        available
    }

    /// Whether the chosen set with any of `left` could be better than the best. `bound` keeps the least cost of
    /// the chosen set with the number of players that it was computed for.
    fn could_win(
        &self,
        scene: &Scene<'_>,
        best: &Proposal,
        partial: Partial,
        available: u32,
        left: &Bits,
        bound: &mut Option<(u32, i128)>,
    ) -> bool {
        let Some(reachable) = scene.queue.shape.greatest_total_up_to(partial.players + available) else {
            return false;
        };
        if reachable < best.players || (self.needs_full && reachable < scene.queue.shape.full) {
            return false;
        }
        if !best.is_some() || reachable > best.players {
            return true;
        }
        let known = bound.filter(|&(players, _)| players == best.players);
        let (_, least) = *bound
            .insert(known.unwrap_or_else(|| (best.players, self.costs.least(partial, None, best.players))));
        least < best.cost || (least == best.cost && self.could_be_earlier(scene, best, left))
    }

    /// Whether some list of submit numbers out of the chosen set and `left` could be smaller than the best one:
    /// the sorted union is compared, as each of its numbers is at most the one at the same place of any list
    /// that holds the chosen set.
    fn could_be_earlier(&self, scene: &Scene<'_>, best: &Proposal, left: &Bits) -> bool {
        let mut numbers = [0_u64; MATCH_PLAYERS_MAX];
        let chosen = &mut numbers[..self.chosen.len()];
        for (number, &row) in chosen.iter_mut().zip(&self.chosen) {
            *number = scene.tickets.submit_number(row);
        }
        chosen.sort_unstable();
        let mut forced = chosen.iter().copied().peekable();
        let mut free = self
            .by_submit
            .iter()
            .filter(|&&at| left[at as usize / 64] >> (at % 64) & 1 == 1)
            .map(|&at| self.candidates[at as usize].submit_number)
            .peekable();
        for &number in &best.submit_numbers {
            let next = match (forced.peek(), free.peek()) {
                (Some(&a), Some(&b)) if a < b => forced.next(),
                (_, Some(_)) => free.next(),
                (_, None) => forced.next(),
            };
            match next {
                Some(next) if next < number => return true,
                Some(next) if next > number => return false,
                Some(_) => {}
                None => return true,
            }
        }
        false
    }

    fn compatible_with(&mut self, scene: &Scene<'_>, at: usize) -> Bits {
        let (known, mut bits) = self.compatible[at];
        if known == self.candidates.len() {
            return bits;
        }
        let Candidate { row, regions, .. } = self.candidates[at];
        let oldest = self.chosen[0];
        let masks_decide = scene.regions_alone_decide();
        let told = if masks_decide { self.within.of(at, known, scene.queue.kernels) } else { None };
        for (other, candidate) in
            self.candidates.iter().enumerate().skip(known).filter(|&(other, _)| other != at)
        {
            // Of two tickets with no region in common no pair test needs to be made, and where their masks say
            // all there is to say it need not look at their pings again.
            let may = regions & candidate.regions != 0
                && match (&told, masks_decide) {
                    (Some(told), _) => told[other / 64] >> (other % 64) & 1 == 1,
                    (None, true) => scene.may_stand_but_for_regions(row, candidate.row, oldest),
                    (None, false) => scene.may_stand_together(row, candidate.row, oldest),
                };
            debug_assert_eq!(
                may,
                regions & candidate.regions != 0 && scene.may_stand_together(row, candidate.row, oldest),
                "a pair is told something else than the scene says"
            );
            if may {
                set(&mut bits, other);
            }
        }
        self.compatible[at] = (self.candidates.len(), bits);
        bits
    }

    /// Judges the chosen set as a match.
    fn consider(
        &mut self,
        scene: &Scene<'_>,
        splitter: &mut Splitter,
        best: &mut Proposal,
        partial: Partial,
    ) {
        let shape = &scene.queue.shape;
        if !shape.is_legal_total(partial.players)
            || !shape.enough_tickets(self.chosen.len(), partial.players)
            || partial.players < best.players
            || (self.needs_full && partial.players < shape.full)
        {
            return;
        }
        if partial.players == best.players && self.costs.least(partial, None, partial.players) > best.cost {
            return;
        }
        self.sorted_rows.clear();
        self.sorted_rows.extend_from_slice(&self.chosen);
        self.sorted_rows.sort_unstable_by_key(|&row| scene.tickets.seniority(row));
        let Some(terms) = judge_set(scene, &self.sorted_rows) else { return };
        self.numbers.clear();
        self.numbers.extend(self.chosen.iter().map(|&row| scene.tickets.submit_number(row)));
        self.numbers.sort_unstable();
        if !best.is_beaten_by(terms.players, terms.cost, &self.numbers) {
            return;
        }
        let (found, exhaustive) = splitter.split(scene, &self.sorted_rows, &terms, Goal::Cheapest);
        self.cut_splits |= !exhaustive;
        if let Some(split) = found {
            let cost = terms.cost + split.cost;
            if best.is_beaten_by(terms.players, cost, &self.numbers) {
                best.replace(&self.sorted_rows, &self.numbers, terms.players, cost);
            }
        }
    }
}
