//! The queues as the door knows them: which there are, what they take, how full they are.
//!
//! Calls on tickets read a snapshot and wait for nobody. The few calls that add, remove or suspend a queue take turns
//! behind a lock, which nobody else takes. Invariant: a tick hears of a queue before it hears of its first ticket.

use super::calls::Call;
use super::door::Door;
use crate::base::published::Published;
use crate::base::sync::{AtomicBool, AtomicU64, Ordering};
use crate::model::codes::{Code, Refusal};
use crate::model::ids::{Millis, QueueId};
use crate::model::limits::QUEUES_MAX;
use crate::queue::regions::Regions;
use crate::rules::check::Judge;
use crate::rules::compile::CompiledQueue;
use crate::rules::spec::QueueSpec;
use crate::rules::validate::validate;
use std::sync::{Arc, Mutex, PoisonError};

/// One queue, as the door knows it.
pub(super) struct DoorQueue {
    /// Its id.
    pub id: QueueId,
    /// Its rules.
    pub compiled: Arc<CompiledQueue>,
    /// The judge of its matches, if they are to be judged.
    pub judge: Option<Judge>,
    /// Its name, shared with reports.
    pub name: Arc<str>,
    /// Its echo, shared with the records of matches.
    pub echo: Option<Arc<str>>,
    /// Its regions.
    pub regions: Arc<Regions>,
    /// It has been removed. Relaxed, as below.
    is_removed: AtomicBool,
    /// It takes no tickets. Relaxed: a submit that comes at the same time is before or after.
    is_suspended: AtomicBool,
    /// Tickets that live or whose event was not polled.
    held: AtomicU64,
    /// Tickets that wait.
    pub waiting: AtomicU64,
    /// Matches made.
    pub matches: AtomicU64,
}

impl DoorQueue {
    /// Whether it takes no tickets.
    pub(super) fn is_suspended(&self) -> bool {
        self.is_suspended.load(Ordering::Relaxed)
    }

    /// Refuses a ticket if the queue takes none. Errors: UNKNOWN_QUEUE, QUEUE_SUSPENDED.
    pub(super) fn check_open(&self) -> Result<(), Refusal> {
        let name = &self.name;
        if self.is_removed.load(Ordering::Relaxed) {
            return Err(Refusal::new(Code::UnknownQueue, format!("queue {name:?} was removed")));
        }
        if self.is_suspended() {
            let detail = format!("queue {name:?} is suspended, try again later");
            return Err(Refusal::new(Code::QueueSuspended, detail));
        }
        Ok(())
    }

    /// Tickets that live or whose event was not polled.
    pub(super) fn held(&self) -> u64 {
        self.held.load(Ordering::Relaxed)
    }

    /// Takes the place of one ticket, if the queue file leaves one.
    pub(super) fn take_place(&self) -> Result<(), Refusal> {
        let max = self.compiled.spec.capacity.map_or(u64::MAX, u64::from);
        if take_below(&self.held, max, 1) {
            return Ok(());
        }
        let (held, waiting) = (self.held(), self.waiting.load(Ordering::Relaxed));
        let detail = format!(
            "queue {:?} holds {waiting} tickets, and {} wait to be polled",
            self.name,
            held.saturating_sub(waiting)
        );
        Err(Refusal::new(Code::QueueFull, detail))
    }

    /// Takes the places of so many tickets; whether the queue file leaves as many.
    pub(super) fn take_places(&self, tickets: u64) -> bool {
        take_below(&self.held, self.compiled.spec.capacity.map_or(u64::MAX, u64::from), tickets)
    }

    /// Gives the place of one ticket back.
    pub(super) fn give_place(&self) {
        self.give_places(1);
    }

    /// Gives the places of so many tickets back.
    pub(super) fn give_places(&self, tickets: u64) {
        self.held.fetch_sub(tickets, Ordering::Relaxed);
    }
}

/// Counts so many more, unless these would be more than `max`. Relaxed: the count orders nothing but itself.
pub(super) fn take_below(count: &AtomicU64, max: u64, some: u64) -> bool {
    let more = |held: u64| (held.saturating_add(some) <= max).then(|| held + some);
    count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).is_ok()
}

/// The queues of an engine, in the order in which they were added.
pub(super) struct Queues {
    all: Published<Arc<Vec<Arc<DoorQueue>>>>,
    /// Who changes them, and the id of the next one.
    next: Mutex<u32>,
}

impl Queues {
    /// No queues.
    pub(super) fn new() -> Queues {
        Queues { all: Published::new(Arc::default()), next: Mutex::new(0) }
    }

    /// All that exist now.
    pub(super) fn all(&self) -> Arc<Vec<Arc<DoorQueue>>> {
        Arc::clone(&self.all.load())
    }

    /// The one of that name.
    pub(super) fn named(&self, name: &str) -> Option<Arc<DoorQueue>> {
        self.all.load().iter().find(|queue| *queue.name == *name).cloned()
    }

    /// The one of that id. Error: UNKNOWN_QUEUE.
    pub(super) fn get(&self, id: QueueId) -> Result<Arc<DoorQueue>, Refusal> {
        let unknown = || Refusal::new(Code::UnknownQueue, format!("no queue has the id {}", id.0));
        self.all.load().iter().find(|queue| queue.id == id).cloned().ok_or_else(unknown)
    }

    /// The one of that name, if it takes tickets. Errors: UNKNOWN_QUEUE, QUEUE_SUSPENDED.
    pub(super) fn open(&self, name: &str) -> Result<Arc<DoorQueue>, Refusal> {
        let unknown = || Refusal::new(Code::UnknownQueue, format!("no queue is named {name:?}"));
        let queue = self.named(name).ok_or_else(unknown)?;
        queue.check_open()?;
        Ok(queue)
    }
}

impl Door {
    /// Adds a queue.
    pub(super) fn add_queue(&self, spec: QueueSpec) -> Result<QueueId, Refusal> {
        let faults = validate(&spec);
        if !faults.is_empty() {
            let faults: Vec<String> =
                faults.iter().map(|f| format!("{}: {}, {}", f.place, f.found, f.remedy)).collect();
            return Err(Refusal::new(Code::InvalidQueue, faults.join("; ")));
        }
        let compiled = Arc::new(CompiledQueue { kernels: self.kernels, ..CompiledQueue::new(spec) });
        let mut next = self.queues.next.lock().unwrap_or_else(PoisonError::into_inner);
        let now = self.enter(self.now())?;
        let name: Arc<str> = compiled.spec.name.as_str().into();
        let mut all = Vec::clone(&self.queues.all());
        if all.iter().any(|queue| queue.name == name) {
            return Err(Refusal::new(Code::QueueExists, format!("a queue is named {name:?} already")));
        }
        if all.len() == QUEUES_MAX {
            let detail = format!("at most {QUEUES_MAX} queues: remove one first");
            return Err(Refusal::new(Code::TooManyQueues, detail));
        }
        let id = QueueId(*next);
        *next += 1;
        let queue = Arc::new(DoorQueue {
            id,
            judge: self.check_matches.then(|| Judge::new(&compiled.spec)),
            echo: compiled.spec.echo.as_deref().map(Arc::from),
            regions: Arc::new(Regions::new(&compiled.spec)),
            is_removed: AtomicBool::new(false),
            compiled,
            name,
            is_suspended: AtomicBool::new(false),
            held: AtomicU64::new(0),
            waiting: AtomicU64::new(0),
            matches: AtomicU64::new(0),
        });
        all.push(Arc::clone(&queue));
        self.ingress.push((now, Call::AddQueue(queue)));
        self.replace_queues(all);
        Ok(id)
    }

    /// Suspends a queue, or opens it.
    pub(super) fn set_suspended(&self, now: Millis, id: QueueId, suspended: bool) -> Result<(), Refusal> {
        let _turn = self.queues.next.lock().unwrap_or_else(PoisonError::into_inner);
        let now = self.enter(now)?;
        let queue = self.queues.get(id)?;
        queue.is_suspended.store(suspended, Ordering::Relaxed);
        self.ingress.push((now, Call::SuspendQueue(queue, suspended)));
        Ok(())
    }

    /// Removes a queue.
    pub(super) fn remove_queue(&self, now: Millis, id: QueueId) -> Result<(), Refusal> {
        let _turn = self.queues.next.lock().unwrap_or_else(PoisonError::into_inner);
        let now = self.enter(now)?;
        let queue = self.queues.get(id)?;
        let mut all = Vec::clone(&self.queues.all());
        all.retain(|queue| queue.id != id);
        queue.is_removed.store(true, Ordering::Relaxed);
        self.replace_queues(all);
        // A submit that saw it a moment ago comes after this: the tick finds no such queue and ends the ticket.
        self.ingress.push((now, Call::RemoveQueue(queue)));
        Ok(())
    }

    fn replace_queues(&self, all: Vec<Arc<DoorQueue>>) {
        let all = Arc::new(all);
        self.queues.all.update(|_| Some(Arc::clone(&all)));
    }
}
