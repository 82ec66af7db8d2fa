//! Why a command stopped, and the exit code that says so.
//!
//! Every command returns this type; `main` prints it and exits. Invariant: the text names the place and the
//! remedy, so nothing has to be added to it.

use std::fmt;
use std::io;

/// What kind of failure it was: it decides the exit code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// The input is not right: exit code 2.
    Input,
    /// The machine did not do what was asked (a full disk, a missing right): exit code 1.
    System,
    /// The reader of our output went away: nothing to say, exit code 0.
    ReaderGone,
}

/// A command that stopped before its end.
#[derive(Debug)]
pub(crate) struct Failure {
    kind: Kind,
    text: String,
}

impl Failure {
    /// Input that is not right.
    pub(crate) fn input(text: impl Into<String>) -> Failure {
        Failure { kind: Kind::Input, text: text.into() }
    }

    /// Something that the machine refused while `doing` it.
    pub(crate) fn system(doing: &str, error: &io::Error) -> Failure {
        let kind = if error.kind() == io::ErrorKind::BrokenPipe { Kind::ReaderGone } else { Kind::System };
        Failure { kind, text: format!("{doing}: {error}") }
    }

    /// A file that cannot be read: bad input, since another name would help.
    pub(crate) fn unreadable(path: &str, error: &io::Error) -> Failure {
        let remedy = match error.kind() {
            io::ErrorKind::NotFound => "; check the name and the directory you are in",
            io::ErrorKind::PermissionDenied => "; the file may not be read by you",
            io::ErrorKind::IsADirectory => "; name a file in it",
            io::ErrorKind::InvalidData => "; it must be UTF-8 text",
            _ => "",
        };
        Failure::input(format!("cannot read {path}: {error}{remedy}"))
    }

    /// What the process exits with.
    pub(crate) const fn exit_code(&self) -> u8 {
        match self.kind {
            Kind::Input => 2,
            Kind::System => 1,
            Kind::ReaderGone => 0,
        }
    }
}

impl fmt::Display for Failure {
    /// Empty if there is nobody left to read it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.kind == Kind::ReaderGone { Ok(()) } else { f.write_str(&self.text) }
    }
}

impl std::error::Error for Failure {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_that_left_is_no_failure() {
        let gone = Failure::system("writing", &io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!((gone.exit_code(), gone.to_string().as_str()), (0, ""));
        let full = Failure::system("writing out.jsonl", &io::Error::from(io::ErrorKind::StorageFull));
        assert_eq!(full.exit_code(), 1);
        assert!(full.to_string().starts_with("writing out.jsonl: "));
        assert_eq!(Failure::unreadable("q.json", &io::Error::from(io::ErrorKind::NotFound)).exit_code(), 2);
    }
}
