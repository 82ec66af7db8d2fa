//! The candidates of a ticket that are legal the soonest.
//!
//! Used by `ask` over every waiting ticket, so one that cannot be among the nearest is left without computing when it
//! becomes legal: where a rule only loosens, a pair that it excludes at some time was excluded at all times before.

use super::board::{Board, Pair, Test};
use crate::model::explanation::When;
use crate::model::ids::{Millis, Seniority};
use crate::rules::compile::NO_VALUE;
use std::collections::BinaryHeap;

/// How near a candidate is; less is nearer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Nearness {
    /// When it is legal; the greatest time if it never is.
    legal_ms: u64,
    /// Of one that never is: the barriers that exclude it now.
    barriers: u32,
    /// By the weighted differences.
    distance: u128,
    /// By the plain differences.
    plain: u128,
    seniority: Seniority,
    row: u32,
}

/// The nearest of all that were added.
pub(super) struct Nearest<'b, 'a> {
    board: &'b Board<'a>,
    most: usize,
    heap: BinaryHeap<Nearness>,
}

impl<'b, 'a> Nearest<'b, 'a> {
    /// None yet, at most so many.
    pub(super) fn new(board: &'b Board<'a>, most: usize) -> Nearest<'b, 'a> {
        Nearest { board, most, heap: BinaryHeap::new() }
    }

    /// Adds a candidate that the tests of `failing` exclude now.
    pub(super) fn add(
        &mut self,
        pair: &Pair<'b, 'a>,
        failing: u32,
        deadline: impl Fn(u32) -> Option<Millis>,
    ) {
        let worst = self.heap.peek().filter(|_| self.heap.len() >= self.most).map(|worst| worst.legal_ms);
        if self.most == 0 || worst.is_some_and(|worst| self.is_later(pair, failing, Millis(worst))) {
            return;
        }
        let (when, _) = match failing {
            0 => (When::Now, None),
            _ => pair.legal(pair.end(deadline)),
        };
        let legal_ms = match when {
            When::Now => self.board.ground.now.0,
            When::At(at) => at.0,
            When::TooLate(_) | When::Never => u64::MAX,
        };
        let (distance, plain) = distance(self.board, pair.other);
        let barriers = if legal_ms == u64::MAX { failing.count_ones() } else { 0 };
        let seniority = self.board.ground.tickets.seniority(pair.other);
        self.heap.push(Nearness { legal_ms, barriers, distance, plain, seniority, row: pair.other });
        if self.heap.len() > self.most {
            self.heap.pop();
        }
    }

    /// Whether a candidate is certainly legal later than `worst`.
    fn is_later(&self, pair: &Pair<'b, 'a>, failing: u32, worst: Millis) -> bool {
        if worst.0 == u64::MAX {
            return false;
        }
        let tests = self.board.tests.iter().enumerate().filter(|(bit, _)| failing >> bit & 1 == 1);
        let mut excluded = tests.filter(|&(_, &test)| match test {
            Test::Rule(rule) => self.board.ground.queue.rules[rule].only_loosens && !pair.passes(test, worst),
            Test::Sizes | Test::OwnLimits | Test::TheirLimits => true,
            Test::Seating => false,
        });
        excluded.next().is_some()
    }

    /// The rows of the nearest, nearest first.
    pub(super) fn into_rows(self) -> Vec<u32> {
        self.heap.into_sorted_vec().into_iter().map(|nearness| nearness.row).collect()
    }
}

/// How far a ticket is from the board's, by the weighted and by the plain differences; a missing value is no distance.
pub(super) fn distance(board: &Board<'_>, other: u32) -> (u128, u128) {
    let ground = &board.ground;
    let (mut weighted, mut plain) = (0_u128, 0_u128);
    for &(rule, slot) in &ground.queue.dimensions {
        let (own, theirs) = (ground.tickets.number(slot, board.row), ground.tickets.number(slot, other));
        if own != NO_VALUE && theirs != NO_VALUE {
            let apart = u128::from(own.abs_diff(theirs));
            plain += apart;
            weighted += apart * 2 * u128::from(ground.queue.rules[rule].weight.unsigned_abs());
        }
    }
    (weighted, plain)
}
