//! The values of one ticket, filled in for the matcher: texts become numbers here.
//!
//! Part of `intake`; one thread. Invariant: a text has one number as long as anybody holds it; texts of the lexicon hold
//! theirs for ever.

use super::door::Door;
use super::lexicon::Lexicon;
use super::plain::{Draft, NO_WORDS, PlainLook, PlainMembers, Words};
use super::ticket::{Ticket, Version};
use super::values::{Key, Reading};
use crate::base::fixed::Fixed;
use crate::model::attribute::{AttributeDefault, AttributeType};
use crate::model::ids::Millis;
use crate::model::plain::TextId;
use crate::rules::compile::{CompiledQueue, KeySlot, NO_VALUE, NumberHow};
use crate::store::strings::{StringId, Strings};
use crate::store::tickets::TicketValues;

/// How a plain ticket of one player comes to its values, worked out once for a queue.
pub(super) struct Recipe {
    /// The texts that fill in for keys that nobody brings, by key slot; held as long as the queue stands.
    key_defaults: Vec<Option<StringId>>,
    numbers: Vec<NumberStep>,
    /// Attributes of the queue.
    width: usize,
    /// The queue asks for numbers and pings, and for nothing else.
    is_of_numbers: bool,
}

/// How one number comes about.
struct NumberStep {
    attribute: usize,
    /// Of a player who brings none.
    without: i64,
    decimals: u8,
    /// Players who bring one are counted.
    is_count: bool,
}

impl NumberStep {
    fn number(&self, own: i64) -> i64 {
        match own {
            NO_VALUE => self.without,
            _ if self.is_count => 1,
            own => Fixed::from_micros(own).rounded(self.decimals).micros(),
        }
    }
}

/// Values in memory that is used again, and the numbers of texts.
///
/// A recipe saves to ask each slot of the players as any ticket's is, among it an average by a division of 128 bits.
/// Measured: see `queue::running`.
#[derive(Default)]
pub(super) struct Filling {
    /// Those that were filled in last.
    pub values: TicketValues,
    strings: Strings,
    /// The numbers of texts of the lexicon.
    resolved: Vec<Option<StringId>>,
    spare_lists: Vec<Vec<u32>>,
    /// The words of the plain ticket that was read last.
    words: Option<Box<Words>>,
}

impl Filling {
    /// Gives up one hold of a text.
    pub(super) fn release(&mut self, string: StringId) {
        self.strings.release(string);
    }

    /// The values of a version, with a number for each text; `held` holds these.
    pub(super) fn fill(&mut self, version: &Version, held: &mut Vec<StringId>) {
        held.clear();
        self.values.copy_all_but_lists(&version.values);
        // The buffers of the lists before serve these.
        self.spare_lists.extend(self.values.lists.drain(..).flatten());
        self.values.lists.resize(version.values.lists.len(), None);
        for (key, text) in &version.texts.keys {
            let id = self.strings.acquire(text);
            held.push(id);
            self.values.keys[*key] = i64::from(id.0);
        }
        for (list, texts) in &version.texts.lists {
            let mut ids = self.spare_lists.pop().unwrap_or_default();
            ids.clear();
            for text in texts {
                let id = self.strings.acquire(text);
                held.push(id);
                ids.push(id.0);
            }
            ids.sort_unstable();
            self.values.lists[*list] = Some(ids);
        }
    }

    /// The values of a plain ticket of a queue. Returns when its wait began.
    pub(super) fn fill_plain(&mut self, door: &Door, ticket: &Ticket, recipe: &Recipe) -> Millis {
        if recipe.is_of_numbers && ticket.plain.players() == 1 {
            let look = ticket.plain.look(&door.bodies);
            let has_all = |&attribute: &usize| look.value_of_single(attribute) != NO_VALUE;
            if ticket.queue.compiled.ranges.iter().all(has_all) {
                return self.fill_single(&look, recipe);
            }
        }
        let compiled = &ticket.queue.compiled;
        let words = self.words.get_or_insert_with(|| Box::new(NO_WORDS));
        let opened = ticket.plain.open(&door.bodies, words);
        let width = compiled.spec.attributes.len();
        let reading = Reading {
            queue: compiled,
            members: PlainMembers { queue: compiled, lexicon: &door.lexicon, opened },
        };
        let values = &mut self.values;
        values.size = opened.players() as u32;
        values.numbers.clear();
        values.numbers.extend(compiled.numbers.iter().map(|slot| reading.number_slot(slot)));
        values.ranges.clear();
        values.has_ranges_in_numbers = false;
        values.ranges.extend(compiled.ranges.iter().map(|&attribute| reading.range(attribute)));
        values.pings.clear();
        values.pings.extend(opened.pings(ticket.plain.regions, width));
        values.limits.clear();
        // No queue with list slots has plain tickets. The buffers of the lists before serve others.
        self.spare_lists.extend(values.lists.drain(..).flatten());
        values.keys.clear();
        for (slot, default) in compiled.keys.iter().zip(&recipe.key_defaults) {
            // The members have been found to agree.
            let own = (0..opened.players()).map(|player| opened.value(player, slot.attribute, width));
            let own = own.clone().find(|&value| value != NO_VALUE);
            let spec = &compiled.spec.attributes[slot.attribute];
            values.keys.push(match (own, default) {
                (Some(text), _) if spec.kind == AttributeType::String => {
                    resolve(&mut self.resolved, &mut self.strings, &door.lexicon, TextId(text as u32))
                }
                (None, Some(default)) => i64::from(default.0),
                _ => match reading.key_slot(slot) {
                    Ok(Some(Key::Number(number))) => number.micros(),
                    _ => NO_VALUE,
                },
            });
        }
        opened.enqueued()
    }

    /// The values of a plain ticket of one player who has all numbers, in a queue that asks for numbers and pings alone.
    fn fill_single(&mut self, look: &PlainLook<'_>, recipe: &Recipe) -> Millis {
        let values = &mut self.values;
        values.size = 1;
        values.numbers.clear();
        for step in &recipe.numbers {
            values.numbers.push(step.number(look.value_of_single(step.attribute)));
        }
        values.pings.clear();
        look.visit_pings(recipe.width, |region, ping| values.pings.push((region, ping)));
        values.ranges.clear();
        values.has_ranges_in_numbers = true;
        values.limits.clear();
        values.keys.clear();
        // No queue with list slots has plain tickets. The buffers of the lists before serve others.
        self.spare_lists.extend(values.lists.drain(..).flatten());
        look.enqueued()
    }

    /// The recipe of a queue, with a hold of its default texts.
    pub(super) fn recipe(&mut self, door: &Door, queue: &CompiledQueue) -> Recipe {
        let mut recipe = Recipe {
            numbers: Vec::new(),
            key_defaults: self.key_defaults(queue),
            width: queue.spec.attributes.len(),
            is_of_numbers: false,
        };
        // What a player who brings nothing comes to is asked of one who brings nothing. Where a player has more attributes
        // than a plain request has room for, there are no plain tickets.
        let Some(draft) = Draft::blank(queue.spec.attributes.len()) else { return recipe };
        let members = PlainMembers { queue, lexicon: &door.lexicon, opened: draft.opened() };
        let reading = Reading { queue, members };
        recipe.numbers.extend(queue.numbers.iter().map(|slot| NumberStep {
            attribute: slot.attribute,
            without: reading.number_slot(slot),
            decimals: queue.spec.attributes[slot.attribute].decimals,
            is_count: slot.how == NumberHow::Count,
        }));
        let are_told = queue.range_slots.len() == queue.ranges.len();
        recipe.is_of_numbers = queue.keys.is_empty() && queue.lists.is_empty() && are_told;
        recipe
    }

    /// Gives up what a recipe holds.
    pub(super) fn release_recipe(&mut self, recipe: Recipe) {
        recipe.key_defaults.into_iter().flatten().for_each(|string| self.release(string));
    }

    fn key_defaults(&mut self, queue: &CompiledQueue) -> Vec<Option<StringId>> {
        let specs = &queue.spec.attributes;
        let default = |slot: &KeySlot| match slot.default.as_ref().or(specs[slot.attribute].default.as_ref())
        {
            Some(AttributeDefault::String(text)) => Some(self.strings.acquire(text)),
            _ => None,
        };
        queue.keys.iter().map(default).collect()
    }
}

/// The number of a text that a host has resolved, which it keeps.
fn resolve(
    resolved: &mut Vec<Option<StringId>>,
    strings: &mut Strings,
    lexicon: &Lexicon,
    text: TextId,
) -> i64 {
    let at = text.0 as usize;
    if resolved.len() <= at {
        resolved.resize(at + 1, None);
    }
    let Some(found) = lexicon.text(text) else { return NO_VALUE };
    let id = *resolved[at].get_or_insert_with(|| strings.acquire(found));
    i64::from(id.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::read_queue;
    use crate::engine::Engine;
    use crate::model::ids::PlayerId;

    /// The recipe comes to what the players of any ticket are asked for.
    #[test]
    fn a_recipe_is_the_same_as_a_look_at_the_players() {
        let text = r#"{ "name": "all", "teams": [{ "name": "side", "count": 2, "players": 1 }], "attributes": {
            "skill": { "type": "number", "default": 1500, "decimals": 0, "min": -5000, "max": 5000 },
            "level": { "type": "number", "decimals": 2 },
            "tank": { "type": "integer", "default": 0, "min": 0, "max": 1 } },
            "rules": [
            { "name": "a", "type": "difference", "attribute": "skill", "max": 50 },
            { "name": "b", "type": "difference", "attribute": "skill", "max": 50, "merge": "max", "default": 7 },
            { "name": "c", "type": "difference", "attribute": "level", "max": 5, "merge": "min", "missing": "any" },
            { "name": "d", "type": "total", "attribute": "tank", "max": 1 },
            { "name": "e", "type": "total", "attribute": "level", "max": 100 },
            { "name": "f", "type": "team_difference", "attribute": "skill", "max": 100 }] }"#;
        let engine = Engine::builder().capacity(10).build().unwrap();
        engine.add_queue(read_queue(text).unwrap()).unwrap();
        let door = &engine.door;
        let queue = door.queues.named("all").unwrap();
        let queue = &queue.compiled;
        let recipe = Filling::default().recipe(door, queue);
        assert_eq!(recipe.numbers.len(), queue.numbers.len());
        for own in [NO_VALUE, 0, 1, -1, 499_999, 500_000, -500_000, 1_500_000_000, 123_456_789, -7_654_321] {
            let mut draft = Draft::new(0, Millis(0));
            draft.add_player(PlayerId(1)).unwrap();
            (0..3).for_each(|_| draft.add_value(own).unwrap());
            let members = PlainMembers { queue, lexicon: &door.lexicon, opened: draft.opened() };
            let reading = Reading { queue, members };
            for (slot, step) in queue.numbers.iter().zip(&recipe.numbers) {
                assert_eq!(step.number(own), reading.number_slot(slot), "{own} in {slot:?}");
            }
            assert_eq!(queue.range_slots.len(), 3);
            for (&attribute, &slot) in queue.ranges.iter().zip(&queue.range_slots) {
                let told = recipe.numbers[slot].number(own);
                assert!(own == NO_VALUE || reading.range(attribute) == (told, told), "{own} of {attribute}");
            }
        }
    }
}
