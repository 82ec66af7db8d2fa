//! The regions of one queue: their names, their numbers, and how names compare.
//!
//! The door learns regions from tickets and gives each a number below 64; a tick reads a snapshot. Invariant: a
//! region that a live ticket counts on keeps its number; one that nobody counts on gives its number away when all
//! are taken, so a host that renames its regions never fills the table up.

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
    known: Vec<Known>,
    how: RegionNames,
    /// The queue file lists them: no other is taken.
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
        for name in spec.regions.iter().flatten() {
            regions.enter(name, u64::MAX);
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
        self.known.iter().position(|known| known.key == key).map(|number| number as u8)
    }

    /// The numbers of the regions of one ticket, whose compared names differ. Those that are new are learned: each
    /// gets a new number, else that of a region that neither a live ticket nor this one counts on. Error: the first
    /// name for which there is no number; then none has been learned.
    pub fn learn<'a>(&mut self, names: &[&'a str]) -> Result<Vec<u8>, &'a str> {
        let known: Vec<Option<u8>> = names.iter().map(|name| self.find(name)).collect();
        let mut taken = known.iter().flatten().fold(0_u64, |mask, &number| mask | 1 << number);
        let idle = (0..self.known.len()).filter(|&number| self.is_idle(number, taken)).count();
        let room = REGIONS_MAX - self.known.len() + idle;
        let mut new = names.iter().zip(&known).filter(|(_, known)| known.is_none());
        if let Some((name, _)) = new.nth(room) {
            return Err(name);
        }
        let mut numbers = Vec::with_capacity(names.len());
        for (&name, known) in names.iter().zip(&known) {
            let number = match known {
                Some(number) => *number,
                None => self.enter(name, taken).ok_or(name)?,
            };
            taken |= 1 << number;
            numbers.push(number);
        }
        if known.contains(&None) {
            self.refresh();
        }
        Ok(numbers)
    }

    /// Whether a number may be given away, by one who counts on those of `taken`.
    fn is_idle(&self, number: usize, taken: u64) -> bool {
        self.known[number].holders == 0 && taken >> number & 1 == 0
    }

    /// Gives a new region a number that is not in `taken`.
    fn enter(&mut self, name: &str, taken: u64) -> Option<u8> {
        let known = Known { name: name.into(), key: compared(name, self.how).into_owned(), holders: 0 };
        if self.known.len() < REGIONS_MAX {
            self.known.push(known);
            return Some((self.known.len() - 1) as u8);
        }
        let number = (0..REGIONS_MAX).find(|&number| self.is_idle(number, taken))?;
        self.known[number] = known;
        Some(number as u8)
    }

    /// A live ticket counts on the regions of `mask`.
    pub fn hold(&mut self, mask: u64) {
        for (number, known) in self.known.iter_mut().enumerate() {
            known.holders += (mask >> number & 1) as u32;
        }
    }

    /// A ticket no longer counts on the regions of `mask`.
    pub fn release(&mut self, mask: u64) {
        for (number, known) in self.known.iter_mut().enumerate() {
            known.holders -= (mask >> number & 1) as u32;
        }
    }

    /// The names and their order now.
    pub fn order(&self) -> Arc<RegionOrder> {
        Arc::clone(&self.order)
    }

    fn refresh(&mut self) {
        let mut order = RegionOrder::default();
        let mut keys: Vec<(&str, usize)> = Vec::new();
        for (number, known) in self.known.iter().enumerate() {
            order.names[number] = Some(Arc::clone(&known.name));
            keys.push((&known.key, number));
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
        let east = regions.learn(&["EastUs"]).unwrap()[0];
        assert_eq!(regions.find("eastus"), Some(east));
        assert_eq!(regions.order().names[east as usize].as_deref(), Some("EastUs"));
    }

    #[test]
    fn numbers_are_given_away_when_nobody_holds_them() {
        let mut regions = Regions::new(&QueueSpec::new("q", 2, 2));
        for name in 0..REGIONS_MAX {
            regions.learn(&[&format!("r{name:02}")]).unwrap();
        }
        regions.hold(u64::MAX);
        assert_eq!(regions.learn(&["one more"]), Err("one more"));
        regions.release(1 << 7);
        assert_eq!(regions.find("r07"), Some(7));
        assert_eq!(regions.learn(&["r07", "one more"]), Err("one more"), "the ticket itself counts on r07");
        assert_eq!(regions.learn(&["one more", "and another"]), Err("and another"));
        assert_eq!(regions.find("r07"), Some(7), "refused names were not learned");
        assert_eq!(regions.learn(&["one more", "r08"]), Ok(vec![7, 8]));
        assert_eq!(regions.find("r07"), None);
        assert_eq!(regions.order().rank[7], 0);
    }
}
