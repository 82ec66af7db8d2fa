//! Players for the load: the same for the same seed, made outside of every measured time.
//!
//! Used by `pass`. Skill is normal with mean 1500 and deviation 350, clamped to 0..3000 and whole; a ticket's home
//! region is any, 30 to 80 ms away, the others 80 to 250 ms. Invariant: no player comes twice, and what one crowd draws
//! does not depend on any other.

use super::door::ROLES;
use crate::dice::Dice;
use evenmatch::PlayerId;

/// The name of every queue of the load.
pub(super) const QUEUE: &str = "load";

/// How far apart the skills of tickets stand that never meet: beyond the cap of every window.
pub(super) const APART: i32 = 950;
/// The skill of the first of them: beyond that of everybody else.
const APART_FIRST: i32 = 10_000;
/// So many of them fit below the greatest number, 10^9.
pub(super) const APART_MAX: usize = 1_000_000;

/// Sizes of parties out of a hundred tickets.
const PARTIES: [(usize, f64); 5] = [(1, 70.0), (2, 18.0), (3, 7.0), (4, 3.0), (5, 2.0)];

/// Who comes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Single players.
    Singles,
    /// Single players who all have the same skill and the same pings.
    Equals,
    /// Single players with a mode that all share.
    Modes,
    /// Single players each with a mode that nobody else has.
    OddModes,
    /// Single players whose skills stand too far apart for any two.
    Apart,
    /// For each of so many that stand apart, by turns: one who meets it, and one who takes its place.
    Visitors(usize),
    /// Parties of one to five.
    Parties,
    /// Single players with a role each: one tank, one healer and three who do damage out of five.
    Roles,
    /// Single players who all heal.
    Healers,
}

/// A ticket to be.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Party {
    pub(super) players: Vec<Person>,
    /// By region.
    pub(super) pings_ms: Vec<i32>,
}

/// One of its players.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Person {
    pub(super) id: PlayerId,
    pub(super) skill: i32,
    /// Place in [`ROLES`].
    pub(super) role: Option<usize>,
    pub(super) mode: Option<Mode>,
}

/// What a player wants to play.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Mode {
    /// What others want, too.
    Ranked,
    /// What nobody else wants.
    Odd(usize),
}

/// A stream of tickets.
pub(super) struct Crowd {
    kind: Kind,
    dice: Dice,
    regions: usize,
    /// Tickets so far.
    tickets: usize,
    /// Players so far, of this crowd.
    players: u64,
    /// Sets the ids of this crowd's players apart from those of others.
    family: u64,
}

impl Crowd {
    /// A crowd of that kind, over so many regions; crowds of one engine have different families.
    pub(super) fn new(kind: Kind, regions: usize, seed: u64, family: u64) -> Crowd {
        let dice = Dice::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ family);
        Crowd { kind, dice, regions, tickets: 0, players: 0, family }
    }

    fn player(&mut self) -> Person {
        // An odd factor modulo 2^128: ids look like a platform's, and no two are equal.
        let number = u128::from(self.players) | u128::from(self.family) << 64;
        let id = PlayerId(number.wrapping_mul(0x2d99_787f_9265_0e9d_4bd1_4c6f_4f1b_cca7));
        self.players += 1;
        let drawn = (1500.0 + 350.0 * self.dice.normal()).clamp(0.0, 3000.0) as i32;
        let skill = match self.kind {
            Kind::Equals => 1500,
            Kind::Apart => APART_FIRST + APART * self.tickets as i32,
            // A stride without a common divisor with any usual count: neighbours in time are none in skill.
            Kind::Visitors(count) => APART_FIRST + APART * ((self.tickets / 2 * 7919) % count.max(1)) as i32,
            _ => drawn,
        };
        let mode = match self.kind {
            Kind::Modes => Some(Mode::Ranked),
            Kind::OddModes => Some(Mode::Odd(self.tickets)),
            _ => None,
        };
        let role = match self.kind {
            Kind::Healers => Some(1),
            // One of five tanks, one heals, and three do damage.
            Kind::Roles => Some(self.dice.below(5).min(ROLES.len() - 1)),
            _ => None,
        };
        Person { id, skill, role, mode }
    }
}

impl Iterator for Crowd {
    type Item = Party;

    /// The next ticket; there is always one.
    fn next(&mut self) -> Option<Party> {
        let size = match self.kind {
            Kind::Parties => PARTIES[self.dice.weighted(PARTIES.iter().map(|party| party.1))].0,
            _ => 1,
        };
        let players = (0..size).map(|_| self.player()).collect();
        let home = self.dice.below(self.regions);
        let is_fixed = matches!(self.kind, Kind::Equals | Kind::Apart | Kind::Visitors(_));
        let mut ping = |place: usize| {
            let (least, most) = if place == home { (30, 80) } else { (80, 250) };
            let drawn = (least + self.dice.below(most - least + 1)) as i32;
            if is_fixed { 40 } else { drawn }
        };
        let pings_ms = (0..self.regions).map(&mut ping).collect();
        self.tickets += 1;
        Some(Party { players, pings_ms })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_same_seed_brings_the_same_people_and_nobody_twice() {
        let draw =
            |seed, family| Crowd::new(Kind::Parties, 4, seed, family).take(500).collect::<Vec<Party>>();
        assert_eq!(draw(1, 0), draw(1, 0));
        assert_ne!(draw(1, 0)[0].pings_ms, draw(2, 0)[0].pings_ms);
        let both = [draw(1, 0), draw(1, 1)].concat();
        let players: Vec<PlayerId> =
            both.iter().flat_map(|party| &party.players).map(|player| player.id).collect();
        assert_eq!(players.iter().collect::<BTreeSet<_>>().len(), players.len());
        let parties = both.iter().filter(|party| party.players.len() > 1).count();
        assert!((200..400).contains(&parties), "{parties}");
    }

    #[test]
    fn visitors_meet_those_that_stand_apart() {
        let skills = |kind, family, count| {
            let crowd = Crowd::new(kind, 4, 1, family).take(count);
            crowd.map(|party| party.players[0].skill).collect::<Vec<i32>>()
        };
        let standing: BTreeSet<i32> = skills(Kind::Apart, 0, 50).into_iter().collect();
        let visitors = skills(Kind::Visitors(50), 1, 100);
        assert_eq!(visitors[0], visitors[1]);
        assert_ne!(visitors[1], visitors[2]);
        assert_eq!(visitors.into_iter().collect::<BTreeSet<_>>(), standing);
    }
}
