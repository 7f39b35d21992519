//! Names in other spellings: `phone_number`, `Phone Number` and `phoneNumber` are one name.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::derive::{Parts, Slots};
use crate::shape::ObjectRules;

/// A name without case, accents and everything that is neither letter nor digit.
pub(crate) fn normal_key(name: &str) -> String {
    if name.is_ascii() {
        let mut normal = name.to_ascii_lowercase();
        if !normal.bytes().all(|letter| letter.is_ascii_alphanumeric()) {
            normal.retain(|letter| letter.is_ascii_alphanumeric());
        }
        return normal;
    }
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    letters.fold(String::with_capacity(name.len()), push_folded)
}

/// Signs between the words of a value, whatever the language it comes from.
fn is_separator(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '-' | '_' | '‐' | '‑' | '–' | '—')
}

/// Signs between the parts of a qualified name: `requests.get`, `text/plain`, `tools:search`.
fn is_qualifier(letter: char) -> bool {
    is_separator(letter) || matches!(letter, '.' | '/' | ':')
}

/// An enumerated value without case and accents, with separators and white space taken out.
///
/// A separator at either end or between two digits stays, and so does every other sign: `-1` is
/// not `1`, `1-2` not `12`, `C#` not `C`.
pub(super) fn normal_value(text: &str) -> String {
    without(text, is_separator)
}

/// The same with the signs of qualified names taken out too.
pub(super) fn unqualified_value(text: &str) -> String {
    without(text, is_qualifier)
}

/// An enumerated value without case and accents, with one sign for each run of separators, those
/// of qualified names included.
pub(super) fn words_of_value(text: &str) -> String {
    let mut words = String::new();
    let mut separated = false;
    for letter in text.trim().chars() {
        if is_qualifier(letter) {
            separated = true;
            continue;
        }
        if std::mem::take(&mut separated) {
            words.push('-');
        }
        words = push_folded(words, letter);
    }
    words
}

fn without(text: &str, is_separator: impl Fn(char) -> bool) -> String {
    let mut folded = String::new();
    let mut separated = false;
    for letter in text.trim().chars() {
        if is_separator(letter) {
            if folded.is_empty() {
                folded.push(letter);
            } else {
                separated = true;
            }
            continue;
        }
        let digits = |text: &str| text.ends_with(|last: char| last.is_numeric());
        if separated && letter.is_numeric() && digits(&folded) {
            folded.push('-');
        }
        separated = false;
        folded = push_folded(folded, letter);
    }
    if separated {
        folded.push('-');
    }
    folded
}

pub(super) fn push_folded(mut text: String, letter: char) -> String {
    let letter = half_width(letter);
    if letter.is_ascii() {
        text.push(letter.to_ascii_lowercase());
    } else {
        for lower in letter.to_lowercase() {
            match plain_letter(lower) {
                Some(plain) => text.push_str(plain),
                None => text.push(lower),
            }
        }
    }
    text
}

/// The ASCII sign that a full-width one is a wide form of.
fn half_width(letter: char) -> char {
    match letter {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(letter as u32 - 0xfee0).unwrap_or(letter),
        _ => letter,
    }
}

/// The Latin letter under an accent; nothing for a combining accent.
fn plain_letter(letter: char) -> Option<&'static str> {
    const LETTERS: &[(&str, &str)] = &[
        ("àáâãäåāăąǎ", "a"),
        ("çćĉċč", "c"),
        ("ďđð", "d"),
        ("èéêëēĕėęěẽ", "e"),
        ("ĝğġģ", "g"),
        ("ĥħ", "h"),
        ("ìíîïĩīĭįıǐ", "i"),
        ("ĵ", "j"),
        ("ķ", "k"),
        ("ĺļľŀł", "l"),
        ("ñńņňŉ", "n"),
        ("òóôõöøōŏőǒ", "o"),
        ("ŕŗř", "r"),
        ("śŝşšș", "s"),
        ("ţťŧț", "t"),
        ("ùúûüũūŭůűųǔ", "u"),
        ("ŵ", "w"),
        ("ýÿŷ", "y"),
        ("źżž", "z"),
        ("ß", "ss"),
        ("æ", "ae"),
        ("œ", "oe"),
    ];
    if ('\u{300}'..='\u{36f}').contains(&letter) {
        return Some("");
    }
    LETTERS
        .iter()
        .find(|(accented, _)| accented.contains(letter))
        .map(|(_, plain)| *plain)
}

/// How a name leads to a declared member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// It is one of the member's declared aliases.
    Alias(u32),
    /// It is another spelling of the member's name or of an alias.
    Spelling(u32),
    /// It is a part of the member's name, or the other way round.
    Derived(u32),
}

impl Claim {
    pub(super) fn slot(self) -> u32 {
        match self {
            Self::Alias(slot) | Self::Spelling(slot) | Self::Derived(slot) => slot,
        }
    }

    /// How far the name is from the member's own; of several names the nearest wins.
    pub(super) fn rank(self) -> u8 {
        match self {
            Self::Alias(_) => 0,
            Self::Spelling(_) => 1,
            Self::Derived(_) => 2,
        }
    }
}

/// How a name that is not declared leads to declared members.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum NameMatch {
    /// It is a declared alias.
    Alias,
    /// It is another spelling of a name: `phone_number` for `phoneNumber`.
    Spelling,
    /// It is a part of a name, or the other way round: `phone` for `phoneNumber`.
    Derived,
    /// Few letters differ: `phoneNumbr` for `phoneNumber`.
    Nearest,
}

/// The other names of an object's declared members.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    aliases: HashMap<Box<str>, Slots>,
    spellings: HashMap<String, Slots>,
    /// Parts of names, once they are looked at.
    parts: OnceLock<Parts>,
}

impl Names {
    pub(crate) fn of(rules: &ObjectRules) -> Self {
        let mut names = Self::default();
        for (slot, property) in (0u32..).zip(&rules.properties) {
            for alias in &property.aliases {
                push(&mut names.aliases, alias.clone(), slot);
            }
            for name in property.aliases.iter().chain([&property.name]) {
                let normal = normal_key(name);
                if !normal.is_empty() {
                    push(&mut names.spellings, normal, slot);
                }
            }
        }
        names
    }

    /// The member that a name which is not declared stands for.
    pub(super) fn claim(&self, name: &str) -> Option<Claim> {
        if let Some(slots) = self.aliases.get(name) {
            return only(slots).map(Claim::Alias);
        }
        let slots = self.spellings.get(&normal_key(name))?;
        only(slots).map(Claim::Spelling)
    }

    /// The only one of the open members that a name is a part of, or that is a part of the name.
    pub(super) fn derive(
        &self,
        rules: &ObjectRules,
        name: &str,
        is_open: impl Fn(u32) -> bool,
    ) -> Option<Claim> {
        let slots = self.parts(rules).matches(name);
        let mut open = slots.into_iter().filter(|slot| is_open(*slot));
        let first = open.next()?;
        open.next().is_none().then_some(Claim::Derived(first))
    }

    /// All members that a name may stand for by the nearest way there is, and that way.
    pub(crate) fn meant(&self, rules: &ObjectRules, name: &str) -> Option<(NameMatch, Slots)> {
        if let Some(slots) = self.aliases.get(name) {
            return Some((NameMatch::Alias, slots.clone()));
        }
        if let Some(slots) = self.spellings.get(&normal_key(name)) {
            return Some((NameMatch::Spelling, slots.clone()));
        }
        let slots = self.parts(rules).matches(name);
        (!slots.is_empty()).then_some((NameMatch::Derived, slots))
    }

    fn parts(&self, rules: &ObjectRules) -> &Parts {
        self.parts.get_or_init(|| Parts::of(rules))
    }
}

/// So many members of the same spelling are remembered; they are never told apart.
const SAME_MAX: usize = 8;

fn push<K: std::hash::Hash + Eq>(names: &mut HashMap<K, Slots>, name: K, slot: u32) {
    let slots = names.entry(name).or_default();
    if slots.last() != Some(&slot) && slots.len() < SAME_MAX {
        slots.push(slot);
    }
}

fn only(slots: &Slots) -> Option<u32> {
    match slots[..] {
        [slot] => Some(slot),
        _ => None,
    }
}

/// Notes that a name stands for one of several; a name of two of them stands for none.
pub(super) fn insert<K: std::hash::Hash + Eq>(
    names: &mut HashMap<K, Option<u32>>,
    name: K,
    slot: u32,
) {
    let known = names.entry(name).or_insert(Some(slot));
    if *known != Some(slot) {
        *known = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_differ_in_letters_and_digits_only() {
        for name in [
            "phone_number",
            "Phone Number",
            "phoneNumber",
            "PHONE-NUMBER",
            "phone.number",
        ] {
            assert_eq!(normal_key(name), "phonenumber");
        }
        assert_eq!(normal_key("Größe"), "grosse");
        assert_eq!(normal_key("Ｐｈｏｎｅ＿１"), "phone1");
        assert_eq!(normal_key("cafe\u{301}"), normal_key("Café"));
        assert_eq!(normal_key("-_-"), "");
        assert_ne!(normal_key("phone"), normal_key("phones"));
    }

    #[test]
    fn values_keep_signs_that_matter() {
        for text in [
            "in_progress",
            "In Progress",
            "IN-PROGRESS",
            "inProgress",
            " in progress ",
        ] {
            assert_eq!(normal_value(text), "inprogress");
        }
        for (left, right) in [
            ("-1", "1"),
            ("1-2", "12"),
            ("C#", "C"),
            ("1.5", "15"),
            ("a-", "a"),
        ] {
            assert_ne!(normal_value(left), normal_value(right));
        }
        assert_eq!(normal_value("gpt-3 5"), normal_value("GPT 3-5"));
        assert_ne!(normal_value("requests.get"), normal_value("requests_get"));
    }

    #[test]
    fn qualified_names_have_other_separators_too() {
        for text in [
            "requests.get",
            "Requests Get",
            "requests:get",
            "requestsGet",
        ] {
            assert_eq!(unqualified_value(text), "requestsget");
        }
        for (left, right) in [("1.5", "15"), (".NET", "NET"), ("C++", "C"), ("a.", "a")] {
            assert_ne!(unqualified_value(left), unqualified_value(right));
        }
        assert_eq!(
            words_of_value("requests.get"),
            words_of_value("Requests_Get")
        );
        assert_ne!(words_of_value("node.js"), words_of_value("nodejs"));
    }
}
