//! Temporary.
use std::sync::Mutex;
use std::collections::VecDeque;
pub struct Fifo(Mutex<VecDeque<u64>>);
impl Fifo {
    pub fn new(_n: u32) -> Self { Fifo(Mutex::new(VecDeque::new())) }
    pub fn push(&self, v: u64) -> bool { self.0.lock().unwrap().push_back(v); true }
    pub fn push_chain(&self, v: impl Iterator<Item = u64>) -> bool { self.0.lock().unwrap().extend(v); true }
    pub fn pop(&self) -> Option<u64> { self.0.lock().unwrap().pop_front() }
    pub fn len(&self) -> u64 { self.0.lock().unwrap().len() as u64 }
}
