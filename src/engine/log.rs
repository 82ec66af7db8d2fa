//! The record: what hosts have asked, as lines of a trace that bring about the same events again.
//!
//! Written by the tick, which takes the calls in their order, and taken by the host from any thread. Off unless the
//! builder asks for it; then each call is kept until `record` is called. Calls that were refused changed nothing
//! and are left out. Invariant: lines stand in the order in which their calls took effect, with times that never
//! decrease.
//!
//! While a record is kept, calls that change anything take turns, so that their order in the record is the one in
//! which they took effect, also where two threads call at the same time. A tick takes such a turn only for its cut:
//! a cancel that met the running tick and won over it comes before the cut and stands before the tick's line, as
//! the tick went on without the ticket; whatever else came meanwhile stands behind it. Two things such a meeting may
//! leave different in a replay: an update that the tick was too late for is lost in the first run only, and a search
//! that met the cancel has taken more steps, so a step budget, or its own limit, may stop it elsewhere.

use super::Engine;
use super::calls::{Call, Origin};
use super::door::Door;
use super::ticket::Version;
use crate::base::ingress::Ingress;
use crate::claim::commit::WordState;
use crate::config::trace::{
    QueueState, TraceAction, TraceJoin, TraceLine, TracePlayer, TraceSubmit, TraceUpdate,
};
use crate::config::write::{Names, write_trace_line};
use crate::model::codes::{EndReason, Refusal};
use crate::model::ids::{MatchId, Millis, PlayerId, TicketId};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a line tells; tickets by the id that they had first.
enum Told {
    Submit(TicketId, Arc<Version>),
    Join(TicketId, Arc<Version>),
    Cancel(TicketId),
    /// A player left; of several tickets that he may have, this one.
    Leave(PlayerId, Option<TicketId>),
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
        let first_id = |id: TicketId| first_id(door, id);
        if changed(call).is_some_and(|id| door.claims.state(id) != WordState::Queued) {
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
                Origin::Match { of, with_update, .. } => {
                    let first = first_id(arrived.id);
                    self.write(record, at, Told::Requeue(of, first));
                    if !with_update {
                        return;
                    }
                    Told::Update(first, Arc::clone(&arrived.version))
                }
            },
            Call::Form(id, version) if version.number == 0 => Told::Submit(*id, Arc::clone(version)),
            Call::Form(id, version) => Told::Update(*id, Arc::clone(version)),
            Call::Join(id, version) => Told::Join(*id, Arc::clone(version)),
            Call::Update(id, changed) => Told::Update(first_id(*id), Arc::clone(&changed.0)),
            Call::Leave(id, reason, _) => {
                if self.told.remove(id) || *reason == EndReason::EngineClosed {
                    return;
                }
                told_of(door, *id, *reason)
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
        cancels: impl Iterator<Item = (Millis, TicketId, EndReason)>,
    ) {
        let Some(record) = &door.record else { return };
        for (called, id, reason) in cancels {
            if reason != EndReason::EngineClosed && self.told.insert(id) {
                let told = told_of(door, id, reason);
                self.write(record, called.min(at), told);
            }
        }
        self.write(record, at, Told::Tick(budget));
    }
}

/// The ticket that a call changes. Once that has ended the call has had no effect: the tick that it met was first, or
/// a cancel that stands behind it.
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
fn told_of(door: &Door, id: TicketId, reason: EndReason) -> Told {
    let first_id = first_id(door, id);
    let member = door.ticket(id).and_then(|ticket| door.told(&ticket).players().next());
    match member {
        Some(player) if reason == EndReason::PartyMemberLeft => {
            Told::Leave(player, door.many_queues.then_some(first_id))
        }
        _ => Told::Cancel(first_id),
    }
}

impl Engine {
    /// Takes what has been recorded since the last call, as lines of a trace, each with its line feed, and appends
    /// them to `out`; says how many. `names` names tickets and players as it does for events; a ticket that was put
    /// back keeps the name of the first one. Replaying the lines, at the recorded ticks and with the same queues
    /// given at the start, brings about the same events.
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
        Told::Cancel(id) => TraceAction::Cancel { ticket: ticket(*id) },
        Told::Leave(player, id) => {
            let player = names.player(*player).into_owned();
            TraceAction::Leave { player, ticket: id.map(ticket) }
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
}

/// A call's turn, if a record is kept.
pub(super) type Turn<'a> = Option<MutexGuard<'a, ()>>;

impl Door {
    /// Waits for the turn of a call that changes anything, if a record is kept.
    pub(super) fn turn(&self) -> Turn<'_> {
        let record = self.record.as_ref()?;
        Some(record.turn.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
