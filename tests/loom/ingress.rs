//! Models of the list that is taken whole.

use super::{Watched, check, fails};
use evenmatch::base::fault::Fault;
use evenmatch::base::ingress::Ingress;
use loom::sync::Arc;
use loom::thread;

/// Two threads push, one of them a batch, while a third takes twice: nothing is lost or doubled, each
/// thread's values keep their order, and a batch is whole.
fn taken_while_pushed(fault: Fault) {
    let list = Arc::new(Ingress::with_fault(fault));
    let batch = {
        let list = Arc::clone(&list);
        thread::spawn(move || list.push_all([1, 2].map(Watched::new)))
    };
    let singles = {
        let list = Arc::clone(&list);
        thread::spawn(move || [11, 12].map(Watched::new).into_iter().for_each(|value| list.push(value)))
    };
    let mut taken = Vec::new();
    list.take(&mut taken);
    let first: Vec<u64> = taken.iter().map(Watched::read).collect();
    assert_eq!(first.contains(&1), first.contains(&2), "half a batch");
    batch.join().unwrap();
    singles.join().unwrap();
    list.take(&mut taken);
    assert!(list.is_empty());
    let seen: Vec<u64> = taken.iter().map(Watched::read).collect();
    let place = |number| seen.iter().position(|&other| other == number).unwrap();
    assert_eq!((seen.len(), place(2)), (4, place(1) + 1), "{seen:?}");
    assert!(place(11) < place(12), "{seen:?}");
}

/// Two threads take what a third pushes: each value goes to one of them.
fn two_takers(fault: Fault) {
    let list = Arc::new(Ingress::with_fault(fault));
    list.push(Watched::new(1));
    let pusher = {
        let list = Arc::clone(&list);
        thread::spawn(move || list.push(Watched::new(2)))
    };
    let take = |list: &Ingress<Watched>| {
        let mut taken = Vec::new();
        list.take(&mut taken);
        taken.iter().map(Watched::read).collect::<Vec<u64>>()
    };
    let taker = {
        let list = Arc::clone(&list);
        thread::spawn(move || take(&list))
    };
    let mut seen = take(&list);
    seen.extend(taker.join().unwrap());
    pusher.join().unwrap();
    seen.extend(take(&list));
    seen.sort_unstable();
    assert_eq!(seen, [1, 2]);
}

/// What was never taken is dropped by the thread that drops the list.
fn dropped_with_values() {
    let list = Arc::new(Ingress::new());
    let pusher = {
        let list = Arc::clone(&list);
        thread::spawn(move || list.push(Watched::new(1)))
    };
    list.push(Watched::new(2));
    drop(list);
    pusher.join().unwrap();
}

#[test]
fn what_is_pushed_is_taken_once() {
    check(3, || taken_while_pushed(Fault::None));
}

#[test]
fn two_takers_share_no_value() {
    check(3, || two_takers(Fault::None));
}

#[test]
fn a_list_is_dropped_with_what_it_holds() {
    check(3, dropped_with_values);
}

#[test]
fn catches_a_push_that_is_published_relaxed() {
    assert!(fails(3, || taken_while_pushed(Fault::IngressPublishesRelaxed)));
}

#[test]
fn catches_a_take_in_two_steps() {
    assert!(fails(3, || taken_while_pushed(Fault::IngressTakesInTwoSteps)));
}
