//! What stands behind the engine's calls: tickets, players, queues, the list of calls for the next tick, the events
//! to poll.
//!
//! Any thread enters at any time, and no call on a ticket waits for a tick or for another call: every part is one
//! that threads share without locks (`base`, `claim`, `queue::regions`). A ticket's way through the door:
//!
//! ```text
//! submit: check, take a place, a slot, the players; put the ticket on its shelf; push the call; publish the claim
//! cancel, expiry, commit: the claim decides who ends it; the winner writes the terminal event and queues it
//! poll: takes events in order, makes records, queues the tickets to be retained and frees the oldest of these
//! ```
//!
//! Batches take, count and give back for many tickets at once: see `entry`, `finishing` and `gone`.
//!
//! Invariants: a ticket has one terminal event, queued once; `held` counts the tickets that live or whose event was
//! not polled, and is at most the capacity.

use super::calls::{Call, Timed};
use super::down::DownRegions;
use super::head::HEAD_CELLS;
use super::lexicon::Lexicon;
use super::log::Record;
use super::queues::Queues;
use super::ticket::{End, Ticket, Took};
use crate::base::cells::Cells;
use crate::base::fifo::Fifo;
use crate::base::ingress::Ingress;
use crate::base::published::Published;
use crate::base::shelf::{Ref, Shelf};
use crate::base::sync::{AtomicBool, AtomicU64, Ordering, fence};
use crate::claim::commit::{Claims, EndOutcome, WordState};
use crate::claim::players::Players;
use crate::model::codes::{Code, EndReason, Refusal};
use crate::model::ids::{MatchId, Millis, TicketId};
use crate::model::limits::{SLOTS_MAX, TIME_MS_MAX};
use crate::simd::Kernels;
use std::sync::Arc;

/// Slots beyond those of live and retained tickets, for tickets that a thread still looks at after they have been
/// let go, so that a host thread that was stopped there takes no room from others.
const SLOTS_SPARE: u32 = 64;

/// Players that one ticket has on average at most, before the table of players is full: chosen so that an engine
/// full of whole parties of the usual sizes fits, while the table's own memory stays small.
const PLAYERS_PER_TICKET: u32 = 8;

/// Cells of plain requests that one ticket takes on average at most: what finds no room stays a whole request. Chosen:
/// a party of five with an attribute and eight pings takes three.
const CELLS_PER_TICKET: u32 = 4;

/// Calls between two ticks for which room is kept, for each slot: a submit and a cancel.
const CALLS_PER_SLOT: u32 = 2;
/// Calls for which room is kept at most; more between two ticks, as when an engine is filled at once, take memory of
/// their own until the tick. Chosen: twice a dense flow, 6 MB.
const CALLS_KEPT_MAX: u32 = 1 << 17;

/// Counts since the start. Relaxed: each is exact by itself; a report may see one before another.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub submitted: AtomicU64,
    pub refused: AtomicU64,
    pub matched: AtomicU64,
    pub ended: AtomicU64,
    pub ended_by_reason: [AtomicU64; EndReason::ALL.len()],
    pub polled: AtomicU64,
    pub forming: AtomicU64,
    pub matches: AtomicU64,
    pub starved: AtomicU64,
    pub searches_cut_off: AtomicU64,
    pub steps: AtomicU64,
    pub ticks: AtomicU64,
}

/// Counts one more of something that is only reported.
pub(super) fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

/// Everything behind the calls but the searches.
pub(super) struct Door {
    pub capacity: u32,
    pub retained_max: u32,
    pub check_matches: bool,
    /// A player may stand in several queues, with one live ticket in each.
    pub many_queues: bool,
    /// The kernels of all searches.
    pub kernels: Kernels,
    pub claims: Arc<Claims>,
    pub tickets: Shelf<Ticket>,
    /// Plain requests of tickets.
    pub bodies: Arc<Cells>,
    /// What matches are, beside their tickets.
    pub heads: Arc<Cells>,
    /// Texts that hosts have resolved.
    pub lexicon: Lexicon,
    pub players: Players,
    pub queues: Queues,
    pub down: Published<Arc<DownRegions>>,
    pub ingress: Ingress<Timed>,
    /// Tickets whose terminal event waits to be polled: of a match its oldest one.
    pub events: Fifo,
    /// Tickets whose event was polled, oldest first.
    pub retained: Fifo,
    /// How many these are.
    pub retained_count: AtomicU64,
    pub counts: Counts,
    /// What has been recorded and not taken, if the host asked for a record.
    pub record: Option<Record>,
    /// The time of the tick that is running; `u64::MAX`: none. A cancel that wins over it carries no later time.
    pub running: AtomicU64,
    /// Tickets that live or whose event was not polled.
    pub held: AtomicU64,
    /// Called at named points in the middle of calls; a test stops the calling thread there.
    pub halt: Option<fn(&'static str)>,
    /// When a tick could next change anything, as the last one found; `u64::MAX`: never. Relaxed: a hint.
    pub due: AtomicU64,
    now: AtomicU64,
    is_closed: AtomicBool,
}

impl Door {
    /// An empty engine.
    pub(super) fn new(capacity: u32, retained_max: u32, is_recorded: bool, generation: u32) -> Door {
        let slots = (capacity + retained_max).saturating_add(SLOTS_SPARE).min(SLOTS_MAX as u32);
        let claims = Arc::new(Claims::with_first_generation(slots, generation));
        let cells = |each: u32| Arc::new(Cells::new(slots.saturating_mul(each)));
        let (bodies, heads) = (cells(CELLS_PER_TICKET), cells(HEAD_CELLS));
        let freed = {
            let (claims, bodies, heads) = (Arc::clone(&claims), Arc::clone(&bodies), Arc::clone(&heads));
            move |slot, generation, ticket: Ticket| {
                bodies.give(ticket.plain.run);
                heads.give(ticket.head());
                drop(ticket);
                claims.free(TicketId::new(slot, generation));
            }
        };
        Door {
            capacity,
            retained_max,
            check_matches: false,
            many_queues: false,
            kernels: Kernels::default(),
            tickets: Shelf::new(slots, Box::new(freed)),
            bodies,
            heads,
            lexicon: Lexicon::new(),
            claims,
            players: Players::with_buckets(slots.saturating_mul(PLAYERS_PER_TICKET), slots),
            queues: Queues::new(),
            down: Published::new(Arc::default()),
            ingress: Ingress::with_nodes(slots.saturating_mul(CALLS_PER_SLOT).min(CALLS_KEPT_MAX)),
            events: Fifo::new(slots),
            retained: Fifo::new(slots),
            retained_count: AtomicU64::new(0),
            counts: Counts::default(),
            record: is_recorded.then(Record::default),
            running: AtomicU64::new(u64::MAX),
            held: AtomicU64::new(0),
            halt: None,
            due: AtomicU64::new(u64::MAX),
            now: AtomicU64::new(0),
            is_closed: AtomicBool::new(false),
        }
    }

    /// Moves engine time to `now`, if that is later, and says what it is then. Errors: INVALID_TIME, and
    /// ENGINE_CLOSED once closed.
    pub(super) fn enter(&self, now: Millis) -> Result<Millis, Refusal> {
        if self.is_closed() {
            return Err(closed());
        }
        if now.0 > TIME_MS_MAX {
            return Err(Refusal::invalid_time(now));
        }
        // Relaxed: time orders no other memory; its own order is that of the word.
        Ok(Millis(self.now.fetch_max(now.0, Ordering::Relaxed).max(now.0)))
    }

    /// The calling thread is at this point of a call: what it has done so far others see, the rest is to come.
    #[inline]
    pub(super) fn pass(&self, point: &'static str) {
        if let Some(halt) = self.halt {
            halt(point);
        }
    }

    /// Engine time.
    pub(super) fn now(&self) -> Millis {
        Millis(self.now.load(Ordering::Relaxed))
    }

    /// Whether the engine has been closed. Acquire pairs with the release in `close`.
    pub(super) fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Acquire)
    }

    /// Closes the door; whether it was open.
    pub(super) fn close(&self) -> bool {
        let was_closed = self.is_closed.swap(true, Ordering::AcqRel);
        // Pairs with the fence in `publish`: of a submit and the closer's walk over all tickets one sees the other.
        fence(Ordering::SeqCst);
        !was_closed
    }

    /// Lets a ticket wait whose call has been pushed. If the engine was closed meanwhile, it ends.
    pub(super) fn publish(&self, id: TicketId, now: Millis) {
        self.claims.publish(id);
        fence(Ordering::SeqCst);
        if self.is_closed() {
            // Whoever is second, this thread or the one that closes, finds that it has ended.
            let _ = self.end(id, EndReason::EngineClosed, now);
        }
    }

    /// As `publish`, of tickets whose calls have been pushed together.
    pub(super) fn publish_all(&self, ids: impl Iterator<Item = TicketId> + Clone, now: Millis) {
        ids.clone().for_each(|id| {
            self.claims.publish(id);
        });
        // One for all: whoever closes sees them all, or is seen here.
        fence(Ordering::SeqCst);
        if self.is_closed() {
            ids.for_each(|id| drop(self.end(id, EndReason::EngineClosed, now)));
        }
    }

    /// The ticket of that id, live or retained.
    pub(super) fn ticket(&self, id: TicketId) -> Option<Ref<'_, Ticket>> {
        if id.engine() != 0 {
            return None;
        }
        self.tickets.get(id.slot(), id.generation())
    }

    /// Whether a ticket still waits, or is about to.
    pub(super) fn is_live(&self, id: TicketId) -> bool {
        matches!(self.claims.state(id), WordState::Queued | WordState::Unpublished)
    }

    /// Ends a ticket for its host.
    pub(super) fn end(&self, id: TicketId, reason: EndReason, now: Millis) -> Result<(), Refusal> {
        // Acquire pairs with the release in the tick: one that has begun has moved the time on before.
        let running = self.running.load(Ordering::Acquire);
        match self.claims.end(id) {
            EndOutcome::Ended => {
                self.pass("end: claimed");
                let is_taken_in = |ticket: Ref<'_, Ticket>| ticket.is_taken_in();
                let meets_tick = running != u64::MAX && self.ticket(id).is_some_and(is_taken_in);
                // It stands before the tick that it meets.
                let at = if meets_tick { now.min(Millis(running)) } else { now };
                self.finishing().finish(id, End::Ended(reason), at, Took::Nothing);
                self.pass("end: written");
                // Before the event: once that has been polled the slot may have another ticket, whose call must
                // come behind this one.
                let departed = self.record.as_ref().map(|record| {
                    let in_tick = meets_tick.then(|| record.claims_made());
                    Box::new(self.departed(id, in_tick))
                });
                self.ingress.push((at, Call::Leave(id, reason, departed)));
                // While a record is kept the tick itself puts the events that meet it in their place.
                if self.record.is_none() || running == u64::MAX {
                    self.events.push(id.0);
                }
                Ok(())
            }
            EndOutcome::AlreadyMatched(of) => Err(already_matched(of)),
            EndOutcome::NotFound => Err(Refusal::new(Code::NotFound, "no such ticket waits")),
        }
    }

    /// Whether a tick has ended the ticket, without a match, or its end has been polled and forgotten; of one that a host's
    /// call ends at this time: no.
    pub(super) fn is_ended_by_tick(&self, id: TicketId) -> bool {
        // Its slot is given back a moment after it has left the shelf.
        let Some(ticket) = self.ticket(id) else { return true };
        let end = ticket.terminal().map(|terminal| terminal.end);
        let Some(End::Ended(reason)) = end else { return false };
        matches!(reason, EndReason::TimedOut | EndReason::QueueRemoved | EndReason::MatchedElsewhere)
    }

    /// Counts a ticket out of those that form, once.
    pub(super) fn forms_no_longer(&self, ticket: &Ticket) {
        if ticket.end_forming() {
            self.counts.forming.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// The submit number of a ticket; 0 until a tick has taken it in, and once it is forgotten.
    pub(super) fn submit_number(&self, id: TicketId) -> u64 {
        self.ticket(id).map_or(0, |ticket| ticket.submit_number())
    }
}

/// The id of a ticket that is looked at.
pub(super) fn id_of(ticket: &Ref<'_, Ticket>) -> TicketId {
    TicketId::new(ticket.place(), ticket.generation())
}

/// The answer to a call that came too late.
pub(super) fn already_matched(of: MatchId) -> Refusal {
    let detail = format!("the ticket is in match {:016x}", of.0.0);
    Refusal { in_match: Some(of), ..Refusal::new(Code::AlreadyMatched, detail) }
}

/// The answer of a closed engine.
pub(super) fn closed() -> Refusal {
    Refusal::new(Code::EngineClosed, "the engine has been closed")
}

#[cfg(test)]
#[cfg(not(loom))]
mod tests {
    use super::*;
    use crate::engine::Engine;
    use crate::model::ids::PlayerId;
    use crate::model::request::{PlayerRequest, TicketRequest};
    use crate::rules::spec::QueueSpec;

    /// A poll takes a ticket off its shelf before it gives its slot back: a tick that looks in between finds it over.
    #[test]
    fn a_ticket_that_has_left_its_shelf_is_over() {
        let engine = Engine::builder().capacity(4).build().unwrap();
        engine.add_queue(QueueSpec::new("duel", 2, 2)).unwrap();
        let request = TicketRequest::new("duel").player(PlayerRequest::new(PlayerId(1)));
        let id = engine.submit(Millis(0), request).unwrap();
        assert!(!engine.door.is_ended_by_tick(id));
        engine.cancel(Millis(0), id).unwrap();
        assert!(!engine.door.is_ended_by_tick(id), "its host has ended it");
        engine.door.tickets.remove_to(id.slot(), id.generation(), |_, _, ticket| drop(ticket));
        assert_eq!(engine.door.claims.state(id), WordState::Ended);
        assert!(engine.door.is_ended_by_tick(id));
    }
}
