//! PlayFab's queues and tickets as they are: the scenarios of its documentation with files of our own, window
//! tables, limits and errors, ticket requests and forming tickets.
//!
//! Every match of every test is judged by the independent judge, and every replay is repeated with the queue as a
//! native file, which must give the same bytes.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot read its data has failed")]

mod errors;
mod host;
mod scenarios;
mod tickets;
mod traffic;
mod windows;
