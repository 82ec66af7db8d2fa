//! JSON text as a tree with positions. Called by the readers of queue files and trace lines.
//!
//! Strict JSON, with `//` and block comments and commas before a closing bracket as the only liberties.
//! Stands on the `jsonc-parser` crate, which finds the tokens; size and nesting are looked at before it runs,
//! so that no input can exhaust the stack. Invariants: nodes stand in the order of the text; every number is
//! one that `Decimal::parse` reads; a key stands once in an object (a second one is a fault, and the first
//! one holds).

use super::report::Fault;
use super::write::JsonWriter;
use crate::base::fixed::Decimal;
use crate::rules::validate::{join_place, place_key};
use jsonc_parser::ast;
use jsonc_parser::common::Ranged;
use jsonc_parser::errors::{ParseError, ParseErrorKind};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Bytes in one text (a queue file, or a line of a trace), 4 MiB: far beyond what the other maxima need, and
/// little enough to be read whole.
pub const TEXT_BYTES_MAX: usize = 4 << 20;

/// Objects and lists inside one another; the deepest native key stands at 6.
pub const DEPTH_MAX: usize = 64;

/// One value and where it stands.
#[derive(Debug)]
pub(super) struct Node<'t> {
    /// Offset of its first byte.
    pub(super) start: usize,
    /// Offset after its last byte.
    pub(super) end: usize,
    pub(super) value: Value<'t>,
}

/// A JSON value.
#[derive(Debug)]
pub(super) enum Value<'t> {
    Null,
    Bool(bool),
    /// The number as it is written.
    Number(&'t str),
    String(Cow<'t, str>),
    Array(Vec<Node<'t>>),
    Object(Vec<Member<'t>>),
}

/// A key and its value.
#[derive(Debug)]
pub(super) struct Member<'t> {
    pub(super) key: Cow<'t, str>,
    /// Offset of the key's opening quote.
    pub(super) start: usize,
    pub(super) node: Node<'t>,
}

/// The tree of a text.
#[derive(Debug)]
pub(super) struct Tree<'t> {
    pub(super) root: Node<'t>,
    /// What is wrong with the text although it could be read: keys that stand twice, bare control characters.
    pub(super) faults: Vec<Fault>,
}

/// Decodes a text; a byte order mark is skipped. Columns count from behind it.
pub(super) fn decode(bytes: &[u8]) -> Result<&str, (&str, Fault)> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.len() > TEXT_BYTES_MAX {
        let fault = Fault::new(
            0,
            format!("{} bytes", bytes.len()),
            format!("a text has at most {TEXT_BYTES_MAX} bytes"),
        );
        return Err(("", fault));
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let (valid, _) = bytes.split_at(error.valid_up_to());
        let found = format!("the byte 0x{:02x}, which is not UTF-8", bytes.get(valid.len()).unwrap_or(&0));
        let fault = Fault::new(valid.len(), found, "save the file as UTF-8");
        (std::str::from_utf8(valid).unwrap_or(""), fault)
    })
}

/// Reads a text that [`decode`] has passed; the fault is the first place where it is not JSON.
pub(super) fn parse(text: &str) -> Result<Tree<'_>, Fault> {
    if let Some(offset) = too_deep(text) {
        let remedy = format!("objects and lists stand at most {DEPTH_MAX} deep");
        return Err(Fault::new(offset, format!("level {} of nesting", DEPTH_MAX + 1), remedy));
    }
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let parsed =
        parse_to_ast(text, &CollectOptions::default(), &options).map_err(|error| syntax(text, &error))?;
    let Some(value) = parsed.value else {
        return Err(Fault::new(text.len(), "no value", "needs a JSON object"));
    };
    let mut faults = Vec::new();
    let root = convert(text, value, &mut faults);
    Ok(Tree { root, faults })
}

/// The offset of the first bracket beyond the greatest depth.
fn too_deep(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 0_usize;
    let mut i = 0;
    while let Some(&byte) = bytes.get(i) {
        match byte {
            b'"' => i = end_of_string(bytes, i),
            b'/' if bytes.get(i + 1) == Some(&b'/') => {
                while bytes.get(i + 1).is_some_and(|&next| next != b'\n' && next != b'\r') {
                    i += 1;
                }
            }
            b'/' if bytes.get(i + 1) == Some(&b'*') => {
                i += 3;
                while i < bytes.len() && !(bytes[i] == b'/' && bytes[i - 1] == b'*') {
                    i += 1;
                }
            }
            b'{' | b'[' => {
                depth += 1;
                if depth > DEPTH_MAX {
                    return Some(i);
                }
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        i += 1;
    }
    None
}

/// The offset of the quote that ends the string that begins at `start`, or the end of the text.
fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut i = start + 1;
    while let Some(&byte) = bytes.get(i) {
        match byte {
            b'"' => return i,
            b'\\' => i += 2,
            _ => i += 1,
        }
    }
    bytes.len()
}

/// What the parser says, in the words of this module.
fn syntax(text: &str, error: &ParseError) -> Fault {
    use ParseErrorKind as Kind;
    let mut offset = error.range().start.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let rest = text.get(offset..).unwrap_or("");
    let next = match rest.chars().next() {
        Some(first) if first.is_alphanumeric() => {
            let word: String =
                rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').take(24).collect();
            format!("{word:?}")
        }
        Some(first) => format!("{:?}", first.to_string()),
        None => "the end of the text".to_owned(),
    };
    let (found, remedy) = match error.kind() {
        Kind::ExpectedComma => ("no comma".to_owned(), "separate values by commas"),
        Kind::ExpectedColonAfterObjectKey => {
            ("a key without a colon".to_owned(), "needs `: ` and a value behind the key")
        }
        Kind::ExpectedObjectValue => ("a key without a value".to_owned(), "needs a value behind the colon"),
        Kind::ExpectedStringObjectProperty | Kind::UnexpectedTokenInObject => {
            (next, "needs a key in double quotes")
        }
        Kind::SingleQuotedStringsNotAllowed => {
            ("a single quote".to_owned(), "strings stand in double quotes")
        }
        Kind::UnterminatedObject => ("an object without an end".to_owned(), "close it with `}`"),
        Kind::UnterminatedArray => ("a list without an end".to_owned(), "close it with `]`"),
        Kind::UnterminatedCommentBlock => ("a comment without an end".to_owned(), "close it with `*/`"),
        Kind::MultipleRootJsonValues => (format!("{next} behind the end"), "a text has one value"),
        Kind::UnexpectedWord => (next, "a string stands in double quotes; words are true, false and null"),
        Kind::String(kind) => (
            format!("a string that is not JSON ({kind})"),
            "escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX",
        ),
        Kind::BareDecimalPointNumbersNotAllowed
        | Kind::ExpectedDigit
        | Kind::ExpectedDigitFollowingNegativeSign
        | Kind::ExpectedPlusMinusOrDigitInNumberLiteral
        | Kind::HexadecimalNumbersNotAllowed
        | Kind::NonFiniteNumbersNotAllowed
        | Kind::UnaryPlusNumbersNotAllowed => (next, "numbers are written like 12, -0.5 or 1e3"),
        _ => (next, "needs a value here"),
    };
    Fault::new(offset, found, remedy)
}

fn convert<'t>(text: &'t str, value: ast::Value<'t>, faults: &mut Vec<Fault>) -> Node<'t> {
    let range = value.range();
    let value = match value {
        ast::Value::NullKeyword(_) => Value::Null,
        ast::Value::BooleanLit(lit) => Value::Bool(lit.value),
        ast::Value::NumberLit(lit) if Decimal::parse(lit.value).is_none() => {
            let found = format!("{:?}", shorten(lit.value));
            faults.push(Fault::new(range.start, found, "numbers are written like 12, -0.5 or 1e3"));
            Value::Null
        }
        ast::Value::NumberLit(lit) => Value::Number(lit.value),
        ast::Value::StringLit(lit) => {
            bare_controls(text, range.start, range.end, faults);
            Value::String(lit.value)
        }
        ast::Value::Array(array) => {
            Value::Array(array.elements.into_iter().map(|element| convert(text, element, faults)).collect())
        }
        ast::Value::Object(object) => Value::Object(members(text, object, faults)),
    };
    Node { start: range.start, end: range.end, value }
}

fn members<'t>(text: &'t str, object: ast::Object<'t>, faults: &mut Vec<Fault>) -> Vec<Member<'t>> {
    let mut seen = BTreeSet::new();
    let mut members = Vec::with_capacity(object.properties.len());
    for property in object.properties {
        let name = property.name.range();
        let key = match property.name {
            ast::ObjectPropName::String(lit) => lit.value,
            ast::ObjectPropName::Word(word) => Cow::Borrowed(word.value),
        };
        bare_controls(text, name.start, name.end, faults);
        if !seen.insert(key.clone()) {
            let found = format!("the key {:?} a second time", shorten(&key));
            faults.push(Fault::new(name.start, found, "a key stands once in an object"));
        }
        let node = convert(text, property.value, faults);
        members.push(Member { key, start: name.start, node });
    }
    members
}

/// Adds a fault if the string literal holds a control character that is not escaped.
fn bare_controls(text: &str, start: usize, end: usize, faults: &mut Vec<Fault>) {
    let literal = text.as_bytes().get(start..end).unwrap_or_default();
    if let Some(at) = literal.iter().position(|&byte| byte < 0x20) {
        let found = format!("the bare control character 0x{:02x} in a string", literal[at]);
        faults.push(Fault::new(start + at, found, "write it as an escape such as \\n, \\t or \\u0000"));
    }
}

impl<'t> Node<'t> {
    /// The node as messages name it: a number or word as written, a string in quotes, else its kind.
    pub(super) fn shown(&self) -> String {
        match &self.value {
            Value::Null => "null".to_owned(),
            Value::Bool(value) => value.to_string(),
            Value::Number(text) => shorten(text),
            Value::String(text) => format!("{:?}", shorten(text)),
            Value::Array(_) => "a list".to_owned(),
            Value::Object(_) => "an object".to_owned(),
        }
    }

    /// The members of an object, none for anything else.
    pub(super) fn members(&self) -> &[Member<'t>] {
        match &self.value {
            Value::Object(members) => members,
            _ => &[],
        }
    }

    /// Writes the node without spaces and comments, numbers as they are written.
    pub(super) fn write(&self, out: &mut JsonWriter) {
        match &self.value {
            Value::Null => out.null(),
            Value::Bool(value) => out.bool(*value),
            Value::Number(text) => out.raw(text),
            Value::String(text) => out.string(text),
            Value::Array(elements) => {
                out.begin_array();
                elements.iter().for_each(|element| element.write(out));
                out.end_array();
            }
            Value::Object(members) => {
                out.begin_object();
                for member in members {
                    out.key(&member.key);
                    member.node.write(out);
                }
                out.end_object();
            }
        }
    }

    /// The node's text without spaces and comments.
    pub(super) fn compact(&self) -> String {
        let mut out = JsonWriter::compact();
        self.write(&mut out);
        out.finish()
    }

    /// The JSON path of the innermost member or element that `offset` lies in.
    pub(super) fn path_of(&self, offset: usize) -> String {
        let mut path = String::new();
        let mut node = self;
        loop {
            let inner = match &node.value {
                Value::Object(members) => {
                    let behind = members.partition_point(|member| member.start <= offset);
                    let member = behind.checked_sub(1).and_then(|k| members.get(k));
                    let member = member.filter(|member| offset < member.node.end);
                    member.map(|member| {
                        path = join_place(&path, &member.key);
                        &member.node
                    })
                }
                Value::Array(elements) => {
                    let behind = elements.partition_point(|element| element.start <= offset);
                    let k = behind.checked_sub(1).filter(|&k| offset < elements[k].end);
                    k.map(|k| {
                        path.push_str(&format!("[{k}]"));
                        &elements[k]
                    })
                }
                _ => None,
            };
            match inner {
                Some(inner) if offset >= inner.start => node = inner,
                _ => return path,
            }
        }
    }

    /// Where `path` stands, or the longest part of it that does.
    pub(super) fn offset_of(&self, path: &str) -> usize {
        let mut rest = path;
        let mut node = self;
        loop {
            let inner = match &node.value {
                Value::Object(members) => {
                    let rest = rest.strip_prefix('.').unwrap_or(rest);
                    members.iter().find_map(|member| {
                        let behind = rest.strip_prefix(&*place_key(&member.key))?;
                        ends_part(behind).then_some((&member.node, behind))
                    })
                }
                Value::Array(elements) => rest.strip_prefix('[').and_then(|rest| {
                    let (index, behind) = rest.split_once(']')?;
                    Some((elements.get(index.parse::<usize>().ok()?)?, behind))
                }),
                _ => None,
            };
            match inner {
                Some((inner, behind)) => (node, rest) = (inner, behind),
                None => return node.start,
            }
        }
    }
}

fn ends_part(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with(['.', '['])
}

/// At most 48 characters of a text.
pub(super) fn shorten(text: &str) -> String {
    match text.char_indices().nth(48) {
        Some((cut, _)) => format!("{}..", &text[..cut]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(text: &str) -> Node<'_> {
        parse(text).unwrap().root
    }

    fn fault(text: &str) -> (usize, String) {
        let fault = match parse(text) {
            Err(fault) => fault,
            Ok(tree) => tree.faults.into_iter().next().unwrap(),
        };
        (fault.offset, fault.found)
    }

    #[test]
    fn takes_comments_and_trailing_commas_only() {
        let node = root("// a\n{ \"a\": [1, -2.50e1, /* b */ true,], \"b\": {}, }");
        assert_eq!(node.compact(), r#"{"a":[1,-2.50e1,true],"b":{}}"#);
        for text in [
            "{a:1}",
            "{'a':1}",
            "[1 2]",
            "[+1]",
            "[.5]",
            "[5.]",
            "[0x10]",
            "[NaN]",
            "[Infinity]",
            "[01]",
            "[1,,2]",
            "{\"a\":1,,}",
            "{\"a\" 1}",
            "{\"a\":}",
            "[\"\\x41\"]",
            "[",
            "{",
            "{}{}",
            "/*",
            "[\"a",
            "",
            "[\"\\ud800\"]",
            "[1]]",
            "nul",
            "[-]",
            "[1e]",
            "{\"a\":1 \"b\":2}",
            "[\"a\nb\"]",
        ] {
            fault(text);
        }
    }

    #[test]
    fn finds_paths_and_places_again() {
        let text = r#"{"rules": [{"name": "a"}, {"expand": {"linear": {"cap": 4}}}], "a b": {"c": [7]}}"#;
        let node = root(text);
        for (needle, path) in [
            ("4", "rules[1].expand.linear.cap"),
            ("\"cap\"", "rules[1].expand.linear.cap"),
            ("{\"cap\"", "rules[1].expand.linear"),
            ("7", "[\"a b\"].c[0]"),
            ("[{", "rules"),
            ("{\"rules", ""),
        ] {
            assert_eq!(node.path_of(text.find(needle).unwrap()), path, "{needle}");
        }
        assert_eq!(node.offset_of("rules[1].expand.linear.cap"), text.find("4").unwrap());
        assert_eq!(node.offset_of("rules[1].expand.linear.floor"), text.find("{\"cap\"").unwrap());
        assert_eq!(node.offset_of("[\"a b\"].c[0]"), text.find("7").unwrap());
        assert_eq!(node.offset_of("timeout_s"), 0);
    }

    #[test]
    fn a_key_stands_once() {
        assert_eq!(fault(r#"{"a":1,"b":2,"a":3}"#), (13, "the key \"a\" a second time".to_owned()));
    }

    #[test]
    fn refuses_deep_texts_before_parsing() {
        let deep = "[".repeat(100_000);
        assert_eq!(fault(&deep), (DEPTH_MAX, "level 65 of nesting".to_owned()));
        let just = format!("{}{}", "[".repeat(DEPTH_MAX), "]".repeat(DEPTH_MAX));
        parse(&just).unwrap();
        let quoted = format!("[\"{}\\\"{}\" // {}\n]", "[".repeat(99), "[".repeat(99), "[".repeat(99));
        parse(&quoted).unwrap();
    }

    #[test]
    fn decodes_utf8_only() {
        assert_eq!(decode(b"\xef\xbb\xbf{}").unwrap(), "{}");
        let (valid, fault) = decode(b"{\"a\xff").unwrap_err();
        assert_eq!((valid, fault.offset), ("{\"a", 3));
        assert!(decode(&vec![b' '; TEXT_BYTES_MAX + 1]).is_err());
    }
}
