//! All running queues, and one tick over them.
//!
//! Owned by the engine behind the lock that a tick holds. Takes inputs in call order, expires, and matches queue
//! by queue; a step budget, or players in several queues, makes the queues take turns, one round of anchors each, by
//! their oldest anchor not yet visited. Invariant: what a tick does depends on the inputs, the time and the budget alone.

use super::elsewhere::Commits;
use super::lives::mix;
use super::outcome::{Came, Outcome};
use super::regions::RegionOrder;
use super::rounds::Rounds;
use super::running::{Arrival, RunningQueue};
use super::turn::{Progress, Turn};
use crate::base::arena::Scratch;
use crate::base::board::Jobs;
use crate::model::codes::EndReason;
use crate::model::ids::{Millis, QueueId, TicketId};
use crate::model::limits::TIME_MS_MAX;
use crate::rules::compile::{CompiledQueue, NO_VALUE};
use crate::rules::window::earliest;
use crate::store::columns::Column;
use crate::store::tickets::TicketValues;
use std::sync::Arc;

/// Anchors that a queue visits in one turn: a constant, so that a pass does not depend on the machine.
const ROUND: usize = 64;

/// Something that a tick takes in.
pub enum Input<'a> {
    /// A queue was added.
    AddQueue(QueueId, Arc<CompiledQueue>),
    /// A queue was removed; its tickets end.
    RemoveQueue(QueueId),
    /// A queue was suspended or opened.
    SuspendQueue(QueueId, bool),
    /// A queue's regions have other names or another order, or others are up.
    Regions(QueueId, Arc<RegionOrder>, u64),
    /// A ticket was submitted.
    Arrive(QueueId, Arrival<'a>),
    /// A ticket was ended by its host, for a reason, at a time.
    Leave(TicketId, EndReason, Millis),
    /// A ticket's values and deadline were replaced.
    Update(TicketId, &'a TicketValues, Option<Millis>),
}

/// Where a ticket is, by its slot.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// That of the ticket; 0: there is none.
    generation: u32,
    queue: QueueId,
    row: u32,
}

const NOWHERE: Place = Place { generation: 0, queue: QueueId(0), row: 0 };

/// All running queues.
pub struct Matcher {
    /// In the order of their ids.
    pub(super) queues: Vec<RunningQueue>,
    /// By slot.
    places: Column<Place>,
    /// What the last tick brought about.
    pub outcome: Outcome,
    ticks: u64,
    search_nodes: u32,
    rounds: Rounds,
    /// Memory of one tick.
    scratch: Scratch,
    /// The last pass was stopped by its budget; the queues that are open have not had all their turns.
    is_stopped: bool,
}

impl Default for Matcher {
    fn default() -> Matcher {
        Matcher {
            queues: Vec::new(),
            places: Column::new(NOWHERE),
            outcome: Outcome::default(),
            ticks: 0,
            search_nodes: 0,
            rounds: Rounds::default(),
            scratch: Scratch::default(),
            is_stopped: false,
        }
    }
}

impl Matcher {
    /// No queues; searches that are not exact by themselves visit at most so many nodes each.
    pub fn new(search_nodes: u32) -> Matcher {
        Matcher { search_nodes, rounds: Rounds::new(search_nodes), ..Matcher::default() }
    }

    /// Says from how many zeros at the end of the mixed bits of their submit numbers on the accounts ask for a queue's
    /// tickets.
    pub fn draw_from(&mut self, zeros: impl Fn(QueueId) -> u32) {
        self.queues.iter_mut().for_each(|queue| queue.drawn_from = zeros(queue.id));
    }

    /// Has rounds of searches ahead look at so many anchors of a queue, whatever pays off; what comes out is the
    /// same. For tests and benches.
    pub fn fix_rounds(&mut self, anchors: usize) {
        self.rounds.fix(anchors);
    }

    /// Has the index searched for each anchor, whatever would be quicker; the matches are the same, the steps are not. For
    /// benches.
    pub fn search_each(&mut self) {
        self.rounds.search_each();
    }

    /// How many anchors were looked at ahead of their turn so far, and for how many of them, in the queues of now,
    /// that was of use. Unlike all else it depends on the threads. For benches.
    pub fn ahead(&self) -> (u64, u64) {
        let used = |queue: &RunningQueue| queue.outlook.used_so_far + queue.outlook.used as u64;
        (self.rounds.searched(), self.queues.iter().map(used).sum())
    }

    /// Takes one input in, at the time of the tick.
    pub fn take_in<'c>(&mut self, input: Input<'_>, now: Millis, commits: impl Into<Commits<'c>>) {
        match input {
            Input::AddQueue(id, compiled) => {
                debug_assert!(self.queues.last().is_none_or(|last| last.id < id), "ids ascend");
                self.queues.push(RunningQueue::new(id, compiled, self.search_nodes))
            }
            Input::RemoveQueue(id) => self.remove_queue(id, commits.into()),
            Input::SuspendQueue(id, suspended) => {
                if let Some(queue) = self.queue(id) {
                    queue.set_suspended(suspended);
                }
            }
            Input::Regions(id, order, up) => {
                if let Some(queue) = self.queue(id) {
                    queue.set_regions(order, up);
                }
            }
            Input::Arrive(id, arrival) => self.arrive(id, &arrival, now),
            Input::Leave(id, reason, at) => self.leave(id, at, reason),
            Input::Update(id, values, deadline) => {
                if let Some((queue, row)) = self.find(id) {
                    self.queues[queue].update(row, values, deadline, now);
                }
            }
        }
    }

    fn arrive(&mut self, queue: QueueId, arrival: &Arrival<'_>, now: Millis) {
        let Some(running) = self.queue(queue) else { return };
        let row = running.take_in(arrival, now);
        let zeros = mix(arrival.seniority.submit_number).trailing_zeros();
        if zeros >= running.drawn_from {
            let slot = running.compiled.spread_slot;
            self.outcome.came.push(Came {
                queue,
                id: arrival.id,
                seniority: arrival.seniority,
                zeros: zeros as u8,
                regions: arrival.values.pings.iter().fold(0, |mask, &(region, _)| mask | 1 << region),
                skill: slot.map_or(NO_VALUE, |slot| arrival.values.numbers[slot]),
            });
        }
        let (slot, generation) = (arrival.id.slot(), arrival.id.generation());
        self.places.grow_to(slot as usize + 1);
        self.places.set(slot, Place { generation, queue, row });
    }

    fn queue(&mut self, id: QueueId) -> Option<&mut RunningQueue> {
        let at = self.position(id)?;
        Some(&mut self.queues[at])
    }

    pub(super) fn find(&self, id: TicketId) -> Option<(usize, u32)> {
        if id.slot() as usize >= self.places.rows() || id.engine() != 0 {
            return None;
        }
        let place = self.places.get(id.slot());
        let queue = self.position(place.queue).filter(|_| place.generation == id.generation())?;
        Some((queue, place.row))
    }

    fn position(&self, id: QueueId) -> Option<usize> {
        self.queues.binary_search_by_key(&id, |queue| queue.id).ok()
    }

    fn remove_queue(&mut self, id: QueueId, commits: Commits<'_>) {
        let Some(at) = self.position(id) else { return };
        let queue = self.queues.remove(at);
        self.outcome.gone.push(id);
        let from = self.outcome.removed.len();
        for (_, submit_number, ticket) in queue.all() {
            self.places.set(ticket.slot(), NOWHERE);
            if commits.end(ticket) {
                self.outcome.removed.push((submit_number, ticket));
            }
        }
        self.outcome.removed[from..].sort_unstable();
    }

    /// Expires and matches at `now`. The outcome must have been cleared before the inputs were taken in.
    /// `budget`: steps after which the pass stops, 0 for none. Returns whether every anchor was visited.
    /// `jobs`: shares out the searches of the pass. Where players may wait elsewhere, queues take turns also without a
    /// budget, so that what one takes from another does not depend on threads.
    pub fn tick<'c>(
        &mut self,
        now: Millis,
        budget: u64,
        commits: impl Into<Commits<'c>>,
        jobs: &mut Jobs<'_>,
    ) -> bool {
        let commits = commits.into();
        self.ticks += 1;
        self.expire(now, commits);
        for queue in &mut self.queues {
            queue.prepare_pass(now);
        }
        let complete = match budget {
            0 => {
                self.begin_anew();
                match commits.elsewhere {
                    None => self.pass(now, commits, jobs),
                    Some(_) => self.pass_within(now, u64::MAX, commits, jobs),
                }
            }
            _ => self.pass_within(now, budget, commits, jobs),
        };
        self.outcome.tallies.extend(self.queues.iter_mut().filter_map(RunningQueue::take_tally));
        complete
    }

    fn expire(&mut self, now: Millis, commits: Commits<'_>) {
        let places = &mut self.places;
        for queue in &mut self.queues {
            queue.expire(now, commits, &mut self.outcome, |id| places.set(id.slot(), NOWHERE));
        }
        self.outcome.expired.sort_unstable();
    }

    /// A pass that was stopped does not go on where it was: the next one visits every anchor.
    fn begin_anew(&mut self) {
        self.is_stopped = false;
        for queue in &mut self.queues {
            queue.all_due |= queue.visited.take().is_some() | queue.give_up_choice();
            queue.is_open = true;
        }
    }

    /// A pass without a budget visits every anchor of every queue. Queues go on side by side, a round of searches
    /// at a time for all of them; without other threads there is one round for each queue.
    fn pass(&mut self, now: Millis, commits: Commits<'_>, jobs: &mut Jobs<'_>) -> bool {
        let mut has_more = true;
        while has_more {
            if commits.turns.is_none() && commits.elsewhere.is_none() {
                let (rounds, places) = (&mut self.rounds, &mut self.places);
                let left = |id: TicketId| places.set(id.slot(), NOWHERE);
                let time = (self.ticks, now);
                rounds.part_off(&mut self.queues, time, commits.claims, &mut self.outcome, jobs, left);
            }
            self.rounds.look_ahead(&mut self.queues, |_, queue| queue.is_open, (self.ticks, now), jobs);
            has_more = false;
            for at in 0..self.queues.len() {
                if self.queues[at].is_open {
                    self.queues[at].is_open = self.round(at, usize::MAX, now, commits, jobs).has_more;
                    has_more |= self.queues[at].is_open;
                }
            }
        }
        self.sort_matches();
        true
    }

    /// Queues take turns until the steps reach the budget.
    fn pass_within(&mut self, now: Millis, budget: u64, commits: Commits<'_>, jobs: &mut Jobs<'_>) -> bool {
        let mut goes_on = std::mem::replace(&mut self.is_stopped, false);
        if !goes_on {
            self.open_all();
        }
        let complete = loop {
            let Some(at) = self.oldest_open(now) else {
                // A queue that had its turns before the stop has none until all others have had theirs.
                if std::mem::take(&mut goes_on) {
                    self.open_all();
                    continue;
                }
                break true;
            };
            if self.outcome.steps >= budget {
                self.is_stopped = true;
                break false;
            }
            self.queues[at].is_open = self.turn(at, now, commits, jobs);
        };
        // A pass without an anchor left has come to its end too, and a queue that is told so is quiet again.
        for at in 0..self.queues.len() {
            // One that had its turns before the stop and was not opened again waits for the next pass.
            let is_listed = self.queues[at].pass_went_on_in == self.ticks || self.queues[at].is_open;
            if is_listed && self.queues[at].next_anchor(self.ticks, now).is_none() {
                self.turn(at, now, commits, jobs);
            }
        }
        // Events come queue by queue, whatever the turns were.
        self.sort_matches();
        complete
    }

    /// A pass over all queues begins.
    fn open_all(&mut self) {
        for queue in &mut self.queues {
            queue.is_open = true;
        }
    }

    /// Of the queues that still have turns in the pass, the one with the oldest anchor not yet visited.
    fn oldest_open(&mut self, now: Millis) -> Option<usize> {
        let tick = self.ticks;
        let open = self.queues.iter_mut().enumerate().filter(|(_, queue)| queue.is_open);
        let anchors = open.filter_map(|(at, queue)| Some((queue.next_anchor(tick, now)?, at)));
        anchors.min().map(|(_, at)| at)
    }

    /// One queue's turn; returns whether it has more anchors.
    fn turn(&mut self, at: usize, now: Millis, commits: Commits<'_>, jobs: &mut Jobs<'_>) -> bool {
        let mut anchors = ROUND;
        loop {
            self.rounds.look_ahead(&mut self.queues, |other, _| other == at, (self.ticks, now), jobs);
            let progress = self.round(at, anchors, now, commits, jobs);
            anchors -= progress.visits;
            if anchors == 0 || !progress.has_more {
                return progress.has_more;
            }
        }
    }

    /// Visits the anchors of one queue that the last round has looked at, at most so many.
    fn round(
        &mut self,
        at: usize,
        anchors: usize,
        now: Millis,
        commits: Commits<'_>,
        jobs: &mut Jobs<'_>,
    ) -> Progress {
        let ended = self.outcome.elsewhere.len();
        let places = &mut self.places;
        let queue = &mut self.queues[at];
        let turn = Turn { anchors, now, tick: self.ticks };
        let ahead = self.rounds.of(queue);
        let left = |id: TicketId| places.set(id.slot(), NOWHERE);
        let progress = queue.round(turn, ahead, commits, &mut self.outcome, jobs, left);
        for at in ended..self.outcome.elsewhere.len() {
            self.leave(self.outcome.elsewhere[at], now, EndReason::MatchedElsewhere);
        }
        progress
    }

    /// Lets a ticket leave its queue that has ended.
    fn leave(&mut self, id: TicketId, at: Millis, reason: EndReason) {
        if let Some((queue, row)) = self.find(id) {
            self.outcome.ledger.leave(&self.queues[queue].departure(row, at, Some(reason)));
            self.queues[queue].remove(row);
            self.places.set(id.slot(), NOWHERE);
        }
    }

    fn sort_matches(&mut self) {
        let outcome = &mut self.outcome;
        if outcome.matches.is_sorted_by_key(|found| (found.queue, found.rank)) {
            return;
        }
        let old_matches = self.scratch.slice_copy(&outcome.matches);
        let old_placements = self.scratch.slice_copy(&outcome.placements);
        let old_regions = self.scratch.slice_copy(&outcome.regions);
        let old_elsewhere = self.scratch.slice_copy(&outcome.elsewhere);
        let (mut tickets, mut regions, mut elsewhere) = (0, 0, 0);
        let spans = self.scratch.slice_of(old_matches.iter().enumerate().map(|(at, found)| {
            let span = (found.queue, found.rank, at, tickets, regions, elsewhere);
            elsewhere += found.elsewhere_count as usize;
            tickets += found.ticket_count as usize;
            regions += found.region_count as usize;
            span
        }));
        spans.sort_unstable();
        outcome.matches.clear();
        outcome.placements.clear();
        outcome.regions.clear();
        outcome.elsewhere.clear();
        for &mut (_, _, at, ticket, region, other) in spans {
            let found = &old_matches[at];
            outcome
                .placements
                .extend_from_slice(&old_placements[ticket..ticket + found.ticket_count as usize]);
            outcome.regions.extend_from_slice(&old_regions[region..region + found.region_count as usize]);
            let others = &old_elsewhere[other..other + found.elsewhere_count as usize];
            outcome.elsewhere.extend_from_slice(others);
            outcome.matches.push(*found);
        }
        self.scratch.reset();
    }

    /// The first time after `now` at which a tick could change anything without input.
    pub fn next_due(&mut self, now: Millis) -> Option<Millis> {
        let mut due = None;
        for queue in &mut self.queues {
            due = earliest(due, queue.next_deadline());
            due = earliest(due, queue.next_change(now));
        }
        // No tick comes after the greatest time; what is left over then may still be done at that very time.
        let due = due.filter(|due| due.0 <= TIME_MS_MAX);
        due.map(|due| due.max(now.after(Millis(1))).min(Millis(TIME_MS_MAX)))
    }

    /// Lets every ticket of every queue go: the engine has been closed.
    pub fn clear(&mut self) {
        self.queues.clear();
        self.places = Column::new(NOWHERE);
    }
}
