//! Reads queue files and says what is wrong with them.
//!
//! Used by every command that takes a queue file. Invariant: a queue that comes out of here has passed all
//! checks of the library, so an engine takes it.

use crate::failure::Failure;
use crate::format::FormatArguments;
use crate::sink;
use evenmatch::config::{ConfigError, QueuesFile, read_queues_file};
use evenmatch::rules::spec::QueueSpec;

/// Queues, each with the path of its file.
type Specs<'p> = Vec<(QueueSpec, &'p str)>;

/// Reads one queue file. `Ok(Err(_))`: it could be read, and these are its errors.
pub(crate) fn read(
    path: &str,
    format: &FormatArguments,
) -> Result<Result<QueuesFile, Vec<ConfigError>>, Failure> {
    let bytes = sink::read_text(path)?;
    Ok(read_queues_file(path, &bytes, format.format(), &format.options()))
}

/// Reads queue files that must be right, each queue with the path of its file; their warnings are not shown.
pub(crate) fn read_all<'p>(paths: &'p [String], format: &FormatArguments) -> Result<Specs<'p>, Failure> {
    Ok(read_with_warnings(paths, format)?.0)
}

/// The same, and the warnings.
pub(crate) fn read_with_warnings<'p>(
    paths: &'p [String],
    format: &FormatArguments,
) -> Result<(Specs<'p>, Vec<ConfigError>), Failure> {
    let mut specs = Vec::new();
    let (mut warnings, mut errors) = (Vec::new(), Vec::new());
    for path in paths {
        match read(path, format)? {
            Ok(file) => {
                warnings.extend(file.warnings);
                specs.extend(file.specs.into_iter().map(|spec| (spec, path.as_str())));
            }
            Err(found) => errors.extend(found),
        }
    }
    if !errors.is_empty() {
        return Err(Failure::input(listed(&errors)));
    }
    Ok((specs, warnings))
}

/// All errors, one a line, after a line that counts them.
pub(crate) fn listed(errors: &[ConfigError]) -> String {
    let count = match errors.len() {
        1 => "1 error".to_owned(),
        count => format!("{count} errors"),
    };
    let lines = errors.iter().map(|error| format!("\n  {error}"));
    format!(
        "{count} in the queue file; `evenmatch init` writes files to compare with{}",
        lines.collect::<String>()
    )
}
