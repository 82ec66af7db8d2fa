//! What is wrong in a text, and where. Made by every reader of this module, shown by whoever brought the
//! text.
//!
//! Invariant: the line that `Display` prints has no line break in it, whatever the text held.

use std::fmt;

/// One thing that is wrong (or, as a warning, hardly meant) in a text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ConfigError {
    /// The file as its reader was told; empty if it was not.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// The JSON path, `rules[2].expand.linear.cap`; empty for the whole text.
    pub path: String,
    /// What stands there.
    pub found: String,
    /// What would be legal; for a misspelt word the nearest one.
    pub remedy: String,
}

impl ConfigError {
    /// The same error with the name of the file it is in.
    pub fn in_file(mut self, file: &str) -> ConfigError {
        file.clone_into(&mut self.file);
        self
    }
}

impl fmt::Display for ConfigError {
    /// One line: `FILE:LINE:COLUMN: PATH: found .., ..`. Without a file its part is left out, and without a
    /// path that one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.file.is_empty() {
            write!(f, "{}:", self.file)?;
        }
        write!(f, "{}:{}: ", self.line, self.column)?;
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        write!(f, "found {}, {}", self.found, self.remedy)
    }
}

impl std::error::Error for ConfigError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_one_line() {
        let error = ConfigError {
            file: String::new(),
            line: 3,
            column: 7,
            path: "rules[2].max".to_owned(),
            found: "-1".to_owned(),
            remedy: "needs 0 or more".to_owned(),
        };
        assert_eq!(error.to_string(), "3:7: rules[2].max: found -1, needs 0 or more");
        assert_eq!(
            error.in_file("q.json").to_string(),
            "q.json:3:7: rules[2].max: found -1, needs 0 or more"
        );
    }
}
