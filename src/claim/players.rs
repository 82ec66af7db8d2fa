//! Which ticket each player is in: one live ticket a player.
//!
//! Called by `engine` behind its door; one thread at a time. One map serves an engine, or one each queue
//! where players may stand in several. Invariant: a player has at most one entry. An entry may outlive its
//! ticket: it counts for nothing once the ticket is no longer live, and is replaced by the next claim, so
//! nobody has to be told in a hurry that a ticket is over. The hash has a fixed seed and the map is never
//! walked, so nothing depends on its order.
//!
//! The map is an open table with linear probing, at most three quarters full, whose removals move later
//! entries back (Knuth, The Art of Computer Programming 3, 6.4, algorithm R). hashbrown's marks of removed
//! entries would cost it: under steady traffic it ends at most half full (57 to 114 bytes a player), and the
//! moment at which it doubles for that depends on the past; measured by the PF-08 test as an allocation in a
//! late tick.

use crate::model::ids::{PlayerId, TicketId};
use foldhash::quality::FixedState;
use std::hash::BuildHasher;

/// Seed of the hash; any constant does (the digits of e).
const SEED: u64 = 0x2718_2818_2845_9045;
/// Places of the first table, a power of two.
const PLACES_MIN: usize = 64;

/// One place, 24 bytes: the player id is two words, as the alignment of u128 would ask for 32.
#[derive(Clone, Copy)]
struct Entry {
    player: [u64; 2],
    /// 0 in an empty place; no ticket has the id 0.
    ticket: u64,
}

const EMPTY: Entry = Entry { player: [0; 2], ticket: 0 };

/// Temporary.
#[allow(missing_docs)]
pub struct Players(std::sync::Mutex<PlayersOld>);
#[allow(missing_docs)]
pub enum Conflict { In(PlayerId, TicketId), Full }
#[allow(missing_docs, clippy::unwrap_used)]
impl Players {
    pub fn new(_n: u32) -> Players { Players(std::sync::Mutex::new(PlayersOld::new())) }
    pub fn claim(&self, players: &[PlayerId], ticket: TicketId, is_live: impl Fn(TicketId) -> bool) -> Result<(), Conflict> {
        self.0.lock().unwrap().claim(players, ticket, is_live).map_err(|(a, b)| Conflict::In(a, b))
    }
    pub fn release(&self, player: PlayerId, ticket: TicketId) { self.0.lock().unwrap().release(player, ticket) }
    pub fn get(&self, player: PlayerId) -> Option<TicketId> { self.0.lock().unwrap().get(player) }
}
/// The ticket of each player. O(1) a player; 32 to 64 bytes an entry, by how full the table is.
#[derive(Default)]
pub struct PlayersOld {
    /// None, or a power of two.
    places: Vec<Entry>,
    len: usize,
}

impl PlayersOld {
    /// No players.
    pub fn new() -> PlayersOld {
        PlayersOld::default()
    }

    /// Enters `ticket` for all `players`, or for none of them.
    ///
    /// `is_live` says whether a ticket that is found still counts. Error: the first player who is in another
    /// live ticket, or else the first who stands twice in `players`, and that ticket. Panics on the ticket id
    /// 0.
    pub fn claim(
        &mut self,
        players: &[PlayerId],
        ticket: TicketId,
        is_live: impl Fn(TicketId) -> bool,
    ) -> Result<(), (PlayerId, TicketId)> {
        assert!(ticket.0 != 0, "no ticket has the id 0");
        for &player in players {
            if let Some(held) = self.get(player)
                && is_live(held)
            {
                return Err((player, held));
            }
        }
        for (index, &player) in players.iter().enumerate() {
            if !self.enter(player, ticket) {
                players[..index].iter().for_each(|&player| self.release(player, ticket));
                return Err((player, ticket));
            }
        }
        Ok(())
    }

    /// Takes the player's entry out if it still names this ticket.
    pub fn release(&mut self, player: PlayerId, ticket: TicketId) {
        if let Some(place) = self.find(player)
            && self.places[place].ticket == ticket.0
        {
            self.remove(place);
        }
    }

    /// The ticket that the player was last entered for, live or not.
    pub fn get(&self, player: PlayerId) -> Option<TicketId> {
        self.find(player).map(|place| TicketId(self.places[place].ticket))
    }

    /// Entries, those of tickets that are over included.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Enters the ticket, also in the place of another. Answers whether it was not there already.
    fn enter(&mut self, player: PlayerId, ticket: TicketId) -> bool {
        if let Some(place) = self.find(player) {
            let entry = &mut self.places[place];
            let new = entry.ticket != ticket.0;
            entry.ticket = ticket.0;
            return new;
        }
        if (self.len + 1) * 4 > self.places.len() * 3 {
            self.grow();
        }
        self.put(Entry { player: halves(player), ticket: ticket.0 });
        self.len += 1;
        true
    }

    /// The place of the player.
    fn find(&self, player: PlayerId) -> Option<usize> {
        let player = halves(player);
        let mask = self.places.len().checked_sub(1)?;
        let mut place = home(player, mask);
        // Ends: a quarter of the places is empty.
        while self.places[place].ticket != 0 {
            if self.places[place].player == player {
                return Some(place);
            }
            place = (place + 1) & mask;
        }
        None
    }

    /// Puts an entry of a player who has none into the first empty place.
    fn put(&mut self, entry: Entry) {
        let mask = self.places.len() - 1;
        let mut place = home(entry.player, mask);
        while self.places[place].ticket != 0 {
            place = (place + 1) & mask;
        }
        self.places[place] = entry;
    }

    /// Empties a place and moves those entries back that probing would no longer reach.
    fn remove(&mut self, place: usize) {
        let mask = self.places.len() - 1;
        let mut hole = place;
        let mut next = (place + 1) & mask;
        while self.places[next].ticket != 0 {
            let home = home(self.places[next].player, mask);
            // The hole lies on the way from the entry's home to its place.
            if next.wrapping_sub(home) & mask >= next.wrapping_sub(hole) & mask {
                self.places[hole] = self.places[next];
                hole = next;
            }
            next = (next + 1) & mask;
        }
        self.places[hole] = EMPTY;
        self.len -= 1;
    }

    /// Twice the places.
    fn grow(&mut self) {
        let places = (self.places.len() * 2).max(PLACES_MIN);
        let old = std::mem::replace(&mut self.places, vec![EMPTY; places]);
        old.into_iter().filter(|entry| entry.ticket != 0).for_each(|entry| self.put(entry));
    }
}

/// A player id as two words.
fn halves(player: PlayerId) -> [u64; 2] {
    [player.0 as u64, (player.0 >> 64) as u64]
}

/// The place at which the search for a player begins.
fn home(player: [u64; 2], mask: usize) -> usize {
    let whole = u128::from(player[1]) << 64 | u128::from(player[0]);
    FixedState::with_seed(SEED).hash_one(whole) as usize & mask
}

const _: () = assert!(size_of::<Entry>() == 24);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    const A: TicketId = TicketId(1 << 32);
    const B: TicketId = TicketId(2 << 32);

    #[test]
    fn a_party_is_entered_whole_or_not_at_all() {
        let mut players = PlayersOld::new();
        let [p, q, r] = [1, 2, 1 << 100].map(PlayerId);
        assert_eq!(players.claim(&[p, q], A, |_| true), Ok(()));
        assert_eq!(players.claim(&[r, q], B, |_| true), Err((q, A)));
        assert_eq!(players.get(r), None);
        assert_eq!(players.claim(&[r, p, r], B, |ticket| ticket != A), Err((r, B)));
        assert_eq!(players.get(r), None);
        assert_eq!(players.claim(&[r, q], B, |ticket| ticket != A), Ok(()), "A is over");
        players.release(q, A);
        assert_eq!(players.get(q), Some(B));
        players.release(q, B);
        assert_eq!((players.get(q), players.get(r)), (None, Some(B)));
    }

    proptest! {
        /// The table is a plain map, through growth and removals.
        #[test]
        fn every_entry_is_found(steps in prop::collection::vec((any::<bool>(), 0_u128..90), 0..800)) {
            let mut players = PlayersOld::new();
            let mut model: BTreeMap<u128, TicketId> = BTreeMap::new();
            for (number, (enter, player)) in (1_u64..).zip(steps) {
                if enter {
                    players.claim(&[PlayerId(player)], TicketId(number), |_| false).unwrap();
                    model.insert(player, TicketId(number));
                } else if let Some(ticket) = model.remove(&player) {
                    players.release(PlayerId(player), TicketId(0));
                    prop_assert_eq!(players.get(PlayerId(player)), Some(ticket));
                    players.release(PlayerId(player), ticket);
                }
                prop_assert_eq!(players.len(), model.len());
            }
            for player in 0..90 {
                prop_assert_eq!(players.get(PlayerId(player)), model.get(&player).copied());
            }
        }

        /// The map is a plain map that skips what is over.
        #[test]
        fn equals_a_plain_map(
            steps in prop::collection::vec((0_u8..3, prop::collection::vec(0_u128..12, 1..4)), 0..200),
        ) {
            let mut players = PlayersOld::new();
            let mut model: BTreeMap<u128, u64> = BTreeMap::new();
            let mut over: BTreeSet<u64> = BTreeSet::new();
            for (number, (step, party)) in (1_u64..).zip(steps) {
                let ticket = model.get(&party[0]).copied().unwrap_or(0);
                if step == 0 {
                    over.insert(ticket);
                } else if step == 1 {
                    players.release(PlayerId(party[0]), TicketId(ticket));
                    model.remove(&party[0]);
                } else {
                    let ids: Vec<PlayerId> = party.iter().map(|&p| PlayerId(p)).collect();
                    let claimed = players.claim(&ids, TicketId(number), |t| !over.contains(&t.0));
                    let held = party.iter().find_map(|p| {
                        model.get(p).filter(|t| !over.contains(t)).map(|&t| (PlayerId(*p), TicketId(t)))
                    });
                    let twice = party.iter().enumerate().find(|&(i, p)| party[..i].contains(p));
                    let expected = held.or(twice.map(|(_, &p)| (PlayerId(p), TicketId(number))));
                    prop_assert_eq!(claimed, expected.map_or(Ok(()), Err));
                    if claimed.is_ok() {
                        party.iter().for_each(|&p| { model.insert(p, number); });
                    }
                }
                for p in 0..12 {
                    let live = |t: &u64| *t != 0 && !over.contains(t);
                    let found = players.get(PlayerId(p)).map(|t| t.0).filter(live);
                    prop_assert_eq!(found, model.get(&p).copied().filter(live));
                }
            }
        }
    }
}
