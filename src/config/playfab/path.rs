//! Attribute paths: a name, a dotted path, or the simple part of JSONPath. Called by the readers beside it.
//!
//! Grammar: `Skill`, `Stats.Skill`, `$.Stats.Skill`, `$['Stats']["Skill"]`. Filters, wildcards, indices and
//! recursive descent are errors. Invariant: a path has at least one step and no empty step.

use crate::config::json::Node;

/// What a path may look like.
pub(super) const LEGAL: &str =
    "needs a name, a dotted path (\"Stats.Skill\") or a $. path (\"$.Stats.Skill\")";

/// The names that a path goes through; `None` if it is not of the grammar.
pub(super) fn steps(path: &str) -> Option<Vec<String>> {
    let mut steps = Vec::new();
    let mut rest = match path.strip_prefix('$') {
        Some(rest) => rest,
        None if path.starts_with(['.', '[']) => return None,
        None => {
            let (name, rest) = split_name(path)?;
            steps.push(name.to_owned());
            rest
        }
    };
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('.') {
            let (name, after) = split_name(after)?;
            steps.push(name.to_owned());
            rest = after;
            continue;
        }
        let quoted = rest.strip_prefix('[')?;
        let quote = quoted.chars().next().filter(|quote| ['\'', '"'].contains(quote))?;
        let (name, after) = quoted[1..].split_once(quote)?;
        if name.is_empty() {
            return None;
        }
        steps.push(name.to_owned());
        rest = after.strip_prefix(']')?;
    }
    (!steps.is_empty()).then_some(steps)
}

/// The name at the front, and what is behind it.
fn split_name(text: &str) -> Option<(&str, &str)> {
    let end = text.find(['.', '[']).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let is_plain = !name.is_empty() && !name.contains([']', '*', '?', '$', '@', '(', ')', ',']);
    is_plain.then_some((name, rest))
}

/// The value at a path of an object: the member that is called like the whole path, else the one that the steps
/// lead to.
pub(super) fn find<'a, 't>(object: &'a Node<'t>, path: &str) -> Option<&'a Node<'t>> {
    if let Some(node) = member(object, path) {
        return Some(node);
    }
    steps(path)?.iter().try_fold(object, |node, step| member(node, step))
}

/// Whether the path means the whole of the member of that name.
pub(super) fn is_member(path: &str, name: &str) -> bool {
    path == name || steps(path).is_some_and(|steps| steps == [name])
}

fn member<'a, 't>(object: &'a Node<'t>, name: &str) -> Option<&'a Node<'t>> {
    object.members().iter().find(|member| member.key == name).map(|member| &member.node)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::json::parse;

    #[test]
    fn paths_of_all_three_kinds() {
        for (path, expected) in [
            ("Skill", &["Skill"][..]),
            ("Stats.Skill", &["Stats", "Skill"]),
            ("$.Stats.Skill", &["Stats", "Skill"]),
            ("$['a.b'].c", &["a.b", "c"]),
            ("$[\"a\"]['b']", &["a", "b"]),
            ("a b", &["a b"]),
        ] {
            assert_eq!(steps(path).unwrap(), expected, "{path}");
        }
        for path in ["", "$", "$.", ".a", "a.", "a..b", "$..a", "$.*", "a[0]", "$[?(@.x)]", "$['']", "$['a'"]
        {
            assert_eq!(steps(path), None, "{path}");
        }
    }

    #[test]
    fn a_member_of_the_whole_name_comes_first() {
        let tree = parse(r#"{"a.b": 1, "a": {"b": 2, "c": 3}}"#).unwrap();
        let found = |path| find(&tree.root, path).map(Node::compact);
        assert_eq!(found("a.b").as_deref(), Some("1"));
        assert_eq!(found("$.a.b").as_deref(), Some("2"));
        assert_eq!(found("a.c").as_deref(), Some("3"));
        assert_eq!(found("a.d"), None);
        assert!(is_member("$.a", "a") && is_member("a.b", "a.b") && !is_member("a.b", "a"));
    }
}
