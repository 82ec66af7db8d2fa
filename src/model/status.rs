//! What the engine says about itself and its tickets when asked.

use super::codes::EndReason;
use super::ids::{MatchId, Millis, QueueId, TicketId};
use crate::base::fixed::Fixed;
use std::sync::Arc;

/// Where a ticket is in its life.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TicketState {
    /// Members are still to join.
    Forming,
    /// It waits.
    Queued,
    /// It is in a match.
    Matched(MatchId),
    /// It ended without one.
    Ended(EndReason),
}

/// What a waiting ticket waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WaitingFor {
    /// The members who are still to join.
    Members,
    /// The tick that takes it in.
    Tick,
    /// Its queue is suspended.
    QueueResumed,
    /// Only a full match is legal until its preference ends.
    FullMatch,
    /// Every region within its windows is down.
    RegionUp,
    /// No region is within its ping window yet.
    PingWindow,
    /// Other tickets that fit.
    Partners,
}

impl TicketState {
    /// Its word in output lines.
    pub const fn word(&self) -> &'static str {
        match self {
            TicketState::Forming => "forming",
            TicketState::Queued => "queued",
            TicketState::Matched(_) => "matched",
            TicketState::Ended(_) => "ended",
        }
    }
}

impl WaitingFor {
    /// Its word in output lines.
    pub const fn word(self) -> &'static str {
        match self {
            WaitingFor::Members => "members",
            WaitingFor::Tick => "tick",
            WaitingFor::QueueResumed => "queue_resumed",
            WaitingFor::FullMatch => "full_match",
            WaitingFor::RegionUp => "region_up",
            WaitingFor::PingWindow => "ping_window",
            WaitingFor::Partners => "partners",
        }
    }
}

/// One rule's window for a ticket, now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WindowStatus {
    /// The rule's name.
    pub rule: Arc<str>,
    /// What holds at the ticket's age.
    pub window: WindowNow,
}

/// What a rule allows at an age.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WindowNow {
    /// Switched off at this age.
    Off,
    /// A preference only; the window is the one that it would have (`None`: off).
    Optional(Option<Fixed>),
    /// At most this much (difference, team difference, region in ms, team size), or at least this many
    /// (intersection).
    Limit(Fixed),
    /// A sum within these bounds.
    Between(Option<Fixed>, Option<Fixed>),
    /// A condition without a number (equality, premade balance).
    Enforced,
}

/// One ticket, as it is now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TicketStatus {
    /// Which ticket.
    pub id: TicketId,
    /// In which queue.
    pub queue: QueueId,
    /// The host's word.
    pub user_data: u64,
    /// Where it is in its life.
    pub state: TicketState,
    /// How long it has waited, or did wait.
    pub age: Millis,
    /// Earlier matches that it was in.
    pub attempts: u32,
    /// How long only a full match is legal for it still; 0 when the preference has ended.
    pub prefer_full_left: Millis,
    /// How long until it times out; `None`: never.
    pub timeout_left: Option<Millis>,
    /// Each rule's window at its age; empty when it no longer waits.
    pub windows: Vec<WindowStatus>,
    /// The regions that it could be matched in now, best first; empty when it no longer waits.
    pub regions: Vec<(Arc<str>, Fixed)>,
    /// What it waits for; `None` when it no longer does.
    pub waiting_for: Option<WaitingFor>,
}

/// What one tick did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TickReport {
    /// The time it was for: never earlier than the last one's.
    pub at: Millis,
    /// Candidates looked at.
    pub steps: u64,
    /// Matches made.
    pub matches: u64,
    /// Tickets that ended without one.
    pub ended: u64,
    /// Whether every due ticket was visited; else the next tick goes on.
    pub complete: bool,
}

/// Counts since the engine was made, and now.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// The builder's capacity.
    pub capacity: u32,
    /// The builder's count of retained tickets.
    pub retained_max: u32,
    /// Tickets accepted by submit and requeue.
    pub submitted: u64,
    /// Tickets refused by submit, and by requeue for another reason than NOT_FOUND.
    pub refused: u64,
    /// Tickets that went into a match.
    pub matched: u64,
    /// Tickets that ended without one.
    pub ended: u64,
    /// Tickets that wait now, forming ones included.
    pub waiting: u64,
    /// Tickets that wait for members to join.
    pub forming: u64,
    /// Tickets whose terminal event has not been polled.
    pub unpolled: u64,
    /// Matches made.
    pub matches: u64,
    /// Tickets that timed out and had no legal partner at any visit.
    pub starved: u64,
    /// Searches that ended at their node limit.
    pub searches_cut_off: u64,
    /// Candidates looked at.
    pub steps: u64,
    /// Ticks.
    pub ticks: u64,
    /// Each queue, in the order in which they were added.
    pub queues: Vec<QueueStats>,
}

/// One queue, now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueueStats {
    /// Which queue.
    pub queue: QueueId,
    /// Its name.
    pub name: Arc<str>,
    /// Whether it is suspended: it takes no tickets and matches none.
    pub suspended: bool,
    /// Tickets that wait, forming ones included.
    pub tickets: u64,
    /// Players that wait, in tickets that are not forming.
    pub players: u64,
    /// The age of the oldest one that waits; 0 if none does.
    pub oldest_age: Millis,
    /// The word of the index that serves it: `sorted`, `kdtree` or `linear`.
    pub index: &'static str,
    /// Why that index.
    pub index_why: &'static str,
    /// By region: name, tickets and players that are acceptable there now.
    pub regions: Vec<(Arc<str>, u64, u64)>,
    /// Matches made.
    pub matches: u64,
}
