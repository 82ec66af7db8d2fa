//! The players who wait, and the rules by which they may meet: the same for all peers.
//!
//! Skill is normal with mean 1500 and deviation 350, clamped to 0..3000 and whole; a home region of four, 30 to 80 ms
//! away, the others 80 to 250 ms. They came evenly over the last twenty seconds, so windows differ: 100 at first, 20
//! more every two seconds, at most 300.

use evenmatch::PlayerId;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The regions; their order is that of their names.
pub const REGIONS: [&str; 4] = ["ap", "eu", "us-east", "us-west"];
/// The greatest round trip.
pub const PING_MS: u16 = 120;
/// When all are matched, and over which time they came.
pub const NOW_MS: u64 = 20_000;

/// The queue as evenmatch and its judge read it; `selection` is one of theirs.
pub fn queue(selection: &str) -> String {
    format!(
        r#"{{ "name": "peers", "teams": [{{ "name": "side", "count": 2, "players": 1 }}],
            "attributes": {{ "skill": {{ "type": "number", "min": 0, "max": 3000 }} }},
            "rules": [
              {{ "name": "skill", "type": "difference", "attribute": "skill", "max": 100,
                "expand": {{ "linear": {{ "add": 20, "every_s": 2, "cap": 300 }} }} }},
              {{ "name": "ping", "type": "region", "max_ms": {PING_MS} }}
            ],
            "selection": "{selection}" }}"#
    )
}

/// One player who waits alone.
#[derive(Clone, Copy, Debug)]
pub struct Ticket {
    pub player: PlayerId,
    pub skill: u16,
    /// By region.
    pub pings: [u16; REGIONS.len()],
    pub enqueued_ms: u64,
    /// How far apart in skill his partner may be, at his age.
    pub window: u16,
}

/// Everybody, the oldest first.
pub struct Trace {
    pub tickets: Vec<Ticket>,
    pub seed: u64,
}

/// Two players and where they play: places in the trace, and in [`REGIONS`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pair {
    pub a: usize,
    pub b: usize,
    pub region: usize,
}

impl Trace {
    /// So many players.
    pub fn new(count: usize, seed: u64) -> Trace {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let ticket = |place: usize| {
            let mut below = |count: u64| ((u128::from(random.next_u64()) * u128::from(count)) >> 64) as u16;
            let home = usize::from(below(REGIONS.len() as u64));
            let mut pings = [0; REGIONS.len()];
            for (region, ping) in pings.iter_mut().enumerate() {
                *ping = if region == home { 30 + below(51) } else { 80 + below(171) };
            }
            let mut unit = || (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
            let (radius, turn) = ((-2.0 * (1.0 - unit()).ln()).sqrt(), unit());
            let normal = radius * (std::f64::consts::TAU * turn).cos();
            let enqueued_ms = NOW_MS * place as u64 / count as u64;
            Ticket {
                // An odd factor modulo 2^128: ids look like a platform's, and no two are equal.
                player: PlayerId((place as u128 + 1).wrapping_mul(0x2d99_787f_9265_0e9d_4bd1_4c6f_4f1b_cca7)),
                skill: (1500.0 + 350.0 * normal).clamp(0.0, 3000.0) as u16,
                pings,
                enqueued_ms,
                window: (100 + 20 * ((NOW_MS - enqueued_ms) / 2_000) as u16).min(300),
            }
        };
        Trace { tickets: (0..count).map(ticket).collect(), seed }
    }
}

impl Ticket {
    /// Whether the skills of both allow it.
    pub fn is_near(&self, other: &Ticket) -> bool {
        self.skill.abs_diff(other.skill) <= self.window.min(other.window)
    }

    /// The region that is near enough for both, with the least sum of round trips, then the least worse one, then the
    /// first; and that sum.
    pub fn meets_in(&self, other: &Ticket) -> Option<(usize, u16)> {
        let mut best: Option<(u16, u16, usize)> = None;
        for (region, (&own, &his)) in self.pings.iter().zip(&other.pings).enumerate() {
            let found = (own + his, own.max(his), region);
            if found.1 <= PING_MS && best.is_none_or(|best| found < best) {
                best = Some(found);
            }
        }
        best.map(|(sum, _, region)| (region, sum))
    }
}
