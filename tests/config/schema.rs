//! The JSON Schema of the native format, asked of a validator that shares no code with the reader: it accepts every
//! good queue file, and of the error corpus it refuses all but what no schema can see.

use super::{data, json_files};
use boon::{Compiler, Schemas};
use evenmatch::config::QUEUE_SCHEMA;
use evenmatch::config::write::write_queue;
use proptest::prelude::*;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Files of the corpus whose fault lies in what their parts mean together, with the reason.
const MEANING: &[(&str, &[&str])] = &[
    (
        "compares a value with an attribute's range or digits",
        &["attribute_default_digits", "attribute_default_range", "rule_default_range", "rule_default_type"],
    ),
    (
        "compares two numbers",
        &[
            "attribute_swapped",
            "expand_cap_low",
            "expand_cap_low_power",
            "expand_floor_high",
            "min_tickets_too_many",
            "rule_total_swapped",
            "size_swapped",
            "teams_count_swapped",
            "teams_players_swapped",
        ],
    ),
    (
        "counts digits, which are no part of JSON's numbers",
        &["attribute_too_fine", "rule_too_fine", "timeout_fine"],
    ),
    ("sees a key twice, of which a JSON value keeps one", &["duplicate_key"]),
    (
        "follows a window over time",
        &[
            "expand_below_zero",
            "expand_no_end",
            "expand_no_end_power",
            "expand_no_floor",
            "expand_tightens",
            "expand_tightens_intersection",
            "steps_order",
            "steps_tighten",
            "steps_tighten_equality",
            "steps_tighten_on",
            "steps_tighten_total",
        ],
    ),
    (
        "looks up the attribute that a rule names",
        &[
            "rule_attribute_list",
            "rule_attribute_no_list",
            "rule_attribute_type",
            "rule_attribute_undeclared",
            "rule_missing_beside_default",
            "rule_team_default",
        ],
    ),
    ("asks for the default that `missing` leaves no room for", &["rule_missing_beside_own"]),
    ("compares names", &["regions_twice_folded", "rule_same_name", "teams_same_name"]),
    ("counts the rules of one type", &["rule_two_regions"]),
    (
        "adds up team sizes",
        &["size_no_multiple", "size_zero", "teams_beside_players", "teams_too_many_players"],
    ),
    ("counts levels of nesting", &["too_deep"]),
];

/// The schema, compiled once.
struct Schema {
    schemas: Schemas,
    index: boon::SchemaIndex,
}

impl Schema {
    fn new() -> Schema {
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        let schema = serde_json::from_str(QUEUE_SCHEMA).expect("the schema is JSON");
        compiler.add_resource("queue.schema.json", schema).unwrap();
        let index = compiler.compile("queue.schema.json", &mut schemas).expect("the schema is a schema");
        Schema { schemas, index }
    }

    /// What the validator says; an error also for a text that is no JSON.
    fn judge(&self, bytes: &[u8]) -> Result<(), String> {
        let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
        let value: Value = serde_json::from_str(&plain(text)).map_err(|error| error.to_string())?;
        self.schemas.validate(&value, self.index).map_err(|error| error.to_string())
    }
}

/// A queue file without its comments and trailing commas, which stand outside of strings only.
fn plain(text: &str) -> String {
    let (mut out, mut rest, mut in_string) = (String::new(), text.chars().peekable(), false);
    while let Some(c) = rest.next() {
        match c {
            '\\' if in_string => {
                out.push(c);
                out.extend(rest.next());
                continue;
            }
            '"' => in_string = !in_string,
            '/' if !in_string && rest.peek() == Some(&'/') => {
                while rest.next_if(|&c| c != '\n' && c != '\r').is_some() {}
                continue;
            }
            ']' | '}' if !in_string => {
                let kept = out.trim_end().len();
                if out[..kept].ends_with(',') {
                    out.truncate(kept - 1);
                }
            }
            _ => {}
        }
        out.push(c);
    }
    out
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_str().unwrap().to_owned()
}

#[test]
fn the_schema_accepts_every_good_queue_file() {
    let schema = Schema::new();
    let folders = ["queues", "warnings"].iter().flat_map(|folder| json_files(folder));
    for path in folders.chain([data("example.json")]) {
        schema.judge(&fs::read(&path).unwrap()).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}

#[test]
fn the_schema_refuses_what_a_schema_can_see() {
    let schema = Schema::new();
    let listed: Vec<&str> = MEANING.iter().flat_map(|(_, names)| names.iter().copied()).collect();
    let files = json_files("errors");
    for path in &files {
        let accepted = schema.judge(&fs::read(path).unwrap()).is_ok();
        let name = stem(path);
        assert_eq!(accepted, listed.contains(&&*name), "{name}: accepted by the schema: {accepted}");
    }
    for name in listed {
        assert!(files.iter().any(|path| stem(path) == name), "{name} is a file of the corpus");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    /// Whatever queue the engine takes, its file is legal by the schema.
    #[test]
    fn the_schema_accepts_what_is_written(spec in super::specs::queue()) {
        let text = write_queue(&spec);
        let judged = Schema::new().judge(text.as_bytes());
        prop_assert!(judged.is_ok(), "{:?}\n{}", judged, text);
    }
}
