//! L8: the C ABI, feature `capi`. Each section of `include/evenmatch.h`, which is made from here, is one to three files.
//!
//! | file | what |
//! | --- | --- |
//! | `version`, `status` | which library this is; what every call answers |
//! | `engine`, `symbol`, `queue` | engines, their names as small numbers, their queues |
//! | `ticket`, `submit`, `player`, `json` | tickets as flat arrays, or as JSON text, come in, change and leave |
//! | `event`, `state`, `stats`, `activity` | what comes out, and what the engine says when asked |
//! | `naming`, `explain`, `estimate` | why a ticket waits, and how long |
//! | `record`, `meeting` | what was asked; the ticks of a replay |
//! | `layout` | sizes and offsets, for the tests of bindings |
//! | `debug` | entries for tests, feature `capi-test` |
//! | `batch`, `plain`, `flatten` | the caller's arrays become requests, or plain tickets; events become the caller's arrays |
//! | `table`, `instance`, `names`, `echo` | the engines of the process; one of them; its names; one that echoes |
//! | `guard`, `wire` | no panic leaves; the door to foreign pointers |
//!
//! Exports are written out, not made by macros, and bear the names of the header: the generator of the header reads
//! the source text.
#![allow(
    non_camel_case_types,
    clippy::missing_safety_doc,
    reason = "the names are those of the header, whose charter says what every pointer must be"
)]

pub mod activity;
mod batch;
#[cfg(feature = "capi-test")]
pub mod debug;
mod echo;
pub mod engine;
pub mod estimate;
pub mod event;
pub mod explain;
mod flatten;
mod guard;
mod instance;
pub mod json;
pub mod layout;
pub mod meeting;
mod names;
pub mod naming;
mod plain;
pub mod player;
pub mod queue;
pub mod record;
pub mod state;
pub mod stats;
pub mod status;
pub mod submit;
pub mod symbol;
mod table;
pub mod ticket;
pub mod version;
mod wire;

use guard::Fault;
use status::{EVENMATCH_INVALID_ARGUMENT, EVENMATCH_UNKNOWN_ENUM};

/// Reserved fields must be 0, so that they can get a meaning.
fn reserved(fields: &[u32]) -> Result<(), Fault> {
    match fields.iter().find(|&&field| field != 0) {
        None => Ok(()),
        Some(field) => {
            Err(Fault::new(EVENMATCH_INVALID_ARGUMENT, format!("a reserved field is {field}, not 0")))
        }
    }
}

/// 0 or 1.
fn flag(value: i32, what: &'static str) -> Result<bool, Fault> {
    match value {
        0 => Ok(false),
        1 => Ok(true),
        other => Err(Fault::new(EVENMATCH_UNKNOWN_ENUM, format!("{what} {other}, neither 0 nor 1"))),
    }
}
