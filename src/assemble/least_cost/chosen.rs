//! The matches that were chosen together, in flat buffers that keep their memory.
//!
//! Written by the chooser, read by the queue, which commits them. Invariant: the rows of a match stand together,
//! sorted by seniority, and no row stands twice.

use crate::model::event::Quality;

/// Stands for "not measured".
const NO_PAIR: u32 = u32::MAX;

/// A match of two plain tickets that has been measured; the second one is on the last team.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// How good it is.
    pub quality: Quality,
    /// The pings in its region, if there is one, in units of 0.000001 ms: that of the older ticket first.
    pub pings: [i64; 2],
    /// Where its regions are in the list of all, and how many.
    regions: (u32, u32),
}

/// Matches that were chosen.
#[derive(Clone, Default, Debug)]
pub struct Chosen {
    rows: Vec<u32>,
    ends: Vec<u32>,
    /// Of each match the place in `measured`, if it has been measured.
    places: Vec<u32>,
    measured: Vec<Pair>,
    /// Their regions, best first.
    regions: Vec<u8>,
    /// Candidates looked at.
    pub steps: u64,
}

impl Chosen {
    /// Forgets all matches.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.ends.clear();
        self.places.clear();
        self.measured.clear();
        self.regions.clear();
        self.steps = 0;
    }

    /// Adds a match: its rows, sorted by seniority.
    pub fn push(&mut self, rows: &[u32]) {
        self.rows.extend_from_slice(rows);
        self.ends.push(self.rows.len() as u32);
        self.places.push(NO_PAIR);
    }

    /// Adds a match of two plain tickets, sorted by seniority, that has been measured. `regions`: its legal ones, best
    /// first; none without a region rule. `pings`: those in the first of them.
    pub(super) fn push_pair(
        &mut self,
        rows: [u32; 2],
        quality: Quality,
        pings: [i64; 2],
        regions: impl ExactSizeIterator<Item = u8>,
    ) {
        self.rows.extend(rows);
        self.ends.push(self.rows.len() as u32);
        self.places.push(self.measured.len() as u32);
        self.measured.push(Pair {
            quality,
            pings,
            regions: (self.regions.len() as u32, regions.len() as u32),
        });
        self.regions.extend(regions);
    }

    /// Whether a match has been measured, and what came of it.
    pub fn pair(&self, at: usize) -> Option<(&Pair, &[u8])> {
        let pair = self.measured.get(self.places[at] as usize)?;
        let (from, count) = pair.regions;
        Some((pair, &self.regions[from as usize..][..count as usize]))
    }

    /// How many matches there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The rows of one match.
    pub fn get(&self, at: usize) -> &[u32] {
        let from = if at == 0 { 0 } else { self.ends[at - 1] as usize };
        &self.rows[from..self.ends[at] as usize]
    }

    /// All matches.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).map(|at| self.get(at))
    }
}
