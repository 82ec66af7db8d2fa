//! Text for people: what a terminal would obey is shown instead.
//!
//! Used wherever names of queue files, traces and paths reach the terminal. Invariant: the text has no control
//! character but the line feed; files with matches are JSON, which has its own escapes.

use std::borrow::Cow;

/// The text with every control character but the line feed written as in `\u{1b}`.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    let is_obeyed = |c: char| c.is_control() && c != '\n';
    if !text.contains(is_obeyed) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_obeyed(c) { shown.extend(c.escape_unicode()) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_terminal_obeys_is_rewritten() {
        assert_eq!(harmless("Zürich │ 20\n"), "Zürich │ 20\n");
        assert_eq!(harmless("a\u{1b}[2J\u{7}\r\n\u{9b}"), "a\\u{1b}[2J\\u{7}\\u{d}\n\\u{9b}");
    }
}
