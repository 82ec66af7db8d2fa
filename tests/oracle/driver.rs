//! Plays a random evening through the engine and compares every tick with a definition.

use super::evening::{Definition, Evening};
use super::tickets::Case;
use evenmatch::Simd;
use evenmatch::assemble::chosen::ChosenMatch;
use evenmatch::engine::Engine;
use evenmatch::model::codes::{Code, EndReason};
use evenmatch::model::event::{Event, MatchRecord, Micros};
use evenmatch::model::ids::{Millis, TicketId};
use evenmatch::rules::spec::{IndexChoice, RegionNames};
use std::collections::BTreeMap;

/// One match, in the words of the case: arrival numbers, team names, region, cost as the record shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Told {
    tickets: Vec<usize>,
    teams: Vec<String>,
    region: Option<String>,
    cost: Micros,
}

/// An engine under test, and the arrivals by the ids that it gave them.
struct Played {
    index: IndexChoice,
    engine: Engine,
    numbers: BTreeMap<TicketId, usize>,
}

/// Plays `case` with each of the indexes forced. Errors: the first tick at which an engine and the definition
/// differ, in words.
pub(crate) fn play(case: &Case, definition: Definition, indexes: &[IndexChoice]) -> Result<(), String> {
    let mut played = Vec::new();
    // Each index under another instruction set, and another one with the next case.
    let sets: Vec<Simd> = Simd::available().collect();
    for (at, &index) in indexes.iter().enumerate() {
        let simd = sets[(at + case.ticks.len() + case.arrivals.len()) % sets.len()];
        let engine = Engine::builder().capacity(10_000).check_matches(true).simd(simd).build();
        let engine = engine.map_err(|refusal| format!("{refusal:?}"))?;
        let mut spec = case.spec.clone();
        spec.index = index;
        engine.add_queue(spec).map_err(|refusal| format!("the queue is refused: {refusal:?}"))?;
        played.push(Played { index, engine, numbers: BTreeMap::new() });
    }
    let mut evening = Evening::new(case);
    for (tick, &now) in case.ticks.iter().enumerate() {
        let arrived = evening.arrivals(tick);
        let expired = evening.expire(now);
        let chosen = evening.matches(now, definition)?;
        let right: Vec<Told> = chosen.iter().map(|chosen| foretell(&evening, chosen)).collect();
        for played in &mut played {
            take_in(played, case, tick, &arrived)?;
            compare(played, &evening, now, &expired, &right)
                .map_err(|difference| format!("at {now} with {:?}: {difference}", played.index))?;
        }
        evening.take(&chosen);
    }
    Ok(())
}

/// Gives the engine what comes before a tick.
fn take_in(played: &mut Played, case: &Case, tick: usize, arrived: &[usize]) -> Result<(), String> {
    for &number in arrived {
        let arrival = &case.arrivals[number];
        match played.engine.submit(arrival.at, arrival.request.clone()) {
            Ok(id) => {
                played.numbers.insert(id, number);
            }
            // It stays in the evening: if it were matched there, the engine was wrong to refuse it.
            Err(refusal) if refusal.code == Code::Unmatchable => {}
            Err(refusal) => return Err(format!("ticket {number} is refused: {refusal:?}")),
        }
    }
    for outage in case.outages.iter().filter(|outage| outage.tick == tick) {
        let now = case.ticks[tick];
        played.engine.set_region(now, outage.region, outage.up).map_err(|refusal| format!("{refusal:?}"))?;
    }
    Ok(())
}

/// Ticks the engine and compares what comes out with what is right.
fn compare(
    played: &Played,
    evening: &Evening<'_>,
    now: Millis,
    expired: &[usize],
    right: &[Told],
) -> Result<(), String> {
    played.engine.tick(now, 0).map_err(|refusal| format!("{refusal:?}"))?;
    let mut events = Vec::new();
    while played.engine.poll(&mut events, 1000) > 0 {}
    let (found, ended) = tell(evening, &played.numbers, &events)?;
    let taken_in = |number: &&usize| played.numbers.values().any(|of| of == *number);
    let expired: Vec<usize> = expired.iter().filter(taken_in).copied().collect();
    if ended != expired {
        return Err(format!("ended {ended:?}, right is {expired:?}"));
    }
    if found != right {
        return Err(format!("\n  found {found:?}\n  right {right:?}"));
    }
    Ok(())
}

/// A chosen match in the words of the case.
fn foretell(evening: &Evening<'_>, chosen: &ChosenMatch) -> Told {
    let names = evening.judge.team_names();
    let players: usize =
        chosen.tickets.iter().map(|&index| evening.waiting[index].request.players.len()).sum();
    let unit = players as i128 * 1_000_000;
    Told {
        tickets: chosen.tickets.iter().map(|&index| evening.waiting[index].number).collect(),
        teams: chosen.teams.iter().map(|&position| names[position].to_owned()).collect(),
        region: chosen.region.as_ref().map(|name| name.to_string()),
        cost: Micros((2 * chosen.cost + unit).div_euclid(2 * unit)),
    }
}

/// The matches and the ends among the events of a tick, each match approved by the judge.
fn tell(
    evening: &Evening<'_>,
    numbers: &BTreeMap<TicketId, usize>,
    events: &[Event],
) -> Result<(Vec<Told>, Vec<usize>), String> {
    let number = |id: &TicketId| numbers.get(id).copied().ok_or(format!("unknown ticket {id:?}"));
    let (mut matches, mut ended) = (Vec::new(), Vec::new());
    for event in events {
        match event {
            Event::Match(record) => {
                approve(evening, numbers, record)?;
                let tickets: Result<Vec<usize>, String> =
                    record.tickets.iter().map(|ticket| number(&ticket.id)).collect();
                let teams =
                    record.tickets.iter().map(|ticket| record.teams[ticket.team as usize].name.to_string());
                matches.push(Told {
                    tickets: tickets?,
                    teams: teams.collect(),
                    region: record.region.as_ref().map(|name| match evening.case.spec.region_names {
                        RegionNames::Exact => name.to_string(),
                        RegionNames::FoldCase => name.to_lowercase(),
                    }),
                    cost: record.quality.cost,
                });
            }
            Event::Ended(ended_record) if ended_record.reason == EndReason::TimedOut => {
                ended.push(number(&ended_record.ticket)?);
            }
            Event::Ended(other) => return Err(format!("an end that nothing asked for: {other:?}")),
        }
    }
    Ok((matches, ended))
}

fn approve(
    evening: &Evening<'_>,
    numbers: &BTreeMap<TicketId, usize>,
    record: &MatchRecord,
) -> Result<(), String> {
    let lookup = |id: TicketId| {
        let number = numbers.get(&id)?;
        let ticket = evening.waiting.iter().find(|ticket| ticket.number == *number)?;
        Some((ticket.seniority, ticket.request))
    };
    let down: Vec<&str> = evening.down.iter().copied().collect();
    match evening.judge.match_record(record, lookup, &down) {
        Ok(_) if record.quality.exhaustive => Ok(()),
        Ok(_) => Err("a search was cut off".to_owned()),
        Err(violation) => Err(format!("{violation}\n  {record:?}")),
    }
}
