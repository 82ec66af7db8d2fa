//! The tickets of a shard as one sequence: nearest first, of both indexes or of the few.
//!
//! Made by the shard, pulled from by searches. Invariant: candidates come by (distance, seniority, row), whatever holds
//! them; an anchor that lacks a value is equally near to all.

use super::Reach;
use super::few::FewCursor;
use super::supply::Supply;
use crate::index::{Brought, Candidates, Ceiling, Cursor, Found};
use crate::model::ids::Seniority;
use crate::rules::compile::NO_VALUE;
use crate::store::tickets::Tickets;

/// A first look for bringers goes so many times less far than the anchor reaches: chosen.
const FIRST_LOOK: i64 = 16;
/// Bringers that are looked at for one need, for each that is wanted and besides: chosen, as a flood of equal ones has no
/// nearest.
const LOOKS_TIMES: usize = 16;
const LOOKS_LEAST: usize = 256;

/// The tickets of a shard as one sequence.
pub struct ShardCandidates<'a> {
    pub(super) walk: Walk<'a>,
    pub(super) tickets: &'a Tickets,
    pub(super) has_distances: bool,
    pub(super) supplies: &'a [Supply],
    /// The dimension by which bringers are near, and the slot of its values.
    pub(super) lead: Option<(usize, usize)>,
    pub(super) younger_than: Option<Seniority>,
    pub(super) reach: &'a Reach,
    pub(super) sharing: Option<u64>,
}

/// What is gone through.
#[allow(clippy::large_enum_variant, reason = "a search under way stands on the stack, and most have indexes")]
pub(super) enum Walk<'a> {
    Few(FewCursor),
    Many { near: Cursor<'a>, loose: Cursor<'a>, next_near: Option<Found>, next_loose: Option<Found> },
}

impl ShardCandidates<'_> {
    /// Whether equal distances come by seniority; not so for an anchor that lacks a value.
    pub fn are_in_order(&self) -> bool {
        self.has_distances
    }
}

impl Candidates for ShardCandidates<'_> {
    fn next(&mut self) -> Option<Found> {
        let at_hand = |found: Option<Found>| {
            found.map(|found| if self.has_distances { found } else { Found { distance: 0, ..found } })
        };
        let (near, loose, next_near, next_loose) = match &mut self.walk {
            Walk::Few(few) => return at_hand(few.next()),
            Walk::Many { near, loose, next_near, next_loose } => (near, loose, next_near, next_loose),
        };
        if next_near.is_none() && next_loose.is_none() {
            // Under a ceiling none is held at hand.
            return near.next().filter(|_| self.has_distances);
        }
        let loose_first = match (*next_near, *next_loose) {
            (Some(near), Some(loose)) => {
                let order = |found: Found| (found.distance, self.tickets.seniority(found.item));
                order(loose) < order(near)
            }
            (None, _) => true,
            (Some(_), None) => false,
        };
        if loose_first {
            let next = loose.next();
            return std::mem::replace(next_loose, next);
        }
        let next = near.next();
        at_hand(std::mem::replace(next_near, next))
    }

    fn bringers(
        &self,
        need: usize,
        most: usize,
        gone: &dyn Fn(u32) -> bool,
        into: &mut Vec<u32>,
    ) -> Option<Brought> {
        let supply = self.supplies.get(need)?;
        let (dimension, slot) = self.lead.filter(|_| self.has_distances)?;
        let (own, reach) = (self.reach.centre[dimension], self.reach.allowed[dimension]);
        let distance = |row: u32| match self.tickets.number(slot, row) {
            NO_VALUE => 0,
            value => value.abs_diff(own),
        };
        let (from, mut looks) = (into.len(), LOOKS_TIMES * most + LOOKS_LEAST);
        // Looks go ever farther, and at so many bringers at most: a crowd of them costs no more than a few.
        let mut look = reach / FIRST_LOOK;
        loop {
            into.truncate(from);
            supply.visit(own.saturating_sub(look), own.saturating_add(look), |row, seniority, mask| {
                let is_young = self.younger_than.is_none_or(|oldest| seniority > oldest);
                let is_there = self.sharing.is_none_or(|wanted| wanted & mask != 0);
                if is_young && is_there && distance(row) <= look.unsigned_abs() && !gone(row) {
                    into.push(row);
                }
                looks = looks.saturating_sub(1);
                looks > 0
            });
            if look >= reach || into.len() - from >= most || looks == 0 {
                break;
            }
            look = look.saturating_mul(2).clamp(1, reach);
        }
        let is_all = looks > 0 && look >= reach && into.len() - from <= most;
        if into.len() - from > most {
            into[from..].sort_unstable_by_key(|&row| (distance(row), self.tickets.seniority(row), row));
            into.truncate(from + most);
        }
        Some(Brought { slot: supply.slot(), is_all })
    }

    fn next_under(&mut self, ceiling: &Ceiling, besides: impl Fn(u32) -> i64) -> Option<Found> {
        loop {
            let found = match &mut self.walk {
                Walk::Many { near, next_near, next_loose: None, .. } if self.has_distances => {
                    match next_near.take() {
                        None => return near.next_under(ceiling, besides),
                        Some(found) => found,
                    }
                }
                _ => self.next()?,
            };
            if ceiling.ends_at(found.distance) {
                return None;
            }
            if ceiling.admits(found.distance, besides(found.item)) {
                return Some(found);
            }
        }
    }
}
