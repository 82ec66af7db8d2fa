//! Reads one line of a trace. Called by [`TraceReader`](super::TraceReader), and directly where lines do not
//! stand in a file.
//!
//! Invariant: a line that is given had nothing wrong in it; whether its values fit a queue is for the engine.

use super::line::{
    QueueState, TraceAction, TraceJoin, TraceLine, TracePlayer, TracePlayerUpdate, TraceSubmit, TraceUpdate,
};
use crate::base::fixed::Decimal;
use crate::config::error::ConfigError;
use crate::config::json::{self, Node, Value};
use crate::config::playfab::{read_join, read_ticket};
use crate::config::report::{Fault, Fields, Report, report_of};
use crate::model::attribute::AttributeValue;
use crate::model::request::TicketLimits;

/// The keys of actions.
const ACTIONS: [&str; 10] =
    ["submit", "join", "cancel", "leave", "update", "requeue", "region", "queue", "tick", "note"];

/// Reads one line of a trace. `line` is its number in the file, from 1, which errors name.
///
/// Errors: all that is wrong in the line; if it is not JSON, the first place where it is not.
pub fn read_trace_line(line: u32, bytes: &[u8]) -> Result<TraceLine, Vec<ConfigError>> {
    let name = |mut errors: Vec<ConfigError>| {
        errors.iter_mut().for_each(|error| error.line = error.line.saturating_add(line.saturating_sub(1)));
        errors
    };
    let single = |text: &str, fault| {
        let mut report = Report::default();
        report.push(fault);
        name(report.into_errors(text, None))
    };
    let text = json::decode(bytes).map_err(|(text, fault)| single(text, fault))?;
    let mut tree = json::parse(text).map_err(|fault| single(text, fault))?;
    let mut report = report_of(&mut tree);
    match read(&mut report, &tree.root, line) {
        Some(line) if report.is_empty() => Ok(line),
        _ => Err(name(report.into_errors(text, Some(&tree.root)))),
    }
}

fn read(report: &mut Report, root: &Node<'_>, line: u32) -> Option<TraceLine> {
    let keys: Vec<&str> = ["at"].into_iter().chain(ACTIONS).collect();
    let fields = report.fields(root, &keys)?;
    let at = match fields.get("at") {
        Some(node) => report.seconds(node),
        None => {
            report.missing(root, "at", "give the time in seconds");
            None
        }
    };
    let mut named = root.members().iter().filter(|member| ACTIONS.contains(&&*member.key));
    let Some(first) = named.next() else {
        if root.members().iter().all(|member| member.key == "at") {
            report.push(Fault::new(root.start, "no action", format!("needs one of {}", ACTIONS.join(", "))));
        }
        return None;
    };
    if let Some(second) = named.find(|member| member.key != first.key) {
        let found = format!("{} beside {}", second.key, first.key);
        report.push(Fault::new(second.start, found, "a line has one action"));
    }
    let action = action(report, &first.key, &first.node, line);
    Some(TraceLine { at: at?, action: action? })
}

fn action(report: &mut Report, word: &str, node: &Node<'_>, line: u32) -> Option<TraceAction> {
    let is_playfab = node.members().iter().any(|member| member.key == "playfab");
    match word {
        "submit" if is_playfab => {
            // A ticket that the line does not name is called by the line.
            let it = read_ticket(report, node, &format!("#{line}"))?;
            Some(TraceAction::SubmitPlayfab(Box::new(it)))
        }
        "submit" => submit(report, node, None).map(|it| TraceAction::Submit(Box::new(it))),
        "join" if is_playfab => Some(TraceAction::JoinPlayfab(Box::new(read_join(report, node)?))),
        "join" => {
            let fields = report.fields(node, &["ticket", "player"])?;
            let ticket = required(report, &fields, "ticket", Report::string);
            let player = required(report, &fields, "player", player);
            Some(TraceAction::Join(Box::new(TraceJoin { ticket: ticket?, player: player? })))
        }
        "update" => update(report, node).map(|it| TraceAction::Update(Box::new(it))),
        "cancel" => {
            let fields = report.fields(node, &["ticket", "in_tick"])?;
            let ticket = required(report, &fields, "ticket", Report::string);
            let in_tick = optional(report, &fields, "in_tick", whole_number);
            Some(TraceAction::Cancel { ticket: ticket?, in_tick: in_tick? })
        }
        "leave" => {
            let fields = report.fields(node, &["player", "ticket", "in_tick"])?;
            let player = required(report, &fields, "player", Report::string);
            let ticket = optional(report, &fields, "ticket", Report::string);
            let in_tick = optional(report, &fields, "in_tick", whole_number);
            Some(TraceAction::Leave { player: player?, ticket: ticket?, in_tick: in_tick? })
        }
        "requeue" => {
            let fields = report.fields(node, &["match", "tickets"])?;
            let match_name = required(report, &fields, "match", Report::string);
            let tickets = required(report, &fields, "tickets", Report::strings);
            Some(TraceAction::Requeue { match_name: match_name?, tickets: tickets? })
        }
        "region" => {
            let fields = report.fields(node, &["name", "up"])?;
            let name = required(report, &fields, "name", Report::string);
            let up = required(report, &fields, "up", Report::bool);
            Some(TraceAction::Region { name: name?, up: up? })
        }
        "tick" => {
            let fields = report.fields(node, &["budget"])?;
            let budget = fields.get("budget").map_or(Some(0), |node| whole_number(report, node));
            Some(TraceAction::Tick { budget: budget? })
        }
        "note" => note(report, node),
        _ => {
            let fields = report.fields(node, &["name", "state"])?;
            let name = required(report, &fields, "name", Report::string);
            let state =
                required(report, &fields, "state", |report, node| report.word(node, QueueState::WORDS));
            Some(TraceAction::Queue { name: name?, state: state? })
        }
    }
}

/// A note: any object.
fn note(report: &mut Report, node: &Node<'_>) -> Option<TraceAction> {
    report.object(node)?;
    Some(TraceAction::Note { json: node.compact() })
}

/// A field that may be left out.
fn optional<T>(
    report: &mut Report,
    fields: &Fields<'_, '_>,
    key: &str,
    read: impl FnOnce(&mut Report, &Node<'_>) -> Option<T>,
) -> Option<Option<T>> {
    fields.get(key).map_or(Some(None), |node| read(report, node).map(Some))
}

fn required<T>(
    report: &mut Report,
    fields: &Fields<'_, '_>,
    key: &str,
    read: impl FnOnce(&mut Report, &Node<'_>) -> Option<T>,
) -> Option<T> {
    match fields.get(key) {
        Some(node) => read(report, node),
        None => {
            report.missing(fields.node, key, "the action needs it");
            None
        }
    }
}

/// Reads a ticket; without `unnamed` it must have a name.
pub(super) fn submit(report: &mut Report, node: &Node<'_>, unnamed: Option<&str>) -> Option<TraceSubmit> {
    let keys = [
        "ticket",
        "queue",
        "players",
        "awaits",
        "latency",
        "timeout_s",
        "limits",
        "regions",
        "enqueued",
        "user_data",
    ];
    let fields = report.fields(node, &keys)?;
    let ticket = match unnamed {
        Some(name) if fields.get("ticket").is_none() => Some(name.to_owned()),
        _ => required(report, &fields, "ticket", Report::string),
    };
    let queue = required(report, &fields, "queue", Report::string);
    let players = required(report, &fields, "players", |report, node| {
        let elements = report.array(node, "players")?;
        Some(elements.iter().filter_map(|element| player(report, element)).collect())
    });
    let it = TraceSubmit {
        ticket: ticket.unwrap_or_default(),
        queue: queue.unwrap_or_default(),
        players: players.unwrap_or_default(),
        awaits: present(&fields, "awaits").and_then(|node| report.strings(node)).unwrap_or_default(),
        latency: fields.get("latency").and_then(|node| latency(report, node)).unwrap_or_default(),
        timeout: present(&fields, "timeout_s").and_then(|node| report.seconds(node)),
        limits: present(&fields, "limits").and_then(|node| limits(report, node)).unwrap_or_default(),
        regions: present(&fields, "regions").and_then(|node| report.strings(node)),
        enqueued: present(&fields, "enqueued").and_then(|node| report.seconds(node)),
        user_data: fields.get("user_data").and_then(|node| whole_number(report, node)).unwrap_or_default(),
    };
    // What could not be read has left a fault, and the line is refused for it.
    Some(it)
}

/// A value that is there and not null.
fn present<'a, 't>(fields: &Fields<'a, 't>, key: &str) -> Option<&'a Node<'t>> {
    fields.get(key).filter(|node| !matches!(node.value, Value::Null))
}

fn whole_number(report: &mut Report, node: &Node<'_>) -> Option<u64> {
    let number = match node.value {
        Value::Number(text) => text.parse().ok(),
        _ => None,
    };
    if number.is_none() {
        report.wrong(node, format!("needs a whole number from 0 to {}", u64::MAX));
    }
    number
}

pub(super) fn player(report: &mut Report, node: &Node<'_>) -> Option<TracePlayer> {
    let fields = report.fields(node, &["id", "attributes", "latency"])?;
    let id = required(report, &fields, "id", Report::string);
    let attributes = fields.get("attributes").and_then(|node| attributes(report, node));
    let latency = fields.get("latency").and_then(|node| latency(report, node));
    Some(TracePlayer {
        id: id?,
        attributes: attributes.unwrap_or_default(),
        latency: latency.unwrap_or_default(),
    })
}

fn attributes(report: &mut Report, node: &Node<'_>) -> Option<Vec<(String, AttributeValue)>> {
    let members = report.object(node)?;
    let pairs = members.iter().map(|member| (member.key.clone().into_owned(), attribute_value(&member.node)));
    Some(pairs.collect())
}

/// A value of whatever kind; what no attribute can have is carried as JSON text, and the engine judges it.
pub(in crate::config) fn attribute_value(node: &Node<'_>) -> AttributeValue {
    let known = match &node.value {
        Value::Number(text) => Decimal::parse(text).map(AttributeValue::Number),
        Value::String(text) => Some(AttributeValue::String(text.clone().into_owned())),
        Value::Array(elements) => {
            let strings = elements.iter().map(|element| match &element.value {
                Value::String(text) => Some(text.clone().into_owned()),
                _ => None,
            });
            strings.collect::<Option<Vec<_>>>().map(AttributeValue::StringList)
        }
        Value::Null | Value::Bool(_) | Value::Object(_) => None,
    };
    known.unwrap_or_else(|| AttributeValue::Json(node.compact()))
}

fn latency(report: &mut Report, node: &Node<'_>) -> Option<Vec<(String, Decimal)>> {
    let members = report.object(node)?;
    let pairs = members.iter().map(|member| {
        let ms = report.decimal(&member.node)?;
        Some((member.key.clone().into_owned(), ms))
    });
    let pairs: Vec<_> = pairs.collect();
    pairs.into_iter().collect()
}

fn limits(report: &mut Report, node: &Node<'_>) -> Option<TicketLimits> {
    let mut limits = TicketLimits::default();
    for member in report.object(node)? {
        if member.key == "max_ping_ms" {
            if !matches!(member.node.value, Value::Null) {
                limits.max_ping_ms = report.decimal(&member.node);
            }
            continue;
        }
        let ends = match &member.node.value {
            Value::Array(ends) => ends.as_slice(),
            _ => &[],
        };
        let [least, greatest] = ends else {
            report.wrong(&member.node, "needs [least, greatest], either of which may be null");
            continue;
        };
        let mut end = |node: &Node<'_>| match node.value {
            Value::Null => None,
            _ => report.decimal(node),
        };
        let (least, greatest) = (end(least), end(greatest));
        limits.attributes.push((member.key.clone().into_owned(), least, greatest));
    }
    Some(limits)
}

fn update(report: &mut Report, node: &Node<'_>) -> Option<TraceUpdate> {
    let keys = ["ticket", "players", "latency", "limits", "regions", "timeout_s"];
    let fields = report.fields(node, &keys)?;
    let ticket = required(report, &fields, "ticket", Report::string);
    let players = fields.get("players").and_then(|node| {
        let elements = report.array(node, "players")?;
        Some(elements.iter().filter_map(|element| player_update(report, element)).collect())
    });
    let mut it = TraceUpdate { ticket: ticket.unwrap_or_default(), ..TraceUpdate::default() };
    it.players = players.unwrap_or_default();
    it.latency = fields.get("latency").and_then(|node| latency(report, node));
    it.limits = fields.get("limits").map(|node| match node.value {
        Value::Null => TicketLimits::default(),
        _ => limits(report, node).unwrap_or_default(),
    });
    it.regions = fields.get("regions").map(|node| match node.value {
        Value::Null => None,
        _ => report.strings(node),
    });
    it.timeout = fields.get("timeout_s").map(|node| match node.value {
        Value::Null => None,
        _ => report.seconds(node),
    });
    Some(it)
}

fn player_update(report: &mut Report, node: &Node<'_>) -> Option<TracePlayerUpdate> {
    let fields = report.fields(node, &["id", "attributes", "latency"])?;
    let id = required(report, &fields, "id", Report::string);
    let attributes = fields.get("attributes").and_then(|node| attributes(report, node));
    let latency = fields.get("latency").and_then(|node| latency(report, node));
    Some(TracePlayerUpdate { id: id?, attributes, latency })
}
