//! A queue as a native queue file. Reading the text again gives an equal queue, if `validate` finds no fault
//! in it. Keys that say the default are left out.

use super::JsonWriter;
use crate::base::fixed::Fixed;
use crate::model::attribute::{AttributeDefault, AttributeSpec, AttributeType};
use crate::model::ids::Millis;
use crate::rules::spec::{
    Bounds, Expand, IndexChoice, Merge, Missing, NumberWindow, QueueSpec, RegionNames, RuleKind, RuleSpec,
    Selection, Step, TeamSpec, TotalScope, Undeclared, WindowAge,
};

/// The text of a queue file, indented, without a line break at its end.
pub fn write_queue(spec: &QueueSpec) -> String {
    let mut out = JsonWriter::indented();
    out.begin_object();
    out.string_at("name", &spec.name);
    if !spec.teams.is_empty() {
        list(&mut out, "teams", &spec.teams, team);
    }
    let size = spec.players;
    if size.min.is_some() || size.max.is_some() || size.multiple.is_some() {
        object(&mut out, "players", |out| {
            out.number_if("min", size.min);
            out.number_if("max", size.max);
            out.number_if("multiple", size.multiple);
        });
    }
    if let Some(max) = spec.party_max {
        object(&mut out, "party", |out| out.number_at("max", max));
    }
    if !spec.attributes.is_empty() {
        object(&mut out, "attributes", |out| spec.attributes.iter().for_each(|each| attribute(out, each)));
    }
    if !spec.rules.is_empty() {
        list(&mut out, "rules", &spec.rules, |out, each| rule(out, spec, each));
    }
    limits(&mut out, spec);
    out.end_object();
    out.finish()
}

/// The queue's own keys behind its rules.
fn limits(out: &mut JsonWriter, spec: &QueueSpec) {
    if spec.windows != WindowAge::Mutual {
        out.string_at("windows", window_age(spec.windows));
    }
    if spec.selection == Selection::LeastCost {
        out.string_at("selection", "least_cost");
    }
    if spec.prefer_full_for != Millis(0) {
        out.number_at("prefer_full_for_s", spec.prefer_full_for);
    }
    out.number_if("timeout_s", spec.timeout);
    out.number_if("capacity", spec.capacity);
    out.number_if("min_tickets", spec.min_tickets);
    if let Some(regions) = &spec.regions {
        out.strings_at("regions", regions);
    }
    if spec.region_names == RegionNames::FoldCase {
        out.string_at("region_names", "fold_case");
    }
    if spec.undeclared == Undeclared::Keep {
        out.string_at("undeclared", "keep");
    }
    if let Some(echo) = &spec.echo {
        out.key("echo");
        out.raw(echo);
    }
    out.number_if("urgent_after_s", spec.urgent_after);
    match spec.index {
        IndexChoice::Auto => {}
        IndexChoice::Sorted => out.string_at("index", "sorted"),
        IndexChoice::KdTree => out.string_at("index", "kdtree"),
        IndexChoice::Linear => out.string_at("index", "linear"),
    }
}

fn object(out: &mut JsonWriter, key: &str, members: impl FnOnce(&mut JsonWriter)) {
    out.key(key);
    out.begin_object();
    members(out);
    out.end_object();
}

fn list<T>(out: &mut JsonWriter, key: &str, items: &[T], members: impl Fn(&mut JsonWriter, &T)) {
    out.key(key);
    out.begin_array();
    for item in items {
        out.begin_object();
        members(out, item);
        out.end_object();
    }
    out.end_array();
}

fn range(out: &mut JsonWriter, key: &str, min: u32, max: u32) {
    object(out, key, |out| {
        out.number_at("min", min);
        out.number_at("max", max);
    });
}

fn team(out: &mut JsonWriter, team: &TeamSpec) {
    out.string_at("name", &team.name);
    match team.count {
        Some(count) if count.is_range => range(out, "count", count.min, count.max),
        Some(count) => out.number_at("count", count.max),
        None => {}
    }
    if team.players_min == team.players_max {
        out.number_at("players", team.players_max);
    } else {
        range(out, "players", team.players_min, team.players_max);
    }
}

fn attribute(out: &mut JsonWriter, attribute: &AttributeSpec) {
    object(out, &attribute.name, |out| {
        out.string_at("type", attribute.kind.word());
        if let Some(value) = &attribute.default {
            default(out, value);
        }
        out.number_if("min", attribute.min);
        out.number_if("max", attribute.max);
        if attribute.kind == AttributeType::Number && attribute.decimals != 6 {
            out.number_at("decimals", attribute.decimals);
        }
        if let Some(path) = &attribute.path {
            out.string_at("path", path);
        }
        if let Some(source) = &attribute.source {
            out.string_at("source", source);
        }
    });
}

fn default(out: &mut JsonWriter, value: &AttributeDefault) {
    match value {
        AttributeDefault::Number(value) => out.number_at("default", value),
        AttributeDefault::String(text) => out.string_at("default", text),
        AttributeDefault::StringList(values) => out.strings_at("default", values),
    }
}

const fn window_age(windows: WindowAge) -> &'static str {
    match windows {
        WindowAge::Mutual => "mutual",
        WindowAge::Oldest => "oldest",
        WindowAge::Newest => "newest",
    }
}

fn rule(out: &mut JsonWriter, spec: &QueueSpec, rule: &RuleSpec) {
    out.string_at("name", &rule.name);
    kind(out, spec, &rule.kind);
    if rule.weight != Fixed::ONE {
        out.number_at("weight", rule.weight);
    }
    out.number_if("optional_after_s", rule.optional_after);
    if let Some(windows) = rule.windows {
        out.string_at("windows", window_age(windows));
    }
    if rule.may_tighten {
        out.key("may_tighten");
        out.bool(true);
    }
}

fn kind(out: &mut JsonWriter, spec: &QueueSpec, kind: &RuleKind) {
    let name_of = |index: usize| spec.attributes.get(index).map_or("", |attribute| &attribute.name);
    match kind {
        RuleKind::Equality { attribute, missing: absent, default: value, steps } => {
            out.string_at("type", "equality");
            out.string_at("attribute", name_of(*attribute));
            missing(out, *absent);
            if let Some(value) = value {
                default(out, value);
            }
            expand_steps(out, steps, |out, on| out.bool(*on));
        }
        RuleKind::Difference { attribute, window, merge, missing: absent, default: value } => {
            out.string_at("type", "difference");
            out.string_at("attribute", name_of(*attribute));
            number_window(out, "max", window);
            match merge {
                Merge::Average => {}
                Merge::Min => out.string_at("merge", "min"),
                Merge::Max => out.string_at("merge", "max"),
            }
            missing(out, *absent);
            out.number_if("default", *value);
        }
        RuleKind::TeamDifference { attribute, window, default: value } => {
            out.string_at("type", "team_difference");
            out.string_at("attribute", name_of(*attribute));
            number_window(out, "max", window);
            out.number_if("default", *value);
        }
        RuleKind::Intersection { attribute, window, missing: absent, default: value } => {
            out.string_at("type", "intersection");
            out.string_at("attribute", name_of(*attribute));
            number_window(out, "min", window);
            missing(out, *absent);
            if let Some(values) = value {
                out.strings_at("default", values);
            }
        }
        RuleKind::Total { attribute, bounds: base, per, steps } => {
            out.string_at("type", "total");
            if let Some(attribute) = attribute {
                out.string_at("attribute", name_of(*attribute));
            }
            if *per == TotalScope::Team {
                out.string_at("per", "team");
            }
            bounds(out, *base);
            expand_steps(out, steps, |out, value| match value {
                None => out.null(),
                Some(value) => {
                    out.begin_object();
                    bounds(out, *value);
                    out.end_object();
                }
            });
        }
        RuleKind::Region { window, path } => {
            out.string_at("type", "region");
            number_window(out, "max_ms", window);
            if let Some(path) = path {
                out.string_at("path", path);
            }
        }
        RuleKind::TeamSize { window } => {
            out.string_at("type", "team_size");
            number_window(out, "max", window);
        }
        RuleKind::PremadeBalance => out.string_at("type", "premade_balance"),
    }
}

fn missing(out: &mut JsonWriter, missing: Missing) {
    if missing == Missing::Any {
        out.string_at("missing", "any");
    }
}

fn bounds(out: &mut JsonWriter, bounds: Bounds) {
    out.number_if("min", bounds.min);
    out.number_if("max", bounds.max);
}

fn expand_steps<T>(out: &mut JsonWriter, steps: &[Step<T>], value: impl Fn(&mut JsonWriter, &T)) {
    if !steps.is_empty() {
        object(out, "expand", |out| write_steps(out, steps, value));
    }
}

fn write_steps<T>(out: &mut JsonWriter, steps: &[Step<T>], value: impl Fn(&mut JsonWriter, &T)) {
    list(out, "steps", steps, |out, step| {
        out.number_at("after_s", step.after);
        out.key("value");
        value(out, &step.value);
    });
}

fn number_window(out: &mut JsonWriter, key: &str, window: &NumberWindow) {
    out.number_at(key, window.base);
    if window.expand == Expand::Never {
        return;
    }
    object(out, "expand", |out| match &window.expand {
        Expand::Never => {}
        Expand::Linear { add, every, cap, floor } => object(out, "linear", |out| {
            out.number_at("add", add);
            out.number_at("every_s", every);
            out.number_if("cap", *cap);
            out.number_if("floor", *floor);
        }),
        Expand::Power { factor, exponent, cap } => object(out, "power", |out| {
            out.number_at("factor", factor);
            out.number_at("exponent", exponent);
            out.number_if("cap", *cap);
        }),
        Expand::Steps(steps) => write_steps(out, steps, |out, value| match value {
            Some(value) => out.number(value),
            None => out.null(),
        }),
    });
}
