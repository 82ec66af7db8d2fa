//! The traffic that two queues are compared on: one queue's tickets out of a trace.
//!
//! Read by `compare`, displaced by `variants`, grouped by `cohorts`. Both queues get the same lines. Invariant:
//! every line stands at or after the one before, ticket names stand once, and a line about a ticket stands
//! after its submit.

use crate::failure::Failure;
use crate::run::read_line;
use crate::sink;
use evenmatch::config::trace::{TraceAction, TraceLine, TraceReader};
use evenmatch::model::ids::Millis;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The traffic.
pub(super) struct Evening {
    /// What the queue is called in the trace.
    pub(super) queue: String,
    /// The lines that concern it, in order.
    pub(super) lines: Vec<TraceLine>,
    /// For each line the ticket it belongs to, by the order of submits; `None`: it concerns all.
    pub(super) ticket_of_line: Vec<Option<usize>>,
    /// How many tickets there are.
    pub(super) tickets: usize,
    /// Who plays in each ticket, by number; the same person has the same number in all.
    pub(super) players: Vec<Vec<usize>>,
    /// What was left out, and why: one sentence each.
    pub(super) notes: Vec<String>,
}

/// What is wanted of a trace.
pub(super) struct Wanted<'a> {
    /// The trace; `-` is the standard input.
    pub(super) path: &'a str,
    /// The queue's name in the trace: the first of these that has tickets there.
    pub(super) names: Vec<String>,
    /// Lines beyond this are left out.
    pub(super) until: Option<Millis>,
    /// Whether a line that is not right is an error.
    pub(super) strict: bool,
}

/// Reads the trace whole, and keeps what concerns the queue.
pub(super) fn read(wanted: &Wanted<'_>) -> Result<Evening, Failure> {
    let path = wanted.path;
    let (mut trace, _) = sink::open_input(path)?;
    let mut reader = TraceReader::new(path);
    let mut lines = Vec::new();
    let mut wrong = Vec::new();
    let mut bytes = Vec::new();
    while read_line(&mut trace, &mut bytes, path)? {
        match reader.read(&bytes) {
            None => {}
            Some(Ok(line)) if wanted.until.is_some_and(|until| line.at > until) => break,
            Some(Ok(line)) => lines.push(line),
            Some(Err(errors)) if wanted.strict => {
                let list: Vec<String> = errors.iter().map(ToString::to_string).collect();
                return Err(Failure::input(list.join("\n")));
            }
            Some(Err(errors)) => wrong.extend(errors.first().map(ToString::to_string)),
        }
    }
    let queue = chosen(wanted, &lines, wrong.first())?;
    let mut evening = kept(queue, lines);
    if let Some(first) = wrong.first() {
        evening
            .notes
            .push(format!("left out as not right: {}; the first: {first}", counted(wrong.len(), "line")));
    }
    Ok(evening)
}

/// The queue whose tickets are compared, or why there is none.
fn chosen(wanted: &Wanted<'_>, lines: &[TraceLine], wrong: Option<&String>) -> Result<String, Failure> {
    let path = wanted.path;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    lines.iter().filter_map(|line| submitted_to(&line.action)).for_each(|name| {
        *counts.entry(name).or_default() += 1;
    });
    if let Some(name) = wanted.names.iter().find(|name| counts.contains_key(name.as_str())) {
        return Ok(name.clone());
    }
    let until = wanted.until.map_or(String::new(), |until| format!(" up to {until} s"));
    if !counts.is_empty() {
        let asked: Vec<String> = wanted.names.iter().map(|name| format!("{name:?}")).collect();
        let found = counts.iter().take(8).map(|(name, count)| format!("{name:?} ({count})"));
        let found: Vec<String> = found.collect();
        let more = if counts.len() > 8 { ", .." } else { "" };
        return Err(Failure::input(format!(
            "{path} has no ticket of queue {}{until}; it has tickets of {}{more}: name the one to compare with \
             --tickets-of",
            asked.join(" or "),
            found.join(", ")
        )));
    }
    Err(Failure::input(match wrong {
        Some(wrong) => {
            format!("{path} submits no ticket{until}, and has lines that are not right; the first: {wrong}")
        }
        None => format!("{path} submits no ticket{until}; `evenmatch generate` makes a trace"),
    }))
}

/// The queue that a submit is for.
fn submitted_to(action: &TraceAction) -> Option<&str> {
    match action {
        TraceAction::Submit(submit) => Some(&submit.queue),
        TraceAction::SubmitPlayfab(submit) => Some(&submit.queue),
        _ => None,
    }
}

/// The lines that concern the queue.
fn kept(queue: String, lines: Vec<TraceLine>) -> Evening {
    let mut tickets: HashMap<String, usize> = HashMap::new();
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut latest: HashMap<usize, usize> = HashMap::new();
    let (mut others, mut requeues) = (HashSet::new(), 0);
    let mut evening = Evening {
        queue,
        lines: Vec::new(),
        ticket_of_line: Vec::new(),
        tickets: 0,
        players: Vec::new(),
        notes: Vec::new(),
    };
    for line in lines {
        let belongs = match &line.action {
            TraceAction::Submit(_) | TraceAction::SubmitPlayfab(_) => {
                let (ticket, players) = submitted(&line.action);
                if submitted_to(&line.action) != Some(evening.queue.as_str()) {
                    others.insert(ticket.to_owned());
                    continue;
                }
                let own = evening.tickets;
                evening.tickets += 1;
                tickets.insert(ticket.to_owned(), own);
                let next = |name: &str| {
                    let fresh = numbers.len();
                    *numbers.entry(name.to_owned()).or_insert(fresh)
                };
                let players: Vec<usize> = players.into_iter().map(next).collect();
                latest.extend(players.iter().map(|&player| (player, own)));
                evening.players.push(players);
                Some(own)
            }
            TraceAction::Requeue { .. } => {
                requeues += 1;
                continue;
            }
            TraceAction::Cancel { ticket, .. } => tickets.get(ticket).copied(),
            TraceAction::Update(update) => tickets.get(&update.ticket).copied(),
            TraceAction::Join(join) => tickets.get(&join.ticket).copied(),
            TraceAction::JoinPlayfab(join) => tickets.get(&join.ticket).copied(),
            TraceAction::Leave { ticket: Some(ticket), .. } => tickets.get(ticket).copied(),
            TraceAction::Leave { player, ticket: None, .. } => {
                numbers.get(player).and_then(|number| latest.get(number)).copied()
            }
            TraceAction::Region { .. } => None,
            TraceAction::Queue { name, .. } if *name == evening.queue => None,
            // Another queue's, or a record's: both queues tick as they are told to here.
            TraceAction::Queue { .. } | TraceAction::Tick { .. } | TraceAction::Note { .. } => continue,
        };
        // A line about a ticket of another queue, or of none.
        let is_common = matches!(line.action, TraceAction::Region { .. } | TraceAction::Queue { .. });
        if belongs.is_some() || is_common {
            evening.lines.push(line);
            evening.ticket_of_line.push(belongs);
        }
    }
    if !others.is_empty() {
        let count = counted(others.len(), "ticket");
        evening.notes.push(format!("left out as of other queues: {count}"));
    }
    if requeues > 0 {
        evening.notes.push(format!(
            "left out, since requeues name matches of the run that was recorded and other queues make others: {}",
            counted(requeues, "line")
        ));
    }
    evening
}

/// A submitted ticket's name and the names of its players, those who are still to join included.
fn submitted(action: &TraceAction) -> (&str, Vec<&str>) {
    match action {
        TraceAction::Submit(submit) => {
            let joined = submit.players.iter().map(|player| player.id.as_str());
            (&submit.ticket, joined.chain(submit.awaits.iter().map(String::as_str)).collect())
        }
        TraceAction::SubmitPlayfab(submit) => {
            let joined = submit.members.iter().map(|member| member.id.as_str());
            (&submit.ticket, joined.chain(submit.awaits.iter().map(String::as_str)).collect())
        }
        _ => ("", Vec::new()),
    }
}

/// `1 line`, `2 lines`.
pub(super) fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}
