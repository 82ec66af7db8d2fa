//! How tickets and members of a trace come in, native or PlayFab's. Part of the replay.
//!
//! Invariant: a ticket that was accepted is counted with all of its players, those who are still to join included.

use super::{Replay, unknown};
use crate::failure::Failure;
use evenmatch::config::trace::{TraceJoin, TraceSubmit};
use evenmatch::config::write::Subject;
use evenmatch::config::{PlayfabJoin, PlayfabTicket};
use evenmatch::engine::Engine;
use evenmatch::model::codes::{Code, Refusal};
use evenmatch::model::ids::{Millis, PlayerId, TicketId};
use evenmatch::model::request::{PlayerRequest, TicketRequest};

impl Replay<'_> {
    /// Submits a ticket of the native format.
    pub(super) fn submit(&mut self, at: Millis, submit: &TraceSubmit) -> Result<(), Failure> {
        let size = submit.players.len() + submit.awaits.len();
        let Some(number) = self.new_ticket(&submit.ticket, size)? else { return Ok(()) };
        let names = &mut self.names;
        let request = submit.request(|name| names.player(name));
        self.enter(at, &submit.ticket, number, Ok(request))
    }

    /// Submits a ticket of PlayFab's format.
    pub(super) fn submit_playfab(&mut self, at: Millis, submit: &PlayfabTicket) -> Result<(), Failure> {
        let size = submit.members.len() + submit.awaits.len();
        let Some(number) = self.new_ticket(&submit.ticket, size)? else { return Ok(()) };
        let names = &mut self.names;
        let request = self.engine.playfab_request(submit, |name| names.player(name));
        self.enter(at, &submit.ticket, number, request)
    }

    /// Lets a player join a forming ticket.
    pub(super) fn join(&mut self, at: Millis, join: &TraceJoin) -> Result<(), Failure> {
        let player = join.player.request(self.names.player(&join.player.id));
        self.let_join(at, &join.ticket, &join.player.id, |_, _| Ok(player))
    }

    /// Lets a player join a forming ticket, in PlayFab's format.
    pub(super) fn join_playfab(&mut self, at: Millis, join: &PlayfabJoin) -> Result<(), Failure> {
        let id = self.names.player(&join.member.id);
        self.let_join(at, &join.ticket, &join.member.id, |engine, ticket| {
            engine.playfab_player(ticket, &join.member, id)
        })
    }

    /// The number of a ticket's name; `None` if it stood before, which has been answered.
    fn new_ticket(&mut self, name: &str, size: usize) -> Result<Option<u64>, Failure> {
        let number = self.names.new_ticket(name, size);
        if number.is_none() {
            let detail =
                format!("ticket {name:?} stood in an earlier line; give every ticket a name of its own");
            if self.options.strict {
                return Err(Failure::input(format!("{}:{}: {detail}", self.options.file, self.line)));
            }
            self.refuse(Subject::Ticket(name), Refusal::new(Code::DuplicateName, detail))?;
        }
        Ok(number)
    }

    fn enter(
        &mut self,
        at: Millis,
        name: &str,
        number: u64,
        request: Result<TicketRequest, Refusal>,
    ) -> Result<(), Failure> {
        let subject = Subject::Ticket(name);
        let request = match request {
            Ok(request) => TicketRequest { user_data: number, ..request },
            Err(refusal) => return self.refuse(subject, refusal),
        };
        let joined = request.players.iter().map(|player| player.id);
        let players: Vec<PlayerId> = joined.chain(request.awaits.iter().copied()).collect();
        match self.timed(|engine| engine.submit(at, request)) {
            Ok(id) => {
                self.names.set_ticket(number, id);
                self.came_in(name);
                self.accepted(number, players.len());
                Ok(())
            }
            Err(refusal) => {
                let refusal = self.in_names(refusal, &players);
                self.refuse(subject, refusal)
            }
        }
    }

    fn let_join(
        &mut self,
        at: Millis,
        ticket: &str,
        player: &str,
        request: impl FnOnce(&Engine, TicketId) -> Result<PlayerRequest, Refusal>,
    ) -> Result<(), Failure> {
        let subject = Subject::Ticket(ticket);
        let Some(it) = self.names.ticket(ticket) else {
            return self.refuse(subject, unknown("ticket", ticket));
        };
        let request = request(self.engine, it.id);
        let joined = request.and_then(|request| {
            let id = request.id;
            self.timed(|engine| engine.join(at, it.id, request)).map_err(|refusal| match refusal.code {
                Code::NotFound => {
                    let detail = format!("it is not forming, or does not await player {player}");
                    Refusal { detail, ..refusal }
                }
                _ => self.in_names(refusal, &[id]),
            })
        });
        match joined {
            Ok(_) => Ok(()),
            Err(refusal) => self.refuse(subject, refusal),
        }
    }
}
