//! The cheapest partner of one ticket, older or younger: what is left to do when a few tickets have come.
//!
//! After a pass no two waiting tickets are a legal match, so a new one holds a ticket on which something has happened
//! since. Each of these in turn takes the partner with which a match costs the least; of equal ones that whose list of
//! submit numbers is the smallest. Exact for one ticket: candidates come nearest first, with a bound from below of
//! what a match with them costs.

use crate::assemble::anchor::{CostBound, Search};
use crate::assemble::partner::{consider, least_pings};
use crate::assemble::scene::Ground;
use crate::assemble::states::States;
use crate::index::Candidates;

/// Finds the cheapest match of `row` with one other ticket, or alone. Leaves it in the search.
pub fn find_mate(
    search: &mut Search,
    ground: &Ground<'_>,
    states: &mut States,
    row: u32,
    candidates: &mut impl Candidates,
    bound: CostBound,
) {
    let found = &mut search.found;
    found.best.clear();
    (found.steps, found.exhaustive) = (1, true);
    found.met.clear();
    states.ensure(ground.queue, ground.tickets, row);
    consider(search, &ground.scene(states), &[row]);
    let size = ground.tickets.size(row);
    if size >= ground.queue.shape.full {
        return;
    }
    let own_ping = least_pings(ground.queue, &ground.scene(states), row, 0);
    let own = ground.tickets.seniority(row);
    while let Some(candidate) = candidates.next() {
        let least = bound.least(candidate.distance, 2) + own_ping;
        if search.found.best.players == 2 && least > search.found.best.cost {
            return;
        }
        if candidate.item == row {
            continue;
        }
        search.found.steps += 1;
        states.ensure(ground.queue, ground.tickets, candidate.item);
        let scene = ground.scene(states);
        let is_younger = ground.tickets.seniority(candidate.item) > own;
        let pair = if is_younger { [row, candidate.item] } else { [candidate.item, row] };
        if ground.queue.shape.is_legal_total(size + ground.tickets.size(candidate.item))
            && scene.may_stand_together(pair[0], pair[1], pair[0])
        {
            search.found.met.push(candidate.item);
            consider(search, &scene, &pair);
        }
    }
}
