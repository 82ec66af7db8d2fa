//! A match that was chosen from a pool, and the order in which sets of tickets compare.
//!
//! Used by the plain definitions ([`exhaustive`](super::exhaustive), [`pairs`](super::pairs) and
//! [`free_for_all`](super::free_for_all)), which differ only in the sets of tickets that they try. Invariant: a
//! set of tickets is compared with others at the cost of its cheapest legal split.

use crate::model::ids::{Millis, Seniority};
use crate::rules::check::{Facts, Judge, JudgedTicket, Ratio, Violation};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// A match that was chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChosenMatch {
    /// Indices into the pool, in the order of submit numbers.
    pub tickets: Vec<usize>,
    /// For each of them the position of its team, in the list of all declared teams.
    pub teams: Vec<usize>,
    /// Where it is played, as the queue compares names; `None` in a queue without a region rule.
    pub region: Option<Arc<str>>,
    /// Cost times players, in units of 10^-12.
    pub cost: i128,
}

/// Why a plain definition does not answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OracleError {
    /// The pool is too large to be enumerated.
    PoolTooLarge,
    /// The queue or a ticket is not of the kind that this definition is for; says what is not.
    OtherKind(&'static str),
    /// A ticket cannot be read.
    Unreadable(Violation),
}

impl fmt::Display for OracleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OracleError::PoolTooLarge => f.write_str("the pool is too large to be enumerated"),
            OracleError::OtherKind(what) => write!(f, "not a queue of this kind: {what}"),
            OracleError::Unreadable(violation) => write!(f, "{violation}"),
        }
    }
}

impl std::error::Error for OracleError {}

/// The waiting tickets of a queue at one instant.
pub(super) struct Pool<'a> {
    pub(super) judge: &'a Judge,
    pub(super) facts: Vec<Facts>,
    pub(super) down: &'a [&'a str],
    /// Indices, oldest first.
    pub(super) by_age: Vec<usize>,
    /// Indices in the order of submit numbers.
    pub(super) by_submit: Vec<usize>,
}

impl<'a> Pool<'a> {
    pub(super) fn new(
        judge: &'a Judge,
        tickets: &[JudgedTicket<'_>],
        now: Millis,
        down: &'a [&'a str],
    ) -> Result<Pool<'a>, OracleError> {
        let facts: Result<Vec<Facts>, _> = tickets.iter().map(|ticket| judge.read(ticket, now)).collect();
        let facts = facts.map_err(OracleError::Unreadable)?;
        let mut by_age: Vec<usize> = (0..facts.len()).collect();
        by_age.sort_by_key(|&index| facts[index].seniority());
        let mut by_submit: Vec<usize> = (0..facts.len()).collect();
        by_submit.sort_by_key(|&index| facts[index].seniority().submit_number);
        Ok(Pool { judge, facts, down, by_age, by_submit })
    }

    pub(super) fn seniority(&self, index: usize) -> Seniority {
        self.facts[index].seniority()
    }

    pub(super) fn submit_number(&self, index: usize) -> u64 {
        self.seniority(index).submit_number
    }

    /// The tickets younger than `anchor` that are not in `taken`, in the order of submit numbers.
    pub(super) fn younger(&self, anchor: usize, taken: &BTreeSet<usize>) -> Vec<usize> {
        let age = self.seniority(anchor);
        let free = self.by_submit.iter().copied().filter(|index| !taken.contains(index));
        free.filter(|&index| self.seniority(index) > age).collect()
    }

    /// Puts indices in the order of submit numbers.
    pub(super) fn in_submit_order(&self, mut tickets: Vec<usize>) -> Vec<usize> {
        tickets.sort_by_key(|&index| self.submit_number(index));
        tickets
    }

    /// Makes the best match of each anchor, oldest anchor first.
    ///
    /// This is "the best match, then the best among the rest, until there is none": the best match is that of
    /// the oldest ticket that has one as its match's oldest, and an anchor that has none has none among fewer
    /// tickets either, so each anchor needs to be looked at once.
    pub(super) fn all_by_anchor(
        &self,
        mut best_of: impl FnMut(usize, &BTreeSet<usize>) -> Option<ChosenMatch>,
    ) -> Vec<ChosenMatch> {
        let mut taken = BTreeSet::new();
        let mut matches = Vec::new();
        for &anchor in &self.by_age {
            if taken.contains(&anchor) {
                continue;
            }
            if let Some(found) = best_of(anchor, &taken) {
                taken.extend(found.tickets.iter().copied());
                matches.push(found);
            }
        }
        matches
    }
}

/// The best of the sets of tickets with one oldest ticket that were tried so far.
pub(super) struct Contest<'a> {
    pool: &'a Pool<'a>,
    best: Option<Entry>,
}

/// A set of tickets with its cheapest split.
struct Entry {
    players: u32,
    cost: i128,
    submit_numbers: Vec<u64>,
    chosen: ChosenMatch,
}

impl<'a> Contest<'a> {
    pub(super) fn new(pool: &'a Pool<'a>) -> Contest<'a> {
        Contest { pool, best: None }
    }

    /// Tries a set of tickets, given in the order of submit numbers. More players win, then the lower cost,
    /// then the lexicographically smaller list of submit numbers.
    pub(super) fn consider(&mut self, tickets: &[usize]) {
        let facts: Vec<&Facts> = tickets.iter().map(|&index| &self.pool.facts[index]).collect();
        let players: u32 = facts.iter().map(|ticket| ticket.size()).sum();
        if self.pool.judge.check_sizes(tickets.len(), players).is_err()
            || self.best.as_ref().is_some_and(|best| players < best.players)
        {
            return;
        }
        let Ok(set) = self.pool.judge.check_set(&facts, self.pool.down) else { return };
        // No split makes a set cheaper than it is by itself.
        if self.best.as_ref().is_some_and(|best| players == best.players && set.cost > best.cost) {
            return;
        }
        let Some((split_cost, teams)) = cheapest_split(self.pool.judge, &facts) else { return };
        let entry = Entry {
            players,
            cost: set.cost + split_cost,
            submit_numbers: tickets.iter().map(|&index| self.pool.submit_number(index)).collect(),
            chosen: ChosenMatch {
                tickets: tickets.to_vec(),
                teams,
                region: set.regions.first().map(|region| region.name.clone()),
                cost: set.cost + split_cost,
            },
        };
        let order = |entry: &Entry| (Reverse(entry.players), entry.cost, entry.submit_numbers.clone());
        if self.best.as_ref().is_none_or(|best| order(&entry) < order(best)) {
            self.best = Some(entry);
        }
    }

    pub(super) fn into_best(self) -> Option<ChosenMatch> {
        self.best.map(|best| best.chosen)
    }
}

/// Of all legal splits the cheapest, then the one with the least spread of team averages, then the one with the
/// lexicographically smallest list of team positions. `None` if no split is legal.
fn cheapest_split(judge: &Judge, tickets: &[&Facts]) -> Option<(i128, Vec<usize>)> {
    let mut splits = Splits { judge, tickets, teams: Vec::new(), best: None };
    let room = (0..judge.team_count()).map(|position| judge.team_players_max(position)).collect();
    splits.seat_next(room);
    splits.best.map(|(cost, _, teams)| (cost, teams))
}

struct Splits<'a> {
    judge: &'a Judge,
    tickets: &'a [&'a Facts],
    teams: Vec<usize>,
    best: Option<(i128, Ratio, Vec<usize>)>,
}

impl Splits<'_> {
    /// Seats the next ticket in every team that has room, in the order of positions: so splits come in
    /// lexicographic order, and of equal ones the first is kept. `room` holds each team's free seats.
    fn seat_next(&mut self, room: Vec<u32>) {
        let Some(ticket) = self.tickets.get(self.teams.len()) else { return self.judge_seating() };
        for position in 0..room.len() {
            if ticket.size() <= room[position] {
                let mut left = room.clone();
                left[position] -= ticket.size();
                self.teams.push(position);
                self.seat_next(left);
                self.teams.pop();
            }
        }
    }

    fn judge_seating(&mut self) {
        let Ok(split) = self.judge.check_split(self.tickets, &self.teams) else { return };
        let better = match &self.best {
            None => true,
            Some((cost, spread, _)) => (split.cost, split.team_spread) < (*cost, *spread),
        };
        if better {
            self.best = Some((split.cost, split.team_spread, self.teams.clone()));
        }
    }
}
