//! Random queues without a fault, and random trace lines, for the round trips through text.

use evenmatch::base::fixed::{Decimal, Fixed};
use evenmatch::config::trace::{
    QueueState, TraceAction, TraceJoin, TraceLine, TracePlayer, TracePlayerUpdate, TraceSubmit, TraceUpdate,
};
use evenmatch::config::{PlayfabJoin, PlayfabMember, PlayfabTicket};
use evenmatch::model::attribute::{AttributeDefault, AttributeSpec, AttributeType, AttributeValue};
use evenmatch::model::ids::Millis;
use evenmatch::model::request::TicketLimits;
use evenmatch::rules::spec::{
    Bounds, Expand, IndexChoice, MatchSizeSpec, Merge, Missing, NumberWindow, QueueSpec, RegionNames,
    RuleKind, RuleSpec, Selection, Step, TeamCount, TeamSpec, TotalScope, Undeclared, WindowAge,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

/// Text with quotes, escapes, control characters and letters of all sizes.
fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z]{1,6}", "[\\x00-\\x2f\\\\\"äß€😀]{1,6}", "[.\\[\\]{}/* ]{1,4}"]
}

fn fixed(from: i64, to: i64) -> impl Strategy<Value = Fixed> {
    prop_oneof![from..=to, (from / 1_000_000..=to / 1_000_000).prop_map(|n| n * 1_000_000)]
        .prop_map(Fixed::from_micros)
}

fn millis() -> impl Strategy<Value = Millis> {
    prop_oneof![0..100_000_u64, Just(1 << 52)].prop_map(Millis)
}

fn ages() -> impl Strategy<Value = Option<WindowAge>> {
    option::of(prop_oneof![Just(WindowAge::Mutual), Just(WindowAge::Oldest), Just(WindowAge::Newest)])
}

/// Strictly increasing ages with values; only rules that may tighten take them.
fn steps<T: std::fmt::Debug>(value: impl Strategy<Value = T>) -> impl Strategy<Value = Vec<Step<T>>> {
    vec((1..5_000_u64, value), 0..4).prop_map(|list| {
        let mut after = Millis(0);
        let step = |(wait, value)| {
            after = after.after(Millis(wait));
            Step { after, value }
        };
        list.into_iter().map(step).collect()
    })
}

/// A window whose numbers are multiples of `unit` micros, at most 60 units.
fn window(unit: i64) -> impl Strategy<Value = NumberWindow> {
    let number = move || (0..=60_i64).prop_map(move |n| Fixed::from_micros(n * unit));
    let expand = prop_oneof![
        Just(Expand::Never),
        (number(), 1..9_000_u64, any::<bool>(), any::<bool>()).prop_map(
            move |(add, every, capped, floored)| {
                Expand::Linear {
                    add,
                    every: Millis(every),
                    cap: capped.then(|| Fixed::from_micros(61 * unit)),
                    floor: floored.then_some(Fixed::ZERO),
                }
            }
        ),
        (number(), 1..5_000_000_i64, any::<bool>()).prop_map(move |(factor, exponent, capped)| {
            Expand::Power {
                factor,
                exponent: Fixed::from_micros(exponent),
                cap: capped.then(|| Fixed::from_micros(62 * unit)),
            }
        }),
        steps(option::of(number())).prop_map(Expand::Steps),
    ];
    (number(), expand).prop_map(|(base, expand)| NumberWindow { base, expand })
}

fn bounds() -> impl Strategy<Value = Bounds> {
    (fixed(-50_000_000, 0), fixed(0, 50_000_000), 0..3).prop_map(|(min, max, which)| Bounds {
        min: (which != 1).then_some(min),
        max: (which != 2).then_some(max),
    })
}

/// Attributes 0 and 1 are numeric, 2 a string, 3 a list.
fn kind() -> impl Strategy<Value = RuleKind> {
    let number = || 0..2_usize;
    let merge = prop_oneof![Just(Merge::Average), Just(Merge::Min), Just(Merge::Max)];
    prop_oneof![
        (option::of(text()), steps(any::<bool>())).prop_map(|(default, steps)| RuleKind::Equality {
            attribute: 2,
            missing: Missing::Default,
            default: default.map(AttributeDefault::String),
            steps,
        }),
        (number(), window(3), merge, option::of(0..50_i64)).prop_map(
            |(attribute, window, merge, default)| {
                let default = default.map(Fixed::from_int);
                RuleKind::Difference { attribute, window, merge, missing: Missing::Default, default }
            }
        ),
        (number(), window(7), 0..50_i64).prop_map(|(attribute, window, default)| RuleKind::TeamDifference {
            attribute,
            window,
            default: Some(Fixed::from_int(default)),
        }),
        (window(1_000_000), vec(text(), 0..3), any::<bool>()).prop_map(|(window, list, any)| {
            let default = (!any).then_some(list);
            let missing = if any { Missing::Any } else { Missing::Default };
            RuleKind::Intersection { attribute: 3, window, missing, default }
        }),
        (option::of(number()), bounds(), any::<bool>(), steps(option::of(bounds()))).prop_map(
            |(attribute, bounds, team, steps)| {
                let per = if team { TotalScope::Team } else { TotalScope::Match };
                RuleKind::Total { attribute, bounds, per, steps }
            }
        ),
        window(1_000_000).prop_map(|window| RuleKind::TeamSize { window }),
        Just(RuleKind::PremadeBalance),
    ]
}

fn rules() -> impl Strategy<Value = Vec<RuleSpec>> {
    let rule = (kind(), fixed(0, 9_000_000), option::of(millis()), ages());
    let region = option::of((window(1_500_000), option::of(text())));
    (vec(rule, 0..6), region, text()).prop_map(|(list, region, name)| {
        let region = region.map(|(window, path)| (RuleKind::Region { window, path }, Fixed::ONE, None, None));
        let numbered = list.into_iter().chain(region).enumerate();
        let rule = numbered.map(|(i, (kind, weight, optional_after, windows))| RuleSpec {
            name: format!("{name}{i}"),
            weight,
            optional_after,
            windows,
            may_tighten: true,
            kind,
        });
        rule.collect()
    })
}

fn attributes() -> impl Strategy<Value = Vec<AttributeSpec>> {
    let spec = |name: String, kind, default, decimals| AttributeSpec {
        name,
        kind,
        default,
        min: None,
        max: None,
        decimals,
        path: None,
        source: None,
    };
    (text(), option::of(fixed(-9, 9_000_000)), option::of(text()), option::of(fixed(50_000_000, 99_000_000)))
        .prop_map(move |(name, number, path, max)| {
            let default = number.map(AttributeDefault::Number);
            vec![
                AttributeSpec {
                    path,
                    max,
                    min: max.map(|_| Fixed::MIN),
                    ..spec(name, AttributeType::Number, default, 6)
                },
                spec("a:i".to_owned(), AttributeType::Integer, None, 0),
                AttributeSpec {
                    source: Some("x".to_owned()),
                    ..spec("a:s".to_owned(), AttributeType::String, None, 0)
                },
                spec("a:l".to_owned(), AttributeType::StringList, None, 0),
            ]
        })
}

fn teams() -> impl Strategy<Value = Vec<TeamSpec>> {
    let count = option::of((1..4_u32, 0..3_u32, any::<bool>()));
    let team = (text(), count, 0..4_u32, 1..4_u32);
    let team = team.prop_map(|(name, count, least, more)| TeamSpec {
        name,
        count: count.map(|(min, more, is_range)| {
            let max = if is_range { min + more } else { min };
            TeamCount { min, max, is_range }
        }),
        players_min: least,
        players_max: least + more,
    });
    vec(team, 0..4).prop_map(|mut list| {
        list.iter_mut().enumerate().for_each(|(i, team)| team.name.push_str(&format!(":{i}")));
        list
    })
}

/// A queue without a fault.
pub(crate) fn queue() -> impl Strategy<Value = QueueSpec> {
    let sizes = (teams(), 1..4_u32, 200..=256_u32, option::of(Just(1_u32)), option::of(1..=64_u32));
    let times = (millis(), 1..100_000_u64, option::of(millis()), option::of(1..9_u32));
    let words = (any::<[bool; 4]>(), ages(), 0..4_usize, option::of(1..(1_u32 << 26)));
    let echo = option::of(Just(r#"{"a":[1,null,{"b":"\u0001"}]}"#.to_owned()));
    (text(), sizes, attributes(), rules(), times, words, echo).prop_map(
        |(name, sizes, attributes, rules, times, words, echo)| {
            let (teams, min, max, multiple, party_max) = sizes;
            let (prefer_full_for, timeout, urgent_after, min_tickets) = times;
            let ([players, regions, fold, keep], windows, index, capacity) = words;
            let has_size = players || teams.is_empty();
            let (min, has_teams) = (if teams.is_empty() { min } else { 1 }, !teams.is_empty());
            QueueSpec {
                name,
                players: MatchSizeSpec {
                    min: has_size.then_some(min),
                    max: has_size.then_some(max),
                    multiple,
                },
                teams,
                party_max,
                attributes,
                rules,
                windows: windows.unwrap_or(WindowAge::Mutual),
                selection: Selection::OldestFirst,
                prefer_full_for,
                timeout: Some(Millis(timeout)),
                capacity,
                min_tickets: min_tickets.filter(|&min| !has_teams || min == 1),
                regions: regions.then(|| vec!["eu".to_owned(), "\"us".to_owned()]),
                region_names: if fold { RegionNames::FoldCase } else { RegionNames::Exact },
                undeclared: if keep { Undeclared::Keep } else { Undeclared::Refuse },
                echo,
                urgent_after,
                index: [IndexChoice::Auto, IndexChoice::Sorted, IndexChoice::KdTree, IndexChoice::Linear]
                    [index],
            }
        },
    )
}

fn decimal() -> impl Strategy<Value = Decimal> {
    "-?(0|[1-9][0-9]{0,11})(\\.[0-9]{1,9})?(e-?[0-9]{1,2})?"
        .prop_filter_map("a number", |text| Decimal::parse(&text))
}

fn pairs<T: std::fmt::Debug>(value: impl Strategy<Value = T>) -> impl Strategy<Value = Vec<(String, T)>> {
    vec((text(), value), 0..4).prop_map(|list| {
        list.into_iter().enumerate().map(|(i, (name, value))| (format!("{name}:{i}"), value)).collect()
    })
}

fn values() -> impl Strategy<Value = Vec<(String, AttributeValue)>> {
    pairs(prop_oneof![
        decimal().prop_map(AttributeValue::Number),
        text().prop_map(AttributeValue::String),
        vec(text(), 0..3).prop_map(AttributeValue::StringList),
        Just(AttributeValue::Json(r#"{"a":[true,null,1e5]}"#.to_owned())),
    ])
}

fn limits() -> impl Strategy<Value = TicketLimits> {
    (pairs((option::of(decimal()), option::of(decimal()))), option::of(decimal())).prop_map(
        |(list, max_ping_ms)| {
            let attributes =
                list.into_iter().map(|(name, (least, greatest))| (name, least, greatest)).collect();
            TicketLimits { attributes, max_ping_ms }
        },
    )
}

fn player() -> impl Strategy<Value = TracePlayer> {
    (text(), values(), pairs(decimal())).prop_map(|(id, attributes, latency)| TracePlayer {
        id,
        attributes,
        latency,
    })
}

fn playfab_member() -> impl Strategy<Value = PlayfabMember> {
    let object =
        || prop_oneof![Just("{}".to_owned()), Just(r#"{"a.b":[1.50,{"c":"\\"}],"d":null}"#.to_owned())];
    (text(), option::of(text()), object()).prop_map(|(id, entity_type, attributes)| PlayfabMember {
        id,
        entity_type,
        attributes,
        entity_objects: None,
    })
}

fn playfab_ticket() -> impl Strategy<Value = PlayfabTicket> {
    let members = (any::<bool>(), vec(playfab_member(), 1..3), vec(text(), 0..3));
    (text(), text(), members, 1..1_000_000_000_u64).prop_map(|(ticket, queue, members, seconds)| {
        let (by_server, members, awaits) = members;
        let by_server = by_server || members.len() > 1;
        let awaits = if by_server { Vec::new() } else { awaits };
        PlayfabTicket { ticket, queue, by_server, members, awaits, give_up_after: Millis(seconds * 1000) }
    })
}

fn submit() -> impl Strategy<Value = TraceSubmit> {
    let players = (vec(player(), 0..3), vec(text(), 0..3));
    let rest =
        (option::of(vec(text(), 0..3)), limits(), option::of(millis()), option::of(millis()), any::<u64>());
    (text(), text(), players, pairs(decimal()), rest).prop_map(|(ticket, queue, players, latency, rest)| {
        let (players, awaits) = players;
        let (regions, limits, timeout, enqueued, user_data) = rest;
        TraceSubmit { ticket, queue, players, awaits, latency, regions, limits, timeout, enqueued, user_data }
    })
}

fn update() -> impl Strategy<Value = TraceUpdate> {
    let player = (text(), option::of(values()), option::of(pairs(decimal())))
        .prop_map(|(id, attributes, latency)| TracePlayerUpdate { id, attributes, latency });
    let regions = option::of(option::of(vec(text(), 0..3)));
    let rest = (option::of(limits()), regions, option::of(option::of(millis())));
    (text(), vec(player, 0..3), option::of(pairs(decimal())), rest).prop_map(
        |(ticket, players, latency, rest)| {
            let (limits, regions, timeout) = rest;
            TraceUpdate { ticket, players, latency, limits, regions, timeout }
        },
    )
}

/// Any trace line.
pub(crate) fn line() -> impl Strategy<Value = TraceLine> {
    let state = prop_oneof![Just(QueueState::Open), Just(QueueState::Suspended), Just(QueueState::Removed)];
    let action = prop_oneof![
        submit().prop_map(|it| TraceAction::Submit(Box::new(it))),
        playfab_ticket().prop_map(|it| TraceAction::SubmitPlayfab(Box::new(it))),
        (text(), player())
            .prop_map(|(ticket, player)| TraceAction::Join(Box::new(TraceJoin { ticket, player }))),
        (text(), option::of(text()), playfab_member()).prop_map(|(ticket, queue, member)| {
            TraceAction::JoinPlayfab(Box::new(PlayfabJoin { ticket, queue, member }))
        }),
        update().prop_map(|it| TraceAction::Update(Box::new(it))),
        (text(), option::of(0..u64::from(u32::MAX)))
            .prop_map(|(ticket, in_tick)| TraceAction::Cancel { ticket, in_tick }),
        (text(), option::of(text()), option::of(0..9_u64))
            .prop_map(|(player, ticket, in_tick)| TraceAction::Leave { player, ticket, in_tick }),
        (text(), vec(text(), 0..3))
            .prop_map(|(match_name, tickets)| TraceAction::Requeue { match_name, tickets }),
        (text(), any::<bool>()).prop_map(|(name, up)| TraceAction::Region { name, up }),
        (text(), state).prop_map(|(name, state)| TraceAction::Queue { name, state }),
        any::<u64>().prop_map(|budget| TraceAction::Tick { budget }),
        any::<u32>().prop_map(|number| TraceAction::Note { json: format!("{{\"a\":[{number}]}}") }),
    ];
    (millis(), action).prop_map(|(at, action)| TraceLine { at, action })
}
