//! The state behind the engine's calls: slots, players, queues by name, inputs for the next tick, events to poll.
//!
//! Held only for the length of one call, and by a tick only to take inputs and to hand over results, so no call
//! waits for a search. Invariant: `submitted = waiting + matched + ended` whenever the lock is free.

use super::events::Events;
use super::slot::{FormingKey, Held, Life, Slot};
use crate::claim::commit::{Claims, EndOutcome, WordState};
use crate::claim::players::Players;
use crate::model::codes::{Code, EndReason, Refusal};
use crate::model::ids::{MatchId, Millis, QueueId, TicketId};
use crate::model::limits::{REGIONS_MAX, STRING_BYTES_MAX, TIME_MS_MAX};
use crate::model::status::EndCounts;
use crate::queue::matcher::Input;
use crate::queue::regions::{RegionOrder, Regions, compared};
use crate::rules::check::Judge;
use crate::rules::compile::CompiledQueue;
use crate::rules::spec::RegionNames;
use crate::store::strings::Strings;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

/// Region names that are down, at most: so many that no host with 256 queues of 64 regions meets it.
const DOWN_MAX: usize = 256 * REGIONS_MAX;

/// One queue, as the door knows it.
pub(super) struct DoorQueue {
    /// Its id.
    pub id: QueueId,
    /// Its rules.
    pub compiled: Arc<CompiledQueue>,
    /// The judge of its matches, if they are to be judged.
    pub judge: Option<Judge>,
    /// Its name, shared with reports.
    pub name: Arc<str>,
    /// Its regions.
    pub regions: Regions,
    /// It takes no tickets.
    pub is_suspended: bool,
    /// What the last tick heard of its regions: names and order, and which are up.
    pub regions_told: Option<(Arc<RegionOrder>, u64)>,
    /// Tickets that wait.
    pub waiting: u64,
    /// Tickets whose event was not polled.
    pub unpolled: u64,
    /// Matches made.
    pub matches: u64,
}

/// Counts of the engine.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counters {
    pub submitted: u64,
    pub refused: u64,
    pub matched: u64,
    pub ended: u64,
    pub ended_by_reason: EndCounts,
    pub waiting: u64,
    pub matches: u64,
    pub starved: u64,
    pub searches_cut_off: u64,
    pub steps: u64,
    pub ticks: u64,
}

/// Everything behind the calls but the searches.
pub(super) struct Door {
    pub capacity: u32,
    pub retained_max: u32,
    pub check_matches: bool,
    pub now: Millis,
    pub is_closed: bool,
    pub slots: Vec<Option<Box<Slot>>>,
    pub players: Players,
    pub strings: Strings,
    /// The queues that exist, in the order in which they were added.
    pub queues: Vec<DoorQueue>,
    /// Queues that were removed but still have events to poll.
    pub removed_queues: Vec<DoorQueue>,
    pub next_queue: u32,
    pub next_submit: u64,
    pub inbox: Vec<Input>,
    /// Tickets that wait for members, by deadline.
    pub forming: BTreeSet<FormingKey>,
    /// What tickets held that have left, until the tick has let them go.
    pub to_release: Vec<(QueueId, Held)>,
    pub events: Events,
    /// Tickets whose event was polled, oldest first.
    pub retained: VecDeque<TicketId>,
    /// Regions that are down, as they were named, and with their case folded.
    pub down_exact: Vec<String>,
    pub down_folded: Vec<String>,
    /// That has changed since the last tick.
    pub down_changed: bool,
    pub counters: Counters,
    /// When a tick could next change anything, as the last one found.
    pub due: Option<Millis>,
}

impl Door {
    /// An empty engine.
    pub(super) fn new(capacity: u32, retained_max: u32, check_matches: bool) -> Door {
        Door {
            capacity,
            retained_max,
            check_matches,
            now: Millis(0),
            is_closed: false,
            slots: Vec::new(),
            players: Players::new(),
            strings: Strings::new(),
            queues: Vec::new(),
            removed_queues: Vec::new(),
            next_queue: 0,
            next_submit: 0,
            inbox: Vec::new(),
            forming: BTreeSet::new(),
            to_release: Vec::new(),
            events: Events::default(),
            retained: VecDeque::new(),
            down_exact: Vec::new(),
            down_folded: Vec::new(),
            down_changed: false,
            counters: Counters::default(),
            due: None,
        }
    }

    /// Moves engine time to `now`, if that is later; refuses times out of range, and every call once closed.
    pub(super) fn enter(&mut self, now: Millis) -> Result<(), Refusal> {
        if self.is_closed {
            return Err(Refusal::new(Code::EngineClosed, "the engine has been closed"));
        }
        if now.0 > TIME_MS_MAX {
            return Err(Refusal::invalid_time(now));
        }
        self.now = self.now.max(now);
        Ok(())
    }

    /// The queue of that id.
    pub(super) fn queue_mut(&mut self, id: QueueId) -> Result<&mut DoorQueue, Refusal> {
        let unknown = || Refusal::new(Code::UnknownQueue, format!("no queue has the id {}", id.0));
        self.queues.iter_mut().find(|queue| queue.id == id).ok_or_else(unknown)
    }

    /// The queue of that id, even if it was removed and has events left.
    pub(super) fn any_queue(&self, id: QueueId) -> Option<&DoorQueue> {
        self.queues.iter().chain(&self.removed_queues).find(|queue| queue.id == id)
    }

    pub(super) fn any_queue_mut(&mut self, id: QueueId) -> Option<&mut DoorQueue> {
        self.queues.iter_mut().chain(&mut self.removed_queues).find(|queue| queue.id == id)
    }

    /// The ticket of that id, live or retained.
    pub(super) fn slot(&self, id: TicketId) -> Option<&Slot> {
        self.slots.get(id.slot() as usize)?.as_deref().filter(|slot| slot.id == id)
    }

    pub(super) fn slot_mut(&mut self, id: TicketId) -> Option<&mut Slot> {
        self.slots.get_mut(id.slot() as usize)?.as_deref_mut().filter(|slot| slot.id == id)
    }

    /// Ends a ticket for its host.
    pub(super) fn end(&mut self, claims: &Claims, id: TicketId, reason: EndReason) -> Result<(), Refusal> {
        match claims.end(id) {
            EndOutcome::Ended => {
                let now = self.now;
                self.inbox.push(Input::Leave(id, reason, now));
                self.finish(id, Life::Ended(reason, now), false);
                Ok(())
            }
            EndOutcome::AlreadyMatched(of) => Err(already_matched(of)),
            EndOutcome::NotFound => Err(Refusal::new(Code::NotFound, "no such ticket waits")),
        }
    }

    /// Writes a ticket's terminal event. `by_tick`: a tick did it, so an update that it had not taken in is lost.
    pub(super) fn finish(&mut self, id: TicketId, life: Life, by_tick: bool) {
        let Some(slot) = self.slots.get_mut(id.slot() as usize).and_then(Option::as_deref_mut) else {
            return;
        };
        if slot.life == Life::Forming {
            self.forming.remove(&slot.forming_key());
        }
        slot.life = life;
        let update_lost = by_tick && slot.pending.is_some();
        self.to_release.push((slot.queue, std::mem::take(&mut slot.held)));
        if let Some(pending) = &mut slot.pending {
            self.to_release.push((slot.queue, std::mem::take(&mut pending.held)));
        }
        for player in &slot.request.players {
            self.players.release(player.id, id);
        }
        let queue = slot.queue;
        self.counters.waiting -= 1;
        if let Some(queue) = self.any_queue_mut(queue) {
            queue.waiting -= 1;
            queue.unpolled += 1;
        }
        match life {
            Life::Ended(reason, at) => {
                self.counters.ended += 1;
                self.counters.ended_by_reason.count(reason);
                self.events.push_ended(id, at, reason, update_lost);
            }
            Life::Matched(..) => self.counters.matched += 1,
            Life::Forming | Life::Queued => {}
        }
    }

    /// Says that a region is up or down.
    pub(super) fn set_region(&mut self, region: &str, up: bool) -> Result<(), Refusal> {
        if region.len() > STRING_BYTES_MAX {
            let detail = format!("a region name of {} bytes, at most {STRING_BYTES_MAX}", region.len());
            return Err(Refusal::new(Code::TooManyBytes, detail));
        }
        if !up && self.down_exact.len() >= DOWN_MAX {
            return Err(Refusal::new(Code::TooManyRegions, format!("{DOWN_MAX} regions are down already")));
        }
        // Queues compare names in two ways, and for each the last word on a name counts.
        let folded = compared(region, RegionNames::FoldCase);
        for (down, name) in [(&mut self.down_exact, region), (&mut self.down_folded, &*folded)] {
            down.retain(|other| other != name);
            if !up {
                down.push(name.to_owned());
            }
        }
        self.down_changed = true;
        Ok(())
    }

    /// The regions that are down for queues that compare names so.
    pub(super) fn down(&self, how: RegionNames) -> &[String] {
        match how {
            RegionNames::Exact => &self.down_exact,
            RegionNames::FoldCase => &self.down_folded,
        }
    }

    /// The regions of a queue that are up, as a bit mask.
    pub(super) fn up_mask(&self, queue: &DoorQueue) -> u64 {
        let numbers = self.down(queue.regions.how()).iter().filter_map(|down| queue.regions.find(down));
        numbers.fold(u64::MAX, |mask, number| mask & !(1 << number))
    }

    /// Gives back what tickets held that a tick has let go; returns the emptied buffer.
    pub(super) fn release(&mut self, mut held: Vec<(QueueId, Held)>) -> Vec<(QueueId, Held)> {
        for (id, held) in held.drain(..) {
            for string in held.strings {
                self.strings.release(string);
            }
            if let Some(queue) = self.any_queue_mut(id) {
                queue.regions.release(held.region_mask);
            }
        }
        held
    }

    /// Frees the slot of a ticket that is no longer retained.
    pub(super) fn free(&mut self, claims: &Claims, id: TicketId) {
        if let Some(slot) = self.slots.get_mut(id.slot() as usize) {
            *slot = None;
        }
        claims.free(id);
    }
}

/// Whether a ticket still waits.
pub(super) fn is_live(claims: &Claims, ticket: TicketId) -> bool {
    matches!(claims.state(ticket), WordState::Queued | WordState::Unpublished)
}

/// The answer to a call that came too late.
pub(super) fn already_matched(of: MatchId) -> Refusal {
    let detail = format!("the ticket is in match {:016x}", of.0.0);
    Refusal { in_match: Some(of), ..Refusal::new(Code::AlreadyMatched, detail) }
}
