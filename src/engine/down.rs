//! The regions that are down, as hosts have named them.
//!
//! The door keeps a snapshot for its reports and limits; a tick keeps its own, which follows the calls in their
//! order. Invariant: a name stands in both lists, as it was written and with its case folded, as queues compare
//! names in two ways, and for each the last word on a name counts.

use super::calls::Call;
use super::door::Door;
use crate::model::codes::{Code, Refusal};
use crate::model::ids::Millis;
use crate::model::limits::{REGIONS_MAX, STRING_BYTES_MAX};
use crate::queue::regions::{Regions, compared};
use crate::rules::spec::RegionNames;
use std::sync::Arc;

/// Region names that are down, at most: so many that no host with 256 queues of 64 regions meets it.
const DOWN_MAX: usize = 256 * REGIONS_MAX;

/// The regions that are down.
#[derive(Clone, Debug, Default)]
pub(super) struct DownRegions {
    exact: Vec<String>,
    folded: Vec<String>,
}

impl DownRegions {
    /// Says that a region is up or down.
    pub(super) fn set(&mut self, region: &str, up: bool) {
        let folded = compared(region, RegionNames::FoldCase);
        for (down, name) in [(&mut self.exact, region), (&mut self.folded, &*folded)] {
            down.retain(|other| other != name);
            if !up {
                down.push(name.to_owned());
            }
        }
    }

    /// Those that are down for queues that compare names so.
    pub(super) fn names(&self, how: RegionNames) -> &[String] {
        match how {
            RegionNames::Exact => &self.exact,
            RegionNames::FoldCase => &self.folded,
        }
    }

    /// The regions of a queue that are up, as a bit mask.
    pub(super) fn up_mask(&self, regions: &Regions) -> u64 {
        let numbers = self.names(regions.how()).iter().filter_map(|down| regions.find(down));
        numbers.fold(u64::MAX, |mask, number| mask & !(1 << number))
    }
}

impl Door {
    /// Says that a region is up or down, for all queues, from the next tick on.
    pub(super) fn set_region(&self, now: Millis, region: &str, up: bool) -> Result<(), Refusal> {
        let now = self.enter(now)?;
        if region.len() > STRING_BYTES_MAX {
            let detail = format!("a region name of {} bytes, at most {STRING_BYTES_MAX}", region.len());
            return Err(Refusal::new(Code::TooManyBytes, detail));
        }
        let changed = self.down.update(|down| {
            if !up && down.exact.len() >= DOWN_MAX {
                return None;
            }
            let mut down = DownRegions::clone(down);
            down.set(region, up);
            Some(Arc::new(down))
        });
        if !changed {
            return Err(Refusal::new(Code::TooManyRegions, format!("{DOWN_MAX} regions are down already")));
        }
        self.ingress.push((now, Call::SetRegion(region.into(), up)));
        Ok(())
    }
}
