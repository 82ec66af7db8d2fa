//! A waiting ticket is changed: what it asks for and what it brings, never who it is or since when it waits.
//!
//! The change is checked as a submit is and refused whole; the next tick takes it in (of a forming ticket it is taken
//! at once, as no search knows it). If a running tick takes the
//! ticket first, the match stands and says that the update was lost.

use super::door::{Door, already_matched};
use super::prepare::{Prepared, prepare};
use super::slot::{Held, Life, PendingUpdate};
use super::submit::deadline;
use crate::claim::commit::{Claims, WordState};
use crate::model::codes::{Code, Refusal};
use crate::model::ids::{PlayerId, TicketId};
use crate::model::request::{TicketRequest, TicketUpdate};
use crate::queue::matcher::Input;
use std::sync::Arc;

impl Door {
    /// Changes a waiting ticket from the next tick on.
    pub(super) fn update(
        &mut self,
        claims: &Claims,
        id: TicketId,
        update: TicketUpdate,
    ) -> Result<(), Refusal> {
        match claims.state(id) {
            WordState::Matched(of) => return Err(already_matched(of)),
            WordState::Queued => {}
            _ => return Err(Refusal::new(Code::NotFound, "no such ticket waits")),
        }
        let not_found = || Refusal::new(Code::NotFound, "no such ticket waits");
        let slot = self.slot(id).ok_or_else(not_found)?;
        let (queue_id, created, life) = (slot.queue, slot.created, slot.life);
        let request = updated(slot.latest_request(), update)?;
        if life == Life::Forming {
            return self.update_forming(id, request);
        }
        let at = self.queues.iter().position(|queue| queue.id == queue_id).ok_or_else(not_found)?;
        let queue = &mut self.queues[at];
        let compiled = Arc::clone(&queue.compiled);
        let prepared = prepare(&compiled, &request, &mut queue.regions, &mut self.strings, || Ok(()))?;
        let deadline = deadline(&compiled, created, request.timeout);
        let Prepared { values, strings, region_mask } = prepared;
        let pending = PendingUpdate {
            request,
            held: Held { strings, region_mask },
            pings: values.pings.clone(),
            deadline,
        };
        let slot = self.slot_mut(id).ok_or_else(not_found)?;
        if let Some(replaced) = slot.pending.replace(Box::new(pending)) {
            self.to_release.push((queue_id, replaced.held));
        }
        self.inbox.push(Input::Update(id, Box::new((values, deadline))));
        Ok(())
    }
}

/// A request with the fields of an update in the place of its own.
fn updated(old: &TicketRequest, update: TicketUpdate) -> Result<TicketRequest, Refusal> {
    let mut request = old.clone();
    let find =
        |request: &TicketRequest, id: PlayerId| {
            request.players.iter().position(|player| player.id == id).ok_or_else(|| {
                Refusal::new(Code::NotFound, format!("player {:032x} is not in the ticket", id.0))
            })
        };
    if let Some(latency) = update.latency {
        request.latency = latency;
        for player in &mut request.players {
            player.latency.clear();
        }
    }
    for (id, latency) in update.player_latency.into_iter().flatten() {
        let at = find(&request, id)?;
        request.players[at].latency = latency;
    }
    for (id, attributes) in update.attributes.into_iter().flatten() {
        let at = find(&request, id)?;
        request.players[at].attributes = attributes;
    }
    if let Some(limits) = update.limits {
        request.limits = limits;
    }
    if let Some(regions) = update.regions {
        request.regions = regions;
    }
    if let Some(timeout) = update.timeout {
        request.timeout = timeout;
    }
    Ok(request)
}
