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
    /// Candidates looked at; in a tick without a limit of steps that looks for the pairs of many single players together,
    /// those that were the best for a while.
    pub steps: u64,
    /// Matches made.
    pub matches: u64,
    /// Tickets that ended without one.
    pub ended: u64,
    /// Whether every due ticket was visited; else the next tick goes on.
    pub complete: bool,
}

/// How many tickets ended without a match, by reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EndCounts([u64; EndReason::ALL.len()]);

impl EndCounts {
    /// How many ended for this reason.
    pub fn of(&self, reason: EndReason) -> u64 {
        self.0[reason as usize]
    }

    /// How many ended for any reason.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Every reason with its count, those with 0 included, in a fixed order.
    pub fn iter(&self) -> impl Iterator<Item = (EndReason, u64)> + '_ {
        EndReason::ALL.iter().map(|&reason| (reason, self.of(reason)))
    }

    /// Counts one more.
    pub fn count(&mut self, reason: EndReason) {
        self.count_many(reason, 1);
    }

    /// Counts that many more.
    pub fn count_many(&mut self, reason: EndReason, tickets: u64) {
        self.0[reason as usize] += tickets;
    }

    /// Adds other counts.
    pub fn add(&mut self, other: &EndCounts) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, count)| *sum += count);
    }
}

/// What became of the tickets of a queue or of a region of it.
///
/// A ticket counts once for its queue, and once for each region that it could be matched in; a match counts in
/// the region where it is played. A ticket whose members never all joined has not waited: it counts in the engine's
/// totals only.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Matches made.
    pub matches: u64,
    /// Tickets that went into a match.
    pub matched_tickets: u64,
    /// Their players.
    pub matched_players: u64,
    /// Tickets that ended without one.
    pub ended: EndCounts,
    /// Of those the ones that timed out and had no legal partner at any visit. In queues of two players one that was
    /// only passed over for a better partner of another counts too.
    pub starved: u64,
}

impl Counts {
    /// Adds other counts.
    pub fn add(&mut self, other: &Counts) {
        self.matches += other.matches;
        self.matched_tickets += other.matched_tickets;
        self.matched_players += other.matched_players;
        self.ended.add(&other.ended);
        self.starved += other.starved;
    }
}

/// How long tickets waited until they were matched, each counted once, from the first submit.
///
/// The mean is exact; a percentile is within 1/32 (3.2 %) of the exact one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WaitStats {
    /// Tickets that were matched: the size of the sample.
    pub samples: u64,
    /// Their mean wait; `None` without a sample, as the percentiles.
    pub mean: Option<Millis>,
    /// Half of them waited no longer.
    pub p50: Option<Millis>,
    /// Nine in ten waited no longer.
    pub p90: Option<Millis>,
    /// Ninety-nine in a hundred waited no longer.
    pub p99: Option<Millis>,
}

/// What happened within the sliding window, as of the last tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WindowStats {
    /// What became of the tickets that left.
    pub counts: Counts,
    /// How long the matched ones had waited.
    pub wait: WaitStats,
}

/// Candidates looked at by the ticks within the sliding window.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StepStats {
    /// Ticks: the size of the sample.
    pub ticks: u64,
    /// Steps of the last tick.
    pub last: u64,
    /// Their mean, rounded down.
    pub mean: u64,
    /// Ninety-nine ticks in a hundred took no more, within 1/32.
    pub p99: u64,
}

/// How long a ticket can expect to wait.
///
/// Of tickets like it, as seen within the sliding window: half are matched within `p50`, nine in ten within
/// `p90`. Tickets that left without a match count as waits of at least so long, never as matches. `None` stands
/// for UNKNOWN.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Estimate {
    /// Half of such tickets wait no longer; `None`: unknown, or longer than any was seen to wait.
    pub p50: Option<Millis>,
    /// Nine in ten wait no longer; `None` as above.
    pub p90: Option<Millis>,
    /// Tickets that the estimate rests on: matched, ended and still waiting ones.
    pub samples: u64,
    /// Of those the ones that were matched.
    pub matched: u64,
    /// The longest wait seen among them: an unknown percentile is beyond it if there are samples enough.
    pub seen_up_to: Millis,
    /// Their skill lies within so much of the asked one; `None`: tickets of every skill.
    pub band: Option<Fixed>,
    /// Too few tickets share a region with the asked ones, so those of every region count.
    pub every_region: bool,
    /// There were enough tickets to say anything: else the percentiles are unknown.
    pub is_known: bool,
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
    /// Tickets that timed out and had no legal partner at any visit. In queues of two players one that was only passed over
    /// for a better partner of another counts too.
    pub starved: u64,
    /// Searches that ended at their node limit.
    pub searches_cut_off: u64,
    /// Candidates looked at.
    pub steps: u64,
    /// Ticks.
    pub ticks: u64,
    /// Engine time at which this was asked.
    pub now: Millis,
    /// The builder's count of search nodes.
    pub search_nodes: u32,
    /// The builder's length of the sliding window.
    pub window: Millis,
    /// The builder's count of slices of the window.
    pub window_slices: u32,
    /// Tickets that ended without a match, by reason; their sum is `ended`.
    pub ended_by_reason: EndCounts,
    /// Steps of the ticks within the window.
    pub steps_per_tick: StepStats,
    /// Slots that are used up for good, since each number of a ticket is given out once.
    pub retired_slots: u32,
    /// Each queue, in the order in which they were added.
    pub queues: Vec<QueueStats>,
}

/// One queue: now, within the sliding window, and since it was added.
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
    /// What the last ticks have counted.
    pub activity: QueueActivity,
    /// The same by region, in the order of names: every region that the queue knows, and those that saw a ticket
    /// leave within the window.
    pub by_region: Vec<RegionStats>,
}

/// What the ticks have counted of one queue, as of the last one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct QueueActivity {
    /// Since the queue was added.
    pub total: Counts,
    /// The waits of all matched tickets since then, in the classes of [`WAIT_CLASSES_S`]; the last class has no
    /// bound.
    pub wait_classes: [u64; WAIT_CLASSES_S.len() + 1],
    /// The sum of those waits.
    pub waited: Millis,
    /// Within the sliding window.
    pub window: WindowStats,
    /// Pairs of tickets within the window that were looked at to see what keeps them apart: one that came, was changed
    /// or had a window move, and another that waited. A sample of at most 64 a tick, the same on every machine.
    pub pairs: u64,
    /// By rule, in the order of the file: those pairs that this rule, as the first, kept from standing in one match.
    ///
    /// The region rule is asked last, after all others and the tickets' own limits. Rules that only judge whole
    /// matches (totals, team differences, team sizes, premade balance) keep no pair apart and stand here with 0.
    pub excluded: Vec<(Arc<str>, u64)>,
    /// The same for the limits that tickets set themselves.
    pub excluded_by_limits: u64,
    /// Searches within the window that ended at their node limit.
    pub searches_cut_off: u64,
    /// Candidates looked at within the window.
    pub steps: u64,
    /// How often a tree of its index was built, each time allocating anew; 0 for the sorted column.
    pub tree_rebuilds: u64,
    /// Points that its trees do not hold yet.
    pub tree_overlay: u64,
}

/// The upper bounds, inclusive and in seconds, of the classes in which waits are counted since the start: chosen,
/// as the waits of matchmaking lie between a second and ten minutes.
pub const WAIT_CLASSES_S: [u64; 12] = [1, 2, 5, 10, 15, 30, 60, 90, 120, 180, 300, 600];

/// One region of a queue.
///
/// A ticket counts in each of its regions, so the regions of a queue add up to more than the queue.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RegionStats {
    /// Its name, as first seen.
    pub name: Arc<str>,
    /// Tickets that are acceptable there now.
    pub tickets: u64,
    /// Their players.
    pub players: u64,
    /// The age of the oldest of them; 0 if there is none.
    pub oldest_age: Millis,
    /// What became of the tickets with this region since the queue was added, or since the region came up again
    /// after a time without any.
    pub total: Counts,
    /// The same within the sliding window.
    pub window: WindowStats,
}
