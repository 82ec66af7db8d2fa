//! A queue in which every ticket is a match: what a queue becomes in an engine that echoes.
//!
//! Called when a queue is added to such an engine. Invariant: what submit asks of a ticket's attributes, of
//! its latency and of the size of a party stays as the queue says; values that only its rules need are not asked for.

use crate::base::fixed::Fixed;
use crate::model::ids::Millis;
use crate::model::limits::TICKET_PLAYERS_MAX;
use crate::rules::spec::{Expand, MatchSizeSpec, NumberWindow, QueueSpec, RuleKind, Selection, TeamSpec};

/// The queue with one team that takes any ticket, and of its rules only the region rule, without a limit.
pub(super) fn of(mut spec: QueueSpec) -> QueueSpec {
    let players_max = TICKET_PLAYERS_MAX as u32;
    spec.teams = vec![TeamSpec { name: "all".to_owned(), count: None, players_min: 1, players_max }];
    spec.players = MatchSizeSpec::default();
    spec.min_tickets = None;
    spec.prefer_full_for = Millis(0);
    spec.selection = Selection::OldestFirst;
    spec.urgent_after = None;
    spec.rules.retain(|rule| matches!(rule.kind, RuleKind::Region { .. }));
    for rule in &mut spec.rules {
        rule.optional_after = None;
        if let RuleKind::Region { window, .. } = &mut rule.kind {
            *window = NumberWindow { base: Fixed::MAX, expand: Expand::Never };
        }
    }
    spec
}
