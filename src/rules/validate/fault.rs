//! What is wrong with a queue, and the places that it names. Made by the checks beside this file.

use crate::model::limits::STRING_BYTES_MAX;

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

/// The faults found so far.
#[derive(Default)]
pub(super) struct Faults(Vec<SpecFault>);

impl Faults {
    pub(super) fn add(
        &mut self,
        place: impl Into<String>,
        found: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.0.push(SpecFault { place: place.into(), found: found.into(), remedy: remedy.into() });
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn into_list(self) -> Vec<SpecFault> {
        self.0
    }

    /// A name of 1 to 256 bytes.
    pub(super) fn name(&mut self, place: &str, name: &str, what: &str) {
        let max = STRING_BYTES_MAX;
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

/// A key as it stands in a place: as it is if it is made of ASCII letters, digits, `_` and `-`, else quoted
/// in brackets. Not preceded by a dot; [`join_place`] adds it where it belongs.
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
