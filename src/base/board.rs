//! A board of tasks: one thread has many small tasks to do, and others lend it a hand.
//!
//! Called by `queue`, which puts the searches of a tick on the board, and by `engine`, whose [`Helper`]s are the
//! threads of the host and those of the [`Crew`](super::crew::Crew). A job is a closure and a count of tasks; the
//! owner opens the gate, does tasks itself until none is left, closes the gate, and waits until everybody who came
//! in has left. The whole gate is one word:
//!
//! ```text
//! bit 63      the gate is open
//! bits 56..62 how many lanes there are for helpers
//! bits 0..55  a bit for each lane, set while a helper is in it
//!
//!           open (release)            enter: take a lane (acquire)
//!  CLOSED, 0 ------------> OPEN, lanes <=========================> OPEN, lanes - 1
//!     ^                      |            leave (release)             |
//!     |  nobody is inside    | close                                  | close
//!     +------------- CLOSED, n inside <-------------------------------+
//! ```
//!
//! Tasks are dealt by a counter, so a helper that never comes, or is stopped before it enters, holds nobody up: the
//! owner does all tasks that nobody has begun. A helper that the system stops inside a task is waited for, since the
//! task reads what the owner is about to change; this delays the owner (a tick) and nobody else. Invariant: a lane
//! belongs to one thread at a time, each task is done exactly once, and when `run` returns nobody is inside.
//!
//! Tried: `crossbeam-deque` would add a dependency to share out at most some hundred tasks of microseconds; one
//! counter costs an addition a task, and leaves nothing to steal.
#![allow(unsafe_code)] // A job is borrowed by threads that outlive it: no safe type of std lends it to them.

use super::sync::{AtomicBool, AtomicU64, AtomicUsize, Ordering, UnsafeCell, pause, thread};
use std::sync::Arc;

/// The gate is open.
const OPEN: u64 = 1 << 63;
/// Where the count of lanes for helpers stands.
const LANES_SHIFT: u32 = 56;
/// Lanes for helpers, at most.
pub const HELPERS_MAX: usize = 56;
/// The bits of lanes that are taken.
const INSIDE: u64 = (1 << LANES_SHIFT) - 1;

/// Known mistakes, for the loom models: a model that does not fail under its mistake would prove nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Fault {
    /// The code as it ships.
    #[default]
    None,
    /// `run` returns while helpers are still inside.
    NobodyIsWaitedFor,
    /// A helper leaves without releasing what it wrote.
    LeavesUnreleased,
    /// Whoever ends the crew does not wake it.
    SleepersStay,
}

impl Fault {
    /// Whether the mistake `fault` is to be made; without `cfg(loom)` never.
    #[inline]
    pub(super) fn is(self, fault: Fault) -> bool {
        cfg!(loom) && self == fault
    }
}

/// A closure over tasks whose type has been forgotten.
#[derive(Clone, Copy)]
struct Job {
    work: *const (),
    /// Does one task in one lane.
    call: unsafe fn(*const (), usize, usize),
    tasks: usize,
}

/// What the owner and the helpers share.
struct Shared {
    gate: AtomicU64,
    /// The next task that nobody has begun.
    next: AtomicUsize,
    job: UnsafeCell<Option<Job>>,
    /// There are `Jobs`: there may be more to come.
    is_running: AtomicBool,
    /// Threads that are in `help`.
    present: AtomicUsize,
    /// A task has panicked.
    has_failed: AtomicBool,
    /// Not 0: tasks are dealt in another order, and threads yield between them, as this number says.
    disorder: AtomicU64,
    fault: Fault,
}

// SAFETY: `job` alone is neither Send nor Sync. It is written by the owner while the gate is closed and nobody is
// inside, and read by those inside only (`Jobs::run`, `Helper::help_once`); what it points to is shared as `run`
// demands of its types.
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}

/// The owner's side: puts jobs on the board.
pub struct Board {
    shared: Arc<Shared>,
    /// Woken when there is work to do.
    sleepers: Vec<thread::Thread>,
}

impl Default for Board {
    fn default() -> Board {
        Board::new()
    }
}

impl Board {
    /// A board without a job.
    pub fn new() -> Board {
        Board::build(Fault::None)
    }

    /// As `new`, with a known mistake in it. For loom models.
    #[cfg(loom)]
    pub fn with_fault(fault: Fault) -> Board {
        Board::build(fault)
    }

    fn build(fault: Fault) -> Board {
        let shared = Shared {
            gate: AtomicU64::new(0),
            next: AtomicUsize::new(0),
            job: UnsafeCell::new(None),
            is_running: AtomicBool::new(false),
            present: AtomicUsize::new(0),
            has_failed: AtomicBool::new(false),
            disorder: AtomicU64::new(0),
            fault,
        };
        Board { shared: Arc::new(shared), sleepers: Vec::new() }
    }

    /// The helpers' side.
    pub fn helper(&self) -> Helper {
        Helper { shared: Arc::clone(&self.shared) }
    }

    /// Threads to be woken when the first job of a tick is opened.
    pub(super) fn wake(&mut self, sleepers: Vec<thread::Thread>) {
        self.sleepers = sleepers;
    }

    /// Deals tasks in another order, and lets threads yield between them, as `seed` says; 0: not so. For tests,
    /// which must see the same results.
    pub fn disturb(&mut self, seed: u64) {
        // Relaxed: read inside jobs only, which the gate's release publishes.
        self.shared.disorder.store(seed, Ordering::Relaxed);
    }

    /// Jobs to come, one after the other: until this is dropped helpers stay at hand.
    pub fn jobs(&mut self) -> Jobs<'_> {
        // Relaxed: a hint to helpers; what they read is published by the gate. Only the owner writes it.
        self.shared.is_running.store(true, Ordering::Relaxed);
        Jobs { board: self, has_called: false }
    }
}

/// Jobs that follow one another.
pub struct Jobs<'a> {
    board: &'a mut Board,
    /// The helpers that sleep have been called.
    has_called: bool,
}

impl Drop for Jobs<'_> {
    fn drop(&mut self) {
        // Relaxed: as in `Board::jobs`.
        self.board.shared.is_running.store(false, Ordering::Relaxed);
    }
}

impl Jobs<'_> {
    /// Threads that a job may count on: the owner, and those that sleep or are at hand.
    pub fn threads(&self) -> usize {
        // Relaxed: a hint; nothing but the speed hangs on it.
        let present = self.board.shared.present.load(Ordering::Relaxed);
        1 + present.max(self.board.sleepers.len()).min(HELPERS_MAX)
    }

    /// Does `work` once for each item of `results`, here and in the threads that help. `lanes` holds the memory of
    /// the owner, and of one helper in each further item; with none of these, or one result, all is done here.
    ///
    /// A panic of `work` in a helper becomes one of the owner.
    pub fn run<L, R, F>(&mut self, lanes: &mut [L], results: &mut [R], work: F)
    where
        L: Send,
        R: Send,
        F: Fn(&mut L, &mut R) + Sync,
    {
        let helpers = lanes.len().saturating_sub(1).min(HELPERS_MAX);
        if helpers == 0 || results.len() < 2 {
            if let Some(lane) = lanes.first_mut() {
                results.iter_mut().for_each(|result| work(lane, result));
            }
            return;
        }
        let tasks = results.len();
        let typed = Typed { lanes: lanes.as_mut_ptr(), results: results.as_mut_ptr(), work: &work };
        let job = Job { work: (&raw const typed).cast(), call: call::<L, R, F>, tasks };
        if !std::mem::replace(&mut self.has_called, true) {
            self.board.sleepers.iter().for_each(thread::Thread::unpark);
        }
        let shared = &*self.board.shared;
        // SAFETY: `&mut self`: nobody else opens a job; the last one has been closed and all who were inside have
        // left, so nobody reads the cell.
        shared.job.with_mut(|cell| unsafe { *cell = Some(job) });
        // Relaxed: published by the release of the gate.
        shared.next.store(0, Ordering::Relaxed);
        // Release pairs with the acquire of `enter`: who comes in sees the job and the counter of now.
        shared.gate.store(OPEN | (helpers as u64) << LANES_SHIFT, Ordering::Release);
        let closing = Closing(shared);
        // SAFETY: lane 0 is the owner's; `typed`, `lanes` and `results` live until `closing` has seen everybody out.
        unsafe { shared.work_through(job, 0) };
        drop(closing);
        // Relaxed: written before the release of a `leave` that `closing` has acquired.
        let has_failed = shared.has_failed.swap(false, Ordering::Relaxed);
        assert!(!has_failed, "a task panicked in another thread");
    }
}

/// A closure, its lanes and its results.
struct Typed<'a, L, R, F> {
    lanes: *mut L,
    results: *mut R,
    work: &'a F,
}

/// Does task `task` of a [`Typed`] in lane `lane`.
///
/// # Safety
///
/// `work` points to a live `Typed<L, R, F>`; its lane and its task exist, and are used by nobody else meanwhile.
unsafe fn call<L, R, F: Fn(&mut L, &mut R)>(work: *const (), lane: usize, task: usize) {
    // SAFETY: demanded above.
    let typed = unsafe { &*work.cast::<Typed<'_, L, R, F>>() };
    // SAFETY: demanded above.
    let (lane, result) = unsafe { (&mut *typed.lanes.add(lane), &mut *typed.results.add(task)) };
    (typed.work)(lane, result);
}

/// Closes the gate and waits until nobody is inside, also when a task of the owner panics.
struct Closing<'a>(&'a Shared);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        // Relaxed: nothing is published by closing; what was done inside is acquired below.
        self.0.gate.fetch_and(!OPEN, Ordering::Relaxed);
        let mut turns = 0;
        // Acquire pairs with the release of each `leave` (all exchanges of the gate, so one release sequence):
        // everything that was done inside is seen from here on.
        while self.0.gate.load(Ordering::Acquire) & INSIDE != 0 && !self.0.fault.is(Fault::NobodyIsWaitedFor)
        {
            pause(turns);
            turns = turns.saturating_add(1);
        }
    }
}

impl Shared {
    /// Does tasks until none is left that nobody has begun. Returns whether there was one.
    ///
    /// # Safety
    ///
    /// The job is that of the open gate, and the lane the caller's.
    unsafe fn work_through(&self, job: Job, lane: usize) -> bool {
        let mut did_some = false;
        loop {
            // Relaxed: that no two threads get one number is all that is asked of it.
            let at = self.next.fetch_add(1, Ordering::Relaxed);
            if at >= job.tasks {
                return did_some;
            }
            let task = self.disordered(at, job.tasks);
            // SAFETY: each task is dealt once, the lane is ours alone, and the job lives while we are inside.
            unsafe { (job.call)(job.work, lane, task) };
            did_some = true;
        }
    }

    /// The task that is dealt at place `at`; with a seed, the threads also yield a few times.
    fn disordered(&self, at: usize, tasks: usize) -> usize {
        // Relaxed: see `Board::disturb`.
        let seed = self.disorder.load(Ordering::Relaxed);
        if seed == 0 {
            return at;
        }
        let mixed = (seed ^ at as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56;
        (0..mixed % 4).for_each(|_| thread::yield_now());
        // Backwards from a place that the seed gives.
        (tasks + (seed % tasks as u64) as usize - at) % tasks
    }

    /// Takes a lane if the gate is open and one is free.
    fn enter(&self) -> Option<u64> {
        // Relaxed: the exchange below acquires.
        let mut seen = self.gate.load(Ordering::Relaxed);
        loop {
            let lanes = seen >> LANES_SHIFT & 0x7f;
            let free = !seen & ((1 << lanes) - 1);
            if seen & OPEN == 0 || free == 0 {
                return None;
            }
            let lane = free & free.wrapping_neg();
            // Acquire pairs with the release of `run` (the job) and with that of the last `leave` of this lane (the
            // lane's memory), whose exchanges continue one release sequence.
            match self.gate.compare_exchange(seen, seen | lane, Ordering::Acquire, Ordering::Relaxed) {
                Ok(_) => return Some(lane),
                Err(now) => seen = now,
            }
        }
    }
}

/// Leaves the lane, also when a task panics.
struct Inside<'a> {
    shared: &'a Shared,
    lane: u64,
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // Relaxed: published by the release below.
            self.shared.has_failed.store(true, Ordering::Relaxed);
        }
        let leave =
            if self.shared.fault.is(Fault::LeavesUnreleased) { Ordering::Relaxed } else { Ordering::Release };
        // Release pairs with the acquire of `Closing` and of the next `enter` of this lane.
        self.shared.gate.fetch_and(!self.lane, leave);
    }
}

/// Counts a thread that is at hand, also when a task panics.
struct Present<'a>(&'a AtomicUsize);

impl Present<'_> {
    fn new(count: &AtomicUsize) -> Present<'_> {
        // Relaxed: a hint, see `Jobs::threads`.
        count.fetch_add(1, Ordering::Relaxed);
        Present(count)
    }
}

impl Drop for Present<'_> {
    fn drop(&mut self) {
        // Relaxed: as above.
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The helpers' side of a board. Any thread.
#[derive(Clone)]
pub struct Helper {
    shared: Arc<Shared>,
}

impl Helper {
    /// Does tasks of the job that is open now; returns whether there was one to do. Never waits.
    pub fn help_once(&self) -> bool {
        let shared = &*self.shared;
        let Some(lane) = shared.enter() else { return false };
        let inside = Inside { shared, lane };
        // SAFETY: we are inside, so the owner writes the cell only after we have left.
        let job = shared.job.with(|cell| unsafe { *cell });
        // SAFETY: the job is that of the gate that let us in; the bit of the lane is ours, and lane 0 the owner's.
        let did_some =
            job.is_some_and(|job| unsafe { shared.work_through(job, lane.trailing_zeros() as usize + 1) });
        drop(inside);
        did_some
    }

    /// Helps until the owner has no more jobs for now; returns whether there was a task to do.
    pub fn help(&self) -> bool {
        // Relaxed: a hint, see `Board::jobs`.
        if !self.shared.is_running.load(Ordering::Relaxed) {
            return false;
        }
        let present = Present::new(&self.shared.present);
        let mut did_some = false;
        let mut turns = 0;
        // Relaxed: as above.
        while self.shared.is_running.load(Ordering::Relaxed) {
            if self.help_once() {
                did_some = true;
                turns = 0;
            } else {
                pause(turns);
                turns = turns.saturating_add(1);
            }
        }
        drop(present);
        did_some
    }

    /// The mistake that the board was built with.
    pub(super) fn fault(&self) -> Fault {
        self.shared.fault
    }
}

#[cfg(test)]
#[cfg(not(loom))]
mod tests {
    use super::*;

    #[test]
    fn every_task_is_done_once_whoever_helps() {
        for helpers in 0..4 {
            let mut board = Board::new();
            let helper = board.helper();
            let over = AtomicBool::new(false);
            std::thread::scope(|scope| {
                for _ in 0..helpers {
                    scope.spawn(|| {
                        while !over.load(Ordering::Relaxed) {
                            helper.help();
                        }
                    });
                }
                for round in 0..500 {
                    board.disturb(round % 7);
                    let mut jobs = board.jobs();
                    let mut lanes = vec![0_u64; 3];
                    let mut results = vec![0_u64; round as usize % 70];
                    jobs.run(&mut lanes, &mut results, |lane, result| {
                        *lane += 1;
                        *result += 1;
                    });
                    assert_eq!(lanes.iter().sum::<u64>(), results.len() as u64, "{helpers} helpers");
                    assert!(results.iter().all(|&times| times == 1), "{helpers} helpers, round {round}");
                }
                over.store(true, Ordering::Relaxed);
            });
        }
    }

    #[test]
    fn a_panic_in_a_helper_is_one_of_the_owner() {
        let mut board = Board::new();
        let helper = board.helper();
        let owner = std::thread::current().id();
        let helping = std::thread::spawn(move || {
            while !helper.help_once() {
                std::thread::yield_now();
            }
        });
        let run = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            loop {
                board.jobs().run(&mut [(), ()], &mut [(), ()], |(), ()| {
                    if std::thread::current().id() != owner {
                        panic!("as asked");
                    }
                    std::thread::yield_now();
                });
            }
        }));
        assert!(run.is_err());
        assert!(helping.join().is_err());
        // The board is as good as new.
        let mut results = [0; 3];
        board.jobs().run(&mut [(), ()], &mut results, |(), result| *result += 1);
        assert_eq!(results, [1; 3]);
    }
}
