//! Claims: a ticket ends, or is taken for one match and no other, whoever asks first. Without locks.
//!
//! Called by `engine` (submit, cancel, poll, from any thread) and by `queue` (expiries and commits of a
//! tick). Invariant: of all attempts to end a ticket and to match it at most one succeeds, and every other
//! answer agrees with it; a match has all of its tickets or none; an id that was freed names nothing for
//! ever.
//!
//! The life of a slot:
//!
//! ```text
//!           allocate                 publish                mark
//!  FREE(g-1) -------> UNPUBLISHED(g) ------> QUEUED(g) <------------> MARKED(p, s)
//!    ^   ^                |                     |        restore         |     | settle
//!    |   |     free       |                 end |        end             |     v
//!    |   '----------------'                     +------------------------'  MATCHED(g)
//!    |                              free        v                              |
//!    +--------------------------------------- ENDED(g)                         |
//!    |                                                    free                 |
//!    +-------------------------------------------------------------------------'
//!    '-> RETIRED(g) instead of FREE(g), if g is the last generation
//! ```
//!
//! `commit` takes a proposal (see `proposals`), marks each ticket's word with it, and then moves the proposal
//! from undecided to committed: that one exchange is the moment at which all tickets are matched. Until then
//! they wait, mark or no mark. `commit_with` marks further tickets with a bit that says so, and settles them to
//! ENDED: the same exchange ends them. `end` of a marked ticket moves the proposal from undecided to aborted first
//! and only then the word to ENDED; if the proposal was committed before, it answers with its match. Both go
//! for the same word, so one of them is first and the other learns of it. A commit that meets a foreign
//! undecided or committed mark takes the ticket for gone; the mark of an aborted proposal it replaces, so
//! nobody waits for an owner who was held up. Marks have a sequence number, so a word that was read long ago
//! is never mistaken for one of now. Why each ordering suffices is said where the words are: in `slots` and
//! `proposals`.

use super::fault::Fault;
use super::proposals::{Proposals, Verdict};
pub use super::slots::{FreedSlots, OpenSlots};
use super::slots::{Slot, Slots};
use super::word::{Mark, SlotWord};
use crate::model::ids::{MatchId, TicketId};
use crate::model::limits::SLOTS_MAX;

/// What came of the attempt to end a ticket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndOutcome {
    /// This call ended it: it is in no match, now or later.
    Ended,
    /// It is in this match.
    AlreadyMatched(MatchId),
    /// No ticket of that id waits: never given out, not yet published, ended before, or freed.
    NotFound,
}

/// Where a ticket is in its life.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WordState {
    /// Its submitter has not published it yet.
    Unpublished,
    /// It waits.
    Queued,
    /// It is in this match.
    Matched(MatchId),
    /// It ended without one.
    Ended,
    /// No ticket has this id (any more).
    NotFound,
}

/// The words of all tickets of an engine. Any thread, and no call waits for another.
pub struct Claims {
    slots: Slots,
    proposals: Proposals,
    fault: Fault,
}

impl Claims {
    /// A table of `slots` slots, at most 2^26 of which are used. Memory (24 bytes a slot) comes as it is
    /// needed.
    pub fn new(slots: u32) -> Claims {
        Claims::with_generation_bits(slots, 32)
    }

    /// As `new`, with generations of 1 to 32 bits: a slot is retired after `2^bits - 1` tickets. For tests of
    /// that.
    pub fn with_generation_bits(slots: u32, bits: u32) -> Claims {
        Claims::build(slots, 1, bits, Fault::None)
    }

    /// As `new`, with a known mistake in it. For loom models.
    #[cfg(loom)]
    pub fn with_fault(slots: u32, fault: Fault) -> Claims {
        Claims::build(slots, 1, 32, fault)
    }

    /// As `new`, with slots whose first ticket has generation `first` (0 is read as 1): for an engine that follows
    /// another one and must not give out its ids again.
    pub fn with_first_generation(slots: u32, first: u32) -> Claims {
        Claims::build(slots, first.max(1), 32, Fault::None)
    }

    fn build(slots: u32, first: u32, bits: u32, fault: Fault) -> Claims {
        let generation_max = u32::MAX >> (32 - bits.clamp(1, 32));
        Claims {
            slots: Slots::new(slots.min(SLOTS_MAX as u32), first, generation_max),
            proposals: Proposals::new(fault),
            fault,
        }
    }

    /// Takes a free slot for a new ticket, which only the caller knows until `publish`; `None` if there is
    /// none.
    ///
    /// The slot freed last is handed out first.
    pub fn allocate(&self) -> Option<TicketId> {
        self.slots.take()
    }

    /// Lets the ticket wait: from now on it can be ended and committed. What the caller wrote before is seen
    /// by whoever finds it queued. Answers whether it was unpublished. The thread that allocated the ticket calls this.
    pub fn publish(&self, id: TicketId) -> bool {
        self.slots.find(id).is_some_and(|slot| slot.publish(id.generation()))
    }

    /// Slots for so many new tickets, or for as many as there are.
    pub fn open(&self, len: u32) -> OpenSlots<'_> {
        self.slots.open(len)
    }

    /// Where the slots of tickets that are over are gathered, to be given back at once.
    pub fn freed(&self) -> FreedSlots<'_> {
        self.slots.freed()
    }

    /// Ends a waiting ticket: cancel, expiry, removal. Of all attempts to end or to match it exactly one
    /// succeeds.
    pub fn end(&self, id: TicketId) -> EndOutcome {
        let Some(slot) = self.slots.find(id) else { return EndOutcome::NotFound };
        let generation = id.generation();
        let mut seen = slot.load();
        loop {
            let mark = match self.look(slot, generation, seen) {
                Look::Free(mark) => mark,
                Look::Wanted(mark) => Some(mark),
                Look::Matched(of) => return EndOutcome::AlreadyMatched(of),
                Look::Stale(now) => {
                    seen = now;
                    continue;
                }
                Look::Unpublished | Look::Ended | Look::Unknown => return EndOutcome::NotFound,
            };
            // A proposal that wants the ticket must be over before the ticket can end.
            if let Some(mark) = mark
                && !self.fault.is(Fault::EndIgnoresProposal)
                && self.proposals.abort(mark, id.slot()) != Verdict::Aborted
            {
                seen = slot.load();
                continue;
            }
            match slot.exchange(seen, SlotWord::ended(generation)) {
                Ok(()) => return EndOutcome::Ended,
                Err(now) => seen = now,
            }
        }
    }

    /// Makes a match of these tickets, which will have the id `of` (that of the oldest of them): all or
    /// nothing.
    ///
    /// Error: the ticket that was not free (ended, matched, unpublished, unknown, named twice, or wanted by
    /// another commit at this moment); then all others are as before. Two commits that want a ticket in
    /// common may both fail when they run at the same time; neither waits for the other.
    pub fn commit(&self, of: MatchId, tickets: &[TicketId]) -> Result<(), TicketId> {
        self.commit_with(of, tickets, &[])
    }

    /// As `commit`, and in the same step ends `others`, which wait and are not of the match: whoever sees one
    /// of the match's tickets matched finds the others ended.
    ///
    /// Error: also one of `others` that was not free; without it, all the rest may be committed again.
    pub fn commit_with(
        &self,
        of: MatchId,
        tickets: &[TicketId],
        others: &[TicketId],
    ) -> Result<(), TicketId> {
        debug_assert!(tickets.contains(&of.0), "a match bears the id of one of its tickets");
        let is_late = self.fault.is(Fault::OthersAfterwards);
        let (others, late) = if is_late { (&[][..], others) } else { (others, &[][..]) };
        let own = self.proposals.take(of);
        let ending = Mark { ends: !self.fault.is(Fault::OthersMarkedAlike), ..own };
        let count = tickets.len() + others.len();
        let named = |at: usize| match tickets.get(at) {
            Some(&id) => (id, own),
            None => (others[at - tickets.len()], ending),
        };
        let mut marked = 0;
        while marked < count {
            let (id, mark) = named(marked);
            if !self.mark(id, mark) {
                break;
            }
            marked += 1;
        }
        let result = if marked < count {
            let (id, _) = named(marked);
            self.proposals.abort(own, id.slot());
            Err(id)
        } else {
            self.proposals.decide(own).map_err(|blamed| {
                let mut all = (0..count).map(|at| named(at).0);
                all.find(|id| id.slot() == blamed).unwrap_or(of.0)
            })
        };
        for at in 0..marked {
            let (id, mark) = named(at);
            let Some(slot) = self.slots.find(id) else { continue };
            match result {
                Ok(()) if at < tickets.len() => slot.settle(id.generation(), of, self.fault),
                Ok(()) => slot.settle_ended(id.generation()),
                // Fails if it has ended meanwhile, or another commit has replaced the mark: well so.
                Err(_) => {
                    let _ = slot.exchange(SlotWord::marked(mark), SlotWord::queued(id.generation()));
                }
            }
        }
        self.proposals.release(own);
        for &id in late {
            self.end(id);
        }
        result
    }

    /// Where the ticket is in its life.
    pub fn state(&self, id: TicketId) -> WordState {
        let Some(slot) = self.slots.find(id) else { return WordState::NotFound };
        let mut seen = slot.load();
        loop {
            match self.look(slot, id.generation(), seen) {
                Look::Unpublished => return WordState::Unpublished,
                Look::Free(_) | Look::Wanted(_) => return WordState::Queued,
                Look::Matched(of) => return WordState::Matched(of),
                Look::Ended => return WordState::Ended,
                Look::Unknown => return WordState::NotFound,
                Look::Stale(now) => seen = now,
            }
        }
    }

    /// Has the words of tickets fetched that are looked at soon.
    pub fn prefetch(&self, ids: impl Iterator<Item = TicketId>) {
        ids.for_each(|id| self.slots.prefetch(id));
    }

    /// Gives the slot of a ticket that is matched, ended or was never published back; from then on its id
    /// names nothing. Answers whether it did: a ticket that waits, and an id that names none, stay as they
    /// are.
    pub fn free(&self, id: TicketId) -> bool {
        self.slots.give_back(id)
    }

    /// Slots that are lost for good because their generations are used up.
    pub fn retired(&self) -> u32 {
        self.slots.retired()
    }

    /// QUEUED -> MARKED, or from the mark of an aborted proposal to ours. Answers whether the ticket was
    /// free.
    fn mark(&self, id: TicketId, mark: Mark) -> bool {
        let Some(slot) = self.slots.find(id) else { return false };
        let mut seen = slot.load();
        loop {
            match self.look(slot, id.generation(), seen) {
                Look::Free(_) => match slot.exchange(seen, SlotWord::marked(mark)) {
                    Ok(()) => return true,
                    Err(now) => seen = now,
                },
                Look::Wanted(_) if self.fault.is(Fault::CommitStealsMark) => {
                    return slot.exchange(seen, SlotWord::marked(mark)).is_ok();
                }
                Look::Stale(now) => seen = now,
                _ => return false,
            }
        }
    }

    /// What the word `seen` says about the ticket of `generation`.
    fn look(&self, slot: &Slot, generation: u32, seen: SlotWord) -> Look {
        if seen == SlotWord::queued(generation) {
            return Look::Free(None);
        }
        if seen == SlotWord::matched(generation) {
            // A matched ticket whose word moves on has been freed.
            return slot.match_while(seen).map_or(Look::Unknown, Look::Matched);
        }
        if seen == SlotWord::ended(generation) {
            return Look::Ended;
        }
        if seen == SlotWord::unpublished(generation) {
            return Look::Unpublished;
        }
        let Some(mark) = seen.mark() else { return Look::Unknown };
        if slot.generation() != generation {
            return Look::Unknown;
        }
        match self.proposals.verdict(mark) {
            Verdict::Undecided => Look::Wanted(mark),
            Verdict::Aborted => Look::Free(Some(mark)),
            // The id, and the end, count only if the mark was still there after the verdict was read.
            Verdict::Committed(of) => match slot.load() {
                now if now == seen && mark.ends => Look::Ended,
                now if now == seen => Look::Matched(of),
                now => Look::Stale(now),
            },
            Verdict::Over => Look::Stale(slot.load()),
        }
    }
}

/// What a slot word says about one ticket.
enum Look {
    Unpublished,
    /// It waits, and no proposal that could still be a match wants it; the mark of an aborted one may stand.
    Free(Option<Mark>),
    /// It waits, and an undecided proposal wants it.
    Wanted(Mark),
    Matched(MatchId),
    Ended,
    /// No such ticket.
    Unknown,
    /// The word has changed: look again, at this one.
    Stale(SlotWord),
}

#[cfg(test)]
#[cfg(not(loom))]
mod tests;
