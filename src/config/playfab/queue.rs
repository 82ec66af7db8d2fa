//! One PlayFab queue: names, sizes, teams, what is only kept, and its rules. Called by `file` only.

use super::attributes::Attributes;
use super::expansion::present;
use super::options::PlayfabOptions;
use super::rule::{RULES_MAX, Reading, RuleType, name, read as read_rule, rules};
use crate::config::json::{Node, Value};
use crate::config::report::{Fault, Fields, Report};
use crate::config::write::JsonWriter;
use crate::model::limits::TICKET_PLAYERS_MAX;
use crate::rules::spec::{QueueSpec, RegionNames, TeamSpec, Undeclared};
use crate::rules::validate::{SpecFault, validate, warnings};

/// Characters in the name of a queue or a team, at most.
const NAME_MAX: usize = 64;
/// Players in a match, at least.
const MATCH_MIN: u32 = 2;
/// Players in a match of a queue without teams, at most.
const MATCH_MAX: u32 = 100;
/// Players in a match of a queue with teams, at most.
const TEAM_MATCH_MAX: u32 = 32;

/// What is kept and returned with each match.
const ECHOED: [&str; 4] =
    ["ServerAllocationEnabled", "BuildId", "BuildAliasParams", "StatisticsVisibilityToPlayers"];

const OWN_KEYS: [&str; 6] = ["Name", "MinMatchSize", "MaxMatchSize", "MaxTicketSize", "Teams", "Rules"];

/// All keys of a queue.
pub(super) fn keys() -> Vec<&'static str> {
    let of_rules = RuleType::ALL.iter().map(|(_, _, key, _)| *key);
    OWN_KEYS.into_iter().chain(ECHOED).chain(of_rules).collect()
}

/// Reads a queue; adds its faults and warnings. `None` if anything is wrong with it.
pub(super) fn read(
    report: &mut Report,
    notes: &mut Report,
    options: &PlayfabOptions,
    node: &Node<'_>,
) -> Option<QueueSpec> {
    let before = report.len();
    let mut reading = Reading {
        report: std::mem::take(report),
        notes: std::mem::take(notes),
        options,
        attributes: Attributes::default(),
        places: vec![(String::new(), node.start)],
        unreadable: Vec::new(),
    };
    let spec = reading.queue(node);
    *report = reading.report;
    *notes = reading.notes;
    spec.filter(|_| report.len() == before)
}

impl Reading<'_> {
    fn queue(&mut self, node: &Node<'_>) -> Option<QueueSpec> {
        let fields = self.report.fields(node, &keys())?;
        let mut spec = QueueSpec::new("", 1, 1);
        spec.windows = self.options.windows;
        spec.min_tickets = Some(2);
        spec.region_names = RegionNames::FoldCase;
        spec.undeclared = Undeclared::Keep;
        self.place("name", &fields, "Name");
        match fields.get("Name") {
            Some(node) => spec.name = name(&mut self.report, node, "queue", NAME_MAX),
            None => self.report.missing(node, "Name", "give the queue a name"),
        }
        if let Some(node) = present(&fields, "Teams") {
            self.places.push(("teams".to_owned(), node.start));
            spec.teams = self.teams(node);
        }
        let faults = self.report.len();
        self.sizes(&fields, &mut spec);
        let sizes_are_right = self.report.len() == faults;
        let found = rules(&mut self.report, node.members());
        let has_teams = present(&fields, "Teams").is_some_and(|node| !is_empty_list(node));
        if let Some((_, node)) = found.get(RULES_MAX) {
            let count = format!("rule {} of {}", RULES_MAX + 1, found.len());
            self.report.push(Fault::new(node.start, count, format!("a queue has at most {RULES_MAX} rules")));
        }
        for (index, (kind, node)) in found.iter().enumerate().take(RULES_MAX) {
            spec.rules.push(read_rule(self, *kind, node, index, has_teams));
        }
        let has_region_rule = found.iter().any(|(kind, _)| *kind == Some(RuleType::RegionSelection));
        self.echo(&fields, &mut spec, has_region_rule);
        spec.attributes = std::mem::take(&mut self.attributes.specs);
        self.validate(&spec, sizes_are_right);
        Some(spec)
    }

    fn place(&mut self, place: &str, fields: &Fields<'_, '_>, key: &str) {
        if let Some(node) = fields.get(key) {
            self.places.push((place.to_owned(), node.start));
        }
    }

    fn sizes(&mut self, fields: &Fields<'_, '_>, spec: &mut QueueSpec) {
        let (most, why) = match spec.teams.is_empty() {
            true => (MATCH_MAX, ""),
            false => (TEAM_MATCH_MAX, " in a queue with teams"),
        };
        let mut size = |key| match fields.get(key) {
            Some(node) => {
                let size = self.report.count(node)?;
                if !(MATCH_MIN..=most).contains(&size) {
                    self.report.wrong(node, format!("needs {MATCH_MIN} to {most}{why}"));
                    return None;
                }
                Some(size)
            }
            None => {
                self.report.missing(fields.node, key, format!("needs {MATCH_MIN} to {most}{why}"));
                None
            }
        };
        let (min, max) = (size("MinMatchSize"), size("MaxMatchSize"));
        if let (Some(min), Some(max), Some(node)) = (min, max, fields.get("MinMatchSize"))
            && min > max
        {
            self.report.wrong(node, format!("needs at most the MaxMatchSize of {max}"));
        }
        spec.players.min = min.or(Some(MATCH_MIN));
        spec.players.max = max.or(Some(most));
        self.place("players", fields, "MaxMatchSize");
        self.place("min_tickets", fields, "MinMatchSize");
        self.place("party.max", fields, "MaxTicketSize");
        if let Some(node) = present(fields, "MaxTicketSize") {
            let party = self.report.count(node);
            if party.is_some_and(|party| !(1..=TICKET_PLAYERS_MAX as u32).contains(&party)) {
                self.report.wrong(node, format!("needs 1 to {TICKET_PLAYERS_MAX}"));
            } else {
                spec.party_max = party;
            }
        }
    }

    fn teams(&mut self, node: &Node<'_>) -> Vec<TeamSpec> {
        let elements = self.report.array(node, "teams").unwrap_or_default();
        if elements.len() == 1 {
            self.report.push(Fault::new(node.start, "one team", "a queue has no team, or two and more"));
        }
        let most = TEAM_MATCH_MAX as usize;
        if let Some(beyond) = elements.get(most) {
            let found = format!("{} teams", elements.len());
            self.report.push(Fault::new(beyond.start, found, format!("a queue has at most {most} teams")));
        }
        let teams = elements.iter().enumerate().take(most);
        teams.filter_map(|(index, element)| self.team(index, element)).collect()
    }

    fn team(&mut self, index: usize, node: &Node<'_>) -> Option<TeamSpec> {
        self.places.push((format!("teams[{index}]"), node.start));
        let fields = self.report.fields(node, &["Name", "MinTeamSize", "MaxTeamSize"])?;
        let team_name = match fields.get("Name") {
            Some(node) => {
                self.places.push((format!("teams[{index}].name"), node.start));
                name(&mut self.report, node, "team", NAME_MAX)
            }
            None => {
                self.report.missing(node, "Name", "give the team a name");
                String::new()
            }
        };
        let mut size = |key| match fields.get(key) {
            Some(node) => self.report.count(node),
            None => {
                self.report.missing(node, key, "say how many players the team has");
                None
            }
        };
        let (min, max) = (size("MinTeamSize"), size("MaxTeamSize"));
        // A size that could not be read must not lead to faults that only follow from that.
        Some(TeamSpec {
            name: team_name,
            count: None,
            players_min: min.unwrap_or(0),
            players_max: max.or(min).unwrap_or(1).max(u32::from(max.is_none())),
        })
    }

    /// What is kept: checked, echoed, and warned of where somebody would have to act on it.
    fn echo(&mut self, fields: &Fields<'_, '_>, spec: &mut QueueSpec, has_region_rule: bool) {
        let allocates = match present(fields, ECHOED[0]) {
            Some(node) => self.report.bool(node).unwrap_or(false),
            None => false,
        };
        if let Some(node) = present(fields, "BuildId") {
            self.report.string(node);
        }
        if let Some(node) = present(fields, "BuildAliasParams")
            && let Some(inner) = self.report.fields(node, &["AliasId"])
            && let Some(node) = inner.get("AliasId")
        {
            self.report.string(node);
        }
        if let Some(node) = present(fields, "StatisticsVisibilityToPlayers")
            && let Some(inner) = self.report.fields(node, &["ShowNumberOfPlayersMatching", "ShowTimeToMatch"])
        {
            inner.node.members().iter().for_each(|member| {
                self.report.bool(&member.node);
            });
        }
        if let Some(node) = fields.get(ECHOED[0]).filter(|_| allocates) {
            if !has_region_rule {
                self.report.wrong(node, "a queue that allocates servers needs a RegionSelectionRule");
            }
            if present(fields, "BuildId").is_none() && present(fields, "BuildAliasParams").is_none() {
                self.report.missing(
                    fields.node,
                    "BuildId",
                    "a queue that allocates servers needs a BuildId or BuildAliasParams",
                );
            }
        }
        let kept: Vec<_> =
            ECHOED.iter().filter_map(|&key| present(fields, key).map(|node| (key, node))).collect();
        if kept.is_empty() {
            return;
        }
        let mut echo = JsonWriter::compact();
        echo.begin_object();
        for (key, node) in kept {
            echo.key(key);
            node.write(&mut echo);
            let warning = match key {
                "StatisticsVisibilityToPlayers" => {
                    "kept and returned with each match; statistics are for the host to show"
                }
                "ServerAllocationEnabled" if !allocates => continue,
                _ => "kept and returned with each match; servers are for the host to allocate",
            };
            self.notes.push(Fault::new(node.start, key, warning));
        }
        echo.end_object();
        spec.echo = Some(echo.finish());
    }

    /// Adds what the checks of all queues find, at the places of this text.
    fn validate(&mut self, spec: &QueueSpec, sizes_are_right: bool) {
        for fault in validate(spec) {
            let follows = match rule_of(&fault.place) {
                Some(rule) => self.unreadable.contains(&rule),
                None => ["players", "teams", "min_tickets"].contains(&&*fault.place) && !sizes_are_right,
            };
            // Names that could not be read have a fault already.
            if !follows
                && !fault.found.starts_with("an empty name")
                && fault.found != "rule \"\" a second time"
            {
                let fault = self.at(fault);
                self.report.push(fault);
            }
        }
        if self.report.is_empty() {
            // That case does not count in region names is not the file's choice.
            for note in warnings(spec).into_iter().filter(|note| note.place != "region_names") {
                let note = self.at(note);
                self.notes.push(note);
            }
        }
    }

    fn at(&self, fault: SpecFault) -> Fault {
        let places = self.places.iter().filter(|(place, _)| is_within(&fault.place, place));
        let offset = places.max_by_key(|(place, _)| place.len()).map_or(0, |&(_, offset)| offset);
        Fault::new(offset, fault.found, fault.remedy)
    }
}

/// The index of the rule that a native place lies in.
fn rule_of(place: &str) -> Option<usize> {
    place.strip_prefix("rules[")?.split_once(']')?.0.parse().ok()
}

/// Whether the place `inner` lies in `outer`, or is it.
fn is_within(inner: &str, outer: &str) -> bool {
    let rest = inner.strip_prefix(outer);
    rest.is_some_and(|rest| outer.is_empty() || rest.is_empty() || rest.starts_with(['.', '[']))
}

fn is_empty_list(node: &Node<'_>) -> bool {
    matches!(&node.value, Value::Array(elements) if elements.is_empty())
}
