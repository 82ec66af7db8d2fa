//! The record: what hosts have asked, as lines of a trace that bring about the same events again.
//!
//! Written by the tick, which takes the calls in their order, and taken by the host from any thread. Off unless the
//! builder asks for it; then each call is kept until `record` is called. Calls that were refused changed nothing
//! and are left out. Invariant: lines stand in the order in which their calls took effect, with times that never
//! decrease.
//!
//! While a record is kept, calls that change anything take turns, so that their order in the record is the one in
//! which they took effect, also where two threads call at the same time. A tick takes such a turn for its cut, and
//! for each of its claims: a cancel that met the running tick and won over it stands before the tick's line, as the
//! tick went on without the ticket; whatever else came meanwhile stands behind it. Until the tick tries to claim the
//! ticket its searches see it all the same, so the line of such a cancel also says behind how many of the tick's
//! claims it came, and a replay cancels at that place (`Engine::tick_meeting`). One thing such a meeting leaves
//! different in a replay: an update that the tick was too late for is lost in the first run only.

use super::Engine;
use super::calls::{Call, Departed, Origin};
use super::door::Door;
use super::ticket::Version;
use crate::base::ingress::Ingress;
use crate::base::sync::{AtomicBool, AtomicU32, Ordering, pause};
use crate::claim::commit::WordState;
use crate::config::trace::{
    QueueState, TraceAction, TraceJoin, TraceLine, TracePlayer, TraceSubmit, TraceUpdate,
};
use crate::config::write::{Names, write_trace_line};
use crate::model::codes::{EndReason, Refusal};
use crate::model::ids::{MatchId, Millis, PlayerId, TicketId};
use crate::queue::elsewhere::InTurn;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a line tells; tickets by the id that they had first.
enum Told {
    Submit(TicketId, Arc<Version>),
    Join(TicketId, Arc<Version>),
    /// A cancel, and the claims of the tick that it met.
    Cancel(TicketId, Option<u64>),
    /// A player left; of several tickets that he may have, this one; and the claims of the tick that it met.
    Leave(PlayerId, Option<TicketId>, Option<u64>),
    Update(TicketId, Arc<Version>),
    Requeue(MatchId, TicketId),
    Region(Box<str>, bool),
    Queue(Arc<str>, QueueState),
    Tick(u64),
    Note(Box<str>),
}

/// A line of the record.
type LogLine = (Millis, Told);

/// The tick's side of the record.
#[derive(Default)]
pub(super) struct Log {
    last: Millis,
    /// Tickets whose cancel stands in the record already.
    told: BTreeSet<TicketId>,
}

impl Log {
    fn write(&mut self, record: &Record, at: Millis, told: Told) {
        self.last = self.last.max(at);
        record.lines.push((self.last, told));
    }

    /// Writes the line of a call.
    pub(super) fn call(&mut self, door: &Door, at: Millis, call: &Call) {
        let Some(record) = &door.record else { return };
        if changed(call).is_some_and(|id| self.is_over(door, id)) {
            return;
        }
        let told = match call {
            // While a record is kept no ticket is plain.
            Call::AddQueue(_) | Call::Come(_) => return,
            Call::RemoveQueue(queue) => Told::Queue(Arc::clone(&queue.name), QueueState::Removed),
            Call::SuspendQueue(queue, true) => Told::Queue(Arc::clone(&queue.name), QueueState::Suspended),
            Call::SuspendQueue(queue, false) => Told::Queue(Arc::clone(&queue.name), QueueState::Open),
            Call::SetRegion(name, up) => Told::Region(name.clone(), *up),
            Call::Note(json) => Told::Note(json.clone()),
            Call::Arrive(arrived) => match arrived.from {
                Origin::Submit => Told::Submit(arrived.id, Arc::clone(&arrived.version)),
                Origin::Join => Told::Join(arrived.id, Arc::clone(&arrived.version)),
                Origin::Match { of, with_update, first_id, .. } => {
                    self.write(record, at, Told::Requeue(of, first_id));
                    if !with_update {
                        return;
                    }
                    Told::Update(first_id, Arc::clone(&arrived.version))
                }
            },
            Call::Form(id, version) if version.number == 0 => Told::Submit(*id, Arc::clone(version)),
            Call::Form(id, version) => Told::Update(*id, Arc::clone(version)),
            Call::Join(id, version) => Told::Join(*id, Arc::clone(version)),
            Call::Update(id, changed) => Told::Update(first_id(door, *id), Arc::clone(&changed.0)),
            Call::Leave(id, reason, departed) => {
                let Some(departed) = departed else { return };
                if self.told.remove(id) || *reason == EndReason::EngineClosed {
                    return;
                }
                told_of(door, *reason, &Departed { in_tick: None, ..**departed })
            }
        };
        self.write(record, at, told);
    }

    /// Writes the cancels that the running tick has met, and then its own line.
    pub(super) fn tick(
        &mut self,
        door: &Door,
        at: Millis,
        budget: u64,
        cancels: impl Iterator<Item = (Millis, TicketId, EndReason, Departed)>,
    ) {
        let Some(record) = &door.record else { return };
        for (called, id, reason, departed) in cancels {
            if reason != EndReason::EngineClosed && self.told.insert(id) {
                self.write(record, called.min(at), told_of(door, reason, &departed));
            }
        }
        self.write(record, at, Told::Tick(budget));
    }

    /// Whether a ticket was over before the calls that are being taken in: by an earlier tick, or by a cancel that
    /// stands in the record. One that was cancelled since is still there.
    fn is_over(&self, door: &Door, id: TicketId) -> bool {
        match door.claims.state(id) {
            WordState::Unpublished | WordState::Queued => false,
            WordState::Ended => self.told.contains(&id) || door.is_ended_by_tick(id),
            WordState::Matched(_) | WordState::NotFound => true,
        }
    }
}

/// The ticket that a call changes. Once that is over the call has had no effect.
fn changed(call: &Call) -> Option<TicketId> {
    match call {
        Call::Update(id, ..) | Call::Join(id, _) => Some(*id),
        Call::Form(id, version) => (version.number > 0).then_some(*id),
        Call::Arrive(arrived) => matches!(arrived.from, Origin::Join).then_some(arrived.id),
        _ => None,
    }
}

/// The id that a ticket had first.
fn first_id(door: &Door, id: TicketId) -> TicketId {
    door.ticket(id).and_then(|ticket| ticket.rare.get().map(|rare| rare.first_id)).unwrap_or(id)
}

/// The line of a ticket that its host ended.
fn told_of(door: &Door, reason: EndReason, departed: &Departed) -> Told {
    let Departed { first_id, player, in_tick } = *departed;
    let claims = in_tick.map(u64::from);
    match player {
        Some(player) if reason == EndReason::PartyMemberLeft => {
            Told::Leave(player, door.many_queues.then_some(first_id), claims)
        }
        _ => Told::Cancel(first_id, claims),
    }
}

impl Engine {
    /// Takes what has been recorded since the last call, as lines of a trace, each with its line feed, and appends
    /// them to `out`; says how many. `names` names tickets and players as it does for events; a ticket that was put
    /// back keeps the name of the first one. Replaying the lines, at the recorded ticks and with the same queues
    /// given at the start, brings about the same events (but an update that the tick was too late for is told as lost
    /// in the first run only).
    ///
    /// Any thread; while a record is kept, calls that change anything wait for one another. A call stands in the
    /// record once a tick has taken it in. Nothing is recorded unless the builder's `record` is on; then lines are
    /// kept until they are taken, about as much memory as the requests themselves. Calls that were refused are left
    /// out, and queues that are added later have no line.
    pub fn record(&self, names: &impl Names, out: &mut String) -> usize {
        let mut lines = Vec::new();
        if let Some(record) = &self.door.record {
            record.lines.take(&mut lines);
        }
        for (at, told) in &lines {
            let action = action(told, names);
            out.push_str(&write_trace_line(&TraceLine { at: *at, action }));
            out.push('\n');
        }
        lines.len()
    }

    /// Puts a note of the host's into the record, as a line of its own behind the calls before: the text of a JSON
    /// object. It is written as it is, so it must be one, without a line break.
    ///
    /// Any thread. Errors: INVALID_TIME, ENGINE_CLOSED.
    pub fn note(&self, now: Millis, json: &str) -> Result<(), Refusal> {
        let (_turn, now) = self.enter(now)?;
        if self.door.record.is_some() {
            self.door.ingress.push((now, Call::Note(json.into())));
        }
        Ok(())
    }
}

fn action(told: &Told, names: &impl Names) -> TraceAction {
    let ticket = |id: TicketId| names.ticket(id).into_owned();
    match told {
        Told::Submit(id, version) => {
            TraceAction::Submit(Box::new(TraceSubmit::recorded(&version.request, ticket(*id), names)))
        }
        Told::Join(id, version) => {
            // The one who joins stands last.
            let player = version.request.players.last().map(|player| TracePlayer::recorded(player, names));
            let player = player.unwrap_or_default();
            TraceAction::Join(Box::new(TraceJoin { ticket: ticket(*id), player }))
        }
        Told::Cancel(id, in_tick) => TraceAction::Cancel { ticket: ticket(*id), in_tick: *in_tick },
        Told::Leave(player, id, in_tick) => {
            let player = names.player(*player).into_owned();
            TraceAction::Leave { player, ticket: id.map(ticket), in_tick: *in_tick }
        }
        Told::Update(id, version) => {
            TraceAction::Update(Box::new(TraceUpdate::recorded(&version.request, ticket(*id), names)))
        }
        Told::Requeue(of, id) => {
            let match_name = names.match_name(*of).into_owned();
            TraceAction::Requeue { match_name, tickets: vec![ticket(*id)] }
        }
        Told::Region(name, up) => TraceAction::Region { name: name.to_string(), up: *up },
        Told::Queue(name, state) => TraceAction::Queue { name: name.to_string(), state: *state },
        Told::Tick(budget) => TraceAction::Tick { budget: *budget },
        Told::Note(json) => TraceAction::Note { json: json.to_string() },
    }
}

/// A record that is being kept.
#[derive(Default)]
pub(super) struct Record {
    /// The lines that have not been taken.
    lines: Ingress<LogLine>,
    /// Whose turn it is.
    turn: Mutex<()>,
    /// The tick waits for its turn: calls let it go first, as it takes one for each claim and a lock is not fair. Relaxed:
    /// a hint.
    tick_waits: AtomicBool,
    /// Claims that the running tick has made. Relaxed: read and written in turns.
    claims_made: AtomicU32,
}

impl Record {
    fn lock(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The turn of a call.
    fn call_turn(&self) -> MutexGuard<'_, ()> {
        let mut turns = 0;
        loop {
            let turn = self.lock();
            if !self.tick_waits.load(Ordering::Relaxed) {
                return turn;
            }
            drop(turn);
            pause(turns);
            turns += 1;
        }
    }

    /// The turn of the tick.
    fn tick_turn(&self) -> MutexGuard<'_, ()> {
        self.tick_waits.store(true, Ordering::Relaxed);
        let turn = self.lock();
        self.tick_waits.store(false, Ordering::Relaxed);
        turn
    }

    /// How many claims the running tick has made, for the call whose turn it is.
    pub(super) fn claims_made(&self) -> u32 {
        self.claims_made.load(Ordering::Relaxed)
    }

    /// A tick begins, or has made another claim; it has the turn.
    pub(super) fn set_claims_made(&self, claims: u32) {
        self.claims_made.store(claims, Ordering::Relaxed);
    }
}

/// A tick's claims, in turn with the calls that it meets.
pub(super) struct ClaimTurns<'a> {
    door: &'a Door,
    made: Cell<u32>,
    /// Called before each claim with how many there were, in a replay.
    meet: RefCell<Option<&'a mut dyn FnMut(u64)>>,
}

impl<'a> ClaimTurns<'a> {
    /// Turns of a tick that has made no claim.
    pub(super) fn new(door: &'a Door, meet: Option<&'a mut dyn FnMut(u64)>) -> ClaimTurns<'a> {
        ClaimTurns { door, made: Cell::new(0), meet: RefCell::new(meet) }
    }

    /// `None` where nobody asks for the order of claims.
    pub(super) fn kept(&self) -> Option<&dyn InTurn> {
        let is_kept = self.door.record.is_some() || self.meet.borrow().is_some();
        is_kept.then_some(self as &dyn InTurn)
    }

    /// Lets in what comes behind so many claims.
    pub(super) fn let_in(&self, claims: u64) {
        if let Some(meet) = &mut *self.meet.borrow_mut() {
            meet(claims);
        }
    }
}

impl InTurn for ClaimTurns<'_> {
    fn claim(&self, claim: &mut dyn FnMut()) {
        let made = self.made.get();
        self.let_in(u64::from(made));
        let _turn = self.door.tick_turn();
        self.made.set(made + 1);
        if let Some(record) = &self.door.record {
            record.set_claims_made(made + 1);
        }
        claim();
    }
}

/// A call's turn, if a record is kept.
pub(super) type Turn<'a> = Option<MutexGuard<'a, ()>>;

impl Door {
    /// What the record says of a ticket whose claim the caller has ended, and whose event is not queued yet.
    pub(super) fn departed(&self, id: TicketId, in_tick: Option<u32>) -> Departed {
        let player = self.ticket(id).and_then(|ticket| self.told(&ticket).players().next());
        Departed { first_id: first_id(self, id), player, in_tick }
    }

    /// Waits for the turn of a call that changes anything, if a record is kept.
    pub(super) fn turn(&self) -> Turn<'_> {
        self.record.as_ref().map(Record::call_turn)
    }

    /// The same for the tick, which goes before all calls that wait.
    pub(super) fn tick_turn(&self) -> Turn<'_> {
        self.record.as_ref().map(Record::tick_turn)
    }
}
