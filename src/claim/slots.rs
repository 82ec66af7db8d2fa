//! The table of ticket slots: their words, and the free ones among them.
//!
//! Called by `commit`. Invariant: a slot is in the list of free slots exactly while its word is FREE and it
//! was used before; it leaves the list to one thread only; and each ticket that lives in it has a generation
//! that none had before. The list is Treiber's stack (R. K. Treiber, "Systems Programming: Coping with
//! Parallelism", IBM RJ 5118, 1986) with a count in its head, which goes up with every change: a head that
//! was read before others took and returned the same slot is out of date and its exchange fails.

use super::fault::Fault;
use super::word::SlotWord;
use crate::base::segments::Segments;
use crate::base::sync::{AtomicU32, AtomicU64, Ordering};
use crate::model::ids::{MatchId, TicketId};

/// Bits of a slot in the head of the list; the count has the rest.
const HEAD_SLOT_BITS: u32 = 27;
/// The end of the list: a slot that no table has.
const NO_SLOT: u32 = (1 << HEAD_SLOT_BITS) - 1;

/// One ticket's place, 24 bytes.
pub(super) struct Slot {
    /// A [`SlotWord`].
    word: AtomicU64,
    /// The id of the match, once the word says MATCHED.
    of: AtomicU64,
    /// The generation of the ticket that lives here, for the time when its word is a mark.
    generation: AtomicU32,
    /// The next free slot, while this one is in the list.
    next: AtomicU32,
}

impl Slot {
    fn new() -> Slot {
        Slot {
            word: AtomicU64::new(SlotWord::UNUSED.0),
            of: AtomicU64::new(0),
            generation: AtomicU32::new(0),
            next: AtomicU32::new(NO_SLOT),
        }
    }

    /// What the slot says now. Acquire pairs with every release of the word: what its writer had written
    /// before (generation, match id, proposal) is seen.
    pub(super) fn load(&self) -> SlotWord {
        SlotWord(self.word.load(Ordering::Acquire))
    }

    /// Replaces `from` by `to`, or answers what stands there instead. Acquire pairs with the release of the
    /// word that is replaced; release passes that on, with our own writes, to whoever reads the new word.
    pub(super) fn exchange(&self, from: SlotWord, to: SlotWord) -> Result<(), SlotWord> {
        let done = self.word.compare_exchange(from.0, to.0, Ordering::AcqRel, Ordering::Acquire);
        done.map(|_| ()).map_err(SlotWord)
    }

    /// The generation of the ticket that lives here. Acquire pairs with the release in `begin`: whoever reads
    /// the generation of a later ticket then also finds that the word has left the earlier one.
    pub(super) fn generation(&self) -> u32 {
        self.generation.load(Ordering::Acquire)
    }

    /// The match that the slot named at a moment when its word still was `seen`, or `None` if the word has
    /// moved on. Acquire pairs with the release in `settle`: if a later ticket's match was read, the second
    /// look at the word finds it changed.
    pub(super) fn match_while(&self, seen: SlotWord) -> Option<MatchId> {
        let of = MatchId(TicketId(self.of.load(Ordering::Acquire)));
        (self.load() == seen).then_some(of)
    }

    /// MARKED -> MATCHED, by the owner of the committed proposal, who alone may change the word now: so a
    /// store does. Release of the word pairs with `load`: who reads MATCHED reads this match id, or a later
    /// one.
    pub(super) fn settle(&self, generation: u32, of: MatchId, fault: Fault) {
        if !fault.is(Fault::MatchIdLate) {
            self.of.store(of.0.0, Ordering::Release);
        }
        self.word.store(SlotWord::matched(generation).0, Ordering::Release);
        if fault.is(Fault::MatchIdLate) {
            self.of.store(of.0.0, Ordering::Release);
        }
    }

    /// FREE -> UNPUBLISHED, by the thread that took the slot from the list, which alone may change the word.
    /// The word is written last; both releases pair with the acquires above.
    fn begin(&self, generation: u32) {
        self.generation.store(generation, Ordering::Release);
        self.word.store(SlotWord::unpublished(generation).0, Ordering::Release);
    }
}

/// All slots of an engine. Any thread.
pub(super) struct Slots {
    table: Segments<Slot>,
    /// Bits 0..27 the first free slot, 27..64 the count of changes.
    head: AtomicU64,
    /// Slots used at least once.
    used: AtomicU32,
    retired: AtomicU32,
    generation_first: u32,
    generation_max: u32,
    fault: Fault,
}

impl Slots {
    pub(super) fn new(slots: u32, generations: (u32, u32), fault: Fault) -> Slots {
        Slots {
            table: Segments::new(slots),
            head: AtomicU64::new(u64::from(NO_SLOT)),
            used: AtomicU32::new(0),
            retired: AtomicU32::new(0),
            generation_first: generations.0,
            generation_max: generations.1,
            fault,
        }
    }

    /// Slots whose generations are used up. Relaxed: a count for reports, ordered with nothing.
    pub(super) fn retired(&self) -> u32 {
        self.retired.load(Ordering::Relaxed)
    }

    /// The slot that the id would live in, or `None` for an id that no ticket of ours ever had.
    pub(super) fn find(&self, id: TicketId) -> Option<&Slot> {
        if id.engine() != 0 || id.generation() == 0 {
            return None;
        }
        self.table.get(id.slot())
    }

    /// Takes a free slot for a new ticket, unpublished; `None` if there is none.
    pub(super) fn take(&self) -> Option<TicketId> {
        loop {
            if let Some(id) = self.pop() {
                return Some(id);
            }
            match self.take_unused() {
                Taken::Id(id) => return Some(id),
                // Used up for good; a slot may have come back between the two looks, so the list has the last
                // word.
                Taken::UsedUp => return self.pop(),
                Taken::Raced => {}
            }
        }
    }

    /// UNPUBLISHED, MATCHED or ENDED -> FREE or RETIRED. Answers whether the id named such a ticket.
    pub(super) fn give_back(&self, id: TicketId) -> bool {
        let Some(slot) = self.find(id) else { return false };
        let generation = id.generation();
        let over =
            [SlotWord::matched(generation), SlotWord::ended(generation), SlotWord::unpublished(generation)];
        let seen = slot.load();
        if !over.contains(&seen) {
            return false;
        }
        let last = generation >= self.generation_max;
        let to = if last { SlotWord::retired(generation) } else { SlotWord::free(generation) };
        if slot.exchange(seen, to).is_err() {
            return false;
        }
        if last {
            self.retired.fetch_add(1, Ordering::Relaxed);
        } else {
            self.push(id.slot(), slot);
        }
        true
    }

    /// A slot that was never used before.
    fn take_unused(&self) -> Taken {
        // Relaxed, here and in the exchange: the number alone is handed over. The slot's memory is published
        // by `Segments`, and its first word by `begin`.
        let unused = self.used.load(Ordering::Relaxed);
        let Some(slot) = self.table.get_or_make(unused, Slot::new) else { return Taken::UsedUp };
        let swap = self.used.compare_exchange(unused, unused + 1, Ordering::Relaxed, Ordering::Relaxed);
        if swap.is_err() {
            return Taken::Raced;
        }
        slot.begin(self.generation_first);
        Taken::Id(TicketId::new(unused, self.generation_first))
    }

    /// Takes the first slot off the list.
    fn pop(&self) -> Option<TicketId> {
        // Acquire, here and on failure, pairs with the release in `push`: the slot's `next` and its word are
        // seen.
        let mut head = self.head.load(Ordering::Acquire);
        loop {
            let first = head as u32 & NO_SLOT;
            let slot = self.table.get(first)?;
            // Relaxed: ordered by the acquire of the head that named the slot. If the slot has left the list
            // since and `next` is of another time, the count has changed and the exchange fails.
            let next = slot.next.load(Ordering::Relaxed);
            // Relaxed on success: nothing is passed on by a pop, and as a read-modify-write it continues the
            // release of the push below it.
            match self.head.compare_exchange(
                head,
                self.changed(head, next),
                Ordering::Acquire,
                Ordering::Acquire,
            ) {
                Ok(_) => {
                    // Free slots have FREE words with a generation to come; `give_back` saw to it.
                    let generation = slot.load().last_if_free()? + 1;
                    slot.begin(generation);
                    return Some(TicketId::new(first, generation));
                }
                Err(now) => head = now,
            }
        }
    }

    /// The head with another first slot and the next count.
    fn changed(&self, head: u64, first: u32) -> u64 {
        let step = u64::from(!self.fault.is(Fault::CountStands));
        let count = (head >> HEAD_SLOT_BITS).wrapping_add(step);
        count << HEAD_SLOT_BITS | u64::from(first)
    }

    /// Puts a slot on the list.
    fn push(&self, index: u32, slot: &Slot) {
        // Relaxed, here and on failure: the old head is only written into `next`, its slot is not looked at.
        let mut head = self.head.load(Ordering::Relaxed);
        loop {
            slot.next.store(head as u32 & NO_SLOT, Ordering::Relaxed);
            // Release pairs with the acquire in `pop`.
            let swap = self.head.compare_exchange(
                head,
                self.changed(head, index),
                Ordering::Release,
                Ordering::Relaxed,
            );
            match swap {
                Ok(_) => return,
                Err(now) => head = now,
            }
        }
    }
}

/// What came of the attempt to take a slot that was never used.
enum Taken {
    Id(TicketId),
    /// Another thread took that one.
    Raced,
    /// There is none, and there never will be.
    UsedUp,
}
