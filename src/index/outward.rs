//! The search of the sorted column: outwards from the centre, left and right at once.
//!
//! [`super::sorted::SortedColumn`] starts it. To the right the column's own order is the order of candidates. To the
//! left the coordinates descend, but points of one coordinate are still wanted oldest first, so the left side
//! goes run by run and each run forwards. The nearer side gives the next point; at equal distance the older one.
//! With further weighted dimensions a point waits in a heap until the leading dimension alone is farther than the
//! heap's nearest. Points that are too old are passed by chunk where the directory shows it, and by binary search
//! in a flood of equal points. Where a point is not admitted (too old, no bit of its mask wanted, out of reach in a
//! further dimension) the kernels look at its whole chunk at once. Under a ceiling each side goes on by itself to the
//! next point that could cost so little, and the reach ends where the distance alone costs more.
//!
//! Tried: whole chunks from the seventh look on, whether the next point is admitted or not. Where order and age go together
//! that takes 72 and 82 looks a search where chance takes 11, more than `tests` allow.
//!
//! Invariant: what comes out ascends by (distance, seniority, item) and every admitted point comes once.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::candidates::{Candidates, Ceiling, Found, Query, Ranked, term};
use super::chunk::{Key, below, run_at_end};
use super::sorted::{Position, SortedColumn};

/// Candidates that must wait until nothing nearer can come.
pub(super) type Held = BinaryHeap<Reverse<Ranked>>;

/// A search of the sorted column.
#[derive(Debug)]
pub(super) struct SortedCursor<'a> {
    scan: Outward<'a>,
    held: &'a mut Held,
    /// The last ceiling.
    ceiling: Option<Ceiling>,
}

impl<'a> SortedCursor<'a> {
    pub(super) fn new(column: &'a SortedColumn, query: Query<'a>, held: &'a mut Held) -> SortedCursor<'a> {
        held.clear();
        SortedCursor { scan: Outward::new(column, query), held, ceiling: None }
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
            let step = self.scan.next(&ALL)?;
            return Some(Found { item: self.scan.key(step).item, distance: self.lead_term(step.delta) });
        }
        while let Some(delta) = self.scan.delta() {
            if self.held.peek().is_some_and(|Reverse(nearest)| nearest.distance < self.lead_term(delta)) {
                break;
            }
            let Some(step) = self.scan.next(&ALL) else { break };
            let Key { seniority, item, .. } = self.scan.key(step);
            self.held.push(Reverse(Ranked { distance: self.distance(step), seniority, item }));
        }
        self.held.pop().map(|Reverse(ranked)| ranked.found())
    }

    fn next_under(&mut self, ceiling: &Ceiling, besides: impl Fn(u32) -> i64) -> Option<Found> {
        let column = self.scan.column;
        let weight = match column.lead {
            Some(lead) if !column.others_weigh => column.metric.weights[lead],
            _ => {
                // Points wait for others here: they are given in order and told apart then.
                return loop {
                    let found = self.next().filter(|found| !ceiling.ends_at(found.distance))?;
                    if ceiling.admits(found.distance, besides(found.item)) {
                        break Some(found);
                    }
                };
            }
        };
        if self.ceiling != Some(*ceiling) {
            self.ceiling = Some(*ceiling);
            let room = u128::try_from(ceiling.most - ceiling.floor).ok()?;
            let farthest = room / u128::from(weight.unsigned_abs());
            self.scan.reach = self.scan.reach.min(u64::try_from(farthest).unwrap_or(u64::MAX));
        }
        let passes = |delta: u64, item: u32| ceiling.admits(term(weight, delta), besides(item));
        // Both sides have a point at hand that may be of an earlier, higher ceiling.
        while let Some(step) = self.scan.next(&passes) {
            let item = self.scan.column.chunks[step.place.chunk].item(step.place.row);
            let distance = term(weight, step.delta);
            if ceiling.ends_at(distance) {
                return None;
            }
            if passes(step.delta, item) {
                return Some(Found { item, distance });
            }
        }
        None
    }
}

/// Lets every point pass.
const ALL: fn(u64, u32) -> bool = |_, _| true;

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
            scan.right = scan.step(Side::Right, start, scan.end(), &ALL);
            scan.left = scan.next_run(&ALL);
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

    /// The next point. Points that do not pass, by |delta| and item, are passed over; the two at hand are given as they
    /// are.
    fn next(&mut self, passes: &impl Fn(u64, u32) -> bool) -> Option<Step> {
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
            self.left = self
                .step(Side::Left, after(step.place), self.run_end, passes)
                .or_else(|| self.next_run(passes));
            return Some(step);
        }
        let step = self.right?;
        self.right = self.step(Side::Right, after(step.place), self.end(), passes);
        Some(step)
    }

    /// The first point within reach and admitted from `place` on and before `end` that passes.
    fn step(
        &mut self,
        side: Side,
        place: Position,
        end: Position,
        passes: &impl Fn(u64, u32) -> bool,
    ) -> Option<Step> {
        let place = self.first_admitted(side, self.column.normal(place), end, passes)?;
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

    /// Whether an admitted point passes, and whether it is within reach.
    fn tell(&mut self, place: Position, passes: &impl Fn(u64, u32) -> bool) -> (bool, bool) {
        let chunk = &self.column.chunks[place.chunk];
        let delta = chunk.coordinates()[place.row].abs_diff(self.centre);
        let is_near = delta <= self.reach;
        let is_next = is_near && passes(delta, chunk.item(place.row));
        self.looked += u64::from(is_near && !is_next);
        (is_next, is_near)
    }

    /// The first admitted point from `place` on that passes; may give up at `end` or out of reach.
    fn first_admitted(
        &mut self,
        side: Side,
        mut place: Position,
        end: Position,
        passes: &impl Fn(u64, u32) -> bool,
    ) -> Option<Position> {
        let column = self.column;
        while place < end {
            let is_young = self.is_young(place.chunk);
            if is_young {
                // Mostly the next point is admitted, and to look at one is quicker than to look at all.
                if self.admits(place) {
                    match self.tell(place, passes) {
                        (true, _) => return Some(place),
                        // From the centre on, or within one run, whoever comes behind is no nearer.
                        (_, false) => return None,
                        _ => {}
                    }
                }
                let mut rows = self.rows(side, place.chunk) & !below(place.row);
                if end.chunk == place.chunk {
                    rows &= below(end.row);
                }
                while rows != 0 {
                    let at = Position { row: rows.trailing_zeros() as usize, ..place };
                    rows &= rows - 1;
                    match self.tell(at, passes) {
                        (true, _) => return Some(at),
                        (_, false) => return None,
                        _ => {}
                    }
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
    fn next_run(&mut self, passes: &impl Fn(u64, u32) -> bool) -> Option<Step> {
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
            let last = Position { row: end.row - 1, ..end };
            if !self.admits(last) || !self.tell(last, passes).0 {
                let mut rows = self.rows(Side::Left, end.chunk) & below(end.row);
                while let Some(row) = rows.checked_ilog2() {
                    end.row = row as usize + 1;
                    match self.tell(Position { row: row as usize, ..end }, passes) {
                        (true, _) => break,
                        (_, false) => return None,
                        _ => rows &= !(1 << row),
                    }
                }
                if rows == 0 {
                    if self.centre.abs_diff(column.firsts[end.chunk]) > self.reach {
                        return None;
                    }
                    self.run_start = Position { chunk: end.chunk, row: 0 };
                    continue;
                }
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
            if let Some(step) = self.step(Side::Left, self.run_start, end, passes) {
                return Some(step);
            }
        }
    }
}

/// The row behind `place`, which may be the end of its chunk.
fn after(place: Position) -> Position {
    Position { row: place.row + 1, ..place }
}
