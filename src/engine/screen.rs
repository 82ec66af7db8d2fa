//! What a plain ticket of a layout is surely accepted with, as comparisons of integers: worked out once for all tickets of
//! the layout.
//!
//! Made by `layout`, asked by `entry` for each ticket. Invariant: a ticket that passes would pass every check of `submit`
//! but for room and for players who wait already; one that does not is looked at again, by those checks themselves, which
//! know what to answer. So a bound may be too narrow here, never too wide.

use super::lexicon::Lexicon;
use super::prepare::{check_size, check_totals};
use crate::base::fixed::{Fixed, MICROS, unit};
use crate::model::attribute::{AttributeDefault, AttributeSpec, AttributeType};
use crate::model::limits::{TICKET_PLAYERS_MAX, TIME_MS_MAX};
use crate::model::plain::{PlainTicket, PlainValue};
use crate::rules::compile::{CompiledQueue, Kind, NumberHow};

/// What a value of one column may be.
#[derive(Clone, Copy)]
struct Bound {
    /// The least and the greatest number, in units of 0.000001; of texts none.
    least: i64,
    most: i64,
    /// Only whole numbers.
    is_whole: bool,
    is_text: bool,
    /// Nothing will do.
    is_optional: bool,
}

/// What surely passes.
pub(super) struct Screen {
    /// How many players: bit n - 1 for n.
    sizes: u64,
    columns: Box<[Bound]>,
    regions: usize,
    /// One of the regions must be as near as this, in units of 0.000001 ms; `None`: none need be.
    near: Option<i64>,
}

impl Screen {
    /// The screen of a layout. `columns`: the attribute of each.
    pub(super) fn new(queue: &CompiledQueue, columns: &[usize], regions: usize, is_plain: bool) -> Screen {
        let specs = &queue.spec.attributes;
        let mut bounds: Vec<Bound> = columns.iter().map(|&column| bound(&specs[column])).collect();
        let mut is_ever = is_plain;
        // What a rule asks of an attribute: a value, unless a default fills in, and at most so much.
        let mut ask = |attribute: usize, is_optional: bool, most: i64| {
            let found = columns.iter().position(|&column| column == attribute);
            match found.map(|at| &mut bounds[at]) {
                Some(bound) => {
                    bound.is_optional &= is_optional;
                    bound.most = bound.most.min(most);
                }
                None => is_ever &= is_optional,
            }
        };
        let mut adds_up = false;
        for rule in &queue.rules {
            match &rule.kind {
                Kind::Difference(slot, _) if rule.needs_value => {
                    let slot = &queue.numbers[*slot];
                    let own = number(&specs[slot.attribute].default);
                    ask(slot.attribute, slot.default.or(own).is_some(), i64::MAX);
                }
                Kind::Equality(slot, _) if rule.needs_value => {
                    let slot = &queue.keys[*slot];
                    let default = slot.default.as_ref().or(specs[slot.attribute].default.as_ref());
                    let has_default = !matches!(default, None | Some(AttributeDefault::StringList(_)));
                    ask(slot.attribute, has_default, i64::MAX);
                }
                Kind::Total(Some(slot), band, _) => {
                    let slot = &queue.numbers[*slot];
                    let greatest = band.greatest_max(queue.age_end()).map_or(i64::MAX, Fixed::micros);
                    let spec = &specs[slot.attribute];
                    let nothing = slot.default.or(number(&spec.default)).map_or(0, Fixed::micros);
                    if slot.how != NumberHow::Sum {
                        return Screen::none();
                    }
                    adds_up = true;
                    let most = greatest.div_euclid(unit(spec.decimals)) * unit(spec.decimals);
                    ask(slot.attribute, nothing <= most, most);
                }
                Kind::Intersection(..) => return Screen::none(),
                _ => {}
            }
        }
        let near = queue.region_rule.map(|rule| match &queue.rules[rule].kind {
            Kind::Region(window) => {
                let greatest = window.greatest(queue.age_end());
                if greatest.vanishes { i64::MAX } else { greatest.limit }
            }
            _ => i64::MAX,
        });
        // The members of a party must agree in their keys, and their numbers add up.
        let size_max = if adds_up || !queue.keys.is_empty() { 1 } else { TICKET_PLAYERS_MAX.min(64) };
        let fits = |size: usize| {
            queue.spec.party_max.is_none_or(|max| size as u32 <= max)
                && check_size(queue, size).is_ok()
                && check_totals(queue, size, |_| 0).is_ok()
        };
        let sizes = (1..=size_max).filter(|&size| is_ever && fits(size));
        let sizes = sizes.fold(0, |sizes, size| sizes | 1 << (size - 1));
        Screen { sizes, columns: bounds.into(), regions, near }
    }

    /// Nothing passes.
    fn none() -> Screen {
        Screen { sizes: 0, columns: Box::default(), regions: 0, near: None }
    }

    /// Whether a ticket surely passes.
    #[inline]
    pub(super) fn passes(&self, lexicon: &Lexicon, ticket: &PlainTicket<'_>) -> bool {
        let (players, width) = (ticket.players, self.columns.len());
        let is_sized = matches!(players.len(), 1..=64)
            && self.sizes >> (players.len() - 1) & 1 == 1
            && ticket.values.len() == players.len() * width
            && ticket.pings_ms.len() == self.regions
            && ticket.enqueued.is_none_or(|enqueued| enqueued.0 <= TIME_MS_MAX);
        if !is_sized {
            return false;
        }
        let (mut best, mut worst) = (i64::MAX, 0);
        for ping in ticket.pings_ms.iter().flatten() {
            best = best.min(ping.micros());
            worst = worst.min(ping.micros());
        }
        // Without a ping the best one is none.
        let is_near = self.near.is_none_or(|near| best <= near && best != i64::MAX);
        is_near
            && worst >= 0
            && ticket
                .values
                .iter()
                .zip(self.columns.iter().cycle())
                .all(|(value, bound)| bound.takes(lexicon, *value))
            && (players.len() == 1
                || players.iter().enumerate().all(|(at, player)| !players[..at].contains(player)))
    }
}

impl Bound {
    #[inline]
    fn takes(&self, lexicon: &Lexicon, value: PlainValue) -> bool {
        match value {
            PlainValue::Nothing => self.is_optional,
            PlainValue::Number(number) => {
                let micros = number.micros();
                self.least <= micros && micros <= self.most && (!self.is_whole || micros % MICROS == 0)
            }
            PlainValue::Text(id) => self.is_text && lexicon.text(id).is_some(),
        }
    }
}

/// What an attribute takes by itself.
fn bound(spec: &AttributeSpec) -> Bound {
    let is_number = matches!(spec.kind, AttributeType::Number | AttributeType::Integer);
    let unit = unit(spec.decimals);
    // A number between two that need no rounding is between them once it is rounded.
    let up = |least: i64| least.div_euclid(unit) * unit + if least.rem_euclid(unit) == 0 { 0 } else { unit };
    let least = up(spec.min.unwrap_or(Fixed::MIN).micros());
    let most = spec.max.unwrap_or(Fixed::MAX).micros().div_euclid(unit) * unit;
    Bound {
        least: if is_number { least } else { 1 },
        most: if is_number { most } else { 0 },
        is_whole: spec.kind == AttributeType::Integer,
        is_text: spec.kind == AttributeType::String,
        is_optional: true,
    }
}

fn number(default: &Option<AttributeDefault>) -> Option<Fixed> {
    match default {
        Some(AttributeDefault::Number(number)) => Some(*number),
        _ => None,
    }
}
