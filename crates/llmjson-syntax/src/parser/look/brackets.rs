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

    /// Finds the first closer from `at` on, as far as looking ahead goes, that no bracket from there on opens.
    /// Returns it and the offset past it: `]` and 5 of `1, 2]`.
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

    /// Finds the first double quote from `start` on, before `end`, that no backslash escapes: the one at 4 of
    /// `a\"b"`.
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
    use crate::parser::look::{answers, ask};

    #[test]
    fn containers_are_passed_over() {
        answers(
            |look| look.beyond_container(0),
            &[
                ("{} 1", Some(2)),
                ("[{\"]\": [1]}]", Some(12)),
                ("[1", None),
                ("[}", None),
                ("[\"a", None),
                ("", None),
            ],
        );
        let long = |spaces: usize| alloc::format!("[{}]", " ".repeat(spaces));
        assert_eq!(
            ask(&long(CLOSERS_AHEAD - 2), |look| look.beyond_container(0)),
            Some(CLOSERS_AHEAD)
        );
        assert_eq!(
            ask(&long(CLOSERS_AHEAD - 1), |look| look.beyond_container(0)),
            None
        );
    }

    #[test]
    fn closers_are_found() {
        answers(
            |look| look.first_closer(0),
            &[
                ("1, 2]", Some((b']', 5))),
                ("{} [1] }", Some((b'}', 8))),
                ("\"]\" ]", Some((b']', 5))),
                ("1, // ]\n }", Some((b'}', 10))),
                ("1 # ]\n }", Some((b'}', 8))),
                ("<!-- ] -->}", Some((b'}', 11))),
                ("a#]", Some((b']', 3))),
                ("\"]", None),
                ("{]", None),
                ("1", None),
            ],
        );
    }

    #[test]
    fn quotes_close_within_a_limit() {
        let text = "a\\\"b\" \"";
        assert_eq!(ask(text, |look| look.closing_quote_within(0, 7)), Some(4));
        assert_eq!(ask(text, |look| look.closing_quote_within(0, 4)), None);
        assert_eq!(ask(text, |look| look.closing_quote_within(5, 7)), Some(6));
    }

    #[test]
    fn comments_are_seen() {
        let comment = |text: &str, k: usize| ask(text, |look| look.comment_at(k));
        assert_eq!(comment("// a\nb", 0), Some(4));
        assert_eq!(comment(" # a\nb", 1), Some(4));
        assert_eq!(comment("# a\nb", 0), None);
        assert_eq!(comment("a# b", 1), None);
        assert_eq!(comment("/* a */ b", 0), Some(7));
        assert_eq!(comment("...", 0), None);
        assert_eq!(comment("a", 0), None);
    }
}
