//! One ticket of a replay whose wait is followed, by its name. Part of the replay; for `explain`.

use super::Replay;
use evenmatch::model::ids::{Millis, TicketId};

/// A ticket whose wait is followed.
#[derive(Default)]
pub(super) struct Followed {
    name: Option<String>,
    /// When it came in: the first time, or the last requeue.
    since: Option<Millis>,
    /// When it left.
    end: Option<Millis>,
}

impl Replay<'_> {
    /// Follows the ticket of that name.
    pub(crate) fn follow(&mut self, name: &str) {
        self.followed = Followed { name: Some(name.to_owned()), ..Followed::default() };
    }

    /// Since when the followed ticket has waited, when it left (`None`: it waits), and the time of the replay; `None`:
    /// no such ticket was accepted.
    pub(crate) fn followed(&self) -> Option<(Millis, Option<Millis>, Millis)> {
        self.followed.since.map(|since| (since, self.followed.end, self.now))
    }

    /// A ticket of that name came in.
    pub(super) fn came_in(&mut self, name: &str) {
        if self.followed.name.as_deref() == Some(name) {
            (self.followed.since, self.followed.end) = (Some(self.now), None);
        }
    }

    /// A ticket left.
    pub(super) fn left(&mut self, id: TicketId, at: Millis) {
        if self.followed.name.as_deref() == Some(self.names.ticket_name(id)) {
            self.followed.end = Some(at);
        }
    }
}
