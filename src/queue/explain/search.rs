//! The search around a ticket, repeated for an explanation, and once more without each rule about whole matches.
//!
//! Used by `ask`. The searches are those of a tick, with the ticket as the oldest of its match; they commit nothing.

use super::board::Board;
use super::nearest::distance;
use crate::assemble::anchor::{CostBound, SEARCH_NODES, Search};
use crate::assemble::report::Measured;
use crate::assemble::scene::Ground;
use crate::assemble::states::States;
use crate::base::fixed::Fixed;
use crate::index::{Candidates, Found};
use crate::model::explanation::{Barrier, Blocker};
use crate::model::ids::{Millis, Seniority};
use crate::rules::compile::{CompiledQueue, Kind};
use crate::rules::spec::{Bounds, Expand, NumberWindow, QueueSpec, Step};
use crate::rules::window::{Band, Switch, Window};
use std::sync::Arc;

/// Candidates in order, nearest first.
struct InOrder {
    rest: std::vec::IntoIter<Found>,
}

impl Candidates for InOrder {
    fn next(&mut self) -> Option<Found> {
        self.rest.next()
    }
}

/// The rules about whole matches without which, one at a time, the ticket has a match among its younger pairs.
///
/// `is_enough`: there are players and sizes for a match as it must be now; without, only the preference for a full
/// match can stand in the way. `excluded`: for each ticket that at most one barrier excludes, its row and a bit for that barrier.
pub(super) fn blockers(board: &Board<'_>, is_enough: bool, excluded: &[(u32, u32)]) -> Vec<Blocker> {
    let queue = board.ground.queue;
    let mut blockers = Vec::new();
    for (index, rule) in queue.rules.iter().enumerate().filter(|_| is_enough) {
        let Some(off) = switched_off(&rule.kind) else { continue };
        let mut without = queue.clone();
        without.rules[index].kind = off;
        blockers.extend(found_by(
            board,
            &without,
            excluded,
            Barrier::Rule(Arc::clone(&rule.name)),
            Some(index),
        ));
    }
    if board.ground.tickets.age(board.row, board.ground.now) < queue.spec.prefer_full_for {
        let mut without = queue.clone();
        without.spec = Arc::new(QueueSpec { prefer_full_for: Millis(0), ..(*queue.spec).clone() });
        blockers.extend(found_by(board, &without, excluded, Barrier::FullMatch, None));
    }
    blockers
}

/// A rule about whole matches, switched off at every age; `None`: it is a rule about pairs.
fn switched_off(kind: &Kind) -> Option<Kind> {
    let never = || {
        let steps = vec![Step { after: Millis(0), value: None }];
        Window::new(&NumberWindow { base: Fixed::ZERO, expand: Expand::Steps(steps) }, None)
    };
    match kind {
        Kind::TeamDifference(slot, _) => Some(Kind::TeamDifference(*slot, never())),
        Kind::TeamSize(_) => Some(Kind::TeamSize(never())),
        Kind::Total(slot, _, per) => {
            let bounds = Bounds { min: None, max: None };
            let band = Band::new(bounds, &[Step { after: Millis(0), value: None }], None);
            Some(Kind::Total(*slot, band, *per))
        }
        Kind::PremadeBalance(_) => {
            let steps = [Step { after: Millis(0), value: false }];
            Some(Kind::PremadeBalance(Switch::new(&steps, None)))
        }
        Kind::Difference(..) | Kind::Equality(..) | Kind::Intersection(..) | Kind::Region(_) => None,
    }
}

/// The match that the search finds under changed rules. `rule`: the one that is off, and lets in whom it alone
/// excluded.
fn found_by(
    board: &Board<'_>,
    without: &CompiledQueue,
    excluded: &[(u32, u32)],
    barrier: Barrier,
    rule: Option<usize>,
) -> Option<Blocker> {
    let ground = Ground { queue: without, ..board.ground };
    let seniority = ground.tickets.seniority(board.row);
    let off =
        rule.and_then(|rule| board.tests.iter().position(|&test| test == super::board::Test::Rule(rule)));
    let is_let_in = |bits: u32| bits == 0 || off.is_some_and(|off| bits == 1 << off);
    let rows = excluded.iter().filter(|&&(_, bits)| is_let_in(bits)).map(|&(row, _)| row);
    let younger = rows.filter(|&row| ground.tickets.seniority(row) > seniority);
    let mut found: Vec<(u128, Seniority, u32)> =
        younger.map(|row| (distance(board, row).0, ground.tickets.seniority(row), row)).collect();
    found.sort_unstable();
    let found: Vec<Found> = found.into_iter().map(|(distance, _, item)| Found { item, distance }).collect();
    let mut candidates = InOrder { rest: found.into_iter() };
    let mut states = States::default();
    states.begin(without, ground.tickets.row_end(), ground.now);
    let mut search = Search::new(SEARCH_NODES);
    search.run(&ground, &mut states, board.row, &mut candidates, CostBound::Differences, false, None);
    if !search.found.best.is_some() {
        return None;
    }
    let mut measured = Measured::default();
    search.measure(&ground, &states, &mut measured);
    Some(Blocker {
        barrier,
        players: search.found.best.players,
        team_difference: measured.quality.team_difference,
    })
}
