//! A queue in words: its teams, its rules, its attributes.
//!
//! Used by `check`. Says what the file means, defaults included, so that an author sees what was left unsaid.

use crate::windows::number_window;
use evenmatch::base::fixed::Fixed;
use evenmatch::model::attribute::{AttributeDefault, AttributeSpec};
use evenmatch::rules::shape::Shape;
use evenmatch::rules::spec::{
    Bounds, Expand, Merge, Missing, NumberWindow, QueueSpec, RuleKind, RuleSpec, Selection, TeamSpec,
    TotalScope, Undeclared, WindowAge,
};

/// The teams in one line: `red 5, blue 5`; `squad_1 .. squad_20: 10 to 20 teams of 1 to 3`.
pub(crate) fn teams(spec: &QueueSpec) -> String {
    if spec.teams.is_empty() {
        return "none; all players of a match stand in one team named \"all\"".to_owned();
    }
    spec.teams.iter().map(team).collect::<Vec<String>>().join(", ")
}

fn team(team: &TeamSpec) -> String {
    let size = between(team.players_min, team.players_max);
    match team.count {
        None => format!("{} of {size}", team.name),
        Some(count) => {
            let (first, last) = (format!("{}_1", team.name), format!("{}_{}", team.name, count.max));
            format!("{first} .. {last}: {} teams of {size}", between(count.min, count.max))
        }
    }
}

fn between(min: u32, max: u32) -> String {
    if min == max { format!("{min}") } else { format!("{min} to {max}") }
}

/// What an attribute is: `number, 0 to 5000, 0 decimals, 1500 if absent`.
pub(crate) fn attribute(attribute: &AttributeSpec) -> String {
    let mut text = attribute.kind.word().to_owned();
    if let Some(range) = bounds(&Bounds { min: attribute.min, max: attribute.max }) {
        text.push_str(&format!(", {range}"));
    }
    if attribute.kind.is_numeric() && attribute.decimals > 0 {
        text.push_str(&format!(", {} behind the point", digits(attribute.decimals)));
    }
    match &attribute.default {
        Some(default) => text.push_str(&format!(", {} if absent", default_word(default))),
        None => text.push_str(", no default"),
    }
    text
}

fn digits(count: u8) -> String {
    if count == 1 { "1 digit".to_owned() } else { format!("{count} digits") }
}

fn default_word(default: &AttributeDefault) -> String {
    match default {
        AttributeDefault::Number(number) => number.to_string(),
        AttributeDefault::String(text) => format!("{text:?}"),
        AttributeDefault::StringList(list) => format!("{list:?}"),
    }
}

/// `5`, `1 to 3`, `at least 1`, `at most 3`; `None` without any bound.
fn bounds(bounds: &Bounds) -> Option<String> {
    match (bounds.min, bounds.max) {
        (Some(min), Some(max)) if min == max => Some(format!("exactly {min}")),
        (Some(min), Some(max)) => Some(format!("{min} to {max}")),
        (Some(min), None) => Some(format!("at least {min}")),
        (None, Some(max)) => Some(format!("at most {max}")),
        (None, None) => None,
    }
}

/// What a rule asks for, how it loosens, and whom it binds.
pub(crate) fn rule(spec: &QueueSpec, shape: &Shape, rule: &RuleSpec) -> String {
    let mut text = demand(spec, shape, rule);
    if let Some(window) = number_window(rule) {
        text.push_str(&expansion(window, matches!(rule.kind, RuleKind::Region { .. })));
    }
    if let Some(after) = rule.optional_after {
        text.push_str(&format!("; optional from {after} s on"));
    }
    if let Some(age) = rule.windows.filter(|&age| age != spec.windows) {
        text.push_str(&format!("; {}", window_age(age)));
    }
    text.push('.');
    text
}

fn demand(spec: &QueueSpec, shape: &Shape, rule: &RuleSpec) -> String {
    let name = |index: &usize| spec.attributes.get(*index).map_or("?", |attribute| attribute.name.as_str());
    match &rule.kind {
        RuleKind::Equality { attribute, missing, steps, .. } => {
            let steps = steps.iter().map(|step| format!("{} from {} s on", on(step.value), step.after));
            let steps: Vec<String> = steps.collect();
            let steps = if steps.is_empty() { String::new() } else { format!("; {}", steps.join(", ")) };
            format!("All tickets have the same {}{}{steps}", name(attribute), left_out(*missing))
        }
        RuleKind::Difference { attribute, window, merge, missing, .. } => {
            let merged = match merge {
                Merge::Average => "average",
                Merge::Min => "least",
                Merge::Max => "greatest",
            };
            let (attribute, base) = (name(attribute), window.base);
            let party = if largest_party(spec, shape) > 1 {
                format!(" (of a party: its members' {merged})")
            } else {
                String::new()
            };
            format!("Any two tickets differ by at most {base} in {attribute}{party}{}", left_out(*missing))
        }
        RuleKind::TeamDifference { attribute, window, .. } => {
            format!("The teams' averages of {} differ by at most {}", name(attribute), window.base)
        }
        RuleKind::Intersection { attribute, window, missing, .. } => {
            let values = if window.base == Fixed::ONE { "value" } else { "values" };
            let (count, attribute) = (window.base, name(attribute));
            format!("The {attribute} of all tickets share at least {count} {values}{}", left_out(*missing))
        }
        RuleKind::Total { attribute, bounds: asked, per, steps } => {
            let what = attribute.as_ref().map_or("The count of players", |_| "The sum of");
            let what = attribute.as_ref().map_or(what.to_owned(), |index| format!("{what} {}", name(index)));
            let place = match per {
                TotalScope::Match => "over the match",
                TotalScope::Team => "in each team",
            };
            let word = |bounds_asked: &Bounds| bounds(bounds_asked).unwrap_or_else(|| "anything".to_owned());
            let steps = steps.iter().map(|step| {
                let value = step.value.as_ref().map_or("off".to_owned(), word);
                format!("; {value} from {} s on", step.after)
            });
            format!("{what} {place} is {}{}", word(asked), steps.collect::<String>())
        }
        RuleKind::Region { window, .. } => {
            format!("One region is within {} ms of every ticket (a party's worst ping)", window.base)
        }
        RuleKind::TeamSize { window } => {
            format!("The largest and the smallest team differ by at most {} in size", window.base)
        }
        RuleKind::PremadeBalance => {
            let large = shape.team_max.div_ceil(2).max(2);
            format!("Every team has exactly one large party ({large} players or more), or none has one")
        }
    }
}

fn players(count: u32) -> String {
    if count == 1 { "1 player".to_owned() } else { format!("{count} players") }
}

/// The size of the largest party that the queue takes.
pub(crate) fn largest_party(spec: &QueueSpec, shape: &Shape) -> u32 {
    spec.party_max.map_or(shape.team_max, |max| max.min(shape.team_max))
}

fn on(value: bool) -> &'static str {
    if value { "on" } else { "off" }
}

fn left_out(missing: Missing) -> &'static str {
    match missing {
        Missing::Any => "; a ticket without a value meets anyone",
        Missing::Default => "",
    }
}

/// How a window changes.
fn expansion(window: &NumberWindow, is_ms: bool) -> String {
    let unit = if is_ms { " ms" } else { "" };
    match &window.expand {
        Expand::Never => String::new(),
        Expand::Linear { add, every, cap, floor } => {
            let cap = cap.map_or(String::new(), |cap| format!(", at most {cap}{unit}"));
            let floor = floor.map_or(String::new(), |floor| format!(", at least {floor}{unit}"));
            let (sign, amount) = match add.micros() {
                negative @ ..0 => ("less", Fixed::from_micros(-negative)),
                _ => ("more", *add),
            };
            format!("; {amount}{unit} {sign} every {every} s{cap}{floor}")
        }
        Expand::Power { factor, exponent, cap } => {
            let cap = cap.map_or(String::new(), |cap| format!(", at most {cap}{unit}"));
            format!("; plus {factor} * seconds^{exponent}{cap}")
        }
        Expand::Steps(steps) => steps
            .iter()
            .map(|step| {
                let value = step.value.map_or("off".to_owned(), |value| format!("{value}{unit}"));
                format!("; {value} from {} s on", step.after)
            })
            .collect(),
    }
}

/// Whose age drives the windows.
pub(crate) const fn window_age(age: WindowAge) -> &'static str {
    match age {
        WindowAge::Mutual => "every ticket's own age counts, and both sides must agree",
        WindowAge::Oldest => "the age of the match's oldest ticket counts for all",
        WindowAge::Newest => "the age of the match's newest ticket counts for all",
    }
}

/// Which matches are made.
pub(crate) const fn selection(selection: Selection) -> &'static str {
    match selection {
        Selection::OldestFirst => "the ticket that has waited longest first, each with its best match",
        Selection::LeastCost => "as many players as possible, then the least total cost",
    }
}

/// From when on a ticket goes first.
fn urgent(spec: &QueueSpec) -> String {
    match (spec.urgent_after, spec.timeout) {
        (Some(after), _) => format!("tickets that have waited {after} s go first, the oldest one first"),
        (None, Some(_)) => {
            "tickets that have waited half of their timeout go first, the oldest one first".to_owned()
        }
        (None, None) => {
            "only tickets with a timeout of their own, which go first after half of it".to_owned()
        }
    }
}

/// The limits of a queue that apply, in one line each.
pub(crate) fn limits(spec: &QueueSpec, shape: &Shape) -> Vec<(&'static str, String)> {
    let mut lines = vec![
        ("party", format!("up to {}", players(largest_party(spec, shape)))),
        ("tickets", tickets(spec, shape)),
        ("windows", window_age(spec.windows).to_owned()),
        ("selection", selection(spec.selection).to_owned()),
        ("timeout", spec.timeout.map_or("never".to_owned(), |timeout| format!("{timeout} s"))),
    ];
    if spec.selection == Selection::LeastCost {
        lines.push(("urgent", urgent(spec)));
    }
    if spec.prefer_full_for.0 > 0 {
        let (full, age) = (shape.full, spec.prefer_full_for);
        lines.push((
            "full first",
            format!("only matches of {full} players while the oldest is younger than {age} s"),
        ));
    }
    if let Some(capacity) = spec.capacity {
        lines.push(("capacity", format!("{capacity} tickets")));
    }
    match &spec.regions {
        Some(regions) => lines.push(("regions", regions.join(", "))),
        None if spec.rules.iter().any(|rule| matches!(rule.kind, RuleKind::Region { .. })) => {
            lines.push(("regions", "learned from the tickets, at most 64".to_owned()));
        }
        None => {}
    }
    if spec.undeclared == Undeclared::Keep {
        lines.push(("undeclared", "attributes that are not declared are carried along".to_owned()));
    }
    lines
}

/// How many tickets a match takes.
fn tickets(spec: &QueueSpec, shape: &Shape) -> String {
    let largest = largest_party(spec, shape);
    let alone = shape.legal_totals().any(|total| total <= largest);
    match (shape.min_tickets, shape.full_may_stand_alone) {
        (0 | 1, _) if alone => "a party that is large enough may be a match alone".to_owned(),
        (0 | 1, _) => "as many as it takes".to_owned(),
        (least, true) => format!("at least {least} in a match; one that is a full match may stand alone"),
        (least, false) => format!("at least {least} in a match"),
    }
}
