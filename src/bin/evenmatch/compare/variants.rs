//! Other evenings that might as well have been: the same tickets, each a little earlier or later.
//!
//! Used by `compare` for `--seeds`. Every ticket's arrival is moved by a draw of its own, uniform within
//! [`SHIFT_MS_MAX`] either way and reflected at both ends of the trace; what happens to the ticket afterwards (a
//! cancel, an update) moves with it. By the displacement theorem a Poisson process whose points are moved
//! independently is a Poisson process again, so under random arrivals a variant is as likely as the trace itself,
//! up to the rise and fall of traffic within the span of a move. Who meets whom is drawn anew; how many come, who
//! they are and how busy the hour is stay. Drawing tickets with replacement was not taken: copies of one player
//! are each other's best match.
//!
//! What this measures is therefore the chance of one evening with these players. Evenings with other players
//! differ by more; for those, compare on several traces.
//!
//! Invariants: the same seed gives the same variant on every machine; lines are in order; a person's tickets
//! keep their order.

use super::evening::Evening;
use crate::dice::Dice;
use evenmatch::config::trace::{TraceAction, TraceLine};
use evenmatch::model::ids::Millis;
use std::collections::HashMap;

/// A ticket moves at most so far: longer than most waits, so that its neighbours are others, and short against
/// the rise and fall of an evening.
pub(super) const SHIFT_MS_MAX: u64 = 300_000;

/// The evening with every ticket moved.
pub(super) struct Variant {
    /// The lines, in order.
    pub(super) lines: Vec<TraceLine>,
    /// The tickets in the order in which they are submitted now.
    pub(super) order: Vec<usize>,
}

/// How far tickets move in this evening: at most a quarter of its length.
pub(super) fn shift_ms(evening: &Evening) -> u64 {
    SHIFT_MS_MAX.min(last_submit_ms(evening) / 4)
}

/// The variant of that seed.
pub(super) fn variant(evening: &Evening, seed: u64) -> Variant {
    let shift = shift_ms(evening);
    let last = last_submit_ms(evening);
    let mut dice = Dice::new(seed);
    // By ticket: how far it moves, in milliseconds. By person: the newest ticket's old and new time.
    let mut moves = vec![0_i64; evening.tickets];
    let mut newest: HashMap<usize, (u64, u64)> = HashMap::new();
    for (line, belongs) in evening.lines.iter().zip(&evening.ticket_of_line) {
        let Some(ticket) = belongs.filter(|_| is_submit(line)) else { continue };
        let draw = ((dice.unit() * 2.0 - 1.0) * shift as f64) as i64;
        let mut at = reflected(line.at.0 as i64 + draw, last);
        for player in &evening.players[ticket] {
            if let Some(&(was, is)) = newest.get(player) {
                // No sooner after the person's last ticket than it was, unless that is long ago.
                at = at.max(is + (line.at.0 - was).min(shift));
            }
        }
        newest.extend(evening.players[ticket].iter().map(|&player| (player, (line.at.0, at))));
        moves[ticket] = at as i64 - line.at.0 as i64;
    }
    let moved = evening.lines.iter().zip(&evening.ticket_of_line).map(|(line, &belongs)| {
        let by = belongs.map_or(0, |ticket| moves[ticket]);
        (moved(line, by), belongs.filter(|_| is_submit(line)))
    });
    let mut moved: Vec<(TraceLine, Option<usize>)> = moved.collect();
    // Stable: lines of one instant keep their order, so a submit stays before what happens to its ticket.
    moved.sort_by_key(|(line, _)| line.at);
    let order = moved.iter().filter_map(|(_, ticket)| *ticket).collect();
    Variant { lines: moved.into_iter().map(|(line, _)| line).collect(), order }
}

fn is_submit(line: &TraceLine) -> bool {
    matches!(line.action, TraceAction::Submit(_) | TraceAction::SubmitPlayfab(_))
}

fn last_submit_ms(evening: &Evening) -> u64 {
    evening.lines.iter().rev().find(|line| is_submit(line)).map_or(0, |line| line.at.0)
}

/// `at`, thrown back into 0..=`last` from the end that it passed. A move is at most a quarter of `last`.
fn reflected(at: i64, last: u64) -> u64 {
    let last = last as i64;
    let inside = at.abs();
    (if inside > last { 2 * last - inside } else { inside }).clamp(0, last) as u64
}

/// The line `by` milliseconds later.
fn moved(line: &TraceLine, by: i64) -> TraceLine {
    let later = |time: Millis| Millis(time.0.saturating_add_signed(by));
    let mut line = TraceLine { at: later(line.at), action: line.action.clone() };
    if let TraceAction::Submit(submit) = &mut line.action {
        submit.enqueued = submit.enqueued.map(later);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use evenmatch::config::trace::{TracePlayer, TraceSubmit};

    /// So many tickets, one each second; every tenth comes from the person before last and is cancelled.
    fn evening(tickets: usize) -> Evening {
        let mut lines = Vec::new();
        let mut ticket_of_line = Vec::new();
        let mut players = Vec::new();
        for ticket in 0..tickets {
            let at = Millis(ticket as u64 * 1000);
            let player = if ticket % 10 == 9 { ticket - 2 } else { ticket };
            let submit = TraceSubmit {
                ticket: format!("t{ticket}"),
                players: vec![TracePlayer { id: format!("p{player}"), ..TracePlayer::default() }],
                enqueued: Some(at),
                ..TraceSubmit::default()
            };
            players.push(vec![player]);
            lines.push(TraceLine { at, action: TraceAction::Submit(Box::new(submit)) });
            ticket_of_line.push(Some(ticket));
            if ticket % 10 == 9 {
                lines.push(TraceLine {
                    at,
                    action: TraceAction::Cancel { ticket: format!("t{ticket}"), in_tick: None },
                });
                ticket_of_line.push(Some(ticket));
            }
        }
        Evening { queue: "q".to_owned(), lines, ticket_of_line, tickets, players, notes: Vec::new() }
    }

    #[test]
    fn a_variant_has_the_same_lines_elsewhere() {
        let evening = evening(4000);
        for seed in 1..=5 {
            let variant = variant(&evening, seed);
            assert_eq!(variant.lines.len(), evening.lines.len(), "seed {seed}");
            assert!(variant.lines.is_sorted_by_key(|line| line.at), "seed {seed}");
            let mut at = vec![0; evening.tickets];
            let mut seen = Vec::new();
            for line in &variant.lines {
                match &line.action {
                    TraceAction::Submit(submit) => {
                        let ticket: usize = submit.ticket[1..].parse().unwrap();
                        assert_eq!(submit.enqueued, Some(line.at), "the wait moves with the ticket");
                        seen.push(ticket);
                        at[ticket] = line.at.0;
                    }
                    TraceAction::Cancel { ticket, .. } => {
                        let ticket: usize = ticket[1..].parse().unwrap();
                        assert_eq!(at[ticket], line.at.0, "seed {seed}: a cancel moves with its ticket");
                    }
                    _ => unreachable!(),
                }
            }
            assert_eq!(seen, variant.order);
            for ticket in (9..evening.tickets).step_by(10) {
                assert!(at[ticket] >= at[ticket - 2] + 2000, "seed {seed}: the person's order is kept");
            }
            let moves: Vec<f64> = (0..4000).map(|n| (at[n] as f64 - n as f64 * 1000.0).abs()).collect();
            let mean = moves.iter().sum::<f64>() / 4000.0;
            assert!((130_000.0..170_000.0).contains(&mean), "seed {seed}: {mean}");
            // As many in every quarter as before, but for chance.
            let first = at.iter().filter(|&&at| at < 1_000_000).count();
            assert!((900..1100).contains(&first), "seed {seed}: {first}");
        }
    }

    #[test]
    fn seeds_repeat_and_differ() {
        let evening = evening(100);
        assert_eq!(variant(&evening, 1).lines, variant(&evening, 1).lines);
        assert_ne!(variant(&evening, 1).lines, variant(&evening, 2).lines);
    }

    #[test]
    fn an_evening_of_one_instant_stays() {
        let evening = evening(1);
        assert_eq!(shift_ms(&evening), 0);
        assert_eq!(variant(&evening, 3).lines, evening.lines);
    }

    #[test]
    fn moves_are_thrown_back_at_both_ends() {
        assert_eq!((reflected(-30, 100), reflected(130, 100), reflected(50, 100)), (30, 70, 50));
        assert_eq!(reflected(7, 0), 0);
    }
}
