//! A queue in the form that searches use: rules in order, each with a slot for the value it reads.
//!
//! Made once when a queue is added. The raw rules name attributes; a compiled rule names a *slot*, a number,
//! key or list that is computed once per ticket at submit (merged, with defaults filled in), so that no search
//! ever looks at a player. Invariant: a ticket's slots are a function of the ticket alone, never of time.

use super::shape::Shape;
use super::spec::{IndexChoice, Merge, Missing, QueueSpec, RuleKind, Selection, TotalScope, WindowAge};
use super::window::{Band, Switch, Window};
use crate::base::fixed::Fixed;
use crate::model::attribute::AttributeDefault;
use crate::model::ids::Millis;
use crate::model::status::WindowNow;
use crate::simd::Kernels;
use std::sync::Arc;

/// Stands in a number or key slot for "no member has a value".
pub const NO_VALUE: i64 = i64::MIN;

/// Dimensions of an index over differences, at most: with the ping four, as many axes as the tree searches by.
pub const DIMENSIONS_MAX: usize = 3;

/// How a number slot comes from the members' values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NumberHow {
    /// Merged over the members that have a value.
    Merged(Merge),
    /// Added up over the members; a member without a value counts 0.
    Sum,
    /// How many members have a value.
    Count,
}

/// A number of each ticket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NumberSlot {
    /// Index of the attribute.
    pub attribute: usize,
    /// How it comes about.
    pub how: NumberHow,
    /// Fills in for a member, before the attribute's own default.
    pub default: Option<Fixed>,
}

/// A key of each ticket: a string's id, or a number's units.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeySlot {
    /// Index of the attribute.
    pub attribute: usize,
    /// Fills in for a member, before the attribute's own default.
    pub default: Option<AttributeDefault>,
}

/// A list of each ticket: the string ids that all members share.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListSlot {
    /// Index of the attribute.
    pub attribute: usize,
    /// Fills in for a member, before the attribute's own default.
    pub default: Option<Vec<String>>,
}

/// A compiled rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name.
    pub name: Arc<str>,
    /// Its weight in units of 0.000001.
    pub weight: i64,
    /// Whose age counts.
    pub age: WindowAge,
    /// Whether what it allows never shrinks with age.
    pub only_loosens: bool,
    /// Whether a ticket without a value is refused.
    pub needs_value: bool,
    /// Index of its first number in a ticket's window state (a total has two, the others one).
    pub state: usize,
    /// What it asks for.
    pub kind: Kind,
}

/// What a compiled rule asks for; the first field is the slot that it reads.
#[derive(Clone, Debug)]
pub enum Kind {
    /// All keys agree.
    Equality(usize, Switch),
    /// Numbers differ by at most the window.
    Difference(usize, Window),
    /// Team averages of the summed numbers differ by at most the window.
    TeamDifference(usize, Window),
    /// The lists share at least so many values.
    Intersection(usize, Window),
    /// The sum (`None`: the count of players) lies within the band.
    Total(Option<usize>, Band, TotalScope),
    /// The ping is within the window.
    Region(Window),
    /// Team sizes differ by at most the window.
    TeamSize(Window),
    /// Every team has one large party, or none has any.
    PremadeBalance(Switch),
}

impl Kind {
    /// The word of the rule's type in queue files.
    pub const fn word(&self) -> &'static str {
        match self {
            Kind::Equality(..) => "equality",
            Kind::Difference(..) => "difference",
            Kind::TeamDifference(..) => "team_difference",
            Kind::Intersection(..) => "intersection",
            Kind::Total(..) => "total",
            Kind::Region(_) => "region",
            Kind::TeamSize(_) => "team_size",
            Kind::PremadeBalance(_) => "premade_balance",
        }
    }

    /// The window, where it is a number that changes with age.
    pub const fn window(&self) -> Option<&Window> {
        match self {
            Kind::Difference(_, window)
            | Kind::TeamDifference(_, window)
            | Kind::Intersection(_, window)
            | Kind::Region(window)
            | Kind::TeamSize(window) => Some(window),
            Kind::Equality(..) | Kind::PremadeBalance(_) | Kind::Total(..) => None,
        }
    }

    /// What the rule allows at `age`.
    pub fn now(&self, age: Millis) -> WindowNow {
        match self {
            Kind::Difference(_, window)
            | Kind::TeamDifference(_, window)
            | Kind::Intersection(_, window)
            | Kind::Region(window)
            | Kind::TeamSize(window) => {
                let at = window.at(age);
                match (at.limit.map(Fixed::from_micros), at.optional) {
                    (limit, true) => WindowNow::Optional(limit),
                    (Some(limit), false) => WindowNow::Limit(limit),
                    (None, false) => WindowNow::Off,
                }
            }
            Kind::Equality(_, switch) | Kind::PremadeBalance(switch) => {
                let at = switch.at(age);
                match (at.limit, at.optional) {
                    (None, _) => WindowNow::Off,
                    (Some(()), true) => WindowNow::Optional(None),
                    (Some(()), false) => WindowNow::Enforced,
                }
            }
            Kind::Total(_, band, _) => {
                let at = band.at(age);
                match (at.limit, at.optional) {
                    (None, _) => WindowNow::Off,
                    (Some(bounds), true) => WindowNow::Optional(bounds.max.or(bounds.min)),
                    (Some(bounds), false) => WindowNow::Between(bounds.min, bounds.max),
                }
            }
        }
    }

    /// The least age after `age` at which that is another, or could be: the next millisecond for a power below its
    /// cap, else exact.
    pub fn next_change(&self, age: Millis) -> Option<Millis> {
        match self {
            Kind::Difference(_, window)
            | Kind::TeamDifference(_, window)
            | Kind::Intersection(_, window)
            | Kind::Region(window)
            | Kind::TeamSize(window) => window.next_change(age),
            Kind::Equality(_, switch) | Kind::PremadeBalance(switch) => switch.next_change(age),
            Kind::Total(_, band, _) => band.next_change(age),
        }
    }
}

impl WindowAge {
    /// Its word in queue files.
    pub const fn word(self) -> &'static str {
        match self {
            WindowAge::Mutual => "mutual",
            WindowAge::Oldest => "oldest",
            WindowAge::Newest => "newest",
        }
    }
}

/// A queue ready to be searched.
#[derive(Clone, Debug)]
pub struct CompiledQueue {
    /// As it was written.
    pub spec: Arc<QueueSpec>,
    /// Teams and totals.
    pub shape: Shape,
    /// The rules, in the order of the file.
    pub rules: Vec<Rule>,
    /// What each ticket's numbers are.
    pub numbers: Vec<NumberSlot>,
    /// What each ticket's keys are.
    pub keys: Vec<KeySlot>,
    /// What each ticket's lists are.
    pub lists: Vec<ListSlot>,
    /// The numeric attributes, whose range over a ticket's players other tickets' own limits look at.
    pub ranges: Vec<usize>,
    /// For each of these the number slot that tells a single player's own value, if he has one; empty unless each has.
    pub range_slots: Vec<usize>,
    /// Numbers in a ticket's window state.
    pub state_len: usize,
    /// Index of the region rule.
    pub region_rule: Option<usize>,
    /// The number slot whose spread is reported.
    pub spread_slot: Option<usize>,
    /// The number slots (sum, count) by whose team averages splits are told apart.
    pub balance_slots: Option<(usize, usize)>,
    /// The difference rules by whose distance candidates are found, with their slots, heaviest first.
    pub dimensions: Vec<(usize, usize)>,
    /// A ticket of at least so many players is a large party.
    pub large_party: u32,
    /// Which index serves the searches, and why.
    pub index: (IndexChoice, &'static str),
    /// Whether matches are of two tickets at most and all rules are differences, equalities that never become
    /// optional and a region, each by every ticket's own age: then what two single players cost is told by their
    /// values and pings alone.
    pub is_plain_duel: bool,
    /// Whether the queue is a free-for-all that the exact window search serves.
    pub is_plain_free_for_all: bool,
    /// The kernels of its searches: the widest that the processor has, unless whoever adds the queue says otherwise.
    pub kernels: Kernels,
}

impl CompiledQueue {
    /// Compiles a queue that has been validated.
    pub fn new(spec: QueueSpec) -> CompiledQueue {
        let spec = Arc::new(spec);
        let shape = Shape::new(&spec);
        let large_party = shape.team_max.div_ceil(2).max(2);
        let mut queue = CompiledQueue {
            shape,
            rules: Vec::new(),
            numbers: Vec::new(),
            keys: Vec::new(),
            lists: Vec::new(),
            ranges: Vec::new(),
            range_slots: Vec::new(),
            state_len: 0,
            region_rule: None,
            spread_slot: None,
            balance_slots: None,
            dimensions: Vec::new(),
            large_party,
            index: (IndexChoice::Sorted, ""),
            is_plain_duel: false,
            is_plain_free_for_all: false,
            kernels: Kernels::default(),
            spec: Arc::clone(&spec),
        };
        queue.ranges =
            (0..spec.attributes.len()).filter(|&index| spec.attributes[index].kind.is_numeric()).collect();
        for rule in 0..spec.rules.len() {
            queue.add_rule(rule);
        }
        queue.find_report_slots();
        queue.range_slots = queue.find_range_slots();
        queue.dimensions = queue.find_dimensions();
        queue.index = queue.choose_index();
        queue.is_plain_duel = queue.shape.full == 2
            && queue.rules.iter().all(|rule| {
                rule.age == WindowAge::Mutual
                    && match &rule.kind {
                        Kind::Difference(..) | Kind::Region(_) => true,
                        Kind::Equality(_, switch) => switch.always(None),
                        _ => false,
                    }
            });
        queue.is_plain_free_for_all = queue.qualifies_for_window_search();
        queue
    }

    fn find_range_slots(&self) -> Vec<usize> {
        let tells =
            |slot: &NumberSlot, attribute| slot.attribute == attribute && slot.how != NumberHow::Count;
        let slots = self.ranges.iter().map(|&range| self.numbers.iter().position(|slot| tells(slot, range)));
        slots.collect::<Option<_>>().unwrap_or_default()
    }

    fn add_rule(&mut self, index: usize) {
        let spec = Arc::clone(&self.spec);
        let raw = &spec.rules[index];
        let optional = raw.optional_after;
        let mut age = raw.windows.unwrap_or(spec.windows);
        let mut needs_value = false;
        let mut must = |missing: Missing| needs_value = missing == Missing::Default;
        let kind = match &raw.kind {
            RuleKind::Equality { attribute, missing, default, steps } => {
                must(*missing);
                let slot = KeySlot { attribute: *attribute, default: default.clone() };
                Kind::Equality(slot_of(&mut self.keys, slot), Switch::new(steps, optional))
            }
            RuleKind::Difference { attribute, window, merge, missing, default } => {
                must(*missing);
                let slot =
                    NumberSlot { attribute: *attribute, how: NumberHow::Merged(*merge), default: *default };
                Kind::Difference(slot_of(&mut self.numbers, slot), Window::new(window, optional))
            }
            RuleKind::TeamDifference { attribute, window, default } => {
                must(Missing::Default);
                let slot = NumberSlot { attribute: *attribute, how: NumberHow::Sum, default: *default };
                Kind::TeamDifference(slot_of(&mut self.numbers, slot), Window::new(window, optional))
            }
            RuleKind::Intersection { attribute, window, missing, default } => {
                must(*missing);
                let slot = ListSlot { attribute: *attribute, default: default.clone() };
                Kind::Intersection(slot_of(&mut self.lists, slot), Window::new(window, optional))
            }
            RuleKind::Total { attribute, bounds, per, steps } => {
                if attribute.is_none() {
                    age = WindowAge::Oldest;
                }
                let slot = attribute.map(|attribute| {
                    let slot = NumberSlot { attribute, how: NumberHow::Sum, default: None };
                    slot_of(&mut self.numbers, slot)
                });
                Kind::Total(slot, Band::new(*bounds, steps, optional), *per)
            }
            RuleKind::Region { window, .. } => {
                self.region_rule = Some(index);
                Kind::Region(Window::new(window, optional))
            }
            RuleKind::TeamSize { window } => Kind::TeamSize(Window::new(window, optional)),
            RuleKind::PremadeBalance => Kind::PremadeBalance(Switch::new(&[], optional)),
        };
        let only_loosens = match &kind {
            Kind::Difference(_, window) | Kind::Region(window) | Kind::TeamDifference(_, window) => {
                window.only_loosens()
            }
            Kind::TeamSize(window) => window.only_loosens(),
            Kind::Intersection(_, window) => window.only_falls(),
            Kind::Equality(_, switch) => switch.only_loosens(),
            Kind::PremadeBalance(_) => true,
            Kind::Total(..) => false,
        };
        let state = self.state_len;
        self.state_len += if matches!(kind, Kind::Total(..)) { 2 } else { 1 };
        let name = Arc::from(raw.name.as_str());
        self.rules.push(Rule {
            name,
            weight: raw.weight.micros(),
            age,
            only_loosens,
            needs_value,
            state,
            kind,
        });
    }

    /// The spread of the first `difference` rule, else of the first `team_difference` rule; the balance the
    /// other way round.
    fn find_report_slots(&mut self) {
        let raw = Arc::clone(&self.spec);
        let difference = raw.rules.iter().find_map(|rule| match &rule.kind {
            RuleKind::Difference { attribute, merge, default, .. } => Some((*attribute, *merge, *default)),
            _ => None,
        });
        let team = raw.rules.iter().find_map(|rule| match &rule.kind {
            RuleKind::TeamDifference { attribute, default, .. } => {
                Some((*attribute, Merge::Average, *default))
            }
            _ => None,
        });
        self.spread_slot = difference.or(team).map(|(attribute, merge, default)| {
            slot_of(&mut self.numbers, NumberSlot { attribute, how: NumberHow::Merged(merge), default })
        });
        self.balance_slots = team.or(difference).map(|(attribute, _, default)| {
            let mut slot = |how| slot_of(&mut self.numbers, NumberSlot { attribute, how, default });
            (slot(NumberHow::Sum), slot(NumberHow::Count))
        });
    }

    /// The difference rules, heaviest first, at most [`DIMENSIONS_MAX`].
    fn find_dimensions(&self) -> Vec<(usize, usize)> {
        let differences = self.rules.iter().enumerate().filter_map(|(index, rule)| match rule.kind {
            Kind::Difference(slot, _) => Some((index, slot)),
            _ => None,
        });
        let mut dimensions: Vec<(usize, usize)> = differences.collect();
        dimensions.sort_by_key(|&(index, _)| (-self.rules[index].weight, index));
        dimensions.truncate(DIMENSIONS_MAX);
        dimensions
    }

    fn choose_index(&self) -> (IndexChoice, &'static str) {
        // What it chooses among depends on the order in which an index tells of tickets: so there is one order.
        if self.spec.selection == Selection::LeastCost {
            return (IndexChoice::Sorted, "least_cost goes along the leading value");
        }
        match self.spec.index {
            IndexChoice::Sorted => (IndexChoice::Sorted, "the queue file asks for it"),
            IndexChoice::KdTree => (IndexChoice::KdTree, "the queue file asks for it"),
            IndexChoice::Linear => (IndexChoice::Linear, "the queue file asks for it"),
            IndexChoice::Auto if cfg!(feature = "kdtree") && self.weighted_dimensions() >= 2 => {
                (IndexChoice::KdTree, "two or more weighted differences: the nearest partner is near in all")
            }
            IndexChoice::Auto => {
                (IndexChoice::Sorted, "at most one weighted difference: a sorted column is faster")
            }
        }
    }

    fn weighted_dimensions(&self) -> usize {
        self.dimensions.iter().filter(|&&(rule, _)| self.rules[rule].weight > 0).count()
    }

    /// Part 4 (b) of the design: no teams, one difference that never becomes optional, equalities that never do,
    /// a region rule without weight.
    fn qualifies_for_window_search(&self) -> bool {
        let mut differences = 0;
        let fits = self.rules.iter().zip(&self.spec.rules).all(|(rule, raw)| match rule.kind {
            Kind::Difference(..) => {
                differences += 1;
                raw.optional_after.is_none()
            }
            Kind::Equality(..) => raw.optional_after.is_none(),
            Kind::Region(_) => rule.weight == 0,
            _ => false,
        });
        fits && differences == 1 && !self.shape.has_teams
    }

    /// The greatest age that a ticket of the queue can be matched at, plus 1 ms; `None`: any.
    pub fn age_end(&self) -> Option<Millis> {
        self.spec.timeout
    }
}

/// The index of an equal slot, which is added if there is none.
fn slot_of<T: PartialEq>(slots: &mut Vec<T>, slot: T) -> usize {
    if let Some(index) = slots.iter().position(|other| *other == slot) {
        return index;
    }
    slots.push(slot);
    slots.len() - 1
}
