//! Numbers as people write them: with a unit, a magnitude, in words, in other digits.

use llmjson_syntax::Class;

use super::hints::{Hint, Hints};
use super::numeral::{self, Numeral, Style};
use super::unit::{self, Measure, Units};
use crate::base::report::CoercionKind;

/// Longer texts hold more than a number.
const BYTES_MAX: usize = 64;

/// The number that a text says.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Quantity {
    pub(super) number: String,
    pub(super) kind: CoercionKind,
    pub(super) class: Class,
    /// Whether it is so many of a hundred.
    pub(super) is_percentage: bool,
}

/// Reads a whole text as one number; `hints` says what is known of its unit.
pub(super) fn read(text: &str, hints: impl FnOnce() -> Hints) -> Option<Quantity> {
    let text = text.trim();
    if text.len() > BYTES_MAX || text.is_empty() {
        return None;
    }
    if let Some(number) = in_words(text).or_else(|| fraction(text)) {
        return Some(written(number, Class::Guess));
    }
    let (text, is_rough) = match text.strip_prefix(['~', '≈']) {
        Some(rest) => (rest.trim_start(), true),
        None => (text, false),
    };
    let start = start_of_digits(text)?;
    let (sign, before) = sign_and_unit(text[..start].trim())?;
    let numeral = numeral::leading(&text[start..])?;
    let tail = text[start + numeral.length..].trim_end();
    // A point at the end is the full stop of a sentence of one word.
    let tail = tail
        .strip_suffix('.')
        .filter(|rest| !unit_ends_so(rest))
        .unwrap_or(tail);
    let Tail { magnitude, unit } = tail_of(tail, !before.is_empty())?;
    let units = join(before, unit)?;
    let number = format!("{sign}{}", numeral.number);
    let read = Measured {
        numeral: &numeral,
        units,
        magnitude,
        is_rough,
    };
    read.finish(number, hints)
}

/// Where the digits begin, with the point of `.5`, but not that of `Rs.5`.
fn start_of_digits(text: &str) -> Option<usize> {
    let digit = text.find(char::is_numeric)?;
    let before = text[..digit].strip_suffix('.');
    let is_point = before.is_some_and(|before| !before.ends_with(char::is_alphabetic));
    Some(if is_point { digit - 1 } else { digit })
}

/// What stands around a numeral.
struct Measured<'n> {
    numeral: &'n Numeral,
    units: Option<Units>,
    magnitude: Option<u32>,
    is_rough: bool,
}

impl Measured<'_> {
    fn finish(self, number: String, hints: impl FnOnce() -> Hints) -> Option<Quantity> {
        let style = self.numeral.style;
        let guess = |class| if self.is_rough { Class::Guess } else { class };
        let grouped = match style {
            Style::Grouped => Some((CoercionKind::GroupedNumber, Class::Likely)),
            Style::OneGroup => Some((CoercionKind::GroupedNumberGuess, Class::Guess)),
            Style::Plain | Style::OneSign => None,
        };
        let of = |number: String, (kind, class): (CoercionKind, Class)| Quantity {
            number,
            kind,
            class: guess(class),
            is_percentage: false,
        };
        let Some(units) = &self.units else {
            if let Some(power) = self.magnitude {
                return Some(written(shifted(&number, power), Class::Guess));
            }
            return match grouped {
                Some(grouped) => Some(of(number, grouped)),
                None if style == Style::OneSign => None,
                None => Some(written(number, guess(Class::Likely))),
            };
        };
        let hint = hints().about(units);
        if hint == Hint::Disagrees {
            return None;
        }
        if let Some(power) = self.magnitude {
            return Some(written(shifted(&number, power), Class::Guess));
        }
        let is_money = units.iter().any(|unit| unit.measure() == Measure::Currency);
        if is_money && let Some(grouped) = grouped {
            return Some(of(number, grouped));
        }
        // Three decimals of money may be a group behind a point.
        let decimals = number.split_once('.').map_or(0, |(_, digits)| digits.len());
        if is_money && style == Style::Plain && decimals == 3 {
            return None;
        }
        let is_sure = hint == Hint::Agrees && matches!(style, Style::Plain | Style::Grouped);
        let class = if is_sure { Class::Likely } else { Class::Guess };
        let is_percentage = units.iter().any(|unit| unit.measure() == Measure::Ratio);
        Some(Quantity {
            is_percentage,
            ..of(number, (CoercionKind::UnitNumber, class))
        })
    }
}

fn written(number: String, class: Class) -> Quantity {
    Quantity {
        number,
        kind: CoercionKind::WrittenNumber,
        class,
        is_percentage: false,
    }
}

/// What stands before the digits: a sign, a unit, both in any order.
fn sign_and_unit(head: &str) -> Option<(&'static str, Units)> {
    let sign_of = |letter: char| match letter {
        '-' | '−' => Some("-"),
        '+' => Some(""),
        _ => None,
    };
    let first = head.chars().next().and_then(sign_of);
    let last = head.chars().next_back().and_then(sign_of);
    let (sign, unit) = match (first, last) {
        (Some(sign), _) => (sign, head.trim_start_matches(['-', '−', '+'])),
        (None, Some(sign)) => (sign, head.trim_end_matches(['-', '−', '+'])),
        (None, None) => ("", head),
    };
    let signs = head
        .chars()
        .filter(|letter| sign_of(*letter).is_some())
        .count();
    let unit = unit.trim();
    // Behind letters a hyphen joins: `AB-12`.
    let joined = first.is_none() && last.is_some() && unit.chars().any(char::is_alphabetic);
    if signs > 1 || joined {
        return None;
    }
    if unit.is_empty() {
        return Some((sign, Units::new()));
    }
    let mut units = unit::named(unit);
    units.retain(|unit| matches!(unit.measure(), Measure::Currency | Measure::Ratio));
    // Words stand behind a number.
    let is_sign = unit.chars().all(|letter| !letter.is_lowercase()) || unit.chars().count() <= 3;
    (is_sign && !units.is_empty()).then_some((sign, units))
}

/// What stands behind the digits.
struct Tail {
    magnitude: Option<u32>,
    unit: Option<Units>,
}

/// Returns whether a unit is written with a full stop: `Rs.`, `kr.`
fn unit_ends_so(rest: &str) -> bool {
    unit::named(rest.trim()).is_empty() && !rest.trim().is_empty()
}

fn tail_of(tail: &str, has_unit: bool) -> Option<Tail> {
    let attached = !tail.starts_with(char::is_whitespace);
    let tail = tail.trim();
    let hyphened = tail.strip_prefix('-').filter(|rest| rest.len() > 2);
    let tail = hyphened.unwrap_or(tail);
    if tail.is_empty() {
        return Some(Tail {
            magnitude: None,
            unit: None,
        });
    }
    let (word, rest) = match tail.split_once(char::is_whitespace) {
        Some((word, rest)) => (word, rest.trim()),
        None => (tail, ""),
    };
    let rest_unit = unit_of(rest);
    let is_money =
        has_unit || (rest_unit.iter().flatten()).any(|unit| unit.measure() == Measure::Currency);
    if let Some(power) = magnitude(word, attached, is_money) {
        return match rest.is_empty() {
            true => Some(Tail {
                magnitude: Some(power),
                unit: None,
            }),
            false => Some(Tail {
                magnitude: Some(power),
                unit: Some(rest_unit?),
            }),
        };
    }
    let per = tail.strip_prefix('/').or_else(|| tail.strip_prefix("per "));
    if has_unit && per.is_some_and(|per| !unit::named(per.trim()).is_empty()) {
        return Some(Tail {
            magnitude: None,
            unit: None,
        });
    }
    if let Some(units) = unit_of(tail) {
        return Some(Tail {
            magnitude: None,
            unit: Some(units),
        });
    }
    // `5M€`, `3kUSD`
    let mut letters = tail.chars();
    let power = magnitude(letters.next()?.encode_utf8(&mut [0; 4]), true, true)?;
    let units = unit_of(letters.as_str())?;
    let is_money = units.iter().any(|unit| unit.measure() == Measure::Currency);
    is_money.then_some(Tail {
        magnitude: Some(power),
        unit: Some(units),
    })
}

/// The units that a text names, perhaps one for each of another one.
fn unit_of(text: &str) -> Option<Units> {
    let units = unit::named(text);
    if !units.is_empty() {
        return Some(units);
    }
    let (top, per) = text.split_once('/').or_else(|| text.split_once(" per "))?;
    let (top, per) = (unit::named(top.trim()), unit::named(per.trim()));
    (!top.is_empty() && !per.is_empty()).then_some(top)
}

/// The power of ten that a word or letter stands for. A single letter stands right behind the digits,
/// or the number is an amount of money.
fn magnitude(word: &str, attached: bool, is_money: bool) -> Option<u32> {
    let lower = word.to_lowercase();
    Some(match (word, &*lower) {
        ("k", _) => 3,
        ("K", _) if attached || is_money => 3,
        ("M", _) if attached || is_money => 6,
        ("m", _) if is_money => 6,
        ("B" | "b", _) if is_money => 9,
        ("B", _) if attached => 9,
        ("T", _) if is_money => 12,
        (_, "thousand" | "thousands") => 3,
        (_, "million" | "millions" | "mn" | "mln" | "mio" | "mio.") => 6,
        (_, "billion" | "billions" | "bn" | "bln") => 9,
        (_, "trillion" | "trillions" | "tn") => 12,
        (_, "lakh" | "lakhs" | "lac") => 5,
        (_, "crore" | "crores") => 7,
        _ => return None,
    })
}

/// One unit of what stands before and behind: twice the same, or one of them.
fn join(before: Units, behind: Option<Units>) -> Option<Option<Units>> {
    match behind {
        None if before.is_empty() => Some(None),
        None => Some(Some(before)),
        Some(behind) if before.is_empty() => Some(Some(behind)),
        Some(mut behind) => {
            behind.retain(|unit| before.contains(unit));
            (!behind.is_empty()).then_some(Some(behind))
        }
    }
}

/// A number times a power of ten, digit for digit.
fn shifted(number: &str, power: u32) -> String {
    let (sign, number) = match number.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", number),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let power = power as usize;
    let moved: String = fraction
        .chars()
        .chain(std::iter::repeat('0'))
        .take(power)
        .collect();
    let digits = format!("{whole}{moved}");
    let digits = digits.trim_start_matches('0');
    let digits = if digits.is_empty() { "0" } else { digits };
    match fraction.get(power..).unwrap_or("") {
        "" => format!("{sign}{digits}"),
        rest => format!("{sign}{digits}.{rest}"),
    }
}

/// Words for whole numbers up to twenty.
fn in_words(text: &str) -> Option<String> {
    const WORDS: [&str; 21] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
    ];
    let text = text.trim_end_matches(['.', '!']);
    let at = WORDS
        .iter()
        .position(|word| text.eq_ignore_ascii_case(word))?;
    Some(at.to_string())
}

/// `1/2`, `3/4`, `½`, `1 1/2`: parts that end as decimals and are no ratings.
fn fraction(text: &str) -> Option<String> {
    const SIGNS: [(char, &str); 7] = [
        ('½', "5"),
        ('¼', "25"),
        ('¾', "75"),
        ('⅛', "125"),
        ('⅜', "375"),
        ('⅝', "625"),
        ('⅞', "875"),
    ];
    let is_whole =
        |whole: &str| whole.len() <= 6 && whole.bytes().all(|byte| byte.is_ascii_digit());
    if let Some((sign, decimals)) = SIGNS.iter().find(|(sign, _)| text.ends_with(*sign)) {
        let whole = text.trim_end_matches(*sign).trim_end();
        let whole = if whole.is_empty() { "0" } else { whole };
        return is_whole(whole).then(|| format!("{whole}.{decimals}"));
    }
    let (whole, part) = text.rsplit_once(' ').unwrap_or(("0", text));
    let (over, under) = part.split_once('/')?;
    let under = match under {
        "2" => 2u32,
        "4" => 4,
        "8" => 8,
        "16" => 16,
        _ => return None,
    };
    let over: u32 = Some(over)
        .filter(|over| over.len() <= 2 && is_whole(over))?
        .parse()
        .ok()?;
    if over == 0 || over >= under || over.is_multiple_of(2) || !is_whole(whole) {
        return None;
    }
    let decimals = format!("{:04}", over * (10_000 / under));
    Some(format!("{whole}.{}", decimals.trim_end_matches('0')))
}

#[cfg(test)]
mod tests;
