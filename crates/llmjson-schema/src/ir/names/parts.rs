//! Names by their first or last words: `phone` for `phoneNumber`, `path` for `file_path`.

use std::collections::HashMap;

use super::{NAME_MAX, Slots};
use crate::base::edits::edit_distance;
use crate::base::fold::{is_in, push_folded};

/// Words that many names share; they mean too little by themselves.
const STOP_WORDS: &str = "id key name type value data \
    text item number count";

/// Words that a name may lack or add without a change of meaning: `path` for `file_path`. Any other
/// word may change the meaning: `root_path`, `dont_notify`, `amount_cents`.
const NEUTRAL: &str = "number name path file address code text url date id value type list";

/// A word that is neutral next to a plural: `retries_count`.
const COUNT: &str = "count";

/// Minimum length of a word that may be misspelled: `ms` is not `s`.
const TYPO_LETTERS_MIN: usize = 4;

/// Maximum number of words of a name that is split.
const WORDS_MAX: usize = 16;

/// A part that more members share is meaningless, whichever of them are missing.
const SHARED_MAX: usize = 8;

/// The words of an object's declared members.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    /// Whole names as words.
    wholes: HashMap<String, Slots>,
    /// Their proper prefixes and suffixes, including those that mean too little by themselves.
    pieces: HashMap<String, Slots>,
}

impl Parts {
    pub(super) fn of<'n>(members: impl Iterator<Item = &'n str>) -> Self {
        let mut parts = Self::default();
        for (slot, name) in (0u32..).zip(members) {
            let words = words(name);
            if words.is_empty() || words.len() > WORDS_MAX {
                continue;
            }
            insert(&mut parts.wholes, words.join(" "), slot);
            for piece in self::pieces(&words) {
                insert(&mut parts.pieces, piece.join(" "), slot);
            }
            if let Some(counted) = counted(&words) {
                insert(&mut parts.pieces, counted, slot);
            }
        }
        parts
    }

    /// Returns the members of which the name is the beginning or the end, or which are the end of
    /// the name, or none if there are too many for it to be meaningful. The name need not [stand
    /// for](stands_for) them.
    pub(super) fn matches(&self, name: &str) -> Slots {
        if name.len() > NAME_MAX {
            return Slots::new();
        }
        let words = words(name);
        if words.len() > WORDS_MAX || !says_something(&words) {
            return Slots::new();
        }
        let ends = (1..words.len()).map(|at| words.split_at(at));
        let wholes = ends.map(|(_, end)| end).filter(|end| says_something(end));
        self.collect(wholes, &words)
    }

    /// Returns the only member of which the name is the beginning or the end, or which is the
    /// beginning or the end of the name, whether or not that is meaningful.
    pub(super) fn resembles(&self, name: &str) -> Option<u32> {
        if name.len() > NAME_MAX {
            return None;
        }
        let words = words(name);
        if words.len() > WORDS_MAX {
            return None;
        }
        match self.collect(pieces(&words), &words)[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Returns the members with one of these names, and those with the words as a part of theirs,
    /// or none if there are too many for them to be meaningful.
    fn collect<'w>(&self, wholes: impl Iterator<Item = &'w [String]>, words: &[String]) -> Slots {
        let mut found = Slots::new();
        let wholes = wholes.map(|whole| self.wholes.get(&whole.join(" ")));
        let pieces = [self.pieces.get(&words.join(" "))];
        for slots in wholes.chain(pieces).flatten() {
            if slots.len() > SHARED_MAX {
                return Slots::new();
            }
            for slot in slots {
                if !found.contains(slot) {
                    found.push(*slot);
                }
            }
        }
        found
    }
}

/// Returns the proper prefixes and suffixes of a name that can stand for it, or none if it has too
/// many words.
pub(crate) fn parts(words: &[String]) -> impl Iterator<Item = String> {
    let telling = halves(words).filter(|(piece, rest)| {
        says_something(piece) && rest.iter().all(|word| is_neutral(word, piece))
    });
    telling.map(|(piece, _)| piece.join(" "))
}

/// Returns the proper prefixes and suffixes of a name that are meaningful by themselves.
pub(crate) fn telling_pieces(words: &[String]) -> impl Iterator<Item = String> {
    let telling = pieces(words).filter(|piece| says_something(piece));
    telling.map(|piece| piece.join(" "))
}

/// Returns all proper prefixes and suffixes of a name.
fn pieces(words: &[String]) -> impl Iterator<Item = &[String]> {
    halves(words).map(|(piece, _)| piece)
}

/// Returns all proper prefixes and suffixes of a name, each with the remaining words.
fn halves(words: &[String]) -> impl Iterator<Item = (&[String], &[String])> {
    let most = if words.len() > WORDS_MAX {
        0
    } else {
        words.len()
    };
    let halves = (1..most).map(|at| words.split_at(at));
    halves.flat_map(|(first, last)| [(first, last), (last, first)])
}

/// Returns the plural that a name of a count may have instead: `nights` for `nightCount`.
fn counted(words: &[String]) -> Option<String> {
    let (count, counted) = words.split_last()?;
    (count == COUNT && !counted.is_empty()).then(|| counted.join(" ") + "s")
}

/// Returns `true` if a word next to others does not change what they say.
pub(crate) fn is_neutral(word: &str, others: &[String]) -> bool {
    let is_plural = || others.last().is_some_and(|last| last.ends_with('s'));
    is_in(NEUTRAL, word) || word == COUNT && is_plural()
}

/// Returns `true` if one of two names stands for the other: it has all words of the other in their
/// order, and only neutral words before or after them.
pub(crate) fn stands_for(name: &str, other: &str) -> bool {
    let (left, right) = (words(name), words(other));
    let (part, whole) = if left.len() < right.len() {
        (left, right)
    } else {
        (right, left)
    };
    let rest = whole.strip_prefix(&part[..]);
    let rest = rest.or_else(|| whole.strip_suffix(&part[..]));
    rest.is_some_and(|rest| rest.iter().all(|word| is_neutral(word, &part)))
        || counted(&whole).is_some_and(|counted| counted == part.join(" "))
}

/// The words of each of two names that the other does not have, not even with a typing error, and
/// that are not neutral.
struct Difference {
    name: Vec<String>,
    other: Vec<String>,
    /// `true` if both have a word.
    is_partial: bool,
}

impl Difference {
    fn of(name: &str, other: &str) -> Self {
        let (left, right) = (words(name), words(other));
        let rest = |of: &[String], than: &[String]| -> Vec<String> {
            let is_known = |word: &String| than.iter().any(|known| is_spelled_like(word, known));
            let rest = of.iter().filter(|word| !is_known(word));
            let rest = rest.filter(|word| !is_neutral(word, than));
            rest.cloned().collect()
        };
        let (name, other) = (rest(&left, &right), rest(&right, &left));
        Self {
            is_partial: name.len() < left.len() && other.len() < right.len(),
            name,
            other,
        }
    }
}

/// Returns `true` if two words differ in at most one typing error.
fn is_spelled_like(word: &str, other: &str) -> bool {
    word == other
        || word.len().max(other.len()) >= TYPO_LETTERS_MIN
            && edit_distance(word, other).is_some_and(|edits| edits <= 1)
}

/// Returns `true` if two names of which one has several words differ in a word that may change what
/// they say.
pub(crate) fn are_apart(name: &str, other: &str) -> bool {
    let difference = Difference::of(name, other);
    let has_several = words(name).len().max(words(other).len()) > 1;
    has_several && !(difference.name.is_empty() && difference.other.is_empty())
}

/// Returns a declared name in backticks, with its difference from another name that has some of its words:
/// "`amount_cents` (cents)".
pub(crate) fn told(name: &str, declared: &str) -> String {
    let difference = Difference::of(name, declared);
    let less = difference.name.iter().map(|word| format!("not {word}"));
    let words: Vec<_> = difference.other.iter().cloned().chain(less).collect();
    match difference.is_partial && !words.is_empty() {
        true => format!("`{declared}` ({})", words.join(", ")),
        false => format!("`{declared}`"),
    }
}

fn insert(table: &mut HashMap<String, Slots>, words: String, slot: u32) {
    let slots = table.entry(words).or_default();
    if slots.last() != Some(&slot) && slots.len() <= SHARED_MAX {
        slots.push(slot);
    }
}

/// Returns `true` if a word equals another one or its singular.
pub(crate) fn is_one_of(word: &str, several: &str) -> bool {
    let is_plural = |end: &str| several.strip_suffix(end) == Some(word);
    let of_y = several.strip_suffix("ies");
    let by_y = of_y.is_some_and(|stem| word.strip_suffix('y') == Some(stem));
    word == several || is_plural("s") || is_plural("es") || by_y
}

/// Returns `true` if words may stand for a member of which they are a part.
pub(crate) fn says_something(words: &[String]) -> bool {
    match words {
        [] => false,
        [only] => !is_in(STOP_WORDS, only),
        _ => true,
    }
}

/// Returns the words of a name, in lower case and without accents. A new word begins after every
/// character other than a letter or digit, at a capital after a lower-case letter, at the last of
/// several capitals before a lower-case letter, and between letters and digits.
pub(crate) fn words(name: &str) -> Vec<String> {
    let words = words_at(name).into_iter();
    words.map(|(_, word)| word).collect()
}

/// Returns the words of a name, each with its offset.
pub(crate) fn words_at(name: &str) -> Vec<(usize, String)> {
    #[derive(Clone, Copy, PartialEq)]
    enum Sort {
        Capital,
        Small,
        Digit,
        Other,
    }
    let sort = |letter: char| match letter {
        _ if letter.is_numeric() => Sort::Digit,
        _ if letter.is_uppercase() => Sort::Capital,
        _ if letter.is_alphabetic() => Sort::Small,
        _ => Sort::Other,
    };
    let mut words = vec![(0, String::new())];
    let mut before = Sort::Other;
    let mut letters = name.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        // A combining accent belongs to the letter before it.
        if ('\u{300}'..='\u{36f}').contains(&letter) {
            continue;
        }
        let this = sort(letter);
        let next = letters.peek().map_or(Sort::Other, |next| sort(next.1));
        let begins = match (before, this) {
            (_, Sort::Other) => true,
            (Sort::Small, Sort::Capital) => true,
            (Sort::Capital, Sort::Capital) => next == Sort::Small,
            (Sort::Digit, Sort::Capital | Sort::Small) => true,
            (Sort::Capital | Sort::Small, Sort::Digit) => true,
            _ => false,
        };
        if begins {
            words.push((at + usize::from(this == Sort::Other), String::new()));
        }
        if this != Sort::Other {
            let (start, word) = words.pop().unwrap_or_default();
            let start = if word.is_empty() { at } else { start };
            words.push((start, push_folded(word, letter)));
        }
        before = this;
    }
    words.retain(|(_, word)| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::{stands_for, told, words};

    #[test]
    fn only_neutral_words_may_be_missing() {
        for (part, whole) in [
            ("phone", "phoneNumber"),
            ("path", "file_path"),
            ("retries", "retries_count"),
            ("nights", "nightCount"),
            ("user", "userNameText"),
        ] {
            assert!(
                stands_for(part, whole) && stands_for(whole, part),
                "{whole}"
            );
        }
        for (part, whole) in [
            ("notify", "dont_notify"),
            ("access", "deny_access"),
            ("path", "root_path"),
            ("voltage", "voltage_mv"),
            ("retry", "retry_count"),
            ("phone", "home_phone_number"),
            ("file_name", "path_name"),
        ] {
            assert!(
                !stands_for(part, whole) && !stands_for(whole, part),
                "{whole}"
            );
        }
    }

    #[test]
    fn names_are_told_with_their_difference() {
        for (name, declared, wanted) in [
            ("amount", "amount_cents", "`amount_cents` (cents)"),
            ("toAccount", "account", "`account` (not to)"),
            ("timeout_s", "timeoutMs", "`timeoutMs` (ms, not s)"),
            ("phone", "phoneNumber", "`phoneNumber`"),
            ("recipent_name", "recipient_name", "`recipient_name`"),
            ("telefon", "telephone", "`telephone`"),
        ] {
            assert_eq!(told(name, declared), wanted, "{name}");
        }
    }

    #[test]
    fn names_have_words() {
        let table: &[(&str, &[&str])] = &[
            ("phoneNumber", &["phone", "number"]),
            ("PHONE_NUMBER", &["phone", "number"]),
            ("HTTPServer2b", &["http", "server", "2", "b"]),
            ("file-path.Old", &["file", "path", "old"]),
            ("Größe2", &["grosse", "2"]),
            ("cafe\u{301}Name", &["cafe", "name"]),
            ("__", &[]),
        ];
        for (name, wanted) in table {
            assert_eq!(words(name), *wanted, "{name}");
        }
    }
}
