//! Groups of tickets that both queues are judged by: all, skill bands, home regions.
//!
//! Made by `compare` from the trace, before any replay. A ticket's groups depend on the ticket alone, never on
//! what became of it, so the two queues are compared on the same tickets, matched or not; a ticket that others
//! join later is grouped by the players of its submit. Invariant: the order of the groups and of the tickets in
//! them does not depend on hash order.

use super::evening::{Evening, counted};
use crate::shares::short;
use evenmatch::base::fixed::{Decimal, Fixed, mean_rounded, unit};
use evenmatch::config::trace::TraceAction;
use evenmatch::engine::Engine;
use evenmatch::model::attribute::{AttributeDefault, AttributeValue};
use evenmatch::model::ids::PlayerId;
use evenmatch::model::request::{PlayerRequest, TicketRequest};
use evenmatch::rules::spec::{Merge, QueueSpec, RegionNames, RuleKind};
use std::collections::BTreeMap;

/// What a group was made by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Every ticket.
    All,
    /// The lowest, middle and highest tenth by skill.
    Band,
    /// The region with the least round trip.
    Home,
}

impl Kind {
    /// The word that stands in JSON.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Kind::All => "all",
            Kind::Band => "skill_band",
            Kind::Home => "home_region",
        }
    }
}

/// One group.
pub(super) struct Cohort {
    /// What it was made by.
    pub(super) kind: Kind,
    /// `all`, `lowest`, `middle`, `highest`, or the region.
    pub(super) name: String,
    /// What people read.
    pub(super) title: String,
    /// Its least and greatest skill, in a band.
    pub(super) skill: Option<(Fixed, Fixed)>,
    /// Its tickets, by number.
    pub(super) tickets: Vec<usize>,
}

/// All groups, and what to know about them.
pub(super) struct Cohorts {
    /// The groups: all, bands, regions with the most tickets first.
    pub(super) list: Vec<Cohort>,
    /// The attribute that bands go by.
    pub(super) skill: Option<String>,
    /// Why something is missing: one sentence each.
    pub(super) notes: Vec<String>,
}

/// Groups the tickets of the evening by the first queue's rules. `engine` has that queue under the evening's
/// name, and reads PlayFab's tickets.
pub(super) fn cohorts(evening: &Evening, specs: [&QueueSpec; 2], engine: &Engine) -> Cohorts {
    let requests: Vec<Option<TicketRequest>> = evening
        .lines
        .iter()
        .filter_map(|line| match &line.action {
            TraceAction::Submit(submit) => Some(Some(submit.request(|_| PlayerId(0)))),
            TraceAction::SubmitPlayfab(ticket) => Some(engine.playfab_request(ticket, |_| PlayerId(0)).ok()),
            _ => None,
        })
        .collect();
    let all = Cohort {
        kind: Kind::All,
        name: "all".to_owned(),
        title: "all".to_owned(),
        skill: None,
        tickets: (0..evening.tickets).collect(),
    };
    let mut cohorts = Cohorts { list: vec![all], skill: None, notes: Vec::new() };
    add_bands(&mut cohorts, &requests, specs);
    let has_regions =
        |spec: &&QueueSpec| spec.rules.iter().any(|rule| matches!(rule.kind, RuleKind::Region { .. }));
    if let Some(spec) = specs.iter().find(|spec| has_regions(spec)) {
        add_homes(&mut cohorts, &requests, spec.region_names == RegionNames::FoldCase);
    }
    cohorts
}

/// How a queue rates a ticket.
struct Rating<'a> {
    attribute: &'a str,
    decimals: u8,
    default: Option<Fixed>,
    merge: Merge,
}

/// By the first `difference` rule, else the first `team_difference` rule.
fn rating(spec: &QueueSpec) -> Option<Rating<'_>> {
    let difference = spec.rules.iter().find_map(|rule| match &rule.kind {
        RuleKind::Difference { attribute, merge, default, .. } => Some((*attribute, *merge, *default)),
        _ => None,
    });
    let team = || {
        spec.rules.iter().find_map(|rule| match &rule.kind {
            RuleKind::TeamDifference { attribute, default, .. } => {
                Some((*attribute, Merge::Average, *default))
            }
            _ => None,
        })
    };
    let (attribute, merge, default) = difference.or_else(team)?;
    let attribute = spec.attributes.get(attribute)?;
    let own = match attribute.default {
        Some(AttributeDefault::Number(number)) => Some(number),
        _ => None,
    };
    Some(Rating { attribute: &attribute.name, decimals: attribute.decimals, default: default.or(own), merge })
}

impl Rating<'_> {
    /// The ticket's merged value; `None` if no player has one.
    fn of(&self, request: &TicketRequest) -> Option<Fixed> {
        let values: Vec<Fixed> = request.players.iter().filter_map(|player| self.of_player(player)).collect();
        let sum: i128 = values.iter().map(|value| i128::from(value.micros())).sum();
        match self.merge {
            Merge::Min => values.iter().min().copied(),
            Merge::Max => values.iter().max().copied(),
            Merge::Average if values.is_empty() => None,
            Merge::Average => Some(mean_rounded(sum, values.len() as u32, unit(self.decimals))),
        }
    }

    fn of_player(&self, player: &PlayerRequest) -> Option<Fixed> {
        let brought = player.attributes.iter().find(|(name, _)| name == self.attribute);
        match brought {
            Some((_, AttributeValue::Number(number))) => number.round(self.decimals).ok(),
            Some(_) => None,
            None => self.default,
        }
    }
}

fn add_bands(cohorts: &mut Cohorts, requests: &[Option<TicketRequest>], specs: [&QueueSpec; 2]) {
    let [first, second] = specs.map(rating);
    if let (Some(first), Some(second)) = (&first, &second)
        && first.attribute != second.attribute
    {
        cohorts.notes.push(format!(
            "skill bands go by {:?}, as A does; B's first difference is over {:?}",
            first.attribute, second.attribute
        ));
    }
    let Some(rating) = first.or(second) else {
        cohorts
            .notes
            .push("no skill bands: neither queue has a difference or team_difference rule".to_owned());
        return;
    };
    let value = |request: &Option<TicketRequest>| request.as_ref().and_then(|request| rating.of(request));
    let values: Vec<Option<Fixed>> = requests.iter().map(value).collect();
    let mut sorted: Vec<Fixed> = values.iter().flatten().copied().collect();
    sorted.sort_unstable();
    if sorted.is_empty() {
        cohorts.notes.push(format!("no skill bands: no ticket of the trace has a {:?}", rating.attribute));
        return;
    }
    cohorts.skill = Some(rating.attribute.to_owned());
    let count = sorted.len();
    let tenth = count.div_ceil(10);
    let middle = (count - tenth) / 2;
    for (name, least, greatest) in [
        ("lowest", sorted[0], sorted[tenth - 1]),
        ("middle", sorted[middle], sorted[middle + tenth - 1]),
        ("highest", sorted[count - tenth], sorted[count - 1]),
    ] {
        let inside = |value: &Option<Fixed>| value.is_some_and(|value| (least..=greatest).contains(&value));
        let tickets = (0..values.len()).filter(|&ticket| inside(&values[ticket]));
        let [from, to] = [least, greatest].map(|border| short(border.to_f64()));
        cohorts.list.push(Cohort {
            kind: Kind::Band,
            name: name.to_owned(),
            title: format!("{name} tenth,\n{} {from} to {to}", rating.attribute),
            skill: Some((least, greatest)),
            tickets: tickets.collect(),
        });
    }
}

fn add_homes(cohorts: &mut Cohorts, requests: &[Option<TicketRequest>], folds_case: bool) {
    // By the name that compares: the name that is shown, and the tickets.
    let mut homes: BTreeMap<String, (String, Vec<usize>)> = BTreeMap::new();
    let mut homeless = 0;
    for (ticket, request) in requests.iter().enumerate() {
        match request.as_ref().and_then(home) {
            Some(region) => {
                let key = if folds_case { region.to_lowercase() } else { region.clone() };
                homes.entry(key).or_insert((region, Vec::new())).1.push(ticket);
            }
            None => homeless += 1,
        }
    }
    if homeless > 0 {
        cohorts
            .notes
            .push(format!("in no home region, since they reach none: {}", counted(homeless, "ticket")));
    }
    let mut homes: Vec<(String, Vec<usize>)> = homes.into_values().collect();
    // Stable: regions with equally many tickets stay in the order of their names.
    homes.sort_by_key(|(_, tickets)| std::cmp::Reverse(tickets.len()));
    cohorts.list.extend(homes.into_iter().map(|(name, tickets)| Cohort {
        kind: Kind::Home,
        title: format!("home {name}"),
        name,
        skill: None,
        tickets,
    }));
}

/// The region with the least round trip of those that all players reach and the ticket accepts; of equal ones the
/// first name.
fn home(request: &TicketRequest) -> Option<String> {
    let list = |player: &PlayerRequest| {
        if player.latency.is_empty() { request.latency.clone() } else { player.latency.clone() }
    };
    let lists: Vec<Vec<(String, Decimal)>> = request.players.iter().map(list).collect();
    let ping = |region: &str| {
        let of_list = |list: &Vec<(String, Decimal)>| {
            list.iter().find(|(name, _)| name == region).and_then(|(_, ms)| ms.round(6).ok())
        };
        lists.iter().map(of_list).collect::<Option<Vec<Fixed>>>()?.into_iter().max()
    };
    let accepted =
        |name: &str| request.regions.as_ref().is_none_or(|list| list.iter().any(|one| one == name));
    let regions = lists.first()?.iter().filter(|(name, _)| accepted(name));
    let pings = regions.filter_map(|(name, _)| Some((ping(name)?, name.clone())));
    pings.min().map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(skill: Option<i64>, pings: &[(&str, i64)]) -> TicketRequest {
        let mut player = PlayerRequest::new(PlayerId(1));
        if let Some(skill) = skill {
            player.attributes.push(("skill".to_owned(), AttributeValue::Number(Decimal::from_int(skill))));
        }
        let latency = pings.iter().map(|&(name, ms)| (name.to_owned(), Decimal::from_int(ms))).collect();
        TicketRequest { latency, ..TicketRequest::new("q").player(player) }
    }

    #[test]
    fn home_is_the_nearest_region_that_all_reach() {
        assert_eq!(home(&request(None, &[("us", 80), ("eu", 20), ("de", 20)])).as_deref(), Some("de"));
        assert_eq!(home(&request(None, &[])), None);
        let mut party = request(None, &[("us", 80), ("eu", 20)]);
        let mut friend = PlayerRequest::new(PlayerId(2));
        friend.latency = vec![("us".to_owned(), Decimal::from_int(10))];
        party.players.push(friend);
        assert_eq!(home(&party).as_deref(), Some("us"), "the friend does not reach eu");
        party.regions = Some(vec!["eu".to_owned()]);
        assert_eq!(home(&party), None);
    }

    #[test]
    fn bands_are_tenths_with_their_ties() {
        let mut spec = QueueSpec::new("q", 2, 2);
        let json = r#"{"name":"q","players":{"min":2,"max":2},"attributes":{"skill":{"type":"number","default":1500}},
            "rules":[{"name":"skill","type":"difference","attribute":"skill","max":50}]}"#;
        let mut cohorts = Cohorts { list: Vec::new(), skill: None, notes: Vec::new() };
        add_bands(&mut cohorts, &[Some(request(Some(1), &[]))], [&spec, &spec]);
        assert!(cohorts.list.is_empty() && cohorts.notes[0].contains("no skill bands"));
        spec = evenmatch::config::read_queue(json).unwrap();
        let skills = (0..30).map(|n| if n < 12 { None } else { Some(1000 + n * 30) });
        let requests: Vec<Option<TicketRequest>> = skills.map(|skill| Some(request(skill, &[]))).collect();
        add_bands(&mut cohorts, &requests, [&spec, &spec]);
        let band = |n: usize| (cohorts.list[n].name.as_str(), cohorts.list[n].tickets.len());
        assert_eq!((band(0), band(1), band(2)), (("lowest", 3), ("middle", 12), ("highest", 3)));
        assert_eq!(cohorts.list[2].tickets, [27, 28, 29]);
        assert_eq!(cohorts.list[1].title, "middle tenth,\nskill 1500 to 1500");
    }
}
