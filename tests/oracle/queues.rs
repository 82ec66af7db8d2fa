//! Random small queues, legal by construction, and the two kinds in which the engine is exact at any size.

use super::rules::{difference, equality, maps, mode, region, rule, some_rules, window_age};
use super::shapes::{Shape, no_teams, some_teams, two_players};
use evenmatch::base::fixed::{Fixed, MICROS};
use evenmatch::model::attribute::{AttributeDefault, AttributeSpec, AttributeType};
use evenmatch::model::ids::Millis;
use evenmatch::rules::check::Judge;
use evenmatch::rules::spec::*;
use proptest::collection::vec;
use proptest::option::{of, weighted};
use proptest::prelude::*;

fn attributes() -> impl Strategy<Value = Vec<AttributeSpec>> {
    let numbers = (weighted(0.3, -2..=3_i64), weighted(0.3, -1..=1_i64), weighted(0.2, 0..=2_i64));
    let others = (weighted(0.2, 0..=2_usize), weighted(0.2, 1..16_u8));
    let decimals = prop_oneof![Just(0_u8), Just(1_u8), Just(6_u8)];
    (numbers, others, decimals).prop_map(|((skill, karma, level), (mode_of, maps_of), decimals)| {
        let number = |value: i64| AttributeDefault::Number(Fixed::from_int(value));
        let attribute = |name: &str, kind, decimals, default| AttributeSpec {
            name: name.to_owned(),
            kind,
            default,
            min: None,
            max: None,
            decimals,
            path: None,
            source: None,
        };
        let mut role = attribute("role", AttributeType::Integer, 0, Some(number(0)));
        role.min = Some(Fixed::ZERO);
        role.max = Some(Fixed::from_int(3));
        vec![
            attribute("skill", AttributeType::Number, decimals, skill.map(number)),
            attribute("karma", AttributeType::Integer, 0, karma.map(number)),
            attribute(
                "mode",
                AttributeType::String,
                6,
                mode_of.map(|m| AttributeDefault::String(mode(m).to_owned())),
            ),
            attribute("level", AttributeType::Integer, 0, level.map(number)),
            attribute(
                "maps",
                AttributeType::StringList,
                6,
                maps_of.map(|m| AttributeDefault::StringList(maps(m))),
            ),
            role,
        ]
    })
}

/// What a queue says besides teams, attributes and rules.
#[derive(Clone, Debug)]
struct Settings {
    windows: WindowAge,
    prefer_full_s: Option<u64>,
    timeout_s: Option<u64>,
    min_tickets: Option<u32>,
    fold: bool,
    listed: bool,
}

fn settings() -> impl Strategy<Value = Settings> {
    let timeout = weighted(0.7, prop_oneof![Just(20_u64), Just(60_u64)]);
    (
        window_age(),
        weighted(0.2, 1..=10_u64),
        timeout,
        weighted(0.2, 1..=3_u32),
        weighted(0.2, Just(())),
        any::<bool>(),
    )
        .prop_map(|(windows, prefer_full_s, timeout_s, min_tickets, fold, listed)| Settings {
            windows,
            prefer_full_s,
            timeout_s,
            min_tickets,
            fold: fold.is_some(),
            listed,
        })
}

/// Puts the drawn parts together; what they would contradict each other in is settled here.
fn queue(
    shape: Shape,
    attributes: Vec<AttributeSpec>,
    rules: Vec<RuleSpec>,
    settings: Settings,
) -> Option<QueueSpec> {
    let mut spec = QueueSpec::new("q", 1, 1);
    spec.teams = shape.teams;
    spec.players = shape.players;
    spec.attributes = attributes;
    spec.windows = settings.windows;
    spec.prefer_full_for = Millis(settings.prefer_full_s.unwrap_or(0) * 1000);
    spec.timeout = settings.timeout_s.map(|seconds| Millis(seconds * 1000));
    spec.min_tickets = settings.min_tickets;
    spec.region_names = if settings.fold { RegionNames::FoldCase } else { RegionNames::Exact };
    spec.regions = settings.listed.then(|| ["ap", "eu", "us"].map(str::to_owned).to_vec());
    let mut regions = 0;
    for (index, mut rule) in rules.into_iter().enumerate() {
        rule.name = format!("rule{index}");
        regions += usize::from(matches!(rule.kind, RuleKind::Region { .. }));
        if regions > 1 && matches!(rule.kind, RuleKind::Region { .. }) {
            continue;
        }
        settle(&mut rule.kind, &spec);
        spec.rules.push(rule);
    }
    if let (Some(min), Some(max)) = (spec.players.min, spec.players.max)
        && min > max
    {
        return None;
    }
    let full = Judge::new(&spec).full_size()?;
    spec.min_tickets = spec.min_tickets.map(|least| least.min(full));
    Some(spec)
}

/// `missing: any` and a default exclude each other, a team difference needs a default, and a window needs a cap
/// where no timeout ends its growth.
fn settle(kind: &mut RuleKind, spec: &QueueSpec) {
    let declared = |attribute: usize| spec.attributes[attribute].default.is_some();
    match kind {
        RuleKind::Difference { attribute, missing, default, .. }
            if declared(*attribute) || default.is_some() =>
        {
            *missing = Missing::Default;
        }
        RuleKind::Equality { attribute, missing, default, .. }
            if declared(*attribute) || default.is_some() =>
        {
            *missing = Missing::Default;
        }
        RuleKind::Intersection { attribute, missing, default, .. }
            if declared(*attribute) || default.is_some() =>
        {
            *missing = Missing::Default;
        }
        RuleKind::TeamDifference { attribute, default, .. } if !declared(*attribute) && default.is_none() => {
            *default = Some(Fixed::ZERO);
        }
        _ => {}
    }
    if let (
        None,
        RuleKind::Difference { window, .. }
        | RuleKind::TeamDifference { window, .. }
        | RuleKind::Region { window, .. },
    ) = (spec.timeout, kind)
    {
        let most = Fixed::from_micros(window.base.micros() + 40 * MICROS);
        if let Expand::Linear { cap, .. } | Expand::Power { cap, .. } = &mut window.expand {
            *cap = cap.or(Some(most));
        }
    }
}

/// Any small queue.
pub(crate) fn any_queue() -> impl Strategy<Value = QueueSpec> {
    let with =
        |shape: BoxedStrategy<Shape>, teams: bool| (shape, attributes(), some_rules(teams), settings());
    prop_oneof![
        2 => with(some_teams().boxed(), true),
        1 => with(no_teams(6).boxed(), false),
    ]
    .prop_filter_map("no legal size", |(shape, attributes, rules, settings)| {
        queue(shape, attributes, rules, settings)
    })
}

/// Queues whose greatest match is two players, under any rules.
pub(crate) fn pair_queue() -> impl Strategy<Value = QueueSpec> {
    let drawn = two_players().prop_flat_map(|shape| {
        let teams = !shape.teams.is_empty();
        (Just(shape), attributes(), some_rules(teams), settings())
    });
    drawn.prop_filter_map("no legal size", |(shape, attributes, rules, settings)| {
        queue(shape, attributes, rules, settings)
    })
}

/// Queues without teams whose rules are one difference and equalities, none ever optional, and a region rule of
/// weight 0.
pub(crate) fn free_for_all_queue() -> impl Strategy<Value = QueueSpec> {
    let equalities = vec(rule(equality().boxed()), 0..=2);
    let regions = of(rule(region().boxed()));
    (no_teams(6), attributes(), rule(difference().boxed()), equalities, regions, settings()).prop_filter_map(
        "no legal size",
        |(shape, attributes, mut difference, mut rules, region, settings)| {
            difference.optional_after = None;
            rules.iter_mut().for_each(|rule| rule.optional_after = None);
            rules.push(difference);
            rules.extend(region.map(|region| RuleSpec { weight: Fixed::ZERO, ..region }));
            queue(shape, attributes, rules, settings)
        },
    )
}
