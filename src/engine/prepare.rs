//! A submitted ticket is checked and turned into the values that searches read.
//!
//! The only way into a queue. Every refusal of design part 2 has its place here, in a fixed order: the ticket's
//! size, its players' attributes, its latency, its limits, what the rules need, and last whether it could ever
//! be matched. Invariant: a refused ticket holds nothing: no string, no
//! region.

use super::latency::{check_reach, read_latency};
use super::ticket::Texts;
use super::values::{Key, Reading, Requested};
use crate::base::fixed::{Fixed, MICROS, NumberFault};
use crate::model::attribute::{AttributeSpec, AttributeType, AttributeValue};
use crate::model::codes::{Code, Refusal, UnmatchableReason};
use crate::model::ids::{Millis, PlayerId};
use crate::model::limits::{
    ATTRIBUTES_MAX, KEPT_ATTRIBUTES_MAX, KEPT_BYTES_MAX, LIST_VALUES_MAX, STRING_BYTES_MAX,
    TICKET_PLAYERS_MAX, TIME_MS_MAX,
};
use crate::model::request::{PlayerRequest, TicketRequest};
use crate::queue::regions::{RegionHold, Regions};
use crate::rules::compile::{CompiledQueue, Kind, NO_VALUE};
use crate::rules::spec::Undeclared;
use crate::store::tickets::{OwnLimit, TicketValues};
use std::sync::Arc;

/// A ticket that may be accepted.
pub(super) struct Prepared {
    /// What searches read of it, without the texts.
    pub values: TicketValues,
    /// The texts among its values.
    pub texts: Texts,
    /// The regions that it counts on.
    pub hold: RegionHold,
}

/// Checks a request and computes its values. `admit` has the last word before anything is taken.
pub(super) fn prepare(
    queue: &CompiledQueue,
    request: &TicketRequest,
    regions: &Arc<Regions>,
    admit: impl FnOnce() -> Result<(), Refusal>,
) -> Result<Prepared, Refusal> {
    check_players(queue, &request.players.iter().map(|player| player.id), &request.awaits)?;
    for player in &request.players {
        check_attributes(queue, player)?;
    }
    check_times(request)?;
    let reach = read_latency(queue, request, regions)?;
    let limits = read_limits(queue, request)?;
    let reading = Reading { queue, members: Requested { queue, request } };
    let numbers: Vec<i64> = queue.numbers.iter().map(|slot| reading.number_slot(slot)).collect();
    reading.check_numbers(|slot| numbers[slot])?;
    let found_keys = queue.keys.iter().map(|slot| reading.key_slot(slot)).collect::<Result<Vec<_>, _>>()?;
    reading.check_keys(|slot| found_keys[slot].is_some())?;
    let found_lists = reading.lists()?;
    check_size(queue, size_of(request))?;
    check_reach(queue, reach.pings())?;
    check_totals(queue, request.players.len(), |slot| numbers[slot])?;
    admit()?;
    let (pings, hold) = reach.number(regions)?;
    let mut texts = Texts::default();
    let mut keys = Vec::with_capacity(found_keys.len());
    for (slot, key) in found_keys.into_iter().enumerate() {
        keys.push(match key {
            None => NO_VALUE,
            Some(Key::Number(number)) => number.micros(),
            Some(Key::Text(text)) => {
                texts.keys.push((slot, text.into()));
                NO_VALUE
            }
        });
    }
    let mut lists = Vec::with_capacity(found_lists.len());
    for (slot, list) in found_lists.into_iter().enumerate() {
        lists.push(None);
        if let Some(list) = list {
            texts.lists.push((slot, list.into_iter().map(Box::from).collect()));
        }
    }
    let size = request.players.len() as u32;
    let ranges = queue.ranges.iter().map(|&attribute| reading.range(attribute)).collect();
    let values =
        TicketValues { size, numbers, keys, lists, pings, ranges, limits, has_ranges_in_numbers: false };
    Ok(Prepared { values, texts, hold })
}

/// Checks what can be known of a ticket whose last members have not joined yet: its size with them, and what those
/// bring who are there.
pub(super) fn check_forming(
    queue: &CompiledQueue,
    request: &TicketRequest,
    regions: &Regions,
) -> Result<(), Refusal> {
    check_players(queue, &request.players.iter().map(|player| player.id), &request.awaits)?;
    for player in &request.players {
        check_attributes(queue, player)?;
    }
    check_times(request)?;
    read_latency(queue, request, regions)?;
    read_limits(queue, request)?;
    check_size(queue, size_of(request))
}

/// The players of a ticket, with those who are still to join.
fn size_of(request: &TicketRequest) -> usize {
    request.players.len() + request.awaits.len()
}

/// Checks who is in a ticket, and who is still to join.
pub(super) fn check_players(
    queue: &CompiledQueue,
    present: &(impl ExactSizeIterator<Item = PlayerId> + Clone),
    awaits: &[PlayerId],
) -> Result<(), Refusal> {
    let players = present.len() + awaits.len();
    if present.len() == 0 {
        return Err(Refusal::new(Code::NoPlayers, "the ticket has no players"));
    }
    if players > TICKET_PLAYERS_MAX {
        let detail = format!("{players} players, at most {TICKET_PLAYERS_MAX} are allowed in a ticket");
        return Err(Refusal::new(Code::TooManyPlayers, detail));
    }
    // Each with each: parties are small, and this needs no memory.
    let all = || present.clone().chain(awaits.iter().copied()).enumerate();
    let twice = all().filter(|&(at, player)| all().take(at).any(|(_, other)| other == player));
    if let Some((_, player)) = twice.min_by_key(|&(_, player)| player) {
        let detail = format!("player {:032x} stands twice in the ticket", player.0);
        return Err(Refusal::new(Code::DuplicatePlayer, detail));
    }
    match queue.spec.party_max {
        Some(max) if players as u32 > max => {
            let detail = format!("a party of {players}, the queue allows at most {max}");
            Err(Refusal::new(Code::PartyTooLarge, detail))
        }
        _ => Ok(()),
    }
}

fn check_attributes(queue: &CompiledQueue, player: &PlayerRequest) -> Result<(), Refusal> {
    let most = ATTRIBUTES_MAX + KEPT_ATTRIBUTES_MAX;
    if player.attributes.len() > most {
        let detail = format!("{} attributes, a player may have at most {most}", player.attributes.len());
        return Err(Refusal::new(Code::TooManyAttributes, detail));
    }
    let mut kept = 0;
    for (at, (name, value)) in player.attributes.iter().enumerate() {
        if player.attributes[..at].iter().any(|(other, _)| other == name) {
            return Err(Refusal::new(Code::DuplicateName, format!("attribute {name:?} stands twice")));
        }
        match queue.spec.attributes.iter().find(|attribute| attribute.name == *name) {
            Some(attribute) => check_value(attribute, value)?,
            None if queue.spec.undeclared == Undeclared::Keep => {
                kept += 1;
                check_kept(name, value, kept)?;
            }
            None => {
                let detail = format!("the queue declares no attribute {name:?}");
                return Err(Refusal::new(Code::UnknownAttribute, detail));
            }
        }
    }
    Ok(())
}

/// An attribute that is only carried along must still fit.
fn check_kept(name: &str, value: &AttributeValue, count: usize) -> Result<(), Refusal> {
    if count > KEPT_ATTRIBUTES_MAX {
        let detail = format!("more than {KEPT_ATTRIBUTES_MAX} attributes that the queue does not declare");
        return Err(Refusal::new(Code::TooManyAttributes, detail));
    }
    let bytes = match value {
        AttributeValue::Json(text) | AttributeValue::String(text) => text.len(),
        AttributeValue::StringList(values) => values.iter().map(String::len).sum(),
        AttributeValue::Number(_) => 0,
    };
    if bytes > KEPT_BYTES_MAX || name.len() > STRING_BYTES_MAX {
        let detail = format!("attribute {name:?} has {bytes} bytes, at most {KEPT_BYTES_MAX} are kept");
        return Err(Refusal::new(Code::TooManyBytes, detail));
    }
    Ok(())
}

/// Checks a value of a declared attribute.
pub(super) fn check_value(attribute: &AttributeSpec, value: &AttributeValue) -> Result<(), Refusal> {
    let name = &attribute.name;
    let wrong_type = || {
        let detail = format!("attribute {name:?} is of type {}, not {}", attribute.kind.word(), value.word());
        Err(Refusal::new(Code::WrongType, detail))
    };
    match (attribute.kind, value) {
        (AttributeType::Number, AttributeValue::Number(_)) => own_number(attribute, value).map(|_| ()),
        (AttributeType::Integer, AttributeValue::Number(number)) => {
            own_number(attribute, value)?;
            if number.is_whole() {
                return Ok(());
            }
            let detail = format!("attribute {name:?} is of type integer and takes no fraction");
            Err(Refusal::new(Code::WrongType, detail))
        }
        (AttributeType::String, AttributeValue::String(text)) => check_text(name, text),
        (AttributeType::StringList, AttributeValue::StringList(values)) => {
            if values.len() > LIST_VALUES_MAX {
                let detail =
                    format!("attribute {name:?} has {} values, at most {LIST_VALUES_MAX}", values.len());
                return Err(Refusal::new(Code::TooManyValues, detail));
            }
            values.iter().try_for_each(|text| check_text(name, text))
        }
        _ => wrong_type(),
    }
}

fn check_text(name: &str, text: &str) -> Result<(), Refusal> {
    if text.len() <= STRING_BYTES_MAX {
        return Ok(());
    }
    let detail = format!("attribute {name:?} has {} bytes, at most {STRING_BYTES_MAX}", text.len());
    Err(Refusal::new(Code::TooManyBytes, detail))
}

/// A player's own number, rounded to the attribute's digits and within its range.
pub(super) fn own_number(
    attribute: &AttributeSpec,
    value: &AttributeValue,
) -> Result<Option<Fixed>, Refusal> {
    let AttributeValue::Number(number) = value else { return Ok(None) };
    let name = &attribute.name;
    let refuse = |detail: String| Err(Refusal::new(Code::OutOfRange, detail));
    let number = match number.round(attribute.decimals) {
        Ok(number) => number,
        Err(NumberFault::NotFinite) => return refuse(format!("attribute {name:?} is not a finite number")),
        Err(_) => return refuse(format!("attribute {name:?} is beyond 10^9")),
    };
    if attribute.min.is_some_and(|min| number < min) || attribute.max.is_some_and(|max| number > max) {
        let bound = |bound: Option<Fixed>| bound.map_or("any".to_owned(), |bound| bound.to_string());
        let (min, max) = (bound(attribute.min), bound(attribute.max));
        return refuse(format!("attribute {name:?} is {number}, the queue allows {min} to {max}"));
    }
    Ok(Some(number))
}

fn check_times(request: &TicketRequest) -> Result<(), Refusal> {
    if request.timeout == Some(Millis(0)) {
        return Err(Refusal::new(Code::OutOfRange, "a timeout of 0 would end the ticket at once"));
    }
    for time in [request.timeout, request.enqueued].into_iter().flatten() {
        if time.0 > TIME_MS_MAX {
            return Err(Refusal::invalid_time(time));
        }
    }
    Ok(())
}

/// The ticket's own limits over the queue's ranges.
fn read_limits(queue: &CompiledQueue, request: &TicketRequest) -> Result<Vec<OwnLimit>, Refusal> {
    let mut limits: Vec<OwnLimit> = Vec::new();
    for (name, least, greatest) in &request.limits.attributes {
        let Some(index) = queue.spec.attributes.iter().position(|attribute| attribute.name == *name) else {
            let detail = format!("the queue declares no attribute {name:?} to set a limit for");
            return Err(Refusal::new(Code::UnknownAttribute, detail));
        };
        let Some(range) = queue.ranges.iter().position(|&attribute| attribute == index) else {
            let detail = format!("attribute {name:?} is no number, so it takes no limit");
            return Err(Refusal::new(Code::WrongType, detail));
        };
        if limits.iter().any(|&(other, _, _)| other as usize == range) {
            return Err(Refusal::new(Code::DuplicateName, format!("two limits for attribute {name:?}")));
        }
        let bound = |bound: Option<crate::base::fixed::Decimal>, none: i64| match bound.map(|b| b.round(6)) {
            None => Ok(none),
            Some(Ok(bound)) => Ok(bound.micros()),
            Some(Err(_)) => {
                let detail = format!("a limit for attribute {name:?} is not a finite number within 10^9");
                Err(Refusal::new(Code::OutOfRange, detail))
            }
        };
        let (least, greatest) = (bound(*least, i64::MIN)?, bound(*greatest, i64::MAX)?);
        if least > greatest {
            let detail = format!("the limits for attribute {name:?} leave nothing between them");
            return Err(Refusal::new(Code::OutOfRange, detail));
        }
        limits.push((range as u32, least, greatest));
    }
    Ok(limits)
}

/// Refuses a ticket that no match has room for, or that is one alone where that is not enough.
pub(super) fn check_size(queue: &CompiledQueue, size: usize) -> Result<(), Refusal> {
    let size = size as u32;
    let shape = &queue.shape;
    if size > shape.team_max || size > shape.full {
        let room = shape.team_max.min(shape.full);
        let detail = format!("a party of {size}, the largest team takes {room}");
        return Err(Refusal::unmatchable(UnmatchableReason::TooLarge, detail));
    }
    if size == shape.full && !shape.enough_tickets(1, size) {
        let detail = format!("it is a full match alone, the queue asks for {} tickets", shape.min_tickets);
        return Err(Refusal::unmatchable(UnmatchableReason::FullAlone, detail));
    }
    Ok(())
}

/// Refuses a ticket whose own total is too high for ever. `number`: that of a slot.
pub(super) fn check_totals(
    queue: &CompiledQueue,
    size: usize,
    number: impl Fn(usize) -> i64,
) -> Result<(), Refusal> {
    for rule in &queue.rules {
        let Kind::Total(slot, band, _) = &rule.kind else { continue };
        let never_negative = slot.is_none_or(|slot| {
            let attribute = queue.numbers[slot].attribute;
            queue.spec.attributes[attribute].min.is_some_and(|min| min >= Fixed::ZERO)
        });
        let own = slot.map_or(size as i64 * MICROS, &number);
        if let (true, Some(greatest)) = (never_negative, band.greatest_max(queue.age_end()))
            && own > greatest.micros()
        {
            let own = Fixed::from_micros(own);
            let detail =
                format!("its own total is {own}, rule {:?} never allows more than {greatest}", rule.name);
            return Err(Refusal::unmatchable(UnmatchableReason::TotalTooHigh, detail));
        }
    }
    Ok(())
}
