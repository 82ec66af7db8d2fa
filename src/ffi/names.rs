//! The names of an engine as small numbers: attributes, regions, values, teams, rules and queues.
//!
//! Called by `symbol`, by batches (numbers become names) and by events (names become numbers). Invariant: a number
//! names the same text as long as the engine lives, and two different texts never share one. No call waits: texts are
//! only ever added, and a number is published by one exchange in a table of open addresses (linear probing; Knuth,
//! The Art of Computer Programming, 6.4, algorithm L), at most half of which is ever used.

use super::guard::Fault;
use super::status::{EVENMATCH_TOO_MANY_BYTES, EVENMATCH_TOO_MANY_SYMBOLS, EVENMATCH_UNKNOWN_SYMBOL};
use crate::base::segments::Segments;
use crate::base::sync::{AtomicU32, Ordering};
use crate::model::limits::STRING_BYTES_MAX;
use foldhash::quality::FixedState;
use std::hash::BuildHasher;
use std::sync::OnceLock;

/// The names of one engine.
pub(super) struct Names {
    /// By symbol - 1.
    texts: Segments<OnceLock<Box<str>>>,
    /// Symbols given out.
    used: AtomicU32,
    max: u32,
    /// Symbols by hash; 0: empty.
    buckets: Segments<AtomicU32>,
    mask: u32,
}

impl Names {
    /// Room for `max` names, 1 to 2^24. Memory comes as it is needed.
    pub(super) fn new(max: u32) -> Names {
        let buckets = (2 * max).next_power_of_two();
        Names {
            texts: Segments::new(max),
            used: AtomicU32::new(0),
            max,
            buckets: Segments::new(buckets),
            mask: buckets - 1,
        }
    }

    /// How many there are.
    pub(super) fn len(&self) -> u32 {
        // Relaxed: a count for reports.
        self.used.load(Ordering::Relaxed).min(self.max)
    }

    /// The number of a text, which gets one if it has none.
    pub(super) fn symbol(&self, text: &str) -> Result<u32, Fault> {
        if text.len() > STRING_BYTES_MAX {
            let detail = format!("a name of {} bytes, at most {STRING_BYTES_MAX}", text.len());
            return Err(Fault::new(EVENMATCH_TOO_MANY_BYTES, detail));
        }
        let mut at = FixedState::default().hash_one(text.as_bytes()) as u32 & self.mask;
        let mut own = None;
        loop {
            let Some(bucket) = self.buckets.get_or_make(at, || AtomicU32::new(0)) else {
                return Err(self.full());
            };
            // Acquire, here and on failure, pairs with the release of the exchange: the text is seen.
            let mut seen = bucket.load(Ordering::Acquire);
            if seen == 0 {
                let symbol = match own {
                    Some(symbol) => symbol,
                    None => self.add(text)?,
                };
                match bucket.compare_exchange(0, symbol, Ordering::Release, Ordering::Acquire) {
                    Ok(_) => return Ok(symbol),
                    // Another thread was first here. Was it with the same text, our number is never used.
                    Err(now) => seen = now,
                }
                own = Some(symbol);
            }
            if self.get(seen).is_some_and(|other| other == text) {
                return Ok(seen);
            }
            at = (at + 1) & self.mask;
        }
    }

    /// The number of a name that a record mentions, or 0 if the table is full.
    pub(super) fn symbol_or_none(&self, text: &str) -> u32 {
        self.symbol(text).unwrap_or(0)
    }

    /// The text of a number.
    pub(super) fn text(&self, symbol: u32, what: &'static str) -> Result<&str, Fault> {
        self.get(symbol).ok_or_else(|| {
            let detail = format!("{what}: {symbol} is no symbol of this engine");
            Fault::new(EVENMATCH_UNKNOWN_SYMBOL, detail)
        })
    }

    fn get(&self, symbol: u32) -> Option<&str> {
        self.texts.get(symbol.checked_sub(1)?)?.get().map(|text| &**text)
    }

    fn add(&self, text: &str) -> Result<u32, Fault> {
        // Relaxed: the number is nobody else's, and the text is published with the bucket. Never above the maximum by
        // more than the threads that meet it at once.
        let index = self.used.fetch_add(1, Ordering::Relaxed);
        let place = self.texts.get_or_make(index, OnceLock::new);
        let Some(place) = place.filter(|place| place.set(text.into()).is_ok()) else {
            self.used.fetch_sub(1, Ordering::Relaxed);
            return Err(self.full());
        };
        debug_assert!(place.get().is_some());
        Ok(index + 1)
    }

    fn full(&self) -> Fault {
        let detail = format!("{} symbols, as many as the engine's config allows", self.max);
        Fault::new(EVENMATCH_TOO_MANY_SYMBOLS, detail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_keeps_its_number() {
        let names = Names::new(100);
        let symbols: Vec<u32> = (0..100).map(|i| names.symbol(&format!("name {i}")).unwrap()).collect();
        assert_eq!(symbols, (1..=100).collect::<Vec<u32>>());
        for (i, &symbol) in symbols.iter().enumerate() {
            assert_eq!(names.symbol(&format!("name {i}")).unwrap(), symbol);
            assert_eq!(names.text(symbol, "x").unwrap(), format!("name {i}"));
        }
        assert_eq!(names.symbol("one more").unwrap_err().status, EVENMATCH_TOO_MANY_SYMBOLS);
        assert_eq!((names.symbol_or_none("one more"), names.len()), (0, 100));
        assert_eq!(names.text(0, "x").unwrap_err().status, EVENMATCH_UNKNOWN_SYMBOL);
        assert_eq!(names.text(101, "x").unwrap_err().status, EVENMATCH_UNKNOWN_SYMBOL);
        assert_eq!(names.symbol(&"x".repeat(257)).unwrap_err().status, EVENMATCH_TOO_MANY_BYTES);
    }

    #[test]
    fn threads_agree_on_numbers() {
        let names = Names::new(4000);
        let numbers = |names: &Names| (0..500).map(|i| names.symbol(&i.to_string()).unwrap()).collect();
        let all: Vec<Vec<u32>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| numbers(&names))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(all.iter().all(|numbers| *numbers == all[0]));
    }
}
