//! The windows of tickets at the time of a tick, computed once per ticket and tick when first asked for.
//!
//! Every search reads the windows of the tickets it looks at from here. Invariant: a row's state is that of the
//! compiled windows at the row's own age at `now`; whose age counts is decided by the reader.

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
#[derive(Default)]
pub struct States {
    now: Millis,
    stamp: u64,
    stamps: Vec<u64>,
    bound: Vec<u32>,
    soft: Vec<u32>,
    numbers: Vec<i64>,
    stride: usize,
}

impl States {
    /// Forgets all states: a tick for `now` begins, over tickets in rows below `row_end`.
    pub fn begin(&mut self, queue: &CompiledQueue, row_end: u32, now: Millis) {
        self.now = now;
        self.stamp += 1;
        self.stride = queue.state_len;
        let rows = row_end as usize;
        if self.stamps.len() < rows {
            let rows = rows.next_power_of_two();
            self.stamps.resize(rows, 0);
            self.bound.resize(rows, 0);
            self.soft.resize(rows, 0);
            self.numbers.resize(rows * self.stride, 0);
        }
    }

    /// Computes the state of a row unless this tick has done so.
    pub fn ensure(&mut self, queue: &CompiledQueue, tickets: &Tickets, row: u32) {
        let at = row as usize;
        if self.stamps[at] == self.stamp {
            return;
        }
        self.stamps[at] = self.stamp;
        let numbers = &mut self.numbers[at * self.stride..(at + 1) * self.stride];
        (self.bound[at], self.soft[at]) = state_at(queue, tickets.age(row, self.now), numbers);
    }

    /// The state of a row that `ensure` has seen in this tick.
    pub fn get(&self, row: u32) -> State<'_> {
        let at = row as usize;
        debug_assert_eq!(self.stamps[at], self.stamp, "the state of row {row} was not computed");
        State {
            bound: self.bound[at],
            soft: self.soft[at],
            numbers: &self.numbers[at * self.stride..(at + 1) * self.stride],
        }
    }
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
