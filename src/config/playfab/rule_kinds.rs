//! What each type of PlayFab rule asks for, as a rule of this engine. Called by `rule` only.

use super::attributes::UNREADABLE;
use super::expansion::{NumberShape, present};
use super::path;
use super::rule::{Rule, RuleType};
use crate::base::fixed::Fixed;
use crate::config::json::Node;
use crate::config::report::{Fault, Report};
use crate::model::attribute::{AttributeDefault, AttributeType};
use crate::model::limits::{LIST_VALUES_MAX, MATCH_PLAYERS_MAX};
use crate::rules::spec::{Bounds, Merge, Missing, NumberWindow, RuleKind, TotalScope};

const MERGES: &[(&str, Merge)] = &[("Average", Merge::Average), ("Min", Merge::Min), ("Max", Merge::Max)];
const BEHAVIORS: &[(&str, Missing)] = &[("MatchAny", Missing::Any), ("UseDefault", Missing::Default)];

const DIFFERENCE: NumberShape = NumberShape {
    base: "Difference",
    overrides: "DifferenceOverrides",
    is_whole: false,
    greatest: Fixed::MAX,
    loosens_down: false,
};
const TEAM_SIZE: NumberShape =
    NumberShape { is_whole: true, greatest: Fixed::from_int(MATCH_PLAYERS_MAX as i64), ..DIFFERENCE };
const LATENCY: NumberShape =
    NumberShape { base: "MaxLatency", overrides: "MaxLatencyOverrides", is_whole: true, ..DIFFERENCE };
const INTERSECTION: NumberShape = NumberShape {
    base: "MinIntersectionSize",
    overrides: "MinIntersectionSizeOverrides",
    is_whole: true,
    greatest: Fixed::from_int(LIST_VALUES_MAX as i64),
    loosens_down: true,
};

impl Rule<'_, '_, '_, '_> {
    /// Reads what only rules of this type have.
    pub(super) fn kind(&mut self, kind: RuleType) {
        self.spec.kind = match kind {
            RuleType::Difference => {
                let attribute = self.attribute(AttributeType::Number);
                let (missing, default) = self.missing(Report::number);
                let merge = self.word("MergeFunction", MERGES, Merge::Average);
                let window = self.base_window("max", DIFFERENCE);
                RuleKind::Difference { attribute, window, merge, missing, default }
            }
            RuleType::StringEquality => {
                let attribute = self.attribute(AttributeType::String);
                let (missing, default) = self.missing(Report::string);
                let default = default.map(AttributeDefault::String);
                RuleKind::Equality { attribute, missing, default, steps: self.switch_steps() }
            }
            RuleType::SetIntersection => {
                let attribute = self.attribute(AttributeType::StringList);
                let (missing, default) = self.missing(Report::strings);
                let window = self.base_window("min", INTERSECTION);
                RuleKind::Intersection { attribute, window, missing, default }
            }
            RuleType::MatchTotal => self.total(),
            RuleType::RegionSelection => {
                let path = self.latency_path();
                RuleKind::Region { window: self.base_window("max_ms", LATENCY), path }
            }
            RuleType::TeamDifference => {
                let attribute = self.attribute(AttributeType::Number);
                let window = self.base_window("max", DIFFERENCE);
                let default = self.required("DefaultAttributeValue", Report::number);
                RuleKind::TeamDifference { attribute, window, default }
            }
            RuleType::TeamSizeBalance => RuleKind::TeamSize { window: self.base_window("max", TEAM_SIZE) },
            RuleType::TeamTicketSizeSimilarity => RuleKind::PremadeBalance,
        };
    }

    fn total(&mut self) -> RuleKind {
        let attribute = self.attribute(AttributeType::Number);
        let min = self.required("Min", Report::number);
        let max = self.required("Max", Report::number);
        let plain = Bounds { min, max };
        let (bounds, steps, expands) = match (min, max) {
            (Some(low), Some(high)) if low > high => {
                let node = self.fields.get("Min").unwrap_or(self.fields.node);
                self.reading.report.wrong(node, format!("needs at most the Max of {high}"));
                (plain, Vec::new(), false)
            }
            _ => self.bounds_steps(plain),
        };
        let windows = self.reading.options.total_windows;
        if expands && windows != self.reading.options.windows {
            self.spec.windows = Some(windows);
        }
        RuleKind::Total { attribute: Some(attribute), bounds, per: TotalScope::Match, steps }
    }

    fn attribute(&mut self, kind: AttributeType) -> usize {
        let Some(node) = present(self.fields, "Attribute") else {
            let remedy = "the rule needs {\"Path\": .., \"Source\": ..}";
            self.reading.report.missing(self.fields.node, "Attribute", remedy);
            return UNREADABLE;
        };
        self.reading.places.push((format!("{}.attribute", self.place), node.start));
        self.reading.attributes.read(&mut self.reading.report, node, kind, &self.spec.name)
    }

    /// What becomes of a ticket without a value: left out, or given the default.
    fn missing<T>(&mut self, read: impl FnOnce(&mut Report, &Node<'_>) -> Option<T>) -> (Missing, Option<T>) {
        let report = &mut self.reading.report;
        let default = present(self.fields, "DefaultAttributeValue");
        if let Some(node) = default {
            self.reading.places.push((format!("{}.default", self.place), node.start));
        }
        let behavior = match present(self.fields, "AttributeNotSpecifiedBehavior") {
            Some(node) => match report.word(node, BEHAVIORS) {
                Some(behavior) => behavior,
                None => return (Missing::Default, None),
            },
            None => Missing::Default,
        };
        match (behavior, default) {
            (Missing::Any, None) => (Missing::Any, None),
            (Missing::Any, Some(node)) => {
                let remedy = "it is never used beside \"MatchAny\"";
                self.reading.notes.push(Fault::new(node.start, node.shown(), remedy));
                (Missing::Any, None)
            }
            (Missing::Default, Some(node)) => (Missing::Default, read(report, node)),
            (Missing::Default, None) => {
                let remedy = "give a default, or \"AttributeNotSpecifiedBehavior\": \"MatchAny\"";
                report.missing(self.fields.node, "DefaultAttributeValue", remedy);
                (Missing::Default, None)
            }
        }
    }

    fn base_window(&mut self, place: &str, shape: NumberShape) -> NumberWindow {
        if let Some(node) = self.fields.get(shape.base) {
            self.reading.places.push((format!("{}.{place}", self.place), node.start));
        }
        let faults = self.reading.report.len();
        let base = self.required(shape.base, |report, node| shape.number(report, node));
        if let (Some(base), Some(node)) = (base, self.fields.get(shape.base))
            && base < Fixed::ZERO
        {
            self.reading.report.wrong(node, "needs 0 or more");
        }
        // Without a base an expansion is read for its own faults only: no limit is below 0.
        let is_readable = self.reading.report.len() == faults;
        self.window(if is_readable { base.unwrap_or_default() } else { Fixed::ZERO }, shape)
    }

    /// The path to the latencies of a ticket.
    fn latency_path(&mut self) -> Option<String> {
        let node = self.fields.get("Path");
        let text = self.required("Path", Report::string)?;
        if path::steps(&text).is_none()
            && let Some(node) = node
        {
            self.reading.report.wrong(node, path::LEGAL);
        }
        Some(text)
    }

    fn word<T: Copy>(&mut self, key: &str, words: &[(&str, T)], default: T) -> T {
        match present(self.fields, key) {
            Some(node) => self.reading.report.word(node, words).unwrap_or(default),
            None => default,
        }
    }

    fn required<T>(
        &mut self,
        key: &str,
        read: impl FnOnce(&mut Report, &Node<'_>) -> Option<T>,
    ) -> Option<T> {
        match self.fields.get(key) {
            Some(node) => read(&mut self.reading.report, node),
            None => {
                self.reading.report.missing(self.fields.node, key, "the rule needs it");
                None
            }
        }
    }
}
