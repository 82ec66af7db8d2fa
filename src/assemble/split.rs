//! One assignment of tickets to teams, while it grows: its sums, what it costs, and what it could still come to.
//!
//! The bookkeeping of `teams`. Averages are compared as fractions of integers, never divided. Invariant: the
//! sums of a position are those of the tickets placed in it.

use super::quality::{BROKEN, ONE, SumBand};
use super::scene::Scene;
use crate::rules::compile::{CompiledQueue, NO_VALUE};
use crate::rules::shape::Shape;
use std::cmp::Ordering;

/// A ticket to be placed.
#[derive(Clone, Copy, Debug)]
pub struct Ticket {
    /// Its row.
    pub row: u32,
    /// Its submit number.
    pub submit_number: u64,
    /// Its players.
    pub size: u32,
    /// The sum of the values by which splits are told apart.
    pub balance_sum: i64,
    /// The players who have such a value.
    pub balance_count: i64,
    /// The last ticket before it that cannot be told from it.
    pub twin: Option<usize>,
}

impl Ticket {
    /// Reads what a split needs of a ticket.
    pub fn read(scene: &Scene<'_>, row: u32) -> Ticket {
        let (balance_sum, balance_count) = match scene.queue.balance_slots {
            Some((sum, count)) => (scene.tickets.number(sum, row), scene.tickets.number(count, row)),
            None => (0, 0),
        };
        let (submit_number, size) = (scene.tickets.submit_number(row), scene.tickets.size(row));
        Ticket { row, submit_number, size, balance_sum, balance_count, twin: None }
    }

    /// Whether the two are alike but for the rules' amounts.
    pub fn is_like(&self, other: &Ticket) -> bool {
        (self.size, self.balance_sum, self.balance_count)
            == (other.size, other.balance_sum, other.balance_count)
    }
}

/// A rule that depends on the split, with its limits for the set in hand. Weights are already times the players.
#[derive(Clone, Copy, Debug)]
pub enum TeamRule {
    /// Team averages differ by at most the window.
    Difference {
        /// The number slot that is added up.
        slot: usize,
        /// The window of the tickets that the rule binds.
        bound: Option<i64>,
        /// The window of those for which it is a preference.
        preferred: Option<i64>,
        /// Weight times players.
        weight: i128,
    },
    /// Team sizes differ by at most the window.
    Size {
        /// The window of the tickets that the rule binds.
        bound: Option<i64>,
        /// The window of those for which it is a preference.
        preferred: Option<i64>,
        /// Weight times players.
        weight: i128,
    },
    /// Each team's sum lies within the band.
    Total {
        /// The number slot that is added up; `None`: players.
        slot: Option<usize>,
        /// The band of the tickets that the rule binds.
        bound: SumBand,
        /// The band of those for which it is a preference.
        preferred: SumBand,
        /// Weight times players.
        weight: i128,
        /// No ticket of the set has a negative amount.
        never_negative: bool,
    },
    /// Every team has exactly one large party, or none has any.
    Premade {
        /// It binds a ticket.
        bound: bool,
        /// It is a preference of a ticket.
        preferred: bool,
        /// Weight times players.
        weight: i128,
    },
}

impl TeamRule {
    /// Whether the rule asks nothing of the set in hand.
    pub fn is_idle(&self) -> bool {
        match self {
            TeamRule::Difference { bound, preferred, .. } | TeamRule::Size { bound, preferred, .. } => {
                bound.is_none() && preferred.is_none()
            }
            TeamRule::Total { bound, preferred, .. } => *bound == SumBand::ALL && *preferred == SumBand::ALL,
            TeamRule::Premade { bound, preferred, .. } => !bound && !preferred,
        }
    }

    /// What a ticket adds to its team's sum.
    pub fn amount(&self, scene: &Scene<'_>, row: u32) -> i64 {
        match *self {
            TeamRule::Difference { slot, .. } | TeamRule::Total { slot: Some(slot), .. } => {
                match scene.tickets.number(slot, row) {
                    NO_VALUE => 0,
                    amount => amount,
                }
            }
            TeamRule::Total { slot: None, .. } => i64::from(scene.tickets.size(row)) * ONE as i64,
            TeamRule::Size { .. } => 0,
            TeamRule::Premade { .. } => i64::from(scene.tickets.size(row) >= scene.queue.large_party),
        }
    }
}

/// A difference of two averages, as a fraction; the denominator is above 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spread {
    /// Numerator in units of 0.000001.
    pub numerator: i128,
    /// Denominator.
    pub denominator: i128,
}

impl Spread {
    /// No difference.
    pub const NONE: Spread = Spread { numerator: 0, denominator: 1 };

    /// Compares by value.
    pub fn cmp_to(&self, other: &Spread) -> Ordering {
        (self.numerator * other.denominator).cmp(&(other.numerator * self.denominator))
    }

    /// Rounded up to 0.000001.
    fn ceiling(&self) -> i128 {
        (self.numerator + self.denominator - 1).div_euclid(self.denominator)
    }

    /// Rounded half up to 0.000001.
    pub fn half_up(&self) -> i128 {
        (2 * self.numerator + self.denominator).div_euclid(2 * self.denominator)
    }
}

/// The least and the greatest of averages that come one by one, as (sum, count).
#[derive(Clone, Copy, Default)]
struct Extremes {
    least: Option<(i128, i128)>,
    greatest: Option<(i128, i128)>,
}

impl Extremes {
    fn add(&mut self, sum: i128, count: i128) {
        let below = |other: (i128, i128)| sum * other.1 < other.0 * count;
        let above = |other: (i128, i128)| sum * other.1 > other.0 * count;
        if self.least.is_none_or(below) {
            self.least = Some((sum, count));
        }
        if self.greatest.is_none_or(above) {
            self.greatest = Some((sum, count));
        }
    }

    fn spread(&self) -> Spread {
        match (self.least, self.greatest) {
            (Some((low, low_count)), Some((high, high_count))) => {
                Spread { numerator: high * low_count - low * high_count, denominator: high_count * low_count }
            }
            _ => Spread::NONE,
        }
    }
}

/// What a split costs, and how even it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SplitCost {
    /// The broken preferences, times the players, in units of 10^-12.
    pub cost: i128,
    /// Greatest minus least team average.
    pub balance: Spread,
}

impl SplitCost {
    /// Cheaper first, then more even.
    pub fn cmp_to(&self, other: &SplitCost) -> Ordering {
        self.cost.cmp(&other.cost).then_with(|| self.balance.cmp_to(&other.balance))
    }
}

/// Tickets in teams.
#[derive(Default)]
pub struct Assignment {
    teams: Vec<u32>,
    players: Vec<u32>,
    balance_sums: Vec<i128>,
    balance_counts: Vec<i128>,
    /// The rules' amounts: `rule * tickets + ticket`.
    amounts: Vec<i64>,
    /// The rules' sums: `rule * positions + position`.
    sums: Vec<i128>,
    /// The averages that are final, after each ticket placed: that over all players, and those of closed teams.
    finals: Vec<Extremes>,
    /// The most players of each position.
    most: Vec<u32>,
}

impl Assignment {
    /// Sets the amount of a ticket under a rule; rules and tickets in ascending order.
    pub fn set_amount(&mut self, rule: usize, ticket: usize, tickets: usize, amount: i64) {
        if self.amounts.len() < (rule + 1) * tickets {
            self.amounts.resize((rule + 1) * tickets, 0);
        }
        self.amounts[rule * tickets + ticket] = amount;
    }

    /// The amount of a ticket under a rule.
    pub fn amount(&self, rule: usize, ticket: usize, tickets: usize) -> i64 {
        self.amounts[rule * tickets + ticket]
    }

    /// Begins anew with empty teams; amounts stay.
    pub fn reset(&mut self, shape: &Shape, tickets: &[Ticket], rules: usize) {
        let positions = shape.positions.len();
        self.teams.clear();
        self.teams.resize(tickets.len(), 0);
        self.players.clear();
        self.players.resize(positions, 0);
        self.balance_sums.clear();
        self.balance_sums.resize(positions, 0);
        self.balance_counts.clear();
        self.balance_counts.resize(positions, 0);
        self.sums.clear();
        self.sums.resize(positions * rules, 0);
        self.most.clear();
        self.most.extend(shape.positions.iter().map(|position| position.max));
        let mut all = Extremes::default();
        let all_count = tickets.iter().map(|ticket| i128::from(ticket.balance_count)).sum();
        if all_count > 0 {
            all.add(tickets.iter().map(|ticket| i128::from(ticket.balance_sum)).sum(), all_count);
        }
        self.finals.clear();
        self.finals.push(all);
    }

    /// Takes all tickets out of their teams.
    pub fn clear(&mut self) {
        self.players.fill(0);
        self.balance_sums.fill(0);
        self.balance_counts.fill(0);
        self.sums.fill(0);
        self.finals.truncate(1);
    }

    /// The team of each ticket.
    pub fn teams(&self) -> &[u32] {
        &self.teams
    }

    /// The players of a team.
    pub fn players(&self, position: usize) -> u32 {
        self.players[position]
    }

    /// The balance sum of a team.
    pub fn balance_sum(&self, position: usize) -> i128 {
        self.balance_sums[position]
    }

    /// Puts a ticket into a team.
    pub fn place(&mut self, tickets: &[Ticket], at: usize, position: usize) {
        self.teams[at] = position as u32;
        self.add(tickets, at, position, 1);
        let mut finals = self.finals.last().copied().unwrap_or_default();
        if self.players[position] == self.most[position] && self.balance_counts[position] > 0 {
            finals.add(self.balance_sums[position], self.balance_counts[position]);
        }
        self.finals.push(finals);
    }

    /// Takes the ticket out of its team that was placed last.
    pub fn take_back(&mut self, tickets: &[Ticket], at: usize, position: usize) {
        self.add(tickets, at, position, -1);
        self.finals.pop();
    }

    fn add(&mut self, tickets: &[Ticket], at: usize, position: usize, sign: i128) {
        let ticket = &tickets[at];
        let size = i64::from(self.players[position]) + sign as i64 * i64::from(ticket.size);
        self.players[position] = size as u32;
        self.balance_sums[position] += sign * i128::from(ticket.balance_sum);
        self.balance_counts[position] += sign * i128::from(ticket.balance_count);
        let positions = self.players.len();
        for rule in 0..self.sums.len() / positions.max(1) {
            let amount = self.amounts[rule * tickets.len() + at];
            self.sums[rule * positions + position] += sign * i128::from(amount);
        }
    }

    /// Judges a complete assignment; `None`: not legal.
    pub fn judge(&self, queue: &CompiledQueue, rules: &[TeamRule]) -> Option<SplitCost> {
        if !self.teams_stand(&queue.shape) {
            return None;
        }
        let mut cost = 0;
        for (index, rule) in rules.iter().enumerate() {
            cost += self.judge_rule(&queue.shape, index, rule)?;
        }
        Some(SplitCost { cost, balance: self.balance() })
    }

    /// Whether every team that must stand does, within its size.
    fn teams_stand(&self, shape: &Shape) -> bool {
        let sized = shape.positions.iter().zip(&self.players).all(|(position, &players)| {
            let absent = shape.groups[position.group].varies && players == 0;
            absent || (position.min <= players && players <= position.max)
        });
        sized
            && shape.groups.iter().filter(|group| group.varies).all(|group| {
                let players = &self.players[group.first..group.first + group.count_max];
                let standing = players.iter().take_while(|&&players| players > 0).count();
                standing >= group.count_min && players[standing..].iter().all(|&players| players == 0)
            })
    }

    /// The teams that count: all but the absent ones of a varying group.
    fn standing<'a>(&'a self, shape: &'a Shape) -> impl Iterator<Item = usize> + 'a {
        (0..self.players.len())
            .filter(|&at| self.players[at] > 0 || !shape.groups[shape.positions[at].group].varies)
    }

    fn judge_rule(&self, shape: &Shape, index: usize, rule: &TeamRule) -> Option<i128> {
        let sums = &self.sums[index * self.players.len()..(index + 1) * self.players.len()];
        match *rule {
            TeamRule::Difference { bound, preferred, weight, .. } => {
                let spread = self.average_spread(sums, |position| self.players[position] > 0);
                difference_cost(spread, bound, preferred, weight)
            }
            TeamRule::Size { bound, preferred, weight } => {
                let players = || self.standing(shape).map(|at| i128::from(self.players[at]));
                let spread = (players().max().unwrap_or(0) - players().min().unwrap_or(0)) * ONE;
                if bound.is_some_and(|bound| spread > i128::from(bound)) {
                    return None;
                }
                let excess = preferred.map_or(0, |window| (spread - i128::from(window)).max(0));
                Some(BROKEN * weight * excess)
            }
            TeamRule::Total { bound, preferred, weight, .. } => {
                let mut excess = 0;
                for at in self.standing(shape) {
                    if !bound.contains(sums[at]) {
                        return None;
                    }
                    excess += preferred.distance(sums[at]);
                }
                Some(BROKEN * weight * excess)
            }
            TeamRule::Premade { bound, preferred, weight } => {
                let large = || self.standing(shape).map(|at| sums[at]);
                if large().all(|count| count == 1) || large().all(|count| count == 0) {
                    return Some(0);
                }
                if bound {
                    return None;
                }
                let excess: i128 = large().map(|count| (count - 1).abs()).sum();
                Some(if preferred { BROKEN * weight * ONE * excess } else { 0 })
            }
        }
    }

    fn average_spread(&self, sums: &[i128], counts: impl Fn(usize) -> bool) -> Spread {
        let mut averages = Extremes::default();
        for at in (0..self.players.len()).filter(|&at| counts(at)) {
            averages.add(sums[at], i128::from(self.players[at]));
        }
        averages.spread()
    }

    /// Whether the assignment, with `players_left` to be placed, could still become legal.
    pub fn is_promising(&self, shape: &Shape, rules: &[TeamRule], players_left: u32) -> bool {
        self.players_missing(shape) <= players_left
            && rules.iter().enumerate().all(|(index, rule)| self.rule_is_promising(shape, index, rule))
    }

    /// The players without whom some team that must stand would be too small.
    fn players_missing(&self, shape: &Shape) -> u32 {
        let mut missing = 0;
        for group in &shape.groups {
            let positions = group.first..group.first + group.count_max;
            let mut opened = 0;
            for at in positions {
                let position = &shape.positions[at];
                if !group.varies || self.players[at] > 0 {
                    missing += position.min.saturating_sub(self.players[at]);
                    opened += 1;
                }
            }
            if group.varies && group.count_max > 0 {
                missing += group.count_min.saturating_sub(opened) as u32 * shape.positions[group.first].min;
            }
        }
        missing
    }

    fn rule_is_promising(&self, shape: &Shape, index: usize, rule: &TeamRule) -> bool {
        let sums = &self.sums[index * self.players.len()..(index + 1) * self.players.len()];
        match *rule {
            TeamRule::Difference { bound: Some(bound), .. } => {
                let spread = self.average_spread(sums, |at| self.is_closed(shape, at));
                spread.numerator <= i128::from(bound) * spread.denominator
            }
            TeamRule::Total { bound, never_negative: true, .. } if bound.greatest < i64::MAX => {
                sums.iter().all(|&sum| sum <= i128::from(bound.greatest))
            }
            TeamRule::Premade { bound: true, .. } => sums.iter().all(|&large| large <= 1),
            _ => true,
        }
    }

    /// Whether nobody can join a team any more.
    fn is_closed(&self, shape: &Shape, position: usize) -> bool {
        self.players[position] > 0 && self.players[position] == shape.positions[position].max
    }

    /// A bound from below of what the assignment can still come to: the averages of closed teams are final, and
    /// the average over all players lies between the least and the greatest team average.
    pub fn least_possible(&self, shape: &Shape, rules: &[TeamRule]) -> SplitCost {
        let mut cost = 0;
        for (index, rule) in rules.iter().enumerate() {
            if let TeamRule::Difference { preferred: window @ Some(_), weight, .. } = *rule {
                let sums = &self.sums[index * self.players.len()..(index + 1) * self.players.len()];
                let spread = self.average_spread(sums, |at| self.is_closed(shape, at));
                cost += difference_cost(spread, None, window, weight).unwrap_or(0);
            }
        }
        let finals = self.finals.last().copied().unwrap_or_default();
        SplitCost { cost, balance: finals.spread() }
    }

    /// The spread of the averages by which splits are told apart.
    fn balance(&self) -> Spread {
        let mut averages = Extremes::default();
        for (&sum, &count) in self.balance_sums.iter().zip(&self.balance_counts) {
            if count > 0 {
                averages.add(sum, count);
            }
        }
        averages.spread()
    }
}

/// The cost of a spread of averages; `None`: beyond the bound.
fn difference_cost(spread: Spread, bound: Option<i64>, preferred: Option<i64>, weight: i128) -> Option<i128> {
    if bound.is_some_and(|bound| spread.numerator > i128::from(bound) * spread.denominator) {
        return None;
    }
    let excess = preferred.map_or(0, |window| (spread.ceiling() - i128::from(window)).max(0));
    Some(BROKEN * weight * excess)
}
