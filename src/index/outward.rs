//! The search of the sorted column: outwards from the centre, left and right at once.
//!
//! [`super::sorted::SortedColumn`] starts it. To the right the column's own order is the order of candidates. To the
//! left the coordinates descend, but points of one coordinate are still wanted oldest first, so the left side
//! goes run by run and each run forwards. The nearer side gives the next point; at equal distance the older one.
//! With further weighted dimensions a point waits in a heap until the leading dimension alone is farther than the
//! heap's nearest. Points that are too old are passed by chunk where the directory shows it, and by binary search
//! in a flood of equal points. Where a point is not admitted (too old, no bit of its mask wanted, out of reach in a
//! further dimension) the kernels look at its whole chunk at once.
//!
//! Measured (`evenmatch bench duel --full --selection oldest_first`, in turns, same output): once a search has looked at a few
//! points it asks for whole chunks, whose admitted rows it then goes along; tick 3,700 and 5,028 ns a ticket before, 3,478
//! and 3,259 after (busy machine).
//!
//! Invariant: what comes out ascends by (distance, seniority, item) and every admitted point comes once.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::candidates::{Candidates, Found, Query, Ranked, term};
use super::chunk::{CHUNK, Key, below, run_at_end};
use super::sorted::{Position, SortedColumn};

/// Candidates that must wait until nothing nearer can come.
pub(super) type Held = BinaryHeap<Reverse<Ranked>>;

/// A search of the sorted column.
#[derive(Debug)]
pub(super) struct SortedCursor<'a> {
    scan: Outward<'a>,
    held: &'a mut Held,
}

impl<'a> SortedCursor<'a> {
    pub(super) fn new(column: &'a SortedColumn, query: Query<'a>, held: &'a mut Held) -> SortedCursor<'a> {
        held.clear();
        SortedCursor { scan: Outward::new(column, query), held }
    }

    /// What the search has looked at so far.
    pub(super) fn looked(&self) -> u64 {
        self.scan.looked
    }

    /// The distance of the point of `step`.
    fn distance(&self, step: Step) -> u128 {
        let column = self.scan.column;
        let chunk = &column.chunks[step.place.chunk];
        let others = column.others.iter().enumerate().map(|(at, &dimension)| {
            let delta = self.scan.query.centre[dimension].abs_diff(chunk.other(at, step.place.row));
            term(column.metric.weights[dimension], delta)
        });
        self.lead_term(step.delta) + others.sum::<u128>()
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
            let step = self.scan.next()?;
            return Some(Found { item: self.scan.key(step).item, distance: self.lead_term(step.delta) });
        }
        while let Some(delta) = self.scan.delta() {
            if self.held.peek().is_some_and(|Reverse(nearest)| nearest.distance < self.lead_term(delta)) {
                break;
            }
            let Some(step) = self.scan.next() else { break };
            let Key { seniority, item, .. } = self.scan.key(step);
            self.held.push(Reverse(Ranked { distance: self.distance(step), seniority, item }));
        }
        self.held.pop().map(|Reverse(ranked)| ranked.found())
    }
}

/// Points that are looked at one by one before whole chunks are. Chosen: most searches of a flood end before, and others
/// go on for tens of points.
const FEW: u64 = 6;

/// A point that the scan came to.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// |delta| in the leading dimension.
    delta: u64,
    place: Position,
}

/// The admitted rows of one chunk, once the kernels have looked at it.
#[derive(Clone, Copy, Debug)]
struct Rows {
    chunk: usize,
    bits: u64,
}

impl Rows {
    const NONE: Rows = Rows { chunk: usize::MAX, bits: 0 };
}

/// The points of the column by (|delta| in the leading dimension, seniority, item).
#[derive(Debug)]
struct Outward<'a> {
    column: &'a SortedColumn,
    query: Query<'a>,
    centre: i64,
    /// The greatest |delta|.
    reach: u64,
    /// The next point of each side, if it has one within reach.
    left: Option<Step>,
    right: Option<Step>,
    /// The end of the run that `left` is in.
    run_end: Position,
    /// The start of that run: everything further left is still to come.
    run_start: Position,
    /// The chunks that each side has looked at last.
    left_rows: Rows,
    right_rows: Rows,
    /// Points and chunks looked at.
    looked: u64,
}

/// Which way a scan goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Left,
    Right,
}

impl<'a> Outward<'a> {
    fn new(column: &'a SortedColumn, query: Query<'a>) -> Outward<'a> {
        let centre = column.leading(query.centre);
        let reach = column.lead.map_or(i64::MAX, |lead| query.reach[lead]);
        let start = column.first_at(centre);
        let mut scan = Outward {
            column,
            query,
            centre,
            reach: reach.unsigned_abs(),
            left: None,
            right: None,
            run_end: start,
            run_start: start,
            left_rows: Rows::NONE,
            right_rows: Rows::NONE,
            looked: 0,
        };
        if !query.is_empty(column.youngest_ever) {
            scan.right = scan.step(Side::Right, start, scan.end());
            scan.left = scan.next_run();
        }
        scan
    }

    /// The place behind all points.
    fn end(&self) -> Position {
        Position { chunk: self.column.chunks.len(), row: 0 }
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
            self.left = self.step(Side::Left, after(step.place), self.run_end).or_else(|| self.next_run());
            return Some(step);
        }
        let step = self.right?;
        self.right = self.step(Side::Right, after(step.place), self.end());
        Some(step)
    }

    /// The first point within reach and admitted from `place` on and before `end`.
    #[inline]
    fn step(&mut self, side: Side, place: Position, end: Position) -> Option<Step> {
        // Most often it stands in the same chunk, all of which has been looked at.
        let place = match self.known_rows(side, place.chunk) & !below(place.row) {
            0 => self.first_admitted(side, self.column.normal(place), end)?,
            rows => Position { row: rows.trailing_zeros() as usize, ..place },
        };
        if place >= end {
            return None;
        }
        let delta = self.column.chunks[place.chunk].coordinates()[place.row].abs_diff(self.centre);
        (delta <= self.reach).then_some(Step { delta, place })
    }

    /// Whether a chunk has a point that is young enough.
    fn is_young(&self, chunk: usize) -> bool {
        self.query.admits(self.column.youngest[chunk])
    }

    /// Whether the point at a place is admitted.
    fn admits(&mut self, place: Position) -> bool {
        self.looked += 1;
        self.column.chunks[place.chunk].admits(&self.query, &self.column.others, place.row)
    }

    /// The admitted rows of a chunk, if that side has looked at all of it last; else none.
    #[inline]
    fn known_rows(&self, side: Side, chunk: usize) -> u64 {
        let rows = match side {
            Side::Left => self.left_rows,
            Side::Right => self.right_rows,
        };
        if rows.chunk == chunk { rows.bits } else { 0 }
    }

    /// The admitted rows of a chunk.
    fn rows(&mut self, side: Side, chunk: usize) -> u64 {
        let known = [self.left_rows, self.right_rows];
        let rows = known.into_iter().find(|rows| rows.chunk == chunk).unwrap_or_else(|| {
            let SortedColumn { kernels, others, .. } = self.column;
            self.looked += 1;
            Rows { chunk, bits: self.column.chunks[chunk].admitted(*kernels, &self.query, others) }
        });
        match side {
            Side::Left => self.left_rows = rows,
            Side::Right => self.right_rows = rows,
        }
        rows.bits
    }

    /// The first admitted point from `place` on; may give up at `end` or out of reach.
    fn first_admitted(&mut self, side: Side, mut place: Position, end: Position) -> Option<Position> {
        let column = self.column;
        while place < end {
            let is_young = self.is_young(place.chunk);
            if is_young {
                // Mostly the next point is admitted, and to look at a few is quicker than to look at all.
                if self.looked < FEW && self.admits(place) {
                    return Some(place);
                }
                let rows = self.rows(side, place.chunk) & !below(place.row);
                if rows != 0 {
                    return Some(Position { row: rows.trailing_zeros() as usize, ..place });
                }
            }
            let first = column.firsts[place.chunk];
            place = Position { chunk: place.chunk + 1, row: 0 };
            let next = *column.firsts.get(place.chunk)?;
            self.looked += 1;
            if next == first && !is_young {
                // The chunk lies within one run, which ascends by seniority: leap to where it is young enough.
                let oldest = self.query.younger_than.unwrap_or_default();
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

    /// Goes on to the next run on the left that has an admitted point, and answers its first such point.
    fn next_run(&mut self) -> Option<Step> {
        let column = self.column;
        loop {
            // The frontier is the start of the run before; step over chunks with nobody young enough.
            let mut end = self.run_start;
            if end.row == 0 {
                let chunk = end.chunk.checked_sub(1)?;
                end = Position { chunk, row: column.chunks[chunk].len() };
            }
            self.looked += 1;
            if !self.is_young(end.chunk) {
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
            if self.looked >= FEW || !self.admits(Position { row: end.row - 1, ..end }) {
                let rows = self.rows(Side::Left, end.chunk) & below(end.row);
                if rows == 0 {
                    if self.centre.abs_diff(column.firsts[end.chunk]) > self.reach {
                        return None;
                    }
                    self.run_start = Position { chunk: end.chunk, row: 0 };
                    continue;
                }
                end.row = CHUNK - rows.leading_zeros() as usize;
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
            if let Some(step) = self.step(Side::Left, self.run_start, end) {
                return Some(step);
            }
        }
    }
}

/// The row behind `place`, which may be the end of its chunk.
fn after(place: Position) -> Position {
    Position { row: place.row + 1, ..place }
}
