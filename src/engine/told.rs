//! What a ticket asks for, whichever way it is kept: as a plain run of words, or as a version.
//!
//! Called by every part of the door that reads a request. Invariant: it answers the same for a plain request as for
//! a version that was made of it.

use super::door::Door;
use super::plain::PlainLook;
use super::submit::deadline;
use super::ticket::{Ticket, Version};
use crate::model::ids::{Millis, PlayerId};
use crate::model::request::TicketRequest;
use std::borrow::Cow;
use std::sync::Arc;

/// What a ticket asks for.
pub(super) struct Told<'a> {
    door: &'a Door,
    ticket: &'a Ticket,
    plain: PlainLook<'a>,
    /// `None`: it is the plain request.
    version: Option<Arc<Version>>,
}

impl Door {
    /// What a ticket asks for now.
    pub(super) fn told<'a>(&'a self, ticket: &'a Ticket) -> Told<'a> {
        self.told_as(ticket, ticket.version())
    }

    /// What the tick that ended it had taken in; if none did so, what it asked for last.
    pub(super) fn told_last<'a>(&'a self, ticket: &'a Ticket) -> Told<'a> {
        let taken = ticket.rare.get().and_then(|rare| rare.taken.get().cloned());
        match taken {
            None if !ticket.took_plain() => self.told(ticket),
            version => self.told_as(ticket, version),
        }
    }

    /// What a ticket asked for at first, which is plain.
    pub(super) fn told_plain<'a>(&'a self, ticket: &'a Ticket) -> Told<'a> {
        self.told_as(ticket, None)
    }

    #[inline]
    fn told_as<'a>(&'a self, ticket: &'a Ticket, version: Option<Arc<Version>>) -> Told<'a> {
        Told { door: self, ticket, plain: ticket.plain.look(&self.bodies), version }
    }
}

impl Told<'_> {
    /// When its wait began; of a forming ticket, when it was made.
    pub(super) fn enqueued(&self) -> Millis {
        match &self.version {
            Some(version) => version.enqueued,
            None => self.plain.enqueued(),
        }
    }

    /// When it ends.
    pub(super) fn deadline(&self) -> Option<Millis> {
        match &self.version {
            Some(version) => version.deadline,
            None => deadline(&self.ticket.queue.compiled, self.enqueued(), None),
        }
    }

    /// The host's word.
    pub(super) fn user_data(&self) -> u64 {
        match &self.version {
            Some(version) => version.request.user_data,
            None => self.plain.user_data(),
        }
    }

    /// Players who are there.
    pub(super) fn player_count(&self) -> usize {
        match &self.version {
            Some(version) => version.request.players.len(),
            None => self.plain.players(),
        }
    }

    /// Players who are still to join.
    pub(super) fn awaited(&self) -> usize {
        self.version.as_ref().map_or(0, |version| version.request.awaits.len())
    }

    /// A player, in the order in which they were submitted.
    pub(super) fn player(&self, at: usize) -> PlayerId {
        match &self.version {
            Some(version) => version.request.players[at].id,
            None => self.plain.player(at),
        }
    }

    /// The players, in the order in which they were submitted.
    pub(super) fn players(&self) -> impl Iterator<Item = PlayerId> + '_ {
        (0..self.player_count()).map(|at| self.player(at))
    }

    /// The regions that it can be matched in by ascending number, with its round-trip times in units of 0.000001 ms.
    pub(super) fn pings(&self) -> impl Iterator<Item = (u8, i64)> + '_ {
        let of_version = self.version.iter().flat_map(|version| version.values.pings.iter().copied());
        let plain = self.version.is_none().then_some(self.plain);
        let width = self.ticket.queue.compiled.spec.attributes.len();
        of_version.chain(plain.into_iter().flat_map(move |plain| plain.pings(width)))
    }

    /// The round-trip time to a region, in units of 0.000001 ms.
    pub(super) fn ping(&self, region: u8) -> Option<i64> {
        match &self.version {
            Some(version) => {
                let found = version.values.pings.iter().find(|&&(other, _)| other == region);
                found.map(|&(_, ping)| ping)
            }
            None => {
                let width = self.ticket.queue.compiled.spec.attributes.len();
                self.plain.ping(width, region)
            }
        }
    }

    /// Its version, if it is not the plain request.
    pub(super) fn version(&self) -> Option<&Arc<Version>> {
        self.version.as_ref()
    }

    /// The whole request. Of a plain one it is made here: its latency by ascending region number, its attributes as
    /// the queue declares them.
    pub(super) fn request(&self) -> Cow<'_, TicketRequest> {
        match &self.version {
            Some(version) => Cow::Borrowed(&version.request),
            None => Cow::Owned(self.ticket.plain.request(self.door, self.ticket)),
        }
    }
}
