//! Names by their first or last words: `phone` for `phoneNumber`, `path` for `file_path`.

use std::collections::HashMap;

use super::fold::{is_in, push_folded};
use super::{NAME_MAX, Slots};

/// Words that many names share; they mean too little by themselves.
const STOP_WORDS: &str = "id key name type value data \
    text item number count";

/// Words that negate a name: `disable_ssl` is not `ssl`.
const NEGATIONS: &str = "no not non never without except exclude excluded excluding \
    disable disabled skip omit ignore hide hidden";

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
        }
        parts
    }

    /// Returns the members of which the name is the beginning or the end, or which are the end of
    /// the name, or none if there are too many for it to be meaningful.
    pub(super) fn matches(&self, name: &str) -> Slots {
        if name.len() > NAME_MAX {
            return Slots::new();
        }
        let words = words(name);
        if words.len() > WORDS_MAX || !says_something(&words) {
            return Slots::new();
        }
        let ends = (1..words.len()).map(|at| words.split_at(at));
        let wholes = ends
            .filter(|(rest, end)| says_something(end) && !negates(rest))
            .map(|(_, end)| end);
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

/// Returns the proper prefixes and suffixes of a name that are meaningful by themselves, and do not
/// mean the opposite, or none if it has too many words.
pub(crate) fn parts(words: &[String]) -> impl Iterator<Item = String> {
    let telling = pieces(words).filter(|piece| says_something(piece));
    telling.map(|piece| piece.join(" "))
}

/// Returns all proper prefixes and suffixes of a name.
fn pieces(words: &[String]) -> impl Iterator<Item = &[String]> {
    let most = if words.len() > WORDS_MAX {
        0
    } else {
        words.len()
    };
    let halves = (1..most).map(|at| words.split_at(at));
    let pieces = halves.flat_map(|(first, last)| [(first, last), (last, first)]);
    let pieces = pieces.filter(|(_, rest)| !negates(rest));
    pieces.map(|(piece, _)| piece)
}

fn insert(table: &mut HashMap<String, Slots>, words: String, slot: u32) {
    let slots = table.entry(words).or_default();
    if slots.last() != Some(&slot) && slots.len() <= SHARED_MAX {
        slots.push(slot);
    }
}

/// Returns `true` if words may stand for a member of which they are a part.
pub(crate) fn says_something(words: &[String]) -> bool {
    match words {
        [] => false,
        [only] => !is_in(STOP_WORDS, only),
        _ => true,
    }
}

/// Returns `true` if one of two names has a negating word, and the other has none.
pub(crate) fn are_opposite(left: &str, right: &str) -> bool {
    negates(&words(left)) != negates(&words(right))
}

/// Returns `true` if a name without these words means the opposite.
fn negates(words: &[String]) -> bool {
    let mut words = words.iter();
    words.any(|word| is_in(NEGATIONS, word))
}

/// Returns the words of a name, in lower case and without accents. A new word begins after every
/// character other than a letter or digit, at a capital after a lower-case letter, at the last of
/// several capitals before a lower-case letter, and between letters and digits.
pub(crate) fn words(name: &str) -> Vec<String> {
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
    let mut words = vec![String::new()];
    let mut before = Sort::Other;
    let mut letters = name.chars().peekable();
    while let Some(letter) = letters.next() {
        // A combining accent belongs to the letter before it.
        if ('\u{300}'..='\u{36f}').contains(&letter) {
            continue;
        }
        let this = sort(letter);
        let next = letters.peek().map_or(Sort::Other, |next| sort(*next));
        let begins = match (before, this) {
            (_, Sort::Other) => true,
            (Sort::Small, Sort::Capital) => true,
            (Sort::Capital, Sort::Capital) => next == Sort::Small,
            (Sort::Digit, Sort::Capital | Sort::Small) => true,
            (Sort::Capital | Sort::Small, Sort::Digit) => true,
            _ => false,
        };
        if begins {
            words.push(String::new());
        }
        if this != Sort::Other {
            let word = words.pop().unwrap_or_default();
            words.push(push_folded(word, letter));
        }
        before = this;
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::words;

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
