//! The values that stand in one text: a PlayFab file may be one object, a list, JSON Lines, or pieces of the
//! documentation (`"MatchmakingQueue": {..}` without the braces around it). Called by `file` only.
//!
//! Method: one walk over the bytes that minds strings, comments and brackets, so no value is parsed twice.

use std::borrow::Cow;

/// One value of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Segment<'t> {
    /// Its text.
    pub(super) text: &'t str,
    /// The line of its first character, from 1.
    pub(super) line: u32,
    /// The column of its first character, from 1.
    pub(super) column: u32,
    /// It is a member without the braces of its object.
    pub(super) is_member: bool,
}

impl<'t> Segment<'t> {
    /// Its text as a whole JSON value; a member gets its braces, which shifts its first line by one column.
    pub(super) fn json(&self) -> Cow<'t, str> {
        if self.is_member { Cow::Owned(format!("{{{}\n}}", self.text)) } else { Cow::Borrowed(self.text) }
    }
}

/// The values of a text, in order; commas between them are skipped.
pub(super) fn segments(text: &str) -> Vec<Segment<'_>> {
    let mut found = Vec::new();
    let bytes = text.as_bytes();
    let (mut line, mut column, mut walked) = (1, 1, 0);
    let mut at = 0;
    loop {
        at = skip_blank(bytes, at);
        if at >= bytes.len() {
            return found;
        }
        (line, column) = advance(&text[walked..at], line, column);
        walked = at;
        let (end, is_member) = value_end(bytes, at);
        found.push(Segment { text: &text[at..end], line, column, is_member });
        at = end;
    }
}

/// The first byte from `at` on that is neither space nor comment nor comma.
fn skip_blank(bytes: &[u8], mut at: usize) -> usize {
    loop {
        match bytes.get(at) {
            Some(b' ' | b'\t' | b'\r' | b'\n' | b',') => at += 1,
            Some(b'/') => match comment_end(bytes, at) {
                Some(end) => at = end,
                None => return at,
            },
            _ => return at,
        }
    }
}

/// The end of the comment that begins at `at`, if one does.
fn comment_end(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = &bytes[at + 1..];
    match rest.first()? {
        b'/' => {
            let len = rest.iter().position(|byte| [b'\n', b'\r'].contains(byte)).unwrap_or(rest.len());
            Some(at + 1 + len)
        }
        b'*' => {
            let len = rest[1..].windows(2).position(|pair| pair == b"*/").map(|len| len + 2);
            Some(at + 2 + len.unwrap_or(rest.len() - 1))
        }
        _ => None,
    }
}

/// The end of the value that begins at `at`, and whether it is a member: a key with its value.
fn value_end(bytes: &[u8], at: usize) -> (usize, bool) {
    match bytes[at] {
        b'{' | b'[' => (brackets_end(bytes, at), false),
        b'"' => {
            let key_end = string_end(bytes, at);
            let colon = skip_blank(bytes, key_end);
            if bytes.get(colon) != Some(&b':') {
                return (key_end, false);
            }
            let value = skip_blank(bytes, colon + 1);
            if value >= bytes.len() { (bytes.len(), true) } else { (value_end_plain(bytes, value), true) }
        }
        _ => (value_end_plain(bytes, at), false),
    }
}

fn value_end_plain(bytes: &[u8], at: usize) -> usize {
    match bytes[at] {
        b'{' | b'[' => brackets_end(bytes, at),
        b'"' => string_end(bytes, at),
        _ => {
            let rest = &bytes[at..];
            let ends = |byte: &u8| b" \t\r\n,{[\"".contains(byte);
            // At least one byte, so that the walk goes on; whole characters, as all ends are ASCII.
            rest.iter().skip(1).position(ends).map_or(bytes.len(), |len| at + 1 + len)
        }
    }
}

fn brackets_end(bytes: &[u8], mut at: usize) -> usize {
    let mut depth = 0_usize;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at = string_end(bytes, at);
                continue;
            }
            b'/' => {
                if let Some(end) = comment_end(bytes, at) {
                    at = end;
                    continue;
                }
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// The end of the string that begins at `at`.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut i = at + 1;
    while let Some(&byte) = bytes.get(i) {
        match byte {
            b'"' => return i + 1,
            b'\\' => i += 2,
            _ => i += 1,
        }
    }
    bytes.len()
}

/// Where a text ends that begins at a line and column.
fn advance(text: &str, mut line: u32, mut column: u32) -> (u32, u32) {
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\n' || (c == '\r' && chars.peek() != Some(&'\n')) {
            line += 1;
            column = 1;
        } else {
            column += 1;
        }
    }
    (line, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<(&str, u32, u32, bool)> {
        segments(text).into_iter().map(|it| (it.text, it.line, it.column, it.is_member)).collect()
    }

    #[test]
    fn finds_values_and_members() {
        assert_eq!(
            texts("{\"a\": \"}\"}\n {\"b\": [1]} "),
            [("{\"a\": \"}\"}", 1, 1, false), ("{\"b\": [1]}", 2, 2, false)]
        );
        assert_eq!(
            texts("// note {\n\"Q\": { /* } */ },\n\"Q\": 3"),
            [("\"Q\": { /* } */ }", 2, 1, true), ("\"Q\": 3", 3, 1, true)]
        );
        assert_eq!(texts(" , // nothing\n"), []);
        assert_eq!(texts("{}}"), [("{}", 1, 1, false), ("}", 1, 3, false)]);
    }

    #[test]
    fn ends_on_any_text() {
        for text in ["{", "\"", "\"a\":", "\"a\\", "/", "/*", "é", "]", "{\"a", "{/*", "\"a\":\"\\\"", "/é"]
        {
            for cut in segments(text) {
                assert!(!cut.text.is_empty(), "{text}");
            }
        }
    }
}
