//! The questions: why does this ticket wait, and what is between these two.
//!
//! Asked by the engine while it holds what a tick holds. Cost: linear in the tickets that wait in the queue. Invariant:
//! rows, timers and due tickets stay as they are; only the memory of searches is used.

use super::board::{Board, Test};
use super::missing::missing;
use super::nearest::Nearest;
use super::search::blockers;
use super::shown::{Showing, is_left_out, value};
use crate::model::explanation::{
    Exclusion, PairExplanation, PoolExplanation, RegionCause, RegionCauses, SearchExplanation, SizesFit,
};
use crate::model::ids::{Millis, TicketId};
use crate::model::request::TicketRequest;
use crate::queue::matcher::Matcher;
use crate::queue::running::RunningQueue;
use crate::queue::view::{View, view_of};
use crate::rules::compile::Kind;

/// Shows the request of a ticket that is live, as the last tick took it in.
pub type Requests<'a> = dyn Fn(TicketId, &mut dyn FnMut(&TicketRequest)) + 'a;

/// What a question comes with.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// The engine's time.
    pub now: Millis,
    /// How many of the nearest candidates to name.
    pub nearest: usize,
    /// Whether a ticket has not ended since the last tick.
    pub is_live: &'a dyn Fn(TicketId) -> bool,
    /// The requests of tickets.
    pub requests: &'a Requests<'a>,
}

impl Matcher {
    /// How a ticket stands to the others of its queue; `None`: no tick has taken it in, or it has left.
    pub fn explain(&mut self, ticket: TicketId, asked: &Asked<'_>) -> Option<PoolExplanation> {
        let (queue, row) = self.find(ticket)?;
        Some(self.queues[queue].explain(row, asked))
    }

    /// What is between two tickets; `None`: no tick has taken both in, one has left, or they are of different queues.
    pub fn explain_pair(&self, own: TicketId, other: TicketId, asked: &Asked<'_>) -> Option<PairExplanation> {
        let ((queue, row), (other_queue, other)) = (self.find(own)?, self.find(other)?);
        (queue == other_queue).then(|| self.queues[queue].explain_pair(row, other, asked))
    }
}

impl RunningQueue {
    fn explain(&mut self, row: u32, asked: &Asked<'_>) -> PoolExplanation {
        let search = self.explain_search(row, asked);
        let regions = self.regions.clone();
        let board = Board::new(self.view(asked.now).ground(), row);
        let showing = Showing { board: &board, regions: &regions, requests: asked.requests };
        let mut exclusions = self.exclusions(&board, asked);
        let mut others: Vec<u32> = self
            .all()
            .filter(|&(other, _, id)| other != row && (asked.is_live)(id))
            .map(|(other, ..)| other)
            .collect();
        others.sort_unstable_by_key(|&other| self.tickets.seniority(other));
        let mut nearest = Nearest::new(&board, asked.nearest);
        // The tickets that at most one barrier excludes, with that barrier's bit.
        let mut almost: Vec<(u32, u32)> = Vec::new();
        for &other in &others {
            let pair = board.pair(other);
            let mut failing = 0_u32;
            for (bit, &test) in board.tests.iter().enumerate() {
                self.count_missing(&board, &mut exclusions[bit], test, other);
                if pair.passes(test, asked.now) {
                    continue;
                }
                exclusions[bit].alone += 1;
                exclusions[bit].after += u64::from(failing == 0);
                failing |= 1 << bit;
                if let (Test::Rule(rule), Some(causes)) = (test, &mut exclusions[bit].regions) {
                    count_cause(causes, showing.region_cause(&pair, rule));
                }
            }
            if failing.count_ones() <= 1 {
                almost.push((other, failing));
            }
            nearest.add(&pair, failing, |row| self.deadline(row));
        }
        let legal: Vec<u32> = almost.iter().filter(|(_, bits)| *bits == 0).map(|&(other, _)| other).collect();
        let own = self.tickets.seniority(row);
        let mut missing = missing(&board, &legal);
        let is_enough = missing.players_short == 0
            && missing.tickets_short == 0
            && !matches!(missing.sizes, SizesFit::OneMore(_));
        if search.found.is_empty() && board.duel.is_none() {
            missing.blockers = blockers(&board, is_enough, &almost);
        }
        let nearest = nearest.into_rows();
        PoolExplanation {
            others: others.len() as u64,
            exclusions,
            legal: legal.len() as u64,
            legal_older: legal.iter().filter(|&&other| self.tickets.seniority(other) < own).count() as u64,
            nearest_max: asked.nearest,
            nearest: nearest.into_iter().map(|other| self.pair_explanation(&showing, other)).collect(),
            missing,
            search,
        }
    }

    fn explain_pair(&self, row: u32, other: u32, asked: &Asked<'_>) -> PairExplanation {
        let board = Board::new(self.view(asked.now).ground(), row);
        let showing = Showing { board: &board, regions: &self.regions, requests: asked.requests };
        self.pair_explanation(&showing, other)
    }

    fn pair_explanation<'q, 'a>(&'a self, showing: &Showing<'q, 'a>, other: u32) -> PairExplanation {
        let board = showing.board;
        let pair = board.pair(other);
        let end = pair.end(|row| self.deadline(row));
        let (when, decided_by) = pair.legal(end);
        let is_of_pairs = |test: &&Test| match test {
            Test::Rule(rule) => board.is_of_pairs(*rule),
            _ => true,
        };
        PairExplanation {
            ticket: self.tickets.id(other),
            players: self.tickets.size(other),
            age: self.tickets.age(other, board.ground.now),
            deadline: self.deadline(other),
            when,
            decided_by: decided_by.map(|test| test.barrier(board.ground.queue)),
            tests: board
                .tests
                .iter()
                .filter(is_of_pairs)
                .map(|&test| showing.test(&pair, test, end))
                .collect(),
        }
    }

    /// The barriers with what they mean for the ticket, before anyone is counted.
    fn exclusions(&self, board: &Board<'_>, asked: &Asked<'_>) -> Vec<Exclusion> {
        let queue = &self.compiled;
        let age = self.tickets.age(board.row, asked.now);
        let of_test = |&test: &Test| {
            let mut exclusion = Exclusion {
                barrier: test.barrier(queue),
                kind: "",
                of_pairs: true,
                window: None,
                windows: "",
                next_change: None,
                value: None,
                alone: 0,
                after: 0,
                without_value: 0,
                regions: None,
            };
            if let Test::Rule(index) = test {
                let rule = &queue.rules[index];
                let next = rule.kind.next_change(age);
                exclusion.kind = rule.kind.word();
                exclusion.of_pairs = board.is_of_pairs(index);
                exclusion.window = Some(rule.kind.now(age));
                exclusion.windows = rule.age.word();
                exclusion.next_change =
                    next.map(|next| self.tickets.seniority(board.row).enqueued.after(next));
                exclusion.value = value(queue, &self.tickets, index, board.row, asked.requests);
                exclusion.regions = matches!(rule.kind, Kind::Region(_)).then(RegionCauses::default);
            }
            exclusion
        };
        board.tests.iter().map(of_test).collect()
    }

    /// Counts a ticket that brings no value to a barrier.
    fn count_missing(&self, board: &Board<'_>, exclusion: &mut Exclusion, test: Test, other: u32) {
        let lacks = |of: u32, who: u32| {
            self.tickets.limits(of).any(|(range, ..)| self.tickets.range(who, range as usize).is_none())
        };
        let is_without = match test {
            Test::OwnLimits => lacks(board.row, other),
            Test::TheirLimits => lacks(other, board.row),
            Test::Rule(rule) => is_left_out(&self.compiled, &self.tickets, rule, other),
            Test::Sizes | Test::Seating => false,
        };
        exclusion.without_value += u64::from(is_without);
    }

    /// The search with the ticket as the oldest of its match, as a tick would make it now.
    fn explain_search(&mut self, row: u32, asked: &Asked<'_>) -> SearchExplanation {
        self.index_all();
        self.states.begin(&self.compiled, self.tickets.row_end(), asked.now);
        for at in 0..self.fresh.len() {
            let fresh = self.fresh[at];
            if self.standings[fresh as usize].is_live {
                self.states.ensure(&self.compiled, &self.tickets, fresh);
            }
        }
        let standing = self.standings[row as usize];
        let wakes = self.wake(row).is_some_and(|wake| wake <= asked.now);
        let mut search = SearchExplanation {
            due: !self.is_suspended && (wakes || self.is_due(row, asked.now)),
            next_look: self.wake(row),
            exhaustive: true,
            urgent: self.chooses_together().then(|| self.is_urgent(row, asked.now)),
            ..SearchExplanation::default()
        };
        if standing.is_active {
            view_of!(self, asked.now).find(&mut self.searcher, &mut self.states, row, None);
            let found = &self.searcher.search.found;
            (search.exhaustive, search.steps) = (found.exhaustive, found.steps);
            search.found = found.best.rows.iter().map(|&row| self.tickets.id(row)).collect();
        }
        if !search.found.iter().all(|&id| (asked.is_live)(id)) {
            search.found.clear();
        }
        search
    }
}

fn count_cause(causes: &mut RegionCauses, cause: RegionCause) {
    let count = match cause {
        RegionCause::NoneInCommon => &mut causes.none_in_common,
        RegionCause::NotAllowed => &mut causes.not_allowed,
        RegionCause::OwnPingLimit => &mut causes.own_ping_limit,
        RegionCause::Down => &mut causes.down,
        RegionCause::BeyondWindow => &mut causes.beyond_window,
    };
    *count += 1;
}
