//! Brackets further on: which of them match, and which comes first.

use crate::base::repair::RepairKind;
use crate::parser::look::{LOOK_AHEAD, Look};
use crate::scan;

/// Number of bytes in which the closers are looked for that tell which bracket is wrong.
pub(crate) const CLOSERS_AHEAD: usize = 8 * LOOK_AHEAD;

impl Look<'_> {
    /// Returns the offset past the container that begins at `k`, if its brackets match and end within what
    /// is looked at: 5 of `["]"] x`.
    pub(crate) fn beyond_container(&self, k: usize) -> Option<usize> {
        let window = self.bytes.len().min(k + CLOSERS_AHEAD);
        let mut open: smallvec::SmallVec<[u8; 32]> = smallvec::SmallVec::new();
        let mut at = k;
        while at < window {
            let byte = self.bytes[at];
            at += 1;
            self.charge(1);
            match byte {
                b'"' => at = self.closing_quote_within(at, window)? + 1,
                b'{' => open.push(b'}'),
                b'[' => open.push(b']'),
                b'}' | b']' if open.pop() != Some(byte) => return None,
                b'}' | b']' if open.is_empty() => return Some(at),
                _ => {}
            }
        }
        None
    }

    /// The first closer from `at` on, as far as looking ahead goes, that nothing opens behind it, and
    /// the offset past it.
    pub(crate) fn first_closer(&self, at: usize) -> Option<(u8, usize)> {
        let window = self.bytes.len().min(at + CLOSERS_AHEAD);
        let (mut at, mut open) = (at, 0u32);
        while at < window {
            let byte = self.bytes[at];
            at += 1;
            self.charge(1);
            match byte {
                b'"' => at = self.closing_quote_within(at, window)? + 1,
                b'/' | b'#' | b'<' if let Some(end) = self.comment_at(at - 1) => at = end,
                b'{' | b'[' => open += 1,
                b'}' | b']' if open == 0 => return Some((byte, at)),
                b'}' | b']' => open -= 1,
                _ => {}
            }
        }
        None
    }

    /// The first double quote from `start` on, before `end`, that no backslash escapes.
    pub(crate) fn closing_quote_within(&self, start: usize, end: usize) -> Option<usize> {
        let found = scan::closing_quote(&self.bytes[..end], start, start);
        self.charge_search(found.unwrap_or(end) - start);
        found
    }

    /// Returns the offset at which the comment ends that begins at `k`. A `#` or `//` that only
    /// parts words begins none.
    pub(crate) fn comment_at(&self, k: usize) -> Option<usize> {
        let apart = k > 0 && matches!(self.bytes[k - 1], b' ' | b'\n' | b'\t' | b',');
        let (kind, end) = self.trivia_at(k)?;
        (kind == RepairKind::Comment && (apart || self.bytes[k] != b'#')).then_some(end)
    }
}

#[cfg(test)]
mod tests {
    use super::CLOSERS_AHEAD;
    use crate::parser::look::ask;

    #[test]
    fn containers_end_at_their_bracket() {
        for (text, expected) in [
            ("{}", Some(2)),
            ("[1, {\"a\": \"}\"}] x", Some(15)),
            ("{]", None),
            ("{", None),
            ("\"a", None),
            ("{\"a", None),
            ("}", None),
            ("", None),
        ] {
            assert_eq!(
                ask(text, |look| look.beyond_container(0)),
                expected,
                "{text:?}"
            );
        }
    }

    #[test]
    fn containers_end_within_the_look_ahead() {
        for (length, end) in [
            (CLOSERS_AHEAD, Some(CLOSERS_AHEAD)),
            (CLOSERS_AHEAD + 1, None),
        ] {
            let text = alloc::format!("[{}]", " ".repeat(length - 2));
            assert_eq!(ask(&text, |look| look.beyond_container(0)), end);
            let found = ask(&text[1..], |look| look.first_closer(0));
            assert_eq!(found, Some((b']', length - 1)));
        }
        assert_eq!(ask("x{}", |look| look.beyond_container(1)), Some(3));
        let far = alloc::format!("{}]", " ".repeat(CLOSERS_AHEAD));
        assert_eq!(ask(&far, |look| look.first_closer(0)), None);
        assert_eq!(
            ask(&far, |look| look.first_closer(1)),
            Some((b']', far.len()))
        );
    }

    #[test]
    fn the_first_closer_is_opened_by_nothing() {
        for (text, expected) in [
            ("}", Some((b'}', 1))),
            ("1, \"}\"]", Some((b']', 7))),
            ("{}]", Some((b']', 3))),
            ("[{}]]", Some((b']', 5))),
            ("// }\n]", Some((b']', 6))),
            ("# }\n]", Some((b'}', 3))),
            (" # }\n]", Some((b']', 6))),
            ("/* } */]", Some((b']', 8))),
            ("<!--}-->]", Some((b']', 9))),
            ("{", None),
            ("\"]", None),
            ("", None),
        ] {
            assert_eq!(ask(text, |look| look.first_closer(0)), expected, "{text:?}");
        }
    }

    #[test]
    fn quotes_close_before_an_end() {
        for (text, end, expected) in [
            ("a\"b", 3, Some(1)),
            ("a\\\"b\"", 5, Some(4)),
            ("a\"", 1, None),
            ("a\"", 2, Some(1)),
            ("", 0, None),
        ] {
            assert_eq!(
                ask(text, |look| look.closing_quote_within(0, end)),
                expected,
                "{text:?}"
            );
        }
    }

    #[test]
    fn comments_begin_apart_from_words() {
        for (text, at, expected) in [
            ("// x", 0, Some(4)),
            ("# x", 0, None),
            (" # x", 1, Some(4)),
            ("\n# x", 1, Some(4)),
            ("\t# x", 1, Some(4)),
            (",# x", 1, Some(4)),
            ("a# x", 1, None),
            ("a// x", 1, Some(5)),
            ("<!-- -->", 0, Some(8)),
            (" \u{a0}", 1, None),
            ("x", 0, None),
            ("", 0, None),
        ] {
            assert_eq!(ask(text, |look| look.comment_at(at)), expected, "{text:?}");
        }
    }
}
