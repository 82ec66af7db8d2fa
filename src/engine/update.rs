//! A waiting ticket is changed: what it asks for and what it brings, never who it is or since when it waits.
//!
//! The change is checked as a submit is and refused whole; the next tick takes it in (of a forming ticket it is taken
//! at once, as no search knows it). If a running tick takes the
//! ticket first, the match stands and says that the update was lost.

use super::calls::Call;
use super::door::{Door, already_matched};
use super::prepare::{Prepared, prepare};
use super::submit::deadline;
use super::ticket::{End, Rare, Version};
use crate::base::sync::{Ordering, fence};
use crate::claim::commit::WordState;
use crate::model::codes::{Code, Refusal};
use crate::model::ids::{Millis, PlayerId, TicketId};
use crate::model::request::{TicketRequest, TicketUpdate};
use std::sync::Arc;

impl Door {
    /// Changes a waiting ticket from the next tick on.
    pub(super) fn update(&self, now: Millis, id: TicketId, update: &TicketUpdate) -> Result<(), Refusal> {
        let not_found = || Refusal::new(Code::NotFound, "no such ticket waits");
        match self.claims.state(id) {
            WordState::Matched(of) => return Err(already_matched(of)),
            WordState::Queued => {}
            _ => return Err(not_found()),
        }
        let ticket = self.ticket(id).ok_or_else(not_found)?;
        if let Some(answer) = self.update_forming(now, &ticket, |request| updated(request, update)) {
            return answer;
        }
        // A queue that was removed ends its tickets at the next tick.
        let queue = self.queues.get(ticket.queue.id).map_err(|_| not_found())?;
        let change = |number: u64, enqueued: Millis, created: Millis, old: &TicketRequest| {
            let request = updated(old, update)?;
            let Prepared { values, texts, hold } =
                prepare(&queue.compiled, &request, &queue.regions, || Ok(()))?;
            let deadline = deadline(&queue.compiled, created, request.timeout);
            let version = Version { number: number + 1, enqueued, deadline, request, values, texts };
            Ok((Arc::new(version), hold))
        };
        let (version, hold) = loop {
            match ticket.rare.get() {
                Some(rare) => {
                    let seen = rare.versions.load();
                    let (version, hold) = change(seen.number, seen.enqueued, rare.created, &seen.request)?;
                    if rare.versions.compare_replace(seen, Arc::clone(&version)).is_ok() {
                        break (version, hold);
                    }
                }
                None => {
                    let told = self.told_plain(&ticket);
                    let enqueued = told.enqueued();
                    let (version, hold) = change(0, enqueued, enqueued, &told.request())?;
                    let rare = Rare::new(Arc::clone(&version), enqueued, 0, id);
                    if ticket.rare.set(Box::new(rare)).is_ok() {
                        break (version, hold);
                    }
                }
            }
        };
        // A poll that comes from now on sees this version, and says that it was lost if a tick was first; or we
        // see the terminal event that it has. Pairs with the fence in `poll`.
        fence(Ordering::SeqCst);
        self.pass("update: replaced");
        if let Some(terminal) = ticket.terminal() {
            return Err(match terminal.end {
                End::Matched(_) => self.too_late(id),
                End::Ended(_) => not_found(),
            });
        }
        self.ingress.push((now, Call::Update(id, Box::new((version, hold)))));
        Ok(())
    }
}

impl Door {
    /// The answer to a call that came behind the ticket's match.
    fn too_late(&self, id: TicketId) -> Refusal {
        match self.claims.state(id) {
            WordState::Matched(of) => already_matched(of),
            // It has been polled and forgotten meanwhile.
            _ => Refusal::new(Code::NotFound, "no such ticket waits"),
        }
    }
}

/// A request with the fields of an update in the place of its own.
fn updated(old: &TicketRequest, update: &TicketUpdate) -> Result<TicketRequest, Refusal> {
    let mut request = old.clone();
    let find =
        |request: &TicketRequest, id: PlayerId| {
            request.players.iter().position(|player| player.id == id).ok_or_else(|| {
                Refusal::new(Code::NotFound, format!("player {:032x} is not in the ticket", id.0))
            })
        };
    if let Some(latency) = &update.latency {
        request.latency.clone_from(latency);
        for player in &mut request.players {
            player.latency.clear();
        }
    }
    for (id, latency) in update.player_latency.iter().flatten() {
        let at = find(&request, *id)?;
        request.players[at].latency.clone_from(latency);
    }
    for (id, attributes) in update.attributes.iter().flatten() {
        let at = find(&request, *id)?;
        request.players[at].attributes.clone_from(attributes);
    }
    if let Some(limits) = &update.limits {
        request.limits.clone_from(limits);
    }
    if let Some(regions) = &update.regions {
        request.regions.clone_from(regions);
    }
    if let Some(timeout) = update.timeout {
        request.timeout = timeout;
    }
    Ok(request)
}
