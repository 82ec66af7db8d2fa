//! What a tick takes in: the calls since the last one, in their order, and what it then knows of each ticket.
//!
//! Part of the tick; one thread. Submit numbers are given here, so they follow the order of the list of calls.
//! Invariant: for each ticket in a running queue the version that searches read is kept, with the texts and the
//! regions that it counts on, until the ticket has left.

use super::calls::{Arrived, Call, Origin, Timed};
use super::door::Door;
use super::down::DownRegions;
use super::forming_list::FormingList;
use super::log::Log;
use super::queues::DoorQueue;
use super::ticket::Version;
use crate::base::sync::Ordering;
use crate::claim::commit::WordState;
use crate::model::ids::{Millis, PlayerId, QueueId, Seniority, TicketId};
use crate::queue::elsewhere::Commits;
use crate::queue::matcher::{Input, Matcher};
use crate::queue::outcome::Placement;
use crate::queue::regions::{RegionHold, RegionOrder};
use crate::queue::running::Arrival;
use crate::store::strings::{StringId, Strings};
use crate::store::tickets::TicketValues;
use std::sync::Arc;

/// A ticket that a running queue holds.
#[derive(Default)]
struct Taken {
    version: Option<Arc<Version>>,
    hold: Option<RegionHold>,
    /// The texts of its values; the buffer serves the next ticket of the slot.
    strings: Vec<StringId>,
    id: u64,
    submit_number: u64,
}

/// A queue, as the tick knows it.
struct Told {
    queue: Arc<DoorQueue>,
    /// What the matcher has heard of its regions.
    order: Arc<RegionOrder>,
    up: u64,
}

/// What a tick knows between the calls and the searches.
#[derive(Default)]
pub(super) struct Intake {
    calls: Vec<Timed>,
    /// Submits that were not published yet when a tick took their call: the next one looks again.
    early: Vec<(Millis, Arrived)>,
    /// Forming tickets, likewise.
    early_forms: Vec<(TicketId, Arc<Version>)>,
    /// Updates of tickets whose last member has joined, by a call that is still under way: they wait for it.
    ahead: Vec<(TicketId, Arc<Version>, RegionHold)>,
    queues: Vec<Told>,
    /// The regions that are down, as of the calls taken so far.
    pub down: DownRegions,
    down_changed: bool,
    strings: Strings,
    /// By slot.
    taken: Vec<Taken>,
    pub forming: FormingList,
    log: Log,
    next_submit: u64,
    values: TicketValues,
    spare_lists: Vec<Vec<u32>>,
    old_strings: Vec<StringId>,
}

impl Intake {
    /// Fetches all calls; those that come later are for the next tick.
    pub(super) fn fetch_calls(&mut self, door: &Door) {
        door.ingress.take(&mut self.calls);
        if door.record.is_none() {
            return;
        }
        // Said before the turn ends, so that a cancel knows which side of the tick it stands on.
        for (_, call) in &self.calls {
            let id = match call {
                Call::Arrive(arrived) => arrived.id,
                Call::Form(id, _) => *id,
                _ => continue,
            };
            if let Some(ticket) = door.ticket(id) {
                ticket.is_taken_in.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Takes the calls in that were fetched. Queues that are removed end their tickets.
    pub(super) fn take_calls(
        &mut self,
        door: &Door,
        matcher: &mut Matcher,
        commits: Commits<'_>,
        now: Millis,
    ) {
        let mut early = std::mem::take(&mut self.early);
        let mut calls = std::mem::take(&mut self.calls);
        for (at, arrived) in early.drain(..) {
            self.arrive(door, matcher, commits, (at, arrived), now);
        }
        if self.early.is_empty() {
            self.early = early;
        }
        for (id, version) in std::mem::take(&mut self.early_forms) {
            self.form(door, id, version);
        }
        for call in calls.drain(..) {
            self.take(door, matcher, commits, call, now);
        }
        self.ahead.retain(|&(id, ..)| door.claims.state(id) == WordState::Queued);
        self.calls = calls;
        self.tell_regions(door, matcher, now);
    }

    fn take(
        &mut self,
        door: &Door,
        matcher: &mut Matcher,
        commits: Commits<'_>,
        (at, call): Timed,
        now: Millis,
    ) {
        if !matches!(call, Call::Arrive(_)) {
            self.log.call(door, at, &call);
        }
        match call {
            Call::AddQueue(queue) => {
                matcher.take_in(Input::AddQueue(queue.id, Arc::clone(&queue.compiled)), now, commits);
                let order = Arc::default();
                self.queues.push(Told { queue, order, up: u64::MAX });
            }
            Call::RemoveQueue(queue) => {
                let id = queue.id;
                matcher.take_in(Input::RemoveQueue(id), now, commits);
                self.queues.retain(|told| told.queue.id != id);
                self.forming.remove_queue(id);
            }
            Call::SuspendQueue(queue, suspended) => {
                matcher.take_in(Input::SuspendQueue(queue.id, suspended), now, commits);
            }
            Call::SetRegion(name, up) => {
                self.down.set(&name, up);
                self.down_changed = true;
            }
            Call::Arrive(arrived) => self.arrive(door, matcher, commits, (at, arrived), now),
            Call::Form(id, version) | Call::Join(id, version) => self.form(door, id, version),
            Call::Note(_) => {}
            Call::Leave(id, reason, _) => {
                self.forming.remove(id);
                matcher.take_in(Input::Leave(id, reason, at), now, commits);
                self.let_go(id, |_| ());
            }
            Call::Update(id, version, hold) => self.update(matcher, door, id, version, hold, now),
        }
    }

    fn arrive(
        &mut self,
        door: &Door,
        matcher: &mut Matcher,
        commits: Commits<'_>,
        (at, arrived): (Millis, Arrived),
        now: Millis,
    ) {
        let id = arrived.id;
        let state = door.claims.state(id);
        if state == WordState::Unpublished {
            self.early.push((at, arrived));
            return;
        }
        let call = Call::Arrive(arrived);
        self.log.call(door, at, &call);
        let Call::Arrive(arrived) = call else { return };
        self.forming.remove(id);
        let submit_number = match arrived.from {
            Origin::Match { submit_number, .. } => submit_number,
            Origin::Submit | Origin::Join => self.next_number(),
        };
        if let Some(ticket) = door.ticket(id) {
            ticket.submit_number.store(submit_number, Ordering::Relaxed);
            ticket.is_taken_in.store(true, Ordering::Relaxed);
        }
        // One that its host has ended meanwhile comes in all the same, and leaves by its own call; one whose end has
        // been polled and forgotten too, or that a tick has ended while its last join was under way, has only used its
        // number up.
        if state == WordState::NotFound || door.is_ended_by_tick(id) {
            return;
        }
        let slot = id.slot() as usize;
        if self.taken.len() <= slot {
            self.taken.resize_with((slot + 1).next_power_of_two(), Taken::default);
        }
        let Arrived { queue, mut version, mut hold, .. } = arrived;
        while let Some(at) = self.ahead.iter().position(|&(other, ..)| other == id) {
            let (_, ahead, ahead_hold) = self.ahead.swap_remove(at);
            if ahead.number > version.number {
                (version, hold) = (ahead, ahead_hold);
            }
        }
        if !self.queues.iter().any(|told| told.queue.id == queue) {
            // Its queue was removed while it was being submitted.
            if commits.end(id) {
                matcher.outcome.removed.push((submit_number, id));
            }
            return;
        }
        let (seniority, deadline) = (version.seniority(submit_number), version.deadline);
        self.fill_values(&version, slot);
        let taken = &mut self.taken[slot];
        taken.id = id.0;
        taken.submit_number = submit_number;
        taken.version = Some(version);
        taken.hold = Some(hold);
        let arrival = Arrival { id, seniority, deadline, values: &self.values };
        matcher.take_in(Input::Arrive(queue, arrival), now, commits);
    }

    fn update(
        &mut self,
        matcher: &mut Matcher,
        door: &Door,
        id: TicketId,
        version: Arc<Version>,
        hold: RegionHold,
        now: Millis,
    ) {
        let slot = id.slot() as usize;
        let Some(taken) = self.taken.get_mut(slot).filter(|taken| taken.id == id.0) else {
            // It may be that its submit is not published yet: then it comes in as it was changed.
            if let Some((_, early)) = self.early.iter_mut().find(|(_, early)| early.id == id) {
                if early.version.number < version.number {
                    (early.version, early.hold) = (version, hold);
                }
            } else if door.claims.state(id) == WordState::Queued {
                // Or that its last join, which made it wait, has not been pushed yet.
                self.ahead.push((id, version, hold));
            }
            return;
        };
        // An update that a match or an end came before stays aside, for a requeue; and of two that came in at the
        // same time the later one holds both.
        if taken.version.as_ref().is_none_or(|old| version.number <= old.number) {
            return;
        }
        let deadline = version.deadline;
        std::mem::swap(&mut taken.strings, &mut self.old_strings);
        self.fill_values(&version, slot);
        // Given up only now, so that a text that stays keeps its number.
        for string in self.old_strings.drain(..) {
            self.strings.release(string);
        }
        let taken = &mut self.taken[slot];
        taken.version = Some(version);
        // Replaced after the matcher has let the old values go.
        let old_hold = taken.hold.replace(hold);
        matcher.take_in(Input::Update(id, &self.values, deadline), now, &*door.claims);
        drop(old_hold);
    }

    /// A ticket forms, as it was at the call: whoever has joined since is heard of at the next tick.
    fn form(&mut self, door: &Door, id: TicketId, version: Arc<Version>) {
        let Some(ticket) = door.ticket(id) else { return };
        if door.claims.state(id) == WordState::Unpublished {
            // It cannot be ended yet: neither its time nor its queue's removal would be heard of.
            self.early_forms.push((id, version));
            return;
        }
        // Of two calls that came in at the same time the one of the later version holds both, and the last join
        // holds all.
        let is_old = self.forming.number_of(id).is_some_and(|number| number > version.number);
        if is_old || self.version(id).is_some() || ticket.terminal.get().is_some() {
            return;
        }
        ticket.is_taken_in.store(true, Ordering::Relaxed);
        if !self.forming.holds(id) {
            let submit_number = self.next_number();
            ticket.submit_number.store(submit_number, Ordering::Relaxed);
        }
        self.forming.set(ticket.submit_number(), id, ticket.queue.id, version);
        if !self.queues.iter().any(|told| told.queue.id == ticket.queue.id) {
            self.forming.remove_queue(ticket.queue.id);
        }
    }

    /// Whether calls are left for the next tick: a submit is still under way, or the record has taken them.
    pub(super) fn has_calls(&self) -> bool {
        !self.early.is_empty()
            || !self.early_forms.is_empty()
            || !self.ahead.is_empty()
            || !self.calls.is_empty()
    }

    /// Ends the tick in the record: the cancels that it has met stand before its line, and their events before and
    /// behind those of the tick in `events`.
    pub(super) fn close_record(&mut self, door: &Door, now: Millis, budget: u64, events: &mut Vec<u64>) {
        if door.record.is_none() {
            return;
        }
        // The next tick takes these in.
        door.ingress.take(&mut self.calls);
        let leaves = || {
            self.calls.iter().filter_map(|(at, call)| match call {
                Call::Leave(id, reason, claims) => Some((*at, *id, *reason, *claims)),
                _ => None,
            })
        };
        let met =
            || leaves().filter_map(|(at, id, reason, claims)| claims.map(|claims| (at, id, reason, claims)));
        let own = events.len();
        events.extend(met().map(|(_, id, ..)| id.0));
        events.rotate_left(own);
        events.extend(leaves().filter(|(.., claims)| claims.is_none()).map(|(_, id, ..)| id.0));
        self.log.tick(door, now, budget, met());
    }

    fn next_number(&mut self) -> u64 {
        self.next_submit += 1;
        self.next_submit - 1
    }

    /// The values of a version, with a number for each text; the numbers are held by the slot.
    fn fill_values(&mut self, version: &Version, slot: usize) {
        let held = &mut self.taken[slot].strings;
        held.clear();
        self.values.copy_all_but_lists(&version.values);
        // The buffers of the lists before serve these.
        self.spare_lists.extend(self.values.lists.drain(..).flatten());
        self.values.lists.resize(version.values.lists.len(), None);
        for (key, text) in &version.texts.keys {
            let id = self.strings.acquire(text);
            held.push(id);
            self.values.keys[*key] = i64::from(id.0);
        }
        for (list, texts) in &version.texts.lists {
            let mut ids = self.spare_lists.pop().unwrap_or_default();
            ids.clear();
            for text in texts {
                let id = self.strings.acquire(text);
                held.push(id);
                ids.push(id.0);
            }
            ids.sort_unstable();
            self.values.lists[*list] = Some(ids);
        }
    }

    /// Forgets a ticket that has left; `then` is given the version that was taken in.
    pub(super) fn let_go(&mut self, id: TicketId, then: impl FnOnce(Option<Arc<Version>>)) {
        let taken = self.taken.get_mut(id.slot() as usize).filter(|taken| taken.id == id.0);
        let Some(taken) = taken else { return then(None) };
        taken.id = 0;
        for string in taken.strings.drain(..) {
            self.strings.release(string);
        }
        let (version, hold) = (taken.version.take(), taken.hold.take());
        then(version);
        drop(hold);
    }

    /// Tells the matcher of regions that are new, or that are up or down since.
    fn tell_regions(&mut self, door: &Door, matcher: &mut Matcher, now: Millis) {
        for told in &mut self.queues {
            let order = told.queue.regions.order();
            let is_same = Arc::ptr_eq(&order, &told.order);
            // Without another name and another word on a region the mask is the same: not computed in vain.
            if is_same && !self.down_changed {
                continue;
            }
            let up = self.down.up_mask(&told.queue.regions);
            if is_same && told.up == up {
                continue;
            }
            (told.order, told.up) = (order, up);
            let input = Input::Regions(told.queue.id, Arc::clone(&told.order), up);
            matcher.take_in(input, now, &*door.claims);
        }
        self.down_changed = false;
    }

    /// What searches read of a ticket.
    pub(super) fn version(&self, id: TicketId) -> Option<&Version> {
        let taken = self.taken.get(id.slot() as usize).filter(|taken| taken.id == id.0)?;
        taken.version.as_deref()
    }

    /// The queues, in the order in which they were added.
    pub(super) fn queue_ids(&self) -> impl Iterator<Item = QueueId> {
        self.queues.iter().map(|told| told.queue.id)
    }

    /// Whether the tick has taken the ticket in with that player and it has not expired at `now`.
    pub(super) fn knows(&self, id: TicketId, player: PlayerId, now: Millis) -> bool {
        self.version(id).is_some() || self.forming.awaits_with(id, player, now)
    }

    /// The submit number of a ticket that the tick has taken in.
    pub(super) fn submit_number(&self, id: TicketId) -> Option<u64> {
        let taken = self.taken.get(id.slot() as usize).filter(|taken| taken.id == id.0);
        taken.map(|taken| taken.submit_number).or_else(|| self.forming.submit_number(id))
    }

    /// The names of every queue's regions, as the matcher has heard them, by queue.
    pub(super) fn orders(&self) -> impl Iterator<Item = (QueueId, &Arc<RegionOrder>)> + Clone {
        self.queues.iter().map(|told| (told.queue.id, &told.order))
    }

    /// The names of a queue's regions, as the matcher has heard them.
    pub(super) fn order(&self, queue: QueueId) -> Arc<RegionOrder> {
        let told = self.queues.iter().find(|told| told.queue.id == queue);
        told.map(|told| Arc::clone(&told.order)).unwrap_or_default()
    }

    /// The submit numbers of tickets that are being matched.
    pub(super) fn numbers(&self, placements: &[Placement]) -> Vec<(TicketId, u64)> {
        let number = |placed: &Placement| (placed.id, self.taken[placed.id.slot() as usize].submit_number);
        placements.iter().map(number).collect()
    }
}

impl Version {
    /// Its place in the order of waiting.
    pub(super) fn seniority(&self, submit_number: u64) -> Seniority {
        Seniority { enqueued: self.enqueued, submit_number }
    }
}
