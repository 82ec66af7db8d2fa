//! Groups that exchange tickets also where it costs something at first: out of the best that plain exchanges reach.
//!
//! Called for orders that are small, between two rounds of exchanges. Threshold accepting (G. Dueck and T. Scheuer,
//! "Threshold accepting: a general purpose optimization algorithm appearing superior to simulated annealing", 1990): an
//! exchange of two tickets of one size that stand near in the order is made if the estimates of their groups rise by
//! less than a threshold, which falls to nothing over a fixed count of tries; once within what is legal, and once more
//! through groups whose region not all members reach, as with few regions in common there are few other ways. Whole
//! numbers only, and a fixed seed, so the outcome is the same everywhere. Invariant: groups hold as many players as
//! before and stay legal by the first difference and the region; the judge has the last word, and what it does not
//! let in, or not at a lower cost, is undone as a whole.

use super::groups::{FREE, Group, Groups, Table};

/// Tries for each ticket and group, of which so many count. Measured on 200 players, five against five over four regions
/// (`tests/least_cost/quality.rs`), total cost of three pools against annealing: 1.10 without, 1.08 with these.
const TRIES: u64 = 100;
const GROUPS_MAX: i64 = 16;
/// Tickets of the order within which two exchange.
const NEAR: u64 = 48;

/// What each player beyond a region's reach counts, in first thresholds. Chosen: dear, and not too dear to pass through.
const PENALTY: i64 = 2;

/// The memory of the search.
#[derive(Default)]
pub(super) struct Shake {
    own: Vec<u16>,
    theirs: Vec<u16>,
}

/// Bits that look random: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
struct Bits(u64);

impl Bits {
    /// A number below `end`.
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(bits ^ (bits >> 31)) * u128::from(end)) >> 64) as u64
    }
}

impl Shake {
    /// Exchanges tickets between groups, and with tickets that are left over. The first threshold is the
    /// mean estimate of a group divided by `hot`. `is_lax`: also into a region that not all
    /// reach, at a penalty. The judge has not seen what comes out; see [`Groups::judge_all`].
    pub(super) fn shake(&mut self, table: &mut Table<'_, '_>, groups: &mut Groups, hot: i64, is_lax: bool) {
        let tickets = groups.of.len() as u64;
        let count = groups.all().len() as i64;
        if count == 0 || tickets < 2 {
            return;
        }
        let hot = groups.all().iter().map(|group| group.estimate).sum::<i64>() / count / hot.max(1);
        let penalty = is_lax.then_some(PENALTY * hot);
        let tries = TRIES * tickets * count.min(GROUPS_MAX) as u64;
        let mut bits = Bits(tickets);
        for left in (1..=tries).rev() {
            // The square of what is left: most tries are spent on small thresholds.
            let part = (left << 16) / tries;
            let threshold = ((i128::from(hot) * i128::from(part * part)) >> 32) as i64;
            let a = bits.below(tickets);
            let from = a.saturating_sub(NEAR);
            let b = from + bits.below((a + NEAR + 1).min(tickets) - from);
            self.exchange(table, groups, (a as u16, b as u16), threshold, penalty);
        }
        table.steps += tries;
    }

    fn exchange(
        &mut self,
        table: &mut Table<'_, '_>,
        groups: &mut Groups,
        (a, b): (u16, u16),
        threshold: i64,
        penalty: Option<i64>,
    ) {
        let (of_a, of_b) = (groups.of[usize::from(a)], groups.of[usize::from(b)]);
        if of_a == of_b || table.size(a) != table.size(b) {
            return;
        }
        let (group_a, group_b) = (groups.get(of_a), groups.get(of_b));
        let old = group_a.map_or(0, |group| group.estimate) + group_b.map_or(0, |group| group.estimate);
        let new = |group: Option<&Group>, leaving: u16, coming: u16| match (group, penalty) {
            (None, _) => Some(0),
            (Some(group), None) => group.bound(table, leaving, coming),
            (Some(group), Some(penalty)) => Some(group.lax(table, leaving, coming, penalty)),
        };
        let (Some(new_a), Some(new_b)) = (new(group_a, a, b), new(group_b, b, a)) else { return };
        if new_a + new_b >= old + threshold {
            return;
        }
        self.own.clear();
        self.theirs.clear();
        if let Some(group) = group_a {
            group.exchanged(a, b, &mut self.own);
        }
        if let Some(group) = group_b {
            group.exchanged(b, a, &mut self.theirs);
        }
        if !table.windows_hold(&self.own) || !table.windows_hold(&self.theirs) {
            return;
        }
        let estimates = (new_a, new_b);
        if of_a != FREE
            && let Some(group) = groups.get_mut(of_a)
        {
            let cost = group.cost;
            group.set(table, &self.own, estimates.0, cost);
        }
        if of_b != FREE
            && let Some(group) = groups.get_mut(of_b)
        {
            let cost = group.cost;
            group.set(table, &self.theirs, estimates.1, cost);
        }
        groups.of.swap(usize::from(a), usize::from(b));
    }
}
