//! The similarity of names, for layers above that match names.

use crate::base::edits;
use crate::ir::names::fold::normal_key;
use crate::ir::names::parts;

/// Returns a name without case, accents, and characters other than letters and digits. Names with
/// equal results are treated as the same.
#[must_use]
pub fn normal_name(name: &str) -> String {
    normal_key(name)
}

/// Returns the words of a name, in lower case and without accents.
#[must_use]
pub fn words_of_name(name: &str) -> Vec<String> {
    parts::words(name)
}

/// Returns `true` if some words of a name are meaningful without the others: more than a single
/// word that many names share.
#[must_use]
pub fn says_something(words: &[String]) -> bool {
    parts::says_something(words)
}

/// Returns the first and last words of a name that can stand for it, in lower case and without
/// accents: `phone` for `phoneNumber`, but not `number`, which means too little by itself.
#[must_use]
pub fn parts_of_name(name: &str) -> Vec<String> {
    parts::parts(&parts::words(name)).collect()
}

/// Returns the first and last words of a name that it may share with other names, in lower case and
/// without accents, whether or not they can stand for it.
#[must_use]
pub fn pieces_of_name(name: &str) -> Vec<String> {
    parts::telling_pieces(&parts::words(name)).collect()
}

/// Returns `true` if two names differ in a word that may change their meaning, and at least one of
/// them has several words. Typing errors and words that many names share don't change it.
///
/// ```
/// use llmjson_schema::internal::similar::are_apart;
///
/// assert!(are_apart("timeout_s", "timeout_ms") && are_apart("path", "root_path"));
/// assert!(!are_apart("recipent_name", "recipient_name") && !are_apart("path", "file_path"));
/// ```
#[must_use]
pub fn are_apart(name: &str, other: &str) -> bool {
    parts::are_apart(name, other)
}

/// Returns a declared name in backticks, with its difference from an undeclared one:
/// "`amount_cents` (cents)".
#[must_use]
pub fn told_apart(name: &str, declared: &str) -> String {
    parts::told(name, declared)
}

/// Returns `true` if a word next to others does not change their meaning: `number` next to `phone`.
#[must_use]
pub fn is_neutral(word: &str, others: &[String]) -> bool {
    parts::is_neutral(word, others)
}

/// Returns the number of insertions, deletions, replacements and swaps of adjacent letters between
/// two names, ignoring case; `None` if one is longer than 64 characters.
#[must_use]
pub fn edit_distance(left: &str, right: &str) -> Option<usize> {
    edits::edit_distance(left, right)
}

/// Returns the names most similar to a wrong one: at most `most`, nearest first, and none that
/// differ in more than a third of their letters.
#[must_use]
pub fn nearest_names<'c>(
    name: &str,
    candidates: impl IntoIterator<Item = &'c str>,
    most: usize,
) -> Vec<&'c str> {
    let normal = normal_key(name);
    let mut near: Vec<(usize, &str)> = Vec::new();
    for candidate in candidates {
        let other = normal_key(candidate);
        let limit = (normal.len().max(other.len()) / 3).max(1);
        if normal.len().abs_diff(other.len()) > limit {
            continue;
        }
        if let Some(edits) = edit_distance(&normal, &other).filter(|edits| *edits <= limit) {
            near.push((edits, candidate));
        }
    }
    near.sort_by_key(|(edits, _)| *edits);
    near.truncate(most);
    near.into_iter().map(|(_, candidate)| candidate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_called_by_parts_that_say_something() {
        assert_eq!(parts_of_name("phoneNumber"), ["phone"]);
        assert_eq!(parts_of_name("home_phone_number"), ["home phone"]);
        assert_eq!(parts_of_name("userId"), ["user"]);
        assert_eq!(parts_of_name("city"), [""; 0]);
    }

    #[test]
    fn the_nearest_names_come_first() {
        let names = ["send_sms", "send_mail", "sendSms2", "pay"];
        assert_eq!(nearest_names("SendSMS", names, 3), ["send_sms", "sendSms2"]);
        assert_eq!(nearest_names("send_sms", names, 1), ["send_sms"]);
        assert_eq!(nearest_names("weather", names, 3), [""; 0]);
    }
}
