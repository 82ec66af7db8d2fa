//! Whether a set of tickets is legal as a whole, and what it costs, up to the split into teams.
//!
//! Every search ends here: what pair tests let through is judged again with all rules over the whole set. The
//! cost is an integer: weight and term in units of 0.000001 each, times the players of the match, so a mean over
//! players needs no division. What depends on the split is left to `teams`.

use super::scene::Scene;
use crate::rules::compile::{Kind, NO_VALUE};
use crate::rules::spec::TotalScope;

/// Units of 0.000001 in one, for counts that a weight is multiplied with.
pub(super) const ONE: i128 = 1_000_000;

/// What a broken preference costs more than a term of the same size.
pub(super) const BROKEN: i128 = 10;

/// A set of tickets that is legal but for its split.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SetTerms {
    /// Players.
    pub players: u32,
    /// The cost times the players, in units of 10^-12, without what depends on the split.
    pub cost: i128,
    /// The regions that are legal, as a bit mask; 0 in a queue without a region rule.
    pub regions: u64,
    /// The best of them.
    pub region: Option<u32>,
}

/// Judges a set by every rule that does not depend on the split; `None`: not legal.
///
/// `set` is sorted by seniority, so the first is the oldest and the last the newest ticket.
pub fn judge_set(scene: &Scene<'_>, set: &[u32]) -> Option<SetTerms> {
    let players = set.iter().map(|&row| scene.tickets.size(row)).sum();
    let mut terms = SetTerms { players, cost: 0, regions: 0, region: None };
    for rule in 0..scene.queue.rules.len() {
        match &scene.queue.rules[rule].kind {
            Kind::Difference(slot, _) => terms.cost += difference(scene, set, rule, *slot, players)?,
            Kind::Equality(slot, _) => terms.cost += equality(scene, set, rule, *slot, players)?,
            Kind::Intersection(slot, _) => terms.cost += intersection(scene, set, rule, *slot, players)?,
            Kind::Total(slot, _, TotalScope::Match) => terms.cost += total(scene, set, rule, *slot, players)?,
            Kind::Region(_) => region(scene, set, rule, &mut terms)?,
            Kind::Total(..) | Kind::TeamDifference(..) | Kind::TeamSize(_) | Kind::PremadeBalance(_) => {}
        }
    }
    own_limits_hold(scene, set).then_some(terms)
}

/// Calls `visit(row, bound, number)` for every ticket of the set that a rule binds or prefers, with its window.
fn for_each_window(scene: &Scene<'_>, set: &[u32], rule: usize, mut visit: impl FnMut(u32, bool, i64)) {
    let compiled = &scene.queue.rules[rule];
    let (Some(&oldest), Some(&newest)) = (set.first(), set.last()) else { return };
    for &row in set {
        let state = scene.deciding(compiled.age, row, oldest, newest);
        if state.binds(rule) || state.prefers(rule) {
            visit(row, state.binds(rule), state.numbers[compiled.state]);
        }
    }
}

fn weighted(scene: &Scene<'_>, rule: usize, term: i128, players: u32) -> i128 {
    i128::from(scene.queue.rules[rule].weight) * term * i128::from(players)
}

fn difference(scene: &Scene<'_>, set: &[u32], rule: usize, slot: usize, players: u32) -> Option<i128> {
    let values = || set.iter().map(|&row| scene.tickets.number(slot, row)).filter(|&value| value != NO_VALUE);
    let (Some(low), Some(high)) = (values().min(), values().max()) else { return Some(0) };
    let mut legal = true;
    let mut excess = 0;
    for_each_window(scene, set, rule, |row, bound, window| {
        let value = scene.tickets.number(slot, row);
        if value == NO_VALUE {
            return;
        }
        let beyond = (high - value).max(value - low).saturating_sub(window);
        if bound {
            legal &= beyond <= 0;
        } else {
            excess = excess.max(beyond);
        }
    });
    let term = i128::from(high - low) + BROKEN * i128::from(excess);
    legal.then(|| weighted(scene, rule, term, players))
}

fn equality(scene: &Scene<'_>, set: &[u32], rule: usize, slot: usize, players: u32) -> Option<i128> {
    let keys = || set.iter().map(|&row| scene.tickets.key(slot, row)).filter(|&key| key != NO_VALUE);
    let Some(first) = keys().next() else { return Some(0) };
    if keys().all(|key| key == first) {
        return Some(0);
    }
    let (mut bound_any, mut preferred_any) = (false, false);
    for_each_window(scene, set, rule, |row, bound, _| {
        if scene.tickets.key(slot, row) != NO_VALUE {
            bound_any |= bound;
            preferred_any |= !bound;
        }
    });
    if bound_any {
        return None;
    }
    let is_new = |at: usize, key: i64| !keys().take(at).any(|other| other == key);
    let distinct = keys().enumerate().filter(|&(at, key)| is_new(at, key)).count() as i128;
    let excess = if preferred_any { BROKEN * ONE * (distinct - 1) } else { 0 };
    Some(weighted(scene, rule, excess, players))
}

fn intersection(scene: &Scene<'_>, set: &[u32], rule: usize, slot: usize, players: u32) -> Option<i128> {
    let (mut needed, mut preferred) = (i64::MIN, i64::MIN);
    for_each_window(scene, set, rule, |row, bound, window| {
        if scene.tickets.list(slot, row).is_some() {
            let into = if bound { &mut needed } else { &mut preferred };
            *into = window.max(*into);
        }
    });
    if needed == i64::MIN && preferred == i64::MIN {
        return Some(0);
    }
    let lists = || set.iter().filter_map(|&row| scene.tickets.list(slot, row));
    let first = lists().next().unwrap_or(&[]);
    let in_all = |value: &u32| lists().all(|list| list.binary_search(value).is_ok());
    let shared = first.iter().filter(|value| in_all(value)).count() as i64 * ONE as i64;
    if needed > shared {
        return None;
    }
    let excess = preferred.saturating_sub(shared).max(0);
    Some(weighted(scene, rule, BROKEN * i128::from(excess), players))
}

fn total(scene: &Scene<'_>, set: &[u32], rule: usize, slot: Option<usize>, players: u32) -> Option<i128> {
    let sum = match slot {
        Some(slot) => set.iter().map(|&row| i128::from(scene.tickets.number(slot, row))).sum(),
        None => i128::from(players) * ONE,
    };
    let (bound, preferred) = bands(scene, set, rule);
    if !bound.contains(sum) {
        return None;
    }
    Some(weighted(scene, rule, BROKEN * preferred.distance(sum), players))
}

/// Inclusive bounds of a sum in units of 0.000001.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SumBand {
    /// At least.
    pub least: i64,
    /// At most.
    pub greatest: i64,
}

impl SumBand {
    /// Contains every sum.
    pub const ALL: SumBand = SumBand { least: i64::MIN, greatest: i64::MAX };

    /// Whether `sum` lies within.
    pub fn contains(self, sum: i128) -> bool {
        self.distance(sum) == 0
    }

    /// How far `sum` lies outside: from the nearer bound of those it breaks.
    pub fn distance(self, sum: i128) -> i128 {
        let below = if self.least == i64::MIN { 0 } else { i128::from(self.least) - sum };
        let above = if self.greatest == i64::MAX { 0 } else { sum - i128::from(self.greatest) };
        below.max(above).max(0)
    }
}

/// The bounds of a total over the tickets that it binds, and over those for which it is a preference.
pub fn bands(scene: &Scene<'_>, set: &[u32], rule: usize) -> (SumBand, SumBand) {
    let compiled = &scene.queue.rules[rule];
    let (mut bound, mut preferred) = (SumBand::ALL, SumBand::ALL);
    let (Some(&oldest), Some(&newest)) = (set.first(), set.last()) else { return (bound, preferred) };
    for &row in set {
        let state = scene.deciding(compiled.age, row, oldest, newest);
        let band = match (state.binds(rule), state.prefers(rule)) {
            (true, _) => &mut bound,
            (_, true) => &mut preferred,
            _ => continue,
        };
        band.least = band.least.max(state.numbers[compiled.state]);
        band.greatest = band.greatest.min(state.numbers[compiled.state + 1]);
    }
    (bound, preferred)
}

/// The least window over the tickets that a rule binds, and over those for which it is a preference.
pub fn least_windows(scene: &Scene<'_>, set: &[u32], rule: usize) -> (Option<i64>, Option<i64>) {
    let (mut bound_least, mut preferred_least) = (None, None);
    for_each_window(scene, set, rule, |_, bound, window| {
        let least: &mut Option<i64> = if bound { &mut bound_least } else { &mut preferred_least };
        *least = Some(least.map_or(window, |old| old.min(window)));
    });
    (bound_least, preferred_least)
}

fn region(scene: &Scene<'_>, set: &[u32], rule: usize, terms: &mut SetTerms) -> Option<()> {
    let (&oldest, &newest) = (set.first()?, set.last()?);
    let age = scene.queue.rules[rule].age;
    let deciding = |row| scene.deciding(age, row, oldest, newest);
    terms.regions = set.iter().fold(u64::MAX, |mask, &row| mask & scene.regions_within(row, deciding(row)));
    let best = regions_of(terms.regions).map(|region| region_place(scene, set, region)).min()?;
    terms.region = Some(best.region);
    let mut excess = 0;
    for_each_window(scene, set, rule, |row, bound, window| {
        if !bound {
            excess = excess.max(scene.tickets.ping(row, best.region).saturating_sub(window));
        }
    });
    let weight = i128::from(scene.queue.rules[rule].weight);
    terms.cost += weight * best.sum + weighted(scene, rule, BROKEN * i128::from(excess), terms.players);
    Some(())
}

/// Where a region stands among the legal ones of a match: least mean, then least worst, then first name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RegionPlace {
    /// The sum over players of their ticket's ping: the mean, times the same count for every region.
    pub sum: i128,
    /// The worst ticket's ping.
    pub worst: i64,
    /// The place of the name.
    pub rank: u8,
    /// The region.
    pub region: u32,
}

/// The place of one region for a set of tickets that all reach it.
pub fn region_place(scene: &Scene<'_>, set: &[u32], region: u32) -> RegionPlace {
    let mut place = RegionPlace { sum: 0, worst: i64::MIN, rank: scene.region_rank[region as usize], region };
    for &row in set {
        let ping = scene.tickets.ping(row, region);
        place.sum += i128::from(ping) * i128::from(scene.tickets.size(row));
        place.worst = place.worst.max(ping);
    }
    place
}

/// The regions of a mask, in ascending order.
pub fn regions_of(mask: u64) -> impl Iterator<Item = u32> {
    (0..64).filter(move |region| mask >> region & 1 == 1)
}

fn own_limits_hold(scene: &Scene<'_>, set: &[u32]) -> bool {
    set.iter().all(|&row| {
        !scene.tickets.has_limits(row)
            || set.iter().filter(|&&other| other != row).all(|&other| scene.limits_allow(row, other))
    })
}
