//! `evenmatch bench` as people use it: its flags, its object for programs, its hash, and its ratios against a record.
//!
//! Nothing here depends on how fast anything is.
#![cfg(feature = "cli")]
#![allow(clippy::unwrap_used)]

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a command came to.
struct Outcome {
    code: Option<i32>,
    out: String,
    err: String,
}

fn bench(arguments: &[&str]) -> Outcome {
    let output = Command::new(env!("CARGO_BIN_EXE_evenmatch"))
        .arg("bench")
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Outcome { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// The object of a run that must succeed.
fn json(arguments: &[&str]) -> Value {
    let outcome = bench(&[arguments, &["--json"]].concat());
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert_eq!(outcome.out.lines().count(), 1, "one object on one line");
    serde_json::from_str(&outcome.out).unwrap()
}

/// A file of the test's own.
fn file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("bench-{name}"));
    fs::write(&path, text).unwrap();
    path
}

const SMALL_DUEL: &[&str] = &[
    "duel",
    "--selection",
    "oldest_first",
    "--per-tick",
    "60",
    "--ticks",
    "4",
    "--repeat",
    "1",
    "--door",
    "request",
];

#[test]
fn every_scenario_runs_and_says_what_it_did() {
    let run =
        json(&["--per-tick", "60", "--ticks", "3", "--waiting", "80", "--repeat", "1", "--index", "sorted"]);
    assert!(run["machine"]["cpu"].is_string() && run["machine"]["build"].is_string());
    assert_eq!((run["seed"].as_u64(), run["threads"].as_u64()), (Some(1), Some(1)));
    let rows = run["rows"].as_array().unwrap();
    let names: Vec<&str> = rows.iter().map(|row| row["name"].as_str().unwrap()).collect();
    for name in [
        "duel/4/oldest_first",
        "duel/16/oldest_first",
        "squads/oldest_first",
        "royale/60-100",
        "roles/oldest_first",
        "standing/odd-modes",
        "standing/healers",
        "standing/apart",
        "idle/1v1",
        "flood/random",
        "flood/equal",
        "arrival/1v1",
        "growth/60",
        "growth/180",
        "growth/600",
        "memory/exact",
        "memory/reserve",
    ] {
        assert!(names.contains(&name), "{name} is not among {names:?}");
    }
    for row in rows {
        let name = row["name"].as_str().unwrap();
        assert_eq!(
            (row["complete"].as_bool(), row["is_full"].as_bool()),
            (Some(true), Some(false)),
            "{name}"
        );
        assert_eq!(row["hash"].as_str().unwrap().len(), 16, "{name}");
        let has_flow = row["tickets"].as_u64().unwrap() > 0;
        for key in ["tickets_per_s", "submit_ns_per_ticket", "allocations_per_ticket", "matched_share"] {
            assert_eq!(row[key].is_number(), has_flow, "{name}: {key}");
        }
        let has_standing = row["waiting"].as_u64().unwrap() > 0;
        assert_eq!(row["bytes_per_waiting_ticket"].is_number(), has_standing, "{name}");
        if row["ticks"].as_u64().unwrap() > 0 {
            let [p50, p99, p999] =
                ["tick_us_p50", "tick_us_p99", "tick_us_p999"].map(|key| row[key].as_f64().unwrap());
            assert!(0.0 < p50 && p50 <= p99 && p99 <= p999, "{name}");
        }
    }
    let row = |name: &str| rows.iter().find(|row| row["name"] == name).unwrap();
    // Who stands apart stays, and every second visitor takes one of them away.
    assert_eq!(row("idle/1v1")["waiting_end"], 80);
    assert_eq!(row("memory/exact")["waiting_end"], 80);
    let arrivals = row("arrival/1v1");
    assert_eq!((arrivals["per_tick"].as_u64(), arrivals["tickets"].as_u64()), (Some(1), Some(3)));
    // One in twenty is cancelled before the tick.
    assert_eq!(row("duel/4/oldest_first")["cancelled"], 9);
    assert_eq!(row("flood/equal")["matched"], 60);
    assert_eq!(row("flood/equal")["skill_gap_mean"], 0);
}

#[test]
fn equal_runs_have_equal_hashes_whatever_the_threads() {
    let hashes = |more: &[&str]| -> Vec<String> {
        let scenarios = ["duel", "squads", "standing", "--selection", "oldest_first"];
        let sizes = ["--per-tick", "200", "--ticks", "4", "--waiting", "300", "--repeat", "2"];
        let run = json(&[&scenarios[..], &sizes, more].concat());
        run["rows"].as_array().unwrap().iter().map(|row| row["hash"].as_str().unwrap().to_owned()).collect()
    };
    let once = hashes(&[]);
    assert_eq!(once, hashes(&["--no-counts"]));
    assert_eq!(once, hashes(&["--threads", "2"]));
    assert_eq!(once, hashes(&["--door", "request"]));
    assert_eq!(
        once,
        hashes(&["--index", "linear"])[..2].iter().chain(&once[2..]).cloned().collect::<Vec<_>>()
    );
    let other = hashes(&["--seed", "2"]);
    assert!(once.iter().zip(&other).all(|(one, other)| one != other), "{once:?} {other:?}");
}

#[test]
fn several_threads_of_a_host_have_no_hash_and_match_as_many() {
    let sizes = ["duel", "--selection", "oldest_first", "--per-tick", "200", "--ticks", "4", "--repeat", "1"];
    for door in ["plain", "request"] {
        let run = json(&[&sizes[..], &["--hosts", "3", "--threads", "2", "--door", door]].concat());
        assert_eq!((run["hosts"].as_u64(), run["door"].as_str()), (Some(3), Some(door)));
        for row in run["rows"].as_array().unwrap() {
            assert_eq!((row["tickets"].as_u64(), row["cancelled"].as_u64()), (Some(800), Some(40)));
            assert!(row["hash"].is_null() && row["matched_share"].as_f64().unwrap() > 0.9, "{row}");
        }
    }
}

#[test]
fn a_record_is_compared_as_ratios() {
    let mut run = json(SMALL_DUEL);
    let before = file("before.json", &run.to_string());
    let compare = |path: &Path, more: &[&str]| {
        let outcome = bench(&[SMALL_DUEL, more, &["--compare", path.to_str().unwrap()]].concat());
        assert_eq!(outcome.code, Some(0), "{}", outcome.err);
        outcome.out
    };
    let same = compare(&before, &[]);
    assert!(same.contains("duel/4/oldest_first: output unchanged"), "{same}");
    for key in ["tickets_per_s", "tick_us_p99", "decision_us_p50", "skill_gap_mean"] {
        assert!(same.contains(&format!("x  {key}: ")), "{key}: {same}");
    }
    assert!(same.contains("1.000x  allocations_per_ticket: "), "{same}");
    assert!(same.contains("1.000x  matched_share: "), "{same}");

    // Half of the allocations of before are twice as good; half of the matches half as good.
    let row = &mut run["rows"][0];
    row["allocations_per_ticket"] = (2.0 * row["allocations_per_ticket"].as_f64().unwrap()).into();
    row["matched_share"] = (2.0 * row["matched_share"].as_f64().unwrap()).into();
    row["hash"] = "0000000000000000".into();
    row["offered_per_s"] = 123_456.into();
    let other = compare(&file("other.json", &run.to_string()), &[]);
    assert!(other.contains("duel/4/oldest_first: OUTPUT CHANGED"), "{other}");
    assert!(other.contains("2.000x  allocations_per_ticket: "), "{other}");
    assert!(other.contains("0.500x  matched_share: "), "{other}");
    // Tickets are sent at the recorded rate, so that delays compare.
    assert!(other.contains("123,456"), "{other}");

    let sizes = compare(&before, &["--seed", "1", "--no-counts"]);
    assert!(!sizes.contains("allocations_per_ticket: "), "{sizes}");
    let outcome = bench(&[
        "duel",
        "--per-tick",
        "61",
        "--ticks",
        "4",
        "--repeat",
        "1",
        "--compare",
        before.to_str().unwrap(),
    ]);
    assert!(outcome.out.contains("other sizes: per_tick was 60, is 61"), "{}", outcome.out);
    let outcome =
        bench(&["flood", "--per-tick", "60", "--repeat", "1", "--compare", before.to_str().unwrap()]);
    assert!(outcome.out.contains("flood/equal: not recorded"), "{}", outcome.out);
}

#[test]
fn what_was_recorded_otherwise_is_said_and_not_held_against_the_run() {
    let mut run = json(SMALL_DUEL);
    assert_eq!((run["index"].as_str(), run["retained"].as_u64()), (Some("auto"), Some(0)));
    let before = file("settings.json", &run.to_string());
    let compare = |path: &Path, more: &[&str]| {
        let quick = ["--no-counts", "--compare", path.to_str().unwrap()];
        let outcome = bench(&[SMALL_DUEL, more, &quick].concat());
        assert_eq!(outcome.code, Some(0), "{}", outcome.err);
        outcome.out
    };
    let seed = compare(&before, &["--seed", "5"]);
    assert!(seed.contains("recorded with seed 1; this run has seed 5"), "{seed}");
    assert!(
        seed.contains("duel/4/oldest_first: output not compared, as it was recorded with seed 1"),
        "{seed}"
    );
    assert!(!seed.contains("OUTPUT CHANGED"), "{seed}");
    let others = compare(&before, &["--threads", "2", "--hosts", "2", "--index", "linear"]);
    let said = "recorded with threads 1, hosts 1, index auto; this run has threads 2, hosts 2, index linear";
    assert!(
        others.contains(said) && others.contains("as it was recorded with hosts 1, index auto"),
        "{others}"
    );
    // Neither threads nor the kept tickets change what comes out, so that outputs are still compared.
    let alike = compare(&before, &["--threads", "2", "--retained", "10"]);
    assert!(
        alike.contains("recorded with threads 1, retained 0;") && alike.contains("output unchanged"),
        "{alike}"
    );
    // Delays at one rate say nothing of delays at another.
    let rate = compare(&before, &["--rate", "77"]);
    assert!(rate.contains("delays not compared: ") && rate.contains("tickets/s were sent, now 77"), "{rate}");
    assert!(!rate.contains("x  decision_us_p50: ") && rate.contains("x  tick_us_p50: "), "{rate}");

    // A record of other sizes sets no rate, and one that no run has is refused.
    let row = &mut run["rows"][0];
    (row["per_tick"], row["offered_per_s"]) = (61.into(), 123_456.into());
    let sizes = compare(&file("other-sizes.json", &run.to_string()), &[]);
    assert!(sizes.contains("other sizes: per_tick was 61, is 60") && !sizes.contains("123,456"), "{sizes}");
    for rate in ["1e308", "1e-308", "1e-300"] {
        run["rows"][0]["offered_per_s"] = serde_json::from_str(rate).unwrap();
        let path = file("rate.json", &run.to_string());
        let outcome = bench(&[SMALL_DUEL, &["--compare", path.to_str().unwrap()]].concat());
        assert_eq!(outcome.code, Some(2), "{rate}");
        assert!(outcome.err.contains("a rate lies between 0.001 and 1e12"), "{rate}: {}", outcome.err);
    }
}

#[test]
fn delays_are_told_at_the_least_and_the_greatest_rate() {
    for rate in ["0.001", "1e12"] {
        let run = json(&[SMALL_DUEL, &["--rate", rate, "--no-counts"]].concat());
        assert!(run["rows"][0]["decision_us_p50"].as_f64().unwrap() > 0.0, "{rate}: {}", run["rows"][0]);
    }
}

#[test]
fn sizes_hold_where_there_are_such_and_it_is_said_where_not() {
    let growth = json(&["growth", "--per-tick", "2", "--ticks", "3", "--repeat", "1"]);
    let sizes = |row: &Value| (row["per_tick"].as_u64().unwrap(), row["ticks"].as_u64().unwrap());
    let sizes: Vec<(u64, u64)> = growth["rows"].as_array().unwrap().iter().map(sizes).collect();
    assert_eq!(sizes, [(2, 3), (6, 3), (20, 3)]);

    let quick = ["--per-tick", "20", "--ticks", "1", "--repeat", "1", "--no-counts"];
    let outcome = bench(&[&["royale", "flood", "idle"][..], &quick].concat());
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), "--per-tick has no effect on idle\n"));
}

#[test]
fn no_more_are_matched_than_were_sent() {
    let sizes =
        ["squads", "--selection", "oldest_first", "--per-tick", "40", "--ticks", "6", "--repeat", "1"];
    for row in json(&sizes)["rows"].as_array().unwrap() {
        let [sent, cancelled, matched] =
            ["tickets", "cancelled", "matched_of_sent"].map(|key| row[key].as_u64().unwrap());
        assert!(matched <= sent - cancelled && matched <= row["matched"].as_u64().unwrap(), "{row}");
        let share = matched as f64 / (sent - cancelled) as f64;
        assert!((row["matched_share"].as_f64().unwrap() - share).abs() < 1e-6, "{row}");
    }
}

#[test]
fn tables_are_for_people_and_for_markdown() {
    let outcome = bench(SMALL_DUEL);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    for part in ["evenmatch 0.", "threads 1", "tickets/s", "duel/4/oldest_first", "decision p50"] {
        assert!(outcome.out.contains(part), "{part}: {}", outcome.out);
    }
    // Small rows are held against no bar.
    assert!(!outcome.out.contains("the bars"), "{}", outcome.out);
    if cfg!(debug_assertions) {
        assert!(outcome.out.contains("no release build"), "{}", outcome.out);
    }
    let outcome = bench(&[SMALL_DUEL, &["--table"]].concat());
    let row = outcome.out.lines().find(|line| line.starts_with("| `duel/4/oldest_first` |")).unwrap();
    let header = outcome.out.lines().find(|line| line.starts_with("| row |")).unwrap();
    assert_eq!(row.matches(" | ").count(), header.matches(" | ").count());
}

#[test]
fn a_pass_that_takes_too_long_says_where_it_was_ended() {
    let outcome = bench(&[SMALL_DUEL, &["--seconds", "0.000001", "--no-counts"]].concat());
    assert!(
        outcome.out.contains("duel/4/oldest_first was ended by --seconds after 1 of 4 ticks."),
        "{}",
        outcome.out
    );
    let run = json(&[SMALL_DUEL, &["--seconds", "0.000001", "--no-counts"]].concat());
    assert_eq!((&run["rows"][0]["complete"], &run["rows"][0]["hash"]), (&Value::Bool(false), &Value::Null));
}

#[test]
fn room_for_ended_tickets_takes_memory() {
    let bytes = |retained| {
        let run = json(&["memory", "--waiting", "1000", "--repeat", "1", "--retained", retained]);
        let rows = run["rows"].as_array().unwrap();
        let exact = rows.iter().find(|row| row["name"] == "memory/exact").unwrap();
        exact["bytes_per_waiting_ticket"].as_f64().unwrap()
    };
    // A million of them, at a byte each at least.
    assert!(bytes("1000000") > bytes("0") + 1000.0);
}

#[test]
fn bad_input_names_the_remedy() {
    let broken = file("broken.json", "{\"rows\":[");
    let empty = file("empty.json", "{\"rows\":[]}");
    let binary = file("binary.json", "");
    fs::write(&binary, [0xff, 0xfe]).unwrap();
    let (broken, empty, binary) =
        (broken.to_str().unwrap(), empty.to_str().unwrap(), binary.to_str().unwrap());
    for (arguments, part) in [
        (&["duels"][..], "duel"),
        (&["duel", "--per-tick", "0"], "needs a count of 2 to"),
        (&["duel", "--threads", "0"], "needs a count of 1 to 57"),
        (&["duel", "--threads", "many"], "needs a count of 1 to 57"),
        (&["duel", "--retained", "60000001"], "needs a count of 0 to"),
        (&["duel", "--seconds", "0"], "--seconds 0 must lie above 0"),
        (&["duel", "--seconds", "NaN"], "--seconds NaN must lie above 0"),
        (&["duel", "--rate", "-1"], "unexpected argument"),
        (&["duel", "--rate", "0"], "--rate 0.0 must lie between 0.001 and 1e12"),
        (&["duel", "--rate", "1e308"], "--rate 1e308 must lie between 0.001 and 1e12"),
        (&["duel", "--rate", "1e-308"], "--rate 1e-308 must lie between 0.001 and 1e12"),
        (&["duel", "--rate", "NaN"], "must lie between 0.001 and 1e12"),
        (&["flood", "--ticks", "3"], "--ticks has no effect on flood"),
        (&["arrival", "idle", "--per-tick", "60"], "--per-tick has no effect on idle, arrival; leave it out"),
        (&["duel", "growth", "--waiting", "60"], "--waiting has no effect on duel, growth"),
        (&["royale", "--selection", "least_cost"], "--selection has no effect on royale"),
        (&["memory", "--rate", "60"], "--rate has no effect on memory"),
        (
            &["flood", "--per-tick", "10000000", "--retained", "60000000"],
            "; fewer --per-tick, or fewer --retained\n",
        ),
        (&["memory", "--waiting", "60000000"], "at most 1000000 tickets stand apart"),
        (&["growth", "--per-tick", "10000000", "--ticks", "1"], "; fewer --per-tick\n"),
        (&["duel", "--selection", "best"], "oldest_first"),
        (&["idle", "--waiting", "1000001"], "at most 1000000 tickets stand apart"),
        (&["duel", "--per-tick", "10000000", "--ticks", "100"], "fewer --ticks"),
        (&["duel", "--json", "--table"], "cannot be used with"),
        (&["duel", "--compare", "no/such/file.json"], "cannot read no/such/file.json"),
        (&["duel", "--compare", broken], "broken.json:1:"),
        (&["duel", "--compare", empty], "empty.json holds no rows"),
        (&["duel", "--compare", binary], "UTF-8"),
    ] {
        let outcome = bench(arguments);
        assert_eq!(outcome.code, Some(2), "{arguments:?}: {}", outcome.err);
        assert!(outcome.err.contains(part), "{arguments:?}: {}", outcome.err);
        assert_eq!(outcome.out, "", "{arguments:?}");
    }
}

#[test]
fn what_the_engine_lacks_is_said() {
    let outcome =
        bench(&["duel", "--selection", "least_cost", "--per-tick", "20", "--ticks", "1", "--repeat", "1"]);
    match outcome.code {
        Some(0) => assert!(outcome.out.contains("duel/4/least_cost")),
        code => {
            assert_eq!(code, Some(2), "{}", outcome.err);
            assert!(outcome.err.contains("least_cost"), "{}", outcome.err);
        }
    }
}
