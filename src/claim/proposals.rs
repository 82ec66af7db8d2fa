//! The table of proposals: matches that are being committed, each decided by one exchange of its word.
//!
//! Called by `commit`. Invariant: the word of one use of an entry goes one way and is decided once:
//!
//! ```text
//!             take                decide
//! IDLE(s) ----------> UNDECIDED(s) ----------> COMMITTED(s) --.
//!    ^                     |                                  | release
//!    |                     '----------> ABORTED(s, slot) -----+
//!    |                        abort                           |
//!    '---- s + 1 <--------------------------------------------'
//! ```
//!
//! No ticket word has a mark of use s any more when the entry goes on to IDLE(s + 1). The way matches are
//! committed is Harris, Fraser and Pratt's ("A Practical Multi-Word Compare-and-Swap Operation", DISC 2002),
//! without its helping: who meets a foreign proposal aborts it or takes no for an answer.

use super::fault::Fault;
use super::word::{Mark, ProposalWord, next_sequence};
use crate::base::sync::{AtomicU64, Ordering};
use crate::model::ids::{MatchId, TicketId};

/// Entries of the table: so many commits may be under way at once. Beyond that, a commit takes turns with the
/// others. An engine has far fewer workers.
const PROPOSALS: usize = if cfg!(loom) { 2 } else { 256 };

/// One entry, on a cache line of its own.
#[repr(align(64))]
struct Proposal {
    /// A [`ProposalWord`].
    word: AtomicU64,
    /// The id that the match will have.
    of: AtomicU64,
}

/// How a proposal that somebody met stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// It may still go either way.
    Undecided,
    /// It is the match of this id, if the ticket's word still has the mark.
    Committed(MatchId),
    /// It will never be a match.
    Aborted,
    /// It has been over for some time: the mark is no longer on any word.
    Over,
}

/// All proposals of an engine. Any thread.
pub(super) struct Proposals {
    entries: Box<[Proposal]>,
    fault: Fault,
}

impl Proposals {
    pub(super) fn new(fault: Fault) -> Proposals {
        let entry = || Proposal { word: AtomicU64::new(ProposalWord::UNUSED.0), of: AtomicU64::new(0) };
        Proposals { entries: (0..PROPOSALS).map(|_| entry()).collect(), fault }
    }

    /// IDLE -> UNDECIDED: an entry of the caller's own, for a match that will have the id `of`.
    pub(super) fn take(&self, of: MatchId) -> Mark {
        let mut index = of.0.slot() as usize % PROPOSALS;
        loop {
            let entry = &self.entries[index];
            // Relaxed: a guess that the exchange checks.
            let seen = ProposalWord(entry.word.load(Ordering::Relaxed));
            let sequence = seen.sequence();
            // Acquire pairs with the release in `release`: marks of the last use are gone for us, too.
            let swap = entry.word.compare_exchange(
                ProposalWord::idle(sequence).0,
                ProposalWord::undecided(sequence).0,
                Ordering::Acquire,
                Ordering::Relaxed,
            );
            if swap.is_ok() {
                // Release pairs with the acquire in `verdict`; the release of the first marked word comes
                // after it.
                entry.of.store(of.0.0, Ordering::Release);
                return Mark { proposal: index as u8, sequence, ends: false };
            }
            index = (index + 1) % PROPOSALS;
        }
    }

    /// UNDECIDED -> COMMITTED, by the owner. Else: because of the ticket in which slot it is aborted.
    ///
    /// Acquire and release pair with those of `abort` and `verdict`: who sees the decision sees every mark.
    pub(super) fn decide(&self, mark: Mark) -> Result<(), u32> {
        let word = &self.entries[usize::from(mark.proposal)].word;
        let swap = word.compare_exchange(
            ProposalWord::undecided(mark.sequence).0,
            ProposalWord::committed(mark.sequence).0,
            Ordering::AcqRel,
            Ordering::Acquire,
        );
        match swap {
            Ok(_) => Ok(()),
            // Nobody but the owner commits or releases, so what stands there is an abort of this use.
            Err(now) => Err(ProposalWord(now).aborted_by().unwrap_or_default()),
        }
    }

    /// UNDECIDED -> ABORTED because of the ticket in `slot`, by anybody; then how the proposal stands, which
    /// is never undecided.
    pub(super) fn abort(&self, mark: Mark, slot: u32) -> Verdict {
        // Acquire and release as in `decide`: of the two exchanges one is first, and the other sees it.
        let swap = self.entries[usize::from(mark.proposal)].word.compare_exchange(
            ProposalWord::undecided(mark.sequence).0,
            ProposalWord::aborted(mark.sequence, slot).0,
            Ordering::AcqRel,
            Ordering::Acquire,
        );
        match swap {
            Ok(_) => Verdict::Aborted,
            Err(now) => self.judge(mark, ProposalWord(now)),
        }
    }

    /// How the proposal stands.
    pub(super) fn verdict(&self, mark: Mark) -> Verdict {
        // Acquire pairs with the releases in `decide`, `abort` and `release`.
        let word = self.entries[usize::from(mark.proposal)].word.load(Ordering::Acquire);
        self.judge(mark, ProposalWord(word))
    }

    /// COMMITTED or ABORTED -> IDLE for the next use, by the owner, once no word has the mark any more.
    pub(super) fn release(&self, mark: Mark) {
        let stands = self.fault.is(Fault::SequenceStands);
        let idle = ProposalWord::idle(if stands { mark.sequence } else { next_sequence(mark.sequence) });
        // A store: the word is decided, and nobody else changes a decided one. Release pairs with `take`.
        self.entries[usize::from(mark.proposal)].word.store(idle.0, Ordering::Release);
    }

    fn judge(&self, mark: Mark, seen: ProposalWord) -> Verdict {
        if seen.sequence() != mark.sequence || seen.is_idle() {
            Verdict::Over
        } else if seen.is_committed() {
            // Acquire pairs with the release in `take`: if a later use's id was read, the ticket's word,
            // which the caller looks at again, is found to have lost the mark.
            let of = self.entries[usize::from(mark.proposal)].of.load(Ordering::Acquire);
            Verdict::Committed(MatchId(TicketId(of)))
        } else if seen.aborted_by().is_some() {
            Verdict::Aborted
        } else {
            Verdict::Undecided
        }
    }
}
