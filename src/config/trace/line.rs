//! What a line of a trace says, with tickets, players and matches by name. Made by the reader, taken by
//! whoever replays; nothing here reads or computes.

use crate::base::fixed::Decimal;
use crate::config::playfab::{PlayfabJoin, PlayfabTicket};
use crate::model::attribute::AttributeValue;
use crate::model::ids::{Millis, PlayerId};
use crate::model::request::{PlayerRequest, TicketLimits, TicketRequest, TicketUpdate};

/// One line of a trace.
#[derive(Clone, PartialEq, Debug)]
pub struct TraceLine {
    /// The time since the start of the trace.
    pub at: Millis,
    /// What happened.
    pub action: TraceAction,
}

/// What happened in a line.
#[derive(Clone, PartialEq, Debug)]
pub enum TraceAction {
    /// A ticket was submitted.
    Submit(Box<TraceSubmit>),
    /// A ticket was submitted in PlayFab's format.
    SubmitPlayfab(Box<PlayfabTicket>),
    /// A player joined a forming ticket.
    Join(Box<TraceJoin>),
    /// A player joined a forming ticket, in PlayFab's format.
    JoinPlayfab(Box<PlayfabJoin>),
    /// A ticket was cancelled.
    Cancel {
        /// Its name.
        ticket: String,
        /// In a record: it met the tick whose line comes next, behind so many of its claims.
        in_tick: Option<u64>,
    },
    /// A player left.
    Leave {
        /// The player's name.
        player: String,
        /// The ticket that he left; absent: all that he waits with.
        ticket: Option<String>,
        /// As of a cancel.
        in_tick: Option<u64>,
    },
    /// A waiting ticket was changed.
    Update(Box<TraceUpdate>),
    /// Tickets of a match that came to nothing were put back.
    Requeue {
        /// The match's name: `m1` for the first match of the output.
        match_name: String,
        /// The tickets' names.
        tickets: Vec<String>,
    },
    /// A region came up or went down.
    Region {
        /// Its name.
        name: String,
        /// Whether it is up.
        up: bool,
    },
    /// A queue was opened, suspended or removed.
    Queue {
        /// Its name.
        name: String,
        /// What it became.
        state: QueueState,
    },
    /// A tick took place, in a trace that a host recorded: what came before stands before it.
    Tick {
        /// Its step budget; 0: none.
        budget: u64,
    },
    /// A note of whoever recorded the trace: the text of a JSON object. Nothing is done; a replay of the recorded
    /// ticks writes it again.
    Note {
        /// The object's text, on one line.
        json: String,
    },
}

impl TraceAction {
    /// The key that the action has in its line.
    pub const fn word(&self) -> &'static str {
        match self {
            TraceAction::Submit(_) | TraceAction::SubmitPlayfab(_) => "submit",
            TraceAction::Join(_) | TraceAction::JoinPlayfab(_) => "join",
            TraceAction::Cancel { .. } => "cancel",
            TraceAction::Leave { .. } => "leave",
            TraceAction::Update(_) => "update",
            TraceAction::Requeue { .. } => "requeue",
            TraceAction::Region { .. } => "region",
            TraceAction::Queue { .. } => "queue",
            TraceAction::Tick { .. } => "tick",
            TraceAction::Note { .. } => "note",
        }
    }
}

/// What a queue became.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QueueState {
    /// It takes and matches tickets.
    Open,
    /// It takes none and matches none.
    Suspended,
    /// It is gone, and its tickets ended.
    Removed,
}

impl QueueState {
    pub(super) const WORDS: &'static [(&'static str, QueueState)] =
        &[("open", QueueState::Open), ("suspended", QueueState::Suspended), ("removed", QueueState::Removed)];

    /// The word that traces use.
    pub const fn word(self) -> &'static str {
        match self {
            QueueState::Open => "open",
            QueueState::Suspended => "suspended",
            QueueState::Removed => "removed",
        }
    }
}

/// A ticket as a trace submits it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TraceSubmit {
    /// The ticket's name.
    pub ticket: String,
    /// The queue's name.
    pub queue: String,
    /// Who searches together.
    pub players: Vec<TracePlayer>,
    /// The names of players who are still to join.
    pub awaits: Vec<String>,
    /// Round-trip times in milliseconds by region, for players that bring none of their own.
    pub latency: Vec<(String, Decimal)>,
    /// The regions that the ticket accepts; `None`: all.
    pub regions: Option<Vec<String>>,
    /// Its own limits.
    pub limits: TicketLimits,
    /// Its own timeout.
    pub timeout: Option<Millis>,
    /// When its wait began, if that was before the line.
    pub enqueued: Option<Millis>,
    /// The host's word.
    pub user_data: u64,
}

/// A player as a trace names one.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TracePlayer {
    /// The player's name.
    pub id: String,
    /// Values by attribute name.
    pub attributes: Vec<(String, AttributeValue)>,
    /// The player's own round-trip times in milliseconds by region.
    pub latency: Vec<(String, Decimal)>,
}

/// A player who joins a forming ticket.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TraceJoin {
    /// The ticket's name.
    pub ticket: String,
    /// Who joins.
    pub player: TracePlayer,
}

/// A change to a waiting ticket; what is present replaces the old whole.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TraceUpdate {
    /// The ticket's name.
    pub ticket: String,
    /// Changes of its players.
    pub players: Vec<TracePlayerUpdate>,
    /// Replaces the latency of the ticket and of all its players.
    pub latency: Option<Vec<(String, Decimal)>>,
    /// Replaces its own limits; `null` in the line drops them.
    pub limits: Option<TicketLimits>,
    /// Replaces the accepted regions; `Some(None)`, `null` in the line: all.
    pub regions: Option<Option<Vec<String>>>,
    /// Replaces its own timeout; `Some(None)`, `null` in the line: the queue's.
    pub timeout: Option<Option<Millis>>,
}

/// A change of one player of a ticket.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TracePlayerUpdate {
    /// The player's name.
    pub id: String,
    /// Replaces all attributes.
    pub attributes: Option<Vec<(String, AttributeValue)>>,
    /// Replaces the player's own latency.
    pub latency: Option<Vec<(String, Decimal)>>,
}

impl TraceSubmit {
    /// The request that the engine takes, with ids for the players' names.
    pub fn request(&self, mut id_of: impl FnMut(&str) -> PlayerId) -> TicketRequest {
        let players = self.players.iter().map(|player| player.request(id_of(&player.id))).collect();
        TicketRequest {
            queue: self.queue.clone(),
            players,
            awaits: self.awaits.iter().map(|name| id_of(name)).collect(),
            latency: self.latency.clone(),
            regions: self.regions.clone(),
            limits: self.limits.clone(),
            timeout: self.timeout,
            enqueued: self.enqueued,
            user_data: self.user_data,
        }
    }
}

impl TracePlayer {
    /// The player as the engine takes it.
    pub fn request(&self, id: PlayerId) -> PlayerRequest {
        PlayerRequest { id, attributes: self.attributes.clone(), latency: self.latency.clone() }
    }
}

impl TraceUpdate {
    /// The update that the engine takes, with ids for the players' names.
    pub fn update(&self, mut id_of: impl FnMut(&str) -> PlayerId) -> TicketUpdate {
        let mut attributes = Vec::new();
        let mut latencies = Vec::new();
        for player in &self.players {
            let id = id_of(&player.id);
            attributes.extend(player.attributes.clone().map(|values| (id, values)));
            latencies.extend(player.latency.clone().map(|list| (id, list)));
        }
        TicketUpdate {
            attributes: (!attributes.is_empty()).then_some(attributes),
            latency: self.latency.clone(),
            player_latency: (!latencies.is_empty()).then_some(latencies),
            limits: self.limits.clone(),
            regions: self.regions.clone(),
            timeout: self.timeout,
        }
    }
}
