//! Groups of tickets that are to become matches of more than two, and what they come to as far as differences and
//! regions tell.
//!
//! Shared by `blocks`, which makes groups, and `exchange`, which changes them. A group's *estimate* leaves out what
//! only the judge knows: preferences that are broken, and every rule but the first difference and the region. Invariant:
//! a group that was let in is legal by all rules, and its cost is that of the judge; no ticket is in two.

use super::judged::{judge, sizes_fit};
use super::plain::Binding;
use super::spots::Spots;
use crate::assemble::scene::Ground;
use crate::assemble::states::States;
use crate::assemble::teams::Splitter;

/// Stands for "in no group".
pub(super) const FREE: u32 = u32::MAX;

/// What a player adds to a sum of pings in a region that he cannot be matched in: above any sum of pings.
const FAR_BITS: u32 = 40;
pub(super) const FAR: i64 = 1 << FAR_BITS;

/// A group.
#[derive(Clone, Default, Debug)]
pub(super) struct Group {
    /// Places in the order, ascending.
    pub(super) members: Vec<u16>,
    pub(super) players: u32,
    /// By the judge, in the unit of the spots.
    pub(super) cost: i64,
    /// By differences and regions, in the same unit.
    pub(super) estimate: i64,
    /// The two least and the two greatest places of its members, scaled to cost.
    lows: [u32; 2],
    highs: [u32; 2],
    /// Pings times players in every region; `FAR` for each player who cannot be matched there.
    sums: Vec<i64>,
}

impl Group {
    /// Takes other members, with what they come to.
    pub(super) fn set(&mut self, table: &Table<'_, '_>, members: &[u16], estimate: i64, cost: i64) {
        self.members.clear();
        self.members.extend_from_slice(members);
        (self.estimate, self.cost) = (estimate, cost);
        (self.lows, self.highs) = ([u32::MAX; 2], [0; 2]);
        self.sums.clear();
        self.sums.resize(table.spots.width(), 0);
        for &at in members {
            let place = table.spots.all[usize::from(at)].place;
            self.lows = [self.lows[0].min(place), self.lows[1].min(place.max(self.lows[0]))];
            self.highs = [self.highs[0].max(place), self.highs[1].max(place.min(self.highs[0]))];
            for (sum, ping) in self.sums.iter_mut().zip(table.weighed_pings(at)) {
                *sum += ping;
            }
        }
    }

    /// Writes the members with one in another's place, ascending.
    pub(super) fn exchanged(&self, leaving: u16, coming: u16, into: &mut Vec<u16>) {
        into.clear();
        into.extend(self.members.iter().map(|&at| if at == leaving { coming } else { at }));
        into.sort_unstable();
    }

    /// What the group comes to by the first difference and the region, windows apart, with one member in another's place,
    /// of the same size, where each player beyond the region's reach counts a `penalty`.
    pub(super) fn lax(&self, table: &Table<'_, '_>, leaving: u16, coming: u16, penalty: i64) -> i64 {
        let (gap, players) = (self.gap(table, leaving, coming), i64::from(self.players.max(1)));
        let worth = |sum: i64| 2 * (sum & (FAR - 1)) / players + (sum >> FAR_BITS) * penalty;
        gap + self.sums_with(table, leaving, coming).map(worth).min().unwrap_or(0)
    }

    fn gap(&self, table: &Table<'_, '_>, leaving: u16, coming: u16) -> i64 {
        let place = |at: u16| table.spots.all[usize::from(at)].place;
        let without = |ends: [u32; 2]| if ends[0] == place(leaving) { ends[1] } else { ends[0] };
        let (low, high) = (without(self.lows).min(place(coming)), without(self.highs).max(place(coming)));
        i64::from(high.saturating_sub(low))
    }

    fn sums_with<'t>(
        &'t self,
        table: &'t Table<'_, '_>,
        leaving: u16,
        coming: u16,
    ) -> impl Iterator<Item = i64> + 't {
        let pings = table.weighed_pings(leaving).iter().zip(table.weighed_pings(coming));
        self.sums.iter().zip(pings).map(|(sum, (leaving, coming))| sum - leaving + coming)
    }

    /// A bound from below of the estimate with one member in another's place, of the same size; `None`: no region.
    pub(super) fn bound(&self, table: &Table<'_, '_>, leaving: u16, coming: u16) -> Option<i64> {
        let ping = self.sums_with(table, leaving, coming).min().unwrap_or(0);
        (ping < FAR).then(|| self.gap(table, leaving, coming) + 2 * ping / i64::from(self.players.max(1)))
    }
}

/// What the search for groups reads and asks.
pub(super) struct Table<'a, 'g> {
    pub(super) spots: &'a Spots,
    pub(super) ground: &'a Ground<'g>,
    pub(super) states: &'a mut States,
    pub(super) splitter: &'a mut Splitter,
    /// Sets that were judged.
    pub(super) steps: u64,
    rows: Vec<u32>,
}

/// All groups of a cut.
#[derive(Default)]
pub(super) struct Groups {
    /// Those that are in use come first.
    all: Vec<Group>,
    used: usize,
    /// The group of each ticket.
    pub(super) of: Vec<u32>,
}

impl Groups {
    /// No groups of so many tickets.
    pub(super) fn reset(&mut self, tickets: usize) {
        self.used = 0;
        self.of.clear();
        self.of.resize(tickets, FREE);
    }

    /// Has the judge look at every group again; `false`: one is not legal.
    pub(super) fn judge_all(&mut self, table: &mut Table<'_, '_>) -> bool {
        self.all[..self.used].iter_mut().all(|group| {
            let (Some(estimate), Some((_, cost))) =
                (table.estimate(&group.members), table.judge(&group.members))
            else {
                return false;
            };
            (group.estimate, group.cost) = (estimate, cost);
            true
        })
    }

    /// Becomes a copy of other groups.
    pub(super) fn copy(&mut self, table: &Table<'_, '_>, other: &Groups) {
        self.reset(other.of.len());
        self.of.copy_from_slice(&other.of);
        self.all.resize_with(self.all.len().max(other.used), Group::default);
        self.used = other.used;
        for (group, of) in self.all.iter_mut().zip(other.all()) {
            group.players = of.players;
            group.set(table, &of.members, of.estimate, of.cost);
        }
    }

    /// Whether these groups are worth more than others: more players, or as many at a lower cost.
    pub(super) fn beat(&self, others: &Groups) -> bool {
        let (one, other) = (self.worth(), others.worth());
        (std::cmp::Reverse(one.0), one.1) < (std::cmp::Reverse(other.0), other.1)
    }

    /// All groups.
    pub(super) fn all(&self) -> &[Group] {
        &self.all[..self.used]
    }

    /// One group; `None`: of a ticket that is in none.
    pub(super) fn get(&self, group: u32) -> Option<&Group> {
        self.all().get(group as usize)
    }

    /// One group, to change.
    pub(super) fn get_mut(&mut self, group: u32) -> Option<&mut Group> {
        self.all[..self.used].get_mut(group as usize)
    }

    /// Players in groups, and their total cost.
    fn worth(&self) -> (u32, i64) {
        (self.all().iter().map(|group| group.players).sum(), self.all().iter().map(|group| group.cost).sum())
    }

    /// Makes a group of free tickets if the judge lets it.
    pub(super) fn let_in(&mut self, table: &mut Table<'_, '_>, members: &[u16]) -> bool {
        let Some(estimate) = table.estimate(members) else { return false };
        let Some((players, cost)) = table.judge(members) else { return false };
        for &at in members {
            debug_assert_eq!(self.of[usize::from(at)], FREE);
            self.of[usize::from(at)] = self.used as u32;
        }
        if self.used == self.all.len() {
            self.all.push(Group::default());
        }
        let group = &mut self.all[self.used];
        group.players = players;
        group.set(table, members, estimate, cost);
        self.used += 1;
        true
    }
}

impl<'a, 'g> Table<'a, 'g> {
    pub(super) fn new(
        spots: &'a Spots,
        ground: &'a Ground<'g>,
        states: &'a mut States,
        splitter: &'a mut Splitter,
    ) -> Table<'a, 'g> {
        for spot in &spots.all {
            states.ensure(ground.queue, ground.tickets, spot.row);
        }
        Table { spots, ground, states, splitter, steps: 0, rows: Vec::new() }
    }

    /// The scaled pings of a ticket times its players; `FAR` for each player who cannot be matched in a region.
    fn weighed_pings(&self, at: u16) -> &[i64] {
        self.spots.weighed_pings_of(usize::from(at))
    }

    /// Players of a ticket.
    pub(super) fn size(&self, at: u16) -> u32 {
        u32::from(self.spots.all[usize::from(at)].size)
    }

    /// The judge's players and cost of a set; `None`: it is not legal.
    pub(super) fn judge(&mut self, members: &[u16]) -> Option<(u32, i64)> {
        let tickets = self.ground.tickets;
        self.steps += members.len() as u64;
        self.rows.clear();
        self.rows.extend(members.iter().map(|&at| self.spots.all[usize::from(at)].row));
        self.rows.sort_unstable_by_key(|&row| tickets.seniority(row));
        let scene = self.ground.scene(self.states);
        let players = self.rows.iter().map(|&row| tickets.size(row)).sum();
        if !sizes_fit(&scene, *self.rows.first()?, members.len(), players) {
            return None;
        }
        let judged = judge(&scene, self.splitter, &self.rows)?;
        Some((players, self.spots.scaled(judged.match_cost())))
    }

    /// Whether all members of a set are within one another's windows of the first difference.
    pub(super) fn windows_hold(&self, members: &[u16]) -> bool {
        if self.spots.binding() != Some(Binding::Narrower) {
            return true;
        }
        let spots = || members.iter().map(|&at| &self.spots.all[usize::from(at)]);
        let (low, high) = (spots().map(|spot| spot.value).min(), spots().map(|spot| spot.value).max());
        let (Some(low), Some(high)) = (low, high) else { return true };
        spots().all(|spot| {
            low >= spot.value.saturating_sub(spot.reach) && high <= spot.value.saturating_add(spot.reach)
        })
    }

    /// What a set comes to by the first difference and the region; `None`: these do not let it stand.
    pub(super) fn estimate(&self, members: &[u16]) -> Option<i64> {
        let spots = self.spots;
        let (mut low, mut high, mut mask, mut players) = (u32::MAX, 0, u64::MAX, 0);
        for &at in members {
            let spot = &spots.all[usize::from(at)];
            (low, high) = (low.min(spot.place), high.max(spot.place));
            mask &= spot.mask;
            players += self.size(at);
        }
        if mask == 0 || !self.windows_hold(members) {
            return None;
        }
        let gap = i64::from(high.saturating_sub(low));
        Some(gap + self.ping(members, mask, players))
    }

    /// Twice the mean ping in the best of the regions of `mask`.
    fn ping(&self, members: &[u16], mask: u64, players: u32) -> i64 {
        let ping = |at: u16, region: usize| {
            i64::from(self.spots.pings_of(usize::from(at))[region]) * i64::from(self.size(at))
        };
        let regions = (0..self.spots.width()).filter(|region| mask >> region & 1 == 1);
        let sums = regions.map(|region| members.iter().map(|&at| ping(at, region)).sum::<i64>());
        2 * sums.min().unwrap_or(0) / i64::from(players.max(1))
    }
}
