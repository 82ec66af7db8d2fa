//! Ticket requests as PlayFab's API takes them. Called by the reader of trace lines, and by hosts through it.
//!
//! A request is read without its queue, so paths are looked up later (see `request`): attributes are kept as JSON
//! text. Invariant: that text is one object without comments, at most [`DEPTH_MAX`] levels deep.

use super::expansion::present;
use crate::config::json::{self, Node, Value};
use crate::config::report::{Fault, Fields, Report};
use crate::model::ids::Millis;

/// Objects and lists inside one another in a player's attributes: so few that they fit into any line again.
const DEPTH_MAX: usize = 32;

/// A ticket of a `CreateMatchmakingTicket` or `CreateServerMatchmakingTicket` request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayfabTicket {
    /// The ticket's name in the trace; PlayFab gives it out in its answer.
    pub ticket: String,
    /// `QueueName`.
    pub queue: String,
    /// Whether the request is that of a server, which has `Members` in the place of a `Creator`.
    pub by_server: bool,
    /// The creator alone, or all members.
    pub members: Vec<PlayfabMember>,
    /// The ids of `MembersToMatchWith`: the ticket is forming until each of them has joined.
    pub awaits: Vec<String>,
    /// `GiveUpAfterSeconds`, from the creation.
    pub give_up_after: Millis,
}

/// A `JoinMatchmakingTicket` request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayfabJoin {
    /// `TicketId`: the ticket's name in the trace.
    pub ticket: String,
    /// `QueueName`, if it is said.
    pub queue: Option<String>,
    /// Who joins.
    pub member: PlayfabMember,
}

/// A player of a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayfabMember {
    /// `Entity.Id`.
    pub id: String,
    /// `Entity.Type`, if it is said.
    pub entity_type: Option<String>,
    /// The data object, escaped or not, as the text of a JSON object.
    pub attributes: String,
    /// The objects of the player's entity, as the text of a JSON object. PlayFab fetches these; here they stand
    /// beside the request, and where they do not, attributes of the source `PlayerEntity` are looked for among
    /// the others.
    pub entity_objects: Option<String>,
}

/// Reads the `submit` of a line: `{"ticket", "playfab": {..}, "entities": {..}}`. Without a `ticket` the name is
/// `unnamed`.
pub(in crate::config) fn read_ticket(
    report: &mut Report,
    node: &Node<'_>,
    unnamed: &str,
) -> Option<PlayfabTicket> {
    let fields = report.fields(node, &["ticket", "playfab", "entities"])?;
    let ticket = match fields.get("ticket") {
        Some(node) => report.string(node)?,
        None => unnamed.to_owned(),
    };
    let entities = fields.get("entities");
    let request = fields.get("playfab")?;
    read_request(report, request, entities, ticket)
}

/// Reads a request by itself.
pub(in crate::config) fn read_request(
    report: &mut Report,
    node: &Node<'_>,
    entities: Option<&Node<'_>>,
    ticket: String,
) -> Option<PlayfabTicket> {
    let keys = ["Creator", "Members", "MembersToMatchWith", "GiveUpAfterSeconds", "QueueName", "CustomTags"];
    let fields = report.fields(node, &keys)?;
    let queue = required(report, &fields, "QueueName", Report::string);
    let give_up_after = required(report, &fields, "GiveUpAfterSeconds", |report, node| {
        let seconds = report.count(node)?;
        if seconds == 0 {
            report.wrong(node, "needs at least 1 second");
        }
        Some(Millis(u64::from(seconds) * 1000))
    });
    if let Some(node) = present(&fields, "CustomTags") {
        report.object(node);
    }
    let (creator, members) = (present(&fields, "Creator"), present(&fields, "Members"));
    let awaits = present(&fields, "MembersToMatchWith").map(|node| read_awaits(report, node));
    let read = match (creator, members) {
        (Some(node), None) => member(report, node, entities).map(|member| vec![member]),
        (None, Some(node)) => {
            if awaits.is_some() {
                report.wrong(node, "a server's request names all Members: leave MembersToMatchWith out");
            }
            let elements = report.array(node, "members").unwrap_or_default();
            let read: Vec<_> = elements.iter().map(|element| member(report, element, entities)).collect();
            read.into_iter().collect()
        }
        (Some(node), Some(_)) => {
            report.wrong(node, "a request has a Creator or Members, not both");
            None
        }
        (None, None) => {
            report.missing(node, "Creator", "a request has a Creator, or that of a server Members");
            None
        }
    };
    Some(PlayfabTicket {
        ticket,
        queue: queue?,
        by_server: members.is_some(),
        members: read?,
        awaits: awaits.unwrap_or_default(),
        give_up_after: give_up_after?,
    })
}

/// Reads the `join` of a line: `{"ticket", "playfab": {..}, "entities": {..}}`; `TicketId` may stand for `ticket`.
pub(in crate::config) fn read_join(report: &mut Report, node: &Node<'_>) -> Option<PlayfabJoin> {
    let outer = report.fields(node, &["ticket", "playfab", "entities"])?;
    let request = outer.get("playfab")?;
    let ticket = match outer.get("ticket") {
        Some(node) => Some(report.string(node)?),
        None => None,
    };
    read_join_request(report, request, outer.get("entities"), ticket)
}

/// Reads a request by itself; without `ticket` it must have a `TicketId`.
pub(in crate::config) fn read_join_request(
    report: &mut Report,
    request: &Node<'_>,
    entities: Option<&Node<'_>>,
    ticket: Option<String>,
) -> Option<PlayfabJoin> {
    let fields = report.fields(request, &["TicketId", "QueueName", "Member", "CustomTags"])?;
    if let Some(node) = present(&fields, "CustomTags") {
        report.object(node);
    }
    let ticket = match (ticket, present(&fields, "TicketId")) {
        (Some(name), None) => Some(name),
        (Some(name), Some(node)) => report.string(node).map(|_| name),
        (None, _) => required(report, &fields, "TicketId", Report::string),
    };
    let queue = present(&fields, "QueueName").map(|node| report.string(node));
    let member = required(report, &fields, "Member", |report, node| member(report, node, entities));
    let queue = match queue {
        Some(read) => Some(read?),
        None => None,
    };
    Some(PlayfabJoin { ticket: ticket?, queue, member: member? })
}

fn required<T>(
    report: &mut Report,
    fields: &Fields<'_, '_>,
    key: &str,
    read: impl FnOnce(&mut Report, &Node<'_>) -> Option<T>,
) -> Option<T> {
    match present(fields, key) {
        Some(node) => read(report, node),
        None => {
            report.missing(fields.node, key, "the request needs it");
            None
        }
    }
}

fn read_awaits(report: &mut Report, node: &Node<'_>) -> Vec<String> {
    let elements = report.array(node, "entities").unwrap_or_default();
    elements.iter().filter_map(|element| entity(report, element)).map(|(id, _)| id).collect()
}

/// An entity's id and type.
fn entity(report: &mut Report, node: &Node<'_>) -> Option<(String, Option<String>)> {
    let fields = report.fields(node, &["Id", "Type", "TypeString"])?;
    let kind = present(&fields, "Type").or(present(&fields, "TypeString"));
    let kind = kind.and_then(|node| report.string(node));
    let id = required(report, &fields, "Id", Report::string)?;
    Some((id, kind))
}

fn member(report: &mut Report, node: &Node<'_>, entities: Option<&Node<'_>>) -> Option<PlayfabMember> {
    let fields = report.fields(node, &["Entity", "Attributes"])?;
    let attributes = match present(&fields, "Attributes") {
        Some(node) => attributes(report, node),
        None => Some("{}".to_owned()),
    };
    let (id, entity_type) = required(report, &fields, "Entity", entity)?;
    let own = entities.and_then(|node| node.members().iter().find(|member| member.key == id));
    let entity_objects = match own {
        Some(member) => Some(object(report, &member.node)?),
        None => None,
    };
    Some(PlayfabMember { id, entity_type, attributes: attributes?, entity_objects })
}

/// The text of `DataObject` or `EscapedDataObject`.
fn attributes(report: &mut Report, node: &Node<'_>) -> Option<String> {
    let fields = report.fields(node, &["DataObject", "EscapedDataObject"])?;
    match (present(&fields, "DataObject"), present(&fields, "EscapedDataObject")) {
        (None, None) => Some("{}".to_owned()),
        (Some(node), None) => object(report, node),
        (None, Some(node)) => escaped(report, node),
        (Some(_), Some(node)) => {
            report.wrong(node, "attributes have a DataObject or an EscapedDataObject, not both");
            None
        }
    }
}

fn object(report: &mut Report, node: &Node<'_>) -> Option<String> {
    report.object(node)?;
    if depth(node) > DEPTH_MAX {
        let found = format!("more than {DEPTH_MAX} levels of nesting");
        report.push(Fault::new(
            node.start,
            found,
            format!("attributes nest at most {DEPTH_MAX} levels deep"),
        ));
        return None;
    }
    Some(node.compact())
}

fn escaped(report: &mut Report, node: &Node<'_>) -> Option<String> {
    let text = report.string(node)?;
    let (inner, fault) = match json::parse(&text) {
        Ok(tree) => match tree.faults.into_iter().next() {
            None if matches!(tree.root.value, Value::Object(_)) && depth(&tree.root) <= DEPTH_MAX => {
                return Some(tree.root.compact());
            }
            None => ("text that is no object, or nested too deep".to_owned(), None),
            Some(fault) => (fault.found, Some(fault.remedy)),
        },
        Err(fault) => (fault.found, Some(fault.remedy)),
    };
    let remedy = fault.unwrap_or_else(|| "needs the text of a JSON object".to_owned());
    report.push(Fault::new(node.start, format!("an EscapedDataObject with {inner}"), remedy));
    None
}

/// How deep objects and lists stand inside one another; the tree's own depth is bounded by the parser.
fn depth(node: &Node<'_>) -> usize {
    match &node.value {
        Value::Object(members) => 1 + members.iter().map(|member| depth(&member.node)).max().unwrap_or(0),
        Value::Array(elements) => 1 + elements.iter().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}
