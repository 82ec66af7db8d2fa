//! Models of the table whose memory is made on first use.

use super::{Watched, check, fails};
use evenmatch::base::segments::Segments;
use evenmatch::base::sync::Ordering;
use loom::sync::Arc;
use loom::thread;

/// Two threads make one segment while a third looks: all see items that are whole, and the same ones.
fn segments(publish: Ordering) {
    let table = Arc::new(Segments::with_publish_order(2, publish));
    let makers: Vec<_> = (0..2)
        .map(|_| {
            let table = Arc::clone(&table);
            thread::spawn(move || {
                let item: *const Watched = table.get_or_make(0, || Watched::new(7)).unwrap();
                assert_eq!(table.get_or_make(1, || Watched::new(7)).unwrap().read(), 7);
                item as usize
            })
        })
        .collect();
    if let Some(item) = table.get(0) {
        assert_eq!(item.read(), 7);
    }
    let items: Vec<usize> = makers.into_iter().map(|maker| maker.join().unwrap()).collect();
    assert_eq!(items[0], items[1]);
}

#[test]
fn a_segment_is_seen_whole() {
    check(3, || segments(Ordering::Release));
}

#[test]
fn catches_a_segment_that_is_published_relaxed() {
    assert!(fails(3, || segments(Ordering::Relaxed)));
}
