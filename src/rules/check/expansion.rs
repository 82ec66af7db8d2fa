//! What a rule asks for at an age: the judge's own reading of steps, linear and power expansion.
//!
//! Called when the facts of a ticket are read. Invariant: written from the queue file's definition alone, apart
//! from the compiled windows.

use crate::base::fixed::{Fixed, MICROS};
use crate::model::ids::Millis;
use crate::rules::spec::{Bounds, Expand, NumberWindow, RuleKind, RuleSpec, Step};

/// What a rule allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Limit {
    /// One number: the greatest difference or ping, or the least count of shared values.
    Number(Fixed),
    /// A sum within bounds.
    Between(Bounds),
    /// A condition without a number.
    Plain,
}

/// How a rule stands at an age.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Hold {
    /// Whether it is a preference only.
    pub(super) optional: bool,
    /// What it allows; `None`: switched off.
    pub(super) limit: Option<Limit>,
}

impl Hold {
    /// Whether the rule binds: the ticket is in W.
    pub(super) fn binds(&self) -> bool {
        !self.optional && self.limit.is_some()
    }

    /// Whether the rule is a preference that can be broken: the ticket is in O, with a window.
    pub(super) fn prefers(&self) -> bool {
        self.optional && self.limit.is_some()
    }

    /// The window, if it is a number.
    pub(super) fn number(&self) -> Option<Fixed> {
        match self.limit {
            Some(Limit::Number(window)) => Some(window),
            _ => None,
        }
    }

    /// The bounds, if there are any.
    pub(super) fn bounds(&self) -> Option<Bounds> {
        match self.limit {
            Some(Limit::Between(bounds)) => Some(bounds),
            _ => None,
        }
    }
}

/// How `rule` stands at `age`.
pub(super) fn hold(rule: &RuleSpec, age: Millis) -> Hold {
    let optional = rule.optional_after.is_some_and(|after| age >= after);
    let limit = match &rule.kind {
        RuleKind::Equality { steps, .. } => last_step(steps, age).unwrap_or(true).then_some(Limit::Plain),
        RuleKind::Difference { window, .. }
        | RuleKind::TeamDifference { window, .. }
        | RuleKind::Intersection { window, .. }
        | RuleKind::Region { window, .. }
        | RuleKind::TeamSize { window } => number_at(window, age).map(Limit::Number),
        RuleKind::Total { bounds, steps, .. } => {
            last_step(steps, age).unwrap_or(Some(*bounds)).map(Limit::Between)
        }
        RuleKind::PremadeBalance => Some(Limit::Plain),
    };
    Hold { optional, limit }
}

/// The value of the last step that `age` has reached.
fn last_step<T: Copy>(steps: &[Step<T>], age: Millis) -> Option<T> {
    steps.iter().filter(|step| step.after <= age).max_by_key(|step| step.after).map(|step| step.value)
}

/// The window at `age`; `None`: switched off.
pub(super) fn number_at(window: &NumberWindow, age: Millis) -> Option<Fixed> {
    let base = window.base;
    match &window.expand {
        Expand::Never => Some(base),
        Expand::Linear { add, every, cap, floor } => Some(linear(base, *add, *every, *cap, *floor, age)),
        Expand::Power { factor, exponent, cap } => Some(power(base, *factor, *exponent, *cap, age)),
        Expand::Steps(steps) => last_step(steps, age).unwrap_or(Some(base)),
    }
}

fn linear(
    base: Fixed,
    add: Fixed,
    every: Millis,
    cap: Option<Fixed>,
    floor: Option<Fixed>,
    age: Millis,
) -> Fixed {
    let times = age.0 / every.0.max(1);
    let mut micros = i128::from(base.micros()) + i128::from(add.micros()) * i128::from(times);
    if let Some(cap) = cap {
        micros = micros.min(i128::from(cap.micros()));
    }
    if let Some(floor) = floor {
        micros = micros.max(i128::from(floor.micros()));
    }
    saturated(micros)
}

fn power(base: Fixed, factor: Fixed, exponent: Fixed, cap: Option<Fixed>, age: Millis) -> Fixed {
    let seconds = age.0 as f64 / 1000.0;
    let growth = MICROS as f64 * (factor.to_f64() * libm::pow(seconds, exponent.to_f64()));
    // The cast saturates, so an overflow to infinity is the greatest window.
    let mut micros = i128::from(base.micros()) + i128::from(libm::floor(growth) as i64);
    if let Some(cap) = cap {
        micros = micros.min(i128::from(cap.micros()));
    }
    saturated(micros)
}

fn saturated(micros: i128) -> Fixed {
    let least = i128::from(Fixed::MIN.micros());
    let most = i128::from(Fixed::MAX.micros());
    Fixed::from_micros(micros.clamp(least, most) as i64)
}
