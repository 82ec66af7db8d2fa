//! Matches of a few tickets: exact, by every set of disjoint legal matches.
//!
//! Sets grow by tickets that may stand with all of it, as a bit mask each; what is left is the best way to part the
//! tickets into sets, by dynamic programming over masks. Most players first, then the least total cost; of equal ones
//! the one that was found first, in the order of values. Invariant: exact, or it says that there are too many sets.

use super::judged::{Judged, judge, sizes_fit};
use crate::assemble::scene::{Ground, Scene};
use crate::assemble::states::States;
use crate::assemble::teams::Splitter;
use crate::model::limits::MATCH_PLAYERS_MAX;

/// Tickets that are looked at, at most.
pub(super) const FEW: usize = 12;
/// Sets that are judged, at most: chosen, a few milliseconds.
const SETS_MAX: usize = 1_500;

/// A legal match.
#[derive(Clone, Copy)]
struct Legal {
    set: u16,
    judged: Judged,
}

/// What the best matches of some tickets are worth.
#[derive(Clone, Copy, Default)]
struct Best {
    players: u32,
    cost: i128,
    /// The match of the first ticket among them, in the list of all; `None`: it is left over.
    with: Option<u16>,
}

/// The memory of the search.
#[derive(Default)]
pub(super) struct Few {
    /// Which tickets may stand with each.
    friends: Vec<u16>,
    sets: Vec<u16>,
    legal: Vec<Legal>,
    /// Where the matches of each first ticket begin.
    starts: Vec<usize>,
    best: Vec<Best>,
    rows: Vec<u32>,
    /// Sets that were judged.
    pub(super) steps: u64,
}

impl Few {
    /// Finds the best matches of `rows` and hands them to `found`, sorted by seniority; `false`: there are too many
    /// sets, and nothing was found.
    pub(super) fn search(
        &mut self,
        ground: &Ground<'_>,
        states: &mut States,
        splitter: &mut Splitter,
        rows: &[u32],
        mut found: impl FnMut(&[u32]),
    ) -> bool {
        self.steps = 0;
        if rows.len() > FEW {
            return false;
        }
        rows.iter().for_each(|&row| states.ensure(ground.queue, ground.tickets, row));
        let scene = ground.scene(states);
        self.befriend(&scene, rows);
        self.sets.clear();
        for first in (0..rows.len()).rev() {
            let later = self.friends[first] & !((2 << first) - 1);
            let size = scene.tickets.size(rows[first]);
            if !self.grow(&scene, rows, 1 << first, later, size) {
                return false;
            }
        }
        self.judge_sets(&scene, splitter, rows);
        self.part(rows.len());
        let mut left = (1_usize << rows.len()) - 1;
        while left != 0 {
            let Some(with) = self.best[left].with else {
                left &= left - 1;
                continue;
            };
            let set = self.legal[with as usize].set;
            self.read(&scene, rows, set);
            found(&self.rows);
            left &= !usize::from(set);
        }
        true
    }

    fn befriend(&mut self, scene: &Scene<'_>, rows: &[u32]) {
        self.friends.clear();
        for (at, &row) in rows.iter().enumerate() {
            let mut friends = 0;
            for (other, &with) in rows.iter().enumerate() {
                let oldest = if scene.newer(row, with) == row { with } else { row };
                friends |= u16::from(other != at && scene.may_stand_together(row, with, oldest)) << other;
            }
            self.friends.push(friends);
        }
    }

    /// Notes a set that sizes allow, and all that it grows to by tickets of `later`.
    fn grow(&mut self, scene: &Scene<'_>, rows: &[u32], set: u16, later: u16, players: u32) -> bool {
        let shape = &scene.queue.shape;
        if shape.is_legal_total(players) && shape.enough_tickets(set.count_ones() as usize, players) {
            self.sets.push(set);
        }
        let mut left = later;
        while left != 0 && self.sets.len() <= SETS_MAX {
            let at = left.trailing_zeros() as usize;
            left &= left - 1;
            let grown = players + scene.tickets.size(rows[at]);
            if grown <= shape.full.min(MATCH_PLAYERS_MAX as u32) {
                self.grow(scene, rows, set | 1 << at, left & self.friends[at], grown);
            }
        }
        self.sets.len() <= SETS_MAX
    }

    /// Writes the rows of a set, sorted by seniority.
    fn read(&mut self, scene: &Scene<'_>, rows: &[u32], set: u16) {
        self.rows.clear();
        self.rows.extend((0..rows.len()).filter(|at| set >> at & 1 == 1).map(|at| rows[at]));
        self.rows.sort_unstable_by_key(|&row| scene.tickets.seniority(row));
    }

    fn judge_sets(&mut self, scene: &Scene<'_>, splitter: &mut Splitter, rows: &[u32]) {
        self.legal.clear();
        for at in 0..self.sets.len() {
            let set = self.sets[at];
            self.read(scene, rows, set);
            let players = self.rows.iter().map(|&row| scene.tickets.size(row)).sum();
            if !sizes_fit(scene, self.rows[0], self.rows.len(), players) {
                continue;
            }
            self.steps += 1;
            if let Some(judged) = judge(scene, splitter, &self.rows) {
                self.legal.push(Legal { set, judged });
            }
        }
        // The sets came by their first tickets, the last ticket's first.
        self.starts.clear();
        self.starts.resize(rows.len() + 1, self.legal.len());
        for (at, legal) in self.legal.iter().enumerate().rev() {
            self.starts[legal.set.trailing_zeros() as usize] = at;
        }
    }

    /// Parts every set of tickets into matches and tickets left over.
    fn part(&mut self, count: usize) {
        self.best.clear();
        self.best.push(Best::default());
        for all in 1..1_usize << count {
            let first = all.trailing_zeros() as usize;
            let mut best = Best { with: None, ..self.best[all & (all - 1)] };
            let from = self.starts[first];
            let own =
                self.legal[from..].iter().take_while(|legal| legal.set.trailing_zeros() as usize == first);
            for (at, legal) in own.enumerate() {
                let set = usize::from(legal.set);
                if set & !all != 0 {
                    continue;
                }
                let rest = self.best[all & !set];
                let players = rest.players + legal.judged.players;
                let cost = rest.cost + legal.judged.match_cost();
                if players > best.players || (players == best.players && cost < best.cost) {
                    best = Best { players, cost, with: Some((from + at) as u16) };
                }
            }
            self.best.push(best);
        }
    }
}
