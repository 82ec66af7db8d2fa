//! Explanations: exact against the independent judge on random queues, times that come true when they are replayed,
//! and each kind of block provoked by hand.
//!
//! Cases come from fixed seeds and shrink. `EXPLAIN_CASES=5000 cargo test --test explain` plays more of them, and
//! `EXPLAIN_SEED=7` others; a failure prints both.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test whose own calls are refused has failed")]

mod blocks;
#[allow(dead_code, unreachable_pub, reason = "shared with the cases, which use the rest")]
mod cases;
mod command;
#[allow(dead_code, reason = "shared with the test of the oracle, which uses the rest")]
mod oracle;
mod played;
mod promises;
mod teams;
mod yardstick;
