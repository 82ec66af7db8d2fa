//! Temporary.
use std::sync::{Mutex, MutexGuard};
use std::ops::Deref;
pub struct Published<T>(Mutex<T>);
pub struct Guard<T>(T);
impl<T> Deref for Guard<T> { type Target = T; fn deref(&self) -> &T { &self.0 } }
impl<T: Clone> Published<T> {
    pub fn new(t: T) -> Self { Published(Mutex::new(t)) }
    fn l(&self) -> MutexGuard<'_, T> { self.0.lock().unwrap() }
    pub fn load(&self) -> Guard<T> { Guard(self.l().clone()) }
    pub fn compare_replace(&self, _seen: Guard<T>, new: T) -> Result<(), T> { *self.l() = new; Ok(()) }
    pub fn update(&self, mut f: impl FnMut(&T) -> Option<T>) -> bool { let mut g = self.l(); match f(&g) { Some(n) => { *g = n; true } None => false } }
}
