//! L3: everything that is JSON. Queue files and trace lines come in here, events and logs go out.
//!
//! Reading never stops at the first error: a text becomes a tree with positions, the tree becomes a
//! [`QueueSpec`](crate::rules::spec::QueueSpec) or a [`TraceLine`], and every error carries line, column,
//! JSON path, what was found and what is legal.
//!
//! | file | what |
//! | --- | --- |
//! | `json` | text as a tree with positions |
//! | `report`, `error` | nodes read as values; what is wrong with them, and where |
//! | `formats` | queue files of whatever format |
//! | `native`, `playfab` | each format onto a `QueueSpec`; PlayFab's tickets |
//! | `trace` | trace lines, and tickets as JSON text |
//! | `write` | everything that goes out |
//! | `schema` | the JSON Schema of the native queue file |
//! | `leaves` | any JSON text as paths and values |

mod error;
mod formats;
mod json;
mod leaves;
mod native;
mod playfab;
mod report;
mod schema;
pub mod trace;
pub mod write;

pub use error::ConfigError;
pub use formats::{QueueFormat, QueuesFile, read_queues_file};
pub use json::{DEPTH_MAX, TEXT_BYTES_MAX};
pub use leaves::{Leaf, read_leaves};
pub use native::{QueueFile, read_queue, read_queue_file};
pub use playfab::{IntersectionDelta, PlayfabJoin, PlayfabMember, PlayfabOptions, PlayfabTicket};
pub use report::ERRORS_MAX;
pub use schema::QUEUE_SCHEMA;
pub use trace::{TraceLine, read_trace_line};
