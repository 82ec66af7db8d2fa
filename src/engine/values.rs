//! The values that searches read of a ticket, computed from what its players bring.
//!
//! Called by `prepare` and `layout` at submit, and by `intake` for plain tickets. A ticket's number, key or list is that
//! of its members together: merged, agreed, shared. Invariant: it does not matter in which form the members stand.

use super::prepare::own_number;
use crate::base::fixed::{Fixed, mean_rounded, unit};
use crate::model::attribute::{AttributeDefault, AttributeValue};
use crate::model::codes::{Code, Refusal, UnmatchableReason};
use crate::model::request::TicketRequest;
use crate::rules::compile::{CompiledQueue, KeySlot, Kind, ListSlot, NO_VALUE, NumberHow, NumberSlot};
use crate::rules::spec::Merge;

/// What one player brings of one attribute.
pub(super) enum Brought<'a> {
    /// Nothing.
    Nothing,
    /// A number, rounded and within its range.
    Number(Fixed),
    /// A text.
    Text(&'a str),
    /// A list of texts.
    List(&'a [String]),
}

/// The players of a ticket whose attributes have been checked.
pub(super) trait Members<'a> {
    /// How many there are.
    fn count(&self) -> usize;

    /// What a player brings of an attribute, both by their places.
    fn brought(&self, player: usize, attribute: usize) -> Brought<'a>;
}

/// The players of a request.
pub(super) struct Requested<'a> {
    pub queue: &'a CompiledQueue,
    pub request: &'a TicketRequest,
}

impl<'a> Members<'a> for Requested<'a> {
    fn count(&self) -> usize {
        self.request.players.len()
    }

    fn brought(&self, player: usize, attribute: usize) -> Brought<'a> {
        let spec = &self.queue.spec.attributes[attribute];
        let brought = self.request.players[player].attributes.iter().find(|(name, _)| *name == spec.name);
        match brought.map(|(_, value)| value) {
            Some(AttributeValue::String(text)) => Brought::Text(text),
            Some(AttributeValue::StringList(list)) => Brought::List(list),
            Some(value) => own_number(spec, value).ok().flatten().map_or(Brought::Nothing, Brought::Number),
            None => Brought::Nothing,
        }
    }
}

/// A key before its text is interned.
pub(super) enum Key<'a> {
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

/// Reads the slots of a ticket.
pub(super) struct Reading<'a, M> {
    pub queue: &'a CompiledQueue,
    pub members: M,
}

impl<'a, M: Members<'a>> Reading<'a, M> {
    /// A player's number: his own, else the slot's default, else the attribute's.
    fn number(&self, player: usize, attribute: usize, default: Option<Fixed>) -> Option<Fixed> {
        if let Brought::Number(own) = self.members.brought(player, attribute) {
            return Some(own);
        }
        default.or(match self.queue.spec.attributes[attribute].default {
            Some(AttributeDefault::Number(number)) => Some(number),
            _ => None,
        })
    }

    /// Refuses a ticket without a number that a rule needs. `number`: that of a slot.
    pub(super) fn check_numbers(&self, number: impl Fn(usize) -> i64) -> Result<(), Refusal> {
        for rule in self.queue.rules.iter().filter(|rule| rule.needs_value) {
            if let Kind::Difference(slot, _) = rule.kind
                && number(slot) == NO_VALUE
            {
                return Err(self.missing(self.queue.numbers[slot].attribute, &rule.name));
            }
        }
        Ok(())
    }

    /// One number of the ticket.
    pub(super) fn number_slot(&self, slot: &NumberSlot) -> i64 {
        let values = || {
            let players = 0..self.members.count();
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

    /// One key of the ticket, in which its members must agree.
    pub(super) fn key_slot(&self, slot: &'a KeySlot) -> Result<Option<Key<'a>>, Refusal> {
        let mut agreed: Option<Key<'a>> = None;
        for player in 0..self.members.count() {
            let Some(key) = self.key(player, slot.attribute, slot.default.as_ref()) else { continue };
            if agreed.as_ref().is_some_and(|agreed| !agreed.is(&key)) {
                let name = &self.queue.spec.attributes[slot.attribute].name;
                let detail = format!("its members disagree in attribute {name:?}, which must be equal");
                return Err(Refusal::unmatchable(UnmatchableReason::MembersDisagree, detail));
            }
            agreed = Some(key);
        }
        Ok(agreed)
    }

    /// Refuses a ticket without a key that a rule needs. `has_key`: whether it has that of a slot.
    pub(super) fn check_keys(&self, has_key: impl Fn(usize) -> bool) -> Result<(), Refusal> {
        for rule in self.queue.rules.iter().filter(|rule| rule.needs_value) {
            if let Kind::Equality(slot, _) = rule.kind
                && !has_key(slot)
            {
                return Err(self.missing(self.queue.keys[slot].attribute, &rule.name));
            }
        }
        Ok(())
    }

    fn key(&self, player: usize, attribute: usize, default: Option<&'a AttributeDefault>) -> Option<Key<'a>> {
        match self.members.brought(player, attribute) {
            Brought::Text(text) => return Some(Key::Text(text)),
            Brought::Number(number) => return Some(Key::Number(number)),
            Brought::Nothing | Brought::List(_) => {}
        }
        match default.or(self.queue.spec.attributes[attribute].default.as_ref())? {
            AttributeDefault::Number(number) => Some(Key::Number(*number)),
            AttributeDefault::String(text) => Some(Key::Text(text)),
            AttributeDefault::StringList(_) => None,
        }
    }

    /// The lists of the ticket.
    pub(super) fn lists(&self) -> Result<Vec<Option<Vec<&'a str>>>, Refusal> {
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
        let list = |player: usize| -> Option<&'a [String]> {
            match (self.members.brought(player, slot.attribute), &slot.default, &spec.default) {
                (Brought::List(list), _, _) => Some(list),
                (Brought::Nothing, Some(list), _)
                | (Brought::Nothing, None, Some(AttributeDefault::StringList(list))) => Some(list),
                _ => None,
            }
        };
        let mut lists = (0..self.members.count()).filter_map(list);
        let mut shared: Vec<&str> = lists.next()?.iter().map(String::as_str).collect();
        for list in lists {
            shared.retain(|value| list.iter().any(|other| other == value));
        }
        shared.sort_unstable();
        shared.dedup();
        Some(shared)
    }

    /// The least and greatest own value over the players, in one of the queue's ranges.
    pub(super) fn range(&self, attribute: usize) -> (i64, i64) {
        let mut range = (i64::MAX, i64::MIN);
        for player in 0..self.members.count() {
            let Some(value) = self.number(player, attribute, None) else { return (1, 0) };
            range = (range.0.min(value.micros()), range.1.max(value.micros()));
        }
        range
    }

    fn missing(&self, attribute: usize, rule: &str) -> Refusal {
        let name = &self.queue.spec.attributes[attribute].name;
        Refusal::new(
            Code::MissingAttribute,
            format!("no player has attribute {name:?}, which rule {rule:?} needs"),
        )
    }
}
