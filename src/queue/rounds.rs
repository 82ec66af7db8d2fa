//! Searches ahead of their turn, on several threads, that change nothing about what comes out.
//!
//! Called by the matcher while a pass runs and more than one thread is there to search. A round takes the next
//! anchors that wait, of one queue or of all, searches for the match of each on the board (which only reads), and
//! lets the queues go on in the order of age as they do without it: at its turn an anchor *adopts* what was found
//! ahead if a search on the spot would come to the same, match, steps and all; else it searches on the spot.
//! Invariant: matches, counts and steps are those of visiting the anchors one by one, for any number of threads,
//! any size of rounds and any timing; so a round may be as large as pays off.
//!
//! Why what is adopted is what a search on the spot would find. Between the two only tickets have left: a tick takes
//! tickets in before the pass begins, and windows stand still at its time. An index gives its candidates in one
//! order, by (distance, seniority, row), which depends on the members alone, of any kind of index: so a search on
//! the spot gets the same sequence without those that left.
//!
//! - If none of the tickets that the search looked at has left, the last one, at which it stopped, included, it saw
//!   what it would see now, and does what it did: also if it was cut off at its node limit.
//! - A search for a partner needs less. If everybody is left who was its best match for a while, the last one included,
//!   they would be so again, as the others are the same or fewer. And the search stops at the first candidate from
//!   which on none can beat the best match; on the spot it would stop at that one too, or at the next that is left,
//!   since what holds a candidate off holds off all that are farther. So it looks at the same tickets but for those that
//!   left: they are taken off its steps and off the tickets met. If it found nobody it looked at all, and would again.
//!
//! Whether an anchor is due is asked ahead too: fresh tickets can only leave, so who was not due then is not due at
//! its turn; who was is asked again.
//!
//! Here commits stay in one thread and in one order. Where regions, or equalities that part a queue, make components of
//! some weight that never meet, `parts` visits these side by side, commits included, and nothing is left to look ahead for.
//!
//! A round reaches as far ahead as pays off: twice as far when three in four of its searches were adopted, half as
//! far when fewer than one in two were.
//!
//! Tried: rounds of 8 to 256 anchors of a dense 1v1 flow (`benches/README.md`): 8 to 32 are alike, from 64 on searches
//! that are not adopted cost what the second thread brings (17 in 100 at 64, 43 at 256). Not built: a list of the 8
//! best partners of each anchor instead of one. It would save a part of those, and make every search look farther to
//! fill it.

use super::lane::{Lane, Lanes};
use super::outcome::Outcome;
use super::parts::{Goes, Parts};
use super::running::RunningQueue;
use super::view::Watch;
use crate::assemble::anchor::Finding;
use crate::assemble::report::Measured;
use crate::base::board::Jobs;
use crate::claim::commit::Claims;
use crate::model::ids::{Millis, TicketId};

/// Anchors of one queue that a round looks ahead at first, and at least and at most: measured, see
/// `benches/README.md`.
const AHEAD: usize = 16;
const AHEAD_MIN: usize = 2;
const AHEAD_MAX: usize = 64;

/// Where not every anchor is due, most are found not to be, which is quick: so many times as many are asked.
const ASKED: usize = 8;

/// What was found for one anchor before its turn.
#[derive(Default)]
pub(super) struct Ahead {
    /// The queue's place among all.
    queue: usize,
    /// The anchor's place among the due ones.
    pub(super) at: usize,
    row: u32,
    /// Whether it was due; if not, nothing was searched.
    pub(super) is_due: bool,
    /// The queue's departures until then.
    departures: u64,
    /// Every ticket that the search looked at, in order.
    looked: Vec<u32>,
    found: Finding,
    measured: Measured,
}

/// How far a queue's rounds look ahead.
pub(super) struct Outlook {
    /// Anchors of the next round.
    depth: usize,
    /// Where the last round's searches stand among all.
    from: usize,
    count: usize,
    /// How many of them were of use; and of all so far.
    pub(super) used: usize,
    pub(super) used_so_far: u64,
    /// The place among the due anchors up to which the round goes.
    pub(super) end: usize,
}

impl Default for Outlook {
    fn default() -> Outlook {
        Outlook { depth: AHEAD, from: 0, count: 0, used: 0, used_so_far: 0, end: usize::MAX }
    }
}

impl Outlook {
    /// Settles how far the next round looks ahead, by what the last one was good for.
    fn settle(&mut self, fixed: Option<usize>) {
        if 4 * self.used >= 3 * self.count && self.count >= self.depth {
            self.depth = (2 * self.depth).min(AHEAD_MAX);
        } else if 2 * self.used < self.count {
            self.depth = (self.depth / 2).max(AHEAD_MIN);
        }
        self.depth = fixed.unwrap_or(self.depth);
        self.used_so_far += self.used as u64;
        (self.count, self.used, self.end) = (0, 0, usize::MAX);
    }
}

/// The rounds of a tick.
#[derive(Default)]
pub(super) struct Rounds {
    lanes: Lanes,
    parts: Parts,
    ahead: Vec<Ahead>,
    /// How many of `ahead` are of the round at hand.
    planned: usize,
    /// For tests: rounds of so many anchors, whatever pays off.
    fixed: Option<usize>,
    /// For benches: no strips.
    is_each: bool,
    /// Anchors looked at ahead so far.
    searched: u64,
}

impl Rounds {
    /// Rounds whose searches visit at most so many nodes each.
    pub(super) fn new(search_nodes: u32) -> Rounds {
        Rounds { lanes: Lanes::new(search_nodes), ..Rounds::default() }
    }

    /// Has every round look at so many anchors of a queue ahead, from 1 on, whatever pays off. For tests and benches.
    pub(super) fn fix(&mut self, anchors: usize) {
        self.fixed = Some(anchors.max(1));
    }

    /// Has the index searched for each anchor, also where strips would serve. For benches.
    pub(super) fn search_each(&mut self) {
        self.is_each = true;
    }

    /// How many anchors have been looked at ahead.
    pub(super) fn searched(&self) -> u64 {
        self.searched
    }

    /// Visits the anchors of queues that go by strips, and of those that fall into independent components, if there are several
    /// threads and it pays off.
    pub(super) fn part_off(
        &mut self,
        queues: &mut [RunningQueue],
        time: (u64, Millis),
        claims: &Claims,
        outcome: &mut Outcome,
        jobs: &mut Jobs<'_>,
        left: impl FnMut(TicketId),
    ) {
        let goes = Goes { by_parts: jobs.threads() > 1 && self.fixed.is_none(), by_strips: !self.is_each };
        if goes != Goes::default() {
            self.parts.pass(queues, time, goes, claims, outcome, jobs, &mut self.lanes, left);
        }
    }

    /// Searches ahead for the next anchors of the queues that `takes_part` names, as far as threads are there.
    pub(super) fn look_ahead(
        &mut self,
        queues: &mut [RunningQueue],
        takes_part: impl Fn(usize, &RunningQueue) -> bool,
        (tick, now): (u64, Millis),
        jobs: &mut Jobs<'_>,
    ) {
        self.planned = 0;
        for (at, queue) in queues.iter_mut().enumerate() {
            queue.outlook.settle(self.fixed);
            let is_open = takes_part(at, queue) && queue.open_pass(tick, now);
            if is_open && jobs.threads() > 1 && queue.visits_anchors() {
                self.plan(at, queue);
            }
        }
        if self.planned < 2 {
            queues.iter_mut().for_each(|queue| queue.outlook.count = 0);
            return;
        }
        self.searched += self.planned as u64;
        let threads = jobs.threads().min(self.planned);
        let lanes = self.lanes.open(threads);
        let queues = &*queues;
        jobs.run(lanes, &mut self.ahead[..self.planned], |lane, ahead| {
            ahead.search(lane, &queues[ahead.queue], tick, now);
        });
    }

    /// Notes the next anchors of a queue.
    fn plan(&mut self, at_queue: usize, queue: &mut RunningQueue) {
        let wanted = queue.outlook.depth * if queue.asks_each() { ASKED } else { 1 };
        let from = self.planned;
        let mut at = queue.first_unvisited();
        while at < queue.due.len() && self.planned < from + wanted {
            let (seniority, row) = queue.due[at];
            if queue.holds(seniority, row) && queue.standings[row as usize].is_active {
                if self.planned == self.ahead.len() {
                    self.ahead.push(Ahead::default());
                }
                let ahead = &mut self.ahead[self.planned];
                (ahead.queue, ahead.at, ahead.row) = (at_queue, at, row);
                ahead.departures = queue.departures;
                self.planned += 1;
            }
            at += 1;
        }
        queue.outlook.from = from;
        queue.outlook.count = self.planned - from;
        queue.outlook.end = at;
    }

    /// What was found ahead for a queue in the last round, in the order of age.
    pub(super) fn of(&mut self, queue: &RunningQueue) -> &mut [Ahead] {
        &mut self.ahead[queue.outlook.from..][..queue.outlook.count]
    }
}

impl Ahead {
    /// Asks whether the anchor is due, and finds its match.
    fn search(&mut self, lane: &mut Lane, queue: &RunningQueue, tick: u64, now: Millis) {
        let view = queue.view(now);
        lane.prepare(self.queue, queue, tick, now);
        let table = &mut lane.tables[self.queue];
        self.is_due = view.is_due(&mut table.states, self.row, |_| false);
        if self.is_due {
            self.looked.clear();
            let watch = Watch { looked: Some(&mut self.looked), ..Watch::default() };
            view.find(&mut lane.searcher, &mut table.states, self.row, Some(watch));
            std::mem::swap(&mut self.found, &mut lane.searcher.search.found);
            std::mem::swap(&mut self.measured, &mut lane.searcher.measured);
        }
    }
}

impl RunningQueue {
    /// Takes what was found ahead for an anchor as if it had been found now; `false`: it would not be, search again.
    pub(super) fn adopt(&mut self, ahead: &mut Ahead) -> bool {
        let is_left = |row: u32| self.standings[row as usize].is_live;
        if ahead.departures != self.departures {
            let is_pair = self.compiled.shape.full <= 2;
            let best = &ahead.found.best;
            let needed = match best.players {
                _ if !is_pair => &ahead.looked[..],
                2 => &ahead.found.met[..],
                _ => &[],
            };
            // Where too few of those that every match needs are left, a search on the spot looks no further.
            if !is_pair && self.geometry.has_demands() && !ahead.found.best.is_some() {
                return false;
            }
            if !needed.iter().all(|&row| is_left(row)) {
                return false;
            }
            if is_pair {
                // Each step but the first is a candidate; the one at which the search stopped is none.
                let counted = &ahead.looked[..ahead.found.steps as usize - 1];
                ahead.found.steps -= counted.iter().filter(|&&row| !is_left(row)).count() as u64;
                ahead.found.met.retain(|&row| is_left(row));
            }
        }
        std::mem::swap(&mut self.searcher.search.found, &mut ahead.found);
        std::mem::swap(&mut self.searcher.measured, &mut ahead.measured);
        self.outlook.used += 1;
        true
    }
}
