//! The cursor over candidates: nearest first, and always able to give more.
//!
//! The assembler pulls from it, one candidate at a time, until it has a match or gives up; every index makes one.
//! Invariant: the candidates of a query come in ascending order of (distance, seniority, item) with the exact
//! integer distance of [`Metric`], so every kind of index gives the same sequence for the same members.

use crate::model::ids::Seniority;
use crate::simd::Age;

/// A candidate that a cursor came to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Found {
    /// The row number under which the point was inserted.
    pub item: u32,
    /// The sum over the dimensions of weight x |delta|, in units of 10^-12 of the dimension's own.
    pub distance: u128,
}

/// What is searched for: the points in a box around a centre.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// Where to search from; one coordinate for each dimension of the index, in units of 10^-6.
    pub centre: &'a [i64],
    /// The greatest |delta| allowed in each dimension, inclusive; `i64::MAX` for no limit, negative for nothing.
    pub reach: &'a [i64],
    /// If given, only points of a strictly younger (greater) seniority are candidates.
    pub younger_than: Option<Seniority>,
    /// If given, only points whose mask shares a bit with it are candidates; an index without masks passes all.
    pub sharing: Option<u64>,
}

impl Query<'_> {
    /// Whether a point of `seniority` is young enough.
    pub(super) fn admits(&self, seniority: Seniority) -> bool {
        self.younger_than.is_none_or(|oldest| seniority > oldest)
    }

    /// Whether a point's mask shares a bit with the wanted one.
    pub(super) fn shares(&self, mask: u64) -> bool {
        self.sharing.is_none_or(|wanted| mask & wanted != 0)
    }

    /// The least and the greatest coordinate within reach in a dimension; `None`: any.
    pub(super) fn bounds(&self, dimension: usize) -> Option<(i64, i64)> {
        let (centre, reach) = (self.centre[dimension], self.reach[dimension]);
        (reach < i64::MAX).then(|| (centre.saturating_sub(reach), centre.saturating_add(reach)))
    }

    /// Whether no point at all can be a candidate.
    pub(super) fn is_empty(&self, youngest: Seniority) -> bool {
        !self.admits(youngest) || self.sharing == Some(0) || self.reach.iter().any(|&reach| reach < 0)
    }
}

/// A search that is under way.
pub trait Candidates {
    /// The next nearest candidate, by (distance, seniority, item); `None` once all were given.
    fn next(&mut self) -> Option<Found>;

    /// What a candidate costs at least besides its distance, as far as whoever made the cursor knows, in the caller's own
    /// units; 0: nothing is known.
    fn besides(&self, _item: u32) -> i64 {
        0
    }

    /// Adds to a list the nearest candidates, at most so many, who bring some of what every match needs, by the number of
    /// the need, without those who are gone; `None`: nothing is known, or no such need is.
    fn bringers(
        &self,
        _need: usize,
        _most: usize,
        _gone: &dyn Fn(u32) -> bool,
        _into: &mut Vec<u32>,
    ) -> Option<Brought> {
        None
    }

    /// Hears which of the bringers the search goes by.
    fn looked_at(&mut self, _items: &[u32]) {}

    /// The next candidate that could cost no more than `ceiling` allows, `besides` telling what the candidate costs
    /// besides its distance; others are passed over for good. `None` once no later one could either. From call to call
    /// of one search a ceiling may only fall. Who is given depends on the candidates and the ceiling alone.
    fn next_under(&mut self, ceiling: &Ceiling, besides: impl Fn(u32) -> i64) -> Option<Found> {
        loop {
            let found = self.next().filter(|found| !ceiling.ends_at(found.distance))?;
            if ceiling.admits(found.distance, besides(found.item)) {
                return Some(found);
            }
        }
    }
}

/// What was added to a list of bringers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Brought {
    /// The slot of the number of which a match needs a sum; `None`: it needs those who bring nothing.
    pub slot: Option<usize>,
    /// There are no more.
    pub is_all: bool,
}

/// What a candidate may cost at most, and how its cost is told from below; costs are in the units of distances.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ceiling {
    /// The most, inclusive.
    pub most: i128,
    /// What every candidate costs besides its distance, at least.
    pub floor: i128,
    /// What a unit of [`Candidates::besides`] costs, from 0 on.
    pub weight: i64,
}

impl Ceiling {
    /// Whether a candidate at that distance costs too much, whoever it is, and so does every farther one.
    #[inline]
    pub fn ends_at(&self, distance: u128) -> bool {
        distance as i128 + self.floor > self.most
    }

    /// Whether a candidate that costs so much besides its distance could cost little enough.
    #[inline]
    pub fn admits(&self, distance: u128, besides: i64) -> bool {
        distance as i128 + i128::from(self.weight) * i128::from(besides) <= self.most
    }
}

/// An age as the kernels read it.
pub(super) fn age(seniority: Seniority) -> Age {
    Age { enqueued: seniority.enqueued.0, submit_number: seniority.submit_number }
}

/// How far apart two points are: the Manhattan distance over weighted coordinates, in integers.
///
/// Coordinates lie within +-10^15 and weights within 0..=10^15, so a term is at most 2 x 10^30 and a sum over
/// all dimensions a queue may have fits `u128` by far.
#[derive(Clone, Debug)]
pub(super) struct Metric {
    pub(super) weights: Box<[i64]>,
}

impl Metric {
    pub(super) fn new(weights: &[i64]) -> Metric {
        debug_assert!(weights.iter().all(|w| (0..=1_000_000_000_000_000).contains(w)));
        Metric { weights: weights.into() }
    }

    pub(super) fn dimensions(&self) -> usize {
        self.weights.len()
    }

    /// The distance from the centre of `query` to `point`, or `None` if the point is out of reach.
    pub(super) fn distance(&self, query: &Query<'_>, point: &[i64]) -> Option<u128> {
        debug_assert!(query.centre.len() == point.len() && query.reach.len() == point.len());
        let mut sum = 0;
        for (dimension, &weight) in self.weights.iter().enumerate() {
            let delta = query.centre[dimension].abs_diff(point[dimension]);
            if !reaches(query.reach[dimension], delta) {
                return None;
            }
            sum += term(weight, delta);
        }
        Some(sum)
    }

    /// The same for a point that is known to be within reach.
    #[cfg(feature = "kdtree")]
    pub(super) fn distance_within(&self, query: &Query<'_>, point: impl Iterator<Item = i64>) -> u128 {
        let terms = self.weights.iter().zip(query.centre).zip(point);
        terms.map(|((&weight, centre), coord)| term(weight, centre.abs_diff(coord))).sum()
    }
}

/// Whether `delta` is within `reach`, where a negative reach holds nothing.
pub(super) fn reaches(reach: i64, delta: u64) -> bool {
    u64::try_from(reach).is_ok_and(|reach| delta <= reach)
}

/// What one dimension adds to a distance.
pub(super) fn term(weight: i64, delta: u64) -> u128 {
    u128::from(weight.unsigned_abs()) * u128::from(delta)
}

/// A candidate in the order in which cursors give them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Ranked {
    pub(super) distance: u128,
    pub(super) seniority: Seniority,
    pub(super) item: u32,
}

impl Ranked {
    pub(super) fn found(self) -> Found {
        Found { item: self.item, distance: self.distance }
    }
}
