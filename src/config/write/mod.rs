//! Writes JSON: output lines, explanations, trace lines, queue files. Called by the command line and by whoever keeps a
//! log.
//!
//! Invariant: what is written is strict JSON in one line (queue files excepted, which are indented), numbers
//! have the fewest digits that say them exactly, and keys stand in a fixed order, so equal input gives equal
//! bytes.
//!
//! | file | what |
//! | --- | --- |
//! | `events` | matches, ends and refusals |
//! | `explanation` | why a ticket waits |
//! | `trace` | trace lines |
//! | `queue` | queue files |
//! | `writer` | commas, quotes and indents: JSON as a stream |

mod events;
mod explanation;
mod queue;
mod trace;
mod writer;

pub use events::{Names, Subject, write_ended, write_event, write_match, write_refused};
pub use explanation::{write_explanation, write_pair_answer};
pub use queue::write_queue;
pub use trace::{attribute_json, write_trace_line};
pub use writer::JsonWriter;
