//! The regions of one queue: their names, their numbers, and how names compare.
//!
//! The door learns regions from tickets and gives each a number below 64; a tick reads a snapshot. Invariant: a
//! region that a live ticket counts on keeps its number; one that nobody counts on may give its number away.

use crate::model::limits::REGIONS_MAX;
use crate::rules::spec::{QueueSpec, RegionNames};
use std::borrow::Cow;
use std::sync::Arc;

/// The names of a queue's regions by number, as a tick sees them.
#[derive(Clone, Debug)]
pub struct RegionOrder {
    /// The name of each region as first seen; `None`: the number is free.
    pub names: [Option<Arc<str>>; REGIONS_MAX],
    /// The place of each region in the order of compared names.
    pub rank: [u8; REGIONS_MAX],
}

impl Default for RegionOrder {
    fn default() -> RegionOrder {
        RegionOrder { names: [const { None }; REGIONS_MAX], rank: [0; REGIONS_MAX] }
    }
}

/// The name under which a region compares.
pub fn compared(name: &str, how: RegionNames) -> Cow<'_, str> {
    match how {
        RegionNames::Exact => Cow::Borrowed(name),
        RegionNames::FoldCase => Cow::Owned(name.to_lowercase()),
    }
}

#[derive(Clone, Debug)]
struct Known {
    /// As first seen.
    name: Arc<str>,
    /// As compared.
    key: String,
    /// Live tickets that count on it.
    holders: u32,
}

/// The regions of one queue.
#[derive(Clone, Debug)]
pub struct Regions {
    known: Vec<Option<Known>>,
    how: RegionNames,
    /// The queue file lists them: no other is taken, and none is forgotten.
    are_listed: bool,
    order: Arc<RegionOrder>,
}

impl Regions {
    /// The regions that the queue lists, if it does.
    pub fn new(spec: &QueueSpec) -> Regions {
        let mut regions = Regions {
            known: Vec::new(),
            how: spec.region_names,
            are_listed: spec.regions.is_some(),
            order: Arc::default(),
        };
        for name in spec.regions.iter().flatten().take(REGIONS_MAX) {
            regions.learn(name);
        }
        regions.refresh();
        regions
    }

    /// Whether the queue file lists the regions.
    pub fn are_listed(&self) -> bool {
        self.are_listed
    }

    /// How names compare.
    pub fn how(&self) -> RegionNames {
        self.how
    }

    /// The number of a region.
    pub fn find(&self, name: &str) -> Option<u8> {
        let key = compared(name, self.how);
        let is_it = |known: &Option<Known>| known.as_ref().is_some_and(|known| known.key == key);
        self.known.iter().position(is_it).map(|number| number as u8)
    }

    /// Learns a region and gives it a number; `None`: all are taken.
    pub fn learn(&mut self, name: &str) -> Option<u8> {
        let key = compared(name, self.how).into_owned();
        let known = Known { name: name.into(), key, holders: 0 };
        let free = self.known.iter().position(Option::is_none).unwrap_or(self.known.len());
        if free == REGIONS_MAX {
            return None;
        }
        if free == self.known.len() {
            self.known.push(Some(known));
        } else {
            self.known[free] = Some(known);
        }
        self.refresh();
        Some(free as u8)
    }

    /// A live ticket counts on the regions of `mask`.
    pub fn hold(&mut self, mask: u64) {
        for number in 0..self.known.len() {
            if let (1, Some(known)) = (mask >> number & 1, &mut self.known[number]) {
                known.holders += 1;
            }
        }
    }

    /// A ticket no longer does; a region that was learned and that nobody holds is forgotten.
    pub fn release(&mut self, mask: u64) {
        let mut forgot = false;
        for number in 0..self.known.len() {
            if let (1, Some(known)) = (mask >> number & 1, &mut self.known[number]) {
                known.holders = known.holders.saturating_sub(1);
                if known.holders == 0 && !self.are_listed {
                    self.known[number] = None;
                    forgot = true;
                }
            }
        }
        if forgot {
            self.refresh();
        }
    }

    /// Forgets the regions that were learned and that nobody holds, such as those of a refused ticket.
    pub fn forget_unheld(&mut self) {
        if self.are_listed || self.known.iter().flatten().all(|known| known.holders > 0) {
            return;
        }
        for known in &mut self.known {
            if known.as_ref().is_some_and(|known| known.holders == 0) {
                *known = None;
            }
        }
        self.refresh();
    }

    /// The names and their order now.
    pub fn order(&self) -> Arc<RegionOrder> {
        Arc::clone(&self.order)
    }

    fn refresh(&mut self) {
        let mut order = RegionOrder::default();
        let mut keys: Vec<(&str, usize)> = Vec::new();
        for (number, known) in self.known.iter().enumerate() {
            if let Some(known) = known {
                order.names[number] = Some(Arc::clone(&known.name));
                keys.push((&known.key, number));
            }
        }
        keys.sort_unstable();
        for (rank, (_, number)) in keys.into_iter().enumerate() {
            order.rank[number] = rank as u8;
        }
        self.order = Arc::new(order);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folded_names_are_one_region_written_as_first_seen() {
        let mut spec = QueueSpec::new("q", 2, 2);
        spec.region_names = RegionNames::FoldCase;
        let mut regions = Regions::new(&spec);
        let east = regions.learn("EastUs").unwrap();
        assert_eq!(regions.find("eastus"), Some(east));
        assert_eq!(regions.order().names[east as usize].as_deref(), Some("EastUs"));
    }

    #[test]
    fn numbers_are_given_away_when_nobody_holds_them() {
        let mut regions = Regions::new(&QueueSpec::new("q", 2, 2));
        for name in 0..REGIONS_MAX {
            regions.learn(&format!("r{name:02}")).unwrap();
        }
        assert_eq!(regions.learn("one more"), None);
        regions.hold(u64::MAX);
        regions.release(1 << 7);
        assert_eq!(regions.find("r07"), None);
        assert_eq!(regions.learn("one more"), Some(7));
        assert_eq!(regions.order().rank[7], 0);
    }
}
