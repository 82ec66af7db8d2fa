//! When two tickets that cannot stand together now will be let to: the exact wake of queues for two players.
//!
//! Asked by `wake` for each ticket that falls asleep, over all others of its shard, older and younger: of a pair the
//! one that falls asleep last has looked at the other. Differences and regions whose windows are each ticket's own and
//! only loosen tell the instant; of every other rule a change wakes its tickets by itself, and so is taken to hold.
//! The search goes outwards and ends where the ticket's own window comes later than the best instant found.
//! Invariant: never later than the instant at which the pair becomes legal.

use super::running::RunningQueue;
use super::wake::reaches_older;
use crate::assemble::states::States;
use crate::index::Candidates;
use crate::model::ids::Millis;
use crate::model::limits::REGIONS_MAX;
use crate::rules::compile::{CompiledQueue, Kind, NO_VALUE};
use crate::rules::spec::WindowAge;
use crate::rules::window::{Window, earliest};
use crate::shard::{Geometry, Reach};
use crate::store::tickets::Tickets;

/// Whether tickets of a queue wake for pairs: its matches are of two players at most, what a window lets in stays in,
/// and the index goes by the values alone.
pub(super) fn wakes_for_pairs(queue: &CompiledQueue, geometry: &Geometry) -> bool {
    let region_fits = queue.region_rule.is_none_or(|rule| {
        let rule = &queue.rules[rule];
        rule.age == WindowAge::Mutual && rule.only_loosens
    });
    queue.shape.full <= 2 && region_fits && geometry.is_of_values()
}

/// A ticket that falls asleep.
struct Sleeper {
    row: u32,
    since: Millis,
    now: Millis,
    /// For each region by number when its window lets the ticket's own ping in; the greatest number: never.
    regions: [u64; REGIONS_MAX],
    /// No meeting is before.
    floor: Millis,
}

impl RunningQueue {
    /// The first instant after `now`, and before `until`, at which windows let another ticket and this one meet, or let
    /// it be matched alone, and the row of the other, or its own. Cost: a search, as far as the windows reach by then.
    pub(super) fn next_meeting(
        &mut self,
        row: u32,
        now: Millis,
        until: Option<Millis>,
    ) -> Option<(Millis, u32)> {
        let standing = self.standings[row as usize];
        if !standing.is_active {
            return None;
        }
        self.states.ensure(&self.compiled, &self.tickets, row);
        let sleeper = self.sleeper(row, now);
        if sleeper.floor == Millis(u64::MAX) {
            return None;
        }
        let size = self.tickets.size(row);
        let shape = &self.compiled.shape;
        let is_alone_enough = shape.is_legal_total(size) && shape.enough_tickets(1, size);
        let mut best = earliest(until, self.deadline(row));
        let mut first = None;
        if is_alone_enough && sleeper.floor > now && best.is_none_or(|best| sleeper.floor < best) {
            (best, first) = (Some(sleeper.floor), Some((sleeper.floor, row)));
        }
        let mut reach = reach_before(&self.compiled, &sleeper, best);
        let mut farthest = self.geometry.farthest(&reach);
        let mut scratch = std::mem::take(&mut self.searcher.scratch);
        let (shards, tickets, geometry) = (&self.shards, &self.tickets, &self.geometry);
        let mut others =
            shards.get(standing.shard).around(geometry, tickets, row, None, &mut reach, &mut scratch);
        while best.is_none_or(|best| best > sleeper.floor && best.0 > now.0 + 1) {
            let Some(found) = others.next() else { break };
            if farthest.is_some_and(|farthest| found.distance > farthest) {
                break;
            }
            if found.item == row {
                continue;
            }
            self.states.ensure(&self.compiled, tickets, found.item);
            let meeting = meeting(&self.compiled, tickets, &self.states, self.up, &sleeper, found.item, best);
            if let Some(at) = meeting {
                (best, first) = (Some(at), Some((at, found.item)));
                farthest = geometry.farthest(&reach_before(&self.compiled, &sleeper, best));
            }
        }
        self.searcher.scratch = scratch;
        first
    }

    fn sleeper(&self, row: u32, now: Millis) -> Sleeper {
        let since = self.tickets.seniority(row).enqueued;
        let mut sleeper = Sleeper { row, since, now, regions: [u64::MAX; REGIONS_MAX], floor: now };
        let Some(rule) = self.compiled.region_rule else { return sleeper };
        let Kind::Region(window) = &self.compiled.rules[rule].kind else { return sleeper };
        let mut regions = self.tickets.regions(row);
        let mut floor = u64::MAX;
        for &ping in self.tickets.pings(row) {
            let region = regions.trailing_zeros() as usize;
            regions &= regions - 1;
            if self.up >> region & 1 == 1 {
                let within = self.states.regions(row) >> region & 1 == 1;
                let at = if within { Some(now) } else { admission(window, since, ping, now) };
                sleeper.regions[region] = at.map_or(u64::MAX, |at| at.0);
                floor = floor.min(sleeper.regions[region]);
            }
        }
        sleeper.floor = Millis(floor);
        sleeper
    }
}

/// How far the ticket's own windows reach just before `until`; `None`: ever.
fn reach_before(queue: &CompiledQueue, sleeper: &Sleeper, until: Option<Millis>) -> Reach {
    let mut reach = Reach::default();
    for (dimension, &(index, _)) in queue.dimensions.iter().enumerate() {
        let rule = &queue.rules[index];
        let Kind::Difference(_, window) = &rule.kind else { continue };
        if !reaches_older(rule) {
            continue;
        }
        let limit = match until {
            Some(until) => window.at(Millis(until.0 - 1).max(sleeper.now).since(sleeper.since)).bound(),
            None => {
                let greatest = window.greatest(queue.age_end());
                (!greatest.vanishes).then_some(greatest.limit)
            }
        };
        reach.allowed[dimension] = limit.unwrap_or(i64::MAX);
    }
    reach
}

/// The first instant after now, and before `until`, at which windows let the two meet who may not meet now. What is
/// dearer to tell is asked last.
fn meeting(
    queue: &CompiledQueue,
    tickets: &Tickets,
    states: &States,
    up: u64,
    sleeper: &Sleeper,
    other: u32,
    until: Option<Millis>,
) -> Option<Millis> {
    let Sleeper { row, now, .. } = *sleeper;
    let common = tickets.regions(row) & tickets.regions(other) & up;
    let is_whole = queue.shape.is_legal_total(tickets.size(row) + tickets.size(other));
    if !is_whole || common == 0 && queue.region_rule.is_some() {
        return None;
    }
    let is_late = |at: Millis| until.is_some_and(|until| at >= until);
    let since = tickets.seniority(other).enqueued;
    let mut at = now;
    for rule in &queue.rules {
        match &rule.kind {
            Kind::Equality(slot, switch) if switch.always(queue.age_end()) => {
                let (x, y) = (tickets.key(*slot, row), tickets.key(*slot, other));
                if x != NO_VALUE && y != NO_VALUE && x != y {
                    return None;
                }
            }
            Kind::Region(window) => {
                let (own, theirs) = (states.regions(row), states.regions(other));
                if common & own & theirs != 0 {
                    continue;
                }
                let (mut regions, mut first) = (common, u64::MAX);
                while regions != 0 {
                    let region = regions.trailing_zeros();
                    regions &= regions - 1;
                    let own = sleeper.regions[region as usize];
                    if own >= first || is_late(Millis(own)) {
                        continue;
                    }
                    let theirs = match theirs >> region & 1 {
                        1 => Some(now),
                        _ => admission(window, since, tickets.ping(other, region), now),
                    };
                    first = first.min(theirs.map_or(u64::MAX, |theirs| theirs.0.max(own)));
                }
                at = at.max(Millis(first));
                if first == u64::MAX || is_late(at) {
                    return None;
                }
            }
            _ => {}
        }
    }
    for (index, rule) in queue.rules.iter().enumerate() {
        let Kind::Difference(slot, window) = &rule.kind else { continue };
        let (x, y) = (tickets.number(*slot, row), tickets.number(*slot, other));
        if !reaches_older(rule) || x == NO_VALUE || y == NO_VALUE {
            continue;
        }
        let distance = (x - y).abs();
        for (row, since) in [(row, sleeper.since), (other, since)] {
            let state = states.get(row);
            if state.binds(index) && distance > state.numbers[rule.state] {
                at = at.max(since.after(window.next_crossing(now.since(since), distance)?));
                if is_late(at) {
                    return None;
                }
            }
        }
    }
    (at > now && !is_late(at)).then_some(at)
}

/// The first instant from `now` on at which a window that only loosens lets `distance` in.
fn admission(window: &Window, since: Millis, distance: i64, now: Millis) -> Option<Millis> {
    let age = now.since(since);
    if window.at(age).bound().is_none_or(|limit| distance <= limit) {
        return Some(now);
    }
    window.next_crossing(age, distance).map(|age| since.after(age))
}
