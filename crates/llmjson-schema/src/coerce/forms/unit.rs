//! The closed table of units, and the units that a text names.

mod table;

use std::sync::OnceLock;

use smallvec::SmallVec;

use self::table::{CURRENCIES, PREFIX_WORDS, Row, UNITS};
use crate::base::hash::NumberMap;

/// A unit: a row of one of the tables, with its prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    row: u16,
    prefix: char,
}

/// Units that a string may name: `$` is the symbol of several currencies, `pound` a mass and a
/// currency.
pub(super) type Units = SmallVec<[Unit; 4]>;

/// The quantity that a unit measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    Acceleration,
    Angle,
    Area,
    Currency,
    Data,
    Electric,
    Energy,
    Frequency,
    Length,
    Light,
    Mass,
    Matter,
    Power,
    Pressure,
    Radiation,
    Ratio,
    Sound,
    Speed,
    Temperature,
    Time,
    Volume,
}

fn rows() -> impl Iterator<Item = (u16, &'static Row)> {
    (0u16..).zip(UNITS.iter().chain(CURRENCIES))
}

impl Unit {
    fn row(self) -> &'static Row {
        let at = usize::from(self.row);
        UNITS
            .get(at)
            .unwrap_or_else(|| &CURRENCIES[at - UNITS.len()])
    }

    pub(super) fn measure(self) -> Measure {
        self.row().measure
    }
}

/// Short strings from the tables. No input is inserted, so they need no hasher that resists chosen
/// keys.
type Named = NumberMap<String, Units>;

/// The units by their spellings, including prefixes; built on first use.
#[derive(Default)]
struct Tables {
    signs: Named,
    /// Symbols in lower case.
    folded: Named,
    /// Words in lower case and singular.
    words: Named,
}

fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| {
        let mut tables = Tables::default();
        for (at, row) in rows() {
            tables.add(row, at);
        }
        tables
    })
}

impl Tables {
    fn add(&mut self, row: &Row, at: u16) {
        let with = |prefix: char| Unit { row: at, prefix };
        let split = |list: &'static str| list.split(',').filter(|one| !one.is_empty());
        for sign in split(row.signs) {
            self.add_sign(sign.to_owned(), with(NO_PREFIX));
            for prefix in row.prefixes.chars() {
                // Micro has two symbols in addition to the letter.
                let unit = with(match prefix {
                    'µ' => 'u',
                    'K' => 'k',
                    other => other,
                });
                self.add_sign(format!("{prefix}{sign}"), unit);
                if prefix == 'µ' {
                    self.add_sign(format!("μ{sign}"), unit);
                }
            }
        }
        for word in split(row.words) {
            self.words
                .entry(word.to_owned())
                .or_default()
                .push(with(NO_PREFIX));
            let prefixes = PREFIX_WORDS.iter().filter(|_| !row.prefixes.is_empty());
            for (before, prefix) in prefixes {
                let words = self.words.entry(format!("{before}{word}")).or_default();
                words.push(with(*prefix));
            }
        }
    }

    fn add_sign(&mut self, sign: String, unit: Unit) {
        self.folded
            .entry(sign.to_lowercase())
            .or_default()
            .push(unit);
        self.signs.entry(sign).or_default().push(unit);
    }
}

const NO_PREFIX: char = ' ';

/// Length beyond which strings name no unit.
const NAME_BYTES_MAX: usize = 32;

/// Returns the units that a whole string names, by their symbols or in words.
pub(super) fn named(text: &str) -> Units {
    if text.is_empty() || text.len() > NAME_BYTES_MAX {
        return Units::new();
    }
    if let Some(units) = tables().signs.get(text) {
        return units.clone();
    }
    in_lower_case(text, |lower| {
        let units = words(lower);
        // `KM` and `Mph` are units in any case, but `MG` and `Mw` could be two each: the number is
        // the same for both.
        if units.is_empty() && lower.len() > 1 {
            return in_table(&tables().folded, lower);
        }
        units
    })
}

/// Finds units where case does not matter, as in keys.
pub(super) fn named_in_any_case(text: &str) -> Units {
    if text.len() > NAME_BYTES_MAX {
        return Units::new();
    }
    in_lower_case(text, |lower| {
        let mut found = in_table(&tables().folded, lower);
        found.extend(words(lower));
        found
    })
}

/// Returns the units that a string names in words: `kilograms`, `percent`, `dollars`.
pub(super) fn in_words(text: &str) -> Units {
    if text.len() > NAME_BYTES_MAX {
        return Units::new();
    }
    in_lower_case(text, words)
}

/// Finds units for a string in lower case.
fn words(lower: &str) -> Units {
    let words = &tables().words;
    let mut found = in_table(words, lower);
    if let Some(singular) = lower.strip_suffix('s') {
        let of_es = singular
            .strip_suffix('e')
            .filter(|stem| stem.ends_with("ch"));
        found.extend(in_table(words, of_es.unwrap_or(singular)));
    }
    found
}

/// Returns the result of `read` for a string of at most [`NAME_BYTES_MAX`] bytes in lower case,
/// usually without an allocation.
fn in_lower_case(text: &str, read: impl FnOnce(&str) -> Units) -> Units {
    let mut lower = [0; NAME_BYTES_MAX];
    let lower = &mut lower[..text.len()];
    lower.copy_from_slice(text.as_bytes());
    lower.make_ascii_lowercase();
    match str::from_utf8(lower) {
        Ok(lower) if text.is_ascii() => read(lower),
        _ => read(&text.to_lowercase()),
    }
}

fn in_table(table: &Named, text: &str) -> Units {
    table.get(text).cloned().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_found_by_sign_and_word() {
        for (text, other) in [
            ("kg", "kilograms"),
            ("km", "kilometres"),
            ("ms", "milliseconds"),
            ("µs", "microseconds"),
            ("%", "percent"),
            ("EUR", "euros"),
            ("€", "EUR"),
            ("MB", "megabytes"),
            ("in", "inches"),
            ("Hz", "hertz"),
            ("KG", "kg"),
        ] {
            assert!(!named(text).is_empty(), "{text}");
            let same = named(text).iter().any(|unit| named(other).contains(unit));
            assert!(same, "{text} {other}");
        }
        for text in [
            "", "x", "apples", "of 5", "pm", "am", "k", "kk", "items", "stars",
        ] {
            assert_eq!(named(text).len(), 0, "{text}");
        }
        assert!(named("$").len() > 3);
        assert_ne!(named("kg"), named("g"));
    }
}
