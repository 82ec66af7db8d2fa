//! Trace lines: the documented ones, and what each kind of bad line gets.

use super::*;
use crate::base::fixed::Decimal;
use crate::config::write::write_trace_line;
use crate::model::attribute::AttributeValue;
use crate::model::ids::{Millis, PlayerId};

fn read(text: &str) -> TraceLine {
    read_trace_line(1, text.as_bytes()).unwrap_or_else(|errors| panic!("{text}: {}", errors[0]))
}

fn errors(text: &str) -> Vec<String> {
    let errors = read_trace_line(7, text.as_bytes()).expect_err(text);
    errors.iter().map(|error| error.to_string()).collect()
}

#[test]
fn the_documented_lines_read() {
    let line = read(
        r#"{"at":0.0,"submit":{"ticket":"t1","queue":"ranked-5v5","players":[{"id":"p1","attributes":{"skill":1510,"mode":"koth"}}],
                    "latency":{"eu":24,"us":78},"timeout_s":90,"limits":{"skill":[1400,1600]},"regions":["eu"]}}   // one line in the file"#,
    );
    let TraceAction::Submit(submit) = &line.action else { panic!("{line:?}") };
    let request = submit.request(|name| PlayerId(name.len() as u128));
    assert_eq!((line.at, &*submit.ticket, &*request.queue), (Millis(0), "t1", "ranked-5v5"));
    assert_eq!(request.players[0].id, PlayerId(2));
    assert_eq!(request.players[0].attributes[0], ("skill".to_owned(), AttributeValue::Number(1510.into())));
    assert_eq!(request.latency, [("eu".to_owned(), 24.into()), ("us".to_owned(), 78.into())]);
    assert_eq!(request.timeout, Some(Millis(90_000)));
    assert_eq!(request.limits.attributes, [("skill".to_owned(), Some(1400.into()), Some(1600.into()))]);
    assert_eq!(request.regions, Some(vec!["eu".to_owned()]));
    for text in [
        r#"{"at":3.5,"cancel":{"ticket":"t1"}}"#,
        r#"{"at":3.5,"cancel":{"ticket":"t1","in_tick":0}}"#,
        r#"{"at":3.6,"leave":{"player":"p1"}}"#,
        r#"{"at":3.6,"leave":{"player":"p1","in_tick":12}}"#,
        r#"{"at":3.6,"leave":{"player":"p1","ticket":"t1"}}"#,
        r#"{"at":4,"update":{"ticket":"t2","latency":{"eu":24}}}"#,
        r#"{"at":5,"requeue":{"match":"m1","tickets":["t4"]}}"#,
        r#"{"at":9,"region":{"name":"eu","up":false}}"#,
        r#"{"at":9.5,"queue":{"name":"ranked-5v5","state":"suspended"}}"#,
        r#"{"at":9.5,"update":{"ticket":"t","players":[{"id":"p","attributes":{"a":[]},"latency":{}}],"timeout_s":null,"limits":{"max_ping_ms":80.5},"regions":null}}"#,
        r#"{"at":1,"submit":{"ticket":"t","queue":"q","players":[],"enqueued":0.5,"user_data":18446744073709551615}}"#,
    ] {
        assert_eq!(write_trace_line(&read(text)), text);
    }
}

#[test]
fn values_keep_what_they_are() {
    let text = r#"{"at":0,"submit":{"ticket":"t","queue":"q","players":[{"id":"p","attributes":{"n":1.00000049,"s":"x","l":["a","b"],"e":[],"b":true,"o":{"a":[1, 2]},"m":["a",1],"z":null},"latency":{"eu":-3}}]}}"#;
    let line = read(text);
    let TraceAction::Submit(submit) = &line.action else { panic!("{line:?}") };
    let values: Vec<&AttributeValue> = submit.players[0].attributes.iter().map(|(_, value)| value).collect();
    let json = |text: &str| AttributeValue::Json(text.to_owned());
    let number = Decimal::parse("1.00000049").unwrap();
    let strings = vec!["a".to_owned(), "b".to_owned()];
    let expected = [
        &AttributeValue::Number(number),
        &AttributeValue::String("x".to_owned()),
        &AttributeValue::StringList(strings),
        &AttributeValue::StringList(Vec::new()),
        &json("true"),
        &json(r#"{"a":[1,2]}"#),
        &json(r#"["a",1]"#),
        &json("null"),
    ];
    assert_eq!(values, expected);
    assert_eq!(read(&write_trace_line(&line)), line);
}

#[test]
fn updates_name_players_by_id() {
    let line = read(
        r#"{"at":1,"update":{"ticket":"t","players":[{"id":"a","attributes":{"x":1}},{"id":"bb","latency":{"eu":5}}]}}"#,
    );
    let TraceAction::Update(update) = line.action else { panic!() };
    let update = update.update(|name| PlayerId(name.len() as u128));
    assert_eq!(update.attributes.unwrap()[0].0, PlayerId(1));
    assert_eq!(update.player_latency, Some(vec![(PlayerId(2), vec![("eu".to_owned(), 5.into())])]));
    assert_eq!((update.latency, update.limits, update.regions, update.timeout), (None, None, None, None));
}

#[test]
fn bad_lines_say_what_and_where() {
    for (text, expected) in [
        ("", "7:1: found no value, needs a JSON object"),
        ("[]", "7:1: found a list, needs an object"),
        ("{\"at\":1", "7:1: found an object without an end, close it with `}`"),
        (
            r#"{"at":1}"#,
            "7:1: found no action, needs one of submit, join, cancel, leave, update, requeue, region, queue, tick, note",
        ),
        (r#"{"cancel":{"ticket":"t"}}"#, "7:1: at: found no \"at\", give the time in seconds"),
        (r#"{"at":1,"cancl":{}}"#, "7:9: cancl: found the unknown key \"cancl\", did you mean \"cancel\"?"),
        (
            r#"{"at":0.0001,"leave":{"player":"p"}}"#,
            "7:7: at: found 0.0001, needs at most 3 digits behind the point",
        ),
        (r#"{"at":-1,"leave":{"player":"p"}}"#, "7:7: at: found -1, needs 0 seconds or more"),
        (r#"{"at":1,"cancel":{"ticket":5}}"#, "7:28: cancel.ticket: found 5, needs a string"),
        (
            r#"{"at":1,"cancel":{"ticket":"t","in_tick":-1}}"#,
            "7:42: cancel.in_tick: found -1, needs a whole number from 0 to 18446744073709551615",
        ),
        (r#"{"at":1,"cancel":{}}"#, "7:18: cancel.ticket: found no \"ticket\", the action needs it"),
        (
            r#"{"at":1,"queue":{"name":"q","state":"opened"}}"#,
            "7:37: queue.state: found \"opened\", did you mean \"open\"? words here are \"open\", \"suspended\", \"removed\"",
        ),
        (
            r#"{"at":1,"leave":{"player":"p"},"cancel":{"ticket":"t"}}"#,
            "7:32: cancel: found cancel beside leave, a line has one action",
        ),
        (
            r#"{"at":1,"submit":{"playfab":{"QueueName":"q","GiveUpAfterSeconds":9}}}"#,
            "7:29: submit.playfab.Creator: found no \"Creator\", a request has a Creator, or that of a server Members",
        ),
        (
            r#"{"at":1,"submit":{"ticket":"t","queue":"q","players":[],"limits":{"skill":5}}}"#,
            "7:75: submit.limits.skill: found 5, needs [least, greatest], either of which may be null",
        ),
        (
            r#"{"at":1,"submit":{"ticket":"t","queue":"q","players":[{"id":"p","skill":5}]}}"#,
            "7:65: submit.players[0].skill: found the unknown key \"skill\", keys here are \"id\", \"attributes\", \"latency\"",
        ),
        (
            r#"{"at":1,"submit":{"ticket":"t","queue":"q","players":[{"id":"p","latency":{"eu":"9"}}]}}"#,
            "7:81: submit.players[0].latency.eu: found \"9\", needs a number",
        ),
        (
            r#"{"at":1,"submit":{"ticket":"t","queue":"q","players":[],"user_data":-1}}"#,
            "7:69: submit.user_data: found -1, needs a whole number from 0 to 18446744073709551615",
        ),
        (
            r#"{"at":1,"submit":{"ticket":"t","ticket":"t","queue":"q","players":[]}}"#,
            "7:32: submit.ticket: found the key \"ticket\" a second time, a key stands once in an object",
        ),
    ] {
        assert_eq!(errors(text), [expected], "{text}");
    }
    assert_eq!(errors(r#"{"at":"x","region":{"nam":"eu","up":1}}"#).len(), 4);
}

#[test]
fn a_file_has_an_order() {
    let mut reader = TraceReader::new("t.jsonl");
    let submit = |at: u32, ticket: &str| {
        format!("{{\"at\":{at},\"submit\":{{\"ticket\":{ticket:?},\"queue\":\"q\",\"players\":[]}}}}\r\n")
    };
    assert!(reader.read(b"\n").is_none());
    assert!(reader.read(b"  // comment\n").is_none());
    assert!(reader.read(submit(5, "a").as_bytes()).unwrap().is_ok());
    let back = reader.read(submit(4, "b").as_bytes()).unwrap().unwrap_err();
    assert_eq!(back[0].to_string(), "t.jsonl:4:1: at: found 4, the line before has 5: times never fall");
    let again = reader.read(submit(6, "a").as_bytes()).unwrap().unwrap_err();
    assert_eq!(
        again[0].to_string(),
        "t.jsonl:5:1: submit.ticket: found ticket \"a\" a second time, ticket names stand once in a file"
    );
    assert!(reader.read(submit(5, "b").as_bytes()).unwrap().is_ok());
    let bad = reader.read(b"\xff").unwrap().unwrap_err();
    assert_eq!(
        bad[0].to_string(),
        "t.jsonl:7:1: found the byte 0xff, which is not UTF-8, save the file as UTF-8"
    );
    assert_eq!((reader.line(), reader.last()), (7, Millis(5000)));
}
