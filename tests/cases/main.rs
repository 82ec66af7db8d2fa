//! The fault cases of other matchmakers, as named tests: `pt_02_...` keeps case PT-02.
//!
//! One module a family. Every case goes through the engine's public door and asserts what a host would see.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a case whose own calls are refused has failed")]
#![allow(unreachable_pub, reason = "modules of a test")]

mod allocations;
mod cancels;
mod config;
mod duplicates;
mod estimates;
mod events;
mod expansion;
mod fairness;
mod host;
mod hostile;
mod lifecycle;
mod many;
mod numbers;
mod party;
mod queues;
mod regions;
mod scale;
mod statistics;
mod telling;
