//! The meaning of a number's text. Numbers stay text until they are converted.

pub mod decimal;
mod float;

pub(crate) use float::quick as quick_float;

use self::decimal::Decimal;
use crate::scan::bytes::{no_digits, peek, word};
use crate::tape::Tag;

/// Returns the exact value of an integral number, if it fits 64 bits: `12`, `3.0`, `1e3`, `-0`.
///
/// Trailing zeros of a fraction and whole powers of ten are integral; at most 40 digits are
/// examined.
pub(crate) fn integer(text: &str) -> Option<i128> {
    if let Some(value) = short_integer(text.as_bytes()) {
        return Some(value.into());
    }
    let number = Decimal::new(text);
    if matches!(text, "" | "-") {
        return None;
    }
    let value = number.whole_digits(38)?.try_fold(0i128, |sum, digit| {
        let digit = digit.checked_sub(b'0').filter(|digit| *digit <= 9)?;
        sum.checked_mul(10)?.checked_add(digit.into())
    })?;
    Some(if number.scale().0 { -value } else { value })
}

/// Returns it as `i64`, if it fits.
#[inline]
pub(crate) fn whole(text: &str) -> Option<i64> {
    short_integer(text.as_bytes()).or_else(|| integer(text).and_then(|value| value.try_into().ok()))
}

/// Returns it as `u64`, if it fits and is not negative.
#[inline]
pub(crate) fn unsigned(text: &str) -> Option<u64> {
    let short = short_integer(text.as_bytes()).and_then(|value| value.try_into().ok());
    short.or_else(|| integer(text).and_then(|value| value.try_into().ok()))
}

/// Returns the value for up to 18 digits, which covers nearly all integers.
#[inline]
#[must_use]
pub fn short_integer(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        all => (false, all),
    };
    if digits.is_empty() || digits.len() > 18 {
        return None;
    }
    let (mut sum, mut other) = (0i64, false);
    for &byte in digits {
        let digit = byte.wrapping_sub(b'0');
        other |= digit > 9;
        sum = sum.wrapping_mul(10).wrapping_add(i64::from(digit));
    }
    match (other, negative) {
        (true, _) => None,
        (false, true) => Some(-sum),
        (false, false) => Some(sum),
    }
}

/// Returns the nearest double, or `None` if that would be infinite.
#[inline]
pub(crate) fn float(text: &str) -> Option<f64> {
    float::quick(text.as_bytes()).or_else(|| {
        let value = text.parse::<f64>().ok();
        value.filter(|value| value.is_finite())
    })
}

/// Returns `true` if two numbers have the same exact value, such as `1`, `1.0` and `10e-1`.
pub(crate) fn equal(one: &str, other: &str) -> bool {
    decimal::compare(one, other).is_eq()
}

/// Returns `true` if the whole text is one valid JSON number.
pub fn is_json(text: &str) -> bool {
    scan(text.as_bytes(), 0).is_some_and(|number| number.end == text.len())
}

/// The end of a number, and its form.
#[derive(Clone, Copy)]
pub(crate) struct Scanned {
    pub(crate) end: usize,
    pub(crate) float: bool,
}

/// Returns the longest JSON number at `start`, or nothing if there is none or it is incomplete.
///
/// A few digits are read one by one: nothing waits for their end if it can be predicted.
#[inline(always)]
pub(crate) fn scan(bytes: &[u8], start: usize) -> Option<Scanned> {
    let digits_end = |mut at: usize| {
        while peek(bytes, at).is_ascii_digit() {
            at += 1;
        }
        at
    };
    let first = start + usize::from(peek(bytes, start) == b'-');
    let mut end = digits_end(first);
    if end == first || (end - first > 1 && peek(bytes, first) == b'0') {
        return None;
    }
    let next = peek(bytes, end);
    if next != b'.' && next | 0x20 != b'e' {
        return Some(Scanned { end, float: false });
    }
    if next == b'.' {
        let fraction = end + 1;
        end = if peek(bytes, fraction + 7).is_ascii_digit() {
            many_digits_end(bytes, fraction)
        } else {
            digits_end(fraction)
        };
        if end == fraction {
            return None;
        }
    }
    if peek(bytes, end) | 0x20 == b'e' {
        end += 1;
        end += usize::from(matches!(peek(bytes, end), b'+' | b'-'));
        let exponent = end;
        end = digits_end(exponent);
        if end == exponent {
            return None;
        }
    }
    Some(Scanned { end, float: true })
}

/// Returns the end of the digits at `at`, of which there are many: eight are read at a time.
#[inline(never)]
fn many_digits_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(word) = word(bytes, at) {
        let others = no_digits(word);
        if others != 0 {
            return at + (others.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while peek(bytes, at).is_ascii_digit() {
        at += 1;
    }
    at
}

pub(crate) fn number_tag(text: &str) -> Tag {
    if text.bytes().any(|byte| matches!(byte, b'.' | b'e' | b'E')) {
        Tag::Float
    } else {
        Tag::Integer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_equal_by_their_exact_value() {
        let same = [
            ("0", "-0.0"),
            ("1", "1.0"),
            ("1", "10e-1"),
            ("100", "1E2"),
            ("0.001", "1e-3"),
            ("-12.50", "-1.25e1"),
            ("0e99999999999999999999", "0"),
            ("123456789012345678901", "1.23456789012345678901e20"),
        ];
        for (one, other) in same {
            assert!(equal(one, other), "{one} and {other}");
        }
        let different = [
            ("1", "-1"),
            ("1", "10"),
            ("0.1", "0.01"),
            ("1e99999999999999999999", "2e99999999999999999999"),
            ("9007199254740993", "9007199254740992"),
            ("1.05", "1.5"),
        ];
        for (one, other) in different {
            assert!(!equal(one, other), "{one} and {other}");
        }
    }

    #[test]
    fn integral_texts_have_exact_values() {
        let cases: &[(&str, Option<i128>)] = &[
            ("0", Some(0)),
            ("-0", Some(0)),
            ("42", Some(42)),
            ("-42", Some(-42)),
            ("3.0", Some(3)),
            ("3.5", None),
            ("1e3", Some(1000)),
            ("1.5e1", Some(15)),
            ("1.5e0", None),
            ("1500e-2", Some(15)),
            ("15e-2", None),
            ("0.00", Some(0)),
            ("0.001e3", Some(1)),
            ("18446744073709551615", Some(18_446_744_073_709_551_615)),
            (
                "12345678901234567890123",
                Some(12_345_678_901_234_567_890_123),
            ),
            ("1e999999999", None),
            ("1e99999999999999999999", None),
            ("0e99999999999999999999", Some(0)),
            ("1e-99999999999", None),
            ("", None),
            ("-", None),
            ("999999999999999999", Some(999_999_999_999_999_999)),
            ("-1000000000000000000", Some(-1_000_000_000_000_000_000)),
        ];
        for (text, value) in cases {
            assert_eq!(integer(text), *value, "{text}");
        }
    }

    #[test]
    fn short_floats_are_the_nearest() {
        let mut text = alloc::string::String::new();
        let mut seed = 1u64;
        for round in 0..20_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let digits = 1 + (seed >> 40) % 15;
            let whole = (seed >> 8) % 10u64.pow(digits as u32);
            text.clear();
            text.extend((round % 2 == 1).then_some('-'));
            text.push_str(&alloc::format!("{whole}"));
            let point = text.len() - (seed >> 33) as usize % (text.len().max(3) - 2);
            if round % 3 > 0 && point < text.len() && text.as_bytes()[point - 1] != b'-' {
                text.insert(point, '.');
            }
            let expected: f64 = text.parse().expect("a number");
            let found = float(&text).expect("a number");
            assert_eq!(found.to_bits(), expected.to_bits(), "{text}");
        }
        for text in [
            "-0",
            "0.0",
            "-0.0",
            "0.1",
            "999999999999999",
            "9007199254740993",
            "1e5",
        ] {
            let expected: f64 = text.parse().expect("a number");
            assert_eq!(
                float(text).map(f64::to_bits),
                Some(expected.to_bits()),
                "{text}"
            );
        }
        for text in ["", "-", ".", "1..2", "1e999", "x"] {
            assert_eq!(float(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_of_any_length_end_where_their_digits_do() {
        for whole in [1, 2, 7, 8, 9, 16, 17, 30] {
            for places in [0, 1, 3, 7, 8, 9, 15, 16, 17, 24, 30] {
                for power in ["", "e5", "E-12345678", "e+1234567890123456"] {
                    let mut number = "7".repeat(whole);
                    if places > 0 {
                        number.push('.');
                        number.push_str(&"9".repeat(places));
                    }
                    number.push_str(power);
                    for behind in [
                        "",
                        ",",
                        " ",
                        "]}",
                        "x and more text",
                        ":::::::::",
                        "/////////",
                    ] {
                        let text = alloc::format!("-{number}{behind}");
                        let found = scan(text.as_bytes(), 0).expect("a number");
                        assert_eq!(found.end, 1 + number.len(), "{text}");
                        assert_eq!(found.float, places > 0 || !power.is_empty(), "{text}");
                    }
                    let cut = alloc::format!("{number}.e1");
                    assert!(places > 0 || !power.is_empty() || scan(cut.as_bytes(), 0).is_none());
                }
            }
        }
    }

    #[test]
    fn only_whole_json_numbers_count() {
        for text in ["0", "-1", "1.5", "1e5", "-0.0E-7"] {
            assert!(is_json(text), "{text}");
        }
        for text in ["", "-", "01", "1.", ".5", "+1", "1e", "1x", "0x10", "NaN"] {
            assert!(!is_json(text), "{text}");
        }
    }
}
