//! The split of a set of tickets into teams: legal, cheapest, most even, first.
//!
//! Searches ask whether a legal split exists and what the cheapest costs; the winner is then split for good. The
//! assignment goes ticket by ticket in submit order, lower positions first, so the first of equal splits is the
//! lexicographically smallest; teams that can change places are opened in order, tickets that are alike stay in
//! order, and a branch that cannot beat the best split is left. Exact up to a count of nodes, which is
//! enough for 16 single players in two, four and eight teams (`tests/quality.rs`); beyond it the best split so far
//! stands and says so.

use super::halves::{self, Halves};
use super::quality::{SetTerms, bands, least_windows};
use super::scene::Scene;
use super::split::{Assignment, SplitCost, Spread, TeamRule, Ticket};
use crate::model::limits::MATCH_PLAYERS_MAX;
use crate::rules::compile::{CompiledQueue, Kind};
use crate::rules::spec::TotalScope;
use std::cmp::Ordering;

/// Nodes of a split search over at most [`EXACT_TICKETS`] tickets: 16 single players in four teams of four make
/// 2.6 million splits, and the bounds leave most of them unvisited.
const NODES_EXACT: u64 = 16_000_000;
/// Nodes of a split search over more tickets: chosen so that it takes milliseconds at most.
const NODES_LARGE: u64 = 20_000;
/// The same where only the cheapest cost is asked for, which a search asks of every set that it judges: chosen, not
/// measured, so that one set costs little beside the two guesses that come first.
const NODES_LARGE_CHEAPEST: u64 = 2_000;
/// Up to so many tickets the best split is exact.
const EXACT_TICKETS: usize = 16;

/// How far a split search goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// The least cost of a legal split.
    Cheapest,
    /// The cheapest split with the most even averages, and the first of those.
    Best,
}

/// How a first split is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Guess {
    /// Each ticket to the team with the fewest players, then the least sum.
    Spread,
    /// Each ticket to the team with the most players that it still fits.
    Packed,
}

/// The answer of a split search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SplitFound {
    /// The part of the cost that depends on the split, times the players, in units of 10^-12.
    pub cost: i128,
    /// Greatest minus least team average.
    pub balance: Spread,
}

/// Splits sets of tickets; keeps its memory between calls.
#[derive(Default)]
pub struct Splitter {
    tickets: Vec<Ticket>,
    rules: Vec<TeamRule>,
    assignment: Assignment,
    best: Option<SplitCost>,
    /// Whether `best_teams` is of the search in hand and not of the first guess.
    settled: bool,
    best_teams: Vec<u32>,
    players_left: u32,
    nodes_left: u64,
    order: Vec<u32>,
}

impl Splitter {
    /// Splits `set`; `None`: no legal split, or none found within the nodes. The second answer says whether the
    /// search ended by itself. With [`Goal::Best`], `teams` holds the position of each ticket in submit order.
    pub fn split(
        &mut self,
        scene: &Scene<'_>,
        set: &[u32],
        terms: &SetTerms,
        goal: Goal,
    ) -> (Option<SplitFound>, bool) {
        let queue = scene.queue;
        self.load(scene, set, terms.players);
        self.assignment.reset(&queue.shape, &self.tickets, self.rules.len());
        self.best = None;
        self.settled = false;
        self.players_left = terms.players;
        let (count, assignment) = (self.tickets.len(), &self.assignment);
        let amount = |rule, at| assignment.amount(rule, at, count);
        match halves::best(queue, &self.tickets, &self.rules, amount) {
            Halves::Best(second) => return (self.take_halves(queue, second), true),
            Halves::None => return (None, true),
            Halves::Unfit => {}
        }
        self.nodes_left = match (set.len() <= EXACT_TICKETS, goal) {
            (true, _) => NODES_EXACT,
            (false, Goal::Best) => NODES_LARGE,
            (false, Goal::Cheapest) => NODES_LARGE_CHEAPEST,
        };
        for guess in [Guess::Spread, Guess::Packed] {
            if queue.shape.positions.len() > 1 && self.best.is_none() {
                self.guess(queue, guess);
            }
        }
        let is_good_enough = goal == Goal::Cheapest && self.best.is_some_and(|best| best.cost == 0);
        if !is_good_enough {
            self.descend(queue, 0, goal);
        }
        let found = self.best.map(|best| SplitFound { cost: best.cost, balance: best.balance });
        (found, self.nodes_left > 0)
    }

    /// Takes the best split into two teams for what it is, if it is legal.
    fn take_halves(&mut self, queue: &CompiledQueue, second: u32) -> Option<SplitFound> {
        for at in 0..self.tickets.len() {
            let position = second >> (self.tickets.len() - 1 - at) & 1;
            self.assignment.place(&self.tickets, at, position as usize);
        }
        let best = self.assignment.judge(queue, &self.rules)?;
        self.best_teams.clear();
        self.best_teams.extend_from_slice(self.assignment.teams());
        Some(SplitFound { cost: best.cost, balance: best.balance })
    }

    /// The position of each ticket of the last split, in submit order.
    pub fn teams(&self) -> &[u32] {
        &self.best_teams
    }

    /// The rows of the last split, in submit order.
    pub fn rows(&self) -> impl Iterator<Item = u32> + '_ {
        self.tickets.iter().map(|ticket| ticket.row)
    }

    fn load(&mut self, scene: &Scene<'_>, set: &[u32], players: u32) {
        let queue = scene.queue;
        self.tickets.clear();
        self.tickets.extend(set.iter().map(|&row| Ticket::read(scene, row)));
        self.tickets.sort_unstable_by_key(|ticket| ticket.submit_number);
        self.rules.clear();
        for (index, rule) in queue.rules.iter().enumerate() {
            let weight = i128::from(rule.weight) * i128::from(players);
            let made = match rule.kind {
                Kind::TeamDifference(slot, _) => {
                    let (bound, preferred) = least_windows(scene, set, index);
                    TeamRule::Difference { slot, bound, preferred, weight }
                }
                Kind::TeamSize(_) => {
                    let (bound, preferred) = least_windows(scene, set, index);
                    TeamRule::Size { bound, preferred, weight }
                }
                Kind::Total(slot, _, TotalScope::Team) => {
                    let (bound, preferred) = bands(scene, set, index);
                    let never_negative =
                        slot.is_none_or(|slot| set.iter().all(|&r| scene.tickets.number(slot, r) >= 0));
                    TeamRule::Total { slot, bound, preferred, weight, never_negative }
                }
                Kind::PremadeBalance(_) => {
                    let (bound, preferred) = least_windows(scene, set, index);
                    TeamRule::Premade { bound: bound.is_some(), preferred: preferred.is_some(), weight }
                }
                _ => continue,
            };
            if !made.is_idle() {
                self.rules.push(made);
            }
        }
        for rule in 0..self.rules.len() {
            for ticket in 0..self.tickets.len() {
                let amount = self.rules[rule].amount(scene, self.tickets[ticket].row);
                self.assignment.set_amount(rule, ticket, self.tickets.len(), amount);
            }
        }
        for at in 0..self.tickets.len() {
            let twin = (0..at).rev().find(|&other| {
                self.tickets[other].is_like(&self.tickets[at])
                    && (0..self.rules.len()).all(|rule| {
                        self.assignment.amount(rule, other, self.tickets.len())
                            == self.assignment.amount(rule, at, self.tickets.len())
                    })
            });
            self.tickets[at].twin = twin;
        }
    }

    /// A first split, the largest and best tickets first. It only gives the search something to beat.
    fn guess(&mut self, queue: &CompiledQueue, guess: Guess) {
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.extend(0..self.tickets.len() as u32);
        order.sort_by_key(|&at| {
            let ticket = &self.tickets[at as usize];
            (std::cmp::Reverse(ticket.size), std::cmp::Reverse(ticket.balance_sum), at)
        });
        let mut placed = true;
        for &at in &order {
            let size = self.tickets[at as usize].size;
            let open = (0..queue.shape.positions.len()).filter(|&position| {
                self.assignment.players(position) + size <= queue.shape.positions[position].max
            });
            let choice = open.min_by_key(|&position| {
                let short = self.assignment.players(position) < queue.shape.positions[position].min;
                let players = match guess {
                    Guess::Spread => self.assignment.players(position),
                    Guess::Packed => u32::MAX - self.assignment.players(position),
                };
                (!short, players, self.assignment.balance_sum(position), position)
            });
            match choice {
                Some(position) => self.assignment.place(&self.tickets, at as usize, position),
                None => {
                    placed = false;
                    break;
                }
            }
        }
        if placed {
            self.best = self.assignment.judge(queue, &self.rules);
            self.best_teams.clear();
            self.best_teams.extend_from_slice(self.assignment.teams());
        }
        self.assignment.clear();
        self.order = order;
    }

    /// Places ticket `at` and all later ones in every way that could still beat the best split.
    fn descend(&mut self, queue: &CompiledQueue, at: usize, goal: Goal) {
        if self.nodes_left == 0 {
            return;
        }
        self.nodes_left -= 1;
        if at == self.tickets.len() {
            if let Some(cost) = self.assignment.judge(queue, &self.rules) {
                let better = match self.best {
                    None => true,
                    Some(best) => match cost.cmp_to(&best) {
                        Ordering::Less => true,
                        Ordering::Equal => !self.settled,
                        Ordering::Greater => false,
                    },
                };
                if better {
                    self.best = Some(cost);
                    self.settled = true;
                    self.best_teams.clear();
                    self.best_teams.extend_from_slice(self.assignment.teams());
                }
            }
            return;
        }
        let size = self.tickets[at].size;
        let twin_team = self.tickets[at].twin.map(|twin| self.assignment.teams()[twin]);
        // Teams of one class are opened in order: an empty one only if no earlier one of its class is empty.
        let mut opened = [0_u64; MATCH_PLAYERS_MAX / 64];
        for position in 0..queue.shape.positions.len() {
            let class = queue.shape.positions[position].class;
            let is_empty = self.assignment.players(position) == 0;
            let is_later = is_empty
                && match opened.get_mut(class / 64) {
                    Some(word) => {
                        let was = *word >> (class % 64) & 1 == 1;
                        *word |= 1 << (class % 64);
                        was
                    }
                    None => (0..position).any(|earlier| {
                        queue.shape.positions[earlier].class == class && self.assignment.players(earlier) == 0
                    }),
                };
            if twin_team.is_some_and(|team| (position as u32) < team)
                || is_later
                || self.assignment.players(position) + size > queue.shape.positions[position].max
            {
                continue;
            }
            self.assignment.place(&self.tickets, at, position);
            self.players_left -= size;
            if self.assignment.is_promising(&queue.shape, &self.rules, self.players_left)
                && self.could_beat(queue)
            {
                self.descend(queue, at + 1, goal);
            }
            self.players_left += size;
            self.assignment.take_back(&self.tickets, at, position);
            if goal == Goal::Cheapest && self.settled && self.best.is_some_and(|best| best.cost == 0) {
                return;
            }
        }
    }

    fn could_beat(&self, queue: &CompiledQueue) -> bool {
        let Some(best) = self.best else { return true };
        let bound = self.assignment.least_possible(&queue.shape, &self.rules);
        match bound.cmp_to(&best) {
            Ordering::Less => true,
            Ordering::Equal => !self.settled,
            Ordering::Greater => false,
        }
    }
}
