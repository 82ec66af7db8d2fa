//! What a command reads and writes, held against one another before it begins.
//!
//! Used by every command that writes files. Invariant: an output that passes replaces nothing that the command reads
//! or writes besides, whatever the names: other paths and links to one file, files that are not there yet, the name
//! that an unfinished output has, the standard output under its other names.

use crate::failure::Failure;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// An option that names an output, and what it names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Output<'a> {
    /// `--out`.
    pub(crate) option: &'static str,
    /// A file, or `-`.
    pub(crate) path: &'a str,
}

/// What an unfinished output has behind its name.
const PARTIAL: &str = ".partial";
/// Links that are followed to a file which is not there; as many as Linux follows.
const LINKS_MAX: usize = 40;

/// Refuses outputs that would replace one of the inputs or one another, or mix on the standard output.
///
/// Inputs are files; the standard input is none.
pub(crate) fn keep_apart<'a>(
    inputs: impl IntoIterator<Item = &'a String>,
    outputs: &[Output<'_>],
) -> Result<(), Failure> {
    let inputs: Vec<(&String, BTreeSet<PathBuf>)> =
        inputs.into_iter().map(|input| (input, regular(input))).collect();
    for (place, output) in outputs.iter().enumerate() {
        let Output { option, path } = output;
        for (input, read) in inputs.iter().filter(|_| !is_standard_output(path)) {
            if !written(path).is_disjoint(read) {
                return Err(Failure::input(format!(
                    "cannot write {path}: it would replace {input}, which is read; name another file for {option}"
                )));
            }
        }
        for other in &outputs[..place] {
            clash(*other, *output)?;
        }
    }
    Ok(())
}

/// The file that an input names; `-` is the standard input, which is none.
pub(crate) fn file(input: &String) -> Option<&String> {
    Some(input).filter(|input| *input != "-")
}

/// Refuses two outputs of which one would replace the other.
fn clash(first: Output<'_>, second: Output<'_>) -> Result<(), Failure> {
    let named = format!("{} {} and {} {}", first.option, first.path, second.option, second.path);
    let (a, b) = (is_standard_output(first.path), is_standard_output(second.path));
    if a && b {
        return Err(Failure::input(format!(
            "{named} would be mixed on the standard output; name a file for one of them"
        )));
    }
    if a || b {
        return Ok(());
    }
    // What is thrown away may be thrown away together.
    let is_kept = |path: &PathBuf| path != Path::new("/dev/null");
    let (own, others) = (names(first.path), names(second.path));
    if own.intersection(&others).any(is_kept) {
        return Err(Failure::input(format!(
            "{named} name one file, which would have only one of them; name another file for one of them"
        )));
    }
    if !written(first.path).is_disjoint(&others) || !written(second.path).is_disjoint(&own) {
        return Err(Failure::input(format!(
            "{named} clash: an output has {PARTIAL} behind its name until it is whole; name another file for one of \
             them"
        )));
    }
    Ok(())
}

/// Whether a path means the standard output.
pub(crate) fn is_standard_output(path: &str) -> bool {
    path == "-"
        || cfg!(unix)
            && ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/proc/thread-self/fd/1"].contains(&path)
}

/// The names of the regular files that an output replaces on its way: its own, and that of its unfinished form.
fn written(path: &str) -> BTreeSet<PathBuf> {
    let mut found = regular(path);
    found.extend(regular(&format!("{path}{PARTIAL}")));
    found
}

/// The names of a file, unless something stands there that is no regular file and is written to in place.
fn regular(path: &str) -> BTreeSet<PathBuf> {
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => BTreeSet::new(),
        _ => names(path),
    }
}

/// The absolute names of a file, which may not be there yet: where it stands, and where links lead from there.
fn names(path: &str) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    found.extend(fs::canonicalize(path).map(folded));
    let mut next = PathBuf::from(path);
    for _ in 0..LINKS_MAX {
        let Some(absolute) = absolute(&next) else { break };
        let link = fs::read_link(&absolute);
        let beside = absolute.parent().map(Path::to_path_buf).unwrap_or_default();
        found.insert(folded(absolute));
        let Ok(link) = link else { break };
        next = beside.join(link);
    }
    found
}

/// The name in its folder's own name; `None`: there is no such folder.
fn absolute(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some(fs::canonicalize(folder).ok()?.join(name))
}

/// The name as file systems compare it that take no heed of case, as those of Windows and macOS mostly are.
fn folded(path: PathBuf) -> PathBuf {
    match path.to_str().filter(|_| cfg!(any(windows, target_os = "macos"))) {
        Some(text) => PathBuf::from(text.to_lowercase()),
        None => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of two outputs in an empty folder; empty: nothing.
    fn said(first: &str, second: &str) -> String {
        let (out, html) =
            (Output { option: "--out", path: first }, Output { option: "--html", path: second });
        keep_apart([], &[out, html]).err().map_or(String::new(), |failure| failure.to_string())
    }

    #[test]
    fn two_outputs_need_two_names() {
        let folder = std::env::temp_dir().join(format!("evenmatch-targets-{}", std::process::id()));
        fs::create_dir_all(folder.join("sub")).unwrap();
        let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
        for (first, second) in [("a", "a"), ("./a", "a"), ("a", "sub/../a"), ("sub/a", "./sub/a")] {
            let text = said(&at(first), &at(second));
            assert!(
                text.contains("--out ") && text.contains("--html ") && text.contains("name one file"),
                "{text}"
            );
        }
        assert!(said(&at("a.partial"), &at("a")).contains("clash"));
        assert!(said(&at("a"), &at("a.partial")).contains("clash"));
        for (first, second) in [("a", "b"), ("a", "sub/a"), ("absent/a", "b")] {
            assert_eq!(said(&at(first), &at(second)), "", "{first} {second}");
        }
        assert!(said("-", "-").contains("mixed on the standard output"));
        assert_eq!(said("-", &at("a")), "");
        if cfg!(unix) {
            assert!(said("-", "/dev/stdout").contains("mixed on the standard output"));
            assert_eq!(said("/dev/null", "/dev/null"), "");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("new", folder.join("link")).unwrap();
            std::os::unix::fs::symlink("sub", folder.join("folder")).unwrap();
            assert!(
                said(&at("link"), &at("new")).contains("name one file"),
                "a link to what is not there yet"
            );
            assert!(said(&at("folder/a"), &at("sub/a")).contains("name one file"), "a folder by two names");
            fs::write(folder.join("new"), "x").unwrap();
            assert!(said(&at("new"), &at("link")).contains("name one file"), "a link to what is there");
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}
