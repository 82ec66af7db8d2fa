//! What the engine keeps of each ticket: who it is, what it asks for, and how it ended.
//!
//! One for each slot that is in use, on a shelf that any thread may look at. Put there at submit, kept while its
//! terminal event waits to be polled and then while it is among the newest retained ones. Invariant: the terminal
//! event is written once, by whoever ended the ticket's claim or committed it.
//!
//! Most tickets are [`plain`](super::plain): what they ask for stands in a run of words beside this. What few tickets
//! have (a request that is not plain, an update, earlier matches) stands in [`Rare`].

use super::plain::Plain;
use super::queues::DoorQueue;
use crate::base::cells::Run;
use crate::base::late::Late;
use crate::base::published::Published;
use crate::base::sync::{AtomicU32, AtomicU64, Ordering};
use crate::model::codes::EndReason;
use crate::model::ids::{Millis, TicketId};
use crate::model::request::TicketRequest;
use crate::queue::regions::RegionOrder;
use crate::store::tickets::TicketValues;
use std::sync::{Arc, OnceLock};

/// Cells of a ticket's versions: an update needs two, and most tickets have none.
const VERSION_CELLS: usize = 1;

/// A ticket as it is asked for, at one time; an update makes a new one.
#[derive(Debug)]
pub(super) struct Version {
    /// 0 for the first, one more with each change.
    pub number: u64,
    /// The whole request.
    pub request: TicketRequest,
    /// When its wait began; of a forming ticket, when it was made.
    pub enqueued: Millis,
    /// When it ends.
    pub deadline: Option<Millis>,
    /// What searches read of it, without what stands in `texts`. Empty while it is forming.
    pub values: TicketValues,
    /// The texts among its values.
    pub texts: Texts,
}

/// Values that are texts: a tick gives each a number.
#[derive(Debug, Default)]
pub(super) struct Texts {
    /// The key slots that hold a text.
    pub keys: Vec<(usize, Box<str>)>,
    /// The list slots that hold a list: without repetition.
    pub lists: Vec<(usize, Vec<Box<str>>)>,
}

/// Members are still to join.
const FORMING: u32 = 2;
/// It was put back as another ticket.
const REQUEUED: u32 = 4;
/// It counts on its plain regions itself: no tick has taken that over.
const HOLDS: u32 = 8;

/// The word of a terminal event: bits 0..8 say how it ended (0: not yet), bit 8 that a tick did it which had taken in
/// the plain request, bits 16.. the position of its team.
const MATCHED: u32 = 1;
const ENDED: u32 = 2;
const TOOK_PLAIN: u32 = 1 << 8;
const POSITION_SHIFT: u32 = 16;

/// One ticket, in 88 bytes.
pub(super) struct Ticket {
    /// Its queue, which may have been removed since.
    pub queue: Arc<DoorQueue>,
    /// What it asked for at first, if that is plain.
    pub plain: Plain,
    /// The names of the plain regions, where numbers are given away.
    pub order: Option<Arc<RegionOrder>>,
    /// What few tickets have.
    pub rare: Late<Rare>,
    /// Its place among the submits, once a tick has taken it in. Relaxed: the tick that writes it hands the
    /// ticket's match over, if any, by the exchange of the event.
    pub submit_number: AtomicU64,
    flags: AtomicU32,
    /// Not 0: a tick has taken the ticket in, as it is: waiting, or forming. Apart from the flags: a tick writes it for each
    /// ticket, and a store costs less than an exchange.
    taken_in: AtomicU32,
    /// How it ended, as said above. Written last of a terminal event.
    over: AtomicU32,
    /// When it ended.
    at: AtomicU64,
    /// The next ticket of its match in the order of submit numbers; 0: none.
    next: AtomicU64,
    /// The match, if this is its oldest ticket; written before `over`.
    head: AtomicU32,
}

/// What few tickets have.
pub(super) struct Rare {
    /// When its timeout began: with its wait, or with its creation if it has been forming.
    pub created: Millis,
    /// Earlier matches that it was in.
    pub attempts: u32,
    /// The id of the first of the tickets that were put back as each other: the record calls it by that.
    pub first_id: TicketId,
    /// What it asks for now.
    pub versions: Published<Arc<Version>, VERSION_CELLS>,
    /// What the tick that ended it had taken in, if that is one of the versions. Set by one thread.
    pub taken: OnceLock<Arc<Version>>,
    /// The names of the regions of its match. Set by one thread.
    pub order: OnceLock<Arc<RegionOrder>>,
}

impl Rare {
    /// What goes with a version.
    pub(super) fn new(version: Arc<Version>, created: Millis, attempts: u32, first_id: TicketId) -> Rare {
        let versions = Published::with_cells(version);
        Rare { created, attempts, first_id, versions, taken: OnceLock::new(), order: OnceLock::new() }
    }
}

/// What a tick had taken in of a ticket.
pub(super) enum Took {
    /// Nothing, or it was not a tick that ended the ticket.
    Nothing,
    /// The plain request.
    Plain,
    /// A version.
    Version(Arc<Version>),
}

impl Ticket {
    /// A ticket with a plain request, which counts on its regions itself if `order` names them.
    pub(super) fn plain(queue: Arc<DoorQueue>, plain: Plain, order: Option<Arc<RegionOrder>>) -> Ticket {
        let flags = if order.is_some() { HOLDS } else { 0 };
        Ticket::build(queue, plain, order, Late::new(), flags)
    }

    /// A ticket with any other request.
    pub(super) fn rare(queue: Arc<DoorQueue>, rare: Rare) -> Ticket {
        let flags = if rare.versions.load().request.awaits.is_empty() { 0 } else { FORMING };
        Ticket::build(queue, Plain::NONE, None, Late::with(Box::new(rare)), flags)
    }

    fn build(
        queue: Arc<DoorQueue>,
        plain: Plain,
        order: Option<Arc<RegionOrder>>,
        rare: Late<Rare>,
        flags: u32,
    ) -> Ticket {
        Ticket {
            queue,
            plain,
            order,
            rare,
            submit_number: AtomicU64::new(0),
            flags: AtomicU32::new(flags),
            taken_in: AtomicU32::new(0),
            over: AtomicU32::new(0),
            at: AtomicU64::new(0),
            next: AtomicU64::new(0),
            head: AtomicU32::new(Run::NONE.0),
        }
    }

    /// The version that it has now, if it has any.
    pub(super) fn version(&self) -> Option<Arc<Version>> {
        self.rare.get().map(|rare| Arc::clone(&rare.versions.load()))
    }

    /// Earlier matches that it was in.
    pub(super) fn attempts(&self) -> u32 {
        self.rare.get().map_or(0, |rare| rare.attempts)
    }

    /// Whether an update came too late to have an effect: a tick that had not taken it in ended the ticket.
    pub(super) fn update_lost(&self) -> bool {
        let Some(rare) = self.rare.get() else { return false };
        match rare.taken.get() {
            Some(taken) => rare.versions.load().number > taken.number,
            None => self.took_plain() && rare.versions.load().number > 0,
        }
    }

    /// Whether a tick ended it that had taken in the plain request.
    pub(super) fn took_plain(&self) -> bool {
        // Acquire, here and below, pairs with the release in `finish`.
        self.over.load(Ordering::Acquire) & TOOK_PLAIN != 0
    }

    /// Its number among the submits; 0 until a tick has taken it in.
    pub(super) fn submit_number(&self) -> u64 {
        self.submit_number.load(Ordering::Relaxed)
    }

    /// Whether a tick has taken it in. Relaxed: a report, and for the record, where calls and ticks take turns.
    pub(super) fn is_taken_in(&self) -> bool {
        self.taken_in.load(Ordering::Relaxed) != 0
    }

    /// Says whether a tick has taken it in.
    pub(super) fn set_taken_in(&self, is_taken_in: bool) {
        self.taken_in.store(u32::from(is_taken_in), Ordering::Relaxed);
    }

    /// Says that it forms no longer; whether it did, to one thread. Relaxed: the flag only says who counts.
    pub(super) fn end_forming(&self) -> bool {
        self.flags.load(Ordering::Relaxed) & FORMING != 0
            && self.flags.fetch_and(!FORMING, Ordering::Relaxed) & FORMING != 0
    }

    /// Says that it is being put back; answers false if it was before. Acquire and release: of two requeues one goes
    /// on, and if it is refused the next one sees that.
    pub(super) fn begin_requeue(&self) -> bool {
        self.flags.fetch_or(REQUEUED, Ordering::AcqRel) & REQUEUED == 0
    }

    /// Says that it was not put back after all.
    pub(super) fn undo_requeue(&self) {
        self.flags.fetch_and(!REQUEUED, Ordering::Release);
    }

    /// Takes over the regions that it counts on itself, as bits: who calls this lets them go. 0: none, or they were
    /// taken over before. Relaxed: the flag only says who lets go.
    pub(super) fn take_hold(&self) -> u64 {
        let holds = self.flags.load(Ordering::Relaxed) & HOLDS != 0
            && self.flags.fetch_and(!HOLDS, Ordering::Relaxed) & HOLDS != 0;
        if holds { self.plain.regions } else { 0 }
    }

    /// How it ended, if it has.
    pub(super) fn terminal(&self) -> Option<Terminal> {
        let over = self.over.load(Ordering::Acquire);
        let end = match over & 0xff {
            0 => return None,
            MATCHED => {
                let next = self.next.load(Ordering::Relaxed);
                let next = (next != 0).then_some(TicketId(next));
                End::Matched(Seat { position: over >> POSITION_SHIFT, next })
            }
            reason => End::Ended(EndReason::ALL[(reason - ENDED) as usize]),
        };
        Some(Terminal { at: Millis(self.at.load(Ordering::Relaxed)), end })
    }

    /// Whether it has ended.
    pub(super) fn is_over(&self) -> bool {
        self.over.load(Ordering::Acquire) != 0
    }

    /// Writes the terminal event, once.
    pub(super) fn finish(&self, terminal: Terminal, took: Took) {
        debug_assert!(!self.is_over(), "a ticket ends once");
        let mut over = match terminal.end {
            End::Matched(seat) => {
                self.next.store(seat.next.map_or(0, |next| next.0), Ordering::Relaxed);
                MATCHED | seat.position << POSITION_SHIFT
            }
            End::Ended(reason) => ENDED + reason as u32,
        };
        self.at.store(terminal.at.0, Ordering::Relaxed);
        match (took, self.rare.get()) {
            (Took::Plain, _) => over |= TOOK_PLAIN,
            (Took::Version(version), Some(rare)) => {
                let first = rare.taken.set(version);
                debug_assert!(first.is_ok(), "a ticket ends once");
            }
            _ => {}
        }
        // Release pairs with the acquires of the word: what was written before is seen by whoever finds it over.
        self.over.store(over, Ordering::Release);
    }

    /// The words of the match whose oldest ticket it is.
    pub(super) fn head(&self) -> Run {
        Run(self.head.load(Ordering::Relaxed))
    }

    /// Sets the words of its match, before `finish`. Relaxed: published by that.
    pub(super) fn set_head(&self, head: Run) {
        self.head.store(head.0, Ordering::Relaxed);
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let held = self.take_hold();
        if held != 0 {
            self.queue.regions.release(held);
        }
    }
}

/// How a ticket ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terminal {
    /// When.
    pub at: Millis,
    /// In a match, or without.
    pub end: End,
}

/// In a match, or without.
#[derive(Clone, Copy, Debug)]
pub(super) enum End {
    /// It is in a match, which its claim names.
    Matched(Seat),
    /// It ended without one.
    Ended(EndReason),
}

/// A ticket's place in its match.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seat {
    /// Its team's position among the declared ones.
    pub position: u32,
    /// The next ticket of the match in the order of submit numbers.
    pub next: Option<TicketId>,
}

const _: () = assert!(cfg!(loom) || size_of::<Ticket>() <= 88);
