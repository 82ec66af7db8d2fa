//! What should happen on a random evening: the waiting tickets as they are, without an engine.

use super::tickets::Case;
use evenmatch::assemble::chosen::{ChosenMatch, OracleError};
use evenmatch::model::ids::{Millis, Seniority};
use evenmatch::model::request::TicketRequest;
use evenmatch::rules::check::{Judge, JudgedTicket};
use std::collections::BTreeSet;

/// A definition of which matches a tick makes.
pub(crate) type Definition =
    fn(&Judge, &[JudgedTicket<'_>], Millis, &[&str]) -> Result<Vec<ChosenMatch>, OracleError>;

/// A ticket that waits; `number` is its index among the arrivals.
#[derive(Clone, Copy)]
pub(crate) struct Waiting<'a> {
    pub(crate) number: usize,
    pub(crate) seniority: Seniority,
    pub(crate) request: &'a TicketRequest,
    pub(crate) deadline: Option<Millis>,
}

/// The evening up to a tick.
pub(crate) struct Evening<'a> {
    pub(crate) case: &'a Case,
    pub(crate) judge: Judge,
    pub(crate) waiting: Vec<Waiting<'a>>,
    pub(crate) down: BTreeSet<&'static str>,
    arrived: usize,
}

impl<'a> Evening<'a> {
    pub(crate) fn new(case: &'a Case) -> Evening<'a> {
        let judge = Judge::new(&case.spec);
        Evening { case, judge, waiting: Vec::new(), down: BTreeSet::new(), arrived: 0 }
    }

    /// Takes in what comes before the tick of that index; returns the numbers of the tickets that came.
    pub(crate) fn arrivals(&mut self, tick: usize) -> Vec<usize> {
        let now = self.case.ticks[tick];
        let from = self.arrived;
        while let Some(arrival) = self.case.arrivals.get(self.arrived).filter(|arrival| arrival.at <= now) {
            let request = &arrival.request;
            let enqueued = request.enqueued.map_or(arrival.at, |earlier| earlier.min(arrival.at));
            let span = match (self.case.spec.timeout, request.timeout) {
                (Some(queue), Some(own)) => Some(queue.min(own)),
                (queue, own) => queue.or(own),
            };
            self.waiting.push(Waiting {
                number: self.arrived,
                seniority: Seniority { enqueued, submit_number: self.arrived as u64 + 1 },
                request,
                deadline: span.map(|span| enqueued.after(span)),
            });
            self.arrived += 1;
        }
        for outage in self.case.outages.iter().filter(|outage| outage.tick == tick) {
            if outage.up {
                self.down.remove(outage.region);
            } else {
                self.down.insert(outage.region);
            }
        }
        (from..self.arrived).collect()
    }

    /// Ends the tickets whose time is over; returns their numbers in the order of deadlines.
    pub(crate) fn expire(&mut self, now: Millis) -> Vec<usize> {
        let over = |ticket: &Waiting<'_>| ticket.deadline.is_some_and(|deadline| deadline <= now);
        let mut ended: Vec<_> = self.waiting.iter().copied().filter(over).collect();
        ended.sort_by_key(|ticket| (ticket.deadline, ticket.number));
        self.waiting.retain(|ticket| !over(ticket));
        ended.iter().map(|ticket| ticket.number).collect()
    }

    /// The matches that a definition makes at `now`. Errors: a case that the definition is not for.
    pub(crate) fn matches(&self, now: Millis, definition: Definition) -> Result<Vec<ChosenMatch>, String> {
        let down: Vec<&str> = self.down.iter().copied().collect();
        let pool: Vec<JudgedTicket<'_>> = self.pool();
        definition(&self.judge, &pool, now, &down).map_err(|error| error.to_string())
    }

    /// The waiting tickets; indices of a chosen match are into this list.
    pub(crate) fn pool(&self) -> Vec<JudgedTicket<'a>> {
        let judged =
            |ticket: &Waiting<'a>| JudgedTicket { seniority: ticket.seniority, request: ticket.request };
        self.waiting.iter().map(judged).collect()
    }

    /// Takes the tickets of these matches out.
    pub(crate) fn take(&mut self, matches: &[ChosenMatch]) {
        let taken: BTreeSet<usize> = matches
            .iter()
            .flat_map(|chosen| &chosen.tickets)
            .map(|&index| self.waiting[index].number)
            .collect();
        self.waiting.retain(|ticket| !taken.contains(&ticket.number));
    }
}
