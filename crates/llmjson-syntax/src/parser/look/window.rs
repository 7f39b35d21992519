//! The text near a position: the bytes within lookahead, and where a token begins or ends.

use crate::parser::look::quotes::quote_at;
use crate::parser::look::trivia::odd_space_at;
use crate::parser::look::{LOOK_AHEAD, Look};
use crate::scan::{peek, skip_space};
use crate::tape::Node;

/// Number of bytes of a window that count as one step: most lookaheads end long before.
const WINDOW_BYTES_A_STEP: usize = 8;

impl Look<'_> {
    /// Returns the text from `start` on, limited to the lookahead distance: `1]` from 1 of `[1]`
    /// on.
    pub(crate) fn window(&self, start: usize) -> &str {
        let rest = self.text.get(start..).unwrap_or_default();
        let mut end = rest.len().min(LOOK_AHEAD);
        while !rest.is_char_boundary(end) {
            end -= 1;
        }
        self.charge(end / WINDOW_BYTES_A_STEP + 1);
        &rest[..end]
    }

    /// Returns `true` if only white space precedes `at` on its line: at the end of `"a\n \t"`, but
    /// not of `a:`.
    pub(crate) fn line_begins(&self, at: usize) -> bool {
        let before = self.before_colours(at).trim_end_matches([' ', '\t']);
        before.is_empty() || before.ends_with('\n')
    }

    /// Returns the bytes from `start` on, limited to the lookahead distance: the bytes of `1]` from
    /// 1 of `[1]` on.
    #[inline]
    pub(crate) fn near(&self, start: usize) -> &[u8] {
        let rest = &self.bytes[start..];
        &rest[..rest.len().min(LOOK_AHEAD)]
    }

    /// Returns `true` if the text after the root could belong to it: `}` could, `1` could not.
    #[inline]
    pub(crate) fn more_follows(&self, end: usize) -> bool {
        matches!(
            skip_space(self.bytes, end).0,
            b',' | b'}' | b']' | b'"' | b'\'' | b'`' | b'\\' | b'A'..=b'Z' | b'a'..=b'z' | 0x80..
        )
    }

    /// Returns the first byte from `at` on other than white space, including unusual kinds, and its
    /// offset: `a` at 2 of `"\u{a0}a"`.
    #[inline]
    pub(crate) fn beyond_space(&self, at: usize) -> (u8, usize) {
        let (byte, k) = self.skip_space(at);
        if byte < 0x80 {
            return (byte, k);
        }
        self.beyond_odd_space(k)
    }

    /// Returns the first byte and its offset where a non-ASCII byte is at `at`, which may or may
    /// not begin a space: 0xC3 at 0 of `é`.
    #[cold]
    fn beyond_odd_space(&self, at: usize) -> (u8, usize) {
        let (mut byte, mut k) = (peek(self.bytes, at), at);
        while byte >= 0x80
            && k - at < LOOK_AHEAD
            && let Some(space) = odd_space_at(self.text, k)
        {
            (byte, k) = self.skip_space(k + space.len_utf8());
        }
        (byte, k)
    }

    /// Returns the offset after the quote at `quote`: 4 for the one at 1 of `a“`.
    pub(crate) fn beyond_quote(&self, quote: usize) -> usize {
        quote + quote_at(self.text, quote).map_or(1, char::len_utf8)
    }

    /// Returns the offset at which a string begins, with its opening quote if it has one: 1 for the
    /// content of `["a"]`, which begins at 2.
    pub(crate) fn begin_of(&self, string: Node) -> usize {
        let before = &self.text[..string.start as usize];
        let last = before.char_indices().next_back();
        let quote = last.filter(|&(at, _)| quote_at(before, at).is_some());
        quote.map_or(before.len(), |(at, _)| at)
    }
}

#[cfg(test)]
mod tests {
    use crate::parser::look::{LOOK_AHEAD, answers, ask};
    use crate::parser::state::step::{KeySpan, scalar};
    use crate::tape::Tag;

    #[test]
    fn windows_end_at_characters() {
        let text = "é".repeat(LOOK_AHEAD);
        assert_eq!(ask(&text, |look| look.window(0).len()), LOOK_AHEAD);
        assert_eq!(ask(&text, |look| look.window(2).len()), LOOK_AHEAD);
        let text = alloc::format!("a{text}");
        assert_eq!(ask(&text, |look| look.window(0).len()), LOOK_AHEAD - 1);
        assert_eq!(ask(&text, |look| look.near(0).len()), LOOK_AHEAD);
        assert!(ask("[1]", |look| look.window(1) == "1]"));
        assert!(ask("[1]", |look| look.near(1) == b"1]"));
        assert_eq!(ask("abc", |look| look.window(9).len()), 0);
        // A window costs a step for each eight bytes, and one more.
        let cost = |text: &str| ask(text, |look| (look.window(0).len(), look.work.get().spent()));
        assert_eq!(cost("0123456789abcdef"), (16, 3));
        assert_eq!(cost(""), (0, 1));
    }

    #[test]
    fn unusual_spaces_are_passed_over() {
        answers(
            |look| look.beyond_space(0),
            &[
                ("  a", (b'a', 2)),
                ("\u{a0}a", (b'a', 2)),
                (" \u{a0}\u{a0} \n a", (b'a', 8)),
                ("é", (0xC3, 0)),
                ("\u{a0}é", (0xC3, 2)),
                ("\u{a0}", (0, 2)),
                ("", (0, 0)),
            ],
        );
        let spaces = "\u{a0}".repeat(LOOK_AHEAD);
        assert!(ask(&spaces, |look| look.beyond_space(0)).1 < spaces.len());
    }

    #[test]
    fn quotes_are_passed_over() {
        answers(
            |look| look.beyond_quote(1),
            &[("a\"", 2), ("a'", 2), ("a“", 4), ("ab", 2)],
        );
    }

    #[test]
    fn unusual_spaces_need_not_stand_there() {
        answers(
            |look| look.beyond_odd_space(0),
            &[
                ("é", (0xC3, 0)),
                ("\u{a0} a", (b'a', 3)),
                ("a", (b'a', 0)),
                ("", (0, 0)),
            ],
        );
    }

    #[test]
    fn strings_begin_at_their_opening_quotes() {
        // The offset of the string's text.
        let begin = |text: &str, start: usize| {
            let string = scalar(KeySpan::NONE, Tag::String, start, start + 1);
            ask(text, |look| look.begin_of(string))
        };
        assert_eq!(begin("[\"a\"]", 2), 1);
        assert_eq!(begin("[“a”]", 4), 1);
        assert_eq!(begin("[a]", 1), 1);
        assert_eq!(begin("[“a”]", 1), 1);
        assert_eq!(begin("é a", 3), 3);
        assert_eq!(begin("a", 0), 0);
    }
}
