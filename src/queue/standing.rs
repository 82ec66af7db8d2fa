//! How a ticket stands in its queue: what a pass asks of it before it looks at its values.
//!
//! Written by `running` and by whoever changes what it says. Invariant: of a row without a ticket nothing counts but that it
//! is not live.

/// What a queue keeps of every row besides its values, in 16 bytes: what a pass asks of each ticket. What only few
/// tickets have, or only those that sleep, stands elsewhere.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Standing {
    /// Its shard.
    pub(super) shard: u32,
    /// The row holds a ticket that may still be matched.
    pub(super) is_live: bool,
    /// It stands in its shard.
    pub(super) is_active: bool,
    /// It is in its shard's index.
    pub(super) is_indexed: bool,
    /// Something has happened on it since the last pass ended.
    pub(super) is_fresh: bool,
    /// All that has happened on it is that its window has reached further than when it fell asleep.
    pub(super) is_reaching: bool,
    /// Its last search looked at all there is and found no match.
    pub(super) is_settled: bool,
    /// Another ticket could have stood with it.
    pub(super) had_partner: bool,
    /// Its submit number is out of the order of seniority.
    pub(super) is_backdated: bool,
    /// It ends at another time than its queue's tickets do by themselves.
    pub(super) has_own_deadline: bool,
    /// It has a timer for when its regions come or go.
    pub(super) has_activation: bool,
    /// It has a timer for when something next happens on it by itself.
    pub(super) has_wake: bool,
}

const _: () = assert!(size_of::<Standing>() == 16);
