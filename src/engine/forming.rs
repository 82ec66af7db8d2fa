//! Forming tickets: members are still to join, so no search knows them.
//!
//! A forming ticket holds a slot and the players who have joined; players it awaits are free until they join. When
//! the last one has joined it is taken in like a ticket that is submitted at that moment.
//!
//! ```text
//! submit with awaits -> forming -- last join --> queued
//!                          '-- cancel, leave, timeout, queue removed, close --> ended
//! ```
//!
//! Two joins at once each make a new version of the ticket; the one whose exchange comes second starts again from
//! the other's. A join and an end: the join looks at the claim after its exchange, the end at the version after its
//! own, so one of them lets the player go.

use super::calls::{Call, Origin};
use super::door::{Door, already_matched, count, id_of};
use super::prepare::{Prepared, check_forming, prepare};
use super::submit::{Admitted, arrived, deadline};
use super::ticket::{Rare, Texts, Ticket, Version};
use crate::base::shelf::Ref;
use crate::base::sync::{Ordering, fence};
use crate::claim::commit::WordState;
use crate::model::codes::{Code, Refusal};
use crate::model::ids::{Millis, PlayerId, TicketId};
use crate::model::request::{PlayerRequest, TicketRequest};
use crate::store::tickets::TicketValues;
use std::sync::Arc;

fn not_found() -> Refusal {
    Refusal::new(Code::NotFound, "no such ticket is forming")
}

impl Door {
    /// Takes in a ticket that awaits members.
    pub(super) fn admit_forming(&self, request: TicketRequest, created: Millis) -> Result<Admitted, Refusal> {
        let queue = self.queues.open(&request.queue)?;
        self.check_room(&queue)?;
        check_forming(&queue.compiled, &request, &queue.regions)?;
        let players: Vec<PlayerId> = request.players.iter().map(|player| player.id).collect();
        let id = self.take_slot(&queue, &players)?;
        let version = Arc::new(Version {
            number: 0,
            enqueued: created,
            deadline: deadline(&queue.compiled, created, request.timeout),
            request,
            values: TicketValues::default(),
            texts: Texts::default(),
        });
        count(&self.counts.forming);
        self.seat(id, Ticket::rare(queue, Rare::new(Arc::clone(&version), created, 0, id)));
        Ok(Admitted { id, call: Call::Form(id, version) })
    }

    /// Lets a player join; says how many are still awaited.
    pub(super) fn join(&self, now: Millis, id: TicketId, player: PlayerRequest) -> Result<usize, Refusal> {
        let ticket = self.forming_ticket(id)?;
        let queue = self.queues.get(ticket.queue.id).map_err(|_| not_found())?;
        let versions = &ticket.rare.get().ok_or_else(not_found)?.versions;
        loop {
            let seen = versions.load();
            let mut request = seen.request.clone();
            if request.awaits.is_empty() {
                return Err(not_found());
            }
            let Some(place) = request.awaits.iter().position(|&awaited| awaited == player.id) else {
                let detail = format!("the ticket does not await player {:032x}", player.id.0);
                return Err(Refusal::new(Code::NotFound, detail));
            };
            request.awaits.remove(place);
            request.players.push(player.clone());
            let awaited = request.awaits.len();
            let prepared = if awaited > 0 {
                check_forming(&queue.compiled, &request, &queue.regions)?;
                None
            } else {
                Some(prepare(&queue.compiled, &request, &queue.regions, || Ok(()))?)
            };
            self.claim_players(queue.id, &[player.id], id)?;
            self.pass("join: claimed");
            let (values, texts, hold) = match prepared {
                None => (TicketValues::default(), Texts::default(), None),
                Some(Prepared { values, texts, hold }) => (values, texts, Some(hold)),
            };
            let version = Arc::new(Version {
                number: seen.number + 1,
                enqueued: if hold.is_some() { now } else { seen.enqueued },
                deadline: seen.deadline,
                request,
                values,
                texts,
            });
            if versions.compare_replace(seen, Arc::clone(&version)).is_err() {
                // Another thread was first. If that was this very player's other join, he stays entered.
                let is_in = versions.load().request.players.iter().any(|other| other.id == player.id);
                if !is_in {
                    self.players.release_in(self.scope(queue.id), player.id, id);
                }
                continue;
            }
            if hold.is_some() {
                self.forms_no_longer(&ticket);
                // A tick that is running has it among those that form. Acquire as in `end`.
                if self.running.load(Ordering::Acquire) == u64::MAX {
                    ticket.set_taken_in(false);
                }
            }
            // Pairs with the fence in `finishing`.
            fence(Ordering::SeqCst);
            self.pass("join: replaced");
            if self.claims.state(id) != WordState::Queued {
                self.players.release_in(self.scope(queue.id), player.id, id);
                return Err(not_found());
            }
            let call = match hold {
                Some(hold) => {
                    Call::Arrive(Box::new(arrived(id, &ticket.queue, &version, hold, Origin::Join)))
                }
                None => Call::Join(id, version),
            };
            self.ingress.push((now, call));
            return Ok(awaited);
        }
    }

    /// Replaces the request of a forming ticket at once: no search has seen it. `None`: it forms no longer.
    pub(super) fn update_forming(
        &self,
        now: Millis,
        ticket: &Ref<'_, Ticket>,
        change: impl Fn(&TicketRequest) -> Result<TicketRequest, Refusal>,
    ) -> Option<Result<(), Refusal>> {
        let rare = ticket.rare.get()?;
        loop {
            let seen = rare.versions.load();
            if seen.request.awaits.is_empty() {
                return None;
            }
            let request = match change(&seen.request) {
                Ok(request) => request,
                Err(refusal) => return Some(Err(refusal)),
            };
            let compiled = &ticket.queue.compiled;
            if let Err(refusal) = check_forming(compiled, &request, &ticket.queue.regions) {
                return Some(Err(refusal));
            }
            let version = Arc::new(Version {
                number: seen.number + 1,
                enqueued: seen.enqueued,
                deadline: deadline(compiled, rare.created, request.timeout),
                request,
                values: TicketValues::default(),
                texts: Texts::default(),
            });
            if rare.versions.compare_replace(seen, Arc::clone(&version)).is_ok() {
                self.ingress.push((now, Call::Form(id_of(ticket), version)));
                return Some(Ok(()));
            }
        }
    }

    fn forming_ticket(&self, id: TicketId) -> Result<Ref<'_, Ticket>, Refusal> {
        match self.claims.state(id) {
            WordState::Matched(of) => return Err(already_matched(of)),
            WordState::Queued => {}
            _ => return Err(not_found()),
        }
        let ticket = self.ticket(id).ok_or_else(not_found)?;
        if self.told(&ticket).awaited() == 0 { Err(not_found()) } else { Ok(ticket) }
    }
}
