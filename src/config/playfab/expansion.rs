//! How PlayFab's rules loosen: linear and custom expansions onto windows and steps. Called by the reader of
//! rules only.
//!
//! Entry i of a custom expansion holds from the age i x `SecondsBetweenExpansions` on, the first one from age 0,
//! so it stands in the place of the rule's plain value; the last one holds for ever. Invariant: steps are given
//! only where the value changes.

use super::options::IntersectionDelta;
use super::rule::Rule;
use crate::base::fixed::Fixed;
use crate::config::json::{Node, Value};
use crate::config::report::{Fault, Fields, Report};
use crate::model::ids::Millis;
use crate::rules::spec::{Bounds, Expand, NumberWindow, Step};

/// The keys by which a rule may bring an expansion.
pub(super) const KEYS: [&str; 3] = ["Expansion", "LinearExpansion", "CustomExpansion"];

const BETWEEN: &str = "SecondsBetweenExpansions";

/// The two types of an expansion, and whether each is linear.
const TYPES: &[(&str, bool)] = &[("Linear", true), ("Custom", false)];

/// A window that is a number, as one rule has it.
#[derive(Clone, Copy)]
pub(super) struct NumberShape {
    /// The key of the plain value.
    pub(super) base: &'static str,
    /// The key of the overrides.
    pub(super) overrides: &'static str,
    /// Only whole numbers, 0 and up.
    pub(super) is_whole: bool,
    /// Where a linear expansion without a `Limit` ends: the greatest number that has a meaning.
    pub(super) greatest: Fixed,
    /// It is a `MinIntersectionSize`, which loosens downwards.
    pub(super) loosens_down: bool,
}

impl NumberShape {
    /// Reads one number of the window.
    pub(super) fn number(&self, report: &mut Report, node: &Node<'_>) -> Option<Fixed> {
        if self.is_whole {
            report.count(node).map(|count| Fixed::from_int(i64::from(count)))
        } else {
            report.number(node)
        }
    }

    fn tightens(&self, before: Option<Fixed>, now: Option<Fixed>) -> bool {
        match (before, now) {
            (_, None) => false,
            (None, Some(_)) => true,
            (Some(before), Some(now)) => {
                if self.loosens_down {
                    now > before
                } else {
                    now < before
                }
            }
        }
    }
}

/// An expansion that a rule brings.
struct Expansion<'a, 't> {
    fields: Fields<'a, 't>,
    is_linear: bool,
    every: Millis,
}

impl<'a, 't> Rule<'_, '_, 'a, 't> {
    /// The window of a rule whose plain value is `base`.
    pub(super) fn window(&mut self, base: Fixed, shape: NumberShape) -> NumberWindow {
        let plain = NumberWindow { base, expand: Expand::Never };
        let keys = [BETWEEN, "Type", "Delta", "Limit", shape.overrides];
        let Some(expansion) = self.expansion(&keys, true, &[shape.overrides]) else { return plain };
        if expansion.is_linear {
            return self.linear(&expansion, base, shape).unwrap_or(plain);
        }
        let Some(node) = expansion.fields.get(shape.overrides) else {
            self.reading.report.missing(
                expansion.fields.node,
                shape.overrides,
                "a custom expansion needs it",
            );
            return plain;
        };
        match self.overrides(node, |report, node| shape.number(report, node)) {
            Some(values) => self.custom(node, base, &values, expansion.every, shape),
            None => plain,
        }
    }

    fn linear(
        &mut self,
        expansion: &Expansion<'_, '_>,
        base: Fixed,
        shape: NumberShape,
    ) -> Option<NumberWindow> {
        let fields = &expansion.fields;
        let limit = present(fields, "Limit").map(|node| shape.number(&mut self.reading.report, node));
        let Some(node) = fields.get("Delta") else {
            self.reading.report.missing(fields.node, "Delta", "a linear expansion needs it");
            return None;
        };
        let delta = shape.number(&mut self.reading.report, node)?;
        if delta < Fixed::ZERO {
            self.reading.report.wrong(node, "needs 0 or more: a custom expansion can go the other way");
            return None;
        }
        let limit = match limit {
            Some(read) => Some(read?),
            None => None,
        };
        let subtracted = self.reading.options.intersection_delta == IntersectionDelta::Subtracted;
        let (add, cap, floor) = match (shape.loosens_down, subtracted) {
            (true, true) => (Fixed::from_micros(-delta.micros()), None, Some(limit.unwrap_or(Fixed::ZERO))),
            (true, false) => (delta, Some(limit.unwrap_or(shape.greatest.max(base))), None),
            (false, _) => (delta, Some(limit.unwrap_or(shape.greatest.max(base))), None),
        };
        if let Some(limit) = limit {
            let is_beyond = if floor.is_some() { limit > base } else { limit < base };
            if is_beyond {
                let node = fields.get("Limit").unwrap_or(fields.node);
                let side = if floor.is_some() { "at most" } else { "at least" };
                self.reading.report.wrong(node, format!("needs {side} the {} of {base}", shape.base));
                return None;
            }
        }
        if shape.loosens_down && !subtracted && delta > Fixed::ZERO {
            self.tightens(node, "a Delta that is added to MinIntersectionSize");
        }
        Some(NumberWindow { base, expand: Expand::Linear { add, every: expansion.every, cap, floor } })
    }

    fn custom(
        &mut self,
        node: &Node<'_>,
        base: Fixed,
        values: &[Option<Fixed>],
        every: Millis,
        shape: NumberShape,
    ) -> NumberWindow {
        // The first entry holds from age 0 on: the plain value never does.
        let first = values.first().copied().flatten();
        if first.is_some_and(|first| first != base) {
            self.never_holds(shape.base, base, shape.overrides);
        }
        let base = first.unwrap_or(base);
        let mut steps = Vec::new();
        let mut before = Some(base);
        let mut tightens = false;
        for (index, &value) in values.iter().enumerate() {
            if value != before {
                tightens |= shape.tightens(before, value);
                steps.push(Step { after: age(every, index), value });
                before = value;
            }
        }
        if tightens {
            self.tightens(node, &format!("{} that become stricter with age", shape.overrides));
        }
        let expand = if steps.is_empty() { Expand::Never } else { Expand::Steps(steps) };
        NumberWindow { base, expand }
    }

    /// The steps of an equality, which is on before the first one.
    pub(super) fn switch_steps(&mut self) -> Vec<Step<bool>> {
        let key = "EnabledOverrides";
        let Some(expansion) = self.expansion(&[BETWEEN, "Type", key], false, &[key]) else {
            return Vec::new();
        };
        let Some(node) = present(&expansion.fields, key) else {
            self.reading.report.missing(expansion.fields.node, key, "the expansion needs it");
            return Vec::new();
        };
        let values = self.overrides(node, Report::bool).unwrap_or_default();
        let mut steps = Vec::new();
        let mut before = true;
        let mut tightens = false;
        for (index, value) in values.into_iter().enumerate() {
            let value = value.unwrap_or(false);
            if value != before {
                tightens |= value;
                steps.push(Step { after: age(expansion.every, index), value });
                before = value;
            }
        }
        if tightens {
            self.tightens(node, "EnabledOverrides that switch the rule on again");
        }
        steps
    }

    /// The plain bounds of a total and its steps; whether it has an expansion at all.
    pub(super) fn bounds_steps(&mut self, plain: Bounds) -> (Bounds, Vec<Step<Option<Bounds>>>, bool) {
        let keys = ["MinOverrides", "MaxOverrides"];
        let Some(expansion) = self.expansion(&[BETWEEN, "Type", keys[0], keys[1]], false, &keys) else {
            return (plain, Vec::new(), false);
        };
        let read = keys.map(|key| present(&expansion.fields, key));
        if read.iter().all(Option::is_none) {
            let remedy = "the expansion needs MinOverrides, MaxOverrides or both";
            self.reading.report.missing(expansion.fields.node, keys[0], remedy);
            return (plain, Vec::new(), true);
        }
        let lists = read.map(|node| node.map(|node| self.overrides(node, Report::number)));
        let mut values: Vec<Option<Bounds>> = Vec::new();
        let [mins, maxes] = match lists {
            [Some(None), _] | [_, Some(None)] => return (plain, Vec::new(), true),
            lists => lists.map(|list| list.flatten().unwrap_or_default()),
        };
        for index in 0..mins.len().max(maxes.len()) {
            // The last entry of each list holds; a list that is absent keeps the plain value.
            let at = |list: &[Option<Fixed>], plain| match list.get(index).or(list.last()) {
                Some(&value) => value.map(Some),
                None => Some(plain),
            };
            let bounds = match (at(&mins, plain.min), at(&maxes, plain.max)) {
                (Some(min), Some(max)) => Some(Bounds { min, max }),
                _ => None,
            };
            if let Some(Bounds { min: Some(min), max: Some(max) }) = bounds
                && min > max
            {
                let node = read[0].or(read[1]).unwrap_or(expansion.fields.node);
                let found = format!("a least sum of {min} above a greatest one of {max} in entry {index}");
                self.reading.report.push(Fault::new(node.start, found, "min is at most max"));
                return (plain, Vec::new(), true);
            }
            values.push(bounds);
        }
        let node = read[0].or(read[1]).unwrap_or(expansion.fields.node);
        let (base, steps) = self.bounds_changes(node, plain, &values, expansion.every);
        (base, steps, true)
    }

    fn bounds_changes(
        &mut self,
        node: &Node<'_>,
        plain: Bounds,
        values: &[Option<Bounds>],
        every: Millis,
    ) -> (Bounds, Vec<Step<Option<Bounds>>>) {
        let first = values.first().copied().flatten();
        if let Some(first) = first {
            let ends = [
                ("Min", plain.min, first.min, "MinOverrides"),
                ("Max", plain.max, first.max, "MaxOverrides"),
            ];
            for (key, plain, first, overrides) in ends {
                if let Some(plain) = plain.filter(|_| plain != first) {
                    self.never_holds(key, plain, overrides);
                }
            }
        }
        let base = first.unwrap_or(plain);
        let mut steps = Vec::new();
        let mut before = Some(base);
        let mut tightens = false;
        for (index, &value) in values.iter().enumerate() {
            if value != before {
                tightens |= match (before, value) {
                    (_, None) => false,
                    (None, Some(_)) => true,
                    (Some(before), Some(now)) => now.min > before.min || now.max < before.max,
                };
                steps.push(Step { after: age(every, index), value });
                before = value;
            }
        }
        if tightens {
            self.tightens(node, "overrides that become stricter with age");
        }
        (base, steps)
    }

    /// The rule's one expansion, with its interval; `None` without one, or after a fault.
    fn expansion(
        &mut self,
        keys: &[&str],
        can_be_linear: bool,
        overrides: &[&str],
    ) -> Option<Expansion<'a, 't>> {
        let brought: Vec<_> =
            KEYS.iter().filter_map(|&key| present(self.fields, key).map(|node| (key, node))).collect();
        let &(key, node) = brought.first()?;
        if let Some(&(second, second_node)) = brought.get(1) {
            let found = format!("{second} beside {key}");
            self.reading.report.push(Fault::new(second_node.start, found, "a rule has one expansion"));
            return None;
        }
        let report = &mut self.reading.report;
        self.reading.places.push((format!("{}.expand", self.place), node.start));
        let fields = report.fields(node, keys)?;
        let stated =
            present(&fields, "Type").map(|node| report.word(node, TYPES).map(|linear| (linear, node)));
        let is_linear = match (key, stated) {
            (_, Some(None)) => return None,
            ("LinearExpansion", None) => true,
            ("CustomExpansion", None) => false,
            (_, None) => !overrides.iter().any(|key| fields.get(key).is_some()) && can_be_linear,
            (_, Some(Some((is_linear, node)))) => {
                if key != "Expansion" && is_linear != (key == "LinearExpansion") {
                    report.wrong(node, format!("{key} says another type: leave Type out"));
                    return None;
                }
                is_linear
            }
        };
        if is_linear && !can_be_linear {
            report.wrong(node, "this rule expands by overrides only");
            return None;
        }
        let misplaced: &[&str] = if is_linear { overrides } else { &["Delta", "Limit"] };
        for &key in misplaced {
            if let Some(node) = present(&fields, key) {
                let kind = if is_linear { "linear" } else { "custom" };
                report.push(Fault::new(node.start, key, format!("a {kind} expansion has no {key}")));
            }
        }
        let every = match fields.get(BETWEEN) {
            Some(node) => match report.count(node) {
                Some(0) => {
                    report.wrong(node, "needs at least 1 second");
                    None
                }
                seconds => seconds,
            },
            None => {
                report.missing(fields.node, BETWEEN, "say after how many seconds the rule expands each time");
                None
            }
        };
        Some(Expansion { fields, is_linear, every: Millis(u64::from(every.unwrap_or(1)) * 1000) })
    }

    /// The entries of an override list: plain values, `{"Value": x}`, or null for off.
    fn overrides<T>(
        &mut self,
        node: &Node<'_>,
        read: impl Fn(&mut Report, &Node<'_>) -> Option<T>,
    ) -> Option<Vec<Option<T>>> {
        let report = &mut self.reading.report;
        let elements = report.array(node, "overrides")?;
        if elements.is_empty() {
            report.wrong(node, "needs at least one override");
            return None;
        }
        let entries = elements.iter().map(|element| match &element.value {
            Value::Null => Some(None),
            Value::Object(_) => {
                let fields = report.fields(element, &["Value"])?;
                let Some(value) = fields.get("Value") else {
                    report.missing(element, "Value", "an override is {\"Value\": ..} or null");
                    return None;
                };
                read(report, value).map(Some)
            }
            _ => read(report, element).map(Some),
        });
        let entries: Vec<_> = entries.collect();
        entries.into_iter().collect()
    }

    fn tightens(&mut self, node: &Node<'_>, found: &str) {
        self.spec.may_tighten = true;
        let remedy = "the rule becomes stricter for tickets that wait: kept as it is";
        self.reading.notes.push(Fault::new(node.start, found, remedy));
    }

    fn never_holds(&mut self, key: &str, value: Fixed, overrides: &str) {
        let offset = self.fields.get(key).map_or(self.fields.node.start, |node| node.start);
        let remedy = format!("it never holds: {overrides} replaces it from age 0 on");
        self.reading.notes.push(Fault::new(offset, format!("{key} {value}"), remedy));
    }
}

/// The age from which entry `index` holds.
fn age(every: Millis, index: usize) -> Millis {
    Millis(every.0.saturating_mul(index as u64))
}

/// A value that is there and not null: API clients write absent properties so.
pub(super) fn present<'a, 't>(fields: &Fields<'a, 't>, key: &str) -> Option<&'a Node<'t>> {
    fields.get(key).filter(|node| !matches!(node.value, Value::Null))
}
