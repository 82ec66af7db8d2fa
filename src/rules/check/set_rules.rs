//! The clauses that a set of tickets decides, whatever its teams.
//!
//! Called by [`Judge::check_set`](super::Judge::check_set). Each clause of a rule answers with its term of the
//! cost times players, in units of 0.000001, or with the violation.

use super::expansion::Hold;
use super::facts::{Brought, Facts};
use super::judge::{RuleView, TicketSet};
use super::shape::whole;
use super::violation::{Clause, Violation};
use crate::base::fixed::Fixed;
use crate::rules::spec::{Bounds, RuleKind, TotalScope};
use std::collections::BTreeSet;

/// No player stands twice in a match.
pub(super) fn no_player_twice(set: &TicketSet<'_>) -> Result<(), Violation> {
    let mut seen = BTreeSet::new();
    for player in set.tickets.iter().flat_map(|ticket| &ticket.players) {
        if !seen.insert(*player) {
            let found = format!("player {:#x} twice", player.0);
            return Err(Violation::differ(Clause::NoPlayerTwice, "the match", found, "every player once"));
        }
    }
    Ok(())
}

/// While the match's oldest ticket is younger than `prefer_full_for_s`, only a full match is legal.
pub(super) fn prefer_full(set: &TicketSet<'_>) -> Result<(), Violation> {
    let full = set.judge.shape.full;
    if set.oldest_age() >= set.judge.spec.prefer_full_for || full == Some(set.players) {
        return Ok(());
    }
    let full = whole(full.unwrap_or(u32::MAX));
    Err(Violation::below(
        Clause::PreferFull,
        "players while a full match is preferred",
        whole(set.players),
        full,
    ))
}

/// Every player of the other tickets is within a ticket's own limits, by his own value with the attribute's
/// default filled in; a player without one is not. The limit on the ping is part of the region clause.
pub(super) fn own_limits(set: &TicketSet<'_>) -> Result<(), Violation> {
    for (index, ticket) in set.tickets.iter().enumerate() {
        let others = set.tickets.iter().enumerate().filter(|(other, _)| *other != index);
        for player in others.flat_map(|(_, other)| &other.own) {
            for (attribute, least, most) in &ticket.limits {
                own_limit(player[*attribute], *least, *most)?;
            }
        }
    }
    Ok(())
}

fn own_limit(value: Option<Fixed>, least: Option<Fixed>, most: Option<Fixed>) -> Result<(), Violation> {
    let Some(value) = value else {
        return Err(Violation::absent(Clause::OwnLimits, "value of a player whom a limit is about"));
    };
    if let Some(least) = least.filter(|least| value < *least) {
        return Err(Violation::below(Clause::OwnLimits, "a value", micros(value), micros(least)));
    }
    if let Some(most) = most.filter(|most| value > *most) {
        return Err(Violation::above(Clause::OwnLimits, "a value", micros(value), micros(most)));
    }
    Ok(())
}

/// The clause of one rule, as far as the set decides it.
pub(super) fn rule(rule: &RuleView<'_>) -> Result<i128, Violation> {
    match &rule.spec.kind {
        RuleKind::Difference { .. } => difference(rule),
        RuleKind::Equality { .. } => equality(rule),
        RuleKind::Intersection { .. } => intersection(rule),
        RuleKind::Total { per: TotalScope::Match, .. } => total_of_match(rule),
        RuleKind::Total { per: TotalScope::Team, .. }
        | RuleKind::Region { .. }
        | RuleKind::TeamDifference { .. }
        | RuleKind::TeamSize { .. }
        | RuleKind::PremadeBalance => Ok(0),
    }
}

/// Any two merged values differ by at most the window of each ticket of the two that the rule binds.
/// Term: greatest less least value, bound or not. Excess: the greatest distance of a value from one whose
/// ticket only prefers, less that ticket's window.
fn difference(rule: &RuleView<'_>) -> Result<i128, Violation> {
    let value = |ticket| match rule.brought(ticket) {
        Brought::Merged(Some(value)) => Some(micros(*value)),
        _ => None,
    };
    let values: Vec<i128> = rule.set.tickets.iter().filter_map(|&ticket| value(ticket)).collect();
    let (Some(least), Some(greatest)) = (values.iter().min(), values.iter().max()) else { return Ok(0) };
    let farthest = |from: i128| (greatest - from).max(from - least);
    for (ticket, hold) in rule.bound() {
        let (Some(from), Some(window)) = (value(ticket), hold.number()) else { continue };
        if farthest(from) > micros(window) {
            return Err(Violation::above(rule.clause(), "a difference", farthest(from), micros(window)));
        }
    }
    let over = |(ticket, hold): (_, Hold)| Some(farthest(value(ticket)?) - micros(hold.number()?));
    let excess = rule.preferring().filter_map(over).max().unwrap_or(0);
    Ok((greatest - least) * i128::from(rule.set.players) + rule.penalty(excess))
}

/// All tickets that have a value agree, as soon as the rule binds one of them.
/// Excess: distinct values less one.
fn equality(rule: &RuleView<'_>) -> Result<i128, Violation> {
    let mut distinct = BTreeSet::new();
    for &ticket in rule.set.tickets {
        if let Brought::Keys(keys) = rule.brought(ticket) {
            distinct.extend(keys);
        }
    }
    let found = distinct.len() as u32;
    if found > 1 && rule.bound().next().is_some() {
        return Err(Violation::above(rule.clause(), "distinct values", whole(found), whole(1)));
    }
    match rule.preferring().next() {
        Some(_) => Ok(rule.penalty(whole(found) - whole(1))),
        None => Ok(0),
    }
}

/// All lists together share at least as many values as the greatest window of a ticket that the rule binds.
/// Excess: the greatest window of a ticket that only prefers, less the values shared.
fn intersection(rule: &RuleView<'_>) -> Result<i128, Violation> {
    let mut shared: Option<BTreeSet<&String>> = None;
    for &ticket in rule.set.tickets {
        if let Brought::List(Some(list)) = rule.brought(ticket) {
            let list: BTreeSet<&String> = list.iter().collect();
            shared = Some(match shared {
                None => list,
                Some(before) => before.intersection(&list).copied().collect(),
            });
        }
    }
    let Some(shared) = shared else { return Ok(0) };
    let shared = whole(shared.len() as u32);
    let window = |(_, hold): (_, Hold)| hold.number().map(micros);
    if let Some(least) = rule.bound().filter_map(window).max().filter(|least| shared < *least) {
        return Err(Violation::below(rule.clause(), "values shared", shared, least));
    }
    let excess = rule.preferring().filter_map(window).max().map_or(0, |least| least - shared);
    Ok(rule.penalty(excess))
}

/// The sum over all players of the match is within the bounds.
fn total_of_match(rule: &RuleView<'_>) -> Result<i128, Violation> {
    let sum = rule.set.tickets.iter().map(|&ticket| rule.sum(ticket)).sum();
    within(rule, sum)?;
    Ok(rule.penalty(distance(rule, sum)))
}

/// A sum is at least the greatest minimum and at most the least maximum of the tickets that the rule binds.
pub(super) fn within(rule: &RuleView<'_>, sum: i128) -> Result<(), Violation> {
    let (least, most) = narrowest(rule.bound());
    if let Some(least) = least.filter(|least| sum < *least) {
        return Err(Violation::below(rule.clause(), "a sum", sum, least));
    }
    if let Some(most) = most.filter(|most| sum > *most) {
        return Err(Violation::above(rule.clause(), "a sum", sum, most));
    }
    Ok(())
}

/// How far a sum is from the greatest minimum and the least maximum of the tickets that only prefer. Where
/// those cross, the farther of the two counts.
pub(super) fn distance(rule: &RuleView<'_>, sum: i128) -> i128 {
    let (least, most) = narrowest(rule.preferring());
    let short = least.map_or(0, |least| least - sum);
    let over = most.map_or(0, |most| sum - most);
    short.max(over).max(0)
}

fn narrowest<'a>(holds: impl Iterator<Item = (&'a Facts, Hold)>) -> (Option<i128>, Option<i128>) {
    let bounds: Vec<Bounds> = holds.filter_map(|(_, hold)| hold.bounds()).collect();
    let least = bounds.iter().filter_map(|bounds| bounds.min).map(micros).max();
    let most = bounds.iter().filter_map(|bounds| bounds.max).map(micros).min();
    (least, most)
}

/// A number in units of 0.000001, wide enough for sums.
pub(super) fn micros(value: Fixed) -> i128 {
    i128::from(value.micros())
}
