//! A gate in front of something that many threads use and one of them takes away: callers enter and leave, whoever
//! shuts the gate waits until the last one has left.
//!
//! Called by the table of engines behind the C ABI. Invariant: between a successful `enter` and its `leave` what
//! stands behind the gate stays as it is; after `shut` nobody enters, and once `is_empty` the thread that shut owns
//! what is behind. A generation that was open once is never open again.
//!
//! ```text
//!  FREE(g) --reserve--> OPENING(g+1) --open--> OPEN(g+1) --shut--> SHUT(g+1) --free--> FREE(g+1)
//!                            |                                                            ^
//!                            '---------------------------- free --------------------------'
//! ```
//!
//! The counting of callers in the word that also says whether one may enter is that of the reader count of a
//! rundown protection (the Windows kernel's `EX_RUNDOWN_REF`).

use super::sync::{AtomicU64, Ordering};

const CALLERS: u64 = (1 << 24) - 1;
const STATE: u64 = 0b11 << 24;
const FREE: u64 = 0;
const OPENING: u64 = 1 << 24;
const OPEN: u64 = 2 << 24;
const SHUT: u64 = 3 << 24;

/// A known mistake, for loom models that must fail.
#[cfg(loom)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mistake {
    /// A caller looks whether the gate is open, and counts itself afterwards.
    CountsLate,
    /// A caller leaves without handing on what it did.
    LeavesRelaxed,
}

/// A gate. Bits 0..24 of its word are the callers inside, 24..26 the state, 32..64 the generation.
pub struct Gate {
    word: AtomicU64,
    #[cfg(loom)]
    mistake: Option<Mistake>,
}

/// Why nobody enters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Barred {
    /// That generation is not open: it never was, is not yet, or is over.
    Unknown,
    /// It is being shut.
    Shut,
}

impl Default for Gate {
    fn default() -> Gate {
        Gate::new()
    }
}

impl Gate {
    /// A gate before its first generation.
    #[cfg(not(loom))]
    pub const fn new() -> Gate {
        Gate { word: AtomicU64::new(FREE) }
    }

    /// A gate before its first generation.
    #[cfg(loom)]
    pub fn new() -> Gate {
        Gate { word: AtomicU64::new(FREE), mistake: None }
    }

    /// As `new`, with a known mistake in it.
    #[cfg(loom)]
    pub fn with_mistake(mistake: Option<Mistake>) -> Gate {
        Gate { mistake, ..Gate::new() }
    }

    /// FREE -> OPENING: the caller may now put something behind the gate, for the generation that is answered;
    /// `None` if the gate is in use, or its generations are used up.
    pub fn reserve(&self) -> Option<u32> {
        // Relaxed: only an attempt; the exchange orders.
        let seen = self.word.load(Ordering::Relaxed);
        let generation = (seen >> 32) as u32;
        if seen & STATE != FREE || generation == u32::MAX {
            return None;
        }
        let next = u64::from(generation + 1) << 32 | OPENING;
        // Acquire pairs with the release in `free`: what stood behind the gate before is gone.
        let swap = self.word.compare_exchange(seen, next, Ordering::Acquire, Ordering::Relaxed);
        swap.ok().map(|_| generation + 1)
    }

    /// OPENING -> OPEN, by the thread that reserved. Release pairs with the acquire in `enter`: who enters sees what
    /// was put behind the gate.
    pub fn open(&self, generation: u32) {
        self.word.store(u64::from(generation) << 32 | OPEN, Ordering::Release);
    }

    /// Lets a caller in.
    pub fn enter(&self, generation: u32) -> Result<(), Barred> {
        // Relaxed, here and on failure: the word alone is looked at until the exchange succeeds.
        let mut seen = self.word.load(Ordering::Relaxed);
        loop {
            if (seen >> 32) as u32 != generation {
                return Err(Barred::Unknown);
            }
            match seen & STATE {
                OPEN => {}
                SHUT => return Err(Barred::Shut),
                _ => return Err(Barred::Unknown),
            }
            #[cfg(loom)]
            if self.mistake == Some(Mistake::CountsLate) {
                self.word.fetch_add(1, Ordering::Acquire);
                return Ok(());
            }
            // Acquire pairs with the release in `open`; callers that entered and left in between only continue its
            // release sequence.
            let swap = self.word.compare_exchange_weak(seen, seen + 1, Ordering::Acquire, Ordering::Relaxed);
            match swap {
                Ok(_) => return Ok(()),
                Err(now) => seen = now,
            }
        }
    }

    /// A caller leaves. Release pairs with the acquire in `is_empty`: all that it did behind the gate comes before
    /// the gate is found empty.
    pub fn leave(&self) {
        #[cfg(not(loom))]
        let order = Ordering::Release;
        #[cfg(loom)]
        let order = match self.mistake {
            Some(Mistake::LeavesRelaxed) => Ordering::Relaxed,
            _ => Ordering::Release,
        };
        self.word.fetch_sub(1, order);
    }

    /// OPEN -> SHUT: nobody enters any more. Of several threads one succeeds.
    pub fn shut(&self, generation: u32) -> Result<(), Barred> {
        let mut seen = self.word.load(Ordering::Relaxed);
        loop {
            if (seen >> 32) as u32 != generation {
                return Err(Barred::Unknown);
            }
            match seen & STATE {
                OPEN => {}
                SHUT => return Err(Barred::Shut),
                _ => return Err(Barred::Unknown),
            }
            let to = seen & !STATE | SHUT;
            // Acquire pairs with `open`, and with the releases of those who have left. Relaxed on failure: the loop
            // looks again.
            match self.word.compare_exchange_weak(seen, to, Ordering::Acquire, Ordering::Relaxed) {
                Ok(_) => return Ok(()),
                Err(now) => seen = now,
            }
        }
    }

    /// Whether the last caller has left. Acquire pairs with the releases in `leave`.
    pub fn is_empty(&self) -> bool {
        self.word.load(Ordering::Acquire) & CALLERS == 0
    }

    /// OPENING or SHUT and empty -> FREE, by the thread that reserved or shut, after it has taken away what was
    /// behind. Release pairs with the acquire in `reserve`.
    pub fn free(&self, generation: u32) {
        self.word.store(u64::from(generation) << 32 | FREE, Ordering::Release);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn nobody_enters_before_and_after() {
        let gate = Gate::new();
        assert_eq!(gate.enter(1), Err(Barred::Unknown));
        assert_eq!(gate.reserve(), Some(1));
        assert_eq!((gate.reserve(), gate.enter(1)), (None, Err(Barred::Unknown)));
        gate.open(1);
        assert_eq!((gate.enter(1), gate.enter(1), gate.enter(2)), (Ok(()), Ok(()), Err(Barred::Unknown)));
        assert_eq!(gate.shut(1), Ok(()));
        assert_eq!((gate.shut(1), gate.enter(1)), (Err(Barred::Shut), Err(Barred::Shut)));
        gate.leave();
        assert!(!gate.is_empty());
        gate.leave();
        assert!(gate.is_empty());
        gate.free(1);
        assert_eq!((gate.enter(1), gate.shut(1)), (Err(Barred::Unknown), Err(Barred::Unknown)));
        assert_eq!(gate.reserve(), Some(2));
        gate.free(2);
        assert_eq!(gate.reserve(), Some(3));
    }
}
