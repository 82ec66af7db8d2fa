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
///
/// Tickets that came together have the same age and so the same numbers, which are copied from the last one: a power
/// takes ten times as long to compute.
#[derive(Default)]
pub struct States {
    now: Millis,
    stamp: u64,
    heads: Vec<Head>,
    numbers: Vec<i64>,
    stride: usize,
    /// The row whose state was computed last, with the ticket's age.
    last: Option<(Millis, u32)>,
}

/// What is asked first of a row, side by side.
#[derive(Clone, Copy, Default)]
struct Head {
    stamp: u64,
    bound: u32,
    soft: u32,
    /// The regions within the row's own window.
    regions: u64,
}

impl States {
    /// Forgets all states: a tick for `now` begins, over tickets in rows below `row_end`.
    pub fn begin(&mut self, queue: &CompiledQueue, row_end: u32, now: Millis) {
        self.now = now;
        self.stamp += 1;
        self.last = None;
        self.stride = queue.state_len;
        let rows = row_end as usize;
        if self.heads.len() < rows {
            let rows = rows.next_power_of_two();
            self.heads.resize(rows, Head::default());
            self.numbers.resize(rows * self.stride, 0);
        }
    }

    /// Computes the state of a row unless this tick has done so.
    pub fn ensure(&mut self, queue: &CompiledQueue, tickets: &Tickets, row: u32) {
        if self.heads[row as usize].stamp != self.stamp {
            self.compute(queue, tickets, row);
        }
    }

    fn compute(&mut self, queue: &CompiledQueue, tickets: &Tickets, row: u32) {
        let at = row as usize;
        let age = tickets.age(row, self.now);
        let (bound, soft) = match self.last {
            Some((same, last)) if same == age => {
                let from = last as usize * self.stride;
                self.numbers.copy_within(from..from + self.stride, at * self.stride);
                (self.heads[last as usize].bound, self.heads[last as usize].soft)
            }
            _ => state_at(queue, age, &mut self.numbers[at * self.stride..(at + 1) * self.stride]),
        };
        self.last = Some((age, row));
        self.heads[at] = Head { stamp: self.stamp, bound, soft, regions: u64::MAX };
        self.heads[at].regions = regions_within(queue, tickets, row, self.get(row));
    }

    /// The state of a row that `ensure` has seen in this tick.
    pub fn get(&self, row: u32) -> State<'_> {
        let head = self.head(row);
        let from = row as usize * self.stride;
        State { bound: head.bound, soft: head.soft, numbers: &self.numbers[from..from + self.stride] }
    }

    /// The regions that a row could be matched in by its own window, up or not; all bits in a queue without a region
    /// rule.
    pub fn regions(&self, row: u32) -> u64 {
        self.head(row).regions
    }

    fn head(&self, row: u32) -> Head {
        let head = self.heads[row as usize];
        debug_assert_eq!(head.stamp, self.stamp, "the state of row {row} was not computed");
        head
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
