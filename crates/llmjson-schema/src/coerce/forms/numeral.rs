//! Numerals: digits of any script with the separators of any country, as a JSON number.

use smallvec::SmallVec;

use super::number::integral;
use crate::base::tokens::{Token, sort, tokens};

/// A numeral at the beginning of a string.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Numeral {
    /// The number in JSON syntax, without a plus or minus.
    pub(super) number: String,
    pub(super) style: Style,
    /// Number of bytes that it occupies.
    pub(super) length: usize,
}

/// The grouping of the digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// No separators, except a point before the fraction.
    Plain,
    /// Groups with only one reading.
    Grouped,
    /// A single group after a comma, which could be a decimal comma.
    OneGroup,
    /// A single separator that is a decimal comma, or separates groups by points: a number only
    /// next to a unit.
    OneSign,
}

/// White space between groups of digits.
const SPACES: &str = " \u{a0}\u{2009}\u{202f}\u{2007}";

/// Reads the numeral at the beginning of a string.
pub(super) fn leading(text: &str) -> Option<Numeral> {
    let tokens = tokens(text, sort);
    let number = |at: usize| tokens.get(at).filter(|token| token.is_number());
    let mut groups: SmallVec<[&str; 8]> = SmallVec::new();
    let mut signs: SmallVec<[char; 8]> = SmallVec::new();
    let (mut at, mut length) = (0, 0);
    // `.5`
    if text.starts_with(['.', '．']) && number(1)?.start == tokens[0].end() {
        groups.push("");
        signs.push('.');
        at = 1;
    }
    while let Some(group) = number(at).filter(|_| tokens[0].start == 0) {
        groups.push(&group.text);
        length = group.end();
        let Some((sign, next)) = separator(text, &tokens[at..]) else {
            break;
        };
        signs.push(sign);
        at += next;
    }
    // The digits of two scripts are not one number.
    if number(at + 1).is_some_and(|next| next.start == length) {
        return None;
    }
    let (number, style) = put_together(&groups, &signs)?;
    let raised = match style {
        Style::Plain => raised(&number, &text[length..]),
        _ => None,
    };
    let (number, power_length) = raised.unwrap_or((number, 0));
    // `1e999` is infinite for most programs that read the value.
    let is_finite = power_length == 0 || number.parse().is_ok_and(f64::is_finite);
    is_finite.then_some(Numeral {
        number,
        style,
        length: length + power_length,
    })
}

/// Returns the separator between the first of some tokens, a group of digits, and the next group, and
/// the index of that group.
fn separator(text: &str, tokens: &[Token<'_>]) -> Option<(char, usize)> {
    let (group, next) = (tokens.first()?, tokens.get(1)?);
    let gap = &text[group.end()..next.start];
    if next.is_number() {
        let is_space = !gap.is_empty() && SPACES.contains(gap);
        return is_space.then_some((' ', 1));
    }
    let after = tokens.get(2)?;
    let is_between = gap.is_empty() && after.is_number() && after.start == next.end();
    let sign = next.text.chars().next()?;
    (is_between && ".,_'".contains(sign)).then_some((sign, 2))
}

/// Returns a number times the power of ten after it, and the length of the power: `1e6`, `2×10^3`,
/// `1.5 x 10⁶`, `10**6`.
fn raised(number: &str, text: &str) -> Option<(String, usize)> {
    const RAISED: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹";
    let times = text.trim_start().strip_prefix(['×', 'x', '*', '·']);
    let (factor, power, mark) = match times.and_then(|ten| ten.trim_start().strip_prefix("10")) {
        Some(power) => (number, power, '^'),
        None if number == "10" && !text.starts_with(['e', 'E']) => ("1", text, '^'),
        None => (number, text, 'e'),
    };
    let marked = power.strip_prefix([mark, mark.to_ascii_uppercase()]);
    let marked = marked.or_else(|| power.strip_prefix("**").filter(|_| mark == '^'));
    let mut written = [factor, "e"].concat();
    let digits = marked.or_else(|| (mark == '^').then_some(power))?;
    let start = written.len();
    let end = digits.char_indices().find(|(_, letter)| {
        let raised = RAISED.chars().position(|one| one == *letter);
        let plain = match (letter, raised) {
            ('0'..='9', _) if marked.is_some() => Some(*letter),
            ('-' | '−' | '⁻', _) if written.len() == start => Some('-'),
            ('+', _) if written.len() == start => Some('+'),
            (_, raised) => raised.and_then(|value| char::from_digit(value as u32, 10)),
        };
        written.extend(plain);
        plain.is_none()
    });
    let rest = end.map_or("", |(at, _)| &digits[at..]);
    let is_power = written.ends_with(|last: char| last.is_ascii_digit());
    let written = if mark == '^' {
        integral(&written).unwrap_or(written)
    } else {
        written
    };
    is_power.then_some((written, text.len() - rest.len()))
}

/// Returns the number formed by groups of digits with these separators.
fn put_together(groups: &[&str], signs: &[char]) -> Option<(String, Style)> {
    let whole = |groups: &[&str]| {
        let digits = groups.concat();
        let digits = digits.trim_start_matches('0');
        (if digits.is_empty() { "0" } else { digits }).to_owned()
    };
    let decimal = |groups: &[&str], fraction: &str| [&whole(groups), ".", fraction].concat();
    let last = groups.last()?;
    let head = &groups[..groups.len() - 1];
    match *signs {
        [] if last.is_empty() => None,
        [] => Some((whole(groups), Style::Plain)),
        ['.'] => Some((decimal(head, last), Style::Plain)),
        // `1,234`, whereas `0,125` is a fraction, and so is `1234,567`.
        [','] if last.len() == 3 && is_first(groups[0]) => Some((whole(groups), Style::OneGroup)),
        // `4,75`
        [','] => Some((decimal(head, last), Style::OneSign)),
        // `15 000`, which may be two numbers.
        [sign] => (are_groups(groups, sign)).then(|| {
            let style = if sign == ' ' {
                Style::OneSign
            } else {
                Style::Grouped
            };
            (whole(groups), style)
        }),
        [ref between @ .., end] => {
            let sign = between[0];
            if between.iter().any(|other| *other != sign) {
                return None;
            }
            // `1.234,56`: the last separator is different, so it is the decimal separator.
            if end != sign {
                let is_decimal = matches!(end, '.' | ',') && are_groups(head, sign);
                return is_decimal.then(|| (decimal(head, last), Style::Grouped));
            }
            let style = if sign == '.' {
                Style::OneSign
            } else {
                Style::Grouped
            };
            are_groups(groups, sign).then(|| (whole(groups), style))
        }
    }
}

/// Returns `true` if digits can be the first group of several.
fn is_first(group: &str) -> bool {
    (1..=3).contains(&group.len()) && !group.starts_with('0')
}

/// Returns `true` if all groups have three digits, or, after commas, all except the last have two,
/// as in India.
fn are_groups(groups: &[&str], sign: char) -> bool {
    let [first, middle @ .., last] = groups else {
        return false;
    };
    let by = |length: usize| middle.iter().all(|group| group.len() == length);
    let is_indian = sign == ',' && !middle.is_empty() && by(2) && first.len() <= 2;
    is_first(first) && last.len() == 3 && (by(3) || is_indian)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_tell_what_they_part() {
        use Style::*;
        type Expected = Option<(&'static str, Style, usize)>;
        let cases: &[(&str, Expected)] = &[
            ("75kg", Some(("75", Plain, 2))),
            ("1.82 m", Some(("1.82", Plain, 4))),
            ("007", Some(("7", Plain, 3))),
            (".5", Some(("0.5", Plain, 2))),
            ("6.979.309,46 €", Some(("6979309.46", Grouped, 12))),
            ("1,234.50", Some(("1234.50", Grouped, 8))),
            ("1 234,56", Some(("1234.56", Grouped, 8))),
            ("1'234.50", Some(("1234.50", Grouped, 8))),
            ("12,34,567", Some(("1234567", Grouped, 9))),
            ("12,34,567.89", Some(("1234567.89", Grouped, 12))),
            ("1_000_000", Some(("1000000", Grouped, 9))),
            ("1 234 567", Some(("1234567", Grouped, 9))),
            ("1,234", Some(("1234", OneGroup, 5))),
            ("4,75 €", Some(("4.75", OneSign, 4))),
            ("0,125", Some(("0.125", OneSign, 5))),
            ("1.234.567", Some(("1234567", OneSign, 9))),
            ("٤٢", Some(("42", Plain, 4))),
            ("४२", Some(("42", Plain, 6))),
            ("１２３", Some(("123", Plain, 9))),
            ("٣٫٥", Some(("3.5", Plain, 6))),
            ("1e3", Some(("1e3", Plain, 3))),
            ("1E+3 m", Some(("1e+3", Plain, 4))),
            ("10^6", Some(("1000000", Plain, 4))),
            ("10**6", Some(("1000000", Plain, 5))),
            ("2×10^3", Some(("2000", Plain, 7))),
            ("1.5 x 10⁶", Some(("1500000", Plain, 11))),
            ("2 × 10⁻³", Some(("2e-3", Plain, 12))),
            ("3^10", Some(("3", Plain, 1))),
            ("2 x 10", Some(("2", Plain, 1))),
            ("5e", Some(("5", Plain, 1))),
            ("1e999", None),
            ("1.2.3", None),
            ("192.168.0.1", None),
            ("555 123 4567", None),
            ("1,2,3", None),
            ("1_0", None),
            ("1.234.567.89", None),
            ("1,234.567,89", None),
            ("1٤", None),
            ("kg", None),
            ("", None),
        ];
        for (text, expected) in cases {
            let found = leading(text).map(|one| (one.number, one.style, one.length));
            let expected =
                expected.map(|(number, style, length)| (number.to_owned(), style, length));
            assert_eq!(found, expected, "{text}");
        }
    }
}
