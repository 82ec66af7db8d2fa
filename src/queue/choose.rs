//! The `least_cost` selection of one queue: urgent tickets first, then many matches at once, then what is left over.
//!
//! Driven by `turn`. A pass goes through four phases:
//!
//! 1. *urgent*: the tickets that have waited long enough, oldest first, each with its best match as under
//!    `oldest_first`, over all waiting tickets;
//! 2. *cuts*: the other tickets of each shard in the order of skill, cut every so many; each cut is a task for one
//!    thread, which only reads. What is chosen is committed in the order of the oldest tickets. What is left over of an
//!    order with several cuts is put in order and cut again;
//! 3. *mates*, in queues of two players: each ticket that is left over and on which something has happened takes its
//!    cheapest partner, older or younger;
//! 4. *rest*, in all others: a pass as under `oldest_first` over what is left over. So whatever rules a queue has, and
//!    whatever the cuts could not serve, no legal match is left behind.
//!
//! Few tickets on which something has happened among many that wait: then the cuts take in these and the nearest that
//! they may stand with, as no others can be in a new match; a single one goes straight to its cheapest partner. So
//! the cost of a tick follows what has happened.
//!
//! The cuts stand in `cuts`, the mates in `mates`. A pass that is stopped goes on with the next cut. Invariant: a
//! pass that has ended leaves no legal match behind, and what it made does not depend on threads.

use super::cuts::{Cut, Lane};
use super::elsewhere::Commits;
use super::outcome::Outcome;
use super::running::RunningQueue;
use super::turn::{Progress, Turn};
use crate::assemble::least_cost::order::Order;
use crate::base::board::Jobs;
use crate::model::ids::{Millis, Seniority, TicketId};
use crate::rules::compile::CompiledQueue;
use crate::rules::spec::Selection;

/// Where a pass is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Phase {
    /// No pass is under way.
    #[default]
    Idle,
    Urgent,
    Cuts,
    Mates,
    Rest,
}

/// What a queue with the selection keeps.
#[derive(Default)]
pub(super) struct Choice {
    pub(super) phase: Phase,
    /// Every ticket is looked at in this pass, whatever has happened.
    pub(super) everything: bool,
    /// The tickets in order, shard by shard.
    pub(super) plan: Vec<u32>,
    pub(super) is_planned: bool,
    /// How often what is left over was cut again.
    pub(super) again: u32,
    /// The cuts that are left, last one first.
    pub(super) cuts: Vec<(u32, u32, u32)>,
    pub(super) tasks: Vec<Cut>,
    pub(super) lanes: Vec<Lane>,
    pub(super) order: Order,
    /// The last plan that a row's ticket stands in, by row.
    pub(super) marks: Vec<u32>,
    pub(super) mark: u32,
    /// Matches that were chosen, by their oldest tickets.
    pub(super) by_age: Vec<(Seniority, u32, u32)>,
    /// The match of which a row is the oldest, as task and number.
    pub(super) picks: Vec<(u32, u32)>,
    /// Tickets that look for a partner, the oldest last.
    pub(super) mates: Vec<(Seniority, u32)>,
    /// The tick and the phase for which anchors were listed last.
    listed: Option<(u64, Phase)>,
}

impl Choice {
    /// What a queue keeps; `None`: it has the other selection.
    pub(super) fn of(queue: &CompiledQueue) -> Option<Box<Choice>> {
        (queue.spec.selection == Selection::LeastCost).then(Box::default)
    }

    /// Takes a row into the plan, unless it is in it.
    pub(super) fn add(&mut self, row: u32) {
        if self.marks.len() <= row as usize {
            self.marks.resize((row as usize + 1).next_power_of_two(), 0);
        }
        if std::mem::replace(&mut self.marks[row as usize], self.mark) != self.mark {
            self.plan.push(row);
        }
    }
}

impl RunningQueue {
    /// Whether the queue has this selection.
    pub(super) fn chooses_together(&self) -> bool {
        self.compiled.spec.selection == Selection::LeastCost
    }

    /// Whether a pass of this selection is under way.
    pub(super) fn is_choosing(&self) -> bool {
        self.choice.as_ref().is_some_and(|choice| choice.phase != Phase::Idle)
    }

    /// Whether anchors are visited now, so that it is of use to search for them ahead of their turn.
    pub(super) fn visits_anchors(&self) -> bool {
        self.choice.as_ref().is_none_or(|choice| choice.phase == Phase::Rest)
    }

    /// A pass begins. `everything`: it looks at every ticket, whatever has happened.
    pub(super) fn begin_choice(&mut self, everything: bool) {
        if let Some(choice) = &mut self.choice {
            choice.phase = Phase::Urgent;
            (choice.everything, choice.is_planned, choice.again) = (everything, false, 0);
            choice.cuts.clear();
            choice.mates.clear();
        }
    }

    /// The pass that is under way is given up; returns whether there was one.
    pub(super) fn give_up_choice(&mut self) -> bool {
        let old = self.choice.as_mut().map(|choice| std::mem::take(&mut choice.phase));
        old.is_some_and(|phase| phase != Phase::Idle)
    }

    /// Lists the anchors of the phase that is under way, once in each tick.
    pub(super) fn list_for_choice(&mut self, tick: u64, now: Millis) {
        let Some(choice) = &mut self.choice else { return };
        let listed = Some((tick, choice.phase));
        if std::mem::replace(&mut choice.listed, listed) != listed {
            self.index_all();
            self.list_due(now);
        }
    }

    /// Whether a ticket is urgent: as old as the queue file says, else as half of its time.
    pub(super) fn is_urgent(&self, row: u32, now: Millis) -> bool {
        let age = self.tickets.age(row, now);
        match self.compiled.spec.urgent_after {
            Some(after) => age >= after,
            None => self.deadline(row).is_some_and(|deadline| {
                let enqueued = self.tickets.seniority(row).enqueued;
                2 * age.0 >= deadline.since(enqueued).0
            }),
        }
    }

    /// Whether this phase passes over an anchor; `None`: over it and all younger ones.
    pub(super) fn passes_over(&self, row: u32, now: Millis) -> Option<bool> {
        if self.choice.as_ref().is_none_or(|choice| choice.phase != Phase::Urgent) {
            return Some(false);
        }
        match (self.is_urgent(row, now), self.compiled.spec.urgent_after) {
            (true, _) => Some(false),
            (false, Some(_)) => None,
            (false, None) => Some(true),
        }
    }

    /// The anchors of this phase have been visited: whether another phase follows.
    pub(super) fn goes_on_choosing(&mut self) -> bool {
        let Some(choice) = &mut self.choice else { return false };
        let (phase, goes_on) = match choice.phase {
            Phase::Urgent => (Phase::Cuts, true),
            _ => (Phase::Idle, false),
        };
        choice.phase = phase;
        goes_on
    }

    /// Goes on with the cuts or the mates; `None`: it is anchors that are to be visited.
    pub(super) fn choose(
        &mut self,
        turn: Turn,
        commits: Commits<'_>,
        outcome: &mut Outcome,
        jobs: &mut Jobs<'_>,
        mut left: impl FnMut(TicketId),
    ) -> Option<Progress> {
        let phase = self.choice.as_ref().map(|choice| choice.phase)?;
        match phase {
            Phase::Urgent if !self.may_have_urgent(turn.now) => {
                self.goes_on_choosing();
                Some(Progress { visits: 0, has_more: true })
            }
            Phase::Cuts => Some(self.cut(turn, commits, outcome, jobs, &mut left)),
            Phase::Mates => Some(self.pair_off(turn, commits, outcome, &mut left)),
            Phase::Idle | Phase::Urgent | Phase::Rest => {
                self.list_for_choice(turn.tick, turn.now);
                None
            }
        }
    }

    /// Whether some ticket may be urgent: the oldest is, or tickets have times of their own.
    fn may_have_urgent(&self, now: Millis) -> bool {
        let oldest = self.waiting.iter().find(|&&(seniority, row)| self.holds(seniority, row));
        oldest.is_some_and(|&(_, row)| {
            self.is_urgent(row, now)
                || (self.compiled.spec.urgent_after.is_none() && self.has_short_deadlines)
        })
    }
}
