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
//! A pass that is stopped goes on with the next cut. Invariant: a pass that has ended leaves no legal match behind, and
//! what it made does not depend on threads.

use super::elsewhere::Commits;
use super::outcome::Outcome;
use super::running::RunningQueue;
use super::turn::{Progress, Turn};
use super::view::{Searcher, View, view_of};
use crate::assemble::least_cost::chooser::{CUT, Chooser};
use crate::assemble::least_cost::chosen::Chosen;
use crate::assemble::least_cost::order::Order;
use crate::assemble::states::States;
use crate::base::board::Jobs;
use crate::model::ids::{MatchId, Millis, Seniority, TicketId};
use crate::rules::compile::CompiledQueue;
use crate::rules::spec::Selection;

/// One in so many waiting tickets with something new on it, and every ticket is looked at: chosen; then most of them are
/// near one of those anyway.
const FEW: usize = 4;
/// Of each new ticket so many of the nearest that it may stand with are looked at, times the players of a match, and
/// so many candidates for each of them at most.
const NEIGHBOURS: usize = 3;
const TRIES: usize = 4;
/// Where at least one in so many waiting tickets is the oldest of a match, matches are put in order by going through the
/// waiting tickets, else by a sort. Chosen.
const PICKED: usize = 8;
const NO_PICK: (u32, u32) = (u32::MAX, u32::MAX);
/// Times that what is left over of several cuts is cut again, at most.
const AGAIN_MAX: u32 = 3;

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

/// A cut of the order, and what was chosen in it.
#[derive(Default)]
struct Cut {
    from: u32,
    to: u32,
    /// Tickets of the whole order.
    total: u32,
    rows: Vec<u32>,
    chosen: Chosen,
}

/// The memory of one thread.
struct Lane {
    chooser: Chooser,
    states: States,
}

/// What a queue with the selection keeps.
#[derive(Default)]
pub(super) struct Choice {
    pub(super) phase: Phase,
    /// Every ticket is looked at in this pass, whatever has happened.
    everything: bool,
    /// The tickets in order, shard by shard; `None`: not made yet.
    plan: Vec<u32>,
    is_planned: bool,
    /// How often what is left over was cut again.
    again: u32,
    /// The cuts that are left, last one first.
    cuts: Vec<(u32, u32, u32)>,
    tasks: Vec<Cut>,
    lanes: Vec<Lane>,
    order: Order,
    /// The last plan that a row's ticket stands in, by row.
    marks: Vec<u32>,
    mark: u32,
    /// Matches that were chosen, by their oldest tickets.
    by_age: Vec<(Seniority, u32, u32)>,
    /// The match of which a row is the oldest, as task and number.
    picks: Vec<(u32, u32)>,
    /// Tickets that look for a partner, the oldest last.
    mates: Vec<(Seniority, u32)>,
    /// The tick and the phase for which anchors were listed last.
    listed: Option<(u64, Phase)>,
    /// Tickets that stand in their shard and not in its index yet.
    pub(super) unindexed: Vec<u32>,
}

impl Choice {
    /// What a queue keeps; `None`: it has the other selection.
    pub(super) fn of(queue: &CompiledQueue) -> Option<Box<Choice>> {
        (queue.spec.selection == Selection::LeastCost).then(Box::default)
    }

    /// Takes a row into the plan, unless it is in it.
    fn add(&mut self, row: u32) {
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

    /// A ticket has been put into its shard or changed there: it is indexed before the next search, unless it is
    /// matched until then, and no plan made before is of use for it.
    pub(super) fn put_off_index(&mut self, row: u32) -> bool {
        let Some(choice) = self.choice.as_mut().filter(|_| !self.is_suspended) else { return false };
        choice.unindexed.push(row);
        if let Some(mark) = choice.marks.get_mut(row as usize) {
            *mark = 0;
        }
        true
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

    /// Puts into the index of its shard what is not in it yet.
    pub(super) fn index_all(&mut self) {
        let Some(choice) = &mut self.choice else { return };
        let mut unindexed = std::mem::take(&mut choice.unindexed);
        self.index_rows(&mut unindexed);
        if let Some(choice) = &mut self.choice {
            choice.unindexed = unindexed;
        }
    }

    fn index_rows(&mut self, unindexed: &mut Vec<u32>) {
        for row in unindexed.drain(..) {
            let standing = &mut self.standings[row as usize];
            if standing.is_active && !std::mem::replace(&mut standing.is_indexed, true) {
                let shard = standing.shard;
                self.shards.get_mut(shard).insert(&self.geometry, &self.tickets, row);
            }
        }
    }

    /// Whether a ticket is urgent: as old as the queue file says, else as half of its time.
    pub(super) fn is_urgent(&self, row: u32, now: Millis) -> bool {
        let age = self.tickets.age(row, now);
        match self.compiled.spec.urgent_after {
            Some(after) => age >= after,
            None => self.standings[row as usize].deadline.is_some_and(|deadline| {
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

    /// The next cuts: all that are left, or one where a pass may stop.
    fn cut(
        &mut self,
        turn: Turn,
        commits: Commits<'_>,
        outcome: &mut Outcome,
        jobs: &mut Jobs<'_>,
        left: &mut impl FnMut(TicketId),
    ) -> Progress {
        let Some(mut choice) = self.choice.take() else { return Progress { visits: 0, has_more: false } };
        if !choice.is_planned {
            self.plan(&mut choice, turn.now);
            choice.is_planned = true;
        }
        let count = if turn.anchors == usize::MAX { choice.cuts.len() } else { choice.cuts.len().min(1) };
        let steps = self.search_cuts(&mut choice, count, turn, jobs);
        let made = self.commit_cuts(&mut choice, count, turn.now, commits, outcome, left);
        outcome.steps += steps;
        self.tally.steps += steps;
        if choice.cuts.is_empty() {
            let is_worth_it = made > 0 && choice.plan.len() > CUT && choice.again < AGAIN_MAX;
            choice.again += 1;
            if !(is_worth_it && self.cut_again(&mut choice)) {
                choice.phase = Phase::Rest;
                if self.compiled.shape.full <= 2 {
                    choice.phase = Phase::Mates;
                    self.plan_mates(&mut choice);
                }
            }
        }
        self.choice = Some(choice);
        // A turn ends with a cut.
        Progress { visits: if count > 0 { turn.anchors } else { 0 }, has_more: true }
    }

    /// Whether a row holds a ticket that a cut can take.
    fn can_be_cut(&self, row: u32) -> bool {
        let standing = &self.standings[row as usize];
        standing.is_live && standing.is_active
    }

    /// Puts the tickets in order that could be in a match now, and cuts the order.
    fn plan(&mut self, choice: &mut Choice, now: Millis) {
        choice.mark = choice.mark.wrapping_add(1).max(1);
        choice.plan.clear();
        let fresh = self.fresh.iter().filter(|&&row| self.can_be_cut(row)).count();
        if choice.everything || FEW * fresh >= self.waiting.len() {
            for &(seniority, row) in &self.waiting {
                if self.holds(seniority, row) && self.standings[row as usize].is_active {
                    choice.add(row);
                }
            }
        } else if fresh > 1 || self.compiled.shape.full > 2 {
            self.index_rows(&mut choice.unindexed);
            self.plan_neighbours(choice, now);
        }
        self.cut_order(choice);
    }

    /// The tickets on which something has happened, and the nearest that they may stand with.
    fn plan_neighbours(&mut self, choice: &mut Choice, now: Millis) {
        let wanted = NEIGHBOURS * self.compiled.shape.full as usize;
        let fresh = std::mem::take(&mut self.fresh);
        for &row in &fresh {
            if !self.can_be_cut(row) {
                continue;
            }
            choice.add(row);
            let most = (wanted, TRIES * wanted);
            let view = view_of!(self, now);
            view.neighbours(&mut self.searcher, &mut self.states, row, most, |other| choice.add(other));
        }
        self.fresh = fresh;
        let tickets = &self.tickets;
        choice.plan.sort_unstable_by_key(|&row| tickets.seniority(row));
    }

    /// Puts the plan, which is in the order of seniority, in the order of shards and values, and cuts it.
    fn cut_order(&self, choice: &mut Choice) {
        let Choice { plan, order, cuts, .. } = choice;
        let shard = |row: u32| self.standings[row as usize].shard;
        if !self.partition.is_empty() {
            order.sort_by_group(plan, shard);
        }
        cuts.clear();
        let mut from = 0;
        while from < plan.len() {
            let own = shard(plan[from]);
            let to = if self.partition.is_empty() {
                plan.len()
            } else {
                from + plan[from..].iter().take_while(|&&row| shard(row) == own).count()
            };
            order.sort(&self.compiled, &self.tickets, &mut plan[from..to]);
            let total = (to - from) as u32;
            cuts.extend((from..to).step_by(CUT).map(|at| (at as u32, to.min(at + CUT) as u32, total)));
            from = to;
        }
        // The next one is the last.
        cuts.reverse();
    }

    /// Cuts what is left over of the plan again; returns whether there is anything.
    fn cut_again(&self, choice: &mut Choice) -> bool {
        let mark = choice.mark;
        let (plan, marks) = (&mut choice.plan, &choice.marks);
        plan.retain(|&row| marks[row as usize] == mark && self.can_be_cut(row));
        plan.sort_unstable_by_key(|&row| self.tickets.seniority(row));
        self.cut_order(choice);
        choice.plan.len() > 1
    }

    /// Searches the next cuts, on as many threads as there are. Returns the steps.
    fn search_cuts(&mut self, choice: &mut Choice, count: usize, turn: Turn, jobs: &mut Jobs<'_>) -> u64 {
        if choice.tasks.len() < count {
            choice.tasks.resize_with(count, Cut::default);
        }
        for at in 0..count {
            let Some((from, to, total)) = choice.cuts.pop() else { break };
            let task = &mut choice.tasks[at];
            (task.from, task.to, task.total) = (from, to, total);
            task.rows.clear();
            let rows = choice.plan[from as usize..to as usize].iter().copied();
            task.rows.extend(
                rows.filter(|&row| choice.marks[row as usize] == choice.mark && self.can_be_cut(row)),
            );
        }
        let threads = jobs.threads().min(count);
        while choice.lanes.len() < threads {
            choice.lanes.push(Lane { chooser: Chooser::new(&self.compiled), states: States::default() });
        }
        for lane in &mut choice.lanes[..threads] {
            lane.states.begin(&self.compiled, self.tickets.row_end(), turn.now);
        }
        let ground = view_of!(self, turn.now).ground();
        jobs.run(&mut choice.lanes[..threads], &mut choice.tasks[..count], |lane, task| {
            let Lane { chooser, states } = lane;
            chooser.choose(&ground, states, &task.rows, task.total as usize, &mut task.chosen);
        });
        choice.tasks[..count].iter().map(|task| task.chosen.steps).sum()
    }

    /// Commits what was chosen in the first tasks, in the order of the oldest tickets. Returns the matches.
    fn commit_cuts(
        &mut self,
        choice: &mut Choice,
        count: usize,
        now: Millis,
        commits: Commits<'_>,
        outcome: &mut Outcome,
        left: &mut impl FnMut(TicketId),
    ) -> usize {
        let Choice { by_age, picks, tasks, lanes, .. } = choice;
        let mut made = 0;
        let mut commit = |queue: &mut RunningQueue, task: u32, at: u32| {
            let chosen = &tasks[task as usize].chosen;
            let (rows, regions) = (chosen.get(at as usize), chosen.regions(at as usize));
            let plain = match regions {
                0 => None,
                _ => Some((&lanes[0].chooser, regions)),
            };
            made += usize::from(queue.commit_rows(rows, plain, now, commits, outcome, left));
        };
        let matches: usize = tasks[..count].iter().map(|task| task.chosen.len()).sum();
        by_age.clear();
        if matches * PICKED < self.waiting.len() {
            for (task, cut) in tasks[..count].iter().enumerate() {
                let oldest = cut.chosen.iter().map(|rows| self.tickets.seniority(rows[0]));
                by_age.extend(oldest.enumerate().map(|(at, oldest)| (oldest, task as u32, at as u32)));
            }
            by_age.sort_unstable();
            by_age.iter().for_each(|&(_, task, at)| commit(self, task, at));
            return made;
        }
        // Many matches: each is found at its oldest ticket, as the waiting tickets are in order already.
        picks.resize(picks.len().max(self.tickets.row_end() as usize), NO_PICK);
        for (task, cut) in tasks[..count].iter().enumerate() {
            for (at, rows) in cut.chosen.iter().enumerate() {
                picks[rows[0] as usize] = (task as u32, at as u32);
            }
        }
        for at in 0..self.waiting.len() {
            let pick = std::mem::replace(&mut picks[self.waiting[at].1 as usize], NO_PICK);
            if pick != NO_PICK {
                commit(self, pick.0, pick.1);
            }
        }
        made
    }

    /// Commits a match of rows sorted by seniority; `false`: a ticket of it has left.
    fn commit_rows(
        &mut self,
        rows: &[u32],
        plain: Option<(&Chooser, u64)>,
        now: Millis,
        commits: Commits<'_>,
        outcome: &mut Outcome,
        left: &mut impl FnMut(TicketId),
    ) -> bool {
        if !rows.iter().all(|&row| self.standings[row as usize].is_live) {
            return false;
        }
        self.ids.clear();
        self.ids.extend(rows.iter().map(|&row| self.tickets.id(row)));
        let (of, others) = (MatchId(self.ids[0]), outcome.elsewhere.len());
        match commits.commit(self.id, of, &self.ids, &mut outcome.elsewhere) {
            Ok(()) => {
                self.measure_rows(rows, plain, now);
                self.report(rows[0], outcome.elsewhere.len() - others, outcome);
                for &row in rows {
                    left(self.tickets.id(row));
                    outcome.left.push(self.departure(row, now, None));
                    self.remove(row);
                }
                true
            }
            Err(gone) => {
                // Cancelled since the tick began; the others are looked at again in the last phase.
                if let Some(&row) = rows.iter().find(|&&row| self.tickets.id(row) == gone) {
                    self.withdraw(row);
                }
                false
            }
        }
    }

    /// Measures a match. `plain`: it is of two plain tickets, and these are its regions.
    fn measure_rows(&mut self, rows: &[u32], plain: Option<(&Chooser, u64)>, now: Millis) {
        let Searcher { search, measured, .. } = &mut self.searcher;
        let ground = view_of!(self, now).ground();
        if let (Some((chooser, regions)), &[oldest, other]) = (plain, rows) {
            chooser.measure_pair(&ground, [oldest, other], regions, measured);
            if !cfg!(debug_assertions) {
                return;
            }
        }
        rows.iter().for_each(|&row| self.states.ensure(&self.compiled, &self.tickets, row));
        let quick = cfg!(debug_assertions).then(|| measured.clone());
        search.measure_set(&ground, &self.states, rows, true, measured);
        debug_assert!(plain.is_none() || quick.as_ref() == Some(measured), "{quick:?} is not {measured:?}");
    }

    /// Notes the tickets that are left over and could still be in a match.
    fn plan_mates(&self, choice: &mut Choice) {
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
    fn pair_off(
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
    fn neighbours(
        &self,
        searcher: &mut Searcher,
        states: &mut States,
        row: u32,
        most: (usize, usize),
        mut visit: impl FnMut(u32),
    ) {
        use crate::index::Candidates;
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
