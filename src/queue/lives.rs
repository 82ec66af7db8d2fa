//! How long tickets lived in a queue: a sample of bounded size, from which waits are estimated.
//!
//! Kept by `stats` for each queue. A ticket is in the sample if the mixed bits of its submit number end in enough
//! zeros: when the sample is full, one zero more is asked for and half of it goes, so whatever the traffic it is
//! an even draw over the whole window, the same on every machine. Each ticket weighs as many as it stands for.
//! Invariant: at most [`LIVES_MAX`] tickets; `places` names exactly those that still wait.

use crate::model::ids::{Millis, Seniority, TicketId};
use hashbrown::HashMap;

/// Tickets in the sample of one queue: enough for thirty in each of a hundred bands, 400 kB. Chosen.
const LIVES_MAX: usize = 4096;

/// One ticket's time in the queue.
#[derive(Clone, Copy, Debug)]
pub(super) struct Life {
    id: TicketId,
    /// When its wait began.
    pub(super) enqueued: Millis,
    /// When it came into this queue: later, if it waited elsewhere before or was put back.
    pub(super) came: Millis,
    /// When it left; `None`: it still waits.
    pub(super) left: Option<Millis>,
    /// Whether it left in a match.
    pub(super) matched: bool,
    /// Its skill in units of 0.000001.
    pub(super) skill: i64,
    /// The regions that it could be matched in, by the numbers of the accounts.
    pub(super) regions: u128,
    /// It stands for two to this power of tickets.
    pub(super) zeros: u32,
    mixed: u64,
}

/// The sample of one queue.
#[derive(Default, Clone)]
pub(super) struct Lives {
    all: Vec<Life>,
    places: HashMap<TicketId, u32, foldhash::fast::FixedState>,
    /// Zeros that are asked for.
    zeros: u32,
}

impl Lives {
    /// A ticket has come; those that left before `since` are of no use any more.
    pub(super) fn enter(
        &mut self,
        id: TicketId,
        seniority: Seniority,
        came: Millis,
        skill: i64,
        regions: u128,
        since: Millis,
    ) {
        let mixed = mix(seniority.submit_number);
        if !self.draws(mixed.trailing_zeros()) {
            return;
        }
        if self.all.len() == LIVES_MAX {
            self.make_room(since);
            if mixed.trailing_zeros() < self.zeros {
                return;
            }
        }
        self.places.insert(id, self.all.len() as u32);
        let enqueued = seniority.enqueued;
        let (left, matched, zeros) = (None, false, self.zeros);
        self.all.push(Life { id, enqueued, came, left, matched, skill, regions, zeros, mixed });
    }

    /// How many zeros are asked for.
    pub(super) fn asked(&self) -> u32 {
        self.zeros
    }

    /// Whether a ticket is drawn whose mixed bits end in so many zeros; the others are in no sample.
    pub(super) fn draws(&self, zeros: u32) -> bool {
        zeros >= self.zeros
    }

    /// A ticket has left.
    pub(super) fn leave(&mut self, id: TicketId, at: Millis, matched: bool) {
        if let Some(place) = self.places.remove(&id) {
            let life = &mut self.all[place as usize];
            (life.left, life.matched) = (Some(at), matched);
        }
    }

    /// The tickets that were in the queue at `since` or later.
    pub(super) fn since(&self, since: Millis) -> impl Iterator<Item = &Life> {
        self.all.iter().filter(move |life| life.left.is_none_or(|left| left >= since))
    }

    fn make_room(&mut self, since: Millis) {
        let is_recent = |life: &Life| life.left.is_none_or(|left| left >= since);
        self.all.retain(is_recent);
        if self.all.len() < LIVES_MAX / 4 {
            self.zeros = self.zeros.saturating_sub(1);
        }
        while self.all.len() > LIVES_MAX / 4 * 3 {
            self.zeros += 1;
            let zeros = self.zeros;
            self.all.retain_mut(|life| {
                life.zeros = life.zeros.max(zeros);
                life.mixed.trailing_zeros() >= zeros
            });
        }
        self.places.clear();
        let waiting = self.all.iter().enumerate().filter(|(_, life)| life.left.is_none());
        self.places.extend(waiting.map(|(place, life)| (life.id, place as u32)));
    }
}

/// The bits of a number, mixed: the finaliser of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom
/// number generators", OOPSLA 2014).
pub(super) fn mix(number: u64) -> u64 {
    let mut bits = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn enter(lives: &mut Lives, number: u64, came: u64, since: u64) -> TicketId {
        let id = TicketId(number + 1);
        let seniority = Seniority { enqueued: Millis(came), submit_number: number };
        lives.enter(id, seniority, Millis(came), 0, 1, Millis(since));
        id
    }

    #[test]
    fn a_full_sample_stays_an_even_draw() {
        let mut lives = Lives::default();
        for number in 0..100_000 {
            let id = enter(&mut lives, number, number, 0);
            if number % 2 == 0 {
                lives.leave(id, Millis(number + 5), true);
            }
            assert!(lives.all.len() <= LIVES_MAX);
        }
        let weight = |from: u64| -> u64 {
            let part = lives.since(Millis(0)).filter(|life| life.came.0 / 25_000 == from);
            part.map(|life| 1 << life.zeros).sum()
        };
        for quarter in 0..4 {
            assert!((22_500..27_500).contains(&weight(quarter)), "quarter {quarter}: {}", weight(quarter));
        }
        let waiting = lives.all.iter().filter(|life| life.left.is_none()).count();
        assert_eq!(lives.places.len(), waiting);
    }

    #[test]
    fn old_tickets_make_room_for_new_ones() {
        let mut lives = Lives::default();
        for number in 0..20_000 {
            let id = enter(&mut lives, number, number, number.saturating_sub(500));
            lives.leave(id, Millis(number), false);
        }
        assert_eq!(lives.zeros, 0, "500 tickets at a time fit");
        assert_eq!(lives.since(Millis(19_900)).count(), 100);
    }
}
