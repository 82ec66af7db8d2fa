//! Output lines: matches, ends and refusals, one line each. Called by the command line for every event.
//!
//! Invariant: keys stand in the order of the documented format, and keys that do not apply are left out: all
//! that is about regions and pings in a queue without a region rule, spreads that no rule measures, `echo`,
//! `attributes`, and `update_lost` unless it is true. Lines have no line break at their end.

use super::JsonWriter;
use crate::model::codes::Refusal;
use crate::model::event::{EndedRecord, Event, MatchRecord, Quality};
use crate::model::ids::{MatchId, Millis, PlayerId, QueueId, TicketId};
use std::borrow::Cow;

/// Gives tickets, players, matches and queues the names that they have in files.
pub trait Names {
    /// A ticket's name.
    fn ticket(&self, ticket: TicketId) -> Cow<'_, str>;
    /// A player's name.
    fn player(&self, player: PlayerId) -> Cow<'_, str>;
    /// A match's name.
    fn match_name(&self, id: MatchId) -> Cow<'_, str>;
    /// A queue's name.
    fn queue(&self, queue: QueueId) -> Cow<'_, str>;
}

/// What a refused line was about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject<'a> {
    /// A ticket of that name.
    Ticket(&'a str),
    /// A player of that name.
    Player(&'a str),
    /// A match of that name.
    Match(&'a str),
    /// A queue of that name.
    Queue(&'a str),
    /// A region of that name.
    Region(&'a str),
    /// A line of the trace that could not be read, by its number from 1.
    Line(u64),
}

/// The line of an event.
pub fn write_event(event: &Event, names: &impl Names) -> String {
    match event {
        Event::Match(record) => write_match(record, names),
        Event::Ended(record) => write_ended(record, names),
    }
}

/// The line of a match.
///
/// `pings` has the tickets in the order of the teams. `update_lost` is true if an update of one of its tickets
/// came too late.
pub fn write_match(record: &MatchRecord, names: &impl Names) -> String {
    let mut out = begin(record.at, "match");
    out.string_at("id", &names.match_name(record.id));
    out.string_at("queue", &names.queue(record.queue));
    if let Some(region) = &record.region {
        out.string_at("region", region);
    }
    teams(&mut out, record, names);
    if record.region.is_some() {
        pings(&mut out, record, names);
        out.strings_at("regions", &record.regions);
    }
    out.number_at("attempts", record.attempts);
    quality(&mut out, &record.quality);
    if let Some(echo) = &record.echo {
        out.key("echo");
        out.raw(echo);
    }
    kept(&mut out, record, names);
    if record.tickets.iter().any(|ticket| ticket.update_lost) {
        out.key("update_lost");
        out.bool(true);
    }
    end(out)
}

fn teams(out: &mut JsonWriter, record: &MatchRecord, names: &impl Names) {
    out.key("teams");
    out.begin_array();
    for team in &record.teams {
        out.begin_object();
        out.string_at("name", &team.name);
        out.strings_at("tickets", team.tickets.iter().map(|&ticket| names.ticket(ticket)));
        out.strings_at("players", team.players.iter().map(|&player| names.player(player)));
        out.end_object();
    }
    out.end_array();
}

fn pings(out: &mut JsonWriter, record: &MatchRecord, names: &impl Names) {
    out.key("pings");
    out.begin_object();
    for team in 0..record.teams.len() {
        for ticket in record.tickets.iter().filter(|ticket| ticket.team as usize == team) {
            out.number_if(&names.ticket(ticket.id), ticket.ping_ms);
        }
    }
    out.end_object();
}

fn quality(out: &mut JsonWriter, quality: &Quality) {
    out.key("quality");
    out.begin_object();
    out.number_at("cost", quality.cost);
    out.number_if("skill_spread", quality.skill_spread);
    out.number_if("team_difference", quality.team_difference);
    out.number_if("ping_worst_ms", quality.ping_worst_ms);
    out.number_if("ping_mean_ms", quality.ping_mean_ms);
    out.number_at("oldest_wait_s", quality.oldest_wait);
    out.key("exhaustive");
    out.bool(quality.exhaustive);
    out.end_object();
}

/// The undeclared attributes that the queue keeps, by player.
fn kept(out: &mut JsonWriter, record: &MatchRecord, names: &impl Names) {
    if record.kept.iter().all(|(_, attributes)| attributes.is_empty()) {
        return;
    }
    out.key("attributes");
    out.begin_object();
    for (player, attributes) in record.kept.iter().filter(|(_, attributes)| !attributes.is_empty()) {
        out.key(&names.player(*player));
        out.begin_object();
        for (name, json) in attributes {
            out.key(name);
            out.raw(json);
        }
        out.end_object();
    }
    out.end_object();
}

/// The line of a ticket that ended without a match.
pub fn write_ended(record: &EndedRecord, names: &impl Names) -> String {
    let mut out = begin(record.at, "ended");
    out.string_at("ticket", &names.ticket(record.ticket));
    out.string_at("reason", record.reason.word());
    if record.update_lost {
        out.key("update_lost");
        out.bool(true);
    }
    end(out)
}

/// The line of a refused call: its subject, `code`, with UNMATCHABLE its `reason`, and `detail`.
pub fn write_refused(at: Millis, subject: Subject<'_>, refusal: &Refusal) -> String {
    let mut out = begin(at, "refused");
    match subject {
        Subject::Ticket(name) => out.string_at("ticket", name),
        Subject::Player(name) => out.string_at("player", name),
        Subject::Match(name) => out.string_at("match", name),
        Subject::Queue(name) => out.string_at("queue", name),
        Subject::Region(name) => out.string_at("region", name),
        Subject::Line(line) => out.number_at("line", line),
    }
    out.string_at("code", refusal.code.word());
    if let Some(reason) = refusal.reason {
        out.string_at("reason", reason.word());
    }
    out.string_at("detail", &refusal.detail);
    end(out)
}

/// `{"at":..,"KIND":{`
fn begin(at: Millis, kind: &str) -> JsonWriter {
    let mut out = JsonWriter::compact();
    out.begin_object();
    out.number_at("at", at);
    out.key(kind);
    out.begin_object();
    out
}

fn end(mut out: JsonWriter) -> String {
    out.end_object();
    out.end_object();
    out.finish()
}
