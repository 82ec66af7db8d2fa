//! When tickets end by themselves.
//!
//! Part of `running`. Tickets that end when their queue's timeout says so end in the order of waiting, so `waiting` is their
//! list, and those of its first entries that have left are passed over once; the few that have a time of their own have
//! a timer each. Invariant: a ticket that has had a time of its own keeps its timer, whatever it is changed to.

use super::elsewhere::Commits;
use super::outcome::{Expired, Left, Outcome};
use super::running::{NEVER, RunningQueue, is_set};
use crate::model::codes::EndReason;
use crate::model::ids::{Millis, Seniority, TicketId};

impl RunningQueue {
    /// Ends the tickets whose deadline has come, as far as nobody else has ended them; `left` hears of each.
    pub fn expire(
        &mut self,
        now: Millis,
        commits: Commits<'_>,
        outcome: &mut Outcome,
        mut left: impl FnMut(TicketId),
    ) {
        self.merge_arrivals();
        while let Some((at, submit_number, row)) = self.first_to_end().filter(|&(at, ..)| at <= now) {
            // It is passed over from here on, whoever ends it.
            if self.standings[row as usize].has_own_deadline {
                self.deadlines.take_due(at);
            } else {
                self.passed += 1;
            }
            let id = self.tickets.id(row);
            if !commits.end(id) {
                continue;
            }
            let starved = !self.standings[row as usize].had_partner;
            outcome.expired.push(Expired { deadline: at, submit_number, id, starved });
            let departure = self.departure(row, now, Some(EndReason::TimedOut));
            outcome.ledger.leave(&Left { starved, ..departure });
            self.remove(row);
            left(id);
        }
    }

    /// The earliest deadline.
    pub fn next_deadline(&mut self) -> Option<Millis> {
        self.merge_arrivals();
        self.first_to_end().map(|(at, ..)| at)
    }

    /// The ticket that ends first of all that wait: when, its submit number, its row.
    fn first_to_end(&mut self) -> Option<(Millis, u64, u32)> {
        let (tickets, standings) = (&self.tickets, &self.standings);
        let ends = |row: u32| standings[row as usize].has_own_deadline.then(|| self.own_deadlines.get(row));
        let own = self.deadlines.first(|timer| is_set(tickets, standings, timer, ends));
        let own = own.map(|timer| (timer.at, timer.submit_number, timer.row));
        let Some(timeout) = self.compiled.spec.timeout else { return own };
        let rest = &self.waiting[self.passed..];
        let ends_by_queue = |&(seniority, row): &(Seniority, u32)| {
            let standing = &standings[row as usize];
            let holds = standing.is_live && tickets.submit_number(row) == seniority.submit_number;
            holds && !standing.has_own_deadline
        };
        self.passed += rest.iter().position(ends_by_queue).unwrap_or(rest.len());
        let first = self.waiting.get(self.passed);
        let first = first.map(|&(of, row)| (of.enqueued.after(timeout), of.submit_number, row));
        first.into_iter().chain(own).min()
    }

    /// When a ticket ends.
    pub(super) fn deadline(&self, row: u32) -> Option<Millis> {
        if self.standings[row as usize].has_own_deadline {
            return Some(self.own_deadlines.get(row)).filter(|&at| at != NEVER);
        }
        self.deadline_of_queue(self.tickets.seniority(row).enqueued)
    }

    /// When a ticket ends that has waited since then and has no time of its own.
    pub(super) fn deadline_of_queue(&self, enqueued: Millis) -> Option<Millis> {
        self.compiled.spec.timeout.map(|timeout| enqueued.after(timeout))
    }

    /// Sets the time at which a ticket ends, from now on by a timer.
    pub(super) fn set_own_deadline(&mut self, row: u32, deadline: Option<Millis>) {
        self.has_short_deadlines = true;
        self.standings[row as usize].has_own_deadline = true;
        self.own_deadlines.set(row, deadline.unwrap_or(NEVER));
        if let Some(deadline) = deadline {
            self.deadlines.set(deadline, self.tickets.submit_number(row), row);
        }
    }
}
