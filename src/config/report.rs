//! Reads nodes as values and gathers what is wrong with them. Used by the readers of queue files and traces.
//!
//! Invariant: a method that gives `None` has added a fault, so a reader may put any value in its place and go
//! on.

use super::error::ConfigError;
use super::json::{Member, Node, Tree, Value, shorten};
use crate::base::fixed::{Decimal, Fixed, NumberFault};
use crate::model::ids::Millis;
use crate::model::limits::TIME_MS_MAX;
use crate::rules::validate::join_place;

/// Errors that are reported of one text; the rest is counted. Chosen so that no text can fill the memory.
pub const ERRORS_MAX: usize = 1000;

/// Something wrong at an offset of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Fault {
    pub(super) offset: usize,
    /// The key that is missing from the object at `offset`.
    pub(super) missing: Option<String>,
    /// The whole path, if it is known already.
    pub(super) path: Option<String>,
    pub(super) found: String,
    pub(super) remedy: String,
}

impl Fault {
    pub(super) fn new(offset: usize, found: impl Into<String>, remedy: impl Into<String>) -> Fault {
        Fault { offset, missing: None, path: None, found: found.into(), remedy: remedy.into() }
    }
}

/// The faults of one text.
#[derive(Default)]
pub(super) struct Report {
    faults: Vec<Fault>,
    left_out: usize,
}

/// The members of an object whose keys have been looked at.
pub(super) struct Fields<'a, 't> {
    pub(super) node: &'a Node<'t>,
    members: &'a [Member<'t>],
}

impl<'a, 't> Fields<'a, 't> {
    /// The value of a key.
    pub(super) fn get(&self, key: &str) -> Option<&'a Node<'t>> {
        self.members.iter().find(|member| member.key == key).map(|member| &member.node)
    }
}

impl Report {
    pub(super) fn push(&mut self, fault: Fault) {
        if self.faults.len() < ERRORS_MAX {
            self.faults.push(fault);
        } else {
            self.left_out += 1;
        }
    }

    pub(super) fn extend(&mut self, faults: Vec<Fault>) {
        faults.into_iter().for_each(|fault| self.push(fault));
    }

    /// Adds that the node is not what is needed.
    pub(super) fn wrong(&mut self, node: &Node<'_>, needs: impl Into<String>) {
        self.push(Fault::new(node.start, node.shown(), needs));
    }

    /// Adds that an object lacks a key.
    pub(super) fn missing(&mut self, node: &Node<'_>, key: &str, remedy: impl Into<String>) {
        let missing = Some(key.to_owned());
        self.push(Fault { missing, ..Fault::new(node.start, format!("no {key:?}"), remedy) });
    }

    /// The node's members, if it is an object; keys that are not `known` are faults.
    pub(super) fn fields<'a, 't>(&mut self, node: &'a Node<'t>, known: &[&str]) -> Option<Fields<'a, 't>> {
        let members = self.object(node)?;
        for member in members.iter().filter(|member| !known.contains(&&*member.key)) {
            let found = format!("the unknown key {:?}", shorten(&member.key));
            self.push(Fault::new(member.start, found, nearest(&member.key, known, "keys")));
        }
        Some(Fields { node, members })
    }

    /// The node's members, if it is an object, under whatever keys.
    pub(super) fn object<'a, 't>(&mut self, node: &'a Node<'t>) -> Option<&'a [Member<'t>]> {
        match &node.value {
            Value::Object(members) => Some(members),
            _ => {
                self.wrong(node, "needs an object");
                None
            }
        }
    }

    /// The node's elements, if it is a list.
    pub(super) fn array<'a, 't>(&mut self, node: &'a Node<'t>, of: &str) -> Option<&'a [Node<'t>]> {
        match &node.value {
            Value::Array(elements) => Some(elements),
            _ => {
                self.wrong(node, format!("needs a list of {of}"));
                None
            }
        }
    }

    pub(super) fn string(&mut self, node: &Node<'_>) -> Option<String> {
        match &node.value {
            Value::String(text) => Some(text.clone().into_owned()),
            _ => {
                self.wrong(node, "needs a string");
                None
            }
        }
    }

    /// The node's strings, if it is a list of them.
    pub(super) fn strings(&mut self, node: &Node<'_>) -> Option<Vec<String>> {
        let elements = self.array(node, "strings")?;
        let strings: Vec<_> = elements.iter().filter_map(|element| self.string(element)).collect();
        (strings.len() == elements.len()).then_some(strings)
    }

    pub(super) fn bool(&mut self, node: &Node<'_>) -> Option<bool> {
        match node.value {
            Value::Bool(value) => Some(value),
            _ => {
                self.wrong(node, "needs true or false");
                None
            }
        }
    }

    /// The meaning of one of a few words.
    pub(super) fn word<T: Copy>(&mut self, node: &Node<'_>, words: &[(&str, T)]) -> Option<T> {
        let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let Value::String(text) = &node.value else {
            self.wrong(node, format!("needs one of {}", quoted(&known)));
            return None;
        };
        let meaning = words.iter().find(|(word, _)| *word == text.as_ref()).map(|(_, meaning)| *meaning);
        if meaning.is_none() {
            self.wrong(node, nearest(text, &known, "words"));
        }
        meaning
    }

    /// A number as it is written, of any size and with any digits.
    pub(super) fn decimal(&mut self, node: &Node<'_>) -> Option<Decimal> {
        let number = match node.value {
            Value::Number(text) => Decimal::parse(text),
            _ => None,
        };
        if number.is_none() {
            self.wrong(node, "needs a number");
        }
        number
    }

    /// A number with at most six digits behind the point.
    pub(super) fn number(&mut self, node: &Node<'_>) -> Option<Fixed> {
        match self.decimal(node)?.exact() {
            Ok(value) => Some(value),
            Err(NumberFault::TooFine) => {
                self.wrong(node, "needs at most 6 digits behind the point");
                None
            }
            Err(NumberFault::TooLarge | NumberFault::NotFinite) => {
                self.wrong(node, "needs a number from -1000000000 to 1000000000");
                None
            }
        }
    }

    /// A whole number, 0 to 10^9.
    pub(super) fn count(&mut self, node: &Node<'_>) -> Option<u32> {
        let number = match node.value {
            Value::Number(text) => Decimal::parse(text).filter(|number| number.is_whole()),
            _ => None,
        };
        let number = number.and_then(|number| number.exact().ok()).filter(|&number| number >= Fixed::ZERO);
        let count = number.and_then(|number| u32::try_from(number.micros() / Fixed::ONE.micros()).ok());
        if count.is_none() {
            self.wrong(node, "needs a whole number from 0 to 1000000000");
        }
        count
    }

    /// A time in seconds with at most three digits behind the point.
    pub(super) fn seconds(&mut self, node: &Node<'_>) -> Option<Millis> {
        let Value::Number(text) = node.value else {
            self.wrong(node, "needs a number of seconds");
            return None;
        };
        let fault = match millis(text) {
            Ok(time) if time.0 <= TIME_MS_MAX => return Some(time),
            Ok(_) => format!("needs at most {} seconds", Millis(TIME_MS_MAX)),
            Err(fault) => fault.to_owned(),
        };
        self.wrong(node, fault);
        None
    }

    /// How many faults there are so far.
    pub(super) fn len(&self) -> usize {
        self.faults.len() + self.left_out
    }

    /// Whether nothing is wrong.
    pub(super) fn is_empty(&self) -> bool {
        self.faults.is_empty()
    }

    /// The paths of all faults so far.
    pub(super) fn paths(&self, root: &Node<'_>) -> Vec<String> {
        self.faults.iter().map(|fault| path(root, fault)).collect()
    }

    /// The faults in the order of the text, one for each place, with lines and columns.
    pub(super) fn into_errors(mut self, text: &str, root: Option<&Node<'_>>) -> Vec<ConfigError> {
        self.faults.sort_by_key(|fault| fault.offset);
        let mut errors: Vec<ConfigError> = Vec::with_capacity(self.faults.len());
        let mut position = Position::new(text);
        for fault in self.faults {
            let path = root.map_or_else(String::new, |root| path(root, &fault));
            let (line, column) = position.of(fault.offset);
            let mut told =
                errors.iter().rev().take_while(|error| (error.line, error.column) == (line, column));
            if told.any(|error| error.path == path) {
                continue;
            }
            let (found, remedy) = (fault.found, fault.remedy);
            errors.push(ConfigError { file: String::new(), line, column, path, found, remedy });
        }
        if self.left_out > 0 {
            let (line, column) = position.of(text.len());
            let found = format!("{} more errors", self.left_out);
            let remedy = format!("mend the first {ERRORS_MAX} and read it again");
            errors.push(ConfigError {
                file: String::new(),
                line,
                column,
                path: String::new(),
                found,
                remedy,
            });
        }
        errors
    }
}

fn path(root: &Node<'_>, fault: &Fault) -> String {
    if let Some(path) = &fault.path {
        return path.clone();
    }
    let path = root.path_of(fault.offset);
    match &fault.missing {
        Some(key) => join_place(&path, key),
        None => path,
    }
}

/// Lines and columns of ascending offsets, in one walk over the text.
struct Position<'t> {
    text: &'t str,
    offset: usize,
    line: u32,
    column: u32,
}

impl<'t> Position<'t> {
    fn new(text: &'t str) -> Position<'t> {
        Position { text, offset: 0, line: 1, column: 1 }
    }

    /// Lines end at LF, CR LF or a lone CR, where the parser ends a `//` comment too.
    fn of(&mut self, offset: usize) -> (u32, u32) {
        let rest = self.text.get(self.offset..).unwrap_or("");
        for (at, c) in rest.char_indices() {
            if self.offset + at >= offset {
                break;
            }
            let next = rest.as_bytes().get(at + 1);
            if c == '\n' || (c == '\r' && next != Some(&b'\n')) {
                self.line += 1;
                self.column = 1;
            } else {
                self.column += 1;
            }
        }
        self.offset = self.offset.max(offset.min(self.text.len()));
        (self.line, self.column)
    }
}

/// Reads seconds as milliseconds, exactly.
fn millis(text: &str) -> Result<Millis, &'static str> {
    if text.starts_with('-') && text.bytes().any(|b| (b'1'..=b'9').contains(&b)) {
        return Err("needs 0 seconds or more");
    }
    let text = text.trim_start_matches('-');
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    // An exponent beyond i64 is far out of range in either direction; only its sign matters then.
    let beyond = if exponent.starts_with('-') { -1_000_000_000 } else { 1_000_000_000 };
    let exponent = exponent.parse::<i64>().unwrap_or(beyond).clamp(-1_000_000_000, 1_000_000_000);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    // Digits that count milliseconds or more.
    let kept = whole.len() as i64 + exponent + 3;
    let mut total: u64 = 0;
    let digits = whole.bytes().chain(fraction.bytes()).map(|b| u64::from(b - b'0'));
    let mut seen = 0;
    for digit in digits {
        if seen < kept {
            total = total.saturating_mul(10).saturating_add(digit);
        } else if digit != 0 {
            return Err("needs at most 3 digits behind the point");
        }
        seen += 1;
    }
    while seen < kept && total != 0 && total <= TIME_MS_MAX {
        total = total.saturating_mul(10);
        seen += 1;
    }
    Ok(Millis(total))
}

/// The nearest known word, or all of them if none is near.
pub(super) fn nearest(word: &str, known: &[&str], what: &str) -> String {
    let near = (word.len() <= 64)
        .then(|| known.iter().min_by_key(|known| strsim::osa_distance(word, known)))
        .flatten();
    match near {
        Some(near) if strsim::normalized_damerau_levenshtein(word, near) >= 0.4 || near.starts_with(word) => {
            // A few words are better told whole: the nearest in letters need not be the nearest in meaning.
            let others =
                if what == "words" { format!(" {what} here are {}", quoted(known)) } else { String::new() };
            format!("did you mean {near:?}?{others}")
        }
        _ => format!("{what} here are {}", quoted(known)),
    }
}

fn quoted(words: &[&str]) -> String {
    words.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(", ")
}

/// Marks a tree's own faults as reported.
pub(super) fn report_of(tree: &mut Tree<'_>) -> Report {
    let mut report = Report::default();
    report.extend(std::mem::take(&mut tree.faults));
    report
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_exact_to_the_millisecond() {
        for (text, ms) in [
            ("0", 0),
            ("-0.0", 0),
            ("3.5", 3500),
            ("0.001", 1),
            ("1e3", 1_000_000),
            ("1500e-3", 1500),
            ("0.0010000", 1),
            ("0e999999999999999999999", 0),
            ("4503599627370.496", 1 << 52),
        ] {
            assert_eq!(millis(text), Ok(Millis(ms)), "{text}");
        }
        for text in ["-1", "0.0001", "1e-4", "1e-99999999999999999999", "-0.001"] {
            assert!(millis(text).is_err(), "{text}");
        }
        assert!(millis("1e99999999999999999999").unwrap().0 > TIME_MS_MAX);
        assert!(millis("4503599627370.497").unwrap().0 > TIME_MS_MAX);
    }

    #[test]
    fn columns_count_characters() {
        let text = "äö\r\nx\ry\nz";
        let mut position = Position::new(text);
        let of = |position: &mut Position<'_>, needle| position.of(text.find(needle).unwrap());
        assert_eq!(of(&mut position, "ö"), (1, 2));
        assert_eq!(of(&mut position, "x"), (2, 1));
        assert_eq!(of(&mut position, "y"), (3, 1));
        assert_eq!(of(&mut position, "z"), (4, 1));
    }

    #[test]
    fn names_the_nearest_word() {
        assert_eq!(nearest("max_m", &["max_ms", "name"], "keys"), "did you mean \"max_ms\"?");
        let remedy = "did you mean \"difference\"? words here are \"equality\", \"difference\"";
        assert_eq!(nearest("diference", &["equality", "difference"], "words"), remedy);
        assert_eq!(nearest("zzz", &["max", "name"], "keys"), "keys here are \"max\", \"name\"");
    }
}
