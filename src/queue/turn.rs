//! One queue's turn in a pass: its anchors, from the oldest that has not been visited on.
//!
//! Driven by the matcher. Invariant: due anchors are visited in the order of age; a pass that is stopped goes on with the
//! oldest one that it has not visited.

use super::elsewhere::Commits;
use super::outcome::Outcome;
use super::rounds::Ahead;
use super::running::RunningQueue;
use crate::base::board::Jobs;
use crate::model::ids::{Millis, Seniority, TicketId};

/// What a queue may do at its turn.
#[derive(Clone, Copy)]
pub(super) struct Turn {
    /// Anchors to visit, at most.
    pub(super) anchors: usize,
    pub(super) now: Millis,
    /// The number of the tick.
    pub(super) tick: u64,
}

/// What came of a turn.
#[derive(Clone, Copy)]
pub(super) struct Progress {
    /// Anchors that were visited.
    pub(super) visits: usize,
    /// There are more.
    pub(super) has_more: bool,
}

impl RunningQueue {
    /// The oldest due anchor not yet passed in the pass that is under way, or about to begin; `None`: there is none.
    pub(super) fn next_anchor(&mut self, tick: u64, now: Millis) -> Option<Seniority> {
        if !self.open_pass(tick, now) {
            return None;
        }
        // A selection that chooses many matches at once goes by the oldest ticket.
        let rest = if self.choice.is_some() { &self.waiting } else { &self.due[self.first_unvisited()..] };
        rest.iter().find(|&&(seniority, row)| self.holds(seniority, row)).map(|&(seniority, _)| seniority)
    }

    /// The place among the due anchors at which the pass goes on.
    pub(super) fn first_unvisited(&self) -> usize {
        self.visited.map_or(0, |visited| self.due.partition_point(|&(seniority, _)| seniority <= visited))
    }

    /// Begins the pass, or goes on with it, if that has not been done in this tick; `false`: there is nothing to do.
    pub(super) fn open_pass(&mut self, tick: u64, now: Millis) -> bool {
        if self.is_suspended || self.is_quiet() {
            return false;
        }
        let goes_on = self.visited.is_some() || self.is_choosing();
        if !goes_on {
            self.pass_began_in = tick;
            self.begin_choice(self.all_due);
        }
        if self.pass_went_on_in != tick {
            self.pass_went_on_in = tick;
            // Not asked again as tickets leave: whether the last late one has must not decide how far a search goes.
            self.in_order = self.backdated == 0;
            // A pass that was stopped goes on over every anchor: the fresh tickets are of two ticks.
            self.all_due |= goes_on;
            if self.choice.is_none() {
                self.list_due(now);
            }
        }
        if self.choice.is_some() && self.visits_anchors() {
            self.list_for_choice(tick, now);
        }
        true
    }

    /// Visits anchors from the oldest not yet visited on, as far as the round goes that was searched `ahead`.
    pub(super) fn round(
        &mut self,
        turn: Turn,
        ahead: &mut [Ahead],
        commits: Commits<'_>,
        outcome: &mut Outcome,
        jobs: &mut Jobs<'_>,
        mut left: impl FnMut(TicketId),
    ) -> Progress {
        let mut visits = 0;
        if !self.open_pass(turn.tick, turn.now) {
            return Progress { visits, has_more: false };
        }
        if let Some(Progress { visits, has_more }) = self.choose(turn, commits, outcome, jobs, &mut left) {
            return if has_more { Progress { visits, has_more } } else { self.end(visits, turn) };
        }
        let mut ahead = ahead.iter_mut().peekable();
        let mut at = self.first_unvisited();
        let end = self.due.len().min(self.outlook.end);
        while at < end && visits < turn.anchors {
            let (seniority, row) = self.due[at];
            let found = ahead.next_if(|found| found.at == at);
            let Some(passes_over) = self.passes_over(row, turn.now) else {
                at = self.due.len();
                break;
            };
            if self.holds(seniority, row) && !passes_over {
                if found.as_ref().is_some_and(|found| !found.is_due) {
                    self.outlook.used += 1;
                } else if self.is_due(row, turn.now) {
                    outcome.steps += self.visit(row, turn.now, commits, outcome, found, &mut left);
                    visits += 1;
                }
            }
            self.visited = Some(seniority);
            at += 1;
        }
        if at < self.due.len() {
            return Progress { visits, has_more: true };
        }
        self.visited = None;
        if self.goes_on_choosing() {
            return Progress { visits, has_more: true };
        }
        self.end(visits, turn)
    }

    /// Every anchor has been visited.
    fn end(&mut self, visits: usize, turn: Turn) -> Progress {
        self.tidy();
        // Tickets that came while a pass was stopped have not met the anchors visited before.
        self.end_pass(self.pass_began_in == turn.tick, turn.now);
        Progress { visits, has_more: false }
    }
}
