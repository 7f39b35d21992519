//! Words for nothing, and for true and false, with intensifiers.

use super::marks;
use crate::base::fold::{fold, is_in};
use crate::base::tokens::{Sort, sort, tokens};
use crate::base::words;

/// Length beyond which strings say more than yes or no.
const BYTES_MAX: usize = 48;

/// Returns `true` if a whole string means that there is nothing.
pub(in crate::coerce) fn is_nothing(text: &str) -> bool {
    let text = text.trim();
    if text.len() > BYTES_MAX {
        return false;
    }
    if text.chars().all(|letter| matches!(letter, '-' | '–' | '—')) {
        return text.chars().count() <= 3;
    }
    words::is_absence(&fold(marks::trimmed(text)))
}

/// Returns `true` if a whole string may mean that there is nothing.
pub(in crate::coerce) fn may_be_nothing(text: &str) -> bool {
    if text.len() > BYTES_MAX {
        return false;
    }
    let bare = &*fold(marks::trimmed(text));
    // `not mentioned in the text`
    let (said, place) = bare.split_once(" in ").unwrap_or((bare, ""));
    let is_said = || said.contains(' ') && words::is_absence(said);
    let is_placed = place.split(' ').count() <= 3 && is_said();
    words::may_be_absence(bare) || is_placed
}

/// Maximum number of words; more form a sentence, regardless of its end.
const WORDS_MAX: usize = 8;

/// Returns `true` if a string is prose rather than a name or a value: a sentence with its full
/// stop, a negated one, or a long one.
pub(in crate::coerce) fn is_sentence(text: &str) -> bool {
    let mut all = text.split_whitespace();
    let Some(first) = all.next() else {
        return false;
    };
    let first = first.trim_matches(|letter: char| !letter.is_alphanumeric());
    let others = all.count();
    let first = fold(first);
    let is_denial = words::is_denial(&first) || matches!(&*first, "unclear" | "sorry");
    let ends = text.ends_with(['.', '!', '?', ':']) && others >= 2;
    others > 0 && is_denial || ends || others >= WORDS_MAX
}

/// Words that intensify a yes or no, and words that may follow a no.
const STRESS: &str = "absolutely are certainly clearly confirmed course definitely did do does has have i indeed is it \
    of please really so sorry sure thank thanks that they this very was were you";
const DENYING: &str =
    "all aren't at can't didn't doesn't don't hasn't haven't isn't never not wasn't weren't won't";

/// Prefixes of words that mean the opposite: `inactive`.
const OPPOSITES: [&str; 4] = ["in", "un", "dis", "non"];

/// Returns the boolean of a string that says yes or no, as a word or a symbol, next to words that
/// only introduce or intensify it: `yes, it is`, `No, not at all`. `own` are the words of the
/// member's key, which say yes by themselves: `active` for `is_active`.
pub(super) fn truth(text: &str, own: &[String]) -> Option<bool> {
    // `!true` is a negation.
    if text.len() > BYTES_MAX || text.trim_start().starts_with(['!', ',', '.']) {
        return None;
    }
    let text = constant(text).unwrap_or(text);
    let sort = |letter| match letter {
        '\'' | '’' => Sort::Letter,
        _ => sort(letter),
    };
    let is_plain = |word: &str| {
        let is_hedge = word.starts_with(char::is_alphabetic) && words::is_hedge(word);
        words::is_filler(word) || is_hedge || is_in(STRESS, word)
    };
    let own: Vec<&String> = own.iter().filter(|word| !is_plain(word)).collect();
    let is_own = |word: &str| own.iter().any(|own| *own == word);
    let is_opposite = |word: &str| {
        let mut parts = OPPOSITES.iter().filter_map(|part| word.strip_prefix(part));
        own.len() == 1 && parts.any(is_own)
    };
    let (mut truth, mut named, mut is_denied, mut is_begun) = (None, 0, false, false);
    for token in tokens(text, sort) {
        let word = token.text.trim_matches('\'');
        match words::truth(word) {
            // `❌ true` contradicts itself.
            Some(said) if truth.is_none_or(|truth| truth == said) => truth = Some(said),
            Some(_) => return None,
            None if is_own(word) => named += 1,
            None if is_opposite(word) => {
                named += 1;
                is_denied = !is_denied;
            }
            None if word == "not" && truth != Some(true) => {
                is_denied = !is_denied;
                is_begun |= truth.is_none();
            }
            // `was true`
            None if truth.is_none() && is_plain(word) && !words::is_limit(word) => {}
            None if truth.is_some() && is_in(STRESS, word) => {}
            None if truth == Some(false) && is_in(DENYING, word) => {}
            None if ".,*_`\"()-!\u{fe0f}".contains(word) => {}
            None => return None,
        }
    }
    let said = (named > 0 && named == own.len()).then_some(!is_denied);
    match (truth, said) {
        // `not true`
        (Some(_), None) if is_begun => None,
        // `yes, inactive`
        (Some(truth), Some(said)) if truth != said => None,
        (truth, said) => truth.or(said),
    }
}

/// Returns the constant of a qualified name: `True` in `np.True_`, `TRUE` in `Boolean.TRUE`.
fn constant(text: &str) -> Option<&str> {
    let (path, name) = text.rsplit_once('.')?;
    let name = name.trim_end_matches('_');
    let is_path = path.starts_with(char::is_alphabetic)
        && path
            .chars()
            .all(|sign| sign.is_alphanumeric() || "._".contains(sign));
    let is_constant = ["True", "TRUE", "False", "FALSE"].contains(&name);
    (is_path && is_constant).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_said_in_few_ways() {
        for text in [
            "N/A",
            "n/a",
            "NA",
            "none",
            "None.",
            "unknown",
            "Unknown",
            "-",
            "--",
            "—",
            "",
            " ",
            "null.",
            "(none)",
            "*N/A*",
            "none given",
            "(none provided)",
            "No information available",
            "keine Angabe",
            "not available",
            "<unknown>",
            "N.A.",
            "[null]",
            "undefined",
        ] {
            assert!(is_nothing(text), "{text}");
        }
        for text in [
            "0",
            "no",
            "none of them",
            "unknown error",
            "?",
            "nan",
            "-5",
            "----",
            "x",
            "not",
            "no idea",
            "Nona",
            "nullable",
        ] {
            assert!(!is_nothing(text), "{text}");
        }
    }

    #[test]
    fn some_texts_may_be_nothing() {
        for text in ["NaN", "?", "not stated in the text", "TBD."] {
            assert!(may_be_nothing(text) && !is_nothing(text), "{text}");
        }
        for text in ["nano", "why?", "given", ""] {
            assert!(!may_be_nothing(text), "{text}");
        }
    }

    #[test]
    fn names_are_no_sentences() {
        for text in [
            "Oslo",
            "New York",
            "St. Gallen",
            "Mr. Smith",
            "high",
            "yes",
            "U.S.",
        ] {
            assert!(!is_sentence(text), "{text}");
        }
        for text in [
            "I do not know.",
            "not json",
            "No such city",
            "Sorry, I cannot help",
            "see the file that I attached to the last mail",
        ] {
            assert!(is_sentence(text), "{text}");
        }
    }

    #[test]
    fn truth_is_said_first_and_only_stressed() {
        for (text, truth) in [
            ("Yes, definitely.", true),
            ("yes, it is", true),
            ("✅", true),
            ("✅ Yes", true),
            ("TRUE.", true),
            ("**true**", true),
            ("Yes, of course.", true),
            ("No, not at all.", false),
            ("No, it is not.", false),
            ("❌", false),
            ("❌ No", false),
            ("False.", false),
            ("Nope", false),
            ("Correct.", true),
            ("Yes - definitely", true),
            ("no, sorry", false),
            ("No, it isn't.", false),
            ("np.True_", true),
            ("Boolean.FALSE", false),
        ] {
            assert_eq!(super::truth(text, &[]), Some(truth), "{text}");
        }
        let own = ["is", "active"].map(str::to_owned);
        for (text, truth) in [
            ("active", Some(true)),
            ("It is active.", Some(true)),
            ("inactive", Some(false)),
            ("not active", Some(false)),
            ("yes, active", Some(true)),
            ("no, not active", Some(false)),
            ("yes, inactive", None),
            ("active?", None),
            ("partly active", None),
            ("is", None),
        ] {
            assert_eq!(super::truth(text, &own), truth, "{text}");
        }
        for text in [
            "",
            "maybe",
            "yes and no",
            "yes or no",
            "not true",
            "yes, but only on Mondays",
            "no idea",
            "no problem",
            "not sure",
            "❌ true",
            "yes, not really",
            "1",
            "0",
            "yes?",
            "sure",
            "it is",
            "partly true",
            "true/false",
            "yes, no",
            "I do not know",
            "no answer",
            "true-ish",
            "yes-no",
            "no-go",
            "clearly",
            "yes 5",
            "true story",
            "!true",
            "~true",
            "was true",
            "off the record",
            "Yes, it isn't.",
            "definitely maybe",
            "clearly no idea",
        ] {
            assert_eq!(super::truth(text, &[]), None, "{text}");
        }
    }
}
