//! Spans of time as people type them: `100ms`, `2.5s`, `30m`, `2h`.
//!
//! Used by the options of `run` and `generate`. Whole milliseconds; a number without a unit is refused,
//! because nobody could tell seconds from milliseconds.

use evenmatch::model::limits::TIME_MS_MAX;

/// A span of time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Span {
    /// In milliseconds.
    pub(crate) ms: u64,
}

/// Reads a span. Errors: a sentence for `--help` readers.
pub(crate) fn parse_span(text: &str) -> Result<Span, String> {
    let wrong = || format!("{text:?} is no span of time, like 100ms, 2.5s, 30m or 2h");
    let split = text.find(|c: char| c.is_ascii_alphabetic()).ok_or_else(wrong)?;
    let (number, unit) = text.split_at(split);
    let unit_ms: u64 = match unit {
        "ms" => 1,
        "s" => 1000,
        "m" | "min" => 60_000,
        "h" => 3_600_000,
        _ => return Err(wrong()),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || whole.len() > 15 || fraction.len() > 9 || !digits(whole) || !digits(fraction) {
        return Err(wrong());
    }
    let scale = 10_u128.pow(fraction.len() as u32);
    let scaled: u128 = format!("{whole}{fraction}").parse().map_err(|_| wrong())?;
    let scaled_ms = scaled * u128::from(unit_ms);
    if !scaled_ms.is_multiple_of(scale) {
        return Err(format!("{text:?} is no whole number of milliseconds"));
    }
    match u64::try_from(scaled_ms / scale) {
        Ok(ms) if ms <= TIME_MS_MAX => Ok(Span { ms }),
        _ => Err(format!("{text:?} is beyond 2^52 milliseconds")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_exact() {
        for (text, ms) in
            [("100ms", 100), ("2.5s", 2500), ("0.1s", 100), ("30m", 1_800_000), ("2h", 7_200_000)]
        {
            assert_eq!(parse_span(text), Ok(Span { ms }), "{text}");
        }
        for text in ["", "5", "s", "1.5ms", "-1s", "1e3s", "1d", "1 s", "999999999999999h", "0.0001s"] {
            assert!(parse_span(text).is_err(), "{text}");
        }
    }
}
