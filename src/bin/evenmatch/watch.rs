//! Who wants to know what becomes of each ticket while a replay runs.
//!
//! Told by `replay`, implemented by what draws pages and what compares queues. Invariant: a ticket that was
//! accepted is told of once, and once more when it is matched or ends; one that still waits at the end of the
//! replay is not told of again.

use evenmatch::model::event::Event;

/// Follows a replay.
pub(crate) trait Watch {
    /// A ticket was accepted, by submit or requeue. `ticket` is the number of its name: the how many-th name
    /// of the trace it is, from 0, which stands as `user_data` in its event.
    fn accepted(&mut self, ticket: u64);

    /// A match was made, or a ticket ended. `players_of` gives the count of players of each ticket of the
    /// match, in the record's order; empty at an end.
    fn event(&mut self, event: &Event, players_of: &[usize]);
}
