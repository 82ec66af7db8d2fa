//! Models of the table whose items are taken and given back.

use super::{check, fails};
use evenmatch::base::fault::Fault;
use evenmatch::base::pool::Pool;
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

/// An item that its owner writes.
struct Item {
    written: UnsafeCell<u32>,
}

// SAFETY: only its owner writes an item; that it has but one is what the model checks.
unsafe impl Sync for Item {}

impl Item {
    fn new() -> Item {
        Item { written: UnsafeCell::new(0) }
    }

    fn write(&self) {
        // SAFETY: see `Sync`.
        self.written.with_mut(|written| unsafe { *written += 1 });
    }
}

/// One thread takes an item while another takes one and gives two back: none is in two hands, none gets lost.
fn taken_and_given(fault: Fault) {
    let pool = Arc::new(Pool::with_fault(2, fault));
    let held: Vec<u32> = (0..2).map(|_| pool.take(Item::new).unwrap().0).collect();
    pool.give(held[1]);
    let other = {
        let (pool, held) = (Arc::clone(&pool), held[0]);
        thread::spawn(move || {
            let taken = pool.take(Item::new);
            if let Some((_, item)) = taken {
                item.write();
            }
            pool.give(held);
            if let Some((index, _)) = taken {
                pool.give(index);
            }
        })
    };
    let mut held: Vec<u32> = Vec::new();
    if let Some((index, item)) = pool.take(Item::new) {
        item.write();
        held.push(index);
    }
    other.join().unwrap();
    held.extend(std::iter::from_fn(|| pool.take(Item::new)).take(3).map(|(index, _)| index));
    held.sort_unstable();
    assert_eq!(held, [0, 1]);
}

/// One thread takes a lot of two while another takes one and gives two back: none is in two hands, none gets lost.
fn lot_against_takes_and_gives(fault: Fault) {
    let pool = Arc::new(Pool::with_fault(3, fault));
    let held: Vec<u32> = (0..3).map(|_| pool.take(Item::new).unwrap().0).collect();
    pool.give(held[1]);
    pool.give(held[2]);
    let other = {
        let (pool, held) = (Arc::clone(&pool), held[0]);
        thread::spawn(move || {
            let taken = pool.take(Item::new);
            if let Some((_, item)) = taken {
                item.write();
            }
            // What was first is first again, and leads to another one.
            let mut pile = pool.pile();
            pile.add(held);
            if let Some((index, _)) = taken {
                pile.add(index);
            }
        })
    };
    let mut held: Vec<u32> = Vec::new();
    let mut lot = pool.lot(2, Item::new);
    if let Some((index, item)) = lot.take() {
        item.write();
        held.push(index);
    }
    // What is left of it goes back.
    drop(lot);
    other.join().unwrap();
    held.extend(std::iter::from_fn(|| pool.take(Item::new)).take(4).map(|(index, _)| index));
    held.sort_unstable();
    assert_eq!(held, [0, 1, 2]);
}

/// Two lots of items that were never used.
fn first_lots() {
    let pool = Arc::new(Pool::new(3));
    let take = |pool: &Pool<Item>| {
        let mut lot = pool.lot(2, Item::new);
        let taken: Vec<u32> = std::iter::from_fn(|| lot.take())
            .map(|(index, item)| {
                item.write();
                index
            })
            .collect();
        taken
    };
    let other = {
        let pool = Arc::clone(&pool);
        thread::spawn(move || take(&pool))
    };
    let mut all = take(&pool);
    all.extend(other.join().unwrap());
    all.sort_unstable();
    assert_eq!(all, [0, 1, 2]);
}

/// Two threads take items that were never used, the memory of which has to be made first.
fn first_use() {
    let pool = Arc::new(Pool::new(2));
    let take = |pool: &Pool<Item>| {
        let (index, item) = pool.take(Item::new).unwrap();
        item.write();
        index
    };
    let other = {
        let pool = Arc::clone(&pool);
        thread::spawn(move || take(&pool))
    };
    let mine = take(&pool);
    assert_ne!(mine, other.join().unwrap());
    assert!(pool.take(Item::new).is_none());
}

#[test]
fn a_free_item_goes_to_one() {
    check(4, || taken_and_given(Fault::None));
}

#[test]
fn a_lot_is_of_one() {
    check(3, || lot_against_takes_and_gives(Fault::None));
}

#[test]
fn a_new_lot_is_of_one() {
    check(3, first_lots);
}

#[test]
fn catches_a_lot_that_does_not_count() {
    assert!(fails(3, || lot_against_takes_and_gives(Fault::PoolCountStands)));
}

#[test]
fn a_new_item_goes_to_one() {
    check(4, first_use);
}

#[test]
fn catches_a_free_list_that_does_not_count() {
    assert!(fails(4, || taken_and_given(Fault::PoolCountStands)));
}
