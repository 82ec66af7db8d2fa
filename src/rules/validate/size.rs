//! Teams and match sizes: which counts of players a queue allows at all. Called by `validate` and by whoever
//! prints a queue's sizes.
//!
//! Method: the sums that the team groups can reach are built group by group over 0..=256, so no product is
//! ever formed that could overflow.

use super::Faults;
use crate::model::limits::MATCH_PLAYERS_MAX;
use crate::rules::spec::{QueueSpec, TeamSpec};
use std::collections::BTreeSet;

const SIZES: usize = MATCH_PLAYERS_MAX + 1;

/// The match sizes, in players and ascending, that team sizes, `players` and `multiple` allow, whatever the
/// rules; at most 256.
pub fn legal_sizes(spec: &QueueSpec) -> Vec<u32> {
    let sums = team_sums(spec);
    let (min, max) = (spec.players.min.unwrap_or(1).max(1), spec.players.max.unwrap_or(u32::MAX));
    let multiple = spec.players.multiple.unwrap_or(1);
    (min..=max.min(MATCH_PLAYERS_MAX as u32))
        .filter(|&size| sums[size as usize] && multiple != 0 && size.is_multiple_of(multiple))
        .collect()
}

/// The size of a full match: the greatest legal one; `None` if no size is legal.
pub fn full_size(spec: &QueueSpec) -> Option<u32> {
    legal_sizes(spec).last().copied()
}

/// Which sums of team sizes can be reached, up to the maximum.
fn team_sums(spec: &QueueSpec) -> [bool; SIZES] {
    if spec.teams.is_empty() {
        return [true; SIZES];
    }
    let mut reached = [false; SIZES];
    reached[0] = true;
    for group in spec.teams.iter().take(MATCH_PLAYERS_MAX) {
        let group_sums = group_sums(group);
        let mut next = [false; SIZES];
        for before in (0..SIZES).filter(|&sum| reached[sum]) {
            for added in (0..SIZES - before).filter(|&sum| group_sums[sum]) {
                next[before + added] = true;
            }
        }
        reached = next;
    }
    reached
}

fn group_sums(group: &TeamSpec) -> [bool; SIZES] {
    let mut sums = [false; SIZES];
    let (least_teams, most_teams, is_range) = match group.count {
        Some(count) => (count.min, count.max, count.is_range),
        None => (1, 1, false),
    };
    // The teams of a range that stand have at least one player each.
    let least = u64::from(if is_range { group.players_min.max(1) } else { group.players_min });
    for teams in u64::from(least_teams)..=u64::from(most_teams).min(MATCH_PLAYERS_MAX as u64) {
        let (low, high) = (teams * least, teams * u64::from(group.players_max));
        for sum in low..=high.min(MATCH_PLAYERS_MAX as u64) {
            sums[sum as usize] = true;
        }
    }
    sums
}

/// Adds the faults of teams, `players` and `min_tickets`.
pub(super) fn check(faults: &mut Faults, spec: &QueueSpec) {
    let before = faults.len();
    teams(faults, spec);
    players(faults, spec);
    let sizes_readable = faults.len() == before;
    let full = full_size(spec);
    if sizes_readable && full.is_none() {
        let place = if spec.teams.is_empty() { "players" } else { "teams" };
        faults.add(
            place,
            "sizes that no match can have",
            "change team sizes, `players` or `multiple` so that one count of players satisfies them all",
        );
    }
    match (spec.min_tickets, full) {
        (Some(0), _) => faults.add("min_tickets", "0", "a match has at least 1 ticket"),
        (Some(min), Some(full)) if sizes_readable && min > full => faults.add(
            "min_tickets",
            format!("{min} where a match has at most {full} players"),
            format!("needs 1 to {full}: every ticket has a player"),
        ),
        _ => {}
    }
}

fn teams(faults: &mut Faults, spec: &QueueSpec) {
    let mut names = BTreeSet::new();
    let mut players_most: u64 = 0;
    for (i, team) in spec.teams.iter().enumerate() {
        let place = format!("teams[{i}]");
        if i == MATCH_PLAYERS_MAX {
            faults.add(place, format!("{} team groups", spec.teams.len()), too_many_teams());
            return;
        }
        faults.name(&format!("{place}.name"), &team.name, "team");
        let teams_most = count(faults, &place, team);
        team_players(faults, &place, team);
        players_most =
            players_most.saturating_add(u64::from(teams_most).saturating_mul(u64::from(team.players_max)));
        team_names(faults, &place, team, teams_most, &mut names);
    }
    if players_most > MATCH_PLAYERS_MAX as u64 {
        faults.add(
            "teams",
            format!("teams for {players_most} players"),
            format!("all teams together have at most {MATCH_PLAYERS_MAX} players"),
        );
    }
}

fn too_many_teams() -> String {
    format!("a queue has at most {MATCH_PLAYERS_MAX} teams")
}

/// Checks how many teams a group has; returns the most.
fn count(faults: &mut Faults, place: &str, team: &TeamSpec) -> u32 {
    let Some(count) = team.count else { return 1 };
    let place = format!("{place}.count");
    if count.min == 0 || count.max == 0 {
        let place = if count.is_range {
            format!("{place}.{}", if count.min == 0 { "min" } else { "max" })
        } else {
            place
        };
        faults.add(place, "0 teams", "a group has at least 1 team");
    } else if count.min > count.max {
        faults.add(place, format!("min {} above max {}", count.min, count.max), "min is at most max");
    } else if count.max as usize > MATCH_PLAYERS_MAX {
        faults.add(place, format!("{} teams", count.max), too_many_teams());
    }
    count.max
}

fn team_players(faults: &mut Faults, place: &str, team: &TeamSpec) {
    let place = format!("{place}.players");
    if team.players_max == 0 {
        faults.add(place, "a team of 0 players", "a team has room for at least 1 player");
    } else if team.players_min > team.players_max {
        faults.add(
            place,
            format!("min {} above max {}", team.players_min, team.players_max),
            "min is at most max",
        );
    } else if team.players_max as usize > MATCH_PLAYERS_MAX {
        let found = format!("a team of {} players", team.players_max);
        faults.add(place, found, format!("a match has at most {MATCH_PLAYERS_MAX} players"));
    }
}

/// Checks that no team has the name of another, with the numbers of groups in place.
fn team_names(
    faults: &mut Faults,
    place: &str,
    team: &TeamSpec,
    teams_most: u32,
    names: &mut BTreeSet<String>,
) {
    let taken = match team.count {
        None => (!names.insert(team.name.clone())).then(|| team.name.clone()),
        Some(_) => {
            let last = teams_most.min(MATCH_PLAYERS_MAX as u32);
            (1..=last).map(|k| format!("{}_{k}", team.name)).filter(|name| !names.insert(name.clone())).last()
        }
    };
    if let Some(name) = taken {
        faults.add(
            format!("{place}.name"),
            format!("team {name:?} a second time"),
            "each team has its own name",
        );
    }
}

fn players(faults: &mut Faults, spec: &QueueSpec) {
    let size = spec.players;
    if spec.teams.is_empty() && (size.min.is_none() || size.max.is_none()) {
        faults.add("players", "no teams and no match size", "give `teams`, or `players` with min and max");
        return;
    }
    if size.multiple == Some(0) {
        faults.add("players.multiple", "0", "needs at least 1");
    }
    if size.max == Some(0) {
        faults.add("players.max", "0", "a match has at least 1 player");
    } else if spec.teams.is_empty() && size.min == Some(0) {
        faults.add("players.min", "0", "a match has at least 1 player");
    } else if let (Some(min), Some(max)) = (size.min, size.max)
        && min > max
    {
        faults.add("players", format!("min {min} above max {max}"), "min is at most max");
    }
    for (key, value) in [("min", size.min), ("max", size.max)] {
        if value.is_some_and(|value| value as usize > MATCH_PLAYERS_MAX) {
            let found = value.unwrap_or_default().to_string();
            let place = format!("players.{key}");
            faults.add(place, found, format!("a match has at most {MATCH_PLAYERS_MAX} players"));
        }
    }
}
