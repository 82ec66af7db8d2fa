//! The table of ticket slots: their words, and the free ones among them.
//!
//! Called by `commit`. Invariant: a slot in the pool's list of free ones has a word that is FREE; it leaves the list to
//! one thread only; and each ticket that others hear of has a generation that none had before.

use super::fault::Fault;
use super::word::SlotWord;
use crate::base::pool::{Lot, Pile, Pool};
use crate::base::sync::{AtomicU32, AtomicU64, Ordering};
use crate::model::ids::{MatchId, TicketId};

/// One ticket's place, 24 bytes.
pub(super) struct Slot {
    /// A [`SlotWord`].
    word: AtomicU64,
    /// The id of the match, once the word says MATCHED.
    of: AtomicU64,
    /// The generation of the ticket that lives here, for the time when its word is a mark.
    generation: AtomicU32,
}

impl Slot {
    /// A slot that was never used, whose first ticket will have the generation `first`.
    fn before(first: u32) -> Slot {
        Slot {
            word: AtomicU64::new(SlotWord::free(first - 1).0),
            of: AtomicU64::new(0),
            generation: AtomicU32::new(0),
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

    /// MARKED -> ENDED, by the owner of the committed proposal, as in `settle`: the ticket ends with that
    /// match. Release of the word pairs with `load`.
    pub(super) fn settle_ended(&self, generation: u32) {
        self.word.store(SlotWord::ended(generation).0, Ordering::Release);
    }

    /// UNPUBLISHED -> QUEUED, by the thread that began the ticket, which alone may change the word: so a store does.
    /// Release pairs with `load`: whoever finds the ticket queued sees what was written before. Answers whether it was
    /// unpublished.
    pub(super) fn publish(&self, generation: u32) -> bool {
        let is_unpublished = self.load() == SlotWord::unpublished(generation);
        if is_unpublished {
            self.word.store(SlotWord::queued(generation).0, Ordering::Release);
        }
        is_unpublished
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
    table: Pool<Slot>,
    retired: AtomicU32,
    generation_first: u32,
    generation_max: u32,
}

impl Slots {
    /// Slots whose first ticket has generation `first` and whose last one has `generation_max`.
    pub(super) fn new(slots: u32, first: u32, generation_max: u32) -> Slots {
        let table = Pool::new(slots);
        Slots { table, retired: AtomicU32::new(0), generation_first: first, generation_max }
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

    /// Has a slot fetched that is looked at soon.
    pub(super) fn prefetch(&self, id: TicketId) {
        self.table.prefetch(id.slot());
    }

    /// FREE -> UNPUBLISHED: takes a slot for a new ticket; `None` if there is none.
    pub(super) fn take(&self) -> Option<TicketId> {
        begin(self.table.take(|| Slot::before(self.generation_first))?)
    }

    /// So many slots, or as many as there are.
    pub(super) fn open(&self, len: u32) -> OpenSlots<'_> {
        let lot = self.table.lot(len, || Slot::before(self.generation_first));
        lot.prefetch();
        OpenSlots { slots: self, lot }
    }

    /// No slots yet.
    pub(super) fn freed(&self) -> FreedSlots<'_> {
        FreedSlots { slots: self, pile: self.table.pile() }
    }

    /// UNPUBLISHED, MATCHED or ENDED -> FREE or RETIRED. Answers whether the id named such a ticket.
    pub(super) fn give_back(&self, id: TicketId) -> bool {
        self.freed().free(id)
    }

    /// As `give_back`, with the slot in `pile` if it is free.
    fn free(&self, id: TicketId, pile: &mut Pile<'_, Slot>) -> bool {
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
            pile.add(id.slot());
        }
        true
    }
}

/// FREE -> UNPUBLISHED: begins a ticket in a slot that was taken.
fn begin((index, slot): (u32, &Slot)) -> Option<TicketId> {
    // Free slots have FREE words with a generation to come; `free` saw to it.
    let generation = slot.load().last_if_free()? + 1;
    slot.begin(generation);
    Some(TicketId::new(index, generation))
}

/// Slots for the tickets of one call, taken at once; those that are left go back when it is dropped.
pub struct OpenSlots<'a> {
    slots: &'a Slots,
    lot: Lot<'a, Slot>,
}

impl OpenSlots<'_> {
    /// How many slots are left.
    pub fn len(&self) -> u32 {
        self.lot.len()
    }

    /// Whether none is left.
    pub fn is_empty(&self) -> bool {
        self.lot.is_empty()
    }

    /// Takes a slot for a new ticket, as [`Claims::allocate`](super::commit::Claims::allocate); `None` if none is left.
    pub fn allocate(&mut self) -> Option<TicketId> {
        begin(self.lot.take()?)
    }

    /// The numbers of those that are left, in the order in which tickets get them.
    pub fn indices(&self) -> impl Iterator<Item = u32> + '_ {
        self.lot.indices()
    }

    /// UNPUBLISHED -> FREE, as if the ticket had never begun: the one allocated last, of which nobody was told. Its id
    /// is the next one again.
    pub fn undo(&mut self, id: TicketId) {
        let Some(slot) = self.slots.find(id) else { return };
        debug_assert!(slot.load() == SlotWord::unpublished(id.generation()), "nobody was told of the ticket");
        // Release, as in `begin`.
        slot.word.store(SlotWord::free(id.generation() - 1).0, Ordering::Release);
        self.lot.undo(id.slot());
    }
}

/// Slots of tickets that are over, which go back at once when it is dropped.
pub struct FreedSlots<'a> {
    slots: &'a Slots,
    pile: Pile<'a, Slot>,
}

impl FreedSlots<'_> {
    /// Frees a ticket, as [`Claims::free`](super::commit::Claims::free); its slot is taken again only later.
    pub fn free(&mut self, id: TicketId) -> bool {
        self.slots.free(id, &mut self.pile)
    }
}
