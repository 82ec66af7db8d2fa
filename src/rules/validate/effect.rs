//! Rules that say nothing and rules that leave nobody: legal, and hardly what their author meant. Called by
//! `warnings` only, for queues without a fault.
//!
//! Every finding is certain: it follows from team sizes, declared ranges and the timeout, whatever tickets come.

use super::Faults;
use super::shares::{Largest, largest_costs};
use super::totals::{self, Sets};
use crate::base::fixed::Fixed;
use crate::model::attribute::AttributeDefault;
use crate::model::ids::Millis;
use crate::model::limits::{MATCH_PLAYERS_MAX, TICKET_PLAYERS_MAX};
use crate::rules::shape::Shape;
use crate::rules::spec::{Expand, NumberWindow, QueueSpec, RuleKind, RuleSpec, Selection};
use crate::rules::window::Window;

/// Warns of rules and choices without an effect, of limits that leave nobody, and of expansions that no ticket lives to
/// see.
pub(super) fn warn(faults: &mut Faults, spec: &QueueSpec, shape: &Shape) {
    for (i, rule) in spec.rules.iter().enumerate() {
        let seen = Seen { spec, shape, rule, place: format!("rules[{i}]") };
        let before = faults.len();
        seen.excludes_everyone(faults);
        if faults.len() == before {
            seen.never_binds(faults);
        }
        seen.never_grows(faults);
    }
    prefer_full(faults, spec, shape);
    selection(faults, spec, shape);
    capacity(faults, spec, shape);
}

/// One rule of a queue.
struct Seen<'a> {
    spec: &'a QueueSpec,
    shape: &'a Shape,
    rule: &'a RuleSpec,
    place: String,
}

impl Seen<'_> {
    fn at(&self, key: &str) -> String {
        format!("{}.{key}", self.place)
    }

    /// The last age at which a ticket can be matched; `None`: there is none.
    fn last_age(&self) -> Option<Millis> {
        self.spec.timeout.map(|timeout| Millis(timeout.0.saturating_sub(1)))
    }

    fn never_binds(&self, faults: &mut Faults) {
        let drop_it = "the rule excludes nobody: tighten it or leave it out";
        let drop_or_weigh = match self.rule.weight {
            Fixed::ZERO => drop_it,
            _ => "the rule excludes nobody and only adds to the cost: lower max, or leave it out",
        };
        if self.is_off_for_ever() {
            faults.add(self.at("expand.steps[0]"), "a rule that is off from age 0 on", drop_it);
            return;
        }
        // What tightens later may bind then.
        if self.rule.may_tighten {
            return;
        }
        match &self.rule.kind {
            RuleKind::Difference { attribute, window, .. } => {
                if let Some(range) = self.range(*attribute).filter(|&range| window.base >= range) {
                    let found = format!("{} where values lie at most {range} apart", window.base);
                    faults.add(self.at("max"), found, drop_or_weigh);
                }
            }
            RuleKind::TeamDifference { .. } | RuleKind::TeamSize { .. } | RuleKind::PremadeBalance
                if self.shape.positions.len() == 1 && self.shape.has_teams =>
            {
                faults.add(&*self.place, "a rule between teams where there is one team", drop_it);
            }
            RuleKind::TeamDifference { attribute, window, .. } => {
                if let Some(range) = self.range(*attribute).filter(|&range| window.base >= range) {
                    let found = format!("{} where averages lie at most {range} apart", window.base);
                    faults.add(self.at("max"), found, drop_it);
                }
            }
            RuleKind::Intersection { window, .. } if window.base == Fixed::ZERO => {
                faults.add(self.at("min"), "0 shared values", drop_it);
            }
            RuleKind::TeamSize { window } if self.shape.has_teams => {
                let (_, most) = self.size_spread();
                if window.base >= Fixed::from_int(i64::from(most)) {
                    let found = format!("{} where team sizes lie at most {most} apart", window.base);
                    faults.add(self.at("max"), found, drop_it);
                }
            }
            RuleKind::PremadeBalance if self.shape.has_teams => {
                let (large, largest) =
                    (self.shape.team_max.div_ceil(2).max(2), largest_ticket(self.spec, self.shape));
                if largest < large {
                    let found =
                        format!("tickets of at most {largest} where a large party has {large} players");
                    faults.add(
                        &*self.place,
                        found,
                        "no party is ever large here: allow larger ones or leave it out",
                    );
                }
            }
            RuleKind::Total { attribute, bounds, per, .. }
                if Sets::new(self.spec, self.shape, *attribute, *per).always_hold(*bounds) =>
            {
                faults.add(&*self.place, "bounds that every set of players meets", drop_it);
            }
            _ => {}
        }
    }

    /// Whether a step at age 0 switches the rule off and none switches it on again.
    fn is_off_for_ever(&self) -> bool {
        fn all_off<T>(steps: &[crate::rules::spec::Step<T>], is_off: impl Fn(&T) -> bool) -> bool {
            steps.first().is_some_and(|first| first.after == Millis(0))
                && steps.iter().all(|step| is_off(&step.value))
        }
        match &self.rule.kind {
            RuleKind::Equality { steps, .. } => all_off(steps, |on| !on),
            RuleKind::Total { steps, .. } => all_off(steps, Option::is_none),
            _ => match self.window().map(|window| &window.expand) {
                Some(Expand::Steps(steps)) => all_off(steps, Option::is_none),
                _ => false,
            },
        }
    }

    fn excludes_everyone(&self, faults: &mut Faults) {
        match &self.rule.kind {
            RuleKind::Region { window, .. } => {
                let greatest = Window::new(window, self.rule.optional_after).greatest(self.spec.timeout);
                if !greatest.vanishes && greatest.limit < Fixed::ONE.micros() {
                    let found = format!("never more than {} ms", Fixed::from_micros(greatest.limit));
                    faults.add(self.at("max_ms"), found, "no data centre is so near: it excludes everyone");
                }
            }
            RuleKind::TeamSize { window } if self.shape.has_teams => {
                let greatest = Window::new(window, self.rule.optional_after).greatest(self.spec.timeout);
                let (least, _) = self.size_spread();
                if !greatest.vanishes && greatest.limit < Fixed::from_int(i64::from(least)).micros() {
                    let found = format!(
                        "never more than {} where team sizes lie at least {least} apart",
                        Fixed::from_micros(greatest.limit)
                    );
                    faults.add(self.at("max"), found, "no match can meet it: raise it or change the teams");
                }
            }
            RuleKind::Intersection { attribute, window, default, .. } => {
                self.default_is_too_short(faults, *attribute, window, default.as_ref());
            }
            RuleKind::Total { attribute, bounds, per, .. } => {
                let Some(bands) = totals::bands(self.spec, self.rule) else { return };
                let sets = Sets::new(self.spec, self.shape, *attribute, *per);
                if !bands.into_iter().any(|band| sets.can_hold(band)) {
                    let found = totals::shown(*bounds, *per);
                    let remedy = "no whole set of players can meet it: change its bounds, the sizes, or the \
                                  attribute's min and max";
                    faults.add(&*self.place, found, remedy);
                }
            }
            _ => {}
        }
    }

    /// Warns of a default list that shares fewer values than are asked for at any age.
    fn default_is_too_short(
        &self,
        faults: &mut Faults,
        attribute: usize,
        window: &NumberWindow,
        default: Option<&Vec<String>>,
    ) {
        let own = match &self.spec.attributes[attribute].default {
            Some(AttributeDefault::StringList(values)) => Some(values),
            _ => None,
        };
        let Some(values) = default.or(own) else { return };
        let compiled = Window::new(window, self.rule.optional_after);
        // Needs that only fall are least at the end.
        let last = self.last_age().unwrap_or(Millis(u64::MAX >> 1));
        if compiled.greatest(self.spec.timeout).vanishes || !compiled.only_falls() {
            return;
        }
        let Some(needed) = compiled.at(last).bound() else { return };
        let have = values.len() as i64;
        if needed > Fixed::from_int(have).micros() {
            let found =
                format!("never less than {} where the default has {have}", Fixed::from_micros(needed));
            faults.add(
                self.at("min"),
                found,
                "it excludes everyone who brings no list: ask for fewer values",
            );
        }
    }

    /// Warns of growth that begins, or of a cap that is reached, only after the timeout.
    fn never_grows(&self, faults: &mut Faults) {
        let (Some(last), Some(window)) = (self.last_age(), self.window()) else { return };
        let timeout = self.spec.timeout.unwrap_or_default();
        let (key, end, add) = match &window.expand {
            Expand::Linear { add, every, .. } if *add != Fixed::ZERO && *every > last => {
                let found = format!("every {every} s with a timeout of {timeout} s");
                faults.add(self.at("expand.linear.every_s"), found, "no ticket lives to see the window grow");
                return;
            }
            Expand::Linear { add, cap, .. } if *add > Fixed::ZERO => ("linear.cap", *cap, *add),
            Expand::Linear { add, floor, .. } if *add < Fixed::ZERO => ("linear.floor", *floor, *add),
            Expand::Power { factor, cap, .. } if *factor > Fixed::ZERO => ("power.cap", *cap, *factor),
            _ => return,
        };
        let Some(end) = end else { return };
        let Some(reached) = Window::new(window, None).at(last).limit.map(Fixed::from_micros) else { return };
        if (add > Fixed::ZERO && reached < end) || (add < Fixed::ZERO && reached > end) {
            let found = format!("{end}, but the window has come to {reached} by the timeout of {timeout} s");
            faults.add(self.at(&format!("expand.{key}")), found, "no ticket lives to see it reached");
        }
    }

    /// The rule's number window, if it has one.
    fn window(&self) -> Option<&NumberWindow> {
        match &self.rule.kind {
            RuleKind::Difference { window, .. }
            | RuleKind::TeamDifference { window, .. }
            | RuleKind::TeamSize { window }
            | RuleKind::Intersection { window, .. }
            | RuleKind::Region { window, .. } => Some(window),
            RuleKind::Equality { .. } | RuleKind::Total { .. } | RuleKind::PremadeBalance => None,
        }
    }

    /// How far two values of an attribute can lie apart, if both its ends are declared.
    fn range(&self, attribute: usize) -> Option<Fixed> {
        let attribute = &self.spec.attributes[attribute];
        Some(Fixed::from_micros(attribute.max?.micros() - attribute.min?.micros()))
    }

    /// How far the sizes of the largest and the smallest team lie apart, at least and at most.
    fn size_spread(&self) -> (u32, u32) {
        let (mut least, mut most) = (0, 0);
        let standing = |index: usize| {
            let group = &self.shape.groups[self.shape.positions[index].group];
            index - group.first < group.count_min
        };
        for (i, a) in self.shape.positions.iter().enumerate() {
            for (j, b) in self.shape.positions.iter().enumerate().filter(|&(j, _)| j != i) {
                most = most.max(a.max.saturating_sub(b.min));
                if standing(i) && standing(j) {
                    least = least.max(a.min.saturating_sub(b.max));
                }
            }
        }
        (least, most)
    }
}

/// The players of the largest ticket that fits.
fn largest_ticket(spec: &QueueSpec, shape: &Shape) -> u32 {
    spec.party_max.unwrap_or(u32::MAX).min(shape.team_max).min(TICKET_PLAYERS_MAX as u32)
}

/// The fewest tickets that a match can have; `None`: no count of them is enough for any legal total.
fn fewest_tickets(spec: &QueueSpec, shape: &Shape) -> Option<u32> {
    let by_total = tickets_by_total(shape, largest_ticket(spec, shape).max(1));
    let of_total = |total: u32| {
        let least = by_total[total as usize]?;
        (least..=total).find(|&tickets| shape.enough_tickets(tickets as usize, total))
    };
    shape.legal_totals().filter_map(of_total).min()
}

/// By total of players the fewest tickets that fill whole teams, if a ticket has at most `largest` players.
fn tickets_by_total(shape: &Shape, largest: u32) -> [Option<u32>; MATCH_PLAYERS_MAX + 1] {
    let least = |a: Option<u32>, b: Option<u32>| a.into_iter().chain(b).min();
    let mut reached = [None; MATCH_PLAYERS_MAX + 1];
    reached[0] = Some(0);
    for group in &shape.groups {
        let team = &shape.positions[group.first];
        let mut whole = [None; MATCH_PLAYERS_MAX + 1];
        for count in 0..=group.count_max {
            if count >= group.count_min {
                whole.iter_mut().zip(reached).for_each(|(whole, reached)| *whole = least(*whole, reached));
            }
            let mut next = [None; MATCH_PLAYERS_MAX + 1];
            for (players, tickets) in reached.iter().enumerate() {
                let Some(tickets) = tickets else { continue };
                for (size, next) in (0..).zip(&mut next[players..]).skip(team.min as usize) {
                    if size > team.max {
                        break;
                    }
                    *next = least(*next, Some(tickets + size.div_ceil(largest)));
                }
            }
            reached = next;
        }
        reached = whole;
    }
    reached
}

/// Warns of a preference for full matches where every match is full.
fn prefer_full(faults: &mut Faults, spec: &QueueSpec, shape: &Shape) {
    let mut totals = shape.legal_totals();
    if let (Some(total), None) = (totals.next(), totals.next())
        && spec.prefer_full_for > Millis(0)
    {
        faults.add(
            "prefer_full_for_s",
            format!("{} s where every match has {total} players", spec.prefer_full_for),
            "every match is full: leave it out, or let sizes vary",
        );
    }
}

/// Warns of the least cost where all matches cost nothing.
fn selection(faults: &mut Faults, spec: &QueueSpec, shape: &Shape) {
    let costs_nothing = |cost: &Largest| matches!(cost, Largest::Bounded(cost) if *cost == 0.0);
    if spec.selection == Selection::LeastCost && largest_costs(spec, shape).iter().all(costs_nothing) {
        faults.add(
            "selection",
            "\"least_cost\" where no rule ever costs anything",
            "all matches cost 0: give a rule about differences or regions a weight, or leave it out",
        );
    }
}

/// Warns of a queue that cannot hold the tickets of one match.
fn capacity(faults: &mut Faults, spec: &QueueSpec, shape: &Shape) {
    let (Some(capacity), Some(tickets)) = (spec.capacity, fewest_tickets(spec, shape)) else { return };
    if capacity < tickets {
        let found = format!("{capacity} where a match has at least {tickets} tickets");
        faults.add("capacity", found, "no match is ever made: raise it");
    }
}
