//! Tickets as JSON text, native or PlayFab's. For hosts that hand requests on as they come.
//!
//! Players have names there; the host says which id each name means. Reading is `config`'s, and everything else
//! is `submit` and `join`.

use super::Engine;
use crate::config::trace::{Joining, Submission, read_joining, read_submission};
use crate::config::{ConfigError, PlayfabMember, PlayfabTicket};
use crate::model::codes::{Code, Refusal};
use crate::model::ids::{Millis, PlayerId, TicketId};
use crate::model::request::{PlayerRequest, TicketRequest};
use std::sync::Arc;

impl Engine {
    /// Submits one ticket that is JSON text: the `submit` of a trace line (`{"queue", "players", ..}`, its name may
    /// be missing; or `{"playfab": {..}, "entities": {..}}`), or a PlayFab request by itself
    /// (`{"QueueName", "Creator" or "Members", ..}`). `id_of` gives each player's name an id.
    ///
    /// Errors: INVALID_FORMAT with everything that is wrong with the text; as [`Engine::submit`].
    pub fn submit_json(
        &self,
        now: Millis,
        json: &[u8],
        mut id_of: impl FnMut(&str) -> PlayerId,
    ) -> Result<TicketId, Refusal> {
        let request = match read_submission(json).map_err(|errors| invalid(&errors))? {
            Submission::Native(submit) => submit.request(id_of),
            Submission::Playfab(ticket) => self.playfab_request(&ticket, &mut id_of)?,
        };
        self.submit(now, request)
    }

    /// Lets a player join who is JSON text: the `player` of a trace line (`{"id", "attributes", "latency"}`), or a
    /// PlayFab request by itself or as `{"playfab": {..}, "entities": {..}}`, whose `TicketId` is not looked at.
    ///
    /// Errors: INVALID_FORMAT with everything that is wrong with the text; as [`Engine::join`].
    pub fn join_json(
        &self,
        now: Millis,
        ticket: TicketId,
        json: &[u8],
        id_of: impl FnOnce(&str) -> PlayerId,
    ) -> Result<usize, Refusal> {
        let player = match read_joining(json).map_err(|errors| invalid(&errors))? {
            Joining::Native(player) => player.request(id_of(&player.id)),
            Joining::Playfab(join) => self.playfab_player(ticket, &join.member, id_of(&join.member.id))?,
        };
        self.join(now, ticket, player)
    }

    /// A PlayFab ticket as its queue reads it, to be submitted. Errors: UNKNOWN_QUEUE, WRONG_TYPE.
    pub fn playfab_request(
        &self,
        ticket: &PlayfabTicket,
        id_of: impl FnMut(&str) -> PlayerId,
    ) -> Result<TicketRequest, Refusal> {
        let compiled = self.door.queues.named(&ticket.queue).map(|queue| Arc::clone(&queue.compiled));
        let unknown = || Refusal::new(Code::UnknownQueue, format!("no queue is named {:?}", ticket.queue));
        ticket.request(&compiled.ok_or_else(unknown)?.spec, id_of)
    }

    /// A member of PlayFab's who joins `ticket`, as its queue reads it. Errors: NOT_FOUND, WRONG_TYPE.
    pub fn playfab_player(
        &self,
        ticket: TicketId,
        member: &PlayfabMember,
        id: PlayerId,
    ) -> Result<PlayerRequest, Refusal> {
        let compiled = self.door.ticket(ticket).map(|ticket| Arc::clone(&ticket.queue.compiled));
        let unknown = || Refusal::new(Code::NotFound, "no such ticket is forming");
        member.player(&compiled.ok_or_else(unknown)?.spec, id)
    }
}

/// All errors of a text in one refusal.
fn invalid(errors: &[ConfigError]) -> Refusal {
    let texts: Vec<String> = errors.iter().map(ConfigError::to_string).collect();
    Refusal::new(Code::InvalidFormat, texts.join("; "))
}
