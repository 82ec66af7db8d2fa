//! The search of the sorted column: outwards from the centre, left and right at once.
//!
//! [`super::sorted::SortedColumn`] starts it. To the right the column's own order is the order of candidates. To the
//! left the coordinates descend, but points of one coordinate are still wanted oldest first, so the left side
//! goes run by run and each run forwards. The nearer side gives the next point; at equal distance the older one.
//! With further weighted dimensions a point waits in a heap until the leading dimension alone is farther than the
//! heap's nearest. Points that are too old are passed by chunk where the directory shows it, and by binary search
//! in a flood of equal points.
//!
//! Invariant: what comes out ascends by (distance, seniority, item) and every admitted point comes once.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::candidates::{Candidates, Found, Query, Ranked, reaches, term};
use super::chunk::{Key, run_at_end};
use super::sorted::{Position, SortedColumn};
use crate::model::ids::Seniority;

/// Candidates that must wait until nothing nearer can come.
pub(super) type Held = BinaryHeap<Reverse<Ranked>>;

/// A search of the sorted column.
#[derive(Debug)]
pub(super) struct SortedCursor<'a> {
    scan: Outward<'a>,
    query: Query<'a>,
    held: &'a mut Held,
}

impl<'a> SortedCursor<'a> {
    pub(super) fn new(column: &'a SortedColumn, query: Query<'a>, held: &'a mut Held) -> SortedCursor<'a> {
        held.clear();
        SortedCursor { scan: Outward::new(column, &query), query, held }
    }

    /// The distance of the point of `step`; `None` out of reach in a dimension that is not the leading one.
    fn distance(&self, step: Step) -> Option<u128> {
        let column = self.scan.column;
        let mut sum = self.lead_term(step.delta);
        if column.others.is_empty() {
            return Some(sum);
        }
        let chunk = &column.chunks[step.place.chunk];
        for (at, &dimension) in column.others.iter().enumerate() {
            let delta = self.query.centre[dimension].abs_diff(chunk.other(at, step.place.row));
            if !reaches(self.query.reach[dimension], delta) {
                return None;
            }
            sum += term(column.metric.weights[dimension], delta);
        }
        Some(sum)
    }

    fn lead_term(&self, delta: u64) -> u128 {
        let column = self.scan.column;
        column.lead.map_or(0, |lead| term(column.metric.weights[lead], delta))
    }
}

impl Candidates for SortedCursor<'_> {
    fn next(&mut self) -> Option<Found> {
        if !self.scan.column.others_weigh {
            // The leading dimension is the distance: points come out in their order.
            loop {
                let step = self.scan.next()?;
                if let Some(distance) = self.distance(step) {
                    return Some(Found { item: self.scan.key(step).item, distance });
                }
            }
        }
        while let Some(delta) = self.scan.delta() {
            if self.held.peek().is_some_and(|Reverse(nearest)| nearest.distance < self.lead_term(delta)) {
                break;
            }
            let Some(step) = self.scan.next() else { break };
            if let Some(distance) = self.distance(step) {
                let Key { seniority, item, .. } = self.scan.key(step);
                self.held.push(Reverse(Ranked { distance, seniority, item }));
            }
        }
        self.held.pop().map(|Reverse(ranked)| ranked.found())
    }
}

/// A point that the scan came to.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// |delta| in the leading dimension.
    delta: u64,
    place: Position,
}

/// The points of the column by (|delta| in the leading dimension, seniority, item).
#[derive(Debug)]
struct Outward<'a> {
    column: &'a SortedColumn,
    centre: i64,
    /// The greatest |delta|.
    reach: u64,
    oldest: Option<Seniority>,
    /// The next point of each side, if it has one within reach.
    left: Option<Step>,
    right: Option<Step>,
    /// The end of the run that `left` is in.
    run_end: Position,
    /// The start of that run: everything further left is still to come.
    run_start: Position,
}

impl<'a> Outward<'a> {
    fn new(column: &'a SortedColumn, query: &Query<'_>) -> Outward<'a> {
        let centre = column.leading(query.centre);
        let reach = column.lead.map_or(i64::MAX, |lead| query.reach[lead]);
        let start = column.first_at(centre);
        let mut scan = Outward {
            column,
            centre,
            reach: reach.unsigned_abs(),
            oldest: query.younger_than,
            left: None,
            right: None,
            run_end: start,
            run_start: start,
        };
        let nobody = reach < 0 || query.younger_than.is_some_and(|oldest| oldest >= column.youngest_ever);
        if !nobody {
            scan.right = scan.step(start, Position { chunk: column.chunks.len(), row: 0 });
            scan.left = scan.next_run();
        }
        scan
    }

    /// The whole key of a point; the scan itself reads no more than coordinates unless two are equally near.
    fn key(&self, step: Step) -> Key {
        self.column.chunks[step.place.chunk].key(step.place.row)
    }

    /// The least |delta| of what is still to come.
    fn delta(&self) -> Option<u64> {
        match (&self.left, &self.right) {
            (Some(left), Some(right)) => Some(left.delta.min(right.delta)),
            (one, other) => one.as_ref().or(other.as_ref()).map(|step| step.delta),
        }
    }

    fn next(&mut self) -> Option<Step> {
        let left_is_next = match (self.left, self.right) {
            (Some(left), Some(right)) if left.delta == right.delta => {
                let (left, right) = (self.key(left), self.key(right));
                (left.seniority, left.item) < (right.seniority, right.item)
            }
            (Some(left), Some(right)) => left.delta < right.delta,
            (left, _) => left.is_some(),
        };
        if left_is_next {
            let step = self.left?;
            self.left = self.step(after(step.place), self.run_end).or_else(|| self.next_run());
            return Some(step);
        }
        let step = self.right?;
        self.right = self.step(after(step.place), Position { chunk: self.column.chunks.len(), row: 0 });
        Some(step)
    }

    /// The first point within reach and young enough from `place` on and before `end`.
    fn step(&self, place: Position, end: Position) -> Option<Step> {
        let column = self.column;
        let mut place = column.normal(place);
        if let Some(oldest) = self.oldest {
            place = self.first_younger(place, end, oldest)?;
        }
        if place >= end {
            return None;
        }
        let delta = column.chunks[place.chunk].coordinates()[place.row].abs_diff(self.centre);
        (delta <= self.reach).then_some(Step { delta, place })
    }

    /// The first point younger than `oldest` from `place` on; may give up at `end` or out of reach.
    fn first_younger(&self, mut place: Position, end: Position, oldest: Seniority) -> Option<Position> {
        let column = self.column;
        while place < end {
            if column.youngest[place.chunk] > oldest {
                let chunk = &column.chunks[place.chunk];
                let row = chunk.first_younger(place.row, oldest);
                if row < chunk.len() {
                    return Some(Position { row, ..place });
                }
            }
            let first = column.firsts[place.chunk];
            place = Position { chunk: place.chunk + 1, row: 0 };
            let next = *column.firsts.get(place.chunk)?;
            if next == first {
                // The chunk lies within one run, which ascends by seniority: leap to where it is young enough.
                place = column.normal(column.lower_bound(&Key {
                    coordinate: first,
                    seniority: oldest,
                    item: u32::MAX,
                }));
            } else if next.abs_diff(self.centre) > self.reach && next > self.centre {
                return None;
            }
        }
        None
    }

    /// Goes on to the next run on the left that has a point young enough, and answers its first such point.
    fn next_run(&mut self) -> Option<Step> {
        let column = self.column;
        loop {
            // The frontier is the start of the run before; step over chunks with nobody young enough.
            let mut end = self.run_start;
            if end.row == 0 {
                let chunk = end.chunk.checked_sub(1)?;
                end = Position { chunk, row: column.chunks[chunk].len() };
            }
            if self.oldest.is_some_and(|oldest| column.youngest[end.chunk] <= oldest) {
                let first = column.firsts[end.chunk];
                if self.centre.abs_diff(first) > self.reach {
                    return None;
                }
                // A run that began in an earlier chunk is older there: leap over all of it.
                let leap = end.chunk > 0 && column.firsts[end.chunk - 1] == first;
                self.run_start =
                    if leap { column.first_at(first) } else { Position { chunk: end.chunk, row: 0 } };
                continue;
            }
            let coordinates = &column.chunks[end.chunk].coordinates()[..end.row];
            let coordinate = coordinates[end.row - 1];
            if self.centre.abs_diff(coordinate) > self.reach {
                return None;
            }
            let row = end.row - run_at_end(coordinates);
            let reaches_back = row == 0 && end.chunk > 0 && {
                let before = column.chunks[end.chunk - 1].coordinates();
                before[before.len() - 1] == coordinate
            };
            self.run_end = end;
            self.run_start =
                if reaches_back { column.first_at(coordinate) } else { Position { chunk: end.chunk, row } };
            if let Some(step) = self.step(self.run_start, end) {
                return Some(step);
            }
        }
    }
}

/// The row behind `place`, which may be the end of its chunk.
fn after(place: Position) -> Position {
    Position { row: place.row + 1, ..place }
}
