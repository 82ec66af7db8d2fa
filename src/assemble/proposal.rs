//! The best match that a search has found so far, and the order in which matches are better.

use std::cmp::Ordering;

/// A set of tickets that makes a legal match.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Proposal {
    /// Its rows, sorted by seniority; empty: none found.
    pub rows: Vec<u32>,
    /// Its submit numbers, sorted.
    pub submit_numbers: Vec<u64>,
    /// Its players.
    pub players: u32,
    /// Its cost times its players, in units of 10^-12.
    pub cost: i128,
}

impl Proposal {
    /// Whether a match has been found.
    pub fn is_some(&self) -> bool {
        !self.rows.is_empty()
    }

    /// Forgets the match.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.submit_numbers.clear();
        self.players = 0;
        self.cost = 0;
    }

    /// Whether a match with these figures is better: more players, then a lower cost, then the
    /// lexicographically smaller list of submit numbers. Both have the same oldest ticket.
    pub fn is_beaten_by(&self, players: u32, cost: i128, submit_numbers: &[u64]) -> bool {
        if !self.is_some() {
            return true;
        }
        let order = players.cmp(&self.players).reverse().then(cost.cmp(&self.cost));
        order.then_with(|| submit_numbers.cmp(&self.submit_numbers)) == Ordering::Less
    }

    /// Puts another match in its place.
    pub fn replace(&mut self, rows: &[u32], submit_numbers: &[u64], players: u32, cost: i128) {
        self.rows.clear();
        self.rows.extend_from_slice(rows);
        self.submit_numbers.clear();
        self.submit_numbers.extend_from_slice(submit_numbers);
        self.players = players;
        self.cost = cost;
    }
}
