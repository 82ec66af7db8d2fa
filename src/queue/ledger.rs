//! What a tick has to tell the accounts, added up while it runs.
//!
//! Written by the queues for each ticket that leaves and each match that is made, read by `stats`, which has two copies
//! to write: so what is alike is counted once here. Tickets that are alike have the same regions, were matched or ended
//! for the same reason, and waited as long as far as the accounts tell waits apart. Invariant: the sums say of every
//! ticket what it would have said alone; which of them stand together does not matter.
//!
//! Measured (`perf record` of `evenmatch bench duel --full --selection least_cost`, one thread, busy machine, same output):
//! told one by one, in 64 bytes each and for each of a ticket's regions in both copies, the accounts took 8 in 100 of the
//! whole time; added up, less than 2.

use super::histogram::bucket_of;
use super::outcome::Left;
use crate::model::codes::EndReason;
use crate::model::ids::{Millis, QueueId, TicketId};
use crate::model::limits::REGIONS_MAX;
use crate::model::status::WAIT_CLASSES_S;

/// Places by which alike tickets find each other: chosen, more than there are kinds in most ticks.
const PLACES: usize = 64;
const NO_PLACE: u32 = u32::MAX;
/// The place of matches without a region.
const NO_REGION: usize = REGIONS_MAX;

/// Tickets that left and are alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LeftAlike {
    /// Their regions by number, as a bit mask.
    pub(super) regions: u64,
    /// The bucket and the class of their waits.
    pub(super) bucket: u32,
    pub(super) class: u32,
    /// Why they ended; `None`: they were matched.
    pub(super) reason: Option<EndReason>,
    /// They timed out and never met a ticket that they could have stood with.
    pub(super) starved: bool,
    /// How many they are, and their players.
    pub(super) tickets: u32,
    pub(super) players: u64,
    /// The sum of their waits in milliseconds.
    pub(super) waited: u64,
}

/// A ticket that left, for the sample of lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Gone {
    pub(super) id: TicketId,
    pub(super) at: Millis,
    /// The zeros at the end of the mixed bits of its submit number.
    pub(super) zeros: u8,
    pub(super) matched: bool,
}

/// What one queue has to tell.
#[derive(Clone, Debug)]
pub(super) struct Page {
    pub(super) queue: QueueId,
    pub(super) left: Vec<LeftAlike>,
    pub(super) gone: Vec<Gone>,
    /// Matches made, by region.
    made: [u32; REGIONS_MAX + 1],
    has_made: bool,
    places: [u32; PLACES],
    /// The wait of the last one that was matched, with its bucket and class: many wait as long.
    last: (u64, u32, u32),
}

impl Page {
    fn new(queue: QueueId) -> Page {
        Page {
            queue,
            left: Vec::new(),
            gone: Vec::new(),
            made: [0; REGIONS_MAX + 1],
            has_made: false,
            places: [NO_PLACE; PLACES],
            last: (0, bucket_of(0) as u32, class_of(0)),
        }
    }

    /// Begins anew, for a queue.
    fn turn(&mut self, queue: QueueId) {
        self.queue = queue;
        self.left.clear();
        self.gone.clear();
        self.places = [NO_PLACE; PLACES];
        if std::mem::take(&mut self.has_made) {
            self.made = [0; REGIONS_MAX + 1];
        }
    }

    /// Matches made, with the region where there is one.
    pub(super) fn made(&self) -> impl Iterator<Item = (Option<u8>, u32)> + '_ {
        let made = if self.has_made { &self.made[..] } else { &[] };
        let made = made.iter().enumerate().filter(|&(_, &count)| count > 0);
        made.map(|(region, &count)| ((region != NO_REGION).then_some(region as u8), count))
    }

    fn leave(&mut self, left: &Left) {
        if left.is_drawn {
            let Left { id, at, zeros, .. } = *left;
            self.gone.push(Gone { id, at, zeros, matched: left.reason.is_none() });
        }
        let wait = left.wait.0;
        let (bucket, class) = match left.reason {
            None => {
                if self.last.0 != wait {
                    self.last = (wait, bucket_of(wait) as u32, class_of(wait));
                }
                (self.last.1, self.last.2)
            }
            // How long those waited who were not matched is not told.
            Some(_) => (0, 0),
        };
        self.add(LeftAlike {
            regions: left.regions,
            bucket,
            class,
            reason: left.reason,
            starved: left.starved,
            tickets: 1,
            players: u64::from(left.players),
            waited: wait,
        });
    }

    /// Counts tickets that are alike.
    fn add(&mut self, left: LeftAlike) {
        let mixed = (left.regions ^ u64::from(left.bucket) << 48).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let place = &mut self.places[(mixed >> 58) as usize];
        let is_alike = |other: &&mut LeftAlike| {
            (other.regions, other.bucket, other.class) == (left.regions, left.bucket, left.class)
                && (other.reason, other.starved) == (left.reason, left.starved)
        };
        match self.left.get_mut(*place as usize).filter(is_alike) {
            Some(alike) => {
                alike.tickets += left.tickets;
                alike.players += left.players;
                alike.waited = alike.waited.saturating_add(left.waited);
            }
            None => {
                *place = self.left.len() as u32;
                self.left.push(left);
            }
        }
    }

    /// Adds what another page of the queue tells.
    fn append(&mut self, other: &Page) {
        // As pushes would: a tick that has a few more than the one before takes no memory.
        if self.gone.capacity() - self.gone.len() < other.gone.len() {
            self.gone.reserve(2 * other.gone.len());
        }
        self.gone.extend_from_slice(&other.gone);
        other.left.iter().for_each(|&left| self.add(left));
        for (region, count) in other.made() {
            self.has_made = true;
            self.made[region.map_or(NO_REGION, usize::from)] += count;
        }
    }
}

/// What all queues have to tell of one tick.
#[derive(Clone, Default, Debug)]
pub struct Ledger {
    pages: Vec<Page>,
    /// Pages that are written.
    written: usize,
    /// The page written last.
    last: usize,
}

impl Ledger {
    /// Begins anew.
    pub(super) fn clear(&mut self) {
        self.written = 0;
    }

    /// The pages, a queue each.
    pub(super) fn pages(&self) -> &[Page] {
        &self.pages[..self.written]
    }

    /// Notes a ticket that has left.
    pub(super) fn leave(&mut self, left: &Left) {
        self.page(left.queue).leave(left);
    }

    /// Adds what another ledger tells.
    pub(super) fn append(&mut self, other: &Ledger) {
        other.pages().iter().for_each(|page| self.page(page.queue).append(page));
    }

    /// Notes a match that has been made.
    pub(super) fn make(&mut self, queue: QueueId, region: Option<u8>) {
        let page = self.page(queue);
        page.has_made = true;
        page.made[region.map_or(NO_REGION, usize::from)] += 1;
    }

    fn page(&mut self, queue: QueueId) -> &mut Page {
        if self.last >= self.written || self.pages[self.last].queue != queue {
            self.last = self.find(queue);
        }
        &mut self.pages[self.last]
    }

    fn find(&mut self, queue: QueueId) -> usize {
        if let Some(at) = self.pages().iter().position(|page| page.queue == queue) {
            return at;
        }
        if self.written == self.pages.len() {
            self.pages.push(Page::new(queue));
        }
        self.pages[self.written].turn(queue);
        self.written += 1;
        self.written - 1
    }
}

/// The class of a wait among [`WAIT_CLASSES_S`].
fn class_of(wait_ms: u64) -> u32 {
    WAIT_CLASSES_S.partition_point(|&seconds| seconds * 1000 < wait_ms) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use std::collections::BTreeMap;

    #[test]
    fn sums_say_what_each_ticket_said() {
        let mut random = ChaCha8Rng::seed_from_u64(4);
        // One that is written at once, and others that are added to it.
        let mut ledgers: [Ledger; 3] = Default::default();
        for round in 0..20 {
            ledgers.iter_mut().for_each(Ledger::clear);
            // Tickets, players and waits of those that are alike.
            let mut expected = BTreeMap::<_, (u64, u64, u64)>::new();
            let mut made = [[0_u32; REGIONS_MAX + 1]; 3];
            for number in 0..2_000 {
                let queue = QueueId(random.random_range(0..3));
                let wait = 1 << random.random_range(0..20);
                let left = Left {
                    queue,
                    id: TicketId(number),
                    zeros: 0,
                    is_drawn: true,
                    at: Millis(5),
                    wait: Millis(wait),
                    players: random.random_range(1..5),
                    regions: random.random_range(0..200),
                    reason: random.random_bool(0.2).then_some(EndReason::TimedOut),
                    starved: false,
                };
                let ledger = &mut ledgers[random.random_range(0..3)];
                ledger.leave(&left);
                let bucket = if left.reason.is_none() { bucket_of(wait) } else { 0 };
                let key = (queue.0, left.regions, bucket as u64, left.reason.is_none());
                let sum = expected.entry(key).or_default();
                *sum = (sum.0 + 1, sum.1 + u64::from(left.players), sum.2 + wait);
                let region = random.random_range(0..=REGIONS_MAX);
                ledger.make(queue, (region < REGIONS_MAX).then_some(region as u8));
                made[queue.0 as usize][region] += 1;
            }
            let [ledger, others @ ..] = &mut ledgers;
            others.iter().for_each(|other| ledger.append(other));
            assert_eq!(ledger.pages().len(), 3, "round {round}");
            let gone: usize = ledger.pages().iter().map(|page| page.gone.len()).sum();
            assert_eq!(gone, 2_000, "round {round}");
            for page in ledger.pages() {
                for alike in &page.left {
                    let key = (page.queue.0, alike.regions, u64::from(alike.bucket), alike.reason.is_none());
                    let sum = expected.get_mut(&key).unwrap();
                    sum.0 -= u64::from(alike.tickets);
                    sum.1 -= alike.players;
                    sum.2 -= alike.waited;
                }
                let of_page = &mut made[page.queue.0 as usize];
                for (region, count) in page.made() {
                    of_page[region.map_or(NO_REGION, usize::from)] -= count;
                }
            }
            assert!(expected.values().all(|&sum| sum == (0, 0, 0)), "round {round}");
            assert_eq!(made, [[0; REGIONS_MAX + 1]; 3], "round {round}");
        }
    }
}
