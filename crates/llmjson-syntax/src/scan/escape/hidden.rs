//! Escapes that hide a word: `\f` in `\frac` is a form feed in JSON, and was hardly meant.

use super::control_word;

/// Returns the offsets of a string's backslashes, with the byte that each escapes.
pub(crate) fn escapes(inside: &str) -> impl Iterator<Item = (usize, u8)> {
    let bytes = inside.as_bytes();
    let mut at = 0;
    core::iter::from_fn(move || {
        let found = at + memchr::memchr(b'\\', bytes.get(at..)?)?;
        at = found + 2;
        Some((found, *bytes.get(found + 1)?))
    })
}

/// Returns `true` for a string that begins like a path with a drive, or that begins or ends as a
/// formula. Strings with `\b` or `\f` are noticed elsewhere: other strings cost nothing.
#[inline]
pub(crate) fn may_hide(inside: &[u8]) -> bool {
    inside.get(1) == Some(&b':') || inside.first() == Some(&b'$') || inside.last() == Some(&b'$')
}

/// Returns the offset of the first decoded escape that a control word of LaTeX may begin with. Short
/// words are left out: they also occur after a tab or line feed.
pub(crate) fn decoded_in_word(inside: &str) -> Option<usize> {
    let (at, _) = escapes(inside).find(|&(at, escaped)| {
        let least = match escaped {
            b'b' | b'f' => 3,
            b'n' | b'r' | b't' => 4,
            _ => return false,
        };
        control_word::word_at(inside, at + 1).is_some_and(|word| word.len() >= least)
    })?;
    Some(at)
}
