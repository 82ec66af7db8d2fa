//! Windows and their expansion: numbers in range, steps in order, nothing that tightens unsaid, nothing
//! without an end. Called by the checks of rules only.

use super::Faults;
use crate::base::fixed::Fixed;
use crate::model::ids::Millis;
use crate::model::limits::STEPS_MAX;
use crate::rules::spec::{Bounds, Expand, NumberWindow, RuleSpec, Step};

/// A number window, and what the rule that has it makes of it.
pub(super) struct WindowCheck<'a> {
    /// The place of the rule.
    pub(super) place: &'a str,
    /// The key of the window's base.
    pub(super) key: &'static str,
    /// Whether a smaller number is the looser one.
    pub(super) loosens_down: bool,
    /// Whether only whole numbers make sense.
    pub(super) whole: bool,
    /// The greatest number that can have a meaning.
    pub(super) greatest: Fixed,
    /// Whether the rule says that it may tighten.
    pub(super) may_tighten: bool,
    /// The queue's timeout.
    pub(super) timeout: Option<Millis>,
}

impl WindowCheck<'_> {
    /// Adds the faults of `window`.
    pub(super) fn check(&self, faults: &mut Faults, window: &NumberWindow) {
        self.value(faults, &self.at(self.key), window.base);
        match &window.expand {
            Expand::Never => {}
            Expand::Linear { add, every, cap, floor } => {
                self.linear(faults, window.base, *add, *every);
                self.linear_ends(faults, window.base, *add, *every, *cap, *floor);
            }
            Expand::Power { factor, exponent, cap } => {
                self.power(faults, window.base, *factor, *exponent, *cap)
            }
            Expand::Steps(steps) => self.steps(faults, window.base, steps),
        }
    }

    fn at(&self, key: &str) -> String {
        format!("{}.{key}", self.place)
    }

    /// A value that the window may have.
    fn value(&self, faults: &mut Faults, place: &str, value: Fixed) {
        if value < Fixed::ZERO {
            faults.add(place, value.to_string(), "needs 0 or more");
        } else if self.whole && !value.is_whole() {
            faults.add(place, value.to_string(), "needs a whole number");
        } else if value > self.greatest {
            faults.add(place, value.to_string(), format!("needs at most {}", self.greatest));
        }
    }

    fn linear(&self, faults: &mut Faults, base: Fixed, add: Fixed, every: Millis) {
        let place = self.at("expand.linear.add");
        if every.0 == 0 {
            faults.add(self.at("expand.linear.every_s"), "0", "needs at least 0.001 seconds");
        }
        let tightens = if self.loosens_down { add > Fixed::ZERO } else { add < Fixed::ZERO };
        if self.whole && !add.is_whole() {
            faults.add(place, add.to_string(), "needs a whole number");
        } else if tightens && !self.may_tighten {
            faults.add(
                place,
                format!("{add} added to {base}, which tightens"),
                format!(
                    "needs {}, or \"may_tighten\": true",
                    if self.loosens_down { "0 or less" } else { "0 or more" }
                ),
            );
        }
    }

    fn linear_ends(
        &self,
        faults: &mut Faults,
        base: Fixed,
        add: Fixed,
        every: Millis,
        cap: Option<Fixed>,
        floor: Option<Fixed>,
    ) {
        let (cap_at, floor_at) = (self.at("expand.linear.cap"), self.at("expand.linear.floor"));
        self.cap(faults, &cap_at, base, cap);
        if let Some(floor) = floor {
            if floor > base {
                faults.add(
                    &*floor_at,
                    format!("{floor} above the {} of {base}", self.key),
                    format!("needs at most {base}"),
                );
            } else {
                self.value(faults, &floor_at, floor);
            }
        }
        if add > Fixed::ZERO && cap.is_none() && self.timeout.is_none() {
            faults.add(cap_at, "an expansion without an end", "give a cap, or the queue a timeout_s");
        } else if add < Fixed::ZERO && floor.is_none() {
            match self.timeout {
                None => faults.add(
                    floor_at,
                    "an expansion without an end",
                    "give a floor, or the queue a timeout_s",
                ),
                Some(timeout) if !self.loosens_down && falls_below_zero(base, add, every, timeout) => {
                    faults.add(
                        floor_at,
                        "a window that falls below 0 before the timeout",
                        "give a floor of 0 or more",
                    );
                }
                Some(_) => {}
            }
        }
    }

    fn cap(&self, faults: &mut Faults, place: &str, base: Fixed, cap: Option<Fixed>) {
        let Some(cap) = cap else { return };
        if cap < base {
            faults.add(
                place,
                format!("{cap} below the {} of {base}", self.key),
                format!("needs at least {base}"),
            );
        } else {
            self.value(faults, place, cap);
        }
    }

    fn power(&self, faults: &mut Faults, base: Fixed, factor: Fixed, exponent: Fixed, cap: Option<Fixed>) {
        if factor < Fixed::ZERO {
            faults.add(self.at("expand.power.factor"), factor.to_string(), "needs 0 or more");
        } else if factor > Fixed::ZERO && self.loosens_down && !self.may_tighten {
            faults.add(
                self.at("expand.power"),
                format!("a power added to {base}, which tightens"),
                "use linear with a negative add, or steps, or \"may_tighten\": true",
            );
        }
        if exponent <= Fixed::ZERO {
            faults.add(self.at("expand.power.exponent"), exponent.to_string(), "needs more than 0");
        }
        let cap_at = self.at("expand.power.cap");
        self.cap(faults, &cap_at, base, cap);
        if factor > Fixed::ZERO && cap.is_none() && self.timeout.is_none() {
            faults.add(cap_at, "an expansion without an end", "give a cap, or the queue a timeout_s");
        }
    }

    fn steps(&self, faults: &mut Faults, base: Fixed, steps: &[Step<Option<Fixed>>]) {
        step_order(faults, self.place, steps);
        let mut before = Some(base);
        for (i, step) in steps.iter().enumerate().take(STEPS_MAX) {
            let place = format!("{}.expand.steps[{i}].value", self.place);
            let tightens = match (before, step.value) {
                (_, None) => false,
                (None, Some(_)) => true,
                (Some(before), Some(now)) if self.loosens_down => now > before,
                (Some(before), Some(now)) => now < before,
            };
            if tightens && !self.may_tighten {
                tightening(faults, &place, &shown(step.value), &shown(before));
            } else if let Some(value) = step.value {
                self.value(faults, &place, value);
            }
            before = step.value;
        }
    }
}

/// Whether a linear window without a floor is below 0 for a ticket that has not timed out yet.
fn falls_below_zero(base: Fixed, add: Fixed, every: Millis, timeout: Millis) -> bool {
    let times = i128::from(timeout.0.saturating_sub(1) / every.0.max(1));
    i128::from(base.micros()) + i128::from(add.micros()) * times < 0
}

fn shown(value: Option<Fixed>) -> String {
    value.map_or("null (off)".to_owned(), |value| value.to_string())
}

fn tightening(faults: &mut Faults, place: &str, now: &str, before: &str) {
    faults.add(
        place,
        format!("{now} after {before}, which tightens"),
        "steps loosen with age, unless the rule says \"may_tighten\": true",
    );
}

/// Adds the faults of the ages and the count of steps.
pub(super) fn step_order<T>(faults: &mut Faults, rule: &str, steps: &[Step<T>]) {
    for (i, step) in steps.iter().enumerate() {
        let place = format!("{rule}.expand.steps[{i}]");
        if i == STEPS_MAX {
            faults.add(
                place,
                format!("{} steps", steps.len()),
                format!("a rule has at most {STEPS_MAX} steps"),
            );
            return;
        }
        let place = format!("{place}.after_s");
        super::queue::time(faults, &place, Some(step.after));
        if let Some(before) = i.checked_sub(1).and_then(|k| steps.get(k))
            && step.after <= before.after
        {
            faults.add(
                place,
                format!("{} after {}", step.after, before.after),
                "steps stand in the order of their ages",
            );
        }
    }
}

/// Adds the faults of the steps of an equality.
pub(super) fn switch_steps(faults: &mut Faults, place: &str, rule: &RuleSpec, steps: &[Step<bool>]) {
    step_order(faults, place, steps);
    let mut before = true;
    for (i, step) in steps.iter().enumerate().take(STEPS_MAX) {
        if step.value && !before && !rule.may_tighten {
            tightening(faults, &format!("{place}.expand.steps[{i}].value"), "true", "false");
        }
        before = step.value;
    }
}

/// Adds the faults of the steps of a total.
pub(super) fn bound_steps(
    faults: &mut Faults,
    place: &str,
    rule: &RuleSpec,
    base: Bounds,
    steps: &[Step<Option<Bounds>>],
) {
    step_order(faults, place, steps);
    let mut before = Some(base);
    for (i, step) in steps.iter().enumerate().take(STEPS_MAX) {
        let place = format!("{place}.expand.steps[{i}].value");
        if let Some(now) = step.value {
            if !bounds(faults, &place, now, "use null to switch the rule off") {
                // One fault at a place is enough.
            } else if before.is_none_or(|before| narrows(before, now)) && !rule.may_tighten {
                tightening(faults, &place, &shown_bounds(Some(now)), &shown_bounds(before));
            }
        }
        before = step.value;
    }
}

/// Whether the bounds are not empty and in order; adds the fault if not.
pub(super) fn bounds(faults: &mut Faults, place: &str, bounds: Bounds, remedy_if_empty: &str) -> bool {
    match (bounds.min, bounds.max) {
        (None, None) => faults.add(place, "neither min nor max", remedy_if_empty),
        (Some(min), Some(max)) if min > max => {
            faults.add(place, format!("min {min} above max {max}"), "min is at most max");
        }
        _ => return true,
    }
    false
}

fn narrows(before: Bounds, now: Bounds) -> bool {
    let least = |bounds: Bounds| bounds.min.unwrap_or(Fixed::MIN);
    let most = |bounds: Bounds| bounds.max.unwrap_or(Fixed::MAX);
    // An absent bound is looser than any number, so a written one at the end of the range narrows too.
    least(now) > least(before)
        || most(now) < most(before)
        || (before.min.is_none() && now.min.is_some())
        || (before.max.is_none() && now.max.is_some())
}

fn shown_bounds(bounds: Option<Bounds>) -> String {
    match bounds {
        None => "null (off)".to_owned(),
        Some(Bounds { min: Some(min), max: Some(max) }) => format!("{min} to {max}"),
        Some(Bounds { min: Some(min), max: None }) => format!("at least {min}"),
        Some(Bounds { min: None, max: Some(max) }) => format!("at most {max}"),
        Some(Bounds { min: None, max: None }) => "no bounds".to_owned(),
    }
}
