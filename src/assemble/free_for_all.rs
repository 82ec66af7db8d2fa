//! The definition of `oldest_first` for free-for-all queues of single players, at any size.
//!
//! For queues without teams whose rules are one `difference` that never becomes optional, equalities that never
//! do, and a region rule of weight 0; for single players without limits of their own. There the best match of an
//! anchor is found in polynomial time: given the region, the values that the equalities agree on, and the least
//! and greatest value of the match, every other ticket fits or not by itself, and cost is the width alone. So
//! all of these are tried, and of the tickets that fit the first ones by submit number are taken. Called by
//! tests as the oracle of the engine at thousands of tickets.

use super::chosen::{ChosenMatch, Contest, OracleError, Pool};
use crate::model::ids::Millis;
use crate::rules::check::{Judge, JudgedTicket, Key};
use crate::rules::spec::{QueueSpec, RuleKind, WindowAge};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The matches of a tick at `now`, with the regions in `down` down. Cost: for each anchor cubic in the tickets
/// that its windows admit, and times these again where a rule goes by the newest ticket's age.
///
/// Errors: a queue or a ticket of another kind; a ticket that cannot be read.
pub fn free_for_all(
    judge: &Judge,
    pool: &[JudgedTicket<'_>],
    now: Millis,
    down: &[&str],
) -> Result<Vec<ChosenMatch>, OracleError> {
    let rules = FreeForAll::of(judge)?;
    for ticket in pool {
        let limits = &ticket.request.limits;
        if ticket.request.players.len() != 1 || !limits.attributes.is_empty() || limits.max_ping_ms.is_some()
        {
            return Err(OracleError::OtherKind("a party, or limits of a ticket's own"));
        }
    }
    let pool = Pool::new(judge, pool, now, down)?;
    Ok(pool.all_by_anchor(|anchor, taken| {
        let tickets = best_of(&pool, &rules, anchor, taken)?;
        let mut contest = Contest::new(&pool);
        contest.consider(&tickets);
        let chosen = contest.into_best();
        assert!(chosen.is_some(), "the judge refuses what fits by every window");
        chosen
    }))
}

/// The rules of such a queue, by index.
struct FreeForAll {
    difference: usize,
    costs: bool,
    equalities: Vec<usize>,
    region: Option<usize>,
    newest_matters: bool,
}

impl FreeForAll {
    fn of(judge: &Judge) -> Result<FreeForAll, OracleError> {
        let spec: &QueueSpec = judge.spec();
        let mut differences = Vec::new();
        let mut rules = FreeForAll {
            difference: 0,
            costs: false,
            equalities: Vec::new(),
            region: None,
            newest_matters: false,
        };
        for (index, rule) in spec.rules.iter().enumerate() {
            let never_optional = rule.optional_after.is_none();
            match rule.kind {
                RuleKind::Difference { .. } if never_optional => differences.push(index),
                RuleKind::Equality { .. } if never_optional => rules.equalities.push(index),
                RuleKind::Region { .. } if rule.weight.micros() == 0 && rules.region.is_none() => {
                    rules.region = Some(index);
                }
                _ => return Err(OracleError::OtherKind("a rule of another kind")),
            }
            rules.newest_matters |= judge.windows(index) == WindowAge::Newest;
        }
        match (differences.as_slice(), spec.teams.as_slice()) {
            ([difference], []) => {
                rules.difference = *difference;
                rules.costs = spec.rules[*difference].weight.micros() > 0;
                Ok(rules)
            }
            _ => Err(OracleError::OtherKind("teams, or not exactly one difference rule")),
        }
    }
}

/// What a value must be for an equality of the match.
enum Agreed {
    /// This one, or none.
    On(Key),
    /// Any, since the rule binds no ticket that has one.
    OnNothing,
}

/// What is fixed about a match before its least and greatest value are.
struct Scene<'a> {
    pool: &'a Pool<'a>,
    rules: &'a FreeForAll,
    anchor: usize,
    newest: Option<usize>,
    region: Option<Arc<str>>,
    agreed: Vec<Agreed>,
}

impl Scene<'_> {
    /// The ticket whose age drives a rule for `ticket`.
    fn clock(&self, rule: usize, ticket: usize) -> usize {
        match self.pool.judge.windows(rule) {
            WindowAge::Mutual => ticket,
            WindowAge::Oldest => self.anchor,
            WindowAge::Newest => self.newest.unwrap_or(ticket),
        }
    }

    fn binds(&self, rule: usize, ticket: usize) -> bool {
        self.pool.facts[self.clock(rule, ticket)].binds(rule)
    }

    /// The value of a ticket, in units of 0.000001; `None`: left out of the difference rule.
    fn value(&self, ticket: usize) -> Option<i64> {
        self.pool.facts[ticket].difference_value(self.rules.difference).map(|value| value.micros())
    }

    /// How far a ticket's value may be from another; `None`: as far as it likes.
    fn window(&self, ticket: usize) -> Option<i64> {
        let clock = self.clock(self.rules.difference, ticket);
        self.pool.facts[clock].window(self.rules.difference).map(|window| window.micros())
    }

    /// Whether a ticket can be in a match of this scene, whatever the other values are.
    fn admits(&self, ticket: usize) -> bool {
        let age = self.pool.seniority(ticket);
        self.newest.is_none_or(|newest| age <= self.pool.seniority(newest))
            && self.admits_region(ticket)
            && self.admits_values(ticket)
            && self.fits(ticket, self.value(self.anchor), self.value(self.anchor))
            && match (self.value(self.anchor), self.window(self.anchor), self.value(ticket)) {
                (Some(own), Some(window), Some(other)) => (own - other).abs() <= window,
                _ => true,
            }
    }

    fn admits_region(&self, ticket: usize) -> bool {
        let (Some(rule), Some(region)) = (self.rules.region, &self.region) else { return true };
        let Some(&ping) = self.pool.facts[ticket].pings().get(region) else { return false };
        let window = self.pool.facts[self.clock(rule, ticket)].window(rule);
        window.is_none_or(|window| ping <= window)
    }

    fn admits_values(&self, ticket: usize) -> bool {
        self.rules.equalities.iter().zip(&self.agreed).all(|(&rule, agreed)| {
            match (self.pool.facts[ticket].equality_value(rule), agreed) {
                (None, _) => true,
                (Some(value), Agreed::On(right)) => value == right,
                (Some(_), Agreed::OnNothing) => !self.binds(rule, ticket),
            }
        })
    }

    /// Whether a ticket's window reaches both ends of a match.
    fn fits(&self, ticket: usize, least: Option<i64>, greatest: Option<i64>) -> bool {
        match (self.value(ticket), self.window(ticket), least, greatest) {
            (Some(value), Some(window), Some(least), Some(greatest)) => {
                greatest - value <= window && value - least <= window
            }
            _ => true,
        }
    }
}

/// The best set of tickets found so far: players, width if it costs, submit numbers; and the tickets.
type Found = Option<((Reverse<usize>, i64, Vec<u64>), Vec<usize>)>;

/// The best set of tickets whose oldest is `anchor`, in the order of submit numbers.
fn best_of(
    pool: &Pool<'_>,
    rules: &FreeForAll,
    anchor: usize,
    taken: &BTreeSet<usize>,
) -> Option<Vec<usize>> {
    let younger = pool.younger(anchor, taken);
    let young = pool.facts[anchor].age() < pool.judge.spec().prefer_full_for;
    let legal = |size: usize| {
        pool.judge.check_sizes(size, size as u32).is_ok()
            && (!young || pool.judge.full_size() == Some(size as u32))
    };
    let sizes: Vec<usize> = (1..=younger.len() + 1).filter(|&size| legal(size)).collect();
    if sizes.is_empty() {
        return None;
    }
    let newest: Vec<Option<usize>> = match rules.newest_matters {
        true => younger.iter().copied().chain([anchor]).map(Some).collect(),
        false => vec![None],
    };
    let regions: Vec<Option<Arc<str>>> = match rules.region {
        Some(_) => pool.facts[anchor].pings().keys().map(|name| Some(name.clone())).collect(),
        None => vec![None],
    };
    let mut found = None;
    for newest in newest {
        for region in &regions {
            if region.as_ref().is_some_and(|name| pool.judge.is_down(name, pool.down)) {
                continue;
            }
            for agreed in agreements(pool, rules, anchor, &younger) {
                let scene = Scene { pool, rules, anchor, newest, region: region.clone(), agreed };
                try_scene(&scene, &younger, &sizes, &mut found);
            }
        }
    }
    found.map(|(_, tickets)| tickets)
}

/// Every way in which the equalities can be met by a match with `anchor`.
fn agreements(pool: &Pool<'_>, rules: &FreeForAll, anchor: usize, younger: &[usize]) -> Vec<Vec<Agreed>> {
    let mut ways: Vec<Vec<Option<Key>>> = vec![Vec::new()];
    for &rule in &rules.equalities {
        let values: BTreeSet<&Key> = match pool.facts[anchor].equality_value(rule) {
            Some(value) => BTreeSet::from([value]),
            None => younger.iter().filter_map(|&ticket| pool.facts[ticket].equality_value(rule)).collect(),
        };
        let options: Vec<Option<Key>> = values.into_iter().cloned().map(Some).chain([None]).collect();
        ways = ways
            .iter()
            .flat_map(|way| {
                options.iter().map(move |option| way.iter().cloned().chain([option.clone()]).collect())
            })
            .collect();
    }
    let agreed = |option: Option<Key>| option.map_or(Agreed::OnNothing, Agreed::On);
    ways.into_iter().map(|way| way.into_iter().map(agreed).collect()).collect()
}

/// Tries every least and greatest value of a match in this scene.
fn try_scene(scene: &Scene<'_>, younger: &[usize], sizes: &[usize], found: &mut Found) {
    let forced: BTreeSet<usize> = [scene.anchor].into_iter().chain(scene.newest).collect();
    if !forced.iter().all(|&ticket| scene.admits(ticket)) {
        return;
    }
    let admitted = younger.iter().copied().filter(|&ticket| scene.admits(ticket)).chain([scene.anchor]);
    let (mut valued, free): (Vec<usize>, Vec<usize>) =
        admitted.partition(|&ticket| scene.value(ticket).is_some());
    valued.sort_by_key(|&ticket| (scene.value(ticket), scene.pool.submit_number(ticket)));
    if forced.iter().all(|ticket| free.contains(ticket)) {
        try_tickets(scene, &forced, free.clone(), sizes, found);
    }
    // Equal values stand or fall together: a range begins at the first and ends at the last of them.
    let differ = |a: usize, b: usize| scene.value(valued[a]) != scene.value(valued[b]);
    for low in (0..valued.len()).filter(|&low| low == 0 || differ(low - 1, low)) {
        for high in (low..valued.len()).filter(|&high| high + 1 == valued.len() || differ(high, high + 1)) {
            let (least, greatest) = (scene.value(valued[low]), scene.value(valued[high]));
            let within = |ticket: usize| {
                scene.value(ticket).is_none_or(|value| Some(value) >= least && Some(value) <= greatest)
            };
            if !forced.iter().all(|ticket| within(*ticket) && scene.fits(*ticket, least, greatest)) {
                continue;
            }
            let inside = valued[low..=high].iter().copied();
            let fit = inside.filter(|&ticket| scene.fits(ticket, least, greatest));
            let fit: Vec<usize> = fit.chain(free.iter().copied()).collect();
            let enough = sizes.last().is_some_and(|&most| fit.len() >= most);
            try_tickets(scene, &forced, fit, sizes, found);
            if enough && scene.rules.costs {
                // A greater width only costs more.
                break;
            }
        }
    }
}

/// Takes the greatest legal number of the tickets that fit, those with the smallest submit numbers.
fn try_tickets(
    scene: &Scene<'_>,
    forced: &BTreeSet<usize>,
    fit: Vec<usize>,
    sizes: &[usize],
    found: &mut Found,
) {
    let Some(&size) = sizes.iter().rev().find(|&&size| forced.len() <= size && size <= fit.len()) else {
        return;
    };
    if found.as_ref().is_some_and(|((most, ..), _)| size < most.0) {
        return;
    }
    let others = fit.into_iter().filter(|ticket| !forced.contains(ticket)).collect();
    let others = scene.pool.in_submit_order(others).into_iter().take(size - forced.len());
    let tickets = scene.pool.in_submit_order(others.chain(forced.iter().copied()).collect());
    let values = || tickets.iter().filter_map(|&ticket| scene.value(ticket));
    let width = match (values().min(), values().max()) {
        (Some(least), Some(greatest)) if scene.rules.costs => greatest - least,
        _ => 0,
    };
    let numbers = tickets.iter().map(|&ticket| scene.pool.submit_number(ticket)).collect();
    let order = (Reverse(size), width, numbers);
    if found.as_ref().is_none_or(|(best, _)| order < *best) {
        *found = Some((order, tickets));
    }
}
