//! The names of an engine as small numbers: attributes, regions, values, teams, rules and queues.
//!
//! Called by `symbol`, by batches (numbers become names) and by events (names become numbers). Invariant: a number
//! names the same text as long as the engine lives, and two different texts never share one. No call waits.

use super::guard::Fault;
use super::status::{EVENMATCH_TOO_MANY_BYTES, EVENMATCH_TOO_MANY_SYMBOLS, EVENMATCH_UNKNOWN_SYMBOL};
use crate::base::symbols::Symbols;
use crate::model::limits::STRING_BYTES_MAX;

/// The names of one engine.
pub(super) struct Names(Symbols);

impl Names {
    /// Room for `max` names, 1 to 2^24. Memory comes as it is needed.
    pub(super) fn new(max: u32) -> Names {
        Names(Symbols::new(max))
    }

    /// How many there are.
    pub(super) fn len(&self) -> u32 {
        self.0.len()
    }

    /// The number of a text, which gets one if it has none.
    pub(super) fn symbol(&self, text: &str) -> Result<u32, Fault> {
        if text.len() > STRING_BYTES_MAX {
            let detail = format!("a name of {} bytes, at most {STRING_BYTES_MAX}", text.len());
            return Err(Fault::new(EVENMATCH_TOO_MANY_BYTES, detail));
        }
        self.0.number(text).ok_or_else(|| {
            let detail = format!("{} symbols, as many as the engine's config allows", self.0.max());
            Fault::new(EVENMATCH_TOO_MANY_SYMBOLS, detail)
        })
    }

    /// The number of a name that a record mentions, or 0 if the table is full.
    pub(super) fn symbol_or_none(&self, text: &str) -> u32 {
        self.symbol(text).unwrap_or(0)
    }

    /// The text of a number.
    pub(super) fn text(&self, symbol: u32, what: &'static str) -> Result<&str, Fault> {
        self.0.text(symbol).ok_or_else(|| {
            let detail = format!("{what}: {symbol} is no symbol of this engine");
            Fault::new(EVENMATCH_UNKNOWN_SYMBOL, detail)
        })
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
