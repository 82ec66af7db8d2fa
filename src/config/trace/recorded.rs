//! What a host has asked, back as the actions of a trace: ids become names.
//!
//! Called by the engine's record. Invariant: reading the action again, with the same names, gives an equal request.

use super::line::{TracePlayer, TracePlayerUpdate, TraceSubmit, TraceUpdate};
use crate::config::write::Names;
use crate::model::request::{PlayerRequest, TicketRequest};

impl TraceSubmit {
    /// The submit of a ticket of that name.
    pub fn recorded(request: &TicketRequest, ticket: String, names: &impl Names) -> TraceSubmit {
        TraceSubmit {
            ticket,
            queue: request.queue.clone(),
            players: request.players.iter().map(|player| TracePlayer::recorded(player, names)).collect(),
            awaits: request.awaits.iter().map(|&id| names.player(id).into_owned()).collect(),
            latency: request.latency.clone(),
            regions: request.regions.clone(),
            limits: request.limits.clone(),
            timeout: request.timeout,
            enqueued: request.enqueued,
            user_data: request.user_data,
        }
    }
}

impl TracePlayer {
    /// The player of a submit or a join.
    pub fn recorded(player: &PlayerRequest, names: &impl Names) -> TracePlayer {
        TracePlayer {
            id: names.player(player.id).into_owned(),
            attributes: player.attributes.clone(),
            latency: player.latency.clone(),
        }
    }
}

impl TraceUpdate {
    /// The update that makes any earlier state of the ticket equal to this request.
    pub fn recorded(request: &TicketRequest, ticket: String, names: &impl Names) -> TraceUpdate {
        let player = |player: &PlayerRequest| TracePlayerUpdate {
            id: names.player(player.id).into_owned(),
            attributes: Some(player.attributes.clone()),
            latency: (!player.latency.is_empty()).then(|| player.latency.clone()),
        };
        TraceUpdate {
            ticket,
            players: request.players.iter().map(player).collect(),
            // Replaces that of all players too, so those without their own need no word.
            latency: Some(request.latency.clone()),
            limits: Some(request.limits.clone()),
            regions: Some(request.regions.clone()),
            timeout: Some(request.timeout),
        }
    }
}
