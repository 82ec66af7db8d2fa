//! One tick: inputs are taken in, the matcher runs without the door's lock, the results are handed over.

use super::door::Door;
use super::events::{MatchHead, Placed};
use super::slot::{Held, Life};
use crate::base::board::{Board, Helper};
use crate::base::crew::Crew;
use crate::claim::commit::Claims;
use crate::model::codes::{EndReason, Refusal};
use crate::model::ids::{MatchId, Millis, QueueId};
use crate::model::status::TickReport;
use crate::queue::matcher::{Input, Matcher};
use crate::queue::outcome::MatchFound;
use crate::queue::regions::RegionOrder;
use crate::rules::spec::RegionNames;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a tick holds: the matcher, and the buffers that it swaps with the door's.
#[derive(Default)]
pub(super) struct TickState {
    matcher: Matcher,
    board: Board,
    crew: Crew,
    inputs: Vec<Input>,
    to_release: Vec<(QueueId, Held)>,
    orders: Vec<(QueueId, Arc<RegionOrder>)>,
    down_exact: Vec<String>,
    down_folded: Vec<String>,
}

/// The door's state, whatever a thread that panicked inside has left: every call leaves it whole or has not begun
/// to change it.
pub(super) fn lock(door: &Mutex<Door>) -> MutexGuard<'_, Door> {
    door.lock().unwrap_or_else(PoisonError::into_inner)
}

impl TickState {
    /// A state without queues, whose searches visit at most so many nodes each.
    pub(super) fn new(search_nodes: u32) -> TickState {
        TickState { matcher: Matcher::new(search_nodes), ..TickState::default() }
    }

    /// Starts so many threads that help at each tick. Error: the system gives no more.
    pub(super) fn start_threads(&mut self, count: usize) -> std::io::Result<()> {
        self.crew = Crew::start(count, &mut self.board)?;
        Ok(())
    }

    /// Where threads help.
    pub(super) fn helper(&self) -> Helper {
        self.board.helper()
    }

    /// Searches in rounds of a fixed size, deals them in an order of its own, and lets threads yield between them.
    pub(super) fn disturb(&mut self, anchors: Option<usize>, seed: u64) {
        self.board.disturb(seed);
        if let Some(anchors) = anchors {
            self.matcher.fix_rounds(anchors);
        }
    }

    /// Runs one tick.
    pub(super) fn run(
        &mut self,
        door: &Mutex<Door>,
        claims: &Claims,
        now: Millis,
        budget: u64,
    ) -> Result<TickReport, Refusal> {
        let now = {
            let mut door = lock(door);
            door.enter(now)?;
            self.take_inputs(&mut door);
            door.now
        };
        self.matcher.outcome.clear();
        for input in self.inputs.drain(..) {
            self.matcher.take_in(input, now, claims);
        }
        let complete = self.matcher.tick(now, budget, claims, &mut self.board.jobs());
        let due = self.matcher.next_due(now);
        let mut door = lock(door);
        let held = std::mem::take(&mut self.to_release);
        self.to_release = door.release(held);
        let ended = self.hand_over_ends(&mut door, claims, now);
        self.hand_over_matches(&mut door, now);
        let outcome = &self.matcher.outcome;
        door.counters.ticks += 1;
        door.counters.steps += outcome.steps;
        door.counters.searches_cut_off += outcome.searches_cut_off;
        door.counters.matches += outcome.matches.len() as u64;
        door.due = due;
        let matches = outcome.matches.len() as u64;
        Ok(TickReport { at: now, steps: outcome.steps, matches, ended, complete })
    }

    /// Lets every ticket go, and ends the engine's threads: the engine has been closed.
    pub(super) fn clear(&mut self) {
        self.matcher.clear();
        self.crew = Crew::default();
    }

    /// Takes the inputs of all calls so far, and what the tickets held that they let go.
    fn take_inputs(&mut self, door: &mut Door) {
        for at in 0..door.queues.len() {
            let queue = &door.queues[at];
            let order = queue.regions.order();
            let told = queue.regions_told.as_ref().filter(|(old, _)| Arc::ptr_eq(old, &order));
            // Without another name and another word on a region the mask is the same: not computed in vain.
            if told.is_some() && !door.down_changed {
                continue;
            }
            let up = door.up_mask(queue);
            if told.is_some_and(|&(_, told_up)| told_up == up) {
                continue;
            }
            let id = queue.id;
            door.inbox.push(Input::Regions(id, Arc::clone(&order), up));
            self.orders.retain(|(other, _)| *other != id);
            self.orders.push((id, Arc::clone(&order)));
            door.queues[at].regions_told = Some((order, up));
        }
        if self.orders.len() > door.queues.len() + door.removed_queues.len() {
            self.orders.retain(|(id, _)| door.any_queue(*id).is_some());
        }
        if std::mem::take(&mut door.down_changed) {
            self.down_exact.clone_from(&door.down_exact);
            self.down_folded.clone_from(&door.down_folded);
        }
        std::mem::swap(&mut self.inputs, &mut door.inbox);
        std::mem::swap(&mut self.to_release, &mut door.to_release);
        for input in &self.inputs {
            match input {
                Input::Arrive(_, arrival) => {
                    if let Some(slot) = door.slot_mut(arrival.id) {
                        slot.is_taken_in = true;
                    }
                }
                Input::Update(id, _) => {
                    // An update that a match or an end came before stays aside, for a requeue.
                    let Some(slot) = door.slot_mut(*id).filter(|slot| slot.life == Life::Queued) else {
                        continue;
                    };
                    let Some(pending) = slot.pending.take() else { continue };
                    slot.request = pending.request;
                    slot.pings = pending.pings;
                    slot.deadline = pending.deadline;
                    let old = std::mem::replace(&mut slot.held, pending.held);
                    self.to_release.push((slot.queue, old));
                }
                _ => {}
            }
        }
    }

    /// Writes the ends that the tick brought about; returns how many.
    /// Forming tickets end here, as no search knows them: behind the others of removed queues, and among the
    /// others in the order of deadlines.
    fn hand_over_ends(&mut self, door: &mut Door, claims: &Claims, now: Millis) -> u64 {
        let outcome = &mut self.matcher.outcome;
        outcome.removed.extend(door.end_forming_of_removed(claims));
        for &(_, id) in &outcome.removed {
            door.finish(id, Life::Ended(EndReason::QueueRemoved, now), true);
        }
        let forming = door.end_forming_due(claims, now);
        if !forming.is_empty() {
            outcome.expired.extend(forming);
            outcome.expired.sort_unstable();
        }
        for expired in &outcome.expired {
            door.counters.starved += u64::from(expired.starved);
            door.finish(expired.id, Life::Ended(EndReason::TimedOut, now), true);
        }
        (outcome.removed.len() + outcome.expired.len()) as u64
    }

    fn hand_over_matches(&mut self, door: &mut Door, now: Millis) {
        let (mut placement, mut region) = (0, 0);
        for at in 0..self.matcher.outcome.matches.len() {
            let found = &self.matcher.outcome.matches[at];
            let tickets = placement..placement + found.ticket_count as usize;
            let regions = region..region + found.region_count as usize;
            (placement, region) = (tickets.end, regions.end);
            self.hand_over_match(door, now, found, tickets, regions);
        }
    }

    fn hand_over_match(
        &self,
        door: &mut Door,
        now: Millis,
        found: &MatchFound,
        tickets: std::ops::Range<usize>,
        regions: std::ops::Range<usize>,
    ) {
        let id = MatchId(found.oldest);
        let head = MatchHead {
            at: now,
            id,
            queue: found.queue,
            ticket_count: found.ticket_count,
            region_count: found.region_count,
            quality: found.quality,
        };
        if door.check_matches {
            self.check(door, &head, tickets.clone(), regions.clone());
        }
        for placed in self.placed(tickets) {
            let update_lost = door.slot(placed.id).is_some_and(|slot| slot.pending.is_some());
            door.events.push_placed(Placed { update_lost, ..placed });
            door.finish(placed.id, Life::Matched(id, now), true);
        }
        for name in self.names(found.queue, regions) {
            door.events.push_region(name);
        }
        if let Some(queue) = door.any_queue_mut(found.queue) {
            queue.matches += 1;
        }
        door.events.push_match(head);
    }

    fn placed(&self, tickets: std::ops::Range<usize>) -> impl Iterator<Item = Placed> + '_ {
        self.matcher.outcome.placements[tickets].iter().map(|placement| Placed {
            id: placement.id,
            position: placement.position,
            ping_ms: placement.ping_ms,
            update_lost: false,
        })
    }

    fn names(&self, queue: QueueId, regions: std::ops::Range<usize>) -> impl Iterator<Item = Arc<str>> + '_ {
        let order = self.orders.iter().find(|(id, _)| *id == queue).map(|(_, order)| order);
        let numbers = self.matcher.outcome.regions[regions].iter();
        numbers.filter_map(move |&number| order.and_then(|order| order.names[number as usize].clone()))
    }

    /// Has the independent judge look at a match before it is released.
    fn check(
        &self,
        door: &Door,
        head: &MatchHead,
        tickets: std::ops::Range<usize>,
        regions: std::ops::Range<usize>,
    ) {
        let Some(queue) = door.any_queue(head.queue) else { return };
        let Some(judge) = &queue.judge else { return };
        let placed: Vec<Placed> = self.placed(tickets).collect();
        let names = self.names(head.queue, regions).collect();
        let record = door.match_record(head.clone(), &placed, names);
        let lookup = |id| door.slot(id).map(|slot| (slot.seniority, &slot.request));
        let down = match queue.regions.how() {
            RegionNames::Exact => &self.down_exact,
            RegionNames::FoldCase => &self.down_folded,
        };
        let down: Vec<&str> = down.iter().map(String::as_str).collect();
        let verdict = judge.match_record(&record, lookup, &down);
        assert!(verdict.is_ok(), "the engine made a match that is not legal: {verdict:?} {record:?}");
    }
}
