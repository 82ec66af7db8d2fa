//! What a tick takes in: the calls since the last one, in their order, and what it then knows of each ticket.
//!
//! Part of the tick; one thread. Submit numbers are given here, so they follow the order of the list of calls.
//! Invariant: for each ticket in a running queue the version that searches read is kept, with the texts and the
//! regions that it counts on, until the ticket has left.

use super::calls::{Arrived, Call, Origin, Timed};
use super::door::Door;
use super::down::DownRegions;
use super::filling::{Filling, Recipe};
use super::forming_list::FormingList;
use super::log::Log;
use super::queues::DoorQueue;
use super::submit::deadline;
use super::taken::{PLAIN, TakenIn};
use super::ticket::{Ticket, Took, Version};
use crate::base::room;
use crate::base::shelf::Ref;
use crate::base::sync::Ordering;
use crate::claim::commit::WordState;
use crate::model::ids::{Millis, PlayerId, QueueId, Seniority, TicketId};
use crate::model::request::TicketRequest;
use crate::queue::elsewhere::Commits;
use crate::queue::matcher::{Input, Matcher};
use crate::queue::regions::{RegionHold, RegionOrder};
use crate::queue::running::Arrival;
use crate::store::strings::StringId;
use std::sync::Arc;

/// A queue, as the tick knows it.
struct Told {
    queue: Arc<DoorQueue>,
    /// What the matcher has heard of its regions.
    order: Arc<RegionOrder>,
    up: u64,
    /// How its plain tickets come to their values.
    recipe: Recipe,
}

/// Tickets that are looked at ahead. Chosen: so many that looks overlap, and few enough that what they found is still near.
const LOOKS_MAX: usize = 32;

/// What a tick knows between the calls and the searches.
#[derive(Default)]
pub(super) struct Intake {
    calls: Vec<Timed>,
    /// Submits that were not published yet when a tick took their call: the next one looks again.
    early: Vec<Timed>,
    /// Forming tickets, likewise.
    early_forms: Vec<(TicketId, Arc<Version>)>,
    /// Updates of tickets whose last member has joined, by a call that is still under way: they wait for it.
    ahead: Vec<(TicketId, Arc<Version>, RegionHold)>,
    queues: Vec<Told>,
    /// The regions that are down, as of the calls taken so far.
    pub down: DownRegions,
    down_changed: bool,
    /// The tickets that running queues hold.
    taken: TakenIn,
    filling: Filling,
    pub forming: FormingList,
    log: Log,
    next_submit: u64,
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
                ticket.set_taken_in(true);
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
        for call in early.drain(..) {
            self.take(door, matcher, commits, call, now);
        }
        if self.early.is_empty() {
            self.early = early;
        }
        for (id, version) in std::mem::take(&mut self.early_forms) {
            self.form(door, id, version);
        }
        let mut looks = [const { None }; LOOKS_MAX];
        for some in calls.chunks_mut(LOOKS_MAX) {
            door.look_ahead(some, &mut looks);
            for ((at, call), look) in some.iter_mut().zip(&looks) {
                // Not moved: who reads at once what was moved in parts waits until it is in its place.
                if let Call::Come(id) = call {
                    self.come(door, matcher, commits, (*at, *id, look.as_ref()), now);
                } else {
                    let call = std::mem::replace(call, Call::Note(Box::default()));
                    self.take(door, matcher, commits, (*at, call), now);
                }
            }
            // Together: the end of a look waits until all that was written before is in its place.
            looks.fill_with(|| None);
        }
        calls.clear();
        self.ahead.retain(|&(id, ..)| door.claims.state(id) == WordState::Queued);
        room::empty(&mut calls);
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
        if !matches!(call, Call::Arrive(_) | Call::Come(_)) {
            self.log.call(door, at, &call);
        }
        match call {
            Call::AddQueue(queue) => {
                matcher.take_in(Input::AddQueue(queue.id, Arc::clone(&queue.compiled)), now, commits);
                let recipe = self.filling.recipe(door, &queue.compiled);
                self.queues.push(Told { queue, order: Arc::default(), up: u64::MAX, recipe });
            }
            Call::RemoveQueue(queue) => {
                let id = queue.id;
                matcher.take_in(Input::RemoveQueue(id), now, commits);
                if let Some(at) = self.queues.iter().position(|told| told.queue.id == id) {
                    let told = self.queues.remove(at);
                    self.filling.release_recipe(told.recipe);
                }
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
            Call::Come(id) => self.come(door, matcher, commits, (at, id, None), now),
            Call::Form(id, version) | Call::Join(id, version) => self.form(door, id, version),
            Call::Note(_) => {}
            Call::Leave(id, reason, _) => {
                self.forming.remove(id);
                matcher.take_in(Input::Leave(id, reason, at), now, commits);
                self.let_go(id, |_| ());
            }
            Call::Update(id, changed) => self.update(matcher, door, id, *changed, now),
        }
    }

    /// A plain ticket begins to wait. `look`: at it, if somebody has looked before.
    fn come(
        &mut self,
        door: &Door,
        matcher: &mut Matcher,
        commits: Commits<'_>,
        (at, id, look): (Millis, TicketId, Option<&Ref<'_, Ticket>>),
        now: Millis,
    ) {
        let state = door.claims.state(id);
        if state == WordState::Unpublished {
            self.early.push((at, Call::Come(id)));
            return;
        }
        let submit_number = self.next_number();
        // As in `arrive`.
        let own = if look.is_none() { door.ticket(id) } else { None };
        let Some(ticket) = look.or(own.as_ref()).filter(|_| state != WordState::NotFound) else { return };
        ticket.submit_number.store(submit_number, Ordering::Relaxed);
        ticket.set_taken_in(true);
        // Queues stand in the order of their ids, as they were added.
        let queue = ticket.queue.id;
        let Ok(told) = self.queues.binary_search_by_key(&queue, |told| told.queue.id) else {
            if commits.end(id) {
                matcher.outcome.removed.push((submit_number, id));
            }
            return;
        };
        self.taken.enter(id, PLAIN);
        self.taken.hold(id, ticket.take_hold(), queue);
        let enqueued = self.filling.fill_plain(door, ticket, &self.queues[told].recipe);
        let seniority = Seniority { enqueued, submit_number };
        let deadline = deadline(&ticket.queue.compiled, enqueued, None);
        let arrival = Arrival { id, seniority, deadline, values: &self.filling.values };
        matcher.take_in(Input::Arrive(queue, arrival), now, &*door.claims);
    }

    fn arrive(
        &mut self,
        door: &Door,
        matcher: &mut Matcher,
        commits: Commits<'_>,
        (at, arrived): (Millis, Box<Arrived>),
        now: Millis,
    ) {
        let id = arrived.id;
        let state = door.claims.state(id);
        if state == WordState::Unpublished {
            self.early.push((at, Call::Arrive(arrived)));
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
            ticket.set_taken_in(true);
        }
        // One that its host has ended meanwhile comes in all the same, and leaves by its own call; one whose end has
        // been polled and forgotten too, or that a tick has ended while its last join was under way, has only used its
        // number up.
        if state == WordState::NotFound || door.is_ended_by_tick(id) {
            return;
        }
        let Arrived { queue, mut version, mut hold, .. } = *arrived;
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
        let place = self.taken.take_place();
        self.taken.enter(id, place);
        let taken = self.taken.at(place);
        self.filling.fill(&version, &mut taken.strings);
        taken.version = Some(version);
        taken.hold = Some(hold);
        let arrival = Arrival { id, seniority, deadline, values: &self.filling.values };
        matcher.take_in(Input::Arrive(queue, arrival), now, commits);
    }

    fn update(
        &mut self,
        matcher: &mut Matcher,
        door: &Door,
        id: TicketId,
        (version, hold): (Arc<Version>, RegionHold),
        now: Millis,
    ) {
        let Some(place) = self.taken.place(id) else {
            // It may be that its submit is not published yet: then it comes in as it was changed.
            let is_it = |call: &Call| match call {
                Call::Arrive(early) => early.id == id,
                Call::Come(early) => *early == id,
                _ => false,
            };
            match self.early.iter_mut().map(|(_, call)| call).find(|call| is_it(call)) {
                Some(Call::Arrive(early)) if early.version.number < version.number => {
                    (early.version, early.hold) = (version, hold);
                }
                Some(Call::Arrive(_)) => {}
                Some(early) => {
                    let Some(queue) = door.ticket(id).map(|ticket| ticket.queue.id) else { return };
                    let arrived = Arrived { id, queue, version, hold, from: Origin::Submit };
                    *early = Call::Arrive(Box::new(arrived));
                }
                // Or that its last join, which made it wait, has not been pushed yet.
                None if door.claims.state(id) == WordState::Queued => self.ahead.push((id, version, hold)),
                None => {}
            }
            return;
        };
        // An update that a match or an end came before stays aside, for a requeue; and of two that came in at the
        // same time the later one holds both.
        let old = self.taken.version(place);
        if version.number <= old.map_or(0, |old| old.number) {
            return;
        }
        let deadline = version.deadline;
        let place = if place == PLAIN { self.taken.take_place() } else { place };
        self.taken.enter(id, place);
        let taken = self.taken.at(place);
        std::mem::swap(&mut taken.strings, &mut self.old_strings);
        self.filling.fill(&version, &mut taken.strings);
        // Given up only now, so that a text that stays keeps its number.
        for string in self.old_strings.drain(..) {
            self.filling.release(string);
        }
        taken.version = Some(version);
        // Replaced after the matcher has let the old values go.
        let old_hold = taken.hold.replace(hold);
        matcher.take_in(Input::Update(id, &self.filling.values, deadline), now, &*door.claims);
        drop(old_hold);
        self.release_plain(id);
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
        if is_old || self.taken.place(id).is_some() || ticket.is_over() {
            return;
        }
        ticket.set_taken_in(true);
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
                Call::Leave(id, reason, Some(departed)) => Some((*at, *id, *reason, **departed)),
                _ => None,
            })
        };
        let met = || leaves().filter(|(.., departed)| departed.in_tick.is_some());
        let own = events.len();
        events.extend(met().map(|(_, id, ..)| id.0));
        events.rotate_left(own);
        events.extend(leaves().filter(|(.., departed)| departed.in_tick.is_none()).map(|(_, id, ..)| id.0));
        self.log.tick(door, now, budget, met());
    }

    fn next_number(&mut self) -> u64 {
        self.next_submit += 1;
        self.next_submit - 1
    }

    /// Lets the regions of a plain ticket go.
    fn release_plain(&mut self, id: TicketId) {
        let (held, of) = self.taken.take_hold(id);
        // The regions of a queue that is gone are gone, too.
        let told = self.queues.iter().find(|told| held != 0 && told.queue.id == of);
        if let Some(told) = told {
            told.queue.regions.release(held);
        }
    }

    /// Forgets a ticket that has left; `then` is given what was taken in of it.
    pub(super) fn let_go(&mut self, id: TicketId, then: impl FnOnce(Took)) {
        let Some(place) = self.taken.place(id) else { return then(Took::Nothing) };
        self.taken.leave(id);
        if place == PLAIN {
            then(Took::Plain);
            return self.release_plain(id);
        }
        let taken = self.taken.at(place);
        for string in taken.strings.drain(..) {
            self.filling.release(string);
        }
        let (version, hold) = (taken.version.take(), taken.hold.take());
        self.taken.give_place(place);
        then(version.map_or(Took::Plain, Took::Version));
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

    /// Hands on what a ticket that a running queue holds asks for, as it was taken in.
    pub(super) fn read_request(&self, door: &Door, id: TicketId, read: &mut dyn FnMut(&TicketRequest)) {
        let Some(place) = self.taken.place(id) else { return };
        match self.taken.version(place) {
            Some(version) => read(&version.request),
            None => {
                if let Some(ticket) = door.ticket(id) {
                    read(&door.told_plain(&ticket).request());
                }
            }
        }
    }

    /// The queues, in the order in which they were added.
    pub(super) fn queue_ids(&self) -> impl Iterator<Item = QueueId> {
        self.queues.iter().map(|told| told.queue.id)
    }

    /// Whether the tick has taken the ticket in with that player and it has not expired at `now`.
    pub(super) fn knows(&self, id: TicketId, player: PlayerId, now: Millis) -> bool {
        self.taken.place(id).is_some() || self.forming.awaits_with(id, player, now)
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
}

impl Door {
    /// Looks at the plain tickets among the next calls and at their words, a place for each call: so that they do not wait
    /// for memory in turn.
    fn look_ahead<'a>(&'a self, calls: &[Timed], looks: &mut [Option<Ref<'a, Ticket>>; LOOKS_MAX]) {
        let come = |(_, call): &Timed| match call {
            Call::Come(id) => Some(*id),
            _ => None,
        };
        self.tickets.prefetch(calls.iter().filter_map(come).map(TicketId::slot));
        self.claims.prefetch(calls.iter().filter_map(come));
        let found = calls.iter().map(|call| self.ticket(come(call)?));
        looks.iter_mut().zip(found).for_each(|(look, found)| *look = found);
        self.bodies.prefetch(looks.iter().flatten().map(|ticket| ticket.plain.run));
    }
}

impl Version {
    /// Its place in the order of waiting.
    pub(super) fn seniority(&self, submit_number: u64) -> Seniority {
        Seniority { enqueued: self.enqueued, submit_number }
    }
}
