//! Words for nothing, and truth with what stresses it.

use super::choice::{Folded, Token};

/// Length beyond which texts say more than yes or no.
const BYTES_MAX: usize = 48;

/// Texts that say that there is nothing, in lower case and without the signs around them.
const NOTHING: &[&str] = &[
    "n/a",
    "n.a",
    "n / a",
    "na",
    "n\\a",
    "none",
    "nil",
    "null",
    "nothing",
    "unknown",
    "undefined",
    "unspecified",
    "not available",
    "not applicable",
    "not known",
    "not specified",
    "not provided",
    "not given",
    "not stated",
    "not mentioned",
    "not set",
    "not reported",
    "not listed",
    "not found",
    "unavailable",
    "no value",
    "no data",
    "no information",
];

/// Returns `true` if a whole text says that there is nothing.
pub(in crate::coerce) fn is_nothing(text: &str) -> bool {
    let text = text.trim();
    if text.len() > BYTES_MAX {
        return false;
    }
    if text.chars().all(|letter| matches!(letter, '-' | '–' | '—')) {
        return text.chars().count() <= 3;
    }
    let bare = bare(text);
    NOTHING.iter().any(|word| bare.eq_ignore_ascii_case(word))
}

/// Texts that say so in fewer places: elsewhere they are a number that is none, a question, or a plan.
const PERHAPS_NOTHING: &[&str] = &[
    "nan",
    "?",
    "??",
    "none given",
    "none provided",
    "none specified",
    "none stated",
    "none found",
    "none listed",
    "tbd",
    "not determined",
];

/// Returns `true` if a whole text may say that there is nothing.
pub(in crate::coerce) fn may_be_nothing(text: &str) -> bool {
    let bare = bare(text);
    let is_in =
        |table: &[&str], text: &str| table.iter().any(|word| text.eq_ignore_ascii_case(word));
    // `not mentioned in the text`
    let (said, place) = bare.split_once(" in ").unwrap_or((bare, ""));
    let is_placed = place.split(' ').count() <= 3 && is_in(NOTHING, said) && said.contains(' ');
    bare.len() <= BYTES_MAX && (is_in(PERHAPS_NOTHING, bare) || is_placed)
}

/// Words with which a text begins that says what is not there.
const DENIALS: &[&str] = &[
    "not", "no", "none", "never", "cannot", "unable", "unclear", "sorry",
];

/// Number of words beyond which they are a sentence, whatever their end.
const WORDS_MAX: usize = 8;

/// Returns `true` if a text is prose rather than a name or a value: a sentence with its end, one
/// that denies, or a long one.
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

/// A text without marks around it, brackets that belong together and the full stop behind it.
fn bare(text: &str) -> &str {
    let mut text = text;
    loop {
        let inner = text.trim().trim_end_matches(['.', '!']);
        let inner = [
            ("(", ")"),
            ("[", "]"),
            ("<", ">"),
            ("*", "*"),
            ("_", "_"),
            ("`", "`"),
        ]
        .iter()
        .find_map(|(open, close)| inner.strip_prefix(open)?.strip_suffix(close))
        .unwrap_or(inner);
        if inner == text {
            return text;
        }
        text = inner;
    }
}

/// Signs for yes and no.
const SIGNS: &[(char, bool)] = &[
    ('✅', true),
    ('✔', true),
    ('✓', true),
    ('☑', true),
    ('👍', true),
    ('是', true),
    ('否', false),
    ('❌', false),
    ('✖', false),
    ('✗', false),
    ('✘', false),
    ('👎', false),
];

/// Words for yes and for no.
const YES: &str = "yes true yep yeah yup affirmative correct on enabled oui ja";
const NO: &str = "no false nope nah negative incorrect off disabled non nein";

fn is_of(table: &str, word: &str) -> bool {
    table.split(' ').any(|known| known == word)
}

/// Words that stress what was said and change nothing.
const STRESS: &[&str] = &[
    "definitely",
    "absolutely",
    "certainly",
    "sure",
    "surely",
    "indeed",
    "really",
    "clearly",
    "totally",
    "completely",
    "of",
    "course",
    "it",
    "is",
    "this",
    "that",
    "they",
    "are",
    "does",
    "do",
    "has",
    "have",
    "was",
    "were",
    "did",
    "thanks",
    "thank",
    "you",
    "please",
    "very",
    "much",
    "so",
    "i",
    "we",
    "can",
    "will",
    "confirmed",
    "obviously",
    "sorry",
];

/// Words of stress that say yes alone.
const ASSENT: &[&str] = &["definitely", "absolutely", "certainly"];

/// Words of stress that stand before yes and no, too.
const LEADS: &[&str] = &["definitely", "absolutely", "certainly", "clearly"];

/// Words that go on with a no, and are not added to a yes.
const DENYING: &[&str] = &[
    "not", "never", "isn't", "doesn't", "don't", "wasn't", "aren't", "can't", "won't", "didn't",
    "hasn't", "haven't", "cannot",
];

/// Returns the boolean that a text says in its first word, and only tells more about behind it: `Yes, the customer
/// confirmed it`. Nothing behind it takes that back.
pub(super) fn explained_truth(text: &str) -> Option<bool> {
    let (first, rest) = text.trim().split_once([',', '.', ';', ':', '–', '—'])?;
    let first = first.trim();
    let truth = match () {
        () if first.eq_ignore_ascii_case("yes") => true,
        () if first.eq_ignore_ascii_case("no") => false,
        () => return None,
    };
    let rest = Folded::of(rest);
    // `no, it did not`
    let agrees = |token: &Token<'_>| !truth && token.denies();
    let takes_back = |token: &Token<'_>| !agrees(token) && token.changes() || token.asks();
    let is_told = rest.tokens.len() >= EXPLAINED_WORDS_MIN;
    (text.len() <= EXPLAINED_BYTES_MAX && is_told && !rest.tokens.iter().any(takes_back))
        .then_some(truth)
}

/// Length beyond which texts say more than an answer and the reason for it.
const EXPLAINED_BYTES_MAX: usize = 96;

/// Number of words from which on they tell something.
const EXPLAINED_WORDS_MIN: usize = 3;

/// Returns the boolean of a text that begins with yes or no, as a word or a sign, and goes on with stress only:
/// `yes, it is`, `Absolutely not`.
pub(super) fn truth(text: &str) -> Option<bool> {
    if text.len() > BYTES_MAX {
        return None;
    }
    // `!true` denies.
    if text.trim_start().starts_with(['!', ',', '.']) {
        return None;
    }
    let mut said = None;
    let mut agree = |truth: bool| {
        let same = said.is_none_or(|said| said == truth);
        said = Some(truth);
        same
    };
    let is_sign = |letter: char| SIGNS.iter().find(|(sign, _)| *sign == letter);
    for letter in text.chars() {
        if let Some((_, truth)) = is_sign(letter) {
            // `❌ true` contradicts itself.
            if !agree(*truth) {
                return None;
            }
        } else if !(letter.is_ascii_alphabetic()
            || letter.is_whitespace()
            || matches!(
                letter,
                '.' | ','
                    | '!'
                    | '*'
                    | '_'
                    | '`'
                    | '"'
                    | '('
                    | ')'
                    | '\u{fe0f}'
                    | '\''
                    | '-'
                    | '–'
                    | '—'
            ))
        {
            return None;
        }
    }
    let (mut first, mut leads, mut ends_in_no) = (true, false, false);
    let words = text.split_whitespace().count();
    for word in text.split(|letter: char| !letter.is_ascii_alphabetic() && letter != '\'') {
        let word = word.trim_matches('\'').to_ascii_lowercase();
        if word.is_empty() {
            continue;
        }
        let word = &*word;
        let truth = match (is_of(YES, word), is_of(NO, word)) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        };
        match truth {
            Some(truth) if agree(truth) => {}
            Some(_) => return None,
            None if first && words == 1 && ASSENT.contains(&word) && agree(true) => {}
            // `Absolutely not`, `Definitely yes`
            None if leads && word == "not" => return Some(false),
            None if first && words == 2 && LEADS.contains(&word) => {
                leads = true;
                continue;
            }
            None if first => return None,
            // `no, it isn't`. With a yes it says nothing: `yes, it isn't`.
            None if DENYING.contains(&word) => ends_in_no = true,
            None if matches!(word, "at" | "all") => {}
            None if STRESS.contains(&word) => {}
            None => return None,
        }
        first = false;
    }
    said.filter(|said| !(*said && ends_in_no))
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
        for text in ["NaN", "?", "none given", "(none provided)", "TBD."] {
            assert!(may_be_nothing(text) && !is_nothing(text), "{text}");
        }
        for text in ["nano", "why?", "none given yet", "given", ""] {
            assert!(!may_be_nothing(text), "{text}");
        }
    }

    #[test]
    fn an_answer_may_be_explained() {
        for (text, truth) in [
            ("Yes, the customer confirmed it", true),
            ("yes: the invoice matches.", true),
            ("Yes. The parcel arrived on Monday.", true),
            ("No, the customer did not confirm it", false),
            ("No, she didn't reply.", false),
            ("No – the shop is closed.", false),
        ] {
            assert_eq!(explained_truth(text), Some(truth), "{text}");
        }
        for text in [
            "Yes, but the customer has doubts",
            "Yes, the customer did not confirm it",
            "Yes, it isn't confirmed there",
            "Yes, the parcel might arrive",
            "No, except the last one there",
            "Yes, is the customer sure?",
            "Maybe, the customer confirmed it",
            "Yes, unless the shop is closed",
            "yes, no",
            "yesterday, the customer confirmed it",
        ] {
            assert_eq!(explained_truth(text), None, "{text}");
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
            ("Yes, absolutely!", true),
            ("yes, it is", true),
            ("✅", true),
            ("✔️", true),
            ("✅ Yes", true),
            ("TRUE.", true),
            ("**true**", true),
            ("Yes, of course.", true),
            ("No, never.", false),
            ("No, not at all.", false),
            ("No, it is not.", false),
            ("❌", false),
            ("❌ No", false),
            ("False.", false),
            ("Nope", false),
            ("Correct.", true),
            ("Definitely yes.", true),
            ("Absolutely not.", false),
            ("Definitely!", true),
            ("Yes - definitely", true),
            ("no, sorry", false),
            ("(true)", true),
            ("No, it isn't.", false),
            ("No, it doesn't", false),
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
