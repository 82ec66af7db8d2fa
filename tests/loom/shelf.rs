//! Models of the shelf whose items live as long as somebody looks at them.

use super::{Watched, check, fails};
use evenmatch::base::fault::Fault;
use evenmatch::base::shelf::Shelf;
use evenmatch::base::sync::{AtomicU64, Ordering};
use loom::sync::Arc;
use loom::thread;

/// A shelf of one place, with the count of items that it has dropped.
fn shelf(fault: Fault) -> (Arc<Shelf<Watched>>, Arc<AtomicU64>) {
    let freed = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&freed);
    let tell = Box::new(move |_, _, item| {
        drop(item);
        count.fetch_add(1, Ordering::AcqRel);
    });
    (Arc::new(Shelf::with_fault(1, tell, fault)), freed)
}

/// Two threads look at an item that a third takes away: whoever finds it reads it whole, and it is dropped once,
/// after the last look.
fn looked_at_while_taken_away(fault: Fault) {
    let (shelf, freed) = shelf(fault);
    assert!(shelf.put(0, 1, Watched::new(7)).is_ok());
    let look = |shelf: &Shelf<Watched>, freed: &AtomicU64| {
        if let Some(item) = shelf.get(0, 1) {
            assert_eq!(item.read(), 7);
            assert_eq!(freed.load(Ordering::Acquire), 0, "an item was dropped that somebody looks at");
        }
    };
    let other = {
        let (shelf, freed) = (Arc::clone(&shelf), Arc::clone(&freed));
        thread::spawn(move || look(&shelf, &freed))
    };
    let remover = {
        let shelf = Arc::clone(&shelf);
        thread::spawn(move || shelf.remove(0, 1))
    };
    look(&shelf, &freed);
    assert!(remover.join().unwrap());
    other.join().unwrap();
    assert_eq!(freed.load(Ordering::Acquire), 1);
    assert!(shelf.get(0, 1).is_none());
}

/// Two threads take the same item away, and its place is used again: one of them did it, and the next item stays.
fn taken_away_twice(fault: Fault) {
    let (shelf, freed) = shelf(fault);
    assert!(shelf.put(0, 1, Watched::new(7)).is_ok());
    let other = {
        let shelf = Arc::clone(&shelf);
        thread::spawn(move || shelf.remove(0, 1))
    };
    let own = shelf.remove(0, 1);
    if own && freed.load(Ordering::Acquire) == 1 {
        assert!(shelf.put(0, 2, Watched::new(8)).is_ok());
        assert_eq!(shelf.get(0, 2).map(|item| item.read()), Some(8));
    }
    assert!(own != other.join().unwrap());
    assert_eq!(freed.load(Ordering::Acquire), 1);
}

#[test]
fn an_item_outlives_every_look_at_it() {
    check(3, || looked_at_while_taken_away(Fault::None));
}

#[test]
fn an_item_is_taken_away_once() {
    check(3, || taken_away_twice(Fault::None));
}

#[test]
fn catches_an_item_that_is_dropped_while_looked_at() {
    assert!(fails(3, || looked_at_while_taken_away(Fault::ShelfFreesEarly)));
}

#[test]
fn catches_a_look_that_ends_relaxed() {
    assert!(fails(3, || looked_at_while_taken_away(Fault::ShelfLeavesRelaxed)));
}
