//! The queues and the tickets that a simulation draws.
//!
//! Used by the run. Invariant: every queue is legal, and every ticket drawn for it can be matched, so that a
//! refusal is always one that the world foresaw.

use super::dice::Dice;
use evenmatch::base::fixed::Fixed;
use evenmatch::model::attribute::{AttributeDefault, AttributeSpec, AttributeType, AttributeValue};
use evenmatch::model::ids::{Millis, PlayerId};
use evenmatch::model::request::{PlayerRequest, TicketLimits, TicketRequest, TicketUpdate};
use evenmatch::rules::spec::{
    Bounds, Expand, MatchSizeSpec, Merge, Missing, NumberWindow, QueueSpec, RuleKind, RuleSpec, Selection,
    Step, TeamCount, TeamSpec, TotalScope, WindowAge,
};

/// The data centres of every simulation.
pub const REGIONS: [&str; 4] = ["ap", "eu", "sa", "us"];
const MODES: [&str; 3] = ["ctf", "koth", "tdm"];
const MAPS: [&str; 4] = ["arid", "bay", "canyon", "dune"];
/// No ticket's round-trip time is above this, and no region rule's cap below it.
const PING_MS_MAX: u64 = 220;

const SKILL: usize = 0;
const MODE: usize = 1;
const MAP_LIST: usize = 2;
const TANK: usize = 3;
const HEALER: usize = 4;

/// The shapes of queues.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// One against one, skill and ping that loosen together.
    HybridDuel,
    /// Two single players without teams, with lists, modes and optional rules.
    OddDuel,
    /// Five against five, parties of any size.
    Fives,
    /// Up to eight single players.
    FreeForAll,
    /// Three with one role each.
    Roles,
    /// One hunter against several.
    Hunt,
    /// Two to four squads.
    Royale,
}

/// All of them.
pub const KINDS: [Kind; 7] =
    [Kind::HybridDuel, Kind::OddDuel, Kind::Fives, Kind::FreeForAll, Kind::Roles, Kind::Hunt, Kind::Royale];

impl Kind {
    /// Players of the largest ticket that is drawn.
    fn party_max(self) -> u64 {
        match self {
            Kind::HybridDuel | Kind::OddDuel | Kind::FreeForAll | Kind::Roles => 1,
            Kind::Fives => 5,
            Kind::Hunt | Kind::Royale => 2,
        }
    }
}

/// A queue of that kind with drawn numbers.
pub fn queue(dice: &mut Dice, kind: Kind, name: &str) -> QueueSpec {
    let mut queue = QueueSpec::new(name, 2, 2);
    queue.attributes = attributes();
    queue.timeout = Some(Millis(1000 * dice.between(20, 120)));
    queue.windows = *dice.one(&[WindowAge::Mutual, WindowAge::Mutual, WindowAge::Oldest, WindowAge::Newest]);
    if dice.once_in(2) {
        queue.regions = Some(REGIONS.map(str::to_owned).into());
    }
    let group = |name: &str, count, is_range, players_min, players_max| TeamSpec {
        name: name.to_owned(),
        count: Some(TeamCount { min: if is_range { 2 } else { count }, max: count, is_range }),
        players_min,
        players_max,
    };
    let single = |name: &str, players_min, players_max| TeamSpec {
        name: name.to_owned(),
        count: None,
        players_min,
        players_max,
    };
    match kind {
        Kind::HybridDuel => {
            queue.players = MatchSizeSpec::default();
            queue.teams = vec![group("side", 2, false, 1, 1)];
            queue.rules = vec![skill(dice), ping(dice)];
        }
        Kind::OddDuel => {
            queue.rules = vec![mode(dice), maps(dice), skill(dice)];
            if dice.once_in(2) {
                queue.rules.push(ping(dice));
            }
        }
        Kind::Fives => {
            queue.players = MatchSizeSpec::default();
            queue.teams = vec![single("red", 5, 5), single("blue", 5, 5)];
            queue.rules = vec![skill(dice), ping(dice), fair(dice), premade(dice)];
        }
        Kind::FreeForAll => {
            queue.players =
                MatchSizeSpec { min: Some(2), max: Some(8), multiple: Some(dice.between(1, 2) as u32) };
            queue.rules = vec![skill(dice), mode(dice)];
            queue.prefer_full_for = Millis(dice.between(0, 15_000));
        }
        Kind::Roles => {
            queue.players = MatchSizeSpec::default();
            queue.teams = vec![single("crew", 3, 3)];
            queue.rules = vec![role("tank", TANK), role("healer", HEALER), skill(dice)];
        }
        Kind::Hunt => {
            queue.players = MatchSizeSpec::default();
            queue.teams = vec![single("hunter", 1, 1), single("prey", 2, 4)];
            queue.rules = vec![skill(dice), fewer_with_age(dice)];
        }
        Kind::Royale => {
            queue.players = MatchSizeSpec::default();
            queue.teams = vec![group("squad", 4, true, 1, 2)];
            queue.rules = vec![skill(dice), sizes(dice), ping(dice)];
            queue.prefer_full_for = Millis(dice.between(0, 10_000));
        }
    }
    for rule in &mut queue.rules {
        if dice.once_in(6) {
            rule.windows = Some(*dice.one(&[WindowAge::Mutual, WindowAge::Oldest, WindowAge::Newest]));
        }
    }
    if dice.once_in(3) {
        queue.selection = Selection::LeastCost;
        queue.urgent_after = dice.once_in(2).then(|| Millis(dice.between(0, 40_000)));
    }
    queue
}

fn attributes() -> Vec<AttributeSpec> {
    let attribute = |name: &str, kind| AttributeSpec {
        name: name.to_owned(),
        kind,
        default: None,
        min: None,
        max: None,
        decimals: 0,
        path: None,
        source: None,
    };
    let role = |name: &str| AttributeSpec {
        default: Some(AttributeDefault::Number(Fixed::ZERO)),
        min: Some(Fixed::ZERO),
        max: Some(Fixed::ONE),
        ..attribute(name, AttributeType::Integer)
    };
    vec![
        AttributeSpec {
            default: Some(AttributeDefault::Number(Fixed::from_int(1500))),
            decimals: 1,
            ..attribute("skill", AttributeType::Number)
        },
        attribute("mode", AttributeType::String),
        attribute("maps", AttributeType::StringList),
        role("tank"),
        role("healer"),
    ]
}

fn rule(dice: &mut Dice, name: &str, kind: RuleKind) -> RuleSpec {
    RuleSpec {
        name: name.to_owned(),
        weight: Fixed::from_micros(500_000 * dice.between(0, 4) as i64),
        optional_after: dice.once_in(6).then(|| Millis(dice.between(1, 30_000))),
        windows: None,
        may_tighten: false,
        kind,
    }
}

/// A window that starts at `base`, grows in one of the ways, and ends at or above `cap`.
fn window(dice: &mut Dice, base: i64, add: i64, cap: i64) -> NumberWindow {
    let cap = Some(Fixed::from_int(cap));
    let expand = match dice.below(3) {
        0 => Expand::Linear {
            add: Fixed::from_int(add),
            every: Millis(dice.between(1, 4) * 500),
            cap,
            floor: None,
        },
        1 => Expand::Power {
            factor: Fixed::from_int(add.max(1)),
            exponent: Fixed::from_micros(1_350_000),
            cap,
        },
        _ => Expand::Steps(vec![
            Step { after: Millis(dice.between(1, 10_000)), value: Some(Fixed::from_int(base + 2 * add)) },
            Step { after: Millis(dice.between(10_001, 40_000)), value: cap.filter(|_| dice.once_in(2)) },
        ]),
    };
    let expand = match expand {
        // A window whose last step is neither off nor its cap would leave tickets beyond it unmatchable.
        Expand::Steps(mut steps) => {
            if let Some(last) = steps.last_mut().filter(|last| last.value.is_some()) {
                last.value = cap;
            }
            Expand::Steps(steps)
        }
        other => other,
    };
    NumberWindow { base: Fixed::from_int(base), expand }
}

fn skill(dice: &mut Dice) -> RuleSpec {
    let base = dice.between(0, 150) as i64;
    let window = window(dice, base, 20, 600);
    let merge = *dice.one(&[Merge::Average, Merge::Min, Merge::Max]);
    rule(
        dice,
        "skill",
        RuleKind::Difference { attribute: SKILL, window, merge, missing: Missing::Default, default: None },
    )
}

fn ping(dice: &mut Dice) -> RuleSpec {
    let base = dice.between(30, 100) as i64;
    let window = window(dice, base, 10, PING_MS_MAX as i64);
    rule(dice, "ping", RuleKind::Region { window, path: None })
}

fn fair(dice: &mut Dice) -> RuleSpec {
    let base = dice.between(50, 150) as i64;
    let window = window(dice, base, 15, 500);
    rule(dice, "fair", RuleKind::TeamDifference { attribute: SKILL, window, default: None })
}

fn mode(dice: &mut Dice) -> RuleSpec {
    let steps = match dice.once_in(3) {
        true => vec![Step { after: Millis(dice.between(5_000, 30_000)), value: false }],
        false => Vec::new(),
    };
    rule(dice, "mode", RuleKind::Equality { attribute: MODE, missing: Missing::Any, default: None, steps })
}

fn maps(dice: &mut Dice) -> RuleSpec {
    let window = NumberWindow {
        base: Fixed::from_int(2),
        expand: Expand::Linear {
            add: Fixed::from_int(-1),
            every: Millis(dice.between(2, 20) * 1000),
            cap: None,
            floor: Some(Fixed::ONE),
        },
    };
    rule(
        dice,
        "maps",
        RuleKind::Intersection { attribute: MAP_LIST, window, missing: Missing::Any, default: None },
    )
}

fn premade(dice: &mut Dice) -> RuleSpec {
    let mut rule = rule(dice, "premade", RuleKind::PremadeBalance);
    rule.optional_after = Some(Millis(dice.between(0, 20_000)));
    rule
}

fn role(name: &str, attribute: usize) -> RuleSpec {
    let one = Bounds { min: Some(Fixed::ONE), max: Some(Fixed::ONE) };
    RuleSpec {
        name: name.to_owned(),
        weight: Fixed::ONE,
        optional_after: None,
        windows: None,
        may_tighten: false,
        kind: RuleKind::Total {
            attribute: Some(attribute),
            bounds: one,
            per: TotalScope::Team,
            steps: Vec::new(),
        },
    }
}

fn fewer_with_age(dice: &mut Dice) -> RuleSpec {
    let least = |players| Bounds { min: Some(Fixed::from_int(players)), max: None };
    let steps = vec![
        Step { after: Millis(dice.between(1, 8_000)), value: Some(least(4)) },
        Step { after: Millis(dice.between(8_001, 20_000)), value: None },
    ];
    let bounds = least(5);
    rule(dice, "players", RuleKind::Total { attribute: None, bounds, per: TotalScope::Match, steps })
}

fn sizes(dice: &mut Dice) -> RuleSpec {
    rule(
        dice,
        "sizes",
        RuleKind::TeamSize { window: NumberWindow { base: Fixed::ZERO, expand: Expand::Never } },
    )
}

/// A rating on a coarse scale, so that equal ones are frequent.
fn rating(dice: &mut Dice) -> i32 {
    let spread = (dice.below(40) + dice.below(40)) as i32;
    if dice.once_in(4) { 1500 } else { 1100 + 10 * spread }
}

/// What a player brings to a queue of that kind.
fn values(dice: &mut Dice, mode: Option<&str>) -> Vec<(String, AttributeValue)> {
    let mut values = Vec::new();
    if !dice.once_in(5) {
        values.push(("skill".to_owned(), AttributeValue::Number(rating(dice).into())));
    }
    if let Some(mode) = mode {
        values.push(("mode".to_owned(), AttributeValue::String(mode.to_owned())));
    }
    if !dice.once_in(4) {
        let start = dice.below(MAPS.len() as u64) as usize;
        let count = dice.between(1, 4) as usize;
        let list = MAPS.iter().cycle().skip(start).take(count).map(|&map| map.to_owned()).collect();
        values.push(("maps".to_owned(), AttributeValue::StringList(list)));
    }
    let role = dice.below(3);
    values.push(("tank".to_owned(), AttributeValue::Number(i32::from(role == 0).into())));
    values.push(("healer".to_owned(), AttributeValue::Number(i32::from(role == 1).into())));
    values
}

/// How many players the next ticket of that kind has.
pub fn party_size(dice: &mut Dice, kind: Kind) -> u64 {
    if dice.once_in(2) { 1 } else { dice.between(1, kind.party_max()) }
}

/// A ticket for a queue of that kind.
pub fn ticket(dice: &mut Dice, kind: Kind, queue: &str, players: &[PlayerId], now: Millis) -> TicketRequest {
    let mut request = TicketRequest::new(queue);
    let mode = (!dice.once_in(3)).then(|| *dice.one(&MODES));
    let own_latency = players.len() > 1 && dice.once_in(3);
    let reach = dice.between(1, 4) as usize;
    let start = dice.below(4) as usize;
    let reached: Vec<&str> = REGIONS.iter().cycle().skip(start).take(reach).copied().collect();
    let latency = |dice: &mut Dice| -> Vec<(String, evenmatch::base::fixed::Decimal)> {
        let near = dice.below(4) as usize;
        let ping = |dice: &mut Dice, index: usize| match index == near {
            true => dice.between(5, 60) as i32,
            false => dice.between(40, PING_MS_MAX) as i32,
        };
        reached.iter().enumerate().map(|(i, name)| ((*name).to_owned(), ping(dice, i).into())).collect()
    };
    for &id in players {
        let mut player = PlayerRequest::new(id);
        player.attributes = values(dice, mode);
        if own_latency {
            player.latency = latency(dice);
        }
        request.players.push(player);
    }
    if !own_latency {
        request.latency = latency(dice);
    }
    if dice.once_in(8) {
        request.regions = Some(vec![(*dice.one(&reached)).to_owned()]);
    }
    if dice.once_in(8) {
        request.limits = limits(dice);
    }
    if dice.once_in(6) {
        request.timeout = Some(Millis(dice.between(1, 60_000)));
    }
    if dice.once_in(6) {
        request.enqueued = Some(Millis((now.0 + 500).saturating_sub(dice.below(15_000))));
    }
    let _ = kind;
    request
}

/// Own limits that some other ticket meets and that no region is lost to.
fn limits(dice: &mut Dice) -> TicketLimits {
    let least = dice.once_in(2).then(|| (1100 + 10 * dice.below(30) as i32).into());
    let greatest = dice.once_in(2).then(|| (1500 + 10 * dice.below(30) as i32).into());
    let max_ping_ms = dice.once_in(2).then(|| (PING_MS_MAX as i32).into());
    TicketLimits { attributes: vec![("skill".to_owned(), least, greatest)], max_ping_ms }
}

/// A legal change to a waiting ticket.
pub fn update(dice: &mut Dice, request: &TicketRequest) -> TicketUpdate {
    let mut update = TicketUpdate::default();
    match dice.below(4) {
        0 => {
            let mode = (!dice.once_in(3)).then(|| *dice.one(&MODES));
            let changed = request.players.iter().map(|player| (player.id, values(dice, mode)));
            update.attributes = Some(changed.collect());
        }
        1 => update.limits = Some(limits(dice)),
        2 => update.timeout = Some(dice.once_in(2).then(|| Millis(dice.between(1, 60_000)))),
        _ => {
            let latency =
                REGIONS.iter().map(|region| ((*region).to_owned(), (dice.between(5, 150) as i32).into()));
            update.latency = Some(latency.collect());
            update.regions = Some(None);
        }
    }
    update
}

/// Applies a change as the engine does: a field that is present replaces the old one whole.
pub fn apply(request: &mut TicketRequest, update: TicketUpdate) {
    if let Some(attributes) = update.attributes {
        for (id, values) in attributes {
            for player in request.players.iter_mut().filter(|player| player.id == id) {
                player.attributes = values.clone();
            }
        }
    }
    if let Some(latency) = update.latency {
        request.latency = latency;
        request.players.iter_mut().for_each(|player| player.latency.clear());
    }
    if let Some(limits) = update.limits {
        request.limits = limits;
    }
    if let Some(regions) = update.regions {
        request.regions = regions;
    }
    if let Some(timeout) = update.timeout {
        request.timeout = timeout;
    }
}
