//! The command line as people use it: the built binary, its files, its exit codes and what it prints.
//!
//! Expected matches are worked out by hand from the rules, not copied from a run.

#![allow(clippy::unwrap_used)]

use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a command came to.
struct Outcome {
    code: Option<i32>,
    out: String,
    err: String,
}

/// Runs the binary in `folder`.
fn evenmatch(folder: &Path, arguments: &[&str]) -> Outcome {
    let output = Command::new(env!("CARGO_BIN_EXE_evenmatch"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Outcome { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// An empty folder of the test's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cli-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn data(name: &str) -> String {
    format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"))
}

const PRESETS: [&str; 6] =
    ["hybrid_duel", "hybrid_5v5", "connection_first", "skill_based", "battle_royale", "coop_roles"];

/// One against one: 50 points at first, 50 more every 10 s, at most 200; 50 ms.
const DUEL: &str = r#"{
  "name": "duel",
  "teams": [ { "name": "home", "players": 1 }, { "name": "away", "players": 1 } ],
  "attributes": { "skill": { "type": "number", "default": 1500, "min": 0, "max": 5000, "decimals": 0 } },
  "rules": [
    { "name": "skill", "type": "difference", "attribute": "skill", "max": 50,
      "expand": { "linear": { "add": 50, "every_s": 10, "cap": 200 } } },
    { "name": "ping", "type": "region", "max_ms": 50 },
  ],
  "timeout_s": 60, // trailing commas and comments are fine
}"#;

/// A line that submits one player with a rating and a round trip to `eu`.
fn submit(at: f64, ticket: &str, player: &str, skill: u32, eu: u32) -> String {
    format!(
        r#"{{"at":{at},"submit":{{"ticket":"{ticket}","queue":"duel","players":[{{"id":"{player}","attributes":{{"skill":{skill}}}}}],"latency":{{"eu":{eu}}}}}}}"#
    )
}

/// Replays `lines` through the duel queue and gives the lines of the output.
fn replay(name: &str, lines: &[String], options: &[&str]) -> (Vec<String>, Outcome) {
    let folder = folder(name);
    fs::write(folder.join("duel.json"), DUEL).unwrap();
    fs::write(folder.join("trace.jsonl"), lines.join("\n")).unwrap();
    let mut arguments = vec!["run", "--queue", "duel.json", "trace.jsonl", "--out", "out.jsonl"];
    arguments.extend(options);
    let outcome = evenmatch(&folder, &arguments);
    let out = fs::read_to_string(folder.join("out.jsonl")).unwrap_or_default();
    (out.lines().map(str::to_owned).collect(), outcome)
}

#[test]
fn help_names_every_command() {
    let folder = folder("help");
    let help = evenmatch(&folder, &["--help"]);
    assert_eq!(help.code, Some(0));
    for command in ["run", "explain", "compare", "check", "init", "generate"] {
        assert!(help.out.contains(command), "{}", help.out);
        assert_eq!(evenmatch(&folder, &[command, "--help"]).code, Some(0));
    }
    assert_eq!(evenmatch(&folder, &["rum"]).code, Some(2));
}

#[test]
fn init_writes_presets_that_check_accepts() {
    let folder = folder("init");
    let list = evenmatch(&folder, &["init"]);
    assert_eq!(list.code, Some(0));
    for preset in PRESETS {
        assert!(list.out.contains(preset), "{}", list.out);
        let file = format!("{preset}.json");
        assert_eq!(evenmatch(&folder, &["init", preset, "--out", &file]).code, Some(0));
        let written = fs::read_to_string(folder.join(&file)).unwrap();
        assert_eq!(written, fs::read_to_string(data(&format!("queues/{file}"))).unwrap());
        assert_eq!(evenmatch(&folder, &["init", preset]).out, written);
        let check = evenmatch(&folder, &["check", &file]);
        assert_eq!((check.code, check.err.as_str()), (Some(0), ""), "{preset}: {}", check.out);
        assert!(!check.out.contains("warning"), "{preset}: {}", check.out);
    }
    let typo = evenmatch(&folder, &["init", "hybrid_deul"]);
    assert_eq!(typo.code, Some(2));
    assert!(typo.err.contains("did you mean hybrid_duel?"), "{}", typo.err);
    let again = evenmatch(&folder, &["init", "coop_roles", "--out", "hybrid_duel.json"]);
    assert_eq!(again.code, Some(2));
    assert!(again.err.contains("exists already"), "{}", again.err);
    let forced = evenmatch(&folder, &["init", "coop_roles", "--out", "hybrid_duel.json", "--force"]);
    assert_eq!(forced.code, Some(0));
}

#[test]
fn check_says_what_a_queue_means() {
    let folder = folder("check");
    let duel = evenmatch(&folder, &["check", &data("queues/hybrid_duel.json")]).out;
    // The test vectors of the presets' windows, and when the caps are reached.
    for row in ["4 79.24 50 ms", "10 150.74 65 ms", "15 224.15 80 ms", "20 306.8 110 ms", "30 493.94 140 ms"]
    {
        assert!(squeezed(&duel).contains(row), "{row}: {duel}");
    }
    assert!(squeezed(&duel).contains("35.16 600 155 ms"), "{duel}");
    assert!(squeezed(&duel).contains("40 600 180 ms"), "{duel}");
    assert!(duel.contains("2 players in a match"), "{duel}");
    assert!(duel.contains("index       sorted"), "{duel}");
    assert!(squeezed(&duel).contains("skill 1 600 76.9 %"), "{duel}");

    let royale = evenmatch(&folder, &["check", &data("queues/battle_royale.json")]).out;
    assert!(royale.contains("24 to 60 players in a match"), "{royale}");

    let heavy = DUEL.replace(r#""max_ms": 50"#, r#""max_ms": 50, "weight": 0.01"#);
    fs::write(folder.join("heavy.json"), heavy).unwrap();
    let heavy = evenmatch(&folder, &["check", "heavy.json"]);
    assert_eq!(heavy.code, Some(0));
    let warning =
        "heavy.json:8:65: rules[1].weight: found a cost of at most 0.5 where rule \"skill\" can cost 200";
    assert!(heavy.out.contains(warning), "{}", heavy.out);
}

/// `text` with every run of blanks as one.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<&str>>().join(" ")
}

#[test]
fn check_reports_every_error_with_its_place() {
    let folder = folder("check-errors");
    let broken = "{\n  \"name\": \"q\",\n  \"playrs\": 2,\n  \"players\": { \"min\": 2, \"max\": 2 },\n  \"timeout_s\": -1\n}\n";
    fs::write(folder.join("broken.json"), broken).unwrap();
    fs::write(folder.join("duel.json"), DUEL).unwrap();
    let check = evenmatch(&folder, &["check", "broken.json", "absent.json", "duel.json"]);
    assert_eq!(check.code, Some(2));
    assert!(check.err.contains("broken.json:3:3: "), "{}", check.err);
    assert!(check.err.contains("players"), "{}", check.err);
    assert!(check.err.contains("broken.json:5:16: timeout_s: "), "{}", check.err);
    assert!(check.err.contains("cannot read absent.json"), "{}", check.err);
    assert!(check.out.contains("queue \"duel\""), "a good file is still explained: {}", check.out);
    assert_eq!(evenmatch(&folder, &["check"]).code, Some(2));
    let schema = evenmatch(&folder, &["check", "--schema"]);
    assert_eq!(schema.code, Some(0));
    assert!(schema.out.starts_with('{') && schema.out.ends_with("}\n"), "{}", schema.out);
}

#[test]
fn generate_gives_the_same_bytes_for_a_seed() {
    let folder = folder("generate");
    for preset in PRESETS {
        let queue = data(&format!("queues/{preset}.json"));
        let make = |seed: &str, out: &str| {
            let options = ["--duration", "5m", "--rate", "2", "--seed", seed, "--out", out];
            let made = evenmatch(&folder, &[&["generate", "--queue", &queue][..], &options].concat());
            assert_eq!((made.code, made.err.as_str()), (Some(0), ""), "{preset}");
            fs::read_to_string(folder.join(out)).unwrap()
        };
        let first = make("7", "first.jsonl");
        assert_eq!(first, make("7", "second.jsonl"), "{preset}");
        assert_ne!(first, make("8", "third.jsonl"), "{preset}");
        let submits = first.lines().filter(|line| line.contains("submit")).count();
        assert!((450..750).contains(&submits), "{preset}: {submits} tickets at 2 a second in 5 minutes");
        let times = first.lines().map(|line| line[6..line.find(',').unwrap()].to_owned());
        let times: Vec<f64> = times.map(|time| time.parse().unwrap()).collect();
        assert!(times.is_sorted(), "{preset}");
    }
}

#[test]
fn generate_still_makes_the_recorded_evenings() {
    let folder = folder("evenings");
    let readme = fs::read_to_string(data("evenings/README.md")).unwrap();
    let commands = readme.split('`').filter(|text| text.starts_with("evenmatch generate --queue"));
    let mut made = 0;
    for command in commands {
        let words: Vec<&str> = command.split(' ').skip(1).collect();
        let at = words.iter().position(|&word| word == "--out").unwrap() + 1;
        let recorded = fs::read_to_string(format!("{}/{}", env!("CARGO_MANIFEST_DIR"), words[at])).unwrap();
        let queue = words.iter().position(|&word| word == "--queue").unwrap() + 1;
        let queue_file = format!("{}/{}", env!("CARGO_MANIFEST_DIR"), words[queue]);
        let mut words = words.clone();
        (words[at], words[queue]) = ("evening.jsonl", &queue_file);
        assert_eq!(evenmatch(&folder, &words).code, Some(0), "{command}");
        assert!(recorded == fs::read_to_string(folder.join("evening.jsonl")).unwrap(), "{command}");
        made += 1;
    }
    assert_eq!(made, 2);
}

#[test]
fn generate_refuses_what_makes_no_sense() {
    let folder = folder("generate-errors");
    let queue = data("queues/hybrid_duel.json");
    for (options, word) in [
        (["--rate", "0"], "--rate"),
        (["--duration", "5"], "span"),
        (["--duration", "0s"], "--duration 0 leaves no time"),
        (["--duration", "1ms"], "nobody comes within a --duration of 0.001 s at a --rate of 1;"),
        (["--cancel-rate", "1"], "--cancel-rate 1 and --leave-rate 0.01 (the default) are more than all"),
        (["--leave-rate", "0.98"], "say --cancel-rate 0.02\n"),
        (["--party-mix", "2:1"], "parties of 1 to 1"),
        (["--party-mix", "two"], "SIZE:SHARE"),
        (["--cancel-rate", "1.5"], "--cancel-rate"),
        (["--leave-rate", "2"], "--leave-rate"),
        (["--newcomers", "1.01"], "--newcomers"),
        (["--peak", "25"], "--peak"),
        (["--peak-factor", "0"], "--peak-factor"),
        (["--patience", "soon"], "span"),
        (["--skill-mean", "many"], "--skill-mean"),
        (["--skill-deviation", "NaN"], "--skill-deviation"),
        (["--max-ping", "0"], "--max-ping"),
    ] {
        let arguments = [&["generate", "--queue", &queue, "--out", "t.jsonl"][..], &options].concat();
        let refused = evenmatch(&folder, &arguments);
        assert_eq!(refused.code, Some(2), "{options:?}");
        assert!(refused.err.contains(word), "{options:?}: {}", refused.err);
        assert!(!folder.join("t.jsonl").exists());
    }
}

/// What stands in a trace of half a day, made with these options.
#[derive(Debug)]
struct Traffic {
    ratings: Vec<f64>,
    /// Players without a rating of their own.
    newcomers: usize,
    pings: Vec<Vec<f64>>,
    /// Tickets that come in the first half, and in the second.
    halves: [f64; 2],
    leaves: usize,
    /// From the submit to the cancel, in seconds.
    cancel_waits: Vec<f64>,
}

fn traffic(options: &[&str]) -> Traffic {
    let queue = data("queues/hybrid_duel.json");
    let base = [
        "generate",
        "--queue",
        &queue,
        "--out",
        "-",
        "--duration",
        "12h",
        "--start-hour",
        "6",
        "--rate",
        "0.1",
    ];
    let made = evenmatch(&folder("generate-options"), &[&base[..], options].concat());
    assert_eq!((made.code, made.err.as_str()), (Some(0), ""), "{options:?}");
    let mut traffic = Traffic {
        ratings: Vec::new(),
        newcomers: 0,
        pings: Vec::new(),
        halves: [0.0; 2],
        leaves: 0,
        cancel_waits: Vec::new(),
    };
    let mut submitted = HashMap::new();
    for line in made.out.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let at = line["at"].as_f64().unwrap();
        if let Some(ticket) = line["submit"]["ticket"].as_str() {
            submitted.insert(ticket.to_owned(), at);
            traffic.halves[usize::from(at >= 6.0 * 3600.0)] += 1.0;
            let latency = line["submit"]["latency"].as_object().unwrap();
            traffic.pings.push(latency.values().map(|ping| ping.as_f64().unwrap()).collect());
            for player in line["submit"]["players"].as_array().unwrap() {
                match player["attributes"]["skill"].as_f64() {
                    Some(rating) => traffic.ratings.push(rating),
                    None => traffic.newcomers += 1,
                }
            }
        } else if let Some(ticket) = line["cancel"]["ticket"].as_str() {
            traffic.cancel_waits.push(at - submitted[ticket]);
        } else {
            assert!(line["leave"].is_object(), "{line}");
            traffic.leaves += 1;
        }
    }
    traffic
}

fn mean(of: &[f64]) -> f64 {
    of.iter().sum::<f64>() / of.len() as f64
}

#[test]
fn generate_does_what_each_option_says() {
    let plain = traffic(&[]);
    let tickets = plain.pings.len() as f64;
    assert!((1400.0..1600.0).contains(&mean(&plain.ratings)), "{}", mean(&plain.ratings));

    let better = traffic(&["--skill-mean", "2500"]);
    assert!((2400.0..2600.0).contains(&mean(&better.ratings)), "{}", mean(&better.ratings));
    let alike = traffic(&["--skill-deviation", "1"]);
    assert!(alike.ratings.iter().all(|rating| (rating - 1500.0).abs() < 10.0));
    let fresh = traffic(&["--newcomers", "1"]);
    assert_eq!((fresh.ratings.len(), fresh.newcomers as f64), (0, tickets));
    assert_eq!(traffic(&["--newcomers", "0"]).newcomers, 0);

    // The nearest data centre stays, however far it is.
    assert!(plain.pings.iter().flatten().any(|&ping| ping > 90.0));
    let near = traffic(&["--max-ping", "60"]);
    assert!(near.pings.iter().all(|pings| pings.len() == 1 || pings.iter().all(|&ping| ping <= 60.0)));
    assert!(near.pings.iter().any(|pings| pings.len() > 1));

    assert!(plain.leaves > 0 && traffic(&["--leave-rate", "0"]).leaves == 0);
    let leaving = traffic(&["--leave-rate", "0.5"]).leaves as f64;
    assert!((0.4 * tickets..0.6 * tickets).contains(&leaving), "{leaving} of {tickets}");
    let patient = mean(&traffic(&["--patience", "10m"]).cancel_waits);
    assert!((400.0..800.0).contains(&patient), "{patient}");

    // From 6 to 18 h UTC; the later the local hour of the peak, the later most of them come.
    let late = |options: &[&str]| {
        let [first, second] = traffic(options).halves;
        second / first
    };
    assert!((0.9..1.1).contains(&late(&["--peak-factor", "1"])));
    let (early, evening) = (late(&["--peak", "6"]), late(&["--peak", "20"]));
    assert!(early < 0.9 && evening > 1.1, "{early} {evening}");
    assert!(late(&["--peak", "20", "--peak-factor", "1000"]) > evening);
}

#[test]
fn a_small_replay_is_what_the_rules_say() {
    let lines = [
        submit(0.0, "t1", "ann", 1500, 20).replace(r#""eu":20"#, r#""eu":20,"us":90"#),
        submit(0.05, "t2", "bob", 1520, 30),
        submit(0.06, "t3", "ann", 1500, 20),
        // A hundred points apart: both must have waited for 10 s.
        submit(0.2, "t4", "cid", 1700, 40),
        submit(0.3, "t5", "dan", 1800, 10),
        r#"{"at":11.0,"cancel":{"ticket":"t1"}}"#.to_owned(),
        submit(12.0, "t6", "eve", 1000, 20),
        r#"{"at":12.5,"cancel":{"ticket":"t6"}}"#.to_owned(),
        submit(13.0, "t7", "fay", 3000, 20),
        r#"{"at":13.05,"leave":{"player":"gus"}}"#.to_owned(),
        submit(13.05, "t8", "hal", 1500, 51),
    ];
    let (out, outcome) = replay("golden", &lines, &["--summary", "json"]);
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
    let expected = [
        r#"{"at":0.06,"refused":{"ticket":"t3","code":"PLAYER_ALREADY_QUEUED","detail":"player ann is in ticket t1"}}"#,
        r#"{"at":0.1,"match":{"id":"m1","queue":"duel","region":"eu","teams":[{"name":"home","tickets":["t1"],"players":["ann"]},{"name":"away","tickets":["t2"],"players":["bob"]}],"pings":{"t1":20,"t2":30},"regions":["eu"],"attempts":0,"quality":{"cost":45,"skill_spread":20,"team_difference":20,"ping_worst_ms":30,"ping_mean_ms":25,"oldest_wait_s":0.1,"exhaustive":true}}}"#,
        r#"{"at":10.3,"match":{"id":"m2","queue":"duel","region":"eu","teams":[{"name":"home","tickets":["t4"],"players":["cid"]},{"name":"away","tickets":["t5"],"players":["dan"]}],"pings":{"t4":40,"t5":10},"regions":["eu"],"attempts":0,"quality":{"cost":125,"skill_spread":100,"team_difference":100,"ping_worst_ms":40,"ping_mean_ms":25,"oldest_wait_s":10.1,"exhaustive":true}}}"#,
        r#"{"at":11,"refused":{"ticket":"t1","code":"ALREADY_MATCHED","detail":"it is in match m1 already"}}"#,
        r#"{"at":12.5,"ended":{"ticket":"t6","reason":"CANCELLED"}}"#,
        r#"{"at":13.05,"refused":{"player":"gus","code":"NOT_FOUND","detail":"there is no player \"gus\" in the trace so far, or it was refused"}}"#,
    ];
    assert_eq!(out[..6], expected);
    assert!(out[6].contains(r#""ticket":"t8","code":"UNMATCHABLE","reason":"NO_REGION""#), "{}", out[6]);
    assert_eq!(out[7], r#"{"at":73,"ended":{"ticket":"t7","reason":"TIMED_OUT"}}"#);
    assert_eq!(out.len(), 8);
    for part in [
        r#""tickets":6,"players":6,"#,
        r#""matched_tickets":4,"matched_players":4,"matches":2,"waiting":0,"ended":2,"refused":4,"#,
        r#""wait_s":{"p50":0.1,"p95":10.1,"p99":10.1,"max":10.1}"#,
        r#""skill_spread":{"p50":20,"p95":100}"#,
        r#""team_difference":{"p50":20,"p95":100}"#,
        r#""ping_ms":{"p50":20,"p95":40}"#,
        r#""engine_seconds":"#,
        r#""tickets_per_engine_second":"#,
    ] {
        assert!(outcome.out.contains(part), "{part}: {}", outcome.out);
    }
}

#[test]
fn event_ticks_match_at_the_very_millisecond() {
    let lines = [submit(0.2, "t1", "ann", 1700, 40), submit(0.333, "t2", "bob", 1800, 10)];
    let (grid, _) = replay("grid", &lines, &[]);
    assert!(grid[0].starts_with(r#"{"at":10.4,"match""#), "{grid:?}");
    let (events, _) = replay("events", &lines, &["--tick", "event"]);
    assert!(events[0].starts_with(r#"{"at":10.333,"match""#), "{events:?}");
    // One tick for all inputs of an instant: the older of two equal partners is there already.
    let lines = [
        submit(1.0, "t1", "ann", 1500, 20),
        submit(1.0, "t2", "bob", 1540, 20),
        submit(1.0, "t3", "cid", 1500, 20),
    ];
    let (events, _) = replay("instant", &lines, &["--tick", "event"]);
    assert!(events[0].contains(r#""players":["cid"]"#), "the nearest, not the first: {events:?}");
}

#[test]
fn until_ends_the_replay_with_tickets_waiting() {
    let lines = [
        submit(0.2, "t1", "ann", 1700, 40),
        submit(10.0, "t2", "bob", 1700, 10),
        submit(10.001, "t3", "cid", 1000, 10),
    ];
    let (out, outcome) = replay("until", &lines, &["--until", "10s", "--summary", "json"]);
    assert_eq!(out.len(), 1, "{out:?}");
    assert!(out[0].starts_with(r#"{"at":10,"match""#), "the end itself belongs to it: {out:?}");
    assert!(outcome.out.contains(r#""tickets":2,"#), "{}", outcome.out);
    let (out, outcome) = replay("until-early", &lines, &["--until", "9.9s", "--summary", "json"]);
    assert!(out.is_empty() && outcome.out.contains(r#""waiting":1,"#), "{out:?} {}", outcome.out);
}

#[test]
fn a_requeued_ticket_keeps_its_name_and_its_age() {
    let requeue = |at: f64, name: &str, tickets: &str| {
        format!(r#"{{"at":{at},"requeue":{{"match":"{name}","tickets":[{tickets}]}}}}"#)
    };
    let lines = [
        submit(0.0, "t1", "ann", 1500, 20),
        submit(0.0, "t2", "bob", 1500, 20),
        requeue(1.0, "m1", r#""t1""#),
        requeue(1.0, "m7", r#""t1""#),
        submit(2.0, "t3", "cid", 1500, 20),
        r#"{"at":3,"cancel":{"ticket":"t1"}}"#.to_owned(),
    ];
    let (out, _) = replay("requeue", &lines, &[]);
    assert!(out[0].starts_with(r#"{"at":0,"match":{"id":"m1""#), "{out:?}");
    assert!(out[1].starts_with(r#"{"at":1,"refused":{"match":"m7","code":"NOT_FOUND""#), "{out:?}");
    assert!(out[2].starts_with(r#"{"at":2,"match":{"id":"m2""#), "{out:?}");
    assert!(out[2].contains(r#""tickets":["t1"]"#) && out[2].contains(r#""tickets":["t3"]"#), "{out:?}");
    assert!(out[2].contains(r#""attempts":1"#) && out[2].contains(r#""oldest_wait_s":2"#), "{out:?}");
    assert_eq!(
        out[3],
        r#"{"at":3,"refused":{"ticket":"t1","code":"ALREADY_MATCHED","detail":"it is in match m2 already"}}"#
    );
}

#[test]
fn an_update_changes_what_a_ticket_may_meet() {
    let update = |ticket: &str, eu: u32| {
        format!(r#"{{"at":2.0,"update":{{"ticket":"{ticket}","latency":{{"us":{eu}}}}}}}"#)
    };
    let lines = [
        submit(0.0, "t1", "ann", 1500, 20),
        update("t1", 30),
        update("t9", 30),
        submit(3.0, "t2", "bob", 1500, 20),
        submit(4.0, "t3", "cid", 1500, 25).replace(r#"{"eu""#, r#"{"us""#),
    ];
    let (out, _) = replay("update", &lines, &["--until", "5s"]);
    assert!(out[0].starts_with(r#"{"at":2,"refused":{"ticket":"t9","code":"NOT_FOUND""#), "{out:?}");
    assert!(
        out[1].contains(r#""region":"us""#) && out[1].contains(r#""pings":{"t1":30,"t3":25}"#),
        "{out:?}"
    );
    assert_eq!(out.len(), 2, "{out:?}");
}

#[test]
fn tickets_wait_while_their_region_is_down_and_their_queue_suspended() {
    let region = |at: f64, up: bool| format!(r#"{{"at":{at},"region":{{"name":"eu","up":{up}}}}}"#);
    let queue =
        |at: f64, state: &str| format!(r#"{{"at":{at},"queue":{{"name":"duel","state":"{state}"}}}}"#);
    let lines = [
        region(0.0, false),
        submit(0.0, "t1", "ann", 1500, 20),
        submit(0.0, "t2", "bob", 1500, 20),
        queue(3.0, "suspended"),
        region(5.0, true),
        submit(6.0, "t3", "cid", 1500, 20),
        queue(8.0, "open"),
        queue(9.0, "removed"),
        queue(9.5, "open"),
    ];
    let (out, _) = replay("outage", &lines, &[]);
    assert!(out[0].starts_with(r#"{"at":6,"refused":{"ticket":"t3","code":"QUEUE_SUSPENDED""#), "{out:?}");
    assert!(out[1].starts_with(r#"{"at":8,"match""#), "{out:?}");
    assert!(out[2].starts_with(r#"{"at":9.5,"refused":{"queue":"duel","code":"UNKNOWN_QUEUE""#), "{out:?}");
}

#[test]
fn a_bad_line_is_refused_or_ends_a_strict_replay() {
    let lines = [
        submit(1.0, "t1", "ann", 1500, 20),
        r#"{"at":2,"cancel":{"tikcet":"t1"}}"#.to_owned(),
        String::new(),
        r#"{"at":0.5,"cancel":{"ticket":"t1"}}"#.to_owned(),
        submit(3.0, "t1", "bob", 1500, 20),
        "{\"at\":4,".to_owned(),
        submit(5.0, "t2", "bob", 1500, 20),
    ];
    let (out, outcome) = replay("bad-lines", &lines, &[]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert!(out[0].starts_with(r#"{"at":1,"refused":{"line":2,"code":"INVALID_FORMAT""#), "{out:?}");
    assert!(out[0].contains("ticket"), "the nearest key is named: {out:?}");
    assert!(out[1].starts_with(r#"{"at":1,"refused":{"line":4,"code":"INVALID_FORMAT""#), "{out:?}");
    assert!(out[2].starts_with(r#"{"at":3,"refused":{"ticket":"t1","code":"DUPLICATE_NAME""#), "{out:?}");
    assert!(out[3].starts_with(r#"{"at":3,"refused":{"line":6,"code":"INVALID_FORMAT""#), "{out:?}");
    assert!(out[4].starts_with(r#"{"at":5,"match""#), "the replay goes on: {out:?}");

    let blank = " ".repeat(5 << 20);
    let (out, _) = replay("long-line", &[blank, submit(1.0, "t1", "ann", 1500, 20)], &["--until", "2s"]);
    assert!(out[0].starts_with(r#"{"at":0,"refused":{"line":1,"code":"INVALID_FORMAT""#), "{out:?}");
    assert_eq!(out.len(), 1, "the line after it is read: {out:?}");

    for (wrong, place) in
        [(&lines[1], "trace.jsonl:2:"), (&lines[3], "trace.jsonl:2:"), (&lines[0], "trace.jsonl:2:")]
    {
        let (out, outcome) = replay("strict", &[lines[0].clone(), wrong.clone()], &["--strict"]);
        assert_eq!(outcome.code, Some(2), "{wrong}");
        assert!(outcome.err.contains(place), "{wrong}: {}", outcome.err);
        assert!(out.is_empty(), "there is no output file: {out:?}");
    }
}

#[test]
fn run_says_what_is_wrong_with_its_files() {
    let folder = folder("run-errors");
    fs::write(folder.join("duel.json"), DUEL).unwrap();
    fs::write(folder.join("trace.jsonl"), "").unwrap();
    fs::write(folder.join("broken.json"), "{}").unwrap();
    for (arguments, word) in [
        (&["run", "--queue", "absent.json", "trace.jsonl"][..], "cannot read absent.json"),
        (&["run", "--queue", "duel.json", "absent.jsonl"], "cannot read absent.jsonl"),
        (&["run", "--queue", "duel.json", "."], "name a file in it"),
        (&["run", "--queue", "broken.json", "trace.jsonl"], "broken.json:1:"),
        (&["run", "--queue", "duel.json", "--queue", "duel.json", "trace.jsonl"], "QUEUE_EXISTS"),
        (
            &["run", "--queue", "duel.json", "trace.jsonl", "--out", "no/such/place"],
            "cannot write no/such/place",
        ),
        (&["run", "--queue", "duel.json", "trace.jsonl", "--tick", "0ms"], "at least 1ms"),
        (&["run", "--queue", "duel.json", "trace.jsonl", "--tick", "5"], "say event"),
        (&["run", "trace.jsonl"], "--queue"),
    ] {
        let refused = evenmatch(&folder, arguments);
        assert_eq!(refused.code, Some(2), "{arguments:?}: {}", refused.err);
        assert!(refused.err.contains(word), "{arguments:?}: {}", refused.err);
        assert!(!folder.join("matches.jsonl").exists(), "{arguments:?}");
    }
    let empty = evenmatch(&folder, &["run", "--queue", "duel.json", "trace.jsonl"]);
    assert_eq!(empty.code, Some(0), "{}", empty.err);
    assert_eq!(fs::read_to_string(folder.join("matches.jsonl")).unwrap(), "");
}

#[test]
fn the_recorded_evenings_replay_alike_whatever_the_index() {
    let folder = folder("indexes");
    // Ten players a match take long to search in a test build: the beginning of that evening must do.
    for (name, until, indexes) in
        [("hybrid_duel", "2h", &["sorted", "linear", "kdtree"][..]), ("hybrid_5v5", "6m", &["sorted"])]
    {
        let (queue, trace) = (data(&format!("queues/{name}.json")), data(&format!("evenings/{name}.jsonl")));
        let run = |options: &[&str]| {
            let fixed = ["run", "--queue", &queue, &trace, "--out", "out.jsonl", "--until", until];
            let arguments = [&fixed[..], options].concat();
            let outcome = evenmatch(&folder, &arguments);
            assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""), "{name} {options:?}");
            (fs::read_to_string(folder.join("out.jsonl")).unwrap(), outcome.out)
        };
        let (plain, summary) = run(&[]);
        assert!(plain.lines().filter(|line| line.contains("\"match\"")).count() > 20, "{name}: {summary}");
        for part in ["region", "fra", "waiting time (s)", "skill spread", "tickets/s"] {
            assert!(summary.contains(part), "{name}: {part}: {summary}");
        }
        for index in indexes {
            assert!(plain == run(&["--index", index, "--no-check"]).0, "{name}: --index {index}");
        }
    }
}

#[test]
fn matches_on_stdout_leave_the_summary_to_stderr() {
    let folder = folder("stdout");
    fs::write(folder.join("duel.json"), DUEL).unwrap();
    let lines = [submit(0.0, "t1", "ann", 1500, 20), submit(0.0, "t2", "bob", 1500, 20)];
    fs::write(folder.join("trace.jsonl"), lines.join("\n")).unwrap();
    let run = evenmatch(&folder, &["run", "--queue", "duel.json", "trace.jsonl", "--out", "-"]);
    assert_eq!(run.code, Some(0));
    assert!(run.out.starts_with(r#"{"at":0,"match""#) && run.out.lines().count() == 1, "{}", run.out);
    assert!(run.err.contains("matched   2 (100.0 %) in 1 matches"), "{}", run.err);
}

#[test]
fn a_reader_that_goes_away_is_no_panic() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_evenmatch"))
        .args(["generate", "--queue", &data("queues/hybrid_duel.json"), "--out", "-", "--rate", "50"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 16];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap()), (Some(0), String::new()));
}

#[test]
fn an_output_never_replaces_an_input() {
    let folder = folder("keep-inputs");
    let trace = submit(0.0, "t1", "ann", 1500, 20);
    fs::create_dir(folder.join("sub")).unwrap();
    for (name, text) in [("duel.json", DUEL), ("trace.jsonl", &trace), ("x.partial", &trace)] {
        fs::write(folder.join(name), text).unwrap();
    }
    let run = ["run", "--queue", "duel.json", "trace.jsonl", "--out"];
    let partial = ["run", "--queue", "duel.json", "x.partial", "--out"];
    let generate = ["generate", "--queue", "duel.json", "--out"];
    for (command, out) in [
        (&run[..], "trace.jsonl"),
        (&run, "sub/../trace.jsonl"),
        (&run, "./duel.json"),
        (&partial, "x"),
        (&generate, "duel.json"),
    ] {
        let outcome = evenmatch(&folder, &[command, &[out]].concat());
        assert_eq!(outcome.code, Some(2), "{command:?} {out}");
        assert!(outcome.err.contains("name another file"), "{}", outcome.err);
    }
    for (name, text) in [("duel.json", DUEL), ("trace.jsonl", &trace), ("x.partial", &trace)] {
        assert_eq!(fs::read_to_string(folder.join(name)).unwrap(), text, "{name}");
    }
}

#[test]
fn two_outputs_of_one_name_are_refused_before_the_run() {
    let folder = folder("two-outputs");
    fs::write(folder.join("duel.json"), DUEL).unwrap();
    fs::write(folder.join("trace.jsonl"), submit(0.0, "t1", "ann", 1500, 20)).unwrap();
    fs::write(folder.join("there"), "x").unwrap();
    let run = ["run", "--queue", "duel.json", "trace.jsonl"];
    for (first, second) in [
        (["--out", "./new"], ["--html", "new"]),
        (["--out", "new"], ["--record", "new"]),
        (["--record", "new"], ["--html", "new"]),
        (["--out", "there"], ["--html", "there"]),
        (["--out", "new.partial"], ["--record", "new"]),
        (["--out", "-"], ["--record", "-"]),
        (["--out", "-"], ["--html", "-"]),
    ] {
        let outcome = evenmatch(&folder, &[&run[..], &first, &second].concat());
        assert_eq!(
            (outcome.code, outcome.out.as_str()),
            (Some(2), ""),
            "{first:?} {second:?}: {}",
            outcome.err
        );
        for part in [first.join(" "), second.join(" "), "for one of them".to_owned()] {
            assert!(outcome.err.contains(&part), "{part}: {}", outcome.err);
        }
        assert!(!outcome.err.contains("read;"), "{}", outcome.err);
    }
    assert_eq!(fs::read_to_string(folder.join("there")).unwrap(), "x");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 3, "nothing was written");

    // One of them may be the standard output, which then has nothing else.
    let outcome = evenmatch(&folder, &[&run[..], &["--record", "-", "--out", "new"]].concat());
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert!(outcome.out.lines().all(|line| line.starts_with("{\"at\":")) && !outcome.out.is_empty());
    assert!(outcome.err.contains("tickets"), "the summary: {}", outcome.err);
}

#[test]
fn a_run_says_what_is_hardly_meant() {
    let folder = folder("run-warns");
    fs::write(
        folder.join("few.json"),
        r#"{"name": "few", "players": 4, "party": {"max": 1}, "capacity": 2}"#,
    )
    .unwrap();
    fs::write(folder.join("trace.jsonl"), "").unwrap();
    let outcome = evenmatch(&folder, &["run", "--queue", "few.json", "trace.jsonl", "--out", "-"]);
    assert!(outcome.err.contains("warning: few.json:1:"), "{}", outcome.err);
    assert!(outcome.err.contains("no match is ever made"), "{}", outcome.err);
    assert_eq!((outcome.code, outcome.out.as_str()), (Some(0), ""));
}

#[cfg(unix)]
#[test]
fn no_more_of_a_file_is_read_than_a_text_has() {
    let folder = folder("endless");
    for arguments in [&["check", "/dev/zero"][..], &["bench", "duel", "--compare", "/dev/zero"]] {
        let outcome = evenmatch(&folder, arguments);
        assert_eq!(outcome.code, Some(2), "{arguments:?}");
        assert!(outcome.err.contains("a text has at most 4194304 bytes"), "{}", outcome.err);
    }
}

#[test]
fn a_trace_at_the_end_of_time_is_replayed() {
    let pair = || {
        vec![
            submit(4503599627370.496, "t1", "ann", 1500, 20),
            submit(4503599627370.496, "t2", "bob", 1500, 20),
        ]
    };
    for (name, options, lines) in
        [("end-event", ["--tick", "event"], 1), ("end-grid", ["--tick", "100ms"], 0)]
    {
        let (out, outcome) = replay(name, &pair(), &options);
        assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""), "{name}");
        assert_eq!(out.len(), lines, "{name}: {out:?}");
    }
}

#[test]
fn names_send_no_control_characters_to_the_terminal() {
    let folder = folder("control");
    let queue = DUEL.replace("home", r"\u001b]0;x\u0007").replace("\"ping\"", r#""p\u001b[2Jing""#);
    fs::write(folder.join("duel.json"), queue).unwrap();
    let lines = [submit(0.0, "t1", "ann", 1500, 20), submit(0.0, "t2", "bob", 1500, 20)];
    let lines = lines.join("\n").replace("\"eu\"", r#""e\u001b[2Ju""#);
    fs::write(folder.join("trace.jsonl"), lines).unwrap();
    let check = evenmatch(&folder, &["check", "duel.json"]);
    let run = evenmatch(&folder, &["run", "--queue", "duel.json", "trace.jsonl"]);
    let strange = evenmatch(&folder, &["check", "no\u{1b}[2Jfile"]);
    for text in [&check.out, &check.err, &run.out, &run.err, &strange.err] {
        let bad = text.chars().find(|c| c.is_control() && *c != '\n');
        assert_eq!(bad, None, "{text:?}");
    }
    assert!(
        check.out.contains("\\u{1b}]0;x\\u{7}_1") || check.out.contains("\\u{1b}]0;x\\u{7}"),
        "{}",
        check.out
    );
    assert!(run.out.contains("e\\u{1b}[2Ju"), "{}", run.out);
}

/// Replays `lines` with a record and then the record at its own ticks; gives the output of the first run and that of
/// the second. `options` are those of both runs, `tick` is how the first one ticks.
fn twice(
    name: &str,
    queues: &[(&str, &str)],
    lines: &[String],
    options: &[&str],
    tick: &str,
) -> (String, String) {
    let folder = folder(name);
    fs::write(folder.join("trace.jsonl"), lines.join("\n")).unwrap();
    let mut common = vec!["run"];
    for (file, text) in queues {
        fs::write(folder.join(file), text).unwrap();
        common.extend(["--queue", file]);
    }
    common.extend(options);
    let run = |more: &[&str]| {
        let outcome = evenmatch(&folder, &[&common, more].concat());
        assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    };
    run(&["trace.jsonl", "--tick", tick, "--record", "record.jsonl", "--out", "out.jsonl"]);
    run(&["record.jsonl", "--tick", "recorded", "--record", "second.jsonl", "--out", "again.jsonl"]);
    run(&["second.jsonl", "--tick", "recorded", "--out", "third.jsonl"]);
    let text = |file: &str| fs::read_to_string(folder.join(file)).unwrap();
    assert_eq!(text("again.jsonl"), text("third.jsonl"), "{name}: the record of a record, replayed");
    (text("out.jsonl"), text("again.jsonl"))
}

/// A queue of PlayFab's.
const PLAYFAB: &str = r#"{"MatchmakingQueue":{"Name":"fab","MinMatchSize":2,"MaxMatchSize":2,"Rules":[
    {"Type":"DifferenceRule","Name":"skill","Attribute":{"Path":"Skill","Source":"User"},"Difference":100,
     "MergeFunction":"Average","DefaultAttributeValue":0,"Weight":1}]}}"#;

fn playfab(at: f64, ticket: &str, skill: u32) -> String {
    let creator =
        format!(r#"{{"Entity":{{"Id":"{ticket}"}},"Attributes":{{"DataObject":{{"Skill":{skill}}}}}}}"#);
    format!(
        r#"{{"at":{at},"submit":{{"ticket":"{ticket}","playfab":{{"QueueName":"fab","GiveUpAfterSeconds":60,"Creator":{creator}}}}}}}"#
    )
}

/// A PlayFab file of pairs with one rule.
fn playfab_queue(name: &str, rule: &str) -> String {
    format!(
        r#"{{"MatchmakingQueue":{{"Name":"{name}","MinMatchSize":2,"MaxMatchSize":2,"Rules":[{rule}]}}}}"#
    )
}

/// 0 apart at first, then 10 more every 10 s.
const CLOSE: &str = r#"{"Type":"DifferenceRule","Name":"r","Attribute":{"Path":"Skill","Source":"User"},"Difference":0,
    "MergeFunction":"Average","DefaultAttributeValue":0,"Weight":1,
    "Expansion":{"Type":"Linear","Delta":10,"Limit":100,"SecondsBetweenExpansions":10}}"#;

/// At least 50 in sum at first, 5 from 20 s on.
const SUM: &str = r#"{"Type":"MatchTotalRule","Name":"r","Attribute":{"Path":"Skill","Source":"User"},"Min":50,"Max":100,
    "Weight":1,"Expansion":{"Type":"Custom","MinOverrides":[50,5],"SecondsBetweenExpansions":20}}"#;

/// One value in common at first, and from 10 s on one less; or one more, as the API says literally.
const SHARED: &str = r#"{"Type":"SetIntersectionRule","Name":"r","Attribute":{"Path":"Dlc","Source":"User"},
    "MinIntersectionSize":1,"Weight":1,"DefaultAttributeValue":[],
    "Expansion":{"Type":"Linear","Delta":1,"SecondsBetweenExpansions":10}}"#;

#[test]
fn what_playfab_leaves_open_is_an_option() {
    let folder = folder("playfab-options");
    let submit = |at, ticket, attributes| {
        format!(
            r#"{{"at":{at},"submit":{{"ticket":"{ticket}","playfab":{{"QueueName":"fab","GiveUpAfterSeconds":60,"Creator":{{"Entity":{{"Id":"{ticket}"}},"Attributes":{{"DataObject":{attributes}}}}}}}}}}}"#
        )
    };
    let lines =
        [submit(0, "a", r#"{"Skill":0,"Dlc":["x"]}"#), submit(25, "b", r#"{"Skill":20,"Dlc":["y"]}"#)];
    fs::write(folder.join("trace.jsonl"), lines.join("\n")).unwrap();
    for (rule, options, begins) in [
        (CLOSE, &[][..], r#"{"at":45,"match":"#),
        (CLOSE, &["--windows", "mutual"], r#"{"at":45,"match":"#),
        (CLOSE, &["--windows", "oldest"], r#"{"at":25,"match":"#),
        (CLOSE, &["--windows", "newest"], r#"{"at":45,"match":"#),
        (SUM, &[], r#"{"at":25,"match":"#),
        (SUM, &["--total-windows", "oldest"], r#"{"at":25,"match":"#),
        (SUM, &["--total-windows", "newest"], r#"{"at":45,"match":"#),
        (SHARED, &[], r#"{"at":35,"match":"#),
        (SHARED, &["--literal-intersection"], r#"{"at":60,"ended":{"ticket":"a","reason":"TIMED_OUT"}}"#),
    ] {
        fs::write(folder.join("fab.json"), playfab_queue("fab", rule)).unwrap();
        let base = ["run", "--queue", "fab.json", "trace.jsonl", "--out", "-", "--tick", "event"];
        let run = evenmatch(&folder, &[&base[..], options].concat());
        assert!(run.code == Some(0) && run.out.starts_with(begins), "{options:?}: {}{}", run.out, run.err);
    }
    let wrong = evenmatch(&folder, &["check", "fab.json", "--windows", "eldest"]);
    assert!(wrong.code == Some(2) && wrong.err.contains("mutual, oldest, newest"), "{}", wrong.err);
}

#[test]
fn check_writes_the_queue_of_a_name() {
    let folder = folder("check-name");
    for name in ["one", "two"] {
        fs::write(folder.join(format!("{name}.json")), playfab_queue(name, CLOSE)).unwrap();
    }
    let check = |name: &[&str]| {
        evenmatch(&folder, &[&["check", "one.json", "two.json", "--to", "native"][..], name].concat())
    };
    for name in ["one", "two"] {
        let native = check(&["--name", name]);
        assert!(
            native.code == Some(0) && native.out.contains(&format!(r#""name": "{name}""#)),
            "{}",
            native.out
        );
    }
    for (options, says) in
        [(&[][..], "more than one queue"), (&["--name", "three"], "no queue has that name")]
    {
        let refused = check(options);
        assert_eq!((refused.code, refused.out.as_str()), (Some(2), ""));
        assert!(
            refused.err.contains(says) && refused.err.contains("--name one of one, two"),
            "{}",
            refused.err
        );
    }
}

#[test]
fn a_recorded_run_brings_about_the_same_output_byte_by_byte() {
    let lines = [
        submit(0.0, "a", "pa", 1500, 20),
        submit(0.05, "again", "pa", 1500, 20),
        "no line of a trace".to_owned(),
        submit(0.2, "b", "pb", 1540, 20),
        playfab(0.3, "f1", 100),
        playfab(0.4, "f2", 180),
        playfab(0.5, "f3", 900),
        r#"{"at":1,"cancel":{"ticket":"b"}}"#.to_owned(),
        r#"{"at":1,"requeue":{"match":"m1","tickets":["a","b","nobody"]}}"#.to_owned(),
        r#"{"at":1,"cancel":{"ticket":"a"}}"#.to_owned(),
        submit(2.0, "c", "pc", 1700, 20),
        submit(2.0, "c", "pd", 1700, 20),
        r#"{"at":2.5,"leave":{"player":"pc"}}"#.to_owned(),
        r#"{"at":2.5,"leave":{"player":"pc"}}"#.to_owned(),
        r#"{"at":3,"requeue":{"match":"m2","tickets":["f1"]}}"#.to_owned(),
        r#"{"at":3,"requeue":{"match":"m7","tickets":["f2"]}}"#.to_owned(),
        playfab(3.5, "f4", 150),
        r#"{"at":4,"region":{"name":"eu","up":false}}"#.to_owned(),
        submit(5.0, "d", "pd", 1560, 20),
        submit(5.0, "e", "pe", 1570, 45),
        r#"{"at":6,"update":{"ticket":"e","latency":{"eu":30}}}"#.to_owned(),
        r#"{"at":7,"region":{"name":"eu","up":true}}"#.to_owned(),
        submit(7.0, "lonely", "pl", 4000, 20),
    ];
    let queues = [("duel.json", DUEL), ("fab.json", PLAYFAB)];
    for (name, tick) in [("recorded-grid", "100ms"), ("recorded-events", "event")] {
        let (out, again) = twice(name, &queues, &lines, &[], tick);
        assert_eq!(out, again);
        for (part, times) in [
            (r#""match":{"id":"#, 4),
            ("PLAYER_ALREADY_QUEUED", 1),
            ("INVALID_FORMAT", 1),
            ("ALREADY_MATCHED", 1),
            ("DUPLICATE_NAME", 1),
            ("NOT_FOUND", 3),
            (r#""reason":"CANCELLED""#, 2),
            (r#""reason":"TIMED_OUT""#, 3),
        ] {
            let found = out.lines().filter(|line| line.contains(part)).count();
            assert_eq!(found, times, "{name}: {part}\n{out}");
        }
    }
}

#[test]
fn a_record_of_a_record_keeps_refused_lines_and_notes() {
    let refused = [r#"{"at":0,"cancel":{"ticket":"zz"}}"#.to_owned()];
    let (out, again) = twice("refused-twice", &[("duel.json", DUEL)], &refused, &[], "100ms");
    assert!(out.contains("NOT_FOUND") && out == again, "{out}");

    let folder = folder("noted-twice");
    fs::write(folder.join("duel.json"), DUEL).unwrap();
    let noted = concat!(r#"{"at":1,"note":{"seen":[1,"two"]}}"#, "\n", r#"{"at":1,"tick":{}}"#, "\n");
    fs::write(folder.join("trace.jsonl"), noted).unwrap();
    let run = ["run", "--queue", "duel.json", "--tick", "recorded"];
    for (trace, out, record) in [("trace.jsonl", "1.out", "1.jsonl"), ("1.jsonl", "2.out", "2.jsonl")] {
        let outcome = evenmatch(&folder, &[&run[..], &[trace, "--out", out, "--record", record]].concat());
        assert_eq!(outcome.code, Some(0), "{}", outcome.err);
        assert_eq!(fs::read_to_string(folder.join(out)).unwrap(), "{\"at\":1,\"seen\":[1,\"two\"]}\n");
    }
    let records = ["1.jsonl", "2.jsonl"].map(|name| fs::read_to_string(folder.join(name)).unwrap());
    assert_eq!(records[0], records[1]);
}

#[test]
fn a_cancel_within_a_recorded_tick_leaves_what_was_claimed_before() {
    let of_four = |in_tick: &str| {
        let mut lines: Vec<String> =
            (0..4).map(|n| submit(0.0, &format!("t{n}"), &format!("p{n}"), 1500, 20)).collect();
        lines.push(format!(r#"{{"at":0,"cancel":{{"ticket":"t1"{in_tick}}}}}"#));
        lines.push(r#"{"at":0,"tick":{}}"#.to_owned());
        lines
    };
    let run = |in_tick: &str| {
        let folder = folder("in-tick");
        fs::write(folder.join("duel.json"), DUEL).unwrap();
        fs::write(folder.join("trace.jsonl"), of_four(in_tick).join("\n")).unwrap();
        let arguments =
            ["run", "--queue", "duel.json", "trace.jsonl", "--tick", "recorded", "--out", "out.jsonl"];
        let outcome = evenmatch(&folder, &arguments);
        assert_eq!(outcome.code, Some(0), "{}", outcome.err);
        fs::read_to_string(folder.join("out.jsonl")).unwrap()
    };
    let matches = |out: &str| out.matches(r#""match":{"id""#).count();
    for in_tick in ["", r#","in_tick":0"#] {
        let out = run(in_tick);
        assert!(matches(&out) == 1 && out.contains("CANCELLED"), "{out}");
    }
    let out = run(r#","in_tick":1"#);
    assert!(matches(&out) == 2 && out.contains("ALREADY_MATCHED"), "{out}");
}

#[test]
fn many_queues_lets_a_player_stand_in_each() {
    let pairs = r#"{ "name": "pairs", "teams": [{ "name": "home", "players": 2 }, { "name": "away", "players": 2 }] }"#;
    let pair = |at: f64, ticket: &str, players: [&str; 2]| {
        let players = players.map(|id| format!(r#"{{"id":"{id}"}}"#)).join(",");
        format!(r#"{{"at":{at},"submit":{{"ticket":"{ticket}","queue":"pairs","players":[{players}]}}}}"#)
    };
    let lines = [
        pair(0.0, "ab", ["pa", "pb"]),
        submit(0.0, "a", "pa", 1500, 20),
        pair(0.5, "again", ["px", "pa"]),
        submit(1.0, "c", "pc", 1500, 20),
        // The same player leaves one queue, and another one all of his.
        pair(2.0, "de", ["pd", "pe"]),
        submit(2.0, "e", "pe", 1500, 20),
        submit(2.0, "d", "pd", 3000, 20),
        r#"{"at":2.5,"leave":{"player":"pd","ticket":"d"}}"#.to_owned(),
        r#"{"at":2.7,"leave":{"player":"pe"}}"#.to_owned(),
        pair(3.0, "gh", ["pg", "ph"]),
        submit(3.0, "g", "pg", 4500, 20),
        r#"{"at":3.5,"leave":{"player":"ph"}}"#.to_owned(),
    ];
    let queues = [("duel.json", DUEL), ("pairs.json", pairs)];
    let (out, again) = twice("many-queues", &queues, &lines, &["--many-queues"], "100ms");
    assert_eq!(out, again);
    let parts = |line: &str| {
        let rest = line.split_once(',').unwrap().1;
        rest.split_once(",\"queue\"").map_or(rest.to_owned(), |(start, _)| start.to_owned())
    };
    assert_eq!(
        out.lines().map(parts).collect::<Vec<_>>(),
        [
            r#""refused":{"ticket":"again","code":"PLAYER_ALREADY_QUEUED","detail":"player pa is in ticket ab"}}"#,
            r#""match":{"id":"m1""#,
            r#""ended":{"ticket":"ab","reason":"MATCHED_ELSEWHERE"}}"#,
            r#""ended":{"ticket":"d","reason":"CANCELLED"}}"#,
            r#""ended":{"ticket":"de","reason":"PARTY_MEMBER_LEFT"}}"#,
            r#""ended":{"ticket":"e","reason":"CANCELLED"}}"#,
            r#""ended":{"ticket":"gh","reason":"PARTY_MEMBER_LEFT"}}"#,
            r#""ended":{"ticket":"g","reason":"TIMED_OUT"}}"#,
        ]
    );
    let (out, _) = twice("one-queue", &queues, &lines[..2], &[], "100ms");
    assert!(out.contains("PLAYER_ALREADY_QUEUED"), "without it a player stands in one queue: {out}");
}
