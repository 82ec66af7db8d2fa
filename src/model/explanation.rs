//! Why a ticket waits, in plain data: made by the engine when it is asked, read by hosts and by the writers.
//!
//! The words: two tickets are a *legal pair* when nothing that only the two of them decide keeps them out of one
//! match. In a queue whose greatest match is two players that is a whole legal match; in larger queues it is what
//! their sizes, own limits, and the rules `difference`, `equality`, `intersection` and `region` say of the two,
//! besides the greatest sums of totals that they exceed between them. Where a queue's windows go by the `oldest` or
//! the `newest` ticket of a match, the older or the newer of the two counts.

use super::ids::{Millis, TicketId};
use super::status::{TicketStatus, WindowNow};
use crate::base::fixed::Fixed;
use std::sync::Arc;

/// Nearest candidates in an explanation unless another number is asked for: as many as fit a screen.
pub const NEAREST: usize = 5;

/// Why a ticket is not matched, at an instant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// The engine's time.
    pub at: Millis,
    /// The ticket: its state and age, what is left of its preference for a full match, what it waits for.
    pub ticket: TicketStatus,
    /// Its queue's name.
    pub queue: Arc<str>,
    /// Whether the queue is suspended: then nothing of it is matched, whatever else stands here.
    pub queue_suspended: bool,
    /// Its players, those who are still to join not counted.
    pub players: u32,
    /// When it times out; `None`: never, or it has ended.
    pub deadline: Option<Millis>,
    /// How it stands to the others that wait; `None`: it does not wait, or no tick has taken it in yet.
    pub pool: Option<PoolExplanation>,
}

/// How a waiting ticket stands to the others of its queue, as the last tick left them.
///
/// Calls since that tick have had no effect yet, but tickets that have ended since are left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PoolExplanation {
    /// The other tickets that wait.
    pub others: u64,
    /// What keeps them out, in the order in which it is asked: sizes, the ticket's own limits, theirs, the rules in
    /// the order of the file, the seating.
    pub exclusions: Vec<Exclusion>,
    /// The tickets that nothing excludes: its legal pairs.
    pub legal: u64,
    /// Those of them that are older, so that a match with them is theirs to find.
    pub legal_older: u64,
    /// How many of the nearest were asked for.
    pub nearest_max: usize,
    /// The nearest: legal the soonest first, then nearest by the weighted differences, then oldest; of those that
    /// never become legal the ones that fewest barriers exclude come first.
    pub nearest: Vec<PairExplanation>,
    /// What a whole match lacks.
    pub missing: Missing,
    /// What a search around the ticket comes to.
    pub search: SearchExplanation,
}

/// What can keep two tickets out of one match.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Barrier {
    /// Together they are more players than a match takes, or do not go into its teams, each whole.
    Sizes,
    /// The limits that the explained ticket has set for the players of others.
    OwnLimits,
    /// The limits that the other ticket has set.
    TheirLimits,
    /// A rule, by its name.
    Rule(Arc<str>),
    /// Each rule has a seating that it accepts, but no seating is accepted by all of them. Only in queues whose
    /// greatest match is two players.
    Seating,
    /// Only a full match is legal yet. It keeps no pair apart, only smaller matches.
    FullMatch,
}

impl Barrier {
    /// Its word in texts and JSON; a rule's is its name.
    pub fn word(&self) -> &str {
        match self {
            Barrier::Sizes => "sizes",
            Barrier::OwnLimits => "own limits",
            Barrier::TheirLimits => "their limits",
            Barrier::Rule(name) => name,
            Barrier::Seating => "seating",
            Barrier::FullMatch => "prefer_full_for_s",
        }
    }
}

/// When something becomes possible if nothing else changes: nobody comes, leaves or is updated, no region changes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum When {
    /// It is so now.
    Now,
    /// From this instant on; the millisecond before it is not.
    At(Millis),
    /// At this instant, but one of the two times out before it, or just then.
    TooLate(Millis),
    /// Never.
    Never,
}

/// One barrier, and whom it excludes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exclusion {
    /// Which.
    pub barrier: Barrier,
    /// The word of the rule's type in queue files; empty for what is no rule.
    pub kind: &'static str,
    /// Whether two tickets alone can break it. A rule that is judged on whole matches only excludes nobody here;
    /// [`Missing`] has more of it.
    pub of_pairs: bool,
    /// What the rule allows at the ticket's own age; `None` for what is no rule.
    pub window: Option<WindowNow>,
    /// Whose age counts: `mutual` (every ticket's own), `oldest` or `newest`; empty for what is no rule.
    pub windows: &'static str,
    /// When that is next another; with a power window that still grows, the next millisecond.
    pub next_change: Option<Millis>,
    /// What the ticket brings to the rule; `None`: nothing, then the rule leaves it out.
    pub value: Option<Shown>,
    /// Waiting tickets that it excludes, whatever else does.
    pub alone: u64,
    /// Waiting tickets that it excludes and nothing before it in the list does.
    pub after: u64,
    /// Waiting tickets that bring no value. A rule leaves them out and excludes none of them; an own limit excludes
    /// them, as no value is within it.
    pub without_value: u64,
    /// Of a region rule: why each of the tickets that it excludes alone is excluded.
    pub regions: Option<RegionCauses>,
}

/// The tickets that a region rule excludes, each in the first line that holds; they add up to `alone`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RegionCauses {
    /// No region stands in both latency lists.
    pub none_in_common: u64,
    /// The allow list (`regions`) of one of the two rules all common ones out.
    pub not_allowed: u64,
    /// The own limit (`max_ping_ms`) of one of the two rules all others out.
    pub own_ping_limit: u64,
    /// Every common region is down, or every one that is within the windows.
    pub down: u64,
    /// No common region is within the windows of both.
    pub beyond_window: u64,
}

/// Why a region rule excludes one ticket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegionCause {
    /// No region stands in both latency lists.
    NoneInCommon,
    /// An allow list rules all common ones out.
    NotAllowed,
    /// An own limit on the ping rules all others out.
    OwnPingLimit,
    /// Every common region is down, or every one that is within the windows.
    Down,
    /// No common region is within the windows of both.
    BeyondWindow,
}

impl RegionCause {
    /// Its word in JSON.
    pub const fn word(self) -> &'static str {
        match self {
            RegionCause::NoneInCommon => "none_in_common",
            RegionCause::NotAllowed => "not_allowed",
            RegionCause::OwnPingLimit => "own_ping_limit",
            RegionCause::Down => "down",
            RegionCause::BeyondWindow => "beyond_window",
        }
    }
}

/// A value as it is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shown {
    /// A number: merged, a sum, players, or a ping in milliseconds.
    Number(Fixed),
    /// A text.
    Text(String),
    /// The values that all members share.
    List(Vec<String>),
}

/// Two tickets, and what is between them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PairExplanation {
    /// The other ticket.
    pub ticket: TicketId,
    /// Its players.
    pub players: u32,
    /// How long it has waited.
    pub age: Millis,
    /// When it times out; `None`: never.
    pub deadline: Option<Millis>,
    /// When the two become a legal pair.
    pub when: When,
    /// What decides that: the first barrier that holds until the millisecond before; of a pair that is never legal the
    /// first one that never opens, else one that is not open when all others are. `None`: nothing but, perhaps, a
    /// timeout.
    pub decided_by: Option<Barrier>,
    /// Every barrier of the queue's pairs, in the order of [`PoolExplanation::exclusions`].
    pub tests: Vec<PairTest>,
}

/// One barrier between two tickets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PairTest {
    /// Which.
    pub barrier: Barrier,
    /// The word of the rule's type in queue files; empty for what is no rule.
    pub kind: &'static str,
    /// When it lets the two through.
    pub when: When,
    /// What the explained ticket brings: its value, its ping in `region`, its players.
    pub own: Option<Shown>,
    /// What the other one brings; of broken limits the value that is not within them.
    pub theirs: Option<Shown>,
    /// What the limits are about: how far the values are apart, how many values are shared, the sum.
    pub measured: Option<Fixed>,
    /// The limit that counts for the explained ticket; of limits that are broken the bounds.
    pub own_limit: Option<WindowNow>,
    /// The limit that counts for the other one.
    pub their_limit: Option<WindowNow>,
    /// Of a region rule: the common region that opens the soonest, of those the one with the least sum of pings.
    pub region: Option<Arc<str>>,
    /// Of a region rule that excludes the two: why.
    pub region_cause: Option<RegionCause>,
    /// The attribute that it is about.
    pub attribute: Option<String>,
}

/// What a whole match around the ticket lacks among its legal pairs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Missing {
    /// The fewest players that a match with it may have now.
    pub players_least: u32,
    /// The players of the ticket and of its legal pairs.
    pub players_here: u64,
    /// How many more it takes; 0: enough.
    pub players_short: u64,
    /// How many more tickets `min_tickets` asks for.
    pub tickets_short: u32,
    /// Whether the sizes of the parties that are here can be seated to a match.
    pub sizes: SizesFit,
    /// The totals that they cannot reach, whoever of them is taken.
    pub totals: Vec<TotalShort>,
    /// The single rules about whole matches without which the search around the ticket finds a match with younger
    /// tickets: each of them alone stands in the way. Looked for where the search has found none; rules only where
    /// enough players are here.
    pub blockers: Vec<Blocker>,
}

/// Whether the parties that are here can be seated, by their sizes alone.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum SizesFit {
    /// Some of them make teams of the right sizes with the ticket.
    #[default]
    Fit,
    /// None do. One more party of any of these sizes would complete a match; if there are none, it takes several.
    OneMore(Vec<u32>),
    /// There are too many ways to try them all.
    Unknown,
}

/// A total that cannot be reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TotalShort {
    /// The rule.
    pub rule: Arc<str>,
    /// Whether each team must reach it.
    pub per_team: bool,
    /// The least sum over the match: of all teams that must stand, if each must reach it.
    pub least: Fixed,
    /// The greatest sum that the ticket and its legal pairs can bring.
    pub here: Fixed,
}

/// A rule without which there would be a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blocker {
    /// The rule, or the preference for a full match.
    pub barrier: Barrier,
    /// The players of the match that would be made.
    pub players: u32,
    /// The difference of its team averages.
    pub team_difference: Option<Fixed>,
}

/// What a search around the ticket comes to, and whether the engine is about to make one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SearchExplanation {
    /// Whether the next tick would visit the ticket without new input.
    pub due: bool,
    /// When a window of its own next lets somebody in, at the latest; `None`: never.
    pub next_look: Option<Millis>,
    /// Whether the search with the ticket as the oldest of its match, repeated now, ends by itself. If not, it was cut
    /// off at its count of nodes and there may be a match that it has not seen.
    pub exhaustive: bool,
    /// Candidates that it looks at.
    pub steps: u64,
    /// The tickets of the match that it finds; empty: none. The next tick that visits the ticket makes it, if no older
    /// one takes them first; under `least_cost` that is so for urgent tickets, others stand in the match that costs the
    /// least together with those of all.
    pub found: Vec<TicketId>,
    /// Under `least_cost` whether the ticket is urgent, and so goes first; `None` under `oldest_first`.
    pub urgent: Option<bool>,
}

/// Two tickets that a host has asked about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PairAnswer {
    /// The engine's time.
    pub at: Millis,
    /// The one.
    pub ticket: TicketStatus,
    /// The other.
    pub other: TicketStatus,
    /// Whether the first one's queue is suspended.
    pub queue_suspended: bool,
    /// What is between them.
    pub between: Between,
}

/// What is between two tickets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Between {
    /// They are one and the same.
    SameTicket,
    /// They are of different queues and never meet.
    OtherQueue,
    /// One of them does not wait (any more, or yet).
    NotWaiting,
    /// No tick has taken one of them in yet.
    NotTakenIn,
    /// The barriers of the pair.
    Pair(Box<PairExplanation>),
}

impl Between {
    /// The word of the answers that name no barriers.
    pub const fn word(&self) -> &'static str {
        match self {
            Between::SameTicket => "same_ticket",
            Between::OtherQueue => "other_queue",
            Between::NotWaiting => "not_waiting",
            Between::NotTakenIn => "not_taken_in",
            Between::Pair(_) => "pair",
        }
    }
}
