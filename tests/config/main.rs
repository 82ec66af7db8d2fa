//! Queue files as their authors meet them: the documented example, and for each kind of error a file with the
//! very lines that it gets (`NAME.json` and `NAME.txt` in `tests/data/errors`).
//!
//! After a change of a message, `EVENMATCH_BLESS=1 cargo test --test config` writes the `.txt` files anew.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot read its data has failed")]

mod schema;
mod specs;
mod warnings;

use evenmatch::base::fixed::Fixed;
use evenmatch::config::write::{write_queue, write_trace_line};
use evenmatch::config::{QueueFile, read_queue, read_queue_file, read_trace_line};
use evenmatch::model::ids::Millis;
use evenmatch::rules::spec::{Expand, Missing, QueueSpec, RuleKind, TeamSpec};
use evenmatch::rules::validate::{full_size, legal_sizes, validate};
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// The `.json` files of a folder of data, in order.
fn json_files(folder: &str) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(data(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    paths
}

#[test]
fn each_kind_of_error_says_what_and_where() {
    let names = json_files("errors");
    assert!(names.len() > 100, "the corpus is there");
    let mut wrong = Vec::new();
    for path in names {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let errors = read_queue_file(&name, &fs::read(&path).unwrap()).expect_err(&name);
        let lines: String = errors.iter().map(|error| format!("{error}\n")).collect();
        let expected = path.with_extension("txt");
        if std::env::var_os("EVENMATCH_BLESS").is_some() {
            fs::write(&expected, &lines).unwrap();
        }
        let told = fs::read_to_string(&expected).unwrap_or_default();
        if told != lines {
            wrong.push(format!("{name}\n  expected:\n{told}  found:\n{lines}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn ten_errors_are_reported_at_once() {
    let errors = read_queue_file("q", &fs::read(data("errors/ten_errors.json")).unwrap()).unwrap_err();
    let paths: Vec<&str> = errors.iter().map(|error| &*error.path).collect();
    let expected = [
        "name",
        "teams[0].players",
        "teams[1].name",
        "party.max",
        "attributes.skill.default",
        "attributes.mode.type",
        "rules[0].attribute",
        "rules[1].expand.linear.cap",
        "rules[2].merge",
        "capacity",
    ];
    assert_eq!(paths, expected);
}

#[test]
fn the_documented_example_reads() {
    let bytes = fs::read(data("example.json")).unwrap();
    let QueueFile { spec, warnings } = read_queue_file("example.json", &bytes).unwrap();
    assert_eq!(warnings, []);
    assert_eq!(spec.name, "ranked-5v5");
    let red = TeamSpec { name: "red".to_owned(), count: None, players_min: 5, players_max: 5 };
    assert_eq!(spec.teams, [red.clone(), TeamSpec { name: "blue".to_owned(), ..red }]);
    assert_eq!((legal_sizes(&spec), full_size(&spec)), (vec![10], Some(10)));
    assert_eq!(
        (spec.party_max, spec.timeout, spec.capacity),
        (Some(5), Some(Millis(120_000)), Some(1_000_000))
    );
    let names: Vec<&str> = spec.attributes.iter().map(|attribute| &*attribute.name).collect();
    assert_eq!(names, ["skill", "mode", "maps", "tank"]);
    assert_eq!((spec.attributes[0].decimals, spec.attributes[3].decimals), (0, 0));
    let RuleKind::Difference { attribute: 0, window, missing: Missing::Default, default: None, .. } =
        &spec.rules[0].kind
    else {
        panic!("{:?}", spec.rules[0])
    };
    let fixed = Fixed::from_micros;
    assert_eq!(window.base, fixed(50_000_000));
    let power =
        Expand::Power { factor: fixed(4_500_000), exponent: fixed(1_350_000), cap: Some(fixed(600_000_000)) };
    assert_eq!(window.expand, power);
    assert_eq!(spec.rules[3].optional_after, Some(Millis(30_000)));
    assert_eq!(spec.rules.iter().map(|rule| rule.weight).collect::<Vec<_>>(), [Fixed::ONE; 6]);
    assert_eq!(read_queue(&write_queue(&spec)), Ok(spec));
}

#[test]
fn the_shortest_queue_has_every_default() {
    let spec = read_queue(r#"{"name": "duel", "players": {"min": 2, "max": 2}}"#).unwrap();
    assert_eq!(spec, QueueSpec::new("duel", 2, 2));
    assert_eq!(validate(&spec), []);
    assert_eq!(
        write_queue(&spec),
        "{\n  \"name\": \"duel\",\n  \"players\": {\n    \"min\": 2,\n    \"max\": 2\n  }\n}"
    );
}

#[test]
fn what_is_hardly_meant_is_a_warning() {
    let text = r#"{
        "name": "q", "players": {"min": 2, "max": 4}, "party": {"max": 5}, "timeout_s": 60, "urgent_after_s": 9,
        "prefer_full_for_s": 61, "regions": ["eu"], "attributes": {"skill": {"type": "number", "default": 1}},
        "rules": [
            {"name": "a", "type": "difference", "attribute": "skill", "max": 1, "optional_after_s": 60,
             "expand": {"steps": [{"after_s": 59.999, "value": 2}, {"after_s": 60, "value": 3}]}},
            {"name": "b", "type": "team_size", "max": 1}
        ]}"#;
    let warnings = read_queue_file("q.json", text.as_bytes()).unwrap().warnings;
    let paths: Vec<&str> = warnings.iter().map(|warning| &*warning.path).collect();
    let expected = [
        "party.max",
        "urgent_after_s",
        "prefer_full_for_s",
        "regions",
        "rules[0].optional_after_s",
        "rules[0].expand.steps[1].after_s",
        "rules[1]",
    ];
    assert_eq!(paths, expected);
    assert_eq!(
        warnings[5].to_string(),
        "q.json:6:80: rules[0].expand.steps[1].after_s: found 60 s with a timeout of 60 s, no ticket reaches that age"
    );
}

#[test]
fn errors_are_counted_beyond_a_thousand() {
    let keys: Vec<String> = (0..1500).map(|i| format!("\"key{i}\": 0")).collect();
    let errors = read_queue(&format!("{{{}}}", keys.join(","))).unwrap_err();
    assert_eq!(errors.len(), 1001);
    // The missing name and size are among those that are only counted or told.
    assert!(errors[1000].found.ends_with("more errors"), "{}", errors[1000]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn queues_come_back_from_their_text(spec in specs::queue()) {
        prop_assert_eq!(validate(&spec), []);
        let text = write_queue(&spec);
        prop_assert_eq!(read_queue(&text), Ok(spec), "{}", text);
    }

    #[test]
    fn trace_lines_come_back_from_their_text(line in specs::line()) {
        let text = write_trace_line(&line);
        prop_assert!(!text.contains('\n'));
        prop_assert_eq!(read_trace_line(1, text.as_bytes()), Ok(line), "{}", text);
    }

    /// Whatever is cut out of or put into a queue file, reading ends with a queue or with errors that point
    /// into the text.
    #[test]
    fn broken_queue_files_get_errors(from in 0..2500_usize, length in 0..40_usize, put in "[ -~]{0,4}") {
        let text = fs::read_to_string(data("example.json")).unwrap();
        let cut = |at: usize| (at.min(text.len())..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap();
        let broken = format!("{}{put}{}", &text[..cut(from)], &text[cut(from + length)..]);
        match read_queue(&broken) {
            Ok(spec) => prop_assert_eq!(validate(&spec), []),
            Err(errors) => {
                prop_assert!(!errors.is_empty());
                let lines: Vec<&str> = broken.split('\n').collect();
                for error in errors {
                    let line = lines[error.line as usize - 1];
                    prop_assert!(error.column as usize <= line.chars().count() + 1, "{}", error);
                    prop_assert!(!error.to_string().contains('\n'), "{}", error);
                }
            }
        }
    }
}
