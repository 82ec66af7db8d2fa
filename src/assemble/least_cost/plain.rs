//! What a match of two single players comes down to, where it does: differences, a region, and nothing else.
//!
//! Made once for each queue. Invariant: for two *plain* tickets (one player, no limits of its own, no rule that has
//! become a preference) of one shard the differences and the region decide whether they are a legal match, and make
//! its whole cost; every other pair is judged by all rules.

use crate::rules::compile::{CompiledQueue, Kind};
use crate::rules::spec::WindowAge;

/// Differences that are followed, at most.
pub(super) const DIFFERENCES_MAX: usize = 3;

/// Whose window of a difference binds a pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::assemble) enum Binding {
    /// The narrower one: each ticket's own, or the newer one's where windows only loosen.
    Narrower,
    /// The wider one: the older one's where windows only loosen.
    Wider,
}

/// A difference that is followed.
#[derive(Clone, Copy, Debug)]
pub(in crate::assemble) struct Difference {
    pub(super) rule: usize,
    pub(super) slot: usize,
    /// Index of its window in a ticket's state.
    pub(super) state: usize,
    pub(in crate::assemble) weight: i64,
    pub(super) binding: Binding,
}

/// The region rule.
#[derive(Clone, Copy, Debug)]
pub(in crate::assemble) struct Region {
    pub(super) rule: usize,
    /// Index of its window in a ticket's state.
    pub(super) state: usize,
    pub(in crate::assemble) weight: i64,
}

/// What pairs of a queue come down to.
#[derive(Clone, Debug)]
pub(in crate::assemble) struct PlainRules {
    /// Pairs of plain tickets need no judge.
    pub(super) decide: bool,
    /// The differences, that of the order first.
    pub(in crate::assemble) differences: Vec<Difference>,
    pub(in crate::assemble) region: Option<Region>,
    /// Whether a ticket of so many players may be a match alone, as far as sizes tell.
    pub(super) may_be_alone: [bool; 3],
}

impl PlainRules {
    /// Looks at a queue.
    pub(in crate::assemble) fn new(queue: &CompiledQueue) -> PlainRules {
        let mut plain = PlainRules {
            decide: true,
            differences: Vec::new(),
            region: None,
            may_be_alone: [1, 1, 2]
                .map(|size| queue.shape.is_legal_total(size) && queue.shape.enough_tickets(1, size)),
        };
        for (index, rule) in queue.rules.iter().enumerate() {
            match &rule.kind {
                Kind::Difference(slot, _) => {
                    let binding = match rule.age {
                        WindowAge::Oldest => Binding::Wider,
                        WindowAge::Mutual | WindowAge::Newest => Binding::Narrower,
                    };
                    plain.decide &= rule.age == WindowAge::Mutual || rule.only_loosens;
                    let (state, weight) = (rule.state, rule.weight);
                    plain.differences.push(Difference { rule: index, slot: *slot, state, weight, binding });
                }
                Kind::Region(_) => {
                    plain.decide &= rule.age == WindowAge::Mutual;
                    plain.region = Some(Region { rule: index, state: rule.state, weight: rule.weight });
                }
                // Those that always hold part the queue into shards.
                Kind::Equality(_, switch) => plain.decide &= rule.needs_value && switch.always(None),
                Kind::Total(..)
                | Kind::TeamDifference(..)
                | Kind::TeamSize(_)
                | Kind::Intersection(..)
                | Kind::PremadeBalance(_) => plain.decide = false,
            }
        }
        // The order goes by the heaviest difference.
        if let Some(&(rule, _)) = queue.dimensions.first()
            && let Some(at) = plain.differences.iter().position(|difference| difference.rule == rule)
        {
            plain.differences.swap(0, at);
        }
        plain.decide &= plain.differences.len() <= DIFFERENCES_MAX && two_singles_split(queue);
        plain.differences.truncate(DIFFERENCES_MAX);
        plain
    }

    /// Whether a ticket is plain as far as its rules tell, of which those in `soft` are preferences.
    pub(super) fn is_plain(&self, soft: u32) -> bool {
        self.decide && soft == 0
    }
}

/// Whether two single players are a legal match by sizes, in a split that is always legal.
pub(in crate::assemble) fn two_singles_split(queue: &CompiledQueue) -> bool {
    let shape = &queue.shape;
    let is_duel = shape.positions.len() == 2 && shape.positions.iter().all(|position| position.max == 1);
    shape.full == 2 && shape.enough_tickets(2, 2) && (!shape.has_teams || is_duel)
}
