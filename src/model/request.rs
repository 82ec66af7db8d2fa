//! What a host asks of the engine: a ticket to submit, and a change to one that waits.

use super::attribute::AttributeValue;
use super::ids::{Millis, PlayerId};
use crate::base::fixed::Decimal;

/// Values by attribute name; a name may stand once.
pub type Attributes = Vec<(String, AttributeValue)>;

/// Round-trip times in milliseconds by region name; a name may stand once.
pub type Latency = Vec<(String, Decimal)>;

/// One player of a ticket that is submitted.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PlayerRequest {
    /// Who it is.
    pub id: PlayerId,
    /// What he brings.
    pub attributes: Attributes,
    /// His own latency; empty: that of the ticket.
    pub latency: Latency,
}

impl PlayerRequest {
    /// A player without attributes.
    pub fn new(id: PlayerId) -> PlayerRequest {
        PlayerRequest { id, ..PlayerRequest::default() }
    }

    /// Adds a number.
    pub fn number(mut self, attribute: &str, value: impl Into<Decimal>) -> PlayerRequest {
        self.attributes.push((attribute.to_owned(), AttributeValue::Number(value.into())));
        self
    }

    /// Adds a string.
    pub fn string(mut self, attribute: &str, value: &str) -> PlayerRequest {
        self.attributes.push((attribute.to_owned(), AttributeValue::String(value.to_owned())));
        self
    }

    /// Adds a list of strings.
    pub fn strings(mut self, attribute: &str, values: &[&str]) -> PlayerRequest {
        let values = values.iter().map(|&value| value.to_owned()).collect();
        self.attributes.push((attribute.to_owned(), AttributeValue::StringList(values)));
        self
    }

    /// Adds this player's own round-trip time to a region.
    pub fn ping(mut self, region: &str, ms: impl Into<Decimal>) -> PlayerRequest {
        self.latency.push((region.to_owned(), ms.into()));
        self
    }
}

/// The limits that a ticket sets for its own match; no expansion ever widens them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TicketLimits {
    /// By attribute name: the least and the greatest value (either may be absent) that every player of the
    /// other tickets may have.
    pub attributes: Vec<(String, Option<Decimal>, Option<Decimal>)>,
    /// The greatest round-trip time of the ticket itself in the match's region.
    pub max_ping_ms: Option<Decimal>,
}

/// A ticket to submit: one player, or a party that is never split.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TicketRequest {
    /// The queue's name.
    pub queue: String,
    /// Who searches together, 1 to 64 players.
    pub players: Vec<PlayerRequest>,
    /// For the players that bring no latency of their own.
    pub latency: Latency,
    /// Players who are still to join; while there are any the ticket is *forming*: it is in no match, and its
    /// wait begins when the last of them has joined.
    pub awaits: Vec<PlayerId>,
    /// The regions that the ticket accepts; `None`: all that it has latency for.
    pub regions: Option<Vec<String>>,
    /// The ticket's own limits.
    pub limits: TicketLimits,
    /// Ends the ticket at this age if the queue does not do so sooner.
    pub timeout: Option<Millis>,
    /// When the wait began, if that was before the submit; of a forming ticket only its timeout counts from
    /// then.
    pub enqueued: Option<Millis>,
    /// A word of the host's, echoed in every event of the ticket.
    pub user_data: u64,
}

impl TicketRequest {
    /// A ticket without players.
    pub fn new(queue: &str) -> TicketRequest {
        TicketRequest { queue: queue.to_owned(), ..TicketRequest::default() }
    }

    /// Adds a player.
    pub fn player(mut self, player: PlayerRequest) -> TicketRequest {
        self.players.push(player);
        self
    }

    /// Adds a player who is still to join.
    pub fn awaits(mut self, player: PlayerId) -> TicketRequest {
        self.awaits.push(player);
        self
    }

    /// Adds the round-trip time of the whole ticket to a region.
    pub fn ping(mut self, region: &str, ms: impl Into<Decimal>) -> TicketRequest {
        self.latency.push((region.to_owned(), ms.into()));
        self
    }

    /// Sets the word that every event of the ticket echoes.
    pub fn user_data(mut self, user_data: u64) -> TicketRequest {
        self.user_data = user_data;
        self
    }
}

/// A change to a waiting ticket: a field that is present replaces the old one whole.
///
/// Players, queue, enqueue time and submit number never change.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TicketUpdate {
    /// For each player named, the attributes that replace all of that player's.
    pub attributes: Option<Vec<(PlayerId, Attributes)>>,
    /// Replaces the latency of the ticket and of all its players.
    pub latency: Option<Latency>,
    /// For each player named, the latency that replaces that player's own.
    pub player_latency: Option<Vec<(PlayerId, Latency)>>,
    /// Replaces the ticket's own limits.
    pub limits: Option<TicketLimits>,
    /// Replaces the accepted regions; `Some(None)`: all.
    pub regions: Option<Option<Vec<String>>>,
    /// Replaces the ticket's own timeout; `Some(None)`: the queue's.
    pub timeout: Option<Option<Millis>>,
}
