//! Whether parties fit into teams at all: sizes only, no rule.
//!
//! Asked by the gathering of tickets before one more is taken, so that a party that cannot be seated is skipped
//! and not waited for. Invariant: "no" is certain; "yes" may be wrong only after the count of nodes is used up,
//! and the split search has the last word.

use crate::model::limits::TICKET_PLAYERS_MAX;
use crate::rules::shape::Shape;

/// Nodes of one exact packing: chosen, not measured, so that a hopeless mix of many parties costs little.
const NODES: u32 = 5_000;

/// Seats parties; keeps its memory between calls.
#[derive(Default)]
pub(super) struct Seats {
    /// How many parties of each size, 0 to 64 players.
    counts: Vec<u32>,
    players: u32,
    capacity: u32,
    room: Vec<u32>,
    nodes_left: u32,
}

impl Seats {
    /// Begins anew with empty teams.
    pub(super) fn reset(&mut self, shape: &Shape) {
        self.counts.clear();
        self.counts.resize(TICKET_PLAYERS_MAX + 1, 0);
        self.players = 0;
        self.capacity = shape.positions.iter().map(|position| position.max).sum();
    }

    /// Takes a party in.
    pub(super) fn add(&mut self, size: u32) {
        self.counts[size as usize] += 1;
        self.players += size;
    }

    /// Takes a party out.
    pub(super) fn remove(&mut self, size: u32) {
        self.counts[size as usize] -= 1;
        self.players -= size;
    }

    /// Whether all parties taken in can be seated, each whole in one team.
    pub(super) fn fit(&mut self, shape: &Shape) -> bool {
        if self.players > self.capacity {
            return false;
        }
        if shape.positions.len() == 1 || self.counts[2..].iter().all(|&count| count == 0) {
            return true;
        }
        self.room.clear();
        self.room.extend(shape.positions.iter().map(|position| position.max));
        self.nodes_left = NODES;
        self.seat(self.counts.len() - 1, 0, 0)
    }

    /// Seats the parties of `size` that are left (`seated` are), then the smaller ones; equal rooms are tried
    /// once, and parties of one size take rooms in order. Single players go wherever there is room.
    fn seat(&mut self, size: usize, seated: u32, from: usize) -> bool {
        if size < 2 {
            return true;
        }
        if seated == self.counts[size] {
            return self.seat(size - 1, 0, 0);
        }
        if self.nodes_left == 0 {
            return true;
        }
        self.nodes_left -= 1;
        for at in from..self.room.len() {
            if self.room[at] < size as u32 || self.room[..at].contains(&self.room[at]) && at > from {
                continue;
            }
            self.room[at] -= size as u32;
            let done = self.seat(size, seated + 1, at);
            self.room[at] += size as u32;
            if done {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::spec::{QueueSpec, TeamSpec};

    fn fit(teams: &[u32], parties: &[u32]) -> bool {
        let mut spec = QueueSpec::new("q", 1, 256);
        spec.teams = teams
            .iter()
            .enumerate()
            .map(|(at, &size)| TeamSpec {
                name: format!("t{at}"),
                count: None,
                players_min: size,
                players_max: size,
            })
            .collect();
        let shape = Shape::new(&spec);
        let mut seats = Seats::default();
        seats.reset(&shape);
        for &party in parties {
            seats.add(party);
        }
        seats.fit(&shape)
    }

    #[test]
    fn parties_stay_whole() {
        assert!(fit(&[5, 5], &[3, 2, 4, 1]));
        assert!(!fit(&[5, 5], &[4, 4, 2]));
        assert!(fit(&[5, 5], &[4, 4, 1, 1]));
        assert!(!fit(&[5, 5], &[3, 3, 3]));
        assert!(!fit(&[5, 5], &[6]));
        assert!(fit(&[1, 4], &[4]));
        assert!(fit(&[4, 4, 4], &[2, 2, 2, 2, 2, 2]));
        assert!(!fit(&[3, 3, 3], &[2, 2, 2, 2]));
        assert!(fit(&[6, 5, 4], &[4, 3, 3, 3, 2]));
    }
}
