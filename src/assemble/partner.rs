//! The best partner of an anchor in a queue whose greatest match is two players.
//!
//! Exact under any rules and at any size: candidates come nearest first with a bound from below of what a match
//! with them costs, and the search ends when no later one can be better. Where the rules are plain (`duel`) what a
//! candidate costs is told without judging the pair by every rule. Who is *met* is whoever was the best so far, or could
//! have stood with the anchor while there was no match of two: so it is the same for every kind of index.
//!
//! Once there is a match of two, its cost is the ceiling under which the index looks for the next candidate: whoever could
//! only be dearer is passed over within the index, and is no step.
//!
//! Measured, `bench duel --full` under `perf`: passing from candidate to candidate was 12 of 100 samples of a build with
//! link-time optimisation before, when every candidate came out of the index, and is 6 of 100 of one without. Same output.

use super::anchor::{CostBound, Search};
use super::duel::Duel;
use super::quality::judge_set;
use super::scene::{Ground, Scene};
use super::states::States;
use super::teams::Goal;
use crate::index::{Candidates, Ceiling};
use crate::rules::compile::CompiledQueue;

/// Finds the anchor's best match with one younger ticket, or alone.
///
/// `in_order`: among equal distances candidates come by submit number.
pub(super) fn search(
    search: &mut Search,
    ground: &Ground<'_>,
    states: &mut States,
    anchor: u32,
    candidates: &mut impl Candidates,
    bound: CostBound,
    in_order: bool,
) {
    consider(search, &ground.scene(states), &[anchor]);
    let size = ground.tickets.size(anchor);
    if size >= ground.queue.shape.full || ground.scene(states).regions_alone(anchor, anchor) == 0 {
        return;
    }
    // A distance with a ping in it has the partner's ping already.
    let both = if bound == CostBound::Differences { search.pings_least } else { 0 };
    let pings_least = least_pings(ground.queue, &ground.scene(states), anchor, both);
    let ping_weight = match (bound, ground.queue.region_rule) {
        (CostBound::Differences, Some(rule)) => ground.queue.rules[rule].weight,
        _ => 0,
    };
    let duel = Duel::of(ground, states, anchor);
    let mut best_distance = None;
    loop {
        // Whoever could only be dearer than the best match is passed over without a step.
        let found = match &search.found.best {
            best if best.players == 2 => {
                let ceiling = Ceiling { most: best.cost, floor: pings_least, weight: ping_weight };
                candidates.next_under(&ceiling, |_| 0)
            }
            _ => candidates.next(),
        };
        let Some(found) = found else { return };
        let distance_costs = bound.least(found.distance, 2);
        if search.found.best.players == 2 {
            let least = distance_costs + pings_least;
            let cannot_be_earlier = in_order && best_distance == Some(found.distance);
            if least > search.found.best.cost || (least == search.found.best.cost && cannot_be_earlier) {
                return;
            }
        }
        search.found.steps += 1;
        states.ensure(ground.queue, ground.tickets, found.item);
        let scene = ground.scene(states);
        let told = duel.as_ref().and_then(|duel| duel.told(&scene, found.item));
        let is_best = match told {
            Some(None) => continue,
            Some(Some(cost)) => is_better(search, &scene, anchor, found.item, cost),
            None => {
                if !ground.queue.shape.is_legal_total(size + ground.tickets.size(found.item))
                    || !scene.may_stand_together(anchor, found.item, anchor)
                {
                    continue;
                }
                let had_pair = search.found.best.players == 2;
                let is_best = consider(search, &scene, &[anchor, found.item]);
                if !is_best && !had_pair {
                    search.found.met.push(found.item);
                }
                search.found.is_told &= !is_best;
                is_best
            }
        };
        if is_best {
            search.found.met.push(found.item);
            best_distance = Some(found.distance);
            if in_order
                && search.found.best.players == 2
                && distance_costs + pings_least == search.found.best.cost
            {
                return;
            }
        }
    }
}

/// Takes a pair that is plain and costs so much for the best match if it is; whether it is.
fn is_better(search: &mut Search, scene: &Scene<'_>, anchor: u32, other: u32, cost: i128) -> bool {
    let best = &mut search.found.best;
    if best.players == 2 && cost > best.cost {
        return false;
    }
    let (a, b) = (scene.tickets.submit_number(anchor), scene.tickets.submit_number(other));
    let numbers = [a.min(b), a.max(b)];
    if !best.is_beaten_by(2, cost, &numbers) {
        return false;
    }
    debug_assert!(
        judge_set(scene, &[anchor, other]).is_some_and(|terms| terms.cost == cost),
        "a plain pair costs something else than it was told"
    );
    best.replace(&[anchor, other], &numbers, 2, cost);
    search.found.is_told = true;
    true
}

/// What the pings of a match of two cost at least, times the players: the anchor's own, or what is known of both.
pub(super) fn least_pings(queue: &CompiledQueue, scene: &Scene<'_>, anchor: u32, both: i64) -> i128 {
    let Some(rule) = queue.region_rule else { return 0 };
    let own = scene.tickets.pings(anchor).iter().min().copied().unwrap_or(0);
    i128::from(queue.rules[rule].weight) * i128::from(own.max(both))
}

/// Judges a set as a match; returns whether it is the best so far.
pub(super) fn consider(search: &mut Search, scene: &Scene<'_>, set: &[u32]) -> bool {
    let shape = &scene.queue.shape;
    let players = set.iter().map(|&row| scene.tickets.size(row)).sum();
    if !shape.is_legal_total(players)
        || !shape.enough_tickets(set.len(), players)
        || (scene.needs_full_match(set[0]) && players < shape.full)
    {
        return false;
    }
    let Some(terms) = judge_set(scene, set) else { return false };
    let mut numbers = [0_u64; 2];
    let numbers = &mut numbers[..set.len()];
    for (number, &row) in numbers.iter_mut().zip(set) {
        *number = scene.tickets.submit_number(row);
    }
    numbers.sort_unstable();
    if !search.found.best.is_beaten_by(players, terms.cost, numbers) {
        return false;
    }
    let (Some(split), _) = search.splitter.split(scene, set, &terms, Goal::Cheapest) else { return false };
    let cost = terms.cost + split.cost;
    if !search.found.best.is_beaten_by(players, cost, numbers) {
        return false;
    }
    search.found.best.replace(set, numbers, players, cost);
    true
}
