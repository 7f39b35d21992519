//! Names and values folded so that other spellings are equal: `phone_number`, `Phone Number` and
//! `phoneNumber`.

use std::collections::HashMap;

use llmjson_syntax::internal::zones::lexicon::place_of;

use super::NAME_MAX;

/// Returns a name without case, accents, and characters other than letters and digits.
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

/// Returns `true` if a name is one of these normalized names, which are separated by spaces.
pub(crate) fn is_one_of(names: &str, name: &str) -> bool {
    name.len() <= NAME_MAX && is_in(names, &normal_key(name))
}

/// Returns `true` if a name is one of these, separated by spaces.
pub(crate) fn is_in(names: &str, name: &str) -> bool {
    place_of(names, b" ", name).is_some()
}

/// Separators between the words of a value, in any language.
fn is_separator(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '-' | '_' | '‐' | '‑' | '–' | '—')
}

/// Separators between the parts of a qualified name: `requests.get`, `text/plain`, `tools:search`.
fn is_qualifier(letter: char) -> bool {
    is_separator(letter) || matches!(letter, '.' | '/' | ':')
}

/// Returns an enumerated value without case and accents, separators and white space.
///
/// A separator at either end or between two digits is kept, and so is every other character: `-1`
/// is not `1`, `1-2` not `12`, `C#` not `C`.
pub(crate) fn normal_value(text: &str) -> String {
    without(text, is_separator)
}

/// Folds a value as [`normal_value`] does, and also removes the separators of qualified names.
pub(crate) fn unqualified_value(text: &str) -> String {
    without(text, is_qualifier)
}

/// An enumerated value without case and accents, with one character for each run of separators,
/// including those of qualified names.
pub(crate) fn words_of_value(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
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
    let mut folded = String::with_capacity(text.len());
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

pub(crate) fn push_folded(mut text: String, letter: char) -> String {
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

/// Returns the ASCII equivalent of a full-width character.
fn half_width(letter: char) -> char {
    match letter {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(letter as u32 - 0xfee0).unwrap_or(letter),
        _ => letter,
    }
}

/// Returns the Latin letter under an accent, or nothing for a combining accent.
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

/// Notes that a name stands for one of several; a name of two of them stands for none.
pub(crate) fn insert<K: std::hash::Hash + Eq>(
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
