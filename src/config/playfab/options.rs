//! What PlayFab's public texts leave open, to be set by whoever reads a file.

use crate::rules::spec::WindowAge;

/// How a PlayFab queue is read where its public documentation leaves a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayfabOptions {
    /// Whose age drives the expansions.
    pub windows: WindowAge,
    /// Whose age drives a `MatchTotalRule` that has an expansion.
    pub total_windows: WindowAge,
    /// What the `Delta` of a linear expansion does to a `MinIntersectionSize`.
    pub intersection_delta: IntersectionDelta,
}

impl Default for PlayfabOptions {
    /// Every ticket's own age; for totals that of the oldest ticket, so that a fresh player joins at once when
    /// the others have relaxed to a smaller number; `Delta` is subtracted.
    fn default() -> PlayfabOptions {
        PlayfabOptions {
            windows: WindowAge::Mutual,
            total_windows: WindowAge::Oldest,
            intersection_delta: IntersectionDelta::Subtracted,
        }
    }
}

/// What the `Delta` of a linear expansion does to a `MinIntersectionSize`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntersectionDelta {
    /// It is subtracted, down to 0: the rule loosens, as expansions do.
    Subtracted,
    /// It is added, as the API specification says literally: the rule tightens.
    Added,
}
