//! Items that many threads look at and somebody takes away, without locks: each place holds one item for as long as
//! it stands there and anybody still looks at it.
//!
//! Called by `engine`, for the records of tickets. Invariant: an item is dropped exactly once, after it was taken
//! off its place and the last [`Ref`] to it is gone; its place takes the next item only after that. Nobody waits:
//! whoever is last, the one who takes it off or the last one to look at it, drops it and says so to `freed`.
//!
//! One word a place: bits 0..31 count the looks, bit 31 says that the item stands, bits 32..64 are the generation
//! of the item, so that the name of one that is gone finds nothing. Counting in the word that is compared means
//! that a look either is counted or finds the item gone; there is no moment between.
#![allow(unsafe_code)] // Items are handed out as references that a count in an atomic word keeps alive.

use super::fault::Fault;
use super::segments::Segments;
use super::sync::{AtomicPtr, AtomicU64, Ordering};
use std::ops::Deref;
use std::ptr;

const STANDS: u64 = 1 << 31;
const LOOKS: u64 = STANDS - 1;

/// What is told the place and the generation of an item that has been dropped.
pub type Freed = Box<dyn Fn(u32, u32) + Send + Sync>;

/// One place.
struct Place<T> {
    word: AtomicU64,
    /// Null, or an item from `Box::into_raw`.
    item: AtomicPtr<T>,
}

/// A table of places for items, whose memory comes in segments. Any thread.
pub struct Shelf<T> {
    places: Segments<Place<T>>,
    freed: Freed,
    fault: Fault,
}

// SAFETY: items are shared as `&T` with any thread (`T: Sync`) and dropped in the one that is last (`T: Send`).
unsafe impl<T: Send + Sync> Sync for Shelf<T> {}
// SAFETY: as above; moving the shelf moves its items.
unsafe impl<T: Send + Sync> Send for Shelf<T> {}

impl<T> Shelf<T> {
    /// An empty shelf of `len` places; `freed` hears of each item that has been dropped, when its place is empty
    /// again.
    pub fn new(len: u32, freed: Freed) -> Shelf<T> {
        Shelf { places: Segments::new(len), freed, fault: Fault::None }
    }

    /// As `new`, with a known mistake in it. For loom models.
    #[cfg(loom)]
    pub fn with_fault(len: u32, freed: Freed, fault: Fault) -> Shelf<T> {
        Shelf { places: Segments::new(len), freed, fault }
    }

    /// How many places there are.
    pub fn len(&self) -> u32 {
        self.places.len()
    }

    /// Whether there is no place at all.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Puts an item onto an empty place, under a generation. Returns it if the place is not empty, or not there.
    pub fn put(&self, place: u32, generation: u32, item: Box<T>) -> Result<(), Box<T>> {
        let empty = || Place { word: AtomicU64::new(0), item: AtomicPtr::new(ptr::null_mut()) };
        let Some(place) = self.places.get_or_make(place, empty) else { return Err(item) };
        let raw = Box::into_raw(item);
        // Acquire pairs with the release of the exchange in `drop_item`: what stood here is gone, and its word is
        // at rest. Release is not needed, as nobody reads the pointer before the word is stored.
        let swap = place.item.compare_exchange(ptr::null_mut(), raw, Ordering::Acquire, Ordering::Relaxed);
        if swap.is_err() {
            // SAFETY: `raw` came from `Box::into_raw` just above and was given to nobody.
            return Err(unsafe { Box::from_raw(raw) });
        }
        // A store: with nothing standing and no look counted nobody else changes the word. Release pairs with the
        // acquire of `look`: who counts a look sees the item.
        place.word.store(u64::from(generation) << 32 | STANDS, Ordering::Release);
        Ok(())
    }

    /// The item of that generation, if it stands on its place. It lives at least as long as the result.
    pub fn get(&self, place: u32, generation: u32) -> Option<Ref<'_, T>> {
        self.look(place, Some(generation))
    }

    /// The item that stands on a place, whatever its generation.
    pub fn any(&self, place: u32) -> Option<Ref<'_, T>> {
        self.look(place, None)
    }

    fn look(&self, place_index: u32, generation: Option<u32>) -> Option<Ref<'_, T>> {
        let place = self.places.get(place_index)?;
        // Relaxed: the value only feeds the exchange, which looks again.
        let mut seen = place.word.load(Ordering::Relaxed);
        loop {
            let stands = seen & STANDS != 0 && generation.is_none_or(|own| seen >> 32 == u64::from(own));
            if !stands {
                return None;
            }
            // Acquire pairs with the release of the store in `put`; looks and leaves in between are exchanges and
            // go on with its release sequence.
            match place.word.compare_exchange_weak(seen, seen + 1, Ordering::Acquire, Ordering::Relaxed) {
                Ok(_) => break,
                Err(now) => seen = now,
            }
        }
        // Relaxed: set before the word that was acquired, and null again only after our look has left.
        let item = place.item.load(Ordering::Relaxed);
        Some(Ref { shelf: self, place, place_index, generation: (seen >> 32) as u32, item })
    }

    /// Takes the item of that generation off its place: nobody finds it any more. It is dropped now or when the
    /// last look at it ends. Answers whether it stood there.
    pub fn remove(&self, place_index: u32, generation: u32) -> bool {
        let Some(place) = self.places.get(place_index) else { return false };
        // Relaxed, as in `look`.
        let mut seen = place.word.load(Ordering::Relaxed);
        loop {
            if seen & STANDS == 0 || seen >> 32 != u64::from(generation) {
                return false;
            }
            // Acquire pairs with the releases of `Ref::drop`, so that what others did with the item is done
            // before it is dropped; release pairs with the acquire there, if one of them is last.
            let swap =
                place.word.compare_exchange_weak(seen, seen & !STANDS, Ordering::AcqRel, Ordering::Relaxed);
            match swap {
                Ok(_) => break,
                Err(now) => seen = now,
            }
        }
        if self.fault.is(Fault::ShelfFreesEarly) {
            (self.freed)(place_index, generation);
        } else if seen & LOOKS == 0 {
            self.drop_item(place, place_index, generation);
        }
        true
    }

    /// Drops an item that does not stand and that nobody looks at.
    fn drop_item(&self, place: &Place<T>, place_index: u32, generation: u32) {
        // Release pairs with the acquire in `put`.
        let item = place.item.swap(ptr::null_mut(), Ordering::AcqRel);
        if item.is_null() {
            return;
        }
        // SAFETY: the pointer came from `Box::into_raw` in `put` and was taken out by this exchange, so nobody
        // else frees it. No `Ref` is left: the word says that the item does not stand and counts no look, and it
        // came to say so by exchanges that acquired what every look released; a look is only ever added while
        // the item stands.
        drop(unsafe { Box::from_raw(item) });
        (self.freed)(place_index, generation);
    }
}

impl<T> Drop for Shelf<T> {
    fn drop(&mut self) {
        for index in 0..self.places.len() {
            let Some(place) = self.places.get(index) else { continue };
            // Relaxed: `&mut self` means that every other thread's use happened before.
            let item = place.item.swap(ptr::null_mut(), Ordering::Relaxed);
            if !item.is_null() {
                // SAFETY: from `Box::into_raw`, taken out here, and no `Ref` outlives the shelf it borrows.
                drop(unsafe { Box::from_raw(item) });
            }
        }
    }
}

/// A look at an item: it stays as long as this lives.
pub struct Ref<'a, T> {
    shelf: &'a Shelf<T>,
    place: &'a Place<T>,
    place_index: u32,
    generation: u32,
    item: *const T,
}

impl<T> Deref for Ref<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: the look is counted in the place's word until `drop`, and an item with a counted look is not
        // dropped; it is only ever shared as `&T`.
        unsafe { &*self.item }
    }
}

impl<T> Drop for Ref<'_, T> {
    fn drop(&mut self) {
        let is_relaxed = self.shelf.fault.is(Fault::ShelfLeavesRelaxed);
        let order = if is_relaxed { Ordering::Relaxed } else { Ordering::AcqRel };
        // Release: what was done with the item comes before its drop. Acquire: if this is the last look at an
        // item that does not stand, what all others did comes before it, too.
        let before = self.place.word.fetch_sub(1, order);
        let is_last = before & (STANDS | LOOKS) == 1;
        if is_last && !self.shelf.fault.is(Fault::ShelfFreesEarly) {
            self.shelf.drop_item(self.place, self.place_index, self.generation);
        }
    }
}

#[cfg(test)]
#[cfg(not(loom))]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    /// The places and generations that were dropped.
    type Log = Arc<Mutex<Vec<(u32, u32)>>>;

    fn shelf(len: u32) -> (Shelf<Arc<u32>>, Log) {
        let freed = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&freed);
        (
            Shelf::new(len, Box::new(move |place, generation| log.lock().unwrap().push((place, generation)))),
            freed,
        )
    }

    #[test]
    fn an_item_lives_until_the_last_look_ends() {
        let (shelf, freed) = shelf(4);
        let item = Arc::new(7);
        shelf.put(2, 5, Box::new(Arc::clone(&item))).unwrap();
        assert!(shelf.get(2, 4).is_none() && shelf.get(1, 5).is_none() && shelf.get(9, 5).is_none());
        let look = shelf.get(2, 5).unwrap();
        assert!(shelf.put(2, 6, Box::new(Arc::new(8))).is_err(), "the place is taken");
        assert!(shelf.remove(2, 5) && !shelf.remove(2, 5));
        assert!(shelf.get(2, 5).is_none() && shelf.any(2).is_none());
        assert!(shelf.put(2, 6, Box::new(Arc::new(8))).is_err(), "somebody still looks");
        assert_eq!((**look, Arc::strong_count(&item)), (7, 2));
        drop(look);
        assert_eq!((Arc::strong_count(&item), freed.lock().unwrap().clone()), (1, vec![(2, 5)]));
        shelf.put(2, 6, Box::new(Arc::new(8))).unwrap();
        assert_eq!(**shelf.any(2).unwrap(), 8);
        assert!(!shelf.remove(2, 5) && shelf.remove(2, 6));
        assert_eq!(freed.lock().unwrap().len(), 2);
        assert!(shelf.put(4, 1, Box::new(Arc::new(9))).is_err(), "no such place");
    }

    #[test]
    fn what_stands_is_dropped_with_the_shelf() {
        let (shelf, freed) = shelf(10_000);
        let item = Arc::new(1);
        shelf.put(0, 1, Box::new(Arc::clone(&item))).unwrap();
        shelf.put(9_999, 1, Box::new(Arc::clone(&item))).unwrap();
        drop(shelf);
        assert_eq!((Arc::strong_count(&item), freed.lock().unwrap().len()), (1, 0));
    }

    #[test]
    fn threads_look_while_others_take_away() {
        let (shelf, freed) = shelf(2);
        std::thread::scope(|scope| {
            for thread in 0..2_u32 {
                let shelf = &shelf;
                scope.spawn(move || {
                    for generation in 1..=2_000 {
                        shelf.put(thread, generation, Box::new(Arc::new(generation))).unwrap();
                        // Whether the other thread has looked is its own business; ours is what it can see.
                        let _ = shelf.any(1 - thread).map(|look| assert!(**look >= 1));
                        assert_eq!(**shelf.get(thread, generation).unwrap(), generation);
                        shelf.remove(thread, generation);
                        while shelf.places.get(thread).is_some_and(|place| {
                            // Relaxed: only a wait for the other thread's look to end.
                            !place.item.load(Ordering::Acquire).is_null()
                        }) {
                            std::hint::spin_loop();
                        }
                    }
                });
            }
        });
        assert_eq!(freed.lock().unwrap().len(), 4_000);
    }
}
