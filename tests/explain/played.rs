//! A random evening in an engine, up to a moment at which it is asked, and the runner of random cases.

use crate::oracle::tickets::Case;
use evenmatch::engine::Engine;
use evenmatch::model::event::Event;
use evenmatch::model::ids::{Millis, Seniority, TicketId};
use evenmatch::model::request::TicketRequest;
use evenmatch::model::status::TicketState;
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestError, TestRunner};
use std::collections::BTreeSet;

/// A number from the environment, or the one that is usual.
fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Runs `test` on `cases` random cases, shrinks the first that fails and says how to repeat it.
pub(crate) fn for_all(
    name: &str,
    cases: u64,
    strategy: impl Strategy<Value = Case>,
    test: impl Fn(&Case) -> Result<(), String>,
) {
    let (cases, seed) = (setting("EXPLAIN_CASES", cases), setting("EXPLAIN_SEED", 1));
    let config = Config {
        cases: cases as u32,
        rng_seed: RngSeed::Fixed(seed),
        failure_persistence: None,
        max_shrink_iters: 2000,
        ..Config::default()
    };
    match TestRunner::new(config).run(&strategy, |case| test(&case).map_err(TestCaseError::fail)) {
        Ok(()) => {}
        Err(TestError::Fail(reason, case)) => panic!(
            "{reason}\n{case:#?}\nrepeat: EXPLAIN_CASES={cases} EXPLAIN_SEED={seed} cargo test --test explain {name}"
        ),
        Err(TestError::Abort(reason)) => panic!("no cases: {reason}"),
    }
}

/// A ticket that was accepted.
#[derive(Clone, Debug)]
pub(crate) struct Accepted {
    pub(crate) id: TicketId,
    pub(crate) seniority: Seniority,
    pub(crate) request: TicketRequest,
    pub(crate) deadline: Option<Millis>,
}

/// An engine that has played a case.
pub(crate) struct Played {
    pub(crate) engine: Engine,
    pub(crate) tickets: Vec<Accepted>,
    pub(crate) down: BTreeSet<&'static str>,
    pub(crate) now: Millis,
}

impl Played {
    /// Plays the inputs and ticks of a case; the judge looks at every match.
    pub(crate) fn new(case: &Case) -> Result<Played, String> {
        let engine =
            Engine::builder().capacity(10_000).check_matches(true).build().map_err(|r| r.to_string())?;
        engine.add_queue(case.spec.clone()).map_err(|refusal| refusal.to_string())?;
        let mut played = Played { engine, tickets: Vec::new(), down: BTreeSet::new(), now: Millis(0) };
        let mut arrivals = case.arrivals.iter().peekable();
        for (tick, &now) in case.ticks.iter().enumerate() {
            while let Some(arrival) = arrivals.next_if(|arrival| arrival.at <= now) {
                played.submit(case, arrival.at, &arrival.request);
            }
            for outage in case.outages.iter().filter(|outage| outage.tick == tick) {
                played.engine.set_region(now, outage.region, outage.up).map_err(|r| r.to_string())?;
                if outage.up {
                    played.down.remove(outage.region);
                } else {
                    played.down.insert(outage.region);
                }
            }
            played.tick(now);
        }
        Ok(played)
    }

    fn submit(&mut self, case: &Case, at: Millis, request: &TicketRequest) {
        let Ok(id) = self.engine.submit(at, request.clone()) else { return };
        let enqueued = request.enqueued.map_or(at, |earlier| earlier.min(at));
        let span = match (case.spec.timeout, request.timeout) {
            (Some(queue), Some(own)) => Some(queue.min(own)),
            (queue, own) => queue.or(own),
        };
        self.tickets.push(Accepted {
            id,
            seniority: Seniority { enqueued, submit_number: self.tickets.len() as u64 },
            request: request.clone(),
            deadline: span.map(|span| enqueued.after(span)),
        });
    }

    /// Ticks; the tickets of each match that came of it.
    pub(crate) fn tick(&mut self, now: Millis) -> Vec<Vec<TicketId>> {
        self.engine.tick(now, 0).unwrap();
        self.now = now;
        let mut events = Vec::new();
        while self.engine.poll(&mut events, 1000) > 0 {}
        let ids = |event: &Event| match event {
            Event::Match(record) => Some(record.tickets.iter().map(|ticket| ticket.id).collect()),
            Event::Ended(_) => None,
        };
        events.iter().filter_map(ids).collect()
    }

    /// The tickets that wait.
    pub(crate) fn waiting(&self) -> Vec<&Accepted> {
        let waits = |ticket: &&Accepted| {
            self.engine.ticket(ticket.id).is_ok_and(|status| status.state == TicketState::Queued)
        };
        self.tickets.iter().filter(waits).collect()
    }
}
