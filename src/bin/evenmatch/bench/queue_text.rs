//! The queue files of the load.
//!
//! Used by `plan`. Invariant: they are what a host would write; nothing in them helps the engine.

use super::crowd::QUEUE;

/// A kind of queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum QueueKind {
    /// One against one: skill within 100, more with the wait, and 120 ms.
    Duel,
    /// The same, and both want the same mode.
    ModeDuel,
    /// Five against five: parties, skill within 200, more with the wait, 120 ms, even teams.
    Squads,
    /// Sixty to a hundred players: skill within 400, 120 ms; only a full match in the first five seconds.
    Royale,
    /// Five against five, in each team a tank, a healer and three who do damage.
    Roles,
}

impl QueueKind {
    /// The queue file, with those further keys.
    pub(super) fn text(self, selection: &str, index: &str) -> String {
        let teams = match self {
            QueueKind::Duel | QueueKind::ModeDuel => {
                r#""teams": [{ "name": "side", "count": 2, "players": 1 }]"#
            }
            QueueKind::Squads | QueueKind::Roles => {
                r#""teams": [{ "name": "red", "players": 5 }, { "name": "blue", "players": 5 }], "party": { "max": 5 }"#
            }
            QueueKind::Royale => r#""players": { "min": 60, "max": 100 }, "prefer_full_for_s": 5"#,
        };
        let (attributes, rules) = match self {
            QueueKind::ModeDuel => (
                r#", "mode": { "type": "string" }"#,
                r#", { "name": "mode", "type": "equality", "attribute": "mode" }"#,
            ),
            QueueKind::Squads => (
                "",
                r#", { "name": "fair", "type": "team_difference", "attribute": "skill", "max": 100,
                    "expand": { "linear": { "add": 20, "every_s": 5, "cap": 400 } } }"#,
            ),
            QueueKind::Roles => (
                r#", "tank": { "type": "integer", "default": 0, "min": 0, "max": 1 },
                    "healer": { "type": "integer", "default": 0, "min": 0, "max": 1 },
                    "damage": { "type": "integer", "default": 0, "min": 0, "max": 1 }"#,
                r#", { "name": "tank", "type": "total", "attribute": "tank", "per": "team", "min": 1, "max": 1 },
                    { "name": "healer", "type": "total", "attribute": "healer", "per": "team", "min": 1, "max": 1 },
                    { "name": "damage", "type": "total", "attribute": "damage", "per": "team", "min": 3, "max": 3 }"#,
            ),
            QueueKind::Duel | QueueKind::Royale => ("", ""),
        };
        let (window, cap) = match self {
            QueueKind::Duel | QueueKind::ModeDuel => (100, 300),
            QueueKind::Squads | QueueKind::Roles => (200, 600),
            QueueKind::Royale => (400, 800),
        };
        format!(
            r#"{{ "name": "{QUEUE}", {teams},
                "attributes": {{ "skill": {{ "type": "number", "default": 1500, "min": 0 }} {attributes} }},
                "rules": [
                  {{ "name": "skill", "type": "difference", "attribute": "skill", "max": {window},
                    "expand": {{ "linear": {{ "add": 20, "every_s": 2, "cap": {cap} }} }} }},
                  {{ "name": "ping", "type": "region", "max_ms": 120 }} {rules}
                ],
                "selection": "{selection}"{index} }}"#
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evenmatch::config::read_queue;

    #[test]
    fn every_queue_is_legal() {
        use QueueKind::{Duel, ModeDuel, Roles, Royale, Squads};
        for kind in [Duel, ModeDuel, Squads, Royale, Roles] {
            for index in ["", r#", "index": "sorted""#] {
                let read = read_queue(&kind.text("oldest_first", index));
                assert!(read.is_ok(), "{kind:?}: {read:?}");
            }
        }
    }
}
