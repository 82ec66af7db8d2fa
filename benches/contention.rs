//! What the calls that threads share cost: the list of calls that a tick takes whole, and the ends of tickets that
//! two threads want at once.
//!
//! `cargo bench --bench contention`; `-- --test` runs everything once and small; `-- --tickets 200000 --times 30` says
//! how much. All ways of one question take turns within one run, and the figure is the least time of each, in ns for
//! each ticket; on a machine with one core the rows of two threads say nothing.
//!
//! - `ingress`: values of 64 bytes onto the list, one by one and 64 at once, by one thread, by two at once, and by one
//!   while another takes; and the same onto a locked vector.
//! - `claims`: ending tickets alone; two threads that both end every ticket, in the same order and in opposite ones;
//!   and one that ends them while another commits them in pairs.
//! - `engine`: `submit` and `cancel` through the public API, alone, by two threads, and while ticks run; the memory of
//!   the engine is warm.
//!
//! Asserted: nothing is lost or doubled, and every ticket has one end.
#![allow(clippy::unwrap_used, reason = "a bench that cannot be set up stops")]

use evenmatch::base::ingress::Ingress;
use evenmatch::claim::commit::{Claims, EndOutcome};
use evenmatch::config::read_queue;
use evenmatch::model::ids::{MatchId, TicketId};
use evenmatch::{Engine, Event, Millis, PlayerId, PlayerRequest, TicketRequest};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Barrier, Mutex};
use std::time::{Duration, Instant};

#[cfg(feature = "cli")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What a call weighs on the list.
type Value = [u64; 8];
const BATCH: usize = 64;

/// A list that threads push onto and one takes whole.
trait Shared: Sync {
    fn push(&self, value: Value);
    fn push_all(&self, values: &[Value]);
    fn take(&self, into: &mut Vec<Value>);
}

impl Shared for Ingress<Value> {
    fn push(&self, value: Value) {
        Ingress::push(self, value);
    }
    fn push_all(&self, values: &[Value]) {
        Ingress::push_all(self, values.iter().copied());
    }
    fn take(&self, into: &mut Vec<Value>) {
        Ingress::take(self, into);
    }
}

impl Shared for Mutex<Vec<Value>> {
    fn push(&self, value: Value) {
        self.lock().unwrap().push(value);
    }
    fn push_all(&self, values: &[Value]) {
        self.lock().unwrap().extend_from_slice(values);
    }
    fn take(&self, into: &mut Vec<Value>) {
        into.append(&mut self.lock().unwrap());
    }
}

/// How threads meet at the list.
#[derive(Clone, Copy, PartialEq)]
enum Meeting {
    /// One pushes, and takes all afterwards.
    Alone,
    /// Two push at once, half each; one of them takes all afterwards.
    TwoPush,
    /// One pushes while another takes.
    OneTakes,
}

fn ingress(list: &impl Shared, meeting: Meeting, batch: usize, count: usize) -> Duration {
    let push = |from: usize, to: usize| {
        let mut values = Vec::with_capacity(batch);
        for at in (from..to).step_by(batch) {
            let value = |at: usize| [at as u64; 8];
            if batch == 1 {
                list.push(value(at));
            } else {
                values.clear();
                values.extend((at..(at + batch).min(to)).map(value));
                list.push_all(&values);
            }
        }
    };
    let mut taken = Vec::with_capacity(count);
    let took = match meeting {
        Meeting::Alone => {
            let start = Instant::now();
            push(0, count);
            list.take(&mut taken);
            start.elapsed()
        }
        Meeting::TwoPush => {
            let took = together(|| push(0, count / 2), || push(count / 2, count));
            let start = Instant::now();
            list.take(&mut taken);
            took + start.elapsed()
        }
        Meeting::OneTakes => together(
            || push(0, count),
            || {
                while taken.len() < count {
                    list.take(&mut taken);
                }
            },
        ),
    };
    taken.sort_unstable();
    assert!(taken.iter().enumerate().all(|(at, value)| value[0] == at as u64), "nothing lost or doubled");
    assert_eq!(taken.len(), count);
    took
}

/// Runs two pieces of work at once, from one start; until both have ended.
fn together(one: impl FnOnce() + Send, other: impl FnOnce() + Send) -> Duration {
    let start_line = Barrier::new(2);
    std::thread::scope(|scope| {
        let line = &start_line;
        let helper = scope.spawn(move || {
            line.wait();
            other();
        });
        line.wait();
        let start = Instant::now();
        one();
        helper.join().unwrap();
        start.elapsed()
    })
}

/// Who else wants the tickets.
#[derive(Clone, Copy, PartialEq)]
enum Rival {
    Nobody,
    EndsToo,
    EndsBackwards,
    Commits,
}

fn claims(rival: Rival, count: usize) -> Duration {
    let claims = Claims::new(count as u32);
    let tickets: Vec<TicketId> = (0..count).map(|_| claims.allocate().unwrap()).collect();
    assert!(tickets.iter().all(|&id| claims.publish(id)));
    let ended = AtomicUsize::new(0);
    let end = |id: &TicketId| {
        if claims.end(*id) == EndOutcome::Ended {
            ended.fetch_add(1, Ordering::Relaxed);
        }
    };
    let mut committed = 0;
    let end_all = || tickets.iter().for_each(end);
    let took = match rival {
        Rival::Nobody => {
            let start = Instant::now();
            end_all();
            start.elapsed()
        }
        Rival::EndsToo => together(end_all, end_all),
        Rival::EndsBackwards => together(end_all, || tickets.iter().rev().for_each(end)),
        Rival::Commits => together(end_all, || {
            // From the other end: the two meet in the middle.
            for pair in tickets.rchunks_exact(2) {
                committed += 2 * usize::from(claims.commit(MatchId(pair[0]), pair).is_ok());
            }
        }),
    };
    assert_eq!(ended.into_inner() + committed, count, "every ticket has one end");
    took
}

const DUEL: &str = r#"{ "name": "q", "players": 2, "attributes": { "skill": { "type": "number" } },
    "rules": [{ "name": "skill", "type": "difference", "attribute": "skill", "max": 1 }] }"#;

/// How the engine's calls meet.
#[derive(Clone, Copy, PartialEq)]
enum Calls {
    /// All by one thread.
    Alone,
    /// Half by each of two.
    Halves,
    /// Both cancel every ticket.
    Both,
    /// By one while ticks run in another, in which no two tickets match.
    Ticking,
}

/// The times of submitting and of cancelling all tickets.
fn calls(engine: &Engine, calls: Calls, count: usize) -> [Duration; 2] {
    let request = |at: usize| {
        let player = PlayerRequest::new(PlayerId(at as u128 + 1)).number("skill", at as i32 * 10);
        TicketRequest::new("q").player(player)
    };
    let half = count / 2;
    let requests: Vec<TicketRequest> = (0..count).map(request).collect();
    let (first, second) = requests.split_at(half);
    let (first, second, all) = (first.to_vec(), second.to_vec(), requests.clone());
    let now = Millis(1_000);
    let submit = |requests: Vec<TicketRequest>| -> Vec<TicketId> {
        requests.into_iter().map(|request| engine.submit(now, request).unwrap()).collect()
    };
    let cancelled = AtomicUsize::new(0);
    let cancel = |tickets: &[TicketId]| {
        let done = tickets.iter().filter(|&&id| engine.cancel(now, id).is_ok()).count();
        cancelled.fetch_add(done, Ordering::Relaxed);
    };
    let (mut tickets, mut others) = (Vec::new(), Vec::new());
    let times = match calls {
        Calls::Alone => {
            let start = Instant::now();
            tickets = submit(all);
            let submitted = start.elapsed();
            engine.tick(now, 0).unwrap();
            let start = Instant::now();
            cancel(&tickets);
            [submitted, start.elapsed()]
        }
        Calls::Halves | Calls::Both => {
            let submitted = together(|| tickets = submit(first), || others = submit(second));
            engine.tick(now, 0).unwrap();
            let everyone = [&tickets[..], &others].concat();
            let ended = match calls {
                Calls::Halves => together(|| cancel(&tickets), || cancel(&others)),
                _ => together(|| cancel(&everyone), || cancel(&everyone)),
            };
            [submitted, ended]
        }
        Calls::Ticking => {
            let is_over = AtomicBool::new(false);
            let mut times = [Duration::ZERO; 2];
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    while !is_over.load(Ordering::Relaxed) {
                        engine.tick(now, 0).unwrap();
                    }
                });
                let start = Instant::now();
                tickets = submit(all);
                times[0] = start.elapsed();
                let start = Instant::now();
                cancel(&tickets);
                times[1] = start.elapsed();
                is_over.store(true, Ordering::Relaxed);
            });
            times
        }
    };
    assert_eq!(cancelled.into_inner(), count, "every ticket has been cancelled once");
    engine.tick(now, 0).unwrap();
    let mut events: Vec<Event> = Vec::with_capacity(count);
    assert_eq!(engine.poll(&mut events, usize::MAX), count);
    times
}

/// Ways of one question, and the least time of each so far.
struct Table {
    name: &'static str,
    rows: Vec<(String, Duration)>,
}

impl Table {
    fn new(name: &'static str) -> Table {
        Table { name, rows: Vec::new() }
    }

    fn add(&mut self, row: &str, took: Duration) {
        match self.rows.iter_mut().find(|(name, _)| name == row) {
            Some((_, least)) => *least = took.min(*least),
            None => self.rows.push((row.to_owned(), took)),
        }
    }

    fn print(&self, count: usize) {
        println!("{}/{count}", self.name);
        let first = self.rows[0].1.as_secs_f64();
        for (row, least) in &self.rows {
            let ns = least.as_nanos() as f64 / count as f64;
            println!("  {row:<40} {ns:>8.1} ns a ticket  {:>5.2}x", least.as_secs_f64() / first);
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let is_test = arguments.iter().any(|argument| argument == "--test");
    let number = |name: &str, default: usize| {
        let at = arguments.iter().position(|argument| argument == name);
        at.map_or(default, |at| arguments[at + 1].parse().unwrap())
    };
    let (count, times) =
        if is_test { (2_000, 2) } else { (number("--tickets", 100_000), number("--times", 15)) };
    let mut tables = [Table::new("ingress"), Table::new("claims"), Table::new("engine")];
    let (list, locked) = (Ingress::new(), Mutex::new(Vec::new()));
    let engine = Engine::builder().capacity(count as u32).retained(0).build().unwrap();
    engine.add_queue(read_queue(DUEL).unwrap()).unwrap();
    for _ in 0..times {
        for (name, meeting) in [
            ("one thread", Meeting::Alone),
            ("two threads push", Meeting::TwoPush),
            ("one pushes, one takes", Meeting::OneTakes),
        ] {
            for batch in [1, BATCH] {
                let row = |way: &str| format!("{name}, {batch} at once, {way}");
                tables[0].add(&row("list"), ingress(&list, meeting, batch, count));
                tables[0].add(&row("locked"), ingress(&locked, meeting, batch, count));
            }
        }
        for (row, rival) in [
            ("end, alone", Rival::Nobody),
            ("end, another ends the same", Rival::EndsToo),
            ("end, another ends them backwards", Rival::EndsBackwards),
            ("end, another commits pairs backwards", Rival::Commits),
        ] {
            tables[1].add(row, claims(rival, count));
        }
        for (row, way) in [
            ("one thread", Calls::Alone),
            ("two threads, half each", Calls::Halves),
            ("two threads, both cancel all", Calls::Both),
            ("one thread while ticks run", Calls::Ticking),
        ] {
            let [submitted, cancelled] = calls(&engine, way, count);
            tables[2].add(&format!("submit, {row}"), submitted);
            tables[2].add(&format!("cancel, {row}"), cancelled);
        }
    }
    for table in &tables {
        table.print(count);
    }
}
