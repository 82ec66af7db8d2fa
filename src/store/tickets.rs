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
        self.limits.clone_from(&other.limits);
    }
}

/// The tickets of one queue.
pub struct Tickets {
    rows: Rows,
    id: Column<u64>,
    enqueued: Column<u64>,
    submit_number: Column<u64>,
    size: Column<u32>,
    numbers: Vec<Column<i64>>,
    keys: Vec<Column<i64>>,
    lists: Vec<Column<ListRef>>,
    has_list: Column<u32>,
    regions: Column<u64>,
    pings: Column<ListRef>,
    ranges: Column<ListRef>,
    limits: Column<ListRef>,
    words: Lists<u32>,
    amounts: Lists<i64>,
    buffer: Vec<i64>,
}

impl Tickets {
    /// An empty table whose tickets have so many numbers, keys and lists.
    pub fn new(numbers: usize, keys: usize, lists: usize) -> Tickets {
        Tickets {
            rows: Rows::new(),
            id: Column::new(0),
            enqueued: Column::new(0),
            submit_number: Column::new(0),
            size: Column::new(0),
            numbers: (0..numbers).map(|_| Column::new(0)).collect(),
            keys: (0..keys).map(|_| Column::new(0)).collect(),
            lists: (0..lists).map(|_| Column::new(ListRef::NONE)).collect(),
            has_list: Column::new(0),
            regions: Column::new(0),
            pings: Column::new(ListRef::NONE),
            ranges: Column::new(ListRef::NONE),
            limits: Column::new(ListRef::NONE),
            words: Lists::new(),
            amounts: Lists::new(),
            buffer: Vec::new(),
        }
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
        self.id.set(row, id.0);
        self.enqueued.set(row, seniority.enqueued.0);
        self.submit_number.set(row, seniority.submit_number);
        self.fill(row, values);
        row
    }

    /// Replaces a ticket's values; who it is and since when it waits stay.
    pub fn update(&mut self, row: u32, values: &TicketValues) {
        self.drop_lists(row);
        self.fill(row, values);
    }

    /// Frees a row.
    pub fn remove(&mut self, row: u32) {
        self.drop_lists(row);
        self.id.set(row, 0);
        self.rows.release(row);
    }

    fn grow_to(&mut self, rows: u32) {
        let rows = rows as usize;
        for column in [&mut self.id, &mut self.enqueued, &mut self.submit_number, &mut self.regions] {
            column.grow_to(rows);
        }
        for column in [&mut self.size, &mut self.has_list] {
            column.grow_to(rows);
        }
        for column in self.numbers.iter_mut().chain(&mut self.keys) {
            column.grow_to(rows);
        }
        let fixed = [&mut self.pings, &mut self.ranges, &mut self.limits];
        for column in fixed.into_iter().chain(&mut self.lists) {
            column.grow_to(rows);
        }
    }

    fn fill(&mut self, row: u32, values: &TicketValues) {
        self.size.set(row, values.size);
        for (column, &value) in self.numbers.iter_mut().zip(&values.numbers) {
            column.set(row, value);
        }
        for (column, &value) in self.keys.iter_mut().zip(&values.keys) {
            column.set(row, value);
        }
        let mut has_list = 0;
        for (slot, (column, list)) in self.lists.iter_mut().zip(&values.lists).enumerate() {
            if let Some(list) = list {
                has_list |= 1 << slot;
                column.set(row, self.words.insert(list));
            }
        }
        self.has_list.set(row, has_list);
        self.regions.set(row, values.pings.iter().fold(0, |mask, &(region, _)| mask | 1 << region));
        let pings = values.pings.iter().map(|&(_, ping)| ping);
        let ranges = values.ranges.iter().flat_map(|&(low, high)| [low, high]);
        let limits = values.limits.iter().flat_map(|&(range, low, high)| [i64::from(range), low, high]);
        self.pings.set(row, insert(&mut self.amounts, &mut self.buffer, pings));
        self.ranges.set(row, insert(&mut self.amounts, &mut self.buffer, ranges));
        self.limits.set(row, insert(&mut self.amounts, &mut self.buffer, limits));
    }

    fn drop_lists(&mut self, row: u32) {
        for column in &mut self.lists {
            self.words.remove(column.get(row));
            column.set(row, ListRef::NONE);
        }
        for column in [&mut self.pings, &mut self.ranges, &mut self.limits] {
            self.amounts.remove(column.get(row));
            column.set(row, ListRef::NONE);
        }
    }

    /// The ticket's id; 0 in a free row.
    pub fn id(&self, row: u32) -> TicketId {
        TicketId(self.id.get(row))
    }

    /// The ticket's place in the order of waiting.
    pub fn seniority(&self, row: u32) -> Seniority {
        Seniority { enqueued: Millis(self.enqueued.get(row)), submit_number: self.submit_number.get(row) }
    }

    /// The ticket's submit number.
    pub fn submit_number(&self, row: u32) -> u64 {
        self.submit_number.get(row)
    }

    /// How long the ticket has waited at `now`.
    pub fn age(&self, row: u32, now: Millis) -> Millis {
        now.since(Millis(self.enqueued.get(row)))
    }

    /// Its players.
    pub fn size(&self, row: u32) -> u32 {
        self.size.get(row)
    }

    /// A number of it; `NO_VALUE`: none.
    pub fn number(&self, slot: usize, row: u32) -> i64 {
        self.numbers[slot].get(row)
    }

    /// A key of it; `NO_VALUE`: none.
    pub fn key(&self, slot: usize, row: u32) -> i64 {
        self.keys[slot].get(row)
    }

    /// A list of it, sorted; `None`: no list.
    pub fn list(&self, slot: usize, row: u32) -> Option<&[u32]> {
        (self.has_list.get(row) >> slot & 1 == 1).then(|| self.words.get(self.lists[slot].get(row)))
    }

    /// The regions that it could ever be matched in, as a bit mask.
    pub fn regions(&self, row: u32) -> u64 {
        self.regions.get(row)
    }

    /// Its round-trip times in units of 0.000001 ms, one for each set bit of `regions`, by ascending region.
    pub fn pings(&self, row: u32) -> &[i64] {
        self.amounts.get(self.pings.get(row))
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
        let below = self.regions.get(row) & ((1_u64 << region) - 1);
        self.pings(row)[below.count_ones() as usize]
    }

    /// The least and greatest value of its players in one of the queue's ranges; `None`: a player has none.
    pub fn range(&self, row: u32, range: usize) -> Option<(i64, i64)> {
        let ranges = self.amounts.get(self.ranges.get(row));
        let (low, high) = (ranges[2 * range], ranges[2 * range + 1]);
        (low <= high).then_some((low, high))
    }

    /// What it asks of the players of other tickets.
    pub fn limits(&self, row: u32) -> impl Iterator<Item = OwnLimit> + '_ {
        self.amounts
            .get(self.limits.get(row))
            .chunks_exact(3)
            .map(|limit| (limit[0] as u32, limit[1], limit[2]))
    }

    /// Whether it asks anything of the players of other tickets.
    pub fn has_limits(&self, row: u32) -> bool {
        self.limits.get(row) != ListRef::NONE
    }
}

fn insert(into: &mut Lists<i64>, buffer: &mut Vec<i64>, items: impl Iterator<Item = i64>) -> ListRef {
    buffer.clear();
    buffer.extend(items);
    into.insert(buffer)
}
