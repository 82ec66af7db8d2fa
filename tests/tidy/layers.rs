//! The layer table of the crate, and the checks that look at one source file.
//!
//! Used by `tests/tidy.rs`. The tables are the contract: a new module gets a line in [`LAYERS`], an edge that
//! is not strictly downwards a line in [`SAME_LAYER`] with its reason. Invariant: every check names file, line
//! and remedy, and looks at nothing but the file that it is given.

use super::source::{Path, Source, Word};

/// The modules of the crate and their layers. A module may use those of a smaller number only.
pub const LAYERS: &[(&str, u32)] = &[
    ("base", 0),
    ("simd", 0),
    ("model", 1),
    ("rules", 2),
    ("config", 3),
    ("store", 3),
    ("index", 3),
    ("claim", 3),
    ("assemble", 4),
    ("shard", 5),
    ("queue", 6),
    ("engine", 7),
    ("ffi", 8),
];

/// Edges between two modules of one layer: from, to, and why it is right.
pub const SAME_LAYER: &[(&str, &str, &str)] =
    &[("base", "simd", "tables fetch ahead what is read soon, by an instruction of the processor")];

/// Files that may use less than their layer does: the prefix of their path, what they may name, and why.
pub const NARROWER: &[(&str, &[&str], &str)] = &[
    (
        "src/rules/check",
        &["base::fixed", "model", "rules::spec", "rules::check"],
        "the judge shares no code with the compiled path",
    ),
    (
        "src/index/",
        &["base", "simd", "model::ids::Seniority", "model::ids::Millis", "index"],
        "an index knows points and their order, not tickets",
    ),
    (
        "src/claim/",
        &["base", "model::ids", "model::codes", "model::limits", "claim"],
        "claims know slots and players, not attributes",
    ),
];

/// Where `unsafe` may stand.
const UNSAFE_PLACES: &[&str] = &[
    "src/base/",
    "src/simd/",
    "src/store/columns",
    "src/claim/word",
    "src/ffi/",
    // A global allocator that counts cannot be written without; it is the binary's.
    "src/bin/evenmatch/bench/allocator",
];

/// Most lines of a file, its tests not counted.
pub const FILE_LINES_MAX: usize = 500;
/// Most lines of tests at the foot of a file; more go to a `tests.rs` beside it.
pub const FOOT_TEST_LINES_MAX: usize = 150;
/// Most characters of a line outside of tests; rustfmt breaks code at 110, this is for what it leaves alone.
pub const LINE_CHARS_MAX: usize = 130;

/// Everything that is wrong with one file of the library or of the binaries.
pub fn check_source(source: &Source) -> Vec<String> {
    let mut faults = check_text(source);
    let mut add = |line: usize, fault: String| faults.push(format!("{}:{line}: {fault}", source.path));
    check_layers(source, &mut add);
    check_doors(source, &mut add);
    check_unsafe(source, &mut add);
    let (code, tests) = source.line_counts();
    if code > FILE_LINES_MAX {
        add(1, format!("{code} lines without tests; at most {FILE_LINES_MAX}: split it by its nouns"));
    }
    if code > 0 && tests > FOOT_TEST_LINES_MAX {
        add(
            1,
            format!("{tests} lines of tests at its foot; above {FOOT_TEST_LINES_MAX} they go to tests.rs"),
        );
    }
    faults
}

/// What is wrong with the text of any Rust file, tests and benches included.
pub fn check_text(source: &Source) -> Vec<String> {
    let mut faults = Vec::new();
    let mut add = |line: usize, fault: String| faults.push(format!("{}:{line}: {fault}", source.path));
    if !source.text.starts_with("//!") {
        add(1, "does not open with `//!`: say what it is, who calls it, which invariant it keeps".to_owned());
    }
    for (index, line) in source.text.lines().enumerate() {
        let chars = line.chars().count();
        let is_of_tests = source.path.contains("tests");
        if chars > LINE_CHARS_MAX && !is_of_tests {
            add(index + 1, format!("{chars} characters in a line; at most {LINE_CHARS_MAX}"));
        }
        for word in [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X"), concat!("HA", "CK")] {
            let is_word = line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|part| part == word);
            if is_word {
                add(index + 1, format!("{word}: finish it or file it"));
            }
        }
    }
    for (at, token) in source.tokens.iter().enumerate() {
        let next_is = |sign| source.tokens.get(at + 1).is_some_and(|next| next.is_sign(sign));
        let is_stub = (token.is("todo") || token.is("unimplemented")) && next_is('!');
        if is_stub {
            add(token.line, "a stub: finish it".to_owned());
        }
        if token.is("ignore") && at >= 2 && source.tokens[at - 2].is_sign('#') {
            add(token.line, "an ignored test: make it run or take it out".to_owned());
        }
    }
    faults
}

/// Rule: a module uses only what lies below it, and names it by its module.
fn check_layers(source: &Source, add: &mut impl FnMut(usize, String)) {
    let module = source.module();
    let Some(own) = module.first().map(String::as_str) else { return };
    if source.path.starts_with("src/bin/") {
        for path in source.paths.iter().filter(|path| path.names[0] == "super") {
            if resolve(&module[2..], path).is_none() {
                add(path.line, "leaves the binary; use `evenmatch::`".to_owned());
            }
        }
        return;
    }
    let Some(own_layer) = layer(own) else {
        add(1, format!("module `{own}` is not in the layer table"));
        return;
    };
    for path in source.paths.iter().filter(|path| !path.in_tests) {
        let Some(target) = resolve(&module, path) else { continue };
        if let Some((_, allowed, why)) = NARROWER.iter().find(|(prefix, ..)| source.path.starts_with(prefix))
        {
            let joined = target.join("::");
            let fits = |name: &&str| joined == **name || joined.starts_with(&format!("{name}::"));
            if !allowed.iter().any(fits) {
                add(path.line, format!("names `{joined}`, but {why}: only {}", allowed.join(", ")));
            }
        }
        let Some(other) = target.first().map(String::as_str).filter(|other| *other != own) else { continue };
        let Some(other_layer) = layer(other) else {
            add(
                path.line,
                format!("names `crate::{other}`, which is no module of the table: name the module"),
            );
            continue;
        };
        let is_listed = SAME_LAYER.iter().any(|(from, to, _)| (*from, *to) == (own, other));
        if other_layer > own_layer || (other_layer == own_layer && !is_listed) {
            add(
                path.line,
                format!(
                    "`{own}` (L{own_layer}) uses `{other}` (L{other_layer}): edges go strictly downwards"
                ),
            );
        }
    }
}

fn layer(module: &str) -> Option<u32> {
    LAYERS.iter().find(|(name, _)| *name == module).map(|(_, layer)| *layer)
}

/// What a path names, from the root of the crate; `None` if it is not of this crate, or leaves it.
pub fn resolve(module: &[String], path: &Path) -> Option<Vec<String>> {
    let mut base: Vec<String> = module.iter().chain(&path.inside).cloned().collect();
    let mut names = path.names.iter().peekable();
    match names.peek().map(|name| name.as_str()) {
        Some("crate") => {
            base.clear();
            names.next();
        }
        Some("self") => {
            names.next();
        }
        Some("super") => {
            while names.peek().is_some_and(|name| *name == "super") {
                base.pop()?;
                names.next();
            }
        }
        _ => return None,
    }
    base.extend(names.filter(|name| *name != "self").cloned());
    Some(base)
}

/// Rule: one door each to atomics, to instruction sets, to JSON, to clocks, files and the environment.
fn check_doors(source: &Source, add: &mut impl FnMut(usize, String)) {
    let in_bin = source.path.starts_with("src/bin/");
    let in_config = source.path.starts_with("src/config/");
    for path in source.paths.iter().filter(|path| !path.in_tests) {
        let names: Vec<&str> = path.names.iter().map(String::as_str).collect();
        let has = |pair: [&str; 2]| names.windows(2).any(|window| window == pair);
        let is_std = matches!(names[0], "std" | "core" | "alloc");
        if has(["sync", "atomic"]) && source.path != "src/base/sync.rs" {
            add(path.line, "names atomics; only base/sync.rs does: take them from there".to_owned());
        }
        let is_lock = is_std
            && names.get(1) == Some(&"sync")
            && matches!(names.get(2), Some(&("Mutex" | "RwLock" | "Condvar" | "Barrier" | "mpsc")));
        let may_lock = source.path == "src/base/sync.rs" || source.path.starts_with("src/engine/") || in_bin;
        if is_lock && !may_lock {
            add(path.line, "names a lock of std; only the engine's door and base/sync.rs do".to_owned());
        }
        let is_threading = names[0].starts_with("crossbeam") || matches!(names[0], "parking_lot" | "loom");
        if is_threading && source.path != "src/base/sync.rs" {
            add(path.line, format!("names `{}`; only base/sync.rs does", names[0]));
        }
        if is_std && names.get(1) == Some(&"arch") && !source.path.starts_with("src/simd/") {
            add(path.line, "names core::arch; only simd does".to_owned());
        }
        if matches!(names[0], "jsonc_parser" | "serde_json" | "serde") && !in_config {
            add(path.line, "names the JSON crate; only config does: call config".to_owned());
        }
        let reads_outside = is_std
            && match names.get(1) {
                Some(&("fs" | "env" | "net" | "process")) => true,
                Some(&"time") => matches!(names.get(2), Some(&("Instant" | "SystemTime")) | None),
                Some(&"io") => matches!(names.get(2), Some(&("stdin" | "stdout" | "stderr"))),
                _ => false,
            };
        if reads_outside && !in_bin {
            add(path.line, "reads a clock, a file or the environment; only the binaries do".to_owned());
        }
    }
    if in_bin {
        return;
    }
    for (at, token) in source.tokens.iter().enumerate().filter(|(_, token)| !token.in_tests) {
        let Word::Name(name) = &token.word else { continue };
        let prints = matches!(name.as_str(), "println" | "eprintln" | "print" | "eprint" | "dbg");
        if prints && source.tokens.get(at + 1).is_some_and(|next| next.is_sign('!')) {
            add(token.line, "prints; the library never does".to_owned());
        }
    }
}

/// Rule: `unsafe` stands only in the listed places, in files that opt out at their top and say why.
fn check_unsafe(source: &Source, add: &mut impl FnMut(usize, String)) {
    let uses = source.tokens.iter().find(|token| token.is("unsafe"));
    let opt_out = source
        .tokens
        .windows(2)
        .find_map(|pair| (pair[0].is_sign('(') && pair[1].is("unsafe_code")).then_some(pair[1].line));
    let allowed = UNSAFE_PLACES.iter().any(|place| source.path.starts_with(place));
    match (uses, opt_out) {
        (Some(token), _) if !allowed => {
            add(token.line, format!("`unsafe` outside {}", UNSAFE_PLACES.join(", ")));
        }
        (Some(token), None) => {
            add(
                token.line,
                "`unsafe` in a file that does not open with `#![allow(unsafe_code, ..)]`".to_owned(),
            );
        }
        (None, Some(line)) => add(line, "opts out of `unsafe_code` and has no `unsafe`".to_owned()),
        (Some(_), Some(line)) => {
            let lines: Vec<&str> = source.text.lines().collect();
            let says_why = lines[line - 1..(line + 2).min(lines.len())]
                .iter()
                .any(|text| text.contains("reason =") || text.contains(")] // "));
            if !says_why {
                add(line, "opts out of `unsafe_code` without a reason beside it".to_owned());
            }
        }
        (None, None) => {}
    }
}
