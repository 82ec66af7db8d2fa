//! `evenmatch compare` and the pages with charts, as people use them: the built binary, its files, its exit codes.
//!
//! Expected numbers are worked out by hand from the rules; generated traffic is only asked for what must hold of
//! any traffic. Whether a browser draws the pages is for `tests/pages.sh`.

#![allow(clippy::unwrap_used)]

use jsonc_parser::ast::Value;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a command came to.
struct Outcome {
    code: Option<i32>,
    out: String,
    err: String,
}

/// A folder of the test's own, and the binary in it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("compare-{name}"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap()
    }

    fn run(&self, arguments: &[&str]) -> Outcome {
        let output = Command::new(env!("CARGO_BIN_EXE_evenmatch"))
            .args(arguments)
            .current_dir(&self.0)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Outcome { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// Compares and gives the JSON object.
    fn json(&self, arguments: &[&str]) -> Json {
        let compared = self.run(&[&["compare", "--json"], arguments].concat());
        assert_eq!((compared.code, compared.err.as_str()), (Some(0), ""), "{arguments:?}");
        Json(compared.out)
    }

    /// Runs what must be refused, and gives what it says.
    #[track_caller]
    fn refused(&self, arguments: &[&str]) -> String {
        let refused = self.run(arguments);
        assert_eq!((refused.code, refused.out.as_str()), (Some(2), ""), "{arguments:?}: {}", refused.err);
        refused.err
    }

    /// Five minutes of made-up duels.
    fn generate(&self, queue: &str, out: &str) {
        let options = ["--duration", "5m", "--rate", "1", "--seed", "5", "--regions", "3", "--out", out];
        assert_eq!(self.run(&[&["generate", "--queue", queue], &options[..]].concat()).code, Some(0));
    }
}

/// The object that `--json` prints.
struct Json(String);

impl Json {
    /// The value at a path of keys and indices, as its text in the file.
    #[track_caller]
    fn at(&self, path: &[&str]) -> String {
        let parsed = parse_to_ast(&self.0, &CollectOptions::default(), &ParseOptions::default()).unwrap();
        let mut value = parsed.value.unwrap();
        for key in path {
            value = match value {
                Value::Object(object) => {
                    object
                        .properties
                        .into_iter()
                        .find(|property| property.name.as_str() == *key)
                        .unwrap_or_else(|| panic!("{path:?}: no {key}"))
                        .value
                }
                Value::Array(mut array) => array.elements.swap_remove(key.parse().unwrap()),
                other => panic!("{path:?}: {key} of {other:?}"),
            };
        }
        match value {
            Value::NumberLit(number) => number.value.to_owned(),
            Value::StringLit(string) => string.value.into_owned(),
            Value::BooleanLit(boolean) => boolean.value.to_string(),
            Value::NullKeyword(_) => "null".to_owned(),
            Value::Object(object) => format!("{} members", object.properties.len()),
            Value::Array(array) => format!("{} elements", array.elements.len()),
        }
    }

    #[track_caller]
    fn number(&self, path: &[&str]) -> f64 {
        self.at(path).parse().unwrap_or_else(|_| panic!("{path:?}: {}", self.at(path)))
    }

    fn groups(&self) -> usize {
        self.at(&["groups"]).strip_suffix(" elements").unwrap().parse().unwrap()
    }

    /// Where the group of that kind and name stands.
    #[track_caller]
    fn group(&self, kind: &str, name: &str) -> String {
        let is_it = |n: &usize| {
            let n = n.to_string();
            self.at(&["groups", &n, "kind"]) == kind && self.at(&["groups", &n, "name"]) == name
        };
        (0..self.groups()).find(is_it).unwrap_or_else(|| panic!("no {kind} {name}: {}", self.0)).to_string()
    }
}

/// One against one, 50 points more every 10 s, at most 200; 50 ms.
fn duel(name: &str, max: u32) -> String {
    format!(
        r#"{{
  "name": "{name}",
  "teams": [ {{ "name": "home", "players": 1 }}, {{ "name": "away", "players": 1 }} ],
  "attributes": {{ "skill": {{ "type": "number", "default": 1500, "min": 0, "max": 5000, "decimals": 0 }} }},
  "rules": [
    {{ "name": "skill", "type": "difference", "attribute": "skill", "max": {max},
      "expand": {{ "linear": {{ "add": 50, "every_s": 10, "cap": 200 }} }} }},
    {{ "name": "ping", "type": "region", "max_ms": 50 }}
  ],
  "timeout_s": 60
}}"#
    )
}

/// A line that submits one player.
fn submit(at: u32, ticket: &str, queue: &str, skill: u32, latency: &str) -> String {
    format!(
        r#"{{"at":{at},"submit":{{"ticket":"{ticket}","queue":"{queue}","players":[{{"id":"p-{ticket}","attributes":{{"skill":{skill}}}}}],"latency":{latency}}}}}
"#
    )
}

/// Seven players: an equal pair, two pairs 80 and 90 apart, and one whom nobody is near.
fn seven(queue: &str) -> String {
    let eu = r#"{"eu":20,"us":40}"#;
    let us = r#"{"eu":40,"us":20}"#;
    [
        submit(0, "t1", queue, 1500, us),
        submit(0, "t2", queue, 1580, us),
        submit(0, "t3", queue, 500, eu),
        submit(0, "t4", queue, 500, eu),
        submit(0, "t5", queue, 3000, eu),
        submit(0, "t6", queue, 3090, eu),
        submit(0, "t7", queue, 4000, eu),
    ]
    .concat()
}

#[test]
fn equal_queues_have_no_difference() {
    let folder = Folder::new("equal");
    folder.write("a.json", &duel("duel", 50));
    folder.write("b.json", &duel("duel", 50));
    folder.generate("a.json", "evening.jsonl");
    let json = folder.json(&["a.json", "b.json", "evening.jsonl", "--seeds", "3"]);
    assert!(json.groups() > 6, "all, three bands, some regions: {}", json.groups());
    let flat = ["matched_percent", "timed_out", "ended_otherwise", "waiting", "refused"];
    let nested = [("wait_s", "p50"), ("wait_s", "p99"), ("skill_spread", "p90"), ("ping_ms", "p50")];
    for group in 0..json.groups() {
        let group = group.to_string();
        let paths = flat.iter().map(|key| vec![*key]).chain(nested.iter().map(|(a, b)| vec![*a, *b]));
        for path in paths {
            let is_seen = json.at(&[&["groups", &group, "a"], path.as_slice()].concat()) != "null";
            let expected = if is_seen { "0" } else { "null" };
            let difference = json.at(&[&["groups", &group, "difference"], path.as_slice()].concat());
            assert_eq!(difference, expected, "group {group} {path:?}");
            for key in ["mean", "deviation", "least", "greatest"] {
                let moments = [&["groups", &group, "variants"], path.as_slice()].concat();
                if json.at(&moments) != "null" {
                    assert_eq!(
                        json.at(&[&moments[..], &[key]].concat()),
                        "0",
                        "group {group} {path:?} {key}"
                    );
                }
            }
        }
    }
    assert!(json.number(&["groups", "0", "a", "matched_percent"]) > 50.0, "the evening has matches");
}

#[test]
fn a_wider_window_shows_who_pays() {
    let folder = Folder::new("wider");
    folder.write("a.json", &duel("duel", 50));
    folder.write("b.json", &duel("duel", 100));
    folder.write("trace.jsonl", &seven("duel"));
    // A: the equal pair at 0, the other two pairs at 10 s, when the window is 100. B: all three at 0.
    let json = folder.json(&["a.json", "b.json", "trace.jsonl"]);
    let all = json.group("all", "all");
    let at = |group: &str, side: &str, path: &[&str]| json.at(&[&["groups", group, side], path].concat());
    assert_eq!(at(&all, "a", &["matched_percent"]), "85.714286");
    assert_eq!(at(&all, "difference", &["matched_percent"]), "0");
    assert_eq!((at(&all, "a", &["timed_out"]), at(&all, "b", &["timed_out"])), ("1".into(), "1".into()));
    assert_eq!(at(&all, "a", &["wait_s", "p50"]), "10");
    assert_eq!(at(&all, "b", &["wait_s", "p50"]), "0");
    assert_eq!(at(&all, "difference", &["wait_s", "p50"]), "-10");
    assert_eq!(at(&all, "difference", &["skill_spread", "p90"]), "0");
    assert_eq!(at(&all, "a", &["team_difference", "p90"]), "90");
    // Tenths of seven are one ticket each, and its equals.
    let low = json.group("skill_band", "lowest");
    assert_eq!(json.at(&["groups", &low, "tickets"]), "2");
    assert_eq!(json.at(&["groups", &low, "skill_greatest"]), "500");
    assert_eq!(at(&low, "difference", &["wait_s", "p50"]), "0");
    let middle = json.group("skill_band", "middle");
    assert_eq!(json.at(&["groups", &middle, "skill_least"]), "1580");
    assert_eq!(at(&middle, "difference", &["wait_s", "p50"]), "-10");
    let high = json.group("skill_band", "highest");
    assert_eq!(at(&high, "b", &["matched_percent"]), "0");
    assert_eq!(at(&high, "difference", &["wait_s", "p50"]), "null");
    // Homes: the nearest region, whatever region the match has.
    let us = json.group("home_region", "us");
    assert_eq!(json.at(&["groups", &us, "tickets"]), "2");
    assert_eq!(at(&us, "a", &["ping_ms", "p50"]), "20");
    let eu = json.group("home_region", "eu");
    assert_eq!(json.at(&["groups", &eu, "tickets"]), "5");
    assert_eq!(at(&eu, "a", &["matched_percent"]), "80");
    assert_eq!(json.at(&["a", "searches_cut_off"]), "0");

    let text = folder.run(&["compare", "a.json", "b.json", "trace.jsonl"]).out;
    let squeezed = text.split_whitespace().collect::<Vec<&str>>().join(" ");
    assert!(squeezed.contains("B - A 0 0 0 0 0 -10 -10 -10"), "{text}");
    assert!(squeezed.contains("lowest tenth, A"), "{text}");
}

#[test]
fn variants_tell_an_effect_from_chance() {
    let folder = Folder::new("variants");
    folder.write("a.json", &duel("duel", 50));
    folder.write("b.json", &duel("duel", 150));
    folder.generate("a.json", "evening.jsonl");
    let arguments = ["a.json", "b.json", "evening.jsonl", "--seeds", "5"];
    let json = folder.json(&arguments);
    let variants = |path: &[&str]| json.at(&[&["groups", "0", "variants"], path].concat());
    assert_eq!(variants(&["wait_s", "p50", "count"]), "5");
    assert_eq!(variants(&["wait_s", "p50", "one_sign"]), "true");
    let number = |path: &[&str]| variants(path).parse::<f64>().unwrap();
    assert!(number(&["wait_s", "p50", "greatest"]) < 0.0, "{}", json.0);
    assert!(number(&["skill_spread", "p50", "least"]) > 0.0, "{}", json.0);
    assert!(number(&["wait_s", "p50", "deviation"]) > 0.0, "variants differ: {}", json.0);
    let shift_s = json.number(&["shift_s"]);
    assert!((70.0..=75.0).contains(&shift_s), "a quarter of five minutes: {shift_s}");
    assert_eq!(json.0, folder.json(&arguments).0, "the same bytes again");

    let text = folder.run(&[&["compare"], &arguments[..]].concat());
    assert_eq!(text.code, Some(0));
    assert!(text.out.contains("mean of 5") && text.out.contains("± "), "{}", text.out);
    assert!(text.out.contains("once in 16"), "{}", text.out);
    let again = folder.run(&[&["compare"], &arguments[..]].concat());
    assert_eq!(text.out, again.out);
}

#[test]
fn names_that_differ_are_said() {
    let folder = Folder::new("names");
    folder.write("a.json", &duel("old", 50));
    folder.write("b.json", &duel("new", 50));
    let trace =
        seven("old") + &submit(1, "n1", "new", 1500, r#"{"eu":20}"#) + r#"{"at":2,"cancel":{"ticket":"n1"}}"#;
    folder.write("trace.jsonl", &trace);
    let text = folder.run(&["compare", "a.json", "b.json", "trace.jsonl"]).out;
    assert!(text.contains("7 tickets of queue \"old\" to A and to B (B has another name"), "{text}");
    assert!(text.contains("left out as of other queues: 1 ticket\n"), "{text}");
    let json = folder.json(&["b.json", "a.json", "trace.jsonl"]);
    assert_eq!((json.at(&["queue"]), json.at(&["tickets"])), ("new".into(), "1".into()));
    assert_eq!(json.at(&["groups", "0", "a", "ended_otherwise"]), "1", "the cancel belongs to it");
    let json = folder.json(&["b.json", "a.json", "trace.jsonl", "--tickets-of", "old"]);
    assert_eq!((json.at(&["queue"]), json.at(&["b", "queue"])), ("old".into(), "old".into()));
    assert_eq!(json.at(&["tickets"]), "7");
    // Neither file has the trace's name.
    folder.write("trace.jsonl", &seven("third"));
    let text = folder.refused(&["compare", "a.json", "b.json", "trace.jsonl"]);
    assert!(
        text.contains("no ticket of queue \"old\" or \"new\"; it has tickets of \"third\" (7)"),
        "{text}"
    );
    assert!(text.contains("--tickets-of"), "{text}");
    let json = folder.json(&["a.json", "b.json", "trace.jsonl", "--tickets-of", "third"]);
    assert_eq!(json.number(&["groups", "0", "difference", "matched_percent"]), 0.0);
}

#[test]
fn what_happens_to_the_queue_and_its_tickets_happens_to_both() {
    let folder = Folder::new("both");
    folder.write("a.json", &duel("old", 50));
    folder.write("b.json", &duel("new", 50));
    let trace = submit(0, "t1", "old", 1500, r#"{"eu":20}"#)
        + "{\"at\":1,\"queue\":{\"name\":\"other\",\"state\":\"suspended\"}}\n"
        + "{\"at\":1,\"region\":{\"name\":\"eu\",\"up\":false}}\n"
        + &submit(2, "t2", "old", 1500, r#"{"eu":20}"#)
        + "{\"at\":3,\"leave\":{\"player\":\"p-t2\"}}\n"
        + "{\"at\":4,\"queue\":{\"name\":\"old\",\"state\":\"suspended\"}}\n"
        + &submit(5, "t3", "old", 1500, r#"{"eu":20}"#);
    folder.write("trace.jsonl", &trace);
    let json = folder.json(&["a.json", "b.json", "trace.jsonl", "--until", "30s"]);
    for side in ["a", "b"] {
        let at = |key: &str| json.at(&["groups", "0", side, key]);
        assert_eq!((at("ended_otherwise"), at("refused")), ("1".into(), "1".into()), "{side}");
        assert_eq!((at("waiting"), at("timed_out")), ("1".into(), "0".into()), "{side}");
    }
    let json = folder.json(&["a.json", "b.json", "trace.jsonl"]);
    assert_eq!(
        json.at(&["groups", "0", "b", "timed_out"]),
        "1",
        "without an end it runs until nothing is due"
    );
}

#[test]
fn lines_of_the_recorded_run_and_wrong_lines_are_left_out_and_said() {
    let folder = Folder::new("left-out");
    folder.write("a.json", &duel("duel", 50));
    folder.write("b.json", &duel("duel", 100));
    let requeue = r#"{"at":11,"requeue":{"match":"m1","tickets":["t1"]}}"#;
    folder.write("trace.jsonl", &(seven("duel") + "{\"at\":1,\"submti\":{}}\n" + requeue + "\n// done\n"));
    let text = folder.run(&["compare", "a.json", "b.json", "trace.jsonl"]).out;
    assert!(text.contains("make others: 1 line\n"), "{text}");
    assert!(text.contains("left out as not right: 1 line; the first: trace.jsonl:8:"), "{text}");
    let text = folder.refused(&["compare", "a.json", "b.json", "trace.jsonl", "--strict"]);
    assert!(text.contains("trace.jsonl:8:"), "{text}");
}

#[test]
fn formats_may_be_mixed_and_one_that_is_asked_for_is_held_to() {
    let folder = Folder::new("formats");
    folder.write(
        "playfab.json",
        r#"{"MatchmakingQueue":{"Name":"q","MinMatchSize":2,"MaxMatchSize":2,"Rules":[
           {"Type":"DifferenceRule","Name":"skill","Attribute":{"Path":"Skill","Source":"User"},"Difference":100,
            "MergeFunction":"Average","DefaultAttributeValue":0,"Weight":1}]}}"#,
    );
    let native = folder.run(&["check", "--to", "native", "playfab.json"]);
    assert_eq!(native.code, Some(0));
    folder.write("native.json", &native.out);
    let ticket = |name: &str, skill: u32| {
        format!(
            r#"{{"at":0,"submit":{{"ticket":"{name}","playfab":{{"QueueName":"q","GiveUpAfterSeconds":60,"Creator":{{"Entity":{{"Id":"{name}","Type":"title_player_account"}},"Attributes":{{"DataObject":{{"Skill":{skill}}}}}}}}}}}}}
"#
        )
    };
    folder.write("trace.jsonl", &(ticket("a", 100) + &ticket("b", 180) + &ticket("c", 500)));
    let json = folder.json(&["playfab.json", "native.json", "trace.jsonl"]);
    assert_eq!(json.at(&["groups", "0", "b", "matched_percent"]), "66.666667");
    assert_eq!(json.at(&["groups", "0", "difference", "matched_percent"]), "0");
    assert_eq!(json.at(&["groups", "0", "b", "skill_spread", "p50"]), "80");
    let highest = json.group("skill_band", "highest");
    assert_eq!(json.at(&["groups", &highest, "skill_least"]), "500");
    for (format, wrong) in [("native", "playfab.json"), ("playfab", "native.json")] {
        let text =
            folder.refused(&["compare", "playfab.json", "native.json", "trace.jsonl", "--format", format]);
        assert!(text.contains(wrong), "{format}: {text}");
    }
}

#[test]
fn what_cannot_be_compared_is_refused_with_a_remedy() {
    let folder = Folder::new("errors");
    folder.write("a.json", &duel("duel", 50));
    folder.write("trace.jsonl", &seven("duel"));
    folder.write("empty.jsonl", "\n// nothing yet\n");
    let refused = |arguments: &[&str]| folder.refused(&[&["compare"], arguments].concat());
    assert!(refused(&["a.json", "b.json", "trace.jsonl"]).contains("cannot read b.json"));
    assert!(refused(&["a.json", "a.json", "absent.jsonl"]).contains("cannot read absent.jsonl"));
    let empty = refused(&["a.json", "a.json", "empty.jsonl"]);
    assert!(empty.contains("empty.jsonl submits no ticket; `evenmatch generate`"), "{empty}");
    let late = submit(30, "late", "duel", 1500, r#"{"eu":1}"#);
    folder.write("late.jsonl", &late);
    let early = refused(&["a.json", "a.json", "late.jsonl", "--until", "10s"]);
    assert!(early.contains("late.jsonl submits no ticket up to 10 s"), "{early}");
    let swapped = refused(&["a.json", "a.json", "a.json"]);
    assert!(swapped.contains("not right; the first: a.json:1:"), "{swapped}");
    assert!(refused(&["a.json", "trace.jsonl", "a.json"]).contains("trace.jsonl"));
    assert!(refused(&["a.json", "a.json", "trace.jsonl", "--seeds", "1001"]).contains("--seeds"));
    assert!(refused(&["a.json", "a.json", "trace.jsonl", "--html", "a.json"]).contains("a.json"));
    assert!(refused(&["a.json", "a.json", "trace.jsonl", "--html", "-"]).contains("name a file"));
    assert!(
        refused(&["a.json", "a.json", "trace.jsonl", "--html", "absent/page.html"]).contains("cannot write")
    );
    assert!(folder.read("a.json").contains("duel"), "no input was touched");
    let run = ["run", "--queue", "a.json", "trace.jsonl", "--out", "x.jsonl", "--html"];
    for page in ["x.jsonl", "trace.jsonl"] {
        assert!(folder.refused(&[&run[..], &[page]].concat()).contains(page));
    }
}

#[test]
fn a_file_with_several_queues_is_refused() {
    let folder = Folder::new("several");
    folder.write("a.json", &duel("duel", 50));
    folder.write("trace.jsonl", &seven("duel"));
    let queue = |name: &str| format!(r#"{{"Name":"{name}","MinMatchSize":2,"MaxMatchSize":2}}"#);
    folder.write("two.json", &format!(r#"{{"MatchmakingQueues":[{},{}]}}"#, queue("x"), queue("y")));
    let listed = folder.run(&["check", "two.json"]);
    assert_eq!(listed.code, Some(0), "{}", listed.err);
    let text = folder.refused(&["compare", "a.json", "two.json", "trace.jsonl"]);
    assert!(text.contains("two.json holds 2 queues (\"x\", \"y\")"), "{text}");
}

#[test]
fn pages_are_whole_and_the_same_again() {
    let folder = Folder::new("pages");
    folder.write("a.json", &duel("duel", 50));
    folder.write("b.json", &duel("duel", 100));
    folder.write("trace.jsonl", &seven("duel"));
    let compare = ["compare", "a.json", "b.json", "trace.jsonl", "--seeds", "2", "--html"];
    let said = folder.run(&[&compare[..], &["1.html"]].concat());
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.out.contains("the page is written to 1.html"), "{}", said.out);
    folder.run(&[&compare[..], &["2.html"]].concat());
    let page = folder.read("1.html");
    assert_eq!(page, folder.read("2.html"));
    for part in
        ["Waiting time", "Skill spread against wait", "Ping against wait", "Matches by minute", "B b.json"]
    {
        assert!(page.contains(part), "{part}");
    }
    assert!(page.contains("Permission is hereby granted"), "the licence of what is embedded");
    for loaded in [" src=", " href=", "url(", "@import"] {
        assert!(!page.contains(loaded), "{loaded}: a page loads nothing");
    }
    assert!(page.len() < 150_000, "{} bytes", page.len());

    let run = ["run", "--queue", "a.json", "trace.jsonl", "--html", "run.html"];
    let said = folder.run(&run);
    assert!(said.out.contains("written to matches.jsonl, the page to run.html"), "{}", said.out);
    let page = folder.read("run.html");
    assert!(page.contains("Waiting time") && page.contains("matched   6 (85.7 %)"));
    assert!(!page.contains("tickets/s"), "no clock in a page");
    folder.run(&run);
    assert_eq!(page, folder.read("run.html"));

    // Nobody matches: a page without charts, and without a script.
    folder.write("alone.jsonl", &submit(0, "t", "duel", 1500, r#"{"eu":20}"#));
    folder.run(&["compare", "a.json", "b.json", "alone.jsonl", "--html", "alone.html"]);
    let page = folder.read("alone.html");
    assert!(page.contains("No match was made") && !page.contains("<script"), "{}", page.len());
}

#[test]
fn names_cannot_inject_anything_into_a_page() {
    let folder = Folder::new("hostile");
    let evil = r#"</script><script>window.broken=1</script><img src=x onerror='window.broken=1'>"#;
    let queue = duel(evil, 50).replace("\"skill\":", &format!("\"{evil}\":"));
    let queue = queue.replace("\"attribute\": \"skill\"", &format!("\"attribute\": \"{evil}\""));
    folder.write("a.json", &queue);
    let line = |ticket: &str| {
        let line = submit(0, ticket, evil, 1500, &format!(r#"{{"{evil}":20}}"#));
        line.replace("\"skill\":", &format!("\"{evil}\":"))
    };
    folder.write("trace.jsonl", &(line("t1") + &line("t2")));
    let compared = folder.run(&["compare", "a.json", "a.json", "trace.jsonl", "--html", "compare.html"]);
    assert_eq!(compared.code, Some(0), "{}", compared.err);
    let run = folder.run(&["run", "--queue", "a.json", "trace.jsonl", "--html", "run.html"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    for page in ["compare.html", "run.html"] {
        let page = folder.read(page);
        assert!(page.contains("&lt;img src=x onerror=&#39;"), "the name is shown as it is");
        assert!(!page.contains("<img") && !page.contains("<script>window"));
        assert_eq!(page.matches("<script").count(), 3);
        assert_eq!(page.matches("</script").count(), 3);
    }
}
