//! Single tickets that are left over and look for their cheapest partners, and the nearest tickets around one.
//!
//! The third phase of `choose`, in queues of two players. Invariant: after it no ticket on which something has happened
//! has a legal partner left.

use super::choose::Choice;
use super::elsewhere::Commits;
use super::outcome::Outcome;
use super::running::RunningQueue;
use super::turn::{Progress, Turn};
use super::view::{Searcher, View, view_of};
use crate::assemble::states::States;
use crate::index::Candidates;
use crate::model::ids::TicketId;

impl RunningQueue {
    /// Notes the tickets that are left over and could still be in a match.
    pub(super) fn plan_mates(&self, choice: &mut Choice) {
        choice.mates.clear();
        let seniority = |row: u32| self.tickets.seniority(row);
        if choice.everything {
            choice.mates.extend(self.waiting.iter().filter(|&&(seniority, row)| self.holds(seniority, row)));
        } else {
            choice.mates.extend(self.fresh.iter().map(|&row| (seniority(row), row)));
        }
        choice.mates.retain(|&(_, row)| self.can_be_cut(row));
        choice.mates.sort_unstable();
        choice.mates.reverse();
    }

    /// Lets tickets that are left over take their cheapest partners, the oldest first.
    pub(super) fn pair_off(
        &mut self,
        turn: Turn,
        commits: Commits<'_>,
        outcome: &mut Outcome,
        left: &mut impl FnMut(TicketId),
    ) -> Progress {
        self.index_all();
        let mut visits = 0;
        while visits < turn.anchors {
            let Some((seniority, row)) = self.choice.as_mut().and_then(|choice| choice.mates.pop()) else {
                self.goes_on_choosing();
                return Progress { visits, has_more: false };
            };
            visits += 1;
            let mut steps = 0;
            while self.holds(seniority, row) && self.standings[row as usize].is_active {
                view_of!(self, turn.now).find_mate(&mut self.searcher, &mut self.states, row);
                let found = &self.searcher.search.found;
                steps += found.steps;
                for &met in &found.met {
                    self.standings[row as usize].had_partner = true;
                    self.standings[met as usize].had_partner = true;
                }
                if !found.best.is_some() {
                    break;
                }
                let mut rows = [0; 2];
                let rows = &mut rows[..found.best.rows.len()];
                rows.copy_from_slice(&found.best.rows);
                self.commit_rows(rows, None, turn.now, commits, outcome, left);
            }
            outcome.steps += steps;
            self.tally.steps += steps;
        }
        Progress { visits, has_more: true }
    }
}

impl View<'_> {
    /// Calls `visit` with the nearest tickets that may stand with `row`, older and younger: at most `most.0` out of
    /// `most.1` candidates.
    pub(super) fn neighbours(
        &self,
        searcher: &mut Searcher,
        states: &mut States,
        row: u32,
        most: (usize, usize),
        mut visit: impl FnMut(u32),
    ) {
        states.ensure(self.compiled, self.tickets, row);
        let mut reach = self.reach_any_age(states, row);
        let shard = self.shards.get(self.standings[row as usize].shard);
        let mut candidates =
            shard.around(self.geometry, self.tickets, row, None, &mut reach, &mut searcher.scratch);
        let (mut wanted, mut tries) = most;
        while let Some(found) = candidates.next().filter(|_| wanted > 0 && tries > 0) {
            tries -= 1;
            if found.item == row {
                continue;
            }
            states.ensure(self.compiled, self.tickets, found.item);
            let is_younger = self.tickets.seniority(found.item) > self.tickets.seniority(row);
            let oldest = if is_younger { row } else { found.item };
            if self.ground().scene(states).may_stand_together(row, found.item, oldest) {
                wanted -= 1;
                visit(found.item);
            }
        }
    }
}
