//! Texts that hosts have resolved: each has a number for as long as the engine lives, so that a ticket need not carry
//! it.
//!
//! Called by `layout`, and read wherever a plain ticket's texts are. Resolving takes turns behind a lock, which no call
//! on a ticket takes; reading waits for nobody. Invariant: equal texts have equal numbers.

use super::Engine;
use crate::base::late::Late;
use crate::base::segments::Segments;
use crate::model::codes::{Code, Refusal};
use crate::model::limits::STRING_BYTES_MAX;
use crate::model::plain::TextId;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Texts of one engine. Chosen: modes, roles and the like, not names of players.
const TEXTS_MAX: u32 = 1 << 16;

/// The texts of an engine.
pub(super) struct Lexicon {
    texts: Segments<Late<Arc<str>>>,
    numbers: Mutex<BTreeMap<Arc<str>, u32>>,
}

impl Lexicon {
    /// No texts.
    pub(super) fn new() -> Lexicon {
        Lexicon { texts: Segments::new(TEXTS_MAX), numbers: Mutex::default() }
    }

    /// A text that was resolved.
    pub(super) fn text(&self, id: TextId) -> Option<&Arc<str>> {
        self.texts.get(id.0)?.get()
    }

    fn resolve(&self, text: &str) -> Result<TextId, Refusal> {
        if text.len() > STRING_BYTES_MAX {
            let detail = format!("a text of {} bytes, at most {STRING_BYTES_MAX}", text.len());
            return Err(Refusal::new(Code::TooManyBytes, detail));
        }
        let mut numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&number) = numbers.get(text) {
            return Ok(TextId(number));
        }
        let number = numbers.len() as u32;
        let full = || Refusal::new(Code::TooManyValues, format!("more than {TEXTS_MAX} texts"));
        let place = self.texts.get_or_make(number, Late::new).ok_or_else(full)?;
        let text: Arc<str> = text.into();
        // Under the lock the place is still empty.
        let _ = place.set(Box::new(Arc::clone(&text)));
        numbers.insert(text, number);
        Ok(TextId(number))
    }
}

impl Engine {
    /// Gives a text a number, for the values of plain tickets; the same text always gets the same one.
    ///
    /// Any thread; such calls take turns among themselves. Texts stay as long as the engine does, so this is for modes,
    /// roles and the like, not for what players write. Errors: TOO_MANY_BYTES (256), TOO_MANY_VALUES (65,536 texts).
    pub fn text(&self, text: &str) -> Result<TextId, Refusal> {
        self.door.lexicon.resolve(text)
    }
}
