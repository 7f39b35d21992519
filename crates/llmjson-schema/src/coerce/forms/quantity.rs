//! Numbers as people write them: a number is found, and every word and sign on both sides of it must
//! be accounted for: as a plus or minus, a unit, a magnitude, a hedge, a word that introduces it, or
//! a word of its key.

mod spoken;

use std::ops::Range;

use llmjson_syntax::Class;

use super::counted;
use super::hints::{Hint, Hints};
use super::marks::{self, Bare};
use super::number::plain;
use super::numeral::{self, Style};
use super::unit::{self, CURRENCY, RATIO, Units};
use crate::base::fold::{fold, is_in};
use crate::base::report::CoercionKind;
use crate::base::tokens::{Sort, Token, Tokens, sort, tokens};
use crate::base::words;
use crate::ir::names::parts::is_one_of;

/// Length beyond which strings contain more than a number.
const BYTES_MAX: usize = 64;

/// Maximum number of words and symbols of a unit: `pounds per square inch`.
const UNIT_WORDS_MAX: usize = 6;

/// The known facts about the place of a number.
pub(super) struct Place<'p> {
    /// The words of its key.
    pub(super) own: &'p [String],
    pub(super) most: Option<&'p str>,
    pub(super) hints: &'p dyn Fn() -> Hints,
}

impl Place<'_> {
    /// A place about which nothing is known.
    pub(super) const UNKNOWN: Self = Self {
        own: &[],
        most: None,
        hints: &Hints::default,
    };

    /// Returns `true` if a word is one of the key, or counts what the key counts.
    pub(super) fn is_own(&self, word: &str) -> bool {
        let is_same = |own: &String| is_one_of(word, own) || is_one_of(own, word);
        let is_point = || self.most.is_some() && counted::is_point(word);
        word.len() > 2 && self.own.iter().any(is_same) || is_point()
    }
}

/// The number in a string.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Quantity {
    pub(super) number: String,
    pub(super) kind: CoercionKind,
    pub(super) class: Class,
    /// `true` if it is a percentage, as in `40 %`.
    pub(super) is_percentage: bool,
}

/// Reads a whole string as the one number that it means at a place.
pub(super) fn read(text: &str, place: &Place<'_>) -> Option<Quantity> {
    let bare = marks::bare(text);
    (bare.text.len() <= BYTES_MAX).then(|| read_bare(&bare, place))?
}

/// Reads a text without marks, of whatever length, as one number.
pub(super) fn read_bare(bare: &Bare<'_>, place: &Place<'_>) -> Option<Quantity> {
    let text = bare.text.trim();
    let written = |number, class| Quantity {
        number,
        kind: CoercionKind::WrittenNumber,
        class,
        is_percentage: false,
    };
    let read = match (written_twice(text), find(text)) {
        (Some(number), _) => written(number, Class::Guess),
        (None, Some((range, number, style))) => {
            let mut around = Around::new(place);
            around.before(&text[..range.start])?;
            around.after(&text[range.end..], &number)?;
            around.finish(&number, style)?
        }
        (None, None) => {
            let (number, class) = counted::without_digits(text, place)?;
            written(number, class)
        }
    };
    Some(Quantity {
        class: read.class.max(bare.class),
        ..read
    })
}

/// Returns the number that a text has in digits and in words: `12 (twelve)`.
fn written_twice(text: &str) -> Option<String> {
    let (number, again) = text.strip_suffix(')')?.split_once(" (")?;
    let of = |text: &str| match spoken::leading(text) {
        Some((number, "")) => Some(number),
        _ => plain(text),
    };
    of(number).filter(|number| of(again).as_ref() == Some(number))
}

/// Returns the number in a text, in digits or in words, the bytes that it occupies, and its style if
/// it is in digits.
fn find(text: &str) -> Option<(Range<usize>, String, Option<Style>)> {
    if let Some(digit) = text.find(char::is_numeric) {
        // The point of `.5`, but not that of `Rs.5`.
        let before = text[..digit].strip_suffix('.');
        let is_point = before.is_some_and(|before| !before.ends_with(char::is_alphabetic));
        let start = digit - usize::from(is_point);
        let numeral = numeral::leading(&text[start..])?;
        let end = start + numeral.length;
        return Some((start..end, numeral.number, Some(numeral.style)));
    }
    let words = tokens(text, sort);
    words.iter().find_map(|word| {
        let (number, rest) = spoken::leading(&text[word.start..])?;
        Some((word.start..text.len() - rest.len(), number, None))
    })
}

/// The meaning of the text around a number.
struct Around<'p> {
    place: &'p Place<'p>,
    /// `true` if there is a minus, `false` if there is a plus.
    sign: Option<bool>,
    units: Option<Units>,
    magnitude: Option<u32>,
    /// The only letter directly after the digits, which may be a unit, a magnitude, or part of a
    /// name.
    letter: Option<char>,
    /// The best class that a reading can have.
    class: Class,
}

fn guess_if(is_guess: bool) -> Class {
    if is_guess {
        Class::Guess
    } else {
        Class::Certain
    }
}

/// Returns the words and symbols of a text around a number. A point belongs to the word before it.
fn words_of(text: &str) -> Tokens<'_> {
    tokens(text, |letter| match letter {
        '.' => Sort::Letter,
        letter => sort(letter),
    })
}

impl<'p> Around<'p> {
    fn new(place: &'p Place<'p>) -> Self {
        Self {
            place,
            sign: None,
            units: None,
            magnitude: None,
            letter: None,
            class: Class::Certain,
        }
    }

    /// Accounts for the text before the number, or returns `None`.
    fn before(&mut self, text: &str) -> Option<()> {
        let words = words_of(text);
        let mut at = 0;
        while let Some(word) = words.get(at) {
            let is_after_word = at > 0 && words[at - 1].raw.ends_with(char::is_alphabetic);
            let is_sign = matches!(&*word.text, "-" | "+");
            if is_sign || words::is_minus(&word.text) {
                // After letters, a hyphen joins: `AB-12`.
                let is_joined = is_sign && is_after_word && words[at - 1].end() == word.start;
                // `- 5` is an item of a list.
                let is_item =
                    is_sign && self.units.is_none() && text[word.end()..].starts_with(' ');
                if self.sign.is_some() || is_joined || is_item {
                    return None;
                }
                self.sign = Some(word.text != "+");
                self.class = self.class.max(guess_if(!is_sign));
                at += 1;
            } else if counted::introduces(word, self.place) {
                // `no 3`
                self.class = self.class.max(guess_if(word.text == "no"));
                at += 1;
            } else if is_after_word && is_in(": =", &word.text) {
                at += 1;
            } else {
                // `A4`
                let is_attached = word.end() == text.len() && word.raw.is_ascii();
                let unit = self.unit(text, &words[at..], true)?;
                at += if unit > 0 {
                    unit
                } else {
                    self.idle(word, is_attached)?
                };
            }
        }
        Some(())
    }

    /// Accounts for the text after the number, or returns `None`.
    fn after(&mut self, text: &str, number: &str) -> Option<()> {
        let text = text.trim_end();
        let text = text.strip_suffix(['.', ',', ';', '!']).unwrap_or(text);
        if let ([letter], None) = (text.as_bytes(), &self.units) {
            self.magnitude = magnitude(text, true, false);
            self.units = unit_of(text);
            self.letter = Some(char::from(*letter)).filter(char::is_ascii_alphabetic);
            return (self.magnitude.is_some() || self.units.is_some()).then_some(());
        }
        // `12.50 (EUR)`
        let inner = text
            .trim()
            .strip_prefix('(')
            .and_then(|text| text.strip_suffix(')'));
        let text = inner.unwrap_or(text);
        let words = words_of(text);
        let is_attached = |word: &Token<'_>| inner.is_none() && word.start == 0;
        // `30-minute`
        let is_hyphen = words.len() > 1 && words[0].text == "-" && words[1].raw.len() > 1;
        let mut at = usize::from(is_hyphen && is_attached(&words[0]) && words[1].start == 1);
        at += counted::after(&words[at..], number, self.place);
        at += self.power(text, &words[at..]);
        while let Some(word) = words.get(at) {
            let rest = &words[at + 1..];
            let per = || Self::phrase(text, rest, |_| true).map_or(0, |(count, _)| count);
            if word.text == "," && at + 1 < words.len() {
                at += 1;
            // `$5/hour`: the number's unit is the one before it.
            } else if self.units.is_some() && is_in("/ per", &word.text) && per() > 0 {
                at += 1 + per();
            } else {
                let unit = self.unit(text, &words[at..], false)?;
                let is_attached = is_attached(word) && word.raw.is_ascii();
                at += if unit > 0 {
                    unit
                } else {
                    self.idle(word, is_attached)?
                };
            }
        }
        Some(())
    }

    /// Takes the magnitude at the beginning of a text, and returns the number of words that it is.
    fn power(&mut self, text: &str, words: &[Token<'_>]) -> usize {
        let Some(word) = words.first() else {
            return 0;
        };
        let is_attached = word.start == 0;
        let after = unit_of(&text[word.end()..]);
        let has_money = is_money(self.units.as_ref()) || is_money(after.as_ref());
        self.magnitude = magnitude(word.raw.trim_end_matches('.'), is_attached, has_money);
        // `3億円`
        let first = word.raw.chars().next().map_or(0, char::len_utf8);
        let (letter, rest) = word.raw.split_at(first);
        if self.magnitude.is_none() && !letter.is_ascii() && self.units.is_none() {
            self.units = unit_of(rest).filter(|units| is_money(Some(units)));
            self.magnitude = self
                .units
                .as_ref()
                .and_then(|_| magnitude(letter, true, true));
        }
        usize::from(self.magnitude.is_some())
    }

    /// Returns the longest beginning of some words that is a unit.
    fn phrase(
        text: &str,
        words: &[Token<'_>],
        is_one: impl Fn(&str) -> bool,
    ) -> Option<(usize, Units)> {
        let first = words.first()?.start;
        (1..=words.len().min(UNIT_WORDS_MAX))
            .rev()
            .find_map(|count| {
                let phrase = &text[first..words[count - 1].end()];
                Some((count, unit_of(phrase).filter(|_| is_one(phrase))?))
            })
    }

    /// Takes the unit at the beginning of some words, and returns the number of its words. Returns
    /// `None` if it contradicts another one.
    fn unit(&mut self, text: &str, words: &[Token<'_>], is_before: bool) -> Option<usize> {
        // Before a number is a symbol or a code, since words follow a number.
        let is_symbol = |phrase: &str| {
            !is_before || !phrase.contains(char::is_lowercase) || phrase.chars().count() <= 3
        };
        let Some((count, mut units)) = Self::phrase(text, words, is_symbol) else {
            return Some(0);
        };
        // `12 in total`
        if count < words.len() && words::is_filler(&words[0].text) {
            return Some(0);
        }
        units.retain(|unit| !is_before || matches!(unit.measure, CURRENCY | RATIO));
        if units.is_empty() {
            return Some(0);
        }
        // `$-$5`
        let is_repeated = is_before && self.sign.is_some();
        if let Some(known) = &self.units {
            units.retain(|unit| known.contains(unit) && !is_repeated);
        }
        self.units = Some(units).filter(|units| !units.is_empty());
        self.units.as_ref().map(|_| count)
    }

    /// Accounts for a word that does not change the number, or returns `None`.
    fn idle(&mut self, word: &Token<'_>, is_attached: bool) -> Option<usize> {
        let (name, is_sign) = (
            word.text.trim_end_matches('.'),
            !word.raw.contains(char::is_alphabetic),
        );
        let class = match name {
            _ if words::is_hedge(name) && (is_sign || !is_attached) => Class::Guess,
            _ if is_attached || words::is_limit(name) => return None,
            _ if self.place.is_own(name) => Class::Certain,
            _ if words::is_filler(name) => Class::Guess,
            _ => return None,
        };
        self.class = self.class.max(class);
        Some(1)
    }

    /// Returns the number that digits or words are with all that is around them.
    fn finish(mut self, number: &str, style: Option<Style>) -> Option<Quantity> {
        use CoercionKind::{GroupedNumber, GroupedNumberGuess, UnitNumber, WrittenNumber};
        use Style::{Grouped, OneGroup, OneSign, Plain};
        let units = self.units.as_ref();
        let hint = units.map_or(Hint::Silent, |units| (self.place.hints)().about(units));
        // `"5 m"` where the schema says `in cm`: without a conversion the number would be another
        // one.
        if hint == Hint::Disagrees {
            return None;
        }
        match self.letter {
            // The unit in the schema, as in `54B` for a size in bytes.
            Some(_) if hint == Hint::Agrees => self.magnitude = None,
            // `7A`, `54B`: a part number.
            Some(letter) if !is_no_code(number, letter) => return None,
            _ => {}
        }
        let is_money = is_money(units);
        // Three decimals of an amount of money may be a group after a point.
        let is_group = || {
            let fraction = number.split_once('.');
            fraction.is_some_and(|(_, digits)| digits.len() == 3)
        };
        let (kind, class) = match (style, self.magnitude) {
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
        let sign = if self.sign == Some(true) && number != "0" {
            "-"
        } else {
            ""
        };
        Some(Quantity {
            number: shifted(
                &[sign, number].concat(),
                self.magnitude.unwrap_or(0) as usize,
            )?,
            kind,
            class: class.max(self.class),
            is_percentage: units
                .is_some_and(|units| units.iter().any(|unit| unit.measure == RATIO)),
        })
    }
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
        _ => words::magnitude(fold(word).trim_end_matches('.')),
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
