//! Queue files of whatever format: the format is told by the content, or by whoever brings the file. Called by
//! hosts and by the command line.

use super::error::ConfigError;
use super::json;
use super::native::{KEYS, read_queue_file};
use super::playfab::{PlayfabOptions, looks_like_playfab, read_file};
use super::report::Report;
use crate::rules::spec::QueueSpec;

/// A format of queue files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum QueueFormat {
    /// Told by the content.
    #[default]
    Auto,
    /// This engine's own.
    Native,
    /// PlayFab's, in its documentation's form, its API's, or a mix of both.
    Playfab,
}

/// A file that was read without an error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueuesFile {
    /// Its queues, in the order of the file; one in a native file.
    pub specs: Vec<QueueSpec>,
    /// What is legal in it but hardly meant, in the order of the file.
    pub warnings: Vec<ConfigError>,
    /// The format that it has; never `Auto`.
    pub format: QueueFormat,
}

/// Reads the queues of a file; `file` is its name in errors and warnings.
///
/// Errors: all that is wrong with it, with places; bytes that are not UTF-8.
pub fn read_queues_file(
    file: &str,
    bytes: &[u8],
    format: QueueFormat,
    options: &PlayfabOptions,
) -> Result<QueuesFile, Vec<ConfigError>> {
    let is_playfab = match format {
        QueueFormat::Native => false,
        QueueFormat::Playfab => true,
        QueueFormat::Auto => json::decode(bytes).is_ok_and(|text| looks_like_playfab(text, KEYS)),
    };
    if !is_playfab {
        let read = read_queue_file(file, bytes)?;
        let (specs, warnings) = (vec![read.spec], read.warnings);
        return Ok(QueuesFile { specs, warnings, format: QueueFormat::Native });
    }
    let name = |errors: Vec<ConfigError>| errors.into_iter().map(|error| error.in_file(file)).collect();
    let text = json::decode(bytes).map_err(|(text, fault)| {
        let mut report = Report::default();
        report.push(fault);
        name(report.into_errors(text, None))
    })?;
    let (specs, warnings) = read_file(text, options).map_err(name)?;
    Ok(QueuesFile { specs, warnings: name(warnings), format: QueueFormat::Playfab })
}
