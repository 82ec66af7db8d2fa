//! A submitted ticket is checked and turned into the values that searches read.
//!
//! The only way into a queue. Every refusal of design part 2 has its place here, in a fixed order: the ticket's
//! size, its players' attributes, its latency, its limits, what the rules need, and last whether it could ever
//! be matched. Invariant: a refused ticket holds nothing: no string, no
//! region.

use super::latency::{RegionsReached, read_latency};
use super::ticket::Texts;
use crate::base::fixed::{Fixed, NumberFault, mean_rounded, unit};
use crate::model::attribute::{AttributeDefault, AttributeSpec, AttributeType, AttributeValue};
use crate::model::codes::{Code, Refusal, UnmatchableReason};
use crate::model::ids::{Millis, PlayerId};
use crate::model::limits::{
    ATTRIBUTES_MAX, KEPT_ATTRIBUTES_MAX, KEPT_BYTES_MAX, LIST_VALUES_MAX, STRING_BYTES_MAX,
    TICKET_PLAYERS_MAX, TIME_MS_MAX,
};
use crate::model::request::{PlayerRequest, TicketRequest};
use crate::queue::regions::{RegionHold, Regions};
use crate::rules::compile::{CompiledQueue, Kind, ListSlot, NO_VALUE, NumberHow, NumberSlot};
use crate::rules::spec::{Merge, Undeclared};
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
    check_players(queue, request)?;
    for player in &request.players {
        check_attributes(queue, player)?;
    }
    check_times(request)?;
    let reach = read_latency(queue, request, regions)?;
    let limits = read_limits(queue, request)?;
    let reading = Reading { queue, request };
    let numbers = reading.numbers()?;
    let found_keys = reading.keys()?;
    let found_lists = reading.lists()?;
    check_matchable(queue, request, &reach, &numbers)?;
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
    let ranges = reading.ranges();
    let values = TicketValues { size, numbers, keys, lists, pings, ranges, limits };
    Ok(Prepared { values, texts, hold })
}

/// Checks what can be known of a ticket whose last members have not joined yet: its size with them, and what those
/// bring who are there.
pub(super) fn check_forming(
    queue: &CompiledQueue,
    request: &TicketRequest,
    regions: &Regions,
) -> Result<(), Refusal> {
    check_players(queue, request)?;
    for player in &request.players {
        check_attributes(queue, player)?;
    }
    check_times(request)?;
    read_latency(queue, request, regions)?;
    read_limits(queue, request)?;
    check_size(queue, request)
}

/// The players of a ticket, with those who are still to join.
fn size_of(request: &TicketRequest) -> usize {
    request.players.len() + request.awaits.len()
}

fn check_players(queue: &CompiledQueue, request: &TicketRequest) -> Result<(), Refusal> {
    let players = size_of(request);
    if request.players.is_empty() {
        return Err(Refusal::new(Code::NoPlayers, "the ticket has no players"));
    }
    if players > TICKET_PLAYERS_MAX {
        let detail = format!("{players} players, at most {TICKET_PLAYERS_MAX} are allowed in a ticket");
        return Err(Refusal::new(Code::TooManyPlayers, detail));
    }
    let present = request.players.iter().map(|player| player.id);
    let mut ids: Vec<PlayerId> = present.chain(request.awaits.iter().copied()).collect();
    ids.sort_unstable();
    if let Some(pair) = ids.windows(2).find(|pair| pair[0] == pair[1]) {
        let detail = format!("player {:032x} stands twice in the ticket", pair[0].0);
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

fn check_value(attribute: &AttributeSpec, value: &AttributeValue) -> Result<(), Refusal> {
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
fn own_number(attribute: &AttributeSpec, value: &AttributeValue) -> Result<Option<Fixed>, Refusal> {
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

/// A key before its text is interned.
enum Key<'a> {
    Number(Fixed),
    Text(&'a str),
}

impl Key<'_> {
    fn is(&self, other: &Key<'_>) -> bool {
        match (self, other) {
            (Key::Number(a), Key::Number(b)) => a == b,
            (Key::Text(a), Key::Text(b)) => a == b,
            _ => false,
        }
    }
}

/// Reads the slots of a request whose attributes have been checked.
struct Reading<'a> {
    queue: &'a CompiledQueue,
    request: &'a TicketRequest,
}

impl<'a> Reading<'a> {
    fn value(&self, player: &'a PlayerRequest, attribute: usize) -> Option<&'a AttributeValue> {
        let name = &self.queue.spec.attributes[attribute].name;
        player.attributes.iter().find(|(other, _)| other == name).map(|(_, value)| value)
    }

    /// A player's number: his own, else the slot's default, else the attribute's.
    fn number(&self, player: &'a PlayerRequest, attribute: usize, default: Option<Fixed>) -> Option<Fixed> {
        let spec = &self.queue.spec.attributes[attribute];
        let own = self.value(player, attribute).and_then(|value| own_number(spec, value).ok().flatten());
        own.or(default).or(match spec.default {
            Some(AttributeDefault::Number(number)) => Some(number),
            _ => None,
        })
    }

    fn numbers(&self) -> Result<Vec<i64>, Refusal> {
        let numbers: Vec<i64> = self.queue.numbers.iter().map(|slot| self.number_slot(slot)).collect();
        for rule in self.queue.rules.iter().filter(|rule| rule.needs_value) {
            if let Kind::Difference(slot, _) = rule.kind
                && numbers[slot] == NO_VALUE
            {
                return Err(self.missing(self.queue.numbers[slot].attribute, &rule.name));
            }
        }
        Ok(numbers)
    }

    fn number_slot(&self, slot: &NumberSlot) -> i64 {
        let values = || {
            let players = self.request.players.iter();
            players.filter_map(|player| self.number(player, slot.attribute, slot.default)).map(Fixed::micros)
        };
        let decimals = self.queue.spec.attributes[slot.attribute].decimals;
        let count = values().count();
        match slot.how {
            NumberHow::Count => count as i64,
            NumberHow::Sum => values().sum(),
            NumberHow::Merged(_) if count == 0 => NO_VALUE,
            NumberHow::Merged(Merge::Min) => values().min().unwrap_or(NO_VALUE),
            NumberHow::Merged(Merge::Max) => values().max().unwrap_or(NO_VALUE),
            NumberHow::Merged(Merge::Average) => {
                let sum = values().map(i128::from).sum();
                mean_rounded(sum, count as u32, unit(decimals)).micros()
            }
        }
    }

    fn keys(&self) -> Result<Vec<Option<Key<'a>>>, Refusal> {
        let mut keys = Vec::new();
        for slot in &self.queue.keys {
            let mut agreed: Option<Key<'a>> = None;
            for player in &self.request.players {
                let Some(key) = self.key(player, slot.attribute, slot.default.as_ref()) else { continue };
                if agreed.as_ref().is_some_and(|agreed| !agreed.is(&key)) {
                    let name = &self.queue.spec.attributes[slot.attribute].name;
                    let detail = format!("its members disagree in attribute {name:?}, which must be equal");
                    return Err(Refusal::unmatchable(UnmatchableReason::MembersDisagree, detail));
                }
                agreed = Some(key);
            }
            keys.push(agreed);
        }
        for rule in self.queue.rules.iter().filter(|rule| rule.needs_value) {
            if let Kind::Equality(slot, _) = rule.kind
                && keys[slot].is_none()
            {
                return Err(self.missing(self.queue.keys[slot].attribute, &rule.name));
            }
        }
        Ok(keys)
    }

    fn key(
        &self,
        player: &'a PlayerRequest,
        attribute: usize,
        default: Option<&'a AttributeDefault>,
    ) -> Option<Key<'a>> {
        let spec = &self.queue.spec.attributes[attribute];
        match self.value(player, attribute) {
            Some(AttributeValue::String(text)) => return Some(Key::Text(text)),
            Some(value) => {
                if let Some(number) = own_number(spec, value).ok().flatten() {
                    return Some(Key::Number(number));
                }
            }
            None => {}
        }
        match default.or(spec.default.as_ref())? {
            AttributeDefault::Number(number) => Some(Key::Number(*number)),
            AttributeDefault::String(text) => Some(Key::Text(text)),
            AttributeDefault::StringList(_) => None,
        }
    }

    fn lists(&self) -> Result<Vec<Option<Vec<&'a str>>>, Refusal> {
        let lists: Vec<_> = self.queue.lists.iter().map(|slot| self.list_slot(slot)).collect();
        for rule in self.queue.rules.iter().filter(|rule| rule.needs_value) {
            if let Kind::Intersection(slot, _) = rule.kind
                && lists[slot].is_none()
            {
                return Err(self.missing(self.queue.lists[slot].attribute, &rule.name));
            }
        }
        Ok(lists)
    }

    /// What the lists of all members that have one share, without repetition.
    fn list_slot(&self, slot: &'a ListSlot) -> Option<Vec<&'a str>> {
        let spec = &self.queue.spec.attributes[slot.attribute];
        let list = |player: &'a PlayerRequest| -> Option<&'a [String]> {
            match (self.value(player, slot.attribute), &slot.default, &spec.default) {
                (Some(AttributeValue::StringList(list)), _, _)
                | (None, Some(list), _)
                | (None, None, Some(AttributeDefault::StringList(list))) => Some(list),
                _ => None,
            }
        };
        let mut lists = self.request.players.iter().filter_map(list);
        let mut shared: Vec<&str> = lists.next()?.iter().map(String::as_str).collect();
        for list in lists {
            shared.retain(|value| list.iter().any(|other| other == value));
        }
        shared.sort_unstable();
        shared.dedup();
        Some(shared)
    }

    /// The least and greatest own value over the players, for each of the queue's ranges.
    fn ranges(&self) -> Vec<(i64, i64)> {
        let range = |&attribute: &usize| {
            let mut range = (i64::MAX, i64::MIN);
            for player in &self.request.players {
                let Some(value) = self.number(player, attribute, None) else { return (1, 0) };
                range = (range.0.min(value.micros()), range.1.max(value.micros()));
            }
            range
        };
        self.queue.ranges.iter().map(range).collect()
    }

    fn missing(&self, attribute: usize, rule: &str) -> Refusal {
        let name = &self.queue.spec.attributes[attribute].name;
        Refusal::new(
            Code::MissingAttribute,
            format!("no player has attribute {name:?}, which rule {rule:?} needs"),
        )
    }
}

/// Refuses a ticket that no match has room for, or that is one alone where that is not enough.
fn check_size(queue: &CompiledQueue, request: &TicketRequest) -> Result<(), Refusal> {
    let size = size_of(request) as u32;
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

/// The closed list of tickets that could never be matched.
fn check_matchable(
    queue: &CompiledQueue,
    request: &TicketRequest,
    reach: &RegionsReached,
    numbers: &[i64],
) -> Result<(), Refusal> {
    check_size(queue, request)?;
    let size = request.players.len() as u32;
    reach.check_matchable(queue)?;
    for rule in &queue.rules {
        let Kind::Total(slot, band, _) = &rule.kind else { continue };
        let never_negative = slot.is_none_or(|slot| {
            let attribute = queue.numbers[slot].attribute;
            queue.spec.attributes[attribute].min.is_some_and(|min| min >= Fixed::ZERO)
        });
        let own = slot.map_or(i64::from(size) * 1_000_000, |slot| numbers[slot]);
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
