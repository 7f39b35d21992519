//! Words for nothing, and for true and false, with intensifiers.

use super::marks;
use crate::base::words;
use crate::ir::names::fold::is_in;

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
    words::is_absence(marks::trimmed(text))
}

/// Returns `true` if a whole string may mean that there is nothing.
pub(in crate::coerce) fn may_be_nothing(text: &str) -> bool {
    if text.len() > BYTES_MAX {
        return false;
    }
    let bare = marks::trimmed(text);
    // `not mentioned in the text`
    let (said, place) = bare.split_once(" in ").unwrap_or((bare, ""));
    let is_said = || said.contains(' ') && words::is_absence(said);
    let is_placed = place.split(' ').count() <= 3 && is_said();
    words::may_be_absence(bare) || is_placed
}

/// Words that begin a string about missing information.
const DENIALS: &[&str] = &[
    "not", "no", "none", "never", "cannot", "unable", "unclear", "sorry",
];

/// Maximum number of their words; more form a sentence, regardless of its end.
const WORDS_MAX: usize = 8;

/// Returns `true` if a string is prose rather than a name or a value: a sentence with its full
/// stop, a negated one, or a long one.
pub(in crate::coerce) fn is_sentence(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let Some(first) = words.next() else {
        return false;
    };
    let first = first.trim_matches(|letter: char| !letter.is_alphanumeric());
    let others = words.count();
    let is_denial = DENIALS.iter().any(|word| first.eq_ignore_ascii_case(word));
    let ends = text.ends_with(['.', '!', '?', ':']) && others >= 2;
    others > 0 && is_denial || ends || others >= WORDS_MAX
}

/// Words that intensify a yes or no, and words that may follow a no.
const STRESS: &str = "absolutely are certainly clearly confirmed course definitely did do does has have i indeed is it \
    of please really so sorry sure thank thanks that they this very was were you";
const DENYING: &str =
    "all aren't at can't didn't doesn't don't hasn't haven't isn't never not wasn't weren't won't";

/// Returns the boolean of a string that begins with yes or no, as a word or a symbol, followed only
/// by intensifiers: `yes, it is`, `No, not at all`.
pub(super) fn truth(text: &str) -> Option<bool> {
    // `!true` is a negation.
    if text.len() > BYTES_MAX || text.trim_start().starts_with(['!', ',', '.']) {
        return None;
    }
    let is_letter = |letter: char| letter.is_alphabetic() || letter == '\'';
    let lower = text.to_lowercase();
    let (mut rest, mut truth) = (&*lower, None);
    while let Some(first) = rest.chars().next() {
        let end = match is_letter(first) {
            true => rest.find(|letter| !is_letter(letter)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (token, after) = rest.split_at(end);
        rest = after;
        let word = token.trim_matches('\'');
        let is_stress = || is_in(STRESS, word) || truth == Some(false) && is_in(DENYING, word);
        match words::truth(word) {
            // `❌ true` contradicts itself.
            Some(said) if truth.is_none_or(|truth| truth == said) => truth = Some(said),
            Some(_) => return None,
            None if !word.is_empty() && is_letter(first) => {
                (truth.is_some() && is_stress()).then_some(())?;
            }
            None if first.is_whitespace() || ".,!*_`\"()'-–—\u{fe0f}".contains(first) => {}
            None => return None,
        }
    }
    truth
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
        ] {
            assert_eq!(super::truth(text), Some(truth), "{text}");
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
            "off the record",
            "Yes, it isn't.",
            "definitely maybe",
            "clearly no idea",
        ] {
            assert_eq!(super::truth(text), None, "{text}");
        }
    }
}
