//! Judges a queue before it is compiled: [`validate`] says everything that is wrong with it, [`warnings`] what
//! is legal but hardly meant.
//!
//! Called by the readers of queue files, which map each place back to a line and column, and by the engine for
//! queues that a host built by hand. Invariant: a queue without faults has at least one legal match size, every
//! attribute that a rule names exists and fits, every window is bounded, and all products of the queue's sizes
//! stay within the stated maxima, so that `compile` cannot fail on it.

mod attribute;
mod queue;
mod rule;
mod size;
#[cfg(test)]
mod tests;
mod window;

use super::spec::QueueSpec;
pub use size::{full_size, legal_sizes};

/// One thing that is wrong with a queue.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpecFault {
    /// Where, as the JSON path of the native queue file: `rules[2].expand.linear.cap`.
    pub place: String,
    /// What stands there.
    pub found: String,
    /// What would be legal.
    pub remedy: String,
}

/// Everything that is wrong with the queue; empty if it is legal. Stops looking into a list at its maximum.
pub fn validate(spec: &QueueSpec) -> Vec<SpecFault> {
    let mut faults = Faults(Vec::new());
    queue::check(&mut faults, spec);
    size::check(&mut faults, spec);
    attribute::check(&mut faults, spec);
    rule::check(&mut faults, spec);
    faults.0
}

/// What is legal in the queue but has no effect, or hardly the one that was meant.
pub fn warnings(spec: &QueueSpec) -> Vec<SpecFault> {
    let mut faults = Faults(Vec::new());
    queue::warn(&mut faults, spec);
    rule::warn(&mut faults, spec);
    faults.0
}

/// The faults found so far.
struct Faults(Vec<SpecFault>);

impl Faults {
    fn add(&mut self, place: impl Into<String>, found: impl Into<String>, remedy: impl Into<String>) {
        self.0.push(SpecFault { place: place.into(), found: found.into(), remedy: remedy.into() });
    }

    /// A name of 1 to 256 bytes.
    fn name(&mut self, place: &str, name: &str, what: &str) {
        let max = crate::model::limits::STRING_BYTES_MAX;
        if name.is_empty() {
            self.add(place, "an empty name", format!("a {what} name has 1 to {max} bytes"));
        } else if name.len() > max {
            self.add(
                place,
                format!("a name of {} bytes", name.len()),
                format!("a {what} name has 1 to {max} bytes"),
            );
        }
    }
}

/// Bytes of one key that [`place_key`] shows.
const KEY_BYTES_SHOWN: usize = 256;

/// A key as it stands in a place: as it is if it is made of ASCII letters, digits, `_` and `-`, else quoted in
/// brackets. Not preceded by a dot; [`join_place`] adds it where it belongs.
pub fn place_key(key: &str) -> String {
    if !key.is_empty() && key.len() <= KEY_BYTES_SHOWN && key.bytes().all(is_plain) {
        return key.to_owned();
    }
    let mut cut = key.len().min(KEY_BYTES_SHOWN);
    while !key.is_char_boundary(cut) {
        cut -= 1;
    }
    let more = if cut < key.len() { ".." } else { "" };
    format!("[{:?}{more}]", &key[..cut])
}

/// The place of `key` in the object at `place`.
pub fn join_place(place: &str, key: &str) -> String {
    let key = place_key(key);
    if place.is_empty() || key.starts_with('[') { format!("{place}{key}") } else { format!("{place}.{key}") }
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}
