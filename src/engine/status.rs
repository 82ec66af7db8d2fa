//! What the engine says of one ticket, and of itself, when asked.
//!
//! Read from the door's own state, so no call waits for a tick. Windows are those of the engine's current time.

use super::door::{Door, DoorQueue};
use super::slot::{Life, Slot};
use crate::base::fixed::Fixed;
use crate::claim::commit::Claims;
use crate::model::codes::{Code, EndReason, Refusal};
use crate::model::ids::{Millis, TicketId};
use crate::model::limits::REGIONS_MAX;
use crate::model::status::{QueueStats, Stats, TicketState, TicketStatus, WaitingFor, WindowStatus};
use crate::rules::compile::{CompiledQueue, Kind};
use crate::rules::spec::IndexChoice;
use std::sync::Arc;

impl Door {
    /// One ticket, live or retained.
    pub(super) fn ticket_status(&self, id: TicketId) -> Result<TicketStatus, Refusal> {
        let not_found = || Refusal::new(Code::NotFound, "no such ticket is live or retained");
        let slot = self.slot(id).ok_or_else(not_found)?;
        let (state, until) = match slot.life {
            // Its wait has not begun.
            Life::Forming => (TicketState::Forming, slot.seniority.enqueued),
            Life::Queued => (TicketState::Queued, self.now),
            Life::Matched(of, at) => (TicketState::Matched(of), at),
            Life::Ended(reason, at) => (TicketState::Ended(reason), at),
        };
        let mut status = TicketStatus {
            id,
            queue: slot.queue,
            user_data: slot.request.user_data,
            state,
            age: until.since(slot.seniority.enqueued),
            attempts: slot.attempts,
            prefer_full_left: Millis(0),
            timeout_left: None,
            windows: Vec::new(),
            regions: Vec::new(),
            waiting_for: None,
        };
        if let (TicketState::Queued, Some(queue)) = (state, self.any_queue(slot.queue)) {
            self.add_waiting(&mut status, slot, queue);
        }
        if state == TicketState::Forming {
            status.timeout_left = slot.deadline.map(|deadline| deadline.since(self.now));
            status.waiting_for = Some(WaitingFor::Members);
        }
        Ok(status)
    }

    fn add_waiting(&self, status: &mut TicketStatus, slot: &Slot, queue: &DoorQueue) {
        let spec = &queue.compiled.spec;
        status.prefer_full_left = spec.prefer_full_for.since(status.age);
        status.timeout_left = slot.deadline.map(|deadline| deadline.since(self.now));
        status.windows = windows(&queue.compiled, status.age);
        let within = regions_within(&queue.compiled, slot, status.age);
        let up = self.up_mask(queue);
        let order = queue.regions.order();
        let mut regions: Vec<(i64, u8, u8)> = within
            .iter()
            .filter(|&&(region, _)| up >> region & 1 == 1)
            .map(|&(region, ping)| (ping, order.rank[region as usize], region))
            .collect();
        regions.sort_unstable();
        let named = |&(ping, _, region): &(i64, u8, u8)| {
            order.names[region as usize].clone().map(|name| (name, Fixed::from_micros(ping)))
        };
        status.regions = regions.iter().filter_map(named).collect();
        let has_region_rule = queue.compiled.region_rule.is_some();
        status.waiting_for = Some(if queue.is_suspended {
            WaitingFor::QueueResumed
        } else if !slot.is_taken_in {
            WaitingFor::Tick
        } else if has_region_rule && within.is_empty() {
            WaitingFor::PingWindow
        } else if has_region_rule && regions.is_empty() {
            WaitingFor::RegionUp
        } else if status.prefer_full_left > Millis(0) {
            WaitingFor::FullMatch
        } else {
            WaitingFor::Partners
        });
    }

    /// Ends every ticket.
    pub(super) fn close(&mut self, claims: &Claims) {
        let mut live: Vec<(u64, TicketId)> = self
            .slots
            .iter()
            .flatten()
            .filter(|slot| matches!(slot.life, Life::Queued | Life::Forming))
            .map(|slot| (slot.seniority.submit_number, slot.id))
            .collect();
        live.sort_unstable();
        for (_, id) in live {
            let ended = self.end(claims, id, EndReason::EngineClosed);
            debug_assert!(ended.is_ok(), "a waiting ticket could not be ended");
        }
        self.inbox.clear();
        self.is_closed = true;
    }

    /// Counts since the start, and now.
    pub(super) fn stats(&self) -> Stats {
        let counters = &self.counters;
        Stats {
            capacity: self.capacity,
            retained_max: self.retained_max,
            submitted: counters.submitted,
            refused: counters.refused,
            matched: counters.matched,
            ended: counters.ended,
            waiting: counters.waiting,
            forming: self.forming.len() as u64,
            unpolled: self.events.tickets(),
            matches: counters.matches,
            starved: counters.starved,
            searches_cut_off: counters.searches_cut_off,
            steps: counters.steps,
            ticks: counters.ticks,
            queues: self.queue_stats(),
        }
    }

    /// Every queue, by one walk over the slots.
    fn queue_stats(&self) -> Vec<QueueStats> {
        let mut tallies: Vec<Tally> =
            self.queues.iter().map(|queue| Tally { up: self.up_mask(queue), ..Tally::default() }).collect();
        for slot in self.slots.iter().flatten().filter(|slot| slot.life == Life::Queued) {
            // Queues stand in the order of their ids; those of a removed one are not among them.
            let Ok(at) = self.queues.binary_search_by_key(&slot.queue, |queue| queue.id) else { continue };
            tallies[at].add(&self.queues[at].compiled, slot, self.now);
        }
        self.queues.iter().zip(tallies).map(|(queue, tally)| tally.into_stats(queue)).collect()
    }
}

/// What a walk over the slots has counted of one queue.
struct Tally {
    players: u64,
    oldest_age: Millis,
    /// Tickets and players by region number.
    regions: [(u64, u64); REGIONS_MAX],
    /// The regions that are up.
    up: u64,
}

impl Default for Tally {
    fn default() -> Tally {
        Tally { players: 0, oldest_age: Millis(0), regions: [(0, 0); REGIONS_MAX], up: u64::MAX }
    }
}

impl Tally {
    fn add(&mut self, queue: &CompiledQueue, slot: &Slot, now: Millis) {
        let players = slot.request.players.len() as u64;
        let age = now.since(slot.seniority.enqueued);
        self.players += players;
        self.oldest_age = self.oldest_age.max(age);
        for (region, _) in regions_within(queue, slot, age) {
            if self.up >> region & 1 == 1 {
                let (tickets_there, players_there) = &mut self.regions[region as usize];
                *tickets_there += 1;
                *players_there += players;
            }
        }
    }

    fn into_stats(self, queue: &DoorQueue) -> QueueStats {
        let order = queue.regions.order();
        let mut regions: Vec<(u8, Arc<str>, u64, u64)> = (0..REGIONS_MAX)
            .filter_map(|region| order.names[region].clone().map(|name| (region, name)))
            .map(|(region, name)| (order.rank[region], name, self.regions[region].0, self.regions[region].1))
            .collect();
        regions.sort_unstable();
        QueueStats {
            queue: queue.id,
            name: Arc::clone(&queue.name),
            suspended: queue.is_suspended,
            tickets: queue.waiting,
            players: self.players,
            oldest_age: self.oldest_age,
            index: index_word(queue.compiled.index.0),
            index_why: queue.compiled.index.1,
            regions: regions
                .into_iter()
                .map(|(_, name, tickets, players)| (name, tickets, players))
                .collect(),
            matches: queue.matches,
        }
    }
}

/// The word by which queue files name an index.
fn index_word(index: IndexChoice) -> &'static str {
    match index {
        IndexChoice::Auto => "auto",
        IndexChoice::Sorted => "sorted",
        IndexChoice::KdTree => "kdtree",
        IndexChoice::Linear => "linear",
    }
}

/// The regions within a ticket's ping window at an age, up or down, by number.
fn regions_within(queue: &CompiledQueue, slot: &Slot, age: Millis) -> Vec<(u8, i64)> {
    let Some(Kind::Region(window)) = queue.region_rule.map(|rule| &queue.rules[rule].kind) else {
        return Vec::new();
    };
    let limit = window.at(age).bound().unwrap_or(i64::MAX);
    slot.pings.iter().copied().filter(|&(_, ping)| ping <= limit).collect()
}

/// Every rule's window at an age.
fn windows(queue: &CompiledQueue, age: Millis) -> Vec<WindowStatus> {
    let status = |rule: &crate::rules::compile::Rule| WindowStatus {
        rule: Arc::clone(&rule.name),
        window: rule.kind.now(age),
    };
    queue.rules.iter().map(status).collect()
}
