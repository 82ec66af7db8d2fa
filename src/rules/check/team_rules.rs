//! The clauses that the teams of a match decide.
//!
//! Called by [`Judge::check_split`](super::Judge::check_split). Each clause of a rule answers with its term of
//! the cost times players, in units of 0.000001, or with the violation.

use super::expansion::Hold;
use super::facts::Facts;
use super::judge::{RuleView, TicketSet};
use super::quality::Ratio;
use super::set_rules::{distance, micros, within};
use super::shape::whole;
use super::violation::{Clause, Violation};
use crate::rules::spec::{RuleKind, TotalScope};

/// Tickets with a team for each.
pub(super) struct Seating<'a> {
    pub(super) set: &'a TicketSet<'a>,
    teams: &'a [usize],
    /// Players by team position.
    sizes: Vec<u32>,
    /// The positions of the teams that stand.
    pub(super) standing: Vec<usize>,
}

impl<'a> Seating<'a> {
    /// Seats the tickets, if every team is within its size.
    pub(super) fn new(set: &'a TicketSet<'a>, teams: &'a [usize]) -> Result<Seating<'a>, Violation> {
        let shape = &set.judge.shape;
        if teams.len() != set.tickets.len() {
            let (found, right) = (teams.len(), set.tickets.len());
            return Err(Violation::differ(Clause::TeamSizes, "tickets with a team", found, right));
        }
        let mut sizes = vec![0; shape.places.len()];
        for (ticket, &team) in set.tickets.iter().zip(teams) {
            let Some(size) = sizes.get_mut(team) else {
                return Err(Violation::absent(Clause::TeamSizes, "team at a ticket's position"));
            };
            *size += ticket.size();
        }
        let standing = shape.team_sizes(&sizes)?;
        Ok(Seating { set, teams, sizes, standing })
    }

    /// The tickets of the team at `position`.
    pub(super) fn members(&self, position: usize) -> impl Iterator<Item = &'a Facts> + '_ {
        let seats = self.set.tickets.iter().zip(self.teams);
        seats.filter(move |(_, team)| **team == position).map(|(ticket, _)| *ticket)
    }
}

/// The clause of one rule, as far as the teams decide it.
pub(super) fn rule(rule: &RuleView<'_>, seating: &Seating<'_>) -> Result<i128, Violation> {
    match &rule.spec.kind {
        RuleKind::Total { per: TotalScope::Team, .. } => total_of_teams(rule, seating),
        RuleKind::TeamDifference { .. } => team_difference(rule, seating),
        RuleKind::TeamSize { .. } => team_size(rule, seating),
        RuleKind::PremadeBalance => premade_balance(rule, seating),
        RuleKind::Total { per: TotalScope::Match, .. }
        | RuleKind::Difference { .. }
        | RuleKind::Equality { .. }
        | RuleKind::Intersection { .. }
        | RuleKind::Region { .. } => Ok(0),
    }
}

/// The sum over the players of every team that stands is within the bounds; an empty team has the sum 0.
fn total_of_teams(rule: &RuleView<'_>, seating: &Seating<'_>) -> Result<i128, Violation> {
    let mut far = 0;
    for &team in &seating.standing {
        let sum = rule.set.tickets.iter().zip(seating.teams).filter(|(_, seat)| **seat == team);
        let sum = sum.map(|(&ticket, _)| rule.sum(ticket)).sum();
        within(rule, sum)?;
        far += distance(rule, sum);
    }
    Ok(rule.penalty(far))
}

/// The largest less the smallest team average over players is at most the least window; empty teams are left
/// out. The excess is rounded up.
fn team_difference(rule: &RuleView<'_>, seating: &Seating<'_>) -> Result<i128, Violation> {
    let averages = seating.standing.iter().filter(|&&team| seating.sizes[team] > 0).map(|&team| {
        let seats = rule.set.tickets.iter().zip(seating.teams).filter(|(_, seat)| **seat == team);
        Ratio::new(seats.map(|(&ticket, _)| rule.sum(ticket)).sum(), i128::from(seating.sizes[team]))
    });
    // Windows are whole units, so rounding the spread up changes no comparison with one.
    spread_within(rule, "the difference of team averages", Ratio::spread(averages).rounded_up())
}

/// The largest less the smallest team that stands is at most the least window, in players.
fn team_size(rule: &RuleView<'_>, seating: &Seating<'_>) -> Result<i128, Violation> {
    let sizes = || seating.standing.iter().map(|&team| seating.sizes[team]);
    let (Some(least), Some(greatest)) = (sizes().min(), sizes().max()) else { return Ok(0) };
    spread_within(rule, "the difference of team sizes", whole(greatest - least))
}

fn spread_within(rule: &RuleView<'_>, what: &'static str, spread: i128) -> Result<i128, Violation> {
    let window = |(_, hold): (_, Hold)| hold.number().map(micros);
    if let Some(most) = rule.bound().filter_map(window).min().filter(|most| spread > *most) {
        return Err(Violation::above(rule.clause(), what, spread, most));
    }
    let excess = rule.preferring().filter_map(window).min().map_or(0, |most| spread - most);
    Ok(rule.penalty(excess))
}

/// Every team that stands has exactly one large party, or none has any. Excess, if that is broken: over all
/// teams, how far their counts of large parties are from one.
fn premade_balance(rule: &RuleView<'_>, seating: &Seating<'_>) -> Result<i128, Violation> {
    let large = rule.set.judge.shape.large_party();
    let counts = seating.standing.iter().map(|&team| {
        let parties = seating.members(team).filter(|ticket| ticket.size() >= large);
        parties.count() as u32
    });
    let counts: Vec<u32> = counts.collect();
    if counts.iter().all(|&count| count == 1) || counts.iter().all(|&count| count == 0) {
        return Ok(0);
    }
    if rule.bound().next().is_some() {
        let worst = counts.iter().max().copied().unwrap_or(0);
        return Err(match worst {
            0 | 1 => Violation::below(rule.clause(), "large parties of a team", 0, whole(1)),
            _ => Violation::above(rule.clause(), "large parties of a team", whole(worst), whole(1)),
        });
    }
    match rule.preferring().next() {
        Some(_) => Ok(rule.penalty(counts.iter().map(|&count| whole(count.abs_diff(1))).sum())),
        None => Ok(0),
    }
}
