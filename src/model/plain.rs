//! Plain tickets: what most hosts submit, without a name in it. Names are resolved once, into a layout of the engine.

use super::ids::{Millis, PlayerId};
use crate::base::fixed::Fixed;

/// A text of an engine that was resolved; it stays for as long as the engine does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TextId(pub u32);

/// What a player brings of one attribute of a layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PlainValue {
    /// Nothing: the defaults of the queue count.
    #[default]
    Nothing,
    /// A number; rounded half up to the attribute's `decimals`.
    Number(Fixed),
    /// A text.
    Text(TextId),
}

/// A ticket of a batch that is submitted with a layout, which says what stands where. Borrows what the host has.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PlainTicket<'a> {
    /// Who searches together, 1 to 64 players.
    pub players: &'a [PlayerId],
    /// What they bring, player by player: for each of them one value for each attribute of the layout.
    pub values: &'a [PlainValue],
    /// The ticket's round-trip times in milliseconds, one for each region of the layout; `None`: it is not reached.
    pub pings_ms: &'a [Option<Fixed>],
    /// When the wait began, if that was before the submit.
    pub enqueued: Option<Millis>,
    /// A word of the host's, echoed in every event of the ticket.
    pub user_data: u64,
}
