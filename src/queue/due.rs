//! When a queue could next find a match that it cannot find now, without any input.
//!
//! Asked after a pass that has ended. A pair that may not stand together now can do so only once some window has
//! grown, so the least age is sought at which any does: for a difference by each ticket's own window, when it
//! reaches the next ticket beyond it; for the others, when the window changes at all. Invariant: never later than
//! the first tick that could change anything.

use super::running::RunningQueue;
use crate::model::ids::Millis;
use crate::rules::compile::{Kind, NO_VALUE};
use crate::rules::spec::WindowAge;
use crate::rules::window::{Window, earliest};

impl RunningQueue {
    /// The first time after `now` at which a pass could find something new.
    pub(super) fn next_change(&mut self, now: Millis) -> Option<Millis> {
        if self.is_suspended {
            return None;
        }
        let prefer_full_for = self.compiled.spec.prefer_full_for;
        let mut due = self.next_activation();
        for &(seniority, _) in &self.waiting {
            let full_until = seniority.enqueued.after(prefer_full_for);
            due = earliest(due, Some(full_until).filter(|&until| until > now));
        }
        let mut values = std::mem::take(&mut self.values);
        for rule in &self.compiled.rules {
            let change = match &rule.kind {
                Kind::Difference(slot, window) if rule.age == WindowAge::Mutual && rule.only_loosens => {
                    self.next_reach(*slot, window, now, &mut values)
                }
                // A ticket's own regions have timers.
                Kind::Region(_) if rule.age == WindowAge::Mutual => None,
                Kind::Difference(_, window)
                | Kind::TeamDifference(_, window)
                | Kind::Intersection(_, window)
                | Kind::Region(window)
                | Kind::TeamSize(window) => self.next_age(now, |age| window.next_change(age)),
                Kind::Equality(_, switch) | Kind::PremadeBalance(switch) => {
                    self.next_age(now, |age| switch.next_change(age))
                }
                Kind::Total(_, band, _) => self.next_age(now, |age| band.next_change(age)),
            };
            due = earliest(due, change);
        }
        self.values = values;
        due.map(|due| due.max(now.after(Millis(1))))
    }

    /// The first time at which some ticket reaches an age that `next` names.
    fn next_age(&self, now: Millis, next: impl Fn(Millis) -> Option<Millis>) -> Option<Millis> {
        let ages = self.waiting.iter().filter_map(|&(seniority, _)| {
            next(now.since(seniority.enqueued)).map(|age| seniority.enqueued.after(age))
        });
        ages.min()
    }

    /// The first time at which some ticket's own window reaches the nearest value beyond it.
    fn next_reach(&self, slot: usize, window: &Window, now: Millis, values: &mut Vec<i64>) -> Option<Millis> {
        let value_of = |row| self.tickets.number(slot, row);
        values.clear();
        values.extend(self.waiting.iter().map(|&(_, row)| value_of(row)));
        values.retain(|&value| value != NO_VALUE);
        values.sort_unstable();
        let reaches = self.waiting.iter().filter_map(|&(seniority, row)| {
            let value = value_of(row);
            let age = now.since(seniority.enqueued);
            let limit = window.at(age).bound()?;
            if value == NO_VALUE {
                return None;
            }
            let above = values.get(values.partition_point(|&other| other <= value.saturating_add(limit)));
            let below = values.partition_point(|&other| other < value.saturating_sub(limit)).checked_sub(1);
            let distances = [above.map(|above| above - value), below.map(|below| value - values[below])];
            let distance = distances.into_iter().flatten().min()?;
            window.next_crossing(age, distance).map(|age| seniority.enqueued.after(age))
        });
        reaches.min()
    }
}
