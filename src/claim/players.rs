//! Which ticket each player is in: one live ticket a player.
//!
//! Called by `engine` behind its door; one thread at a time. One map serves an engine, or one each queue where
//! players may stand in several. Invariant: a player has at most one entry. An entry may outlive its ticket: it
//! counts for nothing once the ticket is no longer live, and is replaced by the next claim, so nobody has to be
//! told in a hurry that a ticket is over. The hash has a fixed seed and the map is never walked, so nothing
//! depends on its order.

use crate::model::ids::{PlayerId, TicketId};
use foldhash::quality::FixedState;
use hashbrown::HashMap;
use hashbrown::hash_map::Entry;
use std::hash::{Hash, Hasher};

/// Seed of the hash; any constant does (the digits of e).
const SEED: u64 = 0x2718_2818_2845_9045;

/// A player id as two words: an entry is then 24 bytes and not the 32 that the alignment of u128 asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Key([u64; 2]);

impl Key {
    fn new(player: PlayerId) -> Key {
        Key([player.0 as u64, (player.0 >> 64) as u64])
    }
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u128(u128::from(self.0[1]) << 64 | u128::from(self.0[0]));
    }
}

/// The ticket of each player. O(1) a player; 25 to 57 bytes an entry, by how full the table is.
pub struct Players {
    tickets: HashMap<Key, TicketId, FixedState>,
}

impl Default for Players {
    fn default() -> Players {
        Players::new()
    }
}

impl Players {
    /// No players.
    pub fn new() -> Players {
        Players { tickets: HashMap::with_hasher(FixedState::with_seed(SEED)) }
    }

    /// Enters `ticket` for all `players`, or for none of them.
    ///
    /// `is_live` says whether a ticket that is found still counts. Error: the first player who is in another live
    /// ticket, or stands twice in `players`, and that ticket.
    pub fn claim(
        &mut self,
        players: &[PlayerId],
        ticket: TicketId,
        is_live: impl Fn(TicketId) -> bool,
    ) -> Result<(), (PlayerId, TicketId)> {
        for &player in players {
            if let Some(&held) = self.tickets.get(&Key::new(player))
                && is_live(held)
            {
                return Err((player, held));
            }
        }
        for (index, &player) in players.iter().enumerate() {
            let twice = match self.tickets.entry(Key::new(player)) {
                Entry::Occupied(entry) if *entry.get() == ticket => true,
                Entry::Occupied(mut entry) => {
                    entry.insert(ticket);
                    false
                }
                Entry::Vacant(entry) => {
                    entry.insert(ticket);
                    false
                }
            };
            if twice {
                players[..index].iter().for_each(|&player| self.release(player, ticket));
                return Err((player, ticket));
            }
        }
        Ok(())
    }

    /// Takes the player's entry out if it still names this ticket.
    pub fn release(&mut self, player: PlayerId, ticket: TicketId) {
        // Not through `entry`, which makes room for an entry that is not there.
        let key = Key::new(player);
        if self.tickets.get(&key) == Some(&ticket) {
            self.tickets.remove(&key);
        }
    }

    /// The ticket that the player was last entered for, live or not.
    pub fn get(&self, player: PlayerId) -> Option<TicketId> {
        self.tickets.get(&Key::new(player)).copied()
    }

    /// Entries, those of tickets that are over included.
    pub fn len(&self) -> usize {
        self.tickets.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.tickets.is_empty()
    }
}

const _: () = assert!(size_of::<(Key, TicketId)>() == 24);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    const A: TicketId = TicketId(1 << 32);
    const B: TicketId = TicketId(2 << 32);

    #[test]
    fn a_party_is_entered_whole_or_not_at_all() {
        let mut players = Players::new();
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
        /// The map is a plain map that skips what is over.
        #[test]
        fn equals_a_plain_map(
            steps in prop::collection::vec((0_u8..3, prop::collection::vec(0_u128..12, 1..4)), 0..200),
        ) {
            let mut players = Players::new();
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
