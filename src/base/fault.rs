//! Known mistakes in the protocols of this layer, for the loom models: a model that does not fail under its
//! mistake would prove nothing.
//!
//! Called by the other files of this folder at the very lines that the mistakes are about. Invariant: without
//! `cfg(loom)` no mistake can be chosen, and asking for one is constantly false and costs nothing.

/// One mistake.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Fault {
    /// The code as it ships.
    #[default]
    None,
    /// What is pushed into an `Ingress` is published without release.
    IngressPublishesRelaxed,
    /// `Ingress::take` reads the list and empties it in two steps.
    IngressTakesInTwoSteps,
    /// An item that is taken off a `Shelf` counts as dropped at once, whoever looks at it.
    ShelfFreesEarly,
    /// A look at an item of a `Shelf` ends without release and acquire.
    ShelfLeavesRelaxed,
    /// The list of free items of a `Pool` does not count its changes.
    PoolCountStands,
    /// `Fifo::push_chain` links its numbers one by one.
    FifoChainInPieces,
    /// A push into a `Fifo` links its nodes without release.
    FifoLinksRelaxed,
    /// A push into a `Fifo` does not look at the tail again after the link.
    FifoLooksOnce,
    /// `Fifo::pop` lets the head pass the tail.
    FifoPassesTail,
    /// A reader of a `Published` does not look again whether the cell that he entered is current.
    PublishedLooksOnce,
    /// A reader of a `Published` leaves without release.
    PublishedLeavesRelaxed,
}

impl Fault {
    /// Whether the mistake `fault` is to be made.
    #[inline]
    pub(super) fn is(self, fault: Fault) -> bool {
        cfg!(loom) && self == fault
    }
}
