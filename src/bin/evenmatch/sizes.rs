//! The sizes that a queue's matches can have, in words.
//!
//! Used by `check`. Counts players only: rules may make a size rarer, never legal.

use evenmatch::rules::shape::Shape;

/// The legal sizes of `shape` in words; empty if there is none.
pub(crate) fn legal_sizes(shape: &Shape) -> String {
    in_words(&shape.legal_totals().collect::<Vec<u32>>())
}

/// `sizes` in words: `10`, `2 to 8`, `2 to 50 in steps of 2`, `3, 5 to 7`.
fn in_words(sizes: &[u32]) -> String {
    if let [first, second, .., last] = sizes {
        let step = second - first;
        if step > 1 && sizes.windows(2).all(|pair| pair[1] - pair[0] == step) {
            return format!("{first} to {last} in steps of {step}");
        }
    }
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for &size in sizes {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == size => *last = size,
            _ => runs.push((size, size)),
        }
    }
    let word = |&(first, last): &(u32, u32)| match last - first {
        0 => format!("{first}"),
        1 => format!("{first}, {last}"),
        _ => format!("{first} to {last}"),
    };
    runs.iter().map(word).collect::<Vec<String>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_read_as_ranges() {
        for (sizes, words) in [
            (&[10][..], "10"),
            (&[4, 5], "4, 5"),
            (&[2, 3, 4, 5], "2 to 5"),
            (&[6, 9, 12], "6 to 12 in steps of 3"),
            (&[6, 10], "6, 10"),
            (&[3, 5, 6, 7], "3, 5 to 7"),
            (&[], ""),
        ] {
            assert_eq!(in_words(sizes), words);
        }
    }
}
