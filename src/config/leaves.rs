//! The leaves of a JSON text, each with its path: for texts that no reader of this module knows.
//!
//! Used by the command line for runs that it has written itself. Invariant: every null, word, number and string of the
//! text is there once, in the order of the text; empty objects and lists leave no trace.

use super::error::ConfigError;
use super::json::{Node, Value, decode, parse};
use super::report::{Fault, Report};
use crate::rules::validate::join_place;

/// A value that holds no others.
#[derive(Clone, PartialEq, Debug)]
pub enum Leaf {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number as it is written.
    Number(String),
    /// A string.
    String(String),
}

/// Reads all leaves of a text with their JSON paths, `rows[2].name` for one.
///
/// Any thread. Errors: every place where the text is not what other readers of this module take: UTF-8, JSON, each key
/// once in its object, within [`super::TEXT_BYTES_MAX`] and [`super::DEPTH_MAX`].
pub fn read_leaves(bytes: &[u8]) -> Result<Vec<(String, Leaf)>, Vec<ConfigError>> {
    let text = decode(bytes).map_err(|(text, fault)| errors(text, [fault]))?;
    let tree = parse(text).map_err(|fault| errors(text, [fault]))?;
    if !tree.faults.is_empty() {
        return Err(errors(text, tree.faults));
    }
    let mut leaves = Vec::new();
    gather(&tree.root, String::new(), &mut leaves);
    Ok(leaves)
}

fn errors(text: &str, faults: impl IntoIterator<Item = Fault>) -> Vec<ConfigError> {
    let mut report = Report::default();
    faults.into_iter().for_each(|fault| report.push(fault));
    report.into_errors(text, None)
}

fn gather(node: &Node<'_>, path: String, leaves: &mut Vec<(String, Leaf)>) {
    let leaf = match &node.value {
        Value::Null => Leaf::Null,
        Value::Bool(value) => Leaf::Bool(*value),
        Value::Number(text) => Leaf::Number((*text).to_owned()),
        Value::String(text) => Leaf::String(text.clone().into_owned()),
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                gather(element, format!("{path}[{index}]"), leaves);
            }
            return;
        }
        Value::Object(members) => {
            for member in members {
                gather(&member.node, join_place(&path, &member.key), leaves);
            }
            return;
        }
    };
    leaves.push((path, leaf));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_stand_with_their_paths() {
        let leaves = read_leaves(br#"{"a":[1.5,{"b":null}],"c":{"d":"x","e":true},"f":[]}"#).unwrap();
        let expected = [
            ("a[0]", Leaf::Number("1.5".into())),
            ("a[1].b", Leaf::Null),
            ("c.d", Leaf::String("x".into())),
            ("c.e", Leaf::Bool(true)),
        ];
        assert_eq!(leaves, expected.map(|(path, leaf)| (path.to_owned(), leaf)));
        assert_eq!(read_leaves(b"\n[1").unwrap_err()[0].line, 2);
        assert!(read_leaves(b"\xff").is_err());
        assert!(read_leaves(br#"{"a":1,"a":2}"#).unwrap_err()[0].found.contains("\"a\""));
    }
}
