//! What a sweep asks of the tickets of a cut.
//!
//! Answered by `spots` for tickets of every kind and by `lanes` where all are plain. Invariant: both give the same
//! answers where both can.

/// Tickets in the order of their values.
pub(super) trait Line {
    /// Tickets.
    fn count(&self) -> usize;

    /// The regions that a ticket can be matched in; all without a region rule.
    fn mask(&self, at: usize) -> u64;

    /// Its value in the difference of the order.
    fn value(&self, at: usize) -> i64;

    /// The same, scaled to cost.
    fn place(&self, at: usize) -> u32;

    /// Its least ping, scaled to cost.
    fn own(&self, at: usize) -> u32;

    /// How far from its value a ticket's partner may be at most, whoever it is.
    fn farthest(&self, at: usize) -> i64;

    /// What a match of two tickets costs; [`APART`](super::spots::APART) and more: it is not legal.
    fn of(&mut self, i: usize, j: usize) -> u32;
}
