//! Windows: what a rule allows at an age, and when that changes.
//!
//! Compiled from a queue's raw rules; asked by searches for every ticket they look at, by the timers for the
//! next time at which anything could change, and by `check` for its table. Invariant: [`Window::at`] is the
//! only evaluation of a window in the compiled path; the crossing times are found on that very function, so a
//! time that is promised is the time at which the function really changes.

use super::spec::{Bounds, Expand, NumberWindow, Step};
use crate::base::fixed::Fixed;
use crate::model::ids::Millis;

/// What a rule allows at an age.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WindowAt<T> {
    /// The limit; `None`: switched off.
    pub limit: Option<T>,
    /// A preference only.
    pub optional: bool,
}

impl<T: Copy> WindowAt<T> {
    /// The limit, if the rule is enforced.
    pub fn bound(self) -> Option<T> {
        if self.optional { None } else { self.limit }
    }

    /// The limit, if it is a preference.
    pub fn preferred(self) -> Option<T> {
        if self.optional { self.limit } else { None }
    }
}

/// How a number changes with age.
#[derive(Clone, Debug)]
enum Curve {
    Constant,
    Linear { add: i64, every: u64, cap: i64, floor: i64 },
    Power { factor: f64, exponent: f64, cap: i64 },
    Steps(Box<[Step<Option<Fixed>>]>),
}

/// A number that changes with age and may become optional: a difference, a ping, a count.
#[derive(Clone, Debug)]
pub struct Window {
    base: i64,
    curve: Curve,
    optional_after: Option<Millis>,
}

impl Window {
    /// Compiles a raw window.
    pub fn new(raw: &NumberWindow, optional_after: Option<Millis>) -> Window {
        let cap_of = |cap: Option<Fixed>| cap.unwrap_or(Fixed::MAX).micros();
        let curve = match &raw.expand {
            Expand::Never => Curve::Constant,
            Expand::Linear { add, every, cap, floor } => Curve::Linear {
                add: add.micros(),
                every: every.0.max(1),
                cap: cap_of(*cap),
                floor: floor.unwrap_or(Fixed::MIN).micros(),
            },
            Expand::Power { factor, exponent, cap } => {
                Curve::Power { factor: factor.to_f64(), exponent: exponent.to_f64(), cap: cap_of(*cap) }
            }
            Expand::Steps(steps) => Curve::Steps(steps.clone().into_boxed_slice()),
        };
        Window { base: raw.base.micros(), curve, optional_after }
    }

    /// What holds at `age`, in units of 0.000001.
    pub fn at(&self, age: Millis) -> WindowAt<i64> {
        WindowAt {
            limit: self.limit_at(age),
            optional: self.optional_after.is_some_and(|after| age >= after),
        }
    }

    fn limit_at(&self, age: Millis) -> Option<i64> {
        match &self.curve {
            Curve::Constant => Some(self.base),
            Curve::Linear { add, every, cap, floor } => {
                let times = i128::from(age.0 / every);
                let grown = i128::from(self.base) + i128::from(*add) * times;
                Some(grown.min(i128::from(*cap)).max(i128::from(*floor)) as i64)
            }
            Curve::Power { factor, exponent, cap } => {
                let age_s = age.0 as f64 / 1000.0;
                // A float to integer cast saturates, so an overflowing power ends at the cap.
                let grown = (1e6 * (factor * libm::pow(age_s, *exponent))).floor() as i64;
                Some(self.base.saturating_add(grown).min(*cap))
            }
            Curve::Steps(steps) => {
                reached(steps, age).unwrap_or(Some(Fixed::from_micros(self.base))).map(Fixed::micros)
            }
        }
    }

    /// The greatest limit at any age below `end` (`None`: at any age), and whether the rule is ever optional or
    /// off below it. The age is in whole milliseconds, so the last one is `end - 1`.
    pub fn greatest(&self, end: Option<Millis>) -> Greatest {
        let last = end.map_or(Millis(u64::MAX >> 1), |end| Millis(end.0.saturating_sub(1)));
        let optional = self.optional_after.is_some_and(|after| after <= last);
        let (limit, off) = match &self.curve {
            Curve::Steps(steps) => {
                let first = steps
                    .first()
                    .is_none_or(|s| s.after.0 > 0)
                    .then_some(Some(Fixed::from_micros(self.base)));
                let values =
                    first.into_iter().chain(steps.iter().filter(|s| s.after <= last).map(|s| s.value));
                let mut greatest = i64::MIN;
                let mut off = false;
                for value in values {
                    match value {
                        Some(value) => greatest = greatest.max(value.micros()),
                        None => off = true,
                    }
                }
                (greatest, off)
            }
            _ => {
                let at = |age| self.limit_at(age).unwrap_or(i64::MAX);
                (at(Millis(0)).max(at(last)), false)
            }
        };
        Greatest { limit, vanishes: optional || off }
    }

    /// Whether the window never gets smaller with age, counting off and optional as the loosest: for rules in
    /// which a larger number is looser.
    pub fn only_loosens(&self) -> bool {
        match &self.curve {
            Curve::Constant => true,
            Curve::Linear { add, .. } => *add >= 0,
            Curve::Power { factor, .. } => *factor >= 0.0,
            Curve::Steps(steps) => steps_only_loosen(self.base, steps, |old, new| new >= old),
        }
    }

    /// Whether the window never gets larger with age, counting off and optional as the loosest: the mirror of
    /// [`Window::only_loosens`] for rules in which a smaller number is looser.
    pub fn only_falls(&self) -> bool {
        match &self.curve {
            Curve::Constant => true,
            Curve::Linear { add, .. } => *add <= 0,
            Curve::Power { factor, .. } => *factor <= 0.0,
            Curve::Steps(steps) => steps_only_loosen(self.base, steps, |old, new| new <= old),
        }
    }

    /// The least age after `age` at which the window is another, or could be: exact for steps and linear growth,
    /// the next millisecond for a power below its cap.
    pub fn next_change(&self, age: Millis) -> Option<Millis> {
        let curve = match &self.curve {
            Curve::Constant => None,
            Curve::Linear { add, every, .. } => {
                let next = Millis((age.0 / every + 1).saturating_mul(*every));
                (*add != 0 && self.limit_at(age) != self.limit_at(next)).then_some(next)
            }
            Curve::Power { factor, cap, .. } => (*factor > 0.0
                && self.limit_at(age).is_some_and(|limit| limit < *cap))
            .then_some(age.after(Millis(1))),
            Curve::Steps(steps) => next_step(steps, age),
        };
        earliest(curve, self.optional_after.filter(|&after| after > age))
    }

    /// The least age after `age` at which the answer to "is `distance` allowed?" may be another one (off and
    /// optional allow everything); `None`: never. Never later than the true change.
    pub fn next_crossing(&self, age: Millis, distance: i64) -> Option<Millis> {
        self.next_flip(age, distance, |limit| distance <= limit)
    }

    /// The same for "is the window at most `count`?", for rules in which a smaller number is looser.
    pub fn next_fall(&self, age: Millis, count: i64) -> Option<Millis> {
        self.next_flip(age, count, |limit| limit <= count)
    }

    /// The least age after `age` at which what a limit allows may be another; `allows` is monotone in the limit and
    /// turns near `target`.
    fn next_flip(&self, age: Millis, target: i64, allows: impl Fn(i64) -> bool) -> Option<Millis> {
        let turns_optional = self.optional_after.filter(|&after| after > age);
        if self.at(age).optional {
            return None;
        }
        let allowed = |age| self.limit_at(age).is_none_or(&allows);
        let curve = match &self.curve {
            Curve::Constant => None,
            Curve::Steps(steps) => {
                let now = allowed(age);
                steps.iter().map(|step| step.after).find(|&after| after > age && allowed(after) != now)
            }
            // Both are monotone: bisection on the forward function finds the least age that differs, from where the
            // inverse says that it might be.
            Curve::Linear { add, every, .. } => {
                let period = |n: u64| Millis((age.0 / every + n).saturating_mul(*every));
                let times = target.saturating_sub(self.base) / (*add).max(1);
                let hint = u64::try_from(times).unwrap_or(0).saturating_sub(age.0 / every);
                first_difference(|n| allowed(period(n)), allowed(age), hint).map(period)
            }
            Curve::Power { factor, exponent, .. } => {
                let later = |n: u64| Millis(age.0.saturating_add(n));
                let grown = (target as f64 - self.base as f64) / (1e6 * factor);
                // Not a number becomes 0.
                let hint = (1000.0 * libm::pow(grown, 1.0 / exponent)) as u64;
                first_difference(|n| allowed(later(n)), allowed(age), hint.saturating_sub(age.0)).map(later)
            }
        };
        // A rule that turns optional allows everything: that changes a "no" only, but is said for both.
        earliest(curve, turns_optional)
    }
}

/// The greatest limit that a window ever has, and whether the rule ever stops to bind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Greatest {
    /// In units of 0.000001; the least number if the rule is off at every age.
    pub limit: i64,
    /// The rule can become optional or off.
    pub vanishes: bool,
}

/// A condition without a number: an equality, a balance of large parties.
#[derive(Clone, Debug)]
pub struct Switch {
    steps: Box<[Step<bool>]>,
    optional_after: Option<Millis>,
}

impl Switch {
    /// Compiles raw steps; on before the first one.
    pub fn new(steps: &[Step<bool>], optional_after: Option<Millis>) -> Switch {
        Switch { steps: steps.into(), optional_after }
    }

    /// Whether the condition holds at `age`.
    pub fn at(&self, age: Millis) -> WindowAt<()> {
        let on = reached(&self.steps, age).unwrap_or(true);
        WindowAt { limit: on.then_some(()), optional: self.optional_after.is_some_and(|after| age >= after) }
    }

    /// The least age after `age` at which that is another.
    pub fn next_change(&self, age: Millis) -> Option<Millis> {
        earliest(next_step(&self.steps, age), self.optional_after.filter(|&after| after > age))
    }

    /// Whether the condition is never switched on again after it was off.
    pub fn only_loosens(&self) -> bool {
        self.steps.windows(2).all(|pair| pair[0].value || !pair[1].value)
    }

    /// Whether the condition is enforced at every age below `end`.
    pub fn always(&self, end: Option<Millis>) -> bool {
        let below = |after: Millis| end.is_none_or(|end| after < end);
        !self.optional_after.is_some_and(below)
            && !self.steps.iter().any(|step| !step.value && below(step.after))
    }
}

/// Bounds that change with age.
#[derive(Clone, Debug)]
pub struct Band {
    base: Bounds,
    steps: Box<[Step<Option<Bounds>>]>,
    optional_after: Option<Millis>,
}

impl Band {
    /// Compiles raw bounds.
    pub fn new(base: Bounds, steps: &[Step<Option<Bounds>>], optional_after: Option<Millis>) -> Band {
        Band { base, steps: steps.into(), optional_after }
    }

    /// What holds at `age`.
    pub fn at(&self, age: Millis) -> WindowAt<Bounds> {
        WindowAt {
            limit: reached(&self.steps, age).unwrap_or(Some(self.base)),
            optional: self.optional_after.is_some_and(|after| age >= after),
        }
    }

    /// The least age after `age` at which that is another.
    pub fn next_change(&self, age: Millis) -> Option<Millis> {
        earliest(next_step(&self.steps, age), self.optional_after.filter(|&after| after > age))
    }

    /// The least minimum at any age below `end`; `None`: at some age there is none, or the rule can become optional or
    /// off.
    pub fn least_min(&self, end: Option<Millis>) -> Option<Fixed> {
        let mut least = Fixed::MAX;
        for bounds in self.bounds_below(end)? {
            least = least.min(bounds?.min?);
        }
        Some(least)
    }

    /// The greatest maximum at any age below `end`; `None`: at some age there is none, or the rule can become
    /// optional or off.
    pub fn greatest_max(&self, end: Option<Millis>) -> Option<Fixed> {
        let mut greatest = Fixed::MIN;
        for bounds in self.bounds_below(end)? {
            greatest = greatest.max(bounds?.max?);
        }
        Some(greatest)
    }

    /// The bounds at all ages below `end`; `None`: the rule can become optional.
    fn bounds_below(&self, end: Option<Millis>) -> Option<impl Iterator<Item = Option<Bounds>> + '_> {
        let below = move |after: Millis| end.is_none_or(|end| after < end);
        if self.optional_after.is_some_and(below) {
            return None;
        }
        let plain = self.steps.first().is_none_or(|s| s.after.0 > 0).then_some(Some(self.base));
        let stepped = self.steps.iter().filter(move |s| below(s.after)).map(|s| s.value);
        Some(plain.into_iter().chain(stepped))
    }
}

/// Whether no step is stricter than what it follows; a step at age 0 replaces the base.
fn steps_only_loosen(
    base: i64,
    steps: &[Step<Option<Fixed>>],
    looser_or_same: impl Fn(Fixed, Fixed) -> bool,
) -> bool {
    let mut last = Some(Fixed::from_micros(base));
    steps.iter().all(|step| {
        let loosens = match (last, step.value) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(old), Some(new)) => looser_or_same(old, new),
        };
        last = step.value;
        loosens || step.after.0 == 0
    })
}

/// The value of the last step that `age` has reached.
fn reached<T: Copy>(steps: &[Step<T>], age: Millis) -> Option<T> {
    steps[..steps.partition_point(|step| step.after <= age)].last().map(|step| step.value)
}

fn next_step<T>(steps: &[Step<T>], age: Millis) -> Option<Millis> {
    steps.get(steps.partition_point(|step| step.after <= age)).map(|step| step.after)
}

/// The earlier of two instants that may not come.
pub fn earliest(a: Option<Millis>, b: Option<Millis>) -> Option<Millis> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (some, None) | (None, some) => some,
    }
}

/// The least `n >= 1` at which the monotone `answer` differs from `now`; `None` if it never does up to 2^53. `hint`:
/// where it may be; a good one saves all but a few questions.
fn first_difference(answer: impl Fn(u64) -> bool, now: bool, hint: u64) -> Option<u64> {
    const FAR: u64 = 1 << 53;
    if answer(FAR) == now {
        return None;
    }
    // Invariant: the answer is still the same at `low`, and another at `high`.
    let (mut low, mut high) = (0, FAR);
    let hint = hint.clamp(1, FAR - 1);
    let mut stride = 1;
    if answer(hint) == now {
        low = hint;
        while low + stride < high {
            if answer(low + stride) == now {
                low += stride
            } else {
                high = low + stride
            }
            stride *= 2;
        }
    } else {
        high = hint;
        while low + stride < high {
            if answer(high - stride) == now {
                low = high - stride
            } else {
                high -= stride
            }
            stride *= 2;
        }
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if answer(middle) == now { low = middle } else { high = middle }
    }
    Some(high)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn power() -> Window {
        let raw = NumberWindow {
            base: Fixed::from_int(50),
            expand: Expand::Power {
                factor: Fixed::from_micros(4_500_000),
                exponent: Fixed::from_micros(1_350_000),
                cap: Some(Fixed::from_int(600)),
            },
        };
        Window::new(&raw, None)
    }

    fn linear() -> Window {
        let raw = NumberWindow {
            base: Fixed::from_int(35),
            expand: Expand::Linear {
                add: Fixed::from_int(15),
                every: Millis(4000),
                cap: Some(Fixed::from_int(180)),
                floor: None,
            },
        };
        Window::new(&raw, None)
    }

    #[test]
    fn follows_the_vectors_of_the_design() {
        let vectors = [
            (0, 50.0, 35),
            (4, 79.24, 50),
            (10, 150.74, 65),
            (15, 224.15, 80),
            (20, 306.80, 110),
            (30, 493.94, 140),
        ];
        for (age_s, skill, ping) in vectors {
            let age = Millis(age_s * 1000);
            let hundredths = (power().at(age).limit.unwrap() as f64 / 10_000.0).round() / 100.0;
            assert_eq!(hundredths, skill, "skill at {age_s} s");
            assert_eq!(linear().at(age).limit.unwrap(), ping * 1_000_000, "ping at {age_s} s");
        }
    }

    #[test]
    fn crossings_are_where_the_function_changes() {
        let cap = power().next_crossing(Millis(0), 600_000_000).unwrap();
        assert_eq!(cap, Millis(35_160));
        assert!(power().at(cap).limit.unwrap() >= 600_000_000);
        assert!(power().at(Millis(cap.0 - 1)).limit.unwrap() < 600_000_000);
        assert_eq!(power().next_crossing(Millis(0), 600_000_001), None);
        assert_eq!(linear().next_crossing(Millis(0), 180_000_000), Some(Millis(40_000)));
        assert_eq!(linear().next_crossing(Millis(5000), 51_000_000), Some(Millis(8000)));
        assert_eq!(linear().next_change(Millis(39_999)), Some(Millis(40_000)));
        assert_eq!(linear().next_change(Millis(40_000)), None);
    }

    #[test]
    fn steps_switch_off_and_on() {
        let step =
            |after, value: Option<i64>| Step { after: Millis(after), value: value.map(Fixed::from_int) };
        let raw = NumberWindow {
            base: Fixed::from_int(10),
            expand: Expand::Steps(vec![step(100, Some(20)), step(200, None), step(300, Some(5))]),
        };
        let window = Window::new(&raw, Some(Millis(400)));
        let at = |age| window.at(Millis(age)).bound().map(|limit| limit / 1_000_000);
        assert_eq!(
            [at(0), at(99), at(100), at(200), at(300), at(400)],
            [Some(10), Some(10), Some(20), None, Some(5), None]
        );
        assert!(!window.only_loosens());
        assert_eq!(window.next_crossing(Millis(0), 15_000_000), Some(Millis(100)));
        assert_eq!(window.next_crossing(Millis(100), 30_000_000), Some(Millis(200)));
        assert_eq!(window.next_crossing(Millis(200), 30_000_000), Some(Millis(300)));
        assert_eq!(window.next_crossing(Millis(300), 30_000_000), Some(Millis(400)));
        assert_eq!(window.next_fall(Millis(0), 7_000_000), Some(Millis(200)));
        assert_eq!(window.next_fall(Millis(100), 5_000_000), Some(Millis(200)));
        assert_eq!(window.greatest(Some(Millis(150))), Greatest { limit: 20_000_000, vanishes: false });
        assert!(window.greatest(Some(Millis(201))).vanishes);
    }
}
