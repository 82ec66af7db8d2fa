//! The matches that were chosen together, in flat buffers that keep their memory.
//!
//! Written by the chooser, read by the queue, which commits them. Invariant: the rows of a match stand together,
//! sorted by seniority, and no row stands twice.

/// Matches that were chosen.
#[derive(Clone, Default, Debug)]
pub struct Chosen {
    rows: Vec<u32>,
    ends: Vec<u32>,
    /// Of each match of two plain tickets the regions; 0: of another match.
    regions: Vec<u64>,
    /// Candidates looked at.
    pub steps: u64,
}

impl Chosen {
    /// Forgets all matches.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.ends.clear();
        self.regions.clear();
        self.steps = 0;
    }

    /// Adds a match: its rows, sorted by seniority.
    pub fn push(&mut self, rows: &[u32]) {
        self.rows.extend_from_slice(rows);
        self.ends.push(self.rows.len() as u32);
        self.regions.push(0);
    }

    /// Adds a match of two plain tickets, sorted by seniority, that is legal in these regions; all without a region rule.
    pub fn push_plain(&mut self, rows: [u32; 2], regions: u64) {
        self.rows.extend(rows);
        self.ends.push(self.rows.len() as u32);
        self.regions.push(regions);
    }

    /// The regions of a match of two plain tickets; 0: it is another match.
    pub fn regions(&self, at: usize) -> u64 {
        self.regions[at]
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
