//! The best split into two teams of fixed sizes, found over all choices at once.
//!
//! The short cut of `teams` for the common case: up to twelve tickets, two teams whose sizes cannot vary, and no rule
//! about teams but how far their averages are apart, over the values by which splits are told apart. Then cost grows
//! with the gap of the averages and nothing else, so the best split is the choice of tickets whose sum comes nearest
//! to the second team's share: a kernel of `simd`. Invariant: what it answers is what the search of `teams` would.
//!
//! For five against five the kernel takes 163 to 382 ns (`simd`), where branch and bound goes through up to 126 leaves.

use super::split::{TeamRule, Ticket};
use crate::rules::compile::CompiledQueue;
use crate::simd::{NoSplit, SPLIT_MAX};

/// What the short cut came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Halves {
    /// It does not apply: search.
    Unfit,
    /// The sizes of the tickets cannot make these teams.
    None,
    /// A bit for each ticket of the second team, the first ticket being the highest bit. Whether its gap is legal is
    /// still to be judged; if it is not, no split is.
    Best(u32),
}

/// Finds the best split of `tickets`, which are in the order of submit numbers. `amount`: what a ticket adds to its
/// team's sum under a rule, by their indexes.
pub(super) fn best(
    queue: &CompiledQueue,
    tickets: &[Ticket],
    rules: &[TeamRule],
    amount: impl Fn(usize, usize) -> i64,
) -> Halves {
    let [first, second] = queue.shape.positions.as_slice() else { return Halves::Unfit };
    let is_fixed = [first, second].iter().all(|team| team.min == team.max && team.min > 0)
        && queue.shape.groups.iter().all(|group| !group.varies);
    if !is_fixed || tickets.len() > SPLIT_MAX {
        return Halves::Unfit;
    }
    let has_values = tickets.iter().any(|ticket| ticket.balance_count != 0);
    let is_whole = |ticket: &Ticket| !has_values || ticket.balance_count == i64::from(ticket.size);
    let goes_by_gap = |(index, rule): (usize, &TeamRule)| match *rule {
        TeamRule::Difference { .. } => {
            tickets.iter().enumerate().all(|(at, ticket)| amount(index, at) == ticket.balance_sum)
        }
        // Equal sizes are never apart; no window is below 0.
        TeamRule::Size { .. } => first.min == second.min,
        TeamRule::Total { .. } | TeamRule::Premade { .. } => false,
    };
    if !tickets.iter().all(is_whole) || !rules.iter().enumerate().all(goes_by_gap) {
        return Halves::Unfit;
    }
    // Averages over k and l players differ by |sum x (k + l) - all x l| / (k x l), sum being that of the second team.
    let (all, share) = (i64::from(first.min + second.min), i64::from(second.min));
    let mut parts = [(0, 0); SPLIT_MAX];
    let mut target = Some(0_i64);
    for (part, ticket) in parts.iter_mut().zip(tickets) {
        let Some(value) = ticket.balance_sum.checked_mul(all) else { return Halves::Unfit };
        *part = (value, ticket.size);
        let owed = ticket.balance_sum.checked_mul(share);
        target = target.zip(owed).and_then(|(target, owed)| target.checked_add(owed));
    }
    let Some(target) = target else { return Halves::Unfit };
    if tickets.iter().map(|ticket| ticket.size).sum::<u32>() != first.min + second.min {
        return Halves::None;
    }
    let is_first_fixed = first.class == second.class;
    match queue.kernels.best_split(&parts[..tickets.len()], second.min, target, is_first_fixed) {
        Ok((_, mask)) => Halves::Best(mask),
        Err(NoSplit::OtherSizes) => Halves::None,
        Err(NoSplit::OutOfRange) => Halves::Unfit,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assemble::split::{Assignment, SplitCost};
    use crate::rules::spec::{QueueSpec, TeamSpec};
    use crate::simd::{Kernels, Simd};
    use proptest::prelude::*;
    use std::cmp::Ordering;

    fn queue(sizes: [u32; 2]) -> CompiledQueue {
        let mut spec = QueueSpec::new("q", 1, 256);
        spec.teams = sizes
            .iter()
            .map(|&size| TeamSpec {
                name: format!("of {size} {}", spec.teams.len()),
                count: None,
                players_min: size,
                players_max: size,
            })
            .collect();
        CompiledQueue::new(spec)
    }

    /// The first of the cheapest and most even of all splits, by trying each.
    fn enumerated(
        queue: &CompiledQueue,
        tickets: &[Ticket],
        rules: &[TeamRule],
    ) -> Option<(SplitCost, Vec<u32>)> {
        let mut best: Option<(SplitCost, Vec<u32>)> = None;
        for mask in 0..1_u32 << tickets.len() {
            let assignment = assigned(queue, tickets, rules, mask);
            let Some(cost) = assignment.judge(queue, rules) else { continue };
            if best.as_ref().is_none_or(|(least, _)| cost.cmp_to(least) == Ordering::Less) {
                best = Some((cost, assignment.teams().to_vec()));
            }
        }
        best
    }

    fn assigned(queue: &CompiledQueue, tickets: &[Ticket], rules: &[TeamRule], mask: u32) -> Assignment {
        let mut assignment = Assignment::default();
        for rule in 0..rules.len() {
            for (at, ticket) in tickets.iter().enumerate() {
                assignment.set_amount(rule, at, tickets.len(), ticket.balance_sum);
            }
        }
        assignment.reset(&queue.shape, tickets, rules.len());
        for at in 0..tickets.len() {
            assignment.place(tickets, at, (mask >> (tickets.len() - 1 - at) & 1) as usize);
        }
        assignment
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn all_choices_at_once_come_to_what_trying_each_does(
            parties in prop::collection::vec((1..4_u32, prop_oneof![-5..5_i64, 0..3_000_000_000_i64]), 1..11),
            sizes in (1..6_u32, 0..3_u32, any::<bool>()),
            windows in (prop::option::of(0..900_000_000_i64), prop::option::of(0..3_i64), any::<bool>()),
        ) {
            let players: u32 = parties.iter().map(|party| party.0).sum();
            // Mostly teams that these players can fill, else teams of any size.
            let second = (players / 2).saturating_sub(sizes.1).max(1);
            let sizes = if sizes.2 { [players.saturating_sub(second).max(1), second] } else { [sizes.0; 2] };
            let tickets: Vec<Ticket> = parties
                .iter()
                .enumerate()
                .map(|(at, &(size, value))| Ticket {
                    row: at as u32,
                    submit_number: at as u64,
                    size,
                    balance_sum: value * i64::from(size),
                    balance_count: i64::from(size),
                    twin: None,
                })
                .collect();
            let (bound, preferred, is_ruled) = windows;
            let rules: Vec<TeamRule> = is_ruled
                .then_some(TeamRule::Difference { slot: 0, bound, preferred, weight: 7 })
                .into_iter()
                .collect();
            for simd in Simd::available() {
                let mut queue = queue(sizes);
                queue.kernels = Kernels::new(simd).unwrap();
                let right = enumerated(&queue, &tickets, &rules);
                let found = match best(&queue, &tickets, &rules, |_, at| tickets[at].balance_sum) {
                    Halves::Best(mask) => {
                        let assignment = assigned(&queue, &tickets, &rules, mask);
                        assignment.judge(&queue, &rules).map(|cost| (cost, assignment.teams().to_vec()))
                    }
                    Halves::None => None,
                    Halves::Unfit => return Err(TestCaseError::fail("two teams of fixed sizes are fit")),
                };
                prop_assert_eq!(found, right, "{} {:?}", simd, sizes);
            }
        }
    }
}
