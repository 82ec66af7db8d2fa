//! Independent components of queues, searched and committed side by side, each by one thread at a time.
//!
//! Called by the matcher at the start of a pass without a budget: with more than one thread, and, in queues that go by
//! `strips`, in any case, where all is one part if there is nothing to deal out. Tickets of different components
//! (`components`) never meet, so each component's due anchors are visited in the order of age by itself:
//! a thread searches on the index as it stands, passes over whoever has left since it was last brought up to date,
//! and claims the match there and then. Components are dealt out as *parts*, the heaviest first. After a
//! *stretch* of anchors the main thread brings columns, index and outcome up to date for all parts, in the order of
//! anchors; then the next stretch begins. A part with strips visits all its anchors in one stretch.
//!
//! Invariant: matches, their order, counts and steps are those of visiting all anchors one by one, the steps as `strips`
//! counts them. What a search comes to
//! depends on its own component alone: who of it is left, the windows at the time of the tick, and what stands still
//! throughout a pass (regions that are up, least pings, whether submit numbers are in order). Tickets that have
//! left are passed over without a step, as if the index no longer had them. So a queue takes part only if
//!
//! - its region rule goes by each ticket's own age, so that who cannot stand in the index for a region is not looked at there;
//! - no look at the whole shard decides whether an anchor is searched for (`Shard::serves`), which another component
//!   could change;
//! - claims meet calls in any order and end nothing elsewhere.
//!
//! Measured: see `benches/README.md`. Tickets of a stretch are taken out of the index many at once: a sweep over all chunks
//! instead of a search and a move for each. Tried: stretches of an eighth of the members; a quarter halves the meetings of
//! threads and has searches pass over twice as many who have left. The accounts of who left are added up by the threads
//! and only summed here: settling takes 2.1 ms of a pass of 12.3 then, instead of 2.7. Not built: upkeep of the columns by
//! the threads themselves, which is most of what is left to one of them.
//!
//! Where the heaviest part is most of the work, searches ahead (`rounds`) bring more, and nothing is done here.

use super::components::Components;
use super::lane::{Lane, Lanes, RowSet};
use super::outcome::Outcome;
use super::part::{Part, Time};
use super::running::RunningQueue;
use crate::assemble::least_cost::order::Order;
use crate::base::board::Jobs;
use crate::base::room;
use crate::claim::commit::Claims;
use crate::model::ids::{Millis, TicketId};
use crate::rules::spec::WindowAge;

/// Anchors from which on it is worth while to look for components: chosen, a few times what a wake of a thread takes.
const ANCHORS_MIN: usize = 256;
/// A look for components costs a look at all members: so many for each anchor at most.
const MEMBERS_PER_ANCHOR: usize = 16;
/// Parts of a queue: chosen, so that they can be dealt out evenly.
const PARTS_MAX: usize = 32;
/// A stretch ends when about one in so many of the members may have left: chosen, see above.
const STRETCHES: usize = 4;
const STRETCH_MIN: usize = 128;
/// Where fewer than one in so many members leave, they are taken out one by one.
const LEAVING_SHARE: usize = 64;

/// How a pass may go.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Goes {
    /// Components side by side.
    pub(super) by_parts: bool,
    /// Pairs along the line of values.
    pub(super) by_strips: bool,
}

/// A queue that takes part.
struct Plan {
    queue: usize,
    /// The places among the due anchors at which the stretch begins and ends.
    from: usize,
    to: usize,
    /// Anchors of a stretch.
    span: usize,
    members: usize,
    goes_by_strips: bool,
}

/// The parts of a pass.
#[derive(Default)]
pub(super) struct Parts {
    components: Components,
    parts: Vec<Part>,
    /// How many of them are of the pass at hand.
    count: usize,
    plans: Vec<Plan>,
    stretch: u64,
    /// The tick, and the queues that have been asked in it.
    tick: u64,
    asked: Vec<bool>,
    weights: Vec<(usize, u32)>,
    part_of: Vec<u32>,
    /// Tickets that are to be in strips, with their shards.
    members: Vec<(u32, u32)>,
    order: (Order, Vec<u32>),
    /// Which part the act of each anchor of a stretch is in.
    turns: Vec<u32>,
    leaving: RowSet,
}

/// No part.
const NO_PART: u32 = u32::MAX;

impl Parts {
    /// Visits the due anchors of all open queues that fall into components, if that pays off.
    #[allow(clippy::too_many_arguments, reason = "what a pass depends on, and where its outcome goes")]
    pub(super) fn pass(
        &mut self,
        queues: &mut [RunningQueue],
        (tick, now): (u64, Millis),
        goes: Goes,
        claims: &Claims,
        outcome: &mut Outcome,
        jobs: &mut Jobs<'_>,
        lanes: &mut Lanes,
        mut left: impl FnMut(TicketId),
    ) {
        if std::mem::replace(&mut self.tick, tick) != tick {
            self.asked.clear();
        }
        self.asked.resize(queues.len(), false);
        self.plans.clear();
        self.count = 0;
        for (at, queue) in queues.iter_mut().enumerate() {
            queue.may_stay_unindexed = goes.by_strips && queue.strip_rules.is_some();
            let is_open = !self.asked[at] && queue.is_open && queue.open_pass(tick, now);
            queue.may_stay_unindexed = false;
            if is_open && queue.visits_anchors() {
                self.asked[at] = true;
                self.plan(at, queue, goes);
            }
        }
        let parts = &mut self.parts[..self.count];
        parts.sort_by_key(|part| std::cmp::Reverse(part.anchors.len()));
        let heaviest = parts.first().map_or(0, |part| part.anchors.len());
        let all: usize = parts.iter().map(|part| part.anchors.len()).sum();
        let has_strips = self.plans.iter().any(|plan| plan.goes_by_strips);
        if !has_strips && (4 * heaviest > 3 * all || all < ANCHORS_MIN) {
            return;
        }
        let lanes = lanes.open(jobs.threads().min(self.count));
        if has_strips {
            let shared = &*queues;
            jobs.run(lanes, &mut self.parts[..self.count], |_, part| part.fill(&shared[part.queue], now));
            for part in self.parts[..self.count].iter().filter(|part| !part.are_filled) {
                queues[part.queue].index_all();
            }
        }
        while self.plans.iter().any(|plan| plan.to > plan.from) {
            self.stretch += 1;
            let time = Time { tick, now, stretch: self.stretch };
            let (shared, plans) = (&*queues, &self.plans);
            jobs.run(lanes, &mut self.parts[..self.count], |lane, part| {
                if let Some(plan) = plans.iter().find(|plan| plan.queue == part.queue) {
                    part.visit_until(plan.to, lane, &shared[part.queue], time, claims);
                }
            });
            for at in 0..self.plans.len() {
                self.settle(at, &mut queues[self.plans[at].queue], outcome, &mut left);
            }
        }
        lanes.iter_mut().for_each(Lane::rest);
        self.rest();
    }

    /// Gives back the memory that a great pass took.
    fn rest(&mut self) {
        self.parts[..self.count].iter_mut().for_each(Part::rest);
        let (order, rows) = &mut self.order;
        order.rest();
        room::empty(rows);
        room::empty(&mut self.members);
        room::empty(&mut self.turns);
    }

    /// Deals the due anchors of a queue out to parts.
    fn plan(&mut self, at_queue: usize, queue: &mut RunningQueue, goes: Goes) {
        let from = queue.first_unvisited();
        let end = queue.due.len();
        let of_own_age = |rule: usize| queue.compiled.rules[rule].age == WindowAge::Mutual;
        let may_part = goes.by_parts
            && !queue.geometry.has_demands()
            && queue.compiled.region_rule.is_none_or(of_own_age)
            && (end - from) >= ANCHORS_MIN
            && (end - from) * MEMBERS_PER_ANCHOR >= queue.tickets.len();
        let goes_by_strips =
            goes.by_strips && queue.list_for_strips(end - from, &mut self.order, &mut self.members);
        // Components of several shards are told by their indexes.
        if !goes_by_strips || (may_part && !queue.partition.is_empty()) {
            queue.index_all();
        }
        if !may_part && !goes_by_strips {
            return;
        }
        let anchors = || {
            let due = (from as u32..).zip(&queue.due[from..]);
            let holds =
                |seniority, row| queue.holds(seniority, row) && queue.standings[row as usize].is_active;
            due.filter(move |&(_, &(seniority, row))| holds(seniority, row)).map(|(at, &(_, row))| (at, row))
        };
        let first = self.count;
        let end_of_rows = queue.tickets.row_end();
        let are_parted = may_part && self.components.find(&queue.shards, queue.not_indexed(), end_of_rows);
        if are_parted {
            self.weights.clear();
            self.weights.extend((0..self.components.count() as u32).map(|component| (0, component)));
            anchors().for_each(|(_, row)| self.weights[self.components.of(row)].0 += 1);
            self.weights.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
            self.part_of.clear();
            self.part_of.resize(self.weights.len(), 0);
            let parts = self.weights.len().min(PARTS_MAX);
            for (at, &(_, component)) in self.weights.iter().enumerate() {
                // To and fro, so that whoever gets the heaviest of one turn gets the lightest of the next.
                let (turn, place) = (at / parts, at % parts);
                let place = if turn % 2 == 0 { place } else { parts - 1 - place };
                self.part_of[component as usize] = (first + place) as u32;
            }
            self.open(parts, at_queue, goes_by_strips);
            for (at, row) in anchors() {
                let part = self.part_of[self.components.of(row)];
                self.parts[part as usize].anchors.push((at, row));
            }
        } else {
            self.open(1, at_queue, goes_by_strips);
            self.parts[first].anchors.extend(anchors());
        }
        let members = if may_part { self.components.members() } else { queue.tickets.len() };
        let span = if goes_by_strips { end } else { (members / (2 * STRETCHES)).max(STRETCH_MIN) };
        if goes_by_strips {
            for of_shard in self.members.chunk_by(|a, b| a.0 == b.0).filter(|of_shard| of_shard.len() > 1) {
                for &(shard, row) in of_shard {
                    let part =
                        if are_parted { self.part_of[self.components.of(row)] as usize } else { first };
                    self.parts[part].strips.get_or_insert_default().push(shard, row);
                }
            }
        }
        let to = (from + span).min(end);
        self.plans.push(Plan { queue: at_queue, from, to, span, members, goes_by_strips });
    }

    /// Adds empty parts of a queue.
    fn open(&mut self, parts: usize, queue: usize, goes_by_strips: bool) {
        let first = self.count;
        self.count += parts;
        if self.parts.len() < self.count {
            self.parts.resize_with(self.count, Part::default);
        }
        for part in &mut self.parts[first..self.count] {
            part.open(queue, goes_by_strips);
        }
    }

    /// Brings a queue and the outcome up to date after a stretch, and sets the bounds of the next one.
    fn settle(
        &mut self,
        at: usize,
        queue: &mut RunningQueue,
        outcome: &mut Outcome,
        left: &mut impl FnMut(TicketId),
    ) {
        let Plan { queue: at_queue, from, to, .. } = self.plans[at];
        self.turns.clear();
        self.turns.resize(to - from, NO_PART);
        let parts = &mut self.parts[..self.count];
        let mut leaving = 0;
        for (number, part) in parts.iter_mut().enumerate().filter(|(_, part)| part.queue == at_queue) {
            part.acts.iter().for_each(|act| self.turns[act.at as usize - from] = number as u32);
            leaving += part.rows.len();
            part.settle_counts(queue, outcome);
        }
        self.leaving.grow_to(queue.tickets.row_end());
        let at_once = queue.geometry.takes_out_many() && leaving * LEAVING_SHARE >= self.plans[at].members;
        for (at, &part) in (from as u32..).zip(&self.turns) {
            if part != NO_PART {
                let leaving = at_once.then_some(&mut self.leaving);
                parts[part as usize].settle_acts(at, queue, outcome, leaving, left);
            }
        }
        if at_once && !self.leaving.is_empty() {
            queue.shards.remove_all(self.leaving.bits());
            self.leaving.clear();
        }
        parts.iter_mut().filter(|part| part.queue == at_queue).for_each(Part::forget);
        let plan = &mut self.plans[at];
        plan.members -= leaving.min(plan.members);
        // Where few anchors have a match the next stretch is longer.
        let wanted = plan.members / STRETCHES;
        plan.span = if 2 * leaving < wanted { 2 * plan.span } else { (wanted / 2).max(STRETCH_MIN) };
        queue.visited = queue.due[from..to].last().map(|&(seniority, _)| seniority).or(queue.visited);
        (plan.from, plan.to) = (to, (to + plan.span).min(queue.due.len()));
    }
}
