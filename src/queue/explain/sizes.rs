//! Whether parties of given sizes go into the teams of a match, each whole.
//!
//! Used by `missing`. A depth-first search that fills team after team, largest parties first, and remembers what it
//! has failed at between two teams. Exact up to a count of nodes; beyond it the answer is "unknown".

use crate::model::limits::TICKET_PLAYERS_MAX;
use crate::rules::shape::Shape;
use std::collections::BTreeSet;

/// Nodes of one search: chosen so that it takes milliseconds at most.
const NODES: u32 = 50_000;

/// Parties by size.
pub(super) type Counts = [u16; TICKET_PLAYERS_MAX + 1];

/// Whether a match can be made of a party of `own` players and some of `counts`. `full`: only a full one. `None`: too
/// many ways to try.
pub(super) fn can_be_seated(shape: &Shape, own: u32, counts: &Counts, full: bool) -> Option<bool> {
    let mut filling = Filling {
        shape,
        own,
        full,
        counts: *counts,
        teams: Vec::new(),
        failed: BTreeSet::new(),
        nodes_left: NODES,
    };
    let found = filling.choose_teams(0);
    (found || filling.nodes_left > 0).then_some(found)
}

struct Filling<'a> {
    shape: &'a Shape,
    own: u32,
    full: bool,
    counts: Counts,
    /// Least and greatest size of the teams that stand.
    teams: Vec<(u32, u32)>,
    /// What was left at the beginning of a team when nothing came of it.
    failed: BTreeSet<(usize, Left, Vec<u16>)>,
    nodes_left: u32,
}

/// What has been seated so far.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Left {
    is_own_seated: bool,
    players: u32,
    tickets: usize,
}

impl Filling<'_> {
    /// Tries every count of teams that stand, the most first.
    fn choose_teams(&mut self, group: usize) -> bool {
        let Some(&of) = self.shape.groups.get(group) else {
            self.failed.clear();
            return self.fill(0, Left { is_own_seated: false, players: 0, tickets: 0 });
        };
        let least = if of.varies { of.count_min } else { of.count_max };
        let position = &self.shape.positions[of.first];
        let size = (position.min, position.max);
        for count in (least..=of.count_max).rev() {
            let before = self.teams.len();
            self.teams.extend(std::iter::repeat_n(size, count));
            let found = self.choose_teams(group + 1);
            self.teams.truncate(before);
            if found || self.nodes_left == 0 {
                return found;
            }
        }
        false
    }

    /// Fills the teams from `team` on.
    fn fill(&mut self, team: usize, left: Left) -> bool {
        if team == self.teams.len() {
            return left.is_own_seated
                && self.shape.is_legal_total(left.players)
                && self.shape.enough_tickets(left.tickets, left.players)
                && (!self.full || left.players == self.shape.full);
        }
        let key = (team, left, self.counts.to_vec());
        if self.failed.contains(&key) {
            return false;
        }
        let found = self.seat(team, 0, TICKET_PLAYERS_MAX, left);
        if !found && self.nodes_left > 0 {
            self.failed.insert(key);
        }
        found
    }

    /// Seats more in a team that has `seated` players, parties of at most `largest`, or goes on to the next team.
    fn seat(&mut self, team: usize, seated: u32, largest: usize, left: Left) -> bool {
        if self.nodes_left == 0 {
            return false;
        }
        self.nodes_left -= 1;
        let (least, most) = self.teams[team];
        let room = most.saturating_sub(seated).min(self.shape.full.saturating_sub(left.players));
        let more = |size: u32, is_own: bool| Left {
            is_own_seated: left.is_own_seated || is_own,
            players: left.players + size,
            tickets: left.tickets + 1,
        };
        if !left.is_own_seated
            && self.own <= room
            && self.seat(team, seated + self.own, largest, more(self.own, true))
        {
            return true;
        }
        for size in (1..=largest.min(room as usize)).rev() {
            if self.counts[size] == 0 {
                continue;
            }
            self.counts[size] -= 1;
            let found = self.seat(team, seated + size as u32, size, more(size as u32, false));
            self.counts[size] += 1;
            if found {
                return true;
            }
        }
        seated >= least && self.fill(team + 1, left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::spec::{QueueSpec, TeamCount, TeamSpec};

    fn counts(parties: &[usize]) -> Counts {
        let mut counts = [0; TICKET_PLAYERS_MAX + 1];
        parties.iter().for_each(|&size| counts[size] += 1);
        counts
    }

    fn shape(teams: u32, size: u32) -> Shape {
        let mut spec = QueueSpec::new("q", 1, 256);
        spec.teams.push(TeamSpec {
            name: "t".into(),
            count: Some(TeamCount { min: teams, max: teams, is_range: false }),
            players_min: size,
            players_max: size,
        });
        Shape::new(&spec)
    }

    #[test]
    fn parties_stay_whole() {
        let duos = shape(2, 5);
        assert_eq!(can_be_seated(&duos, 3, &counts(&[2, 4, 1]), false), Some(true));
        assert_eq!(can_be_seated(&duos, 4, &counts(&[2, 2, 2]), false), Some(false));
        assert_eq!(can_be_seated(&duos, 4, &counts(&[2, 2, 2, 1, 1]), false), Some(true));
        assert_eq!(can_be_seated(&duos, 3, &counts(&[3, 3, 1]), false), Some(false));
        assert_eq!(can_be_seated(&shape(20, 3), 2, &counts(&[1; 58]), false), Some(true));
        assert_eq!(can_be_seated(&shape(2, 32), 3, &counts(&[3; 22]), false), Some(false));
    }

    #[test]
    fn a_full_match_may_be_asked_for() {
        let spec = QueueSpec::new("q", 2, 6);
        let shape = Shape::new(&spec);
        assert_eq!(can_be_seated(&shape, 2, &counts(&[3]), false), Some(true));
        assert_eq!(can_be_seated(&shape, 2, &counts(&[3]), true), Some(false));
        assert_eq!(can_be_seated(&shape, 2, &counts(&[3, 4]), true), Some(true));
        assert_eq!(can_be_seated(&shape, 1, &counts(&[]), false), Some(false));
    }
}
