//! What a search looks at: a queue's rules, its tickets, their windows now, and the regions that are up.
//!
//! Made for the searches of one tick. Holds the tests that two tickets must pass to stand in one match; they are
//! necessary, never sufficient: a whole match is judged by `quality`.

use super::states::{State, States, regions_within};
use crate::model::ids::Millis;
use crate::rules::compile::{CompiledQueue, Kind, NO_VALUE};
use crate::rules::spec::WindowAge;
use crate::store::tickets::Tickets;

/// Why two tickets cannot stand in one match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exclusion {
    /// The rule of that index refuses them.
    Rule(usize),
    /// The limits that one of them has set refuse the other.
    Limits,
}

/// What stays as it is throughout the searches of one tick.
#[derive(Clone, Copy)]
pub struct Ground<'a> {
    /// The rules.
    pub queue: &'a CompiledQueue,
    /// The tickets.
    pub tickets: &'a Tickets,
    /// The regions that are up, as a bit mask.
    pub up: u64,
    /// The place of each region in the order of names.
    pub region_rank: &'a [u8; 64],
    /// The time of the tick.
    pub now: Millis,
}

impl<'a> Ground<'a> {
    /// The scene with the windows that are known so far.
    pub fn scene(&self, states: &'a States) -> Scene<'a> {
        Scene {
            queue: self.queue,
            tickets: self.tickets,
            states,
            up: self.up,
            region_rank: self.region_rank,
            now: self.now,
        }
    }
}

/// Everything that a search reads.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// The rules.
    pub queue: &'a CompiledQueue,
    /// The tickets.
    pub tickets: &'a Tickets,
    /// Their windows.
    pub states: &'a States,
    /// The regions that are up, as a bit mask.
    pub up: u64,
    /// The place of each region in the order of names.
    pub region_rank: &'a [u8; 64],
    /// The time of the tick.
    pub now: Millis,
}

impl<'a> Scene<'a> {
    /// The state that decides about `row` under a rule, in a match with this oldest and this newest ticket.
    pub fn deciding(&self, age: WindowAge, row: u32, oldest: u32, newest: u32) -> State<'a> {
        self.states.get(match age {
            WindowAge::Mutual => row,
            WindowAge::Oldest => oldest,
            WindowAge::Newest => newest,
        })
    }

    /// The state that decides about `row` as far as a pair with `other` can tell, in a match whose oldest ticket
    /// is `oldest`. With `newest` windows the newest of the match is at least as new as the newer of the two, so
    /// its window is no wider where windows only loosen; `None` where they do not, and nothing can be told.
    fn deciding_in_pair(&self, rule: usize, row: u32, other: u32, oldest: u32) -> Option<State<'a>> {
        let compiled = &self.queue.rules[rule];
        match compiled.age {
            WindowAge::Mutual => Some(self.states.get(row)),
            WindowAge::Oldest => Some(self.states.get(oldest)),
            WindowAge::Newest if compiled.only_loosens => Some(self.states.get(self.newer(row, other))),
            WindowAge::Newest => None,
        }
    }

    /// Whether only a full match is legal for a match whose oldest ticket is `oldest`.
    pub fn needs_full_match(&self, oldest: u32) -> bool {
        self.tickets.age(oldest, self.now) < self.queue.spec.prefer_full_for
    }

    /// The newer of two tickets.
    pub fn newer(&self, a: u32, b: u32) -> u32 {
        if self.tickets.seniority(a) > self.tickets.seniority(b) { a } else { b }
    }

    /// Whether `a` and `b` could stand together in a match whose oldest ticket is `oldest`.
    pub fn may_stand_together(&self, a: u32, b: u32, oldest: u32) -> bool {
        self.exclusion(a, b, oldest).is_none()
    }

    /// What keeps `a` and `b` from standing together: the first rule that does, then a ticket's own limits, then the
    /// region rule; `None`: nothing that a pair can tell.
    pub fn exclusion(&self, a: u32, b: u32, oldest: u32) -> Option<Exclusion> {
        self.exclusion_but_for_regions(a, b, oldest).or_else(|| {
            let rule = self.queue.region_rule?;
            (self.regions_in_pair(rule, a, b, oldest) == 0).then_some(Exclusion::Rule(rule))
        })
    }

    /// The same as far as the region rule is not asked.
    pub fn may_stand_but_for_regions(&self, a: u32, b: u32, oldest: u32) -> bool {
        self.exclusion_but_for_regions(a, b, oldest).is_none()
    }

    fn exclusion_but_for_regions(&self, a: u32, b: u32, oldest: u32) -> Option<Exclusion> {
        let mut rules = 0..self.queue.rules.len();
        if let Some(rule) = rules.find(|&rule| !self.pair_passes(rule, a, b, oldest)) {
            return Some(Exclusion::Rule(rule));
        }
        let allows = |row, other| !self.tickets.has_limits(row) || self.limits_allow(row, other);
        (!allows(a, b) || !allows(b, a)).then_some(Exclusion::Limits)
    }

    /// Whether two tickets share a region as far as a pair can tell exactly if [`Scene::regions_alone`] of the two
    /// do: not so where the window of the newer one counts for both.
    pub fn regions_alone_decide(&self) -> bool {
        self.queue.region_rule.is_none_or(|rule| {
            let compiled = &self.queue.rules[rule];
            compiled.age != WindowAge::Newest || !compiled.only_loosens
        })
    }

    /// The pair test of every rule but the region rule.
    fn pair_passes(&self, rule: usize, a: u32, b: u32, oldest: u32) -> bool {
        let compiled = &self.queue.rules[rule];
        let states = || {
            let of_a = self.deciding_in_pair(rule, a, b, oldest)?;
            let of_b = self.deciding_in_pair(rule, b, a, oldest)?;
            Some([of_a, of_b].into_iter().filter(move |state| state.binds(rule)))
        };
        match &compiled.kind {
            Kind::Difference(slot, _) => {
                let (x, y) = (self.tickets.number(*slot, a), self.tickets.number(*slot, b));
                if x == NO_VALUE || y == NO_VALUE || x == y {
                    return true;
                }
                let distance = (x - y).abs();
                states()
                    .is_none_or(|mut states| states.all(|state| distance <= state.numbers[compiled.state]))
            }
            Kind::Equality(slot, _) => {
                let (x, y) = (self.tickets.key(*slot, a), self.tickets.key(*slot, b));
                x == NO_VALUE
                    || y == NO_VALUE
                    || x == y
                    || states().is_none_or(|mut states| states.next().is_none())
            }
            Kind::Intersection(slot, _) => {
                let (Some(x), Some(y)) = (self.tickets.list(*slot, a), self.tickets.list(*slot, b)) else {
                    return true;
                };
                let needed =
                    states().and_then(|states| states.map(|state| state.numbers[compiled.state]).max());
                needed.is_none_or(|needed| shared_count(x, y) as i64 * 1_000_000 >= needed)
            }
            Kind::Region(_)
            | Kind::TeamDifference(..)
            | Kind::Total(..)
            | Kind::TeamSize(_)
            | Kind::PremadeBalance(_) => true,
        }
    }

    fn regions_in_pair(&self, rule: usize, a: u32, b: u32, oldest: u32) -> u64 {
        if self.queue.rules[rule].age == WindowAge::Mutual {
            return self.states.regions(a) & self.states.regions(b) & self.up;
        }
        let of = |row, other| match self.deciding_in_pair(rule, row, other, oldest) {
            Some(state) => self.regions_within(row, state),
            None => self.tickets.regions(row) & self.up,
        };
        of(a, b) & of(b, a)
    }

    /// The regions that are up and that `row` can be matched in when `state` decides.
    pub fn regions_within(&self, row: u32, state: State<'_>) -> u64 {
        let within = regions_within(self.queue, self.tickets, row, state);
        if self.queue.region_rule.is_some() { within & self.up } else { self.tickets.regions(row) }
    }

    /// The regions that `row` could be matched in as far as it alone can tell, in a match whose oldest ticket is
    /// `oldest`; all bits in a queue without a region rule.
    pub fn regions_alone(&self, row: u32, oldest: u32) -> u64 {
        let Some(rule) = self.queue.region_rule else { return u64::MAX };
        if self.queue.rules[rule].age == WindowAge::Mutual {
            return self.states.regions(row) & self.up;
        }
        match self.deciding_in_pair(rule, row, row, oldest) {
            Some(state) => self.regions_within(row, state),
            None => self.tickets.regions(row) & self.up,
        }
    }

    /// Whether every player of `other` lies within the limits that `row` has set.
    pub fn limits_allow(&self, row: u32, other: u32) -> bool {
        self.tickets.limits(row).all(|(range, least, greatest)| {
            self.tickets
                .range(other, range as usize)
                .is_some_and(|(low, high)| least <= low && high <= greatest)
        })
    }
}

/// How many values two sorted lists share.
fn shared_count(mut a: &[u32], mut b: &[u32]) -> usize {
    let mut shared = 0;
    while let ([x, rest_a @ ..], [y, rest_b @ ..]) = (a, b) {
        shared += usize::from(x == y);
        (a, b) = (if x <= y { rest_a } else { a }, if y <= x { rest_b } else { b });
    }
    shared
}
