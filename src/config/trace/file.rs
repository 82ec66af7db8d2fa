//! A trace file line by line: what holds between its lines. Called by whoever replays a file.

use super::{TraceAction, TraceLine, read_trace_line};
use crate::config::error::ConfigError;
use crate::model::ids::Millis;
use std::collections::BTreeSet;

/// Reads the lines of one trace in their order.
///
/// Invariant: the lines that it gave have times that never fall, and no two of them submit a ticket of the
/// same name. Memory: one copy of every ticket name.
#[derive(Debug, Default)]
pub struct TraceReader {
    file: String,
    line: u32,
    last: Millis,
    tickets: BTreeSet<String>,
}

impl TraceReader {
    /// A reader of the file of that name.
    pub fn new(file: &str) -> TraceReader {
        TraceReader { file: file.to_owned(), ..TraceReader::default() }
    }

    /// The number of the line that was read last, from 1; 0 before the first.
    pub fn line(&self) -> u32 {
        self.line
    }

    /// The time of the last line that was given.
    pub fn last(&self) -> Millis {
        self.last
    }

    /// Reads the next line, with or without its line break. `None`: it is blank, or nothing but a comment.
    ///
    /// Errors: as [`read_trace_line`], a time before the last line's, a ticket name that stood before. A line
    /// with an error changes nothing.
    pub fn read(&mut self, bytes: &[u8]) -> Option<Result<TraceLine, Vec<ConfigError>>> {
        self.line = self.line.saturating_add(1);
        let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        let text = bytes.trim_ascii();
        if text.is_empty() || text.starts_with(b"//") {
            return None;
        }
        let line = match read_trace_line(self.line, bytes) {
            Ok(line) => line,
            Err(errors) => {
                return Some(Err(errors.into_iter().map(|error| error.in_file(&self.file)).collect()));
            }
        };
        if line.at < self.last {
            let remedy = format!("the line before has {}: times never fall", self.last);
            return Some(Err(vec![self.error("at", line.at.to_string(), remedy)]));
        }
        let submitted = match &line.action {
            TraceAction::Submit(submit) => Some(&submit.ticket),
            TraceAction::SubmitPlayfab(submit) => Some(&submit.ticket),
            _ => None,
        };
        if let Some(ticket) = submitted
            && !self.tickets.insert(ticket.clone())
        {
            let found = format!("ticket {ticket:?} a second time");
            return Some(Err(vec![self.error(
                "submit.ticket",
                found,
                "ticket names stand once in a file".to_owned(),
            )]));
        }
        self.last = line.at;
        Some(Ok(line))
    }

    /// An error about the whole line.
    fn error(&self, path: &str, found: String, remedy: String) -> ConfigError {
        let file = self.file.clone();
        ConfigError { file, line: self.line, column: 1, path: path.to_owned(), found, remedy }
    }
}
