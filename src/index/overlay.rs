//! The fresh points of the KD-tree index: a small list in no order.
//!
//! Only the KD-tree calls it. A search looks at all of it, so the tree takes it in when it has grown to its share.
//! Invariant: the columns are parallel; their order means nothing.

use crate::model::ids::Seniority;

/// Points that the tree does not hold yet.
#[derive(Debug)]
pub(super) struct Overlay {
    dimensions: usize,
    /// One row of `dimensions` coordinates for each point.
    coords: Vec<i64>,
    seniorities: Vec<Seniority>,
    items: Vec<u32>,
}

impl Overlay {
    pub(super) fn new(dimensions: usize) -> Overlay {
        Overlay { dimensions, coords: Vec::new(), seniorities: Vec::new(), items: Vec::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    pub(super) fn clear(&mut self) {
        self.coords.clear();
        self.seniorities.clear();
        self.items.clear();
    }

    pub(super) fn insert(&mut self, item: u32, seniority: Seniority, coords: &[i64]) {
        self.coords.extend_from_slice(coords);
        self.seniorities.push(seniority);
        self.items.push(item);
    }

    /// Takes a point out; `false` if it is not here.
    pub(super) fn remove(&mut self, item: u32, seniority: Seniority, coords: &[i64]) -> bool {
        let Some(row) = self.items.iter().position(|&other| other == item) else {
            return false;
        };
        if self.seniorities[row] != seniority || self.coords(row) != coords {
            return false;
        }
        let last = self.len() - 1;
        self.coords.copy_within(last * self.dimensions.., row * self.dimensions);
        self.coords.truncate(last * self.dimensions);
        self.seniorities.swap_remove(row);
        self.items.swap_remove(row);
        true
    }

    /// The coordinates of the point in `row`.
    pub(super) fn coords(&self, row: usize) -> &[i64] {
        &self.coords[row * self.dimensions..(row + 1) * self.dimensions]
    }

    pub(super) fn seniority(&self, row: usize) -> Seniority {
        self.seniorities[row]
    }

    pub(super) fn item(&self, row: usize) -> u32 {
        self.items[row]
    }
}
