//! What the engine says of one ticket, and of itself, when asked.
//!
//! Read from the door's own state, so no call waits for a tick. Windows are those of the engine's current time.

use super::door::Door;
use super::queues::DoorQueue;
use super::ticket::{End, Ticket};
use super::told::Told;
use crate::base::fixed::Fixed;
use crate::base::sync::Ordering;
use crate::claim::commit::WordState;
use crate::model::codes::{Code, EndReason, Refusal};
use crate::model::ids::{Millis, TicketId};
use crate::model::limits::REGIONS_MAX;
use crate::model::status::{
    EndCounts, QueueActivity, QueueStats, RegionStats, Stats, TicketState, TicketStatus, WaitingFor,
    WindowStatus,
};
use crate::rules::compile::{CompiledQueue, Kind};
use crate::rules::spec::IndexChoice;
use std::sync::Arc;

impl Door {
    /// One ticket, live or retained.
    pub(super) fn ticket_status(&self, id: TicketId) -> Result<TicketStatus, Refusal> {
        let not_found = || Refusal::new(Code::NotFound, "no such ticket is live or retained");
        let ticket = self.ticket(id).ok_or_else(not_found)?;
        let told = self.told(&ticket);
        let (state, until) = match ticket.terminal() {
            // The wait of a forming one has not begun.
            None if told.awaited() > 0 => (TicketState::Forming, told.enqueued()),
            None => (TicketState::Queued, self.now()),
            Some(terminal) => match (terminal.end, self.claims.state(id)) {
                (End::Matched(_), WordState::Matched(of)) => (TicketState::Matched(of), terminal.at),
                (End::Matched(_), _) => return Err(not_found()),
                (End::Ended(reason), _) => (TicketState::Ended(reason), terminal.at),
            },
        };
        let mut status = TicketStatus {
            id,
            queue: ticket.queue.id,
            user_data: told.user_data(),
            state,
            age: until.since(told.enqueued()),
            attempts: ticket.attempts(),
            prefer_full_left: Millis(0),
            timeout_left: None,
            windows: Vec::new(),
            regions: Vec::new(),
            waiting_for: None,
        };
        if state == TicketState::Queued {
            self.add_waiting(&mut status, &ticket, &told);
        }
        if state == TicketState::Forming {
            status.timeout_left = told.deadline().map(|deadline| deadline.since(self.now()));
            status.waiting_for = Some(WaitingFor::Members);
        }
        Ok(status)
    }

    fn add_waiting(&self, status: &mut TicketStatus, ticket: &Ticket, told: &Told<'_>) {
        let queue = &ticket.queue;
        let spec = &queue.compiled.spec;
        status.prefer_full_left = spec.prefer_full_for.since(status.age);
        status.timeout_left = told.deadline().map(|deadline| deadline.since(self.now()));
        status.windows = windows(&queue.compiled, status.age);
        let within = regions_within(&queue.compiled, told, status.age).collect::<Vec<_>>();
        let up = self.down.load().up_mask(&queue.regions);
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
        status.waiting_for = Some(if queue.is_suspended() {
            WaitingFor::QueueResumed
        } else if !ticket.is_taken_in() {
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

    /// Counts since the start, and now.
    pub(super) fn stats(&self) -> Stats {
        let counts = &self.counts;
        let read = |counter: &crate::base::sync::AtomicU64| counter.load(Ordering::Relaxed);
        // What has ended was submitted before: read in this order the waiting are never fewer than none.
        let (unpolled, matched, ended) = (self.unpolled(), read(&counts.matched), read(&counts.ended));
        let submitted = read(&counts.submitted);
        Stats {
            capacity: self.capacity,
            retained_max: self.retained_max,
            submitted,
            refused: read(&counts.refused),
            matched,
            ended,
            waiting: submitted.saturating_sub(matched + ended),
            forming: read(&counts.forming),
            unpolled,
            matches: read(&counts.matches),
            starved: read(&counts.starved),
            searches_cut_off: read(&counts.searches_cut_off),
            steps: read(&counts.steps),
            ticks: read(&counts.ticks),
            ended_by_reason: self.ended_by_reason(),
            now: self.now(),
            queues: self.queue_stats(),
            ..Stats::default()
        }
    }

    fn ended_by_reason(&self) -> EndCounts {
        let mut counts = EndCounts::default();
        for (&reason, counted) in EndReason::ALL.iter().zip(&self.counts.ended_by_reason) {
            counts.count_many(reason, counted.load(Ordering::Relaxed));
        }
        counts
    }

    /// Every queue, by one walk over the tickets.
    fn queue_stats(&self) -> Vec<QueueStats> {
        let (queues, down, now) = (self.queues.all(), self.down.load(), self.now());
        let mut tallies: Vec<Tally> = queues
            .iter()
            .map(|queue| Tally { up: down.up_mask(&queue.regions), ..Tally::default() })
            .collect();
        for slot in 0..self.tickets.len() {
            let Some(ticket) = self.tickets.any(slot) else { continue };
            let told = self.told(&ticket);
            if ticket.is_over() || told.awaited() > 0 {
                continue;
            }
            // Queues stand in the order of their ids; those of a removed one are not among them.
            let Ok(at) = queues.binary_search_by_key(&ticket.queue.id, |queue| queue.id) else { continue };
            tallies[at].add(&queues[at].compiled, &told, now);
        }
        queues.iter().zip(tallies).map(|(queue, tally)| tally.into_stats(queue)).collect()
    }
}

/// What a walk over the slots has counted of one queue.
struct Tally {
    players: u64,
    oldest_age: Millis,
    /// Tickets, players and the oldest age by region number.
    regions: [(u64, u64, Millis); REGIONS_MAX],
    /// The regions that are up.
    up: u64,
}

impl Default for Tally {
    fn default() -> Tally {
        Tally { players: 0, oldest_age: Millis(0), regions: [(0, 0, Millis(0)); REGIONS_MAX], up: u64::MAX }
    }
}

impl Tally {
    fn add(&mut self, queue: &CompiledQueue, told: &Told<'_>, now: Millis) {
        let players = told.player_count() as u64;
        let age = now.since(told.enqueued());
        self.players += players;
        self.oldest_age = self.oldest_age.max(age);
        for (region, _) in regions_within(queue, told, age) {
            if self.up >> region & 1 == 1 {
                let (tickets_there, players_there, oldest_there) = &mut self.regions[region as usize];
                *tickets_there += 1;
                *players_there += players;
                *oldest_there = age.max(*oldest_there);
            }
        }
    }

    fn into_stats(self, queue: &DoorQueue) -> QueueStats {
        let order = queue.regions.order();
        let mut numbers: Vec<usize> =
            (0..REGIONS_MAX).filter(|&region| order.names[region].is_some()).collect();
        numbers.sort_unstable_by_key(|&region| order.rank[region]);
        let told = |&region: &usize| {
            let (tickets, players, oldest_age) = self.regions[region];
            let name = order.names[region].clone().unwrap_or_default();
            RegionStats { name, tickets, players, oldest_age, ..RegionStats::default() }
        };
        let by_region: Vec<RegionStats> = numbers.iter().map(told).collect();
        let rules = queue.compiled.rules.iter();
        QueueStats {
            queue: queue.id,
            name: Arc::clone(&queue.name),
            suspended: queue.is_suspended(),
            tickets: queue.waiting.load(Ordering::Relaxed),
            players: self.players,
            oldest_age: self.oldest_age,
            index: index_word(queue.compiled.index.0),
            index_why: queue.compiled.index.1,
            regions: by_region
                .iter()
                .map(|region| (Arc::clone(&region.name), region.tickets, region.players))
                .collect(),
            by_region,
            matches: queue.matches.load(Ordering::Relaxed),
            activity: QueueActivity {
                excluded: rules.map(|rule| (Arc::clone(&rule.name), 0)).collect(),
                ..QueueActivity::default()
            },
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
fn regions_within<'a>(
    queue: &CompiledQueue,
    told: &'a Told<'_>,
    age: Millis,
) -> impl Iterator<Item = (u8, i64)> + 'a {
    let window = queue.region_rule.map(|rule| &queue.rules[rule].kind);
    let limit = match window {
        Some(Kind::Region(window)) => Some(window.at(age).bound().unwrap_or(i64::MAX)),
        _ => None,
    };
    told.pings().filter(move |&(_, ping)| limit.is_some_and(|limit| ping <= limit))
}

/// Every rule's window at an age.
fn windows(queue: &CompiledQueue, age: Millis) -> Vec<WindowStatus> {
    let status = |rule: &crate::rules::compile::Rule| WindowStatus {
        rule: Arc::clone(&rule.name),
        window: rule.kind.now(age),
    };
    queue.rules.iter().map(status).collect()
}
