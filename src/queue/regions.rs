//! The regions of one queue: their names, their numbers, and how names compare.
//!
//! Submits learn regions from tickets, on any thread, and each gets a number below 64; a tick reads a snapshot.
//! Invariant: a region that a live ticket counts on keeps its number; one that nobody counts on gives its number
//! away when all are taken, so a host that renames its regions never fills the table up.
//!
//! Without locks: the table is a snapshot that is replaced whole by one exchange, and each region in it counts its
//! holders in a word of its own, which all snapshots share. A number is given away in two steps. First the count
//! goes from 0 to `GONE`: from then on nobody can hold this object. Then a table without it is published. Whoever
//! needs a region whose object is gone but still stands in the table publishes a table with a new object for it,
//! under its old number; of the two exchanges one is first and the other looks again. So no step waits for another
//! thread, and an object that can be held stands in the newest table.

use crate::base::published::Published;
use crate::base::sync::{AtomicU64, Ordering};
use crate::model::limits::REGIONS_MAX;
use crate::rules::spec::{QueueSpec, RegionNames};
use std::borrow::Cow;
use std::sync::Arc;

/// The count of a region that nobody can hold any more.
const GONE: u64 = u64::MAX;

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

struct Known {
    /// As first seen.
    name: Arc<str>,
    /// As compared.
    key: Box<str>,
    /// Tickets that count on it, or [`GONE`].
    holders: AtomicU64,
}

impl Known {
    fn new(name: &str, how: RegionNames, holders: u64) -> Arc<Known> {
        let key = compared(name, how).into();
        Arc::new(Known { name: name.into(), key, holders: AtomicU64::new(holders) })
    }

    /// One holder more, unless it is gone.
    fn hold(&self) -> bool {
        // Relaxed, here and below: the word orders nothing but itself; a snapshot comes by its own exchange.
        let more = |holders: u64| (holders != GONE).then(|| holders + 1);
        self.holders.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).is_ok()
    }

    /// One holder less.
    fn release(&self) {
        let before = self.holders.fetch_sub(1, Ordering::Relaxed);
        debug_assert!(before != 0 && before != GONE, "a region is released as often as it is held");
    }

    /// Whether nobody holds it, now and ever after.
    fn is_gone_or_goes(&self) -> bool {
        match self.holders.compare_exchange(0, GONE, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => true,
            Err(holders) => holders == GONE,
        }
    }
}

/// All regions at one time.
struct Table {
    known: Vec<Arc<Known>>,
    order: Arc<RegionOrder>,
}

impl Table {
    fn new(known: Vec<Arc<Known>>) -> Table {
        let mut order = RegionOrder::default();
        let mut keys: Vec<(&str, usize)> = Vec::new();
        for (number, known) in known.iter().enumerate() {
            order.names[number] = Some(Arc::clone(&known.name));
            keys.push((&known.key, number));
        }
        keys.sort_unstable();
        for (rank, (_, number)) in keys.into_iter().enumerate() {
            order.rank[number] = rank as u8;
        }
        Table { known, order: Arc::new(order) }
    }

    fn find(&self, key: &str) -> Option<usize> {
        self.known.iter().position(|known| *known.key == *key)
    }
}

/// The regions of one queue. Any thread; no call waits.
pub struct Regions {
    table: Published<Arc<Table>>,
    how: RegionNames,
    /// The queue file lists them: no other is taken.
    are_listed: bool,
}

/// Regions that a ticket counts on: they keep their numbers as long as this lives.
pub struct RegionHold {
    regions: Arc<Regions>,
    /// The numbers, as a bit mask; none where the queue lists its regions, as those keep their numbers for ever.
    mask: u64,
}

impl RegionHold {
    /// The numbers that are held, as a bit mask: the caller is to `release` them.
    pub fn into_mask(mut self) -> u64 {
        std::mem::take(&mut self.mask)
    }
}

impl Drop for RegionHold {
    fn drop(&mut self) {
        self.regions.release(self.mask);
    }
}

impl Regions {
    /// The regions that the queue lists, if it does.
    pub fn new(spec: &QueueSpec) -> Regions {
        let how = spec.region_names;
        let mut known: Vec<Arc<Known>> = Vec::new();
        for name in spec.regions.iter().flatten().take(REGIONS_MAX) {
            known.push(Known::new(name, how, 0));
        }
        let table = Published::new(Arc::new(Table::new(known)));
        Regions { table, how, are_listed: spec.regions.is_some() }
    }

    fn table(&self) -> Arc<Table> {
        Arc::clone(&self.table.load())
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
        self.table().find(&compared(name, self.how)).map(|number| number as u8)
    }

    /// The numbers of the regions of one ticket, whose compared names differ, and the hold that keeps them. Those
    /// that are new are learned: each gets a new number, else that of a region that neither a live ticket nor this
    /// one counts on. Error: the first name for which there is no number; then none has been learned.
    pub fn hold<'a>(self: &Arc<Self>, names: &[&'a str]) -> Result<(Vec<u8>, RegionHold), &'a str> {
        if self.are_listed {
            let table = self.table.load();
            let number = |name: &&'a str| table.find(&compared(name, self.how)).ok_or(*name);
            let numbers =
                names.iter().map(|name| number(name).map(|number| number as u8)).collect::<Result<_, _>>()?;
            return Ok((numbers, RegionHold { regions: Arc::clone(self), mask: 0 }));
        }
        loop {
            let seen = self.table.load();
            let table = Arc::clone(&seen);
            let numbers: Vec<Option<usize>> = names
                .iter()
                .map(|name| table.find(&compared(name, self.how)))
                .map(|number| number.filter(|&number| table.known[number].hold()))
                .collect();
            let held = numbers.iter().flatten().fold(0_u64, |mask, &number| mask | 1 << number);
            let mut hold = RegionHold { regions: Arc::clone(self), mask: held };
            if let Some(numbers) = numbers.iter().copied().collect::<Option<Vec<usize>>>() {
                return Ok((numbers.into_iter().map(|number| number as u8).collect(), hold));
            }
            // Dropping `hold` lets go what was held so far.
            let (known, numbers) = self.with_new(&table, names, &numbers, held)?;
            if self.table.compare_replace(seen, Arc::new(Table::new(known))).is_ok() {
                hold.mask = numbers.iter().fold(0_u64, |mask, &number| mask | 1 << number);
                return Ok((numbers, hold));
            }
        }
    }

    /// The regions with those of `names` that have no number yet, each held once.
    fn with_new<'a>(
        &self,
        table: &Table,
        names: &[&'a str],
        numbers: &[Option<usize>],
        held: u64,
    ) -> Result<(Vec<Arc<Known>>, Vec<u8>), &'a str> {
        let mut known = table.known.clone();
        let mut taken = held;
        let mut all: Vec<Option<usize>> = numbers.to_vec();
        // An object that is gone but still stands keeps its number under a new object; before others look for one.
        for (&name, number) in names.iter().zip(&mut all).filter(|(_, number)| number.is_none()) {
            if let Some(stands) = table.find(&compared(name, self.how)) {
                known[stands] = Known::new(&table.known[stands].name, self.how, 1);
                taken |= 1 << stands;
                *number = Some(stands);
            }
        }
        for (&name, number) in names.iter().zip(&mut all).filter(|(_, number)| number.is_none()) {
            let new = Known::new(name, self.how, 1);
            let at = if known.len() < REGIONS_MAX {
                known.push(new);
                known.len() - 1
            } else {
                let idle = |&at: &usize| taken >> at & 1 == 0 && known[at].is_gone_or_goes();
                let at = (0..REGIONS_MAX).find(idle).ok_or(name)?;
                known[at] = new;
                at
            };
            taken |= 1 << at;
            *number = Some(at);
        }
        Ok((known, all.into_iter().flatten().map(|number| number as u8).collect()))
    }

    /// Lets regions go that were held, by number, as a bit mask.
    pub fn release(&self, mut mask: u64) {
        if mask == 0 {
            return;
        }
        // A region that is held stands in the newest table under its number.
        let table = self.table.load();
        while mask != 0 {
            table.known[mask.trailing_zeros() as usize].release();
            mask &= mask - 1;
        }
    }

    /// The numbers of regions whose compared names differ, which keep them as long as the queue stands; those that are
    /// new are learned. Error: as `hold`.
    pub fn pin<'a>(self: &Arc<Self>, names: &[&'a str]) -> Result<Vec<u8>, &'a str> {
        let (numbers, hold) = self.hold(names)?;
        // Held once for ever.
        hold.into_mask();
        Ok(numbers)
    }

    /// The names and their order now.
    pub fn order(&self) -> Arc<RegionOrder> {
        Arc::clone(&self.table.load().order)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folded_names_are_one_region_written_as_first_seen() {
        let mut spec = QueueSpec::new("q", 2, 2);
        spec.region_names = RegionNames::FoldCase;
        let regions = Arc::new(Regions::new(&spec));
        let (numbers, _hold) = regions.hold(&["EastUs"]).unwrap();
        assert_eq!(regions.find("eastus"), Some(numbers[0]));
        assert_eq!(regions.order().names[numbers[0] as usize].as_deref(), Some("EastUs"));
    }

    #[test]
    fn numbers_are_given_away_when_nobody_holds_them() {
        let regions = Arc::new(Regions::new(&QueueSpec::new("q", 2, 2)));
        let name = |number: usize| format!("r{number:02}");
        let mut holds: Vec<Option<RegionHold>> =
            (0..REGIONS_MAX).map(|number| Some(regions.hold(&[&name(number)]).unwrap().1)).collect();
        assert_eq!(regions.hold(&["one more"]).err(), Some("one more"));
        holds[7] = None;
        assert_eq!(regions.find("r07"), Some(7));
        assert_eq!(
            regions.hold(&["r07", "one more"]).err(),
            Some("one more"),
            "the ticket itself counts on r07"
        );
        assert_eq!(regions.hold(&["one more", "and another"]).err(), Some("and another"));
        assert_eq!(regions.find("r07"), Some(7), "refused names were not learned");
        let (numbers, back) = regions.hold(&["r07"]).unwrap();
        assert_eq!(numbers, vec![7], "what no other name took is found again");
        drop(back);
        let (numbers, _hold) = regions.hold(&["one more", "r08"]).unwrap();
        assert_eq!(numbers, vec![7, 8]);
        assert_eq!(regions.find("r07"), None);
        assert_eq!(regions.order().rank[7], 0);
    }

    #[test]
    fn threads_that_rename_regions_never_share_a_number_wrongly() {
        let regions = Arc::new(Regions::new(&QueueSpec::new("q", 2, 2)));
        std::thread::scope(|scope| {
            for thread in 0..4_usize {
                let regions = &regions;
                scope.spawn(move || {
                    for round in 0..3_000_usize {
                        let names = [format!("r{}", (round * 7 + thread) % 90), format!("s{}", round % 50)];
                        let names: Vec<&str> = names.iter().map(String::as_str).collect();
                        let (numbers, hold) = regions.hold(&names).unwrap();
                        assert_ne!(numbers[0], numbers[1]);
                        for (&name, &number) in names.iter().zip(&numbers) {
                            assert_eq!(regions.find(name), Some(number), "a held region keeps its number");
                        }
                        drop(hold);
                    }
                });
            }
        });
        let table = regions.table();
        let mut keys: Vec<&str> = table.known.iter().map(|known| &*known.key).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), table.known.len(), "no region stands twice");
    }
}
