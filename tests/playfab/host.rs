//! Replays trace lines through queues, and says what came out. Used by all tests beside it.
//!
//! Invariant: a replay is run twice, with the queues as they were read and with their native files, and both give
//! the same bytes.

use evenmatch::config::trace::{TraceAction, TraceReader};
use evenmatch::config::write::{self, Subject, write_event, write_queue, write_refused};
use evenmatch::config::{PlayfabOptions, QueueFormat, QueuesFile, read_queue, read_queues_file};
use evenmatch::model::ids::QueueId;
use evenmatch::{Engine, Event, MatchId, Millis, PlayerId, QueueSpec, Refusal, TicketId};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The queues of a file under `tests/data/playfab`.
pub(crate) fn file(name: &str) -> QueuesFile {
    let path = format!("{}/tests/data/playfab/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(&path).unwrap();
    read_queues_file(&path, &bytes, QueueFormat::Auto, &PlayfabOptions::default()).unwrap()
}

/// The queues of a text.
pub(crate) fn text(text: &str) -> Vec<QueueSpec> {
    let read = read_queues_file("", text.as_bytes(), QueueFormat::Auto, &PlayfabOptions::default());
    let read = read.unwrap_or_else(|errors| panic!("{errors:?}"));
    assert_eq!(read.format, QueueFormat::Playfab);
    read.specs
}

/// What came out of a replay.
#[derive(Default)]
pub(crate) struct Outcome {
    /// One short line for each event: `5 Red=t1,t2 Blue=t3 @EastUs`, `9 t4 TIMED_OUT`, `0 t5 WRONG_TYPE`.
    pub(crate) short: Vec<String>,
    /// The lines of the output.
    pub(crate) lines: Vec<String>,
}

/// Replays trace lines, ticking after each instant with inputs and whenever something is due, to `until`.
pub(crate) fn replay(specs: &[QueueSpec], trace: &str, until: Millis) -> Outcome {
    let outcome = once(specs, trace, until);
    let native: Vec<QueueSpec> = specs.iter().map(|spec| read_queue(&write_queue(spec)).unwrap()).collect();
    assert_eq!(native, specs);
    assert_eq!(once(&native, trace, until).lines, outcome.lines);
    outcome
}

fn once(specs: &[QueueSpec], trace: &str, until: Millis) -> Outcome {
    let engine = Engine::builder().capacity(100_000).check_matches(true).build().unwrap();
    for spec in specs {
        engine.add_queue(spec.clone()).unwrap();
    }
    let mut host = Host { engine, names: Names::default(), outcome: Outcome::default() };
    let mut reader = TraceReader::new("trace");
    let mut now = Millis(0);
    for line in trace.lines() {
        let Some(read) = reader.read(line.as_bytes()) else { continue };
        let line = read.unwrap_or_else(|errors| panic!("{line}: {errors:?}"));
        if line.at > now {
            host.tick(now);
            host.tick_until(Millis(line.at.0 - 1));
            now = line.at;
        }
        host.apply(now, line.action);
    }
    host.tick(now);
    host.tick_until(until);
    host.outcome
}

struct Host {
    engine: Engine,
    names: Names,
    outcome: Outcome,
}

#[derive(Default)]
struct Names {
    players: Vec<String>,
    tickets: BTreeMap<u64, String>,
    ids: BTreeMap<String, TicketId>,
    numbers: BTreeMap<TicketId, u64>,
    matches: Vec<MatchId>,
}

impl Names {
    fn player(&mut self, name: &str) -> PlayerId {
        let known = self.players.iter().position(|other| other == name);
        let at = known.unwrap_or_else(|| {
            self.players.push(name.to_owned());
            self.players.len() - 1
        });
        PlayerId(at as u128 + 1)
    }
}

impl write::Names for Names {
    fn ticket(&self, ticket: TicketId) -> Cow<'_, str> {
        Cow::Borrowed(&self.tickets[&self.numbers[&ticket]])
    }
    fn player(&self, player: PlayerId) -> Cow<'_, str> {
        Cow::Borrowed(&self.players[player.0 as usize - 1])
    }
    fn match_name(&self, id: MatchId) -> Cow<'_, str> {
        Cow::Owned(format!("m{}", self.matches.iter().position(|&other| other == id).unwrap() + 1))
    }
    fn queue(&self, queue: QueueId) -> Cow<'_, str> {
        Cow::Owned(format!("queue {}", queue.0))
    }
}

impl Host {
    fn apply(&mut self, now: Millis, action: TraceAction) {
        let Host { engine, names, .. } = self;
        match action {
            TraceAction::Submit(it) => {
                let request = it.request(|name| names.player(name));
                self.submitted(now, &it.ticket, Ok(request));
            }
            TraceAction::SubmitPlayfab(it) => {
                let request = engine.playfab_request(&it, |name| names.player(name));
                self.submitted(now, &it.ticket, request);
            }
            TraceAction::JoinPlayfab(it) => {
                let id = names.player(&it.member.id);
                let ticket = names.ids[&it.ticket];
                let joined = engine.playfab_player(ticket, &it.member, id);
                let joined = joined.and_then(|player| engine.join(now, ticket, player));
                self.answered(now, &it.ticket, joined);
            }
            TraceAction::Join(it) => {
                let player = it.player.request(names.player(&it.player.id));
                let joined = engine.join(now, names.ids[&it.ticket], player);
                self.answered(now, &it.ticket, joined);
            }
            TraceAction::Cancel { ticket, .. } => {
                let done = engine.cancel(now, names.ids[&ticket]);
                self.answered(now, &ticket, done);
            }
            TraceAction::Leave { player, .. } => {
                let id = names.player(&player);
                let done = engine.leave(now, id);
                self.answered(now, &player, done);
            }
            TraceAction::Queue { name, .. } => {
                let queue = engine.queue(&name).unwrap();
                engine.remove_queue(now, queue).unwrap();
            }
            other => panic!("{other:?}"),
        }
        self.poll();
    }

    fn submitted(&mut self, now: Millis, name: &str, request: Result<evenmatch::TicketRequest, Refusal>) {
        let number = self.names.tickets.len() as u64;
        self.names.tickets.insert(number, name.to_owned());
        let submitted = request.and_then(|mut request| {
            request.user_data = number;
            self.engine.submit(now, request)
        });
        match submitted {
            Ok(id) => {
                self.names.ids.insert(name.to_owned(), id);
                self.names.numbers.insert(id, number);
            }
            Err(refusal) => self.refused(now, name, &refusal),
        }
    }

    fn answered<T>(&mut self, now: Millis, name: &str, answer: Result<T, Refusal>) {
        if let Err(refusal) = answer {
            self.refused(now, name, &refusal);
        }
    }

    fn refused(&mut self, now: Millis, name: &str, refusal: &Refusal) {
        let reason = refusal.reason.map_or(String::new(), |reason| format!(" {reason}"));
        self.outcome.short.push(format!("{now} {name} {}{reason}", refusal.code));
        self.outcome.lines.push(write_refused(now, Subject::Ticket(name), refusal));
    }

    fn tick(&mut self, now: Millis) {
        self.engine.tick(now, 0).unwrap();
        self.poll();
    }

    fn tick_until(&mut self, until: Millis) {
        while let Some(due) = self.engine.next_due().filter(|&due| due <= until) {
            self.tick(due);
        }
    }

    fn poll(&mut self) {
        let mut events = Vec::new();
        self.engine.poll(&mut events, usize::MAX);
        for event in &events {
            let short = match event {
                Event::Match(record) => {
                    self.names.matches.push(record.id);
                    let name = |&id: &TicketId| self.names.tickets[&self.names.numbers[&id]].clone();
                    let teams = record.teams.iter().map(|team| {
                        let tickets: Vec<String> = team.tickets.iter().map(name).collect();
                        format!(" {}={}", team.name, tickets.join(","))
                    });
                    let region = record.region.as_ref().map_or(String::new(), |region| format!(" @{region}"));
                    format!("{}{}{region}", record.at, teams.collect::<String>())
                }
                Event::Ended(record) => {
                    let name = &self.names.tickets[&record.user_data];
                    format!("{} {name} {}", record.at, record.reason)
                }
            };
            self.outcome.short.push(short);
            self.outcome.lines.push(write_event(event, &self.names));
        }
    }
}

/// A trace line: a ticket of these players with their attributes, in the form of a server's request.
pub(crate) fn party(at: f64, name: &str, queue: &str, players: &[(&str, &str)]) -> String {
    let members: Vec<String> = players.iter().map(|(id, attributes)| member(id, attributes)).collect();
    format!(
        r#"{{"at":{at},"submit":{{"ticket":"{name}","playfab":{{"QueueName":"{queue}","GiveUpAfterSeconds":120,"Members":[{}]}}}}}}"#,
        members.join(",")
    ) + "\n"
}

/// A trace line: a ticket of one player, named like it.
pub(crate) fn solo(at: f64, name: &str, queue: &str, attributes: &str) -> String {
    format!(
        r#"{{"at":{at},"submit":{{"ticket":"{name}","playfab":{{"QueueName":"{queue}","GiveUpAfterSeconds":120,"Creator":{}}}}}}}"#,
        member(name, attributes)
    ) + "\n"
}

/// A member of a request.
pub(crate) fn member(id: &str, attributes: &str) -> String {
    format!(
        r#"{{"Entity":{{"Id":"{id}","Type":"title_player_account"}},"Attributes":{{"DataObject":{{{attributes}}}}}}}"#
    )
}

/// The latencies of a player, as an attribute.
pub(crate) fn latencies(list: &[(&str, u32)]) -> String {
    let list = list.iter().map(|(region, ms)| format!(r#"{{"region":"{region}","latency":{ms}}}"#));
    format!(r#""Latencies":[{}]"#, list.collect::<Vec<_>>().join(","))
}
