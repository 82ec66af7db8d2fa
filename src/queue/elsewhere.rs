//! The other tickets of a match's players: a player who may stand in several queues leaves all of them with his
//! match.
//!
//! The tick implements [`Elsewhere`], as it knows who a ticket's players are; a queue commits by [`Commits`]. Invariant:
//! a match and the ends of its players' other tickets are one step, so nobody is seen matched and waiting.

use crate::claim::commit::Claims;
use crate::model::ids::{MatchId, QueueId, TicketId};

/// Who knows in which other queues the players of a ticket wait.
pub trait Elsewhere {
    /// Appends the tickets that the players of these `tickets`, all of one queue, wait with in other queues: each
    /// once, in the order of submits, as far as the tick has taken them in.
    fn add_others(&self, queue: QueueId, tickets: &[TicketId], others: &mut Vec<TicketId>);
}

/// How the matches of a tick are committed.
#[derive(Clone, Copy)]
pub struct Commits<'a> {
    /// The words of all tickets.
    pub claims: &'a Claims,
    /// Where else players wait; `None`: nowhere, a player stands in one queue at a time.
    pub elsewhere: Option<&'a dyn Elsewhere>,
}

impl<'a> From<&'a Claims> for Commits<'a> {
    fn from(claims: &'a Claims) -> Commits<'a> {
        Commits { claims, elsewhere: None }
    }
}

impl Commits<'_> {
    /// Commits a match of one queue and appends to `others` the tickets of its players that have ended with it. Error: a
    /// ticket of the match that is gone; then nothing has happened.
    pub(super) fn commit(
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
