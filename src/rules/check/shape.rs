//! Teams and sizes: which teams a queue declares, which of them stand, and how many players a match may have.
//!
//! Called by the judge and by the enumeration of splits. Sizes count players, never tickets.

use super::violation::{Clause, Violation};
use crate::base::fixed::MICROS;
use crate::model::limits::MATCH_PLAYERS_MAX;
use crate::rules::spec::QueueSpec;

/// One declared team. Team positions are indices into the list of all of them, group by group, a group with a
/// range of counts at its greatest.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) name: String,
    pub(super) players_min: u32,
    pub(super) players_max: u32,
}

/// Teams that are alike.
#[derive(Clone, Debug)]
struct Group {
    first: usize,
    count: usize,
    /// The least count that stands, if the count is a range.
    count_min: Option<usize>,
}

/// The declared teams and the legal sizes of a queue.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) places: Vec<Place>,
    groups: Vec<Group>,
    has_teams: bool,
    players_min: u32,
    players_max: u32,
    multiple: u32,
    min_tickets: Option<u32>,
    /// The size of a full match.
    pub(super) full: Option<u32>,
}

impl Shape {
    pub(super) fn new(spec: &QueueSpec) -> Shape {
        let mut shape = Shape {
            places: Vec::new(),
            groups: Vec::new(),
            has_teams: !spec.teams.is_empty(),
            players_min: spec.players.min.unwrap_or(1),
            players_max: spec.players.max.unwrap_or(MATCH_PLAYERS_MAX as u32),
            multiple: spec.players.multiple.unwrap_or(1).max(1),
            min_tickets: spec.min_tickets,
            full: None,
        };
        for team in &spec.teams {
            let first = shape.places.len();
            let count = team.count.map_or(1, |count| count.max as usize);
            for number in 1..=count {
                let name = match team.count {
                    None => team.name.clone(),
                    Some(_) => format!("{}_{number}", team.name),
                };
                let (players_min, players_max) = (team.players_min, team.players_max);
                shape.places.push(Place { name, players_min, players_max });
            }
            let range = team.count.filter(|count| count.is_range);
            shape.groups.push(Group { first, count, count_min: range.map(|count| count.min as usize) });
        }
        if spec.teams.is_empty() {
            let (players_min, players_max) = (shape.players_min, shape.players_max);
            shape.places.push(Place { name: "all".to_owned(), players_min, players_max });
            shape.groups.push(Group { first: 0, count: 1, count_min: None });
        }
        shape.full = shape.full_size();
        shape
    }

    pub(super) fn has_teams(&self) -> bool {
        self.has_teams
    }

    /// The greatest number of players that team sizes, `players` and `multiple` allow.
    fn full_size(&self) -> Option<u32> {
        let totals = self.team_totals();
        (1..totals.len() as u32).rev().find(|&total| totals[total as usize] && self.is_match_size(total))
    }

    /// For each count of players whether the teams can hold exactly so many.
    fn team_totals(&self) -> Vec<bool> {
        let mut totals = vec![false; MATCH_PLAYERS_MAX + 1];
        totals[0] = true;
        for group in &self.groups {
            let place = &self.places[group.first];
            let least_each =
                if group.count_min.is_some() { place.players_min.max(1) } else { place.players_min };
            let mut next = vec![false; totals.len()];
            for count in group.count_min.unwrap_or(group.count)..=group.count {
                let least = count * least_each as usize;
                let most = count * place.players_max as usize;
                for (before, _) in totals.iter().enumerate().filter(|(_, possible)| **possible) {
                    let most = (before + most).min(MATCH_PLAYERS_MAX);
                    if before + least <= most {
                        next[before + least..=most].fill(true);
                    }
                }
            }
            totals = next;
        }
        totals
    }

    fn is_match_size(&self, players: u32) -> bool {
        (self.players_min..=self.players_max).contains(&players) && players.is_multiple_of(self.multiple)
    }

    /// The match is within its size in players.
    pub(super) fn match_size(&self, players: u32) -> Result<(), Violation> {
        if players < self.players_min {
            return Err(Violation::below(
                Clause::MatchSize,
                "players",
                whole(players),
                whole(self.players_min),
            ));
        }
        if players > self.players_max {
            return Err(Violation::above(
                Clause::MatchSize,
                "players",
                whole(players),
                whole(self.players_max),
            ));
        }
        Ok(())
    }

    /// The count of players is a multiple of what the queue says.
    pub(super) fn multiple(&self, players: u32) -> Result<(), Violation> {
        if players.is_multiple_of(self.multiple) {
            return Ok(());
        }
        let right = format!("a multiple of {}", self.multiple);
        Err(Violation::differ(Clause::Multiple, "players", players, right))
    }

    /// At least `min_tickets` tickets. Not written: 1 with teams; without teams 2, where one ticket that is a
    /// full match may stand alone.
    pub(super) fn min_tickets(&self, tickets: usize, players: u32) -> Result<(), Violation> {
        let full_alone = tickets == 1 && self.full == Some(players);
        let least = match self.min_tickets {
            Some(written) => written,
            None if self.has_teams || full_alone => 1,
            None => 2,
        };
        if tickets as u32 >= least {
            return Ok(());
        }
        Err(Violation::below(Clause::MinTickets, "tickets", whole(tickets as u32), whole(least)))
    }

    /// Every team that stands is within its size, and in a group with a range of counts the first k stand, each
    /// with at least one player. Returns the positions of the teams that stand.
    pub(super) fn team_sizes(&self, sizes: &[u32]) -> Result<Vec<usize>, Violation> {
        let mut standing = Vec::with_capacity(sizes.len());
        for group in &self.groups {
            let stands = match group.count_min {
                None => group.count,
                Some(least) => self.range_that_stands(group, least, sizes)?,
            };
            for (position, &size) in sizes.iter().enumerate().skip(group.first).take(stands) {
                self.team_size(position, size)?;
                standing.push(position);
            }
        }
        Ok(standing)
    }

    fn range_that_stands(&self, group: &Group, least: usize, sizes: &[u32]) -> Result<usize, Violation> {
        let sizes = &sizes[group.first..group.first + group.count];
        let taken = sizes.iter().filter(|&&size| size > 0).count();
        if taken < least {
            let (found, least) = (whole(taken as u32), whole(least as u32));
            return Err(Violation::below(Clause::TeamSizes, "teams that stand", found, least));
        }
        if sizes[..taken].contains(&0) {
            return Err(Violation::absent(Clause::TeamSizes, "player in a team before one that has some"));
        }
        Ok(taken)
    }

    fn team_size(&self, position: usize, size: u32) -> Result<(), Violation> {
        let place = &self.places[position];
        if size < place.players_min {
            let least = whole(place.players_min);
            return Err(Violation::below(Clause::TeamSizes, "players of a team", whole(size), least));
        }
        if size > place.players_max {
            let most = whole(place.players_max);
            return Err(Violation::above(Clause::TeamSizes, "players of a team", whole(size), most));
        }
        Ok(())
    }

    /// Players from which a party is a large one: half of the greatest team, rounded up, and at least 2.
    pub(super) fn large_party(&self) -> u32 {
        let greatest = self.places.iter().map(|place| place.players_max).max().unwrap_or(0);
        greatest.div_ceil(2).max(2)
    }
}

/// A count in units of 0.000001.
pub(super) fn whole(count: u32) -> i128 {
    i128::from(count) * i128::from(MICROS)
}
