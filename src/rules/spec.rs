//! A queue as its author wrote it: teams, attributes, rules and limits, before anything is compiled.
//!
//! Readers of queue files make a [`QueueSpec`]; hosts may also build one by hand. `validate` checks it, `compile`
//! turns it into the form that searches use; `check`, the independent judge, reads it directly. Invariant: nothing
//! here computes anything, so the judge and the compiled path can share it and still be independent.

use crate::base::fixed::Fixed;
use crate::model::attribute::{AttributeDefault, AttributeSpec};
use crate::model::ids::Millis;

/// One queue.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueueSpec {
    /// Its name; unique in an engine.
    pub name: String,
    /// Its team groups; empty: one team named `all` that takes everyone.
    pub teams: Vec<TeamSpec>,
    /// The size of the whole match in players.
    pub players: MatchSizeSpec,
    /// Players in the largest ticket that is accepted.
    pub party_max: Option<u32>,
    /// What players may and must bring.
    pub attributes: Vec<AttributeSpec>,
    /// The rules, in the order of the file.
    pub rules: Vec<RuleSpec>,
    /// Whose age drives the windows of the rules that do not say so themselves.
    pub windows: WindowAge,
    /// Which of the legal matches are made.
    pub selection: Selection,
    /// While the match's oldest ticket is younger than this, only a full match is legal.
    pub prefer_full_for: Millis,
    /// The age at which a ticket ends; `None`: never.
    pub timeout: Option<Millis>,
    /// Tickets that may live in the queue; `None`: as many as in the engine.
    pub capacity: Option<u32>,
    /// The least number of tickets in a match; `None`: 1 with teams, 2 without, where a ticket that is a full
    /// match may stand alone.
    pub min_tickets: Option<u32>,
    /// The regions that tickets may name; `None`: learned from them.
    pub regions: Option<Vec<String>>,
    /// How region names compare.
    pub region_names: RegionNames,
    /// What becomes of attributes that are not declared.
    pub undeclared: Undeclared,
    /// JSON text of any object, returned with each match.
    pub echo: Option<String>,
    /// With [`Selection::LeastCost`]: tickets of this age go first; `None`: from half of their timeout on, and those
    /// without one never.
    pub urgent_after: Option<Millis>,
    /// Which index serves the searches.
    pub index: IndexChoice,
}

impl QueueSpec {
    /// A queue with nothing but a name and a size: `min` to `max` players without teams.
    pub fn new(name: &str, min: u32, max: u32) -> QueueSpec {
        QueueSpec {
            name: name.to_owned(),
            teams: Vec::new(),
            players: MatchSizeSpec { min: Some(min), max: Some(max), multiple: None },
            party_max: None,
            attributes: Vec::new(),
            rules: Vec::new(),
            windows: WindowAge::Mutual,
            selection: Selection::OldestFirst,
            prefer_full_for: Millis(0),
            timeout: None,
            capacity: None,
            min_tickets: None,
            regions: None,
            region_names: RegionNames::Exact,
            undeclared: Undeclared::Refuse,
            echo: None,
            urgent_after: None,
            index: IndexChoice::Auto,
        }
    }
}

/// One team, or a group of teams that are alike.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TeamSpec {
    /// The team's name, or the stem of the group's names.
    pub name: String,
    /// How many teams: `None`: one, named `name`; else `name_1`, `name_2`, ..
    pub count: Option<TeamCount>,
    /// Players in each of them, at least.
    pub players_min: u32,
    /// Players in each of them, at most.
    pub players_max: u32,
}

/// How many teams of a group stand in a match: any number from `min` to `max`.
///
/// Where `min < max`, the teams that stand have at least one player each and the others count nowhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TeamCount {
    /// At least so many.
    pub min: u32,
    /// At most so many.
    pub max: u32,
    /// Whether the file gave a range (`{min,max}`), even one with `min == max`.
    pub is_range: bool,
}

/// The size of a match in players, besides what its teams say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MatchSizeSpec {
    /// At least so many.
    pub min: Option<u32>,
    /// At most so many.
    pub max: Option<u32>,
    /// A multiple of this.
    pub multiple: Option<u32>,
}

/// Whose age drives a window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WindowAge {
    /// Every ticket's own.
    Mutual,
    /// That of the oldest ticket of the match, for all.
    Oldest,
    /// That of the newest ticket of the match, for all.
    Newest,
}

/// Which of the legal matches are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Selection {
    /// The oldest ticket first, each with its best match.
    OldestFirst,
    /// As many players as possible, then the least total cost.
    LeastCost,
}

/// How region names compare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegionNames {
    /// Byte by byte.
    Exact,
    /// Without regard to ASCII and Unicode case; written as first seen.
    FoldCase,
}

/// What becomes of an attribute that the queue does not declare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Undeclared {
    /// The ticket is refused.
    Refuse,
    /// It is carried along and returned with the match.
    Keep,
}

/// Which index serves the searches of a queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IndexChoice {
    /// Chosen when the queue is compiled.
    Auto,
    /// The chunked sorted column.
    Sorted,
    /// The KD-tree.
    KdTree,
    /// The plain scan, the oracle of the other two.
    Linear,
}

/// One rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleSpec {
    /// Its name; unique in the queue.
    pub name: String,
    /// What its term in the cost is multiplied with, 0 and up.
    pub weight: Fixed,
    /// The age from which it is a preference.
    pub optional_after: Option<Millis>,
    /// Whose age counts; `None`: as the queue says.
    pub windows: Option<WindowAge>,
    /// Whether a step or a negative addend may make it stricter with age.
    pub may_tighten: bool,
    /// What it asks for.
    pub kind: RuleKind,
}

/// What a rule asks for. Attributes are indices into the queue's `attributes`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RuleKind {
    /// All tickets that have a value agree.
    Equality {
        /// A string or a numeric attribute.
        attribute: usize,
        /// What a ticket without a value does.
        missing: Missing,
        /// The value of a player who brings none, for this rule.
        default: Option<AttributeDefault>,
        /// Ages at which the rule is switched on and off; on from age 0.
        steps: Vec<Step<bool>>,
    },
    /// Merged values of any two tickets differ by at most the window.
    Difference {
        /// A numeric attribute.
        attribute: usize,
        /// The window.
        window: NumberWindow,
        /// How a party's values become one.
        merge: Merge,
        /// What a ticket without a value does.
        missing: Missing,
        /// The value of a player who brings none, for this rule.
        default: Option<Fixed>,
    },
    /// Team averages differ by at most the window.
    TeamDifference {
        /// A numeric attribute.
        attribute: usize,
        /// The window.
        window: NumberWindow,
        /// The value of a player who brings none, for this rule.
        default: Option<Fixed>,
    },
    /// The lists of all tickets share at least so many values.
    Intersection {
        /// A string-list attribute.
        attribute: usize,
        /// How many values, a whole number; loosening makes it smaller.
        window: NumberWindow,
        /// What a ticket without a list does.
        missing: Missing,
        /// The list of a player who brings none, for this rule.
        default: Option<Vec<String>>,
    },
    /// A sum over players lies within bounds.
    Total {
        /// A numeric attribute; `None`: counts players.
        attribute: Option<usize>,
        /// The plain bounds.
        bounds: Bounds,
        /// Over the match, or over each team.
        per: TotalScope,
        /// Bounds from an age on; `None` there: switched off.
        steps: Vec<Step<Option<Bounds>>>,
    },
    /// One region is within the ping window of all tickets.
    Region {
        /// The window in milliseconds.
        window: NumberWindow,
        /// Where latencies stand in a ticket of another service; carried along for its reader.
        path: Option<String>,
    },
    /// The largest and the smallest team differ by at most so many players.
    TeamSize {
        /// The window, a whole number.
        window: NumberWindow,
    },
    /// Every team has exactly one large party, or none has any.
    PremadeBalance,
}

/// What a ticket does that has no value for a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Missing {
    /// It is left out of the rule.
    Any,
    /// The default fills in; without one the ticket is refused.
    Default,
}

/// How the values of a party's members become one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Merge {
    /// Their mean, rounded half up to the attribute's `decimals`.
    Average,
    /// The least.
    Min,
    /// The greatest.
    Max,
}

/// What a total adds up over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TotalScope {
    /// All players of the match.
    Match,
    /// The players of each team.
    Team,
}

/// Inclusive bounds, each of which may be absent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// At least.
    pub min: Option<Fixed>,
    /// At most.
    pub max: Option<Fixed>,
}

/// A number that changes with age.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NumberWindow {
    /// At age 0, unless a step stands there.
    pub base: Fixed,
    /// How it changes.
    pub expand: Expand,
}

/// How a window changes with age.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expand {
    /// Not at all.
    Never,
    /// `base + add * floor(age / every)`, not above `cap`, not below `floor`.
    Linear {
        /// Added each time; negative for `intersection`, or with `may_tighten`.
        add: Fixed,
        /// How often, at least 1 ms.
        every: Millis,
        /// Not above.
        cap: Option<Fixed>,
        /// Not below.
        floor: Option<Fixed>,
    },
    /// `base + floor(1e6 * (factor * (age_ms / 1000.0)^exponent))` units of 0.000001, not above `cap`.
    Power {
        /// 0 and up.
        factor: Fixed,
        /// Above 0.
        exponent: Fixed,
        /// Not above.
        cap: Option<Fixed>,
    },
    /// The value of the last step that the age has reached; `None` there: switched off.
    Steps(Vec<Step<Option<Fixed>>>),
}

/// A value that holds from an age on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step<T> {
    /// From this age on, inclusive; strictly increasing in a rule.
    pub after: Millis,
    /// What holds.
    pub value: T,
}
