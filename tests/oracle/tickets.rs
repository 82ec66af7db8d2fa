//! Random tickets for a queue, and a script of an evening: who comes when, which regions go down, when ticks are.

use super::rules::{KARMA, LEVEL, MAPS, MODE, ROLE, SKILL, maps, mode};
use evenmatch::base::fixed::Decimal;
use evenmatch::model::ids::{Millis, PlayerId};
use evenmatch::model::request::{PlayerRequest, TicketLimits, TicketRequest};
use evenmatch::rules::check::Judge;
use evenmatch::rules::spec::{Missing, QueueSpec, RegionNames, RuleKind};
use proptest::collection::vec;
use proptest::option::weighted;
use proptest::prelude::*;

const REGIONS: [&str; 3] = ["eu", "us", "ap"];

/// What is drawn for a player.
#[derive(Clone, Debug)]
struct PlayerDraw {
    skill_halves: Option<i32>,
    karma: Option<i32>,
    role: Option<i32>,
    maps: Option<u8>,
    pings: Option<[Option<i32>; 3]>,
}

/// What is drawn for a ticket.
#[derive(Clone, Debug)]
struct TicketDraw {
    at_s: u64,
    earlier_s: Option<u64>,
    players: Vec<PlayerDraw>,
    mode: Option<usize>,
    level: Option<i32>,
    pings: [Option<i32>; 3],
    allowed: Option<u8>,
    skill_limits: Option<(Option<i32>, Option<i32>)>,
    max_ping: Option<i32>,
    timeout_s: Option<u64>,
    upper_case: bool,
}

/// A ticket and when it comes.
#[derive(Clone, Debug)]
pub(crate) struct Arrival {
    pub(crate) at: Millis,
    pub(crate) request: TicketRequest,
}

/// A region that goes down or comes up again, just before a tick.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outage {
    pub(crate) tick: usize,
    pub(crate) region: &'static str,
    pub(crate) up: bool,
}

/// One random case.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) spec: QueueSpec,
    /// In the order in which they come.
    pub(crate) arrivals: Vec<Arrival>,
    pub(crate) outages: Vec<Outage>,
    /// Increasing.
    pub(crate) ticks: Vec<Millis>,
}

fn pings() -> impl Strategy<Value = [Option<i32>; 3]> {
    let ping = || weighted(0.7, (1..=6_i32).prop_map(|tens| tens * 10));
    (ping(), ping(), ping()).prop_map(|(eu, us, ap)| [eu.or(Some(30)), us, ap])
}

/// `spread`: how many half units of skill there are; `fill`: how likely a value is there.
fn player(spread: i32, fill: f64) -> impl Strategy<Value = PlayerDraw> {
    (
        weighted(fill, -4..=spread),
        weighted(fill, -2..=2_i32),
        weighted(0.5, 0..=2_i32),
        weighted(fill, 0..16_u8),
        weighted(0.1, pings()),
    )
        .prop_map(|(skill_halves, karma, role, maps, pings)| PlayerDraw {
            skill_halves,
            karma,
            role,
            maps,
            pings,
        })
}

/// `single`: one player without limits of his own.
fn ticket(spread: i32, until_s: u64, single: bool) -> impl Strategy<Value = TicketDraw> {
    let players = if single { 1..=1_usize } else { 1..=3_usize };
    let size = prop_oneof![3 => Just(1_usize), 1 => players];
    let limit = || weighted(0.7, -4..=6_i32);
    let who = size.prop_flat_map(move |size| vec(player(spread, 0.8), size));
    let own = (
        weighted(0.1, (limit(), limit())),
        weighted(0.1, (2..=6_i32).prop_map(|tens| tens * 10)),
        weighted(0.1, 5..=25_u64),
    );
    (
        (0..=until_s, weighted(0.1, 1..=10_u64)),
        who,
        (weighted(0.8, 0..=1_usize), weighted(0.8, 0..=1_i32)),
        (pings(), weighted(0.1, 1..8_u8)),
        own,
        any::<bool>(),
    )
        .prop_map(move |(when, players, values, regions, own, upper_case)| TicketDraw {
            at_s: when.0,
            earlier_s: when.1,
            players,
            mode: values.0,
            level: values.1,
            pings: regions.0,
            allowed: regions.1,
            skill_limits: own.0.filter(|_| !single),
            max_ping: own.1.filter(|_| !single),
            timeout_s: own.2,
            upper_case,
        })
}

/// Which attributes every player must bring, since no default fills them in.
fn required(spec: &QueueSpec, attribute: usize) -> bool {
    spec.attributes[attribute].default.is_none()
        && spec.rules.iter().any(|rule| match &rule.kind {
            RuleKind::Difference { attribute: of, missing, default, .. } => {
                *of == attribute && *missing == Missing::Default && default.is_none()
            }
            RuleKind::Equality { attribute: of, missing, default, .. } => {
                *of == attribute && *missing == Missing::Default && default.is_none()
            }
            RuleKind::Intersection { attribute: of, missing, default, .. } => {
                *of == attribute && *missing == Missing::Default && default.is_none()
            }
            _ => false,
        })
}

/// A number of half units.
fn half(count: i32) -> Decimal {
    Decimal::from_f64(f64::from(count) / 2.0)
}

/// The request that a draw becomes in a queue. The members of a party agree in every equality, since one that
/// does not could never be matched.
fn request(spec: &QueueSpec, draw: &TicketDraw, first_player: u128) -> TicketRequest {
    let named = |region: usize| match draw.upper_case && spec.region_names == RegionNames::FoldCase {
        true => REGIONS[region].to_uppercase(),
        false => REGIONS[region].to_owned(),
    };
    let latency = |pings: &[Option<i32>; 3]| {
        let listed = pings
            .iter()
            .enumerate()
            .filter_map(|(region, ms)| Some((named(region), Decimal::from(*ms.as_ref()?))));
        listed.collect::<Vec<_>>()
    };
    let needs = |attribute: usize| required(spec, attribute);
    let mut ticket = TicketRequest::new("q");
    for (index, draw_of) in draw.players.iter().enumerate() {
        let mut player = PlayerRequest::new(PlayerId(first_player + index as u128));
        if let Some(skill) = draw_of.skill_halves.or(needs(SKILL).then_some(0)) {
            player = player.number(&spec.attributes[SKILL].name, half(skill));
        }
        if let Some(karma) = draw_of.karma.or(needs(KARMA).then_some(0)) {
            player = player.number(&spec.attributes[KARMA].name, karma);
        }
        if let Some(value) = draw.mode.or(needs(MODE).then_some(0)) {
            player = player.string(&spec.attributes[MODE].name, mode(value));
        }
        if let Some(level) = draw.level.or(needs(LEVEL).then_some(0)) {
            player = player.number(&spec.attributes[LEVEL].name, level);
        }
        if let Some(bits) = draw_of.maps.or(needs(MAPS).then_some(3)) {
            let listed = maps(bits);
            let listed: Vec<&str> = listed.iter().map(String::as_str).collect();
            player = player.strings(&spec.attributes[MAPS].name, &listed);
        }
        if let Some(role) = draw_of.role {
            player = player.number(&spec.attributes[ROLE].name, role);
        }
        player.latency = draw_of.pings.as_ref().map(latency).unwrap_or_default();
        ticket = ticket.player(player);
    }
    ticket.latency = latency(&draw.pings);
    ticket.regions = draw.allowed.map(|bits| (0..3).filter(|bit| bits >> bit & 1 == 1).map(named).collect());
    let ends = draw.skill_limits.map(|(a, b)| match (a, b) {
        (Some(a), Some(b)) => (Some(a.min(b)), Some(a.max(b))),
        ends => ends,
    });
    ticket.limits = TicketLimits {
        attributes: ends
            .into_iter()
            .map(|(least, most)| (spec.attributes[SKILL].name.clone(), least.map(half), most.map(half)))
            .collect(),
        max_ping_ms: draw.max_ping.map(Decimal::from),
    };
    ticket.timeout = draw.timeout_s.map(|seconds| Millis(seconds * 1000));
    ticket.enqueued = draw.earlier_s.map(|earlier| Millis(draw.at_s.saturating_sub(earlier) * 1000));
    ticket
}

/// The largest pool that can be enumerated with so many teams.
fn tickets_max(teams: usize) -> usize {
    (1..=12).rev().find(|&n| evenmatch::assemble::exhaustive::is_enumerable(teams, n)).unwrap_or(1)
}

fn script(
    spec: QueueSpec,
    mut draws: Vec<TicketDraw>,
    ticks: Vec<u64>,
    outages: Vec<(usize, usize, bool)>,
) -> Case {
    draws.sort_by_key(|draw| draw.at_s);
    let arrivals = draws.iter().enumerate().map(|(index, draw)| Arrival {
        at: Millis(draw.at_s * 1000),
        request: request(&spec, draw, 100 * (index as u128 + 1)),
    });
    let arrivals = arrivals.collect();
    let mut at = 0;
    let ticks = ticks.iter().map(|gap| {
        at += gap;
        Millis(at * 500)
    });
    let ticks: Vec<Millis> = ticks.collect();
    let outages = outages
        .into_iter()
        .map(|(tick, region, up)| Outage { tick: tick % ticks.len().max(1), region: REGIONS[region % 3], up })
        .collect();
    Case { spec, arrivals, outages, ticks }
}

/// A case whose pool can be enumerated.
pub(crate) fn small_case(
    queue: impl Strategy<Value = QueueSpec>,
    single: bool,
) -> impl Strategy<Value = Case> {
    queue.prop_flat_map(move |spec| {
        let most = tickets_max(Judge::new(&spec).team_count()).min(10);
        let ticks = vec(1..=20_u64, 1..=5);
        let few = vec(ticket(6, 10, single), 0..=most);
        let many = vec(ticket(4, 6, single), most / 2..=most);
        let arrivals = prop_oneof![1 => few, 3 => many];
        let outages = vec((0..5_usize, 0..3_usize, any::<bool>()), 0..=2);
        (Just(spec), arrivals, ticks, outages)
            .prop_map(|(spec, draws, ticks, outages)| script(spec, draws, ticks, outages))
    })
}

/// A case of `count` tickets; `spread` half units of skill.
pub(crate) fn large_case(
    queue: impl Strategy<Value = QueueSpec>,
    count: usize,
    spread: i32,
    single: bool,
) -> impl Strategy<Value = Case> {
    queue.prop_flat_map(move |spec| {
        let ticks = vec(4..=16_u64, 3);
        (Just(spec), vec(ticket(spread, 12, single), count), ticks)
            .prop_map(|(spec, draws, ticks)| script(spec, draws, ticks, Vec::new()))
    })
}
