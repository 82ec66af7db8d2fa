//! How tickets and players leave: at once, or in the middle of a tick where a record says so. Part of the replay.
//!
//! Invariant: a line that met a recorded tick is given to the engine behind as many claims of the replayed one, so
//! that the tick sees of it what it saw then.

use super::{Replay, unknown};
use crate::failure::Failure;
use evenmatch::config::write::Subject;
use evenmatch::engine::Engine;
use evenmatch::model::codes::Refusal;
use evenmatch::model::ids::{Millis, PlayerId, TicketId};
use evenmatch::model::status::TickReport;

/// Who leaves, by the names of the trace.
pub(super) enum Departure {
    /// A ticket.
    Ticket(String),
    /// A player, with all of his tickets or with that one.
    Player(String, Option<String>),
}

/// Who leaves, by the engine's ids.
#[derive(Clone, Copy)]
enum Leaving {
    Ticket(TicketId),
    Player(PlayerId, Option<TicketId>),
}

/// A departure that waits for the tick that it meets.
pub(super) struct Held {
    at: Millis,
    /// Behind so many claims of the tick.
    claims: u64,
    who: Departure,
    leaving: Leaving,
}

impl Departure {
    fn subject(&self) -> Subject<'_> {
        match self {
            Departure::Ticket(name) => Subject::Ticket(name),
            Departure::Player(name, _) => Subject::Player(name),
        }
    }
}

impl Leaving {
    fn leave(self, engine: &Engine, at: Millis) -> Result<(), Refusal> {
        match self {
            Leaving::Ticket(id) => engine.cancel(at, id),
            Leaving::Player(id, None) => engine.leave(at, id).map(drop),
            Leaving::Player(id, Some(ticket)) => engine.leave_ticket(at, id, ticket),
        }
    }
}

impl Replay<'_> {
    /// Lets a ticket or a player leave; `in_tick`: only within the next tick, behind so many of its claims.
    pub(super) fn depart(&mut self, at: Millis, who: Departure, in_tick: Option<u64>) -> Result<(), Failure> {
        let leaving = match self.leaving(&who) {
            Ok(leaving) => leaving,
            Err(refusal) => return self.refuse(who.subject(), refusal),
        };
        if let Some(claims) = in_tick {
            self.held.push(Held { at, claims, who, leaving });
            return Ok(());
        }
        let done = self.timed(|engine| leaving.leave(engine, at));
        self.answer(who.subject(), done)
    }

    fn leaving(&self, who: &Departure) -> Result<Leaving, Refusal> {
        let ticket =
            |name: &String| self.names.ticket(name).map(|it| it.id).ok_or_else(|| unknown("ticket", name));
        Ok(match who {
            Departure::Ticket(name) => Leaving::Ticket(ticket(name)?),
            Departure::Player(name, of) => {
                let player = self.names.known_player(name).ok_or_else(|| unknown("player", name))?;
                Leaving::Player(player, of.as_ref().map(ticket).transpose()?)
            }
        })
    }

    /// Runs a tick with the departures that are held for it.
    pub(super) fn tick_with_held(&mut self, at: Millis, budget: u64) -> Result<TickReport, Failure> {
        let held = std::mem::take(&mut self.held);
        let is_alone = held.is_empty();
        let mut held = held.into_iter().peekable();
        let mut answers = Vec::new();
        let done = self.timed(|engine| match is_alone {
            true => engine.tick(at, budget),
            false => engine.tick_meeting(at, budget, &mut |claims| {
                while let Some(it) = held.next_if(|it| it.claims <= claims) {
                    answers.push((it.leaving.leave(engine, it.at), it.who));
                }
            }),
        });
        for (answer, who) in answers {
            self.answer(who.subject(), answer)?;
        }
        done.map_err(|refusal| Failure::input(format!("tick at {at} s: {refusal}")))
    }
}
