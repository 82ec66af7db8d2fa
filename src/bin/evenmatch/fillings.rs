//! What generated players bring for a queue's attributes: ratings, roles, words and lists.
//!
//! Used by `traffic`. A filling is planned once from the queue file, then asked for every player. Invariants:
//! values lie in their declared range with the declared digits; members of a party agree where an equality
//! asks them to and share a value where an intersection does; a party never takes more of a role than a team
//! may have.

use crate::dice::Dice;
use evenmatch::base::fixed::{Decimal, Fixed};
use evenmatch::model::attribute::{AttributeDefault, AttributeSpec, AttributeType, AttributeValue};
use evenmatch::rules::spec::{Missing, QueueSpec, RuleKind, TotalScope};
use evenmatch::rules::validate::full_size;

/// How the ratings are spread; `None`: from the attribute's default and range.
#[derive(Clone, Copy, Default)]
pub(crate) struct SkillShape {
    /// The mean of the ratings.
    pub(crate) mean: Option<f64>,
    /// Their standard deviation.
    pub(crate) deviation: Option<f64>,
    /// The share of players who are new and have the default rating.
    pub(crate) default_share: f64,
}

/// How one attribute is filled in.
enum Filling {
    /// A rating.
    Rating { mean: f64, deviation: f64, min: f64, max: f64, decimals: u8, default_share: f64 },
    /// One of the roles: who plays this one has 1.
    Role { wanted: f64, team_max: u32 },
    /// One word for the whole ticket.
    Word { words: Vec<Option<String>>, missing_share: f64 },
    /// A list; the ticket's members share its first word.
    List { words: Vec<String>, missing_share: f64 },
}

/// The plan for all attributes of a queue.
pub(crate) struct Fillings {
    plans: Vec<(String, Filling)>,
    /// How many players of a team the roles leave without one.
    without_role: f64,
}

/// What the members of one ticket have in common, drawn before its first player.
pub(crate) struct TicketMood {
    /// The ticket's level, in deviations from the mean.
    level: f64,
    /// By attribute: the common word, if there is one.
    words: Vec<Option<String>>,
    /// By attribute: how many more may take the role.
    places: Vec<u32>,
}

/// How far the ratings of friends lie apart, in deviations of all ratings.
const FRIENDS_DEVIATION: f64 = 0.35;
/// What the ticket's own level counts, so that ratings have the deviation asked for: `sqrt(1 - 0.35^2)`.
const TICKET_DEVIATION: f64 = 0.936_75;
/// The share of tickets that do not care, where a rule lets them.
const DO_NOT_CARE_SHARE: f64 = 0.25;
/// How much less often each next word of a list is chosen.
const WORD_DECLINE: f64 = 0.6;

impl Fillings {
    /// Plans for the declared attributes of `spec`.
    pub(crate) fn new(spec: &QueueSpec, shape: SkillShape) -> Fillings {
        let mut shape = shape;
        let mut plans = Vec::new();
        for (index, attribute) in spec.attributes.iter().enumerate() {
            let filling = match attribute.kind {
                AttributeType::Number | AttributeType::Integer => match role_of(spec, index) {
                    Some(role) => role,
                    None => {
                        let rating = rating_of(attribute, shape);
                        // A mean that was asked for is that of the first rating.
                        shape = SkillShape { mean: None, deviation: None, ..shape };
                        rating
                    }
                },
                AttributeType::String => Filling::Word {
                    words: words_of(attribute),
                    missing_share: missing_share(spec, index, attribute),
                },
                AttributeType::StringList => Filling::List {
                    words: vocabulary(&attribute.name),
                    missing_share: missing_share(spec, index, attribute),
                },
            };
            plans.push((attribute.name.clone(), filling));
        }
        let without_role = without_role(spec, &plans);
        Fillings { plans, without_role }
    }

    /// Draws what a ticket's members have in common.
    pub(crate) fn mood(&self, dice: &mut Dice) -> TicketMood {
        let mut mood = TicketMood { level: dice.normal(), words: Vec::new(), places: Vec::new() };
        for (_, filling) in &self.plans {
            let (word, places) = match filling {
                Filling::Rating { .. } => (None, 0),
                Filling::Role { team_max, .. } => (None, *team_max),
                Filling::Word { words, missing_share } => (pick(words, *missing_share, dice).flatten(), 0),
                Filling::List { words, missing_share } => (pick(words, *missing_share, dice), 0),
            };
            mood.words.push(word);
            mood.places.push(places);
        }
        mood
    }

    /// Draws the attributes of one more player of the ticket.
    pub(crate) fn player(&self, mood: &mut TicketMood, dice: &mut Dice) -> Vec<(String, AttributeValue)> {
        let role = self.take_role(mood, dice);
        let mut values = Vec::new();
        for (index, (name, filling)) in self.plans.iter().enumerate() {
            let value = match filling {
                Filling::Rating { mean, deviation, min, max, decimals, default_share } => {
                    let level = TICKET_DEVIATION * mood.level + FRIENDS_DEVIATION * dice.normal();
                    let newcomer = dice.chance(*default_share);
                    let rating = (mean + deviation * level).clamp(*min, *max);
                    (!newcomer).then(|| AttributeValue::Number(rounded(rating, *decimals)))
                }
                Filling::Role { .. } => {
                    (role == Some(index)).then(|| AttributeValue::Number(Decimal::from(1)))
                }
                Filling::Word { .. } => mood.words[index].clone().map(AttributeValue::String),
                Filling::List { words, .. } => mood.words[index]
                    .as_ref()
                    .map(|first| AttributeValue::StringList(list(first, words, dice))),
            };
            values.extend(value.map(|value| (name.clone(), value)));
        }
        values
    }

    /// Chooses a role that the party may still have, in proportion to how many a team needs.
    fn take_role(&self, mood: &mut TicketMood, dice: &mut Dice) -> Option<usize> {
        let weight = |index: usize, filling: &Filling| match filling {
            Filling::Role { wanted, .. } if mood.places[index] > 0 => *wanted,
            _ => 0.0,
        };
        let weights = self.plans.iter().enumerate().map(|(index, (_, filling))| weight(index, filling));
        let mut weights: Vec<f64> = weights.collect();
        if weights.iter().all(|&weight| weight == 0.0) {
            return None;
        }
        // Where the roles do not fill a team, the others have none.
        weights.push(self.without_role);
        let role = dice.weighted(weights.iter().copied());
        *mood.places.get_mut(role)? -= 1;
        Some(role)
    }
}

/// A word of the vocabulary, or none for those who do not care.
fn pick<T: Clone>(words: &[T], missing_share: f64, dice: &mut Dice) -> Option<T> {
    if dice.chance(missing_share) {
        return None;
    }
    let weights = (0..words.len()).map(|place| libm::pow(WORD_DECLINE, place as f64));
    words.get(dice.weighted(weights)).cloned()
}

/// The ticket's word and up to three more, in the order of the vocabulary.
fn list(first: &str, words: &[String], dice: &mut Dice) -> Vec<String> {
    let chosen = |word: &&String| word.as_str() == first || dice.chance(0.4);
    words.iter().filter(chosen).take(8).cloned().collect()
}

/// A rating's spread, from what was asked for, else from the attribute.
fn rating_of(attribute: &AttributeSpec, shape: SkillShape) -> Filling {
    let default = match &attribute.default {
        Some(AttributeDefault::Number(value)) => Some(value.to_f64()),
        _ => None,
    };
    let (min, max) = (attribute.min.map(Fixed::to_f64), attribute.max.map(Fixed::to_f64));
    let range = min.zip(max).map(|(min, max)| max - min);
    // A default in the midst of the range is where ratings start from; one at its edge is where levels do.
    let interior = |value: &f64| match (min, range) {
        (Some(min), Some(range)) => (0.1..=0.9).contains(&((value - min) / range)),
        _ => true,
    };
    let centre = default.filter(interior);
    let fallback = min.zip(range).map_or(1000.0, |(min, range)| min + 0.3 * range);
    let mean = shape.mean.or(centre).unwrap_or(fallback);
    let natural = match (range, centre) {
        (Some(range), Some(_)) => range / 14.0,
        (Some(range), None) => range / 6.0,
        (None, _) => mean.abs() / 5.0,
    };
    Filling::Rating {
        mean,
        deviation: shape.deviation.unwrap_or(natural),
        min: min.unwrap_or(Fixed::MIN.to_f64()),
        max: max.unwrap_or(Fixed::MAX.to_f64()),
        decimals: attribute.decimals,
        default_share: if default.is_some() { shape.default_share } else { 0.0 },
    }
}

/// How many players of a team, or of a match where roles are counted over it, the roles leave without one.
fn without_role(spec: &QueueSpec, plans: &[(String, Filling)]) -> f64 {
    let over_match = spec.rules.iter().any(|rule| {
        matches!(rule.kind, RuleKind::Total { attribute: Some(of), per: TotalScope::Match, .. }
            if matches!(plans[of].1, Filling::Role { .. }))
    });
    let team = spec.teams.iter().map(|team| team.players_max).max();
    let size = team.filter(|_| !over_match).or(full_size(spec)).unwrap_or(0);
    let wanted: f64 = plans
        .iter()
        .map(|(_, filling)| match filling {
            Filling::Role { wanted, .. } => *wanted,
            _ => 0.0,
        })
        .sum();
    (f64::from(size) - wanted).max(0.0)
}

/// The role that a number stands for which a total counts and nothing else reads: 0 or 1 as declared, or without
/// a declared range.
fn role_of(spec: &QueueSpec, index: usize) -> Option<Filling> {
    let attribute = &spec.attributes[index];
    let is_compared = spec.rules.iter().any(|rule| match rule.kind {
        RuleKind::Difference { attribute, .. } | RuleKind::TeamDifference { attribute, .. } => {
            attribute == index
        }
        _ => false,
    });
    let flag = match (attribute.min, attribute.max) {
        (Some(min), Some(max)) => min == Fixed::ZERO && max == Fixed::ONE,
        (None, None) => !is_compared,
        _ => false,
    };
    let bounds = spec.rules.iter().find_map(|rule| match &rule.kind {
        RuleKind::Total { attribute: Some(of), bounds, .. } if *of == index => Some(bounds),
        _ => None,
    })?;
    let count =
        |bound: Option<Fixed>| bound.map(|bound| (bound.micros() / Fixed::ONE.micros()).clamp(0, 64) as u32);
    flag.then(|| Filling::Role {
        wanted: f64::from(count(bounds.min).or(count(bounds.max)).unwrap_or(1).max(1)),
        team_max: count(bounds.max).unwrap_or(64),
    })
}

/// The share of tickets that bring no value: some where a rule takes them anyway, none where it does not.
fn missing_share(spec: &QueueSpec, index: usize, attribute: &AttributeSpec) -> f64 {
    let asked = |kind: &RuleKind| match kind {
        RuleKind::Equality { attribute, missing, .. } | RuleKind::Intersection { attribute, missing, .. } => {
            *attribute == index && *missing == Missing::Default
        }
        _ => false,
    };
    let needed = spec.rules.iter().any(|rule| asked(&rule.kind));
    if needed || attribute.default.is_some() { 0.0 } else { DO_NOT_CARE_SHARE }
}

/// The words of a string; the default is the most frequent one, and is left out of the trace.
fn words_of(attribute: &AttributeSpec) -> Vec<Option<String>> {
    let words = vocabulary(&attribute.name);
    match &attribute.default {
        Some(AttributeDefault::String(default)) => std::iter::once(None)
            .chain(words.into_iter().filter(|word| word != default).take(1).map(Some))
            .collect(),
        _ => words.into_iter().map(Some).collect(),
    }
}

/// Words for an attribute of that name, the most frequent first.
fn vocabulary(name: &str) -> Vec<String> {
    let known: &[&str] = match name {
        "mode" | "modes" | "game_mode" => &["conquest", "control", "escort"],
        "map" | "maps" => &["harbor", "quarry", "tundra", "canyon", "metro", "orbit"],
        "dungeon" | "dungeons" => &["crypt", "forge", "spire", "hollow", "abyss"],
        "language" | "languages" => &["en", "es", "de", "fr", "pt", "ja"],
        "platform" | "platforms" => &["pc", "console", "mobile"],
        "input" => &["pad", "mouse"],
        "build" | "version" => &["1.0", "1.1"],
        _ => &[],
    };
    if known.is_empty() {
        return (1..=4).map(|number| format!("{name}_{number}")).collect();
    }
    known.iter().map(|&word| word.to_owned()).collect()
}

/// The rating with the attribute's digits.
fn rounded(rating: f64, decimals: u8) -> Decimal {
    Decimal::from_f64(rating).round(decimals).map_or(Decimal::from_int(0), Decimal::from)
}
