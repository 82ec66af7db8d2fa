//! What can keep two tickets of a queue out of one match, and when it lets them through.
//!
//! Made for one explained ticket, asked about each other one that waits. The rules are read from their compiled
//! form, over the rows that searches read. Invariant: a test depends on the two tickets, the regions that are up and
//! the time, and [`Pair::next_opening`] is never later than the first instant at which a test that fails passes.

use super::duel::Duel;
use crate::assemble::scene::Ground;
use crate::model::explanation::{Barrier, RegionCause, When};
use crate::model::ids::Millis;
use crate::model::limits::TIME_MS_MAX;
use crate::rules::compile::{CompiledQueue, Kind, NO_VALUE, Rule};
use crate::rules::spec::{TotalScope, WindowAge};
use crate::rules::window::Window;
use std::sync::Arc;

/// Units of 0.000001 in one.
const ONE: i64 = 1_000_000;

/// One barrier, as it is tested.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Test {
    /// Their sizes.
    Sizes,
    /// The explained ticket's own limits.
    OwnLimits,
    /// The other's.
    TheirLimits,
    /// A rule of the queue.
    Rule(usize),
    /// One seating for all rules.
    Seating,
}

impl Test {
    /// Its name in an explanation.
    pub(super) fn barrier(self, queue: &CompiledQueue) -> Barrier {
        match self {
            Test::Sizes => Barrier::Sizes,
            Test::OwnLimits => Barrier::OwnLimits,
            Test::TheirLimits => Barrier::TheirLimits,
            Test::Rule(rule) => Barrier::Rule(Arc::clone(&queue.rules[rule].name)),
            Test::Seating => Barrier::Seating,
        }
    }
}

/// The pairs of one ticket.
pub(super) struct Board<'a> {
    pub(super) ground: Ground<'a>,
    /// The explained ticket.
    pub(super) row: u32,
    /// All barriers, in order.
    pub(super) tests: Vec<Test>,
    /// In queues whose greatest match is two players: how two single players can be seated.
    pub(super) duel: Option<Duel>,
}

impl<'a> Board<'a> {
    /// The board of a ticket.
    pub(super) fn new(ground: Ground<'a>, row: u32) -> Board<'a> {
        let duel = (ground.queue.shape.full <= 2).then(|| Duel::new(&ground.queue.shape));
        let mut tests = vec![Test::Sizes, Test::OwnLimits, Test::TheirLimits];
        tests.extend((0..ground.queue.rules.len()).map(Test::Rule));
        tests.extend(duel.as_ref().map(|_| Test::Seating));
        Board { ground, row, tests, duel }
    }

    /// Whether two tickets alone can break a rule.
    pub(super) fn is_of_pairs(&self, rule: usize) -> bool {
        match &self.ground.queue.rules[rule].kind {
            Kind::Difference(..) | Kind::Equality(..) | Kind::Intersection(..) | Kind::Region(_) => true,
            Kind::Total(slot, ..) => self.duel.is_some() || self.is_never_negative(*slot),
            Kind::TeamDifference(..) | Kind::TeamSize(_) => self.duel.is_some(),
            Kind::PremadeBalance(_) => false,
        }
    }

    /// Whether every player brings 0 or more to a total.
    fn is_never_negative(&self, slot: Option<usize>) -> bool {
        slot.is_none_or(|slot| {
            let queue = self.ground.queue;
            let attribute = &queue.spec.attributes[queue.numbers[slot].attribute];
            attribute.min.is_some_and(|min| min.micros() >= 0)
        })
    }

    /// The pair of the ticket with another one.
    pub(super) fn pair(&self, other: u32) -> Pair<'_, 'a> {
        let newer = self.ground.tickets.seniority(self.row).max(self.ground.tickets.seniority(other));
        let (older, newer) = match newer == self.ground.tickets.seniority(other) {
            true => (self.row, other),
            false => (other, self.row),
        };
        Pair { board: self, other, older, newer }
    }
}

/// Two tickets.
#[derive(Clone, Copy)]
pub(super) struct Pair<'b, 'a> {
    pub(super) board: &'b Board<'a>,
    pub(super) other: u32,
    older: u32,
    newer: u32,
}

impl<'b, 'a> Pair<'b, 'a> {
    fn ground(&self) -> &'b Ground<'a> {
        &self.board.ground
    }

    fn rule(&self, rule: usize) -> &'b Rule {
        &self.ground().queue.rules[rule]
    }

    /// The explained ticket and the other one, each with the ticket whose age counts for it.
    pub(super) fn clocks(&self, age: WindowAge) -> [(u32, u32); 2] {
        let clock = |row| match age {
            WindowAge::Mutual => row,
            WindowAge::Oldest => self.older,
            WindowAge::Newest => self.newer,
        };
        [self.board.row, self.other].map(|row| (row, clock(row)))
    }

    /// The age of a ticket at an instant.
    pub(super) fn age(&self, row: u32, at: Millis) -> Millis {
        self.ground().tickets.age(row, at)
    }

    /// The instant at which a ticket has an age.
    fn when_aged(&self, row: u32, age: Millis) -> Millis {
        self.ground().tickets.seniority(row).enqueued.after(age)
    }

    /// Whether a test lets the two through at an instant.
    pub(super) fn passes(&self, test: Test, at: Millis) -> bool {
        match test {
            Test::Sizes => self.sizes_fit(),
            Test::OwnLimits => self.broken_limit(self.board.row, self.other).is_none(),
            Test::TheirLimits => self.broken_limit(self.other, self.board.row).is_none(),
            Test::Rule(rule) => self.rule_holds(rule, at),
            Test::Seating => match &self.board.duel {
                Some(duel) if self.are_single() => {
                    duel.some(|seating| self.team_rules().all(|rule| seating.holds(self, rule, at)))
                }
                _ => true,
            },
        }
    }

    /// Both tickets are of one player; else no match of two players has them both.
    fn are_single(&self) -> bool {
        self.ground().tickets.size(self.board.row) == 1 && self.ground().tickets.size(self.other) == 1
    }

    fn sizes_fit(&self) -> bool {
        let shape = &self.ground().queue.shape;
        let (a, b) = (self.ground().tickets.size(self.board.row), self.ground().tickets.size(self.other));
        if let Some(duel) = &self.board.duel {
            let is_match = shape.is_legal_total(a + b) && shape.enough_tickets(2, a + b);
            return self.are_single() && is_match && duel.seatings().next().is_some();
        }
        let positions = || shape.positions.iter().enumerate();
        let apart = || {
            positions().any(|(p, own)| own.max >= a && positions().any(|(q, other)| q != p && other.max >= b))
        };
        a + b <= shape.full && (a + b <= shape.team_max || apart())
    }

    /// The first limit of `row` that a player of `other` does not meet: which of the queue's ranges it is about, the
    /// bounds, and the value that breaks it (`None`: a player has none).
    pub(super) fn broken_limit(&self, row: u32, other: u32) -> Option<(usize, i64, i64, Option<i64>)> {
        let tickets = self.ground().tickets;
        tickets.limits(row).find_map(|(range, least, greatest)| {
            let range = range as usize;
            let broken = match tickets.range(other, range) {
                None => None,
                Some((low, high)) if least <= low && high <= greatest => return None,
                Some((low, high)) => Some(if low < least { low } else { high }),
            };
            Some((range, least, greatest, broken))
        })
    }

    fn rule_holds(&self, rule: usize, at: Millis) -> bool {
        let compiled = self.rule(rule);
        match &compiled.kind {
            Kind::Difference(slot, window) => self.distance(*slot).is_none_or(|distance| {
                self.clocks(compiled.age).iter().all(|&(_, clock)| self.allows(window, clock, distance, at))
            }),
            Kind::Equality(slot, switch) => {
                let binds = |&(_, clock): &(u32, u32)| switch.at(self.age(clock, at)).bound().is_some();
                self.agree(*slot) || !self.clocks(compiled.age).iter().any(binds)
            }
            Kind::Intersection(slot, window) => {
                let shared = self.shared(*slot);
                self.with_lists(*slot, compiled.age)
                    .all(|clock| window.at(self.age(clock, at)).bound().is_none_or(|least| least <= shared))
            }
            Kind::Region(window) => {
                let up = self.common_regions() & self.ground().up;
                regions_of(up).any(|region| self.is_within(compiled.age, window, region, at))
            }
            Kind::Total(..) | Kind::TeamDifference(..) | Kind::TeamSize(_) => match &self.board.duel {
                Some(duel) => !self.are_single() || duel.some(|seating| seating.holds(self, rule, at)),
                None => self.is_within_cap(rule, at),
            },
            Kind::PremadeBalance(_) => true,
        }
    }

    /// Whether the window at a ticket's age lets a distance through.
    pub(super) fn allows(&self, window: &Window, clock: u32, distance: i64, at: Millis) -> bool {
        window.at(self.age(clock, at)).bound().is_none_or(|limit| distance <= limit)
    }

    /// How far two numbers are apart; `None`: one of the tickets has none.
    pub(super) fn distance(&self, slot: usize) -> Option<i64> {
        let number = |row| Some(self.ground().tickets.number(slot, row)).filter(|&value| value != NO_VALUE);
        Some((number(self.board.row)? - number(self.other)?).abs())
    }

    fn agree(&self, slot: usize) -> bool {
        let key = |row| self.ground().tickets.key(slot, row);
        let (a, b) = (key(self.board.row), key(self.other));
        a == b || a == NO_VALUE || b == NO_VALUE
    }

    /// How many values the lists share, in units of 0.000001: those of the one list, if only one ticket has one.
    pub(super) fn shared(&self, slot: usize) -> i64 {
        let list = |row| self.ground().tickets.list(slot, row);
        let count = match (list(self.board.row), list(self.other)) {
            (Some(a), Some(b)) => a.iter().filter(|value| b.binary_search(value).is_ok()).count(),
            (Some(only), None) | (None, Some(only)) => only.len(),
            (None, None) => 0,
        };
        count as i64 * ONE
    }

    /// The tickets whose ages count for those of the two that have a list.
    fn with_lists(&self, slot: usize, age: WindowAge) -> impl Iterator<Item = u32> + use<'_, 'a> {
        let has_list = move |row: u32| self.ground().tickets.list(slot, row).is_some();
        self.clocks(age).into_iter().filter(move |&(row, _)| has_list(row)).map(|(_, clock)| clock)
    }

    /// The regions that both could ever be matched in.
    pub(super) fn common_regions(&self) -> u64 {
        self.ground().tickets.regions(self.board.row) & self.ground().tickets.regions(self.other)
    }

    fn is_within(&self, age: WindowAge, window: &Window, region: u32, at: Millis) -> bool {
        let near = |&(row, clock): &(u32, u32)| {
            self.allows(window, clock, self.ground().tickets.ping(row, region), at)
        };
        self.clocks(age).iter().all(near)
    }

    /// Why the region rule excludes the two, as far as their rows say: `None` if they have no region in common there.
    pub(super) fn region_cause(&self, rule: usize, at: Millis) -> Option<RegionCause> {
        let compiled = self.rule(rule);
        let Kind::Region(window) = &compiled.kind else { return None };
        let common = self.common_regions();
        if common == 0 {
            return None;
        }
        let is_near = |region| self.is_within(compiled.age, window, region, at);
        let is_down = common & self.ground().up == 0 || regions_of(common).any(is_near);
        Some(if is_down { RegionCause::Down } else { RegionCause::BeyondWindow })
    }

    /// What the two bring to a total between them, in units of 0.000001.
    pub(super) fn amounts(&self, slot: Option<usize>) -> [i64; 2] {
        let tickets = self.ground().tickets;
        [self.board.row, self.other].map(|row| match slot {
            Some(slot) => tickets.number(slot, row),
            None => i64::from(tickets.size(row)) * ONE,
        })
    }

    /// Whether the two leave a total of a larger match within its greatest sum, whoever else is in it.
    fn is_within_cap(&self, rule: usize, at: Millis) -> bool {
        let compiled = self.rule(rule);
        let Kind::Total(slot, band, per) = &compiled.kind else { return true };
        if !self.board.is_never_negative(*slot) {
            return true;
        }
        let greatest = |&(_, clock): &(u32, u32)| band.at(self.age(clock, at)).bound()?.max;
        let Some(cap) = self.clocks(compiled.age).iter().filter_map(greatest).min() else { return true };
        let [a, b] = self.amounts(*slot);
        match per {
            TotalScope::Team if self.ground().queue.shape.positions.len() > 1 => a.max(b) <= cap.micros(),
            _ => a.saturating_add(b) <= cap.micros(),
        }
    }

    /// The rules that a seating decides, in queues whose greatest match is two players.
    pub(super) fn team_rules(&self) -> impl Iterator<Item = usize> + use<'b, 'a> {
        let rules = &self.ground().queue.rules;
        let of_teams =
            |kind: &Kind| matches!(kind, Kind::Total(..) | Kind::TeamDifference(..) | Kind::TeamSize(_));
        (0..rules.len()).filter(move |&rule| of_teams(&rules[rule].kind))
    }

    /// An instant after `at` before which a test that fails at `at` does not pass; `None`: it never will.
    pub(super) fn next_opening(&self, test: Test, at: Millis) -> Option<Millis> {
        match test {
            Test::Sizes | Test::OwnLimits | Test::TheirLimits => None,
            Test::Rule(rule) => self.next_opening_of_rule(rule, at),
            Test::Seating => {
                let changes = self.team_rules().filter_map(|rule| self.next_change_of_seats(rule, at));
                changes.min()
            }
        }
    }

    fn next_opening_of_rule(&self, rule: usize, at: Millis) -> Option<Millis> {
        let compiled = self.rule(rule);
        match &compiled.kind {
            Kind::Difference(slot, window) => {
                let distance = self.distance(*slot)?;
                self.all_allow(compiled.age, at, |_, clock| {
                    (!self.allows(window, clock, distance, at))
                        .then(|| window.next_crossing(self.age(clock, at), distance))
                })
            }
            Kind::Equality(_, switch) => self.all_allow(compiled.age, at, |_, clock| {
                let age = self.age(clock, at);
                switch.at(age).bound().map(|()| switch.next_change(age))
            }),
            Kind::Intersection(slot, window) => {
                let shared = self.shared(*slot);
                self.all_allow(compiled.age, at, |row, clock| {
                    let age = self.age(clock, at);
                    let lacks = self.ground().tickets.list(*slot, row).is_some()
                        && window.at(age).bound().is_some_and(|least| least > shared);
                    lacks.then(|| window.next_fall(age, shared))
                })
            }
            Kind::Region(window) => {
                let up = self.common_regions() & self.ground().up;
                regions_of(up).filter_map(|region| self.region_opens(compiled.age, window, region, at)).min()
            }
            _ => self.next_change_of_seats(rule, at),
        }
    }

    /// When a region comes within both windows: an instant before which it does not.
    fn region_opens(&self, age: WindowAge, window: &Window, region: u32, at: Millis) -> Option<Millis> {
        self.all_allow(age, at, |row, clock| {
            let ping = self.ground().tickets.ping(row, region);
            (!self.allows(window, clock, ping, at)).then(|| window.next_crossing(self.age(clock, at), ping))
        })
    }

    /// When a region is within both windows, up or down; `None`: never.
    pub(super) fn region_opening(&self, rule: usize, region: u32, from: Millis) -> Option<Millis> {
        let compiled = self.rule(rule);
        let Kind::Region(window) = &compiled.kind else { return None };
        let mut at = from;
        while !self.is_within(compiled.age, window, region, at) {
            at =
                self.region_opens(compiled.age, window, region, at).filter(|opens| opens.0 <= TIME_MS_MAX)?;
        }
        Some(at)
    }

    /// The latest of the instants at which each of the two sides that block may let go. `blocks(row, clock)`: `None`
    /// if that side does not block, else the age of the clock at which it may not any more.
    fn all_allow(
        &self,
        age: WindowAge,
        at: Millis,
        blocks: impl Fn(u32, u32) -> Option<Option<Millis>>,
    ) -> Option<Millis> {
        let mut latest = at.after(Millis(1));
        for (row, clock) in self.clocks(age) {
            if let Some(opens) = blocks(row, clock) {
                latest = latest.max(self.when_aged(clock, opens?));
            }
        }
        Some(latest)
    }

    /// When what a rule says of some seating may next be another thing.
    fn next_change_of_seats(&self, rule: usize, at: Millis) -> Option<Millis> {
        let compiled = self.rule(rule);
        let clocks = self.clocks(compiled.age);
        let of_clock = |&(_, clock): &(u32, u32)| {
            let age = self.age(clock, at);
            let next = match (&compiled.kind, &self.board.duel) {
                (Kind::TeamDifference(slot, window), _) => window.next_crossing(age, self.distance(*slot)?),
                (Kind::TeamSize(window), Some(duel)) => {
                    duel.spreads().filter_map(|spread| window.next_crossing(age, spread)).min()
                }
                (Kind::Total(_, band, _), _) => band.next_change(age),
                _ => None,
            };
            Some(self.when_aged(clock, next?))
        };
        clocks.iter().filter_map(of_clock).min()
    }

    /// The first instant from `from` on at which all of the tests pass, and the test that opens last; where there is
    /// none, the test that never opens again.
    pub(super) fn opening(&self, tests: &[Test], from: Millis) -> Opening {
        let mut opening = Opening { at: Some(from), by: None };
        while let Some(at) = opening.at {
            let mut next: Option<(Millis, Test)> = None;
            for &test in tests.iter().filter(|&&test| !self.passes(test, at)) {
                let Some(opens) = self.next_opening(test, at).filter(|opens| opens.0 <= TIME_MS_MAX) else {
                    return Opening { at: None, by: Some(test) };
                };
                if next.is_none_or(|(latest, _)| opens > latest) {
                    next = Some((opens, test));
                }
            }
            match next {
                Some((opens, test)) => opening = Opening { at: Some(opens), by: Some(test) },
                None => break,
            }
        }
        opening
    }

    /// The earlier of the two timeouts.
    pub(super) fn end(&self, deadlines: impl Fn(u32) -> Option<Millis>) -> Option<Millis> {
        [self.board.row, self.other].into_iter().filter_map(deadlines).min()
    }

    /// When a single test lets the two through.
    pub(super) fn when(&self, test: Test, end: Option<Millis>) -> When {
        when(self.board.ground.now, self.opening(&[test], self.board.ground.now).at, end)
    }

    /// When the two are a legal pair, and what decides it.
    pub(super) fn legal(&self, end: Option<Millis>) -> (When, Option<Test>) {
        let now = self.board.ground.now;
        let tests = &self.board.tests;
        let opening = self.opening(tests, now);
        let when = when(now, opening.at, end);
        let decided_by = match when {
            When::Now => None,
            // Only the timeout has come between.
            When::TooLate(at) if at == now => None,
            When::At(at) | When::TooLate(at) => {
                tests.iter().copied().find(|&test| !self.passes(test, Millis(at.0 - 1)))
            }
            When::Never => {
                let never_opens = |test| self.opening(&[test], now).at.is_none();
                tests.iter().copied().find(|&test| never_opens(test)).or(opening.by)
            }
        };
        (when, decided_by)
    }
}

/// When tests let a pair through.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opening {
    /// The instant; `None`: never.
    pub(super) at: Option<Millis>,
    /// The test that opened last, or never does; `None`: all are open from the start.
    pub(super) by: Option<Test>,
}

fn when(now: Millis, opens: Option<Millis>, end: Option<Millis>) -> When {
    match opens {
        None => When::Never,
        Some(at) if end.is_some_and(|end| at >= end) => When::TooLate(at),
        Some(at) if at == now => When::Now,
        Some(at) => When::At(at),
    }
}

/// The regions of a mask, ascending.
pub(super) fn regions_of(mask: u64) -> impl Iterator<Item = u32> {
    (0..64).filter(move |region| mask >> region & 1 == 1)
}
