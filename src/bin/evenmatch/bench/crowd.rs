//! Players for the load: the same for the same seed, made outside of every measured time.
//!
//! Used by `pass`. Skill is normal with mean 1500 and deviation 350, clamped to 0..3000 and whole; a ticket's home
//! region is any, 30 to 80 ms away, the others 80 to 250 ms. Invariant: no player comes twice, and what one crowd draws
//! does not depend on any other.

use crate::dice::Dice;
use evenmatch::{PlayerId, PlayerRequest, TicketRequest};

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

/// A stream of tickets.
pub(super) struct Crowd {
    kind: Kind,
    dice: Dice,
    regions: Vec<String>,
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
        let regions = (1..=regions).map(|region| format!("region-{region:02}")).collect();
        Crowd { kind, dice, regions, tickets: 0, players: 0, family }
    }

    /// The next tickets, all with the same word of the host's.
    pub(super) fn batch(&mut self, count: usize, user_data: u64) -> Vec<TicketRequest> {
        (0..count).map(|_| self.ticket().user_data(user_data)).collect()
    }

    fn ticket(&mut self) -> TicketRequest {
        let mut ticket = TicketRequest::new(QUEUE);
        let size = match self.kind {
            Kind::Parties => PARTIES[self.dice.weighted(PARTIES.iter().map(|party| party.1))].0,
            _ => 1,
        };
        for _ in 0..size {
            let player = self.player();
            ticket = ticket.player(player);
        }
        let home = self.dice.below(self.regions.len());
        for (place, region) in self.regions.iter().enumerate() {
            let (least, most) = if place == home { (30, 80) } else { (80, 250) };
            let drawn = (least + self.dice.below(most - least + 1)) as i32;
            let is_fixed = matches!(self.kind, Kind::Equals | Kind::Apart | Kind::Visitors(_));
            ticket.latency.push((region.clone(), if is_fixed { 40 } else { drawn }.into()));
        }
        self.tickets += 1;
        ticket
    }

    fn player(&mut self) -> PlayerRequest {
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
        let player = PlayerRequest::new(id).number("skill", skill);
        match self.kind {
            Kind::Modes => player.string("mode", "ranked"),
            Kind::OddModes => player.string("mode", &format!("mode-{}", self.tickets)),
            Kind::Healers => player.number("healer", 1),
            Kind::Roles => {
                let roles = ["tank", "healer", "damage", "damage", "damage"];
                player.number(roles[self.dice.below(roles.len())], 1)
            }
            _ => player,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_same_seed_brings_the_same_people_and_nobody_twice() {
        let draw = |seed, family| Crowd::new(Kind::Parties, 4, seed, family).batch(500, 7);
        assert_eq!(draw(1, 0), draw(1, 0));
        assert_ne!(draw(1, 0)[0].latency, draw(2, 0)[0].latency);
        let both = [draw(1, 0), draw(1, 1)].concat();
        let players: Vec<PlayerId> =
            both.iter().flat_map(|ticket| &ticket.players).map(|player| player.id).collect();
        assert_eq!(players.iter().collect::<BTreeSet<_>>().len(), players.len());
        let parties = both.iter().filter(|ticket| ticket.players.len() > 1).count();
        assert!((200..400).contains(&parties), "{parties}");
    }

    #[test]
    fn visitors_meet_those_that_stand_apart() {
        let skill = |ticket: &TicketRequest| format!("{:?}", ticket.players[0].attributes);
        let standing: BTreeSet<String> =
            Crowd::new(Kind::Apart, 4, 1, 0).batch(50, 0).iter().map(skill).collect();
        let visitors = Crowd::new(Kind::Visitors(50), 4, 1, 1).batch(100, 0);
        assert_eq!(skill(&visitors[0]), skill(&visitors[1]));
        assert_ne!(skill(&visitors[1]), skill(&visitors[2]));
        assert_eq!(visitors.iter().map(skill).collect::<BTreeSet<_>>(), standing);
    }
}
