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
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> + Clone {
    let mut rest = text;
    iter::from_fn(move || {
        let end = memchr::memchr(b'\n', rest.as_bytes()).map_or(rest.len(), |at| at + 1);
        let (line, behind) = rest.split_at(end);
        rest = behind;
        (end > 0).then_some(line)
    })
}

/// Returns `true` if a word is in a space-separated list, ignoring case: `JSON` in `text json`.
#[must_use]
pub fn is_one_of(words: &str, word: &str) -> bool {
    let (words, word) = (words.as_bytes(), word.as_bytes());
    let Some(first) = word.first() else {
        return false;
    };
    let (small, large) = (first.to_ascii_lowercase(), first.to_ascii_uppercase());
    memchr::memchr2_iter(small, large, words).any(|at| {
        let behind = at + word.len();
        (at == 0 || words[at - 1] == b' ')
            && words.get(behind).is_none_or(|byte| *byte == b' ')
            && (words.get(at..behind)).is_some_and(|one| one.eq_ignore_ascii_case(word))
    })
}
