//! How large an engine may grow, and how it behaves: every maximum is stated before the engine exists.

use super::Engine;
use super::door::Door;
use super::tick::TickState;
use crate::assemble::anchor::SEARCH_NODES;
use crate::claim::commit::Claims;
use crate::model::codes::{Code, Refusal};
use crate::model::limits::SLOTS_MAX;
use std::sync::Mutex;

/// Tickets that may live at once unless the host says otherwise.
const CAPACITY: u32 = 1_000_000;

/// Nodes that any pool of 12 tickets needs: a set of up to 11 candidates each.
const SEARCH_NODES_MIN: u32 = 2_048;

/// Says how large an engine may grow and how it behaves; every maximum is stated here.
#[derive(Clone, Debug)]
pub struct EngineBuilder {
    capacity: u32,
    retained: Option<u32>,
    check_matches: bool,
    search_nodes: u32,
    first_generation: u32,
}

impl Default for EngineBuilder {
    fn default() -> EngineBuilder {
        EngineBuilder {
            capacity: CAPACITY,
            retained: None,
            check_matches: false,
            search_nodes: SEARCH_NODES,
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

    /// Nodes that a search for a match of three or more tickets visits, at most, for each of the ever larger
    /// circles of candidates (up to 16, 32, .. 256) that it looks at: a count, so the stop is the same on
    /// every machine. A search that meets it says so in the match (`exhaustive`) and in the stats. Plain
    /// free-for-alls have no limit. At least 2,048, which is enough for any pool of 12 tickets. Default:
    /// 6,000.
    pub fn search_nodes(mut self, nodes: u32) -> EngineBuilder {
        self.search_nodes = nodes;
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
    /// tickets, and fewer than 2,048 search nodes.
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
        Ok(Engine {
            door: Mutex::new(Door::new(self.capacity, retained, self.check_matches)),
            claims: Claims::with_first_generation(slots as u32, self.first_generation),
            tick: Mutex::new(TickState::new(self.search_nodes)),
        })
    }
}
