//! evenmatch through its public API: tickets are submitted as one batch, one tick, all events are polled.

use super::{Answer, Peer, Watch};
use crate::trace::{NOW_MS, Pair, REGIONS, Trace, queue};
use evenmatch::base::fixed::Fixed;
use evenmatch::config::read_queue;
use evenmatch::{Engine, EventBuffer, FlatEvent, Millis, PlainTicket, PlainValue};

/// An engine with one of its selections.
pub struct Evenmatch {
    selection: &'static str,
    /// What a host has of each ticket: its value and its pings; and an engine without tickets.
    ready: Option<(Vec<Brought>, Engine)>,
}

/// A ticket's value and pings, in the order of the layout.
type Brought = ([PlainValue; 1], [Option<Fixed>; REGIONS.len()]);

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
        "plain tickets as one batch, one tick in one thread, and all events polled into flat arrays; with 128-bit player \
         ids, and all checks of the door"
    }

    fn is_ours(&self) -> bool {
        true
    }

    fn prepare(&mut self, trace: &Trace) -> Result<(), String> {
        let brought = trace.tickets.iter().map(|ticket| {
            let number = |value: u16| Fixed::from_int(value.into());
            ([PlainValue::Number(number(ticket.skill))], ticket.pings.map(|ping| Some(number(ping))))
        });
        let engine = Engine::builder().capacity(trace.tickets.len() as u32).retained(0).build();
        self.ready = Some((brought.collect(), engine.map_err(|refusal| refusal.to_string())?));
        Ok(())
    }

    fn run(&mut self, trace: &Trace) -> Result<Answer, String> {
        let watch = Watch::new();
        let (brought, engine) = self.ready.take().ok_or("not prepared")?;
        let lacks = format!("this evenmatch has no {}", self.selection);
        let spec = read_queue(&queue(self.selection)).map_err(|_| lacks.clone())?;
        let queue = engine.add_queue(spec).map_err(|_| lacks)?;
        let layout = engine.layout(queue, &["skill"], &REGIONS).map_err(|refusal| refusal.to_string())?;
        let tickets =
            trace.tickets.iter().zip(&brought).enumerate().map(|(place, (ticket, (values, pings_ms)))| {
                PlainTicket {
                    players: std::slice::from_ref(&ticket.player),
                    values,
                    pings_ms,
                    enqueued: Some(Millis(ticket.enqueued_ms)),
                    user_data: place as u64,
                }
            });
        let mut answers = Vec::with_capacity(trace.tickets.len());
        let mut events = EventBuffer::default();
        let now = Millis(NOW_MS);
        let begun = watch.start();
        engine.submit_plain(now, &layout, tickets, &mut answers);
        let taking_in = watch.took(begun);
        if let Some(refusal) = answers.into_iter().find_map(Result::err) {
            return Err(refusal.to_string());
        }
        let begun = watch.start();
        engine.tick(now, 0).map_err(|refusal| refusal.to_string())?;
        let matching = watch.took(begun);
        let begun = watch.start();
        engine.poll_into(&mut events, usize::MAX);
        let handing_over = watch.took(begun);
        let mut pairs = Vec::with_capacity(events.events.len());
        for event in &events.events {
            let FlatEvent::Match(found) = event else {
                return Err("a ticket ended without a match".to_owned());
            };
            let tickets = &events.tickets[found.tickets.clone()];
            let [a, b] = [0, 1].map(|side| tickets[side].user_data as usize);
            let played = events.regions[found.regions.clone()].first();
            let region = REGIONS.iter().position(|name| played.is_some_and(|played| **played == **name));
            pairs.push(Pair { a, b, region: region.ok_or("an unknown region")? });
        }
        Ok(Answer { taking_in, matching, handing_over, pairs })
    }
}
