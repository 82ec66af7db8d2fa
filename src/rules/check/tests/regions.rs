//! The region rule: which regions are legal, and which of them a match is played in.

use super::*;

fn pings(id: u128, pings: &[(&str, i32)]) -> TicketRequest {
    let ticket = TicketRequest::new("q").player(PlayerRequest::new(PlayerId(id)));
    pings.iter().fold(ticket, |ticket, &(name, ms)| ticket.ping(name, ms))
}

fn region_of(result: Result<Verdict, Violation>) -> String {
    result.expect("legal").regions[0].name.to_string()
}

#[test]
fn rg_01_the_match_takes_the_least_mean_then_the_least_worst_then_the_first_name() {
    let spec = queue(2, 2, vec![rule("ping", region(window("150")))]);
    let two = |a: &[(&str, i32)], b: &[(&str, i32)]| {
        region_of(judge(&spec, 0, &[(0, &pings(1, a)), (0, &pings(2, b))], &[0, 0]))
    };
    assert_eq!(two(&[("sgp", 82), ("hkg", 115)], &[("hkg", 100), ("sgp", 45)]), "sgp");
    assert_eq!(two(&[("a", 10), ("b", 20)], &[("a", 40), ("b", 30)]), "b", "the worst of a is 40");
    assert_eq!(two(&[("b", 10), ("a", 20)], &[("b", 20), ("a", 10)]), "a");
}

#[test]
fn rg_05_tickets_with_different_best_regions_meet_in_either() {
    let spec = queue(2, 2, vec![rule("ping", region(window("150")))]);
    let (a, b) = (pings(1, &[("eu", 40), ("us", 45)]), pings(2, &[("us", 40), ("eu", 45)]));
    let verdict = judge(&spec, 0, &[(0, &a), (0, &b)], &[0, 0]).unwrap();
    assert_eq!(verdict.regions.len(), 2);
    assert_eq!(
        (verdict.quality.ping_worst_ms, verdict.quality.ping_mean_ms),
        (Some(fixed("45")), Some(fixed("42.5")))
    );
    assert_eq!(verdict.quality.cost.to_string(), "42.5");
    assert_eq!(region_of(judge_down(&spec, 0, &[(0, &a), (0, &b)], &[0, 0], &["eu"])), "us");
    assert!(judge_down(&spec, 0, &[(0, &a), (0, &b)], &[0, 0], &["eu", "us"]).is_err());
}

#[test]
fn rg_07_the_limit_is_for_every_ticket_not_for_the_mean() {
    let spec = queue(4, 4, vec![rule("ping", region(window("150")))]);
    let tickets: Vec<_> =
        [20, 20, 20, 400].iter().zip(1..).map(|(&ms, id)| pings(id, &[("eu", ms)])).collect();
    let tickets: Vec<_> = tickets.iter().map(|ticket| (0, ticket)).collect();
    let why = refused(judge(&spec, 0, &tickets, &[0; 4]));
    assert_eq!(why, "region: there is no region that is legal for every ticket");
}

#[test]
fn regions_need_every_member_and_the_allow_list() {
    let mut spec = queue(1, 3, vec![rule("ping", region(window("50")))]);
    spec.min_tickets = Some(1);
    let mut pair = pings(1, &[("eu", 20), ("us", 30), ("asia", 40)]);
    pair.players.push(PlayerRequest::new(PlayerId(2)).ping("us", 45).ping("asia", 41));
    let verdict = judge(&spec, 0, &[(0, &pair)], &[0]).unwrap();
    let found: Vec<_> = verdict.regions.iter().map(|region| (&*region.name, region.ping_worst)).collect();
    assert_eq!(found, [("asia", fixed("41")), ("us", fixed("45"))]);
    pair.regions = Some(vec!["us".to_owned(), "mars".to_owned()]);
    assert_eq!(region_of(judge(&spec, 0, &[(0, &pair)], &[0])), "us");
    pair.limits.max_ping_ms = Some(Decimal::from_int(44));
    assert!(judge(&spec, 0, &[(0, &pair)], &[0]).is_err());
    pair.regions = None;
    assert_eq!(region_of(judge(&spec, 0, &[(0, &pair)], &[0])), "asia");
}

#[test]
fn an_optional_region_drops_the_limit_but_never_the_reachability() {
    let mut spec = queue(2, 2, vec![rule("ping", region(window("50")))]);
    spec.rules[0].optional_after = Some(Millis(10_000));
    let (a, b) = (pings(1, &[("eu", 70), ("us", 10)]), pings(2, &[("eu", 20)]));
    assert!(judge(&spec, 9, &[(0, &a), (0, &b)], &[0, 0]).is_err());
    // Mean 45 and 10 x (70 - 50).
    assert_eq!(cost(judge(&spec, 10, &[(0, &a), (0, &b)], &[0, 0])), "245");
    let c = pings(3, &[("us", 20)]);
    assert!(judge(&spec, 10, &[(0, &b), (0, &c)], &[0, 0]).is_err());
}

#[test]
fn region_names_fold_if_the_queue_says_so() {
    let mut spec = queue(2, 2, vec![rule("ping", region(window("50")))]);
    let (a, b) = (pings(1, &[("EU", 10)]), pings(2, &[("eu", 20)]));
    assert!(judge(&spec, 0, &[(0, &a), (0, &b)], &[0, 0]).is_err());
    spec.region_names = RegionNames::FoldCase;
    assert_eq!(region_of(judge(&spec, 0, &[(0, &a), (0, &b)], &[0, 0])), "eu");
    assert!(judge_down(&spec, 0, &[(0, &a), (0, &b)], &[0, 0], &["Eu"]).is_err());
}

#[test]
fn the_region_must_be_the_best_one() {
    let spec = queue(1, 2, vec![rule("ping", region(window("50")))]);
    let judge = Judge::new(&QueueSpec { min_tickets: Some(1), ..spec });
    let a = pings(1, &[("eu", 10), ("us", 20)]);
    let tickets = [JudgedTicket { seniority: Seniority::default(), request: &a }];
    let at = |region| judge.check(&Lineup { tickets: &tickets, teams: &[0], region }, Millis(0), &[]);
    assert!(at(Some("eu")).is_ok());
    assert_eq!(at(Some("us")).unwrap_err().to_string(), "region: the region is us, right is eu");
    assert!(at(None).is_err());
}
