//! What a ticket brings to a rule, and what the rule allows it, as an explanation shows them.
//!
//! Used by `ask`. Numbers come from the rows that searches read; texts and lists from the request, since rows hold
//! numbers for them.

use super::ask::Requests;
use super::board::{Board, Pair, Test, regions_of};
use super::region::{Reach, cause};
use crate::base::fixed::{Fixed, mean_rounded};
use crate::model::attribute::{AttributeDefault, AttributeValue};
use crate::model::explanation::{PairTest, RegionCause, Shown};
use crate::model::ids::Millis;
use crate::model::request::TicketRequest;
use crate::model::status::WindowNow;
use crate::queue::regions::RegionOrder;
use crate::rules::compile::{CompiledQueue, Kind, NO_VALUE};
use crate::store::tickets::Tickets;

/// A count as a fixed-point number.
pub(super) fn count(count: u32) -> Fixed {
    Fixed::from_int(i64::from(count))
}

fn number(value: i64) -> Option<Shown> {
    (value != NO_VALUE).then(|| Shown::Number(Fixed::from_micros(value)))
}

/// The attribute that a rule reads.
pub(super) fn attribute(queue: &CompiledQueue, rule: usize) -> Option<usize> {
    match &queue.rules[rule].kind {
        Kind::Difference(slot, _) | Kind::TeamDifference(slot, _) => Some(queue.numbers[*slot].attribute),
        Kind::Total(slot, ..) => slot.map(|slot| queue.numbers[slot].attribute),
        Kind::Equality(slot, _) => Some(queue.keys[*slot].attribute),
        Kind::Intersection(slot, _) => Some(queue.lists[*slot].attribute),
        Kind::Region(_) | Kind::TeamSize(_) | Kind::PremadeBalance(_) => None,
    }
}

/// Whether a ticket brings nothing to a rule, which then leaves it out.
pub(super) fn is_left_out(queue: &CompiledQueue, tickets: &Tickets, rule: usize, row: u32) -> bool {
    match &queue.rules[rule].kind {
        Kind::Difference(slot, _) => tickets.number(*slot, row) == NO_VALUE,
        Kind::Equality(slot, _) => tickets.key(*slot, row) == NO_VALUE,
        Kind::Intersection(slot, _) => tickets.list(*slot, row).is_none(),
        _ => false,
    }
}

/// What a ticket brings to a rule; of a `team_difference` its players' average.
pub(super) fn value(
    queue: &CompiledQueue,
    tickets: &Tickets,
    rule: usize,
    row: u32,
    requests: &Requests<'_>,
) -> Option<Shown> {
    if is_left_out(queue, tickets, rule, row) {
        return None;
    }
    match &queue.rules[rule].kind {
        Kind::Difference(slot, _) => number(tickets.number(*slot, row)),
        Kind::Total(Some(slot), ..) => number(tickets.number(*slot, row)),
        Kind::TeamDifference(slot, _) => {
            let sum = i128::from(tickets.number(*slot, row));
            Some(Shown::Number(mean_rounded(sum, tickets.size(row).max(1), 1)))
        }
        Kind::Total(None, ..) | Kind::TeamSize(_) | Kind::PremadeBalance(_) => {
            Some(Shown::Number(count(tickets.size(row))))
        }
        Kind::Equality(slot, _) => {
            let spec = &queue.spec.attributes[queue.keys[*slot].attribute];
            if spec.kind.is_numeric() {
                return number(tickets.key(*slot, row));
            }
            let default = queue.keys[*slot].default.as_ref().or(spec.default.as_ref());
            let mut shown = None;
            requests(tickets.id(row), &mut |request| shown = text(request, &spec.name, default));
            shown
        }
        Kind::Intersection(slot, _) => {
            let spec = &queue.spec.attributes[queue.lists[*slot].attribute];
            let default = queue.lists[*slot].default.as_deref().or(match &spec.default {
                Some(AttributeDefault::StringList(list)) => Some(list),
                _ => None,
            });
            let mut shown = None;
            requests(tickets.id(row), &mut |request| shown = list(request, &spec.name, default));
            shown
        }
        Kind::Region(_) => None,
    }
}

/// The text that the members agree in.
fn text(request: &TicketRequest, name: &str, default: Option<&AttributeDefault>) -> Option<Shown> {
    let own = |value: &AttributeValue| match value {
        AttributeValue::String(text) => Some(text.clone()),
        _ => None,
    };
    let brought = request.players.iter().flat_map(|player| &player.attributes);
    let brought = brought.filter(|(other, _)| other == name).find_map(|(_, value)| own(value));
    let default = || match default {
        Some(AttributeDefault::String(text)) => Some(text.clone()),
        _ => None,
    };
    brought.or_else(default).map(Shown::Text)
}

/// What the lists of the members that have one share, sorted.
fn list(request: &TicketRequest, name: &str, default: Option<&[String]>) -> Option<Shown> {
    let lists = request.players.iter().filter_map(|player| {
        match player.attributes.iter().find(|(other, _)| other == name).map(|(_, value)| value) {
            Some(AttributeValue::StringList(list)) => Some(list.as_slice()),
            _ => default,
        }
    });
    let shared = lists.map(<[String]>::to_vec).reduce(|mut shared, list| {
        shared.retain(|value| list.contains(value));
        shared
    });
    shared.map(|mut shared| {
        shared.sort_unstable();
        shared.dedup();
        Shown::List(shared)
    })
}

/// What an explanation shows with.
pub(super) struct Showing<'q, 'a> {
    pub(super) board: &'q Board<'a>,
    pub(super) regions: &'q RegionOrder,
    pub(super) requests: &'q Requests<'q>,
}

impl<'q, 'a> Showing<'q, 'a> {
    /// One barrier between the two tickets of a pair. `end`: when the first of them times out.
    pub(super) fn test(&self, pair: &Pair<'q, 'a>, test: Test, end: Option<Millis>) -> PairTest {
        let queue = self.board.ground.queue;
        let mut shown = PairTest {
            barrier: test.barrier(queue),
            kind: "",
            when: pair.when(test, end),
            own: None,
            theirs: None,
            measured: None,
            own_limit: None,
            their_limit: None,
            region: None,
            region_cause: None,
            attribute: None,
        };
        match test {
            Test::Sizes => {
                let sizes =
                    [self.board.row, pair.other].map(|row| count(self.board.ground.tickets.size(row)));
                [shown.own, shown.theirs] = sizes.map(|size| Some(Shown::Number(size)));
                shown.measured = Some(Fixed::from_micros(sizes[0].micros() + sizes[1].micros()));
                shown.own_limit = Some(WindowNow::Limit(count(queue.shape.full)));
            }
            Test::OwnLimits => self.limits(pair, &mut shown, self.board.row, pair.other),
            Test::TheirLimits => self.limits(pair, &mut shown, pair.other, self.board.row),
            Test::Rule(rule) => self.rule(pair, &mut shown, rule),
            Test::Seating => {}
        }
        shown
    }

    fn limits(&self, pair: &Pair<'q, 'a>, shown: &mut PairTest, of: u32, other: u32) {
        let Some((range, least, greatest, value)) = pair.broken_limit(of, other) else { return };
        let queue = self.board.ground.queue;
        let bound = |bound: i64, none: i64| (bound != none).then(|| Fixed::from_micros(bound));
        let bounds = WindowNow::Between(bound(least, i64::MIN), bound(greatest, i64::MAX));
        let value = value.map(|value| Shown::Number(Fixed::from_micros(value)));
        match of == self.board.row {
            true => (shown.own_limit, shown.theirs) = (Some(bounds), value),
            false => (shown.their_limit, shown.own) = (Some(bounds), value),
        }
        shown.attribute = Some(queue.spec.attributes[queue.ranges[range]].name.clone());
    }

    fn rule(&self, pair: &Pair<'q, 'a>, shown: &mut PairTest, rule: usize) {
        let ground = &self.board.ground;
        let compiled = &ground.queue.rules[rule];
        shown.kind = compiled.kind.word();
        shown.attribute =
            attribute(ground.queue, rule).map(|index| ground.queue.spec.attributes[index].name.clone());
        let [own, theirs] = pair.clocks(compiled.age);
        let limit = |(_, clock): (u32, u32)| Some(compiled.kind.now(pair.age(clock, ground.now)));
        (shown.own_limit, shown.their_limit) = (limit(own), limit(theirs));
        let value = |row| value(ground.queue, ground.tickets, rule, row, self.requests);
        (shown.own, shown.theirs) = (value(self.board.row), value(pair.other));
        match &compiled.kind {
            Kind::Difference(slot, _) | Kind::TeamDifference(slot, _) => {
                shown.measured = pair.distance(*slot).map(Fixed::from_micros);
            }
            Kind::Intersection(slot, _) => shown.measured = Some(Fixed::from_micros(pair.shared(*slot))),
            Kind::Total(slot, ..) => {
                let [a, b] = pair.amounts(*slot);
                shown.measured = Some(Fixed::from_micros(a.saturating_add(b)));
            }
            Kind::Region(_) => self.region(pair, shown, rule),
            Kind::Equality(..) | Kind::TeamSize(_) | Kind::PremadeBalance(_) => {}
        }
    }

    fn region(&self, pair: &Pair<'q, 'a>, shown: &mut PairTest, rule: usize) {
        let ground = &self.board.ground;
        if let Some(region) = pair.first_region(rule, ground.now) {
            shown.region = self.regions.names[region as usize].clone();
            let ping = |row| number(ground.tickets.ping(row, region));
            (shown.own, shown.theirs) = (ping(self.board.row), ping(pair.other));
        }
        if !pair.passes(Test::Rule(rule), ground.now) {
            shown.region_cause = Some(self.region_cause(pair, rule));
        }
    }

    /// Why the region rule excludes a pair.
    pub(super) fn region_cause(&self, pair: &Pair<'q, 'a>, rule: usize) -> RegionCause {
        let ground = &self.board.ground;
        pair.region_cause(rule, ground.now).unwrap_or_else(|| {
            let [own, theirs] = [self.board.row, pair.other].map(|row| {
                let mut reach = Reach::default();
                (self.requests)(ground.tickets.id(row), &mut |request| {
                    reach = Reach::new(request, ground.queue.spec.region_names);
                });
                reach
            });
            cause(&own, &theirs)
        })
    }
}

impl Pair<'_, '_> {
    /// The common region that comes within both windows the soonest, up ones first, then the least sum of pings, then
    /// the first name.
    pub(super) fn first_region(&self, rule: usize, now: Millis) -> Option<u32> {
        let ground = &self.board.ground;
        regions_of(self.common_regions()).min_by_key(|&region| {
            let is_down = ground.up >> region & 1 == 0;
            let opens = self.region_opening(rule, region, now);
            let ping = |row| ground.tickets.ping(row, region);
            let rank = ground.region_rank[region as usize];
            (is_down, opens.is_none(), opens, ping(self.board.row) + ping(self.other), rank)
        })
    }
}
