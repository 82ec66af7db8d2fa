//! Items that many threads look at and somebody takes away, without locks: each place holds one item for as long as
//! it stands there and anybody still looks at it.
//!
//! Called by `engine`, for the records of tickets. Invariant: an item is let go exactly once, after it was taken
//! off its place and the last [`Ref`] to it is gone; its place takes the next item only after that. Nobody waits:
//! whoever is last, the one who takes it off or the last one to look at it, hands it to `freed`.
//!
//! One word a place: bits 0..30 count the looks, bit 30 says that the place is taken, bit 31 that the item stands, bits
//! 32..64 are the generation of the item, so that the name of one that is gone finds nothing. Counting in the word that
//! is compared means that a look either is counted or finds the item gone; there is no moment between.
//!
//! Items lie in their places, so that putting one there allocates nothing.
#![allow(unsafe_code)] // Items are handed out as references that a count in an atomic word keeps alive.

use super::fault::Fault;
use super::segments::Segments;
use super::sync::{AtomicU64, Ordering};
use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::ops::Deref;

const STANDS: u64 = 1 << 31;
const TAKEN: u64 = 1 << 30;
const LOOKS: u64 = TAKEN - 1;

/// What is given an item that nobody looks at any more, with its place, which is empty again, and its generation.
pub type Freed<T> = Box<dyn Fn(u32, u32, T) + Send + Sync>;

/// One place.
struct Place<T> {
    word: AtomicU64,
    /// Written by the thread that has taken the place, before the item stands; then only read until it is moved out.
    item: UnsafeCell<MaybeUninit<T>>,
}

/// A table of places for items, whose memory comes in segments. Any thread.
pub struct Shelf<T> {
    places: Segments<Place<T>>,
    freed: Freed<T>,
    fault: Fault,
}

// SAFETY: items are shared as `&T` with any thread (`T: Sync`) and moved out in the one that is last (`T: Send`).
unsafe impl<T: Send + Sync> Sync for Shelf<T> {}
// SAFETY: as above; moving the shelf moves its items.
unsafe impl<T: Send + Sync> Send for Shelf<T> {}

impl<T> Shelf<T> {
    /// An empty shelf of `len` places; `freed` is given each item that was taken away, when its place is empty again.
    pub fn new(len: u32, freed: Freed<T>) -> Shelf<T> {
        Shelf { places: Segments::new(len), freed, fault: Fault::None }
    }

    /// As `new`, with a known mistake in it. For loom models.
    #[cfg(loom)]
    pub fn with_fault(len: u32, freed: Freed<T>, fault: Fault) -> Shelf<T> {
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
    pub fn put(&self, place: u32, generation: u32, item: T) -> Result<(), T> {
        let empty = || Place { word: AtomicU64::new(0), item: UnsafeCell::new(MaybeUninit::uninit()) };
        let Some(place) = self.places.get_or_make(place, empty) else { return Err(item) };
        // Acquire pairs with the release of the store in `take_out`: what was here has been moved out. Release is not
        // needed, as nobody looks at the item before it stands.
        let swap = place.word.compare_exchange(0, TAKEN, Ordering::Acquire, Ordering::Relaxed);
        if swap.is_err() {
            return Err(item);
        }
        // SAFETY: the exchange took an empty place, which no other thread takes now; nobody looks, as nothing stands.
        unsafe { (*place.item.get()).write(item) };
        // A store: with nothing standing and no look counted nobody else changes the word. Release pairs with the
        // acquire of `look`: who counts a look sees the item.
        place.word.store(u64::from(generation) << 32 | STANDS | TAKEN, Ordering::Release);
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

    /// Has the memory of places fetched that are looked at soon.
    pub fn prefetch(&self, places: impl Iterator<Item = u32>) {
        places.for_each(|place| self.places.prefetch(place));
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
        Some(Ref { shelf: self, place, place_index, generation: (seen >> 32) as u32 })
    }

    /// Takes the item of that generation off its place: nobody finds it any more. It goes to `freed` now or when the
    /// last look at it ends. Answers whether it stood there.
    pub fn remove(&self, place_index: u32, generation: u32) -> bool {
        self.remove_to(place_index, generation, &self.freed)
    }

    /// As `remove`, but if nobody looks at the item any more, it goes to `freed` instead of the shelf's own.
    pub fn remove_to(&self, place_index: u32, generation: u32, freed: impl FnOnce(u32, u32, T)) -> bool {
        let Some(place) = self.places.get(place_index) else { return false };
        // Relaxed, as in `look`.
        let mut seen = place.word.load(Ordering::Relaxed);
        loop {
            if seen & STANDS == 0 || seen >> 32 != u64::from(generation) {
                return false;
            }
            // Acquire pairs with the releases of `Ref::drop`, so that what others did with the item is done
            // before it is moved out; release pairs with the acquire there, if one of them is last.
            let swap =
                place.word.compare_exchange_weak(seen, seen & !STANDS, Ordering::AcqRel, Ordering::Relaxed);
            match swap {
                Ok(_) => break,
                Err(now) => seen = now,
            }
        }
        if seen & LOOKS == 0 || self.fault.is(Fault::ShelfFreesEarly) {
            self.take_out(place, place_index, generation, freed);
        }
        true
    }

    /// Moves an item out that does not stand and that nobody looks at.
    fn take_out(&self, place: &Place<T>, place_index: u32, generation: u32, freed: impl FnOnce(u32, u32, T)) {
        // SAFETY: the place was filled in `put`, and one thread comes here for each item: the one that took it off, if
        // no look was counted then, else the one whose look was the last; a look is only ever added while the item
        // stands. It came by an exchange that acquired what every look released, so nobody has a reference.
        let item = unsafe { (*place.item.get()).assume_init_read() };
        // A store: nothing stands and no look is counted, so nobody else changes the word. Release pairs with the
        // acquire in `put`.
        place.word.store(0, Ordering::Release);
        freed(place_index, generation, item);
    }
}

impl<T> Drop for Shelf<T> {
    fn drop(&mut self) {
        for index in 0..self.places.len() {
            let Some(place) = self.places.get(index) else { continue };
            // Relaxed: `&mut self` means that every other thread's use happened before.
            if place.word.load(Ordering::Relaxed) & TAKEN != 0 {
                // SAFETY: a taken place is filled, as no `put` is under way; no `Ref` outlives the shelf it borrows.
                unsafe { (*place.item.get()).assume_init_drop() };
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
}

impl<T> Ref<'_, T> {
    /// The place that the item stands on.
    pub fn place(&self) -> u32 {
        self.place_index
    }

    /// The generation that it stands under.
    pub fn generation(&self) -> u32 {
        self.generation
    }
}

impl<T> Deref for Ref<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: the look was counted while the item stood, so it was written, by a store that the count acquired;
        // until `drop` an item with a counted look is not moved out, and it is only ever shared as `&T`.
        unsafe { (*self.place.item.get()).assume_init_ref() }
    }
}

impl<T> Drop for Ref<'_, T> {
    fn drop(&mut self) {
        let is_relaxed = self.shelf.fault.is(Fault::ShelfLeavesRelaxed);
        let order = if is_relaxed { Ordering::Relaxed } else { Ordering::AcqRel };
        // Release: what was done with the item comes before it goes. Acquire: if this is the last look at an
        // item that does not stand, what all others did comes before that, too.
        let before = self.place.word.fetch_sub(1, order);
        let is_last = before & (STANDS | LOOKS) == 1;
        if is_last && !self.shelf.fault.is(Fault::ShelfFreesEarly) {
            self.shelf.take_out(self.place, self.place_index, self.generation, &self.shelf.freed);
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
            Shelf::new(
                len,
                Box::new(move |place, generation, _| log.lock().unwrap().push((place, generation))),
            ),
            freed,
        )
    }

    #[test]
    fn an_item_lives_until_the_last_look_ends() {
        let (shelf, freed) = shelf(4);
        let item = Arc::new(7);
        shelf.put(2, 5, Arc::clone(&item)).unwrap();
        assert!(shelf.get(2, 4).is_none() && shelf.get(1, 5).is_none() && shelf.get(9, 5).is_none());
        let look = shelf.get(2, 5).unwrap();
        assert!(shelf.put(2, 6, Arc::new(8)).is_err(), "the place is taken");
        assert!(shelf.remove(2, 5) && !shelf.remove(2, 5));
        assert!(shelf.get(2, 5).is_none() && shelf.any(2).is_none());
        assert!(shelf.put(2, 6, Arc::new(8)).is_err(), "somebody still looks");
        assert_eq!((**look, Arc::strong_count(&item)), (7, 2));
        drop(look);
        assert_eq!((Arc::strong_count(&item), freed.lock().unwrap().clone()), (1, vec![(2, 5)]));
        shelf.put(2, 6, Arc::new(8)).unwrap();
        assert_eq!(**shelf.any(2).unwrap(), 8);
        assert!(!shelf.remove(2, 5) && shelf.remove(2, 6));
        assert_eq!(freed.lock().unwrap().len(), 2);
        assert!(shelf.put(4, 1, Arc::new(9)).is_err(), "no such place");
    }

    #[test]
    fn what_stands_is_dropped_with_the_shelf() {
        let (shelf, freed) = shelf(10_000);
        let item = Arc::new(1);
        shelf.put(0, 1, Arc::clone(&item)).unwrap();
        shelf.put(9_999, 1, Arc::clone(&item)).unwrap();
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
                        shelf.put(thread, generation, Arc::new(generation)).unwrap();
                        // Whether the other thread has looked is its own business; ours is what it can see.
                        let _ = shelf.any(1 - thread).map(|look| assert!(**look >= 1));
                        assert_eq!(**shelf.get(thread, generation).unwrap(), generation);
                        shelf.remove(thread, generation);
                        while shelf.places.get(thread).is_some_and(|place| {
                            // Only a wait for the other thread's look to end.
                            place.word.load(Ordering::Acquire) != 0
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
