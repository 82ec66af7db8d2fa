//! Which candidates of a gathering lie within one another's windows, many at once.
//!
//! Part of `gather`, which asks it instead of the scene where differences alone keep pairs apart. Values and windows of
//! the candidates stand side by side here, a column for each rule, so a look at one is a load and a comparison instead
//! of a walk through the rules and the store. Invariant: what it says of a pair is what
//! `Scene::may_stand_but_for_regions` says, which debug builds check.
//!
//! Measured: see `gather`.

use super::bits::Bits;
use super::scene::Scene;
use crate::rules::compile::{Kind, NO_VALUE};
use crate::rules::spec::WindowAge;

/// One rule's values and windows.
#[derive(Default)]
struct Column {
    rule: usize,
    slot: usize,
    values: Vec<i64>,
    /// How far a candidate lets others be; the greatest number: any distance.
    windows: Vec<u64>,
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
                    (column.rule, column.slot) = (index, slot);
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
        self.count += 1;
        for column in &mut self.columns[..self.used] {
            let rule = &scene.queue.rules[column.rule];
            let state = scene.deciding(rule.age, row, anchor, row);
            let window = if state.binds(column.rule) { state.numbers[rule.state] } else { i64::MAX };
            column.values.push(scene.tickets.number(column.slot, row));
            column.windows.push(if window == i64::MAX { u64::MAX } else { window.max(0).unsigned_abs() });
        }
    }

    /// Those from place `from` on that may stand with the candidate at a place, itself included, regions aside; `None`:
    /// the scene has to be asked.
    pub(super) fn of(&self, at: usize, from: usize) -> Option<Bits> {
        if !self.decides {
            return None;
        }
        let mut bits = Bits::default();
        let (first, rest) = self.columns[..self.used].split_first()?;
        first.mark(at, from, &mut bits, |word, passing| *word |= passing);
        for column in rest {
            column.mark(at, from, &mut bits, |word, passing| *word &= passing);
        }
        Some(bits)
    }
}

impl Column {
    /// Gives `take` each word of the set and who of it lies within this rule's windows.
    fn mark(&self, at: usize, from: usize, bits: &mut Bits, take: impl Fn(&mut u64, u64)) {
        let (own, window) = (self.values[at], self.windows[at]);
        for (number, word) in bits.iter_mut().enumerate().skip(from / 64) {
            let places = number * 64..self.values.len().min(number * 64 + 64);
            if places.is_empty() {
                return;
            }
            let mut passing = 0;
            let others = self.values[places.clone()].iter().zip(&self.windows[places]);
            for (place, (&value, &other_window)) in others.enumerate() {
                let is_within = own.abs_diff(value) <= window.min(other_window);
                passing |= u64::from(is_within | (own == NO_VALUE) | (value == NO_VALUE)) << place;
            }
            take(word, passing);
        }
    }
}
