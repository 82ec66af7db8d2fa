//! The closed lists of codes: why a call was refused, why a ticket can never match, why a ticket ended.
//!
//! Each code has a word that never changes: it stands in output files and in other languages' bindings.

use super::ids::{MatchId, Millis, TicketId};
use std::fmt;

/// Declares an enum of codes with their stable words, in one place.
macro_rules! codes {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $code:ident = $word:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $name { $($(#[$doc])* $code,)+ }

        impl $name {
            /// Every code of the list, in a fixed order.
            pub const ALL: &'static [$name] = &[$($name::$code,)+];

            /// The stable word of the code.
            pub const fn word(self) -> &'static str {
                match self { $($name::$code => $word,)+ }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.word())
            }
        }
    };
}

codes! {
    /// Why a call was refused. A refused call has changed nothing.
    Code {
        /// A player of the ticket is in a live ticket already.
        PlayerAlreadyQueued = "PLAYER_ALREADY_QUEUED",
        /// A player stands twice in the ticket.
        DuplicatePlayer = "DUPLICATE_PLAYER",
        /// The ticket has no player.
        NoPlayers = "NO_PLAYERS",
        /// No queue of that name or id.
        UnknownQueue = "UNKNOWN_QUEUE",
        /// A queue of that name exists already.
        QueueExists = "QUEUE_EXISTS",
        /// The queue takes no tickets now; try again later.
        QueueSuspended = "QUEUE_SUSPENDED",
        /// As many tickets as may live, or wait to be polled, do; poll, or try again later.
        QueueFull = "QUEUE_FULL",
        /// More players than the queue's `party` allows.
        PartyTooLarge = "PARTY_TOO_LARGE",
        /// The queue declares no such attribute.
        UnknownAttribute = "UNKNOWN_ATTRIBUTE",
        /// The value is not of the attribute's type.
        WrongType = "WRONG_TYPE",
        /// The number is not finite, or outside the declared range.
        OutOfRange = "OUT_OF_RANGE",
        /// A rule needs a value that no member has and nothing fills in.
        MissingAttribute = "MISSING_ATTRIBUTE",
        /// The queue has a region rule and a player has no latency.
        MissingLatency = "MISSING_LATENCY",
        /// The queue lists its regions and this is none of them.
        UnknownRegion = "UNKNOWN_REGION",
        /// More regions than a queue may know at once.
        TooManyRegions = "TOO_MANY_REGIONS",
        /// More players than a ticket may have.
        TooManyPlayers = "TOO_MANY_PLAYERS",
        /// More values than a list may have.
        TooManyValues = "TOO_MANY_VALUES",
        /// More bytes than a string may have.
        TooManyBytes = "TOO_MANY_BYTES",
        /// More attributes than a player may carry.
        TooManyAttributes = "TOO_MANY_ATTRIBUTES",
        /// More queues than an engine may have.
        TooManyQueues = "TOO_MANY_QUEUES",
        /// The same attribute or region stands twice.
        DuplicateName = "DUPLICATE_NAME",
        /// The ticket could never be matched; the reason says why.
        Unmatchable = "UNMATCHABLE",
        /// No such ticket, player or match now.
        NotFound = "NOT_FOUND",
        /// The ticket is in a match already.
        AlreadyMatched = "ALREADY_MATCHED",
        /// The player has another live ticket by now, which stays.
        Superseded = "SUPERSEDED",
        /// The time is beyond 2^52 ms.
        InvalidTime = "INVALID_TIME",
        /// A tick is running; one at a time.
        Busy = "BUSY",
        /// The engine has been closed.
        EngineClosed = "ENGINE_CLOSED",
        /// The queue definition is not legal.
        InvalidQueue = "INVALID_QUEUE",
        /// The line or text is not of the format.
        InvalidFormat = "INVALID_FORMAT",
    }
}

codes! {
    /// Why a ticket could never be matched.
    UnmatchableReason {
        /// No region lies within its list, its own limit and the region rule's greatest window.
        NoRegion = "NO_REGION",
        /// It is larger than every team, or than the match.
        TooLarge = "TOO_LARGE",
        /// Its own total is above the greatest maximum of a total that never loosens away.
        TotalTooHigh = "TOTAL_TOO_HIGH",
        /// Its members disagree in an equality.
        MembersDisagree = "MEMBERS_DISAGREE",
        /// It is a full match alone where the queue asks for more tickets.
        FullAlone = "FULL_ALONE",
    }
}

codes! {
    /// Why a ticket ended without a match.
    EndReason {
        /// The host cancelled it.
        Cancelled = "CANCELLED",
        /// A member of the party left.
        PartyMemberLeft = "PARTY_MEMBER_LEFT",
        /// It reached its timeout.
        TimedOut = "TIMED_OUT",
        /// Its queue was removed.
        QueueRemoved = "QUEUE_REMOVED",
        /// The engine was closed.
        EngineClosed = "ENGINE_CLOSED",
        /// A player of it was matched through another queue.
        MatchedElsewhere = "MATCHED_ELSEWHERE",
    }
}

/// A refused call: the code, what it is about, and a sentence for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The stable code.
    pub code: Code,
    /// With [`Code::Unmatchable`]: why.
    pub reason: Option<UnmatchableReason>,
    /// With [`Code::PlayerAlreadyQueued`] and [`Code::Superseded`]: the ticket that the player is in.
    pub ticket: Option<TicketId>,
    /// With [`Code::AlreadyMatched`]: the match.
    pub in_match: Option<MatchId>,
    /// Names the place and the remedy.
    pub detail: String,
}

impl Refusal {
    /// A refusal that names nothing but its detail.
    pub fn new(code: Code, detail: impl Into<String>) -> Refusal {
        Refusal { code, reason: None, ticket: None, in_match: None, detail: detail.into() }
    }

    /// A ticket that could never be matched.
    pub fn unmatchable(reason: UnmatchableReason, detail: impl Into<String>) -> Refusal {
        Refusal { reason: Some(reason), ..Refusal::new(Code::Unmatchable, detail) }
    }

    /// A time beyond the range.
    pub fn invalid_time(now: Millis) -> Refusal {
        Refusal::new(Code::InvalidTime, format!("time {} ms is beyond 2^52", now.0))
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason {
            Some(reason) => write!(f, "{} ({}): {}", self.code, reason, self.detail),
            None => write!(f, "{}: {}", self.code, self.detail),
        }
    }
}

impl std::error::Error for Refusal {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn words_are_distinct_and_shouted() {
        let words: BTreeSet<&str> = Code::ALL
            .iter()
            .map(|c| c.word())
            .chain(UnmatchableReason::ALL.iter().map(|r| r.word()))
            .chain(EndReason::ALL.iter().map(|r| r.word()))
            .collect();
        // ENGINE_CLOSED is a code and a reason.
        assert_eq!(words.len() + 1, Code::ALL.len() + UnmatchableReason::ALL.len() + EndReason::ALL.len());
        assert!(words.iter().all(|w| w.bytes().all(|b| b.is_ascii_uppercase() || b == b'_')));
    }
}
