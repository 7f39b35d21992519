//! Names and values folded so that other spellings are equal: `phone_number`, `Phone Number` and
//! `phoneNumber`.

use std::collections::HashMap;

use llmjson_syntax::internal::zones::lexicon::WordList;

use super::NAME_MAX;
use crate::base::fold::push_folded;
use crate::base::tokens::{Sort, Tokens, tokens};

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

/// Returns `true` if a name is one of these normalized names.
pub(crate) fn is_one_of(names: &WordList, name: &str) -> bool {
    name.len() <= NAME_MAX && names.has(&normal_key(name))
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
    let text = text.trim();
    let words = parted(text, is_qualifier);
    let lead = if text.starts_with(is_qualifier) {
        "-"
    } else {
        ""
    };
    let words: Vec<&str> = words.iter().map(|word| &*word.text).collect();
    [lead, &words.join("-")].concat()
}

/// Returns the parts of a value between separators.
fn parted(text: &str, is_separator: impl Fn(char) -> bool) -> Tokens<'_> {
    tokens(text, |letter| match is_separator(letter) {
        true => Sort::Space,
        false => Sort::Letter,
    })
}

fn without(text: &str, is_separator: impl Fn(char) -> bool) -> String {
    let text = text.trim();
    let parts = parted(text, &is_separator);
    let lead = text.chars().next().filter(|first| is_separator(*first));
    let mut folded: String = lead.into_iter().collect();
    for part in &parts {
        let are_digits =
            folded.ends_with(char::is_numeric) && part.text.starts_with(char::is_numeric);
        folded += if are_digits { "-" } else { "" };
        folded += &part.text;
    }
    let is_open = parts.last().is_some_and(|last| last.end() < text.len());
    folded + if is_open { "-" } else { "" }
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
