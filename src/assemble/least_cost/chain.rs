//! Pairs where one difference alone decides: exact, by dynamic programming along the order.
//!
//! Where all windows are equal and nothing but the distance tells which pairs are legal and what they cost, some best
//! set of pairs joins neighbours only: of two pairs that cross or enclose one another, and of a pair that encloses a
//! ticket left over, the ends can be joined anew to neighbours, at no greater distance. So the best of the first n
//! tickets is that of n - 1 with the last one left over, or that of n - 2 with the last two as a pair. Of equal sets
//! the one that leaves over later tickets is taken. Invariant: most pairs, then the least sum of distances.

use super::line::Line;
use super::repair::{Mates, NOBODY};

/// The memory of the search.
#[derive(Default)]
pub(super) struct Chain {
    /// Whether the best of the first so many tickets joins the last two.
    joins: Vec<bool>,
}

impl Chain {
    /// Whether the search serves plain tickets that share a reach and these regions.
    pub(super) fn serves(
        common_reach: Option<i64>,
        common_mask: u64,
        has_one_difference: bool,
        ping_has_weight: bool,
    ) -> bool {
        has_one_difference && !ping_has_weight && common_reach.is_some() && common_mask != 0
    }

    /// Pairs the tickets, whose reach is the same for all.
    pub(super) fn pair(&mut self, line: &impl Line, reach: i64, mates: &mut Mates) {
        self.joins.clear();
        self.joins.extend([false; 2]);
        // The pairs and the sum of distances of the best for n - 2 and for n - 1 tickets.
        let (mut before, mut last) = ((0_u32, 0_i64), (0_u32, 0_i64));
        for at in 1..line.count() {
            let distance = line.value(at) - line.value(at - 1);
            let joined = (before.0 + 1, before.1.saturating_add(distance));
            let joins = distance <= reach && (joined.0 > last.0 || (joined.0 == last.0 && joined.1 < last.1));
            self.joins.push(joins);
            (before, last) = (last, if joins { joined } else { last });
        }
        mates.of.clear();
        mates.of.resize(line.count(), NOBODY);
        let mut count = line.count();
        while count > 1 {
            if self.joins[count] {
                mates.of[count - 1] = count as u32 - 2;
                mates.of[count - 2] = count as u32 - 1;
                count -= 2;
            } else {
                count -= 1;
            }
        }
    }
}
