//! Models of the board of tasks and of the crew that helps at it.
//!
//! Every item that a task writes is one that loom watches, so a result that the owner reads before the helper has
//! released it, a lane that two threads have at once, and a job that a late helper still reads all fail the model.

use super::{check, fails};
use evenmatch::base::board::{Board, Fault, Helper};
use evenmatch::base::crew::Crew;
use loom::cell::UnsafeCell;
use loom::thread;

/// A count that loom watches.
struct Count(UnsafeCell<u32>);

impl Count {
    fn new() -> Count {
        Count(UnsafeCell::new(0))
    }

    fn add(&self, amount: u32) {
        // SAFETY: who adds has the count alone; loom fails the model if not.
        self.0.with_mut(|count| unsafe { *count += amount });
    }

    fn get(&self) -> u32 {
        // SAFETY: nobody writes meanwhile; loom fails the model if not.
        self.0.with(|count| unsafe { *count })
    }
}

fn helping(helper: Helper, times: u32) -> thread::JoinHandle<()> {
    thread::spawn(move || (0..times).for_each(|_| drop(helper.help_once())))
}

/// Jobs one after the other on one board, with helpers that come when they like: every task is done once, and the
/// owner sees what was written.
fn jobs(fault: Fault, helpers: u32, count: u32, tasks: usize) {
    let mut board = Board::with_fault(fault);
    let threads: Vec<_> = (0..helpers).map(|_| helping(board.helper(), count)).collect();
    let mut lanes: Vec<Count> = (0..=helpers).map(|_| Count::new()).collect();
    for job in 1..=count {
        let mut results: Vec<Count> = (0..tasks).map(|_| Count::new()).collect();
        board.jobs().run(&mut lanes, &mut results, |lane, result| {
            lane.add(1);
            result.add(job);
        });
        assert!(results.iter().all(|result| result.get() == job));
    }
    assert_eq!(lanes.iter().map(Count::get).sum::<u32>(), count * tasks as u32);
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}

/// A crew that is let go while it wakes up or falls asleep: its thread ends. Without a job, as loom 0.7.3 forgets the
/// token of an unpark when the thread yields before it parks, which std does not; jobs have models of their own.
fn crew(fault: Fault) {
    let mut board = Board::with_fault(fault);
    let crew = Crew::start(1, &mut board).unwrap();
    drop(crew);
}

#[test]
fn every_task_is_done_once_and_seen() {
    check(3, || jobs(Fault::None, 1, 1, 2));
    check(2, || jobs(Fault::None, 1, 2, 2));
    check(2, || jobs(Fault::None, 2, 1, 2));
}

#[test]
fn a_board_that_waits_for_nobody_is_caught() {
    assert!(fails(3, || jobs(Fault::NobodyIsWaitedFor, 1, 1, 2)));
}

#[test]
fn a_helper_that_releases_nothing_is_caught() {
    assert!(fails(3, || jobs(Fault::LeavesUnreleased, 1, 1, 2)));
}

#[test]
fn a_crew_ends() {
    check(2, || crew(Fault::None));
}

#[test]
fn a_crew_that_is_not_woken_is_caught() {
    assert!(fails(2, || crew(Fault::SleepersStay)));
}
