//! The tickets of a batch that are plain: their symbols become columns of the queue's layout, and no name is looked for.
//!
//! Called by `submit`, ticket by ticket. Invariant: a ticket that is not plain for any reason, a mistake of the caller's
//! included, is left to `batch`, which reads it whole and says what is wrong with it.

use super::batch::Batch;
use super::instance::{Instance, QueueEntry};
use super::names::Names;
use super::ticket::*;
use crate::base::fixed::{Decimal, Fixed};
use crate::base::sync::{AtomicU32, Ordering};
use crate::engine::TicketLayout;
use crate::model::attribute::AttributeType;
use crate::model::ids::{Millis, PlayerId, QueueId};
use crate::model::plain::{PlainTicket, PlainValue};

/// The symbols of a queue whose tickets can be plain.
pub(super) struct Columns {
    pub layout: TicketLayout,
    attributes: Vec<Column>,
    regions: Vec<Column>,
}

/// What stands in one place of every ticket.
struct Column {
    name: Box<str>,
    /// 0: no caller has asked for it yet. Relaxed: it stands for itself.
    symbol: AtomicU32,
    /// Of an attribute.
    kind: AttributeType,
    /// Of an attribute.
    decimals: u8,
}

impl Column {
    fn new(name: &str, kind: AttributeType, decimals: u8) -> Column {
        Column { name: name.into(), symbol: AtomicU32::new(0), kind, decimals }
    }

    /// The place of a symbol.
    fn find(columns: &[Column], names: &Names, symbol: u32) -> Option<usize> {
        let known = columns.iter().position(|column| column.symbol.load(Ordering::Relaxed) == symbol);
        known.filter(|_| symbol != 0).or_else(|| {
            let name = names.text(symbol, "name").ok()?;
            let found = columns.iter().position(|column| *column.name == *name)?;
            columns[found].symbol.store(symbol, Ordering::Relaxed);
            Some(found)
        })
    }
}

impl Columns {
    /// Those of a queue; `None`: its tickets are read whole. A queue that learns its regions from its tickets has no
    /// columns, as they would keep their places there.
    pub(super) fn of(instance: &Instance, queue: QueueId) -> Option<Columns> {
        let spec = instance.engine.spec(queue)?;
        let is_plain = |kind: AttributeType| kind != AttributeType::StringList;
        let attributes: Vec<_> =
            spec.attributes.iter().filter(|attribute| is_plain(attribute.kind)).collect();
        let names: Vec<&str> = attributes.iter().map(|attribute| attribute.name.as_str()).collect();
        let regions: Vec<&str> = spec.regions.as_ref()?.iter().map(String::as_str).collect();
        let layout = instance.engine.layout(queue, &names, &regions).ok()?;
        let attributes = attributes.iter();
        let attributes = attributes.map(|spec| Column::new(&spec.name, spec.kind, spec.decimals)).collect();
        let regions = regions.iter().map(|name| Column::new(name, AttributeType::Number, 6)).collect();
        layout.is_plain().then_some(Columns { layout, attributes, regions })
    }
}

/// Room for one ticket, used again for the next.
#[derive(Default)]
pub(super) struct Room {
    players: Vec<PlayerId>,
    values: Vec<PlainValue>,
    pings_ms: Vec<Option<Fixed>>,
}

impl Room {
    /// The ticket, if it is plain.
    pub(super) fn read<'a>(
        &'a mut self,
        instance: &Instance,
        batch: &Batch<'_>,
        ticket: &evenmatch_ticket,
        entry: &'a QueueEntry,
    ) -> Option<(&'a TicketLayout, PlainTicket<'a>)> {
        let (columns, names) = (entry.columns()?, &instance.names);
        let is_bare = ticket.flags & !EVENMATCH_TICKET_HAS_ENQUEUED == 0
            && ticket.awaited_count == 0
            && ticket.limit_count == 0
            && ticket.timeout_ms == 0;
        if !is_bare {
            return None;
        }
        self.players.clear();
        self.values.clear();
        self.pings_ms.clear();
        for at in batch.players.range(ticket.player_first, ticket.player_count).ok()? {
            let player = batch.players.get(at).ok()?;
            if player.reserved != 0 || player.ping_count != 0 {
                return None;
            }
            self.players.push(player.id.id());
            let first = self.values.len();
            self.values.resize(first + columns.attributes.len(), PlainValue::Nothing);
            for at in batch.attributes.range(player.attribute_first, player.attribute_count).ok()? {
                let attribute = batch.attributes.get(at).ok()?;
                let found = Column::find(&columns.attributes, names, attribute.name)?;
                let place = &mut self.values[first + found];
                if *place != PlainValue::Nothing {
                    return None;
                }
                *place = value(instance, &attribute, &columns.attributes[found])?;
            }
        }
        self.pings_ms.resize(columns.regions.len(), None);
        for at in batch.pings.range(ticket.ping_first, ticket.ping_count).ok()? {
            let ping = batch.pings.get(at).ok()?;
            let found = Column::find(&columns.regions, names, ping.region)?;
            let ms = Decimal::from_f64(ping.round_trip_ms).round(6).ok()?;
            if self.pings_ms[found].replace(ms).is_some() {
                return None;
            }
        }
        let has_enqueued = ticket.flags & EVENMATCH_TICKET_HAS_ENQUEUED != 0;
        let read = PlainTicket {
            players: &self.players,
            values: &self.values,
            pings_ms: &self.pings_ms,
            enqueued: has_enqueued.then_some(Millis(ticket.enqueued_ms)),
            user_data: ticket.user_data,
        };
        Some((&columns.layout, read))
    }
}

/// A value, rounded as the queue reads it.
fn value(
    instance: &Instance,
    attribute: &evenmatch_attribute,
    &Column { kind, decimals, .. }: &Column,
) -> Option<PlainValue> {
    match (attribute.kind, kind) {
        (EVENMATCH_ATTRIBUTE_NUMBER, AttributeType::Number | AttributeType::Integer) => {
            let number = Decimal::from_f64(attribute.number);
            let is_legal = kind == AttributeType::Number || number.is_whole();
            number.round(decimals).ok().filter(|_| is_legal).map(PlainValue::Number)
        }
        (EVENMATCH_ATTRIBUTE_SYMBOL, AttributeType::String) => {
            instance.text(attribute.symbol).map(PlainValue::Text)
        }
        _ => None,
    }
}
