//! The units and currencies that a text names.

use std::sync::OnceLock;

use smallvec::SmallVec;

use crate::base::hash::NumberMap;
use crate::base::units::{UNIT_PREFIXES, UNITS};

/// A unit: a row of the table with its prefix, and the quantity that it measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    pub(super) measure: &'static str,
    row: u16,
    prefix: char,
}

/// Units that a string may name: `$` is the symbol of several currencies, `pound` a mass and a
/// currency.
pub(super) type Units = SmallVec<[Unit; 4]>;

pub(super) const CURRENCY: &str = "currency";
pub(super) const RATIO: &str = "ratio";

/// The units by their spellings in lower case, each with the symbol, or nothing for a word. No
/// input is inserted, so they need no hasher against chosen keys.
type Table = NumberMap<String, SmallVec<[(Box<str>, Unit); 2]>>;

/// The table with all prefixes; built on first use.
fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Table::default();
        let mut add = |name: String, sign: &str, unit: Unit| {
            let units = table.entry(name.to_lowercase()).or_default();
            units.push((sign.into(), unit));
        };
        let measures = UNITS.lines().filter_map(|line| line.split_once(':'));
        let rows =
            measures.flat_map(|(measure, rows)| rows.split(';').map(move |row| (measure, row)));
        for (row, (measure, columns)) in (0..).zip(rows) {
            let mut columns = columns.split('|').map(|names| names.split(','));
            let mut names = || {
                columns
                    .next()
                    .into_iter()
                    .flatten()
                    .filter(|name| !name.is_empty())
            };
            let (signs, words, prefixes) = (names(), names(), names().next().unwrap_or_default());
            let unit = |prefix: &str| {
                let prefix = prefix.chars().next().map_or(' ', |prefix| match prefix {
                    'µ' | 'μ' => 'u',
                    'K' => 'k',
                    other => other,
                });
                Unit {
                    measure,
                    row,
                    prefix,
                }
            };
            for sign in signs {
                add(sign.to_owned(), sign, unit(""));
                for prefix in prefixes.split("").filter(|prefix| !prefix.is_empty()) {
                    let sign = [prefix, sign].concat();
                    add(sign.clone(), &sign, unit(prefix));
                }
            }
            for word in words {
                let (word, own) = word.split_once('=').unwrap_or((word, ""));
                add(word.to_owned(), "", unit(own));
                let before = UNIT_PREFIXES
                    .split(' ')
                    .filter_map(|pair| pair.split_once('='));
                for (before, prefix) in before.filter(|_| !prefixes.is_empty()) {
                    add([before, word].concat(), "", unit(prefix));
                }
            }
        }
        table
    })
}

/// Length beyond which strings name no unit.
const NAME_BYTES_MAX: usize = 48;

/// Returns the units whose symbol, or `""` for a word, satisfies a condition.
fn find(text: &str, is_one: impl Fn(&str) -> bool) -> Units {
    let is_short = text.len() <= NAME_BYTES_MAX;
    let found = is_short.then(|| table().get(&text.to_lowercase()));
    let found = found.flatten().into_iter().flatten();
    found
        .filter(|(sign, _)| is_one(sign))
        .map(|(_, unit)| *unit)
        .collect()
}

/// Returns the units that a whole string names, by their symbols or in words.
pub(super) fn named(text: &str) -> Units {
    let mut units = find(text, |sign| sign == text);
    if units.is_empty() {
        units = in_words(text);
    }
    // `KM` and `Mph` are units in whatever case, but `MG` and `Mw` could be two each: the number
    // is the same for both.
    match text.len() > 1 && units.is_empty() {
        true => find(text, |sign| !sign.is_empty()),
        false => units,
    }
}

/// Finds units where case does not matter, as in keys.
pub(super) fn named_in_any_case(text: &str) -> Units {
    let mut found = in_words(text);
    found.extend(find(text, |sign| !sign.is_empty()));
    found
}

/// Returns the units that a string names in words: `kilograms`, `percent`, `dollars`.
pub(super) fn in_words(text: &str) -> Units {
    let mut found = find(text, str::is_empty);
    if let Some(singular) = text.strip_suffix(['s', 'S']) {
        let of_es = singular
            .strip_suffix('e')
            .filter(|stem| stem.ends_with("ch"));
        found.extend(find(of_es.unwrap_or(singular), str::is_empty));
    }
    found
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
