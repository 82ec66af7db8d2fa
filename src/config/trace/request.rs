//! A ticket or a member as JSON text by itself, native or PlayFab's. Called by hosts through the engine.
//!
//! Invariant: as of a line of a trace; what is given had nothing wrong in it.

use super::line::{TracePlayer, TraceSubmit};
use super::reader;
use crate::config::error::ConfigError;
use crate::config::json::{self, Node};
use crate::config::playfab::{
    PlayfabJoin, PlayfabTicket, read_join, read_join_request, read_request, read_ticket,
};
use crate::config::report::{Report, report_of};

/// A ticket, in the format that it came in.
#[derive(Clone, PartialEq, Debug)]
pub enum Submission {
    /// The native format.
    Native(Box<TraceSubmit>),
    /// PlayFab's.
    Playfab(Box<PlayfabTicket>),
}

/// A member who joins, in the format that he came in.
#[derive(Clone, PartialEq, Debug)]
pub enum Joining {
    /// The native format.
    Native(Box<TracePlayer>),
    /// PlayFab's.
    Playfab(Box<PlayfabJoin>),
}

/// Reads the `submit` of a trace line, or a PlayFab request by itself; a ticket that is not named has the name
/// "". Errors: all that is wrong with it.
pub fn read_submission(bytes: &[u8]) -> Result<Submission, Vec<ConfigError>> {
    read(bytes, |report, root| {
        if has(root, "playfab") {
            read_ticket(report, root, "").map(|it| Submission::Playfab(Box::new(it)))
        } else if has(root, "QueueName") {
            read_request(report, root, None, String::new()).map(|it| Submission::Playfab(Box::new(it)))
        } else {
            reader::submit(report, root, Some("")).map(|it| Submission::Native(Box::new(it)))
        }
    })
}

/// Reads the `player` of a trace line, or a PlayFab request to join, by itself or as `{"playfab": {..}}`.
/// Errors: all that is wrong with it.
pub fn read_joining(bytes: &[u8]) -> Result<Joining, Vec<ConfigError>> {
    read(bytes, |report, root| {
        if has(root, "playfab") {
            read_join(report, root).map(|it| Joining::Playfab(Box::new(it)))
        } else if has(root, "Member") {
            let unnamed = Some(String::new());
            read_join_request(report, root, None, unnamed).map(|it| Joining::Playfab(Box::new(it)))
        } else {
            reader::player(report, root).map(|it| Joining::Native(Box::new(it)))
        }
    })
}

fn has(root: &Node<'_>, key: &str) -> bool {
    root.members().iter().any(|member| member.key == key)
}

fn read<T>(
    bytes: &[u8],
    read: impl FnOnce(&mut Report, &Node<'_>) -> Option<T>,
) -> Result<T, Vec<ConfigError>> {
    let single = |text: &str, fault| {
        let mut report = Report::default();
        report.push(fault);
        report.into_errors(text, None)
    };
    let text = json::decode(bytes).map_err(|(text, fault)| single(text, fault))?;
    let mut tree = json::parse(text).map_err(|fault| single(text, fault))?;
    let mut report = report_of(&mut tree);
    match read(&mut report, &tree.root) {
        Some(it) if report.is_empty() => Ok(it),
        _ => Err(report.into_errors(text, Some(&tree.root))),
    }
}
