//! What a whole match lacks among the tickets that could stand with one: players, sizes that fit, totals.
//!
//! Used by `ask`. Everything here is a bound that no choice of those tickets can pass: what is said to be lacking is
//! lacking, whatever else the rules say.

use super::board::Board;
use super::sizes::{Counts, can_be_seated};
use crate::base::fixed::Fixed;
use crate::model::explanation::{Missing, SizesFit, TotalShort};
use crate::model::limits::TICKET_PLAYERS_MAX;
use crate::rules::compile::Kind;
use crate::rules::spec::{TotalScope, WindowAge};
use std::sync::Arc;

/// What a match of the board's ticket and some of its legal pairs lacks.
pub(super) fn missing(board: &Board<'_>, legal: &[u32]) -> Missing {
    let (tickets, shape) = (board.ground.tickets, &board.ground.queue.shape);
    let own = tickets.size(board.row);
    let needs_full = tickets.age(board.row, board.ground.now) < board.ground.queue.spec.prefer_full_for;
    let least = shape.legal_totals().find(|&total| total >= own).filter(|_| !needs_full);
    let players_least = least.unwrap_or(shape.full);
    let players_here = u64::from(own) + legal.iter().map(|&row| u64::from(tickets.size(row))).sum::<u64>();
    let is_full_alone = shape.full_may_stand_alone && own == shape.full;
    let tickets_short = match is_full_alone {
        true => 0,
        false => {
            shape.min_tickets.saturating_sub(u32::try_from(legal.len()).unwrap_or(u32::MAX).saturating_add(1))
        }
    };
    Missing {
        players_least,
        players_here,
        players_short: u64::from(players_least).saturating_sub(players_here),
        tickets_short,
        sizes: sizes(board, legal, own, needs_full),
        totals: totals(board, legal),
        blockers: Vec::new(),
    }
}

/// Whether the parties go into teams, and which one more party would complete a match.
fn sizes(board: &Board<'_>, legal: &[u32], own: u32, needs_full: bool) -> SizesFit {
    let shape = &board.ground.queue.shape;
    let mut counts: Counts = [0; TICKET_PLAYERS_MAX + 1];
    for &row in legal {
        let size = board.ground.tickets.size(row) as usize;
        // More than fill a match change nothing.
        counts[size] = (counts[size] + 1).min((shape.full as usize / size) as u16);
    }
    match can_be_seated(shape, own, &counts, needs_full) {
        Some(true) => return SizesFit::Fit,
        Some(false) => {}
        None => return SizesFit::Unknown,
    }
    let largest = board.ground.queue.spec.party_max.unwrap_or(shape.team_max).min(shape.team_max);
    let mut fitting = Vec::new();
    for size in 1..=largest.min(TICKET_PLAYERS_MAX as u32) {
        counts[size as usize] += 1;
        match can_be_seated(shape, own, &counts, needs_full) {
            Some(true) => fitting.push(size),
            Some(false) => {}
            None => return SizesFit::Unknown,
        }
        counts[size as usize] -= 1;
    }
    SizesFit::OneMore(fitting)
}

/// The totals that bind the ticket at its own age and that all legal pairs together do not reach. Under `newest`
/// windows the ticket's age decides nothing, so those are left out.
fn totals(board: &Board<'_>, legal: &[u32]) -> Vec<TotalShort> {
    let (queue, tickets) = (board.ground.queue, board.ground.tickets);
    let age = tickets.age(board.row, board.ground.now);
    let mut short = Vec::new();
    for rule in queue.rules.iter().filter(|rule| rule.age != WindowAge::Newest) {
        let Kind::Total(slot, band, per) = &rule.kind else { continue };
        let Some(least) = band.at(age).bound().and_then(|bounds| bounds.min) else { continue };
        let teams: usize = match per {
            TotalScope::Match => 1,
            TotalScope::Team => queue.shape.groups.iter().map(|group| group.count_min).sum(),
        };
        let amount = |row| match slot {
            Some(slot) => tickets.number(*slot, row),
            None => i64::from(tickets.size(row)) * 1_000_000,
        };
        let rows = legal.iter().copied().chain([board.row]);
        let here: i128 = rows.map(|row| i128::from(amount(row).max(0))).sum();
        let least = i128::from(least.micros()) * teams as i128;
        if here < least {
            short.push(TotalShort {
                rule: Arc::clone(&rule.name),
                per_team: *per == TotalScope::Team,
                least: Fixed::from_micros(least as i64),
                here: Fixed::from_micros(here as i64),
            });
        }
    }
    short
}
