//! evenmatch through its public API: tickets are submitted as one batch, one tick, all events are polled.

use super::{Answer, Peer, Watch};
use crate::judge::request;
use crate::trace::{NOW_MS, Pair, REGIONS, Trace, queue};
use evenmatch::config::read_queue;
use evenmatch::{Engine, Event, Millis, TicketRequest};

/// An engine with one of its selections.
pub struct Evenmatch {
    selection: &'static str,
    /// Requests, which a host makes, and an engine without tickets.
    ready: Option<(Vec<TicketRequest>, Engine)>,
}

impl Evenmatch {
    pub fn oldest_first() -> Evenmatch {
        Evenmatch { selection: "oldest_first", ready: None }
    }

    pub fn least_cost() -> Evenmatch {
        Evenmatch { selection: "least_cost", ready: None }
    }
}

impl Peer for Evenmatch {
    fn name(&self) -> &'static str {
        if self.selection == "oldest_first" { "evenmatch, oldest_first" } else { "evenmatch, least_cost" }
    }

    fn how(&self) -> &'static str {
        "a batch submit, one tick in one thread, and all events polled; with 128-bit player ids, and all checks of the door"
    }

    fn is_ours(&self) -> bool {
        true
    }

    fn prepare(&mut self, trace: &Trace) -> Result<(), String> {
        let requests =
            trace.tickets.iter().enumerate().map(|(place, ticket)| request(ticket, place)).collect();
        let engine = Engine::builder().capacity(trace.tickets.len() as u32).retained(0).build();
        self.ready = Some((requests, engine.map_err(|refusal| refusal.to_string())?));
        Ok(())
    }

    fn run(&mut self, _: &Trace) -> Result<Answer, String> {
        let watch = Watch::new();
        let (requests, engine) = self.ready.take().ok_or("not prepared")?;
        let lacks = format!("this evenmatch has no {} yet", self.selection);
        let spec = read_queue(&queue(self.selection)).map_err(|_| lacks.clone())?;
        engine.add_queue(spec).map_err(|_| lacks)?;
        let mut events = Vec::with_capacity(requests.len() / 2 + 1);
        let now = Millis(NOW_MS);
        let begun = watch.start();
        let answers = engine.submit_batch(now, requests);
        let taking_in = watch.took(begun);
        if let Some(refusal) = answers.into_iter().find_map(Result::err) {
            return Err(refusal.to_string());
        }
        let begun = watch.start();
        engine.tick(now, 0).map_err(|refusal| refusal.to_string())?;
        let matching = watch.took(begun);
        let begun = watch.start();
        engine.poll(&mut events, usize::MAX);
        let handing_over = watch.took(begun);
        let mut pairs = Vec::with_capacity(events.len());
        for event in &events {
            let Event::Match(record) = event else { return Err("a ticket ended without a match".to_owned()) };
            let [a, b] = [0, 1].map(|side| record.tickets[side].user_data as usize);
            let region = REGIONS.iter().position(|name| record.region.as_deref() == Some(*name));
            pairs.push(Pair { a, b, region: region.ok_or("an unknown region")? });
        }
        Ok(Answer { taking_in, matching, handing_over, pairs })
    }
}
