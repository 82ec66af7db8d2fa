//! Hand-worked cases of the judge: the queues and tickets that they share.

mod regions;
mod released;
mod teams;
mod values;

use super::expansion::number_at;
use super::*;
use crate::base::fixed::{Decimal, Fixed};
use crate::model::attribute::{AttributeDefault, AttributeSpec, AttributeType};
use crate::model::event::{MatchRecord, MatchedTicket, Micros, Quality, TeamRecord};
use crate::model::ids::{MatchId, Millis, PlayerId, QueueId, Seniority, TicketId};
use crate::model::request::{PlayerRequest, TicketRequest};
use crate::rules::spec::*;
use std::sync::Arc;

fn fixed(text: &str) -> Fixed {
    Decimal::parse(text).unwrap().exact().unwrap()
}

fn attribute(name: &str, kind: AttributeType) -> AttributeSpec {
    AttributeSpec {
        name: name.to_owned(),
        kind,
        default: None,
        min: None,
        max: None,
        decimals: 6,
        path: None,
        source: None,
    }
}

fn rule(name: &str, kind: RuleKind) -> RuleSpec {
    RuleSpec {
        name: name.to_owned(),
        weight: Fixed::ONE,
        optional_after: None,
        windows: None,
        may_tighten: false,
        kind,
    }
}

fn window(base: &str) -> NumberWindow {
    NumberWindow { base: fixed(base), expand: Expand::Never }
}

fn steps(base: &str, steps: &[(u64, Option<&str>)]) -> NumberWindow {
    let step =
        |&(after, value): &(u64, Option<&str>)| Step { after: Millis(after * 1000), value: value.map(fixed) };
    NumberWindow { base: fixed(base), expand: Expand::Steps(steps.iter().map(step).collect()) }
}

fn difference(window: NumberWindow) -> RuleKind {
    let (merge, missing) = (Merge::Average, Missing::Default);
    RuleKind::Difference { attribute: 0, window, merge, missing, default: None }
}

fn region(window: NumberWindow) -> RuleKind {
    RuleKind::Region { window, path: None }
}

/// A queue with the attributes skill (number), mode (string), maps (list) and tank (integer, default 0).
fn queue(min: u32, max: u32, rules: Vec<RuleSpec>) -> QueueSpec {
    let mut spec = QueueSpec::new("q", min, max);
    let mut tank = attribute("tank", AttributeType::Integer);
    tank.decimals = 0;
    tank.default = Some(AttributeDefault::Number(Fixed::ZERO));
    spec.attributes = vec![
        attribute("skill", AttributeType::Number),
        attribute("mode", AttributeType::String),
        attribute("maps", AttributeType::StringList),
        tank,
    ];
    spec.rules = rules;
    spec
}

fn team(name: &str, min: u32, max: u32) -> TeamSpec {
    TeamSpec { name: name.to_owned(), count: None, players_min: min, players_max: max }
}

fn two_teams(min: u32, max: u32, rules: Vec<RuleSpec>) -> QueueSpec {
    let mut spec = queue(1, 1, rules);
    spec.players = MatchSizeSpec::default();
    spec.teams = vec![team("red", min, max), team("blue", min, max)];
    spec
}

/// A ticket of players with these skills; player ids are taken from `first` on.
fn party(first: u128, skills: &[&str]) -> TicketRequest {
    let player = |(index, skill): (usize, &&str)| {
        PlayerRequest::new(PlayerId(first + index as u128)).number("skill", Decimal::parse(skill).unwrap())
    };
    TicketRequest { players: skills.iter().enumerate().map(player).collect(), ..TicketRequest::new("q") }
}

fn solo(id: u128, skill: &str) -> TicketRequest {
    party(id, &[skill])
}

/// Judges tickets that came at these seconds, in order, with these team positions, at `now` seconds. The region
/// is that which the judge itself says is best.
fn judge(
    spec: &QueueSpec,
    now: u64,
    tickets: &[(u64, &TicketRequest)],
    teams: &[usize],
) -> Result<Verdict, Violation> {
    judge_down(spec, now, tickets, teams, &[])
}

fn judge_down(
    spec: &QueueSpec,
    now: u64,
    tickets: &[(u64, &TicketRequest)],
    teams: &[usize],
    down: &[&str],
) -> Result<Verdict, Violation> {
    let judge = Judge::new(spec);
    let tickets: Vec<JudgedTicket<'_>> = tickets
        .iter()
        .enumerate()
        .map(|(index, &(at, request))| JudgedTicket {
            seniority: Seniority { enqueued: Millis(at * 1000), submit_number: index as u64 + 1 },
            request,
        })
        .collect();
    let now = Millis(now * 1000);
    let regions = judge.legal_regions(&tickets, now, down)?;
    let region = regions.first().map(|region| &*region.name);
    judge.check(&Lineup { tickets: &tickets, teams, region }, now, down)
}

fn refused(result: Result<Verdict, Violation>) -> String {
    result.expect_err("the match is not legal").to_string()
}

fn cost(result: Result<Verdict, Violation>) -> String {
    result.expect("the match is legal").quality.cost.to_string()
}
