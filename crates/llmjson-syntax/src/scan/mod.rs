//! Finds the next relevant byte. Knows bytes, not grammar.

mod bytes;
pub(crate) mod escape;
mod name;
pub(crate) mod number;
mod quoted;
mod space;
pub(crate) mod tag;

use core::iter;

pub(crate) use bytes::{backslashes, find_near, has_control, inspect, mark_from, peek};
pub(crate) use name::usual_name;
pub(crate) use quoted::{
    Quoted, closing_quote, plain_single_quoted, quoted, quoted_from, single_quoted,
};
pub(crate) use space::{Indent, skip_space};

/// Returns the lines of a text with their line breaks, as `split_inclusive` does, which takes several
/// times as long for short lines.
pub fn lines(text: &str) -> impl Iterator<Item = &str> + Clone {
    let mut rest = text;
    iter::from_fn(move || {
        let end = memchr::memchr(b'\n', rest.as_bytes()).map_or(rest.len(), |at| at + 1);
        let (line, behind) = rest.split_at(end);
        rest = behind;
        (end > 0).then_some(line)
    })
}

/// A list of words, which spaces separate.
#[derive(Debug)]
pub struct WordList {
    words: &'static str,
    /// The lengths of the words that begin with a letter, each as a bit: most words that are looked
    /// up are in no list, and no list is read for them.
    lengths: [u32; 32],
}

impl WordList {
    /// Creates a list.
    #[must_use]
    pub const fn new(words: &'static str) -> Self {
        let mut lengths = [0; 32];
        let (bytes, mut at) = (words.as_bytes(), 0);
        while at < bytes.len() {
            let start = at;
            while at < bytes.len() && bytes[at] != b' ' {
                at += 1;
            }
            if at > start {
                lengths[place_of_letter(bytes[start])] |= bit_of_length(at - start);
            }
            at += 1;
        }
        Self { words, lengths }
    }

    /// Returns `true` if a word is in the list, ignoring case: `JSON` in `text json`.
    #[must_use]
    pub fn has(&self, word: &str) -> bool {
        let word = word.as_bytes();
        let Some(first) = word.first() else {
            return false;
        };
        if self.lengths[place_of_letter(*first)] & bit_of_length(word.len()) == 0 {
            return false;
        }
        let words = self.words.as_bytes();
        let (small, large) = (first.to_ascii_lowercase(), first.to_ascii_uppercase());
        memchr::memchr2_iter(small, large, words).any(|at| {
            let behind = at + word.len();
            (at == 0 || words[at - 1] == b' ')
                && words.get(behind).is_none_or(|byte| *byte == b' ')
                && (words.get(at..behind)).is_some_and(|one| one.eq_ignore_ascii_case(word))
        })
    }
}

/// Returns the place of a letter in [`WordList::lengths`], the same for small and capital letters.
const fn place_of_letter(byte: u8) -> usize {
    (byte % 32) as usize
}

/// Returns the bit of a length. Long words share one.
const fn bit_of_length(length: usize) -> u32 {
    1 << if length < 31 { length } else { 31 }
}
