//! What the searches of a queue read, and the memory that they need.
//!
//! A view is borrowed from a running queue, by the queue itself for the search on the spot and by `rounds` for those
//! ahead. Invariant: a view only reads, so several threads may search at once, each with its own memory; what a
//! search comes to depends on the view and the anchor alone.

use super::lane::RowSet;
use super::regions::RegionOrder;
use super::shards::Shards;
use super::standing::Standing;
use crate::assemble::anchor::Search;
use crate::assemble::least_cost::mate::find_mate;
use crate::assemble::report::Measured;
use crate::assemble::scene::Ground;
use crate::assemble::states::States;
use crate::index::{Brought, Candidates, Ceiling, Found};
use crate::model::ids::Millis;
use crate::rules::compile::CompiledQueue;
use crate::rules::spec::WindowAge;
use crate::shard::sketch::Sketched;
use crate::shard::{Geometry, Reach, ShardScratch};
use crate::store::tickets::Tickets;

/// What searches read of a queue.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) compiled: &'a CompiledQueue,
    pub(super) tickets: &'a Tickets,
    pub(super) standings: &'a [Standing],
    pub(super) shards: &'a Shards,
    pub(super) geometry: &'a Geometry,
    /// Tickets on which something has happened since the last pass ended.
    pub(super) fresh: &'a [u32],
    /// Pairs that a window has let stand together since then.
    pub(super) reached: &'a [(u32, u32)],
    /// Every anchor is due.
    pub(super) all_due: bool,
    /// No submit number was out of the order of seniority when the pass began or went on.
    pub(super) in_order: bool,
    pub(super) up: u64,
    pub(super) regions: &'a RegionOrder,
    pub(super) now: Millis,
}

/// Borrows the view of a queue at a time, field by field, so that the queue's own memory stays free to be used.
macro_rules! view_of {
    ($queue:expr, $now:expr) => {
        View {
            compiled: &$queue.compiled,
            tickets: &$queue.tickets,
            standings: &$queue.standings,
            shards: &$queue.shards,
            geometry: &$queue.geometry,
            fresh: &$queue.fresh,
            reached: &$queue.reached,
            all_due: $queue.all_due,
            in_order: $queue.in_order,
            up: $queue.up,
            regions: &$queue.regions,
            now: $now,
        }
    };
}
pub(super) use view_of;

/// The memory of searches, and what the last one found.
pub(super) struct Searcher {
    pub(super) search: Search,
    pub(super) measured: Measured,
    pub(super) scratch: ShardScratch,
}

impl Searcher {
    /// Memory for searches that visit at most so many nodes each.
    pub(super) fn new(search_nodes: u32) -> Searcher {
        Searcher {
            search: Search::new(search_nodes),
            measured: Measured::default(),
            scratch: ShardScratch::default(),
        }
    }
}

impl<'a> View<'a> {
    pub(super) fn ground(&self) -> Ground<'a> {
        Ground {
            queue: self.compiled,
            tickets: self.tickets,
            up: self.up,
            region_rank: &self.regions.rank,
            now: self.now,
        }
    }

    /// Finds the best match of an anchor that stands in its shard, and measures it. `watch`: for searches of several
    /// threads.
    pub(super) fn find(
        &self,
        searcher: &mut Searcher,
        states: &mut States,
        row: u32,
        watch: Option<Watch<'_>>,
    ) {
        let Searcher { search, measured, scratch } = searcher;
        let ground = self.ground();
        states.ensure(self.compiled, self.tickets, row);
        let mut reach = self.reach_of(states, row);
        let shard = self.shards.get(self.standings[row as usize].shard);
        let is_served = shard.serves(self.geometry, self.tickets, row, &reach);
        let candidates = shard.candidates(self.geometry, self.tickets, row, &mut reach, scratch);
        search.pings_least = shard.least_pings(self.tickets, row);
        let in_order = self.in_order && candidates.are_in_order();
        let has_sketches = self.geometry.has_sketches();
        let ruler = has_sketches.then(|| self.shards.sketches().ruler(self.tickets, row));
        let mut candidates = Sketched::new(candidates, ruler);
        let bound = self.geometry.bound();
        let standing = self.standings[row as usize];
        let is_fresh = |row: u32| self.standings[row as usize].is_fresh;
        let is_settled = standing.is_settled && !watch.as_ref().is_some_and(|watch| watch.is_again);
        let only_fresh = is_settled && !standing.is_fresh && !self.all_due;
        let fresh: Option<&dyn Fn(u32) -> bool> = if only_fresh { Some(&is_fresh) } else { None };
        match watch {
            // No match: only whether there is anybody is still to be told.
            None if !is_served => search.meet(&ground, states, row, &mut candidates),
            None => search.run(&ground, states, row, &mut candidates, bound, in_order, fresh),
            Some(watch) => {
                let mut candidates = Watched { candidates, watch };
                if is_served {
                    search.run(&ground, states, row, &mut candidates, bound, in_order, fresh);
                } else {
                    search.meet(&ground, states, row, &mut candidates);
                }
            }
        }
        if search.found.best.is_some() {
            search.measure(&ground, states, measured);
        }
    }

    /// Finds the cheapest match of a ticket with one other, older or younger, or alone, and measures it.
    pub(super) fn find_mate(&self, searcher: &mut Searcher, states: &mut States, row: u32) {
        let Searcher { search, scratch, .. } = searcher;
        states.ensure(self.compiled, self.tickets, row);
        let mut reach = self.reach_any_age(states, row);
        let shard = self.shards.get(self.standings[row as usize].shard);
        let mut candidates = shard.around(self.geometry, self.tickets, row, None, &mut reach, scratch);
        find_mate(search, &self.ground(), states, row, &mut candidates, self.geometry.bound());
    }

    /// How far a ticket's own windows let its candidates be, older and younger. With `oldest` windows that of an older
    /// one counts.
    pub(super) fn reach_any_age(&self, states: &States, row: u32) -> Reach {
        let mut reach = self.reach_of(states, row);
        for (dimension, &(index, _)) in self.compiled.dimensions.iter().enumerate() {
            if self.compiled.rules[index].age == WindowAge::Oldest {
                reach.allowed[dimension] = i64::MAX;
            }
        }
        if self.compiled.region_rule.is_some_and(|rule| self.compiled.rules[rule].age == WindowAge::Oldest) {
            reach.regions = u64::MAX;
        }
        reach
    }

    /// How far the anchor's own windows let its candidates be. With `newest` windows the window that counts is no
    /// wider than the anchor's, where windows only loosen; and so with its regions.
    fn reach_of(&self, states: &States, row: u32) -> Reach {
        let state = states.get(row);
        let regions = self.ground().scene(states).regions_alone(row, row);
        let mut reach = Reach::default();
        reach.regions = regions;
        for (dimension, &(index, _)) in self.compiled.dimensions.iter().enumerate() {
            let rule = &self.compiled.rules[index];
            let decides = rule.age != WindowAge::Newest || rule.only_loosens;
            if decides && state.binds(index) {
                reach.allowed[dimension] = state.numbers[rule.state];
            }
        }
        reach
    }
}

/// How a search of one of several threads differs from one on the spot.
#[derive(Default)]
pub(super) struct Watch<'a> {
    /// Hears of every ticket that the search looked at, in order.
    pub(super) looked: Option<&'a mut Vec<u32>>,
    /// Tickets that have left though the index still has them.
    pub(super) gone: Option<&'a RowSet>,
    /// The anchor has searched before in this pass and found a match that could not be made.
    pub(super) is_again: bool,
}

/// Candidates without those that have left, and a note of each that was given.
struct Watched<'a, C> {
    candidates: C,
    watch: Watch<'a>,
}

impl<C: Candidates> Watched<'_, C> {
    /// Goes on to the next of the candidates that has not left.
    fn advance(&mut self, next: impl Fn(&mut C) -> Option<Found>) -> Option<Found> {
        let found = loop {
            let found = next(&mut self.candidates)?;
            if !self.watch.gone.is_some_and(|gone| gone.has(found.item)) {
                break found;
            }
        };
        if let Some(looked) = &mut self.watch.looked {
            looked.push(found.item);
        }
        Some(found)
    }
}

impl<C: Candidates> Candidates for Watched<'_, C> {
    fn next(&mut self) -> Option<Found> {
        self.advance(C::next)
    }

    fn next_under(&mut self, ceiling: &Ceiling, besides: impl Fn(u32) -> i64) -> Option<Found> {
        self.advance(|candidates| candidates.next_under(ceiling, &besides))
    }

    fn besides(&self, item: u32) -> i64 {
        self.candidates.besides(item)
    }

    fn bringers(
        &self,
        need: usize,
        most: usize,
        gone: &dyn Fn(u32) -> bool,
        into: &mut Vec<u32>,
    ) -> Option<Brought> {
        let is_gone = |row: u32| gone(row) || self.watch.gone.is_some_and(|gone| gone.has(row));
        self.candidates.bringers(need, most, &is_gone, into)
    }

    fn looked_at(&mut self, items: &[u32]) {
        if let Some(looked) = &mut self.watch.looked {
            looked.extend_from_slice(items);
        }
    }
}
