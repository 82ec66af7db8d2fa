//! Texts with numbers, which they keep for as long as the engine lives, so that a ticket need not carry them: those that
//! hosts have resolved, and the first ones that tickets bring.
//!
//! Asked by `layout` and `plain`. Invariant: equal texts have equal numbers; what tickets bring never takes the last half
//! of the numbers, so whatever players may write, hosts find room for their modes and roles.

use super::Engine;
use crate::base::symbols::Symbols;
use crate::model::codes::{Code, Refusal};
use crate::model::limits::STRING_BYTES_MAX;
use crate::model::plain::TextId;

/// Texts of one engine. Chosen: modes, roles and the like, not names of players; with their greatest length 16 MiB.
const TEXTS_MAX: u32 = 1 << 16;

/// The texts of an engine.
pub(super) struct Lexicon(Symbols);

impl Lexicon {
    /// No texts.
    pub(super) fn new() -> Lexicon {
        Lexicon(Symbols::new(TEXTS_MAX))
    }

    /// The text of a number.
    pub(super) fn text(&self, id: TextId) -> Option<&str> {
        self.0.text(id.0)
    }

    /// The number of a text that a ticket brings, if it has one or may still get one.
    pub(super) fn number(&self, text: &str) -> Option<TextId> {
        let is_open = self.0.len() < TEXTS_MAX / 2;
        if is_open { self.0.number(text) } else { self.0.find(text) }.map(TextId)
    }
}

impl Engine {
    /// Gives a text a number, for the values of plain tickets; the same text always gets the same one.
    ///
    /// Any thread. Texts stay as long as the engine does, so this is for modes, roles and the like, not for what players
    /// write. Errors: TOO_MANY_BYTES (256), TOO_MANY_VALUES (65,536 texts, those included that tickets have brought).
    pub fn text(&self, text: &str) -> Result<TextId, Refusal> {
        if text.len() > STRING_BYTES_MAX {
            let detail = format!("a text of {} bytes, at most {STRING_BYTES_MAX}", text.len());
            return Err(Refusal::new(Code::TooManyBytes, detail));
        }
        let full =
            || Refusal::new(Code::TooManyValues, format!("{TEXTS_MAX} texts are known: use one of them"));
        self.door.lexicon.0.number(text).map(TextId).ok_or_else(full)
    }
}
