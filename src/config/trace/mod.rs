//! Trace lines: what hosts did, one JSON object a line. Called by whoever replays recorded traffic.
//!
//! Invariant: a line is read by itself. That times do not fall and ticket names stand once in a file is for
//! [`TraceReader`], which reads a file line by line and keeps what it needs for that.
//!
//! | file | what |
//! | --- | --- |
//! | `line` | what a line says |
//! | `reader` | reads one line |
//! | `file` | what holds between the lines of a file |
//! | `request` | a ticket or a member as JSON text by itself |
//! | `recorded` | requests back as the actions of a trace |

mod file;
mod line;
mod reader;
mod recorded;
mod request;
#[cfg(test)]
mod tests;

pub use file::TraceReader;
pub use line::{
    QueueState, TraceAction, TraceJoin, TraceLine, TracePlayer, TracePlayerUpdate, TraceSubmit, TraceUpdate,
};
pub(super) use reader::attribute_value;
pub use reader::read_trace_line;
pub use request::{Joining, Submission, read_joining, read_submission};
