//! What is legal and hardly meant: for each kind of warning a file with the very lines that it gets
//! (`NAME.json` and `NAME.txt` in `tests/data/warnings`), and no warning for files that are meant as they are.
//!
//! After a change of a message, `EVENMATCH_BLESS=1 cargo test --test config` writes the `.txt` files anew.

use super::{data, json_files};
use evenmatch::config::{PlayfabOptions, QueueFormat, read_queue_file, read_queues_file};
use std::fs;

#[test]
fn each_kind_of_warning_says_what_where_and_what_to_do() {
    let mut wrong = Vec::new();
    let files = json_files("warnings");
    assert!(files.len() > 20, "the corpus is there");
    for path in files {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let read = read_queue_file(&name, &fs::read(&path).unwrap()).expect(&name);
        let lines: String = read.warnings.iter().map(|warning| format!("{warning}\n")).collect();
        let expected = path.with_extension("txt");
        if std::env::var_os("EVENMATCH_BLESS").is_some() {
            fs::write(&expected, &lines).unwrap();
        }
        let told = fs::read_to_string(&expected).unwrap_or_default();
        if told != lines || lines.is_empty() {
            wrong.push(format!("{name}\n  expected:\n{told}  found:\n{lines}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn queues_that_are_meant_as_they_are_get_none() {
    for path in json_files("queues").into_iter().chain([data("example.json")]) {
        let name = path.display().to_string();
        let read = read_queue_file(&name, &fs::read(&path).unwrap()).expect(&name);
        assert_eq!(read.warnings, [], "{name}");
    }
    // A PlayFab file says what is only kept of it or never holds, and nothing else about rules or sizes.
    let reasons = [
        ("kept and returned with each match", "servers and statistics are the host's"),
        ("Overrides replaces it from age 0 on", "the files are about overrides that begin at 0"),
    ];
    let mut unexplained = Vec::new();
    for path in json_files("playfab") {
        let name = path.display().to_string();
        let bytes = fs::read(&path).unwrap();
        let read = read_queues_file(&name, &bytes, QueueFormat::Auto, &PlayfabOptions::default());
        let warnings = read.expect(&name).warnings.into_iter();
        let is_known =
            |remedy: &str| reasons.iter().any(|(words, reason)| !reason.is_empty() && remedy.contains(words));
        unexplained
            .extend(warnings.filter(|warning| !is_known(&warning.remedy)).map(|found| found.to_string()));
    }
    assert_eq!(unexplained, Vec::<String>::new());
}

#[test]
fn what_can_be_met_together_gets_none() {
    let totals = |some: &str, few: &str| {
        format!(
            r#"{{ "name": "q", "teams": [{{ "name": "t", "count": 2, "players": 3 }}], "timeout_s": 60,
            "attributes": {{ "a": {{ "type": "integer", "default": 0, "min": -1, "max": 1 }} }},
            "rules": [{{ "name": "some", "type": "total", "attribute": "a", {some} }},
                      {{ "name": "few", "type": "total", "attribute": "a", {few} }}] }}"#
        )
    };
    let mut wrong = Vec::new();
    for text in [
        totals(r#""per": "team", "min": 1"#, r#""per": "team", "max": 1"#),
        totals(r#""per": "match", "min": 4"#, r#""per": "team", "max": 2"#),
        totals(r#""per": "team", "min": -2"#, r#""per": "match", "max": -4"#),
        totals(r#""per": "team", "min": 2"#, r#""per": "team", "max": 1, "optional_after_s": 30"#),
        totals(
            r#""per": "team", "min": 2"#,
            r#""per": "team", "max": 1, "expand": { "steps": [{ "after_s": 30, "value": { "max": 2 } }] }"#,
        ),
        totals(r#""per": "team", "min": 2"#, r#""per": "team", "max": 1, "expand": { "steps": [{ "after_s": 30, "value": null }] }"#),
        // Four tickets: two in each team.
        r#"{ "name": "q", "teams": [{ "name": "t", "count": 2, "players": 3 }], "party": { "max": 2 }, "capacity": 4 }"#
            .to_owned(),
        r#"{ "name": "q", "players": { "min": 2, "max": 4 }, "prefer_full_for_s": 5, "selection": "least_cost",
            "rules": [{ "name": "r", "type": "region", "max_ms": 60 }], "region_names": "fold_case" }"#
            .to_owned(),
    ] {
        match read_queue_file("q.json", text.as_bytes()) {
            Ok(read) => wrong.extend(read.warnings.iter().map(|warning| format!("{warning}\n{text}"))),
            Err(errors) => wrong.extend(errors.iter().map(|error| format!("{error}\n{text}"))),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
