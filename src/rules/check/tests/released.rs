//! A finished match as an engine tells it, and what may not be tampered with.

use super::*;

/// A released match of a party and a single player, as an engine would tell it.
fn released() -> (QueueSpec, Vec<(TicketId, Seniority, TicketRequest)>, MatchRecord) {
    let mut spec =
        two_teams(1, 2, vec![rule("skill", difference(window("50"))), rule("ping", region(window("90")))]);
    spec.region_names = RegionNames::FoldCase;
    spec.echo = Some("{\"map\":1}".to_owned());
    let pair = party(1, &["1500", "1510"]).ping("EU", 20).ping("US", 80).user_data(7);
    let single = solo(3, "1525").ping("eu", 50).ping("us", 90).user_data(8);
    let seniority = |second: u64, submit_number| Seniority { enqueued: Millis(second * 1000), submit_number };
    let (first, second) = (TicketId::new(0, 1), TicketId::new(1, 1));
    let tickets = vec![(first, seniority(4, 1), pair), (second, seniority(2, 2), single)];
    let team = |name: &str, ticket, players: &[u128]| TeamRecord {
        name: Arc::from(name),
        tickets: vec![ticket],
        players: players.iter().map(|&id| PlayerId(id)).collect(),
    };
    let matched = |id, user_data, team, ping: i64, wait: u64, attempts| MatchedTicket {
        id,
        user_data,
        team,
        ping_ms: Some(Fixed::from_int(ping)),
        wait: Millis(wait * 1000),
        attempts,
        update_lost: false,
    };
    let record = MatchRecord {
        at: Millis(6000),
        id: MatchId(second),
        queue: QueueId(0),
        region: Some(Arc::from("EU")),
        regions: vec![Arc::from("EU"), Arc::from("us")],
        teams: vec![team("red", first, &[1, 2]), team("blue", second, &[3])],
        tickets: vec![matched(first, 7, 0, 20, 2, 0), matched(second, 8, 1, 50, 4, 1)],
        quality: Quality {
            // 1525 - 1505, and the mean ping of three players.
            cost: Micros(50_000_000),
            skill_spread: Some(fixed("20")),
            team_difference: Some(fixed("20")),
            ping_worst_ms: Some(fixed("50")),
            ping_mean_ms: Some(fixed("30")),
            oldest_wait: Millis(4000),
            exhaustive: true,
        },
        attempts: 1,
        echo: Some(Arc::from("{\"map\":1}")),
        kept: Vec::new(),
    };
    (spec, tickets, record)
}

/// Judges the released match after a change; what is wrong, in words.
fn tampered(change: impl Fn(&mut MatchRecord)) -> Result<(), String> {
    let (spec, tickets, mut record) = released();
    change(&mut record);
    let lookup = |id| tickets.iter().find(|ticket| ticket.0 == id).map(|ticket| (ticket.1, &ticket.2));
    match Judge::new(&spec).match_record(&record, lookup, &[]) {
        Ok(_) => Ok(()),
        Err(violation) => Err(violation.clause.to_string()),
    }
}

#[test]
fn a_released_match_is_judged_field_by_field() {
    assert_eq!(tampered(|_| {}), Ok(()));
    type Change = fn(&mut MatchRecord);
    let changes: [(&str, Change); 17] = [
        ("match record, the match's id", |record| record.id = MatchId(TicketId::new(0, 1))),
        ("match record, the order of submit numbers", |record| record.tickets.reverse()),
        ("match record, tickets", |record| record.tickets[0].id = TicketId::new(9, 9)),
        ("match record, user_data", |record| record.tickets[0].user_data = 0),
        ("match record, teams", |record| record.teams[0].name = Arc::from("green")),
        ("match record, the teams that stand", |record| record.teams.swap(0, 1)),
        ("match record, a team's tickets", |record| record.teams[0].tickets.clear()),
        ("match record, a team's players", |record| record.teams[0].players.reverse()),
        ("region", |record| record.region = Some(Arc::from("us"))),
        ("match record, regions", |record| record.regions.truncate(1)),
        ("match record, a ping", |record| record.tickets[1].ping_ms = None),
        ("match record, cost", |record| record.quality.cost = Micros(50_000_001)),
        ("match record, team_difference", |record| record.quality.team_difference = None),
        ("match record, oldest_wait", |record| record.quality.oldest_wait = Millis(2000)),
        ("match record, wait", |record| record.tickets[0].wait = Millis(0)),
        ("match record, attempts", |record| record.attempts = 0),
        ("match record, echo", |record| record.echo = None),
    ];
    for (clause, change) in changes {
        assert_eq!(tampered(change), Err(clause.to_owned()));
    }
    assert_eq!(tampered(|record| record.tickets[1].team = 0), Err("team sizes".to_owned()));
}
