//! L7: the door. Hosts submit, cancel, update and poll here; a tick runs from here.
//!
//! | file | what |
//! | --- | --- |
//! | `builder` | how large an engine may grow |
//! | `door`, `ticket` | what stands behind the calls, shared by all threads |
//! | `plain`, `head`, `told` | a request in a few words; a match in a few words; what a ticket asks for |
//! | `layout`, `lexicon`, `batch` | tickets without names: what stands where, resolved once; many at once |
//! | `entry`, `screen` | plain tickets of one call come in; what one is surely accepted with |
//! | `queues`, `down` | the queues, and the regions that are down |
//! | `prepare`, `latency`, `values` | a submitted ticket is checked and becomes values |
//! | `submit`, `update` | a ticket comes in, or is changed |
//! | `elsewhere` | the tickets of a player, in one queue or in several |
//! | `forming` | tickets whose members are still to join |
//! | `json` | tickets as JSON text, native or PlayFab's |
//! | `calls` | what the next tick is to hear |
//! | `tick` | one tick: calls in, searches, results out |
//! | `intake`, `taken`, `filling`, `forming_list` | what a tick takes in, and what it knows of it |
//! | `finishing` | tickets are handed over: their ends, and the players that they let go |
//! | `poll`, `gone` | terminal events become records; tickets whose event was polled |
//! | `log` | the record of all calls, as a trace |
//! | `status` | one ticket, and all counts |
//! | `explain` | why a ticket waits |
//! | `estimate` | how long a ticket can expect to wait |
//! | `prometheus` | all counts as text for Prometheus |

#[cfg(all(feature = "capi", not(loom)))]
mod batch;
mod builder;
mod calls;
mod door;
mod down;
mod elsewhere;
mod entry;
mod estimate;
mod explain;
mod filling;
mod finishing;
mod forming;
mod forming_list;
mod gone;
mod head;
mod intake;
mod json;
mod latency;
mod layout;
mod lexicon;
mod log;
mod plain;
mod poll;
mod prepare;
mod prometheus;
mod queues;
mod screen;
mod status;
mod submit;
mod taken;
mod tick;
mod ticket;
mod told;
mod update;
mod values;

pub use builder::{EngineBuilder, THREADS_MAX};
pub use layout::TicketLayout;
#[cfg(all(feature = "capi", not(loom)))]
pub(crate) use prometheus::prometheus_text;

use crate::base::board::Helper;
use crate::base::mirror::Mirror;
use crate::base::sync::Ordering;
use crate::claim::commit::WordState;
use crate::model::buffer::EventBuffer;
use crate::model::codes::{Code, EndReason, Refusal};
use crate::model::event::Event;
use crate::model::ids::{MatchId, Millis, PlayerId, QueueId, TicketId};
use crate::model::limits::TIME_MS_MAX;
use crate::model::request::{PlayerRequest, TicketRequest, TicketUpdate};
use crate::model::status::{Stats, TickReport, TicketStatus};
use crate::queue::stats::Accounts;
use crate::rules::spec::QueueSpec;
use crate::simd::Simd;
use door::{Door, closed};
use log::Turn;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use tick::TickState;

/// The matchmaking engine. All calls take `&self`.
///
/// Any thread may make any call at any time, one thread at a time `tick`. Calls on tickets (submit, join, cancel,
/// leave, update, requeue, poll, ticket, stats) take no lock: they wait neither for a tick nor for one another,
/// wherever another thread may have been stopped (unless a record is kept: see the builder). Calls that add, remove
/// or suspend queues take turns among themselves; `close` waits for a running tick. Every call that carries a time
/// moves engine time on to it, never back, and refuses with INVALID_TIME what is beyond 2^52 ms; once closed the
/// engine refuses it with ENGINE_CLOSED. A refused call has changed nothing else.
///
/// ```
/// use evenmatch::{Engine, Event, Millis, PlayerId, PlayerRequest, QueueSpec, TicketRequest};
///
/// let engine = Engine::builder().capacity(1_000).build()?;
/// engine.add_queue(QueueSpec::new("duel", 2, 2))?;
/// for id in [1, 2] {
///     let player = PlayerRequest::new(PlayerId(id));
///     engine.submit(Millis(0), TicketRequest::new("duel").player(player))?;
/// }
/// engine.tick(Millis(0), 0)?;
/// let mut events = Vec::new();
/// assert_eq!(engine.poll(&mut events, 10), 1);
/// assert!(matches!(events[0], Event::Match(_)));
/// # Ok::<(), evenmatch::Refusal>(())
/// ```
pub struct Engine {
    door: Door,
    tick: Mutex<TickState>,
    accounts: Mirror<Accounts>,
    search_nodes: u32,
    helper: Helper,
}

impl Engine {
    /// Starts to build an engine. Any thread.
    pub fn builder() -> EngineBuilder {
        EngineBuilder::default()
    }

    /// Adds a queue, which takes tickets at once.
    ///
    /// Any thread. Errors: INVALID_QUEUE with every fault in the detail, QUEUE_EXISTS, TOO_MANY_QUEUES,
    /// ENGINE_CLOSED.
    pub fn add_queue(&self, spec: QueueSpec) -> Result<QueueId, Refusal> {
        let _turn = self.door.turn();
        self.door.add_queue(spec)
    }

    /// The queue of that name, if there is one now. Any thread.
    pub fn queue(&self, name: &str) -> Option<QueueId> {
        self.door.queues.named(name).map(|queue| queue.id)
    }

    /// Stops a queue: submits are refused at once; from the next tick on its tickets stay, age and expire,
    /// but are not matched.
    ///
    /// Any thread. Errors: UNKNOWN_QUEUE, INVALID_TIME, ENGINE_CLOSED.
    pub fn suspend_queue(&self, now: Millis, queue: QueueId) -> Result<(), Refusal> {
        let _turn = self.door.turn();
        self.door.set_suspended(now, queue, true)
    }

    /// Opens a suspended queue again: submits are accepted at once, matches are made from the next tick on.
    ///
    /// Any thread. Errors: UNKNOWN_QUEUE, INVALID_TIME, ENGINE_CLOSED.
    pub fn resume_queue(&self, now: Millis, queue: QueueId) -> Result<(), Refusal> {
        let _turn = self.door.turn();
        self.door.set_suspended(now, queue, false)
    }

    /// Removes a queue: its tickets end with QUEUE_REMOVED at the next tick. Its name is free at once.
    ///
    /// Any thread. Errors: UNKNOWN_QUEUE, INVALID_TIME, ENGINE_CLOSED.
    pub fn remove_queue(&self, now: Millis, queue: QueueId) -> Result<(), Refusal> {
        let _turn = self.door.turn();
        self.door.remove_queue(now, queue)
    }

    /// Submits one ticket: a batch of one. The next tick takes it in.
    ///
    /// Any thread. Cost: linear in the ticket's players and their values. Errors, checked in this order:
    /// UNKNOWN_QUEUE, QUEUE_SUSPENDED, QUEUE_FULL; of the ticket's players NO_PLAYERS, TOO_MANY_PLAYERS,
    /// DUPLICATE_PLAYER, PARTY_TOO_LARGE; of their attributes TOO_MANY_ATTRIBUTES, DUPLICATE_NAME,
    /// UNKNOWN_ATTRIBUTE, WRONG_TYPE, OUT_OF_RANGE, TOO_MANY_VALUES, TOO_MANY_BYTES; of its times
    /// OUT_OF_RANGE (a timeout of 0), INVALID_TIME; of its latency and allowed regions UNKNOWN_REGION,
    /// TOO_MANY_REGIONS, MISSING_LATENCY and the codes of names and numbers above; of its limits the same;
    /// then MISSING_ATTRIBUTE, UNMATCHABLE with its reason, and last PLAYER_ALREADY_QUEUED, which names the
    /// ticket (where a player may stand in several queues: the one in this queue).
    pub fn submit(&self, now: Millis, request: TicketRequest) -> Result<TicketId, Refusal> {
        let (_turn, now) = self.enter(now)?;
        self.door.submit(now, request)
    }

    /// Submits tickets in order; each is accepted or refused by itself, as by `submit`, and those accepted
    /// are published at once. One answer for each request, in their order. Any thread.
    pub fn submit_batch(&self, now: Millis, requests: Vec<TicketRequest>) -> Vec<Result<TicketId, Refusal>> {
        let mut answers = Vec::with_capacity(requests.len());
        match self.enter(now) {
            Ok((_turn, now)) => {
                self.door.submit_all(now, requests.into_iter(), |answer| answers.push(answer))
            }
            Err(refusal) => answers.resize(requests.len(), Err(refusal)),
        }
        answers
    }

    /// Lets a player join a forming ticket that awaits him; says how many members are still to join. With the last
    /// one the ticket's wait begins, with a submit number of that moment; its timeout counts from its creation.
    ///
    /// Any thread. Errors: NOT_FOUND (no such ticket is forming, or it does not await the player), ALREADY_MATCHED, and as
    /// submit for what the player brings; a refused call changes nothing, and the player may join again.
    pub fn join(&self, now: Millis, ticket: TicketId, player: PlayerRequest) -> Result<usize, Refusal> {
        let (_turn, now) = self.enter(now)?;
        self.door.join(now, ticket, player)
    }

    /// Takes a ticket out: it ends with CANCELLED at this call's time.
    ///
    /// Any thread, also while a tick looks at the ticket: then one of the two is first. Errors:
    /// ALREADY_MATCHED (names the match, also one that the running tick has not handed over), NOT_FOUND
    /// (also: ended before), INVALID_TIME, ENGINE_CLOSED.
    pub fn cancel(&self, now: Millis, ticket: TicketId) -> Result<(), Refusal> {
        let (_turn, now) = self.enter(now)?;
        self.door.end(ticket, EndReason::Cancelled, now)
    }

    /// Takes the player's ticket out whole (PARTY_MEMBER_LEFT for a party, CANCELLED for a single player) and
    /// says which it was; where a player may stand in several queues, all of his tickets, the oldest first, which
    /// it names.
    ///
    /// Any thread. Errors: NOT_FOUND (the player is in no live ticket), ALREADY_MATCHED (by a tick that still
    /// runs; his other tickets are over then, too), INVALID_TIME, ENGINE_CLOSED.
    pub fn leave(&self, now: Millis, player: PlayerId) -> Result<TicketId, Refusal> {
        let (_turn, now) = self.enter(now)?;
        self.door.leave(now, player, None)
    }

    /// Takes one ticket of the player out whole, as `leave` does with all of them.
    ///
    /// Any thread. Errors: NOT_FOUND (no such ticket waits with that player in it), and those of `leave`.
    pub fn leave_ticket(&self, now: Millis, player: PlayerId, ticket: TicketId) -> Result<(), Refusal> {
        let (_turn, now) = self.enter(now)?;
        self.door.leave(now, player, Some(ticket)).map(drop)
    }

    /// Changes a waiting ticket from the next tick on; refused whole, checked as at submit. If a running tick
    /// takes the ticket first, the match stands and its event says `update_lost`.
    ///
    /// Any thread. Errors: NOT_FOUND (no such ticket waits, or a player is not in it), ALREADY_MATCHED (names
    /// the match), and those of `submit` from the attributes on, UNMATCHABLE included.
    pub fn update(&self, now: Millis, ticket: TicketId, update: TicketUpdate) -> Result<(), Refusal> {
        let (_turn, now) = self.enter(now)?;
        self.door.update(now, ticket, &update)
    }

    /// Puts tickets of a match that came to nothing back, as new tickets with their old enqueue times and
    /// submit numbers and one attempt more.
    ///
    /// Any thread. The match is retained as long as its oldest ticket is. Errors: NOT_FOUND if it no longer
    /// is, INVALID_TIME, ENGINE_CLOSED; else one answer for each ticket, in their order: the new id,
    /// SUPERSEDED if a player has another live ticket by now (named; where a player may stand in several queues, one
    /// in the same queue), NOT_FOUND for a ticket that is not of
    /// the match or no longer retained, or a code of `submit`.
    pub fn requeue(
        &self,
        now: Millis,
        of: MatchId,
        tickets: &[TicketId],
    ) -> Result<Vec<Result<TicketId, Refusal>>, Refusal> {
        let (_turn, now) = self.enter(now)?;
        let retained = self.door.ticket(of.0).is_some_and(|ticket| ticket.is_over());
        if !(retained && self.door.claims.state(of.0) == WordState::Matched(of)) {
            return Err(Refusal::new(Code::NotFound, "the match is no longer retained"));
        }
        Ok(tickets.iter().map(|&ticket| self.door.requeue(now, of, ticket)).collect())
    }

    /// Says that a region is up or down, for all queues, from the next tick on. Down ends nobody: its tickets
    /// wait. Regions that were never named are up.
    ///
    /// Any thread. Errors: TOO_MANY_BYTES (the name), TOO_MANY_REGIONS (down at once), INVALID_TIME,
    /// ENGINE_CLOSED.
    pub fn set_region(&self, now: Millis, region: &str, up: bool) -> Result<(), Refusal> {
        let _turn = self.door.turn();
        self.door.set_region(now, region, up)
    }

    /// Takes all inputs in, ends what has timed out, and runs one matching pass for `now`. `budget`: steps
    /// (candidates looked at) after which the pass stops, to go on at the next tick; 0: no limit.
    ///
    /// One thread at a time, with `explain` too: a second one is refused with BUSY and does not wait. Other errors: INVALID_TIME,
    /// ENGINE_CLOSED (also: an earlier tick panicked, which only a fault of the engine can bring about).
    pub fn tick(&self, now: Millis, budget: u64) -> Result<TickReport, Refusal> {
        let mut state = self.take_tick()?;
        state.run(&self.door, &self.accounts, now, budget, None)
    }

    /// As `tick`, for the replay of a record: calls `meet` before each claim of the tick (a match that is to be made, a
    /// ticket whose time is up) with the number of claims so far, and with `u64::MAX` behind the last one. A `cancel`
    /// or `leave` whose line says `in_tick` is to be called there, once that number is reached: then it meets the tick
    /// where it met the recorded one.
    ///
    /// One thread at a time, `meet` in the same thread; within it a tick or an explain is refused with BUSY. Errors:
    /// those of `tick`.
    pub fn tick_meeting(
        &self,
        now: Millis,
        budget: u64,
        meet: &mut dyn FnMut(u64),
    ) -> Result<TickReport, Refusal> {
        let mut state = self.take_tick()?;
        state.run(&self.door, &self.accounts, now, budget, Some(meet))
    }

    /// Lends the calling thread to the tick that runs in another: it searches until that tick has no more to
    /// search. Returns whether there was something to do; at once and `false` where no tick is searching.
    ///
    /// Any thread, any number of them; up to 56 take part. The tick waits for none that has not begun a search;
    /// one that has, and that the system stops there, delays the tick, and no other call. What comes out is the
    /// same with and without help. Panics if a search does, which only a fault of the engine can bring about.
    pub fn help(&self) -> bool {
        self.helper.help()
    }

    /// The earliest time at which a tick could change anything without new input, always after the engine's
    /// current time; `None`: never, or the engine is closed. Input that no tick has taken in (a submit, an
    /// update, ..) is due 1 ms after the current time. Never beyond the greatest time, 2^52 ms.
    ///
    /// Any thread. While a tick runs the answer is that of the tick before.
    pub fn next_due(&self) -> Option<Millis> {
        let door = &self.door;
        if door.is_closed() {
            return None;
        }
        let soon = door.now().after(Millis(1)).min(Millis(TIME_MS_MAX));
        if !door.ingress.is_empty() {
            return Some(soon);
        }
        let due = door.due.load(Ordering::Relaxed);
        (due != u64::MAX).then(|| Millis(due).max(soon))
    }

    /// Moves up to `max` terminal events into `out` (appended), in order; returns how many. A ticket whose
    /// event has been polled is retained; the slot of the oldest retained one is free again when they are too
    /// many.
    ///
    /// Any thread, also once closed; two threads that poll at once share the events between them. Cost:
    /// linear in the events and in the players of matches.
    pub fn poll(&self, out: &mut Vec<Event>, max: usize) -> usize {
        self.door.poll(out, max)
    }

    /// As `poll`, into flat arrays that are used again (appended): nothing is allocated for an event once they are large
    /// enough, but for undeclared attributes that a queue keeps.
    pub fn poll_into(&self, out: &mut EventBuffer, max: usize) -> usize {
        self.door.poll_into(out, max)
    }

    /// One ticket, live or retained, at the engine's current time. Any thread, also once closed. Errors:
    /// NOT_FOUND.
    pub fn ticket(&self, ticket: TicketId) -> Result<TicketStatus, Refusal> {
        self.door.ticket_status(ticket)
    }

    /// The live ticket of a player, one that a running tick has matched but not yet handed over included; of
    /// several, in several queues, the oldest. Any thread.
    pub fn ticket_of(&self, player: PlayerId) -> Option<TicketId> {
        self.door.tickets_of(player).first().copied()
    }

    /// The live tickets of a player, oldest first: at most one, or one in each queue where the builder allows
    /// several; those of removed queues, which the next tick ends, are then left out.
    ///
    /// Any thread. Cost: linear in the queues, where a player may stand in several.
    pub fn tickets_of(&self, player: PlayerId) -> Vec<TicketId> {
        self.door.tickets_of(player)
    }

    /// Ends every ticket with ENGINE_CLOSED, at once. From then on `poll`, `ticket`, `stats`, `queue` and
    /// `ticket_of` answer as before, `next_due` says never, and all other calls are refused with
    /// ENGINE_CLOSED.
    ///
    /// Any thread. Waits for the end of a running tick, whose matches stand. Errors: INVALID_TIME,
    /// ENGINE_CLOSED (closed before).
    pub fn close(&self, now: Millis) -> Result<(), Refusal> {
        let now = self.door.enter(now)?;
        if !self.door.close() {
            return Err(closed());
        }
        // A running tick ends first: what it has committed stays.
        let mut state = self.tick.lock().unwrap_or_else(PoisonError::into_inner);
        state.close(&self.door, now);
        Ok(())
    }

    /// The instruction set that the searches use; never `Auto`. Any thread, also once closed.
    pub fn simd(&self) -> Simd {
        self.door.kernels.simd()
    }

    /// Counts since the start, within the sliding window, and now. Any thread, also once closed. What waits is as of
    /// now, what the window holds as of the last tick. Cost: every slot is looked at once; not meant for every frame.
    pub fn stats(&self) -> Stats {
        let mut stats = self.door.stats();
        stats.search_nodes = self.search_nodes;
        stats.retired_slots = self.door.claims.retired();
        self.accounts.read(|accounts| accounts.fill(&mut stats));
        stats
    }

    /// What a tick holds; BUSY while one runs, ENGINE_CLOSED after one that panicked.
    fn take_tick(&self) -> Result<MutexGuard<'_, TickState>, Refusal> {
        match self.tick.try_lock() {
            Ok(state) => Ok(state),
            Err(TryLockError::WouldBlock) => {
                Err(Refusal::new(Code::Busy, "a tick is running, call again when it has ended"))
            }
            Err(TryLockError::Poisoned(poisoned)) => {
                drop(poisoned);
                Err(Refusal::new(Code::EngineClosed, "an earlier tick panicked; make a new engine"))
            }
        }
    }

    /// Begins a call that changes anything: its turn, if calls take turns, and its time.
    fn enter(&self, now: Millis) -> Result<(Turn<'_>, Millis), Refusal> {
        let turn = self.door.turn();
        Ok((turn, self.door.enter(now)?))
    }
}
