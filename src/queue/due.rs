//! Which anchors a pass visits: those that something which has happened may have given a match.
//!
//! A pass that has ended leaves no legal match behind, so a new one must hold a ticket on which something has
//! happened since: it came, was changed, got a region, or a window of its own let more in. Such a ticket is
//! *fresh*; due are the fresh tickets and the older ones that could stand with a fresh one. They are listed when the
//! pass begins: what fresh tickets reach in the value that the index is sorted by is merged into spans, and whoever
//! stands in one, and is older than the youngest fresh ticket there, is listed. Of a ticket on which nothing has
//! happened but that its window reaches further only the pairs with those that it has reached are new: due are the
//! older ones of these pairs, and who could stand with both. With few fresh tickets each is asked
//! again at its turn, pair by pair. Invariant: the list holds every anchor that could have a match, in the order of
//! age; so the cost of a pass follows what has happened, not who waits.
//!
//! Tried: a look at every waiting ticket in each pass. The tick of one arrival among 20,000 waiting tickets that match
//! nobody took 6.6 ms that way and 8 us this way, same matches (p50, busy machine). All older tickets that could stand
//! with one whose window has reached further, instead of those that could with the pair: twenty minutes of `hybrid_5v5`
//! at two tickets a second took 2.7 s of CPU time that way and 1.25 s this way, same output bytes.
//!
//! Where nearly everybody is fresh, as in a tick that takes in a dense flow, everybody is listed, in queues of two players:
//! what fresh tickets reach, and the order of it all, took about a quarter of such a pass. The few who are visited for nothing
//! find nothing, and cost some steps.

use super::running::RunningQueue;
use super::view::View;
use crate::assemble::states::States;
use crate::model::ids::{Millis, Seniority};
use crate::rules::compile::{Kind, NO_VALUE};
use crate::rules::spec::WindowAge;

/// Fresh tickets up to which it is asked for each listed anchor whether it could stand with one: chosen, as that
/// takes a pair test for each of them.
const ASKED_MAX: usize = 32;

/// Younger than every ticket.
pub(super) const YOUNGEST: Seniority = Seniority { enqueued: Millis(u64::MAX), submit_number: u64::MAX };

/// What some tickets reach in the leading value of one shard.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Span {
    pub(super) shard: u32,
    pub(super) low: i64,
    pub(super) high: i64,
    /// Only older tickets count.
    pub(super) older_than: Seniority,
}

impl RunningQueue {
    /// Lists the anchors of the pass that begins, or goes on, at `now`.
    pub(super) fn list_due(&mut self, now: Millis) {
        self.due.clear();
        self.reached.clear();
        self.spans.clear();
        let lead = self.geometry.lead();
        self.all_due |= lead.is_none() && self.fresh.len() > ASKED_MAX;
        let is_all = self.all_due || lead.is_none() || self.is_nearly_all_fresh();
        // Who does not stand in the index is fresh, and so is due whatever else is found. Debug builds have the index at hand
        // every other time, to hold what was found against it.
        let is_checked = cfg!(debug_assertions) && (now.0 / 1000).is_multiple_of(2);
        if !self.may_stay_unindexed || is_checked {
            self.index_all();
        }
        if is_all {
            let (tickets, standings) = (&self.tickets, &self.standings);
            let holds = |&&(seniority, row): &&(Seniority, u32)| {
                standings[row as usize].is_live && tickets.seniority(row) == seniority
            };
            self.due.extend(self.waiting.iter().filter(holds));
            return;
        }
        let mut spans = std::mem::take(&mut self.spans);
        spans.clear();
        for at in 0..self.fresh.len() {
            let row = self.fresh[at];
            let standing = self.standings[row as usize];
            if !standing.is_live {
                continue;
            }
            let older_than = self.tickets.seniority(row);
            if standing.is_reaching {
                self.list_reached(row, now, &mut spans);
                continue;
            }
            self.due.push((older_than, row));
            if standing.is_active {
                let (low, high) = self.reached_by(row, now);
                spans.push(Span { shard: standing.shard, low, high, older_than });
            }
        }
        let mut due = std::mem::take(&mut self.due);
        self.visit_spans(&mut spans, |seniority, row| due.push((seniority, row)));
        due.sort_unstable();
        due.dedup();
        (self.due, self.spans) = (due, spans);
    }

    /// Whether so many of those who wait are fresh that the others are listed without a look at what these reach. Only
    /// where searches are exact: a search that was cut off might find a match by chance that nothing has given it.
    fn is_nearly_all_fresh(&self) -> bool {
        let is_worth_asking = self.fresh.len() > ASKED_MAX && 4 * self.fresh.len() > 3 * self.tickets.len();
        is_worth_asking && self.compiled.shape.full <= 2 && {
            let standing = |&&row: &&u32| self.standings[row as usize];
            let whole = self.fresh.iter().filter(|row| standing(row).is_live && !standing(row).is_reaching);
            4 * whole.count() > 3 * self.tickets.len()
        }
    }

    /// Whether each listed anchor is asked at its turn whether it could stand with a fresh ticket, which most could not.
    pub(super) fn asks_each(&self) -> bool {
        !self.all_due && self.fresh.len() <= ASKED_MAX && self.reached.len() <= ASKED_MAX
    }

    /// Lists the pairs that a ticket's window has let stand together, and the anchors that both could stand with: the
    /// older one of the pair, and older ones.
    fn list_reached(&mut self, row: u32, now: Millis, spans: &mut Vec<Span>) {
        let standing = self.standings[row as usize];
        let Some(lead) = self.geometry.lead().filter(|_| standing.is_active) else { return };
        let (_, reach) = self.reaches.get(row);
        let value = self.tickets.number(lead, row);
        let (low, high) = self.reached_by(row, now);
        let seniority = self.tickets.seniority(row);
        let mut others = std::mem::take(&mut self.sleepy);
        others.clear();
        let tickets = &self.tickets;
        let shard = self.shards.get(standing.shard);
        let within = [
            (low, value.saturating_sub(reach).saturating_sub(1)),
            (value.saturating_add(reach).saturating_add(1), high),
        ];
        for (low, high) in within.into_iter().filter(|(low, high)| low <= high) {
            shard.visit_within(low, high, |other, since| {
                if since < seniority && tickets.number(lead, other) != NO_VALUE {
                    others.push(other);
                }
            });
        }
        for &other in &others {
            self.states.ensure(&self.compiled, &self.tickets, other);
            if !self.view(now).ground().scene(&self.states).may_stand_together(row, other, other) {
                continue;
            }
            let older_than = self.tickets.seniority(other);
            self.reached.push((row, other));
            self.due.push((older_than, other));
            let (other_low, other_high) = self.reached_by(other, now);
            let (low, high) = (low.max(other_low), high.min(other_high));
            spans.push(Span { shard: standing.shard, low, high, older_than });
        }
        self.sleepy = others;
    }

    /// The values between which the older tickets stand that the pair rules could let stand with a fresh one.
    fn reached_by(&mut self, row: u32, now: Millis) -> (i64, i64) {
        let Some(lead) = self.geometry.lead() else { return (i64::MIN, i64::MAX) };
        let value = self.tickets.number(lead, row);
        if value == NO_VALUE {
            return (i64::MIN, i64::MAX);
        }
        self.states.ensure(&self.compiled, &self.tickets, row);
        let state = self.states.get(row);
        let reaches = self.compiled.rules.iter().enumerate().filter_map(|(index, rule)| match &rule.kind {
            Kind::Difference(slot, window) if *slot == lead => {
                match rule.age {
                    WindowAge::Newest if !rule.only_loosens => None,
                    // Of an older ticket and this one this one is the newer.
                    WindowAge::Mutual | WindowAge::Newest => {
                        state.binds(index).then(|| state.numbers[rule.state])
                    }
                    // The older ticket's window counts: that of the oldest who waits is the widest.
                    WindowAge::Oldest if rule.only_loosens => {
                        let oldest = self.waiting.first().map_or(now, |&(seniority, _)| seniority.enqueued);
                        window.at(now.since(oldest)).bound()
                    }
                    WindowAge::Oldest => {
                        let greatest = window.greatest(self.compiled.age_end());
                        (!greatest.vanishes).then_some(greatest.limit)
                    }
                }
            }
            _ => None,
        });
        let reach = reaches.min().unwrap_or(i64::MAX);
        (value.saturating_sub(reach), value.saturating_add(reach))
    }

    /// Merges spans, and visits everybody who stands in one and is old enough; some are visited twice.
    pub(super) fn visit_spans(&self, spans: &mut Vec<Span>, mut visit: impl FnMut(Seniority, u32)) {
        spans.sort_unstable();
        spans.dedup_by(|next, merged| {
            let is_one = next.shard == merged.shard && next.low <= merged.high;
            if is_one {
                merged.high = merged.high.max(next.high);
                merged.older_than = merged.older_than.max(next.older_than);
            }
            is_one
        });
        for span in &*spans {
            let shard = self.shards.get(span.shard);
            shard.visit_within(span.low, span.high, |row, seniority| {
                if seniority < span.older_than {
                    visit(seniority, row);
                }
            });
        }
    }
}

impl View<'_> {
    /// Whether a listed anchor could have a match that it had not at the end of the last pass. `gone`: who is to be taken
    /// for gone besides those that the queue knows of.
    pub(super) fn is_due(&self, states: &mut States, row: u32, gone: impl Fn(u32) -> bool) -> bool {
        let standing = self.standings[row as usize];
        if self.all_due || standing.is_fresh && !standing.is_reaching {
            return true;
        }
        if !standing.is_active {
            return false;
        }
        if self.fresh.len() > ASKED_MAX || self.reached.len() > ASKED_MAX {
            return true;
        }
        states.ensure(self.compiled, self.tickets, row);
        let seniority = self.tickets.seniority(row);
        let mut could_meet = |other: u32| {
            let with = &self.standings[other as usize];
            with.is_active
                && !gone(other)
                && with.shard == standing.shard
                && self.tickets.seniority(other) > seniority
                && {
                    states.ensure(self.compiled, self.tickets, other);
                    self.ground().scene(states).may_stand_together(row, other, row)
                }
        };
        let is_whole = |other: &&u32| !self.standings[**other as usize].is_reaching;
        self.fresh.iter().filter(is_whole).any(|&other| could_meet(other))
            || self
                .reached
                .iter()
                .any(|&(reaching, older)| (older == row || could_meet(older)) && could_meet(reaching))
    }
}
