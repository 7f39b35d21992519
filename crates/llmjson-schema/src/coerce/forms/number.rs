//! Numbers in other spellings, digit by digit.

use llmjson_syntax::internal::decimal::Decimal;

use super::marks;
use super::numeral::{self, Style};
use super::quantity::{self, Place};
use crate::base::report::CoercionKind;

/// Returns the number that a whole string is, in JSON syntax: `42`, `+5`, `.5`, `5.`, `007`.
///
/// The string may contain nothing else, and nothing is rounded. A number whose exponent exceeds all
/// doubles, such as `1e999`, is not a number here.
pub(in crate::coerce) fn plain(text: &str) -> Option<String> {
    let is_part = |byte| matches!(byte, b'0'..=b'9' | b'.' | b'-' | b'+' | b'e' | b'E');
    if !text.bytes().all(is_part) {
        return None;
    }
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let numeral = numeral::leading(digits)?;
    let is_pointed = digits[numeral.length..] == *"." && !digits[..numeral.length].contains('.');
    let is_whole = numeral.length == digits.len() || is_pointed;
    let sign = if text.starts_with('-') { "-" } else { "" };
    (is_whole && numeral.style == Style::Plain).then(|| [sign, &numeral.number].concat())
}

/// Reads `$1,234.50`, `1,234,567`, `-1,234.5 €`: digits grouped by three, possibly with the symbol
/// of a currency. A single group without a decimal point is a guess: where the comma is the decimal
/// sign, it is a number with three decimals.
pub(in crate::coerce) fn grouped(text: &str) -> Option<(CoercionKind, String)> {
    if !text.contains(',') {
        return None;
    }
    let is_part = |letter: char| letter.is_numeric() || " ,.'_+-".contains(letter);
    let mut signs = text.chars().filter(|letter| !is_part(*letter));
    if signs.next().is_some_and(char::is_alphabetic) || signs.next().is_some() {
        return None;
    }
    let read = quantity::read_bare(&marks::bare(text), &Place::UNKNOWN)?;
    let kinds = [
        CoercionKind::GroupedNumber,
        CoercionKind::GroupedNumberGuess,
    ];
    let is_sure = kinds.contains(&read.kind) && read.class == read.kind.class();
    is_sure.then_some((read.kind, read.number))
}

/// Returns the number with a comma that makes up a whole string: `73,2`. Three digits after the
/// comma may be a group.
pub(in crate::coerce) fn with_comma(text: &str) -> Option<(CoercionKind, String)> {
    let is_part = |byte: u8| byte.is_ascii_digit() || matches!(byte, b',' | b'-');
    let read = quantity::read(text, &Place::UNKNOWN).filter(|_| text.bytes().all(is_part))?;
    Some((read.kind, read.number))
}

/// Returns a whole number without fraction and exponent: `3.0` is `3`, `1e3` is `1000`. Returns
/// `None` if it is not whole, or has more than 40 digits and more than were written.
pub(in crate::coerce) fn integral(text: &str) -> Option<String> {
    let number = Decimal::new(text);
    let digits: String = number
        .whole_digits(text.len().max(40))?
        .map(char::from)
        .collect();
    Some(match number.scale() {
        _ if digits.is_empty() => "0".to_owned(),
        (true, _) => format!("-{digits}"),
        _ => digits,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_numbers_are_whole_texts() {
        let cases: &[(&str, Option<&str>)] = &[
            ("42", Some("42")),
            ("-4.20", Some("-4.20")),
            ("+5", Some("5")),
            (".5", Some("0.5")),
            ("5.", Some("5")),
            ("007", Some("7")),
            ("000", Some("0")),
            ("1e3", Some("1e3")),
            ("1E+3", Some("1e+3")),
            ("12345678901234567890", Some("12345678901234567890")),
            ("", None),
            ("-", None),
            (".", None),
            ("+-5", None),
            ("1e", None),
            ("1e999", None),
            ("5 apples", None),
            ("2024-01-02", None),
            ("50%", None),
            ("5k", None),
            ("0x10", None),
            ("1.2.3", None),
            ("1,234", None),
            ("NaN", None),
            ("inf", None),
            ("٣", None),
        ];
        for (text, number) in cases {
            assert_eq!(plain(text).as_deref(), *number, "{text}");
        }
    }

    #[test]
    fn groups_have_three_digits() {
        let cases: &[(&str, Option<(&str, bool)>)] = &[
            ("1,234", Some(("1234", true))),
            ("$1,234.50", Some(("1234.50", false))),
            ("-€ 1,234,567", Some(("-1234567", false))),
            ("12,345.6", Some(("12345.6", false))),
            ("$5", None),
            ("1,23", None),
            ("1234,567", None),
            ("0,123", None),
            ("1,234.", Some(("1234", true))),
            ("12,111,123.", Some(("12111123", false))),
            ("1,234$", Some(("1234", true))),
            ("1,234.50 €", Some(("1234.50", false))),
            ("+$1,234.56", Some(("1234.56", false))),
            ("$-1,234.56", Some(("-1234.56", false))),
            ("+1,234", Some(("1234", true))),
            ("-$-1,234", None),
            ("--1,234", None),
            ("$1,234$", None),
            ("$", None),
            ("-", None),
            ("1,234 won", None),
            (",123", None),
            ("- 1,234", None),
        ];
        for (text, expected) in cases {
            let kind = |ambiguous| match ambiguous {
                true => CoercionKind::GroupedNumberGuess,
                false => CoercionKind::GroupedNumber,
            };
            let expected = expected.map(|(number, ambiguous)| (kind(ambiguous), number.to_owned()));
            assert_eq!(grouped(text), expected, "{text}");
        }
    }

    #[test]
    fn whole_numbers_lose_their_fraction_only() {
        let cases: &[(&str, Option<&str>)] = &[
            ("3.0", Some("3")),
            ("-3.00", Some("-3")),
            ("1e3", Some("1000")),
            ("1.5e1", Some("15")),
            ("1500e-2", Some("15")),
            ("0.001e3", Some("1")),
            ("-0.0", Some("0")),
            ("3.5", None),
            ("15e-2", None),
            ("1e-3", None),
            ("1e41", None),
            (
                "1234567890123456789012345678901234567890123.00",
                Some("1234567890123456789012345678901234567890123"),
            ),
            ("1e99999999999999999999", None),
            ("1e-9223372036854775808", None),
            ("100000000000000000000.0", Some("100000000000000000000")),
        ];
        for (text, number) in cases {
            assert_eq!(integral(text).as_deref(), *number, "{text}");
        }
    }
}
