//! What one ticket brings to a queue now: its age, how every rule stands at that age, and its values.
//!
//! Made by [`Judge::read`](super::Judge::read) from the raw request, used by every clause. Invariant: a fact
//! depends on one ticket and the time only, never on the other tickets of a match.

use super::expansion::{Hold, hold};
use super::violation::{Clause, Violation};
use crate::base::fixed::{Decimal, Fixed, MICROS, mean_rounded, unit};
use crate::model::attribute::{AttributeDefault, AttributeValue};
use crate::model::ids::{Millis, PlayerId, Seniority};
use crate::model::request::{PlayerRequest, TicketRequest};
use crate::rules::spec::{Merge, Missing, QueueSpec, RegionNames, RuleKind, RuleSpec};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A value that an equality compares.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Key {
    /// A number, rounded as its attribute says.
    Number(Fixed),
    /// A text.
    Text(String),
}

/// What a ticket brings to one rule.
#[derive(Clone, Debug)]
pub(super) enum Brought {
    /// difference: the members' values merged into one; `None`: left out.
    Merged(Option<Fixed>),
    /// equality: the values of the members; empty: left out.
    Keys(BTreeSet<Key>),
    /// intersection: what the members share; `None`: left out.
    List(Option<BTreeSet<String>>),
    /// total and team_difference: the sum over the members, in units of 0.000001.
    Sum(i128),
    /// The rule asks for no value.
    Nothing,
}

/// A ticket's own limit: attribute, least, greatest.
pub(super) type OwnLimit = (usize, Option<Fixed>, Option<Fixed>);

/// A ticket as the judge sees it at one instant.
#[derive(Clone, Debug)]
pub struct Facts {
    pub(super) seniority: Seniority,
    pub(super) age: Millis,
    pub(super) players: Vec<PlayerId>,
    /// How each rule stands at this ticket's age.
    pub(super) holds: Vec<Hold>,
    /// What the ticket brings to each rule.
    pub(super) brought: Vec<Brought>,
    /// Reachable and accepted regions with the worst member's round-trip time; by compared name.
    pub(super) pings: BTreeMap<Arc<str>, Fixed>,
    /// The ticket's own limits on values.
    pub(super) limits: Vec<OwnLimit>,
    pub(super) max_ping: Option<Fixed>,
    /// Each player's own number for each attribute, the attribute's default filled in.
    pub(super) own: Vec<Vec<Option<Fixed>>>,
    /// Sum and count of the players' values that team averages are compared by.
    pub(super) tie_sum: i128,
    pub(super) tie_count: u32,
    /// The merged value that the skill spread is taken of.
    pub(super) skill: Option<Fixed>,
}

impl Facts {
    /// The order of waiting.
    pub fn seniority(&self) -> Seniority {
        self.seniority
    }

    /// Players of the ticket.
    pub fn size(&self) -> u32 {
        self.players.len() as u32
    }

    /// The merged value that the ticket brings to the rule of that index, if that is a `difference`; `None`
    /// also where the ticket is left out of it.
    pub fn difference_value(&self, rule: usize) -> Option<Fixed> {
        match self.brought.get(rule) {
            Some(Brought::Merged(value)) => *value,
            _ => None,
        }
    }

    /// The value that the ticket brings to the rule of that index, if that is an `equality`; `None` also where
    /// the ticket is left out of it.
    pub fn equality_value(&self, rule: usize) -> Option<&Key> {
        match self.brought.get(rule) {
            Some(Brought::Keys(keys)) => keys.first(),
            _ => None,
        }
    }

    /// Whether the rule of that index binds at this ticket's age.
    pub fn binds(&self, rule: usize) -> bool {
        self.holds.get(rule).is_some_and(Hold::binds)
    }

    /// The window of the rule of that index at this ticket's age, if it binds and its window is a number.
    pub fn window(&self, rule: usize) -> Option<Fixed> {
        self.holds.get(rule).filter(|hold| hold.binds()).and_then(Hold::number)
    }

    /// How long the ticket has waited.
    pub fn age(&self) -> Millis {
        self.age
    }

    /// The regions that the ticket reaches and accepts, with its round-trip time, by compared name.
    pub fn pings(&self) -> &BTreeMap<Arc<str>, Fixed> {
        &self.pings
    }
}

/// The attribute and rule default by which a queue compares team averages: those of the first
/// `team_difference` rule, else of the first `difference` rule.
pub(super) fn balance_attribute(spec: &QueueSpec) -> Option<(usize, Option<Fixed>)> {
    let team_difference = spec.rules.iter().find_map(|rule| match &rule.kind {
        RuleKind::TeamDifference { attribute, default, .. } => Some((*attribute, *default)),
        _ => None,
    });
    team_difference.or_else(|| {
        spec.rules.iter().find_map(|rule| match &rule.kind {
            RuleKind::Difference { attribute, default, .. } => Some((*attribute, *default)),
            _ => None,
        })
    })
}

/// The attribute, merge and rule default of the skill spread: those of the first `difference` rule, else the
/// mean of the attribute of the first `team_difference` rule.
pub(super) fn skill_attribute(spec: &QueueSpec) -> Option<(usize, Merge, Option<Fixed>)> {
    let difference = spec.rules.iter().find_map(|rule| match &rule.kind {
        RuleKind::Difference { attribute, merge, default, .. } => Some((*attribute, *merge, *default)),
        _ => None,
    });
    difference.or_else(|| {
        spec.rules.iter().find_map(|rule| match &rule.kind {
            RuleKind::TeamDifference { attribute, default, .. } => {
                Some((*attribute, Merge::Average, *default))
            }
            _ => None,
        })
    })
}

/// Whether the queue has a region rule.
pub(super) fn has_region_rule(spec: &QueueSpec) -> bool {
    spec.rules.iter().any(|rule| matches!(rule.kind, RuleKind::Region { .. }))
}

/// A region's name as the queue compares it.
pub(super) fn region_key(spec: &QueueSpec, name: &str) -> Arc<str> {
    match spec.region_names {
        RegionNames::Exact => Arc::from(name),
        RegionNames::FoldCase => Arc::from(name.to_lowercase()),
    }
}

/// Reads a ticket.
pub(super) fn read(
    spec: &QueueSpec,
    seniority: Seniority,
    request: &TicketRequest,
    now: Millis,
) -> Result<Facts, Violation> {
    let age = now.since(seniority.enqueued);
    let reader = Reader { spec, request };
    let (tie_sum, tie_count) = reader.tie()?;
    Ok(Facts {
        seniority,
        age,
        players: request.players.iter().map(|player| player.id).collect(),
        holds: spec.rules.iter().map(|rule| hold(rule, age)).collect(),
        brought: spec.rules.iter().map(|rule| reader.brought(rule)).collect::<Result<_, _>>()?,
        pings: if has_region_rule(spec) { reader.pings()? } else { BTreeMap::new() },
        limits: reader.limits()?,
        max_ping: request.limits.max_ping_ms.map(number).transpose()?,
        own: reader.own()?,
        tie_sum,
        tie_count,
        skill: reader.skill()?,
    })
}

struct Reader<'a> {
    spec: &'a QueueSpec,
    request: &'a TicketRequest,
}

impl Reader<'_> {
    fn brought(&self, rule: &RuleSpec) -> Result<Brought, Violation> {
        let clause = || Clause::Rule(Arc::from(rule.name.as_str()));
        let needed = |missing: Missing, there: bool| match missing {
            Missing::Default if !there => Err(Violation::absent(clause(), "value of a ticket")),
            _ => Ok(()),
        };
        match &rule.kind {
            RuleKind::Difference { attribute, merge, missing, default, .. } => {
                let merged = self.merged(*attribute, *merge, *default)?;
                needed(*missing, merged.is_some())?;
                Ok(Brought::Merged(merged))
            }
            RuleKind::Equality { attribute, missing, default, .. } => {
                let keys = self.keys(*attribute, default.as_ref())?;
                needed(*missing, !keys.is_empty())?;
                Ok(Brought::Keys(keys))
            }
            RuleKind::Intersection { attribute, missing, default, .. } => {
                let list = self.list(*attribute, default.as_deref())?;
                needed(*missing, list.is_some())?;
                Ok(Brought::List(list))
            }
            RuleKind::Total { attribute: None, .. } => {
                Ok(Brought::Sum(self.request.players.len() as i128 * i128::from(MICROS)))
            }
            RuleKind::Total { attribute: Some(attribute), .. } => {
                Ok(Brought::Sum(self.numbers(*attribute, None)?.iter().map(|v| i128::from(v.micros())).sum()))
            }
            RuleKind::TeamDifference { attribute, default, .. } => {
                let values = self.numbers(*attribute, *default)?;
                needed(Missing::Default, values.len() == self.request.players.len())?;
                Ok(Brought::Sum(values.iter().map(|v| i128::from(v.micros())).sum()))
            }
            RuleKind::Region { .. } | RuleKind::TeamSize { .. } | RuleKind::PremadeBalance => {
                Ok(Brought::Nothing)
            }
        }
    }

    /// The value that a player himself brings for an attribute.
    fn brings<'p>(&self, player: &'p PlayerRequest, attribute: usize) -> Option<&'p AttributeValue> {
        let name = &self.spec.attributes[attribute].name;
        player.attributes.iter().find(|(given, _)| given == name).map(|(_, value)| value)
    }

    /// A player's number: his own, else the rule's default, else the attribute's.
    fn number(
        &self,
        player: &PlayerRequest,
        attribute: usize,
        rule_default: Option<Fixed>,
    ) -> Result<Option<Fixed>, Violation> {
        let declared = &self.spec.attributes[attribute];
        match (self.brings(player, attribute), rule_default, &declared.default) {
            (Some(AttributeValue::Number(value)), _, _) => match value.round(declared.decimals) {
                Ok(value) => Ok(Some(value)),
                Err(_) => Err(Violation::absent(Clause::Request, "finite number in range")),
            },
            (Some(other), _, _) => {
                Err(Violation::differ(Clause::Request, "a value", other.word(), declared.kind.word()))
            }
            (None, Some(value), _) => Ok(Some(value)),
            (None, None, Some(AttributeDefault::Number(value))) => Ok(Some(*value)),
            (None, None, _) => Ok(None),
        }
    }

    /// The numbers of the members that have one.
    fn numbers(&self, attribute: usize, rule_default: Option<Fixed>) -> Result<Vec<Fixed>, Violation> {
        let mut values = Vec::new();
        for player in &self.request.players {
            values.extend(self.number(player, attribute, rule_default)?);
        }
        Ok(values)
    }

    /// The members' numbers as one, over those that have one, rounded once.
    fn merged(
        &self,
        attribute: usize,
        merge: Merge,
        rule_default: Option<Fixed>,
    ) -> Result<Option<Fixed>, Violation> {
        let values = self.numbers(attribute, rule_default)?;
        if values.is_empty() {
            return Ok(None);
        }
        Ok(match merge {
            Merge::Min => values.iter().min().copied(),
            Merge::Max => values.iter().max().copied(),
            Merge::Average => {
                let sum = values.iter().map(|value| i128::from(value.micros())).sum();
                Some(mean_rounded(sum, values.len() as u32, unit(self.spec.attributes[attribute].decimals)))
            }
        })
    }

    /// The values of the members that have one, for an equality.
    fn keys(
        &self,
        attribute: usize,
        rule_default: Option<&AttributeDefault>,
    ) -> Result<BTreeSet<Key>, Violation> {
        let declared = &self.spec.attributes[attribute];
        let mut keys = BTreeSet::new();
        for player in &self.request.players {
            let key = match self.brings(player, attribute) {
                Some(AttributeValue::String(text)) => Some(Key::Text(text.clone())),
                Some(_) => self.number(player, attribute, None)?.map(Key::Number),
                None => match rule_default.or(declared.default.as_ref()) {
                    Some(AttributeDefault::Number(value)) => Some(Key::Number(*value)),
                    Some(AttributeDefault::String(text)) => Some(Key::Text(text.clone())),
                    Some(AttributeDefault::StringList(_)) | None => None,
                },
            };
            keys.extend(key);
        }
        Ok(keys)
    }

    /// What the lists of the members that have one share.
    fn list(
        &self,
        attribute: usize,
        rule_default: Option<&[String]>,
    ) -> Result<Option<BTreeSet<String>>, Violation> {
        let declared = &self.spec.attributes[attribute];
        let mut shared: Option<BTreeSet<String>> = None;
        for player in &self.request.players {
            let values: &[String] = match (self.brings(player, attribute), rule_default, &declared.default) {
                (Some(AttributeValue::StringList(values)), _, _) => values,
                (Some(other), _, _) => {
                    let right = declared.kind.word();
                    return Err(Violation::differ(Clause::Request, "a value", other.word(), right));
                }
                (None, Some(values), _) => values,
                (None, None, Some(AttributeDefault::StringList(values))) => values,
                (None, None, _) => continue,
            };
            let values: BTreeSet<String> = values.iter().cloned().collect();
            shared = Some(match shared {
                None => values,
                Some(before) => before.intersection(&values).cloned().collect(),
            });
        }
        Ok(shared)
    }

    /// The regions in every member's list and in the allow list, each at the worst member's round-trip time.
    /// A member that brings a list of his own has that one, else the ticket's.
    fn pings(&self) -> Result<BTreeMap<Arc<str>, Fixed>, Violation> {
        let mut shared: Option<BTreeMap<Arc<str>, Fixed>> = None;
        for player in &self.request.players {
            let listed = if player.latency.is_empty() { &self.request.latency } else { &player.latency };
            let mut pings = BTreeMap::new();
            for (name, ms) in listed {
                pings.insert(region_key(self.spec, name), number(*ms)?);
            }
            shared = Some(match shared {
                None => pings,
                Some(before) => before
                    .into_iter()
                    .filter_map(|(name, ping)| pings.get(&name).map(|other| (name, ping.max(*other))))
                    .collect(),
            });
        }
        let mut pings = shared.unwrap_or_default();
        if let Some(allowed) = &self.request.regions {
            let allowed: BTreeSet<_> = allowed.iter().map(|name| region_key(self.spec, name)).collect();
            pings.retain(|name, _| allowed.contains(name));
        }
        Ok(pings)
    }

    fn limits(&self) -> Result<Vec<OwnLimit>, Violation> {
        let mut limits = Vec::new();
        for (name, least, most) in &self.request.limits.attributes {
            let attribute = self.spec.attributes.iter().position(|declared| declared.name == *name);
            let Some(attribute) = attribute else {
                return Err(Violation::absent(Clause::Request, "attribute of the name in a limit"));
            };
            limits.push((attribute, least.map(number).transpose()?, most.map(number).transpose()?));
        }
        Ok(limits)
    }

    fn own(&self) -> Result<Vec<Vec<Option<Fixed>>>, Violation> {
        let attributes = &self.spec.attributes;
        self.request
            .players
            .iter()
            .map(|player| {
                (0..attributes.len())
                    .map(|attribute| match attributes[attribute].kind.is_numeric() {
                        true => self.number(player, attribute, None),
                        false => Ok(None),
                    })
                    .collect()
            })
            .collect()
    }

    /// Sum and count of the players' values that team averages are compared by.
    fn tie(&self) -> Result<(i128, u32), Violation> {
        let Some((attribute, default)) = balance_attribute(self.spec) else { return Ok((0, 0)) };
        let values = self.numbers(attribute, default)?;
        Ok((values.iter().map(|value| i128::from(value.micros())).sum(), values.len() as u32))
    }

    fn skill(&self) -> Result<Option<Fixed>, Violation> {
        match skill_attribute(self.spec) {
            Some((attribute, merge, default)) => self.merged(attribute, merge, default),
            None => Ok(None),
        }
    }
}

/// A limit or a round-trip time as a fixed-point number.
fn number(value: Decimal) -> Result<Fixed, Violation> {
    value.round(6).map_err(|_| Violation::absent(Clause::Request, "finite number in range"))
}
