//! A running queue: its tickets, the shards they stand in, and what a tick does with them.
//!
//! Driven by the matcher, one call at a time. A ticket is *taken in* once, *stands in its shard* while some
//! region is within its ping window, and *leaves* once. Invariant: `waiting` holds every ticket in the order of
//! seniority; entries whose row has another ticket by now are skipped and swept out after each pass.
//!
//! Measured (`perf record` of `evenmatch bench duel --full --selection least_cost`, one thread, busy machine, same output):
//! taking a ticket in took 9.9 in 100 of the whole time with over 100 bytes for each row, a timer for each deadline and a
//! look-up of the only shard (4.4 alone); with 16 bytes, deadlines in the order of waiting and no look-up 3.8. The whole
//! tick, the two in turn: 2,474 ns a ticket before, 1,849 after, with `ledger`, the lines of `store::tickets` and the recipes
//! of the engine's `filling` in it.

use super::choose::Choice;
use super::due::Span;
use super::elsewhere::Commits;
use super::meeting::wakes_for_pairs;
use super::outcome::{MatchFound, Outcome, Placement, Tally};
use super::regions::RegionOrder;
use super::rounds::{Ahead, Outlook};
use super::shards::Shards;
use super::standing::Standing;
use super::timers::{Timer, Timers};
use super::view::{Searcher, View, view_of};
use crate::assemble::report::Measured;
use crate::assemble::states::States;
use crate::assemble::strip::StripRules;
use crate::base::fixed::Fixed;
use crate::base::room;
use crate::model::ids::{MatchId, Millis, QueueId, Seniority, TicketId};
use crate::rules::compile::{CompiledQueue, Kind};
use crate::rules::spec::Selection;
use crate::shard::Geometry;
use crate::store::sparse::Sparse;
use crate::store::tickets::{TicketValues, Tickets};
use std::sync::Arc;

/// The instant that never comes.
pub(super) const NEVER: Millis = Millis(u64::MAX);
/// Entries of tickets that have left that the order of waiting may hold beyond as many as wait: chosen.
const SWEPT_FROM: usize = 64;

/// A ticket to be taken in.
#[derive(Clone, Debug)]
pub struct Arrival<'a> {
    /// Which ticket.
    pub id: TicketId,
    /// Its place in the order of waiting.
    pub seniority: Seniority,
    /// When it ends.
    pub deadline: Option<Millis>,
    /// What searches read of it.
    pub values: &'a TicketValues,
}

/// A queue with its tickets.
pub struct RunningQueue {
    pub(super) id: QueueId,
    pub(super) compiled: Arc<CompiledQueue>,
    pub(super) tickets: Tickets,
    pub(super) waiting: Vec<(Seniority, u32)>,
    /// So many of the first entries of `waiting` are of tickets that have left, or end by a timer of their own.
    pub(super) passed: usize,
    /// Those of `waiting` from here on have come since it was last looked through for who has left.
    swept: usize,
    /// The anchors of the pass that is under way, in the order of seniority.
    pub(super) due: Vec<(Seniority, u32)>,
    /// What fresh or late tickets reach.
    pub(super) spans: Vec<Span>,
    /// Pairs that a window has let stand together since the last pass: who reaches, and the older one that is reached.
    pub(super) reached: Vec<(u32, u32)>,
    /// Tickets that have come late into the order since the last pass ended.
    pub(super) late: Vec<u32>,
    /// Tickets wake when they can meet another one.
    pub(super) wakes_for_pairs: bool,
    /// See the function of that name.
    pub(super) ping_ever: Option<i64>,
    pub(super) activations: Timers,
    /// When a row's regions next come or go, if it has a timer for that.
    pub(super) activation_at: Sparse<Millis>,
    /// Values of one difference, for the time at which a window reaches the next.
    pub(super) values: Vec<i64>,
    pub(super) is_suspended: bool,
    /// Tickets on which something has happened since the last pass ended.
    pub(super) fresh: Vec<u32>,
    /// The next pass visits every anchor.
    pub(super) all_due: bool,
    /// After the next pass every ticket's wake is set anew.
    pub(super) wake_all: bool,
    /// Tickets whose wake is being set.
    pub(super) sleepy: Vec<u32>,
    pub(super) wakes: Timers,
    /// When something next happens on a row by itself, if it has a timer for that.
    pub(super) wake_at: Sparse<Millis>,
    /// Where tickets wake for values, of each that sleeps: when something else happens on it by itself (the greatest
    /// number: never), and how far its window reached when it fell asleep, if that is what it wakes for; else the least
    /// number.
    pub(super) reaches: Sparse<(Millis, i64)>,
    /// Where tickets wake for pairs, whom each that sleeps wakes to meet, id and row; the id 0: nobody in particular.
    pub(super) meets: Sparse<(u64, u32)>,
    /// The last anchor that a pass which was stopped has visited.
    pub(super) visited: Option<Seniority>,
    /// The tick in which the pass began, and the one in which it last went on.
    pub(super) pass_began_in: u64,
    pub(super) pass_went_on_in: u64,
    /// It may still have turns in the pass over all queues.
    pub(super) is_open: bool,
    arrivals: Vec<(Seniority, u32)>,
    pub(super) standings: Vec<Standing>,
    pub(super) geometry: Geometry,
    /// The key slots that all tickets of a shard agree in.
    pub(super) partition: Vec<usize>,
    pub(super) shards: Shards,
    /// It has had a shard; where nothing parts its tickets the first one is the only one.
    pub(super) has_shard: bool,
    /// Tickets that end at a time of their own; all others end in the order of `waiting`.
    pub(super) deadlines: Timers,
    /// When a row ends that has a time of its own; the greatest number: never.
    pub(super) own_deadlines: Sparse<Millis>,
    pub(super) regions: Arc<RegionOrder>,
    pub(super) up: u64,
    newest_enqueued: Millis,
    pub(super) backdated: usize,
    /// There were none when the pass began, or went on in this tick.
    pub(super) in_order: bool,
    /// Tickets that were taken out of searches so far.
    pub(super) departures: u64,
    /// How far the next round of searches looks ahead.
    pub(super) outlook: Outlook,
    pub(super) searcher: Searcher,
    pub(super) states: States,
    pub(super) key: Vec<i64>,
    pub(super) ids: Vec<TicketId>,
    /// A pass over many anchors may go by strips, if there are these.
    pub(super) strip_rules: Option<StripRules>,
    /// Tickets that stand in their shard and not in its index yet, with the regions that they stand there for.
    pub(super) unindexed: Vec<(u32, u64)>,
    /// The pass that is about to open may go by strips, to which it is all the same who stands in the index.
    pub(super) may_stay_unindexed: bool,
    /// What the `least_cost` selection keeps.
    pub(super) choice: Option<Box<Choice>>,
    /// Some ticket may time out sooner than others.
    pub(super) has_short_deadlines: bool,
    /// What its searches have counted in this tick.
    pub(super) tally: Tally,
    /// See [`Accounts::drawn_from`](super::stats::Accounts::drawn_from).
    pub(super) drawn_from: u32,
}

impl RunningQueue {
    /// A queue without tickets, whose searches visit at most so many nodes each.
    pub fn new(id: QueueId, compiled: Arc<CompiledQueue>, search_nodes: u32) -> RunningQueue {
        let geometry = Geometry::new(&compiled);
        let tickets = Tickets::new(compiled.numbers.len(), compiled.keys.len(), compiled.lists.len());
        let tickets = tickets.with_range_slots(compiled.range_slots.clone());
        let partition = compiled.rules.iter().filter_map(|rule| match &rule.kind {
            Kind::Equality(slot, switch) if rule.needs_value && switch.always(None) => Some(*slot),
            _ => None,
        });
        let wakes_for_pairs = wakes_for_pairs(&compiled, &geometry);
        RunningQueue {
            id,
            partition: partition.collect(),
            wakes_for_pairs,
            ping_ever: RunningQueue::ping_ever(&compiled, wakes_for_pairs),
            strip_rules: RunningQueue::strip_rules(&compiled, &geometry),
            unindexed: Vec::new(),
            may_stay_unindexed: false,
            choice: Choice::of(&compiled),
            has_short_deadlines: false,
            compiled,
            tickets,
            waiting: Vec::new(),
            passed: 0,
            swept: 0,
            due: Vec::new(),
            spans: Vec::new(),
            reached: Vec::new(),
            late: Vec::new(),
            arrivals: Vec::new(),
            standings: Vec::new(),
            geometry,
            shards: Shards::default(),
            has_shard: false,
            deadlines: Timers::default(),
            own_deadlines: Sparse::new(NEVER),
            activations: Timers::default(),
            activation_at: Sparse::new(NEVER),
            values: Vec::new(),
            regions: Arc::default(),
            up: u64::MAX,
            is_suspended: false,
            fresh: Vec::new(),
            all_due: false,
            wake_all: false,
            sleepy: Vec::new(),
            wakes: Timers::default(),
            wake_at: Sparse::new(NEVER),
            reaches: Sparse::new((NEVER, i64::MIN)),
            meets: Sparse::new((0, 0)),
            visited: None,
            pass_began_in: 0,
            pass_went_on_in: 0,
            is_open: false,
            newest_enqueued: Millis(0),
            backdated: 0,
            in_order: true,
            departures: 0,
            outlook: Outlook::default(),
            searcher: Searcher::new(search_nodes),
            states: States::default(),
            key: Vec::new(),
            ids: Vec::new(),
            tally: Tally::new(id),
            drawn_from: 0,
        }
    }

    /// Takes a ticket in, at the time of the tick; says in which row.
    pub fn take_in(&mut self, arrival: &Arrival<'_>, now: Millis) -> u32 {
        let Arrival { id, seniority, deadline, values } = *arrival;
        let row = self.tickets.insert(id, seniority, values);
        if self.standings.len() <= row as usize {
            room::grow(&mut self.standings);
            self.standings.resize(row as usize + 1, Standing::default());
        }
        let is_backdated = seniority.enqueued < self.newest_enqueued;
        self.newest_enqueued = self.newest_enqueued.max(seniority.enqueued);
        self.backdated += usize::from(is_backdated);
        let shard = self.shard_of(row);
        self.standings[row as usize] = Standing { is_live: true, shard, is_backdated, ..Standing::default() };
        if self.arrivals.is_empty() && self.waiting.last().is_none_or(|last| last.0 < seniority) {
            room::grow(&mut self.waiting);
            self.waiting.push((seniority, row));
        } else {
            self.arrivals.push((seniority, row));
        }
        if deadline != self.deadline_of_queue(seniority.enqueued) {
            self.set_own_deadline(row, deadline);
        }
        self.activate(row, now);
        self.freshen(row);
        if is_backdated {
            self.came_late(row);
        }
        row
    }

    /// Replaces a ticket's values and deadline.
    pub fn update(&mut self, row: u32, values: &TicketValues, deadline: Option<Millis>, now: Millis) {
        if !self.standings[row as usize].is_live {
            return;
        }
        self.deactivate(row);
        self.tickets.update(row, values);
        let shard = self.shard_of(row);
        self.standings[row as usize].shard = shard;
        if self.deadline(row) != deadline {
            self.set_own_deadline(row, deadline);
        }
        self.activate(row, now);
        self.freshen(row);
        self.came_late(row);
    }

    /// Lets a ticket leave.
    pub fn remove(&mut self, row: u32) {
        self.withdraw(row);
        self.tickets.remove(row);
    }

    /// Takes a ticket out of all searches; its row stays until `remove`.
    pub(super) fn withdraw(&mut self, row: u32) {
        self.departures += 1;
        self.deactivate(row);
        let standing = &mut self.standings[row as usize];
        if std::mem::take(&mut standing.is_live) && standing.is_backdated {
            self.backdated -= 1;
        }
    }

    /// The regions' names and order have changed, or which of them are up.
    pub fn set_regions(&mut self, regions: Arc<RegionOrder>, up: u64) {
        self.all_due |= up & !self.up != 0;
        self.wake_all |= self.all_due && self.wakes_for_pairs;
        self.regions = regions;
        self.up = up;
    }

    /// Suspends or opens the queue.
    pub fn set_suspended(&mut self, suspended: bool) {
        self.is_suspended = suspended;
        self.all_due = true;
    }

    /// All tickets, in no order that matters.
    pub fn all(&self) -> impl Iterator<Item = (u32, u64, TicketId)> + '_ {
        let rows = self.waiting.iter().chain(&self.arrivals);
        let live = rows.filter(|&&(seniority, row)| self.holds(seniority, row));
        live.map(|&(seniority, row)| (row, seniority.submit_number, self.tickets.id(row)))
    }

    /// Whether `row` still holds the live ticket of that seniority.
    pub(super) fn holds(&self, seniority: Seniority, row: u32) -> bool {
        self.standings[row as usize].is_live && self.tickets.submit_number(row) == seniority.submit_number
    }

    /// Puts the tickets that have come out of order where they belong.
    pub(super) fn merge_arrivals(&mut self) {
        if self.arrivals.is_empty() {
            return;
        }
        self.arrivals.sort_unstable();
        // Only those that are not older than the oldest arrival need to make room.
        let from = match self.waiting.last() >= self.arrivals.first() {
            true => self.waiting.partition_point(|&waiting| Some(&waiting) < self.arrivals.first()),
            false => self.waiting.len(),
        };
        let in_order = from == self.waiting.len();
        room::append(&mut self.waiting, &mut self.arrivals);
        if !in_order {
            self.waiting[from..].sort_unstable();
            // A ticket that was put back may stand in its old row, and its old entry beside the new one.
            let mut kept = from;
            for at in from + 1..self.waiting.len() {
                if self.waiting[at] != self.waiting[kept] {
                    kept += 1;
                    self.waiting[kept] = self.waiting[at];
                }
            }
            self.waiting.truncate(kept + 1);
        }
        (self.passed, self.swept) = (self.passed.min(from), self.swept.min(from));
    }

    /// Makes the queue ready for a pass at `now`: arrivals in order, regions that came into windows.
    pub(super) fn prepare_pass(&mut self, now: Millis) {
        self.states.begin(&self.compiled, self.tickets.row_end(), now);
        while let Some(timer) = self.activations.take_due(now) {
            if is_set(&self.tickets, &self.standings, &timer, |row| self.activation(row)) {
                let was_active = self.standings[timer.row as usize].is_active;
                self.deactivate(timer.row);
                self.activate(timer.row, now);
                self.freshen(timer.row);
                if !was_active {
                    self.came_late(timer.row);
                }
            }
        }
        while let Some(timer) = self.wakes.take_due(now) {
            if is_set(&self.tickets, &self.standings, &timer, |row| self.wake(row)) {
                self.wake_up(timer.row, now);
            }
        }
        self.merge_arrivals();
        self.sample_pairs(now);
    }

    /// Sweeps out what has left, once a pass has ended.
    pub(super) fn tidy(&mut self) {
        let (tickets, standings) = (&self.tickets, &self.standings);
        let holds = |seniority: Seniority, row: u32| {
            standings[row as usize].is_live && tickets.submit_number(row) == seniority.submit_number
        };
        let live = tickets.len();
        // Only once the greater part has left: so that costs a ticket that leaves little, and a pass nothing.
        if self.waiting.len() > SWEPT_FROM + 2 * live {
            self.waiting.retain(|&(seniority, row)| holds(seniority, row));
            self.passed = 0;
            self.swept = self.waiting.len();
        }
        // Who leaves has mostly come just before: so who has waited for long is not gone through for a flow of others.
        if self.waiting.len() > SWEPT_FROM + self.swept {
            let mut kept = self.swept;
            for at in self.swept..self.waiting.len() {
                let (seniority, row) = self.waiting[at];
                self.waiting[kept] = (seniority, row);
                kept += usize::from(holds(seniority, row));
            }
            self.waiting.truncate(kept);
            self.passed = self.passed.min(self.swept);
            self.swept = kept;
        }
        let at = |is_kept: bool, at: &Sparse<Millis>, row: u32| is_kept.then(|| at.get(row));
        let ends = |row: u32| at(standings[row as usize].has_own_deadline, &self.own_deadlines, row);
        self.deadlines.tidy(live, |timer| is_set(tickets, standings, timer, ends));
        let activation = |row: u32| at(standings[row as usize].has_activation, &self.activation_at, row);
        self.activations.tidy(live, |timer| is_set(tickets, standings, timer, activation));
        let wake = |row: u32| at(standings[row as usize].has_wake, &self.wake_at, row);
        self.wakes.tidy(live, |timer| is_set(tickets, standings, timer, wake));
        let waiting = self.waiting.iter().filter(|&&(seniority, row)| holds(seniority, row));
        let named = waiting.map(|&(_, row)| standings[row as usize].shard);
        self.shards.tidy(&self.geometry, live, named);
    }

    /// Finds and commits the match of one anchor, if it has one. `ahead`: the search that was made before its turn.
    /// Returns the steps taken.
    pub(super) fn visit(
        &mut self,
        row: u32,
        now: Millis,
        commits: Commits<'_>,
        outcome: &mut Outcome,
        mut ahead: Option<&mut Ahead>,
        mut left: impl FnMut(TicketId),
    ) -> u64 {
        let mut steps = 0;
        while self.standings[row as usize].is_live && self.standings[row as usize].is_active {
            if !ahead.take().is_some_and(|ahead| self.adopt(ahead)) {
                view_of!(self, now).find(&mut self.searcher, &mut self.states, row, None);
            }
            let found = &self.searcher.search.found;
            steps += found.steps;
            outcome.searches_cut_off += u64::from(!found.exhaustive);
            self.tally.searches_cut_off += u64::from(!found.exhaustive);
            for &met in &found.met {
                self.standings[row as usize].had_partner = true;
                self.standings[met as usize].had_partner = true;
            }
            self.standings[row as usize].is_settled = found.exhaustive && !found.best.is_some();
            if !found.best.is_some() {
                break;
            }
            self.ids.clear();
            self.ids.extend(found.best.rows.iter().map(|&row| self.tickets.id(row)));
            let (of, others) = (MatchId(self.tickets.id(row)), outcome.elsewhere.len());
            match commits.commit(self.id, of, &self.ids, &mut outcome.elsewhere) {
                Ok(()) => {
                    self.report(row, outcome.elsewhere.len() - others, &self.searcher.measured, outcome);
                    for at in 0..self.ids.len() {
                        let row = self.searcher.search.found.best.rows[at];
                        left(self.tickets.id(row));
                        outcome.ledger.leave(&self.departure(row, now, None));
                        self.remove(row);
                    }
                }
                Err(gone) => {
                    // Cancelled since the tick began: the anchor searches again without it.
                    let rows = &self.searcher.search.found.best.rows;
                    if let Some(&row) = rows.iter().find(|&&row| self.tickets.id(row) == gone) {
                        self.withdraw(row);
                    }
                }
            }
        }
        self.tally.steps += steps;
        steps
    }

    /// What searches read, at the time of the tick.
    pub(super) fn view(&self, now: Millis) -> View<'_> {
        view_of!(self, now)
    }

    /// Whether an anchor could have a match that it had not at the end of the last pass.
    pub(super) fn is_due(&mut self, row: u32, now: Millis) -> bool {
        view_of!(self, now).is_due(&mut self.states, row, |_| false)
    }

    /// Writes a match that a search has found and measured, with which so many tickets of other queues have ended.
    pub(super) fn report(&self, row: u32, others: usize, measured: &Measured, outcome: &mut Outcome) {
        let Measured { rows, positions, regions, quality } = measured;
        let region = regions.first().copied();
        outcome.ledger.make(self.id, region);
        outcome.matches.push(MatchFound {
            queue: self.id,
            oldest: self.tickets.id(row),
            rank: match self.compiled.spec.selection {
                Selection::OldestFirst => Seniority::default(),
                Selection::LeastCost => self.tickets.seniority(row),
            },
            region,
            region_count: regions.len() as u32,
            ticket_count: rows.len() as u32,
            elsewhere_count: others as u32,
            quality: *quality,
        });
        outcome.regions.extend_from_slice(regions);
        outcome.placements.extend(rows.iter().zip(positions).map(|(&row, &position)| Placement {
            id: self.tickets.id(row),
            position,
            ping_ms: region.map(|region| Fixed::from_micros(self.tickets.ping(row, u32::from(region)))),
        }));
    }
}

/// Whether a timer is the one that its ticket, which still waits, has set last.
pub(super) fn is_set(
    tickets: &Tickets,
    standings: &[Standing],
    timer: &Timer,
    last: impl Fn(u32) -> Option<Millis>,
) -> bool {
    let row = timer.row;
    tickets.submit_number(row) == timer.submit_number
        && standings[row as usize].is_live
        && last(row) == Some(timer.at)
}
