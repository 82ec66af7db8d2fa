//! What an explanation promises comes true: of two tickets alone in a queue of two players, the match is made at the
//! very millisecond that was named, and at none before.

use super::played::{Played, for_all};
use crate::oracle::queues::pair_queue;
use crate::oracle::tickets::{Case, small_case};
use evenmatch::model::explanation::{Between, When};
use evenmatch::model::ids::{Millis, TicketId};
use proptest::strategy::Strategy;
use std::cell::Cell;

/// Later than every step, cap and timeout that is drawn.
const AHEAD_MS: u64 = 70_000;

/// The case with its first two tickets only, both there at the last tick.
fn of_two(mut case: Case) -> Case {
    case.arrivals.truncate(2);
    let last = case.arrivals.last().map_or(Millis(0), |arrival| arrival.at);
    case.ticks.iter_mut().for_each(|tick| *tick = last.after(*tick));
    case
}

/// What a replay came to: the match of both, a match of one alone, or nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    Both(Millis),
    Alone,
    Nothing,
}

/// Ticks at these instants until something is matched.
fn replay(
    case: &Case,
    ids: [TicketId; 2],
    mut next: impl FnMut(&Played) -> Option<Millis>,
) -> Result<Outcome, String> {
    let mut played = Played::new(case)?;
    while let Some(at) = next(&played) {
        if let Some(tickets) = played.tick(at).first() {
            let is_both = tickets.len() == 2 && ids.iter().all(|id| tickets.contains(id));
            return Ok(if is_both { Outcome::Both(at) } else { Outcome::Alone });
        }
    }
    Ok(Outcome::Nothing)
}

fn comes_true(case: &Case, kept: &Cell<u32>) -> Result<(), String> {
    let played = Played::new(case)?;
    let waiting = played.waiting();
    let [a, b] = waiting.as_slice() else { return Ok(()) };
    let (ids, now) = ([a.id, b.id], played.now);
    let answer = played.engine.explain_pair(a.id, b.id).map_err(|refusal| refusal.to_string())?;
    let Between::Pair(pair) = answer.between else { return Err(format!("no pair: {answer:?}")) };
    let promised = match pair.when {
        When::Now => return Err(format!("a legal pair was left by the tick: {pair:?}")),
        When::At(at) => Some(at),
        When::TooLate(_) | When::Never => None,
    };
    // Whenever something is due.
    let due = |played: &Played| played.engine.next_due().filter(|due| due.0 <= now.0 + AHEAD_MS);
    let found = replay(case, ids, due)?;
    // A ticket that becomes a match by itself waits for nobody.
    if found == Outcome::Alone {
        return Ok(());
    }
    let right = promised.map_or(Outcome::Nothing, Outcome::Both);
    if found != right {
        return Err(format!("whenever something is due: {found:?}, promised {right:?}\n  {pair:?}"));
    }
    // Every millisecond around the promise; without one, every quarter of a second.
    let (mut at, step, last) = match promised {
        Some(promised) => (promised.0.saturating_sub(5).max(now.0 + 1), 1, promised.0 + 1),
        None => (now.0 + 1, 250, now.0 + AHEAD_MS),
    };
    let each = |_: &Played| {
        let tick = (at <= last).then_some(Millis(at));
        at += step;
        tick
    };
    let found = replay(case, ids, each)?;
    if found != right {
        return Err(format!("ticked one by one: {found:?}, promised {right:?}\n  {pair:?}"));
    }
    kept.set(kept.get() + u32::from(promised.is_some()));
    Ok(())
}

#[test]
fn a_promised_match_is_made_at_its_millisecond() {
    let kept = Cell::new(0);
    let name = "a_promised_match_is_made_at_its_millisecond";
    for_all(name, 1500, small_case(pair_queue(), true).prop_map(of_two), |case| comes_true(case, &kept));
    assert!(kept.get() >= 20, "only {} promises were made", kept.get());
}
