//! Texts as small numbers, which they keep: 1, 2, 3, ..
//!
//! Called by `engine` and by `ffi`, for what hosts name again and again. Invariant: a number names the same text as long
//! as the table lives, and two different texts never share one. No call waits: texts are only ever added, and a number
//! is published by one exchange in a table of open addresses (linear probing; Knuth, The Art of Computer Programming,
//! 6.4, algorithm L), at most half of which is ever used.

use super::late::Late;
use super::segments::Segments;
use super::sync::{AtomicU32, Ordering};
use foldhash::quality::FixedState;
use std::hash::BuildHasher;

/// Texts with their numbers.
pub struct Symbols {
    /// By number - 1.
    texts: Segments<Late<Box<str>>>,
    /// Numbers given out.
    used: AtomicU32,
    max: u32,
    /// Numbers by hash; 0: empty.
    buckets: Segments<AtomicU32>,
    mask: u32,
}

impl Symbols {
    /// Room for `max` texts, 1 to 2^24. Memory comes as it is needed.
    pub fn new(max: u32) -> Symbols {
        let buckets = (2 * max).next_power_of_two();
        Symbols {
            texts: Segments::new(max),
            used: AtomicU32::new(0),
            max,
            buckets: Segments::new(buckets),
            mask: buckets - 1,
        }
    }

    /// How many texts there may be.
    pub fn max(&self) -> u32 {
        self.max
    }

    /// How many there are. Any thread.
    pub fn len(&self) -> u32 {
        // Relaxed: a count for reports.
        self.used.load(Ordering::Relaxed).min(self.max)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of a text, which gets one if it has none; `None`: there is no room. Any thread.
    pub fn number(&self, text: &str) -> Option<u32> {
        self.look(text, true)
    }

    /// The number of a text, if it has one. Any thread.
    pub fn find(&self, text: &str) -> Option<u32> {
        self.look(text, false)
    }

    /// The text of a number. Any thread.
    pub fn text(&self, number: u32) -> Option<&str> {
        self.texts.get(number.checked_sub(1)?)?.get().map(|text| &**text)
    }

    fn look(&self, text: &str, adds: bool) -> Option<u32> {
        let mut at = FixedState::default().hash_one(text.as_bytes()) as u32 & self.mask;
        let mut own = None;
        loop {
            let bucket = match adds {
                true => self.buckets.get_or_make(at, || AtomicU32::new(0))?,
                false => self.buckets.get(at)?,
            };
            // Acquire, here and on failure, pairs with the release of the exchange: the text is seen.
            let mut seen = bucket.load(Ordering::Acquire);
            if seen == 0 {
                if !adds {
                    return None;
                }
                let number = match own {
                    Some(number) => number,
                    None => self.add(text)?,
                };
                match bucket.compare_exchange(0, number, Ordering::Release, Ordering::Acquire) {
                    Ok(_) => return Some(number),
                    // Another thread was first here. Was it with the same text, our number is never used.
                    Err(now) => seen = now,
                }
                own = Some(number);
            }
            if self.text(seen).is_some_and(|other| other == text) {
                return Some(seen);
            }
            at = (at + 1) & self.mask;
        }
    }

    fn add(&self, text: &str) -> Option<u32> {
        // Relaxed: the number is nobody else's, and the text is published with the bucket. Never above the maximum by
        // more than the threads that meet it at once.
        let index = self.used.fetch_add(1, Ordering::Relaxed);
        let place = self.texts.get_or_make(index, Late::new);
        if place.is_some_and(|place| place.set(Box::new(text.into())).is_ok()) {
            return Some(index + 1);
        }
        self.used.fetch_sub(1, Ordering::Relaxed);
        None
    }
}

#[cfg(test)]
#[cfg(not(loom))]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_once_it_has_a_number() {
        let symbols = Symbols::new(2);
        assert_eq!((symbols.find("a"), symbols.number("a"), symbols.find("a")), (None, Some(1), Some(1)));
        assert_eq!((symbols.number("b"), symbols.number("c"), symbols.find("c")), (Some(2), None, None));
        assert_eq!([0, 1, 2, 3].map(|number| symbols.text(number)), [None, Some("a"), Some("b"), None]);
        assert_eq!((symbols.len(), symbols.max(), symbols.is_empty()), (2, 2, false));
    }
}
