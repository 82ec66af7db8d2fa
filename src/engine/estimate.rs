//! How long a ticket can expect to wait. The question is checked here; the answer is that of the accounts.

use super::Engine;
use crate::base::fixed::{Decimal, Fixed};
use crate::model::codes::{Code, Refusal};
use crate::model::ids::QueueId;
use crate::model::status::Estimate;
use crate::queue::regions::compared;
use crate::queue::stats::Asked;
use crate::rules::compile::{CompiledQueue, Kind};
use crate::rules::spec::RegionNames;
use std::borrow::Cow;

impl Engine {
    /// How long a ticket of that skill can expect to wait in a queue if it can be matched in those regions; `None` and
    /// an empty list stand for any.
    ///
    /// Half of the tickets like it are matched within `p50`, nine in ten within `p90`, as far as the sliding window
    /// tells; tickets that were cancelled, timed out or still wait count as waits of at least so long (Kaplan and
    /// Meier). A percentile is exact to the interval of the host's ticks, but for the chance of the sample, whose size
    /// it comes with; of busy queues the sample is an even draw of at most 4,096 tickets.
    ///
    /// Alike are the tickets that share a region with it and whose skill (of the first `difference` rule, else of the
    /// first `team_difference`) lies within that rule's window at age 0; until 30 of them have left within the
    /// window, the band is doubled up to the rule's greatest window, beyond which nobody could be met, and at last
    /// every region counts. If that is not enough the estimate is unknown, as its percentiles are.
    ///
    /// Any thread, also once closed. Cost: that of sorting the sample, up to a millisecond. Errors: UNKNOWN_QUEUE,
    /// OUT_OF_RANGE (a skill that the queue would refuse), UNKNOWN_REGION (the queue lists its regions).
    pub fn estimate(
        &self,
        queue: QueueId,
        skill: Option<Decimal>,
        regions: &[&str],
    ) -> Result<Estimate, Refusal> {
        let (found, now) = (self.door.queues.get(queue)?, self.door.now());
        let (compiled, known) = (&found.compiled, &found.regions);
        if let Some(name) = regions.iter().find(|name| known.are_listed() && known.find(name).is_none()) {
            let detail = format!("the queue lists no region {name:?}");
            return Err(Refusal::new(Code::UnknownRegion, detail));
        }
        let how = compiled.spec.region_names;
        let regions: Vec<String> = regions.iter().map(|name| compared(name, how).into_owned()).collect();
        let asked = Asked {
            queue,
            skill: skill.map(|skill| read_skill(compiled, skill)).transpose()?.flatten(),
            band: band(compiled),
            regions: &regions,
            compared: match how {
                RegionNames::Exact => |name| Cow::Borrowed(name),
                RegionNames::FoldCase => |name| compared(name, RegionNames::FoldCase),
            },
        };
        Ok(self.accounts.read(|accounts| accounts.estimate(&asked, now)))
    }
}

/// The skill as the queue reads it; `None` where no rule reads any.
fn read_skill(queue: &CompiledQueue, skill: Decimal) -> Result<Option<i64>, Refusal> {
    let Some(slot) = queue.spread_slot else { return Ok(None) };
    let attribute = &queue.spec.attributes[queue.numbers[slot].attribute];
    let refused = || {
        let detail = format!("the queue takes no such value for attribute {:?}", attribute.name);
        Refusal::new(Code::OutOfRange, detail)
    };
    let skill = skill.round(attribute.decimals).map_err(|_| refused())?;
    let is_outside =
        attribute.min.is_some_and(|min| skill < min) || attribute.max.is_some_and(|max| skill > max);
    if is_outside { Err(refused()) } else { Ok(Some(skill.micros())) }
}

/// The narrowest and the widest band of skill; without the latter nothing bounds it.
fn band(queue: &CompiledQueue) -> (i64, Option<i64>) {
    let narrowest = |limit: Option<i64>| limit.filter(|&limit| limit > 0).unwrap_or(Fixed::ONE.micros());
    for rule in &queue.rules {
        if let Kind::Difference(slot, window) = &rule.kind
            && Some(*slot) == queue.spread_slot
        {
            let greatest = window.greatest(queue.age_end());
            let widest = (!greatest.vanishes).then_some(greatest.limit);
            return (narrowest(window.at(crate::model::ids::Millis(0)).limit), widest);
        }
    }
    let team = queue.rules.iter().find_map(|rule| match &rule.kind {
        Kind::TeamDifference(_, window) => window.at(crate::model::ids::Millis(0)).limit,
        _ => None,
    });
    (narrowest(team), None)
}
