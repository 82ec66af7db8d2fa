//! A released match, field by field: everything that the judge can know of a [`MatchRecord`].
//!
//! Called by the simulation, the oracle test and the engine where it is asked to check its matches. What only
//! the engine knows (its own counters, `update_lost`, whether a search was cut off) is not looked at.

use super::facts::{Facts, region_key};
use super::judge::{Judge, JudgedTicket, Lineup, Verdict};
use super::violation::{Clause, Violation};
use crate::model::event::{MatchRecord, Quality, TeamRecord};
use crate::model::ids::{Millis, Seniority, TicketId};
use crate::model::request::TicketRequest;
use std::fmt::Debug;

impl Judge {
    /// Judges a released match. `lookup` gives each ticket as the tick saw it, `down` the regions that were
    /// down.
    pub fn match_record<'t>(
        &self,
        record: &MatchRecord,
        lookup: impl Fn(TicketId) -> Option<(Seniority, &'t TicketRequest)>,
        down: &[&str],
    ) -> Result<Verdict, Violation> {
        let mut tickets = Vec::new();
        for matched in &record.tickets {
            let Some((seniority, request)) = lookup(matched.id) else {
                return Err(Violation::absent(Clause::Record("tickets"), "ticket of such an id"));
            };
            same("the queue of a ticket", &request.queue, &self.spec.name)?;
            same("user_data", &matched.user_data, &request.user_data)?;
            tickets.push(JudgedTicket { seniority, request });
        }
        self.order_of_tickets(record, &tickets)?;
        let teams = self.teams_by_name(record, &tickets)?;
        let lineup = Lineup { tickets: &tickets, teams: &teams, region: record.region.as_deref() };
        let verdict = self.check(&lineup, record.at, down)?;
        self.regions_and_pings(record, &tickets, &verdict)?;
        same_quality(&record.quality, &verdict.quality)?;
        for (matched, ticket) in record.tickets.iter().zip(&tickets) {
            same("wait", &matched.wait, &record.at.since(ticket.seniority.enqueued))?;
        }
        let attempts = record.tickets.iter().map(|ticket| ticket.attempts).max().unwrap_or(0);
        same("attempts", &record.attempts, &attempts)?;
        same("echo", &record.echo.as_deref(), &self.spec.echo.as_deref())?;
        Ok(verdict)
    }

    /// The tickets stand in the order of submit numbers, none twice, and the oldest names the match.
    fn order_of_tickets(&self, record: &MatchRecord, tickets: &[JudgedTicket<'_>]) -> Result<(), Violation> {
        let numbers: Vec<u64> = tickets.iter().map(|ticket| ticket.seniority.submit_number).collect();
        let mut right = numbers.clone();
        right.sort_unstable();
        right.dedup();
        same("the order of submit numbers", &numbers, &right)?;
        let seats = record.tickets.iter().zip(tickets);
        match seats.min_by_key(|(_, ticket)| ticket.seniority) {
            Some((oldest, _)) => same("the match's id", &record.id.0, &oldest.id),
            None => Err(Violation::absent(Clause::Record("tickets"), "ticket")),
        }
    }

    /// The position of each ticket's team; the teams of the record are exactly those that stand, as declared,
    /// with their tickets in the order of submit numbers and all players of these.
    fn teams_by_name(
        &self,
        record: &MatchRecord,
        tickets: &[JudgedTicket<'_>],
    ) -> Result<Vec<usize>, Violation> {
        let names = self.team_names();
        let mut positions = Vec::new();
        for team in &record.teams {
            let Some(position) = names.iter().position(|name| **name == *team.name) else {
                return Err(Violation::absent(Clause::Record("teams"), "team of such a name"));
            };
            positions.push(position);
        }
        let mut sizes = vec![0; names.len()];
        let mut teams = Vec::new();
        for (matched, ticket) in record.tickets.iter().zip(tickets) {
            let Some(&position) = positions.get(matched.team as usize) else {
                return Err(Violation::absent(Clause::Record("teams"), "team at a ticket's index"));
            };
            sizes[position] += ticket.request.players.len() as u32;
            teams.push(position);
        }
        same("the teams that stand", &positions, &self.shape.team_sizes(&sizes)?)?;
        for (index, team) in record.teams.iter().enumerate() {
            members(team, index, record, tickets)?;
        }
        Ok(teams)
    }

    fn regions_and_pings(
        &self,
        record: &MatchRecord,
        tickets: &[JudgedTicket<'_>],
        verdict: &Verdict,
    ) -> Result<(), Violation> {
        let found: Vec<_> = record.regions.iter().map(|name| region_key(&self.spec, name)).collect();
        let right: Vec<_> = verdict.regions.iter().map(|region| region.name.clone()).collect();
        same("regions", &found, &right)?;
        same("the first of regions", &record.region.as_ref(), &record.regions.first())?;
        for (matched, ticket) in record.tickets.iter().zip(tickets) {
            let facts: Facts = self.read(ticket, record.at)?;
            let ping = right.first().and_then(|best| facts.pings.get(best).copied());
            same("a ping", &matched.ping_ms, &ping)?;
        }
        Ok(())
    }
}

fn members(
    team: &TeamRecord,
    index: usize,
    record: &MatchRecord,
    tickets: &[JudgedTicket<'_>],
) -> Result<(), Violation> {
    let seats = || record.tickets.iter().zip(tickets).filter(|(matched, _)| matched.team as usize == index);
    let ids: Vec<TicketId> = seats().map(|(matched, _)| matched.id).collect();
    same("a team's tickets", &team.tickets, &ids)?;
    let players = seats().flat_map(|(_, ticket)| ticket.request.players.iter().map(|player| player.id));
    same("a team's players", &team.players, &players.collect())
}

fn same_quality(found: &Quality, right: &Quality) -> Result<(), Violation> {
    same("cost", &found.cost, &right.cost)?;
    same("skill_spread", &found.skill_spread, &right.skill_spread)?;
    same("team_difference", &found.team_difference, &right.team_difference)?;
    same("ping_worst_ms", &found.ping_worst_ms, &right.ping_worst_ms)?;
    same("ping_mean_ms", &found.ping_mean_ms, &right.ping_mean_ms)?;
    let (found, right): (Millis, Millis) = (found.oldest_wait, right.oldest_wait);
    same("oldest_wait", &found, &right)
}

fn same<T: PartialEq + Debug>(field: &'static str, found: &T, right: &T) -> Result<(), Violation> {
    if found == right {
        return Ok(());
    }
    Err(Violation::differ(Clause::Record(field), field, format!("{found:?}"), format!("{right:?}")))
}
