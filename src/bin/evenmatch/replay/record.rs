//! The record of a replay, and the replay of a record. Part of the replay.
//!
//! The engine records what it was asked, at the ticks that it made. What it refused is none of its record, so each
//! refused line is noted there as it was written, and written again where the note stands. Invariant: a record that
//! is replayed at its own ticks brings about the same output, byte by byte.

use super::{Output, Replay};
use crate::failure::Failure;
use evenmatch::model::ids::Millis;

impl<'a> Replay<'a> {
    /// The same replay, which also gives `record` each line of its engine's record.
    pub(crate) fn recorded(self, record: Output<'a>) -> Replay<'a> {
        Replay { record: Some(record), ..self }
    }

    /// Writes what the engine has recorded since the last time.
    pub(super) fn write_record(&mut self) -> Result<(), Failure> {
        let Some(record) = &mut self.record else { return Ok(()) };
        let mut lines = String::new();
        self.engine.record(&self.names, &mut lines);
        lines.lines().try_for_each(record)
    }

    /// Notes a line of the output that no replayed call would bring about.
    pub(super) fn note(&mut self, line: &str) -> Result<(), Failure> {
        if self.record.is_none() {
            return Ok(());
        }
        // The line without its time, which is that of the note.
        let rest = line.split_once(',').map_or("}", |(_, rest)| rest);
        self.note_rest(&format!("{{{rest}"))
    }

    fn note_rest(&self, json: &str) -> Result<(), Failure> {
        if self.record.is_none() {
            return Ok(());
        }
        let noted = self.engine.note(self.now, json);
        noted.map_err(|refusal| Failure::input(format!("note at {} s: {refusal}", self.now)))
    }

    /// Writes the line again that was noted, and notes it again if a record is kept.
    pub(super) fn repeat(&mut self, at: Millis, json: &str) -> Result<(), Failure> {
        self.note_rest(json)?;
        let rest = json.strip_prefix('{').unwrap_or(json);
        let comma = if rest == "}" { "" } else { "," };
        (self.output)(&format!("{{\"at\":{at}{comma}{rest}"))
    }
}
