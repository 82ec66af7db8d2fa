//! Random rules of every kind, with every way of growing. Numbers are drawn small, so that ties and boundaries
//! are frequent.

use evenmatch::base::fixed::{Fixed, MICROS};
use evenmatch::model::attribute::AttributeDefault;
use evenmatch::model::ids::Millis;
use evenmatch::rules::spec::*;
use proptest::collection::vec;
use proptest::option::{of, weighted};
use proptest::prelude::*;

pub(crate) const SKILL: usize = 0;
pub(crate) const KARMA: usize = 1;
pub(crate) const MODE: usize = 2;
pub(crate) const LEVEL: usize = 3;
pub(crate) const MAPS: usize = 4;
pub(crate) const ROLE: usize = 5;

/// Half units, as a number of the queue file.
fn halves(count: i64) -> Fixed {
    Fixed::from_micros(count * MICROS / 2)
}

fn whole(count: u32) -> Fixed {
    Fixed::from_int(i64::from(count))
}

/// A drawn step: seconds after the last one, and how much looser than it (`None`: off).
type StepDraw = (u64, Option<i64>);

fn step_draws() -> impl Strategy<Value = Vec<StepDraw>> {
    vec((1..=12_u64, weighted(0.8, 0..=4_i64)), 0..=3)
}

/// Turns drawn steps into steps with the values that `value` makes of the looseness reached. A number after an
/// "off" would tighten, so steps end there.
fn steps_of<T>(draws: &[StepDraw], value: impl Fn(i64) -> T) -> Vec<Step<Option<T>>> {
    let (mut at, mut loose, mut steps) = (0, 0, Vec::new());
    for &(gap, more) in draws {
        at += gap;
        let after = Millis(at * 1000);
        match more {
            Some(more) => {
                loose += more;
                steps.push(Step { after, value: Some(value(loose)) });
            }
            None => {
                steps.push(Step { after, value: None });
                break;
            }
        }
    }
    steps
}

/// A window whose numbers are multiples of `unit`, growing with age.
fn growing(base: std::ops::RangeInclusive<i64>, unit: Fixed, smooth: bool) -> BoxedStrategy<NumberWindow> {
    let times = move |count: i64| Fixed::from_micros(unit.micros() * count);
    let constant =
        base.clone().prop_map(move |base| NumberWindow { base: times(base), expand: Expand::Never });
    let linear =
        (base.clone(), 1..=4_i64, 1..=5_u64, of(0..=8_i64)).prop_map(move |(base, add, every, cap)| {
            let (add, cap) = (times(add), cap.map(|more| times(base + more)));
            NumberWindow {
                base: times(base),
                expand: Expand::Linear { add, every: Millis(every * 1000), cap, floor: None },
            }
        });
    let steps = (base.clone(), step_draws()).prop_map(move |(base, draws)| NumberWindow {
        base: times(base),
        expand: Expand::Steps(steps_of(&draws, |loose| times(base + loose))),
    });
    let exponents = prop_oneof![Just(500_000), Just(1_000_000), Just(1_350_000), Just(2_000_000)];
    let power = (base, 0..=4_i64, exponents, of(0..=8_i64)).prop_map(move |(base, factor, exponent, cap)| {
        let (factor, exponent) =
            (Fixed::from_micros(unit.micros() / 4 * factor), Fixed::from_micros(exponent));
        let cap = cap.map(|more| times(base + more));
        NumberWindow { base: times(base), expand: Expand::Power { factor, exponent, cap } }
    });
    if smooth {
        prop_oneof![3 => constant, 2 => linear, 2 => steps, 1 => power].boxed()
    } else {
        prop_oneof![3 => constant, 2 => steps].boxed()
    }
}

/// A count of shared values that falls with age.
fn falling() -> impl Strategy<Value = NumberWindow> {
    let constant = (1..=2_u32).prop_map(|base| NumberWindow { base: whole(base), expand: Expand::Never });
    let linear = (1..=3_u32, 1..=5_u64).prop_map(|(base, every)| {
        let expand = Expand::Linear {
            add: Fixed::from_int(-1),
            every: Millis(every * 1000),
            cap: None,
            floor: Some(Fixed::ONE),
        };
        NumberWindow { base: whole(base), expand }
    });
    let steps = (2..=3_i64, step_draws()).prop_map(|(base, draws)| NumberWindow {
        base: Fixed::from_int(base),
        expand: Expand::Steps(steps_of(&draws, |loose| Fixed::from_int((base - loose).max(1)))),
    });
    prop_oneof![2 => constant, 1 => linear, 1 => steps]
}

pub(crate) fn difference() -> impl Strategy<Value = RuleKind> {
    let merge = prop_oneof![Just(Merge::Average), Just(Merge::Min), Just(Merge::Max)];
    let attribute = prop_oneof![4 => Just(SKILL), 1 => Just(KARMA)];
    (attribute, growing(0..=6, halves(1), true), merge, any::<bool>(), weighted(0.2, -2..=4_i64)).prop_map(
        |(attribute, window, merge, any, default)| RuleKind::Difference {
            attribute,
            window,
            merge,
            missing: if any { Missing::Any } else { Missing::Default },
            default: default.map(Fixed::from_int),
        },
    )
}

/// An equality; with `steps` it may be switched off, and on again under `may_tighten`.
pub(crate) fn equality() -> impl Strategy<Value = RuleKind> {
    let off = weighted(0.3, 1..=15_u64);
    (prop_oneof![Just(MODE), Just(LEVEL)], any::<bool>(), weighted(0.2, 0..=2_usize), off).prop_map(
        |(attribute, any, default, off)| RuleKind::Equality {
            attribute,
            missing: if any { Missing::Any } else { Missing::Default },
            default: default.map(|value| match attribute {
                MODE => AttributeDefault::String(mode(value).to_owned()),
                _ => AttributeDefault::Number(Fixed::from_int(value as i64)),
            }),
            steps: off.map(|at| Step { after: Millis(at * 1000), value: false }).into_iter().collect(),
        },
    )
}

pub(crate) fn mode(value: usize) -> &'static str {
    ["koth", "ctf", "dm"][value % 3]
}

/// The maps whose bits are set.
pub(crate) fn maps(bits: u8) -> Vec<String> {
    (0..4).filter(|bit| bits >> bit & 1 == 1).map(|bit| format!("map{bit}")).collect()
}

fn intersection() -> impl Strategy<Value = RuleKind> {
    (falling(), any::<bool>(), weighted(0.2, 1..16_u8)).prop_map(|(window, any, default)| {
        RuleKind::Intersection {
            attribute: MAPS,
            window,
            missing: if any { Missing::Any } else { Missing::Default },
            default: default.map(maps),
        }
    })
}

fn total(per_team: bool) -> impl Strategy<Value = RuleKind> {
    let of_roles = (0..=1_i64, of(0..=2_i64)).prop_map(|(min, more)| (Some(ROLE), min, more));
    let of_karma = (-3..=0_i64, of(0..=5_i64)).prop_map(|(min, more)| (Some(KARMA), min, more));
    let of_players = (1..=3_i64, of(0..=4_i64)).prop_map(|(min, more)| (None, min, more));
    let drawn = prop_oneof![3 => of_roles, 1 => of_karma, 1 => of_players];
    (drawn, any::<bool>(), any::<bool>(), step_draws()).prop_map(
        move |((attribute, min, more), team, has_min, draws)| {
            let least = if attribute == Some(KARMA) { i64::MIN } else { 0 };
            let bounds = |loose: i64| Bounds {
                min: (has_min || more.is_none()).then(|| Fixed::from_int((min - loose).max(least))),
                max: more.map(|more| Fixed::from_int(min + more + loose)),
            };
            let per = if team && per_team { TotalScope::Team } else { TotalScope::Match };
            RuleKind::Total { attribute, bounds: bounds(0), per, steps: steps_of(&draws, bounds) }
        },
    )
}

pub(crate) fn region() -> impl Strategy<Value = RuleKind> {
    growing(1..=5, Fixed::from_int(10), true).prop_map(|window| RuleKind::Region { window, path: None })
}

fn team_difference() -> impl Strategy<Value = RuleKind> {
    (
        prop_oneof![4 => Just(SKILL), 1 => Just(KARMA)],
        growing(0..=6, halves(1), true),
        weighted(0.4, -2..=4_i64),
    )
        .prop_map(|(attribute, window, default)| RuleKind::TeamDifference {
            attribute,
            window,
            default: default.map(Fixed::from_int),
        })
}

fn team_size() -> impl Strategy<Value = RuleKind> {
    growing(0..=2, Fixed::ONE, false).prop_map(|window| RuleKind::TeamSize { window })
}

pub(crate) fn window_age() -> impl Strategy<Value = WindowAge> {
    prop_oneof![3 => Just(WindowAge::Mutual), 1 => Just(WindowAge::Oldest), 1 => Just(WindowAge::Newest)]
}

/// A rule around `kind`; its name is given later.
pub(crate) fn rule(kind: BoxedStrategy<RuleKind>) -> impl Strategy<Value = RuleSpec> {
    let weight = prop_oneof![
        3 => Just(Fixed::ONE),
        2 => Just(Fixed::ZERO),
        1 => Just(Fixed::from_micros(250_000)),
        1 => Just(Fixed::from_int(3))
    ];
    (kind, weight, weighted(0.3, 0..=20_u64), weighted(0.3, window_age()), weighted(0.1, Just(()))).prop_map(
        |(mut kind, weight, optional_after, windows, tighten)| {
            if tighten.is_some() {
                turn_steps(&mut kind);
            }
            RuleSpec {
                name: String::new(),
                weight,
                optional_after: optional_after.map(|seconds| Millis(seconds * 1000)),
                windows,
                may_tighten: tighten.is_some(),
                kind,
            }
        },
    )
}

/// Gives the values of steps to the ages in the opposite order, so that the rule becomes stricter with age.
fn turn_steps(kind: &mut RuleKind) {
    fn turn<T: Copy>(steps: &mut [Step<T>]) {
        let values: Vec<T> = steps.iter().map(|step| step.value).collect();
        steps.iter_mut().zip(values.into_iter().rev()).for_each(|(step, value)| step.value = value);
    }
    match kind {
        RuleKind::Equality { steps, .. } => {
            if let Some(last) = steps.last().copied() {
                steps.push(Step { after: last.after.after(Millis(4000)), value: true });
            }
        }
        RuleKind::Difference { window, .. }
        | RuleKind::TeamDifference { window, .. }
        | RuleKind::Intersection { window, .. }
        | RuleKind::Region { window, .. }
        | RuleKind::TeamSize { window } => {
            if let Expand::Steps(steps) = &mut window.expand {
                turn(steps);
            }
        }
        RuleKind::Total { steps, .. } => turn(steps),
        RuleKind::PremadeBalance => {}
    }
}

fn any_rule(teams: bool) -> BoxedStrategy<RuleSpec> {
    let plain = prop_oneof![
        4 => difference().boxed(),
        2 => equality().boxed(),
        2 => intersection().boxed(),
        2 => total(teams).boxed(),
        3 => region().boxed(),
    ];
    if !teams {
        return rule(plain.boxed()).boxed();
    }
    let of_teams = prop_oneof![
        3 => team_difference().boxed(),
        2 => team_size().boxed(),
        1 => Just(RuleKind::PremadeBalance).boxed(),
    ];
    rule(prop_oneof![3 => plain, 2 => of_teams].boxed()).boxed()
}

/// Mostly few: under many rules hardly any match is legal.
pub(crate) fn some_rules(teams: bool) -> impl Strategy<Value = Vec<RuleSpec>> {
    prop_oneof![3 => vec(any_rule(teams), 0..=2), 1 => vec(any_rule(teams), 3..=5)]
}
