//! What concerns the queue as a whole: names, limits, times, regions. Called by `validate` and `warnings`
//! only.

use super::{Faults, full_size};
use crate::model::ids::Millis;
use crate::model::limits::{MATCH_PLAYERS_MAX, REGIONS_MAX, SLOTS_MAX, TICKET_PLAYERS_MAX, TIME_MS_MAX};
use crate::rules::spec::{IndexChoice, QueueSpec, RegionNames, RuleKind, Selection};
use std::collections::BTreeSet;

/// Adds the faults of the queue's own keys, except sizes, attributes and rules.
pub(super) fn check(faults: &mut Faults, spec: &QueueSpec) {
    faults.name("name", &spec.name, "queue");
    if let Some(max) = spec.party_max
        && !(1..=TICKET_PLAYERS_MAX as u64).contains(&u64::from(max))
    {
        faults.add("party.max", max.to_string(), format!("a party has 1 to {TICKET_PLAYERS_MAX} players"));
    }
    if let Some(capacity) = spec.capacity
        && !(1..=SLOTS_MAX as u64).contains(&u64::from(capacity))
    {
        faults.add("capacity", capacity.to_string(), format!("a queue holds 1 to {SLOTS_MAX} tickets"));
    }
    if spec.timeout == Some(Millis(0)) {
        faults.add(
            "timeout_s",
            "0",
            "needs more than 0 seconds; leave the key out for tickets that never time out",
        );
    }
    time(faults, "timeout_s", spec.timeout);
    time(faults, "prefer_full_for_s", Some(spec.prefer_full_for));
    time(faults, "urgent_after_s", spec.urgent_after);
    if spec.index == IndexChoice::KdTree && cfg!(not(feature = "kdtree")) {
        faults.add(
            "index",
            "\"kdtree\"",
            "this build is without the KD-tree: use \"sorted\", or the feature kdtree",
        );
    }
    if spec.echo.as_ref().is_some_and(|echo| !(echo.starts_with('{') && echo.ends_with('}'))) {
        faults.add("echo", "text that is no JSON object", "needs the text of a JSON object");
    }
    regions(faults, spec);
}

/// A time within the range of engine time.
pub(super) fn time(faults: &mut Faults, place: &str, time: Option<Millis>) {
    if let Some(time) = time
        && time.0 > TIME_MS_MAX
    {
        faults.add(place, format!("{time} s"), format!("needs at most {} s", Millis(TIME_MS_MAX)));
    }
}

fn regions(faults: &mut Faults, spec: &QueueSpec) {
    let Some(regions) = &spec.regions else { return };
    if regions.is_empty() {
        faults.add(
            "regions",
            "an empty list",
            "name at least one region, or leave the key out to learn them from tickets",
        );
    }
    let mut seen = BTreeSet::new();
    for (i, region) in regions.iter().enumerate() {
        let place = format!("regions[{i}]");
        if i == REGIONS_MAX {
            faults.add(
                place,
                format!("{} regions", regions.len()),
                format!("a queue has at most {REGIONS_MAX} regions"),
            );
            return;
        }
        faults.name(&place, region, "region");
        let compared = match spec.region_names {
            RegionNames::Exact => region.clone(),
            RegionNames::FoldCase => region.to_lowercase(),
        };
        if !seen.insert(compared) {
            faults.add(place, format!("{region:?} a second time"), "each region stands once");
        }
    }
}

/// Adds the queue keys that are legal and have no effect.
pub(super) fn warn(faults: &mut Faults, spec: &QueueSpec) {
    if spec.urgent_after.is_some() && spec.selection != Selection::LeastCost {
        faults.add(
            "urgent_after_s",
            "a time beside \"oldest_first\"",
            "it has an effect with \"least_cost\" only",
        );
    }
    if let (Some(after), Some(timeout)) = (spec.urgent_after, spec.timeout)
        && spec.selection == Selection::LeastCost
        && after >= timeout
    {
        faults.add(
            "urgent_after_s",
            format!("{after} s with a timeout of {timeout} s"),
            "no ticket gets that old: none ever goes first",
        );
    }
    if let Some(timeout) = spec.timeout
        && spec.prefer_full_for >= timeout
    {
        faults.add(
            "prefer_full_for_s",
            format!("{} s with a timeout of {timeout} s", spec.prefer_full_for),
            "tickets time out before the preference ends: only full matches are ever made",
        );
    }
    let largest_team = spec.teams.iter().map(|t| t.players_max).max().unwrap_or(MATCH_PLAYERS_MAX as u32);
    let largest = largest_team.min(full_size(spec).unwrap_or(largest_team));
    if let Some(max) = spec.party_max
        && max > largest
    {
        faults.add("party.max", max.to_string(), format!("a party of more than {largest} fits into no team"));
    }
    let has_region_rule = spec.rules.iter().any(|rule| matches!(rule.kind, RuleKind::Region { .. }));
    if spec.regions.is_some() && !has_region_rule {
        faults.add(
            "regions",
            "regions without a region rule",
            "without one regions and latency bind nothing",
        );
    }
    if spec.region_names != RegionNames::Exact && !has_region_rule {
        faults.add(
            "region_names",
            "a way to compare regions without a region rule",
            "without one regions and latency bind nothing",
        );
    }
}
