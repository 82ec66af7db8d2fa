//! Which ticket each player is in: one live ticket a player, or one in each scope.
//!
//! Called by `engine`, from any thread. Invariant: a player has at most one entry in a scope. An entry may
//! outlive its ticket: it counts for nothing once the ticket is no longer live, and is replaced by the next
//! claim, so nobody has to be told in a hurry that a ticket is over, and nobody waits for a thread that
//! stopped before it said so. The hash has a fixed seed and the table is never walked, so nothing depends on
//! its order.
//!
//! The table is a fixed number of buckets, each a word that names the first node of a short chain:
//!
//! ```text
//!  bucket: (node 7, count 41) -> node 7: player, scope, ticket -> node 2: .. -> none
//! ```
//!
//! A node that is in a chain never changes. To enter, replace or remove an entry, a thread makes nodes for
//! what comes before it, lets them lead to what comes behind it, and replaces the bucket's word by one
//! exchange, with the next count; then the nodes that are out of the chain go back to the pool. An exchange
//! that succeeds so proves that the chain is the one that was read. A reader looks at the bucket's word again
//! after each node that he read: as nodes are written with release and read with acquire, whoever reads a
//! node of another time finds the word changed, and begins again. This is the copying of Harris's ordered
//! lists ("A Pragmatic Implementation of Non-Blocking Linked-Lists", DISC 2001) brought down to one exchange,
//! as chains have about one node, with the reader's second look of a sequence lock.

mod hands;

use super::fault::Fault;
use crate::base::pool::Pool;
use crate::base::segments::Segments;
use crate::base::sync::{AtomicU32, AtomicU64, Ordering, Padded};
use crate::base::tagged::{NO_INDEX, Tagged};
use crate::model::ids::{PlayerId, TicketId};
use foldhash::quality::FixedState;
pub use hands::Hands;
use std::hash::BuildHasher;

/// Seed of the hash; any constant does (the digits of e).
const SEED: u64 = 0x2718_2818_2845_9045;
/// Nodes beyond the players: for the copies of changes that are under way, one chain a thread.
const NODES_SPARE: u32 = if cfg!(loom) { 4 } else { 1 << 16 };
/// Players that are looked at ahead in one go: so many that their looks overlap, and few enough that what was looked at
/// is still near when they are done.
pub const WARM_MAX: usize = 64;
/// The scope of players who may be in one live ticket of the engine.
pub const ENGINE_WIDE: u32 = 0;

/// One entry, 32 bytes. Each word is written with release, before the node is in a chain or after it has left
/// it, and read with acquire.
struct Node {
    player: [AtomicU64; 2],
    ticket: AtomicU64,
    scope: AtomicU32,
    /// The node behind in the chain.
    next: AtomicU32,
}

impl Node {
    fn new() -> Node {
        Node {
            player: [AtomicU64::new(0), AtomicU64::new(0)],
            ticket: AtomicU64::new(0),
            scope: AtomicU32::new(0),
            next: AtomicU32::new(NO_INDEX),
        }
    }

    /// What the node says. Acquire pairs with the release in `write`: who reads a word of
    /// a later use finds the bucket's word changed.
    fn read(&self) -> Entry {
        let half = |at: usize| u128::from(self.player[at].load(Ordering::Acquire));
        Entry {
            key: Key { player: PlayerId(half(1) << 64 | half(0)), scope: self.scope.load(Ordering::Acquire) },
            ticket: TicketId(self.ticket.load(Ordering::Acquire)),
            next: self.next.load(Ordering::Acquire),
        }
    }

    /// Fills a node that is the caller's alone. Release pairs with the acquire in `read`.
    fn write(&self, entry: Entry, fault: Fault) {
        let release = if fault.is(Fault::NodesRelaxed) { Ordering::Relaxed } else { Ordering::Release };
        let player = entry.key.player.0;
        self.player[0].store(player as u64, release);
        self.player[1].store((player >> 64) as u64, release);
        self.scope.store(entry.key.scope, release);
        self.ticket.store(entry.ticket.0, release);
        self.next.store(entry.next, release);
    }
}

/// Who is entered, and where.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Key {
    player: PlayerId,
    scope: u32,
}

/// What a node says.
#[derive(Clone, Copy)]
struct Entry {
    key: Key,
    ticket: TicketId,
    next: u32,
}

/// What came of the search for a key: the bucket's word, how many nodes come before the entry (or how many
/// there are), and the entry.
struct Found {
    head: Tagged,
    before: u32,
    entry: Option<Entry>,
}

/// Why players were not entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conflict {
    /// This player is in this live ticket; or he stands twice in the ticket that was to be entered.
    Player(PlayerId, TicketId),
    /// The table has no room for so many players.
    Full,
}

/// The ticket of each player. Any thread, and no call waits for another. O(1) a player: 32 bytes an entry,
/// and 8 a bucket, when they are first needed.
pub struct Players {
    /// A power of two of words, each a [`Tagged`].
    buckets: Segments<AtomicU64>,
    nodes: Pool<Node>,
    players_max: u32,
    len: Padded<AtomicU32>,
    hash: FixedState,
    fault: Fault,
}

impl Players {
    /// A table for so many players, at most 2^28 - 2^17, with a bucket for each.
    pub fn new(players_max: u32) -> Players {
        Players::with_buckets(players_max, players_max)
    }

    /// As `new`, with at least so many buckets, at most 2^28: for a table that is seldom as full as it may
    /// be. A search looks at one node for each player that there is to a bucket.
    pub fn with_buckets(players_max: u32, buckets: u32) -> Players {
        Players::build(players_max, buckets, Fault::None)
    }

    /// As `with_buckets`, with a known mistake in it. For loom models.
    #[cfg(loom)]
    pub fn with_fault(players_max: u32, buckets: u32, fault: Fault) -> Players {
        Players::build(players_max, buckets, fault)
    }

    fn build(players_max: u32, buckets: u32, fault: Fault) -> Players {
        let players_max = players_max.min(NO_INDEX - 2 * NODES_SPARE);
        Players {
            buckets: Segments::new(buckets.clamp(1, 1 << 28).next_power_of_two()),
            nodes: Pool::new(players_max + NODES_SPARE),
            players_max,
            len: Padded(AtomicU32::new(0)),
            hash: FixedState::with_seed(SEED),
            fault,
        }
    }

    /// Enters `ticket` for all `players`, engine-wide, or for none of them. See [`Players::claim_in`].
    pub fn claim(
        &self,
        players: &[PlayerId],
        ticket: TicketId,
        is_live: impl Fn(TicketId) -> bool,
    ) -> Result<(), Conflict> {
        self.claim_in(ENGINE_WIDE, players, ticket, is_live)
    }

    /// Enters `ticket` for all `players` in a scope, or for none of them. Any thread.
    ///
    /// `is_live` says whether a ticket that is found still counts; a ticket that is being submitted does.
    /// They are entered in ascending order, so of calls with players in common that run at the same time one
    /// is not refused because of another of them. Errors: the first player, in the order of `players`, who is
    /// in another live ticket (when two calls meet: one of those), or else the first who stands twice, and
    /// that ticket; `Full`. Panics on the ticket id 0.
    pub fn claim_in(
        &self,
        scope: u32,
        players: &[PlayerId],
        ticket: TicketId,
        is_live: impl Fn(TicketId) -> bool,
    ) -> Result<(), Conflict> {
        self.hands(0).claim_in(scope, players, ticket, is_live)
    }

    /// What a thread needs that enters or releases many players, with so many nodes taken at once.
    pub fn hands(&self, nodes: u32) -> Hands<'_> {
        Hands::new(self, nodes)
    }

    /// Has the memory fetched where players are entered, or will be, each with his scope. At most [`WARM_MAX`] players.
    pub fn prefetch(&self, players: impl Iterator<Item = (u32, PlayerId)>) {
        let mut buckets = [0; WARM_MAX];
        let mut found = 0;
        for ((scope, player), bucket) in players.zip(&mut buckets) {
            *bucket = self.bucket(Key { player, scope });
            self.buckets.prefetch(*bucket);
            found += 1;
        }
        for bucket in buckets[..found].iter().filter_map(|&bucket| self.buckets.get(bucket)) {
            // Relaxed: nothing is made of what is read.
            self.nodes.prefetch(Tagged(bucket.load(Ordering::Relaxed)).index());
        }
    }

    /// Takes the player's engine-wide entry out if it still names this ticket. Any thread.
    pub fn release(&self, player: PlayerId, ticket: TicketId) {
        self.release_in(ENGINE_WIDE, player, ticket);
    }

    /// Takes the player's entry of a scope out if it still names this ticket. Any thread.
    ///
    /// If more changes are under way than there are spare nodes for, the entry stays: it counts for nothing
    /// once its ticket is over.
    pub fn release_in(&self, scope: u32, player: PlayerId, ticket: TicketId) {
        self.hands(0).release_in(scope, player, ticket);
    }

    /// The ticket that the player was last entered for engine-wide, live or not. Any thread.
    pub fn get(&self, player: PlayerId) -> Option<TicketId> {
        self.get_in(ENGINE_WIDE, player)
    }

    /// The ticket that the player was last entered for in a scope, live or not. Any thread.
    pub fn get_in(&self, scope: u32, player: PlayerId) -> Option<TicketId> {
        let key = Key { player, scope };
        let bucket = self.buckets.get(self.bucket(key))?;
        self.find(bucket, key).entry.map(|entry| entry.ticket)
    }

    /// Entries, those of tickets that are over included; about, while others change. Any thread.
    pub fn len(&self) -> usize {
        // Relaxed: a count that is ordered with nothing. It may be read between a release and the claim
        // before it, whose thread has not yet counted: so it is read as signed.
        (self.len.0.load(Ordering::Relaxed) as i32).max(0) as usize
    }

    /// Whether there is about no entry.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Looks for a key in a bucket.
    fn find(&self, bucket: &AtomicU64, key: Key) -> Found {
        'again: loop {
            // Acquire pairs with the release in `change`: the nodes of the chain are seen as written.
            let head = Tagged(bucket.load(Ordering::Acquire));
            let (mut index, mut before) = (head.index(), 0);
            while index != NO_INDEX {
                let Some(node) = self.nodes.get(index) else { continue 'again };
                let entry = node.read();
                // Relaxed: kept behind the acquires of `read`, which say what it must see: if a word of the
                // node is of a later use, the change that took it out of this chain.
                let is_same = bucket.load(Ordering::Relaxed) == head.0;
                if !is_same && !self.fault.is(Fault::ReaderLooksOnce) {
                    continue 'again;
                }
                if entry.key == key {
                    return Found { head, before, entry: Some(entry) };
                }
                index = entry.next;
                before += 1;
            }
            return Found { head, before, entry: None };
        }
    }

    /// The bucket of a key.
    fn bucket(&self, key: Key) -> u32 {
        self.hash.hash_one((key.player.0, key.scope)) as u32 & (self.buckets.len() - 1)
    }
}

/// The players in ascending order, each once. Quadratic: parties are small, and this needs no memory.
fn ascending(players: &[PlayerId]) -> impl Iterator<Item = PlayerId> {
    let next = |last: &PlayerId| {
        let last = *last;
        players.iter().copied().filter(|&player| player > last).min()
    };
    std::iter::successors(players.iter().copied().min(), next)
}

const _: () = assert!(cfg!(loom) || size_of::<Node>() == 32);

#[cfg(test)]
#[cfg(not(loom))]
mod tests;
