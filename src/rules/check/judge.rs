//! The door of the judge: tickets and a proposed match in, a verdict or a violation out.
//!
//! Called by tests, by the engine where it is asked to check its matches, and by the enumeration, which needs
//! the two halves apart: what a set of tickets decides, and what its teams decide.

use super::expansion::Hold;
use super::facts::{self, Brought, Facts};
use super::quality::{self, Ratio};
use super::regions::{self, RegionFigures};
use super::shape::Shape;
use super::violation::{Clause, Violation};
use super::{set_rules, team_rules};
use crate::model::event::Quality;
use crate::model::ids::{Millis, Seniority};
use crate::model::request::TicketRequest;
use crate::rules::spec::{QueueSpec, RuleKind, RuleSpec, WindowAge};
use std::sync::Arc;

/// A ticket to be judged: when it came, and what was asked.
#[derive(Clone, Copy, Debug)]
pub struct JudgedTicket<'a> {
    /// Enqueue time and submit number.
    pub seniority: Seniority,
    /// The request, with the updates that were taken in.
    pub request: &'a TicketRequest,
}

/// A proposed match.
#[derive(Clone, Copy, Debug)]
pub struct Lineup<'a> {
    /// Its tickets, in any order.
    pub tickets: &'a [JudgedTicket<'a>],
    /// For each ticket the position of its team in the list of all declared teams: group by group, a group with
    /// a range of counts at its greatest; 0 in a queue without teams.
    pub teams: &'a [usize],
    /// Where it is played; `None` in a queue without a region rule.
    pub region: Option<&'a str>,
}

/// What a legal match is worth.
#[derive(Clone, PartialEq, Debug)]
pub struct Verdict {
    /// Cost times players, in units of 10^-12.
    pub cost: i128,
    /// All legal regions, best first; empty in a queue without a region rule.
    pub regions: Vec<RegionFigures>,
    /// The figures of the match record; `exhaustive` is not known here and `true`.
    pub quality: Quality,
}

/// What a legal set of tickets is worth, before teams are made of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetVerdict {
    /// The part of cost times players, in units of 10^-12, that every split of the set has.
    pub cost: i128,
    /// All legal regions, best first; empty in a queue without a region rule.
    pub regions: Vec<RegionFigures>,
}

/// What a legal split of a set of tickets adds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SplitVerdict {
    /// The part of cost times players, in units of 10^-12, that this split adds.
    pub cost: i128,
    /// Greatest less least team average, by which splits of one cost compare, in units of 0.000001.
    pub team_spread: Ratio,
}

/// The judge of one queue.
#[derive(Clone, Debug)]
pub struct Judge {
    pub(super) spec: QueueSpec,
    pub(super) shape: Shape,
    /// The names of the rules, shared with the violations.
    pub(super) names: Vec<Arc<str>>,
    /// Without one no region matters.
    pub(super) has_region_rule: bool,
}

impl Judge {
    /// The judge of `spec`, which must be a queue that can be compiled.
    pub fn new(spec: &QueueSpec) -> Judge {
        Judge {
            shape: Shape::new(spec),
            names: spec.rules.iter().map(|rule| Arc::from(rule.name.as_str())).collect(),
            has_region_rule: facts::has_region_rule(spec),
            spec: spec.clone(),
        }
    }

    /// The queue.
    pub fn spec(&self) -> &QueueSpec {
        &self.spec
    }

    /// The names of all declared teams, by position.
    pub fn team_names(&self) -> Vec<&str> {
        self.shape.places.iter().map(|place| place.name.as_str()).collect()
    }

    /// The count of declared teams, 1 in a queue without teams.
    pub fn team_count(&self) -> usize {
        self.shape.places.len()
    }

    /// The greatest size of the team at that position.
    pub fn team_players_max(&self, position: usize) -> u32 {
        self.shape.places.get(position).map_or(0, |place| place.players_max)
    }

    /// The size of a full match: the greatest number of players that team sizes, `players` and `multiple`
    /// allow; `None` if they allow none.
    pub fn full_size(&self) -> Option<u32> {
        self.shape.full
    }

    /// Whose age drives the rule of that index: its own setting, else the queue's; a total that counts players
    /// always goes by the oldest ticket.
    pub fn windows(&self, rule: usize) -> WindowAge {
        match self.spec.rules[rule].kind {
            RuleKind::Total { attribute: None, .. } => WindowAge::Oldest,
            _ => self.spec.rules[rule].windows.unwrap_or(self.spec.windows),
        }
    }

    /// Whether the region of that compared name is one of those in `down`.
    pub fn is_down(&self, name: &str, down: &[&str]) -> bool {
        down.iter().any(|down| *facts::region_key(&self.spec, down) == *name)
    }

    /// Judges a proposed match at `now`, with the regions in `down` down.
    pub fn check(&self, lineup: &Lineup<'_>, now: Millis, down: &[&str]) -> Result<Verdict, Violation> {
        let facts = self.read_all(lineup.tickets, now)?;
        let facts: Vec<&Facts> = facts.iter().collect();
        let set = self.check_set(&facts, down)?;
        self.best_region(lineup.region, &set.regions)?;
        let split = self.check_split(&facts, lineup.teams)?;
        let cost = set.cost + split.cost;
        let quality = quality::figures(self, &facts, cost, set.regions.first(), split.team_spread);
        Ok(Verdict { cost, regions: set.regions, quality })
    }

    /// All regions in which the tickets can be matched at `now`, best first; empty in a queue without a region
    /// rule. Errors: a ticket that cannot be read.
    pub fn legal_regions(
        &self,
        tickets: &[JudgedTicket<'_>],
        now: Millis,
        down: &[&str],
    ) -> Result<Vec<RegionFigures>, Violation> {
        let facts = self.read_all(tickets, now)?;
        let facts: Vec<&Facts> = facts.iter().collect();
        Ok(match TicketSet::new(self, &facts) {
            Some(set) => regions::legal_regions(&set, down),
            None => Vec::new(),
        })
    }

    /// Reads a ticket as it is at `now`.
    pub fn read(&self, ticket: &JudgedTicket<'_>, now: Millis) -> Result<Facts, Violation> {
        facts::read(&self.spec, ticket.seniority, ticket.request, now)
    }

    fn read_all(&self, tickets: &[JudgedTicket<'_>], now: Millis) -> Result<Vec<Facts>, Violation> {
        tickets.iter().map(|ticket| self.read(ticket, now)).collect()
    }

    /// Whether a match of so many tickets and players can be legal at all.
    pub fn check_sizes(&self, tickets: usize, players: u32) -> Result<(), Violation> {
        self.shape.match_size(players)?;
        self.shape.multiple(players)?;
        self.shape.min_tickets(tickets, players)
    }

    /// Judges everything that does not depend on teams.
    pub fn check_set(&self, tickets: &[&Facts], down: &[&str]) -> Result<SetVerdict, Violation> {
        let Some(set) = TicketSet::new(self, tickets) else {
            return Err(Violation::absent(Clause::MinTickets, "ticket"));
        };
        self.check_sizes(tickets.len(), set.players)?;
        set_rules::prefer_full(&set)?;
        set_rules::no_player_twice(&set)?;
        set_rules::own_limits(&set)?;
        let mut cost = 0;
        for rule in set.rules() {
            cost += self.weighed(rule.spec, set_rules::rule(&rule)?);
        }
        let regions = regions::legal_regions(&set, down);
        let best = regions.first();
        if self.has_region_rule && best.is_none() {
            return Err(Violation::absent(Clause::Region, "region that is legal for every ticket"));
        }
        for rule in set.rules() {
            cost += self.weighed(rule.spec, regions::term(&rule, best));
        }
        Ok(SetVerdict { cost, regions })
    }

    /// Judges what depends on teams: `teams` holds each ticket's team position.
    pub fn check_split(&self, tickets: &[&Facts], teams: &[usize]) -> Result<SplitVerdict, Violation> {
        let Some(set) = TicketSet::new(self, tickets) else {
            return Err(Violation::absent(Clause::MinTickets, "ticket"));
        };
        let seating = team_rules::Seating::new(&set, teams)?;
        let mut cost = 0;
        for rule in set.rules() {
            cost += self.weighed(rule.spec, team_rules::rule(&rule, &seating)?);
        }
        Ok(SplitVerdict { cost, team_spread: quality::team_spread(&seating) })
    }

    fn weighed(&self, rule: &RuleSpec, term: i128) -> i128 {
        i128::from(rule.weight.micros()) * term
    }

    /// The match is where part 3.2 puts it.
    fn best_region(&self, region: Option<&str>, legal: &[RegionFigures]) -> Result<(), Violation> {
        let found = region.map(|name| facts::region_key(&self.spec, name));
        let right = legal.first().map(|best| best.name.clone());
        if found == right {
            return Ok(());
        }
        let say = |name: Option<Arc<str>>| name.map_or("none".to_owned(), |name| name.to_string());
        Err(Violation::differ(Clause::Region, "the region", say(found), say(right)))
    }
}

/// The tickets of a match, whatever their teams.
pub(super) struct TicketSet<'a> {
    pub(super) judge: &'a Judge,
    pub(super) tickets: &'a [&'a Facts],
    pub(super) players: u32,
    oldest: &'a Facts,
    newest: &'a Facts,
}

impl<'a> TicketSet<'a> {
    /// The set of `tickets`; `None` if there are none.
    fn new(judge: &'a Judge, tickets: &'a [&'a Facts]) -> Option<TicketSet<'a>> {
        let oldest = *tickets.iter().min_by_key(|ticket| ticket.seniority)?;
        let newest = *tickets.iter().max_by_key(|ticket| ticket.seniority)?;
        let players = tickets.iter().map(|ticket| ticket.size()).sum();
        Some(TicketSet { judge, tickets, players, oldest, newest })
    }

    /// The age of the match's oldest ticket.
    pub(super) fn oldest_age(&self) -> Millis {
        self.oldest.age
    }

    pub(super) fn rules(&self) -> impl Iterator<Item = RuleView<'_>> {
        (0..self.judge.spec.rules.len()).map(|index| RuleView {
            set: self,
            index,
            spec: &self.judge.spec.rules[index],
        })
    }
}

/// One rule over one set of tickets.
pub(super) struct RuleView<'a> {
    pub(super) set: &'a TicketSet<'a>,
    index: usize,
    pub(super) spec: &'a RuleSpec,
}

impl<'a> RuleView<'a> {
    pub(super) fn clause(&self) -> Clause {
        Clause::Rule(self.set.judge.names[self.index].clone())
    }

    /// How the rule stands for `ticket`, if it is not left out.
    fn hold(&self, ticket: &'a Facts) -> Option<Hold> {
        let left_out = match &ticket.brought[self.index] {
            Brought::Merged(value) => value.is_none(),
            Brought::Keys(keys) => keys.is_empty(),
            Brought::List(list) => list.is_none(),
            Brought::Sum(_) | Brought::Nothing => false,
        };
        if left_out {
            return None;
        }
        let clock = match self.set.judge.windows(self.index) {
            WindowAge::Mutual => ticket,
            WindowAge::Oldest => self.set.oldest,
            WindowAge::Newest => self.set.newest,
        };
        Some(clock.holds[self.index])
    }

    /// W: the tickets that the rule binds, and how it stands for each.
    pub(super) fn bound(&self) -> impl Iterator<Item = (&'a Facts, Hold)> + '_ {
        let tickets: &'a [&'a Facts] = self.set.tickets;
        tickets
            .iter()
            .filter_map(|&ticket| Some((ticket, self.hold(ticket)?)))
            .filter(|(_, hold)| hold.binds())
    }

    /// O without those for which the rule is off: the tickets for which the rule is a preference that can be
    /// broken, and how it stands for each.
    pub(super) fn preferring(&self) -> impl Iterator<Item = (&'a Facts, Hold)> + '_ {
        let tickets: &'a [&'a Facts] = self.set.tickets;
        tickets
            .iter()
            .filter_map(|&ticket| Some((ticket, self.hold(ticket)?)))
            .filter(|(_, hold)| hold.prefers())
    }

    pub(super) fn brought(&self, ticket: &'a Facts) -> &'a Brought {
        &ticket.brought[self.index]
    }

    /// The sum that `ticket` brings to a total or a team average.
    pub(super) fn sum(&self, ticket: &'a Facts) -> i128 {
        match self.brought(ticket) {
            Brought::Sum(sum) => *sum,
            _ => 0,
        }
    }

    /// An excess, weighed ten times and once for every player.
    pub(super) fn penalty(&self, excess: i128) -> i128 {
        10 * excess.max(0) * i128::from(self.set.players)
    }
}
