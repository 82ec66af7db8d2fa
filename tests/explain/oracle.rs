//! The random queues and tickets of the oracle's test.

#[path = "../oracle/queues.rs"]
pub(crate) mod queues;
#[path = "../oracle/rules.rs"]
pub(crate) mod rules;
#[path = "../oracle/shapes.rs"]
pub(crate) mod shapes;
#[path = "../oracle/tickets.rs"]
pub(crate) mod tickets;
