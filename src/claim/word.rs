//! The words that claims are made with: one for each ticket slot, one for each proposal. Plain numbers here,
//! no atomics.
//!
//! Called by `slots`, `proposals` and `commit`. Invariant: two words are equal exactly when they say the
//! same, so an exchange may compare them whole.
//!
//! A **slot word**. Bits 0..3 are the state; what the others are depends on it:
//!
//! | state | bits 32..64 | meaning |
//! | --- | --- | --- |
//! | FREE | last generation | no ticket; the next one gets the generation after it. 0: never used |
//! | UNPUBLISHED | generation | the ticket is being filled, only its submitter knows it |
//! | QUEUED | generation | it waits |
//! | MATCHED | generation | it is in a match, which the slot names |
//! | ENDED | generation | it ended without a match |
//! | RETIRED | last generation | the generations are used up; no ticket ever again |
//!
//! MARKED has a proposal in bits 3..11, in bit 11 what the commit makes of the ticket, and the proposal's
//! sequence number in bits 28..64: the ticket waits while the proposal is undecided or aborted; once it is
//! committed it is in the match (bit 11 is 0), or has ended because of it (1). The generation is then the one
//! that stands beside the word in the slot.
//!
//! A **proposal word**. Bits 0..2 are the state (IDLE, UNDECIDED, COMMITTED, ABORTED), bits 2..28 in ABORTED
//! the slot of the ticket whose end aborted it (or its own), bits 28..64 the sequence number, which goes up
//! with each use. With 36 bits a number comes again after 6.9 * 10^10 commits through the same entry: a
//! thread would have to be held up between two instructions for half a day of the heaviest load, and the same
//! ticket be marked with the very number again, for it to be mistaken.

/// Bits of a sequence number.
const SEQUENCE_BITS: u32 = 36;
/// Where the sequence number begins in both kinds of word.
const SEQUENCE_SHIFT: u32 = 64 - SEQUENCE_BITS;
const STATE_MASK: u64 = 0b111;
const PROPOSAL_MASK: u64 = 0xff;
const ENDS_BIT: u64 = 1 << 11;
const SLOT_MASK: u64 = (1 << 26) - 1;

const FREE: u64 = 0;
const UNPUBLISHED: u64 = 1;
const QUEUED: u64 = 2;
const MATCHED: u64 = 3;
const ENDED: u64 = 4;
const RETIRED: u64 = 5;
const MARKED: u64 = 6;

/// What a ticket slot says about its ticket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SlotWord(pub u64);

impl SlotWord {
    /// A slot that was never used.
    pub const UNUSED: SlotWord = SlotWord(FREE);

    const fn of(state: u64, generation: u32) -> SlotWord {
        SlotWord((generation as u64) << 32 | state)
    }

    /// No ticket since the one of generation `last`.
    pub const fn free(last: u32) -> SlotWord {
        SlotWord::of(FREE, last)
    }

    /// A ticket that only its submitter knows.
    pub const fn unpublished(generation: u32) -> SlotWord {
        SlotWord::of(UNPUBLISHED, generation)
    }

    /// A ticket that waits.
    pub const fn queued(generation: u32) -> SlotWord {
        SlotWord::of(QUEUED, generation)
    }

    /// A ticket that is in a match.
    pub const fn matched(generation: u32) -> SlotWord {
        SlotWord::of(MATCHED, generation)
    }

    /// A ticket that ended without a match.
    pub const fn ended(generation: u32) -> SlotWord {
        SlotWord::of(ENDED, generation)
    }

    /// A slot whose generations are used up.
    pub const fn retired(last: u32) -> SlotWord {
        SlotWord::of(RETIRED, last)
    }

    /// A ticket that a proposal wants.
    pub const fn marked(mark: Mark) -> SlotWord {
        let ends = if mark.ends { ENDS_BIT } else { 0 };
        SlotWord(mark.sequence << SEQUENCE_SHIFT | ends | (mark.proposal as u64) << 3 | MARKED)
    }

    /// The mark, if a proposal wants the ticket.
    pub const fn mark(self) -> Option<Mark> {
        if self.0 & STATE_MASK != MARKED {
            return None;
        }
        let proposal = (self.0 >> 3 & PROPOSAL_MASK) as u8;
        Some(Mark { proposal, sequence: self.0 >> SEQUENCE_SHIFT, ends: self.0 & ENDS_BIT != 0 })
    }

    /// The generation before the next ticket's, if the slot is free.
    pub const fn last_if_free(self) -> Option<u32> {
        if self.0 & STATE_MASK == FREE { Some((self.0 >> 32) as u32) } else { None }
    }
}

/// One use of one entry of the proposal table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    /// The entry.
    pub proposal: u8,
    /// Which use of it.
    pub sequence: u64,
    /// The commit ends the ticket instead of matching it. Not part of the use.
    pub ends: bool,
}

const IDLE: u64 = 0;
const UNDECIDED: u64 = 1;
const COMMITTED: u64 = 2;
const ABORTED: u64 = 3;

/// Where a proposal stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProposalWord(pub u64);

impl ProposalWord {
    /// An entry that was never used.
    pub const UNUSED: ProposalWord = ProposalWord(IDLE);

    /// An entry that nobody uses, before its use number `sequence`.
    pub const fn idle(sequence: u64) -> ProposalWord {
        ProposalWord(sequence << SEQUENCE_SHIFT | IDLE)
    }

    /// A proposal whose tickets are being marked.
    pub const fn undecided(sequence: u64) -> ProposalWord {
        ProposalWord(sequence << SEQUENCE_SHIFT | UNDECIDED)
    }

    /// A proposal that is a match.
    pub const fn committed(sequence: u64) -> ProposalWord {
        ProposalWord(sequence << SEQUENCE_SHIFT | COMMITTED)
    }

    /// A proposal that will never be a match because of the ticket in `slot`.
    pub const fn aborted(sequence: u64, slot: u32) -> ProposalWord {
        ProposalWord(sequence << SEQUENCE_SHIFT | (slot as u64 & SLOT_MASK) << 2 | ABORTED)
    }

    /// Which use of the entry it is about.
    pub const fn sequence(self) -> u64 {
        self.0 >> SEQUENCE_SHIFT
    }

    /// Whether nobody uses the entry.
    pub const fn is_idle(self) -> bool {
        self.0 & 0b11 == IDLE
    }

    /// Whether it is a match.
    pub const fn is_committed(self) -> bool {
        self.0 & 0b11 == COMMITTED
    }

    /// If it is aborted: because of the ticket in which slot.
    pub const fn aborted_by(self) -> Option<u32> {
        if self.0 & 0b11 == ABORTED { Some((self.0 >> 2 & SLOT_MASK) as u32) } else { None }
    }
}

/// The number of the use after `sequence`.
pub const fn next_sequence(sequence: u64) -> u64 {
    (sequence + 1) & ((1 << SEQUENCE_BITS) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn words_say_what_was_put_in() {
        let mark = Mark { proposal: 255, sequence: (1 << 36) - 1, ends: false };
        assert_eq!(SlotWord::marked(mark).mark(), Some(mark));
        let ending = Mark { ends: true, ..mark };
        assert_eq!(SlotWord::marked(ending).mark(), Some(ending));
        assert_eq!(SlotWord::queued(u32::MAX).mark(), None);
        assert_eq!(SlotWord::free(9).last_if_free(), Some(9));
        assert_eq!(SlotWord::retired(9).last_if_free(), None);
        assert_eq!(SlotWord::UNUSED, SlotWord::free(0));
        let aborted = ProposalWord::aborted(7, (1 << 26) - 1);
        assert_eq!((aborted.sequence(), aborted.aborted_by()), (7, Some((1 << 26) - 1)));
        assert!(ProposalWord::committed(7).is_committed() && !aborted.is_committed() && !aborted.is_idle());
        assert!(ProposalWord::UNUSED.is_idle());
        assert_eq!(next_sequence((1 << 36) - 1), 0);
        let states = [
            SlotWord::free(1),
            SlotWord::unpublished(1),
            SlotWord::queued(1),
            SlotWord::matched(1),
            SlotWord::ended(1),
            SlotWord::retired(1),
            SlotWord::marked(Mark { proposal: 0, sequence: 16, ends: false }),
            SlotWord::marked(Mark { proposal: 0, sequence: 16, ends: true }),
        ];
        assert_eq!(states.iter().map(|word| word.0).collect::<HashSet<_>>().len(), 8);
    }
}
