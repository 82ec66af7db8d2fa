//! The memory of one thread that searches: its searcher, and for each queue the windows of tickets and who has left
//! since the index was last brought up to date.
//!
//! Used by `rounds` and `parts`, whose threads each have one. Invariant: a table is of one queue and one tick; what it
//! knows of tickets that have left is of one stretch of that tick.

use super::running::RunningQueue;
use super::view::Searcher;
use crate::assemble::states::States;
use crate::model::ids::{Millis, QueueId};

/// Rows as a set of bits.
#[derive(Default)]
pub(super) struct RowSet {
    bits: Vec<u64>,
    rows: Vec<u32>,
}

impl RowSet {
    /// Makes room for rows below `end`.
    pub(super) fn grow_to(&mut self, end: u32) {
        let words = (end as usize).div_ceil(64);
        if self.bits.len() < words {
            self.bits.resize(words.next_power_of_two(), 0);
        }
    }

    pub(super) fn has(&self, row: u32) -> bool {
        self.bits[row as usize / 64] >> (row % 64) & 1 == 1
    }

    /// Adds a row; whether it is new.
    pub(super) fn add(&mut self, row: u32) -> bool {
        let is_new = !self.has(row);
        if is_new {
            self.bits[row as usize / 64] |= 1 << (row % 64);
            self.rows.push(row);
        }
        is_new
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub(super) fn clear(&mut self) {
        for row in self.rows.drain(..) {
            self.bits[row as usize / 64] = 0;
        }
    }

    /// Bit by bit.
    pub(super) fn bits(&self) -> &[u64] {
        &self.bits
    }
}

/// The memory of one thread.
pub(super) struct Lane {
    pub(super) searcher: Searcher,
    /// A table for each queue.
    pub(super) tables: Vec<Table>,
}

/// The memory of several threads.
#[derive(Default)]
pub(super) struct Lanes {
    all: Vec<Lane>,
    search_nodes: u32,
}

impl Lanes {
    /// Memory for searches that visit at most so many nodes each.
    pub(super) fn new(search_nodes: u32) -> Lanes {
        Lanes { all: Vec::new(), search_nodes }
    }

    /// That of so many threads.
    pub(super) fn open(&mut self, threads: usize) -> &mut [Lane] {
        let nodes = self.search_nodes;
        if self.all.len() < threads {
            self.all.resize_with(threads, || Lane { searcher: Searcher::new(nodes), tables: Vec::new() });
        }
        &mut self.all[..threads]
    }
}

/// What a thread keeps of a queue.
#[derive(Default)]
pub(super) struct Table {
    queue: Option<QueueId>,
    /// The tick that it is for.
    tick: u64,
    /// The stretch that `gone` is for.
    stretch: u64,
    pub(super) states: States,
    /// Who has left in this stretch by what this thread did.
    pub(super) gone: RowSet,
    /// Who is known to have met somebody.
    pub(super) met: RowSet,
    /// Who was the best on the way, as a strip has told: for the comparison of debug builds.
    pub(super) told: Vec<u32>,
    /// By row: where it stands in the strip that it is in.
    pub(super) places: Vec<u32>,
}

impl Lane {
    /// Forgets the windows of tickets, which a pass over very many has taken much memory for.
    pub(super) fn rest(&mut self) {
        self.tables.iter_mut().for_each(|table| table.states.forget());
    }

    /// Makes the table of a queue ready, which stands at place `at` among all.
    pub(super) fn prepare(&mut self, at: usize, queue: &RunningQueue, tick: u64, now: Millis) {
        if self.tables.len() <= at {
            self.tables.resize_with(at + 1, Table::default);
        }
        let table = &mut self.tables[at];
        if table.queue != Some(queue.id) {
            *table = Table { queue: Some(queue.id), ..Table::default() };
        }
        if table.tick != tick {
            table.tick = tick;
            table.states.begin(&queue.compiled, queue.tickets.row_end(), now);
            table.met.clear();
        }
    }
}

impl Table {
    /// Forgets who has left in other stretches.
    pub(super) fn begin_stretch(&mut self, stretch: u64, row_end: u32) {
        self.gone.grow_to(row_end);
        self.met.grow_to(row_end);
        if self.stretch != stretch {
            self.stretch = stretch;
            self.gone.clear();
        }
    }
}
