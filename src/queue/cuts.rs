//! Cuts of the order of skill: planned, searched on as many threads as there are, and committed in the order of age.
//!
//! The second phase of `choose`. Invariant: borders are fixed and searches only read, so what is committed does not
//! depend on threads; a ticket that leaves before its match is committed takes no other with it, and the others of its
//! match are looked at again in the last phase.

use super::choose::{Choice, Phase};
use super::elsewhere::Commits;
use super::outcome::{MatchFound, Outcome, Placement};
use super::running::RunningQueue;
use super::turn::{Progress, Turn};
use super::view::{Searcher, View, view_of};
use crate::assemble::least_cost::chooser::{CUT, Chooser};
use crate::assemble::least_cost::chosen::{Chosen, Pair};
use crate::assemble::states::States;
use crate::base::board::Jobs;
use crate::base::fixed::Fixed;
use crate::model::ids::{MatchId, Millis, Seniority, TicketId};

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

/// A cut of the order, and what was chosen in it.
#[derive(Default)]
pub(super) struct Cut {
    from: u32,
    to: u32,
    /// Tickets of the whole order.
    total: u32,
    rows: Vec<u32>,
    chosen: Chosen,
}

/// The memory of one thread.
pub(super) struct Lane {
    chooser: Chooser,
    states: States,
}

impl RunningQueue {
    /// The next cuts: all that are left, or one where a pass may stop.
    pub(super) fn cut(
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
    pub(super) fn can_be_cut(&self, row: u32) -> bool {
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
            self.index_all();
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
        let Choice { by_age, picks, tasks, .. } = choice;
        let mut made = 0;
        let mut commit = |queue: &mut RunningQueue, task: u32, at: u32| {
            let chosen = &tasks[task as usize].chosen;
            let (rows, pair) = (chosen.get(at as usize), chosen.pair(at as usize));
            made += usize::from(queue.commit_rows(rows, pair, now, commits, outcome, left));
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

    /// Commits a match of rows sorted by seniority; `false`: a ticket of it has left. `pair`: it has been measured, and these
    /// are its regions.
    pub(super) fn commit_rows(
        &mut self,
        rows: &[u32],
        pair: Option<(&Pair, &[u8])>,
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
                let others = outcome.elsewhere.len() - others;
                match (pair, rows) {
                    (Some((pair, regions)), &[oldest, other]) => {
                        self.check_pair([oldest, other], pair, regions, now);
                        self.report_pair([oldest, other], others, pair, regions, outcome);
                    }
                    _ => {
                        self.measure_rows(rows, now);
                        self.report(rows[0], others, &self.searcher.measured, outcome);
                    }
                }
                for &row in rows {
                    left(self.tickets.id(row));
                    outcome.ledger.leave(&self.departure(row, now, None));
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

    /// Measures a match.
    fn measure_rows(&mut self, rows: &[u32], now: Millis) {
        let Searcher { search, measured, .. } = &mut self.searcher;
        rows.iter().for_each(|&row| self.states.ensure(&self.compiled, &self.tickets, row));
        let ground = view_of!(self, now).ground();
        search.measure_set(&ground, &self.states, rows, true, measured);
    }

    /// Writes a match of two plain tickets, sorted by seniority, that has been measured.
    pub(super) fn report_pair(
        &self,
        [oldest, other]: [u32; 2],
        others: usize,
        pair: &Pair,
        regions: &[u8],
        outcome: &mut Outcome,
    ) {
        let region = regions.first().copied();
        outcome.ledger.make(self.id, region);
        let rank = self.tickets.seniority(oldest);
        outcome.matches.push(MatchFound {
            queue: self.id,
            oldest: self.tickets.id(oldest),
            rank: if self.chooses_together() { rank } else { Seniority::default() },
            region,
            region_count: regions.len() as u32,
            ticket_count: 2,
            elsewhere_count: others as u32,
            quality: pair.quality,
        });
        outcome.regions.extend_from_slice(regions);
        let placement = |row: u32, position: u32, ping: i64| Placement {
            id: self.tickets.id(row),
            position,
            ping_ms: region.map(|_| Fixed::from_micros(ping)),
        };
        let [own, theirs] = pair.pings;
        let last = u32::from(self.compiled.shape.has_teams);
        // In the order of submits.
        let placements = match rank.submit_number < self.tickets.submit_number(other) {
            true => [placement(oldest, 0, own), placement(other, last, theirs)],
            false => [placement(other, 0, theirs), placement(oldest, last, own)],
        };
        outcome.placements.extend_from_slice(&placements);
    }

    /// Debug builds hold a pair that has been measured against the judge.
    fn check_pair(&mut self, rows: [u32; 2], pair: &Pair, regions: &[u8], now: Millis) {
        if cfg!(debug_assertions) {
            self.measure_rows(&rows, now);
            let measured = &self.searcher.measured;
            debug_assert_eq!(measured.quality, pair.quality);
            debug_assert_eq!(measured.regions, regions);
            let pings =
                regions.first().map(|&region| rows.map(|row| self.tickets.ping(row, u32::from(region))));
            debug_assert_eq!(pings.unwrap_or_default(), pair.pings);
            debug_assert_eq!(measured.positions, [0, u32::from(self.compiled.shape.has_teams)]);
        }
    }
}
