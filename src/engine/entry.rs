//! Plain tickets of one call come in: what each of them takes of the engine is taken for many at once.
//!
//! Used by `layout` and by `batch`, one thread each. A ticket that surely passes the checks of `submit` is seated from
//! what was taken ahead: places, slots, nodes of players, cells of words, each by one exchange for up to
//! [`AHEAD`] tickets. Every other ticket goes the way of single ones, `Door::admit_plain`, after what is left over has
//! gone back. Invariant: answers, ids and refusals are those of tickets that come one by one. So places are taken ahead
//! only where there are several times as many; where there are not, tickets take theirs one by one until none is left.
//!
//! ```text
//! passes the screen -> places, slots, nodes and cells ahead -> claim its player -> words -> shelf    (publish: by the caller)
//!        '-- no, or no room for all that come -> the checks of submit, one ticket by itself
//! ```
//!
//! Measured (`evenmatch bench duel --full --selection least_cost`, plain tickets, four regions, 10,000 a tick, 2 vCPU under
//! heavy load, before and after in turn, twice; the output unchanged), ns a ticket, with `finishing` and `gone`:
//!
//! | | one by one | batches | ratio |
//! | --- | ---: | ---: | ---: |
//! | submit | 875, 778 | 454, 473 | 0.56 |
//! | tick | 2749, 2538 | 2466, 2381 | 0.92 |
//! | poll | 712, 676 | 420, 399 | 0.59 |
//!
//! Of this, by profiles: one look for a player instead of two, bounds instead of checks of names and decimals, an exchange
//! for 64 tickets instead of one for each at five pools and four counters, looks ahead whose misses overlap, and names of
//! regions and teams that are told again without counting. Lost: lots whose links stand in the items themselves (see
//! `base::pool`); looks ahead in a cancel, which made it a fifth dearer.
//!
//! An exchange waits until every write before it is in its place, so those of many tickets now follow one another: looks
//! begin and end 32 at a time (`intake`, `finishing`, `poll`), the players of 32 tickets are let go in a row, calls are
//! read where they lie. And what comes next is asked for by prefetches (`simd::prefetch`), which do not wait in the queue of
//! instructions as loads do. The same bench, in turns, output unchanged, ns a ticket: submit 323 before and 234 after, tick
//! 1,183 and 994, poll 274 and 194; again 321 and 226, 1,186 and 946, 276 and 187. Lost: prefetches of what intake and
//! matcher know of a ticket by its slot (no difference).

use super::calls::Call;
use super::door::{Door, count};
use super::layout::TicketLayout;
use super::plain::Draft;
use super::queues::{DoorQueue, take_below};
use super::submit::{Admitted, not_entered};
use super::ticket::Ticket;
use crate::base::cells::CellLot;
use crate::base::sync::Ordering;
use crate::claim::commit::OpenSlots;
use crate::claim::players::Hands;
use crate::model::codes::Refusal;
use crate::model::ids::{Millis, TicketId};
use crate::model::plain::PlainTicket;
use std::sync::Arc;

/// Tickets for which everything is taken at once, at most. Chosen: an exchange is shared by enough of them, and what one
/// thread holds that it may not need is little.
const AHEAD: usize = 64;

/// Room that is left for others where places are taken ahead, as times that: so that who finds no room finds the engine as
/// good as full. Chosen: more threads than submit at once in most hosts.
const ROOM: u64 = 8;

/// Tickets of one call that come in.
pub(super) struct Entry<'a> {
    door: &'a Door,
    now: Millis,
    /// Tickets that are still to come, as far as that is known.
    expected: usize,
    ahead: Option<Ahead<'a>>,
    draft: Draft,
    /// The calls of tickets that are not plain after all, in order.
    whole: Vec<(TicketId, Call)>,
}

/// What was taken ahead for tickets of one queue. Places go back last: who finds one finds a slot.
struct Ahead<'a> {
    slots: OpenSlots<'a>,
    hands: Hands<'a>,
    cells: CellLot<'a>,
    places: Places<'a>,
}

/// Places in the engine and in a queue.
struct Places<'a> {
    door: &'a Door,
    queue: Arc<DoorQueue>,
    scope: u32,
    left: u64,
    seated: u64,
}

impl<'a> Entry<'a> {
    /// An entry for about so many tickets.
    pub(super) fn new(door: &'a Door, now: Millis, expected: usize) -> Entry<'a> {
        Entry { door, now, expected, ahead: None, draft: Draft::new(0, Millis(0)), whole: Vec::new() }
    }

    /// So many tickets are still to come.
    pub(super) fn expect(&mut self, tickets: usize) {
        self.expected = tickets;
    }

    /// Checks a ticket and takes it in, as [`Door::admit_plain`].
    pub(super) fn admit(
        &mut self,
        layout: &TicketLayout,
        ticket: &PlainTicket<'_>,
    ) -> Result<TicketId, Refusal> {
        let expected = self.expected.max(1);
        self.expected = expected - 1;
        let door = self.door;
        let is_usual = layout.is_of(door)
            && layout.screen.passes(&door.lexicon, ticket)
            && layout.queue.check_open().is_ok()
            && layout.fill(&mut self.draft, ticket, self.now).is_some()
            && self.take_ahead(&layout.queue, expected);
        if is_usual && let Some(answer) = self.seat(ticket) {
            return answer.inspect_err(|_| count(&door.counts.refused));
        }
        self.ahead = None;
        let admitted = door.admit_plain(self.now, layout, ticket)?;
        Ok(self.keep(admitted))
    }

    /// Takes a ticket in that is not plain, as [`Door::admit_new`].
    #[cfg(all(feature = "capi", not(loom)))]
    pub(super) fn admit_whole(
        &mut self,
        request: crate::model::request::TicketRequest,
    ) -> Result<TicketId, Refusal> {
        self.ahead = None;
        let admitted = self.door.admit_new(self.now, request)?;
        Ok(self.keep(admitted))
    }

    fn keep(&mut self, Admitted { id, call }: Admitted) -> TicketId {
        if !matches!(call, Call::Come(_)) {
            self.whole.push((id, call));
        }
        id
    }

    /// Lets those wait that were accepted, in their order, all at once.
    pub(super) fn publish(self, accepted: impl Iterator<Item = TicketId> + Clone) {
        let Entry { door, now, ahead, whole, .. } = self;
        // Counts first.
        drop(ahead);
        let mut whole = whole.into_iter().peekable();
        let calls = accepted.clone().map(|id| {
            let call = whole.next_if(|(other, _)| *other == id).map_or(Call::Come(id), |(_, call)| call);
            (now, call)
        });
        door.ingress.push_some(calls, accepted.clone().count());
        door.publish_all(accepted, now);
    }

    /// Takes what the next tickets of a queue need, if there is room for all of them.
    fn take_ahead(&mut self, queue: &Arc<DoorQueue>, expected: usize) -> bool {
        let is_left = |ahead: &Ahead| Arc::ptr_eq(&ahead.places.queue, queue) && ahead.places.left > 0;
        if self.ahead.as_ref().is_some_and(is_left) {
            return true;
        }
        self.ahead = None;
        let (door, len) = (self.door, expected.min(AHEAD));
        if !door.is_roomy(queue, ROOM * len as u64) {
            return false;
        }
        let Some(places) = Places::take(door, queue, len as u64) else { return false };
        let len = len as u32;
        let slots = door.claims.open(len);
        // Without a slot for each the places go back.
        if slots.len() == len {
            door.tickets.prefetch(slots.indices());
            let (hands, cells) = (door.players.hands(len), door.bodies.lot(len));
            self.ahead = Some(Ahead { slots, hands, cells, places });
        }
        self.ahead.is_some()
    }

    /// Seats the ticket that has been drafted. `None`: there are no cells left for its words.
    fn seat(&mut self, ticket: &PlainTicket<'_>) -> Option<Result<TicketId, Refusal>> {
        let door = self.door;
        let Ahead { slots, hands, cells, places } = self.ahead.as_mut()?;
        let (queue, players) = (&places.queue, ticket.players);
        let is_live = |ticket| door.is_live(ticket);
        // Of a party one may be entered before another is found to wait: so these are looked at before.
        if players.len() > 1
            && let Err(refusal) = door.are_free(queue.id, players.iter().copied())
        {
            return Some(Err(refusal));
        }
        let id = slots.allocate()?;
        if let Err(conflict) = hands.claim_in(places.scope, players, id, is_live) {
            if players.len() == 1 {
                slots.undo(id);
            } else {
                door.claims.free(id);
            }
            return Some(Err(not_entered(conflict)));
        }
        door.pass("submit: claimed");
        let Some(plain) = self.draft.put(cells) else {
            players.iter().for_each(|&player| hands.release_in(places.scope, player, id));
            door.claims.free(id);
            return None;
        };
        places.left -= 1;
        places.seated += 1;
        door.shelve(id, Ticket::plain(Arc::clone(queue), plain, None));
        Some(Ok(id))
    }
}

impl<'a> Places<'a> {
    /// So many places, if there are as many.
    fn take(door: &'a Door, queue: &Arc<DoorQueue>, len: u64) -> Option<Places<'a>> {
        if !take_below(&door.held, u64::from(door.capacity), len) {
            return None;
        }
        if !queue.take_places(len) {
            door.held.fetch_sub(len, Ordering::Relaxed);
            return None;
        }
        let scope = door.scope(queue.id);
        Some(Places { door, queue: Arc::clone(queue), scope, left: len, seated: 0 })
    }
}

impl Drop for Places<'_> {
    fn drop(&mut self) {
        // Relaxed: counts, as in `queues`. Before the tickets are published, so before any of them is counted out.
        if self.seated > 0 {
            self.queue.waiting.fetch_add(self.seated, Ordering::Relaxed);
            self.door.counts.submitted.fetch_add(self.seated, Ordering::Relaxed);
        }
        if self.left > 0 {
            self.queue.give_places(self.left);
            self.door.held.fetch_sub(self.left, Ordering::Relaxed);
        }
    }
}
