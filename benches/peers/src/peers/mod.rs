//! The ways to match.
//!
//! | file | what |
//! | --- | --- |
//! | `pairwise` | objects with dictionaries of pings, everybody against everybody |
//! | `first_fit`, `best_fit` | plain records, the first or the nearest partner |
//! | `sweep` | sorted by skill, next neighbours |
//! | `colyseus` | the regroup step of Colyseus' QueueRoom |
//! | `engine` | evenmatch |

mod best_fit;
mod colyseus;
mod engine;
mod first_fit;
mod pairwise;
mod sweep;

use crate::stopwatch::{Start, Stopwatch};
use crate::trace::{Pair, Trace};
use std::time::Duration;

/// The name of the peer that needs node.
pub const COLYSEUS: &str = "Colyseus QueueRoom";

/// The harness's own clock.
struct Watch(Stopwatch);

impl Watch {
    fn new() -> Watch {
        Watch(Stopwatch::new(false))
    }

    fn start(&self) -> Start {
        self.0.start()
    }

    /// The time since, without what other processes took.
    fn took(&self, start: Start) -> Duration {
        Duration::from_nanos(self.0.lap(start).ns)
    }
}

/// What one turn came to.
pub struct Answer {
    /// Until all tickets stand in the matcher's own form; 0 where that form is the trace.
    pub taking_in: Duration,
    /// The matching itself.
    pub matching: Duration,
    /// Until the host has all matches; 0 where the matching returns them.
    pub handing_over: Duration,
    pub pairs: Vec<Pair>,
}

impl Answer {
    /// A matching that needs neither.
    fn of(matching: Duration, pairs: Vec<Pair>) -> Answer {
        Answer { taking_in: Duration::ZERO, matching, handing_over: Duration::ZERO, pairs }
    }

    pub fn total(&self) -> Duration {
        self.taking_in + self.matching + self.handing_over
    }
}

/// A way to match.
pub trait Peer {
    fn name(&self) -> &'static str;
    /// One sentence on what it does, and under which conditions.
    fn how(&self) -> &'static str;
    /// Whether it is evenmatch.
    fn is_ours(&self) -> bool {
        false
    }
    /// Whether its time grows with the square of the tickets.
    fn is_square(&self) -> bool {
        false
    }
    /// Makes what a turn needs and nobody times.
    fn prepare(&mut self, _trace: &Trace) -> Result<(), String> {
        Ok(())
    }
    /// Matches everybody once.
    fn run(&mut self, trace: &Trace) -> Result<Answer, String>;
}

/// All peers; the first one is what others are held against.
pub fn all(_trace: &Trace) -> Vec<Box<dyn Peer>> {
    vec![
        Box::new(pairwise::Pairwise::default()),
        Box::new(first_fit::FirstFit),
        Box::new(best_fit::BestFit),
        Box::new(sweep::Sweep),
        Box::new(colyseus::Colyseus),
        Box::new(engine::Evenmatch::oldest_first()),
        Box::new(engine::Evenmatch::least_cost()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::judge;

    /// The oldest ticket first, each with the partner of least cost, the older one of two: that is what oldest_first
    /// promises, and what best fit does by looking at everybody.
    #[test]
    fn oldest_first_is_best_fit() {
        for (count, seed) in [(200, 1), (1_000, 2), (3_000, 3)] {
            let trace = Trace::new(count, seed);
            let mut engine = engine::Evenmatch::oldest_first();
            engine.prepare(&trace).expect("an engine is made");
            let ours = engine.run(&trace).expect("it runs").pairs;
            let theirs = best_fit::BestFit.run(&trace).expect("it runs").pairs;
            assert_eq!(ours, theirs, "{count} tickets, seed {seed}");
        }
    }

    #[test]
    fn everybody_but_who_cannot_run_here_comes_to_legal_pairs() {
        let trace = Trace::new(300, 5);
        for mut peer in all(&trace) {
            peer.prepare(&trace).expect("nothing stands in the way");
            match peer.run(&trace) {
                Ok(answer) => {
                    let verdict = judge(&trace, &answer.pairs);
                    assert_eq!(verdict.illegal, 0, "{}", peer.name());
                    assert!(verdict.matched_percent > 80.0, "{}: {}", peer.name(), verdict.matched_percent);
                }
                Err(why) => {
                    assert!(peer.name() == COLYSEUS || why.contains("least_cost"), "{}: {why}", peer.name())
                }
            }
        }
    }
}
