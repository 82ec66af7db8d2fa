//! The shape of a match: which teams stand, how large they are, and which totals of players are legal.
//!
//! Compiled from a queue's teams and sizes; asked by the seating of tickets and by the door. Invariant: the legal
//! totals are those that team sizes, `players` and `multiple` allow, whatever the rules and the parties.

use super::spec::QueueSpec;
use crate::model::limits::MATCH_PLAYERS_MAX;
use std::sync::Arc;

/// One team as declared, range groups at their greatest count.
#[derive(Clone, Debug)]
pub struct Position {
    /// Its name in the output.
    pub name: Arc<str>,
    /// The group that it belongs to.
    pub group: usize,
    /// Least players, if it stands.
    pub min: u32,
    /// Greatest players.
    pub max: u32,
    /// Positions with equal classes can change places without changing what is legal or what it costs.
    pub class: usize,
}

/// Teams that are declared together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Group {
    /// Index of its first position.
    pub first: usize,
    /// How many stand, at least.
    pub count_min: usize,
    /// How many stand, at most: as many positions as it has.
    pub count_max: usize,
    /// Whether the count may vary; then a team that stands has a player, and one that has none counts nowhere.
    pub varies: bool,
}

/// The shape of a queue's matches.
#[derive(Clone, Debug)]
pub struct Shape {
    /// All teams, in the order of the file.
    pub positions: Vec<Position>,
    /// Their groups, in the order of the file.
    pub groups: Vec<Group>,
    /// Whether the queue declares teams; else the one position is `all`.
    pub has_teams: bool,
    /// The greatest legal total of players.
    pub full: u32,
    /// The greatest maximum of any team.
    pub team_max: u32,
    /// The least number of tickets in a match.
    pub min_tickets: u32,
    /// Whether a ticket that is a full match may stand alone, whatever `min_tickets` says.
    pub full_may_stand_alone: bool,
    totals: TotalSet,
}

impl Shape {
    /// Compiles the shape of a queue that has been validated.
    pub fn new(spec: &QueueSpec) -> Shape {
        let mut shape = Shape {
            positions: Vec::new(),
            groups: Vec::new(),
            has_teams: !spec.teams.is_empty(),
            full: 0,
            team_max: 0,
            min_tickets: spec.min_tickets.unwrap_or(if spec.teams.is_empty() { 2 } else { 1 }),
            full_may_stand_alone: spec.min_tickets.is_none(),
            totals: TotalSet::only(0),
        };
        for team in &spec.teams {
            let count = team.count.map_or((1, 1, false), |c| (c.min as usize, c.max as usize, c.is_range));
            shape.add_group(&team.name, team.count.is_some(), count, (team.players_min, team.players_max));
        }
        if spec.teams.is_empty() {
            let max = spec.players.max.unwrap_or(MATCH_PLAYERS_MAX as u32);
            shape.add_group("all", false, (1, 1, false), (spec.players.min.unwrap_or(1), max));
        }
        shape.classify();
        shape.totals.retain(|total| {
            total > 0
                && spec.players.min.is_none_or(|min| total >= min)
                && spec.players.max.is_none_or(|max| total <= max)
                && spec.players.multiple.is_none_or(|multiple| total.is_multiple_of(multiple.max(1)))
        });
        shape.full = shape.totals.greatest_up_to(MATCH_PLAYERS_MAX as u32).unwrap_or(0);
        shape.team_max = shape.positions.iter().map(|position| position.max).max().unwrap_or(0);
        shape
    }

    fn add_group(&mut self, name: &str, numbered: bool, count: (usize, usize, bool), size: (u32, u32)) {
        let (count_min, count_max, is_range) = count;
        let varies = is_range;
        let group = Group { first: self.positions.len(), count_min, count_max, varies };
        let min = if varies { size.0.max(1) } else { size.0 };
        for number in 1..=count_max {
            let name = if numbered { format!("{name}_{number}") } else { name.to_owned() };
            let position =
                Position { name: name.into(), group: self.groups.len(), min, max: size.1, class: 0 };
            self.positions.push(position);
        }
        let mut sums = TotalSet::default();
        for standing in count_min as u32..=count_max as u32 {
            sums.insert_range(standing.saturating_mul(min), standing.saturating_mul(size.1));
        }
        self.totals = self.totals.sums_with(&sums);
        self.groups.push(group);
    }

    /// Fixed positions of equal size are one class, whatever their group; a varying group is a class of its own.
    fn classify(&mut self) {
        for index in 0..self.positions.len() {
            let position = &self.positions[index];
            let same = self.positions[..index].iter().position(|other| {
                let group = &self.groups[position.group];
                let alike = (other.min, other.max) == (position.min, position.max);
                other.group == position.group || (alike && !group.varies && !self.groups[other.group].varies)
            });
            self.positions[index].class = same.map_or(index, |other| self.positions[other].class);
        }
    }

    /// Whether a match may have so many players.
    pub fn is_legal_total(&self, players: u32) -> bool {
        self.totals.contains(players)
    }

    /// The greatest legal total that is not above `players`.
    pub fn greatest_total_up_to(&self, players: u32) -> Option<u32> {
        self.totals.greatest_up_to(players)
    }

    /// All legal totals, in ascending order.
    pub fn legal_totals(&self) -> impl Iterator<Item = u32> + '_ {
        (0..=MATCH_PLAYERS_MAX as u32).filter(|&total| self.totals.contains(total))
    }

    /// Whether `tickets` tickets with `players` players in all are enough of them.
    pub fn enough_tickets(&self, tickets: usize, players: u32) -> bool {
        tickets as u32 >= self.min_tickets
            || (tickets == 1 && self.full_may_stand_alone && players == self.full)
    }
}

/// A set of totals from 0 to 256.
#[derive(Clone, Debug, Default)]
struct TotalSet {
    words: [u64; MATCH_PLAYERS_MAX / 64 + 1],
}

impl TotalSet {
    fn only(total: u32) -> TotalSet {
        let mut set = TotalSet::default();
        set.insert_range(total, total);
        set
    }

    /// Adds `low..=high`, as far as it lies within the set's range.
    fn insert_range(&mut self, low: u32, high: u32) {
        for total in low..=high.min(MATCH_PLAYERS_MAX as u32) {
            self.words[total as usize / 64] |= 1 << (total % 64);
        }
    }

    fn contains(&self, total: u32) -> bool {
        self.words.get(total as usize / 64).is_some_and(|word| word >> (total % 64) & 1 == 1)
    }

    fn sums_with(&self, other: &TotalSet) -> TotalSet {
        let mut sums = TotalSet::default();
        for a in (0..=MATCH_PLAYERS_MAX as u32).filter(|&a| self.contains(a)) {
            for b in (0..=MATCH_PLAYERS_MAX as u32 - a).filter(|&b| other.contains(b)) {
                sums.insert_range(a + b, a + b);
            }
        }
        sums
    }

    fn retain(&mut self, keep: impl Fn(u32) -> bool) {
        for total in 0..=MATCH_PLAYERS_MAX as u32 {
            if !keep(total) {
                self.words[total as usize / 64] &= !(1 << (total % 64));
            }
        }
    }

    fn greatest_up_to(&self, total: u32) -> Option<u32> {
        // Asked at every step of a search, so by words and not by totals.
        let total = total.min(MATCH_PLAYERS_MAX as u32);
        let last = total as usize / 64;
        let up_to_total = u64::MAX >> (63 - total % 64);
        let word = |at: usize| self.words[at] & if at == last { up_to_total } else { u64::MAX };
        let at = (0..=last).rev().find(|&at| word(at) != 0)?;
        Some(at as u32 * 64 + 63 - word(at).leading_zeros())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::spec::{TeamCount, TeamSpec};

    fn totals(teams: &[(Option<(u32, u32, bool)>, u32, u32)], players: (u32, u32, u32)) -> Vec<u32> {
        let mut spec = QueueSpec::new("q", players.0, players.1);
        spec.players.multiple = Some(players.2);
        spec.teams = teams
            .iter()
            .map(|&(count, players_min, players_max)| TeamSpec {
                name: "t".into(),
                count: count.map(|(min, max, is_range)| TeamCount { min, max, is_range }),
                players_min,
                players_max,
            })
            .collect();
        Shape::new(&spec).legal_totals().collect()
    }

    #[test]
    fn legal_totals_follow_teams_players_and_multiple() {
        assert_eq!(totals(&[(None, 5, 5), (None, 5, 5)], (1, 256, 1)), [10]);
        assert_eq!(totals(&[(None, 1, 1), (None, 3, 4)], (1, 256, 1)), [4, 5]);
        assert_eq!(totals(&[(Some((2, 4, true)), 2, 2)], (1, 256, 1)), [4, 6, 8]);
        assert_eq!(totals(&[(Some((0, 2, true)), 0, 1), (None, 1, 1)], (1, 256, 1)), [1, 2, 3]);
        assert_eq!(totals(&[(Some((3, 3, false)), 0, 1)], (1, 256, 1)), [1, 2, 3]);
        assert_eq!(totals(&[], (2, 9, 4)), [4, 8]);
    }

    #[test]
    fn the_greatest_total_is_found_from_any_number_of_players() {
        for sizes in [vec![10], vec![2, 63, 64, 65, 127, 128, 256], vec![]] {
            let mut set = TotalSet::default();
            sizes.iter().for_each(|&size| set.insert_range(size, size));
            for players in 0..=300 {
                let right = sizes.iter().copied().filter(|&size| size <= players).max();
                assert_eq!(set.greatest_up_to(players), right, "{sizes:?} up to {players}");
            }
        }
    }

    #[test]
    fn equal_fixed_teams_are_one_class() {
        let mut spec = QueueSpec::new("q", 1, 256);
        let team = |name: &str, count, size| TeamSpec {
            name: name.into(),
            count,
            players_min: size,
            players_max: size,
        };
        let range = Some(TeamCount { min: 1, max: 2, is_range: true });
        spec.teams =
            vec![team("red", None, 5), team("blue", None, 5), team("vip", None, 1), team("s", range, 5)];
        let shape = Shape::new(&spec);
        let classes: Vec<usize> = shape.positions.iter().map(|p| p.class).collect();
        assert_eq!(classes, [0, 0, 2, 3, 3]);
        assert_eq!(&*shape.positions[4].name, "s_2");
    }
}
