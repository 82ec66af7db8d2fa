//! A small streaming JSON writer. Everything that evenmatch prints as JSON goes through it.
//!
//! Invariant: commas and colons are its own business; a caller who pairs `begin` and `end` and gives each
//! value of an object its key gets legal JSON.

use crate::model::ids::Millis;
use std::fmt::{Display, Write};

/// Writes one JSON value into a string.
#[derive(Debug)]
pub struct JsonWriter {
    out: String,
    /// Whether the next value or key needs a comma before it.
    comma: bool,
    /// Whether the next value stands behind its key.
    keyed: bool,
    /// Spaces before a line, if lines are indented.
    indent: Option<usize>,
}

impl JsonWriter {
    /// A writer of one line without spaces.
    pub fn compact() -> JsonWriter {
        JsonWriter { out: String::new(), comma: false, keyed: false, indent: None }
    }

    /// A writer that gives each member and element a line of its own, indented by two spaces a level.
    pub fn indented() -> JsonWriter {
        JsonWriter { indent: Some(0), ..JsonWriter::compact() }
    }

    /// What has been written.
    pub fn finish(self) -> String {
        self.out
    }

    /// A writer of one output line, whose first object is open: `{"at":..,"KIND":{`.
    pub(super) fn event(at: Millis, kind: &str) -> JsonWriter {
        let mut out = JsonWriter::compact();
        out.begin_object();
        out.number_at("at", at);
        out.key(kind);
        out.begin_object();
        out
    }

    /// The line that `event` has begun.
    pub(super) fn finish_event(mut self) -> String {
        self.end_object();
        self.end_object();
        self.finish()
    }

    /// Begins an object.
    pub fn begin_object(&mut self) {
        self.begin('{');
    }

    /// Ends an object.
    pub fn end_object(&mut self) {
        self.end('}');
    }

    /// Begins a list.
    pub fn begin_array(&mut self) {
        self.begin('[');
    }

    /// Ends a list.
    pub fn end_array(&mut self) {
        self.end(']');
    }

    /// A key; its value comes next.
    pub fn key(&mut self, key: &str) {
        self.before();
        self.quoted(key);
        self.out.push_str(if self.indent.is_some() { ": " } else { ":" });
        self.comma = false;
        self.keyed = true;
    }

    /// A string, escaped.
    pub fn string(&mut self, text: &str) {
        self.before();
        self.quoted(text);
        self.comma = true;
    }

    /// A number, or anything else that prints as JSON.
    pub fn number(&mut self, number: impl Display) {
        self.before();
        // Writing into a string does not fail.
        let _ = write!(self.out, "{number}");
        self.comma = true;
    }

    /// A text that is JSON already.
    pub fn raw(&mut self, json: &str) {
        self.number(json);
    }

    /// `true` or `false`.
    pub fn bool(&mut self, value: bool) {
        self.number(value);
    }

    /// `null`.
    pub fn null(&mut self) {
        self.number("null");
    }

    /// A key and its string.
    pub fn string_at(&mut self, key: &str, text: &str) {
        self.key(key);
        self.string(text);
    }

    /// A key and its number.
    pub fn number_at(&mut self, key: &str, number: impl Display) {
        self.key(key);
        self.number(number);
    }

    /// A key and its number, if there is one.
    pub fn number_if(&mut self, key: &str, number: Option<impl Display>) {
        if let Some(number) = number {
            self.number_at(key, number);
        }
    }

    /// A key and its list of strings.
    pub fn strings_at<S: AsRef<str>>(&mut self, key: &str, strings: impl IntoIterator<Item = S>) {
        self.key(key);
        self.begin_array();
        for string in strings {
            self.string(string.as_ref());
        }
        self.end_array();
    }

    fn begin(&mut self, bracket: char) {
        self.before();
        self.out.push(bracket);
        self.comma = false;
        self.indent = self.indent.map(|indent| indent + 2);
    }

    fn end(&mut self, bracket: char) {
        self.indent = self.indent.map(|indent| indent.saturating_sub(2));
        if self.comma {
            self.new_line();
        }
        self.out.push(bracket);
        self.comma = true;
    }

    /// What stands before a key or a value.
    fn before(&mut self) {
        if self.keyed {
            self.keyed = false;
            return;
        }
        if self.comma {
            self.out.push(',');
        }
        if !self.out.is_empty() {
            self.new_line();
        }
    }

    fn new_line(&mut self) {
        if let Some(indent) = self.indent {
            self.out.push('\n');
            self.out.extend(std::iter::repeat_n(' ', indent));
        }
    }

    fn quoted(&mut self, text: &str) {
        self.out.push('"');
        let mut rest = text;
        while let Some(at) = rest.bytes().position(|byte| byte < 0x20 || byte == b'"' || byte == b'\\') {
            self.out.push_str(&rest[..at]);
            match rest.as_bytes()[at] {
                b'"' => self.out.push_str("\\\""),
                b'\\' => self.out.push_str("\\\\"),
                b'\n' => self.out.push_str("\\n"),
                b'\r' => self.out.push_str("\\r"),
                b'\t' => self.out.push_str("\\t"),
                byte => {
                    let _ = write!(self.out, "\\u{byte:04x}");
                }
            }
            rest = &rest[at + 1..];
        }
        self.out.push_str(rest);
        self.out.push('"');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(mut out: JsonWriter) -> String {
        out.begin_object();
        out.string_at("a\"b", "x\\\n\u{1}é");
        out.key("list");
        out.begin_array();
        out.number(1);
        out.begin_object();
        out.end_object();
        out.null();
        out.end_array();
        out.number_if("none", None::<u32>);
        out.key("yes");
        out.bool(true);
        out.end_object();
        out.finish()
    }

    #[test]
    fn places_commas_and_escapes() {
        assert_eq!(sample(JsonWriter::compact()), r#"{"a\"b":"x\\\n\u0001é","list":[1,{},null],"yes":true}"#);
    }

    #[test]
    fn indents() {
        let lines = "{\n  \"a\\\"b\": \"x\\\\\\n\\u0001é\",\n  \"list\": [\n    1,\n    {},\n    null\n  ],\n  \"yes\": true\n}";
        assert_eq!(sample(JsonWriter::indented()), lines);
    }
}
