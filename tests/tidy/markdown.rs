//! Do the paths and commands that Markdown names exist, and the files that comments name?
//!
//! Used by `tests/tidy.rs`. Looks at links, at code in backquotes and at the lines of code blocks. A word is
//! taken for a path when its first part is an entry of the tree's top level; a line for a command when it
//! starts with `cargo`, `bash` or `evenmatch`. In comments only files are looked for: words in backquotes with an
//! extension. Invariant: prose is never read.

use std::collections::BTreeSet;
use std::process::Command;

/// What there is to be named.
pub struct Known {
    files: BTreeSet<String>,
    folders: BTreeSet<String>,
    features: BTreeSet<String>,
    binary: Option<String>,
}

impl Known {
    /// From the files of the tree, the text of `Cargo.toml`, and the built command line where there is one.
    pub fn new(files: &[String], manifest: &str, binary: Option<&str>) -> Known {
        let mut folders = BTreeSet::new();
        for file in files {
            let mut rest = file.as_str();
            while let Some((folder, _)) = rest.rsplit_once('/') {
                folders.insert(folder.to_owned());
                rest = folder;
            }
        }
        let features = manifest
            .lines()
            .skip_while(|line| line.trim() != "[features]")
            .skip(1)
            .take_while(|line| !line.starts_with('['))
            .filter_map(|line| line.split_once('=').map(|(name, _)| name.trim().to_owned()))
            .collect();
        let files = files.iter().cloned().collect();
        Known { files, folders, features, binary: binary.map(str::to_owned) }
    }

    fn has(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        self.files.contains(path) || self.folders.contains(path)
    }

    fn is_top(&self, name: &str) -> bool {
        self.folders.contains(name) || self.files.contains(name)
    }
}

/// Everything in a Markdown file that names what does not exist.
pub fn check(file: &str, text: &str, known: &Known) -> Vec<String> {
    let mut faults = Vec::new();
    let mut in_block = false;
    let mut carried = String::new();
    for (index, line) in text.lines().enumerate() {
        let mut found = Vec::new();
        if line.trim_start().starts_with("```") {
            in_block = !in_block;
        } else if in_block {
            carried.push_str(line.trim());
            if let Some(part) = carried.strip_suffix('\\') {
                carried = format!("{part} ");
                continue;
            }
            check_code(&std::mem::take(&mut carried), known, &mut found);
        } else {
            line.split('`').skip(1).step_by(2).for_each(|code| check_code(code, known, &mut found));
            check_links(file, line, known, &mut found);
        }
        faults.extend(found.into_iter().map(|fault| format!("{file}:{}: {fault}", index + 1)));
    }
    faults
}

/// Every file that a comment of a Rust file names and that does not exist.
pub fn check_comments(file: &str, text: &str, known: &Known) -> Vec<String> {
    let mut faults = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| line.trim_start().starts_with("//")) {
        for code in line.split('`').skip(1).step_by(2) {
            let is_in = ["src/", "tests/", "benches/", "include/", "bindings/"]
                .iter()
                .any(|top| code.starts_with(top));
            let is_path = code.chars().all(|c| c.is_ascii_alphanumeric() || "/._-~".contains(c));
            let has_extension = code.rsplit('/').next().is_some_and(|name| name.contains('.'));
            if is_in && is_path && has_extension && !code.contains("..") && !known.has(code) {
                faults.push(format!("{file}:{}: names {code}, which does not exist", index + 1));
            }
        }
    }
    faults
}

fn check_links(file: &str, line: &str, known: &Known, faults: &mut Vec<String>) {
    let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    for link in line.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
        let target = link.split('#').next().unwrap_or_default();
        if target.is_empty() || target.contains("://") {
            continue;
        }
        let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
        for part in target.split('/') {
            match part {
                "" | "." => {}
                ".." => drop(parts.pop()),
                other => parts.push(other),
            }
        }
        if !known.has(&parts.join("/")) {
            faults.push(format!("links to {target}, which does not exist"));
        }
    }
}

fn check_code(code: &str, known: &Known, faults: &mut Vec<String>) {
    let code = code.split(" #").next().unwrap_or_default().trim();
    let words: Vec<&str> = code.trim_start_matches("$ ").split_whitespace().collect();
    for word in &words {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric() && !"./_-".contains(c));
        let is_pattern = word.contains(['*', '<', '{', '$', '=']) || word.contains("..");
        let top = word.split('/').next().unwrap_or_default();
        if word.contains('/') && !is_pattern && known.is_top(top) && !known.has(word.trim_end_matches(".")) {
            faults.push(format!("names {word}, which does not exist"));
        }
    }
    let Some(first) = words.first() else { return };
    match *first {
        "bash" | "sh" if words.len() > 1 && !words[1].starts_with('-') && !known.has(words[1]) => {
            faults.push(format!("runs {}, which does not exist", words[1]));
        }
        "cargo" => check_cargo(&words, known, faults),
        "evenmatch" => check_command_line(&words[1..], known, faults),
        _ => {}
    }
}

fn check_cargo(words: &[&str], known: &Known, faults: &mut Vec<String>) {
    let is_nested = words.contains(&"--manifest-path") || words.contains(&"-p") || words.contains(&"fuzz");
    if is_nested {
        return;
    }
    let own = words.iter().position(|word| *word == "--").unwrap_or(words.len());
    for pair in words[..own].windows(2) {
        let exists = match pair[0] {
            "--test" => ["tests"].iter().any(|folder| is_target(folder, pair[1], known)),
            "--bench" => is_target("benches", pair[1], known),
            "--example" => is_target("examples", pair[1], known),
            "--features" | "-F" => pair[1].split(',').all(|feature| known.features.contains(feature)),
            _ => true,
        };
        if !exists {
            faults.push(format!("`{}` names {} {}, which does not exist", words.join(" "), pair[0], pair[1]));
        }
    }
    if words.get(1) == Some(&"run") && own < words.len() {
        check_command_line(&words[own + 1..], known, faults);
    }
}

fn is_target(folder: &str, name: &str, known: &Known) -> bool {
    known.has(&format!("{folder}/{name}.rs")) || known.has(&format!("{folder}/{name}/main.rs"))
}

/// Asks the built command line whether it knows the subcommand and its options.
fn check_command_line(words: &[&str], known: &Known, faults: &mut Vec<String>) {
    let (Some(binary), Some(verb)) = (&known.binary, words.first()) else { return };
    let is_verb = verb.chars().all(|c| c.is_ascii_lowercase());
    if !is_verb {
        return;
    }
    let Ok(output) = Command::new(binary).args([verb, "--help"]).output() else {
        faults.push(format!("{binary} does not run"));
        return;
    };
    let help = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        faults.push(format!("`evenmatch {verb}` is no command"));
        return;
    }
    for option in words.iter().filter_map(|word| word.trim_matches(['[', ']']).split('=').next()) {
        let is_option = option.starts_with("--") && option.len() > 2;
        let is_known = help.split(|c: char| !c.is_alphanumeric() && c != '-').any(|word| word == option);
        if is_option && !is_known {
            faults.push(format!("`evenmatch {verb}` has no option {option}"));
        }
    }
}
