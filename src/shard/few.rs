//! The tickets of a shard while they are so few that an index would only cost memory.
//!
//! Used by [`Shard`](super::Shard). Most shards of a queue that is parted by free text (lobby codes, odd modes) hold one
//! ticket: here it takes 40 bytes, where a chunk of an index, its directory and the least pings take over 3,000. A search
//! ranks all of them. Invariant: ascending by (leading value, seniority, row); at most [`FEW_MAX`].

use super::{Geometry, Reach};
use crate::index::Found;
use crate::model::ids::Seniority;
use crate::rules::compile::NO_VALUE;
use crate::store::tickets::Tickets;

/// Tickets that a shard holds without an index: chosen, so that to rank them takes no longer than to look into one.
pub(super) const FEW_MAX: usize = 8;

/// One ticket.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    /// Where it stands in the order of the leading dimension; `NO_VALUE`: it lacks a value.
    pub(super) lead: i64,
    pub(super) seniority: Seniority,
    /// The regions that it stands here for.
    pub(super) regions: u64,
    pub(super) row: u32,
}

impl Member {
    fn key(&self) -> (i64, Seniority, u32) {
        (self.lead, self.seniority, self.row)
    }
}

/// At most [`FEW_MAX`] tickets.
#[derive(Debug, Default)]
pub(super) struct Few(Vec<Member>);

impl Few {
    pub(super) fn members(&self) -> &[Member] {
        &self.0
    }

    pub(super) fn is_full(&self) -> bool {
        self.0.len() == FEW_MAX
    }

    /// Takes a ticket in. Memory for one comes first, as most shards have no other.
    pub(super) fn insert(&mut self, member: Member) {
        if self.0.len() == self.0.capacity() {
            self.0.reserve_exact(self.0.len().max(1));
        }
        let at = self.0.partition_point(|other| other.key() < member.key());
        self.0.insert(at, member);
    }

    /// Takes a ticket out; `false`: it is no member.
    pub(super) fn remove(&mut self, row: u32) -> bool {
        let at = self.0.iter().position(|member| member.row == row);
        at.map(|at| self.0.remove(at)).is_some()
    }

    /// Takes out those whose rows are set in `gone`, bit by bit.
    pub(super) fn remove_all(&mut self, gone: &[u64]) {
        self.0.retain(|member| gone[member.row as usize / 64] >> (member.row % 64) & 1 == 0);
    }

    /// Calls `visit(row, seniority)` for those whose leading value lies within `low..=high`, then for those without one.
    pub(super) fn visit_within(&self, low: i64, high: i64, mut visit: impl FnMut(u32, Seniority)) {
        let (without, with) = self.0.split_at(self.0.partition_point(|member| member.lead == NO_VALUE));
        let within = with.iter().filter(|member| (low..=high).contains(&member.lead));
        within.chain(without).for_each(|member| visit(member.row, member.seniority));
    }

    /// The nearest leading values below `low` and above `high`.
    pub(super) fn beyond(&self, low: i64, high: i64) -> [Option<i64>; 2] {
        let values = || self.0.iter().map(|member| member.lead).filter(|&lead| lead != NO_VALUE);
        [values().rev().find(|&value| value < low), values().find(|&value| value > high)]
    }

    /// Those that a search admits, nearest first.
    pub(super) fn ranked(&self, geometry: &Geometry, tickets: &Tickets, query: &FewQuery<'_>) -> FewCursor {
        let mut cursor = FewCursor::default();
        for member in &self.0 {
            if let Some(distance) = query.distance(geometry, tickets, member) {
                cursor.ranked[cursor.end] = (distance, member.seniority, member.row);
                cursor.end += 1;
            }
        }
        cursor.ranked[..cursor.end].sort_unstable();
        cursor
    }
}

/// What a search asks of the tickets.
pub(super) struct FewQuery<'a> {
    pub(super) reach: &'a Reach,
    pub(super) younger_than: Option<Seniority>,
    pub(super) sharing: Option<u64>,
}

impl FewQuery<'_> {
    /// How far a ticket is; `None`: it is not admitted.
    fn distance(&self, geometry: &Geometry, tickets: &Tickets, member: &Member) -> Option<u128> {
        let is_young = self.younger_than.is_none_or(|oldest| member.seniority > oldest);
        if !is_young || self.sharing.is_some_and(|wanted| member.regions & wanted == 0) {
            return None;
        }
        if member.lead == NO_VALUE {
            return Some(0);
        }
        let point = geometry.point(tickets, member.row)?;
        let mut sum = 0;
        for (dimension, &weight) in geometry.weights.iter().enumerate() {
            let delta = self.reach.centre[dimension].abs_diff(point[dimension]);
            if u64::try_from(self.reach.allowed[dimension]).is_ok_and(|reach| delta <= reach) {
                sum += u128::from(weight.unsigned_abs()) * u128::from(delta);
            } else {
                return None;
            }
        }
        Some(sum)
    }
}

/// Tickets by (distance, seniority, row).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FewCursor {
    ranked: [(u128, Seniority, u32); FEW_MAX],
    next: usize,
    end: usize,
}

impl FewCursor {
    pub(super) fn next(&mut self) -> Option<Found> {
        let &(distance, _, item) = self.ranked[..self.end].get(self.next)?;
        self.next += 1;
        Some(Found { item, distance })
    }
}
