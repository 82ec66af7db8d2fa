//! CV: queues that cannot be, and values that do not fit.

use super::host::{Host, NOTHING, players, rated, ticket};
use super::queues::{
    With, always, attribute, free_for_all, same, seconds, skill_within, stepped, teams, teams_of,
};
use evenmatch::engine::Engine;
use evenmatch::model::attribute::{AttributeType, AttributeValue};
use evenmatch::model::codes::Code;
use evenmatch::model::explanation::When;
use evenmatch::model::request::TicketUpdate;
use evenmatch::rules::spec::{QueueSpec, Undeclared};

#[track_caller]
fn refused(queue: QueueSpec, parts: &[&str]) {
    let engine = Engine::builder().capacity(8).build().unwrap();
    let refusal = engine.add_queue(queue).unwrap_err();
    assert_eq!(refusal.code, Code::InvalidQueue);
    for part in parts {
        assert!(refusal.detail.contains(part), "{part:?} is not in {:?}", refusal.detail);
    }
    assert_eq!(engine.queue("q"), None, "a refused queue leaves nothing behind");
}

#[test]
fn cv_01_swapped_and_empty_sizes_are_refused_by_name_and_value() {
    refused(free_for_all(3, 1), &["players", "3", "1"]);
    refused(free_for_all(0, 4), &["players", "0"]);
    refused(free_for_all(0, 0), &["players", "0"]);
    refused(teams_of(2, 3, 1), &["3", "1"]);
}

#[test]
fn cv_03_teams_that_nobody_can_join_or_that_overflow_are_refused() {
    refused(teams(2, 0), &["team"]);
    refused(teams(0, 5), &["team"]);
    refused(teams(2, u32::MAX), &["team"]);
    refused(teams(65_535, 65_535), &["256"]);
    refused(teams(u32::MAX, u32::MAX), &["256"]);
}

#[test]
fn cv_05_values_of_the_wrong_kind_are_refused_by_name_and_type() {
    let mut queue = free_for_all(2, 2);
    queue.attributes.push(attribute("level", AttributeType::Integer));
    queue = queue.with(skill_within(always(100.0)));
    queue.rules.push(evenmatch::rules::spec::RuleSpec {
        name: "level".to_owned(),
        kind: evenmatch::rules::spec::RuleKind::Equality {
            attribute: 1,
            missing: evenmatch::rules::spec::Missing::Default,
            default: None,
            steps: Vec::new(),
        },
        ..skill_within(always(1.0))
    });
    let mut host = Host::new(queue.clone());
    let text = host.refused(0.0, ticket("T").string("level", "40"), Code::WrongType);
    assert!(text.detail.contains("level") && text.detail.contains("integer"), "{text}");
    let fraction = host.refused(0.0, ticket("T").number("level", 40.5), Code::WrongType);
    assert!(fraction.detail.contains("level") && fraction.detail.contains("integer"), "{fraction}");
    let unknown = host.refused(0.0, ticket("T").number("level", 1).number("x", 1), Code::UnknownAttribute);
    assert!(unknown.detail.contains('x'), "{unknown}");
    let missing = host.refused(0.0, ticket("T"), Code::MissingAttribute);
    assert!(missing.detail.contains("level"), "{missing}");
    assert_eq!(host.engine.stats().submitted, 0);

    queue.undeclared = Undeclared::Keep;
    let mut host = Host::new(queue);
    host.add(0.0, ticket("T").number("level", 1).number("x", 1));
    host.add(0.0, ticket("U").number("level", 1));
    assert_eq!(host.tick(0.0), ["{T U}"]);
}

#[test]
fn cv_07_no_size_switches_to_another_algorithm() {
    for size in [39, 41] {
        let mut host = Host::new(free_for_all(2, size).with(skill_within(always(100.0))));
        for index in 0..45 {
            host.add(0.0, rated(&format!("t{index}"), &[1500.0]));
        }
        let lines = host.tick(0.0);
        assert_eq!(lines.len(), 2, "{size}: {lines:?}");
        let sizes: Vec<usize> = host.matches.iter().map(|record| record.tickets.len()).collect();
        assert_eq!(sizes, [size as usize, 45 - size as usize]);
        let first: Vec<&str> = host.matches[0].tickets.iter().map(|ticket| host.name(ticket.id)).collect();
        let oldest: Vec<String> = (0..size).map(|index| format!("t{index}")).collect();
        assert_eq!(first, oldest, "equal costs: the oldest");
        assert!(host.matches.iter().all(|record| record.quality.exhaustive));
    }
}

#[test]
fn cv_09_the_expansion_of_one_rule_does_not_override_another() {
    let mut queue = free_for_all(5, 5);
    queue.attributes.push(attribute("map", AttributeType::String));
    queue = queue.with(skill_within(stepped(10.0, &[(60.0, 200.0)]))).with(same("same_map", 1));
    let mut host = Host::new(queue);
    let id = host.add(0.0, rated("A", &[190.0]).string("map", "x"));
    for name in ["B", "C", "D", "E"] {
        host.add(0.0, rated(name, &[40.0]).string("map", "y"));
    }
    assert_eq!(host.ticks(0, 61), NOTHING);
    let pool = host.engine.explain(id).unwrap().pool.unwrap();
    let excluded: Vec<(&str, u64, u64)> = pool
        .exclusions
        .iter()
        .map(|exclusion| (exclusion.barrier.word(), exclusion.alone, exclusion.after))
        .filter(|&(_, alone, _)| alone > 0)
        .collect();
    assert_eq!(excluded, [("same_map", 4, 4)], "the expansion has let all four in, the other rule has not");
    assert!(pool.nearest.iter().all(|near| near.when == When::Never));
    let by = pool.nearest.iter().map(|near| near.decided_by.as_ref().map(|barrier| barrier.word()));
    assert_eq!(by.collect::<Vec<_>>(), [Some("same_map"); 4]);
    let player = host.player("A.0");
    let attributes = vec![
        ("skill".to_owned(), AttributeValue::Number(190.into())),
        ("map".to_owned(), AttributeValue::String("y".to_owned())),
    ];
    let update = TicketUpdate { attributes: Some(vec![(player, attributes)]), ..TicketUpdate::default() };
    host.engine.update(seconds(61.5), id, update).unwrap();
    assert_eq!(host.tick(62.0), ["{A B C D E}"]);
}

#[test]
fn cv_sizes_beyond_the_party_limit_are_refused() {
    let mut queue = teams(2, 5);
    queue.party_max = Some(2);
    let mut host = Host::new(queue);
    host.refused(0.0, players("P", 3), Code::PartyTooLarge);
    host.add(0.0, players("P", 2));
}
