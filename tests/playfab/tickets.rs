//! Ticket requests as PlayFab's API takes them, forming tickets, and tickets as JSON text.

use crate::host::{file, member, replay, solo, text};
use evenmatch::model::status::{TicketState, WaitingFor};
use evenmatch::{Code, EndReason, Engine, Event, Millis, PlayerId, PlayerRequest, TicketRequest};

const PAIR: &str = r#"{"Name": "q", "MinMatchSize": 4, "MaxMatchSize": 4, "Rules": [{"Type": "StringEqualityRule",
    "Name": "build", "Attribute": {"Path": "Build"}, "AttributeNotSpecifiedBehavior": "MatchAny", "Weight": 1}]}"#;

/// A trace line: a ticket of `a` that waits for these.
fn forming(at: f64, name: &str, awaits: &[&str], give_up: u32) -> String {
    let awaits: Vec<String> = awaits.iter().map(|id| format!(r#"{{"Id":"{id}","Type":"t"}}"#)).collect();
    format!(
        r#"{{"at":{at},"submit":{{"ticket":"{name}","playfab":{{"QueueName":"q","GiveUpAfterSeconds":{give_up},"Creator":{},"MembersToMatchWith":[{}]}}}}}}"#,
        member(&format!("{name}-a"), r#""Build":"1""#),
        awaits.join(",")
    ) + "\n"
}

fn join(at: f64, ticket: &str, id: &str, attributes: &str) -> String {
    format!(
        r#"{{"at":{at},"join":{{"playfab":{{"TicketId":"{ticket}","QueueName":"q","Member":{}}}}}}}"#,
        member(id, attributes)
    ) + "\n"
}

#[test]
fn a_forming_ticket_starts_with_the_last_member() {
    let trace = forming(0.0, "t", &["b"], 60)
        + &solo(1.0, "c", "q", "")
        + &join(2.0, "t", "x", "")
        + &join(3.0, "t", "b", r#""Build":"2""#)
        + &join(4.0, "t", "b", r#""Build":"1""#)
        + &join(4.5, "t", "b", "")
        + &solo(5.0, "d", "q", "");
    let outcome = replay(&text(PAIR), &trace, Millis(100_000));
    // x is not awaited; b disagrees with a first, which leaves the ticket forming; c is the oldest of the match.
    assert_eq!(
        outcome.short,
        ["2 t NOT_FOUND", "3 t UNMATCHABLE MEMBERS_DISAGREE", "4.5 t NOT_FOUND", "5 all=c,t,d",]
    );
    assert!(outcome.lines[3].contains(r#""oldest_wait_s":4,"#), "{}", outcome.lines[3]);
}

#[test]
fn a_forming_ticket_gives_up_from_its_creation() {
    // Never joined: over at 30 s. Joined at 25 s: over at 30 s all the same.
    let trace = forming(0.0, "t", &["b"], 30) + &forming(0.0, "u", &["c"], 30) + &join(25.0, "u", "c", "");
    let outcome = replay(&text(PAIR), &trace, Millis(100_000));
    assert_eq!(outcome.short, ["30 t TIMED_OUT", "30 u TIMED_OUT"]);
}

#[test]
fn a_forming_ticket_ends_as_any_other() {
    let left = forming(0.0, "t", &["b"], 60) + "{\"at\":1,\"leave\":{\"player\":\"t-a\"}}\n";
    assert_eq!(replay(&text(PAIR), &left, Millis(90_000)).short, ["1 t PARTY_MEMBER_LEFT"]);
    let cancelled = forming(0.0, "t", &["b"], 60)
        + &join(1.0, "t", "b", "")
        + &forming(2.0, "u", &["b"], 60)
        + "{\"at\":3,\"cancel\":{\"ticket\":\"u\"}}\n"
        + &join(4.0, "u", "b", "");
    assert_eq!(replay(&text(PAIR), &cancelled, Millis(50_000)).short, ["3 u CANCELLED", "4 u NOT_FOUND"]);
    let removed =
        forming(0.0, "t", &["b"], 60) + "{\"at\":1,\"queue\":{\"name\":\"q\",\"state\":\"removed\"}}\n";
    assert_eq!(replay(&text(PAIR), &removed, Millis(90_000)).short, ["1 t QUEUE_REMOVED"]);
    // Too large with the members who are still to join, or a full match alone.
    let large = forming(0.0, "t", &["b", "c", "d", "e"], 60) + &forming(0.0, "u", &["b", "c", "d"], 60);
    assert_eq!(
        replay(&text(PAIR), &large, Millis(90_000)).short,
        ["0 t UNMATCHABLE TOO_LARGE", "0 u UNMATCHABLE FULL_ALONE"]
    );
    let twice = forming(0.0, "t", &["b", "b"], 60);
    assert_eq!(replay(&text(PAIR), &twice, Millis(90_000)).short, ["0 t DUPLICATE_PLAYER"]);
}

#[test]
fn the_engine_tells_of_forming_tickets() {
    let engine = Engine::builder().capacity(10).build().unwrap();
    engine.add_queue(text(PAIR).remove(0)).unwrap();
    let player = |id| PlayerRequest::new(PlayerId(id));
    let mut request = TicketRequest::new("q").player(player(1)).awaits(PlayerId(2)).awaits(PlayerId(3));
    request.timeout = Some(Millis(60_000));
    let ticket = engine.submit(Millis(1000), request).unwrap();
    engine.tick(Millis(1000), 0).unwrap();
    let status = engine.ticket(ticket).unwrap();
    assert_eq!((status.state, status.age), (TicketState::Forming, Millis(0)));
    assert_eq!((status.waiting_for, status.timeout_left), (Some(WaitingFor::Members), Some(Millis(60_000))));
    assert_eq!((engine.stats().forming, engine.stats().waiting), (1, 1));
    assert_eq!(engine.next_due(), Some(Millis(61_000)));
    // Whom it awaits is free until he joins; who has joined is not.
    assert_eq!(engine.ticket_of(PlayerId(1)), Some(ticket));
    assert_eq!(engine.ticket_of(PlayerId(2)), None);
    assert_eq!(engine.join(Millis(2000), ticket, player(2)).unwrap(), 1);
    let again = engine.submit(Millis(2000), TicketRequest::new("q").player(player(2))).unwrap_err();
    assert_eq!((again.code, again.ticket), (Code::PlayerAlreadyQueued, Some(ticket)));
    assert_eq!(engine.join(Millis(3000), ticket, player(3)).unwrap(), 0);
    engine.tick(Millis(5000), 0).unwrap();
    let status = engine.ticket(ticket).unwrap();
    assert_eq!((status.state, status.age), (TicketState::Queued, Millis(2000)));
    assert_eq!(status.timeout_left, Some(Millis(56_000)));
    assert_eq!(engine.join(Millis(5000), ticket, player(4)).unwrap_err().code, Code::NotFound);
    engine.submit(Millis(5000), TicketRequest::new("q").player(player(5)).awaits(PlayerId(6))).unwrap();
    engine.close(Millis(6000)).unwrap();
    let mut events = Vec::new();
    engine.poll(&mut events, 10);
    let reasons = events.iter().map(|event| match event {
        Event::Ended(ended) => ended.reason,
        Event::Match(_) => panic!("nothing was matched"),
    });
    assert_eq!(reasons.collect::<Vec<_>>(), [EndReason::EngineClosed; 2]);
    let stats = engine.stats();
    assert_eq!((stats.waiting, stats.forming, stats.submitted, stats.ended), (0, 0, 2, 2));
}

#[test]
fn cv_05_a_value_of_another_type_is_refused_at_submit() {
    let trace = solo(0.0, "text", "skill-linear", r#""Skill":"0.4""#)
        + &solo(0.0, "list", "skill-linear", r#""Skill":[0.4]"#)
        + &solo(0.0, "null", "skill-linear", r#""Skill":null"#);
    let outcome = replay(&file("skill_linear").specs, &trace, Millis(1000));
    assert_eq!(outcome.short, ["0 text WRONG_TYPE", "0 list WRONG_TYPE"]);
    assert!(outcome.lines[0].contains("Skill"), "{}", outcome.lines[0]);
}

#[test]
fn entities_escaped_objects_and_bad_requests() {
    let specs = text(
        r#"{"Name": "q", "MinMatchSize": 2, "MaxMatchSize": 2, "Rules": [{"Type": "DifferenceRule", "Name": "d",
        "Attribute": {"Path": "$.Skill.Mean", "Source": "PlayerEntity"}, "DefaultAttributeValue": 0, "Difference": 1}]}"#,
    );
    // a's entity is given beside the request; b brings the same path in an escaped object.
    let trace = concat!(
        r#"{"at":0,"submit":{"ticket":"a","entities":{"a":{"Skill":{"Mean":7}}},"playfab":{"QueueName":"q","#,
        r#""GiveUpAfterSeconds":9,"Creator":{"Entity":{"Id":"a"}}}}}"#,
        "\n",
        r#"{"at":0,"submit":{"playfab":{"QueueName":"q","GiveUpAfterSeconds":9,"CustomTags":{"x":"y"},"#,
        r#""Members":[{"Entity":{"Id":"b"},"Attributes":{"EscapedDataObject":"{\"Skill\":{\"Mean\":8}}"}}]}}}"#,
        "\n"
    );
    let outcome = replay(&specs, trace, Millis(1000));
    assert_eq!(outcome.short, ["0 all=a,#2"]);
    let bad = |request: &str| {
        let engine = Engine::builder().capacity(10).build().unwrap();
        engine.add_queue(specs[0].clone()).unwrap();
        engine.submit_json(Millis(0), request.as_bytes(), |_| PlayerId(1)).unwrap_err()
    };
    for (request, code, expected) in [
        (r#"{"QueueName":"q","GiveUpAfterSeconds":9}"#, Code::InvalidFormat, "Creator"),
        (r#"{"QueueName":"q","Creator":{"Entity":{"Id":"a"}}}"#, Code::InvalidFormat, "GiveUpAfterSeconds"),
        (r#"{"QueueName":"q","GiveUpAfterSeconds":9,"Creator":{"Entity":{}}}"#, Code::InvalidFormat, "Id"),
        (
            r#"{"QueueName":"z","GiveUpAfterSeconds":9,"Creator":{"Entity":{"Id":"a"}}}"#,
            Code::UnknownQueue,
            "z",
        ),
        (
            r#"{"QueueName":"q","GiveUpAfterSeconds":9,"Creator":{"Entity":{"Id":"a"},"Attributes":{"EscapedDataObject":"{"}}}"#,
            Code::InvalidFormat,
            "EscapedDataObject",
        ),
    ] {
        let refusal = bad(request);
        assert!(refusal.code == code && refusal.detail.contains(expected), "{request}: {refusal:?}");
    }
}

#[test]
fn submit_json_takes_both_formats() {
    let engine = Engine::builder().capacity(10).check_matches(true).build().unwrap();
    engine.add_queue(text(PAIR).remove(0)).unwrap();
    let id_of = |name: &str| PlayerId(name.bytes().fold(0, |id, byte| id << 8 | u128::from(byte)));
    let native = r#"{"queue":"q","players":[{"id":"a","attributes":{"Build":"1"}}],"awaits":["b"]}"#;
    let ticket = engine.submit_json(Millis(0), native.as_bytes(), id_of).unwrap();
    assert_eq!(engine.join_json(Millis(0), ticket, br#"{"id":"b"}"#, id_of).unwrap(), 0);
    let request = format!(
        r#"{{"QueueName":"q","GiveUpAfterSeconds":9,"Creator":{},"MembersToMatchWith":[{{"Id":"d"}}]}}"#,
        member("c", r#""Build":"1""#)
    );
    let other = engine.submit_json(Millis(0), request.as_bytes(), id_of).unwrap();
    let member = format!(r#"{{"TicketId":"x","QueueName":"q","Member":{}}}"#, member("d", ""));
    assert_eq!(engine.join_json(Millis(0), other, member.as_bytes(), id_of).unwrap(), 0);
    engine.tick(Millis(0), 0).unwrap();
    let mut events = Vec::new();
    engine.poll(&mut events, 10);
    let Event::Match(record) = &events[0] else { panic!("{events:?}") };
    assert_eq!(record.teams[0].players, ["a", "b", "c", "d"].map(id_of));
}
