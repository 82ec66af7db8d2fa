//! Changes of many players by one thread: nodes are taken and given back many at a time.
//!
//! Used by `engine` through [`Players`](super::Players), whose protocol it carries out. Invariant: a node is in a chain, in
//! the pool, or in the hands of one thread; what is laid aside goes back before the pool could run dry of it.

use super::{Conflict, Entry, Found, Key, Node, Players, ascending};
use crate::base::pool::{Lot, Pile};
use crate::base::sync::{AtomicU64, Ordering};
use crate::base::tagged::{NO_INDEX, Tagged};
use crate::claim::fault::Fault;
use crate::model::ids::{PlayerId, TicketId};

/// Nodes that one thread lays aside before it gives them back. Chosen: an exchange is shared by many, and they are few of
/// the spare ones.
const LAID_ASIDE_MAX: u32 = if cfg!(loom) { 8 } else { 256 };

/// What one thread has in hand that enters or releases players: nodes to use, and those that go back at once when it is
/// dropped. It counts for itself, too.
pub struct Hands<'a> {
    table: &'a Players,
    lot: Lot<'a, Node>,
    /// Nodes that are to go back, and how many they are.
    pile: Pile<'a, Node>,
    laid_aside: u32,
    /// Entries more than the table has counted.
    entered: i32,
}

impl<'a> Hands<'a> {
    /// Hands with so many nodes taken at once.
    pub(super) fn new(table: &'a Players, nodes: u32) -> Hands<'a> {
        let lot = table.nodes.lot(nodes, Node::new);
        lot.prefetch();
        Hands { table, lot, pile: table.nodes.pile(), laid_aside: 0, entered: 0 }
    }

    /// As [`Players::claim_in`].
    pub fn claim_in(
        &mut self,
        scope: u32,
        players: &[PlayerId],
        ticket: TicketId,
        is_live: impl Fn(TicketId) -> bool,
    ) -> Result<(), Conflict> {
        assert!(ticket.0 != 0, "no ticket has the id 0");
        let mut entered = 0;
        let conflict = ascending(players).find_map(|player| {
            let conflict = self.enter(Key { player, scope }, ticket, &is_live).err();
            entered += usize::from(conflict.is_none());
            conflict
        });
        if conflict.is_none() && entered == players.len() {
            return Ok(());
        }
        ascending(players).take(entered).for_each(|player| self.release_in(scope, player, ticket));
        let twice = || players.iter().enumerate().find(|&(at, player)| players[..at].contains(player));
        match conflict {
            Some(Conflict::Player(player, held)) => {
                let live = |&player: &PlayerId| {
                    let held = self.table.get_in(scope, player).filter(|&held| is_live(held))?;
                    Some(Conflict::Player(player, held))
                };
                Err(players.iter().find_map(live).unwrap_or(Conflict::Player(player, held)))
            }
            Some(Conflict::Full) => Err(Conflict::Full),
            // All were entered, and they are fewer than `players`.
            None => twice().map_or(Ok(()), |(_, &player)| Err(Conflict::Player(player, ticket))),
        }
    }

    /// As [`Players::release_in`].
    pub fn release_in(&mut self, scope: u32, player: PlayerId, ticket: TicketId) {
        let key = Key { player, scope };
        let Some(bucket) = self.table.buckets.get(self.table.bucket(key)) else { return };
        loop {
            let found = self.table.find(bucket, key);
            let Some(entry) = found.entry.filter(|entry| entry.ticket == ticket) else { return };
            match self.change(bucket, &found, entry.next, None) {
                Change::Done => {
                    self.entered -= 1;
                    return;
                }
                Change::NoNodes => return,
                Change::Raced => {}
            }
        }
    }

    /// Enters the ticket for one player, if he is in no live one.
    fn enter(
        &mut self,
        key: Key,
        ticket: TicketId,
        is_live: &impl Fn(TicketId) -> bool,
    ) -> Result<(), Conflict> {
        let make = || AtomicU64::new(Tagged::NONE.0);
        let Some(bucket) = self.table.buckets.get_or_make(self.table.bucket(key), make) else {
            return Err(Conflict::Full);
        };
        let mut found = self.table.find(bucket, key);
        loop {
            if let Some(entry) = found.entry
                && (entry.ticket == ticket || is_live(entry.ticket))
            {
                return Err(Conflict::Player(key.player, entry.ticket));
            }
            let is_new = found.entry.is_none();
            if is_new && self.len() >= i64::from(self.table.players_max) {
                return Err(Conflict::Full);
            }
            // A new entry goes in front, with the chain as it is behind it: no copies.
            let (rest, before) = match found.entry {
                Some(entry) => (entry.next, found.before),
                None => (found.head.index(), 0),
            };
            let at = Found { head: found.head, before, entry: found.entry };
            match self.change(bucket, &at, rest, Some(Entry { key, ticket, next: NO_INDEX })) {
                Change::Done => {
                    if is_new {
                        self.entered += 1;
                    }
                    return Ok(());
                }
                Change::NoNodes => return Err(Conflict::Full),
                // Acquire as in `find`, for the model that must fail.
                Change::Raced if self.table.fault.is(Fault::ClaimLooksOnce) => {
                    found.head = Tagged(bucket.load(Ordering::Acquire));
                }
                Change::Raced => found = self.table.find(bucket, key),
            }
        }
    }

    /// Replaces the first nodes of a bucket, those `before` the entry found and the entry's own, by copies of
    /// those before it and by `new`, with `rest` behind.
    fn change(&mut self, bucket: &AtomicU64, found: &Found, rest: u32, new: Option<Entry>) -> Change {
        let (mut first, mut made) = (rest, 0);
        // Most often there is none before it.
        let is_copied = found.before == 0 || self.copy(found, &mut first, &mut made);
        let is_whole = is_copied && new.is_none_or(|entry| self.put(entry, &mut first, &mut made));
        if !is_whole {
            self.keep(first, made);
            return Change::NoNodes;
        }
        // Release pairs with the acquire in `find`; acquire pairs with this release of the change before, so
        // that the nodes that go back are ours. On failure nothing is read here: relaxed suffices.
        let to = found.head.after(first, u64::from(!self.table.fault.is(Fault::BucketCountStands)));
        let swap = bucket.compare_exchange(found.head.0, to.0, Ordering::AcqRel, Ordering::Relaxed);
        if swap.is_err() {
            self.keep(first, made);
            return Change::Raced;
        }
        self.give_back(found.head.index(), found.before + u32::from(found.entry.is_some()));
        Change::Done
    }

    /// Puts copies of the entries before the one found in front of a chain; `false`: there are no nodes left.
    #[cold]
    fn copy(&mut self, found: &Found, first: &mut u32, made: &mut u32) -> bool {
        let mut from = found.head.index();
        (0..found.before).all(|_| {
            // If the chain has changed since, what is copied may be anything: the exchange will fail.
            let Some(entry) = self.table.nodes.get(from).map(Node::read) else { return true };
            from = entry.next;
            self.put(entry, first, made)
        })
    }

    /// Puts an entry in front of a chain; `false`: there are no nodes left.
    #[inline]
    fn put(&mut self, entry: Entry, first: &mut u32, made: &mut u32) -> bool {
        let Some((index, node)) = self.node() else { return false };
        node.write(Entry { next: *first, ..entry }, self.table.fault);
        (*first, *made) = (index, *made + 1);
        true
    }

    /// Keeps so many nodes of a chain for the next change, to which nothing has ever led.
    fn keep(&mut self, first: u32, count: u32) {
        self.walk(first, count, |hands, index| hands.lot.undo(index));
    }

    /// Lays so many nodes of a chain aside, which nothing leads to any more.
    fn give_back(&mut self, first: u32, count: u32) {
        self.walk(first, count, |hands, index| hands.pile.add(index));
        self.laid_aside += count;
        if self.laid_aside >= LAID_ASIDE_MAX {
            self.settle();
        }
    }

    /// Gives back what was laid aside, and counts what was entered.
    fn settle(&mut self) {
        self.pile = self.table.nodes.pile();
        self.laid_aside = 0;
        // Relaxed: a count that is ordered with nothing.
        let entered = std::mem::take(&mut self.entered);
        self.table.len.0.fetch_add(entered as u32, Ordering::Relaxed);
    }

    fn walk(&mut self, first: u32, count: u32, put: impl Fn(&mut Self, u32)) {
        let mut index = first;
        for _ in 0..count {
            let Some(node) = self.table.nodes.get(index) else { return };
            // Relaxed: our own store, or one that the exchange's acquire has made ours.
            let next = node.next.load(Ordering::Relaxed);
            put(self, index);
            index = next;
        }
    }

    /// A node that is ours alone.
    fn node(&mut self) -> Option<(u32, &'a Node)> {
        let taken = self.lot.take().or_else(|| self.table.nodes.take(Node::new));
        if taken.is_some() || self.laid_aside == 0 {
            return taken;
        }
        self.settle();
        self.table.nodes.take(Node::new)
    }

    /// Entries, with ours.
    fn len(&self) -> i64 {
        self.table.len() as i64 + i64::from(self.entered)
    }
}

impl Drop for Hands<'_> {
    fn drop(&mut self) {
        if self.entered != 0 {
            self.settle();
        }
    }
}

/// What came of a change to a bucket.
enum Change {
    Done,
    /// The bucket has changed since it was read.
    Raced,
    /// There are no nodes left for it.
    NoNodes,
}
