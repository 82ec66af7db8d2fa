//! What each rule allows at an age, and the ages at which that changes.
//!
//! Used by `check` and `shares`. Windows are evaluated by the library's own compiled form, so a table shows
//! what the engine does.

use evenmatch::base::fixed::Fixed;
use evenmatch::model::ids::Millis;
use evenmatch::model::status::WindowNow;
use evenmatch::rules::spec::{Expand, NumberWindow, RuleKind, RuleSpec};
use evenmatch::rules::window::{Band, Switch, Window, WindowAt};

/// What `rule` allows at `age`.
pub(crate) fn window_at(rule: &RuleSpec, age: Millis) -> WindowNow {
    let after = rule.optional_after;
    match &rule.kind {
        RuleKind::Equality { steps, .. } => condition(Switch::new(steps, after).at(age)),
        RuleKind::PremadeBalance => condition(Switch::new(&[], after).at(age)),
        RuleKind::Total { bounds, steps, .. } => {
            let now = Band::new(*bounds, steps, after).at(age);
            match (now.bound(), now.optional) {
                (Some(bounds), _) => WindowNow::Between(bounds.min, bounds.max),
                (None, true) => WindowNow::Optional(None),
                (None, false) => WindowNow::Off,
            }
        }
        RuleKind::Difference { window, .. }
        | RuleKind::TeamDifference { window, .. }
        | RuleKind::Intersection { window, .. }
        | RuleKind::Region { window, .. }
        | RuleKind::TeamSize { window } => {
            let now = Window::new(window, after).at(age);
            match (now.limit.map(Fixed::from_micros), now.optional) {
                (preferred, true) => WindowNow::Optional(preferred),
                (Some(limit), false) => WindowNow::Limit(limit),
                (None, false) => WindowNow::Off,
            }
        }
    }
}

fn condition(now: WindowAt<()>) -> WindowNow {
    match (now.limit, now.optional) {
        (_, true) => WindowNow::Optional(None),
        (Some(()), false) => WindowNow::Enforced,
        (None, false) => WindowNow::Off,
    }
}

/// The number that a window has at `age`, optional or not; `None`: switched off.
pub(crate) fn number_at(window: &NumberWindow, age: Millis) -> Option<Fixed> {
    Window::new(window, None).at(age).limit.map(Fixed::from_micros)
}

/// The rule's number window, if it has one.
pub(crate) fn number_window(rule: &RuleSpec) -> Option<&NumberWindow> {
    match &rule.kind {
        RuleKind::Difference { window, .. }
        | RuleKind::TeamDifference { window, .. }
        | RuleKind::Intersection { window, .. }
        | RuleKind::Region { window, .. }
        | RuleKind::TeamSize { window } => Some(window),
        RuleKind::Equality { .. } | RuleKind::Total { .. } | RuleKind::PremadeBalance => None,
    }
}

/// Rows of a table for a window that changes without a pause: round ages, those of the design's test vectors
/// first.
const POWER_AGES_S: [u64; 17] = [2, 4, 7, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300, 420, 600, 900];
/// At most so many changes of one linear window stand in a table; more are thinned out evenly.
const LINEAR_ROWS_MAX: u64 = 40;
/// Without a timeout a table ends here at the latest.
const TABLE_END_MS: u64 = 1_000_000;

/// The ages at which a table of the rule should have a row, up to and including `until`: 0, every change, the
/// age at which a cap is reached. The flag says whether changes had to be left out.
pub(crate) fn ages(rule: &RuleSpec, until: Option<Millis>) -> (Vec<Millis>, bool) {
    let end = until.unwrap_or(Millis(TABLE_END_MS));
    let mut ages = vec![Millis(0)];
    let mut thinned = false;
    ages.extend(rule.optional_after);
    match &rule.kind {
        RuleKind::Equality { steps, .. } => ages.extend(steps.iter().map(|step| step.after)),
        RuleKind::Total { steps, .. } => ages.extend(steps.iter().map(|step| step.after)),
        _ => {}
    }
    if let Some(window) = number_window(rule) {
        match &window.expand {
            Expand::Never => {}
            Expand::Steps(steps) => ages.extend(steps.iter().map(|step| step.after)),
            Expand::Linear { every, .. } => {
                let last = settled_at(window, end).unwrap_or(end);
                let changes = last.0 / every.0.max(1);
                let stride = changes.div_ceil(LINEAR_ROWS_MAX).max(1);
                thinned = stride > 1;
                ages.extend((1..=changes / stride).map(|row| Millis(row * stride * every.0)));
                ages.push(last);
            }
            Expand::Power { .. } => {
                let last = settled_at(window, end).unwrap_or(end);
                let round = POWER_AGES_S.iter().map(|&seconds| Millis(seconds * 1000));
                ages.extend(round.filter(|&age| age < last));
                ages.push(last);
            }
        }
    }
    ages.retain(|&age| age <= end);
    ages.sort_unstable();
    ages.dedup();
    (ages, thinned)
}

/// The least age from which the window has the number that it has at `end`, by bisection; `None` if it still
/// changes at `end` itself.
///
/// Right for windows that only grow or only shrink, which linear and power windows do.
pub(crate) fn settled_at(window: &NumberWindow, end: Millis) -> Option<Millis> {
    let last = number_at(window, end);
    let (mut low, mut high) = (0, end.0);
    while low < high {
        let middle = low + (high - low) / 2;
        if number_at(window, Millis(middle)) == last {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    let still_moving = number_at(window, Millis(end.0.saturating_mul(2).max(1000))) != last;
    (!still_moving).then_some(Millis(low))
}

/// A number for a table: two digits behind the point are enough from 10 on.
fn shown(number: Fixed) -> Fixed {
    if number >= Fixed::from_int(10) { number.rounded(2) } else { number }
}

/// What stands in a table's cell.
pub(crate) fn cell(rule: &RuleSpec, now: WindowNow) -> String {
    let unit = if matches!(rule.kind, RuleKind::Region { .. }) { " ms" } else { "" };
    let least = matches!(rule.kind, RuleKind::Intersection { .. });
    let limit =
        |limit: Fixed| if least { format!("{limit} shared") } else { format!("{}{unit}", shown(limit)) };
    match now {
        WindowNow::Off => "off".to_owned(),
        WindowNow::Optional(None) => "optional".to_owned(),
        WindowNow::Optional(Some(preferred)) => format!("optional: {}", limit(preferred)),
        WindowNow::Limit(number) => limit(number),
        WindowNow::Between(Some(min), Some(max)) if min == max => format!("{min}"),
        WindowNow::Between(min, max) => match (min, max) {
            (Some(min), Some(max)) => format!("{min} to {max}"),
            (Some(min), None) => format!("{min} and up"),
            (None, Some(max)) => format!("up to {max}"),
            (None, None) => "any".to_owned(),
        },
        WindowNow::Enforced => "on".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evenmatch::rules::spec::Step;

    fn fixed(text: &str) -> Fixed {
        evenmatch::base::fixed::Decimal::parse(text).unwrap().exact().unwrap()
    }

    fn rule(window: NumberWindow) -> RuleSpec {
        RuleSpec {
            name: "r".into(),
            weight: Fixed::ONE,
            optional_after: None,
            windows: None,
            may_tighten: false,
            kind: RuleKind::Region { window, path: None },
        }
    }

    fn skill() -> NumberWindow {
        let (factor, exponent) = (fixed("4.5"), fixed("1.35"));
        NumberWindow {
            base: fixed("50"),
            expand: Expand::Power { factor, exponent, cap: Some(fixed("600")) },
        }
    }

    fn ping() -> NumberWindow {
        let (add, every, cap) = (fixed("15"), Millis(4000), Some(fixed("180")));
        NumberWindow { base: fixed("35"), expand: Expand::Linear { add, every, cap, floor: None } }
    }

    #[test]
    fn windows_meet_the_test_vectors() {
        for (age_s, skill_is, ping_is) in [
            (0, 50.0, "35"),
            (4, 79.24, "50"),
            (10, 150.74, "65"),
            (15, 224.15, "80"),
            (20, 306.80, "110"),
            (30, 493.94, "140"),
        ] {
            let age = Millis(age_s * 1000);
            let at = number_at(&skill(), age).unwrap().to_f64();
            assert!((at - skill_is).abs() < 0.005, "{age_s}: {at}");
            assert_eq!(number_at(&ping(), age), Some(fixed(ping_is)));
        }
        let settled = settled_at(&skill(), Millis(120_000)).unwrap().0;
        assert!((35_155..35_165).contains(&settled), "{settled}");
        assert_eq!(settled_at(&ping(), Millis(120_000)), Some(Millis(40_000)));
        assert_eq!(settled_at(&ping(), Millis(30_000)), None);
    }

    #[test]
    fn a_table_has_every_change() {
        let (rows, thinned) = ages(&rule(ping()), Some(Millis(120_000)));
        let expected: Vec<Millis> = (0..=10).map(|row| Millis(row * 4000)).collect();
        assert_eq!((rows, thinned), (expected, false));
        let (rows, _) = ages(&rule(skill()), Some(Millis(20_000)));
        assert_eq!(rows, [0, 2, 4, 7, 10, 15, 20].map(|s| Millis(s * 1000)));
    }

    #[test]
    fn steps_hold_from_their_age_on() {
        let steps = vec![
            Step { after: Millis(20), value: Some(fixed("7")) },
            Step { after: Millis(40), value: None },
        ];
        let mut rule = rule(NumberWindow { base: fixed("3"), expand: Expand::Steps(steps) });
        assert_eq!(window_at(&rule, Millis(19)), WindowNow::Limit(fixed("3")));
        assert_eq!(window_at(&rule, Millis(20)), WindowNow::Limit(fixed("7")));
        assert_eq!(window_at(&rule, Millis(40)), WindowNow::Off);
        rule.optional_after = Some(Millis(30));
        assert_eq!(window_at(&rule, Millis(30)), WindowNow::Optional(Some(fixed("7"))));
        assert_eq!(window_at(&rule, Millis(40)), WindowNow::Optional(None));
        assert_eq!(cell(&rule, window_at(&rule, Millis(30))), "optional: 7 ms");
    }
}
