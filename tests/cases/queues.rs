//! Queues in the shorthand of the cases: `teams(2, 3)`, a window of `a + b * t`, a rule in a line.
//!
//! Used by every module of cases. Attribute 0 of every queue here is `skill`, a number with two decimals and
//! default 1500, unless a case makes its own.

use evenmatch::base::fixed::Fixed;
use evenmatch::model::attribute::{AttributeDefault, AttributeSpec, AttributeType};
use evenmatch::model::ids::Millis;
use evenmatch::rules::spec::{
    Bounds, Expand, MatchSizeSpec, Merge, Missing, NumberWindow, QueueSpec, RuleKind, RuleSpec, Step,
    TeamCount, TeamSpec, TotalScope,
};

/// The name of every queue of a case that has one queue.
pub const QUEUE: &str = "q";

/// Index of `skill` in the queues made here.
pub const SKILL: usize = 0;

pub fn seconds(s: f64) -> Millis {
    Millis((s * 1000.0).round() as u64)
}

pub fn fixed(value: f64) -> Fixed {
    Fixed::from_micros((value * 1e6).round() as i64)
}

/// A match of `min` to `max` players without teams.
pub fn free_for_all(min: u32, max: u32) -> QueueSpec {
    let mut queue = QueueSpec::new(QUEUE, min, max);
    queue.attributes.push(number("skill", Some(1500.0)));
    queue
}

/// `count` teams of exactly `size` players, named `team_1`, `team_2`, ..
pub fn teams(count: u32, size: u32) -> QueueSpec {
    teams_of(count, size, size)
}

/// `count` teams of `min` to `max` players.
pub fn teams_of(count: u32, min: u32, max: u32) -> QueueSpec {
    let mut queue = free_for_all(1, 1);
    queue.players = MatchSizeSpec::default();
    queue.teams.push(TeamSpec {
        name: "team".to_owned(),
        count: Some(TeamCount { min: count, max: count, is_range: false }),
        players_min: min,
        players_max: max,
    });
    queue
}

/// One against one: two teams of one player.
pub fn duel() -> QueueSpec {
    teams(2, 1)
}

pub fn attribute(name: &str, kind: AttributeType) -> AttributeSpec {
    AttributeSpec {
        name: name.to_owned(),
        kind,
        default: None,
        min: None,
        max: None,
        decimals: 0,
        path: None,
        source: None,
    }
}

/// A number with two decimals.
pub fn number(name: &str, default: Option<f64>) -> AttributeSpec {
    AttributeSpec {
        default: default.map(|value| AttributeDefault::Number(fixed(value))),
        decimals: 2,
        ..attribute(name, AttributeType::Number)
    }
}

pub fn rule(name: &str, kind: RuleKind) -> RuleSpec {
    RuleSpec {
        name: name.to_owned(),
        weight: Fixed::ONE,
        optional_after: None,
        windows: None,
        may_tighten: false,
        kind,
    }
}

/// A window that never changes.
pub fn always(base: f64) -> NumberWindow {
    NumberWindow { base: fixed(base), expand: Expand::Never }
}

/// A window of `base + add * t`, t in whole seconds, up to `cap`.
pub fn growing(base: f64, add: f64, cap: f64) -> NumberWindow {
    NumberWindow {
        base: fixed(base),
        expand: Expand::Linear { add: fixed(add), every: Millis(1000), cap: Some(fixed(cap)), floor: None },
    }
}

/// A window that takes other values from given ages in seconds on.
pub fn stepped(base: f64, steps: &[(f64, f64)]) -> NumberWindow {
    let steps = steps.iter().map(|&(after, value)| Step { after: seconds(after), value: Some(fixed(value)) });
    NumberWindow { base: fixed(base), expand: Expand::Steps(steps.collect()) }
}

/// Tickets' average skills differ by at most the window.
pub fn skill_within(window: NumberWindow) -> RuleSpec {
    rule(
        "skill",
        RuleKind::Difference {
            attribute: SKILL,
            window,
            merge: Merge::Average,
            missing: Missing::Default,
            default: None,
        },
    )
}

/// Team averages of skill differ by at most the window.
pub fn fair_within(window: NumberWindow) -> RuleSpec {
    rule("fair", RuleKind::TeamDifference { attribute: SKILL, window, default: None })
}

/// One region within the window of all.
pub fn ping_within(window: NumberWindow) -> RuleSpec {
    rule("ping", RuleKind::Region { window, path: None })
}

/// All tickets that have a value of the attribute agree.
pub fn same(name: &str, attribute: usize) -> RuleSpec {
    rule(name, RuleKind::Equality { attribute, missing: Missing::Any, default: None, steps: Vec::new() })
}

/// Every team's sum of the attribute is within bounds.
pub fn per_team(name: &str, attribute: usize, min: f64, max: f64) -> RuleSpec {
    let bounds = Bounds { min: Some(fixed(min)), max: Some(fixed(max)) };
    rule(
        name,
        RuleKind::Total { attribute: Some(attribute), bounds, per: TotalScope::Team, steps: Vec::new() },
    )
}

/// At least so many players, less from given ages in seconds on.
pub fn at_least(players: f64, steps: &[(f64, f64)]) -> RuleSpec {
    let least = |players: f64| Bounds { min: Some(fixed(players)), max: None };
    let steps = steps.iter().map(|&(after, value)| Step { after: seconds(after), value: Some(least(value)) });
    rule(
        "players",
        RuleKind::Total {
            attribute: None,
            bounds: least(players),
            per: TotalScope::Match,
            steps: steps.collect(),
        },
    )
}

/// Adds a rule to a queue.
pub trait With {
    fn with(self, rule: RuleSpec) -> Self;
}

impl With for QueueSpec {
    fn with(mut self, rule: RuleSpec) -> QueueSpec {
        self.rules.push(rule);
        self
    }
}
