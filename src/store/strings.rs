//! Strings as numbers: each text that somebody holds has one id, and loses it with its last holder.
//!
//! Called by `engine` for the attribute values of tickets, so that a tick compares numbers and hashes no
//! string. Invariant: two ids are equal exactly when their texts are equal byte by byte (a hash only narrows
//! the search), and an id and its memory are used again once nobody holds them, so the table is never larger
//! than the most texts held at once. Ids depend on the calls alone: the hash has a fixed seed and only ever
//! answers "which id has this text". The order of ids means nothing.

use foldhash::quality::FixedState;
use hashbrown::HashTable;
use std::hash::BuildHasher;

/// Seed of the hash; any constant does (the digits of pi).
const SEED: u64 = 0x3141_5926_5358_9793;

/// Names a text in its [`Strings`] as long as it is held.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StringId(pub u32);

/// One text and the count of its holders.
#[derive(Debug)]
struct Entry {
    /// Emptied when nobody holds it; its buffer serves the next text.
    text: String,
    /// 64 bits: tickets times players times values may pass 2^32.
    holders: u64,
}

/// The texts that are held.
#[derive(Debug, Default)]
pub struct Strings {
    entries: Vec<Entry>,
    /// Ids of the held texts, by hash.
    ids: HashTable<u32>,
    /// Ids that nobody holds, the last one given up on top.
    free: Vec<u32>,
    /// Half of what the hash table has room for; with no more texts than that it never grows on its own.
    roomy: usize,
}

impl Strings {
    /// No texts.
    pub fn new() -> Strings {
        Strings::default()
    }

    /// How many different texts are held.
    pub fn live(&self) -> usize {
        self.ids.len()
    }

    /// How many texts were held at once at most: every id is below.
    pub fn high(&self) -> u32 {
        self.entries.len() as u32
    }

    /// The id of a text, held once more. Panics beyond 2^32 texts.
    pub fn acquire(&mut self, text: &str) -> StringId {
        if let Some(id) = self.find(text) {
            self.retain(id);
            return id;
        }
        let id = match self.free.pop() {
            Some(id) => id,
            None => self.add_entry(),
        };
        let entry = &mut self.entries[id as usize];
        entry.text.push_str(text);
        entry.holders = 1;
        self.make_room();
        let entries = &self.entries;
        self.ids.insert_unique(hash(text), id, |&other| hash(&entries[other as usize].text));
        StringId(id)
    }

    /// The id of a text, if somebody holds it. Holds nothing.
    pub fn find(&self, text: &str) -> Option<StringId> {
        let found = self.ids.find(hash(text), |&id| self.entries[id as usize].text == text);
        found.map(|&id| StringId(id))
    }

    /// The text of an id that is held; an empty text for one that is not. Panics on an id of another table.
    pub fn text(&self, id: StringId) -> &str {
        &self.entries[id.0 as usize].text
    }

    /// Holds the text of a held id once more.
    pub fn retain(&mut self, id: StringId) {
        let entry = &mut self.entries[id.0 as usize];
        assert!(entry.holders > 0, "a text that nobody holds cannot be held once more");
        entry.holders += 1;
    }

    /// Gives up one hold; with the last one the id and its memory are free for another text.
    pub fn release(&mut self, id: StringId) {
        let entry = &mut self.entries[id.0 as usize];
        assert!(entry.holders > 0, "a text that nobody holds cannot be given up");
        entry.holders -= 1;
        if entry.holders > 0 {
            return;
        }
        if let Ok(found) = self.ids.find_entry(hash(&entry.text), |&other| other == id.0) {
            found.remove();
        }
        entry.text.clear();
        self.free.push(id.0);
    }

    /// Keeps the hash table at most half full. Removed ids leave marks in it; when these use it up, hashbrown
    /// clears them in place if it is at most half full, and else takes twice the memory, at a moment that
    /// depends on the past. So the doubling is done when the count asks for it.
    fn make_room(&mut self) {
        let needed = self.ids.len() + 1;
        if needed > self.roomy {
            let entries = &self.entries;
            self.ids.reserve(2 * needed, |&id| hash(&entries[id as usize].text));
            self.roomy = self.ids.capacity() / 2;
        }
    }

    /// A new entry, with room for every id in the list of free ones.
    fn add_entry(&mut self) -> u32 {
        assert!(self.entries.len() < u32::MAX as usize, "more than 2^32 strings are held");
        let id = self.entries.len() as u32;
        self.entries.push(Entry { text: String::new(), holders: 0 });
        self.free.reserve(self.entries.capacity().saturating_sub(self.free.len()));
        id
    }
}

/// The hash of a text: the same in every run and on every machine.
fn hash(text: &str) -> u64 {
    FixedState::with_seed(SEED).hash_one(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        /// The table is a map from text to a count.
        #[test]
        fn equals_a_plain_map(steps in prop::collection::vec((0_u8..3, 0_u8..20), 0..400)) {
            let mut strings = Strings::new();
            let mut model: HashMap<String, (StringId, u64)> = HashMap::new();
            let mut most = 0;
            for (step, word) in steps {
                let text = "x".repeat(word as usize / 2) + &word.to_string();
                match (step, model.get_mut(&text)) {
                    (0, Some((id, count))) => {
                        prop_assert_eq!(strings.acquire(&text), *id);
                        *count += 1;
                    }
                    (0, None) => {
                        model.insert(text.clone(), (strings.acquire(&text), 1));
                    }
                    (1, Some((id, count))) => {
                        strings.retain(*id);
                        *count += 1;
                    }
                    (_, Some((id, count))) => {
                        strings.release(*id);
                        *count -= 1;
                        if *count == 0 {
                            model.remove(&text);
                        }
                    }
                    (_, None) => {}
                }
                most = most.max(model.len());
                prop_assert_eq!(strings.find(&text), model.get(&text).map(|&(id, _)| id));
                prop_assert_eq!(strings.live(), model.len());
                prop_assert!(strings.high() as usize <= most);
            }
            for (text, &(id, _)) in &model {
                prop_assert_eq!(strings.text(id), text);
            }
        }
    }

    #[test]
    fn nothing_fills_up_over_weeks() {
        let mut strings = Strings::new();
        for round in 0..20_000 {
            let held: Vec<StringId> = (0..5).map(|i| strings.acquire(&format!("{round}-{i}"))).collect();
            held.into_iter().for_each(|id| strings.release(id));
        }
        assert_eq!((strings.live(), strings.high()), (0, 5));
        assert!(strings.ids.capacity() < 64);
    }

    #[test]
    #[should_panic(expected = "nobody holds")]
    fn giving_up_twice_is_a_fault() {
        let mut strings = Strings::new();
        let id = strings.acquire("a");
        strings.release(id);
        strings.release(id);
    }
}
