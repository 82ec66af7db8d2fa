//! Models of the value that any thread reads and replaces.

use super::{Watched, check, fails};
use evenmatch::base::fault::Fault;
use evenmatch::base::published::Published;
use loom::sync::Arc;
use loom::thread;

/// Two threads replace the value, one of them twice, while a third reads: it reads a whole value, one that
/// was current, and no replacement is lost.
fn load_against_replaces(fault: Fault) {
    let value = Arc::new(Published::with_fault(Watched::new(1), fault));
    let adder = {
        let value = Arc::clone(&value);
        thread::spawn(move || assert!(value.update(|old| Some(Watched::new(old.read() + 10)))))
    };
    let reader = {
        let value = Arc::clone(&value);
        thread::spawn(move || {
            let first = value.load().read();
            (first, value.load().read())
        })
    };
    assert!(value.update(|old| Some(Watched::new(old.read() + 1))));
    let (first, second) = reader.join().unwrap();
    adder.join().unwrap();
    assert_eq!(value.load().read(), 12);
    assert!([1, 2, 11, 12].contains(&first) && [1, 2, 11, 12].contains(&second), "{first} {second}");
    assert!(first <= second, "{first} after {second}");
}

/// One thread replaces the value again and again, so that cells come back, while another reads.
fn load_against_reuse(fault: Fault) {
    let value = Arc::new(Published::with_fault(Watched::new(1), fault));
    let reader = {
        let value = Arc::clone(&value);
        thread::spawn(move || value.load().read())
    };
    for number in 2..4 {
        assert!(value.update(|_| Some(Watched::new(number))));
    }
    let seen = reader.join().unwrap();
    assert!((1..4).contains(&seen), "{seen}");
    assert_eq!(value.load().read(), 3);
}

/// A replacement that comes too late is written into a cell that another reader once found current: he never
/// reads it.
fn load_against_failed_replace(fault: Fault) {
    let value = Arc::new(Published::with_fault(Watched::new(1), fault));
    let reader = {
        let value = Arc::clone(&value);
        thread::spawn(move || value.load().read())
    };
    assert!(value.update(|_| Some(Watched::new(2))));
    let late = value.load();
    for number in 3..5 {
        assert!(value.update(|_| Some(Watched::new(number))));
    }
    assert!(value.compare_replace(late, Watched::new(99)).is_err());
    let seen = reader.join().unwrap();
    assert!((1..5).contains(&seen), "{seen}");
}

/// Two threads replace the same value: one does, the other gets its own back.
fn replace_against_replace() {
    let value = Arc::new(Published::new(Watched::new(1)));
    let replace = |value: &Published<Watched>, number| {
        let seen = value.load();
        let old = seen.read();
        let answer = value.compare_replace(seen, Watched::new(number));
        (old, answer.map_err(|mine| mine.read()))
    };
    let other = {
        let value = Arc::clone(&value);
        thread::spawn(move || replace(&value, 2))
    };
    let mine = replace(&value, 3);
    let theirs = other.join().unwrap();
    let last = value.load().read();
    match (mine, theirs) {
        ((1, Ok(())), (1, Err(2))) => assert_eq!(last, 3),
        ((1, Err(3)), (1, Ok(()))) => assert_eq!(last, 2),
        ((1, Ok(())), (3, Ok(()))) => assert_eq!(last, 2),
        ((2, Ok(())), (1, Ok(()))) => assert_eq!(last, 3),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_value_is_read_whole() {
    check(2, || load_against_replaces(Fault::None));
}

#[test]
fn a_cell_is_used_again() {
    check(3, || load_against_reuse(Fault::None));
}

#[test]
fn a_value_that_came_too_late_is_never_read() {
    check(2, || load_against_failed_replace(Fault::None));
}

#[test]
fn one_of_two_replaces() {
    check(3, replace_against_replace);
}

#[test]
fn catches_a_reader_who_looks_once() {
    assert!(fails(2, || load_against_failed_replace(Fault::PublishedLooksOnce)));
}

#[test]
fn catches_a_reader_who_leaves_relaxed() {
    assert!(fails(3, || load_against_reuse(Fault::PublishedLeavesRelaxed)));
}
