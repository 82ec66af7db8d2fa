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
/// `pings` has the tickets in the order of the teams. `update_lost` is true if an update of one of its
/// tickets came too late.
pub fn write_match(record: &MatchRecord, names: &impl Names) -> String {
    let mut out = JsonWriter::event(record.at, "match");
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
    out.finish_event()
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
    let mut out = JsonWriter::event(record.at, "ended");
    out.string_at("ticket", &names.ticket(record.ticket));
    out.string_at("reason", record.reason.word());
    if record.update_lost {
        out.key("update_lost");
        out.bool(true);
    }
    out.finish_event()
}

/// The line of a refused call: its subject, `code`, with UNMATCHABLE its `reason`, and `detail`.
pub fn write_refused(at: Millis, subject: Subject<'_>, refusal: &Refusal) -> String {
    let mut out = JsonWriter::event(at, "refused");
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
    out.finish_event()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::fixed::Fixed;
    use crate::model::codes::{Code, EndReason, UnmatchableReason};
    use crate::model::event::{MatchedTicket, Micros, TeamRecord};

    /// Names tickets by their slots, players and queues by their numbers.
    struct Plain;

    impl Names for Plain {
        fn ticket(&self, ticket: TicketId) -> Cow<'_, str> {
            format!("t{}", ticket.slot()).into()
        }
        fn player(&self, player: PlayerId) -> Cow<'_, str> {
            format!("p{}", player.0).into()
        }
        fn match_name(&self, _: MatchId) -> Cow<'_, str> {
            "m1".into()
        }
        fn queue(&self, _: QueueId) -> Cow<'_, str> {
            "ranked-5v5".into()
        }
    }

    const fn id(slot: u32) -> TicketId {
        TicketId::new(slot, 1)
    }

    fn ticket(slot: u32, team: u32, ping_ms: i64) -> MatchedTicket {
        let ping_ms = Some(Fixed::from_int(ping_ms));
        let (wait, attempts, update_lost) = (Millis(4000), 0, false);
        MatchedTicket { id: id(slot), user_data: 0, team, ping_ms, wait, attempts, update_lost }
    }

    fn team(name: &str, tickets: &[u32], players: &[u128]) -> TeamRecord {
        TeamRecord {
            name: name.into(),
            tickets: tickets.iter().map(|&slot| id(slot)).collect(),
            players: players.iter().map(|&player| PlayerId(player)).collect(),
        }
    }

    fn record() -> MatchRecord {
        MatchRecord {
            at: Millis(4000),
            id: MatchId(id(1)),
            queue: QueueId(0),
            region: Some("eu".into()),
            regions: vec!["eu".into(), "us".into()],
            teams: vec![team("red", &[1, 4], &[1, 7, 8]), team("blue", &[2], &[2])],
            tickets: vec![ticket(1, 0, 24), ticket(2, 1, 60), ticket(4, 0, 31)],
            quality: Quality {
                cost: Micros(74_500_000),
                skill_spread: Some(Fixed::from_int(38)),
                team_difference: Some(Fixed::from_micros(4_200_000)),
                ping_worst_ms: Some(Fixed::from_int(60)),
                ping_mean_ms: Some(Fixed::from_micros(36_500_000)),
                oldest_wait: Millis(4000),
                exhaustive: true,
            },
            attempts: 0,
            echo: None,
            kept: Vec::new(),
        }
    }

    #[test]
    fn a_match_is_as_documented() {
        let line = concat!(
            r#"{"at":4,"match":{"id":"m1","queue":"ranked-5v5","region":"eu","#,
            r#""teams":[{"name":"red","tickets":["t1","t4"],"players":["p1","p7","p8"]},"#,
            r#"{"name":"blue","tickets":["t2"],"players":["p2"]}],"#,
            r#""pings":{"t1":24,"t4":31,"t2":60},"regions":["eu","us"],"attempts":0,"#,
            r#""quality":{"cost":74.5,"skill_spread":38,"team_difference":4.2,"ping_worst_ms":60,"#,
            r#""ping_mean_ms":36.5,"oldest_wait_s":4,"exhaustive":true}}}"#
        );
        assert_eq!(write_event(&Event::Match(Box::new(record())), &Plain), line);
    }

    #[test]
    fn what_does_not_apply_is_left_out() {
        let mut record = record();
        record.region = None;
        record.regions = Vec::new();
        record.tickets.iter_mut().for_each(|ticket| ticket.ping_ms = None);
        record.tickets[1].update_lost = true;
        record.quality =
            Quality { oldest_wait: Millis(1), cost: Micros(10_i128.pow(30) + 1), ..Quality::default() };
        record.echo = Some(r#"{"a":1}"#.into());
        let kept = vec![("clan".to_owned(), r#"["x"]"#.to_owned())];
        record.kept = vec![(PlayerId(2), kept), (PlayerId(7), Vec::new())];
        let line = concat!(
            r#"{"at":4,"match":{"id":"m1","queue":"ranked-5v5","#,
            r#""teams":[{"name":"red","tickets":["t1","t4"],"players":["p1","p7","p8"]},"#,
            r#"{"name":"blue","tickets":["t2"],"players":["p2"]}],"attempts":0,"#,
            r#""quality":{"cost":1000000000000000000000000.000001,"oldest_wait_s":0.001,"exhaustive":false},"#,
            r#""echo":{"a":1},"attributes":{"p2":{"clan":["x"]}},"update_lost":true}}"#
        );
        assert_eq!(write_match(&record, &Plain), line);
    }

    #[test]
    fn ends_and_refusals_are_as_documented() {
        let reason = EndReason::TimedOut;
        let mut ended = EndedRecord {
            at: Millis(90_000),
            ticket: id(9),
            queue: QueueId(0),
            user_data: 0,
            reason,
            update_lost: false,
        };
        assert_eq!(write_ended(&ended, &Plain), r#"{"at":90,"ended":{"ticket":"t9","reason":"TIMED_OUT"}}"#);
        ended.update_lost = true;
        let line = r#"{"at":90,"ended":{"ticket":"t9","reason":"TIMED_OUT","update_lost":true}}"#;
        assert_eq!(write_event(&Event::Ended(ended), &Plain), line);
        let refusal = Refusal::new(Code::PlayerAlreadyQueued, "player p1 is in ticket t1");
        assert_eq!(
            write_refused(Millis(0), Subject::Ticket("t3"), &refusal),
            r#"{"at":0,"refused":{"ticket":"t3","code":"PLAYER_ALREADY_QUEUED","detail":"player p1 is in ticket t1"}}"#
        );
        let refusal = Refusal::unmatchable(UnmatchableReason::NoRegion, "no \"eu\"");
        assert_eq!(
            write_refused(Millis(1), Subject::Line(7), &refusal),
            r#"{"at":0.001,"refused":{"line":7,"code":"UNMATCHABLE","reason":"NO_REGION","detail":"no \"eu\""}}"#
        );
    }
}
