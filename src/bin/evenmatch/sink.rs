//! Where a command's lines go: a file that appears whole or not at all, or the standard output.
//!
//! Used by `run`, `init` and `generate`. Invariant: a regular file gets its name only after its last byte has
//! been written, so whoever finds the file finds all of it.

use crate::failure::Failure;
use crate::targets::is_standard_output;
use evenmatch::config::TEXT_BYTES_MAX;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// A buffered writer onto a file or the standard output.
pub(crate) struct Sink {
    writer: Option<BufWriter<Box<dyn Write>>>,
    /// The name for messages.
    name: String,
    /// The unfinished file and the name it gets in the end.
    pending: Option<(PathBuf, PathBuf)>,
}

impl Sink {
    /// Opens `path`; `-` is the standard output.
    ///
    /// An older file of that name is removed, so that it is not taken for the result of a run that failed.
    /// Devices and pipes are written to directly.
    pub(crate) fn open(path: &str) -> Result<Sink, Failure> {
        if is_standard_output(path) {
            let writer: Box<dyn Write> = Box::new(io::stdout());
            return Ok(Sink {
                writer: Some(BufWriter::new(writer)),
                name: "the output".into(),
                pending: None,
            });
        }
        let target = Path::new(path);
        let failed =
            |error: io::Error| Failure::input(format!("cannot write {path}: {error}; name another file"));
        if let Ok(found) = fs::metadata(target) {
            if found.is_dir() {
                return Err(Failure::input(format!(
                    "cannot write {path}: it is a directory; name a file in it"
                )));
            }
            // What stands among the devices stays there, even if it leads to a regular file.
            if !found.is_file() || ["/dev/", "/proc/"].iter().any(|folder| path.starts_with(folder)) {
                let writer: Box<dyn Write> =
                    Box::new(File::options().append(true).open(target).map_err(failed)?);
                return Ok(Sink { writer: Some(BufWriter::new(writer)), name: path.into(), pending: None });
            }
            fs::remove_file(target).map_err(failed)?;
        }
        let mut partial = target.as_os_str().to_owned();
        partial.push(".partial");
        let partial = PathBuf::from(partial);
        let writer: Box<dyn Write> = Box::new(File::create(&partial).map_err(failed)?);
        Ok(Sink {
            writer: Some(BufWriter::with_capacity(1 << 16, writer)),
            name: path.into(),
            pending: Some((partial, target.to_owned())),
        })
    }

    /// Writes `line` and a line feed.
    pub(crate) fn line(&mut self, line: &str) -> Result<(), Failure> {
        self.text(line)?;
        self.text("\n")
    }

    /// Writes `text` as it is.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), Failure> {
        match &mut self.writer {
            Some(writer) => writer.write_all(text.as_bytes()).map_err(|error| failed(&self.name, &error)),
            None => Ok(()),
        }
    }

    /// Writes what is buffered and gives the file its name.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        if let Some(mut writer) = self.writer.take() {
            writer.flush().map_err(|error| failed(&self.name, &error))?;
        }
        if let Some((partial, target)) = self.pending.take() {
            fs::rename(&partial, &target).map_err(|error| failed(&self.name, &error))?;
        }
        Ok(())
    }
}

impl Drop for Sink {
    /// A file that was not finished goes; what was meant for the standard output is still written.
    fn drop(&mut self) {
        let Some((partial, _)) = self.pending.take() else { return };
        if let Some(writer) = self.writer.take() {
            // The buffer is dropped unwritten: the file is about to go.
            let _ = writer.into_parts();
        }
        let _ = fs::remove_file(partial);
    }
}

fn failed(name: &str, error: &io::Error) -> Failure {
    Failure::system(&format!("writing {name}"), error)
}

/// Reads a file that is to be one text; of what is longer than a text may be no more than shows that it is.
pub(crate) fn read_text(path: &str) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let file = File::open(path);
    let read = file.and_then(|file| file.take(TEXT_BYTES_MAX as u64 + 1).read_to_end(&mut bytes));
    read.map(|_| bytes).map_err(|error| Failure::unreadable(path, &error))
}

/// Opens a file to be read line by line, and says how long it is; `-` is the standard input, which has no
/// length.
pub(crate) fn open_input(path: &str) -> Result<(Box<dyn BufRead>, Option<u64>), Failure> {
    if path == "-" {
        return Ok((Box::new(io::stdin().lock()), None));
    }
    let failed = |error| Failure::unreadable(path, &error);
    let file = File::open(path).map_err(failed)?;
    let found = file.metadata().map_err(failed)?;
    if found.is_dir() {
        return Err(failed(io::Error::from(io::ErrorKind::IsADirectory)));
    }
    let bytes = found.is_file().then_some(found.len());
    Ok((Box::new(BufReader::with_capacity(1 << 16, file)), bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("evenmatch-sink-{}-{name}", std::process::id()))
    }

    #[test]
    fn a_file_appears_whole_or_not_at_all() {
        let path = scratch("whole");
        let name = path.to_str().unwrap();
        let mut sink = Sink::open(name).unwrap();
        sink.line("one").unwrap();
        assert!(!path.exists());
        sink.finish().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\n");

        let mut sink = Sink::open(name).unwrap();
        sink.line("two").unwrap();
        drop(sink);
        assert!(!path.exists(), "an older result must not pass for that of a failed run");
        assert!(!scratch("whole.partial").exists());
    }

    #[test]
    fn a_directory_is_refused_with_a_remedy() {
        let failure = Sink::open(std::env::temp_dir().to_str().unwrap()).err().unwrap();
        assert_eq!(failure.exit_code(), 2);
        assert!(failure.to_string().contains("name a file in it"));
    }
}
