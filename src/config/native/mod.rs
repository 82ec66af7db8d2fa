//! The native queue file: JSON text onto a `QueueSpec`. Called by hosts and by the command line.
//!
//! | file | what |
//! | --- | --- |
//! | `file` | a file as a whole |
//! | `queue` | the outermost object: names, teams, sizes, limits, times |
//! | `attribute`, `rule`, `expand` | `attributes`, `rules`, and how the rules loosen |

mod attribute;
mod expand;
mod file;
mod queue;
mod rule;

pub use file::{QueueFile, read_queue, read_queue_file};
pub(super) use queue::KEYS;
#[cfg(test)]
pub(super) use rule::{KEYS as RULE_KEYS, TYPES as RULE_TYPES};
