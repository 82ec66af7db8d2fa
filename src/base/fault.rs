//! Known mistakes in the protocols of this layer, for the loom models: a model that does not fail under its
//! mistake would prove nothing.
//!
//! Called by `ingress` at the very lines that the mistakes are about. Invariant: without `cfg(loom)` no
//! mistake can be chosen, and asking for one is constantly false and costs nothing.

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
}

impl Fault {
    /// Whether the mistake `fault` is to be made.
    #[inline]
    pub(super) fn is(self, fault: Fault) -> bool {
        cfg!(loom) && self == fault
    }
}
