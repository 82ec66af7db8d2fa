//! Fixed-point numbers: every value, limit and window of the engine is an integer of 0.000001.
//!
//! Called by every layer that touches a number. Invariant: a [`Fixed`] lies within +-10^9, so sums over 256
//! players and products with a weight stay inside `i128`, and no lane width, order of operations or float
//! library can change an answer. A [`Decimal`] is a number as a caller or a file wrote it, before the rounding
//! of the attribute it belongs to: it keeps just enough of the digits beyond the sixth for that one rounding to
//! be exact, and for "is this a whole number" to be answered.

use std::fmt::{self, Write};

/// Units of 0.000001 in one.
pub const MICROS: i64 = 1_000_000;

/// A number in units of 0.000001, within +-10^9.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Fixed(i64);

impl Fixed {
    /// Zero.
    pub const ZERO: Fixed = Fixed(0);
    /// One.
    pub const ONE: Fixed = Fixed(MICROS);
    /// The greatest number, 10^9.
    pub const MAX: Fixed = Fixed(1_000_000_000 * MICROS);
    /// The least number, -10^9.
    pub const MIN: Fixed = Fixed(-1_000_000_000 * MICROS);

    /// A whole number; clamped to +-10^9.
    pub const fn from_int(value: i64) -> Fixed {
        Fixed::from_micros(value.saturating_mul(MICROS))
    }

    /// `micros` units of 0.000001; clamped to +-10^9.
    pub const fn from_micros(micros: i64) -> Fixed {
        if micros > Fixed::MAX.0 {
            Fixed::MAX
        } else if micros < Fixed::MIN.0 {
            Fixed::MIN
        } else {
            Fixed(micros)
        }
    }

    /// The number in units of 0.000001.
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// The nearest double, for reports only: no decision of the engine is made on it.
    pub fn to_f64(self) -> f64 {
        self.0 as f64 / MICROS as f64
    }

    /// Whether the number has no digits behind the point.
    pub const fn is_whole(self) -> bool {
        self.0 % MICROS == 0
    }

    /// Rounds half up (`floor(x + 0.5)`) to `decimals` (0..=6) digits behind the point.
    pub const fn rounded(self, decimals: u8) -> Fixed {
        Fixed::from_micros(round_to_unit(self.0, unit(decimals)))
    }
}

/// Units of 0.000001 in one step of a number with `decimals` (0..=6) digits behind the point.
pub const fn unit(decimals: u8) -> i64 {
    10_i64.pow(6 - if decimals > 6 { 6 } else { decimals } as u32)
}

/// `micros` rounded half up to a multiple of `unit` (a power of ten).
const fn round_to_unit(micros: i64, unit: i64) -> i64 {
    (micros + unit / 2).div_euclid(unit) * unit
}

/// The mean of `count` numbers whose sum is `sum_micros`, rounded half up to a multiple of `unit_micros`.
pub fn mean_rounded(sum_micros: i128, count: u32, unit_micros: i64) -> Fixed {
    let step = i128::from(unit_micros) * i128::from(count.max(1));
    let rounded = (2 * sum_micros + step).div_euclid(2 * step) * i128::from(unit_micros);
    Fixed::from_micros(rounded as i64)
}

/// Writes `micros` units of 0.000001 with the fewest digits that say it exactly: `4`, `4.2`, `-0.000001`.
pub fn write_micros(out: &mut impl fmt::Write, micros: i128) -> fmt::Result {
    let magnitude = micros.unsigned_abs();
    if micros < 0 {
        out.write_char('-')?;
    }
    write!(out, "{}", magnitude / MICROS as u128)?;
    let mut fraction = magnitude % MICROS as u128;
    if fraction == 0 {
        return Ok(());
    }
    let mut width = 6;
    while fraction.is_multiple_of(10) {
        fraction /= 10;
        width -= 1;
    }
    write!(out, ".{fraction:0width$}")
}

impl fmt::Display for Fixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_micros(f, i128::from(self.0))
    }
}

impl fmt::Debug for Fixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_micros(f, i128::from(self.0))
    }
}

/// What stands behind the sixth digit of a [`Decimal`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rest {
    /// Nothing.
    Zero,
    /// Something below half a unit of 0.000001.
    Below,
    /// Half a unit or more.
    Half,
    /// The number was not finite.
    NotFinite,
}

/// Why a [`Decimal`] is no [`Fixed`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NumberFault {
    /// Not a number, or infinite.
    NotFinite,
    /// Beyond +-10^9.
    TooLarge,
    /// More than six digits behind the point, where none are allowed.
    TooFine,
}

/// A number as it was written: exact to 0.000001, with the one bit more that rounding half up needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decimal {
    /// The number in units of 0.000001, rounded down; beyond +-10^9 it may be any number that is.
    floor: i64,
    rest: Rest,
}

/// Bytes of the shortest decimal form of most numbers.
const TEXT_BYTES_MAX: usize = 48;

/// A short text without an allocation.
struct Text {
    bytes: [u8; TEXT_BYTES_MAX],
    len: usize,
}

impl fmt::Write for Text {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        let place = self.bytes.get_mut(self.len..self.len + part.len()).ok_or(fmt::Error)?;
        place.copy_from_slice(part.as_bytes());
        self.len += part.len();
        Ok(())
    }
}

/// Stands for every magnitude that is far beyond the range of [`Fixed`].
const FAR: i64 = 4_000_000_000_000_000_000;

impl Decimal {
    /// Reads a number by the grammar of JSON (a sign, digits, a fraction, an exponent), exactly.
    ///
    /// Returns `None` if the text is not such a number. Any magnitude and any count of digits is read; what is
    /// out of range shows when the number is used.
    pub fn parse(text: &str) -> Option<Decimal> {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, parse_exponent(exponent)?),
            None => (rest, 0),
        };
        let (whole, fraction) = match mantissa.split_once('.') {
            Some((_, "")) => return None,
            Some((whole, fraction)) => (whole, fraction),
            None => (mantissa, ""),
        };
        let all_digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
        if whole.is_empty()
            || !all_digits(whole)
            || !all_digits(fraction)
            || (whole.len() > 1 && whole.starts_with('0'))
        {
            return None;
        }
        Some(assemble(negative, whole, fraction, exponent))
    }

    /// The number that `value` prints as: its shortest decimal form, so that 0.3 is three tenths.
    pub fn from_f64(value: f64) -> Decimal {
        if !value.is_finite() {
            return Decimal { floor: 0, rest: Rest::NotFinite };
        }
        if value.fract() == 0.0 && value.abs() < 1e12 {
            return Decimal { floor: value as i64 * MICROS, rest: Rest::Zero };
        }
        let mut text = Text { bytes: [0; TEXT_BYTES_MAX], len: 0 };
        let parsed = match write!(text, "{value}") {
            Ok(()) => std::str::from_utf8(&text.bytes[..text.len]).ok().and_then(Decimal::parse),
            // Numbers that take more room are far too great, or too small, for any use.
            Err(_) => Decimal::parse(&value.to_string()),
        };
        parsed.unwrap_or(Decimal { floor: 0, rest: Rest::NotFinite })
    }

    /// A whole number.
    pub const fn from_int(value: i64) -> Decimal {
        Decimal { floor: value.saturating_mul(MICROS), rest: Rest::Zero }
    }

    /// Rounds half up to `decimals` (0..=6) digits behind the point.
    pub fn round(self, decimals: u8) -> Result<Fixed, NumberFault> {
        if self.rest == Rest::NotFinite {
            return Err(NumberFault::NotFinite);
        }
        if self.floor.saturating_abs() > Fixed::MAX.0 + MICROS {
            return Err(NumberFault::TooLarge);
        }
        let unit = unit(decimals);
        let rounded = if unit == 1 {
            self.floor + i64::from(self.rest == Rest::Half)
        } else {
            round_to_unit(self.floor, unit)
        };
        if rounded.abs() > Fixed::MAX.0 { Err(NumberFault::TooLarge) } else { Ok(Fixed(rounded)) }
    }

    /// The number itself, if it has at most six digits behind the point.
    pub fn exact(self) -> Result<Fixed, NumberFault> {
        let value = self.round(6)?;
        if self.rest == Rest::Zero { Ok(value) } else { Err(NumberFault::TooFine) }
    }

    /// Whether the number is finite and has nothing behind the point.
    pub fn is_whole(self) -> bool {
        self.rest == Rest::Zero && self.floor % MICROS == 0
    }
}

impl fmt::Display for Decimal {
    /// Writes a number of JSON that [`Decimal::parse`] reads as this very value; what is not finite becomes
    /// `1e999`, which is out of every range just the same.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tenths = match self.rest {
            Rest::NotFinite => return f.write_str("1e999"),
            Rest::Zero => return write_micros(f, i128::from(self.floor)),
            Rest::Below => i128::from(self.floor) * 10 + 1,
            Rest::Half => i128::from(self.floor) * 10 + 5,
        };
        let sign = if tenths < 0 { "-" } else { "" };
        let (whole, fraction) = (tenths.unsigned_abs() / 10_000_000, tenths.unsigned_abs() % 10_000_000);
        write!(f, "{sign}{whole}.{fraction:07}")
    }
}

impl From<f64> for Decimal {
    fn from(value: f64) -> Decimal {
        Decimal::from_f64(value)
    }
}

impl From<i32> for Decimal {
    fn from(value: i32) -> Decimal {
        Decimal::from_int(i64::from(value))
    }
}

impl From<Fixed> for Decimal {
    fn from(value: Fixed) -> Decimal {
        Decimal { floor: value.0, rest: Rest::Zero }
    }
}

/// An exponent, saturated: beyond a few thousand digits only the direction matters.
fn parse_exponent(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let magnitude = digits.bytes().fold(0_i64, |n, b| (n * 10 + i64::from(b - b'0')).min(1_000_000_000));
    Some(if negative { -magnitude } else { magnitude })
}

/// Puts the digits of `whole.fraction * 10^exponent` together, rounding down at the sixth digit.
fn assemble(negative: bool, whole: &str, fraction: &str, exponent: i64) -> Decimal {
    // Digits before the sixth one behind the point, counted from the front of all digits.
    let kept = whole.len() as i64 + exponent + 6;
    let digits = whole.bytes().chain(fraction.bytes()).map(|b| i64::from(b - b'0'));
    let mut magnitude: i64 = 0;
    let mut first_rest_digit = 0;
    let mut tail_nonzero = false;
    let mut seen = 0_i64;
    for digit in digits {
        if seen < kept {
            magnitude = magnitude.saturating_mul(10).saturating_add(digit).min(FAR);
        } else if seen == kept {
            first_rest_digit = digit;
        } else {
            tail_nonzero |= digit != 0;
        }
        // Digits wholly beyond a gap of zeros after the sixth place are never the first of the rest.
        if seen > kept && kept < 0 {
            tail_nonzero |= digit != 0;
        }
        seen += 1;
    }
    if kept < 0 {
        // The number is below 0.0000001 of a unit's tenth: all its digits are tail.
        tail_nonzero |= first_rest_digit != 0 || any_nonzero(whole) || any_nonzero(fraction);
        first_rest_digit = 0;
    }
    let mut place = seen;
    while place < kept && magnitude != 0 && magnitude < FAR {
        magnitude = magnitude.saturating_mul(10).min(FAR);
        place += 1;
    }
    finish(negative, magnitude, first_rest_digit, tail_nonzero)
}

fn any_nonzero(digits: &str) -> bool {
    digits.bytes().any(|b| b != b'0')
}

/// Applies the sign: rounding down a negative number moves it away from zero.
fn finish(negative: bool, magnitude: i64, first_rest_digit: i64, tail_nonzero: bool) -> Decimal {
    let nothing = first_rest_digit == 0 && !tail_nonzero;
    if nothing {
        return Decimal { floor: if negative { -magnitude } else { magnitude }, rest: Rest::Zero };
    }
    if !negative {
        let rest = if first_rest_digit >= 5 { Rest::Half } else { Rest::Below };
        return Decimal { floor: magnitude, rest };
    }
    let at_most_half = first_rest_digit < 5 || (first_rest_digit == 5 && !tail_nonzero);
    Decimal { floor: -magnitude - 1, rest: if at_most_half { Rest::Half } else { Rest::Below } }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn micros(text: &str, decimals: u8) -> i64 {
        Decimal::parse(text).unwrap().round(decimals).unwrap().micros()
    }

    #[test]
    fn reads_decimals_exactly() {
        assert_eq!(micros("0.8", 6) - micros("0.6", 6), micros("0.2", 6));
        assert_eq!(micros("0.4", 6) - micros("0.1", 6), micros("0.3", 6));
        assert_eq!(micros("12.345678", 6), 12_345_678);
        assert_eq!(micros("1.5e3", 6), 1_500_000_000);
        assert_eq!(micros("15e-1", 6), 1_500_000);
        assert_eq!(micros("0.00000049e1", 6), 5);
        assert_eq!(micros("0", 6), 0);
        assert_eq!(micros("-0", 6), 0);
        assert_eq!(micros("0e400", 6), 0);
        assert_eq!(micros("1e-400", 6), 0);
        assert_eq!(micros("1e9", 0), 1_000_000_000_000_000);
    }

    #[test]
    fn rounds_half_up_once() {
        assert_eq!(micros("0.0000005", 6), 1);
        assert_eq!(micros("0.00000049999", 6), 0);
        assert_eq!(micros("-0.0000005", 6), 0);
        assert_eq!(micros("-0.00000050001", 6), -1);
        assert_eq!(micros("0.4999995", 0), 0);
        assert_eq!(micros("0.5", 0), 1_000_000);
        assert_eq!(micros("-0.5", 0), 0);
        assert_eq!(micros("-0.500000000001", 0), -1_000_000);
        assert_eq!(micros("1500.45", 1), 1_500_500_000);
        assert_eq!(micros("-1500.45", 1), -1_500_400_000);
    }

    #[test]
    fn refuses_what_is_no_json_number() {
        for text in ["", "-", "+1", "01", "1.", ".5", "1e", "1e+", "NaN", "0x10", "1_0", " 1", "1.2.3", "--1"]
        {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
    }

    #[test]
    fn reports_range_and_precision() {
        let fault = |text: &str| Decimal::parse(text).unwrap().exact().unwrap_err();
        assert_eq!(fault("1000000000.000001"), NumberFault::TooLarge);
        assert_eq!(fault("-1e10"), NumberFault::TooLarge);
        assert_eq!(fault("1e400"), NumberFault::TooLarge);
        assert_eq!(fault("0.0000001"), NumberFault::TooFine);
        assert_eq!(fault("-1e-30"), NumberFault::TooFine);
        assert_eq!(Decimal::from_f64(f64::NAN).round(0), Err(NumberFault::NotFinite));
        assert_eq!(Decimal::from_f64(f64::NEG_INFINITY).exact(), Err(NumberFault::NotFinite));
        assert_eq!(Decimal::from_f64(f64::MAX).round(6), Err(NumberFault::TooLarge));
        assert!(Decimal::parse("40.0").unwrap().is_whole());
        assert!(!Decimal::parse("40.5").unwrap().is_whole());
        assert!(!Decimal::parse("40.00000001").unwrap().is_whole());
    }

    #[test]
    fn doubles_read_as_they_print() {
        assert_eq!(Decimal::from_f64(0.3), Decimal::parse("0.3").unwrap());
        assert_eq!(Decimal::from_f64(-1e-7), Decimal::parse("-0.0000001").unwrap());
        assert_eq!(Decimal::from_f64(1500.0), Decimal::from_int(1500));
    }

    #[test]
    fn prints_the_fewest_digits() {
        let shown = |text: &str| Decimal::parse(text).unwrap().exact().unwrap().to_string();
        for text in ["4", "4.2", "-0.000001", "1000000000", "0.1", "-12.5"] {
            assert_eq!(shown(text), text);
        }
        assert_eq!(shown("36.50"), "36.5");
    }

    #[test]
    fn decimals_print_what_reads_back() {
        for text in
            ["0", "-0.0000005", "-0.00000051", "0.00000049", "1.5", "-7.25", "1234.56789012", "1e30", "-1e30"]
        {
            let number = Decimal::parse(text).unwrap();
            assert_eq!(Decimal::parse(&number.to_string()), Some(number), "{text} printed {number}");
        }
        assert_eq!(Decimal::parse("24").unwrap().to_string(), "24");
        assert_eq!(Decimal::from_f64(f64::NAN).to_string(), "1e999");
    }

    #[test]
    fn means_round_half_up() {
        assert_eq!(mean_rounded(3, 2, 1).micros(), 2);
        assert_eq!(mean_rounded(-3, 2, 1).micros(), -1);
        assert_eq!(mean_rounded(3_001 * 1_000_000, 2, MICROS), Fixed::from_int(1501));
    }
}
