//! L7: the door. Hosts submit, cancel, update and poll here; a tick runs from here.

use crate::model::codes::Refusal;
use crate::model::event::Event;
use crate::model::ids::{MatchId, Millis, PlayerId, QueueId, TicketId};
use crate::model::request::{TicketRequest, TicketUpdate};
use crate::model::status::{Stats, TickReport, TicketStatus};
use crate::rules::spec::QueueSpec;

/// Says how large an engine may grow and how it behaves; every maximum is stated here.
#[derive(Clone, Debug)]
pub struct EngineBuilder {
    capacity: u32,
    retained: Option<u32>,
    check_matches: bool,
}

impl EngineBuilder {
    /// Tickets that may live, or wait to be polled, at once: 1 to 2^26 less the retained ones. Default 1,000,000.
    pub fn capacity(mut self, tickets: u32) -> EngineBuilder {
        self.capacity = tickets;
        self
    }

    /// Ended tickets that are kept after they have been polled, for `ticket` and `requeue`. Default: a quarter
    /// of the capacity.
    pub fn retained(mut self, tickets: u32) -> EngineBuilder {
        self.retained = Some(tickets);
        self
    }

    /// Whether the independent judge looks at every match before it is released; a match that it refuses is a
    /// fault of the engine and stops the tick with a panic. Default: off.
    pub fn check_matches(mut self, on: bool) -> EngineBuilder {
        self.check_matches = on;
        self
    }

    /// Makes the engine. Errors: OUT_OF_RANGE for a capacity of 0 or one beyond the maximum.
    pub fn build(self) -> Result<Engine, Refusal> {
        todo!()
    }
}

/// The matchmaking engine. All calls take `&self` and may come from any thread; `tick` one at a time.
pub struct Engine {}

impl Engine {
    /// Starts to build an engine.
    pub fn builder() -> EngineBuilder {
        EngineBuilder { capacity: 1_000_000, retained: None, check_matches: false }
    }

    /// Adds a queue. Errors: INVALID_QUEUE with every fault in the detail, QUEUE_EXISTS, TOO_MANY_QUEUES,
    /// ENGINE_CLOSED.
    pub fn add_queue(&self, spec: QueueSpec) -> Result<QueueId, Refusal> {
        todo!()
    }

    /// The queue of that name.
    pub fn queue(&self, name: &str) -> Option<QueueId> {
        todo!()
    }

    /// Stops a queue: submits are refused at once, its tickets stay, age and expire, but are not matched.
    pub fn suspend_queue(&self, now: Millis, queue: QueueId) -> Result<(), Refusal> {
        todo!()
    }

    /// Opens a suspended queue again.
    pub fn resume_queue(&self, now: Millis, queue: QueueId) -> Result<(), Refusal> {
        todo!()
    }

    /// Removes a queue: its tickets end with QUEUE_REMOVED at the next tick. Its name is free at once.
    pub fn remove_queue(&self, now: Millis, queue: QueueId) -> Result<(), Refusal> {
        todo!()
    }

    /// Submits one ticket: a batch of one.
    pub fn submit(&self, now: Millis, request: TicketRequest) -> Result<TicketId, Refusal> {
        todo!()
    }

    /// Submits tickets in order; each is accepted or refused by itself, and those accepted are published at once.
    pub fn submit_batch(&self, now: Millis, requests: Vec<TicketRequest>) -> Vec<Result<TicketId, Refusal>> {
        todo!()
    }

    /// Takes a ticket out. Errors: ALREADY_MATCHED (names the match), NOT_FOUND (also: ended before).
    pub fn cancel(&self, now: Millis, ticket: TicketId) -> Result<(), Refusal> {
        todo!()
    }

    /// Takes the player's ticket out whole (PARTY_MEMBER_LEFT for a party, CANCELLED for a single player) and
    /// says which it was.
    /// Errors: NOT_FOUND; ALREADY_MATCHED.
    pub fn leave(&self, now: Millis, player: PlayerId) -> Result<TicketId, Refusal> {
        todo!()
    }

    /// Changes a waiting ticket from the next tick on; refused whole, checked as at submit.
    pub fn update(&self, now: Millis, ticket: TicketId, update: TicketUpdate) -> Result<(), Refusal> {
        todo!()
    }

    /// Puts tickets of a match that came to nothing back, with their old enqueue times and submit numbers.
    /// Errors: NOT_FOUND if the match is no longer retained; one answer a ticket else (SUPERSEDED, NOT_FOUND, or
    /// as submit).
    pub fn requeue(
        &self,
        now: Millis,
        of: MatchId,
        tickets: &[TicketId],
    ) -> Result<Vec<Result<TicketId, Refusal>>, Refusal> {
        todo!()
    }

    /// Says that a region is up or down, for all queues, from the next tick on. Down ends nobody.
    pub fn set_region(&self, now: Millis, region: &str, up: bool) -> Result<(), Refusal> {
        todo!()
    }

    /// Runs one matching pass for `now`. `budget`: steps (candidates looked at) after which the pass stops and
    /// goes on at the next tick; 0: no limit. Errors: BUSY, INVALID_TIME, ENGINE_CLOSED.
    pub fn tick(&self, now: Millis, budget: u64) -> Result<TickReport, Refusal> {
        todo!()
    }

    /// The earliest time at which a tick could change anything without new input; `None`: never.
    /// Pending input (a submit, an update, ..) is due at once: the engine's current time plus 1 ms at the latest.
    pub fn next_due(&self) -> Option<Millis> {
        todo!()
    }

    /// Moves up to `max` terminal events into `out` (appended), in order; returns how many.
    pub fn poll(&self, out: &mut Vec<Event>, max: usize) -> usize {
        todo!()
    }

    /// One ticket, live or retained. Errors: NOT_FOUND.
    pub fn ticket(&self, ticket: TicketId) -> Result<TicketStatus, Refusal> {
        todo!()
    }

    /// The live ticket of a player.
    pub fn ticket_of(&self, player: PlayerId) -> Option<TicketId> {
        todo!()
    }

    /// Ends every ticket with ENGINE_CLOSED; from then on all calls but `poll`, `ticket` and `stats` answer
    /// ENGINE_CLOSED.
    pub fn close(&self, now: Millis) -> Result<(), Refusal> {
        todo!()
    }

    /// Counts since the start, and now.
    pub fn stats(&self) -> Stats {
        todo!()
    }
}
