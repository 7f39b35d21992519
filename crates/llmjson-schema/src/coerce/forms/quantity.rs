//! Numbers as people write them: with a unit or a magnitude, in words, or in other digits.

mod written;

use llmjson_syntax::Class;

use super::hints::{Hint, Hints};
use super::marks;
use super::numeral::{self, Style};
use super::unit::{self, Measure, Unit, Units};
use crate::base::report::CoercionKind;

/// Length beyond which strings contain more than a number.
const BYTES_MAX: usize = 64;

/// The number in a string.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Quantity {
    pub(super) number: String,
    pub(super) kind: CoercionKind,
    pub(super) class: Class,
    /// `true` if it is a percentage, as in `40 %`.
    pub(super) is_percentage: bool,
}

/// Reads a whole string as one number; `hints` describe its expected unit.
pub(super) fn read(text: &str, hints: impl FnOnce() -> Hints) -> Option<Quantity> {
    let bare = marks::bare(text);
    if bare.text.len() > BYTES_MAX || bare.text.is_empty() {
        return None;
    }
    let read = read_bare(&bare.text, hints)?;
    Some(Quantity {
        class: read.class.max(bare.class),
        ..read
    })
}

fn read_bare(text: &str, hints: impl FnOnce() -> Hints) -> Option<Quantity> {
    let (text, is_rough) = match text.strip_prefix(['~', '≈', '∼']) {
        Some(rest) => (rest.trim_start(), true),
        None => (text, false),
    };
    let head = head_of(text)?;
    // A point at the end is the full stop of a one-word sentence.
    let tail = text[head.length..].trim_end();
    let tail = tail
        .strip_suffix(['.', '!'])
        .filter(|rest| !unit_ends_so(rest))
        .unwrap_or(tail);
    let tail = tail_of(tail, !head.before.is_empty())?;
    let units = join(&head.before, tail.unit)?;
    let read = Measured {
        form: head.form,
        units,
        magnitude: tail.magnitude,
        letter: tail.letter,
        is_rough,
    };
    read.finish(head.number, hints)
}

/// The notation of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Digits(Style),
    Word,
}

/// A number, with the text before it.
struct Head {
    number: String,
    form: Form,
    before: Units,
    /// Number of bytes that it occupies.
    length: usize,
}

fn head_of(text: &str) -> Option<Head> {
    if let Some(word) = written::leading_word(text) {
        let rest = &text[word.length..];
        let ends = rest.is_empty() || rest.starts_with([' ', '.', '!']);
        return ends.then(|| Head {
            number: word.number,
            form: Form::Word,
            before: Units::new(),
            length: word.length,
        });
    }
    let start = start_of_number(text)?;
    let (sign, before) = sign_and_unit(text[..start].trim())?;
    let rest = &text[start..];
    let numeral = numeral::leading(rest)?;
    Some(Head {
        number: [sign, &numeral.number].concat(),
        form: Form::Digits(numeral.style),
        before,
        length: start + numeral.length,
    })
}

/// Returns the offset of the digits, including the point of `.5`, but not that of `Rs.5`.
fn start_of_number(text: &str) -> Option<usize> {
    let digit = text.find(char::is_numeric)?;
    let before = text[..digit].strip_suffix('.');
    let is_point = before.is_some_and(|before| !before.ends_with(char::is_alphabetic));
    Some(if is_point { digit - 1 } else { digit })
}

/// A number with the text around it.
struct Measured {
    form: Form,
    units: Option<Units>,
    magnitude: Option<u32>,
    /// The only letter directly after the digits, which may be a unit, a magnitude, or part of a
    /// name.
    letter: Option<char>,
    is_rough: bool,
}

impl Measured {
    fn finish(mut self, number: String, hints: impl FnOnce() -> Hints) -> Option<Quantity> {
        let Form::Digits(style) = self.form else {
            return self.finish_written(number, hints);
        };
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
        let Some(units) = self.units.take() else {
            if let Some(power) = self.magnitude {
                return Some(written(shifted(&number, power), Class::Guess));
            }
            return match grouped {
                Some(grouped) => Some(of(number, grouped)),
                None if style == Style::OneSign => None,
                None => Some(written(number, guess(Class::Likely))),
            };
        };
        let hint = hints().about(&units);
        // `"5 m"` where the schema says `in cm`: without a conversion the number would be another
        // one.
        if hint == Hint::Disagrees {
            return None;
        }
        // `7A`, `54B`: a part number, unless the letter is commonly used as a unit or magnitude.
        if let Some(letter) = self.letter.filter(|_| hint != Hint::Agrees) {
            if !is_no_code(&number, letter) {
                return None;
            }
        } else if self.letter.is_some() {
            // The unit in the schema, as in `54B` for a size in bytes.
            self.magnitude = None;
        }
        if let Some(power) = self.magnitude {
            return Some(written(shifted(&number, power), Class::Guess));
        }
        let is_money = units.iter().any(|unit| unit.measure() == Measure::Currency);
        // `$1,234`: a currency symbol means that the comma separates groups.
        if is_money && let Some(grouped) = grouped {
            return Some(of(number, grouped));
        }
        // Three decimals of an amount of money may be a group after a point.
        let decimals = number.split_once('.').map_or(0, |(_, digits)| digits.len());
        if is_money && style == Style::Plain && decimals == 3 {
            return None;
        }
        let is_sure = hint == Hint::Agrees && matches!(style, Style::Plain | Style::Grouped);
        let class = if is_sure { Class::Likely } else { Class::Guess };
        Some(Quantity {
            is_percentage: is_ratio(&units),
            ..of(number, (CoercionKind::UnitNumber, class))
        })
    }

    /// Completes a number in words.
    fn finish_written(self, number: String, hints: impl FnOnce() -> Hints) -> Option<Quantity> {
        let units = self.units.unwrap_or_default();
        if !units.is_empty() && hints().about(&units) == Hint::Disagrees {
            return None;
        }
        let number = match self.magnitude {
            Some(power) => shifted(&number, power),
            None => number,
        };
        Some(Quantity {
            is_percentage: is_ratio(&units),
            ..written(number, Class::Guess)
        })
    }
}

fn is_ratio(units: &[Unit]) -> bool {
    units.iter().any(|unit| unit.measure() == Measure::Ratio)
}

/// Returns `true` if a letter directly after digits does not make them a part number, such as `7A`
/// or `54B`: the letter is commonly used there, or there is a fraction.
fn is_no_code(number: &str, letter: char) -> bool {
    match number.contains('.') {
        // `1.2T` could be teslas and trillions.
        true => letter.is_ascii_uppercase() && letter != 'T' || "kgmshltd".contains(letter),
        false => "kKMgmshl".contains(letter),
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

/// Returns the meaning of the text before the digits: a plus or minus, a unit, or both in any
/// order.
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
    // After letters, a hyphen joins: `AB-12`.
    let joined = first.is_none() && last.is_some() && unit.chars().any(char::is_alphabetic);
    if signs > 1 || joined {
        return None;
    }
    if unit.is_empty() {
        return Some((sign, Units::new()));
    }
    let mut units = unit::named(unit);
    units.retain(|unit| matches!(unit.measure(), Measure::Currency | Measure::Ratio));
    // Words follow a number.
    let is_sign = unit.chars().all(|letter| !letter.is_lowercase()) || unit.chars().count() <= 3;
    (is_sign && !units.is_empty()).then_some((sign, units))
}

/// The meaning of the text after the digits.
#[derive(Default)]
struct Tail {
    magnitude: Option<u32>,
    unit: Option<Units>,
    letter: Option<char>,
}

/// Returns `true` if a unit is written with a full stop: `Rs.`, `kr.`
fn unit_ends_so(rest: &str) -> bool {
    unit::named(rest.trim()).is_empty() && !rest.trim().is_empty()
}

fn tail_of(tail: &str, has_unit: bool) -> Option<Tail> {
    if tail.is_empty() {
        return Some(Tail::default());
    }
    let attached = !tail.starts_with(char::is_whitespace);
    let tail = tail.trim();
    let hyphened = tail.strip_prefix('-').filter(|rest| rest.len() > 2);
    let tail = hyphened.unwrap_or(tail);
    let of_unit = |unit: Option<Units>| Tail {
        unit,
        ..Tail::default()
    };
    if let ([letter], true, false) = (tail.as_bytes(), attached, has_unit) {
        let unit = unit::named(tail);
        let magnitude = magnitude(tail, BESIDE_DIGITS);
        if !unit.is_empty() || magnitude.is_some() {
            return Some(Tail {
                magnitude,
                unit: Some(unit),
                letter: Some(char::from(*letter)).filter(char::is_ascii_alphabetic),
            });
        }
    }
    let (word, rest) = match tail.split_once(char::is_whitespace) {
        Some((word, rest)) => (word, rest.trim()),
        None => (tail, ""),
    };
    let rest_unit = unit_of(rest);
    let is_money =
        has_unit || (rest_unit.iter().flatten()).any(|unit| unit.measure() == Measure::Currency);
    if let Some(power) = magnitude(word, NumberBefore { attached, is_money }) {
        let unit = match rest.is_empty() {
            true => None,
            false => Some(rest_unit?),
        };
        return Some(Tail {
            magnitude: Some(power),
            ..of_unit(unit)
        });
    }
    let per = tail.strip_prefix('/').or_else(|| tail.strip_prefix("per "));
    // `$5/hour`: the number's unit is the one before it.
    if has_unit && per.is_some_and(|per| !unit::named(per.trim()).is_empty()) {
        return Some(Tail::default());
    }
    if let Some(units) = unit_of(tail) {
        return Some(of_unit(Some(units)));
    }
    // `5M€`, `3kUSD`
    let mut letters = tail.chars();
    let power = magnitude(
        letters.next()?.encode_utf8(&mut [0; 4]),
        NumberBefore {
            is_money: true,
            ..BESIDE_DIGITS
        },
    )?;
    let units = unit_of(letters.as_str())?;
    let is_money = units.iter().any(|unit| unit.measure() == Measure::Currency);
    is_money.then(|| Tail {
        magnitude: Some(power),
        ..of_unit(Some(units))
    })
}

/// Returns the units that a string names, possibly a ratio of two.
fn unit_of(text: &str) -> Option<Units> {
    if text.is_empty() {
        return None;
    }
    let units = unit::named(text);
    if !units.is_empty() {
        return Some(units);
    }
    let (top, per) = text.split_once('/').or_else(|| text.split_once(" per "))?;
    let (top, per) = (unit::named(top.trim()), unit::named(per.trim()));
    (!top.is_empty() && !per.is_empty()).then_some(top)
}

/// The number before a magnitude.
#[derive(Clone, Copy)]
struct NumberBefore {
    /// `true` if the word follows the digits directly.
    attached: bool,
    is_money: bool,
}

const BESIDE_DIGITS: NumberBefore = NumberBefore {
    attached: true,
    is_money: false,
};

/// The power of ten that a word or letter represents. A single letter must directly follow the
/// digits, or the number must be an amount of money.
fn magnitude(word: &str, number: NumberBefore) -> Option<u32> {
    let NumberBefore { attached, is_money } = number;
    const WORDS: [(&str, u32); 6] = [
        ("thousand thousands", 3),
        ("lakh lakhs lac", 5),
        ("million millions mn mln mio mio.", 6),
        ("crore crores", 7),
        ("billion billions bn bln", 9),
        ("trillion trillions tn", 12),
    ];
    Some(match word {
        "k" => 3,
        "K" if attached || is_money => 3,
        "M" => 6,
        "m" if is_money => 6,
        "B" | "b" if is_money => 9,
        "B" if attached => 9,
        "T" if is_money => 12,
        _ if word.len() > 1 => {
            let mut words = WORDS.iter();
            let is_of = |known: &str| known.split(' ').any(|one| word.eq_ignore_ascii_case(one));
            words.find(|(known, _)| is_of(known))?.1
        }
        _ => return None,
    })
}

/// Returns the single unit from the text before and after: the same one twice, or one of them.
fn join(before: &Units, behind: Option<Units>) -> Option<Option<Units>> {
    match behind {
        None if before.is_empty() => Some(None),
        None => Some(Some(before.clone())),
        Some(behind) if before.is_empty() => Some(Some(behind)),
        Some(mut behind) => {
            behind.retain(|unit| before.contains(unit));
            (!behind.is_empty()).then_some(Some(behind))
        }
    }
}

/// Returns a number times a power of ten, digit for digit.
fn shifted(number: &str, power: u32) -> String {
    let (sign, number) = match number.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", number),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let power = power as usize;
    let (moved, rest) = fraction.split_at(fraction.len().min(power));
    let mut out = String::with_capacity(sign.len() + number.len() + power);
    out.push_str(sign);
    let whole = whole.trim_start_matches('0');
    let moved = match whole.is_empty() {
        true => moved.trim_start_matches('0'),
        false => moved,
    };
    out.push_str(whole);
    out.push_str(moved);
    if out.len() == sign.len() {
        out.push('0');
    } else {
        let zeros = power - fraction.len().min(power);
        out.extend(std::iter::repeat_n('0', zeros));
    }
    if !rest.is_empty() {
        out.push('.');
        out.push_str(rest);
    }
    out
}

#[cfg(test)]
mod tests;
