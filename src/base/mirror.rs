//! A value in two copies, for one thread that changes it and many that read it, where neither waits for the other:
//! the writer changes one copy after the other, so a reader always finds one that is not being written.
//!
//! Called by `engine`, for the accounts of the statistics. Invariant: at least one copy holds every change. A copy
//! that was being read when its turn came is out of date until a later change finds it free and makes it a clone of
//! the other; readers go to the newest one first.

use super::sync::{AtomicBool, AtomicUsize, Ordering, PoisonError, RwLock, TryLockError, pause};

/// A value in two copies.
pub struct Mirror<T> {
    copies: [RwLock<T>; 2],
    /// Which copies lack a change. Relaxed: only the writer asks.
    stale: [AtomicBool; 2],
    /// The copy that was changed last.
    newest: AtomicUsize,
}

impl<T: Clone> Mirror<T> {
    /// Two copies of a value.
    pub fn new(value: T) -> Mirror<T> {
        Mirror {
            copies: [RwLock::new(value.clone()), RwLock::new(value)],
            stale: [AtomicBool::new(false), AtomicBool::new(false)],
            newest: AtomicUsize::new(0),
        }
    }

    /// Looks at the value with every change that is complete. Any thread; never waits for the writer.
    pub fn read<R>(&self, look: impl FnOnce(&T) -> R) -> R {
        loop {
            // Acquire pairs with the release in `change`: that copy is not out of date.
            let newest = self.newest.load(Ordering::Acquire);
            for at in [newest, 1 - newest] {
                let copy = match self.copies[at].try_read() {
                    Ok(copy) => copy,
                    Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
                    Err(TryLockError::WouldBlock) => continue,
                };
                if !self.stale[at].load(Ordering::Relaxed) {
                    return look(&copy);
                }
            }
        }
    }

    /// Changes both copies in the same way. One thread at a time. Waits for a reader only if others read both copies
    /// just then.
    pub fn change(&self, mut change: impl FnMut(&mut T)) {
        let mut changed = [false; 2];
        for at in [0, 1] {
            if !self.stale[at].load(Ordering::Relaxed)
                && let Ok(mut copy) = self.copies[at].try_write()
            {
                change(&mut copy);
                changed[at] = true;
                self.newest.store(at, Ordering::Release);
            }
        }
        let newest = self.newest.load(Ordering::Relaxed);
        if changed == [false; 2] {
            self.wait_to_write(newest, &mut change);
            changed[newest] = true;
        }
        let other = 1 - newest;
        if !changed[other] {
            self.stale[other].store(true, Ordering::Relaxed);
            if let Ok(mut copy) = self.copies[other].try_write() {
                copy.clone_from(&self.copies[newest].read().unwrap_or_else(PoisonError::into_inner));
                self.stale[other].store(false, Ordering::Relaxed);
            }
        }
    }

    /// Changes a copy that is being read, once its readers have gone.
    fn wait_to_write(&self, at: usize, mut change: impl FnMut(&mut T)) {
        let mut turns = 0;
        loop {
            match self.copies[at].try_write() {
                Ok(mut copy) => return change(&mut copy),
                Err(TryLockError::Poisoned(poisoned)) => return change(&mut poisoned.into_inner()),
                Err(TryLockError::WouldBlock) => pause(turns),
            }
            turns = turns.saturating_add(1);
        }
    }
}

#[cfg(test)]
#[cfg(not(loom))]
mod tests {
    use super::*;

    #[test]
    fn a_copy_that_was_being_read_catches_up() {
        let mirror = Mirror::new(vec![0]);
        mirror.change(|value| value.push(1));
        let held = mirror.copies[0].read().unwrap();
        mirror.change(|value| value.push(2));
        assert_eq!((held.len(), mirror.read(Vec::len)), (2, 3), "the held copy stays as it is");
        drop(held);
        mirror.change(|value| value.push(3));
        for copy in &mirror.copies {
            assert_eq!(*copy.read().unwrap(), [0, 1, 2, 3]);
        }
    }

    #[test]
    fn readers_see_whole_changes_that_never_go_back() {
        let mirror = Mirror::new([0_u64; 8]);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    let mut last = 0;
                    while last < 5_000 {
                        let now = mirror.read(|value| {
                            assert!(value.iter().all(|number| *number == value[0]), "{value:?}");
                            value[0]
                        });
                        assert!(now + 1 >= last, "a reader may see the copy before, not an older one");
                        last = last.max(now);
                    }
                });
            }
            for number in 1..=5_000 {
                mirror.change(|value| *value = [number; 8]);
            }
        });
    }
}
