//! Values on the command line and in messages: shares, seconds, counts.

use std::fmt::Display;
use std::num::NonZeroUsize;
use std::time::Duration;

use sundry::coverage::MAXIMAL_INTEGER_BITS;

/// A share between 0 and 1, or a percentage.
///
/// # Errors
/// The text is wrong, and the error says why.
pub fn parse_share(text: &str) -> Result<f64, String> {
    let (number, unit) = match text.strip_suffix('%') {
        Some(percentage) => (percentage.trim_end(), 100.0),
        None => (text, 1.0),
    };
    match number.parse::<f64>() {
        Ok(value) if (0.0..=unit).contains(&value) => Ok(value / unit),
        _ => Err("expected a number between 0 and 1, or a percentage such as 99.5%".to_string()),
    }
}

/// A number of seconds, with a fraction if wanted.
///
/// # Errors
/// The text is wrong, and the error says why.
pub fn parse_seconds(text: &str) -> Result<Duration, String> {
    let number = text.strip_suffix('s').unwrap_or(text);
    let seconds = number.parse::<f64>().ok();
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "expected a number of seconds such as 60 or 0.5".to_string())
}

/// A count that is at least 1.
///
/// # Errors
/// The text is wrong, and the error says why.
pub fn parse_count(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "expected a whole number from 1".to_string())
}

/// A number of bits of integers.
///
/// # Errors
/// The text is wrong, and the error says why.
pub fn parse_integer_bits(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(bits) if bits <= MAXIMAL_INTEGER_BITS => Ok(bits),
        _ => Err(format!(
            "expected a whole number from 0, which leaves the sign alone, to {MAXIMAL_INTEGER_BITS}; each node of an integer \
             has that many bits"
        )),
    }
}

/// A count with its noun, in the plural where it takes one.
pub fn counted(count: usize, noun: &str) -> String {
    let plural = match count {
        1 => "",
        _ if noun.ends_with("sh") || noun.ends_with("ch") || noun.ends_with("ss") => "es",
        _ => "s",
    };
    format!("{} {noun}{plural}", grouped(count as u64))
}

/// A number with commas between groups of three digits.
pub fn grouped(number: impl Into<u64> + Display) -> String {
    let digits = number.into().to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_numbers_or_percentages() {
        assert_eq!(parse_share("0.995"), Ok(0.995));
        assert_eq!(parse_share("99.5%"), Ok(0.995));
        assert_eq!(parse_share("1"), Ok(1.0));
        for wrong in ["", "%", "99.5", "-0.1", "1.01", "101%", "NaN", "x", "inf"] {
            assert!(parse_share(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn seconds_are_not_negative_and_finite() {
        assert_eq!(parse_seconds("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_seconds("60s"), Ok(Duration::from_secs(60)));
        for wrong in ["", "s", "-1", "NaN", "inf", "1e300", "1m"] {
            assert!(parse_seconds(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn counts_are_positive() {
        assert_eq!(parse_count("12").map(usize::from), Ok(12));
        for wrong in ["0", "-1", "1.5", "", "x"] {
            assert!(parse_count(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn integers_have_a_limited_number_of_bits() {
        assert_eq!(parse_integer_bits("0"), Ok(0));
        assert_eq!(parse_integer_bits("1024"), Ok(1024));
        for wrong in ["1025", "-1", "8.5", "", "x", "99999999999"] {
            assert!(parse_integer_bits(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn numbers_are_grouped() {
        let texts: Vec<String> = [0u64, 999, 1000, 1234567].into_iter().map(grouped).collect();
        assert_eq!(texts, ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(counted(1, "solution"), "1 solution");
        assert_eq!(counted(2000, "solution"), "2,000 solutions");
    }
}
