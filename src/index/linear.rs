//! The oracle of the indexes: a plain list, every search of which ranks all members.
//!
//! Tests and benches hold the other kinds against it, and a queue can be forced onto it. Invariant: the columns
//! are parallel; their order means nothing.

use super::candidates::{Candidates, Found, Metric, Query, Ranked};
use crate::model::ids::Seniority;

/// Points in no order.
#[derive(Debug)]
pub(super) struct Linear {
    metric: Metric,
    /// One row of `dimensions` coordinates for each member.
    coords: Vec<i64>,
    seniorities: Vec<Seniority>,
    items: Vec<u32>,
    masks: Vec<u64>,
}

impl Linear {
    pub(super) fn new(weights: &[i64]) -> Linear {
        Linear {
            metric: Metric::new(weights),
            coords: Vec::new(),
            seniorities: Vec::new(),
            items: Vec::new(),
            masks: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    pub(super) fn insert(&mut self, item: u32, seniority: Seniority, coords: &[i64], mask: u64) {
        self.coords.extend_from_slice(coords);
        self.seniorities.push(seniority);
        self.items.push(item);
        self.masks.push(mask);
    }

    pub(super) fn remove(&mut self, item: u32, seniority: Seniority, coords: &[i64]) -> bool {
        let same = |row: usize| self.seniorities[row] == seniority && self.row(row) == coords;
        let Some(row) = (0..self.len()).find(|&row| self.items[row] == item && same(row)) else {
            return false;
        };
        let dimensions = self.metric.dimensions();
        let last = self.len() - 1;
        self.coords.copy_within(last * dimensions.., row * dimensions);
        self.coords.truncate(last * dimensions);
        self.seniorities.swap_remove(row);
        self.items.swap_remove(row);
        self.masks.swap_remove(row);
        true
    }

    /// Calls `visit` for every member with its mask.
    pub(super) fn visit_masks(&self, mut visit: impl FnMut(u32, u64)) {
        self.items.iter().zip(&self.masks).for_each(|(&item, &mask)| visit(item, mask));
    }

    /// Ranks all members into `ranked` and walks them.
    pub(super) fn search<'a>(&'a self, query: &Query<'_>, ranked: &'a mut Vec<Ranked>) -> LinearCursor<'a> {
        ranked.clear();
        for row in 0..self.len() {
            let (seniority, item) = (self.seniorities[row], self.items[row]);
            if query.admits(seniority)
                && query.shares(self.masks[row])
                && let Some(distance) = self.metric.distance(query, self.row(row))
            {
                ranked.push(Ranked { distance, seniority, item });
            }
        }
        ranked.sort_unstable();
        LinearCursor { ranked: ranked.iter() }
    }

    fn row(&self, row: usize) -> &[i64] {
        let dimensions = self.metric.dimensions();
        &self.coords[row * dimensions..(row + 1) * dimensions]
    }
}

/// The members in their order.
#[derive(Debug)]
pub(super) struct LinearCursor<'a> {
    ranked: std::slice::Iter<'a, Ranked>,
}

impl Candidates for LinearCursor<'_> {
    fn next(&mut self) -> Option<Found> {
        self.ranked.next().map(|ranked| ranked.found())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ids::Millis;

    fn age(submit_number: u64) -> Seniority {
        Seniority { enqueued: Millis(7), submit_number }
    }

    fn found(
        index: &Linear,
        centre: &[i64],
        reach: &[i64],
        younger_than: Option<Seniority>,
    ) -> Vec<(u32, u128)> {
        let mut ranked = Vec::new();
        let mut cursor = index.search(&Query { centre, reach, younger_than, sharing: None }, &mut ranked);
        std::iter::from_fn(|| cursor.next()).map(|f| (f.item, f.distance)).collect()
    }

    #[test]
    fn ranks_by_distance_then_seniority_then_item() {
        let mut index = Linear::new(&[2]);
        for (item, submit, at) in [(0, 9, 10), (1, 3, -10), (2, 1, 40), (3, 3, 10), (4, 5, 11)] {
            index.insert(item, age(submit), &[at], 1);
        }
        assert_eq!(found(&index, &[0], &[i64::MAX], None), [(1, 20), (3, 20), (0, 20), (4, 22), (2, 80)]);
        assert_eq!(found(&index, &[0], &[10], Some(age(3))), [(0, 20)]);
        assert_eq!(found(&index, &[0], &[-1], None), []);
        assert!(!index.remove(3, age(4), &[10]) && !index.remove(3, age(3), &[11]));
        assert!(index.remove(3, age(3), &[10]) && !index.remove(3, age(3), &[10]));
        assert_eq!(found(&index, &[0], &[10], None), [(1, 20), (0, 20)]);
    }

    #[test]
    fn a_weight_of_zero_orders_nothing() {
        let mut index = Linear::new(&[0, 1]);
        index.insert(0, age(2), &[5, 0], 1);
        index.insert(1, age(1), &[900, 0], 1);
        assert_eq!(found(&index, &[5, 0], &[i64::MAX, i64::MAX], None), [(1, 0), (0, 0)]);
        assert_eq!(found(&index, &[5, 0], &[10, i64::MAX], None), [(0, 0)]);
    }
}
