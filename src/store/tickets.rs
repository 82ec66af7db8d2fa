//! The tickets of one queue as columns: one row each, every value that a search reads in a column of its own.
//!
//! Filled when a tick takes a ticket in, read by searches, emptied when the ticket leaves. Invariant: a row is
//! either free or holds one ticket; what `slots` of the compiled queue say a value is, its column holds.

use super::columns::Column;
use super::lists::{ListRef, Lists};
use super::rows::Rows;
use crate::model::ids::{Millis, Seniority, TicketId};

/// A limit that a ticket sets for the players of all others: (index into the queue's ranges, least, greatest).
pub type OwnLimit = (u32, i64, i64);

/// Everything that a search may read of a ticket, computed at submit.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TicketValues {
    /// Players.
    pub size: u32,
    /// One for each number slot of the queue; `NO_VALUE`: none.
    pub numbers: Vec<i64>,
    /// One for each key slot; `NO_VALUE`: none.
    pub keys: Vec<i64>,
    /// One for each list slot: sorted string ids without repetition; `None`: no list.
    pub lists: Vec<Option<Vec<u32>>>,
    /// Region index and round-trip time in units of 0.000001 ms, by ascending index: the regions that every
    /// member can reach, that the ticket allows, and that lie within its own limit.
    pub pings: Vec<(u8, i64)>,
    /// For each of the queue's ranges the least and the greatest value of its players; least above greatest: a
    /// player has none.
    pub ranges: Vec<(i64, i64)>,
    /// The only player has a value for each range, and they are among the numbers: then `ranges` is empty.
    pub has_ranges_in_numbers: bool,
    /// What it asks of the players of other tickets.
    pub limits: Vec<OwnLimit>,
}

impl TicketValues {
    /// Becomes equal to `other` but for the lists, which stay as they are; in the memory that is there.
    pub fn copy_all_but_lists(&mut self, other: &TicketValues) {
        self.size = other.size;
        self.numbers.clone_from(&other.numbers);
        self.keys.clone_from(&other.keys);
        self.pings.clone_from(&other.pings);
        self.ranges.clone_from(&other.ranges);
        self.has_ranges_in_numbers = other.has_ranges_in_numbers;
        self.limits.clone_from(&other.limits);
    }
}

/// What is asked of every ticket, in one line of memory.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Head {
    /// 0 in a free row.
    id: u64,
    enqueued: u64,
    submit_number: u64,
    regions: u64,
    /// The first number and the first key; the others stand in columns.
    number: i64,
    key: i64,
    pings: ListRef,
    size: u32,
    /// A bit for each list that it has, and those below.
    has: u32,
}

const _: () = assert!(size_of::<Head>() == 64);

/// In [`Head::has`]: its ranges are its numbers, or stand in a list; it asks something of the players of other tickets.
const HAS_NUMBERS_FOR_RANGES: u32 = 1 << 29;
const HAS_RANGES: u32 = 1 << 30;
const HAS_LIMITS: u32 = 1 << 31;

const FREE: Head = Head {
    id: 0,
    enqueued: 0,
    submit_number: 0,
    regions: 0,
    number: 0,
    key: 0,
    pings: ListRef::NONE,
    size: 0,
    has: 0,
};

/// What decides about a single player's pairs.
#[derive(Clone, Copy, Debug)]
pub struct Glance<'a> {
    /// Since when it waits.
    pub enqueued: Millis,
    /// The regions that it could ever be matched in, as a bit mask.
    pub regions: u64,
    /// Its first number; `NO_VALUE`: none.
    pub number: i64,
    /// Its round-trip times, as of [`Tickets::pings`].
    pub pings: &'a [i64],
    /// It is one player and asks nothing of the players of other tickets.
    pub is_single: bool,
}

/// The tickets of one queue.
///
/// What every ticket has stands in one line; columns have the rest, and a queue without such slots never touches them.
/// Measured: see `queue::running`.
pub struct Tickets {
    rows: Rows,
    heads: Column<Head>,
    /// The numbers and keys but for the first ones.
    numbers: Vec<Column<i64>>,
    keys: Vec<Column<i64>>,
    lists: Vec<Column<ListRef>>,
    /// As far as tickets have some.
    ranges: Column<ListRef>,
    limits: Column<ListRef>,
    /// For each range the number that a single player has instead.
    range_slots: Vec<usize>,
    words: Lists<u32>,
    amounts: Lists<i64>,
    buffer: Vec<i64>,
}

impl Tickets {
    /// An empty table whose tickets have so many numbers, keys and lists.
    pub fn new(numbers: usize, keys: usize, lists: usize) -> Tickets {
        debug_assert!(1 << lists <= HAS_NUMBERS_FOR_RANGES, "a bit for each list");
        Tickets {
            rows: Rows::new(),
            heads: Column::new(FREE),
            numbers: (1..numbers).map(|_| Column::new(0)).collect(),
            keys: (1..keys).map(|_| Column::new(0)).collect(),
            lists: (0..lists).map(|_| Column::new(ListRef::NONE)).collect(),
            ranges: Column::new(ListRef::NONE),
            limits: Column::new(ListRef::NONE),
            range_slots: Vec::new(),
            words: Lists::new(),
            amounts: Lists::new(),
            buffer: Vec::new(),
        }
    }

    /// The same, where single players may have numbers for the ranges: for each of them the slot.
    pub fn with_range_slots(self, range_slots: Vec<usize>) -> Tickets {
        Tickets { range_slots, ..self }
    }

    /// Rows that hold a ticket.
    pub fn len(&self) -> usize {
        self.rows.live() as usize
    }

    /// Whether no row holds a ticket.
    pub fn is_empty(&self) -> bool {
        self.rows.live() == 0
    }

    /// Rows that were ever used: every row is below this.
    pub fn row_end(&self) -> u32 {
        self.rows.high()
    }

    /// Takes a ticket in and says in which row.
    pub fn insert(&mut self, id: TicketId, seniority: Seniority, values: &TicketValues) -> u32 {
        let row = self.rows.take();
        self.grow_to(self.rows.high());
        let Seniority { enqueued, submit_number } = seniority;
        self.fill(row, Head { id: id.0, enqueued: enqueued.0, submit_number, ..FREE }, values);
        row
    }

    /// Replaces a ticket's values; who it is and since when it waits stay.
    pub fn update(&mut self, row: u32, values: &TicketValues) {
        self.drop_lists(row);
        self.fill(row, *self.heads.at(row), values);
    }

    /// Frees a row.
    pub fn remove(&mut self, row: u32) {
        self.drop_lists(row);
        self.heads.at_mut(row).id = 0;
        self.rows.release(row);
    }

    fn grow_to(&mut self, rows: u32) {
        let rows = rows as usize;
        if rows <= self.heads.rows() {
            return;
        }
        self.heads.grow_to(rows);
        for column in self.numbers.iter_mut().chain(&mut self.keys) {
            column.grow_to(rows);
        }
        for column in &mut self.lists {
            column.grow_to(rows);
        }
    }

    /// Writes a row. `who`: its id and times.
    fn fill(&mut self, row: u32, who: Head, values: &TicketValues) {
        let mut has = 0;
        for (column, &value) in self.numbers.iter_mut().zip(values.numbers.iter().skip(1)) {
            column.set(row, value);
        }
        for (column, &value) in self.keys.iter_mut().zip(values.keys.iter().skip(1)) {
            column.set(row, value);
        }
        for (slot, (column, list)) in self.lists.iter_mut().zip(&values.lists).enumerate() {
            if let Some(list) = list {
                has |= 1 << slot;
                column.set(row, self.words.insert(list));
            }
        }
        if values.has_ranges_in_numbers {
            has |= HAS_NUMBERS_FOR_RANGES;
        } else if !values.ranges.is_empty() {
            has |= HAS_RANGES;
            let ranges = values.ranges.iter().flat_map(|&(low, high)| [low, high]);
            set(&mut self.ranges, row, &mut self.amounts, &mut self.buffer, ranges);
        }
        if !values.limits.is_empty() {
            has |= HAS_LIMITS;
            let limits = values.limits.iter().flat_map(|&(range, low, high)| [i64::from(range), low, high]);
            set(&mut self.limits, row, &mut self.amounts, &mut self.buffer, limits);
        }
        let pings = self.amounts.insert_of(&values.pings, |&(_, ping)| ping);
        *self.heads.at_mut(row) = Head {
            regions: values.pings.iter().fold(0, |mask, &(region, _)| mask | 1 << region),
            number: values.numbers.first().copied().unwrap_or(0),
            key: values.keys.first().copied().unwrap_or(0),
            pings,
            size: values.size,
            has,
            ..who
        };
    }

    fn drop_lists(&mut self, row: u32) {
        let Head { has, pings, .. } = *self.heads.at(row);
        self.amounts.remove(pings);
        if has & !HAS_NUMBERS_FOR_RANGES == 0 {
            return;
        }
        for (slot, column) in self.lists.iter_mut().enumerate() {
            if has >> slot & 1 == 1 {
                self.words.remove(column.get(row));
            }
        }
        for (bit, column) in [(HAS_RANGES, &self.ranges), (HAS_LIMITS, &self.limits)] {
            if has & bit != 0 {
                self.amounts.remove(column.get(row));
            }
        }
    }

    /// What decides about a single player's pairs, read at once.
    #[inline]
    pub fn glance(&self, row: u32) -> Glance<'_> {
        let head = self.heads.at(row);
        Glance {
            enqueued: Millis(head.enqueued),
            regions: head.regions,
            number: head.number,
            pings: self.amounts.get(head.pings),
            is_single: head.size == 1 && head.has & HAS_LIMITS == 0,
        }
    }

    /// The ticket's id; 0 in a free row.
    pub fn id(&self, row: u32) -> TicketId {
        TicketId(self.heads.at(row).id)
    }

    /// The ticket's place in the order of waiting.
    pub fn seniority(&self, row: u32) -> Seniority {
        let head = self.heads.at(row);
        Seniority { enqueued: Millis(head.enqueued), submit_number: head.submit_number }
    }

    /// The ticket's submit number.
    pub fn submit_number(&self, row: u32) -> u64 {
        self.heads.at(row).submit_number
    }

    /// How long the ticket has waited at `now`.
    pub fn age(&self, row: u32, now: Millis) -> Millis {
        now.since(Millis(self.heads.at(row).enqueued))
    }

    /// Its players.
    pub fn size(&self, row: u32) -> u32 {
        self.heads.at(row).size
    }

    /// A number of it; `NO_VALUE`: none.
    pub fn number(&self, slot: usize, row: u32) -> i64 {
        if slot == 0 { self.heads.at(row).number } else { self.numbers[slot - 1].get(row) }
    }

    /// A key of it; `NO_VALUE`: none.
    pub fn key(&self, slot: usize, row: u32) -> i64 {
        if slot == 0 { self.heads.at(row).key } else { self.keys[slot - 1].get(row) }
    }

    /// A list of it, sorted; `None`: no list.
    pub fn list(&self, slot: usize, row: u32) -> Option<&[u32]> {
        (self.heads.at(row).has >> slot & 1 == 1).then(|| self.words.get(self.lists[slot].get(row)))
    }

    /// The regions that it could ever be matched in, as a bit mask.
    pub fn regions(&self, row: u32) -> u64 {
        self.heads.at(row).regions
    }

    /// Its round-trip times in units of 0.000001 ms, one for each set bit of `regions`, by ascending region.
    pub fn pings(&self, row: u32) -> &[i64] {
        self.amounts.get(self.heads.at(row).pings)
    }

    /// The regions that it reaches with a round-trip time that passes, as a bit mask.
    pub fn regions_where(&self, row: u32, passes: impl Fn(i64) -> bool) -> u64 {
        let (mut within, mut left) = (0, self.regions(row));
        for &ping in self.pings(row) {
            let region = left & left.wrapping_neg();
            within |= if passes(ping) { region } else { 0 };
            left ^= region;
        }
        within
    }

    /// Its round-trip time to one of its regions.
    pub fn ping(&self, row: u32, region: u32) -> i64 {
        let below = self.regions(row) & ((1_u64 << region) - 1);
        self.pings(row)[below.count_ones() as usize]
    }

    /// The least and greatest value of its players in one of the queue's ranges; `None`: a player has none.
    pub fn range(&self, row: u32, range: usize) -> Option<(i64, i64)> {
        let has = self.heads.at(row).has;
        if has & HAS_NUMBERS_FOR_RANGES != 0 {
            let own = self.number(self.range_slots[range], row);
            return Some((own, own));
        }
        if has & HAS_RANGES == 0 {
            return None;
        }
        let ranges = self.amounts.get(self.ranges.get(row));
        let (low, high) = (ranges[2 * range], ranges[2 * range + 1]);
        (low <= high).then_some((low, high))
    }

    /// What it asks of the players of other tickets.
    pub fn limits(&self, row: u32) -> impl Iterator<Item = OwnLimit> + '_ {
        let list = if self.has_limits(row) { self.limits.get(row) } else { ListRef::NONE };
        let limits = self.amounts.get(list);
        limits.chunks_exact(3).map(|limit| (limit[0] as u32, limit[1], limit[2]))
    }

    /// Whether it asks anything of the players of other tickets.
    pub fn has_limits(&self, row: u32) -> bool {
        self.heads.at(row).has & HAS_LIMITS != 0
    }
}

/// Sets the list of a row in a column that is as long as it had to be so far.
fn set(
    column: &mut Column<ListRef>,
    row: u32,
    into: &mut Lists<i64>,
    buffer: &mut Vec<i64>,
    items: impl Iterator<Item = i64>,
) {
    buffer.clear();
    buffer.extend(items);
    column.grow_to(row as usize + 1);
    column.set(row, into.insert(buffer));
}
