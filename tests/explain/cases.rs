//! The host and the queues of the cases, in their shorthand.

#[path = "../cases/host.rs"]
pub(crate) mod host;
#[path = "../cases/queues.rs"]
pub(crate) mod queues;
