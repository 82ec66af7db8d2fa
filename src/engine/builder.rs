//! How large an engine may grow, and how it behaves: every maximum is stated before the engine exists.

use super::Engine;
use super::door::Door;
use super::tick::TickState;
use crate::assemble::anchor::SEARCH_NODES;
use crate::base::board::HELPERS_MAX;
use crate::base::mirror::Mirror;
use crate::model::codes::{Code, Refusal};
use crate::model::ids::Millis;
use crate::model::limits::{SLOTS_MAX, TIME_MS_MAX};
use crate::queue::stats::Accounts;
use crate::simd::{Kernels, Simd};
use std::sync::Mutex;

/// Tickets that may live at once unless the host says otherwise.
const CAPACITY: u32 = 1_000_000;

/// The sliding window of the statistics unless the host says otherwise: long enough for some matches of a quiet queue,
/// short enough to tell the evening from the afternoon. Chosen.
const STATS_WINDOW: Millis = Millis(600_000);
/// Its slices: what is told spans nine to ten minutes. Chosen; each costs 1.6 kB for each queue and region.
const STATS_SLICES: u32 = 10;
/// Slices of the window, at most.
const STATS_SLICES_MAX: u32 = 60;

/// Nodes that any pool of 12 tickets needs: a set of up to 11 candidates each.
const SEARCH_NODES_MIN: u32 = 2_048;

/// Threads of one tick, at most: the one that ticks and all that can help.
pub const THREADS_MAX: usize = HELPERS_MAX + 1;

/// Says how large an engine may grow and how it behaves; every maximum is stated here.
#[derive(Clone, Debug)]
pub struct EngineBuilder {
    capacity: u32,
    retained: Option<u32>,
    check_matches: bool,
    many_queues: bool,
    search_nodes: u32,
    stats_window: (Millis, u32),
    record: bool,
    threads: usize,
    simd: Simd,
    rounds: Option<usize>,
    disorder: u64,
    halt: Option<fn(&'static str)>,
    first_generation: u32,
}

impl Default for EngineBuilder {
    fn default() -> EngineBuilder {
        EngineBuilder {
            capacity: CAPACITY,
            retained: None,
            check_matches: false,
            many_queues: false,
            search_nodes: SEARCH_NODES,
            stats_window: (STATS_WINDOW, STATS_SLICES),
            record: false,
            threads: 1,
            simd: Simd::Auto,
            rounds: None,
            disorder: 0,
            halt: None,
            first_generation: 1,
        }
    }
}

impl EngineBuilder {
    /// Tickets that may live, or wait to be polled, at once: at least 1, and at most 2^26 with the retained
    /// ones. Default: 1,000,000. Memory is taken as tickets come.
    pub fn capacity(mut self, tickets: u32) -> EngineBuilder {
        self.capacity = tickets;
        self
    }

    /// Ended tickets that are kept after they have been polled, for `ticket` and `requeue`. Default: a
    /// quarter of the capacity.
    pub fn retained(mut self, tickets: u32) -> EngineBuilder {
        self.retained = Some(tickets);
        self
    }

    /// Whether the independent judge looks at every match before it is released; a match that it refuses is a
    /// fault of the engine and stops the tick with a panic. Default: off.
    pub fn check_matches(mut self, on: bool) -> EngineBuilder {
        self.check_matches = on;
        self
    }

    /// Whether a player may stand in several queues at once, with one live ticket in each. When one of them is matched
    /// the others end with MATCHED_ELSEWHERE in the same step, those of his parties whole, and their events follow the
    /// match's. A ticket that was submitted while the tick ran stays. Queues then take turns at a tick also without a
    /// budget: the one with the oldest ticket not yet visited, 64 anchors at a time. Default: off, one live ticket a
    /// player.
    pub fn allow_many_queues(mut self, on: bool) -> EngineBuilder {
        self.many_queues = on;
        self
    }

    /// Nodes that a search for a match of three or more tickets visits, at most, for each of the ever larger
    /// circles of candidates (up to 16, 32, .. 256) that it looks at: a count, so the stop is the same on
    /// every machine. A search that meets it says so in the match (`exhaustive`) and in the stats. Plain
    /// free-for-alls have no limit. At least 2,048, which is enough for any pool of 12 tickets. Default:
    /// 6,000. Up to that, a pool in which more tickets can stand with the oldest than twice a match takes (and more than
    /// 16) is searched by stretches of values first, which is quicker by far and costs a few percent; above it never.
    pub fn search_nodes(mut self, nodes: u32) -> EngineBuilder {
        self.search_nodes = nodes;
        self
    }

    /// The sliding window of `stats` and `estimate`, in engine time: its length, and the slices, 1 to 60, in which it
    /// moves on; what is told spans the whole length at most and one slice less at least. Default: ten minutes in
    /// ten slices. Memory: for each queue, and each region of it, 1.6 kB a slice.
    pub fn stats_window(mut self, length: Millis, slices: u32) -> EngineBuilder {
        self.stats_window = (length, slices);
        self
    }

    /// Whether calls and ticks are recorded, for [`Engine::record`]. While a record is kept, calls that change anything
    /// take turns, so that their order is known. Default: off.
    pub fn record(mut self, on: bool) -> EngineBuilder {
        self.record = on;
        self
    }

    /// Threads that search at a tick, the one that ticks included: 1 to 57. With more than 1 the engine starts
    /// the others when it is built; they sleep between ticks, and are joined when the engine is closed or dropped.
    /// Matches, steps and events are the same for any number. Default: 1, no thread is started; the host may lend
    /// its own, see `Engine::help`.
    pub fn threads(mut self, threads: usize) -> EngineBuilder {
        self.threads = threads;
        self
    }

    /// The instruction set of the searches' inner loops. Matches, steps and events are the same for any; a host may
    /// force one to compare them, or to keep a processor's clock up. Default: the widest that the processor has, looked
    /// up once. What was taken: [`Engine::simd`].
    pub fn simd(mut self, simd: Simd) -> EngineBuilder {
        self.simd = simd;
        self
    }

    /// For tests, which must see the same results: searches ahead go in rounds of so many anchors, are dealt in an
    /// order that `disorder` gives, and threads yield between them.
    #[doc(hidden)]
    pub fn disturb(mut self, rounds: Option<usize>, disorder: u64) -> EngineBuilder {
        self.rounds = rounds;
        self.disorder = disorder;
        self
    }

    /// For tests: what is called in the middle of calls on tickets, in the calling thread, with the name of the
    /// point that it has come to. A thread that does not come back from there delays no other.
    #[doc(hidden)]
    pub fn halt(mut self, at: fn(&'static str)) -> EngineBuilder {
        self.halt = Some(at);
        self
    }

    /// The generation of the first ticket of every slot, for an engine that follows another one under the same name:
    /// with one more than the greatest generation that the other has given out, no ticket id comes a second time.
    /// Default: 1; 0 is read as 1.
    pub fn first_generation(mut self, generation: u32) -> EngineBuilder {
        self.first_generation = generation;
        self
    }

    /// Makes the engine. Errors: OUT_OF_RANGE for a capacity of 0, one that exceeds 2^26 with the retained
    /// tickets, fewer than 2,048 search nodes, a statistics window beyond 2^52 ms, with slices below 1 ms, or with
    /// none or more than 60 of them, an instruction set that the processor does not have, and a count of threads that
    /// is not within 1 to 57, or that the system does not give.
    pub fn build(self) -> Result<Engine, Refusal> {
        let retained = self.retained.unwrap_or(self.capacity / 4);
        let slots = u64::from(self.capacity) + u64::from(retained);
        if self.capacity == 0 || slots > SLOTS_MAX as u64 {
            let detail = format!(
                "a capacity of {} with {retained} retained tickets, it must be at least 1 and together at most {SLOTS_MAX}",
                self.capacity
            );
            return Err(Refusal::new(Code::OutOfRange, detail));
        }
        if self.search_nodes < SEARCH_NODES_MIN {
            let detail =
                format!("{} search nodes, at least {SEARCH_NODES_MIN} are needed", self.search_nodes);
            return Err(Refusal::new(Code::OutOfRange, detail));
        }
        let (window, slices) = self.stats_window;
        let is_legal =
            (1..=STATS_SLICES_MAX).contains(&slices) && (u64::from(slices)..=TIME_MS_MAX).contains(&window.0);
        if !is_legal {
            let detail = format!(
                "a statistics window of {window} s in {slices} slices, it needs 1 to {STATS_SLICES_MAX} of at least 0.001 s"
            );
            return Err(Refusal::new(Code::OutOfRange, detail));
        }
        if !(1..=THREADS_MAX).contains(&self.threads) {
            let detail = format!("{} threads, 1 to {THREADS_MAX} can search at a tick", self.threads);
            return Err(Refusal::new(Code::OutOfRange, detail));
        }
        let kernels =
            Kernels::new(self.simd).map_err(|error| Refusal::new(Code::OutOfRange, error.to_string()))?;
        let mut tick = TickState::new(self.search_nodes);
        tick.disturb(self.rounds, self.disorder);
        if let Err(error) = tick.start_threads(self.threads - 1) {
            let detail = format!("{} threads, but the system gives no more: {error}", self.threads);
            return Err(Refusal::new(Code::OutOfRange, detail));
        }
        let mut door = Door::new(self.capacity, retained, self.record, self.first_generation);
        (door.check_matches, door.many_queues) = (self.check_matches, self.many_queues);
        (door.kernels, door.halt) = (kernels, self.halt);
        Ok(Engine {
            helper: tick.helper(),
            door,
            tick: Mutex::new(tick),
            accounts: Mirror::new(Accounts::new(window, slices)),
            search_nodes: self.search_nodes,
        })
    }
}
