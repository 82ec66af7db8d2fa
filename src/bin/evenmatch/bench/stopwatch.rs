//! Time spent inside calls of the engine, without the time in which the system ran something else.
//!
//! Used by `pass` around every group of calls. Linux says in `/proc/self/schedstat` how long the main thread has stood
//! ready while other processes had its processor; that much is taken off a lap and told apart, so that figures of a
//! busy machine say something about the engine. Elsewhere, and for laps too short for it, a lap is what the clock says.
//!
//! Invariant: reading the file lies outside of every lap.

use std::fs::File;
use std::time::Instant;

/// Where Linux tells it.
const SCHEDSTAT: &str = "/proc/self/schedstat";

/// A clock for laps.
pub(super) struct Stopwatch {
    /// `None`: laps are what the clock says.
    schedstat: Option<File>,
}

/// The beginning of a lap.
#[derive(Clone, Copy)]
pub(super) struct Start {
    at: Instant,
    waited_ns: u64,
}

/// One lap, in nanoseconds.
#[derive(Clone, Copy, Default)]
pub(super) struct Lap {
    /// Without what the system ran meanwhile.
    pub(super) ns: u64,
    /// What the system ran meanwhile.
    pub(super) elsewhere_ns: u64,
}

impl Stopwatch {
    /// A clock that leaves out what other processes took, where the system tells it. `is_fine`: laps are shorter than
    /// the microsecond that asking costs, so it is not asked.
    pub(super) fn new(is_fine: bool) -> Stopwatch {
        Stopwatch { schedstat: if is_fine { None } else { File::open(SCHEDSTAT).ok() } }
    }

    /// Begins a lap.
    pub(super) fn start(&self) -> Start {
        let waited_ns = self.waited_ns();
        Start { at: Instant::now(), waited_ns }
    }

    /// Ends the lap.
    pub(super) fn lap(&self, start: Start) -> Lap {
        let wall_ns = start.at.elapsed().as_nanos() as u64;
        let elsewhere_ns = self.waited_ns().saturating_sub(start.waited_ns).min(wall_ns);
        Lap { ns: wall_ns - elsewhere_ns, elsewhere_ns }
    }

    /// How long the main thread has waited for a processor since its start.
    fn waited_ns(&self) -> u64 {
        self.schedstat.as_ref().and_then(waited_ns).unwrap_or(0)
    }
}

/// The second number of the file.
#[cfg(unix)]
fn waited_ns(file: &File) -> Option<u64> {
    use std::os::unix::fs::FileExt;
    let mut bytes = [0; 96];
    let length = file.read_at(&mut bytes, 0).ok()?;
    let text = std::str::from_utf8(bytes.get(..length)?).ok()?;
    text.split_ascii_whitespace().nth(1)?.parse().ok()
}

/// No such file.
#[cfg(not(unix))]
fn waited_ns(_: &File) -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn laps_add_up_to_the_clock() {
        for is_fine in [false, true] {
            let watch = Stopwatch::new(is_fine);
            let clock = Instant::now();
            let start = watch.start();
            let mut word = 1_u64;
            for step in 0..100_000_u64 {
                word = std::hint::black_box(word.wrapping_mul(step | 1));
            }
            let lap = watch.lap(start);
            assert!(lap.ns > 0);
            assert!(u128::from(lap.ns + lap.elsewhere_ns) <= clock.elapsed().as_nanos());
        }
    }
}
