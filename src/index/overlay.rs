//! The fresh points of the KD-tree index: a small list in no order.
//!
//! Only the KD-tree calls it. A search looks at all of it, a block at a time, so the tree takes it in when it has
//! grown to its share. Invariant: the columns are parallel and whole blocks long; the order of rows means nothing, and
//! rows behind the last point hold what was there before.

use super::candidates::{Query, age};
use crate::model::ids::{Millis, Seniority};
use crate::simd::{BLOCK, Kernels};

/// Points that the tree does not hold yet.
#[derive(Debug)]
pub(super) struct Overlay {
    /// A column of coordinates for each dimension.
    coords: Box<[Vec<[i64; BLOCK]>]>,
    enqueued: Vec<[u64; BLOCK]>,
    submits: Vec<[u64; BLOCK]>,
    masks: Vec<[u64; BLOCK]>,
    items: Vec<u32>,
}

impl Overlay {
    pub(super) fn new(dimensions: usize) -> Overlay {
        Overlay {
            coords: vec![Vec::new(); dimensions].into(),
            enqueued: Vec::new(),
            submits: Vec::new(),
            masks: Vec::new(),
            items: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    pub(super) fn clear(&mut self) {
        self.items.clear();
    }

    pub(super) fn insert(&mut self, item: u32, seniority: Seniority, coords: &[i64], mask: u64) {
        let (block, at) = (self.len() / BLOCK, self.len() % BLOCK);
        self.items.push(item);
        if block == self.masks.len() {
            self.coords.iter_mut().for_each(|column| column.push([0; BLOCK]));
            for column in [&mut self.enqueued, &mut self.submits, &mut self.masks] {
                column.push([0; BLOCK]);
            }
        }
        for (column, &coord) in self.coords.iter_mut().zip(coords) {
            column[block][at] = coord;
        }
        self.enqueued[block][at] = seniority.enqueued.0;
        self.submits[block][at] = seniority.submit_number;
        self.masks[block][at] = mask;
    }

    /// Takes a point out; `false` if it is not here.
    pub(super) fn remove(&mut self, item: u32, seniority: Seniority, coords: &[i64]) -> bool {
        let Some(row) = self.items.iter().position(|&other| other == item) else {
            return false;
        };
        if self.seniority(row) != seniority || !self.coords(row).eq(coords.iter().copied()) {
            return false;
        }
        self.items.swap_remove(row);
        let last = self.len();
        let (to, from) = ((row / BLOCK, row % BLOCK), (last / BLOCK, last % BLOCK));
        self.coords.iter_mut().for_each(|column| column[to.0][to.1] = column[from.0][from.1]);
        for column in [&mut self.enqueued, &mut self.submits, &mut self.masks] {
            column[to.0][to.1] = column[from.0][from.1];
        }
        true
    }

    /// Calls `visit` for every point with its mask.
    pub(super) fn visit_masks(&self, mut visit: impl FnMut(u32, u64)) {
        self.items.iter().zip(self.masks.as_flattened()).for_each(|(&item, &mask)| visit(item, mask));
    }

    /// Gives the rows to `visit` that `query` admits by age, mask and reach, in ascending order.
    pub(super) fn visit_admitted(&self, kernels: Kernels, query: &Query<'_>, mut visit: impl FnMut(usize)) {
        let mut rows = [0; BLOCK];
        for block in 0..self.len().div_ceil(BLOCK) {
            let from = (block * BLOCK) as u32;
            let count = kernels.compress(self.admitted(kernels, query, block), from, &mut rows);
            rows[..count].iter().for_each(|&row| visit(row as usize));
        }
    }

    /// A bit for each row of a block that `query` admits.
    fn admitted(&self, kernels: Kernels, query: &Query<'_>, block: usize) -> u64 {
        let mut bits = u64::MAX >> (BLOCK - BLOCK.min(self.len() - block * BLOCK));
        if let Some(oldest) = query.younger_than {
            bits &= kernels.younger(&self.enqueued[block], &self.submits[block], age(oldest));
        }
        if let Some(wanted) = query.sharing {
            bits &= kernels.sharing(&self.masks[block], wanted);
        }
        for (dimension, column) in self.coords.iter().enumerate() {
            if let Some((low, high)) = query.bounds(dimension) {
                bits &= kernels.within(&column[block], low, high);
            }
        }
        bits
    }

    /// The coordinates of the point in `row`.
    pub(super) fn coords(&self, row: usize) -> impl Iterator<Item = i64> + '_ {
        self.coords.iter().map(move |column| column[row / BLOCK][row % BLOCK])
    }

    pub(super) fn seniority(&self, row: usize) -> Seniority {
        let (block, at) = (row / BLOCK, row % BLOCK);
        Seniority { enqueued: Millis(self.enqueued[block][at]), submit_number: self.submits[block][at] }
    }

    pub(super) fn item(&self, row: usize) -> u32 {
        self.items[row]
    }

    pub(super) fn mask(&self, row: usize) -> u64 {
        self.masks[row / BLOCK][row % BLOCK]
    }
}
