//! Is the tree tidy? Layers, doors, file sizes, words, Markdown, the top level and the dependencies.
//!
//! The tables stand in `tidy/layers.rs` and here. Every check is also run on small bad input, so that it is
//! known to fail when it should.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot read the tree has failed")]
#![allow(unreachable_pub, reason = "modules of a test")]

#[path = "tidy/layers.rs"]
mod layers;
#[path = "tidy/markdown.rs"]
mod markdown;
#[path = "tidy/source.rs"]
mod source;

use source::Source;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What may stand at the top level, besides dotfiles.
const TOP_LEVEL: &[&str] = &[
    "Cargo.toml",
    "Cargo.lock",
    "src",
    "include",
    "bindings",
    "benches",
    "tests",
    "README.md",
    "CHANGELOG.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
];

/// What the library may stand on when it is built for a plugin: nothing starts threads or brings an allocator.
const LIBRARY_DEPENDENCIES: &[&str] = &[
    "bumpalo",
    "foldhash",
    "hashbrown",
    "jsonc-parser",
    "libm",
    "strsim",
    // The KD-tree and what it stands on.
    "kiddo",
    "aligned-vec",
    "array-init",
    "az",
    "cfg-if",
    "cmov",
    "equator",
    "equator-macro",
    "generator",
    "libc",
    "log",
    "nonmax",
    "num-traits",
    "once_cell",
    "pin-project-lite",
    "proc-macro2",
    "quote",
    "sorted-vec",
    "syn",
    "tracing",
    "tracing-attributes",
    "tracing-core",
    "unicode-ident",
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Files of the tree that git knows or would take, from the root, sorted; the disk's own list without git.
fn tree() -> Vec<String> {
    let git = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output();
    let mut files: Vec<String> = match git {
        Ok(output) if output.status.success() => {
            String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
        }
        _ => {
            let mut files = Vec::new();
            walk(&root(), &root(), &mut files);
            files
        }
    };
    files.retain(|file| root().join(file).exists());
    files.sort();
    files.dedup();
    files
}

fn walk(root: &Path, folder: &Path, files: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name == "target" || name == ".git" {
            continue;
        }
        if path.is_dir() {
            walk(root, &path, files);
        } else {
            files.push(path.strip_prefix(root).unwrap().to_string_lossy().into_owned());
        }
    }
}

fn read(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn report(faults: Vec<String>) {
    assert!(faults.is_empty(), "\n{} faults:\n{}\n", faults.len(), faults.join("\n"));
}

#[test]
fn every_source_file_is_tidy() {
    let files = tree();
    let sources: Vec<&String> =
        files.iter().filter(|f| f.starts_with("src/") && f.ends_with(".rs")).collect();
    assert!(sources.len() > 5, "the walk found hardly any source");
    report(sources.iter().flat_map(|file| layers::check_source(&Source::new(file, &read(file)))).collect());
}

#[test]
fn every_test_and_bench_is_tidy() {
    let files = tree();
    let others = files.iter().filter(|f| !f.starts_with("src/") && f.ends_with(".rs"));
    report(others.flat_map(|file| layers::check_text(&Source::new(file, &read(file)))).collect());
}

#[test]
fn every_source_file_is_part_of_a_target() {
    let files: BTreeSet<String> = tree().into_iter().filter(|f| f.starts_with("src/")).collect();
    report(files.iter().filter_map(|file| orphan(file, &files, &read)).collect());
}

/// The fault of a Rust file that no `mod` line of its parent names.
fn orphan(file: &str, files: &BTreeSet<String>, read: &dyn Fn(&str) -> String) -> Option<String> {
    let stem = file.strip_suffix(".rs")?;
    if matches!(stem, "src/lib") || stem.ends_with("/main") {
        return None;
    }
    let stem = stem.strip_suffix("/mod").unwrap_or(stem);
    let (folder, name) = stem.rsplit_once('/')?;
    let parents = ["/mod.rs", "/lib.rs", "/main.rs", ".rs"].map(|end| format!("{folder}{end}"));
    let declared = parents.iter().filter(|parent| files.contains(*parent)).any(|parent| {
        let tokens = Source::new(parent, &read(parent)).tokens;
        tokens.windows(3).any(|three| three[0].is("mod") && three[1].is(name) && three[2].is_sign(';'))
    });
    (!declared).then(|| format!("{file}: no `mod {name};` names it, so no target uses it"))
}

#[test]
fn tables_of_contents_name_every_file() {
    let tables: Vec<String> = tree().into_iter().filter(|f| f.ends_with("/mod.rs")).collect();
    assert!(tables.len() > 10, "the walk found hardly any folder");
    report(tables.iter().flat_map(|file| unnamed(&Source::new(file, &read(file)))).collect());
}

/// The modules, tests excepted, that a file declares and that the table at its head, if it has one, does not name.
fn unnamed(source: &Source) -> Vec<String> {
    let head: String = source.text.lines().filter(|line| line.starts_with("//!")).collect();
    if !head.contains("| --- |") {
        return Vec::new();
    }
    let declared = source.tokens.windows(3).filter(|three| three[0].is("mod") && three[2].is_sign(';'));
    let names = declared.filter_map(|three| match &three[1].word {
        source::Word::Name(name) if name != "tests" => Some(name),
        _ => None,
    });
    let missing = names.filter(|name| !head.contains(&format!("`{name}`")));
    missing.map(|name| format!("{}: its table does not name `{name}`", source.path)).collect()
}

#[test]
fn the_top_level_holds_only_what_it_should() {
    let tops: BTreeSet<String> =
        tree().iter().map(|file| file.split('/').next().unwrap_or(file).to_owned()).collect();
    let strange = tops.iter().filter(|top| !top.starts_with('.') && !TOP_LEVEL.contains(&top.as_str()));
    report(strange.map(|top| format!("{top}: not among {}", TOP_LEVEL.join(" "))).collect());
}

#[test]
fn words_that_mean_unfinished_stand_nowhere() {
    let words = [concat!("TO", "DO"), concat!("FIX", "ME")];
    let ends = [".md", ".sh", ".toml", ".yml", ".json", ".h", ".cs", ".hpp", ".cpp", ".c"];
    let files = tree();
    let texts = files.iter().filter(|file| ends.iter().any(|end| file.ends_with(end)));
    report(
        texts
            .flat_map(|file| {
                // Some files are bad on purpose.
                let bytes = std::fs::read(root().join(file)).unwrap();
                let text = String::from_utf8_lossy(&bytes).into_owned();
                let found = words.iter().filter(|word| text.contains(**word));
                found.map(|word| format!("{file}: {word}")).collect::<Vec<String>>()
            })
            .collect(),
    );
}

#[test]
fn markdown_names_only_what_exists() {
    let files = tree();
    let known = markdown::Known::new(&files, &read("Cargo.toml"), option_env!("CARGO_BIN_EXE_evenmatch"));
    let texts = files.iter().filter(|file| file.ends_with(".md"));
    report(texts.flat_map(|file| markdown::check(file, &read(file), &known)).collect());
}

#[test]
fn comments_name_only_files_that_exist() {
    let files = tree();
    let known = markdown::Known::new(&files, "", None);
    let sources = files.iter().filter(|file| file.ends_with(".rs"));
    report(sources.flat_map(|file| markdown::check_comments(file, &read(file), &known)).collect());
}

#[test]
fn the_cases_that_tests_are_named_after_are_listed() {
    let files = tree();
    let sources = files.iter().filter(|file| file.ends_with(".rs"));
    let used = sources.flat_map(|file| cases_of(&Source::new(file, &read(file)))).collect();
    report(case_faults(&used, &read("tests/cases/main.rs")));
}

/// The cases that the tests of a file are named after: `PT-02` for `pt_02_...`.
fn cases_of(source: &Source) -> Vec<String> {
    let functions = source.tokens.windows(2).filter(|two| two[0].is("fn"));
    let names = functions.filter_map(|two| match &two[1].word {
        source::Word::Name(name) => Some(name.as_str()),
        _ => None,
    });
    let case = |name: &str| {
        let mut parts = name.split('_');
        let (family, number, _) = (parts.next()?, parts.next()?, parts.next()?);
        let is_case = family.len() == 2 && number.len() == 2 && number.parse::<u32>().is_ok();
        is_case.then(|| format!("{}-{number}", family.to_uppercase()))
    };
    names.filter_map(case).collect()
}

/// Cases that are used and stand in no row of the table, and rows that nobody uses.
fn case_faults(used: &BTreeSet<String>, table: &str) -> Vec<String> {
    let rows: BTreeSet<String> = table
        .lines()
        .filter_map(|line| line.strip_prefix("//! | ")?.split(" | ").next())
        .filter(|cell| cell.len() == 5 && cell.as_bytes()[2] == b'-' && *cell != "-----")
        .map(str::to_owned)
        .collect();
    let unlisted =
        used.difference(&rows).map(|case| format!("{case}: tests/cases/main.rs does not say what it is"));
    let unused = rows.difference(used).map(|case| format!("{case}: no test is named after it"));
    unlisted.chain(unused).collect()
}

#[test]
fn pictures_are_small_and_shown() {
    let files = tree();
    let texts: Vec<String> =
        files.iter().filter(|file| file.ends_with(".md")).map(|file| read(file)).collect();
    let length = |file: &str| std::fs::metadata(root().join(file)).unwrap().len();
    report(files.iter().flat_map(|file| picture_faults(file, length(file), &texts)).collect());
}

/// Most bytes of a picture in the tree.
const PICTURE_BYTES_MAX: u64 = 100 << 10;

fn picture_faults(file: &str, bytes: u64, texts: &[String]) -> Vec<String> {
    let is_picture = [".png", ".jpg", ".gif", ".webp", ".svg"].iter().any(|end| file.ends_with(end));
    let mut faults = Vec::new();
    if is_picture && bytes > PICTURE_BYTES_MAX {
        faults.push(format!("{file}: {bytes} bytes; at most {PICTURE_BYTES_MAX}"));
    }
    if is_picture && !texts.iter().any(|text| text.contains(&format!("]({file})"))) {
        faults.push(format!("{file}: no Markdown file shows it"));
    }
    faults
}

#[test]
fn the_library_stands_on_the_allowed_packages_only() {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = Command::new(cargo)
        .args(["tree", "--no-default-features", "--features=capi,kdtree", "-e", "normal", "--prefix", "none"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "cargo tree: {}", String::from_utf8_lossy(&output.stderr));
    let listing = String::from_utf8(output.stdout).unwrap();
    assert!(listing.contains("bumpalo"), "cargo tree listed nothing");
    report(unlisted(&listing));
}

fn unlisted(listing: &str) -> Vec<String> {
    let names: BTreeSet<&str> = listing.lines().filter_map(|line| line.split(' ').next()).collect();
    let strange = names
        .into_iter()
        .filter(|name| !name.is_empty() && *name != "evenmatch" && !LIBRARY_DEPENDENCIES.contains(name));
    strange.map(|name| format!("{name}: not among the packages that the library may stand on")).collect()
}

mod known_to_fail {
    //! Each check on the smallest input that it must refuse, and on one that it must let pass.

    use super::*;

    #[test]
    fn pictures() {
        let shown = ["![a](tests/a.png)".to_owned()];
        assert!(picture_faults("tests/a.png", 1000, &shown).is_empty());
        assert!(picture_faults("tests/a.png", PICTURE_BYTES_MAX + 1, &shown)[0].contains("at most"));
        assert!(picture_faults("tests/b.svg", 1000, &shown)[0].contains("no Markdown"));
        assert!(picture_faults("tests/b.rs", 1 << 30, &shown).is_empty());
    }

    fn faults(path: &str, text: &str) -> String {
        layers::check_source(&Source::new(path, &format!("//! Doc.\n{text}"))).join("\n")
    }

    #[track_caller]
    fn refused(path: &str, text: &str, part: &str) {
        let faults = faults(path, text);
        assert!(faults.contains(part), "{path} with {text:?} gave {faults:?}");
    }

    #[track_caller]
    fn passes(path: &str, text: &str) {
        assert_eq!(faults(path, text), "", "{path} with {text:?}");
    }

    #[test]
    fn upward_edges() {
        refused("src/model/ids.rs", "use crate::rules::spec::QueueSpec;", "src/model/ids.rs:2: `model` (L1)");
        refused("src/base/arena.rs", "fn f() { crate::model::ids::x(); }", "L0");
        refused("src/store/view.rs", "use crate::{base::fixed, engine::{Engine}};", "`engine` (L7)");
        refused("src/rules/window.rs", "use super::super::queue::Router;", "`queue` (L6)");
        refused(
            "src/rules/window.rs",
            "mod inner { use super::super::super::queue::Router; }",
            "`queue` (L6)",
        );
        refused("src/shard/mod.rs", "use super::{queue, base};", "`queue` (L6)");
        refused("src/shard/mod.rs", "use crate::Engine;", "no module of the table");
        refused("src/helper/mod.rs", "", "not in the layer table");
        passes("src/rules/window.rs", "use super::spec::{QueueSpec, self}; use crate::base::fixed::*;");
        passes("src/rules/mod.rs", "mod inner { use super::super::model::ids; }");
        passes("src/engine/submit.rs", "use crate::{base::{fixed, rng}, queue::Router as R};");
    }

    #[test]
    fn edges_within_a_layer() {
        refused("src/store/view.rs", "use crate::claim::slots::Slots;", "strictly downwards");
        refused("src/simd/dispatch.rs", "use crate::base::arena;", "strictly downwards");
        passes("src/store/view.rs", "use crate::store::columns; use super::lists;");
    }

    #[test]
    fn edges_of_tests_comments_and_text_do_not_count() {
        passes("src/model/ids.rs", "#[cfg(test)]\nmod tests { use crate::engine::Engine; }");
        passes("src/model/tests.rs", "use crate::engine::Engine;");
        passes("src/model/ids.rs", "// crate::engine::Engine\n/* crate::queue::x /* unsafe */ */");
        passes("src/model/ids.rs", "const A: &str = \"crate::engine::Engine\";\nconst B: char = '\"';");
        passes("src/model/ids.rs", "const A: &str = r#\"crate::engine\" unsafe\"#; fn f<'a>(x: &'a str) {}");
        refused("src/model/ids.rs", "#[cfg(not(test))]\nuse crate::engine::Engine;", "L7");
        refused("src/model/ids.rs", "#[cfg(test)]\nuse crate::engine::A;\nuse crate::engine::B;", ":4:");
    }

    #[test]
    fn narrower_files() {
        refused("src/rules/check.rs", "use super::compile::Compiled;", "the judge shares no code");
        refused("src/rules/check/windows.rs", "use crate::rules::window::at;", "the judge shares no code");
        refused("src/index/sorted.rs", "use crate::model::ids::TicketId;", "not tickets");
        passes(
            "src/index/sorted.rs",
            "use crate::model::ids::{Seniority, Millis}; use super::candidates::X;",
        );
        refused("src/claim/players.rs", "use crate::rules::spec::QueueSpec;", "not attributes");
        passes("src/rules/check/windows.rs", "use super::judge; use crate::rules::spec::Step;");
        passes("src/claim/players.rs", "use crate::model::ids::PlayerId;");
    }

    #[test]
    fn doors() {
        refused("src/engine/poll.rs", "use std::sync::atomic::AtomicU64;", "atomics");
        refused("src/engine/poll.rs", "use std::sync::{Arc, atomic::{self, Ordering}};", "atomics");
        refused("src/engine/poll.rs", "use std::sync; static A: sync::atomic::AtomicU8 = x;", "atomics");
        refused("src/queue/timers.rs", "use std::sync::{Arc, Mutex};", "lock of std");
        refused("src/engine/poll.rs", "use crossbeam_utils::CachePadded;", "only base/sync.rs");
        refused("src/store/columns.rs", "use core::arch::x86_64::_mm_add_ps;", "core::arch");
        refused("src/rules/spec.rs", "use jsonc_parser::parse;", "JSON");
        refused("src/queue/timers.rs", "fn f() { std::time::Instant::now(); }", "clock");
        refused("src/config/native.rs", "fn f() { std::fs::read(\"a\"); }", "only the binaries");
        refused("src/config/native.rs", "use std::env;", "only the binaries");
        refused("src/config/native.rs", "fn f() { println!(\"x\"); }", "never does");
        passes("src/base/sync.rs", "pub use std::sync::{Mutex, atomic::AtomicU64};");
        passes("src/bin/evenmatch/run.rs", "use std::{fs, env, time::Instant}; fn f() { println!(); }");
        passes("src/queue/timers.rs", "use std::time::Duration; use std::sync::Arc; use std::fmt;");
    }

    #[test]
    fn unsafe_places() {
        refused("src/engine/mod.rs", "fn f() { unsafe {} }", "outside");
        refused("src/base/arena.rs", "fn f() { unsafe {} }", "does not open with");
        refused("src/base/arena.rs", "#![allow(unsafe_code)]\nfn f() { unsafe {} }", "without a reason");
        refused("src/base/arena.rs", "#![allow(unsafe_code, reason = \"x\")]\nfn f() {}", "has no `unsafe`");
        passes("src/base/arena.rs", "#![allow(unsafe_code, reason = \"x\")]\nfn f() { unsafe {} }");
        passes("src/base/arena.rs", "#![allow(unsafe_code)] // Raw memory.\nfn f() { unsafe {} }");
    }

    #[test]
    fn sizes_openings_and_words() {
        let long = "fn f() {}\n".repeat(600);
        refused("src/model/ids.rs", &long, "601 lines");
        passes("src/model/tests.rs", &long);
        let foot = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", "fn f() {}\n".repeat(200));
        refused("src/model/ids.rs", &foot, "lines of tests");
        refused("src/model/ids.rs", &"x".repeat(131), "131 characters");
        refused("src/model/ids.rs", concat!("// TO", "DO: more"), "finish it");
        refused("src/model/ids.rs", concat!("fn f() { to", "do!() }"), "a stub");
        refused("src/model/ids.rs", "#[cfg(test)] mod tests { #[test] #[ignore] fn f() {} }", "ignored test");
        let opening = layers::check_source(&Source::new("src/model/ids.rs", "use std::fmt;\n"));
        assert!(opening[0].contains("does not open"), "{opening:?}");
    }

    #[test]
    fn orphans() {
        let files: BTreeSet<String> =
            ["src/lib.rs", "src/model/mod.rs", "src/model/ids.rs"].map(str::to_owned).into();
        let with = |text: &'static str| move |_: &str| text.to_owned();
        assert!(orphan("src/model/ids.rs", &files, &with("pub mod idss; // mod ids;")).is_some());
        assert!(orphan("src/model/ids.rs", &files, &with("pub mod ids;")).is_none());
        assert!(orphan("src/model/mod.rs", &files, &with("pub mod model;")).is_none());
        assert!(orphan("src/lib.rs", &files, &with("")).is_none());
    }

    #[test]
    fn dependencies() {
        assert_eq!(unlisted("evenmatch v0.1.0\nbumpalo v3.20.4\n\nlibm v0.2.16 (*)\n"), Vec::<String>::new());
        assert!(unlisted("evenmatch v0.1.0\nrayon v1.0.0\n")[0].contains("rayon"));
    }

    #[test]
    fn comments() {
        let files: Vec<String> = ["src/lib.rs", "tests/config/main.rs"].map(str::to_owned).into();
        let known = markdown::Known::new(&files, "", None);
        let check = |text: &str| markdown::check_comments("src/a.rs", text, &known).join("\n");
        assert_eq!(
            check("//! See `src/lib.rs`, `tests/config`, `tests/*.rs`.\nlet a = \"`src/gone.rs`\";"),
            ""
        );
        assert!(
            check("//! Doc.\n    /// See `tests/config.rs`.").contains("src/a.rs:2: names tests/config.rs")
        );
        assert!(check("// As in `src/gone.rs`.").contains("src/gone.rs"));
    }

    #[test]
    fn cases() {
        let text = "//! Doc.\nfn pt_02_one() {}\nfn ex_1_no() {}\nfn is_on_top() {}";
        let used: BTreeSet<String> = cases_of(&Source::new("tests/a.rs", text)).into_iter().collect();
        assert_eq!(used, ["PT-02".to_owned()].into());
        assert!(
            case_faults(&used, "//! | case | what |\n//! | --- | --- |\n//! | PT-02 | parties |").is_empty()
        );
        assert!(case_faults(&used, "")[0].contains("PT-02"));
        assert!(case_faults(&BTreeSet::new(), "//! | PT-03 | sizes |")[0].contains("no test"));
    }

    #[test]
    fn tables_with_gaps() {
        let check = |text: &str| unnamed(&Source::new("src/a/mod.rs", text)).len();
        assert_eq!(
            check("//! | file | what |\n//! | --- | --- |\n//! | `b` | one |\nmod b;\nmod c;\nmod tests;"),
            1
        );
        assert_eq!(check("//! | --- | --- |\n//! | `b`, `c` | two |\nmod b;\npub mod c;"), 0);
        assert_eq!(check("//! No table.\nmod b;"), 0);
    }

    #[test]
    fn markdown_faults() {
        let files: Vec<String> =
            ["README.md", "src/lib.rs", "tests/all.sh", "tests/oracle.rs", "benches/README.md"]
                .map(str::to_owned)
                .into();
        let known = markdown::Known::new(&files, "[features]\ncli = []\n", None);
        let check = |text: &str| markdown::check("README.md", text, &known).join("\n");
        assert_eq!(check("See `src/lib.rs`, `tests/`, [that](benches/README.md#x) and `a/b` or `N/A`."), "");
        assert_eq!(check("```sh\nbash tests/all.sh\ncargo test --test oracle --features cli\n```"), "");
        assert!(check("See `src/gone.rs`.").contains("src/gone.rs"));
        assert!(check("[x](docs/gone.md)").contains("docs/gone.md"));
        assert!(check("```sh\nbash tests/gone.sh\n```").contains("tests/gone.sh"));
        assert!(check("```sh\n$ cargo test --test gone\n```").contains("gone"));
        assert!(check("`cargo run --features other`").contains("other"));
    }
}
