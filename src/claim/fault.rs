//! Known mistakes in the protocols of this layer, for the loom models: a model that does not fail under its
//! mistake would prove nothing.
//!
//! Called by `players`, `proposals`, `slots` and `commit` at the very lines that the mistakes are about. Invariant:
//! without `cfg(loom)` no mistake can be chosen, and asking for one is constantly false and costs nothing.

/// One mistake.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Fault {
    /// The code as it ships.
    #[default]
    None,
    /// `end` takes a marked ticket without a word to the proposal that wants it.
    EndIgnoresProposal,
    /// `commit` replaces the mark of a proposal that is still undecided.
    CommitStealsMark,
    /// `commit_with` ends the other tickets after the match has been decided.
    OthersAfterwards,
    /// `commit_with` marks the other tickets as it does those of the match.
    OthersMarkedAlike,
    /// An entry of the proposal table is used again under the same sequence number.
    SequenceStands,
    /// A ticket's word says MATCHED before the match's id is in the slot.
    MatchIdLate,
    /// A bucket of the players' table does not count its changes.
    BucketCountStands,
    /// A claim that lost a race for a bucket does not look for the player again.
    ClaimLooksOnce,
    /// Nodes of the players' table are written without release.
    NodesRelaxed,
    /// Whoever looks for a player does not look at the bucket again after a node.
    ReaderLooksOnce,
}

impl Fault {
    /// Whether the mistake `fault` is to be made.
    #[inline]
    pub(super) fn is(self, fault: Fault) -> bool {
        cfg!(loom) && self == fault
    }
}
