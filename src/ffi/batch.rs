//! A batch of the caller's becomes requests of the engine.
//!
//! Called by `submit`. Invariant: what is wrong with one ticket (a range, a flag, a symbol, a dirty tail) refuses that
//! ticket and no other; what is wrong with the batch itself refuses the call.
#![allow(unsafe_code, reason = "the caller's arrays are read")]

use super::guard::Fault;
use super::instance::Instance;
use super::plain::Room;
use super::status::{EVENMATCH_INVALID_ARGUMENT, EVENMATCH_UNKNOWN_ENUM};
use super::ticket::*;
use super::wire::{self, Rows};
use crate::base::fixed::Decimal;
use crate::engine::TicketLayout;
use crate::model::attribute::AttributeValue;
use crate::model::ids::{Millis, PlayerId};
use crate::model::plain::PlainTicket;
use crate::model::request::{Attributes, Latency, PlayerRequest, TicketLimits, TicketRequest};

impl evenmatch_player_id {
    pub(super) fn of(id: PlayerId) -> evenmatch_player_id {
        evenmatch_player_id { hi: (id.0 >> 64) as u64, lo: id.0 as u64 }
    }

    pub(super) fn id(self) -> PlayerId {
        PlayerId(u128::from(self.hi) << 64 | u128::from(self.lo))
    }
}

/// The caller's arrays, looked at.
pub(super) struct Batch<'a> {
    instance: &'a Instance,
    pub tickets: Rows<evenmatch_ticket>,
    pub players: Rows<evenmatch_player>,
    pub attributes: Rows<evenmatch_attribute>,
    pub pings: Rows<evenmatch_ping>,
    limits: Rows<evenmatch_limit>,
    symbols: &'a [u32],
    awaited: &'a [evenmatch_player_id],
    text: &'a [u8],
}

impl<'a> Batch<'a> {
    /// # Safety
    ///
    /// `batch` is NULL, or a struct of the size that it says, whose arrays are as long as it says and stay as they are
    /// for `'a`.
    pub(super) unsafe fn new(
        instance: &'a Instance,
        batch: *const evenmatch_batch,
    ) -> Result<Batch<'a>, Fault> {
        // SAFETY: as the caller says.
        unsafe {
            let batch = wire::read(batch, "batch")?;
            super::reserved(&[batch.reserved])?;
            Ok(Batch {
                instance,
                tickets: Rows::new(batch.tickets, batch.ticket_count, "tickets")?,
                players: Rows::new(batch.players, batch.player_count, "players")?,
                attributes: Rows::new(batch.attributes, batch.attribute_count, "attributes")?,
                pings: Rows::new(batch.pings, batch.ping_count, "pings")?,
                limits: Rows::new(batch.limits, batch.limit_count, "limits")?,
                symbols: wire::slice(batch.symbols, batch.symbol_count, "symbols")?,
                awaited: wire::slice(batch.awaited, batch.awaited_count, "awaited")?,
                text: wire::bytes(batch.text, batch.text_bytes, "text")?,
            })
        }
    }

    /// One ticket, if it is plain: read into `room`.
    pub(super) fn plain<'b>(
        &'b self,
        index: usize,
        room: &'b mut Room,
    ) -> Option<(&'b TicketLayout, PlainTicket<'b>)> {
        let ticket = self.tickets.get(index).ok()?;
        let (_, queue) = self.instance.queue(ticket.queue).ok()?;
        room.read(self.instance, self, &ticket, queue)
    }

    /// One ticket as the engine takes it.
    pub(super) fn request(&self, index: usize) -> Result<TicketRequest, Fault> {
        let ticket = self.tickets.get(index)?;
        let (_, queue) = self.instance.queue(ticket.queue)?;
        let mut request = TicketRequest::new(&queue.name);
        let players = self.players.range(ticket.player_first, ticket.player_count)?;
        request.players = players.map(|at| self.player(at)).collect::<Result<_, Fault>>()?;
        let awaited = wire::range(ticket.awaited_first, ticket.awaited_count, self.awaited.len(), "awaited")?;
        request.awaits = self.awaited[awaited].iter().map(|player| player.id()).collect();
        request.latency = self.latency(ticket.ping_first, ticket.ping_count)?;
        request.regions = self.regions(&ticket)?;
        request.limits = self.own_limits(&ticket)?;
        request.timeout = (ticket.timeout_ms != 0).then_some(Millis(ticket.timeout_ms));
        request.enqueued =
            (ticket.flags & EVENMATCH_TICKET_HAS_ENQUEUED != 0).then_some(Millis(ticket.enqueued_ms));
        request.user_data = ticket.user_data;
        Ok(request)
    }

    /// One player as the engine takes it.
    pub(super) fn player(&self, index: usize) -> Result<PlayerRequest, Fault> {
        let player = self.players.get(index)?;
        super::reserved(&[player.reserved])?;
        Ok(PlayerRequest {
            id: player.id.id(),
            attributes: self.attributes(player.attribute_first, player.attribute_count)?,
            latency: self.latency(player.ping_first, player.ping_count)?,
        })
    }

    fn attributes(&self, first: u32, count: u32) -> Result<Attributes, Fault> {
        let range = self.attributes.range(first, count)?;
        range.map(|at| self.attribute(&self.attributes.get(at)?)).collect()
    }

    fn attribute(&self, attribute: &evenmatch_attribute) -> Result<(String, AttributeValue), Fault> {
        let names = &self.instance.names;
        let name = names.text(attribute.name, "attribute")?;
        let (first, count) = (attribute.first, attribute.count);
        let text = |what| {
            let range = wire::range(first, count, self.text.len(), "text")?;
            wire::utf8(&self.text[range], what)
        };
        let value = match attribute.kind {
            EVENMATCH_ATTRIBUTE_NUMBER => AttributeValue::Number(Decimal::from_f64(attribute.number)),
            EVENMATCH_ATTRIBUTE_SYMBOL => {
                AttributeValue::String(names.text(attribute.symbol, "value")?.to_owned())
            }
            EVENMATCH_ATTRIBUTE_TEXT => AttributeValue::String(text("value")?.to_owned()),
            EVENMATCH_ATTRIBUTE_LIST => {
                let range = wire::range(first, count, self.symbols.len(), "symbols")?;
                let values = self.symbols[range].iter().map(|&symbol| names.text(symbol, "value"));
                AttributeValue::StringList(
                    values.map(|text| text.map(str::to_owned)).collect::<Result<_, Fault>>()?,
                )
            }
            EVENMATCH_ATTRIBUTE_JSON => AttributeValue::Json(text("value")?.to_owned()),
            other => {
                let detail =
                    format!("attribute {name:?}: kind is {other}, take an EVENMATCH_ATTRIBUTE_ value");
                return Err(Fault::new(EVENMATCH_UNKNOWN_ENUM, detail));
            }
        };
        Ok((name.to_owned(), value))
    }

    fn latency(&self, first: u32, count: u32) -> Result<Latency, Fault> {
        let pings = self.pings.range(first, count)?.map(|at| {
            let ping = self.pings.get(at)?;
            let region = self.instance.names.text(ping.region, "region")?;
            Ok((region.to_owned(), Decimal::from_f64(ping.round_trip_ms)))
        });
        pings.collect()
    }

    fn regions(&self, ticket: &evenmatch_ticket) -> Result<Option<Vec<String>>, Fault> {
        if ticket.flags & EVENMATCH_TICKET_HAS_REGIONS == 0 {
            return Ok(None);
        }
        let range = wire::range(ticket.region_first, ticket.region_count, self.symbols.len(), "symbols")?;
        let names = self.symbols[range].iter().map(|&symbol| self.instance.names.text(symbol, "region"));
        names.map(|name| name.map(str::to_owned)).collect::<Result<_, Fault>>().map(Some)
    }

    /// The ticket's own limits; the first to look at its flags.
    fn own_limits(&self, ticket: &evenmatch_ticket) -> Result<TicketLimits, Fault> {
        let known =
            EVENMATCH_TICKET_HAS_ENQUEUED | EVENMATCH_TICKET_HAS_MAX_PING | EVENMATCH_TICKET_HAS_REGIONS;
        if ticket.flags & !known != 0 {
            let detail = format!("ticket flags {:#x}", ticket.flags & !known);
            return Err(Fault::new(EVENMATCH_INVALID_ARGUMENT, detail));
        }
        let range = self.limits.range(ticket.limit_first, ticket.limit_count)?;
        let attributes = range.map(|at| {
            let limit = self.limits.get(at)?;
            super::reserved(&[limit.reserved])?;
            if limit.flags & !(EVENMATCH_LIMIT_HAS_LEAST | EVENMATCH_LIMIT_HAS_GREATEST) != 0 {
                let detail = format!("limit flags {:#x}", limit.flags);
                return Err(Fault::new(EVENMATCH_INVALID_ARGUMENT, detail));
            }
            let bound = |flag, value| (limit.flags & flag != 0).then(|| Decimal::from_f64(value));
            let name = self.instance.names.text(limit.attribute, "limit")?.to_owned();
            let least = bound(EVENMATCH_LIMIT_HAS_LEAST, limit.least);
            Ok((name, least, bound(EVENMATCH_LIMIT_HAS_GREATEST, limit.greatest)))
        });
        let attributes = attributes.collect::<Result<_, Fault>>()?;
        let has_max = ticket.flags & EVENMATCH_TICKET_HAS_MAX_PING != 0;
        let max_ping_ms = has_max.then(|| Decimal::from_f64(ticket.max_ping_ms));
        Ok(TicketLimits { attributes, max_ping_ms })
    }

    /// The ticket's limits, regions and latency, each for an update that names it.
    pub(super) fn parts(&self, ticket: &evenmatch_ticket) -> Result<Parts, Fault> {
        Ok(Parts {
            limits: self.own_limits(ticket)?,
            regions: self.regions(ticket)?,
            latency: self.latency(ticket.ping_first, ticket.ping_count)?,
        })
    }
}

/// What an update may replace of a ticket.
pub(super) struct Parts {
    pub limits: TicketLimits,
    pub regions: Option<Vec<String>>,
    pub latency: Latency,
}
