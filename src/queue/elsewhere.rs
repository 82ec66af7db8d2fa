//! How a tick claims tickets, and the other tickets of a match's players: a player who may stand in several queues
//! leaves all of them with his match.
//!
//! The tick implements [`Elsewhere`], as it knows who a ticket's players are, and [`InTurn`], if an order of claims is
//! kept; a queue commits and ends by [`Commits`]. Invariant: a match and the ends of its players' other tickets are one
//! step, so nobody is seen matched and waiting.

use crate::claim::commit::{Claims, EndOutcome};
use crate::model::ids::{MatchId, QueueId, TicketId};

/// Who knows in which other queues the players of a ticket wait.
pub trait Elsewhere {
    /// Appends the tickets that the players of these `tickets`, all of one queue, wait with in other queues: each
    /// once, in the order of submits, as far as the tick has taken them in.
    fn add_others(&self, queue: QueueId, tickets: &[TicketId], others: &mut Vec<TicketId>);
}

/// Who keeps the order of a tick's claims and of the calls that meet them.
pub trait InTurn {
    /// Calls `claim` at once, with no call in between that ends a ticket.
    fn claim(&self, claim: &mut dyn FnMut());
}

/// How the matches of a tick are committed, and its tickets ended.
#[derive(Clone, Copy)]
pub struct Commits<'a> {
    /// The words of all tickets.
    pub claims: &'a Claims,
    /// Where else players wait; `None`: nowhere, a player stands in one queue at a time.
    pub elsewhere: Option<&'a dyn Elsewhere>,
    /// `None`: claims meet calls in any order.
    pub turns: Option<&'a dyn InTurn>,
}

impl<'a> From<&'a Claims> for Commits<'a> {
    fn from(claims: &'a Claims) -> Commits<'a> {
        Commits { claims, elsewhere: None, turns: None }
    }
}

impl Commits<'_> {
    /// Ends a ticket; whether this did it.
    pub fn end(&self, id: TicketId) -> bool {
        self.in_turn(|| self.claims.end(id) == EndOutcome::Ended)
    }

    /// Commits a match of one queue and appends to `others` the tickets of its players that have ended with it. Error: a
    /// ticket of the match that is gone; then nothing has happened.
    pub(super) fn commit(
        &self,
        queue: QueueId,
        of: MatchId,
        tickets: &[TicketId],
        others: &mut Vec<TicketId>,
    ) -> Result<(), TicketId> {
        self.in_turn(|| self.commit_now(queue, of, tickets, others))
    }

    fn in_turn<T>(&self, mut claim: impl FnMut() -> T) -> T {
        let Some(turns) = self.turns else { return claim() };
        let mut answer = None;
        turns.claim(&mut || answer = Some(claim()));
        // Whoever keeps turns may not leave a claim out.
        answer.unwrap_or_else(claim)
    }

    fn commit_now(
        &self,
        queue: QueueId,
        of: MatchId,
        tickets: &[TicketId],
        others: &mut Vec<TicketId>,
    ) -> Result<(), TicketId> {
        let Some(elsewhere) = self.elsewhere else { return self.claims.commit(of, tickets) };
        let from = others.len();
        elsewhere.add_others(queue, tickets, others);
        loop {
            let Err(gone) = self.claims.commit_with(of, tickets, &others[from..]) else { return Ok(()) };
            // One that its host has ended meanwhile need not end any more. Matched it cannot be: queues go one
            // after the other.
            match others[from..].iter().position(|&other| other == gone) {
                Some(at) => drop(others.remove(from + at)),
                None => {
                    others.truncate(from);
                    return Err(gone);
                }
            }
        }
    }
}
