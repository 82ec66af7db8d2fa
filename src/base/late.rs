//! A value that comes late, once: its place is empty until some thread fills it, and then it stays.
//!
//! Called by `engine`, for what few tickets have. Invariant: a value that was found is there until the place is
//! dropped; of several threads that fill the place one does, and the others get theirs back. Nobody waits, as they
//! would for a value of `OnceLock` that another thread is about to set.
#![allow(unsafe_code)] // The value is published as a raw pointer: no safe type of std does so without waiting.

use super::sync::{AtomicPtr, Ordering};
use std::marker::PhantomData;
use std::ptr;

/// A place for one value, 8 bytes while it is empty. Any thread.
pub struct Late<T> {
    /// Null, or a value from `Box::into_raw`.
    value: AtomicPtr<T>,
    owns: PhantomData<Box<T>>,
}

// SAFETY: the value is shared as `&T` with any thread (`T: Sync`) and dropped in whichever drops the place (`T: Send`).
unsafe impl<T: Send + Sync> Sync for Late<T> {}
// SAFETY: as above; moving the place moves the value.
unsafe impl<T: Send> Send for Late<T> {}

impl<T> Late<T> {
    /// An empty place.
    pub fn new() -> Late<T> {
        Late { value: AtomicPtr::new(ptr::null_mut()), owns: PhantomData }
    }

    /// A place that is filled from the beginning.
    pub fn with(value: Box<T>) -> Late<T> {
        Late { value: AtomicPtr::new(Box::into_raw(value)), owns: PhantomData }
    }

    /// The value, if there is one.
    #[inline]
    pub fn get(&self) -> Option<&T> {
        // Acquire pairs with the release in `set`: the value is seen as written.
        let value = self.value.load(Ordering::Acquire);
        // SAFETY: what is not null came from `Box::into_raw`, is never replaced, and is freed only by `drop`; the
        // result borrows the place.
        unsafe { value.as_ref() }
    }

    /// Fills the place. Error: the value, if the place was filled before.
    pub fn set(&self, value: Box<T>) -> Result<(), Box<T>> {
        let raw = Box::into_raw(value);
        // Release pairs with the acquire in `get`. On failure nothing of the other value is read.
        let swap = self.value.compare_exchange(ptr::null_mut(), raw, Ordering::Release, Ordering::Relaxed);
        // SAFETY: `raw` came from `Box::into_raw` just above and, as the exchange failed, was given to nobody.
        swap.map(drop).map_err(|_| unsafe { Box::from_raw(raw) })
    }
}

impl<T> Default for Late<T> {
    fn default() -> Late<T> {
        Late::new()
    }
}

impl<T> Drop for Late<T> {
    fn drop(&mut self) {
        // Relaxed: `&mut self` means that every other thread's use happened before.
        let value = self.value.load(Ordering::Relaxed);
        if !value.is_null() {
            // SAFETY: from `Box::into_raw`, freed once, here; no borrow of it outlives the place.
            drop(unsafe { Box::from_raw(value) });
        }
    }
}

#[cfg(test)]
#[cfg(not(loom))]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn the_first_value_stays() {
        let alive = Arc::new(5);
        let place = Late::new();
        assert!(place.get().is_none());
        assert!(place.set(Box::new(Arc::clone(&alive))).is_ok());
        assert_eq!(**place.set(Box::new(Arc::new(6))).unwrap_err(), 6);
        assert_eq!((**place.get().unwrap(), Arc::strong_count(&alive)), (5, 2));
        drop(place);
        assert_eq!(Arc::strong_count(&alive), 1);
        assert_eq!(Late::with(Box::new(7)).get(), Some(&7));
    }

    #[test]
    fn of_many_threads_one_fills_the_place() {
        for _ in 0..200 {
            let place: Late<usize> = Late::new();
            let filled: usize = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..4)
                    .map(|number| {
                        let place = &place;
                        scope.spawn(move || {
                            let is_ours = place.set(Box::new(number)).is_ok();
                            (number, is_ours, *place.get().unwrap())
                        })
                    })
                    .collect();
                let told: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
                let first = told.iter().find(|(_, is_ours, _)| *is_ours).unwrap().0;
                assert!(told.iter().all(|&(_, _, seen)| seen == first));
                told.iter().filter(|(_, is_ours, _)| *is_ours).count()
            });
            assert_eq!(filled, 1);
        }
    }
}
