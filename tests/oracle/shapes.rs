//! Random shapes of teams: alike, of different sizes, with minimum 0, in groups with counts, and none.

use evenmatch::rules::spec::{MatchSizeSpec, TeamCount, TeamSpec};
use proptest::option::{of, weighted};
use proptest::prelude::*;

/// The teams and sizes of a queue.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub(crate) teams: Vec<TeamSpec>,
    pub(crate) players: MatchSizeSpec,
}

fn group(name: &str, count: Option<TeamCount>, min: u32, more: u32) -> TeamSpec {
    TeamSpec { name: name.to_owned(), count, players_min: min, players_max: (min + more).max(1) }
}

fn fixed_count(count: u32) -> Option<TeamCount> {
    Some(TeamCount { min: count, max: count, is_range: false })
}

/// Queues without teams, of at most `most` players.
pub(crate) fn no_teams(most: u32) -> impl Strategy<Value = Shape> {
    (1..=most, 0..=3_u32, of(1..=3_u32)).prop_map(move |(min, more, multiple)| Shape {
        teams: Vec::new(),
        players: MatchSizeSpec { min: Some(min), max: Some((min + more).min(most)), multiple },
    })
}

/// Queues with teams: alike, of different sizes, with minimum 0, in groups with counts and ranges of counts.
pub(crate) fn some_teams() -> impl Strategy<Value = Shape> {
    let single =
        |name: &'static str| (0..=3_u32, 0..=2_u32).prop_map(move |(min, more)| group(name, None, min, more));
    let alike = (1..=3_u32, 0..=1_u32)
        .prop_map(|(min, more)| vec![group("red", None, min, more), group("blue", None, min, more)]);
    let different = (single("hunters"), single("boss")).prop_map(|(a, b)| vec![a, b]);
    let one = single("crew").prop_map(|team| vec![team]);
    let counted = (2..=3_u32, 0..=2_u32, 0..=2_u32)
        .prop_map(|(count, min, more)| vec![group("squad", fixed_count(count), min, more)]);
    let ranged = (0..=2_u32, 0..=2_u32, 0..=2_u32, 0..=1_u32).prop_map(|(least, further, min, more)| {
        let count = TeamCount { min: least.max(1), max: (least + further).max(1), is_range: true };
        vec![group("squad", Some(count), min, more)]
    });
    let mixed = (single("boss"), 1..=2_u32, 0..=1_u32).prop_map(|(boss, most, more)| {
        vec![boss, group("squad", Some(TeamCount { min: 1, max: most, is_range: true }), 1, more)]
    });
    let players = (weighted(0.2, 1..=4_u32), weighted(0.2, 2..=6_u32), weighted(0.2, 1..=3_u32))
        .prop_map(|(min, max, multiple)| MatchSizeSpec { min, max, multiple });
    (prop_oneof![3 => alike, 2 => different, 1 => one, 1 => counted, 2 => ranged, 1 => mixed], players)
        .prop_map(|(teams, players)| Shape { teams, players })
}

/// Queues whose greatest match is two players.
pub(crate) fn two_players() -> impl Strategy<Value = Shape> {
    let duel = Just(Shape {
        teams: vec![group("red", None, 1, 0), group("blue", None, 1, 0)],
        players: MatchSizeSpec::default(),
    });
    let counted =
        Just(Shape { teams: vec![group("side", fixed_count(2), 1, 0)], players: MatchSizeSpec::default() });
    let handicap = Just(Shape {
        teams: vec![group("red", None, 0, 1), group("blue", None, 1, 0)],
        players: MatchSizeSpec::default(),
    });
    let crew = Just(Shape { teams: vec![group("crew", None, 1, 1)], players: MatchSizeSpec::default() });
    prop_oneof![3 => duel, 1 => counted, 1 => handicap, 1 => crew, 2 => no_teams(2)]
}
