//! The engine's own threads: started when the host asks for them, asleep between ticks, joined at the end.
//!
//! Made by `engine`; each helps at a [`Board`]. A sleeper is parked: its token is given before it is taken or after,
//! so no wake is lost, and nobody takes a lock. Invariant: once `Crew` is dropped none of its threads runs, so a
//! plugin can be unloaded.
//!
//! Not used: `parking_lot` parks threads too, but its core has a thread-local with a destructor, which would keep an unloaded
//! plugin in memory.

use super::board::{Board, Fault, Helper};
use super::sync::{AtomicBool, Ordering, thread};
use std::sync::Arc;

/// Turns for which a thread stays awake after a tick before it goes to sleep: chosen, so that ticks that follow
/// one another at once find it awake.
const TURNS_AWAKE: u32 = if cfg!(loom) { 0 } else { 64 };

/// Threads that help at a board.
#[derive(Default)]
pub struct Crew {
    threads: Vec<thread::JoinHandle<()>>,
    is_over: Option<Arc<AtomicBool>>,
    fault: Fault,
}

impl Crew {
    /// Starts `count` threads that help at `board`. Error: the system gives no more threads; then those that have
    /// been started are joined.
    pub fn start(count: usize, board: &mut Board) -> std::io::Result<Crew> {
        let is_over = Arc::new(AtomicBool::new(false));
        let helper = board.helper();
        let mut crew =
            Crew { threads: Vec::new(), is_over: Some(Arc::clone(&is_over)), fault: helper.fault() };
        for number in 1..=count {
            let (helper, is_over) = (helper.clone(), Arc::clone(&is_over));
            let thread = thread::Builder::new().name(format!("evenmatch-{number}"));
            crew.threads.push(thread.spawn(move || work(&helper, &is_over))?);
        }
        board.wake(crew.threads.iter().map(|handle| handle.thread().clone()).collect());
        Ok(crew)
    }
}

/// The life of a thread.
fn work(helper: &Helper, is_over: &AtomicBool) {
    let mut turns = 0;
    // Acquire pairs with the release of `drop`; all that is asked is that it is seen at some time, and after a wake
    // it is: the unpark comes after the store.
    while !is_over.load(Ordering::Acquire) {
        if helper.help() {
            turns = 0;
        } else if turns < TURNS_AWAKE {
            turns += 1;
            thread::yield_now();
        } else {
            thread::park();
            turns = 0;
        }
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        if let Some(is_over) = &self.is_over {
            // Release pairs with the acquire in `work`.
            is_over.store(true, Ordering::Release);
        }
        for handle in self.threads.drain(..) {
            if !self.fault.is(Fault::SleepersStay) {
                handle.thread().unpark();
            }
            // A thread that panicked has told the tick; nothing is left to say.
            let _ = handle.join();
        }
    }
}

#[cfg(test)]
#[cfg(not(loom))]
mod tests {
    use super::*;

    #[test]
    fn a_crew_helps_sleeps_and_ends() {
        let mut board = Board::new();
        let crew = Crew::start(2, &mut board).unwrap();
        for _ in 0..100 {
            let mut results = [0; 50];
            board.jobs().run(&mut [(), (), ()], &mut results, |(), result| *result += 1);
            assert_eq!(results, [1; 50]);
        }
        drop(crew);
        let mut results = [0; 5];
        board.jobs().run(&mut [(), ()], &mut results, |(), result| *result += 1);
        assert_eq!(results, [1; 5]);
    }
}
