//! `evenmatch explain` as people use it: the built binary on a trace, its text, its JSON, its exit codes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// One against one: 50 points at first, 50 more every 10 s, at most 200; 50 ms.
const DUEL: &str = r#"{
  "name": "duel",
  "teams": [ { "name": "home", "players": 1 }, { "name": "away", "players": 1 } ],
  "attributes": {
    "skill": { "type": "number", "default": 1500, "min": 0, "max": 5000, "decimals": 0 },
    "mode": { "type": "string" },
  },
  "rules": [
    { "name": "skill", "type": "difference", "attribute": "skill", "max": 50,
      "expand": { "linear": { "add": 50, "every_s": 10, "cap": 200 } } },
    { "name": "ping", "type": "region", "max_ms": 50 },
    { "name": "mode", "type": "equality", "attribute": "mode", "missing": "any" },
  ],
  "timeout_s": 60,
}"#;

const TRACE: &str = r#"{"at":0,"submit":{"ticket":"ann","queue":"duel","players":[{"id":"a","attributes":{"skill":1500,"mode":"koth"}}],"latency":{"eu":20,"us":90}}}
{"at":2,"submit":{"ticket":"bob","queue":"duel","players":[{"id":"b","attributes":{"skill":1640}}],"latency":{"eu":30}}}
{"at":3,"submit":{"ticket":"cat","queue":"duel","players":[{"id":"c","attributes":{"skill":1510,"mode":"ctf"}}],"latency":{"eu":30}}}
{"at":3,"submit":{"ticket":"dan","queue":"duel","players":[{"id":"d","attributes":{"skill":1900}}],"latency":{"us":30}}}
{"at":4,"submit":{"ticket":"ann","queue":"duel","players":[{"id":"e"}],"latency":{"eu":30}}}
{"at":5,"submit":{"ticket":"eve","queue":"duel","players":[{"id":"a"}],"latency":{"eu":30}}}
"#;

struct Outcome {
    code: Option<i32>,
    out: String,
    err: String,
}

/// A folder with the queue and the trace.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("explain-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("duel.json"), DUEL).unwrap();
    fs::write(folder.join("trace.jsonl"), TRACE).unwrap();
    folder
}

fn explain(folder: &Path, options: &[&str]) -> Outcome {
    let output = Command::new(env!("CARGO_BIN_EXE_evenmatch"))
        .args(["explain", "--queue", "duel.json", "trace.jsonl"])
        .args(options)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Outcome { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

#[test]
fn says_why_a_ticket_waits() {
    let folder = folder("text");
    let said = explain(&folder, &["--ticket", "ann", "--at", "5s"]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    for line in [
        "Ticket ann (1 player) in queue duel at 5 s: it has waited 5 s.",
        "It times out at 60 s.",
        "3 other tickets wait beside it; 0 could stand with it now.",
        "bob (1 player, waiting 3 s): from 22 s on (in 17 s), because of skill.",
        "skill: ann 1500, bob 1640; 140 apart; 50 apart allowed to both; from 22 s on (in 17 s)",
        "cat (1 player, waiting 2 s): never, because of mode.",
        "mode: ann koth, cat ctf; the same allowed to both; never",
        "A search around it finds no match.",
    ] {
        assert!(said.out.contains(line), "{line:?} is not in\n{}", said.out);
    }
    // bob is too far in skill, dan in skill and in ping, cat plays another mode.
    let counts = |barrier: &str| -> Vec<u64> {
        let line = said.out.lines().find(|line| line.trim_start().starts_with(barrier)).unwrap_or("");
        line.split_whitespace().rev().map_while(|word| word.parse().ok()).collect()
    };
    assert_eq!((counts("skill "), counts("ping "), counts("mode ")), (vec![2, 2], vec![0, 1], vec![1, 1]));
    assert_eq!(counts("beyond a window"), [1]);
}

#[test]
fn the_json_has_the_same() {
    let folder = folder("json");
    let said = explain(&folder, &["--ticket", "ann", "--at", "5s", "--json", "--nearest", "1"]);
    let right = concat!(
        r#"{"at":5,"explanation":{"ticket":"ann","queue":"duel","state":"queued","age_s":5,"attempts":0,"#,
        r#""waiting_for":"partners","prefer_full_left_s":0,"players":1,"deadline_at":60,"#,
        r#""others":3,"legal":0,"legal_older":0,"barriers":["#,
        r#"{"barrier":"sizes","excludes_alone":0,"excludes_after":0},"#,
        r#"{"barrier":"own limits","excludes_alone":0,"excludes_after":0},"#,
        r#"{"barrier":"their limits","excludes_alone":0,"excludes_after":0},"#,
        r#"{"barrier":"skill","type":"difference","allows":{"limit":50},"windows":"mutual","next_change_at":10,"#,
        r#""value":1500,"excludes_alone":2,"excludes_after":2},"#,
        r#"{"barrier":"ping","type":"region","allows":{"limit":50},"windows":"mutual","#,
        r#""excludes_alone":1,"excludes_after":0,"causes":{"none_in_common":0,"not_allowed":0,"#,
        r#""own_ping_limit":0,"down":0,"beyond_window":1}},"#,
        r#"{"barrier":"mode","type":"equality","allows":{"enforced":true},"windows":"mutual","value":"koth","#,
        r#""excludes_alone":1,"excludes_after":1,"without_value":2},"#,
        r#"{"barrier":"seating","excludes_alone":0,"excludes_after":0}],"nearest":["#,
        r#"{"ticket":"bob","players":1,"age_s":3,"deadline_at":62,"when":"at","when_at":22,"decided_by":"skill","#,
    );
    assert!(said.out.starts_with(right), "{}", said.out);
    let line = said.out.trim_end();
    assert!(line.ends_with("}}") && !line.contains('\n'), "one object on one line: {line}");
    assert_eq!(line.matches(r#""ticket":"#).count(), 2, "the ticket and the nearest: {line}");
}

#[test]
fn two_tickets_can_be_asked_about() {
    let folder = folder("pair");
    let said = explain(&folder, &["--ticket", "ann", "--with", "bob", "--at", "5s"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.out.contains("Could they stand in one match? from 22 s on"), "{}", said.out);
    assert!(
        said.out.contains("ping: ann 20 ms, bob 30 ms in eu; up to 50 ms allowed to both; open"),
        "{}",
        said.out
    );
    let json = explain(&folder, &["--ticket", "ann", "--with", "bob", "--at", "5s", "--json"]);
    assert!(
        json.out.starts_with(r#"{"at":5,"pair":{"ticket":{"ticket":"ann","state":"queued""#),
        "{}",
        json.out
    );
}

#[test]
fn without_a_time_it_is_the_last_moment_of_the_wait() {
    let folder = folder("last");
    let said = explain(&folder, &["--ticket", "ann"]);
    assert!(said.out.contains("at 21.999 s: it has waited 21.999 s."), "{}", said.out);
    assert!(said.out.contains("from 22 s on (in 0.001 s), because of skill"), "{}", said.out);
    let cat = explain(&folder, &["--ticket", "cat"]);
    assert!(cat.out.contains("at 62.999 s"), "it times out at 63 s: {}", cat.out);
    let after = explain(&folder, &["--ticket", "ann", "--at", "30s"]);
    assert!(after.out.contains("it is in match m1, after a wait of 22 s"), "{}", after.out);
}

#[test]
fn a_ticket_that_is_not_there_is_an_error() {
    let folder = folder("unknown");
    for (name, why) in [("nobody", "there is no ticket \"nobody\""), ("eve", "PLAYER_ALREADY_QUEUED")] {
        let said = explain(&folder, &["--ticket", name]);
        assert_eq!(said.code, Some(2));
        assert!(said.err.contains(why), "{}", said.err);
    }
    let early = explain(&folder, &["--ticket", "dan", "--at", "1s"]);
    assert_eq!(early.code, Some(2));
}
