//! A trace line back as its text. Reading it again gives an equal line.

use super::JsonWriter;
use crate::base::fixed::Decimal;
use crate::config::playfab::{PlayfabJoin, PlayfabMember, PlayfabTicket};
use crate::config::trace::{
    TraceAction, TraceLine, TracePlayer, TracePlayerUpdate, TraceSubmit, TraceUpdate,
};
use crate::model::attribute::AttributeValue;
use crate::model::request::TicketLimits;

/// The line of a trace, without a line break at its end.
pub fn write_trace_line(line: &TraceLine) -> String {
    let mut out = JsonWriter::compact();
    out.begin_object();
    out.number_at("at", line.at);
    out.key(line.action.word());
    if let TraceAction::Note { json } = &line.action {
        out.raw(json);
        out.end_object();
        return out.finish();
    }
    out.begin_object();
    match &line.action {
        TraceAction::Submit(it) => submit(&mut out, it),
        TraceAction::SubmitPlayfab(it) => playfab_ticket(&mut out, it),
        TraceAction::JoinPlayfab(it) => playfab_join(&mut out, it),
        TraceAction::Join(it) => {
            out.string_at("ticket", &it.ticket);
            out.key("player");
            player(&mut out, &it.player);
        }
        TraceAction::Cancel { ticket, in_tick } => {
            out.string_at("ticket", ticket);
            if let Some(claims) = in_tick {
                out.number_at("in_tick", claims);
            }
        }
        TraceAction::Leave { player, ticket, in_tick } => {
            out.string_at("player", player);
            if let Some(ticket) = ticket {
                out.string_at("ticket", ticket);
            }
            if let Some(claims) = in_tick {
                out.number_at("in_tick", claims);
            }
        }
        TraceAction::Update(it) => update(&mut out, it),
        TraceAction::Requeue { match_name, tickets } => {
            out.string_at("match", match_name);
            out.strings_at("tickets", tickets);
        }
        TraceAction::Region { name, up } => {
            out.string_at("name", name);
            out.key("up");
            out.bool(*up);
        }
        TraceAction::Queue { name, state } => {
            out.string_at("name", name);
            out.string_at("state", state.word());
        }
        TraceAction::Tick { budget } => {
            if *budget != 0 {
                out.number_at("budget", budget);
            }
        }
        // Written above, as it is an object already.
        TraceAction::Note { .. } => {}
    }
    out.end_object();
    out.end_object();
    out.finish()
}

fn submit(out: &mut JsonWriter, it: &TraceSubmit) {
    out.string_at("ticket", &it.ticket);
    out.string_at("queue", &it.queue);
    out.key("players");
    out.begin_array();
    it.players.iter().for_each(|it| player(out, it));
    out.end_array();
    if !it.awaits.is_empty() {
        out.strings_at("awaits", &it.awaits);
    }
    if !it.latency.is_empty() {
        latency(out, &it.latency);
    }
    out.number_if("timeout_s", it.timeout);
    if it.limits != TicketLimits::default() {
        limits(out, &it.limits);
    }
    if let Some(regions) = &it.regions {
        out.strings_at("regions", regions);
    }
    out.number_if("enqueued", it.enqueued);
    if it.user_data != 0 {
        out.number_at("user_data", it.user_data);
    }
}

fn playfab_ticket(out: &mut JsonWriter, it: &PlayfabTicket) {
    out.string_at("ticket", &it.ticket);
    out.key("playfab");
    out.begin_object();
    out.string_at("QueueName", &it.queue);
    out.number_at("GiveUpAfterSeconds", it.give_up_after);
    match it.members.as_slice() {
        [creator] if !it.by_server => {
            out.key("Creator");
            playfab_member(out, creator);
        }
        members => {
            out.key("Members");
            out.begin_array();
            members.iter().for_each(|member| playfab_member(out, member));
            out.end_array();
        }
    }
    if !it.awaits.is_empty() {
        out.key("MembersToMatchWith");
        out.begin_array();
        for id in &it.awaits {
            out.begin_object();
            out.string_at("Id", id);
            out.end_object();
        }
        out.end_array();
    }
    out.end_object();
    playfab_entities(out, &it.members);
}

fn playfab_join(out: &mut JsonWriter, it: &PlayfabJoin) {
    out.string_at("ticket", &it.ticket);
    out.key("playfab");
    out.begin_object();
    if let Some(queue) = &it.queue {
        out.string_at("QueueName", queue);
    }
    out.key("Member");
    playfab_member(out, &it.member);
    out.end_object();
    playfab_entities(out, std::slice::from_ref(&it.member));
}

fn playfab_member(out: &mut JsonWriter, it: &PlayfabMember) {
    out.begin_object();
    out.key("Entity");
    out.begin_object();
    out.string_at("Id", &it.id);
    if let Some(entity_type) = &it.entity_type {
        out.string_at("Type", entity_type);
    }
    out.end_object();
    if it.attributes != "{}" {
        out.key("Attributes");
        out.begin_object();
        out.key("DataObject");
        out.raw(&it.attributes);
        out.end_object();
    }
    out.end_object();
}

/// The entity objects of all members that have any, each once.
fn playfab_entities(out: &mut JsonWriter, members: &[PlayfabMember]) {
    let mut written: Vec<&str> = Vec::new();
    for member in members {
        let Some(objects) = &member.entity_objects else { continue };
        if written.is_empty() {
            out.key("entities");
            out.begin_object();
        }
        if !written.contains(&member.id.as_str()) {
            out.key(&member.id);
            out.raw(objects);
            written.push(&member.id);
        }
    }
    if !written.is_empty() {
        out.end_object();
    }
}

fn player(out: &mut JsonWriter, it: &TracePlayer) {
    out.begin_object();
    out.string_at("id", &it.id);
    if !it.attributes.is_empty() {
        attributes(out, &it.attributes);
    }
    if !it.latency.is_empty() {
        latency(out, &it.latency);
    }
    out.end_object();
}

fn update(out: &mut JsonWriter, it: &TraceUpdate) {
    out.string_at("ticket", &it.ticket);
    if !it.players.is_empty() {
        out.key("players");
        out.begin_array();
        it.players.iter().for_each(|it| player_update(out, it));
        out.end_array();
    }
    if let Some(list) = &it.latency {
        latency(out, list);
    }
    if let Some(timeout) = it.timeout {
        out.key("timeout_s");
        match timeout {
            Some(timeout) => out.number(timeout),
            None => out.null(),
        }
    }
    if let Some(it) = &it.limits {
        limits(out, it);
    }
    match &it.regions {
        None => {}
        Some(Some(regions)) => out.strings_at("regions", regions),
        Some(None) => {
            out.key("regions");
            out.null();
        }
    }
}

fn player_update(out: &mut JsonWriter, it: &TracePlayerUpdate) {
    out.begin_object();
    out.string_at("id", &it.id);
    if let Some(values) = &it.attributes {
        attributes(out, values);
    }
    if let Some(list) = &it.latency {
        latency(out, list);
    }
    out.end_object();
}

fn attributes(out: &mut JsonWriter, values: &[(String, AttributeValue)]) {
    out.key("attributes");
    out.begin_object();
    for (name, value) in values {
        out.key(name);
        out.raw(&attribute_json(value));
    }
    out.end_object();
}

/// The JSON text of an attribute's value.
pub fn attribute_json(value: &AttributeValue) -> String {
    let mut out = JsonWriter::compact();
    match value {
        AttributeValue::Number(number) => out.number(number),
        AttributeValue::String(text) => out.string(text),
        AttributeValue::StringList(list) => {
            out.begin_array();
            list.iter().for_each(|text| out.string(text));
            out.end_array();
        }
        AttributeValue::Json(json) => out.raw(json),
    }
    out.finish()
}

fn latency(out: &mut JsonWriter, list: &[(String, Decimal)]) {
    out.key("latency");
    out.begin_object();
    for (region, ms) in list {
        out.number_at(region, ms);
    }
    out.end_object();
}

fn limits(out: &mut JsonWriter, limits: &TicketLimits) {
    out.key("limits");
    out.begin_object();
    for (name, least, greatest) in &limits.attributes {
        out.key(name);
        out.begin_array();
        for end in [least, greatest] {
            match end {
                Some(number) => out.number(number),
                None => out.null(),
            }
        }
        out.end_array();
    }
    out.number_if("max_ping_ms", limits.max_ping_ms);
    out.end_object();
}
