//! Tickets in the order of their skill, then of age: by records of 8 bytes, not by tickets.
//!
//! Called by the queue when a pass begins. A record is a key of 32 bits, the value's distance from the least one in
//! units of the attribute, above the row; a stable radix sort (least digit first, H. H. Seward, 1954) keeps tickets
//! of one value in the order in which they came in. Digits that all keys share are passed over, so ratings without a
//! fraction take two rounds. Invariant: the order depends on values and on the order of the input alone; where the
//! keys cannot tell two values apart, the values are compared.

use crate::base::room;
use crate::rules::compile::{CompiledQueue, NO_VALUE};
use crate::store::tickets::Tickets;

/// Bits of one digit.
const DIGIT_BITS: u32 = 8;
/// Records up to which a comparison sort is used: below it the histograms cost more. Chosen.
const FEW: usize = 64;

/// Sorts; keeps its memory between calls.
#[derive(Default)]
pub struct Order {
    /// Values of the rows that are sorted.
    values: Vec<i64>,
    records: Vec<u64>,
    spare: Vec<u64>,
}

impl Order {
    /// Gives back the memory that a great order took.
    pub fn rest(&mut self) {
        room::empty(&mut self.values);
        room::empty(&mut self.records);
        room::empty(&mut self.spare);
    }

    /// Puts `rows`, given in the order of seniority, in the order of the queue's heaviest difference; without one they
    /// stay as they are. Tickets without a value come first.
    pub fn sort(&mut self, queue: &CompiledQueue, tickets: &Tickets, rows: &mut [u32]) {
        let Some(&(_, slot)) = queue.dimensions.first() else { return };
        let value = |row: u32| tickets.number(slot, row);
        self.values.clear();
        self.values.extend(rows.iter().map(|&row| value(row)));
        let (mut least, mut greatest, mut have_all) = (i64::MAX, i64::MIN, true);
        for &value in &self.values {
            if value == NO_VALUE {
                have_all = false;
            } else {
                (least, greatest) = (least.min(value), greatest.max(value));
            }
        }
        if least >= greatest && have_all {
            return;
        }
        let attribute = &queue.spec.attributes[queue.numbers[slot].attribute];
        let unit = 10_u64.pow(6 - u32::from(attribute.decimals.min(6)));
        let span = greatest.saturating_sub(least).max(0) as u64 / unit + 1;
        let shift = (64 - span.leading_zeros()).saturating_sub(32);
        // A key stands for several values where it has to be shortened, or where a value is finer than its unit.
        let mut is_exact = shift == 0;
        self.records.clear();
        self.records.extend(rows.iter().zip(&self.values).map(|(&row, &value)| {
            let key = match value {
                NO_VALUE => 0,
                _ => {
                    let above = (value - least) as u64;
                    is_exact &= above / unit * unit == above;
                    (above / unit + 1) >> shift
                }
            };
            key << 32 | u64::from(row)
        }));
        if rows.len() <= FEW {
            self.records.sort_by_key(|record| record >> 32);
        } else {
            self.radix_sort();
        }
        for (row, &record) in rows.iter_mut().zip(&self.records) {
            *row = record as u32;
        }
        if !is_exact {
            // As they came, which is by age: a stable sort would take memory.
            rows.sort_unstable_by_key(|&row| (value(row), tickets.seniority(row), row));
        }
    }

    /// Puts `rows` in the order of `group`, those of one group as they were.
    pub fn sort_by_group(&mut self, rows: &mut [u32], group: impl Fn(u32) -> u32) {
        self.records.clear();
        self.records.extend(rows.iter().map(|&row| u64::from(group(row)) << 32 | u64::from(row)));
        self.radix_sort();
        for (row, &record) in rows.iter_mut().zip(&self.records) {
            *row = record as u32;
        }
    }

    /// Sorts the records by their upper halves, stably.
    fn radix_sort(&mut self) {
        let (mut all, mut any) = (u64::MAX, 0);
        for &record in &self.records {
            (all, any) = (all & record, any | record);
        }
        let differing = (all ^ any) >> 32;
        self.spare.resize(self.records.len(), 0);
        for at in (0..32).step_by(DIGIT_BITS as usize) {
            let mask = (1 << DIGIT_BITS) - 1;
            if differing >> at & mask == 0 {
                continue;
            }
            let digit = |record: u64| (record >> (32 + at) & mask) as usize;
            let mut starts = [0_u32; 1 << DIGIT_BITS];
            self.records.iter().for_each(|&record| starts[digit(record)] += 1);
            let mut sum = 0;
            for start in &mut starts {
                sum += std::mem::replace(start, sum);
            }
            for &record in &self.records {
                let start = &mut starts[digit(record)];
                self.spare[*start as usize] = record;
                *start += 1;
            }
            std::mem::swap(&mut self.records, &mut self.spare);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn equals_a_stable_sort() {
        let mut random = ChaCha8Rng::seed_from_u64(9);
        for count in [0_usize, 1, 2, 64, 65, 1000, 5000] {
            for groups in [1_u32, 3, 300, 70_000, u32::MAX] {
                let group: Vec<u32> = (0..count).map(|_| random.random_range(0..groups)).collect();
                let mut rows: Vec<u32> = (0..count as u32).rev().collect();
                let mut right = rows.clone();
                right.sort_by_key(|&row| group[row as usize]);
                Order::default().sort_by_group(&mut rows, |row| group[row as usize]);
                assert_eq!(rows, right, "{count} rows in {groups} groups");
            }
        }
    }
}
