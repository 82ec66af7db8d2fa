//! Which candidates of a gathering lie within one another's windows, many at once.
//!
//! Part of `gather`, which asks it instead of the scene where differences alone keep pairs apart. Values and windows of
//! the candidates stand side by side here, a column for each rule, so a look at one is a load and a comparison instead
//! of a walk through the rules and the store. Invariant: what it says of a pair is what
//! `Scene::may_stand_but_for_regions` says, which debug builds check.
//!
//! Not measured by itself: a look at pairs rule by rule was a fifth of a tick of 5v5 with parties.

use super::bits::{Bits, CANDIDATES_MAX, set};
use super::scene::Scene;
use crate::rules::compile::{Kind, NO_VALUE};
use crate::rules::spec::WindowAge;
use crate::simd::{BLOCK, Kernels};

/// One rule's values and windows, in blocks.
#[derive(Default)]
struct Column {
    rule: usize,
    slot: usize,
    values: Vec<[i64; BLOCK]>,
    /// How far a candidate lets others be; the greatest number: any distance.
    windows: Vec<[i64; BLOCK]>,
    /// Candidates without a value, which the rule keeps apart from nobody.
    without: Bits,
}

/// The candidates' values and windows.
#[derive(Default)]
pub(super) struct Within {
    columns: Vec<Column>,
    used: usize,
    /// Differences alone keep pairs apart.
    decides: bool,
    count: usize,
}

impl Within {
    /// Begins anew, for the candidates of an anchor.
    pub(super) fn begin(&mut self, scene: &Scene<'_>) {
        (self.used, self.count, self.decides) = (0, 0, true);
        for (index, rule) in scene.queue.rules.iter().enumerate() {
            match rule.kind {
                Kind::Difference(slot, _) if rule.age != WindowAge::Newest => {
                    if self.columns.len() == self.used {
                        self.columns.push(Column::default());
                    }
                    let column = &mut self.columns[self.used];
                    (column.rule, column.slot, column.without) = (index, slot, Bits::default());
                    column.values.clear();
                    column.windows.clear();
                    self.used += 1;
                }
                Kind::Difference(..) | Kind::Equality(..) | Kind::Intersection(..) => self.decides = false,
                Kind::Region(_)
                | Kind::TeamDifference(..)
                | Kind::Total(..)
                | Kind::TeamSize(_)
                | Kind::PremadeBalance(_) => {}
            }
        }
    }

    /// Adds a candidate of the anchor, both of whose states are known.
    pub(super) fn add(&mut self, scene: &Scene<'_>, row: u32, anchor: u32) {
        self.decides &= !scene.tickets.has_limits(row);
        let (block, at) = (self.count / BLOCK, self.count % BLOCK);
        for column in &mut self.columns[..self.used] {
            let rule = &scene.queue.rules[column.rule];
            let state = scene.deciding(rule.age, row, anchor, row);
            if column.values.len() == block {
                column.values.push([0; BLOCK]);
                column.windows.push([0; BLOCK]);
            }
            let value = scene.tickets.number(column.slot, row);
            if value == NO_VALUE {
                set(&mut column.without, self.count);
            }
            column.values[block][at] = value;
            column.windows[block][at] =
                if state.binds(column.rule) { state.numbers[rule.state].max(0) } else { i64::MAX };
        }
        self.count += 1;
    }

    /// Those from place `from` on that may stand with the candidate at a place, regions aside, and maybe others before
    /// and behind; `None`: the scene has to be asked.
    pub(super) fn of(&self, at: usize, from: usize, kernels: Kernels) -> Option<Bits> {
        if !self.decides || self.used == 0 {
            return None;
        }
        let mut bits = [u64::MAX; CANDIDATES_MAX / BLOCK];
        for column in &self.columns[..self.used] {
            column.keep(at, from / BLOCK, &mut bits, kernels);
        }
        Some(bits)
    }
}

impl Column {
    /// Keeps those of a set, from a block on, that this rule lets stand with the candidate at a place.
    fn keep(&self, at: usize, from: usize, bits: &mut Bits, kernels: Kernels) {
        let own = self.values[at / BLOCK][at % BLOCK];
        if own == NO_VALUE {
            return;
        }
        let window = self.windows[at / BLOCK][at % BLOCK];
        let (low, high) = (own.saturating_sub(window), own.saturating_add(window));
        let blocks = self.values.iter().zip(&self.windows).zip(&self.without);
        for (((values, windows), without), kept) in blocks.zip(bits).skip(from) {
            *kept &= kernels.within(values, low, high) & kernels.reaching(values, windows, own) | without;
        }
    }
}
