//! Trace lines: what hosts did, one JSON object a line. Called by whoever replays recorded traffic.
//!
//! Invariant: a line is read by itself. That times do not fall and ticket names stand once in a file is for
//! [`TraceReader`], which reads a file line by line and keeps what it needs for that.

use super::error::ConfigError;
use super::json::{self, Node, Value};
use super::report::{Fault, Fields, Report, report_of};
use crate::base::fixed::Decimal;
use crate::model::attribute::AttributeValue;
use crate::model::ids::{Millis, PlayerId};
use crate::model::request::{PlayerRequest, TicketLimits, TicketRequest, TicketUpdate};

mod file;
#[cfg(test)]
mod tests;

pub use file::TraceReader;

/// One line of a trace.
#[derive(Clone, PartialEq, Debug)]
pub struct TraceLine {
    /// The time since the start of the trace.
    pub at: Millis,
    /// What happened.
    pub action: TraceAction,
}

/// What happened in a line.
#[derive(Clone, PartialEq, Debug)]
pub enum TraceAction {
    /// A ticket was submitted.
    Submit(Box<TraceSubmit>),
    /// A ticket was cancelled.
    Cancel {
        /// Its name.
        ticket: String,
    },
    /// A player left.
    Leave {
        /// The player's name.
        player: String,
    },
    /// A waiting ticket was changed.
    Update(Box<TraceUpdate>),
    /// Tickets of a match that came to nothing were put back.
    Requeue {
        /// The match's name: `m1` for the first match of the output.
        match_name: String,
        /// The tickets' names.
        tickets: Vec<String>,
    },
    /// A region came up or went down.
    Region {
        /// Its name.
        name: String,
        /// Whether it is up.
        up: bool,
    },
    /// A queue was opened, suspended or removed.
    Queue {
        /// Its name.
        name: String,
        /// What it became.
        state: QueueState,
    },
}

impl TraceAction {
    /// The key that the action has in its line.
    pub const fn word(&self) -> &'static str {
        match self {
            TraceAction::Submit(_) => "submit",
            TraceAction::Cancel { .. } => "cancel",
            TraceAction::Leave { .. } => "leave",
            TraceAction::Update(_) => "update",
            TraceAction::Requeue { .. } => "requeue",
            TraceAction::Region { .. } => "region",
            TraceAction::Queue { .. } => "queue",
        }
    }
}

const ACTIONS: [&str; 7] = ["submit", "cancel", "leave", "update", "requeue", "region", "queue"];

/// What a queue became.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QueueState {
    /// It takes and matches tickets.
    Open,
    /// It takes none and matches none.
    Suspended,
    /// It is gone, and its tickets ended.
    Removed,
}

impl QueueState {
    const WORDS: &'static [(&'static str, QueueState)] =
        &[("open", QueueState::Open), ("suspended", QueueState::Suspended), ("removed", QueueState::Removed)];

    /// The word that traces use.
    pub const fn word(self) -> &'static str {
        match self {
            QueueState::Open => "open",
            QueueState::Suspended => "suspended",
            QueueState::Removed => "removed",
        }
    }
}

/// A ticket as a trace submits it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TraceSubmit {
    /// The ticket's name.
    pub ticket: String,
    /// The queue's name.
    pub queue: String,
    /// Who searches together.
    pub players: Vec<TracePlayer>,
    /// Round-trip times in milliseconds by region, for players that bring none of their own.
    pub latency: Vec<(String, Decimal)>,
    /// The regions that the ticket accepts; `None`: all.
    pub regions: Option<Vec<String>>,
    /// Its own limits.
    pub limits: TicketLimits,
    /// Its own timeout.
    pub timeout: Option<Millis>,
    /// When its wait began, if that was before the line.
    pub enqueued: Option<Millis>,
    /// The host's word.
    pub user_data: u64,
}

/// A player as a trace names one.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TracePlayer {
    /// The player's name.
    pub id: String,
    /// Values by attribute name.
    pub attributes: Vec<(String, AttributeValue)>,
    /// The player's own round-trip times in milliseconds by region.
    pub latency: Vec<(String, Decimal)>,
}

/// A change to a waiting ticket; what is present replaces the old whole.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TraceUpdate {
    /// The ticket's name.
    pub ticket: String,
    /// Changes of its players.
    pub players: Vec<TracePlayerUpdate>,
    /// Replaces the latency of the ticket and of all its players.
    pub latency: Option<Vec<(String, Decimal)>>,
    /// Replaces its own limits; `null` in the line drops them.
    pub limits: Option<TicketLimits>,
    /// Replaces the accepted regions; `Some(None)`, `null` in the line: all.
    pub regions: Option<Option<Vec<String>>>,
    /// Replaces its own timeout; `Some(None)`, `null` in the line: the queue's.
    pub timeout: Option<Option<Millis>>,
}

/// A change of one player of a ticket.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TracePlayerUpdate {
    /// The player's name.
    pub id: String,
    /// Replaces all attributes.
    pub attributes: Option<Vec<(String, AttributeValue)>>,
    /// Replaces the player's own latency.
    pub latency: Option<Vec<(String, Decimal)>>,
}

impl TraceSubmit {
    /// The request that the engine takes, with ids for the players' names.
    pub fn request(&self, mut id_of: impl FnMut(&str) -> PlayerId) -> TicketRequest {
        let players = self.players.iter().map(|player| PlayerRequest {
            id: id_of(&player.id),
            attributes: player.attributes.clone(),
            latency: player.latency.clone(),
        });
        TicketRequest {
            queue: self.queue.clone(),
            players: players.collect(),
            latency: self.latency.clone(),
            regions: self.regions.clone(),
            limits: self.limits.clone(),
            timeout: self.timeout,
            enqueued: self.enqueued,
            user_data: self.user_data,
        }
    }
}

impl TraceUpdate {
    /// The update that the engine takes, with ids for the players' names.
    pub fn update(&self, mut id_of: impl FnMut(&str) -> PlayerId) -> TicketUpdate {
        let mut attributes = Vec::new();
        let mut latencies = Vec::new();
        for player in &self.players {
            let id = id_of(&player.id);
            attributes.extend(player.attributes.clone().map(|values| (id, values)));
            latencies.extend(player.latency.clone().map(|list| (id, list)));
        }
        TicketUpdate {
            attributes: (!attributes.is_empty()).then_some(attributes),
            latency: self.latency.clone(),
            player_latency: (!latencies.is_empty()).then_some(latencies),
            limits: self.limits.clone(),
            regions: self.regions.clone(),
            timeout: self.timeout,
        }
    }
}

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
    match read(&mut report, &tree.root) {
        Some(line) if report.is_empty() => Ok(line),
        _ => Err(name(report.into_errors(text, Some(&tree.root)))),
    }
}

fn read(report: &mut Report, root: &Node<'_>) -> Option<TraceLine> {
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
    let action = action(report, &first.key, &first.node);
    Some(TraceLine { at: at?, action: action? })
}

fn action(report: &mut Report, word: &str, node: &Node<'_>) -> Option<TraceAction> {
    match word {
        "submit" => submit(report, node).map(|it| TraceAction::Submit(Box::new(it))),
        "update" => update(report, node).map(|it| TraceAction::Update(Box::new(it))),
        "cancel" => {
            let fields = report.fields(node, &["ticket"])?;
            Some(TraceAction::Cancel { ticket: required(report, &fields, "ticket", Report::string)? })
        }
        "leave" => {
            let fields = report.fields(node, &["player"])?;
            Some(TraceAction::Leave { player: required(report, &fields, "player", Report::string)? })
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
        _ => {
            let fields = report.fields(node, &["name", "state"])?;
            let name = required(report, &fields, "name", Report::string);
            let state =
                required(report, &fields, "state", |report, node| report.word(node, QueueState::WORDS));
            Some(TraceAction::Queue { name: name?, state: state? })
        }
    }
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

fn submit(report: &mut Report, node: &Node<'_>) -> Option<TraceSubmit> {
    if let Some(member) = node.members().iter().find(|member| member.key == "playfab") {
        let remedy =
            "PlayFab tickets are not read yet: write the ticket as {\"ticket\", \"queue\", \"players\", ..}";
        report.push(Fault::new(member.start, "a ticket in the format of PlayFab", remedy));
        return None;
    }
    let keys =
        ["ticket", "queue", "players", "latency", "timeout_s", "limits", "regions", "enqueued", "user_data"];
    let fields = report.fields(node, &keys)?;
    let ticket = required(report, &fields, "ticket", Report::string);
    let queue = required(report, &fields, "queue", Report::string);
    let players = required(report, &fields, "players", |report, node| {
        let elements = report.array(node, "players")?;
        Some(elements.iter().filter_map(|element| player(report, element)).collect())
    });
    let it = TraceSubmit {
        ticket: ticket.unwrap_or_default(),
        queue: queue.unwrap_or_default(),
        players: players.unwrap_or_default(),
        latency: fields.get("latency").and_then(|node| latency(report, node)).unwrap_or_default(),
        timeout: present(&fields, "timeout_s").and_then(|node| report.seconds(node)),
        limits: present(&fields, "limits").and_then(|node| limits(report, node)).unwrap_or_default(),
        regions: present(&fields, "regions").and_then(|node| report.strings(node)),
        enqueued: present(&fields, "enqueued").and_then(|node| report.seconds(node)),
        user_data: fields.get("user_data").and_then(|node| user_data(report, node)).unwrap_or_default(),
    };
    // What could not be read has left a fault, and the line is refused for it.
    Some(it)
}

/// A value that is there and not null.
fn present<'a, 't>(fields: &Fields<'a, 't>, key: &str) -> Option<&'a Node<'t>> {
    fields.get(key).filter(|node| !matches!(node.value, Value::Null))
}

fn user_data(report: &mut Report, node: &Node<'_>) -> Option<u64> {
    let number = match node.value {
        Value::Number(text) => text.parse().ok(),
        _ => None,
    };
    if number.is_none() {
        report.wrong(node, format!("needs a whole number from 0 to {}", u64::MAX));
    }
    number
}

fn player(report: &mut Report, node: &Node<'_>) -> Option<TracePlayer> {
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
    Some(members.iter().map(|member| (member.key.clone().into_owned(), value(&member.node))).collect())
}

/// A value of whatever kind; what no attribute can have is carried as JSON text, and the engine judges it.
fn value(node: &Node<'_>) -> AttributeValue {
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
