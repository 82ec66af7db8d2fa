//! Each thing that can keep two tickets apart, one by one, and what a ticket is told that waits for none of them.

use crate::cases::host::{Host, NOTHING, rated, ticket};
use crate::cases::queues::{
    With, always, attribute, duel, fixed, free_for_all, growing, number, ping_within, same, seconds,
    skill_within,
};
use evenmatch::base::fixed::Fixed;
use evenmatch::model::attribute::AttributeType;
use evenmatch::model::codes::{Code, EndReason};
use evenmatch::model::explanation::{
    Barrier, Between, Exclusion, Explanation, PairExplanation, PairTest, PoolExplanation, RegionCause,
    RegionCauses, Shown, When,
};
use evenmatch::model::ids::{MatchId, Millis, PlayerId, TicketId};
use evenmatch::model::request::{PlayerRequest, TicketRequest};
use evenmatch::model::status::{TicketState, WaitingFor, WindowNow};
use evenmatch::rules::spec::{Merge, Missing, RuleKind};

pub(super) fn explain(host: &Host, name: &str) -> Explanation {
    host.engine.explain(host.id(name)).unwrap_or_else(|refusal| panic!("{name}: {refusal}"))
}

pub(super) fn pool(host: &Host, name: &str) -> PoolExplanation {
    explain(host, name).pool.unwrap_or_else(|| panic!("{name} does not wait among others"))
}

pub(super) fn rule(name: &str) -> Barrier {
    Barrier::Rule(name.into())
}

fn exclusion<'p>(pool: &'p PoolExplanation, barrier: &Barrier) -> &'p Exclusion {
    pool.exclusions.iter().find(|exclusion| exclusion.barrier == *barrier).unwrap()
}

fn counts(pool: &PoolExplanation, barrier: &Barrier) -> (u64, u64) {
    let exclusion = exclusion(pool, barrier);
    (exclusion.alone, exclusion.after)
}

fn pair(host: &Host, own: &str, other: &str) -> PairExplanation {
    let answer = host.engine.explain_pair(host.id(own), host.id(other)).unwrap();
    let Between::Pair(pair) = answer.between else { panic!("{answer:?}") };
    *pair
}

fn test<'p>(pair: &'p PairExplanation, barrier: &Barrier) -> &'p PairTest {
    pair.tests.iter().find(|test| test.barrier == *barrier).unwrap()
}

fn shown(value: f64) -> Option<Shown> {
    Some(Shown::Number(fixed(value)))
}

#[test]
fn out_of_skill_by_one_and_legal_at_a_stated_second() {
    let mut host = Host::new(duel().with(skill_within(growing(100.0, 1.0, 300.0))));
    host.add(0.0, rated("A", &[1500.0]));
    host.add(0.0, rated("B", &[1601.0]));
    host.add(0.0, rated("far", &[2500.0]));
    assert_eq!(host.tick(0.0), NOTHING);
    let pool = pool(&host, "A");
    assert_eq!((pool.others, pool.legal), (2, 0));
    assert_eq!(counts(&pool, &rule("skill")), (2, 2));
    let skill = exclusion(&pool, &rule("skill"));
    assert_eq!((skill.kind, skill.windows, skill.value.clone()), ("difference", "mutual", shown(1500.0)));
    assert_eq!((skill.window, skill.next_change), (Some(WindowNow::Limit(fixed(100.0))), Some(seconds(1.0))));
    let near: Vec<(&str, When)> =
        pool.nearest.iter().map(|near| (host.name(near.ticket), near.when)).collect();
    assert_eq!(near, [("B", When::At(seconds(1.0))), ("far", When::Never)]);
    assert_eq!(pool.nearest[0].decided_by, Some(rule("skill")));
    let skill = test(&pool.nearest[0], &rule("skill"));
    assert_eq!((skill.own.clone(), skill.theirs.clone()), (shown(1500.0), shown(1601.0)));
    assert_eq!((skill.measured, skill.attribute.as_deref()), (Some(fixed(101.0)), Some("skill")));
    assert_eq!(skill.own_limit, Some(WindowNow::Limit(fixed(100.0))));
    assert_eq!(skill.their_limit, Some(WindowNow::Limit(fixed(100.0))));
    assert_eq!(host.tick(0.999), NOTHING);
    assert_eq!(host.tick(1.0), ["{A | B}"]);
}

#[test]
fn no_common_region() {
    let mut host = Host::new(duel().with(ping_within(growing(50.0, 10.0, 200.0))));
    host.add(0.0, ticket("A").ping("eu", 20));
    host.add(0.0, ticket("B").ping("us", 20));
    host.add(0.0, ticket("C").ping("eu", 90));
    assert_eq!(host.tick(0.0), NOTHING);
    let pool = pool(&host, "A");
    assert_eq!(counts(&pool, &rule("ping")), (2, 2));
    let causes = RegionCauses { none_in_common: 1, beyond_window: 1, ..RegionCauses::default() };
    assert_eq!(exclusion(&pool, &rule("ping")).regions, Some(causes));
    let apart = pair(&host, "A", "B");
    assert_eq!((apart.when, apart.decided_by.clone()), (When::Never, Some(rule("ping"))));
    assert_eq!(test(&apart, &rule("ping")).region_cause, Some(RegionCause::NoneInCommon));
    let far = pair(&host, "A", "C");
    assert_eq!(far.when, When::At(seconds(4.0)), "90 ms are within 50 + 4 * 10");
    let ping = test(&far, &rule("ping"));
    assert_eq!(
        (ping.region.as_deref(), ping.own.clone(), ping.theirs.clone()),
        (Some("eu"), shown(20.0), shown(90.0))
    );
    assert_eq!(ping.region_cause, Some(RegionCause::BeyondWindow));
}

#[test]
fn allow_lists_and_own_limits_on_the_ping_are_told_apart() {
    let mut host = Host::new(duel().with(ping_within(always(200.0))));
    host.add(0.0, ticket("A").ping("eu", 40).ping("us", 90));
    let only_ap = |mut request: TicketRequest| {
        request.regions = Some(vec!["ap".to_owned()]);
        request
    };
    host.add(0.0, ticket("allows").ping("eu", 40).ping("ap", 40).request(only_ap));
    let near = |mut request: TicketRequest| {
        request.limits.max_ping_ms = Some(50.into());
        request
    };
    host.add(0.0, ticket("near").ping("us", 60).ping("af", 20).request(near));
    host.add(0.0, ticket("far").ping("sa", 20));
    host.tick(0.0);
    let pool = pool(&host, "A");
    let causes =
        RegionCauses { none_in_common: 1, not_allowed: 1, own_ping_limit: 1, ..RegionCauses::default() };
    assert_eq!(exclusion(&pool, &rule("ping")).regions, Some(causes));
}

#[test]
fn a_region_that_is_down() {
    let mut host = Host::new(duel().with(ping_within(always(50.0))));
    host.engine.set_region(seconds(0.0), "eu", false).unwrap();
    host.add(0.0, ticket("A").ping("eu", 20).ping("us", 90));
    host.add(0.0, ticket("B").ping("eu", 20).ping("us", 20));
    assert_eq!(host.tick(0.0), NOTHING);
    let apart = pair(&host, "A", "B");
    assert_eq!((apart.when, apart.decided_by.clone()), (When::Never, Some(rule("ping"))));
    assert_eq!(test(&apart, &rule("ping")).region_cause, Some(RegionCause::Down));
    assert_eq!(exclusion(&pool(&host, "A"), &rule("ping")).regions.unwrap().down, 1);
    assert_eq!(explain(&host, "A").ticket.waiting_for, Some(WaitingFor::RegionUp));
    host.engine.set_region(seconds(1.0), "eu", true).unwrap();
    assert_eq!(host.tick(1.0), ["{A | B} @eu"]);
}

#[test]
fn another_mode() {
    let mut queue = duel().with(same("mode", 1)).with(skill_within(growing(50.0, 10.0, 100.0)));
    queue.attributes.push(attribute("mode", AttributeType::String));
    let mut host = Host::new(queue);
    host.add(0.0, rated("A", &[1500.0]).string("mode", "koth"));
    host.add(0.0, rated("B", &[1500.0]).string("mode", "ctf"));
    host.add(0.0, rated("C", &[1580.0]).string("mode", "ctf"));
    host.add(0.0, rated("any", &[1420.0]));
    assert_eq!(host.tick(0.0), NOTHING);
    let pool = pool(&host, "A");
    assert_eq!((counts(&pool, &rule("mode")), counts(&pool, &rule("skill"))), ((2, 2), (2, 1)));
    assert_eq!(exclusion(&pool, &rule("mode")).without_value, 1);
    assert_eq!(exclusion(&pool, &rule("mode")).value, Some(Shown::Text("koth".to_owned())));
    let other = pair(&host, "A", "B");
    assert_eq!((other.when, other.decided_by.clone()), (When::Never, Some(rule("mode"))));
    assert_eq!(test(&other, &rule("mode")).theirs, Some(Shown::Text("ctf".to_owned())));
    let any = pair(&host, "A", "any");
    assert_eq!((any.when, any.decided_by.clone()), (When::At(seconds(3.0)), Some(rule("skill"))));
    assert_eq!(test(&any, &rule("mode")).theirs, None);
    assert_eq!(host.tick(3.0), ["{A | any}", "{B | C}"], "30 more points after 3 s");
}

#[test]
fn lists_that_share_too_few() {
    let mut queue = duel();
    queue.attributes.push(attribute("maps", AttributeType::StringList));
    let mut maps = crate::cases::queues::rule(
        "maps",
        RuleKind::Intersection { attribute: 1, window: always(2.0), missing: Missing::Any, default: None },
    );
    maps.optional_after = Some(seconds(30.0));
    let mut host = Host::new(queue.with(maps));
    for (id, name, maps) in [(1, "A", ["x", "y", "z"]), (2, "B", ["v", "w", "x"])] {
        let player = PlayerRequest::new(PlayerId(id)).strings("maps", &maps);
        let request = TicketRequest::new("q").player(player);
        let id = host.engine.submit(seconds(0.0), request).unwrap();
        host.call(name, id);
    }
    assert_eq!(host.tick(0.0), NOTHING);
    let apart = pair(&host, "A", "B");
    assert_eq!((apart.when, apart.decided_by.clone()), (When::At(seconds(30.0)), Some(rule("maps"))));
    let maps = test(&apart, &rule("maps"));
    assert_eq!(maps.measured, Some(Fixed::ONE));
    assert_eq!(maps.own, Some(Shown::List(["x", "y", "z"].map(str::to_owned).to_vec())));
    assert_eq!(maps.own_limit, Some(WindowNow::Limit(fixed(2.0))));
    assert_eq!(host.tick(29.999), NOTHING);
    assert_eq!(host.tick(30.0), ["{A | B}"]);
}

#[test]
fn own_limits_of_either_side() {
    let mut queue = duel();
    queue.attributes.push(number("rank", None));
    let mut host = Host::new(queue);
    host.add(0.0, rated("A", &[1500.0]).skill_between(1400.0, 1550.0));
    let ranked = |mut request: TicketRequest| {
        request.limits.attributes.push(("rank".to_owned(), Some(1.into()), None));
        request
    };
    host.add(0.0, rated("B", &[1600.0]));
    host.add(0.0, rated("C", &[1500.0]).request(ranked));
    host.tick(0.0);
    let of_a = pool(&host, "A");
    assert_eq!(counts(&of_a, &Barrier::OwnLimits), (1, 1));
    assert_eq!(counts(&of_a, &Barrier::TheirLimits), (1, 1), "A has no rank for C to look at");
    assert_eq!(exclusion(&of_a, &Barrier::TheirLimits).without_value, 1);
    let broken = pair(&host, "A", "B");
    assert_eq!((broken.when, broken.decided_by.clone()), (When::Never, Some(Barrier::OwnLimits)));
    let limits = test(&broken, &Barrier::OwnLimits);
    assert_eq!(limits.own_limit, Some(WindowNow::Between(Some(fixed(1400.0)), Some(fixed(1550.0)))));
    assert_eq!((limits.theirs.clone(), limits.attribute.as_deref()), (shown(1600.0), Some("skill")));
    let seen_from_b = pair(&host, "B", "A");
    assert_eq!(seen_from_b.decided_by, Some(Barrier::TheirLimits));
}

#[test]
fn a_ticket_without_a_value_is_left_out_of_the_rule() {
    let mut queue = duel();
    queue.attributes.push(number("rank", None));
    let window = always(10.0);
    let rank = RuleKind::Difference {
        attribute: 1,
        window,
        merge: Merge::Average,
        missing: Missing::Any,
        default: None,
    };
    let mut host =
        Host::new(queue.with(crate::cases::queues::rule("rank", rank)).with(skill_within(always(50.0))));
    host.add(0.0, rated("A", &[1500.0]).number("rank", 10.0));
    host.add(0.0, rated("B", &[1600.0]));
    host.add(0.0, rated("C", &[1500.0]).number("rank", 50.0));
    host.tick(0.0);
    let of_a = pool(&host, "A");
    assert_eq!((counts(&of_a, &rule("rank")), counts(&of_a, &rule("skill"))), ((1, 1), (1, 1)));
    assert_eq!(exclusion(&of_a, &rule("rank")).without_value, 1);
    assert_eq!(exclusion(&pool(&host, "B"), &rule("rank")).value, None);
}

#[test]
fn the_older_ticket_of_a_pair_drives_oldest_windows() {
    let mut queue = duel().with(skill_within(growing(50.0, 10.0, 500.0)));
    queue.windows = evenmatch::rules::spec::WindowAge::Oldest;
    let mut host = Host::new(queue);
    host.add(0.0, rated("A", &[1500.0]));
    host.add(5.0, rated("B", &[1650.0]));
    assert_eq!(host.tick(5.0), NOTHING);
    for (own, other) in [("A", "B"), ("B", "A")] {
        let seen = pair(&host, own, other);
        assert_eq!(seen.when, When::At(seconds(10.0)), "A allows 150 at 10 s");
        let skill = test(&seen, &rule("skill"));
        assert_eq!(
            (skill.own_limit, skill.their_limit),
            (Some(WindowNow::Limit(fixed(100.0))), skill.own_limit)
        );
    }
    assert_eq!(host.tick(9.999), NOTHING);
    assert_eq!(host.tick(10.0), ["{A | B}"]);
}

#[test]
fn a_timeout_comes_before_the_window() {
    let mut queue = duel().with(skill_within(growing(50.0, 10.0, 500.0)));
    queue.timeout = Some(seconds(10.0));
    let mut host = Host::new(queue);
    host.add(0.0, rated("A", &[1500.0]));
    host.add(4.0, rated("B", &[1640.0]));
    assert_eq!(host.tick(4.0), NOTHING);
    let late = pair(&host, "A", "B");
    assert_eq!((late.when, late.decided_by), (When::TooLate(seconds(13.0)), Some(rule("skill"))));
    assert_eq!(explain(&host, "A").deadline, Some(seconds(10.0)));
}

#[test]
fn a_suspended_queue() {
    let mut host = Host::new(duel());
    host.add(0.0, ticket("A"));
    host.engine.suspend_queue(seconds(0.0), host.queue("q")).unwrap();
    assert_eq!(host.tick(0.0), NOTHING);
    let explained = explain(&host, "A");
    assert!(explained.queue_suspended);
    assert_eq!(explained.ticket.waiting_for, Some(WaitingFor::QueueResumed));
    assert!(!explained.pool.unwrap().search.due);
    host.engine.resume_queue(seconds(1.0), host.queue("q")).unwrap();
    host.add(1.0, ticket("B"));
    host.engine.suspend_queue(seconds(1.0), host.queue("q")).unwrap();
    assert_eq!(host.tick(1.0), NOTHING);
    let pool = pool(&host, "A");
    assert_eq!((pool.legal, pool.nearest[0].when), (1, When::Now), "as soon as the queue is open");
    assert_eq!(pool.search.found, [host.id("A"), host.id("B")]);
}

#[test]
fn what_does_not_wait_among_others_is_said_and_no_error() {
    let mut host = Host::new(free_for_all(2, 2));
    let forming = host.add(0.0, ticket("forming").request(|request| request.awaits(PlayerId(7))).queue("q"));
    let state = |host: &Host, name: &str| {
        let explained = explain(host, name);
        assert_eq!(explained.pool, None, "{name}");
        (explained.ticket.state, explained.ticket.waiting_for)
    };
    assert_eq!(state(&host, "forming"), (TicketState::Forming, Some(WaitingFor::Members)));
    host.cancel(0.0, "forming").unwrap();
    assert_eq!(state(&host, "forming"), (TicketState::Ended(EndReason::Cancelled), None));
    host.add(0.0, ticket("A"));
    assert_eq!(state(&host, "A"), (TicketState::Queued, Some(WaitingFor::Tick)));
    host.tick(0.0);
    assert!(explain(&host, "A").pool.is_some());
    host.add(1.0, ticket("B"));
    let between = |host: &Host, a, b| host.engine.explain_pair(host.id(a), host.id(b)).unwrap().between;
    assert_eq!(between(&host, "A", "B"), Between::NotTakenIn);
    assert_eq!(between(&host, "A", "A"), Between::SameTicket);
    assert_eq!(between(&host, "A", "forming"), Between::NotWaiting);
    assert_eq!(host.tick(1.0), ["{A B}"]);
    let matched = TicketState::Matched(MatchId(host.id("A")));
    assert_eq!(state(&host, "B"), (matched, None));
    let unknown = host.engine.explain(TicketId(forming.0 ^ 1 << 60)).unwrap_err();
    assert_eq!(unknown.code, Code::NotFound);
}

#[test]
fn tickets_of_other_queues_never_meet() {
    let mut other = duel();
    other.name = "other".to_owned();
    let mut host = Host::with(evenmatch::engine::Engine::builder().capacity(16), vec![duel(), other]);
    host.add(0.0, ticket("A"));
    host.add(0.0, ticket("B").queue("other"));
    host.tick(0.0);
    let answer = host.engine.explain_pair(host.id("A"), host.id("B")).unwrap();
    assert_eq!(answer.between, Between::OtherQueue);
    assert_eq!(pool(&host, "A").others, 0);
}

#[test]
fn tickets_that_ended_since_the_tick_are_left_out() {
    let mut host = Host::new(free_for_all(3, 3));
    for name in ["A", "B"] {
        host.add(0.0, ticket(name));
    }
    host.tick(0.0);
    assert_eq!(pool(&host, "A").others, 1);
    host.cancel(1.0, "B").unwrap();
    assert_eq!((pool(&host, "A").others, pool(&host, "A").nearest.len()), (0, 0));
}

#[test]
fn a_number_of_nearest_can_be_asked_for() {
    let mut host = Host::new(duel().with(skill_within(growing(10.0, 1.0, 100.0))));
    for (at, skill) in [1500.0, 1520.0, 1540.0, 1560.0, 1580.0, 1600.0, 1620.0].into_iter().enumerate() {
        host.add(0.0, rated(&format!("t{at}"), &[skill]));
    }
    host.tick(0.0);
    let named = |count| {
        let explained = host.engine.explain_nearest(host.id("t0"), count).unwrap();
        let nearest = explained.pool.unwrap().nearest;
        nearest.iter().map(|near| host.name(near.ticket).to_owned()).collect::<Vec<String>>()
    };
    assert_eq!(named(0), NOTHING);
    assert_eq!(named(2), ["t1", "t2"]);
    assert_eq!(named(100).len(), 6);
    assert_eq!(pool(&host, "t0").nearest.len(), 5);
}

#[test]
fn explain_and_tick_are_one_at_a_time() {
    let mut host = Host::new(duel().with(skill_within(always(100.0))));
    for (name, skill) in [("A", 1500.0), ("B", 1550.0), ("C", 4000.0)] {
        host.add(0.0, rated(name, &[skill]));
    }
    let (engine, waiting) = (&host.engine, host.id("C"));
    let mut within = Vec::new();
    let report = engine.tick_meeting(Millis(0), 0, &mut |_| {
        // Asked from another thread it would not wait for the tick either.
        let elsewhere = std::thread::scope(|scope| scope.spawn(|| engine.explain(waiting)).join().unwrap());
        within.extend(
            [engine.explain(waiting), elsewhere].map(|answer| answer.map(drop).map_err(|it| it.code)),
        );
        within.push(engine.tick(Millis(0), 0).map(drop).map_err(|it| it.code));
    });
    assert_eq!(report.unwrap().matches, 1);
    // Before the match is claimed, and once more behind it.
    assert_eq!(within, [Err(Code::Busy); 6]);
    assert_eq!(engine.explain(waiting).unwrap().pool.unwrap().others, 0);
    assert!(engine.tick(Millis(1), 0).is_ok());
}
