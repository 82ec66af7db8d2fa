//! The JSON Schema of the native queue file, for editors. Printed by `evenmatch check --schema`.
//!
//! The schema says what a file looks like; what its numbers mean together is for `read_queue` alone.
//! Invariant, held by the tests below: it knows the keys, rule types and words that the reader knows.

/// The schema (draft 2020-12) as JSON text.
pub const QUEUE_SCHEMA: &str = include_str!("queue.schema.json");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::json::{Node, Value, parse};
    use crate::config::native::{KEYS, RULE_KEYS, RULE_TYPES};
    use std::collections::BTreeSet;

    fn member<'a, 't>(node: &'a Node<'t>, path: &[&str]) -> &'a Node<'t> {
        path.iter().fold(node, |node, key| {
            &node.members().iter().find(|member| member.key == *key).unwrap_or_else(|| panic!("{key}")).node
        })
    }

    fn keys<'a>(node: &'a Node<'_>) -> BTreeSet<&'a str> {
        member(node, &["properties"]).members().iter().map(|member| &*member.key).collect()
    }

    #[test]
    fn the_schema_knows_what_the_reader_knows() {
        let tree = parse(QUEUE_SCHEMA).unwrap();
        assert_eq!(tree.faults, []);
        assert_eq!(keys(&tree.root), KEYS.iter().copied().collect());
        let rules = member(&tree.root, &["properties", "rules", "items", "oneOf"]);
        let Value::Array(rules) = &rules.value else { panic!("a list of rules") };
        assert_eq!(rules.len(), RULE_TYPES.len());
        for (rule, (word, own)) in rules.iter().zip(RULE_TYPES) {
            assert_eq!(member(rule, &["properties", "type", "const"]).shown(), format!("{word:?}"));
            let mut expected: BTreeSet<&str> = RULE_KEYS.iter().chain(*own).copied().collect();
            if *word == "premade_balance" {
                expected.remove("expand");
            }
            assert_eq!(keys(rule), expected, "{word}");
        }
    }
}
