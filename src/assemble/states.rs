//! The windows of tickets at the time of a tick, computed once per ticket and tick when first asked for.
//!
//! Every search reads the windows of the tickets it looks at from here. Invariant: a row's state is that of the
//! compiled windows at the row's own age at `now`; whose age counts is decided by the reader.

use crate::base::room::{self, KEPT_MAX};
use crate::model::ids::Millis;
use crate::rules::compile::{CompiledQueue, Kind};
use crate::store::tickets::Tickets;

/// One ticket's windows: which rules bind it, which are preferences, and the numbers.
#[derive(Clone, Copy)]
pub struct State<'a> {
    /// A bit for each rule that is enforced.
    pub bound: u32,
    /// A bit for each rule that is a preference and not off.
    pub soft: u32,
    /// The window of each rule in units of 0.000001, at the rule's `state` index; a total has its least and
    /// its greatest sum; off or absent bounds are the extremes of the type.
    pub numbers: &'a [i64],
}

impl State<'_> {
    /// Whether rule `index` is enforced.
    pub fn binds(&self, index: usize) -> bool {
        self.bound >> index & 1 == 1
    }

    /// Whether rule `index` is a preference.
    pub fn prefers(&self, index: usize) -> bool {
        self.soft >> index & 1 == 1
    }
}

/// The states of a queue's tickets in one tick.
///
/// Tickets that came together have the same age and so the same numbers, which are copied from the last one: a power
/// takes ten times as long to compute.
///
/// Only rows that a tick has asked for have a state, side by side in the order in which they were asked for; each row
/// has 4 bytes that lead to it, which are believed if the state is of that row (the sparse sets of Briggs and Torczon,
/// "An efficient representation for sparse sets", 1993). A state for each row took 48 bytes a waiting ticket with two
/// windows.
#[derive(Default)]
pub struct States {
    now: Millis,
    /// By row: where its state stands, if it has one.
    places: Vec<u32>,
    heads: Vec<Head>,
    numbers: Vec<i64>,
    stride: usize,
    /// The age of the ticket whose state was computed last.
    last: Option<Millis>,
}

/// What is asked first of a row, side by side.
#[derive(Clone, Copy)]
struct Head {
    row: u32,
    bound: u32,
    soft: u32,
    /// The regions within the row's own window.
    regions: u64,
}

impl States {
    /// Forgets all states: a tick for `now` begins, over tickets in rows below `row_end`.
    pub fn begin(&mut self, queue: &CompiledQueue, row_end: u32, now: Millis) {
        self.now = now;
        self.stride = queue.state_len;
        self.forget();
        let rows = row_end as usize;
        if self.places.len() < rows {
            let rows = if rows < KEPT_MAX { rows.next_power_of_two() } else { rows + rows / 8 };
            self.places.reserve_exact(rows - self.places.len());
            self.places.resize(rows, 0);
        }
    }

    /// Forgets all states; who asks for one has it computed anew. Memory for very many is given back.
    pub fn forget(&mut self) {
        self.last = None;
        room::empty(&mut self.heads);
        room::empty(&mut self.numbers);
    }

    /// Computes the state of a row unless this tick has done so.
    pub fn ensure(&mut self, queue: &CompiledQueue, tickets: &Tickets, row: u32) {
        if self.heads.get(self.places[row as usize] as usize).is_none_or(|head| head.row != row) {
            self.compute(queue, tickets, row);
        }
    }

    fn compute(&mut self, queue: &CompiledQueue, tickets: &Tickets, row: u32) {
        let (place, from) = (self.heads.len(), self.numbers.len());
        let age = tickets.age(row, self.now);
        let (bound, soft) = match (self.last, self.heads.last()) {
            (Some(same), Some(last)) if same == age => {
                let before = (last.bound, last.soft);
                self.numbers.extend_from_within(from - self.stride..);
                before
            }
            _ => {
                self.numbers.resize(from + self.stride, 0);
                state_at(queue, age, &mut self.numbers[from..])
            }
        };
        self.last = Some(age);
        self.places[row as usize] = place as u32;
        self.heads.push(Head { row, bound, soft, regions: u64::MAX });
        self.heads[place].regions = regions_within(queue, tickets, row, self.get(row));
    }

    /// The state of a row that `ensure` has seen in this tick.
    pub fn get(&self, row: u32) -> State<'_> {
        let place = self.place(row);
        let (head, from) = (self.heads[place], place * self.stride);
        State { bound: head.bound, soft: head.soft, numbers: &self.numbers[from..from + self.stride] }
    }

    /// The regions that a row could be matched in by its own window, up or not; all bits in a queue without a region
    /// rule.
    pub fn regions(&self, row: u32) -> u64 {
        self.heads[self.place(row)].regions
    }

    fn place(&self, row: u32) -> usize {
        let place = self.places[row as usize] as usize;
        debug_assert_eq!(self.heads[place].row, row, "the state of row {row} was not computed");
        place
    }
}

/// The regions that `row` can be matched in when `state` decides, up or not; all bits in a queue without a region
/// rule.
pub(super) fn regions_within(queue: &CompiledQueue, tickets: &Tickets, row: u32, state: State<'_>) -> u64 {
    let Some(rule) = queue.region_rule else { return u64::MAX };
    let mask = tickets.regions(row);
    if !state.binds(rule) {
        return mask;
    }
    let limit = state.numbers[queue.rules[rule].state];
    let mut within = 0;
    let mut left = mask;
    for &ping in tickets.pings(row) {
        let region = left & left.wrapping_neg();
        within |= if ping <= limit { region } else { 0 };
        left ^= region;
    }
    within
}

/// Writes the numbers of all rules at `age`, and returns which bind and which are preferences.
pub fn state_at(queue: &CompiledQueue, age: Millis, numbers: &mut [i64]) -> (u32, u32) {
    let mut bound = 0;
    let mut soft = 0;
    for (index, rule) in queue.rules.iter().enumerate() {
        let (on, optional) = match &rule.kind {
            Kind::Equality(_, switch) | Kind::PremadeBalance(switch) => {
                let at = switch.at(age);
                numbers[rule.state] = 0;
                (at.limit.is_some(), at.optional)
            }
            Kind::Total(_, band, _) => {
                let at = band.at(age);
                let bound =
                    |limit: Option<crate::base::fixed::Fixed>, none: i64| limit.map_or(none, |l| l.micros());
                numbers[rule.state] = bound(at.limit.and_then(|l| l.min), i64::MIN);
                numbers[rule.state + 1] = bound(at.limit.and_then(|l| l.max), i64::MAX);
                (at.limit.is_some(), at.optional)
            }
            Kind::Difference(_, window)
            | Kind::TeamDifference(_, window)
            | Kind::Intersection(_, window)
            | Kind::Region(window)
            | Kind::TeamSize(window) => {
                let at = window.at(age);
                numbers[rule.state] = at.limit.unwrap_or(i64::MAX);
                (at.limit.is_some(), at.optional)
            }
        };
        bound |= u32::from(on && !optional) << index;
        soft |= u32::from(on && optional) << index;
    }
    (bound, soft)
}
