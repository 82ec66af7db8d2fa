//! Which tickets a player stands in: one, or where the builder allows it one in each queue.
//!
//! Asked by calls from any thread, and by a running tick for the players of the matches that it makes. Invariant: what a
//! tick does with a ticket depends on what it has taken in alone; a ticket that came meanwhile stays.

use super::door::Door;
use super::intake::Intake;
use super::ticket::Ticket;
use crate::claim::commit::WordState;
use crate::claim::players::ENGINE_WIDE;
use crate::model::codes::{Code, EndReason, Refusal};
use crate::model::ids::{Millis, PlayerId, QueueId, TicketId};
use crate::queue::elsewhere::Elsewhere;

impl Door {
    /// Where the tickets of a queue enter their players.
    pub(super) fn scope(&self, queue: QueueId) -> u32 {
        if self.many_queues { queue.0 + 1 } else { ENGINE_WIDE }
    }

    /// The live ticket of a player that keeps him out of a queue.
    pub(super) fn live_ticket_of(&self, queue: QueueId, player: PlayerId) -> Option<TicketId> {
        self.players.get_in(self.scope(queue), player).filter(|&ticket| self.is_live(ticket))
    }

    /// The live tickets of a player, oldest first, those included that a running tick has taken but not yet handed
    /// over. Those of removed queues are not found where a player may stand in several.
    pub(super) fn tickets_of(&self, player: PlayerId) -> Vec<TicketId> {
        let mut found = Vec::new();
        let mut look_in = |scope: u32| {
            let Some(id) = self.players.get_in(scope, player) else { return };
            let Some(ticket) = self.ticket(id).filter(|ticket| !ticket.is_over()) else {
                return;
            };
            // Those that no tick has taken in yet have no number, and are the newest of their time.
            let is_new = !ticket.is_taken_in();
            found.push((self.told(&ticket).enqueued(), is_new, ticket.submit_number(), scope, id));
        };
        if self.many_queues {
            self.queues.all().iter().for_each(|queue| look_in(self.scope(queue.id)));
        } else {
            look_in(ENGINE_WIDE);
        }
        found.sort_unstable();
        found.into_iter().map(|(.., id)| id).collect()
    }

    /// Takes the tickets of a player out whole, or only one of them; says which was the oldest.
    pub(super) fn leave(
        &self,
        now: Millis,
        player: PlayerId,
        only: Option<TicketId>,
    ) -> Result<TicketId, Refusal> {
        let is_in = |ticket: &Ticket| self.told(ticket).players().any(|other| other == player);
        let tickets = match only {
            Some(id) => self.ticket(id).filter(|ticket| is_in(ticket)).map(|_| id).into_iter().collect(),
            None => self.tickets_of(player),
        };
        let mut answer = Err(Refusal::new(Code::NotFound, format!("player {:032x} does not wait", player.0)));
        for id in tickets {
            let Some(ticket) = self.ticket(id) else { continue };
            let told = self.told(&ticket);
            let is_party = told.player_count() + told.awaited() > 1;
            let reason = if is_party { EndReason::PartyMemberLeft } else { EndReason::Cancelled };
            match self.end(id, reason, now) {
                Ok(()) if matches!(&answer, Err(refusal) if refusal.code == Code::NotFound) => {
                    answer = Ok(id)
                }
                // One is in a match: the others are over all the same.
                Err(refusal) if refusal.code == Code::AlreadyMatched => answer = Err(refusal),
                Ok(()) | Err(_) => {}
            }
        }
        answer
    }
}

/// What a tick knows of the tickets, for the matches that it makes.
pub(super) struct Known<'a> {
    pub door: &'a Door,
    pub intake: &'a Intake,
    /// The time of the tick.
    pub now: Millis,
}

impl Elsewhere for Known<'_> {
    fn add_others(&self, queue: QueueId, tickets: &[TicketId], others: &mut Vec<TicketId>) {
        let from = others.len();
        let queues = || self.intake.queue_ids().filter(|&other| other != queue);
        for &id in tickets {
            let Some(ticket) = self.door.ticket(id) else { continue };
            let told = self.door.told(&ticket);
            for player in told.players() {
                for other in queues() {
                    let Some(id) = self.door.players.get_in(self.door.scope(other), player) else { continue };
                    let is_known = self.intake.knows(id, player, self.now);
                    if is_known
                        && !others[from..].contains(&id)
                        && self.door.claims.state(id) == WordState::Queued
                    {
                        others.push(id);
                    }
                }
            }
        }
        others[from..].sort_unstable_by_key(|&id| self.door.submit_number(id));
    }
}
