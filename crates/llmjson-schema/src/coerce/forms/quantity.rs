//! Numbers as people write them: the text around a number is peeled off, and all of it must be
//! accounted for: a plus or minus, a unit, a magnitude, a hedge, a full stop.

mod spoken;

use llmjson_syntax::Class;

use super::hints::{Hint, Hints};
use super::marks::{self, Bare};
use super::number::plain;
use super::numeral::{self, Style};
use super::unit::{self, CURRENCY, RATIO, Units};
use crate::base::report::CoercionKind;
use crate::base::words;

/// Length beyond which strings contain more than a number.
const BYTES_MAX: usize = 64;

/// Words and signs before a number that say that it is not exact.
const HEDGES: &str = "~ ≈ ∼ about approximately approx. approx around roughly estimated est. circa \
    exactly genau exactement ca. etwa ungefähr environ aproximadamente cerca около примерно 约 約 약 حوالي";

/// The number in a string.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Quantity {
    pub(super) number: String,
    pub(super) kind: CoercionKind,
    pub(super) class: Class,
    /// `true` if it is a percentage, as in `40 %`.
    pub(super) is_percentage: bool,
}

impl Quantity {
    pub(super) fn written(number: String, class: Class) -> Self {
        Self {
            number,
            kind: CoercionKind::WrittenNumber,
            class,
            is_percentage: false,
        }
    }
}

/// A number, what it is written like, and the text on both sides of it.
pub(super) struct Parts<'t> {
    pub(super) number: String,
    /// `None` if the number is in words.
    pub(super) style: Option<Style>,
    pub(super) before: &'t str,
    pub(super) after: &'t str,
}

/// Reads a whole string as one number; `hints` describe its expected unit.
pub(super) fn read(text: &str, hints: impl FnOnce() -> Hints) -> Option<Quantity> {
    let bare = marks::bare(text);
    (bare.text.len() <= BYTES_MAX).then(|| read_bare(&bare, hints))?
}

/// Reads a text without marks, of whatever length, as one number.
pub(super) fn read_bare(bare: &Bare<'_>, hints: impl FnOnce() -> Hints) -> Option<Quantity> {
    let (text, hedged) = without_hedge(&bare.text);
    let parts = Parts::of(text)?;
    // A point at the end is the full stop of a sentence of one word, but not that of `Rs.`
    let after = parts.after.trim_end();
    let stopped = after.strip_suffix('.');
    let is_name = |rest: &&str| rest.trim().is_empty() || unit_of(rest).is_some();
    let after = stopped.filter(is_name).unwrap_or(after);
    let before = unit_before(parts.before)?;
    let tail = Tail::of(after, before.is_some())?;
    let read = tail.finish(parts, before, hints)?;
    Some(Quantity {
        class: read.class.max(bare.class).max(hedged),
        ..read
    })
}

/// The text without a hedge before it, and the class that what is left has at best.
fn without_hedge(text: &str) -> (&str, Class) {
    let is_hedge = |word: &str| HEDGES.split(' ').any(|one| word.eq_ignore_ascii_case(one));
    let sign = text.chars().next().map_or(0, char::len_utf8);
    let (sign, rest) = text.split_at(sign);
    match text.split_once(' ') {
        _ if is_hedge(sign) => (rest.trim_start(), Class::Guess),
        Some((word, rest)) if is_hedge(word) => (rest, Class::Guess),
        _ => (text, Class::Certain),
    }
}

impl<'t> Parts<'t> {
    pub(super) fn of(text: &'t str) -> Option<Self> {
        if let Some((number, after)) = spoken::leading(text) {
            let ends = after.is_empty() || after.starts_with([' ', '.']);
            return ends.then_some(Self {
                number,
                style: None,
                before: "",
                after,
            });
        }
        let start = start_of_number(text)?;
        let (before, digits) = text.split_at(start);
        let numeral = numeral::leading(digits)?;
        let is_sign = |letter| matches!(letter, '-' | '−' | '+');
        let unit = before.trim().trim_matches(is_sign).trim();
        let mut signs = before.chars().filter(|letter| is_sign(*letter));
        let sign = match signs.next() {
            None | Some('+') => "",
            Some(_) => "-",
        };
        let head = before.trim_start();
        // After letters, a hyphen joins: `AB-12`.
        let is_joined = !head.starts_with(is_sign)
            && head.trim_end().ends_with(is_sign)
            && unit.contains(char::is_alphabetic);
        // `- 5` is an item of a list.
        let is_item =
            unit.is_empty() && head.trim_end().len() < head.len() && !head.trim().is_empty();
        (signs.next().is_none() && !is_joined && !is_item).then(|| Self {
            number: [sign, &numeral.number].concat(),
            style: Some(numeral.style),
            before: unit,
            after: &digits[numeral.length..],
        })
    }
}

/// Returns the offset of the digits, including the point of `.5`, but not that of `Rs.5`.
fn start_of_number(text: &str) -> Option<usize> {
    let digit = text.find(char::is_numeric)?;
    let before = text[..digit].strip_suffix('.');
    let is_point = before.is_some_and(|before| !before.ends_with(char::is_alphabetic));
    Some(if is_point { digit - 1 } else { digit })
}

/// The unit before a number, if there is text: a symbol or a code, since words follow a number.
/// `None` if it is something else.
fn unit_before(text: &str) -> Option<Option<Units>> {
    if text.is_empty() {
        return Some(None);
    }
    let mut units = unit::named(text);
    units.retain(|unit| matches!(unit.measure, CURRENCY | RATIO));
    let is_sign = !text.contains(char::is_lowercase) || text.chars().count() <= 3;
    (is_sign && !units.is_empty()).then_some(Some(units))
}

/// Returns the units that a string names, possibly a ratio of two.
fn unit_of(text: &str) -> Option<Units> {
    let known = |text: &str| Some(unit::named(text.trim())).filter(|units| !units.is_empty());
    known(text).or_else(|| {
        let (top, per) = text.split_once('/').or_else(|| text.split_once(" per "))?;
        known(per).and(known(top))
    })
}

fn is_money(units: Option<&Units>) -> bool {
    units.is_some_and(|units| units.iter().any(|unit| unit.measure == CURRENCY))
}

/// The meaning of the text after a number.
#[derive(Default)]
struct Tail {
    magnitude: Option<u32>,
    units: Option<Units>,
    /// The only letter directly after the digits, which may be a unit, a magnitude, or part of a
    /// name.
    letter: Option<char>,
}

impl Tail {
    fn of(text: &str, has_unit: bool) -> Option<Self> {
        if text.is_empty() {
            return Some(Self::default());
        }
        let is_attached = !text.starts_with(char::is_whitespace);
        let text = text.trim();
        let hyphened = text.strip_prefix('-').filter(|rest| rest.len() > 2);
        let text = hyphened.unwrap_or(text);
        // `12.50 (EUR)`
        let bracketed = text
            .strip_prefix('(')
            .and_then(|text| text.strip_suffix(')'));
        let text = bracketed
            .filter(|unit| unit_of(unit).is_some())
            .unwrap_or(text);
        let units = unit_of(text);
        if let ([letter], true, false) = (text.as_bytes(), is_attached, has_unit) {
            let magnitude = magnitude(text, true, false);
            let is_known = magnitude.is_some() || units.is_some();
            let letter = Some(char::from(*letter)).filter(char::is_ascii_alphabetic);
            return is_known.then_some(Self {
                magnitude,
                units,
                letter,
            });
        }
        // `$5/hour`: the number's unit is the one before it.
        let per = text.strip_prefix('/').or_else(|| text.strip_prefix("per "));
        if has_unit && per.is_some_and(|per| unit_of(per).is_some()) {
            return Some(Self::default());
        }
        let word = text.find(char::is_whitespace).unwrap_or(text.len());
        let letter = text.chars().next()?.len_utf8();
        // A magnitude in a word, none, and one in a letter: `5M€`, `3億円`.
        [word, 0, letter].into_iter().find_map(|end| {
            let (head, rest) = text.split_at(end);
            let units = unit_of(rest);
            let has_money = is_money(units.as_ref());
            let is_whole = units.is_some() || end == text.len();
            let magnitude = magnitude(head, is_attached, has_unit || has_money);
            let is_read = is_whole && (magnitude.is_some() || end == 0);
            let is_read = is_read && (end != letter || end == word || has_money);
            is_read.then_some(Self {
                magnitude,
                units,
                letter: None,
            })
        })
    }

    /// The number that parts are with this tail.
    fn finish(
        mut self,
        parts: Parts<'_>,
        before: Option<Units>,
        hints: impl FnOnce() -> Hints,
    ) -> Option<Quantity> {
        use CoercionKind::{GroupedNumber, GroupedNumberGuess, UnitNumber, WrittenNumber};
        use Style::{Grouped, OneGroup, OneSign, Plain};
        // A unit may be on both sides if it is the same.
        let units = match (before, self.units.take()) {
            (Some(before), Some(mut units)) => {
                units.retain(|unit| before.contains(unit));
                Some(units).filter(|units| !units.is_empty()).map(Some)?
            }
            (before, after) => before.or(after),
        };
        let about = |units: &Units| hints().about(units);
        let hint = units.as_ref().map_or(Hint::Silent, about);
        // `"5 m"` where the schema says `in cm`: without a conversion the number would be another
        // one.
        if hint == Hint::Disagrees {
            return None;
        }
        match self.letter {
            // The unit in the schema, as in `54B` for a size in bytes.
            Some(_) if hint == Hint::Agrees => self.magnitude = None,
            // `7A`, `54B`: a part number.
            Some(letter) if !is_no_code(&parts.number, letter) => return None,
            _ => {}
        }
        let is_money = is_money(units.as_ref());
        // Three decimals of an amount of money may be a group after a point.
        let is_group = || {
            let fraction = parts.number.split_once('.');
            fraction.is_some_and(|(_, digits)| digits.len() == 3)
        };
        let (kind, class) = match (parts.style, self.magnitude) {
            (None, _) | (_, Some(_)) => (WrittenNumber, Class::Guess),
            // A currency symbol means that the comma separates groups.
            (Some(Grouped), _) if is_money || units.is_none() => (GroupedNumber, Class::Likely),
            (Some(OneGroup), _) if is_money || units.is_none() => {
                (GroupedNumberGuess, Class::Guess)
            }
            (Some(Plain), _) if is_money && is_group() => return None,
            (Some(Plain), _) if units.is_none() => (WrittenNumber, Class::Likely),
            (Some(OneSign), _) if units.is_none() => (WrittenNumber, Class::Guess),
            (Some(Plain | Grouped), _) if hint == Hint::Agrees => (UnitNumber, Class::Likely),
            _ => (UnitNumber, Class::Guess),
        };
        let mut units = units.iter().flatten();
        Some(Quantity {
            number: shifted(&parts.number, self.magnitude.unwrap_or(0) as usize)?,
            kind,
            class,
            is_percentage: units.any(|unit| unit.measure == RATIO),
        })
    }
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

/// The power of ten that a word or letter represents. A single letter must directly follow the
/// digits, or the number must be an amount of money.
fn magnitude(word: &str, is_attached: bool, is_money: bool) -> Option<u32> {
    match word {
        "k" => Some(3),
        "K" if is_attached || is_money => Some(3),
        "M" => Some(6),
        "m" if is_money => Some(6),
        "B" if is_attached || is_money => Some(9),
        "b" if is_money => Some(9),
        "T" if is_money => Some(12),
        _ => words::magnitude(word),
    }
}

/// Returns a number times a power of ten, digit for digit.
fn shifted(number: &str, power: usize) -> Option<String> {
    if power == 0 {
        return Some(number.to_owned());
    }
    // `1e3 million`
    if number.contains('e') {
        return None;
    }
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits = format!("{whole}{fraction:0<power$}");
    let (whole, fraction) = digits.split_at(whole.len() + power);
    let point = if fraction.is_empty() { "" } else { "." };
    plain(&[whole, point, fraction].concat())
}
