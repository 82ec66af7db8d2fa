//! A PlayFab request as a ticket of a queue: each value is found at the path that the queue's attribute has.
//! Called by the engine, which knows the queue.
//!
//! Works with every queue, whatever file it came from: an attribute without a path is looked for under its name.
//! Invariant: a member of the data object is a declared attribute, the latencies, or kept under its own name.

use super::attributes::is_of_entity;
use super::path;
use super::ticket::{PlayfabMember, PlayfabTicket};
use crate::base::fixed::Decimal;
use crate::config::json::{self, Node, Tree, Value};
use crate::config::trace::attribute_value;
use crate::model::attribute::AttributeSpec;
use crate::model::codes::{Code, Refusal};
use crate::model::ids::PlayerId;
use crate::model::request::{PlayerRequest, TicketRequest};
use crate::rules::spec::{QueueSpec, RuleKind};

/// Where latencies stand if the region rule does not say so.
const LATENCIES: &str = "Latencies";

impl PlayfabTicket {
    /// The request that the engine takes, for the queue `spec`, with ids for the players' names.
    ///
    /// Errors: WRONG_TYPE for latencies that are none.
    pub fn request(
        &self,
        spec: &QueueSpec,
        mut id_of: impl FnMut(&str) -> PlayerId,
    ) -> Result<TicketRequest, Refusal> {
        let mut request = TicketRequest::new(&self.queue);
        for member in &self.members {
            request.players.push(member.player(spec, id_of(&member.id))?);
        }
        request.awaits = self.awaits.iter().map(|id| id_of(id)).collect();
        request.timeout = Some(self.give_up_after);
        Ok(request)
    }
}

impl PlayfabMember {
    /// The player as the queue `spec` reads it. Errors: WRONG_TYPE for latencies that are none.
    pub fn player(&self, spec: &QueueSpec, id: PlayerId) -> Result<PlayerRequest, Refusal> {
        let own = parse(&self.attributes)?;
        let entity = match &self.entity_objects {
            Some(text) => Some(parse(text)?),
            None => None,
        };
        let mut player = PlayerRequest::new(id);
        for attribute in &spec.attributes {
            let root = match &entity {
                Some(entity) if is_of_entity(attribute) => &entity.root,
                _ => &own.root,
            };
            let found = path::find(root, path_of(attribute));
            if let Some(node) = found.filter(|node| !matches!(node.value, Value::Null)) {
                player.attributes.push((attribute.name.clone(), attribute_value(node)));
            }
        }
        let latencies = latency_path(spec);
        if let Some(node) = latencies.and_then(|path| path::find(&own.root, path)) {
            player.latency = latency(node, latencies.unwrap_or_default())?;
        }
        let is_read = |name: &str| {
            let of_attribute = |attribute: &AttributeSpec| {
                let is_own = entity.is_none() || !is_of_entity(attribute);
                is_own && path::is_member(path_of(attribute), name)
            };
            spec.attributes.iter().any(of_attribute)
                || latencies.is_some_and(|path| path::is_member(path, name))
        };
        for member in own.root.members().iter().filter(|member| !is_read(&member.key)) {
            player.attributes.push((member.key.clone().into_owned(), attribute_value(&member.node)));
        }
        Ok(player)
    }
}

/// Text that the reader has taken apart before.
fn parse(text: &str) -> Result<Tree<'_>, Refusal> {
    json::parse(text).map_err(|fault| {
        Refusal::new(Code::InvalidFormat, format!("attributes: found {}, {}", fault.found, fault.remedy))
    })
}

fn path_of(attribute: &AttributeSpec) -> &str {
    attribute.path.as_deref().unwrap_or(&attribute.name)
}

/// Where the latencies stand; `None` in a queue without a region rule.
fn latency_path(spec: &QueueSpec) -> Option<&str> {
    spec.rules.iter().find_map(|rule| match &rule.kind {
        RuleKind::Region { path, .. } => Some(path.as_deref().unwrap_or(LATENCIES)),
        _ => None,
    })
}

/// The list of `{"region", "latency"}` at that path.
fn latency(node: &Node<'_>, path: &str) -> Result<Vec<(String, Decimal)>, Refusal> {
    let wrong = || {
        let detail = format!("attribute {path:?} needs a list of {{\"region\": \"..\", \"latency\": ms}}");
        Refusal::new(Code::WrongType, detail)
    };
    let elements = match &node.value {
        Value::Null => return Ok(Vec::new()),
        Value::Array(elements) => elements,
        _ => return Err(wrong()),
    };
    let pair = |element: &Node<'_>| {
        let get = |key: &str| element.members().iter().find(|member| member.key == key);
        match (&get("region")?.node.value, &get("latency")?.node.value) {
            (Value::String(region), Value::Number(ms)) => {
                Some((region.clone().into_owned(), Decimal::parse(ms)?))
            }
            _ => None,
        }
    };
    elements.iter().map(|element| pair(element).ok_or_else(wrong)).collect()
}
