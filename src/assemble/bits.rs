//! A set of candidates of one search, a bit each.
//!
//! Used by `gather`, `sums` and `reach`. Free functions over four words, which stay in registers.

/// Candidates that one search looks at, at most.
pub(super) const CANDIDATES_MAX: usize = 256;

/// A set of candidates.
pub(super) type Bits = [u64; CANDIDATES_MAX / 64];

/// The candidate that comes first.
pub(super) fn first_bit(bits: &Bits) -> Option<usize> {
    let word = bits.iter().position(|&word| word != 0)?;
    Some(word * 64 + bits[word].trailing_zeros() as usize)
}

/// Puts a candidate in.
pub(super) fn set(bits: &mut Bits, at: usize) {
    bits[at / 64] |= 1 << (at % 64);
}

/// Takes a candidate out.
pub(super) fn clear(bits: &mut Bits, at: usize) {
    bits[at / 64] &= !(1 << (at % 64));
}

/// Those in both.
pub(super) fn and(a: &Bits, b: &Bits) -> Bits {
    std::array::from_fn(|word| a[word] & b[word])
}

/// Those in either.
pub(super) fn or(a: &Bits, b: &Bits) -> Bits {
    std::array::from_fn(|word| a[word] | b[word])
}

/// Those in the first only.
pub(super) fn without(a: &Bits, b: &Bits) -> Bits {
    std::array::from_fn(|word| a[word] & !b[word])
}

/// Whether there are none.
pub(super) fn is_empty(bits: &Bits) -> bool {
    bits.iter().all(|&word| word == 0)
}

/// How many there are.
pub(super) fn count(bits: &Bits) -> u32 {
    bits.iter().map(|word| word.count_ones()).sum()
}

/// The candidates of a set, in ascending order.
pub(super) fn bits_of(bits: &Bits) -> impl Iterator<Item = usize> + Clone {
    let mut rest = *bits;
    std::iter::from_fn(move || {
        let at = first_bit(&rest)?;
        clear(&mut rest, at);
        Some(at)
    })
}
