//! Groups that exchange tickets: the local repair of team games and free-for-alls.
//!
//! For each group and each of its tickets: the tickets of the same size that stand near in the order, of other groups
//! or left over, are tried in its place. An exchange is made if the estimate of both groups falls and the judge's cost
//! does too, so no exchange makes the whole worse (2-opt: G. A. Croes, 1958, carried over to groups). Invariant: groups
//! stay legal, and their players stay as many.
//!
//! Measured (callgrind of `evenmatch bench squads --full --selection least_cost`, 4 ticks of 10,000, AVX2, same output),
//! instructions a ticket: 9,930 in a tick of 23,150 while bounds weighed pings by players each time and asked the tickets for
//! their sizes, 6,350 in one of 19,430 with both laid out before.

use super::groups::{Groups, Table};

/// The memory of the search.
#[derive(Default)]
pub(super) struct Exchange {
    own: Vec<u16>,
    theirs: Vec<u16>,
}

/// How far an exchange goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// Rounds over all groups, at most.
    pub(super) rounds: u32,
    /// Tickets beyond a group's ends that are tried.
    pub(super) beyond: usize,
    /// Exchanges that are judged in one round for each group, at most.
    pub(super) judged: u32,
}

impl Exchange {
    /// Lets groups exchange tickets until none is better off, or as far as the effort goes.
    pub(super) fn improve(&mut self, table: &mut Table<'_, '_>, groups: &mut Groups, effort: Effort) {
        for _ in 0..effort.rounds {
            let mut has_changed = false;
            for group in 0..groups.all().len() as u32 {
                let mut judged = effort.judged;
                let mut slot = 0;
                while slot < groups.get(group).map_or(0, |group| group.members.len()) {
                    let has_found = self.replace(table, groups, group, slot, effort.beyond, &mut judged);
                    has_changed |= has_found;
                    // Members are in order, so another stands in this place now.
                    slot += usize::from(!has_found || judged == 0);
                }
            }
            if !has_changed {
                return;
            }
        }
    }

    /// Puts the best ticket that is better than the one in `slot` in its place.
    fn replace(
        &mut self,
        table: &mut Table<'_, '_>,
        groups: &mut Groups,
        group: u32,
        slot: usize,
        beyond: usize,
        judged: &mut u32,
    ) -> bool {
        let Some(own_group) = groups.get(group) else { return false };
        let (Some(&first), Some(&last)) = (own_group.members.first(), own_group.members.last()) else {
            return false;
        };
        let from = usize::from(first).saturating_sub(beyond);
        let to = table.spots.all.len().min(usize::from(last) + beyond + 1);
        let leaving = own_group.members[slot];
        let size = table.size(leaving);
        for at in from..to {
            if *judged == 0 {
                return false;
            }
            let (other, coming) = (groups.of[at], at as u16);
            let Some(own_group) = groups.get(group).filter(|_| other != group && table.size(coming) == size)
            else {
                continue;
            };
            let their_group = groups.get(other);
            let old = own_group.estimate + their_group.map_or(0, |group| group.estimate);
            let old_cost = own_group.cost + their_group.map_or(0, |group| group.cost);
            let Some(bound) = own_group.bound(table, leaving, coming) else { continue };
            let their_bound = their_group.map_or(Some(0), |group| group.bound(table, coming, leaving));
            if their_bound.is_none_or(|their_bound| bound + their_bound >= old) {
                continue;
            }
            own_group.exchanged(leaving, coming, &mut self.own);
            let Some(own) = table.estimate(&self.own) else { continue };
            let mut theirs = 0;
            if let Some(their_group) = their_group {
                their_group.exchanged(coming, leaving, &mut self.theirs);
                let Some(estimate) = table.estimate(&self.theirs) else { continue };
                theirs = estimate;
            }
            if own + theirs >= old {
                continue;
            }
            *judged -= 1;
            let Some((_, own_cost)) = table.judge(&self.own) else { continue };
            let mut their_cost = 0;
            if their_group.is_some() {
                let Some((_, cost)) = table.judge(&self.theirs) else { continue };
                their_cost = cost;
            }
            if own_cost + their_cost >= old_cost {
                continue;
            }
            if let Some(group) = groups.get_mut(group) {
                group.set(table, &self.own, own, own_cost);
            }
            if let Some(group) = groups.get_mut(other) {
                group.set(table, &self.theirs, theirs, their_cost);
            }
            groups.of[at] = group;
            groups.of[usize::from(leaving)] = other;
            return true;
        }
        false
    }
}
