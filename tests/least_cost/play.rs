//! Plays a random evening through the engine and looks at every tick: legal matches only, none left behind, in the
//! right order, and what they are worth against the definition.

use crate::oracle::evening::{Evening, Waiting};
use crate::oracle::tickets::Case;
use evenmatch::assemble::chosen::ChosenMatch;
use evenmatch::assemble::exhaustive::best_match;
use evenmatch::assemble::together::{together, worth};
use evenmatch::engine::Engine;
use evenmatch::model::codes::{Code, EndReason};
use evenmatch::model::event::Event;
use evenmatch::model::ids::{Millis, TicketId};
use evenmatch::rules::spec::{IndexChoice, Selection};
use std::collections::BTreeMap;

/// What an evening's ticks came to, and what the definition would have made of them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Worth {
    pub(crate) players: u32,
    pub(crate) cost: i128,
    pub(crate) players_best: u32,
    pub(crate) cost_best: i128,
    /// Ticks that made a match, and those that were worth what the definition is.
    pub(crate) ticks: u32,
    pub(crate) exact: u32,
}

impl Worth {
    pub(crate) fn add(&mut self, other: Worth) {
        self.players += other.players;
        self.cost += other.cost;
        self.players_best += other.players_best;
        self.cost_best += other.cost_best;
        self.ticks += other.ticks;
        self.exact += other.exact;
    }
}

/// Whether a ticket goes first, as the queue file says.
pub(crate) fn is_urgent(case: &Case, ticket: &Waiting<'_>, now: Millis) -> bool {
    let age = now.since(ticket.seniority.enqueued);
    match case.spec.urgent_after {
        Some(after) => age >= after,
        None => {
            ticket.deadline.is_some_and(|deadline| 2 * age.0 >= deadline.since(ticket.seniority.enqueued).0)
        }
    }
}

/// Plays `case`, whose queue selects by least cost. `small`: the pool can be enumerated. Errors: the first tick at
/// which something is wrong, in words.
pub(crate) fn play(case: &Case, index: IndexChoice, small: bool) -> Result<Worth, String> {
    assert_eq!(case.spec.selection, Selection::LeastCost);
    let engine = Engine::builder().capacity(10_000).check_matches(true).build();
    let engine = engine.map_err(|refusal| format!("{refusal:?}"))?;
    let mut spec = case.spec.clone();
    spec.index = index;
    engine.add_queue(spec).map_err(|refusal| format!("the queue is refused: {refusal:?}"))?;
    let mut numbers: BTreeMap<TicketId, usize> = BTreeMap::new();
    let mut evening = Evening::new(case);
    let mut total = Worth::default();
    for (tick, &now) in case.ticks.iter().enumerate() {
        for number in evening.arrivals(tick) {
            let arrival = &case.arrivals[number];
            match engine.submit(arrival.at, arrival.request.clone()) {
                Ok(id) => drop(numbers.insert(id, number)),
                Err(refusal) if refusal.code == Code::Unmatchable => {}
                Err(refusal) => return Err(format!("ticket {number} is refused: {refusal:?}")),
            }
        }
        for outage in case.outages.iter().filter(|outage| outage.tick == tick) {
            engine.set_region(now, outage.region, outage.up).map_err(|refusal| format!("{refusal:?}"))?;
        }
        evening.expire(now);
        engine.tick(now, 0).map_err(|refusal| format!("{refusal:?}"))?;
        let found = told(&engine, &evening, &numbers).map_err(|error| format!("at {now}: {error}"))?;
        if small {
            total.add(compare(case, &evening, now, &found).map_err(|error| format!("at {now}: {error}"))?);
        }
        evening.take(&found);
        if small {
            let down: Vec<&str> = evening.down.iter().copied().collect();
            let left = best_match(&evening.judge, &evening.pool(), now, &down);
            if let Some(left) = left.map_err(|error| error.to_string())? {
                return Err(format!("at {now}: a legal match is left: {left:?}"));
            }
        }
    }
    Ok(total)
}

/// The matches among the events of a tick: each legal by the engine's own judge, by their oldest tickets.
fn told(
    engine: &Engine,
    evening: &Evening<'_>,
    numbers: &BTreeMap<TicketId, usize>,
) -> Result<Vec<ChosenMatch>, String> {
    let mut events = Vec::new();
    while engine.poll(&mut events, 1000) > 0 {}
    let mut matches = Vec::new();
    let mut last = None;
    for event in &events {
        let record = match event {
            Event::Match(record) => record,
            Event::Ended(ended) if ended.reason == EndReason::TimedOut => continue,
            Event::Ended(ended) => return Err(format!("an end that nothing asked for: {ended:?}")),
        };
        if !record.quality.exhaustive {
            return Err("a search was cut off".to_owned());
        }
        let place = |id: &TicketId| {
            let number = numbers.get(id)?;
            evening.waiting.iter().position(|ticket| ticket.number == *number)
        };
        let tickets: Option<Vec<usize>> = record.tickets.iter().map(|ticket| place(&ticket.id)).collect();
        let tickets = tickets.ok_or(format!("a match of a ticket that does not wait: {record:?}"))?;
        let oldest = tickets.iter().map(|&index| evening.waiting[index].seniority).min();
        if last >= oldest {
            return Err(format!("a match out of order: {record:?}"));
        }
        last = oldest;
        let down: Vec<&str> = evening.down.iter().copied().collect();
        let lookup = |id: TicketId| {
            place(&id).map(|index| (evening.waiting[index].seniority, evening.waiting[index].request))
        };
        let verdict = evening.judge.match_record(record, lookup, &down).map_err(|v| v.to_string())?;
        let teams = record.tickets.iter().map(|ticket| ticket.team as usize).collect();
        matches.push(ChosenMatch { tickets, teams, region: None, cost: verdict.cost });
    }
    Ok(matches)
}

/// What a tick is worth against the definition.
fn compare(case: &Case, evening: &Evening<'_>, now: Millis, found: &[ChosenMatch]) -> Result<Worth, String> {
    let down: Vec<&str> = evening.down.iter().copied().collect();
    let pool = evening.pool();
    let urgent = |index: usize| is_urgent(case, &evening.waiting[index], now);
    let right = together(&evening.judge, &pool, now, &down, urgent).map_err(|error| error.to_string())?;
    let (players, cost) = worth(&pool, found);
    let (players_best, cost_best) = worth(&pool, &right);
    Ok(Worth {
        players,
        cost,
        players_best,
        cost_best,
        ticks: u32::from(!right.is_empty()),
        exact: u32::from(!right.is_empty() && (players, cost) == (players_best, cost_best)),
    })
}
